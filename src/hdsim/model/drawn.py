"""What is drawn of obstacles: one list of lines and areas, which windows, pages, vector files and matplotlib draw, each in its
own way. A new shape needs no drawing of its own."""
from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .box import Box
from .gates import is_there
from .obstacles import Obstacle, pieces_of
from .outlines import Solid, points_of, shifts_of, solid_of
from .pieces import Piece, Point
from .placed import placed

MARGIN = 0.25           # around the box, over its longer side: lines are cut off there
HUGE = 64.0             # sizes over the longer side of the box; larger shapes are cut off: single precision could not hold them
CHORDS = 2048           # of a huge arc


class Drawn(NamedTuple):
    """One image of an obstacle, in length units. there: whether it is there at this time. lines: pieces to draw, each of which
    begins where the one before ends, or anew. solid: how the closed outline `area` bounds the region in which no disc can be;
    None if there is none."""

    obstacle: Obstacle
    there: bool
    lines: tuple[Piece, ...]
    area: tuple[Piece, ...] = ()
    solid: Solid | None = None


def drawn(obstacles: Iterable[Obstacle], box: Box, time: float | None) -> Iterator[Drawn]:
    """All images of obstacles that reach into a box, where they are at this time. Those that are not there then have no area.
    time: None, as if all were there, at the places that they are given at."""
    side = max(box.width, box.height)
    for obstacle in obstacles:
        there = time is None or is_there(obstacle, time)
        now = placed(obstacle, time)
        lowered = pieces_of(now)
        if lowered.endless:
            yield _half_plane(obstacle, *lowered.endless, box, there, lowered.side == "both")
            continue
        solid = solid_of(obstacle) if there else None
        for shift in shifts_of(now, box):
            chain = _moved(lowered.chain, *shift) if any(shift) else lowered.chain
            if all(max(map(abs, (*end, *center, radius))) <= HUGE * side for _, end, center, radius in chain):
                lines, area = chain, chain
            else:
                lines, area = _cut(chain, box)
            yield Drawn(obstacle, there, lines, area, solid if area or solid and solid.base else None)


def runs_of(lines: Sequence[Piece]) -> Iterator[list[Piece]]:
    """The pieces that are drawn in one go: each of a run begins where the one before ends."""
    run: list[Piece] = []
    for piece in lines:
        if run and run[-1].end != piece.start:
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _moved(chain: Iterable[Piece], dx: float, dy: float) -> tuple[Piece, ...]:
    return tuple(Piece((sx + dx, sy + dy), (ex + dx, ey + dy), (cx + dx, cy + dy), radius)
                 for (sx, sy), (ex, ey), (cx, cy), radius in chain)


def _corners(box: Box) -> np.ndarray:
    """(4, 2): the corners of the region in which lines are drawn, counterclockwise from the lower left one."""
    room = MARGIN * max(box.width, box.height)
    x, y = (-room, box.width + room), (-room, box.height + room)
    return np.array([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])])


def _cut(chain: tuple[Piece, ...], box: Box) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The lines and the outline, near the box, of a shape that reaches too far."""
    corners = _corners(box)
    low, high = corners[0], corners[2]
    runs = [chords(piece, box) if piece.radius else np.array(piece[:2]) for piece in chain]
    lines = clipped(np.concatenate([np.hstack([run[:-1], run[1:]]) for run in runs]), low, high)
    outline = np.concatenate([run[:-1] for run in runs])
    for ahead in np.eye(2):
        outline = behind(behind(outline, high, ahead), low, -ahead) if len(outline) else outline
    return tuple(Piece((x0, y0), (x1, y1)) for x0, y0, x1, y1 in lines.tolist()), _polygon(outline)


def _half_plane(obstacle: Obstacle, point: Point, normal: Point, box: Box, there: bool, thin: bool) -> Drawn:
    """A half-plane: the part of its edge near the box, and the part of the box behind it. thin: a line, with nothing behind."""
    corners = _corners(box)
    low, high = corners[0], corners[2]
    ahead = np.array(normal) / math.hypot(*normal)
    along, reach = np.array((-ahead[1], ahead[0])), 2 * float(np.hypot(*(high - low)))
    middle = (low + high) / 2
    foot = middle - ((middle - np.array(point)) @ ahead) * ahead
    near = bool(np.hypot(*(middle - foot)) < reach)
    edge = clipped(np.array([(*(foot - reach * along), *(foot + reach * along))] * near).reshape(-1, 4), low, high)
    area = () if thin else _polygon(behind(corners, np.array(point), ahead))
    lines = tuple(Piece((x0, y0), (x1, y1)) for x0, y0, x1, y1 in edge.tolist())
    return Drawn(obstacle, there, lines, area, Solid(1, 0) if there and area else None)


def _polygon(points: np.ndarray) -> tuple[Piece, ...]:
    corners = [(x, y) for x, y in points.tolist()]
    return tuple(map(Piece, corners, corners[1:] + corners[:1]))


def chords(arc: Piece, box: Box) -> np.ndarray:
    """(k, 2): points of a huge arc in their order, dense near the box."""
    from_start, side = points_of(arc, 2 * math.pi / CHORDS), max(box.width, box.height)
    (cx, cy), (sx, sy), (ex, ey) = arc.center, arc.start, arc.end
    start = math.atan2(sy - cy, sx - cx)
    span = (math.atan2(ey - cy, ex - cx) - start) % (2 * math.pi) or 2 * math.pi
    middle = math.atan2(box.height / 2 - cy, box.width / 2 - cx) - start
    near = (middle + min(4 * side / arc.radius, math.pi) * np.linspace(-1, 1, CHORDS)) % (2 * math.pi)
    near = near[near < span]
    close = np.array(arc.center) + arc.radius * np.column_stack([np.cos(start + near), np.sin(start + near)])
    order = np.argsort(np.concatenate([np.linspace(0, span, len(from_start)), near]), kind="stable")
    return np.concatenate([from_start, close])[order]


def clipped(segments: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The parts of segments within a rectangle; those outside are left out. segments: (k, 4) or more, further columns are kept.
    Y. Liang and B. Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3, 1 (1984)."""
    start, along = segments[:, :2], segments[:, 2:4] - segments[:, :2]
    enter, leave = np.zeros(len(segments)), np.ones(len(segments))
    for axis in range(2):
        step, moving = along[:, axis], along[:, axis] != 0
        at = [np.divide(edge - start[:, axis], step, out=np.full(len(segments), np.nan), where=moving)
              for edge in (low[axis], high[axis])]
        enter = np.where(moving, np.fmax(enter, np.fmin(*at)), enter)
        leave = np.where(moving, np.fmin(leave, np.fmax(*at)), leave)
        outside = ~moving & ((start[:, axis] < low[axis]) | (start[:, axis] > high[axis]))
        leave[outside] = -1.0
    kept = enter <= leave
    start, along, enter, leave = start[kept], along[kept], enter[kept, None], leave[kept, None]
    ends = np.where(leave == 1, segments[kept, 2:4], start + leave * along)
    return np.hstack([start + enter * along, ends, segments[kept, 4:]])


def behind(polygon: np.ndarray, point: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """The part of a polygon, (k, 2), behind the line through `point` with the unit normal `ahead`, (m, 2). I. Sutherland and
    G. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17, 32 (1974)."""
    height = (polygon - point) @ ahead
    found = []
    for k in range(len(polygon)):
        if height[k - 1] * height[k] < 0:
            found.append(polygon[k - 1] + height[k - 1] / (height[k - 1] - height[k]) * (polygon[k] - polygon[k - 1]))
        if height[k] <= 0:
            found.append(polygon[k])
    return np.array(found).reshape(-1, 2)
