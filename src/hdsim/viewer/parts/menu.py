"""Menus: lists of commands that open at the mouse or over a button. They scroll if they are longer than the window, and lists of
names show those that match what one types."""
from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ...language import tr
from ..draw.area import Area
from ..draw.paragraphs import wrapped_text
from ..draw.pen import Pen
from ..stage import keys
from ..stage.commands import Command, typed
from ..stage.part import Part
from ..stage.stage import Stage

ROW, PADDING = 24, 8        # window units
SIZE = 10.0
WHEEL = 3.0                 # rows for each step of the wheel
WIDEST = 520                # window units
NOTE = 0.7                  # rows of a line of a note that has no room beside its entry, and is folded below it


class Entry(NamedTuple):
    """A line of a menu. keys: those that do the same, or "". checked: whether it has a mark. note: a second text, faint. An entry
    without an action is a heading."""

    text: str
    action: Callable[[], object] | None = None
    keys: str = ""
    checked: bool = False
    note: str = ""


class Menu(Part):
    """The menu that is open, over everything else. A click outside of it closes it; so does Esc."""

    COMMANDS: tuple[Command, ...] = ()

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.entries: tuple[Entry, ...] = ()
        self.typed = ""                     # letters that the entries shown have
        self._all: tuple[Entry, ...] = ()   # of which `entries` are those that match; () in a menu that does not filter
        self._corner = (0.0, 0.0)           # the pixel at which it was opened
        self._above = False                 # whether it opens upwards from there
        self._here: int | None = None       # the entry under the mouse or chosen by keys
        self._scrolled = 0.0                # rows
        self._area = Area(0, 0, 0, 0)       # as it was drawn last ...
        self._notes: list[list[str]] = []   # ... with the notes that stand below their entries, in lines

    @property
    def shown(self) -> bool:
        """Whether a menu is open."""
        return bool(self.entries)

    def open(self, entries: Sequence[Entry], x: float, y: float, above: bool = False, names: bool = False) -> None:
        """Open a menu with its upper left corner, or if `above` its lower left one, at a pixel. names: whether it shows only the
        entries that have what one types."""
        self.entries, self._corner, self._above = tuple(entries), (x, y), above
        self._notes = [[] for _ in entries]
        self._all, self.typed = self.entries if names else (), ""
        self._here, self._scrolled = None, 0.0
        self._area = Area(0, 0, 0, 0)
        self.stage.refresh()

    def escape(self) -> bool:
        """Close the menu; returns whether one was open."""
        was, self.entries = self.shown, ()
        self.stage.refresh()
        return was

    def go(self, step: int) -> None:
        """Choose the next entry, or the one before, by keys."""
        choices = [k for k, entry in enumerate(self.entries) if entry.action is not None]
        if choices:
            at = choices.index(self._here) + step if self._here in choices else (0 if step > 0 else -1)
            self._here = choices[at % len(choices)]
            rows, tops = self._area.height / (ROW * self.stage.unit) - 1 if self._area.height else math.inf, self._tops()
            self._scrolled = min(max(self._scrolled, tops[self._here + 1] - rows), tops[self._here])
            self.stage.refresh()

    def enter(self) -> None:
        """Execute the chosen entry, and close the menu."""
        chosen = self._here
        entries, self.entries = self.entries, ()
        self.stage.refresh()
        if chosen is not None and chosen < len(entries):
            action = entries[chosen].action
            if action is not None:
                action()

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        """While a menu is open, keys belong to it."""
        if not self.shown:
            return False
        if symbol in (keys.UP, keys.DOWN):
            self.go(-1 if symbol == keys.UP else 1)
        elif symbol == keys.RETURN or symbol == keys.SPACE and not self.typed:
            self.enter()
        elif not self._all or symbol == keys.ESCAPE:
            self.escape()
        elif (text := typed(self.typed, symbol, modifiers)) != self.typed:
            self._filter(text)
        return True

    def _filter(self, text: str) -> None:
        """Show the entries whose names or notes have this text, below their headings; the first of them is chosen."""
        found: list[Entry] = []
        for entry in self._all:
            if entry.action is None and found and found[-1].action is None:
                found.pop()         # a heading of nothing
            if entry.action is None or text in f"{entry.text} {entry.note}".lower():
                found.append(entry)
        if found[-1].action is None:
            found.pop()
        self.typed, self._here, self._scrolled = text, None, 0.0
        self.entries = tuple(found) or (Entry(tr("nothing here has {text}", text=text)),)
        self._notes = [[] for _ in self.entries]
        self.go(1)

    # the mouse

    def mouse_moved(self, x: float, y: float) -> bool:
        if not self.shown:
            return False
        here = self._entry_at(x, y)
        if here != self._here:
            self._here = here
            self.stage.refresh()
        return True

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.shown:
            return False
        self._here = self._entry_at(x, y)
        if not self._area.holds(x, y):
            self.escape()
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        return self.mouse_moved(x, y)

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.shown:
            return False
        self._here = self._entry_at(x, y)
        if self._here is not None and (button == keys.LEFT_BUTTON or self.entries[self._here].action is not None):
            self.enter()
        return True

    def mouse_scrolled(self, x: float, y: float, clicks: float) -> bool:
        if self.shown:
            rows = (self._area.height - 2 * PADDING * self.stage.unit) / (ROW * self.stage.unit)
            self._scrolled = min(max(self._scrolled - WHEEL * clicks, 0.0), max(self._tops()[-1] - rows, 0.0))
            self._here = self._entry_at(x, y)
            self.stage.refresh()
        return self.shown

    def _entry_at(self, x: float, y: float) -> int | None:
        """The index of the entry at a pixel, if it has an action."""
        unit = self.stage.unit
        row = (self._area.top - PADDING * unit - y) / (ROW * unit) + self._scrolled
        at = bisect_right(self._tops(), row) - 1
        inside = self._area.holds(x, y) and 0 <= at < len(self.entries)
        return at if inside and self.entries[at].action is not None else None

    def _tops(self) -> list[float]:
        """How far below the first entry each begins, and where the last ends, in rows."""
        return [0.0, *accumulate(1 + NOTE * len(lines) for lines in self._notes)]

    # drawing

    def draw_over(self, pen: Pen) -> None:
        if not self.shown:
            return
        theme, unit = self.stage.theme, pen.unit
        self._area = self._place(pen)
        pen.box(self._area.left - unit, self._area.bottom - 2 * unit, self._area.right + 2 * unit, self._area.top, (0, 0, 0), 0.2,
                corner=7 * unit)
        pen.box(*self._area, theme.panel, 1.0, corner=6 * unit)
        pen.box(*self._area, theme.faint, 0.6, corner=6 * unit, width=unit)
        pen.flush()
        left, right = self._area.left + PADDING * unit, self._area.right - PADDING * unit
        tops = [self._area.top - (PADDING + (row - self._scrolled) * ROW) * unit for row in self._tops()]
        for k, (entry, lines, top, bottom) in enumerate(zip(self.entries, self._notes, tops, tops[1:])):
            if top < self._area.bottom or bottom > self._area.top:
                continue
            if k == self._here:
                edge = 3 * unit
                pen.box(self._area.left + edge, bottom, self._area.right - edge, top, theme.accent, 0.18, 4 * unit)
            base, x = top - 0.68 * ROW * unit, left + (0 if entry.action is None else 16 * unit)
            if entry.checked:
                pen.polyline(np.array([(left, base + 4 * unit), (left + 3.5 * unit, base), (left + 10 * unit, base + 9 * unit)]),
                             theme.accent, 2 * unit)
            ink, bold = theme.faint if entry.action is None else theme.text, entry.action is None
            said = self.typed if k == 0 and self.typed else entry.keys
            room = right - x - (pen.text_width(said, SIZE) + 10 * unit if said else 0)
            if said is entry.keys and pen.text_width(entry.text, SIZE, bold=bold) > room:
                said, room = "", right - x      # what it does is more important than the key that does it, too
            end = x + pen.write(pen.fitting(entry.text, room, SIZE, bold=bold), x, base, ink, SIZE, bold=bold) + 10 * unit
            if not lines:
                pen.write(entry.note, end, base, theme.faint, SIZE)
            for line in lines:
                base -= NOTE * ROW * unit
                pen.write(line, x, base, theme.faint, SIZE)
            base = top - 0.68 * ROW * unit
            pen.write(said, right, base, theme.accent if said is self.typed else theme.faint, SIZE, anchor="right")
        pen.flush(clip=self._area)

    def _place(self, pen: Pen) -> Area:
        """Where the menu is: at its corner, but within the window."""
        unit = pen.unit
        (width, height), x, y = pen.size, *self._corner
        widths = [pen.text_width(entry.text, SIZE, bold=entry.action is None)
                  + (pen.text_width(entry.keys, SIZE) + 24 * unit if entry.keys else 0)
                  + (pen.text_width(entry.note, SIZE) + 10 * unit if entry.note else 0) for entry in self.entries]
        frame = (2 * PADDING + 20) * unit
        across = min(max(widths) + frame, WIDEST * unit, width)
        self._notes = [wrapped_text(pen, entry.note, across - frame, SIZE) if wide > across - frame else []
                       for entry, wide in zip(self.entries, widths)]
        down = min((self._tops()[-1] * ROW + 2 * PADDING) * unit, height)
        left = min(max(x, 0.0), width - across)
        bottom = min(max(y if self._above else y - down, 0.0), height - down)
        return Area(round(left), round(bottom), round(left + across), round(bottom + down))
