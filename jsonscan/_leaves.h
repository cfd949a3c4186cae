/* The leaves of the compiled machine: inner loops that want vector instructions, and the key memo's probe.
 *
 * Every function takes pointers into a text that runs from its first argument to `end`, and reads nothing at or behind `end` but the
 * one NUL that CPython keeps there. Vector loads happen only where 16 bytes are left. */
#ifndef JSONSCAN_LEAVES_H
#define JSONSCAN_LEAVES_H

#include <Python.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(_MSC_VER)
#include <intrin.h>
static __forceinline int jscan_ctz(uint32_t mask) { unsigned long at; _BitScanForward(&at, mask); return (int)at; }
#else
static inline int jscan_ctz(uint32_t mask) { return __builtin_ctz(mask); }
#endif

/* How much is done at one go, between looks for signals: some milliseconds each. Tests build with less. */
#ifndef JSCAN_UNITS_PER_CHECK
#define JSCAN_UNITS_PER_CHECK (1 << 22)
#endif
#ifndef JSCAN_MANY_VALUES
#define JSCAN_MANY_VALUES (1 << 18)
#endif

#define JSCAN_ENDS_RUN(c) ((c) == '"' || (c) == '\\' || (c) < 0x20)

/* The first quote, backslash or control character at or behind p, or `end`; `seen` collects the bits of all units before it, so that it
 * exceeds 0x7f, 0xff or 0xffff exactly when one of them does. */
static inline const uint8_t *jscan_run1(const uint8_t *p, const uint8_t *end, uint32_t *seen)
{
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), last_control = _mm_set1_epi8(0x1f);
    while (end - p >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        __m128i stops = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash)),
                                     _mm_cmpeq_epi8(_mm_min_epu8(block, last_control), block));
        uint32_t mask = (uint32_t)_mm_movemask_epi8(stops), high = (uint32_t)_mm_movemask_epi8(block);
        if (mask) {
            if (high & (mask - 1) & ~mask)
                *seen |= 0x80;
            return p + jscan_ctz(mask);
        }
        if (high)
            *seen |= 0x80;
        p += 16;
    }
#endif
    for (; p < end && !JSCAN_ENDS_RUN(*p); p++)
        *seen |= *p;
    return p;
}

static inline const uint16_t *jscan_run2(const uint16_t *p, const uint16_t *end, uint32_t *seen)
{
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi16('"'), slash = _mm_set1_epi16('\\'), not_control = _mm_set1_epi16((short)0xffe0);
    const __m128i zero = _mm_setzero_si128();
    __m128i bits = zero;
    while (end - p >= 8) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        __m128i stops = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi16(block, quote), _mm_cmpeq_epi16(block, slash)),
                                     _mm_cmpeq_epi16(_mm_and_si128(block, not_control), zero));
        if (_mm_movemask_epi8(stops))
            break; /* the stop is within eight units: the loop below finds it */
        bits = _mm_or_si128(bits, block);
        p += 8;
    }
    bits = _mm_or_si128(bits, _mm_srli_si128(bits, 8));
    bits = _mm_or_si128(bits, _mm_srli_si128(bits, 4));
    bits = _mm_or_si128(bits, _mm_srli_si128(bits, 2));
    *seen |= (uint32_t)_mm_cvtsi128_si32(bits) & 0xffff;
#endif
    for (; p < end && !JSCAN_ENDS_RUN(*p); p++)
        *seen |= *p;
    return p;
}

static inline const uint32_t *jscan_run4(const uint32_t *p, const uint32_t *end, uint32_t *seen)
{
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi32('"'), slash = _mm_set1_epi32('\\'), not_control = _mm_set1_epi32((int)0xffffffe0);
    const __m128i zero = _mm_setzero_si128();
    __m128i bits = zero;
    while (end - p >= 4) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        __m128i stops = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi32(block, quote), _mm_cmpeq_epi32(block, slash)),
                                     _mm_cmpeq_epi32(_mm_and_si128(block, not_control), zero));
        if (_mm_movemask_epi8(stops))
            break;
        bits = _mm_or_si128(bits, block);
        p += 4;
    }
    bits = _mm_or_si128(bits, _mm_srli_si128(bits, 8));
    bits = _mm_or_si128(bits, _mm_srli_si128(bits, 4));
    *seen |= (uint32_t)_mm_cvtsi128_si32(bits);
#endif
    for (; p < end && !JSCAN_ENDS_RUN(*p); p++)
        *seen |= *p;
    return p;
}

/* The first unit in [p, end) that the rules could take for the start of something: a bracket that opens (U+FF5B is one), `<` or U+25C1
 * (tags), a backtick or tilde (fences); `end` if there is none. */
#define JSCAN_IS_MARK(c) \
    (((c) & ~0x20u) == '[' || (c) == '<' || (c) == '`' || (c) == '~' || (c) == 0x25c1 || (c) == 0xff5b)

#if defined(__SSE2__)
/* A bit for each byte of each mark among the 16 bytes at p. `diamond` and `brace` are U+25C1 and U+FF5B where a unit can be that, else
 * another mark. */
#define JSCAN_MARKS(name, unit, bits, diamond, brace)                                                                     \
    static inline uint32_t name(const unit *p)                                                                            \
    {                                                                                                                     \
        __m128i block = _mm_loadu_si128((const __m128i *)p);                                                              \
        __m128i bracket = _mm_cmpeq_epi##bits(_mm_andnot_si128(_mm_set1_epi##bits(0x20), block), _mm_set1_epi##bits('[')); \
        __m128i backtick = _mm_cmpeq_epi##bits(block, _mm_set1_epi##bits('`'));                                           \
        __m128i tilde = _mm_cmpeq_epi##bits(block, _mm_set1_epi##bits('~'));                                              \
        __m128i tag = _mm_cmpeq_epi##bits(block, _mm_set1_epi##bits('<'));                                                \
        __m128i other = _mm_or_si128(_mm_cmpeq_epi##bits(block, _mm_set1_epi##bits(diamond)),                             \
                                     _mm_cmpeq_epi##bits(block, _mm_set1_epi##bits(brace)));                              \
        __m128i fence_or_tag = _mm_or_si128(_mm_or_si128(backtick, tilde), _mm_or_si128(tag, other));                     \
        return (uint32_t)_mm_movemask_epi8(_mm_or_si128(bracket, fence_or_tag));                                          \
    }
JSCAN_MARKS(jscan_marks1, uint8_t, 8, '<', '<')
JSCAN_MARKS(jscan_marks2, uint16_t, 16, 0x25c1, (short)0xff5b)
JSCAN_MARKS(jscan_marks4, uint32_t, 32, 0x25c1, 0xff5b)
/* Whole blocks, then the last 16 bytes: some of those have been looked at, and are no marks. */
#define JSCAN_MARK_IN_BLOCKS(unit, marks)                                  \
    const ptrdiff_t lanes = 16 / sizeof(unit);                             \
    if (end - p >= lanes) {                                                \
        uint32_t mask = 0;                                                 \
        while (end - p >= lanes && !(mask = marks(p)))                     \
            p += lanes;                                                    \
        if (!mask && p < end) {                                            \
            p = end - lanes;                                               \
            mask = marks(p);                                               \
        }                                                                  \
        return mask ? p + jscan_ctz(mask) / (int)sizeof(unit) : end;       \
    }
#else
#define JSCAN_MARK_IN_BLOCKS(unit, marks)
#endif

#define JSCAN_MARK(name, unit, marks)                                  \
    static inline const unit *name(const unit *p, const unit *end)     \
    {                                                                  \
        JSCAN_MARK_IN_BLOCKS(unit, marks)                              \
        while (p < end && !JSCAN_IS_MARK(*p))                          \
            p++;                                                       \
        return p;                                                      \
    }
JSCAN_MARK(jscan_mark1, uint8_t, jscan_marks1)
JSCAN_MARK(jscan_mark2, uint16_t, jscan_marks2)
JSCAN_MARK(jscan_mark4, uint32_t, jscan_marks4)

/* The first unit at or behind p that is no JSON white space, or `end`. `width` is how much there was last time: text that is indented repeats
 * it, and where it does the processor need not wait for this count to go on. */
#define JSCAN_IS_SPACE(c) ((c) == ' ' || (c) == '\n' || (c) == '\r' || (c) == '\t')

#if defined(__SSE2__)
/* A bit for each of 16 bytes that is no JSON white space. */
static inline uint32_t jscan_others(__m128i block)
{
    __m128i spaces = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\n'))),
                                  _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\t'))));
    return ~(uint32_t)_mm_movemask_epi8(spaces) & 0xffff;
}
#endif

static inline const uint8_t *jscan_space1(const uint8_t *p, const uint8_t *end, int *width)
{
    if (*p > ' ')
        return p;
    if (*p == ' ' && p[1] > ' ') /* p[1] is at most the closing NUL */
        return p + 1;
#if defined(__SSE2__)
    while (end - p >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        uint32_t others = jscan_others(block);
        if ((others & ((2u << *width) - 1)) == 1u << *width)
            return p + *width;
        if (others) {
            *width = jscan_ctz(others);
            return p + *width;
        }
        p += 16;
    }
#else
    (void)width;
#endif
    while (p < end && JSCAN_IS_SPACE(*p))
        p++;
    return p;
}

static inline const uint16_t *jscan_space2(const uint16_t *p, const uint16_t *end, int *width)
{
    if (*p > ' ')
        return p;
    if (*p == ' ' && p[1] > ' ')
        return p + 1;
#if defined(__SSE2__)
    while (end - p >= 16) {
        __m128i low = _mm_loadu_si128((const __m128i *)p), high = _mm_loadu_si128((const __m128i *)(p + 8));
        __m128i block = _mm_packus_epi16(low, high); /* a unit above 0xff becomes 0 or 0xff: no space either */
        uint32_t others = jscan_others(block);
        if ((others & ((2u << *width) - 1)) == 1u << *width)
            return p + *width;
        if (others) {
            *width = jscan_ctz(others);
            return p + *width;
        }
        p += 16;
    }
#else
    (void)width;
#endif
    while (p < end && JSCAN_IS_SPACE(*p))
        p++;
    return p;
}

static inline const uint32_t *jscan_space4(const uint32_t *p, const uint32_t *end, int *width)
{
    (void)width;
    while (p < end && JSCAN_IS_SPACE(*p))
        p++;
    return p;
}

/* memset, as a call: inlined, compilers make it an instruction that takes as long as a short text does to read. */
static void *(*const volatile jscan_clear)(void *, int, size_t) = memset;

/* memcpy for the few bytes that most strings have, without a call. */
static inline void jscan_copy(char *into, const char *from, size_t size)
{
    if (size > 16)
        memcpy(into, from, size);
    else if (size >= 8) { /* two blocks that overlap */
        memcpy(into, from, 8);
        memcpy(into + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
        memcpy(into, from, 4);
        memcpy(into + size - 4, from + size - 4, 4);
    } else
        for (size_t at = 0; at < size; at++)
            into[at] = from[at];
}

/* PyDict_SetItem for a name whose hash is known: CPython 3.10 to 3.12 have a shorter way in. */
static inline int jscan_set_item(PyObject *dict, PyObject *name, PyObject *value)
{
#if PY_VERSION_HEX < 0x030D0000 && !defined(PYPY_VERSION)
    Py_hash_t hash = ((PyASCIIObject *)name)->hash;
    if (hash != -1)
        return _PyDict_SetItem_KnownHash(dict, name, value, hash);
#endif
    return PyDict_SetItem(dict, name, value);
}

/* A short key as two words: the bytes before its closing quote, zero-filled, if they are at most 16, ASCII, and free of backslashes
 * and control characters. Gives their number, or -1. */
typedef struct {
    uint64_t low, high;
} jscan_word;

#if defined(__SSE2__)
static const uint8_t jscan_keep[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
#endif

static inline int jscan_key1(const uint8_t *p, const uint8_t *end, jscan_word *word)
{
#if defined(__SSE2__)
    if (end - p >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        uint32_t quotes = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')));
        uint32_t bad = (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\\')),
                                                                _mm_cmplt_epi8(block, _mm_set1_epi8(0x20))));
        int length = quotes ? jscan_ctz(quotes) : 16;
        if (length == 16 && p[16] != '"')
            return -1;
        if (bad & ((1u << length) - 1))
            return -1;
        block = _mm_and_si128(block, _mm_loadu_si128((const __m128i *)(jscan_keep + 16 - length)));
        word->low = (uint64_t)_mm_cvtsi128_si64(block);
        word->high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(block, block));
        return length;
    }
#endif
    (void)end;
    word->low = word->high = 0;
    for (int length = 0;; length++) {
        uint32_t c = p[length];
        if (c == '"')
            return length;
        if (length == 16 || c == '\\' || c < 0x20 || c > 0x7f)
            return -1;
        *(length < 8 ? &word->low : &word->high) |= (uint64_t)c << (8 * (length & 7));
    }
}

#define JSCAN_WIDE_KEY(name, unit)                                                     \
    static inline int name(const unit *p, const unit *end, jscan_word *word)           \
    {                                                                                  \
        (void)end;                                                                     \
        word->low = word->high = 0;                                                    \
        for (int length = 0;; length++) {                                              \
            uint32_t c = p[length];                                                    \
            if (c == '"')                                                              \
                return length;                                                         \
            if (length == 16 || c == '\\' || c < 0x20 || c > 0x7f)                     \
                return -1;                                                             \
            *(length < 8 ? &word->low : &word->high) |= (uint64_t)c << (8 * (length & 7)); \
        }                                                                              \
    }
JSCAN_WIDE_KEY(jscan_key2, uint16_t)
JSCAN_WIDE_KEY(jscan_key4, uint32_t)

/* Whether the key at p is the one that jscan_key gave before as this word and length. */
static inline int jscan_same_key1(const uint8_t *p, const uint8_t *end, const jscan_word *word, int length)
{
    if (end - p < 17 || p[length] != '"')
        return 0;
#if defined(__SSE2__)
    __m128i block = _mm_and_si128(_mm_loadu_si128((const __m128i *)p), _mm_loadu_si128((const __m128i *)(jscan_keep + 16 - length)));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_loadu_si128((const __m128i *)word))) == 0xffff;
#else
    jscan_word found;
    return jscan_key1(p, end, &found) == length && found.low == word->low && found.high == word->high;
#endif
}

#define JSCAN_SAME_WIDE_KEY(name, unit)                                                        \
    static inline int name(const unit *p, const unit *end, const jscan_word *word, int length) \
    {                                                                                          \
        uint64_t bytes = word->low;                                                            \
        if (end - p < 17 || p[length] != '"')                                                  \
            return 0;                                                                          \
        for (int at = 0; at < length; at++, bytes >>= 8) {                                     \
            if (at == 8)                                                                       \
                bytes = word->high;                                                            \
            if (p[at] != (bytes & 0xff))                                                       \
                return 0;                                                                      \
        }                                                                                      \
        return 1;                                                                              \
    }
JSCAN_SAME_WIDE_KEY(jscan_same_key2, uint16_t)
JSCAN_SAME_WIDE_KEY(jscan_same_key4, uint32_t)

static inline uint32_t jscan_hash(jscan_word word)
{
    uint64_t mixed = (word.low ^ (word.high * 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
    return (uint32_t)(mixed >> 32);
}

/* The binary64 nearest to mantissa * 10^exponent, ties to even, or 0 where this does not decide it (the caller has a slow way).
 * Clinger's exact products first; then Lemire, "Number Parsing at a Gigabyte per Second" (2021): a 128-bit product of the mantissa
 * with a truncated power of five. `jscan_powers` is filled when the module is imported. */
#define JSCAN_LEAST_POWER (-342)
#define JSCAN_MOST_POWER 308
static uint64_t jscan_powers[JSCAN_MOST_POWER - JSCAN_LEAST_POWER + 1][2]; /* high word, low word */

static void jscan_set_power(int exponent, uint64_t high, uint64_t low)
{
    jscan_powers[exponent - JSCAN_LEAST_POWER][0] = high;
    jscan_powers[exponent - JSCAN_LEAST_POWER][1] = low;
}

static inline int jscan_double(uint64_t mantissa, int64_t exponent, double *result)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (mantissa <= (1ull << 53) && exponent >= -22 && exponent <= 22) {
        *result = exponent < 0 ? (double)mantissa / exact[-exponent] : (double)mantissa * exact[exponent];
        return 1;
    }
    if (mantissa == 0) {
        *result = 0.0;
        return 1;
    }
#if defined(__SIZEOF_INT128__)
    if (exponent < JSCAN_LEAST_POWER || exponent > JSCAN_MOST_POWER)
        return 0;
    int shift = __builtin_clzll(mantissa);
    uint64_t normal = mantissa << shift;
    const uint64_t *power = jscan_powers[exponent - JSCAN_LEAST_POWER];
    unsigned __int128 product = (unsigned __int128)normal * power[0];
    uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if ((high & 0x1ff) == 0x1ff) { /* the bits below the mantissa could still carry: take the second word in, behind which none does
                                      (tests/test_machine_edges.py works that out for every exponent) */
        uint64_t more = (uint64_t)(((unsigned __int128)normal * power[1]) >> 64);
        low += more;
        high += low < more;
    }
    int top = (int)(high >> 63);
    uint64_t digits = high >> (top + 9); /* 53 bits and one to round */
    int64_t binary = ((217706 * exponent) >> 16) + 63 + top - shift + 1023;
    if (binary <= 0 || binary >= 0x7fe) /* subnormal, or near the largest: the slow way */
        return 0;
    if (low <= 1 && exponent >= -4 && exponent <= 23 && (digits & 3) == 1 && (digits << (top + 9)) == high)
        digits &= ~1ull; /* exactly halfway: round to even */
    digits = (digits + (digits & 1)) >> 1;
    if (digits >> 53) {
        digits >>= 1;
        binary++;
    }
    uint64_t bits = (digits & ~(1ull << 52)) | (uint64_t)binary << 52;
    memcpy(result, &bits, sizeof bits);
    return 1;
#else
    return 0;
#endif
}

#endif
