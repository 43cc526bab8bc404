"""The book's loop with the usual errors of students, one at a time, to find the error that gives wrong events.

The loop is simple and slow, and runs for some dozens of events. Its formulas, right and wrong, are those of `faults`.
"""
from __future__ import annotations

import functools
import heapq
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..language import tr
from ..reference.textbook import MinPQ
from . import faults
from .faults import Disc

ONE_PREDICTED = "after an event only one of its discs, a or b, is predicted anew; both must be"
NO_ELSE = "after two discs have bounced off each other, they bounce off walls, too: an else is missing between the kinds of event"
LOOP = {
    "stale": "stale events are not skipped: an event is valid only if no disc of it has collided since it was predicted",
    "stale, second": "events are stale if either disc has collided since: here only the first disc is checked",
    "stale, first": "events are stale if either disc has collided since: here only the second disc is checked",
    "stale, both": "events are stale if either disc has collided since: here they are skipped only if both have",
    "walls not counted": "bounces off walls are not counted: events predicted before one are stale, and are not skipped",
    "pairs not counted": "collisions of two discs are not counted: events predicted before one are stale, and are not skipped",
    "stops at stale": "the loop ends at the first stale event: it must skip it and go on (continue, not break)",
    "dt": "an event holds dt, the time from now; it must hold t + dt, the time of the contact",
    "dt of pairs": "an event of two discs holds dt, the time from now; it must hold t + dt, the time of the contact",
    "dt of walls": "an event at a wall holds dt, the time from now; it must hold t + dt, the time of the contact",
    "time stands": "the time of the system does not advance: after moving the discs, t must become the time of the event",
    "added": "the time of the event is added to t: an event holds the time since the beginning, so t becomes that time",
    "too early": "t is set to the time of the event before the discs are moved by event.time - t, which then is 0",
    "later discs": "collisions are predicted only against later discs: after an event, its discs must look at all others",
    "first predicted": ONE_PREDICTED,
    "second predicted": ONE_PREDICTED,
    "lower predicted": ONE_PREDICTED,
    "higher predicted": ONE_PREDICTED,
    "nothing predicted": "after an event nothing is predicted anew for its discs, or before they bounce, which makes it stale "
                         "at once",
    "no pairs at start": "at the start collisions between discs are not predicted",
    "no walls at start": "at the start collisions with walls are not predicted",
    "first at start": "at the start only the first disc is predicted: all must be",
    "no pairs": "collisions between discs are never predicted",
    "no pairs later": "after an event collisions between discs are not predicted anew",
    "no walls": "walls are never predicted",
    "no walls later": "after an event walls are not predicted anew",
    "no vertical": "vertical walls are never predicted",
    "no horizontal": "horizontal walls are never predicted",
    "walls predict nothing": "after a bounce off a wall nothing is predicted anew for that disc",
    "pairs predict nothing": "after a collision of two discs nothing is predicted anew for them",
    "walls swapped": "vertical and horizontal walls are mixed up when an event is executed: (a, null) is a vertical wall, "
                     "(null, b) a horizontal one",
    "no else": NO_ELSE,
    "one else": NO_ELSE,
    "twice": "the discs are moved twice for each event",
    "still": "the discs are not moved to the time of the event before it is executed",
    "whole time": "the discs are moved by the time of the event; it must be the time since the last one, event.time - t",
    "only those": "only the discs of the event are moved to its time; all discs must be",
    "bounced first": "the discs bounce before they are moved to the time of the event",
    "redraw stands": "at a redraw the time advances, and the discs are not moved to it",
    "truncated": "times are compared as whole numbers: a difference below 1 becomes 0 when it ends as an int (compareTo)",
    "bounced twice": "the discs of an event bounce twice",
}
# Errors whose events depend on redraws. A redraw moves all discs; if the discs are moved correctly, it changes nothing.
REDRAWN = ("stale", "dt", "time stands", "added", "too early", "twice", "still", "whole time", "only those", "bounced first",
           "redraw stands", "truncated", "stale, first", "stale, second", "first predicted", "second predicted",
           "no else", "one else")
# Errors whose events depend on the book's heap: each pair is predicted twice, as (a, b) and as (b, a), and the heap decides which
# of the two events is executed first.
BOOK_HEAP = ("truncated", "stale, first", "stale, second", "first predicted", "second predicted", "no else", "one else")
COUNTS = ("walls not counted", "pairs not counted")     # errors that the cases of a Particle show
SEVERAL = ("no else", "one else", "bounced twice")      # errors with several bounces for one event

REDRAW = -1
AXIS = " @"      # separates the name of an error from the wall, if only vertical or only horizontal walls have the error
REDRAWS = (math.inf, 2.0)       # times between redraws that are tried: no redraws, and the book's


class Seen(NamedTuple):
    """A contact: its time (None if unknown), the disc with the lower index, the other disc or -1 for a wall, and the wall:
    "v"ertical, "h"orizontal, or "" if unknown or none."""

    time: float | None
    i: int
    j: int
    wall: str = ""


class _Planned(NamedTuple):
    """An event in the queue. `order`: its serial number, by which events of equal times are ordered."""

    time: float
    order: int
    a: int
    b: int
    wall: str
    count_a: int
    count_b: int


class _ByTime(_Planned):
    """An event that is compared by its time only, as in the book."""

    def __lt__(self, that: tuple[Any, ...]) -> bool:
        return bool(self.time < that[0])


class _Truncated(_Planned):
    """An event that is compared by the difference of times as an int, as on the slides."""

    def __lt__(self, that: tuple[Any, ...]) -> bool:
        return int(self.time - that[0]) < 0


Contact = tuple[Seen, list[tuple[float, ...]]]


class Loop:
    """One run of the loop. `table` and `fault` name the error; `redraw` is the time between redraws, which move all discs.

    `predicted_times`: the time of a contact is that of its event, as a program prints it; otherwise it is the time by which the
    discs have been moved when they bounce, as recorded discs show it. `box`: its width and height.
    """

    def __init__(self, discs: Sequence[Disc], limit: float, table: str = "", fault: str = "right", redraw: float = math.inf,
                 predicted_times: bool = False, box: Sequence[float] = (1.0, 1.0)) -> None:
        self.box = box
        self.discs, self.limit, self.table, self.fault = list(discs), limit, table, fault
        self.counts = [0] * len(self.discs)
        self.time = 0.0
        self.moved = [0.0] * len(self.discs)
        self.redraw, self.prints = redraw, predicted_times
        self.made = 0
        self.heap: list[_Planned] = []
        self.queue = MinPQ()        # used instead of `heap` for BOOK_HEAP

    def named(self, table: str, wall: str = "") -> str:
        """The name of the error if it belongs to this table and to this wall; otherwise "right"."""
        name, _, at = self.fault.partition(AXIS)
        return name if self.table == table and at in ("", wall) else "right"

    def contacts(self, most: int) -> Iterator[Contact]:
        """Execute events; yields at most so many contacts, each with the states (rx, ry, vx, vy) of its discs after it."""
        all_discs = range(len(self.discs))
        contacts = first_contacts(tuple(self.discs), self.named("pair_time"))
        for a in all_discs[:1] if self.fault == "first at start" else all_discs:
            self.predict(a, [] if self.fault == "no pairs at start" else contacts[a])
        if self.redraw < math.inf:
            self.push(0.0, REDRAW, REDRAW, "")
        seen = 0
        for _ in range(100 * most):
            event = self.pop()
            if event is None or seen >= most:
                break
            if event.a == REDRAW:
                self.pass_time(event, [] if self.fault in ("redraw stands", "only those") else range(len(self.discs)))
                if self.time < self.limit:
                    self.push((0.0 if self.fault == "dt" else self.time) + self.redraw, REDRAW, REDRAW, "")
            elif self.valid(event):
                for contact in self.execute(event):
                    seen += 1
                    yield contact
            elif self.fault == "stops at stale":
                break

    def push(self, time: float, a: int, b: int, wall: str) -> None:
        self.made += 1
        counts = (0, 0) if a == REDRAW else (self.counts[a], self.counts[b])
        if self.fault in BOOK_HEAP:
            kind = _Truncated if self.fault == "truncated" else _ByTime
            self.queue.insert(kind(time, self.made, a, b, wall, *counts))
        else:
            heapq.heappush(self.heap, _Planned(time, self.made, a, b, wall, *counts))

    def pop(self) -> _Planned | None:
        if self.fault in BOOK_HEAP:
            return None if self.queue.is_empty() else self.queue.del_min()
        return heapq.heappop(self.heap) if self.heap else None

    def valid(self, event: _Planned) -> bool:
        first, second = self.counts[event.a] == event.count_a, self.counts[event.b] == event.count_b
        if self.fault == "stale":
            return True
        if self.fault == "stale, both" and not event.wall:
            return first or second
        # In the book the event of a vertical wall is (a, null), of a horizontal one (null, b).
        if self.fault == "stale, first":
            return event.wall == "v" or second
        if self.fault == "stale, second":
            return event.wall == "h" or first
        return first and second

    def predict(self, a: int, contacts: Sequence[tuple[float, int]]) -> None:
        """Insert the events of disc a: contacts with other discs, given as (time from now, disc), and with walls."""
        disc = self.discs[a]
        for dt, b in [] if self.fault == "no pairs" else contacts:
            if not (self.fault == "later discs" and b < a):
                self.insert(dt, a, b, "")
        for axis, wall in enumerate("vh"):
            skipped = self.fault in (("no vertical", "no horizontal")[axis], "no walls") or self.fault == (
                "no walls later" if self.time > 0 else "no walls at start")
            if not skipped:
                self.insert(faults.wall_time(disc, axis, self.named("wall_time", wall), self.box), a, a, wall)

    def insert(self, dt: float, a: int, b: int, wall: str) -> None:
        # If a formula is wrong, a negative time may mean "never". If the loop is wrong, it means that discs overlap.
        if dt < math.inf and (dt > -1e-9 or self.table == "loop"):
            time = dt if self.fault in ("dt", "dt of walls" if wall else "dt of pairs") else self.time + dt
            if time <= self.limit:
                self.push(time, a, b, wall)

    def pass_time(self, event: _Planned, those: Sequence[int]) -> None:
        dt = event.time if self.fault == "whole time" else event.time - self.time
        dt *= {"twice": 2, "still": 0, "too early": 0}.get(self.fault, 1)
        for k in those:
            rx, ry, vx, vy, radius, mass = self.discs[k]
            self.discs[k] = Disc(rx + vx * dt, ry + vy * dt, vx, vy, radius, mass)
            self.moved[k] += dt
        if self.fault == "added":
            self.time += event.time
        elif self.fault != "time stands":
            self.time = event.time

    def execute(self, event: _Planned) -> Iterator[Contact]:
        those = sorted({event.a, event.b})
        moving = those if self.fault == "only those" else range(len(self.discs))
        if self.fault == "bounced first":
            yield self.bounce(event, event.a, event.b, event.wall)
            self.pass_time(event, moving)
        else:
            self.pass_time(event, moving)
            yield self.bounce(event, event.a, event.b, event.wall)
        if self.fault == "bounced twice":
            contact = self.bounce(event, event.b, event.a, event.wall)
            if not self.prints:
                yield contact
        if self.fault in ("no else", "one else") and not event.wall:
            for k, wall in ((event.a, "v"), (event.b, "h"))[:1 if self.fault == "one else" else 2]:
                contact = self.bounce(event, k, k, wall)
                if not self.prints:
                    yield contact
        predicted = {"first predicted": [event.a] if event.wall != "h" else [],
                     "second predicted": [event.b] if event.wall != "v" else [],
                     "lower predicted": those[:1], "higher predicted": those[-1:], "nothing predicted": [],
                     "walls predict nothing": [] if event.wall else those, "pairs predict nothing": those if event.wall else []}
        for k in dict.fromkeys(predicted.get(self.fault, [event.a, event.b])):
            self.predict(k, [] if self.fault == "no pairs later" else contacts_of(self.discs, k, self.named("pair_time")))

    def bounce(self, event: _Planned, i: int, j: int, wall: str) -> Contact:
        """Execute one bounce; returns its time, recorded or printed (see `planned`), its discs, and their states after it."""
        executed = {"v": "h", "h": "v"}[wall] if wall and self.fault == "walls swapped" else wall
        a, b = self.discs[i], self.discs[j]
        if executed:
            vx, vy = faults.wall_bounce(a, "vh".index(executed), self.named("wall_bounce", executed))
            self.discs[i] = a._replace(vx=vx, vy=vy)
        else:
            vax, vay, vbx, vby = faults.bounce(a, b, self.named("bounce"))
            self.discs[i], self.discs[j] = a._replace(vx=vax, vy=vay), b._replace(vx=vbx, vy=vby)
        those = sorted({i, j})
        for k in those:
            self.counts[k] += self.fault != ("walls not counted" if wall else "pairs not counted")
        seen = Seen(event.time, those[0], -1 if wall else those[-1], wall) if self.prints else \
            Seen(self.time if self.fault == "still" else self.moved[i], those[0], -1 if wall else those[-1], executed)
        return seen, [tuple(self.discs[k][:4]) for k in those]


def contacts_of(discs: Sequence[Disc], a: int, fault: str) -> list[tuple[float, int]]:
    """The contacts of disc a with others as (time from now, disc), without discs that it never touches."""
    disc, formula = discs[a], faults.pair_time
    return [(dt, b) for b, other in enumerate(discs) if b != a and (dt := formula(disc, other, fault)) < math.inf]


@functools.lru_cache(maxsize=2)
def first_contacts(discs: tuple[Disc, ...], fault: str) -> list[list[tuple[float, int]]]:
    """The predicted contacts of each disc at the start; cached, because most errors begin with the same ones."""
    return [contacts_of(discs, a, fault) for a in range(len(discs))]


def suspects() -> list[tuple[str, str, str]]:
    """All errors, as (table, name, description)."""
    loop = [("loop", name, tr(text)) for name, text in LOOP.items()]
    formulas = [(table, name, tr(getattr(faults, table.upper())[name])) for table, name in faults.ALL]
    # A formula that a program has twice, for x and for y, may be wrong in one place only.
    one_axis = [(table, f"{name}{AXIS}{wall}",
                 tr("at vertical walls: {error}" if wall == "v" else "at horizontal walls: {error}", error=error))
                for wall in "vh" for table, name, error in formulas if table.startswith("wall")]
    return loop + formulas + one_axis
