# When a disc leaves the window of its cell or neighbour list, and whether it touches a wall or an obstacle before.
# uses: state, obstacles, movers, pistons, prediction
from libc.math cimport INFINITY, copysign, sqrt

from hdsim.core.axes cimport AXES, dot, largest_of, least_of, square
from hdsim.core.boundary cimport is_near_wall
from hdsim.core.exact cimport likely
from hdsim.core.cells cimport Place
from hdsim.core.level cimport Level
from hdsim.core.neighbour_list cimport NeighbourList
from hdsim.core.disc cimport Disc, cell_coordinate_at
from hdsim.core.law cimport is_growing
from hdsim.core.prediction cimport Prediction
from hdsim.core.queue cimport unlikely


cdef inline void find_flight_times(const EngineC* e, const Disc* d, double* flight) noexcept nogil:
    """Convert the distances that disc d has to fly along each axis, in the image of its cell, to flight times; infinity at rest.
    Branch-free except for images: the signs of velocities are unpredictable, so a branch on them would be mispredicted every
    second time."""
    cdef int wrapped = 0
    cdef int k
    for k in range(AXES):
        wrapped |= d.wrap.at[k]
    if wrapped:
        for k in range(AXES):
            flight[k] += d.wrap.at[k] * e.box.length[k]
    for k in range(AXES):
        flight[k] = flight[k] / d.v[k]
        if d.v[k] == 0.0:
            flight[k] = INFINITY


cdef inline void set_crossing(const EngineC* e, const Disc* d, const double* flight, Prediction* c) noexcept nogil:
    """Set the crossing time: disc d leaves its window after the least of these flight times. If rounding has already put it
    outside, the crossing is due now. The clock at which it was at the edge may be arbitrarily far back if the disc hardly
    moves, and nothing can be predicted from there."""
    c.crossing_time = max(d.t + least_of(flight), e.clock.current)


cdef inline bint predict_crossing(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves the window of its cell, in the coordinates of its stored state; at equal times along the first
    axis. Returns True if it never leaves it along one of the axes: then it may touch a wall first."""
    cdef const Disc* d = &e.disc[i]
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef double flight[AXES]
    cdef int forward[AXES]
    cdef int left = -1      # a mask: all bits, until the axis of the crossing has been found
    cdef int taken, k, l
    cdef bint never = False
    for k in range(AXES):
        forward[k] = d.v[k] > 0.0
        flight[k] = (v.window[k][2 * at.at[k] + forward[k]] - d.r[k]) - copysign(d.radius, d.v[k])
    find_flight_times(e, d, flight)
    set_crossing(e, d, flight, c)
    for k in range(AXES):
        taken = left
        for l in range(k + 1, AXES):
            taken &= -(flight[k] <= flight[l])
        left &= ~taken
        c.step[k] = <short>(taken & (2 * forward[k] - 1))
        never |= flight[k] == INFINITY
    return never


cdef inline void predict_window_exit(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves its own window, the one of its neighbour list."""
    cdef const Disc* d = &e.disc[i]
    cdef double flight[AXES]
    cdef int k
    if AXES == 2:
        for k in range(AXES):
            flight[k] = (e.lists.of[i].r[k] + copysign(e.lists.half, d.v[k])) - d.r[k]
        find_flight_times(e, d, flight)
        set_crossing(e, d, flight, c)
    else:
        c.crossing_time = e.clock.current + time_in_ball(e, i)


cdef inline double time_in_ball(const EngineC* e, int i) noexcept nogil:
    """How long disc i, whose window is a ball, stays in it from the clock of the loop on. Counted from the present position, not
    from the stored one: that may be many windows back, and all digits would cancel."""
    cdef const Disc* d = &e.disc[i]
    cdef double fastest = largest_of(d.v)
    cdef double per_fastest
    cdef double way[AXES]       # the velocity, its largest component being 1: no square of it underflows
    cdef double apart[AXES]
    cdef double along, square_of_way, root
    cdef int k
    if fastest < 1e-300:
        return INFINITY
    per_fastest = 1.0 / fastest
    for k in range(AXES):
        apart[k] = cell_coordinate_at(d, k, e.clock.current, &e.box) - e.lists.of[i].r[k]
        way[k] = d.v[k] * per_fastest
    along = dot(apart, way)
    square_of_way = square(way)
    root = sqrt(max(along * along + square_of_way * (e.lists.half * e.lists.half - square(apart)), 0.0))
    return max(root - along, 0.0) / square_of_way * per_fastest


cdef inline void predict_exit_by_cell(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves the window of its cell. If its cell is at a wall, or the discs grow, predict its contact with a
    wall, too; the disc leaves the window before it can touch any other wall. Likewise for obstacles in the window."""
    cdef bint at_wall = predict_crossing(e, i, c)
    if unlikely(at_wall | e.modes.boundary_everywhere):
        consider_boundary(e, i, at_wall, c)


cdef void consider_boundary(const EngineC* e, int i, bint at_wall, Prediction* c) noexcept nogil:
    """Consider the walls, if the cell of disc i is at one, and the obstacles in the window of its cell. Not inlined: a disc in
    the middle of an empty box does not need it; nor does most often one among obstacles, which are in few cells."""
    if likely(e.modes.boundary_in_cells and not at_wall and not is_beset(e, i, c.crossing_time)):
        return
    consider_boundary_near(e, i, at_wall, c)


cdef void consider_boundary_near(const EngineC* e, int i, bint at_wall, Prediction* c) noexcept nogil:
    """The part of `consider_boundary` for a disc that may be near to something. With gravity, cells fall with the discs, and
    walls come into others."""
    if at_wall or is_growing(&e.law) or e.law.fall.falls:
        consider_walls(e, i, min(c.crossing_time, e.law.fall.due), c)
    if e.boundary.features > 0:
        consider_obstacles(e, i, c)
    if e.pistons.count > 0:
        consider_pistons(e, i, c)


cdef inline void predict_exit_by_list(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves its own window, the one of its neighbour list, and its contact with a wall or an obstacle before
    that."""
    predict_window_exit(e, i, c)
    if e.boundary.walls + e.boundary.features > 0:
        consider_boundary_at_window(e, i, c)


cdef void consider_boundary_at_window(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the walls if disc i can touch one before it leaves its own window, and the obstacles in the window of its cell,
    which contains its own."""
    cdef const NeighbourList* at = &e.lists.of[i]
    cdef bint at_wall = e.law.fall.falls or is_near_wall(&e.boundary, at.r, e.lists.half + e.disc[i].radius + e.box.slack, 0)
    if at_wall or not e.modes.boundary_in_cells or (e.boundary.features > 0 and is_beset(e, i, c.crossing_time)):
        consider_boundary_near(e, i, at_wall, c)
