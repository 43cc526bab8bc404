"""Plots: the panel of the values measured in the gas that is shown, with errors and theory. `measured` reads them."""
from __future__ import annotations

import re
from time import perf_counter

import numpy as np

from ...lab.showcase import of_title
from ...language import tr
from ...language.numerals import PLUS_MINUS, number
from ...model.roles import Observable, offers
from ..draw.area import Area
from ..draw.charts import Chart
from ..draw.pen import Pen
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.stage import Stage
from ..reading.measured import Course, Measured, Speeds

REST = 0.2              # seconds without measuring after an edit, because a dragged disc is edited at each step
OTHERS = (2, 3, 5)      # colours of the palette for the second and further kinds of discs
MEASURED, THEORY = 1, 4  # colours of the palette: sky blue and vermilion
SPEED_WEIGHT = 1.9      # height of the plot of speeds over that of the others
HEAD_LINES, NUMBER_LINES = 2.0, 2.1     # lines of text above a plot, and of a value without one
HIGHER = 4.0            # most height of the curve of another kind of discs over that of the most numerous kind
LEAST_PLOT = 80         # least height of a plot without its head, window units
BALANCE_LINES, BALANCE_MOST = 1.6, 0.4       # lines of the balance of energy besides its bars; its most share of the panel
ENERGY_NAMES = {"kinetic": "kinetic", "potential": "potential", "dissipated": "dissipated", "work": "work done", "heat": "heat"}
MERGED = ((200, 5), (5000, 3))      # below so many discs, so many bins of the speeds are drawn as one; else two


class Plots(Panel):
    """The figure of an experiment, or speeds; and temperature, pressure, mean free path and collision rate, and where the energy
    is unless it is conserved, beside the gas."""

    COMMANDS = (Command("P", "plots: measured, and theory", "toggle", "physics"),)
    WISH = Wish(370, 480, 280, 210, stretch=1.0)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.measured = Measured("plots")
        self._resume = 0.0                      # time at which measuring begins again after an edit
        self._name = ""                         # the system for which the experiment was looked up

    @property
    def name(self) -> str:      # type: ignore[override]
        return tr("plots")

    @property
    def title(self) -> str:     # type: ignore[override]
        return tr("Measured in the gas")

    def toggle(self) -> None:
        """Begin to measure and show the panel, or end both."""
        super().toggle()
        self._resume = 0.0
        if not self.shown:
            self.close()

    def system_changing(self) -> None:
        if self.shown and self.measured.system is not None:
            self.stage.note(tr("the plots begin again"))
        self.close()
        if self.shown:
            self._resume = perf_counter() + REST

    def system_changed(self) -> None:
        """Detach copies of the observers if the panel is not shown; otherwise they are used when it is drawn."""
        self.measured.system = None
        if self._name != self.stage.name:
            self._name = self.stage.name
            exhibit = of_title(self._name)
            self.measured.experiment, self.measured.figure = exhibit and exhibit.observer, None
        if not self.shown:
            self.close()

    def close(self) -> None:
        self.measured.let_go(self.stage.playback.system)

    # drawing

    def draw(self, pen: Pen, area: Area) -> None:
        system, measured = self.stage.playback.system, self.measured
        if system is not measured.system and perf_counter() >= self._resume:
            measured.begin(system)
        if system is measured.system:
            measured.read(system, self.stage.playback.frame)
        if not measured.courses:
            return
        takes = offers(system, Observable)
        notes = self.stage.playback.health() + ([] if takes else [tr("this engine takes no observers: no means over time")])
        line = pen.line_height(9.0)
        for k, note in enumerate(reversed(notes)):
            pen.write(pen.fitting(note, area.width, 8.5), area.left, area.bottom + k * line, self.stage.theme.faint, 8.5)
        area = area._replace(bottom=area.bottom + (len(notes) + 0.4) * line)
        area = self._draw_balance(pen, area)
        self._draw_all(pen, area, measured.courses if takes else measured.courses[:1])

    def _draw_balance(self, pen: Pen, area: Area) -> Area:
        """Draw bars of the energies of a gas that does not conserve energy, if there is room; returns the area above."""
        energies, theme, line, size = self.measured.balance, self.stage.theme, pen.line_height(9.0), 8.0
        height = (BALANCE_LINES + len(energies)) * line
        if not energies or height > BALANCE_MOST * area.height:
            return area
        names = {name: tr(ENERGY_NAMES[name]) for name in energies}
        numbers = {name: number(value) for name, value in energies.items()}
        left = area.left + max(pen.text_width(name, size) for name in names.values()) + 6 * pen.unit
        right = area.right - max(pen.text_width(value, size) for value in numbers.values()) - 6 * pen.unit
        low, high = min(0.0, *energies.values()), max(0.0, *energies.values())
        per_energy = max(right - left, 0.0) / (high - low or 1.0)
        for row, (name, value) in enumerate(reversed(energies.items())):
            y = area.bottom + row * line
            pen.write(names[name], area.left, y, theme.text, size)
            ends = sorted((left - low * per_energy, left + (value - low) * per_energy))
            pen.box(ends[0], y - 0.1 * line, ends[1], y + 0.6 * line, theme.palette[MEASURED], 0.5)
            pen.write(numbers[name], area.right, y, theme.text, size, anchor="right")
        zero = left - low * per_energy
        pen.line(zero, area.bottom - 0.2 * line, zero, area.bottom + (len(energies) - 0.2) * line, theme.faint, pen.unit)
        top = area.bottom + (len(energies) + 0.1) * line
        taken = pen.write(tr("energy balance"), area.left, top, theme.text, 9.0, bold=True)
        pen.write(tr("mass · length² / time²"), area.left + taken + 8 * pen.unit, top, theme.faint, size)
        return area._replace(bottom=area.bottom + height)

    def _draw_all(self, pen: Pen, area: Area, courses: list[Course]) -> None:
        """Draw the plot of speeds and those of courses that change, as many as have room; of the others the values only, as many
        as have room below the plot of speeds."""
        line, gap, axis = pen.line_height(9.0), 8 * pen.unit, 18 * pen.unit     # axis: the numbers below a plot
        least = HEAD_LINES * line + LEAST_PLOT * pen.unit
        drawn = self.measured.figure[1].title if self.measured.figure is not None else ""
        courses = [course for course in courses if course.title != drawn]
        changing = [course for course in courses if not course.is_constant]
        ways = [(changing[:k], [course for course in courses if course not in changing[:k]])
                for k in range(len(changing), -1, -1)]
        for plotted, numbers in ways + [([], courses[:k]) for k in range(len(courses) - 1, -1, -1)]:
            room = area.height - NUMBER_LINES * line * len(numbers) - 2 * axis - gap * len(plotted)
            each = room / (SPEED_WEIGHT + len(plotted))
            if each >= least or not plotted and SPEED_WEIGHT * each >= least:
                break
        heads = dict(zip(["", *(course.title for course in courses)], self.measured.heads(courses, self.stage.dimension)))
        if SPEED_WEIGHT * each < least:
            for k, head in enumerate([*heads.values()][:int(area.height / (NUMBER_LINES * line))]):
                self._draw_head(pen, area, area.top - NUMBER_LINES * line * k, *head)
            return
        left, bottom = area.left + 46 * pen.unit, area.top - SPEED_WEIGHT * each
        self._draw_head(pen, area, area.top, *heads[""])
        first = Area(left, bottom, area.right, area.top - HEAD_LINES * line)
        if self.measured.figure is not None:
            self.measured.figure[0].draw(pen, self.stage.theme, first)
        else:
            self._draw_speeds(pen, first)
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

    def _draw_head(self, pen: Pen, area: Area, top: float, title: str, unit: str, value: str, law: str, has_law: bool) -> None:
        """Write the two lines above a plot: title and value; and the law, or a value that is too wide beside its title."""
        theme, line = self.stage.theme, pen.line_height(9.0)
        y = top - 0.75 * line
        room = area.width - pen.write(title, area.left, y, theme.text, 9.0, bold=True) - 8 * pen.unit
        if pen.text_width(value, 9.0, bold=True) > room:
            value = in_brackets(value)
        ink, size, wide = theme.palette[THEORY] if has_law else theme.faint, 8.0, pen.text_width(value, 9.0, bold=True) > room
        if wide:
            law, ink, size = value, theme.text, 9.0
        else:
            pen.write(value, area.right, y, theme.text, 9.0, anchor="right", bold=True)
        y -= 0.85 * line
        taken = pen.write(pen.fitting(law, area.width, size, bold=wide), area.right, y, ink, size, anchor="right", bold=wide)
        if pen.text_width(unit, 8.0) + taken + 10 * pen.unit < area.width:
            pen.write(unit, area.left, y, theme.faint, 8.0)

    def _draw_speeds(self, pen: Pen, area: Area) -> None:
        theme, speeds = self.stage.theme, self.measured.speeds
        chart = Chart(pen, theme, area, (0.0, speeds.top), (0.0, 1.08 * highest(speeds) or 1.0))
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


def in_brackets(value: str) -> str:
    """A value whose error is below 1 with that in units of its last digit: "0.0641(13)" for "0.0641 ± 0.0013"."""
    return re.sub(rf" {PLUS_MINUS} 0\.0*(\d+)", r"(\1)", value)


def highest(speeds: Speeds) -> float:
    """The height of the plot of speeds: that of the curves of all kinds, but of those that are much higher, as of heavy discs,
    which would make the others flat, and are cut off."""
    found = float(merged(speeds.edges, speeds.density, len(speeds.kinds))[1].max())
    if speeds.curve is not None:        # discs at rest would make the scale too large
        law = float(speeds.curve[:, 1].max())
        found = min(max(found, law), 2 * law)
    others = [float((density if curve is None else curve[:, 1]).max()) for density, curve in speeds.others]
    return max([found, *(other for other in others if other <= HIGHER * found)])


def merged(edges: np.ndarray, density: np.ndarray, discs: int) -> tuple[np.ndarray, np.ndarray]:
    """The edges and heights of wider bins, fewer for few discs, so that the bars of a histogram are not mere noise."""
    factor = next((factor for most, factor in MERGED if discs < most), 2)
    return edges[::factor], density.reshape(-1, factor).mean(axis=1)
