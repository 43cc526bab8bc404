"""Distributions of velocity, speed and energy of a disc in equilibrium, and their means."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _finite, _freedom, _not_negative, _order, _plain, _positive, _share
from .few_discs import _gamma_step, speed_factor


def _remainder_log(energy: np.ndarray, mean: np.ndarray, freedom: np.ndarray, k: float) -> np.ndarray:
    """log (1 - e/e_max)^(D/2 - k) for an energy e, with e_max = mean D/2: -e/mean for infinite D, -infinity for e >= e_max."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 2 * energy / (mean * freedom)
        finite = (freedom / 2 - k) * np.log1p(-np.minimum(share, 1))
        return np.where(np.isinf(freedom), -energy / mean, np.where(share < 1, finite, -math.inf))


def energy_pdf(energy: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0) -> Values:
    """Probability density of the kinetic energy e of one disc: exp(-e/kT) / kT for D = infinity.

    At fixed total energy, e / e_max has exactly the distribution Beta(1, D/2 - 1), with e_max = s D/2, s = kT (1 -
    mass_fraction): Beta(1, N - 1) between walls and Beta(1, N - 2) on two periodic axes. mass_fraction: as in `energy_moment`.
    """
    energy, kT, freedom = _finite("energy", energy), _positive("kT", kT), _freedom(freedom, 3)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    pdf = (1 - 2 / freedom) / mean * np.exp(_remainder_log(np.maximum(energy, 0), mean, freedom, 2))
    return _plain(np.where(energy >= 0, pdf, 0.0))


def energy_cdf(energy: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0) -> Values:
    """Probability that the energy of a disc is below e: 1 - (1 - e/e_max)^(D/2 - 1), or 1 - exp(-e/kT) for D = infinity; e_max
    and mass_fraction as in `energy_pdf`."""
    energy, kT, freedom = _finite("energy", energy), _positive("kT", kT), _freedom(freedom, 3)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    return _plain(-np.expm1(_remainder_log(np.maximum(energy, 0), mean, freedom, 1)))


def speed_pdf(speed: Values, mass: Values, kT: Values, freedom: Values = math.inf,
              mass_fraction: Values = 0.0) -> Values:
    """Probability density of the speed v: Rayleigh's m v / kT exp(-m v^2 / (2 kT)); for finite D, m v times `energy_pdf`."""
    speed, mass = _finite("speed", speed), _positive("mass", mass)
    return _plain(mass * np.maximum(speed, 0) * energy_pdf(mass * speed**2 / 2, kT, freedom, mass_fraction))


def speed_cdf(speed: Values, mass: Values, kT: Values, freedom: Values = math.inf,
              mass_fraction: Values = 0.0) -> Values:
    """Probability that the speed is below v: 1 - exp(-m v^2 / (2 kT)); for finite D, `energy_cdf` at m v^2 / 2."""
    speed, mass = np.maximum(_finite("speed", speed), 0), _positive("mass", mass)
    return energy_cdf(mass * speed**2 / 2, kT, freedom, mass_fraction)


def component_pdf(velocity: Values, mass: Values, kT: Values, freedom: Values = math.inf,
                  mass_fraction: Values = 0.0) -> Values:
    """Probability density of the component v_x: Maxwell's sqrt(m / (2 pi kT)) exp(-m v_x^2 / (2 kT)).

    At fixed energy it is exactly proportional to (1 - m v_x^2 / (s D))^((D - 3) / 2), s = kT (1 - mass_fraction), where
    mass_fraction is that of `energy_moment`.
    """
    velocity, mass = _finite("velocity", velocity), _positive("mass", mass)
    kT, freedom = _positive("kT", kT), _freedom(freedom, 3)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    norm = _gamma_step((freedom - 1) / 2) * np.sqrt((1 - 1 / freedom) * mass / (2 * math.pi * mean))
    return _plain(norm * np.exp(_remainder_log(mass * velocity**2 / 2, mean, freedom, 1.5)))


def component_cdf(velocity: Values, mass: Values, kT: Values) -> Values:
    """Probability that a velocity component is below v_x, by Maxwell's distribution: (1 + erf(v_x sqrt(m / (2 kT)))) / 2."""
    velocity, mass, kT = _finite("velocity", velocity), _positive("mass", mass), _positive("kT", kT)
    return _plain((1 + np.vectorize(math.erf, otypes=[float])(velocity * np.sqrt(mass / (2 * kT)))) / 2)


def rms_speed(mass: Values, kT: Values, d: int = 2) -> Values:
    """Root mean square speed sqrt(d kT / m) in d dimensions. The book has sqrt(3RT/M), which is d = 3; its discs need d = 2."""
    d = _order("d", d, 1)
    return _plain(np.sqrt(d * _not_negative("kT", kT) / _positive("mass", mass)))


def mean_speed(mass: Values, kT: Values, d: int = 2, freedom: Values = math.inf, mass_fraction: Values = 0.0) -> Values:
    """Mean speed sqrt(2 kT / m) Gamma((d+1)/2) / Gamma(d/2) in d dimensions: sqrt(pi kT / (2 m)) in the plane.

    At fixed energy it is multiplied by `speed_factor` and by sqrt(1 - mass_fraction), with the mass_fraction of `energy_moment`;
    this is exact.
    """
    d = _order("d", d, 1)
    gammas = math.gamma((d + 1) / 2) / math.gamma(d / 2)
    kT = _not_negative("kT", kT) * (1 - _share("mass_fraction", mass_fraction))
    return _plain(np.sqrt(2 * kT / _positive("mass", mass)) * gammas * speed_factor(freedom))


def most_probable_speed(mass: Values, kT: Values, d: int = 2) -> Values:
    """Most probable speed sqrt((d - 1) kT / m) in d dimensions, at the maximum of the probability density."""
    d = _order("d", d, 1)
    return _plain(np.sqrt((d - 1) * _not_negative("kT", kT) / _positive("mass", mass)))
