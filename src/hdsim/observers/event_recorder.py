"""`EventRecorder`: a list of the executed contacts."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..model.box import WALLS
from .observer import Observer, Settings, _count
from .text_tables import _text



def _records(dimension: int) -> np.dtype[np.void]:
    """The type of a record: time, i, j, the components of the normal, and impulse."""
    return np.dtype([("time", "f8"), ("i", "i4"), ("j", "i4"), *((f"n{axis}", "f8") for axis in "xyz"[:dimension]),
                     ("impulse", "f8")])


class EventRecorder(Observer):
    """A record of every executed contact, written by the compiled core.

    maximum: number of contacts to keep, the first ones; `missed` counts the others. walls: record contacts with walls and
    obstacles too.
    species: (n,) integers; a contact is recorded unless all its discs have a negative one.
    value: (m,) structured array of time, i, j (-4, -3, -2, -1 for the left, right, bottom and top wall, -5 - k for obstacle k;
    in three dimensions -6 to -1, back and front last), nx, ny (unit normal from i), in three dimensions nz, impulse
    (mass * length / time).
    """

    kind = "records"
    mobile_only = False

    def __init__(self, maximum: int = 1_000_000, walls: bool = True, species: Any = None) -> None:
        super().__init__(species, maximum=_count("maximum", maximum, 0, 2**53), walls=bool(walls))

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, with_walls=self._options["walls"], most=self._options["maximum"])

    @property
    def value(self) -> np.ndarray:
        """(m,) the recorded contacts in the order of execution, a structured array."""
        rows = self._read().record
        table = np.empty(len(rows), dtype=_records(self._scene.dimension))
        for name, column in zip(table.dtype.names or (), rows.T):
            table[name] = column
        return table

    @property
    def missed(self) -> int:
        """The number of contacts that were not recorded because the maximum had been reached."""
        return self._read().missed

    @property
    def error(self) -> None:
        """None: a list of contacts has no error."""
        return None

    @property
    def head(self) -> tuple[str, ...]:      # type: ignore[override]
        return _records(self._scene.dimension).names or ()

    def rows(self) -> Iterable[Sequence[Any]]:
        sides = 2 * self._scene.dimension
        return ((_text(t), str(i), str(j) if j >= 0 else WALLS[j + sides] if j >= -sides else f"obstacle {-1 - sides - j}", *rest)
                for t, i, j, *rest in self.value.tolist())

    def _draw(self, ax: Any) -> None:
        table = self.value
        for name, kind in (("disc-disc", table["j"] >= 0), ("wall", table["j"] < 0)):
            ax.plot(table["time"][kind], table["impulse"][kind], ".", ms=2, label=name)
        ax.set(xlabel="time", ylabel="impulse")
        ax.legend()
