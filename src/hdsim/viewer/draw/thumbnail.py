"""Thumbnail: where a small system is drawn in a picture of many."""
from __future__ import annotations

from dataclasses import dataclass

from .area import Area
from .frame import Frame
from .orbit import Orbit
from .view import AnyView, View

MARGIN = 6              # around each box, window units


@dataclass(frozen=True)
class Thumbnail:
    """A system to draw. place: the number of its place on the sheet, below that of the places. area: where, pixels."""

    place: int
    frame: Frame
    area: Area

    @property
    def is_alone(self) -> bool:
        """Whether its discs are cut off at edges, or are no discs."""
        return any(self.frame.periodic) or self.frame.drawing is not None or self.frame.depth > 0

    def view(self, size: tuple[int, int], pixels: float) -> AnyView:
        """The view of its box. size: of the whole picture. pixels: for each window unit."""
        if self.frame.depth:
            margin, area = MARGIN * pixels, self.area
            return Orbit().view(self.frame, size, (area.left + margin, area.bottom + margin, size[0] - area.right + margin,
                                                   size[1] - area.top + margin))
        inner = View.fit((self.frame.width, self.frame.height), (round(self.area.width), round(self.area.height)),
                         (MARGIN * pixels,) * 4)
        return View(size, (self.area.left + inner.origin[0], self.area.bottom + inner.origin[1]), inner.scale)
