"""What experiments begin with: a fluid in equilibrium, or the system that SOURCE means; and progress reports."""
from __future__ import annotations

import math
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from ..observers import Observer
from ..reference.timers import Timed
from ..starts import sources
from ..system import Box, CollisionSystem

EQUILIBRATION = 30      # contacts of each disc, on average
PIECES = 8              # of a run of which predictions are counted: their scatter gives the error
LONELY = 100            # contacts of each disc with walls, and none with others, after which we wait no longer

Progress = Callable[[float], None]      # called with the share that is done, from 0 to 1


def silent(share: float) -> None:
    """A progress callback that does nothing."""


def opened(source: Any, seed: int | None, make: Callable[[int, int], CollisionSystem], n: int = 0) -> CollisionSystem:
    """The system that SOURCE means: make(n, seed) for None, make(N, seed) for a number of discs; a copy of a
    `CollisionSystem`; else what `hdsim.load` makes of it, and then a seed is refused."""
    number = count(source, n)
    if number is not None:
        return make(number, seed or 0)
    if seed is not None:
        raise ValueError(f"a seed has no meaning here for {source}: it is for a number of discs")
    return source.copy() if isinstance(source, CollisionSystem) else sources.load(source)


def count(source: Any, n: int) -> int | None:
    """The number of discs that SOURCE is: n for None; None where it is something else."""
    if isinstance(source, Timed):
        raise ValueError(f"expected an exact engine, which can be observed, found {source!r}")
    if source is None:
        return n
    if isinstance(source, int) or not isinstance(source, CollisionSystem) and sources.kind(source) == "number":
        if int(source) < 2:
            raise ValueError(f"expected 2 discs or more, found {source}")
        return int(source)
    return None


def fluid(n: int, eta: float, seed: int = 0, periodic: bool = True) -> CollisionSystem:
    """n equal discs of mass 1 in equilibrium in the unit box, at packing fraction `eta` and kT = 1 exactly.

    On periodic axes the total momentum is 0.
    """
    radius = math.sqrt(eta / (math.pi * n))
    box = Box(periodic=(periodic, periodic))
    system = sources.random(n, radius=radius, temperature=1.0, mass=1.0, seed=seed, box=box)
    with system.edit() as draft:
        if periodic:
            draft.velocities -= draft.velocities.mean(axis=0)
        draft.velocities /= math.sqrt(system.temperature)
    melt(system)
    return system


def melt(system: CollisionSystem) -> None:
    """Let the system come to equilibrium."""
    system.simulate(max_events=EQUILIBRATION * len(system) // 2)


def run_contacts(system: CollisionSystem, contacts: int) -> None:
    """Go on until `statistics` counts so many contacts of discs with discs; ValueError if there are none to come."""
    before = now = system.statistics
    while (missing := contacts - now["pair_contacts"]) > 0:
        done = system.simulate(max_events=missing)
        now = system.statistics
        lonely = now["wall_contacts"] - before["wall_contacts"] > LONELY * len(system)
        if done == 0 or lonely and now["pair_contacts"] == before["pair_contacts"]:
            raise ValueError("nothing to measure: no disc touches another")


def timed_pieces(system: CollisionSystem, contacts: int) -> tuple[float, np.ndarray]:
    """Go on for about so many contacts: seconds of CPU time per contact, and (PIECES,) predictions per contact of each piece."""
    each, seconds, seen = contacts // PIECES, 0.0, []
    for _ in range(PIECES):
        before, began = system.statistics["predictions"], process_time()
        system.simulate(max_events=each)
        seconds += process_time() - began
        seen.append((system.statistics["predictions"] - before) / each)
    return seconds / (PIECES * each), np.array(seen)


def theory_of(system: CollisionSystem, observer: Observer) -> float:
    """What theory says an observer will see; ValueError if it says nothing."""
    found = system.observe(observer).theory
    observer.detach()
    if found is None:
        raise ValueError("expected a fluid of mobile discs, found none that there is a theory of")
    return found


def has_walls(system: CollisionSystem) -> bool:
    """All round, or none at all; ValueError for a box that has some."""
    if any(system.box.periodic) and not all(system.box.periodic):
        raise ValueError("expected walls all round, or none; found walls along one axis")
    return not any(system.box.periodic)


def require_moving(system: CollisionSystem, walls: bool) -> None:
    """ValueError unless discs of equal radii move in a box with four walls, or in one with none."""
    require_equal(system, "radii")
    other_box = any(system.box.periodic) if walls else not all(system.box.periodic)
    if other_box or not np.isfinite(system.masses).all() or not system.temperature > 0:
        raise ValueError(f"expected moving discs of finite mass in a {'box with walls' if walls else 'periodic box'}, "
                         f"found {system!r}")


def require_equal(system: CollisionSystem, *properties: str) -> None:
    """ValueError unless all discs have the same mass, or radius, or both."""
    for name in properties:
        values = getattr(system, name)
        if len(values) and values.min() != values.max():
            raise ValueError(f"expected discs of equal {name}, found {values.min():g} to {values.max():g}")
