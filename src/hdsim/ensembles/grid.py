"""The grid of a sweep: its replicas by number, and the rows that have been found of them. Nothing runs here."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .batches import Kept, Rows, Task, require_columns
from .replicas import Twins
from .table import Sweep, column_of


class Grid:
    """The replicas of a sweep, numbered from 0: for each point, the last parameter fastest, one for each seed.

    values: of each parameter, by name. seeds: those of every point."""

    def __init__(self, values: Mapping[str, Sequence[Any]], seeds: Sequence[int]) -> None:
        self.values, self.seeds = values, seeds
        self._shape = [len(one) for one in values.values()]
        self._size = len(seeds) * int(np.prod(self._shape, dtype=np.int64))

    def __len__(self) -> int:
        return self._size

    def places(self, numbers: Any) -> tuple[Any, list[Any], Any]:
        """The number of the point, the place of each parameter's value, and the place of the seed, of replicas by number."""
        points, replicas = np.divmod(numbers, len(self.seeds))
        return points, list(np.unravel_index(points, self._shape)) if self._shape else [], replicas

    def task(self, number: int) -> Task:
        """The arguments of a replica."""
        rest, replica = divmod(number, len(self.seeds))
        places = []
        for length in reversed(self._shape):
            rest, place = divmod(rest, length)
            places.append(place)
        point = {name: values[place] for (name, values), place in zip(self.values.items(), reversed(places))}
        return Task(point, replica, self.seeds[replica])

    @cached_property
    def _known(self) -> tuple[list[dict[str, int]], dict[int, int]]:
        """The places of the values of each parameter, in the order of the names and by `repr`, which tells 1 from 1.0; and the
        places of the seeds."""
        return ([{repr(value): place for place, value in enumerate(self.values[name])} for name in sorted(self.values)],
                {seed: place for place, seed in enumerate(self.seeds)})

    def number(self, parameters: Sequence[str], key: Sequence[Any]) -> int | None:
        """The number of the replica with this `Task.key`, of a grid of these parameters; None if it is none of this grid."""
        if list(parameters) != sorted(self.values):
            return None
        values, seeds = self._known
        places = [known.get(repr(value), -1) for known, value in zip(values, key)]
        replica = seeds.get(key[-1], -1)
        if min([replica, *places]) < 0:
            return None
        named = dict(zip(parameters, places))
        point = np.ravel_multi_index([named[name] for name in self.values], self._shape) if self._shape else 0
        return int(point) * len(self.seeds) + replica


class Found:
    """The rows that have been found of some replicas of a grid, as arrays, in any order.

    wanted: (n,) the numbers of these replicas, ascending."""

    def __init__(self, grid: Grid, wanted: np.ndarray) -> None:
        self.grid, self._wanted = grid, wanted
        self._open = np.zeros(len(grid), dtype=bool)    # wanted, and not found
        self._open[wanted] = True
        self._twins: dict[int, Twins] = {}      # by point, because different points may have equal runs
        self._numbers: list[np.ndarray] = []
        self._blocks: list[dict[str, np.ndarray]] = []
        self.count = 0

    @property
    def missing(self) -> np.ndarray:
        """The numbers of the replicas without a row, ascending."""
        return np.flatnonzero(self._open)

    def read(self, kept: Kept) -> Task | None:
        """Take the rows of a file of an earlier session; returns the replica whose state the file has, None if there is none, or
        none that is wanted."""
        numbers = [self.grid.number(kept.parameters, key) for key in kept.keys]
        new = [(number, values) for number, values in zip(numbers, kept.rows.values) if number is not None and self._open[number]]
        if new:
            self.add(np.array([number for number, _ in new]), Rows(kept.rows.columns, [values for _, values in new]))
        number = kept.state and self.grid.number(kept.parameters, kept.state.key)
        return None if number is None or not self._open[number] else self.grid.task(number)

    def add(self, numbers: np.ndarray, rows: Rows) -> None:
        """Take the rows of these replicas. ValueError if two seeds of a point gave the same run, or columns differ."""
        if self._blocks:
            require_columns(self._blocks[0], rows.columns)
        block = {name: column_of(name, values) for name, values in zip(rows.columns, zip(*rows.values))}
        points, _, replicas = self.grid.places(numbers)
        for point, replica, run, contacts in zip(points.tolist(), replicas, block["hash"].tolist(), block["contacts"]):
            self._twins.setdefault(point, Twins()).refuse(run, contacts, self.grid.seeds[replica])
        self._numbers.append(numbers)
        self._blocks.append(block)
        self._open[numbers] = False
        self.count += len(numbers)

    def table(self) -> Sweep:
        """The table of all wanted replicas."""
        order = np.argsort(np.concatenate(self._numbers))
        points, places, replicas = self.grid.places(self._wanted)
        columns = {name: np.array(values)[place] for (name, values), place in zip(self.grid.values.items(), places)}
        columns |= {"replica": replicas}
        columns |= {name: np.concatenate([block[name] for block in self._blocks])[order] for name in self._blocks[0]}
        return Sweep(columns, tuple(self.grid.values), points)
