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
from libc.math cimport INFINITY
from libc.stdlib cimport abs, free
from libc.string cimport memcpy, memset

from hdsim.core.axes cimport AXES, least_of
from hdsim.core.box cimport Box, Image, is_same_image
from hdsim.core.candidates cimport MORE
from hdsim.core.level cimport (LEVELS_MAX, SLOTS, Block, Grid, Level, block_begin, block_next, block_of_buckets, bucket_index,
                               cell_number, cells_least_side, level_cells, level_create, level_free, level_index, shape_of)
from hdsim.core.memory cimport allocate, allocate_zeros, free_zeros


cdef extern from *:
    """
    #define HDSIM_ADJACENT (HDSIM_AXES == 2 ? 9 : 27)
    #define HDSIM_AROUND (HDSIM_ADJACENT * HDSIM_SLOTS)
    #define HDSIM_OVERFULL (HDSIM_AROUND + HDSIM_SLOTS)
    #define HDSIM_GATHERED_MAX (HDSIM_ADJACENT * (HDSIM_OVERFULL + HDSIM_SLOTS - 1) + HDSIM_SLOTS)
    #define HDSIM_BATCHES_MAX (HDSIM_ADJACENT * HDSIM_LEVELS_MAX)

    typedef struct {            /* the cell of a disc; 8 bytes, because an item of 6 may lie across two cache lines */
        short at[HDSIM_AXES];   /* on its level */
    #if HDSIM_AXES == 2
        int rank;               /* its level */
    #else
        short rank;
    #endif
    } hdsim_place;
    """
    enum:
        ADJACENT "HDSIM_ADJACENT"       # a cell and those adjacent to it: three along each axis
        AROUND "HDSIM_AROUND"   # their slots
        OVERFULL "HDSIM_OVERFULL"       # flag in `filled`, a multiple of 8: the bucket has more discs than slots, and its last
                                # slot begins a linked list. More than AROUND, so that a sum of `filled` over ADJACENT buckets
                                # tells whether one of them is overfull
        GATHERED_MAX "HDSIM_GATHERED_MAX"       # numbers written at most if all of them are overfull
        BATCHES_MAX "HDSIM_BATCHES_MAX"

    ctypedef struct Place "hdsim_place":
        short at[AXES]
        int rank


cdef enum:
    NO_DISC = -1
    FILLED = 7              # mask of the other bits of `filled`: the number of slots that hold a disc and no list


cdef struct Batch:          # a part of `near`: neighbours whose cells are in the same image of the box
    int* end                # behind its last disc; it begins at the end of the batch before
    Image image             # of the cells of this batch, as seen from the cell in the middle


cdef struct Listed:         # the links of a disc in the linked list of an overfull bucket
    int next, previous


cdef struct Cells:
    const Box* box
    int levels
    Level level[LEVELS_MAX]     # level k has grid.cells << k cells along each axis
    Grid plain                  # when created
    Grid grid                   # now
    int discs
    Place* place                # [disc]
    Listed* listed              # [disc]; written only for overfull buckets, and takes no memory where it is never written
    int* near                   # the discs that cells_neighbours or level_ring found
    size_t room_near            # size of `near` in bytes
    Batch batch[BATCHES_MAX]
    int batches


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


cdef inline int images_near(const Grid* grid) noexcept nogil:
    """Images of one disc among the neighbours of another, at most. `cells_neighbours` finds half as many; the rest is for
    `level_ring`, which may find a disc at an edge in two images."""
    cdef int k
    for k in range(AXES):
        if grid.cells[k] < 3:
            return 2 * ADJACENT
    return 2


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
    complete = near_create(c, images_near(&grid)) and c.place != NULL and c.listed != NULL
    for k in range(grid.levels):
        complete = level_create(&c.level[k], grid, k, box) and complete
    if not complete:
        cells_free(c)
        with gil:
            raise MemoryError(f"no memory for {shape_of(grid)} cells of {discs} discs on {grid.levels} levels")
    cells_clear(c)
    return 0


cdef inline bint cells_set(Cells* c, Grid grid) noexcept nogil:
    """Replace the cells by empty ones of another grid. False if there is no memory: then the cells are unchanged."""
    cdef Level fresh[LEVELS_MAX]
    cdef bint complete = near_create(c, images_near(&grid))
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
    cdef int at[AXES]
    while k >= 0:
        place_on(p, p.rank - k, at)
        c.level[k].below[cell_number(&c.level[k], at)] += change
        k = c.level[k].coarser


cdef inline bint cells_has_below(const Cells* c, int disc) noexcept nogil:
    """May there be discs of finer levels in the cells around a disc? False is certain, True is not."""
    cdef const Place* p = &c.place[disc]
    cdef const Level* v = &c.level[p.rank]
    cdef int found = 0
    cdef int k, l, m
    if v.below == NULL:
        return True
    for m in range(1 if AXES == 2 else 3):
        for l in range(p.at[1], p.at[1] + 3):
            for k in range(p.at[0], p.at[0] + 3):
                found += v.below[v.bucket_at[1][l] + v.bucket_at[0][k]
                                 + (0 if AXES == 2 else v.bucket_at[AXES - 1][p.at[AXES - 1] + m])]
    return found > 0


cdef inline void place_on(const Place* p, int coarser, int* at) noexcept nogil:
    """Set `at` to the cell that contains a place, on a level that is so many levels coarser."""
    cdef int k
    for k in range(AXES):
        at[k] = p.at[k] >> coarser


cdef inline Py_ssize_t place_number(const Level* v, const Place* p) noexcept nogil:
    """The bucket of the cell of a disc."""
    cdef int at[AXES]
    place_on(p, 0, at)
    return cell_number(v, at)


cdef inline void cells_place(Cells* c, int disc, const double* r, double radius) noexcept nogil:
    """Put a disc of this radius, at this position inside the box, into a cell of the finest level whose cells are wide enough."""
    cdef double side = cells_least_side(radius)
    cdef int k = c.levels - 1
    cdef int at[AXES]
    while k > 0 and least_of(c.level[k].side) < side:
        k -= 1
    c.place[disc].rank = k
    c.level[k].smallest = min(c.level[k].smallest, radius)
    c.level[k].largest = max(c.level[k].largest, radius)
    level_index(&c.level[k], r, at)
    cells_link(c, disc, at)


cdef inline void cells_link(Cells* c, int disc, const int* at) noexcept nogil:
    """Put a disc into a cell of its level."""
    cdef Place* p = &c.place[disc]
    cdef Level* v = &c.level[p.rank]
    cdef Py_ssize_t cell = cell_number(v, at)
    cdef int* slot = &v.slot[SLOTS * cell]
    cdef int k
    for k in range(AXES):
        p.at[k] = <short>at[k]
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
    cdef Py_ssize_t cell = place_number(v, p)
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


cdef inline int* cells_gather(const Cells* c, const Level* v, const int* at, int* to) noexcept nogil:
    """Write the discs of a cell, or of a whole bucket, to `to`, and return the end. All SLOTS slots are written, filled or not,
    which is branch-free."""
    cdef Py_ssize_t cell = cell_number(v, at)
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


cdef inline int* cells_gather_hashed(const Cells* c, const Level* v, const Block* block, int* to) noexcept nogil:
    """Write the discs of a block of hashed cells inside the box to `to`, and return the end. The block may be wider than all
    buckets: each bucket is read once, and discs of cells outside the block are left out."""
    cdef const Place* p
    cdef const int* next
    cdef int* end
    cdef Block read = block[0]
    cdef int at[AXES]
    cdef int k
    cdef bint within
    for k in range(AXES):
        read.cells[k] = min(read.cells[k], v.buckets[k])
    for _ in range(block_begin(&read, at)):
        next = to
        end = cells_gather(c, v, at, to)
        while next != end:
            p = &c.place[next[0]]
            within = True
            for k in range(AXES):
                within &= is_within(p.at[k], block.low[k], block.cells[k])
            to[0] = next[0]
            to += within
            next += 1
        block_next(&read, at)
    return to


cdef inline int cells_step(int index, int step, int cells, bint periodic, int* wrap) noexcept nogil:
    """The index of a cell one `step` (-1, 0, 1) on; NO_DISC beyond a wall. `wrap` becomes the number of box lengths that a
    periodic edge adds to coordinates there. A periodic axis with one or two cells leads to the same cell on both sides, with
    different wraps: so all images are searched."""
    index += step
    wrap[0] = 0
    if 0 <= index < cells:
        return index
    if not periodic:
        return NO_DISC
    wrap[0] = -1 if index < 0 else 1
    return index + cells if index < 0 else index - cells


cdef inline int cells_on(int index, int step, int cells) noexcept nogil:
    """The index of a cell one `step` (-1, 0, 1) on, across periodic edges."""
    index += step
    return index if 0 <= index < cells else index + cells if index < 0 else index - cells


cdef inline bint cells_beside(const Cells* c, int i, int j) noexcept nogil:
    """Are two discs neighbours? Discs that are not neighbours cannot touch."""
    cdef const Place* a = &c.place[i]
    cdef const Place* b = &c.place[j]
    cdef int rank = min(a.rank, b.rank)
    cdef int k
    for k in range(AXES):
        if not indices_beside(a.at[k] >> (a.rank - rank), b.at[k] >> (b.rank - rank), c.level[rank].cells[k], c.box.periodic[k]):
            return False
    return True


cdef inline bint indices_beside(int index, int other, int cells, bint periodic) noexcept nogil:
    """Are two cells the same or adjacent along one axis?"""
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
    cdef int at[AXES]
    cdef int disc, k, l
    cdef int seen = 0
    cdef int* end
    cdef Level* v
    cdef Place* p
    cdef Block every
    for k in range(c.levels):
        v = &c.level[k]
        every = block_of_buckets(v)
        for _ in range(block_begin(&every, at)):
            end = cells_gather(c, v, at, c.near)
            while end != c.near:
                end -= 1
                disc = end[0]
                p = &c.place[disc]
                for l in range(AXES):
                    if bucket_index(p.at[l], v.buckets[l]) != at[l] or p.rank != k:
                        raise AssertionError(f"disc {disc} is listed in {[at[l] for l in range(AXES)]} of level {k}, but "
                                             f"believes in {[p.at[l] for l in range(AXES)]} of level {p.rank}")
                seen += 1
            block_next(&every, at)
    if seen != c.discs:
        raise AssertionError(f"{seen} of {c.discs} discs are listed")
    return 0
