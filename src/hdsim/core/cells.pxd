# cython: language_level=3, wraparound=False, cdivision=True
"""Cells: grids over the box, each cell with a list of its discs, which tell which discs are near each other.

A cell is at least as wide as the largest of its discs. The window of a cell is two cells wide, and a disc stays in its cell as
long as the whole disc is in the window. Windows of cells that are not adjacent do not overlap, so discs that can touch are in
the same cell or in adjacent ones; and a disc that crosses an edge of its cell and comes back need not be moved to another
cell. (The same idea as in Ulrich, "Loose Octrees", Game Programming Gems, 2000.) For discs of different sizes there are several
levels of cells, each with half the side of the one before. A disc is on the finest level whose cells are wide enough; its
cell on a coarser level is the one that contains its cell. Two discs are neighbours if their cells on the coarser of their
two levels are the same or adjacent.

Where discs are dense in a part of the box only, there may be far more cells than discs. Then cells may be hashed: several
cells that are far from each other share a bucket, the list of their discs. A search also finds some discs of the other cells
of a bucket, which are too far away to touch. Cells that are not hashed have one bucket each.

Membership is by index, never by position: rounding may put a disc a last bit outside its window, and that must not
matter. Knows no time, no velocity, no physics.
"""
from libc.math cimport INFINITY, floor
from libc.stdlib cimport abs, free, malloc
from libc.string cimport memcpy, memset

from hdsim.core.box cimport Box, Image, is_same_image
from hdsim.core.candidates cimport MORE
from hdsim.core.memory cimport allocate, allocate_zeros, free_zeros


cdef enum:
    NO_DISC = -1
    SLOTS = 4               # discs stored side by side in a bucket; equal discs rarely need more
    AROUND = 36             # slots of three by three cells
    OVERFULL = 40           # flag in `filled`: the bucket has more discs than slots, and its last slot begins a linked list. More
                            # than AROUND, so that a sum of `filled` over nine buckets tells whether one of them is overfull
    FILLED = 7              # mask of the other bits of `filled`: the number of slots that hold a disc and no list
    GATHERED_MAX = 391      # numbers written at most if all nine are overfull: 9 * (OVERFULL + SLOTS - 1) + SLOTS
    CELLS_PER_SIDE_MAX = 16384      # fits a short, and keeps the number of a cell inside 32 bits
    LEVELS_MAX = 12         # radii up to 1 : 2048 are on levels of their own; smaller discs share the finest level
    BATCHES_MAX = 108       # 9 * LEVELS_MAX
    BUCKETS_LEAST = 6       # along each axis, if cells are hashed: a search reads three adjacent ones, and none of them twice


cdef struct Grid:           # the numbers of cells and buckets
    int columns, rows       # of the coarsest level
    int levels              # each further level has twice as many columns and rows
    int per_bucket_x, per_bucket_y  # this number of columns, or rows, of the coarsest level share their buckets
    int buckets             # 0, or for refined cells the most buckets that the finest level should have, twice those of a coarser
                            # level: further columns and rows share their buckets (level_hash)


cdef struct Level:
    int columns, rows
    int buckets_x, buckets_y  # columns and rows of buckets: cells whose columns and rows are equal modulo these share a bucket
    double side_x, side_y   # of one cell
    double* window_x        # [2 * column], [2 * column + 1] -> where windows begin and end; infinite at a wall
    double* window_y        # [2 * row], [2 * row + 1] -> likewise
    int population          # discs on this level
    int coarser             # the next coarser level that holds a disc, or -1; set by cells_chain
    double smallest, largest    # radii among the discs on this level, now or earlier
    double fastest          # upper bound of the speeds of these discs, which the caller must keep before it uses it
    bint hashed             # cells share buckets
    # Buckets are numbered row by row. Behind each row is one that is always empty, and behind all rows is a row of such. So it
    # is safe to read two buckets beyond the last of a row.
    unsigned char* filled   # [bucket] -> slots that hold a disc; OVERFULL + SLOTS - 1 if there are more discs
    int* slot               # [SLOTS * bucket + k] -> a disc; in a slot that is not filled, any valid disc
    Py_ssize_t* row_at      # [row + 1] -> first bucket of a row of cells; rows beyond an edge: across the periodic edge, or empty
    Py_ssize_t* column_at   # [column + 1] -> what a column of cells adds to that, likewise
    int* below              # [bucket] -> discs of finer levels inside its cells; NULL if Grid.buckets is 0


cdef struct Batch:          # a part of `near`: neighbours whose cells are in the same image of the box
    int* end                # behind its last disc; it begins at the end of the batch before
    Image image             # of the cells of this batch, as seen from the cell in the middle


cdef struct Place:          # the cell of a disc; 8 bytes, because an item of 6 may lie across two cache lines
    short column, row       # on its level
    int rank                # its level


cdef struct Listed:         # the links of a disc in the linked list of an overfull bucket
    int next, previous


cdef struct Cells:
    const Box* box
    int levels
    Level level[LEVELS_MAX]     # level k has columns << k columns
    Grid plain                  # when created
    Grid grid                   # now
    int discs
    Place* place                # [disc]
    Listed* listed              # [disc]; written only for overfull buckets, and takes no memory where it is never written
    int* near                   # the discs that cells_neighbours or level_ring found
    size_t room_near            # size of `near` in bytes
    Batch batch[BATCHES_MAX]
    int batches


cdef inline int cells_along(double length, double side) noexcept nogil:
    """Number of cells of at least `side` that fit into `length`: 1 at least, CELLS_PER_SIDE_MAX at most."""
    cdef double n = floor(length / side) if side > 0.0 else CELLS_PER_SIDE_MAX
    if n < 1.0:
        return 1
    return <int>n if n < CELLS_PER_SIDE_MAX else CELLS_PER_SIDE_MAX


cdef inline double cells_least_side(double radius_max) noexcept nogil:
    """The least side of cells for discs of this radius or less: the diameter and a margin far above rounding errors. A disc must
    be inside the window wherever in the cell its centre is."""
    return 2.0 * radius_max * 1.000001


cdef inline Grid plain_grid(int columns, int rows, int levels) noexcept nogil:
    return Grid(columns, rows, levels, 1, 1, 0)


cdef inline bint same_grid(const Grid* a, const Grid* b) noexcept nogil:
    return (a.columns == b.columns and a.rows == b.rows and a.levels == b.levels and a.per_bucket_x == b.per_bucket_x
            and a.per_bucket_y == b.per_bucket_y and a.buckets == b.buckets)


cdef inline bint near_create(Cells* c, int images) noexcept nogil:
    """Make room in `near` for this number of images of each disc. Its content may be lost. False if there is no memory: then
    `near` is unchanged."""
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
    """Images of one disc among the neighbours of another, at most. `cells_neighbours` finds half as many; the rest is for
    `level_ring`, which may find a disc at an edge in two images."""
    return 18 if grid.columns < 3 or grid.rows < 3 else 2


cdef inline int cells_create(Cells* c, int discs, const Box* box, Grid grid) except -1 nogil:
    """Create empty cells. Raises MemoryError."""
    cdef size_t room = discs
    cdef bint complete
    cdef int k
    memset(c, 0, sizeof(Cells))
    c.box = box
    c.discs = discs
    c.levels = grid.levels
    c.plain = c.grid = grid
    c.place = <Place*>allocate(room * sizeof(Place))
    c.listed = <Listed*>allocate_zeros(room * sizeof(Listed))
    complete = near_create(c, images_near(grid)) and c.place != NULL and c.listed != NULL
    for k in range(grid.levels):
        complete = level_create(&c.level[k], grid, k, box) and complete
    if not complete:
        cells_free(c)
        with gil:
            raise MemoryError(f"no memory for {grid.columns} x {grid.rows} cells of {discs} discs on {grid.levels} levels")
    cells_clear(c)
    return 0


cdef inline bint level_create(Level* v, Grid grid, int rank, const Box* box) noexcept nogil:
    """Create level `rank` of a grid. `v` must be all zero. False if there is no memory: the caller must call level_free."""
    v.columns = grid.columns << rank
    v.rows = grid.rows << rank
    v.buckets_x = v.columns // grid.per_bucket_x
    v.buckets_y = v.rows // grid.per_bucket_y
    if grid.buckets > 0:
        level_hash(v, grid.buckets if rank == grid.levels - 1 else grid.buckets // 2)
        v.below = <int*>allocate(level_cells(v) * sizeof(int))
    v.hashed = v.buckets_x < v.columns or v.buckets_y < v.rows
    v.side_x = box.width / v.columns
    v.side_y = box.height / v.rows
    v.window_x = windows(v.columns, v.side_x, box.periodic_x)
    v.window_y = windows(v.rows, v.side_y, box.periodic_y)
    v.filled = <unsigned char*>allocate(level_cells(v))
    v.slot = <int*>allocate(level_cells(v) * SLOTS * sizeof(int))
    v.row_at = cells_at(v.rows, v.buckets_y, v.buckets_x + 1, box.periodic_y)
    v.column_at = cells_at(v.columns, v.buckets_x, 1, box.periodic_x)
    return (v.window_x != NULL and v.window_y != NULL and v.filled != NULL and v.slot != NULL and v.row_at != NULL
            and v.column_at != NULL and (v.below != NULL or grid.buckets == 0))


cdef inline void level_hash(Level* v, int most) noexcept nogil:
    """Halve the number of buckets, along one axis after the other, until there are at most `most`. A number that is odd, or
    would fall below BUCKETS_LEAST, is not halved."""
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
    """Replace the cells by empty ones of another grid. False if there is no memory: then the cells are unchanged."""
    cdef Level fresh[LEVELS_MAX]
    cdef bint complete = near_create(c, images_near(grid))
    cdef int k
    memset(fresh, 0, sizeof(fresh))
    for k in range(grid.levels):
        complete = level_create(&fresh[k], grid, k, c.box) and complete
    for k in range(c.levels if complete else grid.levels):
        level_free(&c.level[k] if complete else &fresh[k])
    if complete:
        memcpy(c.level, fresh, sizeof(fresh))
        c.levels = grid.levels
        c.grid = grid
    return complete


cdef inline int bucket_index(int cell, int buckets) noexcept nogil:
    """The bucket of a cell inside the box, along one axis."""
    return cell - cell // buckets * buckets


cdef inline Py_ssize_t* cells_at(int cells, int buckets, Py_ssize_t stride, bint periodic) noexcept nogil:
    """The buckets of the cells along one axis, `stride` from one to the next, and of one more cell at each end: the cell across
    the periodic edge, or an empty bucket. `cells` must be a multiple of `buckets`. NULL if there is no memory."""
    cdef Py_ssize_t* at = <Py_ssize_t*>malloc((<size_t>cells + 2) * sizeof(Py_ssize_t))
    cdef int k
    if at != NULL:
        for k in range(cells):
            at[k + 1] = bucket_index(k, buckets) * stride
        at[0] = (buckets - 1 if periodic else buckets) * stride
        at[cells + 1] = (0 if periodic else buckets) * stride
    return at


cdef inline double* windows(int cells, double side, bint periodic) noexcept nogil:
    """Where the windows of the cells along one axis begin and end. A window is two sides wide, less 2.5e-7 of a side at both
    ends: far more than the rounding error of a position, so that discs are neighbours before they touch, but less than half of
    the 1e-6 that `cells_least_side` adds to a diameter, so that a disc is inside the window wherever in the cell its centre is.
    `step_ahead` of the engine leaves a larger margin. NULL if there is no memory."""
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
    """Number of buckets, with those that are always empty."""
    return (<size_t>v.buckets_x + 1) * (<size_t>v.buckets_y + 1)


cdef inline int overfull_list(const Level* v, Py_ssize_t cell) noexcept nogil:
    """The first disc of the linked list of a bucket; NO_DISC if the bucket is not overfull."""
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
    """Copy the places of all discs. Both cells must have the same discs and the same grid."""
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
        for cell in range(<Py_ssize_t>level_cells(v)):      # only links in use: pages that are never written take no memory
            disc = overfull_list(v, cell)
            while disc != NO_DISC:
                c.listed[disc] = source.listed[disc]
                disc = source.listed[disc].next
    memcpy(c.place, source.place, source.discs * sizeof(Place))


cdef inline void cells_clear(Cells* c) noexcept nogil:
    """Remove all discs."""
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
    """Complete the cells after all discs have been placed: set `coarser` of each level, and count the discs below each cell."""
    cdef int k
    cdef int last = -1
    for k in range(c.levels):
        c.level[k].coarser = last
        if c.level[k].population > 0:
            last = k
    for k in range(c.discs if c.grid.buckets != 0 else 0):
        cells_count(c, &c.place[k], 1)


cdef inline void cells_count(Cells* c, const Place* p, int change) noexcept nogil:
    """Add `change` to the counts `below` of the cells that contain the cell of a disc, on coarser levels that hold discs. Has no
    effect before cells_chain."""
    cdef int k = c.level[p.rank].coarser
    while k >= 0:
        c.level[k].below[cell_number(&c.level[k], p.column >> (p.rank - k), p.row >> (p.rank - k))] += change
        k = c.level[k].coarser


cdef inline bint cells_has_below(const Cells* c, int disc) noexcept nogil:
    """May there be discs of finer levels in the cells around a disc? False is certain, True is not."""
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
    """The column or row of a coordinate inside the box. An index that rounding puts outside the box is clamped."""
    cdef double k = floor(x / side)
    if k < 0.0:
        return 0
    return <int>k if k < cells else cells - 1


cdef inline Py_ssize_t cell_number(const Level* v, int column, int row) noexcept nogil:
    """The bucket of a cell, which may be one step beyond the edges of the box."""
    return v.row_at[row + 1] + v.column_at[column + 1]


cdef inline void cells_place(Cells* c, int disc, double x, double y, double radius) noexcept nogil:
    """Put a disc of this radius, at this position inside the box, into a cell of the finest level whose cells are wide enough."""
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
    """Put a disc into a cell of its level."""
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
    if v.filled[cell] == SLOTS:     # the disc of the last slot becomes the linked list
        c.listed[slot[SLOTS - 1]].next = NO_DISC
        v.filled[cell] = OVERFULL + SLOTS - 1
    c.listed[disc] = Listed(slot[SLOTS - 1], NO_DISC)
    c.listed[slot[SLOTS - 1]].previous = disc
    slot[SLOTS - 1] = disc


cdef inline void cells_unlist(Cells* c, int* first, int disc) noexcept nogil:
    """Remove a disc from the linked list that begins at `first`."""
    cdef Listed own = c.listed[disc]
    if own.next != NO_DISC:
        c.listed[own.next].previous = own.previous
    if disc != first[0]:
        c.listed[own.previous].next = own.next
    else:
        first[0] = own.next


cdef inline void cells_unlink(Cells* c, int disc) noexcept nogil:
    """Remove a disc from its cell."""
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
        leaving = slot[SLOTS - 1]       # the first disc of the linked list takes the free slot
        slot[at] = leaving
    cells_unlist(c, &slot[SLOTS - 1], leaving)
    if c.listed[slot[SLOTS - 1]].next == NO_DISC:
        v.filled[cell] = SLOTS


cdef inline int cells_slot(const int* slot, int disc) noexcept nogil:
    """The slot of a disc in its bucket: the first slot with its number, or the last slot, which may begin a linked list.
    Branch-free. Slots that are not filled may have the number, too, but they are behind it."""
    cdef int first = slot[0] != disc
    cdef int second = first & (slot[1] != disc)
    cdef int third = second & (slot[2] != disc)
    return first + second + third


cdef inline int* cells_gather(const Cells* c, const Level* v, int column, int row, int* to) noexcept nogil:
    """Write the discs of a cell, or of a whole bucket, to `to`, and return the end. All SLOTS slots are written, filled or not,
    which is branch-free."""
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
    """Is an index among the `count` indices from `first` on? Branch-free."""
    return <unsigned int>(index - first) < <unsigned int>count


cdef inline int* cells_gather_hashed(const Cells* c, const Level* v, int column, int row, int columns, int rows,
                                     int* to) noexcept nogil:
    """Write the discs of a block of hashed cells inside the box, which begins at (column, row), to `to`, and return the end. The
    block may be wider than all buckets: each bucket is read once, and discs of cells outside the block are left out."""
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
    """The column or row one `step` (-1, 0, 1) on; NO_DISC beyond a wall. `wrap` becomes the number of box lengths that a periodic
    edge adds to coordinates there. A periodic axis with one or two cells leads to the same cell on both sides, with different
    wraps: so all images are searched."""
    index += step
    wrap[0] = 0
    if 0 <= index < cells:
        return index
    if not periodic:
        return NO_DISC
    wrap[0] = -1 if index < 0 else 1
    return index + cells if index < 0 else index - cells


cdef inline int cells_on(int index, int step, int cells) noexcept nogil:
    """The column or row one `step` (-1, 0, 1) on, across periodic edges."""
    index += step
    return index if 0 <= index < cells else index + cells if index < 0 else index - cells


cdef inline bint cells_beside(const Cells* c, int i, int j) noexcept nogil:
    """Are two discs neighbours? Discs that are not neighbours cannot touch."""
    cdef const Place* a = &c.place[i]
    cdef const Place* b = &c.place[j]
    cdef int rank = min(a.rank, b.rank)
    cdef const Level* v = &c.level[rank]
    return (indices_beside(a.column >> (a.rank - rank), b.column >> (b.rank - rank), v.columns, c.box.periodic_x)
            and indices_beside(a.row >> (a.rank - rank), b.row >> (b.rank - rank), v.rows, c.box.periodic_y))


cdef inline bint indices_beside(int index, int other, int cells, bint periodic) noexcept nogil:
    """Are two columns, or two rows, the same or adjacent?"""
    cdef int apart = abs(index - other)
    return apart <= 1 or (periodic and apart == cells - 1)


cdef inline void cells_close_batch(Cells* c, int* end, Image image) noexcept nogil:
    """End a batch at `end`. It is joined to the batch before if both are in the same image."""
    if c.batches > 0 and is_same_image(c.batch[c.batches - 1].image, image):
        c.batches -= 1
    c.batch[c.batches].end = end
    c.batch[c.batches].image = image
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
