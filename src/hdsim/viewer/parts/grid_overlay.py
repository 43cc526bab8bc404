"""The grid over the picture: the cells and the discs that are looked at to plan one disc, on every level of cells.

A disc is listed in its cell until it leaves a window twice as wide, so some stand up to half a cell outside their own.
"""
from __future__ import annotations

import numpy as np

from ...language import tr
from ...model.roles import ShowsCells, offers
from ..draw.frame import images
from ..draw.pen import Pen
from ..draw.view import View
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage
from .algorithm import Algorithm

NARROWEST = 5           # units between two lines of the grid: closer ones are left out


class GridOverlay(Part):
    """Key W: for the selected disc, or for the first one of the next contact."""

    COMMANDS = (Command("W", "cells and discs looked at for a disc", "toggle", "algorithm"),)

    def __init__(self, stage: Stage, algorithm: Algorithm) -> None:
        super().__init__(stage)
        self.shown = False
        self._algorithm = algorithm

    def toggle(self) -> None:
        """Show or hide the grid."""
        self.shown = not self.shown
        self.stage.refresh()

    def disc(self) -> int | None:
        """Whose cells are shown."""
        playback, selected = self.stage.playback, self.stage.selected
        if selected is not None and selected < len(playback.frame):
            return selected
        look = self._algorithm.look()
        return look.contacts[0].particles[0] if look is not None and look.contacts else None

    def draw_scene(self, pen: Pen, view: View) -> None:
        system = self.stage.playback.system
        i = self.disc() if self.shown and offers(system, ShowsCells) else None
        if i is None:
            return
        theme, frame = self.stage.theme, self.stage.playback.frame
        cells, candidates = system.near(i)
        pixels = np.tile(view.origin, 2) + view.scale * cells
        for left, bottom, right, top in sizes(cells):
            self._lines(pen, view, right - left, top - bottom)
        pen.boxes(pixels, theme.accent, 0.07)
        pen.boxes(pixels, theme.accent, 0.9, 0.0, 1.5 * pen.unit)
        self._rings(pen, view, candidates, 1.25 * pen.unit)
        self._rings(pen, view, np.array([i]), 3 * pen.unit)
        self._say(pen, tr("disc {i} looks at {cells:,} cell: {near:,} of {all:,} others" if len(cells) == 1 else
                          "disc {i} looks at {cells:,} cells: {near:,} of {all:,} others",
                          i=i, cells=len(cells), near=len(candidates), all=len(frame) - 1))

    def _lines(self, pen: Pen, view: View, side_x: float, side_y: float) -> None:
        """All cells of a level, where they are not too small to be told apart."""
        frame, theme = self.stage.playback.frame, self.stage.theme
        if min(side_x, side_y) * view.scale < NARROWEST * pen.unit:
            return
        x = np.linspace(0, frame.width, round(frame.width / side_x) + 1)
        y = np.linspace(0, frame.height, round(frame.height / side_y) + 1)
        ends = np.vstack([np.column_stack([x, 0 * x, x, 0 * x + frame.height]),
                          np.column_stack([0 * y, y, 0 * y + frame.width, y])])
        pen.lines(np.tile(view.origin, 2) + view.scale * ends, theme.faint, pen.unit, 0.35)

    def _rings(self, pen: Pen, view: View, discs: np.ndarray, width: float) -> None:
        """Round these discs, and round their images across periodic edges."""
        frame = self.stage.playback.frame
        across, which = images(frame, discs)
        centres, radii = np.vstack([frame.positions[discs], across]), frame.radii[np.append(discs, which)]
        pen.rings(np.array(view.origin) + view.scale * centres, np.maximum(view.scale * radii, pen.unit) + width,
                  self.stage.theme.accent, width)

    def _say(self, pen: Pen, text: str) -> None:
        """In the upper left corner of the picture; the legend of colours has the lower one."""
        theme, unit, area = self.stage.theme, pen.unit, self.stage.picture_area()
        left, base = area.left + 12 * unit, area.top - 20 * unit
        pen.box(left - 6 * unit, base - 6 * unit, left + pen.text_width(text, 10.0, bold=True) + 6 * unit, base + 14 * unit,
                theme.panel, 0.85, corner=4 * unit)
        pen.write(text, left, base, theme.accent, 10.0, bold=True)


def sizes(cells: np.ndarray) -> np.ndarray:
    """One cell of each size among these, the largest first."""
    _, first = np.unique(np.round(cells[:, 2:] - cells[:, :2], 12), axis=0, return_index=True)
    return cells[first[::-1]]
