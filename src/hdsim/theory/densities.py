"""Packing fraction, number density, thermal energy."""
from __future__ import annotations

import math

from ..model.configuration import K_B
from .arguments import Values, _checked, _not_negative, _plain, _positive
from .equations import CLOSE_PACKING


def packing_fraction(density: Values, radius: Values) -> Values:
    """Packing fraction pi a^2 rho: area of the discs / area."""
    return _plain(math.pi * _not_negative("radius", radius) ** 2 * _not_negative("density", density))


def number_density(eta: Values, radius: Values) -> Values:
    """Number density eta / (pi a^2), discs / area, for 0 <= eta <= 0.9069, the close packing."""
    eta = _checked("eta", eta, lambda a: (a >= 0) & (a <= CLOSE_PACKING), "from 0 to close packing, 0.9069")
    return _plain(eta / (math.pi * _positive("radius", radius) ** 2))


def thermal_energy(temperature: Values, k_B: float = K_B) -> Values:
    """kT = k_B T. With the default k_B = 1.38, T is in the unit of the book's file names (p1000-.5K has kT = 0.69)."""
    return _plain(_positive("k_B", k_B) * _not_negative("temperature", temperature))
