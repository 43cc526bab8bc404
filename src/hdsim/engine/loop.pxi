# The loop: takes the first item of the queue and executes its event, again and again.
# uses: state, pistons, counting, stall, squeeze, clock, schedule, refinement, placement, prefetch, planning, crossing,
#       resolution, callbacks
from libc.math cimport INFINITY

from hdsim.core.calendar cimport calendar_has_more
from hdsim.core.exact cimport likely
from hdsim.core.clock cimport predict_from, set_now
from hdsim.core.mechanisms cimport PREFETCH
from hdsim.core.observers cimport observers_until
from hdsim.core.outcome cimport (CHANGED, ENOUGH, GO_ON, HAPPENED, IN_JAM, JAMMED, NEVER, NO_CONTACT, PASSED, RAISED, REACHED,
                                 SLICE_OVER, STOPPED, TIMER, Outcome)
from hdsim.core.prediction cimport is_invalidated
from hdsim.core.queue cimport FIRST, unlikely
from hdsim.core.seconds cimport seconds_now

cdef enum:
    ROUND_TURNS = 255           # turns of the loop between two readings of the wall clock; a power of two less 1


cdef void reconsider_cells(EngineC* e, double t) noexcept nogil:
    """During a run, at clock t: choose other cells if they are known to cost less, or may be worth a trial. The run goes on to
    the same bits."""
    if learn(e):
        place_all(e, t, 0.0)
        predict_all(e, t)
    else:
        set_refinement_due(e)


cdef void begin_anew(EngineC* e, double t) noexcept nogil:
    """Move the origin of the clock to clock t, and predict all discs again."""
    rebase(e, t, 0.0)
    # It saves crossings, but with lists costs more than that; discs that fall have other coordinates now.
    if not e.modes.lists_in_use or e.law.fall.falls:
        place_all(e, e.clock.now, e.clock.now_low)
    predict_all(e, e.clock.now)


cdef bint begin_in_turn(EngineC* e, double t) noexcept nogil:
    """The origin of the clock moves to clock t because so many contacts have come. Is there a squeeze to be told?"""
    cdef bint squeezed = is_squeezed(e, t, e.clock.since_rebase)
    if squeezed:
        stall_tell(&e.stall, SQUEEZED, 0, 0, 0)
    set_now(&e.clock, t, 0.0)
    count_rebase(e)
    begin_anew(e, t)
    return squeezed


cdef void begin_fall_anew(EngineC* e) noexcept nogil:
    """The origin of the clock moves because the frame has fallen far enough."""
    set_now(&e.clock, e.law.fall.due, 0.0)
    begin_anew(e, e.law.fall.due)


cdef void move_on(EngineC* e, int body, bint leaves) noexcept nogil:
    """The prediction of a piston is due, which is no contact: it leaves its window, or the partner of its contact has changed its
    state."""
    if leaves:
        count_crossing(e)
        move_window(e, body)
    else:
        count_reprediction(e)
    predict_piston(e, body)


cdef Outcome change_event(EngineC* e, int wanted) except RAISED nogil:
    """An obstacle comes or goes. Returns what `silent_outcome` does."""
    cdef Change change = e.obstacles.change[e.obstacles.next_change]
    make_change(e)
    if wanted & IS_DEVICE:
        report_bare(e, IS_DEVICE, change.time, change.obstacle)
    return silent_outcome(e, wanted, IS_DEVICE, CHANGED)


cdef Outcome silent_outcome(EngineC* e, int wanted, int kind, Outcome reported) except RAISED nogil:
    """After an event of this kind, without a contact: returns `reported` if it is to be reported, STOPPED if a callback in
    machine code asks for the end of the run, else GO_ON."""
    if e.callbacks.reported_kinds & kind:
        return reported
    if wanted & kind and call_natives(e, kind) != 0:
        return STOPPED
    return GO_ON


cdef Outcome advance(EngineC* e, int wanted, long long* budget, double deadline) except RAISED nogil:
    """Execute events up to the horizon. wanted: kinds of events after which callbacks in machine code are called, or which are
    reported (`reported_kinds`). Returns an Outcome: after a reported event, when a callback asks for it, when a timer is due,
    after `budget` events, and shortly after the deadline, a time of `seconds_now`, at the latest. budget[0] is reduced by the
    events executed, contact events and changes of obstacles."""
    cdef int item, partner, kinds
    cdef int executed           # an Executed, LET_IN or TURNED
    cdef Outcome outcome
    cdef int turns = 0
    cdef double t
    while True:
        turns += 1
        if turns & ROUND_TURNS == 0 and seconds_now() > deadline:
            return SLICE_OVER
        if not calendar_has_more(&e.queue):
            if not (e.law.fall.falls and e.law.fall.due <= e.end.horizon):
                return NEVER
            begin_fall_anew(e)      # discs may touch something afterwards: predictions of discs that fall end there
            continue
        if PREFETCH and e.modes.prefetch_mode != THIS_EVENT and e.queue.today != e.prefetch.prefetched_on:
            if e.modes.prefetch_mode == FAR_DAYS:
                prefetch_far(e)
            else:
                prefetch_near(e)
        item = e.queue.top
        partner = e.queue.top_partner
        t = e.queue.top_key
        if unlikely(t > e.law.fall.due) and e.law.fall.due <= e.end.horizon:
            begin_fall_anew(e)
            continue
        if t > e.observers.next and not observers_until(&e.observers, t, e.end.horizon):
            return SLICE_OVER
        if t > e.end.horizon:
            return REACHED
        if t == INFINITY:
            return NEVER
        if item >= bodies_of(e):
            if item < change_item(e):
                return TIMER
            budget[0] -= 1
            outcome = change_event(e, wanted)
            if outcome != GO_ON:
                return outcome
            if budget[0] <= 0:
                return ENOUGH
            continue
        predict_from(&e.clock, t)
        if likely(max(item, partner) < e.n):
            fetch_pair(e, item, partner)
        if unlikely(item >= e.n) and (partner == FIRST or is_invalidated(&e.stored[item], e.disc, item)):
            move_on(e, item, partner == FIRST)
            executed = NO_CONTACT
        elif partner == FIRST:
            if e.modes.lists_in_use:
                rebuild_list(e, item)
            else:
                cross(e, item)
                if e.counters.statistics.crossings >= e.refinement.crossings_due:
                    reconsider_cells(e, t)
            executed = NO_CONTACT
        elif is_invalidated(&e.stored[item], e.disc, item):
            postpone_or_repredict(e, item)
            executed = NO_CONTACT
        else:
            executed = contact_event(e, item, partner, t)
        if executed >= LET_IN:      # pistons may turn for ever, and no report tells of it
            budget[0] -= 1
            if executed == LET_IN:
                reset_no_event_counter(e)
            outcome = silent_outcome(e, wanted, IS_PASS, PASSED) if executed == LET_IN else no_event_outcome(e)
            if outcome != GO_ON:
                return outcome
            if budget[0] <= 0:
                return ENOUGH
            continue
        if executed == NO_CONTACT:
            outcome = no_event_outcome(e)
            if outcome != GO_ON:
                return outcome
            continue
        reset_no_event_counter(e)
        budget[0] -= 1
        if e.clock.since_rebase >= e.refinement.refinement_due:
            if e.clock.since_rebase >= rebase_due(e):
                if begin_in_turn(e, t):
                    executed = IN_JAM
            else:
                reconsider_cells(e, t)
        if executed == IN_JAM:
            return JAMMED
        if wanted != 0:
            kinds = kinds_of_last(e)
            if kinds & e.callbacks.reported_kinds != 0:
                return HAPPENED
            if kinds & wanted != 0 and call_natives(e, kinds) != 0:
                return STOPPED
        if budget[0] <= 0:
            return ENOUGH
