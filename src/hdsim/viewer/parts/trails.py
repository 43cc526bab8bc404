"""Trails: draws the paths of chosen discs."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...model.colors import speeds
from ..draw.frame import Frame
from ..draw.hiding import hidden
from ..draw.pen import Pen
from ..draw.space_view import Bodies, SpaceView
from ..draw.view import AnyView
from ..draw.visible import least_radius
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.picking import ids_of
from ..stage.stage import Stage
from ..reading.paths import Tracker

WIDTH = 2.0             # window units
STEP = 4.0              # window units: length of the pieces that spheres hide or do not
PIECES = 20_000         # at most, of one path


class Trails(Part):
    """The paths of the discs whose indices are in `stage.look.trails`."""

    COMMANDS = (Command("L", "trail of a disc, or none of any", "toggle", "physics"),)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._tracker = Tracker()
        self._followed: Frame | None = None
        self._ids: np.ndarray | None = None

    def toggle(self) -> None:
        """Add or remove the trail of the selected disc. Without a selected disc, remove all trails, or if there are none, add
        that of the fastest disc."""
        selected, trails = self.stage.selected, self.stage.look.trails
        if selected is None and not trails:
            fast = speeds(self.stage.playback.system)
            trails = (int(np.argmax(fast)),) if len(fast) else ()
        elif selected is None:
            trails = ()
        elif selected in trails:
            trails = tuple(i for i in trails if i != selected)
        else:
            trails = (*trails, selected)
        self.stage.look = replace(self.stage.look, trails=trails)

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        system, frame, trails = self.stage.playback.system, self.stage.playback.frame, self.stage.look.trails
        if trails != tuple(self._tracker.paths):
            self._begin(system)
        if frame is not self._followed:
            self._followed = frame
            self._tracker.follow(system)
        palette, bodies = self.stage.theme.palette, None
        if isinstance(view, SpaceView) and self._tracker.paths:
            bodies = view.bodies(frame.positions, frame.radii, least_radius(frame, view, pen.unit))
        for k, path in enumerate(self._tracker.paths.values()):
            ends, strength = path.drawn()
            if isinstance(view, SpaceView) and bodies is not None:
                ends, strength = _in_sight(view, bodies, ends, strength, STEP * pen.unit)
            pixels = view.pixels(ends.reshape(-1, ends.shape[2])).reshape(-1, 4)
            pen.lines(pixels, palette[k % len(palette)], WIDTH * pen.unit, alpha=np.sqrt(strength))

    def system_changing(self) -> None:
        self._tracker.follow(self.stage.playback.system)
        self._tracker.end(self.stage.playback.system)

    def system_changed(self) -> None:
        """Keep the trails of discs whose indices have changed."""
        system, look = self.stage.playback.system, self.stage.look
        now = self._indices_now(system)
        self._tracker.paths = {now[i]: path for i, path in self._tracker.paths.items() if i in now}
        self.stage.look = replace(look, trails=tuple(now[i] for i in look.trails if i in now))
        self._begin(system)

    def _indices_now(self, system) -> dict[int, int]:
        """Old index -> new index of each disc with a trail that is still in the system."""
        ids, trails = ids_of(system), self.stage.look.trails
        if ids is None or self._ids is None:
            return {i: i for i in trails if i < len(system)}
        found = {i: np.flatnonzero(ids == self._ids[i]).tolist() for i in trails if i < len(self._ids)}
        return {i: places[0] for i, places in found.items() if places}

    def _begin(self, system) -> None:
        self._tracker.begin(system, self.stage.look.trails)
        self._ids, self._followed = ids_of(system), None

    def close(self) -> None:
        self._tracker.end(self.stage.playback.system)


def _in_sight(view: SpaceView, bodies: Bodies, ends: np.ndarray, strength: np.ndarray, step: float
              ) -> tuple[np.ndarray, np.ndarray]:
    """The parts of pieces, (k, 2, 3), whose middles no sphere hides, and their opacities, (k,). step: of parts, pixels."""
    pixels = view.pixels(ends.reshape(-1, 3)).reshape(-1, 2, 2)
    counts = np.clip(np.ceil(np.linalg.norm(pixels[:, 1] - pixels[:, 0], axis=1) / step), 1, 1000).astype(int)
    if counts.sum() > PIECES:
        counts[:] = np.maximum(counts * PIECES // counts.sum(), 1)
    which = np.repeat(np.arange(len(ends)), counts)
    at = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    shares = np.stack([at / counts[which], (at + 1) / counts[which]], axis=1)[:, :, None]
    parts = ends[which, :1] + shares * (ends[which, 1:] - ends[which, :1])
    seen = ~hidden(view, bodies, parts.mean(axis=1))
    # Neighbouring parts of one piece are one line, because lines that are partly transparent would show where they overlap.
    goes_on = seen[1:] & seen[:-1] & (which[1:] == which[:-1])
    begins, stops = seen & ~np.append(False, goes_on), seen & ~np.append(goes_on, False)
    return np.stack([parts[begins, 0], parts[stops, 1]], axis=1), strength[which][begins]
