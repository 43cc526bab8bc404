"""Distributions of velocity, speed and energy."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _finite, _freedom, _not_negative, _order, _plain, _positive, _share
from .few_discs import _gamma_step, speed_factor


def _remainder_log(energy: np.ndarray, mean: np.ndarray, freedom: np.ndarray, k: float) -> np.ndarray:
    """log (1 - e/e_max)^(D/2 - k), e_max = mean D/2: -e/mean for infinite D; -infinity from e_max on."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = 2 * energy / (mean * freedom)
        finite = (freedom / 2 - k) * np.log1p(-np.minimum(share, 1))
        return np.where(np.isinf(freedom), -energy / mean, np.where(share < 1, finite, -math.inf))


def energy_pdf(energy: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0) -> Values:
    """Density of the energy e of one disc: exp(-e/kT) / kT for D = infinity.

    At fixed total energy e / e_max has the law Beta(1, D/2 - 1), with e_max = s D/2, s = kT (1 - mass_fraction): exact.
    mass_fraction: as in `energy_moment`. That is Beta(1, N - 1) between walls and Beta(1, N - 2) on two periodic axes.
    """
    energy, kT, freedom = _finite("energy", energy), _positive("kT", kT), _freedom(freedom, 3)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    pdf = (1 - 2 / freedom) / mean * np.exp(_remainder_log(np.maximum(energy, 0), mean, freedom, 2))
    return _plain(np.where(energy >= 0, pdf, 0.0))


def energy_cdf(energy: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0) -> Values:
    """Probability of less energy than e: 1 - (1 - e/e_max)^(D/2 - 1), or 1 - exp(-e/kT); see `energy_pdf`."""
    energy, kT, freedom = _finite("energy", energy), _positive("kT", kT), _freedom(freedom, 3)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    return _plain(-np.expm1(_remainder_log(np.maximum(energy, 0), mean, freedom, 1)))


def speed_pdf(speed: Values, mass: Values, kT: Values, freedom: Values = math.inf,
              mass_fraction: Values = 0.0) -> Values:
    """Density of the speed: Rayleigh's law m v / kT exp(-m v^2 / (2 kT)); for finite D from `energy_pdf`."""
    speed, mass = _finite("speed", speed), _positive("mass", mass)
    return _plain(mass * np.maximum(speed, 0) * energy_pdf(mass * speed**2 / 2, kT, freedom, mass_fraction))


def speed_cdf(speed: Values, mass: Values, kT: Values, freedom: Values = math.inf,
              mass_fraction: Values = 0.0) -> Values:
    """Probability of less speed than v: 1 - exp(-m v^2 / (2 kT)); for finite D from `energy_cdf`."""
    speed, mass = np.maximum(_finite("speed", speed), 0), _positive("mass", mass)
    return energy_cdf(mass * speed**2 / 2, kT, freedom, mass_fraction)


def component_pdf(velocity: Values, mass: Values, kT: Values, freedom: Values = math.inf,
                  mass_fraction: Values = 0.0) -> Values:
    """Density of v_x: Maxwell's sqrt(m / (2 pi kT)) exp(-m v_x^2 / (2 kT)).

    At fixed energy it is in proportion to (1 - m v_x^2 / (s D))^((D - 3) / 2), s = kT (1 - mass_fraction): exact.
    """
    velocity, mass = _finite("velocity", velocity), _positive("mass", mass)
    kT, freedom = _positive("kT", kT), _freedom(freedom, 3)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    norm = _gamma_step((freedom - 1) / 2) * np.sqrt((1 - 1 / freedom) * mass / (2 * math.pi * mean))
    return _plain(norm * np.exp(_remainder_log(mass * velocity**2 / 2, mean, freedom, 1.5)))


def component_cdf(velocity: Values, mass: Values, kT: Values) -> Values:
    """Probability of less v_x, Maxwell's law: (1 + erf(v_x sqrt(m / (2 kT)))) / 2."""
    velocity, mass, kT = _finite("velocity", velocity), _positive("mass", mass), _positive("kT", kT)
    return _plain((1 + np.vectorize(math.erf, otypes=[float])(velocity * np.sqrt(mass / (2 * kT)))) / 2)


def rms_speed(mass: Values, kT: Values, d: int = 2) -> Values:
    """sqrt(d kT / m) in d dimensions; the book's sqrt(3RT/M) is d = 3, and 2 is meant on its page."""
    d = _order("d", d, 1)
    return _plain(np.sqrt(d * _not_negative("kT", kT) / _positive("mass", mass)))


def mean_speed(mass: Values, kT: Values, d: int = 2, freedom: Values = math.inf, mass_fraction: Values = 0.0) -> Values:
    """sqrt(2 kT / m) Gamma((d+1)/2) / Gamma(d/2): sqrt(pi kT / (2 m)) in the plane.

    At fixed energy times `speed_factor` and sqrt(1 - mass_fraction), see `energy_moment`: exact.
    """
    d = _order("d", d, 1)
    gammas = math.gamma((d + 1) / 2) / math.gamma(d / 2)
    kT = _not_negative("kT", kT) * (1 - _share("mass_fraction", mass_fraction))
    return _plain(np.sqrt(2 * kT / _positive("mass", mass)) * gammas * speed_factor(freedom))


def most_probable_speed(mass: Values, kT: Values, d: int = 2) -> Values:
    """sqrt((d - 1) kT / m): the maximum of the density of the speed."""
    d = _order("d", d, 1)
    return _plain(np.sqrt((d - 1) * _not_negative("kT", kT) / _positive("mass", mass)))
