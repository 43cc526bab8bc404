"""Aiming: the arrow of a velocity, whose tip a hand can drag, of a disc or of an obstacle. It begins CLEARANCE beyond what moves,
and its length is proportional to the speed."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...model.motion import velocities_of
from ..draw.pen import Pen
from ..playback.pace import default_speed
from .stage import Stage

ARROW = 60.0            # length of the arrow of the usual speed, window units ...
CLEARANCE = 8.0         # ... and where it begins, from the edge; a tip that is dragged into this means velocity 0
HEAD = 7.0              # length of the arrow's head, window units
TIP = 5.0               # radius of the handle at the tip, window units; the mouse this close, and half as much, is on it
TURN, FASTER = math.radians(5.0), 1.1       # angle and factor of a change of the velocity by key


class Moving(NamedTuple):
    """What moves, in pixels: its middle, and how far its edge is from there."""

    x: float
    y: float
    radius: float


class Aim:
    """The arrows of a stage, all with one scale."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._usual: tuple[object, float] = None, 1.0       # a playback, and the usual speed in it

    def usual_speed(self) -> float:
        """The speed of an arrow of length ARROW, with which a disc crosses the box in a second at the default pace, or that of
        the fastest obstacle, if it is larger. It is fixed as long as a system is played, so that an edit changes no arrow but
        its own."""
        playback = self._stage.playback
        if self._usual[0] is not playback:
            system = playback.system
            lengths = playback.frame.lengths
            usual = math.prod(lengths) ** (1 / len(lengths)) / default_speed(system)
            driven = [math.hypot(*velocity) for obstacle in playback.frame.obstacles for velocity in velocities_of(obstacle)]
            self._usual = playback, max(usual, *driven) if driven else usual
        return self._usual[1]

    def tip(self, what: Moving, vx: float, vy: float) -> tuple[float, float]:
        """The pixel of the tip of the arrow of this velocity."""
        speed = math.hypot(vx, vy)
        length = what.radius + (CLEARANCE + ARROW * speed / self.usual_speed()) * self._stage.unit
        return (what.x + length * vx / speed, what.y + length * vy / speed) if speed else (what.x + length, what.y)

    def velocity(self, what: Moving, px: float, py: float) -> np.ndarray:
        """The velocity for which the tip of the arrow is at that pixel, (2,)."""
        away, unit = math.hypot(px - what.x, py - what.y), self._stage.unit
        speed = max(away - what.radius - CLEARANCE * unit, 0.0) / (ARROW * unit) * self.usual_speed()
        return np.array((px - what.x, py - what.y)) * (speed / away if away else 0.0)

    def scaled(self, velocity: np.ndarray, factor: float) -> np.ndarray:
        """A velocity times a factor; to be faster than at rest is to move along x."""
        return velocity * factor if velocity.any() or factor < 1 else np.array((0.1 * self.usual_speed(), 0.0))

    def is_on(self, tip: tuple[float, float], x: float, y: float) -> bool:
        """Whether a pixel is on the handle at a tip."""
        return math.dist(tip, (x, y)) <= 1.5 * TIP * self._stage.unit

    def draw(self, pen: Pen, what: Moving, tip: tuple[float, float], handle: bool) -> None:
        """Draw an arrow, with a handle at its tip if that can be dragged."""
        theme, unit = self._stage.theme, pen.unit
        away = math.dist(what[:2], tip)
        along = ((tip[0] - what.x) / away, (tip[1] - what.y) / away) if away else (1.0, 0.0)
        begin = what.radius + CLEARANCE * unit
        if away > begin + unit:
            head = min(HEAD * unit, away - begin)
            ends = [(what.x + begin * along[0], what.y + begin * along[1], *tip)]
            for side in () if handle else (1, -1):
                ends.append((*tip, tip[0] - head * (along[0] - side * 0.5 * along[1]),
                             tip[1] - head * (along[1] + side * 0.5 * along[0])))
            pen.lines(np.array(ends), theme.paper, 5 * unit, 0.7)
            pen.lines(np.array(ends), theme.accent, 2.5 * unit)
        if handle:
            pen.dots(np.array([tip]), TIP * unit, theme.paper)
            pen.ring(*tip, TIP * unit, theme.accent, 2 * unit)

    def write_speed(self, pen: Pen, velocity: np.ndarray, tip: tuple[float, float]) -> None:
        """Write the speed beside a tip that is dragged."""
        pen.write(f"{math.hypot(*velocity):.4g}", tip[0] + 12 * pen.unit, tip[1] + 4 * pen.unit, self._stage.theme.text,
                  bold=True)


def turned(velocity: np.ndarray, angle: float) -> np.ndarray:
    """A velocity, turned by an angle in radians."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array((cos * velocity[0] - sin * velocity[1], sin * velocity[0] + cos * velocity[1]))
