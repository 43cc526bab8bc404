"""Numbers that a caller gives, converted once and refused by name; and numbers in messages."""
from __future__ import annotations

import math
import operator
import re
from typing import Any

import numpy as np

RANGE = 2.0**300            # largest magnitude, 1 / RANGE the least: squares and products of others would overflow or underflow
SHOWN = 120                 # longest text of a value in a message, in characters
DIGITS = 6                  # significant digits of a number in a message ...
WRITTEN = 13                # ... if it has more than these; a number with fewer is shown with all its digits


def real(name: str, value: Any) -> float:
    """`value`, a number of any type that a double can hold, as a float. Both errors have `name`: TypeError for what is no real
    number, such as text, None, a complex number or an array; ValueError for a finite number beyond the range of a double."""
    if not isinstance(value, (str, bytes, bytearray)) and getattr(value, "shape", ()) == ():
        try:
            number = float(value)
        except OverflowError:
            pass
        except (TypeError, ValueError):
            raise TypeError(f"{name} is {shown(value)}; it must be a number") from None
        else:
            if not math.isinf(number) or value in (math.inf, -math.inf):
                return number
        what = "a number" if not isinstance(value, int) else f"an integer of {_digits(value)} digits"
        raise ValueError(f"{name} is {what}{' beyond the range of a double' if what == 'a number' else ''}; "
                         f"it must be at most {RANGE:.1e}")
    raise TypeError(f"{name} is {shown(value)}; it must be a number")


def _digits(value: int) -> int:
    return math.floor(math.log10(abs(value))) + 1       # str() refuses more than 4300


def whole(name: str, value: Any) -> int:
    """`value`, a whole number of any type, as an int. TypeError, with `name`, for others, such as 1.0, text and None."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; it must be a whole number") from None


def whole_seed(seed: Any) -> int:
    """A seed, which any whole number is. TypeError for None, for a numpy Generator, and for other values."""
    try:
        return operator.index(seed)
    except TypeError:
        raise TypeError(f"seed is {shown(seed)}; it must be a whole number, and for a numpy Generator rng it may be "
                        f"int(rng.integers(2**63))") from None


def shown(value: Any) -> str:
    """Any value in a message: its code in one line, cut off after SHOWN characters, with numbers as `short` has them."""
    if isinstance(value, float):        # a numpy double is one
        return short(value)
    try:
        text = " ".join(repr(value).split())
        text = text if isinstance(value, (str, bytes)) else shortened(text)
    except ValueError:                  # an integer of more than 4300 digits
        text = f"an integer of {_digits(value)} digits"
    return text if len(text) <= SHOWN else f"{text[:SHOWN - 3]}..."


def short(number: float) -> str:
    """A number in a message: its code, but with DIGITS significant digits if it has more than WRITTEN, and without the sign of
    zero."""
    text = repr(float(number) + 0.0)
    digits = text.partition("e")[0].replace(".", "").strip("-0")
    return text if len(digits) <= WRITTEN or not digits.isdigit() else f"{number:.{DIGITS}g}"


def shortened(text: str) -> str:
    """A text in which numbers with a decimal point are as `short` has them."""
    return re.sub(r"(?<![\w.])-?\d+\.\d+(?:e[+-]?\d+)?(?![\w.])", lambda found: short(float(found[0])), text)


def apart(number: float, other: float) -> tuple[str, str]:
    """Two numbers in a message that compares them: as `short`, but with so many digits that they differ if they do."""
    for digits in range(DIGITS, 18):
        texts = f"{number + 0.0:.{digits}g}", f"{other + 0.0:.{digits}g}"
        if texts[0] != texts[1] or number == other:
            break
    return (short(number), short(other)) if digits == DIGITS else texts


def vectors(values: Any) -> np.ndarray:
    """(n, d) floats of an array, or of a list of rows; (0, 2) of an empty list."""
    found = np.asarray(values, float)
    return found if found.ndim == 2 else found.reshape(-1, 2)


def share(name: str, value: Any, at_zero: str) -> float:
    """A number from 0 to 1. at_zero: what 0 means, for messages. TypeError for what is no number, ValueError for another one."""
    found = real(name, value)
    if not 0 <= found <= 1:
        raise ValueError(f"{name} is {shown(value)}; it must be from 0, {at_zero}, to 1")
    return found + 0.0
