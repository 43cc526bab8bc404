# cython: language_level=3, wraparound=False, cdivision=True
"""Chooses the cells that suit given discs, by their radii and positions.

Only speed depends on the cells, never a result. Knows no time and no velocity.
"""
from libc.math cimport INFINITY, cbrt, ceil, ldexp, sqrt
from libc.string cimport memset

from hdsim.core.axes cimport AXES, least_of, product
from hdsim.core.level cimport (CELLS_PER_SIDE_MAX, LEVELS_MAX, BUCKETS_LEAST, Grid, cells_along, cells_index, cells_least_side,
                               bucket_index, plain_grid)
from hdsim.core.neighbour_list cimport COLUMNS_LEAST, list_cell_side, suitable_half


cdef enum:
    COUNTED = 4             # a disc counts at most this number of others in its bucket


ctypedef void (*PositionOf)(const void* discs, Py_ssize_t i, double* r) noexcept nogil


cdef struct Radii:
    int count
    double smallest, largest
    double total, powers        # sum of the radii, and of their squares (of their third powers in three axes)


cdef inline Radii no_radii() noexcept nogil:
    return Radii(0, INFINITY, 0.0, 0.0, 0.0)


cdef inline void add_radius(Radii* r, double radius) noexcept nogil:
    r.count += 1
    r.largest = max(r.largest, radius)
    r.smallest = min(r.smallest, radius)
    r.total += radius
    r.powers += radius * radius if AXES == 2 else radius * radius * radius


cdef inline double root(double x, int degree) noexcept nogil:
    """The root of degree 1, 2 or 3."""
    return x if degree == 1 else sqrt(x) if degree == 2 else cbrt(x)


cdef inline double covered_part(const Radii* r, const double* length) noexcept nogil:
    """The part of a box that the discs take up: their packing fraction."""
    return (3.14159 if AXES == 2 else 4.18879) * r.powers / product(length)


cdef inline double mean_spacing(int discs, const double* length) noexcept nogil:
    """Side of a square, or cube, that holds one disc on average."""
    return root(product(length) / max(discs, 1), AXES)


cdef inline double fine_side(const Radii* r, double spacing) noexcept nogil:
    """Side of cells for small discs: about one disc in each, or more if free paths are so long that discs cross many cells."""
    cdef double reach = r.total / max(r.count, 1) + r.smallest      # contact distance of the smallest discs, on average
    # Their free path.
    cdef double path = INFINITY
    if r.total > 0.0:
        path = 0.5 * spacing * spacing / reach if AXES == 2 else spacing * spacing * spacing / (3.14159 * reach * reach)
    return min(1.1 * spacing, max(0.9 * spacing, 0.7 * path))


cdef inline Grid grid_for_spacing(const Radii* r, const double* length, double spacing, double close, int most) noexcept nogil:
    """A grid for discs with this mean spacing. Cells of the coarsest level are at least as wide as the largest diameter, and
    there are at most `most` of them along each axis. Cells of the finest level are as wide as `fine_side` says, unless the
    smallest discs are too large. close: the spacing of small discs between large ones, as a part of `spacing`."""
    # Six along each axis, if they fit: see is_minimum_image_valid.
    cdef double fine = min(fine_side(r, spacing), max(0.6 * spacing, 0.166 * least_of(length)))
    cdef double least = cells_least_side(r.smallest if r.count > 0 else 0.0)
    cdef double contact = cells_least_side(r.largest)
    cdef double side = max(contact, fine)
    cdef double widest = 0.0
    cdef int levels = 1
    cdef int largest = 0
    cdef int cells[AXES]
    cdef int k
    for k in range(AXES):
        cells[k] = min(cells_along(length[k], side), most)
        largest = max(largest, cells[k])
        widest = max(widest, length[k] / cells[k])
    side = widest
    # A second level is costly.
    while (contact > fine and levels < LEVELS_MAX and side >= max((1.4 if levels == 1 else 1.25 * close) * fine, 2.0 * least)
           and largest << levels < CELLS_PER_SIDE_MAX):
        side *= 0.5
        levels += 1
    if levels > 1 and side < fine:      # the finest level matters most: rather make the coarsest cells wider
        side = fine * (1 << (levels - 1))
        for k in range(AXES):
            cells[k] = min(cells[k], <int>max(length[k] / side + 0.5, 6.0 if cells[k] >= 6 else 1.0))
    return plain_grid(cells, levels)


cdef inline double cells_of_level(const Grid* grid, int rank) noexcept nogil:
    """Number of cells of a level."""
    cdef double count = 1.0
    cdef int k
    for k in range(AXES):
        count *= grid.cells[k] << rank
    return count


cdef inline Grid suitable_grid(const Radii* r, const double* length, bint lists) noexcept nogil:
    """A grid for discs that are spread over the whole box. lists: if the discs are dense enough for neighbour lists, make the
    cells wide enough for them."""
    # Large discs leave less room to the small ones, which are closer together.
    cdef double close = sqrt(root(max(1.0 - covered_part(r, length), 0.01), AXES))
    cdef int most = 4 * r.count + 1     # for a box that is much longer than wide
    cdef double spacing = mean_spacing(r.count, length)
    cdef Grid grid = grid_for_spacing(r, length, spacing, close, most)
    cdef double half = suitable_half(r.count, length, 2.0 * r.total / max(r.count, 1))
    cdef double side
    cdef int cells[AXES]
    cdef int k
    while AXES > 2 and cells_of_level(&grid, grid.levels - 1) > 8.0 * r.count + 1000.0:    # a box that is much thinner than wide
        spacing *= 1.25
        grid = grid_for_spacing(r, length, spacing, close, most)
    if lists and grid.levels == 1 and half > 0.0:
        side = list_cell_side(r.largest, half)
        if cells_along(least_of(length), side) >= COLUMNS_LEAST:
            for k in range(AXES):
                cells[k] = cells_along(length[k], side)
            grid = plain_grid(cells, 1)
    return grid


cdef inline Grid hashed_grid(Grid grid, int discs) noexcept nogil:
    """This grid, or one with slightly wider cells, hashed: on each level no more buckets than discs, on the finest of several
    levels no more than twice as many; but at least BUCKETS_LEAST along each axis that has as many cells."""
    cdef double folds = cells_of_level(&grid, 0) / max(discs, 1)
    cdef double rest = folds
    cdef int most[AXES]
    cdef int k, l
    for k in range(AXES - 1, -1, -1):           # about equally many along each axis
        most[k] = max(grid.cells[k] // BUCKETS_LEAST, 1)
        grid.per_bucket[k] = <int>max(min(ceil(root(rest, k + 1)), <double>most[k]), 1.0)
        rest /= grid.per_bucket[k]
    for k in range(1, AXES):                    # and no more than needed beside those along the others
        rest = folds
        for l in range(AXES):
            rest /= grid.per_bucket[l] if l != k else 1
        grid.per_bucket[k] = <int>max(min(ceil(rest), <double>most[k]), 1.0)
    for k in range(AXES):
        grid.cells[k] = grid.cells[k] // grid.per_bucket[k] * grid.per_bucket[k]
    grid.buckets = 2 * discs
    return grid


cdef inline int refinements_for_positions(const Radii* r, const double* length, PositionOf position_of, const void* discs,
                                          int* counts) noexcept nogil:
    """How often cells of the mean spacing should be halved because discs are dense somewhere: until a disc shares its cell with
    no more than two or three others, on average (at random, with as many cells as discs, with one). No more than COUNTED others
    count for a disc, so that a few discs in one spot are no dense region: it takes a fifth of all. position_of: writes the
    position of disc i of `discs`; discs outside the box count at its edge. counts: scratch, one number for each disc."""
    cdef double spacing = mean_spacing(r.count, length)
    cdef double least = cells_least_side(r.smallest)
    # Where discs cover most of the box, small ones are closer together in the rest.
    cdef double free = max(1.0 - covered_part(r, length), 0.4)
    # With fewer discs, dense regions do not matter, and there might be more buckets than discs, because eleven cells along each
    # axis may be too few to share buckets.
    cdef int dense_least = 128 if AXES == 2 else 1400
    cdef int cells[AXES]
    cdef int refinements = 0
    cdef int k
    for k in range(AXES):
        least = max(least, 2.0 * length[k] / CELLS_PER_SIDE_MAX)
    while r.count >= dense_least and spacing > least:
        for k in range(AXES):
            cells[k] = cells_along(length[k], spacing)
        if not pairs_in_buckets(hashed_grid(plain_grid(cells, 1), r.count), r.count, length, position_of, discs,
                                counts) > 1.25 / free * r.count:
            break
        spacing *= 0.5
        refinements += 1
    return refinements


cdef inline Grid refined_grid(const Radii* r, const double* length, bint lists, int refinements) noexcept nogil:
    """The grid of `suitable_grid` if `refinements` is 0; else a hashed grid for the mean spacing, halved this number of times."""
    if refinements <= 0:
        return suitable_grid(r, length, lists)
    return hashed_grid(grid_for_spacing(r, length, ldexp(mean_spacing(r.count, length), -refinements), 1.0,
                                        CELLS_PER_SIDE_MAX), r.count)


cdef inline long long pairs_in_buckets(Grid grid, int count, const double* length, PositionOf position_of, const void* discs,
                                       int* counts) noexcept nogil:
    """Number of pairs of discs that would share a bucket; each disc counts with no more than COUNTED discs that were put into the
    bucket before it. `counts` must have room for all buckets."""
    cdef int buckets[AXES]
    cdef double side[AXES]
    cdef double r[AXES]
    cdef long long pairs = 0
    cdef size_t all = 1
    cdef Py_ssize_t own
    cdef int i, k
    for k in range(AXES):
        buckets[k] = grid.cells[k] // grid.per_bucket[k]
        side[k] = length[k] / grid.cells[k]
        all *= buckets[k]
    memset(counts, 0, all * sizeof(int))
    for i in range(count):
        position_of(discs, i, r)
        own = 0
        for k in range(AXES - 1, -1, -1):
            own = own * buckets[k] + bucket_index(cells_index(r[k], side[k], grid.cells[k]), buckets[k])
        pairs += min(counts[own], COUNTED)
        counts[own] += 1
    return pairs
