"""Looks: colours the discs of a window and draws arrows, and has the keys for both."""
from __future__ import annotations

from dataclasses import replace

from ..draw.frame import Frame
from ..draw.look import COLORS
from ..draw.pen import Pen
from ..draw.styling import Styling
from ..draw.view import View
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage


class Looks(Part):
    """Colours, arrows and legend, according to `stage.look`."""

    COMMANDS = (
        Command("C", "colours: next", "next_colors", "physics"),
        Command("Shift+C", "colours: the one before", "previous_colors", "physics"),
        Command("V", "velocities as arrows", "toggle_arrows", "physics"),
    )

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._styling: Styling | None = None

    def next_colors(self) -> None:
        """File, speed, collisions, energy, order, and file again."""
        self._turn(1)

    def previous_colors(self) -> None:
        """Order, energy, collisions, speed, file, and order again."""
        self._turn(-1)

    def _turn(self, steps: int) -> None:
        at = COLORS.index(self.stage.look.colors) + steps
        self.stage.look = replace(self.stage.look, colors=COLORS[at % len(COLORS)])

    def toggle_arrows(self) -> None:
        """Show or hide arrows for the velocities."""
        self.stage.look = replace(self.stage.look, arrows=not self.stage.look.arrows)

    def painted(self, frame: Frame) -> Frame:
        """`frame` in the colours of the look."""
        playback, look = self.stage.playback, self.stage.look
        if self._styling is None or (self._styling.look.colors, self._styling.look.arrows) != (look.colors, look.arrows):
            self._close_styling()
            self._styling = Styling(playback.system, look, self.stage.refresh)
        self._styling.look = look
        return self._styling.painted(frame, hurry=playback.paused)

    def draw_scene(self, pen: Pen, view: View) -> None:
        if self._styling is not None:
            self._styling.draw(pen, view, self.stage.playback.frame, self.stage.picture_area(), self.stage.selected)

    def system_changed(self) -> None:
        self._close_styling()

    def close(self) -> None:
        self._close_styling()

    def _close_styling(self) -> None:
        if self._styling is not None:
            self._styling.close()
            self._styling = None
