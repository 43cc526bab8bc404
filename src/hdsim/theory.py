"""Closed formulas of the hard-disc gas, with which measurements are compared. Knows no system, no engine and no file.

Arguments are floats or arrays that broadcast; the result is a float if all of them are floats. Any consistent units:
kT is an energy, `eta` the packing fraction (area of the discs / area), `n` a number of discs, `density` discs / area.
Bad arguments raise ValueError. docs/theory.md lists every formula with its source and accuracy.

`freedom` is the number D of independent velocity components among which the energy is shared (see
`degrees_of_freedom`): a run at constant energy differs from Maxwell's law by terms of order 1/D, and these are exact
here. infinity, the default, means Maxwell's law. kT always stands for 2 E / D.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .model.configuration import K_B

Values = Any  # a float, or an array that broadcasts; floats in, float out

CLOSE_PACKING = math.pi / (2 * math.sqrt(3))
KOLAFA_ROTTNER_LIMIT = math.pi / 4 * 0.9  # number density 0.9 / diameter^2, up to which that equation was fitted
DENSE_FLUID = 0.66  # beyond it the compressibility rises again, towards freezing
CORRECTION_LIMIT = 0.68  # where the correction for N is still small
FIT_ERROR = 1e-5  # of Kolafa and Rottner's equation, relative: what they say of it
# Standard errors of scaled particle theory at walls, relative: root mean squares of its differences from runs of 100, 400 and
# 1000 discs in a square at packing fractions .02, .1, .2, .3, .4 and .5, 2 10^6 contacts each (docs/theory.md).
WALL_ERROR = 0.0014         # of the pressure on walls, and of contacts with them
WALLED_PAIRS_ERROR = 0.0025     # of contacts of discs with discs, 400 and 1000 discs
FREEZING = 0.7  # packing fraction where the fluid is no longer alone (Bernard and Krauth 2011)

# B_n / B_2^(n-1), n = 1, 2, ..., with B_2 = pi diameter^2 / 2. B_3 (Tonks 1936) and B_4 (Rowlinson 1964, Hemmer 1964)
# are exact, the others from Clisby and McCoy, J. Stat. Phys. 122, 15 (2006), with the standard errors below.
VIRIAL_COEFFICIENTS = (1.0, 1.0, 4 / 3 - math.sqrt(3) / math.pi, 2 - 9 * math.sqrt(3) / (2 * math.pi) + 10 / math.pi**2,
                       0.33355604, 0.1988425, 0.1148728, 0.0649930, 0.0362193, 0.0199537)
VIRIAL_ERRORS = (0.0, 0.0, 0.0, 0.0, 1e-8, 4.2e-6, 4.3e-6, 3.4e-6, 3.5e-6, 8.0e-6)

# Kolafa and Rottner, Mol. Phys. 104, 3435 (2006): Z = sum of A_i x^i, x = eta / (1 - eta).
_KOLAFA_ROTTNER = {0: 1.0, 1: 2.0, 2: 1.12801775, 3: 0.00181895291, 4: -0.0526134737, 5: 0.0504960168, 6: -0.0325537792,
                   7: 0.0134578632, 8: 0.00140888182, 9: -0.00834273601, 10: 0.00694127367, 11: -0.00262254723,
                   12: 0.000355746352, 22: -5.24672938e-9, 57: 5.88054639e-23}


# Arguments

def _plain(result: Any) -> Values:
    """A float where the result is one number."""
    return float(result) if np.ndim(result) == 0 else np.asarray(result)


def _checked(name: str, value: Values, good: Callable[[np.ndarray], np.ndarray], rule: str) -> np.ndarray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {value!r}; it must be a number or an array of numbers") from None
    bad = ~good(array)
    if bad.any():
        raise ValueError(f"{name} is {array[bad].flat[0]:g}; it must be {rule}")
    return array


def _positive(name: str, value: Values) -> np.ndarray:
    return _checked(name, value, lambda a: (a > 0) & (a < math.inf), "positive and finite")


def _not_negative(name: str, value: Values) -> np.ndarray:
    return _checked(name, value, lambda a: (a >= 0) & (a < math.inf), "0 or more and finite")


def _finite(name: str, value: Values) -> np.ndarray:
    return _checked(name, value, np.isfinite, "finite")


def _count(name: str, value: Values, least: int = 1) -> np.ndarray:
    rule = f"a whole number from {least} up"
    return _checked(name, value, lambda a: (a >= least) & (a < math.inf) & (a == np.rint(a)), rule)


def _freedom(value: Values, least: int = 1) -> np.ndarray:
    rule = f"a whole number from {least} up, or infinity"
    return _checked("freedom", value, lambda a: (a >= least) & (a == np.rint(a)), rule)


def _share(name: str, value: Values) -> np.ndarray:
    return _checked(name, value, lambda a: (a >= 0) & (a < 1), "at least 0 and below 1")


def _order(name: str, value: int, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is {value!r}; it must be a whole number from {least} up")
    return int(value)


# Density

def packing_fraction(density: Values, radius: Values) -> Values:
    """pi a^2 rho: area of the discs / area."""
    return _plain(math.pi * _not_negative("radius", radius) ** 2 * _not_negative("density", density))


def number_density(eta: Values, radius: Values) -> Values:
    """eta / (pi a^2): discs / area. 0 <= eta <= 0.9069, close packing."""
    eta = _checked("eta", eta, lambda a: (a >= 0) & (a <= CLOSE_PACKING), "from 0 to close packing, 0.9069")
    return _plain(eta / (math.pi * _positive("radius", radius) ** 2))


def thermal_energy(temperature: Values, k_B: float = K_B) -> Values:
    """kT = k_B T; with the default, T is in the units of the book's file names (p1000-.5K has kT = 0.69)."""
    return _plain(_positive("k_B", k_B) * _not_negative("temperature", temperature))


# Equations of state. Each is stored as g = (Z - 1) / (2 eta), the contact value, which does not cancel at low density.

def _virial(eta: np.ndarray) -> np.ndarray:
    return np.polynomial.polynomial.polyval(2 * eta, VIRIAL_COEFFICIENTS[1:])


def _henderson(eta: np.ndarray) -> np.ndarray:
    return (1 - 7 * eta / 16) / (1 - eta) ** 2


def _solana(eta: np.ndarray) -> np.ndarray:
    return _henderson(eta) - eta**3 / (20 * (1 - eta) ** 2)


def _luding(eta: np.ndarray) -> np.ndarray:
    return _henderson(eta) - eta**3 / (128 * (1 - eta) ** 4)


def _santos(eta: np.ndarray) -> np.ndarray:
    c = (2 * CLOSE_PACKING - 1) / CLOSE_PACKING**2
    return (1 - c * eta / 2) / (1 - 2 * eta + c * eta**2)


def _kolafa_rottner(eta: np.ndarray) -> np.ndarray:
    x = eta / (1 - eta)
    return sum(a * x ** (i - 1) for i, a in _KOLAFA_ROTTNER.items() if i) / (2 * (1 - eta))


def _solid(eta: np.ndarray) -> np.ndarray:
    alpha = CLOSE_PACKING / eta - 1
    return (2 / alpha + 0.9 + 0.67 * alpha) / (2 * eta)


# name: g(eta), the least and the greatest packing fraction
_EQUATIONS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], float, float]] = {
    "kolafa-rottner": (_kolafa_rottner, 0.0, KOLAFA_ROTTNER_LIMIT),
    "virial": (_virial, 0.0, FREEZING),
    "henderson": (_henderson, 0.0, FREEZING),
    "solana": (_solana, 0.0, FREEZING),
    "luding": (_luding, 0.0, FREEZING),
    "santos": (_santos, 0.0, FREEZING),
    "solid": (_solid, 0.72, 0.9),
}
EQUATIONS = ("ideal", *_EQUATIONS)


def _eta(value: Values, equation: str = "kolafa-rottner") -> np.ndarray:
    low, high = _EQUATIONS[equation][1:] if equation in _EQUATIONS else (0.0, CLOSE_PACKING)
    rule = f"from {low:g} to {high:.6g} for the equation {equation!r}"
    return _checked("eta", value, lambda a: (a >= low) & (a <= high), rule)


def contact_value(eta: Values, equation: str = "kolafa-rottner") -> Values:
    """g(sigma+) = (Z - 1) / (2 eta): density of pairs in contact / that without correlations. 1 at eta = 0.

    Exact relation (virial theorem); as accurate as the equation of state, see `compressibility_factor`.
    """
    if equation not in _EQUATIONS:
        raise ValueError(f"equation is {equation!r}; it must be one of {', '.join(_EQUATIONS)}")
    return _plain(_EQUATIONS[equation][0](_eta(eta, equation)))


def compressibility_factor(eta: Values, equation: str = "kolafa-rottner") -> Values:
    """Z = P / (rho kT) of equal discs in the limit of many.

    kolafa-rottner  the reference: 1e-5 to the end of the fluid; fitted up to eta = 0.7069 (Mol. Phys. 104, 3435, 2006)
    ideal           1, discs that pass through each other
    virial          ten terms: -1e-6 at eta 0.2, -0.07 % at 0.4, -3 % at 0.6 (Clisby and McCoy 2006)
    henderson       (1 + eta^2/8) / (1 - eta)^2: +0.14 % at 0.4, +1.2 % at 0.6 (Mol. Phys. 30, 971, 1975)
    solana          (1 + eta^2/8 - eta^4/10) / (1 - eta)^2: -0.1 % at 0.4, -0.08 % at 0.6, +3 % at 0.68
                    (Barrio and Solana, Phys. Rev. E 63, 011201, 2001)
    luding          henderson - eta^4 / (64 (1 - eta)^4): +0.03 % at 0.4, -0.05 % at 0.6, +1.9 % at 0.68
                    (Phys. Rev. E 63, 042201, 2001)
    santos          1 / (1 - 2 eta + (2 e - 1) eta^2 / e^2), e close packing: -1.4 % at 0.4, -0.8 % at 0.6
                    (Santos, Lopez de Haro and Yuste, J. Chem. Phys. 103, 4622, 1995)
    solid           2/alpha + 1.90 + 0.67 alpha, alpha = e / eta - 1, 0.72 <= eta <= 0.9; 3 % low at 0.72
                    (Alder, Hoover and Young, J. Chem. Phys. 49, 3688, 1968)
    """
    if equation == "ideal":
        return _plain(np.ones_like(_eta(eta, equation)))
    if equation not in _EQUATIONS:
        raise ValueError(f"equation is {equation!r}; it must be one of {', '.join(EQUATIONS)}")
    return _plain(1 + 2 * _eta(eta, equation) * contact_value(eta, equation))


def _kolafa_rottner_slopes(eta: np.ndarray) -> tuple[Any, Any]:
    """dZ/d eta and d^2Z/d eta^2 of the Kolafa-Rottner equation."""
    x = eta / (1 - eta)
    first = sum(i * a * x ** (i - 1) for i, a in _KOLAFA_ROTTNER.items() if i > 0)
    second = sum(i * (i - 1) * a * x ** (i - 2) for i, a in _KOLAFA_ROTTNER.items() if i > 1)
    return first * (1 + x) ** 2, second * (1 + x) ** 4 + 2 * first * (1 + x) ** 3


def inverse_compressibility(eta: Values) -> Values:
    """d(P / kT) / d rho = Z + eta Z' (Kolafa-Rottner): 1 in the ideal gas. Beyond eta = 0.68 it falls, towards
    freezing."""
    eta = _eta(eta)
    return _plain(compressibility_factor(eta) + eta * _kolafa_rottner_slopes(eta)[0])


def ensemble_correction(eta: Values, n: Values) -> Values:
    """Z of n discs in a periodic box minus Z of infinitely many: -rho (2 Z' + rho Z'') / (2 n (Z + rho Z')).

    The first order in 1/n, from fluctuations of the number (as in Kolafa and Rottner 2006, eq. 5); good in the fluid
    where the box is much longer than the correlations: -0.0008 to -0.002 for 1024 discs. Not for a few discs, and not
    beyond eta = 0.68, where the compressibility of the fit, by which it divides, goes to 0.
    """
    eta = _checked("eta", eta, lambda a: (a >= 0) & (a <= CORRECTION_LIMIT), f"from 0 to {CORRECTION_LIMIT}")
    n = _count("n", n, 2)
    first, second = _kolafa_rottner_slopes(eta)
    return _plain(-(2 * eta * first + eta**2 * second) / (2 * n * inverse_compressibility(eta)))


def compressibility_error(eta: Values, n: Values) -> Values:
    """Standard error of Z of n periodic discs by Kolafa and Rottner's equation and `ensemble_correction`.

    sqrt((1e-5 Z)^2 + (correction / n)^2): the accuracy that the authors give their fit, and the next order in 1/n, of which
    runs of 4 discs at eta = 0.1 and 0.3 had a tenth. Beyond eta = 0.68 no correction is known, and 1 / n stands for it.
    """
    eta, n = _eta(eta), _count("n", n, 2)
    missing = np.where(eta > CORRECTION_LIMIT, 1.0, np.abs(ensemble_correction(np.minimum(eta, CORRECTION_LIMIT), n)))
    return _plain(np.hypot(FIT_ERROR * compressibility_factor(eta), missing / n))


def tonks_compressibility_factor(eta: Values) -> Values:
    """Z = 1 / (1 - eta) of rods on a line, eta = their length / the length. Exact (Tonks, Phys. Rev. 50, 955, 1936)."""
    return _plain(1 / (1 - _share("eta", eta)))


def tonks_collision_rate(eta: Values, length: Values, mass: Values, kT: Values) -> Values:
    """Collisions per time of one rod with its two neighbours: 2 sqrt(kT / (pi m)) eta / (length (1 - eta)). Exact."""
    eta, length = _share("eta", eta), _positive("length", length)
    mass, kT = _positive("mass", mass), _not_negative("kT", kT)
    return _plain(2 * np.sqrt(kT / (math.pi * mass)) * eta / (length * (1 - eta)))


# Few discs: a fixed energy, shared among D velocity components

def degrees_of_freedom(n: Values, periodic: tuple[bool, bool] = (False, False)) -> Values:
    """D = 2 n - number of periodic axes: along each of them the total momentum is conserved, and taken to be 0."""
    return _plain(2 * _count("n", n) - sum(map(bool, periodic)))


def kinetic_temperature(energy: Values, freedom: Values) -> Values:
    """kT = 2 E / D: E / N between walls, E / (N - 1) on two periodic axes, E without the motion of all together."""
    freedom = _checked("freedom", freedom, lambda a: (a > 0) & (a < math.inf), "positive and finite")
    return _plain(2 * _not_negative("energy", energy) / freedom)


def _gamma_step(z: np.ndarray) -> np.ndarray:
    """Gamma(z + 1/2) / (Gamma(z) sqrt(z)), z >= 1/2; 1 at infinity. Relative error below 1e-13."""
    w = 1 / np.maximum(z, 50.0)
    far = 1 - w / 8 * (1 - w / 16 * (1 + 5 * w / 8 * (1 - 21 * w / 160 * (1 + 19 * w / 8))))
    near = np.vectorize(lambda s: math.exp(math.lgamma(s + 0.5) - math.lgamma(s)) / math.sqrt(s), otypes=[float])
    return np.where(z >= 50.0, far, near(np.minimum(z, 50.0)))


def speed_factor(freedom: Values) -> Values:
    """c = Gamma(D/2) sqrt(D/2) / Gamma((D+1)/2) = 1 + 1/(4 D) + ...: mean |component| at fixed energy / Maxwell's.

    Exact; mean speeds and all collision rates carry it. 1.00012220 for 1024 periodic discs.
    """
    return _plain(1 / _gamma_step(_freedom(freedom) / 2))


def momentum_transfer_moment(order: int, reduced_mass: Values, kT: Values, freedom: Values = math.inf) -> Values:
    """<J^k> over collisions, J = 2 mu |v_n|: (8 mu kT)^(k/2) Gamma(1 + k/2) (D/2)^(k/2) Gamma(z) / Gamma(z + k/2).

    z = (D + 1) / 2. Exact at any density, if total momentum is 0 where it is conserved. At a wall the reduced mass mu
    is the disc's mass. Equal masses m: <J> = sqrt(pi m kT) / c, <J^2> = 4 m kT D / (D + 1).
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
    """<e^k> of the energy e of one disc: k! s^k / ((1 + 2/D) (1 + 4/D) ... (1 + 2 (k-1)/D)).

    s = kT (1 - mass_fraction). Exact. mass_fraction: 0 between walls; on two periodic axes (total momentum 0) the
    disc's mass / the total mass.
    """
    order, freedom = _order("order", order), _freedom(freedom, 3)
    mean = _not_negative("kT", kT) * (1 - _share("mass_fraction", mass_fraction))
    result = math.factorial(order) * mean**order
    for j in range(1, order):
        result = result / (1 + 2 * j / freedom)
    return _plain(result / np.ones_like(freedom))


def equipartition(kT: Values, mass_fraction: Values = 0.0) -> Values:
    """Mean energy of one disc: kT between walls, kT (1 - m / M) on two periodic axes, total momentum 0. Exact."""
    return energy_moment(1, kT, mass_fraction=mass_fraction)


def velocity_kurtosis(freedom: Values = math.inf) -> Values:
    """<v^4> / <v^2>^2 = 2 D / (D + 2) of equal discs. Exact; 2 for Maxwell's law, 1 if all speeds are equal."""
    return _plain(2 / (1 + 2 / _freedom(freedom, 3)))


def kurtosis_relaxation(collisions_per_disc: Values) -> Values:
    """<v^4> / <v^2>^2 after c collisions per disc, from equal speeds: 2 - exp(-0.37 c), at any density.

    Empirical, to 0.05: it begins more slowly, as 1 + 64/225 c (exact for molecular chaos), and 0.37 is right for c = 6.
    """
    return _plain(2 - np.exp(-0.37 * _not_negative("collisions_per_disc", collisions_per_disc)))


# Distributions of velocity, speed and energy

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


def drift_factor(drift: Values) -> Values:
    """Mean speed of a gas that drifts / its mean speed at rest; drift: the speed of the centre of mass in units of sqrt(kT/m).

    The mean of Rice's distribution over Rayleigh's, with u = drift^2 / 4: exp(-u) ((1 + 2u) I_0(u) + 2u I_1(u)), which is
    sqrt(2) times `speed_collision_rate`; Rice, Bell System Tech. J. 24, 46 (1945). Exact for Maxwell's law; 1 + u at first.
    Up to 12.
    """
    drift = _checked("drift", drift, lambda a: (a >= 0) & (a <= 12), "from 0 to 12")
    return _plain(math.sqrt(2) * np.asarray(speed_collision_rate(drift)))


def most_probable_speed(mass: Values, kT: Values, d: int = 2) -> Values:
    """sqrt((d - 1) kT / m): the maximum of the density of the speed."""
    d = _order("d", d, 1)
    return _plain(np.sqrt((d - 1) * _not_negative("kT", kT) / _positive("mass", mass)))


# Collision rates and free paths

def pair_collision_rate(density: Values, contact_distance: Values, contact_value: Values, reduced_mass: Values,
                        kT: Values, freedom: Values = math.inf) -> Values:
    """Collisions per time of one disc with the discs j: nu = rho_j s g sqrt(2 pi kT / mu) c.

    It is rho_j g, times the width 2 s, times the mean relative speed sqrt(pi kT / (2 mu)). s: sum of the two radii;
    c: `speed_factor`. Exact in equilibrium at any density if g is the true contact value.
    """
    density, s, g = (_not_negative("density", density), _positive("contact_distance", contact_distance),
                     _not_negative("contact_value", contact_value))
    mu, kT = _positive("reduced_mass", reduced_mass), _not_negative("kT", kT)
    return _plain(density * s * g * np.sqrt(2 * math.pi * kT / mu) * speed_factor(freedom))


def collision_rate(eta: Values, radius: Values, mass: Values, kT: Values, freedom: Values = math.inf,
                   equation: str = "kolafa-rottner") -> Values:
    """Collisions per time of each of equal discs: 4 (Z - 1) / (sqrt(pi) diameter) sqrt(kT / m) c.

    n discs have n / 2 times as many in all. As accurate as Z - 1 is.
    """
    radius, mass = _positive("radius", radius), _positive("mass", mass)
    density, g = number_density(eta, radius), contact_value(eta, equation)
    return pair_collision_rate(density, 2 * radius, g, mass / 2, kT, freedom)


def mean_free_time(eta: Values, radius: Values, mass: Values, kT: Values, freedom: Values = math.inf) -> Values:
    """1 / `collision_rate`: mean time of a disc between two collisions with discs. infinity at eta = 0."""
    with np.errstate(divide="ignore"):
        return _plain(1 / np.asarray(collision_rate(eta, radius, mass, kT, freedom)))


def mean_free_path(eta: Values, radius: Values) -> Values:
    """Mean speed * mean free time = pi diameter / (4 sqrt(2) (Z - 1)), between collisions with discs.

    Does not depend on temperature. The rate is v_mean / path; exercise 5 of the book has v_rms / path, which is
    2 / sqrt(pi) = 1.128 times that.
    """
    return _plain(mean_speed(1.0, 1.0) * mean_free_time(eta, radius, 1.0, 1.0))


def missed_share(step: Values) -> Values:
    """Share of contacts that nobody sees who looks for overlaps from time to time: 1 - (sqrt(1 - u^2) + asin(u) / u) / 2 up
    to u = 1, and 1 - pi / (4 u) beyond; u^2 / 6 where it is small.

    step: u, the way of the pair between two looks over the longest way that it is seen, which is two contact distances for
    who sees every overlap, one for who sees only discs that still approach. Discs go straight on while they are not seen, on
    a chord of length l with uniform impact parameter; a chord shorter than the way w between two looks is missed with
    probability 1 - l / w. Exact for random impact parameters.
    """
    u = _not_negative("step", step)
    short = np.clip(u, 1e-4, 1.0)
    found = (np.sqrt(1 - short**2) + np.arcsin(short) / short) / 2
    return _plain(np.where(u < 1e-4, u**2 / 6, np.where(u <= 1, 1 - found, 1 - math.pi / (4 * np.maximum(u, 1.0)))))


def rate_correction(eta: Values, n: Values) -> Values:
    """Collision rate of n equal discs in a periodic box over that of infinitely many, at the same eta and kT = 2 E / D, beside
    `speed_factor`: (Z_n - 1) / (Z - 1), with Z_n - Z from `ensemble_correction`. 1 - 1/n at eta = 0.

    Rates and the pressure of collisions go with the same pairs in contact, so that this follows from Z exactly; it is as
    good as the first order in 1/n is. Runs of 4 discs were 0.4 % below it at eta = 0.1 and 0.8 % at 0.3; of 16 discs up to
    0.3, and of 196 up to 0.5, they agreed to their error of 0.1 %. eta: 0 to 0.68.
    """
    correction, excess = np.asarray(ensemble_correction(eta, n)), np.asarray(compressibility_factor(eta) - 1)
    thin = 1 - 1 / np.asarray(n, dtype=float)
    return _plain(np.where(excess > 0, 1 + correction / np.where(excess > 0, excess, 1.0), thin))


def rate_error(eta: Values, n: Values) -> Values:
    """Relative standard error of collision rates, free times and free paths of n periodic discs, that of Z - 1: see
    `compressibility_error`. eta > 0."""
    eta = _positive("eta", eta)
    return _plain(np.asarray(compressibility_error(eta, n)) / (np.asarray(compressibility_factor(eta)) - 1))


def periodic_mean_free_path(eta: Values, radius: Values, n: Values) -> Values:
    """Mean free path of n equal discs in a periodic box whose centre of mass rests:
    `mean_free_path` * sqrt(1 - 1/n) / `rate_correction`; first order in 1/n, up to eta = 0.68.

    sqrt(1 - 1/n) is exact. At total momentum 0 the energy is E = (n - 1) kT, by the definition of kT; it is the sum of n
    equal means m <v^2> / 2, so <v^2> = (2 kT / m) (1 - 1/n), and the mean speed has the root of that. A relative velocity does
    not contain the motion of the centre of mass: m <(v_i - v_j)^2> / 4 = kT, so the rate has no such factor. The factor
    `speed_factor` of both cancels.
    """
    rest = np.sqrt(1 - 1 / np.asarray(_count("n", n, 2)))
    return _plain(mean_free_path(eta, radius) * rest / rate_correction(eta, n))


def wall_collision_rate(pressure: Values, mass: Values, kT: Values, freedom: Values = math.inf) -> Values:
    """Hits per time and length of a wall: P / <2 m |v_x|> = P c / sqrt(2 pi m kT), P its force per length. Exact."""
    return _plain(_not_negative("pressure", pressure)
                  / momentum_transfer_moment(1, _positive("mass", mass), _positive("kT", kT), freedom))


def _bessel_scaled(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """exp(-x) I_0(x) and exp(-x) I_1(x), x <= 40: the trapezoidal rule is exact to rounding for periodic functions."""
    cosine = np.cos((np.arange(64) + 0.5) * (math.pi / 64))
    weight = np.exp(np.multiply.outer(x, cosine - 1))
    return weight.mean(axis=-1), (weight * cosine).mean(axis=-1)


def speed_collision_rate(speed: Values) -> Values:
    """Collision rate of a disc that has this speed, in units of the mean rate, at low density (molecular chaos).

    Speed in units of sqrt(kT/m). With u = v^2/4: exp(-u) ((1 + 2u) I_0(u) + 2u I_1(u)) / sqrt(2). 1 / sqrt(2) for a
    disc at rest, v / sqrt(pi) for a very fast one. Chapman and Cowling's method, in two dimensions; speeds up to 12.
    """
    v = _checked("speed", speed, lambda a: (a >= 0) & (a <= 12), "from 0 to 12")
    u = v**2 / 4
    zero, one = _bessel_scaled(u)
    return _plain(((1 + 2 * u) * zero + 2 * u * one) / math.sqrt(2))


def _flights() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Speeds v, the rates nu(v) / mean, and the weights of flights, in proportion to f nu dv and 1 in all."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    v = 5 * (nodes + 1)  # beyond 10 are exp(-50) of all
    rate = speed_collision_rate(v)
    return v, rate, 5 * weights * v * np.exp(-v**2 / 2) * rate


def free_time_moment(order: int) -> float:
    """<t^k> / (k! <t>^k) of the free time, at low density: 1.0542205 for k = 2. It would be 1 if it were exponential.

    A flight at speed v has the rate nu(v); flights begin with the density f(v) nu(v). Exact for molecular chaos
    (Boltzmann); at finite density a few per cent lower. Collisions with walls do not count.
    """
    _, rate, weight = _flights()
    return float((weight / rate ** _order("order", order)).sum())


def free_path_moment(order: int) -> float:
    """<l^k> / (k! <l>^k) of the free path: 1.0799079 for k = 2, 1.2163322 for k = 3; see `free_time_moment`."""
    v, rate, weight = _flights()
    return float((weight * (v / (rate * mean_speed(1.0, 1.0))) ** _order("order", order)).sum())


def free_time_pdf(time: Values) -> Values:
    """Density of t / <t>, the free time between collisions with discs, at low density; see `free_time_moment`."""
    _, rate, weight = _flights()
    time = _not_negative("time", time)
    return _plain((np.exp(-np.multiply.outer(time, rate)) * rate * weight).sum(axis=-1))


def free_path_pdf(path: Values) -> Values:
    """Density of l / <l>, the free path between collisions with discs, at low density; see `free_time_moment`.

    Not exponential: 1.1487 over the first twentieth, for slow discs do not come far. To 2e-4 near 0, 1e-7 beyond 0.5.
    """
    v, rate, weight = _flights()
    per_path = rate * mean_speed(1.0, 1.0) / v
    return _plain((np.exp(-np.multiply.outer(_not_negative("path", path), per_path)) * per_path * weight).sum(axis=-1))


# Boxes with walls

def single_disc_wall_rate(speed: Values, radius: Values, length: Values) -> Values:
    """Hits per time of one disc on two opposite walls, |v_x| / (L - 2 a): exact. A hit transfers 2 m |v_x|."""
    return _plain(np.abs(_finite("speed", speed)) / _room(radius, length))


def _room(radius: Values, length: Values, name: str = "length") -> np.ndarray:
    """Where the centre of a disc may be, along one axis."""
    radius, length = _not_negative("radius", radius), _positive(name, length)
    room = length - 2 * radius
    if (room <= 0).any():
        raise ValueError(f"radius is {np.max(radius):g}; it must be less than half the {name} of the box, "
                         f"{np.min(length):g}")
    return room


def _box(radius: Values, width: Values, height: Values) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Width and height of a box as arrays, and those of the room for a centre."""
    room = _room(radius, width, "width"), _room(radius, height, "height")
    return np.asarray(width, dtype=float), np.asarray(height, dtype=float), *room


def accessible_area(radius: Values, width: Values, height: Values) -> Values:
    """(W - 2 a) (H - 2 a): where the centre of a disc may be in a box with walls."""
    _, _, room_x, room_y = _box(radius, width, height)
    return _plain(room_x * room_y)


def noninteracting_wall_pressures(n: Values, radius: Values, kT: Values, width: Values,
                                  height: Values) -> tuple[Values, Values]:
    """Force / length on the vertical walls by discs that pass through each other, N kT / ((W - 2a) H), and on the
    others.

    Exact.
    """
    n, kT = _count("n", n), _not_negative("kT", kT)
    width, height, room_x, room_y = _box(radius, width, height)
    return _plain(n * kT / (room_x * height)), _plain(n * kT / (room_y * width))


def _surface_tension(density: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """gamma / kT of a hard wall, measured at the wall itself, and Gamma, the discs in excess per length of wall.

    Scaled particle theory: gamma = kT rho diameter / (2 (1 - eta)); Gamma = -rho gamma' / P' (Gibbs).
    """
    eta = math.pi * radius**2 * density
    slope = radius / (1 - eta) ** 2
    return density * radius / (1 - eta), -density * slope / inverse_compressibility(eta)


def bulk_density(n: Values, radius: Values, width: Values, height: Values) -> Values:
    """Density far from the walls of n discs in a box with walls: N = rho W H + Gamma 2 (W + H) is solved for rho.

    Scaled particle theory for Gamma; fluid only, eta <= 0.66 far from the walls; corners are left out: W and H are 10
    diameters or more.
    """
    width, height, _, _ = _box(radius, width, height)
    n, radius, area, perimeter = np.broadcast_arrays(
        _count("n", n), np.asarray(radius, dtype=float), width * height, 2 * (width + height))
    low = n / area
    high = np.minimum(4 * low, DENSE_FLUID / np.maximum(math.pi * radius**2, 1e-300))

    def discs(density: np.ndarray) -> np.ndarray:
        return density * area + _surface_tension(density, radius)[1] * perimeter

    if (low > high).any() or (discs(high) < n).any():
        raise ValueError(f"n is {np.max(n):g}; there must be fewer or smaller discs for a fluid in this box")
    for _ in range(60):
        middle = (low + high) / 2
        few = discs(middle) < n
        low, high = np.where(few, middle, low), np.where(few, high, middle)
    return _plain((low + high) / 2)


def wall_pressures(n: Values, radius: Values, kT: Values, width: Values, height: Values) -> tuple[Values, Values]:
    """Force / length on the vertical walls of a box with n equal discs, P - 2 gamma / H, and on the others, with W.

    P is that of the `bulk_density`, gamma the surface tension of scaled particle theory; to 0.5 % with 100 discs and
    more, where P(N / A) is 4 to 8 % off. Of a few discs in a narrow box it says nothing.
    """
    kT = _not_negative("kT", kT)
    density, radius = np.asarray(bulk_density(n, radius, width, height)), np.asarray(radius, dtype=float)
    bulk = density * compressibility_factor(math.pi * radius**2 * density)
    line = 2 * _surface_tension(density, radius)[0]
    return _plain(kT * (bulk - line / np.asarray(height))), _plain(kT * (bulk - line / np.asarray(width)))


def mean_wall_pressure(n: Values, radius: Values, kT: Values, width: Values, height: Values) -> Values:
    """Force on all walls / their length: the mean of the two `wall_pressures`, by length."""
    vertical, horizontal = wall_pressures(n, radius, kT, width, height)
    width, height = np.asarray(width, dtype=float), np.asarray(height, dtype=float)
    return _plain((height * vertical + width * horizontal) / (width + height))


def virial_from_wall_pressures(pressures: tuple[Values, Values], n: Values, radius: Values, kT: Values, width: Values,
                               height: Values) -> Values:
    """Z of collisions, 1 + sum J s / (2 N kT t), from the forces / length on the vertical and on the horizontal walls.

    ((W - 2a) H P_x + (H - 2a) W P_y) / (2 N kT): exact for equal radii, in each run, to a term that falls as 1/t.
    """
    vertical, horizontal = (_not_negative("pressures", p) for p in pressures)
    n, kT = _count("n", n), _positive("kT", kT)
    width, height, room_x, room_y = _box(radius, width, height)
    return _plain((room_x * height * vertical + room_y * width * horizontal) / (2 * n * kT))


def walled_collision_rates(n: Values, radius: Values, mass: Values, kT: Values, width: Values,
                           height: Values) -> tuple[Values, Values]:
    """Collisions per time in a box with walls, all pairs and all walls, of n equal discs of positive radius.

    Walls: `wall_pressures` / <2 m |v_x|>. Pairs: Z - 1 of that pressure. D = 2 n at fixed energy. The standard errors are
    WALL_ERROR and, of pairs, `walled_pair_error`.
    """
    mass, kT, radius = _positive("mass", mass), _positive("kT", kT), _positive("radius", radius)
    freedom = degrees_of_freedom(n)
    vertical, horizontal = wall_pressures(n, radius, kT, width, height)
    force = 2 * (np.asarray(height) * vertical + np.asarray(width) * horizontal)
    walls = wall_collision_rate(force, mass, kT, freedom)
    z = virial_from_wall_pressures((vertical, horizontal), n, radius, kT, width, height)
    pairs = (z - 1) * n * kT / (radius * momentum_transfer_moment(1, mass / 2, kT, freedom))
    return _plain(pairs), _plain(walls)


def walled_pair_error(n: Values) -> Values:
    """Standard error of the pairs of `walled_collision_rates` and of paths and times that follow, relative:
    sqrt(WALLED_PAIRS_ERROR^2 + 1/n^2).

    The first term was seen in runs of many discs. The second is the term in 1/n that is left out: in a thin gas n (n - 1)
    pairs meet, and not n^2.
    """
    return _plain(np.hypot(WALLED_PAIRS_ERROR, 1 / np.asarray(_count("n", n))))


def walled_free_flight(n: Values, radius: Values, mass: Values, kT: Values, width: Values, height: Values,
                       walls: bool = False) -> tuple[Values, Values]:
    """Mean path and mean time of a disc between two contacts with discs, of n equal discs in a box with walls; with `walls`,
    between two contacts of any kind.

    Each contact of two discs ends two flights, one with a wall ends one: the time is n / (2 pairs + walls) with the rates of
    `walled_collision_rates` and their accuracy, the path is that times the mean speed, D = 2 n at fixed energy.
    """
    pairs, hits = walled_collision_rates(n, radius, mass, kT, width, height)
    time = np.asarray(n, dtype=float) / (2 * np.asarray(pairs) + (np.asarray(hits) if walls else 0.0))
    return _plain(time * mean_speed(mass, kT, freedom=degrees_of_freedom(n))), _plain(time)


def two_disc_collision_rate(radius: Values, length: Values, mass_1: Values, mass_2: Values, energy: Values) -> Values:
    """Collisions per time of two discs of one radius in a square box with walls, of given total energy. Exact.

    (S / Omega) sqrt(1/m1 + 1/m2) sqrt(2 E) 2 / (3 pi): Omega is the volume of the allowed positions, S its boundary
    where the discs touch. The radius is below a quarter of the length, so that they can pass each other.
    """
    room, s = _room(radius, length), 2 * _positive("radius", radius)
    if (s >= room).any():
        raise ValueError(f"radius is {np.max(s) / 2:g}; it must be below a quarter of the length")
    omega = room**4 - math.pi * room**2 * s**2 + 8 * room * s**3 / 3 - s**4 / 2
    boundary = 2 * math.pi * room**2 * s - 8 * room * s**2 + 2 * s**3
    masses = 1 / _positive("mass_1", mass_1) + 1 / _positive("mass_2", mass_2)
    return _plain(boundary / omega * np.sqrt(masses * 2 * _not_negative("energy", energy)) * 2 / (3 * math.pi))


# Mixtures: 1-D arrays, one entry for each species

def _species(fractions: Values, *others: tuple[str, Values]) -> list[np.ndarray]:
    arrays = [_not_negative("fractions", fractions), *(_positive(name, values) for name, values in others)]
    shapes = [a.shape for a in arrays]
    if any(shape != shapes[0] or len(shape) != 1 for shape in shapes):
        raise ValueError(f"fractions, {', '.join(name for name, _ in others)} have the shapes {shapes}; "
                         "each must have one entry for each species")
    if not arrays[0].sum() > 0:
        raise ValueError("fractions are all 0; one at least must be positive")
    return [arrays[0] / arrays[0].sum(), *arrays[1:]]


def mixture_compressibility_factor(eta: Values, fractions: Values, radii: Values,
                                   equation: str = "kolafa-rottner") -> Values:
    """Z of a mixture: (1 - xi) / (1 - eta) + xi Z(eta), xi = <a>^2 / <a^2>. Fractions by number (or numbers). To 0.2 %.

    Masses do not matter: exact. Santos, Yuste and Lopez de Haro, Mol. Phys. 96, 1 (1999).
    """
    x, a = _species(fractions, ("radii", radii))
    xi = (x * a).sum() ** 2 / (x * a**2).sum()
    return _plain((1 - xi) / (1 - _eta(eta, equation)) + xi * compressibility_factor(eta, equation))


def mixture_contact_values(eta: float, fractions: Values, radii: Values,
                           equation: str = "kolafa-rottner") -> np.ndarray:
    """g_ij at contact, (k, k): 1 / (1 - eta) + (g(eta) - 1 / (1 - eta)) z, z = 2 a_i a_j / (a_i + a_j) <a> / <a^2>.

    Santos, Yuste and Lopez de Haro, J. Chem. Phys. 117, 5785 (2002); with equation="henderson" it is that of Jenkins
    and Mancini, J. Appl. Mech. 54, 27 (1987). Agrees with `mixture_compressibility_factor` exactly; each g_ij to about
    1 %. A fraction may be 0: a single disc among others.
    """
    x, a = _species(fractions, ("radii", radii))
    ideal = 1 / (1 - float(_eta(eta, equation)))
    z = 2 * a[:, None] * a / (a[:, None] + a) * (x * a).sum() / (x * a**2).sum()
    return ideal + (contact_value(eta, equation) - ideal) * z


def mixture_collision_rates(eta: float, fractions: Values, radii: Values, masses: Values,
                            kT: float, freedom: float = math.inf, equation: str = "kolafa-rottner") -> np.ndarray:
    """nu_ij, (k, k): collisions per time of one disc of species i with those of species j; see `pair_collision_rate`.

    x_i nu_ij = x_j nu_ji. All collisions of N discs per time: N / 2 sum of x_i nu_ij.
    """
    x, a, m = _species(fractions, ("radii", radii), ("masses", masses))
    density = x * number_density(eta, 1.0) / (x * a**2).sum()
    g = mixture_contact_values(eta, fractions, radii, equation)
    return pair_collision_rate(density, a[:, None] + a, g, m[:, None] * m / (m[:, None] + m), kT, freedom)


# Transport. In two dimensions transport coefficients diverge as the logarithm of time or size: these are Enskog's,
# which a simulation passes through at about ten collisions per disc.

def enskog_diffusion(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Self-diffusion D_E = kT / (m nu), first Sonine approximation (about 3 % below Enskog's full value).

    In two dimensions the true D grows as the logarithm of time and of N: quote both with a measured D. Among 1024 discs
    at eta = 0.5 it was 0.37, 0.82, 0.97 and 1.12 D_E after 1, 5, 10 and 20 mean free times.
    """
    with np.errstate(divide="ignore"):
        return _plain(np.divide(kT, _positive("mass", mass) * collision_rate(eta, radius, mass, kT)))


def enskog_viscosity(eta: Values, radius: Values, mass: Values, kT: Values) -> Values:
    """Shear viscosity eta_0 (1/g + 2 eta + 0.8729 (2 eta)^2 g), eta_0 = 1.022 / (2 diameter) sqrt(m kT / pi).

    Gass, J. Chem. Phys. 54, 1898 (1971). To 5 % at eta <= 0.5, the MD value is far above near freezing.
    """
    radius, mass, kT = _positive("radius", radius), _positive("mass", mass), _not_negative("kT", kT)
    g, y = contact_value(eta), 2 * _eta(eta)
    return _plain(1.022 / (4 * radius) * np.sqrt(mass * kT / math.pi) * (1 / g + y + 0.8729 * y**2 * g))


def vacf_enskog(time: Values, relaxation_time: Values) -> Values:
    """C(t) / C(0) = exp(-t / tau): the velocity autocorrelation at short times, with the exact initial slope -1 / tau.

    tau is the mean free time of equal discs, or `brownian_relaxation_time`. Later C is above it: see `vacf_tail`.
    """
    return _plain(np.exp(-_not_negative("time", time) / _positive("relaxation_time", relaxation_time)))


def vacf_tail(time: Values, density: Values, mass: Values, diffusion: Values, viscosity: Values) -> Values:
    """C(t) / C(0) = 1 / (8 pi rho (D + eta_s / (rho m)) t): the long-time tail, which makes D diverge.

    Mode coupling (Ernst, Hauge and van Leeuwen, Phys. Rev. Lett. 25, 1254, 1970); from some ten collisions per disc to
    the time that sound needs through a periodic box. At very late times the decay is slightly faster (Isobe, PRE 77,
    021201, 2008).
    """
    density, mass = _positive("density", density), _positive("mass", mass)
    spread = _not_negative("diffusion", diffusion) + _not_negative("viscosity", viscosity) / (density * mass)
    return _plain(1 / (8 * math.pi * density * spread * _positive("time", time)))


def mean_squared_displacement(time: Values, diffusion: Values, relaxation_time: Values) -> Values:
    """<r^2> = 4 D (t - tau (1 - exp(-t / tau))) (Ornstein and Fuerth): the integral of the exponential autocorrelation.

    4 D t for long times (Einstein), 4 D t^2 / (2 tau) = <v^2> t^2 for short ones.
    """
    time, tau = _not_negative("time", time), _positive("relaxation_time", relaxation_time)
    return _plain(4 * _not_negative("diffusion", diffusion) * (time + tau * np.expm1(-time / tau)))


def brownian_relaxation_time(mass: Values, radius: Values, small_mass: Values, small_radius: Values, density: Values,
                             kT: Values) -> Values:
    """tau_B = M / (2 rho s g sqrt(2 pi mu kT)): the velocity of a disc of mass M decays as exp(-t / tau_B) at first.

    One disc among small ones of this density (where their centres may be: N / accessible area), s the sum of both
    radii, mu the reduced mass, g their contact value (`mixture_contact_values` for one disc among many). tau_B = M D_12
    / kT with Enskog's D_12; the initial slope is exact but for g. Later the decay is slower (hydrodynamics), and
    Stokes' law has no counterpart in two dimensions: compare the initial slope and <M V^2 / 2>, not D.
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
    """D = kT tau / M (Einstein), tau the decay time of the velocity; in 2-D with the caution of `enskog_diffusion`."""
    return _plain(_not_negative("kT", kT) * _not_negative("relaxation_time", relaxation_time) / _positive("mass", mass))


# Slits

def effusion_rate(width: Values, area: Values, mass: Values, kT: Values) -> Values:
    """Passages per time of one disc out of an area through an opening: w v_mean / (pi A); its inverse is the mean stay.

    Exact for points in equilibrium with v_mean = `mean_speed` (Kac: for one of speed v, the mean stay is pi A / (v w)). Width
    and area are those that centres can reach: the opening less 2 a, and of the area what is outside of all circles of contact. Leaves out
    that discs are not equally dense everywhere: 0.3 % in `diffusion`.
    """
    return _plain(_positive("width", width) * mean_speed(mass, kT) / (math.pi * _positive("area", area)))


def slit_relaxation_rate(width: Values, area_1: Values, area_2: Values, mass: Values, kT: Values,
                         eta: Values = 0.0) -> Values:
    """k in N_1 - N_2 -> exp(-k t), for two vessels with a slit: w v_mean / pi (1/A_1 + 1/A_2) d(P/kT)/d rho.

    Widths and areas as in `effusion_rate`; eta is the final packing fraction, 0 means the ideal gas. In `diffusion`,
    with 1.13e-3, the rate was 1.18(1)e-3 from 100 to 500, 1.105(5)e-3 on average until 1000, and 0.87(2)e-3 from 1000 to 2000:
    it leaves out that the gas that expands cools, for those that pass carry 3/2 kT, which makes the late rate 3/4 of this; and
    that discs meet in the slit, which helps at first. 6 % over 44 to 712 discs. Two kinds of equal discs mix more slowly: see
    `slit_mixing_rate`.
    """
    both = 1 / (1 / _positive("area_1", area_1) + 1 / _positive("area_2", area_2))
    return _plain(effusion_rate(width, both, mass, kT) * inverse_compressibility(eta))


def slit_mixing_rate(width: Values, length: Values, height: Values, mass: Values, kT: Values,
                     diffusion: Values) -> Values:
    """k in the fraction of one kind of equal discs in its vessel -> 1/2 (1 + exp(-k t)): 2 / (A R), A = length height.

    Two such vessels side by side, in equilibrium, a slit in the middle between them. Nothing drives a flow, so that each
    disc must find the slit and get away from it by self-diffusion: R = pi / (w v_mean) for the slit, as in
    `effusion_rate`, + 2/(pi D) ln(1 / sin(pi w / 2 height)) for the narrowing on both sides (conformal mapping)
    + 2 length / (3 D height) for the way across the vessels. With Enskog's D it was 4 to 8 % below runs with
    mean free paths from 8 to 0.5 slit widths (docs/theory.md); widths as in `effusion_rate`.
    """
    width, height, D = _positive("width", width), _positive("height", height), _positive("diffusion", diffusion)
    length = _positive("length", length)
    if (width > height).any():
        raise ValueError(f"width is {np.max(width):g}; it must not be more than the height of the vessels")
    slit = math.pi / (width * mean_speed(_positive("mass", mass), kT))
    ways = 2 / (math.pi * D) * -np.log(np.sin(math.pi * width / (2 * height))) + 2 * length / (3 * D * height)
    return _plain(2 / (length * height * (slit + ways)))
