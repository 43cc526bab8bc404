"""Gas: the five quantities of the sliders of a page, read from a system, and a system changed to others.

Temperature, radius and mass ratio are changed by an edit of the discs. The number of discs and the width of the box make a new
random system. Either way an illegal gas is refused as a whole, by the error of the public interface."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ..model.box import Box
from ..model.roles import HasObstacles, offers
from ..starts.sources import random
from ..starts.states import thermal_velocities
from ..system import CollisionSystem

DISCS_MOST = 100_000        # of a new gas; a page draws more, but placing them takes long
SEED = 0                    # of the positions of a new gas, and of velocities of discs that are at rest
EQUAL = 1e-9                # relative difference of numbers that are equal but for their way through a page


@dataclass(frozen=True)
class Gas:
    """The quantities of the sliders."""

    discs: int
    radius: float           # median of the radii, length units
    temperature: float      # as `CollisionSystem.temperature`
    mass_ratio: float       # mass of the heaviest disc over that of the lightest, discs of infinite mass left out
    width: float            # of the box, length units


QUANTITIES = tuple(field.name for field in fields(Gas))


def gas_of(system: Any) -> Gas:
    """The gas in the present state of a system. Of an empty system all but the width are 0, and the ratio is 1."""
    masses = np.asarray(system.masses, float)
    masses = masses[np.isfinite(masses)]
    return Gas(len(system), float(np.median(system.radii)) if len(system) else 0.0, float(system.temperature),
               float(masses.max() / masses.min()) if len(masses) else 1.0, float(system.box.width))


def wanted(system: Any, values: dict[str, Any]) -> Gas:
    """The gas that differs from that of the system by `values`. ValueError for an unknown quantity and for a value that is no
    number, not finite or out of range."""
    gas = gas_of(system)
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if name not in QUANTITIES:
            raise ValueError(f"a gas has {', '.join(QUANTITIES)}, and no {name!r}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise ValueError(f"{name} is {value!r}; it must be a finite number")
        if name == "discs" and not (value == int(value) and 1 <= value <= DISCS_MOST):
            raise ValueError(f"discs is {value!r}; it must be a whole number from 1 to {DISCS_MOST}")
        if name in ("radius", "mass_ratio", "width") and not value > 0 or value < 0:
            raise ValueError(f"{name} is {value!r}; it must be {'at least' if name == 'temperature' else 'above'} 0")
        changes[name] = int(value) if name == "discs" else float(value)
    return replace(gas, **changes)


def change_to(system: Any, gas: Gas) -> Callable[[Any], None] | CollisionSystem:
    """The way from the present state of `system` to this gas: a function that edits the system, if number of discs and width of
    the box are those of the system; else a new random system among the same obstacles. ValueError if there is no such gas."""
    before = gas_of(system)
    if gas.discs == before.discs and math.isclose(gas.width, before.width, rel_tol=EQUAL):
        return lambda other: _edit(other, gas)
    box = Box(gas.width, system.box.height, tuple(system.box.periodic))
    obstacles = system.obstacles if offers(system, HasObstacles) else ()
    fresh = random(gas.discs, radius=gas.radius or None, temperature=gas.temperature, mass=_lightest(system), seed=SEED, box=box,
                   k_B=float(system.k_B), obstacles=obstacles)
    _edit(fresh, replace(gas, radius=float(fresh.radii[0])))
    return fresh


def _edit(system: Any, gas: Gas) -> None:
    """Change the discs at once to radii of this median, masses of this ratio and this temperature. The masses of discs with an
    odd index become the ratio times those of the others, unless the ratio is what it was."""
    before = gas_of(system)
    masses = np.array(system.masses, float)
    if not math.isclose(gas.mass_ratio, before.mass_ratio, rel_tol=EQUAL):
        mobile = np.isfinite(masses)
        masses[mobile] = _lightest(system) * np.where(np.arange(len(masses))[mobile] % 2, gas.mass_ratio, 1.0)
    radii = np.array(system.radii, float)
    if not math.isclose(gas.radius, before.radius, rel_tol=EQUAL):
        radii = radii * (gas.radius / before.radius) if before.radius > 0 else np.full(len(radii), gas.radius)
    velocities = _heated(system, masses, gas.temperature)
    with system.edit() as draft:
        draft.radii, draft.masses, draft.velocities = radii, masses, velocities


def _heated(system: Any, masses: np.ndarray, temperature: float) -> np.ndarray:
    """The velocities of the system, (n, 2), multiplied by one factor, such that with these masses it has this temperature."""
    trial = system.copy()
    with trial.edit() as draft:
        draft.masses = masses
    if math.isclose(trial.temperature, temperature, rel_tol=EQUAL):
        return np.array(system.velocities, float)
    if trial.temperature > 0:
        return np.asarray(system.velocities, float) * math.sqrt(temperature / trial.temperature)
    return thermal_velocities(masses, temperature, SEED, box=system.box, k_B=float(system.k_B))


def _lightest(system: Any) -> float:
    """The smallest mass; 0.5, that of the book's random discs, if there is no disc of finite mass."""
    masses = np.asarray(system.masses, float)
    return float(masses.min(initial=math.inf)) if np.isfinite(masses).any() else 0.5
