"""Sweeps: replicas at every point of a grid of parameters, in any executor, with one table as the result.

    found = sweep(make, {"packing_fraction": [.1, .2, .3]}, 8, Pressure(), until=100, checkpoint_dir="fluid")
    found.to_csv("fluid.csv")

Replicas run in batches. With a folder for checkpoints, an interrupted sweep can be continued: each batch has a file there. The
table of a continued sweep has the same bits.
"""
from __future__ import annotations

import inspect
import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..model.machine import require_threads
from ..model.numbers import shown
from ..model.roles import Measurable
from ..observers import OBSERVERS
from ..observers.balls import BALLS
from .batches import Batch, Orders, Task, digest, kept_in, name_of, observer_name, run_batch
from .grid import Found, Grid
from .replicas import Executor, Plan, checked_observers, checked_plan, checked_seeds, cores, gather, result_of
from .table import FIXED, Sweep, Table, column_of

__all__ = ["Sweep", "Table", "sweep"]

INTERVAL = 60.0     # seconds between checkpoints of a batch
INTERVAL_LEAST = 1e-3   # about the time to write a checkpoint
WINDOW = 256        # batches that the executor has at one time: at least twice as many as most have workers


def sweep(make: Callable[..., Measurable], parameters: Mapping[str, Iterable[Any]], seeds: int | Iterable[int],
          observers: Any, *, until: float | None = None, max_events: int | None = None, warm_up: float | None = None,
          read: Callable[..., Mapping[str, Any]] | None = None, executor: Executor | None = None, checkpoint_dir: Any = None,
          interval: float = INTERVAL, batch: int = 1, window: int = WINDOW, part: tuple[int, int] | None = None,
          progress: Callable[[int, int], Any] | None = None) -> Sweep:
    """Run and observe replicas at every point of a grid of parameters; returns a `Sweep`, a table with one row for each replica.

    make: called as make(seed, **point); returns a new `CollisionSystem` or `spaces.Gas`. parameters: the values of each
    parameter by name: integers, numbers, text or booleans. The grid is their product; the last parameter varies fastest. seeds,
    observers, until, max_events, warm_up: as for `hdsim.ensemble`; every point has the same seeds.

    read: called as read(system, *observers) when a replica has finished; returns a dict of columns by name: numbers, or pairs
    (value, error). None for value and error of each observer, which must be numbers.

    executor: an object with the `submit` of `concurrent.futures.Executor`; None for a thread for each core. For an executor with
    processes, `make` and `read` must be functions at the top of a module. The table has the same bits in any case. batch: so many
    replicas run in one call of the executor, one after another: for many short ones. window: the executor has so many calls at
    one time at most; twice the number of its workers, or more. progress: called as progress(finished, total) after each batch.
    part: (i, n) for the replicas i, i + n, i + 2n, ... of the whole only, in its order, i from 0 to n - 1; a table of these.

    checkpoint_dir: a folder that all workers can access; it is created. If `sweep` is called again with the same folder, finished
    replicas are not run again, and others continue from their last checkpoint, with the same bits; at most `interval` seconds of
    wall-clock time of a killed worker are lost. Each batch has a file, whose name begins with a digest of observers, limits and
    the source text of `make` and `read`. So a grid may be extended, `batch` and `part` may change, and several sweeps may use one
    folder. Functions that `make` and `read` call are not part of the digest: after a change of these, use another folder.
    ValueError for systems with callbacks or timers, which checkpoints cannot hold.

    If a replica fails, the others are ended, and ReplicaError gives its point and seed. ValueError if two seeds of a point give
    the same run, and for parameters or columns that a table cannot hold.
    """
    orders = _checked_orders(make, read, observers, checked_plan(warm_up, until, max_events), interval)
    grid = Grid(_checked_parameters(parameters), checked_seeds(seeds))
    column_of("seed", grid.seeds)
    calls = Calls(orders, _whole("batch", batch), _whole("window", window))
    found = Found(grid, _numbers(part, len(grid)))
    if checkpoint_dir is not None:
        calls.read(Folder(checkpoint_dir, orders), found)
    if executor is not None:
        calls.run(found, executor, progress)
    else:
        calls.run_in_threads(found, progress)
    return found.table()


class Folder:
    """The folder with the files of a sweep, and of others. TypeError for what files cannot tell apart or hold."""

    def __init__(self, given: Any, orders: Orders) -> None:
        for name, function in (("make", orders.make), ("read", orders.read)):
            while isinstance(function, partial):
                function = function.func
            if function is not None and not inspect.isfunction(function):
                raise TypeError(f"{name} is a {type(function).__name__}; with checkpoint_dir it must be a function, which the "
                                f"next session can tell from others by its text")
        for observer in orders.observers:
            if type(observer) not in (*OBSERVERS, *BALLS):
                raise TypeError(f"{type(observer).__name__} is none of hdsim's own observers, and no checkpoint can hold it; "
                                f"leave out checkpoint_dir")
        kinds = [(name, json.dumps(options, default=np.ndarray.tolist), species)
                 for name, options, species in (observer.identity for observer in orders.observers)]
        self._sweep = digest((_text_of(orders.make), _text_of(orders.read), kinds, tuple(orders.plan)))
        self._path = Path(given).absolute()     # workers may have another working directory
        self._path.mkdir(parents=True, exist_ok=True)

    def file(self, tasks: Sequence[Task]) -> Path:
        """The file of a batch."""
        return self._path / f"{self._sweep}-{name_of(tasks)}.npz"

    def files(self) -> Iterator[Path]:
        """The files of all batches of this sweep so far, whatever their grids."""
        return iter(sorted(self._path.glob(f"{self._sweep}-*.npz")))


class Calls:
    """The calls by which the replicas of a sweep are run: a batch of at most `batch` replicas each, `window` at one time."""

    def __init__(self, orders: Orders, batch: int, window: int) -> None:
        self._orders, self._batch, self._window = orders, batch, window
        self._folder: Folder | None = None
        self._states: dict[str, Path] = {}      # file with a state, by `repr` of the key of the replica

    def read(self, folder: Folder, found: Found) -> None:
        """Take what earlier sessions have left in a folder, which will have the files."""
        self._folder = folder
        for file in folder.files():
            task = found.read(kept_in(file))
            if task is not None:
                self._states[repr(task.key)] = file

    def run_in_threads(self, found: Found, progress: Callable[[int, int], Any] | None) -> None:
        """Run the replicas of the sweep as `run` does, in as many threads as there are cores."""
        require_threads("hdsim.sweep", "run the replicas one after another in a loop, or give an executor")
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(max(min(cores(), -(-len(found.missing) // self._batch)), 1)) as pool:
            self.run(found, pool, progress)

    def run(self, found: Found, executor: Executor, progress: Callable[[int, int], Any] | None) -> None:
        """Run the replicas without a row."""
        missing, total = found.missing, found.count + len(found.missing)

        def take(k: int, future: Any) -> None:
            numbers = missing[k * self._batch:(k + 1) * self._batch]
            first, last = (found.grid.task(int(number)) for number in numbers[[0, -1]])
            place = first.place if len(numbers) == 1 else f"{first.place} to {last.place}"
            things: dict[str, Any] = {"make": self._orders.make, "read": self._orders.read}
            rows = result_of(future, place, first.seed, things | {type(o).__name__: o for o in self._orders.observers})
            if rows is None:
                return
            found.add(numbers, rows)
            if progress is not None:
                progress(found.count, total)

        gather(executor, run_batch, self._batches(found.grid, missing), take, self._window)

    def _batches(self, grid: Grid, missing: np.ndarray) -> Iterator[tuple[Batch, Orders]]:
        for first in range(0, len(missing), self._batch):
            tasks = tuple(grid.task(number) for number in missing[first:first + self._batch].tolist())
            states = {key: self._states[key] for key in (repr(task.key) for task in tasks) if key in self._states}
            yield Batch(tasks, None if self._folder is None else self._folder.file(tasks), states), self._orders


def _text_of(function: Any) -> str | tuple[Any, ...] | None:
    """The source of a function, or its qualified name if there is no source file; equal in later sessions. None for None."""
    if function is None:
        return None
    if isinstance(function, partial):
        return _text_of(function.func), function.args, sorted(function.keywords.items())
    try:
        return inspect.getsource(function)
    except OSError:         # defined in an interactive session
        return function.__qualname__


# Arguments

def _checked_orders(make: Any, read: Any, observers: Any, plan: Plan, interval: float) -> Orders:
    if not callable(make):
        raise TypeError(f"make must be a function of a seed and the parameters, got {type(make).__name__}")
    if read is not None and not callable(read):
        raise TypeError(f"read must be a function of a system and its observers, got {type(read).__name__}")
    if not INTERVAL_LEAST <= interval < math.inf:
        raise ValueError(f"interval is {shown(interval)}; it must be a number of seconds, at least {INTERVAL_LEAST}")
    orders = Orders(make, checked_observers(observers), read, plan, float(interval))
    if read is None:
        _check_names([observer_name(o) for o in orders.observers])
    return orders


def _whole(name: str, given: Any) -> int:
    """The number. TypeError if it is no integer, ValueError if it is less than 1."""
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} is {shown(given)}; it must be an integer") from None
    if number < 1:
        raise ValueError(f"{name} is {number}; it must be at least 1")
    return number


def _numbers(part: Any, total: int) -> np.ndarray:
    """The numbers of the replicas of this part of the whole; of all for None. TypeError and ValueError for no such part."""
    if part is None:
        return np.arange(total)
    try:
        first, parts = map(operator.index, part)
    except (TypeError, ValueError):
        raise TypeError(f"part is {shown(part)}; it must be (i, n), two integers") from None
    if not 0 <= first < parts:
        raise ValueError(f"part is {shown(part)}; of n parts, i is from 0 to n - 1")
    if first >= total:
        raise ValueError(f"part is {shown(part)}, and has none of the {total} replicas; make fewer parts")
    return np.arange(first, total, parts)


def _checked_parameters(parameters: Mapping[str, Iterable[Any]]) -> dict[str, list[Any]]:
    if not isinstance(parameters, Mapping):
        raise TypeError(f"parameters is {type(parameters).__name__}; it must be a dict of names and their values")
    checked = {}
    for name, given in parameters.items():
        if not (isinstance(name, str) and name.isidentifier()):
            raise ValueError(f"{name!r} is no name of a parameter")
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise TypeError(f"{name} is {shown(given)}; it must be a list of values")
        values = [value.item() if isinstance(value, np.generic) else value for value in given]
        if not values:
            raise ValueError(f"{name} has no values; it must have at least one")
        column_of(name, values)
        if len(set(values)) < len(values):
            raise ValueError(f"{name} has a value twice")
        checked[name] = values
    _check_names(list(checked))
    return checked


def _check_names(names: Sequence[str]) -> None:
    for k, name in enumerate(names):
        if name in FIXED or name in names[:k]:
            raise ValueError(f"two columns are called {name}; rename a parameter, or let read name what is observed")
