"""The box that discs live in."""
from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import Any, Protocol, Union, runtime_checkable

import numpy as np

RANGE = 2.0**300            # squares and products of larger or smaller magnitudes would leave the doubles
TURNS_MAX = 1e9             # box lengths from the box at which a position may begin on a periodic axis


def real(name: str, value: Any) -> float:
    """A float; ValueError for an integer that is too large to be one."""
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is an integer of {len(str(abs(value)))} digits; it must be at most {RANGE:.1e}") from None


@runtime_checkable
class Rectangle(Protocol):
    """[0, width] x [0, height]; each axis has walls or is periodic."""

    @property
    def width(self) -> float: ...

    @property
    def height(self) -> float: ...

    @property
    def periodic(self) -> tuple[bool, bool]: ...


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


BoxLike = Union[Rectangle, tuple[float, float]]      # what a parameter `box` takes


def as_box(box: BoxLike | None, default: Box | None = None) -> Box:
    """The `Box` that a parameter `box` means.

    box: a `Box`; (width, height) of a box with walls, in length units; another object with `width`, `height` and `periodic`;
    or None for the default. default: None for the unit box with walls. TypeError for anything else, ValueError for sides
    that are not positive and finite."""
    if box is None:
        return Box() if default is None else default
    if isinstance(box, Box):
        return box
    if isinstance(box, Rectangle):
        return Box(box.width, box.height, box.periodic)
    if isinstance(box, (tuple, list, np.ndarray)) and len(box) == 2 and all(isinstance(side, numbers.Real) for side in box):
        return Box(*box)
    raise TypeError(f"box is {box!r}; it must be a Box or (width, height)")
