"""Closed formulas of hard spheres in three dimensions: those of `hdsim.theory` by the same names, where they differ.

Arguments and units are as there: `eta` is the packing fraction (volume of the spheres / volume), `density` spheres / volume, a is
a radius. What is equal in all dimensions, or takes the dimension as `d=3`, stays in `hdsim.theory`: distributions of speeds,
degrees of freedom, free flights, mean squared displacements. docs/theory.md lists every formula with its source and accuracy.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..model.numbers import shown
from .arguments import Values, _checked, _count, _not_negative, _plain, _positive
from .collisions import pair_collision_rate
from .distributions import mean_speed
from .finite import correction_of, rate_ratio, slopes_of
from .species import species_arrays

CLOSE_PACKING = math.pi / math.sqrt(18)
FLUID_LIMIT = math.pi / 6 * 1.03    # number density 1.03 / diameter^3, up to which the reference equation was fitted
CORRECTION_LIMIT = 0.53     # largest packing fraction for `ensemble_correction`
FIT_ERROR = 1e-4            # relative accuracy of the reference equation
FREEZING, MELTING = 0.4917, 0.5430      # packing fractions of fluid and crystal in equilibrium; published values differ by .15 %

# B_n / B_2^(n-1), n = 1, 2, ..., with B_2 = 2 pi diameter^3 / 3. B_3 and B_4 (Boltzmann 1899) are exact, the others from Clisby
# and McCoy, J. Stat. Phys. 122, 15 (2006), with the standard errors below.
VIRIAL_COEFFICIENTS = (1.0, 1.0, 5 / 8, (2707 * math.pi + 438 * math.sqrt(2) - 4131 * math.acos(1 / 3)) / (4480 * math.pi),
                       0.110252, 0.03888198, 0.01302354, 0.0041832, 0.0013094, 0.0004035)
VIRIAL_ERRORS = (0.0, 0.0, 0.0, 0.0, 1e-6, 9.1e-7, 9.1e-7, 1.1e-6, 1.3e-6, 1.5e-6)

# Z = sum of A_i x^i, x = eta / (1 - eta): the form of Kolafa, Labik and Malijevsky, Phys. Chem. Chem. Phys. 6, 2335 (2004), with
# the coefficients of Pieprzyk, Bannerman, Branka, Chudak and Heyes, Phys. Chem. Chem. Phys. 21, 6886 (2019).
_KLM = {0: 1.0, 1: 4.0, 2: 6.0, 3: 2.3647684, 4: -0.8698551, 5: 1.1062803, 6: -1.1014221, 7: 0.66605866, 8: -0.03633431,
        10: -0.20965164, 14: 0.10555569, 22: -0.0087238}


# Equations of state, each as the contact value g = (Z - 1) / (4 eta), which avoids the cancellation in Z - 1 at low density.

def _klm(eta: np.ndarray) -> np.ndarray:
    x = eta / (1 - eta)
    return sum(a * x ** (i - 1) for i, a in _KLM.items() if i) / (4 * (1 - eta))


def _virial(eta: np.ndarray) -> np.ndarray:
    return np.polynomial.polynomial.polyval(4 * eta, VIRIAL_COEFFICIENTS[1:])


def _carnahan_starling(eta: np.ndarray) -> np.ndarray:
    return (1 - eta / 2) / (1 - eta) ** 3


def _percus_yevick(eta: np.ndarray) -> np.ndarray:
    return (1 + eta / 2) / (1 - eta) ** 2


def _solid(eta: np.ndarray) -> np.ndarray:
    a = CLOSE_PACKING / eta - 1
    return (3 / a + 1.566 + 0.55 * a - 1.19 * a**2 + 5.95 * a**3) / (4 * eta)


# name: g(eta), least and greatest packing fraction
_EQUATIONS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], float, float]] = {
    "kolafa-labik-malijevsky": (_klm, 0.0, FLUID_LIMIT),
    "virial": (_virial, 0.0, FLUID_LIMIT),
    "carnahan-starling": (_carnahan_starling, 0.0, FLUID_LIMIT),
    "percus-yevick": (_percus_yevick, 0.0, FLUID_LIMIT),
    "solid": (_solid, 0.53, 0.73),
}
EQUATIONS = ("ideal", *_EQUATIONS)
REFERENCE = "kolafa-labik-malijevsky"


def _eta(value: Values, equation: str = REFERENCE) -> np.ndarray:
    low, high = _EQUATIONS[equation][1:] if equation in _EQUATIONS else (0.0, CLOSE_PACKING)
    return _checked("eta", value, lambda a: (a >= low) & (a <= high), f"from {low:g} to {high:.6g} for the equation {equation!r}")


# Density and equation of state

def packing_fraction(density: Values, radius: Values) -> Values:
    """Packing fraction (4/3) pi a^3 rho: volume of the spheres / volume."""
    return _plain(4 / 3 * math.pi * _not_negative("radius", radius) ** 3 * _not_negative("density", density))


def number_density(eta: Values, radius: Values) -> Values:
    """Number density eta / ((4/3) pi a^3), spheres / volume, for 0 <= eta <= 0.7405, the close packing."""
    eta = _checked("eta", eta, lambda a: (a >= 0) & (a <= CLOSE_PACKING), "from 0 to close packing, 0.7405")
    return _plain(eta / (4 / 3 * math.pi * _positive("radius", radius) ** 3))


def contact_value(eta: Values, equation: str = REFERENCE) -> Values:
    """Contact value g(sigma+) = (Z - 1) / (4 eta) of the radial distribution of equal spheres. 1 at eta = 0.

    The relation is exact (virial theorem), so the accuracy is that of the equation of state, see `compressibility_factor`.
    """
    if equation not in _EQUATIONS:
        raise ValueError(f"equation is {shown(equation)}; it must be one of {', '.join(_EQUATIONS)}")
    return _plain(_EQUATIONS[equation][0](_eta(eta, equation)))


def compressibility_factor(eta: Values, equation: str = REFERENCE) -> Values:
    """Compressibility factor Z = P / (rho kT) of infinitely many equal spheres. The equations, with their relative errors:

    kolafa-labik-malijevsky  the reference: 1e-4 up to eta = 0.5393, a little beyond freezing; the form of Phys. Chem. Chem. Phys.
                       6, 2335 (2004) with the coefficients of Pieprzyk et al., the same 21, 6886 (2019)
    ideal              1, for spheres that pass through each other
    virial             ten terms: -1e-6 at eta 0.16, -1e-4 at 0.26, -0.9 % at 0.45 (Clisby and McCoy 2006)
    carnahan-starling  (1 + eta + eta^2 - eta^3) / (1 - eta)^3: -0.2 % at 0.26, -0.3 % at 0.37, -0.2 % at 0.45 (J. Chem. Phys. 51,
                       635, 1969)
    percus-yevick      (1 + 2 eta + 3 eta^2) / (1 - eta)^2, from the virial theorem: -3 % at 0.26, -12 % at 0.45
    solid              3/a + 2.566 + 0.55 a - 1.19 a^2 + 5.95 a^3, a = e / eta - 1, e close packing, of the face-centred cubic
                       crystal, 0.53 <= eta <= 0.73; 0.2 %, n spheres have 1 - 1/n times as much (Alder, Hoover and Young, J.
                       Chem. Phys. 49, 3688, 1968)
    """
    if equation == "ideal":
        return _plain(np.ones_like(_eta(eta, equation)))
    if equation not in _EQUATIONS:
        raise ValueError(f"equation is {shown(equation)}; it must be one of {', '.join(EQUATIONS)}")
    return _plain(1 + 4 * _eta(eta, equation) * contact_value(eta, equation))


def inverse_compressibility(eta: Values) -> Values:
    """Inverse compressibility d(P / kT) / d rho = Z + eta Z', by the reference equation: 1 for the ideal gas. Its inverse is the
    structure factor at q = 0."""
    eta = _eta(eta)
    return _plain(compressibility_factor(eta) + eta * slopes_of(_KLM, eta)[0])


def ensemble_correction(eta: Values, n: Values) -> Values:
    """Z of n spheres in a periodic box minus Z of infinitely many: -rho (2 Z' + rho Z'') / (2 n (Z + rho Z')), as
    `hdsim.theory.ensemble_correction`. ValueError beyond eta = 0.53."""
    eta = _checked("eta", eta, lambda a: (a >= 0) & (a <= CORRECTION_LIMIT), f"from 0 to {CORRECTION_LIMIT}")
    n = _count("n", n, 2)
    return _plain(correction_of(eta, n, slopes_of(_KLM, eta), inverse_compressibility(eta)))


def compressibility_error(eta: Values, n: Values) -> Values:
    """Standard error of Z of n periodic spheres from the reference equation and `ensemble_correction`: sqrt((1e-4 Z)^2 +
    (correction / n)^2), the accuracy of the fit and an estimate of the next order in 1/n. Beyond eta = 0.53 the correction is not
    known, and 1 is taken for it."""
    eta, n = _eta(eta), _count("n", n, 2)
    missing = np.where(eta > CORRECTION_LIMIT, 1.0, np.abs(ensemble_correction(np.minimum(eta, CORRECTION_LIMIT), n)))
    return _plain(np.hypot(FIT_ERROR * compressibility_factor(eta), missing / n))


# Rates and paths

def collision_rate(eta: Values, radius: Values, mass: Values, kT: Values, freedom: Values = math.inf,
                   equation: str = REFERENCE) -> Values:
    """Collisions per time of one sphere among equal spheres: 6 (Z - 1) / diameter sqrt(kT / (pi m)) c = 4 sqrt(pi) rho diameter^2
    g sqrt(kT / m) c, c: `speed_factor`.

    n spheres together have n / 2 times as many collisions. The relative accuracy is that of Z - 1. equation: of state, see
    `compressibility_factor`.
    """
    radius, mass = _positive("radius", radius), _positive("mass", mass)
    return pair_collision_rate(number_density(eta, radius), 2 * radius, contact_value(eta, equation), mass / 2, kT, freedom, 3)


def mean_free_time(eta: Values, radius: Values, mass: Values, kT: Values, freedom: Values = math.inf) -> Values:
    """Mean time of a sphere between two collisions, 1 / `collision_rate`. Infinity at eta = 0."""
    with np.errstate(divide="ignore"):
        return _plain(1 / np.asarray(collision_rate(eta, radius, mass, kT, freedom)))


def mean_free_path(eta: Values, radius: Values) -> Values:
    """Mean free path between collisions: mean speed * mean free time = 1 / (sqrt(2) pi rho diameter^2 g). It does not depend on
    temperature."""
    return _plain(mean_speed(1.0, 1.0, 3) * mean_free_time(eta, radius, 1.0, 1.0))


def rate_correction(eta: Values, n: Values) -> Values:
    """Collision rate of n equal spheres in a periodic box divided by that of infinitely many at the same eta and kT = 2 E / D,
    without `speed_factor`: (Z_n - 1) / (Z - 1), with Z_n - Z from `ensemble_correction`. 1 - 1/n at eta = 0. eta: 0 to 0.53."""
    return _plain(rate_ratio(ensemble_correction(eta, n), compressibility_factor(eta) - 1, n))


def rate_error(eta: Values, n: Values) -> Values:
    """Relative standard error of the predicted collision rate, free time and free path of n periodic spheres, for eta > 0. It is
    that of Z - 1, from `compressibility_error`."""
    eta = _positive("eta", eta)
    return _plain(np.asarray(compressibility_error(eta, n)) / (np.asarray(compressibility_factor(eta)) - 1))


def periodic_mean_free_path(eta: Values, radius: Values, n: Values) -> Values:
    """Mean free path of n equal spheres in a periodic box with the centre of mass at rest: `mean_free_path` * sqrt(1 - 1/n) /
    `rate_correction`; first order in 1/n, up to eta = 0.53."""
    rest = np.sqrt(1 - 1 / np.asarray(_count("n", n, 2)))
    return _plain(mean_free_path(eta, radius) * rest / rate_correction(eta, n))


# Mixtures. Arguments for species are 1-D arrays with one entry each.

def _orders(eta: Any, equation: str) -> tuple[Any, Any, Any]:
    """Coefficients of the powers 0, 1 and 2 of z in `mixture_contact_values`; their sum is the g of equal spheres."""
    zero, one = 1 / (1 - eta), 1.5 * eta / (1 - eta) ** 2
    return zero, one, np.asarray(contact_value(eta, equation)) - zero - one


def mixture_contact_values(eta: float, fractions: Values, radii: Values, equation: str = REFERENCE) -> np.ndarray:
    """Contact values g_ij of a mixture, (k, k): 1/(1 - eta) + (3/2) eta/(1 - eta)^2 z + g_2 z^2, with z = 2 a_i a_j / (a_i + a_j)
    <a^2> / <a^3>, and g_2 such that equal spheres have the g of the equation of state.

    equation="carnahan-starling" gives the values of Boublik, Mansoori, Carnahan, Starling and Leland (BMCSL; J. Chem. Phys. 53,
    471, 1970; 54, 1523, 1971), accurate to about 1 %. fractions: number fractions (k,), or numbers of spheres. radii: (k,). A
    fraction may be 0, which stands for a single sphere among many others.
    """
    x, a = species_arrays(fractions, ("radii", radii))
    e = float(_eta(eta, equation))
    zero, one, two = _orders(e, equation)
    z = 2 * a[:, None] * a / (a[:, None] + a) * (x * a**2).sum() / (x * a**3).sum()
    return zero + one * z + two * z**2


def mixture_compressibility_factor(eta: Values, fractions: Values, radii: Values, equation: str = REFERENCE) -> Values:
    """Compressibility factor Z of a mixture: 1 + (4 eta / <s^3>) sum x_i x_j s_ij^3 g_ij, s_ij = (s_i + s_j) / 2 for diameters s,
    with `mixture_contact_values`. With equation="carnahan-starling" it is the equation of BMCSL, accurate to about 0.3 % in the
    fluid; the reference is as good, and exact for equal spheres. That Z does not depend on masses is exact. Arguments as there;
    eta may be an array."""
    x, a = species_arrays(fractions, ("radii", radii))
    one, two, three = (float((x * a**k).sum()) for k in (1, 2, 3))
    eta = _eta(eta, equation)
    zero, first, second = _orders(eta, equation)
    pairs = zero * (three + 3 * one * two) / 4 + first * (one * three + two**2) / 2 * two / three + second * two**3 / three
    return _plain(1 + 4 * eta / three * pairs)


def mixture_collision_rates(eta: float, fractions: Values, radii: Values, masses: Values, kT: float,
                            freedom: float = math.inf, equation: str = REFERENCE) -> np.ndarray:
    """Collisions per time nu_ij, (k, k), of one sphere of species i with spheres of species j; see `pair_collision_rate`.

    They satisfy x_i nu_ij = x_j nu_ji for number fractions x. The contact values are those of `mixture_contact_values`.
    fractions, radii, masses: (k,).
    """
    x, a, m = species_arrays(fractions, ("radii", radii), ("masses", masses))
    density = x * number_density(eta, 1.0) / (x * a**3).sum()
    g = mixture_contact_values(eta, fractions, radii, equation)
    return pair_collision_rate(density, a[:, None] + a, g, m[:, None] * m / (m[:, None] + m), kT, freedom, 3)


def mixture_diffusion(eta: float, fractions: Values, radii: Values, masses: Values, kT: float) -> np.ndarray:
    """Diffusion coefficients D_i of single spheres in a mixture at rest, (k,): 3 kT / (4 sum_j mu_ij nu_ij), with the collision
    rates nu of `mixture_collision_rates`. First term of Sonine's series, which is up to 13 % below Enskog's value for light
    spheres among heavy ones, and 1.9 % for one kind. Infinity at eta = 0. fractions, radii, masses: (k,)."""
    rates = mixture_collision_rates(eta, fractions, radii, masses, float(_positive("kT", kT)))
    m = np.asarray(masses, dtype=float)
    with np.errstate(divide="ignore"):
        return 3 * kT / (4 * (m[:, None] * m / (m[:, None] + m) * rates).sum(axis=1))


# Transport

# Ratios of the full solutions of Boltzmann's equation for hard spheres to the first term of Sonine's series (Pekeris and
# Alterman, Proc. Natl. Acad. Sci. 43, 998, 1957; for diffusion Lindenfeld and Shizgal, Chem. Phys. 41, 81, 1979).
_DIFFUSION, _VISCOSITY, _CONDUCTIVITY = 1.018954, 1.016034, 1.025218
# Of the sum over the images of a force on a fluid in a periodic cube (Hasimoto, J. Fluid Mech. 5, 317, 1959).
_CUBIC = 2.837297


def enskog_diffusion(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Self-diffusion coefficient D_E = 1.018954 * 3 kT / (2 m nu), length^2 / time; nu is `collision_rate`.

    The true D of many spheres is D_E at low density, about 1.27 D_E near eta = 0.28, and less than it near freezing. In a
    periodic box D is smaller, see `finite_size_diffusion`.
    """
    rate = np.asarray(collision_rate(eta, radius, mass, kT))
    with np.errstate(divide="ignore"):
        return _plain(_DIFFUSION * 1.5 * np.divide(kT, np.asarray(mass, dtype=float) * rate))


def _dilute(radius: Values, mass: Values, kT: Values) -> np.ndarray:
    """The viscosity of a dilute gas in the first approximation, 5 / (16 diameter^2) sqrt(m kT / pi)."""
    radius, mass, kT = _positive("radius", radius), _positive("mass", mass), _not_negative("kT", kT)
    return 5 / (64 * radius**2) * np.sqrt(mass * kT / math.pi)


def enskog_bulk_viscosity(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Bulk viscosity 16 / (5 pi) eta_0 b^2 g, b = 4 eta, eta_0 = 5 / (16 diameter^2) sqrt(m kT / pi), mass / (length time). 0 at
    eta = 0. Chapman and Cowling, The Mathematical Theory of Non-Uniform Gases, chapter 16."""
    g, b = contact_value(eta), 4 * _eta(eta)
    return _plain(16 / (5 * math.pi) * _dilute(radius, mass, kT) * b**2 * g)


def enskog_viscosity(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Shear viscosity 1.016034 eta_0 (1 + 2 b g / 5)^2 / g + (3/5) times `enskog_bulk_viscosity`, mass / (length time); symbols
    as there. Accurate to some per cent up to eta = 0.3; near freezing simulations give twice as much."""
    g, b = contact_value(eta), 4 * _eta(eta)
    kinetic = _VISCOSITY * _dilute(radius, mass, kT) * (1 + 0.4 * b * g) ** 2 / g
    return _plain(kinetic + 0.6 * enskog_bulk_viscosity(eta, radius, mass, kT))


def enskog_conductivity(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Heat conductivity over k_B, 1 / (length time): (15 / 4 m) 1.025218 eta_0 (1 + 3 b g / 5)^2 / g + (3 / 2 m) times
    `enskog_bulk_viscosity`; symbols as there. Accurate to 5 % up to freezing."""
    g, b = contact_value(eta), 4 * _eta(eta)
    kinetic = 3.75 * _CONDUCTIVITY * _dilute(radius, mass, kT) * (1 + 0.6 * b * g) ** 2 / g
    return _plain((kinetic + 1.5 * np.asarray(enskog_bulk_viscosity(eta, radius, mass, kT))) / _positive("mass", mass))


def finite_size_diffusion(kT: Values, viscosity: Values, side: Values) -> Values:
    """By how much a diffusion coefficient that was measured in a periodic cube is too small, length^2 / time:
    2.837297 kT / (6 pi viscosity side) (Duenweg and Kremer 1993; Yeh and Hummer, J. Phys. Chem. B 108, 15873, 2004). It is to be
    added to the measured value. side: of the cube, at least some diameters."""
    kT, viscosity, side = _not_negative("kT", kT), _positive("viscosity", viscosity), _positive("side", side)
    return _plain(_CUBIC * kT / (6 * math.pi * viscosity * side))


def stokes_diffusion(kT: Values, viscosity: Values, radius: Values, slip: bool = True) -> Values:
    """Diffusion coefficient of a large sphere in a fluid (Stokes and Einstein): kT / (4 pi viscosity R) if the fluid slips on its
    surface, as smooth hard spheres do, else kT / (6 pi viscosity R). radius: R at which the fluid begins, the sum of both radii.
    For spheres much larger and heavier than those of the fluid."""
    kT, viscosity, radius = _not_negative("kT", kT), _positive("viscosity", viscosity), _positive("radius", radius)
    return _plain(kT / ((4 if slip else 6) * math.pi * viscosity * radius))


def brownian_relaxation_time(mass: Values, radius: Values, small_mass: Values, small_radius: Values, density: Values,
                             kT: Values) -> Values:
    """Relaxation time tau_B = 3 M / (8 rho s^2 g sqrt(2 pi mu kT)) of a sphere of mass M among small spheres: its velocity
    autocorrelation begins as exp(-t / tau_B).

    density: rho of the small spheres in the volume accessible to their centres. s is the sum of both radii, mu the reduced mass,
    g the contact value of one large sphere among many small ones (`mixture_contact_values`).
    """
    mass, radius = _positive("mass", mass), _positive("radius", radius)
    m, a, kT = _positive("small_mass", small_mass), _positive("small_radius", small_radius), _positive("kT", kT)
    density = _positive("density", density)
    eta = _eta(packing_fraction(density, a))
    zero, one, two = _orders(eta, REFERENCE)
    z = 2 * radius / (radius + a)
    g = zero + one * z + two * z**2
    mu = mass * m / (mass + m)
    return _plain(3 * mass / (4 * mu * pair_collision_rate(density, radius + a, g, mu, kT, d=3)))
