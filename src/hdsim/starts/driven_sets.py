"""Generators of the named data sets that lose energy in contacts, or in which something moves. Knows no file format.

Units, temperatures and random numbers are as in `datasets`.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..model.box import Box
from ..model.configuration import Configuration
from ..model.law import law_of
from ..model.obstacles import Circle, Line
from ..model.piston import Piston
from .draws import streams
from .equal_discs import GREY, configuration_of, gaussian, thermal_speed
from .obstructions import Obstructions
from .scatter import Region, require, scatter

RED, GREEN, BLUE = (200, 0, 0), (0, 150, 0), (0, 0, 200)
TORUS, TUBE = Box(1.0, 1.0, (True, True)), Box(1.0, 1.0, (False, True))


def granular(n: int, radius: float, mass: float, temperature: float, restitution: float, contact_time: float,
             seed: int = 0) -> Configuration:
    """n equal grains in a periodic box, which cool, because contacts keep the part `restitution` of their normal speed."""
    grains = _gas(n, radius, mass, temperature, seed, (0.0, 0.0, 1.0, 1.0), GREY, ())
    return replace(grains, periodic=TORUS.periodic, law=law_of(restitution, contact_time))


def shaker(n: int, radius: float, mass: float, temperature: float, speed: float, period: float, restitution: float,
           contact_time: float, seed: int = 0) -> Configuration:
    """n grains above a floor that goes up for half of a period, and down again, with this speed. At time 0 it is at the bottom,
    a tenth of the box above the side."""
    _require_stroke(speed * period / 2, 0.5)
    floor = Line((0.0, 0.1), (0.0, 1.0), name="floor", motion=_there_and_back((0.0, speed), period), period=period)
    grains = _gas(n, radius, mass, temperature, seed, (0.0, 0.1, 1.0, 1.0), BLUE, (floor,))
    return replace(grains, law=law_of(restitution, contact_time))


def press(n: int, radius: float, mass: float, temperature: float, speed: float, period: float, seed: int = 0) -> Configuration:
    """n discs between two walls that close for half of a period, and open again, with this speed. At time 0 they are open, at a
    fiftieth of the box from its sides."""
    _require_stroke(speed * period / 2, 0.4)
    walls = tuple(Line((x, 0.0), (side, 0.0), name=name, motion=_there_and_back((side * speed, 0.0), period), period=period)
                  for x, side, name in ((0.02, 1.0, "left"), (0.98, -1.0, "right")))
    return _gas(n, radius, mass, temperature, seed, (0.02, 0.0, 0.98, 1.0), GREEN, walls)


def piston(n: int, radius: float, mass: float, hot: float, cold: float, weight: float, seed: int = 0) -> Configuration:
    """n hot discs on the left of a piston in the middle, and n cold ones on the right. The piston has the mass `weight`: it is
    pushed to where the pressures are equal, swings there, and in the end the temperatures are equal, too. hot, cold: kelvin."""
    middle = Piston(x=0.5, mass=weight)
    left = _gas(n, radius, mass, hot, seed, (0.0, 0.0, 0.5, 1.0), RED, (middle,))
    right = _gas(n, radius, mass, cold, seed + 1, (0.5, 0.0, 1.0, 1.0), BLUE, (middle,))
    both: dict[str, Any] = {name: np.concatenate([getattr(left, name), getattr(right, name)])
                            for name in ("positions", "velocities", "radii", "masses", "colors")}
    return replace(left, **both)


def galton(n: int, radius: float, mass: float, rows: int, peg_radius: float, speed: float, seed: int = 0) -> Configuration:
    """n discs at rest in a column in the middle, through which `rows` rows of pegs drift upwards with this speed, from below
    again and again. The pegs of one row stand over the gaps of the next one. Seen from them, the discs fall, and keep their
    speed: they spread sideways into a bell."""
    require(rows >= 2 and rows % 2 == 0, f"rows must be even and positive, so that the pattern repeats, got {rows}")
    pegs = tuple(Circle(((k + (row % 2) / 2) / rows, (row + 0.5) / rows), peg_radius, velocity=(0.0, speed))
                 for row in range(rows) for k in range(1 - row % 2, rows))
    (places,) = streams(seed, 1)
    positions = np.rint(scatter(n, radius, (0.4, 0.0, 0.6, 1.0), places, obstacles=Obstructions(pegs, TUBE)) * 1e12) / 1e12
    return replace(configuration_of(positions, 0.0, radius, mass, BLUE), obstacles=pegs, periodic=TUBE.periodic)


def _there_and_back(velocity: tuple[float, float], period: float) -> list[tuple[float, tuple[float, float]]]:
    """A motion with this velocity for half of a period, and back in the other half."""
    return [(0.0, velocity), (period / 2, (-velocity[0], -velocity[1]))]


def _require_stroke(stroke: float, most: float) -> None:
    require(0 < stroke < most, f"speed * period / 2 must be above 0 and below {most:g}, got {stroke:g}")


def _gas(n: int, radius: float, mass: float, temperature: float, seed: int, region: Region, color: Any,
         obstacles: tuple[Any, ...]) -> Configuration:
    """n equal discs at random places of a region, with Gaussian velocities, and obstacles around them; numbers are rounded as in
    all random sets."""
    places, motions = streams(seed, 2)
    positions = np.rint(scatter(n, radius, region, places) * 1e12) / 1e12
    velocities = np.rint(gaussian(n, thermal_speed(mass, temperature), motions) * 1e12) / 1e12 + 0.0
    return replace(configuration_of(positions, velocities, radius, mass, color), obstacles=obstacles)
