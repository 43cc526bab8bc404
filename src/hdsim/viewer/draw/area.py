"""Area: a rectangle of the picture."""
from __future__ import annotations

from typing import NamedTuple


class Area(NamedTuple):
    """A rectangle in framebuffer pixels."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.bottom <= y < self.top
