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


def _norm(freedom: np.ndarray, d: int) -> np.ndarray:
    """Gamma(D/2) / Gamma((D - d)/2) (2/D)^(d/2): 1 for infinite D."""
    odd = d % 2
    norm = _gamma_step((freedom - 1) / 2) * np.sqrt(1 - 1 / freedom) if odd else np.ones_like(freedom)
    for j in range(1, d // 2 + 1):
        norm = norm * (1 - (2 * j + odd) / freedom)
    return norm


def energy_pdf(energy: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0, d: int = 2) -> Values:
    """Probability density of the kinetic energy e of one disc, or ball in d dimensions: e^(d/2 - 1) exp(-e/kT) / (Gamma(d/2)
    kT^(d/2)) for D = infinity; in the plane exp(-e/kT) / kT.

    At fixed total energy, e / e_max has exactly the distribution Beta(d/2, (D - d)/2), with e_max = s D/2, s = kT (1 -
    mass_fraction); for discs Beta(1, N - 1) between walls and Beta(1, N - 2) on two periodic axes. mass_fraction: as in
    `energy_moment`.
    """
    d = _order("d", d, 1)
    energy, kT, freedom = _finite("energy", energy), _positive("kT", kT), _freedom(freedom, d + 1)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    with np.errstate(divide="ignore"):      # in one dimension the density is infinite at e = 0
        shape = (np.maximum(energy, 0) / mean) ** (d / 2 - 1) / (math.gamma(d / 2) * mean)
    pdf = _norm(freedom, d) * shape * np.exp(_remainder_log(np.maximum(energy, 0), mean, freedom, d / 2 + 1))
    return _plain(np.where(energy >= 0, pdf, 0.0))


def energy_cdf(energy: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0, d: int = 2) -> Values:
    """Probability that the kinetic energy of a disc, or ball in d dimensions, is below e: the integral of `energy_pdf`, in the
    plane 1 - (1 - e/e_max)^(D/2 - 1), or 1 - exp(-e/kT) for D = infinity. Arguments as there."""
    d = _order("d", d, 1)
    energy, kT, freedom = _finite("energy", energy), _positive("kT", kT), _freedom(freedom, d + 1)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    x, freedom = np.broadcast_arrays(np.maximum(energy, 0) / mean, freedom)
    below = np.empty(x.shape)
    for value in np.unique(freedom):
        chosen = freedom == value
        below[chosen] = _below(x[chosen], float(value), d)
    return _plain(below)


def _below(x: np.ndarray, freedom: float, d: int) -> np.ndarray:
    """`energy_cdf` for e = x s: the incomplete beta function I_u(d/2, (D - d)/2) of u = 2x/D, or the incomplete gamma function,
    by their recurrences in d (Abramowitz and Stegun 6.5.21, 26.5.16)."""
    a = 0.5 if d % 2 else 1.0
    below = _first_below(x, freedom, d)
    while a < d / 2:
        rise = np.exp(_remainder_log(x, np.array(1.0), np.array(freedom), d / 2)) / math.gamma(a + 1)
        if freedom < math.inf:
            b = (freedom - d) / 2
            rise = rise * math.exp(math.lgamma(a + b) - math.lgamma(b) - a * math.log(freedom / 2))
        below = below - x**a * rise
        a += 1
    return below


def _first_below(x: np.ndarray, freedom: float, d: int) -> np.ndarray:
    """I_u(1, b) or I_u(1/2, b) with b = (D - d)/2."""
    if d % 2 == 0:
        return -np.expm1(_remainder_log(x, np.array(1.0), np.array(freedom), d / 2))
    if freedom == math.inf:
        return np.vectorize(math.erf, otypes=[float])(np.sqrt(x))
    u, most = np.minimum(2 * x / freedom, 1), (freedom - d) / 2
    b = 1.0 if most == int(most) else 0.5
    below = np.sqrt(u) if b == 1 else 2 / math.pi * np.arcsin(np.sqrt(u))
    while b < most:
        below = below + np.sqrt(u) * (1 - u) ** b * math.exp(math.lgamma(b + 0.5) - math.lgamma(b + 1)) / math.sqrt(math.pi)
        b += 1
    return below


def speed_pdf(speed: Values, mass: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0, d: int = 2
              ) -> Values:
    """Probability density of the speed v in d dimensions, proportional to v^(d-1) exp(-m v^2 / (2 kT)): in the plane Rayleigh's
    m v / kT exp(-m v^2 / (2 kT)), in space Maxwell's. For finite D, m v times `energy_pdf`."""
    d = _order("d", d, 1)
    speed, mass, kT, freedom = _finite("speed", speed), _positive("mass", mass), _positive("kT", kT), _freedom(freedom, d + 1)
    mean = kT * (1 - _share("mass_fraction", mass_fraction))
    unit = np.sqrt(mass / (2 * mean))
    shape = 2 / math.gamma(d / 2) * unit * (unit * np.maximum(speed, 0)) ** (d - 1)
    pdf = _norm(freedom, d) * shape * np.exp(_remainder_log(mass * speed**2 / 2, mean, freedom, d / 2 + 1))
    return _plain(np.where(speed >= 0, pdf, 0.0))


def speed_cdf(speed: Values, mass: Values, kT: Values, freedom: Values = math.inf, mass_fraction: Values = 0.0, d: int = 2
              ) -> Values:
    """Probability that the speed is below v: in the plane 1 - exp(-m v^2 / (2 kT)); for finite D and d dimensions `energy_cdf` at
    m v^2 / 2."""
    speed, mass = np.maximum(_finite("speed", speed), 0), _positive("mass", mass)
    return energy_cdf(mass * speed**2 / 2, kT, freedom, mass_fraction, d)


def component_pdf(velocity: Values, mass: Values, kT: Values, freedom: Values = math.inf,
                  mass_fraction: Values = 0.0) -> Values:
    """Probability density of the component v_x, in any dimension: Maxwell's sqrt(m / (2 pi kT)) exp(-m v_x^2 / (2 kT)).

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
