"""Time-driven engines: five time-stepping schemes, from discs that only move to rollback in the order of the contacts.

"Discretize time in quanta of size dt. Update the position of each particle after every dt units of time, and check for
overlaps" (Sedgewick and Wayne, section 6.1). The schemes differ in the treatment of overlaps (Playne's lecture has the same
steps):

    move      discs move straight, through walls and other discs
    walls     a disc that would leave the box is reflected: the book's bouncing balls
    overlap   all pairs are examined: discs that overlap and approach collide at their present positions
    rollback  overlapping discs are moved back to the time of contact, collide, and are moved forward again; pair after pair
    ordered   the first contact of the step is resolved first; then all pairs are examined again

Discs may have any radii and masses, in any box with walls. `compare` compares a scheme with the exact engine; docs/timestep.md
has the missed contacts and the cost.

>>> import hdsim
>>> time_driven = TimeDrivenSystem(hdsim.load("diagonal"), dt=.5, scheme="ordered")
>>> time_driven.simulate(until=50)                         # returns the number of contacts
1
>>> time_driven.statistics["checks"]          # of the one pair: in each of 100 steps, and once more after the contact
101
"""
from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _core, theory
from ..language import plural
from ..model.box import require_plane
from ..model.configuration import Configuration
from ..model.errors import OverlapWarning
from ..model.events import Event
from ..model import renamed
from ..model.naming import by_own_name
from ..model.numbers import shown
from ..model.queues import PairChecks, pair_checks
from ..starts import sources
from ..system import Box, CollisionSystem, Near, Particle, Subscription, is_stop
from ..system.callbacks import Callbacks
from ..system.running import check_limits
from .timers import Timed

SCHEMES = ("move", "walls", "overlap", "rollback", "ordered")     # the schemes, in the order of their numbers in the core
PAIR_SCHEMES = SCHEMES[2:]      # the schemes in which discs collide with each other
BOOK_DT = 0.5               # time step of the book's bouncing balls
DIAMETERS_PER_STEP = 0.1    # largest distance, in the least diameter, that a disc moves in a step of `usual_dt`
SEEN_WITHIN = 2             # a contact that the scheme has not detected after this number of steps is missed
BYTES, BYTES_PER_DISC = 5_000, 112      # memory: fourteen numbers for each disc
BYTES_PER_PAIR = 120        # memory of a tuple of two numbers in a dict

Pair = tuple[int, int]

if not TYPE_CHECKING:       # else type checkers take every name of this module for one that there is
    __getattr__ = renamed.of_module(globals(), {"RUNGS": "SCHEMES", "PAIR_RUNGS": "PAIR_SCHEMES"})

# Members of CollisionSystem that a time-driven engine cannot have, with the reason for the error message.
MISSING = {
    "observe": "observers sum up exact flights and contacts; register on_timer or on_collision, and measure there",
    "queue": "it has no queue: all pairs are looked at in every step",
    "schedule": "it predicts nothing: contacts are found when they have happened",
    "record": "only the exact engine writes trajectories and logs; hdsim.record makes films of it",
    "save": "it has no checkpoints; configuration() is the state as it is seen",
}


@by_own_name(Timed)
class TimeDrivenSystem(Timed):
    """The discs of `system` in their present state, moved in time steps dt; the interface is that of `CollisionSystem`.

    scheme: the scheme, one of `SCHEMES`. Steps end at the times begin + k dt (products, not sums), where `begin` is the time
    of the start or of the last reversal. Between steps, positions are those of straight motion from the last step. Reading
    does not move the discs, so they may overlap each other or a wall there. An event is a step with contacts; its time is
    the end of the step. ValueError if the box is periodic, the system has obstacles or gravity, the scheme is unknown, or dt is
    not positive, finite, and large enough to change the time. """

    collisions = "sequential"       # contacts of one step in the order of (time, disc, partner)
    UNCHANGED = "the time-driven engine cannot change its discs; change the CollisionSystem that it begins with"

    rung = renamed.attribute("rung", "scheme")

    @renamed.keyword("rung", "scheme")
    def __init__(self, system: CollisionSystem, dt: float, scheme: str = "ordered") -> None:
        if scheme not in SCHEMES:
            raise ValueError(f"scheme is {shown(scheme)}; it must be one of {', '.join(SCHEMES)}")
        require_plane(system.box, "the time-driven engine has")
        if any(system.box.periodic):
            raise ValueError("the time-driven engine knows walls only, and this box is periodic")
        if system.restitution != 1:
            raise ValueError(f"the time-driven engine has elastic contacts, and the restitution of this system is "
                             f"{shown(system.restitution)}; the exact engine has it")
        if any(system.gravity):
            raise ValueError(f"the time-driven engine has no gravity, and that of this system is {shown(system.gravity)}; the "
                             "exact engine has it, and the textbook's")
        if system.obstacles:
            raise ValueError(f"the time-driven engine knows no obstacles, and this system has {len(system.obstacles)}; the exact "
                             "engine does, and the textbook's")
        if not (0 < dt < math.inf and system.time + dt > system.time):
            raise ValueError(f"dt is {shown(dt)}; it must be positive, finite, and not vanish beside the time "
                             f"{shown(system.time)}")
        self.dt, self.scheme = float(dt), scheme
        self.box, self.k_B = Box(system.box.width, system.box.height), system.k_B
        self.radii, self.masses, self.colors, self.ids = system.radii, system.masses, system.colors, system.ids
        states = np.column_stack([system.positions, system.velocities, system.radii, system.masses])
        self._stepper = _core.TimeStepper(len(states), self.box.width, self.box.height, self.dt, SCHEMES.index(scheme),
                                          system.time)
        self._stepper.load(np.ascontiguousarray(states))
        self._time = system.time
        self.timers = []
        self.stopped = False
        self._turn = _core.Turn()
        self._callbacks = Callbacks()

    # running

    def simulate(self, until: float | None = None, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """Execute every step that ends by `until`, then set `time` to `until`; returns the number of contacts.

        max_events: stop after this number of events, redraws and timers included. max_seconds: stop after this wall-clock time,
        at the end of a step. If the run ends early, also by a callback that returns `hdsim.STOP` or by Ctrl-C, `time` is that of
        the last step or timer. ValueError as for `CollisionSystem.simulate`.
        """
        until = checked_end(self.time, until, max_events, max_seconds, bool(self.timers or self._callbacks.subscriptions))
        before = self._stepper.contacts
        self._alone(lambda: self._simulate(until, math.inf if max_events is None else max_events,
                                           math.inf if max_seconds is None else max_seconds))
        return self._stepper.contacts - before

    def _simulate(self, until: float, events: float, seconds: float) -> None:
        deadline = perf_counter() + seconds
        self.stopped = False
        while events > 0 and not self.stopped:
            timer = self._next_timer()
            due = until if timer is None else min(timer.due, until)
            before = self._stepper.events
            last = _core.FOREVER if events == math.inf else before + int(events)
            event = self._stepper.run(due, bool(self._callbacks.subscriptions), last, max(deadline - perf_counter(), 0.0))
            events -= self._stepper.events - before
            if event is not None:
                self._advance_clock(event.time)
                self._call_back(event)
            elif events > 0 and self._stepper.next_time > due:     # all steps to there have been taken
                self._advance_clock(due)
                if timer is None or timer.due > until:
                    return
                timer.fire()
                events -= 1
            elif perf_counter() < deadline:     # there is no future event, or max_events is reached
                return
            if perf_counter() >= deadline:
                return

    def step(self, dt: float) -> int:
        """Run for dt >= 0 time units, independently of the engine's own time step; returns the number of contacts."""
        if not 0 <= dt < math.inf:
            raise ValueError(f"dt is {shown(dt)}; it must be >= 0 and finite")
        return self.simulate(until=self.time + dt)

    def next_event(self) -> Event | None:
        """Run to the end of the next step with contacts, or to the next timer, and return that event; None if there is none."""
        return self._alone(lambda: self._next_event(math.inf))

    def _next_event(self, until: float) -> Event | None:
        timer = self._next_timer()
        due = until if timer is None else min(timer.due, until)
        event = self._stepper.run(due, True)
        if event is not None:
            self._advance_clock(event.time)
            self._call_back(event)
        elif timer is not None and timer.due <= until:
            self._advance_clock(due)
            event = timer.fire()
        elif until < math.inf:
            self._advance_clock(until)
        return event

    def peek(self) -> Event | None:
        """The event that `next_event` would return. The system does not change, because a copy is run."""
        twin, timer = self.copy(), self._next_timer()
        event = twin._next_event(math.inf if timer is None else timer.due)
        return Event(timer.due, timer.kind) if event is None and timer is not None else event

    def events(self, until: float = math.inf) -> Iterator[Event]:
        """Execute and yield events one by one while their time is <= `until`; at the end `time` is `until`. If a callback returns
        `hdsim.STOP`, its event is the last."""
        self.stopped = False
        while not self.stopped and (event := self._alone(lambda: self._next_event(until))) is not None:
            yield event

    def _alone(self, act: Callable[[], Any]) -> Any:
        """Call a function that runs the system. RuntimeError if a run is in progress. However it ends, `time` is at least that of
        the last complete step."""
        with self._turn:
            try:
                return act()
            finally:
                self._advance_clock(self._stepper.time)

    def _advance_clock(self, time: float) -> None:
        self._time = max(self._time, time)

    # callbacks

    def on_collision(self, callback: Callable[[Event], Any], kind: str | None = None) -> Subscription:
        """Call `callback(event)` after every step with a contact of this kind ("pair", "wall", "multi", or None for any). It may
        read the system, and may return `hdsim.STOP` to end the run. Returns a handle with `cancel()`."""
        return self._callbacks.add(callback, kind)

    def _call_back(self, event: Event) -> None:
        for subscription in self._callbacks.subscriptions:
            if subscription.concerns(event) and is_stop(subscription.callback(event)):
                self.stopped = True

    # changing

    def reverse(self) -> None:
        """Reverse all velocities at the present time and positions, from which further steps begin."""
        self._stepper.reverse(self._time)

    def copy(self) -> TimeDrivenSystem:
        """An independent system in the same state, which continues bit for bit. Callbacks and timers are not copied."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _stepper=self._stepper.copy(), timers=[], _callbacks=Callbacks(),
                              _turn=_core.Turn())
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> TimeDrivenSystem:
        return self.copy()

    def __getattr__(self, name: str) -> Any:
        if name in MISSING:
            raise AttributeError(f"the time-driven engine has no {name}: {MISSING[name]}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # reading

    def __len__(self) -> int:
        return len(self.radii)

    def __getitem__(self, i: int) -> Particle:
        """Disc i as it is now: an independent `Particle` with the box of the system. IndexError if there is no disc i."""
        i = range(len(self))[i]
        (x, y), (vx, vy) = self.positions[i].tolist(), self.velocities[i].tolist()
        return Particle(x, y, vx, vy, float(self.radii[i]), float(self.masses[i]), tuple(self.colors[i].tolist()),
                        width=self.box.width, height=self.box.height, count=int(self.collision_counts[i]))

    def __repr__(self) -> str:
        return (plural(f"<{type(self).__name__} of {len(self)} disc(s)")
                + f" in {self.box.width:g} x {self.box.height:g}, scheme {self.scheme}, dt {self.dt:g}, time {self.time:g}>")

    def __sizeof__(self) -> int:
        """Approximate bytes of memory, so that sys.getsizeof estimates the memory of a copy."""
        return BYTES + BYTES_PER_DISC * len(self)

    @property
    def time(self) -> float:
        """The present time, in time units; it may be between two steps."""
        return self._time

    @property
    def positions(self) -> np.ndarray:
        """(n, 2) positions at `time`, by straight motion from the last step, length units, read-only."""
        return self._filled(np.empty((len(self), 2)), lambda out: self._stepper.positions(out, self._time))

    unwrapped_positions = positions

    @property
    def velocities(self) -> np.ndarray:
        """(n, 2) velocities at `time`, length / time, read-only."""
        return self._filled(np.empty((len(self), 2)), self._stepper.velocities)

    @property
    def pair_counts(self) -> np.ndarray:
        """(n,) int64: the number of contacts of each disc with discs, read-only."""
        return self._contact_counters[:, 0]

    @property
    def wall_counts(self) -> np.ndarray:
        """(n,) int64: the number of contacts of each disc with walls, read-only."""
        return self._contact_counters[:, 1]

    @property
    def collision_counts(self) -> np.ndarray:
        """(n,) int64: the number of contacts of each disc with discs and walls (`count` in the book), read-only."""
        total = self._contact_counters.sum(axis=1)
        total.flags.writeable = False
        return total

    @property
    def _contact_counters(self) -> np.ndarray:
        return self._filled(np.empty((len(self), 2), dtype=np.int64), self._stepper.counters)

    @staticmethod
    def _filled(array: np.ndarray, fill: Callable[[np.ndarray], None]) -> np.ndarray:
        fill(array)
        array.flags.writeable = False
        return array

    @property
    def kinetic_energy(self) -> float:
        """Sum of m v^2 / 2 over the discs of finite mass, mass * length^2 / time^2."""
        mobile = np.isfinite(self.masses)
        return float(0.5 * np.sum(self.masses[mobile] * np.square(self.velocities[mobile]).sum(axis=1)))

    @property
    def momentum(self) -> np.ndarray:
        """(2,) sum of m v over the discs of finite mass, mass * length / time."""
        mobile = np.isfinite(self.masses)
        return (self.masses[mobile, None] * self.velocities[mobile]).sum(axis=0)

    @property
    def temperature(self) -> float:
        """2 K / (k_B f), where K is the kinetic energy and f is 2 for each disc of finite mass; 0 if there is none."""
        freedom = 2 * int(np.isfinite(self.masses).sum())
        return float(theory.kinetic_temperature(self.kinetic_energy, freedom)) / self.k_B if freedom else 0.0

    @property
    def packing_fraction(self) -> float:
        """Sum of the areas of the discs divided by the area of the box."""
        return float(math.pi * np.square(self.radii).sum() / self.box.area)

    @property
    def statistics(self) -> dict[str, int]:
        """Counts since the start, by name: pair_contacts; wall_contacts; events (steps with contacts); multi_events (steps with
        several contacts); steps; checks (pairs examined: N (N - 1) / 2 in each step, with "ordered" again after each contact)."""
        return self._stepper.statistics()

    @property
    def deepest_overlap(self) -> float:
        """The deepest overlap at the end of a step so far, as a fraction of the contact distance: 1 if centres coincide. The
        schemes "move" and "walls" do not examine overlaps."""
        return self._stepper.deepest_overlap

    @property
    def pair_checks(self) -> PairChecks:
        """How many pairs have been examined so far, and how many two other methods would have examined; see `PairChecks`."""
        counts = self.statistics
        return pair_checks(counts["checks"], len(self), counts["events"], counts["pair_contacts"], counts["wall_contacts"])

    def hash(self) -> str:
        """A hash, 16 hex digits, of all contacts so far in order: of their discs or wall and the bits of the time of the step."""
        return f"{self._stepper.hash:016x}"

    def near(self, i: int) -> Near:
        """The search area and the candidates of disc i: the whole box, and all other discs. IndexError if there is no disc i."""
        return Near(np.array([[0.0, 0.0, self.box.width, self.box.height]]), np.delete(np.arange(len(self)), i))

    def configuration(self) -> Configuration:
        """The present state as a `Configuration` of plain arrays."""
        return Configuration(self.positions, self.velocities, self.radii, self.masses, self.colors, self.box.width,
                             self.box.height, self.box.periodic, time=self.time)


class Ball:
    """A ball of the book's warm-up: it moves and bounces off the walls of the unit box, and not off other balls."""

    def __init__(self, rx: float, ry: float, vx: float, vy: float, radius: float) -> None:
        self.rx, self.ry, self.vx, self.vy, self.radius = rx, ry, vx, vy, radius

    def move(self, dt: float) -> None:
        """Move for a time step dt. As in the book, a velocity component is reversed before a step that would cross a wall."""
        # Unlike the book: only for a disc that moves towards the wall; otherwise a disc beyond the wall would be trapped there.
        if (self.vx < 0 and self.rx + self.vx * dt < self.radius) or (self.vx > 0 and self.rx + self.vx * dt > 1 - self.radius):
            self.vx = -self.vx
        if (self.vy < 0 and self.ry + self.vy * dt < self.radius) or (self.vy > 0 and self.ry + self.vy * dt > 1 - self.radius):
            self.vy = -self.vy
        self.rx += self.vx * dt
        self.ry += self.vy * dt


class BouncingBalls(TimeDrivenSystem):
    """The book's warm-up: n balls that bounce off the walls and not off each other, with time step dt. The discs are those of
    `hdsim.random(n, seed=seed)`."""

    def __init__(self, n: int = 100, dt: float = BOOK_DT, seed: int = 0) -> None:
        super().__init__(sources.random(n, seed=seed), dt, "walls")


def usual_dt(system: CollisionSystem) -> float:
    """The default time step: the largest number of the form 1, 2 or 5 times a power of ten in which the fastest disc moves at
    most a tenth of the smallest diameter; .5, as in the book, if no disc moves or all are points."""
    speed = float(np.sqrt(np.square(system.velocities).sum(axis=1)).max(initial=0.0))
    diameter = 2 * float(system.radii[system.radii > 0].min(initial=math.inf))
    if speed == 0 or diameter == math.inf:
        return BOOK_DT
    most = DIAMETERS_PER_STEP * diameter / speed
    decade = math.floor(math.log10(most))
    return max(step for step in (float(f"{digit}e{decade + k}") for k in (-1, 0, 1) for digit in (1, 2, 5)) if step <= most)


def checked_end(now: float, until: float | None, max_events: int | None, max_seconds: float | None, answers: bool) -> float:
    """The end of a run from `now` as a float, infinity for None. answers: whether there are callbacks or timers that may end the
    run. ValueError if `until` is before `now`, a limit is not legal, or nothing can end the run."""
    until = math.inf if until is None else until
    if not until >= now:
        raise ValueError(f"until is {shown(until)}; it must not be before the time of the system, {shown(now)}")
    check_limits(max_events, max_seconds)
    if until == math.inf and max_events is None and max_seconds is None and not answers:
        raise ValueError("until is infinite and nothing can stop the run; give until, max_events or max_seconds")
    return until


class Misses:
    """Counts the disc-disc contacts that another engine misses. For each pair, every contact of the exact engine should be
    matched by one of the other engine, at most `SEEN_WITHIN` steps later. `count` is the number of unmatched contacts, of those
    of the exact engine up to a time t and those of the other engine up to t + SEEN_WITHIN * dt. The caller reports contacts by
    `met` and `seen` in this order of times.

    >>> misses = Misses()
    >>> misses.met((3, 5)), misses.seen((3, 5)), misses.met((3, 5)), misses.count
    (True, True, True, 1)
    """

    def __init__(self) -> None:
        self.count = 0
        self._unseen: dict[Pair, int] = {}      # contacts of the exact engine minus those of the other one, if not 0

    def met(self, pair: Pair) -> bool:
        """Report a contact of the exact engine. Returns whether it counts as missed, by the contacts reported so far."""
        missed = self._add(pair, +1) > 0
        self.count += missed
        return missed

    def seen(self, pair: Pair) -> bool:
        """Report a contact of the other engine. Returns whether it matches one that has counted as missed until now."""
        late = self._add(pair, -1) >= 0
        self.count -= late
        return late

    def _add(self, pair: Pair, number: int) -> int:
        unseen = self._unseen.pop(pair, 0) + number
        if unseen:
            self._unseen[pair] = unseen
        return unseen

    def copy(self) -> Misses:
        """An independent object with the same counts."""
        other = Misses()
        other.count, other._unseen = self.count, self._unseen.copy()
        return other

    def __sizeof__(self) -> int:
        return sys.getsizeof(self._unseen) + BYTES_PER_PAIR * len(self._unseen)


def pairs_of(event: Event) -> list[Pair]:
    """The disc-disc contacts of an event as pairs (i, j), in order."""
    return [(contact.i, contact.j) for contact in event.contacts if contact.j is not None]


class Comparison(NamedTuple):
    """The comparison of a time-stepping scheme with the exact engine."""

    scheme: str                   # the scheme
    dt: float
    time: float                 # simulated time
    contacts: int               # disc-disc contacts of the exact engine
    missed: int                 # of these, by `Misses`
    position_error: float       # root mean square over the discs, length units
    deepest_overlap: float      # as a fraction of the contact distance
    energy_error: float         # relative change of the kinetic energy
    checks: int                 # pairs examined by the scheme
    seconds: float              # wall-clock time of the scheme
    exact_events: int           # events of the exact engine
    exact_checks: int           # pairs that it compared
    exact_seconds: float        # its wall-clock time

    @property
    def rung(self) -> str:
        """The old name of `scheme`."""
        renamed.warn("Comparison.rung", "Comparison.scheme")
        return self.scheme

@renamed.keyword("rung", "scheme")
def compare(system: CollisionSystem, dt: float, scheme: str = "ordered", time: float = 1.0) -> Comparison:
    """Run a time-stepping scheme and the exact engine, which here also resolves contacts one after another, for a time from the
    present state of `system`, which does not change.

    A missed contact changes everything after it, so in a gas the errors are meaningful only for a few contacts per disc. `time`
    should be a multiple of dt, because within a step positions are extrapolated. ValueError as for `TimeDrivenSystem`.
    """
    exact, stepped = exact_twin(system), TimeDrivenSystem(system, dt, scheme)
    until = system.time + time
    misses = Misses()
    exact.on_collision(lambda event: [misses.met(pair) for pair in pairs_of(event)], kind="pair")
    stepped.on_collision(lambda event: [misses.seen(pair) for pair in pairs_of(event)], kind="pair")
    seconds = [_timed(each.copy(), until) for each in (exact, stepped)]
    exact.simulate(until=until)
    stepped.simulate(until=until)
    positions, energies = stepped.positions, [system.kinetic_energy, stepped.kinetic_energy]
    counts, deepest = stepped.statistics, stepped.deepest_overlap
    stepped.simulate(until=until + SEEN_WITHIN * dt)
    return Comparison(scheme, dt, time, exact.statistics["pair_contacts"], misses.count,
                      float(np.sqrt(np.square(positions - exact.positions).sum(axis=1).mean())), deepest,
                      (energies[1] - energies[0]) / energies[0] if energies[0] else 0.0, counts["checks"], seconds[1],
                      exact.statistics["events"], exact.statistics["predictions"], seconds[0])


def exact_twin(system: CollisionSystem) -> CollisionSystem:
    """A new exact system with the present state and time of `system` that resolves contacts of one instant one after another, as
    the time-stepping schemes do. Its counts begin at 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OverlapWarning)     # it was given already when `system` was made
        return CollisionSystem.from_configuration(system.configuration(), box=system.box, time=system.time,
                                                  collisions="sequential", k_B=system.k_B)


def _timed(system: CollisionSystem | TimeDrivenSystem, until: float) -> float:
    began = perf_counter()
    system.simulate(until=until)
    return perf_counter() - began
