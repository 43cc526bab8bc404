# Contacts to be resolved: two discs, or disc and wall or obstacle; their images, and the vector between them.
# uses: state
from hdsim.core.boundary cimport Wall, feature_numbered, wall_numbered
from hdsim.core.box cimport Image
from hdsim.core.disc cimport Disc, x_at, y_at
from hdsim.core.cluster cimport Contact
from hdsim.core.impact cimport NO_MEMBER
from hdsim.core.obstacle cimport set_normal


cdef inline void set_apart(const EngineC* e, Contact* c, const Disc* a, const Disc* b, double dx, double dy) noexcept nogil:
    """Set the vector from disc a to disc b of contact c: (dx, dy) between their positions, plus the shift of their images."""
    c.dx = dx + (a.wrap.x - b.wrap.x + c.image.x) * e.box.width
    c.dy = dy + (a.wrap.y - b.wrap.y + c.image.y) * e.box.height


cdef inline void place_contact(const EngineC* e, Contact* c, double t) noexcept nogil:
    """Set the vector between the discs of a contact, or from a disc to an obstacle, at clock t, whether their stored states have
    been moved to t or not. That of a contact with a wall is constant."""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b
    if c.feature != NULL:
        set_normal(c.feature, x_at(a, t) - (c.image.x + a.wrap.x) * e.box.width,
                   y_at(a, t) - (c.image.y + a.wrap.y) * e.box.height, a.vx, a.vy, &c.dx, &c.dy)
    elif c.j >= 0:
        b = &e.disc[c.j]
        set_apart(e, c, a, b, x_at(b, t) - x_at(a, t), y_at(b, t) - y_at(a, t))


cdef inline Contact contact_of(int i, int j, Image image) noexcept nogil:
    """The contact of two discs, from the lower to the higher one; its vector is not set. image: of the cell of j, as seen from
    that of i; streaming does not change it."""
    cdef Contact c
    cdef int sign = (-(i < j) & 2) - 1
    c.i = min(i, j)
    c.j = max(i, j)
    c.a = 0
    c.b = 1
    c.image = Image(sign * image.x, sign * image.y)
    c.dx = c.dy = c.impulse = 0.0
    c.feature = NULL
    return c


cdef inline Contact contact_with_wall(const EngineC* e, int i, int wall) noexcept nogil:
    """The contact of disc i with the wall of this number; its vector is the unit normal towards the wall."""
    cdef const Wall* w = wall_numbered(&e.boundary, wall)
    return Contact(i, wall, 0, NO_MEMBER, Image(0, 0), w.normal_x, w.normal_y, 0.0, NULL)


cdef inline Contact contact_with_feature(const EngineC* e, int i, int number, Image image) noexcept nogil:
    """The contact of disc i with the feature of this number; its vector is not set. image: of the feature, as seen from the cell
    of the disc."""
    return Contact(i, number, 0, NO_MEMBER, image, 0.0, 0.0, 0.0, feature_numbered(&e.boundary, number))
