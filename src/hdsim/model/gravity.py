"""Gravity: a constant acceleration of all discs and pistons. Plain values."""
from __future__ import annotations

from typing import Any

import numpy as np

from .box import Box
from .numbers import RANGE, real, shown

Gravity = tuple[float, ...]     # one number for each axis, length / time^2; () for none


def gravity_of(value: Any) -> Gravity:
    """The acceleration (gx, gy) or (gx, gy, gz), length / time^2, as floats; () for None and for zeros. TypeError for what are no
    two or three numbers, ValueError for one that is not finite."""
    if value is None:
        return ()
    parts = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(parts, (tuple, list)) or len(parts) not in (2, 3):
        raise TypeError(f"gravity is {shown(value)}; it must be (gx, gy), in three dimensions (gx, gy, gz), or None")
    found = tuple(real("gravity", part) + 0.0 for part in parts)
    if not all(abs(part) <= RANGE for part in found):
        raise ValueError(f"gravity is {shown(value)}; it must be finite (and at most {RANGE:.1e})")
    return found if any(found) else ()


def problem_in(gravity: Gravity, box: Box) -> str:
    """Why a system in this box cannot have this gravity, in one line; "" if it can."""
    if len(gravity) not in (0, box.dimension):
        return f"gravity has {len(gravity)} components, and the box has {box.dimension} dimensions: {box}"
    for axis, part, periodic in zip("xyz", gravity, box.periodic):
        if periodic and part:
            return f"gravity is {shown(gravity)}, and the box is periodic along {axis}; its component there must be 0"
    return ""
