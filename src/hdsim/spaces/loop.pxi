# The loop: takes the first item of the queue and executes its event; the moves of the origin of time; runs that cannot go on.
# uses: state, counting, own, prediction, contact
from libc.math cimport INFINITY

from hdsim.core.calendar cimport calendar_has_more
from hdsim.core.clock cimport clock_rebase, end_rebase, predict_from, set_now
from hdsim.core.observers cimport observers_origin, observers_time, observers_until
from hdsim.core.outcome cimport (BROKEN_OFF, ENDLESS, ENOUGH, FAILED, GO_ON, HAPPENED, IN_JAM, JAMMED, NEVER, NO_CONTACT, RAISED,
                                 REACHED, REFUSED, SLICE_OVER, TIMER, TOO_FAR, Executed, Outcome)
from hdsim.core.queue cimport FIRST
from hdsim.core.restitution cimport restitution_rebase
from hdsim.core.seconds cimport seconds_now
from hdsim.core.space cimport FLAT, OWN, SPHERE, contact_clock, meet_never, wall_clock
from hdsim.core.stall cimport ASK, TOO_LONG, Quiet, quiet_turn, stall_rebase
from hdsim.core.timers cimport timers_alive
from hdsim.core.tolerances cimport PAIRS_MAX, contacts_to_rebase, turns_to_endless
from hdsim.core.vectors cimport AXES_MAX, largest_of

cdef enum:
    ROUND_TURNS = 63            # turns of the loop between two readings of the wall clock; a power of two less 1


cdef void rebase(EngineC* g, double clock, double low) noexcept nogil:
    """Move the origin of time to clock + low, and all bodies to that clock, which becomes 0. The caller must predict all anew. A
    call rounds all positions, so its clock may only depend on the number of contacts, or on a change of state by the user."""
    cdef int i
    while not observers_time(&g.observers, clock, False):
        pass
    for i in range(g.n):
        stream_body(g, i, (clock - g.body[i].t) + low, 0.0)
        g.body[i].generation += 1
    observers_origin(&g.observers, clock, low)
    stall_rebase(&g.stall, clock)
    restitution_rebase(&g.restitution, clock, g.n)
    clock_rebase(&g.clock, clock, low)
    end_rebase(&g.end, &g.clock, clock, low)


cdef bint nothing_left(const EngineC* g) noexcept nogil:
    """Is it certain that no body ever touches anything again, and that no timer is due? False where it is not certain. In an
    unbounded space of convex distances, if no pair has a contact ahead; along periodic axes, if no pair can meet (`meet_never`);
    on the sphere, if all bodies that move have the same speed and have completed a turn."""
    cdef int i, j, k
    cdef double none[AXES_MAX]
    cdef double known = INFINITY, turn = 0.0
    if timers_alive(&g.timers) > 0 or g.space.kind == OWN:
        return False
    if g.space.kind == SPHERE:
        for i in range(g.n):
            if g.body[i].rate > 0.0 and turn > 0.0 and g.body[i].rate != turn:
                return False
            turn = max(turn, g.body[i].rate)
        return (g.clock.current - g.clock.event_time) * turn > 6.29
    if g.n > PAIRS_MAX:
        return False
    for i in range(g.n):
        if g.stored[i].t < INFINITY and g.stored[i].partner < 0:
            return False
    for k in range(AXES_MAX):
        none[k] = 0.0
    for i in range(g.n):
        for k in range(g.walls.count):
            if wall_clock(&g.space, &g.walls.at[k], &g.body[i], g.walls.side[i * g.walls.count + k]) < INFINITY:
                return False
        for j in range(i):
            if g.space.kind == FLAT and largest_of(g.space.length, g.space.axes) > 0.0:
                if not meet_never(&g.space, &g.body[j], &g.body[i], g.clock.current):
                    return False
            elif contact_clock(&g.space, &g.body[j], &g.body[i], none, g.clock.current, INFINITY, &known) < INFINITY:
                return False
    return True


cdef Outcome idle_outcome(EngineC* g) noexcept nogil:
    """Count a turn of the loop without a contact. Returns GO_ON if the run is to go on, NEVER if it is certain that no contact
    will ever come, ENDLESS after the most turns that a run without an end, or any run at one clock, may have."""
    cdef Quiet quiet = quiet_turn(&g.stall, g.n)
    g.still.turns = g.still.turns + 1 if g.clock.current == g.still.since else 0
    g.still.since = g.clock.current
    if g.still.turns > turns_to_endless(g.n):
        return ENDLESS
    if quiet == ASK and nothing_left(g):
        reset_no_event_counter(g)
        return NEVER
    return ENDLESS if quiet == TOO_LONG else GO_ON


cdef inline Executed execute(EngineC* g, int item, int partner, double t) except BROKEN_OFF nogil:
    """Execute the first item of the queue at clock t. Returns what `contact_event` does, NO_CONTACT for all else."""
    predict_from(&g.clock, t)
    if partner == FIRST:
        count_crossing(g)
        list_body(g, item, t)
        predict_body(g, item)
        return NO_CONTACT
    if is_invalidated(g, item):
        postpone_or_repredict(g, item)
        return NO_CONTACT
    return contact_event(g, item, partner, t)


cdef void move_origin(EngineC* g, double t) noexcept nogil:
    """Move the origin of time to clock t, at which an event has been executed."""
    set_now(&g.clock, t, 0.0)
    count_rebase(g)
    rebase(g, t, 0.0)
    predict_all(g, g.clock.now)


cdef Outcome advance(EngineC* g, int wanted, long long* budget, double deadline) except RAISED nogil:
    """Execute events up to the horizon. wanted: kinds of contact events, as bits, after which to return. Returns an Outcome:
    after a wanted event, after `budget` contact events, and shortly after the deadline, a time of `seconds_now`, at the
    latest."""
    cdef int item, turns = 0
    cdef Executed executed
    cdef Outcome outcome
    cdef double t
    while True:
        turns += 1
        if (turns & ROUND_TURNS == 0 or g.space.kind == OWN) and seconds_now() > deadline:
            return SLICE_OVER
        if not calendar_has_more(&g.queue):
            return NEVER
        item = g.queue.top
        t = g.queue.top_key
        if t > g.observers.next and not observers_until(&g.observers, t, g.end.horizon):
            return SLICE_OVER
        if t > g.end.horizon:
            return REACHED
        if t == INFINITY:
            return NEVER
        if item >= g.n:
            return TIMER
        executed = execute(g, item, g.queue.top_partner, t)
        if g.space.kind == OWN and own_failed(g.space.own):
            return FAILED
        if executed == REFUSED:
            return TOO_FAR
        if executed == NO_CONTACT:
            outcome = idle_outcome(g)
            if outcome != GO_ON:
                return outcome
            continue
        reset_no_event_counter(g)
        budget[0] -= 1
        if g.clock.since_rebase >= contacts_to_rebase(g.n):
            move_origin(g, t)
        if executed == IN_JAM:
            return JAMMED
        if kinds_of_last(g) & wanted != 0:
            return HAPPENED
        if budget[0] <= 0:
            return ENOUGH
