# cython: language_level=3, wraparound=False, cdivision=True
"""The law of motion of the engine, chosen in this file alone: hard discs, of constant or of growing size.

A law answers five questions: where a disc is (disc.pxd), when two discs touch, when a disc touches an obstacle (boundary.pxd
asks for the radius and its growth), what a contact does to the velocities, and whether contact times may be found in vectors.
Another law is another value here, not another branch in the rooms of the engine.
"""
from libc.math cimport INFINITY

from hdsim.core.disc cimport Disc, x_at, y_at
from hdsim.core.pair cimport bounce_discs, bounce_growing_discs, reflect, time_to_disc, time_to_growing_disc


cdef struct Law:
    double growth               # of the discs, in their radii per time; 0: they keep their radii
    double size                 # at clock 0, the part of its radius that each disc has; 1 if they do not grow


cdef inline Law constant_size() noexcept nogil:
    """Hard discs that keep their radii."""
    return Law(0.0, 1.0)


cdef inline Law growing_size(double size, double growth) noexcept nogil:
    """Discs that have this part of their radii at clock 0, and grow by `growth` of their radii per time."""
    return Law(growth, size)


cdef inline bint is_growing(const Law* law) noexcept nogil:
    """Do the discs grow? Then energy is not conserved, discs at rest meet, and a disc may touch a wall that it flies away
    from."""
    return law.growth != 0.0


cdef inline bint may_use_vectors(const Law* law) noexcept nogil:
    """Do the contact times and bounds of candidates.pxd hold? They are for discs of constant size."""
    return not is_growing(law)


cdef inline double size_at(const Law* law, double clock) noexcept nogil:
    """The part of their radii that the discs have at a clock; at most 1, because cells and bounds are for whole radii."""
    return law.size + law.growth * clock


cdef inline void law_rebase(Law* law, double clock) noexcept nogil:
    """The origin of the clock has moved to `clock`."""
    law.size = size_at(law, clock)


cdef inline double contact_time(const Law* law, const Disc* a, const Disc* b, double offset_x, double offset_y) noexcept nogil:
    """The clock at which disc a touches the image of disc b that is displaced by the offsets; INFINITY if never.

    The result is a function of the two stored states alone, and symmetric in them. So it does not depend on which of the two
    discs is predicted, nor on when and how often that is done."""
    cdef double t = max(a.t, b.t)
    # One of the two spans is zero, and its disc stays where it is, bit for bit.
    cdef double dx = (x_at(b, t) - x_at(a, t)) + offset_x
    cdef double dy = (y_at(b, t) - y_at(a, t)) + offset_y
    cdef double contact = a.radius + b.radius
    if (a.mass == INFINITY) & (b.mass == INFINITY):
        return INFINITY
    if law.growth == 0.0:
        return t + time_to_disc(dx, dy, b.vx - a.vx, b.vy - a.vy, contact)
    # A disc may be among its own candidates. It does not approach itself, but it grows.
    if a == b or contact == 0.0:
        return INFINITY
    return t + time_to_growing_disc(dx, dy, b.vx - a.vx, b.vy - a.vy, contact * size_at(law, t), contact * law.growth)


cdef inline double closing_speed(const Law* law, const Disc* a, const Disc* b, double dx, double dy, double t) noexcept nogil:
    """The speed at which the surfaces of two discs come together at their contact at clock t; (dx, dy): from the centre of a to
    that of b."""
    cdef double contact = a.radius + b.radius
    cdef double speed = -(dx * (b.vx - a.vx) + dy * (b.vy - a.vy)) / contact
    return speed if law.growth == 0.0 else speed / size_at(law, t) + contact * law.growth


cdef inline double closing_speed_with_wall(const Law* law, const Disc* d, double normal_x, double normal_y) noexcept nogil:
    """The speed at which the surface of a disc comes towards a wall; the unit normal points into the wall."""
    return d.radius * law.growth + (normal_x * d.vx + normal_y * d.vy)


cdef inline double bounce_pair(const Law* law, double dx, double dy, Disc* a, Disc* b) noexcept nogil:
    """Give two approaching discs their velocities after the contact. Returns the impulse divided by the distance of the centres,
    in mass/time."""
    if law.growth == 0.0:
        return bounce_discs(dx, dy, &a.vx, &a.vy, a.mass, &b.vx, &b.vy, b.mass)
    return bounce_growing_discs(dx, dy, a.radius * law.growth, &a.vx, &a.vy, a.mass, b.radius * law.growth, &b.vx, &b.vy, b.mass)


cdef inline double bounce_wall(const Law* law, double normal_x, double normal_y, Disc* d) noexcept nogil:
    """Reflect a disc at a wall parallel to an axis. Returns the impulse, mass * velocity; 0 for a disc of infinite mass, which
    exchanges none."""
    cdef double speed = closing_speed_with_wall(law, d, normal_x, normal_y)
    if law.growth != 0.0:
        d.vx -= 2.0 * speed * normal_x
        d.vy -= 2.0 * speed * normal_y
    else:
        reflect(normal_x, normal_y, &d.vx, &d.vy)
    return 2.0 * d.mass * speed if d.mass < INFINITY else 0.0
