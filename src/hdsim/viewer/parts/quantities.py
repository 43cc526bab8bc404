"""What the sliders of the gas read and set: by public members of a system, through edits."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...model.roles import HasObstacles, offers


def usual_discs(system: Any) -> np.ndarray:
    """(n,) bool: the discs of the most numerous kind of mass and radius, of finite mass."""
    masses, radii = np.asarray(system.masses, float), np.asarray(system.radii, float)
    mobile = np.isfinite(masses)
    if not mobile.any():
        return mobile
    kinds, which, counts = np.unique(np.column_stack([masses, radii])[mobile], axis=0, return_inverse=True, return_counts=True)
    found = np.zeros(len(masses), bool)
    found[np.flatnonzero(mobile)[which.reshape(-1) == np.argmax(counts)]] = True
    return found


def radius(system: Any) -> float | None:
    radii = np.asarray(system.radii, float)[usual_discs(system)]
    return float(radii[0]) if len(radii) and radii[0] > 0 else None


def set_radius(system: Any, value: float) -> bool:
    with system.edit() as draft:
        draft.radii[usual_discs(system)] = value
    return True


def temperature(system: Any) -> float | None:
    """The mean kinetic energy of discs of finite mass, which is k_B T in two dimensions."""
    mobile = int(np.isfinite(np.asarray(system.masses, float)).sum())
    energy = float(system.kinetic_energy)
    return energy / mobile if mobile and energy > 0 else None


def set_temperature(system: Any, value: float) -> bool:
    now = temperature(system)
    if now is not None:
        with system.edit() as draft:
            draft.velocities[np.isfinite(draft.masses)] *= math.sqrt(value / now)
    return True


def heavy_discs(system: Any) -> np.ndarray:
    """(n,) bool: the discs whose mass the ratio sets: those of finite mass that are of another species than disc 0; if there is
    one species only, every second disc."""
    species = np.asarray(system.species) if offers(system, HasObstacles) else np.zeros(len(system), int)
    others = species != species[0] if len(species) else np.zeros(0, bool)
    if not others.any():
        others = np.arange(len(species)) % 2 == 1
    return others & np.isfinite(np.asarray(system.masses, float))


def mass_ratio(system: Any) -> float | None:
    masses, heavy = np.asarray(system.masses, float), heavy_discs(system)
    light = ~heavy & np.isfinite(masses)
    return float(masses[heavy].mean() / masses[light].mean()) if heavy.any() and light.any() else None


def set_mass_ratio(system: Any, value: float) -> bool:
    """Set the masses, and the speeds such that each disc keeps its kinetic energy."""
    now, heavy = mass_ratio(system), heavy_discs(system)
    if now is not None:
        with system.edit() as draft:
            draft.masses[heavy] *= value / now
            draft.velocities[heavy] *= math.sqrt(now / value)
    return True


def width(system: Any) -> float:
    return float(system.box.width)


def set_width(system: Any, value: float) -> bool:
    """Move the right wall: at once outwards, and inwards as far as the discs allow. The wall jumps between two contacts, so it
    does no work."""
    box, wanted = system.box, value
    if not box.periodic[0] and len(system):
        x, radii = np.asarray(system.positions, float)[:, 0], np.asarray(system.radii, float)
        value = max(value, float((x + radii).max()))
    with system.edit() as draft:
        draft.box = value, box.height
    return value == wanted
