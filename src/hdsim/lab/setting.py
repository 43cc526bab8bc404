"""What experiments begin with: a fluid in equilibrium, or the system that SOURCE means; and whom they tell how far."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import sources
from ..system import Box, CollisionSystem

EQUILIBRATION = 30      # contacts of each disc, on average
LONELY = 100            # contacts of each disc with walls, and none with others, after which we wait no longer

Progress = Callable[[float], None]      # is told the share that is done, from 0 to 1


def silent(share: float) -> None:
    """Tells nobody."""


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


def require_equal(system: CollisionSystem, *properties: str) -> None:
    """ValueError unless all discs have the same mass, or radius, or both."""
    for name in properties:
        values = getattr(system, name)
        if len(values) and values.min() != values.max():
            raise ValueError(f"expected discs of equal {name}, found {values.min():g} to {values.max():g}")
