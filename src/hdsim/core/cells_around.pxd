# cython: language_level=3, wraparound=False, cdivision=True
"""Finds the discs in the cells around a disc, or in the cells that come into reach when it crosses into another cell.

Reads cells and does not move discs between them. `cells_neighbours` serves all levels, tells the images, and writes to the array
`near` of the cells. `cells_around` and `cells_ahead` are faster, write to an array of the caller, and do not tell the images.
"""
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Image, no_image
from hdsim.core.cells cimport (AROUND, OVERFULL, FILLED, NO_DISC, Cells, Place, cells_close_batch, cells_gather,
                               cells_gather_hashed, cells_on, cells_slot, cells_step, overfull_list, place_on)
from hdsim.core.level cimport SLOTS, Block, Level, block_ahead, block_begin, block_next, cell_number, whole_block


cdef inline int* cells_gather_block(const Cells* c, const Level* v, const Block* block, bint wide, int* to) noexcept nogil:
    """Write the discs of a block of cells inside the box, most often a small one, to `to`, and return the end. wide: the block is
    part of a region that may be wider than all buckets."""
    cdef int* end = to
    # Local copies: the compiler must assume that writing to `to` changes the fields of `v`.
    cdef const int* slot = v.slot
    cdef const unsigned char* filled = v.filled
    cdef Py_ssize_t cell = cell_number(v, block.low)
    cdef Py_ssize_t row = v.buckets[0] + 1
    cdef Py_ssize_t plane = row * (v.buckets[1] + 1)
    cdef int columns = block.cells[0], rows = block.cells[1]
    cdef int at[AXES]
    cdef int k, l
    cdef int seen = OVERFULL if v.hashed else 0     # hashed cells are read one by one, as if one were overfull
    if wide:
        return cells_gather_hashed(c, v, block, to)
    for _ in range(1 if AXES == 2 else block.cells[AXES - 1]):
        for l in range(rows if seen < OVERFULL else 0):
            for k in range(columns):
                memcpy(end, &slot[SLOTS * (cell + k)], SLOTS * sizeof(int))
                end += filled[cell + k] & FILLED
                seen |= filled[cell + k]
            cell += row
        cell += plane - rows * row
    if seen > FILLED:
        end = to
        for _ in range(block_begin(block, at)):
            end = cells_gather(c, v, at, end)
            block_next(block, at)
    return end


cdef inline void cells_neighbours(Cells* c, int disc, const Block* block, int coarsest, int finest) noexcept nogil:
    """Write the discs of the levels from `coarsest` to `finest` in a block of cells to `near`, in `batches` batches. The block
    is one of cells of the coarser of two levels, the one searched and that of the disc, and is counted from the cell of the disc.
    The disc itself is found, too, if the block contains its cell."""
    cdef const Place* p = &c.place[disc]
    cdef int at[AXES]
    cdef int k
    cdef int* end = c.near
    c.batches = 0
    for k in range(coarsest, min(c.levels, finest + 1)):
        if c.level[k].population > 0:
            place_on(p, max(p.rank - k, 0), at)
            end = level_neighbours(c, &c.level[min(k, p.rank)], &c.level[k], at, max(k - p.rank, 0), block, end)


cdef inline int* cells_gather_two(const int* slot, const unsigned char* filled, Py_ssize_t one, Py_ssize_t two,
                                  int* to) noexcept nogil:
    """Write the discs of two buckets to `to`, and return the end. If a bucket is overfull, the end is more than AROUND behind
    `to`, and what was written is of no use."""
    memcpy(to, &slot[SLOTS * one], SLOTS * sizeof(int))
    to += filled[one]
    memcpy(to, &slot[SLOTS * two], SLOTS * sizeof(int))
    return to + filled[two]


cdef inline int* cells_gather_three(const int* slot, const unsigned char* filled, Py_ssize_t one, Py_ssize_t two,
                                    Py_ssize_t three, int* to) noexcept nogil:
    """Write the discs of three buckets to `to`, and return the end, with an overfull bucket as `cells_gather_two`."""
    to = cells_gather_two(slot, filled, one, two, to)
    memcpy(to, &slot[SLOTS * three], SLOTS * sizeof(int))
    return to + filled[three]


cdef inline int* cells_gather_others(const int* slot, const unsigned char* filled, Py_ssize_t cell, int disc,
                                     int* to) noexcept nogil:
    """Write the discs of the bucket of this disc to `to`, except the disc itself, whose place the last one takes. Return the end,
    with an overfull bucket as `cells_gather_two`."""
    cdef const int* own = &slot[SLOTS * cell]
    memcpy(to, own, SLOTS * sizeof(int))
    to[cells_slot(own, disc)] = own[(filled[cell] - 1) & (SLOTS - 1)]
    return to + filled[cell] - 1


cdef inline int level_around(const Cells* c, const Level* v, const int* at, int disc, int most, int* to) noexcept nogil:
    """Write the discs of a level in a cell and those adjacent to it to `to`, and return how many; -1 if a cell is overfull and
    there are more than `most`. `to` must have room for GATHERED_MAX, and for `most`. Each disc is found once, unless a periodic
    axis has fewer than three cells. disc: the disc whose cell is the middle one, or NO_DISC; it is left out, unless a cell is
    overfull."""
    cdef const Py_ssize_t* column_at = &v.bucket_at[0][at[0]]
    cdef const Py_ssize_t* row_at = &v.bucket_at[1][at[1]]
    cdef const Py_ssize_t* plane_at = &v.bucket_at[AXES - 1][at[AXES - 1]]
    # Local copies, as in cells_gather_block.
    cdef const int* slot = v.slot
    cdef const unsigned char* filled = v.filled
    cdef Py_ssize_t left = column_at[0], middle = column_at[1], right = column_at[2]
    cdef Py_ssize_t below = row_at[0], beside = row_at[1], above = row_at[2]
    cdef Py_ssize_t line
    cdef int* end = to
    cdef int k, l
    if AXES == 2:
        end = cells_gather_three(slot, filled, below + left, below + middle, below + right, end)
        end = cells_gather_three(slot, filled, above + left, above + middle, above + right, end)
    else:
        for l in range(3):
            for k in range(3):
                line = plane_at[l] + row_at[k]
                if k != 1 or l != 1:
                    end = cells_gather_three(slot, filled, line + left, line + middle, line + right, end)
        beside += plane_at[1]
    if disc == NO_DISC:
        end = cells_gather_three(slot, filled, beside + left, beside + middle, beside + right, end)
    else:
        end = cells_gather_two(slot, filled, beside + left, beside + right, end)
        end = cells_gather_others(slot, filled, beside + middle, disc, end)
    return <int>(end - to) if end - to <= AROUND else gather_overfull_around(c, v, at, most, to)


cdef inline int gather_overfull_around(const Cells* c, const Level* v, const int* at, int most, int* to) noexcept nogil:
    """The part of `level_around` for cells of which one is overfull."""
    cdef Block block = whole_block()
    cdef int k
    for k in range(AXES):
        block.low[k] += at[k]
    return cells_gather_overfull(c, v, &block, most, to)


cdef inline int level_ahead(const Cells* c, const Level* v, const int* at, const short* step, int most, int* to) noexcept nogil:
    """Write the discs of a level in the cells ahead of a cell, one step on along one axis and adjacent ones along the others, to
    `to`, and return how many; room and failure as for `level_around`."""
    cdef Block block = block_ahead(step)
    cdef const Py_ssize_t* from_low[AXES]       # the places of the cells of the block along each axis
    cdef const int* slot = v.slot
    cdef const unsigned char* filled = v.filled
    cdef int* end = to
    cdef int across = step[1] != 0      # columns from one of the three to the next
    cdef int up = step[0] != 0          # rows
    cdef int k, l
    cdef Py_ssize_t line
    for k in range(AXES):
        block.low[k] += at[k]
        from_low[k] = &v.bucket_at[k][block.low[k] + 1]
    if AXES == 2:
        end = cells_gather_three(slot, filled, from_low[1][0] + from_low[0][0], from_low[1][up] + from_low[0][across],
                                 from_low[1][2 * up] + from_low[0][2 * across], end)
    else:
        for l in range(block.cells[AXES - 1]):
            for k in range(block.cells[1]):
                line = from_low[AXES - 1][l] + from_low[1][k]
                if up:
                    memcpy(end, &slot[SLOTS * (line + from_low[0][0])], SLOTS * sizeof(int))
                    end += filled[line + from_low[0][0]]
                else:
                    end = cells_gather_three(slot, filled, line + from_low[0][0], line + from_low[0][1], line + from_low[0][2],
                                             end)
    return <int>(end - to) if end - to <= AROUND else cells_gather_overfull(c, v, &block, most, to)


cdef inline int cells_gather_overfull(const Cells* c, const Level* v, const Block* block, int most, int* to) noexcept nogil:
    """Write all discs of a block of cells to `to`, and return how many; -1 if there are more than `most`. The block may reach one
    cell beyond the edges of the box."""
    cdef int found = 0
    cdef int at[AXES]
    cdef int disc
    cdef Py_ssize_t cell
    for _ in range(block_begin(block, at)):
        cell = cell_number(v, at)
        if found + SLOTS > most:
            return -1
        memcpy(to + found, &v.slot[SLOTS * cell], SLOTS * sizeof(int))
        found += v.filled[cell] & FILLED
        disc = overfull_list(v, cell)
        while disc != NO_DISC:
            if found == most:
                return -1
            to[found] = disc
            found += 1
            disc = c.listed[disc].next
        block_next(block, at)
    return found


cdef inline int cells_around(const Cells* c, int disc, int most, int* to) noexcept nogil:
    """Write the other discs in the cells around a disc on its own level to `to`: see `level_around`."""
    cdef const Place* p = &c.place[disc]
    cdef int at[AXES]
    place_on(p, 0, at)
    return level_around(c, &c.level[p.rank], at, disc, most, to)


cdef inline int cells_ahead(const Cells* c, int disc, const short* step, int most, int* to) noexcept nogil:
    """Write the discs in the cells ahead of a disc on its own level to `to`: see `level_ahead`."""
    cdef const Place* p = &c.place[disc]
    cdef int at[AXES]
    place_on(p, 0, at)
    return level_ahead(c, &c.level[p.rank], at, step, most, to)


cdef inline int cells_around_up(const Cells* c, int disc, int coarsest, int most, int* to) noexcept nogil:
    """Write the other discs in the cells around a disc, on its own level and the coarser ones from `coarsest` on, to `to`, and
    return how many; -1 if there are more than `most`. `to` must have room for `most` more than `cells_around` needs."""
    cdef const Place* p = &c.place[disc]
    cdef int found = cells_around(c, disc, most, to)
    cdef int k = c.level[p.rank].coarser
    cdef int count
    cdef int at[AXES]
    while k >= coarsest and found >= 0:
        place_on(p, p.rank - k, at)
        count = level_around(c, &c.level[k], at, NO_DISC, most - found, to + found)
        found = found + count if count >= 0 and found + count <= most else -1
        k = c.level[k].coarser
    return found


cdef inline int cells_ahead_up(const Cells* c, int disc, const short* step, int coarsest, int most, int* to) noexcept nogil:
    """Write the discs in the cells ahead of a disc that has just made this step to `to`: on its own level, and on the coarser
    ones from `coarsest` on where the step led into another cell. Result and room as for `cells_around_up`. On these levels, each
    periodic axis must have two cells at least."""
    cdef const Place* p = &c.place[disc]
    cdef int changed = 0        # the bits in which its index differs from that of the cell that it has left, on its own level
    cdef int at[AXES]
    cdef int found = 0
    cdef int k = p.rank
    cdef int count, axis
    for axis in range(AXES):
        changed |= cells_on(p.at[axis], -step[axis], c.level[p.rank].cells[axis]) ^ p.at[axis]
    while k >= coarsest and changed >> (p.rank - k) != 0:
        place_on(p, p.rank - k, at)
        count = level_ahead(c, &c.level[k], at, step, most - found, to + found)
        if count < 0 or found + count > most:
            return -1
        found += count
        k = c.level[k].coarser
    return found


cdef inline int* level_neighbours(Cells* c, const Level* common, const Level* v, const int* at, int deeper, const Block* block,
                                  int* end) noexcept nogil:
    """The part of `cells_neighbours` for discs on level `v`, around the cell `at` of level `common`, which is `deeper` levels
    coarser."""
    cdef bint wide = False
    cdef bint sparse = deeper > 0 and common.below != NULL      # most cells may be empty
    cdef bint inside = True
    cdef int step[AXES]
    cdef int cell[AXES]
    cdef int k
    cdef bint beyond
    cdef Image image
    cdef Block part
    for k in range(AXES):
        wide |= block.cells[k] << deeper > v.buckets[k]
        inside = inside and 0 <= at[k] + block.low[k] and at[k] + block.low[k] + block.cells[k] <= common.cells[k]
        part.low[k] = (at[k] + block.low[k]) * (1 << deeper)
        part.cells[k] = block.cells[k] << deeper
    wide &= v.hashed
    if not sparse and inside:
        end = cells_gather_block(c, v, &part, wide, end)
        cells_close_batch(c, end, no_image())
        return end
    for _ in range(block_begin(block, step)):       # cell by cell, also across the edges of the box
        beyond = False
        for k in range(AXES):
            cell[k] = cells_step(at[k], step[k], common.cells[k], c.box.periodic[k], &image.at[k])
            beyond |= cell[k] == NO_DISC
            part.low[k] = cell[k] * (1 << deeper)
            part.cells[k] = 1 << deeper
        if not beyond and not (sparse and common.below[cell_number(common, cell)] == 0):
            end = cells_gather_block(c, v, &part, wide, end)
            cells_close_batch(c, end, image)
        block_next(block, step)
    return end
