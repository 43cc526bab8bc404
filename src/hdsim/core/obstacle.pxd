# cython: language_level=3, wraparound=False, cdivision=True
"""Obstacles, as features: when a disc touches one of them, and how it is reflected.

Features are at rest; moving obstacles are seen by discs as mover.pxd says, and reflect them with their velocity.

A feature is what one formula describes: a straight face, a cap (the end of a face or arc, or a vertex), the outside of an arc,
the inside of an arc. An obstacle is a list of features. The centre of a disc of radius r meets an obstacle where its distance is
r, so a cap and the outside of an arc act as fixed discs of radius 0 and R, and the inside of an arc as a circle of radius R - r
about the centre of the disc.

A contact is accepted at a face if the flight line of the centre passes between the ends of the shifted face. The caps fill what
the faces leave out, so there is no gap between them, and no tolerance. A disc of radius 0 meets no cap, and one that is smaller
than rounding errors may fly past it; two faces or arcs with a common end then compare the flight line with this end by the same
expression, so that one of them accepts it.

Faces and arcs are two-sided: the side is the one on which the centre is, decided with twice the digits. Rounding may put a disc
that is smaller than rounding errors on the other side: `has_crossed` tells it, and the disc is put back on its path. Scaling by
powers of two gives the same bits, and a face parallel to an axis gives the bits of a wall.
"""
from libc.math cimport INFINITY, fabs, sqrt

from hdsim.core.exact cimport (Pair, difference_of, dot_of, exact_product, pair_of, pair_scaled, pair_sum, product, quotient,
                           settled, square_root)
from hdsim.core.axes cimport AXES
from hdsim.core.pair cimport bounce, cross_product, part, reflect, time_to_close, time_to_disc


cdef extern from "float.h":
    double EPSILON "DBL_EPSILON"


cdef enum Form:
    FACE = 0        # from the point (ax, ay) to (bx, by)
    CAP = 1         # the point (ax, ay)
    OUTSIDE = 2     # of an arc about (ax, ay)
    INSIDE = 3      # of an arc about (ax, ay)


cdef enum:
    BESIDE = 8      # features that end at one cap, at most, and caps of other obstacles there
    NO_FEATURE = -1


ctypedef unsigned char flag


cdef struct Chord:          # from the start of a face or arc to its end, as they were given
    double ax, ay, bx, by


cdef struct Feature:        # 168 bytes; what a circle needs is in the first 64, a cache line where `allocate` sees to that
    int obstacle            # its place in the list of obstacles
    flag form               # a Form
    flag conditional        # the obstacle is there for some time only, or for some discs only, or a feature of it yields
    flag yields             # to discs in its place, which appeared there or come from behind, until they are clear of it
    flag endless            # a face: it has no ends. An arc: it is a full circle. A cap: it acts in all directions
    flag one_sided          # a face: all discs are on its left. An arc: all discs are on the side of its form
    flag one_way            # a face: discs touch it from its left only. An arc: from the side of its form only
    flag parallel           # a face: it is parallel to an axis
    flag wide               # an arc: it is more than half of a circle
    flag moves              # its obstacle does
    double ax, ay           # a face: its start. An arc: its centre
    double radius           # of an arc; 0 for a cap
    double bx, by           # a face: its end. An arc: its end, seen from its centre. A seam: its last direction
    double sx, sy           # an arc: its start, seen from its centre. A seam: its first direction
    Pair nx, ny             # a face: the unit vector to its left
    Chord chord             # of a face or arc
    int beside[BESIDE]      # a cap: the features that end here, or NO_FEATURE


cdef inline Feature face_of(int obstacle, double ax, double ay, double bx, double by) noexcept nogil:
    """The face between two points, which must differ."""
    return face_along(obstacle, ax, ay, bx, by, difference_of(bx, ax), difference_of(by, ay), False)


cdef inline Feature line_of(int obstacle, double x, double y, double normal_x, double normal_y) noexcept nogil:
    """The straight line through (x, y), which discs meet from the side to which the normal points; it need not have length 1."""
    cdef Feature f = face_along(obstacle, x, y, x, y, pair_of(normal_y), pair_of(-normal_x), True)
    f.one_sided = True
    return f


cdef inline Feature face_along(int obstacle, double ax, double ay, double bx, double by, Pair ex, Pair ey,
                               bint endless) noexcept nogil:
    """The face between two points, along the vector (ex, ey) of any length."""
    cdef Feature f
    cdef Pair length
    cdef int k
    f.obstacle = obstacle
    f.form = FACE
    f.endless = endless
    f.conditional = f.yields = f.one_sided = f.one_way = f.wide = f.moves = False
    f.ax, f.ay, f.bx, f.by = ax, ay, bx, by
    f.chord = Chord(ax, ay, bx, by)
    f.sx = f.sy = f.radius = 0.0
    f.parallel = ex.high == 0.0 or ey.high == 0.0
    if f.parallel:
        f.nx = pair_of(-1.0 if ey.high > 0.0 else 1.0 if ey.high < 0.0 else 0.0)
        f.ny = pair_of(1.0 if ex.high > 0.0 else -1.0 if ex.high < 0.0 else 0.0)
    else:
        length = square_root(dot_of(ex, ey, ex, ey))
        f.nx = settled(quotient(-ey.high, -ey.low, length.high, length.low))
        f.ny = settled(quotient(ex.high, ex.low, length.high, length.low))
    for k in range(BESIDE):
        f.beside[k] = NO_FEATURE
    return f


cdef inline Feature cap_of(int obstacle, double x, double y) noexcept nogil:
    """The cap at a point. The features that end there must be entered in `beside`."""
    cdef Feature f = face_along(obstacle, x, y, x, y, pair_of(1.0), pair_of(0.0), True)
    f.form = CAP
    return f


cdef inline Feature seam_of(int obstacle, double x, double y, double from_x, double from_y, double to_x,
                            double to_y) noexcept nogil:
    """The cap at a seam of two faces or arcs that discs pass from behind. It acts on discs in the directions counterclockwise
    from one unit vector to the other, the normals of both: at most half a circle, and none if the second is clockwise of the
    first."""
    cdef Feature f = cap_of(obstacle, x, y)
    f.endless = False
    f.sx = from_x
    f.sy = from_y
    f.bx = to_x
    f.by = to_y
    return f


cdef inline Feature arc_of(int obstacle, Form form, double x, double y, double radius, double start_x, double start_y,
                           double end_x, double end_y) noexcept nogil:
    """One side of the arc about (x, y), counterclockwise from its start to its end: a full circle if these are equal."""
    cdef Feature f = cap_of(obstacle, x, y)
    f.form = form
    f.radius = radius
    f.chord = Chord(start_x, start_y, end_x, end_y)
    f.endless = start_x == end_x and start_y == end_y
    f.sx = start_x - x
    f.sy = start_y - y
    f.bx = end_x - x
    f.by = end_y - y
    f.wide = cross_product(f.sx, f.sy, f.bx, f.by) < 0.0
    return f


cdef inline int strict_side_of(const Feature* f, double x, double y) noexcept nogil:
    """The side of a face or arc on which the point (x, y) is: 1 is left of a face, and outside of an arc; -1 is the other side; 0
    is the line itself. The vector along a face, unlike the unit vector, is exact, so a point on the line is known to be there."""
    cdef double height = height_over(f, x, y).high if f.form != FACE else dot_of(
        difference_of(y, f.ay), difference_of(x, f.ax), difference_of(f.bx, f.ax), difference_of(f.ay, f.by)).high
    return 1 if height > 0.0 else -1 if height < 0.0 else 0


cdef inline int side_of(const Feature* f, double x, double y, double vx, double vy) noexcept nogil:
    """The side of a face or arc on which a centre at (x, y) is, 1 or -1. If it is on the line itself, as only a disc of radius 0
    can be placed, it is the side to which the velocity points, or, of a one-way feature, that from which discs touch it. Of a
    one-sided feature, it is that of all discs; a cap has no sides."""
    cdef int side
    if f.form == CAP:
        return 1
    if f.one_sided:
        return -1 if f.form == INSIDE else 1
    side = strict_side_of(f, x, y)
    if side != 0:
        return side
    if f.one_way:
        return -1 if f.form == INSIDE else 1
    if f.form == FACE:
        return 1 if f.nx.high * vx + f.ny.high * vy >= 0.0 else -1
    return 1 if (x - f.ax) * vx + (y - f.ay) * vy >= 0.0 else -1


cdef inline int side_after(const Feature* f, double from_x, double from_y, double vx, double vy, double size, double x,
                           double y) noexcept nogil:
    """The side of a face or arc on which a disc is that has flown straight from one point to (x, y) at this velocity. Near the
    line it is that of the first point, as rounding may have put the centre across. But a disc that has flown into the circle of
    an arc, past one of its ends, arrives at it from inside. size: of the coordinates, at most."""
    cdef int side = side_of(f, from_x, from_y, vx, vy)
    if f.form == CAP or f.one_sided:
        return side
    if f.form == FACE:
        return side if fabs(height_over(f, x, y).high) <= rounding_of(size) else strict_side_of(f, x, y)
    if (side > 0 and (from_x - f.ax) * vx + (from_y - f.ay) * vy < 0.0 and (x - f.ax) * vx + (y - f.ay) * vy > 0.0
            and fabs(cross_product(x - f.ax, y - f.ay, vx, vy)) < f.radius * sqrt(vx * vx + vy * vy)):
        return -1
    return side


cdef inline double rounding_of(double size) noexcept nogil:
    """More than rounding errors of coordinates of at most this size, and of a few operations with them, can add up to."""
    return 16.0 * EPSILON * size


cdef inline Pair height_over(const Feature* f, double x, double y) noexcept nogil:
    """The signed distance of the point (x, y) from the line of a face; for an arc, d.d - R^2 with d from the centre."""
    cdef Pair dx = difference_of(x, f.ax)
    cdef Pair dy = difference_of(y, f.ay)
    if f.form == FACE:
        return dot_of(dx, dy, f.nx, f.ny)
    return pair_sum(dot_of(dx, dy, dx, dy), square_of(-1.0, f.radius))


cdef inline double height_near(const Feature* f, double x, double y) noexcept nogil:
    """The signed distance of a point from a face or arc that it is near to."""
    return height_over(f, x, y).high / (1.0 if f.form == FACE else 2.0 * f.radius)


cdef inline Pair square_of(double sign, double a) noexcept nogil:
    """sign * a * a, for sign 1 or -1."""
    cdef Pair p
    p.high = exact_product(sign * a, a, &p.low)
    return p


cdef inline bint faces_direction(const Feature* f, double ux, double uy) noexcept nogil:
    """Does the arc have a point in the direction (ux, uy), seen from its centre? Both ends belong to it."""
    cdef bint after = cross_product(f.sx, f.sy, ux, uy) >= 0.0
    cdef bint before = cross_product(ux, uy, f.bx, f.by) >= 0.0
    if f.endless:
        return True
    return (after or before) if f.wide else (after and before)


cdef inline double time_to_face(const Feature* f, int side, double x, double y, double vx, double vy,
                                double radius) noexcept nogil:
    """Time until a disc at (x, y), on this side of the face, touches it; INFINITY if never."""
    cdef Pair towards = dot_of(pair_of(-side * vx), pair_of(-side * vy), f.nx, f.ny)
    cdef Pair gap
    if not towards.high > 0.0 or (f.one_way and side < 0):
        return INFINITY
    gap = gap_to_face(f, side, x, y, radius)
    if not gap.high > 0.0:
        return 0.0 if f.endless or stands_at(f, x, y) else INFINITY
    if not (f.endless or passes_between(f, side, x, y, vx, vy, radius)):
        return INFINITY
    if f.parallel:
        return time_to_close(gap.high, towards.high)
    return settled(quotient(gap.high, gap.low, towards.high, towards.low)).high


cdef inline Pair gap_to_face(const Feature* f, int side, double x, double y, double radius) noexcept nogil:
    """The distance between the line of a face and the surface of a disc on this side; negative if they overlap. If the face is
    parallel to an axis, the expression and the bits are those of `wall_gap`."""
    cdef double normal_x = -side * f.nx.high
    cdef double normal_y = -side * f.ny.high
    if f.parallel:
        return pair_of(((normal_x * f.ax + normal_y * f.ay) - radius) - (normal_x * x + normal_y * y))
    return pair_sum(pair_scaled(side, height_over(f, x, y)), pair_of(-radius))


cdef inline bint stands_at(const Feature* f, double x, double y) noexcept nogil:
    """Is the foot of the perpendicular from (x, y) to the line of a face between its ends? They count as between."""
    cdef Pair ex = f.ny
    cdef Pair ey = pair_scaled(-1, f.nx)
    return (dot_of(difference_of(x, f.ax), difference_of(y, f.ay), ex, ey).high >= 0.0
            and dot_of(difference_of(x, f.bx), difference_of(y, f.by), ex, ey).high <= 0.0)


cdef inline bint is_point(const Feature* f, double x, double y, double radius) noexcept nogil:
    """Is a disc so small that rounding decides whether it meets a cap? Then faces and arcs take it up to their ends."""
    return may_change_sides(radius, fabs(x) + fabs(y) + fabs(f.ax) + fabs(f.ay) + f.radius)


cdef inline bint passes_between(const Feature* f, int side, double x, double y, double vx, double vy,
                                double radius) noexcept nogil:
    """Does the flight line of a centre meet the face, shifted by the radius to its side, between its ends? They count as between.
    If s is the distance of the contact from an end, e the unit vector along the face, w the closing speed and d the position, as
    seen from that end, then s w = +-(v x d) - r (v.e). For a point, its sign depends on the end alone, not on the face."""
    cdef Pair along = pair_scaled(0.0 if is_point(f, x, y, radius) else -radius,
                                  dot_of(pair_of(vx), pair_of(vy), f.ny, pair_scaled(-1, f.nx)))
    return (pair_sum(cross_of(side, vx, vy, x, y, f.ax, f.ay), along).high >= 0.0
            and pair_sum(cross_of(side, vx, vy, x, y, f.bx, f.by), along).high <= 0.0)


cdef inline Pair cross_of(int side, double vx, double vy, double x, double y, double ax, double ay) noexcept nogil:
    """side * (v x (x - a))."""
    return dot_of(pair_scaled(side, difference_of(y, ay)), pair_scaled(-side, difference_of(x, ax)), pair_of(vx), pair_of(vy))


cdef inline bint takes_disc(const Feature* f, int side, double x, double y, double vx, double vy, double radius,
                            double t) noexcept nogil:
    """Is a disc, which touches the circle of an arc in this time, from outside for side 1 and from inside for -1, between the
    ends of the arc then? Past an end it touches the cap there, or, if it is as small as a point, what else ends there."""
    if f.endless:
        return True
    if is_point(f, x, y, radius):
        return passes_arc(f, side, x, y, vx, vy)
    return faces_direction(f, (x - f.ax) + vx * t, (y - f.ay) + vy * t)


cdef inline bint passes_arc(const Feature* f, int side, double x, double y, double vx, double vy) noexcept nogil:
    """Does the flight line of a point cross the arc where it enters the circle (side 1) or leaves it (side -1)? Both ends belong
    to the arc. A line between the ends crosses it once, any other one twice or not at all. On which side of the line an end is,
    is found by the expression that faces use, so nothing flies through between two arcs or faces that join."""
    cdef double start = cross_of(-1, vx, vy, x, y, f.chord.ax, f.chord.ay).high     # positive to the left of the line
    cdef double end = cross_of(-1, vx, vy, x, y, f.chord.bx, f.chord.by).high
    cdef bint starts_left = start > 0.0
    cdef bint ends_left = end > 0.0
    if start == 0.0:        # it starts on the line, and goes to the left where the line leaves the circle
        starts_left = f.sx * vx + f.sy * vy > 0.0
        if starts_left == (side < 0):
            return True
    if end == 0.0:
        ends_left = not f.bx * vx + f.by * vy > 0.0
        if ends_left == (side > 0):
            return True
    if starts_left != ends_left:
        return starts_left == (side > 0)
    return faces_direction(f, vy, -vx) if starts_left else faces_direction(f, -vy, vx)


cdef inline double time_to_outside(const Feature* f, int side, double x, double y, double vx, double vy,
                                   double radius) noexcept nogil:
    """Time until a disc touches the outside of an arc, as it touches a fixed disc; INFINITY if never."""
    cdef double dx = f.ax - x
    cdef double dy = f.ay - y
    cdef double t
    if side < 0:
        return INFINITY
    t = time_to_disc(dx, dy, -vx, -vy, f.radius + radius)
    return t if t < INFINITY and takes_disc(f, 1, x, y, vx, vy, radius, t) else INFINITY


cdef inline double time_to_inside(const Feature* f, int side, double x, double y, double vx, double vy,
                                  double radius) noexcept nogil:
    """Time until a disc touches the inside of an arc; INFINITY if never. It may fly into the circle before, past an end."""
    cdef double dx = x - f.ax
    cdef double dy = y - f.ay
    cdef double reach = f.radius - radius
    cdef double speed = sqrt(vx * vx + vy * vy)
    cdef double outwards = dx * vx + dy * vy
    cdef double miss = fabs(cross_product(dx, dy, vx, vy))
    cdef double root, gap, t
    if not reach >= 0.0 or speed == 0.0 or (side > 0 and outwards >= 0.0):
        return INFINITY
    if reach == 0.0:
        return time_to_middle(f, side, dx, dy, vx, vy)
    # A product, so that a flight near the edge of the circle does not cancel.
    root = (reach * speed - miss) * (reach * speed + miss)
    gap = pair_sum(square_of(1.0, reach), pair_scaled(-1, dot_of(pair_of(dx), pair_of(dy), pair_of(dx), pair_of(dy)))).high
    if gap > 0.0 and root < 0.5 * (outwards * outwards + gap * (vx * vx + vy * vy)):
        # So near to the edge, and along it, that rounding errors are most of this root: the same as a sum.
        root = outwards * outwards + gap * (vx * vx + vy * vy)
    if outwards > 0.0:
        t = gap / (outwards + sqrt(root)) if gap > 0.0 else 0.0
    elif not root > 0.0:
        # A disc that flies along the edge, and that rounding has put beyond it, cannot leave: it touches at the end of a chord as
        # long as if it were at the edge, so that its angle stays. One that is farther beyond passes an arc without an outside.
        if side > 0 or not f.endless and gap < -2.0 * reach * rounding_of(fabs(x) + fabs(y) + fabs(f.ax) + fabs(f.ay) + f.radius):
            return INFINITY
        t = -2.0 * outwards / (vx * vx + vy * vy)
        return t if faces_direction(f, dx + vx * t, dy + vy * t) else INFINITY
    else:
        t = (sqrt(root) - outwards) / (vx * vx + vy * vy)
    return t if takes_disc(f, -1, x, y, vx, vy, radius, t) else INFINITY


cdef inline double time_to_middle(const Feature* f, int side, double dx, double dy, double vx, double vy) noexcept nogil:
    """`time_to_inside` for a disc that fits an arc exactly. It has no room in a circle; in an arc it flies to the middle, and
    touches all of the arc there. Any other path of its centre ends at a cap."""
    if f.endless:
        return 0.0 if side < 0 else INFINITY
    if cross_product(dx, dy, vx, vy) != 0.0 or dx * vx + dy * vy > 0.0 or not faces_direction(f, vx, vy):
        return INFINITY
    return -(dx * vx + dy * vy) / (vx * vx + vy * vy)


cdef inline double time_to_cap(const Feature* f, const Feature* features, double x, double y, double vx, double vy, double radius,
                               int passed) noexcept nogil:
    """Time until a disc touches a cap, unless it touches a face or arc that ends there before; INFINITY if never. In exact
    arithmetic, such a face is always touched before; after rounding the cap might be first, with another normal. A cap of another
    obstacle at the same point is touched instead. passed: bits of the features beside the cap that the disc does not touch."""
    cdef double t = time_to_disc(f.ax - x, f.ay - y, -vx, -vy, radius)
    cdef const Feature* b
    cdef double before
    cdef int k
    if t == INFINITY or not (f.endless or meets_seam(f, x + vx * t, y + vy * t, vx, vy)):
        return INFINITY
    for k in range(BESIDE):
        if f.beside[k] != NO_FEATURE and not passed & 1 << k:
            b = &features[f.beside[k]]
            if b.form == CAP:
                return INFINITY
            before = time_to_feature(b, features, side_of(b, x, y, vx, vy), x, y, vx, vy, radius)
            if before <= t or (before < INFINITY and b.form == FACE):
                return INFINITY
    return t


cdef inline bint meets_seam(const Feature* f, double x, double y, double vx, double vy) noexcept nogil:
    """Does a disc, which touches and approaches a seam, come from the side that discs touch? The time of a contact, and so its
    place along the path, is the less accurate the more it grazes, down to the square root of a rounding error: a seam leaves no
    gap between the features beside it."""
    cdef double dx = x - f.ax
    cdef double dy = y - f.ay
    cdef double distance = sqrt(dx * dx + dy * dy)
    cdef double rounding = rounding_of(fabs(x) + fabs(y) + fabs(f.ax) + fabs(f.ay))
    cdef double steep
    if not distance > 0.0 or not (f.sx * vx + f.sy * vy < 0.0 or f.bx * vx + f.by * vy < 0.0):
        return False
    steep = -(dx * vx + dy * vy) / (distance * sqrt(vx * vx + vy * vy))
    return faces_seam(f, dx, dy, rounding / max(steep, sqrt(rounding / distance)))


cdef inline bint faces_seam(const Feature* f, double dx, double dy, double slack) noexcept nogil:
    """Is a disc, at (dx, dy) as seen from a seam, in one of its directions, or nearer to them than `slack`?"""
    return (cross_product(f.sx, f.sy, dx, dy) >= -slack and cross_product(dx, dy, f.bx, f.by) >= -slack
            and (f.sx * dx + f.sy * dy >= 0.0 or f.bx * dx + f.by * dy >= 0.0))


cdef inline double time_to_feature(const Feature* f, const Feature* features, int side, double x, double y, double vx, double vy,
                                   double radius) noexcept nogil:
    """Time until a disc at (x, y) touches a feature; INFINITY if never, 0 if it touches and approaches it.

    features: the list to which `beside` refers. side: that of the disc, by `side_of`. Two-sided features need the side of the
    stored state: a position at a later clock may lie on the other side, because of rounding."""
    if f.form == FACE:
        return time_to_face(f, side, x, y, vx, vy, radius)
    if f.form == OUTSIDE:
        return time_to_outside(f, side, x, y, vx, vy, radius)
    if f.form == INSIDE:
        return time_to_inside(f, side, x, y, vx, vy, radius)
    return time_to_cap(f, features, x, y, vx, vy, radius, 0)


cdef inline void set_normal(const Feature* f, double x, double y, double vx, double vy, double* normal_x,
                            double* normal_y) noexcept nogil:
    """Set the vector from a disc, which touches and approaches the feature, towards its surface: a unit vector for a face, and
    the vector from or to the centre for an arc or cap. A disc smaller than rounding errors may be at a cap, or past it: then it
    is the velocity, and so for one that fits the inside of an arc. One that flies along the inside of an arc may approach it by
    rounding only, or not at all. A face is approached by the same product as in `time_to_face`, to the last bit."""
    cdef int sign
    if f.form == FACE:
        sign = 1 if dot_of(pair_of(vx), pair_of(vy), f.nx, f.ny).high > 0.0 else -1
        normal_x[0] = sign * f.nx.high
        normal_y[0] = sign * f.ny.high
    else:
        sign = 1 if f.form == INSIDE else -1
        normal_x[0] = sign * (x - f.ax)
        normal_y[0] = sign * (y - f.ay)
        if (normal_x[0] == normal_y[0] == 0.0) if f.form == INSIDE else not normal_x[0] * vx + normal_y[0] * vy > 0.0:
            normal_x[0] = vx
            normal_y[0] = vy


cdef inline double gap_to_feature(const Feature* f, double x, double y, double vx, double vy, double radius) noexcept nogil:
    """The distance between a feature and the surface of a disc at (x, y) beside it, negative if they overlap; INFINITY if the
    disc is past its end, on the other side of an arc or of a one-way face, or in no direction of a seam."""
    cdef double dx = x - f.ax
    cdef double dy = y - f.ay
    cdef double distance = sqrt(dx * dx + dy * dy)
    cdef double rounding = rounding_of(fabs(x) + fabs(y) + fabs(f.ax) + fabs(f.ay))
    if f.form == FACE and f.one_way and height_over(f, x, y).high < -rounding:
        return INFINITY
    if f.form == FACE:
        return gap_to_face(f, side_of(f, x, y, vx, vy), x, y, radius).high if f.endless or stands_at(f, x, y) else INFINITY
    if f.form == CAP:
        if not (f.endless or faces_seam(f, dx, dy, rounding)):
            return INFINITY
        return distance - radius
    if not faces_direction(f, dx, dy):
        return INFINITY
    if f.form == INSIDE:
        return (f.radius - radius) - distance if distance <= f.radius + rounding else INFINITY
    return distance - (f.radius + radius) if side_of(f, x, y, vx, vy) > 0 else INFINITY


cdef inline double bounce_at_feature(const Feature* f, const double* normal, double* v, double* surface,
                                     double rebound) noexcept nogil:
    """Reflect a velocity at a feature, whose own is `surface`; the normal is that of `set_normal`, the rebound that of
    `pair.bounce`. Returns the impulse that a disc of mass 1 takes, divided by the length of the normal. A disc may approach by
    rounding only, and exactly not, where it glides or the feature moves: then it keeps its velocity, and the impulse is 0."""
    cdef double before[AXES]
    cdef double impulse
    cdef int k, sign
    for k in range(AXES):
        before[k] = v[k]
    if f.form != FACE:
        impulse = bounce(normal, v, 1.0, surface, INFINITY, rebound)
    else:
        sign = 1 if f.nx.high * normal[0] + f.ny.high * normal[1] > 0.0 else -1
        impulse = rebound * bounce_oblique(pair_scaled(sign, f.nx), pair_scaled(sign, f.ny), v, surface, rebound)
    if impulse >= 0.0:
        return impulse
    for k in range(AXES):
        v[k] = before[k]
    part(normal, v, 1.0, surface, INFINITY)
    return 0.0


cdef inline double bounce_oblique(Pair normal_x, Pair normal_y, double* v, double* surface, double rebound) noexcept nogil:
    """Reflect a velocity at a face with this unit normal and this velocity, with one rounding per component. Returns the speed of
    approach."""
    cdef double normal[AXES]
    cdef Pair speed = dot_of(difference_of(v[0], surface[0]), difference_of(v[1], surface[1]), normal_x, normal_y)
    normal[AXES - 1] = 0.0
    normal[0] = normal_x.high
    normal[1] = normal_y.high
    if (normal_x.high == 0.0 or normal_y.high == 0.0) and surface[0] == surface[1] == 0.0:
        reflect(normal, v, rebound)
        return speed.high
    cdef Pair change = pair_scaled(-rebound, speed)
    cdef Pair x = pair_sum(pair_of(v[0]), product(change, normal_x))
    cdef Pair y = pair_sum(pair_of(v[1]), product(change, normal_y))
    v[0] = x.high
    v[1] = y.high
    part(normal, v, 1.0, surface, INFINITY)
    return speed.high


cdef inline bint is_beside(const Feature* f, double x, double y, double distance) noexcept nogil:
    """Is a point, that is this near to the line of a face or arc, also this near to the face or arc?"""
    if f.form == FACE:
        return f.endless or (
            dot_of(difference_of(x, f.ax), difference_of(y, f.ay), f.ny, pair_scaled(-1, f.nx)).high >= -distance
            and dot_of(difference_of(x, f.bx), difference_of(y, f.by), f.ny, pair_scaled(-1, f.nx)).high <= distance)
    return (faces_direction(f, x - f.ax, y - f.ay) or fabs(x - f.ax - f.sx) + fabs(y - f.ay - f.sy) <= 2.0 * distance
            or fabs(x - f.ax - f.bx) + fabs(y - f.ay - f.by) <= 2.0 * distance)


cdef inline bint may_change_sides(double radius, double size) noexcept nogil:
    """Can rounding put the centre of a disc across a face that the disc touches? size: of the coordinates, at most."""
    return radius < rounding_of(size)


cdef inline bint has_crossed(const Feature* f, double from_x, double from_y, double vx, double vy, double size, double x,
                             double y) noexcept nogil:
    """Has rounding put the centre of a disc, which has flown from one point to another at this velocity, on the other side of a
    two-sided feature, or on its line? Then it is less than a few rounding errors deep. A disc that has flown past an end changes
    sides, too, but does not stay near the feature. size: of the coordinates, at most."""
    if f.form == CAP or f.one_sided or strict_side_of(f, x, y) == side_after(f, from_x, from_y, vx, vy, size, x, y):
        return False
    return fabs(height_near(f, x, y)) <= rounding_of(size) and is_beside(f, x, y, rounding_of(size))
