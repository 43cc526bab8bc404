"""What falls: the height law of a gas with weight, and balls that bounce lower and lower.

weight: m g, the weight of one disc, an energy per length. Heights are those of centres above the lowest place that they can have.
"""
from __future__ import annotations

from functools import cache

import numpy as np

from .arguments import Values, _checked, _count, _not_negative, _plain, _positive
from .equations import FREEZING, compressibility_factor
from .pistons import excess_free_energy

_STEPS, _THINNEST = 4000, 1e-6      # of the packing fraction: how many, and the first over the last


def mean_height(kT: Values, weight: Values, room: Values = np.inf) -> Values:
    """Mean height of points with weight in equilibrium: kT / m g, or, if they can rise by `room` only, H: kT / m g less
    H / (exp(m g H / kT) - 1). Exact. The density falls with the height h as exp(-m g h / kT)."""
    scale = _positive("kT", kT) / _positive("weight", weight)
    top = _checked("room", room, lambda a: a > 0, "positive")
    with np.errstate(over="ignore", invalid="ignore"):
        lost = np.where(np.isinf(top), 0.0, top / np.expm1(top / scale))
    return _plain(scale - lost)


def floor_rate(mass: Values, kT: Values, gravity: Values) -> Values:
    """Contacts per time of one disc with the floor that carries it: g / (2 sqrt(pi kT / 2 m)).

    Each gives 2 m <v_n> on average, with <v_n> = sqrt(pi kT / 2 m) of the discs that arrive, and all of them carry the weight.
    Exact for discs of any radius, at any density, in equilibrium, if none is touched by a lid."""
    return _plain(_positive("gravity", gravity) / (2 * np.sqrt(np.pi * _positive("kT", kT) / (2 * _positive("mass", mass)))))


def sediment_density(height: Values, n: Values, width: Values, radius: Values, kT: Values, weight: Values) -> Values:
    """Discs per area at a height, of n discs with weight above a floor of this width, by the local equation of state.

    The pressure at each height carries the discs above, and is that of a uniform fluid at the density there: mu(eta(h)) + m g h
    is constant, with the chemical potential mu = kT (ln eta + a(eta) + Z - 1), a the excess free energy. That holds where the
    density changes little over a diameter, and not in the layers at the floor. ValueError if the fluid at the floor, which
    carries all, would freeze: its pressure is n m g / width."""
    found = np.vectorize(_local_density)(_not_negative("height", height), _count("n", n), _positive("width", width),
                                         _positive("radius", radius), _positive("kT", kT) / _positive("weight", weight))
    return _plain(found)


def _local_density(height: float, n: float, width: float, radius: float, scale: float) -> float:
    """`sediment_density` of numbers; scale: kT / m g."""
    eta, z, mu = _fluid()
    area = np.pi * radius**2
    carried = n * area / (width * scale)        # eta Z at the floor
    if carried > eta[-1] * z[-1]:
        raise ValueError(f"the discs weigh too much: at the floor eta Z would be {carried:.4g}, and the fluid ends at "
                         f"{eta[-1] * z[-1]:.4g}")
    wanted = float(np.interp(np.log(carried), np.log(eta * z), mu)) - height / scale
    # Below the first step the gas is ideal: mu = ln eta.
    log = np.interp(wanted, mu, np.log(eta)) if wanted > mu[0] else wanted
    return float(np.exp(log) / area)


@cache
def _fluid() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packing fractions up to freezing, their compressibility factors, and chemical potentials / kT."""
    eta = FREEZING * np.geomspace(_THINNEST, 1.0, _STEPS)
    z = np.asarray(compressibility_factor(eta))
    return eta, z, np.log(eta) + np.asarray(excess_free_energy(eta)) + z - 1


def bounce_time(contact: Values, gap: Values, gravity: Values, restitution: Values) -> Values:
    """Time of a contact, 1, 2, ..., with the floor, of a ball that is dropped from this gap: t_1 (1 + 2 (e + ... + e^(k - 1)))
    with t_1 = sqrt(2 h / g). Exact. Infinitely many contacts: `resting_time`."""
    k = _count("contact", contact)
    e = _checked("restitution", restitution, lambda a: (a > 0) & (a <= 1), "above 0 and at most 1")
    first = np.sqrt(2 * _positive("gap", gap) / _positive("gravity", gravity))
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = np.where(e == 1, k - 1, e * (1 - e ** (k - 1)) / (1 - e))
    return _plain(first * (1 + 2 * sums))


def resting_time(gap: Values, gravity: Values, restitution: Values) -> Values:
    """Time after which a ball that is dropped from this gap has bounced infinitely often: sqrt(2 h / g) (1 + e) / (1 - e).
    Exact."""
    e = _checked("restitution", restitution, lambda a: (a >= 0) & (a < 1), "at least 0 and below 1")
    return _plain(np.sqrt(2 * _positive("gap", gap) / _positive("gravity", gravity)) * (1 + e) / (1 - e))


def persistent_variance(steps: Values, correlation: Values) -> Values:
    """Variance of a sum of steps of +1/2 or -1/2, as in rows of a Galton board, of which each goes on as the one before with the
    correlation c, and depends on nothing else: n/4 ((1 + c) / (1 - c) - 2 c (1 - c^n) / (n (1 - c)^2)). Exact. For c = 0 it is
    n/4, that of the binomial law."""
    n = _count("steps", steps)
    c = _checked("correlation", correlation, lambda a: np.abs(a) < 1, "above -1 and below 1")
    return _plain(n / 4 * ((1 + c) / (1 - c) - 2 * c * (1 - c**n) / (n * (1 - c) ** 2)))
