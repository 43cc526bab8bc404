"""Profiles: the panel of density, temperature and mean velocity in slabs across an axis, against the height: what gravity, hot
and cold sides and sliding ones make of a gas. The observer `Profile` measures."""
from __future__ import annotations

import copy
from time import perf_counter
from typing import Any

import numpy as np

from ...language import tr
from ...model.box import WALLS
from ...model.roles import HasGravity, HasThermalSides, Observable, offers
from ...observers import Profile
from ..draw.area import Area
from ..draw.charts import Chart
from ..draw.pen import Pen
from ..reading.observing import OwnObservers
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.stage import Stage

BINS = 20               # slabs
INTERVAL = 0.2          # seconds between two readings
REST = 0.2              # seconds without measuring after an edit, as for plots
INKS = 1, 2, 3          # colours of the palette
HEAD = 1.3              # lines of text above a chart
LEAST = 55              # least height of a chart, window units
ROOM = 1.35             # the largest value over the mean, up to which a scale reaches at least
AXES = "xyz"


class Profiles(Panel):
    """Three charts, one below the other: the axis is that along which bodies fall, or across which sides are hot or slide."""

    COMMANDS = (Command("Shift+P", "profiles: density, temperature by height", "toggle", "physics"),
                Command("Ctrl+P", "profiles along another axis", "next_axis", "physics"))
    WISH = Wish(300, 380, 220, 190, stretch=0.8)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._observing = [OwnObservers(f"profile {axis}") for axis in AXES]     # another axis is another observer
        self._axis: int | None = None           # that was chosen; None: by the system
        self._measured: tuple[Any, int] | None = None       # the system that is observed, and along which axis
        self._playback: object = None
        self._due = self._resume = 0.0
        self._value = self._error = np.empty((0, 0))

    @property
    def name(self) -> str:      # type: ignore[override]
        return tr("profiles")

    @property
    def title(self) -> str:     # type: ignore[override]
        return tr("Profiles along {axis}", axis=AXES[self.axis])

    @property
    def axis(self) -> int:
        """The axis: that which was chosen, or that of gravity, of thermal sides, or y."""
        system = self.stage.playback.system
        if self._axis is not None:
            return self._axis
        if offers(system, HasGravity) and any(system.gravity):
            return int(np.argmax(np.abs(system.gravity)))
        walls = system.walls if offers(system, HasThermalSides) else {}
        return WALLS.index(next(iter(walls))) // 2 if walls else 1

    def toggle(self) -> None:
        """Begin to measure and show the panel, or end both."""
        super().toggle()
        if not self.shown:
            self._let_go()

    def next_axis(self) -> None:
        """Show the profiles along the next axis, and the panel if it is hidden."""
        if self.shown:
            self._axis = (self.axis + 1) % len(self.stage.playback.frame.lengths)
            self._let_go()
        else:
            self.toggle()
        self.stage.refresh()

    # measuring

    def system_changing(self) -> None:
        self._let_go()
        self._resume = perf_counter() + REST

    def system_changed(self) -> None:
        """Another system has its own axis; time that has gone back or on has copies of the observers, which are used."""
        self._measured = None
        if self._playback is not self.stage.playback:
            self._playback, self._axis = self.stage.playback, None
        if not self.shown:
            self._let_go()

    def _let_go(self) -> None:
        system = self.stage.playback.system
        if offers(system, Observable):
            for own in self._observing:
                own.detach(system)
        self._measured, self._value = None, np.empty((0, 0))

    def close(self) -> None:
        self._let_go()

    def _look(self) -> None:
        """Read the observer, if that is due."""
        system, axis, now = self.stage.playback.system, self.axis, perf_counter()
        if now < self._resume:
            return
        if self._measured != (system, axis):
            for own in self._observing[:axis] + self._observing[axis + 1:]:
                own.detach(system)
            self._observing[axis].attach(system, lambda: [Profile(AXES[axis], BINS)])
            self._measured, self._due = (system, axis), 0.0
        if now >= self._due or self.stage.playback.paused:
            observer = copy.copy(self._observing[axis].observers[0])    # a detached copy: the sums are read once
            self._value, self._error, self._due = observer.value, observer.error, now + INTERVAL

    # drawing

    def draw(self, pen: Pen, area: Area) -> None:
        system, frame, theme = self.stage.playback.system, self.stage.playback.frame, self.stage.theme
        if not offers(system, Observable):
            pen.write(pen.fitting(tr("this engine takes no observers: no means over time"), area.width, 8.5), area.left,
                      area.top - pen.line_height(9.0), theme.faint, 8.5)
            return
        self._look()
        d, line = len(frame.lengths), pen.line_height(9.0)
        density = tr("density") if d == 2 else tr("spheres per volume")
        charts = [(density, [0]), (tr("temperature"), [1]), (tr("mean velocity"), list(range(2, 2 + d)))]
        bottom, gap = area.bottom + 18 * pen.unit, 6 * pen.unit
        while len(charts) > 1 and (area.top - bottom) / len(charts) < HEAD * line + LEAST * pen.unit:
            charts.pop()
        each = (area.top - bottom) / len(charts)
        for k, (title, columns) in enumerate(charts):
            top = area.top - k * each
            named = "".join(f"  v{AXES[c - 2]}" for c in columns) if len(columns) > 1 else ""
            x = area.left + pen.write(title, area.left, top - 0.75 * line, theme.text, 9.0, bold=True)
            for c, word in zip(columns, named.split()):
                x += pen.write(f"  {word}", x, top - 0.75 * line, theme.palette[INKS[c - 2]], 9.0)
            self._draw_chart(pen, Area(area.left + 46 * pen.unit, top - each + gap, area.right, top - HEAD * line), columns,
                             k == len(charts) - 1)

    def _draw_chart(self, pen: Pen, area: Area, columns: list[int], last: bool) -> None:
        theme, length = self.stage.theme, self.stage.playback.frame.lengths[self.axis]
        known = self._value[:, columns] if len(self._value) else np.empty((0, len(columns)))
        known = np.where(np.isfinite(known), known, np.nan)         # where no disc has been
        if np.isnan(known).all():
            return
        low, high = min(float(np.nanmin(known)), 0.0), max(float(np.nanmax(known)), 0.0)
        if len(columns) == 1:
            high = max(high, ROOM * float(np.nanmean(known))) * 1.05
        spread = high - low or 1.0
        chart = Chart(pen, theme, area, (0.0, length), (low - 0.04 * spread * (low < 0), high + 0.04 * spread))
        chart.axes(last, AXES[self.axis])
        places = (np.arange(len(known)) + 0.5) * length / BINS
        for k, column in enumerate(columns):
            value, error, ink = known[:, k], self._error[:, column], theme.palette[INKS[k]]
            seen = np.isfinite(value)
            bars = seen & np.isfinite(error)
            x = chart.at_x(places[bars])
            pen.lines(np.column_stack([x, chart.at_y((value - error)[bars]), x, chart.at_y((value + error)[bars])]), ink,
                      1.2 * pen.unit, 0.7)
            if seen.sum() > 1:
                chart.curve(places[seen], value[seen], ink)
            chart.points(places[seen], value[seen], ink)
