# Placing discs in cells, and writing their neighbour lists.
# uses: state, obstacles, motion, refinement
from libc.math cimport copysign

from hdsim.core.axes cimport AXES, span_of
from hdsim.core.cells cimport (NO_DISC, Cells, Place, cells_chain, cells_clear, cells_gather, cells_link, cells_place,
                               cells_step, cells_unlink)
from hdsim.core.grid cimport Radii, add_radius, no_radii
from hdsim.core.level cimport Block, Level, block_begin, block_next, block_of_buckets
from hdsim.core.mechanisms cimport REFINEMENT
from hdsim.core.neighbour_list cimport lists_fill, lists_place, lists_suit
from hdsim.core.disc cimport Disc, speed_of


cdef void place_all(EngineC* e, double clock, double low) noexcept nogil:
    """Place all discs in cells at clock + low; and in windows with neighbour lists, if the discs are dense enough."""
    cdef double r[AXES]
    cdef Radii radii = no_radii()
    cdef bint lists_in_use
    cdef int i
    for i in range(e.n):
        add_radius(&radii, e.disc[i].radius)
    if REFINEMENT and e.options.suiting and e.n > 0:
        suit_cells(e, &radii, clock, low)
    lists_in_use = e.options.with_days and lists_suit(&e.lists, &e.cells, 2.0 * radii.total / max(e.n, 1), radii.largest)
    cells_clear(&e.cells)
    for i in range(e.n):
        find_place(e, i, clock, low, r)
        cells_place(&e.cells, i, r, e.disc[i].radius)
        if lists_in_use:
            lists_place(&e.lists, &e.cells, e.disc, i, r)
    cells_chain(&e.cells)
    obstacles_place(e, radii.smallest)
    for i in range(e.cells.level[0].buckets[AXES - 1] if lists_in_use else 0):
        list_row(e, i)


cdef inline int* gather_row(EngineC* e, const Level* v, int row) noexcept nogil:
    """Write the discs of a row of cells (of a plane in three axes; of buckets, if cells are hashed) to `affected`, and return
    where they end. In this order the neighbours of a disc are mostly in the cache."""
    cdef int* end = e.affected.disc
    cdef Block block = block_of_buckets(v)
    cdef int at[AXES]
    block.low[AXES - 1] = row
    block.cells[AXES - 1] = 1
    for _ in range(block_begin(&block, at)):
        end = cells_gather(&e.cells, v, at, end)
        block_next(&block, at)
    return end


cdef void list_row(EngineC* e, int row) noexcept nogil:
    """Write the neighbour lists of the discs of a row, or plane, of cells, when all discs are placed."""
    cdef int* end = gather_row(e, &e.cells.level[0], row)
    cdef int* next = e.affected.disc
    while next != end:
        lists_fill(&e.lists, &e.cells, e.disc, next[0])
        next += 1


cdef inline void note_speed(EngineC* e, int i) noexcept nogil:
    """Raise the highest speed of the level of disc i to the speed of disc i, and a margin for rounding."""
    cdef Level* v = &e.cells.level[e.cells.place[i].rank]
    cdef const Disc* d = &e.disc[i]
    if span_of(d.v) > v.fastest:
        v.fastest = max(v.fastest, speed_of(d) * 1.000001)


cdef inline int step_ahead(double offset, double v, double radius, double side) noexcept nogil:
    """Along one axis, for a disc at `offset` from the centre of its cell: 1 or -1 if the whole disc is in the window of the next
    cell in the direction of flight, which begins at that centre, else 0. A disc at rest may go in either direction. Branch-free:
    signs are unpredictable, so a branch would be mispredicted every second time."""
    cdef double sign = copysign(1.0, v)
    return <int>sign & -<int>(sign * offset > radius + 1e-6 * side)


cdef inline void list_ahead(EngineC* e, int i) noexcept nogil:
    """Put disc i, whose stored clock is the present one, into the next cell in the direction of flight if it fits the window of
    that cell, so that it crosses fewer cells. A search in all cells around must follow. This does not count as a crossing. It
    only makes the engine faster: a disc may be in any cell whose window it is in, with the same contacts, bit for bit. So the
    body can be deleted, and a build with LISTING_AHEAD 0 makes no call of it."""
    cdef Disc* d = &e.disc[i]
    cdef Cells* c = &e.cells
    cdef Place at = c.place[i]
    cdef const Level* v = &c.level[at.rank]
    cdef int step[AXES]
    cdef int to[AXES]
    cdef int k, wrap
    cdef int moves = 0
    for k in range(AXES):
        step[k] = step_ahead((d.r[k] - d.wrap.at[k] * e.box.length[k]) - (at.at[k] + 0.5) * v.side[k], d.v[k], d.radius,
                             v.side[k])
        moves |= step[k]
    if not moves:
        return
    for k in range(AXES):
        to[k] = cells_step(at.at[k], step[k], v.cells[k], c.box.periodic[k], &wrap)
        if to[k] == NO_DISC:
            to[k] = at.at[k]
        d.wrap.at[k] += wrap
    cells_unlink(c, i)
    cells_link(c, i, to)
