"""Trails: the part of a window that draws the paths of chosen discs."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from .commands import Command
from .frame import Frame
from .part import Part
from .paths import Tracker
from .pen import Pen
from .view import View

WIDTH = 2.0             # window units


class Trails(Part):
    """The paths of the discs that `window.look.trails` names."""

    COMMANDS = (Command("L", "trail of the selected disc, or none of any", "toggle", "physics"),)

    def __init__(self, window) -> None:
        super().__init__(window)
        self._tracker = Tracker()
        self._followed: Frame | None = None
        self._ids: np.ndarray | None = None

    def toggle(self) -> None:
        """A trail for the selected disc, or no longer; without a selected disc, none for anybody."""
        selected, trails = self.window.selected, self.window.look.trails
        if selected is None:
            trails = ()
        elif selected in trails:
            trails = tuple(i for i in trails if i != selected)
        else:
            trails = (*trails, selected)
        self.window.look = replace(self.window.look, trails=trails)

    def draw_scene(self, pen: Pen, view: View) -> None:
        system, frame, trails = self.window.playback.system, self.window.playback.frame, self.window.look.trails
        if trails != tuple(self._tracker.paths):
            self._begin(system)
        if frame is not self._followed:
            self._followed = frame
            self._tracker.follow(system)
        palette = self.window.theme.palette
        for k, path in enumerate(self._tracker.paths.values()):
            ends, strength = path.drawn()
            ends = ends * view.scale + np.array(view.origin * 2)
            pen.lines(ends, palette[k % len(palette)], WIDTH * pen.unit, alpha=np.sqrt(strength))

    def system_changing(self) -> None:
        self._tracker.follow(self.window.playback.system)
        self._tracker.end(self.window.playback.system)

    def system_changed(self) -> None:
        """Trails stay with their discs, whatever their indices are now."""
        system, look = self.window.playback.system, self.window.look
        now = self._indices_now(system)
        self._tracker.paths = {now[i]: path for i, path in self._tracker.paths.items() if i in now}
        self.window.look = replace(look, trails=tuple(now[i] for i in look.trails if i in now))
        self._begin(system)

    def _indices_now(self, system) -> dict[int, int]:
        """By the index that it had: of each disc with a trail that is still there."""
        ids, trails = getattr(system, "ids", None), self.window.look.trails
        if ids is None or self._ids is None:
            return {i: i for i in trails if i < len(system)}
        found = {i: np.flatnonzero(ids == self._ids[i]).tolist() for i in trails if i < len(self._ids)}
        return {i: places[0] for i, places in found.items() if places}

    def _begin(self, system) -> None:
        self._tracker.begin(system, self.window.look.trails)
        self._ids, self._followed = getattr(system, "ids", None), None

    def close(self) -> None:
        self._tracker.end(self.window.playback.system)
