"""Granular gases: how they cool when contacts lose energy, and from which size on they do not stay uniform.

A contact of two equal discs that approach at the speed s takes (1 - e^2) m s^2 / 4. In Maxwell's gas s^2 is 4 kT / m on average
over contacts, in any number of dimensions, so that one takes (1 - e^2) kT. With nu contacts per time and disc, each of which two
discs share, the energy d/2 kT of a disc falls by (1 - e^2) kT nu / 2 per time: dT/dt = -(1 - e^2) nu T / d. As nu ~ sqrt T, that
is Haff's law, T(t) = T(0) / (1 + t / tau)^2.
"""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _checked, _not_negative, _order, _plain, _positive


def _restitution(value: Values) -> np.ndarray:
    return _checked("restitution", value, lambda a: (a >= 0) & (a < 1), "at least 0 and below 1")


def granular_kurtosis(restitution: Values, d: int = 2) -> Values:
    """Second Sonine coefficient a_2 of the speeds of a granular gas of discs, or balls in d dimensions, that cools uniformly:
    <v^4> = (1 + a_2) times Maxwell's, at the same <v^2>. 0 for e = 1 and e = 1/sqrt 2.

    16 (1 - e) (1 - 2 e^2) / (9 + 24 d + 8 e d - 41 e + 30 e^2 (1 - e)); van Noije and Ernst, Granular Matter 1, 57 (1998). Better
    than 0.006 for e >= 0.6, 0.016 too large for discs of e = 0.5; from Boltzmann's equation, so not for dense gases. A gas that
    was Maxwell's reaches it within some collisions per disc.
    """
    e = np.asarray(_checked("restitution", restitution, lambda a: (a >= 0) & (a <= 1), "from 0 to 1"))
    d = _order("d", d, 2)
    return _plain(0.0 + 16 * (1 - e) * (1 - 2 * e**2) / (9 + 24 * d + 8 * e * d - 41 * e + 30 * e**2 * (1 - e)))


def haff_time(rate: Values, restitution: Values, d: int = 2) -> Values:
    """Time tau of Haff's law: after it the temperature is a quarter. 2 d / ((1 - e^2) nu (1 + 3 a_2 / 16)).

    rate: nu, collisions per time of one disc in Maxwell's gas at the initial temperature, as of `collision_rate`, or for d = 3
    `spheres.collision_rate`; its relative error is that of tau. a_2: `granular_kurtosis`, which changes tau by 1 % at most for e
    above 0.75. Haff, J. Fluid Mech. 134, 401 (1983). Valid while the gas is uniform: see `clustering_length`.
    """
    e, d = _restitution(restitution), _order("d", d, 2)
    tail = 1 + 3 / 16 * np.asarray(granular_kurtosis(e, d))
    return _plain(2 * d / ((1 - e**2) * _positive("rate", rate) * tail))


def haff_temperature(time: Values, kT: Values, tau: Values) -> Values:
    """Temperature of a granular gas that cools uniformly, Haff's law: kT / (1 + t / tau)^2. kT: at time 0; tau: `haff_time`."""
    return _plain(_not_negative("kT", kT) / (1 + _not_negative("time", time) / _positive("tau", tau)) ** 2)


def haff_collisions(time: Values, rate: Values, tau: Values) -> Values:
    """Collisions of one disc up to a time while the gas cools by Haff's law: nu tau ln(1 + t / tau). rate: nu at time 0."""
    tau = _positive("tau", tau)
    return _plain(_not_negative("rate", rate) * tau * np.log1p(_not_negative("time", time) / tau))


def clustering_length(rate: Values, viscosity: Values, density: Values, mass: Values, restitution: Values,
                      d: int = 2) -> Values:
    """Side of a periodic box from which on a granular gas does not stay uniform: 2 pi sqrt(2 d eta_s / (rho m (1 - e^2) nu)).

    Shear flow of the wave number k decays at the rate eta_s k^2 / (rho m), thermal speeds at the rate (1 - e^2) nu / (2 d). In a
    larger box the flow of the longest wave outlives them: vortices, then clusters, and Haff's law fails (Goldhirsch and Zanetti,
    Phys. Rev. Lett. 70, 1619, 1993). rate: nu; viscosity: eta_s of the elastic gas, `enskog_viscosity`, at the same temperature,
    on which the length does not depend. From linear stability with elastic transport coefficients, so for e near 1.
    """
    e, d = _restitution(restitution), _order("d", d, 2)
    damping = _positive("viscosity", viscosity) / (_positive("density", density) * _positive("mass", mass))
    return _plain(2 * math.pi * np.sqrt(2 * d * damping / ((1 - e**2) * _positive("rate", rate))))
