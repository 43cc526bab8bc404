"""Runs without a window: to a time, until done or interrupted; and for a while, to measure the speed."""
from __future__ import annotations

import math
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import Any, NamedTuple

from .errors import JammedError
from .system import CollisionSystem
from .textbook_face import TextbookSystem

CHUNK = 0.1             # seconds between looks at the clock: how long Ctrl-C may take
PROGRESS_EVERY = 0.5    # seconds
COLUMNS = 100           # of a terminal, at most

EQUILIBRATION = 20      # contacts of each disc before a measurement, on average ...
EQUILIBRATION_MAX = 10.0    # ... and seconds


class Run(NamedTuple):
    """What happened in a run."""

    start: float            # simulated time
    seconds: float          # wall clock
    counts: dict[str, int]  # the growth of the system's statistics
    energy_drift: float     # relative
    interrupted: bool       # by Ctrl-C
    jam: str                # the message of a JammedError, or ""


def run(system: CollisionSystem | TextbookSystem, until: float) -> Run:
    """Run to `until`, with progress on standard error if that is a terminal. Ctrl-C and a jam end it at its last event."""
    start, energy, counts, began = system.time, system.kinetic_energy, system.statistics, perf_counter()
    jam = ""
    with _deferred_interrupt() as interrupted, progress(start, until, "t = {:.6g} of {:.6g}") as show:
        try:
            while system.time < until and not interrupted():
                system.simulate(until=until, max_seconds=CHUNK)
                show(system.time)
            if not interrupted():
                system.simulate(until=until)    # contacts of that very instant that a chunk's end may have cut off
        except JammedError as error:
            jam = str(error)
    drift = (system.kinetic_energy - energy) / energy if energy else 0.0
    return Run(start, perf_counter() - began, _growth(counts, system.statistics), drift, interrupted(), jam)


class Measurement(NamedTuple):
    """How fast an engine is."""

    equilibration: int      # contacts before
    seconds: float          # of CPU time
    counts: dict[str, int]  # the growth of the system's statistics in that time


def measure(system: CollisionSystem, seconds: float) -> Measurement:
    """Let the system come to equilibrium, then count what it does in so many seconds of CPU time.

    ValueError if it comes to rest, so that there is nothing to measure.
    """
    equilibration = system.simulate(max_events=EQUILIBRATION * len(system) // 2, max_seconds=EQUILIBRATION_MAX)
    before, began = system.statistics, process_time()
    while (spent := process_time() - began) < seconds:
        if system.simulate(max_seconds=min(seconds - spent, CHUNK)) == 0 and system.peek() is None:
            raise ValueError("nothing to measure: no disc will ever touch anything")
    return Measurement(equilibration, spent, _growth(before, system.statistics))


def _growth(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return {key: after[key] - before[key] for key in after}


@contextmanager
def _deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Inside the block Ctrl-C only makes the yielded function say True, so that a system is left at an event.

    A second Ctrl-C does what it did before."""
    requested = False

    def note(number: int, frame: Any) -> None:
        nonlocal requested
        requested = True
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: requested
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def progress(start: float, until: float, text: str) -> Iterator[Callable[[float], None]]:
    """A function that shows how far a run has come: a bar where tqdm is installed, else a figure; nothing in a pipe.

    text: what is written beside it, a format of the present value and `until`."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda time: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        yield _percentage(start, until, text)
        print("\r\033[K", end="", file=sys.stderr)
        return
    size = shutil.get_terminal_size()       # for terminals that do not know theirs, in which tqdm shows nothing
    with tqdm(total=until - start, leave=False, mininterval=CHUNK, file=sys.stderr, ncols=min(size.columns, COLUMNS) - 1,
              nrows=size.lines, bar_format="{percentage:3.0f} % |{bar:30}| {desc}, {remaining} left") as bar:
        def show(time: float) -> None:
            bar.set_description_str(text.format(time, until), refresh=False)
            bar.update(time - start - bar.n)

        yield show


def _percentage(start: float, until: float, text: str) -> Callable[[float], None]:
    due = -math.inf

    def show(time: float) -> None:
        nonlocal due
        if perf_counter() >= due:
            due = perf_counter() + PROGRESS_EVERY
            part = 100 * (time - start) / (until - start)
            print(f"\r{part:3.0f} %  {text.format(time, until)}  ", end="", file=sys.stderr, flush=True)

    return show
