"""What makes discs visible: the least radius at which they are drawn, and which of them need a rim."""
from __future__ import annotations

import math

import numpy as np

from ...model.drawing import Drawing
from .frame import Frame
from .theme import Color
from .view import AnyView

LEAST = 2.5             # least radius, window units ...
SPACING_SHARE = 1 / 3   # ... but at most this share of the mean spacing of the discs, so that a dense system stays readable
NEAR, LIGHTNESS = 0.2, np.array((0.299, 0.587, 0.114))      # as in `layers`


def least_radius(frame: Frame, view: AnyView, unit: float) -> float:
    """The least radius of a disc in pixels. unit: pixels per window unit. Of bodies that are longer, as rods are, the longer half
    has that length."""
    if len(frame) == 0:
        return 0.0
    shape = (frame.drawing or Drawing()).shape
    if frame.depth:
        spacing = view.scale * (math.prod(frame.lengths) / len(frame)) ** (1 / 3)
    else:
        spacing = view.scale * math.sqrt(frame.width) * math.sqrt(frame.height / len(frame))
    return min(LEAST * unit / max(shape.width, shape.height, 1.0), SPACING_SHARE * spacing)


def enlarges(frame: Frame, view: AnyView, unit: float) -> bool:
    """Whether any disc is drawn larger than it is."""
    return len(frame) > 0 and float(frame.radii.min()) * view.scale < least_radius(frame, view, unit)


def has_rims(frame: Frame) -> bool:
    """Whether discs that cannot be told from the paper get a rim. What is pale because it is far away gets none."""
    return frame.drawing is None or frame.drawing.pale is None


def rimmed(frame: Frame, paper: Color) -> np.ndarray:
    """(n,) bool: which discs of a frame need a rim on that paper."""
    return unseen_on(paper, frame.colors) if has_rims(frame) else np.zeros(len(frame), bool)


def unseen_on(paper: Color, colors: np.ndarray) -> np.ndarray:
    """(n,) bool: which colours, (n, 3) of 0 to 255, cannot be told from that of the paper, so that a disc needs a rim."""
    ink = (colors.astype(float) - np.array(paper)) / 255
    found: np.ndarray = (np.linalg.norm(ink, axis=1) < 2 * NEAR) & (np.abs(ink @ LIGHTNESS) < NEAR)
    return found
