"""Part: something that a window shows or does beside its discs. A window has a list of them; each is whole in its own file."""
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .commands import Command
    from .pen import Pen
    from .view import View
    from .window import Window


class Area(NamedTuple):
    """A rectangle in framebuffer pixels."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x < self.right and self.bottom <= y < self.top


class Part:
    """Everything does nothing here: a part overrides what it needs.

    `window` gives `playback` (with `system` and `frame`), `theme`, `box_view`, `unit`, `selected`, and `refresh()` for when
    something has changed that the next frame would not show.
    """

    COMMANDS: tuple[Command, ...] = ()

    def __init__(self, window: Window) -> None:
        self.window = window

    def draw_scene(self, pen: Pen, view: View) -> None:
        """Draw over the discs; cut off at the edges of the picture."""

    def draw_over(self, pen: Pen) -> None:
        """Draw over the picture and the panels."""

    def system_changing(self) -> None:
        """The discs of the present system are about to be edited, added to or removed: what observes it must let go."""

    def system_changed(self) -> None:
        """Another system is shown, or the discs of the present one are others."""

    # the mouse, at pixel (x, y); True if it was meant for this part, and nobody else is asked

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return False

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        return False

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        return False

    def mouse_moved(self, x: float, y: float) -> bool:
        return False

    def mouse_scrolled(self, x: float, y: float, clicks: float) -> bool:
        return False

    def close(self) -> None:
        """The window is closing."""


class Panel(Part):
    """A part with an area of its own beside the picture, while it is shown."""

    WIDTH = 320         # that it would like, window units at size 1
    WEIGHT = 1.0        # of its height among the panels that are shown
    title = ""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.shown = False
        self.area = Area(0, 0, 0, 0)        # set by the window before each drawing

    def toggle(self) -> None:
        """Show or hide the panel."""
        self.shown = not self.shown
        self.window.make_room()

    def draw(self, pen: Pen, area: Area) -> None:
        """Draw within `area`; background and title are there already."""
