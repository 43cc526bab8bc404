"""Handles: the points by which a hand moves an obstacle or changes its shape. Pure functions of shapes; no window."""
from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .box import Box
from .gates import Door, Gate
from .obstacles import Arc, Circle, Line, Obstacle, Path, Point, Polygon, Polyline, Segment
from .outlines import outline_of, points_of
from .rules import coming

GRID = 20               # steps of the grid along the shorter side of the box, at least
MOST_ANGLE = 0.1        # radians between two points of an outline
POINTS: dict[type, tuple[str, ...]] = {Segment: ("start", "end"), Arc: ("center", "start", "end"), Circle: ("center",),
                                       Line: ("point",)}
KINDS = ("wall", "circle", "block", "arc", "gate", "door")      # that can be drawn


def _changed(obstacle: Obstacle, **fields: Any) -> Any:
    """The obstacle with other values of these fields. ValueError, of the shape, for those that it cannot have."""
    changed: Any = obstacle
    return replace(changed, **fields)


def handles_of(obstacle: Obstacle) -> list[Point]:
    """The points that can be dragged: ends of segments, vertices; the centre of a circle and a point on it; the centre of an arc
    and its ends; the first point of a path; the point of a half-plane, and one ahead of it along its normal."""
    if isinstance(obstacle, Segment):
        return [obstacle.start, obstacle.end]
    if isinstance(obstacle, (Polyline, Polygon)):
        return list(obstacle.points)
    if isinstance(obstacle, Circle):
        return [obstacle.center, (obstacle.center[0] + obstacle.radius, obstacle.center[1])]
    if isinstance(obstacle, Arc):
        return [obstacle.center, obstacle.start, obstacle.end]
    if isinstance(obstacle, Line):
        return [obstacle.point, (obstacle.point[0] + obstacle.normal[0], obstacle.point[1] + obstacle.normal[1])]
    return [obstacle.parts[0].start]


def with_handle(obstacle: Obstacle, handle: int, x: float, y: float) -> Obstacle:
    """The obstacle with one of its handles at (x, y). ValueError, of the shape, where that is none: a circle of radius 0, edges
    of a polygon that cross."""
    if isinstance(obstacle, Segment):
        return _changed(obstacle, **{("start", "end")[handle]: (x, y)})
    if isinstance(obstacle, (Polyline, Polygon)):
        points = list(obstacle.points)
        points[handle] = x, y
        return _changed(obstacle, points=points)
    if isinstance(obstacle, Circle) and handle == 1:
        return _changed(obstacle, radius=math.dist(obstacle.center, (x, y)))
    if isinstance(obstacle, Arc) and handle:
        return _turned(obstacle, handle, x, y)
    if isinstance(obstacle, Line) and handle == 1:
        return _changed(obstacle, normal=(x - obstacle.point[0], y - obstacle.point[1]))
    at = handles_of(obstacle)[handle]
    return shifted(obstacle, x - at[0], y - at[1])


def _turned(arc: Arc, handle: int, x: float, y: float) -> Arc:
    """An arc with one end in the direction of (x, y), and the radius to there; the other end keeps its direction."""
    (cx, cy), radius = arc.center, math.dist(arc.center, (x, y))
    other = arc.end if handle == 1 else arc.start
    share = radius / arc.radius
    kept = cx + share * (other[0] - cx), cy + share * (other[1] - cy)
    ends: dict[str, Any] = {"start": (x, y), "end": kept} if handle == 1 else {"start": kept, "end": (x, y)}
    return _changed(arc, radius=radius, **ends)


def shifted(obstacle: Obstacle, dx: float, dy: float) -> Obstacle:
    """The obstacle, displaced."""
    def moved(point: Any) -> Point:
        return point[0] + dx, point[1] + dy

    if isinstance(obstacle, Path):
        return _changed(obstacle, parts=tuple(shifted(part, dx, dy) for part in obstacle.parts))
    if isinstance(obstacle, (Polyline, Polygon)):
        return _changed(obstacle, points=[moved(point) for point in obstacle.points])
    names = next(names for kind, names in POINTS.items() if isinstance(obstacle, kind))
    return _changed(obstacle, **{name: moved(getattr(obstacle, name)) for name in names})


def drawn(kind: str, start: Point, end: Point) -> list[Obstacle]:
    """What a hand has drawn from one point to another, by one of KINDS: a segment; a circle from its centre to its edge; a block
    from corner to corner; half a circle; or a wall whose middle third is a gate or a door. ValueError where that is no shape."""
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
    if kind == "arc":
        center = (x0 + x1) / 2, (y0 + y1) / 2
        return Arc(center, math.dist(start, end) / 2, start, end)
    return Segment(start, end)


def opened(door: Door, time: float) -> Door:
    """A door that opens now, if it is closed, and stays open; or one that closes now, and stays closed."""
    times = tuple(pair for pair in door.open if pair[1] <= time)
    now = next((pair for pair in door.open if pair[0] <= time < pair[1]), None)
    if now is None:
        return _changed(door, open=(*times, (time, math.inf)))
    return _changed(door, open=times if now[0] == time else (*times, (now[0], time)))


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
    if isinstance(obstacle, Line):
        size, reach = math.hypot(*obstacle.normal), box.width + box.height
        along = np.array((-obstacle.normal[1], obstacle.normal[0])) / size * reach
        return [np.array((obstacle.point - along, obstacle.point + along))]
    return [np.array([part.start, part.end]) if isinstance(part, Segment) else points_of(part, MOST_ANGLE)
            for part in outline_of(obstacle)]
