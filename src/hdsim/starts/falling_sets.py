"""Generators of the named data sets in which gravity pulls downwards. Knows no file format.

Units, temperatures and random numbers are as in `datasets`. The acceleration is such that a disc falls through the box in 100
time units, about as long as the particles of the other sets take to cross it.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..model.box import Box
from ..model.configuration import Configuration
from ..model.law import law_of
from ..model.obstacles import Circle, Obstacle, Polygon, Polyline, Segment
from ..model.thermal import Thermal, heat_of
from .draws import streams
from .equal_discs import configuration_of, gaussian, thermal_speed
from .obstructions import Obstructions
from .scatter import Region, require, scatter

RED, BLUE, SAND = (200, 0, 0), (0, 0, 200), (170, 110, 30)
UNIT = Box()


def barometer(n: int, radius: float, mass: float, temperature: float, gravity: float, seed: int = 0) -> Configuration:
    """n discs above a floor of this temperature, at which they begin. Without interaction their density would fall with the
    height h as exp(-m g h / kT)."""
    gas = _thermal(n, radius, mass, temperature, (0.0, 0.0, 1.0, 0.5), BLUE, seed)
    return replace(gas, law=law_of(gravity=(0.0, -gravity)), heat=heat_of({"bottom": Thermal(temperature)}, seed, UNIT))


def bouncing_ball(restitutions: Sequence[float], radius: float, height: float, gravity: float,
                  contact_time: float) -> Configuration:
    """A ball for each coefficient of restitution, that of the floor below it, all dropped at once from this height of their gaps.
    The floors are at a tenth of the box."""
    n = len(restitutions)
    require(n > 0, "restitutions is empty; there must be one for each ball")
    require(0 < height < 0.9 - 2 * radius, f"height must be above 0 and below {0.9 - 2 * radius:g}, got {height:g}")
    floors = tuple(Segment((k / n, 0.1), ((k + 1) / n, 0.1), restitution=e) for k, e in enumerate(restitutions))
    positions = np.array([((k + 0.5) / n, 0.1 + radius + height) for k in range(n)])
    shades = np.array([[200 * k // max(n - 1, 1), 0, 200 - 200 * k // max(n - 1, 1)] for k in range(n)], dtype=np.uint8)
    return replace(configuration_of(positions, 0.0, radius, 1.0, shades), obstacles=floors,
                   law=law_of(1.0, contact_time, (0.0, -gravity)))


def hourglass(n: int, radius: float, neck: float, gravity: float, restitution: float, contact_time: float,
              seed: int = 0) -> Configuration:
    """n grains above a funnel whose opening has the width `neck`, which leads to a chamber below."""
    require(2 * radius < neck < 0.5, f"neck must be above {2 * radius:g} and below 0.5, got {neck:g}")
    left, right = (1 - neck) / 2, (1 + neck) / 2
    glass = (Polygon([(0.0, 0.2), (left, 0.48), (left, 0.52), (0.0, 0.8)], name="left"),
             Polygon([(1.0, 0.2), (1.0, 0.8), (right, 0.52), (right, 0.48)], name="right"))
    grains = _at_rest(n, radius, 1.0, (0.0, 0.5, 1.0, 1.0), glass, SAND, seed)
    return replace(grains, law=law_of(restitution, contact_time, (0.0, -gravity)))


def silo(n: int, radius: float, opening: float, gravity: float, restitution: float, contact_time: float,
         seed: int = 0) -> Configuration:
    """n grains in a silo with a flat floor, which has an opening of this width in the middle."""
    require(2 * radius < opening < 0.6, f"opening must be above {2 * radius:g} and below 0.6, got {opening:g}")
    left, right = (1 - opening) / 2, (1 + opening) / 2
    walls = (Polyline([(0.2, 1.0), (0.2, 0.4), (left, 0.4)], name="left"), Polyline([(0.8, 1.0), (0.8, 0.4), (right, 0.4)],
                                                                                    name="right"))
    grains = _at_rest(n, radius, 1.0, (0.2, 0.4, 0.8, 1.0), walls, SAND, seed)
    return replace(grains, law=law_of(restitution, contact_time, (0.0, -gravity)))


def galton(n: int, radius: float, rows: int, peg_radius: float, slots: int, gravity: float, restitution: float,
           contact_time: float, seed: int = 0) -> Configuration:
    """n balls that fall from a column in the middle through `rows` rows of pegs, each row over the gaps of the next one, into
    `slots` slots, where they stand in a bell. Contacts keep the part `restitution` of their speed: if they kept all of it, the
    balls would come back up again and again."""
    require(rows >= 1 and slots >= 2, f"rows must be at least 1 and slots at least 2, got {rows} and {slots}")
    pitch = 1.0 / slots
    pegs = [Circle(((k + 0.5 + (row % 2) / 2) * pitch, 0.8 - 0.5 * row / rows), peg_radius) for row in range(rows)
            for k in range(slots - row % 2)]
    walls = [Segment((k * pitch, 0.0), (k * pitch, 0.25)) for k in range(1, slots)]
    balls = _at_rest(n, radius, 1.0, (0.5 - 2 * pitch, 0.82, 0.5 + 2 * pitch, 1.0), (*pegs, *walls), BLUE, seed)
    return replace(balls, law=law_of(restitution, contact_time, (0.0, -gravity)))


def wedges(degrees: Sequence[int], radius: float, height: float, gravity: float) -> Configuration:
    """Wedges side by side, each with a ball that bounces without loss. degrees: the angle between each side and the vertical, 30,
    45 or 60. At 45 the motion is regular, above it is chaotic, and below both are found. height: of the ball's centre above the
    tip, at the start; it stands beside the middle."""
    tangents = {30: 3**-0.5, 45: 1.0, 60: 3**0.5}
    require(len(degrees) > 0 and all(angle in tangents for angle in degrees), f"degrees must be 30, 45 or 60, got {[*degrees]}")
    half = 0.5 / len(degrees)
    middles = [(2 * k + 1) * half for k in range(len(degrees))]
    tips = [0.1 for _ in degrees]
    sides = tuple(Polyline([(x - half, tip + half / tangents[angle]), (x, tip), (x + half, tip + half / tangents[angle])])
                  for x, tip, angle in zip(middles, tips, degrees))
    positions = np.array([(x + radius / 2, tip + height) for x, tip in zip(middles, tips)])
    return replace(configuration_of(np.rint(positions * 1e12) / 1e12, 0.0, radius, 1.0, RED), obstacles=sides,
                   law=law_of(gravity=(0.0, -gravity)))


def rayleigh_benard(n: int, packing_fraction: float, mass: float, cold: float, hot: float, gravity: float,
                    seed: int = 0) -> Configuration:
    """n discs with weight between a hot floor and a cold ceiling, which begin between their temperatures. Hot gas is thin and
    rises: it convects if gravity, temperatures and n are large enough (Mareschal and Kestemont, J. Stat. Phys. 48, 1187, 1987).
    The lower half begins red, the upper half blue."""
    require(0 < cold < hot, f"cold must be above 0 and below hot, got {cold:g} and {hot:g}")
    require(0 < packing_fraction < 0.5, f"packing_fraction must be above 0 and below 0.5, got {packing_fraction:g}")
    radius = round((packing_fraction / (np.pi * n)) ** 0.5, 12)
    gas = _thermal(n, radius, mass, (cold + hot) / 2, (0.0, 0.0, 1.0, 1.0), RED, seed)
    colors = np.where(gas.positions[:, 1:] < 0.5, np.array(RED), np.array(BLUE)).astype(np.uint8)
    return replace(gas, colors=colors, law=law_of(gravity=(0.0, -gravity)),
                   heat=heat_of({"bottom": Thermal(hot), "top": Thermal(cold)}, seed, UNIT))


def _thermal(n: int, radius: float, mass: float, temperature: float, region: Region, color: Any, seed: int) -> Configuration:
    """n equal discs at random places of a region, with the velocities of a temperature."""
    _, motions = streams(seed, 2)
    velocities = np.rint(gaussian(n, thermal_speed(mass, temperature), motions) * 1e12) / 1e12 + 0.0
    return replace(_at_rest(n, radius, mass, region, (), color, seed), velocities=velocities)


def _at_rest(n: int, radius: float, mass: float, region: Region, obstacles: tuple[Obstacle, ...], color: Any, seed: int
             ) -> Configuration:
    """n equal discs at rest at random places of a region, among obstacles."""
    (places, *_) = streams(seed, 2)
    positions = np.rint(scatter(n, radius, region, places, obstacles=Obstructions(obstacles, UNIT)) * 1e12) / 1e12
    return replace(configuration_of(positions, 0.0, radius, mass, color), obstacles=obstacles)
