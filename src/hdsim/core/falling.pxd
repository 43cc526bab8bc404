# cython: language_level=3, wraparound=False, cdivision=True
"""When a disc that falls touches a feature of an obstacle, and when it is clear of it.

As obstacle.pxd and clearing.pxd have it, but on a parabola. This meets the line of a face, from each side of it, once at most,
and a circle, from each side, twice: so a disc may pass an end of a face or arc, turn, and touch it from where it comes back. Its
own side is the one on which it is stored: there rounding may have put it a little too far, and it touches as soon as it
approaches. On the other side, and after it has passed an end, it must come from beyond.
"""
from libc.math cimport INFINITY, copysign, fabs, sqrt

from hdsim.core.exact cimport Pair, dot_of, pair_of
from hdsim.core.fall cimport Fall, shortest_hop, thrown, time_until_shut
from hdsim.core.obstacle cimport (BESIDE, CAP, FACE, INSIDE, NO_FEATURE, OUTSIDE, Feature, faces_direction, gap_to_face,
                                  height_near, is_point, meets_seam, rounding_of, side_of, stands_at)
from hdsim.core.pair cimport cross_product
from hdsim.core.parabola cimport Parabola, Turns, beyond, end_of_sign, rate, root_between, turns_of


cdef inline Parabola seen_from_point(double ax, double ay, double x, double y, double vx, double vy,
                                     const Fall* f) noexcept nogil:
    """The parabola of a disc as seen from a point."""
    return Parabola(x - ax, y - ay, vx, vy, f.g[0], f.g[1])


cdef inline double size_around(const Feature* f, double x, double y) noexcept nogil:
    """A bound for the coordinates of a disc and a feature."""
    return fabs(x) + fabs(y) + fabs(f.ax) + fabs(f.ay) + f.radius


cdef inline bint is_within(double dx, double dy, double distance) noexcept nogil:
    """Is a vector not longer than this?"""
    return dx * dx + dy * dy <= distance * distance


cdef inline bint reaches_face(const Feature* f, double x, double y, double radius) noexcept nogil:
    """Is a disc that touches the line of a face there between its ends? A point, which meets no cap, also if rounding has put it
    beyond one."""
    cdef double slack
    if f.endless or stands_at(f, x, y):
        return True
    if not is_point(f, x, y, radius):
        return False
    slack = rounding_of(size_around(f, x, y))
    return is_within(x - f.ax, y - f.ay, slack) or is_within(x - f.bx, y - f.by, slack)


cdef inline int side_left(const Feature* f, double x, double y, double vx, double vy) noexcept nogil:
    """The side to which the velocity of a point on a face or arc points: that on which it is, wherever rounding has put it as it
    fell. Of a one-way feature, that from which discs touch it."""
    if f.one_way:
        return -1 if f.form == INSIDE else 1
    if f.form == FACE:
        return 1 if f.nx.high * vx + f.ny.high * vy >= 0.0 else -1
    return 1 if (x - f.ax) * vx + (y - f.ay) * vy >= 0.0 else -1


cdef inline int side_that_fell(const Feature* f, double x, double y, double vx, double vy, double radius) noexcept nogil:
    """`side_of` for a disc that falls: of a point that is on a face or arc, but for rounding, the side to which it leaves."""
    if f.form != CAP and not f.one_sided and is_point(f, x, y, radius) and (
            fabs(height_near(f, x, y)) <= rounding_of(size_around(f, x, y))):
        return side_left(f, x, y, vx, vy)
    return side_of(f, x, y, vx, vy)


cdef inline double fall_to_side(const Feature* f, int side, bint own, double x, double y, double vx, double vy, double radius,
                                const Fall* fall) noexcept nogil:
    """Time until a disc touches a face from one side."""
    cdef Pair gap = gap_to_face(f, side, x, y, radius)
    cdef double away = dot_of(pair_of(side * vx), pair_of(side * vy), f.nx, f.ny).high
    cdef double pull = dot_of(pair_of(side * fall.g[0]), pair_of(side * fall.g[1]), f.nx, f.ny).high
    cdef double t
    if f.one_way and side < 0:
        return INFINITY
    if not own and not (pull < 0.0 and away > 0.0 and away * away > 2.0 * pull * gap.high):
        return INFINITY     # it does not come to this side
    t = time_until_shut(gap.high, away, pull, size_around(f, x, y), own and fall.hops)
    if t == INFINITY or not reaches_face(f, thrown(x, vx, fall.g[0], t), thrown(y, vy, fall.g[1], t), radius):
        return INFINITY
    return t


cdef inline double fall_to_face(const Feature* f, int side, double x, double y, double vx, double vy, double radius,
                                const Fall* fall) noexcept nogil:
    """Time until a disc, stored on this side of a face, touches it from either side."""
    cdef double t = fall_to_side(f, side, True, x, y, vx, vy, radius, fall)
    return t if f.one_sided else min(t, fall_to_side(f, -side, False, x, y, vx, vy, radius, fall))


cdef inline bint faces_disc(const Feature* f, const Parabola* p, double t, double radius) noexcept nogil:
    """Is a disc that touches the circle of an arc at a time between the ends of the arc then? A point, which meets no cap, also
    if rounding has put it beyond one."""
    cdef double x = thrown(p.x, p.vx, p.gx, t)
    cdef double y = thrown(p.y, p.vy, p.gy, t)
    cdef double slack
    if f.form == CAP or faces_direction(f, x, y):
        return True
    if not is_point(f, f.ax + x, f.ay + y, radius):
        return False
    slack = rounding_of(size_around(f, x, y))
    return is_within(x - f.sx, y - f.sy, slack) or is_within(x - f.bx, y - f.by, slack)


cdef inline double fall_to_circle(const Feature* f, bint own, const Parabola* p, double reach, int sign, double radius,
                                  double size, const Fall* fall) noexcept nogil:
    """Time until the distance of a disc from the centre of an arc or cap is `reach`: from above, for sign 1, or, for -1, from
    below; between the ends of the arc. own: it comes from the side on which it is stored."""
    cdef Turns turns = turns_of(p)
    cdef double start = 0.0
    cdef double end, t
    cdef bint closing = turns.grows == (sign < 0)
    # A point on the curve may be beyond it by rounding, and does not come from there.
    cdef double least = 0.0 if own or radius > 0.0 else 2.0 * reach * rounding_of(size)
    cdef int k
    for k in range(turns.count + 1):
        end = turns.at[k] if k < turns.count else INFINITY
        if closing:
            t = INFINITY
            if sign * beyond(p, reach, start) > (least if start == 0.0 else 0.0):
                if end == INFINITY:
                    t = root_between(p, reach, False, start, end_of_sign(p, reach, False, start, -1), sign)
                elif sign * beyond(p, reach, end) < 0.0:
                    t = root_between(p, reach, False, start, end, sign)
            elif own:
                t = max(start, shortest_hop(size, fabs(p.gx) + fabs(p.gy))) if start > 0.0 or rate(p, 0.0) == 0.0 else 0.0
            if own and fall.hops and start > 0.0 and t < INFINITY:      # it leaves, turns and comes back
                t = max(t, shortest_hop(size, fabs(p.gx) + fabs(p.gy)))
            if t < INFINITY and faces_disc(f, p, t, radius):
                return t
            own = False
        closing = not closing
        start = end
    return INFINITY


cdef inline double fall_to_outside(const Feature* f, int side, double x, double y, double vx, double vy, double radius,
                                   const Fall* fall) noexcept nogil:
    """Time until a disc touches the outside of an arc."""
    cdef Parabola p = seen_from_point(f.ax, f.ay, x, y, vx, vy, fall)
    if side < 0 and f.endless:
        return INFINITY
    return fall_to_circle(f, side > 0, &p, f.radius + radius, 1, radius, size_around(f, x, y), fall)


cdef inline double fall_to_inside(const Feature* f, int side, double x, double y, double vx, double vy, double radius,
                                  const Fall* fall) noexcept nogil:
    """Time until a disc touches the inside of an arc. It may fly into the circle before, past an end."""
    cdef Parabola p = seen_from_point(f.ax, f.ay, x, y, vx, vy, fall)
    if side > 0 and f.endless or not f.radius >= radius:
        return INFINITY
    if f.radius == radius:      # it has no room in a circle, and no parabola ends in the middle of an arc but by chance
        return 0.0 if f.endless else INFINITY
    return fall_to_circle(f, side < 0, &p, f.radius - radius, -1, radius, size_around(f, x, y), fall)


cdef inline double time_to_fall_on_point(const Feature* f, const Parabola* d, double radius, const Fall* fall) noexcept nogil:
    """Time until a disc touches the point of a cap, whatever else it touches; INFINITY if never, and for a point."""
    cdef Parabola p = seen_from_point(f.ax, f.ay, d.x, d.y, d.vx, d.vy, fall)
    if not radius > 0.0:
        return INFINITY
    return fall_to_circle(f, True, &p, radius, 1, radius, size_around(f, d.x, d.y), fall)


cdef inline double fall_to_cap(const Feature* f, const Feature* features, double x, double y, double vx, double vy, double radius,
                               const Fall* fall, int passed) noexcept nogil:
    """Time until a disc touches a cap, unless it touches a face or arc that ends there at the same time, but for rounding, or
    before; or a cap of another obstacle at the same point. passed: bits of the features beside the cap that the disc does not
    touch."""
    cdef Parabola p = Parabola(x, y, vx, vy, fall.g[0], fall.g[1])
    cdef double size = size_around(f, x, y)
    cdef double t = time_to_fall_on_point(f, &p, radius, fall)
    cdef double fastest
    cdef int k
    if t == INFINITY or not (f.endless or meets_seam(f, thrown(x, vx, fall.g[0], t), thrown(y, vy, fall.g[1], t),
                                                     vx + fall.g[0] * t, vy + fall.g[1] * t)):
        return INFINITY
    fastest = sqrt((vx + fall.g[0] * t) * (vx + fall.g[0] * t) + (vy + fall.g[1] * t) * (vy + fall.g[1] * t))
    for k in range(BESIDE):
        if f.beside[k] == NO_FEATURE:
            break
        if passed & 1 << k:
            continue
        if features[f.beside[k]].form == CAP or (
                time_to_fall(&features[f.beside[k]], features, x, y, vx, vy, radius, fall, 0) - t) * fastest <= rounding_of(size):
            return INFINITY
    return t


cdef inline double time_to_fall(const Feature* f, const Feature* features, double x, double y, double vx, double vy,
                                double radius, const Fall* fall, int passed) noexcept nogil:
    """Time until a disc that falls touches a feature; INFINITY if never, 0 if it touches and approaches it. x, y, vx, vy: of the
    disc, in the laboratory. features: the list to which `beside` refers. passed: see `fall_to_cap`."""
    cdef int side = side_that_fell(f, x, y, vx, vy, radius)
    if f.form == FACE:
        return fall_to_face(f, side, x, y, vx, vy, radius, fall)
    if f.form == OUTSIDE:
        return fall_to_outside(f, side, x, y, vx, vy, radius, fall)
    if f.form == INSIDE:
        return fall_to_inside(f, side, x, y, vx, vy, radius, fall)
    return fall_to_cap(f, features, x, y, vx, vy, radius, fall, passed)


cdef inline double next_root(double c, double b, double a) noexcept nogil:
    """The first t > 0 with c + b t + a t^2 / 2 = 0; INFINITY if there is none."""
    cdef double root = b * b - 2.0 * a * c
    cdef double q, one, other
    if a == 0.0:
        one = -c / b if b != 0.0 else INFINITY
        return one if one > 0.0 else INFINITY
    if root < 0.0:
        return INFINITY
    q = -(b + copysign(sqrt(root), b))
    one = q / a
    other = 2.0 * c / q if q != 0.0 else INFINITY
    return min(one if one > 0.0 else INFINITY, other if other > 0.0 else INFINITY)


cdef inline double time_of_reach(const Parabola* p, double reach, bint grows) noexcept nogil:
    """The first time at which the distance from a point becomes `reach`, and `grows`, or shrinks; INFINITY if never."""
    cdef Turns turns = turns_of(p)
    cdef int sign = -1 if grows else 1          # of the square of the distance, less that of `reach`, before
    cdef bint growing = turns.grows
    cdef double start = 0.0
    cdef double end
    cdef int k
    for k in range(turns.count + 1):
        end = turns.at[k] if k < turns.count else INFINITY
        if growing == grows and sign * beyond(p, reach, start) > 0.0:
            if end == INFINITY:
                return root_between(p, reach, False, start, end_of_sign(p, reach, False, start, sign), sign)
            if sign * beyond(p, reach, end) <= 0.0:
                return root_between(p, reach, False, start, end, sign)
        growing = not growing
        start = end
    return INFINITY


cdef inline double fall_clear_of(const Feature* f, const Parabola* d, double radius, double depth) noexcept nogil:
    """`time_to_leave` for a disc that falls; d: seen from the obstacle."""
    cdef Parabola p = Parabola(d.x - f.ax, d.y - f.ay, d.vx, d.vy, d.gx, d.gy)
    cdef double height, away, pull, along, slide, t
    if f.form != FACE:
        return fall_clear_of_circle(f, &p, radius, depth)
    height = f.nx.high * p.x + f.ny.high * p.y
    if not fabs(height) < radius - depth or not (f.endless or stands_at(f, d.x, d.y)):
        return 0.0
    away = f.nx.high * p.vx + f.ny.high * p.vy
    pull = f.nx.high * p.gx + f.ny.high * p.gy
    t = min(next_root(height - radius, away, pull), next_root(height + radius, away, pull))
    if f.endless:
        return t
    along = f.ny.high * p.vx - f.nx.high * p.vy
    slide = f.ny.high * p.gx - f.nx.high * p.gy
    t = min(t, next_root(f.ny.high * p.x - f.nx.high * p.y + depth, along, slide))
    return min(t, next_root(f.ny.high * (f.bx - d.x) - f.nx.high * (f.by - d.y) + depth, -along, -slide))


cdef inline double fall_clear_of_circle(const Feature* f, const Parabola* p, double radius, double depth) noexcept nogil:
    """The part of `fall_clear_of` for a cap or arc; p: seen from its centre."""
    cdef double distance = sqrt(p.x * p.x + p.y * p.y)
    cdef double least = depth / (sqrt(p.vx * p.vx + p.vy * p.vy) + sqrt(depth * (fabs(p.gx) + fabs(p.gy))))
    cdef double t
    if not fabs(distance - f.radius) < radius - depth or not (f.form == CAP or faces_direction(f, p.x, p.y)):
        return 0.0
    t = time_of_reach(p, f.radius + radius, True)
    if f.radius > radius:
        t = min(t, time_of_reach(p, f.radius - radius, False))
    if f.form == CAP or f.endless:
        return t
    t = min(t, max(next_root(cross_product(f.sx, f.sy, p.x, p.y), cross_product(f.sx, f.sy, p.vx, p.vy),
                             cross_product(f.sx, f.sy, p.gx, p.gy)), least))
    return min(t, max(next_root(cross_product(f.bx, f.by, p.x, p.y), cross_product(f.bx, f.by, p.vx, p.vy),
                                cross_product(f.bx, f.by, p.gx, p.gy)), least))


cdef inline double fall_across(const Feature* f, const Parabola* d) noexcept nogil:
    """The first time at which a centre crosses the line of a face, or the circle of an arc; INFINITY if never, and for a cap."""
    cdef Parabola p = Parabola(d.x - f.ax, d.y - f.ay, d.vx, d.vy, d.gx, d.gy)
    if f.form == CAP:
        return INFINITY
    if f.form == FACE:
        return next_root(f.nx.high * p.x + f.ny.high * p.y, f.nx.high * p.vx + f.ny.high * p.vy,
                         f.nx.high * p.gx + f.ny.high * p.gy)
    return min(time_of_reach(&p, f.radius, True), time_of_reach(&p, f.radius, False))
