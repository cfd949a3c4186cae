# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled body of the machine. The contract is the docstring of `machine.py`.

`run` is the grammar. It exists six times, made by the compiler from one text: for the three widths of a str (`unit`), and for building
values or only walking over them (`sink`). It works on a `State`, so that a read can live on the C stack (`parse_at`, `walk`) or inside
a `Machine`. References in a State are owned by it: `values` holds what is finished in containers still open, and a container is made
in one go when it closes, unless a snapshot was asked for (then its frame has `items`, to which later members go directly).
"""

from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h" nogil:
    ctypedef struct PyObject:
        pass
    PyObject* Py_None
    PyObject* Py_True
    PyObject* Py_False
    void Py_INCREF(PyObject*)
    void Py_DECREF(PyObject*)
    void Py_XDECREF(PyObject*)
    void Py_CLEAR(PyObject*)
    PyObject* PyUnicode_New(Py_ssize_t, Py_UCS4)
    PyObject* PyUnicode_FromKindAndData(int, const void*, Py_ssize_t)
    int PyUnicode_KIND(object)
    void* PyUnicode_DATA(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    int KIND_OF "PyUnicode_KIND"(PyObject*)
    void* DATA_OF "PyUnicode_DATA"(PyObject*)
    PyObject* PyLong_FromLongLong(long long)
    PyObject* PyFloat_FromDouble(double)
    double PyOS_string_to_double(const char*, char**, PyObject*)
    PyObject* PyNumber_Multiply(PyObject*, PyObject*)
    PyObject* PyNumber_Add(PyObject*, PyObject*)
    PyObject* PyUnicode_Join(PyObject*, PyObject*)
    PyObject* PyErr_Occurred()
    PyObject* PyErr_NoMemory()
    int PyErr_ExceptionMatches(PyObject*)
    PyObject* PyList_New(Py_ssize_t)
    PyObject** ITEMS_OF "PySequence_Fast_ITEMS"(PyObject*)
    Py_ssize_t PyList_GET_SIZE(PyObject*)
    int PyList_Append(PyObject*, PyObject*)
    int PyList_SetItem(PyObject*, Py_ssize_t, PyObject*)
    PyObject* PyList_GET_ITEM(PyObject*, Py_ssize_t)
    int PyList_SetSlice(PyObject*, Py_ssize_t, Py_ssize_t, PyObject*)
    PyObject* PyDict_GetItem(PyObject*, PyObject*)
    void PyUnicode_Append(PyObject**, PyObject*)
    PyObject* PyUnicode_Concat(PyObject*, PyObject*)
    Py_ssize_t LENGTH_OF "PyUnicode_GET_LENGTH"(PyObject*)
    PyObject* PyDict_New()
    int PyDict_SetItem(PyObject*, PyObject*, PyObject*)
    int PyDict_Contains(PyObject*, PyObject*)
    Py_ssize_t PyDict_Size(PyObject*)
    double Py_HUGE_VAL

    int PyErr_CheckSignals()
    int PyGC_Disable()
    int PyGC_Enable()
    int PyUnicode_CheckExact(PyObject*)
    Py_ssize_t PyUnicode_FindChar(PyObject*, Py_UCS4, Py_ssize_t, Py_ssize_t, int)
    PyObject* PyUnicode_Substring(PyObject*, Py_ssize_t, Py_ssize_t)
    int PyList_CheckExact(PyObject*)
    PyObject* PyObject_Vectorcall(PyObject*, PyObject* const*, size_t, PyObject*)
    ctypedef PyObject* (*PyCFunction)(PyObject*, PyObject*)
    ctypedef struct PyMethodDef:
        const char* ml_name
        PyCFunction ml_meth
        int ml_flags
        const char* ml_doc
    int METH_FASTCALL, METH_KEYWORDS
    object PyCFunction_NewEx(PyMethodDef*, PyObject*, object)
    const bint COLLECTOR_IS_EAGER "(PY_VERSION_HEX < 0x030C0000)"

cdef extern from "_leaves.h" nogil:
    const Py_ssize_t UNITS_PER_CHECK "JSCAN_UNITS_PER_CHECK"
    const Py_ssize_t MANY_VALUES "JSCAN_MANY_VALUES"
    ctypedef struct jscan_word:
        uint64_t low, high
    const uint8_t* jscan_run1(const uint8_t*, const uint8_t*, uint32_t*)
    const uint16_t* jscan_run2(const uint16_t*, const uint16_t*, uint32_t*)
    const uint32_t* jscan_run4(const uint32_t*, const uint32_t*, uint32_t*)
    const uint8_t* jscan_space1(const uint8_t*, const uint8_t*, int*)
    const uint16_t* jscan_space2(const uint16_t*, const uint16_t*, int*)
    const uint32_t* jscan_space4(const uint32_t*, const uint32_t*, int*)
    const uint8_t* jscan_mark1(const uint8_t*, const uint8_t*)
    const uint16_t* jscan_mark2(const uint16_t*, const uint16_t*)
    const uint32_t* jscan_mark4(const uint32_t*, const uint32_t*)
    void jscan_copy(char*, const char*, size_t)
    void jscan_clear(void*, int, size_t)
    int jscan_set_item(PyObject*, PyObject*, PyObject*)
    int jscan_key1(const uint8_t*, const uint8_t*, jscan_word*)
    int jscan_key2(const uint16_t*, const uint16_t*, jscan_word*)
    int jscan_key4(const uint32_t*, const uint32_t*, jscan_word*)
    int jscan_same_key1(const uint8_t*, const uint8_t*, const jscan_word*, int)
    int jscan_same_key2(const uint16_t*, const uint16_t*, const jscan_word*, int)
    int jscan_same_key4(const uint32_t*, const uint32_t*, const jscan_word*, int)
    uint32_t jscan_hash(jscan_word)
    int JSCAN_LEAST_POWER, JSCAN_MOST_POWER
    void jscan_set_power(int, uint64_t, uint64_t)
    int jscan_double(uint64_t, int64_t, double*)

ctypedef fused unit:
    uint8_t
    uint16_t
    uint32_t

ctypedef signed char Build
ctypedef short Walk

ctypedef fused sink:
    Build
    Walk

cdef enum Phase:
    VALUE, FIRST_VALUE, KEY, FIRST_KEY, COLON, NEXT, END

cdef enum Stop:
    DONE, FAULT, STARVED
    FAILED  # a Python exception is set, or (in a Walk) memory ran out
    PAUSED  # `pause_at` is reached

cdef enum Fault:
    UNEXPECTED, CONTROL, ESCAPE, NUMBER, LITERAL, DEPTH, DIGITS, DUPLICATE

cdef tuple PHASES = ("value", "first-value", "key", "first-key", "colon", "next", "end")
cdef tuple STOPS = ("done", "fault", "starved")
cdef tuple FAULTS = ("unexpected", "control", "escape", "number", "literal", "depth", "digits", "duplicate-key")
cdef tuple BIG_INTS = ("exact", "float", "str")
cdef tuple DUPLICATES = ("last", "first", "raise")
cdef enum:
    BIG_EXACT, BIG_FLOAT, BIG_STR
cdef enum:
    LAST, FIRST, RAISE

cdef enum:
    EXACT_DIGITS = 4300  # CPython's default bound for int(); a longer integer token is the infinity JavaScript gives
    RECORDED = 50  # objects `walk` reports: the originals never try more braces
    LONG_WALK = 32768  # units from which other threads may run during a walk
    INLINE_VALUES = 96
    INLINE_FRAMES = 24
    SHORT = 32  # more than any token but a number can be and not be known yet
    GROWN_IN_PLACE = 256  # characters of a string shown: a shorter one is copied sooner than taken out of its container

cdef int64_t TEN_TO_18 = 1000000000000000000LL
cdef double SAFE_INTEGER = 9007199254740991.0  # 2^53 - 1

ctypedef struct Frame:
    Py_ssize_t start  # offset of the bracket that opened the container, plus `base`
    Py_ssize_t first  # where its members begin in `values`
    PyObject* items  # the list or dict, once a snapshot has shown it; else NULL
    PyObject* key  # the key read last, where `items` is set
    bint is_object
    bint dropped  # duplicates="first", and `key` was there already

ctypedef struct Span:
    Py_ssize_t start, end

ctypedef struct State:
    const void* text
    Py_ssize_t length, base
    Py_ssize_t pos, token, last  # last: offset of the scalar or key read last if at most a comma was read since, else -1
    Phase phase
    Stop stop  # why a leaf gave up
    Fault fault
    bint in_string
    bint busy  # a signal handler is running in the middle of a read
    bint controls  # raw control characters stand in strings
    bint plain  # mend what has a plain edit
    Py_ssize_t edits  # how often that was done
    Py_ssize_t guesses  # how many of them not even `safe` allows; -1: none may be
    bint shown  # the string being read stands in its array as far as it was decoded
    int kind
    int big_int, duplicates
    int name  # the memo's slot of the name read last
    Py_ssize_t max_depth, max_digits
    Py_ssize_t repeats
    PyObject* source  # the str that `text` points into, borrowed
    PyObject* root
    PyObject* parts  # list of the decoded pieces of the string being read, or NULL
    PyObject** values
    Py_ssize_t filled, room
    Frame* frames
    Py_ssize_t depth, frame_room
    Span* spans  # where a Walk records up to RECORDED objects, or NULL
    Py_ssize_t recorded
    PyObject* inline_values[INLINE_VALUES]
    Frame inline_frames[INLINE_FRAMES]

cdef enum:
    SLOTS = 512  # bounds the memo: 512 names of at most 16 characters

ctypedef struct Slot:
    jscan_word word
    int length
    int follower  # the slot of the name that was read after this one
    PyObject* key

cdef Slot[SLOTS] memo  # names seen lately; held and changed under the GIL only
cdef uint64_t looked_at = 0


def steps():
    return looked_at


def count(Py_ssize_t n):
    global looked_at
    looked_at += n


# -- the state and its stacks

cdef inline void begin(State* st, object text, Py_ssize_t pos) noexcept:
    jscan_clear(st, 0, <size_t>(<char*>&st.inline_values[0] - <char*>st))
    st.values = &st.inline_values[0]
    st.room = INLINE_VALUES
    st.frames = &st.inline_frames[0]
    st.frame_room = INLINE_FRAMES
    st.last = -1
    st.pos = st.token = pos
    aim(st, text)


cdef inline void aim(State* st, object text) noexcept:
    st.source = <PyObject*>text
    st.text = PyUnicode_DATA(text)
    st.length = PyUnicode_GET_LENGTH(text)
    st.kind = PyUnicode_KIND(text)


cdef void end_read(State* st) noexcept nogil:
    """Let go of all that was not handed out."""
    cdef Py_ssize_t at
    for at in range(st.filled):
        Py_DECREF(st.values[at])
    st.filled = 0
    for at in range(st.depth):
        Py_XDECREF(st.frames[at].items)
        Py_XDECREF(st.frames[at].key)
    st.depth = 0
    Py_CLEAR(st.root)
    Py_CLEAR(st.parts)
    free_stacks(st)


cdef inline void free_stacks(State* st) noexcept nogil:
    if st.values != &st.inline_values[0]:
        PyMem_RawFree(st.values)
        st.values = &st.inline_values[0]
    if st.frames != &st.inline_frames[0]:
        PyMem_RawFree(st.frames)
        st.frames = &st.inline_frames[0]


cdef void* grown(void* block, void* inline_block, Py_ssize_t* room, size_t size) noexcept nogil:
    """The block with half as much room again; NULL, the block unharmed, if there is none."""
    cdef Py_ssize_t more = room[0] + (room[0] >> 1)
    cdef void* bigger
    if block == inline_block:
        bigger = PyMem_RawMalloc(more * size)
        if bigger != NULL:
            memcpy(bigger, block, room[0] * size)
    else:
        bigger = PyMem_RawRealloc(block, more * size)
    if bigger != NULL:
        room[0] = more
    return bigger


cdef inline int push(State* st, PyObject* value) noexcept nogil:
    """Put a value on the stack; it is the stack's from here on. 0, or -1 with an exception set."""
    cdef void* bigger
    if st.filled == st.room:
        bigger = grown(st.values, &st.inline_values[0], &st.room, sizeof(PyObject*))
        if bigger == NULL:
            Py_DECREF(value)
            PyErr_NoMemory()
            return -1
        st.values = <PyObject**>bigger
    st.values[st.filled] = value
    st.filled += 1
    return 0


cdef inline Frame* push_frame(State* st, Py_ssize_t start, bint is_object) noexcept nogil:
    cdef void* bigger
    if st.depth == st.frame_room:
        bigger = grown(st.frames, &st.inline_frames[0], &st.frame_room, sizeof(Frame))
        if bigger == NULL:
            return NULL
        st.frames = <Frame*>bigger
    cdef Frame* frame = &st.frames[st.depth]
    st.depth += 1
    frame.start = start
    frame.first = st.filled
    frame.items = NULL
    frame.key = NULL
    frame.is_object = is_object
    frame.dropped = False
    return frame


# -- placing what was read

cdef inline int place(State* st, PyObject* value) noexcept nogil:
    """Let `value`, which this takes over, stand where a value is due."""
    if st.depth == 0:
        st.root = value
        st.phase = END
        return 0
    st.phase = NEXT
    if st.frames[st.depth - 1].items != NULL:
        return store(st, &st.frames[st.depth - 1], value)
    return push(st, value)


cdef int store(State* st, Frame* frame, PyObject* value) noexcept nogil:
    """Put `value`, which this takes over, into the container of a frame that has one."""
    cdef int failed = 0
    cdef Py_ssize_t members
    if frame.is_object:
        if not frame.dropped:
            members = PyDict_Size(frame.items)
            failed = PyDict_SetItem(frame.items, frame.key, value)
            st.repeats += not st.shown and PyDict_Size(frame.items) == members
    elif st.shown and PyList_GET_SIZE(frame.items):
        Py_INCREF(value)
        failed = PyList_SetItem(frame.items, PyList_GET_SIZE(frame.items) - 1, value)
    else:
        failed = PyList_Append(frame.items, value)
    st.shown = False
    Py_DECREF(value)
    return failed


cdef inline int place_key(State* st, PyObject* key) noexcept nogil:
    """Let `key`, which this takes over, stand where a key is due. 1: it is a duplicate and refused."""
    cdef Frame* frame = &st.frames[st.depth - 1]
    cdef int refused = push(st, key) if frame.items == NULL else store_key(st, frame, key)
    if refused == 0:
        st.phase = COLON
    return refused


cdef int store_key(State* st, Frame* frame, PyObject* key) noexcept nogil:
    cdef int there = 0
    if st.duplicates != LAST:
        there = PyDict_Contains(frame.items, key)
    if there < 0 or (there and st.duplicates == RAISE):
        Py_DECREF(key)
        return there
    frame.dropped = there
    Py_XDECREF(frame.key)
    frame.key = key
    return 0


cdef inline PyObject* dict_of(PyObject** members, Py_ssize_t number) noexcept nogil:
    """A dict of `number` keys and values, which this takes over; NULL, all of them let go, if there is no memory."""
    cdef PyObject* made = PyDict_New()
    cdef Py_ssize_t at
    for at in range(0, number, 2):
        if made != NULL and jscan_set_item(made, members[at], members[at + 1]) < 0:
            Py_CLEAR(made)
        Py_DECREF(members[at])
        Py_DECREF(members[at + 1])
    return made


cdef inline PyObject* list_of(PyObject** members, Py_ssize_t number) noexcept nogil:
    """A list of `number` items, which this takes over if there is memory for it."""
    cdef PyObject* made = PyList_New(number)
    if made != NULL and number:
        jscan_copy(<char*>ITEMS_OF(made), <const char*>members, number * sizeof(PyObject*))
    return made


cdef inline int close(State* st) noexcept nogil:
    """Finish the innermost container."""
    cdef Frame* frame = &st.frames[st.depth - 1]
    cdef PyObject** members = st.values + frame.first
    cdef Py_ssize_t number = st.filled - frame.first
    cdef PyObject* made
    st.shown = False
    if frame.items != NULL:  # it stands in its parent already
        Py_XDECREF(frame.key)
        Py_DECREF(frame.items)
        st.depth -= 1
        st.phase = NEXT if st.depth else END
        return 0
    if frame.is_object:
        st.filled -= number
        made = dict_of(members, number)
        if made == NULL:
            return -1
    else:
        made = list_of(members, number)
        if made == NULL:
            return -1
        st.filled -= number
    st.depth -= 1
    return place(st, made)


cdef int open_items(State* st, Frame* frame, Frame* parent) noexcept nogil:
    """Give a frame its list or dict, with what was read so far, and place that in its parent."""
    cdef PyObject* made = PyDict_New() if frame.is_object else PyList_New(0)
    if made == NULL:
        return -1
    Py_INCREF(made)
    frame.items = made
    if parent == NULL:
        st.root = made
        return 0
    if store(st, parent, made) < 0:
        return -1
    return 0


cdef int show(State* st) noexcept nogil:
    """Give every open container its list or dict, with all members that are finished."""
    cdef Py_ssize_t depth, at, last, repeats, outermost = st.depth
    cdef Frame* frame
    cdef PyObject** members = st.values
    while outermost > 0 and st.frames[outermost - 1].items == NULL:
        outermost -= 1
    for depth in range(outermost, st.depth):
        frame = &st.frames[depth]
        last = st.frames[depth + 1].first if depth + 1 < st.depth else st.filled
        repeats = st.repeats
        if open_items(st, frame, &st.frames[depth - 1] if depth else NULL) < 0:
            return -1
        if depth > outermost:  # its parent was not shown before
            st.repeats = repeats
        if frame.is_object:
            for at in range(frame.first, last - 1, 2):
                Py_XDECREF(frame.key)
                frame.key = members[at]
                Py_INCREF(frame.key)
                if PyDict_SetItem(frame.items, members[at], members[at + 1]) < 0:
                    return -1
            if (last - frame.first) & 1:
                Py_XDECREF(frame.key)
                frame.key = members[last - 1]
                Py_INCREF(frame.key)
        else:
            for at in range(frame.first, last):
                if PyList_Append(frame.items, members[at]) < 0:
                    return -1
    for at in range(st.filled):
        Py_DECREF(members[at])
    st.filled = 0
    for depth in range(outermost, st.depth):
        st.frames[depth].first = 0
    return 0


cdef inline bint stands(Frame* frame, PyObject* value) noexcept nogil:
    """Whether this is the member read last. Whoever was shown the container may have emptied it."""
    cdef Py_ssize_t number
    if frame.is_object:
        return PyDict_GetItem(frame.items, frame.key) == value
    number = PyList_GET_SIZE(frame.items)
    return number > 0 and PyList_GET_ITEM(frame.items, number - 1) == value


cdef int show_string(State* st) noexcept nogil:
    """Let the string being read stand in its container as far as it was decoded. A long one grows where it is, if nobody else holds it:
    so what was shown is let go first."""
    cdef PyObject* whole = PyList_GET_ITEM(st.parts, 0)
    cdef Py_ssize_t at, number = PyList_GET_SIZE(st.parts)
    cdef Frame* frame = &st.frames[st.depth - 1]
    if number == 1 and (st.depth == 0 or (st.shown and stands(frame, whole))):
        return 0
    Py_INCREF(whole)
    if number > 1:
        if st.shown and LENGTH_OF(whole) >= GROWN_IN_PLACE:
            Py_INCREF(Py_None)
            if store(st, frame, Py_None) < 0:
                Py_DECREF(whole)
                return -1
            st.shown = True
        Py_INCREF(Py_None)
        PyList_SetItem(st.parts, 0, Py_None)
        for at in range(1, number):
            if whole != NULL:
                PyUnicode_Append(&whole, PyList_GET_ITEM(st.parts, at))
        if whole == NULL:
            return -1
        Py_INCREF(whole)
        PyList_SetItem(st.parts, 0, whole)
        if PyList_SetSlice(st.parts, 1, number, NULL) < 0:
            Py_DECREF(whole)
            return -1
    if st.depth == 0:
        Py_DECREF(whole)
        return 0
    at = store(st, frame, whole)
    st.shown = True
    return at


# -- leaves. Each takes a pointer and gives the pointer behind what it read, or NULL after setting `pos` and the reason.

ctypedef struct Run:
    Py_ssize_t length  # of the decoded string
    uint32_t seen  # bits of its code points
    bint escaped


cdef inline const unit* run_of(const unit* p, const unit* end, uint32_t* seen) noexcept nogil:
    if unit is uint8_t:
        return jscan_run1(p, end, seen)
    elif unit is uint16_t:
        return jscan_run2(p, end, seen)
    else:
        return jscan_run4(p, end, seen)


cdef inline const unit* skip_indent(const unit* p, const unit* end, int* width) noexcept nogil:
    if unit is uint8_t:
        return jscan_space1(p, end, width)
    elif unit is uint16_t:
        return jscan_space2(p, end, width)
    else:
        return jscan_space4(p, end, width)


cdef inline const unit* skip_space(const unit* p, const unit* end) noexcept nogil:
    cdef int width = 0
    return skip_indent(p, end, &width)


cdef inline int hex_digit(uint32_t c) noexcept nogil:
    if c - c'0' < 10:
        return c - c'0'
    c |= 0x20
    return <int>c - c'a' + 10 if c'a' <= c <= c'f' else -1


cdef int hex4(const unit* p, const unit* end) noexcept nogil:
    """The number written by four hex digits; -1: not so; -2: the text ends before that is known."""
    cdef int at, digit, number = 0
    for at in range(4):
        if p + at >= end:
            return -2
        digit = hex_digit(p[at])
        if digit < 0:
            return -1
        number = number << 4 | digit
    return number


cdef int escape(const unit* p, const unit* end, uint32_t* decoded) noexcept nogil:
    """Units taken by the escape whose backslash is at p; 0: the text ends before that is known; -1: there is no such escape."""
    cdef int number, low
    cdef const unit* q = p + 6
    if p + 1 >= end:
        return 0
    if p[1] == c'u':
        number = hex4(p + 2, end)
        if number < 0:
            return 0 if number == -2 else -1
        decoded[0] = number
        if number & 0xfc00 != 0xd800:
            return 6
        if q >= end:
            return 0
        if unit is not uint8_t:
            if q[0] & <uint32_t>0xfffffc00 == 0xdc00:
                decoded[0] = 0x10000 + ((number - 0xd800) << 10) + (q[0] - 0xdc00)
                return 7
        if q[0] != c'\\':
            return 6
        if q + 1 >= end:
            return 0
        if q[1] != c'u':
            return 6
        low = trail(q + 2, end)
        if low == -2:
            return 0
        if low < 0:
            return 6
        decoded[0] = 0x10000 + ((number - 0xd800) << 10) + (low - 0xdc00)
        return 12
    if p[1] == c'n':
        decoded[0] = c'\n'
    elif p[1] == c't':
        decoded[0] = c'\t'
    elif p[1] == c'r':
        decoded[0] = c'\r'
    elif p[1] == c'b':
        decoded[0] = c'\b'
    elif p[1] == c'f':
        decoded[0] = c'\f'
    elif p[1] == c'"' or p[1] == c'\\' or p[1] == c'/':
        decoded[0] = p[1]
    else:
        return -1
    return 2


cdef int trail(const unit* p, const unit* end) noexcept nogil:
    """The trail surrogate written by four hex digits; -1: it is none; -2: the text ends before that is known."""
    cdef int number = hex4(p, end)
    if number == -2:  # a trail can only go on from d, then c to f
        if p < end and p[0] | 0x20 != c'd':
            return -1
        if p + 1 < end and not (hex_digit(p[1]) >= 12):
            return -1
        return -2
    return number if number & 0xfc00 == 0xdc00 else -1


cdef inline bint ends_in_lead(const unit* p, const unit* q) noexcept nogil:
    """Whether the raw text from p to q ends in a lead surrogate."""
    if unit is uint8_t:
        return False
    else:
        return q > p and q[-1] & <uint32_t>0xfffffc00 == 0xd800


cdef inline bint join_raw_lead(const unit* p, const unit* q, uint32_t* decoded) noexcept nogil:
    """Whether an escape behind the raw text from p to q made one character with the last unit of that: then `decoded` is it."""
    if decoded[0] & <uint32_t>0xfffffc00 != 0xdc00 or not ends_in_lead(p, q):
        return False
    decoded[0] += 0x10000 - 0xdc00 + ((<uint32_t>q[-1] - 0xd800) << 10)
    return True


cdef inline const unit* scan_string(State* st, const unit* text, const unit* p, Run* run, sink mode) noexcept nogil:
    """From inside a string to its closing quote."""
    cdef const unit* end = text + st.length
    cdef const unit* pause = within(p, end)
    cdef const unit* q
    cdef uint32_t decoded, seen
    cdef int taken
    cdef Py_ssize_t at
    while True:
        seen = run.seen
        q = run_of(p, pause, &run.seen)
        if q >= pause and q < end:
            q -= ends_in_lead(p, q)  # its trail may be an escape
            run.length += q - p
            p = q
            pause = within(p, end)
            if sink is Build:
                if listen(st) < 0:
                    return NULL
                continue
            else:
                st.pos = p - text
                st.in_string = True
                st.stop = PAUSED
                return NULL
        run.length += q - p
        if q[0] == c'"':
            return q
        if q[0] == c'\\':
            taken = escape(q, end, &decoded)
            if taken > 0:
                run.escaped = True
                run.length += 1 - join_raw_lead(p, q, &decoded)
                run.seen |= decoded
                p = q + taken
                continue
            if taken < 0:
                st.fault = ESCAPE
        elif q >= end:
            taken = 0
        elif st.controls:
            run.escaped = True
            run.length += 1
            p = q + 1
            continue
        else:
            taken = -1
            st.fault = CONTROL
        if taken == 0 and ends_in_lead(p, q) and (q + 1 >= end or q[1] == c'u' and trail(q + 2, end) == -2):
            q -= 1  # the lead's trail may follow
            run.length -= 1
            run.seen = seen  # without the lead, or the str would be wider than what it holds
            for at in range(q - p):
                run.seen |= p[at]
        st.pos = q - text
        st.in_string = taken == 0
        st.stop = STARVED if taken == 0 else FAULT
        return NULL


cdef inline const unit* within(const unit* p, const unit* end) noexcept nogil:
    """As far from p as is read before signals are looked for."""
    return p + UNITS_PER_CHECK if end - p > UNITS_PER_CHECK else end


cdef int listen(State* st) noexcept nogil:
    """Let signal handlers run in the middle of a read, with the GIL held: they can look at what was read, but not change it."""
    st.busy = True
    cdef int failed = PyErr_CheckSignals()
    st.busy = False
    if failed < 0:
        st.stop = FAILED
    return failed


cdef PyObject* slice_of(const unit* p, Py_ssize_t length, uint32_t seen) noexcept nogil:
    """A str of these units."""
    cdef PyObject* made
    if length <= 1:
        return PyUnicode_FromKindAndData(sizeof(unit), p, length)
    made = PyUnicode_New(length, top(seen))
    if made == NULL:
        return NULL
    copy_units(p, length, DATA_OF(made), KIND_OF(made))
    return made


cdef inline Py_UCS4 top(uint32_t seen) noexcept nogil:
    return 0x7f if seen <= 0x7f else 0xff if seen <= 0xff else 0xffff if seen <= 0xffff else 0x10ffff


cdef inline void copy_units(const unit* p, Py_ssize_t length, void* into, int kind) noexcept nogil:
    """The units as those of a str of this kind, wide enough for them."""
    cdef Py_ssize_t at
    if kind == sizeof(unit):
        jscan_copy(<char*>into, <const char*>p, length * sizeof(unit))
    else:
        for at in range(length):
            put_unit(into, kind, at, p[at])


cdef PyObject* decoded_string(State* st, const unit* p, const unit* q, const unit* end, Run* run) noexcept nogil:
    """A str of the string text from p to q, found valid when it was scanned; `end` is the text's, which escapes look ahead to."""
    cdef uint32_t seen = 0, decoded
    cdef PyObject* made
    cdef PyObject* only
    cdef void* into
    cdef int kind
    cdef Py_ssize_t at = 0, length
    cdef const unit* stop
    cdef const unit* pause = within(p, q)
    cdef bint is_pause
    if not run.escaped and pause == q:
        return slice_of(p, q - p, run.seen)
    made = PyUnicode_New(run.length, top(run.seen))
    if made == NULL:
        return NULL
    kind = KIND_OF(made)
    into = DATA_OF(made)
    while p < q:
        stop = run_of(p, pause, &seen)
        is_pause = stop >= pause and stop < q
        if is_pause:
            stop -= ends_in_lead(p, stop)
        copy_units(p, stop - p, <char*>into + at * kind, kind)
        at += stop - p
        if is_pause:
            pause = within(stop, q)
            if listen(st) < 0:
                Py_DECREF(made)
                return NULL
        elif stop < q and stop[0] != c'\\':  # a control character
            put_unit(into, kind, at, stop[0])
            at += 1
            stop += 1
        elif stop < q:
            length = escape(stop, end, &decoded)
            at -= join_raw_lead(p, stop, &decoded)
            put_unit(into, kind, at, decoded)
            at += 1
            stop += length
        p = stop
    if run.length == 1:  # CPython keeps one object for each of the first 256
        only = PyUnicode_FromKindAndData(kind, into, 1)
        Py_DECREF(made)
        return only
    return made


cdef inline void put_unit(void* into, int kind, Py_ssize_t at, uint32_t c) noexcept nogil:
    if kind == 1:
        (<uint8_t*>into)[at] = <uint8_t>c
    elif kind == 2:
        (<uint16_t*>into)[at] = <uint16_t>c
    else:
        (<uint32_t*>into)[at] = c


cdef inline const unit* read_string(State* st, const unit* text, const unit* p, PyObject** made) noexcept nogil:
    """From inside a string to behind its closing quote."""
    cdef uint32_t seen = 0
    cdef const unit* q = run_of(p, within(p, text + st.length), &seen)
    if q[0] != c'"' or st.parts != NULL:
        return read_broken_run(st, text, p, made)
    made[0] = slice_of(p, q - p, seen)
    st.stop = FAILED
    return q + 1 if made[0] != NULL else NULL


cdef const unit* read_broken_run(State* st, const unit* text, const unit* p, PyObject** made) noexcept nogil:
    """`read_string` where there is an escape, the text's end, a fault, or part of the string has been read before."""
    cdef Build mode = 0
    cdef Run run
    run.length = 0
    run.seen = 0
    run.escaped = False
    cdef const unit* q = scan_string(st, text, p, &run, mode)
    cdef const unit* stop = q if q != NULL else text + st.pos
    if q == NULL and st.stop == FAILED:
        left_in_string(st, p - text)
        return NULL
    if q == NULL and not st.in_string:
        Py_CLEAR(st.parts)
        return NULL
    if p == text and stop == text + st.length and not run.escaped:  # all of a chunk
        made[0] = st.source
        Py_INCREF(made[0])
    else:
        made[0] = decoded_string(st, p, stop, text + st.length, &run)
        if made[0] == NULL:
            left_in_string(st, p - text)
            return NULL
    if q != NULL and st.parts == NULL:
        return q + 1
    if keep_part(st, made) < 0 or (q != NULL and join_parts(st, made) < 0):
        st.stop = FAILED
        return NULL
    return q + 1 if q != NULL else NULL


cdef void left_in_string(State* st, Py_ssize_t pos) noexcept nogil:
    """An exception ended the read inside a string. Reading can go on: at its quote, or at `pos` if it began in an earlier piece."""
    st.in_string = st.parts != NULL
    st.pos = pos - (not st.in_string)
    st.stop = FAILED


cdef int keep_part(State* st, PyObject** part) noexcept nogil:
    """Move a decoded piece to `parts`."""
    cdef int failed = 0
    if st.parts == NULL:
        st.parts = PyList_New(0)
        failed = st.parts == NULL
    elif LENGTH_OF(part[0]) == 0:
        Py_CLEAR(part[0])
        return 0
    if not failed:
        failed = PyList_Append(st.parts, part[0]) < 0
    Py_CLEAR(part[0])
    return -failed


cdef int join_parts(State* st, PyObject** made) noexcept nogil:
    """All pieces as one str; `parts` is left to the next string."""
    cdef PyObject* nothing
    if PyList_GET_SIZE(st.parts) == 2:
        made[0] = PyUnicode_Concat(PyList_GET_ITEM(st.parts, 0), PyList_GET_ITEM(st.parts, 1))
    else:
        nothing = PyUnicode_New(0, 0)
        if nothing != NULL:
            made[0] = PyUnicode_Join(nothing, st.parts)
            Py_DECREF(nothing)
    Py_CLEAR(st.parts)
    return 0 if made[0] != NULL else -1


cdef const unit* read_key(State* st, const unit* text, const unit* p, PyObject** made) noexcept nogil:
    """`read_string` for names: short ones come from the memo, where the name that followed the last one before is tried first."""
    cdef jscan_word word
    cdef int length, at = memo[st.name].follower
    cdef Slot* slot = &memo[at]
    if slot.key != NULL and st.parts == NULL and is_same_key(p, text + st.length, slot):
        st.name = at
        made[0] = slot.key
        Py_INCREF(made[0])
        return p + slot.length + 1
    length = short_key(p, text + st.length, &word)
    if length < 0 or st.parts != NULL:
        return read_string(st, text, p, made)
    at = jscan_hash(word) & (SLOTS - 1)
    memo[st.name].follower = at
    st.name = at
    slot = &memo[at]
    if slot.key == NULL or slot.word.low != word.low or slot.word.high != word.high or slot.length != length:
        made[0] = slice_of(p, length, 0)
        if made[0] == NULL:
            st.stop = FAILED
            return NULL
        Py_XDECREF(slot.key)
        slot.key = made[0]
        slot.word = word
        slot.length = length
    else:
        made[0] = slot.key
    Py_INCREF(made[0])
    return p + length + 1


cdef inline int short_key(const unit* p, const unit* end, jscan_word* word) noexcept nogil:
    if unit is uint8_t:
        return jscan_key1(p, end, word)
    elif unit is uint16_t:
        return jscan_key2(p, end, word)
    else:
        return jscan_key4(p, end, word)


cdef inline bint is_same_key(const unit* p, const unit* end, Slot* slot) noexcept nogil:
    if unit is uint8_t:
        return jscan_same_key1(p, end, &slot.word, slot.length)
    elif unit is uint16_t:
        return jscan_same_key2(p, end, &slot.word, slot.length)
    else:
        return jscan_same_key4(p, end, &slot.word, slot.length)


def clear_memo():
    """Forget the names that were kept for reuse (at most 512, of at most 16 characters each)."""
    cdef int at
    for at in range(SLOTS):
        Py_CLEAR(memo[at].key)


cdef const unit* read_number(State* st, const unit* text, const unit* p, sink mode, bint final, PyObject** made) noexcept nogil:
    cdef const unit* end = text + st.length
    cdef const unit* q = p
    cdef const unit* whole
    cdef uint64_t mantissa = 0
    cdef int64_t exponent = 0, written = 0
    cdef bint negative = q[0] == c'-', down = False, is_float = False
    cdef Py_ssize_t digits
    q += negative
    whole = q
    if q[0] == c'0':
        q += 1
        if is_digit(q[0]):
            return stop_token(st, text, p, q, NUMBER)
    else:
        q = digits_of(q, &mantissa)
        if q == whole:
            return stop_token(st, text, p, q, NUMBER)
    digits = q - whole
    if q[0] == c'.':
        is_float = True
        whole = q + 1
        q = digits_of(whole, &mantissa)
        if q == whole:
            return stop_token(st, text, p, q, NUMBER)
        exponent = whole - q
        digits += q - whole
    if q[0] | 0x20 == c'e':
        is_float = True
        q += 1
        if q[0] == c'-' or q[0] == c'+':
            down = q[0] == c'-'
            q += 1
        whole = q
        while is_digit(q[0]):
            if written < 100000:
                written = written * 10 + (q[0] - c'0')
            q += 1
        if q == whole:
            return stop_token(st, text, p, q, NUMBER)
        exponent += -written if down else written
    if q == end and not (final and st.depth == 0):
        return stop_token(st, text, p, q, NUMBER)
    if sink is Build:
        if is_float:
            made[0] = make_float(p, q, mantissa, digits, exponent, negative)
        else:
            if st.max_digits and digits > st.max_digits:
                st.pos, st.fault, st.stop = p - text, DIGITS, FAULT
                return NULL
            made[0] = make_integer(st, p, q, mantissa, digits, negative)
        if made[0] == NULL:
            st.stop = FAILED
            return NULL
    return q


cdef inline const unit* stop_token(State* st, const unit* text, const unit* p, const unit* q, Fault fault) noexcept nogil:
    """The token at p is none because of what stands at q, unless the text ends there."""
    st.stop = STARVED if q == text + st.length else FAULT
    st.pos = p - text if st.stop == STARVED else q - text
    st.fault = fault
    return NULL


cdef inline bint is_digit(uint32_t c) noexcept nogil:
    return c - c'0' < <uint32_t>10


cdef inline const unit* digits_of(const unit* p, uint64_t* number) noexcept nogil:
    """Behind the digits at p; `number` goes on with them, and wraps around: who uses it counts the digits."""
    while is_digit(p[0]):
        number[0] = number[0] * 10 + (p[0] - c'0')
        p += 1
    return p


cdef PyObject* make_float(const unit* p, const unit* q, uint64_t mantissa, Py_ssize_t digits, int64_t exponent,
                          bint negative) noexcept nogil:
    cdef double result
    cdef char short[64]
    cdef char* token = short
    cdef Py_ssize_t at, length = q - p
    if digits <= 19 and jscan_double(mantissa, exponent, &result):
        return PyFloat_FromDouble(-result if negative else result)
    if length >= <Py_ssize_t>sizeof(short):
        token = <char*>PyMem_RawMalloc(length + 1)
        if token == NULL:
            return PyErr_NoMemory()
    for at in range(length):
        token[at] = <char>p[at]
    token[length] = 0
    result = PyOS_string_to_double(token, NULL, NULL)
    if token != short:
        PyMem_RawFree(token)
    return NULL if result == -1.0 and PyErr_Occurred() != NULL else PyFloat_FromDouble(result)


cdef PyObject* make_integer(State* st, const unit* p, const unit* q, uint64_t mantissa, Py_ssize_t digits,
                            bint negative) noexcept nogil:
    if mantissa == 0 and digits == 1 and negative:
        return PyFloat_FromDouble(-0.0)
    if digits < 16:
        return PyLong_FromLongLong(-<int64_t>mantissa if negative else <int64_t>mantissa)
    if digits > (st.max_digits or EXACT_DIGITS):
        return PyFloat_FromDouble(-Py_HUGE_VAL if negative else Py_HUGE_VAL)
    if st.big_int != BIG_EXACT and (digits > 16 or mantissa > SAFE_INTEGER):
        return slice_of(p, q - p, 0) if st.big_int == BIG_STR else make_float(p, q, mantissa, digits, 0, negative)
    return big_integer(p + negative, q, negative)


cdef PyObject* big_integer(const unit* p, const unit* q, bint negative) noexcept nogil:
    """Limb by limb, 18 digits each: int() has a bound that its user may have moved."""
    cdef PyObject* number = PyLong_FromLongLong(0)
    cdef int64_t limb, scale
    while p < q and number != NULL:
        limb = 0
        scale = 1
        while p < q and scale < TEN_TO_18:
            limb = limb * 10 + (p[0] - c'0')
            scale *= 10
            p += 1
        number = combined(PyNumber_Multiply, number, PyLong_FromLongLong(scale))
        number = combined(PyNumber_Add, number, PyLong_FromLongLong(limb))
    return combined(PyNumber_Multiply, number, PyLong_FromLongLong(-1)) if negative else number


cdef PyObject* combined(PyObject* (*operation)(PyObject*, PyObject*) noexcept nogil, PyObject* a, PyObject* b) noexcept nogil:
    """The operation's result; both operands are given up."""
    cdef PyObject* result = NULL
    if a != NULL and b != NULL:
        result = operation(a, b)
    Py_XDECREF(a)
    Py_XDECREF(b)
    return result


cdef inline const unit* read_word(State* st, const unit* text, const unit* p, const char* word) noexcept nogil:
    """Behind the literal whose first letter is at p."""
    cdef const unit* q = p
    cdef int at = 0
    while word[at] and q[0] == <uint8_t>word[at]:
        q += 1
        at += 1
    if word[at] == 0:
        return q
    return stop_token(st, text, p, q, LITERAL)


include "_plain.pxi"


# -- the grammar

cdef inline int open_container(State* st, Py_ssize_t start, bint is_object, sink mode) noexcept nogil:
    cdef Frame* frame = push_frame(st, start + st.base, is_object)
    if frame == NULL:
        if sink is Build:
            PyErr_NoMemory()
        return -1
    st.phase = FIRST_KEY if is_object else FIRST_VALUE
    if sink is Build:
        if st.duplicates != LAST or st.shown:  # names are looked for as they are read; a part shown is replaced at once
            return open_items(st, frame, frame - 1 if st.depth > 1 else NULL)
    elif is_object:
        frame.first = st.recorded
        if st.recorded < RECORDED:
            st.spans[st.recorded].start = start
            st.spans[st.recorded].end = -1
            st.recorded += 1
    return 0


cdef inline int close_container(State* st, Py_ssize_t end, sink mode) noexcept nogil:
    cdef Frame* frame
    if sink is Build:
        return close(st)
    else:
        st.depth -= 1
        st.phase = NEXT if st.depth else END
        frame = &st.frames[st.depth]
        if frame.is_object and frame.first < RECORDED:
            st.spans[frame.first].end = end
        return 0


cdef inline int place_token(State* st, PyObject* made) noexcept nogil:
    """Let a scalar or name stand where one is due. 1: the name is a duplicate, and refused."""
    return place_key(st, made) if st.phase == KEY or st.phase == FIRST_KEY else place(st, made)


cdef inline int place_punct(State* st, uint32_t c, Py_ssize_t start, Py_ssize_t end, sink mode) noexcept nogil:
    """Let this one of `{[}],:` stand from start to end. 1: the phase does not allow it."""
    if st.phase == NEXT and c == c',':
        st.phase = KEY if st.frames[st.depth - 1].is_object else VALUE
    elif st.phase == COLON and c == c':':
        st.phase = VALUE
    elif st.phase <= FIRST_VALUE and (c == c'{' or c == c'['):
        return open_container(st, start, c == c'{', mode)
    elif (c == c'}' or c == c']') and (st.phase == NEXT or st.phase == FIRST_VALUE or st.phase == FIRST_KEY):
        return close_container(st, end, mode)
    else:
        return 1
    return 0


cdef inline bint is_wrong_closer(State* st, uint32_t c) noexcept nogil:
    return (c == c'}' or c == c']') and st.depth and st.frames[st.depth - 1].is_object != (c == c'}')


cdef int run(State* st, const unit* text, sink mode, bint final) noexcept nogil:
    cdef const unit* end = text + st.length
    cdef const unit* pause = text + st.pos + UNITS_PER_CHECK if st.length - st.pos > UNITS_PER_CHECK else end
    cdef const unit* p = text + st.pos
    cdef uint32_t c
    cdef int width = 0
    while p != NULL and st.phase != END:
        if st.in_string:
            st.in_string = False
            p -= 1  # where its quote was, or would have been
            c = c'"'
        else:
            p = skip_indent(p, pause, &width)
            st.token = p - text
            if p >= pause:
                st.pos = p - text
                return STARVED if p == end else PAUSED
            c = p[0]
        if KEY <= st.phase <= FIRST_KEY and c == c'"':
            p = take_name(st, text, p + 1, mode)
            if p == NULL or p[0] != c':':
                continue
            p = skip_space(p + 1, end)  # a value follows nearly always: without another turn
            st.phase = VALUE
            st.last = -1
            st.token = p - text
            c = p[0]
        p = take_scalar(st, text, p, c, mode, final) if st.phase <= FIRST_VALUE and starts_scalar(c) else take_punct(st, text, p, c, mode)
        if p != NULL and st.phase == NEXT and p[0] == c',':
            st.phase = KEY if st.frames[st.depth - 1].is_object else VALUE
            p += 1
    if p == NULL:
        return st.stop
    st.pos = p - text
    return DONE


cdef inline bint starts_scalar(uint32_t c) noexcept nogil:
    return c == c'"' or is_digit(c) or c == c'-' or c == c't' or c == c'f' or c == c'n'


# Tokens. Each is read and let stand, and gives the pointer behind it, or NULL after setting `pos`, `stop` and the reason.

cdef inline const unit* take_name(State* st, const unit* text, const unit* p, sink mode) noexcept nogil:
    """The name from inside its quotes on."""
    cdef const unit* q
    cdef PyObject* made = NULL
    cdef int refused
    if sink is Walk:
        q = walk_string(st, text, p)
    else:
        q = read_key(st, text, p, &made)
        if q == NULL:
            q = mended_string(st, text, &made)
    if q == NULL:
        return NULL
    if sink is Walk:
        st.phase = COLON
    else:
        refused = place_key(st, made)
        if refused:
            st.pos = st.token if st.token > 0 else 0  # `extend` may have dropped where the name began
            st.fault = DUPLICATE
            st.stop = FAULT if refused > 0 else FAILED
            return NULL
    st.last = st.token
    return q


cdef inline const unit* take_scalar(State* st, const unit* text, const unit* p, uint32_t c, sink mode, bint final) noexcept nogil:
    cdef const unit* q
    cdef PyObject* made = NULL
    if c == c'"':
        if sink is Walk:
            q = walk_string(st, text, p + 1)
        else:
            q = read_string(st, text, p + 1, &made)
            if q == NULL:
                q = mended_string(st, text, &made)
    elif is_digit(c) or c == c'-':
        q = read_number(st, text, p, mode, final, &made)
    else:
        q = read_word(st, text, p, b"true" if c == c't' else b"false" if c == c'f' else b"null")
        if sink is Build:
            made = Py_True if c == c't' else Py_False if c == c'f' else Py_None
            if q != NULL:
                Py_INCREF(made)
    if q == NULL:
        return NULL
    if sink is Build:
        if place(st, made) < 0:
            st.stop = FAILED
            return NULL
    else:
        st.phase = NEXT if st.depth else END
    st.last = st.token
    return q


cdef inline const unit* mended_string(State* st, const unit* text, PyObject** made) noexcept nogil:
    """Behind the string in which a raw control character is at fault, if that may be mended."""
    if not st.plain or st.stop != FAULT or st.fault != CONTROL:
        return NULL
    st.edits += 1
    return with_controls(st, text, made)


cdef inline const unit* take_punct(State* st, const unit* text, const unit* p, uint32_t c, sink mode) noexcept nogil:
    """The bracket, comma or colon at p; what is none of them is a fault."""
    cdef const unit* q
    cdef int refused
    cdef bint opens = st.phase <= FIRST_VALUE and (c == c'{' or c == c'[')
    if p == text + st.length:
        return p
    st.pos = p - text
    if opens and st.max_depth and st.depth >= st.max_depth:
        st.fault = DEPTH
        refused = 1
    elif sink is Build and opens and p[1] == c + 2:
        return take_empty(st, text, p, c == c'{')
    else:
        st.fault = UNEXPECTED
        refused = 1 if is_wrong_closer(st, c) else place_punct(st, c, p - text, p - text + 1, mode)
    if refused == 0:
        if c != c',':
            st.last = -1
        return p + 1
    st.stop = FAULT if refused > 0 else FAILED
    if sink is Build:
        if refused > 0 and st.plain and st.fault == UNEXPECTED:
            q = plain_edit(st, text, p, text + st.length)
            if q != NULL:
                st.edits += 1
            return q
    return NULL


cdef inline const unit* take_empty(State* st, const unit* text, const unit* p, bint is_object) noexcept nogil:
    """`{}` or `[]`, which need no frame."""
    cdef PyObject* made = PyDict_New() if is_object else PyList_New(0)
    if made == NULL or place(st, made) < 0:
        st.stop = FAILED
        return NULL
    st.token = p - text + 1
    st.last = -1
    return p + 2


cdef inline const unit* walk_string(State* st, const unit* text, const unit* p) noexcept nogil:
    cdef Walk mode = 0
    cdef Run run
    cdef const unit* q
    run.length = 0
    run.seen = 0
    q = scan_string(st, text, p, &run, mode)
    return q + 1 if q != NULL else NULL


cdef int build(State* st, bint final) noexcept:
    """Read on, with the GIL held. No Python code runs meanwhile but signal handlers, in `listen`: older collectors, which run when a
    container is made, are told to wait, since they could call anything, and would look through what grows here again and again."""
    cdef Py_ssize_t began = st.pos
    cdef int stop = PAUSED
    if is_lost(st):
        PyErr_NoMemory()
        return FAILED
    cdef bint collecting = COLLECTOR_IS_EAGER and PyGC_Disable()
    while stop == PAUSED:
        if st.kind == 1:
            stop = run[uint8_t, Build](st, <const uint8_t*>st.text, 0, final)
        elif st.kind == 2:
            stop = run[uint16_t, Build](st, <const uint16_t*>st.text, 0, final)
        else:
            stop = run[uint32_t, Build](st, <const uint32_t*>st.text, 0, final)
        if stop == PAUSED and listen(st) < 0:
            stop = FAILED
        elif stop == PAUSED and st.filled > MANY_VALUES and show(st) < 0:  # or what is due at their end would take long at one go
            stop = FAILED
    if collecting:
        PyGC_Enable()
    account(st, began)
    return stop


cdef inline void account(State* st, Py_ssize_t began) noexcept:
    global looked_at
    looked_at += st.pos - began + 1 if st.pos > began else 1


cdef int walk_over(State* st) noexcept:
    """Walk on, other threads running meanwhile if it takes long."""
    cdef Py_ssize_t began = st.pos
    cdef int stop = PAUSED
    while stop == PAUSED:
        if st.length - st.pos < LONG_WALK:
            stop = walk_part(st)
        else:
            with nogil:
                stop = walk_part(st)
        if stop == PAUSED and PyErr_CheckSignals() < 0:
            stop = FAILED
    if stop == FAILED and PyErr_Occurred() == NULL:
        PyErr_NoMemory()
    account(st, began)
    return stop


cdef int walk_part(State* st) noexcept nogil:
    if st.kind == 1:
        return run[uint8_t, Walk](st, <const uint8_t*>st.text, 0, True)
    if st.kind == 2:
        return run[uint16_t, Walk](st, <const uint16_t*>st.text, 0, True)
    return run[uint32_t, Walk](st, <const uint32_t*>st.text, 0, True)


# -- what Python sees

cdef int propagate() except -1:
    """Raise the exception that is set."""
    return -1


cdef inline int check_place(Py_ssize_t pos, Py_ssize_t length) except -1:
    if not 0 <= pos <= length:
        raise ValueError("pos lies outside the text")
    return 0


cdef inline bint is_lost(State* st) noexcept nogil:
    return st.phase == END and st.root == NULL


cdef class Machine:
    cdef State st
    cdef readonly str text

    def __cinit__(self, str text not None, Py_ssize_t pos=0, *, Py_ssize_t max_depth=0, Py_ssize_t max_digits=0,
                  str big_int="exact", str duplicates="last", bint controls=False):
        check_place(pos, len(text))
        self.text = text
        begin(&self.st, text, pos)
        self.st.max_depth = max_depth
        self.st.max_digits = max_digits
        self.st.big_int = BIG_INTS.index(big_int)
        self.st.duplicates = DUPLICATES.index(duplicates)
        self.st.controls = controls

    def __dealloc__(self):
        end_read(&self.st)

    @property
    def pos(self):
        return self.st.pos

    @property
    def base(self):
        return self.st.base

    @property
    def token(self):
        return self.st.token

    @property
    def phase(self):
        return PHASES[self.st.phase]

    @property
    def fault(self):
        return FAULTS[self.st.fault]

    @property
    def in_string(self):
        return self.st.in_string

    @property
    def value(self):
        if self.st.phase != END or self.st.root == NULL:
            raise IndexError("no value yet")
        return <object>self.st.root

    cdef int _check_idle(self) except -1:
        if self.st.busy:
            raise RuntimeError("this is reading already: a signal handler may look at it, but not go on")
        return 0

    cdef int _fail(self) except -1:
        """Raise the exception that is set. Where memory ran out what was read may be half in place: it is let go of, and nothing is read
        any more."""
        if PyErr_ExceptionMatches(<PyObject*>MemoryError):
            end_read(&self.st)
            self.st.in_string = False
            self.st.last = -1
            self.st.phase = END
        return -1

    def run(self, bint final=True):
        self._check_idle()
        cdef int stop = build(&self.st, final)
        if stop == FAILED:
            self._fail()
        return STOPS[stop]

    @property
    def kind(self):
        return "" if self.st.depth == 0 else "{" if self.st.frames[self.st.depth - 1].is_object else "["

    @property
    def depth(self):
        return self.st.depth

    def frames(self, Py_ssize_t most=0):
        cdef Py_ssize_t at, first = max(0, self.st.depth - most) if most else 0
        cdef list found = []
        for at in range(first, self.st.depth):  # Cython 3.3 gives up an item twice where a comprehension cannot append it
            found.append(("{" if self.st.frames[at].is_object else "[", self.st.frames[at].start))
        return found

    def path(self):
        cdef State* st = &self.st
        cdef Frame* frame
        cdef Py_ssize_t depth, last, count
        cdef bint innermost, attached
        cdef list places = []
        for depth in range(st.depth):
            frame = &st.frames[depth]
            innermost = depth + 1 == st.depth
            last = st.filled if innermost else st.frames[depth + 1].first
            if frame.is_object:
                if innermost and (st.phase == KEY or st.phase == FIRST_KEY):
                    continue
                if frame.items != NULL:
                    places.append(<object>frame.key)
                else:
                    places.append(<object>st.values[last - 1 - (innermost and st.phase == NEXT)])
            else:
                count = last - frame.first + (len(<object>frame.items) if frame.items != NULL else 0)
                attached = st.shown or st.phase > FIRST_VALUE if innermost else st.frames[depth + 1].items != NULL
                places.append(count - attached)
        return places

    def snapshot(self, default=None):
        cdef State* st = &self.st
        if is_lost(st):
            raise MemoryError
        if show(st) < 0:
            self._fail()
        if st.in_string and st.phase <= FIRST_VALUE:
            if show_string(st) < 0:
                self._fail()
            if st.depth == 0:
                return <object>PyList_GET_ITEM(st.parts, 0)
        return <object>st.root if st.root != NULL else default

    def goto(self, Py_ssize_t pos):
        self._leave_token(pos)

    def put(self, value, Py_ssize_t pos):
        cdef State* st = &self.st
        cdef int refused
        self._check_idle()
        if st.phase > FIRST_KEY:
            raise ValueError(f"no value may stand where the phase is {self.phase!r}")
        if st.phase >= KEY and type(value) is not str:
            raise ValueError("a key must be a str")
        check_place(pos, self.st.length)
        Py_INCREF(<PyObject*>value)
        refused = place_token(st, <PyObject*>value)
        if refused < 0:
            self._fail()
        if refused:
            raise KeyError(value)
        self._leave_token(pos)
        st.last = st.token

    def punct(self, str char not None, Py_ssize_t pos):
        cdef State* st = &self.st
        cdef Py_ssize_t start = st.pos
        cdef Py_UCS4 c = ord(char)
        cdef int refused
        self._check_idle()
        check_place(pos, self.st.length)
        if (c == c'}' or c == c']') and st.depth and st.phase == (KEY if st.frames[st.depth - 1].is_object else VALUE):
            st.phase = NEXT  # as if there had been no comma
        refused = place_punct[Build](st, c, start, pos, 0)
        if refused < 0:
            self._fail()
        if refused:
            raise ValueError(f"{char!r} may not stand where the phase is {self.phase!r}")
        self._leave_token(pos)
        st.token = start

    cdef _leave_token(self, Py_ssize_t pos):
        self._check_idle()
        check_place(pos, self.st.length)
        self.st.in_string = False
        Py_CLEAR(self.st.parts)
        self.st.pos = pos
        self.st.last = -1

    def retract(self):
        cdef State* st = &self.st
        cdef Frame* frame
        self._check_idle()
        if st.last < 0:
            raise ValueError("nothing to take back")
        st.pos = st.token = st.last
        st.last = -1
        if st.depth == 0:
            value = <object>st.root
            Py_CLEAR(st.root)
            st.phase = VALUE
            return value, st.pos
        frame = &st.frames[st.depth - 1]
        if frame.items == NULL:
            st.filled -= 1
            value = <object>st.values[st.filled]
            Py_DECREF(st.values[st.filled])
            st.phase = self._due(frame, st.filled - frame.first)
        elif st.phase == COLON:
            value = <object>frame.key
            Py_CLEAR(frame.key)
            st.phase = self._due(frame, 2 * len(<object>frame.items))
        elif frame.is_object:
            value = (<dict>frame.items)[<object>frame.key]
            st.phase = VALUE
        else:
            value = (<list>frame.items).pop()
            st.phase = self._due(frame, len(<object>frame.items))
        return value, st.pos

    cdef Phase _due(self, Frame* frame, Py_ssize_t before):
        """What is due in a container after so many values, or names and values."""
        if not frame.is_object:
            return VALUE if before else FIRST_VALUE
        return VALUE if before & 1 else KEY if before else FIRST_KEY

    def extend(self, str more not None):
        self._go_on(more)

    cdef inline _go_on(self, str more):
        cdef State* st = &self.st
        self._check_idle()
        self.text = more if st.pos == st.length else self.text[st.pos:] + more
        aim(st, self.text)
        st.base += st.pos
        st.token -= st.pos
        st.pos = 0
        st.last = -1

    def feed(self, str more not None):
        cdef State* st = &self.st
        self._go_on(more)
        cdef int stop = build(st, False)
        if stop == FAILED:
            self._fail()
        return "" if stop == STARVED and st.length - st.pos <= SHORT else STOPS[stop]

    @property
    def repeats(self):
        return self.st.repeats


def parse_at(str text not None, Py_ssize_t pos, Py_ssize_t max_depth=0, Py_ssize_t max_digits=0):
    cdef State st
    cdef int stop
    check_place(pos, len(text))
    begin(&st, text, pos)
    st.max_depth = max_depth
    st.max_digits = max_digits
    stop = build(&st, True)
    if stop == DONE:
        value = <object>st.root
        Py_CLEAR(st.root)
        free_stacks(&st)
        return value, st.pos
    end_read(&st)
    if stop == FAILED:
        propagate()
    return None


def read_plain(str text not None, Py_ssize_t pos, Py_ssize_t max_depth=0, Py_ssize_t max_digits=0, str big_int="exact",
               bint guess=False):
    cdef State st
    cdef int stop
    check_place(pos, len(text))
    begin(&st, text, pos)
    st.max_depth = max_depth
    st.max_digits = max_digits
    st.big_int = BIG_INTS.index(big_int)
    st.plain = True
    st.guesses = 0 if guess else -1
    stop = build(&st, True)
    if stop == DONE:
        value = <object>st.root
        Py_CLEAR(st.root)
        free_stacks(&st)
        return value, st.pos, st.edits, st.guesses <= 0
    end_read(&st)
    if stop == FAILED:
        propagate()
    return None


def scanned(str text not None, Py_ssize_t pos, Py_ssize_t max_depth=0):
    return None


def walk(str text not None, Py_ssize_t pos, dict known not None):
    cdef State st
    cdef Span[RECORDED] spans
    cdef Py_ssize_t at
    check_place(pos, len(text))
    begin(&st, text, pos)
    st.spans = &spans[0]
    stop = walk_over(&st)
    free_stacks(&st)
    if stop == FAILED:
        propagate()
    if stop == DONE:
        return st.pos
    for at in range(st.recorded):
        known[spans[at].start] = spans[at].end
    return -1


def mark(str text not None, Py_ssize_t pos):
    cdef State st
    cdef Py_ssize_t limit
    check_place(pos, len(text))
    aim(&st, text)
    while True:
        limit = min(st.length, pos + UNITS_PER_CHECK)
        if st.kind == 1:
            pos = mark_in(<const uint8_t*>st.text, pos, limit)
        elif st.kind == 2:
            pos = mark_in(<const uint16_t*>st.text, pos, limit)
        else:
            pos = mark_in(<const uint32_t*>st.text, pos, limit)
        if pos < limit or limit == st.length:
            return pos
        if PyErr_CheckSignals() < 0:
            propagate()


include "_entries.pxi"


cdef void fill_powers():
    """128-bit powers of five for `jscan_double`, the top bit set: truncated, but rounded up from -27 to -1, where they end."""
    cdef int exponent
    cdef object power = 1, word, one = 1, five = 5
    for exponent in range(1 - JSCAN_LEAST_POWER):
        if exponent <= JSCAN_MOST_POWER:
            word = (power << 128) >> power.bit_length()
            jscan_set_power(exponent, word >> 64, word & 0xFFFFFFFFFFFFFFFF)
        if exponent > 0:
            word = (one << (power.bit_length() + 127)) // power + (exponent <= 27)
            jscan_set_power(-exponent, word >> 64, word & 0xFFFFFFFFFFFFFFFF)
        power = power * five


fill_powers()
