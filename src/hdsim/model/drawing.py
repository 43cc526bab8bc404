"""`Drawing`: how bodies are drawn that are no circles in a box: outlines, slopes, the order from back to front, and lines."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

FACETS_MAX = 16         # pairs of opposite sides of a polygon that can be drawn
ROUND, CORNERED = 32, 96        # corners of a polygon in the place of an ellipse, and of another shape at most
STRAIGHT = 1e-9         # cross product of the edges at a corner, above which it is one


class Shape(NamedTuple):
    """The outline of a body of radius 1: where the norm of the offset (x, y) from the centre is 1."""

    exponent: float = 2.0       # of the norm (|x / width|^p + |y / height|^p)^(1/p); infinity: a rectangle
    width: float = 1.0          # half of it
    height: float = 1.0
    normals: tuple[tuple[float, float], ...] = ()       # of a polygon, max |n . (x, y)|, instead; at most FACETS_MAX


class Drawing(NamedTuple):
    """What a picture needs besides positions, radii and colours."""

    shape: Shape = Shape()
    # (n, 2): a body on a surface that leans away from the eye is narrower along this direction, by the length of the vector as a
    # fraction; None: none leans
    lean: np.ndarray | None = None
    order: np.ndarray | None = None     # (n,) indices of the bodies, from back to front; None: as they come
    lines: tuple[np.ndarray, ...] = ()  # (k, 2) each, in three dimensions (k, 3): polylines, in box length units
    pale: np.ndarray | None = None      # (n,): the share of the paper in the colours of bodies that are far from the eye

    @property
    def has_circles(self) -> bool:
        """Whether all bodies are circles."""
        return self.shape == Shape() and self.lean is None

    def outlines(self, positions: np.ndarray, radii: np.ndarray) -> np.ndarray:
        """(n, k, 2) corners of polygons in the place of the bodies, box lengths."""
        points = np.tile(unit_outline(self.shape), (len(radii), 1, 1))
        if self.lean is not None:
            slopes = np.hypot(*self.lean.T)
            along = self.lean / np.where(slopes > 0, slopes, 1.0)[:, None]
            points -= slopes[:, None, None] * (points @ along[:, :, None]) * along[:, None, :]
        found: np.ndarray = points * radii[:, None, None] + positions[:, None, :]
        return found


def section_of(lengths: np.ndarray, normal: np.ndarray, offset: float) -> np.ndarray:
    """(k, 3): the corners of the section of a box with the plane normal . x = offset, in their order around it and the first one
    again; (0, 3) if they do not meet."""
    corners = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]) * lengths
    heights = corners @ normal - offset
    points = [corners[i] + (corners[j] - corners[i]) * heights[i] / (heights[i] - heights[j]) for i in range(8) for j in range(i)
              if bin(i ^ j).count("1") == 1 and (heights[i] < 0) != (heights[j] < 0)]
    if len(points) < 3:
        return np.empty((0, 3))
    found, middle = np.array(points), np.mean(points, axis=0)
    across = found[0] - middle
    up = np.cross(normal, across)
    order = np.argsort(np.arctan2((found - middle) @ up / np.linalg.norm(up), (found - middle) @ across / np.linalg.norm(across)))
    return found[[*order, order[0]]]


def unit_outline(shape: Shape) -> np.ndarray:
    """(k, 2) corners of the outline of a body of radius 1 that does not lean, without those within a straight side."""
    angles = np.linspace(0, 2 * math.pi, ROUND if shape == Shape() else CORNERED, endpoint=False)
    rays = np.column_stack([np.cos(angles), np.sin(angles)])
    across = np.abs(rays) / (shape.width, shape.height)
    if shape.normals:
        norms = np.abs(rays @ np.transpose(shape.normals)).max(axis=1)
    elif math.isinf(shape.exponent):
        norms = across.max(axis=1)
    else:
        norms = (across**shape.exponent).sum(axis=1) ** (1 / shape.exponent)
    corners = rays / norms[:, None]
    before, after = corners - np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0) - corners
    found: np.ndarray = corners[before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] > STRAIGHT]
    return found
