"""Legend: the meaning of colours and arrows, drawn in an area of its own beside or below the picture."""
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...language import tr
from ...language.numerals import number
from ...model.colors import SHADES, scale_table
from .area import Area
from .coloring import order_colors
from .coloring import Legend as Colors
from .motion import draw_arrows
from .paragraphs import wrapped_text
from .theme import Theme

if TYPE_CHECKING:
    from .pen import Pen

ROW, BAR = 17, 10           # heights of a line of text and of the scale, window units
WIDEST = 260                # of the scale, window units
WHEEL = 26                  # radius of the wheel of psi_6, window units
FONT_SIZE = 9.0
WHEEL_TEXT = "hue: direction, strength: modulus"


class Legend(NamedTuple):
    """What a picture must explain. colors: None if discs have their own colours. arrow: the length in pixels of a sample arrow,
    and its meaning. notes: further lines."""

    colors: Colors | None = None
    arrow: tuple[float, str] | None = None
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.colors is not None or self.arrow is not None or bool(self.notes)

    @property
    def height(self) -> float:
        """The height that it needs, window units."""
        height = float(ROW * (len(self.notes) + (self.arrow is not None)))
        if self.colors is not None:
            height += 2 * ROW + BAR + 6 if self.colors.top is not None else max(2 * WHEEL, 3 * ROW) + 6
        return height


def draw_legend(pen: Pen, theme: Theme, area: Area, legend: Legend) -> None:
    """Draw a legend from the upper left corner of `area` down."""
    unit = pen.unit
    y = area.top
    if legend.colors is not None:
        drawing = _draw_wheel if legend.colors.top is None else _draw_scale
        y = drawing(pen, theme, legend.colors, area.left, y, min(area.width, WIDEST * unit)) - 6 * unit
    if legend.arrow is not None:
        y -= ROW * unit
        length, text = legend.arrow
        draw_arrows(pen, np.array([(area.left, y + 0.35 * ROW * unit)]), np.array([(length, 0.0)]), theme)
        x = area.left + length + 10 * unit
        pen.write(pen.fitting(text, area.right - x, FONT_SIZE), x, y + 0.2 * ROW * unit, theme.text, FONT_SIZE)
    for note in legend.notes:
        y -= ROW * unit
        pen.write(pen.fitting(note, area.width, FONT_SIZE), area.left, y + 0.2 * ROW * unit, theme.faint, FONT_SIZE)


def _draw_scale(pen: Pen, theme: Theme, legend: Colors, x: float, top: float, width: float) -> float:
    """Draw a scale with its title above and its numbers below; returns the lower edge."""
    unit = pen.unit
    y = top - ROW * unit
    end = pen.write(legend.title, x, y + 0.25 * ROW * unit, theme.text, FONT_SIZE, bold=True)
    room = width - end - 8 * unit
    pen.write(pen.fitting(legend.unit, room, FONT_SIZE), x + end + 8 * unit, y + 0.25 * ROW * unit, theme.faint, FONT_SIZE)
    y -= BAR * unit
    edges = np.round(np.linspace(x, x + width, SHADES // 2 + 1))
    level, last = np.full(SHADES // 2, y), np.full(SHADES // 2, edges[-1])
    # Each reaches to the end, and is covered by the next: where edges are between pixels, the panel would be seen between them.
    pen.boxes(np.column_stack([edges[:-1], level, last, level + BAR * unit]), scale_table()[::2])
    y -= ROW * unit
    base, largest = y + 0.2 * ROW * unit, float(legend.top or 0.0)
    ends = (pen.write(number(0.0), x, base, theme.text, FONT_SIZE),
            pen.write(("≥ " if legend.more else "") + number(largest), x + width, base, theme.text, FONT_SIZE, anchor="right"))
    middle = number(0.5 * largest, beside=largest)
    if pen.text_width(middle, FONT_SIZE) <= width - 2 * max(ends) - 16 * unit:
        pen.write(middle, x + 0.5 * width, base, theme.text, FONT_SIZE, anchor="center")
    return y


def _draw_wheel(pen: Pen, theme: Theme, legend: Colors, x: float, top: float, width: float) -> float:
    """Draw the wheel of psi_6 with the words beside it; returns the lower edge."""
    unit = pen.unit
    radius, bottom = WHEEL * unit, top - max(2 * WHEEL, 3 * ROW) * unit
    squares, colors = _wheel(max(int(radius / 2), 8))
    pen.boxes(radius * squares + np.array([x + radius, top - radius] * 2), colors)
    pen.ring(x + radius, top - radius, radius, theme.faint, 2 * unit)
    left, y = x + 2 * radius + 12 * unit, top - 0.75 * ROW * unit
    room = x + width - left
    pen.write(pen.fitting(legend.title, room, FONT_SIZE, bold=True), left, y, theme.text, FONT_SIZE, bold=True)
    for line in wrapped_text(pen, tr(WHEEL_TEXT) + "; " + legend.note, room, FONT_SIZE):
        y -= ROW * unit
        if y < bottom:
            break
        pen.write(line, left, y, theme.faint, FONT_SIZE)
    return bottom


@lru_cache(maxsize=8)
def _wheel(steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Small squares that fill the unit circle, `steps` along its radius: (k, 4), left, bottom, right and top; and their colours,
    (k, 3)."""
    across = (np.arange(2 * steps) + 0.5) / steps - 1
    places = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    places = places[(places**2).sum(axis=1) <= 1]
    half = 0.6 / steps      # squares overlap a little, so that there are no visible gaps
    return np.hstack([places - half, places + half]), order_colors(places[:, 0] + 1j * places[:, 1])
