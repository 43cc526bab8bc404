"""Part: something that a window shows or does beside its discs. A window has a list of them; each is whole in its own file."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ..draw.area import Area
from ..draw.view import View
from .stage import Stage

if TYPE_CHECKING:       # these load pyglet, and some parts can be read without
    from ..draw.pen import Pen
    from .commands import Command


class Part:
    """Every method does nothing here: a part overrides what it needs. A part gets the stage and, where it needs any, other parts
    by its constructor."""

    COMMANDS: tuple[Command, ...] = ()      # each calls a method of the part

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def draw_scene(self, pen: Pen, view: View) -> None:
        """Draw over the discs; cut off at the edges of the picture."""

    def draw_over(self, pen: Pen) -> None:
        """Draw over the picture and the panels."""

    def system_changing(self) -> None:
        """The discs of the present system are about to be edited, added to or removed: what observes it must let go."""

    def system_changed(self) -> None:
        """Another system is shown, or the discs of the present one are others."""

    def ticking(self) -> None:
        """The system is about to run on for a tick."""

    def ticked(self, dt: float) -> None:
        """The system has run on for a tick of `dt` seconds of wall clock; the picture comes next."""

    def acted(self) -> None:
        """A key has done what it does, or a button of the mouse has been released."""

    def dropped(self, paths: list[str]) -> None:
        """Files have been dropped on the window."""

    # the mouse, at pixel (x, y); True if it was meant for this part, and no other part is asked

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

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown = False
        self.area = Area(0, 0, 0, 0)        # set before each drawing

    def toggle(self) -> None:
        """Show or hide the panel."""
        self.shown = not self.shown
        self.stage.make_room()

    def draw(self, pen: Pen, area: Area) -> None:
        """Draw within `area`; background and title are there already."""
