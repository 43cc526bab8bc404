"""Wire: the box of three dimensions in a picture: its faces behind the spheres, and its edges behind and before them; and the
numbers that sphere.glsl needs. Nothing of OpenGL."""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...model.box import WALLS
from ...model.drawing import section_of
from ...model.tinted import tint
from .space_view import CORNERS, SpaceView
from .theme import Color, Theme

FLAT = 1e-9             # cosine below which a face is seen from the side
DASH, SPACE = 3.0, 3.0  # of edges between periodic faces, in widths of lines
FRONT = 0.55            # opacity of the edges before the spheres
FAR = 1e30              # in the place of infinity
SHADE = 0.45            # share of the surround in the darkest face
TINT = 0.55             # share of the colour of its temperature in a thermal face
INSET = 0.96            # size of the outline of a thermal face before the spheres, over that of the face
LIGHT = np.array((-0.36, 0.48, 0.8))        # as in sphere.glsl


class Face(NamedTuple):
    """A face of the box that is seen from inside."""

    corners: np.ndarray     # (4, 2) pixels, in their order around it
    color: Color


class Wire(NamedTuple):
    """The box. Edges are (k, 4) pixels, both ends of each; those between periodic faces are many short pieces. thermal: outlines
    within the thermal faces before the spheres, with their colours."""

    faces: list[Face]
    behind: np.ndarray
    before: np.ndarray
    thermal: list[tuple[np.ndarray, Color]] = []


def wire(view: SpaceView, periodic: tuple[bool, ...], theme: Theme, line: float, walls: Mapping[str, Any] | None = None) -> Wire:
    """The box as it is seen. line: width of the edges, pixels. walls: its thermal sides, which are tinted."""
    tints = tints_of(walls or {})
    pixels = view.pixels(view.corners)
    away = {(axis, side): _is_away(view, axis, side) for axis in range(3) for side in (0, 1)}
    faces = [Face(pixels[_around(*face)], _mixed(_shade(view, *face, theme), tints.get(face))) for face, turned in away.items()
             if turned]
    thermal = [(_outline(view.pixels(_inset(view, *face))), color) for face, color in tints.items() if not away[face]]
    found: dict[bool, list[np.ndarray]] = {True: [np.empty((0, 4))], False: [np.empty((0, 4))]}
    for i, j in EDGES:
        across = [axis for axis in range(3) if CORNERS[i, axis] == CORNERS[j, axis]]
        hidden = all(away[axis, int(CORNERS[i, axis])] for axis in across)
        open_ = all(periodic[axis] for axis in across)
        found[hidden].append(dashes(pixels[i], pixels[j], line) if open_ else np.append(pixels[i], pixels[j])[None])
    return Wire(faces, np.concatenate(found[True]), np.concatenate(found[False]), thermal)


def before_spheres(view: SpaceView, box: Wire, lines: Iterable[np.ndarray] = ()) -> np.ndarray:
    """(k, 4) pixels of all that is drawn before the spheres: edges of the box, sections of the box with the planes of the slab,
    and lines in the box, (m, 3) each."""
    towards = np.array(view.pose[2])
    sections = [section_of(np.array(view.lengths), towards, plane + float(towards @ view.target)) for plane in view.planes
                if math.isfinite(plane)]
    runs = [view.pixels(points) for points in (*sections, *lines)]
    return np.concatenate([box.before, *(np.hstack([run[:-1], run[1:]]) for run in runs if len(run))])


def dashes(start: np.ndarray, end: np.ndarray, line: float) -> np.ndarray:
    """(k, 4): the dashes of a line between two pixels."""
    length = float(np.linalg.norm(end - start))
    count = max(int(length / ((DASH + SPACE) * line)), 1)
    begins = np.arange(count)[:, None] / count
    ends = begins + DASH / (DASH + SPACE) / count
    return np.hstack([start + begins * (end - start), start + ends * (end - start)])


def _is_away(view: SpaceView, axis: int, side: int) -> bool:
    """Whether a face is seen from inside the box, behind what is in it."""
    towards = np.array(view.pose[2])
    sign = 1.0 if side else -1.0
    if math.isinf(view.distance):
        return sign * float(towards[axis]) < -FLAT
    eye = np.array(view.target) + view.distance * towards
    return sign * float(eye[axis] - side * view.lengths[axis]) < -FLAT * view.distance


def _around(axis: int, side: int) -> list[int]:
    """The corners of a face in their order around it, as indices of CORNERS."""
    own = np.flatnonzero(CORNERS[:, axis] == side).tolist()
    return [own[0], own[1], own[3], own[2]]


def _shade(view: SpaceView, axis: int, side: int, theme: Theme) -> Color:
    """The colour of a face: that of the paper, darker the more it turns from the light."""
    inwards = np.array(view.pose)[:, axis] * (-1.0 if side else 1.0)
    share = SHADE * (1.0 - max(float(inwards @ LIGHT), 0.0))
    red, green, blue = (round(paper + share * (round_ - paper)) for paper, round_ in zip(theme.paper, theme.surround))
    return red, green, blue


def tints_of(walls: Mapping[str, Any]) -> dict[tuple[int, int], Color]:
    """The colours of thermal faces, by axis and side."""
    temperatures = [wall.temperature for wall in walls.values()]
    return {(WALLS.index(name) // 2, WALLS.index(name) % 2): tint(wall.temperature, min(temperatures), max(temperatures))
            for name, wall in walls.items()}


def _mixed(color: Color, other: Color | None) -> Color:
    """A colour with that of a temperature in it."""
    if other is None:
        return color
    red, green, blue = (round(a + TINT * (b - a)) for a, b in zip(color, other))
    return red, green, blue


def _inset(view: SpaceView, axis: int, side: int) -> np.ndarray:
    """(4, 3): the corners of a face, drawn together to its middle."""
    corners: np.ndarray = view.corners[_around(axis, side)]
    middle = corners.mean(axis=0)
    return middle + INSET * (corners - middle)


def _outline(corners: np.ndarray) -> np.ndarray:
    """(4, 4): the edges of a rectangle, both ends of each."""
    return np.hstack([corners, np.roll(corners, -1, axis=0)])


def uniforms(view: SpaceView, theme: Theme, line: float) -> dict[str, object]:
    """The values of the uniforms of `sphere.glsl`, and `target`, the size of the picture, and `middle`. line: width of the
    edges of the box, pixels."""
    near, far = view.planes
    return {"target": view.size, "middle": view.middle, "scale": view.scale, "nearness": view.nearness,
            "planes": (min(near, FAR), max(far, -FAR)), "depths": view.depths, "fog": view.fog, "line": 0.6 * line,
            "paper": _unit(theme.paper), "faint": _unit(theme.faint)}


def _unit(color: Color) -> tuple[float, float, float]:
    return color[0] / 255, color[1] / 255, color[2] / 255


EDGES = [(i, j) for i in range(8) for j in range(i + 1, 8) if int(np.abs(CORNERS[i] - CORNERS[j]).sum()) == 1]
