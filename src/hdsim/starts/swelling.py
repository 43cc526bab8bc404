"""Discs that swell among obstacles: they grow by steps, and move and collide between them. Knows the engine, no random numbers.

The engine lets discs grow while they fly only where there are no obstacles. Here all discs grow at once, by less than they have
room for on average, so that few overlap a neighbour or an obstacle. These part while the discs move: overlapping discs that
approach collide at once, and others pass freely. When nothing overlaps any more, the next step follows.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .. import _core
from ..model.box import TOLERANCE, Box
from ..model.clearance import Discs, lets_discs_through
from ..model.errors import JammedError
from ..model.features import feature_table
from ..model.gates import has_doorway
from ..model.obstacles import Obstacle, Segment, pieces_of
from ..model.piston import Piston

SHARE = 0.25            # of the free flight between two contacts by which diameters grow in a step, at most ...
STEP_MAX = 0.02         # ... and of the diameter
RELAXED = 64            # contacts of each disc after which a step was too long, if some discs still overlap
NO_ROOM = 1e-7          # growth of the diameter by steps that are shorter than this counts as none: the discs are jammed


class Swelling:
    """Discs that grow to their final radii among obstacles. They stop, jammed, where no step is short enough.

    positions, velocities: (n, 2) at the start. radii: (n,), final. size: initial factor of the radii. rate: at which the mean
    diameter grows, in units of the speed of the discs, at most. obstacles: no disc may overlap one, whatever its species and
    times. In length units and time units. `done`: whether the discs have their final radii."""

    def __init__(self, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, size: float, rate: float, box: Box,
                 obstacles: Iterable[Obstacle]) -> None:
        self.positions, self.velocities, self.radii, self.size = positions, velocities, radii, size
        self.rate, self.box, self.done = rate, box, False
        self.obstacles = tuple(_solid(obstacle, box) for obstacle in obstacles)
        self._table = feature_table(self.obstacles)
        self._species = np.zeros(len(radii), dtype=np.intc)
        self._step = STEP_MAX
        self._speed = float(np.sqrt((velocities * velocities).sum() / max(2 * len(radii), 1)))    # of one component

    def advance(self) -> bool:
        """Make one step, as long as there is room for. False if the discs are jammed."""
        while self._step > NO_ROOM:
            size = min(self.size * (1.0 + self._step), 1.0)
            flight = self._parted(size)
            if flight is not None:
                self.size, self.done = size, size == 1.0
                self._step = min(2.0 * self._step, SHARE * flight, STEP_MAX)
                return True
            self._step *= 0.5
        return False

    def _parted(self, size: float) -> float | None:
        """Let the discs move at this size, at least as long as the rate says, and until none overlap; then keep where they are,
        and return how far one flies between two contacts, in mean diameters. None if they do not part."""
        n, radii = len(self.radii), size * self.radii
        engine = _core.Engine(n, self.box.lengths, self.box.periodic, True, True, True, True, True,
                              *_core.choose_cells(radii, self.box.lengths), 0.0)
        engine.set_obstacles(self._table, None, self._species)       # as they stand at time 0
        engine.load(self.positions, self.velocities, radii, np.ones(n))
        diameter = 2.0 * float(radii.mean())
        piece = self._step * diameter / (self.rate * self._speed)
        positions, until = np.empty((n, 2)), 0.0
        try:
            while True:
                until += piece
                engine.set_until(until)
                engine.run(0, RELAXED * n)
                engine.positions_at(positions)
                if engine.time >= until and not self._overlaps(positions, radii):
                    break
                if engine.events >= RELAXED * n:
                    return None
                piece *= 2.0
        except JammedError:
            return None
        self.positions = positions
        engine.velocities(self.velocities)
        return until * self._speed * n / (max(2 * engine.events, 1) * diameter)

    def _overlaps(self, positions: np.ndarray, radii: np.ndarray) -> bool:
        """Whether a disc overlaps another one or an obstacle by more than rounding."""
        if _core.count_overlaps(positions, radii, self.box.lengths, self.box.periodic, TOLERANCE):
            return True
        discs = Discs(positions, radii, self.box)
        return any(len(discs.overlapping(obstacle)) for obstacle in self.obstacles)


def _solid(obstacle: Obstacle, box: Box) -> Obstacle:
    """The obstacle as it is for all discs and at all times, at rest where it is at time 0; one that discs pass from behind, a
    gate or a piston, from no side."""
    if has_doorway(obstacle):
        return Segment(*pieces_of(obstacle).chain[0][:2])
    if isinstance(obstacle, Piston):
        at, across = obstacle.place, box.lengths[1 - obstacle.axis]
        return Segment((at, 0.0), (at, across)) if obstacle.axis == 0 else Segment((0.0, at), (across, at))
    always: Any = replace(obstacle, species=None, from_time=-np.inf, until=np.inf, velocity=(0.0, 0.0), motion=(), period=None)
    return replace(always, side="both") if lets_discs_through(obstacle) else always
