"""Whether a polygon is simple, and its sense of rotation: exact answers for points of doubles."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Points = Sequence[tuple[float, float]]

_PAIRS = 1 << 19            # pairs of edges that are compared at once
_CERTAIN = 4 * 2.0**-52     # an orientation above this fraction of its two products has the right sign: above Shewchuk's bound
_TINY = 2.0**-900           # products below it may have lost digits by underflow


def on_one_line(points: Points) -> bool:
    """Whether all points lie on one straight line."""
    corners = np.array(points)
    other = next((k for k in range(1, len(points)) if points[k] != points[0]), None)
    if other is None:
        return True
    everywhere = np.arange(len(points))
    return not orientations(corners, np.zeros_like(everywhere), np.full_like(everywhere, other), everywhere).any()


def is_counterclockwise(points: Points) -> bool:
    """Whether a simple polygon runs counterclockwise. Its lowest leftmost corner, which is convex, decides."""
    corners = np.array(points)
    _, k = min((point, k) for k, point in enumerate(points))
    [turn] = orientations(corners, np.array([k - 1]), np.array([k]), np.array([(k + 1) % len(points)]))
    return bool(turn > 0)


def crossing(points: Points) -> tuple[int, int] | None:
    """The numbers of two edges of a closed polygon that have a point in common other than a corner that they share; None if the
    polygon is simple. Edge k goes from point k to point k + 1. No two successive points may be equal.

    Of several such pairs it is that of the lowest numbers. The cost grows as the number of pairs of edges that overlap along x or
    along y, whichever are fewer: n log n for most polygons, n^2 at worst."""
    n, corners = len(points), np.array(points)
    before, after = (np.arange(n) - 1) % n, (np.arange(n) + 1) % n
    # Two successive edges overlap if they go back along one line.
    straight = np.flatnonzero(orientations(corners, before, np.arange(n), after) == 0)
    found = [(k - 1, k) if k else (0, n - 1) for k in straight.tolist()
             if _turns_back(points[k - 1], points[k], points[(k + 1) % n])]
    for first, second in _overlapping(corners, corners[after]):
        apart = (second - first) % n
        distinct = (apart != 1) & (apart != n - 1)
        i, j = first[distinct], second[distinct]
        meeting = (orientations(corners, i, after[i], j) * orientations(corners, i, after[i], after[j]) <= 0)
        i, j = i[meeting], j[meeting]
        meeting = (orientations(corners, j, after[j], i) * orientations(corners, j, after[j], after[i]) <= 0)
        found += [(min(pair), max(pair)) for pair in zip(i[meeting].tolist(), j[meeting].tolist())]
    return min(found, default=None)


def _turns_back(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether a and c, on one line with b, are on the same side of b."""
    return any((p > q) - (p < q) == (r > q) - (r < q) != 0 for p, q, r in zip(a, b, c))


def _overlapping(starts: NDArray[np.float64],
                 ends: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """All pairs of edges whose rectangles along x and y have a point in common, as arrays of edge numbers, in blocks."""
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    sorted_along = [np.argsort(low[:, axis], kind="stable") for axis in (0, 1)]
    # For an edge at place k of this order, those that begin within it stand at the places k + 1 ... last.
    lasts = [np.searchsorted(low[order, axis], high[order, axis], side="right") for axis, order in enumerate(sorted_along)]
    axis = int(lasts[1].sum() < lasts[0].sum())
    order, counts = sorted_along[axis], lasts[axis] - np.arange(1, len(low) + 1)
    total = np.cumsum(counts)
    begin = 0
    while begin < len(order):
        done = int(total[begin - 1]) if begin else 0
        stop = max(begin + 1, int(np.searchsorted(total, done + _PAIRS, side="right")))
        few = counts[begin:stop]
        places = np.repeat(np.arange(begin, stop), few)
        others = places + 1 + np.arange(len(places)) - np.repeat(total[begin:stop] - few - done, few)
        first, second = order[places], order[others]
        near = ((low[first, 1 - axis] <= high[second, 1 - axis]) & (low[second, 1 - axis] <= high[first, 1 - axis]))
        yield first[near], second[near]
        begin = stop


def orientations(corners: NDArray[np.float64], a: NDArray[np.intp], b: NDArray[np.intp], c: NDArray[np.intp]) -> NDArray[np.int8]:
    """The exact signs of (b - a) x (c - a), for points given by their numbers in `corners` (n, 2): 1 if a, b, c turn left, -1 if
    they turn right, 0 if they lie on one line.

    Where rounding might have changed the sign (J. R. Shewchuk, Discrete Comput. Geom. 18, 305 (1997)) it is computed anew from
    rational numbers."""
    dx, dy = (corners[b] - corners[a]).T
    ex, ey = (corners[c] - corners[a]).T
    left, right = np.sign(dx) * np.sign(ey), np.sign(dy) * np.sign(ex)
    signs = np.sign(left - right).astype(np.int8)
    same = np.flatnonzero((left == right) & (left != 0))
    first, second = dx[same] * ey[same], dy[same] * ex[same]
    area, size = first - second, np.abs(first + second)
    signs[same] = np.sign(area)
    for k in same[(np.abs(area) <= _CERTAIN * size) | (size < _TINY)].tolist():
        (ax, ay), (bx, by), (cx, cy) = (map(Fraction, corners[m[k]].tolist()) for m in (a, b, c))
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        signs[k] = (area > 0) - (area < 0)
    return signs
