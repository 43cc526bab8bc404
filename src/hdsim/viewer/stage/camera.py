"""Camera: which part of the box is looked at, and how large. Pure arithmetic, like `view`, which it makes."""
from __future__ import annotations

from ..draw.view import View

# Times the size at which the whole box fits. Closer, one would see how positions are rounded to single precision.
CLOSEST, FARTHEST = 1e4, 0.1


class Camera:
    """The whole box at first. Zoomed or moved, it keeps the point of the box in the middle of the area."""

    def __init__(self) -> None:
        self._area_centre = (0.0, 0.0)      # pixels
        self.fit()

    def fit(self) -> None:
        """Look at the whole box."""
        self.zoom = 1.0
        self.centre: tuple[float, float] | None = None      # box coordinates; None: of the box

    def view(self, box: tuple[float, float], size: tuple[int, int], margins: tuple[float, float, float, float]) -> View:
        """Where the box lies in a picture of `size` pixels whose edges up to `margins` (left, bottom, right, top) are taken."""
        left, bottom, right, top = margins
        self._area_centre = (left + size[0] - right) / 2, (bottom + size[1] - top) / 2
        whole = View.fit(box, size, margins)
        if self.centre is None and self.zoom == 1.0:
            return whole
        x, y = self.centre or (box[0] / 2, box[1] / 2)
        scale = whole.scale * self.zoom
        return View(size, (self._area_centre[0] - scale * x, self._area_centre[1] - scale * y), scale)

    def zoom_at(self, factor: float, px: float, py: float, view: View) -> None:
        """Zoom by `factor`; the point of the box at pixel (px, py) of `view` stays there."""
        factor = min(max(self.zoom * factor, FARTHEST), CLOSEST) / self.zoom
        x, y = view.to_box(px, py)
        middle = self._middle(view)
        self.centre = x + (middle[0] - x) / factor, y + (middle[1] - y) / factor
        self.zoom *= factor

    def pan(self, dx: float, dy: float, view: View) -> None:
        """Move the box by (dx, dy) pixels of `view`."""
        x, y = self._middle(view)
        self.centre = x - dx / view.scale, y - dy / view.scale

    def _middle(self, view: View) -> tuple[float, float]:
        return view.to_box(*self._area_centre)
