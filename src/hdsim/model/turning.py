"""The curve on which the centre of a disc turns: the boundary of all places that are nearer to an obstacle or a wall than its
radius. At each feature the centre turns on a line or an arc; it is cut where it meets those of other features, and the parts from
which no other feature is nearer belong to the curve."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .box import Box
from .drawn import HUGE, chords, clipped
from .features import FACE, INSIDE, LINE, OUTSIDE, Feature, caps_of, surfaces_of
from .obstacles import THIN, Obstacle, gap, solid_of
from .outlines import shifts_of
from .pieces import Piece

POINTS_MOST = 720       # the largest number of points of an arc that is to be drawn as lines
TOUCHING = 1e-6         # over the radius: how much nearer than the radius a feature may be
TANGENT = 1e-9          # by which the cosine of an angle may exceed 1 where two curves touch
WALLS = 4               # kind of the stretches at walls; the others are kinds of `feature_rows`


class Stretch(NamedTuple):
    """Where the centre turns at one feature: straight from a point (x, y) by a vector (a, b); or with a size above 0, the radius,
    an arc around (x, y) that begins at the angle a and turns by b."""

    kind: float
    x: float
    y: float
    a: float
    b: float
    size: float = 0.0

    @property
    def length(self) -> float:
        return self.size * self.b if self.size else math.hypot(self.a, self.b)

    def at(self, shares: np.ndarray) -> np.ndarray:
        """(k, 2): the points at these shares, (k,), of its length."""
        if self.size == 0:
            return np.column_stack([self.x + shares * self.a, self.y + shares * self.b])
        angles = self.a + shares * self.b
        return np.column_stack([self.x + self.size * np.cos(angles), self.y + self.size * np.sin(angles)])

    def part(self, low: float, high: float) -> Stretch:
        """The part between two shares."""
        if self.size == 0:
            return Stretch(self.kind, self.x + low * self.a, self.y + low * self.b, (high - low) * self.a, (high - low) * self.b)
        return self._replace(a=self.a + low * self.b, b=(high - low) * self.b)

    def lines(self, step: float) -> np.ndarray:
        """(k, 4): lines along it, those of an arc about as long as `step`."""
        count = min(max(math.ceil(self.length / step), 1), POINTS_MOST) if self.size else 1
        points = self.at(np.linspace(0, 1, count + 1))
        return np.hstack([points[:-1], points[1:]])


def curve(obstacles: Sequence[Obstacle], radius: float, box: Box) -> list[Stretch]:
    """The parts of the curve within the box. O(n m) for n features and m that are near one of them."""
    rows = feature_rows(obstacles, radius, box)
    x, y = (0.0 if periodic else radius for periodic in box.periodic)
    low, high = np.array((x, y)), np.array((box.width - x, box.height - y))
    if (low >= high).any():
        return []
    (x, y), (right, top) = low.tolist(), high.tolist()
    edges = [Stretch(WALLS, x, y, right - x, 0), Stretch(WALLS, right, y, 0, top - y), Stretch(WALLS, right, top, x - right, 0),
             Stretch(WALLS, x, top, 0, y - top)]
    whole = [*(each for row in rows.tolist() for each in _stretches(row, radius)),
             *(edge for k, edge in enumerate(edges) if not box.periodic[(k + 1) % 2])]
    features = _features(rows)
    cutters = np.concatenate([np.array([*whole, *edges]), features])
    ends, reach = _bounds(cutters), radius * np.array([[-1.0], [-1.0], [1.0], [1.0]])
    within_reach = _bounds(features) + reach
    parts, middles = [], [np.empty((0, 2))]
    for own, bounds in zip(whole, ends.T):
        cuts = _cuts(own, cutters[_meet(bounds, ends)])
        middle = own.at((cuts[:-1] + cuts[1:]) / 2)
        free = np.array(((middle > low - TOUCHING * radius) & (middle < high + TOUCHING * radius)).all(axis=1))
        if free.any():
            free[free] = _is_free(middle[free], rows[_meet(bounds, within_reach)], radius)
        runs = np.flatnonzero(np.diff(free, prepend=False, append=False)).reshape(-1, 2)
        runs = runs[np.diff(cuts[runs])[:, 0] * own.length > TOUCHING * radius]     # shorter ones are rounding
        parts += [own.part(*cuts[run].tolist()) for run in runs]
        middles.append(middle[runs[:, 0]])
    solid = _in_solid(np.concatenate(middles), obstacles, box)
    return [part for part, inside in zip(parts, solid) if not inside]


def _stretches(row: list[float], radius: float) -> list[Stretch]:
    """Where the centre of a disc that touches a feature can be."""
    kind, side, x, y, a, b, *ends = row
    if kind == 0:
        length = max(math.hypot(a - x, b - y), 1e-300)
        across_x, across_y = radius * (y - b) / length, radius * (a - x) / length
        return [Stretch(kind, x + sign * across_x, y + sign * across_y, a - x, b - y)
                for sign in ((1,) if side else (1, -1))]
    size = {1: radius, 2: a + radius, 3: a - radius}[int(kind)]
    return [Stretch(kind, x, y, *_turn(ends), size)] if size > 0 else []


def _features(rows: np.ndarray) -> np.ndarray:
    """The features themselves as stretches, (k, 6), arcs as full circles and caps as points."""
    is_face, start, end = rows[:, :1] == 0, rows[:, 2:4], rows[:, 4:6]
    return np.hstack([rows[:, :1], start, np.where(is_face, end - start, 0), np.where(is_face, 0, rows[:, 4:5])])


def _turn(ends: Sequence[float]) -> tuple[float, float]:
    """The angle at which an arc begins, and that by which it turns; ends: directions of its ends, 0 of a full circle."""
    if not any(ends):
        return 0.0, 2 * math.pi
    begin = math.atan2(ends[1], ends[0])
    return begin, (math.atan2(ends[3], ends[2]) - begin) % (2 * math.pi)


def _bounds(stretches: np.ndarray) -> np.ndarray:
    """(4, k): left, bottom, right and top of stretches, of arcs those of their circles."""
    start, size = stretches[:, 1:3].T, stretches[:, 5]
    end = np.where(size > 0, start, start + stretches[:, 3:5].T)
    return np.concatenate([np.minimum(start, end) - size, np.maximum(start, end) + size])


def _meet(bounds: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(k,): which of the other rectangles meet this one."""
    left, bottom, right, top = others
    found: np.ndarray = (left <= bounds[2]) & (right >= bounds[0]) & (bottom <= bounds[3]) & (top >= bounds[1])
    return found


def _cuts(own: Stretch, others: np.ndarray) -> np.ndarray:
    """The shares at which a stretch begins, meets the lines and circles of others, and ends, ascending."""
    lines, circles = others[others[:, 5] == 0], others[others[:, 5] > 0]
    start, reach = np.array((own.x, own.y)), np.array((own.a, own.b))
    to_line, along, to_circle, size = lines[:, 1:3] - start, lines[:, 3:5], circles[:, 1:3] - start, circles[:, 5]
    away = (to_circle**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        if own.size == 0:
            square = float(reach @ reach)
            middle = to_circle @ reach / square
            half = np.sqrt(middle**2 - (away - size**2) / square)
            shares = np.concatenate([_cross(to_line, along) / _cross(reach, along), middle - half, middle + half])
        else:
            normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(*along.T)[:, None]
            towards = np.concatenate([normal, to_circle])
            cosine = np.concatenate([(to_line * normal).sum(axis=1) / own.size,
                                     (away + own.size**2 - size**2) / (2 * own.size * np.sqrt(away))])
            half = np.where(np.abs(cosine) <= 1 + TANGENT, np.arccos(np.clip(cosine, -1, 1)), np.nan)
            angles = np.arctan2(towards[:, 1], towards[:, 0])
            shares = (np.concatenate([angles - half, angles + half]) - own.a) % (2 * math.pi) / own.b
        return np.unique(np.concatenate([(0.0, 1.0), shares[(shares > 0) & (shares < 1)]]))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _is_free(points: np.ndarray, rows: np.ndarray, radius: float) -> np.ndarray:
    """(k,): whether no feature is nearer to a point than the radius, on a side on which discs touch it."""
    least, free = radius * (1 - TOUCHING), np.ones(len(points), bool)
    faces, caps, arcs = rows[rows[:, 0] == 0], rows[rows[:, 0] == 1], rows[rows[:, 0] > 1]
    off_faces, off_caps, off_arcs = (points[:, None] - some[:, 2:4] for some in (faces, caps, arcs))
    if len(faces):
        ahead = faces[:, 4:6] - faces[:, 2:4]
        length = np.hypot(*ahead.T)
        ahead /= length[:, None]
        along, across = (off_faces * ahead).sum(axis=2), _cross(ahead, off_faces)
        near = (np.abs(across) < least) & (along >= 0) & (along <= length) & ((across >= 0) | (faces[:, 1] == 0))
        free &= ~near.any(axis=1)
    free &= ((off_caps**2).sum(axis=2) >= least**2).all(axis=1)
    if len(arcs):
        begin, turn = np.array([_turn(ends) for ends in arcs[:, 6:].tolist()]).T
        beyond = np.where(arcs[:, 0] == 2, 1, -1) * (np.hypot(off_arcs[..., 0], off_arcs[..., 1]) - arcs[:, 4])
        beside = (np.arctan2(off_arcs[..., 1], off_arcs[..., 0]) - begin) % (2 * math.pi) <= turn
        free &= ~(beside & (beyond >= 0) & (beyond < least)).any(axis=1)
    return free


def _in_solid(points: np.ndarray, obstacles: Sequence[Obstacle], box: Box) -> np.ndarray:
    """(k,): whether a point is where no disc can be."""
    inside = np.zeros(len(points), bool)
    for obstacle in obstacles:
        if solid_of(obstacle) != THIN:
            for x, y in shifts_of(obstacle, box):
                inside |= gap(obstacle, points[:, 0] - x, points[:, 1] - y, 0.0) < 0
    return inside


def feature_rows(obstacles: Sequence[Obstacle], radius: float, box: Box) -> np.ndarray:
    """(k, 10): all features that a disc of this radius in the box can touch, in all images: kind and flags, place, and
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
    return np.concatenate([*faces, found[away <= found[:, 4] + radius]])


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
    kind = 2.0 if feature.code == OUTSIDE else 3.0
    return kind, 0.0, cx, cy, radius, 0.0, *((sx, sy, ex, ey) if feature.ends else (0.0,) * 4)


def _edge(box: Box, px: float, py: float, nx: float, ny: float) -> tuple[float, ...]:
    """The edge of a half-plane near the box, as a segment with the discs on its left."""
    normal, middle = np.array((nx, ny)) / math.hypot(nx, ny), np.array((box.width, box.height)) / 2
    foot = middle - ((middle - (px, py)) @ normal) * normal
    along = 4 * (box.width + box.height) * np.array((normal[1], -normal[0]))
    return *(foot - along).tolist(), *(foot + along).tolist()
