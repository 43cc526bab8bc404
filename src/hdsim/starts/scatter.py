"""Random sequential addition in numpy: discs at random positions in a rectangle, without overlap. Knows no engine.

Random numbers are those of `draws`, to which only + - * / and sqrt are applied, so that every machine places the same discs.
"""
from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..model.configuration import Configuration
from .draws import Stream
from .obstructions import Obstructions

PACKING_LIMIT = 0.5  # of random sequential addition, which saturates at 0.547 and is slow long before
TRIES_PER_DISC = 300  # random points for each disc; 50 to 100 are needed at PACKING_LIMIT
TRIES_AT_LEAST = 100_000  # random points in all: the number needed varies most for few discs
BATCH_MIN, BATCH_MAX = 256, 2**15  # random points in one batch: enough for a numpy call, few enough for the cache
CLEARANCE = 1e-8  # minimum gap, in contact distances: rounding to 12 decimals then causes no overlap for radii from 1e-4 on

Region = tuple[float, float, float, float]  # left, bottom, right, top


def require(condition: bool, message: str) -> None:
    """Raise ValueError with this message unless the condition holds."""
    if not condition:
        raise ValueError(message)


class _RandomSequentialAddition:
    """Up to n points of a rectangle, no two of which are closer than `reach`: the centres in random sequential addition.

    Points are complex numbers x + iy, so that one array access gets both coordinates. Square cells of at least the side `reach`,
    about one for each of n points, cover the rectangle, with a margin of empty cells. The points of a cell form a linked list:
    `latest` has the last point of each cell, `before` the preceding one of each point.
    """

    NONE = -1

    def __init__(self, low: np.ndarray, high: np.ndarray, reach: float, n: int) -> None:
        width, height = (high - low).tolist()
        self.corner = complex(*low.tolist())
        self.reach = reach
        # The factor exceeds rounding, so that points closer than `reach` are in the same cell or in adjacent ones.
        self.side = max(reach * (1.0 + 1e-9), math.sqrt(width * height / n), width / n, height / n) or 1.0
        columns, self.rows = (int(length / self.side) + 3 for length in (width, height))
        self.latest = np.full(columns * self.rows, self.NONE)
        self.before = np.empty(n, dtype=np.intp)
        self.taken = np.empty(n, dtype=complex)
        self.count = 0

    def take(self, points: np.ndarray) -> bool:
        """Add the points one after another, each unless it is too close to one added before; returns whether there are n now."""
        points, cells = self._clear(points)
        free = [True] * len(points)
        for early, late in self._too_close_pairs(points, cells):
            if free[early]:  # this is final, because all pairs in which `early` is the later point came before
                free[late] = False
        chosen = np.flatnonzero(free)[:len(self.taken) - self.count]
        self._enter(points[chosen], cells[chosen])
        return self.count == len(self.taken)

    def _clear(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The points that are not too close to a point that was added before, and their cells."""
        offset = points - self.corner
        column, row = ((part / self.side).astype(np.intp) + 1 for part in (offset.real, offset.imag))
        cells = column * self.rows + row
        up, right = 1, self.rows
        # Most rejections are due to a point in the same cell, so that cell is searched first, and then the others.
        for around in ((0,), (-right, -up, up, right), (-right - up, -right + up, right - up, right + up)):
            clear = np.ones(len(points), dtype=bool)
            for step in around:
                place = self.latest[cells + step]
                point = np.flatnonzero(place != self.NONE)
                place = place[point]
                while len(point):
                    close = self._too_close(points[point], self.taken[place])
                    clear[point[close]] = False
                    place = self.before[place]
                    going_on = np.flatnonzero((place != self.NONE) & ~close)
                    point, place = point[going_on], place[going_on]
            left = np.flatnonzero(clear)
            points, cells = points[left], cells[left]
        return points, cells

    def _too_close(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        gap = a - b
        return gap.real * gap.real + gap.imag * gap.imag < self.reach * self.reach

    def _too_close_pairs(self, points: np.ndarray, cells: np.ndarray) -> Iterator[tuple[int, int]]:
        """Indices (early, late), early < late, of the pairs of new points that are too close to each other, sorted by `early`."""
        order = np.argsort(cells, kind="stable")
        cells = cells[order]
        # Partners come after a point in `order`: in the same cell, in the next one, and in three cells of the next column.
        following = np.arange(1, len(cells) + 1)
        first = np.concatenate((following, np.searchsorted(cells, cells + self.rows - 1)))
        end = np.searchsorted(cells, np.concatenate((cells + 1, cells + self.rows + 1)), side="right")
        lengths = end - first
        i = np.repeat(np.tile(following - 1, 2), lengths)
        j = np.arange(len(i)) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
        i, j = order[i], order[j]
        close = self._too_close(points[i], points[j])
        early, late = np.minimum(i, j)[close], np.maximum(i, j)[close]
        by_early = np.argsort(early, kind="stable")
        return zip(early[by_early].tolist(), late[by_early].tolist())

    def _enter(self, points: np.ndarray, cells: np.ndarray) -> None:
        places = np.arange(self.count, self.count + len(points))
        self.taken[places] = points
        self.count += len(points)
        order = np.argsort(cells, kind="stable")
        places, cells = places[order], cells[order]
        before = self.latest[cells]
        together = np.flatnonzero(cells[1:] == cells[:-1])
        before[together + 1] = places[together]
        self.before[places] = before
        self.latest[cells] = places  # for several points in one cell, the last assignment remains


def scatter(n: int, radius: float, region: Region, stream: Stream, others: Configuration | None = None,
            obstacles: Obstructions | None = None) -> np.ndarray:
    """Centres (n, 2) of n discs by random sequential addition, without overlap with the sides of the region, with discs that are
    there already, and with obstacles.

    ValueError if one disc does not fit, if the packing fraction exceeds PACKING_LIMIT, or if no room is found for a disc.
    """
    require_room(n, radius, region)
    if n == 0:
        return np.empty((0, 2))
    room = radius * (1.0 + CLEARANCE)
    low, high = np.array(region[:2]) + room, np.array(region[2:]) - room
    places = _RandomSequentialAddition(low, high, 2.0 * room, n)
    batch = min(max(n, BATCH_MIN), BATCH_MAX)
    for _ in range(0, TRIES_AT_LEAST + TRIES_PER_DISC * n, batch):
        points = low + (high - low) * stream.uniform(2 * batch).reshape(-1, 2)
        if others is not None:
            points = _clear_of_others(points, room, others)
        if obstacles is not None:
            points = points[~obstacles.overlap(points, room)]
        if places.take(points.view(complex)[:, 0]):
            return places.taken.view(float).reshape(n, 2)
    raise ValueError(f"no room found for disc {places.count + 1} of {n} with radius {radius:g} at packing fraction "
                     f"{packing_fraction(n, radius, region):.3f}: take fewer or smaller discs, or another seed")


def packing_fraction(n: int, radius: float, region: Region) -> float:
    """The area of n equal discs divided by that of the region."""
    left, bottom, right, top = region
    return n * math.pi * radius * radius / ((right - left) * (top - bottom))


def require_room(n: int, radius: float, region: Region, limit: float = PACKING_LIMIT,
                 what: str = "that random placement reaches") -> None:
    """ValueError for a number or a radius that is not legal, for a disc that does not fit between the sides of the region, and
    for a packing fraction above `limit`. what: this limit is, for the message."""
    left, bottom, right, top = region
    side, packing = min(right - left, top - bottom), packing_fraction(n, radius, region)
    require(n >= 0, f"n must be 0 or more, got {n}")
    require(0 <= radius < math.inf, f"radius must be 0 or more and finite, got {radius}")
    require(n == 0 or 2.0 * radius * (1.0 + CLEARANCE) <= side,
            f"a disc of radius {radius:g} does not fit between walls {side:g} apart")
    if n > 1 and exceeds(packing, limit):
        raise ValueError(f"{n} discs of radius {radius:g} have packing fraction {packing:.3f}, more than the "
                         f"{limit:g} {what}: the radius may be {radius * math.sqrt(limit / packing):.6g} at most; "
                         f"hdsim.states makes denser states")


def exceeds(packing: float, limit: float) -> bool:
    """Whether a packing fraction is above a limit, apart from the rounding of the radius that the message above suggests."""
    return packing > limit * 1.0001


def _clear_of_others(points: np.ndarray, room: float, others: Configuration) -> np.ndarray:
    for place, radius in zip(others.positions, others.radii):
        gap = points - place
        reach = room + radius * (1.0 + CLEARANCE)
        points = points[gap[:, 0] * gap[:, 0] + gap[:, 1] * gap[:, 1] >= reach * reach]
    return points
