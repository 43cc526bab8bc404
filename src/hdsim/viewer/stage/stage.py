"""Stage: what a window shows, and how: the system that is played, the look, the camera, the selected disc, what is noted.

All parts of a window get it, and it knows none of them, nor any OpenGL. Places and lengths are framebuffer pixels, not window
units: on some screens these differ.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any, Protocol

from ...model.roles import Playable, require
from ..draw.area import Area
from ..draw.look import Look
from ..draw.theme import THEMES, Theme
from ..draw.view import View
from ..playback.playback import Playback
from .camera import Camera
from .picking import index_of, number_of

TITLE = "hdsim: "         # of a window, before the name of what is shown
MARGIN = 10               # around the box, window units
LINE = 2                  # width of the outline of the box, window units
STATUS_HEIGHT = 26        # of the status line at the lower edge of the window, window units at size 1 ...
TIMELINE_HEIGHT = 18      # ... and of the timeline above it


class Surface(Protocol):
    """What the stage asks of a window: sizes, full screen, and the title."""

    @property
    def fullscreen(self) -> bool: ...

    def get_size(self) -> tuple[int, int]:
        """In window units."""

    def get_framebuffer_size(self) -> tuple[int, int]:
        """In pixels."""

    def set_fullscreen(self, fullscreen: bool) -> None: ...

    def set_caption(self, caption: str) -> None: ...


class Arrangement(Protocol):
    """How a window shares its area between the picture and what stands beside it."""

    def picture_area(self) -> Area:
        """What is left to the picture; of several pictures, the first."""

    def make_room(self) -> None:
        """Other panels are shown than before."""


class Listener(Protocol):
    """Something that has to know when another system is shown. See `Part`."""

    def system_changing(self) -> None: ...

    def system_changed(self) -> None: ...


class Stage:
    """The state that the parts of a window share. `box_view` says where the box lies in the picture; `stale`, that the next
    picture has to be drawn although no disc has moved; `noted` and `noted_at`, what the status line is to show for a while, and
    since when (`perf_counter`)."""

    box_view: View

    def __init__(self, surface: Surface, playback: Playback, look: Look, name: str) -> None:
        self._surface = surface
        self.playback = playback
        self.name = name                        # of what is shown
        self.camera = Camera()
        self.stale = True
        self.noted, self.noted_at = "", 0.0
        self._look = look
        self._selected: int | None = None       # a number of `picking`
        self._known: object = None              # the system that the listeners know

    def connect(self, listeners: Sequence[Listener], arrangement: Arrangement) -> None:
        """Set what is made after the stage, because it needs the stage: the parts, and where the picture stands."""
        self._listeners, self._arrangement = listeners, arrangement
        self.playback.changing = self.changing
        self.update_view()

    # the system

    def show_system(self, system: Any, name: str) -> None:
        """Show another system, at the pace that suits it, with a history of its own. TypeError if it cannot be shown."""
        require(system, Playable)
        hz, paused = self.playback.hz, self.playback.paused
        with self.changing():       # as far as the parts are concerned
            self.playback.close()
            self.look = replace(self.look, trails=())
            self.playback = Playback(system, hz=hz, paused=paused)
            self.playback.changing = self.changing
            self.name, self.selected = name, None
            self._surface.set_caption(TITLE + name)
            self.camera.fit()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Around whatever edits, adds or removes discs of the system that is shown, and fails while they are observed."""
        self.notify()       # an edit that waited for a replay comes before the next picture
        for listener in self._listeners:
            listener.system_changing()
        try:
            yield
        finally:
            self._known = None
            self.notify()
            self.refresh()

    def notify(self) -> None:
        """Notify the listeners if another system is shown than the one they know."""
        if self._known is not self.playback.system:
            self._known = self.playback.system
            for listener in self._listeners:
                listener.system_changed()

    @property
    def selected(self) -> int | None:
        """Index of the selected disc in `playback.system`; None if there is none, or if it is not there now."""
        return index_of(self.playback.system, self._selected)

    @selected.setter
    def selected(self, index: int | None) -> None:
        system = self.playback.system
        self._selected = number_of(system, index) if index is not None and 0 <= index < len(system) else None

    # how it looks

    @property
    def look(self) -> Look:
        """How the picture looks; set another one to change it. ValueError if that names a disc that is not there."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        look.check(len(self.playback.system))
        self._look = look
        self.refresh()

    @property
    def theme(self) -> Theme:
        return THEMES[self._look.theme]

    def refresh(self) -> None:
        """Draw at the next tick, also if the discs have not moved."""
        self.stale = True

    def note(self, text: str) -> None:
        """Show `text` at the end of the status line for a while: what has just happened, or why it has not."""
        self.noted, self.noted_at = text, perf_counter()
        self.refresh()

    # where it is, in pixels

    @property
    def size(self) -> tuple[int, int]:
        """Of the window."""
        return self._surface.get_framebuffer_size()

    @property
    def unit(self) -> float:
        """Framebuffer pixels per window unit: 2 on many high-resolution screens; more for large themes."""
        return self._ratio * self.theme.size

    @property
    def _ratio(self) -> float:
        return max(self.size[0], 1) / max(self._surface.get_size()[0], 1)     # minimised, it may be 0

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The framebuffer pixel at (x, y) in window units."""
        return x * self._ratio, y * self._ratio

    def picture_area(self) -> Area:
        """What panels, timeline and status line leave to the picture."""
        return self._arrangement.picture_area()

    def update_view(self) -> None:
        """Find where the box lies in the picture: the camera has moved, or the window has another size."""
        area, margin, frame = self.picture_area(), MARGIN * self.unit, self.playback.frame
        (width, height), edge = self.size, LINE * self.unit
        margins = area.left + margin, area.bottom + edge, width - area.right + margin, height - area.top + margin
        self.box_view = self.camera.view((frame.width, frame.height), (width, height), margins)

    def make_room(self) -> None:
        """A panel has been shown or hidden."""
        self._arrangement.make_room()
        self.refresh()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or leave it again."""
        self._surface.set_fullscreen(not self._surface.fullscreen)
        self.refresh()
