"""Obstacles at other places: displaced, or where they are at a time."""
from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from .gates import is_there
from .motion import displacement, moves, velocity_at
from .obstacles import Obstacle
from .pieces import Point
from .piston import Piston

LEGS_MOST = 100_000     # of a motion that goes back


def shifted(obstacle: Obstacle, dx: float, dy: float) -> Any:
    """The obstacle, displaced; a piston along its axis."""
    if isinstance(obstacle, Piston):
        return obstacle.at(obstacle.place + (dx, dy)[obstacle.axis], obstacle.velocity)

    def moved(name: str, value: Any) -> Any:
        if name == "parts":
            return tuple(shifted(part, dx, dy) for part in value)
        return [moved("", point) for point in value] if name == "points" else (value[0] + dx, value[1] + dy)

    fields: dict[str, Any] = {name: moved(name, getattr(obstacle, name)) for name in obstacle.POINTS}
    changed: Any = obstacle
    return replace(changed, **fields)


def placed(obstacle: Obstacle, time: float | None) -> Obstacle:
    """An obstacle at the place where it is at this time; None: as it is given, which is its place at time 0."""
    by = (0.0, 0.0) if time is None else displacement(obstacle, time)
    moved: Obstacle = shifted(obstacle, *by) if any(by) else obstacle
    return moved


def states_of(obstacles: Iterable[Obstacle], time: float) -> tuple[tuple[bool, Point], ...]:
    """Of each obstacle, whether it is there at this time, and how far it has moved, or where a piston is. Pictures are as before
    while this is."""
    return tuple((is_there(obstacle, time), obstacle.foot if isinstance(obstacle, Piston) else displacement(obstacle, time))
                 for obstacle in obstacles)


def reversed_at(obstacle: Obstacle, time: float) -> Obstacle:
    """The obstacle that moves back from this time on: at time + s it is where the other one was at time - s. Before, it is at
    rest, unless it has a constant velocity. ValueError if it would have more than LEGS_MOST legs."""
    if not moves(obstacle):
        return obstacle
    changed: Any = obstacle
    if not obstacle.motion:
        back = replace(changed, velocity=(-obstacle.velocity[0], -obstacle.velocity[1]))
    else:
        back = replace(changed, motion=_legs_back(obstacle, time), period=None)
    there, here = displacement(obstacle, time), displacement(back, time)
    return shifted(back, there[0] - here[0], there[1] - here[1])


def _legs_back(obstacle: Obstacle, time: float) -> list[tuple[float, Point]]:
    """The motion of an obstacle that moves back from this time on."""
    at, begin = Fraction(time), Fraction(obstacle.motion[0][0])
    vx, vy = velocity_at(obstacle, time)
    found: list[tuple[float, Point]] = [(time, (-vx, -vy))]
    times = [Fraction(since) for since, _ in obstacle.motion]
    turns = 0
    if obstacle.period is not None and at > begin:
        turns = math.floor((at - begin) / Fraction(obstacle.period))
    if (turns + 1) * len(times) > LEGS_MOST:
        raise ValueError(f"an obstacle has made {turns:,} periods of its motion; it can go back over {LEGS_MOST // len(times):,} "
                         f"of them")
    for turn in range(turns, -1, -1):
        for k in range(len(times) - 1, -1, -1):
            changed_at = times[k] + (turn * Fraction(obstacle.period) if obstacle.period is not None else 0)
            if changed_at > at:
                continue
            first = k == turn == 0
            before = (0.0, 0.0) if first else obstacle.motion[k - 1][1]
            when = float(2 * at - changed_at)
            if when > found[-1][0]:
                found.append((when, (-before[0], -before[1])))
            else:
                found[-1] = (found[-1][0], (-before[0], -before[1]))
    return found
