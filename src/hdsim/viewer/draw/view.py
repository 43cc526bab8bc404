"""View: the map from positions in the box to pixels of the picture."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """pixel = origin + scale * position, x to the right and y upwards from the picture's lower left corner."""

    size: tuple[int, int]              # width and height of the picture, framebuffer pixels
    origin: tuple[float, float]        # pixel of the box's lower left corner
    scale: float                       # pixels per unit of length

    @classmethod
    def fit(cls, box: tuple[float, float], size: tuple[int, int], margins: tuple[float, float, float, float]) -> View:
        """A view of the whole box, centred and as large as possible within `size` minus `margins` (left, bottom, right, top)."""
        left, bottom, right, top = margins
        room = max(size[0] - left - right, 1.0), max(size[1] - bottom - top, 1.0)
        scale = min(room[0] / box[0], room[1] / box[1])
        # The lower left corner is at a whole pixel, so that the outline of the box is sharp there.
        origin = (round(left + (room[0] - scale * box[0]) / 2), round(bottom + (room[1] - scale * box[1]) / 2))
        return cls(size, origin, scale)

    def to_pixel(self, x: float, y: float) -> tuple[float, float]:
        return self.origin[0] + self.scale * x, self.origin[1] + self.scale * y

    def to_box(self, px: float, py: float) -> tuple[float, float]:
        return (px - self.origin[0]) / self.scale, (py - self.origin[1]) / self.scale
