"""The state of the algorithm at one instant: the queue, the next contacts, the counters, and the changes by the latest event.

It uses the members of the role `ShowsQueue` and never changes a system."""
from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ...model.box import WALLS, lengths_of
from ...model.outlines import nearest_image
from ...model.placed import placed
from ...model.queues import Entry, Queue
from ...model.roles import ShowsQueue, offers
from ..playback.playback import Playback

ENTRIES = 63            # entries of the queue that are read: six levels of a heap
CONTACTS = 10           # contacts in the list of the next ones
INTERVAL = 0.15         # least seconds between two readings during play; faster changes cannot be followed
COST_SHARE = 0.05       # largest share of wall-clock time for readings during play
WARNING = 0.1           # seconds of wall clock; a contact that comes sooner is not announced
SAME_TIME = 1e-12       # relative difference of times that are equal up to rounding by moves of the time origin


class Counter(NamedTuple):
    """A row of the table of counters: the total since the start, the number per event, and the increase by the latest step."""

    name: str
    total: float
    per_event: float | None
    step: float | None


@dataclass(frozen=True, eq=False)
class PlacedContact:
    """A predicted contact, or one just executed: its discs, and their positions in the box."""

    time: float
    discs: tuple[int, ...]
    wall: str | None
    obstacle: int | None
    starts: np.ndarray      # (m, d) present centres of the discs, in the box
    centres: np.ndarray     # (m, d) centres at the contact; they touch, so that one may lie outside a periodic box
    paths: np.ndarray       # (p, 2, d) paths to the contact, both ends of each; cut at periodic edges
    radii: np.ndarray       # (m,)
    point: np.ndarray       # (d,) the point of contact


@dataclass(frozen=True, eq=False)
class Insight:
    """The state of the algorithm as read at `time`."""

    time: float
    discs: int
    queue: Queue
    contacts: tuple[Any, ...]       # the next contacts, from `system.schedule`
    placed: tuple[PlacedContact, ...]   # the first of them, and others of its instant, unless they come too soon to be seen
    last: tuple[PlacedContact, ...]     # the contacts of the latest step
    new: frozenset[int]             # indices of queue.entries that the latest step has added
    gone: int                       # number of entries that the latest step has removed
    counters: tuple[Counter, ...]
    playing: bool


class Algorithm:
    """Reads the algorithm of the system that is played: during play at intervals, while paused after each change."""

    def __init__(self, playback: Playback) -> None:
        self.playback = playback
        self._frame: object = None
        self._last: Insight | None = None
        self._due = 0.0

    def forget(self) -> None:
        """Drop what was read, because another system is shown."""
        self._frame = self._last = None

    def look(self) -> Insight | None:
        """The latest state, read anew if it is due; None if the system lacks the role `ShowsQueue`."""
        playback = self.playback
        system = playback.system
        if not offers(system, ShowsQueue):
            return None
        before, began = self._last, perf_counter()
        if before is not None and (playback.frame is self._frame
                                   or (not playback.paused and before.playing and began < self._due)):
            return before
        self._frame = playback.frame
        self._last = take(system, 0.0 if playback.paused else WARNING * playback.speed, before)
        ended = perf_counter()
        self._due = ended + max(INTERVAL, (ended - began) / COST_SHARE)
        return self._last

    def announced(self) -> tuple[PlacedContact, ...]:
        """The next contacts, unless they come too soon to be seen, or have been executed since the latest reading."""
        look = self.look()
        return () if look is None else tuple(m for m in look.placed if m.time >= self.playback.frame.time)


def take(system: Any, warning: float = 0.0, before: Insight | None = None) -> Insight:
    """Read the algorithm of a system.

    warning: contacts that come within this simulated time are not drawn; 0: the system is paused. before: the state before the
    latest step, with which it is compared if both were read while paused."""
    playing = warning > 0
    time, queue, contacts = system.time, system.queue(ENTRIES), tuple(system.schedule(CONTACTS))
    placed: tuple[PlacedContact, ...] = ()
    if contacts and contacts[0].time >= time + warning:
        positions, velocities = np.asarray(system.positions), np.asarray(system.velocities)
        placed = tuple(place(system, positions, velocities, contact) for contact in contacts
                       if contact.time == contacts[0].time)
    stepped = before is not None and not (playing or before.playing)
    new, gone = difference(before.queue.entries, queue.entries) if stepped and before else (frozenset(), 0)
    last = tuple(m for m in before.placed if abs(m.time - time) <= SAME_TIME * abs(time)) if stepped and before else ()
    return Insight(time, len(system), queue, contacts, placed, last, new, gone,
                   count(system, before.counters if stepped and before else ()), playing)


def difference(before: tuple[Entry, ...], after: tuple[Entry, ...]) -> tuple[frozenset[int], int]:
    """The indices of entries in `after` that are not in `before`, and the number of entries in `before` that are not in
    `after`."""
    known: dict[tuple[Any, ...], list[float]] = {}
    for entry in before:
        known.setdefault(_identity(entry), []).append(entry.time)
    new = set()
    for k, entry in enumerate(after):
        times = known.get(_identity(entry), [])
        same = next((t for t in times if t == entry.time or abs(t - entry.time) <= SAME_TIME * abs(t)), None)
        if same is None:
            new.add(k)
        else:
            times.remove(same)
    return frozenset(new), sum(map(len, known.values()))


def _identity(entry: Entry) -> tuple[Any, ...]:
    return entry.kind, entry.particles, entry.wall, entry.stale, entry.obstacle


def count(system: Any, before: tuple[Counter, ...] = ()) -> tuple[Counter, ...]:
    """The counters of an engine, and for comparison the numbers of pairs that other algorithms would have checked.

    before: the counters before the latest step."""
    statistics, checks, n = system.statistics, system.pair_checks, len(system)
    events = statistics["events"]
    rows: list[tuple[str, float, float | None]] = [("events", events, None)]
    for name, key in (("queue operations", "queue_operations"), ("inserted", "inserted"), ("ignored as stale", "stale"),
                      ("cell crossings", "crossings"), ("re-predictions", "repredictions")):
        if key in statistics:
            rows.append((name, statistics[key], statistics[key] / events if events else None))
    for name, total in ("pairs looked at", checks.made), ("by the book", checks.book):
        rows.append((name, total, total / events if events else None))
    rows.append(("all N(N-1)/2", checks.all_pairs, n * (n - 1) // 2))
    rows.append(("checks avoided", max(checks.avoided, 0), None))
    old = {counter.name: counter.total for counter in before}
    return tuple(Counter(name, total, each, total - old[name] if name in old else None) for name, total, each in rows)


def place(system: Any, positions: np.ndarray, velocities: np.ndarray, contact: Any) -> PlacedContact:
    """The positions of the discs of a predicted contact, if no other event changes their velocities before it."""
    box = system.box
    lengths, periodic = np.array(lengths_of(box)), np.array(box.periodic, bool)
    discs = list(contact.particles)
    radii = np.array([system.radii[i] for i in discs], float)
    starts = positions[discs].astype(float)
    moved = velocities[discs] * (contact.time - system.time)
    ends = starts + moved
    turns = np.where(periodic, np.floor(ends / lengths), 0.0) * lengths      # the shift back into the box
    centres = ends - turns
    if len(discs) == 2:
        gap = centres[1] - centres[0]
        gap -= np.where(periodic, np.rint(gap / lengths), 0.0) * lengths
        centres[1] = centres[0] + gap
        point = centres[0] + gap * (radii[0] / max(radii.sum(), 1e-300))
    elif contact.obstacle is not None:
        x, y = centres[0].tolist()
        obstacle = placed(system.obstacles[contact.obstacle], contact.time)
        point = np.array(nearest_image(obstacle, x, y, box, float(radii[0])).point)
    else:
        axis, high = divmod(WALLS.index(contact.wall), 2)
        point = centres[0] + (1 if high else -1) * radii[0] * np.eye(len(lengths))[axis]
    paths = np.stack([starts, ends], axis=1)
    wrapped = (turns != 0).any(axis=1)
    paths = np.concatenate([paths, (paths - turns[:, None])[wrapped]])
    return PlacedContact(contact.time, contact.particles, contact.wall, contact.obstacle, starts, centres, paths, radii, point)
