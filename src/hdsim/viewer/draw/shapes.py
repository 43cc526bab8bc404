"""Shapes: what a page draws once around the discs and between them, as lines and arcs in the units of the box.

A page knows nothing of boxes and obstacles but this list, so whatever else is to be drawn at rest is added here."""
from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...model.obstacles import Arc, Obstacle, arcs_of, segments_of

Shape = dict[str, Any]


def shapes_of(box: Any, obstacles: Iterable[Obstacle] = ()) -> list[Shape]:
    """The edges of the box and the pieces of the obstacles, as values for JSON. Each shape has

    kind    "line", with `at` = [x0, y0, x1, y1], or "arc", with `at` = [x, y, radius, begin, end], counterclockwise, radians
    dashed  whether it is an edge that discs cross
    out     only of walls: the direction [x, y] in which the line is shifted by half its width, so that it covers no disc
    color   [red, green, blue], only if it is not that of walls

    Half-planes are not drawn, because they have no ends."""
    return [*_edges(box), *(shape for obstacle in obstacles for shape in _pieces(obstacle))]


def _edges(box: Any) -> list[Shape]:
    w, h = float(box.width), float(box.height)
    x, y = map(bool, box.periodic)
    return [{"kind": "line", "at": at, "dashed": dashed, "out": out} for at, dashed, out in (
        ([0.0, 0.0, 0.0, h], x, [-1, 0]), ([w, 0.0, w, h], x, [1, 0]),
        ([0.0, 0.0, w, 0.0], y, [0, -1]), ([0.0, h, w, h], y, [0, 1]))]


def _pieces(obstacle: Obstacle) -> list[Shape]:
    found: list[Shape] = [{"kind": "line", "at": [*start, *end], "dashed": False} for start, end in segments_of(obstacle)]
    found += [{"kind": "arc", "at": _swept(arc), "dashed": False} for arc in arcs_of(obstacle)]
    for shape in found if obstacle.color is not None else ():
        shape["color"] = list(obstacle.color or ())
    return found


def _swept(arc: Arc) -> list[float]:
    """Centre, radius and the angles of both ends of an arc; a full circle if its ends are one point."""
    (x, y), begin, end = arc.center, *(math.atan2(point[1] - arc.center[1], point[0] - arc.center[0])
                                       for point in (arc.start, arc.end))
    return [x, y, arc.radius, begin, end if end > begin else end + 2 * math.pi]
