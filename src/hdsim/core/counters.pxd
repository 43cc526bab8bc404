# cython: language_level=3, wraparound=False, cdivision=True
"""Counters, one or several for each disc, that rarely grow large: four bytes each, and a range up to 2^60.

A value that does not fit into four bytes has a second number of four bytes. In large systems (see allocate_zeros), zeros that
are never written take no memory: nearly all of the second numbers, the wall counters of a periodic box, and the image counters
of a box with walls.
"""
from hdsim.core.memory cimport allocate_zeros, copy_to_zeros, free_zeros


cdef enum:
    COUNTER_BITS = 30
    COUNTER_MOST = 1 << COUNTER_BITS


cdef struct CounterArray:
    size_t count
    int* low                # the value of a counter is low + high * COUNTER_MOST
    int* high


cdef inline bint counter_array_create(CounterArray* t, size_t count) noexcept nogil:
    """Create counters, all 0. False if there is no memory: then the caller must call counter_array_free."""
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
    """Copy all values. Both must have been created with the same count, and all values of `t` must still be 0."""
    copy_to_zeros(t.low, source.low, t.count * sizeof(int))
    copy_to_zeros(t.high, source.high, t.count * sizeof(int))


cdef inline long long counter_value(const CounterArray* t, Py_ssize_t k) noexcept nogil:
    return t.low[k] + <long long>t.high[k] * COUNTER_MOST


cdef inline void counter_set(CounterArray* t, Py_ssize_t k, long long value) noexcept nogil:
    """Set a counter. A number that is right already is not written, so that zeros go on taking no memory."""
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
