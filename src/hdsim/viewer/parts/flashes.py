"""Flashes: a ring around each disc that has just had a contact, which fades."""
from __future__ import annotations

from time import perf_counter

import numpy as np

from ..draw.coloring import counts
from ..draw.frame import Frame
from ..draw.pen import Pen
from ..draw.view import View
from ..draw.visible import least_radius
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage

LASTS = 0.35            # seconds for which a ring is seen
STEPS = 6               # of its opacity
WIDTH, AWAY = 2.0, 3.0  # of the ring and its greatest distance from the disc, window units
MOST = 4000             # rings at a time: of more, which would hide the discs, the latest


class Flashes(Part):
    """Shows contacts. It compares the numbers of contacts of all discs, so that the run is as it is without it."""

    COMMANDS = (Command("E", "contacts flash up", "toggle", "physics"),)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.shown = False
        self._seen: Frame | None = None
        self._counts = np.empty(0, np.int64)
        self._since = np.empty(0)           # of each disc: the time of its latest contact on the clock of the wall

    def toggle(self) -> None:
        """Show contacts, or do not."""
        self.shown = not self.shown
        self._forget()
        self.stage.refresh()

    def system_changed(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._seen, self._counts, self._since = None, np.empty(0, np.int64), np.empty(0)

    def ticked(self, dt: float) -> None:
        """Draw on while a ring fades, although nothing moves."""
        if self.shown and len(self._since) and perf_counter() - float(self._since.max()) < LASTS + dt:
            self.stage.refresh()

    def draw_scene(self, pen: Pen, view: View) -> None:
        if not self.shown:
            return
        frame, now = self.stage.playback.frame, perf_counter()
        if frame is not self._seen:
            self._follow(frame, now)
        ages = now - self._since
        fresh = np.flatnonzero(ages < LASTS)
        if len(fresh) > MOST:
            fresh = fresh[np.argpartition(ages[fresh], MOST)[:MOST]]
        share = ages[fresh] / LASTS
        radii = np.maximum(frame.radii[fresh] * view.scale, least_radius(frame, view, pen.unit)) + AWAY * pen.unit * share
        centres = frame.positions[fresh] * view.scale + np.array(view.origin)
        step = (share * STEPS).astype(int)
        for k in range(STEPS):
            if (chosen := step == k).any():
                pen.rings(centres[chosen], radii[chosen], self.stage.theme.accent, WIDTH * pen.unit, 1.0 - k / STEPS)

    def _follow(self, frame: Frame, now: float) -> None:
        """Note which discs have had contacts since the picture before; none if time has gone back."""
        numbers = counts(self.stage.playback.system)
        if len(numbers) != len(self._counts) or self._seen is None or frame.time < self._seen.time:
            self._since = np.full(len(numbers), -np.inf)
        else:
            self._since[numbers > self._counts] = now
        self._seen, self._counts = frame, numbers
