"""Generators of the named data sets that lose energy in contacts, in which something moves, or that have hot and cold sides.
Knows no file format.

Units, temperatures and random numbers are as in `datasets`.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..model.box import Box
from ..model.configuration import Configuration
from ..model.law import law_of
from ..model.obstacles import Line
from ..model.piston import Piston
from ..model.thermal import Thermal, heat_of
from .draws import streams
from .equal_discs import GREY, configuration_of, gaussian, thermal_speed
from .scatter import Region, require, scatter

RED, GREEN, BLUE = (200, 0, 0), (0, 150, 0), (0, 0, 200)
TORUS, CHANNEL = Box(1.0, 1.0, (True, True)), Box(1.0, 1.0, (True, False))


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


def two_temperatures(n: int, radius: float, mass: float, cold: float, hot: float, seed: int = 0) -> Configuration:
    """n discs between a cold side on the left and a hot one on the right, that carry heat from there. They begin at a temperature
    between these, that of points between the sides: sqrt(cold * hot)."""
    require(0 < cold and 0 < hot, f"temperatures must be positive, got {cold:g} and {hot:g}")
    gas = _gas(n, radius, mass, float(np.sqrt(cold * hot)), seed, (0.0, 0.0, 1.0, 1.0), GREY, ())
    return replace(gas, heat=heat_of({"left": Thermal(cold), "right": Thermal(hot)}, seed, Box()))


def couette(n: int, radius: float, mass: float, temperature: float, speed: float, seed: int = 0) -> Configuration:
    """n discs between two plates of one temperature that slide in opposite directions at this speed, the upper one to the right,
    and drag the gas along. The lower half is blue, so that the flow is seen."""
    gas = _gas(n, radius, mass, temperature, seed, (0.0, 0.0, 1.0, 1.0), GREEN, ())
    colors = np.where(gas.positions[:, 1:] < 0.5, np.array(BLUE), np.array(GREEN)).astype(np.uint8)
    plates = {"bottom": Thermal(temperature, -speed), "top": Thermal(temperature, speed)}
    return replace(gas, periodic=CHANNEL.periodic, colors=colors, heat=heat_of(plates, seed, CHANNEL))


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
