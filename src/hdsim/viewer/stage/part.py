"""Part: the base class of everything that a window shows or does besides drawing discs. Each part is one file."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ..draw.area import Area
from ..draw.theme import Color
from ..draw.view import AnyView
from .layout import Wish
from .stage import Stage

if TYPE_CHECKING:       # these import pyglet, which some parts do not need
    from ..draw.pen import Pen
    from .commands import Command

Words = list[tuple[str, Color]]     # a line of words, each in its colour


class Part:
    """A part of a window. All methods here do nothing; a part overrides those that it needs.

    The constructor gets the stage and the other parts that the part uses."""

    COMMANDS: tuple[Command, ...] = ()      # each calls a method of the part

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        """Draw over the discs; cut off at the edges of the picture."""

    def captions(self) -> list[Words]:
        """Lines above the picture that say what is drawn over the discs."""
        return []

    def draw_over(self, pen: Pen) -> None:
        """Draw over the picture and the panels."""

    def system_changing(self) -> None:
        """The discs of the present system are about to be edited, added or removed: the part must detach its observers."""

    def system_changed(self) -> None:
        """Another system is shown, or discs of the present one were edited, added or removed."""

    def ticking(self) -> None:
        """The system is about to run on for a tick."""

    def ticked(self, dt: float) -> None:
        """The system has run on for a tick of `dt` seconds of wall clock; the picture comes next."""

    def acted(self) -> None:
        """A command has been executed, or a mouse button has been released."""

    def dropped(self, paths: list[str]) -> None:
        """Files have been dropped on the window."""

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        """A key has been pressed; a part that returns True has handled it, and no command is executed."""
        return False

    # the mouse, at pixel (x, y); a part that returns True has handled it, and no other part gets it

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

    def mouse_twisted(self, x: float, y: float, angle: float) -> bool:
        """Two fingers have turned what is between them, by an angle in radians, counterclockwise."""
        return False

    def close(self) -> None:
        """The window is closing."""


class Panel(Part):
    """A part that has an area beside or below the picture while it is shown."""

    WISH = Wish(320, 300, 240, 160, stretch=1.0)
    NEEDS = ""          # what the system must offer, see `Command`; without that it is not shown
    CLOSES = True       # whether its title has a button that hides it
    title = ""          # in the language in use; "": no title
    name = ""           # what its tab is called; "": the title

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown = False
        self.area = Area(0, 0, 0, 0)        # without the title, set before each drawing; empty behind another tab

    def toggle(self) -> None:
        """Show or hide the panel."""
        self.shown = not self.shown
        self.stage.make_room()

    def wish(self) -> Wish:
        """The room that it needs now."""
        return self.WISH

    def draw(self, pen: Pen, area: Area) -> None:
        """Draw within `area`, whose background and title have been drawn."""
