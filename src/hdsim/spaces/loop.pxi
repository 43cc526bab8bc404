# The loop: takes the first item of the queue and executes its event; the moves of the origin of time; runs that cannot go on.
# uses: state, own, prediction, contact
from libc.math cimport INFINITY

from hdsim.core.calendar cimport calendar_has_more
from hdsim.core.clock cimport clock_rebase, end_rebase, predict_from, set_now
from hdsim.core.observers cimport observers_origin, observers_time
from hdsim.core.queue cimport FIRST
from hdsim.core.seconds cimport seconds_now
from hdsim.core.space cimport FLAT, OWN, SPHERE, contact_clock, meet_never, wall_clock
from hdsim.core.tolerances cimport PAIRS_MAX, QUIET_PER_BODY, contacts_to_rebase, turns_to_endless
from hdsim.core.vectors cimport AXES_MAX

cdef enum:
    ROUND_TURNS = 63            # turns of the loop between two readings of the wall clock; a power of two less 1


cdef void rebase(GasC* g, double clock, double low) noexcept nogil:
    """Move the origin of time to clock + low, and all bodies to that clock, which becomes 0. The caller must predict all anew. A
    call rounds all positions, so its clock may only depend on the number of contacts, or on a change of state by the user."""
    cdef int i
    while not observers_time(&g.observers, clock, False):
        pass
    for i in range(g.n):
        stream_body(g, i, (clock - g.body[i].t) + low, 0.0)
        g.body[i].generation += 1
    observers_origin(&g.observers, clock, low)
    g.stall.zero_time_since -= clock
    g.stall.idle_since -= clock
    clock_rebase(&g.clock, clock, low)
    end_rebase(&g.end, &g.clock, clock, low)
    end_rebase(&g.due, &g.clock, clock, low)


cdef inline void reset_idle(GasC* g) noexcept nogil:
    """Count the turns of the loop without a contact from 0 again."""
    g.stall.idle_turns = 0
    g.stall.idle_limit = QUIET_PER_BODY * (g.n + 1)


cdef void stall_restart(GasC* g) noexcept nogil:
    """Reset all counters, after a change of the states of the bodies."""
    reset_idle(g)
    g.stall.zero_time_since = -INFINITY
    g.stall.zero_time_contacts = 0
    g.stall.idle_since = g.clock.now


cdef bint nothing_left(const GasC* g) noexcept nogil:
    """Is it certain that no body ever touches anything again? False where it is not certain. In an unbounded space of convex
    distances, if no pair has a contact ahead; along periodic axes, if no pair can meet (`meet_never`); on the sphere, if all
    bodies that move have the same speed and have completed a turn."""
    cdef int i, j, k
    cdef double none[AXES_MAX]
    cdef double known = INFINITY, turn = 0.0
    if g.space.kind == SPHERE:
        for i in range(g.n):
            if g.body[i].rate > 0.0 and turn > 0.0 and g.body[i].rate != turn:
                return False
            turn = max(turn, g.body[i].rate)
        return (g.clock.current - g.stall.idle_since) * turn > 6.29
    if g.n > PAIRS_MAX or g.space.kind == OWN:
        return False
    for i in range(g.n):
        if g.stored[i].t < INFINITY and g.stored[i].partner < 0:
            return False
    for k in range(AXES_MAX):
        none[k] = 0.0
    for i in range(g.n):
        for k in range(g.walls):
            if wall_clock(&g.space, &g.wall[k], &g.body[i], g.side[i * g.walls + k]) < INFINITY:
                return False
        for j in range(i):
            if g.space.kind == FLAT and is_periodic(g):
                if not meet_never(&g.space, &g.body[j], &g.body[i], g.clock.current):
                    return False
            elif contact_clock(&g.space, &g.body[j], &g.body[i], none, g.clock.current, INFINITY, &known) < INFINITY:
                return False
    return True


cdef inline bint is_periodic(const GasC* g) noexcept nogil:
    cdef int k
    for k in range(g.space.axes):
        if g.space.length[k] > 0.0:
            return True
    return False


cdef inline int outcome_of_nothing(const GasC* g) noexcept nogil:
    """The Outcome where no contact will ever come: a timer may be due."""
    return TIMER if g.due.target < INFINITY and g.due.horizon <= g.end.horizon else NEVER


cdef int idle_outcome(GasC* g) noexcept nogil:
    """Count a turn of the loop without a contact. Returns HAPPENED if the run is to go on, NEVER if it is certain that no contact
    will ever come, ENDLESS after the most turns that a run without an end may have."""
    g.stall.idle_turns += 1
    g.stall.still_turns = g.stall.still_turns + 1 if g.clock.current == g.stall.still_since else 0
    g.stall.still_since = g.clock.current
    if g.stall.still_turns > turns_to_endless(g.n):
        return ENDLESS
    if g.stall.idle_turns <= g.stall.idle_limit:
        return HAPPENED
    if g.stall.idle_turns > g.stall.idle_most:
        reset_idle(g)
        return ENDLESS
    if nothing_left(g):
        reset_idle(g)
        return outcome_of_nothing(g)
    g.stall.idle_limit = min(2 * g.stall.idle_limit, g.stall.idle_most)
    return HAPPENED


cdef inline int execute(GasC* g, int item, int partner, double t) except -1 nogil:
    """Execute the first item of the queue at clock t. Returns what `contact_event` does, 0 for all else."""
    predict_from(&g.clock, t)
    if partner == FIRST:
        g.statistics.listings += 1
        list_body(g, item, t)
        predict_body(g, item)
        return 0
    if is_invalidated(g, item):
        postpone_or_repredict(g, item)
        return 0
    return contact_event(g, item, partner, t)


cdef void move_origin(GasC* g, double t) noexcept nogil:
    """Move the origin of time to clock t, at which an event has been executed."""
    set_now(&g.clock, t, 0.0)
    g.statistics.rebases += 1
    rebase(g, t, 0.0)
    predict_all(g, g.clock.now)


cdef int advance(GasC* g, int wanted, long long* budget, double deadline) except -1 nogil:
    """Execute events up to the horizon. wanted: kinds of contact events, as bits, after which to return. Returns an Outcome:
    after a wanted event, after `budget` contact events, and shortly after the deadline, a time of `seconds_now`, at the
    latest."""
    cdef int item, partner, happened
    cdef int turns = 0
    cdef double t
    while True:
        turns += 1
        if (turns & ROUND_TURNS == 0 or g.space.kind == OWN) and seconds_now() > deadline:
            return SLICE_OVER
        if not calendar_has_more(&g.queue):
            return outcome_of_nothing(g)
        item = g.queue.top
        partner = g.queue.top_partner
        t = g.queue.top_key
        if t > g.observers.next and not observers_time(&g.observers, t, False):
            return SLICE_OVER
        if t > g.due.horizon and g.due.horizon <= g.end.horizon:
            return TIMER
        if t > g.end.horizon:
            return REACHED
        if t == INFINITY:
            return outcome_of_nothing(g)
        happened = execute(g, item, partner, t)
        if g.space.kind == OWN and own_failed(g.space.own):
            return FAILED
        if happened == 3:
            return TOO_FAR
        if happened == 0:
            happened = idle_outcome(g)
            if happened != HAPPENED:
                return happened
            continue
        reset_idle(g)
        budget[0] -= 1
        if g.clock.since_rebase >= contacts_to_rebase(g.n):
            move_origin(g, t)
        if happened == 2:
            return JAMMED
        if kinds_of_last(g) & wanted != 0:
            return HAPPENED
        if budget[0] <= 0:
            return ENOUGH


cdef inline int kinds_of_last(const GasC* g) noexcept nogil:
    """The kinds of the last contact event, as bits of KINDS."""
    cdef int k
    cdef int kinds = IS_MULTI if g.cluster.executions > 1 else 0
    for k in range(g.cluster.executions):
        kinds |= HOLDS_WALL if g.cluster.executed[k].j < 0 else HOLDS_PAIR
    return kinds
