"""What happened: `Event` and its contacts, plain named tuples that the compiled core fills in."""
from __future__ import annotations

import math
from typing import NamedTuple


class Contact(NamedTuple):
    """One contact of an event: disc i with disc j > i, or (j is None) with a wall."""

    i: int
    j: int | None
    wall: str | None                    # "left", "right", "bottom", "top"
    normal: tuple[float, float]         # unit vector from i towards j or the wall
    impulse: float                      # mass * velocity, >= 0; 0 for a disc of infinite mass at a wall


class Event(NamedTuple):
    """Something that happened, or that `peek` says will happen next.

    kind: "pair" (one disc-disc contact), "wall" (one wall contact), "multi" (several contacts of one instant
    that share discs), "redraw" or "timer". `number` identifies a timer; it is None for contacts.
    """

    time: float
    kind: str
    contacts: tuple[Contact, ...] = ()
    number: int | None = None

    @property
    def particles(self) -> tuple[int, ...]:
        """The distinct discs of the event, sorted."""
        if len(self.contacts) == 1:
            contact = self.contacts[0]
            return (contact.i,) if contact.j is None else (contact.i, contact.j)
        return tuple(sorted({k for c in self.contacts for k in (c.i, c.j) if k is not None}))

    @property
    def wall(self) -> str | None:
        """The wall of a "wall" event."""
        return self.contacts[0].wall if self.kind == "wall" else None

    @property
    def impulse(self) -> float:
        """Sum of the impulses of the contacts."""
        return math.fsum(c.impulse for c in self.contacts)
