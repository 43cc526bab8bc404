"""Looks: colours the discs of a window and draws arrows, and has the keys for both."""
from __future__ import annotations

from dataclasses import replace

from ...language import tr
from ...model.machine import has_threads
from ..draw.area import Area
from ..draw.frame import Frame
from ..draw.legend import Legend, draw_legend
from ..draw.look import COLORS
from ..draw.pen import Pen
from ..draw.styling import Styling
from ..draw.view import AnyView
from ..draw.visible import enlarges
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.part import Panel, Part
from ..stage.stage import Stage


class Looks(Part):
    """Colours, arrows and legend, according to `stage.look`."""

    COMMANDS = (
        Command("C", "colours: next", "turn_colors", "physics", values=(+1,)),
        Command("Shift+C", "colours: the one before", "turn_colors", "physics", values=(-1,)),
        Command("V", "velocities as arrows", "toggle_arrows", "physics"),
    )

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._styling: Styling | None = None

    def turn_colors(self, steps: int) -> None:
        """The one that is so many after the present one in COLORS; after the last comes the first."""
        at = COLORS.index(self.stage.look.colors) + steps
        self.stage.look = replace(self.stage.look, colors=COLORS[at % len(COLORS)])

    def toggle_arrows(self) -> None:
        """Show or hide arrows for the velocities."""
        self.stage.look = replace(self.stage.look, arrows=not self.stage.look.arrows)

    def painted(self, frame: Frame) -> Frame:
        """`frame` in the colours of the look."""
        playback, look = self.stage.playback, self.stage.look
        if self._styling is None or (self._styling.look.colors, self._styling.look.arrows) != (look.colors, look.arrows):
            self.close()
            self._styling = Styling(playback.system, look, self.stage.refresh if has_threads() else None)
        self._styling.look = look
        return self._styling.painted(frame, hurry=playback.paused)

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if self._styling is not None:
            self._styling.draw(pen, view, self.stage.playback.frame, self.stage.picture_area(), self.stage.selected)

    def explained(self) -> Legend:
        """What must be explained of the picture."""
        enlarged = enlarges(self.stage.playback.frame, self.stage.box_view, self.stage.unit)
        return Legend() if self._styling is None else self._styling.explained(enlarged)

    def system_changed(self) -> None:
        self.close()

    def close(self) -> None:
        if self._styling is not None:
            self._styling.close()
            self._styling = None


class LegendPanel(Panel):
    """The meaning of colours and arrows, while there are any."""

    CLOSES = False

    def __init__(self, stage: Stage, looks: Looks) -> None:
        super().__init__(stage)
        self._looks = looks

    @property
    def name(self) -> str:      # type: ignore[override]
        return tr("legend")

    @property
    def shown(self) -> bool:
        return bool(self._looks.explained())

    @shown.setter
    def shown(self, shown: bool) -> None:
        """It depends on the look alone."""

    def wish(self) -> Wish:
        height = self._looks.explained().height
        return Wish(250, height, 170, height, titled=False, minor=True)

    def draw(self, pen: Pen, area: Area) -> None:
        draw_legend(pen, self.stage.theme, area, self._looks.explained())
