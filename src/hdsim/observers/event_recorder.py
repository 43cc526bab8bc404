"""`EventRecorder`: a list of the executed contacts."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import _core
from .observer import Observer, Settings, _count
from .text_tables import _text

_RECORDS = np.dtype([("time", "f8"), ("i", "i4"), ("j", "i4"), ("nx", "f8"), ("ny", "f8"), ("impulse", "f8")])


class EventRecorder(Observer):
    """A record of every executed contact, written by the compiled core.

    maximum: number of contacts to keep, the first ones; `missed` counts the others. walls: record contacts with walls and
    obstacles too.
    species: (n,) integers; a contact is recorded unless all its discs have a negative one.
    value: (m,) structured array of time, i, j (-4, -3, -2, -1 for the left, right, bottom and top wall, -5 - k for obstacle k),
    nx, ny (unit normal from i), impulse (mass * length / time).
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
        table = np.empty(len(rows), dtype=_RECORDS)
        for name, column in zip(_RECORDS.names or (), rows.T):
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

    head = _RECORDS.names or ()

    def rows(self) -> Iterable[Sequence[Any]]:
        walls = dict(zip(range(-4, 0), _core.WALLS))
        return ((_text(t), str(i), walls.get(j, str(j) if j >= 0 else f"obstacle {-5 - j}"), nx, ny, p)
                for t, i, j, nx, ny, p in self.value.tolist())

    def _draw(self, ax: Any) -> None:
        table = self.value
        for name, kind in (("disc-disc", table["j"] >= 0), ("wall", table["j"] < 0)):
            ax.plot(table["time"][kind], table["impulse"][kind], ".", ms=2, label=name)
        ax.set(xlabel="time", ylabel="impulse")
        ax.legend()
