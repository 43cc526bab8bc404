# cython: language_level=3, wraparound=False, cdivision=True
"""The law of motion of the engine: hard discs, of constant or of growing size.

The law determines where a disc is (disc.pxd), when two discs touch, when a disc touches a wall (boundary.pxd uses the radius and
its growth), the velocities after a contact, and whether contact times may be computed in vectors. Other files of the engine do
not depend on the choice of the law, except through the functions of this file.
"""
from libc.math cimport INFINITY

from hdsim.core.disc cimport Disc, x_at, y_at
from hdsim.core.pair cimport bounce_discs, bounce_growing_discs, reflect, time_to_disc, time_to_growing_disc


cdef struct Law:
    double growth               # of the discs, in their radii per unit of time; 0: they do not grow
    double size                 # of the discs at clock 0, in their radii; 1 unless they grow


cdef inline Law constant_size() noexcept nogil:
    """The law of hard discs of constant size."""
    return Law(0.0, 1.0)


cdef inline Law growing_size(double size, double growth) noexcept nogil:
    """The law of discs that have `size` times their radii at clock 0, and gain `growth` times their radii per unit of time."""
    return Law(growth, size)


cdef inline double rebound() noexcept nogil:
    """1 + e, with e the coefficient of restitution: what approaches at the speed s takes the momentum of a stop 1 + e times, and
    leaves at the speed e s. Contacts are elastic."""
    return 2.0


cdef inline bint is_growing(const Law* law) noexcept nogil:
    """Do the discs grow? Then energy is not conserved, discs at rest may touch each other, and a disc may touch a wall that its
    centre moves away from."""
    return law.growth != 0.0


cdef inline bint may_use_vectors(const Law* law) noexcept nogil:
    """Are the contact times and bounds of candidates.pxd valid? They are for discs of constant size."""
    return not is_growing(law)


cdef inline double size_at(const Law* law, double clock) noexcept nogil:
    """The size of the discs at a clock, in their radii. It must not exceed 1, because cells and bounds are made for the radii."""
    return law.size + law.growth * clock


cdef inline void law_rebase(Law* law, double clock) noexcept nogil:
    """Adapt the law to a new origin of the clock, at `clock`."""
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
    """The normal speed at which the surfaces of two discs approach each other at their contact at clock t. (dx, dy): vector from
    the centre of a to that of b."""
    cdef double contact = a.radius + b.radius
    cdef double speed = -(dx * (b.vx - a.vx) + dy * (b.vy - a.vy)) / contact
    return speed if law.growth == 0.0 else speed / size_at(law, t) + contact * law.growth


cdef inline double closing_speed_with_wall(const Law* law, const Disc* d, double normal_x, double normal_y) noexcept nogil:
    """The speed at which the surface of a disc approaches a wall; the unit normal points into the wall."""
    return d.radius * law.growth + (normal_x * d.vx + normal_y * d.vy)


cdef inline double bounce_pair(const Law* law, double dx, double dy, Disc* a, Disc* b) noexcept nogil:
    """Give two approaching discs their velocities after the contact. Returns the impulse divided by the distance of the centres,
    in mass/time."""
    if law.growth == 0.0:
        return bounce_discs(dx, dy, &a.vx, &a.vy, a.mass, &b.vx, &b.vy, b.mass)
    return bounce_growing_discs(dx, dy, a.radius * law.growth, &a.vx, &a.vy, a.mass, b.radius * law.growth, &b.vx, &b.vy, b.mass)


cdef inline double bounce_wall(const Law* law, double normal_x, double normal_y, Disc* d) noexcept nogil:
    """Reflect a disc at a wall parallel to an axis. Returns the impulse, in mass*length/time; 0 for a disc of infinite
    mass, which takes none."""
    cdef double speed = closing_speed_with_wall(law, d, normal_x, normal_y)
    if law.growth != 0.0:
        d.vx -= rebound() * speed * normal_x
        d.vy -= rebound() * speed * normal_y
    else:
        reflect(normal_x, normal_y, &d.vx, &d.vy)
    return rebound() * d.mass * speed if d.mass < INFINITY else 0.0
