"""The window of pyglet around a front, to which it passes keys, mouse events and ticks on. Importing it
needs a display; see `context`."""
from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pyglet

from ...language import tr
from ...model.offering import without_own
from ..draw.context import open_window
from ..draw.frame import Frame
from ..draw.gpu import release
from ..draw.layers import Scene
from ..draw.look import Look
from ..draw.gpu_pen import GpuPen
from ..draw.thumbnails import Thumbnails
from ..playback.pace import lively_speed
from ..playback.playback import FRAMES_PER_SECOND, Playback
from ..playback.wording import counted
from ..stage.commands import Command
from ..stage.layout import BAR, STATUS, TIMELINE
from ..stage.stage import TITLE
from .front import HEEDED, SMALLEST, Contents, Front, Staged

SHARE, EXTRA_MAX = 0.5, 0.05      # additional time of the engine over the drawing time of a slow picture; its maximum in seconds


class Window(Staged, pyglet.window.Window):
    """A window on a system. Every key calls a public method of the window or of one of its `parts`. `stage` is their shared
    state: the playback with the system and its pace, the look, the camera.

    make_contents: makes stage, parts and painter from this window, which has no size and no OpenGL context yet, the playback, the
    look and the name of the system.
    """

    COMMANDS = (Command("Esc", "quit", "close", "file"),)

    def __init__(self, playback: Playback, title: str, look: Look,
                 make_contents: Callable[[Window, Playback, Look, str], Contents], **options) -> None:
        # Before the constructor of the base class, because pyglet may call on_resize in it.
        self._front = Front(make_contents(self, playback, look, title.removeprefix(TITLE)), self)
        self.stage, self.parts = self._front.stage, self._front.parts
        super().__init__(caption=title, resizable=True, file_drops=True, **options)
        self.set_minimum_size(*SMALLEST)
        self._scene = Scene(self.stage.theme)
        self._pen = GpuPen(Thumbnails)
        self._front.connect()
        self.stage.note(tr("H: keys"))
        pyglet.clock.schedule_interval(self._tick, 1 / FRAMES_PER_SECOND)

    def commands(self) -> list[Command]:
        """All commands, of the window and of its parts."""
        return self._front.commands()

    # what the keys do

    def close(self) -> None:
        """Close the window."""
        pyglet.clock.unschedule(self._tick)
        if self.context is not None:
            self.switch_to()        # parts delete what they have drawn in it
        self._front.close()
        release(self, self._scene, self._pen)
        super().close()

    # drawing

    def on_draw(self) -> None:
        self._front.paint(self._pen, self._scene)

    def draw_afresh(self) -> None:
        """Draw at once in the context of this window, so that the picture can be read back."""
        self.switch_to()
        self.on_draw()

    # what pyglet calls

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self._front.key_pressed(symbol, modifiers)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._front.mouse("mouse_pressed", x, y, button, modifiers & HEEDED)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, button: int, modifiers: int) -> None:
        self._front.mouse("mouse_dragged", x, y, *self.stage.pixel(dx, dy), button, modifiers & HEEDED)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._front.mouse("mouse_released", x, y, button, modifiers & HEEDED)

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self._front.mouse("mouse_moved", x, y)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self._front.mouse("mouse_scrolled", x, y, scroll_y)

    def on_resize(self, width: int, height: int) -> None:
        self.stage.refresh()

    def on_expose(self) -> None:
        self.stage.refresh()

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        self._front.dropped(paths)

    def on_close(self) -> None:
        self.close()

    def _tick(self, dt: float) -> None:
        stage = self.stage
        self._front.tick(dt)
        if self._front.is_stale:
            self._front.begin_picture()
            began = perf_counter()
            self.draw(dt)
            # If drawing is slow, the engine gets additional time: frames come only slightly later, and the run is much faster.
            taken = perf_counter() - began
            stage.playback.extra = min(SHARE * taken, EXTRA_MAX) if taken > 1 / FRAMES_PER_SECOND else 0.0


def run(system, speed=None, hz=None, fullscreen=False, *, until=None, paused=False, title=None, prepare=None, look,
        make_contents: Callable[[Window, Playback, Look, str], Contents], suitable_size: Callable[[Frame], dict[str, int]]):
    """`hdsim.viewer.show`, after a display was found. make_contents: see `Window`. suitable_size: returns the size of a new
    window, in window units, for the box of a frame."""
    playback = Playback(without_own(system), lively_speed(system) if speed is None else speed, hz, until, paused, prepare)
    title = title or TITLE + counted(len(system), len(playback.frame.lengths))
    size = {} if fullscreen else suitable_size(playback.frame)
    try:
        window = open_window(Window, playback=playback, title=title, look=look, make_contents=make_contents,
                             fullscreen=fullscreen, **size)
        try:
            pyglet.app.run(None)      # no redraws of its own: each tick draws what is new
        finally:
            playback = window.playback
            window.close()
    finally:
        playback.close()
    return playback.system


def window_size(aspect: float) -> dict[str, int]:
    """Width and height of a new window for a box of this width over height, at most four fifths of the screen."""
    screen = pyglet.display.get_display().get_default_screen()
    widest, highest = min(1200, 0.8 * screen.width), min(850, 0.8 * screen.height)
    height = min(highest, widest / aspect)
    return {"width": round(max(640, height * aspect)), "height": round(max(240, height)) + STATUS + TIMELINE + BAR}
