"""Obstacles as arrays for the graphics card: lines and arcs, and outlines of solids."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...model.box import Box
from ...model.drawn import Drawn, drawn
from ...model.obstacles import Obstacle
from ...model.pieces import Piece
from .shapes import colors_of
from .theme import Color, Theme

SEGMENT, ARC, RING = range(3)      # kinds of strokes: a line, part of a circle, a circle
STROKE_COLUMNS = 14     # kind, dashed, four of place, directions of an arc's start and end, red, green, blue, alpha
ABSENT = 0.5            # opacity of an obstacle that is not there at this time


@dataclass
class Fill:
    """Regions in which no disc can be, of one colour: where the sum of turns of the outlines, plus `base`, is above 0."""

    color: Color
    base: int = 0
    triangles: list[np.ndarray] = field(default_factory=list)   # (k, 3): x, y and the sign with which a turn counts
    caps: list[Any] = field(default_factory=list)               # (8,): an arc and that sign, for the area beside its chord

    def add(self, image: Drawn) -> None:
        """Add the area of one image of an obstacle."""
        assert image.solid is not None
        sign, base = image.solid
        self.base += base
        area = [part for piece in image.area for part in _halved(piece)]
        self.caps += ([*arc.center, arc.radius, *arc.start, *arc.end, sign] for arc in area if arc.radius)
        if len(area) >= 3:      # the triangles between the first point and each pair of neighbouring points
            points = np.array([piece.start for piece in area])
            corners = np.stack([np.broadcast_to(points[0], points[1:-1].shape), points[1:-1], points[2:]], axis=1).reshape(-1, 2)
            self.triangles.append(np.column_stack([corners, np.full(len(corners), sign)]).astype(np.float32))


@dataclass
class Shapes:
    """All obstacles at one time. strokes: (k, STROKE_COLUMNS) float32."""

    strokes: np.ndarray
    fills: list[Fill]


def shapes_of(obstacles: Sequence[Obstacle], box: Box, time: float | None, theme: Theme) -> Shapes:
    """The obstacles in the colours of the theme; those that are not there at this time are dashed and not filled. time: None for
    all as if they were there."""
    rows: list[tuple[float, ...]] = []
    fills: dict[Color, Fill] = {}
    for image in drawn(obstacles, box, time):
        ink, pale = colors_of(image.obstacle, theme)
        if image.solid:
            fills.setdefault(pale, Fill(pale)).add(image)
        look = *(part / 255 for part in ink), 1.0 if image.there else ABSENT
        rows += ((_kind(piece), not image.there, *_place(piece), *look) for piece in image.lines)
    return Shapes(np.array(rows, np.float32).reshape(-1, STROKE_COLUMNS), list(fills.values()))


def _halved(piece: Piece) -> tuple[Piece, ...]:
    """A piece as pieces of at most half a circle, or as the whole circle that it is: what is beside the chord of one is not wider
    than the chord."""
    if piece.radius == 0 or piece.is_full or not _place(piece)[3]:
        return piece,
    (sx, sy), (ex, ey), (cx, cy), radius = piece
    share = radius / math.hypot(ex - sx, ey - sy)
    middle = cx + share * (ey - sy), cy - share * (ex - sx)
    return piece._replace(end=middle), piece._replace(start=middle)


def _kind(piece: Piece) -> int:
    return SEGMENT if piece.radius == 0 else RING if piece.is_full else ARC


def _place(piece: Piece) -> tuple[float, ...]:
    """Of a straight piece its ends; else centre, radius, 1 for more than half a circle or else 0, and the unit vectors towards
    start and end."""
    (cx, cy), radius = piece.center, piece.radius
    if radius == 0:
        return (*piece.start, *piece.end, 0, 0, 0, 0)
    (sx, sy), (ex, ey) = (((x - cx) / radius, (y - cy) / radius) for x, y in (piece.start, piece.end))
    cross, dot = sx * ey - sy * ex, sx * ex + sy * ey
    return cx, cy, radius, int(cross < 0 or (cross == 0 and dot > 0)), sx, sy, ex, ey
