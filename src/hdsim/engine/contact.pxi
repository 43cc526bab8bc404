# Contacts as the engine resolves them: who touches whom, in which images, and where.
# uses: state
from hdsim.core.boundary cimport Wall, wall_numbered
from hdsim.core.disc cimport Disc, x_at, y_at
from hdsim.core.cluster cimport NO_MEMBER, Contact


cdef inline double blur(double size, double speed, double t) noexcept nogil:
    """The rounding of a gap between positions of this size, closed at this normal speed, at clock t."""
    return 2.220446049250313e-16 * (size + speed * t)


cdef inline void set_apart(const EngineC* e, Contact* c, const Disc* a, const Disc* b, double dx, double dy) noexcept nogil:
    """The discs of a contact are so far apart, plus the shift of their images."""
    c.dx = dx + (a.wrap_x - b.wrap_x + c.shift_x) * e.box.width
    c.dy = dy + (a.wrap_y - b.wrap_y + c.shift_y) * e.box.height


cdef inline void place_contact(const EngineC* e, Contact* c, double t) noexcept nogil:
    """Where the two sides of a contact are at clock t, whether they have been drifted there or not."""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b
    if c.j >= 0:
        b = &e.disc[c.j]
        set_apart(e, c, a, b, x_at(b, t) - x_at(a, t), y_at(b, t) - y_at(a, t))


cdef inline Contact contact_of(int i, int j, int shift_x, int shift_y) noexcept nogil:
    """The contact of two discs, seen from the lower one. The shifts are those between their cells, which
    drifting does not change."""
    cdef Contact c
    cdef int sign = (-(i < j) & 2) - 1
    c.i = min(i, j)
    c.j = max(i, j)
    c.a = 0
    c.b = 1
    c.shift_x = sign * shift_x
    c.shift_y = sign * shift_y
    c.dx = c.dy = c.impulse = 0.0
    return c


cdef inline Contact contact_with_wall(const EngineC* e, int i, int wall) noexcept nogil:
    """The contact of disc i with the wall of this number."""
    cdef const Wall* w = wall_numbered(&e.boundary, wall)
    return Contact(i, wall, 0, NO_MEMBER, 0, 0, w.normal_x, w.normal_y, 0.0)
