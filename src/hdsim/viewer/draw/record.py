"""Record: a pen that writes down what is drawn, for pages, which play it back (browser/screen.js). It needs neither OpenGL nor
fonts: letters are as wide as those of Helvetica, and a page squeezes letters that are wider.

A record is a list of pieces, one for each `flush`. A piece that is as before keeps its number and is not sent again."""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...model import pieces
from ...model.box import Box
from ...model.drawn import drawn, runs_of
from ...model.outlines import points_of
from ...model.placed import states_of
from .area import Area
from .frame import Frame, images
from .letters import PIXELS_PER_POINT, width_of
from .obstacle_shapes import ABSENT
from .pen import Kept, Pen
from .shapes import colors_of
from .space_view import SpaceView
from .theme import Color, Theme
from .thumbnail import Thumbnail
from .view import View
from .visible import least_radius, rimmed
from .wire import FRONT, before_spheres, dashes, wire

STEPS = 8               # coordinates are whole numbers of 1 / STEPS pixels
ROWS_MOST = 20_000      # shapes of one piece; of more, such as very long trails, the latest are kept
FEW = 16                # corners of a round body in a small picture
DARK, GLEAM, LIT = 0.75, 0.8, (-0.12, 0.14)     # of a sphere in a small picture: its dark side, and the disc of its light side
CHORD = 0.15            # radians of an arc that is drawn as a line in a small picture
EDGE = 1.5              # width of edges and obstacles of a small picture, window units
ANCHORS = {"left": 0, "center": 1, "right": 2}

Piece = tuple[int, bytes]       # number and JSON


class RecordPen(Pen):
    """Records one picture after another: `begin`, any drawing, `end`.

    A piece in JSON: {"c": [left, bottom, right, top], "s": [...], "t": [...]}, each left out where there is nothing. A shape is
    [kind, half, corner, color, alpha, places], see `Pen._put`; color 0xrrggbb and alpha of 0 to 255 are one for all, or lists;
    places has four numbers for each, in 1 / STEPS pixels, as `c` has. A text is [text, x, y, size in pixels, color, alpha, bold,
    anchor, width]. In the place of "s" and "t", "p" has polygons, [color, corners]."""

    def __init__(self, numbers: Iterator[int]) -> None:
        """numbers: of new pieces, ascending. `latest`: the largest one so far."""
        super().__init__(lambda places: Pictures(self))
        self._numbers, self.latest = numbers, 0
        self._known: dict[bytes, int] = {}      # the pieces of the latest picture
        self._pieces: list[bytes] = []
        self._again: list[Kept] = []            # kept drawings of the piece that is drawn
        # Pieces of the latest and of this picture that are kept drawings, by id, with the drawing, so that the id stays its own.
        self._were_kept: dict[Any, tuple[Kept, bytes]] = {}
        self._are_kept: dict[Any, tuple[Kept, bytes]] = {}

    def write(self, text: str, x: float, y: float, color: Color, size: float = 10.0, *, anchor: str = "left",
              bold: bool = False, alpha: float = 1.0) -> float:
        width = self.text_width(text, size, bold=bold)
        if text:
            self._texts.append([text, round(x, 1), round(y, 1), round(self._pixels(size), 2), _packed(color),
                                round(255 * float(alpha)), int(bold), ANCHORS[anchor], round(width, 1)])
        return width

    def text_width(self, text: str, size: float = 10.0, *, bold: bool = False) -> float:
        return width_of(text, bold) * self._pixels(size)

    def _pixels(self, size: float) -> float:
        return max(size, self.smallest) * self.unit * PIXELS_PER_POINT

    def again(self, kept: Kept) -> None:
        self._again.append(kept)
        super().again(kept)

    def flush(self, clip: tuple[float, float, float, float] | None = None) -> None:
        """Add a piece. One that is a kept drawing and nothing else is encoded once."""
        only = self._again[0] if len(self._again) == 1 else None
        if only is None or len(self._shapes) > len(only.shapes) or len(self._texts) > len(only.texts):
            data = self._piece(clip)
        else:
            key = id(only), clip
            known = self._were_kept.get(key)
            data = self._piece(clip) if known is None else known[1]
            self._are_kept[key] = only, data
        if data:
            self._pieces.append(data)
        self._shapes.clear()
        self._texts.clear()
        self._again.clear()

    def _piece(self, clip: tuple[float, float, float, float] | None) -> bytes:
        piece: dict[str, Any] = {}
        if self._shapes:
            piece["s"] = encoded(np.concatenate(self._shapes))
        if self._texts:
            piece["t"] = self._texts
        if piece and clip is not None:
            piece["c"] = [round(STEPS * edge) for edge in clip]
        return _json(piece) if piece else b""

    def add(self, piece: dict[str, Any]) -> None:
        """Add a piece to the picture."""
        self._pieces.append(_json(piece))

    def polygons(self, corners: np.ndarray, colors: np.ndarray, clip: Area) -> None:
        """Add a piece of n filled polygons: (n, k, 2) corners in pixels, (n, 3) colours, the first one at the back."""
        self.flush(clip)
        self.add({"c": [round(STEPS * edge) for edge in clip], "p": [[_packed(color), places] for color, places in zip(
            colors.tolist(), np.rint(STEPS * corners).astype(int).reshape(len(corners), -1).tolist())]})

    @property
    def count(self) -> int:
        """How many pieces the picture has so far."""
        return len(self._pieces)

    def end(self, held: Sequence[Piece] = ()) -> list[Piece]:
        """The pieces of the picture, from back to front. held: pieces of the latest picture that are shown again, over those that
        have been drawn now."""
        self.flush()
        known = {data: self._known.get(data) or next(self._numbers) for data in self._pieces}
        self.latest = max([self.latest, *known.values()])
        found = [*((known[data], data) for data in self._pieces), *held]
        self._known, self._pieces = known | {data: number for number, data in held}, []
        self._were_kept, self._are_kept = self._are_kept | (self._were_kept if held else {}), {}
        return found


def _json(piece: dict[str, Any]) -> bytes:
    return json.dumps(piece, ensure_ascii=False, separators=(",", ":")).encode(errors="backslashreplace")


def encoded(rows: np.ndarray) -> list[list[Any]]:
    """Shapes, as rows of a pen, for JSON; neighbours that are alike but for their places and colours are one."""
    rows = rows[-ROWS_MOST:]
    if not np.isfinite(rows).all():
        rows = rows[np.isfinite(rows).all(axis=1)]
    places = np.rint(np.clip(rows[:, 3:7] * np.float32(STEPS), -1e6, 1e6)).astype(int)
    places[:, 3] = np.where(rows[:, 0] == 1.0, rows[:, 6], places[:, 3])
    colors = np.rint(rows[:, 7:10] * 255).astype(int) @ (1 << 16, 1 << 8, 1)
    alphas = np.rint(rows[:, 10] * 255).astype(int)
    starts = [0, *(np.flatnonzero((rows[1:, :3] != rows[:-1, :3]).any(axis=1)) + 1).tolist(), len(rows)]
    return [[int(rows[i, 0]), round(float(rows[i, 1]), 2), round(float(rows[i, 2]), 2), _one_or_all(colors[i:j].tolist()),
             _one_or_all(alphas[i:j].tolist()), places[i:j].ravel().tolist()] for i, j in pairwise(starts) if j > i]


def _one_or_all(values: list[int]) -> int | list[int]:
    return values[0] if values.count(values[0]) == len(values) else values


def _packed(color: Color) -> int:
    return int(color[0]) << 16 | int(color[1]) << 8 | int(color[2])


class Still(NamedTuple):
    """What is drawn of the obstacles of a small picture, in box units. lines: (k, 8), of each both ends, its colour and its
    opacity. areas: each with its colour, its outlines, (m, 2) each, and whether it is that around them."""

    lines: np.ndarray
    areas: list[tuple[Color, list[np.ndarray], bool]]


class Pictures:
    """Small pictures in motion, with the methods of `thumbnails.Thumbnails`."""

    def __init__(self, pen: RecordPen) -> None:
        self._pen = pen
        self._still: dict[int, tuple[Any, Still]] = {}      # by place: obstacles and where they are, and what is drawn of them

    def draw(self, shown: Sequence[Thumbnail], size: tuple[int, int], clip: Area, theme: Theme, pixels: float) -> None:
        """Draw thumbnails within `clip`, over a background of the theme. size: of the picture."""
        pen = self._pen
        pen.box(*clip, theme.surround)
        pen.flush()
        for thumbnail in shown:
            frame, view = thumbnail.frame, thumbnail.view(size, pixels)
            if isinstance(view, SpaceView):
                self._draw_spheres(frame, view, clip, theme, pixels)
                continue
            (left, bottom), (right, top) = view.to_pixel(0, 0), view.to_pixel(frame.width, frame.height)
            box = Area(left, bottom, right, top)
            inside = self._draw_still(thumbnail, view, box, clip, theme, pixels)
            seen, frame = inside if any(frame.periodic) else clip, _with_images(frame)
            order = slice(None) if frame.drawing is None or frame.drawing.order is None else frame.drawing.order
            radii = np.maximum(frame.radii * view.scale, least_radius(frame, view, pixels))
            if frame.drawing is None or frame.drawing.has_circles:
                places, faint = frame.positions * view.scale + np.array(view.origin), rimmed(frame, theme.paper)
                pen.dots(places[order], radii[order], frame.colors[order])
                pen.rings(places[faint], radii[faint] - 0.5 * pixels, theme.faint, pixels)
                pen.flush(seen)
            else:
                corners = frame.drawing.outlines(frame.positions, radii / view.scale)
                corners = corners[:, ::max(corners.shape[1] // FEW, 1)] * view.scale + view.origin
                pen.polygons(corners[order], frame.colors[order], seen)

    def _draw_still(self, thumbnail: Thumbnail, view: View, box: Area, clip: Area, theme: Theme, pixels: float) -> Area:
        """Draw the box with its obstacles, and return the part of it that is seen: that within `clip`."""
        pen, frame, line = self._pen, thumbnail.frame, EDGE * pixels
        inside = Area(*np.maximum(box[:2], clip[:2]).tolist(), *np.minimum(box[2:], clip[2:]).tolist())
        still = self._still_of(thumbnail, theme, line / view.scale)
        pen.box(*box, theme.paper)
        for color, outlines, around in still.areas:
            if around:
                pen.box(*box, color)
            for outline in outlines:
                pen.polygons((outline * view.scale + view.origin)[None], np.array([theme.paper if around else color]), inside)
        pen.lines(_edges(box, frame.periodic, line), theme.outline, line)
        pen.flush(clip)
        pen.lines(still.lines[:, :4] * view.scale + np.tile(view.origin, 2), still.lines[:, 4:7], line, still.lines[:, 7])
        for points in () if frame.drawing is None else frame.drawing.lines:
            pen.polyline(np.asarray(points) * view.scale + view.origin, theme.outline, pixels)
        pen.flush(inside)
        return inside

    def _draw_spheres(self, frame: Frame, view: SpaceView, clip: Area, theme: Theme, pixels: float) -> None:
        """Draw spheres as discs with a light side, from back to front, and their box."""
        pen, box = self._pen, wire(view, frame.periodic, theme, 1.5 * pixels, frame.walls)
        for corners, color in box.faces:
            pen.polygons(corners[None], np.array([color]), clip)
        pen.lines(box.behind, theme.outline, pixels)
        bodies = view.bodies(frame.positions, frame.radii, least_radius(frame, view, pixels))
        growth = view.scale / (1 - bodies.eye[:, 2] * view.nearness)
        centres, radii = bodies.eye[:, :2] * growth[:, None] + np.array(view.middle), bodies.radii * growth
        back = view.paleness(bodies.eye[:, 2])
        inks = frame.colors[bodies.which] * (1 - back) + back * np.array(theme.paper)
        pairs = (np.stack(pair, axis=1) for pair in ((centres, centres + radii[:, None] * LIT), (radii, GLEAM * radii),
                                                     (DARK * inks, inks)))
        centres, radii, inks = (pair.reshape(-1, *pair.shape[2:]) for pair in pairs)
        pen.dots(centres, radii, inks)
        pen.lines(before_spheres(view, box), theme.outline, pixels, FRONT)
        for ends, color in box.thermal:
            pen.lines(ends, color, pixels)
        pen.flush(clip)

    def _still_of(self, thumbnail: Thumbnail, theme: Theme, line: float) -> Still:
        """What is drawn of the obstacles of a system. line: width of lines, in box units."""
        frame = thumbnail.frame
        key = frame.scenery, states_of(frame.scenery, frame.time), theme, line
        if self._still.get(thumbnail.place, (None, None))[0] != key:
            lines, areas = [np.empty((0, 8))], []
            for image in drawn(frame.scenery, Box(frame.width, frame.height, tuple(frame.periodic)), frame.time):
                ink, pale = colors_of(image.obstacle, theme)
                ends = np.vstack([np.empty((0, 4)), *(_ends(_points(piece), image.there, line) for piece in image.lines)])
                lines.append(np.hstack([ends, np.tile((*ink, 1.0 if image.there else ABSENT), (len(ends), 1))]))
                if image.solid:
                    outlines = [np.concatenate([_points(piece) for piece in run]) for run in runs_of(image.area)]
                    areas.append((pale, outlines, bool(image.solid.base)))
            self._still[thumbnail.place] = key, Still(np.vstack(lines), areas)
        return self._still[thumbnail.place][1]

    def delete(self) -> None:
        self._still.clear()


def _points(piece: pieces.Piece) -> np.ndarray:
    return points_of(piece, CHORD) if piece.radius else np.array(piece[:2])


def _with_images(frame: Frame) -> Frame:
    """The frame with the images of its bodies across periodic edges as further bodies."""
    centres, which = images(frame)
    if not len(which):
        return frame
    return replace(frame, positions=np.concatenate([frame.positions, centres]),
                   radii=np.append(frame.radii, frame.radii[which]), colors=np.concatenate([frame.colors, frame.colors[which]]))


def _ends(points: np.ndarray, there: bool, line: float) -> np.ndarray:
    """(k, 4): the pieces of a line through points, (m, 2), dashed unless it is `there`."""
    pairs = list(pairwise(points))
    return np.vstack([dashes(*pair, line) for pair in pairs]) if not there else np.array([np.concatenate(pair) for pair in pairs])


def _edges(box: Area, periodic: tuple[bool, ...], line: float) -> np.ndarray:
    """(k, 4): the edges of a box, both ends of each; periodic ones are dashes."""
    low, high = np.array(box[:2]), np.array(box[2:])
    beside, above = np.array((box.right, box.bottom)), np.array((box.left, box.top))
    return np.vstack([dashes(*ends, line) if periodic[axis] else np.concatenate(ends)[None]
                      for axis, ends in ((0, (low, above)), (0, (beside, high)), (1, (low, beside)), (1, (above, high)))])
