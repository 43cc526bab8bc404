# What follows from cells, sizes and speeds for the way in which contacts are looked for.
# uses: state
from libc.math cimport fabs

from hdsim.core.cells cimport Level
from hdsim.core.memory cimport FETCH_LEAST
from hdsim.core.candidates cimport PLAIN

cdef enum:
    NEXT_LEAST = 6000           # discs: from here on memory is asked for that the events of the next days will need ...
    FAR_LEAST = 26000           # ... and from here on, or from FETCH_LEAST where there are lists, more of it, longer before
    LISTED_AHEAD_MOST = 80000   # discs: in larger systems, cells that nobody has asked for cost more than crossings


cdef inline bint is_delicate(double a) noexcept nogil:
    """Is this too small or too large for `bounds`?"""
    return a != 0.0 and not 1e-60 < fabs(a) < 1e60


cdef inline bint is_roomy(bint periodic, int cells, double side, double smallest) noexcept nogil:
    """Along one axis: are discs of adjacent cells in each other's nearest images? Their windows are four cells wide together,
    so the centres are at most three less two radii apart."""
    return not periodic or cells >= 6 or (cells == 5 and side <= 4.0 * smallest)


cdef void set_views(EngineC* e) noexcept nogil:
    """How discs see each other."""
    cdef const Level* v = e.cells.level
    cdef double side
    cdef int k
    e.roomy = 0
    while e.roomy < e.cells.levels and (
            e.delicate or not is_roomy(e.periodic_x, v[e.roomy].columns, v[e.roomy].side_x, v[e.roomy].smallest)
            or not is_roomy(e.periodic_y, v[e.roomy].rows, v[e.roomy].side_y, v[e.roomy].smallest)):
        e.roomy += 1
    e.plain = e.roomy == 0 and e.cells.levels == 1
    e.finest = e.cells.levels - 1
    while e.finest > 0 and v[e.finest].population == 0:
        e.finest -= 1
    side = min(v[e.finest].side_x, v[e.finest].side_y)
    # Where discs are thin, or of many sizes, few are met before the next cell, and bounds cost less.
    e.exactly = e.plain and e.vectors != PLAIN and e.growth == 0.0 and side < 8.0 * v[e.finest].smallest
    if not e.plain:     # then without lists: who is in a window of its own is in that of its cell as well
        e.lists.half = 0.0
    e.listing = e.lists.half > 0.0
    e.foresight = NEXT_DAYS if e.with_days and e.n >= NEXT_LEAST else THIS_EVENT
    if e.with_days and e.n >= (FETCH_LEAST if e.listing else FAR_LEAST):
        e.foresight = FAR_DAYS
    # It costs more than it saves for two discs, where cells are narrower than 1.6 diameters, so that few fit another window,
    # and in large systems: `look_ahead` asks for the memory of the cells around a disc, but not of those ahead.
    e.lists_ahead = not e.listing and 2 < e.n <= LISTED_AHEAD_MOST and side > 3.2 * v[e.finest].smallest
    for k in range(2):
        e.search[k].view.slack = e.slack
        e.search[k].view.width = e.width
        e.search[k].view.height = e.height
        e.search[k].view.per_width = 1.0 / e.width if e.periodic_x else 0.0
        e.search[k].view.per_height = 1.0 / e.height if e.periodic_y else 0.0
