# What discs do next: after a contact, and when everything is planned anew.
# uses: state, counting, schedule, search, refinement, placement, modes, prefetch
from hdsim.core.cells cimport Level
from hdsim.core.clock cimport predict_from
from hdsim.core.mechanisms cimport LISTING_AHEAD
from hdsim.core.memory cimport FETCH_LEAST
from hdsim.core.neighbour_list cimport list_overflows
from hdsim.core.candidates cimport CANDIDATES_MAX
from hdsim.core.prediction cimport Prediction, no_prediction, see_partner
from hdsim.core.queue cimport NO_PARTNER

cdef enum:
    FETCH_AHEAD = 8             # discs, where the order is known


cdef void predict_disc(EngineC* e, int i) noexcept nogil:
    """Everything that disc i may do next, at the clock of the loop."""
    cdef Search* s = &e.search[0]
    search_upwards(e, i, s)
    search_downwards(e, i, s)
    commit(e, i)


cdef inline void predict_pair(EngineC* e, int i, int j) noexcept nogil:
    """The same for two discs; most often step by step for both, so that the processor need not wait for one."""
    cdef Search* s = &e.search[0]
    cdef int around_i = find_around(e, i, &s[0])
    cdef int around_j = find_around(e, j, &s[1])
    if not (0 <= around_i <= CANDIDATES_MAX and 0 <= around_j <= CANDIDATES_MAX):
        predict_disc(e, i)
        predict_disc(e, j)
        return
    search_around(e, i, False, around_i, &s[0])
    search_around(e, j, False, around_j, &s[1])
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
    """The same where there are lists. By itself: one function for both is 1.5 % slower without lists."""
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
    """The time of the void plan of disc i has come. Of its own choice it can meet nobody before `second`, and most often
    another contact comes first: put it off until then. But among smaller discs it has looked no further than `t`."""
    cdef Prediction* c = &e.stored[i].prediction
    if c.second > c.t and e.cells.place[i].rank >= e.modes.finest:
        c.t = c.second
        c.partner = NO_PARTNER
        requeue(e, i)
    else:
        count_reprediction(e)
        predict_disc(e, i)


cdef void predict_all(EngineC* e, double clock) noexcept nogil:
    """Plans and queue from the stored states, for discs that have their places in cells."""
    cdef int i, k
    predict_from(&e.clock, clock)
    for i in range(e.n):
        note_speed(e, i)
        e.stored[i].prediction = no_prediction()
    derive_modes(e)
    for k in range(e.cells.levels):
        for i in range(e.cells.level[k].buckets_y if e.cells.level[k].population > 0 else 0):
            predict_row(e, &e.cells.level[k], i)
    fill_queue(e)
    restart_refinement_counters(e)  # what has been looked at here does not count


cdef void predict_row(EngineC* e, const Level* v, int row) noexcept nogil:
    """Plan the discs of a row of cells."""
    cdef Search* s = &e.search[0]
    cdef int* end = gather_row(e, v, row)
    cdef int* next = e.affected.disc
    cdef int i
    while next != end:          # pairs of two levels only once: the finer disc looks
        i = next[0]
        next += 1
        if e.n >= FETCH_LEAST and end - next > FETCH_AHEAD:
            fetch_disc(e, next[FETCH_AHEAD])
        search_upwards(e, i, s)
        see_partner(&e.stored[i], e.disc, i)


cdef inline void repredict_affected(EngineC* e) noexcept nogil:
    """Plan the affected discs again. Who waits for one of them finds out when the time of that contact comes."""
    cdef int k
    if LISTING_AHEAD and e.modes.lists_ahead:
        for k in range(e.affected.count):
            list_ahead(e, e.affected.disc[k])
    for k in range(e.affected.count if e.modes.finest > 0 else 0):        # only larger discs look as far as others are fast
        note_speed(e, e.affected.disc[k])
    if e.affected.count == 2 and e.modes.lists_in_use:
        predict_pair_by_list(e, e.affected.disc[0], e.affected.disc[1])
    elif e.affected.count == 2:
        predict_pair(e, e.affected.disc[0], e.affected.disc[1])
    else:
        for k in range(e.affected.count):
            predict_disc(e, e.affected.disc[k])
    e.affected.count = 0


cdef inline void mark_affected(EngineC* e, int i) noexcept nogil:
    e.affected.disc[e.affected.count] = i
    e.affected.count += 1
