"""Outlines of obstacles: their pieces in order, the side on which no disc can be, the nearest feature, and images in a box.

Pictures and labels need them. They describe shapes only; `features` has the tables of the engine."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .box import Box
from .clearance import bounds_of
from .features import FACE, LINE, Feature, caps_of, surfaces_of
from .obstacles import ROOM, Obstacle, pieces_of
from .obstacles import solid_of as kind_of
from .pieces import Piece, Point

IMAGES_MOST = 64        # images along an axis: of an obstacle that is longer, those nearest to its own place


class Solid(NamedTuple):
    """The region in which no disc can be: the number of turns of the outline around a point, times `sign`, plus `base`, is 1 in
    it and 0 elsewhere."""

    sign: int
    base: int


def solid_of(obstacle: Obstacle) -> Solid | None:
    """The region that an obstacle with sides excludes; None for one that discs touch from both sides, for an open one, and for a
    half-plane."""
    lowered = pieces_of(obstacle)
    if not lowered.chain or not lowered.closed or lowered.side == "both":
        return None
    # A clockwise outline turns -1 times around the points that it encloses, which are on its right: outside.
    return Solid(-1 if lowered.side == "inside" else 1, int(kind_of(obstacle) == ROOM))


def shifts_of(obstacle: Obstacle, box: Box, reach: float = 0.0) -> list[Point]:
    """The displacements of the images of an obstacle that come within `reach` of the box, its own place included only if that
    does. On an axis without a period there is no other image. At most IMAGES_MOST along an axis."""
    left, bottom, right, top = bounds_of(obstacle)
    return [(x, y) for x in _shifts(left - reach, right + reach, box.width, bool(box.periodic[0]))
            for y in _shifts(bottom - reach, top + reach, box.height, bool(box.periodic[1]))]


def _shifts(low: float, high: float, length: float, periodic: bool) -> list[float]:
    if not periodic or not math.isfinite(high - low):
        return [0.0]
    first, last = math.ceil(-high / length), math.floor((length - low) / length)
    if last - first >= IMAGES_MOST:
        first, last = max(first, -IMAGES_MOST // 2), min(last, IMAGES_MOST // 2 - 1)
    return [turn * length for turn in range(first, last + 1)]


class Near(NamedTuple):
    """The point of an obstacle that is nearest to a given one: its distance, length units, the point, and the name of the feature
    on which it lies, as in `Contact.feature`."""

    distance: float
    point: Point
    feature: str


class Finder:
    """Finds the nearest points of one obstacle: its features are made into arrays once, for many questions."""

    def __init__(self, obstacle: Obstacle) -> None:
        surfaces = list(surfaces_of(obstacle))
        self._arcs = [surface for surface in surfaces if surface.code not in (FACE, LINE)]
        self._edges = [surface for surface in surfaces if surface.code == LINE]
        faces = [surface for surface in surfaces if surface.code == FACE]
        self._faces = np.array([face.numbers for face in faces]).reshape(-1, 4)
        caps = caps_of(obstacle)
        self._caps = np.array(list(caps)).reshape(-1, 2)
        self._names = [face.name for face in faces], list(caps.values())

    def at(self, x: float, y: float) -> Near:
        """The nearest point, without images, and its feature: an end or a vertex where the point is beside no face. O(m) for m
        pieces."""
        found = [*(_on_arc(arc, x, y) for arc in self._arcs), *(_on_edge(edge, x, y) for edge in self._edges)]
        if len(self._faces):
            found.append(self._on_faces(x, y))
        if len(self._caps):
            away = np.hypot(self._caps[:, 0] - x, self._caps[:, 1] - y)
            k = int(np.argmin(away))
            found.append(Near(float(away[k]), (float(self._caps[k, 0]), float(self._caps[k, 1])), self._names[1][k]))
        return min(found, key=lambda near: near.distance)

    def _on_faces(self, x: float, y: float) -> Near:
        """The nearest foot of a perpendicular on a face; infinitely far if there is none."""
        ax, ay, bx, by = self._faces.T
        ex, ey = bx - ax, by - ay
        # Two divisions by the length instead of one by its square, which may overflow.
        length = np.hypot(ex, ey)
        ux, uy = ex / length, ey / length
        along = (x - ax) * ux + (y - ay) * uy
        feet_x, feet_y = ax + along * ux, ay + along * uy
        away = np.where((along > 0) & (along < length), np.hypot(feet_x - x, feet_y - y), np.inf)
        k = int(np.argmin(away))
        return Near(float(away[k]), (float(feet_x[k]), float(feet_y[k])), self._names[0][k])


def nearest(obstacle: Obstacle, x: float, y: float) -> Near:
    """The nearest point of an obstacle, without images, as `Finder.at` returns it."""
    return Finder(obstacle).at(x, y)


def nearest_image(obstacle: Obstacle, x: float, y: float, box: Box, reach: float) -> Near:
    """The nearest point of all images of an obstacle that come within `reach` of the box."""
    finder, found = Finder(obstacle), []
    for shift_x, shift_y in shifts_of(obstacle, box, reach):
        near = finder.at(x - shift_x, y - shift_y)
        found.append(near._replace(point=(near.point[0] + shift_x, near.point[1] + shift_y)))
    return min(found, key=lambda near: near.distance, default=finder.at(x, y))


def _on_edge(edge: Feature, x: float, y: float) -> Near:
    """The nearest point of the edge of a half-plane."""
    px, py, nx, ny = edge.numbers
    size = math.hypot(nx, ny)
    away = (x - px) * (nx / size) + (y - py) * (ny / size)
    return Near(abs(away), (x - away * nx / size, y - away * ny / size), edge.name)


def _on_arc(arc: Feature, x: float, y: float) -> Near:
    """The nearest point of one side of an arc; infinitely far if it is beside the arc. Of the two sides, that on which the
    point lies."""
    cx, cy, radius, sx, sy, ex, ey = arc.numbers
    dx, dy = x - cx, y - cy
    away = math.hypot(dx, dy)
    if arc.ends and not _is_within(sx - cx, sy - cy, ex - cx, ey - cy, dx, dy):
        return Near(math.inf, (x, y), arc.name)
    point = (cx + radius * dx / away, cy + radius * dy / away) if away else (cx + radius, cy)
    other_side = (away < radius) == arc.name.startswith("outside")
    return Near(math.nextafter(abs(away - radius), math.inf) if other_side else abs(away - radius), point, arc.name)


def _is_within(sx: float, sy: float, ex: float, ey: float, dx: float, dy: float) -> bool:
    """Whether the direction d is counterclockwise between s and e."""
    after_start, before_end = sx * dy - sy * dx >= 0, dx * ey - dy * ex >= 0
    more_than_half = sx * ey - sy * ex < 0 or (sx * ey == sy * ex and sx * ex + sy * ey > 0)
    return (after_start or before_end) if more_than_half else (after_start and before_end)


def points_of(arc: Piece, most_angle: float) -> NDArray[np.float64]:
    """(k, 2): points of an arc from its start to its end, at most `most_angle` radians apart. Start and end are exact."""
    sx, sy, ex, ey = (*_from_center(arc, arc.start), *_from_center(arc, arc.end))
    start = math.atan2(sy, sx)
    span = math.atan2(sx * ey - sy * ex, sx * ex + sy * ey) % (2 * math.pi) or 2 * math.pi
    angles = start + np.linspace(0.0, span, max(math.ceil(span / most_angle), 1) + 1)
    points = np.array(arc.center) + arc.radius * np.column_stack([np.cos(angles), np.sin(angles)])
    points[0], points[-1] = arc.start, arc.end
    return points


def _from_center(arc: Piece, point: Point) -> Point:
    return point[0] - arc.center[0], point[1] - arc.center[1]
