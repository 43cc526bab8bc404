"""`TextbookSystem`: the textbook's engine with those members of `hdsim.CollisionSystem` that runs and the viewer need.

Physics, queue and order of events are those of `textbook`. Timers are kept outside its queue, because items cannot be removed
from that queue. Discs are not moved between contacts, because moving them would round; positions at other times are computed when
they are read. So reading does not change a run, and a run in pieces is equal to one run, bit for bit.
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

from ..model.box import require_plane
from ..model.configuration import Configuration
from ..model.errors import CollapseError, JammedError
from ..model.events import Event
from ..model.gates import has_doorway
from ..model.law import Law
from ..model.naming import by_own_name
from ..model.queues import Entry, PairChecks, Queue, pair_checks
from ..system import Box, CollisionSystem, EnergyBalance, Near, Particle, Prediction
from . import textbook, textbook_laws
from .textbook_obstacles import has_laws
from .timers import Timed, Timer

BYTES, BYTES_PER_EVENT = 10_000, 400     # measured memory; a disc takes about as much as an event in the queue


class Happening(NamedTuple):
    """A contact of the textbook's system, with the indices of its discs."""

    time: float
    kind: str       # "pair", "wall", or "device" when an obstacle comes or goes, or something that moves turns
    particles: tuple[int, ...]
    wall: str | None = None
    obstacle: int | None = None     # index in `obstacles`
    feature: str | None = None      # of the obstacle


@by_own_name(Timed)
class TextbookSystem(Timed):
    """A `textbook.CollisionSystem` that starts from the present state of `system`. ValueError if its box is periodic, and if it
    has gates or doors."""

    collisions = "sequential"       # as in the book
    UNCHANGED = "the textbook engine cannot change its discs"

    def __init__(self, system: CollisionSystem) -> None:
        require_plane(system.box, "the textbook engine has")
        if any(system.box.periodic):
            raise ValueError("the textbook engine knows walls only, and this box is periodic")
        for k, obstacle in enumerate(getattr(system, "obstacles", ())):
            if has_doorway(obstacle):
                raise ValueError("the textbook engine knows no gates and doors, and "
                                 f"obstacles[{k}] is a {type(obstacle).__name__}; the exact engine does")
        columns = (system.positions, system.velocities, system.radii, system.masses, system.colors)
        discs = [textbook.Particle(rx, ry, vx, vy, radius, mass, color) for (rx, ry), (vx, vy), radius, mass, color
                 in zip(*(column.tolist() for column in columns))]
        for disc, species in zip(discs, getattr(system, "species", ())):
            disc.species = int(species)
        self.obstacles = tuple(getattr(system, "obstacles", ()))
        restitution, contact_time = getattr(system, "restitution", 1.0), getattr(system, "contact_time", 0.0)
        self._book: textbook.CollisionSystem
        place = discs, system.box.width, system.box.height, system.time, self.obstacles
        walls = self.walls = dict(getattr(system, "walls", {}))       # thermal sides
        self.gravity: tuple[float, ...] = getattr(system, "gravity", (0.0, 0.0))
        if restitution != 1.0 or walls or any(self.gravity) or any(has_laws(obstacle) or type(obstacle).__name__ == "Piston"
                                              for obstacle in self.obstacles):
            self._book = textbook_laws.CollisionSystem(
                *place, restitution, contact_time, walls, getattr(system, "seed", 0), system.k_B, system.ids.tolist(),
                system.thermal_contacts.tolist() if isinstance(system, CollisionSystem) else None, self.gravity)
        else:
            self._book = textbook.CollisionSystem(*place)
        self._species = system.configuration().species      # None if they are those of the sizes
        self._time = self._book.time        # the time of `_book` remains that of its last contact
        self.box = Box(system.box.width, system.box.height)
        self.k_B = system.k_B
        self.timers: list[Timer] = []
        self._repetitions = 0       # how often all discs have been predicted again
        self.stopped = False        # a callback has asked for the end of the run

    def simulate(self, until: float, max_events: int | None = None, max_seconds: float = math.inf) -> int:
        """Execute every event with time <= until, then set `time` to `until`; returns the number of contacts. If max_events
        (timers are events too), max_seconds of wall-clock time or a callback ends the run early, `time` is that of the last
        event. ValueError if `until` is before `time`, JammedError if discs collide without end at one instant, a
        CollapseError if they lose energy each time."""
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
        """Execute exactly one event, contact or timer, and return it; None if there is none."""
        timer = self._next_timer()
        if timer is not None and timer.due < self._book.time_of_next():
            self._time = timer.due
            return timer.fire()
        with _jams():
            event = self._book.next_event()
        if event is None:
            return None
        self._time = event.time
        self._repetitions += event.kind in ("device", "motion")
        feature = event.feature if isinstance(event, textbook.ObstacleCollision) else None
        return Happening(event.time, _kind_of(event), event.disc_indices, event.wall, _obstacle_of(event), feature)

    def reverse(self) -> None:
        """Reverse all velocities at the present time."""
        self._book.simulate(until=self.time)
        self._book.reverse()
        self._repetitions += 1

    def copy(self) -> TextbookSystem:
        """An independent system in the same state, whose later trajectory is equal bit for bit. Timers are not copied."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _book=copy.deepcopy(self._book), timers=[])
        return other

    def configuration(self) -> Configuration:
        """The present state as a `Configuration` of plain arrays."""
        n = len(self)
        return Configuration(np.array(self.positions).reshape(n, 2), np.array(self.velocities).reshape(n, 2),
                             np.array(self.radii), np.array(self.masses), np.array(self.colors, np.uint8).reshape(n, 3),
                             self.box.width, self.box.height, obstacles=self.obstacles, species=self._species,
                             time=self.time, law=Law(gravity=self.gravity if any(self.gravity) else ()))

    def __len__(self) -> int:
        return len(self._book)

    def __getitem__(self, i: int) -> Particle:
        """Disc i as it is now: an independent `Particle` with the box of the system. IndexError if there is no disc i."""
        (x, y), (vx, vy), disc = self.positions[i], self.velocities[i], self._book.particles[i]
        return Particle(x, y, vx, vy, disc.radius, disc.mass, disc.color, width=self.box.width, height=self.box.height,
                        count=disc.count)

    def __sizeof__(self) -> int:
        """Approximate bytes of memory, so that sys.getsizeof estimates the memory of a copy."""
        return BYTES + BYTES_PER_EVENT * (self._book.statistics["queue_size"] + len(self))

    @property
    def time(self) -> float:
        """The present time, in time units."""
        return self._time

    @property
    def positions(self) -> list[tuple[float, float]]:
        """The present centres (x, y), length units."""
        dt, (gx, gy) = self._time - self._book.time, self.gravity
        if not any(self.gravity):
            return [(x + vx * dt, y + vy * dt) for (x, y), (vx, vy) in zip(self._book.positions, self._book.velocities)]
        return [(x + (vx + 0.5 * gx * dt) * dt, y + (vy + 0.5 * gy * dt) * dt)
                for (x, y), (vx, vy) in zip(self._book.positions, self._book.velocities)]

    @property
    def velocities(self) -> list[tuple[float, float]]:
        """The present velocities (vx, vy), length / time."""
        if not any(self.gravity):
            return self._book.velocities
        dt, (gx, gy) = self._time - self._book.time, self.gravity
        return [(vx + gx * dt, vy + gy * dt) for vx, vy in self._book.velocities]

    @property
    def radii(self) -> list[float]:
        return self._book.radii

    @property
    def masses(self) -> list[float]:
        return self._book.masses

    @property
    def colors(self) -> list[tuple[int, ...]]:
        return self._book.colors

    def _is_ahead(self, event: textbook.Event) -> bool:
        """Whether an event is a contact that will happen if no disc is deflected: with an obstacle, before the obstacle goes."""
        goes = math.inf if event.obstacle is None else getattr(self.obstacles[event.obstacle], "until", math.inf)
        return bool(event.particles) and event.is_valid() and event.time <= goes

    @property
    def species(self) -> np.ndarray:
        """(n,) whole numbers; 0 for a disc that feels all obstacles."""
        return np.array([disc.species or 0 for disc in self._book.particles], dtype=np.int64)

    @property
    def kinetic_energy(self) -> float:
        return self._present().kinetic_energy

    def energy_balance(self) -> EnergyBalance | None:
        """The balance of energies, as of `hdsim.CollisionSystem`; None where all contacts are elastic, no obstacle moves, and
        there is no gravity."""
        book = self._present()
        return book.energy_balance() if isinstance(book, textbook_laws.CollisionSystem) else None

    def _present(self) -> textbook.CollisionSystem:
        """The textbook's system, or, where energies change between contacts, a copy of it at the present time."""
        if not any(self.gravity):
            return self._book
        book = copy.deepcopy(self._book)
        book._move_all(self._time)
        return book

    @property
    def temperature(self) -> float:
        """K / (N k_B) with the kinetic energy K of the N discs of finite mass; 0 if N is 0. Between walls no momentum is
        conserved, so nothing is subtracted."""
        mobile = int(np.isfinite(self.masses).sum())
        energy = math.fsum(disc.kinetic_energy() for disc in self._present().particles)     # without pistons
        return energy / (mobile * self.k_B) if mobile else 0.0

    @property
    def collision_counts(self) -> list[int]:
        """The number of contacts of each disc with discs and walls."""
        return [disc.count for disc in self._book.particles]

    @property
    def statistics(self) -> dict[str, int]:
        """The counts of `textbook.CollisionSystem.statistics`, and `events`, the number of contacts, each of which is an
        event."""
        counts = self._book.statistics
        return {**counts, "events": counts["pair_contacts"] + counts["wall_contacts"], "multi_events": 0}

    @property
    def pair_checks(self) -> PairChecks:
        """How many pairs have been compared so far, and how many two simpler methods would have compared; see `PairChecks`."""
        counts = self.statistics
        pairs, walls = counts["pair_contacts"], counts["wall_contacts"]
        looks = len(self) * (1 + self._repetitions) + 2 * pairs + walls      # predictions of a disc with all others and two walls
        return pair_checks(counts["predictions"] - 2 * looks, len(self), counts["events"], pairs, walls)

    def queue(self, k: int = 63) -> Queue:
        """The first k slots of the lazy heap. O(size of the queue), because all stale entries are counted."""
        events = list(self._book.queue)
        entries = tuple(Entry(event.time, _kind_of(event), event.disc_indices, event.wall, None, not event.is_valid(),
                              _obstacle_of(event)) for event in events[:max(k, 0)])
        return Queue("lazy heap", len(events), entries, stale=sum(not event.is_valid() for event in events))

    def schedule(self, k: int = 10) -> list[Prediction]:
        """The next k contacts that are predicted now, in order of time: the events in the queue that are not stale, each pair
        once. O(size of the queue)."""
        valid = heapq.nsmallest(2 * max(k, 0), filter(self._is_ahead, self._book.queue),
                                key=lambda event: (event.time, event.order))
        found = dict.fromkeys(_prediction(event) for event in valid)
        return list(found)[:max(k, 0)]

    def next_contact(self, i: int) -> Prediction | None:
        """The first contact of disc i that is predicted now; None if there is none. O(size of the queue). IndexError if there is
        no disc i."""
        i = range(len(self))[i]
        own = (event for event in self._book.queue if i in event.disc_indices and self._is_ahead(event))
        first = min(own, key=lambda event: (event.time, event.order), default=None)
        return None if first is None else _prediction(first)

    def near(self, i: int) -> Near:
        """The search area and the candidates of disc i: the whole box, and all other discs. IndexError if there is no disc i."""
        others = np.delete(np.arange(len(self)), i)
        return Near(np.array([[0.0, 0.0, self.box.width, self.box.height]]), others)


def _obstacle_of(event: textbook.Event) -> int | None:
    """The index of the obstacle that a disc touches, or that comes or goes."""
    return event.number if isinstance(event, textbook.RedrawEvent) else event.obstacle


def _kind_of(event: textbook.Event) -> str:
    """Its kind. What is no contact of a disc is a "device", as timers are not in the queue of the textbook."""
    return "device" if isinstance(event, textbook.RedrawEvent) else event.kind


def _prediction(event: textbook.Event) -> Prediction:
    return Prediction(event.time, event.disc_indices, event.wall, event.obstacle)


@contextmanager
def _jams() -> Iterator[None]:
    """A context manager that converts the plain errors of `textbook` and its laws, which import nothing of hdsim: a jam to a
    JammedError, a collapse to a CollapseError."""
    try:
        yield
    except textbook_laws.CollapseError as error:
        raise CollapseError(str(error)) from error
    except RuntimeError as error:
        raise JammedError(str(error)) from error
