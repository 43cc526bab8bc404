"""Sweeps: replicas at every point of a grid of parameters, in any executor, with one table as the result.

    found = sweep(make, {"packing_fraction": [.1, .2, .3]}, 8, Pressure(), until=100, checkpoint_dir="fluid")
    found.to_csv("fluid.csv")

With a folder for checkpoints, an interrupted sweep can be continued: each replica has a file there, with a checkpoint of its
system while it runs and with its row of the table when it has finished. The table of a continued sweep has the same bits.
"""
from __future__ import annotations

import copy
import csv
import hashlib
import inspect
import itertools
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, overload

import numpy as np

from ..formats import require_suffix
from ..formats.io import load_checkpoint, save_checkpoint
from ..model.errors import FileFormatError, ReplicaError
from ..model.machine import require_threads
from ..model.numbers import shown
from ..observers import OBSERVERS, Observer, notebook_html, text_table
from ..system import CollisionSystem
from ..system.checkpoint import version_of
from .replicas import (CHUNK, Executor, Plan, Stop, Twins, checked_observers, checked_plan, checked_seeds, cores, gather,
                       merge_known, result_of, run_in_pieces)

INTERVAL = 60.0     # seconds between checkpoints of a replica
INTERVAL_LEAST = 1e-3   # about the time to write a checkpoint
FIXED = ("replica", "seed", "hash", "contacts", "elapsed")      # columns between the parameters and the results
NAME_LENGTH = 24    # hex digits of the name of a file: 96 bits, so that names of replicas do not collide
KINDS = {bool: "bool", int: "integers", float: "numbers", str: "text"}

Point = dict[str, Any]


class Orders(NamedTuple):
    """The arguments of a sweep that are equal for all replicas."""

    observers: Sequence[Observer]
    read: Callable[..., Mapping[str, Any]] | None
    plan: Plan
    interval: float


class Task(NamedTuple):
    """The arguments of one replica."""

    make: Callable[..., CollisionSystem]
    point: Point
    replica: int
    seed: int
    file: Path | None

    @property
    def place(self) -> str:
        """The point and the seed, for messages."""
        return ", ".join([*(f"{name} {value}" for name, value in self.point.items()), f"seed {self.seed}"])


class Begin(NamedTuple):
    """The counts of contacts and events at the beginning of the observation. A checkpoint of the warm-up has None instead."""

    contacts: int
    events: int


# One replica, in any thread or process.


def _row(task: Task, orders: Orders, stop: Stop) -> dict[str, Any] | None:
    """Make a replica, or continue it from its checkpoint, run and observe it, and return its row of the table; None if `stop` was
    set before its end. ReplicaError for any exception."""
    if stop.asked:
        return None
    try:
        row = _finished(task)       # executors such as dask's execute a call again if its worker is lost
        if row is not None:
            return row
        row = _measured(task, orders, stop)
        if row is not None and task.file is not None:
            save_checkpoint(task.file, {}, {"row": row})
        return row
    except Exception as error:
        stop.asked = True
        raise ReplicaError(f"{task.place}: {type(error).__name__}: {error}", task.seed) from error


def _measured(task: Task, orders: Orders, stop: Stop) -> dict[str, Any] | None:
    due = monotonic() + orders.interval
    system, begin = _taken_up(task)

    def between(now: bool = False) -> None:
        nonlocal due
        if task.file is not None and (now or monotonic() >= due):
            arrays, state = system.checkpoint()
            save_checkpoint(task.file, arrays, {"begin": begin, "system": state}, version_of(arrays, state))
            due = monotonic() + orders.interval

    piece = CHUNK if task.file is None else min(CHUNK, orders.interval)
    warm_up, until, max_events = orders.plan
    if begin is None:
        between()       # `make` may have taken longer than the interval
        if warm_up is not None:
            run_in_pieces(system, warm_up, None, stop, between, piece)
        if not stop.asked:
            for observer in orders.observers:
                system.observe(copy.deepcopy(observer))
            begin = _counts(system)
    if begin is not None:
        left = None if max_events is None else max_events - (_counts(system).events - begin.events)
        run_in_pieces(system, until, left, stop, between, piece)
    if stop.asked or begin is None:
        between(now=True)
        return None
    observers = system.observers[-len(orders.observers):]
    if not observers[0].elapsed > 0:
        raise ValueError("no time went by while it was observed")
    return _read(task, orders, system, observers, _counts(system).contacts - begin.contacts)


def _taken_up(task: Task) -> tuple[CollisionSystem, Begin | None]:
    """The system of the last checkpoint of the replica and the counts at the beginning of its observation, or a new system and
    None."""
    if task.file is not None and task.file.exists():
        arrays, kept = load_checkpoint(task.file)
        return CollisionSystem.from_checkpoint(arrays, kept["system"]), kept["begin"] and Begin(*kept["begin"])
    system = task.make(task.seed, **task.point)
    if not isinstance(system, CollisionSystem):
        raise TypeError(f"make returned {type(system).__name__}; it must return a CollisionSystem")
    if task.file is not None and system.has_callbacks:
        raise ValueError("make returned a system with callbacks or timers, which no checkpoint can hold; leave out "
                         "checkpoint_dir")
    return system, None


def _counts(system: CollisionSystem) -> Begin:
    counts = system.statistics
    return Begin(counts["pair_contacts"] + counts["wall_contacts"], counts["events"])


def _read(task: Task, orders: Orders, system: CollisionSystem, observers: Sequence[Observer], contacts: int) -> dict[str, Any]:
    """The row of the table for a replica that has finished."""
    row = task.point | dict(zip(FIXED, (task.replica, task.seed, system.hash(), contacts, observers[0].elapsed)))
    found = orders.read(system, *observers) if orders.read else {_name(o): (o.value, o.error) for o in observers}
    if not isinstance(found, Mapping):
        raise TypeError(f"read returned {type(found).__name__}; it must return a dict of columns, each a number or "
                        "(value, error)")
    for name, given in found.items():
        pair = isinstance(given, tuple) and len(given) == 2
        for column, value in zip((name, f"{name}_error"), given if pair else (given,)):
            if column in row:
                raise ValueError(f"two columns are called {column}; give others by read")
            if np.ndim(value) or not np.issubdtype(np.asarray(value).dtype, np.number):
                raise TypeError(f"{column} is {_shown(value)}; a table holds single numbers. Let read make them")
            row[column] = float(value)
    return row


def _shown(value: Any) -> str:
    return f"of shape {np.shape(value)}" if np.ndim(value) else repr(value)


def _name(observer: Observer) -> str:
    """The name of the column of an observer, such as free_path for a FreePath."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", type(observer).__name__).lower()


# All replicas.


def sweep(make: Callable[..., CollisionSystem], parameters: Mapping[str, Iterable[Any]], seeds: int | Iterable[int],
          observers: Any, *, until: float | None = None, max_events: int | None = None, warm_up: float | None = None,
          read: Callable[..., Mapping[str, Any]] | None = None, executor: Executor | None = None, checkpoint_dir: Any = None,
          interval: float = INTERVAL, progress: Callable[[int, int], Any] | None = None) -> Sweep:
    """Run and observe replicas at every point of a grid of parameters; returns a `Sweep`, a table with one row for each replica.

    make: called as make(seed, **point); returns a new CollisionSystem. parameters: the values of each parameter by name:
    integers, numbers, text or booleans. The grid is their product; the last parameter varies fastest. seeds, observers, until,
    max_events, warm_up, progress: as for `hdsim.ensemble`; every point has the same seeds.

    read: called as read(system, *observers) when a replica has finished; returns a dict of columns by name: numbers, or pairs
    (value, error). None for value and error of each observer, which must be numbers.

    executor: an object with the `submit` of `concurrent.futures.Executor`; None for a thread for each core. For an executor with
    processes, `make` and `read` must be functions at the top of a module. The table has the same bits in any case.

    checkpoint_dir: a folder that all workers can access; it is created. If `sweep` is called again with the same folder, finished
    replicas are not run again, and others continue from their last checkpoint, with the same bits; at most `interval` seconds of
    wall-clock time of a killed worker are lost. The name of a replica's file is a digest of its point, seed, observers and limits
    and of the source text of `make` and `read`, so that a grid may be extended and several sweeps may use one folder. Functions
    that `make` and `read` call are not part of the digest: after a change of these, use another folder. ValueError for systems
    with callbacks or timers, which checkpoints cannot hold.

    If a replica fails, the others are ended, and ReplicaError gives its point and seed. ValueError if two seeds of a point give
    the same run, and for parameters or columns that a table cannot hold.
    """
    if not callable(make):
        raise TypeError(f"make must be a function of a seed and the parameters, got {type(make).__name__}")
    if read is not None and not callable(read):
        raise TypeError(f"read must be a function of a system and its observers, got {type(read).__name__}")
    if not INTERVAL_LEAST <= interval < math.inf:
        raise ValueError(f"interval is {shown(interval)}; it must be a number of seconds, at least {INTERVAL_LEAST}")
    orders = Orders(checked_observers(observers), read, checked_plan(warm_up, until, max_events), float(interval))
    if read is None:
        _check_names([_name(o) for o in orders.observers])
    values, numbers = _checked_parameters(parameters), checked_seeds(seeds)
    _column("seed", numbers)
    tasks = _tasks(make, values, numbers, orders, checkpoint_dir)
    if executor is not None:
        return Sweep(_rows(tasks, orders, executor, progress), tuple(values))
    require_threads("hdsim.sweep", "run the replicas one after another in a loop, or give an executor")
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(cores(), len(tasks))) as pool:
        return Sweep(_rows(tasks, orders, pool, progress), tuple(values))


def _tasks(make: Callable[..., CollisionSystem], values: Mapping[str, Sequence[Any]], seeds: Sequence[int], orders: Orders,
           checkpoint_dir: Any) -> list[Task]:
    """A task for each point of the grid and each seed, with its file in `checkpoint_dir`, or None without a folder."""
    tasks = [Task(make, dict(zip(values, point)), replica, seed, None)
             for point in itertools.product(*values.values()) for replica, seed in enumerate(seeds)]
    if checkpoint_dir is None:
        return tasks
    folder = _folder(checkpoint_dir, make, orders)
    return [task._replace(file=folder / f"{_digest(task, orders)}.npz") for task in tasks]


def _rows(tasks: Sequence[Task], orders: Orders, executor: Executor, progress: Callable[[int, int], Any] | None
          ) -> list[dict[str, Any]]:
    """The rows of the table, one for each task, in the order of the tasks."""
    found: dict[int, dict[str, Any]] = {}
    twins: dict[str, Twins] = {}        # by point, because different points may have equal runs

    def noted(number: int, row: dict[str, Any]) -> dict[str, Any]:
        task = tasks[number]
        row = task.point | row | {"replica": task.replica}      # a row from a file may have had another replica number
        twins.setdefault(repr(task.point), Twins()).refuse(row["hash"], row["contacts"], task.seed)
        return row

    for number, task in enumerate(tasks):
        row = _finished(task)
        if row is not None:
            found[number] = noted(number, row)
    missing = [number for number in range(len(tasks)) if number not in found]

    def result(k: int, future: Any) -> dict[str, Any] | None:
        task = tasks[missing[k]]
        things: dict[str, Any] = {"make": task.make, "read": orders.read}
        row = result_of(future, task.place, task.seed, things | {type(o).__name__: o for o in orders.observers})
        return None if row is None else noted(missing[k], row)

    rows = gather(executor, _row, [(tasks[number], orders) for number in missing], result, progress, len(found))
    found.update(zip(missing, rows))
    return [found[number] for number in range(len(tasks))]


def _finished(task: Task) -> dict[str, Any] | None:
    """The row of a replica that has finished before, else None. FileFormatError if its file is another
    checkpoint."""
    if task.file is None or not task.file.exists():
        return None
    _, kept = load_checkpoint(task.file)
    if not ("row" in kept or "begin" in kept):
        raise FileFormatError(f"{task.file}: expected a replica of a sweep, found another checkpoint; take another folder")
    return kept.get("row")


def _folder(given: Any, make: Any, orders: Orders) -> Path:
    for name, function in (("make", make), ("read", orders.read)):
        while isinstance(function, partial):
            function = function.func
        if function is not None and not inspect.isfunction(function):
            raise TypeError(f"{name} is a {type(function).__name__}; with checkpoint_dir it must be a function, which the next "
                            f"session can tell from others by its text")
    for observer in orders.observers:
        if type(observer) not in OBSERVERS:
            raise TypeError(f"{type(observer).__name__} is none of hdsim's own observers, and no checkpoint can hold it; leave "
                            f"out checkpoint_dir")
    folder = Path(given).absolute()     # workers may have another working directory
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _digest(task: Task, orders: Orders) -> str:
    """The name of the file of a replica, without suffix."""
    kinds = [(name, json.dumps(options, default=np.ndarray.tolist), species)
             for name, options, species in (observer.identity for observer in orders.observers)]
    said = repr((_text_of(task.make), _text_of(orders.read), kinds, tuple(orders.plan), sorted(task.point.items()), task.seed))
    return hashlib.sha256(said.encode()).hexdigest()[:NAME_LENGTH]


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
        _column(name, values)
        if len(set(values)) < len(values):
            raise ValueError(f"{name} has a value twice")
        checked[name] = values
    _check_names(list(checked))
    return checked


def _check_names(names: Sequence[str]) -> None:
    for k, name in enumerate(names):
        if name in FIXED or name in names[:k]:
            raise ValueError(f"two columns are called {name}; rename a parameter, or let read name what is observed")


# Results.


def _column(name: str, values: Sequence[Any]) -> np.ndarray:
    """A column of a table as an array (n,). ValueError for values of other or mixed types, and for integers beyond 64 bits."""
    kinds = {type(value) for value in values}
    if not kinds <= set(KINDS) or (len(kinds) > 1 and kinds != {int, float}):
        raise ValueError(f"{name} holds {', '.join(sorted(kind.__name__ for kind in kinds))}; a column holds one of "
                         f"{', '.join(KINDS.values())}")
    column = np.array(values)
    if column.dtype.kind not in "bifU":
        raise ValueError(f"{name} has an integer that does not fit into 64 bits with a sign")
    return column


class Table:
    """A table of numbers and text. rows: a structured numpy array with one field for each column. `table["name"]` is a column,
    `table[k]` row k as a dict, len(table) the number of rows; iteration gives the rows. `pandas.DataFrame(table)` and
    numpy.asarray(table) convert it."""

    def __init__(self, columns: Mapping[str, np.ndarray]) -> None:
        self.rows = np.empty(len(next(iter(columns.values()))), [(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            self.rows[name] = column

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.rows.dtype.names or ()

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, name: str) -> np.ndarray: ...

    @overload
    def __getitem__(self, name: int) -> dict[str, Any]: ...

    def __getitem__(self, name: str | int) -> np.ndarray | dict[str, Any]:
        if isinstance(name, (int, np.integer)):
            return dict(zip(self.columns, self.rows[name].tolist()))
        if name not in self.columns:
            raise KeyError(f"no column is called {name!r}; there are {', '.join(self.columns)}")
        return self.rows[name]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[k] for k in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.rows, dtype) if copy or dtype is not None else self.rows

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """In a notebook: the table, errors behind their values."""
        return notebook_html(f"{type(self).__name__} of {len(self)} rows", self.columns, self.rows.tolist())

    def table(self) -> str:
        """The table as text in columns."""
        return text_table(self.columns, self.rows.tolist())

    def to_csv(self, path: Any) -> None:
        """Write a CSV file with a line of column names. Numbers have the fewest digits that give the same double.
        ValueError for a path that does not end in .csv."""
        require_suffix(path, ".csv")
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows(self.rows.tolist())

    def to_parquet(self, path: Any) -> None:
        """Write a Parquet file. ImportError without pyarrow; ValueError for a path that does not end in .parquet."""
        require_suffix(path, ".parquet")
        try:
            import pyarrow  # type: ignore
            import pyarrow.parquet  # type: ignore
        except ImportError:
            raise ImportError("Parquet files need pyarrow, an extra: pip install 'hdsim[parquet]'") from None
        columns = {name: np.ascontiguousarray(self[name]) for name in self.columns}
        pyarrow.parquet.write_table(pyarrow.table({name: column.tolist() if column.dtype.kind == "U" else column
                                                   for name, column in columns.items()}), path)


Sequence.register(Table)        # pandas takes a sequence of dicts as the rows of a DataFrame


class Sweep(Table):
    """The table of a sweep, with a row for each replica, in the order of the grid.

    Columns: the parameters; replica, a number from 0 on at each point; seed; hash of the contacts; contacts and elapsed time of
    the observation; the results, with errors as name_error. parameters: the names of the parameters. ValueError if the replicas
    have different columns."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], parameters: tuple[str, ...]) -> None:
        names = list(rows[0])
        for row in rows:
            if list(row) != names:
                odd = sorted(set(names) ^ set(row)) or names
                raise ValueError(f"read gave the replicas different columns ({', '.join(odd)}); give all the same, nan where "
                                 f"there is nothing")
        super().__init__({name: _column(name, [row[name] for row in rows]) for name in names})
        self.parameters = parameters

    def averages(self) -> Table:
        """A table with one row for each point: parameters, number of replicas, total contacts and elapsed time, and for each
        result the mean over the replicas, weighted with the observed times, and its standard error. The error is from the
        differences between the replicas, as in `Average`; for a single replica its own error, nan if it has none."""
        replicas = int(self["replica"].max()) + 1
        points = self.rows.reshape(-1, replicas)
        columns = {name: points[name][:, 0] for name in self.parameters}
        columns |= {"replicas": np.full(len(points), replicas), "contacts": points["contacts"].sum(axis=1),
                    "elapsed": points["elapsed"].sum(axis=1)}
        for name in self.columns[len(self.parameters) + len(FIXED):]:
            if not self._is_error(name):
                columns[name], columns[f"{name}_error"] = self._merged(points, name).T
        return Table(columns)

    def _is_error(self, name: str) -> bool:
        return name.endswith("_error") and name.removesuffix("_error") in self.columns

    def _merged(self, points: np.ndarray, name: str) -> np.ndarray:
        """(p, 2) the means and errors of a column at p points. points: (p, r) rows."""
        own = points[f"{name}_error"] if f"{name}_error" in self.columns else np.full(points.shape, math.nan)
        merged = [merge_known(*row) for row in zip(points[name], own, points["elapsed"])]
        return np.array([(m.mean, m.scatter if points.shape[1] > 1 else m.error) for m in merged])
