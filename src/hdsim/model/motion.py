"""How obstacles move: with a constant velocity, or with one after another, which may repeat. Exact numbers, without an engine."""
from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from .numbers import RANGE
from .pieces import Point

ROUNDING = 1e-12        # of the way of a period: what sums of decimals are off by, when they are doubles


class Moving(Protocol):
    """What a shape says of its motion; shapes check it by this module."""

    FREE: ClassVar[bool]

    @property
    def velocity(self) -> Any: ...
    @property
    def motion(self) -> Sequence[tuple[float, Point]]: ...
    @property
    def period(self) -> float | None: ...

    def __hash__(self) -> int: ...


class Leg(NamedTuple):
    """A part of a motion: from this time on, with this velocity, from this displacement. Of a motion with a period, the time is
    counted from the beginning of the period."""

    time: float
    vx: float
    vy: float
    x: float
    y: float


class Motion(NamedTuple):
    """The legs of a motion, in the order of their times. begin, period: when the first period begins, and how long it is; 0: the
    last leg has no end, and the first one has always been. At time 0 the displacement is 0."""

    legs: tuple[Leg, ...]
    begin: float = 0.0
    period: float = 0.0
    drift: Point = (0.0, 0.0)       # the displacement by each period


class MotionTable(NamedTuple):
    """The motions of all obstacles that move, as the engine takes them. obstacles: their indices. counts: numbers of legs. legs:
    of all of them. periods: (begin, period, drift along x and y) of
    each. sweeps: (left, bottom, right, top) of each, the bounds of its displacement."""

    obstacles: list[int]
    counts: list[int]
    legs: list[Leg]
    periods: list[tuple[float, float, float, float]]
    sweeps: list[tuple[float, float, float, float]]


def moves(obstacle: Moving) -> bool:
    """Does an obstacle move in a way that is given? A piston does not."""
    return not obstacle.FREE and (any(obstacle.velocity) or any(any(velocity) for _, velocity in obstacle.motion))


@lru_cache(maxsize=1024)
def motion_of(obstacle: Moving) -> Motion | None:
    """The motion of an obstacle; None if it is at rest always."""
    if not moves(obstacle):
        return None
    if not obstacle.motion:
        vx, vy = obstacle.velocity
        return Motion((Leg(0.0, vx, vy, 0.0, 0.0),))
    times = [time for time, _ in obstacle.motion]
    corners = _corners(obstacle)
    zero = _from_first(obstacle, Fraction(0))
    placed = [(float(x - zero[0]), float(y - zero[1])) for x, y in corners]
    if obstacle.period is None:
        legs = [Leg(time, *velocity, *place) for (time, velocity), place in zip(obstacle.motion, placed)]
        return Motion((Leg(0.0, 0.0, 0.0, *placed[0]), *legs))
    return Motion(tuple(Leg(float(Fraction(time) - Fraction(times[0])), *velocity, *place)
                        for (time, velocity), place in zip(obstacle.motion, placed)), times[0], obstacle.period,
                  (float(corners[-1][0]), float(corners[-1][1])))


def _corners(obstacle: Moving) -> list[tuple[Fraction, Fraction]]:
    """Where the legs of a motion begin, as seen from where the first one does; with a period, also where that ends."""
    x = y = Fraction(0)
    found = [(x, y)]
    ends = [Fraction(time) for time, _ in obstacle.motion[1:]]
    if obstacle.period is not None:
        ends.append(Fraction(obstacle.motion[0][0]) + Fraction(obstacle.period))
    for (time, (vx, vy)), until in zip(obstacle.motion, ends):
        span = until - Fraction(time)
        x, y = x + span * Fraction(vx), y + span * Fraction(vy)
        found.append((x, y))
    if obstacle.period is not None and math.hypot(x, y) <= ROUNDING * obstacle.period * max(
            math.hypot(*velocity) for _, velocity in obstacle.motion):
        found[-1] = Fraction(0), Fraction(0)        # it leads back, but for what decimals are rounded by
    return found


def _from_first(obstacle: Moving, time: Fraction) -> tuple[Fraction, Fraction]:
    """The displacement at a time, as seen from where the first leg begins."""
    begin = Fraction(obstacle.motion[0][0])
    if time <= begin:
        return Fraction(0), Fraction(0)
    corners, turns = _corners(obstacle), 0
    if obstacle.period is not None:
        turns, rest = divmod(time - begin, Fraction(obstacle.period))
        time = begin + rest
    k = max(k for k, (since, _) in enumerate(obstacle.motion) if Fraction(since) <= time)
    (since, (vx, vy)), (x, y) = obstacle.motion[k], corners[k]
    x, y = x + turns * corners[-1][0], y + turns * corners[-1][1]
    span = time - Fraction(since)
    return x + span * Fraction(vx), y + span * Fraction(vy)


def displacement(obstacle: Moving, time: float) -> Point:
    """How far an obstacle has moved by this time from the place that it is given at, which is that at time 0."""
    if not moves(obstacle) or not math.isfinite(time):
        return 0.0, 0.0
    at = Fraction(time)
    if not obstacle.motion:
        return float(at * Fraction(obstacle.velocity[0])), float(at * Fraction(obstacle.velocity[1]))
    here, zero = _from_first(obstacle, at), _from_first(obstacle, Fraction(0))
    return float(here[0] - zero[0]), float(here[1] - zero[1])


def velocity_at(obstacle: Moving, time: float) -> Point:
    """The velocity of an obstacle at a time; at that of a change, the new one. Of a piston, the one that it is given with."""
    if obstacle.FREE:
        flow: Point = getattr(obstacle, "flow")
        return flow
    if not obstacle.motion:
        velocity: Point = obstacle.velocity
        return velocity
    begin = obstacle.motion[0][0]
    if time < begin:
        return 0.0, 0.0
    at = Fraction(time)
    if obstacle.period is not None:
        at = Fraction(begin) + (at - Fraction(begin)) % Fraction(obstacle.period)
    return [velocity for since, velocity in obstacle.motion if Fraction(since) <= at][-1]


def velocities_of(obstacle: Moving) -> list[Point]:
    """All velocities that an obstacle ever has; of a piston, the one that it is given with."""
    if obstacle.FREE or not obstacle.motion:
        return [velocity_at(obstacle, 0.0)]
    return [velocity for _, velocity in obstacle.motion]


def convert_motion(shape: Any) -> None:
    """Convert and check what a shape, whose methods do that for points and numbers, says of its motion."""
    shape._keep("velocity", shape._point("velocity", shape.velocity))
    given = shape.motion.tolist() if isinstance(shape.motion, np.ndarray) else shape.motion
    if not isinstance(given, (tuple, list)) or not all(isinstance(leg, (tuple, list)) and len(leg) == 2 for leg in given):
        shape._refuse(TypeError, "motion", shape.motion, "a sequence of pairs (time, (ux, uy))")
    shape._keep("motion", tuple((shape._number(f"time {k} of motion", time), shape._point(f"velocity {k} of motion", velocity))
                                for k, (time, velocity) in enumerate(given)))
    if shape.period is not None:
        shape._keep("period", shape._number("period", shape.period, 1 / RANGE))
    if problem := _problem_of(shape):
        shape._wrong(problem)


def _problem_of(shape: Moving) -> str:
    """What is wrong with the motion of a shape, for a message; "" for nothing."""
    if shape.motion and any(shape.velocity):
        return "it has a velocity and a motion; give one of them"
    if shape.period is not None and not shape.motion:
        return "it has a period and no motion"
    times = [time for time, _ in shape.motion]
    for before, after in zip(times, times[1:]):
        if not before < after:
            return f"the times of motion must ascend; {after:.6g} follows {before:.6g}"
    if shape.period is None:
        return ""
    if not times[0] + shape.period > times[-1]:
        return f"period is {shape.period:.6g}; it must be longer than motion, which takes {times[-1] - times[0]:.6g}"
    return ""


def _sweep(motion: Motion) -> tuple[float, float, float, float]:
    """The bounds of the displacement of a motion: left, bottom, right, top."""
    first = motion.legs[0]      # where a period ends, too
    xs = [leg.x for leg in motion.legs] + [first.x + motion.drift[0]]
    ys = [leg.y for leg in motion.legs] + [first.y + motion.drift[1]]
    low, high = [min(xs), min(ys)], [max(xs), max(ys)]
    ways = motion.drift if motion.period else (motion.legs[-1].vx, motion.legs[-1].vy)
    for axis, way in enumerate(ways):
        if way < 0 or way > 0 and len(motion.legs) == 1:
            low[axis] = -math.inf
        if way > 0 or way < 0 and len(motion.legs) == 1:
            high[axis] = math.inf
    return low[0], low[1], high[0], high[1]


def motion_table(obstacles: Sequence[Moving]) -> MotionTable | None:
    """The table of the motions of obstacles; None if nothing moves."""
    found = [(k, motion) for k, obstacle in enumerate(obstacles) if (motion := motion_of(obstacle)) is not None]
    if not found:
        return None
    return MotionTable([k for k, _ in found], [len(motion.legs) for _, motion in found],
                       [leg for _, motion in found for leg in motion.legs],
                       [(motion.begin, motion.period, *motion.drift) for _, motion in found],
                       [_sweep(motion) for _, motion in found])
