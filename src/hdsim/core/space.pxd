# cython: language_level=3, wraparound=False, cdivision=True
"""A space, the bodies in it, and its walls: where a body is, when two bodies or a body and a wall touch, and how their gap
changes.

A flat space has a norm and perhaps periodic axes; the curved ones are the sphere and the hyperbolic plane; an own space is
defined by functions of the caller. A body is a ball that moves along straight lines or geodesics. A *differential* is a vector n
such that n . v, the plain sum of products, is a rate of change; a *kick* is the change of velocity that the momentum n gives to a
body of mass 1.

A contact at the very clock of the states is predicted only if they approach by `rate_of_gap` of the differentials, which decides
when the contact is due as well. If the two differed in the last bit, a contact would be predicted for now and refused for ever.
"""
from libc.math cimport INFINITY, fabs, floor, nextafter, sqrt

from hdsim.core.pair cimport time_to_close
from hdsim.core.space_curved cimport (SLIDE, Flight, carry, distance_differentials, distance_squared, geodesic,
                                      geodesic_wall_time, great_circle_time, hyperbolic_step, is_lost, kick_of, orbit_bend,
                                      rate_of, slope_of, spherical_step)
from hdsim.core.elementary cimport hyperbolic_functions, sine_and_cosine
from hdsim.core.space_norm cimport POLYTOPE, Norm, facet_of, facets_of, norm_gap, norm_time
from hdsim.core.vectors cimport AXES_MAX, dot


cdef enum SpaceKind:
    FLAT
    SPHERE
    HYPERBOLIC
    OWN

cdef enum:
    STEPS_PLAIN = 100       # steps of a search on the sphere from which on the bound suits the two great circles
    SEARCH_MAX = 400        # steps of a search in the hyperbolic plane; each one about halves a large distance

cdef extern from *:
    """
    #define HDSIM_FARTHEST 300.0
    #define HDSIM_STEP_SHARE 0.9999999999999991
    """
    const double FARTHEST "HDSIM_FARTHEST"      # hyperbolic distance beyond which no contact is searched: coordinates overflow
    const double STEP_SHARE "HDSIM_STEP_SHARE"  # part of a certified step that is certified in spite of its rounding


cdef struct Body:
    double x[AXES_MAX]      # at the clock t
    double v[AXES_MAX]
    double t                # the body's own clock, that of its last contact
    double radius, mass
    double rate             # in a curved space: see space_curved.pxd
    double sine, cosine     # of half the radius: circular on the sphere (radius 1), hyperbolic in the plane
    unsigned int generation     # changes with the state, so that predictions for an old state are recognised


cdef struct Hyperplane:     # the points with normal . x = offset
    double normal[AXES_MAX]     # in the hyperbolic plane with the first sign changed, for Minkowski's product
    double offset
    double dual             # distance of centre and wall, per radius, times |normal|: the dual norm of the normal


ctypedef void (*OwnFlight)(void* own, const double* x, const double* v, double dt, double* to_x, double* to_v) noexcept nogil
ctypedef double (*OwnTime)(void* own, const Body* a, const Body* b, double now, double limit, double* known) noexcept nogil
ctypedef double (*OwnGap)(void* own, const double* a, const double* b, double contact, double* near, double* far,
                          double* near_kick, double* far_kick) noexcept nogil


cdef struct Space:
    int kind
    int axes                # numbers of a position
    Norm norm               # of a flat space
    double ease[AXES_MAX]   # of a flat space: velocity per momentum along an axis, for mass 1
    double length[AXES_MAX] # of a periodic axis, else 0
    double radius           # of a sphere, else 0
    void* own               # of an own space, with its functions
    OwnFlight own_flight
    OwnTime own_time
    OwnGap own_gap


cdef inline bint is_curved(const Space* s) noexcept nogil:
    return s.kind == SPHERE or s.kind == HYPERBOLIC


cdef inline void note_size(const Space* s, Body* b) noexcept nogil:
    """Set what follows from the radius of a body."""
    if s.kind == SPHERE:
        sine_and_cosine(0.5 * b.radius / s.radius, &b.sine, &b.cosine)
    elif s.kind == HYPERBOLIC:
        hyperbolic_functions(0.5 * b.radius, &b.sine, &b.cosine)


cdef inline void note_change(const Space* s, Body* b) noexcept nogil:
    """Set what follows from the state of a body, which has changed."""
    b.generation += 1
    if is_curved(s):
        b.rate = rate_of(s.radius, b.x, b.v)


cdef inline double speed_of(const Space* s, const Body* b) noexcept nogil:
    """The square root of twice the kinetic energy of a body of mass 1; in an own space the length of its velocity."""
    cdef double v[AXES_MAX]
    cdef int k
    if is_curved(s):
        return b.rate * s.radius if s.kind == SPHERE else b.rate
    for k in range(s.axes):
        v[k] = b.v[k] / sqrt(s.ease[k]) if s.kind == FLAT else b.v[k]
    return sqrt(dot(v, v, s.axes))


cdef inline void fly(const Space* s, const Body* b, double dt, double* x, double* v) noexcept nogil:
    """Position and velocity at a time dt after the stored state. Positions are not wrapped."""
    cdef int k
    if s.kind == FLAT:
        for k in range(s.axes):
            x[k] = b.x[k] + b.v[k] * dt
            v[k] = b.v[k]
    elif s.kind == OWN:
        s.own_flight(s.own, b.x, b.v, dt, x, v)
    else:
        geodesic(s.radius, b.x, b.v, b.rate, dt, x, v)


cdef inline void stream(const Space* s, Body* b, double dt, double clock) noexcept nogil:
    """Move the stored state by dt of free flight; its clock becomes `clock`."""
    cdef double x[AXES_MAX]
    cdef double v[AXES_MAX]
    cdef int k
    b.t = clock
    if is_curved(s):
        carry(s.radius, b.rate, dt, b.x, b.v)
        return
    fly(s, b, dt, x, v)
    for k in range(s.axes):
        b.x[k] = x[k]
        b.v[k] = v[k]


cdef inline double nearest_shift(double d, double length) noexcept nogil:
    """What to add to d, a difference of coordinates along a periodic axis, for the nearest image."""
    return 0.0 if fabs(d) <= 0.5 * length else -floor(d / length + 0.5) * length


cdef inline double chord_of(const Space* s, const Body* a, const Body* b) noexcept nogil:
    """The square root of `distance_squared` of two touching discs in a curved space."""
    return 2.0 * (s.radius if s.kind == SPHERE else 1.0) * (a.sine * b.cosine + a.cosine * b.sine)


cdef inline double rate_of_gap(int axes, bint flat, const double* near, const double* far, const double* v,
                               const double* w) noexcept nogil:
    """The rate of change of the gap of two bodies with these velocities, times the factor of its differentials: negative while
    they approach. flat: `far` is -`near`, and only the difference of the velocities matters."""
    cdef double dv[AXES_MAX]
    cdef int k
    if not flat:
        return dot(near, v, axes) + dot(far, w, axes)
    for k in range(axes):
        dv[k] = w[k] - v[k]
    return dot(far, dv, axes)


cdef inline bint closes(const Norm* norm, const double* d, const double* w) noexcept nogil:
    """Do two bodies of a flat space approach by `rate_of_gap`? d, w: difference of their positions and velocities. True for a
    ball with facets, whose prediction has asked the same linear functions."""
    cdef double n[AXES_MAX]
    if facets_of(norm) > 1:
        return True
    facet_of(norm, 0, d, n)
    return dot(n, w, norm.axes) < 0.0


cdef inline double contact_clock(const Space* s, const Body* a, const Body* b, const double* shift, double now, double limit,
                                 double* known) noexcept nogil:
    """The clock at which two bodies touch; INFINITY if never or later than `limit`. A function of the two stored states alone,
    whatever the present clock `now` is. shift: to be added to the coordinates of b, in a flat space. known: in an own space, is
    lowered to the clock up to which contacts are known."""
    cdef double d[AXES_MAX]
    cdef double w[AXES_MAX]
    cdef double t = max(a.t, b.t)
    cdef double clock
    cdef int k
    if a.mass == INFINITY and b.mass == INFINITY:
        return INFINITY
    if s.kind == FLAT:
        for k in range(s.axes):
            # One of the two spans is 0, and its body stays where it is, bit for bit.
            d[k] = ((b.x[k] + b.v[k] * (t - b.t)) - (a.x[k] + a.v[k] * (t - a.t))) + shift[k]
            w[k] = b.v[k] - a.v[k]
        clock = t + norm_time(&s.norm, d, w, a.radius + b.radius, limit - t)
        return clock if clock > t or closes(&s.norm, d, w) else INFINITY
    if a.radius + b.radius == 0.0:
        return INFINITY
    if s.kind == OWN:
        return s.own_time(s.own, a, b, now, limit, known)
    return spherical_clock(s, a, b, now, limit) if s.kind == SPHERE else hyperbolic_clock(s, a, b, limit)


cdef inline void fly_both(const Space* s, const Body* a, const Body* b, double t, double h, Flight* f) noexcept nogil:
    """The states of two bodies at the clock t + h."""
    geodesic(s.radius, a.x, a.v, a.rate, (t - a.t) + h, f.x, f.v)
    geodesic(s.radius, b.x, b.v, b.rate, (t - b.t) + h, f.x_2, f.v_2)


cdef inline double hyperbolic_clock(const Space* s, const Body* a, const Body* b, double limit) noexcept nogil:
    """`contact_clock` in the hyperbolic plane: Newton's method from the left for a convex function. A search that comes to
    where `is_lost` ends there, as if that were the contact: whoever executes it asks again, and refuses."""
    cdef double t = max(a.t, b.t)
    cdef double target = 0.5 * chord_of(s, a, b)
    cdef double h = 0.0
    cdef double step
    cdef Flight f
    cdef int k
    for k in range(SEARCH_MAX):
        fly_both(s, a, b, t, h, &f)
        if is_lost(&f):
            return t + h
        step = STEP_SHARE * hyperbolic_step(&f, target)
        if h + step == h:
            return t + h
        h += step
        if t + h > limit or not h * (a.rate + b.rate) < FARTHEST:
            return INFINITY
    return t + h


cdef inline bint is_closing(const Space* s, const Body* a, const Body* b, double t) noexcept nogil:
    """Do two discs of a curved space approach at the clock t?"""
    cdef Flight f
    fly_both(s, a, b, t, 0.0, &f)
    return slope_of(s.radius, &f) < 0.0


cdef inline double least_advance(double t, double rate) noexcept nogil:
    """A time by which discs that slide advance, at the clock t: so long that the clock changes."""
    return max(SLIDE / rate, nextafter(t, INFINITY) - t)


cdef inline double spherical_clock(const Space* s, const Body* a, const Body* b, double now, double limit) noexcept nogil:
    """`contact_clock` on the sphere: certified steps. They begin anew every 1 / (sum of the rates), so that a contact is found by
    the same steps, to the same bits, whenever it is searched."""
    cdef double t = max(a.t, b.t)
    cdef double total = a.rate + b.rate
    cdef double target = chord_of(s, a, b)
    cdef double plain = s.radius * total * (s.radius * total)
    cdef double bend = plain
    cdef double h, end, next, turn
    cdef bint touching
    cdef int steps = 0
    cdef Flight f
    if total == 0.0:
        return INFINITY
    turn = floor(max(now - t, 0.0) * total)
    h = turn / total
    end = (turn + 1.0) / total
    while t + h <= limit:
        fly_both(s, a, b, t, h, &f)
        steps += 1
        if steps == STEPS_PLAIN:
            bend = orbit_bend(s.radius, &f, a.rate, b.rate)
        next = h + STEP_SHARE * spherical_step(s.radius, &f, a.rate, b.rate, target, bend, &touching)
        if touching or next == h:
            if t + h > t or is_closing(s, a, b, t):
                return t + h
            next = h + least_advance(t, total)
        if next >= end:
            turn += 1.0
            next = end
            end = (turn + 1.0) / total
            steps = 0
            bend = plain
        h = next
    return INFINITY


cdef inline double wall_level(const Space* s, const Hyperplane* wall, const Body* b) noexcept nogil:
    """The value of `normal . x`, less the offset, at which a body touches the wall from the positive side."""
    if s.kind == SPHERE:
        return 2.0 * s.radius * b.sine * b.cosine
    if s.kind == HYPERBOLIC:
        return 2.0 * b.sine * b.cosine
    return b.radius * wall.dual


cdef inline double wall_clock(const Space* s, const Hyperplane* wall, const Body* b, double side) noexcept nogil:
    """The clock at which a body touches a wall; INFINITY if never. A function of the stored state alone. side: 1 or -1."""
    cdef double a = side * dot(wall.normal, b.x, s.axes)
    cdef double speed = side * dot(wall.normal, b.v, s.axes)
    cdef double level = wall_level(s, wall, b)
    cdef double clock
    if b.mass == INFINITY:
        return INFINITY
    if s.kind == FLAT:
        if not speed < 0.0:
            return INFINITY
        return b.t + time_to_close(a - (side * wall.offset + level), -speed)
    if b.rate == 0.0:
        return INFINITY
    if s.kind == SPHERE:
        clock = b.t + great_circle_time(a, speed / b.rate, b.rate, level)
    else:
        clock = b.t + geodesic_wall_time(a, speed / b.rate, b.rate, level)
    if clock > b.t or is_closing_wall(s, wall, b, side):
        return clock
    # It touches the wall and slides: a great circle comes back to it, a geodesic never does.
    return b.t + least_advance(b.t, b.rate) if s.kind == SPHERE else INFINITY


cdef inline bint is_closing_wall(const Space* s, const Hyperplane* wall, const Body* b, double side) noexcept nogil:
    """Does a body approach a wall at the clock of its state?"""
    cdef double n[AXES_MAX]
    cdef double kick[AXES_MAX]
    wall_differential(s, wall, b.x, side, n, kick)
    return dot(n, b.v, s.axes) < 0.0


cdef inline double wall_gap(const Space* s, const Hyperplane* wall, const Body* b, const double* x, double side) noexcept nogil:
    """The gap, to first order, between a wall and a body at x."""
    return side * dot(wall.normal, x, s.axes) - (side * wall.offset + wall_level(s, wall, b))


cdef inline void wall_differential(const Space* s, const Hyperplane* wall, const double* x, double side, double* n,
                                   double* kick) noexcept nogil:
    """The differential of the gap between a wall and a body at x, and its kick."""
    cdef double height
    cdef int k
    if s.kind == FLAT:
        for k in range(s.axes):
            n[k] = side * wall.normal[k]
            kick[k] = s.ease[k] * n[k]
        return
    height = dot(wall.normal, x, 3) / (s.radius * s.radius) if s.kind == SPHERE else -wall.normal[0] / x[0]
    for k in range(3):
        n[k] = side * (wall.normal[k] - height * x[k])
    if s.kind == HYPERBOLIC:        # in the coordinates x_1 and x_2
        n[0] = 0.0
    kick_of(s.radius, x, n, kick)


cdef inline double pair_gap(const Space* s, const Body* a, const Body* b, const double* x_a, const double* x_b,
                            const double* d) noexcept nogil:
    """The gap, to first order, between bodies at x_a and x_b. d: from a to the nearest image of b."""
    cdef double chord
    if s.kind == FLAT:
        return norm_gap(&s.norm, d, a.radius + b.radius)
    if s.kind == OWN:
        return s.own_gap(s.own, x_a, x_b, a.radius + b.radius, NULL, NULL, NULL, NULL)
    chord = chord_of(s, a, b)
    return (distance_squared(s.radius, x_a, x_b) - chord * chord) / (2.0 * chord)


cdef inline double pair_differentials(const Space* s, int facet, const double* x_a, const double* x_b, const double* d,
                                      double* near, double* far, double* near_kick, double* far_kick) noexcept nogil:
    """The differentials of the gap of two bodies at x_a and x_b with respect to each, up to a factor, and their kicks. facet: of
    the ball of a norm, see `facet_of`, whose value is returned; INFINITY if there is only one."""
    cdef double value = INFINITY
    cdef int k
    if s.kind == FLAT:
        value = facet_of(&s.norm, facet, d, far)
        for k in range(s.axes):
            near[k] = -far[k]
            far_kick[k] = s.ease[k] * far[k]
            near_kick[k] = -far_kick[k]
    elif s.kind == OWN:
        s.own_gap(s.own, x_a, x_b, 0.0, near, far, near_kick, far_kick)
    else:
        distance_differentials(s.radius, x_a, x_b, near, far)
        kick_of(s.radius, x_a, near, near_kick)
        kick_of(s.radius, x_b, far, far_kick)
    return value


cdef inline bint are_apart_by_way(const Space* s, const Body* a, const Body* b, double t, double share) noexcept nogil:
    """Is it certain, without a flight, that the distance of two discs of a curved space at a clock t exceeds the sum of their
    radii by more than this share of it, a small number? By their stored places and the ways since. False says nothing."""
    cdef double way = a.rate * (t - a.t) + b.rate * (t - b.t)
    cdef double reach, half
    if s.kind == SPHERE:        # the chord changes by less than the arc
        reach = chord_of(s, a, b) * (1.0 + 2.0 * share) + way * s.radius
        return distance_squared(s.radius, a.x, b.x) > reach * reach
    way += 2.0 * share * (a.radius + b.radius)
    if not way < 1.0:
        return False
    # sinh((c + w) / 2), in which cosh(w / 2) < 1 + .13 w and sinh(w / 2) < .53 w.
    half = 0.5 * chord_of(s, a, b)
    reach = half * (1.0 + 0.13 * way) + (a.cosine * b.cosine + a.sine * b.sine) * (0.53 * way)
    return distance_squared(0.0, a.x, b.x) > 4.0 * reach * reach


cdef inline bint meet_never(const Space* s, const Body* a, const Body* b, double clock) noexcept nogil:
    """Is it certain that two bodies never touch in a flat space with periodic axes? True for equal velocities; for p-norms also
    if they recede along an axis that is not periodic, or move past each other along a single periodic axis. False says
    nothing."""
    cdef double d[AXES_MAX]
    cdef double contact = a.radius + b.radius
    cdef double w
    cdef int k
    cdef int moving = 0
    if contact == 0.0 or (a.mass == INFINITY and b.mass == INFINITY):
        return True
    for k in range(s.axes):
        w = b.v[k] - a.v[k]
        d[k] = (b.x[k] + b.v[k] * (clock - b.t)) - (a.x[k] + a.v[k] * (clock - a.t))
        if s.length[k] > 0.0:
            d[k] += nearest_shift(d[k], s.length[k])
        elif w * d[k] > 0.0 and s.norm.kind != POLYTOPE and fabs(d[k]) * s.norm.scale[k] >= contact:
            return True
        if w != 0.0:
            moving += 1 if s.length[k] > 0.0 else s.axes + 1
            d[k] = 0.0
    return moving == 0 or (moving == 1 and s.norm.kind != POLYTOPE and norm_gap(&s.norm, d, contact) >= 0.0)
