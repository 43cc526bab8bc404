"""Charts: small plots, drawn with the pen: axes with few numbers, curves, bars, bands."""
from __future__ import annotations

import numpy as np

from ...language.numerals import number, tick_texts, ticks
from .area import Area
from .pen import Pen
from .theme import Color, Theme

FONT_SIZE = 8.0         # letters of the numbers at the axes, points
CURVE = 1.8             # width of lines, window units
DOT = 2.2               # radius of points, window units


class Chart:
    """A plot in `area`. x, y: the values (low, high) at the edges of the area. logs: whether those of x, of y, are logarithms to
    base 10, beside which the numbers are written that they are of."""

    def __init__(self, pen: Pen, theme: Theme, area: Area, x: tuple[float, float], y: tuple[float, float],
                 logs: tuple[bool, bool] = (False, False)) -> None:
        self.pen, self.theme, self.area = pen, theme, area
        self._x, self._y, self._logs = x, y, logs

    def at_x(self, values):
        return self.area.left + (np.asarray(values, float) - self._x[0]) / (self._x[1] - self._x[0]) * self.area.width

    def at_y(self, values):
        """The pixel rows of values, clipped to the area."""
        share = (np.asarray(values, float) - self._y[0]) / (self._y[1] - self._y[0])
        return self.area.bottom + np.clip(share, 0.0, 1.0) * self.area.height

    def axes(self, x_numbers: bool, x_label: str = "") -> None:
        """Draw the x axis and faint horizontal lines with their numbers; with x_numbers also the numbers of x, below the area."""
        pen, theme, area = self.pen, self.theme, self.area
        places = ticks(*self._y, most=max(2, int(area.height / (45 * pen.unit))))
        heights = np.round(self.at_y(places)) + 0.5
        pen.lines(np.column_stack([np.full(len(places), area.left), heights, np.full(len(places), area.right), heights]),
                  theme.faint, pen.unit, alpha=0.22)
        texts, power = self._texts(places, 1)
        pen.write(power.strip(), area.left + 5 * pen.unit, area.top - 1.2 * FONT_SIZE * pen.unit, theme.faint, FONT_SIZE)
        for text, y in zip(texts, heights.tolist()):
            pen.write(text, area.left - 5 * pen.unit, y - 0.45 * FONT_SIZE * pen.unit, theme.faint, FONT_SIZE, anchor="right")
        pen.line(area.left, area.bottom, area.right, area.bottom, theme.faint, pen.unit, alpha=0.8)
        if x_numbers:
            self._x_numbers(x_label)

    def _x_numbers(self, label: str) -> None:
        pen, theme, area = self.pen, self.theme, self.area
        y = area.bottom - 1.75 * FONT_SIZE * pen.unit
        places = ticks(*self._x, most=max(2, int(area.width / (70 * pen.unit))))
        texts, power = self._texts(places, 0)
        label = (label + power).strip()
        label_begins = area.right - (pen.text_width(label, FONT_SIZE) + 8 * pen.unit if label else 0.0)
        for text, x in zip(texts, self.at_x(places).tolist()):
            pen.line(x, area.bottom, x, area.bottom - 3 * pen.unit, theme.faint, pen.unit, alpha=0.8)
            half = 0.5 * pen.text_width(text, FONT_SIZE)
            if x + half < label_begins or not label:
                pen.write(text, x, y, theme.faint, FONT_SIZE, anchor="center")
        pen.write(label, area.right, y, theme.faint, FONT_SIZE, anchor="right")

    def _texts(self, places: np.ndarray, axis: int) -> tuple[list[str], str]:
        return ([number(10.0**place, 2) for place in places.tolist()], "") if self._logs[axis] else tick_texts(places)

    def bars(self, edges: np.ndarray, heights: np.ndarray, color: Color) -> None:
        """Draw a histogram. edges: (k + 1,), heights: (k,)."""
        x, y = np.round(self.at_x(edges)), self.at_y(heights)
        bottom = np.full(len(y), self.area.bottom)
        shown = y > bottom
        self.pen.boxes(np.column_stack([x[:-1], bottom, x[1:], y])[shown], color, alpha=0.5)

    def curve(self, x: np.ndarray, y: np.ndarray, color: Color, width: float = CURVE) -> None:
        """Draw a line through points; where it is above the area it is left out."""
        points, above = np.column_stack([self.at_x(x), self.at_y(y)]), np.asarray(y, float) > self._y[1]
        seen = ~(above[:-1] & above[1:])
        self.pen.lines(np.hstack([points[:-1], points[1:]])[seen], color, width * self.pen.unit)

    def points(self, x: np.ndarray, y: np.ndarray, color: Color) -> None:
        """Draw points."""
        self.pen.dots(np.column_stack([self.at_x(x), self.at_y(y)]), DOT * self.pen.unit, color)

    def level(self, y: float, color: Color) -> None:
        """Draw a dashed horizontal line at y."""
        height, dash = float(self.at_y(y)), 5 * self.pen.unit
        starts = np.arange(self.area.left, self.area.right - dash, 1.7 * dash)
        heights = np.full(len(starts), height)
        self.pen.lines(np.column_stack([starts, heights, starts + dash, heights]), color, CURVE * self.pen.unit)

    def band(self, x: np.ndarray, low: np.ndarray, high: np.ndarray, color: Color) -> None:
        """Fill the band between low and high at x, (k,) each."""
        places = np.round(self.at_x(x))
        self.pen.boxes(np.column_stack([places[:-1], self.at_y(low)[1:], places[1:], self.at_y(high)[1:]]), color, alpha=0.25)
