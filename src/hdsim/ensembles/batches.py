"""One batch of a sweep, in any thread or process: its replicas one after another, and the file that keeps what they have done.

The file of a batch has the rows of the replicas that have finished, and the state of the one that runs. So a batch that is killed
goes on where it was, and no replica needs a file of its own.
"""
from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from ..formats.io import load_checkpoint, save_checkpoint
from ..model.errors import FileFormatError, ReplicaError
from ..model.roles import Measurable, Resumable
from ..observers import Observer
from ..system.checkpoint import version_of
from .replicas import CHUNK, Plan, Stop, checked_system, run_in_pieces
from .table import FIXED

NAME_LENGTH = 24    # hex digits of a digest in the name of a file: 96 bits, so that names do not collide

Point = dict[str, Any]
Row = dict[str, Any]


class Orders(NamedTuple):
    """The arguments of a sweep that are equal for all replicas."""

    make: Callable[..., Measurable]
    observers: Sequence[Observer]
    read: Callable[..., Mapping[str, Any]] | None
    plan: Plan
    interval: float


class Task(NamedTuple):
    """The arguments of one replica."""

    point: Point
    replica: int
    seed: int

    @property
    def place(self) -> str:
        """The point and the seed, for messages."""
        return ", ".join([*(f"{name} {value}" for name, value in self.point.items()), f"seed {self.seed}"])

    @property
    def key(self) -> list[Any]:
        """What names the replica in files: the values of the parameters in the order of their names, and the seed."""
        return [*(self.point[name] for name in sorted(self.point)), self.seed]


class Batch(NamedTuple):
    """The replicas of one call, the file of the batch, or None, and files of other batches with states of its replicas, by
    `repr` of their keys."""

    tasks: tuple[Task, ...]
    file: Path | None
    states: Mapping[str, Path]


class Begin(NamedTuple):
    """The counts of contacts and events at the beginning of the observation. A checkpoint of the warm-up has None instead."""

    contacts: int
    events: int


class State(NamedTuple):
    """A replica that has not finished: its key, and the file with its state."""

    key: list[Any]
    file: Path


class Rows(NamedTuple):
    """Rows of the table, without the parameters and `replica`: names of the columns, and for each row the values."""

    columns: list[str]
    values: list[list[Any]]


class Kept(NamedTuple):
    """The content of a file: names of the parameters, keys and rows of finished replicas, and the one that was running."""

    parameters: list[str]
    keys: list[list[Any]]
    rows: Rows
    state: State | None


def name_of(tasks: Sequence[Task]) -> str:
    """The name of the file of a batch among those of its sweep."""
    return digest([task.key for task in tasks])


def digest(said: Any) -> str:
    return hashlib.sha256(repr(said).encode()).hexdigest()[:NAME_LENGTH]


def kept_in(file: Path) -> Kept:
    """The content of the file of a batch. FileFormatError if it is damaged, or another checkpoint."""
    _, kept = load_checkpoint(file)
    if "columns" not in kept:
        raise FileFormatError(f"{file}: expected replicas of a sweep, found another checkpoint; take another folder")
    return Kept(kept["parameters"], kept["keys"], Rows(kept["columns"], kept["rows"]),
                State(kept["running"], file) if kept["running"] else None)


class Log:
    """The rows of a batch, and its file, which is written when `interval` seconds have passed, and at the end."""

    def __init__(self, batch: Batch, interval: float) -> None:
        self._batch, self._interval = batch, interval
        self._due = monotonic() + interval
        self._states = dict(batch.states)
        self.rows: dict[str, Row] = {}      # by `repr` of the keys
        if batch.file is not None and batch.file.exists():      # dask executes a call again if its worker is lost
            kept = kept_in(batch.file)
            self.rows = {repr(key): dict(zip(kept.rows.columns, values)) for key, values in zip(kept.keys, kept.rows.values)}
            if kept.state is not None:
                self._states[repr(kept.state.key)] = batch.file
        self._written = len(self.rows)

    @property
    def keeps(self) -> bool:
        """Whether there is a file."""
        return self._batch.file is not None

    def taken_up(self, task: Task) -> tuple[Any, Begin | None] | None:
        """The system in the last state of the replica, and the counts at the beginning of its observation; None if there is no
        state."""
        file = self._states.get(repr(task.key))
        if file is None:
            return None
        from ..starts.sources import restored       # imported late: most sweeps run at once

        arrays, kept = load_checkpoint(file)
        return restored(arrays, kept["system"]), kept["begin"] and Begin(*kept["begin"])

    def keep(self, task: Task, system: Any, begin: Begin | None, now: bool = False) -> None:
        """Write the state of the replica that runs, if it is time, or now."""
        if self.keeps and (now or monotonic() >= self._due):
            arrays, state = system.checkpoint()
            self._write(arrays, {"running": task.key, "begin": begin, "system": state}, version_of(arrays, state))

    def finish(self, task: Task, row: Row) -> None:
        """Note the row of a replica that has finished. ValueError if its columns are not those of the others."""
        require_columns(next(iter(self.rows.values()), row), row)
        self.rows[repr(task.key)] = row
        if monotonic() >= self._due:
            self.close()

    def close(self) -> None:
        """Write the rows, if the file does not have them all."""
        if self.keeps and self._written < len(self.rows):
            self._write({}, {"running": None}, 1)

    def _write(self, arrays: dict[str, np.ndarray], state: dict[str, Any], version: int) -> None:
        finished = [(task, self.rows[key]) for task in self._batch.tasks if (key := repr(task.key)) in self.rows]
        assert self._batch.file is not None
        save_checkpoint(self._batch.file, arrays, {
            "parameters": sorted(self._batch.tasks[0].point), "columns": list(finished[0][1]) if finished else [],
            "keys": [task.key for task, _ in finished], "rows": [list(row.values()) for _, row in finished], **state}, version)
        self._due, self._written = monotonic() + self._interval, len(self.rows)


def require_columns(columns: Iterable[str], others: Iterable[str]) -> None:
    """ValueError if two replicas have different columns."""
    if (names := list(columns)) != (found := list(others)):
        odd = sorted(set(names) ^ set(found)) or names
        raise ValueError(f"read gave the replicas different columns ({', '.join(odd)}); give all the same, nan where there is "
                         f"nothing")


# Replicas, in any thread or process.


def run_batch(batch: Batch, orders: Orders, stop: Stop) -> Rows | None:
    """The rows of the replicas of a batch, in its order; None if `stop` was set before its end. ReplicaError for exceptions."""
    if stop.asked:
        return None
    task = batch.tasks[0]
    try:
        log = Log(batch, orders.interval)
        try:
            for task in batch.tasks:
                if repr(task.key) not in log.rows:
                    row = _measured(task, orders, log, stop)
                    if row is None:     # its state has been written, with the rows
                        return None
                    log.finish(task, row)
        except Exception:
            log.close()
            raise
        log.close()
    except Exception as error:
        stop.asked = True
        raise ReplicaError(f"{task.place}: {type(error).__name__}: {error}", task.seed) from error
    rows = [log.rows[repr(task.key)] for task in batch.tasks]
    return Rows(list(rows[0]), [list(row.values()) for row in rows])


def _measured(task: Task, orders: Orders, log: Log, stop: Stop) -> Row | None:
    """Make a replica, or continue it from its last state, run and observe it, and return its row; None if `stop` was set before
    its end."""
    if stop.asked:
        log.close()
        return None
    system, begin = log.taken_up(task) or (_made(task, orders, log.keeps), None)

    def between() -> None:
        log.keep(task, system, begin)

    piece = min(CHUNK, orders.interval) if log.keeps else CHUNK
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
        log.keep(task, system, begin, now=True)
        return None
    observers = system.observers[-len(orders.observers):]
    if not observers[0].elapsed > 0:
        raise ValueError("no time went by while it was observed")
    return _read(task, orders, system, observers, _counts(system).contacts - begin.contacts)


def _made(task: Task, orders: Orders, kept: bool) -> Any:
    """A new system, which can be written if it is to be kept."""
    system = checked_system(orders.make(task.seed, **task.point), Resumable if kept else Measurable)
    if kept and system.has_callbacks:
        raise ValueError("make returned a system with callbacks or timers, which no checkpoint can hold; leave out "
                         "checkpoint_dir")
    return system


def _counts(system: Measurable) -> Begin:
    counts = system.statistics
    return Begin(counts["pair_contacts"] + counts["wall_contacts"], counts["events"])


def _read(task: Task, orders: Orders, system: Measurable, observers: Sequence[Observer], contacts: int) -> Row:
    """The row of a replica that has finished: the fixed columns without `replica`, and its results."""
    row: Row = dict(zip(FIXED[1:], (task.seed, system.hash(), contacts, observers[0].elapsed)))
    found = orders.read(system, *observers) if orders.read else {observer_name(o): (o.value, o.error) for o in observers}
    if not isinstance(found, Mapping):
        raise TypeError(f"read returned {type(found).__name__}; it must return a dict of columns, each a number or "
                        "(value, error)")
    for name, given in found.items():
        pair = isinstance(given, tuple) and len(given) == 2
        for column, value in zip((name, f"{name}_error"), given if pair else (given,)):
            if column in row or column in task.point or column in FIXED:
                raise ValueError(f"two columns are called {column}; give others by read")
            if np.ndim(value) or not np.issubdtype(np.asarray(value).dtype, np.number):
                raise TypeError(f"{column} is {_shown(value)}; a table holds single numbers. Let read make them")
            row[column] = float(value)
    return row


def _shown(value: Any) -> str:
    return f"of shape {np.shape(value)}" if np.ndim(value) else repr(value)


def observer_name(observer: Observer) -> str:
    """The name of the column of an observer, such as free_path for a FreePath."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", type(observer).__name__).lower()
