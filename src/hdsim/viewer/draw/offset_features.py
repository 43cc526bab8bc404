"""The curve on which the centre of a disc turns (`model.turning`), as lines of a picture."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...model.box import Box
from ...model.obstacles import Obstacle
from ...model.turning import Stretch, curve
from .frame import Frame
from .pen import Pen
from .theme import Color
from .view import View

STEP = 2.0              # pixels between two points of an arc


class Inks(NamedTuple):
    """The colours of the pieces of the curve, by the feature that the disc touches there."""

    faces: Color
    arcs: Color
    caps: Color
    walls: Color


class OffsetLines:
    """The curve as lines, which are kept as long as it is the same."""

    def __init__(self) -> None:
        self._key: tuple[Any, ...] = ()
        self._scale = 0.0
        self._curve: list[Stretch] = []
        self._lines: list[tuple[int, np.ndarray]] = []      # kind and ends, (k, 4), box units

    def draw(self, pen: Pen, frame: Frame, obstacles: Sequence[Obstacle], radius: float, view: View, inks: Inks,
             line: float) -> None:
        """Draw the curve for a disc of this radius among these obstacles, which must be there now and act on it."""
        key = tuple(obstacles), radius, frame.width, frame.height, frame.periodic
        if key != self._key:
            self._key, self._scale = key, 0.0
            self._curve = curve(key[0], radius, Box(frame.width, frame.height, frame.periodic))
        if self._scale != view.scale:
            self._scale = view.scale
            self._lines = [(int(each.kind), each.lines(STEP / view.scale)) for each in self._curve]
        colors = inks.faces, inks.caps, inks.arcs, inks.arcs, inks.walls
        for kind, ends in self._lines:
            pen.lines(ends * view.scale + np.tile(view.origin, 2), colors[kind], line)
