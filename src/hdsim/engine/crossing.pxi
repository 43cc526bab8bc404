# The event in which a disc enters another cell, or gets another window and neighbour list.
# uses: state, counting, motion, schedule, window, search, planning
from hdsim.core.axes cimport AXES
from hdsim.core.cells cimport Cells, Place, cells_link, cells_step, cells_unlink
from hdsim.core.cells_around cimport cells_ahead, cells_ahead_up, cells_neighbours
from hdsim.core.level cimport LEVELS_MAX, Block, Level, block_ahead, level_index, whole_block
from hdsim.core.neighbour_list cimport lists_candidates, lists_lift, lists_place, lists_rebuild
from hdsim.core.candidates cimport CANDIDATES_MAX
from hdsim.core.disc cimport Disc
from hdsim.core.prediction cimport Prediction, is_invalidated


cdef inline int level_crossed(int rank, const short* before, const int* after, const int* wrap) noexcept nogil:
    """The coarsest level on which a step from one cell of level `rank` to another leads into another cell; 0 round a periodic
    edge, where even a single cell is entered in another image."""
    cdef int k, axis
    for k in range(rank):
        for axis in range(AXES):
            if wrap[axis] != 0 or before[axis] >> (rank - k) != after[axis] >> (rank - k):
                return k
    return rank


cdef void cross(EngineC* e, int i) noexcept nogil:
    """Disc i enters the next cell. Its prediction is extended by the discs in the cells that come into reach: three (nine in
    three axes) on each level whose boundary it crosses. The stored state of the disc does not change."""
    cdef Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef Place at = c.place[i]
    cdef const Level* v = &c.level[at.rank]
    cdef Search* s = &e.search[0]
    cdef double t = e.stored[i].prediction.t
    cdef int partner = e.stored[i].prediction.partner
    cdef short step[AXES]
    cdef int to[AXES]
    cdef int wrap[AXES]
    cdef int k
    cdef Block ahead
    cdef int count = -1
    cdef int left = LEVELS_MAX      # the finest level whose discs are still to be considered
    cdef long long exact_evaluations = e.counters.statistics.exact_evaluations
    for k in range(AXES):
        step[k] = e.stored[i].prediction.step[k]
        to[k] = cells_step(at.at[k], step[k], v.cells[k], c.box.periodic[k], &wrap[k])
        d.wrap.at[k] += wrap[k]
    count_crossing(e)
    s.prediction = &e.stored[i].prediction
    cells_unlink(c, i)
    cells_link(c, i, to)
    predict_exit_by_cell(e, i, s.prediction)
    if e.modes.plain:
        count = cells_ahead(c, i, step, CANDIDATES_MAX, s.near)
    elif e.modes.minimum_image <= at.rank == e.modes.finest:
        count = cells_ahead_up(c, i, step, e.modes.minimum_image, CANDIDATES_MAX, s.near)
    if 0 <= count <= CANDIDATES_MAX:    # most often
        s.nearest = True
        look_roughly(e, i, count, s)
        pick_by_bounds(e, i, s)
        left = e.modes.minimum_image - 1
    if left >= 0:
        ahead = block_ahead(step)
        predict_against_cells(e, i, &ahead, level_crossed(at.rank, at.at, to, wrap), left, s)
    commit_after(e, i, t, partner, exact_evaluations)


cdef inline void commit_after(EngineC* e, int i, double t, int partner, long long exact_evaluations) noexcept nogil:
    """Commit the prediction of disc i after a search among further candidates. Before the search it held a contact with `partner`
    at clock t, and the number of exact evaluations was `exact_evaluations`."""
    cdef Prediction* c = &e.stored[i].prediction
    if c.t != t or c.partner != partner:
        commit(e, i)
        return
    # The contact is unchanged, invalidated or not. But an invalidated one may just have been found again, at the very same time:
    # then it must be predicted again at t, and not postponed.
    if e.counters.statistics.exact_evaluations != exact_evaluations and is_invalidated(&e.stored[i], e.disc, i):
        c.second = t
    requeue(e, i)


cdef void rebuild_list(EngineC* e, int i) noexcept nogil:
    """Disc i leaves its own window: it gets a new one, its neighbour list is rebuilt, and its prediction is extended by the
    neighbours that are new to the list."""
    cdef Cells* c = &e.cells
    cdef const Place* at = &c.place[i]
    cdef const Level* v = c.level
    cdef Search* s = &e.search[0]
    cdef double t = e.stored[i].prediction.t
    cdef int partner = e.stored[i].prediction.partner
    cdef long long exact_evaluations = e.counters.statistics.exact_evaluations
    cdef Block around = whole_block()
    cdef double r[AXES]
    cdef int to[AXES]
    cdef int k, count
    cdef bint moved = False
    count_crossing(e)
    find_place(e, i, e.clock.current, 0.0, r)
    level_index(v, r, to)
    for k in range(AXES):
        moved |= to[k] != at.at[k]
    lists_lift(&e.lists, c, i)
    if moved:
        cells_unlink(c, i)
        cells_link(c, i, to)
    lists_place(&e.lists, c, e.disc, i, r)
    s.prediction = &e.stored[i].prediction
    predict_exit_by_list(e, i, s.prediction)
    count = lists_candidates(&e.lists, c, i, r, CANDIDATES_MAX, s.near)
    if count < 0:       # rarely, where discs overlap or some are small
        cells_neighbours(c, i, &around, 0, 0)
        lists_rebuild(&e.lists, e.disc, i, c.near, <int>(c.batch[c.batches - 1].end - c.near))
        predict_disc(e, i)
        return
    count = lists_rebuild(&e.lists, e.disc, i, s.near, count)
    if count > CANDIDATES_MAX:
        predict_disc(e, i)
        return
    s.nearest = True
    look_roughly(e, i, count, s)
    pick_by_bounds(e, i, s)
    commit_after(e, i, t, partner, exact_evaluations)
