"""A label beside the mouse that names the obstacle there, its feature, and the times between which it is there."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...language import tr
from ...model.box import Box
from ...model.clearance import bounds_of
from ...model.gates import spans_of
from ...model.obstacles import Obstacle
from ...model.outlines import Finder, shifts_of
from ..draw.frame import Frame
from ..playback.wording import surface_name
from ..stage.part import Part
from ..stage.picking import disc_at
from ..stage.stage import Stage

if TYPE_CHECKING:
    from ..draw.pen import Pen

SLACK = 6.0             # window units: the mouse this close to a line is on it
SIZE = 9.5              # of the letters
AWAY = 14.0             # distance of the label from the mouse, window units


class ObstacleTips(Part):
    """Names the obstacle whose line is under the mouse, unless a disc is there."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._mouse: tuple[float, float] | None = None      # pixels; None outside the picture
        self._said = ""
        self._known: tuple[Obstacle, ...] = ()              # the obstacles of the arrays below
        self._bounds = np.empty((0, 4))                     # left, bottom, right and top of each image ...
        self._images: list[tuple[int, float, float]] = []   # ... its obstacle, and where it is
        self._finders: dict[int, Finder] = {}               # by index, made when they are needed

    @property
    def said(self) -> str:
        """The text of the label; "" if there is none."""
        return self._said

    def mouse_moved(self, x: float, y: float) -> bool:
        self._mouse = (x, y) if self.stage.picture_area().holds(x, y) else None
        said = self._text()
        if said or self._said:
            self._said = said
            self.stage.refresh()
        return False

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._said = ""
        return False

    def _text(self) -> str:
        """What to say of the obstacle under the mouse."""
        frame = self.stage.playback.frame
        if self._mouse is None or not frame.obstacles:
            return ""
        x, y = self.stage.box_view.to_box(*self._mouse)
        if disc_at(frame, x, y, 0.0) is not None:
            return ""
        found = self._obstacle_at(frame, x, y, SLACK * self.stage.unit / self.stage.box_view.scale)
        if found is None:
            return ""
        index, feature = found
        obstacle = frame.obstacles[index]
        said = surface_name(None, index, feature, frame.obstacles)
        spans = spans_of(obstacle)
        here = next((span for span in spans if span[0] <= frame.time < span[1]), None)
        later = next((since for since, _ in spans if since > frame.time), None)
        if here is not None:
            return said + (tr(": until t = {time:.6g}", time=here[1]) if math.isfinite(here[1]) else "")
        if later is not None:
            return said + tr(": comes at t = {time:.6g}", time=later)
        return said + tr(": has gone at t = {time:.6g}", time=max((until for _, until in spans), default=obstacle.until))

    def _obstacle_at(self, frame: Frame, x: float, y: float, slack: float) -> tuple[int, str] | None:
        """The index of the obstacle of which a line is within `slack` of a place, and the feature there."""
        if self._known is not frame.obstacles:
            self._read(frame)
        left, bottom, right, top = self._bounds.T
        near = np.flatnonzero((x >= left - slack) & (x <= right + slack) & (y >= bottom - slack) & (y <= top + slack))
        best: tuple[float, int, str] | None = None
        for k in near.tolist():
            index, shift_x, shift_y = self._images[k]
            if index not in self._finders:
                self._finders[index] = Finder(frame.obstacles[index])
            found = self._finders[index].at(x - shift_x, y - shift_y)
            if found.distance <= slack and (best is None or found.distance < best[0]):
                best = found.distance, index, found.feature
        return best and best[1:]

    def _read(self, frame: Frame) -> None:
        """Note where all images of the obstacles are."""
        box, bounds = Box(frame.width, frame.height, frame.periodic), []
        self._known, self._images, self._finders = frame.obstacles, [], {}
        for index, obstacle in enumerate(frame.obstacles):
            own = np.array(bounds_of(obstacle))
            for shift_x, shift_y in shifts_of(obstacle, box):
                self._images.append((index, shift_x, shift_y))
                bounds.append(own + (shift_x, shift_y, shift_x, shift_y))
        self._bounds = np.array(bounds)

    def draw_over(self, pen: Pen) -> None:
        if not self._said or self._mouse is None:
            return
        theme, unit, area = self.stage.theme, pen.unit, self.stage.picture_area()
        width = pen.text_width(self._said, SIZE) + 12 * unit
        left = min(max(self._mouse[0] + AWAY * unit, area.left), max(area.right - width, area.left))
        bottom = self._mouse[1] + AWAY * unit
        if bottom + 20 * unit > area.top:
            bottom = self._mouse[1] - (AWAY + 20) * unit
        pen.box(left, bottom, left + width, bottom + 20 * unit, theme.panel, 0.95, corner=4 * unit)
        pen.box(left, bottom, left + width, bottom + 20 * unit, theme.faint, 0.6, corner=4 * unit, width=unit)
        pen.write(self._said, left + 6 * unit, bottom + 6 * unit, theme.text, SIZE)
