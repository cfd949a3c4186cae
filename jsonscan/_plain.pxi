# The plain edits: what models damage most, mended without leaving the machine. Each is one that the policy of `mending.py` would make
# under `safe` at the same fault, and only where it needs no more than a look ahead to know; everything else is left to the policy, which
# then reads from the start. So a read with plain edits has the value that the policy comes to, and the policy can say later what was done.

cdef enum:
    LOOK = 64  # units looked ahead at most over space or a bare name
    LOOK_STRING = 128  # and over a string


cdef inline bint is_blank(uint32_t c) noexcept nogil:
    return c == c' ' or c == c'\n' or c == c'\t' or c == c'\r'


cdef inline bint starts_word(uint32_t c) noexcept nogil:
    return c'a' <= c <= c'z' or c'A' <= c <= c'Z' or c == c'_' or c == c'$'


cdef inline const unit* near(const unit* p, const unit* end) noexcept nogil:
    """Behind the space at p, or NULL if it is too long to look over."""
    cdef const unit* q = p
    while q < end and q - p <= LOOK and is_blank(q[0]):
        q += 1
    return q if q < end and q - p <= LOOK else NULL


cdef inline const unit* bare_key(const unit* p, const unit* end) noexcept nogil:
    """Behind a bare name before its colon, or NULL."""
    cdef const unit* q = p
    cdef const unit* colon
    if is_digit(p[0]):
        while is_digit(q[0]) and q - p <= 16:
            q += 1
        if q - p > 16:
            return NULL
    elif starts_word(p[0]):
        while (starts_word(q[0]) or is_digit(q[0]) or q[0] == c'-') and q - p <= LOOK:
            q += 1
    else:
        return NULL
    colon = q
    while (colon[0] == c' ' or colon[0] == c'\t') and colon - q <= LOOK:
        colon += 1
    return q if colon[0] == c':' and colon[1] != c'/' and q - p <= LOOK and colon - q <= LOOK else NULL


cdef inline const unit* quoted_ahead(const unit* p, const unit* end) noexcept nogil:
    """What stands behind the string that starts at p and the space behind it; NULL if that is more than a look away, or not plain."""
    cdef uint32_t quote = p[0]
    cdef const unit* q = p + 1
    while q < end and q - p <= LOOK_STRING and q[0] != quote:
        if q[0] == c'\\' or q[0] == c'\n' or q[0] == 0x201c or q[0] == 0x201d:
            return NULL
        q += 1
    return near(q + 1, end) if q < end and q[0] == quote else NULL


cdef const unit* skip_comment(State* st, const unit* text, const unit* p, const unit* end) noexcept nogil:
    cdef const unit* q = p + 2
    if st.phase == COLON:
        return NULL
    if p[0] == c'/' and p[1] == c'*':
        while q + 1 < end and not (q[0] == c'*' and q[1] == c'/'):
            q += 1
        return q + 2 if q + 1 < end else NULL
    if p[0] == c'#':
        if not (p > text and (is_blank(p[-1]) or p[-1] == c'{' or p[-1] == c'[' or p[-1] == c',')):
            return NULL
        if st.phase <= FIRST_VALUE and not (is_blank(p[1]) and p[1] != c'\r'):
            return NULL
        q = p + 1
    elif p[1] != c'/':
        return NULL
    while q < end and q[0] != c'\n':
        q += 1
    return q if q < end else NULL


cdef const unit* single_quoted(State* st, const unit* p, const unit* end, PyObject** made) noexcept nogil:
    """Behind the string that starts with the apostrophe at p, if its end is beyond doubt."""
    cdef const unit* q = p + 1
    cdef const unit* after
    cdef uint32_t seen = 0
    while q < end and q[0] != c"'":
        if q[0] == c'\\' or q[0] < 0x20:
            return NULL
        seen |= q[0]
        q += 1
    if q >= end:
        return NULL
    after = skip_space(q + 1, end)
    if after >= end or (after[0] != c':' if st.phase >= KEY else after[0] != c',' and after[0] != c'}' and after[0] != c']'):
        return NULL
    made[0] = slice_of(p + 1, q - p - 1, seen)
    return q + 1


cdef const unit* python_word(const unit* p, const unit* end, PyObject** made) noexcept nogil:
    cdef const unit* q = p
    cdef const unit* after
    cdef const char* word = b"True" if p[0] == c'T' else b"False" if p[0] == c'F' else b"None"
    cdef int at = 0
    while word[at] and q[0] == <uint8_t>word[at]:
        q += 1
        at += 1
    after = near(q, end)
    if word[at] or after == NULL or (after[0] != c',' and after[0] != c'}' and after[0] != c']'):
        return NULL
    made[0] = Py_True if word[0] == c'T' else Py_False if word[0] == c'F' else Py_None
    Py_INCREF(made[0])
    return q


cdef bint lacks_comma(State* st, const unit* text, const unit* p, const unit* end) noexcept nogil:
    """Whether what stands at p, apart from the value before, is plainly the next member or item."""
    cdef const unit* before = p - 1
    cdef const unit* after
    cdef uint32_t c = p[0]
    cdef bint behind_string
    if not is_blank(before[0]):
        return False
    while before > text and is_blank(before[0]) and p - before <= 4 * LOOK:
        before -= 1
    behind_string = before[0] == c'"' or before[0] == c"'"
    if is_blank(before[0]) or before[0] == c'/' or before[0] > 0x7f:
        return False
    if st.frames[st.depth - 1].is_object:
        if c == c'"' or c == c"'":
            after = quoted_ahead(p, end)
            return after != NULL and after[0] == c':'
        return not behind_string and bare_key(p, end) != NULL
    if c == c'"':
        after = quoted_ahead(p, end)
        return after != NULL and (after[0] == c',' or after[0] == c']' or after[0] == c'"')
    return (c == c'{' or c == c'[') and not behind_string


cdef inline bint is_letter_or_digit(uint32_t c) noexcept nogil:
    return is_digit(c) or c'a' <= c <= c'z' or c'A' <= c <= c'Z'


cdef inline bint opens_name(const unit* p, const unit* end) noexcept nogil:
    """Whether the quote at p could open a name with its colon."""
    cdef const unit* after = quoted_ahead(p, end)
    return after != NULL and after[0] == c':'


cdef int closes(const unit* p, const unit* end, bint is_member) noexcept nogil:
    """Whether the quote at p closes a string inside which quotes stand: 1, 0, or -1 where that must be weighed."""
    cdef const unit* after
    cdef uint32_t c = p[1]
    if is_letter_or_digit(c) or (c == c' ' and is_letter_or_digit(p[2])) or c == c'.' or c == c'!' or c == c'?' or c == c'-':
        return -1 if opens_name(p, end) else 0
    after = near(p + 1, end)
    if after == NULL:
        return -1
    if (after[0] == c'}' if is_member else after[0] == c']'):
        c = after[1]
        return 1 if is_blank(c) or c == c',' or c == c'}' or c == c']' else -1
    if after[0] != c',':
        return -1
    after = near(after + 1, end)
    if after == NULL:
        return -1
    if after[0] == c'"':
        after = quoted_ahead(after, end)
        return 1 if after != NULL and (after[0] == c':' if is_member else after[0] == c',' or after[0] == c']') else -1
    if not is_member and (is_digit(after[0]) or is_bracket(after[0])):
        return 1
    return 0 if starts_word(after[0]) and is_text(after, end, is_member) else -1


cdef bint is_text(const unit* p, const unit* end, bint is_member) noexcept nogil:
    """Whether the word at p, behind a comma, is plainly no name and no literal."""
    cdef const unit* q = p
    cdef const unit* after
    cdef uint32_t c = p[0] | 0x20
    if not is_member:
        return c != c't' and c != c'f' and c != c'n'
    while q < end and q - p < LOOK_STRING:
        c = q[0]
        if c == c'"' or c == c"'":
            after = near(q + 1, end)
            if after == NULL or after[0] == c':':
                return False
            if c == c"'":
                return True
            after = quoted_ahead(q, end)
            return after != NULL and after[0] != c':'
        if c == c':' or c == c'=' or c == c'\\':
            return False
        if c == c',' or c == c'\n' or c == c'(' or c == c')' or c == c'[' or c == c']' or c == c'{' or c == c'}':
            return True
        q += 1
    return False


cdef const unit* with_quotes(State* st, const unit* text, const unit* p, const unit* end) noexcept nogil:
    """Behind the string that started at st.last and did not end before p, with plain text and quotes in it; it takes the place of what was
    read of it."""
    cdef const unit* body = text + st.last + 1
    cdef const unit* q
    cdef Frame* frame = &st.frames[st.depth - 1]
    cdef PyObject* made
    cdef uint32_t seen = 0
    cdef int verdict, quotes = 0
    if st.last < 0 or body[-1] != c'"' or p - 1 <= body or p[-1] != c'"' or not is_letter_or_digit(p[0]) or frame.items != NULL:
        return NULL
    q = body
    while q < end:
        if q[0] == c'\\' or q[0] < 0x20 or (c'{' if frame.is_object else c'[') == q[0]:
            return NULL
        seen |= q[0]
        if q[0] == c'"':
            verdict = closes(q, end, frame.is_object)
            if verdict < 0 or (verdict and quotes & 1 and not frame.is_object):
                return NULL
            if verdict:
                break
            quotes += 1
        q += 1
    if q >= end:
        return NULL
    made = slice_of(body, q - body, seen)
    if made == NULL:
        st.stop = FAILED
        return NULL
    Py_DECREF(st.values[st.filled - 1])
    st.values[st.filled - 1] = made
    st.guesses += 1
    return q + 1


cdef const unit* plain_edit(State* st, const unit* text, const unit* p, const unit* end) noexcept nogil:
    """Mend the fault at p. Behind what was read for it; NULL if there is no plain edit, or (st.stop FAILED) no memory."""
    cdef uint32_t c = p[0]
    cdef const unit* q = NULL
    cdef PyObject* made = NULL
    st.stop = FAULT
    if st.depth == 0 or p == text:
        return NULL
    if c == c'/' or c == c'#':
        return skip_comment(st, text, p, end)
    if st.phase == NEXT:
        if st.guesses >= 0:
            q = with_quotes(st, text, p, end)
            if q != NULL or st.stop == FAILED:
                return q
        if not lacks_comma(st, text, p, end):
            return NULL
        st.phase = KEY if st.frames[st.depth - 1].is_object else VALUE
        return p
    if st.phase == COLON:
        return NULL
    if c == c']' or c == c'}':
        if is_wrong_closer(st, c) or (st.phase != KEY and (st.phase != VALUE or st.frames[st.depth - 1].is_object)):
            return NULL
        st.phase = NEXT
        if place_punct(st, c, p - text, p - text + 1, <Build>0):
            st.stop = FAILED
            return NULL
        return p + 1
    if c == c"'":
        q = single_quoted(st, p, end, &made)
    elif st.phase >= KEY:
        q = bare_key(p, end)
        if q != NULL:
            made = slice_of(p, q - p, 0)
    elif c == c'T' or c == c'F' or c == c'N':
        q = python_word(p, end, &made)
    if q == NULL:
        return NULL
    if made == NULL or place_token(st, made):
        st.stop = FAILED
        return NULL
    return q


cdef const unit* with_controls(State* st, const unit* text, PyObject** made) noexcept nogil:
    """Read the string at st.token once more, raw control characters and all; NULL if that is not all that is wrong with it."""
    cdef const unit* q
    st.stop = FAULT
    if st.depth == 0:
        return NULL
    st.controls = True
    q = read_string(st, text, text + st.token + 1, made)
    st.controls = False
    return q
