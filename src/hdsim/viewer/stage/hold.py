"""Holding a disc with the mouse while the run goes on: the disc is driven, as by an infinitely heavy hand, to where the mouse is.

Its contacts with other discs are exact: in each tick it gets infinite mass and the velocity with which it reaches the mouse at
the end of the tick. When it is let go, it has its mass again, and the velocity of the hand."""
from __future__ import annotations

import math
from collections import deque
from time import perf_counter
from typing import Any

import numpy as np

from ...model.box import lengths_of
from ..playback.playback import HELD
from .picking import index_of
from .stage import Stage

DISCS_MOST = 20_000     # with more discs, an edit takes longer than a frame
MEMORY = 0.12           # seconds over which the velocity of the hand is taken
MARGIN = 1e-9           # of the box: how far before a wall the disc is held, off which it would bounce


class Hold:
    """A disc that is held, or none."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._number: int | None = None         # the disc, as a number of `picking`
        self._mass = 1.0                        # its mass before
        self._grip = np.zeros(2)                # (d,): from the mouse to its centre, box lengths
        self.mouse = np.zeros(2)                # (d,): in the box
        self._path: deque[tuple[float, np.ndarray]] = deque()       # where the mouse was lately, and when

    @property
    def active(self) -> bool:
        """Whether a disc is held."""
        return self._number is not None

    def begin(self, number: int, place: np.ndarray) -> bool:
        """Take the disc of this number at a place of the box, (d,); False if there are too many discs."""
        system = self._stage.playback.system
        index = index_of(system, number)
        if index is None or len(system) > DISCS_MOST:
            return False
        self._number, self._mass = number, float(system.masses[index])
        self._grip = np.asarray(system.positions, float)[index] - place
        self._path.clear()
        self.move(place)
        self._stage.playback.one_by_one = True      # in a second frame of one tick it would fly on past the mouse
        return True

    def move(self, place: np.ndarray) -> None:
        """The mouse is at a place of the box."""
        self.mouse = place
        now = perf_counter()
        self._path.append((now, place))
        while len(self._path) > 2 and now - self._path[1][0] > MEMORY:
            self._path.popleft()

    def tick(self) -> None:
        """Drive the disc to the mouse within the coming tick."""
        playback = self._stage.playback
        if self._number is None or playback.paused or playback.seeking:
            return
        duration = playback.end_of_frame - playback.system.time

        def drive(system: Any) -> None:
            index = index_of(system, self._number)
            if index is None:
                self._number = None
                playback.one_by_one = False
                return
            with system.edit() as draft:
                place = self._target(system, float(draft.radii[index]))
                draft.masses[index] = math.inf
                draft.velocities[index] = self._way(system, draft.positions[index], place) / duration
        playback.change(drive, HELD)

    def end(self) -> None:
        """Let the disc go, with the velocity of the hand."""
        number, self._number = self._number, None
        self._stage.playback.one_by_one = False
        if number is None:
            return
        playback, velocity = self._stage.playback, self._velocity()

        def let_go(system: Any) -> None:
            index = index_of(system, number)
            if index is not None:
                with system.edit() as draft:
                    draft.masses[index], draft.velocities[index] = self._mass, velocity
        playback.change(let_go, HELD)

    def _target(self, system: Any, radius: float) -> np.ndarray:
        """Where the centre of the disc shall be: at the mouse, but within the walls."""
        box, place = system.box, self.mouse + self._grip
        for axis, length in enumerate(lengths_of(box)):
            if not box.periodic[axis]:
                edge = radius + MARGIN * length
                place[axis] = min(max(place[axis], edge), max(length - edge, edge))
        return place

    @staticmethod
    def _way(system: Any, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """The way from one place to another, the shorter one around a periodic box."""
        lengths, way = np.array(lengths_of(system.box)), end - start
        return np.where(system.box.periodic, way - lengths * np.rint(way / lengths), way)

    def _velocity(self) -> np.ndarray:
        """The velocity of the hand lately, in units of the system."""
        (began, first), (ended, last) = self._path[0], (perf_counter(), self.mouse)
        seconds = max(ended - began, MEMORY)
        return (last - first) / (seconds * self._stage.playback.speed)
