# cython: language_level=3, wraparound=False, cdivision=True
"""Finds discs that overlap, and tells whether one more disc fits. Knows positions and radii, no engine."""
from libc.math cimport fabs

from hdsim.core.axes cimport AXES, square
from hdsim.core.box cimport Image
from hdsim.core.cells cimport Cells, cells_place, cells_unlink
from hdsim.core.cells_around cimport cells_neighbours
from hdsim.core.level cimport LEVELS_MAX, Block, whole_block


cdef struct Overlaps:
    long long count
    long long room          # pairs that `pair` can hold
    int* pair               # the first `room` pairs, two discs each


cdef inline bint overlapping(const double* d, double contact, double tolerance) noexcept nogil:
    """Do discs whose centres are this far apart along the axes overlap by more than `tolerance` times the contact distance?"""
    return square(d) < (contact * (1.0 - tolerance)) * (contact * (1.0 - tolerance))


cdef inline void separation(const Cells* c, const double* a, const double* b, Image image, double* d) noexcept nogil:
    """Set d to how far an image of position b is from position a, along each axis."""
    cdef int k
    for k in range(AXES):
        d[k] = b[k] + image.at[k] * c.box.length[k] - a[k]


cdef inline void find_overlaps(Cells* c, const double* r, const double* radius, double tolerance,
                               Overlaps* found) noexcept nogil:
    """Find the pairs that overlap by more than `tolerance` times their contact distance, for any mix of radii. r: the positions,
    AXES numbers for each disc. The cells must be empty, and the positions inside the box. Leaves all discs in the cells."""
    cdef Block around = whole_block()
    cdef double d[AXES]
    cdef int i, j, k
    cdef int* place
    for i in range(c.discs):
        cells_place(c, i, &r[AXES * <size_t>i], radius[i])
    for i in range(c.discs):
        cells_neighbours(c, i, &around, 0, c.place[i].rank)     # a pair is found by its disc on the finer level
        place = c.near
        for k in range(c.batches):
            while place != c.batch[k].end:
                j = place[0]
                place += 1
                if not (j > i or (j < i and c.place[j].rank < c.place[i].rank)):
                    continue
                separation(c, &r[AXES * <size_t>i], &r[AXES * <size_t>j], c.batch[k].image, d)
                if overlapping(d, radius[i] + radius[j], tolerance):
                    if found.count < found.room:
                        found.pair[2 * found.count] = min(i, j)
                        found.pair[2 * found.count + 1] = max(i, j)
                    found.count += 1


cdef inline bint is_covered(Cells* c, const double* r, const double* radius, int disc, const double* at,
                            const double* half) noexcept nogil:
    """Is there one disc in the cells that overlaps disc `disc`, which is not in them, wherever in the rectangle at +- half its
    centre is? `at` must be inside the box."""
    cdef Block around = whole_block()
    cdef double d[AXES]
    cdef int* place
    cdef int j, k, l
    cells_place(c, disc, at, radius[disc])
    cells_neighbours(c, disc, &around, 0, LEVELS_MAX)
    cells_unlink(c, disc)
    place = c.near
    for k in range(c.batches):
        while place != c.batch[k].end:
            j = place[0]
            place += 1
            separation(c, at, &r[AXES * <size_t>j], c.batch[k].image, d)
            for l in range(AXES):
                d[l] = fabs(d[l]) + half[l]
            if j != disc and overlapping(d, radius[disc] + radius[j], 0.0):
                return True
    return False
