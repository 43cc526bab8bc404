"""Shapes of obstacles: segments, polylines, polygons, circles, arcs, paths and half-planes, as plain values without an engine."""
from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .angles import cosine_and_sine
from .numbers import RANGE, shown
from .pieces import Piece, Pieces, Point, chords_of, signed_area
from .piston import Piston
from .shape import Shape
from .simple_polygon import crossing, is_counterclockwise, on_one_line

_Floats: TypeAlias = NDArray[np.float64]

ON_CIRCLE = Fraction(1, 10**9)      # largest distance of an arc's end from its circle, as a fraction of the radius
_PAIRS = 1 << 18                    # distances between discs and pieces that `gap` computes at once
_MANY = 64                          # chords: of more, each is compared only with the points at its height


def pieces_of(obstacle: Obstacle) -> Pieces:
    """The geometry of a shape. Only this module and `gates` tell shapes apart; all others read these pieces."""
    return obstacle._pieces


@dataclass(frozen=True, repr=False)
class Segment(Shape):
    """A straight wall without thickness from `start` to `end`, which discs touch from both sides and at its ends.

    start, end: points (x, y), length units. Equal ends are legal: the segment is a point.
    These keywords are those of all obstacles:

    name        a string, for messages, tables and events
    color       (red, green, blue), integers 0 ... 255; None: the colour of walls
    species     the species of the discs that touch it: an integer, or a tuple of integers. Other discs pass. None: all discs
    from_time, until    the times between which the obstacle is there, time units; by default always

    ValueError for numbers that are not finite or above 2^300 in size, and for illegal keywords; TypeError for values that are not
    numbers or points. The message names the field and the point.
    """

    start: Point
    end: Point

    POINTS: ClassVar[tuple[str, ...]] = ("start", "end")

    def _check(self) -> None:
        self._keep("start", self._point("start", self.start))
        self._keep("end", self._point("end", self.end))

    def _lowered(self) -> Pieces:
        return Pieces((Piece(self.start, self.end),), False)


@dataclass(frozen=True, repr=False)
class Polyline(Shape):
    """A chain of straight walls without thickness from point to point: one obstacle, which discs touch from both sides.

    points: two or more points (x, y), length units, as a sequence or an array (n, 2); stored as a tuple of tuples. Keywords and
    errors as for `Segment`; ValueError for fewer than two points.
    """

    points: Sequence[Point]

    POINTS: ClassVar[tuple[str, ...]] = ("points",)

    def _check(self) -> None:
        self._keep("points", self._row(self.points, 2))

    def _lowered(self) -> Pieces:
        return Pieces(tuple(map(Piece, self.points, self.points[1:])), False, numbered=True)


@dataclass(frozen=True, repr=False)
class Polygon(Shape):
    """A closed chain of straight walls: a solid block that discs touch from outside, or a room in which they are.

    points  three or more points (x, y), length units, as a sequence or an array (n, 2), of which the last is joined to the first.
            They are stored counterclockwise, as a tuple of tuples: if they are given clockwise, all but the first are reversed
    side    where the discs are: "outside" the block, or "inside" the room

    Keywords and errors as for `Segment`; ValueError for fewer than three points, for two equal points in succession, for points
    that all lie on one line, and for edges that cross or touch other than in the corner that they share.
    """

    points: Sequence[Point]
    side: str = "outside"

    POINTS: ClassVar[tuple[str, ...]] = ("points",)
    SIDES: ClassVar[tuple[str, ...]] = ("outside", "inside")

    def _check(self) -> None:
        points = self._row(self.points, 3)
        n = len(points)
        for k in range(n):
            if points[k] == points[k - 1]:
                first, second = sorted((k, (k - 1) % n))
                self._wrong(f"points {first} and {second} are both {shown(points[k])}; each must be given once, as the last "
                            f"point is joined to the first")
        if on_one_line(points):
            self._wrong("all points lie on one line; a polygon must have an area")
        if (pair := crossing(points)) is not None:
            ends = [f"{shown(points[k])} - {shown(points[(k + 1) % n])}" for k in pair]
            self._wrong(f"edge {pair[0]} ({ends[0]}) meets edge {pair[1]} ({ends[1]}); edges must meet only at the corner that "
                        f"they share")
        self._keep("points", points if is_counterclockwise(points) else points[:1] + points[:0:-1])

    def _lowered(self) -> Pieces:
        return Pieces(tuple(map(Piece, self.points, (*self.points[1:], self.points[0]))), True, self.side, numbered=True)


@dataclass(frozen=True, repr=False)
class Circle(Shape):
    """A circle: a solid disc that discs touch from outside, a round room, or a thin ring that they touch from both sides.

    center  (x, y), length units
    radius  length units, above 0
    side    where the discs are: "outside", "inside" or "both"

    Keywords and errors as for `Segment`; ValueError for a radius that is not positive, or not between 2^-300 and 2^300.
    """

    center: Point
    radius: float
    side: str = "outside"

    POINTS: ClassVar[tuple[str, ...]] = ("center",)
    SIDES: ClassVar[tuple[str, ...]] = ("outside", "inside", "both")

    def _check(self) -> None:
        self._keep("center", self._point("center", self.center))
        self._keep("radius", self._number("radius", self.radius, 1 / RANGE))

    def _lowered(self) -> Pieces:
        at = self.center[0] + self.radius + 0.0, self.center[1]
        return Pieces((Piece(at, at, self.center, self.radius),), True, self.side)


@dataclass(frozen=True, repr=False)
class Arc(Shape):
    """The part of a circle counterclockwise from `start` to `end`, a wall without thickness.

    center  (x, y), length units
    radius  length units, above 0
    start, end   both in degrees, or both as points (x, y) of the circle. They are stored as points. Degrees count modulo 360
            from the direction of x, counterclockwise: `Arc(c, r, 180, 90)` is three quarters of a circle. The points are center +
            radius (cos, sin), each coordinate rounded once, the same double on every machine; multiples of 90 degrees are exact
            before this rounding. Equal angles or points mean the full circle
    side    the side from which discs touch it: "inside" (that of the center), "outside" or "both"

    Keywords and errors as for `Segment`; ValueError for a radius as for `Circle`, for an end farther than 1e-9 radius from the
    circle, for degrees that are not finite, and for different degrees that round to one point.
    """

    center: Point
    radius: float
    start: Point
    end: Point
    side: str = "both"

    POINTS: ClassVar[tuple[str, ...]] = ("center", "start", "end")
    SIDES: ClassVar[tuple[str, ...]] = ("both", "inside", "outside")

    def __init__(self, center: Any, radius: float, start: Any, end: Any, side: str = "both", *, name: str = "",
                 color: Any = None, species: Any = None, from_time: float = -math.inf, until: float = math.inf,
                 restitution: float | None = None, velocity: Point = (0.0, 0.0), motion: Sequence[tuple[float, Point]] = (),
                 period: float | None = None) -> None:
        given = dict(center=center, radius=radius, start=start, end=end, side=side, name=name, color=color, species=species,
                     from_time=from_time, until=until, restitution=restitution, velocity=velocity, motion=motion, period=period)
        for field, value in given.items():
            self._keep(field, value)
        self.__post_init__()

    def _check(self) -> None:
        self._keep("center", self._point("center", self.center))
        self._keep("radius", self._number("radius", self.radius, 1 / RANGE))
        given: tuple[Any, Any] = (self.start, self.end)
        in_degrees = [isinstance(value, numbers.Real) for value in given]
        if in_degrees[0] != in_degrees[1]:
            self._wrong(f"start is {shown(given[0])} and end is {shown(given[1])}; both must be degrees, or both points (x, y)")
        if in_degrees[0]:
            degrees = [Fraction(self._number(what, value)) % 360 for what, value in zip(("start", "end"), given)]
            self._keep("start", self._at(degrees[0]))
            self._keep("end", self._at(degrees[1]))
            if self.start == self.end and degrees[0] != degrees[1]:
                self._wrong(f"start and end, {shown(given[0])} and {shown(given[1])} degrees, are one point {shown(self.start)} "
                            f"when rounded; they must be equal, for a full circle, or farther apart")
        else:
            self._keep("start", self._point("start", self.start))
            self._keep("end", self._point("end", self.end))
        for what, end in (("start", self.start), ("end", self.end)):
            if not self._is_on_circle(end):
                about = f"of radius {shown(self.radius)} about {shown(self.center)}"
                self._refuse(ValueError, what, end, f"a point of the circle {about}, to {float(ON_CIRCLE):.0e} of the radius")
        (sx, sy), (ex, ey) = self._from_center(self.start), self._from_center(self.end)
        if self.start != self.end and sx * ey == sy * ex and sx * ex + sy * ey > 0:
            self._wrong(f"start {shown(self.start)} and end {shown(self.end)} are at one angle; they must be equal, for a full "
                        f"circle, or at different angles")

    def _at(self, degrees: Fraction) -> Point:
        """The point of the circle at an angle in degrees, rounded once."""
        x, y = (float(Fraction(middle) + Fraction(self.radius) * part)
                for middle, part in zip(self.center, cosine_and_sine(degrees)))
        return x + 0.0, y + 0.0

    def _from_center(self, point: Point) -> tuple[Fraction, Fraction]:
        (x, y), (cx, cy) = point, self.center
        return Fraction(x) - Fraction(cx), Fraction(y) - Fraction(cy)

    def _is_on_circle(self, point: Point) -> bool:
        """Whether a point is at most ON_CIRCLE radii from the circle, in exact arithmetic."""
        dx, dy = self._from_center(point)
        square, radius = dx * dx + dy * dy, Fraction(self.radius)
        return ((1 - ON_CIRCLE) * radius) ** 2 <= square <= ((1 + ON_CIRCLE) * radius) ** 2

    def _lowered(self) -> Pieces:
        return Pieces((Piece(self.start, self.end, self.center, self.radius),), self.start == self.end, self.side)


@dataclass(frozen=True, repr=False)
class Path(Shape):
    """Segments and arcs joined end to start: one obstacle, whose seams discs do not feel where the parts are tangent.

    parts   one or more `Segment` and `Arc`, each of which starts at the very point, to the last bit, at which the one before
            ends; stored as a tuple. Arcs run counterclockwise. The path is closed if the last part ends where the first starts
    side    the side from which discs touch it: "inside", left of the path and on the side of the centres of its arcs; "outside",
            right of it; or "both". From the other side discs pass an open path, also at its seams; its two ends are points that
            they touch from every side

    Keywords and errors as for `Segment`, and those of a part belong to the path: TypeError for a part that is neither, ValueError
    for parts that do not join, with the gap between them, and for a part that has keywords or a side of its own.
    """

    parts: Sequence[Union[Segment, Arc]]
    side: str = "both"

    POINTS: ClassVar[tuple[str, ...]] = ("parts",)
    SIDES: ClassVar[tuple[str, ...]] = ("both", "inside", "outside")

    def _check(self) -> None:
        if not isinstance(self.parts, (tuple, list)):
            self._refuse(TypeError, "parts", self.parts, "a sequence of Segment and Arc")
        if not self.parts:
            self._wrong("parts is empty; it must have at least one Segment or Arc")
        for k, part in enumerate(self.parts):
            if type(part) not in (Segment, Arc):
                self._refuse(TypeError, f"part {k}", part, "a Segment or an Arc")
            plain = Segment(part.start, part.end) if isinstance(part, Segment) else Arc(part.center, part.radius, part.start,
                                                                                      part.end)
            if part != plain:
                self._refuse(ValueError, f"part {k}", part, f"without keywords, {shown(plain)}; they belong to the Path")
        for k, (part, after) in enumerate(zip(self.parts, self.parts[1:])):
            if part.end != after.start:
                gap = math.hypot(after.start[0] - part.end[0], after.start[1] - part.end[1])
                self._wrong(f"part {k} ends at {shown(part.end)} and part {k + 1} starts at {shown(after.start)}, {gap:.3g} apart"
                            f"; each part must start at the point at which the one before ends, to the last bit")
        self._keep("parts", tuple(self.parts))

    @property
    def is_closed(self) -> bool:
        """Whether the last part ends where the first one starts."""
        return self.parts[-1].end == self.parts[0].start

    def _lowered(self) -> Pieces:
        chain = tuple(pieces_of(part).chain[0] for part in self.parts)
        clockwise = self.is_closed and self.side != "both" and signed_area(chain) < 0
        return Pieces(chain, self.is_closed, self.side, numbered=True, clockwise=clockwise)


@dataclass(frozen=True, repr=False)
class Line(Shape):
    """A half-plane: discs stay where (x - point) . normal is at least their radius times |normal|.

    point: of the line, (x, y), length units. normal: (nx, ny), towards the discs, of any length. Keywords and errors as for
    `Segment`; ValueError for a normal whose components are both below 2^-300 in size.
    """

    point: Point
    normal: Point

    POINTS: ClassVar[tuple[str, ...]] = ("point",)

    def _check(self) -> None:
        self._keep("point", self._point("point", self.point))
        self._keep("normal", self._point("normal", self.normal))
        if max(map(abs, self.normal)) < 1 / RANGE:
            self._refuse(ValueError, "normal", self.normal, f"a direction, with a component of at least {1 / RANGE:.1e} in size")

    def _lowered(self) -> Pieces:
        return Pieces((), True, "inside", endless=(self.point, self.normal))


Obstacle: TypeAlias = Union[Segment, Polyline, Polygon, Circle, Arc, Path, Line, Piston]


def conserved_axes(periodic: tuple[bool, ...], obstacles: Sequence[Obstacle]) -> tuple[bool, ...]:
    """For each axis, whether no wall and no obstacle changes the momentum of discs along it: so on a periodic axis, among no
    obstacles but half-planes, which are parallel to it."""
    alone = all(pieces_of(obstacle).endless for obstacle in obstacles)
    return tuple(wraps and alone for wraps in periodic)


THIN, BLOCK, ROOM = range(3)    # what an obstacle is; the codes of the core


def solid_of(obstacle: Obstacle) -> int:
    """Whether an obstacle is THIN, with room for discs on both sides, a solid BLOCK, or a ROOM, around which all is solid.

    A half-plane is a room, as its images on a periodic axis leave room where one of them does. Closed curves with a side are
    solid: a `Polygon`, and a `Circle`, a full `Arc` and a closed `Path` whose side is not "both". Open ones with a side are
    thin, as discs can come through from behind."""
    lowered = pieces_of(obstacle)
    if lowered.side == "both" or not lowered.closed:
        return THIN
    return ROOM if (lowered.side == "inside") != lowered.clockwise else BLOCK


def gap(obstacle: Obstacle, x: ArrayLike, y: ArrayLike, radius: ArrayLike) -> NDArray[np.float64]:
    """The gaps between discs and an obstacle, in length units: 0 where a disc touches it, negative where it overlaps.

    x, y, radius: of the discs, length units, as numbers or arrays that numpy can broadcast; the result has their shape.
    A gap is the distance of the centre from the curve less the radius. For an obstacle that is solid (a `Polygon`; a `Circle`, a
    full `Arc` or a closed `Path` whose side is not "both"; a `Line`) the distance is negative where the centre is on the wrong
    side. It is accurate to rounding. Time and the species that the obstacle acts on are not considered. For n discs and m pieces
    the cost is of order n m."""
    x, y, r = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in (x, y, radius)))
    distance = _signed_distance(obstacle, x.ravel(), y.ravel())
    return distance.reshape(x.shape) - r


def _signed_distance(obstacle: Obstacle, x: _Floats, y: _Floats) -> _Floats:
    """The distances of points from an obstacle, negative on the wrong side of one that has sides."""
    lowered = pieces_of(obstacle)
    if lowered.endless:
        (px, py), (nx, ny) = lowered.endless
        length = math.sqrt(nx * nx + ny * ny)
        distance: _Floats = (x - px) * (nx / length) + (y - py) * (ny / length)
        return np.abs(distance) if lowered.side == "both" else distance
    if (circle := lowered.circle) is not None:      # of which there may be many
        distance = _length(x - circle.center[0], y - circle.center[1]) - circle.radius
        return np.abs(distance) if lowered.side == "both" else distance if lowered.side == "outside" else -distance
    distance = from_pieces(lowered.chain, x, y)
    if solid_of(obstacle) == THIN:
        return distance
    return np.where(is_on_wrong_side(obstacle, x, y), -distance, distance)


def from_pieces(chain: Sequence[Piece], x: _Floats, y: _Floats) -> _Floats:
    """(n,): the distances of n points from the nearest of some pieces, in length units."""
    rows = chords_of([piece for piece in chain if piece.radius == 0])
    distance = np.full(x.shape, math.inf)
    at_once = max(1, _PAIRS // max(1, len(x)))
    for start in range(0, len(rows), at_once):
        np.minimum(distance, _from_segments(rows[start:start + at_once], x, y).min(axis=0), out=distance)
    for piece in chain:
        if piece.radius > 0:
            np.minimum(distance, _from_arc(piece, x, y), out=distance)
    return distance


def is_on_wrong_side(obstacle: Obstacle, x: _Floats, y: _Floats) -> NDArray[np.bool_]:
    """(n,): whether points, of coordinates (n,) in length units, are in a `Polygon`, full `Arc` or closed `Path` whose discs are
    outside, or around one whose discs are inside."""
    lowered = pieces_of(obstacle)
    chords, turns = chords_of(lowered.chain), np.zeros(x.shape, dtype=np.int64)
    if len(chords) > _MANY:
        _add_turns_by_height(chords, x, y, turns)
    else:
        turns += _turns_of_chords(chords, x, y)
    for arc in lowered.arcs:
        turns += _is_beside_chord(arc, x, y)
    # Around its points a clockwise path turns -1 times, and has the points outside on its left.
    inside = turns >= 0 if lowered.clockwise else turns > 0
    wrong: NDArray[np.bool_] = inside != (lowered.side == "inside")
    return wrong


def _from_segments(pieces: _Floats, x: _Floats, y: _Floats) -> _Floats:
    """(m, n): the distances of n points from m segments, given as rows (x1, y1, x2, y2)."""
    ax, ay, bx, by = pieces.T[:, :, None]
    dx, dy, ex, ey = x - ax, y - ay, bx - ax, by - ay
    length, along = _length(ex, ey), dx * ex + dy * ey
    at_ends = np.minimum(_length(dx, dy), _length(x - bx, y - by))
    beside = (along > 0) & (along < ex * ex + ey * ey)
    height = np.abs(dx * (ey / np.where(beside, length, 1)) - dy * (ex / np.where(beside, length, 1)))
    return np.where(beside, height, at_ends)


def _from_arc(arc: Piece, x: _Floats, y: _Floats) -> _Floats:
    """(n,): the distances of n points from an arc."""
    dx, dy = x - arc.center[0], y - arc.center[1]
    (sx, sy), (ex, ey) = ((px - arc.center[0], py - arc.center[1]) for px, py in (arc.start, arc.end))
    if arc.start == arc.end:
        beside = np.full(x.shape, True)
    elif sx * ey - sy * ex < 0 or (sx * ey == sy * ex and sx * ex + sy * ey > 0):      # more than half a circle
        beside = ~((ex * dy - ey * dx > 0) & (dx * sy - dy * sx > 0))
    else:
        beside = (sx * dy - sy * dx >= 0) & (dx * ey - dy * ex >= 0)
    at_ends = np.minimum(_length(x - arc.start[0], y - arc.start[1]), _length(x - arc.end[0], y - arc.end[1]))
    return np.where(beside, np.abs(_length(dx, dy) - arc.radius), at_ends)


def _length(x: _Floats, y: _Floats) -> _Floats:
    """The lengths of vectors. `hypot` would round differently on different machines."""
    lengths: _Floats = np.sqrt(x * x + y * y)
    return lengths


def _turns_of_chords(chords: _Floats, x: _Floats, y: _Floats) -> NDArray[np.int64]:
    """(n,): by how much the rows (x1, y1, x2, y2) add to the number of turns of a closed chain around n points."""
    ax, ay, bx, by = chords.T[:, :, None]
    left = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    turns: NDArray[np.int64] = (((ay <= y) & (by > y) & (left > 0)).sum(axis=0) - ((ay > y) & (by <= y) & (left < 0)).sum(axis=0))
    return turns


def _add_turns_by_height(chords: _Floats, x: _Floats, y: _Floats, turns: NDArray[np.int64]) -> None:
    """Add to `turns` what `_turns_of_chords` returns: chord by chord, for the points at its height only."""
    order = np.argsort(y, kind="stable")
    sorted_x, sorted_y = x[order], y[order]
    ends = np.sort(chords[:, 1::2], axis=1)
    first, last = np.searchsorted(sorted_y, ends[:, 0]), np.searchsorted(sorted_y, ends[:, 1])
    for k in np.flatnonzero(first < last):
        beside = slice(first[k], last[k])
        turns[order[beside]] += _turns_of_chords(chords[k:k + 1], sorted_x[beside], sorted_y[beside])


def _is_beside_chord(arc: Piece, x: _Floats, y: _Floats) -> NDArray[np.bool_]:
    """(n,): whether points are between an arc and its chord."""
    (sx, sy), (ex, ey) = arc.start, arc.end
    within = _length(x - arc.center[0], y - arc.center[1]) < arc.radius
    left = (ex - sx) * (y - sy) - (ey - sy) * (x - sx)
    # `_turns_of_chords` counts a point on the chord as one to the right of it (larger x), or above it if the chord is level.
    on_chord_is_beside = ey > sy or (ey == sy and ex < sx)
    return within & ((left < 0) | (left == 0) & on_chord_is_beside) if arc.start != arc.end else within
