"""Pistons: where a free one is in equilibrium, and what compression does to the temperature and the entropy of a gas."""
from __future__ import annotations

import math

import numpy as np

from . import spheres
from .arguments import Values, _checked, _count, _not_negative, _order, _plain, _positive
from .equations import contact_value
from .walls import _room, wall_pressures

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_DENSEST = 0.6      # packing fraction of the gas that a piston is taken to compress: a fluid, also next to walls
_STEPS = 1000       # of the place of a piston


def _beta(left: Values, right: Values, length: Values, radius: Values) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The two exponents of the beta law, the least place, and the room of the places."""
    a, b = _count("left", left, 0) + 1.0, _count("right", right, 0) + 1.0
    radius = _not_negative("radius", radius)
    return a, b, 2 * radius, np.asarray(_room(2 * radius, length))


def piston_pdf(place: Values, left: Values, right: Values, length: Values = 1.0, radius: Values = 0.0) -> Values:
    """Probability density (1 / length) of the place x of a free piston in a box from 0 to L, between N_l and N_r discs that do
    not collide with each other: with u = (x - 2 a) / (L - 4 a) it is u^N_l (1 - u)^N_r / (B(N_l + 1, N_r + 1) (L - 4 a)).

    Exact for points, and for one disc a side, in equilibrium at any energy, whatever the masses: the volume of the positions of
    the discs is all that depends on x, (x - 2 a)^N_l (L - x - 2 a)^N_r. 0 outside. place: x.
    """
    a, b, least, room = _beta(left, right, length, radius)
    u = (_checked("place", place, np.isfinite, "finite") - least) / room
    inside = np.clip(u, 1e-300, 1)
    log_beta = np.vectorize(lambda p, q: math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q), otypes=[float])(a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.where(a > 1, (a - 1) * np.log(inside), 0.0) + np.where(b > 1, (b - 1) * np.log1p(-inside), 0.0) - log_beta
    return _plain(np.where((u >= 0) & (u <= 1), np.exp(log), 0.0) / room)


def piston_mean(left: Values, right: Values, length: Values = 1.0, radius: Values = 0.0) -> Values:
    """Mean place of the free piston of `piston_pdf`: 2 a + (L - 4 a) (N_l + 1) / (N_l + N_r + 2). Exact; arguments as there."""
    a, b, least, room = _beta(left, right, length, radius)
    return _plain(least + room * a / (a + b))


def piston_variance(left: Values, right: Values, length: Values = 1.0, radius: Values = 0.0) -> Values:
    """Variance of the place of the free piston of `piston_pdf`, length^2. Exact; arguments as there. With N_l = N_r = 5 points in
    a box of length 1 it is 1/52."""
    a, b, _, room = _beta(left, right, length, radius)
    return _plain(room**2 * a * b / ((a + b) ** 2 * (a + b + 1)))


def hard_piston_moments(left: Values, right: Values, radius: Values, length: Values, height: Values) -> tuple[Values, Values]:
    """Mean and variance of the place of a free piston between N_l and N_r hard discs in a box of this length and height.

    The density of the place has the logarithm with the slope (P_l(x) - P_r(L - x)) H / kT, with the `wall_pressures` of the two
    gases; its accuracy is theirs, 0.3 % of the pressure, which is 0.1 % of L for the mean of unequal gases and about 1 % for the
    variance, from 20 discs a side on, and boxes on both sides at least 10 diameters wide. ValueError if the discs are too many
    for fluids up to a packing fraction of 0.6.
    """
    mean, variance = np.vectorize(_hard_moments, otypes=[float, float])(
        _count("left", left), _count("right", right), _positive("radius", radius), _positive("length", length),
        _positive("height", height))
    return _plain(mean), _plain(variance)


def _hard_moments(left: float, right: float, radius: float, length: float, height: float) -> tuple[float, float]:
    n = left, right
    widths = [count * math.pi * radius**2 / (_DENSEST * height) + 3 * radius for count in n]
    if sum(widths) >= length:
        raise ValueError(f"left and right are {left:g} and {right:g}; there must be fewer or smaller discs, for fluids in this "
                         "box")
    x = np.linspace(widths[0], length - widths[1], _STEPS + 1)
    forces = [height * np.asarray(wall_pressures(count, radius, 1.0, width, height)[0])
              for count, width in zip(n, (x, length - x))]
    slope = forces[0] - forces[1]
    log = np.concatenate([[0.0], np.cumsum((slope[1:] + slope[:-1]) / 2)]) * (x[1] - x[0])
    weight = np.exp(log - log.max())
    mean = float((weight * x).sum() / weight.sum())
    return mean, float((weight * (x - mean) ** 2).sum() / weight.sum())


def excess_free_energy(eta: Values, d: int = 2) -> Values:
    """Free energy of equal discs, or of spheres for d = 3, less that of the ideal gas, over N kT: the integral of (Z - 1) / eta
    from 0 to eta, with `compressibility_factor`, whose accuracy it has. For fluids: eta up to 0.7069, or 0.539 for spheres."""
    eta = _not_negative("eta", eta)
    if (d := _order("d", d, 2)) > 3:
        raise ValueError(f"d is {d}; it must be 2 or 3")
    at = eta[..., None] * (_NODES + 1) / 2
    g = np.asarray(contact_value(at) if d == 2 else spheres.contact_value(at))
    return _plain((2 ** (d - 1) * g * _WEIGHTS).sum(axis=-1) * eta / 2)


def adiabatic_temperature(kT: Values, eta: Values, eta_after: Values, d: int = 2, ideal: bool = False) -> Values:
    """Temperature of a gas of equal discs, or spheres for d = 3, after it was compressed or expanded slowly from the packing
    fraction eta to eta_after: kT (eta' / eta)^(2/d) exp((2/d) (f' - f)), f the `excess_free_energy`.

    Slow is a wall much slower than the discs, in a gas that mixes: its entropy stays. ideal: leave out f, T A = const in the
    plane and T V^(2/3) in space, exact for points in the limit of slow walls; then eta and eta_after may be any densities.
    Otherwise the relative accuracy is that of `compressibility_factor` times 2/d ln(eta' / eta).
    """
    d = _order("d", d, 2)
    ratio = _positive("eta_after", eta_after) / _positive("eta", eta)
    excess = 0.0 if ideal else np.asarray(excess_free_energy(eta_after, d)) - np.asarray(excess_free_energy(eta, d))
    return _plain(_not_negative("kT", kT) * ratio ** (2 / d) * np.exp(2 / d * excess))


def compression_entropy(kT: Values, eta: Values, kT_after: Values, eta_after: Values, d: int = 2,
                        ideal: bool = False) -> Values:
    """Entropy that a gas has gained per disc, in units of k_B, between two states of equilibrium: d/2 ln(T' / T) - ln(eta' / eta)
    - (f' - f) = d/2 ln(T' / T_s), T_s the `adiabatic_temperature`. 0 for slow compression without heat, more for a fast one.
    Arguments as there."""
    slow = np.asarray(adiabatic_temperature(_positive("kT", kT), eta, eta_after, d, ideal))
    return _plain(d / 2 * np.log(_positive("kT_after", kT_after) / slow))
