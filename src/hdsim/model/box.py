"""The box: a rectangle with walls or periodic axes, and the forms in which a caller may give one."""
from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any, Protocol, Union, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .numbers import RANGE, real, shown

TOLERANCE = 1e-9            # an overlap up to this fraction of the contact distance (at walls: of the radius) counts as rounding
ROUNDING = 2.0**-44         # what rounding adds to an overlap, as a fraction of a side of the box, after few contacts ...
ROUNDING_PER_DISC = 2.0**-49    # ... and more for each disc: clocks of that many contacts are as coarse
TURNS_MAX = 1e9             # largest distance, in box lengths, at which a position may begin on a periodic axis


def rounding(length: float, discs: int) -> float:
    """The overlap with a wall or an obstacle that rounding of times and positions leaves after a contact, at most, in a box of
    this side and with this number of discs, in length units. 1e-9 of the radius is added to it.

    A disc is where its clock puts it, and the origin of the clock moves after 64 contacts and 8 for each disc (engine/clock.pxi).
    So a disc may have crossed the box that often since then, and its position has that many times the rounding error of one
    crossing."""
    return (ROUNDING + ROUNDING_PER_DISC * discs) * length


def across_walls(x: NDArray[np.float64], radii: NDArray[np.float64], length: float
                 ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two arrays, (n,) bool: the discs that reach through the wall at 0, and those that reach through the wall at `length`, by
    more than 1e-9 of their radius and `rounding`. x: (n,), coordinates of all discs in the box. radii: (n,). Length units."""
    slack = TOLERANCE * radii + rounding(length, len(radii))
    return x < radii - slack, x > length - radii + slack


@runtime_checkable
class Rectangle(Protocol):
    """An object with the attributes of a box: the rectangle [0, width] x [0, height], in length units, and for each axis whether
    it is periodic."""

    @property
    def width(self) -> float: ...

    @property
    def height(self) -> float: ...

    @property
    def periodic(self) -> tuple[bool, bool]: ...


@dataclass(frozen=True)
class Box:
    """The rectangle [0, width] x [0, height], in length units. Each axis has walls or is periodic.

    periodic: a pair of booleans for (x, y), or one boolean for both. ValueError for a side that is not positive and finite (or
    not between 2^-300 and 2^300), and for another `periodic`.
    """

    width: float = 1.0
    height: float = 1.0
    periodic: tuple[bool, bool] = (False, False)

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            value = real(f"box {name}", getattr(self, name))
            if not 1 / RANGE <= value <= RANGE:
                raise ValueError(f"box {name} is {shown(value)}; it must be positive and finite")
            object.__setattr__(self, name, value)
        periodic = self.periodic
        if isinstance(periodic, (bool, np.bool_)):
            periodic = (periodic, periodic)
        if (not isinstance(periodic, (tuple, list, np.ndarray)) or len(periodic) != 2
                or not all(isinstance(axis, (bool, np.bool_)) for axis in periodic)):
            raise ValueError(f"periodic is {shown(periodic)}; it must be a pair (x, y) of booleans")
        object.__setattr__(self, "periodic", (bool(periodic[0]), bool(periodic[1])))

    @property
    def lengths(self) -> tuple[float, ...]:
        """The lengths of the sides, axis by axis, in length units."""
        return self.width, self.height

    @property
    def area(self) -> float:
        """width * height, in length units squared."""
        return self.width * self.height


BoxLike = Union[Rectangle, tuple[float, float]]      # the types that a parameter `box` takes


def as_box(box: BoxLike | None, default: Box | None = None) -> Box:
    """Convert the value of a parameter `box` to a `Box`.

    box: a `Box`; (width, height) of a box with walls, in length units; another object with `width`, `height` and `periodic`;
    or None for the default. default: the box for None; without it, the unit box with walls. TypeError for anything else,
    ValueError for sides that are not positive and finite."""
    if box is None:
        return Box() if default is None else default
    if isinstance(box, Box):
        return box
    if isinstance(box, Rectangle):
        return Box(box.width, box.height, box.periodic)
    if isinstance(box, (tuple, list, np.ndarray)) and len(box) == 2 and all(isinstance(side, numbers.Real) for side in box):
        return Box(*box)
    raise TypeError(f"box is {shown(box)}; it must be a Box or (width, height)")
