"""The window: it owns the picture, its parts and the panels, and hands them keys, mouse and time. Importing it needs a display;
see `context`. What happens to the simulation is in `playback`, how things look in `layers`, `pen` and the parts."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

import pyglet

from ..language import tr
from .camera import Camera
from .capture import Capture
from .commands import MODIFIERS, Command, symbols
from .context import open_window
from .eye import Eye
from .frame import Frame
from .gpu import release
from .grid_overlay import GridOverlay
from .hand import Hand
from .hud import STATUS_HEIGHT, Help, StatusLine
from .inspector import Inspector
from .layers import Scene
from .library import Library
from .look import Look
from .looks import Looks
from .part import Area, Panel, Part
from .pen import Pen
from .picking import index_of, number_of
from .playback import FRAMES_PER_SECOND, Playback
from .plots import Plots
from .queue_panel import QueuePanel
from .theme import THEMES, Theme
from .timeline import HEIGHT as TIMELINE_HEIGHT
from .timeline import Timeline
from .trails import Trails
from .view import View

TITLE = "hdsim: "
MARGIN = 10               # around the box, window units
SMALLEST = 320, 240       # window units, of the window
LINE = 2                  # width of the outline of the box, window units
PANEL_SHARE = 0.5         # of the window that panels may take
SCREEN_SHARE = 0.95       # of the screen's width that a window with panels may take
SHARE, EXTRA_MAX = 0.5, 0.05      # of the time that a slow picture takes, for the engine; seconds at most
TITLE_HEIGHT = 24         # of a panel, window units
HEEDED = sum(MODIFIERS.values())      # Caps Lock and the like do not matter


class Window(pyglet.window.Window):
    """A window on a system. Every key is also a method, of the window or of one of its parts; `playback` holds the system and
    its pace. Places and lengths given to parts are framebuffer pixels, not window units: on some screens these differ."""

    COMMANDS = (
        Command("Space", "pause, go on", "toggle_pause", "time"),
        Command("Right", "pause, then one event at a time", "step", "time"),
        Command("Up", "faster", "faster", "time"),
        Command("Down", "slower", "slower", "time"),
        Command("Home", "begin again", "restart", "time"),
        Command("T", "another theme", "next_theme", "view"),
        Command("Esc", "quit", "close", "file"),
    )

    def __init__(self, playback: Playback, title: str, look: Look, **options) -> None:
        super().__init__(caption=title, resizable=True, file_drops=True, **options)
        self.set_minimum_size(*SMALLEST)
        self.playback = playback
        self.camera = Camera()
        self.name = title.removeprefix(TITLE)   # of what is shown
        self._selected: int | None = None       # a number of `picking`
        self._look = look
        self._scene = Scene(self.theme)
        self._pen = Pen()
        self.parts = self._furnish()
        self._actions = {symbol: getattr(owner, command.method) for owner in self._owners()
                         for command in owner.COMMANDS for symbol in symbols(command.keys)}
        self._status_age = 0.0
        self._widened = 0       # by how many window units panels have made the window wider
        self._drawn: object = None      # the frame in the picture
        self._met: object = None        # the system that the parts know
        self._stale = True
        self.box_view = self.find_box()
        playback.changing = self.changing
        self._refresh_status()
        pyglet.clock.schedule_interval(self._tick, 1 / FRAMES_PER_SECOND)

    def _furnish(self) -> list[Part]:
        """Make the parts. In the order of drawing; the mouse asks the last one first."""
        self.trails = Trails(self)
        self.looks = Looks(self)
        self.plots = Plots(self)
        self.eye = Eye(self)
        self.hand = Hand(self)
        self.inspector = Inspector(self)
        self.timeline = Timeline(self)
        self.status = StatusLine(self)
        self.library = Library(self)
        self.capture = Capture(self)
        self.help = Help(self)
        self.queue = QueuePanel(self)
        self.grid = GridOverlay(self, self.queue.algorithm)
        return [self.trails, self.looks, self.grid, self.eye, self.hand, self.inspector, self.queue, self.plots,
                self.timeline, self.status, self.library, self.capture, self.help]

    @property
    def commands(self) -> list[Command]:
        """All commands, of the window and of its parts."""
        return [command for owner in self._owners() for command in owner.COMMANDS]

    def _owners(self) -> list[Window | Part]:
        return [self, *self.parts]

    @property
    def selected(self) -> int | None:
        """Index of the selected disc in `playback.system`; None if there is none, or if it is not there now."""
        return index_of(self.playback.system, self._selected)

    @selected.setter
    def selected(self, index: int | None) -> None:
        system = self.playback.system
        self._selected = number_of(system, index) if index is not None and 0 <= index < len(system) else None

    def show_system(self, system, name: str) -> None:
        """Show another system, at the pace that suits it, with a history of its own."""
        hz, paused = self.playback.hz, self.playback.paused
        with self.changing():       # as far as the parts are concerned
            self.playback.close()
            self.look = replace(self.look, trails=())
            self.playback = Playback(system, hz=hz, paused=paused)
            self.playback.changing = self.changing
            self.name, self.selected = name, None
            self.set_caption(TITLE + name)
            self.camera.fit()

    @staticmethod
    def suitable_size(frame: Frame) -> dict[str, int]:
        """For a box of this shape, on this screen."""
        return window_size(frame.width / frame.height)

    # what the keys do

    def toggle_pause(self) -> None:
        """Pause, or go on."""
        self.playback.toggle()

    def step(self) -> None:
        """Pause, and execute one event."""
        self.playback.pause()
        self.queue.look()       # at what is there before, to show what the event changes
        self.playback.step()

    def faster(self) -> None:
        """The next higher speed."""
        self.playback.faster()

    def slower(self) -> None:
        """The next lower speed."""
        self.playback.slower()

    def restart(self) -> None:
        """Begin again."""
        self.playback.restart()

    def next_theme(self) -> None:
        """Light, dark, projector, and light again."""
        names = list(THEMES)
        self.look = replace(self.look, theme=names[(names.index(self.look.theme) + 1) % len(names)])

    def close(self) -> None:
        """Close the window."""
        pyglet.clock.unschedule(self._tick)
        for part in self.parts:
            part.close()
        release(self, self._scene, self._pen)
        super().close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Around whatever edits, adds or removes discs of the system that is shown, and fails while they are observed."""
        self._meet()        # an edit that waited for a replay comes before the next picture
        for part in self.parts:
            part.system_changing()
        try:
            yield
        finally:
            self._met = None
            self._meet()
            self.refresh()

    def _meet(self) -> None:
        """Tell the parts if another system is shown than the one they know."""
        if self._met is not self.playback.system:
            self._met = self.playback.system
            for part in self.parts:
                part.system_changed()

    # drawing

    @property
    def unit(self) -> float:
        """Framebuffer pixels per window unit: 2 on many high-resolution screens; more for large themes."""
        return self._ratio * self.theme.size

    @property
    def _ratio(self) -> float:
        return max(self.get_framebuffer_size()[0], 1) / max(self.get_size()[0], 1)     # minimised, it may be 0

    @property
    def look(self) -> Look:
        """How the picture looks; set another one to change it."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        look.check(len(self.playback.system))
        self._look = look
        self._scene.theme = self.theme
        self.refresh()

    @property
    def theme(self) -> Theme:
        return THEMES[self._look.theme]

    def refresh(self) -> None:
        """Draw at the next tick, also if the discs have not moved."""
        self._stale = True

    def on_draw(self) -> None:
        self._meet()
        frame = self.playback.frame
        self.box_view = self.find_box()
        pen, picture = self._pen, self.picture_area()
        pen.begin(self.get_framebuffer_size(), self.unit)
        self._scene.draw(self.looks.painted(frame), self.box_view, line=LINE * self.unit)
        for part in self.parts:
            part.draw_scene(pen, self.box_view)
        pen.flush(clip=picture)
        for panel, area in self._panel_areas():
            self._draw_panel(panel, area)
        for part in self.parts:
            part.draw_over(pen)
            pen.flush()         # each of its own: text lies above all shapes

    def _draw_panel(self, panel: Panel, area: Area) -> None:
        pen, theme, padding = self._pen, self.theme, 10 * self.unit
        title = TITLE_HEIGHT * self.unit
        pen.box(*area, theme.panel)
        pen.line(area.left, area.bottom, area.left, area.top, theme.faint, self.unit, alpha=0.4)
        pen.line(area.left, area.top, area.right, area.top, theme.faint, self.unit, alpha=0.4)
        pen.write(panel.title, area.left + padding, area.top - 0.7 * title, theme.text, 10.0, bold=True)
        panel.area = Area(area.left + padding, area.bottom + padding, area.right - padding, area.top - title)
        panel.draw(pen, panel.area)
        pen.flush(clip=area)

    # where things are, in pixels

    def picture_area(self) -> Area:
        """What panels, timeline and status line leave to the picture."""
        width, height = self.get_framebuffer_size()
        return Area(0, (STATUS_HEIGHT + TIMELINE_HEIGHT) * self.unit, width - self._panels_width(), height)

    def _shown_panels(self) -> list[Panel]:
        return [part for part in self.parts if isinstance(part, Panel) and part.shown]

    def _panels_width(self) -> float:
        wishes = [panel.WIDTH * self.unit for panel in self._shown_panels()]
        return round(min(max(wishes), PANEL_SHARE * self.get_framebuffer_size()[0])) if wishes else 0

    def _panel_areas(self) -> list[tuple[Panel, Area]]:
        """The panels that are shown, from top to bottom at the right."""
        panels, picture = self._shown_panels(), self.picture_area()
        right, top = self.get_framebuffer_size()[0], picture.top
        total = sum(panel.WEIGHT for panel in panels)
        areas = []
        for panel in panels:
            bottom = top - picture.height * panel.WEIGHT / total
            areas.append((panel, Area(picture.right, bottom, right, top)))
            top = bottom
        return areas

    def make_room(self) -> None:
        """Let the window be as much wider as the panels are that are shown, as far as the screen allows."""
        wishes = [panel.WIDTH * self.theme.size for panel in self._shown_panels()]
        room = max(int(SCREEN_SHARE * self.screen.width) - self.width + self._widened, 0)
        widened = min(round(max(wishes, default=0)), room)
        if widened != self._widened and not self.fullscreen and not self.capture.filming:
            self.set_size(max(self.width + widened - self._widened, SMALLEST[0]), self.height)
            self._widened = widened
        self.refresh()

    def find_box(self) -> View:
        """Where the box lies in the picture."""
        width, height = self.get_framebuffer_size()
        area, margin, frame = self.picture_area(), MARGIN * self.unit, self.playback.frame
        return self.camera.view((frame.width, frame.height), (width, height),
                                (area.left + margin, area.bottom + LINE * self.unit, width - area.right + margin,
                                 height - area.top + margin))

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The framebuffer pixel at (x, y) in window units."""
        return x * self._ratio, y * self._ratio

    # what pyglet calls

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        modifiers &= HEEDED
        # On some keyboards + and others need Shift.
        action = self._actions.get((symbol, modifiers)) or self._actions.get((symbol, modifiers & ~MODIFIERS["Shift"]))
        if action is not None:
            action()
            self._refresh_status()
            self.refresh()

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._ask("mouse_pressed", *self.pixel(x, y), button, modifiers & HEEDED)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, button: int, modifiers: int) -> None:
        self._ask("mouse_dragged", *self.pixel(x, y), *self.pixel(dx, dy), button, modifiers & HEEDED)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._ask("mouse_released", *self.pixel(x, y), button, modifiers & HEEDED)
        self._refresh_status()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self._ask("mouse_moved", *self.pixel(x, y))

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self._ask("mouse_scrolled", *self.pixel(x, y), scroll_y)

    def _ask(self, method: str, *arguments) -> None:
        """Hand the mouse to the parts, the topmost first, until it was meant for one."""
        for part in reversed(self.parts):
            if getattr(part, method)(*arguments):
                self.refresh()
                return

    def on_resize(self, width: int, height: int) -> None:
        self.refresh()

    def on_expose(self) -> None:
        self.refresh()

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        self.library.drop(paths)

    def on_close(self) -> None:
        self.close()

    def _tick(self, dt: float) -> None:
        self.playback.tick(dt)
        self._status_age += dt
        if self._status_age >= StatusLine.INTERVAL:
            self._refresh_status()
        self._meet()
        if self._stale or self.playback.frame is not self._drawn:
            self._stale = False
            self._drawn = self.playback.frame
            began = perf_counter()
            self.draw(dt)
            # Where a picture takes long, the engine may have half as long again: frames come hardly later, and much more happens.
            taken = perf_counter() - began
            self.playback.extra = min(SHARE * taken, EXTRA_MAX) if taken > 1 / FRAMES_PER_SECOND else 0.0

    def _refresh_status(self) -> None:
        self._status_age = 0.0
        self.status.say(self.playback.status())


def run(system, speed=None, hz=None, fullscreen=False, *, until=None, paused=False, title=None, prepare=None, look, kind=Window):
    """`hdsim.viewer.show`, once a display is known to be there. kind: of window."""
    playback = Playback(system, speed, hz, until, paused, prepare)
    title = title or TITLE + tr("{n:,} discs", n=len(system))
    size = {} if fullscreen else kind.suitable_size(playback.frame)
    try:
        window = open_window(kind, playback=playback, title=title, look=look, fullscreen=fullscreen, **size)
        try:
            pyglet.app.run(None)      # no redraws of its own: each tick draws what is new
        finally:
            playback = window.playback
            window.close()
    finally:
        playback.close()
    return playback.system


def window_size(aspect: float) -> dict[str, int]:
    """A size that suits a box of this width over height, and four fifths of the screen at most."""
    screen = pyglet.display.get_display().get_default_screen()
    widest, highest = min(1200, 0.8 * screen.width), min(850, 0.8 * screen.height)
    height = min(highest, widest / aspect)
    return {"width": round(max(640, height * aspect)), "height": round(max(240, height)) + STATUS_HEIGHT + TIMELINE_HEIGHT}
