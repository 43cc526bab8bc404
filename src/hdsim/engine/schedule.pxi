# What the queue holds: the next event of each disc, and the timers.
# uses: state, clock, prediction
from hdsim.core.calendar cimport calendar_add, calendar_change, calendar_clear, calendar_end
from hdsim.core.queue cimport FIRST, NO_MATE


cdef int drop_dead_timers(EngineC* e) except -1:
    """Let the timers that are left stand close together, in their order."""
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
    """The contact that was chosen for disc i is planned: put its next event into the queue. The partner is not told: one of
    the two is enough, the one that looked last."""
    see_partner(e, i)
    requeue(e, i)


cdef inline double next_time(const EngineC* e, int i) noexcept nogil:
    return min(e.stored[i].prediction.t, e.stored[i].prediction.crossing_time)


cdef inline int next_partner(const EngineC* e, int i) noexcept nogil:
    """Items of equal time go by the contact, whoever planned it; a plan that was put off goes like a contact with disc 0, so
    before all that may come of it. Crossings go first: then all that are due at that instant are neighbours."""
    cdef const Prediction* c = &e.stored[i].prediction
    cdef int partner = c.partner if c.partner != NO_PARTNER else 0
    return partner if c.t < c.crossing_time else FIRST


cdef inline void requeue(EngineC* e, int i) noexcept nogil:
    calendar_change(&e.queue, i, next_time(e, i), next_partner(e, i))


cdef void fill_queue(EngineC* e) noexcept nogil:
    """Put everything into the queue anew. Timers come after all contacts of their instant, in order of creation."""
    cdef int i
    calendar_clear(&e.queue)
    for i in range(e.n):
        calendar_add(&e.queue, i, next_time(e, i), next_partner(e, i))
    for i in range(e.timers.count):
        if e.timers.at[i].alive:
            calendar_add(&e.queue, e.n + i, last_clock(e, e.timers.at[i].k * e.timers.at[i].period), NO_MATE)
    calendar_end(&e.queue)
