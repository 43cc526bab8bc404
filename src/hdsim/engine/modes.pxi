# Modes: ways to search for contacts, derived from cells, sizes and speeds.
# uses: state
from libc.math cimport fabs

from hdsim.core.axes cimport AXES, least_of
from hdsim.core.disc cimport Disc
from hdsim.core.law cimport is_growing, may_use_vectors
from hdsim.core.level cimport Level
from hdsim.core.memory cimport FETCH_LEAST
from hdsim.core.candidates cimport PLAIN

cdef enum:
    NEXT_LEAST = 6000           # discs from which on memory is prefetched by NEXT_DAYS ...
    FAR_LEAST = 26000           # ... and by FAR_DAYS; that from FETCH_LEAST on if there are neighbour lists
    LISTED_AHEAD_MOST = 80000   # discs: in larger systems, cells ahead that are not prefetched cost more than crossings


cdef inline bint is_extreme(double a) noexcept nogil:
    """Is this length or velocity so small or so large that its fourth power, which `bounds` needs, may not be a double?"""
    return a != 0.0 and not 1e-60 < fabs(a) < 1e60


cdef inline bint is_minimum_image_valid(bint periodic, int cells, double side, double smallest) noexcept nogil:
    """Along one axis: is the image of a disc in an adjacent cell always the nearest one (minimum image)? Two adjacent windows are
    three cells wide together, so the centres are at most three sides less two radii apart. smallest: radius."""
    return not periodic or cells >= 6 or (cells == 5 and side <= 4.0 * smallest)


cdef bint has_extremes(const EngineC* e) noexcept nogil:
    """Is a box length, radius or velocity outside the range in which `bounds` is valid?"""
    cdef int i, k
    cdef const Disc* d
    cdef bint found = False
    for k in range(AXES):
        found |= is_extreme(e.box.length[k])
    for i in range(e.n):
        d = &e.disc[i]
        found |= is_extreme(d.radius)
        for k in range(AXES):
            found |= is_extreme(d.v[k])
    return found


cdef bint is_minimum_image_valid_on(const EngineC* e, const Level* v) noexcept nogil:
    """Is the minimum image valid for a level, along each axis?"""
    cdef int k
    for k in range(AXES):
        if not is_minimum_image_valid(e.box.periodic[k], v.cells[k], v.side[k], v.smallest):
            return False
    return True


cdef void derive_modes(EngineC* e) noexcept nogil:
    """Derive all modes, and prepare the views of searches, from cells, sizes, speeds and options."""
    cdef const Level* v = &e.cells.level[0]
    cdef double side
    e.modes.extreme_range = has_extremes(e)
    e.modes.minimum_image = 0
    while e.modes.minimum_image < e.cells.levels and (
            e.modes.extreme_range or not is_minimum_image_valid_on(e, &v[e.modes.minimum_image])):
        e.modes.minimum_image += 1
    e.modes.plain = e.modes.minimum_image == 0 and e.cells.levels == 1
    e.modes.finest = e.cells.levels - 1
    while e.modes.finest > 0 and v[e.modes.finest].population == 0:
        e.modes.finest -= 1
    side = least_of(v[e.modes.finest].side)
    # In dilute systems, and for discs of many sizes, few candidates are touched before the next crossing, and bounds are faster.
    e.modes.exactly = (e.modes.plain and e.kernels.vectors != PLAIN and may_use_vectors(&e.law)
                       and side < 8.0 * v[e.modes.finest].smallest)
    if not e.modes.plain:     # lists can be dropped here: a disc in its own window is in that of its cell, too
        e.lists.half = 0.0
    e.modes.boundary_everywhere = (is_growing(&e.law) or e.law.fall.falls or e.boundary.features > 0
                                   or e.pistons.count > 0)
    e.modes.boundary_in_cells = not (is_growing(&e.law) or e.law.fall.falls or e.pistons.count > 0)
    e.modes.lists_in_use = e.lists.half > 0.0
    e.modes.prefetch_mode = NEXT_DAYS if e.options.with_days and e.n >= NEXT_LEAST else THIS_EVENT
    if e.options.with_days and e.n >= (FETCH_LEAST if e.modes.lists_in_use else FAR_LEAST):
        e.modes.prefetch_mode = FAR_DAYS
    # Listing ahead costs more than it saves for two discs; where cells are narrower than 1.6 diameters, so that few discs fit
    # another window; and in large systems, because `prefetch_far` prefetches the cells around a disc, not those ahead.
    e.modes.lists_ahead = not e.modes.lists_in_use and 2 < e.n <= LISTED_AHEAD_MOST and side > 3.2 * v[e.modes.finest].smallest
