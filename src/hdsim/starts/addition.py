"""Random sequential addition with the cells of the core: discs or spheres of any radii, in any box, discs among obstacles.

A disc is placed where it overlaps nothing. When random points no longer find such places, the free area is divided into ever
smaller rectangles or cuboids (Zhang and Torquato, Phys. Rev. E 88, 053312, 2013): then either a place is found, or there is none.
"""
from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..model.box import Box
from ..system.engines import core_of
from .obstructions import Obstructions
from .scatter import Region

THROWS = 20             # random points for each disc before the free area is searched systematically
THROWS_MIN, THROWS_MAX = 256, 2**17     # random points in one batch
NO_ROOM = 2.0**-30      # holes smaller than this, in units of the radius, count as closed
RECTANGLES = 2**13      # rectangles, or one for each of more discs, with which the search among obstacles begins
RECTANGLES_GROWTH = 16  # times as many are kept; more arise only along gaps that are exactly as wide as a disc
POINTS_IN_VAIN = 10**6  # random points that find no room for a disc without size: then there is none

Uniform = Callable[[int], np.ndarray]


class Places:
    """The places of discs or spheres, which are added in the order of their falling radii.

    radii: (n,), falling, above 0. box: a `Box`. obstacles: what discs may not overlap. region: where centres may be, in length
    units; by default the whole box. `count` discs have their places, (n, d), in `positions`."""

    def __init__(self, radii: np.ndarray, box: Box, obstacles: Obstructions | None = None, region: Region | None = None) -> None:
        self.radii, self.box = radii, box
        self.obstacles, self.region = obstacles or Obstructions((), box), region
        self.positions = np.zeros((len(radii), box.dimension))
        core = core_of(box.dimension)
        self._cells = core.RandomSequentialAddition(radii, self.positions, box.lengths, box.periodic,
                                                    *core.choose_cells(radii, box.lengths))

    @property
    def count(self) -> int:
        """The number of discs that have been placed."""
        return self._cells.count

    def fill(self, uniform: Uniform) -> bool:
        """Add all discs; False if one of them has no room. uniform(k): k random numbers in (0, 1)."""
        n = len(self.radii)
        batch = min(max(n, THROWS_MIN), THROWS_MAX)
        for _ in range(0, THROWS * max(n, THROWS_MIN), batch):
            if self.count < n:
                low, size = self._range()
                self._take(low + uniform(len(size) * batch).reshape(-1, len(size)) * size)
        while self.count < n:
            if not self._add_to_holes(uniform):
                return False
        return True

    def _range(self) -> tuple[np.ndarray, np.ndarray]:
        """The fractions, as the core takes them, between which the centre of the next disc may be: the least ones along the axes,
        and their range."""
        if self.region is None:
            return np.zeros(self.box.dimension), np.ones(self.box.dimension)
        start, room = self._ways()
        low, high = ((np.array(ends) - start) / room for ends in (self.region[:2], self.region[2:]))
        low = np.clip(low, 0.0, 1.0)
        return low, np.clip(high, low, 1.0) - low

    def _ways(self) -> tuple[np.ndarray, np.ndarray]:
        """The least coordinates of the centre of the next disc in the box, and how far it can be moved from there."""
        radius, periodic = self.radii[self.count], np.array(self.box.periodic)
        lengths = np.array(self.box.lengths)
        return np.where(periodic, 0.0, radius), np.where(periodic, lengths, lengths - 2.0 * radius)

    def _located(self, fractions: np.ndarray) -> np.ndarray:
        """(m, d): the positions of the next disc at fractions, the doubles that the core computes."""
        start, room = self._ways()
        return start + fractions * room

    def _take(self, fractions: np.ndarray) -> None:
        """Try these points, (m, d), one after another: where the next disc fits, it is placed."""
        if not self.obstacles:
            self._cells.take(fractions)
            return
        radius = self.radii[self.count]
        free = fractions[~self.obstacles.overlap(self._located(fractions), radius)]
        end = int(np.searchsorted(-self.radii, -radius, side="right"))      # of the discs of this radius
        while len(free) and self.count < end:
            # A smaller disc, which a point would place elsewhere, must not get one of these: so never more points than discs.
            many = len(free) if end == len(self.radii) else end - self.count
            self._cells.take(free[:many])
            free = free[many:]

    def _add_to_holes(self, uniform: Uniform) -> bool:
        """Add the next disc, and further ones of the same radius, in the area that is not covered: the free area is approximated
        by rectangles, random points are drawn in these, and the rectangles are divided until the discs are placed or none is
        left. False if no disc was added, because there is no room."""
        radius, n, before = self.radii[self.count], len(self.radii), self.count
        low, size = self._range()
        way = self._ways()[1]
        numbers = self._numbers(way * size)
        least, most = NO_ROOM * radius / way[0], RECTANGLES_GROWTH * max(n, RECTANGLES)
        halves = [0.5 / number * length for number, length in zip(numbers, size)]
        mesh = np.meshgrid(*(start + (np.arange(number) + 0.5) / number * length
                             for start, number, length in zip(low, numbers, size)))
        centres = np.column_stack([places.ravel() for places in mesh])
        d = len(numbers)
        corners = np.stack(np.meshgrid(*[(-1, 1)] * d, indexing="ij"), axis=-1).reshape(-1, d)
        while len(centres) and self.count < n and self.radii[self.count] == radius:
            centres = centres[~self._covered(centres, halves)]
            if halves[0] < least or not 0 < len(centres) <= most:
                break
            u = uniform((1 + d) * max(len(centres), THROWS_MIN)).reshape(1 + d, -1)
            chosen = (u[0] * len(centres)).astype(np.intp)
            self._take(centres[chosen] + (2.0 * u[1:].T - 1.0) * halves)
            halves = [0.5 * half for half in halves]
            centres = (centres[:, None, :] + corners * halves).reshape(-1, d)
        return self.count > before

    def _numbers(self, room: np.ndarray) -> list[int]:
        """The numbers of rectangles or cuboids along each axis with which the search begins, in a range of these lengths: of the
        size of a radius, or larger, because obstacles may leave room for few of many discs."""
        radius = self.radii[self.count]
        side = radius if not self.obstacles else max(radius, math.sqrt(room[0] * room[1] / max(len(self.radii), RECTANGLES)))
        return [max(1, math.ceil(length / side)) for length in room]

    def _covered(self, centres: np.ndarray, halves: list[float]) -> np.ndarray:
        """(m,) bool: the rectangles in which the next disc would everywhere overlap one and the same disc or obstacle. centres:
        (m, d), and halves of their sides, as fractions."""
        covered = np.empty(len(centres), dtype=np.uint8)
        self._cells.covered(centres, halves, covered)
        if self.obstacles:
            width, height = self._ways()[1] * halves
            radius = self.radii[self.count]
            covered |= self.obstacles.overlap(self._located(centres), radius, math.sqrt(width * width + height * height))
        return covered != 0


def scatter_points(n: int, box: Box, uniform: Uniform, obstacles: Obstructions, region: Region | None = None) -> np.ndarray:
    """(n, d): independent uniform points of a region of the box, in none of the obstacles; fewer if POINTS_IN_VAIN find no room.
    Arguments as for `Places`."""
    d = box.dimension
    low = np.array(region[:d] if region else (0.0,) * d)
    size = np.array(region[d:] if region else box.lengths) - low
    batch = min(max(n, THROWS_MIN), THROWS_MAX)
    found, count, in_vain = [], 0, 0
    while count < n and in_vain < POINTS_IN_VAIN:
        points = low + uniform(d * batch).reshape(-1, d) * size
        points = points[~obstacles.overlap(points, 0.0)] if obstacles else points
        in_vain = 0 if len(points) else in_vain + batch
        batch = batch if len(points) else min(2 * batch, THROWS_MAX)
        found.append(points)
        count += len(points)
    return np.concatenate((np.empty((0, d)), *found))[:n]


def place(n: int, radius: float, uniform: Uniform, box: Box, obstacles: Obstructions, region: Region | None = None) -> np.ndarray:
    """(n, d): random positions of n equal discs or spheres that overlap neither each other nor obstacles. Other arguments as for
    `Places`.

    ValueError if a disc does not fit in the box, or if there is no room for one of them."""
    for length, periodic in zip(box.lengths, box.periodic):
        if n and not (4 if periodic else 2) * radius < length:
            raise ValueError(f"a disc of radius {radius:g} does not fit in a box {length:g} wide or high: the radius must be "
                             f"below {'a quarter' if periodic else 'half'} of it")
    if radius == 0 or n == 0:
        positions = scatter_points(n, box, uniform, obstacles, region)
        placed = len(positions)
    else:
        places = Places(np.full(n, radius), box, obstacles, region)
        places.fill(uniform)
        positions, placed = places.positions, places.count
    if placed < n:
        among = " among the obstacles" if obstacles else ""
        raise ValueError(f"no room for disc {placed + 1} of {n} with radius {radius:g}{among}: take fewer or "
                         f"smaller discs, or another seed")
    return positions
