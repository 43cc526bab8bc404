"""The box that discs live in."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

RANGE = 2.0**300            # squares and products of larger or smaller magnitudes would leave the doubles
TURNS_MAX = 1e9             # box lengths from the box at which a position may begin on a periodic axis


def real(name: str, value: Any) -> float:
    """A float; ValueError for an integer that is too large to be one."""
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is an integer of {len(str(abs(value)))} digits; it must be at most {RANGE:.1e}") from None


@dataclass(frozen=True)
class Box:
    """The rectangle [0, width] x [0, height], in length units; each axis has walls or is periodic."""

    width: float = 1.0
    height: float = 1.0
    periodic: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            value = real(f"box {name}", getattr(self, name))
            if not 1 / RANGE <= value <= RANGE:
                raise ValueError(f"box {name} is {value!r}; it must be positive and finite")
            object.__setattr__(self, name, value)
        periodic = self.periodic
        if isinstance(periodic, (bool, np.bool_)):
            periodic = (periodic, periodic)
        if (not isinstance(periodic, (tuple, list, np.ndarray)) or len(periodic) != 2
                or not all(isinstance(axis, (bool, np.bool_)) for axis in periodic)):
            raise ValueError(f"periodic is {periodic!r}; it must be a pair (x, y) of booleans")
        object.__setattr__(self, "periodic", (bool(periodic[0]), bool(periodic[1])))

    @property
    def area(self) -> float:
        """width * height, length units squared."""
        return self.width * self.height
