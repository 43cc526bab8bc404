"""Obstacles that get another motion, from where they are at a time."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .gates import openings_of, rule_of
from .motion import displacement
from .obstacles import Obstacle
from .pieces import Point
from .piston import Piston
from .placed import placed, shifted


def may_be_driven(obstacle: Obstacle) -> bool:
    """Whether an obstacle can be given a motion: gates and doors cannot."""
    return rule_of(obstacle) is None and openings_of(obstacle) is None


def driven(obstacle: Obstacle, time: float, velocity: Point) -> Obstacle:
    """The obstacle that is where it is at this time, and moves with this constant velocity, in length per time; (0, 0): is at
    rest. A piston takes the part along its axis."""
    if isinstance(obstacle, Piston):
        return obstacle.at(obstacle.place, velocity[obstacle.axis])
    return _put(obstacle, time, velocity=velocity)


def shaken(obstacle: Obstacle, time: float, velocity: Point, period: float) -> Obstacle:
    """The obstacle that is where it is until this time, and goes to and fro from then on: for half of each period with this
    velocity, and for the other half back."""
    there, back = (velocity[0], velocity[1]), (-velocity[0], -velocity[1])
    return _put(obstacle, time, motion=((time, there), (time + 0.5 * period, back)), period=period)


def shaking_of(obstacle: Obstacle) -> float | None:
    """The period of an obstacle that goes to and fro, as `shaken` makes it; None for all others."""
    rows = obstacle.motion
    if obstacle.period is None or len(rows) != 2 or rows[0][1] != (-rows[1][1][0], -rows[1][1][1]):
        return None
    return obstacle.period if abs(rows[1][0] - rows[0][0] - 0.5 * obstacle.period) <= 1e-9 * obstacle.period else None


def _put(obstacle: Obstacle, time: float, velocity: Point = (0.0, 0.0), motion: Sequence[tuple[float, Point]] = (),
         period: float | None = None) -> Obstacle:
    """The obstacle with another motion, at the same place at this time."""
    there: Any = placed(obstacle, time)
    other: Obstacle = replace(there, velocity=velocity, motion=motion, period=period)
    dx, dy = displacement(other, time)
    return shifted(other, -dx, -dy) if dx or dy else other
