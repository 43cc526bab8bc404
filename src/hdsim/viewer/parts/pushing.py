"""Pushing: a piston is held by the mouse while the run goes on, as by a very heavy hand, and follows it.

In each tick it gets the velocity with which it reaches the mouse, but no more than a hand has; its contacts with discs are exact.
When it is let go, it has its mass again. A click chooses it, which shows its card."""
from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...model.box import lengths_of
from ...model.offering import lacking
from ...model.piston import Piston
from ..draw.pen import Pen
from ..draw.view import AnyView
from ..playback.playback import HELD
from ..stage import keys
from ..stage.aim import Aim
from ..stage.obstacle_picking import ObstacleFinder
from ..stage.part import Part
from ..stage.picking import disc_at
from ..stage.stage import Stage
from .building import Building

SLACK = 8.0             # window units: the mouse this close to a piston is on it
HEAVY = 1e6             # mass of a piston that is held, over that of all discs
FASTEST = 2.0           # of the usual speed of discs: that of a hand
STILL = 4.0             # window units: a shorter drag is a click
MARGIN = 1e-3           # of the box: how far before a side a piston is held


class Pushing(Part):
    """The piston that is held, if there is one."""

    def __init__(self, stage: Stage, building: Building) -> None:
        super().__init__(stage)
        self._building = building
        self._pressed: tuple[float, float] | None = None        # pixel, until the mouse moves
        self._finder, self._aim = ObstacleFinder(), Aim(stage)
        self._held: int | None = None           # its number among the obstacles
        self._mass, self._mouse = 1.0, 0.0      # its own mass; the coordinate of the mouse on its axis, length units

    @property
    def held(self) -> int | None:
        """The number of the piston that is held, or None."""
        return self._held

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        stage, frame = self.stage, self.stage.playback.frame
        if (button != keys.LEFT_BUTTON or stage.playback.paused or stage.playback.seeking or not frame.obstacles
                or not stage.picture_area().holds(x, y) or lacking(stage.playback.system, "obstacles")):
            return False
        across, up = stage.box_view.point(x, y).tolist()
        found = self._finder.at(frame, across, up, SLACK * stage.unit / stage.box_view.scale)
        if found is None or disc_at(frame, across, up, 0.0) is not None or not isinstance(frame.obstacles[found.number], Piston):
            return False
        piston = frame.obstacles[found.number]
        self._held, self._mass, self._mouse, self._pressed = found.number, piston.mass, piston.place, (x, y)
        stage.playback.one_by_one = True        # in a second frame of one tick it would fly on past the mouse
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._pressed is not None and math.dist(self._pressed, (x, y)) < STILL * self.stage.unit:
            return True
        self._pressed = None
        if self._held is not None and (piston := self._piston(self.stage.playback.frame.obstacles)) is not None:
            self._mouse = float(self.stage.box_view.point(x, y)[piston.axis])
        return self._held is not None

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        held, click, self._pressed = self._held, self._pressed is not None, None
        if held is None:
            return False
        if click:
            self._building.choose(held)
        else:
            self._change(lambda old: replace(old, mass=self._mass))
        self._held, self.stage.playback.one_by_one = None, False
        return True

    def ticking(self) -> None:
        playback = self.stage.playback
        if self._held is None or self._pressed is not None or playback.paused or playback.seeking:
            return
        duration, fastest = playback.end_of_frame - playback.system.time, FASTEST * self._aim.usual_speed()
        masses = np.asarray(playback.system.masses, float)
        heavy = max(HEAVY * float(masses[np.isfinite(masses)].sum()), self._mass)
        lengths = lengths_of(playback.system.box)

        def drive(old: Piston) -> Piston:
            edge = MARGIN * lengths[old.axis]
            way = min(max(self._mouse, edge), lengths[old.axis] - edge) - old.place
            return replace(old, mass=heavy, velocity=min(max(way / duration, -fastest), fastest))
        self._change(drive)

    def _piston(self, obstacles: Any) -> Piston | None:
        """The piston that is held, among these obstacles."""
        found = obstacles[self._held] if self._held is not None and self._held < len(obstacles) else None
        return found if isinstance(found, Piston) else None

    def _change(self, change: Any) -> None:
        """Replace the piston by what `change` makes of it, as an edit; a piston that is gone is let go."""
        def action(system: Any) -> None:
            if (piston := self._piston(system.obstacles)) is None:
                self._held, self.stage.playback.one_by_one = None, False
                return
            with system.edit() as draft:
                draft.obstacles[self._held] = change(piston)
        self.stage.playback.change(action, HELD)

    def system_changed(self) -> None:
        if self._held is not None and self._piston(self.stage.playback.system.obstacles) is None:
            self._held, self.stage.playback.one_by_one = None, False

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        frame = self.stage.playback.frame
        if (piston := self._piston(frame.obstacles)) is not None:
            ends = [[piston.foot[0], piston.foot[1]], [piston.foot[0], frame.height] if piston.axis == 0 else
                    [frame.width, piston.foot[1]]]
            pen.polyline(view.pixels(np.array(ends)), self.stage.theme.accent, 4 * pen.unit, 0.7)
