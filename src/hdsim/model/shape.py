"""What all shapes of obstacles have in common: their keywords, and the conversion and the checks of their values."""
from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, NoReturn

import numpy as np

from .law import coefficient
from .motion import convert_motion
from .numbers import RANGE, real, shown
from .pieces import Pieces, Point
from .species import SPECIES_MAX
from .spelling import nearest
from .thermal import convert_temperature


@dataclass(frozen=True, kw_only=True, repr=False)
class Shape:
    """What all shapes have in common: keywords, and the conversion and the checks of their values."""

    name: str = ""
    color: tuple[int, int, int] | None = None
    species: int | tuple[int, ...] | None = None
    from_time: float = -math.inf
    until: float = math.inf
    restitution: float | None = None
    velocity: Point = (0.0, 0.0)
    motion: Sequence[tuple[float, Point]] = ()
    period: float | None = None
    temperature: float | None = None
    accommodation: float = 1.0

    SIDES: ClassVar[tuple[str, ...]] = ()           # the legal values of `side`, if the shape has one
    POINTS: ClassVar[tuple[str, ...]] = ()          # the fields that are points, or rows of points or parts
    FREE: ClassVar[bool] = False                    # it moves as it is pushed: a `Piston`

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            self._refuse(TypeError, "name", self.name, "a string")
        self._keep("color", _color(self))
        self._keep("species", _species(self))
        for name in ("from_time", "until"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Real):
                self._refuse(TypeError, name, value, "a number")
            time = real(f"{self._title()}: {name}", value)
            if math.isnan(time):
                self._refuse(ValueError, name, value, "a time, or -inf or inf for always")
            self._keep(name, time + 0.0)
        if self.from_time > self.until:
            self._refuse(ValueError, "from_time", self.from_time, f"at most until, which is {shown(self.until)}")
        self._check_motion()
        if self.restitution is not None:
            self._keep("restitution", coefficient(f"{self._title()}: restitution", self.restitution))
        convert_temperature(self)
        self._check()
        if self.SIDES:
            self._keep("side", _side(self, getattr(self, "side")))

    def __repr__(self) -> str:
        """The shape as Python code: the keywords that all shapes share only where they differ from their defaults."""
        common = self._common()
        own = [repr(getattr(self, field.name)) if field.name != "side" else f"side={getattr(self, 'side')!r}"
               for field in fields(self) if field.name not in common]
        return f"{type(self).__name__}({', '.join(own + self._given(common))})"

    def _common(self, *but: str) -> dict[str, Any]:
        """The keywords that all shapes share, but for some, with their defaults."""
        return {field.name: field.default for field in fields(Shape) if field.name not in but}

    def _given(self, defaults: dict[str, Any]) -> list[str]:
        """The keywords whose values are not these, as Python code."""
        return [f"{name}={getattr(self, name)!r}" for name, default in defaults.items() if getattr(self, name) != default]

    def _check_motion(self) -> None:
        """Convert and check what it says of its motion."""
        convert_motion(self)

    def _check(self) -> None:
        """Convert and check the values that only this shape has."""

    @cached_property
    def _pieces(self) -> Pieces:
        return self._lowered()

    def _lowered(self) -> Pieces:
        """The pieces of this shape."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: pieces are made again from them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _refuse(self, error: type[Exception], what: str, value: Any, right: str) -> NoReturn:
        """Raise the error that names the shape, the field or the point, the value that was found, and what it must be."""
        raise error(f"{self._title()}: {what} is {shown(value)}; it must be {right}")

    def _wrong(self, message: str) -> NoReturn:
        """Raise ValueError with the name of the shape before the message."""
        raise ValueError(f"{self._title()}: {message}")

    def _title(self) -> str:
        return type(self).__name__ + (f" {self.name!r}" if isinstance(self.name, str) and self.name else "")

    def _number(self, what: str, value: Any, least: float = 0.0) -> float:
        """A finite number as a float: at most RANGE in size, and for `least` > 0 from `least` to RANGE."""
        if not isinstance(value, numbers.Real):
            self._refuse(TypeError, what, value, "a number")
        number = real(f"{self._title()}: {what}", value)
        if not abs(number) <= RANGE or not (least == 0 or number >= least):
            right = f"finite and at most {RANGE:.1e} in size" if least == 0 else f"positive, from {least:.1e} to {RANGE:.1e}"
            self._refuse(ValueError, what, value, right)
        return number + 0.0         # no negative zero, so that equal shapes have equal bits

    def _point(self, what: str, value: Any) -> Point:
        """A point (x, y) as two floats."""
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            self._refuse(TypeError, what, value, "a point (x, y)")
        return self._number(f"x of {what}", value[0]), self._number(f"y of {what}", value[1])

    def _row(self, points: Any, least: int) -> tuple[Point, ...]:
        """A sequence of at least `least` points."""
        if isinstance(points, np.ndarray):
            points = points.tolist()
        if not isinstance(points, (tuple, list)):
            self._refuse(TypeError, "points", points, "a sequence of points (x, y)")
        if len(points) < least:
            self._wrong(f"there are {len(points)} points; it must be at least {least}")
        return tuple(self._point(f"point {k}", point) for k, point in enumerate(points))


def _color(shape: Shape) -> tuple[int, int, int] | None:
    """The colour of a shape as three Python integers, or None."""
    value = shape.color.tolist() if isinstance(shape.color, np.ndarray) else shape.color
    if value is None:
        return None
    if (not isinstance(value, (tuple, list)) or len(value) != 3
            or not all(_is_whole(part) and 0 <= part <= 255 for part in value)):
        shape._refuse(ValueError, "color", shape.color, "None or (red, green, blue) of integers 0 ... 255")
    red, green, blue = map(int, value)
    return red, green, blue


def _species(shape: Shape) -> int | tuple[int, ...] | None:
    """The species of a shape as Python integers: one, a tuple of at least two, or None."""
    value = shape.species.tolist() if isinstance(shape.species, np.ndarray) else shape.species
    if value is None:
        return None
    kinds = value if isinstance(value, (tuple, list)) else (value,)
    if not kinds or not all(map(_is_whole, kinds)) or len(set(kinds)) < len(kinds):
        shape._refuse(ValueError, "species", shape.species, "None, an integer, or a tuple of different integers")
    if max(abs(int(kind)) for kind in kinds) > SPECIES_MAX:
        shape._refuse(ValueError, "species", shape.species, f"of integers of at most {SPECIES_MAX} in size")
    return int(kinds[0]) if len(kinds) == 1 else tuple(map(int, kinds))


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _side(shape: Shape, value: Any) -> str:
    """The side of a shape, one of its legal words."""
    if not isinstance(value, str) or value not in shape.SIDES:
        meant = nearest(value, shape.SIDES) if isinstance(value, str) else []
        shape._refuse(ValueError, "side", value, " or ".join(map(repr, shape.SIDES))
                      + (f" (did you mean {meant[0]!r}?)" if meant else ""))
    return str(value)
