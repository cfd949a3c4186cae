/* A libFuzzer harness of the compiled machine. Built and run by run.py, or by hand: see `Harness` there.
 *
 * An input is a byte that says what is done, a byte of options, and a text (UTF-8, or Latin-1 where it is not that). Each way of
 * using the machine is held against another one that must agree; where they do not, or an exception comes that no text may cause,
 * the harness aborts, which libFuzzer reports with the input. The extension is imported alone: what its entries cannot answer by
 * themselves goes to a stub, so all the time is spent in compiled code. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static PyObject *parse_at, *read_plain, *walk, *machine_type, *entries[3], *narrow_tail, *wide_tail;
static const char *const BIG_INTS[] = {"exact", "float", "str", "exact"};
static const char *const DUPLICATES[] = {"last", "first", "raise", "last"};

static const char PRELUDE[] =
    "import sys, os\n"
    "sys.path.insert(0, os.environ['JSONSCAN_FUZZ_BUILD'])\n"
    "import _machine\n"
    "entries = []\n"
    "for name in ('loads', 'extract_json', 'extract_json_object'):\n"
    "    exec(f'def {name}(raw, **options):\\n    \"what is not clean\"\\n    return NotImplemented')\n"
    "    entries.append(_machine.entry(globals()[name]))\n";

static void fail(const char *why)
{
    fprintf(stderr, "harness: %s\n", why);
    if (PyErr_Occurred())
        PyErr_Print();
    abort();
}

static void check(int holds, const char *what)
{
    if (!holds)
        fail(what);
}

static PyObject *sure(PyObject *object, const char *what)
{
    check(object != NULL, what);
    return object;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    Py_InitializeEx(0);
    PyObject *names = PyModule_GetDict(PyImport_AddModule("__main__"));
    Py_DECREF(sure(PyRun_String(PRELUDE, Py_file_input, names, names), "the extension cannot be imported"));
    PyObject *module = PyDict_GetItemString(names, "_machine"), *list = PyDict_GetItemString(names, "entries");
    parse_at = sure(PyObject_GetAttrString(module, "parse_at"), "parse_at");
    read_plain = sure(PyObject_GetAttrString(module, "read_plain"), "read_plain");
    walk = sure(PyObject_GetAttrString(module, "walk"), "walk");
    machine_type = sure(PyObject_GetAttrString(module, "Machine"), "Machine");
    for (int which = 0; which < 3; which++)
        entries[which] = PyList_GetItem(list, which);
    narrow_tail = PyUnicode_FromOrdinal(0x4e2d);
    wide_tail = PyUnicode_FromOrdinal(0x1f600);
    return 0;
}

/* -- comparing */

/* Whether two values are the same, types and order of names included; values too deep for repr count as the same. Borrows both. */
static int same(PyObject *one, PyObject *other)
{
    PyObject *left = PyObject_Repr(one), *right = left ? PyObject_Repr(other) : NULL;
    int answer = 1;
    if (right)
        answer = PyUnicode_Compare(left, right) == 0;
    else if (PyErr_ExceptionMatches(PyExc_RecursionError))
        PyErr_Clear();
    Py_XDECREF(left);
    Py_XDECREF(right);
    check(!PyErr_Occurred(), "values cannot be compared");
    return answer;
}

static Py_ssize_t number(PyObject *machine, const char *name)
{
    PyObject *found = sure(PyObject_GetAttrString(machine, name), name);
    Py_ssize_t value = PyLong_AsSsize_t(found);
    Py_DECREF(found);
    return value;
}

static int is(PyObject *text, const char *word)
{
    return PyUnicode_Check(text) && PyUnicode_CompareWithASCIIString(text, word) == 0;
}

/* -- what is done with a text */

static PyObject *value_at(PyObject *text, Py_ssize_t pos, Py_ssize_t depth, Py_ssize_t digits)
{
    return sure(PyObject_CallFunction(parse_at, "Onnn", text, pos, depth, digits), "parse_at raised");
}

static PyObject *new_machine(PyObject *text, uint8_t options)
{
    PyObject *names = sure(
        Py_BuildValue("{s:n,s:n,s:s,s:s,s:O}", "max_depth", (Py_ssize_t)(options & 1 ? 3 : 0), "max_digits", (Py_ssize_t)(options & 2 ? 5 : 0),
                      "big_int", BIG_INTS[options >> 2 & 3], "duplicates", DUPLICATES[options >> 4 & 3], "controls",
                      options & 64 ? Py_True : Py_False), "options");
    PyObject *place = PyTuple_Pack(1, text), *machine = sure(PyObject_Call(machine_type, place, names), "Machine raised");
    Py_DECREF(names);
    Py_DECREF(place);
    return machine;
}

/* One value, by both ways to read it, and with a wide character behind it, which changes how every unit is stored. */
static void strict(PyObject *text, uint8_t options)
{
    PyObject *read = value_at(text, 0, 0, 0), *machine = new_machine(text, 0);
    PyObject *stop = sure(PyObject_CallMethod(machine, "run", "O", Py_True), "run raised");
    check(is(stop, "done") == (read != Py_None), "parse_at and Machine disagree");
    if (read != Py_None) {
        PyObject *value = sure(PyObject_GetAttrString(machine, "value"), "value");
        Py_ssize_t end = number(machine, "pos");
        check(PyLong_AsSsize_t(PyTuple_GET_ITEM(read, 1)) == end, "parse_at and Machine end apart");
        check(same(value, PyTuple_GET_ITEM(read, 0)), "parse_at and Machine read apart");
        Py_DECREF(value);
    }
    if (read == Py_None || PyLong_AsSsize_t(PyTuple_GET_ITEM(read, 1)) < PyUnicode_GET_LENGTH(text)) {
        PyObject *longer = PyUnicode_Concat(text, options & 1 ? wide_tail : narrow_tail);
        PyObject *again = value_at(longer, 0, 0, 0);
        check(same(read, again), "the width of the text changes what is read");
        Py_DECREF(longer);
        Py_DECREF(again);
    }
    Py_DECREF(stop);
    Py_DECREF(machine);
    Py_DECREF(read);
}

/* Reading with plain edits: with none made it must be the strict reading, and where that succeeds none may be made. */
static void plain(PyObject *text, uint8_t options)
{
    Py_ssize_t depth = options & 1 ? 3 : 0, digits = options & 2 ? 5 : 0;
    PyObject *read = sure(PyObject_CallFunction(read_plain, "OnnnsO", text, (Py_ssize_t)0, depth, digits, BIG_INTS[options >> 2 & 3],
                                                options & 16 ? Py_True : Py_False), "read_plain raised");
    if ((options >> 2 & 3) % 3 == 0) {
        PyObject *other = value_at(text, 0, depth, digits);
        check(other == Py_None || read != Py_None, "read_plain cannot read strict JSON");
        if (read != Py_None) {
            int unedited = PyLong_AsSsize_t(PyTuple_GET_ITEM(read, 2)) == 0;
            check(unedited == (other != Py_None), "edits are counted wrongly");
            if (unedited)
                check(same(PyTuple_GET_ITEM(read, 0), PyTuple_GET_ITEM(other, 0)), "read_plain reads strict JSON otherwise");
        }
        Py_DECREF(other);
    }
    Py_DECREF(read);
}

/* A walk from the first brace: it must end where reading does, and what it says of inner objects must be what a walk from there says. */
static void walked(PyObject *text)
{
    Py_ssize_t start = PyUnicode_FindChar(text, '{', 0, PyUnicode_GET_LENGTH(text), 1), at = 0;
    if (start < 0)
        return;
    PyObject *known = PyDict_New(), *end = sure(PyObject_CallFunction(walk, "OnO", text, start, known), "walk raised");
    PyObject *read = value_at(text, start, 0, 0), *from, *to;
    check((PyLong_AsSsize_t(end) >= 0) == (read != Py_None), "walk and parse_at disagree");
    check(read == Py_None || same(end, PyTuple_GET_ITEM(read, 1)), "walk and parse_at end apart");
    while (PyDict_Next(known, &at, &from, &to)) {
        PyObject *nothing = PyDict_New(), *again = sure(PyObject_CallFunction(walk, "OOO", text, from, nothing), "walk raised");
        check(same(again, to), "a walk is wrong about an inner object");
        Py_DECREF(nothing);
        Py_DECREF(again);
    }
    Py_DECREF(known);
    Py_DECREF(end);
    Py_DECREF(read);
}

/* The text in one piece and in several must come to the same stop at the same place with the same value so far. */
static void chunked(PyObject *text, uint8_t options, uint8_t size)
{
    PyObject *whole = new_machine(text, options & 127);
    Py_ssize_t step = 1 + size % 61, length = PyUnicode_GET_LENGTH(text);
    PyObject *expected = sure(PyObject_CallMethod(whole, "run", "O", Py_True), "run raised");
    PyObject *piece = PyUnicode_Substring(text, 0, step), *machine = new_machine(piece, options & 127), *stop, *fault, *seen;
    Py_DECREF(piece);
    stop = sure(PyObject_CallMethod(machine, "run", "O", Py_False), "run raised");
    for (Py_ssize_t at = step; at < length && (is(stop, "starved") || is(stop, "")); at += step) {
        if (options & 128)
            Py_DECREF(sure(PyObject_CallMethod(machine, "snapshot", NULL), "snapshot raised"));
        Py_DECREF(stop);
        piece = PyUnicode_Substring(text, at, at + step);
        stop = sure(PyObject_CallMethod(machine, "feed", "O", piece), "feed raised");
        Py_DECREF(piece);
    }
    if (is(stop, "starved") || is(stop, "")) {
        Py_DECREF(stop);
        stop = sure(PyObject_CallMethod(machine, "run", "O", Py_True), "run raised");
    }
    check(same(stop, expected), "chunks change where a machine stops");
    fault = sure(PyObject_GetAttrString(machine, "fault"), "fault");
    if (!is(stop, "fault") || !is(fault, "duplicate-key")) /* a name that began in an earlier chunk: that place is gone */
        check(number(machine, "pos") + number(machine, "base") == number(whole, "pos"), "chunks change where it is");
    seen = sure(PyObject_CallMethod(machine, "snapshot", NULL), "snapshot raised");
    piece = sure(PyObject_CallMethod(whole, "snapshot", NULL), "snapshot raised");
    if (!is(stop, "fault") || (!is(fault, "escape") && !is(fault, "control"))) /* the part of a string shown before stays */
        check(same(seen, piece), "chunks change the value so far");
    Py_DECREF(fault);
    Py_DECREF(piece);
    Py_DECREF(seen);
    Py_DECREF(stop);
    Py_DECREF(expected);
    Py_DECREF(machine);
    Py_DECREF(whole);
}

/* What a caller may do with the value that is shown: it is live. */
static void meddle(PyObject *value, uint8_t how)
{
    if (PyList_Check(value) && PyList_GET_SIZE(value) && how & 1) {
        meddle(PyList_GET_ITEM(value, PyList_GET_SIZE(value) - 1), how >> 1);
        return;
    }
    if (PyList_Check(value))
        PyList_SetSlice(value, 0, PyList_GET_SIZE(value), NULL);
    else if (PyDict_Check(value))
        PyDict_Clear(value);
}

/* Edits in any order, as the bytes of the script say. What does not fit raises, and only what is documented. */
static void edited(PyObject *text, uint8_t options, const uint8_t *script, size_t steps)
{
    static const char *const CHARS[] = {"{", "}", "[", "]", ",", ":", "", "x"};
    PyObject *machine = new_machine(text, options & 127);
    PyObject *given = sure(PyObject_CallMethod(machine, "run", "O", Py_False), "run raised");
    for (size_t at = 0; at < steps; at++) {
        uint8_t what = script[at] % 11, how = script[at] / 11;
        PyObject *phase = sure(PyObject_GetAttrString(machine, "phase"), "phase");
        int ended = is(phase, "end");
        Py_ssize_t pos = number(machine, "pos") + how % 3;
        Py_DECREF(phase);
        Py_XDECREF(given);
        given = NULL;
        if (ended)
            break;
        switch (what) {
        case 0: given = PyObject_CallMethod(machine, "goto", "n", pos); break;
        case 1: given = PyObject_CallMethod(machine, "put", "sn", how & 4 ? "a" : "b", pos); break;
        case 2: given = PyObject_CallMethod(machine, "put", "nn", (Py_ssize_t)how, pos); break;
        case 3: case 4: given = PyObject_CallMethod(machine, "punct", "sn", CHARS[how & 7], pos); break;
        case 5:
            given = PyObject_CallMethod(machine, "retract", NULL);
            if (given != NULL) {
                Py_DECREF(given);
                given = PyObject_CallMethod(machine, "put", "sn", "c", pos);
            }
            break;
        case 6: given = PyObject_CallMethod(machine, "snapshot", NULL); break;
        case 7: given = PyObject_CallMethod(machine, "run", "O", how & 4 ? Py_True : Py_False); break;
        case 8:
            given = PyObject_CallMethod(machine, "feed", "s", CHARS[how & 7]);
            break;
        case 9:
            Py_XDECREF(sure(PyObject_CallMethod(machine, "frames", "n", (Py_ssize_t)(how & 3)), "frames raised"));
            given = PyObject_CallMethod(machine, "path", NULL);
            break;
        case 10:
            given = PyObject_CallMethod(machine, "snapshot", NULL);
            if (given != NULL)
                meddle(given, how);
            break;
        }
        if (given == NULL) {
            check(PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_LookupError)
                      || PyErr_ExceptionMatches(PyExc_TypeError), "an edit raised what it may not");
            PyErr_Clear();
        }
    }
    Py_XDECREF(given);
    Py_DECREF(machine);
}

/* An entry: the stub answers, or what it gives is a value that stands in the text. */
static void entered(int which, PyObject *text)
{
    PyObject *answer = sure(PyObject_CallOneArg(entries[which], text), "an entry raised");
    if (which == 2 && answer != Py_NotImplemented) {
        PyObject *read = value_at(answer, 0, 0, 0);
        check(PyUnicode_Contains(text, answer) == 1, "the object does not stand in the text");
        check(read != Py_None && PyLong_AsSsize_t(PyTuple_GET_ITEM(read, 1)) == PyUnicode_GET_LENGTH(answer), "the object is none");
        Py_DECREF(read);
    }
    Py_DECREF(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    uint8_t what = data[0] % 8, options = data[1], extra = data[2];
    size_t script = what == 4 ? extra % 32 : 0;
    if (size < 3 + script)
        return 0;
    const char *body = (const char *)data + 3 + script;
    Py_ssize_t length = (Py_ssize_t)(size - 3 - script);
    PyObject *text = PyUnicode_DecodeUTF8(body, length, "surrogatepass");
    if (text == NULL) {
        PyErr_Clear();
        text = PyUnicode_DecodeLatin1(body, length, NULL);
    }
    if (data[0] & 0x40) /* what is ASCII, stored wide */
        PyUnicode_Append(&text, data[0] & 0x20 ? wide_tail : narrow_tail);
    sure(text, "no text");
    switch (what) {
    case 0: strict(text, options); break;
    case 1: plain(text, options); break;
    case 2: walked(text); break;
    case 3: chunked(text, options, extra); break;
    case 4: edited(text, options, data + 3, script); break;
    default: entered(what - 5, text);
    }
    Py_DECREF(text);
    check(!PyErr_Occurred(), "an exception is left behind");
    return 0;
}
