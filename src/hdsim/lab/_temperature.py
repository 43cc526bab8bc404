"""Exercise 8: temperature over time, from the mean kinetic energy."""
from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from ..language import tr
from ..starts import datasets, sources
from ..system import CollisionSystem
from .result import Check, Result, check_name
from .setting import Progress, opened, silent

SAMPLES = 400
CONTACTS, CONTACTS_QUICK = 400, 100     # mean contacts of a disc
PART = 10               # one disc in so many belongs to the part whose temperature is drawn too
DECIMALS = 12           # decimals of the velocities in the files
FIRST = "p1000-.5K"
NAMED = {name: float(found[1]) for name in datasets.names() if (found := re.search(r"-([\d.]+)K$", name))}


def temperature(source: Any = None, *, quick: bool = False, seed: int | None = None,
                progress: Progress = silent) -> Result:
    """Temperature T = sum of m v^2 / (2 N k_B) over time; k_B is 1.38 for the book's files.

    T of all discs is constant, because energy is conserved; T of a tenth of the discs fluctuates around it. Systems: every data
    set with a temperature in its name, compared with that. source: only this, anything that `hdsim.load` takes, or a system,
    compared with its temperature at the start. seed: of a number of discs.
    """
    if source is None and seed is not None:
        raise ValueError("a seed does not apply to the data sets: it is for a number of discs")
    if source is None:
        systems = {name: sources.load(name) for name in sorted(NAMED, key=lambda name: name != FIRST)}
        theories, law = [NAMED[name] for name in systems], tr("in the data set's name; k_B = 1.38")
    else:
        systems = {"the system": opened(source, seed, _scattered)}
        theories, law = [system.temperature for system in systems.values()], tr("its own at the start: energy is conserved")
    contacts = CONTACTS_QUICK if quick else CONTACTS
    unit = "K" if source is None else ""
    columns: dict[str, np.ndarray] = {}
    checks = []
    for done, ((name, system), theory) in enumerate(zip(systems.items(), theories)):
        error = _error(system, contacts, source is None)
        times, whole, part = _run(system, contacts,
                                  lambda share: progress((done + share) / len(systems)))
        columns |= {f"time of {name}": times, f"T of {name}": whole, f"T of a tenth of {name}": part}
        worst = whole[np.argmax(np.abs(whole - theory))]
        checks.append(Check(check_name("T of {name}", name=name), float(worst), 0.0, theory, error * theory, unit))
    return Result("temperature", tuple(checks), law, columns, (_draw,))


def _scattered(n: int, seed: int) -> CollisionSystem:
    return sources.load(str(n), seed=seed)


def _error(system: CollisionSystem, contacts: int, in_file: bool) -> float:
    """Relative standard error of the temperature.

    Each contact of a disc rounds its energy by at most 2^-53. In a file, the error of each velocity component is uniform within
    half of its last decimal, d, which makes 2 (d / sqrt(12)) / sqrt(sum of v^2).
    """
    rounding = 2.0**-53 * math.sqrt(contacts)
    squares = float(np.square(system.velocities).sum())
    return math.hypot(rounding, 2 * 10.0**-DECIMALS / math.sqrt(12 * squares)) if in_file else rounding


def _run(system: CollisionSystem, contacts: int, progress: Progress) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, temperatures of all discs, and temperatures of one disc in PART; the start is included."""
    rows = []
    part = np.flatnonzero(np.isfinite(system.masses))[::PART]
    for sample in range(SAMPLES + 1):
        if sample:
            system.simulate(max_events=max(contacts * len(system) // (2 * SAMPLES), 1))
        energies = 0.5 * system.masses[part] * np.square(system.velocities[part]).sum(axis=1)
        rows.append((system.time, system.temperature, energies.mean() / system.k_B))
        progress(sample / SAMPLES)
    times, whole, tenth = np.array(rows).T
    return times, whole, tenth


def _draw(result: Result, ax: Any) -> None:
    seen = set()
    for check in result.checks:
        if check.theory in seen:
            continue
        seen.add(check.theory)
        times = result[f"time{check.what[1:]}"]
        (line,) = ax.plot(times - times[0], result[f"T of a tenth{check.what[1:]}"], linewidth=0.7, alpha=0.5)
        ax.plot(times - times[0], result[check.what], ".", markersize=4, color=line.get_color(), label=check.what[5:])
        ax.axhline(check.theory, color="black", linewidth=0.8)
    ax.set(xlabel="time (time units)", ylabel=f"temperature ({result.unit or 'energy / k_B'})", xlim=(0, None),
           title="Temperature over time: dots, of all discs;\nthin, of one in ten; lines, theory")
    if result.unit:
        ax.set_yscale("log")
        ax.set_yticks(sorted(seen), [f"{value:g}" for value in sorted(seen)], minor=False)
        ax.minorticks_off()
    ax.legend(fontsize="small")
