# Counters of executed contacts, for each disc and in total, and the hash.
# uses: state
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES
from hdsim.core.clock cimport count_towards_rebase
from hdsim.core.cluster cimport Contact
from hdsim.core.counters cimport counter_add, counter_set
from hdsim.core.hash cimport hashed


cdef void set_counters(EngineC* e, int i, const long long* counts) noexcept nogil:
    """Set the counters of disc i: contacts with discs and with walls, and its periodic image, axis by axis."""
    cdef int k
    counter_set(&e.counters.pair_contacts, i, counts[0])
    counter_set(&e.counters.wall_contacts, i, counts[1])
    for k in range(AXES):
        counter_set(&e.counters.images, AXES * <Py_ssize_t>i + k, counts[2 + k])


cdef inline long long contacts_of(const Statistics* s) noexcept nogil:
    """Number of contacts, with discs and with walls."""
    return s.pair_contacts + s.wall_contacts


cdef inline void count_contact(EngineC* e, const Contact* c, double time) noexcept nogil:
    """Count one executed contact, and add it to the hash. Contacts with obstacles count as contacts with walls."""
    cdef unsigned long long bits
    memcpy(&bits, &time, sizeof(bits))
    e.counters.hash = hashed_contact(e.counters.hash, c, bits)
    count_towards_rebase(&e.clock)
    if c.j < 0:
        e.counters.statistics.wall_contacts += 1
        counter_add(&e.counters.wall_contacts, c.i, 1)
    else:
        e.counters.statistics.pair_contacts += 1
        counter_add(&e.counters.pair_contacts, c.i, 1)
        counter_add(&e.counters.pair_contacts, c.j, 1)


cdef inline unsigned long long hashed_contact(unsigned long long h, const Contact* c, unsigned long long time) noexcept nogil:
    """Hash h extended by a contact: (disc, disc or wall, bits of the time). time: these bits."""
    return hashed(h, c.i, c.j, time)


cdef inline void count_predictions(EngineC* e, int candidates) noexcept nogil:
    """Count the candidates that are compared with a disc."""
    e.counters.statistics.predictions += candidates


cdef inline void count_exact(EngineC* e, int candidates) noexcept nogil:
    """Count the candidates whose contact times are evaluated by the exact formula."""
    e.counters.statistics.exact_evaluations += candidates


cdef inline void count_crossing(EngineC* e) noexcept nogil:
    """Count a crossing: a disc leaves its window."""
    e.counters.statistics.crossings += 1


cdef inline void count_reprediction(EngineC* e) noexcept nogil:
    """Count an invalidated prediction that is made anew."""
    e.counters.statistics.repredictions += 1


cdef inline void count_rebase(EngineC* e) noexcept nogil:
    """Count a move of the origin of the clock."""
    e.counters.statistics.rebases += 1


cdef inline void count_event(EngineC* e) noexcept nogil:
    """Count an executed contact event."""
    e.counters.statistics.events += 1


cdef inline void count_cluster(EngineC* e, bint together, bint unsolved) noexcept nogil:
    """Count an event of several simultaneous contacts. together: they were resolved together, not one after another. unsolved:
    they should have been."""
    e.counters.statistics.multi_events += 1
    e.counters.statistics.simultaneous_impacts += together
    e.counters.statistics.unsolved_impacts += unsolved


cdef inline void count_silent(EngineC* e) noexcept nogil:
    """Count an event without a contact."""
    e.counters.silent += 1


cdef void set_counted(EngineC* e, unsigned long long hash, long long silent, Statistics statistics) noexcept nogil:
    """Set hash and counts to those of another engine, or of a checkpoint."""
    e.counters.hash = hash
    e.counters.silent = silent
    e.counters.statistics = statistics
