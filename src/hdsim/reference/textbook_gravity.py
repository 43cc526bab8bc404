"""Gravity for the book's loop: when a disc that falls touches the sides of the box and obstacles.

On its parabola the gap between a disc and a straight surface is a polynomial of degree 2 in time, and the difference of squares
that closes at a round one is of degree 4. Between the times at which its slope changes sign, which are found in the same way, a
polynomial has one root at most, which bisection finds. All numbers are decimals of so many digits that each sign is that of the
real number. So nothing is clever here, and nothing is fast. This file shares no code with the compiled engine.
"""
from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from .textbook import Particle, WallCollision
from .textbook_motion import MovingObstacles
from .textbook_obstacles import INSIDE, LEFT, OUTSIDE, RIGHT, Disc, Face, Feature, Hit, Ring, Seam, sign
from .textbook_pistons import time_to_close

DIGITS = 120                    # of the decimals; products of doubles have 32, and times are bisected to ...
BISECTED = Decimal(10) ** -30   # ... this part of the interval
NEAR = 2.0**-40                 # of the coordinates: so far from a curve a centre may be on either side of it by rounding
BEYOND = 1.0 + 2.0**-20         # times after the contact with a side of the box, by this factor, are not looked at

Polynomial = tuple[Decimal, ...]        # the coefficients of 1, t, t^2, ...


def value(p: Polynomial, t: Decimal) -> Decimal:
    """p(t)."""
    total = Decimal(0)
    for coefficient in reversed(p):
        total = total * t + coefficient
    return total


def slope(p: Polynomial) -> Polynomial:
    """The derivative."""
    return tuple(k * coefficient for k, coefficient in enumerate(p))[1:] or (Decimal(0),)


def plus(p: Polynomial, q: Polynomial) -> Polynomial:
    """p + q, of equal lengths."""
    return tuple(a + b for a, b in zip(p, q))


def times(p: Polynomial, factor: Decimal) -> Polynomial:
    """p multiplied by a number."""
    return tuple(factor * a for a in p)


def square(p: Polynomial) -> Polynomial:
    """p(t)^2."""
    total = [Decimal(0)] * (2 * len(p) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(p):
            total[i + j] += a * b
    return tuple(total)


def bisected(p: Polynomial, low: Decimal, high: Decimal) -> Decimal:
    """The root between two times at which p has different signs."""
    width, begins = (high - low) * BISECTED, value(p, low)
    while high - low > width * max(high / (high - low), Decimal(1)):
        middle = (low + high) / 2
        if (value(p, middle) > 0) == (begins > 0):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def changes(p: Polynomial, end: Decimal) -> list[Decimal]:
    """The times between 0 and `end` at which p changes its sign, ascending."""
    if not any(p[1:]):
        return []
    bounds = [Decimal(0), *changes(slope(p), end), end]
    return [bisected(p, low, high) for low, high in zip(bounds, bounds[1:]) if value(p, low) * value(p, high) < 0]


def closings(gap: Polynomial, end: Decimal, touches: bool, behind: bool = False) -> Iterator[Decimal]:
    """The times from 0 to `end` at which a gap closes. touches: whether the disc is on this side of the surface, so that a gap
    that is not positive, by rounding, closes when it begins to shrink; else it must have been positive before. behind: whether
    the disc is known to be on the other side, so that a gap that is positive now is so by rounding."""
    if behind:
        gap = (min(gap[0], Decimal(0)), *gap[1:])
    falls = slope(gap)
    bounds = [Decimal(0), *changes(falls, end), end]
    for low, high in zip(bounds, bounds[1:]):
        if value(falls, (low + high) / 2) < 0:
            if value(gap, low) > 0:
                if value(gap, high) <= 0:
                    yield bisected(gap, low, high)
            elif touches:
                yield low


class Fall:
    """The parabola of a disc, as two polynomials, and its radius."""

    def __init__(self, disc: Disc, gravity: Sequence[float]) -> None:
        self.x = Decimal(disc.rx), Decimal(disc.vx), Decimal(gravity[0]) / 2
        self.y = Decimal(disc.ry), Decimal(disc.vy), Decimal(gravity[1]) / 2
        self.radius = Decimal(disc.radius)

    def from_point(self, x: float, y: float) -> tuple[Polynomial, Polynomial]:
        """Its coordinates as seen from a point."""
        return (self.x[0] - Decimal(x), *self.x[1:]), (self.y[0] - Decimal(y), *self.y[1:])


class FallingObstacles(MovingObstacles):
    """Obstacles among discs that fall. gravity: (gx, gy). box: its width and height, in which the discs are."""

    def __init__(self, shapes: Sequence[Any], discs: Sequence[Disc], time: float, box: Sequence[float],
                 gravity: Sequence[float]) -> None:
        self.gravity, self._box, self._end = gravity, box, math.inf
        super().__init__(shapes, discs, time, sum(box))

    def hits(self, disc: Disc) -> Iterator[Hit]:
        """As for `Obstacles`. A disc touches a side of the box before long, and later contacts are void."""
        self._end = min((dt for dt, _ in meetings(disc, self._box, self.gravity)), default=math.inf) * BEYOND
        return super().hits(disc)

    def _plan(self, feature: Feature, disc: Disc, side: int) -> tuple[float, int, int]:
        """As for `Feature.plan`."""
        if not self._comes_near(feature, disc):
            return math.inf, side, side
        with localcontext() as context:
            context.prec = DIGITS
            plan = plan_face if isinstance(feature, Face) else plan_ring
            return plan(feature, disc, side, self.gravity, Decimal(self._end))      # type: ignore[arg-type]

    def _comes_near(self, feature: Feature, disc: Disc) -> bool:
        """Whether a disc of its speed can reach a feature before the end."""
        if isinstance(feature, Face):
            if feature.endless:
                return True
            (ax, ay), (bx, by) = feature.a, feature.b
            middle, size = ((ax + bx) / 2, (ay + by) / 2), math.hypot(bx - ax, by - ay) / 2
        else:
            assert isinstance(feature, Ring)
            middle, size = (feature.rx, feature.ry), feature.radius
        way = (math.hypot(disc.vx, disc.vy) + math.hypot(*self.gravity) * self._end / 2) * self._end
        return math.hypot(disc.rx - middle[0], disc.ry - middle[1]) <= BEYOND * (size + disc.radius + way)

    def _moved(self, disc: Disc, dt: float) -> Disc:
        """A copy of the disc where it is dt time units later, if nothing but gravity changes its velocity."""
        later = copy.copy(disc)
        fall(later, dt, self.gravity)
        return later

    def _until_clear(self, index: int, disc: Disc, only: Feature | None = None) -> float:
        """As for `Obstacles`: in a step from the speed v no disc gets farther than v dt + g dt^2 / 2."""
        dt, pull, later, edge = 0.0, math.hypot(*self.gravity), disc, self._edges.get(index)
        while (depth := self._depth(index, later.rx, later.ry, later.radius, only)) > 0:
            if abs(later.rx) + abs(later.ry) > 2.0**40 * (abs(disc.rx) + abs(disc.ry) + disc.radius):
                return math.inf
            speed = math.hypot(later.vx, later.vy)
            step = 2 * depth / (speed + math.sqrt(speed * speed + 2 * pull * depth))
            if edge:        # the component across it alone counts
                away, g = (v[0] * edge.nx + v[1] * edge.ny for v in ((later.vx, later.vy), self.gravity))
                step = time_to_close(Fraction(depth), -Fraction(away), -g)
            dt = max(dt + step, math.nextafter(dt, math.inf))
            if dt == math.inf:
                return dt
            later = self._moved(disc, dt)
        return dt


def fall(disc: Any, dt: float, gravity: Sequence[float]) -> None:
    """Move a disc for dt time units, regardless of what is in its way."""
    gx, gy = gravity
    disc.rx += (disc.vx + 0.5 * gx * dt) * dt
    disc.ry += (disc.vy + 0.5 * gy * dt) * dt
    disc.vx += gx * dt
    disc.vy += gy * dt


def meetings(disc: Disc, box: Sequence[float], gravity: Sequence[float]) -> list[tuple[float, str]]:
    """When a disc touches each side of the box, from now on, with the name of the side; those that it touches."""
    found = []
    for r, v, length, g, names in ((disc.rx, disc.vx, box[0], gravity[0], ("left", "right")),
                                   (disc.ry, disc.vy, box[1], gravity[1], ("bottom", "top"))):
        place, radius, speed = Fraction(r), Fraction(disc.radius), Fraction(v)
        found.append((time_to_close(place - radius, speed, g), names[0]))
        found.append((time_to_close(Fraction(length) - place - radius, -speed, -g), names[1]))
    return [(dt, name) for dt, name in found if dt < math.inf]


class SideCollision(WallCollision):
    """A disc that falls touches a side of the box."""

    def __init__(self, time: float, disc: Particle, wall: str) -> None:
        super().__init__(time, disc, None, wall)

    def process(self) -> None:
        disc = self.particles[0]
        if self.wall in ("left", "right"):
            disc.bounce_off_vertical_wall()
        else:
            disc.bounce_off_horizontal_wall()


def plan_face(face: Face, disc: Disc, known: int, gravity: Sequence[float], end: Decimal) -> tuple[float, int, int]:
    """As for `Feature.plan`: from each side, the first time at which the gap closes with the contact point between the ends."""
    path = Fall(disc, gravity)
    (px, py), (qx, qy) = (tuple(map(Decimal, point)) for point in (face.a, face.b))
    ex, ey = (Decimal(part.numerator) / Decimal(part.denominator) for part in face.along)
    length = (ex * ex + ey * ey).sqrt()
    x, y = path.from_point(*face.a)
    level = times(plus(times(y, ex), times(x, -ey)), 1 / length)
    foot = times(plus(times(x, ex), times(y, ey)), 1 / length)
    near = is_near(float(level[0]), disc)
    side = face.only if face.endless else (known if known and near else sign(float(level[0]))) or face.only or (
        LEFT if level[1] > 0 else RIGHT)

    def is_beside(t: Decimal) -> bool:
        return face.endless or 0 <= value(foot, t) <= length

    found = [(t, way) for way in (LEFT, RIGHT) if face.only in (0, way)
             for gap in [(way * level[0] - path.radius, way * level[1], way * level[2])]
             for t in closings(gap, end, way == side and is_beside(Decimal(0)), way != side and near) if is_beside(t)]
    return first_of(found, side)


def plan_ring(ring: Ring, disc: Disc, known: int, gravity: Sequence[float], end: Decimal) -> tuple[float, int, int]:
    """As for `Feature.plan`: from each side, the first time at which the difference of squares closes between the ends."""
    path = Fall(disc, gravity)
    x, y = path.from_point(ring.rx, ring.ry)
    distance, radius = plus(square(x), square(y)), Decimal(ring.radius)
    level = float(distance[0].sqrt() - radius)
    near = is_near(level, disc)
    side = ring.only if ring.ends is None and ring.only else (known if known and near else sign(level)) or ring.only or (
        OUTSIDE if distance[1] > 0 else INSIDE)
    found = []
    for way in (way for way in (OUTSIDE, INSIDE) if way in ring.names):
        reach = radius + path.radius if way == OUTSIDE else radius - path.radius
        if reach > 0:
            gap = (way * (distance[0] - reach * reach), *times(distance[1:], Decimal(way)))
            found += [(t, way) for t in closings(gap, end, way == side, way != side and near)
                      if is_met(ring, disc, float(t), way, gravity)]
    return first_of(found, side)


def is_met(ring: Ring, disc: Disc, dt: float, side: int, gravity: Sequence[float]) -> bool:
    """Whether a disc that reaches the circle in dt time units touches it between the ends."""
    later = copy.copy(disc)
    fall(later, dt, gravity)
    if isinstance(ring, Seam):
        return ring._is_met(later, 0.0, side)
    return ring.ends is None or ring._has(later.rx - ring.rx, later.ry - ring.ry)


def is_near(level: float, disc: Disc) -> bool:
    """Whether rounding may have moved a centre at this distance from a curve to its other side."""
    return abs(level) <= NEAR * (abs(disc.rx) + abs(disc.ry))


def first_of(found: list[tuple[Decimal, int]], side: int) -> tuple[float, int, int]:
    """The earliest of the contacts (time, side), as `Feature.plan` returns it; side: where the disc is now."""
    if not found:
        return math.inf, side, side
    t, way = min(found)
    return float(t), way, side
