"""Gallery: the most beautiful systems, large, and all that have a name as small pictures in motion, each with a sentence; a click
opens one. What one types searches them."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from ...lab.showcase import FIRST, GROUPS, Exhibit, exhibits
from ...language import tr
from ...model.roles import on_paper
from ..draw.icons import draw_icon
from ..draw.paragraphs import wrapped_text
from ..draw.pen import Kept, Pen
from ..draw.thumbnail import Thumbnail
from ..playback.miniature import Miniature
from ..stage import keys
from ..stage.commands import MODIFIERS, Command, typed
from ..stage.first_look import first_look
from ..stage.part import Panel, Part
from ..stage.stage import Stage
from ..stage.gallery_page import BAR, GAP, HEADING, LINE, LINES, Page
from .library import Library

TITLE, TEXT, NAME = 13.0, 8.5, 10.0         # sizes of letters
BUDGET = 0.0025                     # seconds of a tick for all systems together
BEGIN = 0.3                         # seconds for making the systems of the first picture
CROSS = 10                          # side of the cross that leaves the gallery, window units
STILL = 4                           # window units of a motion that is not yet a drag
WHEEL = 90                          # window units for each step of the wheel
FREE = {(keys.F1, 0), (keys.F11, 0), (ord("?"), 0), (ord("/"), MODIFIERS["Shift"])}     # keys that act as elsewhere


class Gallery(Part):
    """Covers the window while it is shown, and pauses the run. Systems are made when they are first seen.

    quit: closes the window, which Esc does in a gallery that the window began with, or to which Esc has led back. figures: the
    panels in which the figures of exhibits grow, by name."""

    COMMANDS = (Command("B", "gallery: all that has a name, in motion", "toggle", "file"),)

    def __init__(self, stage: Stage, library: Library, quit: Callable[[], None], figures: Mapping[str, Panel]) -> None:
        super().__init__(stage)
        self.shown, self.sought = False, ""             # and the letters that one has typed
        self._library, self._quit, self._figures = library, quit, figures
        self._opened: Panel | None = None               # the figure that was opened with an exhibit
        self._found: list[Exhibit] = []                 # those that have the letters
        self._playing: dict[str, Miniature] = {}        # by title
        self._drawn: tuple[Any, ...] = ()   # what the pen makes for the larger pictures, and for the others
        self._page: Page | None = None
        self._text: tuple[Any, Kept] | None = None      # the text that was drawn last, and what it is for
        self._here: int | None = None                   # the card under the mouse, or chosen by keys
        self._scrolled = 0.0                            # pixels
        self._began = 0                                 # the picture that gets the first share of the next tick
        self._waited: dict[str, float] = {}             # seconds for which a system has not been played
        self._ends = False                              # whether Esc closes the window
        self._leads_back = False                        # whether Esc in the picture shows the gallery
        self._was_paused = False
        self._pressed: int | None = None
        self._scrolling = self._dragged = False

    @cached_property
    def _all(self) -> list[Exhibit]:
        """All exhibits, read when they are first needed."""
        return exhibits()

    @cached_property
    def _places(self) -> dict[str, int]:
        """A number of each exhibit, by title."""
        return {title: k for k, title in enumerate(dict.fromkeys(each.title for each in self._all))}

    @property
    def exhibits(self) -> list[Exhibit]:
        """What is shown: all, or those that have the letters that one has typed."""
        return self._found if self.sought else self._all

    def search(self, text: str) -> None:
        """Show the exhibits whose titles, sentences or groups have this text, in capital or small letters; all for ""."""
        self.sought, self._page, self._here, self._scrolled = text, None, None, 0.0
        if text:
            self._found = [each for each in self._all if each.group != FIRST
                           and text.lower() in f"{each.title} {each.sentence} {each.group}".lower()]
            self._here = 0 if self._found else None
        self.stage.refresh()

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
        if self._opened is not None and self._opened.shown:
            self._opened.toggle()
        self._library.show(on_paper(exhibit.make()), exhibit.title, exhibit.sentence)
        self._opened = self._figures.get(exhibit.figure)
        if self._opened is not None and not self._opened.shown:
            self._opened.toggle()
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
        if symbol == keys.ESCAPE and self.sought:
            self.search("")
        elif symbol == keys.ESCAPE:
            self._leave()
        elif symbol == keys.RETURN or symbol == keys.SPACE and not self.sought:
            if self._here is not None:
                self.open(self._here)
        elif (text := typed(self.sought, symbol, modifiers)) != self.sought:
            self.search(text)
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
        if last < 0:
            return
        if symbol in (keys.PAGEUP, keys.PAGEDOWN):
            self._scroll(-0.9 * height if symbol == keys.PAGEUP else 0.9 * height)
        elif symbol in (keys.HOME, keys.END):
            self._choose(0 if symbol == keys.HOME else last)
        elif self._here is None and symbol in (keys.LEFT, keys.RIGHT, keys.UP, keys.DOWN):
            self._choose(0)
        elif symbol in (keys.LEFT, keys.RIGHT):
            self._choose(min(max((self._here or 0) + (1 if symbol == keys.RIGHT else -1), 0), last))
        elif symbol in (keys.UP, keys.DOWN):
            self._choose(self.page.beside(self._here or 0, 1 if symbol == keys.DOWN else -1))

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
            counts = [sum(exhibit.group == group for exhibit in self.exhibits) for group in self._groups()]
            self._page = Page.of(*key_, counts, not self.sought, max(self.stage.theme.smallest / TEXT, 1.0))
            self._scrolled = min(self._scrolled, self._page.most)
        return self._page

    def _groups(self) -> list[str]:
        """The groups of which something is shown, in their order."""
        there = {exhibit.group for exhibit in self.exhibits}
        return [group for group in GROUPS if group in there]

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
            away = (self.stage.size[0] - x) / self.stage.unit
            if away <= 2 * GAP + CROSS:
                self._leave()
            elif away <= 4 * GAP + 2 * CROSS:
                self.stage.next_theme()
            return True
        self._scrolling = x >= self.stage.size[0] - BAR * self.stage.unit
        self._pressed = self.page.at(x, y, self._scrolled) if button == keys.LEFT_BUTTON and not self._scrolling else None
        if self._scrolling:
            self._scroll(self.page.scrolled_to(y) - self._scrolled)
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self.shown and self._scrolling:
            self._scroll(self.page.scrolled_to(y) - self._scrolled)
        elif self.shown and (self._dragged or abs(dy) > STILL * self.stage.unit):     # as fingers do
            self._dragged, self._pressed = True, None
            self._scroll(dy)
        return self.shown

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.shown:
            return False
        pressed, self._pressed, self._scrolling, self._dragged = self._pressed, None, False, False
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
        seen = self._seen()
        left: float = BUDGET
        self._waited = {title: self._waited.get(title, 0.0) + dt for title in seen}
        titles = list(seen)
        start = next((k for k, title in enumerate(titles) if self._places[title] >= self._began), 0)
        for title in titles[start:] + titles[:start]:
            self._began = self._places[title]
            if left <= 0:
                break
            if title in self._playing:
                left -= self._playing[title].tick(self._waited[title], left)
                self._waited[title] = 0.0
        else:
            self._began += 1
        new = next((exhibit for title, exhibit in seen.items() if title not in self._playing), None)
        if new is not None:
            self._make(new)
        self.stage.refresh()

    def _seen(self) -> dict[str, Exhibit]:
        """The exhibits of which a part is in the window, by title."""
        found = [self.exhibits[card] for card in self.page.visible(self._scrolled)]
        return {exhibit.title: exhibit for exhibit in found}

    def _make_visible(self) -> None:
        """Make what the first picture shows, as far as that takes no longer than a moment."""
        began = perf_counter()
        for title, exhibit in self._seen().items():
            if title not in self._playing and perf_counter() - began < BEGIN:
                self._make(exhibit)

    def _make(self, exhibit: Exhibit) -> None:
        system = on_paper(exhibit.make())
        self._playing[exhibit.title] = Miniature(system, first_look(system).colors)

    # drawing

    def draw(self, pen: Pen) -> None:
        """Draw the whole window."""
        page = self.page
        if not self._drawn:
            assert pen.gallery is not None
            self._drawn = pen.gallery(len(self._places)), pen.gallery(len(self._places))
            self._make_visible()
        shown: tuple[list[Thumbnail], list[Thumbnail]] = [], []
        for card in page.visible(self._scrolled):
            title = self.exhibits[card].title
            if title in self._playing:
                shown[page.cards[card][1] >= page.split].append(
                    Thumbnail(self._places[title], self._playing[title].on(self.stage.theme.paper),
                              page.picture(card, self._scrolled)))
        pen.box(0, 0, *pen.size, self.stage.theme.surround)     # all, because what meets between two pixels hides neither side
        pen.flush()
        for drawn, some, band in zip(self._drawn, shown, page.bands(self._scrolled)):
            if band.height > 0:
                drawn.draw(some, pen.size, band, self.stage.theme, pen.unit)
        if self._here is not None:
            area, unit = page.area(self._here, self._scrolled), pen.unit
            pen.box(area.left, area.bottom + 4 * unit, area.right, area.top, self.stage.theme.accent, 1.0, 6 * unit, 2 * unit)
        if (mark := page.mark(self._scrolled)) is not None:
            pen.box(*mark, self.stage.theme.faint, 0.6, corner=3 * pen.unit)
        state = page, self._scrolled, self.stage.theme, self.sought
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
        said = tr("a click opens one; letters search") if self.exhibits else tr("nothing here has {text}", text=self.sought)
        if self.sought:
            end += pen.write(self.sought + "_", end, base, theme.accent, TITLE) + inset
        if pen.text_width(said, NAME) < page.size[0] - end - 5 * inset:
            pen.write(said, end, base, theme.faint, NAME)
        draw_icon(pen, "colors", page.size[0] - 3.2 * inset - CROSS * unit, page.clip.top + 0.5 * HEADING * unit, 18 * unit,
                  theme.faint)
        x, y, half = page.size[0] - inset - 0.5 * CROSS * unit, page.clip.top + 0.5 * HEADING * unit, 0.5 * CROSS * unit
        pen.lines(np.array([(x - half, y - half, x + half, y + half), (x - half, y + half, x + half, y - half)]), theme.faint,
                  1.5 * unit)

    def _draw_text(self, pen: Pen, page: Page) -> None:
        """Write the headings of groups, and the names and sentences of cards."""
        theme, unit = self.stage.theme, pen.unit
        for group, (left, down) in zip(self._groups(), page.headings):
            pen.write(tr(group), left, page.clip.top - down + self._scrolled, theme.accent, TITLE, bold=True)
        for card in page.visible(self._scrolled):
            area, exhibit = page.area(card, self._scrolled), self.exhibits[card]
            x, room = area.left + 8 * unit, area.width - 16 * unit
            base = page.picture(card, self._scrolled).bottom - (LINE - 5) * unit
            pen.write(pen.fitting(exhibit.title, room, NAME, bold=True), x, base, theme.text, NAME, bold=True)
            lines = wrapped_text(pen, exhibit.sentence, room, TEXT)
            for k, line in enumerate([*lines[:LINES - 1], *([" ".join(lines[LINES - 1:])] if len(lines) >= LINES else [])]):
                pen.write(pen.fitting(line, room, TEXT), x, base - (k + 1) * LINE * unit, theme.text, TEXT)

    def close(self) -> None:
        for drawn in self._drawn:
            drawn.delete()
        self._drawn = ()
