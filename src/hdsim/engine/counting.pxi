# Counts of what an engine does, and runs of its loop without a contact: the same for all engines.
# uses: state
from libc.math cimport INFINITY

from hdsim.core.stall cimport quiet_reset, stall_contact, stall_set


cdef inline void count_predictions(EngineC* e, int candidates) noexcept nogil:
    """Count the candidates that are compared with a body."""
    e.counters.statistics.predictions += candidates


cdef inline void count_exact(EngineC* e, int candidates) noexcept nogil:
    """Count the candidates whose contact times are evaluated by the exact formula."""
    e.counters.statistics.exact_evaluations += candidates


cdef inline void count_crossing(EngineC* e) noexcept nogil:
    """Count a crossing: a body leaves its window."""
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


cdef inline int kinds_of_last(const EngineC* e) noexcept nogil:
    """The kinds of the last contact event, as bits."""
    cdef int k
    cdef int kinds = IS_MULTI if e.impact.cluster.executions > 1 else 0
    for k in range(e.impact.cluster.executions):
        kinds |= HOLDS_WALL if e.impact.cluster.executed[k].j < 0 else HOLDS_PAIR
    return kinds


cdef int count_chain(EngineC* e) noexcept nogil:
    """Count the contacts of the last event, of a long chain in zero time. Returns the most that one of their bodies has had."""
    cdef int k
    cdef int most = 0
    for k in range(e.impact.cluster.executions):
        most = max(most, stall_contact(&e.stall, e.impact.cluster.executed[k].i, e.impact.cluster.executed[k].j))
    return most


cdef inline void reset_no_event_counter(EngineC* e) noexcept nogil:
    """Count the turns of the loop without a contact from 0 again."""
    quiet_reset(&e.stall, e.n)


cdef inline void stall_restart(EngineC* e) noexcept nogil:
    """Reset all counters of zero time and of turns, after a change of the states of the bodies."""
    reset_no_event_counter(e)
    stall_set(&e.stall, -INFINITY, 0)
