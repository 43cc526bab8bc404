"""Equations of state: pressure and contact value of the fluid and of the solid."""
from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..model.numbers import shown
from .arguments import Values, _checked, _count, _not_negative, _plain, _positive, _share
from .finite import correction_of, slopes_of

CLOSE_PACKING = math.pi / (2 * math.sqrt(3))
KOLAFA_ROTTNER_LIMIT = math.pi / 4 * 0.9  # number density 0.9 / diameter^2, up to which that equation was fitted
DENSE_FLUID = 0.66  # below the packing fraction 0.67 of the least compressibility, which rises beyond it, towards freezing
CORRECTION_LIMIT = 0.68  # largest packing fraction for `ensemble_correction`, where it is still small
FIT_ERROR = 1e-5  # relative accuracy of Kolafa and Rottner's equation, as they give it
FREEZING = 0.7  # packing fraction at which the hexatic phase appears beside the fluid (Bernard and Krauth 2011)

# B_n / B_2^(n-1), n = 1, 2, ..., with B_2 = pi diameter^2 / 2. B_3 (Tonks 1936) and B_4 (Rowlinson 1964, Hemmer 1964)
# are exact, the others from Clisby and McCoy, J. Stat. Phys. 122, 15 (2006), with the standard errors below.
VIRIAL_COEFFICIENTS = (1.0, 1.0, 4 / 3 - math.sqrt(3) / math.pi, 2 - 9 * math.sqrt(3) / (2 * math.pi) + 10 / math.pi**2,
                       0.33355604, 0.1988425, 0.1148728, 0.0649930, 0.0362193, 0.0199537)
VIRIAL_ERRORS = (0.0, 0.0, 0.0, 0.0, 1e-8, 4.2e-6, 4.3e-6, 3.4e-6, 3.5e-6, 8.0e-6)

# Kolafa and Rottner, Mol. Phys. 104, 3435 (2006): Z = sum of A_i x^i, x = eta / (1 - eta).
_KOLAFA_ROTTNER = {0: 1.0, 1: 2.0, 2: 1.12801775, 3: 0.00181895291, 4: -0.0526134737, 5: 0.0504960168, 6: -0.0325537792,
                   7: 0.0134578632, 8: 0.00140888182, 9: -0.00834273601, 10: 0.00694127367, 11: -0.00262254723,
                   12: 0.000355746352, 22: -5.24672938e-9, 57: 5.88054639e-23}


# Equations of state. Each is stored as the contact value g = (Z - 1) / (2 eta), which avoids the cancellation in Z - 1 at low
# density.

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


# name: g(eta), least and greatest packing fraction
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
    """Contact value g(sigma+) = (Z - 1) / (2 eta) of the radial distribution of equal discs: the density of pairs in contact
    divided by that without correlations. 1 at eta = 0.

    The relation is exact (virial theorem), so the accuracy is that of the equation of state, see `compressibility_factor`.
    """
    if equation not in _EQUATIONS:
        raise ValueError(f"equation is {shown(equation)}; it must be one of {', '.join(_EQUATIONS)}")
    return _plain(_EQUATIONS[equation][0](_eta(eta, equation)))


def compressibility_factor(eta: Values, equation: str = "kolafa-rottner") -> Values:
    """Compressibility factor Z = P / (rho kT) of infinitely many equal discs. The equations, with their relative errors:

    kolafa-rottner  the reference: 1e-5 up to the end of the fluid; fitted up to eta = 0.7069 (Mol. Phys. 104, 3435, 2006)
    ideal           1, for discs that pass through each other
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
        raise ValueError(f"equation is {shown(equation)}; it must be one of {', '.join(EQUATIONS)}")
    return _plain(1 + 2 * _eta(eta, equation) * contact_value(eta, equation))


def inverse_compressibility(eta: Values) -> Values:
    """Inverse compressibility d(P / kT) / d rho = Z + eta Z', by Kolafa and Rottner's equation: 1 for the ideal gas. It has its
    maximum near eta = 0.67 and falls beyond, towards freezing."""
    eta = _eta(eta)
    return _plain(compressibility_factor(eta) + eta * slopes_of(_KOLAFA_ROTTNER, eta)[0])


def ensemble_correction(eta: Values, n: Values) -> Values:
    """Z of n discs in a periodic box minus Z of infinitely many: -rho (2 Z' + rho Z'') / (2 n (Z + rho Z')).

    The first order in 1/n, from the fluctuations of the number of discs (as in Kolafa and Rottner 2006, eq. 5): -0.0008 to -0.002
    for 1024 discs. Valid in the fluid if the box is much longer than correlations; not for a few discs. ValueError beyond
    eta = 0.68, where Z + rho Z' of the fit, by which it divides, tends to 0.
    """
    eta = _checked("eta", eta, lambda a: (a >= 0) & (a <= CORRECTION_LIMIT), f"from 0 to {CORRECTION_LIMIT}")
    n = _count("n", n, 2)
    return _plain(correction_of(eta, n, slopes_of(_KOLAFA_ROTTNER, eta), inverse_compressibility(eta)))


def compressibility_error(eta: Values, n: Values) -> Values:
    """Standard error of Z of n periodic discs from Kolafa and Rottner's equation and `ensemble_correction`.

    sqrt((1e-5 Z)^2 + (correction / n)^2): the accuracy of the fit, as given by its authors, and an estimate of the next order in
    1/n, which is ten times the difference in runs of 4 discs at eta = 0.1 and 0.3. Beyond eta = 0.68 the correction is not known,
    and 1 is taken for it.
    """
    eta, n = _eta(eta), _count("n", n, 2)
    missing = np.where(eta > CORRECTION_LIMIT, 1.0, np.abs(ensemble_correction(np.minimum(eta, CORRECTION_LIMIT), n)))
    return _plain(np.hypot(FIT_ERROR * compressibility_factor(eta), missing / n))


def tonks_compressibility_factor(eta: Values) -> Values:
    """Compressibility factor Z = 1 / (1 - eta) of hard rods on a line, where eta is the fraction of the line that they cover.
    Exact (Tonks, Phys. Rev. 50, 955, 1936)."""
    return _plain(1 / (1 - _share("eta", eta)))


def tonks_collision_rate(eta: Values, length: Values, mass: Values, kT: Values) -> Values:
    """Collisions per time of one hard rod on a line with its two neighbours: 2 sqrt(kT / (pi m)) eta / (length (1 - eta)). Exact.
    length: of a rod."""
    eta, length = _share("eta", eta), _positive("length", length)
    mass, kT = _positive("mass", mass), _not_negative("kT", kT)
    return _plain(2 * np.sqrt(kT / (math.pi * mass)) * eta / (length * (1 - eta)))
