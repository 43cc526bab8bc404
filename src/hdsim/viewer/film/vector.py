"""Vector pictures: a system as shapes of any size, for papers, in SVG and PDF. They need neither a display nor OpenGL.

Discs have their true radii, however small they are."""
from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from ...model.box import lengths_of
from ...model.roles import Shaped, offers, on_paper
from ..draw.area import Area
from ..draw.frame import Frame, images
from ..draw.legend import draw_legend
from ..draw.letters import width_of
from ..draw.look import Look
from ..draw.paragraphs import Measures
from ..draw.shapes import Shape, shapes_of
from ..draw.space_view import SpaceView
from ..draw.styling import Styling, picture_styling
from ..draw.theme import THEMES, Color, Theme
from ..draw.view import View
from ..draw.visible import rimmed
from .image import LINE, height_below, legend_area, picture_size, picture_unit, picture_view
from .pdf import PdfCanvas
from .svg import PIXELS_PER_POINT, Arc, Point, Run, SvgCanvas
from .vector_space import draw_space

Canvas = SvgCanvas | PdfCanvas      # collects shapes and text, the first ones at the back
CANVASES: dict[str, type[Canvas]] = {".svg": SvgCanvas, ".pdf": PdfCanvas}
SUFFIXES = tuple(CANVASES)
ABSENT = 0.5            # opacity of the lines of an obstacle that is not there
WIDER = 1.15            # how much wider the letters of another font than Helvetica are, at most


class VectorPen(Measures):
    """The methods of `draw.pen.Pen` that legends and arrows call, for a canvas."""

    def __init__(self, canvas: Canvas, size: tuple[int, int], unit: float) -> None:
        self._canvas = canvas
        self.size, self.unit = size, unit

    def lines(self, ends: np.ndarray, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        """Add k lines. ends: (k, 4)."""
        if len(ends):
            self._canvas.path([[(x0, y0), (x1, y1)] for x0, y0, x1, y1 in np.asarray(ends).tolist()], stroke=color, width=width,
                              alpha=alpha)

    def ring(self, x: float, y: float, radius: float, color: Color, width: float = 1.5) -> None:
        """Add a circle."""
        self._canvas.rings(np.array([(x, y)]), np.array([radius]), color, width)

    def boxes(self, corners: np.ndarray, colors: np.ndarray) -> None:
        """Add k filled rectangles, (k, 4), in colours (k, 3)."""
        for (left, bottom, right, top), color in zip(np.asarray(corners).tolist(), np.asarray(colors).tolist()):
            self._canvas.path([[(left, bottom), (right, bottom), (right, top), (left, top)]], fill=tuple(color), closed=True)

    def write(self, text: str, x: float, y: float, color: Color, size: float = 10.0, *, anchor: str = "left",
              bold: bool = False) -> float:
        """Add one line of text; returns its width in pixels, about."""
        anchors = {"left": "start", "center": "middle", "right": "end"}
        self._canvas.write(text, x, y, color, size * self.unit, anchors[anchor], bold)
        return self.text_width(text, size, bold=bold)

    def text_width(self, text: str, size: float = 10.0, *, bold: bool = False) -> float:
        """The width of a line of text in pixels, about."""
        return width_of(text, bold) * size * self.unit * PIXELS_PER_POINT * WIDER


def save_vector(path, system: Any, width: int | None = None, height: int | None = None, look: Look | None = None) -> None:
    """Write a picture of the present state of the system as SVG or PDF, by the suffix of `path`.

    width, height: in CSS pixels, 96 of which are an inch; None: by the shape of the box, see `picture_size`. look: as for
    `snapshot`. ValueError for another suffix, and for a gas in another space; ImportError for .pdf without matplotlib;
    OSError."""
    suffix = Path(path).suffix
    if suffix not in CANVASES:
        raise ValueError(f"{os.fspath(path)}: expected a file that ends in {' or '.join(SUFFIXES)}")
    system = on_paper(system)
    if offers(system, Shaped) and len(lengths_of(system.box)) == 2:
        raise ValueError(f"{os.fspath(path)}: a vector picture has discs in a box only; a .png shows this gas")
    size = picture_size(system.box, width, height)
    if min(size) < 1:
        raise ValueError(f"width and height must be at least 1 pixel, got {size[0]} x {size[1]}")
    styling = picture_styling(system, look)
    theme = THEMES[styling.look.theme]
    canvas = CANVASES[suffix](*size, theme.surround)
    draw_vector(canvas, Frame.of(system), size, theme, styling)
    canvas.save(path)


def draw_vector(canvas: Canvas, frame: Frame, size: tuple[int, int], theme: Theme, styling: Styling) -> None:
    """Draw a frame on a canvas of `size` pixels: box, obstacles, discs, and by a styling arrows and legend."""
    unit = picture_unit(theme, size)
    strip = styling.strip(False) * unit
    below = height_below(strip, unit, size[1])
    view = picture_view(frame, *size, below, styling.look.orbit)
    if isinstance(view, SpaceView):
        draw_space(canvas, styling.painted(frame), view, theme, LINE * unit)
    else:
        _draw_box(canvas, frame, view, theme, LINE * unit)
        _draw_discs(canvas, styling.painted(frame), view, theme, LINE * unit)
    pen: Any = VectorPen(canvas, size, unit)
    styling.draw(pen, view, frame, Area(0, below, *size))
    if below:
        draw_legend(pen, theme, legend_area(view, below, strip, unit), styling.explained())


def _box_area(frame: Frame, view: View, far: float = 0.0) -> Area:
    """The box in pixels, without the edges between walls, where nothing is cut off: those are `far` away."""
    (left, bottom), (right, top) = view.to_pixel(0, 0), view.to_pixel(frame.width, frame.height)
    x, y = (0.0 if periodic else far for periodic in frame.periodic)
    return Area(left - x, bottom - y, right + x, top + y)


def _draw_box(canvas: Canvas, frame: Frame, view: View, theme: Theme, line: float) -> None:
    """Draw the paper, and the edges of the box and the obstacles, which are cut off at the box."""
    box = _box_area(frame, view)
    corners: Run = [(box.left, box.bottom), (box.right, box.bottom), (box.right, box.top), (box.left, box.top)]
    canvas.path([corners], fill=theme.paper, closed=True)
    shapes = shapes_of(frame, frame.scenery, frame.time, theme)
    obstacles = [shape for shape in shapes if "out" not in shape]
    if obstacles:
        canvas.clip(box)
        for shape in obstacles:
            _draw_shape(canvas, shape, view, theme, line, corners)
        canvas.clip(None)
    for shape in shapes:
        if "out" in shape:
            (dx, dy), (start, end) = shape["out"], shape["paths"][0]
            along = [np.add(view.to_pixel(*point), (0.5 * line * dx, 0.5 * line * dy)) for point in (start, end)]
            reach = 0.5 * line if not shape["dashed"] else 0.0
            ends = [tuple((place + reach * np.sign(place - other) * np.abs((dy, dx))).tolist())
                    for place, other in (along, along[::-1])]
            canvas.path([ends], stroke=theme.outline, width=line, dash=3 * line if shape["dashed"] else 0.0)


def _draw_shape(canvas: Canvas, shape: Shape, view: View, theme: Theme, line: float, corners: Run) -> None:
    """Draw an obstacle: its area, then its lines."""
    runs = [_run(path, view) for path in shape["paths"]]
    if "area" in shape:
        runs_of_area = list(runs)
        if shape.get("around"):     # the box, turned against the outline
            turns = sum(_signed_area(run) for run in runs)
            runs_of_area.append(list(corners) if turns < 0 else list(corners)[::-1])
        canvas.path(runs_of_area, fill=tuple(shape["area"]), closed=True)
    if shape["dashed"] is not None:
        color = tuple(shape.get("color", theme.outline))
        canvas.path(runs, stroke=color, width=line, dash=3 * line if shape["dashed"] else 0.0,
                    alpha=ABSENT if shape["dashed"] else 1.0)


def _run(path: list[list[float]], view: View) -> Run:
    """A path of `shapes` in pixels."""
    return [view.to_pixel(*piece) if len(piece) == 2 else
            Arc(*view.to_pixel(*piece[:2]), piece[2] * view.scale, *piece[3:]) for piece in path]


def _signed_area(run: Run) -> float:
    """About the area within a run, negative if it turns clockwise; only the sign counts."""
    points: list[Point] = []
    for piece in run:
        if isinstance(piece, Arc):
            points += [(piece.x + piece.radius * math.cos(angle), piece.y + piece.radius * math.sin(angle))
                       for angle in np.linspace(piece.begin, piece.end, 16)]
        else:
            points.append(piece)
    x, y = np.array(points).T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def _draw_discs(canvas: Canvas, frame: Frame, view: View, theme: Theme, line: float) -> None:
    """Draw all discs and their images, cut off at periodic edges; a disc that would not be seen on the paper has a rim."""
    if len(frame) == 0:
        return
    centres, which = images(frame)
    places = np.concatenate([frame.positions, centres]).astype(float) * view.scale + np.array(view.origin)
    which = np.concatenate([np.arange(len(frame)), which])
    radii, colors = frame.radii[which].astype(float) * view.scale, frame.colors[which]
    if any(frame.periodic):
        canvas.clip(_box_area(frame, view, far=max(view.size)))
    canvas.discs(places, radii, colors)
    if (faint := rimmed(frame, theme.paper)[which]).any():
        width = np.minimum(0.75 * line, 0.4 * radii[faint])
        canvas.rings(places[faint], radii[faint] - width / 2, theme.faint, float(width.max()))
    if any(frame.periodic):
        canvas.clip(None)
