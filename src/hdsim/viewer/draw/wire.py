"""Wire: the box of three dimensions in a picture: its faces behind the spheres, and its edges behind and before them. Numbers only."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .space_view import CORNERS, SpaceView
from .theme import Color, Theme

FLAT = 1e-9             # cosine below which a face is seen from the side
DASH, SPACE = 3.0, 3.0  # of edges between periodic faces, in widths of lines
SHADE = 0.45            # share of the surround in the darkest face
LIGHT = np.array((-0.36, 0.48, 0.8))        # as in sphere.glsl


class Face(NamedTuple):
    """A face of the box that is seen from inside."""

    corners: np.ndarray     # (4, 2) pixels, in their order around it
    color: Color


class Wire(NamedTuple):
    """The box. Edges are (k, 4) pixels, both ends of each; those between periodic faces are many short pieces."""

    faces: list[Face]
    behind: np.ndarray
    before: np.ndarray


def wire(view: SpaceView, periodic: tuple[bool, ...], theme: Theme, line: float) -> Wire:
    """The box as it is seen. line: width of the edges, pixels."""
    pixels = view.pixels(view.corners)
    away = {(axis, side): _is_away(view, axis, side) for axis in range(3) for side in (0, 1)}
    faces = [Face(pixels[_around(axis, side)], _shade(view, axis, side, theme)) for (axis, side), turned in away.items() if turned]
    found: dict[bool, list[np.ndarray]] = {True: [np.empty((0, 4))], False: [np.empty((0, 4))]}
    for i, j in EDGES:
        across = [axis for axis in range(3) if CORNERS[i, axis] == CORNERS[j, axis]]
        hidden = all(away[axis, int(CORNERS[i, axis])] for axis in across)
        open_ = all(periodic[axis] for axis in across)
        found[hidden].append(dashes(pixels[i], pixels[j], line) if open_ else np.append(pixels[i], pixels[j])[None])
    return Wire(faces, np.concatenate(found[True]), np.concatenate(found[False]))


def slab_outline(view: SpaceView) -> np.ndarray:
    """(k, 4) pixels: the edges of the sections of the box with the planes of the slab; empty where nothing is cut off."""
    rows, eye = [np.empty((0, 4))], view.eye(view.corners)
    for plane in view.planes:
        if math.isfinite(plane):
            points = []
            for i, j in EDGES:
                a, b = eye[i, 2] - plane, eye[j, 2] - plane
                if (a < 0) != (b < 0):
                    points.append(eye[i] + (eye[j] - eye[i]) * a / (a - b))
            if len(points) > 2:
                flat = np.array(points)
                turn = np.argsort(np.arctan2(*(flat[:, :2] - flat[:, :2].mean(axis=0)).T))
                ends = view.pixels(flat[turn] @ np.array(view.pose) + np.array(view.target))
                rows.append(np.hstack([ends, np.roll(ends, -1, axis=0)]))
    return np.concatenate(rows)


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


EDGES = [(i, j) for i in range(8) for j in range(i + 1, 8) if int(np.abs(CORNERS[i] - CORNERS[j]).sum()) == 1]
