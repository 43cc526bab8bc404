"""Which discs overlap obstacles in a box, images along periodic axes included. Knows no engine."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ..model.box import Box
from ..model.clearance import bounds_of, has_sides
from ..model.obstacles import Arc, Line, Obstacle, Path, Segment, gap, is_on_wrong_side, segments_of

FEW = 16        # pieces: obstacles of no more are compared with all discs at once


class _Solid(NamedTuple):
    """An obstacle; its pieces, if it has more than FEW; a rectangle that holds its curves: left, bottom, right, top, length
    units. has_sides: whether one of its sides is solid. is_room: whether everything outside of the rectangle is, because discs
    are inside the obstacle; a `Line` counts as such."""

    shape: Obstacle
    pieces: list[Segment | Arc]
    bounds: tuple[float, float, float, float]
    has_sides: bool
    is_room: bool


class Obstructions:
    """Obstacles as solids that discs may not overlap, whatever the species and the times of these obstacles.

    obstacles: their shapes, in length units. box: a `Box`; on a periodic axis every obstacle is there once in each length of the
    box. A room (a shape inside of which the discs are) holds a disc that is inside one of its images. unit: a power of two, in
    length units, by which the box, and the points and radii that are asked for, have been divided."""

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
        radius, depth = radius * self.unit, depth * self.unit
        by_height = np.argsort(points[:, 1], kind="stable")
        x, y = np.ascontiguousarray((points[by_height] * self.unit).T)
        found = np.zeros(len(points), dtype=bool)
        for solid in self._solids:
            if solid.is_room:
                found |= np.all([_overlap(solid, x - across, y - up, radius, depth)
                                 for across, up in self._images(solid, radius)], axis=0)
                continue
            left, bottom, right, top = solid.bounds
            for across, up in self._images(solid, radius):
                first, end = np.searchsorted(y, (bottom + up - radius, top + up + radius))
                near = first + np.flatnonzero(np.abs(x[first:end] - across - (left + right) / 2) <= (right - left) / 2 + radius)
                found[near] |= _overlap(solid, x[near] - across, y[near] - up, radius, depth)
        result = np.empty_like(found)
        result[by_height] = found
        return result

    def _images(self, solid: _Solid, radius: float) -> Iterable[tuple[float, float]]:
        """The displacements along x and y of the images of an obstacle that a disc in the box can overlap."""
        left, bottom, right, top = solid.bounds
        if isinstance(solid.shape, Line):
            return [(0.0, 0.0)]
        across, up = (_shifts(length, low - radius, high + radius) if periodic else (0.0,)
                      for length, periodic, low, high in zip(self.lengths, self.periodic, (left, bottom), (right, top)))
        return product(across, up)


def _solid(obstacle: Obstacle) -> _Solid:
    left, bottom, right, top = bounds = bounds_of(obstacle)
    pieces: list[Segment | Arc] = [Segment(start, end) for start, end in segments_of(obstacle)]
    if isinstance(obstacle, Path):
        pieces += [part for part in obstacle.parts if isinstance(part, Arc)]
    is_room = isinstance(obstacle, Line) or bool(gap(obstacle, 2 * left - right - 1.0, 2 * bottom - top - 1.0, 0.0) < 0)
    return _Solid(obstacle, pieces if len(pieces) > FEW else [], bounds, has_sides(obstacle), is_room)


def _shifts(length: float, low: float, high: float) -> Sequence[float]:
    """The multiples of a length by which an interval can be moved so that it meets [0, length]."""
    return [k * length for k in range(math.ceil(-high / length), math.floor(1 - low / length) + 1)]


def _overlap(solid: _Solid, x: np.ndarray, y: np.ndarray, radius: float, depth: float) -> np.ndarray:
    """(n,) bool: whether discs, in the order of y, overlap an obstacle as it is, without images, by more than `depth`."""
    if not solid.pieces:
        return gap(solid.shape, x, y, radius) < -depth
    # The gap is distance - radius on the right side, and - distance - radius on the wrong one.
    near = _is_near(solid.pieces, x, y, abs(radius - depth))
    if not solid.has_sides:
        return near & (radius > depth)
    wrong = is_on_wrong_side(solid.shape, x, y)
    return wrong | near if radius > depth else wrong & ~near


def _is_near(pieces: list[Segment | Arc], x: np.ndarray, y: np.ndarray, reach: float) -> np.ndarray:
    """(n,) bool: whether points, in the order of y, are nearer than `reach` to one of the pieces."""
    near = np.zeros(len(x), dtype=bool)
    for piece in pieces:
        _, bottom, _, top = bounds_of(piece)
        first, end = np.searchsorted(y, (bottom - reach, top + reach))
        if first < end:
            near[first:end] |= gap(piece, x[first:end], y[first:end], reach) < 0
    return near
