# cython: language_level=3, wraparound=False, cdivision=True
"""A level of cells: a grid over the box, the windows of its cells, and the buckets in which they list their discs.

Knows no disc: core/cells.pxd puts discs into the cells. Cells and buckets are counted along each axis, and blocks of them are
walked through line by line along axis 0.
"""
from libc.math cimport INFINITY, floor
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Box
from hdsim.core.memory cimport allocate


cdef extern from *:
    """
    #define HDSIM_LEVELS_MAX 12
    #define HDSIM_SLOTS 4
    #define HDSIM_CELLS_PER_SIDE_MAX (HDSIM_AXES == 2 ? 16384 : 1024)
    """
    enum:
        LEVELS_MAX "HDSIM_LEVELS_MAX"   # radii up to 1 : 2048 are on levels of their own; smaller discs share the finest level
        SLOTS "HDSIM_SLOTS"     # discs stored side by side in a bucket; equal discs rarely need more
        CELLS_PER_SIDE_MAX "HDSIM_CELLS_PER_SIDE_MAX"   # fits a short, and keeps the number of a cell inside 32 bits


cdef enum:
    BUCKETS_LEAST = 6       # along each axis, if cells are hashed: a search reads three adjacent ones, and none of them twice


cdef struct Grid:           # the numbers of cells and buckets
    int cells[AXES]         # along each axis, of the coarsest level
    int levels              # each further level has twice as many cells along each axis
    int per_bucket[AXES]    # along each axis, this number of cells of the coarsest level share their buckets
    int buckets             # 0, or for refined cells the most buckets that the finest level should have, twice those of a coarser
                            # level: further cells share their buckets (level_hash)


cdef struct Level:
    int cells[AXES]
    int buckets[AXES]       # along each axis: cells whose indices are equal modulo these share a bucket
    double side[AXES]       # of one cell
    double* window[AXES]    # [2 * index], [2 * index + 1] -> where the windows of cells begin and end; infinite at a wall
    int population          # discs on this level
    int coarser             # the next coarser level that holds a disc, or -1; set by cells_chain
    double smallest, largest    # radii among the discs on this level, now or earlier
    double fastest          # upper bound of the speeds of these discs, which the caller must keep before it uses it
    bint hashed             # cells share buckets
    # Buckets are numbered row by row along axis 0, and plane by plane. Behind each row is one that is always empty, behind all
    # rows of a plane is a row of such, and behind all planes a plane. So it is safe to read two buckets beyond the last of a row.
    unsigned char* filled   # [bucket] -> slots that hold a disc; OVERFULL + SLOTS - 1 if there are more discs
    int* slot               # [SLOTS * bucket + k] -> a disc; in a slot that is not filled, any valid disc
    Py_ssize_t* bucket_at[AXES]     # [index + 1] -> what the index of a cell along an axis adds to the number of its bucket;
                            # beyond an edge: that of the cell across the periodic edge, or of an empty bucket
    int* below              # [bucket] -> discs of finer levels inside its cells; NULL if Grid.buckets is 0


cdef struct Block:          # cells side by side
    int low[AXES]           # the index of the first one along each axis, of a level or from a cell in the middle
    int cells[AXES]         # how many there are along each axis


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


cdef inline Grid plain_grid(const int* cells, int levels) noexcept nogil:
    """A grid of so many cells along each axis on the coarsest level, none of them hashed."""
    cdef Grid grid
    cdef int k
    for k in range(AXES):
        grid.cells[k] = cells[k]
        grid.per_bucket[k] = 1
    grid.levels = levels
    grid.buckets = 0
    return grid


cdef inline bint same_grid(const Grid* a, const Grid* b) noexcept nogil:
    cdef bint same = a.levels == b.levels and a.buckets == b.buckets
    cdef int k
    for k in range(AXES):
        same &= a.cells[k] == b.cells[k] and a.per_bucket[k] == b.per_bucket[k]
    return same


cdef inline object shape_of(Grid grid):
    """The numbers of cells of the coarsest level along the axes, to be shown."""
    return " x ".join([str(grid.cells[k]) for k in range(AXES)])


cdef inline Block whole_block() noexcept nogil:
    """A cell and all that are adjacent to it."""
    cdef Block block
    cdef int k
    for k in range(AXES):
        block.low[k] = -1
        block.cells[k] = 3
    return block


cdef inline Block block_ahead(const short* step) noexcept nogil:
    """The cells ahead of a cell: one step on along the axis of the step, and adjacent along the others. Branch-free, because
    directions are unpredictable."""
    cdef Block block
    cdef int k
    for k in range(AXES):
        block.low[k] = step[k] - (step[k] == 0)
        block.cells[k] = 1 + 2 * (step[k] == 0)
    return block


cdef inline Block block_of_buckets(const Level* v) noexcept nogil:
    """One cell of each bucket."""
    cdef Block block
    cdef int k
    for k in range(AXES):
        block.low[k] = 0
        block.cells[k] = v.buckets[k]
    return block


cdef inline int block_begin(const Block* block, int* at) noexcept nogil:
    """Set `at` to the first cell of a block, and return how many cells it has."""
    cdef int k
    cdef int count = 1
    for k in range(AXES):
        at[k] = block.low[k]
        count *= max(block.cells[k], 0)
    return count


cdef inline void block_next(const Block* block, int* at) noexcept nogil:
    """Move `at` to the next cell of a block, line by line along axis 0; from the last one to the first."""
    cdef int k
    for k in range(AXES):
        at[k] += 1
        if at[k] < block.low[k] + block.cells[k]:
            return
        at[k] = block.low[k]


cdef inline bint level_create(Level* v, Grid grid, int rank, const Box* box) noexcept nogil:
    """Create level `rank` of a grid. `v` must be all zero. False if there is no memory: the caller must call level_free."""
    cdef bint complete
    cdef Py_ssize_t stride = 1
    cdef int k
    for k in range(AXES):
        v.cells[k] = grid.cells[k] << rank
        v.buckets[k] = v.cells[k] // grid.per_bucket[k]
        v.side[k] = box.length[k] / v.cells[k]
    if grid.buckets > 0:
        level_hash(v, grid.buckets if rank == grid.levels - 1 else grid.buckets // 2)
        v.below = <int*>allocate(level_cells(v) * sizeof(int))
    v.filled = <unsigned char*>allocate(level_cells(v))
    v.slot = <int*>allocate(level_cells(v) * SLOTS * sizeof(int))
    complete = v.filled != NULL and v.slot != NULL and (v.below != NULL or grid.buckets == 0)
    for k in range(AXES):
        v.hashed |= v.buckets[k] < v.cells[k]
        v.window[k] = windows(v.cells[k], v.side[k], box.periodic[k])
        v.bucket_at[k] = cells_at(v.cells[k], v.buckets[k], stride, box.periodic[k])
        complete = complete and v.window[k] != NULL and v.bucket_at[k] != NULL
        stride *= v.buckets[k] + 1
    return complete


cdef inline Py_ssize_t level_buckets(const Level* v) noexcept nogil:
    """Number of buckets, without those that are always empty."""
    cdef Py_ssize_t count = 1
    cdef int k
    for k in range(AXES):
        count *= v.buckets[k]
    return count


cdef inline void level_hash(Level* v, int most) noexcept nogil:
    """Halve the number of buckets, along the axis with the most of them, until there are at most `most`. A number that is odd, or
    would fall below BUCKETS_LEAST, is not halved."""
    cdef int k, axis
    while level_buckets(v) > most:
        axis = -1
        for k in range(AXES):
            if v.buckets[k] & 1 == 0 and v.buckets[k] >= 2 * BUCKETS_LEAST and (
                    axis < 0 or v.buckets[k] > v.buckets[axis]):
                axis = k
        if axis < 0:
            return
        v.buckets[axis] //= 2


cdef inline void level_free(Level* v) noexcept nogil:
    cdef int k
    for k in range(AXES):
        free(v.window[k])
        free(v.bucket_at[k])
    free(v.filled)
    free(v.slot)
    free(v.below)


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
    cdef size_t count = 1
    cdef int k
    for k in range(AXES):
        count *= <size_t>v.buckets[k] + 1
    return count


cdef inline int cells_index(double x, double side, int cells) noexcept nogil:
    """The index, along one axis, of the cell of a coordinate inside the box. An index that rounding puts outside the box is
    clamped."""
    cdef double k = floor(x / side)
    if k < 0.0:
        return 0
    return <int>k if k < cells else cells - 1


cdef inline void level_index(const Level* v, const double* r, int* at) noexcept nogil:
    """Set `at` to the cell of a position inside the box."""
    cdef int k
    for k in range(AXES):
        at[k] = cells_index(r[k], v.side[k], v.cells[k])


cdef inline Py_ssize_t cell_number(const Level* v, const int* at) noexcept nogil:
    """The bucket of a cell, which may be one step beyond the edges of the box."""
    cdef Py_ssize_t number = v.bucket_at[AXES - 1][at[AXES - 1] + 1]
    cdef int k
    for k in range(AXES - 1):
        number += v.bucket_at[k][at[k] + 1]
    return number


# Marks: a bit for each bucket, so that those of 20,000 cells stay in the nearest cache.

cdef inline size_t mark_words(const Level* v) noexcept nogil:
    """How many words of 64 bits the marks of a level take."""
    return (level_cells(v) >> 6) + 1


cdef inline uint64_t* marks_create(const Level* v) noexcept nogil:
    """No bucket of the level is marked. NULL without memory."""
    return <uint64_t*>calloc(mark_words(v), sizeof(uint64_t))


cdef inline void mark(uint64_t* marks, size_t bucket) noexcept nogil:
    marks[bucket >> 6] |= <uint64_t>1 << (bucket & 63)


cdef inline bint is_marked(const uint64_t* marks, size_t bucket) noexcept nogil:
    return (marks[bucket >> 6] >> (bucket & 63)) & 1
