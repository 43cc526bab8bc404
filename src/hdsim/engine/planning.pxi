# New predictions: of the affected discs after a contact, of an invalidated one, and of all discs.
# uses: state, pistons, counting, schedule, search, refinement, placement, modes, prefetch
from hdsim.core.axes cimport AXES
from hdsim.core.clock cimport predict_from
from hdsim.core.level cimport Level
from hdsim.core.mechanisms cimport LISTING_AHEAD
from hdsim.core.memory cimport FETCH_LEAST
from hdsim.core.neighbour_list cimport list_overflows
from hdsim.core.candidates cimport CANDIDATES_MAX
from hdsim.core.prediction cimport Prediction, no_prediction, see_partner
from hdsim.core.queue cimport NO_PARTNER, unlikely

cdef enum:
    FETCH_AHEAD = 8             # discs ahead that are prefetched where the order of discs is known


cdef void predict_disc(EngineC* e, int i) noexcept nogil:
    """Predict disc i anew from the clock of the loop on, and queue its next event."""
    cdef Search* s = &e.search[0]
    search_upwards(e, i, s)
    search_downwards(e, i, s)
    commit(e, i)


cdef inline void predict_pair(EngineC* e, int i, int j) noexcept nogil:
    """Predict two discs anew, as `predict_disc`. Most often each step is done for both before the next one, because the processor
    can overlap the two independent computations."""
    cdef Search* s = &e.search[0]
    cdef int around_i = find_around(e, i, &s[0])
    cdef int around_j = find_around(e, j, &s[1])
    if not (0 <= around_i <= CANDIDATES_MAX and 0 <= around_j <= CANDIDATES_MAX):
        predict_disc(e, i)
        predict_disc(e, j)
        return
    s[0].nearest = s[1].nearest = True
    begin_in_cells(e, i, &s[0])
    begin_in_cells(e, j, &s[1])
    look(e, i, around_i, &s[0])
    look(e, j, around_j, &s[1])
    pick_earliest(e, i, &s[0])
    pick_earliest(e, j, &s[1])
    if not e.modes.plain:
        search_before(e, i, e.modes.minimum_image, &s[0])
        search_before(e, j, e.modes.minimum_image, &s[1])
        search_downwards(e, i, &s[0])
        search_downwards(e, j, &s[1])
    commit(e, i)
    commit(e, j)


cdef void predict_pair_by_list(EngineC* e, int i, int j) noexcept nogil:
    """Predict two discs anew if there are neighbour lists. A function apart from `predict_pair`, because one for both cases is
    1.5 % slower without lists."""
    cdef Search* s = &e.search[0]
    if list_overflows(&e.lists.of[i]) or list_overflows(&e.lists.of[j]):
        predict_disc(e, i)
        predict_disc(e, j)
        return
    search_around(e, i, True, find_in_list(e, i, &s[0]), &s[0])
    search_around(e, j, True, find_in_list(e, j, &s[1]), &s[1])
    pick_earliest(e, i, &s[0])
    pick_earliest(e, j, &s[1])
    commit(e, i)
    commit(e, j)


cdef inline void postpone_or_repredict(EngineC* e, int i) noexcept nogil:
    """The invalidated prediction of disc i is due. None of its other known contacts is earlier than `second`: postpone the disc
    to that time instead of predicting it again, because most often another contact comes first. But a disc of a coarse level has
    searched for smaller discs only up to `t`, so it is predicted again."""
    cdef Prediction* c = &e.stored[i].prediction
    if c.second > c.t and e.cells.place[i].rank >= e.modes.finest:
        c.t = c.second
        c.partner = NO_PARTNER
        requeue(e, i)
    else:
        count_reprediction(e)
        predict_disc(e, i)


cdef void predict_all(EngineC* e, double clock) noexcept nogil:
    """Predict all discs from their stored states, for contacts after `clock`, and fill the queue. All discs must have been placed
    in cells."""
    cdef int i, k
    predict_from(&e.clock, clock)
    for i in range(e.n):
        note_speed(e, i)
        e.stored[i].prediction = no_prediction()
    derive_modes(e)
    open_windows(e)
    for k in range(e.cells.levels):
        for i in range(e.cells.level[k].buckets[AXES - 1] if e.cells.level[k].population > 0 else 0):
            predict_row(e, &e.cells.level[k], i)
    for i in range(e.n, bodies_of(e)):
        find_next_of_piston(e, i)
        see_partner(&e.stored[i], e.disc, i)
    fill_queue(e)
    restart_refinement_counters(e)  # the comparisons made here are not counted as work


cdef void predict_row(EngineC* e, const Level* v, int row) noexcept nogil:
    """Predict the discs of a row, or plane, of cells."""
    cdef Search* s = &e.search[0]
    cdef int* end = gather_row(e, v, row)
    cdef int* next = e.affected.disc
    cdef int i
    while next != end:          # pairs of two levels are compared once, for the finer disc
        i = next[0]
        next += 1
        if e.n >= FETCH_LEAST and end - next > FETCH_AHEAD:
            fetch_disc(e, next[FETCH_AHEAD])
        search_upwards(e, i, s)
        see_partner(&e.stored[i], e.disc, i)


cdef inline void repredict_affected(EngineC* e) noexcept nogil:
    """Predict the affected discs again. Discs whose predicted partner is among them are not notified: they detect it when their
    own event is due."""
    cdef int k
    if unlikely(e.pistons.count > 0):
        predict_pistons(e)
    if LISTING_AHEAD and e.modes.lists_ahead:
        for k in range(e.affected.count):
            list_ahead(e, e.affected.disc[k])
    for k in range(e.affected.count if e.modes.finest > 0 else 0):        # speeds matter only to searches for smaller discs
        note_speed(e, e.affected.disc[k])
    if e.affected.count == 2 and e.modes.lists_in_use:
        predict_pair_by_list(e, e.affected.disc[0], e.affected.disc[1])
    elif e.affected.count == 2:
        predict_pair(e, e.affected.disc[0], e.affected.disc[1])
    else:
        for k in range(e.affected.count):
            predict_disc(e, e.affected.disc[k])
    e.affected.count = 0


cdef void predict_piston(EngineC* e, int body) noexcept nogil:
    """Predict a piston anew from the clock of the loop on, and queue its next event."""
    find_next_of_piston(e, body)
    commit(e, body)


cdef void predict_pistons(EngineC* e) noexcept nogil:
    """Predict the pistons among the affected bodies again, and leave the discs: these consider the pistons then."""
    cdef int kept = 0
    cdef int k
    for k in range(e.affected.count):
        if e.affected.disc[k] < e.n:
            e.affected.disc[kept] = e.affected.disc[k]
            kept += 1
        else:
            piston_of(e, e.affected.disc[k]).busy = True
            predict_piston(e, e.affected.disc[k])
    e.affected.count = kept


cdef inline void mark_affected(EngineC* e, int i) noexcept nogil:
    """Have `repredict_affected` predict disc i again."""
    e.affected.disc[e.affected.count] = i
    e.affected.count += 1
