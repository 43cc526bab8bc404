"""Numerals: numbers as text, for pictures, with powers of ten and errors, and the numbers of axes."""
from __future__ import annotations

import math

import numpy as np

MINUS, TIMES, PLUS_MINUS = "\N{MINUS SIGN}", "\N{MIDDLE DOT}", "\N{PLUS-MINUS SIGN}"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = (-3, 5)         # decades that are written without a power of ten in a text ...
SHORT = (-2, 5)         # ... and at an axis


def number(value: float, digits: int = 3, beside: float | None = None) -> str:
    """A number with at most so many significant digits, without trailing zeros. beside: another number, at the same scale, whose
    power of ten it gets."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    own = math.floor(math.log10(abs(value)))
    decade = math.floor(math.log10(abs(beside))) if beside else own
    decade = 0 if PLAIN[0] <= decade < PLAIN[1] else decade
    text = f"{value / 10.0**decade:.{max(digits - 1 - own + decade, 0)}f}"
    text = (text.rstrip("0").rstrip(".") if "." in text else text) + power(decade)
    return text.replace("-", MINUS)


def with_error(value: float, error: float) -> str:
    """A value and its error, both to the second digit of the error; only the value, with four digits, if the error is unknown."""
    if not math.isfinite(value):
        return "–"
    if not 0 < error < math.inf:
        return number(value, 4)
    decade = math.floor(math.log10(max(abs(value), error)))
    shift = 0 if PLAIN[0] <= decade < PLAIN[1] else decade
    value, error = value / 10.0**shift, error / 10.0**shift
    decimals = max(1 - math.floor(math.log10(error)), 0)
    text = f"{value:.{decimals}f} {PLUS_MINUS} {error:.{decimals}f}"
    return (f"({text}){power(shift)}" if shift else text).replace("-", MINUS)


def power(decade: int) -> str:
    """The factor 10^decade as text that follows a number; "" for 10^0."""
    return f" {TIMES} 10{str(decade).translate(RAISED)}" if decade else ""


def ticks(low: float, high: float, most: int) -> np.ndarray:
    """Up to `most` equally spaced round numbers within [low, high], at least two if possible."""
    if not high > low:
        return np.array([low])
    rough = (high - low) / max(most, 1)
    decade = 10.0 ** math.floor(math.log10(rough))
    steps = [s * decade for s in (0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10, 20)]
    fitting = next(k for k, step in enumerate(steps) if step >= rough)
    found: np.ndarray = np.empty(0)
    for step in steps[fitting::-1]:         # a smaller step, if fewer than two numbers lie within
        found = step * np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        if len(found) >= 2:
            break
    return found


def tick_texts(places: np.ndarray) -> tuple[list[str], str]:
    """The texts of the numbers of an axis, with equal decimals, and their common power of ten as text, or ""."""
    largest = float(np.abs(places).max(initial=0.0))
    decade = math.floor(math.log10(largest)) if largest else 0
    shift = 0 if SHORT[0] <= decade < SHORT[1] else decade
    step = float(places[1] - places[0]) / 10.0**shift if len(places) > 1 else 10.0 ** (decade - shift)
    decimals = next((d for d in range(16) if abs(round(step, d) - step) < 1e-6 * step), 16)
    return [f"{place / 10.0**shift:.{decimals}f}".replace("-", MINUS) for place in places.tolist()], power(shift)
