"""The grid over the picture: the cells and discs that are searched to predict the contact of one disc, on all levels of cells.

A disc stays listed in its cell until it leaves a window twice as wide, so it may be up to half a cell outside of its cell.
"""
from __future__ import annotations

import numpy as np

from ...language import tr
from ...model.roles import ShowsCells, offers
from ..draw.frame import images
from ..draw.pen import Pen
from ..draw.space_view import CORNERS, SpaceView
from ..draw.view import AnyView, View
from ..stage.commands import Command
from ..stage.part import Part, Words
from ..stage.stage import Stage
from ..reading.algorithm import Algorithm
from ..draw.wire import EDGES

NARROWEST = 5           # window units; grid lines closer than this are not drawn


class GridOverlay(Part):
    """The grid of key W, for the selected disc or, without one, for the first disc of the next contact."""

    COMMANDS = (Command("W", "cells and discs looked at for a disc", "toggle", "algorithm", "cells"),)

    def __init__(self, stage: Stage, algorithm: Algorithm) -> None:
        super().__init__(stage)
        self.shown = False
        self._algorithm = algorithm

    def toggle(self) -> None:
        """Show or hide the grid."""
        self.shown = not self.shown
        self.stage.refresh()

    def disc(self) -> int | None:
        """The index of the disc whose cells are shown; None if there is none."""
        playback, selected = self.stage.playback, self.stage.selected
        if selected is not None and selected < len(playback.frame):
            return selected
        look = self._algorithm.look()
        return look.contacts[0].particles[0] if look is not None and look.contacts else None

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        system = self.stage.playback.system
        i = self.disc() if self.shown and offers(system, ShowsCells) else None
        if i is None:
            return
        theme = self.stage.theme
        cells, candidates = system.near(i)
        if isinstance(view, SpaceView):
            pen.lines(view.pixels(edges_of(cells).reshape(-1, 3)).reshape(-1, 4), theme.accent, 1.5 * pen.unit, 0.8)
            self._rings(pen, view, candidates, 1.25 * pen.unit)
            self._rings(pen, view, np.array([i]), 3 * pen.unit)
            return
        pixels = np.tile(view.origin, 2) + view.scale * cells
        for left, bottom, right, top in sizes(cells):
            self._lines(pen, view, right - left, top - bottom)
        pen.boxes(pixels, theme.accent, 0.07)
        pen.boxes(pixels, theme.accent, 0.9, 0.0, 1.5 * pen.unit)
        self._rings(pen, view, candidates, 1.25 * pen.unit)
        self._rings(pen, view, np.array([i]), 3 * pen.unit)

    def captions(self) -> list[Words]:
        """How many cells and discs are searched."""
        system = self.stage.playback.system
        i = self.disc() if self.shown and offers(system, ShowsCells) else None
        if i is None:
            return []
        cells, candidates = system.near(i)
        text = tr("disc {i} looks at {cells:,} cell(s): {near:,} of {all:,} others", of=self.stage.dimension, i=i,
                  cells=len(cells), near=len(candidates), all=len(system) - 1)
        return [[(text, self.stage.theme.accent)]]

    def _lines(self, pen: Pen, view: View, side_x: float, side_y: float) -> None:
        """Draw the lines between all cells of a level, unless they are closer than NARROWEST."""
        frame, theme = self.stage.playback.frame, self.stage.theme
        if min(side_x, side_y) * view.scale < NARROWEST * pen.unit:
            return
        x = np.linspace(0, frame.width, round(frame.width / side_x) + 1)
        y = np.linspace(0, frame.height, round(frame.height / side_y) + 1)
        ends = np.vstack([np.column_stack([x, 0 * x, x, 0 * x + frame.height]),
                          np.column_stack([0 * y, y, 0 * y + frame.width, y])])
        pen.lines(np.tile(view.origin, 2) + view.scale * ends, theme.faint, pen.unit, 0.35)

    def _rings(self, pen: Pen, view: AnyView, discs: np.ndarray, width: float) -> None:
        """Draw rings around these discs and their images across periodic edges."""
        frame = self.stage.playback.frame
        across, which = images(frame, discs)
        centres, radii = np.vstack([frame.positions[discs], across]), frame.radii[np.append(discs, which)]
        pen.rings(view.pixels(centres), np.maximum(view.reach(centres, radii), pen.unit) + width, self.stage.theme.accent, width)


def edges_of(cells: np.ndarray) -> np.ndarray:
    """(m, 2, 3): the edges of cells of three dimensions, (k, 6), each once."""
    corners = cells[:, None, :3] + CORNERS * (cells[:, None, 3:] - cells[:, None, :3])
    return np.unique(np.round(corners[:, EDGES].reshape(-1, 6), 12), axis=0).reshape(-1, 2, 3)


def sizes(cells: np.ndarray) -> np.ndarray:
    """The different sizes of cells, one cell of each, the largest first."""
    _, first = np.unique(np.round(cells[:, 2:] - cells[:, :2], 12), axis=0, return_index=True)
    return cells[first[::-1]]
