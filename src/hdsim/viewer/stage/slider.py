"""Sliders of panels: a name, a value, a track and a knob; the same for all panels that have some."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..draw.area import Area
from ..draw.pen import Pen
from ..draw.theme import Theme

ROW, KNOB = 38, 6           # height of a slider with its name, and radius of its knob, window units
SIZE = 9.5                  # of the letters
LOW, TRACK = 26, (0.42, 0.74)       # of lower sliders, window units, the track is between name and value: shares of the width
NONE = "–"                  # in the place of a value that there is not


class Row(NamedTuple):
    """What a slider shows. share: the place of the knob, from 0 to 1; None: there is none. chosen: keys move it. held: a hand
    does."""

    name: str
    value: str
    share: float | None
    chosen: bool = False
    held: bool = False


class Slides:
    """Base of panels with sliders. `_dragged` is the one that a hand holds, if any, and `_slide` puts its knob to a pixel."""

    _dragged: int | None

    def _slide(self, x: float) -> None:
        raise NotImplementedError

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._dragged is not None:
            self._slide(x)
        return self._dragged is not None


def row_area(panel: Area, k: int, rows: int, unit: float) -> Area:
    """The area of the k-th of the rows of a panel, lower where the panel has less room."""
    height = min(ROW * unit, panel.height / max(rows, 1))
    return Area(panel.left, panel.top - (k + 1) * height, panel.right, panel.top - k * height)


def share_at(place: Area, x: float, unit: float) -> float:
    """The place of a knob that is dragged to a pixel. place: the area of the slider."""
    left, right, _ = _track(place, unit)
    return min(max((x - left) / max(right - left, 1.0), 0.0), 1.0)


def _track(place: Area, unit: float) -> tuple[float, float, float]:
    """Where a track begins and ends, and how high it is, pixels."""
    begin, end, high = (*TRACK, 0.5) if place.height < LOW * unit else (0.0, 1.0, 0.28)
    inset = KNOB * unit
    return place.left + begin * place.width + inset, place.left + end * place.width - inset, place.bottom + high * place.height


def draw_slider(pen: Pen, theme: Theme, place: Area, row: Row) -> None:
    """Draw a slider in its area."""
    ink, (left, right, y) = theme.faint if row.value == NONE else theme.text, _track(place, pen.unit)
    low = place.height < LOW * pen.unit
    base = y - 0.45 * SIZE * pen.unit if low else place.top - 0.42 * place.height
    name = pen.fitting(row.name, TRACK[0] * place.width, SIZE, bold=row.chosen) if low else row.name
    pen.write(name, place.left, base, ink, SIZE, bold=row.chosen)
    pen.write(row.value, place.right, base, ink, SIZE, anchor="right")
    pen.line(left, y, right, y, theme.faint, 3 * pen.unit, 0.4)
    if row.share is not None:
        x = left + min(max(row.share, 0.0), 1.0) * (right - left)
        pen.line(left, y, x, y, theme.accent, 3 * pen.unit, 0.7)
        pen.dots(np.array([(x, y)]), KNOB * pen.unit, theme.accent if row.held else theme.text)
