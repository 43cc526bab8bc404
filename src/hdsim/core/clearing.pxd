# cython: language_level=3, wraparound=False, cdivision=True
"""When a disc is clear of all of an obstacle, which may have appeared in its place.

An obstacle is thin, a block or a room: the discs of a block are outside of it, those of a room inside, and what is on the other
side of its outline is solid, as is what is behind a half-plane. A disc is clear of a thin obstacle if it overlaps none of its
features, and of a solid one if, besides, its centre is not in the solid.

Whether the centre is in the solid, and until when, is counted along its flight line. The outline has the free side on its left.
So it turns around the centre as often as it crosses the line ahead from right to left, less the crossings from left to right.
Two pieces with a common end decide by one number on which side of the line this end is, so that none is missed between them.
"""
from libc.math cimport INFINITY, fabs, sqrt

from hdsim.core.falling cimport fall_across, fall_clear_of
from hdsim.core.obstacle cimport CAP, FACE, OUTSIDE, Chord, Feature, faces_direction, is_beside, rounding_of, stands_at
from hdsim.core.pair cimport cross_product
from hdsim.core.parabola cimport Parabola


cdef enum Solid:
    THIN = 0        # discs may be on both sides
    BLOCK = 1       # discs are outside of it
    ROOM = 2        # discs are inside of it, or before a half-plane


cdef struct Outline:            # of an obstacle
    const Feature* feature      # of all obstacles
    int first, last             # the features of this one are from `first` on, before `last`
    Solid solid


cdef struct Ahead:              # what lies ahead on a flight line
    int turns                   # of the outline around the centre
    double next                 # time until the first crossing; INFINITY: there is none


cdef inline double overlap_ends(const Outline* o, const Parabola* d, double radius, double size) noexcept nogil:
    """A time at which a disc may be clear of an obstacle: until then it overlaps one of its features by more than rounding, or
    its centre is in the solid. INFINITY if it stays there, 0 if it is clear now. size: of the coordinates, at most."""
    cdef double depth = rounding_of(size) + 1e-9 * radius
    cdef double inside
    cdef int k
    for k in range(o.first, o.last):
        inside = time_in_place(&o.feature[k], d, radius, depth)
        if inside > 0.0:
            return inside
    if o.solid == THIN or (radius <= depth and is_at_outline(o, d.x, d.y, depth - radius)):
        return 0.0
    return time_in_solid(o, d)


cdef inline double overlap_with_ends(const Feature* f, const Parabola* d, double radius, double size) noexcept nogil:
    """As `overlap_ends`, for one feature of an obstacle that discs pass from behind. Each feature yields only to discs that
    overlap it. So the contacts of a flight do not depend on where the disc was stored: one that is on its way through a part of
    the obstacle touches the front of another part, and its free ends."""
    return time_in_place(f, d, radius, rounding_of(size) + 1e-9 * radius)


cdef inline double time_in_place(const Feature* f, const Parabola* d, double radius, double depth) noexcept nogil:
    """Time until a disc that overlaps a feature by more than `depth` does not overlap it any more; 0 if it does not so far."""
    if d.gx != 0.0 or d.gy != 0.0:
        return fall_clear_of(f, d, radius, depth)
    return time_to_leave(f, d.x, d.y, d.vx, d.vy, radius, depth)


cdef inline bint is_at_outline(const Outline* o, double x, double y, double depth) noexcept nogil:
    """Is a point so near to the outline that rounding may have put it into the solid?"""
    cdef const Feature* f
    cdef double dx, dy, off
    cdef int k
    for k in range(o.first, o.last):
        f = &o.feature[k]
        dx, dy = x - f.ax, y - f.ay
        off = f.nx.high * dx + f.ny.high * dy if f.form == FACE else sqrt(dx * dx + dy * dy) - f.radius
        if fabs(off) <= depth and (f.form == CAP or is_beside(f, x, y, depth)):
            return True
    return False


cdef inline double time_in_solid(const Outline* o, const Parabola* d) noexcept nogil:
    """Time until a centre is out of the solid; INFINITY if it stays there, 0 if it is not in it."""
    cdef const Feature* f = &o.feature[o.first]
    cdef Parabola way = d[0]
    cdef Ahead ahead
    cdef double height, away
    cdef double t = 0.0
    if f.form == FACE and f.endless:
        height = f.nx.high * (d.x - f.ax) + f.ny.high * (d.y - f.ay)
        away = f.nx.high * d.vx + f.ny.high * d.vy
        if height < 0.0 and (d.gx != 0.0 or d.gy != 0.0):
            return fall_across(f, d)
        return 0.0 if height >= 0.0 else -height / away if away > 0.0 else INFINITY
    if way.vx == 0.0 and way.vy == 0.0:
        way.vx = 1.0        # any line tells where a disc at rest is
    if d.gx != 0.0 or d.gy != 0.0:
        return fall_out_of_solid(o, d, &way)
    while True:
        ahead = look_ahead(o, &way, t)
        if ahead.turns > 0:
            return t if t == 0.0 or d.vx != 0.0 or d.vy != 0.0 else INFINITY
        if ahead.next == INFINITY:
            return INFINITY
        t = ahead.next


cdef inline double fall_out_of_solid(const Outline* o, const Parabola* d, const Parabola* way) noexcept nogil:
    """Time until a centre that falls may be out of the solid: until it crosses a line or circle of the outline. way: a flight
    line, which tells whether it is in there now."""
    cdef Ahead ahead = look_ahead(o, way, 0.0)
    cdef double t = INFINITY
    cdef int k
    if ahead.turns > 0:
        return 0.0
    for k in range(o.first, o.last):
        t = min(t, fall_across(&o.feature[k], d))
    return t


cdef inline Ahead look_ahead(const Outline* o, const Parabola* d, double after) noexcept nogil:
    """What lies ahead of a centre after some time of flight. Its turns are positive where it is not in the solid."""
    cdef Ahead ahead
    cdef int k
    ahead.turns = 1 if o.solid == BLOCK else 0
    ahead.next = INFINITY
    for k in range(o.first, o.last):
        if o.feature[k].form == FACE:
            cross_chord(&o.feature[k].chord, d, after, &ahead)
        elif o.feature[k].form != CAP:
            cross_arc(&o.feature[k], d, after, &ahead)
    return ahead


cdef inline void count_crossing(double t, int sign, double after, Ahead* ahead) noexcept nogil:
    """Count a crossing at time t, if that is later than `after`. sign: 1 from right to left, -1 from left to right."""
    if t > after:
        ahead.turns += sign
        ahead.next = min(ahead.next, t)


cdef inline double left_of(const Parabola* d, double x, double y) noexcept nogil:
    """Positive if a point is to the left of a flight line. The same number for all pieces that end there."""
    return cross_product(d.vx, d.vy, x - d.x, y - d.y)


cdef inline void cross_chord(const Chord* c, const Parabola* d, double after, Ahead* ahead) noexcept nogil:
    """Count where a flight line crosses a face."""
    cdef double a = left_of(d, c.ax, c.ay)
    cdef double b = left_of(d, c.bx, c.by)
    cdef double part, x, y
    if (a > 0.0) == (b > 0.0):
        return
    part = a / (a - b)
    x = (c.ax - d.x) + part * (c.bx - c.ax)
    y = (c.ay - d.y) + part * (c.by - c.ay)
    count_crossing((x * d.vx + y * d.vy) / (d.vx * d.vx + d.vy * d.vy), 1 if b > 0.0 else -1, after, ahead)


cdef inline void cross_arc(const Feature* f, const Parabola* d, double after, Ahead* ahead) noexcept nogil:
    """Count where a flight line crosses an arc. It enters the circle from the left side of the line to the right, seen along the
    arc, and leaves it from right to left. If both ends are on one side, the arc has both crossings or none."""
    cdef double dx = d.x - f.ax
    cdef double dy = d.y - f.ay
    cdef double square = d.vx * d.vx + d.vy * d.vy
    cdef double outwards = dx * d.vx + dy * d.vy
    cdef double miss = cross_product(dx, dy, d.vx, d.vy)
    cdef double root = f.radius * f.radius * square - miss * miss
    cdef bint starts_left = left_of(d, f.chord.ax, f.chord.ay) > 0.0
    cdef bint ends_left = left_of(d, f.chord.bx, f.chord.by) > 0.0
    cdef int sign = -1 if f.form == OUTSIDE else 1
    cdef int side = -1 if starts_left else 1
    if not root > 0.0 and starts_left == ends_left:
        return
    if starts_left == ends_left and not (f.endless or faces_direction(f, -side * d.vy, side * d.vx)):
        return
    root = sqrt(max(root, 0.0))
    if starts_left or starts_left == ends_left:
        count_crossing((-outwards - root) / square, -sign, after, ahead)
    if not starts_left or starts_left == ends_left:
        count_crossing((root - outwards) / square, sign, after, ahead)


cdef inline double time_to_leave(const Feature* f, double x, double y, double vx, double vy, double radius,
                                 double depth) noexcept nogil:
    """Time until a disc that overlaps a feature by more than `depth` does not overlap it any more; INFINITY at rest, 0 if it does
    not overlap it so far. From a face it has flown away, too, when it is beside one of the ends."""
    cdef double dx = x - f.ax
    cdef double dy = y - f.ay
    cdef double height, away, along, span, t
    if f.form != FACE:
        return time_to_leave_circle(f, dx, dy, vx, vy, radius, depth)
    height = f.nx.high * dx + f.ny.high * dy
    if not fabs(height) < radius - depth or not (f.endless or stands_at(f, x, y)):
        return 0.0
    away = f.nx.high * vx + f.ny.high * vy
    t = (radius - height) / away if away > 0.0 else (radius + height) / -away if away < 0.0 else INFINITY
    if f.endless:
        return t
    along = f.ny.high * vx - f.nx.high * vy
    span = f.ny.high * dx - f.nx.high * dy      # from the start of the face to the foot
    if along < 0.0:
        return min(t, max(span / -along, depth / -along))
    if along > 0.0:
        span = f.ny.high * (f.bx - x) - f.nx.high * (f.by - y)
        return min(t, max(span / along, depth / along))
    return t


cdef inline double time_to_leave_circle(const Feature* f, double dx, double dy, double vx, double vy, double radius,
                                        double depth) noexcept nogil:
    """`time_to_leave` of a cap or arc; (dx, dy): from its centre to the disc."""
    cdef double distance = sqrt(dx * dx + dy * dy)
    cdef double square = vx * vx + vy * vy
    cdef double outwards = dx * vx + dy * vy
    cdef double within = f.radius - radius
    cdef double miss = cross_product(dx, dy, vx, vy)
    cdef double root, beyond
    if not fabs(distance - f.radius) < radius - depth or not (f.form == CAP or faces_direction(f, dx, dy)):
        return 0.0
    if square == 0.0:
        return INFINITY
    beyond = INFINITY
    if not (f.form == CAP or f.endless):
        beyond = min(time_past_end(f.sx, f.sy, dx, dy, vx, vy, 1, depth * f.radius),
                     time_past_end(f.bx, f.by, dx, dy, vx, vy, -1, depth * f.radius))
    root = within * within * square - miss * miss
    if within > 0.0 and outwards < 0.0 and root > 0.0:      # to the inside
        return min(max((-outwards - sqrt(root)) / square, 0.0), beyond)
    root = (f.radius + radius) * (f.radius + radius) * square - miss * miss
    return min((sqrt(max(root, 0.0)) - outwards) / square, beyond)


cdef inline double time_past_end(double ux, double uy, double dx, double dy, double vx, double vy, int sign,
                                 double least) noexcept nogil:
    """Time until a disc at (dx, dy) from the centre of an arc, and beside the arc, is past one of its ends, which is at (ux, uy)
    from there; INFINITY if it does not fly past this end. sign: 1 for the start, -1 for the end. Beside an arc of more than half
    a circle, a disc may have flown past both lines, in through the gap: it does not come back to the first of them. least: the
    way that it flies, across the line to the end, times the length of that; along the line it may fly far meanwhile."""
    cdef double along = sign * cross_product(ux, uy, vx, vy)
    cdef double before = sign * cross_product(ux, uy, dx, dy)
    cdef double t
    if not along < 0.0 or before < 0.0:
        return INFINITY
    t = max(before, least) / -along
    return t if ux * (dx + vx * t) + uy * (dy + vy * t) > 0.0 else INFINITY
