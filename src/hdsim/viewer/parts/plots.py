"""Plots: values measured in the gas that is shown, with errors and theory. Observers in the engine measure, and have the laws;
this part selects the values, stores them as functions of time, and draws them."""
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
from ...model.roles import Observable, offers
from ...observables import speed_histogram
from ...observers import CollisionRates, FreePath, Observer, Pressure, Speed
from ..draw.area import Area
from ..draw.charts import Chart
from ..draw.frame import Frame
from ..draw.numerals import number, with_error
from ..draw.pen import Pen
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.stage import Stage
from .observing import OwnObservers

INTERVAL = 0.1          # least seconds between two readings, and ...
SHARE = 20              # ... least interval over the time of a reading
BUDGET = 0.0015         # seconds of a reading; remaining values are read next time
REST = 0.2              # seconds without measuring after an edit, because a dragged disc is edited at each step
POINTS = 240            # points of a curve over time; beyond, every second one is dropped
OTHERS = (2, 3, 5)      # colours of the palette for the second and further kinds of discs
MEASURED, THEORY = 1, 4  # colours of the palette: sky blue and vermilion
CURVE_POINTS = 121
BINS = 120              # bins of the speeds, from 0 to SPEED_RANGE
SPEED_RANGE = 4.0       # thermal speeds sqrt(kT / m) of the lightest disc; a fraction exp(-8) of discs is faster
KINDS_MOST = 4          # with more kinds of mass and radius, all discs share one distribution of speeds
MASSES_MOST = 64        # with more different masses, no theoretical curve is drawn
SETTLED = 0.15          # values in this first share of the time do not widen the scale
FLATTEST = 1e-3         # least range of a scale, over the value
SPEED_WEIGHT = 1.9      # height of the plot of speeds over that of the others
HEAD_LINES, NUMBER_LINES = 2.0, 2.1     # lines of text above a plot, and of a value without one
LEAST_PLOT = 34         # least height of a plot without its head, window units
CONSTANT = 1e-9         # relative range of values that have no plot, because they are constant but for rounding
MERGED = ((200, 5), (5000, 3))      # below so many discs, so many bins of the speeds are drawn as one; else two


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
            velocities = np.asarray(system.velocities, float).reshape(-1, 2)[self.kinds == 0]
            if len(velocities):
                self._counts += speed_histogram(velocities, self.edges).counts
                self._seen += len(velocities)
                self.density = self._counts / (self._seen * np.diff(self.edges))
        else:
            self.density = np.nan_to_num(observer.histogram[0])
            self.mean, self.error = observer.value, observer.error
        self.curve, self.said = self._law(system, temperature, observer is not None and observer.theory is None)
        if others is not None and self.curve is not None:
            self._read_kinds(system, others.histogram)

    def _read_kinds(self, system: Any, histograms: np.ndarray) -> None:
        """Set the curves of several kinds, each by its own mean energy, because kinds need not be in equilibrium with each other.
        A kind that hardly moves has no curve."""
        densities = [self.density, *np.nan_to_num(histograms)]
        middles, widths = (self.edges[1:] + self.edges[:-1]) / 2, np.diff(self.edges)
        x, curves, energies = np.linspace(0, self.top, CURVE_POINTS), [], []
        for kind, density in enumerate(densities):
            mass = float(np.asarray(system.masses, float)[self.kinds == kind][0])
            energies.append(mass * float((density * widths * middles**2).sum()) / 2)
            moves = math.sqrt(energies[-1] / mass) > widths[0]
            curves.append(np.column_stack([x, theory.speed_pdf(x, mass, energies[-1])]) if moves else None)
        self.curve, self.others = curves[0], list(zip(densities[1:], curves[1:]))
        self.said = tr("Rayleigh, by mass and radius, at kT = {kT}",
                       kT=", ".join(number(energy) for energy, curve in zip(energies, curves) if curve is not None))

    def _law(self, system: Any, temperature: float, drifts: bool) -> tuple[np.ndarray | None, str]:
        masses = np.asarray(system.masses, float)
        kinds, numbers = np.unique(masses[np.isfinite(masses)], return_counts=True)
        n, kT = int(numbers.sum()), system.k_B * temperature
        if n < 2:
            return None, tr("no theory for one disc" if n else "no theory for no discs")
        if not kT > 0:
            return None, tr("no theory: nothing moves")
        if drifts:
            return None, tr("no theory: the gas as a whole drifts")
        if len(kinds) > MASSES_MOST:
            return None, tr("no theory for more than {n} masses", n=MASSES_MOST)
        at_rest = sum(system.box.periodic) if n == len(masses) else 0       # axes along which the centre of mass is at rest
        share = kinds / masses.sum() if at_rest == 2 else np.zeros(len(kinds))
        x = np.linspace(0, self.top, CURVE_POINTS)
        freedom = max(2 * n - at_rest, 3)
        density = sum(k * np.asarray(theory.speed_pdf(x, m, kT, freedom, s)) for m, k, s in zip(kinds, numbers, share)) / n
        said = tr("Rayleigh for {n} discs at kT = {kT}" if n < 100 else "Rayleigh at kT = {kT}", n=n, kT=number(kT))
        return np.column_stack([x, density]), said


def speed_range(system: Any) -> float:
    """SPEED_RANGE thermal speeds; 1 where nothing moves."""
    masses, kT = np.asarray(system.masses, float), system.k_B * system.temperature
    return SPEED_RANGE * math.sqrt(kT / masses[np.isfinite(masses)].min()) if kT > 0 else 1.0


class Plots(Panel):
    """Speeds, temperature, pressure, mean free path and collision rate, beside the gas."""

    COMMANDS = (Command("P", "plots: measured, and theory", "toggle", "physics"),)
    WISH = Wish(370, 480, 280, 210, stretch=1.0)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._observing = OwnObservers("plots")
        self._system: Any = None        # the system that is read
        self._read_at: Frame | None = None      # the frame at the last reading
        self._due = 0.0                         # time of the next reading
        self._resume = 0.0                      # time at which measuring begins again after an edit
        self.speeds: Speeds                     # made when measuring begins, as are ...
        self.courses: list[Course] = []         # ... the other plots

    @property
    def title(self) -> str:     # type: ignore[override]
        return tr("Measured in the gas")

    def toggle(self) -> None:
        """Begin to measure and show the panel, or end both."""
        super().toggle()
        self._resume = 0.0
        if not self.shown:
            self._let_go()

    def system_changing(self) -> None:
        self._let_go()
        if self.shown:
            self._resume = perf_counter() + REST

    def system_changed(self) -> None:
        """Detach copies of the observers if the panel is not shown; otherwise they are used when it is drawn."""
        self._system = None
        if not self.shown:
            self._let_go()

    def close(self) -> None:
        self._let_go()

    def _let_go(self) -> None:
        if offers(self.stage.playback.system, Observable):
            self._observing.detach(self.stage.playback.system)
        self._system = None

    # reading

    def _observers(self, system: Any) -> list[Observer]:
        masses, radii = system.masses, system.radii
        one = np.zeros(len(radii), int)     # one species, because species of collisions need equal radii and masses
        alike = len(radii) > 0 and bool((radii == radii[0]).all() and (masses == masses[0]).all())
        kinds, span = kinds_of(system), (0.0, speed_range(system))
        others = [Speed(BINS, span, kinds - 1)] if len(kinds) and kinds.max() > 0 else []
        return [Speed(BINS, span, np.where(kinds == 0, 0, -1)), Pressure(), FreePath(species=one),
                CollisionRates(one if alike else None), *others]

    def _begin(self, system: Any) -> None:
        """Observe `system`. Curves continue if it has copies of the observers, because then only time has changed."""
        if not (offers(system, Observable) and self._observing.attach(system, lambda: self._observers(system))):
            self.speeds = Speeds(system)
            self.courses = [Course("temperature", "", is_mean=False), Course("pressure", "mass / time²"),
                            Course("mean free path", "length"), Course("collision rate", "disc-disc / time")]
            self._beginning = system.time
            self._laws: dict[str, float] = {}       # by title: the temperature for which the law was computed
            self._ends = self._flight_ends(system)
        self._system, self._read_at, self._due = system, None, 0.0
        speed, *means = self._observing.observers or [None]
        self._tasks: deque[Callable[[Any, float], None]] = deque([partial(self._read_speeds, speed, *means[3:]),
                             self._read_temperature, *(partial(self._read_mean, *pair) for pair in zip(means, self.courses[1:]))])

    def _read(self, system: Any) -> None:
        """Read values until BUDGET is spent; the next reading continues with the others."""
        began, frame = perf_counter(), self.stage.playback.frame
        if frame is self._read_at or began < self._due:
            return
        self._read_at = frame
        temperature = system.temperature
        for _ in range(len(self._tasks)):
            self._tasks[0](system, temperature)
            self._tasks.rotate(-1)
            if perf_counter() - began > BUDGET:
                break
        self._due = perf_counter() + max(INTERVAL, SHARE * (perf_counter() - began))

    def _read_speeds(self, observer: Any, *rest: Any) -> None:
        *others, system, temperature = rest
        self.speeds.read(system, temperature, *map(copy.copy, (observer, *others)))

    @staticmethod
    def _flight_ends(system: Any) -> int:
        """The number of free flights of mobile discs that have ended at a disc since the system began."""
        return int(system.pair_counts[np.isfinite(system.masses)].sum()) if offers(system, Observable) else 0

    def _mean_path(self, system: Any) -> float:
        """The mean free path: total path length over the number of contacts that ended a flight. The mean over complete flights
        would be too short at first, because short flights are complete first."""
        ends = self._flight_ends(system) - self._ends
        speeds = [copy.copy(observer) for observer in self._observing.observers if isinstance(observer, Speed)]
        numbers = (self.speeds.kinds == 0).sum(), (self.speeds.kinds > 0).sum()
        length = sum(speed.value * speed.elapsed * n for speed, n in zip(speeds, numbers))
        return length / ends if ends else math.nan

    def _read_temperature(self, system: Any, temperature: float) -> None:
        course = self.courses[0]
        course.add(system.time - self._beginning, temperature, 0.0)
        driven = bool(np.asarray(system.velocities)[np.isinf(system.masses)].any())
        course.law = None if driven or not course.values else course.values[0]
        course.why_none = tr("no theory: discs of infinite mass bring energy") if driven else ""

    def _read_mean(self, attached: Any, course: Course, system: Any, temperature: float) -> None:
        observer = copy.copy(attached)      # a detached copy, so that the sums are read from the engine once
        value = self._mean_path(system) if isinstance(observer, FreePath) else observer.value
        course.add(observer.elapsed, value, observer.error)
        if not math.isclose(self._laws.get(course.title, math.nan), temperature, rel_tol=1e-6):
            self._laws[course.title] = temperature
            course.law = observer.theory
            course.why_none = "" if course.law is not None else why_none(system)

    # drawing

    def draw(self, pen: Pen, area: Area) -> None:
        system = self.stage.playback.system
        if system is not self._system and perf_counter() >= self._resume:
            self._begin(system)
        if system is self._system:
            self._read(system)
        if not self.courses:
            return
        takes = offers(system, Observable)
        notes = self.stage.playback.health() + ([] if takes else [tr("this engine takes no observers: no means over time")])
        line = pen.line_height(9.0)
        for k, note in enumerate(reversed(notes)):
            pen.write(pen.fitting(note, area.width, 8.5), area.left, area.bottom + k * line, self.stage.theme.faint, 8.5)
        area = area._replace(bottom=area.bottom + (len(notes) + 0.4) * line)
        self._draw_all(pen, area, self.courses if takes else self.courses[:1])

    def _draw_all(self, pen: Pen, area: Area, courses: list[Course]) -> None:
        """Draw the plot of speeds and those of courses that change, as many as have room; of the others the values only."""
        line, gap, axis = pen.line_height(9.0), 8 * pen.unit, 18 * pen.unit     # axis: the numbers below a plot
        least = HEAD_LINES * line + LEAST_PLOT * pen.unit
        plotted = [course for course in courses if not course.is_constant]
        while True:
            numbers = [course for course in courses if course not in plotted]
            room = area.height - NUMBER_LINES * line * len(numbers) - 2 * axis - gap * len(plotted)
            each = room / (SPEED_WEIGHT + len(plotted))
            if each >= least or not plotted:
                break
            plotted.pop()
        heads = dict(zip(["", *(course.title for course in courses)], self._heads(courses)))
        if SPEED_WEIGHT * each < least:
            for k, head in enumerate(heads.values()):
                self._draw_head(pen, area, area.top - NUMBER_LINES * line * k, *head)
            return
        left, bottom = area.left + 46 * pen.unit, area.top - SPEED_WEIGHT * each
        self._draw_head(pen, area, area.top, *heads[""])
        self._draw_speeds(pen, Area(left, bottom, area.right, area.top - HEAD_LINES * line))
        top = bottom - axis
        for course in plotted:
            top -= gap
            self._draw_head(pen, area, top, *heads[course.title])
            self._draw_course(pen, Area(left, top - each, area.right, top - HEAD_LINES * line), course, course is plotted[-1])
            top -= each
        top -= axis if plotted else 0.0
        for course in numbers:
            self._draw_head(pen, area, top, *heads[course.title])
            top -= NUMBER_LINES * line

    def _heads(self, courses: list[Course]) -> list[tuple[str, str, str, str, bool]]:
        """The texts above each plot: title, unit, value, law or the reason why there is none, and whether there is one."""
        s = self.speeds
        mean = tr("mean {value}", value=with_error(s.mean, s.error)) if math.isfinite(s.mean) else ""
        return [(tr("speed"), tr("length / time"), mean, s.said, s.curve is not None),
                *((tr(c.title), tr(c.unit), c.measured(), c.theory(), c.law is not None) for c in courses)]

    def _draw_head(self, pen: Pen, area: Area, top: float, title: str, unit: str, value: str, law: str, has_law: bool) -> None:
        """Write the two lines above a plot: title and value, and the law."""
        theme, line = self.stage.theme, pen.line_height(9.0)
        y = top - 0.75 * line
        room = area.width - pen.write(title, area.left, y, theme.text, 9.0, bold=True) - 8 * pen.unit
        pen.write(pen.fitting(value, room, 9.0, bold=True), area.right, y, theme.text, 9.0, anchor="right", bold=True)
        y -= 0.85 * line
        law = pen.fitting(law, area.width, 8.0)
        taken = pen.write(law, area.right, y, theme.palette[THEORY] if has_law else theme.faint, 8.0, anchor="right")
        if pen.text_width(unit, 8.0) + taken + 10 * pen.unit < area.width:
            pen.write(unit, area.left, y, theme.faint, 8.0)

    def _draw_speeds(self, pen: Pen, area: Area) -> None:
        theme, speeds = self.stage.theme, self.speeds
        highest = float(merged(speeds.edges, speeds.density, len(speeds.kinds))[1].max())
        if speeds.curve is not None:        # discs at rest, such as heavy ones, would make the scale too large
            law = float(speeds.curve[:, 1].max())
            highest = min(max(highest, law), 2 * law)
        chart = Chart(pen, theme, area, (0.0, speeds.top), (0.0, 1.08 * highest or 1.0))
        chart.axes(True)
        chart.bars(*merged(speeds.edges, speeds.density, len(speeds.kinds)), theme.palette[MEASURED])
        if speeds.curve is not None:
            chart.curve(speeds.curve[:, 0], speeds.curve[:, 1], theme.palette[THEORY])
        middles = (speeds.edges[1:] + speeds.edges[:-1]) / 2
        for k, (density, curve) in enumerate(speeds.others):
            chart.curve(middles, density, theme.palette[OTHERS[k]])
            if curve is not None:
                chart.curve(curve[:, 0], curve[:, 1], theme.palette[THEORY])

    def _draw_course(self, pen: Pen, area: Area, course: Course, last: bool) -> None:
        theme = self.stage.theme
        if not course.times:
            return
        times, values = np.array(course.times), np.array(course.values)
        chart = Chart(pen, theme, area, (0.0, max(times[-1], 1e-300)), course.scale())
        chart.axes(last, tr("time"))
        if course.law is not None:
            chart.level(course.law, theme.palette[THEORY])
        errors = np.array(course.errors)
        known = np.isfinite(errors)
        if known.sum() > 1:
            chart.band(times[known], (values - errors)[known], (values + errors)[known], theme.palette[MEASURED])
        if len(times) > 1:
            chart.curve(times, values, theme.palette[MEASURED])


def merged(edges: np.ndarray, density: np.ndarray, discs: int) -> tuple[np.ndarray, np.ndarray]:
    """The edges and heights of wider bins, fewer for few discs, so that the bars of a histogram are not mere noise."""
    factor = next((factor for most, factor in MERGED if discs < most), 2)
    return edges[::factor], density.reshape(-1, factor).mean(axis=1)


def why_none(system: Any) -> str:
    """The reason why pressure, collision rate or mean free path have no theoretical value for this system, as text."""
    masses, radii, periodic = np.asarray(system.masses), np.asarray(system.radii), tuple(system.box.periodic)
    if len(masses) == 0 or not system.temperature > 0:
        return tr("no theory: nothing moves")
    if not np.isfinite(masses).all():
        return tr("no theory with discs of infinite mass")
    if not (radii > 0).all():
        return tr("no theory for points")
    if len(masses) < 2:
        return tr("no theory for one disc")
    if all(periodic):
        return tr("no theory: denser than η = {limit}", limit=number(theory.KOLAFA_ROTTNER_LIMIT))
    if any(periodic):
        return tr("no theory with one pair of walls")
    if (radii != radii[0]).any() or (masses != masses[0]).any():
        return tr("no theory for mixtures between walls")
    return tr("no theory: too dense, or too narrow a box")
