"""Refused: shows in the picture what is in the way of a change that was refused."""
from __future__ import annotations

from ...model.handles import polylines_of
from ...model.placed import placed
from ..draw.pen import Pen
from ..draw.view import AnyView
from ..stage.part import Part
from ..stage.picking import copies

GAP, WIDTH = 2.0, 3.5       # of the ring from the disc, and of lines, window units


class Refused(Part):
    """A ring around each disc in the way, and a line along the obstacle, as long as the status line says so."""

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        refusal, frame, theme = self.stage.playback.refusal, self.stage.playback.frame, self.stage.theme
        if refusal is None:
            return
        for disc in (disc for disc in refusal.discs if disc < len(frame)):
            places = copies(frame, frame.positions[disc], float(frame.radii[disc]))
            radii = view.reach(places, frame.radii[disc]) + GAP * pen.unit
            pen.rings(view.pixels(places), radii, theme.warning, WIDTH * pen.unit)
        if refusal.obstacle is not None and refusal.obstacle < len(frame.obstacles):
            box = self.stage.playback.system.box
            for points in polylines_of(placed(frame.obstacles[refusal.obstacle], frame.time), box):
                pen.polyline(view.pixels(points), theme.warning, WIDTH * pen.unit)
