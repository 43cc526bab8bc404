"""Validation of the arguments of formulas, which are floats or arrays. ValueError names the argument, its value and its range."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..model.numbers import shown

Values = Any  # a float, or an array that broadcasts; the result is a float if all arguments are floats


def _plain(result: Any) -> Values:
    """The result as a float if it is one number, else as an array."""
    return float(result) if np.ndim(result) == 0 else np.asarray(result)


def _checked(name: str, value: Values, good: Callable[[np.ndarray], np.ndarray], rule: str) -> np.ndarray:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {shown(value)}; it must be a number or an array of numbers") from None
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
        raise ValueError(f"{name} is {shown(value)}; it must be a whole number from {least} up")
    return int(value)
