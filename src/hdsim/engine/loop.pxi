# The loop: takes the first item of the queue, again and again.
# uses: state, observing, clock, prediction, refinement, placement, prefetch, planning, crossing, stall, resolution, callbacks
from libc.math cimport INFINITY

from hdsim.core.calendar cimport calendar_has_more
from hdsim.core.mechanisms cimport PREFETCH
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


cdef void look_for_crowd(EngineC* e, double t) noexcept nogil:
    """Choose cells at clock t, in a run, which goes on to the same bits, if that is known to pay, or worth a trial."""
    cdef double now = e.clock.now
    cdef double low = e.clock.now_low
    if learn(e):
        e.clock.now = t       # of the cells; that of the system stays
        e.clock.now_low = 0.0
        place_all(e)
        plan_all(e)
        e.clock.now = now
        e.clock.now_low = low
    else:
        set_looks(e)


cdef int advance(EngineC* e, int wanted, long long* budget, double deadline) except -1 nogil:
    """Execute events up to the horizon. Returns an Outcome: after a contact event of a wanted kind, after `budget` of
    any kind, when a timer is due, or at the latest shortly after the deadline."""
    cdef int item, mate, happened, kinds
    cdef int turns = 0
    cdef double t
    while True:
        turns += 1
        if turns & ROUND_TURNS == 0 and seconds_now() > deadline:
            return BREATHE
        if not calendar_has_more(&e.queue):
            return NEVER
        if PREFETCH and e.modes.foresight != THIS_EVENT and e.queue.today != e.prefetch.asked_on:
            if e.modes.foresight == FAR_DAYS:
                look_ahead(e)
            else:
                look_at_next(e)
        item = e.queue.top
        mate = e.queue.top_mate
        t = e.queue.top_key
        if t > e.watch.next and not tell_time(e, t):
            return BREATHE
        if t > e.end.horizon:
            return REACHED
        if t == INFINITY:
            return NEVER
        if item >= e.n:
            return TIMER
        e.clock.current = t
        fetch_pair(e, item, mate)
        if mate == FIRST:
            if e.modes.listing:
                leave(e, item)
            else:
                cross(e, item)
                if e.counters.statistics.crossings >= e.refinement.crossings_due:
                    look_for_crowd(e, t)
            happened = 0
        elif is_void(e, item):
            renew(e, item)
            happened = 0
        else:
            happened = contact_event(e, item, mate, t)
        if happened == 0:
            happened = idle_outcome(e)
            if happened != HAPPENED:
                return happened
            continue
        stop_idling(e)
        budget[0] -= 1
        if e.clock.since_rebase >= e.refinement.look_due:
            if e.clock.since_rebase >= rebase_due(e):
                set_now(e, t, 0.0)
                e.counters.statistics.rebases += 1
                rebase(e, t, 0.0)
                if not e.modes.listing:       # who stands in the cell where it is crosses fewer, but lists are dear
                    place_all(e)
                plan_all(e)
            else:
                look_for_crowd(e, t)
        if happened == 2:
            return JAMMED
        if wanted != 0:
            kinds = kinds_of_last(e)
            if kinds & e.callbacks.told != 0:
                return HAPPENED
            if kinds & wanted != 0 and call_natives(e, kinds) != 0:
                return STOPPED
        if budget[0] <= 0:
            return ENOUGH
