"""Read the data of an engine from Python: discs, predicted contacts, queue and cells. Nothing here changes a system."""
from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..model.box import WALLS
from ..model.numbers import shown
from ..model.queues import Day, Entry, Queue
from ..model.renamed import KINDS, Kind
from .arrays import frozen
from .running import ANY_EVENT, check_limits

WIDER, WIDENINGS = 4.0, 5           # how a span is widened in which the next contact of one disc is searched
PAIRS_MAX, PAIRS_PER_DISC = 100_000_000, 10_000     # pairs that `schedule` compares without finding a contact: some seconds


class Prediction(NamedTuple):
    """A contact that will happen unless an earlier event deflects one of its discs.

    time: in time units. particles: one index, or two ascending ones. wall: "left", "right", "bottom", "top", "back" or "front",
    and obstacle: an index of `system.obstacles`; None where the disc does not touch one.
    """

    time: float
    particles: tuple[int, ...]
    wall: str | None
    obstacle: int | None = None


class Near(NamedTuple):
    """The cells and discs that the engine searches when it predicts the next contact of one disc."""

    cells: np.ndarray           # (k, 2 d) in d dimensions: left, bottom (, back), right, top (, front) of each cell, length units
    candidates: np.ndarray      # (m,): the discs that it compares that disc with, ascending


def sizes(engine: _core.Engine) -> tuple[np.ndarray, np.ndarray]:
    """(n,) radii and (n,) masses, read-only. They are made at the first call and then kept in the engine; a run that never reads
    them does not spend the memory."""
    found = engine.sizes
    if found is None:
        radii, masses = np.empty(len(engine)), np.empty(len(engine))
        engine.fill_sizes(radii, masses)
        found = engine.sizes = frozen(radii), frozen(masses)
    return found


def counts(engine: _core.Engine, pairs: bool, walls: bool) -> np.ndarray:
    """(n,) int64, read-only: the number of contacts of each disc, with discs if `pairs`, with walls if `walls`."""
    array = np.empty(len(engine), dtype=np.int64)
    engine.counts(array, pairs, walls)
    return frozen(array)


def filled(engine: _core.Engine, what: str) -> np.ndarray:
    """(n, d), read-only, in d dimensions: the present values that the method `what` of the engine writes: "positions_at",
    "unwrapped_positions" or "velocities"."""
    array = np.empty((len(engine), engine.dimension))
    getattr(engine, what)(array)
    return frozen(array)


def counters(engine: _core.Engine, lengths: Sequence[float]) -> np.ndarray:
    """(n, 2 + d) int64 for each disc: contacts with discs, contacts with walls, and the number of box lengths along each of the d
    axes from its wrapped to its unwrapped position. lengths: of the box."""
    with engine:
        found = np.empty((len(engine), 2 + len(lengths)), dtype=np.int64)
        engine.counters(found)
        found[:, 2:] = np.rint((filled(engine, "unwrapped_positions") - filled(engine, "positions_at")) / lengths)
        return found


class Flight:
    """How long all discs will fly straight: the time of the next contact, found by running a copy of the engine only as far as
    needed. The result is kept until the system changes."""

    def __init__(self) -> None:
        self._state: tuple[Any, ...] = ()       # of the system, for which the other attributes hold
        self._ahead: _core.Engine | None = None     # a copy that has run up to `_seen`, if there was no contact
        # No contact is before `_seen`; `_contact`: there is one at `_seen`.
        self._seen, self._contact = -math.inf, False

    def check(self, engine: _core.Engine, at: float) -> None:
        """ValueError if `at` is not later than the time of the engine, is infinite, or is later than its next contact."""
        if not engine.time < at < math.inf:
            raise ValueError(f"at is {shown(at)}; it must be a time from now, {shown(engine.time)}, to the next contact")
        state = (engine, engine.events, engine.changes)
        if self._state != state:
            self._state, self._ahead, self._seen, self._contact = state, None, engine.time, False
        if self._seen < at and not self._contact:
            ahead = engine.copy(timers=False) if self._ahead is None else self._ahead
            ahead.set_until(at)
            event = ahead.run(ANY_EVENT)
            self._ahead = ahead if event is None else None
            self._seen, self._contact = (at, False) if event is None else (event.time, True)
        if self._seen < at:
            raise ValueError(f"at is {shown(at)}; it must be a time from now, {shown(engine.time)}, to the next contact, "
                             f"{shown(self._seen)}")


def schedule(engine: _core.Engine, k: int, max_seconds: float | None) -> list[Prediction]:
    """The next k contacts if no velocity changes, in order of time: `CollisionSystem.schedule`.

    The keys of the queue bound the search: no contact of a disc is earlier than its key. A span of time is widened until at
    least 2 k discs have a contact within it."""
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
        # Of two discs that touch within the span, at least one has a key within it. A contact is found at most twice, once for
        # each of its discs, so 2 k discs with a contact give at least k contacts.
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
    ordered = found[np.lexsort((found, times[found]))][:2 * k].tolist()
    return list(dict.fromkeys(_prediction(float(times[i]), i, int(partners[i]), engine.dimension) for i in ordered))[:k]


def next_contact(engine: _core.Engine, i: int) -> Prediction | None:
    """The first contact of disc i if no velocity changes: `CollisionSystem.next_contact`.

    The key of the disc in the queue bounds it from below; from there on the span of time is widened, because all images in a
    periodic box, thousands in three dimensions, are compared only where none is found nearby."""
    with engine:
        n = len(engine)
        times, partners, keys = np.full(n, np.inf), np.empty(n, dtype=np.intc), np.empty(n)
        engine.keys(keys)
        first = float(keys[i])
        spans = [first * WIDER**k for k in range(1, WIDENINGS + 1)] if 0 < first < np.inf else []
        for span in (*spans, np.inf):
            engine.predict_free_flight(np.array([i], dtype=np.intc), span, times, partners)
            if times[i] < np.inf:
                break
            times.fill(np.inf)
    return _prediction(float(times[i]), i, int(partners[i]), engine.dimension) if times[i] < np.inf else None


def _prediction(time: float, i: int, partner: int, dimension: int) -> Prediction:
    """The contact of disc i with a partner as the core numbers them: discs from 0, then walls and obstacles below 0."""
    walls = 2 * dimension
    if partner >= 0:
        return Prediction(time, (min(i, partner), max(i, partner)), None)
    if partner >= -walls:
        return Prediction(time, (i,), WALLS[partner + walls])
    return Prediction(time, (i,), None, -1 - walls - partner)


def queue(engine: _core.Engine, k: int) -> Queue:
    """The first k entries of the queue of this engine: `CollisionSystem.queue`."""
    with engine:
        days, length = engine.queue(max(k, 0))
        size = len(engine) + engine.live_timers + engine.has_changes
    shown = tuple(Day(None if number < 0 else number, begin, size, tuple(map(_entry, rows)), as_heap)
                  for number, begin, size, as_heap, rows in days)
    entries = tuple(entry for day in shown for entry in day.entries)
    return Queue("heap", size, entries) if math.isnan(length) else Queue("calendar", size, entries, shown, length)


def _entry(row: tuple[float, str, tuple[int, ...], str | int | None, int]) -> Entry:
    time, kind, discs, surface, item = row
    wall, obstacle = (None, surface) if isinstance(surface, int) else (surface, None)
    return Entry(time, Kind(kind) if kind in KINDS.values() else kind, discs, wall, item, obstacle=obstacle)


def thermal_share(masses: np.ndarray, momentum: np.ndarray, conserved: tuple[bool, ...]) -> tuple[float, int]:
    """The kinetic energy of the centre of mass that does not count for the temperature, and the degrees of freedom that do.
    masses: (n,). momentum: (d,). conserved: along which of the d axes it is."""
    mobile = np.isfinite(masses)
    centre, freedom = 0.0, len(momentum) * int(mobile.sum())
    if freedom and mobile.all():
        mass = float(masses.sum())
        for p, stays in zip(momentum.tolist(), conserved):
            if stays:
                centre += 0.5 * p**2 / mass
                freedom -= 1
    return centre, freedom
