# What the queue holds: the next event of each disc, the timers, and the next change of an obstacle.
# uses: state, obstacles, counting
from hdsim.core.calendar cimport calendar_add, calendar_change, calendar_clear, calendar_delete, calendar_end
from hdsim.core.clock cimport clock_at, last_clock, set_now
from hdsim.core.prediction cimport next_partner, next_time, see_partner
from hdsim.core.queue cimport FIRST, NO_PARTNER
from hdsim.core.timers cimport timers_add_to


cdef inline int change_item(const EngineC* e) noexcept nogil:
    """The item of the next change of an obstacle: behind those of the timers."""
    return bodies_of(e) + e.timers.count


cdef inline int change_partner(const EngineC* e) noexcept nogil:
    """Its partner. An obstacle comes before all contacts of that instant, some of which may be with it. It goes after them, and
    before all timers: then its partner is the last body."""
    if e.obstacles.change[e.obstacles.next_change].comes:
        return FIRST
    return bodies_of(e) - 1 if bodies_of(e) > 0 else NO_PARTNER


cdef inline double change_clock(const EngineC* e) noexcept nogil:
    """The clock of the next change of an obstacle: the first one at which it is there, or the last one."""
    cdef const Change* change = &e.obstacles.change[e.obstacles.next_change]
    cdef double low
    return clock_at(&e.clock, change.time, &low) if change.comes else last_clock(&e.clock, change.time)


cdef inline void commit(EngineC* e, int i) noexcept nogil:
    """Commit the prediction of disc i: store the state of the partner, and put the next event of disc i into the queue. The
    item of the partner is not changed: a contact needs one item, that of the disc predicted last."""
    see_partner(&e.stored[i], e.disc, i)
    requeue(e, i)


cdef inline void requeue(EngineC* e, int i) noexcept nogil:
    """Update the item of disc i in the queue from its prediction."""
    calendar_change(&e.queue, i, next_time(&e.stored[i].prediction), next_partner(&e.stored[i].prediction))


cdef void fill_queue(EngineC* e) noexcept nogil:
    """Fill the queue with the items of all bodies and of all timers that have not been cancelled."""
    cdef int i
    calendar_clear(&e.queue)
    for i in range(bodies_of(e)):
        calendar_add(&e.queue, i, next_time(&e.stored[i].prediction), next_partner(&e.stored[i].prediction))
    timers_add_to(&e.timers, &e.queue, &e.clock, bodies_of(e))
    if e.obstacles.next_change < e.obstacles.changes:
        calendar_add(&e.queue, change_item(e), change_clock(e), change_partner(e))
    calendar_end(&e.queue)


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
