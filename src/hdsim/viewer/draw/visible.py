"""The least radius at which discs are drawn, so that they can be seen."""
from __future__ import annotations

import math

from .frame import Frame
from .view import AnyView

LEAST = 2.5             # least radius, window units ...
SPACING_SHARE = 1 / 3   # ... but at most this share of the mean spacing of the discs, so that a dense system stays readable


def least_radius(frame: Frame, view: AnyView, unit: float) -> float:
    """The least radius of a disc in pixels. unit: pixels per window unit."""
    if len(frame) == 0:
        return 0.0
    if frame.depth:
        spacing = view.scale * (math.prod(frame.lengths) / len(frame)) ** (1 / 3)
    else:
        spacing = view.scale * math.sqrt(frame.width) * math.sqrt(frame.height / len(frame))
    return min(LEAST * unit, SPACING_SHARE * spacing)


def enlarges(frame: Frame, view: AnyView, unit: float) -> bool:
    """Whether any disc is drawn larger than it is."""
    return len(frame) > 0 and float(frame.radii.min()) * view.scale < least_radius(frame, view, unit)
