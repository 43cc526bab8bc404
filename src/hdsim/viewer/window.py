"""The window: keys, the status line, and pyglet's event loop. Importing it needs a display; see `context`.
What a key does to the simulation is in `playback`, how things look in `layers` and `hud`."""
from __future__ import annotations

import pyglet
from pyglet.window import key

from .context import open_window
from .hud import STATUS_HEIGHT, KeysPanel, StatusLine
from .layers import Scene
from .playback import FRAMES_PER_SECOND, Playback
from .theme import LIGHT
from .view import View

MARGIN = 10               # around the box, window units
STATUS_INTERVAL = 0.2     # seconds between changes of the status line: faster cannot be read

# symbol: (name, action in words, method of Window)
KEYS = {
    key.SPACE: ("Space", "pause, go on", "toggle_pause"),
    key.RIGHT: ("Right", "pause, then one event at a time", "step"),
    key.UP: ("Up", "faster", "faster"),
    key.DOWN: ("Down", "slower", "slower"),
    key.HOME: ("Home", "begin again", "restart"),
    key.H: ("H", "these keys", "toggle_help"),
    key.ESCAPE: ("Esc", "quit", "close"),
}


class Window(pyglet.window.Window):
    """A window on a system. Every key is also a method; `playback` holds the system and its pace."""

    def __init__(self, playback: Playback, title: str, **options) -> None:
        super().__init__(caption=title, resizable=True, **options)
        self.set_minimum_size(320, 240)
        self.playback = playback
        self.help_shown = False
        self._scene = Scene(LIGHT)
        self._status = StatusLine(LIGHT)
        self._keys = KeysPanel([(name, action) for name, action, _ in KEYS.values()], LIGHT)
        self._status_age = 0.0
        self._refresh_status()
        pyglet.clock.schedule_interval(self._tick, 1 / FRAMES_PER_SECOND)

    # what the keys do

    def toggle_pause(self) -> None:
        self.playback.toggle()

    def step(self) -> None:
        self.playback.step()

    def faster(self) -> None:
        self.playback.faster()

    def slower(self) -> None:
        self.playback.slower()

    def restart(self) -> None:
        self.playback.restart()

    def toggle_help(self) -> None:
        self.help_shown = not self.help_shown

    def close(self) -> None:
        pyglet.clock.unschedule(self._tick)
        super().close()

    # what pyglet calls

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        if symbol in KEYS:
            getattr(self, KEYS[symbol][2])()
            self._refresh_status()

    def on_close(self) -> None:
        self.close()

    def on_draw(self) -> None:
        frame = self.playback.frame
        self._scene.draw(frame, self.view_of(frame), line=2 * self._pixels_per_unit())
        self._status.draw()
        if self.help_shown:
            self._keys.draw(self)

    def view_of(self, frame) -> View:
        """Where the box lies, in framebuffer pixels: above the status line."""
        unit = self._pixels_per_unit()
        margin = MARGIN * unit
        return View.fit((frame.width, frame.height), self.get_framebuffer_size(),
                        (margin, max(margin, STATUS_HEIGHT * unit), margin, margin))

    def _tick(self, dt: float) -> None:
        self.playback.tick(dt)
        self._status_age += dt
        if self._status_age >= STATUS_INTERVAL:
            self._refresh_status()
        self.draw(dt)

    def _refresh_status(self) -> None:
        self._status_age = 0.0
        self._status.say(self.playback.status())

    def _pixels_per_unit(self) -> float:
        """Framebuffer pixels per window unit: 2 on many high-resolution screens."""
        return self.get_framebuffer_size()[0] / self.get_size()[0]


def run(system, speed=None, hz=None, fullscreen=False, *, until=None, paused=False, title=None, prepare=None):
    """`hdsim.viewer.show`, once a display is known to be there."""
    playback = Playback(system, speed, hz, until, paused, prepare)
    title = title or f"hdsim: {len(system):,} discs"
    size = {} if fullscreen else window_size(playback.frame.width / playback.frame.height)
    try:
        window = open_window(Window, playback=playback, title=title, fullscreen=fullscreen, **size)
        try:
            pyglet.app.run(None)      # no redraws of its own: each tick draws once
        finally:
            window.close()
    finally:
        playback.close()
    return playback.system


def window_size(aspect: float) -> dict[str, int]:
    """A size that suits a box of this width over height, and four fifths of the screen at most."""
    screen = pyglet.display.get_display().get_default_screen()
    widest, highest = min(1200, 0.8 * screen.width), min(850, 0.8 * screen.height)
    height = min(highest, widest / aspect)
    return {"width": round(max(640, height * aspect)), "height": round(max(240, height)) + STATUS_HEIGHT}
