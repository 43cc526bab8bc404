"""Event logs of programs in any language, held against the engine: `check_log`."""
from __future__ import annotations

import csv
import math
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ..errors import FileFormatError
from ..system import CollisionSystem
from . import loops
from .loops import Seen
from .reference import Difference, Due, Reference, discs_of, first_difference, one_by_one, reference
from .verdict import UNKNOWN, Verdict

TIMES, FIRST, SECOND = ("time", "t", "when"), ("i", "a", "first", "disc", "particle", "disc1", "p1"), ("j", "b", "second", "that", "other",
                                                                                          "disc2", "p2")
WALLS = {"left": "v", "right": "v", "vertical": "v", "v": "v", "vwall": "v", "bottom": "h", "top": "h", "horizontal": "h", "h": "h",
         "hwall": "h", "-1": "", "": "", "null": "", "none": "", "wall": ""}
CONTACTS_MAX = 20_000       # of a log that are compared
HINT_SECONDS = 20.0         # of trying errors
HINT_DISCS, HINT_EVENTS = 120, 300      # errors are tried on so many at most: each is a run of a slow loop


class Log(NamedTuple):
    """The contacts in order of time; `resolution`: half the last decimal of the times."""

    seen: list[Seen]
    resolution: float


def read_log(path: str, discs: int) -> Log:
    """A table of values between commas, semicolons or tabs, with a header. FileFormatError says in which line it is none."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            lines = file.read().splitlines()
        except UnicodeDecodeError:
            raise FileFormatError(f"{path}: expected text, found other bytes") from None
    head = lines[0] if lines else ""
    rows = csv.reader(lines, delimiter=max(",;\t", key=head.count))
    names = [name.strip().lower() for name in next(rows, [])]
    columns = [next((k for k, name in enumerate(names) if name in known), None) for known in (TIMES, FIRST, SECOND, ("wall",))]
    if None in columns[:3]:
        raise FileFormatError(f"{path}:1: expected a header with time, i and j, found {head[:60]!r}")
    seen, decimals = [], 0
    for line, row in enumerate(rows, 2):
        if not row:
            continue
        cells = [row[k].strip() if k is not None and k < len(row) else "" for k in columns]
        event = _seen(cells, f"{path}:{line}", discs)
        if event is not None:
            seen.append(event)
            mantissa, _, exponent = cells[0].lower().partition("e")
            decimals = max(decimals, len(mantissa.partition(".")[2]) - int(exponent or 0))
    return Log(sorted(seen, key=lambda event: event.time or 0.0), 0.51 * 10.0 ** -decimals)


def _seen(cells: list[str], where: str, discs: int) -> Seen | None:
    """A contact; None for a row without discs, such as a redraw."""
    try:
        time = float(cells[0])
    except ValueError:
        time = math.nan
    if not math.isfinite(time):
        raise FileFormatError(f"{where}: expected a time, found {cells[0]!r}")
    numbers, wall = [], WALLS.get(cells[3].lower(), "")
    for cell in cells[1:3]:
        if cell.lower() in WALLS:
            wall = wall or WALLS[cell.lower()]
            continue
        try:
            numbers.append(int(float(cell)))
        except (ValueError, OverflowError):
            raise FileFormatError(f"{where}: expected the number of a disc, -1 or the name of a wall, found {cell!r}") from None
        if not 0 <= numbers[-1] < discs:
            raise FileFormatError(f"{where}: expected discs 0 to {discs - 1}, found {cell}; does the log count from 1?")
    if not numbers:
        return None
    return Seen(time, min(numbers), max(numbers) if len(numbers) == 2 else -1, wall if len(numbers) == 1 else "")


def check_log(path: str, system: CollisionSystem, name: str) -> Verdict:
    """Compare the contacts in a log with those of `system` from where it is now. `name` stands for it in what is said.

    ValueError if the box is periodic; FileFormatError or OSError if the log cannot be read.
    """
    log = read_log(path, len(system))
    if not log.seen:
        raise FileFormatError(f"{path}: expected contacts, found none")
    if any(system.box.periodic):
        raise ValueError(f"{name}: the box is periodic, and logs are compared between walls")
    wanted = min(len(log.seen) + 1 + len(system), CONTACTS_MAX)
    truth = reference(system, wanted)
    # What is missing at the end of the log may have come later.
    difference, met = first_difference(truth.due, log.seen, log.resolution, complete=False)
    if difference is None and len(met) < len(log.seen):
        other = reference(one_by_one(system), wanted)
        another, further = first_difference(other.due, log.seen, log.resolution, complete=False)
        if another is None and len(further) > len(met):
            truth, met = other, further
    if difference is None and not met:
        return Verdict(2, f"{path} on {name}", expected="contacts that can be compared", got=truth.end)
    if difference is None or difference.expected is None:
        return Verdict(0, f"{path} on {name}: {len(met)} of {len(log.seen)} contacts compared, to t = {met[-1].time:.10g}",
                       notes=(f"not compared beyond: {truth.end}",) if truth.end and len(met) < len(log.seen) else ())
    return _differs(path, name, system, truth, log, difference)


def _differs(path: str, name: str, system: CollisionSystem, truth: Reference, log: Log, difference: Difference) -> Verdict:
    expected = difference.expected
    assert expected is not None
    notes: tuple[str, ...] = ()
    if len(system) > HINT_DISCS or difference.number > HINT_EVENTS:
        cause, notes = "", (f"usual errors are tried up to {HINT_DISCS} discs and {HINT_EVENTS} events; take a smaller case",)
    else:
        discs = discs_of(system)
        limit = max(truth.due[-1].time, log.seen[-1].time or 0.0)
        cause = suspicion(discs, log.seen, difference, limit, "", log.resolution) or UNKNOWN
    return Verdict(1, f"{path} on {name}: event {difference.number}", expected=words(expected),
                   got=words(difference.got) if difference.got else "no such event", cause=cause, notes=notes)


def words(event: Seen | Due) -> str:
    """A contact in words."""
    time = "at a time that the program does not show" if event.time is None else f"t = {event.time:.10g}"
    wall = {"v": "a vertical wall", "h": "a horizontal wall", "": "a wall"}[event.wall]
    return f"{time}: disc {event.i} and {f'disc {event.j}' if event.j >= 0 else wall}"


def suspicion(discs: list[loops.Disc], seen: list[Seen], difference: Difference, limit: float, table: str,
              resolution: float, states: list[tuple[float, ...]] | None = None) -> str:
    """The error that makes the most of just these events, the first wrong one included; "" if none does. table: try the
    errors of this table alone. states: of the discs of the first wrong event, after it, if they are what is wrong. After some
    seconds no more errors are tried."""
    best, answer = difference.number - (difference.got is None), ""
    until, deadline = difference.number + 10, perf_counter() + HINT_SECONDS
    for kind, fault, text in loops.suspects():
        if table in ("", kind) and perf_counter() < deadline:
            for redraw in loops.REDRAWS:
                loop = loops.run(discs, limit, until, kind, fault, redraw)
                alike = _alike(loop.seen, seen, resolution)
                if difference.got is None and alike == len(seen) == len(loop.seen):
                    alike += 1
                if states is not None and not (alike >= difference.number
                                               and np.allclose(loop.states[difference.number - 1], states, rtol=1e-6, atol=1e-9)):
                    continue
                if alike > best or (alike == best and not answer and difference.got is not None):
                    best, answer = alike, text
    return answer


def _alike(made: list[Seen], seen: list[Seen], resolution: float) -> int:
    """How many events agree, from the first on."""
    for k, (m, s) in enumerate(zip(made, seen)):
        near = m.time is None or s.time is None or abs(m.time - s.time) <= 1e-6 * abs(m.time) + 1e-9 + resolution
        if (m.i, m.j) != (s.i, s.j) or (m.wall != s.wall and m.wall and s.wall) or not near:
            return k
    return min(len(made), len(seen))
