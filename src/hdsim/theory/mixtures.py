"""Mixtures of discs: pressure, contact values, collision rates and diffusion. Arguments for species are 1-D arrays with one entry
each."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _plain, _positive
from .collisions import pair_collision_rate
from .densities import number_density
from .equations import compressibility_factor, contact_value, inverse_compressibility, _eta
from .species import species_arrays


def mixture_compressibility_factor(eta: Values, fractions: Values, radii: Values,
                                   equation: str = "kolafa-rottner") -> Values:
    """Compressibility factor Z of a mixture: (1 - xi) / (1 - eta) + xi Z(eta), xi = <a>^2 / <a^2>, accurate to 0.2 %.

    fractions: number fractions (k,), or numbers of discs. radii: (k,). equation: of state for Z(eta), see
    `compressibility_factor`. Santos, Yuste and Lopez de Haro, Mol. Phys. 96, 1 (1999). That Z does not depend on masses is exact.
    """
    x, a = species_arrays(fractions, ("radii", radii))
    xi = (x * a).sum() ** 2 / (x * a**2).sum()
    return _plain((1 - xi) / (1 - _eta(eta, equation)) + xi * compressibility_factor(eta, equation))


def mixture_inverse_compressibility(eta: Values, fractions: Values, radii: Values) -> Values:
    """d(P / kT) / d rho of a mixture whose composition does not change: that of `mixture_compressibility_factor`. 1 for the ideal
    gas. Arguments as there."""
    x, a = species_arrays(fractions, ("radii", radii))
    xi = (x * a).sum() ** 2 / (x * a**2).sum()
    return _plain((1 - xi) / (1 - _eta(eta)) ** 2 + xi * inverse_compressibility(eta))


def mixture_contact_values(eta: float, fractions: Values, radii: Values,
                           equation: str = "kolafa-rottner") -> np.ndarray:
    """Contact values g_ij of a mixture, (k, k): 1 / (1 - eta) + (g(eta) - 1 / (1 - eta)) z, z = 2 a_i a_j / (a_i + a_j) <a> /
    <a^2>.

    Santos, Yuste and Lopez de Haro, J. Chem. Phys. 117, 5785 (2002); equation="henderson" gives the values of Jenkins
    and Mancini, J. Appl. Mech. 54, 27 (1987). The pressure that follows is exactly `mixture_compressibility_factor`; each g_ij is
    accurate to about 1 %. A fraction may be 0, which stands for a single disc among many others. Arguments as there.
    """
    x, a = species_arrays(fractions, ("radii", radii))
    ideal = 1 / (1 - float(_eta(eta, equation)))
    z = 2 * a[:, None] * a / (a[:, None] + a) * (x * a).sum() / (x * a**2).sum()
    return ideal + (contact_value(eta, equation) - ideal) * z


def mixture_collision_rates(eta: float, fractions: Values, radii: Values, masses: Values,
                            kT: float, freedom: float = math.inf, equation: str = "kolafa-rottner") -> np.ndarray:
    """Collisions per time nu_ij, (k, k), of one disc of species i with discs of species j; see `pair_collision_rate`.

    They satisfy x_i nu_ij = x_j nu_ji for number fractions x. The collisions of N discs per time are N / 2 times the sum of
    x_i nu_ij. fractions, radii, masses: (k,). The contact values are those of `mixture_contact_values`.
    """
    x, a, m = species_arrays(fractions, ("radii", radii), ("masses", masses))
    density = x * number_density(eta, 1.0) / (x * a**2).sum()
    g = mixture_contact_values(eta, fractions, radii, equation)
    return pair_collision_rate(density, a[:, None] + a, g, m[:, None] * m / (m[:, None] + m), kT, freedom)


def _frictions(eta: float, fractions: Values, radii: Values, masses: Values, kT: float) -> np.ndarray:
    """(k, k): the force on one disc of kind i over its velocity relative to the discs of kind j, over kT; 1 / D of i among j."""
    rates = mixture_collision_rates(eta, fractions, radii, masses, float(_positive("kT", kT)))
    m = np.asarray(masses, dtype=float)
    return 2 * m[:, None] * m / (m[:, None] + m) * rates / kT


def mixture_diffusion(eta: float, fractions: Values, radii: Values, masses: Values, kT: float) -> np.ndarray:
    """Diffusion coefficients D_i of single discs in a mixture at rest, (k,): kT / sum_j 2 mu_ij nu_ij, with the collision rates
    nu of `mixture_collision_rates`. First term of Sonine's series; for one kind it is `enskog_diffusion`, which says what this
    leaves out. Infinity at eta = 0. fractions, radii, masses: (k,).
    """
    with np.errstate(divide="ignore"):
        return 1 / _frictions(eta, fractions, radii, masses, kT).sum(axis=1)
