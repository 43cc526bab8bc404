"""Camera: the part of the box that is shown, and its magnification."""
from __future__ import annotations

from ..draw.view import View

# Magnification over that at which the whole box fits. Beyond CLOSEST, rounding of positions to single precision is visible.
CLOSEST, FARTHEST = 1e4, 0.1


class Camera:
    """Initially it shows the whole box. After zoom or pan it keeps the same point of the box in the centre of the area."""

    def __init__(self) -> None:
        self._area_centre = (0.0, 0.0)      # pixels
        self.fit()

    def fit(self) -> None:
        """Show the whole box."""
        self.zoom = 1.0
        self.centre: tuple[float, float] | None = None      # box coordinates; None: the centre of the box

    def view(self, box: tuple[float, float], size: tuple[int, int], margins: tuple[float, float, float, float]) -> View:
        """The view in a picture of `size` pixels, in the area within `margins` (left, bottom, right, top)."""
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
