# cython: language_level=3, wraparound=False, cdivision=True
"""Finds the discs in the cells around a disc, or in the cells that come into reach when it crosses into another cell.

Reads cells and does not move discs between them. `cells_neighbours` serves all levels, tells the images, and writes to the array
`near` of the cells. `cells_around` and `cells_ahead` are faster, write to an array of the caller, and do not tell the images.
"""
from libc.string cimport memcpy

from hdsim.core.box cimport Image
from hdsim.core.cells cimport (AROUND, OVERFULL, FILLED, NO_DISC, SLOTS, Cells, Level, Place, cell_number, cells_close_batch,
                               cells_gather, cells_gather_hashed, cells_on, cells_slot, cells_step, overfull_list)


cdef inline int* cells_gather_block(const Cells* c, const Level* v, int column, int row, int columns, int rows, bint wide,
                                    int* to) noexcept nogil:
    """Write the discs of a block of cells inside the box, most often a small one, to `to`, and return the end. wide: the block is
    part of a region that may be wider than all buckets."""
    cdef int* end = to
    # Local copies: the compiler must assume that writing to `to` changes the fields of `v`.
    cdef const int* slot = v.slot
    cdef const unsigned char* filled = v.filled
    cdef Py_ssize_t cell = cell_number(v, column, row)
    cdef Py_ssize_t stride = v.buckets_x + 1
    cdef int k, l
    cdef int seen = OVERFULL if v.hashed else 0     # hashed cells are read one by one, as if one were overfull
    if wide:
        return cells_gather_hashed(c, v, column, row, columns, rows, to)
    for l in range(rows if seen == 0 else 0):
        for k in range(columns):
            memcpy(end, &slot[SLOTS * (cell + k)], SLOTS * sizeof(int))
            end += filled[cell + k] & FILLED
            seen |= filled[cell + k]
        cell += stride
    if seen > FILLED:
        end = to
        for l in range(rows):
            for k in range(columns):
                end = cells_gather(c, v, column + k, row + l, end)
    return end


cdef inline void cells_neighbours(Cells* c, int disc, int low_x, int low_y, int across, int up,
                                  int coarsest, int finest) noexcept nogil:
    """Write the discs of the levels from `coarsest` to `finest` in a block of cells to `near`, in `batches` batches. The block
    has `across` columns and `up` rows, of the coarser of two levels: the one searched and that of the disc. Its first column and
    row are `low_x` and `low_y` from the cell of the disc. The disc itself is found, too, if the block contains its cell."""
    cdef const Place* p = &c.place[disc]
    cdef int k
    cdef int* end = c.near
    c.batches = 0
    for k in range(coarsest, min(c.levels, finest + 1)):
        if c.level[k].population > 0:
            end = level_neighbours(c, &c.level[min(k, p.rank)], &c.level[k], p.column >> max(p.rank - k, 0),
                                   p.row >> max(p.rank - k, 0), max(k - p.rank, 0), low_x, low_y, across, up, end)


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


cdef inline int level_around(const Cells* c, const Level* v, int column, int row, int disc, int most,
                             int* to) noexcept nogil:
    """Write the discs of a level in the three by three cells around (column, row) to `to`, and return how many; -1 if a cell is
    overfull and there are more than `most`. `to` must have room for GATHERED_MAX, and for `most`. Each disc is found once, unless
    a periodic axis has fewer than three cells. disc: the disc whose cell is the middle one, or NO_DISC; it is left out, unless
    a cell is overfull."""
    cdef const Py_ssize_t* column_at = &v.column_at[column]
    cdef const Py_ssize_t* row_at = &v.row_at[row]
    # Local copies, as in cells_gather_block.
    cdef const int* slot = v.slot
    cdef const unsigned char* filled = v.filled
    cdef Py_ssize_t left = column_at[0], middle = column_at[1], right = column_at[2]
    cdef Py_ssize_t below = row_at[0], beside = row_at[1], above = row_at[2]
    cdef int* end
    end = cells_gather_three(slot, filled, below + left, below + middle, below + right, to)
    end = cells_gather_three(slot, filled, above + left, above + middle, above + right, end)
    if disc == NO_DISC:
        end = cells_gather_three(slot, filled, beside + left, beside + middle, beside + right, end)
    else:
        end = cells_gather_two(slot, filled, beside + left, beside + right, end)
        end = cells_gather_others(slot, filled, beside + middle, disc, end)
    return <int>(end - to) if end - to <= AROUND else cells_gather_overfull(c, v, column_at, 3, row_at, 3, most, to)


cdef inline int level_ahead(const Cells* c, const Level* v, int column, int row, int step_x, int step_y, int most,
                            int* to) noexcept nogil:
    """Write the discs of a level in the three cells ahead of (column, row), one step on, to `to`, and return how many; room and
    failure as for `level_around`."""
    cdef int across = step_y != 0       # columns from one of the three to the next
    cdef int up = step_x != 0           # rows
    cdef int* end
    column += step_x
    row += step_y
    end = cells_gather_three(v.slot, v.filled, cell_number(v, column - across, row - up), cell_number(v, column, row),
                             cell_number(v, column + across, row + up), to)
    if end - to <= AROUND:
        return <int>(end - to)
    return cells_gather_overfull(c, v, &v.column_at[column - across + 1], 2 * across + 1, &v.row_at[row - up + 1], 2 * up + 1,
                                 most, to)


cdef inline int cells_gather_overfull(const Cells* c, const Level* v, const Py_ssize_t* column_at, int columns,
                              const Py_ssize_t* row_at, int rows, int most, int* to) noexcept nogil:
    """Write all discs of these columns and rows to `to`, and return how many; -1 if there are more than `most`."""
    cdef int found = 0
    cdef int k, l, disc
    cdef Py_ssize_t cell
    for l in range(rows):
        for k in range(columns):
            cell = row_at[l] + column_at[k]
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
    return found


cdef inline int cells_around(const Cells* c, int disc, int most, int* to) noexcept nogil:
    """Write the other discs in the cells around a disc on its own level to `to`: see `level_around`."""
    cdef const Place* p = &c.place[disc]
    return level_around(c, &c.level[p.rank], p.column, p.row, disc, most, to)


cdef inline int cells_ahead(const Cells* c, int disc, int step_x, int step_y, int most, int* to) noexcept nogil:
    """Write the discs in the cells ahead of a disc on its own level to `to`: see `level_ahead`."""
    cdef const Place* p = &c.place[disc]
    return level_ahead(c, &c.level[p.rank], p.column, p.row, step_x, step_y, most, to)


cdef inline int cells_around_up(const Cells* c, int disc, int coarsest, int most, int* to) noexcept nogil:
    """Write the other discs in the cells around a disc, on its own level and the coarser ones from `coarsest` on, to `to`, and
    return how many; -1 if there are more than `most`. `to` must have room for `most` more than `cells_around` needs."""
    cdef const Place* p = &c.place[disc]
    cdef int found = cells_around(c, disc, most, to)
    cdef int k = c.level[p.rank].coarser
    cdef int count
    while k >= coarsest and found >= 0:
        count = level_around(c, &c.level[k], p.column >> (p.rank - k), p.row >> (p.rank - k), NO_DISC, most - found,
                             to + found)
        found = found + count if count >= 0 and found + count <= most else -1
        k = c.level[k].coarser
    return found


cdef inline int cells_ahead_up(const Cells* c, int disc, int step_x, int step_y, int coarsest, int most,
                               int* to) noexcept nogil:
    """Write the discs in the cells ahead of a disc that has just made this step to `to`: on its own level, and on the coarser
    ones from `coarsest` on where the step led into another cell. Result and room as for `cells_around_up`. On these levels, each
    periodic axis must have two columns or rows at least."""
    cdef const Place* p = &c.place[disc]
    cdef const Level* v = &c.level[p.rank]
    # The cell that it has left, on its own level.
    cdef int column = cells_on(p.column, -step_x, v.columns)
    cdef int row = cells_on(p.row, -step_y, v.rows)
    cdef int found = 0
    cdef int k = p.rank
    cdef int count
    while k >= coarsest and ((column ^ p.column) | (row ^ p.row)) >> (p.rank - k) != 0:
        count = level_ahead(c, &c.level[k], p.column >> (p.rank - k), p.row >> (p.rank - k), step_x, step_y, most - found,
                            to + found)
        if count < 0 or found + count > most:
            return -1
        found += count
        k = c.level[k].coarser
    return found


cdef inline int* level_neighbours(Cells* c, const Level* common, const Level* v, int column, int row, int deeper,
                           int low_x, int low_y, int across, int up, int* end) noexcept nogil:
    """The part of `cells_neighbours` for discs on level `v`, around the cell (column, row) of level `common`, which is `deeper`
    levels coarser."""
    cdef bint wide = v.hashed and (across << deeper > v.buckets_x or up << deeper > v.buckets_y)
    cdef bint sparse = deeper > 0 and common.below != NULL      # most cells may be empty
    cdef int step_x, step_y, k, l
    cdef Image image
    if (not sparse and 0 <= column + low_x and column + low_x + across <= common.columns and 0 <= row + low_y
            and row + low_y + up <= common.rows):
        end = cells_gather_block(c, v, (column + low_x) << deeper, (row + low_y) << deeper, across << deeper,
                                 up << deeper, wide, end)
        cells_close_batch(c, end, Image(0, 0))
        return end
    for step_y in range(low_y, low_y + up):         # cell by cell, also across the edges of the box
        l = cells_step(row, step_y, common.rows, c.box.periodic_y, &image.y)
        for step_x in range(low_x, low_x + across):
            k = cells_step(column, step_x, common.columns, c.box.periodic_x, &image.x)
            if k != NO_DISC and l != NO_DISC and not (sparse and common.below[cell_number(common, k, l)] == 0):
                end = cells_gather_block(c, v, k << deeper, l << deeper, 1 << deeper, 1 << deeper, wide, end)
                cells_close_batch(c, end, image)
    return end
