"""`Flow`: counts of the discs that cross a line."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..model.numbers import shown
from .observer import Observer, Reading, Settings, _error


class Flow(Observer):
    """Counts of all crossings of a line x = c or y = c, in three dimensions of a plane, also z = c, by the centres of discs.

    x, y or z: the constant c, length units; exactly one of them must be given, and be in the box, or ValueError. On a periodic
    axis each image of the line counts. value: net crossings per time, positive towards larger x, y or z. theory: 0 between walls.
    species: as for `CollisionRates`.
    """

    kind = "flow"
    mobile_only = False

    def __init__(self, x: float | None = None, y: float | None = None, species: Any = None, *, z: float | None = None) -> None:
        given = [(axis, float(c)) for axis, c in enumerate((x, y, z)) if c is not None]
        if len(given) != 1:
            raise ValueError("give either x or y, or z in three dimensions: where the line is")
        super().__init__(species, axis=given[0][0], place=given[0][1])

    def _settings(self, groups: int) -> Settings:
        axis, place = self._options["axis"], self._options["place"]
        if axis >= self._scene.dimension:
            raise ValueError("the line z is in no box of two dimensions; give x or y")
        length = self._scene.lengths[axis]
        if not 0 <= place < length:
            raise ValueError(f"the line {'xyz'[axis]} = {shown(place)} is not in the box; it must be in [0, {shown(length)})")
        return Settings(self.kind, groups, low=place, axis=axis)

    @property
    def crossings(self) -> np.ndarray:
        """(2, s) int64: crossings forwards (towards larger x or y) and backwards by the discs of each species."""
        return self._read().total.reshape(2, -1).astype(np.int64)

    @property
    def net(self) -> int:
        """Crossings forwards minus crossings backwards, of all species."""
        forwards, backwards = self.crossings.sum(axis=1)
        return int(forwards - backwards)

    @property
    def gross(self) -> int:
        """Crossings in either direction, of all species."""
        return int(self.crossings.sum())

    def _series(self, reading: Reading) -> np.ndarray:
        forwards, backwards = np.moveaxis(reading.blocks.reshape(len(reading.blocks), 2, len(self.species)).sum(axis=2), 1, 0)
        return (forwards - backwards) / (reading.span or math.nan)

    @property
    def value(self) -> float:
        """Net crossings per time unit since the beginning; nan before any time has passed."""
        elapsed = self._read().elapsed
        return self.net / elapsed if elapsed > 0 else math.nan

    @property
    def error(self) -> float:
        """Standard error of the value; nan until there are enough data. Between walls net crossings are the change of a bounded
        number, that of the discs on one side."""
        return _error(self._series(self._read()), stored=not self._scene.periodic[self._set.axis])

    @property
    def theory(self) -> float | None:
        """0 between walls, None on a periodic axis."""
        return None if self._scene.periodic[self._set.axis] else 0.0

    head = ("", "forwards", "backwards", "net", "net per time", "error")

    def rows(self) -> Iterable[Sequence[Any]]:
        for name, f, b in zip(self.species, *self.crossings):
            yield name, f, b, f - b, None, None
        f, b = self.crossings.sum(axis=1)
        yield "all", f, b, f - b, self.value, self.error

    def _draw(self, ax: Any) -> None:
        self._draw_series(ax, self._series(self._read()), "net crossings per time")
