"""Exact relations for a fixed energy that D velocity components share: temperature, moments, equipartition, kurtosis."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _checked, _count, _freedom, _not_negative, _order, _plain, _positive, _share


def degrees_of_freedom(n: Values, periodic: tuple[bool, ...] = (False, False)) -> Values:
    """Degrees of freedom D = d n - number of periodic axes. Along a periodic axis the total momentum is conserved, and is taken
    to be 0. periodic: for each of the d axes, whether it is periodic."""
    return _plain(len(periodic) * _count("n", n) - sum(map(bool, periodic)))


def kinetic_temperature(energy: Values, freedom: Values) -> Values:
    """kT = 2 E / D: E / N between walls, E / (N - 1) on two periodic axes. energy: kinetic energy without that of the motion of
    the centre of mass along periodic axes."""
    freedom = _checked("freedom", freedom, lambda a: (a > 0) & (a < math.inf), "positive and finite")
    return _plain(2 * _not_negative("energy", energy) / freedom)


def _gamma_step(z: np.ndarray) -> np.ndarray:
    """Gamma(z + 1/2) / (Gamma(z) sqrt(z)), z >= 1/2; 1 at infinity. Relative error below 1e-13."""
    w = 1 / np.maximum(z, 50.0)
    far = 1 - w / 8 * (1 - w / 16 * (1 + 5 * w / 8 * (1 - 21 * w / 160 * (1 + 19 * w / 8))))
    near = np.vectorize(lambda s: math.exp(math.lgamma(s + 0.5) - math.lgamma(s)) / math.sqrt(s), otypes=[float])
    return np.where(z >= 50.0, far, near(np.minimum(z, 50.0)))


def speed_factor(freedom: Values) -> Values:
    """Factor c by which the mean of |v_x| at fixed energy exceeds that of Maxwell's distribution with the same kT:
    c = Gamma(D/2) sqrt(D/2) / Gamma((D+1)/2) = 1 + 1/(4 D) + ...

    Exact. Mean speeds and all collision rates have this factor. 1.00012220 for 1024 periodic discs.
    """
    return _plain(1 / _gamma_step(_freedom(freedom) / 2))


def momentum_transfer_moment(order: int, reduced_mass: Values, kT: Values, freedom: Values = math.inf) -> Values:
    """Moment <J^k> of the impulse J = 2 mu |v_n| of collisions: (8 mu kT)^(k/2) Gamma(1 + k/2) (D/2)^(k/2) Gamma(z) / Gamma(z +
    k/2), z = (D + 1) / 2.

    order: k. Exact at any density if the total momentum is 0 along periodic axes. At a wall the reduced mass mu is the mass of
    the disc. For discs of equal mass m, <J> = sqrt(pi m kT) / c (c: `speed_factor`) and <J^2> = 4 m kT D / (D + 1).
    """
    order = _order("order", order)
    mu, kT, freedom = _positive("reduced_mass", reduced_mass), _not_negative("kT", kT), _freedom(freedom, 2)
    result = (8 * mu * kT) ** (order / 2) * math.gamma(1 + order / 2) / np.ones_like(freedom)
    odd = order % 2
    if odd:
        result = result / (np.sqrt(1 + 1 / freedom) * _gamma_step((freedom + 1) / 2))
    for j in range(order // 2):
        result = result / (1 + (1 + odd + 2 * j) / freedom)
    return _plain(result)


def energy_moment(order: int, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0) -> Values:
    """Moment <e^k> of the kinetic energy e of one disc: k! s^k / ((1 + 2/D) (1 + 4/D) ... (1 + 2 (k-1)/D)), s = kT (1 -
    mass_fraction).

    order: k. mass_fraction: 0 between walls; with two periodic axes (total momentum 0), the mass of the disc divided by the total
    mass. Exact.
    """
    order, freedom = _order("order", order), _freedom(freedom, 3)
    mean = _not_negative("kT", kT) * (1 - _share("mass_fraction", mass_fraction))
    result = math.factorial(order) * mean**order
    for j in range(1, order):
        result = result / (1 + 2 * j / freedom)
    return _plain(result / np.ones_like(freedom))


def equipartition(kT: Values, mass_fraction: Values = 0.0) -> Values:
    """Mean kinetic energy of one disc: kT between walls, kT (1 - m / M) with two periodic axes and total momentum 0. Exact.
    mass_fraction: m / M, as in `energy_moment`."""
    return energy_moment(1, kT, mass_fraction=mass_fraction)


def velocity_kurtosis(freedom: Values = math.inf, d: int = 2) -> Values:
    """Kurtosis <v^4> / <v^2>^2 = (1 + 2/d) D / (D + 2) of the velocities of equal balls in d dimensions. Exact. For Maxwell's
    distribution 2 in the plane and 5/3 in space; 1 would mean equal speeds."""
    return _plain((1 + 2 / _order("d", d, 1)) / (1 + 2 / _freedom(freedom, 3)))


def kurtosis_relaxation(collisions_per_disc: Values) -> Values:
    """Kurtosis <v^4> / <v^2>^2 after c collisions per disc, for initially equal speeds: 2 - exp(-0.37 c), at any density.

    Empirical, accurate to 0.05. It begins more slowly, as 1 + 64/225 c (exact for molecular chaos); the constant 0.37 is right
    near c = 6.
    """
    return _plain(2 - np.exp(-0.37 * _not_negative("collisions_per_disc", collisions_per_disc)))
