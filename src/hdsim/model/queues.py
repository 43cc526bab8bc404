"""The content of an event queue at one instant, as named tuples: `Queue`, its days and its entries; and counts of pair checks."""
from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One entry of a queue.

    kind: "pair", "wall", "device", "redraw" and "timer" as for `Event`. "crossing": a disc enters another cell, or leaves the
    window of its neighbour list. "re-prediction": the predicted partner of a disc has collided, so the prediction is invalid; the
    disc has no contact before this time, at which it is predicted again or postponed again. "never": a disc without any future
    event. wall, obstacle: what a "wall" entry is about, obstacle also for a "device". item: the number of the entry in the queue:
    below the number of discs, the disc that holds the prediction; from there on, a timer, or the next device. None in a lazy
    heap, whose entries have no numbers. stale: the entry will be ignored, because one of its discs has collided since it was
    made."""

    time: float                         # at which the entry is due, in time units
    kind: str
    particles: tuple[int, ...]
    wall: str | None = None             # "left", "right", "bottom", "top"
    item: int | None = None
    stale: bool = False
    obstacle: int | None = None         # index in `system.obstacles`


class Day(NamedTuple):
    """One day of a calendar queue, and its first entries. A day is an interval of time; all days of the queue are a year.

    number: counted from the time at which the length of days was last chosen; None for all entries later than one year from
    today. as_heap: True if the day has, or had when it began, so many entries that they are kept in a heap; `entries` is then in
    the order of the heap's slots. Otherwise they are kept in a list without order, and `entries` is sorted by time.
    """

    number: int | None
    begin: float                        # in time units; nan for later years
    size: int                           # number of entries of the day, of which `entries` may have only the first
    entries: tuple[Entry, ...]
    as_heap: bool


class Queue(NamedTuple):
    """The first entries of a queue, in the order in which the queue stores them.

    kind: "heap" is a binary heap with one entry for each disc: the parent of slot s is slot (s - 1) // 2, and `entries` has the
    first slots. "lazy heap" is a binary heap of all predictions, stale ones included. "calendar" divides time into days: `days`
    has the days that are not empty, today first, and `entries` has the entries of all of these.
    """

    kind: str
    size: int                           # number of entries in the queue, of which `entries` may have only the first
    entries: tuple[Entry, ...]
    days: tuple[Day, ...] = ()
    day_length: float | None = None     # time units; inf if there is only one day; None for heaps
    stale: int = 0                      # number of stale entries in the queue; only a lazy heap has any


class PairChecks(NamedTuple):
    """How many pairs of discs were compared to predict contacts, and how many pairs two simpler methods would have compared for
    the same discs and events."""

    made: int           # by this engine, up to now
    book: int           # with a queue but without cells: each disc with all others at the start and after each of its contacts
    all_pairs: int      # without a queue: all N (N - 1) / 2 pairs at the start and after each event

    @property
    def avoided(self) -> int:
        """The pairs that cells and queue save: all_pairs - made."""
        return self.all_pairs - self.made


def pair_checks(made: int, n: int, events: int, pair_contacts: int, wall_contacts: int) -> PairChecks:
    """The pair checks of n discs after these numbers of events and contacts. made: the pairs that the engine compared. The
    book's algorithm compares a disc that has collided with all others but the one that it has just touched."""
    pairs = n * (n - 1) // 2
    return PairChecks(made, 2 * pairs + 2 * pair_contacts * (n - 2) + wall_contacts * (n - 1), pairs * (events + 1))
