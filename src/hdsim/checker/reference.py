"""The contacts by the engine, and the tolerance within which another program must reproduce them.

Rounding errors grow exponentially in a gas; a second run, with velocities changed by the relative amount 1e-13, shows how fast.
Times may differ by 1e-9 of the time, or by 20 times the difference of the second run. The comparison ends when that is a tenth
of the time between two contacts. It also ends when more than two discs touch at one instant, because the outcome then depends
on the rule for simultaneous contacts.
"""
from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..language import tr
from ..model.events import Event
from ..system import CollisionSystem
from .faults import Disc
from .loops import Seen

CHANGE, MARGIN, EXACT, CROWDED = 1e-13, 20.0, 1e-9, 0.1
WALLS = {"left": "v", "right": "v", "bottom": "h", "top": "h"}


class Due(NamedTuple):
    """A contact that must happen: its time and tolerance, its discs, and their (rx, ry, vx, vy) after it."""

    time: float
    i: int
    j: int
    wall: str
    tolerance: float
    after: tuple[tuple[float, ...], ...]


class Reference(NamedTuple):
    """The contacts in order, and the reason why there are no more; "" if there are as many as requested. `crowded`: whether more
    than two discs touch at one instant there."""

    due: list[Due]
    end: str
    crowded: bool = False


class Difference(NamedTuple):
    """The first difference: the number of the event (from 1), the expected event, and the program's event (None: none)."""

    number: int
    expected: Due | None
    got: Seen | None


def discs_of(system: CollisionSystem) -> list[Disc]:
    """The discs of the system as `Disc` tuples."""
    table = np.column_stack([system.positions, system.velocities, system.radii, system.masses])
    return [Disc(*row) for row in table.tolist()]


def reference(system: CollisionSystem, count: int) -> Reference:
    """The first `count` contacts of a copy of the system; the system itself does not change."""
    signs = np.where(np.arange(2 * len(system)).reshape(-1, 2) * 7919 % 3 == 1, -1.0, 1.0)
    twin = system.copy()
    with twin.edit() as draft:
        draft.velocities[:] = draft.velocities * (1 + CHANGE * signs)
    later: dict[tuple[Any, ...], list[float]] = defaultdict(list)
    ahead = _contacts(twin, 2 * count)
    due: list[Due] = []
    grown, begin = 0.0, system.time
    for event, rows in _contacts(system.copy(), count):
        if event.kind == "multi" and any(row[1] >= 0 for row in rows):
            discs = ", ".join(map(str, event.particles))
            return Reference(due, tr("at t = {time:.10g} discs {discs} touch at one instant", time=event.time, discs=discs), True)
        for i, j, wall, after in rows:
            key = (i, j, wall)
            while not later[key]:
                other = next(ahead, None)
                if other is None:
                    return Reference(due, tr("at t = {time:.10g} rounding begins to decide what comes first", time=event.time))
                for row in other[1]:
                    later[row[:3]].append(other[0].time)
            grown = max(grown, abs(later[key].pop(0) - event.time))
            tolerance = max(MARGIN * grown, EXACT * max(abs(event.time), event.time - begin))
            if len(due) > 9 and MARGIN * grown > CROWDED * (event.time - begin) / len(due):
                return Reference(due, tr("at t = {time:.10g} rounding has grown too far", time=event.time))
            due.append(Due(event.time, i, j, wall, tolerance, after))
    return Reference(due, "" if len(due) >= count else tr("nothing happens any more"))


def one_by_one(system: CollisionSystem) -> CollisionSystem:
    """A copy of the system that resolves contacts of one instant one after another, as in the book."""
    with warnings.catch_warnings():     # the system itself has already warned of overlaps
        warnings.simplefilter("ignore")
        return CollisionSystem.from_configuration(system.configuration(), collisions="sequential")


def _contacts(system: CollisionSystem, count: int) -> Iterator[tuple[Event, list[tuple[Any, ...]]]]:
    """Execute events; yields each with its contacts, as (i, j, wall, states after it)."""
    seen = 0
    while seen < count and (event := system.next_event()) is not None:
        now = np.hstack([system.positions, system.velocities])
        seen += len(event.contacts)
        yield event, [(c.i, -1 if c.j is None else c.j, WALLS.get(c.wall or "", ""),
                       tuple(tuple(now[k].tolist()) for k in (c.i, c.j) if k is not None)) for c in event.contacts]


def same_contact(due: Due | Seen, seen: Seen) -> bool:
    return (due.i, due.j) == (seen.i, seen.j) and (due.wall == seen.wall or not seen.wall or not due.wall)


def first_difference(due: Sequence[Due], seen: Sequence[Seen], resolution: float = 0.0, complete: bool = True
                     ) -> tuple[Difference | None, list[Due]]:
    """Compare the program's contacts `seen` with those `due`; returns the first difference, or None, and the contacts before it.

    Contacts that are closer in time than tolerance and resolution may come in any order. complete: whether contacts that are
    missing at the end of `seen` are a difference.
    """
    left = list(due)
    met: list[Due] = []
    for number, event in enumerate(seen, 1):
        if not left:
            return None, met
        window = left[0].time + 2 * (left[0].tolerance + resolution)
        found = next((d for d in left if d.time <= window and same_contact(d, event) and (
            event.time is None or abs(event.time - d.time) <= d.tolerance + resolution)), None)
        if found is None:
            return Difference(number, left[0], event), met
        left.remove(found)
        met.append(found)
    return (Difference(len(seen) + 1, left[0], None) if left and complete else None), met
