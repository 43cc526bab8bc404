"""Axes: what an observer draws its figure on in a window, as on those of matplotlib elsewhere; a chart shows it."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...language import tr
from .area import Area
from .charts import Chart
from .pen import Pen
from .theme import Color, Theme

INKS, THEORY = (1, 2, 3, 5, 0), 4       # colours of the palette: of what is measured, in their order, and of theory
NAME = 8.0              # letters of names, points


class Row(NamedTuple):
    """A "curve" or "points", (k,) x and y; "bars" between k + 1 edges x; or a "level" y, with an empty x. ink: see INKS; None: of
    theory."""

    kind: str
    x: np.ndarray
    y: np.ndarray
    name: str
    ink: int | None


class Axes:
    """As much of the axes of matplotlib as observers use. It keeps what is drawn, and draws that with a pen when asked."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._values = {"xlabel": "", "ylabel": "", "xscale": "linear", "yscale": "linear"}

    # what observers call, as in matplotlib

    def plot(self, x: Any, y: Any, form: str = "", *, color: str = "", ls: str = "", label: str = "", ms: float = 0.0) -> None:
        self._add("points" if form == "." else "curve", x, y, label, "--" in form + ls)

    def errorbar(self, x: Any, y: Any, error: Any, fmt: str = ".", label: str = "") -> None:
        self._add("points", x, y, label, False)

    def stairs(self, heights: Any, edges: Any, color: str = "", label: str = "") -> None:
        self._add("bars", edges, heights, label, False)

    def axhline(self, y: float, color: str = "", ls: str = "", label: str = "") -> None:
        self._add("level", (), [y], label, ls == "--")

    def set(self, **values: str) -> None:
        self._values.update(values)

    def set_yscale(self, scale: str) -> None:
        self._values["yscale"] = scale

    def legend(self) -> None:
        """Names of several measured curves are always shown."""

    def _add(self, kind: str, x: Any, y: Any, name: str, is_law: bool) -> None:
        before = sum(row.ink is not None and row.kind != "level" for row in self._rows)
        ink = None if is_law else before - (kind == "level")        # a mean has the colour of what it is of
        self._rows.append(Row(kind, np.asarray(x, float), np.asarray(y, float), name, ink))

    # drawing

    @property
    def title(self) -> str:
        """What is measured."""
        return self._values["xlabel"] if self._values["ylabel"] == "density" else self._values["ylabel"]

    @property
    def x_name(self) -> str:
        """The name of the axis x; "" where the title says it."""
        return "" if self._values["ylabel"] == "density" else self._values["xlabel"]

    def draw(self, pen: Pen, theme: Theme, area: Area) -> None:
        """Draw the chart and its numbers; below `area` there must be room for those of x."""
        rows = [row._replace(x=_scaled(row.x, self._values["xscale"]), y=_scaled(row.y, self._values["yscale"]))
                for row in self._rows]
        x, y = self._ranges(rows)
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            return
        chart = Chart(pen, theme, area, x, y, (self._values["xscale"] == "log", self._values["yscale"] == "log"))
        chart.axes(True, self.x_name and tr(self.x_name))
        for row in rows:
            color = theme.palette[THEORY if row.ink is None else INKS[row.ink % len(INKS)]]
            self._draw_row(chart, row, x, color)
        self._draw_names(pen, theme, area)

    def _draw_row(self, chart: Chart, row: Row, x: tuple[float, float], color: Color) -> None:
        if row.kind == "bars":
            chart.bars(row.x, row.y, color)
        elif row.kind == "level" and row.ink is None:
            chart.level(row.y[0], color)
        elif row.kind == "level":
            chart.curve(np.array(x), np.repeat(row.y, 2), color)
        else:
            known = np.isfinite(row.x) & np.isfinite(row.y) & (row.x <= x[1])
            draw = chart.points if row.kind == "points" else chart.curve
            draw(row.x[known], row.y[known], color)

    def _draw_names(self, pen: Pen, theme: Theme, area: Area) -> None:
        """Write the names of the measured curves in their colours, where there are several."""
        named = [row for row in self._rows if row.ink is not None and row.kind in ("bars", "curve")]
        left = area.left + 8 * pen.unit
        for row in named if len(named) > 1 else ():
            if left + pen.text_width(row.name, NAME) > area.right:
                return
            left += pen.write(row.name, left, area.top - 1.4 * NAME * pen.unit, theme.palette[INKS[(row.ink or 0) % len(INKS)]],
                              NAME) + 10 * pen.unit

    def _ranges(self, rows: list[Row]) -> tuple[tuple[float, float], tuple[float, float]]:
        """The values at the ends of x, which are those of what is measured, and of y, with room; nan where there are none."""
        measured = [row for row in rows if row.ink is not None and row.kind != "level"]
        has_bars = any(row.kind == "bars" for row in measured)
        low, high = _extent([_filled(row) for row in measured])
        least, most = _extent([row.y[row.x <= high] if row.kind in ("points", "curve") else row.y for row in rows])
        if has_bars and self._values["yscale"] != "log":
            low = least = 0.0
        room = 0.1 * (most - least) or 0.1 * abs(most) or 1.0
        return (low, max(high, low + 1e-9 * abs(low))), (least - (0.0 if has_bars else room), most + room)


def _filled(row: Row) -> np.ndarray:
    """The places along x at which something is measured."""
    if row.kind != "bars":
        return row.x[np.isfinite(row.y)]
    full = np.flatnonzero(np.isfinite(row.y) & (row.y != 0))
    return row.x[[full[0], full[-1] + 1]] if len(full) else np.empty(0)


def _extent(values: list[np.ndarray]) -> tuple[float, float]:
    """The least and the largest finite value; nan if there is none."""
    found = np.concatenate([*values, [np.nan]])
    found = found[np.isfinite(found)]
    return (float(found.min()), float(found.max())) if len(found) else (np.nan, np.nan)


def _scaled(values: np.ndarray, scale: str) -> np.ndarray:
    """The values, or on a logarithmic axis their logarithms to base 10; nan where they have none."""
    return np.log10(values, out=np.full(values.shape, np.nan), where=values > 0) if scale == "log" else values
