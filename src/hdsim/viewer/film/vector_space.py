"""Spheres in a vector picture: discs from back to front, each with a line around it and a light side."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..draw.frame import Frame
from ..draw.space_view import SpaceView
from ..draw.theme import Color, Theme
from ..draw.wire import FRONT, before_spheres, wire

DARK, LIT = 0.45, 0.35          # of the line around a sphere, and of the light on it
GLEAM, AT = 0.55, (-0.27, 0.32)         # radius of the light over that of the sphere, and where its middle is, in radii
SMALLEST = 2.0                  # pixels: smaller spheres have neither


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
    radii, front, back = view.reach(frame.positions[which], frame.radii[which].astype(float)), *view.depths
    share = (view.fog * np.clip((front - depth) / (front - back), 0, 1))[:, None]
    paper, colors = np.array(theme.paper, float), frame.colors[which].astype(float)
    inks = [np.rint(ink + share * (paper - ink)).astype(int) for ink in (colors, DARK * colors, colors + LIT * (255 - colors))]
    for centre, radius, *own in zip(centres, radii.tolist(), *inks):
        _draw_sphere(canvas, centre, radius, own, 0.6 * line)
    lines = frame.drawing.lines if frame.drawing is not None else ()
    _draw_edges(canvas, before_spheres(view, box, lines), theme.outline, 0.75 * line, FRONT)
    for ends, color in box.thermal:
        _draw_edges(canvas, ends, color, line)


def _draw_sphere(canvas: Any, centre: np.ndarray, radius: float, inks: list[Any], line: float) -> None:
    """A disc, on it a smaller one for the light, and the line around it. inks: of the disc, the line and the light."""
    ink, dark, light = (tuple(each.tolist()) for each in inks)
    canvas.discs(centre[None], np.array([radius]), np.array([ink]))
    if radius >= SMALLEST:
        canvas.discs((centre + radius * np.array(AT))[None], np.array([GLEAM * radius]), np.array([light]))
        width = min(line, 0.35 * radius)
        canvas.rings(centre[None], np.array([radius - 0.5 * width]), dark, width)


def _draw_edges(canvas: Any, ends: np.ndarray, color: Color, width: float, alpha: float = 1.0) -> None:
    if len(ends):
        runs = [[(x0, y0), (x1, y1)] for x0, y0, x1, y1 in ends.tolist()]
        canvas.path(runs, stroke=color, width=width, alpha=alpha)
