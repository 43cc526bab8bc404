"""The box: a rectangle or cuboid with walls or periodic axes, and the forms in which a caller may give one."""
from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .numbers import RANGE, real, shown

TOLERANCE = 1e-9            # an overlap up to this fraction of the contact distance (at walls: of the radius) counts as rounding
SIDES = ("width", "height", "depth")        # the lengths along x, y and z
WALLS = ("left", "right", "bottom", "top", "back", "front")     # at 0 and at the length of each axis, in the order of contacts
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
    def periodic(self) -> tuple[bool, ...]: ...


@dataclass(frozen=True)
class Box:
    """The rectangle [0, width] x [0, height], or the cuboid [0, width] x [0, height] x [0, depth], in length units. Each axis has
    walls or is periodic.

    periodic: a boolean for each axis, in the order x, y, z, or one boolean for all. depth: None for a rectangle. ValueError for a
    side that is not positive and finite (or not between 2^-300 and 2^300), and for another `periodic`.

    >>> import hdsim
    >>> slab = hdsim.Box(20, 20, depth=1.5, periodic=(True, True, False))
    >>> slab.dimension, slab.volume
    (3, 600.0)
    """

    width: float = 1.0
    height: float = 1.0
    periodic: tuple[bool, ...] = False      # type: ignore[assignment]      # a boolean for each axis, after __post_init__
    depth: float | None = None

    def __post_init__(self) -> None:
        for name in SIDES[:self.dimension]:
            value = real(f"box {name}", getattr(self, name))
            if not 1 / RANGE <= value <= RANGE:
                raise ValueError(f"box {name} is {shown(value)}; it must be positive and finite")
            object.__setattr__(self, name, value)
        periodic = self.periodic
        if isinstance(periodic, (bool, np.bool_)):
            periodic = (periodic,) * self.dimension
        if (not isinstance(periodic, (tuple, list, np.ndarray)) or len(periodic) != self.dimension
                or not all(isinstance(axis, (bool, np.bool_)) for axis in periodic)):
            expected = "a pair (x, y)" if self.depth is None else "three, (x, y, z),"
            raise ValueError(f"periodic is {shown(periodic)}; it must be {expected} of booleans")
        object.__setattr__(self, "periodic", tuple(map(bool, periodic)))

    @classmethod
    def of(cls, lengths: Sequence[float], periodic: bool | Sequence[bool] = False) -> Box:
        """The box of these lengths along x, y and, in three dimensions, z. periodic: as for the class. ValueError for another
        number of lengths, and as for the class."""
        sides = tuple(lengths)
        if len(sides) not in (2, 3):
            raise ValueError(f"a box of lengths {shown(sides)}; expected two or three (hdsim.spaces has other dimensions)")
        width, height, depth = (*sides, None)[:3]
        return cls(width, height, periodic, depth)      # type: ignore[arg-type]

    def __repr__(self) -> str:
        depth = "" if self.depth is None else f", depth={self.depth!r}"
        return f"Box(width={self.width!r}, height={self.height!r}, periodic={self.periodic!r}{depth})"

    def __str__(self) -> str:
        return repr(self)

    @property
    def dimension(self) -> int:
        """The number of axes: 2 for a rectangle, 3 for a cuboid."""
        return 2 if self.depth is None else 3

    @property
    def lengths(self) -> tuple[float, ...]:
        """The lengths of the sides along x, y and, in three dimensions, z, in length units."""
        return (self.width, self.height) if self.depth is None else (self.width, self.height, self.depth)

    @property
    def volume(self) -> float:
        """The product of the lengths: of a rectangle its area, in length units squared, of a cuboid its volume, cubed."""
        return self.width * self.height if self.depth is None else self.width * self.height * self.depth

    @property
    def area(self) -> float:
        """width * height, in length units squared. AttributeError for a cuboid, which has a `volume`."""
        if self.depth is not None:
            raise AttributeError("a box in three dimensions has no area; it has a volume")
        return self.width * self.height

    def sized(self) -> str:
        """The lengths as text: "1 x 2"."""
        return " x ".join(map(shown, self.lengths))


BoxLike = Union[Rectangle, tuple[float, ...]]      # the types that a parameter `box` takes


def as_box(box: BoxLike | None, default: Box | None = None) -> Box:
    """Convert the value of a parameter `box` to a `Box`.

    box: a `Box`; (width, height) or (width, height, depth) of a box with walls, in length units; another object with `width`,
    `height`, `periodic` and perhaps `depth`; or None for the default. default: the box for None; without it, the unit box with
    walls. TypeError for anything else, ValueError for sides that are not positive and finite."""
    if box is None:
        return Box() if default is None else default
    if isinstance(box, Box):
        return box
    if isinstance(box, Rectangle):
        return Box(box.width, box.height, box.periodic, getattr(box, "depth", None))
    if isinstance(box, (tuple, list, np.ndarray)) and len(box) in (2, 3) and all(isinstance(side, numbers.Real) for side in box):
        return Box.of(box)
    raise TypeError(f"box is {shown(box)}; it must be a Box, (width, height) or (width, height, depth)")


def as_rectangle(box: BoxLike | None, default: Box | None = None) -> Box:
    """`as_box` where there are two dimensions only. ValueError for a box with a depth."""
    found = as_box(box, default)
    if found.depth is not None:
        raise ValueError(f"box is {found}; here it must have two dimensions")
    return found


def require_plane(box: Any, what: str, instead: str = "") -> None:
    """ValueError if the system of this box has three dimensions. what: what is made for two, in words that begin a sentence.
    instead: what there is in three, in words that end it."""
    if getattr(box, "depth", None) is not None:
        raise ValueError(f"{what} two dimensions; this system has three" + (f": {instead}" if instead else ""))


def lengths_of(box: Any) -> tuple[float, ...]:
    """(d,) the lengths of a box of any system: of a `Box`, or of another object with `width` and `height`."""
    return tuple(box.lengths) if hasattr(box, "lengths") else (box.width, box.height)
