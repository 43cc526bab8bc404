"""A table: a box with obstacles, where the centres of discs can be on it, and systems of discs on it."""
from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..model.box import Box
from ..model.numbers import real, shown
from ..model.obstacles import Obstacle
from ..system import CollisionSystem
from ..system.keywords import Settings, check_options, nearest
from ..system.surroundings import as_obstacles
from .addition import place
from .draws import directions, streams
from .equal_discs import random_discs
from .obstructions import Obstructions
from .scatter import Region

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Domain(NamedTuple):
    """Where the centres of discs of one radius can be: its area and perimeter, in length units squared and length units.

    mean_free_path  pi area / perimeter: of the flights of one disc from contact to contact with walls and obstacles, the mean
                    over all flights from everywhere in all directions, in length units (Santalo's formula; Chernov, J. Stat.
                    Phys. 88, 1, 1997). On an ergodic table, it is the mean along almost every orbit.
    """

    area: float
    perimeter: float
    mean_free_path: float


class Room(NamedTuple):
    """One of the parts of a table that are told apart: the rectangle from (left, bottom) to (right, top), in length units. A disc
    is in the room if its centre is."""

    name: str
    left: float
    bottom: float
    right: float
    top: float


class Measures(NamedTuple):
    """What the formula of a table gives for a radius: area and perimeter of the domain of centres, and the areas of its parts in
    the rooms of the table."""

    area: float
    perimeter: float
    room_areas: tuple[float, ...] = ()


@dataclass(frozen=True, repr=False)
class Table:
    """A box with obstacles. The functions of `hdsim.tables` make tables.

    name        that of the function
    parameters  its arguments, as pairs of name and value
    box         a `Box`
    obstacles   a tuple of shapes
    region      the rectangle (left, bottom, right, top), in length units, that `random` fills where no obstacle is
    rooms       two `Room`s whose discs are told apart, or None
    formula     a function of a radius and the parameters that returns `Measures`
    """

    name: str
    parameters: tuple[tuple[str, Any], ...]
    box: Box
    obstacles: tuple[Obstacle, ...]
    region: Region
    formula: Callable[..., Measures] = field(repr=False)
    rooms: tuple[Room, Room] | None = None

    def __repr__(self) -> str:
        """The call that makes the table."""
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.parameters)})"

    def domain(self, radius: float = 0.0) -> Domain:
        """Area, perimeter and mean free path of the domain of the centres of discs of this radius, in length units.

        They are exact up to rounding: closed formulas, no sampling. The formula holds as long as discs can get everywhere and
        the curves on which their centres turn have all their pieces. ValueError for a radius that is not in this range, with
        its limit; TypeError for a radius that is not a number."""
        area, perimeter, _ = self._measures(radius)
        return Domain(area, perimeter, math.pi * area / perimeter)

    def room_area(self, name: str, radius: float = 0.0) -> float:
        """The area of the part of the domain of centres that is in a room, in length units squared. name: of the room. Errors as
        for `domain`; ValueError if there is no such room."""
        room = self._room(name)
        return self._measures(radius).room_areas[(self.rooms or ()).index(room)]

    def _measures(self, radius: float) -> Measures:
        if not isinstance(radius, numbers.Real):
            raise TypeError(f"{shown(self)}: radius is {shown(radius)}; it must be a number")
        if not 0 <= radius < math.inf:
            raise ValueError(f"{shown(self)}: radius is {shown(radius)}; it must be 0 or more and finite")
        try:
            return self.formula(float(radius), **dict(self.parameters))
        except ValueError as error:
            raise ValueError(f"{shown(self)}: {error}") from None

    def _room(self, name: str) -> Room:
        """The room of this name. ValueError, with the names that there are, if there is none."""
        rooms = {room.name: room for room in self.rooms or ()}
        if name not in rooms:
            near = nearest(name, rooms, 0.5) if isinstance(name, str) else []
            raise ValueError(f"{shown(self)}: room is {name!r}; " + (f"it must be {' or '.join(map(repr, rooms))}" if rooms else
                                                                "the table has no rooms")
                             + (f" (did you mean {shown(near[0])}?)" if near else ""))
        return rooms[name]

    def random(self, n: int, *, radius: float, temperature: float = 1.0, speed: float | None = None, mass: float = 1.0,
               seed: int = 0, room: str | None = None, k_B: float = 1.0, **options: Unpack[Settings]) -> CollisionSystem:
        """A system of n equal discs on the table, at random positions where they overlap neither each other nor an obstacle.

        radius      of each disc, length units; discs of radius 0 are points, which touch obstacles and walls only
        temperature exactly the sum of m v^2 / (2 n k_B), with Gaussian velocities
        speed       of each disc instead, length / time, in random directions
        mass        of each disc
        seed        equal seeds give equal bits on every machine; thermal surfaces have it, too
        room        the name of the room in which the centres are; by default they are anywhere

        The first disc is uniform in the domain of centres, and so are all points. The others are placed by random sequential
        addition. Other options go to `CollisionSystem.from_arrays`; its `obstacles` are added to those of the table. ValueError
        for arguments out of range, and if there is no room for a disc."""
        check_options("Table.random", options, "radius", "temperature", "speed", "mass", "seed", "room")
        radius, temperature, mass, k_B = (real(name, value) for name, value in (
            ("radius", radius), ("temperature", temperature), ("mass", mass), ("k_B", k_B)))
        given, speed = speed, None if speed is None else real("speed", speed)
        if speed is not None and not 0 <= speed < math.inf:
            raise ValueError(f"speed is {shown(given)}; it must be 0 or more and finite")
        region = self.region if room is None else self._room(room)[1:]
        shapes = self.obstacles + as_obstacles(options.get("obstacles", ()), self.box)
        solids = Obstructions(shapes, self.box)
        made = random_discs(
            n, radius=radius, temperature=temperature if speed is None else 0.0, seed=seed, mass=mass, k_B=k_B, box=self.box,
            place=lambda n, radius, stream: place(n, radius, stream.uniform, self.box, solids, region))
        if speed is not None:
            _, motions, _ = streams(seed, 3)
            made = replace(made, velocities=speed * directions(n, motions))
        options["obstacles"] = shapes
        return CollisionSystem.from_configuration(made, box=self.box, k_B=k_B, seed=seed, **options)
