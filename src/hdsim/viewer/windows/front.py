"""Front: what a window is besides pixels and events: a stage, a list of parts and a painter, to which keys, mouse events and
ticks are passed on. Windows and pages have one; their parts and arrangements are defined in `single` and `comparison`."""
from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from ...model.offering import lacking
from ..draw.frame import Frame
from ..draw.look import Look
from ..draw.pen import Pen
from ..draw.theme import Theme
from ..draw.view import AnyView
from ..playback.playback import Playback
from ..stage.commands import MODIFIERS, Command, symbols
from ..stage.part import Part
from ..stage.stage import Arrangement, Stage

SMALLEST = 320, 240       # least width and height of the window, window units
SCREEN_SHARE = 0.95       # largest share of the screen's width for a window with panels or with two pictures
HEEDED = sum(MODIFIERS.values())      # other modifiers, such as Caps Lock, are ignored


class Discs(Protocol):
    """Draws box, obstacles and discs: `layers.Scene` in a window."""

    theme: Theme

    def draw(self, frame: Frame, view: AnyView, line: float = 1.0, least: float = 0.0) -> None: ...


class Painter(Arrangement, Protocol):
    """Draws the contents of a window, and defines their arrangement."""

    def paint_scene(self, pen: Pen, scene: Discs) -> None:
        """Draw the discs, and what moves with them. The pen has been set to the size of the window."""

    def paint_panels(self, pen: Pen) -> None:
        """Draw all else over that."""

    def to_first_picture(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of the first picture at the same position of the box, for a pixel of any picture."""


class Contents(NamedTuple):
    """The contents of a window. `parts` are in the order of drawing; mouse events go to the last one first."""

    stage: Stage
    parts: tuple[Part, ...]
    painter: Painter


class Staged:
    """What has a stage, and passes on what programs ask of it."""

    stage: Stage

    @property
    def playback(self) -> Playback:
        """The playback: the system that is shown, and its pace."""
        return self.stage.playback

    @property
    def look(self) -> Look:
        """The look of the picture; assign another one to change it. ValueError if it names a disc that does not exist."""
        return self.stage.look

    @look.setter
    def look(self, look: Look) -> None:
        self.stage.look = look


class Front:
    """The contents of a window, and what they do with keys, mouse events and ticks. `stage`: the state that the parts share.

    Every key calls a public method of the window or of one of its `parts`. own: the object that has the window's own commands."""

    def __init__(self, contents: Contents, own: Any) -> None:
        self.stage, self.parts, self._painter = contents
        self._owners = [own, *self.parts]
        self._actions = {symbol: (partial(getattr(owner, command.method), *command.values), command.needs)
                         for owner in self._owners for command in owner.COMMANDS for symbol in symbols(command.keys)}
        self._drawn: object = None      # the frame that was drawn last

    def connect(self) -> None:
        """Let the stage notify the parts. The window has its size now."""
        self.stage.connect(self.parts, self._painter)

    def commands(self) -> list[Command]:
        """All commands, of the window and of its parts, that can be given now."""
        system = self.stage.playback.system
        return [command for owner in self._owners for command in owner.COMMANDS if not lacking(system, command.needs)]

    # keys and mouse, with modifiers of `stage.keys`

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        """A key has been pressed; returns whether it means anything here."""
        modifiers &= HEEDED
        if any(part.key_pressed(symbol, modifiers) for part in reversed(self.parts)):
            self.stage.refresh()
            return True
        # On some keyboards + and other symbols need Shift.
        found = self._actions.get((symbol, modifiers)) or self._actions.get((symbol, modifiers & ~MODIFIERS["Shift"]))
        if found is not None:
            action, needs = found
            if reason := lacking(self.stage.playback.system, needs):
                self.stage.refuse(reason)
            else:
                action()
            self.acted()
            self.stage.refresh()
        return found is not None

    def mouse(self, method: str, x: float, y: float, *arguments: float) -> None:
        """Pass a mouse event at (x, y), in window units, to the parts, the topmost first, until one of them handles it.
        method: of a part, such as "mouse_pressed"."""
        place = self._painter.to_first_picture(*self.stage.pixel(x, y))
        for part in reversed(self.parts):
            if getattr(part, method)(*place, *arguments):
                self.stage.refresh()
                break
        if method == "mouse_released":
            self.acted()

    def acted(self) -> None:
        """Tell the parts that a command has been executed."""
        for part in self.parts:
            part.acted()

    def dropped(self, paths: Sequence[str]) -> None:
        """Files have been dropped on the window."""
        for part in self.parts:
            part.dropped(list(paths))

    # the clock and the picture

    def tick(self, dt: float) -> None:
        """Let `dt` seconds of wall clock pass."""
        for part in self.parts:
            part.ticking()
        self.stage.playback.tick(dt)
        for part in self.parts:
            part.ticked(dt)
        self.stage.notify()

    @property
    def is_stale(self) -> bool:
        """Whether there is something new to be seen since the latest picture."""
        return self.stage.stale or self.stage.playback.frame is not self._drawn

    def begin_picture(self) -> None:
        """The picture that is about to be drawn will be seen."""
        self.stage.stale, self._drawn = False, self.stage.playback.frame

    def paint(self, pen: Pen, scene: Discs) -> None:
        """Draw everything."""
        self.paint_scene(pen, scene)
        self.paint_panels(pen)

    def paint_scene(self, pen: Pen, scene: Discs) -> None:
        """Draw the discs, and what moves with them, such as trails."""
        stage = self.stage
        stage.notify()
        stage.update_view()
        pen.begin(stage.size, stage.unit, stage.theme.smallest)
        scene.theme = stage.theme
        self._painter.paint_scene(pen, scene)

    def paint_panels(self, pen: Pen) -> None:
        """Draw all else over that: panels and the rows at the lower edge."""
        self._painter.paint_panels(pen)

    def close(self) -> None:
        for part in self.parts:
            part.close()
