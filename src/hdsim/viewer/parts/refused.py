"""Refused: shows in the picture what is in the way of a change that was refused."""
from __future__ import annotations

import numpy as np

from ...model.handles import polylines_of
from ...model.placed import placed
from ..draw.pen import Pen
from ..draw.view import View
from ..stage.part import Part
from ..stage.picking import copies

GAP, WIDTH = 2.0, 3.5       # of the ring from the disc, and of lines, window units


class Refused(Part):
    """A ring around each disc in the way, and a line along the obstacle, as long as the status line says so."""

    def draw_scene(self, pen: Pen, view: View) -> None:
        refusal, frame, theme = self.stage.playback.refusal, self.stage.playback.frame, self.stage.theme
        if refusal is None:
            return
        for disc in (disc for disc in refusal.discs if disc < len(frame)):
            (x, y), radius = frame.positions[disc].tolist(), float(frame.radii[disc])
            centres = np.array([view.to_pixel(*place) for place in copies(frame, x, y, radius)])
            pen.rings(centres, radius * view.scale + GAP * pen.unit, theme.warning, WIDTH * pen.unit)
        if refusal.obstacle is not None and refusal.obstacle < len(frame.obstacles):
            box = self.stage.playback.system.box
            for points in polylines_of(placed(frame.obstacles[refusal.obstacle], frame.time), box):
                pen.polyline(points * view.scale + np.array(view.origin), theme.warning, WIDTH * pen.unit)
