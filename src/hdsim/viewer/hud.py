"""The text over the picture: the status line and the list of keys. Coordinates are window units, not pixels."""
from __future__ import annotations

import pyglet

from .theme import Theme

STATUS_HEIGHT = 26
FONT_SIZE = 10


class StatusLine:
    """One line at the lower edge of the window."""

    def __init__(self, theme: Theme) -> None:
        self._label = pyglet.text.Label("", x=10, y=STATUS_HEIGHT / 2, anchor_y="center", font_size=FONT_SIZE,
                                        color=(*theme.text, 255))

    def say(self, text: str) -> None:
        if text != self._label.text:
            self._label.text = text

    def draw(self) -> None:
        self._label.draw()


class KeysPanel:
    """What the keys do, in the middle of the window. `rows` are (key, action) pairs."""

    PADDING = 22
    KEY_COLUMN = 90
    ROW = 24

    def __init__(self, rows: list[tuple[str, str]], theme: Theme) -> None:
        self._batch = pyglet.graphics.Batch()
        color = (*theme.text, 255)
        self._labels = []
        for row, texts in enumerate(rows):
            y = (len(rows) - row - 0.5) * self.ROW + self.PADDING
            for text, x, weight in zip(texts, (0, self.KEY_COLUMN), ("bold", "normal")):
                self._labels.append(pyglet.text.Label(text, x=x + self.PADDING, y=y, anchor_y="center", color=color,
                                                      font_size=FONT_SIZE + 1, weight=weight, batch=self._batch))
        self._width = max(label.x + label.content_width for label in self._labels) + self.PADDING
        self._height = len(rows) * self.ROW + 2 * self.PADDING
        self._back = pyglet.shapes.BorderedRectangle(0, 0, self._width, self._height, border=1,
                                                     color=(*theme.surround, 240), border_color=(*theme.outline, 240))

    def draw(self, window: pyglet.window.Window) -> None:
        corner = (round((window.width - self._width) / 2), round((window.height - self._height) / 2), 0)
        original = window.view
        window.view = original.translate(corner)
        self._back.draw()
        self._batch.draw()
        window.view = original
