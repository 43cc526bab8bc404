# cython: language_level=3, wraparound=False, cdivision=True
"""Counts, one or several for each disc, that hardly ever grow large: four bytes each, and up to 2^60.

What does not fit goes to a second number of four bytes. Where there are many discs (allocate_zeros), zeros that nobody writes
take no memory: nearly all of the second numbers, the counts of walls in a periodic box, and those of images between walls.
"""
from hdsim.core.memory cimport allocate_zeros, copy_to_zeros, free_zeros


cdef enum:
    COUNTER_BITS = 30
    COUNTER_MOST = 1 << COUNTER_BITS


cdef struct CounterArray:
    size_t count
    int* low                # a tally is low + high * COUNTER_MOST
    int* high


cdef inline bint counter_array_create(CounterArray* t, size_t count) noexcept nogil:
    """All 0; False if there is no memory, and then counter_array_free is due."""
    t.count = count
    t.low = <int*>allocate_zeros(count * sizeof(int))
    t.high = <int*>allocate_zeros(count * sizeof(int))
    return t.low != NULL and t.high != NULL


cdef inline void counter_array_free(CounterArray* t) noexcept nogil:
    free_zeros(t.low, t.count * sizeof(int))
    free_zeros(t.high, t.count * sizeof(int))
    t.low = NULL
    t.high = NULL


cdef inline void counter_array_copy(CounterArray* t, const CounterArray* source) noexcept nogil:
    """Both must have been created with the same count, and `t` just now."""
    copy_to_zeros(t.low, source.low, t.count * sizeof(int))
    copy_to_zeros(t.high, source.high, t.count * sizeof(int))


cdef inline long long counter_value(const CounterArray* t, Py_ssize_t k) noexcept nogil:
    return t.low[k] + <long long>t.high[k] * COUNTER_MOST


cdef inline void counter_set(CounterArray* t, Py_ssize_t k, long long value) noexcept nogil:
    """Writes no zero over a zero."""
    cdef bint fits = -COUNTER_MOST < value < COUNTER_MOST
    cdef int low = <int>(value if fits else value & (COUNTER_MOST - 1))
    cdef int high = <int>(0 if fits else value >> COUNTER_BITS)
    if t.low[k] != low:
        t.low[k] = low
    if t.high[k] != high:
        t.high[k] = high


cdef inline void counter_add(CounterArray* t, Py_ssize_t k, long long more) noexcept nogil:
    cdef long long low = t.low[k] + more
    if -COUNTER_MOST < low < COUNTER_MOST:
        t.low[k] = <int>low
    else:
        counter_set(t, k, counter_value(t, k) + more)
