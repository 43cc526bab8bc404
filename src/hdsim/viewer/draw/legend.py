"""Legend: the meaning of colours and arrows, drawn in a corner of the picture."""
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ...language import tr
from .area import Area
from .coloring import SHADES, Legend, order_colors, scale_table
from .motion import draw_arrows
from .numerals import number
from .theme import Theme

if TYPE_CHECKING:
    from .pen import Pen

WIDTH, BAR = 190, 10        # width and height of the scale, window units
WHEEL = 26                  # radius of the wheel of psi_6, window units
FONT_SIZE = 9.0
WHEEL_TEXT = "hue: direction, strength: modulus"


def draw_legend(pen: Pen, theme: Theme, area: Area, legend: Legend | None, arrow: tuple[float, str] | None = None) -> None:
    """Draw the legend in the lower left corner of `area`. arrow: the length in pixels of a sample arrow, and its meaning."""
    usual = pen.unit
    pen.unit *= min(1.0, area.width / (_width(pen, legend, arrow) + 40 * usual))        # smaller if there is no room
    _draw(pen, theme, area, legend, arrow, _width(pen, legend, arrow))
    pen.unit = usual


def _width(pen: Pen, legend: Legend | None, arrow: tuple[float, str] | None) -> float:
    """The width that the text of the legend needs, pixels."""
    widths = [WIDTH * pen.unit]
    if arrow:
        widths.append(arrow[0] + 10 * pen.unit + pen.text_width(arrow[1], FONT_SIZE))
    if legend and legend.top is not None:
        widths.append(pen.text_width(f"{legend.title}  {legend.unit}", FONT_SIZE, bold=True))
    elif legend:
        texts = tr(WHEEL_TEXT), legend.note
        widths.append((2 * WHEEL + 24) * pen.unit + max(pen.text_width(text, FONT_SIZE) for text in texts))
    return max(widths)


def _draw(pen: Pen, theme: Theme, area: Area, legend: Legend | None, arrow: tuple[float, str] | None, width: float) -> None:
    unit, line = pen.unit, pen.line_height(FONT_SIZE)
    padding = 9 * unit
    height = _height(pen, legend) + (1.1 * line if arrow else 0.0)
    if not height or area.height < 3 * height:
        return
    left, bottom = area.left + 10 * unit, area.bottom + 10 * unit
    box = (left, bottom, left + width + 2 * padding, bottom + height + 2 * padding)
    pen.box(*box, theme.panel, 0.94, corner=6 * unit)
    pen.box(*box, theme.faint, 0.35, corner=6 * unit, width=unit)
    x, y = left + padding, bottom + padding
    if arrow:
        draw_arrows(pen, np.array([(x, y + 0.35 * line)]), np.array([(arrow[0], 0.0)]), theme)
        pen.write(arrow[1], x + arrow[0] + 10 * unit, y + 0.2 * line, theme.text, FONT_SIZE)
        y += 1.1 * line
    if legend:
        (_draw_wheel if legend.top is None else _draw_scale)(pen, theme, legend, x, y, width)


def _height(pen: Pen, legend: Legend | None) -> float:
    if legend is None:
        return 0.0
    line = pen.line_height(FONT_SIZE)
    return max(2 * WHEEL * pen.unit, 3 * line) if legend.top is None else 1.8 * line + BAR * pen.unit


def _draw_scale(pen: Pen, theme: Theme, legend: Legend, x: float, y: float, width: float) -> None:
    line, top = pen.line_height(FONT_SIZE), float(legend.top or 0.0)
    for share, anchor in ((0.0, "left"), (0.5, "center"), (1.0, "right")):
        text = ("≥ " if share == 1 and legend.more else "") + number(share * top)
        pen.write(text, x + share * width, y + 0.15 * line, theme.text, FONT_SIZE, anchor=anchor)
    y += 0.9 * line
    edges = np.round(np.linspace(x, x + width, SHADES // 2 + 1))
    level = np.full(SHADES // 2, y)
    pen.boxes(np.column_stack([edges[:-1], level, edges[1:], level + BAR * pen.unit]), scale_table()[::2])
    y += BAR * pen.unit + 0.35 * line
    end = pen.write(legend.title, x, y, theme.text, FONT_SIZE, bold=True)
    pen.write(legend.unit, x + end + 8 * pen.unit, y, theme.faint, FONT_SIZE)


def _draw_wheel(pen: Pen, theme: Theme, legend: Legend, x: float, y: float, width: float) -> None:
    radius, line = WHEEL * pen.unit, pen.line_height(FONT_SIZE)
    squares, colors = _wheel(max(int(radius / 2), 8))
    pen.boxes(radius * squares + np.array([x + radius, y + radius] * 2), colors)
    pen.ring(x + radius, y + radius, radius, theme.faint, 2 * pen.unit)
    x += 2 * radius + 14 * pen.unit
    y += radius + 0.8 * line
    pen.write(legend.title, x, y, theme.text, FONT_SIZE, bold=True)
    pen.write(tr(WHEEL_TEXT), x, y - line, theme.text, FONT_SIZE)
    pen.write(legend.note, x, y - 2 * line, theme.faint, FONT_SIZE)


@lru_cache(maxsize=8)
def _wheel(steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Small squares that fill the unit circle, `steps` along its radius: (k, 4), left, bottom, right and top; and their colours,
    (k, 3)."""
    across = (np.arange(2 * steps) + 0.5) / steps - 1
    places = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    places = places[(places**2).sum(axis=1) <= 1]
    half = 0.6 / steps      # squares overlap a little, so that there are no visible gaps
    return np.hstack([places - half, places + half]), order_colors(places[:, 0] + 1j * places[:, 1])
