# Runs that cannot go on: jammed discs, and discs that will never touch anything again.
# uses: state
from libc.math cimport INFINITY, fabs, floor
from libc.string cimport memset

from hdsim.core.candidates cimport Disc
from hdsim.core.cluster cimport Contact

cdef enum:
    NO_EVENT_TURNS_PER_DISC = 64  # turns of the loop without a contact, per disc, before `nothing_left` is called
    PAIRS_MAX = 3000            # discs up to which `nothing_left` compares all pairs


cdef bint is_jammed(EngineC* e, double t, double window) noexcept nogil:
    """Do contacts go on without end while time does not advance? t: clock of the present contact event. window: a length of time
    that rounding explains. After JAM_CONTACTS contact events within it, the contacts of each disc are counted; True if one disc
    has more than JAM_CONTACTS + n of them."""
    cdef int k
    cdef long long limit = JAM_CONTACTS + e.n
    cdef const Contact* c
    if t - e.stall.zero_time_since > window:
        e.stall.zero_time_since = t
        e.stall.zero_time_contacts = 0
        return False
    e.stall.zero_time_contacts += 1
    if e.stall.zero_time_contacts < JAM_CONTACTS:
        return False
    if e.stall.zero_time_contacts == JAM_CONTACTS:
        memset(e.stall.zero_time_counter, 0, e.n * sizeof(int))
    for k in range(e.impact.cluster.executions):
        c = &e.impact.cluster.executed[k]
        e.stall.zero_time_counter[c.i] += 1
        if e.stall.zero_time_counter[c.i] > limit:
            return True
        if c.j >= 0:
            e.stall.zero_time_counter[c.j] += 1
            if e.stall.zero_time_counter[c.j] > limit:
                return True
    return False


cdef bint lanes_are_clear(const Disc* a, const Disc* b, const EngineC* e) noexcept nogil:
    """Is it certain that these discs never touch each other? True for equal velocities, for pairs that cannot collide at all, and
    for relative motion along a periodic axis, on lanes that do not touch. In all other cases False, which says nothing."""
    cdef double lateral, length
    if a.vx == b.vx and a.vy == b.vy:
        return True
    if a.radius + b.radius == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return True
    if a.vy == b.vy and e.box.periodic_x:
        lateral = fabs((b.y + b.vy * (e.clock.now - b.t)) - (a.y + a.vy * (e.clock.now - a.t)))
        length = e.box.height if e.box.periodic_y else INFINITY
    elif a.vx == b.vx and e.box.periodic_y:
        lateral = fabs((b.x + b.vx * (e.clock.now - b.t)) - (a.x + a.vx * (e.clock.now - a.t)))
        length = e.box.width if e.box.periodic_x else INFINITY
    else:
        return False
    lateral -= floor(lateral / length) * length if length < INFINITY else 0.0
    return min(lateral, length - lateral) >= a.radius + b.radius


cdef bint nothing_left(const EngineC* e) noexcept nogil:
    """Is it certain that no disc ever touches anything again, and that no timer is due? Called after many crossings without a
    contact, which only a box with a periodic axis can have. False where it is not certain, also for more than PAIRS_MAX discs."""
    cdef int i, j
    for i in range(e.timers.count):
        if e.timers.at[i].alive:
            return False
    if e.law.growth != 0.0:
        return False
    for i in range(e.n):
        if (not e.box.periodic_x and e.disc[i].vx != 0.0) or (not e.box.periodic_y and e.disc[i].vy != 0.0):
            return False
    for i in range(1, e.n):
        if e.disc[i].vx != e.disc[0].vx or e.disc[i].vy != e.disc[0].vy:
            break
    else:
        return True
    for i in range(e.n):
        if e.disc[i].radius > 0.0:
            break
    else:
        return True
    if e.n > PAIRS_MAX:
        return False
    for i in range(1, e.n):
        for j in range(i):
            if not lanes_are_clear(&e.disc[i], &e.disc[j], e):
                return False
    return True


cdef inline void reset_no_event_counter(EngineC* e) noexcept nogil:
    """Count the turns of the loop without a contact from 0 again."""
    e.stall.no_event_turns = 0
    e.stall.no_event_limit = NO_EVENT_TURNS_PER_DISC * (e.n + 1)


cdef int no_event_outcome(EngineC* e) noexcept nogil:
    """Count a turn of the loop without a contact. Returns HAPPENED if the run is to go on; NEVER if there were many such turns
    and it is certain that no contact will ever come; ENDLESS after the most turns that a run without an end may have.
    `nothing_left` is called at twice the number of turns each time."""
    e.stall.no_event_turns += 1
    if e.stall.no_event_turns <= e.stall.no_event_limit:
        return HAPPENED
    if e.stall.no_event_turns > e.stall.crossings_most:
        reset_no_event_counter(e)
        return ENDLESS
    if nothing_left(e):
        reset_no_event_counter(e)
        return NEVER
    e.stall.no_event_limit = min(2 * e.stall.no_event_limit, e.stall.crossings_most)
    return HAPPENED
