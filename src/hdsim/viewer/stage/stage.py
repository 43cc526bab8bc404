"""Stage: the shared state of a window: the system that is played, the look, the camera, the selected disc, the note.

All parts of a window get the stage; it imports none of them, nor OpenGL. Positions and lengths are in framebuffer pixels, which
differ from window units on some screens.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any, Protocol

from ...model.offering import without_own
from ...model.roles import Playable, require
from ..draw.area import Area
from ..draw.look import Look
from ..draw.orbit import Orbit
from ..draw.space_view import SpaceView
from ..draw.theme import THEMES, Theme
from ..draw.view import AnyView, View
from ..playback.playback import Playback
from ..playback.pace import lively_speed
from ..playback.wording import Refusal
from .camera import Camera
from .first_look import first_look
from .layout import MARGIN, Layout
from .picking import index_of, number_of

TITLE = "hdsim: "         # title of a window, before the name of the system
LARGE = 2560, 1440        # window units; beyond, such as on a 4K screen whose system magnifies nothing, letters grow
LINE = 2                  # width of the outline of the box, window units
FIRST_SCALE = 1e9         # of the view before the first layout: at this scale no disc is small
NOTED = 4.0               # seconds for which a note is shown


class Surface(Protocol):
    """The members of a window that the stage uses: sizes, full screen, and the title."""

    @property
    def fullscreen(self) -> bool: ...

    def get_size(self) -> tuple[int, int]:
        """Width and height in window units."""

    def get_framebuffer_size(self) -> tuple[int, int]:
        """Width and height in framebuffer pixels."""

    def set_fullscreen(self, fullscreen: bool) -> None: ...

    def set_caption(self, caption: str) -> None: ...


class Arrangement(Protocol):
    """The division of a window's area between the picture, the panels and the rows at the lower edge."""

    def layout(self) -> Layout:
        """The present layout."""

    def picture_area(self) -> Area:
        """The area of the picture; with several pictures, that of the first."""

    def make_room(self) -> None:
        """Adapt the window after a panel was shown or hidden."""


class Listener(Protocol):
    """An object that is notified when another system is shown. See `Part`."""

    def system_changing(self) -> None: ...

    def system_changed(self) -> None: ...


class Stage:
    """The state that the parts of a window share.

    `box_view`: the view of the box in the picture. `stale`: the next picture must be drawn although no disc has moved. `noted`,
    `noted_at`: the note in the status line, and the time at which it was set (`perf_counter`)."""

    def __init__(self, surface: Surface, playback: Playback, look: Look, name: str) -> None:
        self._surface = surface
        self.playback = playback
        self.name = name                        # name of the system that is shown
        self.camera = Camera()
        # Width and height of what stands in the upper left corner of the picture, and should not be over the box, pixels.
        self.corner: Callable[[], tuple[float, float]] = lambda: (0.0, 0.0)
        self.box_view: AnyView = View((1, 1), (0.0, 0.0), FIRST_SCALE)
        self.stale = True
        self.noted, self.noted_at = "", 0.0
        self._look = look
        self._selected: int | None = None       # the selected disc, as a number of `picking`
        self._known: object = None              # the system of the latest notification

    def connect(self, listeners: Sequence[Listener], arrangement: Arrangement) -> None:
        """Set the listeners and the arrangement, whose constructors need the stage."""
        self._listeners, self._arrangement = listeners, arrangement
        self.playback.changing = self.changing
        self.update_view()

    # the system

    def show_system(self, system: Any, name: str) -> None:
        """Show another system at its default speed, with a new history. TypeError if it lacks members that a window needs."""
        require(system, Playable)
        hz, paused = self.playback.hz, self.playback.paused
        with self.changing():       # for the parts, another system is a change of discs
            self.playback.close()
            self._look = replace(self._look, trails=(), orbit=Orbit())
            self.playback = Playback(without_own(system), lively_speed(system), hz, paused=paused)
            self.playback.changing = self.changing
            self.name, self.selected = name, None
            self._surface.set_caption(TITLE + name)
            self.camera.fit()
        self._look = replace(self._look, trails=first_look(system).trails)
        self.refresh()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A context for code that edits, adds or removes discs of the system, which fails while observers are attached."""
        self.notify()       # a delayed edit may come before the next picture, which would notify
        for listener in self._listeners:
            listener.system_changing()
        try:
            yield
        finally:
            self._known = None
            self.notify()
            self.refresh()

    def notify(self) -> None:
        """Notify the listeners if the system that is shown is not that of the latest notification."""
        if self._known is not self.playback.system:
            self._known = self.playback.system
            for listener in self._listeners:
                listener.system_changed()

    @property
    def selected(self) -> int | None:
        """Index of the selected disc in `playback.system`; None if no disc is selected, or if it is not in the system now."""
        return index_of(self.playback.system, self._selected)

    @selected.setter
    def selected(self, index: int | None) -> None:
        system = self.playback.system
        self._selected = number_of(system, index) if index is not None and 0 <= index < len(system) else None

    # the look

    @property
    def look(self) -> Look:
        """The look of the picture; assign another one to change it. ValueError if it names a disc that does not exist."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        look.check(len(self.playback.system))
        self._look = look
        self.refresh()

    @property
    def theme(self) -> Theme:
        return THEMES[self._look.theme]

    def next_theme(self) -> None:
        """Switch to the next theme: light, dark, projector, and light again."""
        names = list(THEMES)
        self.look = replace(self._look, theme=names[(names.index(self._look.theme) + 1) % len(names)])

    def refresh(self) -> None:
        """Draw at the next tick, also if the discs have not moved."""
        self.stale = True

    def note(self, text: str) -> None:
        """Show `text`, such as the result of a command, at the end of the status line for some seconds."""
        self.noted, self.noted_at = text, perf_counter()
        self.refresh()

    def refuse(self, text: str) -> None:
        """Say why something is not done, in the words of a user, first in the status line."""
        self.playback.refuse(Refusal(text))
        self.refresh()

    # geometry, in pixels

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window in framebuffer pixels."""
        return self._surface.get_framebuffer_size()

    @property
    def unit(self) -> float:
        """Framebuffer pixels per unit of lengths and letters: 2 on many high-resolution screens; more with a larger `scale`."""
        return self._ratio * self.scale

    @property
    def scale(self) -> float:
        """Window units per unit of lengths and letters: more for large themes and, in steps, in windows larger than LARGE."""
        grown = min(length / large for length, large in zip(self._surface.get_size(), LARGE))
        return self.theme.size * max(math.floor(4 * grown) / 4, 1.0)

    @property
    def _ratio(self) -> float:
        return max(self.size[0], 1) / max(self._surface.get_size()[0], 1)     # the size of a minimised window may be 0

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The framebuffer pixel at (x, y) in window units."""
        return x * self._ratio, y * self._ratio

    @property
    def layout(self) -> Layout:
        """The areas of the window: picture, panels, and the rows at the lower edge."""
        return self._arrangement.layout()

    def picture_area(self) -> Area:
        """The area of the picture; with several pictures, that of the first."""
        return self._arrangement.picture_area()

    def update_view(self) -> None:
        """Compute `box_view` anew, after a motion of the camera or a change of the window's size."""
        area, margin, frame = self.picture_area(), MARGIN * self.unit, self.playback.frame
        (width, height), edge = self.size, LINE * self.unit
        left, top = self._beside_corner(area)
        margins = area.left + margin + left, area.bottom + edge, width - area.right + margin, height - area.top + margin + top
        if frame.depth:
            self.box_view = self.orbit.view(frame, (width, height), margins)
        else:
            self.box_view = self.camera.view((frame.width, frame.height), (width, height), margins)

    def _beside_corner(self, area: Area) -> tuple[float, float]:
        """How much farther from the left edge of the picture, or from its upper edge, the box is for what stands in the corner
        between them, pixels: where it is larger so. Discs are not moved if they leave the corner free."""
        wide, high = self.corner()
        if wide == 0:
            return 0.0, 0.0
        frame = self.playback.frame
        width, height = (1.0, 1.0) if frame.depth else (frame.width, frame.height)
        across, up = area.width - 2 * MARGIN * self.unit, area.height - (MARGIN + LINE) * self.unit
        scale = min(across / width, up / height)
        if not frame.depth and (across - scale * width > 2 * wide or up - scale * height > 2 * high):
            return 0.0, 0.0
        beside, below = (min((area.width - x) / width, (area.height - y) / height) for x, y in ((wide, 0.0), (0.0, high)))
        return (wide, 0.0) if beside >= below else (0.0, high)

    # where it is seen from: the camera of discs, or the orbit of spheres

    @property
    def in_space(self) -> bool:
        """Whether the box has three dimensions."""
        return bool(self.playback.frame.depth)

    @property
    def dimension(self) -> int:
        """The number of axes of the box."""
        return len(self.playback.frame.lengths)

    @property
    def orbit(self) -> Orbit:
        """Where spheres are seen from; assign another one to change it."""
        return self._look.orbit

    @orbit.setter
    def orbit(self, orbit: Orbit) -> None:
        self.look = replace(self._look, orbit=orbit)

    def fit(self) -> None:
        """Show the whole box."""
        self.camera.fit()
        self.orbit = self.orbit.fitted()

    def zoom_at(self, factor: float, px: float, py: float) -> None:
        """Zoom by a factor; what is at the pixel (px, py) stays there."""
        if isinstance(self.box_view, SpaceView):
            self.orbit = self.orbit.zoomed(factor, px, py, self.box_view)
        else:
            self.camera.zoom_at(factor, px, py, self.box_view)

    def pan(self, dx: float, dy: float) -> None:
        """Move what is seen by (dx, dy) pixels."""
        if isinstance(self.box_view, SpaceView):
            self.orbit = self.orbit.panned(dx, dy, self.box_view)
        else:
            self.camera.pan(dx, dy, self.box_view)

    def make_room(self) -> None:
        """Adapt window and view after a panel was shown or hidden."""
        self._arrangement.make_room()
        self.refresh()

    def toggle_fullscreen(self) -> None:
        """Switch between full screen and a window."""
        self._surface.set_fullscreen(not self._surface.fullscreen)
        self.refresh()
