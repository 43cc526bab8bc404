"""Runs without a window: to a time, until done or interrupted; and for a while, to measure the speed."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

from ..language import tr
from ..model.errors import JammedError
from ..reference.side_by_side import SideBySide
from ..reference.textbook_face import TextbookSystem
from ..reference.timestep import TimeDrivenSystem
from ..system import CollisionSystem
from ..system.waiting import CHUNK, deferred_interrupt, progress

if TYPE_CHECKING:
    from ..viewer import Reel, Shots

EQUILIBRATION = 20      # contacts of each disc before a measurement, on average ...
EQUILIBRATION_MAX = 10.0    # ... and seconds


AnySystem = CollisionSystem | TextbookSystem | TimeDrivenSystem | SideBySide


class Run(NamedTuple):
    """What happened in a run."""

    start: float            # simulated time
    seconds: float          # wall clock
    counts: dict[str, int]  # the growth of the system's statistics
    energy_drift: float     # relative
    interrupted: bool       # by Ctrl-C
    jam: str                # the message of a JammedError, or ""


def run(system: AnySystem, until: float) -> Run:
    """Run to `until`, with progress on standard error if that is a terminal. Ctrl-C and a jam end it at its last event."""
    return _account(system, partial(_run, system, until))


def film(system: AnySystem, reel: Reel, shots: Shots) -> Run:
    """Run through the shots of a film; it ends where Ctrl-C or a jam end the run."""
    return _account(system, partial(_film, system, reel, shots))


def _account(system: AnySystem, go: Callable[[], bool]) -> Run:
    """Let the system run; `go` says whether Ctrl-C ended that."""
    start, energy, counts, began = system.time, system.kinetic_energy, system.statistics, perf_counter()
    interrupted, jam = False, ""
    try:
        interrupted = go()
    except JammedError as error:
        jam = str(error)
    drift = (system.kinetic_energy - energy) / energy if energy else 0.0
    return Run(start, perf_counter() - began, _growth(counts, system.statistics), drift, interrupted, jam)


def _run(system: AnySystem, until: float) -> bool:
    with deferred_interrupt() as interrupted, progress(system.time, until, tr("t = {:.6g} of {:.6g}")) as show:
        while system.time < until and not interrupted():
            system.simulate(until=until, max_seconds=CHUNK)
            show(system.time)
        if not interrupted():
            system.simulate(until=until)    # contacts of that very instant that a chunk's end may have cut off
        return interrupted()


def _film(system: AnySystem, reel: Reel, shots: Shots) -> bool:
    from .. import viewer

    try:
        viewer.shoot(system, reel, shots)
    except KeyboardInterrupt:
        return True
    return False


class Measurement(NamedTuple):
    """The speed of an engine: work done, and the CPU time that it took."""

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
