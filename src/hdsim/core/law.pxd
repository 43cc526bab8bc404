# cython: language_level=3, wraparound=False, cdivision=True
"""The law of motion of the engine: hard discs, of constant or of growing size.

The law determines where a disc is (disc.pxd), when two discs touch, when a disc touches a wall (boundary.pxd uses the radius and
its growth), the velocities after a contact, and whether contact times may be computed in vectors. Other files of the engine do
not depend on the choice of the law, except through the functions of this file.
"""
from libc.math cimport INFINITY

from hdsim.core.axes cimport AXES, dot
from hdsim.core.box cimport Box, Image
from hdsim.core.disc cimport Disc, coordinate_at
from hdsim.core.fall cimport Fall, no_fall
from hdsim.core.pair cimport bounce, bounce_growing, reflect, time_to_meet, time_to_meet_growing


cdef struct Law:
    double growth               # of the discs, in their radii per unit of time; 0: they do not grow
    double size                 # of the discs at clock 0, in their radii; 1 unless they grow
    Fall fall                   # gravity


cdef inline Law growing_size(double size, double growth) noexcept nogil:
    """The law of discs that have `size` times their radii at clock 0, and gain `growth` times their radii per unit of time."""
    cdef Law law
    law.growth = growth
    law.size = size
    law.fall = no_fall()
    return law


cdef inline Law constant_size() noexcept nogil:
    """The law of hard discs of constant size."""
    return growing_size(1.0, 0.0)


cdef inline double rebound() noexcept nogil:
    """1 + e of an elastic contact, with e = 1 the coefficient of restitution: what approaches at the speed s takes the momentum
    of a stop 1 + e times, and leaves at the speed e s."""
    return 2.0


cdef inline double energy_lost(double factor, double impulse, double speed) noexcept nogil:
    """The energy that a contact takes, with factor = 1 + e, the impulse of both bodies and the speed of their approach: (1 - e)
    times the work of the impulse against that speed, half of which it takes on the average."""
    return 0.5 * (rebound() - factor) * impulse * speed


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


cdef inline double contact_time(const Law* law, const Disc* a, const Disc* b, const double* offset) noexcept nogil:
    """The clock at which disc a touches the image of disc b that is displaced by `offset`; INFINITY if never.

    The result is a function of the two stored states alone, and symmetric in them. So it does not depend on which of the two
    discs is predicted, nor on when and how often that is done."""
    cdef double t = max(a.t, b.t)
    cdef double contact = a.radius + b.radius
    cdef double d[AXES]
    cdef double dv[AXES]
    cdef int k
    # One of the two spans is zero, and its disc stays where it is, bit for bit.
    for k in range(AXES):
        d[k] = (coordinate_at(b, k, t) - coordinate_at(a, k, t)) + offset[k]
        dv[k] = b.v[k] - a.v[k]
    if (a.mass == INFINITY) & (b.mass == INFINITY):
        return INFINITY
    if law.growth == 0.0:
        return t + time_to_meet(d, dv, contact)
    # A disc may be among its own candidates. It does not approach itself, but it grows.
    if a == b or contact == 0.0:
        return INFINITY
    return t + time_to_meet_growing(d, dv, contact * size_at(law, t), contact * law.growth)


cdef inline double contact_time_with_image(const Law* law, const Disc* a, const Disc* b, Image image,
                                           const Box* box) noexcept nogil:
    """The clock at which disc a touches this image of disc b, relative to their stored positions; INFINITY if never."""
    cdef double offset[AXES]
    cdef int k
    for k in range(AXES):
        offset[k] = image.at[k] * box.length[k]
    return contact_time(law, a, b, offset)


cdef inline double closing_speed(const Law* law, const Disc* a, const Disc* b, const double* d, double t) noexcept nogil:
    """The normal speed at which the surfaces of two discs approach each other at their contact at clock t. d: vector from
    the centre of a to that of b."""
    cdef double contact = a.radius + b.radius
    cdef double dv[AXES]
    cdef int k
    for k in range(AXES):
        dv[k] = b.v[k] - a.v[k]
    cdef double speed = -dot(d, dv) / contact
    return speed if law.growth == 0.0 else speed / size_at(law, t) + contact * law.growth


cdef inline double closing_speed_with_wall(const Law* law, const Disc* d, const double* normal) noexcept nogil:
    """The speed at which the surface of a disc approaches a wall; the unit normal points into the wall."""
    return d.radius * law.growth + dot(normal, d.v)


cdef inline double bounce_pair(const Law* law, const double* d, Disc* a, Disc* b, double factor) noexcept nogil:
    """Give two approaching discs their velocities after the contact, with factor = 1 + e. Returns the impulse divided by the
    distance of the centres, in mass/time."""
    if law.growth == 0.0:
        return bounce(d, a.v, a.mass, b.v, b.mass, factor)
    return bounce_growing(d, a.radius * law.growth, a.v, a.mass, b.radius * law.growth, b.v, b.mass, factor)


cdef inline double bounce_wall(const Law* law, const double* normal, Disc* d, double factor) noexcept nogil:
    """Reflect a disc at a wall across an axis, with factor = 1 + e. Returns the impulse, in mass*length/time; 0 for a disc of
    infinite mass, which takes none."""
    cdef double speed = closing_speed_with_wall(law, d, normal)
    cdef int k
    if law.growth != 0.0:
        for k in range(AXES):
            d.v[k] -= factor * speed * normal[k]
    else:
        reflect(normal, d.v, factor)
    return factor * d.mass * speed if d.mass < INFINITY else 0.0
