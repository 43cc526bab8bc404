"""Numbers that a caller gives: converted once, and refused by name."""
from __future__ import annotations

import math
import operator
from typing import Any

RANGE = 2.0**300            # largest magnitude, 1 / RANGE the least: squares and products of others would overflow or underflow


def real(name: str, value: Any) -> float:
    """`value` as a float. ValueError, with `name`, for an integer beyond the range of a double."""
    try:
        return float(value)
    except OverflowError:
        digits = math.floor(math.log10(abs(value))) + 1     # str() refuses more than 4300
        raise ValueError(f"{name} is an integer of {digits} digits; it must be at most {RANGE:.1e}") from None


def whole_seed(seed: Any) -> int:
    """A seed, which any whole number is. TypeError for None, for a numpy Generator, and for other values."""
    try:
        return operator.index(seed)
    except TypeError:
        raise TypeError(f"seed is {seed!r}; it must be a whole number, and for a numpy Generator rng it may be "
                        f"int(rng.integers(2**63))") from None
