"""Flashes: rings around discs that have just had a contact, and light on gates that a disc has just passed. They fade."""
from __future__ import annotations

import math
from time import perf_counter

import numpy as np

from ...model.box import Box
from ...model.gates import Gate
from ...model.handles import handles_of
from ...model.outlines import shifts_of
from ...model.roles import KeepsLedgers, offers
from ..draw.coloring import counts
from ..draw.frame import Frame
from ..draw.motion import FRONT
from ..draw.pen import Pen
from ..draw.space_view import SpaceView
from ..draw.view import AnyView
from ..draw.visible import least_radius
from ..stage.commands import Command
from ..stage.obstacle_picking import readable_gates
from ..stage.part import Part
from ..stage.stage import Stage

LASTS = 0.35            # seconds for which a ring is seen
STEPS = 6               # of its opacity
WIDTH, AWAY = 2.0, 3.0  # of the ring and its greatest distance from the disc, window units
DISCS_MOST, EVERY = 20_000, 0.05        # of a system whose ledgers are read; seconds between two readings
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
        self.system_changed()
        self.stage.refresh()

    def system_changed(self) -> None:
        self._seen, self._counts, self._since = None, np.empty(0, np.int64), np.empty(0)

    def ticked(self, dt: float) -> None:
        """Draw on while a ring fades, although nothing moves."""
        if self.shown and len(self._since) and perf_counter() - float(self._since.max()) < LASTS + dt:
            self.stage.refresh()

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if not self.shown:
            return
        frame, now = self.stage.playback.frame, perf_counter()
        if frame is not self._seen:
            self._follow(frame, now)
        ages = now - self._since
        fresh = np.flatnonzero(ages < LASTS)
        if isinstance(view, SpaceView):         # of spheres that others hide, nothing is seen
            bodies = view.bodies(frame.positions, frame.radii)
            fresh = np.intersect1d(fresh, bodies.in_front(FRONT, view.nearness), assume_unique=True)
        if len(fresh) > MOST:
            fresh = fresh[np.argpartition(ages[fresh], MOST)[:MOST]]
        share = ages[fresh] / LASTS
        places = frame.positions[fresh]
        radii = np.maximum(view.reach(places, frame.radii[fresh]), least_radius(frame, view, pen.unit)) + AWAY * pen.unit * share
        centres = view.pixels(places)
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


class GateFlashes(Part):
    """Lights up a gate when a disc has passed it, which its ledger tells."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._read_at = -math.inf
        self._passes: dict[Gate, int] = {}
        self._lit: dict[Gate, float] = {}       # since when, on the clock of the wall

    def ticked(self, dt: float) -> None:
        """Read the ledgers, which takes a time proportional to the number of discs, at intervals."""
        now, system, gates = perf_counter(), self.stage.playback.system, readable_gates(self.stage.playback.frame.obstacles)
        if not gates or len(system) > DISCS_MOST or not offers(system, KeepsLedgers) or self.stage.playback.paused:
            return
        if now - self._read_at >= EVERY:
            self._read_at = now
            counted = {gate: sum(system.ledger(name).passes) for name, gate in gates.items()}
            for gate, passes in counted.items():
                if passes > self._passes.get(gate, passes):
                    self._lit[gate] = now
            self._passes = counted
        self._lit = {gate: since for gate, since in self._lit.items() if now - since < LASTS}
        if self._lit:
            self.stage.refresh()

    def system_changed(self) -> None:
        """What is lit goes on as long as it is there."""
        gates = readable_gates(self.stage.playback.frame.obstacles).values()
        self._lit = {gate: since for gate, since in self._lit.items() if gate in gates}

    @property
    def lit(self) -> tuple[Gate, ...]:
        """The gates that are lit now."""
        return tuple(self._lit)

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if not self._lit:
            return
        frame = self.stage.playback.frame
        box = Box(frame.width, frame.height, frame.periodic)
        for gate, since in self._lit.items():
            share = min((perf_counter() - since) / LASTS, 1.0)
            for shift in shifts_of(gate, box):
                (x0, y0), (x1, y1) = view.pixels(np.array(handles_of(gate)) + shift).tolist()
                pen.line(x0, y0, x1, y1, self.stage.theme.accent, 8 * pen.unit, 0.8 * (1 - share))
