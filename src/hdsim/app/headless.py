"""Runs without a window: to a given time, for a film, or for some seconds of CPU time to measure the speed."""
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
from ..spaces.paper import Paper
from ..system import CollisionSystem, EnergyBalance
from ..system.waiting import CHUNK, deferred_interrupt, progress

if TYPE_CHECKING:
    from ..viewer import Reel, Shots

EQUILIBRATION = 20      # mean number of contacts of a disc before a measurement ...
EQUILIBRATION_MAX = 10.0    # ... but at most this many seconds of wall clock


AnySystem = CollisionSystem | TextbookSystem | TimeDrivenSystem | SideBySide | Paper


class Run(NamedTuple):
    """The outcome of a run."""

    start: float            # simulated time at the beginning
    seconds: float          # of wall-clock time
    counts: dict[str, int]  # by how much each of the system's statistics grew
    energy_drift: float     # change of the kinetic energy over its value at the beginning, or the drift of the energy balance
    interrupted: bool       # whether Ctrl-C ended the run
    jam: str                # the message of the JammedError that ended the run, or ""


def run(system: AnySystem, until: float) -> Run:
    """Run the system to the time `until`, with a progress line on standard error if that is a terminal.

    Ctrl-C and a jam end the run after its latest event, without an exception: see `Run.interrupted` and `Run.jam`.
    """
    return _account(system, partial(_run, system, until))


def film(system: AnySystem, reel: Reel, shots: Shots) -> Run:
    """Run the system through the shots of a film and write the frames to `reel`. Ctrl-C or a jam end run and film."""
    return _account(system, partial(_film, system, reel, shots))


def _account(system: AnySystem, go: Callable[[], bool]) -> Run:
    """Call `go`, which runs the system and returns whether Ctrl-C ended the run; returns the outcome."""
    start, energy, counts, began = system.time, system.kinetic_energy, system.statistics, perf_counter()
    interrupted, jam = False, ""
    try:
        interrupted = go()
    except JammedError as error:
        jam = str(error)
    balance = balance_of(system)
    if balance is not None:
        drift = balance.drift
    else:
        drift = (system.kinetic_energy - energy) / energy if energy else 0.0
    return Run(start, perf_counter() - began, _growth(counts, system.statistics), drift, interrupted, jam)


def balance_of(system: AnySystem) -> EnergyBalance | None:
    """The balance of energies of a system whose contacts need not keep the kinetic energy; None for others."""
    if isinstance(system, (CollisionSystem, Paper)):
        return None if system.conserves_energy else system.energy_balance()
    return system.energy_balance() if isinstance(system, TextbookSystem) else None


def _run(system: AnySystem, until: float) -> bool:
    with deferred_interrupt() as interrupted, progress(system.time, until, tr("t = {:.6g} of {:.6g}")) as show:
        while system.time < until and not interrupted():
            system.simulate(until=until, max_seconds=CHUNK)
            show(system.time)
        if not interrupted():
            system.simulate(until=until)    # max_seconds may have ended the last chunk between contacts at t = until
        return interrupted()


def _film(system: AnySystem, reel: Reel, shots: Shots) -> bool:
    from .. import viewer

    try:
        viewer.shoot(system, reel, shots)
    except KeyboardInterrupt:
        return True
    return False


class Measurement(NamedTuple):
    """The speed of an engine: the work done, and the CPU time that it took."""

    equilibration: int      # contacts before the measurement
    seconds: float          # of CPU time
    counts: dict[str, int]  # by how much each of the system's statistics grew in that time


def measure(system: CollisionSystem, seconds: float) -> Measurement:
    """Equilibrate the system, then count its work during `seconds` of CPU time.

    ValueError if no disc will ever touch another disc or a wall.
    """
    equilibration = system.simulate(max_events=EQUILIBRATION * len(system) // 2, max_seconds=EQUILIBRATION_MAX)
    before, began = system.statistics, process_time()
    while (spent := process_time() - began) < seconds:
        if system.simulate(max_seconds=min(seconds - spent, CHUNK)) == 0 and system.peek() is None:
            raise ValueError("nothing to measure: no disc will ever touch anything")
    return Measurement(equilibration, spent, _growth(before, system.statistics))


def _growth(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return {key: after[key] - before[key] for key in after}
