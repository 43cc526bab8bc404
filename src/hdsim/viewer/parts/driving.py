"""Driving: the chosen obstacle gets a velocity by the tip of its arrow or by keys, goes to and fro, and gets a coefficient of
restitution, while the run is paused. Every change is an edit, as in building.py."""
from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...language import tr
from ...model.driven import driven, may_be_driven, shaken, shaking_of
from ...model.motion import moves, velocity_at
from ...model.obstacles import Obstacle
from ...model.offering import lacking
from ..draw.pen import Pen
from ..draw.view import AnyView
from ..stage import keys
from ..stage.aim import FASTER, TURN, Aim, Moving, turned
from ..stage.commands import MODIFIERS
from ..stage.part import Part
from ..stage.stage import Stage
from .building import Building
from .menu import Entry

BEGIN = 16.0            # window units from the middle of an obstacle, to which the clearance of its arrow comes
SLOW = 0.25             # of the usual speed of discs: that of an obstacle which begins to move
SWING = 0.1             # of the shorter side of the box: how far an obstacle goes that goes to and fro
COEFFICIENTS = (1.0, 0.9, 0.7, 0.5, 0.0)    # of restitution, to choose from


class Driving(Part):
    """The arrow of the chosen obstacle, and the lines of its menu about motion and restitution."""

    def __init__(self, stage: Stage, building: Building) -> None:
        super().__init__(stage)
        self._building, self._aim = building, Aim(stage)
        self._mouse: tuple[float, float] | None = None      # pixel to which the tip is dragged

    # what menus and programs do

    def entries(self, obstacle: Obstacle) -> list[Entry]:
        """The lines of the menu of an obstacle, which is the chosen one."""
        own = obstacle.restitution
        found = [Entry(tr("contacts keep {share} of the normal speed", share=f"{100 * e:g} %"), partial(self.set_restitution, e),
                       "", own == e) for e in COEFFICIENTS]
        found.append(Entry(tr("contacts are as with walls"), partial(self.set_restitution, None), "", own is None))
        if not may_be_driven(obstacle):
            return found
        if obstacle.FREE:
            return found
        to_and_fro = shaking_of(obstacle) is not None
        return [Entry(tr("stands still"), partial(self.set_velocity, (0.0, 0.0)), "", not moves(obstacle)),
                Entry(tr("moves: drag the tip of its arrow"), self.go, "", moves(obstacle) and not to_and_fro),
                Entry(tr("moves to and fro"), self.shake, "", to_and_fro), *found]

    def set_velocity(self, velocity: tuple[float, float]) -> None:
        """Let the chosen obstacle move with this velocity from where it is now, or, if it goes to and fro, go on so."""
        time = self.stage.playback.system.time

        def change(old: Any) -> Obstacle:
            period = shaking_of(old)
            return shaken(old, time, velocity, period) if period and any(velocity) else driven(old, time, velocity)
        self._building.change(change)

    def go(self) -> None:
        """Let the chosen obstacle move on with its velocity, or, if it is at rest, slowly to the right."""
        time, velocity = self.stage.playback.system.time, self._velocity_or_slow()
        self._building.change(lambda old: driven(old, time, velocity))

    def shake(self) -> None:
        """Let the chosen obstacle go to and fro from where it is now."""
        frame, velocity = self.stage.playback.frame, self._velocity_or_slow()
        period = 2 * SWING * min(frame.width, frame.height) / math.hypot(*velocity)
        self._building.change(lambda old: shaken(old, frame.time, velocity, period))

    def set_restitution(self, value: float | None) -> None:
        """Set the coefficient of restitution of the chosen obstacle; None: that of the walls."""
        self._building.change(lambda old: replace(old, restitution=value))

    def _velocity_or_slow(self) -> tuple[float, float]:
        vx, vy = self._velocity().tolist()
        return (vx, vy) if vx or vy else (SLOW * self._aim.usual_speed(), 0.0)

    # the chosen obstacle

    def _driven(self) -> Obstacle | None:
        """The chosen obstacle, if it can be given a velocity now."""
        playback, obstacle = self.stage.playback, self._building.chosen_obstacle
        if obstacle is None or not playback.paused or playback.seeking or not may_be_driven(obstacle):
            return None
        return None if lacking(playback.system, "obstacles") else obstacle

    def _velocity(self) -> np.ndarray:
        obstacle = self._building.chosen_obstacle
        return np.array((0.0, 0.0) if obstacle is None else velocity_at(obstacle, self.stage.playback.frame.time))

    def _place(self) -> Moving:
        return Moving(*self._building.chosen_middle(), BEGIN * self.stage.unit)

    def _tip(self) -> tuple[float, float]:
        return self._aim.tip(self._place(), *self._velocity().tolist())

    # keys and mouse

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        """Shift with an arrow changes the velocity of the chosen obstacle, if no disc is selected."""
        if modifiers != MODIFIERS["Shift"] or self.stage.selected is not None or self._driven() is None:
            return False
        velocity = self._velocity()
        if symbol in (keys.UP, keys.DOWN):
            velocity = self._aim.scaled(velocity, FASTER if symbol == keys.UP else 1 / FASTER)
        elif symbol in (keys.LEFT, keys.RIGHT):
            velocity = turned(velocity, TURN if symbol == keys.LEFT else -TURN)
        else:
            return False
        self.set_velocity((float(velocity[0]), float(velocity[1])))
        return True

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._mouse = None
        if button != keys.LEFT_BUTTON or self._driven() is None or not self.stage.picture_area().holds(x, y):
            return False
        if self._aim.is_on(self._tip(), x, y):
            self._mouse = x, y
        return self._mouse is not None

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._mouse is None:
            return False
        self._mouse = x, y
        self.stage.refresh()
        return True

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        held, self._mouse = self._mouse, None
        if held is not None and self._driven() is not None:
            vx, vy = self._aim.velocity(self._place(), x, y).tolist()
            self.set_velocity((vx, vy))
        return held is not None

    # drawing

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if self._driven() is None:
            return
        what, tip = self._place(), self._mouse or self._tip()
        self._aim.draw(pen, what, tip, True)
        if self._mouse is not None:
            self._aim.write_speed(pen, self._aim.velocity(what, *tip), tip)
