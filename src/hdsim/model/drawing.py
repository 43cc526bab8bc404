"""`Drawing`: how bodies are drawn that are no circles in a box: outlines, slopes, the order from back to front, and lines."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

FACETS_MAX = 16         # pairs of opposite sides of a polygon that can be drawn


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
    lines: tuple[np.ndarray, ...] = ()  # (k, 2) each: polylines, in box length units
    pale: np.ndarray | None = None      # (n,): the share of the paper in the colours of bodies that are far from the eye
