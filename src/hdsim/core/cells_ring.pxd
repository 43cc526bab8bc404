# cython: language_level=3, wraparound=False, cdivision=True
"""Finds the discs in the cells between two circles: candidates of a large disc among many small ones.

Reads cells and does not move discs between them.
"""
from libc.math cimport sqrt
from libc.string cimport memcpy

from hdsim.core.box cimport Image
from hdsim.core.cells cimport (OVERFULL, FILLED, SLOTS, Cells, Level, cell_number, cells_close_batch, cells_gather,
                               cells_gather_hashed)


cdef inline void level_ring(Cells* c, const Level* v, double x, double y, double inner, double outer) noexcept nogil:
    """Write the discs of one level in the cells that meet the ring between two circles around (x, y), and some more, to `near`,
    in `batches` batches, one for each image of the box. `inner` and `outer` are the radii; `outer` must be less than half of
    each box length. The ring may reach over periodic edges."""
    cdef int image_x, image_y
    cdef int* end = c.near
    # Most rings are inside the box: then there is one image only.
    cdef int far_x = c.box.periodic_x and not v.side_x < x - outer <= x + outer < c.box.width - v.side_x
    cdef int far_y = c.box.periodic_y and not v.side_y < y - outer <= y + outer < c.box.height - v.side_y
    c.batches = 0
    for image_y in range(-far_y, far_y + 1):
        for image_x in range(-far_x, far_x + 1):
            end = image_ring(c, v, x - image_x * c.box.width, y - image_y * c.box.height, inner, outer, end)
            cells_close_batch(c, end, Image(image_x, image_y))


cdef inline int* image_ring(const Cells* c, const Level* v, double x, double y, double inner, double outer,
                            int* end) noexcept nogil:
    """The part of `level_ring` in one image of the box: row by row, the cells left and right of the inner circle."""
    cdef double columns_per_x = 1.0 / v.side_x
    cdef double rows_per_y = 1.0 / v.side_y
    # A centre may be this far outside its cell.
    cdef double stray_x = max(0.5 * v.side_x - v.smallest, 0.0)
    cdef double stray_y = max(0.5 * v.side_y - v.smallest, 0.0)
    cdef bint wide = v.hashed and (2.0 * (outer + stray_x + v.side_x) > v.buckets_x * v.side_x
                                   or 2.0 * (outer + stray_y + v.side_y) > v.buckets_y * v.side_y)
    cdef int row, left, right, first, last
    cdef double low_y, high_y, near_y, far_y, half
    if (x + outer < -v.side_x or x - outer > c.box.width + v.side_x or y + outer < -v.side_y
            or y - outer > c.box.height + v.side_y):
        return end
    for row in range(cells_about((y - outer - stray_y) * rows_per_y, v.rows),
                     cells_about((y + outer + stray_y) * rows_per_y, v.rows) + 1):
        low_y = row * v.side_y - stray_y - y
        high_y = (row + 1) * v.side_y + stray_y - y
        near_y = max(max(low_y, -high_y), 0.0)
        far_y = max(-low_y, high_y)
        half = sqrt(max(outer * outer - near_y * near_y, 0.0)) + stray_x
        first = cells_about((x - half) * columns_per_x, v.columns)
        last = cells_about((x + half) * columns_per_x, v.columns)
        if far_y < inner:       # the cells that lie inside the inner circle are left out
            half = sqrt(inner * inner - far_y * far_y) - stray_x
            left = cells_about((x - half) * columns_per_x, v.columns)
            right = cells_about((x + half) * columns_per_x, v.columns)
            if left + 1 < right:
                end = cells_gather_stretch(c, v, first, row, left + 1 - first, wide, end)
                first = right
        end = cells_gather_stretch(c, v, first, row, last + 1 - first, wide, end)
    return end


cdef inline int* cells_gather_stretch(const Cells* c, const Level* v, int column, int row, int columns, bint wide,
                                      int* to) noexcept nogil:
    """Write the discs of adjacent cells of a row, at least one and most often no more than three, to `to`, and return the end.
    wide: the cells are part of a region that may be wider than all buckets."""
    cdef Py_ssize_t cell = cell_number(v, column, row)
    cdef const int* slot = v.slot
    cdef const unsigned char* filled = v.filled
    cdef int* end = to
    cdef int second = filled[cell + 1] & -<int>(columns > 1)
    cdef int third = filled[cell + 2] & -<int>(columns > 2)
    cdef int seen = filled[cell] | second | third
    cdef int k
    if wide:
        return cells_gather_hashed(c, v, column, row, columns, 1, to)
    if v.hashed and cell_number(v, column + columns - 1, row) != cell + columns - 1:
        seen = OVERFULL     # their buckets are not adjacent: read them one by one, as if one were overfull
    memcpy(end, &slot[SLOTS * cell], SLOTS * sizeof(int))
    end += filled[cell] & FILLED
    memcpy(end, &slot[SLOTS * (cell + 1)], SLOTS * sizeof(int))
    end += second & FILLED
    memcpy(end, &slot[SLOTS * (cell + 2)], SLOTS * sizeof(int))
    end += third & FILLED
    for k in range(3, columns if seen < OVERFULL else 3):
        memcpy(end, &slot[SLOTS * (cell + k)], SLOTS * sizeof(int))
        end += filled[cell + k] & FILLED
        seen |= filled[cell + k]
    if seen > FILLED:
        end = to
        for k in range(columns):
            end = cells_gather(c, v, column + k, row, end)
    return end


cdef inline int cells_about(double cells_along, int cells) noexcept nogil:
    """The column or row of a coordinate in units of a cell, clamped to the box; rounding may give an adjacent one."""
    return <int>max(min(cells_along, cells - 1.0), 0.0)
