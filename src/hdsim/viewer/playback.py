"""Playback: simulated time against wall clock. Runs, pauses, steps and restarts a system, and says how it goes.
Knows neither windows nor OpenGL; its caller owns the wall clock and calls `tick`."""
from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from ..errors import JammedError
from .frame import Frame

FRAMES_PER_SECOND = 60
BUDGET = 0.012            # seconds of a tick for the engine; the rest of 1/60 is for drawing
LONGEST_TICK = 0.1        # seconds; a longer gap (a window dragged, a laptop closed) is not caught up with
KEEPS_UP = 0.97           # of the requested speed: a shortfall below this is reported


class Playback:
    """A system that is being played. `frame` is what to draw: the discs at the last redraw event.

    Redraw events are timers in the system's own queue, one for each tick or, if `hz` is given, `hz` for each unit
    of simulated time. While paused there are none, so that `step` executes contacts.
    """

    def __init__(self, system, speed: float | None = None, hz: float | None = None,
                 until: float | None = None, paused: bool = False,
                 prepare: Callable[[Any], object] | None = None) -> None:
        self.hz = None if hz is None else _positive("hz", hz)
        self.speed = default_speed(system) if speed is None else _positive("speed", speed)
        self.until = until
        self.paused = True
        self.message = ""               # what just happened, if it was not a matter of course
        self._start = system.copy()
        self._prepare = prepare
        self._redraws = None
        self._show(system)
        if not paused:
            self.go_on()

    # what the keys do

    def toggle(self) -> None:
        if self.paused:
            self.go_on()
        else:
            self.pause()

    def go_on(self) -> None:
        if self.paused:
            self.paused = False
            self.message = ""
            self._pace()

    def pause(self, message: str = "") -> None:
        self.paused = True
        self.message = message
        self._cancel_redraws()
        self.frame = Frame.of(self.system)

    def step(self) -> None:
        """Execute exactly one event; pauses first."""
        self.pause()
        try:
            event = self.system.next_event()
        except JammedError as error:
            self.pause(str(error))
            return
        self.frame = Frame.of(self.system)
        self.message = describe(event)

    def faster(self) -> None:
        self._set_speed(next_speed(self.speed, +1))

    def slower(self) -> None:
        self._set_speed(next_speed(self.speed, -1))

    def restart(self) -> None:
        """Begin again with a copy of the start; goes on or stays paused as before."""
        self._cancel_redraws()
        self.message = ""
        self._show(self._start.copy())
        if not self.paused:
            self._pace()

    def close(self) -> None:
        """Leave the system as if nobody had looked."""
        self.paused = True
        self._cancel_redraws()

    # the clock

    def tick(self, dt: float) -> None:
        """`dt` seconds of wall clock have passed: run to the time that is due, within the budget."""
        if self.paused:
            return
        self._owed += min(dt, LONGEST_TICK) * FRAMES_PER_SECOND
        frames = round(self._owed)
        self._owed -= frames
        if frames > 0:
            self._run(frames)
        self._meter.add(dt, self.system.time, contacts(self.system))

    def _run(self, frames: int) -> None:
        # Ticks end on multiples of the period, computed as the engine computes them, so that each tick ends with its
        # redraw event and motion is even although wall clocks are not.
        period = self.speed / FRAMES_PER_SECOND
        target = (round(self.system.time / period) + frames) * period
        until = self.until if self.until is not None and self.system.time < self.until else math.inf
        target = max(min(target, until), self.system.time)
        began = perf_counter()
        try:
            self.system.simulate(until=target, max_seconds=BUDGET)
        except JammedError as error:
            self.pause(str(error))
            return
        if self.system.time == until:
            self.pause(f"paused at t = {until:g}, as asked")
        elif self.system.time < target:
            self._cut_short(perf_counter() - began)

    def _cut_short(self, seconds: float) -> None:
        if seconds < BUDGET:
            self.pause("stopped by a callback")
        elif self.hz is None:
            self.frame = Frame.of(self.system)     # the next redraw event may be many ticks away

    def _pace(self) -> None:
        """Redraw events and the meter, in step with the present speed."""
        self._cancel_redraws()
        period = self.speed / FRAMES_PER_SECOND if self.hz is None else 1 / self.hz
        self._redraws = self.system.on_redraw(self._on_redraw, every=period)
        self._owed = 0.0            # frames, a fraction of one
        self._meter = Meter(self.system.time, contacts(self.system))

    def _on_redraw(self, event) -> None:
        self.frame = Frame.of(self.system)

    def _cancel_redraws(self) -> None:
        if self._redraws is not None:
            self._redraws.cancel()
            self._redraws = None

    def _set_speed(self, speed: float) -> None:
        self.speed = speed
        if not self.paused:
            self._pace()

    def _show(self, system) -> None:
        self.system = system
        if self._prepare is not None:
            self._prepare(system)
        self.frame = Frame.of(system)
        self._energy = system.kinetic_energy
        self._meter = Meter(system.time, contacts(system))

    # what it says

    @property
    def reached(self) -> float | None:
        """Reached over requested speed in the last second; None while that is not known."""
        return None if self.paused or not self._meter.knows else self._meter.speed / self.speed

    @property
    def energy_drift(self) -> float:
        """Relative change of the kinetic energy since the start."""
        return (self.system.kinetic_energy - self._energy) / self._energy if self._energy else 0.0

    def status(self) -> str:
        """One line: time, collisions, collisions per second of wall clock, energy drift, speed."""
        decimals = max(0, 2 - math.floor(math.log10(self.speed)))
        parts = [f"t = {self.system.time:.{decimals}f}", f"{contacts(self.system):,} collisions"]
        if not self.paused and self._meter.knows:
            parts.append(f"{self._meter.rate:,.0f} per second")
        drift = self.energy_drift
        parts.append(f"energy drift {drift:.1e}" if drift else "energy drift 0")
        parts.append(f"speed {self.speed:g}")
        if self.reached is not None and self.reached < KEEPS_UP:
            parts.append(f"{100 * self.reached:.0f} % of requested speed")
        if self.paused:
            parts.append("paused")
        if self.message:
            parts.append(self.message)
        return "   ".join(parts)


class Meter:
    """Simulated time and contacts per second of wall clock, over the last second."""

    SPAN = 1.0
    LEAST = 0.25      # seconds before it says anything

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


def default_speed(system) -> float:
    """Simulated time units per second at which a moving disc of rms speed crosses the box in about one second.

    The box counts as a square of its area; the result is the nearest of 1, 2, 5 times a power of ten. The book's
    files move at about .01 in a box of 1: 100 units per second, its own pace. Where nothing moves: 1.
    """
    velocities = np.asarray(system.velocities, float).reshape(-1, 2)
    squares = np.sum(velocities**2, axis=1)
    squares = squares[squares > 0]      # a cue ball does not move slower because many others are at rest
    if len(squares) == 0:
        return 1.0
    rms = math.sqrt(squares.mean())
    wanted = math.log10(math.sqrt(system.box.width * system.box.height) / rms)
    return min(_ladder(wanted), key=lambda speed: abs(math.log10(speed) - wanted))


def next_speed(speed: float, direction: int) -> float:
    """The next of ..., 1, 2, 5, 10, ... above (+1) or below (-1) `speed`."""
    ladder = _ladder(math.log10(speed))
    if direction > 0:
        return min(step for step in ladder if step > speed * (1 + 1e-9))
    return max(step for step in ladder if step < speed * (1 - 1e-9))


def _ladder(log_speed: float) -> list[float]:
    """The 1-2-5 numbers around 10**log_speed, more than one decade each way."""
    decade = math.floor(log_speed)
    return [float(f"{digit}e{power}") for power in range(decade - 1, decade + 3) for digit in (1, 2, 5)]


def contacts(system) -> int:
    """Contact impulses so far, walls included. An engine's statistics are a mapping or an object."""
    statistics = system.statistics
    counts = statistics if isinstance(statistics, Mapping) else vars(statistics)
    return counts["pair_contacts"] + counts["wall_contacts"]


def describe(event) -> str:
    """An event in a few words."""
    if event is None:
        return "nothing will ever happen"
    discs = ", ".join(str(i) for i in event.particles[:8]) + (", ..." if len(event.particles) > 8 else "")
    return f"{event.kind} {discs} at t = {event.time:.10g}".replace("  ", " ")


def _positive(name: str, value: float) -> float:
    if not (value > 0 and math.isfinite(value)):
        raise ValueError(f"{name} must be positive and finite, got {value!r}")
    return float(value)
