"""Spheres in a vector picture: discs from back to front, each with light and shade on it and a line around it."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..draw.frame import Frame
from ..draw.space_view import SpaceView
from ..draw.theme import Color, Theme
from ..draw.wire import FRONT, before_spheres, wire

DARK = 0.45             # of the line around a sphere
SMALLEST = 2.0          # pixels: smaller spheres have no line, and no light and shade


def draw_space(canvas: Any, frame: Frame, view: SpaceView, theme: Theme, line: float) -> None:
    """Draw the box and its spheres on a canvas of `vector`. A slab cuts no sphere here: those whose middle is within it are
    drawn. line: width of edges, pixels."""
    box = wire(view, frame.periodic, theme, line, frame.walls)
    for face in box.faces:
        canvas.path([list(map(tuple, face.corners.tolist()))], fill=face.color, closed=True)
    _draw_edges(canvas, box.behind, theme.outline, 0.75 * line)
    bodies = view.bodies(frame.positions, frame.radii)
    near, far = view.planes
    inside = (bodies.eye[:, 2] < near) & (bodies.eye[:, 2] > far)
    which = bodies.which[inside]
    centres, depth = view.pixels(frame.positions[which]), bodies.eye[inside, 2]
    radii = view.reach(frame.positions[which], frame.radii[which].astype(float))
    share = view.paleness(depth)
    paper, colors = np.array(theme.paper, float), frame.colors[which].astype(float)
    inks, lines = (np.rint(ink + share * (paper - ink)).astype(int) for ink in (colors, DARK * colors))
    for centre, radius, ink, dark, strength in zip(centres, radii.tolist(), inks, lines.tolist(), (1 - share[:, 0]).tolist()):
        canvas.discs(centre[None], np.array([radius]), ink[None])
        if radius >= SMALLEST:
            canvas.shade(centre, radius, strength)
            width = min(0.6 * line, 0.35 * radius)
            canvas.rings(centre[None], np.array([radius - 0.5 * width]), dark, width)
    drawn = frame.drawing.lines if frame.drawing is not None else ()
    _draw_edges(canvas, before_spheres(view, box, drawn), theme.outline, 0.75 * line, FRONT)
    for ends, color in box.thermal:
        _draw_edges(canvas, ends, color, line)


def _draw_edges(canvas: Any, ends: np.ndarray, color: Color, width: float, alpha: float = 1.0) -> None:
    if len(ends):
        runs = [[(x0, y0), (x1, y1)] for x0, y0, x1, y1 in ends.tolist()]
        canvas.path(runs, stroke=color, width=width, alpha=alpha)
