# cython: language_level=3, wraparound=False, cdivision=True
"""Which discs are near: a grid of cells over the box, each with a list of its discs.

A cell is at least as wide as the largest contact distance, so discs that can touch stand in the same
or in adjacent cells. Membership is by index, never by position: rounding may put a centre a last bit
outside its cell, and that must not matter. Knows no time, no velocity, no physics.
"""
from libc.math cimport floor, sqrt
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy


cdef enum:
    NO_DISC = -1
    SLOTS = 4               # discs of a cell that stand side by side; equal discs rarely need more
    CELLS_PER_SIDE_MAX = 16384      # keeps the number of a cell inside 32 bits
    LEVELS_MAX = 40


cdef struct Cells:
    double width, height
    bint periodic_x, periodic_y
    int columns, rows
    double side_x, side_y       # of one cell
    int* count                  # [row * columns + column] -> how many discs
    int* slot                   # [SLOTS * cell + k] -> the first of them
    int* spill                  # [cell] -> the first of the others, a doubly linked list, or NO_DISC
    int* next                   # [disc] -> the next one in that list
    int* previous               # [disc]
    int* column                 # [disc]
    int* row                    # [disc]
    int discs


cdef inline int cells_along(double length, double side) noexcept nogil:
    """How many cells of at least `side` fit into `length`; at least 1."""
    cdef double n = floor(length / side) if side > 0.0 else CELLS_PER_SIDE_MAX
    if n < 1.0:
        return 1
    return <int>n if n < CELLS_PER_SIDE_MAX else CELLS_PER_SIDE_MAX


cdef inline double cells_least_side(double radius_max) noexcept nogil:
    """The largest contact distance, and a margin that dwarfs rounding: a pair must become
    neighbours before it can touch."""
    return 2.0 * radius_max * 1.000001


cdef inline int cells_create(Cells* c, int discs, double width, double height, bint periodic_x,
                             bint periodic_y, int columns, int rows) except -1 nogil:
    c.width = width
    c.height = height
    c.periodic_x = periodic_x
    c.periodic_y = periodic_y
    c.columns = columns
    c.rows = rows
    c.side_x = width / columns
    c.side_y = height / rows
    c.discs = discs
    cdef size_t room = <size_t>(discs if discs > 0 else 1)
    cdef size_t cells = <size_t>columns * rows
    c.count = <int*>malloc(cells * sizeof(int))
    c.slot = <int*>calloc(cells * SLOTS, sizeof(int))
    c.spill = <int*>malloc(cells * sizeof(int))
    c.next = <int*>malloc(room * sizeof(int))
    c.previous = <int*>malloc(room * sizeof(int))
    c.column = <int*>malloc(room * sizeof(int))
    c.row = <int*>malloc(room * sizeof(int))
    if (c.count == NULL or c.slot == NULL or c.spill == NULL or c.next == NULL or c.previous == NULL or c.column == NULL
            or c.row == NULL):
        cells_free(c)
        with gil:
            raise MemoryError(f"no memory for {columns} x {rows} cells of {discs} discs")
    cells_clear(c)
    return 0


cdef inline void cells_free(Cells* c) noexcept nogil:
    free(c.count)
    free(c.slot)
    free(c.spill)
    free(c.next)
    free(c.previous)
    free(c.column)
    free(c.row)
    c.count = c.slot = c.spill = c.next = c.previous = c.column = c.row = NULL


cdef inline void cells_copy(Cells* c, const Cells* source) noexcept nogil:
    """Both must have been created with the same numbers."""
    cdef size_t cells = <size_t>source.columns * source.rows
    memcpy(c.count, source.count, cells * sizeof(int))
    memcpy(c.slot, source.slot, cells * SLOTS * sizeof(int))
    memcpy(c.spill, source.spill, cells * sizeof(int))
    memcpy(c.next, source.next, source.discs * sizeof(int))
    memcpy(c.previous, source.previous, source.discs * sizeof(int))
    memcpy(c.column, source.column, source.discs * sizeof(int))
    memcpy(c.row, source.row, source.discs * sizeof(int))


cdef inline void cells_clear(Cells* c) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(<Py_ssize_t>c.columns * c.rows):
        c.count[k] = 0
        c.spill[k] = NO_DISC


cdef inline int cells_index(double x, double side, int cells) noexcept nogil:
    """The cell of a coordinate inside the box; what rounding puts outside is clamped."""
    cdef double k = floor(x / side)
    if k < 0.0:
        return 0
    return <int>k if k < cells else cells - 1


cdef inline Py_ssize_t cells_number(const Cells* c, int column, int row) noexcept nogil:
    return <Py_ssize_t>row * c.columns + column


cdef inline void cells_link(Cells* c, int disc, int column, int row) noexcept nogil:
    cdef Py_ssize_t cell = cells_number(c, column, row)
    c.column[disc] = column
    c.row[disc] = row
    if c.count[cell] < SLOTS:
        c.slot[SLOTS * cell + c.count[cell]] = disc
    else:
        c.previous[disc] = NO_DISC
        c.next[disc] = c.spill[cell]
        if c.spill[cell] != NO_DISC:
            c.previous[c.spill[cell]] = disc
        c.spill[cell] = disc
    c.count[cell] += 1


cdef inline void cells_unspill(Cells* c, Py_ssize_t cell, int disc) noexcept nogil:
    """Take a disc out of the list of its cell."""
    if c.next[disc] != NO_DISC:
        c.previous[c.next[disc]] = c.previous[disc]
    if c.previous[disc] != NO_DISC:
        c.next[c.previous[disc]] = c.next[disc]
    else:
        c.spill[cell] = c.next[disc]


cdef inline void cells_unlink(Cells* c, int disc) noexcept nogil:
    cdef Py_ssize_t cell = cells_number(c, c.column[disc], c.row[disc])
    cdef int* slot = &c.slot[SLOTS * cell]
    cdef int filled = min(c.count[cell], <int>SLOTS)
    cdef int k
    cdef int heir = c.spill[cell]
    c.count[cell] -= 1
    for k in range(filled):
        if slot[k] == disc:
            if heir == NO_DISC:
                slot[k] = slot[filled - 1]
            else:
                cells_unspill(c, cell, heir)
                slot[k] = heir
            return
    cells_unspill(c, cell, disc)


cdef inline int* cells_gather(const Cells* c, int column, int row, int* to) noexcept nogil:
    """Write the discs of a cell to `to`, and return where the next ones go. All slots are written, filled
    or not: that needs no decision. `to` must have room for SLOTS more than there are discs."""
    cdef Py_ssize_t cell = cells_number(c, column, row)
    cdef int disc
    memcpy(to, &c.slot[SLOTS * cell], SLOTS * sizeof(int))
    if c.count[cell] <= SLOTS:
        return to + c.count[cell]
    to += SLOTS
    disc = c.spill[cell]
    while disc != NO_DISC:
        to[0] = disc
        to += 1
        disc = c.next[disc]
    return to


cdef inline int cells_step(int index, int step, int cells, bint periodic, int* wrap) noexcept nogil:
    """The index one `step` (-1, 0, 1) on; `wrap` is the number of box lengths that a periodic edge
    adds to coordinates there. NO_DISC beyond a wall. One or two cells on a periodic axis are their
    own neighbours on both sides, with different wraps: that is how all images are looked at."""
    index += step
    wrap[0] = 0
    if 0 <= index < cells:
        return index
    if not periodic:
        return NO_DISC
    wrap[0] = -1 if index < 0 else 1
    return index + cells if index < 0 else index - cells


cdef inline int cells_check(const Cells* c) except -1:
    """Raise AssertionError where an invariant does not hold."""
    cdef int column, row, disc, listed
    cdef int seen = 0
    cdef int* end
    cdef int* discs = <int*>malloc(<size_t>(c.discs + SLOTS) * sizeof(int))
    if discs == NULL:
        raise MemoryError()
    try:
        for row in range(c.rows):
            for column in range(c.columns):
                listed = c.count[cells_number(c, column, row)]
                end = cells_gather(c, column, row, discs)
                if end - discs != listed:
                    raise AssertionError(f"cell ({column}, {row}) lists {end - discs} discs and counts {listed}")
                while end != discs:
                    end -= 1
                    disc = end[0]
                    if c.column[disc] != column or c.row[disc] != row:
                        raise AssertionError(f"disc {disc} is listed in ({column}, {row}), but believes in "
                                             f"({c.column[disc]}, {c.row[disc]})")
                    seen += 1
    finally:
        free(discs)
    if seen != c.discs:
        raise AssertionError(f"{seen} of {c.discs} discs are listed")
    return 0


cdef inline bint overlapping(double dx, double dy, double contact, double tolerance) noexcept nogil:
    return dx * dx + dy * dy < (contact * (1.0 - tolerance)) * (contact * (1.0 - tolerance))


cdef struct Overlaps:
    long long count
    long long room          # of `pair`
    int* pair               # the first `room` pairs, two discs each


cdef inline void overlaps_with_cells(const Cells* c, int column, int row, const double* xy, const double* radius,
                                     int i, bint later_only, double tolerance, int* near, Overlaps* found) noexcept nogil:
    """Discs in the 3 x 3 cells around (column, row) that overlap disc i; of its own level (`later_only`)
    only those with a higher number, so that each pair counts once."""
    cdef int wrap_x, wrap_y, a, b, j, k, l
    cdef int* end
    for b in range(-1, 2):
        l = cells_step(row, b, c.rows, c.periodic_y, &wrap_y)
        for a in range(-1, 2):
            k = cells_step(column, a, c.columns, c.periodic_x, &wrap_x)
            if k == NO_DISC or l == NO_DISC:
                continue
            end = cells_gather(c, k, l, near)
            while end != near:
                end -= 1
                j = end[0]
                if (j > i or not later_only) and j != i and overlapping(
                        xy[2 * j] + wrap_x * c.width - xy[2 * i],
                        xy[2 * j + 1] + wrap_y * c.height - xy[2 * i + 1],
                        radius[i] + radius[j], tolerance):
                    if found.count < found.room:
                        found.pair[2 * found.count] = min(i, j)
                        found.pair[2 * found.count + 1] = max(i, j)
                    found.count += 1


cdef inline int find_overlaps(
        Cells* levels, int* level_count, int n, const double* xy, const double* radius, double radius_max,
        double width, double height, bint periodic_x, bint periodic_y, double tolerance, int* near,
        Overlaps* found) except -1 nogil:
    """Pairs that overlap deeper than `tolerance` times their contact distance; O(n) for any mix of radii.

    Each level halves the side of the cells; a disc is listed on the finest level whose cells it fits,
    and looks for partners on its own level and on all coarser ones. Positions must lie in the box.
    The caller frees levels[0 ... level_count - 1], also after an error. `near`: scratch for n + SLOTS discs.
    """
    cdef double finest = sqrt(width * height / (n if n > 0 else 1))
    cdef double reach = radius_max
    cdef int i, l, level, column, row
    cdef bint own
    level_count[0] = 0
    while level_count[0] < LEVELS_MAX:
        l = level_count[0]
        cells_create(&levels[l], n, width, height, periodic_x, periodic_y,
                     cells_along(width, max(cells_least_side(reach), finest)),
                     cells_along(height, max(cells_least_side(reach), finest)))
        level_count[0] = l + 1
        if cells_least_side(reach) <= finest:
            break
        reach *= 0.5
    for i in range(n):
        level = 0
        reach = radius_max * 0.5
        while level + 1 < level_count[0] and radius[i] <= reach:
            level += 1
            reach *= 0.5
        cells_link(&levels[level], i, cells_index(xy[2 * i], levels[level].side_x, levels[level].columns),
                   cells_index(xy[2 * i + 1], levels[level].side_y, levels[level].rows))
    for i in range(n):
        reach = radius_max * 0.5
        for level in range(level_count[0]):
            column = cells_index(xy[2 * i], levels[level].side_x, levels[level].columns)
            row = cells_index(xy[2 * i + 1], levels[level].side_y, levels[level].rows)
            own = level + 1 == level_count[0] or radius[i] > reach
            overlaps_with_cells(&levels[level], column, row, xy, radius, i, own, tolerance, near, found)
            if own:
                break
            reach *= 0.5
    return 0
