"""The textbook's system with the face of `hdsim.CollisionSystem`, as far as a viewer or a run without one looks at it.

The physics, the queue and the order of events are the book's own, in `textbook`. Timers are not in its queue here, since
nothing can be taken out of that queue, and where time passes without a contact the discs there stay where the last one left
them: moving them would round. So looking does not move here either, and a run in pieces is the same run, bit for bit.
"""
from __future__ import annotations

import copy
import heapq
import math
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ..model.configuration import Configuration
from ..model.errors import JammedError
from ..model.events import Event
from ..model.queues import Entry, PairChecks, Queue, pair_checks
from ..system import Box, CollisionSystem, Near, Particle, Prediction
from . import textbook
from .timers import Timed, Timer

BYTES, BYTES_PER_EVENT = 10_000, 400     # of memory, measured; a disc takes about as much as an event in the queue


class Happening(NamedTuple):
    """A contact of the textbook's system, its discs given by number."""

    time: float
    kind: str       # "pair" or "wall"
    particles: tuple[int, ...]


class TextbookSystem(Timed):
    """A `textbook.CollisionSystem` that begins as `system` is now. ValueError if the box of that is periodic."""

    collisions = "sequential"       # as in the book
    UNCHANGED = "the textbook engine cannot change its discs"

    def __init__(self, system: CollisionSystem) -> None:
        if any(system.box.periodic):
            raise ValueError("the textbook engine knows walls only, and this box is periodic")
        columns = (system.positions, system.velocities, system.radii, system.masses, system.colors)
        discs = [textbook.Particle(rx, ry, vx, vy, radius, mass, color) for (rx, ry), (vx, vy), radius, mass, color
                 in zip(*(column.tolist() for column in columns))]
        self._book = textbook.CollisionSystem(discs, system.box.width, system.box.height, system.time)
        self._time = self._book.time        # the book's own is that of its last contact, or earlier
        self.box = Box(system.box.width, system.box.height)
        self.k_B = system.k_B
        self.timers: list[Timer] = []
        self._reversals = 0
        self.stopped = False        # a callback has asked for the end of the run

    def simulate(self, until: float, max_events: int | None = None, max_seconds: float = math.inf) -> int:
        """Execute every event with time <= until and return the number of contacts. A run that max_events (timers are events,
        too), max_seconds or a callback ends early stays at its last event."""
        if not until >= self.time:
            raise ValueError(f"until is {until}; it must not be before the time of the system, {self.time}")
        deadline = perf_counter() + max_seconds
        before, events = self.statistics["events"], 0
        self.stopped = False
        while events != max_events and not self.stopped:
            if self._time_of_next() > until or self.next_event() is None:
                self._time = until if until < math.inf else self._time
                break
            events += 1
            if perf_counter() >= deadline:
                break
        return self.statistics["events"] - before

    def _time_of_next(self) -> float:
        timer = self._next_timer()
        return min(self._book.time_of_next(), math.inf if timer is None else timer.due)

    def next_event(self) -> Happening | Event | None:
        """Execute exactly one event, timers included, and return it; None when nothing will ever happen."""
        timer = self._next_timer()
        if timer is not None and timer.due < self._book.time_of_next():
            self._time = timer.due
            return timer.fire()
        with _jams():
            event = self._book.next_event()
        if event is None:
            return None
        self._time = event.time
        return Happening(event.time, event.kind, event.disc_indices)

    def reverse(self) -> None:
        """Turn all velocities round, now."""
        self._book.simulate(until=self.time)
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

    def __getitem__(self, i: int) -> Particle:
        """Disc i as it is now: a `Particle` of its own, with the box of the system."""
        (x, y), disc = self.positions[i], self._book.particles[i]
        return Particle(x, y, disc.vx, disc.vy, disc.radius, disc.mass, disc.color, width=self.box.width, height=self.box.height,
                        count=disc.count)

    def __sizeof__(self) -> int:
        """Approximate bytes of memory: with it, sys.getsizeof estimates what a copy takes."""
        return BYTES + BYTES_PER_EVENT * (self._book.statistics["queue_size"] + len(self))

    @property
    def time(self) -> float:
        return self._time

    @property
    def positions(self) -> list[tuple[float, float]]:
        dt = self._time - self._book.time
        return [(x + vx * dt, y + vy * dt) for (x, y), (vx, vy) in zip(self._book.positions, self._book.velocities)]

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
    def temperature(self) -> float:
        """K / (N k_B) of the N discs whose mass is finite: between walls, all motion is heat."""
        mobile = int(np.isfinite(self.masses).sum())
        return self.kinetic_energy / (mobile * self.k_B) if mobile else 0.0

    @property
    def collision_counts(self) -> list[int]:
        """Contacts of each disc, walls included."""
        return [disc.count for disc in self._book.particles]

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
        valid = heapq.nsmallest(2 * max(k, 0), (event for event in self._book.queue if event.is_valid()),
                                key=lambda event: (event.time, event.order))
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
