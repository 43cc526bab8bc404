"""The textbook's system with the face of `hdsim.CollisionSystem`, as far as a viewer or a run without one looks at it.

The physics, the queue and the order of events are the book's own, in `textbook`. Redraws are not in its queue here, since
nothing can be taken out of that queue: the run is split at them instead, which rounds as a redraw event of the book does.
"""
from __future__ import annotations

import copy
import heapq
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from . import textbook
from .configuration import Configuration
from .errors import JammedError
from .queues import Entry, PairChecks, Queue, pair_checks
from .system import STOP, Box, CollisionSystem, Near, Prediction


class Happening(NamedTuple):
    """An event of the textbook's system, its discs given by number."""

    time: float
    kind: str       # "pair", "wall", "redraw" or "timer"
    particles: tuple[int, ...] = ()


class Timer:
    """A registered callback, due at the next k * every; `cancel()` ends it."""

    def __init__(self, system: TextbookSystem, callback: Callable[[Happening], Any], kind: str, every: float) -> None:
        self._system = system
        self.callback, self.kind, self.every = callback, kind, every
        self._k = math.floor(system.time / every)
        while self.due <= system.time:
            self._k += 1

    @property
    def due(self) -> float:
        return self._k * self.every

    def fire(self) -> Happening:
        """Call back, and be due again a period later. Returns what happened."""
        event = Happening(self.due, self.kind)
        self._k += 1
        if self.callback(event) == STOP:
            self._system.stopped = True
        return event

    def cancel(self) -> None:
        """Never call back again. Calling it twice does no harm."""
        self._system.timers = [timer for timer in self._system.timers if timer is not self]


class TextbookSystem:
    """A `textbook.CollisionSystem` that begins as `system` is now. ValueError if the box of that is periodic."""

    def __init__(self, system: CollisionSystem) -> None:
        if any(system.box.periodic):
            raise ValueError("the textbook engine knows walls only, and this box is periodic")
        columns = (system.positions, system.velocities, system.radii, system.masses, system.colors)
        discs = [textbook.Particle(rx, ry, vx, vy, radius, mass, color) for (rx, ry), (vx, vy), radius, mass, color
                 in zip(*(column.tolist() for column in columns))]
        self._book = textbook.CollisionSystem(discs, system.box.width, system.box.height, system.time)
        self.box = Box(system.box.width, system.box.height)
        self.timers: list[Timer] = []
        self._reversals = 0
        self.stopped = False        # a callback has asked for the end of the run

    def simulate(self, until: float, max_seconds: float = math.inf) -> int:
        """Execute every event with time <= until and return the number of contacts. A run that max_seconds or a callback
        ends early stays at its last event."""
        deadline = perf_counter() + max_seconds
        contacts = 0
        self.stopped = False
        while not self.stopped:
            timer = self._next_timer()
            target = until if timer is None else min(until, timer.due)
            with _jams():
                contacts += self._book.simulate(target, max_seconds=max(deadline - perf_counter(), 0.0))
            if self.time < target or perf_counter() >= deadline or timer is None or timer.due > until:
                break
            timer.fire()
        return contacts

    def next_event(self) -> Happening | None:
        """Execute exactly one event, timers included, and return it; None when nothing will ever happen."""
        timer = self._next_timer()
        with _jams():
            event = next(self._book.events(until=math.inf if timer is None else timer.due), None)
        if event is not None:
            return Happening(event.time, event.kind, event.disc_indices)
        return None if timer is None else timer.fire()

    def on_redraw(self, callback: Callable[[Happening], Any], every: float) -> Timer:
        """Call `callback(event)` at every k * every later than now, after the contacts of that instant."""
        return self._add_timer(callback, "redraw", every)

    def on_timer(self, callback: Callable[[Happening], Any], every: float) -> Timer:
        """As `on_redraw`, for anything else that is to happen in step with simulated time."""
        return self._add_timer(callback, "timer", every)

    def _add_timer(self, callback: Callable[[Happening], Any], kind: str, every: float) -> Timer:
        if not (0 < every < math.inf and self.time + every > self.time):
            raise ValueError(f"every is {every!r}; it must be positive, finite, and not vanish beside the time {self.time!r}")
        timer = Timer(self, callback, kind, every)
        self.timers = [*self.timers, timer]
        return timer

    def _next_timer(self) -> Timer | None:
        return min(self.timers, key=lambda timer: timer.due, default=None)

    def reverse(self) -> None:
        """Turn all velocities round, now."""
        self._book.reverse()
        self._reversals += 1

    def copy(self) -> TextbookSystem:
        """An independent system that goes on bit for bit; timers are not copied."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _book=copy.deepcopy(self._book), timers=[])
        return other

    def configuration(self) -> Configuration:
        """The discs as they are now, as plain arrays."""
        n = len(self)
        return Configuration(np.array(self.positions).reshape(n, 2), np.array(self.velocities).reshape(n, 2),
                             np.array(self.radii), np.array(self.masses), np.array(self.colors, np.uint8).reshape(n, 3),
                             self.box.width, self.box.height)

    def __len__(self) -> int:
        return len(self._book)

    @property
    def time(self) -> float:
        return self._book.time

    @property
    def positions(self) -> list[tuple[float, float]]:
        return self._book.positions

    @property
    def velocities(self) -> list[tuple[float, float]]:
        return self._book.velocities

    @property
    def radii(self) -> list[float]:
        return self._book.radii

    @property
    def masses(self) -> list[float]:
        return self._book.masses

    @property
    def colors(self) -> list[tuple[int, ...]]:
        return self._book.colors

    @property
    def kinetic_energy(self) -> float:
        return self._book.kinetic_energy

    @property
    def statistics(self) -> dict[str, int]:
        """The textbook's counts, and as `events` the number of contacts: each is an event of its own."""
        counts = self._book.statistics
        return {**counts, "events": counts["pair_contacts"] + counts["wall_contacts"], "multi_events": 0}

    @property
    def pair_checks(self) -> PairChecks:
        """How many pairs were looked at so far, and how many it would have been: see `CollisionSystem.pair_checks`."""
        counts = self.statistics
        pairs, walls = counts["pair_contacts"], counts["wall_contacts"]
        looks = len(self) * (1 + self._reversals) + 2 * pairs + walls      # of a disc at all others and at two walls
        return pair_checks(counts["predictions"] - 2 * looks, len(self), counts["events"], pairs, walls)

    def queue(self, k: int = 63) -> Queue:
        """The first k slots of the lazy heap. Counting the stale ones among all goes through the whole queue."""
        events = list(self._book.queue)
        entries = tuple(Entry(event.time, event.kind, event.disc_indices, event.wall, None, not event.is_valid())
                        for event in events[:max(k, 0)])
        return Queue("lazy heap", len(events), entries, stale=sum(not event.is_valid() for event in events))

    def schedule(self, k: int = 10) -> list[Prediction]:
        """The next k contacts as they are foreseen now, in order: the events that are not stale, each pair once. Goes
        through the whole queue."""
        valid = heapq.nsmallest(2 * max(k, 0), (event for event in self._book.queue if event.is_valid()))
        found = dict.fromkeys(Prediction(event.time, event.disc_indices, event.wall) for event in valid)
        return list(found)[:max(k, 0)]

    def near(self, i: int) -> Near:
        """What is looked at for disc i: the whole box, and all other discs. IndexError if there is no such disc."""
        others = np.delete(np.arange(len(self)), i)
        return Near(np.array([[0.0, 0.0, self.box.width, self.box.height]]), others)


@contextmanager
def _jams() -> Iterator[None]:
    """The textbook imports nothing of hdsim, and raises a plain RuntimeError for a jam."""
    try:
        yield
    except RuntimeError as error:
        raise JammedError(str(error)) from error
