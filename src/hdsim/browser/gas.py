"""Gas: the five quantities of the sliders of a page, and a system changed to others. What each of them is, and how it is set, is
that of the window: see `hdsim.quantities`.

The number of discs makes a new random system, the others edit the discs and the box where they are. Either way an illegal gas is
refused as a whole, by the error of the public interface."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from .. import quantities
from ..model.box import Box
from ..model.roles import HasObstacles, offers
from ..starts.sources import random
from ..system import CollisionSystem

DISCS_MOST = 100_000        # of a new gas; a page draws more, but placing them takes long
SEED = 0                    # of the positions of a new gas
EQUAL = 1e-9                # relative difference of numbers that are equal but for their way through a page
SETTERS = {"radius": quantities.set_radius, "mass_ratio": quantities.set_mass_ratio,
           "temperature": quantities.set_temperature, "width": quantities.set_width}


@dataclass(frozen=True)
class Gas:
    """The quantities of the sliders, as `hdsim.quantities` has them."""

    discs: int
    radius: float           # 0 where there is none
    temperature: float      # 0 where there is none
    mass_ratio: float       # 1 where there is none
    width: float


QUANTITIES = tuple(field.name for field in fields(Gas))


def gas_of(system: Any) -> Gas:
    """The gas in the present state of a system."""
    ratio = quantities.mass_ratio(system)
    return Gas(len(system), quantities.radius(system) or 0.0, quantities.temperature(system) or 0.0,
               1.0 if ratio is None else ratio, quantities.width(system))


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
    """The way from the present state of `system` to this gas: a function that edits the system, if it has as many discs; else a
    new random system among the same obstacles. ValueError if there is no such gas."""
    if gas.discs == len(system):
        return lambda other: _edit_as_a_whole(other, gas)
    box = Box(gas.width, system.box.height, tuple(system.box.periodic))
    obstacles = system.obstacles if offers(system, HasObstacles) else ()
    fresh = random(gas.discs, radius=gas.radius or None, temperature=gas.temperature, mass=_usual_mass(system), seed=SEED,
                   box=box, k_B=float(system.k_B), obstacles=obstacles)
    _edit(fresh, replace(gas, radius=quantities.radius(fresh) or 0.0))
    return fresh


def _edit_as_a_whole(system: Any, gas: Gas) -> None:
    """Change all quantities, or none."""
    _edit(system.copy(), gas)       # raises the error of any of them
    _edit(system, gas)


def _edit(system: Any, gas: Gas) -> None:
    """Change those quantities that are others than in this gas."""
    for name, change in SETTERS.items():
        if not math.isclose(getattr(gas, name), getattr(gas_of(system), name), rel_tol=EQUAL):
            change(system, getattr(gas, name))


def _usual_mass(system: Any) -> float:
    """The least mass of the discs that are not the heavy ones; 0.5, that of the book's random discs, if there is no disc of
    finite mass."""
    masses = np.asarray(system.masses, float)[~quantities.heavy_discs(system)]
    return float(masses.min(initial=math.inf)) if np.isfinite(masses).any() else 0.5
