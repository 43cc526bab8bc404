"""The book's loop with the errors that students make in it, one at a time, so that a suspicion can be tested.

Slow and short: it runs for some dozens of events. The formulas, right and wrong, are those of `faults`.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..textbook import MinPQ
from . import faults
from .faults import Disc

ONE_PREDICTED = "after an event only one of its discs, a or b, is predicted anew; both must be"
LOOP = {
    "stale": "stale events are not skipped: an event is valid only if no disc of it has collided since it was foreseen",
    "stale, second": "events are stale if either disc has collided since: here only the first disc is asked",
    "dt": "an event holds dt, the time from now; it must hold t + dt, the time of the contact",
    "time stands": "the time of the system does not advance: after moving the discs, t must become the time of the event",
    "later discs": "collisions are predicted only against later discs: after an event, its discs must look at all others",
    "first predicted": ONE_PREDICTED,
    "second predicted": ONE_PREDICTED,
    "lower predicted": ONE_PREDICTED,
    "higher predicted": ONE_PREDICTED,
    "nothing predicted": "after an event nothing is predicted anew for its discs",
    "no pairs at start": "at the start collisions between discs are not predicted",
    "no pairs later": "after an event collisions between discs are not predicted anew",
    "no walls later": "after an event walls are not predicted anew",
    "no vertical": "vertical walls are never predicted",
    "no horizontal": "horizontal walls are never predicted",
    "walls swapped": "vertical and horizontal walls are mixed up when an event is executed: (a, null) is a vertical wall, "
                     "(null, b) a horizontal one",
    "twice": "the discs are moved twice for each event",
    "still": "the discs are not moved to the time of the event before it is executed",
    "whole time": "the discs are moved by the time of the event; it must be the time since the last one, event.time - t",
    "only those": "only the discs of the event are moved to its time; all discs must be",
    "bounced first": "the discs bounce before they are moved to the time of the event",
    "truncated": "times are compared as whole numbers: a difference below 1 becomes 0 when it ends as an int (compareTo)",
    "bounced twice": "the discs of an event bounce twice",
}


REDRAW = -1
REDRAWS = (math.inf, 2.0)       # the times between redraws that are tried: none, and the book's


class Seen(NamedTuple):
    """A contact: its time (None if unknown), the lower disc, the other one or -1 at a wall, and which wall: "v"ertical,
    "h"orizontal, or "" if unknown or none."""

    time: float | None
    i: int
    j: int
    wall: str = ""


class _Planned:
    """An event in the queue."""

    def __init__(self, time: float, a: int, b: int, wall: str, counts: list[int], truncated: bool) -> None:
        self.time, self.a, self.b, self.wall = time, a, b, wall
        self.count_a, self.count_b = (0, 0) if a == REDRAW else (counts[a], counts[b])
        self._truncated = truncated

    def __lt__(self, that: _Planned) -> bool:
        return (int(self.time - that.time) if self._truncated else self.time - that.time) < 0


class Loop:
    """One run; `table` and `fault` name the error, `redraw` is the time between redraws, at which all discs are moved.
    `seen` are the contacts, with the times by which the discs have been moved, `states` (rx, ry, vx, vy) after them."""

    def __init__(self, discs: Sequence[Disc], limit: float, table: str, fault: str, redraw: float) -> None:
        self.discs, self.limit, self.table, self.fault = list(discs), limit, table, fault
        self.counts = [0] * len(self.discs)
        self.time = 0.0
        self.moved = [0.0] * len(self.discs)
        self.redraw = redraw
        self.queue = MinPQ()
        self.seen: list[Seen] = []
        self.states: list[list[tuple[float, ...]]] = []

    def named(self, table: str) -> str:
        """The error, if it is one of this table."""
        return self.fault if self.table == table else "right"

    def run(self, events_max: int) -> None:
        """Up to so many contacts."""
        everybody = range(len(self.discs))
        for a in everybody:
            self.predict(a, [] if self.fault == "no pairs at start" else everybody)
        if self.redraw < math.inf:
            self.queue.insert(self.planned(0.0, REDRAW, REDRAW, ""))
        for _ in range(100 * events_max):
            if self.queue.is_empty() or len(self.seen) >= events_max:
                break
            event = self.queue.del_min()
            if event.a == REDRAW:
                self.pass_time(event, range(len(self.discs)))
                if self.time < self.limit:
                    dt = 0.0 if self.fault == "dt" else self.time
                    self.queue.insert(self.planned(dt + self.redraw, REDRAW, REDRAW, ""))
            elif self.valid(event):
                self.execute(event)

    def planned(self, time: float, a: int, b: int, wall: str) -> _Planned:
        return _Planned(time, a, b, wall, self.counts, self.fault == "truncated")

    def valid(self, event: _Planned) -> bool:
        if self.fault == "stale":
            return True
        second = self.fault == "stale, second" or self.counts[event.b] == event.count_b
        return self.counts[event.a] == event.count_a and second

    def predict(self, a: int, others: Sequence[int]) -> None:
        disc = self.discs[a]
        for b in others:
            if b != a and not (self.fault == "later discs" and b < a):
                self.insert(faults.pair_time(disc, self.discs[b], self.named("pair_time")), a, b, "")
        for axis, wall in enumerate("vh"):
            skipped = self.fault == ("no vertical", "no horizontal")[axis] or (self.fault == "no walls later" and self.time > 0)
            if not skipped:
                self.insert(faults.wall_time(disc, axis, self.named("wall_time")), a, a, wall)

    def insert(self, dt: float, a: int, b: int, wall: str) -> None:
        # A negative time is "never" where a formula is right; what is wrong enough for another one gets it executed now.
        if dt > -1e-9 and dt < math.inf:
            time = dt if self.fault == "dt" else self.time + dt
            if time <= self.limit:
                self.queue.insert(self.planned(time, a, b, wall))

    def pass_time(self, event: _Planned, those: Sequence[int]) -> None:
        dt = event.time if self.fault == "whole time" else event.time - self.time
        dt *= {"twice": 2, "still": 0}.get(self.fault, 1)
        for k in those:
            disc = self.discs[k]
            self.discs[k] = disc._replace(rx=disc.rx + disc.vx * dt, ry=disc.ry + disc.vy * dt)
            self.moved[k] += dt
        if self.fault != "time stands":
            self.time = event.time

    def execute(self, event: _Planned) -> None:
        those = sorted({event.a, event.b})
        if self.fault == "bounced first":
            self.bounce(event)
        self.pass_time(event, those if self.fault == "only those" else range(len(self.discs)))
        if self.fault != "bounced first":
            self.bounce(event)
        if self.fault == "bounced twice":
            self.bounce(event)
        others = [] if self.fault == "no pairs later" else range(len(self.discs))
        wall = event.wall
        if self.fault == "walls swapped" and wall:
            wall = "h" if wall == "v" else "v"
        time = self.time if self.fault == "still" else self.moved[event.a]
        self.seen.append(Seen(time, those[0], -1 if wall else those[-1], wall))
        self.states.append([tuple(self.discs[k][:4]) for k in those])
        # In the book a vertical wall is (a, null), a horizontal one (null, b).
        predicted = {"first predicted": [event.a] if event.wall != "h" else [],
                     "second predicted": [event.b] if event.wall != "v" else [],
                     "lower predicted": those[:1], "higher predicted": those[-1:], "nothing predicted": []}
        for k in dict.fromkeys(predicted.get(self.fault, [event.a, event.b])):
            self.predict(k, others)

    def bounce(self, event: _Planned) -> None:
        a, b = self.discs[event.a], self.discs[event.b]
        if event.wall:
            axis = "vh".index(event.wall)
            axis = 1 - axis if self.fault == "walls swapped" else axis
            vx, vy = faults.wall_bounce(a, axis, self.named("wall_bounce"))
            self.discs[event.a] = a._replace(vx=vx, vy=vy)
        else:
            vax, vay, vbx, vby = faults.bounce(a, b, self.named("bounce"))
            self.discs[event.a], self.discs[event.b] = a._replace(vx=vax, vy=vay), b._replace(vx=vbx, vy=vby)
        for k in {event.a, event.b}:
            self.counts[k] += 1


def run(discs: Sequence[Disc], limit: float, events_max: int, table: str = "", fault: str = "right",
        redraw: float = math.inf) -> Loop:
    """A run until `limit`, or for so many contacts, with one error: of LOOP (table "loop") or of a table of `faults`."""
    loop = Loop(discs, limit, table, fault, redraw)
    loop.run(events_max)
    return loop


def suspects() -> list[tuple[str, str, str]]:
    """All errors, as table, name and words."""
    loop = [("loop", name, words) for name, words in LOOP.items()]
    return loop + [(table, name, getattr(faults, table.upper())[name]) for table, name in faults.ALL]
