# cython: language_level=3, wraparound=False, cdivision=True
"""When a disc that falls is clear of a feature in whose place it is, as clearing.pxd has it for straight flights."""
from libc.math cimport INFINITY, copysign, fabs, sqrt

from hdsim.core.obstacle cimport CAP, FACE, Feature, faces_direction, stands_at
from hdsim.core.pair cimport cross_product
from hdsim.core.parabola cimport Parabola, Turns, beyond, end_of_sign, root_between, turns_of


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
