"""`Event` and its contacts: named tuples that the compiled core fills in."""
from __future__ import annotations

import math
from typing import NamedTuple


class Contact(NamedTuple):
    """One contact of an event: of disc i with another disc j > i, with a wall of the box, or with an obstacle. The other two of
    `j`, `wall` and `obstacle` are None."""

    i: int
    j: int | None
    wall: str | None                    # "left", "right", "bottom", "top", in three dimensions also "back", "front"
    normal: tuple[float, ...]           # a number for each axis: unit vector from i towards j, the wall or the obstacle's surface
    impulse: float                      # momentum transferred, mass * length / time, >= 0; 0 for infinite mass at a wall
    obstacle: int | None = None         # its index in `system.obstacles`
    feature: str | None = None          # which part of it: "face", "start", "end", "vertex 3", "inside", "outside", "face 2" ...


class Event(NamedTuple):
    """An event that was executed, or the next one, as `peek` predicts it.

    time: in time units. kind: "pair" (one contact of two discs), "wall" (one contact with a wall or an obstacle), "multi"
    (several contacts at one instant that share discs), "pass" (a gate lets a disc in, which it touches without an impulse),
    "device" (an obstacle comes or goes), "redraw" or "timer". contacts: empty for the last three. number: of the timer, or of
    the obstacle of a device; None for contacts.
    """

    time: float
    kind: str
    contacts: tuple[Contact, ...] = ()
    number: int | None = None

    @property
    def particles(self) -> tuple[int, ...]:
        """The indices of the distinct discs of the event, ascending."""
        if len(self.contacts) == 1:
            contact = self.contacts[0]
            return (contact.i,) if contact.j is None else (contact.i, contact.j)
        return tuple(sorted({k for c in self.contacts for k in (c.i, c.j) if k is not None}))

    @property
    def wall(self) -> str | None:
        """The wall of a "wall" event, named as in `Contact`; None for other kinds, and at an obstacle."""
        return self.contacts[0].wall if self.kind == "wall" else None

    @property
    def obstacle(self) -> int | None:
        """The index of the obstacle of a "wall", "pass" or "device" event; None for other kinds, and at a wall of the box."""
        if self.kind == "device":
            return self.number
        return self.contacts[0].obstacle if self.kind in ("wall", "pass") else None

    @property
    def feature(self) -> str | None:
        """The feature of the obstacle of a "wall" event; None for other kinds, and at a wall of the box."""
        return self.contacts[0].feature if self.kind == "wall" else None

    @property
    def is_timer(self) -> bool:
        """Is this event that of a timer: "redraw" or "timer"?"""
        return self.kind in ("redraw", "timer")

    @property
    def impulse(self) -> float:
        """Sum of the impulses of the contacts, mass * length / time."""
        return math.fsum(c.impulse for c in self.contacts)
