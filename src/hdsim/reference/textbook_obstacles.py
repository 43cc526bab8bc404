"""Obstacles for the textbook's loop: when a disc touches straight and round features, and how it is reflected.

An obstacle consists of features. A straight face is met where the contact point lies between its ends. A ring is a circle or a
part of one: its outside is a fixed disc, its inside a circle of radius R - r about the same centre for a disc of radius r. An end
point or a vertex is a ring of radius 0. A disc turns back at the feature that it meets first: the circle about an end lies within
the curve on which the centre turns, so that it is never met too early, and it closes the gap where rounding rejects a face.

No tolerance decides a contact: a disc with a gap <= 0 that approaches touches now. The side of a face or arc on which a disc is
cannot change on a flight that does not pass its ends; it is remembered, because a point that rounding has put on the other side
would pass. This file shares no code with the compiled engine. Lengths and times are in the caller's units.
"""
from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

Point = tuple[float, float]

LAWS = {"velocity": (0.0, 0.0), "motion": (), "restitution": 1.0, "temperature": None}     # with what changes nothing
LEFT, RIGHT = OUTSIDE, INSIDE = 1, -1       # sides of a face, seen from its start to its end, and of a ring; 0 is neither


class Disc(Protocol):
    """What a feature needs of a `textbook.Particle`. `species` is None or the number of a species."""

    rx: float
    ry: float
    vx: float
    vy: float
    radius: float
    count: int
    index: int
    species: int | None

    def time_to_hit(self, that: Any) -> float: ...


class Hit(NamedTuple):
    """A predicted contact of a disc `dt` time units from now with a feature, from one of its sides."""

    dt: float
    feature: Feature
    side: int
    obstacles: Obstacles

    def reflect(self, disc: Disc, restitution: float = 1.0) -> tuple[float, float]:
        """As `Obstacles.reflect`."""
        return self.obstacles.reflect(disc, self, restitution)

    def normal(self, disc: Disc) -> tuple[float, float]:
        """The unit normal from the disc, which is at the place of the contact, to the surface."""
        return unit(*self.feature.normal(self.obstacles.seen(self.feature.obstacle, disc), self.side))

    @property
    def name(self) -> str:
        """The name of the feature at this side."""
        return self.feature.names[self.side]


class Feature:
    """What is touched by one formula. obstacle: the index of its obstacle; number: its place in the order of contacts at equal
    times; names: by side. `only` is the side from which discs touch it, or 0 for both."""

    def __init__(self, names: dict[int, str], only: int = 0) -> None:
        self.obstacle = self.number = -1
        self.names, self.only = names, only

    def plan(self, disc: Disc, side: int) -> tuple[float, int, int]:
        """The time until the disc touches, math.inf for never; from which side; and the side on which the disc is until its
        velocity changes, 0 if it may pass. side: the side on which it is known to be, or 0."""
        raise NotImplementedError

    def normal(self, disc: Disc, side: int) -> tuple[Fraction, Fraction]:
        """A vector of any length along the normal of the surface where the disc touches it, from the disc to the surface."""
        raise NotImplementedError

    def distance(self, x: float, y: float) -> float:
        """The distance of a point, infinity if the nearest point of the feature is an end, which is a feature of its own. It is
        negative on the wrong side of a feature without ends."""
        raise NotImplementedError


class Face(Feature):
    """A straight face from a to b, or, with a normal, the whole line through a, of which discs touch only the side of the normal.
    `along` is its direction, and (nx, ny) the unit vector to its left."""

    def __init__(self, a: Point, b: Point, name: str, only: int = 0, normal: Point | None = None) -> None:
        super().__init__({LEFT: name, RIGHT: name}, LEFT if normal else only)
        self.a, self.b, self.endless = a, b, normal is not None
        self.along = ((Fraction(normal[1]), -Fraction(normal[0])) if normal
                      else (Fraction(b[0]) - Fraction(a[0]), Fraction(b[1]) - Fraction(a[1])))
        self.nx, self.ny = unit(-self.along[1], self.along[0])

    def plan(self, disc: Disc, side: int) -> tuple[float, int, int]:
        """As for `Feature`: the gap divided by the closing speed, if the contact point is between the ends then."""
        # From the nearer end: the bits do not depend on the direction in which the face is given.
        near = min((self.a, self.b), key=lambda end: abs(disc.rx - end[0]) + abs(disc.ry - end[1]))
        level = (disc.rx - near[0]) * self.nx + (disc.ry - near[1]) * self.ny
        closing = disc.vx * self.nx + disc.vy * self.ny
        if self.endless:
            side = LEFT
        elif not side:      # on the line: where discs may be, or else where it goes, so that it has passed
            side = sign(level) or self.only or (LEFT if closing > 0 else RIGHT)
        if self.only and side != self.only:
            return math.inf, side, 0
        closing *= -side
        if not closing > 0:
            return math.inf, side, side
        # The centre meets the face that is shifted by the radius. So the bits at a face along an axis are those at a wall.
        shift_x, shift_y = side * disc.radius * self.nx, side * disc.radius * self.ny
        near, a, b = ((x + shift_x, y + shift_y) for x, y in (near, self.a, self.b))
        gap = side * ((disc.rx - near[0]) * self.nx + (disc.ry - near[1]) * self.ny)
        if not self.endless:
            # The foot of an overlapping disc is between the ends now. Else the path of the centre passes between the ends: for a
            # point, two faces decide by the same number on which side it passes their common end, so that one of them is met.
            is_disc = side * level > 0 or disc.radius > 16 * math.ulp(abs(disc.rx) + abs(disc.ry))
            beside = self._is_beside(disc) if gap <= 0 and is_disc else self._is_crossed(disc, a, b)
            if not beside:
                return math.inf, side, 0
        return max(gap, 0.0) / closing, side, side

    def _is_beside(self, disc: Disc) -> bool:
        ex, ey = self.b[0] - self.a[0], self.b[1] - self.a[1]
        return ((disc.rx - self.a[0]) * ex + (disc.ry - self.a[1]) * ey >= 0
                >= (disc.rx - self.b[0]) * ex + (disc.ry - self.b[1]) * ey)

    def _is_crossed(self, disc: Disc, a: Point, b: Point) -> bool:
        at_a, at_b = passing(disc, a), passing(disc, b)
        return min(at_a, at_b) <= 0 <= max(at_a, at_b)

    def normal(self, disc: Disc, side: int) -> tuple[Fraction, Fraction]:
        """As for `Feature`: exact."""
        return side * self.along[1], -side * self.along[0]

    def distance(self, x: float, y: float) -> float:
        """As for `Feature`."""
        level = (x - self.a[0]) * self.nx + (y - self.a[1]) * self.ny
        if self.endless:
            return level
        ex, ey = self.b[0] - self.a[0], self.b[1] - self.a[1]
        beside = (x - self.a[0]) * ex + (y - self.a[1]) * ey >= 0 >= (x - self.b[0]) * ex + (y - self.b[1]) * ey
        return abs(level) if beside else math.inf


class Ring(Feature):
    """A circle, the part of it counterclockwise from `start` to `end`, or, with radius 0, a point. The discs touch the sides that
    have names."""

    # `Particle.time_to_hit` takes a ring for a disc at rest. It asks for the mass only to skip two infinite ones; a disc of
    # infinite mass is reflected by an obstacle, as by a wall.
    vx = vy = 0.0
    mass = 1.0

    def __init__(self, center: Point, radius: float, names: dict[int, str], ends: tuple[Point, Point] | None = None) -> None:
        super().__init__(names, sum(names))
        self.rx, self.ry = center
        self.radius, self.ends = radius, ends
        self.turn = 0
        if ends is not None:
            self.start, self.end = ((Fraction(x) - Fraction(self.rx), Fraction(y) - Fraction(self.ry)) for x, y in ends)
            self.turn = sign(cross(*self.start, *self.end))      # 1 for less than half a circle, -1 for more, 0 for a half

    def plan(self, disc: Disc, side: int) -> tuple[float, int, int]:
        """As for `Feature`. A disc that enters the circle through a gap can meet the inside on the same flight."""
        dx, dy = disc.rx - self.rx, disc.ry - self.ry
        if self.ends is None and self.only:
            side = self.only
        elif not side:
            side = (sign(math.hypot(dx, dy) - self.radius) or self.only
                    or (OUTSIDE if dx * disc.vx + dy * disc.vy > 0 else INSIDE))
        may_pass = False
        if side == OUTSIDE:
            dt = disc.time_to_hit(self)
            if OUTSIDE in self.names and dt < math.inf and self._is_met(disc, dt, OUTSIDE):
                return dt, OUTSIDE, OUTSIDE
            may_pass = dt < math.inf and self.radius > 0
            if not may_pass:
                return math.inf, side, side
        dt = self._time_from_inside(disc, dx, dy, side)
        if INSIDE in self.names and dt < math.inf and self._is_met(disc, dt, INSIDE):
            return dt, INSIDE, 0 if may_pass else INSIDE
        return math.inf, side, 0

    def _time_from_inside(self, disc: Disc, dx: float, dy: float, side: int) -> float:
        """Time until the centre leaves the circle of radius rho = R - r, which it enters before if the disc is outside.

        With b = d.v, c = rho^2 - d.d and D = rho^2 v.v - (d x v)^2 it is (-b + sqrt D) / v.v = c / (b + sqrt D): the form is
        taken that does not cancel."""
        rho, speed_squared = self.radius - disc.radius, disc.vx * disc.vx + disc.vy * disc.vy
        if not (rho > 0 and speed_squared > 0):
            return math.inf
        b = dx * disc.vx + dy * disc.vy
        at_rim, across = rho * math.sqrt(speed_squared), abs(cross(dx, dy, disc.vx, disc.vy))
        discriminant = (at_rim - across) * (at_rim + across)
        if side == OUTSIDE and (discriminant < 0 or b >= 0):
            return math.inf
        if discriminant < 0 and b <= 0:
            # A disc that flies along the rim, and that rounding has put beyond it, touches at the end of a chord as long as if it
            # were at the rim, so that its angle stays. One that is farther beyond is passing an arc without an outside.
            rounding = 8 * math.ulp(max(abs(disc.rx), abs(disc.ry), self.radius))
            is_passing = self.ends is not None and math.hypot(dx, dy) > rho + rounding
            return math.inf if is_passing else max(-2 * b / speed_squared, 0.0)
        root = math.sqrt(max(discriminant, 0.0))
        if b <= 0:
            return (root - b) / speed_squared
        return max(rho * rho - (dx * dx + dy * dy), 0.0) / (b + root)

    def _is_met(self, disc: Disc, dt: float, side: int) -> bool:
        """Whether the disc, which reaches the circle in dt time units, touches it between the ends."""
        if self.ends is None:
            return True
        if disc.radius == 0:
            # The path crosses the circle twice. If it passes between the ends, the side on which it passes each of them decides,
            # and a face with the same end decides by the same numbers. Else both crossings are on the arc, or neither: then all
            # of the circle on the other side of the path is on the arc, or nothing.
            at_start, at_end = passing(disc, self.ends[0]), passing(disc, self.ends[1])
            for at, (x, y) in (at_start, self.start), (at_end, self.end):
                if at == 0:        # through the end, on its way in or out
                    return (disc.vx * x + disc.vy * y < 0) == (side == OUTSIDE)
            if sign(at_start) != sign(at_end):
                return (at_start > 0) == (side == OUTSIDE)      # with the start on its left the path enters through the arc
            away = -1 if at_start > 0 else 1
            return self._has(-away * disc.vy, away * disc.vx)
        return self._has(disc.rx + disc.vx * dt - self.rx, disc.ry + disc.vy * dt - self.ry)

    def _has(self, x: float, y: float) -> bool:
        """Whether the direction (x, y) from the centre is between the ends, these included."""
        after_start = cross(float(self.start[0]), float(self.start[1]), x, y) >= 0
        before_end = cross(x, y, float(self.end[0]), float(self.end[1])) >= 0
        if self.turn == 0:
            return after_start
        return after_start and before_end if self.turn > 0 else after_start or before_end

    def normal(self, disc: Disc, side: int) -> tuple[Fraction, Fraction]:
        """As for `Feature`: along the line through both centres, exact."""
        return side * (Fraction(self.rx) - Fraction(disc.rx)), side * (Fraction(self.ry) - Fraction(disc.ry))

    def distance(self, x: float, y: float) -> float:
        """As for `Feature`."""
        level = math.hypot(x - self.rx, y - self.ry) - self.radius
        if self.ends is None:
            return self.only * level if self.only else abs(level)
        return abs(level) if self._has(x - self.rx, y - self.ry) else math.inf


class Seam(Ring):
    """The point at which two pieces join that discs touch from one side only, the left of (ax, ay), the direction in which the
    first piece arrives there, and of (bx, by), in which the second one departs. It is met where it is the nearest point of both
    pieces for a disc on that side; so never from behind, and never where they turn to the left."""

    def __init__(self, point: Point, name: str, arrives: tuple[float, float], departs: tuple[float, float]) -> None:
        super().__init__(point, 0.0, {OUTSIDE: name})
        (self.ax, self.ay), (self.bx, self.by) = arrives, departs

    def _is_met(self, disc: Disc, dt: float, side: int) -> bool:
        """As for `Ring`. The place of a disc that only grazes is accurate to the root of a rounding error."""
        x, y = disc.rx + disc.vx * dt - self.rx, disc.ry + disc.vy * dt - self.ry
        slack = math.sqrt(16 * math.ulp(max(abs(disc.rx), abs(disc.ry), abs(self.rx), abs(self.ry))) * disc.radius)
        towards = cross(self.ax, self.ay, disc.vx, disc.vy) < 0 or cross(self.bx, self.by, disc.vx, disc.vy) < 0
        beside = self.ax * x + self.ay * y >= -slack and self.bx * x + self.by * y <= slack
        return towards and beside and (cross(self.ax, self.ay, x, y) > slack or cross(self.bx, self.by, x, y) > slack)


class Obstacles:
    """The obstacles of a system, as a list of features in the order of obstacles, and of each obstacle its faces before its ends
    and vertices. It remembers on which side of a feature each disc is.

    shapes: values such as those of `hdsim.model.obstacles`, of which only the name of the class and the fields are used. discs:
    all discs of the system. time: the present time. size: the sum of the sides of the box. TypeError for another class;
    ValueError if a disc overlaps, by more than 1e-9 of its radius and rounding, an obstacle in whose place it cannot have come:
    it was there from the beginning, and discs do not pass it from behind.
    """

    knows_laws = False

    def __init__(self, shapes: Iterable[Any], discs: Sequence[Disc], time: float, size: float) -> None:
        self.shapes = tuple(shapes)
        self._rounding = 2**-49 * (32 + len(discs)) * size      # of the place of a disc, after some contacts
        self._sides: dict[int, dict[int, int]] = {}     # by index of the disc and number of the feature
        self._inside: set[tuple[int, int]] = set()      # disc and obstacle, which has appeared where the disc is
        features: list[Feature] = []
        for index, shape in enumerate(self.shapes):
            if (make := FEATURES.get(type(shape).__name__)) is None:
                raise TypeError(f"obstacles[{index}] is a {type(shape).__name__}; it must be one of "
                                f"{', '.join(list(FEATURES)[:-1])}")
            if not self.knows_laws and has_laws(shape):
                raise ValueError(f"obstacles[{index}] moves, or has a restitution or a temperature; textbook_laws has a "
                                 f"CollisionSystem for that")
            for feature in make(shape):
                feature.obstacle, feature.number = index, len(features)
                features.append(feature)
        self.features, self._edges = features, {f.obstacle: f for f in features if isinstance(f, Face) and f.endless}
        self._passed = [lets_discs_through(shape) for shape in self.shapes]
        self.is_there = [self._is_due(index, time) for index in range(len(self.shapes))]
        for index, is_there in enumerate(self.is_there):
            if is_there and self.shapes[index].from_time > -math.inf:
                self._take_in(index, discs)
            elif is_there:
                self._check_room(index, discs)

    def changes(self, time: float) -> Iterator[tuple[float, int, bool]]:
        """The times from now on at which an obstacle comes or goes, its index, and whether it comes."""
        for index, shape in enumerate(self.shapes):
            if self.is_there[index] != self._is_due(index, time):
                yield time, index, not self.is_there[index]     # one of several that change at this time
            if shape.from_time < shape.until:
                yield from ((at, index, at == shape.from_time) for at in (shape.from_time, shape.until) if time < at < math.inf)

    def change(self, index: int, discs: Iterable[Disc], time: float) -> None:
        """Let the obstacle come or go, as it must at this time. A disc in its place passes it, until it is clear of it."""
        self.is_there[index] = self._is_due(index, time)
        self._inside = {(k, other) for k, other in self._inside if other != index}
        if self.is_there[index]:
            self._take_in(index, discs)

    def _take_in(self, index: int, discs: Iterable[Disc]) -> None:
        """Note the discs in whose place the obstacle has appeared."""
        for disc in discs:
            seen = self.seen(index, disc)
            if self._depth(index, seen.rx, seen.ry, seen.radius) > 0:
                self._inside.add((disc.index, index))

    def seen(self, index: int, disc: Disc) -> Disc:
        """The disc as this obstacle sees it, which is at rest; `textbook_motion` has others."""
        return disc

    def velocity(self, index: int) -> tuple[Fraction, Fraction]:
        """The velocity of an obstacle."""
        return Fraction(0), Fraction(0)

    def hits(self, disc: Disc) -> Iterator[Hit]:
        """The contacts of the disc with all features, if its velocity does not change before. It must be called at each change of
        the velocity, because it renews what is known of the sides."""
        known, self._sides[disc.index] = self._sides.get(disc.index, {}), {}
        seen = [self.seen(index, disc) for index in range(len(self.shapes))]
        waits = {index: self._until_clear(index, seen[index]) for k, index in sorted(self._inside) if k == disc.index}
        self._inside -= {(disc.index, index) for index, wait in waits.items() if wait == 0}
        for feature in self.features:
            wait = waits.get(feature.obstacle, 0.0)
            if self._passed[feature.obstacle]:      # a disc that comes from behind may be in the place of each feature
                wait = self._until_clear(feature.obstacle, seen[feature.obstacle], feature)
            if not (self.is_there[feature.obstacle] and acts_on(self.shapes[feature.obstacle].species, disc) and wait < math.inf):
                continue
            later = seen[feature.obstacle] if wait == 0 else self._moved(seen[feature.obstacle], wait)
            dt, side, stays = self._plan(feature, later, known.get(feature.number, 0) if wait == 0 else 0)
            if stays and wait == 0:
                self._sides[disc.index][feature.number] = stays
            if dt < math.inf:
                yield Hit(wait + dt, feature, side, self)

    def _plan(self, feature: Feature, disc: Disc, side: int) -> tuple[float, int, int]:
        """As for `Feature.plan`; `textbook_gravity` has others."""
        return feature.plan(disc, side)

    def _moved(self, disc: Disc, dt: float) -> Disc:
        """A copy of the disc where it is dt time units later, if its velocity does not change."""
        later = copy.copy(disc)
        later.rx, later.ry = disc.rx + disc.vx * dt, disc.ry + disc.vy * dt
        return later

    def _depth(self, index: int, x: float, y: float, radius: float, only: Feature | None = None) -> float:
        """How deep a disc is in the obstacle, or in this feature of it, or the radius more than the centre is from the outline of
        a solid one that it is in; below 0 if it is clear. An overlap by 1e-9 of the radius, and rounding, are none."""
        distance = min((feature.distance(x, y) for feature in self.features if feature.obstacle == index
                        and only in (None, feature)), key=abs)
        if is_on_wrong_side(self.shapes[index], x, y):
            distance = -abs(distance)
        return radius - 1e-9 * radius - 16 * math.ulp(max(abs(x), abs(y), radius)) - distance

    def _until_clear(self, index: int, disc: Disc, only: Feature | None = None) -> float:
        """The time until a disc is clear of the obstacle, or of this feature of it, if its velocity does not change: in steps
        that are not too long, as no disc gets clear faster than its speed, or, of a half-plane, than its speed away from it."""
        edge = self._edges.get(index)
        dt, speed = 0.0, disc.vx * edge.nx + disc.vy * edge.ny if edge else math.hypot(disc.vx, disc.vy)
        while (depth := self._depth(index, disc.rx + disc.vx * dt, disc.ry + disc.vy * dt, disc.radius, only)) > 0:
            if not speed > 0 or dt * speed > 2.0**40 * (abs(disc.rx) + abs(disc.ry) + disc.radius):    # far out of any box
                return math.inf
            dt = max(dt + depth / speed, math.nextafter(dt, math.inf))
        return dt

    def reflect(self, disc: Disc, hit: Hit, restitution: float = 1.0) -> tuple[float, float]:
        """Reflect the disc, which is at the place of the contact, and increase its count; returns the unit normal from disc to
        surface. v' = v - (1 + e) ((v - u).N) N / N.N, e the restitution and u the velocity of the obstacle, is exact but for one
        rounding of each component."""
        nx, ny = hit.feature.normal(self.seen(hit.feature.obstacle, disc), hit.side)
        (vx, vy), (ux, uy) = (Fraction(disc.vx), Fraction(disc.vy)), self.velocity(hit.feature.obstacle)
        share = (1 + Fraction(restitution)) * ((vx - ux) * nx + (vy - uy) * ny) / (nx * nx + ny * ny)
        disc.vx, disc.vy = float(vx - share * nx), float(vy - share * ny)
        disc.count += 1
        self.keep_side(disc, hit)
        return unit(nx, ny)

    def keep_side(self, disc: Disc, hit: Hit) -> None:
        """Note that it is on the side from which it has touched."""
        self._sides.setdefault(disc.index, {})[hit.feature.number] = hit.side

    def _is_due(self, index: int, time: float) -> bool:
        return bool(self.shapes[index].from_time <= time < self.shapes[index].until)

    def _check_room(self, index: int, discs: Iterable[Disc]) -> None:
        features = [feature for feature in self.features if feature.obstacle == index
                    and (is_free_end(feature) or not self._passed[index])]
        for disc in discs:
            seen = self.seen(index, disc)
            distance = min((feature.distance(seen.rx, seen.ry) for feature in features), default=math.inf)
            if is_on_wrong_side(self.shapes[index], seen.rx, seen.ry):
                distance = -abs(distance)
            if acts_on(self.shapes[index].species, disc) and distance < disc.radius - 1e-9 * disc.radius - self._rounding:
                raise ValueError(f"disc {disc.index} at ({short(disc.rx)}, {short(disc.ry)}) with radius {short(disc.radius)} "
                                 f"overlaps obstacle {index}, {self.shapes[index]!r}")


def short(x: float) -> float:
    """A number for a message: rounded to six digits."""
    return float(f"{x + 0.0:.6g}")


def sign(x: float | Fraction) -> int:
    """1, 0 or -1."""
    return (x > 0) - (x < 0)


def cross(ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """a x b: positive if b is to the left of a."""
    return ax * by - ay * bx


def passing(disc: Disc, point: Point) -> float:
    """A number whose sign says on which side of the path of the centre the point is: positive for left, 0 for on it."""
    return float(cross(disc.vx, disc.vy, point[0] - disc.rx, point[1] - disc.ry))


def unit(x: Fraction, y: Fraction) -> tuple[float, float]:
    """The unit vector along (x, y), not (0, 0). Swapped components, and those scaled by a power of two, have the same bits."""
    scale = max(abs(x), abs(y))
    across, along = sorted((float(abs(x) / scale), float(abs(y) / scale)))
    length = math.hypot(across, along)
    return float(x / scale) / length, float(y / scale) / length


def has_laws(shape: Any) -> bool:
    """Whether a shape moves, or has a coefficient of restitution of its own, or a temperature."""
    return any(getattr(shape, name, None) not in (None, default) for name, default in LAWS.items())


def lets_discs_through(shape: Any) -> bool:
    """Whether discs pass a shape from behind: an open `Arc` or `Path` with a side."""
    parts: tuple[Any, ...] = {"Arc": (shape,), "Path": getattr(shape, "parts", ())}.get(type(shape).__name__, ())
    return bool(parts) and shape.side != "both" and parts[0].start != parts[-1].end


def is_free_end(feature: Feature) -> bool:
    """Whether a feature is an end or vertex that discs touch from every side."""
    return isinstance(feature, Ring) and feature.radius == 0 and not isinstance(feature, Seam)


def is_on_wrong_side(shape: Any, x: float, y: float) -> bool:
    """Whether a point is in the block, or outside the room, that a `Polygon` or a closed `Path` with a side is."""
    if type(shape).__name__ == "Polygon":
        return turns(shape.points, x, y) == (shape.side == "outside")
    if type(shape).__name__ != "Path" or shape.side == "both" or shape.parts[-1].end != shape.parts[0].start:
        return False
    arcs = [part for part in shape.parts if type(part).__name__ == "Arc"]
    points = [part.start for part in shape.parts]
    around = turns(points, x, y) + sum(is_beside_chord(arc, x, y) for arc in arcs)
    inside = around > 0 or around == 0 and path_area(points, arcs) < 0      # the left of a clockwise path is around it
    return inside == (shape.side == "outside")


def acts_on(species: Any, disc: Disc) -> bool:
    """Whether a disc feels what is for these species: None is felt by all, and a disc without species feels all."""
    return species is None or disc.species is None or disc.species in (species if isinstance(species, Sequence) else (species,))


def turns(points: Sequence[Point], x: float, y: float) -> int:
    """How often the closed chain of points turns counterclockwise around (x, y)."""
    px, py = Fraction(x), Fraction(y)
    count = 0
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]]):
        if (ay <= y) != (by <= y):
            side = cross(Fraction(bx) - Fraction(ax), Fraction(by) - Fraction(ay), px - Fraction(ax), py - Fraction(ay))
            count += (by > y and side > 0) - (by <= y and side < 0)
    return count


def is_beside_chord(arc: Any, x: float, y: float) -> bool:
    """Whether a point is between an arc and its chord; for a full circle, whether it is inside."""
    if math.hypot(x - arc.center[0], y - arc.center[1]) >= arc.radius:
        return False
    (sx, sy), (ex, ey) = arc.start, arc.end
    return arc.start == arc.end or cross(ex - sx, ey - sy, x - sx, y - sy) < 0


def path_area(points: Sequence[Point], arcs: Iterable[Any]) -> float:
    """The area of a closed path of chords and arcs, negative if it runs clockwise."""
    (ox, oy), area = points[0], 0.0
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]]):
        area += cross(ax - ox, ay - oy, bx - ox, by - oy) / 2
    for arc in arcs:
        sx, sy, ex, ey = (value - middle for end in (arc.start, arc.end) for value, middle in zip(end, arc.center))
        angle = math.atan2(cross(sx, sy, ex, ey), sx * ex + sy * ey) % math.tau or math.tau
        area += arc.radius * arc.radius * angle / 2 - cross(sx, sy, ex, ey) / 2
    return area


def chain(points: Sequence[Point], names: Sequence[str], only: int = 0) -> list[Feature]:
    """The faces between successive points; a piece of length 0 has none."""
    return [Face(a, b, name, only) for a, b, name in zip(points, points[1:], names) if a != b]


def vertices(points: Sequence[Point], names: Sequence[str]) -> list[Feature]:
    """Each point once, with its first name."""
    first = {point: name for point, name in reversed(list(zip(points, names)))}
    return [Ring(point, 0.0, {OUTSIDE: name}) for point, name in reversed(first.items())]


def segment(shape: Any) -> list[Feature]:
    """The features of a `Segment`."""
    points = shape.start, shape.end
    return chain(points, ["face"]) + vertices(points, ["start", "end"])


def polyline(shape: Any) -> list[Feature]:
    """The features of a `Polyline`: "face k" from point k to point k + 1, "vertex k", and its ends."""
    last = len(shape.points) - 1
    names = ["start", *(f"vertex {k}" for k in range(1, last)), "end"]
    return chain(shape.points, [f"face {k}" for k in range(last)]) + vertices(shape.points, names)


def polygon(shape: Any) -> list[Feature]:
    """The features of a `Polygon`: "face k" from point k to the next one, and "vertex k"."""
    points = [*shape.points, shape.points[0]]
    faces = [f"face {k}" for k in range(len(shape.points))]
    return (chain(points, faces, LEFT if shape.side == "inside" else RIGHT)
            + vertices(shape.points, [f"vertex {k}" for k in range(len(shape.points))]))


def ring_names(side: str, suffix: str = "") -> dict[int, str]:
    """The sides that discs touch, with their names."""
    return {key: name + suffix for key, name in ((OUTSIDE, "outside"), (INSIDE, "inside")) if side in (name, "both")}


def circle(shape: Any) -> list[Feature]:
    """The feature of a `Circle`."""
    return [Ring(shape.center, shape.radius, ring_names(shape.side))]


def arc(shape: Any) -> list[Feature]:
    """The features of an `Arc`; a full circle has no ends."""
    if shape.start == shape.end:
        return circle(shape)
    ends = shape.start, shape.end
    return [Ring(shape.center, shape.radius, ring_names(shape.side), ends), *vertices(ends, ["start", "end"])]


def path(shape: Any) -> list[Feature]:
    """The features of a `Path`: "face k", "outside k" or "inside k" for part k, "vertex k" where it starts, and its ends."""
    only = {"inside": LEFT, "outside": RIGHT, "both": 0}[shape.side]
    found: list[Feature] = []
    for k, part in enumerate(shape.parts):
        if type(part).__name__ == "Arc":
            ends = (part.start, part.end) if part.start != part.end else None
            found.append(Ring(part.center, part.radius, ring_names(shape.side, f" {k}"), ends))
        else:
            found += chain((part.start, part.end), [f"face {k}"], only)
    points = [part.start for part in shape.parts] + [shape.parts[-1].end]
    closed = points[0] == points[-1]
    inner = [f"vertex {k}" for k in range(1, len(points) - 1)]
    caps = vertices(points, ["vertex 0" if closed else "start", *inner, "end"])
    if only and not closed:
        for k, (before, after) in enumerate(zip(shape.parts, shape.parts[1:])):
            if points.count(points[k + 1]) == 1:
                arrives, departs = heading(before, 1, shape.side), heading(after, 0, shape.side)
                at = next(n for n, cap in enumerate(caps) if OUTSIDE in cap.names and cap.names[OUTSIDE] == inner[k])
                caps[at] = Seam(points[k + 1], inner[k], *((arrives, departs) if only == LEFT else (departs, arrives)))
    return found + caps


def heading(part: Any, end: int, side: str) -> tuple[float, float]:
    """The unit vector along a part of a path at its start, 0, or end, 1, so that discs on this side are on its left."""
    if type(part).__name__ == "Segment":
        (ax, ay), (bx, by) = part.start, part.end
        x, y = Fraction(bx) - Fraction(ax), Fraction(by) - Fraction(ay)
    else:
        px, py = part.end if end else part.start
        x, y = Fraction(part.center[1]) - Fraction(py), Fraction(px) - Fraction(part.center[0])
    return unit(x, y) if side == "inside" else unit(-x, -y)


def line(shape: Any) -> list[Feature]:
    """The feature of a `Line`."""
    return [Face(shape.point, shape.point, "face", normal=shape.normal)]


FEATURES: dict[str, Callable[[Any], list[Feature]]] = {
    "Segment": segment, "Polyline": polyline, "Polygon": polygon, "Circle": circle, "Arc": arc, "Path": path, "Line": line,
    "Nothing": lambda shape: []}
