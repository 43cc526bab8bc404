# cython: language_level=3, wraparound=False, cdivision=True
"""What an engine counts: contacts of each body, images, the hash of all contacts, and work in total.

Counters of bodies rarely grow large: four bytes each, and a range up to 2^60. A value that does not fit has a second number of
four bytes. In large systems (see allocate_zeros), zeros that are never written take no memory: nearly all of the second numbers,
the wall counters of a periodic box, and the image counters of a box with walls.
"""
from libc.string cimport memcpy, memset

from hdsim.core.hash cimport HASH_START, hashed
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


cdef inline void counter_array_clear(CounterArray* t) noexcept nogil:
    memset(t.low, 0, t.count * sizeof(int))
    memset(t.high, 0, t.count * sizeof(int))


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


cdef struct Statistics:         # counts since the start
    # predictions: pairs compared. exact_evaluations: of the contact time, as far as it is not each of these. crossings: a body
    # leaves its place in the cells. simultaneous_impacts: those of the multi_events whose contacts were solved together.
    # repredictions: predictions made anew because the contact was invalidated. unsolved_impacts: multi_events whose contacts
    # should have been solved together, but were resolved one after another.
    long long predictions, exact_evaluations, crossings, pair_contacts, wall_contacts, events, multi_events, simultaneous_impacts
    long long rebases, repredictions, unsolved_impacts


cdef struct Counters:           # of executed contacts
    CounterArray pair_contacts  # [body] since creation
    CounterArray wall_contacts
    CounterArray images         # [axes * body + axis] box lengths between the stored and the unwrapped position
    unsigned long long hash
    long long silent            # events without a contact: changes of obstacles, discs that gates have let in
    Statistics statistics


cdef inline bint counters_create(Counters* c, size_t bodies, int axes) noexcept nogil:
    """Make counters of zero. False if there is no memory: then `counters_free` frees those that were made. c: all zero."""
    c.hash = HASH_START
    return (counter_array_create(&c.pair_contacts, bodies) and counter_array_create(&c.wall_contacts, bodies)
            and counter_array_create(&c.images, axes * bodies))


cdef inline void counters_clear(Counters* c) noexcept nogil:
    """Set all counters of bodies to 0."""
    counter_array_clear(&c.pair_contacts)
    counter_array_clear(&c.wall_contacts)
    counter_array_clear(&c.images)


cdef inline void counters_free(Counters* c) noexcept nogil:
    counter_array_free(&c.pair_contacts)
    counter_array_free(&c.wall_contacts)
    counter_array_free(&c.images)


cdef inline void counters_copy(Counters* c, const Counters* source) noexcept nogil:
    """Copy counters; both must have been created for the same number of bodies, and those of `c` must still be 0."""
    counters_set(c, source.hash, source.silent, source.statistics)
    counter_array_copy(&c.pair_contacts, &source.pair_contacts)
    counter_array_copy(&c.wall_contacts, &source.wall_contacts)
    counter_array_copy(&c.images, &source.images)


cdef inline void counters_set(Counters* c, unsigned long long hash, long long silent, Statistics statistics) noexcept nogil:
    """Set hash and counts to those of another engine, or of a checkpoint."""
    c.hash = hash
    c.silent = silent
    c.statistics = statistics


cdef inline void counters_set_body(Counters* c, int i, int axes, const long long* counts) noexcept nogil:
    """Set the counters of body i: contacts with bodies and with walls, and its periodic image, axis by axis."""
    cdef int k
    counter_set(&c.pair_contacts, i, counts[0])
    counter_set(&c.wall_contacts, i, counts[1])
    for k in range(axes):
        counter_set(&c.images, axes * <Py_ssize_t>i + k, counts[2 + k])


cdef inline void counters_write_body(const Counters* c, int i, int axes, long long* counts) noexcept nogil:
    """Write what `counters_set_body` sets."""
    cdef int k
    counts[0] = counter_value(&c.pair_contacts, i)
    counts[1] = counter_value(&c.wall_contacts, i)
    for k in range(axes):
        counts[2 + k] = counter_value(&c.images, axes * <Py_ssize_t>i + k)


cdef inline long long contacts_of(const Statistics* s) noexcept nogil:
    """Number of contacts, with bodies and with walls."""
    return s.pair_contacts + s.wall_contacts


cdef inline void counters_contact(Counters* c, int i, int j, double time) noexcept nogil:
    """Count one executed contact of body i with body j, or with a wall of negative number j, and add it to the hash."""
    cdef unsigned long long bits
    memcpy(&bits, &time, sizeof(bits))
    c.hash = hashed(c.hash, i, j, bits)
    if j < 0:
        c.statistics.wall_contacts += 1
        counter_add(&c.wall_contacts, i, 1)
    else:
        c.statistics.pair_contacts += 1
        counter_add(&c.pair_contacts, i, 1)
        counter_add(&c.pair_contacts, j, 1)
