"""Plots: the panel of the values measured in the gas that is shown, with errors and theory. `measured` reads them."""
from __future__ import annotations

from time import perf_counter

import numpy as np

from ...language import tr
from ...model.roles import Observable, offers
from ..draw.area import Area
from ..draw.charts import Chart
from ..draw.pen import Pen
from ..stage.commands import Command
from ..stage.part import Panel
from ..stage.stage import Stage
from .measured import Course, Measured

REST = 0.2              # seconds without measuring after an edit, because a dragged disc is edited at each step
OTHERS = (2, 3, 5)      # colours of the palette for the second and further kinds of discs
MEASURED, THEORY = 1, 4  # colours of the palette: sky blue and vermilion
SPEED_WEIGHT = 1.9      # height of the plot of speeds over that of the others


class Plots(Panel):
    """Speeds, temperature, pressure, mean free path and collision rate, beside the gas."""

    COMMANDS = (Command("P", "plots: measured, and theory", "toggle", "physics"),)
    WIDTH = 370
    WEIGHT = 2.0

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.measured = Measured("plots")
        self._resume = 0.0                      # time at which measuring begins again after an edit

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
        self.measured.system = None
        if not self.shown:
            self._let_go()

    def close(self) -> None:
        self._let_go()

    def _let_go(self) -> None:
        self.measured.let_go(self.stage.playback.system)

    # drawing

    def draw(self, pen: Pen, area: Area) -> None:
        system, measured = self.stage.playback.system, self.measured
        if system is not measured.system and perf_counter() >= self._resume:
            measured.begin(system)
        if system is measured.system:
            measured.read(system, self.stage.playback.frame)
        line, gap, axis = pen.line_height(9.0), 8 * pen.unit, 16 * pen.unit     # axis: the numbers below a plot
        courses = measured.courses if offers(system, Observable) else measured.courses[:1]
        if len(courses) == 1:
            words = tr("this engine takes no observers: no means over time")
            pen.write(words, area.left, area.bottom, self.stage.theme.faint, 8.5)
            area = area._replace(bottom=area.bottom + 1.5 * line)
        each = (area.height - 2 * axis - gap * len(courses)) / (SPEED_WEIGHT + len(courses))
        if each < 3.2 * line:
            return self._draw_numbers(pen, area, courses)
        left, bottom = area.left + 44 * pen.unit, area.top - SPEED_WEIGHT * each
        self._draw_speeds(pen, Area(left, bottom, area.right, area.top - 2 * line))
        for head, top in zip(measured.heads(courses), [area.top, *(bottom - axis - gap - k * (each + gap) for k in range(4))]):
            self._draw_head(pen, area, top, *head)
        top = bottom - axis
        for course in courses:
            top -= gap + each
            self._draw_course(pen, Area(left, top, area.right, top + each - 2 * line), course, course is courses[-1])

    def _draw_head(self, pen: Pen, area: Area, top: float, title: str, unit: str, value: str, law: str, has_law: bool) -> None:
        """Write the two lines above a plot: title and value, and the law."""
        theme, line = self.stage.theme, pen.line_height(9.0)
        y = top - 0.75 * line
        room = area.width - pen.write(title, area.left, y, theme.text, 9.0, bold=True) - 8 * pen.unit
        fitting = 9.0 * min(1.0, room / max(pen.text_width(value, 9.0, bold=True), 1.0))
        pen.write(value, area.right, y, theme.text, fitting, anchor="right", bold=True)
        y -= 0.85 * line
        taken = pen.write(law, area.right, y, theme.palette[THEORY] if has_law else theme.faint, 8.0, anchor="right")
        if pen.text_width(unit, 8.0) + taken + 10 * pen.unit < area.width:
            pen.write(unit, area.left, y, theme.faint, 8.0)

    def _draw_speeds(self, pen: Pen, area: Area) -> None:
        theme, speeds = self.stage.theme, self.measured.speeds
        highest = float(speeds.density.max())
        if speeds.curve is not None:        # discs at rest, such as heavy ones, would make the scale too large
            law = float(speeds.curve[:, 1].max())
            highest = min(max(highest, law), 2 * law)
        chart = Chart(pen, theme, area, (0.0, speeds.top), (0.0, 1.08 * highest or 1.0))
        chart.axes(True)
        chart.bars(speeds.edges, speeds.density, theme.palette[MEASURED])
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

    def _draw_numbers(self, pen: Pen, area: Area, courses: list[Course]) -> None:
        """Write the values only, if there is no room for plots."""
        for k, head in enumerate(self.measured.heads(courses)):
            self._draw_head(pen, area, area.top - 2.1 * k * pen.line_height(9.0), *head)
