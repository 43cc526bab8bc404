"""Transport: self-diffusion, viscosity, velocity autocorrelation, and a heavy disc in a gas.

In two dimensions transport coefficients diverge as the logarithm of time or system size. The formulas are Enskog's; a simulation
has about these values at times of ten collisions per disc.
"""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _not_negative, _order, _plain, _positive
from .collisions import collision_rate, mean_free_path, pair_collision_rate
from .densities import packing_fraction
from .equations import contact_value, _eta


def enskog_diffusion(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Self-diffusion coefficient D_E = kT / (m nu), length^2 / time; nu is `collision_rate`. First Sonine approximation, about 3
    % below Enskog's full value.

    In two dimensions the true D grows as the logarithm of time and of N, so a measured D is meaningful only with both. With 1024
    discs at eta = 0.5 it was 0.37, 0.82, 0.97 and 1.12 D_E after 1, 5, 10 and 20 mean free times.
    """
    with np.errstate(divide="ignore"):
        return _plain(np.divide(kT, _positive("mass", mass) * collision_rate(eta, radius, mass, kT)))


def enskog_bulk_viscosity(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Bulk viscosity (4 / pi) eta_0 b^2 g, b = 2 eta, eta_0 = 1 / (2 diameter) sqrt(m kT / pi), mass / time: that of contacts
    that know nothing of each other, rho m nu diameter^2 / 4. 0 at eta = 0. Gass, J. Chem. Phys. 54, 1898 (1971)."""
    radius, mass, kT = _positive("radius", radius), _positive("mass", mass), _not_negative("kT", kT)
    g, b = contact_value(eta), 2 * _eta(eta)
    return _plain(np.sqrt(mass * kT / math.pi) / (math.pi * radius) * b**2 * g)


def enskog_conductivity(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Heat conductivity over k_B, 1 / time: (4 / m) 1.029 eta_0 (1 + 3 b g / 4)^2 / g + 1 / m times `enskog_bulk_viscosity`;
    symbols as there. Gass, J. Chem. Phys. 54, 1898 (1971)."""
    bulk, mass = np.asarray(enskog_bulk_viscosity(eta, radius, mass, kT)), _positive("mass", mass)
    g, b = contact_value(eta), 2 * _eta(eta)
    dilute = 1.029 / np.asarray(radius, dtype=float) * np.sqrt(mass * np.asarray(kT, dtype=float) / math.pi)
    return _plain((dilute * (1 + 0.75 * b * g) ** 2 / g + bulk) / mass)


def enskog_viscosity(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Shear viscosity eta_0 (1/g + 2 eta + 0.8729 (2 eta)^2 g), eta_0 = 1.022 / (2 diameter) sqrt(m kT / pi), mass / time.

    Gass, J. Chem. Phys. 54, 1898 (1971). Accurate to 5 % for eta <= 0.5; near freezing simulations give much larger values.
    """
    radius, mass, kT = _positive("radius", radius), _positive("mass", mass), _not_negative("kT", kT)
    g, y = contact_value(eta), 2 * _eta(eta)
    return _plain(1.022 / (4 * radius) * np.sqrt(mass * kT / math.pi) * (1 / g + y + 0.8729 * y**2 * g))


def vacf_enskog(time: Values, relaxation_time: Values) -> Values:
    """Velocity autocorrelation at short times, C(t) / C(0) = exp(-t / tau), with the exact initial slope -1 / tau.

    relaxation_time: tau, the mean free time of equal discs, or `brownian_relaxation_time`. At later times the true C is larger:
    see `vacf_tail`.
    """
    return _plain(np.exp(-_not_negative("time", time) / _positive("relaxation_time", relaxation_time)))


def vacf_tail(time: Values, density: Values, mass: Values, diffusion: Values, viscosity: Values, d: int = 2) -> Values:
    """Long-time tail of the velocity autocorrelation in d dimensions, C(t) / C(0) = ((d - 1) / (d rho)) (4 pi (D + eta_s / (rho
    m)) t)^(-d/2): in the plane 1 / (8 pi rho (D + eta_s / (rho m)) t), which makes D diverge.

    eta_s: the shear viscosity. From mode coupling (Ernst, Hauge and van Leeuwen, Phys. Rev. Lett. 25, 1254, 1970); valid from
    about ten collisions per disc to the time in which sound crosses a periodic box. At very late times the decay is slightly
    faster (Isobe, PRE 77, 021201, 2008).
    """
    density, mass = _positive("density", density), _positive("mass", mass)
    spread = _not_negative("diffusion", diffusion) + _not_negative("viscosity", viscosity) / (density * mass)
    d = _order("d", d, 2)
    return _plain((d - 1) / (d * density) * (4 * math.pi * spread * _positive("time", time)) ** (-d / 2))


def mixing_diffusion(density: Values, radius: Values, mass: Values, kT: Values, side: Values) -> Values:
    """Self-diffusion coefficient, length^2 / time, by which two species of equal discs mix across a box with walls:
    D = D_E + kT / (4 pi rho m (D + eta_s / (rho m))) ln(side / (9 l)), where l is the mean free path.

    side: of the box, length units. The logarithm is the sum of `vacf_tail` over the times between a flight and the decay of
    the slowest vortex of the box. Its coefficient is that of mode coupling; the 9 was measured: runs of hdsim with 500 to 2000
    discs at eta from .02 to .31 have 9.0(2.0), which changes D by 1 % at eta = .08 and by 4 % at .3. D_E if side < 9 l.
    """
    density, side = _positive("density", density), _positive("side", side)
    mass, kT = _positive("mass", mass), _not_negative("kT", kT)
    eta = packing_fraction(density, radius)
    enskog = enskog_diffusion(eta, radius, mass, kT)
    nu = enskog_viscosity(eta, radius, mass, kT) / (density * mass)
    vortices = kT / (4 * math.pi * density * mass) * np.log(np.maximum(side / (9 * mean_free_path(eta, radius)), 1.0))
    half = (enskog + nu) / 2
    return _plain(enskog + vortices / (half + np.sqrt(half**2 + vortices)))     # the root of a quadratic


def mean_squared_displacement(time: Values, diffusion: Values, relaxation_time: Values, d: int = 2) -> Values:
    """Mean squared displacement in d dimensions, <r^2> = 2 d D (t - tau (1 - exp(-t / tau))) (Ornstein and Fuerth), from the
    exponential velocity autocorrelation.

    It tends to 2 d D t for long times (Einstein) and to d D t^2 / tau = <v^2> t^2 for short times.
    """
    time, tau = _not_negative("time", time), _positive("relaxation_time", relaxation_time)
    return _plain(2 * _order("d", d, 1) * _not_negative("diffusion", diffusion) * (time + tau * np.expm1(-time / tau)))


def reflected_square(square: Values, side: Values) -> Values:
    """Mean squared displacement along an axis with two walls at the distance `side`, of a centre that is anywhere between them,
    if it is `square` without walls: s^2 (1 - (4/3) sqrt(2 / pi) s / side), s^2 = square.

    The first order in s / side, for displacements that are normal and mirrored at a wall: the mirror images of those that begin
    at most |d| from the wall are shorter, which costs (2/3) <|d|^3> / side.
    """
    square = _not_negative("square", square)
    return _plain(square * (1 - 4 / 3 * np.sqrt(2 * square / np.pi) / _positive("side", side)))


def brownian_relaxation_time(mass: Values, radius: Values, small_mass: Values, small_radius: Values, density: Values,
                             kT: Values) -> Values:
    """Relaxation time tau_B = M / (2 rho s g sqrt(2 pi mu kT)) of a disc of mass M among small discs: its velocity
    autocorrelation begins as exp(-t / tau_B).

    density: rho of the small discs in the area accessible to their centres. s is the sum of both radii, mu the reduced mass, g
    the contact value of one large disc among many small ones (`mixture_contact_values`). tau_B = M D_12 / kT with Enskog's D_12;
    the initial slope is as exact as g. Later the decay is slower because of hydrodynamics, and Stokes' law has no counterpart in
    two dimensions; so the initial slope and <M V^2 / 2> can be compared with a simulation, but not D.
    """
    mass, radius = _positive("mass", mass), _positive("radius", radius)
    m, a, kT = _positive("small_mass", small_mass), _positive("small_radius", small_radius), _positive("kT", kT)
    density = _positive("density", density)
    eta = packing_fraction(density, a)
    free = 1 / (1 - _eta(eta))
    g = free + (contact_value(eta) - free) * 2 * radius / (radius + a)
    mu = mass * m / (mass + m)
    return _plain(mass / (2 * mu * pair_collision_rate(density, radius + a, g, mu, kT)))


def einstein_diffusion(mass: Values, relaxation_time: Values, kT: Values) -> Values:
    """Diffusion coefficient D = kT tau / M (Einstein), with tau the relaxation time of the velocity. In two dimensions the true D
    grows with time, as for `enskog_diffusion`."""
    return _plain(_not_negative("kT", kT) * _not_negative("relaxation_time", relaxation_time) / _positive("mass", mass))
