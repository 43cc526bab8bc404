"""Finds obstacles by a position in the box, all images included."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...model.box import Box
from ...model.clearance import bounds_of
from ...model.gates import Gate, gates_among
from ...model.obstacles import Obstacle
from ...model.outlines import Finder, shifts_of
from ...model.placed import placed, states_of
from ..draw.frame import Frame


class Found(NamedTuple):
    """An obstacle at a place: its number in their list, the name of the feature there, and the shift of the image."""

    number: int
    feature: str
    shift: tuple[float, float]


def readable_gates(obstacles: Sequence[Obstacle]) -> dict[str | None, Gate]:
    """The gates whose ledgers can be read, by the names under which `ledger` knows them: those with names of their own, or the
    only one, whose name is not needed."""
    gates = gates_among(obstacles)
    if len(gates) == 1:
        return {None: gates[0]}
    names = [gate.name for gate in gates]
    return {gate.name: gate for gate in gates if gate.name and names.count(gate.name) == 1}


class ObstacleFinder:
    """Finds obstacles in frames; what it needs is computed once for the obstacles of a system."""

    def __init__(self) -> None:
        self._known: tuple[Obstacle, ...] = ()              # the obstacles of the arrays below
        self._key: tuple[object, ...] = ()                  # their box, and where they are
        self._placed: list[Obstacle] = []                   # the obstacles there
        self._bounds = np.empty((0, 4))                     # left, bottom, right and top of each image ...
        self._images: list[tuple[int, float, float]] = []   # ... its obstacle, and where it is
        self._finders: dict[int, Finder] = {}               # by index, made when they are needed

    def at(self, frame: Frame, x: float, y: float, slack: float) -> Found | None:
        """The obstacle of which a line is within `slack` of a place, the nearest one."""
        key = frame.width, frame.height, frame.periodic, states_of(frame.obstacles, frame.time)
        if self._known is not frame.obstacles or self._key != key:
            self._key = key
            self._read(frame)
        left, bottom, right, top = self._bounds.T
        near = np.flatnonzero((x >= left - slack) & (x <= right + slack) & (y >= bottom - slack) & (y <= top + slack))
        best: tuple[float, Found] | None = None
        for k in near.tolist():
            index, shift_x, shift_y = self._images[k]
            if index not in self._finders:
                self._finders[index] = Finder(self._placed[index])
            found = self._finders[index].at(x - shift_x, y - shift_y)
            if found.distance <= slack and (best is None or found.distance < best[0]):
                best = found.distance, Found(index, found.feature, (shift_x, shift_y))
        return best and best[1]

    def _read(self, frame: Frame) -> None:
        """Note where all images of the obstacles are."""
        box, bounds = Box(frame.width, frame.height, frame.periodic), []
        self._known, self._images, self._finders = frame.obstacles, [], {}
        self._placed = [placed(obstacle, frame.time) for obstacle in frame.obstacles]
        for index, obstacle in enumerate(self._placed):
            own = np.array(bounds_of(obstacle))
            for shift_x, shift_y in shifts_of(obstacle, box):
                self._images.append((index, shift_x, shift_y))
                bounds.append(own + (shift_x, shift_y, shift_x, shift_y))
        self._bounds = np.array(bounds).reshape(-1, 4)
