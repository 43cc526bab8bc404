# When a disc leaves the window of its cell or neighbour list, and whether it touches a wall or an obstacle before.
# uses: state, obstacles, prediction
from libc.math cimport INFINITY, copysign

from hdsim.core.boundary cimport is_near_wall
from hdsim.core.cells cimport Place
from hdsim.core.level cimport Level
from hdsim.core.neighbour_list cimport NeighbourList
from hdsim.core.disc cimport Disc
from hdsim.core.law cimport is_growing
from hdsim.core.prediction cimport Prediction


cdef inline void find_flight_times(const EngineC* e, const Disc* d, double* x, double* y) noexcept nogil:
    """Convert the distances x, y that disc d has to fly along each axis, in the image of its cell, to flight times; infinity at
    rest. Branch-free except for images: the signs of vx and vy are unpredictable, so a branch on them would be mispredicted
    every second time."""
    if d.wrap.x | d.wrap.y:
        x[0] += d.wrap.x * e.box.width
        y[0] += d.wrap.y * e.box.height
    x[0] = x[0] / d.vx
    y[0] = y[0] / d.vy
    if d.vx == 0.0:
        x[0] = INFINITY
    if d.vy == 0.0:
        y[0] = INFINITY


cdef inline void set_crossing(const EngineC* e, const Disc* d, double x, double y, Prediction* c) noexcept nogil:
    """Set the crossing time: disc d leaves its window after the smaller of the flight times x, y. If rounding has already put it
    outside, the crossing is due now. The clock at which it was at the edge may be arbitrarily far back if the disc hardly
    moves, and nothing can be predicted from there."""
    c.crossing_time = max(d.t + min(x, y), e.clock.current)


cdef inline bint predict_crossing(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves the window of its cell, in the coordinates of its stored state. Returns True if it never leaves
    it along one of the axes: then it may touch a wall first."""
    cdef const Disc* d = &e.disc[i]
    cdef const Place* at = &e.cells.place[i]
    cdef const Level* v = &e.cells.level[at.rank]
    cdef int right = d.vx > 0.0
    cdef int above = d.vy > 0.0
    cdef double x = (v.window[0][2 * at.at[0] + right] - d.x) - copysign(d.radius, d.vx)
    cdef double y = (v.window[1][2 * at.at[1] + above] - d.y) - copysign(d.radius, d.vy)
    cdef int first_x
    find_flight_times(e, d, &x, &y)
    first_x = x <= y
    set_crossing(e, d, x, y, c)
    c.step[0] = <short>(-first_x & (2 * right - 1))
    c.step[1] = <short>((first_x - 1) & (2 * above - 1))
    return (x == INFINITY) | (y == INFINITY)


cdef inline void predict_window_exit(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves its own window, the one of its neighbour list."""
    cdef const Disc* d = &e.disc[i]
    cdef const NeighbourList* at = &e.lists.of[i]
    cdef double x = (at.x + copysign(e.lists.half, d.vx)) - d.x
    cdef double y = (at.y + copysign(e.lists.half, d.vy)) - d.y
    find_flight_times(e, d, &x, &y)
    set_crossing(e, d, x, y, c)


cdef inline void predict_exit_by_cell(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves the window of its cell. If its cell is at a wall, or the discs grow, predict its contact with a
    wall, too; the disc leaves the window before it can touch any other wall. Likewise for obstacles in the window."""
    cdef bint at_wall = predict_crossing(e, i, c)
    if at_wall | e.modes.boundary_everywhere:
        consider_boundary(e, i, at_wall, c)


cdef void consider_boundary(const EngineC* e, int i, bint at_wall, Prediction* c) noexcept nogil:
    """Consider the walls, if the cell of disc i is at one, and the obstacles in the window of its cell. Not inlined: a disc in
    the middle of an empty box does not need it."""
    if at_wall or is_growing(&e.law):
        consider_walls(e, i, c)
    if e.boundary.features > 0:
        consider_features(e, i, c)


cdef inline void predict_exit_by_list(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Predict when disc i leaves its own window, the one of its neighbour list, and its contact with a wall or an obstacle before
    that."""
    predict_window_exit(e, i, c)
    if e.boundary.walls + e.boundary.features > 0:
        consider_boundary_at_window(e, i, c)


cdef inline void predict_exit(const EngineC* e, int i, bint lists_in_use, Prediction* c) noexcept nogil:
    """Predict when disc i leaves its window, and its contact with a wall before that. lists_in_use: the window is that of its
    neighbour list, else that of its cell."""
    if lists_in_use:
        predict_exit_by_list(e, i, c)
    else:
        predict_exit_by_cell(e, i, c)


cdef void consider_boundary_at_window(const EngineC* e, int i, Prediction* c) noexcept nogil:
    """Consider the walls if disc i can touch one before it leaves its own window, and the obstacles in the window of its cell,
    which contains its own."""
    cdef const NeighbourList* at = &e.lists.of[i]
    if is_near_wall(&e.boundary, at.r, e.lists.half + e.disc[i].radius + e.box.slack, 0):
        consider_walls(e, i, c)
    if e.boundary.features > 0:
        consider_features(e, i, c)
