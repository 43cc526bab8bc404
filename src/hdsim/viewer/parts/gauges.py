"""Gauges on the picture: dials of pressure and temperature that can be put anywhere. `hdsim.gauges` measures."""
from __future__ import annotations

import math
from time import perf_counter
from typing import Any

import numpy as np

from ...gauges import Gauge, Kind, observers_of, read
from ...language import tr
from ...language.numerals import with_error
from ...model.box import lengths_of
from ...model.roles import Observable, offers
from ..draw.pen import Pen
from ..draw.view import AnyView
from ..reading.observing import OwnObservers
from ..stage import keys
from ..stage.part import Part
from ..stage.stage import Stage

DIAL = 17               # radius of a dial, window units
TURN = math.radians(240)        # from the least to the largest value of a dial
SIZE = 9.0              # of letters
TEXT = 60               # width of what is written beside a dial or a badge, window units
LETTERS = {"pressure": "p", "temperature": "T"}
STILL = 4.0             # window units: a shorter drag is a click
INTERVAL = 0.15         # seconds between two readings
REST = 0.2              # seconds without measuring after an edit, as for plots


class Gauges(Part):
    """The gauges of the system that is shown. A dial can be dragged, and out of the picture taken away; a click turns the slab
    that it reads to the other axis."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._gauges: list[Gauge] = []
        self._values: list[tuple[float, float]] = []
        self._tops: list[float] = []            # the values at the ends of the dials
        self._observing = OwnObservers("gauges")
        self._of: Any = None                    # the playback whose gauges these are
        self._system: Any = None                # the system that is observed
        self._due, self._resume = 0.0, 0.0
        self._held: int | None = None
        self._pressed = self._mouse = (0.0, 0.0)

    @property
    def gauges(self) -> tuple[Gauge, ...]:
        """The gauges, in the order in which they were put."""
        return tuple(self._gauges)

    @property
    def values(self) -> tuple[tuple[float, float], ...]:
        """Mean and error that each gauge shows; nan where there is none yet."""
        return tuple(self._values)

    def add(self, kind: Kind, x: float, y: float) -> None:
        """Put a gauge at a pixel."""
        system = self.stage.playback.system
        if not offers(system, Observable):
            self.stage.refuse(tr("this engine takes no observers: no means over time"))
            return
        place = self.stage.box_view.point(x, y).tolist()
        self._set([*self._gauges, Gauge(kind, (0.0, 0.0)).at(system.box, *place)])

    def remove(self, which: int) -> None:
        """Take a gauge away."""
        self._set([gauge for k, gauge in enumerate(self._gauges) if k != which])

    def _set(self, gauges: list[Gauge]) -> None:
        """Have other gauges."""
        self._gauges, self._of, self._due = gauges, self.stage.playback, 0.0
        self._values = [(math.nan, math.nan)] * len(gauges)
        self._tops = [math.nan] * len(gauges)
        self.stage.refresh()

    # measuring

    def system_changing(self) -> None:
        self._let_go()
        self._resume = perf_counter() + REST

    def system_changed(self) -> None:
        if self._of is not self.stage.playback:
            self._gauges, self._values, self._tops, self._held = [], [], [], None
        self._system = None
        if not self._gauges:
            self._let_go()

    def _let_go(self) -> None:
        system = self.stage.playback.system
        if offers(system, Observable):
            self._observing.detach(system)
        self._system = None

    def close(self) -> None:
        self._let_go()

    def _look(self) -> None:
        """Read the gauges, if that is due."""
        system, now = self.stage.playback.system, perf_counter()
        if not self._gauges or now < self._resume:
            return
        if system is not self._system:
            self._observing.attach(system, lambda: observers_of(system))
            self._system, self._due = system, 0.0
        if now >= self._due or self.stage.playback.paused:
            self._values = read(self._gauges, self._observing.observers, system.box)
            self._tops = [top if value <= top else 2 * value if value > 0 else math.nan
                          for top, (value, _) in zip(self._tops, self._values)]
            self._due = now + INTERVAL

    # the mouse

    def _pixel(self, gauge: Gauge) -> tuple[float, float]:
        """The middle of a dial: of one at a side, within the picture."""
        [(x, y)] = self.stage.box_view.pixels(np.array([gauge.place])).tolist()
        area, inset = self.stage.picture_area(), (DIAL + 3) * self.stage.unit
        return (min(max(x, area.left + inset), max(area.right - inset, area.left + inset)),
                min(max(y, area.bottom + inset), max(area.top - inset, area.bottom + inset)))

    def leaves_free(self, place: tuple[float, float]) -> bool:
        """Whether no dial is so near to a pixel that it, or what is written beside it, would touch a badge there."""
        high, wide = 2 * DIAL * self.stage.unit, (2 * DIAL + TEXT) * self.stage.unit
        return not any(abs(place[1] - y) < high and abs(place[0] - x) < wide for x, y in map(self._pixel, self._gauges))

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._held = None
        if button == keys.LEFT_BUTTON and self.stage.picture_area().holds(x, y):
            found = [k for k, gauge in enumerate(self._gauges) if math.dist(self._pixel(gauge), (x, y)) <= DIAL * self.stage.unit]
            if found:
                self._held, self._pressed, self._mouse = found[-1], (x, y), (x, y)
        return self._held is not None

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._held is not None:
            self._mouse = x, y
            self.stage.refresh()
        return self._held is not None

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        held, self._held = self._held, None
        if held is None or held >= len(self._gauges):
            return False
        gauge = self._gauges[held]
        if math.dist(self._pressed, (x, y)) < STILL * self.stage.unit:
            changed = gauge.turned()
        elif self.stage.picture_area().holds(x, y):
            changed = gauge.at(self.stage.playback.system.box, *self.stage.box_view.point(x, y).tolist())
        else:
            self.remove(held)
            return True
        self._set([*self._gauges[:held], changed, *self._gauges[held + 1:]])
        return True

    # drawing

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if self._of is not self.stage.playback:
            return
        self._look()
        for gauge in self._gauges:
            self._draw_region(pen, view, gauge)
        for k, gauge in enumerate(self._gauges):
            dragged = self._held == k and math.dist(self._pressed, self._mouse) >= STILL * pen.unit
            x, y = self._mouse if dragged else self._pixel(gauge)
            self._draw_dial(pen, gauge, x, y, *self._values[k], self._tops[k], self._held == k)

    def _draw_region(self, pen: Pen, view: AnyView, gauge: Gauge) -> None:
        """Draw what a gauge reads: its slab, or its side."""
        box, color = self.stage.playback.system.box, self.stage.theme.palette[1]
        if gauge.side:
            return
        low, high = gauge.slab(box)
        across = lengths_of(box)[1 - gauge.axis]
        corners = np.array([(low, 0.0), (high, across)] if gauge.axis == 0 else [(0.0, low), (across, high)])
        [(left, bottom), (right, top)] = view.pixels(corners).tolist()
        pen.box(left, bottom, right, top, color, 0.13)

    def _draw_dial(self, pen: Pen, gauge: Gauge, x: float, y: float, value: float, error: float, top: float, held: bool) -> None:
        theme, unit, radius = self.stage.theme, pen.unit, DIAL * pen.unit
        pen.dots(np.array([(x, y)]), radius, theme.panel, 0.95)
        pen.ring(x, y, radius, theme.accent if held else theme.text, 2 * unit)
        for k in range(7):
            a = math.radians(90) + TURN * (0.5 - k / 6)
            pen.line(x + 0.72 * radius * math.cos(a), y + 0.72 * radius * math.sin(a), x + 0.88 * radius * math.cos(a),
                     y + 0.88 * radius * math.sin(a), theme.faint, unit)
        if math.isfinite(value) and top > 0:
            a = math.radians(90) + TURN * (0.5 - min(max(value / top, 0.0), 1.0))
            pen.line(x, y, x + 0.75 * radius * math.cos(a), y + 0.75 * radius * math.sin(a), theme.warning, 2 * unit)
        pen.dots(np.array([(x, y)]), 2.5 * unit, theme.text)
        pen.write(LETTERS[gauge.kind], x, y - 0.78 * radius, theme.text, 8.0, anchor="center", bold=True)
        said = tr("measuring ...") if not math.isfinite(value) else with_error(value, error)
        wide = pen.text_width(said, SIZE, bold=True) + 8 * unit
        right = self.stage.picture_area().right
        left = x + radius + 3 * unit if x + radius + 3 * unit + wide < right else x - radius - 3 * unit - wide
        pen.box(left, y - 9 * unit, left + wide, y + 9 * unit, theme.panel, 0.85, corner=4 * unit)
        pen.write(said, left + 4 * unit, y - 0.36 * SIZE * unit, theme.text, SIZE, bold=True)
