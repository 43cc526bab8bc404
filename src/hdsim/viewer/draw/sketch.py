"""Sketch: a drawing that is recorded once with a pen and drawn again cheaply in every frame until it changes."""
from __future__ import annotations

from typing import Any

import numpy as np

from .pen import Kept, Pen
from .theme import Color


class Sketch:
    """A drawing of boxes, lines and text, in this order from back to front; boxes of one colour are added in one call."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self._boxes: dict[tuple[Any, ...], list[tuple[float, float, float, float]]] = {}
        self._lines: dict[tuple[Any, ...], list[tuple[float, float, float, float]]] = {}
        self._text: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        self._kept: Kept | None = None

    def box(self, left: float, bottom: float, right: float, top: float, color: Color, alpha: float = 1.0,
            corner: float = 0.0, width: float = 0.0) -> None:
        self._boxes.setdefault((color, alpha, corner, width), []).append((left, bottom, right, top))

    def line(self, x0: float, y0: float, x1: float, y1: float, color: Color, width: float = 1.5, alpha: float = 1.0) -> None:
        self._lines.setdefault((color, width, alpha), []).append((x0, y0, x1, y1))

    def write(self, text: str, x: float, y: float, color: Color, size: float, **options: Any) -> None:
        self._text.append(((text, x, y, color, size), options))

    def draw(self) -> None:
        """Add the drawing to the pen."""
        if self._kept is None:
            with self.pen.keeping() as self._kept:
                for how, rows in self._boxes.items():
                    self.pen.boxes(np.array(rows), *how)
                for how, rows in self._lines.items():
                    self.pen.lines(np.array(rows), *how)
                for arguments, options in self._text:
                    self.pen.write(*arguments, **options)
        self.pen.again(self._kept)
