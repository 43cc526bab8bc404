# Placing discs in cells, and writing their neighbour lists.
# uses: state, obstacles, motion, refinement
from libc.math cimport copysign, fabs

from hdsim.core.axes cimport AXES
from hdsim.core.cells cimport (NO_DISC, Cells, Level, Place, cells_chain, cells_clear, cells_gather, cells_link, cells_place,
                               cells_step, cells_unlink)
from hdsim.core.grid cimport Radii, add_radius, no_radii
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
        find_place(e, i, clock, low, &r[0], &r[1])
        cells_place(&e.cells, i, r[0], r[1], e.disc[i].radius)
        if lists_in_use:
            lists_place(&e.lists, i, r)
    cells_chain(&e.cells)
    obstacles_place(e, radii.smallest)
    for i in range(e.cells.level[0].buckets_y if lists_in_use else 0):
        list_row(e, i)


cdef inline int* gather_row(EngineC* e, const Level* v, int row) noexcept nogil:
    """Write the discs of a row of cells (of buckets, if cells are hashed) to `affected`, and return where they end. In this order
    the neighbours of a disc are mostly in the cache."""
    cdef int* end = e.affected.disc
    cdef int column
    for column in range(v.buckets_x):
        end = cells_gather(&e.cells, v, column, row, end)
    return end


cdef void list_row(EngineC* e, int row) noexcept nogil:
    """Write the neighbour lists of the discs of a row of cells, when all discs are placed."""
    cdef int* end = gather_row(e, &e.cells.level[0], row)
    cdef int* next = e.affected.disc
    while next != end:
        lists_fill(&e.lists, &e.cells, e.disc, next[0])
        next += 1


cdef inline void note_speed(EngineC* e, int i) noexcept nogil:
    """Raise the highest speed of the level of disc i to the speed of disc i, and a margin for rounding."""
    cdef Level* v = &e.cells.level[e.cells.place[i].rank]
    cdef const Disc* d = &e.disc[i]
    if fabs(d.vx) + fabs(d.vy) > v.fastest:
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
    cdef int step_x = step_ahead((d.x - d.wrap.x * e.box.width) - (at.column + 0.5) * v.side_x, d.vx, d.radius, v.side_x)
    cdef int step_y = step_ahead((d.y - d.wrap.y * e.box.height) - (at.row + 0.5) * v.side_y, d.vy, d.radius, v.side_y)
    cdef int wrap_x, wrap_y, column, row
    if not step_x | step_y:
        return
    column = cells_step(at.column, step_x, v.columns, c.box.periodic_x, &wrap_x)
    row = cells_step(at.row, step_y, v.rows, c.box.periodic_y, &wrap_y)
    if column == NO_DISC:
        column = at.column
    if row == NO_DISC:
        row = at.row
    d.wrap.x += wrap_x
    d.wrap.y += wrap_y
    cells_unlink(c, i)
    cells_link(c, i, column, row)
