"""Collision rates and free paths."""
from __future__ import annotations

import math

import numpy as np

from ..model.numbers import shown
from .arguments import Values, _checked, _count, _not_negative, _order, _plain, _positive
from .densities import number_density
from .distributions import mean_speed, speed_pdf
from .equations import compressibility_error, compressibility_factor, contact_value, ensemble_correction
from .few_discs import momentum_transfer_moment, speed_factor
from .finite import rate_ratio


def drift_factor(drift: Values, d: int = 2) -> Values:
    """Mean speed in a gas in two or three dimensions whose centre of mass moves, divided by the mean speed in the same gas at
    rest: sqrt(2) times `speed_collision_rate`.

    drift: the speed of the centre of mass in units of sqrt(kT/m), 0 to 12. In the plane the ratio of the means of Rice's and of
    Rayleigh's distribution, exp(-u) ((1 + 2u) I_0(u) + 2u I_1(u)) with u = drift^2 / 4; Rice, Bell System Tech. J. 24, 46 (1945).
    Exact for Maxwell's distribution; 1 + drift^2 / (2 d) for a slow drift.
    """
    drift = _checked("drift", drift, lambda a: (a >= 0) & (a <= 12), "from 0 to 12")
    return _plain(math.sqrt(2) * np.asarray(speed_collision_rate(drift, d)))


def pair_collision_rate(density: Values, contact_distance: Values, contact_value: Values, reduced_mass: Values,
                        kT: Values, freedom: Values = math.inf, d: int = 2) -> Values:
    """Collisions per time of one disc, or ball in d dimensions, with those of a species j: nu = rho_j g S s^(d-1) sqrt(kT / (2 pi
    mu)) c, S the surface of the unit ball; in the plane rho_j s g sqrt(2 pi kT / mu) c, in space rho_j s^2 g sqrt(8 pi kT / mu)
    c.

    In the plane this is the product of rho_j g, the width 2 s and the mean relative speed sqrt(pi kT / (2 mu)). density: rho_j.
    contact_distance: s, the sum of the two radii. contact_value: g. c: `speed_factor`. Exact in equilibrium at any density if g
    is the true contact value.
    """
    d = _order("d", d, 1)
    density, s, g = (_not_negative("density", density), _positive("contact_distance", contact_distance),
                     _not_negative("contact_value", contact_value))
    mu, kT = _positive("reduced_mass", reduced_mass), _not_negative("kT", kT)
    surface = 2 * math.pi ** (d / 2) / math.gamma(d / 2) / math.sqrt(2 * math.pi)
    return _plain(density * surface * s ** (d - 1) * g * np.sqrt(kT / mu) * speed_factor(freedom))


def collision_rate(eta: Values, radius: Values, mass: Values, kT: Values, freedom: Values = math.inf,
                   equation: str = "kolafa-rottner") -> Values:
    """Collisions per time of one disc among equal discs: 4 (Z - 1) / (sqrt(pi) diameter) sqrt(kT / m) c, c: `speed_factor`.

    n discs together have n / 2 times as many collisions. The relative accuracy is that of Z - 1. equation: of state, see
    `compressibility_factor`.
    """
    radius, mass = _positive("radius", radius), _positive("mass", mass)
    density, g = number_density(eta, radius), contact_value(eta, equation)
    return pair_collision_rate(density, 2 * radius, g, mass / 2, kT, freedom)


def mean_free_time(eta: Values, radius: Values, mass: Values, kT: Values, freedom: Values = math.inf) -> Values:
    """Mean time of a disc between two collisions with discs, 1 / `collision_rate`. Infinity at eta = 0."""
    with np.errstate(divide="ignore"):
        return _plain(1 / np.asarray(collision_rate(eta, radius, mass, kT, freedom)))


def mean_free_path(eta: Values, radius: Values) -> Values:
    """Mean free path between collisions with discs: mean speed * mean free time = pi diameter / (4 sqrt(2) (Z - 1)).

    It does not depend on temperature. The collision rate is v_mean / path; exercise 5 of the book has v_rms / path, which is
    2 / sqrt(pi) = 1.128 times as large.
    """
    return _plain(mean_speed(1.0, 1.0) * mean_free_time(eta, radius, 1.0, 1.0))


def missed_share(step: Values) -> Values:
    """Fraction of contacts that a method misses which tests for overlaps at equal time steps: 1 - (sqrt(1 - u^2) + asin(u) / u) /
    2 for u <= 1, 1 - pi / (4 u) for u > 1; u^2 / 6 for small u.

    step: u = w / l_max. w is the relative distance that the two discs move in one time step; l_max is the longest distance over
    which the contact can be detected: two contact distances if any overlap is detected, one if only overlapping discs that still
    approach are. Until detection the discs move straight through each other, along a chord of length l with a uniform impact
    parameter; a chord with l < w is missed with probability 1 - l / w. Exact for random impact parameters.
    """
    u = _not_negative("step", step)
    short = np.clip(u, 1e-4, 1.0)
    found = (np.sqrt(1 - short**2) + np.arcsin(short) / short) / 2
    return _plain(np.where(u < 1e-4, u**2 / 6, np.where(u <= 1, 1 - found, 1 - math.pi / (4 * np.maximum(u, 1.0)))))


def rate_correction(eta: Values, n: Values) -> Values:
    """Collision rate of n equal discs in a periodic box divided by that of infinitely many at the same eta and kT = 2 E / D,
    without `speed_factor`: (Z_n - 1) / (Z - 1), with Z_n - Z from `ensemble_correction`. 1 - 1/n at eta = 0. eta: 0 to 0.68.

    The rate and the virial pressure are both proportional to the number of pairs in contact, so the ratio follows from Z exactly;
    its accuracy is that of the first order in 1/n. Runs of 4 discs were 0.4 % below it at eta = 0.1 and 0.8 % at 0.3; runs of 16
    discs up to 0.3, and of 196 discs at 0.3, agreed within their error of 0.1 %.
    """
    return _plain(rate_ratio(ensemble_correction(eta, n), compressibility_factor(eta) - 1, n))


def rate_error(eta: Values, n: Values) -> Values:
    """Relative standard error of the predicted collision rate, free time and free path of n periodic discs, for eta > 0. It is
    that of Z - 1, from `compressibility_error`."""
    eta = _positive("eta", eta)
    return _plain(np.asarray(compressibility_error(eta, n)) / (np.asarray(compressibility_factor(eta)) - 1))


def periodic_mean_free_path(eta: Values, radius: Values, n: Values) -> Values:
    """Mean free path of n equal discs in a periodic box with the centre of mass at rest:
    `mean_free_path` * sqrt(1 - 1/n) / `rate_correction`; first order in 1/n, up to eta = 0.68.

    The factor sqrt(1 - 1/n) is exact. At total momentum 0 the energy is E = (n - 1) kT, by the definition of kT; it is the sum of
    n equal means m <v^2> / 2, so <v^2> = (2 kT / m) (1 - 1/n), and the mean speed has the square root of this factor. A relative
    velocity does not contain the motion of the centre of mass, m <(v_i - v_j)^2> / 4 = kT, so the collision rate does not have
    the factor. `speed_factor` is in both and cancels.
    """
    rest = np.sqrt(1 - 1 / np.asarray(_count("n", n, 2)))
    return _plain(mean_free_path(eta, radius) * rest / rate_correction(eta, n))


def wall_collision_rate(pressure: Values, mass: Values, kT: Values, freedom: Values = math.inf) -> Values:
    """Contacts with a wall per time and length of wall: P / <2 m |v_x|> = P c / sqrt(2 pi m kT), where P is the force per length
    and c the `speed_factor`. Exact."""
    return _plain(_not_negative("pressure", pressure)
                  / momentum_transfer_moment(1, _positive("mass", mass), _positive("kT", kT), freedom))


def _bessel_scaled(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """exp(-x) I_0(x) and exp(-x) I_1(x) for x <= 40, from their integrals over a period, for which the trapezoidal rule is exact
    to rounding."""
    cosine = np.cos((np.arange(64) + 0.5) * (math.pi / 64))
    weight = np.exp(np.multiply.outer(x, cosine - 1))
    return weight.mean(axis=-1), (weight * cosine).mean(axis=-1)


def speed_collision_rate(speed: Values, d: int = 2) -> Values:
    """Collision rate of a disc (d = 2) or sphere (d = 3) of speed v, in units of the mean rate, at low density (molecular chaos).

    speed: v in units of sqrt(kT/m), 0 to 12. With u = v^2/4 it is exp(-u) ((1 + 2u) I_0(u) + 2u I_1(u)) / sqrt(2) for discs:
    1 / sqrt(2) at rest, v / sqrt(pi) for a very fast one. For spheres, with s = v / sqrt(2), it is (exp(-s^2) + (2s + 1/s)
    sqrt(pi)/2 erf(s)) / sqrt(8): 1 / sqrt(2) at rest. The mean of |v - v'| over Maxwell's v', by the method of Chapman and
    Cowling. ValueError for other d.
    """
    v = _checked("speed", speed, lambda a: (a >= 0) & (a <= 12), "from 0 to 12")
    if d == 3:
        s = np.maximum(v / math.sqrt(2), 1e-6)      # below, the first order in s^2 is rounding
        erf = np.vectorize(math.erf, otypes=[float])(s)
        return _plain((np.exp(-s * s) + (2 * s + 1 / s) * (math.sqrt(math.pi) / 2) * erf) / math.sqrt(8))
    if d != 2:
        raise ValueError(f"d is {shown(d)}; it must be 2 or 3")
    u = v**2 / 4
    zero, one = _bessel_scaled(u)
    return _plain(((1 + 2 * u) * zero + 2 * u * one) / math.sqrt(2))


def _flights(d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes of an integration over flights in d dimensions: speeds v, collision rates nu(v) / mean rate, and weights proportional
    to f nu dv with the sum 1."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    v = 5 * (nodes + 1)  # a fraction exp(-50) of speeds is above 10
    rate = speed_collision_rate(v, d)
    return v, rate, 5 * weights * speed_pdf(v, 1.0, 1.0, d=d) * rate


def free_time_moment(order: int, d: int = 2) -> float:
    """Reduced moment <t^k> / (k! <t>^k) of the free time between collisions at low density: for k = 2 1.0542205 of discs (d = 2)
    and 1.0380654 of spheres (d = 3). An exponential distribution would have 1.

    order: k. A flight at speed v ends with the rate nu(v) of `speed_collision_rate`, and the speeds of flights have a density
    proportional to f(v) nu(v), with Maxwell's f. Exact for molecular chaos (Boltzmann); at finite density a few per cent lower.
    """
    _, rate, weight = _flights(d)
    return float((weight / rate ** _order("order", order)).sum())


def free_path_moment(order: int, d: int = 2) -> float:
    """Reduced moment <l^k> / (k! <l>^k) of the free path between collisions at low density: 1.0799079 for k = 2 and 1.2163322 for
    k = 3 of discs (d = 2), 1.0506092 and 1.1401254 of spheres (d = 3). Assumptions as for `free_time_moment`."""
    v, rate, weight = _flights(d)
    return float((weight * (v / (rate * mean_speed(1.0, 1.0, d))) ** _order("order", order)).sum())


def free_time_pdf(time: Values, d: int = 2) -> Values:
    """Probability density of t / <t>, where t is the free time between collisions of discs (d = 2) or spheres (d = 3), at low
    density. Assumptions as for `free_time_moment`."""
    _, rate, weight = _flights(d)
    time = _not_negative("time", time)
    return _plain((np.exp(-np.multiply.outer(time, rate)) * rate * weight).sum(axis=-1))


def free_path_pdf(path: Values, d: int = 2) -> Values:
    """Probability density of l / <l>, where l is the free path between collisions of discs (d = 2) or spheres (d = 3), at low
    density. Assumptions as for `free_time_moment`.

    It is not exponential: for discs its mean from 0 to 1/20 is 1.1487, because slow discs have short paths. The numerical error
    is 2e-4 near 0 and 1e-7 beyond 0.5.
    """
    v, rate, weight = _flights(d)
    per_path = rate * mean_speed(1.0, 1.0, d) / v
    return _plain((np.exp(-np.multiply.outer(_not_negative("path", path), per_path)) * per_path * weight).sum(axis=-1))
