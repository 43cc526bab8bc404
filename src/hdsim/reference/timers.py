"""Timers beside an engine that has no room for them in a queue: which callback is due, and when."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

from ..model.events import Event
from ..system import is_stop


class Timer:
    """A registered callback, due at the next k * every; `cancel()` ends it."""

    def __init__(self, system: Timed, callback: Callable[[Event], Any], kind: str, every: float) -> None:
        self._system = system
        self.callback, self.kind, self.every = callback, kind, every
        self._k = math.floor(system.time / every)
        while self.due <= system.time:
            self._k += 1

    @property
    def due(self) -> float:
        return self._k * self.every

    def fire(self) -> Event:
        """Call back, and be due again a period later. Returns what happened."""
        event = Event(self.due, self.kind)
        self._k += 1
        if is_stop(self.callback(event)):
            self._system.stopped = True
        return event

    def cancel(self) -> None:
        """Never call back again. Calling it twice does no harm."""
        self._system.timers = [timer for timer in self._system.timers if timer is not self]


class Timed:
    """A system with timers, whose discs are what they are from the start. Of several timers that are due at one time the
    first one registered comes first."""

    UNCHANGED: str          # says of the discs that they cannot be changed
    timers: list[Timer]
    stopped: bool           # a callback has asked for the end of the run

    @property
    def time(self) -> float:
        raise NotImplementedError

    def on_redraw(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """Call `callback(event)` at every k * every later than now, after the contacts of that instant."""
        return self._add_timer(callback, "redraw", every)

    def on_timer(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """As `on_redraw`, for anything else that is to happen in step with simulated time."""
        return self._add_timer(callback, "timer", every)

    def _add_timer(self, callback: Callable[[Event], Any], kind: str, every: float) -> Timer:
        if not (0 < every < math.inf and self.time + every > self.time):
            raise ValueError(f"every is {every!r}; it must be positive, finite, and not vanish beside the time {self.time!r}")
        timer = Timer(self, callback, kind, every)
        self.timers = [*self.timers, timer]
        return timer

    def edit(self) -> NoReturn:
        """RuntimeError: the discs are what they are from the start. So do `add` and `remove`."""
        raise RuntimeError(self.UNCHANGED)

    def add(self, particle: Any) -> NoReturn:
        """See `edit`."""
        self.edit()

    def remove(self, i: int) -> NoReturn:
        """See `edit`."""
        self.edit()

    def _next_timer(self) -> Timer | None:
        return min(self.timers, key=lambda timer: timer.due, default=None)
