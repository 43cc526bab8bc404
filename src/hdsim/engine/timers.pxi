# Timers, each due at all multiples of its period; and the times at which obstacles come and go.
# uses: state, obstacles, counting, schedule
from libc.math cimport floor
from libc.stdlib cimport free
from libc.string cimport memcpy

from hdsim.core.calendar cimport Calendar, calendar_change, calendar_create, calendar_delete, calendar_free
from hdsim.core.clock cimport clock_at, last_clock, set_now
from hdsim.core.queue cimport NO_PARTNER


cdef int resize_timers(EngineC* e, int count) except -1:
    """Make a new, empty queue and a table of `count` timers, which keeps those of the old table that fit. MemoryError changes
    nothing."""
    cdef Calendar queue
    cdef Timers timers
    if not timers_create(&timers, count):
        raise MemoryError(f"no memory for {count} timers")
    try:
        calendar_create(&queue, items_of(e) + count - e.timers.count, e.options.with_days)
    except BaseException:
        free(timers.at)
        raise
    queue.operations = e.queue.operations
    memcpy(timers.at, e.timers.at, min(count, e.timers.count) * sizeof(Timer))
    free(e.timers.at)
    calendar_free(&e.queue)
    e.timers = timers
    e.queue = queue
    return 0


cdef int continue_timers(EngineC* e, const EngineC* other) except -1:
    """Copy the timers of another engine. The queue is empty afterwards: the caller must fill it."""
    resize_timers(e, other.timers.count)
    memcpy(e.timers.at, other.timers.at, other.timers.count * sizeof(Timer))
    return 0


cdef int add_timer(EngineC* e, long long number, double period, bint redraw, double now) except -1:
    """Add a timer that is due at k * period, for each integer k for which that is later than `now`, the present time."""
    cdef int place = e.timers.count
    cdef double k = floor(now / period) - 1.0
    resize_timers(e, place + 1)
    while k * period <= now:
        k += 1.0
    e.timers.at[place] = Timer(period, <long long>k, number, redraw, True)
    fill_queue(e)
    return 0


cdef void fire_timer(EngineC* e, int place) noexcept nogil:
    """Advance the clock of the system to the time of the timer at this place of the table, which is due, and queue the timer for
    its next multiple."""
    cdef Timer* timer = &e.timers.at[place]
    cdef double low
    cdef double clock = clock_at(&e.clock, timer_time(timer), &low)
    set_now(&e.clock, clock, low)
    timer.k += 1
    calendar_change(&e.queue, e.n + place, last_clock(&e.clock, timer_time(timer)), NO_PARTNER)


cdef void make_change(EngineC* e) noexcept nogil:
    """Advance the clock of the system to the time of the change of an obstacle that is due, and queue the next one. No disc is
    predicted again: predictions know when obstacles are there."""
    cdef double low
    cdef double clock = clock_at(&e.clock, e.obstacles.change[e.obstacles.next_change].time, &low)
    set_now(&e.clock, clock, low)
    count_silent(e)
    next_change(e)
    if e.obstacles.next_change < e.obstacles.changes:
        calendar_change(&e.queue, change_item(e), change_clock(e), change_partner(e))
    else:
        calendar_delete(&e.queue, change_item(e))


cdef int cancel_timer(EngineC* e, long long number) except -1:
    """Cancel the timer of this number, if there is one."""
    cdef int place
    cdef int dead = 0
    for place in range(e.timers.count):
        if e.timers.at[place].number == number and e.timers.at[place].alive:
            e.timers.at[place].alive = False
            calendar_delete(&e.queue, e.n + place)
        dead += not e.timers.at[place].alive
    if dead > e.timers.count // 2:      # rarely, so that cancelling costs no more than adding
        remove_dead_timers(e)
    return 0


cdef int remove_dead_timers(EngineC* e) except -1:
    """Remove cancelled timers from the table. The others keep their order."""
    cdef int place
    cdef int alive = 0
    for place in range(e.timers.count):
        if e.timers.at[place].alive:
            e.timers.at[alive] = e.timers.at[place]
            alive += 1
    resize_timers(e, alive)
    fill_queue(e)
    return 0


cdef int live_timers(const EngineC* e) noexcept nogil:
    """Number of timers that have not been cancelled."""
    cdef int place
    cdef int alive = 0
    for place in range(e.timers.count):
        alive += e.timers.at[place].alive
    return alive
