"""Exercise 13: the work that cells save, compared with a box that is a single cell."""
from __future__ import annotations

from statistics import median
from time import process_time
from typing import Any

import numpy as np

from ..language import tr
from ..reference.textbook_face import TextbookSystem
from ..system import CollisionSystem
from .result import Check, Result
from .setting import PIECES, Progress, fluid, seed_of, silent, timed_pieces
from .slopes import all_pairs_slope, log_slope, neighbours_slope, relative_error, slope_error

ETA = 0.3
SIZES, SIZES_QUICK = tuple(2**k for k in range(4, 13)), tuple(2**k for k in range(5, 11))
FIT = 128                       # slopes are fitted from this number of discs on; below, walls matter too much
BOOK_MAX = 256                  # largest number of discs for the book's loop in Python, which is slow
CONTACTS, CONTACTS_QUICK, CONTACTS_BOOK = 4000, 1500, 400
GRIDS = {"cells": None, "all pairs": (1, 1)}


def cells(*, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Predicted pairs and time per contact against N, at packing fraction .3 in a box with walls.

    With cells, contacts of a disc are predicted with its neighbours only, without cells with all other discs: the slopes in a
    log-log plot are 0 and 1, apart from the influence of walls. Both runs are equal bit for bit. Times depend on the machine;
    they are shown without a verdict, as are those of the book's loop.
    """
    sizes = np.array(SIZES_QUICK if quick else SIZES)
    looked: dict[str, list[float]] = {name: [] for name in GRIDS}
    errors: dict[str, list[float]] = {name: [] for name in GRIDS}
    times: dict[str, list[float]] = {name: [] for name in (*GRIDS, "the book's loop")}
    different = 0
    for done, n in enumerate(sizes.tolist()):
        start = fluid(n, ETA, seed_of(seed), periodic=False)
        hashes = set()
        for name, grid in GRIDS.items():
            system = CollisionSystem(start, cells=grid)
            seconds, pieces = timed_pieces(system, CONTACTS_QUICK if quick else CONTACTS)
            looked[name].append(float(pieces.mean()))
            errors[name].append(relative_error(pieces))
            times[name].append(1e6 * seconds)
            hashes.add(system.hash())
        different += len(hashes) - 1
        if n <= BOOK_MAX:
            times["the book's loop"].append(_book_time(start))
        progress((done + 1) / len(sizes))
    slopes = {name: (float(log_slope(sizes, looked[name], FIT)), slope_error(sizes, errors[name], FIT)) for name in GRIDS}
    checks = (Check("slope of pairs looked at per contact in N, with cells", *slopes["cells"],
                    *neighbours_slope(sizes, ETA, FIT), freedom=PIECES - 1),
              Check("slope without cells", *slopes["all pairs"], *all_pairs_slope(sizes, ETA, FIT),
                    freedom=PIECES - 1),
              Check("runs that differ", float(different), 0.0, 0.0))
    columns: dict[str, Any] = {"N": sizes}
    columns |= {f"pairs looked at per contact, {name}": values for name, values in looked.items()}
    columns |= {f"time per contact (us), {name}": values for name, values in times.items()}
    return Result("cells", checks, tr("neighbours only, 0 but for walls; 1 without cells"), columns,
                  (_draw_pairs, _draw_times))


def _book_time(start: CollisionSystem) -> float:
    """Microseconds per contact of the book's loop, without the initial prediction of all pairs: the median of pieces, because
    Python's garbage collection may fall into one."""
    book = TextbookSystem(start)
    book.next_event()
    times = []
    for _ in range(PIECES):
        began = process_time()
        for _ in range(CONTACTS_BOOK // PIECES):
            book.next_event()
        times.append((process_time() - began) / (CONTACTS_BOOK // PIECES))
    return 1e6 * median(times)


def _draw_pairs(result: Result, ax: Any) -> None:
    _draw(result, ax, "pairs looked at per contact", tuple(GRIDS), "Cells: only neighbours are looked at")


def _draw_times(result: Result, ax: Any) -> None:
    _draw(result, ax, "time per contact (us)", (*GRIDS, "the book's loop"), "... and that is what it costs, here")


def _draw(result: Result, ax: Any, what: str, names: tuple[str, ...], title: str) -> None:
    for name, marker in zip(names, "osd"):
        values = result[f"{what}, {name}"]
        sizes = result["N"][:len(values)]
        ax.plot(sizes, values, marker, label=name)
        slope = 0.0 if name == "cells" else 1.0
        ax.plot(sizes, values[-1] * (sizes / sizes[-1]) ** slope, color="black", linewidth=0.8)
    ax.set(xscale="log", yscale="log", xlabel="number of discs N", ylabel=what, title=f"{title} (lines: $N^0$, $N^1$)")
    ax.legend(fontsize="small")
