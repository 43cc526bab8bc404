"""Measured: values measured in the gas that is played, with errors and theory. Observers in the engine measure, and have the
laws; this class selects the values and stores them as functions of time. Drawing is elsewhere."""
from __future__ import annotations

import copy
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from ... import theory
from ...language import tr
from ...language.numerals import number, with_error
from ...model.box import lengths_of
from ...model.colors import speeds
from ...model.roles import HasGravity, HasObstacles, Observable, OfSpace, offers
from ...observers import CollisionRates, FreePath, Observer, Pressure, Speed
from ...observers.observer import STRAIGHT
from ...quantities import balance
from ..draw.axes import Axes
from ..draw.frame import Frame
from .observing import OwnObservers

INTERVAL = 0.1          # least seconds between two readings, and ...
SHARE = 20              # ... least interval over the time of a reading
BUDGET = 0.0015         # seconds of a reading; remaining values are read next time
POINTS = 240            # points of a curve over time; beyond, every second one is dropped
CURVE_POINTS = 121
BINS = 120              # bins of the speeds, from 0 to SPEED_RANGE
SPEED_RANGE = 4.0       # thermal speeds sqrt(kT / m) of the lightest disc; a fraction exp(-8) of discs is faster
KINDS_MOST = 4          # with more kinds of mass and radius, all discs share one distribution of speeds
MASSES_MOST = 64        # with more different masses, no theoretical curve is drawn
SETTLED = 0.15          # values in this first share of the time do not widen the scale
FLATTEST = 1e-3         # least range of a scale, over the value
CONSTANT = 1e-9         # relative range of values that have no plot, because they are constant but for rounding


@dataclass
class Course:
    """A measured value as a function of time."""

    title: str
    unit: str
    times: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    law: float | None = None
    why_none: str = ""      # the reason why there is no theoretical value
    is_mean: bool = True    # whether values are means since the beginning, or instantaneous values

    def add(self, time: float, value: float, error: float) -> None:
        """Add a value. Readings at later times are dropped, because the system has gone back in time."""
        while self.times and self.times[-1] >= time:
            for column in (self.times, self.values, self.errors):
                column.pop()
        if math.isfinite(value):
            self.times.append(time)
            self.values.append(value)
            self.errors.append(error)
        if len(self.times) > POINTS:
            for column in (self.times, self.values, self.errors):
                del column[1:-1:2]

    @property
    def is_constant(self) -> bool:
        """Whether all values are equal but for rounding."""
        return not self.values or max(self.values) - min(self.values) <= CONSTANT * abs(self.values[-1])

    @property
    def value(self) -> float:
        return self.values[-1] if self.values else math.nan

    @property
    def error(self) -> float:
        return self.errors[-1] if self.errors else math.nan

    def measured(self) -> str:
        """The value with its error, as text."""
        return with_error(self.value, self.error)

    def theory(self) -> str:
        """The theoretical value and the deviation of the measured one, as text; or the reason why there is none."""
        if self.law is None:
            return self.why_none
        if not self.is_mean:
            return tr("at the beginning {value}", value=number(self.law, 5))
        off = tr(",  off by {n:.1f} errors", n=abs(self.value - self.law) / self.error) if 0 < self.error < math.inf else ""
        return tr("theory {value}", value=number(self.law, 5)) + off

    def scale(self) -> tuple[float, float]:
        """The range of the axis: the settled part of the values with their errors, and the theoretical value."""
        times, values = np.array(self.times), np.array(self.values)
        errors = np.nan_to_num(np.array(self.errors))
        late = times >= SETTLED * times[-1]
        ends = [*(values - errors)[late], *(values + errors)[late], *([] if self.law is None else [self.law])]
        low, high = min(ends), max(ends)
        room = max(0.15 * (high - low), FLATTEST * max(abs(low), abs(high))) or 1.0
        return low - room, high + room


def kinds_of(system: Any) -> np.ndarray:
    """The kind of each disc by mass and radius, (n,), 0 for the most numerous kind; negative for discs of infinite mass.

    With more than KINDS_MOST kinds all mobile discs have kind 0."""
    masses, radii = np.asarray(system.masses, float), np.asarray(system.radii, float)
    mobile = np.isfinite(masses)
    kinds, which, numbers = np.unique(np.column_stack([masses, radii])[mobile], axis=0, return_inverse=True, return_counts=True)
    found = np.where(mobile, 0, -1)
    if len(kinds) <= KINDS_MOST:
        found[mobile] = np.argsort(np.argsort(-numbers, kind="stable"))[which.reshape(-1)]
    return found


class Speeds:
    """The distribution of speeds of the most numerous kind of discs, and in `others` those of other kinds. It comes from an
    observer or, if the engine takes none, from the speeds at each reading."""

    def __init__(self, system: Any) -> None:
        self.top = speed_range(system)
        self.edges, self.density = np.linspace(0, self.top, BINS + 1), np.zeros(BINS)
        self.mean, self.error = math.nan, math.nan
        self.curve: np.ndarray | None = None        # (k, 2) speed and density by theory ...
        self.said = ""                              # ... and its description, or the reason why there is none
        self.others: list[tuple[np.ndarray, np.ndarray | None]] = []    # of the other kinds: density, and curve if there is one
        self.kinds = kinds_of(system)
        self._counts = np.zeros(BINS)
        self._seen = 0

    def read(self, system: Any, temperature: float, observer: Any, others: Any = None) -> None:
        """Read the distributions. observer: a `Speed` of the discs of kind 0, or None. others: a `Speed` of the other kinds, each
        a species, or None."""
        if observer is None:
            found = speeds(system)[self.kinds == 0]
            if len(found):
                self._counts += np.histogram(found, self.edges)[0]
                self._seen += len(found)
                self.density = self._counts / (self._seen * np.diff(self.edges))
        else:
            self.density = np.nan_to_num(observer.histogram[0])
            self.mean, self.error = observer.value, observer.error
        self.curve, self.said = self._law(system, temperature, observer is not None and observer.theory is None)
        if others is not None and self.curve is not None and observer.elapsed > 0:      # else no kind has a mean energy
            self._read_kinds(system, others.histogram)

    def _read_kinds(self, system: Any, histograms: np.ndarray) -> None:
        """Set the curves of several kinds, each by its own mean energy, because kinds need not be in equilibrium with each other.
        A kind that hardly moves has no curve."""
        densities = [self.density, *np.nan_to_num(histograms)]
        middles, widths, d = (self.edges[1:] + self.edges[:-1]) / 2, np.diff(self.edges), len(lengths_of(system.box))
        x, curves, energies = np.linspace(0, self.top, CURVE_POINTS), [], []
        for kind, density in enumerate(densities):
            mass = float(np.asarray(system.masses, float)[self.kinds == kind][0])
            energies.append(mass * float((density * widths * middles**2).sum()) / d)      # kT by this kind alone
            moves = math.sqrt(energies[-1] / mass) > widths[0]
            curves.append(np.column_stack([x, theory.speed_pdf(x, mass, energies[-1], d=d)]) if moves else None)
        self.curve, self.others = curves[0], list(zip(densities[1:], curves[1:]))
        self.said = tr("Rayleigh, by mass and radius, at kT = {kT}" if d == 2 else "Maxwell, by mass and radius, at kT = {kT}",
                       kT=", ".join(number(energy) for energy, curve in zip(energies, curves) if curve is not None))

    def _law(self, system: Any, temperature: float, drifts: bool) -> tuple[np.ndarray | None, str]:
        masses = np.asarray(system.masses, float)
        kinds, numbers = np.unique(masses[np.isfinite(masses)], return_counts=True)
        n, kT = int(numbers.sum()), system.k_B * temperature
        if n < 2:
            return None, tr("no theory: one disc" if n else "no theory: no discs", of=len(lengths_of(system.box)))
        if not kT > 0:
            return None, tr("no theory: nothing moves")
        if drifts:
            return None, tr("no theory: the gas as a whole drifts")
        if len(kinds) > MASSES_MOST:
            return None, tr("no theory: more than {n} masses", n=MASSES_MOST)
        if offers(system, OfSpace):
            return self._law_in_space(system, kinds, numbers, kT)
        at_rest = sum(system.box.periodic) if n == len(masses) else 0       # axes along which the centre of mass is at rest
        d = len(lengths_of(system.box))
        share = kinds / masses.sum() if at_rest == d else np.zeros(len(kinds))
        x = np.linspace(0, self.top, CURVE_POINTS)
        freedom = max(d * n - at_rest, d + 1)
        density = sum(k * np.asarray(theory.speed_pdf(x, m, kT, freedom, s, d=d)) for m, k, s in zip(kinds, numbers, share)) / n
        if d == 3:
            return np.column_stack([x, density]), tr("Maxwell in {d} dimensions at kT = {kT}", d=d, kT=number(kT))
        said = tr("Rayleigh for {n} disc(s) at kT = {kT}" if n < 100 else "Rayleigh at kT = {kT}", n=n, kT=number(kT))
        return np.column_stack([x, density]), said


    def _law_in_space(self, system: Any, kinds: np.ndarray, numbers: np.ndarray, kT: float) -> tuple[np.ndarray | None, str]:
        """The law for masses `kinds`, of `numbers` of bodies, of a gas in another space."""
        if not system.relaxes:
            return None, tr("no theory: contacts only exchange components")
        d, x = system.dimension, np.linspace(0, self.top, CURVE_POINTS)
        freedom = max(system.freedom, d + 1)
        density = sum(k * np.asarray(theory.speed_pdf(x, m, kT, freedom, d=d)) for m, k in zip(kinds, numbers)) / numbers.sum()
        return np.column_stack([x, density]), tr("Maxwell in {d} dimensions at kT = {kT}", d=d, kT=number(kT))


def speed_range(system: Any) -> float:
    """SPEED_RANGE thermal speeds; 1 where nothing moves."""
    masses, kT = np.asarray(system.masses, float), system.k_B * system.temperature
    return SPEED_RANGE * math.sqrt(kT / masses[np.isfinite(masses)].min()) if kT > 0 else 1.0


class Measured:
    """What is measured in one system at a time: the distribution of speeds, and means over time.

    `speeds`, `courses`, `balance`: what was read, from the first `begin` on. `experiment`: makes the observer of the experiment
    that the system is of, if it has one; `figure`, what that has drawn. `observing`: the observers attached. `read_at`: the frame
    at the last reading. `due`: the earliest time of the next one, seconds of `perf_counter`."""

    def __init__(self, label: str) -> None:
        """label: of the observers, which tells those of different panels apart."""
        self.observing = OwnObservers(label)
        self.system: Any = None             # the system that is read; None: `begin` must come first
        self.read_at: Frame | None = None
        self.due = 0.0
        self.courses: list[Course] = []
        self.experiment: Callable[[Any], Observer] | None = None
        self.figure: tuple[Axes, Course] | None = None
        self.balance: dict[str, float] = {}     # where the energy is, if that is not conserved

    def let_go(self, system: Any) -> None:
        """Remove the observers from `system`, which can then be edited."""
        if offers(system, Observable):
            self.observing.detach(system)
        self.system = None

    def _observers(self, system: Any) -> dict[str, Observer]:
        """New observers, by what they are for; only those that are right where discs fall, or among obstacles without walls."""
        masses, radii = system.masses, system.radii
        one = np.zeros(len(radii), int)     # one species, because species of collisions need equal radii and masses
        alike = len(radii) > 0 and bool((radii == radii[0]).all() and (masses == masses[0]).all())
        kinds, span = kinds_of(system), (0.0, speed_range(system))
        found = {"speed": Speed(BINS, span, np.where(kinds == 0, 0, -1)), "pressure": Pressure(),
                 "mean free path": FreePath(species=one), "collision rate": CollisionRates(one if alike else None)}
        if all(system.box.periodic) and offers(system, HasObstacles) and system.obstacles:
            del found["pressure"]
        if len(kinds) and kinds.max() > 0:
            found["other speeds"] = Speed(BINS, span, kinds - 1)
        if self.experiment:
            found["experiment"] = self.experiment(system)
        falls = offers(system, HasGravity) and any(system.gravity)
        return {name: each for name, each in found.items() if not falls or type(each).__name__ not in STRAIGHT}

    def begin(self, system: Any) -> None:
        """Observe `system`. Curves continue if it has copies of the observers, because then only time has changed."""
        fresh = self._observers(system) if offers(system, Observable) else {}
        if not (fresh and self.observing.attach(system, lambda: list(fresh.values()))):
            self.speeds = Speeds(system)
            means = [Course("pressure", "mass / time²"), Course("mean free path", "length"),
                     Course("collision rate", "disc-disc / time")]
            self.courses = [Course("temperature", "", is_mean=False),
                            *(course for course in means if course.title in fresh or not fresh)]
            self._beginning = system.time
            self._laws: dict[str, float] = {}       # by title: the temperature for which the law was computed
            self._ends = self._flight_ends(system)
            self.figure = None
        self.system, self.read_at, self.due = system, None, 0.0
        attached = dict(zip(fresh, self.observing.observers))
        self.balance = balance(system)
        own = [attached["experiment"]] if "experiment" in attached else []
        self._tasks: deque[Callable[[Any, float], None]] = deque([
            *(partial(self._read_figure, observer) for observer in own),
            partial(self._read_speeds, attached.get("speed"), attached.get("other speeds")),
            self._read_temperature, self._read_balance,
            *(partial(self._read_mean, attached[course.title], course) for course in self.courses if course.title in attached)])

    def read(self, system: Any, frame: Frame) -> bool:
        """Read values until BUDGET is spent, if that is due; the next reading continues with the others. Returns whether values
        were read. frame: of the present state."""
        began = perf_counter()
        if frame is self.read_at or began < self.due:
            return False
        self.read_at = frame
        temperature = system.temperature
        for _ in range(len(self._tasks)):
            self._tasks[0](system, temperature)
            self._tasks.rotate(-1)
            if perf_counter() - began > BUDGET:
                break
        taken = perf_counter() - began
        self.due = perf_counter() + (max(INTERVAL, SHARE * taken) if system.time > self._beginning else INTERVAL)
        return True

    def _read_speeds(self, observer: Any, others: Any, system: Any, temperature: float) -> None:
        self.speeds.read(system, temperature, copy.copy(observer), copy.copy(others))

    @staticmethod
    def _flight_ends(system: Any) -> int:
        """The number of free flights of mobile discs that have ended at a disc since the system began."""
        return int(system.pair_counts[np.isfinite(system.masses)].sum()) if offers(system, Observable) else 0

    def _mean_path(self, system: Any) -> float:
        """The mean free path: total path length over the number of contacts that ended a flight. The mean over complete flights
        would be too short at first, because short flights are complete first."""
        ends = self._flight_ends(system) - self._ends
        speeds = [copy.copy(observer) for observer in self.observing.observers if isinstance(observer, Speed)]
        numbers = (self.speeds.kinds == 0).sum(), (self.speeds.kinds > 0).sum()
        length = sum(speed.value * speed.elapsed * n for speed, n in zip(speeds, numbers))
        return length / ends if ends else math.nan

    def _read_temperature(self, system: Any, temperature: float) -> None:
        course = self.courses[0]
        course.add(system.time - self._beginning, temperature, 0.0)
        driven = bool(np.asarray(system.velocities)[np.isinf(system.masses)].any())
        course.law = None if driven or self.balance or not course.values else course.values[0]
        course.why_none = (tr("no theory: discs of infinite mass bring energy", of=len(lengths_of(system.box))) if driven else
                           tr("no theory: energy is not conserved") if self.balance else "")

    def _read_balance(self, system: Any, temperature: float) -> None:
        self.balance = balance(system)

    def _read_mean(self, attached: Any, course: Course, system: Any, temperature: float) -> None:
        observer = copy.copy(attached)      # a detached copy, so that the sums are read from the engine once
        value = self._mean_path(system) if isinstance(observer, FreePath) else observer.value
        course.add(observer.elapsed, value, observer.error)
        if not math.isclose(self._laws.get(course.title, math.nan), temperature, rel_tol=1e-6):
            self._laws[course.title] = temperature
            course.law = observer.theory
            course.why_none = "" if course.law is not None else why_none(system)

    def _read_figure(self, attached: Any, system: Any, temperature: float) -> None:
        """Let the observer of the experiment draw its figure; its value, if it is one number, is that of a course."""
        observer, axes = copy.copy(attached), Axes()
        observer.plot(axes)
        course = Course(axes.title, "")
        if np.ndim(observer.value) == 0:
            course.add(observer.elapsed, float(observer.value), float(observer.error))
            course.law = observer.theory
        self.figure = axes, course

    def heads(self, courses: list[Course], dimension: int) -> list[tuple[str, str, str, str, bool]]:
        """The texts above each plot: title, unit, value, law or the reason why there is none, and whether there is one.
        dimension: that of the box."""
        s = self.speeds
        mean = tr("mean {value}", value=with_error(s.mean, s.error)) if math.isfinite(s.mean) else ""
        first = (tr("speed"), tr("length / time"), mean, s.said, s.curve is not None)
        if self.figure is not None:
            c = self.figure[1]
            first = tr(c.title), "", c.measured() if c.values else "", c.theory(), c.law is not None
        return [first, *((tr(c.title), tr(c.unit, of=dimension), c.measured(), c.theory(), c.law is not None) for c in courses)]


def why_none(system: Any) -> str:
    """The reason why pressure, collision rate or mean free path have no theoretical value for this system, as text."""
    masses, radii, periodic = np.asarray(system.masses), np.asarray(system.radii), tuple(system.box.periodic)
    d = len(periodic)
    if len(masses) == 0 or not system.temperature > 0:
        return tr("no theory: nothing moves")
    if offers(system, HasGravity) and any(system.gravity):
        return tr("no theory: discs fall", of=d)
    if not np.isfinite(masses).all():
        return tr("no theory: discs of infinite mass", of=d)
    if not (radii > 0).all():
        return tr("no theory: points")
    if len(masses) < 2:
        return tr("no theory: one disc", of=d)
    if all(periodic):
        return tr("no theory: denser than η = {limit}", limit=number(theory.KOLAFA_ROTTNER_LIMIT))
    if any(periodic):
        return tr("no theory: one pair of walls")
    if (radii != radii[0]).any() or (masses != masses[0]).any():
        return tr("no theory: mixtures between walls")
    return tr("no theory: too dense, or too narrow a box")
