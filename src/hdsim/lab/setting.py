"""What the experiments share: systems to begin with, requirements on them, and runs of a number of contacts."""
from __future__ import annotations

import math
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from ..model.numbers import whole_seed
from ..observers import Observer
from ..reference.timers import Timed
from ..starts import sources
from ..system import Box, CollisionSystem

EQUILIBRATION = 30      # mean contacts of a disc
PIECES = 8              # pieces of a run in which predictions are counted; their scatter gives the error
LONELY = 100            # after so many wall contacts per disc without a disc-disc contact, a run gives up

Progress = Callable[[float], None]      # called with the fraction that is done, from 0 to 1


def seed_of(seed: int | None) -> int:
    """The seed of an experiment, 0 if none is given. TypeError for what is no whole number."""
    return 0 if seed is None else whole_seed(seed)


def silent(share: float) -> None:
    """A progress callback that does nothing."""


def opened(source: Any, seed: int | None, make: Callable[[int, int], CollisionSystem], n: int = 0) -> CollisionSystem:
    """The system that SOURCE describes: make(n, seed) for None, make(N, seed) for a number N of discs; a copy of a
    `CollisionSystem`; otherwise `hdsim.load(source)`, and then a seed is a ValueError."""
    number = count(source, n)
    if number is not None:
        return make(number, seed_of(seed))
    if seed is not None:
        raise ValueError(f"a seed does not apply to {source}: it is for a number of discs")
    return system_of(source)


def system_of(source: Any) -> CollisionSystem:
    """A copy of a `CollisionSystem`, or what `hdsim.load(source)` returns. ValueError for a gas in another space."""
    system = source.copy() if isinstance(source, CollisionSystem) else sources.load(source)
    if not isinstance(system, CollisionSystem):
        raise ValueError(f"{source}: a gas in another space; this exercise is about discs in a box")
    return system


def count(source: Any, n: int) -> int | None:
    """The number of discs that SOURCE gives, n if it is None; None if it is not a number. ValueError for a number below 2."""
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
    """Run for EQUILIBRATION contacts per disc, which brings the system to equilibrium."""
    system.simulate(max_events=EQUILIBRATION * len(system) // 2)


def run_contacts(system: CollisionSystem, contacts: int) -> None:
    """Run until `statistics` counts so many disc-disc contacts. ValueError if discs do not touch each other."""
    before = now = system.statistics
    while (missing := contacts - now["pair_contacts"]) > 0:
        done = system.simulate(max_events=missing)
        now = system.statistics
        lonely = now["wall_contacts"] - before["wall_contacts"] > LONELY * len(system)
        if done == 0 or lonely and now["pair_contacts"] == before["pair_contacts"]:
            raise ValueError("nothing to measure: no disc touches another")


def timed_pieces(system: CollisionSystem, contacts: int) -> tuple[float, np.ndarray]:
    """Run a new system for about so many contacts; returns CPU seconds per contact, and predictions per contact of each piece,
    (PIECES,), less those of a rebase: from time to time all discs are predicted again, as at the beginning, so that a short run
    has none, or one."""
    each, seconds, seen, beginning = contacts // PIECES, 0.0, [], system.statistics["predictions"]
    for _ in range(PIECES):
        before, began = system.statistics, process_time()
        system.simulate(max_events=each)
        seconds += process_time() - began
        now = system.statistics
        rebases = now["rebases"] - before["rebases"]
        seen.append((now["predictions"] - before["predictions"] - rebases * beginning) / each)
    return seconds / (PIECES * each), np.array(seen)


def theory_of(system: CollisionSystem, observer: Observer) -> float:
    """The theoretical value of an observer of this system. ValueError if there is no theory."""
    found = system.observe(observer).theory
    observer.detach()
    if found is None:
        raise ValueError("expected a fluid of mobile discs, found none that there is a theory of")
    return found


def has_walls(system: CollisionSystem) -> bool:
    """True for a box with four walls, False for a periodic box. ValueError for a box with walls along one axis."""
    if any(system.box.periodic) and not all(system.box.periodic):
        raise ValueError("expected walls all round, or none; found walls along one axis")
    return not any(system.box.periodic)


def require_no_obstacles(system: CollisionSystem) -> None:
    """ValueError if the system has obstacles that are there now or later: the theory is that of an empty box."""
    here = [obstacle for obstacle in system.obstacles if obstacle.until > system.time]
    if here:
        raise ValueError(f"expected a box without obstacles, of which theory speaks, found {len(here)} in {system!r}")


def require_moving(system: CollisionSystem, walls: bool) -> None:
    """ValueError unless discs of equal radii move in a box with four walls, or in one with none."""
    require_equal(system, "radii")
    other_box = any(system.box.periodic) if walls else not all(system.box.periodic)
    if other_box or not np.isfinite(system.masses).all() or not system.temperature > 0:
        raise ValueError(f"expected moving discs of finite mass in a {'box with walls' if walls else 'periodic box'}, "
                         f"found {system!r}")


def require_equal(system: CollisionSystem, *properties: str, among: Any = slice(None)) -> None:
    """ValueError unless all discs, or those of the mask `among`, (n,) bool, have the same mass, or radius, or both."""
    for name in properties:
        values = getattr(system, name)[among]
        if len(values) and values.min() != values.max():
            raise ValueError(f"expected discs of equal {name}, found {values.min():g} to {values.max():g}")
