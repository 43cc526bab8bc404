"""The window of a game: mouse, score and texts. Importing it needs a display; see `context`.

The `rounds` that are shown decide when a round begins, pauses and ends (see `hdsim.app.play_rounds`)."""
from __future__ import annotations

import numpy as np
import pyglet
from pyglet.window import key

from ...language import tr
from ..draw.context import open_window
from ..draw.frame import Frame
from ..draw.gpu import release
from ..draw.layers import Scene
from ..draw.gpu_pen import GpuPen
from ..draw.theme import LIGHT
from ..draw.view import View
from ..playback.playback import FRAMES_PER_SECOND
from ..stage.layout import MARGIN
from ..stage.stage import LINE
from .window import window_size

VEIL = 0.75             # opacity of the veil over the discs while a text is shown
STRIP, STATUS = 40, 14.0                # height of the strip under the box in window units, and the size of its letters
HEADLINE, WORDS = 0.036, 0.02           # sizes of letters over the side of the box
LINES = (0.02, -0.06, -0.11, -0.16, -0.21)      # base lines, in box lengths from the centre of their half of the box ...
RISE = 0.025            # ... and by how much they are higher for each line above three


class Arena(pyglet.window.Window):
    """A window that shows rounds of a game, and calls their `tick` with the position of the mouse sixty times a second."""

    def __init__(self, rounds, **options) -> None:
        super().__init__(caption=tr("hdsim: play"), resizable=True, **options)
        self.set_minimum_size(480, 480)
        self.rounds = rounds
        self._scene = Scene(LIGHT)
        self._pen = GpuPen()
        self._mouse: tuple[float, float] | None = None      # window units; None outside the window
        pyglet.clock.schedule_interval(self._tick, 1 / FRAMES_PER_SECOND)

    def close(self) -> None:
        pyglet.clock.unschedule(self._tick)
        release(self, self._scene, self._pen)
        super().close()

    # what pyglet calls

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self._mouse = x, y

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self._mouse = x, y

    def on_mouse_enter(self, x: int, y: int) -> None:
        self._mouse = x, y

    def on_mouse_leave(self, x: int, y: int) -> None:
        self._mouse = None

    def on_deactivate(self) -> None:
        self._mouse = None

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._restart()

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        if symbol == key.SPACE:
            self._restart()
        elif symbol == key.ESCAPE:
            self.close()

    def on_close(self) -> None:
        self.close()

    def on_draw(self) -> None:
        frame, view, pen = Frame.of(self.rounds.game.system), self.box_view(), self._pen
        pen.begin(self.get_framebuffer_size(), self.get_pixel_ratio())
        self._scene.draw(frame, view, line=LINE * pen.unit)
        self._draw_status(frame, view)
        if self.rounds.words:
            self._draw_veil(frame, view)
            self._draw_words(frame, view)
        pen.flush()

    def _restart(self) -> None:
        if self.rounds.over:
            self.rounds.restart()

    def _tick(self, dt: float) -> None:
        unit = self.get_pixel_ratio()
        mouse = None if self._mouse is None else self.box_view().to_box(self._mouse[0] * unit, self._mouse[1] * unit)
        played = self.rounds.playing
        self.rounds.tick(mouse, dt)
        if self.rounds.playing != played:
            self.set_mouse_visible(played)
        self.draw(dt)

    def box_view(self) -> View:
        margin, below = MARGIN * self.get_pixel_ratio(), STRIP * self.get_pixel_ratio()
        box = self.rounds.game.system.box
        return View.fit((box.width, box.height), self.get_framebuffer_size(), (margin, below, margin, margin))

    def _draw_status(self, frame: Frame, view: View) -> None:
        """Write time, discs and best score in the strip under the box."""
        pen = self._pen
        for text, side, anchor in zip(self.rounds.status, (0.0, 0.5, 1.0), ("left", "center", "right")):
            x, y = view.to_pixel(side * frame.width, 0.0)
            pen.write(text, x, y - 0.5 * (STRIP + STATUS) * pen.unit, LIGHT.text, STATUS, anchor=anchor, bold=side == 0)

    def _draw_veil(self, frame: Frame, view: View) -> None:
        """Draw the veil over all discs except the red one and, at the end, the disc that it touches."""
        self._pen.box(*view.to_pixel(0.0, 0.0), *view.to_pixel(frame.width, frame.height), LIGHT.paper, VEIL)
        for disc in {0, self.rounds.game.hit or 0}:
            centre = view.to_pixel(*frame.positions[disc].tolist())
            self._pen.dots(np.array([centre]), frame.radii[disc] * view.scale, tuple(frame.colors[disc].tolist()))

    def _draw_words(self, frame: Frame, view: View) -> None:
        """Write the texts in the half of the box without the red disc."""
        pen = self._pen
        middle = 0.25 if frame.positions[0, 1] > 0.5 * frame.height else 0.75
        side = view.scale * frame.height / pen.unit
        for k, (text, line) in enumerate(zip(self.rounds.words, LINES)):
            rise = RISE * max(len(self.rounds.words) - 3, 0)
            x, y = view.to_pixel(0.5 * frame.width, (middle + line + rise) * frame.height)
            pen.write(text, x, y, LIGHT.text, (WORDS if k else HEADLINE) * side, anchor="center", bold=k == 0)


def run(rounds, fullscreen=False) -> None:
    """`hdsim.viewer.show_rounds`, after a display was found."""
    window = open_window(Arena, rounds=rounds, fullscreen=fullscreen, **({} if fullscreen else window_size(1.0)))
    try:
        pyglet.app.run(None)      # no redraws of its own: each tick draws once
    finally:
        window.close()
