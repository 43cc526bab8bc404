# What the queue holds: the next event of each disc, and the timers.
# uses: state, clock, prediction
from hdsim.core.calendar cimport calendar_add, calendar_change, calendar_clear, calendar_end
from hdsim.core.queue cimport FIRST, NO_MATE


cdef int drop_dead_timers(EngineC* e) except -1:
    """Remove dead timers from the table; the order of the others stays."""
    cdef int place
    cdef int alive = 0
    for place in range(e.timers.count):
        if e.timers.at[place].alive:
            e.timers.at[alive] = e.timers.at[place]
            alive += 1
    engine_size_queue(e, alive)
    fill_queue(e)
    return 0


cdef inline void commit(EngineC* e, int i) noexcept nogil:
    """Commit the prediction of disc i: store the state of the partner, and put the next event of disc i into the queue. The
    item of the partner is not changed: a contact needs one item, that of the disc predicted last."""
    see_partner(e, i)
    requeue(e, i)


cdef inline double next_time(const EngineC* e, int i) noexcept nogil:
    """Clock of the next event of disc i: contact, postponed prediction or crossing."""
    return min(e.stored[i].prediction.t, e.stored[i].prediction.crossing_time)


cdef inline int next_partner(const EngineC* e, int i) noexcept nogil:
    """The partner by which the queue orders the item of disc i among items of equal time. That order depends on the contact, not
    on which of its discs holds it. A postponed prediction is ordered like a contact with disc 0, so before all contacts that may
    result from it. Crossings are first, so that all discs with a contact at that instant are listed as neighbours by then."""
    cdef const Prediction* c = &e.stored[i].prediction
    cdef int partner = c.partner if c.partner != NO_PARTNER else 0
    return partner if c.t < c.crossing_time else FIRST


cdef inline void requeue(EngineC* e, int i) noexcept nogil:
    """Update the item of disc i in the queue from its prediction."""
    calendar_change(&e.queue, i, next_time(e, i), next_partner(e, i))


cdef void fill_queue(EngineC* e) noexcept nogil:
    """Fill the queue with the items of all discs and live timers. At equal times, timers come after all contacts, in order of
    creation."""
    cdef int i
    calendar_clear(&e.queue)
    for i in range(e.n):
        calendar_add(&e.queue, i, next_time(e, i), next_partner(e, i))
    for i in range(e.timers.count):
        if e.timers.at[i].alive:
            calendar_add(&e.queue, e.n + i, last_clock(e, e.timers.at[i].k * e.timers.at[i].period), NO_MATE)
    calendar_end(&e.queue)
