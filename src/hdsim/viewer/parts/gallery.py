"""Gallery: all named data sets, tables and experiments as small pictures in motion, each with a sentence; a click opens one."""
from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from ...lab.showcase import GROUPS, Exhibit, exhibits
from ...language import tr
from ...model.roles import on_paper
from ..draw.paragraphs import wrapped_text
from ..draw.pen import Kept, Pen
from ..draw.thumbnail import Thumbnail
from ..playback.miniature import Miniature
from ..stage import keys
from ..stage.commands import MODIFIERS, Command
from ..stage.first_look import first_look
from ..stage.part import Part
from ..stage.stage import Stage
from ..stage.gallery_page import BAR, GAP, HEADING, LINE, LINES, PICTURE, Page
from .library import Library

TITLE, TEXT, NAME = 13.0, 8.5, 10.0         # sizes of letters
BUDGET = 0.0025                     # seconds of a tick for all systems together
FIRST = 0.3                         # seconds for making the systems of the first picture
CROSS = 10                          # side of the cross that leaves the gallery, window units
WHEEL = 90                          # window units for each step of the wheel
FREE = {(ord("t"), 0), (ord("h"), 0), (ord("b"), 0), (ord("?"), 0), (ord("/"), MODIFIERS["Shift"]), (keys.F1, 0),
        (keys.F11, 0)}               # keys that act as elsewhere


class Gallery(Part):
    """Covers the window while it is shown, and pauses the run. Systems are made when they are first seen.

    quit: closes the window, which Esc does in a gallery that the window began with, or to which Esc has led back."""

    COMMANDS = (Command("B", "gallery: all data sets, tables and experiments", "toggle", "file"),)

    def __init__(self, stage: Stage, library: Library, quit: Callable[[], None]) -> None:
        super().__init__(stage)
        self.shown = False
        self._library, self._quit = library, quit
        self._exhibits: list[Exhibit] = []
        self._playing: dict[int, Miniature] = {}        # by the number of the exhibit
        self._drawn: Any = None     # what draws the pictures, made by the pen
        self._page: Page | None = None
        self._text: tuple[Any, Kept] | None = None      # the text that was drawn last, and what it is for
        self._here: int | None = None                   # the card under the mouse, or chosen by keys
        self._scrolled = 0.0                            # pixels
        self._began = 0                                 # the card that gets the first share of the next tick
        self._waited: dict[int, float] = {}             # seconds for which a system has not been played
        self._ends = False                              # whether Esc closes the window
        self._leads_back = False                        # whether Esc in the picture shows the gallery
        self._was_paused = False
        self._pressed: int | None = None
        self._scrolling = False

    @property
    def exhibits(self) -> list[Exhibit]:
        """What is shown, read when it is first needed."""
        if not self._exhibits:
            self._exhibits = exhibits()
        return self._exhibits

    # what keys and buttons do

    def toggle(self) -> None:
        """Show the gallery, or go back from it to the run."""
        if self.shown and self._ends:
            return
        if self.shown:
            self._hide()
            if not self._was_paused:
                self.stage.playback.go_on()
        else:
            self.show()

    def show(self, ends: bool = False) -> None:
        """Show the gallery. ends: whether Esc then closes the window."""
        playback = self.stage.playback
        self.shown, self._ends, self._was_paused = True, ends, playback.paused
        if not playback.paused:
            playback.pause()
        self.stage.refresh()

    def open(self, number: int) -> None:
        """Show the system of an exhibit from its start; Esc then leads back to the gallery."""
        exhibit = self.exhibits[number]
        self._hide()
        self._leads_back = True
        self._library.show(on_paper(exhibit.make()), exhibit.title, exhibit.sentence)
        self.stage.playback.go_on()

    def _hide(self) -> None:
        self.shown = False
        self.stage.refresh()

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        if not self.shown:
            if symbol == keys.ESCAPE and self._leads_back and not modifiers:
                self.show(ends=True)
                return True
            return False
        if (symbol, modifiers) in FREE:
            return False
        if symbol == keys.ESCAPE:
            self._leave()
        elif symbol in (keys.RETURN, keys.SPACE):
            if self._here is not None:
                self.open(self._here)
        else:
            self._go(symbol)
        return True

    def _leave(self) -> None:
        """Close the window, or go back to the run."""
        if self._ends:
            self._quit()
        else:
            self.toggle()

    def _go(self, symbol: int) -> None:
        """Choose another card by an arrow key, or scroll by a page."""
        last, height = len(self.exhibits) - 1, self.page.clip.height
        steps = {keys.LEFT: -1, keys.RIGHT: 1, keys.UP: -self.page.columns, keys.DOWN: self.page.columns}
        if symbol in (keys.PAGEUP, keys.PAGEDOWN):
            self._scroll(-0.9 * height if symbol == keys.PAGEUP else 0.9 * height)
        elif symbol in (keys.HOME, keys.END):
            self._choose(0 if symbol == keys.HOME else last)
        elif symbol in steps:
            self._choose(0 if self._here is None else min(max(self._here + steps[symbol], 0), last))

    def _choose(self, card: int) -> None:
        """Choose a card, and scroll so that it is seen."""
        self._here, self._scrolled = card, self.page.revealing(card, self._scrolled)
        self.stage.refresh()

    # geometry

    @property
    def page(self) -> Page:
        """Where the cards are in a window of this size."""
        key_ = self.stage.size, self.stage.unit
        if self._page is None or (self._page.size, self._page.unit) != key_:
            counts = [sum(exhibit.group == group for exhibit in self.exhibits) for group in GROUPS]
            self._page = Page.of(*key_, counts)
            self._scrolled = min(self._scrolled, self._page.most)
        return self._page

    def _scroll(self, pixels: float) -> None:
        self._scrolled = min(max(self._scrolled + pixels, 0.0), self.page.most)
        self.stage.refresh()

    # the mouse

    def mouse_moved(self, x: float, y: float) -> bool:
        if self.shown:
            here = self.page.at(x, y, self._scrolled)
            if here is not None and here != self._here:
                self._here = here
                self.stage.refresh()
        return self.shown

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.shown:
            return False
        if y >= self.page.clip.top:
            if x >= self.stage.size[0] - 2 * GAP * self.stage.unit - CROSS * self.stage.unit:
                self._leave()
            return True
        self._scrolling = x >= self.stage.size[0] - BAR * self.stage.unit
        self._pressed = self.page.at(x, y, self._scrolled) if button == keys.LEFT_BUTTON and not self._scrolling else None
        if self._scrolling:
            self._scroll(self.page.scrolled_to(y) - self._scrolled)
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self.shown and self._scrolling:
            self._scroll(self.page.scrolled_to(y) - self._scrolled)
        return self.shown

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.shown:
            return False
        pressed, self._pressed, self._scrolling = self._pressed, None, False
        if pressed is not None and pressed == self.page.at(x, y, self._scrolled):
            self.open(pressed)
        return True

    def mouse_scrolled(self, x: float, y: float, clicks: float) -> bool:
        if self.shown:
            self._scroll(-WHEEL * self.stage.unit * clicks)
            self.mouse_moved(x, y)
        return self.shown

    # playing

    def ticked(self, dt: float) -> None:
        """Play the systems that are seen, in turn, within the time budget, and make at most one that is seen for the first
        time; the others wait for their turn."""
        if not self.shown:
            return
        seen = self.page.visible(self._scrolled)
        left: float = BUDGET
        self._waited = {number: self._waited.get(number, 0.0) + dt for number in seen}
        start = next((k for k, number in enumerate(seen) if number >= self._began), 0)
        for number in seen[start:] + seen[:start]:
            self._began = number
            if left <= 0:
                break
            if number in self._playing:
                left -= self._playing[number].tick(self._waited[number], left)
                self._waited[number] = 0.0
        else:
            self._began += 1
        new = next((number for number in seen if number not in self._playing), None)
        if new is not None:
            self._make(new)
        self.stage.refresh()

    def _make_visible(self) -> None:
        """Make what the first picture shows, as far as that takes no longer than a moment."""
        began = perf_counter()
        for card in self.page.visible(self._scrolled):
            if card not in self._playing and perf_counter() - began < FIRST:
                self._make(card)

    def _make(self, number: int) -> None:
        system = on_paper(self.exhibits[number].make())
        self._playing[number] = Miniature(system, first_look(system).colors)

    # drawing

    def draw(self, pen: Pen) -> None:
        """Draw the whole window."""
        if self._drawn is None:
            assert pen.gallery is not None
            self._drawn = pen.gallery(len(self.exhibits))
            self._make_visible()
        page = self.page
        shown = [Thumbnail(card, self._playing[card].frame, page.picture(card, self._scrolled))
                 for card in page.visible(self._scrolled) if card in self._playing]
        self._drawn.draw(shown, pen.size, page.clip, self.stage.theme, pen.unit)
        if self._here is not None:
            area, unit = page.area(self._here, self._scrolled), pen.unit
            pen.box(area.left, area.bottom + 4 * unit, area.right, area.top, self.stage.theme.accent, 1.0, 6 * unit, 2 * unit)
        if (mark := page.mark(self._scrolled)) is not None:
            pen.box(*mark, self.stage.theme.faint, 0.6, corner=3 * pen.unit)
        state = page, self._scrolled, self.stage.theme
        if self._text is None or self._text[0] != state:
            with pen.keeping() as kept:
                self._draw_text(pen, page)
            self._text = state, kept
        pen.again(self._text[1])
        pen.flush(clip=page.clip)
        self._draw_title(pen, page)
        pen.flush()

    def _draw_title(self, pen: Pen, page: Page) -> None:
        theme, unit, inset = self.stage.theme, pen.unit, GAP * pen.unit
        base = page.clip.top + 0.35 * HEADING * unit
        end = inset + pen.write(tr("Gallery"), inset, base, theme.text, TITLE, bold=True) + 2 * inset
        said = tr("a click opens one; Esc: quit") if self._ends else tr("a click opens one; Esc: back")
        pen.write(pen.fitting(said, page.size[0] - end - 3 * inset, NAME), end, base, theme.faint, NAME)
        x, y, half = page.size[0] - inset - 0.5 * CROSS * unit, page.clip.top + 0.5 * HEADING * unit, 0.5 * CROSS * unit
        pen.lines(np.array([(x - half, y - half, x + half, y + half), (x - half, y + half, x + half, y - half)]), theme.faint,
                  1.5 * unit)

    def _draw_text(self, pen: Pen, page: Page) -> None:
        """Write the headings of groups, and the names and sentences of cards."""
        theme, unit = self.stage.theme, pen.unit
        for group, (left, down) in zip(GROUPS, page.headings):
            pen.write(tr(group), left, page.clip.top - down + self._scrolled, theme.accent, TITLE, bold=True)
        for card in page.visible(self._scrolled):
            area, exhibit = page.area(card, self._scrolled), self.exhibits[card]
            x, room, base = area.left + 8 * unit, area.width - 16 * unit, area.top - (PICTURE + LINE - 5) * unit
            pen.write(pen.fitting(exhibit.title, room, NAME, bold=True), x, base, theme.text, NAME, bold=True)
            lines = wrapped_text(pen, exhibit.sentence, room, TEXT)
            for k, line in enumerate(lines[:LINES]):
                cut = line + "…" if k == LINES - 1 and len(lines) > LINES else line
                pen.write(pen.fitting(cut, room, TEXT), x, base - (k + 1) * LINE * unit, theme.text, TEXT)

    def close(self) -> None:
        if self._drawn is not None:
            self._drawn.delete()
            self._drawn = None
