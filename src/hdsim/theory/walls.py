"""Discs in a box with four walls: pressure, bulk density, collision rates and free flights."""
from __future__ import annotations

import math

import numpy as np

from .arguments import Values, _count, _finite, _not_negative, _plain, _positive
from .collisions import wall_collision_rate
from .distributions import mean_speed
from .equations import DENSE_FLUID, compressibility_factor, inverse_compressibility
from .few_discs import degrees_of_freedom, momentum_transfer_moment

# Relative standard errors of scaled particle theory at walls: root mean squares of the differences from runs of 100, 400 and
# 1000 discs in a square at packing fractions .02, .1, .2, .3, .4 and .5, 2 10^6 contacts each (docs/theory.md).
WALL_ERROR = 0.0014         # of the pressure on walls, and of the rate of contacts with walls
WALLED_PAIRS_ERROR = 0.0025     # of the rate of disc-disc contacts, from 400 and 1000 discs


def single_disc_wall_rate(speed: Values, radius: Values, length: Values) -> Values:
    """Contacts per time of one disc with two opposite walls at a distance L, |v_x| / (L - 2 a). Exact. speed: |v_x|. Each contact
    transfers the momentum 2 m |v_x|."""
    return _plain(np.abs(_finite("speed", speed)) / _room(radius, length))


def _room(radius: Values, length: Values, name: str = "length") -> np.ndarray:
    """The length L - 2 a that is accessible to the centre of a disc along one axis. ValueError if it is not positive."""
    radius, length = _not_negative("radius", radius), _positive(name, length)
    room = length - 2 * radius
    if (room <= 0).any():
        raise ValueError(f"radius is {np.max(radius):g}; it must be less than half the {name} of the box, "
                         f"{np.min(length):g}")
    return room


def _box(radius: Values, width: Values, height: Values) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Width and height of a box as arrays, and the width and height accessible to centres of discs."""
    room = _room(radius, width, "width"), _room(radius, height, "height")
    return np.asarray(width, dtype=float), np.asarray(height, dtype=float), *room


def accessible_area(radius: Values, width: Values, height: Values) -> Values:
    """The area (W - 2 a) (H - 2 a) that is accessible to the centre of a disc in a box with walls."""
    _, _, room_x, room_y = _box(radius, width, height)
    return _plain(room_x * room_y)


def noninteracting_wall_pressures(n: Values, radius: Values, kT: Values, width: Values,
                                  height: Values) -> tuple[Values, Values]:
    """Pressures (force / length) of discs that pass through each other: on the vertical walls, N kT / ((W - 2a) H), and on the
    horizontal ones, N kT / ((H - 2a) W). Exact.
    """
    n, kT = _count("n", n), _not_negative("kT", kT)
    width, height, room_x, room_y = _box(radius, width, height)
    return _plain(n * kT / (room_x * height)), _plain(n * kT / (room_y * width))


def _surface_tension(density: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Surface tension gamma / kT of a hard wall, with the dividing line at the wall itself, and the adsorption Gamma, the excess
    number of discs per length of wall.

    Scaled particle theory: gamma = kT rho diameter / (2 (1 - eta)); Gamma = -rho gamma' / P' (Gibbs).
    """
    eta = math.pi * radius**2 * density
    slope = radius / (1 - eta) ** 2
    return density * radius / (1 - eta), -density * slope / inverse_compressibility(eta)


def bulk_density(n: Values, radius: Values, width: Values, height: Values) -> Values:
    """Density rho far from the walls of n discs in a box with walls: the solution of n = rho W H + Gamma 2 (W + H).

    Gamma is the adsorption by scaled particle theory. For a fluid only, with eta <= 0.66 far from the walls, else ValueError.
    Effects of corners are neglected, so W and H should be at least 10 diameters.
    """
    width, height, _, _ = _box(radius, width, height)
    n, radius, area, perimeter = np.broadcast_arrays(
        _count("n", n), np.asarray(radius, dtype=float), width * height, 2 * (width + height))
    low = n / area
    high = np.minimum(4 * low, DENSE_FLUID / np.maximum(math.pi * radius**2, 1e-300))

    def discs(density: np.ndarray) -> np.ndarray:
        return density * area + _surface_tension(density, radius)[1] * perimeter

    if (low > high).any() or (discs(high) < n).any():
        raise ValueError(f"n is {np.max(n):g}; there must be fewer or smaller discs for a fluid in this box")
    for _ in range(60):
        middle = (low + high) / 2
        few = discs(middle) < n
        low, high = np.where(few, middle, low), np.where(few, high, middle)
    return _plain((low + high) / 2)


def wall_pressures(n: Values, radius: Values, kT: Values, width: Values, height: Values) -> tuple[Values, Values]:
    """Pressures (force / length) of n equal discs on the walls of a box: on the vertical walls P - 2 gamma / H, on the horizontal
    ones P - 2 gamma / W.

    P is the pressure at the `bulk_density`, gamma the surface tension of scaled particle theory. Accurate to 0.5 % for 100 discs
    and more, where P(N / A) is wrong by 4 to 8 %. Not valid for a few discs in a narrow box.
    """
    kT = _not_negative("kT", kT)
    density, radius = np.asarray(bulk_density(n, radius, width, height)), np.asarray(radius, dtype=float)
    bulk = density * compressibility_factor(math.pi * radius**2 * density)
    line = 2 * _surface_tension(density, radius)[0]
    return _plain(kT * (bulk - line / np.asarray(height))), _plain(kT * (bulk - line / np.asarray(width)))


def mean_wall_pressure(n: Values, radius: Values, kT: Values, width: Values, height: Values) -> Values:
    """Force on all walls divided by their total length: the mean of the two `wall_pressures`, weighted by the lengths of
    walls."""
    vertical, horizontal = wall_pressures(n, radius, kT, width, height)
    width, height = np.asarray(width, dtype=float), np.asarray(height, dtype=float)
    return _plain((height * vertical + width * horizontal) / (width + height))


def virial_from_wall_pressures(pressures: tuple[Values, Values], n: Values, radius: Values, kT: Values, width: Values,
                               height: Values) -> Values:
    """Compressibility factor of the collision virial, 1 + sum J s / (2 N kT t), from the pressures on the vertical and on the
    horizontal walls.

    It is ((W - 2a) H P_x + (H - 2a) W P_y) / (2 N kT). For equal radii this is exact in each run of duration t, apart from a
    boundary term that falls as 1/t.
    """
    vertical, horizontal = (_not_negative("pressures", p) for p in pressures)
    n, kT = _count("n", n), _positive("kT", kT)
    width, height, room_x, room_y = _box(radius, width, height)
    return _plain((room_x * height * vertical + room_y * width * horizontal) / (2 * n * kT))


def walled_collision_rates(n: Values, radius: Values, mass: Values, kT: Values, width: Values,
                           height: Values) -> tuple[Values, Values]:
    """Contacts per time of n equal discs of positive radius in a box with walls: of all pairs of discs, and of all discs with
    walls.

    The rate at walls is the force of `wall_pressures` divided by <2 m |v_x|>; the rate of pairs follows from Z - 1 at that
    pressure. The energy is fixed, D = 2 n. Relative standard errors: `walled_pair_error` for pairs, WALL_ERROR for walls.
    """
    mass, kT, radius = _positive("mass", mass), _positive("kT", kT), _positive("radius", radius)
    freedom = degrees_of_freedom(n)
    vertical, horizontal = wall_pressures(n, radius, kT, width, height)
    force = 2 * (np.asarray(height) * vertical + np.asarray(width) * horizontal)
    walls = wall_collision_rate(force, mass, kT, freedom)
    z = virial_from_wall_pressures((vertical, horizontal), n, radius, kT, width, height)
    pairs = (z - 1) * n * kT / (radius * momentum_transfer_moment(1, mass / 2, kT, freedom))
    return _plain(pairs), _plain(walls)


def walled_pair_error(n: Values) -> Values:
    """Relative standard error of the rate of pairs in `walled_collision_rates`, and of the paths and times of
    `walled_free_flight`: sqrt(WALLED_PAIRS_ERROR^2 + 1/n^2).

    The first term was measured in runs of many discs. The second is the size of the neglected term in 1/n: a dilute gas has
    n (n - 1) ordered pairs of discs, not n^2.
    """
    return _plain(np.hypot(WALLED_PAIRS_ERROR, 1 / np.asarray(_count("n", n))))


def walled_free_flight(n: Values, radius: Values, mass: Values, kT: Values, width: Values, height: Values,
                       walls: bool = False) -> tuple[Values, Values]:
    """Mean free path and mean free time of n equal discs in a box with walls, between two contacts with discs; with `walls`,
    between two contacts of any kind.

    A contact of two discs ends two flights, a contact with a wall ends one. So the time is n / (2 pairs + walls) with the rates
    of `walled_collision_rates` and their accuracy, or n / (2 pairs) without `walls`; the path is the time multiplied by the mean
    speed at fixed energy, D = 2 n.
    """
    pairs, hits = walled_collision_rates(n, radius, mass, kT, width, height)
    time = np.asarray(n, dtype=float) / (2 * np.asarray(pairs) + (np.asarray(hits) if walls else 0.0))
    return _plain(time * mean_speed(mass, kT, freedom=degrees_of_freedom(n))), _plain(time)


def two_disc_collision_rate(radius: Values, length: Values, mass_1: Values, mass_2: Values, energy: Values) -> Values:
    """Collisions per time of two discs of equal radius and given total energy in a square box with walls. Exact.

    (S / Omega) sqrt(1/m1 + 1/m2) sqrt(2 E) 2 / (3 pi): Omega is the volume of the allowed positions of both discs, S the part of
    its boundary where the discs touch. ValueError unless the radius is below a quarter of `length`, so that the discs can pass
    each other.
    """
    room, s = _room(radius, length), 2 * _positive("radius", radius)
    if (s >= room).any():
        raise ValueError(f"radius is {np.max(s) / 2:g}; it must be below a quarter of the length")
    omega = room**4 - math.pi * room**2 * s**2 + 8 * room * s**3 / 3 - s**4 / 2
    boundary = 2 * math.pi * room**2 * s - 8 * room * s**2 + 2 * s**3
    masses = 1 / _positive("mass_1", mass_1) + 1 / _positive("mass_2", mass_2)
    return _plain(boundary / omega * np.sqrt(masses * 2 * _not_negative("energy", energy)) * 2 / (3 * math.pi))
