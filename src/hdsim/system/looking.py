"""What stands in an engine, looked at from outside: the contacts to come, the queue, the cells. Nothing moves."""
from __future__ import annotations

import math
import time as clock
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..model.queues import Day, Entry, Queue
from ..model.renamed import KINDS, Kind
from .arrays import frozen
from .running import ANY_KIND, check_limits

WALLS = _core.WALLS
PAIRS_MAX, PAIRS_PER_DISC = 100_000_000, 10_000     # that `schedule` looks at without a contact: some seconds


class Prediction(NamedTuple):
    """A contact that will happen if nothing comes before it: time, discs, wall (or None)."""

    time: float
    particles: tuple[int, ...]
    wall: str | None


class Near(NamedTuple):
    """What the engine looks at when it predicts the next contact of disc `i`."""

    cells: np.ndarray           # (k, 4): left, bottom, right, top of each cell, length units
    candidates: np.ndarray      # (m,): the discs in them


def sizes(engine: _core.Engine) -> tuple[np.ndarray, np.ndarray]:
    """Radii and masses, read-only, kept from the first call on: in many a long run of many discs there is none."""
    found = engine.sizes
    if found is None:
        radii, masses = np.empty(len(engine)), np.empty(len(engine))
        engine.fill_sizes(radii, masses)
        found = engine.sizes = frozen(radii), frozen(masses)
    return found


def counts(engine: _core.Engine, pairs: bool, walls: bool) -> np.ndarray:
    """(n,) int64, read-only: contacts of each disc with discs, with walls, or both."""
    array = np.empty(len(engine), dtype=np.int64)
    engine.counts(array, pairs, walls)
    return frozen(array)


def filled(engine: _core.Engine, what: str) -> np.ndarray:
    """(n, 2), read-only: `positions_at`, `unwrapped_positions` or `velocities` of the discs now."""
    array = np.empty((len(engine), 2))
    getattr(engine, what)(array)
    return frozen(array)


def counters(engine: _core.Engine, width: float, height: float) -> np.ndarray:
    """(n, 4) int64: contacts of each disc with discs and walls, and the box lengths along x and y between its wrapped and
    unwrapped position now."""
    with engine:
        found = np.empty((len(engine), 4), dtype=np.int64)
        engine.tallies(found)
        found[:, 2:] = np.rint((filled(engine, "unwrapped_positions") - filled(engine, "positions_at")) / (width, height))
        return found


class Flight:
    """Up to when all discs fly straight on: looked for no further than it is asked for, and kept until something happens."""

    def __init__(self) -> None:
        self._state: tuple[Any, ...] = ()       # of the system for which the rest holds
        self._ahead: _core.Engine | None = None     # a copy that has run up to `_seen`, if there was no contact
        self._seen, self._contact = -math.inf, False

    def check(self, engine: _core.Engine, at: float) -> None:
        """ValueError if this time is past, infinite, or later than the next contact."""
        if not engine.time < at < math.inf:
            raise ValueError(f"at is {at!r}; it must be a time from now, {engine.time!r}, to the next contact")
        state = (engine, engine.events, engine.changes)
        if self._state != state:
            self._state, self._ahead, self._seen, self._contact = state, None, engine.time, False
        if self._seen < at and not self._contact:
            ahead = engine.copy(timers=False) if self._ahead is None else self._ahead
            ahead.set_until(at)
            event = ahead.run(ANY_KIND)
            self._ahead = ahead if event is None else None
            self._seen, self._contact = (at, False) if event is None else (event.time, True)
        if self._seen < at:
            raise ValueError(f"at is {at!r}; it must be a time from now, {engine.time!r}, to the next contact, {self._seen!r}")


def schedule(engine: _core.Engine, k: int, max_seconds: float | None) -> list[Prediction]:
    """See `CollisionSystem.schedule`."""
    check_limits(None, max_seconds)
    deadline = math.inf if max_seconds is None else clock.monotonic() + max_seconds
    with engine:
        n, k = len(engine), max(k, 0)
        times, partners = np.empty(n), np.empty(n, dtype=np.intc)
        keys = np.empty(n)
        engine.keys(keys)
        ahead = keys[keys < np.inf]
        last = float(ahead.max(initial=0.0))
        size = 6 * k + 16
        most = PAIRS_MAX + PAIRS_PER_DISC * n
        span, found = 0.0, np.empty(0, dtype=np.intp)
        # Of two discs that touch within the span, at least one has a key within it. A contact is found twice at most.
        while len(found) < min(2 * k, n) and span < np.inf:
            if 2 * size < len(ahead):
                span = float(np.partition(ahead, size)[size])
            elif span < last:
                span = 3 * span if span > 0 else float(np.median(ahead)) or last
            else:
                span = np.inf
            size *= 2
            times.fill(np.inf)
            movers = np.flatnonzero((keys <= span) & (keys < np.inf))
            most -= engine.predict_free_flight(movers.astype(np.intc), span, times, partners, most, deadline - clock.monotonic())
            found = np.flatnonzero(times < np.inf)
            if len(found):
                most = _core.FOREVER
    schedule = []
    seen = set()
    for i in found[np.lexsort((found, times[found]))][:2 * k].tolist():
        j = int(partners[i])
        discs = (i,) if j < 0 else (min(i, j), max(i, j))
        if (discs, min(j, 0)) not in seen:
            seen.add((discs, min(j, 0)))
            schedule.append(Prediction(float(times[i]), discs, WALLS[j] if j < 0 else None))
    return schedule[:k]


def queue(engine: _core.Engine, k: int) -> Queue:
    """See `CollisionSystem.queue`."""
    with engine:
        days, length = engine.queue(max(k, 0))
        size = len(engine) + engine.live_timers
    shown = tuple(Day(None if number < 0 else number, begin, size, tuple(map(_entry, rows)), as_heap)
                  for number, begin, size, as_heap, rows in days)
    entries = tuple(entry for day in shown for entry in day.entries)
    return Queue("heap", size, entries) if math.isnan(length) else Queue("calendar", size, entries, shown, length)


def _entry(row: tuple[float, str, tuple[int, ...], str | None, int]) -> Entry:
    time, kind, discs, wall, item = row
    return Entry(time, Kind(kind) if kind in KINDS.values() else kind, discs, wall, item)
