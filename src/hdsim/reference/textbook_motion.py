"""Obstacles that move: where they are and how fast, and contacts as an observer on the obstacle sees them.

An obstacle moves without turning, at constant velocities between given times. So for an observer on it the discs fly straight,
and the formulas of obstacles at rest hold: a disc that it catches from behind touches it, one that it does not catch never does.
Places are computed in fractions, from the given numbers alone, so that no sum wears out. This file shares no code with the
compiled engine.
"""
from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from .textbook_obstacles import Disc, Obstacles

Place = tuple[Fraction, Fraction]
NOWHERE: Place = (Fraction(0), Fraction(0))


class Course:
    """The motion of an obstacle: with the velocity `before`, at rest, before times[0], then with velocities[k] from times[k] on;
    with a period, all of this is repeated from times[0] + period on. The displacement is 0 at time 0.

    Its clock may run backwards, after `reverse`. ValueError if times do not increase or are not finite, there are none,
    velocities are not two finite numbers, or the period does not end after the last of the times.
    """

    def __init__(self, motion: Sequence[tuple[float, Sequence[float]]], period: float | None = None,
                 before: Place = NOWHERE) -> None:
        numbers = [x for t, u in motion for x in (t, *u)] + ([] if period is None else [period])
        if not motion or not all(map(math.isfinite, numbers)) or any(len(u) != 2 for _, u in motion):
            raise ValueError(f"motion is {motion!r}; it must be a list of times with velocities (ux, uy), all finite")
        self.times = [Fraction(t) for t, _ in motion]
        self.velocities = [(Fraction(u[0]), Fraction(u[1])) for _, u in motion]
        self.period, self.before = None if period is None else Fraction(period), before
        if any(a >= b for a, b in zip(self.times, self.times[1:])):
            raise ValueError(f"the times of the motion are {[float(t) for t in self.times]}; they must increase")
        if self.period is not None and self.times[0] + self.period <= self.times[-1]:
            raise ValueError(f"period is {period}; the motion alone takes {float(self.times[-1] - self.times[0])}")
        self.piece = -1                             # the present one; -1: at rest before the first
        self.sign, self.shift = 1, Fraction(0)      # its clock is sign * time + shift
        self.origin = self._path(self._piece_at(Fraction(0)), Fraction(0))

    def start(self, piece: int) -> Fraction:
        """When a piece starts, by the clock of the course."""
        n = len(self.times)
        return self.times[piece % n] + (self.period * (piece // n) if self.period is not None else 0)

    def _last(self, piece: int) -> bool:
        return self.period is None and piece == len(self.times) - 1

    def _piece_at(self, clock: Fraction) -> int:
        if clock < self.times[0]:
            return -1
        if self.period is None:
            return sum(t <= clock for t in self.times) - 1
        cycle = math.floor((clock - self.times[0]) / self.period)
        return cycle * len(self.times) + sum(t + self.period * cycle <= clock for t in self.times) - 1

    def _path(self, piece: int, clock: Fraction) -> Place:
        """The displacement since the start of the first piece."""
        if piece < 0:
            return self.before[0] * (clock - self.times[0]), self.before[1] * (clock - self.times[0])
        n, x, y = len(self.times), Fraction(0), Fraction(0)
        for k in range(n):      # how long each velocity has lasted
            end = self.times[k + 1] if k + 1 < n else self.times[0] + self.period if self.period is not None else self.times[k]
            lasted = (end - self.times[k]) * (piece // n + (k < piece % n))
            x, y = x + self.velocities[k][0] * lasted, y + self.velocities[k][1] * lasted
        ux, uy = self.velocities[piece % n]
        return x + ux * (clock - self.start(piece)), y + uy * (clock - self.start(piece))

    def go_to(self, time: float) -> None:
        """Take the piece that begins, or goes on, at this time."""
        self.piece = self._piece_at(self.sign * Fraction(time) + self.shift)

    def place(self, time: float) -> Place:
        """The displacement of the obstacle from where it is at time 0, if the present piece goes on."""
        x, y = self._path(self.piece, self.sign * Fraction(time) + self.shift)
        return x - self.origin[0], y - self.origin[1]

    def velocity(self) -> Place:
        """The velocity of the present piece."""
        ux, uy = self.before if self.piece < 0 else self.velocities[self.piece % len(self.times)]
        return self.sign * ux, self.sign * uy

    def change(self) -> float:
        """The time at which the present piece ends; infinity for never."""
        if (self.piece < 0 if self.sign < 0 else self._last(self.piece)):
            return math.inf
        return float((self.start(self.piece + (self.sign > 0)) - self.shift) * self.sign)

    def go_on(self) -> None:
        """Take the next piece, which begins now."""
        self.piece += self.sign

    def reverse(self, time: float) -> None:
        """Go back the way from this time on."""
        self.shift += 2 * self.sign * Fraction(time)
        self.sign = -self.sign


def course_of(shape: Any, index: int) -> Course | None:
    """The course of a shape: from `motion` and `period`, or a constant `velocity`; None if it is at rest. ValueError as for
    `Course`, and if both are given."""
    motion, period = getattr(shape, "motion", None), getattr(shape, "period", None)
    ux, uy = getattr(shape, "velocity", None) or (0.0, 0.0)
    if not motion:
        return Course([(0.0, (ux, uy))], before=(Fraction(ux), Fraction(uy))) if (ux, uy) != (0, 0) else None
    if (ux, uy) != (0, 0):
        raise ValueError(f"obstacle {index} has a velocity and a motion; it must have one of the two")
    return Course(motion, period)


class Nothing:
    """Stands for a piston in the list of obstacles, so that all keep their numbers; it has no features."""

    from_time, until, species = -math.inf, math.inf, None


class MovingObstacles(Obstacles):
    """Obstacles of which some move. `time` must always be that of the discs."""

    knows_laws = True

    def __init__(self, shapes: Sequence[Any], discs: Sequence[Disc], time: float, size: float) -> None:
        self.time = time
        self.courses = [course_of(shape, index) for index, shape in enumerate(shapes)]
        for course in filter(None, self.courses):
            course.go_to(time)
        super().__init__(shapes, discs, time, size)

    def velocity(self, index: int) -> Place:
        """The velocity of an obstacle, from now on."""
        course = self.courses[index]
        return NOWHERE if course is None else course.velocity()

    def place(self, index: int) -> tuple[float, float]:
        """The displacement of an obstacle from where it is at time 0."""
        course = self.courses[index]
        x, y = NOWHERE if course is None else course.place(self.time)
        return float(x), float(y)

    def seen(self, index: int, disc: Disc) -> Disc:
        """The disc in the frame in which this obstacle is at rest, where it is at time 0."""
        course = self.courses[index]
        if course is None:
            return disc
        (x, y), (ux, uy), relative = course.place(self.time), course.velocity(), copy.copy(disc)
        relative.rx, relative.ry = float(Fraction(disc.rx) - x), float(Fraction(disc.ry) - y)
        relative.vx, relative.vy = float(Fraction(disc.vx) - ux), float(Fraction(disc.vy) - uy)
        return relative

    def next_turns(self) -> Iterator[tuple[float, int]]:
        """When each obstacle changes its velocity next, and its index."""
        for index, course in enumerate(self.courses):
            if course is not None and (change := course.change()) < math.inf:
                yield max(change, self.time), index

    def turn(self, index: int) -> None:
        """Let the obstacle take its next velocity, now."""
        course = self.courses[index]
        assert course is not None
        course.go_on()

    def reverse(self) -> None:
        """Let all obstacles go back the way that they have come."""
        for course in filter(None, self.courses):
            course.reverse(self.time)
