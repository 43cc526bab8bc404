"""Timers for engines whose queue cannot hold them: which callback is due, and when."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

from ..model.events import Event
from ..model.numbers import shown
from ..system import is_stop


class Timer:
    """A registered callback with `cancel()`, due at the next time k * every, k an integer, after the present time."""

    def __init__(self, system: Timed, callback: Callable[[Event], Any], kind: str, every: float) -> None:
        self._system = system
        self.callback, self.kind, self.every = callback, kind, every
        self._k = math.floor(system.time / every)
        while self.due <= system.time:
            self._k += 1

    @property
    def due(self) -> float:
        """The time of the next call."""
        return self._k * self.every

    def fire(self) -> Event:
        """Call the callback, and set the next time; returns the event that the callback got."""
        event = Event(self.due, self.kind)
        self._k += 1
        if is_stop(self.callback(event)):
            self._system.stopped = True
        return event

    def cancel(self) -> None:
        """Stop calling the callback. Calling `cancel` again has no effect."""
        self._system.timers = [timer for timer in self._system.timers if timer is not self]


class Timed:
    """Base class of systems with timers whose discs cannot be changed. Timers that are due at the same time are called in the
    order of registration."""

    UNCHANGED: str          # message of the error for a change of the discs
    timers: list[Timer]
    stopped: bool           # a callback has asked to end the run

    @property
    def time(self) -> float:
        raise NotImplementedError

    def on_redraw(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """Call `callback(event)` at every time k * every, k an integer, that is later than now, after the contacts of that
        instant. The callback may return `hdsim.STOP` to end the run. ValueError for a period that is not positive, finite and
        large enough to change `time`. Returns a handle with `cancel()`."""
        return self._add_timer(callback, "redraw", every)

    def on_timer(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """Call `callback(event)` as `on_redraw` does, with events of kind "timer" instead of "redraw"."""
        return self._add_timer(callback, "timer", every)

    def _add_timer(self, callback: Callable[[Event], Any], kind: str, every: float) -> Timer:
        if not (0 < every < math.inf and self.time + every > self.time):
            raise ValueError(f"every is {shown(every)}; it must be positive, finite, and not vanish beside the time "
                             f"{shown(self.time)}")
        timer = Timer(self, callback, kind, every)
        self.timers = [*self.timers, timer]
        return timer

    def edit(self) -> NoReturn:
        """RuntimeError: the discs of this system cannot be changed."""
        raise RuntimeError(self.UNCHANGED)

    def add(self, particle: Any) -> NoReturn:
        """RuntimeError: the discs of this system cannot be changed."""
        self.edit()

    def remove(self, i: int) -> NoReturn:
        """RuntimeError: the discs of this system cannot be changed."""
        self.edit()

    def _next_timer(self) -> Timer | None:
        return min(self.timers, key=lambda timer: timer.due, default=None)
