"""Pace: simulated time per second of wall clock, as requested and as reached."""
from __future__ import annotations

import math
from collections import deque

import numpy as np

from ...model.box import lengths_of
from ...model.colors import fall_speed
from ...model.numbers import real, shown, vectors
from ...model.roles import Playable, ShowsQueue, offers

WAIT = 1.5              # seconds within which something shall happen in a new window ...
SMALL = 1000            # ... with up to so many discs; in larger systems contacts come soon
SPEEDS = 1e-30, 1e30    # the speeds that can be asked for: for SI units of molecules and of stars, and far from what overflows


class Meter:
    """Simulated time and contacts per second of wall clock, over the last second."""

    SPAN = 1.0
    LEAST = 0.25      # seconds of readings before a speed is known

    def __init__(self, time: float, count: int) -> None:
        self._readings = deque([(0.0, time, count)])     # wall clock, simulated time, contacts

    def add(self, dt: float, time: float, count: int) -> None:
        readings = self._readings
        readings.append((readings[-1][0] + dt, time, count))
        while len(readings) > 2 and readings[-1][0] - readings[1][0] >= self.SPAN:
            readings.popleft()

    @property
    def knows(self) -> bool:
        return self._readings[-1][0] - self._readings[0][0] >= self.LEAST

    @property
    def speed(self) -> float:
        return self._per_second(1)

    @property
    def rate(self) -> float:
        return self._per_second(2)

    def _per_second(self, column: int) -> float:
        first, last = self._readings[0], self._readings[-1]
        return (last[column] - first[column]) / (last[0] - first[0])


def default_speed(system: Playable) -> float:
    """Simulated time units per second at which a moving disc of rms speed, or one that has fallen through a quarter
    of the box, if that is faster, crosses the box in about one second.

    The box is taken as a square of the same area, or as a cube of the same volume; the result is the nearest of 1, 2, 5 times a
    power of ten. Discs of the book's files move at about .01 in a box of 1: 100 units per second, as in the book. 1 if nothing
    moves.
    """
    velocities = vectors(system.velocities)
    squares = np.sum(velocities**2, axis=1)
    squares = squares[squares > 0]      # of moving discs only: in a break all but the cue ball are at rest
    speed = max(math.sqrt(squares.mean()) if len(squares) else 0.0, fall_speed(system))
    if speed == 0:
        return 1.0
    lengths = lengths_of(system.box)
    wanted = math.log10(math.prod(lengths) ** (1 / len(lengths)) / speed)
    wanted = min(max(wanted, math.log10(SPEEDS[0])), math.log10(SPEEDS[1]))
    return min(_round_speeds(wanted), key=lambda speed: abs(math.log10(speed) - wanted))


def lively_speed(system: Playable) -> float:
    """`default_speed`, or more if the first contact of a small system would come later than after WAIT seconds."""
    speed = default_speed(system)
    if len(system) > SMALL or not offers(system, ShowsQueue):
        return speed
    try:
        ahead = system.schedule(1)  # type: ignore[attr-defined]
    except RuntimeError:        # there may never be a contact
        return speed
    while ahead and ahead[0].time - system.time > WAIT * speed and speed < SPEEDS[1]:
        speed = next_speed(speed, +1)
    return speed


def next_speed(speed: float, direction: int) -> float:
    """The nearest of ..., 1, 2, 5, 10, ... above (direction +1) or below (-1) `speed`, within SPEEDS."""
    speeds = _round_speeds(math.log10(speed))
    if direction > 0:
        return min(min(step for step in speeds if step > speed * (1 + 1e-9)), SPEEDS[1])
    return max(max(step for step in speeds if step < speed * (1 - 1e-9)), SPEEDS[0])


def _round_speeds(log_speed: float) -> list[float]:
    """The 1-2-5 numbers around 10**log_speed, more than one decade each way."""
    decade = math.floor(log_speed)
    return [float(f"{digit}e{power}") for power in range(decade - 1, decade + 3) for digit in (1, 2, 5)]


def positive(name: str, value: float) -> float:
    """`value` as a float. ValueError, which names it `name`, unless it is positive and finite."""
    number = real(name, value)
    if not 0 < number < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {shown(value)}")
    return number


def checked_speed(value: float) -> float:
    """A speed that a user asks for, in simulated time units per second, as a float. ValueError unless it is within SPEEDS."""
    speed = positive("speed", value)
    if SPEEDS[0] <= speed <= SPEEDS[1]:
        return speed
    raise ValueError(f"speed is {shown(value)}; it must be from {SPEEDS[0]:g} to {SPEEDS[1]:g} time units per second")
