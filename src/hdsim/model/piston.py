"""Pistons: lines across the whole box that move along their normal, as bodies with a mass."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from .box import Box
from .numbers import RANGE, shown
from .pieces import Pieces, Point
from .shape import Shape

PISTONS_MOST = 16       # in one box, as the core has room for


@dataclass(frozen=True, kw_only=True, repr=False)
class Piston(Shape):
    """A piston: a line without thickness across the whole box, with a mass, that moves along its normal and that discs hit from
    both sides.

    x, y        its place, length units: x for one that moves along x, y for one that moves along y. One of the two is given
    mass        above 0, mass units
    velocity    along its normal, length / time
    force       a constant load along its normal, mass * length / time^2: a positive one pushes to larger coordinates
    restitution of its contacts with discs; None: that of the walls. It bounces elastically from the sides of the box and from
                other pistons on its axis. Pistons on different axes do not meet

    It takes the recoil of all that hits it: v' by the conservation of momentum along its normal. Between its contacts it moves
    at constant velocity, or on a parabola under its load (docs/laws.md). `CollisionSystem.obstacles` has it where it is, and
    `CollisionSystem.pistons` what can be read of it. name, color and species as for `Segment`. ValueError for a number that is
    not finite, a mass that is not positive, both or none of x and y, and for the keywords of obstacles that come, go or move
    otherwise, or are hot: from_time, until, motion, period, temperature.

    >>> import hdsim
    >>> Piston(x=.5, mass=8)
    Piston(x=0.5, mass=8.0)
    """

    x: float | None = None
    y: float | None = None
    mass: float
    velocity: Any = 0.0
    force: float = 0.0

    FREE: ClassVar[bool] = True

    def _check_motion(self) -> None:
        """Its velocity is a number."""
        self._keep("velocity", self._number("velocity", self.velocity))
        for name, default in ("motion", ()), ("period", None), ("from_time", -math.inf), ("until", math.inf), (
                "temperature", None):
            if getattr(self, name) != default:
                self._refuse(ValueError, name, getattr(self, name), "left out; a piston is there always, and moves as pushed")

    def _check(self) -> None:
        if (self.x is None) == (self.y is None):
            self._wrong(f"x is {shown(self.x)} and y is {shown(self.y)}; one of the two must be given")
        for name in "x" if self.y is None else "y", "force":
            self._keep(name, self._number(name, getattr(self, name)))
        self._keep("mass", self._number("mass", self.mass, 1 / RANGE))

    def __repr__(self) -> str:
        own = {"x": None, "y": None, "mass": None, "velocity": 0.0, "force": 0.0}
        return f"{type(self).__name__}({', '.join([*self._given(own), *self._given(self._common('velocity'))])})"

    @property
    def axis(self) -> int:
        """The axis along which it moves: 0 for x, 1 for y."""
        return 0 if self.y is None else 1

    @property
    def place(self) -> float:
        """Its coordinate on that axis, length units."""
        place = self.x if self.y is None else self.y
        assert place is not None
        return place

    @property
    def flow(self) -> Point:
        """Its velocity as a vector, length / time."""
        return (self.velocity, 0.0) if self.axis == 0 else (0.0, self.velocity)

    @property
    def foot(self) -> Point:
        """The point at which it ends at the side of the box, the left or the lower one."""
        return (self.place, 0.0) if self.axis == 0 else (0.0, self.place)

    def at(self, place: float, velocity: float) -> Piston:
        """The piston at another place, with another velocity."""
        moved: Any = self
        found: Piston = replace(moved, velocity=velocity, **{"xy"[self.axis]: place})
        return found

    def _lowered(self) -> Pieces:
        return Pieces((), False, "both", endless=(self.foot, (1.0, 0.0) if self.axis == 0 else (0.0, 1.0)))


def pistons_among(obstacles: Iterable[Any]) -> list[tuple[int, Piston]]:
    """The pistons of a system, each with its number among the obstacles, in their order, which is that of the engine."""
    return [(k, obstacle) for k, obstacle in enumerate(obstacles) if isinstance(obstacle, Piston)]


def rows_of(obstacles: Iterable[Any]) -> list[tuple[int, int, float, float, float, float]]:
    """(obstacle, axis, place, velocity, mass, force) of each piston, as the engine takes them."""
    return [(k, p.axis, p.place, p.velocity, p.mass, p.force) for k, p in pistons_among(obstacles)]


def with_pistons(obstacles: tuple[Any, ...], states: Sequence[tuple[float, float]]) -> tuple[Any, ...]:
    """The obstacles, with the pistons at these places and velocities, one pair for each."""
    now = iter(states)
    return tuple(obstacle.at(*next(now)) if isinstance(obstacle, Piston) else obstacle for obstacle in obstacles)


def problem_in(box: Box, piston: Piston) -> str:
    """What is wrong with a piston in a box, as a clause about it; "" if nothing is."""
    axis, length = "xy"[piston.axis], box.lengths[piston.axis]
    if box.periodic[piston.axis]:
        return f"it moves along {axis}, on which the box is periodic; it must have walls there"
    if not 0 <= piston.place <= length:
        return f"it is outside the box; {axis} must be from 0 to {length:.9g}"
    pressed = piston.place == 0 and piston.force < 0 or piston.place == length and piston.force > 0
    if pressed and piston.velocity == 0:
        return "it rests on a side of the box under its load; give it a gap or a velocity"
    return ""
