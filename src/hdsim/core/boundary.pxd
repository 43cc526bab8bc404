# cython: language_level=3, wraparound=False, cdivision=True
"""The walls: a list that holds the sides of the box on axes that are not periodic.

A wall has a negative number, which identifies it as the partner of a contact. The numbers of the four sides are those of
hdsim.h; further walls would have lower ones. The number of walls and their positions are defined in this file only.
"""
from libc.math cimport INFINITY

from hdsim.core.box cimport Box
from hdsim.core.disc cimport Disc
from hdsim.core.law cimport Law, size_at
from hdsim.core.pair cimport time_to_close


cdef enum:
    # Simultaneous contacts of one disc with several walls are ordered by these numbers.
    LEFT = -4
    RIGHT = -3
    BOTTOM = -2
    TOP = -1
    SIDES = 4


cdef struct Wall:               # the points (x, y) with normal_x x + normal_y y = offset: a side of the box
    int number
    double normal_x, normal_y   # unit vector into the wall
    double offset


cdef struct Boundary:
    Wall wall[SIDES]
    int walls
    double low_x, high_x        # between the sides; infinite on a periodic axis
    double low_y, high_y


cdef inline void add_wall(Boundary* b, int number, double normal_x, double normal_y, double offset) noexcept nogil:
    """Add a side of the box to the list."""
    b.wall[b.walls] = Wall(number, normal_x, normal_y, offset)
    b.walls += 1


cdef inline Boundary boundary_of(const Box* box) noexcept nogil:
    """The walls of a box."""
    cdef Boundary b
    b.walls = 0
    b.low_x = -INFINITY if box.periodic_x else 0.0
    b.high_x = INFINITY if box.periodic_x else box.width
    b.low_y = -INFINITY if box.periodic_y else 0.0
    b.high_y = INFINITY if box.periodic_y else box.height
    if not box.periodic_x:
        add_wall(&b, LEFT, -1.0, 0.0, 0.0)
        add_wall(&b, RIGHT, 1.0, 0.0, box.width)
    if not box.periodic_y:
        add_wall(&b, BOTTOM, 0.0, -1.0, 0.0)
        add_wall(&b, TOP, 0.0, 1.0, box.height)
    return b


cdef inline double wall_gap(const Wall* w, double x, double y, double radius) noexcept nogil:
    """The distance between the wall and the surface of a disc at (x, y); negative if they overlap."""
    return (w.offset - radius) - (w.normal_x * x + w.normal_y * y)


cdef inline double wall_approach(const Wall* w, double vx, double vy) noexcept nogil:
    """The speed of the centre of a disc towards the wall; negative if it moves away."""
    return w.normal_x * vx + w.normal_y * vy


cdef inline double wall_time(const Wall* w, const Law* law, const Disc* d) noexcept nogil:
    """The clock at which a disc touches the wall; INFINITY if never. A function of the stored state alone."""
    cdef double speed = d.radius * law.growth + wall_approach(w, d.vx, d.vy)
    if not speed > 0.0:     # half of all walls, in a box: their gap is not computed
        return INFINITY
    return d.t + time_to_close(wall_gap(w, d.x, d.y, d.radius * size_at(law, d.t)), speed)


cdef inline bint is_near_wall(const Boundary* b, double x, double y, double reach, int but) noexcept nogil:
    """Is a wall with another number than `but` within `reach` of the point (x, y)?"""
    cdef int k
    if b.low_x + reach < x < b.high_x - reach and b.low_y + reach < y < b.high_y - reach:
        return False        # nearly always; the loop would say so too
    for k in range(b.walls):
        if b.wall[k].number != but and not wall_gap(&b.wall[k], x, y, reach) > 0.0:
            return True
    return False


cdef inline const Wall* wall_numbered(const Boundary* b, int number) noexcept nogil:
    """The wall with this number, which must be in the list."""
    cdef int k = 0
    while b.wall[k].number != number:
        k += 1
    return &b.wall[k]
