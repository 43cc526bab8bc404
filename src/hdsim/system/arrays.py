"""Conversion of arrays and numbers from the caller to the types of the core, with an error for values that do not fit."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..model.numbers import RANGE, real, shown, whole


def numbers(name: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """`values` as a C-contiguous float64 array of this shape; the same object if it already is one. A scalar is repeated for a
    one-dimensional shape. ValueError, with `name`, for text, complex numbers and another shape."""
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO":
            raise TypeError
        if given.dtype.kind == "O":     # whole numbers beyond 64 bits, fractions, decimals
            array = np.array([_element(name, value) for value in given.ravel()]).reshape(given.shape)
        else:
            with np.errstate(over="ignore"):
                array = np.require(given, np.float64, ["C", "ALIGNED"])
            if given.dtype.itemsize > 8 and (np.isinf(array) & np.isfinite(given)).any():
                raise OverflowError
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, got {type(values).__name__}") from None
    except OverflowError:
        raise ValueError(f"{name} holds a number that is too large; numbers must be at most {RANGE:.1e}") from None
    if array.ndim == 0 and len(shape) == 1:
        array = np.full(shape, float(array))
    if array.shape != shape and not (array.size == 0 and math.prod(shape) == 0):
        raise ValueError(f"{name} has shape {array.shape}; expected {shape}")
    return array.reshape(shape)


def shape_of(name: str, values: Any) -> tuple[int, ...]:
    """The shape of an array. ValueError, with `name`, for nested sequences of different lengths."""
    try:
        return np.shape(values)
    except ValueError:
        raise ValueError(f"{name} must be numbers, got {type(values).__name__} with rows of different lengths") from None


def _element(name: str, value: Any) -> float:
    """One number of an array of objects. OverflowError if it is too large."""
    try:
        return real(name, value)
    except ValueError:
        raise OverflowError from None


def color_array(colors: Any, n: int) -> np.ndarray:
    """A new array (n, 3) uint8 from one colour (3,) for all discs or an array (n, 3) of integers 0 to 255; black if None.
    ValueError for other shapes and values."""
    values = np.zeros(3, dtype=np.uint8) if colors is None else np.asarray(colors)
    if values.shape not in ((3,), (n, 3)) and not (values.size == 0 and n == 0):
        raise ValueError(f"colors has shape {values.shape}; expected (3,) or ({n}, 3)")
    if values.dtype != np.uint8 and (values.dtype.kind not in "uif"
                                     or not np.array_equal(values, np.clip(np.rint(values), 0, 255))):
        raise ValueError("colors must be integers 0 ... 255")
    result = np.empty((n, 3), dtype=np.uint8)
    result[...] = values.reshape(-1, 3)
    return result


def frozen(array: np.ndarray) -> np.ndarray:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array


def index(i: int, n: int) -> int:
    """The index 0 <= i < n for an index that counts from the end if it is negative. IndexError if there is no such disc."""
    i = whole("i", i)
    if not -n <= i < n:
        raise IndexError(f"disc {i} of {n}: there is no such disc")
    return i + n if i < 0 else i


def first(mask: np.ndarray) -> int:
    """The index of the first row of a mask, (n,) or (n, 2), with a true element."""
    return int(np.argmax(mask.reshape(len(mask), -1).any(axis=1)))


def check_range(name: str, array: np.ndarray, rule: str, allow_infinite: bool = False) -> None:
    """ValueError, with the first disc, `name` and `rule`, if a value of the array, (n,) or (n, 2), is nan or larger than RANGE in
    magnitude. allow_infinite: accept +inf."""
    size = np.abs(array)
    bad = ~((size <= RANGE) | ((array == np.inf) & allow_infinite))
    if bad.any():
        i = first(bad)
        raise ValueError(f"disc {i}: {name} is {plain(array[i])}; {rule}")


def plain(value: Any) -> str:
    """The text of a number or a row of numbers for a message, without numpy's type names."""
    return shown(np.asarray(value).tolist())
