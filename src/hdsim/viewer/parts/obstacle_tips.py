"""A label beside the mouse that names the obstacle there, its feature, how it moves, its restitution, and the times between which
it is there."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...language import tr
from ...language.numerals import number
from ...model.gates import spans_of
from ...model.motion import velocity_at
from ...model.obstacles import Obstacle
from ..playback.wording import surface_name
from ..stage.obstacle_picking import ObstacleFinder
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
        self._finder = ObstacleFinder()

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
        x, y = self.stage.box_view.point(*self._mouse).tolist()
        if disc_at(frame, x, y, 0.0) is not None:
            return ""
        found = self._finder.at(frame, x, y, SLACK * self.stage.unit / self.stage.box_view.scale)
        if found is None:
            return ""
        obstacle = frame.obstacles[found.number]
        said = surface_name(None, found.number, found.feature, frame.obstacles) + law_of(obstacle, frame.time)
        spans = spans_of(obstacle)
        here = next((span for span in spans if span[0] <= frame.time < span[1]), None)
        later = next((since for since, _ in spans if since > frame.time), None)
        if here is not None:
            return said + (tr(": until t = {time:.6g}", time=here[1]) if math.isfinite(here[1]) else "")
        if later is not None:
            return said + tr(": comes at t = {time:.6g}", time=later)
        return said + tr(": has gone at t = {time:.6g}", time=max((until for _, until in spans), default=obstacle.until))

    def draw_over(self, pen: Pen) -> None:
        if self._said:
            self._said = self._text()       # the obstacle may have moved away
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


def law_of(obstacle: Obstacle, time: float) -> str:
    """How an obstacle moves at a time, its own coefficient of restitution and its temperature, to be said behind its name."""
    vx, vy = velocity_at(obstacle, time)
    return ((tr(", velocity {vx}, {vy}", vx=number(vx), vy=number(vy)) if vx or vy else "")
            + (tr(", restitution {e}", e=number(obstacle.restitution)) if obstacle.restitution is not None else "")
            + (tr(", temperature {T}", T=number(obstacle.temperature)) if obstacle.temperature is not None else ""))
