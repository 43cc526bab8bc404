"""The page of the gallery: where its cards are, in rows by groups. Pure arithmetic in pixels, y upwards in the window.

The page is as wide as the window, and is scrolled in it."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..draw.area import Area

CARD, LARGE = 236, 240              # least width of a card, and of one of the first group, window units
COLUMNS = 5                         # of the first group, at most
TALL, TALLER = 0.62, 0.9            # height of a picture over its width, and of one of the first group ...
TALL_MOST = 0.62                    # ... and over the height of the window at most
GAP, LINE, LINES = 14, 15, 3        # between cards; of a line of text; lines of a sentence
HEADING = 34                        # height of the title, and of the heading of each group, window units
BAR = 10                            # width of the bar that scrolls, window units


class Page(NamedTuple):
    """size: of the window. cards: left end, how far its upper end is below that of the page, width and height of each card.
    headings: left end of each group's heading, and how far its base line is below. split: where the cards of the first group,
    which are larger, end; 0 if there are none."""

    size: tuple[int, int]
    unit: float
    cards: tuple[tuple[int, int, int, int], ...]
    headings: tuple[tuple[int, int], ...]
    split: int

    @classmethod
    def of(cls, size: tuple[int, int], unit: float, counts: Sequence[int], large: bool = True, letters: float = 1.0
           ) -> Page:
        """The page for a window of `size` pixels, with `unit` pixels for a window unit. counts: of the cards in each group.
        large: whether those of the first group are larger. letters: how much larger than usual those of sentences are."""
        cards, headings, top, split = [], [], 0, 0
        for group, count in enumerate(counts):
            least, most, tall = (LARGE, COLUMNS, TALLER) if large and group == 0 else (CARD * letters, size[0], TALL)
            columns = min(max(int((size[0] - (GAP + BAR) * unit) // ((least + GAP) * unit)), 1), most)
            width = max(int((size[0] - (BAR + GAP * (columns + 1)) * unit) / columns), 16)
            height = round(min(tall * width, max(TALL_MOST * size[1], 60 * unit)) + LINE * (LINES + 2) * unit)
            top += round(HEADING * unit)
            headings.append((round(GAP * unit), round(top - 0.3 * HEADING * unit)))
            for k in range(count):
                row, column = divmod(k, columns)
                cards.append((round(GAP * unit + column * (width + GAP * unit)), top + row * height, width, height))
            top += -(-count // columns) * height
            split = top if large and group == 0 else split
        return cls(size, unit, tuple(cards), tuple(headings), split)

    @property
    def clip(self) -> Area:
        """The area of the cards in the window, below its title."""
        return Area(0, 0, self.size[0], max(self.size[1] - round(HEADING * self.unit), 1))

    @property
    def height(self) -> float:
        """The height of the whole page."""
        return (self.cards[-1][1] + self.cards[-1][3] if self.cards else 0) + GAP * self.unit

    @property
    def most(self) -> float:
        """How far it can be scrolled."""
        return max(self.height - self.clip.height, 0.0)

    def area(self, card: int, scrolled: float) -> Area:
        """The area of a card in the window, which may lie outside of it."""
        left, down, width, height = self.cards[card]
        top = self.clip.top - round(down - scrolled)
        return Area(left, top - height, left + width, top)

    def picture(self, card: int, scrolled: float) -> Area:
        """The area of the picture of a card."""
        area = self.area(card, scrolled)
        return area._replace(bottom=area.bottom + round(LINE * (LINES + 2) * self.unit))

    def bands(self, scrolled: float) -> tuple[Area, Area]:
        """The area of the first group in the window, and the one below."""
        middle = min(max(self.clip.top - round(self.split - scrolled), 0), self.clip.top)
        return self.clip._replace(bottom=middle), self.clip._replace(top=middle)

    def visible(self, scrolled: float) -> list[int]:
        """The cards of which a part is in the window."""
        end = scrolled + self.clip.height
        return [card for card, (_, down, _, height) in enumerate(self.cards) if scrolled - height < down < end]

    def at(self, x: float, y: float, scrolled: float) -> int | None:
        """The card at a pixel of the window."""
        if not self.clip.holds(x, y):
            return None
        return next((card for card in self.visible(scrolled) if self.area(card, scrolled).holds(x, y)), None)

    def revealing(self, card: int, scrolled: float) -> float:
        """How far to scroll, from `scrolled` on, so that a card and what is above it are seen."""
        _, down, _, height = self.cards[card]
        scrolled = min(scrolled, down - HEADING * self.unit)
        return min(max(scrolled, down + height - self.clip.height, 0.0), self.most)

    def beside(self, card: int, down: int) -> int:
        """The nearest card in the next row, or with `down` -1 in the row before; the card itself if there is none."""
        left, top, width, _ = self.cards[card]
        rows = sorted({at for _, at, _, _ in self.cards}, reverse=down < 0)
        row = next((at for at in rows if (at - top) * down > 0), top)
        across = left + width / 2
        return min((k for k, each in enumerate(self.cards) if each[1] == row),
                   key=lambda k: abs(self.cards[k][0] + self.cards[k][2] / 2 - across)) if row != top else card

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
