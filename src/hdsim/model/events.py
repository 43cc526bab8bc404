"""`Event` and its contacts: named tuples that the compiled core fills in."""
from __future__ import annotations

import math
from typing import NamedTuple


class Contact(NamedTuple):
    """One contact of an event: of disc i with disc j > i (then `wall` is None), or with a wall (then `j` is None)."""

    i: int
    j: int | None
    wall: str | None                    # "left", "right", "bottom", "top"
    normal: tuple[float, float]         # unit vector from i towards j or the wall
    impulse: float                      # momentum transferred, mass * length / time, >= 0; 0 for infinite mass at a wall


class Event(NamedTuple):
    """An event that was executed, or the next one, as `peek` predicts it.

    time: in time units. kind: "pair" (one disc-disc contact), "wall" (one wall contact), "multi" (several contacts at one
    instant that share discs), "redraw" or "timer". contacts: empty for "redraw" and "timer". number: of the timer; None for
    contacts.
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
        """The wall of a "wall" event: "left", "right", "bottom" or "top"; None for other kinds."""
        return self.contacts[0].wall if self.kind == "wall" else None

    @property
    def impulse(self) -> float:
        """Sum of the impulses of the contacts, mass * length / time."""
        return math.fsum(c.impulse for c in self.contacts)
