"""The balance of the energy of a system: what the discs have, what contacts have taken, and what came from outside."""
from __future__ import annotations

from typing import NamedTuple


class EnergyBalance(NamedTuple):
    """The energy of the discs and pistons and where it has gone, mass * length^2 / time^2: kinetic + potential + dissipated
    - work - heat is constant.

    kinetic: of the discs of finite mass and the pistons, now. potential: of their weights, 0 without gravity. dissipated: by
    contacts with a coefficient of restitution below 1, so far. work: done on discs and pistons so far by what moves: obstacles,
    thermal sides along themselves, discs of infinite mass, and the loads of pistons. heat: that discs have got from thermal
    surfaces so far. drift: the change of the constant sum since the start, or since the last change of the discs by the user,
    relative to the largest of its terms: rounding errors only."""

    kinetic: float
    potential: float
    dissipated: float
    work: float
    heat: float
    drift: float


def balance_of(kinetic: float, dissipated: float, work: float, heat: float, change: float, potential: float = 0.0
               ) -> EnergyBalance:
    """The balance with these energies, and this absolute change of the constant sum."""
    scale = max(kinetic, abs(potential), dissipated, abs(work), abs(heat))
    return EnergyBalance(kinetic, potential, dissipated, work, heat, change / scale if change else 0.0)
