# cython: language_level=3, wraparound=False, cdivision=True
"""Timers of an engine, each due at all multiples of its period, and their items in the queue.

The items 0 ... bodies - 1 of the queue are the bodies. Those of the timers follow, in the order of the table, which is that of
registration. At equal clocks they come after all contacts.
"""
from libc.math cimport floor
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from hdsim.core.calendar cimport Calendar, calendar_add, calendar_change, calendar_create, calendar_delete, calendar_free
from hdsim.core.clock cimport Clock, clock_at, last_clock, set_now
from hdsim.core.queue cimport NO_PARTNER


cdef struct Timer:              # in order of registration, which decides ties
    double period
    long long k                 # the timer is due at the time k * period
    long long number            # chosen by the caller; no two are equal
    bint redraw                 # its kind is "redraw", else "timer"
    bint alive                  # it has not been cancelled


cdef struct Timers:
    Timer* at
    int count


cdef inline double timer_time(const Timer* timer) noexcept nogil:
    """The time at which a timer is due."""
    return timer.k * timer.period


cdef inline bint timers_create(Timers* t, int count) noexcept nogil:
    """Make a table of `count` timers, which are not set. Returns False without memory."""
    t.at = <Timer*>calloc(count if count > 0 else 1, sizeof(Timer))
    t.count = count
    return t.at != NULL


cdef inline void timers_free(Timers* t) noexcept nogil:
    free(t.at)
    t.at = NULL


cdef inline void timers_copy(Timers* t, const Timers* source) noexcept nogil:
    """Copy all timers. Both tables must have the same length."""
    memcpy(t.at, source.at, source.count * sizeof(Timer))


cdef inline int timers_resize(Timers* t, Calendar* q, int others, int count, bint with_days) except -1:
    """Make a new, empty queue and a table of `count` timers, which keeps those of the old table that fit: the caller must fill
    the queue. others: items of the queue that are no timers. MemoryError changes nothing."""
    cdef Calendar queue
    cdef Timers timers
    if not timers_create(&timers, count):
        raise MemoryError(f"no memory for {count} timers")
    try:
        calendar_create(&queue, others + count, with_days)
    except BaseException:
        timers_free(&timers)
        raise
    queue.operations = q.operations
    memcpy(timers.at, t.at, min(count, t.count) * sizeof(Timer))
    timers_free(t)
    calendar_free(q)
    t[0] = timers
    q[0] = queue
    return 0


cdef inline void timers_set_last(Timers* t, long long number, double period, bint redraw, double now) noexcept nogil:
    """Set the last timer of the table: due at k * period, for each integer k for which that is later than the time `now`."""
    cdef double k = floor(now / period) - 1.0
    while k * period <= now:
        k += 1.0
    t.at[t.count - 1] = Timer(period, <long long>k, number, redraw, True)


cdef inline void timers_add_to(const Timers* t, Calendar* q, const Clock* c, int bodies) noexcept nogil:
    """Add the items of all timers that have not been cancelled to a queue that is being filled."""
    cdef int place
    for place in range(t.count):
        if t.at[place].alive:
            calendar_add(q, bodies + place, last_clock(c, timer_time(&t.at[place])), NO_PARTNER)


cdef inline void timers_fire(Timers* t, Calendar* q, Clock* c, int bodies, int place) noexcept nogil:
    """Advance the clock of the system to the time of the timer at this place of the table, which is due, and queue the timer for
    its next multiple."""
    cdef Timer* timer = &t.at[place]
    cdef double low
    cdef double clock = clock_at(c, timer_time(timer), &low)
    set_now(c, clock, low)
    timer.k += 1
    calendar_change(q, bodies + place, last_clock(c, timer_time(timer)), NO_PARTNER)


cdef inline int timers_cancel(Timers* t, Calendar* q, int bodies, long long number) noexcept nogil:
    """Cancel the timer of this number, if there is one. Returns how many timers are cancelled and still in the table."""
    cdef int place
    cdef int dead = 0
    for place in range(t.count):
        if t.at[place].number == number and t.at[place].alive:
            t.at[place].alive = False
            calendar_delete(q, bodies + place)
        dead += not t.at[place].alive
    return dead


cdef inline int timers_gather(Timers* t) noexcept nogil:
    """Move the timers that have not been cancelled to the front of the table, in their order. Returns how many they are."""
    cdef int place
    cdef int alive = 0
    for place in range(t.count):
        if t.at[place].alive:
            t.at[alive] = t.at[place]
            alive += 1
    return alive


cdef inline int timers_alive(const Timers* t) noexcept nogil:
    """Number of timers that have not been cancelled."""
    cdef int place
    cdef int alive = 0
    for place in range(t.count):
        alive += t.at[place].alive
    return alive
