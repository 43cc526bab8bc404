# cython: language_level=3, wraparound=False, cdivision=True
"""Counts, one or several for each disc, that hardly ever grow large: four bytes each, and up to 2^60.

What does not fit goes to a second number of four bytes. Where there are many discs (allocate_zeros), zeros that nobody writes
take no memory: nearly all of the second numbers, the counts of walls in a periodic box, and those of images between walls.
"""
from hdsim.core.memory cimport allocate_zeros, copy_to_zeros, free_zeros


cdef enum:
    TALLY_BITS = 30
    TALLY_MOST = 1 << TALLY_BITS


cdef struct Tallies:
    size_t count
    int* low                # a tally is low + high * TALLY_MOST
    int* high


cdef inline bint tallies_create(Tallies* t, size_t count) noexcept nogil:
    """All 0; False if there is no memory, and then tallies_free is due."""
    t.count = count
    t.low = <int*>allocate_zeros(count * sizeof(int))
    t.high = <int*>allocate_zeros(count * sizeof(int))
    return t.low != NULL and t.high != NULL


cdef inline void tallies_free(Tallies* t) noexcept nogil:
    free_zeros(t.low, t.count * sizeof(int))
    free_zeros(t.high, t.count * sizeof(int))
    t.low = NULL
    t.high = NULL


cdef inline void tallies_copy(Tallies* t, const Tallies* source) noexcept nogil:
    """Both must have been created with the same count, and `t` just now."""
    copy_to_zeros(t.low, source.low, t.count * sizeof(int))
    copy_to_zeros(t.high, source.high, t.count * sizeof(int))


cdef inline long long tally(const Tallies* t, Py_ssize_t k) noexcept nogil:
    return t.low[k] + <long long>t.high[k] * TALLY_MOST


cdef inline void tally_set(Tallies* t, Py_ssize_t k, long long value) noexcept nogil:
    """Writes no zero over a zero."""
    cdef bint fits = -TALLY_MOST < value < TALLY_MOST
    cdef int low = <int>(value if fits else value & (TALLY_MOST - 1))
    cdef int high = <int>(0 if fits else value >> TALLY_BITS)
    if t.low[k] != low:
        t.low[k] = low
    if t.high[k] != high:
        t.high[k] = high


cdef inline void tally_add(Tallies* t, Py_ssize_t k, long long more) noexcept nogil:
    cdef long long low = t.low[k] + more
    if -TALLY_MOST < low < TALLY_MOST:
        t.low[k] = <int>low
    else:
        tally_set(t, k, tally(t, k) + more)
