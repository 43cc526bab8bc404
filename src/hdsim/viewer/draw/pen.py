"""Pen: lines, rings, boxes and text over the picture. Coordinates are framebuffer pixels, y upwards.

All that is drawn besides discs and obstacles is drawn with it: `gpu_pen` draws in a window, `record` writes down for pages."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from .paragraphs import Measures
from .theme import Color

CAPSULE, RING, BOX = 0.0, 1.0, 2.0      # kinds of shape
SHAPE_COLUMNS = 11                      # kind, half width, corner, four of place, red, green, blue, alpha


class Kept(NamedTuple):
    """Shapes and texts in the format of a pen, at the positions and sizes at which they were recorded."""

    shapes: list[np.ndarray]
    texts: list[Any]


class Pen(Measures):
    """Collects shapes and text, which `flush` draws, text above shapes. `unit`: pixels of the length 1 in the sizes of text.
    `gallery`: called with a number, returns what draws so many small pictures in motion, see `thumbnails`.

    Methods add one shape or an array of k shapes. Widths are in pixels; `color` is (red, green, blue) of 0 to 255 and `alpha` of
    0 to 1; for k shapes also (k, 3) and (k,). Letters are never smaller than `smallest` points.
    """

    def __init__(self, gallery: Callable[[int], Any] | None = None) -> None:
        self.gallery = gallery
        self.size = (1, 1)
        self.unit = 1.0
        self.smallest = 0.0
        self._shapes: list[np.ndarray] = []     # rows of SHAPE_COLUMNS
        self._texts: list[Any] = []             # in the format of the pen

    def begin(self, size: tuple[int, int], unit: float, smallest: float = 0.0) -> None:
        """Set the size of the target in pixels, the pixels per unit of length for text, and the smallest letters in points."""
        self.size, self.unit, self.smallest = size, unit, smallest

    # shapes

    def line(self, x0: float, y0: float, x1: float, y1: float, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        self.lines(np.array([(x0, y0, x1, y1)]), color, width, alpha)

    def lines(self, ends: np.ndarray, color: Color | np.ndarray, width: float = 1.5,
              alpha: float | np.ndarray = 1.0) -> None:
        """Add k lines. ends: (k, 4), x and y of both ends of each line."""
        self._put(CAPSULE, ends, 0.5 * width, 0.0, color, alpha)

    def polyline(self, points: np.ndarray, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        """Add a line through points, (k, 2), in their order."""
        points = np.asarray(points, np.float32)
        self.lines(np.hstack([points[:-1], points[1:]]), color, width, alpha)

    def ring(self, x: float, y: float, radius: float, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        self.rings(np.array([(x, y)]), radius, color, width, alpha)

    def rings(self, centres: np.ndarray, radii: np.ndarray | float, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        """Add k rings. centres: (k, 2); radii: (k,) or one for all, to the middle of the line."""
        self._put(RING, self._round(centres, radii, 0.0), 0.5 * width, 0.0, color, alpha)

    def dots(self, centres: np.ndarray, radii: np.ndarray | float, color: Color | np.ndarray, alpha: float = 1.0) -> None:
        """Add k filled discs. centres: (k, 2); radii: (k,) or one for all."""
        self._put(RING, self._round(centres, radii, 1.0), 0.0, 0.0, color, alpha)

    def box(self, left: float, bottom: float, right: float, top: float, color: Color, alpha: float = 1.0,
            corner: float = 0.0, width: float = 0.0) -> None:
        """Add a filled rectangle with round corners of radius `corner`, or with width > 0 its outline."""
        self.boxes(np.array([(left, bottom, right, top)]), color, alpha, corner, width)

    def boxes(self, corners: np.ndarray, color: Color | np.ndarray, alpha: float = 1.0, corner: float = 0.0,
              width: float = 0.0) -> None:
        """Add k rectangles as `box` does. corners: (k, 4), left, bottom, right, top of each."""
        low, high = np.asarray(corners)[:, :2], np.asarray(corners)[:, 2:]
        self._put(BOX, np.hstack([(low + high) / 2, (high - low) / 2]), 0.5 * width, corner, color, alpha)

    @staticmethod
    def _round(centres: np.ndarray, radii: np.ndarray | float, filled: float) -> np.ndarray:
        place = np.empty((len(centres), 4), np.float32)
        place[:, :2], place[:, 2], place[:, 3] = centres, radii, filled
        return place

    def _put(self, kind: float, place: np.ndarray, half: float, corner: float, color: Color | np.ndarray,
             alpha: float | np.ndarray) -> None:
        rows = np.empty((len(place), SHAPE_COLUMNS), np.float32)
        rows[:, 0], rows[:, 1], rows[:, 2] = kind, half, corner
        rows[:, 3:7] = place
        rows[:, 7:10], rows[:, 10] = np.asarray(color, np.float32) / 255, alpha
        self._shapes.append(rows)

    # text

    def write(self, text: str, x: float, y: float, color: Color, size: float = 10.0, *, anchor: str = "left",
              bold: bool = False, alpha: float = 1.0) -> float:
        """Add one line of text with its base line at y, and with its left end, centre or right end (anchor: "left", "center",
        "right") at x; returns its width in pixels. size: of the letters, points."""
        raise NotImplementedError

    def line_height(self, size: float = 10.0) -> float:
        """The distance between lines of text in pixels."""
        return round(1.9 * max(size, self.smallest) * self.unit)

    # recorded drawings

    @contextmanager
    def keeping(self) -> Iterator[Kept]:
        """Within the block, shapes and text are recorded, to be drawn later by `again`, and not drawn."""
        before, kept = (self._shapes, self._texts), Kept([], [])
        self._shapes, self._texts = [], []
        try:
            yield kept
            kept.shapes[:] = self._shapes and [np.concatenate(self._shapes)]
            kept.texts[:] = self._packed(self._texts)
        finally:
            self._shapes, self._texts = before

    def again(self, kept: Kept) -> None:
        """Add recorded shapes and text."""
        self._shapes += kept.shapes
        self._texts += kept.texts

    def _packed(self, texts: list[Any]) -> list[Any]:
        """The same texts in fewer pieces."""
        return texts

    # drawing

    def flush(self, clip: tuple[float, float, float, float] | None = None) -> None:
        """Draw all that was added since the last flush. clip: draw only within (left, bottom, right, top)."""
        raise NotImplementedError
