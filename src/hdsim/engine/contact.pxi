# Contacts to be resolved: two discs, or disc and wall or obstacle; their images, and the vector between them.
# uses: state, movers
from libc.math cimport sqrt

from hdsim.core.axes cimport AXES, square
from hdsim.core.boundary cimport Wall, feature_numbered, wall_numbered
from hdsim.core.box cimport Image, no_image
from hdsim.core.disc cimport Disc, coordinate_at, x_at, y_at
from hdsim.core.cluster cimport Contact, closing_at, contact_without_vector
from hdsim.core.fall cimport velocity_in_laboratory
from hdsim.core.impact cimport NO_MEMBER
from hdsim.core.obstacle cimport set_normal


cdef inline void set_apart(const EngineC* e, Contact* c, const Disc* a, const Disc* b, const double* d) noexcept nogil:
    """Set the vector from disc a to disc b of contact c: d between their positions, plus the shift of their images."""
    cdef int k
    for k in range(AXES):
        c.d[k] = d[k] + (a.wrap.at[k] - b.wrap.at[k] + c.image.at[k]) * e.box.length[k]


cdef inline void place_contact(const EngineC* e, Contact* c, double t) noexcept nogil:
    """Set the vector between the discs of a contact, or from a disc to an obstacle, at clock t, whether their stored states have
    been moved to t or not. That of a contact with a wall or a piston is constant."""
    cdef const Disc* a = &e.disc[c.i]
    cdef const Disc* b
    cdef Disc seen
    cdef double d[AXES]
    cdef int k
    if c.feature != NULL and (c.feature.moves or e.law.fall.falls):
        seen = seen_by(e, c.feature, a, t)
        set_normal(c.feature, seen.x - (c.image.x + a.wrap.x) * e.box.width, seen.y - (c.image.y + a.wrap.y) * e.box.height,
                   seen.vx, seen.vy, &c.d[0], &c.d[1])
        if c.feature.moves:
            set_surface(e, c, t)
    elif c.feature != NULL:
        set_normal(c.feature, x_at(a, t) - (c.image.x + a.wrap.x) * e.box.width,
                   y_at(a, t) - (c.image.y + a.wrap.y) * e.box.height, a.vx, a.vy, &c.d[0], &c.d[1])
    elif 0 <= c.j < e.n:        # that with a piston is constant, too
        b = &e.disc[c.j]
        for k in range(AXES):
            d[k] = coordinate_at(b, k, t) - coordinate_at(a, k, t)
        set_apart(e, c, a, b, d)


cdef inline Contact contact_of(int i, int j, Image image) noexcept nogil:
    """The contact of two discs, from the lower to the higher one; its vector is not set. image: of the cell of j, as seen from
    that of i; streaming does not change it."""
    cdef int sign = (-(i < j) & 2) - 1
    cdef int k
    for k in range(AXES):
        image.at[k] *= sign
    return contact_without_vector(min(i, j), max(i, j), 1, image)


cdef inline Contact contact_with_wall(const EngineC* e, int i, int wall) noexcept nogil:
    """The contact of disc i with the wall of this number; its vector is the unit normal towards the wall."""
    cdef const Wall* w = wall_numbered(&e.boundary, wall)
    cdef Contact c = contact_without_vector(i, wall, NO_MEMBER, no_image())
    cdef int k
    for k in range(AXES):
        c.d[k] = w.normal[k]
    return c


cdef inline Contact contact_with_feature(const EngineC* e, int i, int number, Image image) noexcept nogil:
    """The contact of disc i with the feature of this number; its vector is not set. image: of the feature, as seen from the cell
    of the disc."""
    cdef Contact c = contact_without_vector(i, number, NO_MEMBER, image)
    c.feature = feature_numbered(&e.boundary, number)
    return c


cdef double approach_of(const EngineC* e, const Contact* c, double t) noexcept nogil:
    """The speed at which the disc of a contact at clock t approaches an obstacle; with gravity, a side of the box, too."""
    cdef double v[AXES]
    velocity_in_laboratory(&e.law.fall, &e.disc[c.i], t, v)
    return closing_at(c, v) / sqrt(square(c.d))
