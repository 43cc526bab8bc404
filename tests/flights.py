"""Straight flights of discs past curves, checked by brute force: nearest points, roots and samples, in plain Python.

A feature is a tuple: ("point", a), ("line", point, normal), ("face", a, b, side), ("arc", centre, radius, start, end, side) or
("cap", a, n1, n2), a corner that is touched in the directions between its normals. A side is "both", "inside", which is the left
one of a face and that of the centre of an arc, or "outside". All is
written from the definitions, without any code of hdsim.
"""
from __future__ import annotations

import bisect
import functools
import math

from hdsim import Arc, Circle, Line, Path, Polygon, Segment

UNIT = 1 << 1126    # of times and velocities in whole numbers
SAMPLES = 12        # of the way on which a disc would be behind a one-sided arc


def features_of(shape):
    """The features of an obstacle, at its displacement 0."""
    if isinstance(shape, Line):
        return [("line", shape.point, shape.normal)]
    if isinstance(shape, Circle):
        at = (shape.center[0] + shape.radius, shape.center[1])
        return [("arc", shape.center, shape.radius, at, at, shape.side)]
    side = getattr(shape, "side", "both")
    if isinstance(shape, Arc):
        pieces = [("arc", shape.center, shape.radius, shape.start, shape.end, side)]
    elif isinstance(shape, Path):
        pieces = [("face", part.start, part.end, side) if isinstance(part, Segment) else
                  ("arc", part.center, part.radius, part.start, part.end, side) for part in shape.parts]
    else:
        points = [shape.start, shape.end] if isinstance(shape, Segment) else [*shape.points]
        points += points[:1] if isinstance(shape, Polygon) else []
        pieces = [("face", a, b, side) for a, b in zip(points, points[1:])]
    return pieces + corners_of(pieces, side)


def corners_of(pieces, side):
    """The ends and corners of a chain of pieces; of one with a side, corners are touched between the normals of its pieces."""
    ends = [(piece[1], piece[2]) if piece[0] == "face" else (piece[3], piece[4]) for piece in pieces]
    if len(pieces) == 1 and ends[0][0] == ends[0][1] and pieces[0][0] == "arc":
        return []
    closed = ends[-1][1] == ends[0][0] and len(pieces) > 1
    found = [] if closed else [("point", ends[0][0]), ("point", ends[-1][1])]
    for k in range(0 if closed else 1, len(pieces)):
        at = ends[k][0]
        if side == "both":
            found.append(("point", at))
            continue
        sign = 1 if side == "inside" else -1
        one, other = (tuple(sign * c for c in left_normal(piece, at)) for piece in (pieces[k - 1], pieces[k]))
        turn = sign * (one[0] * other[1] - one[1] * other[0])
        if turn < -1e-12:           # convex, as seen from the side of the discs
            found.append(("cap", at, *((one, other) if sign < 0 else (other, one))))
    return found


def left_normal(piece, at):
    """The unit vector to the left of a piece at one of its ends."""
    if piece[0] == "arc":
        return tuple((c - p) / piece[2] for c, p in zip(piece[1], at))
    (ax, ay), (bx, by) = piece[1:3]
    length = math.hypot(bx - ax, by - ay)
    return -(by - ay) / length, (bx - ax) / length


def bounds(features):
    """(left, bottom, right, top) around features."""
    found = []
    for feature in features:
        if feature[0] == "line":
            return -math.inf, -math.inf, math.inf, math.inf
        if feature[0] == "arc":
            (x, y), r = feature[1:3]
            found += [(x - r, y - r), (x + r, y + r)]
        else:
            found += feature[1:3] if feature[0] == "face" else feature[1:2]
    return (*(min(p[k] for p in found) for k in (0, 1)), *(max(p[k] for p in found) for k in (0, 1)))


def within(arc, x, y, margin=0.0):
    """Is a direction from the centre between the ends of an arc, and at least `margin` radians from both?"""
    (cx, cy), (sx, sy), (ex, ey) = arc[1], arc[3], arc[4]
    if arc[3] == arc[4]:
        return True
    start, end, at = math.atan2(sy - cy, sx - cx), math.atan2(ey - cy, ex - cx), math.atan2(y, x)
    return margin <= (at - start) % math.tau <= (end - start) % math.tau - margin


def nearest_on_face(p, a, b):
    """The distance of a point from a face."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    square = ex * ex + ey * ey
    s = min(max(((p[0] - a[0]) * ex + (p[1] - a[1]) * ey) / square, 0), 1) if square else 0
    return math.hypot(p[0] - a[0] - s * ex, p[1] - a[1] - s * ey)


def distance(feature, p):
    """The distance of a point from a feature."""
    if feature[0] == "face":
        return nearest_on_face(p, *feature[1:3])
    if feature[0] == "line":
        (x, y), (nx, ny) = feature[1:]
        return ((p[0] - x) * nx + (p[1] - y) * ny) / math.hypot(nx, ny)
    if feature[0] == "arc":
        x, y = p[0] - feature[1][0], p[1] - feature[1][1]
        if within(feature, x, y):
            return abs(math.hypot(x, y) - feature[2])
        return min(math.dist(p, feature[3]), math.dist(p, feature[4]))
    return math.dist(p, feature[1])


def roots(p, v, centre, rho):
    """When a point on a straight flight is at the distance rho of a centre: none or two numbers, ascending."""
    x, y = p[0] - centre[0], p[1] - centre[1]
    square, b = v[0] * v[0] + v[1] * v[1], x * v[0] + y * v[1]
    d = rho * rho * square - (x * v[1] - y * v[0])**2
    if square == 0 or d < 0:
        return ()
    return (-b - math.sqrt(d)) / square, (-b + math.sqrt(d)) / square


def nearest_in_flight(feature, p, q):
    """The least distance between a feature and a point that goes from p to q."""
    v = q[0] - p[0], q[1] - p[1]
    square = v[0] * v[0] + v[1] * v[1]

    def foot(at):
        return min(max(((at[0] - p[0]) * v[0] + (at[1] - p[1]) * v[1]) / square, 0), 1) if square else 0

    times = {0.0, 1.0}
    if feature[0] == "face":
        a, b = feature[1:3]
        times |= {foot(a), foot(b)}
        e = b[0] - a[0], b[1] - a[1]
        rate = e[0] * v[1] - e[1] * v[0]
        if rate:
            t = -(e[0] * (p[1] - a[1]) - e[1] * (p[0] - a[0])) / rate
            times |= {t} if 0 < t < 1 else set()
    elif feature[0] == "arc":
        times |= {foot(at) for at in (feature[1], feature[3], feature[4])}
        times |= {t for t in roots(p, v, feature[1], feature[2]) if 0 < t < 1}
    elif feature[0] != "line":
        times.add(foot(feature[1]))
    return min(distance(feature, (p[0] + v[0] * t, p[1] + v[1] * t)) for t in times)


def depth(feature, p, q, radius, slack):
    """How deep a disc goes into a feature on its flight from p to q, in length units; at most 0 if it does not. A feature with a
    side is entered from there only. slack: a length that rounding explains."""
    if feature[0] == "cap":
        return depth_behind_arc(("arc", feature[1], 0.0, *(tuple(a + n for a, n in zip(feature[1], normal))
                                                          for normal in feature[2:]), "outside"), p, q, radius, slack)
    if feature[0] in ("point", "line") or (feature[-1] == "both" and radius > 4 * slack):
        return radius - nearest_in_flight(feature, p, q)
    sides = ("inside", "outside") if feature[-1] == "both" else feature[-1:]
    behind = depth_behind_face if feature[0] == "face" else depth_behind_arc
    return max(behind((*feature[:-1], side), p, q, radius, slack) for side in sides)


def depth_behind_face(face, p, q, radius, slack):
    """How deep a disc that comes from the side of a face goes through it, while its foot is on the face."""
    a, b, side = face[1:]
    length = math.dist(a, b)
    if length <= 4 * slack:
        return 0.0
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    sign = 1 if side == "inside" else -1
    (h0, s0), (h1, s1) = ((sign * (ux * (y - a[1]) - uy * (x - a[0])), ux * (x - a[0]) + uy * (y - a[1])) for x, y in (p, q))
    first, last = 0.0, 1.0
    for from_, to in ((s0, s1), (length - s0, length - s1)):    # while from_ + (to - from_) t >= slack
        if max(from_, to) < slack:
            return 0.0
        if from_ < slack:
            first = max(first, (slack - from_) / (to - from_))
        elif to < slack:
            last = min(last, (slack - from_) / (to - from_))
    least = slack if radius <= 4 * slack else radius - slack        # of a point that has just left, the side is not known
    if first >= last or h0 + (h1 - h0) * first < least:
        return 0.0
    return radius - (h0 + (h1 - h0) * last)


def depth_behind_arc(arc, p, q, radius, slack):
    """How deep a disc that comes from the side of an arc goes through it, before it leaves its sector."""
    outside = arc[-1] == "outside"
    rho = arc[2] + radius if outside else arc[2] - radius
    if rho <= slack:
        return 0.0
    v = q[0] - p[0], q[1] - p[1]
    margin = 4 * slack / rho
    if radius <= 4 * slack and abs(math.dist(p, arc[1]) - rho) <= 4 * slack:    # a point that has just left: of which side?
        return 0.0

    def relative(t):
        return p[0] + v[0] * t - arc[1][0], p[1] + v[1] * t - arc[1][1]

    found = roots(p, v, arc[1], rho)
    if not found:
        return 0.0
    start = found[0] if outside else found[1]
    speed = math.hypot(*v)
    # What comes from outside on a tangent, as far as rounding shows, is never inside: the height of its chord is c^2 / (8 rho).
    if not outside and math.dist(p, arc[1]) > rho + 4 * slack and ((found[1] - found[0]) * speed) ** 2 <= 8 * rho * slack:
        return 0.0
    if start < 0:           # rounding may have put it behind already, at the beginning of the flight
        start = 0.0 if -start * speed <= 4 * slack else -1.0
    end = min(1.0, found[1]) if outside else 1.0
    if not 0 <= start < end or not within(arc, *relative(start), margin):
        return 0.0
    most = 0.0
    for k in range(1, SAMPLES + 1):
        at = relative(start + (end - start) * k / SAMPLES)
        if not within(arc, *at, margin):
            break
        most = max(most, rho - math.hypot(*at) if outside else math.hypot(*at) - rho)
    return most


def legs(shape, start, end):
    """[(from, until, (x, y), (ux, uy))]: the parts of a motion between two times, each with the displacement at its beginning."""
    if not shape.motion:
        return [(start, end, tuple(u * start for u in shape.velocity), shape.velocity)]
    course = course_of(shape.motion, shape.period)
    times = sorted({start, end, *(t for t in turns(shape, start, end))})
    return [(a, b, course.displacement(a), velocity_at(shape, a)) for a, b in zip(times, times[1:] if len(times) > 1 else times)]


def turns(shape, start, end):
    """The times strictly between two others at which the velocity of a motion changes, as doubles."""
    begin, period = shape.motion[0][0], shape.period
    for t, _ in shape.motion:
        if period is None:
            if start < t < end:
                yield t
            continue
        k = max(math.floor((start - t) / period) - 1, 0)
        while t + k * period < end:
            if t + k * period > start and t + k * period >= begin:
                yield t + k * period
            k += 1


def velocity_at(shape, time):
    """The velocity of an obstacle at a time."""
    if not shape.motion:
        return shape.velocity
    # A change of velocity whose time is rounded belongs to the leg that begins with it.
    at = whole(time)
    return course_of(shape.motion, shape.period).velocity(at + (at >> 52 if time > 0 else 0))


def whole(number):
    """A double as a whole number of 2^-1126: no double has a smaller part than 2^-1074, nor a product with 1 + 2^-52 one that
    is not a multiple of this."""
    above, below = number.as_integer_ratio()
    return above * (UNIT // below)


@functools.lru_cache(maxsize=64)
def course_of(motion, period):
    return Course(motion, period)


class Course:
    """A motion in whole numbers, so that nothing is rounded: times and velocities are counted in 2^-1126, lengths in the square
    of that."""

    def __init__(self, motion, period):
        self.begin = whole(motion[0][0])
        self.period = None if period is None else whole(period)
        self.times = [whole(t) - self.begin for t, _ in motion]
        self.velocities = [u for _, u in motion]
        self.steps = [tuple(map(whole, u)) for u in self.velocities]
        self.gone = [(0, 0)]                # until each leg begins
        for (x, y), a, b, (ux, uy) in zip(self.gone, self.times, self.times[1:], self.steps):
            self.gone.append((x + (b - a) * ux, y + (b - a) * uy))
        self.drift = 0, 0                   # in each period
        if period is not None:
            x, y = self.drift = self.since(len(motion) - 1, self.period)
            if math.hypot(x / UNIT**2, y / UNIT**2) <= 1e-12 * period * max(math.hypot(*u) for u in self.velocities):
                self.drift = 0, 0           # it is meant to lead back
        self.zero = self.travelled(0)

    def leg(self, time):
        """(how many periods before a time, the time since the present one began, the leg), or None before the first one."""
        periods, rest = 0, time - self.begin
        if rest < 0:
            return None
        if self.period is not None:
            periods, rest = divmod(rest, self.period)
        return periods, rest, bisect.bisect_right(self.times, rest) - 1

    def since(self, leg, rest):
        """How far it has gone in a period until some time on a leg."""
        return tuple(x + (rest - self.times[leg]) * u for x, u in zip(self.gone[leg], self.steps[leg]))

    def travelled(self, time):
        """How far it has gone since it began."""
        found = self.leg(time)
        if found is None:
            return 0, 0
        periods, rest, leg = found
        return tuple(periods * a + b for a, b in zip(self.drift, self.since(leg, rest)))

    def displacement(self, time):
        """How far it is at a time from where it is at time 0, as doubles."""
        return tuple((a - b) / UNIT**2 for a, b in zip(self.travelled(whole(time)), self.zero))

    def velocity(self, time):
        found = self.leg(time)
        return (0.0, 0.0) if found is None else tuple(map(float, self.velocities[found[2]]))
