"""The curve of key O: where the centre of the selected disc turns. It makes the prediction visible: the centre, which is a point,
flies straight until it meets this curve."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ...language import tr
from ...model.offering import lacking
from ..draw.offset_features import Inks, OffsetLines
from ..draw.view import AnyView, View
from ..stage.commands import Command
from ..stage.part import Part, Words
from ..stage.picking import felt_by
from ..stage.stage import Stage

if TYPE_CHECKING:
    from ..draw.pen import Pen

WIDTH = 2.0                             # of the curve, window units
FACES, ARCS, CAPS = 1, 2, 4             # colours of the palette


class OffsetCurve(Part):
    """The boundary of all places that are nearer than the radius of the selected disc to a wall, or to an obstacle that is there
    and acts on this disc."""

    COMMANDS = (Command("O", "where the centre of a disc turns", "toggle", "algorithm", "box"),)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown = False
        self._lines = OffsetLines()

    def toggle(self) -> None:
        """Show or hide the curve; without a selected disc, say that one is needed."""
        self.shown = not self.shown
        if self.shown and self.stage.selected is None:
            self.stage.refuse(tr("the curve is that of a selected disc: click one, or press Tab"))
        self.stage.refresh()

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        selected, frame, system = self.stage.selected, self.stage.playback.frame, self.stage.playback.system
        if not isinstance(view, View) or not self.shown or selected is None or selected >= len(frame) or lacking(system, "box"):
            return
        self._lines.draw(pen, frame, felt_by(system, frame, selected), float(system.radii[selected]), view,
                         self._inks(), WIDTH * pen.unit)

    def _inks(self) -> Inks:
        """The colours of the curve at faces, arcs, caps and walls."""
        theme = self.stage.theme
        return Inks(theme.palette[FACES], theme.palette[ARCS], theme.palette[CAPS], theme.faint)

    def captions(self) -> list[Words]:
        """What the curve and its colours are."""
        selected = self.stage.selected
        if not self.shown or selected is None or lacking(self.stage.playback.system, "box"):
            return []
        names = tr("faces"), tr("arcs"), tr("ends and vertices"), tr("walls of the box")
        words = list(zip(names, self._inks()))
        if not self.stage.playback.frame.obstacles:
            words = words[3:]
        return [[(tr("the centre of disc {i} turns at", i=selected), self.stage.theme.text), *words]]
