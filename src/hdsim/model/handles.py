"""Handles: the points by which a hand moves an obstacle or changes its shape. Pure functions of shapes; no window."""
from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .box import Box
from .gates import Door, Gate, openings_of
from .obstacles import Arc, Circle, Obstacle, Polygon, Segment, pieces_of
from .outlines import points_of
from .placed import shifted
from .pieces import Point
from .piston import Piston
from .rules import coming

GRID = 20               # steps of the grid along the shorter side of the box, at least
MOST_ANGLE = 0.1        # radians between two points of an outline
KINDS = ("wall", "circle", "block", "arc", "gate", "door", "piston")      # that can be drawn


def _changed(obstacle: Obstacle, **fields: Any) -> Any:
    """The obstacle with other values of these fields. ValueError, of the shape, for those that it cannot have."""
    changed: Any = obstacle
    return replace(changed, **fields)


def handles_of(obstacle: Obstacle) -> list[Point]:
    """The points that can be dragged: ends of segments, vertices; the centre of a circle and a point on it; the centre of an arc
    and its ends; the first point of a path; the point of a half-plane, and one ahead of it along its normal; the end of a piston
    at the side of the box."""
    if isinstance(obstacle, Piston):
        return [obstacle.foot]
    points = [point for _, point in _given(obstacle)]
    if len(points) > 1 or "parts" in obstacle.POINTS:
        return points
    (x, y), lowered = points[0], pieces_of(obstacle)
    ahead = lowered.endless[1] if lowered.endless else (lowered.chain[0].radius, 0.0)
    return [(x, y), (x + ahead[0], y + ahead[1])]


def _given(obstacle: Obstacle) -> list[tuple[str, Point]]:
    """The points by which a shape is given, each with its field; of a path, that at which it begins."""
    found: list[tuple[str, Point]] = []
    for name in obstacle.POINTS:
        value = getattr(obstacle, name)
        found += [(name, point) for point in (value if name == "points" else [value[0].start if name == "parts" else value])]
    return found


def with_handle(obstacle: Obstacle, handle: int, x: float, y: float) -> Obstacle:
    """The obstacle with one of its handles at (x, y). ValueError, of the shape, where that is none: a circle of radius 0, edges
    of a polygon that cross."""
    if isinstance(obstacle, Piston):
        return obstacle.at((x, y)[obstacle.axis], obstacle.velocity)
    given, lowered = _given(obstacle), pieces_of(obstacle)
    if handle == len(given):
        at = given[0][1]
        changed: Any = {"normal": (x - at[0], y - at[1])} if lowered.endless else {"radius": math.dist(at, (x, y))}
        return _changed(obstacle, **changed)
    name, at = given[handle]
    if name == "points":
        return _changed(obstacle, points=[(x, y) if k == handle else point for k, (_, point) in enumerate(given)])
    if name in ("start", "end"):
        return _turned(obstacle, name, x, y) if lowered.arcs else _changed(obstacle, **{name: (x, y)})
    return shifted(obstacle, x - at[0], y - at[1])


def _turned(arc: Any, name: str, x: float, y: float) -> Arc:
    """An arc with one end in the direction of (x, y), and the radius to there; the other end keeps its direction."""
    (cx, cy), radius = arc.center, math.dist(arc.center, (x, y))
    other = "end" if name == "start" else "start"
    share, (ox, oy) = radius / arc.radius, getattr(arc, other)
    return _changed(arc, radius=radius, **{name: (x, y), other: (cx + share * (ox - cx), cy + share * (oy - cy))})


def drawn(kind: str, start: Point, end: Point) -> list[Obstacle]:
    """What a hand has drawn from one point to another, by one of KINDS: a segment; a circle from its centre to its edge; a block
    from corner to corner; half a circle; a wall whose middle third is a gate or a door; or a piston of mass 1 in the middle, that
    moves across the direction in which it was drawn. ValueError where that is no shape."""
    (x0, y0), (x1, y1) = start, end
    if kind in ("gate", "door"):
        a, b = (x0 + (x1 - x0) / 3, y0 + (y1 - y0) / 3), (x1 - (x1 - x0) / 3, y1 - (y1 - y0) / 3)
        middle = Gate(a, b, coming("left")) if kind == "gate" else Door(a, b, ())
        return [Segment(start, a), middle, Segment(b, end)]
    return [_plain(kind, start, end)]


def _plain(kind: str, start: Point, end: Point) -> Obstacle:
    (x0, y0), (x1, y1) = start, end
    if kind == "circle":
        return Circle(start, math.dist(start, end))
    if kind == "block":
        return Polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    if kind == "piston":
        return Piston(x=(x0 + x1) / 2, mass=1.0) if abs(x1 - x0) < abs(y1 - y0) else Piston(y=(y0 + y1) / 2, mass=1.0)
    if kind == "arc":
        center = (x0 + x1) / 2, (y0 + y1) / 2
        return Arc(center, math.dist(start, end) / 2, start, end)
    return Segment(start, end)


def opened(obstacle: Obstacle, time: float) -> Obstacle:
    """A door that opens now, if it is closed, and stays open; or one that closes now, and stays closed. Others as they are."""
    openings = openings_of(obstacle)
    if openings is None:
        return obstacle
    times = tuple(pair for pair in openings if pair[1] <= time)
    now = next((pair for pair in openings if pair[0] <= time < pair[1]), None)
    if now is None:
        return _changed(obstacle, open=(*times, (time, math.inf)))
    return _changed(obstacle, open=times if now[0] == time else (*times, (now[0], time)))


def snapped(x: float, y: float, box: Box, points: Iterable[Point], near: float) -> Point:
    """The nearest of some points within a distance `near`; else the nearest point of the grid of the box."""
    close = [(math.dist(point, (x, y)), point) for point in points]
    distance, point = min(close, default=(math.inf, (x, y)))
    if distance <= near:
        return point
    step = grid_step(box)
    return float(f"{round(x / step) * step:.12g}"), float(f"{round(y / step) * step:.12g}")


def grid_step(box: Box) -> float:
    """The step of the grid: 1, 2 or 5 times a power of ten, at most the shorter side over GRID."""
    least = min(box.width, box.height) / GRID
    decade = 10.0 ** math.floor(math.log10(least))
    return max(factor * decade for factor in (1, 2, 5) if factor * decade <= least * (1 + 1e-9))


def polylines_of(obstacle: Obstacle, box: Box) -> list[np.ndarray]:
    """The outline of an obstacle as chains of points, (k, 2) each; of a half-plane a part of its edge."""
    lowered = pieces_of(obstacle)
    if lowered.endless:
        point, normal = np.array(lowered.endless)
        along = np.array((-normal[1], normal[0])) / math.hypot(*normal) * (box.width + box.height)
        return [np.array((point - along, point + along))]
    return [points_of(piece, MOST_ANGLE) if piece.radius else np.array(piece[:2]) for piece in lowered.chain]
