"""Shapes: what a page draws at rest around the discs and between them, in the units of the box.

A page knows nothing of boxes and obstacles but this list, so whatever else is to be drawn at rest is added here."""
from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...model.box import Box
from ...model.gates import Gate, is_there
from ...model.obstacles import Arc, Line, Obstacle, Segment
from ...model.outlines import Solid, outline_of, shifts_of, solid_of
from .obstacle_shapes import GATE, HUGE, MARGIN, PALE, behind, chords, clipped
from .theme import LIGHT, Color, Theme

Shape = dict[str, Any]
Piece = list[float]

DIGITS = 9      # significant ones of a number: a page has no use for more


def shapes_of(box: Any, obstacles: Iterable[Obstacle] = (), time: float = 0.0, theme: Theme = LIGHT) -> list[Shape]:
    """The edges of the box, and the obstacles with all their images in it, as values for JSON. Each shape has

    paths   lists of pieces, each path drawn on its own: [x, y] is a point, reached by a line from the end of the piece before;
            [x, y, radius, begin, end] is an arc counterclockwise, angles in radians; [x0, y0, x1, y1] is a line for itself
    dashed  whether it is an edge that discs cross, or an obstacle that is not there at this time
    out     only of edges of the box: the direction [x, y] in which a line is shifted by half its width, so that it covers no disc
    color   [red, green, blue] of the lines, only if it is not that of walls
    area    only where no disc can be: its [red, green, blue]; it is that within the paths or, if `around` is given, around them
    """
    drawing = _Drawing(Box(box.width, box.height, tuple(box.periodic)), theme)
    for obstacle in obstacles:
        drawing.add(obstacle, is_there(obstacle, time))
    return [*_edges(box), *drawing.shapes]


def _edges(box: Any) -> list[Shape]:
    w, h = float(box.width), float(box.height)
    x, y = map(bool, box.periodic)
    return [{"paths": [[start, end]], "dashed": dashed, "out": out} for start, end, dashed, out in (
        ([0.0, 0.0], [0.0, h], x, [-1, 0]), ([w, 0.0], [w, h], x, [1, 0]),
        ([0.0, 0.0], [w, 0.0], y, [0, -1]), ([0.0, h], [w, h], y, [0, 1]))]


class _Drawing:
    """Collects shapes; those that are alike but for their paths are one, because obstacles can be many."""

    def __init__(self, box: Box, theme: Theme) -> None:
        self.shapes: list[Shape] = []
        self._box, self._theme = box, theme
        self._alike: dict[Any, Shape] = {}
        self._side = max(box.width, box.height)
        room = MARGIN * self._side
        self._low, self._high = np.array((-room, -room)), np.array((box.width + room, box.height + room))

    def add(self, obstacle: Obstacle, there: bool) -> None:
        color, area = self._colors(obstacle)
        if isinstance(obstacle, Line):
            self._add_line(obstacle, there, color, area)
            return
        solid = solid_of(obstacle) if there else None
        for shift in map(np.array, shifts_of(obstacle, self._box)):
            self._add_image(obstacle, shift, solid, dict(dashed=not there, **color), area)

    def _colors(self, obstacle: Obstacle) -> tuple[dict[str, Any], Color]:
        """The colour of the lines of an obstacle, if it is one of its own, and that of its area."""
        theme, color = self._theme, obstacle.color
        if color is None:
            return ({"color": list(theme.palette[GATE])} if isinstance(obstacle, Gate) else {}), theme.solid
        red, green, blue = (round(part + PALE * (paper - part)) for part, paper in zip(color, theme.paper))
        return {"color": list(color)}, (red, green, blue)

    def _add_image(self, obstacle: Obstacle, shift: np.ndarray, solid: Solid | None, given: dict[str, Any], area: Color) -> None:
        parts = outline_of(obstacle)
        far = max(abs(number) for part in parts for number in (*np.add(part.start, shift), *_center(part, shift)))
        if far > HUGE * self._side:
            lines, outline = self._cut(parts, shift)
            self._put(lines, given)
            if solid is not None and len(outline):
                self._put([outline.tolist()], given, area, solid, no_lines=True)
            return
        path: list[Piece] = []
        if isinstance(parts[0], Segment):
            path.append(_point(parts[0].start, shift))
        for part in parts:
            path.append(_point(part.end, shift) if isinstance(part, Segment) else _turn(part, shift))
        self._put([path], given, area, solid)

    def _cut(self, parts: tuple[Segment | Arc, ...], shift: np.ndarray) -> tuple[list[list[Piece]], np.ndarray]:
        """The lines near the box and the outline, (k, 2), of a shape that reaches too far for the numbers of a page."""
        runs = [np.array([part.start, part.end]) if isinstance(part, Segment) else chords(part, self._box) for part in parts]
        lines = np.concatenate([np.hstack([run[:-1], run[1:]]) for run in runs]) + np.tile(shift, 2)
        outline = np.concatenate([run[:-1] for run in runs]) + shift
        for ahead in np.eye(2):
            outline = behind(behind(outline, self._high, ahead), self._low, -ahead) if len(outline) else outline
        return [[piece] for piece in clipped(lines, self._low, self._high).tolist()], outline

    def _add_line(self, line: Line, there: bool, color: dict[str, Any], area: Color) -> None:
        """Add a half-plane: its edge near the box, and the part of the box behind it."""
        ahead = np.array(line.normal) / math.hypot(*line.normal)
        along, reach = np.array((-ahead[1], ahead[0])), 2 * float(np.hypot(*(self._high - self._low)))
        middle = (self._low + self._high) / 2
        foot = middle - ((middle - np.array(line.point)) @ ahead) * ahead
        given = dict(dashed=not there, **color)
        if np.hypot(*(middle - foot)) < reach:
            edge = clipped(np.array([(*(foot - reach * along), *(foot + reach * along))]), self._low, self._high)
            self._put([[piece] for piece in edge.tolist()], given)
        (x0, y0), (x1, y1) = self._low, self._high
        polygon = behind(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), np.array(line.point), ahead)
        if there and len(polygon):
            self._put([polygon.tolist()], given, area, Solid(1, 0), no_lines=True)

    def _put(self, paths: list[list[Piece]], given: dict[str, Any], area: Color | None = None, solid: Solid | None = None,
             no_lines: bool = False) -> None:
        """Add paths, to a shape that is alike if there is one. An outline that turns clockwise, or with the area around it, is a
        shape for itself, because areas of both kinds may overlap."""
        shape: Shape = {"paths": [], **given}
        if solid is not None and area is not None:
            shape["area"] = list(area)
            if solid.base:
                shape["around"] = True
        if no_lines:
            shape["dashed"] = None
        if solid is None or solid == (1, 0):
            shape = self._alike.setdefault(repr(shape), shape)
        if not shape["paths"]:
            self.shapes.append(shape)
        shape["paths"] += [[[_short(number) for number in piece] for piece in path] for path in paths]


def _center(part: Segment | Arc, shift: np.ndarray) -> Iterator[float]:
    return iter(()) if isinstance(part, Segment) else iter((part.center[0] + shift[0], part.center[1] + shift[1], part.radius))


def _point(point: tuple[float, float], shift: np.ndarray) -> Piece:
    return [point[0] + shift[0], point[1] + shift[1]]


def _turn(arc: Arc, shift: np.ndarray) -> Piece:
    begin, end = (math.atan2(y - arc.center[1], x - arc.center[0]) for x, y in (arc.start, arc.end))
    return [*_point(arc.center, shift), arc.radius, begin, end if end > begin else end + 2 * math.pi]   # full, if both are one


def _short(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
