"""Shapes: what a page draws once around the discs and between them, as lines and arcs in the units of the box.

A page knows nothing of boxes and obstacles but this list, so whatever else is to be drawn at rest is added here."""
from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...model.obstacles import Arc, Obstacle, Point
from ...model.outlines import is_there, outline_of, shifts_of

Shape = dict[str, Any]


def shapes_of(box: Any, obstacles: Iterable[Obstacle] = (), time: float = 0.0) -> list[Shape]:
    """The edges of the box, and the pieces of the obstacles with all their images in it, as values for JSON. Each shape has

    kind    "line", with `at` = [x0, y0, x1, y1], or "arc", with `at` = [x, y, radius, begin, end], counterclockwise, radians
    dashed  whether it is an edge that discs cross, or an obstacle that is not there at this time
    out     only of walls: the direction [x, y] in which the line is shifted by half its width, so that it covers no disc
    color   [red, green, blue], only if it is not that of walls

    Half-planes are not drawn, because they have no ends."""
    return [*_edges(box), *(shape for obstacle in obstacles for shape in _pieces(obstacle, box, not is_there(obstacle, time)))]


def _edges(box: Any) -> list[Shape]:
    w, h = float(box.width), float(box.height)
    x, y = map(bool, box.periodic)
    return [{"kind": "line", "at": at, "dashed": dashed, "out": out} for at, dashed, out in (
        ([0.0, 0.0, 0.0, h], x, [-1, 0]), ([w, 0.0, w, h], x, [1, 0]),
        ([0.0, 0.0, w, 0.0], y, [0, -1]), ([0.0, h, w, h], y, [0, 1]))]


def _pieces(obstacle: Obstacle, box: Any, dashed: bool) -> list[Shape]:
    color = {} if obstacle.color is None else {"color": list(obstacle.color)}
    return [{"kind": kind, "at": at, "dashed": dashed, **color} for shift in shifts_of(obstacle, box)
            for kind, at in (_placed(piece, shift) for piece in outline_of(obstacle))]


def _placed(piece: Any, shift: Point) -> tuple[str, list[float]]:
    """The kind of a segment or an arc and its `at`, moved by `shift`."""
    dx, dy = shift
    if not isinstance(piece, Arc):
        return "line", [piece.start[0] + dx, piece.start[1] + dy, piece.end[0] + dx, piece.end[1] + dy]
    (x, y), begin, end = piece.center, *(math.atan2(point[1] - piece.center[1], point[0] - piece.center[0])
                                         for point in (piece.start, piece.end))
    return "arc", [x + dx, y + dy, piece.radius, begin, end if end > begin else end + 2 * math.pi]      # full, if both are one
