"""Event logs of programs in any language, compared with the engine: `check_log`."""
from __future__ import annotations

import codecs
import csv
import math
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice, product
from time import perf_counter
from typing import NamedTuple

import numpy as np

from ..formats.text import finite, shown
from ..language import tr
from ..model.errors import FileFormatError
from ..system import CollisionSystem
from . import loops
from .loops import Seen
from .reference import Difference, Due, Reference, discs_of, first_difference, one_by_one, reference, same_contact
from .verdict import UNKNOWN, Verdict

STEPS, PARTS = 30, 4000     # times that are fitted, and steps that may lie between the two that are next to each other
TIMES = ("time", "t", "when")
FIRST = ("i", "a", "first", "disc", "particle", "disc1", "p1")
SECOND = ("j", "b", "second", "that", "other", "disc2", "p2")
WALLS = {"left": "v", "right": "v", "vertical": "v", "v": "v", "vwall": "v",
         "bottom": "h", "top": "h", "horizontal": "h", "h": "h", "hwall": "h",
         "-1": "", "": "", "null": "", "none": "", "wall": ""}
HEAD_BYTES = 1 << 16        # bytes that are checked before the rest of a file is read
FEW = 10                    # with fewer compared contacts, agreement is little evidence
CONTACTS_MAX = 20_000       # contacts of a log that are compared
HINT_SECONDS = 10.0         # time limit of the search for the error
HINT_DISCS, HINT_EVENTS = 120, 300      # larger cases are not searched, because each error needs a run of a slow loop
CONVINCING, BEYOND = 5, 12  # events after the first wrong one: an error must reproduce the former, the latter are compared
INSTANT = 40                # largest number of events of one instant that may come in any order
CAUSES = 2                  # largest number of causes that are named if the events do not distinguish them


class Log(NamedTuple):
    """The contacts of a log, in its order. `resolution`: half a unit of the last decimal of the times."""

    seen: list[Seen]
    resolution: float


def _text_of(path: str) -> str:
    """The text of a file in UTF-8, or in UTF-16 as Windows shells write it. FileFormatError for other bytes; OSError."""
    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES)
        encoding = "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
        if encoding == "utf-8-sig" and (nul := head.find(b"\0")) >= 0:
            line = 1 + head.count(b"\n", 0, nul)
            raise FileFormatError(f"{path}:{line}: expected text, found a NUL byte, as binary files have them")
        data = head + file.read()
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise FileFormatError(f"{path}: expected text, found other bytes") from None


def read_log(path: str, discs: int) -> Log:
    """Read a table with the columns time, i and j, or those of its header, separated by commas, semicolons, tabs or blanks.

    discs: number of discs; indices are 0 to discs - 1. FileFormatError names the file and the first line that is wrong.
    """
    text = _text_of(path)
    lines = text.splitlines()
    if len(lines) > 2 and lines[-1] and text.endswith(lines[-1]):
        lines.pop()         # without a line end: a program that was stopped may have written only a part of this line
    first = lines[0] if lines else ""
    delimiter = max(",;\t", key=first.count) if set(first) & set(",;\t") else " "
    try:
        rows = [[cell.strip() for cell in row] for row in (
            csv.reader(lines, delimiter=delimiter) if delimiter != " " else (line.split() for line in lines))]
    except csv.Error as error:
        raise FileFormatError(f"{path}: expected a table with time, i and j, found none: {error}") from None
    names = [name.lower() for name in rows[0]] if rows else []
    begins = 0 if len(names) == 3 and _is_number(names[0], delimiter) else 1
    columns = [0, 1, 2, None] if begins == 0 else [
        next((k for k, name in enumerate(names) if name in known), None) for known in (TIMES, FIRST, SECOND, ("wall",))]
    if None in columns[:3]:
        raise FileFormatError(f"{path}:1: expected a header with time, i and j, found {first[:60]!r}")
    if begins == 1 and any(names.count(names[k]) > 1 for k in columns if k is not None):
        raise FileFormatError(f"{path}:1: expected a header with each name once, found {first[:60]!r}")
    seen, decimals = [], 0
    for line, row in enumerate(rows[begins:], begins + 1):
        if not any(row):
            continue
        if len(row) > len(names) and any(row[len(names):]):
            comma = "; is there a comma for the decimal point?" if delimiter == "," else ""
            raise FileFormatError(f"{path}:{line}: expected {len(names)} values, as in line 1, found {len(row)}: "
                                  f"{lines[line - 1][:60]!r}{comma}")
        cells = [row[k] if k is not None and k < len(row) else "" for k in columns]
        if delimiter != ",":
            cells[0] = cells[0].replace(",", ".")       # the decimal comma of many languages
        event = _seen(cells, f"{path}:{line}", discs)
        if event is not None:
            seen.append(event)
            mantissa, _, exponent = cells[0].lower().partition("e")
            # An exponent may have any number of digits; beyond the range of doubles its value makes no difference.
            decimals = max(decimals, len(mantissa.partition(".")[2]) - int(max(min(float(exponent or 0), 400.0), -400.0)))
    return Log(seen, 0.51 * 10.0 ** -decimals)


def _is_number(cell: str, delimiter: str) -> bool:
    with suppress(ValueError):
        float(cell.replace(",", ".") if delimiter != "," else cell)
        return True
    return False


def _seen(cells: list[str], where: str, discs: int) -> Seen | None:
    """The contact in a row; None for a row without discs, such as a redraw. where: file and line, for FileFormatError."""
    time = finite(cells[0])
    if time is None:
        raise FileFormatError(f"{where}: expected a time, found {shown(cells[0])}")
    numbers, wall = [], WALLS.get(cells[3].lower(), "")
    for cell in cells[1:3]:
        if cell.lower() in WALLS:
            wall = wall or WALLS[cell.lower()]
            continue
        number = finite(cell)
        if number is None or not number.is_integer():
            raise FileFormatError(f"{where}: expected the number of a disc, -1 or the name of a wall, found {shown(cell)}")
        numbers.append(int(number))
        if not 0 <= numbers[-1] < discs:
            raise FileFormatError(f"{where}: expected discs 0 to {discs - 1}, found {cell[:60]}; does the log count from 1?")
    if not numbers:
        return None
    return Seen(time, min(numbers), max(numbers) if len(numbers) == 2 else -1, wall if len(numbers) == 1 else "")


def check_log(path: str, system: CollisionSystem, name: str) -> Verdict:
    """Compare the contacts in a log with those of `system` from its present state on. `name` is its name in the verdict.

    ValueError if the box is periodic; FileFormatError or OSError if the log cannot be read.
    """
    log = read_log(path, len(system))
    if not log.seen:
        raise FileFormatError(f"{path}: expected contacts, found none")
    if any(system.box.periodic):
        raise ValueError(f"{name}: the box is periodic, and logs are compared between walls")
    wanted = min(len(log.seen) + 1 + len(system), CONTACTS_MAX)
    truth = reference(system, wanted)
    # Contacts after the end of the log do not count as missing: the program may have been stopped.
    difference, met = first_difference(truth.due, log.seen, log.resolution, complete=False)
    if difference is None and len(met) < len(log.seen):
        other = reference(one_by_one(system), wanted)
        another, further = first_difference(other.due, log.seen, log.resolution, complete=False)
        if another is None and len(further) > len(met):
            truth, met = other, further
        elif another is not None and len(system) <= HINT_DISCS and another.number <= HINT_EVENTS and not system.obstacles:
            # The contacts have another order, or there is an error. Only an error that gives exactly these events is evidence.
            cause = again(log.seen, another) or suspicion(_evidence(system, log, another), another)
            if cause:
                return _verdict(path, name, another, cause)
    if difference is None and not met:
        return Verdict(2, tr("{method} on {name}", method=path, name=name), expected=tr("contacts that can be compared"),
                       got=truth.end)
    if difference is None or difference.expected is None:
        stage = tr("{file} on {name}: {met} of {seen} contact(s) compared, to t = {time:.10g}", file=path, name=name,
                   met=len(met),
                   seen=len(log.seen), time=met[-1].time)
        beyond = tr("not compared beyond: {end}; take a file in which no three discs touch at once, such as p10"
                    if truth.crowded and len(met) < FEW else "not compared beyond: {end}", end=truth.end)
        return Verdict(0, stage, notes=(beyond,) if truth.end and len(met) < len(log.seen) else ())
    return _differs(path, name, system, truth, log, difference)


def _differs(path: str, name: str, system: CollisionSystem, truth: Reference, log: Log, difference: Difference) -> Verdict:
    notes: tuple[str, ...] = ()
    if system.obstacles:
        cause, notes = "", (tr("usual errors are tried on systems without obstacles only"),)
    elif len(system) > HINT_DISCS or difference.number > HINT_EVENTS:
        cause, notes = "", (tr("usual errors are tried up to {discs} discs and {events} events; take a smaller case",
                               discs=HINT_DISCS, events=HINT_EVENTS),)
    else:
        cause = again(log.seen, difference) or suspicion(_evidence(system, log, difference), difference) or \
            strange(log.seen, difference, log.resolution) or tr(UNKNOWN)
    return _verdict(path, name, difference, cause, notes)


def _evidence(system: CollisionSystem, log: Log, difference: Difference) -> Evidence:
    """The contacts of the log up to the last event that is compared; later predictions are not needed."""
    last = max(event.time or 0.0 for event in log.seen[:difference.number + BEYOND + INSTANT])
    limit = last * (1 + 1e-6) + 1e-9 + log.resolution
    return Evidence(discs_of(system), log.seen, limit, log.resolution, (system.box.width, system.box.height))


def _verdict(path: str, name: str, difference: Difference, cause: str, notes: tuple[str, ...] = ()) -> Verdict:
    expected = difference.expected
    assert expected is not None
    stage = tr("{stage}: event {k}", stage=tr("{method} on {name}", method=path, name=name), k=difference.number)
    return Verdict(1, stage, expected=words(expected), got=words(difference.got) if difference.got else tr("no such event"),
                   cause=cause, notes=notes, event=difference.number)


def words(event: Seen | Due) -> str:
    """A contact as text: its time and discs, or disc and wall."""
    time = tr("at a time that the program does not show") if event.time is None else f"t = {event.time:.10g}"
    if event.j >= 0:
        return tr("{time}: disc {i} and disc {j}", time=time, i=event.i, j=event.j)
    wall = {"v": tr("a vertical wall"), "h": tr("a horizontal wall"), "": tr("a wall")}[event.wall]
    return tr("{time}: disc {i} and {wall}", time=time, i=event.i, wall=wall)


class Evidence(NamedTuple):
    """Contacts of a program, the discs with which it began, and the time at which it ended; `resolution` as in a Log; the sides
    of the box."""

    discs: list[loops.Disc]
    seen: list[Seen]
    limit: float
    resolution: float = 0.0
    box: Sequence[float] = (1.0, 1.0)


def suspicion(evidence: Evidence, difference: Difference, table: str = "", states: list[tuple[float, ...]] | None = None,
              more: Sequence[Evidence] = ()) -> str:
    """The usual error that gives exactly these events, including the first wrong one and those after it; "" if none does.

    table: try the errors of this table only, for a program whose discs were recorded; "": try all, for a log. states: of the
    discs after the first wrong event, if the states are wrong. more: further evidence, for errors that `evidence` does not
    distinguish. After HINT_SECONDS no more errors are tried.
    """
    number, seen, missing = difference.number, evidence.seen, difference.got is None
    until, deadline = number + BEYOND, perf_counter() + HINT_SECONDS
    # One event may agree by chance. If the wrong event is a missing one, the error must also end the run there.
    needed = min(number + CONVINCING, len(seen) + missing)
    found: list[tuple[int, str, str, float, str]] = []
    for kind, fault, text in loops.suspects():
        if table in ("", kind) and not (table and fault in loops.COUNTS) and perf_counter() < deadline:
            redraws = loops.REDRAWS if fault in loops.REDRAWN else loops.REDRAWS[:1]
            # A log may have a line for each event, or for each bounce.
            several = (False,) if table else (True, False) if fault in loops.SEVERAL else (True,)
            for redraw, predicted_times in product(redraws, several):
                loop = loops.Loop(evidence.discs, evidence.limit, kind, fault, redraw, predicted_times, evidence.box)
                alike = _alike(loop, evidence, until, number, states)
                if alike >= needed:
                    found.append((alike, kind, fault, redraw, text))
    for other in () if again(seen, difference) else more:
        best = max((row[0] for row in found), default=0)
        found = [row for row in found if row[0] == best]
        if len({row[4] for row in found}) > 1:
            twins = [(row, loops.Loop(other.discs, other.limit, *row[1:4], not table, other.box)) for row in found]
            found = [(_alike(twin, other, len(other.seen)), *row[1:]) for row, twin in twins]
    best = max((row[0] for row in found), default=0)
    causes = list(dict.fromkeys(row[4] for row in found if row[0] == best))
    return tr("; or: ").join(causes[:CAUSES])


def again(seen: Sequence[Seen], difference: Difference, times: int = CONVINCING) -> str:
    """A text on an event that is repeated `times` times at one instant; "" if it is not. Several errors have this effect, and
    the events do not show which one it is."""
    those = seen[max(difference.number - 2, 0):difference.number + times]
    if difference.number > 1 and difference.got is not None and all(
            event[1:] == those[0][1:] and _near(those[0], event, 0.0) for event in those):
        return tr("the same event comes again at once: stale events are not skipped (does isValid compare the counts, and do "
                  "they grow?), or the discs have not parted (is the impulse right?)")
    return ""


def strange(seen: Sequence[Seen], difference: Difference, resolution: float = 0.0) -> str:
    """A text on the first wrong event, or on all events, if they are impossible by themselves; "" otherwise."""
    got = difference.got
    if got is None:
        return tr("simulate ends before its limit: is its loop left too early, is nothing predicted any more?")
    if got.i == got.j:
        return tr("a disc collides with itself: predict must leave it out, and a negative time is never, not an event")
    if again(seen, difference, 0):
        return again(seen, difference, 0)
    times = [event.time for event in seen if event.time is not None]
    if len(times) < len(seen) or got.time is None or not all(map(math.isfinite, times)):
        return ""
    if got.time < max(times[:difference.number]) * (1 - 1e-6) - 1e-9:
        return tr("the event lies in the past: a negative time is never, and the least time must come first")
    step = step_of(times[:STEPS], difference.expected.time if difference.expected else math.nan, resolution)
    if step:
        return tr("all events come at multiples of {step:.4g}: this simulation has fixed time steps; contacts come at any time, "
                  "and each step must end at the next one", step=step)
    return ""


def step_of(times: Sequence[float], expected: float, resolution: float = 0.0) -> float:
    """The largest step of which all times are multiples, up to rounding; 0 if there is none, or if it may be an accident.

    The least difference of two times is a whole number of steps. Each possible number gives a step, which is fitted to the times
    in ascending order. expected: the time of the right event; where it is a multiple, too, the step is one of the system's own.
    """
    apart = sorted(set(times))
    slack = 1e-10 * max(map(abs, apart), default=0.0) + 2 * resolution
    differences = [d for a, b in zip([0.0, *apart], apart) if (d := b - a) > 4 * slack]
    if len(differences) < 4:
        return 0.0
    for parts in range(1, PARTS):
        step = _fitted(apart, min(differences) / parts, slack)
        if step <= 4 * slack:
            return 0.0
        chance = (2 * slack / step)**(len(differences) - 1) * parts
        if all(abs(t - step * round(t / step)) <= slack for t in apart) and chance < 1e-6:
            return 0.0 if abs(expected - step * round(expected / step)) <= slack else step
    return 0.0


def _fitted(times: Sequence[float], step: float, slack: float) -> float:
    """The step by least squares, if each time belongs to the multiple that is next to it; the step itself where one does not."""
    above = below = 0.0
    fitted = step
    for time in times:
        k = round(time / fitted)
        if k and abs(time - k * fitted) > step / 4:
            return step
        above, below = above + k * time, below + float(k * k)
        if k > 1 and below:
            fitted = above / below
    return fitted


def _alike(loop: loops.Loop, evidence: Evidence, until: int, number: int = 0,
           states: list[tuple[float, ...]] | None = None) -> int:
    """The number of events that agree, from the first on, plus one if both end there. Events of one instant have any order."""
    left = deque(evidence.seen[:until + 1])
    k = -1
    for k, (made, after) in enumerate(loop.contacts(until)):
        found = next((s for s in islice(left, INSTANT) if _near(left[0], s, evidence.resolution) and same_contact(made, s)
                      and _near(made, s, evidence.resolution)), None)
        if found is None or (states is not None and k == number - 1 and not np.allclose(after, states, rtol=1e-6, atol=1e-9)):
            return k
        left.remove(found)
        if k + 1 == until:
            return until
    return k + 1 + (not left)


def _near(one: Seen, other: Seen, resolution: float) -> bool:
    return one.time is None or other.time is None or abs(one.time - other.time) <= 1e-6 * abs(one.time) + 1e-9 + 2 * resolution
