"""Mixtures: 1-D arrays, one entry for each species."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _not_negative, _plain, _positive
from .collisions import pair_collision_rate
from .densities import number_density
from .equations import compressibility_factor, contact_value, _eta


def _species(fractions: Values, *others: tuple[str, Values]) -> list[np.ndarray]:
    arrays = [_not_negative("fractions", fractions), *(_positive(name, values) for name, values in others)]
    shapes = [a.shape for a in arrays]
    if any(shape != shapes[0] or len(shape) != 1 for shape in shapes):
        raise ValueError(f"fractions, {', '.join(name for name, _ in others)} have the shapes {shapes}; "
                         "each must have one entry for each species")
    if not arrays[0].sum() > 0:
        raise ValueError("fractions are all 0; one at least must be positive")
    return [arrays[0] / arrays[0].sum(), *arrays[1:]]


def mixture_compressibility_factor(eta: Values, fractions: Values, radii: Values,
                                   equation: str = "kolafa-rottner") -> Values:
    """Z of a mixture: (1 - xi) / (1 - eta) + xi Z(eta), xi = <a>^2 / <a^2>. Fractions by number (or numbers). To 0.2 %.

    Masses do not matter: exact. Santos, Yuste and Lopez de Haro, Mol. Phys. 96, 1 (1999).
    """
    x, a = _species(fractions, ("radii", radii))
    xi = (x * a).sum() ** 2 / (x * a**2).sum()
    return _plain((1 - xi) / (1 - _eta(eta, equation)) + xi * compressibility_factor(eta, equation))


def mixture_contact_values(eta: float, fractions: Values, radii: Values,
                           equation: str = "kolafa-rottner") -> np.ndarray:
    """g_ij at contact, (k, k): 1 / (1 - eta) + (g(eta) - 1 / (1 - eta)) z, z = 2 a_i a_j / (a_i + a_j) <a> / <a^2>.

    Santos, Yuste and Lopez de Haro, J. Chem. Phys. 117, 5785 (2002); with equation="henderson" it is that of Jenkins
    and Mancini, J. Appl. Mech. 54, 27 (1987). Agrees with `mixture_compressibility_factor` exactly; each g_ij to about
    1 %. A fraction may be 0: a single disc among others.
    """
    x, a = _species(fractions, ("radii", radii))
    ideal = 1 / (1 - float(_eta(eta, equation)))
    z = 2 * a[:, None] * a / (a[:, None] + a) * (x * a).sum() / (x * a**2).sum()
    return ideal + (contact_value(eta, equation) - ideal) * z


def mixture_collision_rates(eta: float, fractions: Values, radii: Values, masses: Values,
                            kT: float, freedom: float = math.inf, equation: str = "kolafa-rottner") -> np.ndarray:
    """nu_ij, (k, k): collisions per time of one disc of species i with those of species j; see `pair_collision_rate`.

    x_i nu_ij = x_j nu_ji. All collisions of N discs per time: N / 2 sum of x_i nu_ij.
    """
    x, a, m = _species(fractions, ("radii", radii), ("masses", masses))
    density = x * number_density(eta, 1.0) / (x * a**2).sum()
    g = mixture_contact_values(eta, fractions, radii, equation)
    return pair_collision_rate(density, a[:, None] + a, g, m[:, None] * m / (m[:, None] + m), kT, freedom)
