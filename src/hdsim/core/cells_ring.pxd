# cython: language_level=3, wraparound=False, cdivision=True
"""Finds the discs in the cells between two circles: candidates of a large disc among many small ones.

Reads cells and does not move discs between them.
"""
from libc.math cimport sqrt
from libc.string cimport memcpy

from hdsim.core.axes cimport AXES
from hdsim.core.box cimport Image
from hdsim.core.cells cimport OVERFULL, FILLED, Cells, cells_close_batch, cells_gather, cells_gather_hashed
from hdsim.core.level cimport SLOTS, Block, Level, block_begin, block_next, cell_number


cdef inline void level_ring(Cells* c, const Level* v, const double* centre, double inner, double outer) noexcept nogil:
    """Write the discs of one level in the cells that meet the ring between two circles (in three axes, the shell between two
    spheres) around a centre, and some more, to `near`, in `batches` batches, one for each image of the box. `inner` and `outer`
    are the radii; `outer` must be less than half of each box length. The ring may reach over periodic edges."""
    cdef double middle[AXES]
    cdef Image image
    cdef Block images
    cdef int* end = c.near
    cdef int k
    for k in range(AXES):       # most rings are inside the box: then there is one image only
        images.low[k] = -(c.box.periodic[k]
                          and not v.side[k] < centre[k] - outer <= centre[k] + outer < c.box.length[k] - v.side[k])
        images.cells[k] = 1 - 2 * images.low[k]
    c.batches = 0
    for _ in range(block_begin(&images, image.at)):
        for k in range(AXES):
            middle[k] = centre[k] - image.at[k] * c.box.length[k]
        end = image_ring(c, v, middle, inner, outer, end)
        cells_close_batch(c, end, image)
        block_next(&images, image.at)


cdef inline int* image_ring(const Cells* c, const Level* v, const double* centre, double inner, double outer,
                            int* end) noexcept nogil:
    """The part of `level_ring` in one image of the box; in three axes, plane by plane of cells, in each of which there is a ring
    between two circles."""
    cdef double stray = stray_of(v, AXES - 1)
    cdef double side = v.side[AXES - 1], z = centre[AXES - 1]
    cdef int planes = v.cells[AXES - 1]
    cdef double nearest, farthest
    cdef bint wide = False
    cdef int at[AXES]
    cdef int k, plane
    for k in range(AXES):
        wide |= 2.0 * (outer + stray_of(v, k) + v.side[k]) > v.buckets[k] * v.side[k]
        if centre[k] + outer < -v.side[k] or centre[k] - outer > c.box.length[k] + v.side[k]:
            return end
    wide &= v.hashed
    if AXES == 2:
        return plane_ring(c, v, at, centre, inner, outer, wide, end)
    for plane in range(cells_about((z - outer - stray) / side, planes), cells_about((z + outer + stray) / side, planes) + 1):
        at[AXES - 1] = plane
        nearest = distances_to(plane, side, stray, z, &farthest)
        end = plane_ring(c, v, at, centre, sqrt(max(inner * inner - farthest * farthest, 0.0)),
                         sqrt(max(outer * outer - nearest * nearest, 0.0)), wide, end)
    return end


cdef inline int* plane_ring(const Cells* c, const Level* v, int* at, const double* centre, double inner, double outer, bint wide,
                            int* end) noexcept nogil:
    """The part of `image_ring` in one plane of cells, that of `at`: row by row, the cells left and right of the inner circle."""
    cdef double columns_per_x = 1.0 / v.side[0]
    cdef double rows_per_y = 1.0 / v.side[1]
    cdef double stray_x = stray_of(v, 0)
    cdef double stray_y = stray_of(v, 1)
    cdef double x = centre[0], y = centre[1]
    cdef int row, left, right, first, last
    cdef double nearest, farthest, half
    for row in range(cells_about((y - outer - stray_y) * rows_per_y, v.cells[1]),
                     cells_about((y + outer + stray_y) * rows_per_y, v.cells[1]) + 1):
        at[1] = row
        nearest = distances_to(row, v.side[1], stray_y, y, &farthest)
        half = sqrt(max(outer * outer - nearest * nearest, 0.0)) + stray_x
        first = cells_about((x - half) * columns_per_x, v.cells[0])
        last = cells_about((x + half) * columns_per_x, v.cells[0])
        if farthest < inner:    # the cells that lie inside the inner circle are left out
            half = sqrt(inner * inner - farthest * farthest) - stray_x
            left = cells_about((x - half) * columns_per_x, v.cells[0])
            right = cells_about((x + half) * columns_per_x, v.cells[0])
            if left + 1 < right:
                at[0] = first
                end = cells_gather_stretch(c, v, at, left + 1 - first, wide, end)
                first = right
        at[0] = first
        end = cells_gather_stretch(c, v, at, last + 1 - first, wide, end)
    return end


cdef inline double stray_of(const Level* v, int axis) noexcept nogil:
    """How far a centre may be outside its cell along an axis."""
    return max(0.5 * v.side[axis] - v.smallest, 0.0)


cdef inline double distances_to(int cell, double side, double stray, double centre, double* farthest) noexcept nogil:
    """The least and the greatest distance, along one axis, from a centre to the centres of discs in a row or plane of cells."""
    cdef double low = cell * side - stray - centre
    cdef double high = (cell + 1) * side + stray - centre
    farthest[0] = max(-low, high)
    return max(max(low, -high), 0.0)


cdef inline int* cells_gather_stretch(const Cells* c, const Level* v, int* at, int columns, bint wide, int* to) noexcept nogil:
    """Write the discs of adjacent cells of a row, from `at` on, at least one and most often no more than three, to `to`, and
    return the end. `at` may move on. wide: the cells are part of a region that may be wider than all buckets."""
    cdef Py_ssize_t cell = cell_number(v, at)
    cdef const int* slot = v.slot
    cdef const unsigned char* filled = v.filled
    cdef int* end = to
    cdef int second = filled[cell + 1] & -<int>(columns > 1)
    cdef int third = filled[cell + 2] & -<int>(columns > 2)
    cdef int seen = filled[cell] | second | third
    cdef int k
    cdef Block stretch
    if wide:
        for k in range(AXES):
            stretch.low[k] = at[k]
            stretch.cells[k] = columns if k == 0 else 1
        return cells_gather_hashed(c, v, &stretch, to)
    if v.hashed and v.bucket_at[0][at[0] + columns] != v.bucket_at[0][at[0] + 1] + columns - 1:
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
            end = cells_gather(c, v, at, end)
            at[0] += 1
    return end


cdef inline int cells_about(double cells_along, int cells) noexcept nogil:
    """The index of the cell of a coordinate in units of a cell, clamped to the box; rounding may give an adjacent one."""
    return <int>max(min(cells_along, cells - 1.0), 0.0)
