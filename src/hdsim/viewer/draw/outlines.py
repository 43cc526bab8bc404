"""Outlines: bodies that are no circles, as polygons, for pages; windows draw them exactly, see `layers`."""
from __future__ import annotations

import math

import numpy as np

from ...model.drawing import Drawing, Shape
from .frame import Frame

ROUND, CORNERED = 32, 96        # corners of a polygon: of an ellipse, and of another shape


def outlines_of(frame: Frame) -> np.ndarray | None:
    """(n, k, 2) corners of the bodies of a frame, box lengths; None if all are circles."""
    drawing = frame.drawing
    if drawing is None or drawing.shape == Shape() and drawing.lean is None:
        return None
    unit = unit_outline(drawing)
    points = np.tile(unit, (len(frame), 1, 1))
    if drawing.lean is not None:
        slopes = np.hypot(*drawing.lean.T)
        along = drawing.lean / np.where(slopes > 0, slopes, 1.0)[:, None]
        points -= slopes[:, None, None] * (points @ along[:, :, None]) * along[:, None, :]
    return np.asarray(points * frame.radii[:, None, None] + frame.positions[:, None, :], np.float32)


def unit_outline(drawing: Drawing) -> np.ndarray:
    """(k, 2) corners of the outline of a body of radius 1 that does not lean."""
    shape = drawing.shape
    angles = np.linspace(0, 2 * math.pi, ROUND if shape == Shape() else CORNERED, endpoint=False)
    rays = np.column_stack([np.cos(angles), np.sin(angles)])
    across = np.abs(rays) / (shape.width, shape.height)
    if shape.normals:
        norms = np.abs(rays @ np.transpose(shape.normals)).max(axis=1)
    elif math.isinf(shape.exponent):
        norms = across.max(axis=1)
    else:
        norms = (across**shape.exponent).sum(axis=1) ** (1 / shape.exponent)
    corners: np.ndarray = rays / norms[:, None]
    return corners
