"""The named data sets, and the functions that generate them.

Knows no file format. A data set is a generator function and values of its parameters; the table at the end of this
file has these for each name. The files `data/*.txt` are the same configurations as text:

    python -m hdsim.datasets data        rewrites all files of the folder `data`

Every machine generates them bit for bit: random numbers are integers of SplitMix64, to which only + - * / and sqrt are applied,
whose rounding IEEE 754 defines (no sin, log or exp, which differ between machines; sums by `math.fsum`, which does not depend on
order). Random sets are rounded to 12 decimals, geometric ones are not. A file has the numbers with the fewest digits that give
the same double.

Named sets are in the unit box, apart from the rinks and the slab, and some have obstacles. Their temperature is
T = sum(m v^2) / (2 N K_B) with K_B = 1.38, as in the book's files (1.38e-23 J/K, masses in 1e-23 kg).
"""
from __future__ import annotations

import inspect
import math
import pathlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..language import tr
from ..model import spelling
from ..model.box import Box
from ..model.configuration import K_B as K_B, Configuration
from ..model.errors import HdsimError
from ..model.numbers import shown
from ..model.obstacles import Arc, Path, Segment
from . import driven_sets, falling_sets, sphere_sets
from .draws import Stream, directions, streams
from .equal_discs import GREY, configuration_of, gaussian, random_colors, random_discs as random_discs, thermal_speed
from .obstructions import Obstructions
from .scatter import Region, require, scatter
from .tables import demon as demon_table
from .tables import two_vessels

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BLACK = (0, 0, 0)
RED, GREEN, BLUE = (200, 0, 0), (0, 150, 0), (0, 0, 200)
POOL_COLORS = [(250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 150, 0), (250, 0, 150), (0, 250, 150),
               (150, 250, 0), (150, 0, 250), (0, 150, 250), (250, 150, 150), (250, 250, 250)]

UNIT: Region = (0.0, 0.0, 1.0, 1.0)
RINK: Region = (0.125, 0.125, 2.125, 1.125)


class UnknownDataSetError(HdsimError, ValueError):
    """There is no data set of this name. The message has the nearest names."""


def _printed(configuration: Configuration) -> Configuration:
    """The configuration with positions and velocities rounded to 12 decimals, as they are in the files."""
    def rounded(a: np.ndarray) -> np.ndarray:
        return np.rint(a * 1e12) / 1e12 + 0.0  # -0.0 becomes 0.0

    return replace(configuration, positions=rounded(configuration.positions), velocities=rounded(configuration.velocities))


# Random systems

def _together(*parts: Configuration) -> Configuration:
    """The discs of all parts, in order, in the box of the first part."""
    def joined(field: str) -> np.ndarray:
        return np.concatenate([getattr(part, field) for part in parts])

    return replace(parts[0], positions=joined("positions"), velocities=joined("velocities"), radii=joined("radii"),
                   masses=joined("masses"), colors=joined("colors"))


def gas(n: int, radius: float, mass: float, temperature: float, seed: int = 0, region: Region = UNIT,
        color: Any = None) -> Configuration:
    """n equal discs at random positions in a region, with Gaussian velocities; random colours unless `color` is given."""
    places, motions, hues = streams(seed, 3)
    positions = scatter(n, radius, region, places)
    velocities = gaussian(n, thermal_speed(mass, temperature), motions)
    return _printed(configuration_of(positions, velocities, radius, mass, random_colors(n, hues) if color is None else color))


def equal_speeds(n: int, radius: float, mass: float, speed: float, seed: int = 0) -> Configuration:
    """n equal discs at random positions, with the same speed in random directions."""
    places, motions, hues = streams(seed, 3)
    positions = scatter(n, radius, UNIT, places)
    return _printed(configuration_of(positions, speed * directions(n, motions), radius, mass, random_colors(n, hues)))


def spot(n: int, n_red: int, radius: float, mass: float, speed: float, side: float = 0.1, seed: int = 0) -> Configuration:
    """n equal discs with equal speeds in random directions: n_red red ones in a central square, the others, green, anywhere."""
    red_places, places, motions = streams(seed, 3)
    square = (0.5 - side / 2, 0.5 - side / 2, 0.5 + side / 2, 0.5 + side / 2)
    red = configuration_of(scatter(n_red, radius, square, red_places), 0.0, radius, mass, RED)
    green = configuration_of(scatter(n - n_red, radius, UNIT, places, red), 0.0, radius, mass, (0, 100, 0))
    return _printed(replace(_together(red, green), velocities=speed * directions(n, motions)))


def pollen(n: int, radius: float, mass: float, big_radius: float, big_mass: float, rms_speed: float = 0.01,
           color: Any = BLUE, big_color: Any = RED, seed: int = 0) -> Configuration:
    """A big disc at rest in the centre (disc 0) among n small discs with Gaussian velocities."""
    places, motions = streams(seed, 2)
    big = discs(0.5, 0.5, 0.0, 0.0, big_radius, big_mass, big_color)
    positions = scatter(n, radius, UNIT, places, big)
    return _printed(_together(big, configuration_of(positions, gaussian(n, rms_speed, motions), radius, mass, color)))


def slit(n: int, radius: float = 0.005, mass: float = 0.001, rms_speed: float = 0.01, crossed: bool = False,
         seed: int = 0) -> Configuration:
    """n light discs in the left half of the box, which a wall of discs with a slit divides; with `crossed`, in the lower left
    quarter of a box that two such walls divide.

    The discs of the walls come first: at rest, of radius .02 and mass 1e5, with gaps narrower than a light disc. The opening,
    from y = .45 to .549, is that of the book.
    """
    wall = np.concatenate((0.02 + 0.041 * np.arange(11), 0.979 - 0.041 * np.arange(10, -1, -1)))
    middle = np.full(len(wall), 0.5)
    posts = np.column_stack((middle, wall))
    if crossed:
        posts = np.concatenate((posts, np.column_stack((wall, middle))))
    places, motions, hues = streams(seed, 3)
    positions = scatter(n, radius, (0.0, 0.0, 0.48, 0.48 if crossed else 1.0), places)
    light = configuration_of(positions, gaussian(n, rms_speed, motions), radius, mass, random_colors(n, hues))
    return _printed(_together(configuration_of(posts, 0.0, 0.02, 1e5, BLACK), light))


def mixing(n: int, radius: float, mass: float, temperature: float, seed: int = 0) -> Configuration:
    """n blue discs in the left half of the box and n green ones in the right half, each half in equilibrium."""
    return _together(gas(n, radius, mass, temperature, 2 * seed, (0.0, 0.0, 0.5, 1.0), BLUE),
                     gas(n, radius, mass, temperature, 2 * seed + 1, (0.5, 0.0, 1.0, 1.0), GREEN))


def parted(n: int, radius: float, mass: float, temperature: float, until: float, seed: int = 0) -> Configuration:
    """The discs of `mixing`, of species 0 on the left and 1 on the right, parted until a time by a partition in the middle."""
    return replace(mixing(n, radius, mass, temperature, seed), species=np.repeat((0, 1), n),
                   obstacles=(Segment((0.5, 0.0), (0.5, 1.0), name="partition", until=until),))


def vessels(n: int, radius: float, mass: float, big_radius: float, big_mass: float, temperature: float, pipe_width: float = 0.1,
            pipe_length: float = 0.2, seed: int = 0) -> Configuration:
    """n small blue discs in the left one and n big red discs in the right one of two vessels with a pipe between them."""
    table = two_vessels(pipe_width, pipe_length)
    small, big = (gas(n, *kind, temperature, 2 * seed + k, (room.left, room.bottom, room.right, room.top), color)
                  for k, (kind, room, color) in enumerate(zip(((radius, mass), (big_radius, big_mass)), table.rooms or (),
                                                              (BLUE, RED))))
    return replace(_together(small, big), obstacles=table.obstacles)


def demon(n: int, radius: float, mass: float, temperature: float, speed: float, opening: float = 0.05, seed: int = 0
          ) -> Configuration:
    """n grey discs in each half of a box, at one temperature, and in the wall between the halves a demon's gate, which lets
    discs pass that are faster than `speed` from left to right, and others from right to left."""
    table = demon_table(opening, speed)
    halves = (gas(n, radius, mass, temperature, 2 * seed + k, (room.left, room.bottom, room.right, room.top), GREY)
              for k, room in enumerate(table.rooms or ()))
    return replace(_together(*halves), obstacles=table.obstacles)


def rink(n: int, radius: float, mass: float, speed: float, corner: float = 9 / 32, seed: int = 0) -> Configuration:
    """n pucks with the same speed in random directions on a rink: 2 by 1 with round corners, in a box with a margin of 1/8.

    corner: their radius, at most half the height of the rink; 9/32 is that of a rink of 60 m by 30 m, 8.5 m, to 1 %."""
    require(0 < corner <= 0.5, f"corner must be above 0 and at most 0.5, got {corner}")
    boards = _rounded_rectangle(RINK, corner)
    box = Box(RINK[0] + RINK[2], RINK[1] + RINK[3])
    places, motions = streams(seed, 2)
    positions = scatter(n, radius, RINK, places, obstacles=Obstructions((boards,), box))
    pucks = configuration_of(positions, speed * directions(n, motions), radius, mass, BLACK, box.width, box.height)
    return replace(_printed(pucks), obstacles=(boards,))


def hockey(n: int, radius: float, mass: float, speed: float, width: float = 60.0, height: float = 30.0,
           seed: int = 0) -> Configuration:
    """n equal pucks with the same speed in random directions on a rink with square corners, width by height."""
    places, motions = streams(seed, 2)
    positions = scatter(n, radius, (0.0, 0.0, width, height), places)
    return _printed(configuration_of(positions, speed * directions(n, motions), radius, mass, BLACK, width, height))


def _rounded_rectangle(region: Region, corner: float) -> Path:
    """The boundary of a region, with discs inside, whose corners are quarters of circles of this radius."""
    left, bottom, right, top = region
    middle, end, low, high = left + corner, right - corner, bottom + corner, top - corner
    ends = [(middle, bottom), (end, bottom), (right, low), (right, high), (end, top), (middle, top), (left, high), (left, low)]
    centers = [(end, low), (end, high), (middle, high), (middle, low)]
    parts: list[Segment | Arc] = []
    for k, center in enumerate(centers):
        parts += [Segment(ends[2 * k], ends[2 * k + 1]), Arc(center, corner, ends[2 * k + 1], ends[(2 * k + 2) % 8])]
    return Path(parts, side="inside", name="boards")


def red_among_blue(n: int, radius: float, mass: float = 1.0, speed: float = 0.05, seed: int = 0) -> Configuration:
    """A red disc (disc 0) that moves to the right from the left wall, among n equal blue discs at rest."""
    (places,) = streams(seed, 1)
    red = discs(radius, 0.5, speed, 0.0, radius, mass, RED)
    return _printed(_together(red, configuration_of(scatter(n, radius, UNIT, places, red), 0.0, radius, mass, BLUE)))


# Regular systems

def discs(x: Any, y: Any, vx: Any, vy: Any, radius: Any, mass: Any = 1.0, color: Any = GREY) -> Configuration:
    """Discs with these values. Each argument is one value for all discs, or a list."""
    x, y, vx, vy = np.broadcast_arrays(*(np.atleast_1d(np.asarray(a, dtype=float)) for a in (x, y, vx, vy)))
    return configuration_of(np.column_stack((x, y)), np.column_stack((vx, vy)), radius, mass, color)


def off_walls(groups: Iterable[tuple[str, Sequence[float], Any]], radius: float, speed: float = 0.01) -> Configuration:
    """Discs that move away from the "bottom" or "left" wall, touching it. groups: of (wall, coordinates along it, colour)."""
    parts = []
    for wall, places, color in groups:
        if wall == "bottom":
            parts.append(discs(places, radius, 0.0, speed, radius, 1.0, color))
        elif wall == "left":
            parts.append(discs(radius, places, speed, 0.0, radius, 1.0, color))
        else:
            raise ValueError(f"wall must be 'bottom' or 'left', got {shown(wall)}")
    return _together(*parts)


def rack(rows: int, radius: float, cue_x: float, cue_speed: float, spacing: float = 0.06,
         color: Any = GREY) -> Configuration:
    """A pyramid of discs at rest, its base at y = .8, its apex downwards, and below it a moving cue ball, the last disc."""
    # This order of operations gives the doubles of the book's files, and so the same simultaneous contacts.
    spots = [(row, place) for row in range(rows) for place in range(rows - row)]
    x = [0.5 - (rows - 1) * spacing / 2 + row * spacing / 2 + place * spacing for row, place in spots]
    y = [0.8 - row * (spacing * math.sqrt(3.0) / 2) for row, _ in spots]
    return discs(x + [cue_x], y + [0.1], 0.0, [0.0] * len(x) + [cue_speed], radius, 1.0, color)


def lattice(side: int, radius: float, mass: float, temperature: float, seed: int = 0) -> Configuration:
    """side * side discs on a square lattice with the same speed in random directions and a total momentum of exactly 0.

    Half of the directions are random, the others their opposites, assigned in random order. ValueError unless side is even.
    """
    require(side % 2 == 0, f"side must be even, so that momenta cancel in pairs, got {side}")
    motions, deal, hues = streams(seed, 3)
    half = directions(side * side // 2, motions)
    dealt = np.concatenate((half, -half))[np.argsort(deal.uniform(side * side), kind="stable")]
    return _on_lattice(side, radius, mass, thermal_speed(mass, temperature) * dealt, hues)


def crowded(side: int, radius: float, mass: float, temperature: float, seed: int = 0) -> Configuration:
    """side * side discs on a square lattice with Gaussian velocities; with a large radius each is caged by its neighbours."""
    motions, hues = streams(seed, 2)
    return _on_lattice(side, radius, mass, gaussian(side * side, thermal_speed(mass, temperature), motions), hues)


def _on_lattice(side: int, radius: float, mass: float, velocities: np.ndarray, hues: Stream) -> Configuration:
    require(side >= 0 and 2 * side * radius <= 1.0, f"{side} discs of radius {radius:g} do not fit side by side")
    places = (2.0 * np.arange(side) + 1.0) / (2 * side or 1)
    positions = np.column_stack((np.tile(places, side), np.repeat(places, side)))
    return _printed(configuration_of(positions, velocities, radius, mass, random_colors(side * side, hues)))


# The named data sets

class _DataSet(NamedTuple):
    """A generator function, the values of its parameters that differ from its defaults, and a description in one line."""

    generator: Callable[..., Configuration]
    values: dict[str, Any]
    description: str


def _set(generator: Callable[..., Configuration], description: str, **values: Any) -> _DataSet:
    return _DataSet(generator, values, description)


_TENTHS = [k / 10 for k in range(1, 10)]
_TWENTIETHS = [k / 20 for k in range(1, 20, 2)]

_DATA_SETS: dict[str, _DataSet] = {
    # The files of the book, with the descriptions of the book if there are any.
    "p10": _set(equal_speeds, "10 particles", n=10, radius=.02, mass=10., speed=.01, seed=10),
    "p2000": _set(gas, "2000 particles", n=2000, radius=.001, mass=13800., temperature=.5, seed=2000),
    "diagonal": _set(discs, "2 particles on the two diagonals that meet halfway",
                     x=[.05, .95], y=.05, vx=[.01, -.01], vy=.01, radius=.01, color=[RED, BLUE]),
    "diagonal1": _set(discs, "one particle that all but hits the corners",
                      x=.0499999, y=.0500001, vx=.01, vy=.01, radius=.01, color=RED),
    "diagonal2": _set(discs, "4 particles that cross in mirror symmetry",
                      x=[.25, .75, .5, .5], y=[.5, .5, .25, .75], vx=[.01, -.01, .01, -.01], vy=[.01, -.01, .01, -.01],
                      radius=.01, color=RED),
    "wallbouncing": _set(off_walls, "9 particles in a row colliding with 9 particles in a column",
                         groups=[("bottom", _TENTHS, RED), ("left", _TENTHS, BLUE)], radius=.025),
    "wallbouncing2": _set(off_walls, "10 particles in a row not colliding with 9 particles in a column",
                          groups=[("bottom", _TWENTIETHS, RED), ("left", _TENTHS, BLUE)], radius=.01),
    "wallbouncing3": _set(off_walls, "19 particles in a row colliding with 19 particles in a column",
                          groups=[("bottom", _TWENTIETHS, RED), ("left", _TWENTIETHS, RED),
                                  ("left", _TENTHS, BLUE), ("bottom", _TENTHS, BLUE)], radius=.01),
    "p100-.125K": _set(gas, "100 particles at 0.125 kelvin", n=100, radius=.02, mass=13800., temperature=.125, seed=1),
    "p100-.5K": _set(gas, "100 particles at 0.5 kelvin", n=100, radius=.02, mass=13800., temperature=.5, seed=2),
    "p100-2K": _set(gas, "100 particles at 2 kelvin", n=100, radius=.02, mass=13800., temperature=2., seed=3),
    "p1000-.5K": _set(gas, "1000 particles at 0.5 kelvin", n=1000, radius=.0025, mass=13800., temperature=.5, seed=4),
    "p1000-2K": _set(gas, "1000 particles at 2 kelvin", n=1000, radius=.0025, mass=13800., temperature=2., seed=5),
    # In the book's file one ball of billiards2 is .001 off its place, so the break is not symmetric.
    "billiards2": _set(discs, "cue ball striking a pyramid of 3 balls, one of them slightly out of place",
                       x=[.47, .531, .5, .5], y=[.8, .8, .8 - .06 * math.sqrt(3.) / 2, .1], vx=0., vy=[0., 0., 0., .02],
                       radius=.029),
    "billiards4": _set(rack, "cue ball striking a pyramid of 10 balls from the side",
                       rows=4, radius=.02999, cue_x=.4, cue_speed=.02),
    # The radius in the book's file is .03 - .001, which is one bit less than .029.
    "billiards5": _set(rack, "cue ball striking a pyramid of 15 balls",
                       rows=5, radius=.03 - .001, cue_x=.5, cue_speed=.1),
    "billiards10": _set(rack, "billiards4 with a colour for each ball",
                        rows=4, radius=.02999, cue_x=.4, cue_speed=.02, color=POOL_COLORS),
    "diffusion": _set(slit, "diffusion of 178 particles from one side of a slit", n=178, seed=6),
    "diffusion2": _set(slit, "diffusion of 156 particles from one quarter", n=156, crossed=True, seed=7),
    "diffusion3": _set(spot, "100 red particles that spread among 900 green ones",
                       n=1000, n_red=100, radius=.0025, mass=.01, speed=.01, seed=8),
    "brownian": _set(pollen, "Brownian motion of a big particle among 999 small ones",
                     n=999, radius=.0025, mass=.01, big_radius=.1, big_mass=1.,
                     color=(0, 0, 100), big_color=(100, 0, 0), seed=9),
    "brownian2": _set(pollen, "Brownian motion of a particle only 5 times bigger than 200 others",
                      n=200, radius=.01, mass=.0001, big_radius=.05, big_mass=.0025, seed=11),
    "squeeze": _set(discs, "one tiny particle sandwiched between two big particles, 2500 times heavier",
                    x=[.1, .5, .9], y=.3, vx=[.01, -.01, -.01], vy=0., radius=[.05, .01, .05], mass=[1., .0004, 1.]),
    "squeeze2": _set(discs, "one tiny particle sandwiched between two big particles, 25 times heavier",
                     x=[.1, .5, .9], y=.3, vx=[.003, -.003, -.003], vy=0., radius=[.05, .01, .05], mass=[1., .04, 1.],
                     color=[(0, 0, 255), BLACK, (255, 0, 0)]),
    "pendulum": _set(discs, "pendulum effect: the last of three particles in a row flies off",
                     x=[.1, .45, .5501, .6502], y=.3, vx=[.01, 0., 0., 0.], vy=0., radius=.05),
    # The "other potential data files" that the book describes without providing them.
    "one": _set(discs, "one particle in motion", x=.2, y=.3, vx=.01, vy=.006, radius=.05, color=RED),
    "two-head-on": _set(discs, "two particles in a head-on collision",
                        x=[.25, .75], y=.5, vx=[.01, -.01], vy=0., radius=.05, color=[RED, BLUE]),
    "two-oblique": _set(discs, "two particles, one at rest, colliding at an angle",
                        x=[.2, .5], y=[.44, .5], vx=[.01, 0.], vy=0., radius=.05, color=[RED, BLUE]),
    "red-among-blue": _set(red_among_blue, "one red particle in motion, 100 blue particles at rest",
                           n=100, radius=.02, seed=12),
    "lattice-.125K": _set(lattice, "100 particles of equal speed on a lattice at 0.125 kelvin, total momentum 0",
                          side=10, radius=.02, mass=13800., temperature=.125, seed=13),
    "lattice-.5K": _set(lattice, "100 particles of equal speed on a lattice at 0.5 kelvin, total momentum 0",
                        side=10, radius=.02, mass=13800., temperature=.5, seed=14),
    "lattice-2K": _set(lattice, "100 particles of equal speed on a lattice at 2 kelvin, total momentum 0",
                       side=10, radius=.02, mass=13800., temperature=2., seed=15),
    "release": _set(gas, "500 very tiny particles released near the centre, at 0.5 kelvin",
                    n=500, radius=.001, mass=13800., temperature=.5, region=(.45, .45, .55, .55), color=RED, seed=16),
    "mixing": _set(mixing, "500 blue particles left, 500 green ones right, at 0.5 kelvin, no longer parted",
                   n=500, radius=.005, mass=13800., temperature=.5, seed=17),
    # Two vessels and the partition that the book mentions need obstacles, which are lines behind the discs of the file.
    "vessels": _set(vessels, "two vessels with a pipe: 200 small blue particles left, 200 big red ones right, at 0.5 kelvin",
                    n=200, radius=.0025, mass=3450., big_radius=.005, big_mass=13800., temperature=.5, seed=20),
    "parted": _set(parted, "500 blue particles left, 500 green ones right of a partition that goes at t = 100, at 0.5 kelvin",
                   n=500, radius=.005, mass=13800., temperature=.5, until=100., seed=21),
    # The mean speed is sqrt(pi kT / 2m) = .00886.
    "demon": _set(demon, "Maxwell's demon: 250 particles on each side of a gate for fast and slow ones, at 0.5 kelvin",
                  n=250, radius=.005, mass=13800., temperature=.5, speed=.00886, seed=23),
    "rink": _set(rink, "60 pucks on a rink with round corners", n=60, radius=.02, mass=1., speed=.01, seed=22),
    "hockey": _set(hockey, "20 hockey pucks of radius and mass 1 on a rectangular rink, for time steps",
                   n=20, radius=1., mass=1., speed=1., seed=24),
    "crowded": _set(crowded, "100 big particles without much room to move, at 0.5 kelvin",
                    side=10, radius=.047, mass=13800., temperature=.5, seed=18),
    "pollen": _set(pollen, "Einstein's Brownian motion: a big red particle among 2000 small blue ones at 0.5 K",
                   n=2000, radius=.004, mass=13800., big_radius=.04, big_mass=1.38e6, rms_speed=.01, seed=19),
    # What loses energy, and what moves. A contact time is a thousandth of the mean time between contacts, or less.
    "granular": _set(driven_sets.granular, "1500 grains: a gas that cools, because contacts take energy, and clusters",
                     n=1500, radius=.007, mass=13800., temperature=.5, restitution=.9, contact_time=1e-3, seed=40),
    "shaker": _set(driven_sets.shaker, "300 grains above a floor that is shaken up and down",
                   n=300, radius=.01, mass=13800., temperature=.01, speed=.02, period=6., restitution=.9, contact_time=1e-3,
                   seed=41),
    "press": _set(driven_sets.press, "200 particles between two walls that close, and heat them, and open again",
                  n=200, radius=.01, mass=13800., temperature=.5, speed=.0015, period=400., seed=42),
    "piston": _set(driven_sets.piston, "a piston between 100 hot particles and 100 cold ones",
                   n=100, radius=.008, mass=13800., hot=1., cold=.25, weight=138000., seed=44),
    # Hot and cold sides.
    "two-temperatures": _set(driven_sets.two_temperatures, "500 particles between a cold side at 0.25 kelvin and a hot one at 1",
                             n=500, radius=.008, mass=13800., cold=.25, hot=1., seed=44),
    "couette": _set(driven_sets.couette, "500 particles between two plates that slide, and drag the gas along",
                    n=500, radius=.012, mass=13800., temperature=.5, speed=.01, seed=45),
    # What falls.
    "barometer": _set(falling_sets.barometer, "600 particles with weight above a floor at 0.5 kelvin: thin air above",
                      n=600, radius=.006, mass=13800., temperature=.5, gravity=2e-4, seed=46),
    "bouncing-ball": _set(falling_sets.bouncing_ball, "six balls that bounce lower and lower, each on a floor of its own",
                          restitutions=(1., .95, .9, .8, .6, .4), radius=.03, height=.7, gravity=2e-4, contact_time=.5),
    "hourglass": _set(falling_sets.hourglass, "400 grains of sand that run through the neck of an hourglass",
                      n=400, radius=.01, neck=.12, gravity=2e-4, restitution=.9, contact_time=.5, seed=47),
    "silo": _set(falling_sets.silo, "450 grains that run out of a silo: as fast at the end as at the beginning",
                 n=450, radius=.01, opening=.12, gravity=2e-4, restitution=.9, contact_time=.5, seed=48),
    "galton": _set(falling_sets.galton, "a Galton board: 100 balls fall through pegs into slots, where they stand in a bell",
                   n=100, radius=.006, rows=8, peg_radius=.008, slots=20, gravity=2e-4, restitution=.3, contact_time=5., seed=43),
    "wedges": _set(falling_sets.wedges, "balls that bounce in wedges of 30, 45 and 60 degrees: only the middle one is regular",
                   degrees=(30, 45, 60), radius=.01, height=.08, gravity=2e-4),
    "rayleigh-benard": _set(falling_sets.rayleigh_benard, "3000 particles with weight above a hot floor: the gas rolls over",
                            n=3000, packing_fraction=.2, mass=13800., cold=.2, hot=3., gravity=2.8e-4, seed=49),
    # Three dimensions.
    "gas3": _set(sphere_sets.gas3, "1000 spheres in a cube at 0.5 kelvin",
                 n=1000, radius=.03, mass=13800., temperature=.5, seed=30),
    "fcc": _set(sphere_sets.crystal, "500 spheres: a face-centred cubic crystal that stays one, at packing fraction .58",
                n=500, packing_fraction=.58, mass=13800., temperature=.5, seed=31),
    "melting": _set(sphere_sets.crystal, "864 spheres: a face-centred cubic crystal that melts, at packing fraction .47",
                    n=864, packing_fraction=.47, mass=13800., temperature=.5, seed=32),
    "brownian3": _set(sphere_sets.pollen3, "Brownian motion of a big red sphere among 1000 small blue ones, in three dimensions",
                      n=1000, radius=.025, mass=13800., big_radius=.1, big_mass=883200., temperature=.5, seed=33),
    "slab": _set(sphere_sets.slab, "800 spheres in a thin layer between two plates",
                 n=800, radius=.012, mass=13800., temperature=.5, depth=.03, seed=34),
    "mixture3": _set(sphere_sets.mixture3, "300 large red spheres and 300 green ones of half their radius", n=300, ratio=.5,
                     packing_fraction=.3, mass=13800., temperature=.5, seed=35),
}

_ALIASES = {"billiards": "billiards5"}


def names(dimension: int | None = None) -> list[str]:
    """The names of all data sets, aliases last; of those in two or three dimensions, if that is given."""
    found = [*_DATA_SETS, *_ALIASES]
    return found if dimension is None else [name for name in found if dimension_of(name) == dimension]


def dimension_of(name: str) -> int:
    """The number of dimensions of a data set, 2 or 3. UnknownDataSetError for another name."""
    return 3 if _DATA_SETS[_resolve(name)].generator.__module__ == sphere_sets.__name__ else 2


def is_original(name: str) -> bool:
    """Whether a data set of this name is not another one under a second name."""
    return _without_suffix(name) in _DATA_SETS


def describe(name: str) -> str:
    """The description of a data set in one line, in the language in use. UnknownDataSetError for another name."""
    real = _resolve(name)
    text = tr(_DATA_SETS[real].description)
    return text if real == _without_suffix(name) else f"{real}: {text}"


def parameters(name: str) -> dict[str, Any]:
    """The parameters of this data set that `generate` can override, with their values. UnknownDataSetError for another name."""
    generator, values, _ = _DATA_SETS[_resolve(name)]
    accepted = inspect.signature(generator).parameters
    return {key: values.get(key, accepted[key].default) for key in accepted}


def generate(name: str, **overrides: Any) -> Configuration:
    """Generate the data set of this name, with other values of some of its parameters, such as n or seed; see `parameters`.

    UnknownDataSetError for a name and TypeError for a parameter that does not exist.
    """
    values = parameters(name)
    unknown = [key for key in overrides if key not in values]
    if unknown:
        raise TypeError(f"data set {name!r} has no parameter {shown(unknown[0])}: it has {', '.join(values)}")
    return _DATA_SETS[_resolve(name)].generator(**{**values, **overrides})


def path(name: str) -> Traversable:
    """The file of a data set in the package hdsim.data. UnknownDataSetError for another name."""
    from importlib import resources  # imported late, because it takes time

    return resources.files("hdsim.data") / f"{_resolve(name)}.txt"


def read_bytes(name: str) -> bytes:
    """The content of the file of a data set in the package hdsim.data. UnknownDataSetError for another name."""
    return path(name).read_bytes()


def _without_suffix(name: str) -> str:
    return name.removesuffix(".txt")


def is_name(name: str) -> bool:
    """Whether there is a data set of this name, with or without .txt."""
    return _without_suffix(name) in names()


def nearest(name: str) -> list[str]:
    """At most three names of data sets that are similar to this one, the most similar first."""
    return spelling.nearest(_without_suffix(name), names(), 3)


def _resolve(name: str) -> str:
    """The name in `_DATA_SETS` for a name, an alias, or either with .txt. UnknownDataSetError if there is none."""
    real = _without_suffix(name)
    real = _ALIASES.get(real, real)
    if real not in _DATA_SETS:
        near = nearest(name)
        hint = f"nearest are {', '.join(near)}" if near else "`python -m hdsim list` shows them all"
        raise UnknownDataSetError(f"no data set is called {name!r}: {hint}")
    return real


def _write_all(folder: pathlib.Path) -> None:
    from ..formats.io import format_text  # imported here, because nothing else in this module needs a file format

    for name in _DATA_SETS:
        (folder / f"{name}.txt").write_text(format_text(generate(name)), encoding="ascii", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m hdsim.datasets FOLDER    writes the file of every named data set into the folder")
    _write_all(pathlib.Path(sys.argv[1]))
