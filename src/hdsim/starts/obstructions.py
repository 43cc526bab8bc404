"""Which discs overlap obstacles in a box, images along periodic axes included. Knows no engine."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ..model.box import Box
from ..model.obstacles import Circle, Line, Obstacle, Path, Polygon, arcs_of, gap, segments_of


class _Solid(NamedTuple):
    """An obstacle with the rectangle outside of which it does not extend: left, bottom, right, top, length units. Where discs are
    inside an obstacle, the solid around it extends without limit."""

    shape: Obstacle
    bounds: tuple[float, float, float, float]
    is_room: bool


class Obstructions:
    """Obstacles as solids that discs may not overlap, whatever the species and the times of these obstacles.

    obstacles: their shapes, in length units. box: a `Box`; on a periodic axis every obstacle is there once in each length of the
    box. A room (a shape inside of which the discs are) holds a disc that is inside one of its images."""

    def __init__(self, obstacles: Iterable[Obstacle], box: Box) -> None:
        self.box = box
        self._solids = [_solid(obstacle) for obstacle in obstacles]

    def __bool__(self) -> bool:
        return bool(self._solids)

    def overlap(self, points: np.ndarray, radius: float, depth: float = 0.0) -> np.ndarray:
        """(n,) bool: whether discs of one radius with centres at points, (n, 2), overlap one of the obstacles by more than `depth`.
        All in length units. Because a gap changes by no more than the distance that a disc moves, a disc that overlaps by more
        than the half diagonal of a rectangle, in its centre, overlaps everywhere in it."""
        result = np.zeros(len(points), dtype=bool)
        by_x = np.argsort(points[:, 0], kind="stable")
        xs = points[by_x, 0]
        for solid in self._solids:
            if solid.is_room:
                result |= self._room_gaps(solid, points, radius) < -depth
                continue
            for across, up in self._images(solid, radius):
                left, bottom, right, top = solid.bounds
                first, end = np.searchsorted(xs, (left + across - radius, right + across + radius))
                near = by_x[first:end]
                x, y = points[near, 0] - across, points[near, 1] - up
                within = (y >= bottom - radius) & (y <= top + radius)
                result[near[within]] |= gap(solid.shape, x[within], y[within], radius) < -depth
        return result

    def _room_gaps(self, solid: _Solid, points: np.ndarray, radius: float) -> np.ndarray:
        """(n,): the gaps between discs and the image of a room that holds them best."""
        images = [(0.0, 0.0)] if isinstance(solid.shape, Line) else self._images(solid, radius)
        gaps = np.full(len(points), -math.inf)
        for across, up in images:
            np.maximum(gaps, gap(solid.shape, points[:, 0] - across, points[:, 1] - up, radius), out=gaps)
        return gaps

    def _images(self, solid: _Solid, radius: float) -> Iterable[tuple[float, float]]:
        """The displacements along x and y of the images of an obstacle that a disc in the box can overlap."""
        left, bottom, right, top = solid.bounds
        axes = zip((self.box.width, self.box.height), self.box.periodic, (left, bottom), (right, top))
        return product(*(_shifts(length, low - radius, high + radius) if periodic else (0.0,)
                         for length, periodic, low, high in axes))


def _solid(obstacle: Obstacle) -> _Solid:
    return _Solid(obstacle, bounds_of(obstacle), _is_room(obstacle))


def _is_room(obstacle: Obstacle) -> bool:
    """Whether the solid of an obstacle may extend without limit. It does beyond a half-plane and around a room. A closed path with
    a side counts too, because the side on which its solid is depends on the direction in which the path runs."""
    if isinstance(obstacle, (Polygon, Circle)):
        return obstacle.side == "inside"
    return isinstance(obstacle, Line) or isinstance(obstacle, Path) and obstacle.is_closed and obstacle.side != "both"


def bounds_of(obstacle: Obstacle) -> tuple[float, float, float, float]:
    """A rectangle that holds an obstacle: left, bottom, right, top, length units. That of an arc is that of its circle; that of a
    `Line` is without limits."""
    if isinstance(obstacle, Line):
        return -math.inf, -math.inf, math.inf, math.inf
    xs = [x for piece in segments_of(obstacle) for x, _ in piece]
    ys = [y for piece in segments_of(obstacle) for _, y in piece]
    for arc in arcs_of(obstacle):
        xs += [arc.center[0] - arc.radius, arc.center[0] + arc.radius]
        ys += [arc.center[1] - arc.radius, arc.center[1] + arc.radius]
    return min(xs), min(ys), max(xs), max(ys)


def _shifts(length: float, low: float, high: float) -> Sequence[float]:
    """The multiples of a length by which an interval can be moved so that it meets [0, length]."""
    return [k * length for k in range(math.ceil(-high / length), math.floor(1 - low / length) + 1)]
