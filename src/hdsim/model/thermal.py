"""Thermal surfaces: sides of the box and obstacles with a temperature. Plain values, without an engine."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Union

import numpy as np

from .box import WALLS, Box
from .numbers import RANGE, real, share, shown, whole_seed
from .spelling import nearest

Walls = Mapping[str, "Thermal"]                 # the argument: {"left": Thermal(2.), ...}
Along = Union[float, tuple[float, ...]]


@dataclass(frozen=True)
class Thermal:
    """A side of the box with a temperature, which re-emits the discs that touch it, as in `walls={"left": Thermal(2.)}`.

    temperature: T > 0, in units in which k_B T is an energy. velocity: of the side along itself, length / time: one number in the
    plane, upwards or to the right; in space, or if you like, a vector with a component for each axis, of which that across the
    side is 0. accommodation: the part of the contacts, from 0 to 1, that are re-emitted; the others are mirrored. A re-emitted
    disc leaves as if it came through the side from a gas in equilibrium at T that moves along with it (docs/laws.md). TypeError
    or ValueError for values that are not legal.

    >>> import hdsim
    >>> point = hdsim.Particle(rx=.5, ry=.5, vx=-1, vy=0, radius=0)
    >>> system = hdsim.CollisionSystem([point], walls={"left": hdsim.Thermal(2.)}, seed=1)
    >>> system.simulate(until=100) > 0 and system.energy_balance().heat != 0
    True
    """

    temperature: float
    velocity: Any = 0.0
    accommodation: float = 1.0

    def __post_init__(self) -> None:
        for name, value in (("temperature", temperature_of("Thermal: temperature", self.temperature)),
                            ("velocity", _along(self.velocity)),
                            ("accommodation", share_of("Thermal: accommodation", self.accommodation))):
            object.__setattr__(self, name, value)

    def across(self, wall: str, box: Box) -> Thermal:
        """This side with its velocity as a vector with a component for each axis of the box. wall: which side it is. ValueError
        for a velocity of another dimension, or across the side."""
        axis, d = WALLS.index(wall) // 2, box.dimension
        if isinstance(self.velocity, tuple):
            velocity = self.velocity
        elif d == 2 or self.velocity == 0:
            velocity = tuple(0.0 if k == axis else self.velocity for k in range(d))
        else:
            raise ValueError(f"walls[{wall!r}]: velocity is {shown(self.velocity)}; in three dimensions it must be a vector "
                             f"(ux, uy, uz)")
        if len(velocity) != d or velocity[axis] != 0:
            right = f"{d} components, of which that along {'xyz'[axis]}, across the side, is 0"
            raise ValueError(f"walls[{wall!r}]: velocity is {shown(velocity)}; it must have {right}: a side of the box does not "
                             f"move")
        return Thermal(self.temperature, velocity, self.accommodation)


class Heat(NamedTuple):
    """The thermal sides of a box, in the order left, right, bottom, top, back, front, with velocities as vectors; and the seed of
    the random numbers of all thermal surfaces."""

    walls: tuple[tuple[str, Thermal], ...] = ()
    seed: int = 0


def heat_of(walls: Any, seed: Any, box: Box) -> Heat:
    """The thermal sides of a box and the seed, checked. TypeError or ValueError for values that are not legal: a name that is no
    side of this box, a side on a periodic axis, or what is no `Thermal`."""
    given = {} if walls is None else walls
    if not isinstance(given, Mapping):
        raise TypeError(f"walls is {shown(walls)}; it must be a dict such as {{'left': hdsim.Thermal(2.)}}")
    known = WALLS[:2 * box.dimension]
    for name, side in given.items():
        if name not in known:
            near = nearest(name, known) if isinstance(name, str) else []
            raise ValueError(f"walls has the key {shown(name)}; it must be {', '.join(known[:-1])} or {known[-1]}"
                             + (f" (did you mean {near[0]!r}?)" if near else ""))
        if not isinstance(side, Thermal):
            raise TypeError(f"walls[{name!r}] is {shown(side)}; it must be thermal, such as hdsim.Thermal(2.)")
        if box.periodic[axis := known.index(name) // 2]:
            raise ValueError(f"walls[{name!r}]: the box is periodic along {'xyz'[axis]} and has no such side")
    return Heat(tuple((name, given[name].across(name, box)) for name in known if name in given), whole_seed(seed))


def temperature_of(name: str, value: Any) -> float:
    """A temperature of a surface. TypeError for what is no number, ValueError unless it is positive and finite."""
    temperature = real(name, value)
    if not 1 / RANGE <= temperature <= RANGE:
        raise ValueError(f"{name} is {shown(value)}; it must be positive and finite")
    return temperature


def share_of(name: str, value: Any) -> float:
    """An accommodation. TypeError for what is no number, ValueError if it is not from 0 to 1."""
    return share(name, value, "where all contacts are mirrored")


def convert_temperature(shape: Any) -> None:
    """Convert and check what a shape of an obstacle says of its temperature; its methods refuse what is wrong."""
    part = share_of(f"{shape._title()}: accommodation", shape.accommodation)
    shape._keep("accommodation", part)
    if shape.temperature is not None:
        shape._keep("temperature", temperature_of(f"{shape._title()}: temperature", shape.temperature))
    elif part != 1:
        shape._wrong(f"accommodation is {shown(part)}, and there is no temperature; give temperature=...")


def is_heated(walls: Collection[Any], obstacles: Iterable[Any]) -> bool:
    """Does a side of the box or an obstacle have a temperature? walls: the thermal sides."""
    return bool(walls) or any(obstacle.temperature is not None for obstacle in obstacles)


def heat_table(heat: Heat, obstacles: Sequence[Any], k_B: float, dimension: int) -> np.ndarray:
    """(2 d + obstacles, 2 + d): for each side and each obstacle k_B T, or 0, the accommodation, and the velocity along a side, as
    the engine takes them."""
    table = np.zeros((2 * dimension + len(obstacles), 2 + dimension))
    for name, side in heat.walls:
        table[WALLS.index(name)] = (k_B * side.temperature, side.accommodation, *side.velocity)
    for k, obstacle in enumerate(obstacles, 2 * dimension):
        if obstacle.temperature is not None:
            table[k, :2] = k_B * obstacle.temperature, obstacle.accommodation
    return table


def _along(value: Any) -> Along:
    """A velocity along a side: one number, or a tuple of numbers."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    parts = value if isinstance(value, (tuple, list)) else (value,)
    found = tuple(real("Thermal: velocity", part) + 0.0 for part in parts)
    if not all(abs(part) <= RANGE for part in found):
        raise ValueError(f"Thermal: velocity is {shown(value)}; it must be finite")
    return found if isinstance(value, (tuple, list)) else found[0]
