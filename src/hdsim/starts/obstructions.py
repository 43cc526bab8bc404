"""Which discs overlap obstacles in a box, images along periodic axes included. Knows no engine."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple, get_args

import numpy as np

from ..model.box import Box
from ..model.obstacles import Line, Obstacle, arcs_of, gap, segments_of


class _Solid(NamedTuple):
    """An obstacle with a rectangle that holds its curves: left, bottom, right, top, length units. is_room: whether everything
    outside of this rectangle is solid, because discs are inside the obstacle; a `Line` counts as such."""

    shape: Obstacle
    bounds: tuple[float, float, float, float]
    is_room: bool


class Obstructions:
    """Obstacles as solids that discs may not overlap, whatever the species and the times of these obstacles.

    obstacles: their shapes, in length units. box: a `Box`; on a periodic axis every obstacle is there once in each length of the
    box. A room (a shape inside of which the discs are) holds a disc that is inside one of its images. unit: a power of two, in
    length units, by which the box, and the points and radii that are asked for, have been divided. TypeError for an obstacle that
    is not a shape."""

    def __init__(self, obstacles: Iterable[Obstacle], box: Box, unit: float = 1.0) -> None:
        self.lengths, self.periodic, self.unit = (box.width * unit, box.height * unit), box.periodic, unit
        self._solids = [_solid(obstacle) for obstacle in obstacles]

    def __bool__(self) -> bool:
        return bool(self._solids)

    def overlap(self, points: np.ndarray, radius: float, depth: float = 0.0) -> np.ndarray:
        """(n,) bool: whether discs of one radius with centres at points, (n, 2), overlap one of the obstacles by more than
        `depth`.

        A gap changes by no more than the distance by which a disc is moved. So a disc in the centre of a rectangle that overlaps
        by more than half its diagonal overlaps anywhere in it."""
        points, radius, depth = points * self.unit, radius * self.unit, depth * self.unit
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
        across, up = (_shifts(length, low - radius, high + radius) if periodic else (0.0,)
                      for length, periodic, low, high in zip(self.lengths, self.periodic, (left, bottom), (right, top)))
        return product(across, up)


def _solid(obstacle: Obstacle) -> _Solid:
    bounds = left, bottom, right, top = bounds_of(obstacle)
    is_room = isinstance(obstacle, Line) or bool(gap(obstacle, 2 * left - right - 1.0, 2 * bottom - top - 1.0, 0.0) < 0)
    return _Solid(obstacle, bounds, is_room)


def bounds_of(obstacle: Obstacle) -> tuple[float, float, float, float]:
    """A rectangle that holds an obstacle: left, bottom, right, top, length units. That of an arc is that of its circle; that of a
    `Line` is without limits. TypeError for something that is not a shape."""
    if not isinstance(obstacle, get_args(Obstacle)):
        raise TypeError(f"obstacle is {obstacle!r}; it must be a shape such as Segment or Circle")
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
