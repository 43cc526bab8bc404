# cython: language_level=3, wraparound=False, cdivision=True
"""Which discs are near: grids of cells over the box, each cell with a list of its discs.

A cell is at least as wide as the largest of its discs. Its window is two cells wide, and a disc stays in the cell as long
as the whole of it is in the window. Windows of cells that are not adjacent have nothing in common, so discs that can touch
stand in the same or in adjacent cells; and a disc that goes over an edge and comes back need not be listed anew. (Loose
trees of game programmers are like this: Ulrich, "Loose Octrees", Game Programming Gems, 2000.) For discs of different
sizes there are several levels, each with half the side of the one before; a disc stands on the finest level that it fits,
and its cell on a coarser level is the one that holds its cell. Two discs are neighbours if their cells on the coarser of
their two levels are the same or adjacent.

Where discs stand close in a part of the box only, there may be far more cells than discs, so a grid may be folded: a list
then holds the discs of several cells, which are far from each other. Who looks around finds some more of those that are far.

Membership is by index, never by position: rounding may put a disc a last bit outside its window, and that must not
matter. Knows no time, no velocity, no physics.
"""
from libc.math cimport INFINITY, floor
from libc.stdlib cimport abs, free, malloc
from libc.string cimport memcpy, memset

from hdsim.core.candidates cimport MORE
from hdsim.core.memory cimport allocate, allocate_zeros, free_zeros


cdef enum:
    NO_DISC = -1
    SLOTS = 4               # discs of a cell that stand side by side; equal discs rarely need more
    AROUND = 36             # slots of three by three cells
    OVERFULL = 40           # a cell with more discs than slots, by itself more than AROUND; its last slot begins a list
    FILLED = 7              # the other bits: slots that hold a disc and no list
    GATHERED_MAX = 391      # how far one may write where all nine are crowded: 9 * (OVERFULL + SLOTS - 1) + SLOTS
    CELLS_PER_SIDE_MAX = 16384      # fits a short, and keeps the number of a cell inside 32 bits
    LEVELS_MAX = 12         # radii up to 1 : 2048 on levels of their own; smaller ones share the finest
    BATCHES_MAX = 108       # 9 * LEVELS_MAX
    BUCKETS_LEAST = 6       # along each axis, where cells are folded: a disc looks at three at once, and never twice at one


cdef struct Grid:           # what cells there are
    int columns, rows
    int levels              # with twice as many columns and rows on each further one
    int per_bucket_x, per_bucket_y  # so many columns, or rows, of the coarsest level share their lists
    int buckets             # on the finest level, if discs crowd: there, and on coarser ones, further columns and rows share
                            # theirs until there are no more, or half as many; else 0


cdef struct Level:
    int columns, rows
    int buckets_x, buckets_y  # columns and rows of lists: cells whose columns and rows are the same modulo these share one
    double side_x, side_y   # of one cell
    double* window_x        # [2 * column] -> where the windows of its cells begin and end; infinite at a wall
    double* window_y        # [2 * row]
    int population          # discs that stand here
    int coarser             # the next coarser level with any, or -1; after cells_chain
    double smallest, largest    # of the radii of discs that stand here
    double fastest          # no disc here has a higher speed; the caller keeps this, or sees to it before it is asked
    bint hashed             # cells share lists
    # Cells, or lists, are numbered row by row; behind each row, and in one more row, there are some that are always empty. So
    # two more may be read than there are in a row.
    unsigned char* filled   # [cell] -> slots that hold a disc, or OVERFULL + SLOTS - 1
    int* slot               # [SLOTS * cell + k] -> a disc; not filled: any valid disc
    Py_ssize_t* row_at      # [row + 1] -> its first cell; also one beyond the edges: round a periodic edge, or empty
    Py_ssize_t* column_at   # [column + 1] -> cells from there on, likewise
    int* below              # [cell] -> discs of finer levels that are in there; NULL if discs do not crowd


cdef struct Batch:          # a stretch of `near`: neighbours whose cells lie in the same image of the box
    int* end                # where it ends; it begins where the one before ends
    int wrap_x, wrap_y      # box lengths that a periodic edge adds to their coordinates


cdef struct Place:          # of a disc, 8 bytes: six would be read across the lines of the cache
    short column, row       # on its level
    int rank                # its level


cdef struct Listed:         # a disc in the list of a crowded cell
    int next, previous


cdef struct Cells:
    double width, height
    bint periodic_x, periodic_y
    int levels
    Level level[LEVELS_MAX]     # level k has columns << k columns
    Grid plain                  # as created
    Grid grid                   # as they are
    int discs
    Place* place                # [disc]
    Listed* listed              # [disc]; where no cell is crowded, nobody writes to it, and it takes no memory
    int* near                   # what cells_neighbours found
    size_t room_near            # its bytes
    Batch batch[BATCHES_MAX]
    int batches


cdef inline int cells_along(double length, double side) noexcept nogil:
    """How many cells of at least `side` fit into `length`; at least 1."""
    cdef double n = floor(length / side) if side > 0.0 else CELLS_PER_SIDE_MAX
    if n < 1.0:
        return 1
    return <int>n if n < CELLS_PER_SIDE_MAX else CELLS_PER_SIDE_MAX


cdef inline double cells_least_side(double radius_max) noexcept nogil:
    """The largest diameter, and a margin that dwarfs rounding: a disc must fit the window wherever in its cell it is."""
    return 2.0 * radius_max * 1.000001


cdef inline Grid plain_grid(int columns, int rows, int levels) noexcept nogil:
    return Grid(columns, rows, levels, 1, 1, 0)


cdef inline bint same_grid(const Grid* a, const Grid* b) noexcept nogil:
    return (a.columns == b.columns and a.rows == b.rows and a.levels == b.levels and a.per_bucket_x == b.per_bucket_x
            and a.per_bucket_y == b.per_bucket_y and a.buckets == b.buckets)


cdef inline bint near_create(Cells* c, int images) noexcept nogil:
    """Have room in `near` for so many images of each disc. What was in it is lost. False if there is no memory."""
    cdef size_t room = (<size_t>images * c.discs + SLOTS + MORE) * sizeof(int)
    cdef int* near = c.near if room <= c.room_near else <int*>allocate_zeros(room)
    if near == NULL:
        return False
    if near != c.near:
        free_zeros(c.near, c.room_near)
        c.near = near
        c.room_near = room
    return True


cdef inline int images_near(Grid grid) noexcept nogil:
    """Of one disc, among the neighbours of another, at most; twice as many as needed where rings are cut from cells."""
    return 18 if grid.columns < 3 or grid.rows < 3 else 2


cdef inline int cells_create(Cells* c, int discs, double width, double height, bint periodic_x,
                             bint periodic_y, Grid grid) except -1 nogil:
    """Such cells, all empty."""
    cdef size_t room = discs
    cdef bint complete
    cdef int k
    memset(c, 0, sizeof(Cells))
    c.width = width
    c.height = height
    c.periodic_x = periodic_x
    c.periodic_y = periodic_y
    c.discs = discs
    c.levels = grid.levels
    c.plain = c.grid = grid
    c.place = <Place*>allocate(room * sizeof(Place))
    c.listed = <Listed*>allocate_zeros(room * sizeof(Listed))
    complete = near_create(c, images_near(grid)) and c.place != NULL and c.listed != NULL
    for k in range(grid.levels):
        complete = level_create(&c.level[k], grid, k, width, height, periodic_x, periodic_y) and complete
    if not complete:
        cells_free(c)
        with gil:
            raise MemoryError(f"no memory for {grid.columns} x {grid.rows} cells of {discs} discs on {grid.levels} levels")
    cells_clear(c)
    return 0


cdef inline bint level_create(Level* v, Grid grid, int rank, double width, double height, bint periodic_x,
                              bint periodic_y) noexcept nogil:
    v.columns = grid.columns << rank
    v.rows = grid.rows << rank
    v.buckets_x = v.columns // grid.per_bucket_x
    v.buckets_y = v.rows // grid.per_bucket_y
    if grid.buckets > 0:
        level_hash(v, grid.buckets if rank == grid.levels - 1 else grid.buckets // 2)
        v.below = <int*>allocate(level_cells(v) * sizeof(int))
    v.hashed = v.buckets_x < v.columns or v.buckets_y < v.rows
    v.side_x = width / v.columns
    v.side_y = height / v.rows
    v.window_x = windows(v.columns, v.side_x, periodic_x)
    v.window_y = windows(v.rows, v.side_y, periodic_y)
    v.filled = <unsigned char*>allocate(level_cells(v))
    v.slot = <int*>allocate(level_cells(v) * SLOTS * sizeof(int))
    v.row_at = cells_at(v.rows, v.buckets_y, v.buckets_x + 1, periodic_y)
    v.column_at = cells_at(v.columns, v.buckets_x, 1, periodic_x)
    return (v.window_x != NULL and v.window_y != NULL and v.filled != NULL and v.slot != NULL and v.row_at != NULL
            and v.column_at != NULL and (v.below != NULL or grid.buckets == 0))


cdef inline void level_hash(Level* v, int most) noexcept nogil:
    """Halve the number of lists until there are no more than this, or just enough along each axis, or an odd number."""
    while v.buckets_x * v.buckets_y > most:
        if v.buckets_x & 1 == 0 and v.buckets_x >= 2 * BUCKETS_LEAST and (v.buckets_x >= v.buckets_y or v.buckets_y & 1 != 0
                                                                          or v.buckets_y < 2 * BUCKETS_LEAST):
            v.buckets_x //= 2
        elif v.buckets_y & 1 == 0 and v.buckets_y >= 2 * BUCKETS_LEAST:
            v.buckets_y //= 2
        else:
            return


cdef inline void level_free(Level* v) noexcept nogil:
    free(v.window_x)
    free(v.window_y)
    free(v.filled)
    free(v.slot)
    free(v.row_at)
    free(v.column_at)
    free(v.below)


cdef inline bint cells_set(Cells* c, Grid grid) noexcept nogil:
    """Make other cells, empty. False if there is no memory: then they are as they were."""
    cdef Level fresh[LEVELS_MAX]
    cdef bint complete = near_create(c, images_near(grid))
    cdef int k
    memset(fresh, 0, sizeof(fresh))
    for k in range(grid.levels):
        complete = level_create(&fresh[k], grid, k, c.width, c.height, c.periodic_x, c.periodic_y) and complete
    for k in range(c.levels if complete else grid.levels):
        level_free(&c.level[k] if complete else &fresh[k])
    if complete:
        memcpy(c.level, fresh, sizeof(fresh))
        c.levels = grid.levels
        c.grid = grid
    return complete


cdef inline int bucket_index(int cell, int buckets) noexcept nogil:
    """Along one axis: the list of a cell inside the box."""
    return cell - cell // buckets * buckets


cdef inline Py_ssize_t* cells_at(int cells, int buckets, Py_ssize_t stride, bint periodic) noexcept nogil:
    """The lists of the cells along one axis, `stride` from one to the next, and one more at both ends: the one round the
    periodic edge, or the empty one. There are as many cells as lists, or twice as many, or three times ..."""
    cdef Py_ssize_t* at = <Py_ssize_t*>malloc((<size_t>cells + 2) * sizeof(Py_ssize_t))
    cdef int k
    if at != NULL:
        for k in range(cells):
            at[k + 1] = bucket_index(k, buckets) * stride
        at[0] = (buckets - 1 if periodic else buckets) * stride
        at[cells + 1] = (0 if periodic else buckets) * stride
    return at


cdef inline double* windows(int cells, double side, bint periodic) noexcept nogil:
    """The windows of cells along one axis, each two sides wide, less 2.5e-7 of a side at both ends: far more than the rounding of
    a place, so that discs are neighbours before they touch, but less than half of the 1e-6 that `cells_least_side` adds to a
    diameter, so that a disc is in the window wherever in its cell it is. `step_ahead` of the engine leaves more room."""
    cdef double* window = <double*>malloc(2 * <size_t>cells * sizeof(double))
    cdef int k
    if window != NULL:
        for k in range(cells):
            window[2 * k] = (k + 0.5) * side - 0.99999975 * side
            window[2 * k + 1] = (k + 0.5) * side + 0.99999975 * side
        if not periodic:
            window[0] = -INFINITY
            window[2 * cells - 1] = INFINITY
    return window


cdef inline size_t level_cells(const Level* v) noexcept nogil:
    return (<size_t>v.buckets_x + 1) * (<size_t>v.buckets_y + 1)


cdef inline int overfull_list(const Level* v, Py_ssize_t cell) noexcept nogil:
    """The first disc of the list of a crowded cell; NO_DISC if it is not crowded."""
    return v.slot[SLOTS * cell + SLOTS - 1] if v.filled[cell] > SLOTS else NO_DISC


cdef inline void cells_free(Cells* c) noexcept nogil:
    cdef int k
    for k in range(c.levels):
        level_free(&c.level[k])
    free(c.place)
    free_zeros(c.listed, <size_t>c.discs * sizeof(Listed))
    free_zeros(c.near, c.room_near)
    memset(c, 0, sizeof(Cells))


cdef inline void cells_copy(Cells* c, const Cells* source) noexcept nogil:
    """Both must have been created with the same numbers."""
    cdef const Level* v
    cdef int k, disc
    cdef Py_ssize_t cell
    for k in range(source.levels):
        v = &source.level[k]
        c.level[k].population = v.population
        c.level[k].coarser = v.coarser
        c.level[k].smallest = v.smallest
        c.level[k].largest = v.largest
        c.level[k].fastest = v.fastest
        memcpy(c.level[k].filled, v.filled, level_cells(v))
        memcpy(c.level[k].slot, v.slot, level_cells(v) * SLOTS * sizeof(int))
        if v.below != NULL:
            memcpy(c.level[k].below, v.below, level_cells(v) * sizeof(int))
        for cell in range(<Py_ssize_t>level_cells(v)):      # only what is in use: pages that nobody has written to take no memory
            disc = overfull_list(v, cell)
            while disc != NO_DISC:
                c.listed[disc] = source.listed[disc]
                disc = source.listed[disc].next
    memcpy(c.place, source.place, source.discs * sizeof(Place))


cdef inline void cells_clear(Cells* c) noexcept nogil:
    cdef Level* v
    cdef int k
    for k in range(c.levels):
        v = &c.level[k]
        v.population = 0
        v.smallest = INFINITY
        v.largest = 0.0
        v.fastest = 0.0
        v.coarser = -1
        if v.below != NULL:
            memset(v.below, 0, level_cells(v) * sizeof(int))
        memset(v.filled, 0, level_cells(v))
        memset(v.slot, 0, level_cells(v) * SLOTS * sizeof(int))


cdef inline void cells_chain(Cells* c) noexcept nogil:
    """All discs are placed: let each level know the next coarser one that holds any, and that one how many are below."""
    cdef int k
    cdef int last = -1
    for k in range(c.levels):
        c.level[k].coarser = last
        if c.level[k].population > 0:
            last = k
    for k in range(c.discs if c.grid.buckets != 0 else 0):
        cells_count(c, &c.place[k], 1)


cdef inline void cells_count(Cells* c, const Place* p, int change) noexcept nogil:
    """Count a disc in, or out, where it is below cells of coarser levels that hold discs; not before all are placed."""
    cdef int k = c.level[p.rank].coarser
    while k >= 0:
        c.level[k].below[cell_number(&c.level[k], p.column >> (p.rank - k), p.row >> (p.rank - k))] += change
        k = c.level[k].coarser


cdef inline bint cells_has_below(const Cells* c, int disc) noexcept nogil:
    """May there be discs of finer levels in the cells around a disc? A no is certain."""
    cdef const Place* p = &c.place[disc]
    cdef const Level* v = &c.level[p.rank]
    cdef int found = 0
    cdef int k, l
    if v.below == NULL:
        return True
    for l in range(p.row, p.row + 3):
        for k in range(p.column, p.column + 3):
            found += v.below[v.row_at[l] + v.column_at[k]]
    return found > 0


cdef inline int cells_index(double x, double side, int cells) noexcept nogil:
    """The cell of a coordinate inside the box; what rounding puts outside is clamped."""
    cdef double k = floor(x / side)
    if k < 0.0:
        return 0
    return <int>k if k < cells else cells - 1


cdef inline Py_ssize_t cell_number(const Level* v, int column, int row) noexcept nogil:
    """Of a cell up to one step beyond the edges of the box."""
    return v.row_at[row + 1] + v.column_at[column + 1]


cdef inline void cells_place(Cells* c, int disc, double x, double y, double radius) noexcept nogil:
    """List a disc of this radius, at this position inside the box, on the finest level that it fits."""
    cdef double side = cells_least_side(radius)
    cdef int k = c.levels - 1
    while k > 0 and (c.level[k].side_x < side or c.level[k].side_y < side):
        k -= 1
    c.place[disc].rank = k
    c.level[k].smallest = min(c.level[k].smallest, radius)
    c.level[k].largest = max(c.level[k].largest, radius)
    cells_link(c, disc, cells_index(x, c.level[k].side_x, c.level[k].columns),
               cells_index(y, c.level[k].side_y, c.level[k].rows))


cdef inline void cells_link(Cells* c, int disc, int column, int row) noexcept nogil:
    """List a disc in a cell of its level."""
    cdef Place* p = &c.place[disc]
    cdef Level* v = &c.level[p.rank]
    cdef Py_ssize_t cell = cell_number(v, column, row)
    cdef int* slot = &v.slot[SLOTS * cell]
    p.column = <short>column
    p.row = <short>row
    v.population += 1
    if c.grid.buckets != 0:
        cells_count(c, p, 1)
    if v.filled[cell] < SLOTS:
        slot[v.filled[cell]] = disc
        v.filled[cell] += 1
        return
    if v.filled[cell] == SLOTS:     # the disc of the last slot becomes the list
        c.listed[slot[SLOTS - 1]].next = NO_DISC
        v.filled[cell] = OVERFULL + SLOTS - 1
    c.listed[disc] = Listed(slot[SLOTS - 1], NO_DISC)
    c.listed[slot[SLOTS - 1]].previous = disc
    slot[SLOTS - 1] = disc


cdef inline void cells_unspill(Cells* c, int* first, int disc) noexcept nogil:
    """Take a disc out of the list that begins at `first`."""
    cdef Listed own = c.listed[disc]
    if own.next != NO_DISC:
        c.listed[own.next].previous = own.previous
    if disc != first[0]:
        c.listed[own.previous].next = own.next
    else:
        first[0] = own.next


cdef inline void cells_unlink(Cells* c, int disc) noexcept nogil:
    cdef const Place* p = &c.place[disc]
    cdef Level* v = &c.level[p.rank]
    cdef Py_ssize_t cell = cell_number(v, p.column, p.row)
    cdef int* slot = &v.slot[SLOTS * cell]
    cdef int filled = v.filled[cell]
    cdef int leaving
    cdef int at = cells_slot(slot, disc)
    v.population -= 1
    if c.grid.buckets != 0:
        cells_count(c, p, -1)
    if filled <= SLOTS:
        slot[at] = slot[filled - 1]
        v.filled[cell] -= 1
        return
    leaving = disc
    if at < SLOTS - 1:
        leaving = slot[SLOTS - 1]       # of the list, to take the free slot
        slot[at] = leaving
    cells_unspill(c, &slot[SLOTS - 1], leaving)
    if c.listed[slot[SLOTS - 1]].next == NO_DISC:
        v.filled[cell] = SLOTS


cdef inline int cells_slot(const int* slot, int disc) noexcept nogil:
    """Where in its cell a disc stands; the last slot, or the list there, if it is in no other one. Without decisions. Slots
    behind it may hold it too, if they are not filled."""
    cdef int first = slot[0] != disc
    cdef int second = first & (slot[1] != disc)
    cdef int third = second & (slot[2] != disc)
    return first + second + third


cdef inline int* cells_gather(const Cells* c, const Level* v, int column, int row, int* to) noexcept nogil:
    """Write the discs of a cell to `to`, and return where the next ones go. All slots are written, filled
    or not: that needs no decision."""
    cdef Py_ssize_t cell = cell_number(v, column, row)
    cdef int disc = overfull_list(v, cell)
    memcpy(to, &v.slot[SLOTS * cell], SLOTS * sizeof(int))
    to += v.filled[cell] & FILLED
    while disc != NO_DISC:
        to[0] = disc
        to += 1
        disc = c.listed[disc].next
    return to


cdef inline bint is_within(int index, int first, int count) noexcept nogil:
    """Is an index among so many from the first on? Without decisions."""
    return <unsigned int>(index - first) < <unsigned int>count


cdef inline int* cells_gather_hashed(const Cells* c, const Level* v, int column, int row, int columns, int rows,
                                     int* to) noexcept nogil:
    """The same for all cells of a block inside the box that begins in (column, row), however many share a list: each list is
    read once, and who stands elsewhere is left out."""
    cdef const Place* p
    cdef const int* next
    cdef int* end
    cdef int k, l
    for l in range(min(rows, v.buckets_y)):
        for k in range(min(columns, v.buckets_x)):
            next = to
            end = cells_gather(c, v, column + k, row + l, to)
            while next != end:
                p = &c.place[next[0]]
                to[0] = next[0]
                to += is_within(p.column, column, columns) & is_within(p.row, row, rows)
                next += 1
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


cdef inline int cells_on(int index, int step, int cells) noexcept nogil:
    """The same on a periodic axis, without counting."""
    index += step
    return index if 0 <= index < cells else index + cells if index < 0 else index - cells


cdef inline bint cells_beside(const Cells* c, int i, int j) noexcept nogil:
    """Are two discs neighbours? Those that are not cannot touch."""
    cdef const Place* a = &c.place[i]
    cdef const Place* b = &c.place[j]
    cdef int rank = min(a.rank, b.rank)
    cdef const Level* v = &c.level[rank]
    return (indices_beside(a.column >> (a.rank - rank), b.column >> (b.rank - rank), v.columns, c.periodic_x)
            and indices_beside(a.row >> (a.rank - rank), b.row >> (b.rank - rank), v.rows, c.periodic_y))


cdef inline bint indices_beside(int index, int other, int cells, bint periodic) noexcept nogil:
    """The same along one axis."""
    cdef int apart = abs(index - other)
    return apart <= 1 or (periodic and apart == cells - 1)


cdef inline void cells_close_batch(Cells* c, int* end, int wrap_x, int wrap_y) noexcept nogil:
    """End a batch, or go on with the one before if that is of the same image."""
    if c.batches > 0 and c.batch[c.batches - 1].wrap_x == wrap_x and c.batch[c.batches - 1].wrap_y == wrap_y:
        c.batches -= 1
    c.batch[c.batches].end = end
    c.batch[c.batches].wrap_x = wrap_x
    c.batch[c.batches].wrap_y = wrap_y
    c.batches += 1


cdef inline int cells_check(Cells* c) except -1:
    """Raise AssertionError where an invariant does not hold."""
    cdef int column, row, disc, k
    cdef int seen = 0
    cdef int* end
    cdef Level* v
    cdef Place* p
    for k in range(c.levels):
        v = &c.level[k]
        for row in range(v.buckets_y):
            for column in range(v.buckets_x):
                end = cells_gather(c, v, column, row, c.near)
                while end != c.near:
                    end -= 1
                    disc = end[0]
                    p = &c.place[disc]
                    if bucket_index(p.column, v.buckets_x) != column or bucket_index(p.row, v.buckets_y) != row or p.rank != k:
                        raise AssertionError(f"disc {disc} is listed in ({column}, {row}) of level {k}, but believes "
                                             f"in ({p.column}, {p.row}) of level {p.rank}")
                    seen += 1
    if seen != c.discs:
        raise AssertionError(f"{seen} of {c.discs} discs are listed")
    return 0
