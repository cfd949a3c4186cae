# What users call, as builtins. A clean call is answered at once, every other one is handed to the Python driver: a Python function around
# a call of a few dozen nanoseconds would cost more than the call.

cdef inline const unit* next_mark(const unit* p, const unit* end) noexcept nogil:
    if unit is uint8_t:
        return jscan_mark1(p, end)
    elif unit is uint16_t:
        return jscan_mark2(p, end)
    else:
        return jscan_mark4(p, end)


cdef Py_ssize_t mark_in(const unit* text, Py_ssize_t pos, Py_ssize_t limit) noexcept nogil:
    """The offset of the first mark in the text before `limit`; of fence marks, only of three in a row."""
    cdef const unit* p = text + pos
    while True:
        p = next_mark(p, text + limit)
        if p == text + limit or (p[0] != c'`' and p[0] != c'~') or (p[1] == p[0] and p[2] == p[0]):
            return p - text
        p += 1


cdef inline bint is_word(const unit* p, const unit* end, const char* word) noexcept nogil:
    while word[0]:
        if p >= end or p[0] != <uint8_t>word[0]:
            return False
        p += 1
        word += 1
    return True


cdef inline const unit* fence_content(const unit* p, const unit* end) noexcept nogil:
    """The bracket behind the opening fence at p; NULL if none stands there, or more than ```json and JSON's white space does before it."""
    if not is_word(p, end, b"```"):
        return NULL
    p += 3
    if is_word(p, end, b"json"):
        p += 4
    p = skip_space(p, end)
    return p if is_bracket(p[0]) else NULL


cdef inline bint is_rest_of_line(const unit* p, const unit* stop) noexcept nogil:
    """Whether the word and the white space from p to stop end a line as Markdown has them, or hold spaces and tabs only: a CR ends none."""
    cdef bint returned = False
    while p < stop and p[0] != c'\n':
        returned |= p[0] == c'\r'
        p += 1
    return p < stop or not returned


cdef inline bint is_bracket(uint32_t c) noexcept nogil:
    return c | 0x20 == c'{'


cdef inline const unit* clean_start(const unit* text, const unit* end) noexcept nogil:
    """Where the only value in the text could start that need not be searched for; NULL if that takes the rules."""
    cdef const unit* content
    cdef const unit* p = skip_space(text, end)
    if is_bracket(p[0]):
        return p
    while p < end and (p[0] <= c' ' or p[0] > 0x7f):  # blanks of any kind
        p += 1
    if p[0] == c'"':  # perhaps a member that lost its brace
        return NULL
    p = next_mark(p, end)
    if p[0] == c'{' and p > text and p[-1] != c'$' and p[-1] != c'\\':
        return p
    content = fence_content(p, end)
    return content if content != NULL and is_rest_of_line(p, content) else NULL


cdef inline bint is_clean_end(const unit* p, const unit* end, bint is_array) noexcept nogil:
    """Whether nothing behind a value could change the answer: no bracket or tag, no member cut off by an early closer, and no closer of
    brackets that the value stands in."""
    p = skip_space(p, end)
    if is_word(p, end, b"```"):
        p += 3
    elif p[0] == c',' or p[0] == c'}' or p[0] == c']' or p[0] == c'\\' or (is_array and p < end):
        return False
    while True:
        p = next_mark(p, end)
        if p == end:
            return True
        if p[0] != c'`' and p[0] != c'~':
            return False
        p += 1


cdef inline bint stands_in_lines(const unit* text, const unit* start, const unit* end) noexcept nogil:
    """Whether an array is the first thing in the text, or its fence opens on a line of its own."""
    cdef const unit* fence = next_mark(text, end)
    if fence == start:
        return skip_space(text, end) == start
    while start[-1] == c' ':
        start -= 1
    return start[-1] == c'\n' and (fence == text or fence[-1] == c'\n')


cdef bint loads_in(State* st, const unit* text) noexcept:
    """Read the answer under default options, where it is plain: why the rules agree is written at `clean` in answers.py."""
    cdef const unit* end = text + st.length
    cdef const unit* start = clean_start(text, end)
    if start == NULL:
        return False
    st.pos = start - text
    st.max_depth = MAX_DEPTH
    st.max_digits = EXACT_DIGITS
    if build(st, True) != DONE:
        return False
    if PyList_CheckExact(st.root):
        return is_clean_end(text + st.pos, end, True) and stands_in_lines(text, start, end)
    if PyDict_Size(st.root) == 0:
        return skip_space(text, end) == start and skip_space(text + st.pos, end) == end
    return is_clean_end(text + st.pos, end, False)


cdef bint extract_json_in(PyObject* raw, State* st, const unit* text) noexcept:
    """Read the content of the first fence, or the value at the first bracket of a text that has no backtick."""
    cdef const unit* end = text + st.length
    cdef const unit* p
    cdef Py_ssize_t brace, fence = find(raw, c'`', 0, st.length)
    if fence < st.length:
        p = fence_content(text + fence, end)
        if p == NULL:
            return False
        st.pos = p - text
    else:
        brace = find(raw, c'{', 0, st.length)
        st.pos = find(raw, c'[', 0, brace)
        if st.pos == st.length:
            return False
    if build(st, True) != DONE:
        return False
    if fence == st.length:
        return True
    p = skip_space(text + st.pos, end)
    return is_word(p, end, b"```") and find(raw, c'`', fence + 3, p - text) == p - text


cdef inline Py_ssize_t find(PyObject* raw, Py_UCS4 wanted, Py_ssize_t start, Py_ssize_t end) noexcept:
    """The offset of the first such character, or `end`."""
    cdef Py_ssize_t found = PyUnicode_FindChar(raw, wanted, start, end, 1)
    return found if found >= 0 else end


cdef PyObject* clean_loads(State* st) noexcept:
    if st.kind == 1:
        return finish(st, loads_in(st, <const uint8_t*>st.text))
    if st.kind == 2:
        return finish(st, loads_in(st, <const uint16_t*>st.text))
    return finish(st, loads_in(st, <const uint32_t*>st.text))


cdef PyObject* clean_extract_json(PyObject* raw, State* st) noexcept:
    if st.kind == 1:
        return finish(st, extract_json_in(raw, st, <const uint8_t*>st.text))
    if st.kind == 2:
        return finish(st, extract_json_in(raw, st, <const uint16_t*>st.text))
    return finish(st, extract_json_in(raw, st, <const uint32_t*>st.text))


cdef inline PyObject* finish(State* st, bint is_answer) noexcept:
    """The value read, which becomes the caller's, or NULL; the state is let go of."""
    if not is_answer:
        end_read(st)
        return NULL
    free_stacks(st)  # which are empty behind a whole value
    return st.root


cdef Py_ssize_t utf16_length(State* st) noexcept nogil:
    cdef Py_ssize_t at, length = st.length
    if st.kind == 4 and length <= 262144:
        for at in range(st.length):
            length += (<const uint32_t*>st.text)[at] > 0xffff
    return length


cdef PyObject* clean_extract_json_object(PyObject* raw, State* st) noexcept:
    """The first object, where the first brace starts it."""
    cdef Span[RECORDED] spans
    cdef Py_ssize_t start
    cdef int stop
    if utf16_length(st) > 262144:
        return NULL
    start = find(raw, c'{', 0, st.length)
    if start == st.length:
        return NULL
    st.pos = start
    st.spans = &spans[0]
    stop = walk_over(st)
    free_stacks(st)
    return PyUnicode_Substring(raw, start, st.pos) if stop == DONE else NULL


cdef enum:
    MAX_DEPTH = 1000  # the default of Limits
    LONG_TEXT = 1 << 26  # nothing looks for signals here; the drivers do
    LOADS = 0, EXTRACT_JSON, EXTRACT_JSON_OBJECT

cdef PyObject* drivers[3]  # owned; what answers the calls that are not clean


cdef inline bint is_empty_container(PyObject* raw) noexcept:
    """Whether the text is `{}` or `[]`: answers of which there are many, and which need no state."""
    cdef const uint8_t* p = <const uint8_t*>DATA_OF(raw)
    return LENGTH_OF(raw) == 2 and KIND_OF(raw) == 1 and is_bracket(p[0]) and p[1] == p[0] + 2


cdef PyObject* enter(int which, PyObject* const* args, Py_ssize_t number, PyObject* names) noexcept:
    cdef State st
    cdef PyObject* answer = NULL
    if number == 1 and names == NULL and PyUnicode_CheckExact(args[0]) and LENGTH_OF(args[0]) <= LONG_TEXT:
        if which != EXTRACT_JSON_OBJECT and is_empty_container(args[0]):
            return PyDict_New() if (<const uint8_t*>DATA_OF(args[0]))[0] == c'{' else PyList_New(0)
        begin(&st, <object>args[0], 0)
        if which == LOADS:
            answer = clean_loads(&st)
        elif which == EXTRACT_JSON:
            answer = clean_extract_json(args[0], &st)
        else:
            answer = clean_extract_json_object(args[0], &st)
        if answer != NULL or PyErr_Occurred() != NULL:
            return answer
    return PyObject_Vectorcall(drivers[which], args, number, names)


cdef PyObject* enter_loads(PyObject* module, PyObject* const* args, Py_ssize_t number, PyObject* names) noexcept:
    return enter(LOADS, args, number, names)


cdef PyObject* enter_extract_json(PyObject* module, PyObject* const* args, Py_ssize_t number, PyObject* names) noexcept:
    return enter(EXTRACT_JSON, args, number, names)


cdef PyObject* enter_extract_json_object(PyObject* module, PyObject* const* args, Py_ssize_t number, PyObject* names) noexcept:
    return enter(EXTRACT_JSON_OBJECT, args, number, names)


cdef PyMethodDef methods[3]
cdef list texts = []  # keeps alive what the methods point to
methods[LOADS].ml_meth = <PyCFunction>enter_loads
methods[EXTRACT_JSON].ml_meth = <PyCFunction>enter_extract_json
methods[EXTRACT_JSON_OBJECT].ml_meth = <PyCFunction>enter_extract_json_object
cdef tuple ENTRIES = ("loads", "extract_json", "extract_json_object")


def entry(driver):
    cdef int which = ENTRIES.index(driver.__name__)
    cdef bytes name = driver.__name__.encode()
    cdef bytes doc = f"{driver.__name__}{SIGNATURES[which]}\n--\n\n{driver.__doc__}".encode()
    texts.extend((name, doc, driver))
    drivers[which] = <PyObject*>driver
    methods[which].ml_name = name
    methods[which].ml_doc = doc
    methods[which].ml_flags = METH_FASTCALL | METH_KEYWORDS
    return PyCFunction_NewEx(&methods[which], NULL, driver.__module__)


cdef tuple SIGNATURES = ("(raw, **options)", "(raw)", "(raw)")
