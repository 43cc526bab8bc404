# cython: language_level=3, wraparound=False, cdivision=True
"""Numbers in text: blank-separated decimal numbers, read token by token, correctly rounded, whatever the locale.
Knows no file, no line and no disc; the caller turns an offset into a line number and a number into a meaning.

A number is [+-] digits [. digits] [(e|E) [+-] digits] with a digit on at least one side of the point, or [+-] inf or
infinity in any case. Everything else is refused: nan, hexadecimal, underscores, digits that are not ASCII, and numbers
too large for a double. The byte behind the text must exist and be no part of a number (bytes objects end in a NUL)."""
from cpython.conversion cimport PyOS_string_to_double
from libc.math cimport isinf

cdef extern from *:
    """
    #define HDSIM_TEXT_EXACT 9007199254740992ULL     /* 2^53: every whole number up to it is a double */
    #define HDSIM_TEXT_FULL 1000000000000000000ULL   /* 10^18: one more digit still fits 64 bits, two may not */
    /* All powers of ten that a double holds exactly. */
    static const double hdsim_text_power[23] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    """
    const unsigned long long TEXT_MANTISSA_EXACT "HDSIM_TEXT_EXACT"
    const unsigned long long TEXT_MANTISSA_FULL "HDSIM_TEXT_FULL"
    const double* text_power "hdsim_text_power"

cdef enum:
    TEXT_POWER_MAX = 22           # 10^22 is the largest power of ten that is a double
    TEXT_EXPONENT_MAX = 100_000   # further digits of an exponent are left to the slow path


cdef struct Decimal:
    unsigned long long mantissa   # its digits as a whole number, if exact
    Py_ssize_t exponent           # of ten
    bint exact                    # mantissa and exponent hold all digits
    bint infinite                 # the token is inf or infinity: there are no digits


cdef inline bint text_is_blank(char c) noexcept nogil:
    """Blank, tab, line feed, vertical tab, form feed or carriage return."""
    return c == c' ' or c'\t' <= c <= c'\r'


cdef inline const char* text_skip_blanks(const char* at, const char* end) noexcept nogil:
    while at < end and text_is_blank(at[0]):
        at += 1
    return at


cdef inline const char* text_digits(const char* at, const char* end, Decimal* d, Py_ssize_t step) noexcept nogil:
    """Append a run of digits to the mantissa; each moves the exponent by `step` (-1 behind the point, else 0)."""
    while at < end and c'0' <= at[0] <= c'9':
        if d.mantissa < TEXT_MANTISSA_FULL:
            d.mantissa = 10 * d.mantissa + (at[0] - c'0')
            d.exponent += step
        else:
            d.exact = False
        at += 1
    return at


cdef inline const char* text_exponent(const char* at, const char* end, Decimal* d) noexcept nogil:
    """Add the number behind an `e` to the exponent. NULL if there is none."""
    cdef bint negative = at < end and at[0] == c'-'
    cdef const char* first
    cdef Py_ssize_t exponent = 0
    if at < end and (at[0] == c'-' or at[0] == c'+'):
        at += 1
    first = at
    while at < end and c'0' <= at[0] <= c'9':
        if exponent < TEXT_EXPONENT_MAX:
            exponent = 10 * exponent + (at[0] - c'0')
        else:
            d.exact = False
        at += 1
    d.exponent += -exponent if negative else exponent
    return at if at > first else NULL


cdef inline const char* text_word(const char* at, const char* end, const char* word) noexcept nogil:
    """The place behind `word` (lower case letters) if the text continues with it, in any case; else `at`."""
    cdef Py_ssize_t k = 0
    while word[k] and at + k < end and (at[k] | 32) == word[k]:
        k += 1
    return at if word[k] else at + k


cdef inline const char* text_scan(const char* at, const char* end, Decimal* d) noexcept nogil:
    """Take one unsigned number apart. Returns the end of its token, or NULL if the token is no number."""
    cdef const char* first = at
    cdef Py_ssize_t digits
    d.mantissa, d.exponent, d.exact = 0, 0, True
    at = text_word(first, end, b"infinity")
    if at == first:
        at = text_word(first, end, b"inf")
    d.infinite = at > first
    if not d.infinite:
        at = text_digits(first, end, d, 0)
        digits = at - first
        if at < end and at[0] == c'.':
            first = at + 1
            at = text_digits(first, end, d, -1)
            digits += at - first
        if digits == 0:
            return NULL
        if at < end and (at[0] == c'e' or at[0] == c'E'):
            at = text_exponent(at + 1, end, d)
    if at == NULL or (at < end and not text_is_blank(at[0])):
        return NULL
    return at


cdef inline const char* text_number(const char* at, const char* end, double* value) except? NULL:
    """Read the token that starts at `at` into `value`, correctly rounded.

    Returns the end of the token; NULL without an exception if it is no number or too large for a double."""
    cdef const char* first = at
    cdef bint negative = at[0] == c'-'
    cdef Decimal d
    if negative or at[0] == c'+':
        at += 1
    at = text_scan(at, end, &d)
    if at == NULL:
        return NULL
    if d.exact and d.mantissa <= TEXT_MANTISSA_EXACT and -TEXT_POWER_MAX <= d.exponent <= TEXT_POWER_MAX and not d.infinite:
        # Both operands are doubles exactly, so the one operation rounds correctly.
        value[0] = d.mantissa / text_power[-d.exponent] if d.exponent < 0 else d.mantissa * text_power[d.exponent]
        if negative:
            value[0] = -value[0]
        return at
    value[0] = PyOS_string_to_double(first, <char**> &first, NULL)
    if isinf(value[0]) and not d.infinite:
        return NULL
    return at


cdef inline Py_ssize_t text_read(const char* text, Py_ssize_t size, Py_ssize_t* offset,
                                 double* values, Py_ssize_t capacity) except -1:
    """Read numbers from text[offset:size] into `values` until it is full, the text ends or a token is no number.

    Returns how many were read; `offset` moves to the token that was not taken, or to `size`."""
    cdef const char* end = text + size
    cdef const char* at = text_skip_blanks(text + offset[0], end)
    cdef const char* behind
    cdef Py_ssize_t n = 0
    while at < end and n < capacity:
        behind = text_number(at, end, &values[n])
        if behind == NULL:
            break
        n += 1
        at = text_skip_blanks(behind, end)
    offset[0] = at - text
    return n
