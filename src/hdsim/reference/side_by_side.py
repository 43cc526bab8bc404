"""Two engines side by side: the exact one and a time-stepping one, from the same initial state and always at the same time; with
the first contact that time stepping misses, reported at the time of that contact.

>>> import hdsim
>>> both = SideBySide(hdsim.load("diagonal"), dt=8)     # its two discs touch at t = 44; their distance at 48 is that at 40
>>> both.simulate(until=60)                             # returns the number of contacts of the exact engine
1
>>> both.missed, both.first_missed.i, both.first_missed.j, round(both.first_missed.time, 9)
(1, 0, 1, 44.0)
"""
from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ..language import tr
from ..model.box import Box
from ..model import renamed
from ..model.events import Event
from ..model.naming import by_own_name
from ..system import STOP, CollisionSystem, is_stop
from .timers import Timed, Timer
from .timestep import PAIR_SCHEMES, SEEN_WITHIN, Misses, Pair, TimeDrivenSystem, checked_end, exact_twin, pairs_of

LEAST = 0.002           # least wall-clock seconds for the exact engine, however long the other one has taken
POINT_ASTRAY = 0.01     # threshold of `astray` for discs of radius 0, in units of the shorter side of the box


class Missed(NamedTuple):
    """A disc-disc contact of the exact engine that the time-stepping engine has missed."""

    time: float
    i: int
    j: int
    place: tuple[float, float]      # the point of contact, length units


@by_own_name(Timed)
class SideBySide(Timed):
    """The exact engine `exact` and the time-stepping engine `time_driven`, started from the present state of `system`; both
    are at `time`.

    It has the members of a system that runs and the viewer need: discs, events and statistics are those of `exact`, which
    resolves contacts of one instant one after another, as `time_driven` does. Both engines may be read; running one of them alone
    makes their times differ. `missed` counts missed contacts as defined by `Misses`; `first_missed` is the first of them. It is
    known at its own time, because a second time-stepping engine runs SEEN_WITHIN steps ahead.

    dt, scheme, errors: see `TimeDrivenSystem`.
    """

    UNCHANGED = "two engines side by side cannot change their discs; change the CollisionSystem that they begin with"

    ladder = renamed.attribute("ladder", "time_driven")
    ladder_seconds = renamed.attribute("ladder_seconds", "time_driven_seconds")

    @renamed.keyword("rung", "scheme")
    def __init__(self, system: CollisionSystem, dt: float, scheme: str = "ordered") -> None:
        self.time_driven = TimeDrivenSystem(system, dt, scheme)
        self.exact = exact_twin(system)
        self.first_missed: Missed | None = None
        self.time_driven_seconds = 0.0       # wall-clock time of `time_driven` alone
        self.timers: list[Timer] = []
        self.stopped = False
        self._callbacks: list[Callable[[Missed], Any]] = []
        self._ahead = self.time_driven.copy()
        self._reports: deque[tuple[float, list[Pair]]] = deque()     # contacts of `_ahead` that are not counted yet
        self._misses = Misses()
        self._energy = self.exact.kinetic_energy
        self._set_callbacks()

    def _set_callbacks(self) -> None:
        self.exact.on_collision(self._meet, kind="pair")
        self._ahead.on_collision(self._report, kind="pair")

    # running

    def simulate(self, until: float | None = None, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """Run both engines to `until`; returns the number of contacts of the exact engine. Limits and errors are as for
        `CollisionSystem.simulate`. Events are those of the exact engine, and timers. A step of the time-stepping engine is not
        interrupted."""
        until = checked_end(self.time, until, max_events, max_seconds, bool(self.timers or self._callbacks))
        before = self._contacts
        self._simulate(until, math.inf if max_events is None else max_events,
                       math.inf if max_seconds is None else perf_counter() + max_seconds)
        return self._contacts - before

    def _simulate(self, until: float, events: float, deadline: float) -> None:
        self.stopped = False
        while events > 0 and not self.stopped:
            timer = self._next_timer()
            due = until if timer is None else min(timer.due, until)
            before = self.exact.statistics["events"]
            more = self._advance(due, events, deadline)
            events -= self.exact.statistics["events"] - before
            if perf_counter() >= deadline or not more:
                return
            if self.time == due and events > 0 and not self.stopped:
                if timer is None or timer.due > until:
                    return
                timer.fire()
                events -= 1

    def _advance(self, due: float, events: float, deadline: float) -> bool:
        """Run both engines towards a time, as far as the limits allow. events: largest number of events. deadline: in wall-clock
        time. False if there is no future event."""
        goal, more = due, True
        if due == math.inf:
            more = self.exact.next_event() is not None
        else:
            # `_ahead` and `time_driven` need equal computing times, so each gets half of the remaining time.
            if not self._run_ahead(due, (deadline - perf_counter()) / 2):
                goal = min(max(self._ahead.time - self._margin, self.time), due)
            self.exact.simulate(until=goal, max_events=None if events == math.inf else int(events),
                                max_seconds=None if deadline == math.inf else max(deadline - perf_counter(), LEAST))
        self._catch_up()
        return more

    def next_event(self) -> Event | None:
        """Execute exactly one event of the exact engine, or one timer, and return it; None if there is no future event."""
        timer = self._next_timer()
        event = next(self.exact.events(math.inf if timer is None else timer.due), None)
        self._catch_up()
        return timer.fire() if event is None and timer is not None else event

    def _catch_up(self) -> None:
        self._see(self.time)
        began = perf_counter()
        self.time_driven.simulate(until=self.time)
        self.time_driven_seconds += perf_counter() - began

    # missed contacts

    @property
    def _margin(self) -> float:
        return SEEN_WITHIN * self.time_driven.dt

    def _run_ahead(self, time: float, seconds: float = math.inf) -> bool:
        """Run `_ahead` to SEEN_WITHIN steps after a time, or for `seconds` of wall-clock time; returns whether it got there."""
        if (until := time + self._margin) > self._ahead.time:
            self._ahead.simulate(until=until, max_seconds=max(seconds, 0.0))
        return self._ahead.time >= until

    def _report(self, event: Event) -> None:
        self._reports.append((event.time, pairs_of(event)))

    def _see(self, time: float) -> None:
        """Count the contacts that the time-stepping engine has seen up to SEEN_WITHIN steps after a time."""
        self._run_ahead(time)
        while self._reports and self._reports[0][0] <= time + self._margin:
            for pair in self._reports.popleft()[1]:
                self._misses.seen(pair)

    def _meet(self, event: Event) -> str | None:
        """Callback for disc-disc contacts of the exact engine: count them, and report the first missed one."""
        self._see(event.time)
        missed = [contact for contact in event.contacts if contact.j is not None and self._misses.met((contact.i, contact.j))]
        if not missed or self.first_missed is not None:
            return None
        i, j, normal = missed[0].i, missed[0].j, missed[0].normal
        assert j is not None
        x, y = (self.exact.positions[i] + self.exact.radii[i] * np.array(normal)).tolist()
        self.first_missed = first = Missed(event.time, i, j, (x, y))
        answers = [callback(first) for callback in self._callbacks]
        self.stopped = any(map(is_stop, answers))
        return STOP if self.stopped else None

    def on_first_missed(self, callback: Callable[[Missed], Any]) -> None:
        """Call `callback(missed)`, with a `Missed`, at the time of the first missed contact. It may read the exact engine, and
        may return `hdsim.STOP` to end the run there. Copies do not have the callback."""
        self._callbacks.append(callback)

    @property
    def missed(self) -> int:
        """The number of disc-disc contacts that have been missed so far; see `Misses`."""
        return self._misses.count

    def copy(self) -> SideBySide:
        """An independent pair of engines in the same state, which continue bit for bit. Callbacks and timers are not copied."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, exact=self.exact.copy(), time_driven=self.time_driven.copy(),
                              _ahead=self._ahead.copy(), _reports=self._reports.copy(), _misses=self._misses.copy(),
                              timers=[], _callbacks=[])
        other._set_callbacks()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> SideBySide:
        return self.copy()

    # reading

    def __len__(self) -> int:
        return len(self.exact)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.exact!r}, {self.time_driven!r}>"

    def __sizeof__(self) -> int:
        return sum(map(sys.getsizeof, (self.exact, self.time_driven, self._ahead, self._misses)))

    @property
    def time(self) -> float:
        return self.exact.time

    @property
    def collisions(self) -> str:
        """How both engines resolve contacts at one instant: "sequential"."""
        return self.exact.collisions

    @property
    def box(self) -> Box:
        return self.exact.box

    @property
    def radii(self) -> np.ndarray:
        return self.exact.radii

    @property
    def masses(self) -> np.ndarray:
        return self.exact.masses

    @property
    def colors(self) -> np.ndarray:
        return self.exact.colors

    @property
    def positions(self) -> np.ndarray:
        """(n, 2) positions in the exact engine."""
        return self.exact.positions

    @property
    def velocities(self) -> np.ndarray:
        """(n, 2) velocities in the exact engine."""
        return self.exact.velocities

    @property
    def kinetic_energy(self) -> float:
        """The kinetic energy of the exact engine."""
        return self.exact.kinetic_energy

    @property
    def statistics(self) -> dict[str, int]:
        """The statistics of the exact engine."""
        return self.exact.statistics

    @property
    def _contacts(self) -> int:
        counts = self.exact.statistics
        return counts["pair_contacts"] + counts["wall_contacts"]

    @property
    def energy_errors(self) -> tuple[float, float]:
        """Relative changes of the kinetic energy since the start: of the exact engine, of the time-stepping engine."""
        energies = self.exact.kinetic_energy, self.time_driven.kinetic_energy
        exact, time_driven = ((energy - self._energy) / self._energy if self._energy else 0.0 for energy in energies)
        return exact, time_driven

    @property
    def distances(self) -> np.ndarray:
        """(n,) distances between the positions of each disc in the two engines, length units."""
        return np.sqrt(np.square(self.time_driven.positions - self.exact.positions).sum(axis=1))

    @property
    def astray(self) -> np.ndarray:
        """(n,) bool: discs whose positions in the two engines differ by more than their radius; for discs of radius 0, by more
        than a hundredth of the shorter side of the box."""
        return self.distances > np.where(self.radii > 0, self.radii, POINT_ASTRAY * min(self.box.width, self.box.height))


def rule_of_contacts(system: Any) -> str:
    """A note, in the language in use, for a system that resolves contacts at one instant one after another; "" for others. From
    the first such instant on its trajectory differs from that of the default rule."""
    if isinstance(system, TimeDrivenSystem) and system.scheme not in PAIR_SCHEMES:      # discs do not collide in these schemes
        return ""
    return tr("contacts of one instant one after another") if getattr(system, "collisions", "") == "sequential" else ""
