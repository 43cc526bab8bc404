"""A comparison of algorithms: the book's lazy heap, an indexed heap, a calendar queue; with all pairs and with cells."""
from __future__ import annotations

import math
from collections.abc import Iterable
from time import process_time
from typing import Any

import numpy as np

from ..language import tr
from ..reference import textbook
from ..system import CollisionSystem
from .result import Check, Result, check_name
from .setting import PIECES, Progress, fluid, seed_of, silent, timed_pieces
from .slopes import all_pairs_slope, lazy_slope, log_slope, neighbours_slope, relative_error, slope_error

ETA = 0.3
SIZES = (10, 32, 100, 316, 1000, 3162, 10_000, 31_623, 100_000, 316_228, 1_000_000)
SIZES_QUICK = (10, 32, 100, 316, 1000, 3162)
LAZY, PAIRS = "lazy heap, all pairs", "indexed heap, all pairs"
HEAP, CALENDAR = "indexed heap, cells", "calendar, cells"
ENGINES: dict[str, dict[str, Any]] = {PAIRS: {"queue": "heap", "cells": (1, 1)}, HEAP: {"queue": "heap"}, CALENDAR: {}}
PAIRS_MAX, PAIRS_MAX_QUICK = 10_000, 3162       # most discs without cells: the initial prediction alone takes N^2 pairs
LAZY_MAX, LAZY_MAX_QUICK = 3162, 316            # most discs of the book's loop: plain Python, and a queue that grows as N^(3/2)
CONTACTS, CONTACTS_QUICK = 4000, 1500           # contacts in a run, plus one for each disc
ROUNDS = 3                                      # rounds in which engines are timed in turn; the median counts
LAZY_CONTACTS = 4                               # contacts of each disc in the book's loop
FIT = 100                                       # slopes are fitted from this number of discs on; below, walls matter too much
SAME = 1e-9                                     # relative difference of times that rounding may cause in so few contacts
LAW = "N^2 pairs, each in reach with a chance that goes as the radius, N^-1/2"


def queues(*, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Time and predictions per contact, and queue size, of four algorithms against N; packing fraction .3, with walls.

    The book's loop predicts all pairs, moves every disc at each event, and leaves stale events in its queue. The compiled engine
    has one item per disc, in an indexed heap or in a calendar queue. The compiled runs must agree bit for bit; the book's loop
    must have the same contacts in the same order. Times depend on the machine; they are shown without a verdict.
    """
    sizes = np.array(SIZES_QUICK if quick else SIZES)
    pairs_max, lazy_max = (PAIRS_MAX_QUICK, LAZY_MAX_QUICK) if quick else (PAIRS_MAX, LAZY_MAX)
    columns: dict[str, Any] = {"N": sizes}
    columns |= {f"{what}, {name}": [] for what in ("time per contact (us)", "predictions per contact")
                for name in (LAZY, *ENGINES)}
    columns |= {f"relative error of predictions, {name}": [] for name in (LAZY, *ENGINES)}
    columns |= {name: [] for name in ("queue size, lazy heap", "pairs put into the lazy heap", "relative error of pairs",
                                      "stale share of the queue", "stale share of events taken out")}
    different = other = 0
    for done, n in enumerate(sizes.tolist(), 1):
        start = fluid(n, ETA, seed_of(seed), periodic=False)
        engines = [name for name in ENGINES if name != PAIRS or n <= pairs_max]
        different += _run_engines(start, engines, max(CONTACTS_QUICK if quick else CONTACTS, n), columns)
        if n <= lazy_max:
            other += _run_lazy(start, LAZY_CONTACTS * n // 2, columns)
        progress(done / len(sizes))

    def slope(name: str, errors: str) -> tuple[float, float]:
        return float(log_slope(sizes, columns[name], FIT)), slope_error(sizes, columns[errors], FIT)

    def predictions(name: str) -> Check:
        law = neighbours_slope if name in (HEAP, CALENDAR) else all_pairs_slope
        measured = slope(f"predictions per contact, {name}", f"relative error of predictions, {name}")
        done = sizes[:len(columns[f"predictions per contact, {name}"])]
        return Check(check_name("slope of predictions, {name}", name=name), *measured, *law(done, ETA, FIT), freedom=PIECES - 1)

    pairs = "pairs put into the lazy heap"
    checks = (Check("slope of the pairs put into the lazy heap in N", *slope(pairs, "relative error of pairs"),
                    *lazy_slope(sizes[:len(columns[pairs])], ETA, FIT)),
              *map(predictions, (LAZY, *ENGINES)),
              Check("compiled runs that differ", float(different), 0.0, 0.0),
              Check("contacts that the lazy heap has otherwise", float(other), 0.0, 0.0))
    return Result("queues", checks, tr(LAW), columns, (_draw_times, _draw_predictions, _draw_queue))


def _run_engines(start: CollisionSystem, engines: list[str], contacts: int, columns: dict[str, Any]) -> int:
    """Run the engines for so many contacts in turn, and append their costs to `columns`. Returns the number of runs whose hash
    differs from that of the first."""
    seconds: dict[str, list[float]] = {name: [] for name in engines}
    hashes = []
    for _ in range(ROUNDS):
        for name in engines:
            system = _begun(start, **ENGINES[name])
            spent, pieces = timed_pieces(system, contacts)
            seconds[name].append(spent)
            hashes.append(system.hash())
            if len(seconds[name]) == 1:
                columns[f"predictions per contact, {name}"].append(pieces.mean())
                columns[f"relative error of predictions, {name}"].append(relative_error(pieces))
    for name in engines:
        columns[f"time per contact (us), {name}"].append(1e6 * float(np.median(seconds[name])))
    return sum(value != hashes[0] for value in hashes)


def _begun(start: CollisionSystem, **options: Any) -> CollisionSystem:
    """A new system with the discs of `start` at time 0 and these options."""
    return CollisionSystem.from_arrays(start.positions, start.velocities, start.radii, start.masses, box=start.box, **options)


def _run_lazy(start: CollisionSystem, contacts: int, columns: dict[str, Any]) -> int:
    """Run the book's loop for so many contacts, and append its costs to `columns`. Returns the number of contacts that differ in
    the compiled engine with sequential collisions, the rule of the book."""
    book = textbook.CollisionSystem.from_arrays(start.positions, start.velocities, start.radii, start.masses)
    events: list[textbook.Event] = []
    began, seen = process_time(), [book.statistics["predictions"]]
    for k in range(1, PIECES + 1):
        while len(events) < k * contacts // PIECES and (event := book.next_event()) is not None:
            events.append(event)
        seen.append(book.statistics["predictions"])
    seconds = process_time() - began
    counts, pieces = book.statistics, np.diff(seen)
    columns[f"time per contact (us), {LAZY}"].append(1e6 * seconds / contacts)
    columns[f"predictions per contact, {LAZY}"].append(pieces.sum() / contacts)
    columns[f"relative error of predictions, {LAZY}"].append(relative_error(pieces))
    columns["queue size, lazy heap"].append(counts["queue_size"])
    walls = sum(event.wall is not None for event in events)
    columns["pairs put into the lazy heap"].append(
        counts["inserted"] - 2 * (len(start) + 2 * contacts - walls))       # two walls for each prediction of a disc
    columns["relative error of pairs"].append(_pairs_error(book.queue, len(start)))
    columns["stale share of the queue"].append(1 - sum(event.is_valid() for event in book.queue) / counts["queue_size"])
    columns["stale share of events taken out"].append(counts["stale"] / (counts["stale"] + contacts))
    ours = _contacts(_begun(start, collisions="sequential"), contacts)
    return contacts - sum((event.disc_indices, event.wall) == contact and math.isclose(event.time, time, rel_tol=SAME)
                          for event, (time, contact) in zip(events, ours))


def _pairs_error(queue: Iterable[textbook.Event], n: int) -> float:
    """Relative standard error of the number of pairs in the queue.

    For a sum over pairs of n independent discs it is, to first order, 2 / sqrt(n) times standard deviation over mean of the
    number of pairs that contain a given disc (Hoeffding, Ann. Math. Stat. 19, 293, 1948).
    """
    of = np.zeros(n)
    pairs = [event.disc_indices for event in queue if len(event.disc_indices) == 2]
    np.add.at(of, np.array(pairs, dtype=int).reshape(-1), 1)
    return float(2 * of.std(ddof=1) / of.mean() / math.sqrt(n))


def _contacts(system: CollisionSystem, count: int) -> list[tuple[float, tuple[tuple[int, ...], str | None]]]:
    """The first `count` contacts, as (time, (discs, wall))."""
    found: list[tuple[float, tuple[tuple[int, ...], str | None]]] = []
    while len(found) < count and (event := system.next_event()) is not None:
        found += [(event.time, ((c.i,) if c.j is None else (c.i, c.j), c.wall)) for c in event.contacts]
    return found[:count]


def _draw_times(result: Result, ax: Any) -> None:
    _draw(result, ax, "time per contact (us)", "Time per contact on this machine")


def _draw_predictions(result: Result, ax: Any) -> None:
    _draw(result, ax, "predictions per contact", "Predictions: pairs that are checked")


def _draw(result: Result, ax: Any, what: str, title: str) -> None:
    for name, marker in zip((LAZY, *ENGINES), "dsox"):
        values = result[f"{what}, {name}"]
        sizes = result["N"][:len(values)]
        ax.plot(sizes, values, marker=marker, linewidth=0.8, label=f"{name}: slope {log_slope(sizes, values, FIT):.2f}")
    ax.set(xscale="log", yscale="log", xlabel="number of discs N", ylabel=what, title=title)
    ax.legend(fontsize="small")


def _draw_queue(result: Result, ax: Any) -> None:
    size, stale, pairs = (result[name] for name in ("queue size, lazy heap", "stale share of the queue",
                                                    "pairs put into the lazy heap"))
    sizes = result["N"][:len(size)]
    ax.plot(sizes, size, "d", label=f"lazy heap: all events, slope {log_slope(sizes, size, FIT):.2f}")
    ax.plot(sizes, size * (1 - stale), "d", color="C0", fillstyle="none",
            label=f"... less the stale ones, {100 * stale.min():.0f} to {100 * stale.max():.0f} % of them")
    ax.errorbar(sizes, pairs, pairs * result["relative error of pairs"], fmt="+", color="C0",
                label=f"pairs put into it till then, slope {log_slope(sizes, pairs, FIT):.2f}")
    ax.plot(sizes, pairs[-1] * (sizes / sizes[-1]) ** 1.5, color="black", linewidth=0.8, label="$N^{3/2}$")
    ax.plot(sizes, sizes, color="grey", linewidth=0.8, linestyle="--",
            label="one item per disc: indexed heap, calendar")
    ax.set(xscale="log", yscale="log", xlabel="number of discs N", ylabel="items in the queue",
           title=f"Queue size after {LAZY_CONTACTS} contacts of each disc")
    ax.legend(fontsize="small")
