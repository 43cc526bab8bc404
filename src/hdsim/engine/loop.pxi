# The loop: takes the first item of the queue, again and again.
# uses: state, counting, observing, stall, clock, refinement, placement, prefetch, planning, crossing, resolution, callbacks
from libc.math cimport INFINITY

from hdsim.core.calendar cimport calendar_has_more
from hdsim.core.clock cimport predict_from, set_now
from hdsim.core.mechanisms cimport PREFETCH
from hdsim.core.prediction cimport is_invalidated
from hdsim.core.queue cimport FIRST


cdef extern from *:
    """
    #ifdef _WIN32
    #define WIN32_LEAN_AND_MEAN
    #define NOMINMAX
    #include <windows.h>
    #undef near     /* macros of 16-bit times; here they are names */
    #undef far
    static double seconds_now(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (double)count.QuadPart / (double)frequency.QuadPart;
    }
    #else
    #include <time.h>
    static double seconds_now(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double seconds_now() noexcept nogil     # of a clock that never goes back

cdef enum:
    ROUND_TURNS = 255           # loop turns between two looks at the clock, plus one a power of two


cdef void reconsider_cells(EngineC* e, double t) noexcept nogil:
    """Choose cells at clock t, in a run, which goes on to the same bits, if that is known to pay, or worth a trial."""
    if learn(e):
        place_all(e, t, 0.0)
        predict_all(e, t)
    else:
        set_refinement_due(e)


cdef int advance(EngineC* e, int wanted, long long* budget, double deadline) except -1 nogil:
    """Execute events up to the horizon. Returns an Outcome: after a contact event of a wanted kind, after `budget` of
    any kind, when a timer is due, or at the latest shortly after the deadline."""
    cdef int item, partner, happened, kinds
    cdef int turns = 0
    cdef double t
    while True:
        turns += 1
        if turns & ROUND_TURNS == 0 and seconds_now() > deadline:
            return SLICE_OVER
        if not calendar_has_more(&e.queue):
            return NEVER
        if PREFETCH and e.modes.prefetch_mode != THIS_EVENT and e.queue.today != e.prefetch.prefetched_on:
            if e.modes.prefetch_mode == FAR_DAYS:
                prefetch_far(e)
            else:
                prefetch_near(e)
        item = e.queue.top
        partner = e.queue.top_partner
        t = e.queue.top_key
        if t > e.observers.next and not report_time(e, t):
            return SLICE_OVER
        if t > e.end.horizon:
            return REACHED
        if t == INFINITY:
            return NEVER
        if item >= e.n:
            return TIMER
        predict_from(&e.clock, t)
        fetch_pair(e, item, partner)
        if partner == FIRST:
            if e.modes.lists_in_use:
                rebuild_list(e, item)
            else:
                cross(e, item)
                if e.counters.statistics.crossings >= e.refinement.crossings_due:
                    reconsider_cells(e, t)
            happened = 0
        elif is_invalidated(&e.stored[item], e.disc, item):
            postpone_or_repredict(e, item)
            happened = 0
        else:
            happened = contact_event(e, item, partner, t)
        if happened == 0:
            happened = no_event_outcome(e)
            if happened != HAPPENED:
                return happened
            continue
        reset_no_event_counter(e)
        budget[0] -= 1
        if e.clock.since_rebase >= e.refinement.refinement_due:
            if e.clock.since_rebase >= rebase_due(e):
                set_now(&e.clock, t, 0.0)
                count_rebase(e)
                rebase(e, t, 0.0)
                if not e.modes.lists_in_use:  # who stands in the cell where it is crosses fewer, but lists are dear
                    place_all(e, e.clock.now, e.clock.now_low)
                predict_all(e, e.clock.now)
            else:
                reconsider_cells(e, t)
        if happened == 2:
            return JAMMED
        if wanted != 0:
            kinds = kinds_of_last(e)
            if kinds & e.callbacks.reported_kinds != 0:
                return HAPPENED
            if kinds & wanted != 0 and call_natives(e, kinds) != 0:
                return STOPPED
        if budget[0] <= 0:
            return ENOUGH
