# cython: language_level=3, wraparound=False, cdivision=True
"""Finds discs that overlap, and tells whether one more disc fits. Knows positions and radii, no engine."""
from libc.math cimport fabs

from hdsim.core.cells cimport LEVELS_MAX, Cells, cells_place, cells_unlink
from hdsim.core.cells_around cimport cells_neighbours


cdef struct Overlaps:
    long long count
    long long room          # pairs that `pair` can hold
    int* pair               # the first `room` pairs, two discs each


cdef inline bint overlapping(double dx, double dy, double contact, double tolerance) noexcept nogil:
    """Do discs whose centres are (dx, dy) apart overlap by more than `tolerance` times the contact distance?"""
    return dx * dx + dy * dy < (contact * (1.0 - tolerance)) * (contact * (1.0 - tolerance))


cdef inline void find_overlaps(Cells* c, const double* xy, const double* radius, double tolerance,
                               Overlaps* found) noexcept nogil:
    """Find the pairs that overlap by more than `tolerance` times their contact distance, for any mix of radii. The cells must be
    empty, and the positions inside the box. Leaves all discs in the cells."""
    cdef int i, j, k
    cdef int* place
    for i in range(c.discs):
        cells_place(c, i, xy[2 * i], xy[2 * i + 1], radius[i])
    for i in range(c.discs):
        cells_neighbours(c, i, -1, -1, 3, 3, 0, c.place[i].rank)     # a pair is found by its disc on the finer level
        place = c.near
        for k in range(c.batches):
            while place != c.batch[k].end:
                j = place[0]
                place += 1
                if (j > i or (j < i and c.place[j].rank < c.place[i].rank)) and overlapping(
                        xy[2 * j] + c.batch[k].image.x * c.box.width - xy[2 * i],
                        xy[2 * j + 1] + c.batch[k].image.y * c.box.height - xy[2 * i + 1],
                        radius[i] + radius[j], tolerance):
                    if found.count < found.room:
                        found.pair[2 * found.count] = min(i, j)
                        found.pair[2 * found.count + 1] = max(i, j)
                    found.count += 1


cdef inline bint is_covered(Cells* c, const double* xy, const double* radius, int disc, double x, double y,
                            double half_x, double half_y) noexcept nogil:
    """Is there one disc in the cells that overlaps disc `disc`, which is not in them, wherever in the rectangle x +- half_x,
    y +- half_y its centre is? (x, y) must be inside the box."""
    cdef int* place
    cdef int j, k
    cdef double dx, dy
    cells_place(c, disc, x, y, radius[disc])
    cells_neighbours(c, disc, -1, -1, 3, 3, 0, LEVELS_MAX)
    cells_unlink(c, disc)
    place = c.near
    for k in range(c.batches):
        while place != c.batch[k].end:
            j = place[0]
            place += 1
            dx = fabs(xy[2 * j] + c.batch[k].image.x * c.box.width - x) + half_x
            dy = fabs(xy[2 * j + 1] + c.batch[k].image.y * c.box.height - y) + half_y
            if j != disc and overlapping(dx, dy, radius[disc] + radius[j], 0.0):
                return True
    return False
