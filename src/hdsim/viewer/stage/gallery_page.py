"""The page of the gallery: where its cards are, in rows by groups. Pure arithmetic in pixels, y upwards in the window.

The page is as wide as the window, and is scrolled in it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..draw.area import Area

CARD, PICTURE = 236, 164            # least width of a card, and height of its picture, window units
GAP, LINE, LINES = 14, 15, 3        # between cards; of a line of text; lines of a sentence
HEADING = 34                        # height of the title, and of the heading of each group, window units
BAR = 10                            # width of the bar that scrolls, window units


class Page(NamedTuple):
    """size: of the window. cards: left end of each card, and how far its upper end is below that of the page. headings: the same
    of the base line of each group's heading."""

    size: tuple[int, int]
    unit: float
    columns: int
    card_size: tuple[int, int]
    cards: tuple[tuple[int, int], ...]
    headings: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, size: tuple[int, int], unit: float, counts: Sequence[int]) -> Page:
        """The page for a window of `size` pixels, with `unit` pixels for a window unit. counts: of the cards in each group."""
        columns = max(int((size[0] - (GAP + BAR) * unit) // ((CARD + GAP) * unit)), 1)
        width = max(int((size[0] - (BAR + GAP * (columns + 1)) * unit) / columns), 16)
        height = round((PICTURE + LINE * (LINES + 2)) * unit)
        cards, headings, top = [], [], 0
        for count in counts:
            top += round(HEADING * unit)
            headings.append((round(GAP * unit), round(top - 0.3 * HEADING * unit)))
            for k in range(count):
                row, column = divmod(k, columns)
                cards.append((round(GAP * unit + column * (width + GAP * unit)), top + row * height))
            top += -(-count // columns) * height
        return cls(size, unit, columns, (width, height), tuple(cards), tuple(headings))

    @property
    def clip(self) -> Area:
        """The area of the cards in the window, below its title."""
        return Area(0, 0, self.size[0], max(self.size[1] - round(HEADING * self.unit), 1))

    @property
    def height(self) -> float:
        """The height of the whole page."""
        return self.cards[-1][1] + self.card_size[1] + GAP * self.unit

    @property
    def most(self) -> float:
        """How far it can be scrolled."""
        return max(self.height - self.clip.height, 0.0)

    def area(self, card: int, scrolled: float) -> Area:
        """The area of a card in the window, which may lie outside of it."""
        left, down = self.cards[card]
        top = self.clip.top - round(down - scrolled)
        return Area(left, top - self.card_size[1], left + self.card_size[0], top)

    def picture(self, card: int, scrolled: float) -> Area:
        """The area of the picture of a card."""
        area = self.area(card, scrolled)
        return area._replace(bottom=area.top - round(PICTURE * self.unit))

    def visible(self, scrolled: float) -> list[int]:
        """The cards of which a part is in the window."""
        low, high = scrolled - self.card_size[1], scrolled + self.clip.height
        return [card for card, (_, down) in enumerate(self.cards) if low < down < high]

    def at(self, x: float, y: float, scrolled: float) -> int | None:
        """The card at a pixel of the window."""
        if not self.clip.holds(x, y):
            return None
        return next((card for card in self.visible(scrolled) if self.area(card, scrolled).holds(x, y)), None)

    def revealing(self, card: int, scrolled: float) -> float:
        """How far to scroll, from `scrolled` on, so that a card and what is above it are seen."""
        down = self.cards[card][1]
        scrolled = min(scrolled, down - HEADING * self.unit)
        return min(max(scrolled, down + self.card_size[1] - self.clip.height, 0.0), self.most)

    def mark(self, scrolled: float) -> Area | None:
        """The mark that shows which part of the page is seen; None if all of it is."""
        if self.most == 0:
            return None
        clip, share = self.clip, self.clip.height / self.height
        top, right = clip.top - scrolled * share, clip.right - 2 * self.unit
        return Area(right - (BAR - 4) * self.unit, top - clip.height * share, right, top)

    def scrolled_to(self, y: float) -> float:
        """How far to scroll so that the middle of the mark is at the pixel y."""
        clip = self.clip
        return min(max((clip.top - y) / clip.height * self.height - 0.5 * clip.height, 0.0), self.most)
