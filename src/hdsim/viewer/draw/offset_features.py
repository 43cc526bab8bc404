"""What a disc of some radius can touch, as rows of numbers, and the curve on which its centre then turns, as lines."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...model.box import Box
from ...model.drawn import HUGE, chords, clipped
from ...model.features import FACE, INSIDE, LINE, OUTSIDE, Feature, caps_of, surfaces_of
from ...model.obstacles import Obstacle
from ...model.outlines import shifts_of
from ...model.pieces import Piece
from .frame import Frame
from .pen import Pen
from .theme import Color
from .view import View

STEP = 2.0              # pixels between two points of a curve that is drawn as lines, and ...
POINTS_MOST = 300       # ... the largest number of them for one feature
TOUCHING = 1e-6         # over the radius: how much nearer than the radius a feature may be


@dataclass(frozen=True)
class Inks:
    """The colours of the pieces of the curve, by the feature that the disc touches there."""

    faces: Color
    arcs: Color
    caps: Color
    walls: Color


class OffsetLines:
    """The curve as lines of a pen, with the methods of `offset_layer.OffsetLayer`: points at the radius from each feature,
    without those that are nearer to another one."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._key: tuple[Any, ...] = ()
        self._lines: list[tuple[int, np.ndarray]] = []      # ink and ends, (k, 4), box units

    def draw(self, frame: Frame, obstacles: Sequence[Obstacle], radius: float, view: View, inks: Inks, line: float) -> None:
        """Draw the curve for a disc of this radius among these obstacles, which must be there now and act on it."""
        key = tuple(obstacles), radius, frame.width, frame.height, frame.periodic, round(view.scale, 3)
        if key != self._key:
            self._key, self._lines = key, curve_lines(tuple(obstacles), radius, frame, STEP / max(view.scale, 1e-300))
        colors = inks.faces, inks.caps, inks.arcs, inks.arcs, inks.walls
        for ink, ends in self._lines:
            self._pen.lines(ends * view.scale + np.tile(view.origin, 2), colors[ink], line)

    def delete(self) -> None:
        self._lines.clear()


def curve_lines(obstacles: Sequence[Obstacle], radius: float, frame: Frame, step: float) -> list[tuple[int, np.ndarray]]:
    """The pieces of the curve within the box: the kind of feature that is touched (0 to 3 as in `feature_rows`, 4 for walls), and
    lines, (k, 4). step: the length of one, about."""
    rows = feature_rows(obstacles, radius, Box(frame.width, frame.height, frame.periodic)).astype(float)
    x, y = (0.0 if periodic else radius for periodic in frame.periodic)
    low, high = np.array((x, y)), np.array((frame.width - x, frame.height - y))
    runs = [(int(row[0]), points) for row in rows for points in _turning(row, radius, step)]
    if (low < high).all():
        corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        runs += [(4, _between(corners[k], corners[k - 1], step)) for k, periodic in enumerate(frame.periodic[::-1] * 2)
                 if not periodic]
    found = []
    for kind, points in runs:
        points = np.asarray(points)
        free = ((points >= low - TOUCHING * radius) & (points <= high + TOUCHING * radius)).all(axis=1)
        free[free] = _distances(points[free], rows) >= radius * (1 - TOUCHING)
        both = free[:-1] & free[1:]
        found.append((kind, np.hstack([points[:-1], points[1:]])[both]))
    return found


def _between(start: Any, end: Any, step: float) -> np.ndarray:
    count = min(max(int(math.dist(start, end) / step), 1), POINTS_MOST) + 1
    return np.asarray(start) + np.linspace(0, 1, count)[:, None] * np.subtract(end, start)


def _turning(row: np.ndarray, radius: float, step: float) -> list[np.ndarray]:
    """Where the centre of a disc that touches a feature can be, as points in their order, (k, 2)."""
    kind, side, x, y, a, b, *ends = row.tolist()
    if kind == 0:
        along = np.array((a - x, b - y)) / max(math.hypot(a - x, b - y), 1e-300)
        across = radius * np.array((-along[1], along[0]))
        return [_between((x, y) + sign * across, (a, b) + sign * across, step) for sign in ((1,) if side else (1, -1))]
    size = {1: radius, 2: a + radius, 3: a - radius}[int(kind)]
    if size <= 0:
        return []
    begin, turn = 0.0, 2 * math.pi
    if any(ends):
        begin = math.atan2(ends[1], ends[0])
        turn = (math.atan2(ends[3], ends[2]) - begin) % (2 * math.pi)
    angles = begin + np.linspace(0, turn, min(max(int(size * turn / step), 8), POINTS_MOST) + 1)
    return [np.column_stack([x + size * np.cos(angles), y + size * np.sin(angles)])]


def _distances(points: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The distance of each point from the nearest feature, (k,)."""
    least = np.full(len(points), np.inf)
    for kind, _, x, y, a, b, *ends in rows.tolist():
        off = points - (x, y)
        if kind == 0:
            along = np.array((a - x, b - y))
            share = np.clip(off @ along / max(float(along @ along), 1e-300), 0, 1)
            least = np.minimum(least, np.hypot(*(off - share[:, None] * along).T))
            continue
        away = np.hypot(*off.T)
        if kind == 1:
            least = np.minimum(least, away)
            continue
        gap = np.abs(away - a)
        if any(ends):
            begin = math.atan2(ends[1], ends[0])
            turn = (math.atan2(ends[3], ends[2]) - begin) % (2 * math.pi)
            gap[(np.arctan2(off[:, 1], off[:, 0]) - begin) % (2 * math.pi) > turn] = np.inf
        least = np.minimum(least, gap)
    return least


def feature_rows(obstacles: Sequence[Obstacle], radius: float, box: Box) -> np.ndarray:
    """(k, 10) float32: all features that a disc of this radius in the box can touch, in all images: kind and flags, place, and
    the directions of the start and the end of an arc. Kinds: 0 face, 1 cap, 2 and 3 outside and inside of an arc."""
    side = max(box.width, box.height)
    low, high = np.full(2, -side - radius), np.array((box.width, box.height)) + side + radius
    faces, others = [np.empty((0, 10))], [np.empty((0, 10))]
    for obstacle in obstacles:
        own, rest = _rows_of(obstacle, box)
        for shift in map(np.array, shifts_of(obstacle, box, radius)):
            moved = np.hstack([own[:, 2:6] + np.tile(shift, 2), own[:, :2], own[:, 6:]])
            faces.append(clipped(moved, low, high)[:, [4, 5, 0, 1, 2, 3, 6, 7, 8, 9]])
            others.append(rest + np.pad(shift, (2, 6)))
    found = np.concatenate(others)
    away = np.maximum(found[:, 2:4] - np.array((box.width, box.height)), -found[:, 2:4]).max(axis=1, initial=0.0)
    return np.concatenate([*faces, found[away <= found[:, 4] + radius]]).astype(np.float32)


def _rows_of(obstacle: Obstacle, box: Box) -> tuple[np.ndarray, np.ndarray]:
    """The faces of an obstacle, and its arcs and caps, (k, 10) each."""
    faces: list[Any] = []
    others: list[Any] = [(1, 0, x, y, *(0,) * 6) for x, y in caps_of(obstacle)]
    for feature in surfaces_of(obstacle):
        if feature.code == FACE:
            faces.append((0, feature.flags != 0, *feature.numbers, *(0,) * 4))
        elif feature.code == LINE:
            faces.append((0, 1, *_edge(box, *feature.numbers), *(0,) * 4))
        elif feature.numbers[2] > HUGE * max(box.width, box.height):
            cx, cy, size, *ends = feature.numbers
            arc = Piece((ends[0], ends[1]), (ends[2], ends[3]), (cx, cy), size)
            points = chords(arc, box) if feature.code == INSIDE else chords(arc, box)[::-1]     # discs are on the left
            steps = np.diff(points, axis=0)
            lengths = np.hypot(*steps.T)[:, None]
            # No pixel may fall between two chords; a long one, far away, must not reach into the box.
            overlap = steps * (np.minimum(0.01 * lengths, 1e-4 * max(box.width, box.height)) / lengths)
            faces += [(0, 1, *start, *end, *(0,) * 4) for start, end in zip(points[:-1] - overlap, points[1:] + overlap)]
        else:
            others.append(_arc_row(feature))
    return np.array(faces, float).reshape(-1, 10), np.array(others, float).reshape(-1, 10)


def _arc_row(feature: Feature) -> tuple[float, ...]:
    """A side of an arc as a row."""
    cx, cy, radius, *ends = feature.numbers
    sx, sy, ex, ey = ((at - middle) / radius for at, middle in zip(ends, (cx, cy, cx, cy)))
    more = float(sx * ey - sy * ex < 0 or (sx * ey == sy * ex and sx * ex + sy * ey > 0))
    kind = 2.0 if feature.code == OUTSIDE else 3.0
    return kind, 0.0, cx, cy, radius, more, *((sx, sy, ex, ey) if feature.ends else (0.0,) * 4)


def _edge(box: Box, px: float, py: float, nx: float, ny: float) -> tuple[float, ...]:
    """The edge of a half-plane near the box, as a segment with the discs on its left."""
    normal, middle = np.array((nx, ny)) / math.hypot(nx, ny), np.array((box.width, box.height)) / 2
    foot = middle - ((middle - (px, py)) @ normal) * normal
    along = 4 * (box.width + box.height) * np.array((normal[1], -normal[0]))
    return *(foot - along).tolist(), *(foot + along).tolist()
