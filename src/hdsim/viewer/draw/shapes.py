"""Shapes: what a page or a vector file draws at rest around the discs and between them, in the units of the box.

A page knows nothing of boxes and obstacles but this list, so whatever else is to be drawn at rest is added here."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ...model.box import Box
from ...model.drawn import drawn, runs_of
from ...model.gates import rule_of
from ...model.obstacles import Obstacle
from ...model.outlines import Solid
from ...model.pieces import Piece
from ...model.placed import states_of
from .frame import Frame
from .theme import LIGHT, Color, Theme
from .visible import has_rims

Shape = dict[str, Any]

DIGITS = 9      # significant ones of a number: a page has no use for more
GATE = 2        # colour of the palette for gates, which some discs pass
PALE = 0.55     # share of the paper in the colour that fills a coloured solid


def still_of(frame: Frame, theme: Theme) -> dict[str, Any]:
    """What is at rest in a frame: the scene of a page, see discs.js, without its theme. Of spheres nothing is: they can turn."""
    if frame.depth:
        return {"box": [frame.width, frame.height], "periodic": [False, False], "shapes": []}
    lines = () if frame.drawing is None else frame.drawing.lines        # of a space that is no box
    return {"box": [frame.width, frame.height], "periodic": list(frame.periodic), **({} if has_rims(frame) else {"rims": False}),
            "shapes": [*shapes_of(frame, frame.scenery, frame.time, theme),
                       *([{"paths": [line.tolist() for line in lines], "dashed": False}] if lines else [])]}


def still_key(frame: Frame) -> tuple[Any, ...]:
    """What `still_of` depends on besides the theme, to be compared."""
    return (frame.width, frame.height, frame.periodic, has_rims(frame), frame.scenery, states_of(frame.scenery, frame.time),
            [line.tobytes() for line in frame.drawing.lines] if frame.drawing is not None else [])


def shapes_of(box: Any, obstacles: Iterable[Obstacle] = (), time: float = 0.0, theme: Theme = LIGHT) -> list[Shape]:
    """The edges of the box, and the obstacles with all their images in it, as values for JSON. Each shape has

    paths   lists of pieces, each path drawn on its own: [x, y] is a point, reached by a line from the end of the piece before;
            [x, y, radius, begin, end] is an arc counterclockwise, angles in radians
    dashed  whether it is an edge that discs cross, or an obstacle that is not there at this time; None: without lines
    out     only of edges of the box: the direction [x, y] in which a line is shifted by half its width, so that it covers no disc
    color   [red, green, blue] of the lines, only if it is not that of walls
    area    only where no disc can be: its [red, green, blue]; it is that within the paths or, if `around` is given, around them

    Shapes that are alike but for their paths are one, because obstacles can be many; but not outlines that turn clockwise, or
    with the area around them, because areas of both kinds may overlap.
    """
    shapes, alike = _edges(box), dict[str, Shape]()
    for image in drawn(obstacles, Box(box.width, box.height, tuple(box.periodic)), time):
        ink, pale = colors_of(image.obstacle, theme)
        look: Shape = {"dashed": not image.there, **({} if ink == theme.outline else {"color": list(ink)})}
        area: Shape = {"area": list(pale), **({"around": True} if image.solid.base else {})} if image.solid else {}
        parts = [({**look, **area}, image.lines)]
        if area and image.area is not image.lines:
            parts = [(look, image.lines), ({"dashed": None, **area}, image.area)]
        for given, pieces in parts:
            own = "area" in given and image.solid != Solid(1, 0)
            key = repr(len(shapes) if own else given)
            if key not in alike:
                shapes.append(alike.setdefault(key, {"paths": [], **given}))
            alike[key]["paths"] += map(_path, runs_of(pieces))
    return [shape for shape in shapes if shape["paths"] or "area" in shape]


def colors_of(obstacle: Obstacle, theme: Theme) -> tuple[Color, Color]:
    """The colours of the lines of an obstacle and of its area."""
    if obstacle.color is None:
        return theme.outline if rule_of(obstacle) is None else theme.palette[GATE], theme.solid
    red, green, blue = (round(part + PALE * (paper - part)) for part, paper in zip(obstacle.color, theme.paper))
    return obstacle.color, (red, green, blue)


def _edges(box: Any) -> list[Shape]:
    w, h = float(box.width), float(box.height)
    x, y = map(bool, box.periodic)
    return [{"paths": [[start, end]], "dashed": dashed, "out": out} for start, end, dashed, out in (
        ([0.0, 0.0], [0.0, h], x, [-1, 0]), ([w, 0.0], [w, h], x, [1, 0]),
        ([0.0, 0.0], [w, 0.0], y, [0, -1]), ([0.0, h], [w, h], y, [0, 1]))]


def _path(run: Sequence[Piece]) -> list[list[float]]:
    first = [] if run[0].radius else [run[0].start]
    return [[float(f"{number:.{DIGITS}g}") for number in numbers] for numbers in (*first, *map(_numbers, run))]


def _numbers(piece: Piece) -> tuple[float, ...]:
    if piece.radius == 0:
        return piece.end
    (x, y), radius = piece.center, piece.radius
    begin, end = (math.atan2(py - y, px - x) for px, py in (piece.start, piece.end))
    return x, y, radius, begin, end if end > begin else end + 2 * math.pi       # full, if both are one
