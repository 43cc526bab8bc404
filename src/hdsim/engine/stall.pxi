# Runs that cannot go on: jammed discs, and discs that will never touch anything again.
# uses: state, counting
from libc.math cimport INFINITY, fabs, floor

from hdsim.core.axes cimport AXES, largest_of, square
from hdsim.core.boundary cimport feature_numbered
from hdsim.core.disc cimport Disc, coordinate_at, velocity_at
from hdsim.core.law cimport is_growing
from hdsim.core.obstacle cimport EPSILON, INSIDE, Feature
from hdsim.core.outcome cimport ENDLESS, GO_ON, NEVER, Outcome
from hdsim.core.queue cimport unlikely
from hdsim.core.stall cimport ASK, TOO_LONG, Quiet, Stall, is_counted, is_zero_time, quiet_turn, stall_event, stall_length
from hdsim.core.timers cimport timers_alive
from hdsim.core.tolerances cimport PAIRS_MAX


cdef enum Jam:                  # kinds of jams
    CROWDED = 0                 # discs of which no velocities are found with which they part
    SLOT = 1                    # one disc moves across a slot that is exactly as wide as itself
    ALONG = 2                   # one disc touches an arc from inside and moves along it, or fills it
    SQUEEZED = 3                # bodies are between things that close on them
    PINCHED = 4                 # one disc, smaller than rounding, has no room left between surfaces


cdef inline bint is_along(const Stall* s, const Feature* f, double t, double window) noexcept nogil:
    """Is a chain in zero time one of contacts with the inside of an arc? Its chords take time, but each one less than rounding
    explains: the disc moves along the arc, and leaves it by no more than rounding errors."""
    return f != NULL and f.form == INSIDE and t - s.zero_time_since <= window * (s.zero_time_contacts + 1)


cdef inline void count_in_zero_time(EngineC* e, double t, double window) noexcept nogil:
    """Count the contact event at clock t. window: a length of time that rounding explains. In a long chain of contact events
    in zero time, the contacts of each disc are counted."""
    cdef bint goes_on = is_zero_time(&e.stall, t, window) or is_along(&e.stall, e.impact.cluster.executed[0].feature, t, window)
    if unlikely(stall_event(&e.stall, goes_on, t, bodies_of(e))):
        count_chain(e)


cdef inline int chain_length(const EngineC* e, int i, int j, double t, double window) noexcept nogil:
    """The number of contacts of disc i, or of its partner j if that is a disc with more of them, in the present chain of contacts
    in zero time; 0 if the chain is short, or over: a contact at clock t with this window does not belong to it."""
    if not unlikely(is_counted(&e.stall)) or not (
            is_zero_time(&e.stall, t, window) or is_along(&e.stall, feature_numbered(&e.boundary, j), t, window)):
        return 0
    return stall_length(&e.stall, i, j)


cdef void lengthen_chain(EngineC* e, int contacts) noexcept nogil:
    """Count these contacts of the collected discs in advance: a chain that is solved together once is so long that it is not
    solved again."""
    cdef int k
    for k in range(e.impact.cluster.members):
        e.stall.zero_time_counter[e.impact.cluster.member[k].body] += contacts


cdef inline bint is_in_chain(const EngineC* e, int i, int j) noexcept nogil:
    """Have discs i and j both been in contacts of the present long chain?"""
    return e.stall.zero_time_counter[i] > 0 and e.stall.zero_time_counter[j] > 0


cdef inline void stall_tell(Stall* s, Jam jam, int disc, int one, int other) noexcept nogil:
    """Say of a jam what it is. disc: the disc that is jammed alone; one, other: what it touches, as the partners of contacts."""
    s.jam = jam
    s.jammed = disc
    s.touched[0] = one
    s.touched[1] = other


cdef enum:
    NO_AXIS = -1


cdef inline int axis_of_motion(const Disc* a, const Disc* b, double clock) noexcept nogil:
    """The only axis along which the velocities of two discs differ at a clock; NO_AXIS for none, AXES for several."""
    cdef int k
    cdef int axis = NO_AXIS
    for k in range(AXES):
        if velocity_at(a, k, clock) != velocity_at(b, k, clock):
            axis = k if axis == NO_AXIS else AXES
    return axis


cdef bint lanes_are_clear(const Disc* a, const Disc* b, const EngineC* e) noexcept nogil:
    """Is it certain that these discs never touch each other? True for equal velocities, for pairs that cannot collide at all, and
    for relative motion along a periodic axis, on lanes that do not touch. In all other cases False, which says nothing."""
    cdef double apart[AXES]     # across the motion, in contact distances
    cdef double touch = a.radius + b.radius
    cdef int k
    cdef int axis = axis_of_motion(a, b, e.clock.now)
    if axis == NO_AXIS or touch == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return True
    if axis == AXES or not e.box.periodic[axis]:
        return False
    for k in range(AXES):
        apart[k] = 0.0
        if k != axis:
            apart[k] = fabs(coordinate_at(b, k, e.clock.now) - coordinate_at(a, k, e.clock.now))
            if e.box.periodic[k]:
                apart[k] -= floor(apart[k] / e.box.length[k]) * e.box.length[k]
                apart[k] = min(apart[k], e.box.length[k] - apart[k])
            if apart[k] >= touch:
                return True
            apart[k] /= touch
    return square(apart) > 1.0 + 16.0 * EPSILON     # of one number, a quotient below 1, this is never so


cdef bint nothing_left(const EngineC* e) noexcept nogil:
    """Is it certain that no disc ever touches anything again, and that no timer is due? Called after many crossings without a
    contact, which only a box with a periodic axis can have. False where it is not certain, also for more than PAIRS_MAX discs."""
    cdef int i, j, k
    if timers_alive(&e.timers) > 0 or is_growing(&e.law) or e.obstacles.next_change < e.obstacles.changes:
        return False
    if e.n == 0:        # pistons go on up to the end of a run, if it has one
        return e.end.horizon == INFINITY
    if e.movers.movers > 0 or e.pistons.count > 0 or e.law.fall.falls:
        return False
    for i in range(e.n if e.boundary.features > 0 else 0):      # what moves may touch an obstacle
        if largest_of(e.disc[i].v) != 0.0:
            return False
    for i in range(e.n):
        for k in range(AXES):
            if not e.box.periodic[k] and velocity_at(&e.disc[i], k, e.clock.now) != 0.0:
                return False
    for i in range(1, e.n):
        if axis_of_motion(&e.disc[i], &e.disc[0], e.clock.now) != NO_AXIS:
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


cdef Outcome no_event_outcome(EngineC* e) noexcept nogil:
    """Count a turn of the loop without a contact. Returns GO_ON if the run is to go on; NEVER if there were many such turns and
    no contact will ever come, for certain; ENDLESS after the most turns that a run without an end may have."""
    cdef Quiet quiet = quiet_turn(&e.stall, e.n)
    cdef Outcome outcome = ENDLESS if quiet == TOO_LONG else GO_ON
    if quiet == ASK and nothing_left(e):
        reset_no_event_counter(e)
        outcome = NEVER
    return outcome
