"""Numerals: numbers as people read them in a picture. Knows nothing else."""
from __future__ import annotations

import math

import numpy as np

MINUS, TIMES, PLUS_MINUS = "\N{MINUS SIGN}", "\N{MIDDLE DOT}", "\N{PLUS-MINUS SIGN}"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = (-3, 5)         # decades that are written without a power of ten ...
SHORT = (-2, 5)         # ... and at an axis


def number(value: float, digits: int = 3) -> str:
    """With so many significant digits at most, and no zeros at the end."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    decade = math.floor(math.log10(abs(value)))
    if PLAIN[0] <= decade < PLAIN[1]:
        text = f"{value:.{max(digits - 1 - decade, 0)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = _stripped(f"{value / 10.0**decade:.{digits - 1}f}") + power(decade)
    return text.replace("-", MINUS)


def with_error(value: float, error: float) -> str:
    """The value to the second digit of its error, and the error; four digits where the error is not known."""
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
    """Ten to the decade as a factor, to be written behind a number."""
    return f" {TIMES} 10{str(decade).translate(RAISED)}" if decade else ""


def ticks(low: float, high: float, most: int) -> np.ndarray:
    """Up to `most` round numbers, and at least two where that can be, at equal distances within [low, high]."""
    if not high > low:
        return np.array([low])
    rough = (high - low) / max(most, 1)
    decade = 10.0 ** math.floor(math.log10(rough))
    step = next(s * decade for s in (1, 2, 2.5, 5, 10, 20) if s * decade >= rough)
    first = math.ceil(low / step - 1e-9)
    return step * np.arange(first, math.floor(high / step + 1e-9) + 1)


def tick_texts(places: np.ndarray) -> tuple[list[str], str]:
    """The numbers of an axis, all with the same decimals, and the power of ten that stands for all of them, if there is one."""
    largest = float(np.abs(places).max(initial=0.0))
    decade = math.floor(math.log10(largest)) if largest else 0
    shift = 0 if SHORT[0] <= decade < SHORT[1] else decade
    step = float(places[1] - places[0]) / 10.0**shift if len(places) > 1 else 10.0 ** (decade - shift)
    decimals = next((d for d in range(16) if abs(round(step, d) - step) < 1e-6 * step), 16)
    return [f"{place / 10.0**shift:.{decimals}f}".replace("-", MINUS) for place in places.tolist()], power(shift)


def _stripped(text: str) -> str:
    return text.rstrip("0").rstrip(".")
