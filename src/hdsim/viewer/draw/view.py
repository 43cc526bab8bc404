"""View: the map from positions in the box to pixels of the picture."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .space_view import SpaceView


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

    # the same for arrays, as of a `SpaceView`

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """(k, 2) pixels of points, (k, 2) in the box."""
        return np.array(self.origin) + self.scale * np.asarray(points).reshape(-1, 2)

    def reach(self, points: np.ndarray, radii: np.ndarray | float) -> np.ndarray:
        """(k,) radii in pixels of discs."""
        return self.scale * np.broadcast_to(radii, len(points))

    def along(self, dx: float, dy: float, at: np.ndarray | None = None) -> np.ndarray:
        """(2,): the displacement in the box that is one of (dx, dy) pixels."""
        return np.array((dx, dy)) / self.scale

    def point(self, px: float, py: float, at: np.ndarray | None = None) -> np.ndarray:
        """(2,): the point at a pixel."""
        return np.array(self.to_box(px, py))


AnyView = View | SpaceView         # of discs or of spheres
