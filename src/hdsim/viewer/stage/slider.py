"""Sliders of panels: a name, a value, a track and a knob; the same for all panels that have some."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..draw.area import Area
from ..draw.pen import Pen
from ..draw.theme import Theme

ROW, KNOB = 38, 6           # height of a slider with its name, and radius of its knob, window units
SIZE = 9.5                  # of the letters
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


def share_at(panel: Area, x: float, unit: float) -> float:
    """The place of a knob that is dragged to a pixel."""
    inset = KNOB * unit
    return min(max((x - panel.left - inset) / max(panel.width - 2 * inset, 1.0), 0.0), 1.0)


def draw_slider(pen: Pen, theme: Theme, place: Area, row: Row) -> None:
    """Draw a slider in its area."""
    inset, ink = KNOB * pen.unit, theme.faint if row.value == NONE else theme.text
    base, y = place.top - 0.42 * place.height, place.bottom + 0.28 * place.height
    pen.write(row.name, place.left, base, ink, SIZE, bold=row.chosen)
    pen.write(row.value, place.right, base, ink, SIZE, anchor="right")
    pen.line(place.left + inset, y, place.right - inset, y, theme.faint, 3 * pen.unit, 0.4)
    if row.share is not None:
        x = place.left + inset + min(max(row.share, 0.0), 1.0) * (place.width - 2 * inset)
        pen.line(place.left + inset, y, x, y, theme.accent, 3 * pen.unit, 0.7)
        pen.dots(np.array([(x, y)]), inset, theme.accent if row.held else theme.text)
