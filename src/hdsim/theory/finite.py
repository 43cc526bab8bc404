"""What the theories of discs and of spheres have in common: slopes of an equation of state, and systems of finitely many bodies.

`equations`, `collisions` and `spheres` give the numbers of their equation and say where the results hold."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def slopes_of(coefficients: Mapping[int, float], eta: np.ndarray) -> tuple[Any, Any]:
    """dZ/d eta and d^2Z/d eta^2 of Z = sum over i of coefficients[i] x^i, where x = eta / (1 - eta)."""
    x = eta / (1 - eta)
    first = sum(i * a * x ** (i - 1) for i, a in coefficients.items() if i > 0)
    second = sum(i * (i - 1) * a * x ** (i - 2) for i, a in coefficients.items() if i > 1)
    return first * (1 + x) ** 2, second * (1 + x) ** 4 + 2 * first * (1 + x) ** 3


def correction_of(eta: np.ndarray, n: np.ndarray, slopes: tuple[Any, Any], inverse_compressibility: Any) -> Any:
    """Z of n bodies in a periodic box minus Z of infinitely many, to first order in 1/n, with the two slopes of Z by eta:
    -rho (2 Z' + rho Z'') / (2 n (Z + rho Z'))."""
    first, second = slopes
    return -(2 * eta * first + eta**2 * second) / (2 * n * inverse_compressibility)


def rate_ratio(correction: Any, excess: Any, n: Any) -> np.ndarray:
    """The collision rate of n bodies in a periodic box over that of infinitely many: (Z_n - 1) / (Z - 1), from Z_n - Z and the
    excess Z - 1; 1 - 1/n where there is no excess."""
    correction, excess = np.asarray(correction), np.asarray(excess)
    thin = 1 - 1 / np.asarray(n, dtype=float)
    return np.where(excess > 0, 1 + correction / np.where(excess > 0, excess, 1.0), thin)
