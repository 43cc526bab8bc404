"""What stands in a queue of events at one instant, as plain tuples: `Queue`, its days and its entries."""
from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """An item of a queue.

    kind: "pair", "wall", "redraw" and "timer" are those of events. "crossing" is a disc that enters another cell, or leaves
    the window of its neighbour list; "re-prediction" one whose partner was deflected: it has no contact before this time,
    and is predicted again then, or postponed once more; "never" one with nothing ahead. `item` is its number in the queue:
    the disc whose prediction it is, and, from the number of discs on, a timer; None in a lazy heap, where items have no numbers.
    `stale`: it will be ignored, because a disc of it has collided since.
    """

    time: float                         # when the loop comes to it, in time units
    kind: str
    particles: tuple[int, ...]
    wall: str | None = None             # "left", "right", "bottom", "top"
    item: int | None = None
    stale: bool = False


class Day(NamedTuple):
    """A day of a calendar queue, and the first of its entries.

    number: counted from the last choice of the length of days; None for all that is later than a year from today.
    as_heap: the day is crowded, or was so when it began: its entries stand in a heap, here slot by slot. Otherwise they
    stand in a list that has no order; here they are sorted.
    """

    number: int | None
    begin: float                        # in time units; nan for later years
    size: int                           # entries of that day, also those that are not here
    entries: tuple[Entry, ...]
    as_heap: bool


class Queue(NamedTuple):
    """The first entries of a queue, in the order in which they stand there.

    kind: "heap", a binary heap with one item for each disc: the parent of slot s is slot (s - 1) // 2, and `entries` has
    the first slots. "lazy heap" is the same with all predictions, stale ones included. "calendar" cuts time into days:
    `days` has those that are not empty, today first, and `entries` is what stands on them.
    """

    kind: str
    size: int                           # entries in all, also those that are not here
    entries: tuple[Entry, ...]
    days: tuple[Day, ...] = ()
    day_length: float | None = None     # time units; inf where all is one day
    stale: int = 0                      # of all entries; only a lazy heap has any


class PairChecks(NamedTuple):
    """How many pairs of discs were examined to predict contacts, and how many other methods would have examined for the same
    contacts and discs."""

    made: int           # by this engine, up to now
    book: int           # with a queue, but without cells: at the start, and for each disc of a contact, all others
    all_pairs: int      # without a queue: all N (N - 1) / 2 pairs at the start and after each event

    @property
    def avoided(self) -> int:
        """all_pairs - made."""
        return self.all_pairs - self.made


def pair_checks(made: int, n: int, events: int, pair_contacts: int, wall_contacts: int) -> PairChecks:
    """The pair checks of n discs after so many events and contacts; `made`: those of the engine. The book's algorithm does
    not check a disc against the one that it has just touched."""
    pairs = n * (n - 1) // 2
    return PairChecks(made, 2 * pairs + 2 * pair_contacts * (n - 2) + wall_contacts * (n - 1), pairs * (events + 1))
