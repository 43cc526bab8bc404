"""Random systems of every sort that the engine admits, each from its number alone.

Only random bits and integers, sums, products and square roots are used, so that a number gives the same bits on every
machine. Knows nothing of what is done with a system.
"""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import hdsim

SEED = 20261123
PLACINGS = ("apart", "lattice", "overlapping", "symmetric", "points")
PERIODIC = ((False, False), (True, True), (True, False), (False, True))
MASSES = ("equal", "various", "wide")
VELOCITIES = ("normal", "integers", "along an axis", "few", "wide")

SIDES = (0.5, 1.0, 1.0, 1.7, 3.0, 12.0)     # of boxes, length units
THROWS = 60             # points tried for a disc of `apart` before it is left out
TURNS = 100             # box lengths that the fastest disc goes in a run, at most
CELLS_MAX = 24          # forced columns or rows
CELL_LEAST = 2.5        # of the largest radius: more than the least side of a cell


class Start(NamedTuple):
    """A system before its first event.

    arrays: the state, as arguments of `CollisionSystem.from_arrays`. options: the settings, arguments of it too. span: time
    units in which the fastest disc goes TURNS box lengths, 1 where nothing moves.
    """

    arrays: dict[str, Any]
    options: dict[str, Any]
    span: float

    def system(self) -> hdsim.CollisionSystem:
        """A new system of this state and these settings; warns of overlaps where there are such."""
        return hdsim.CollisionSystem.from_arrays(**self.arrays, **self.options)


def random_start(number: int) -> Start:
    """System `number`: placing and periodicity go in turn, so that 20 numbers in a row have all pairs of them."""
    rng = np.random.default_rng([SEED, number])
    placing, periodic = PLACINGS[number % 5], PERIODIC[number // 5 % 4]
    positions, radii, lengths = placed(rng, placing, periodic)
    n = len(radii)
    masses = random_masses(rng, n)
    velocities = random_velocities(rng, n, "integers" if placing == "symmetric" else str(rng.choice(VELOCITIES)))
    infinite = rng.random(n) < rng.choice([0.0, 0.0, 0.1, 0.3])
    driven = rng.random(n) < rng.choice([0.0, 0.0, 0.0, 0.5])     # of those, which keep their velocity
    masses[infinite] = np.inf
    velocities[infinite & ~driven] = 0.0
    options = random_options(rng, lengths, radii)
    length, speed, mass = random_units(rng)
    arrays = {"positions": positions * length, "velocities": velocities * speed, "radii": radii * length, "masses": masses * mass,
              "box": hdsim.Box(float(lengths[0] * length), float(lengths[1] * length), periodic)}
    fastest = math.sqrt(float((velocities * velocities).sum(axis=1).max()))
    return Start(arrays, options, TURNS * float(lengths.max()) / fastest * (length / speed) if fastest else 1.0)


# Where

def placed(rng: np.random.Generator, placing: str, periodic: tuple[bool, bool]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions (n, 2), radii (n,) and the two lengths of the box, in one unit of length."""
    lengths = rng.choice(SIDES, 2)
    n = int(rng.choice([rng.integers(2, 10), rng.integers(10, 100), rng.integers(100, 400)]))
    if placing == "lattice":
        return on_lattice(rng, n, lengths)
    if placing == "symmetric":
        return symmetric(rng)
    if placing == "apart":
        return apart(rng, min(n, 120), lengths, periodic)
    radii = random_radii(rng, n)
    if placing == "points":
        radii *= rng.random(n) < 0.3
    area = math.pi * float((radii * radii).sum())
    wanted = rng.uniform(0.01, 0.5) * lengths[0] * lengths[1]
    radii = np.minimum(radii * (math.sqrt(wanted / area) if area else 0.0), 0.2 * lengths.min())
    return within(rng, radii[:, None], lengths, periodic), radii, lengths


def within(rng: np.random.Generator, radii: np.ndarray, lengths: np.ndarray, periodic: tuple[bool, bool]) -> np.ndarray:
    """Random places for centres, (n, 2) for radii (n, 1): anywhere on a periodic axis, else clear of the walls."""
    margin = np.where(periodic, 0.0, radii)
    return margin + rng.random((len(radii), 2)) * (lengths - 2 * margin)


def random_radii(rng: np.random.Generator, n: int) -> np.ndarray:
    """(n,) radii of which the largest may be 1: all equal, of two sizes, or spread evenly over a range."""
    sort = rng.integers(3)
    if sort == 0:
        return np.ones(n)
    ratio = rng.choice([2.0, 10.0, 200.0])
    return rng.choice([1.0, 1.0 / ratio], n) if sort == 1 else 1.0 / (1.0 + (ratio - 1.0) * rng.random(n))


def apart(rng: np.random.Generator, n: int, lengths: np.ndarray, periodic: tuple[bool, bool]
          ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At most n discs that do not overlap, put one after another, the largest first; those without room are left out."""
    radii = np.sort(random_radii(rng, n))[::-1]
    filled = rng.uniform(0.01, 0.5) * lengths[0] * lengths[1]
    radii = np.minimum(radii * math.sqrt(filled / (math.pi * float((radii * radii).sum()))), 0.2 * lengths.min())
    positions, kept = np.empty((n, 2)), np.empty(n)
    count = 0
    for radius in radii:
        tried = within(rng, np.full((THROWS, 1), radius), lengths, periodic)
        gaps = tried[:, None] - positions[:count]
        gaps -= np.where(periodic, np.rint(gaps / lengths) * lengths, 0.0)
        reach = radius + kept[:count]
        free = np.flatnonzero(((gaps * gaps).sum(axis=2) > 1.0001 * reach * reach).all(axis=1))
        if len(free):
            positions[count], kept[count] = tried[free[0]], radius
            count += 1
    order = rng.permutation(count)
    return positions[order], kept[order], lengths


def on_lattice(rng: np.random.Generator, n: int, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """n discs, each somewhere in its own cell of a lattice of at least 5 x 5 cells."""
    side = max(math.isqrt(n) + 1, 5)
    cell = lengths / side
    radii = 0.5 * cell.min() * random_radii(rng, n) * rng.uniform(0.2, 0.999)
    sites = rng.choice(side * side, n, replace=False)
    corners = np.column_stack((sites % side, sites // side)) * cell
    return corners + radii[:, None] + rng.random((n, 2)) * (cell - 2 * radii[:, None]), radii, lengths


def symmetric(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Equal discs on a square lattice, some of them taken out; they touch each other and the walls in a third of the systems.
    With velocities that are integers, many contacts come at one instant."""
    sides = rng.integers(4, 13, 2)
    spacing = float(rng.choice([1.0, 0.25, 2.0**-7]))
    radius = float(rng.choice([0.5, 0.25, 0.125])) * spacing
    kept = np.flatnonzero(rng.random(sides[0] * sides[1]) < rng.choice([0.2, 0.5, 0.9]))
    kept = kept if len(kept) else np.array([0])
    positions = (np.column_stack((kept % sides[0], kept // sides[0])) + 0.5) * spacing
    return positions, np.full(len(kept), radius), sides * spacing


# How heavy, how fast, in which units, with which settings

def random_masses(rng: np.random.Generator, n: int) -> np.ndarray:
    """(n,) finite masses: all 1, of a few values, or powers of two from 2^-30 to 2^30."""
    sort = rng.choice(MASSES)
    if sort == "equal":
        return np.ones(n)
    if sort == "various":
        return rng.choice([2.0**-6, 0.25, 1.0, 1.0, 3.0, 7.5, 2.0**8], n)
    return np.ldexp(1.0, rng.integers(-30, 31, n))


def random_velocities(rng: np.random.Generator, n: int, sort: str) -> np.ndarray:
    """(n, 2) velocities of one of the VELOCITIES: "few" leaves most discs at rest, "wide" has speeds from 2^-20 to 2^20."""
    if sort == "integers":
        return rng.integers(-1, 2, (n, 2)).astype(float)
    velocities = rng.standard_normal((n, 2))
    if sort == "along an axis":
        velocities[:, rng.integers(2)] = 0.0
    if sort == "few":
        velocities[1:] *= rng.random((n - 1, 1)) < 0.1
    if sort == "wide":
        velocities *= np.ldexp(1.0, rng.integers(-20, 21, (n, 1)))
    return velocities


def random_units(rng: np.random.Generator) -> tuple[float, float, float]:
    """Length, speed and mass, as powers of two; each is 1 in half of the systems."""
    powers = [int(rng.choice([0, 0, 0, -1, 1, 3])) * most for most in (60, 30, 60)]
    return 2.0 ** powers[0], 2.0 ** powers[1], 2.0 ** powers[2]


def random_options(rng: np.random.Generator, lengths: np.ndarray, radii: np.ndarray) -> dict[str, Any]:
    """Settings of `CollisionSystem`: kind of collisions, time of the start, queue, vectors, and cells in a third of them."""
    options: dict[str, Any] = {"collisions": str(rng.choice(["simultaneous", "simultaneous", "sequential"])),
                               "time": float(rng.choice([0.0, 0.0, -3.5, 1e12])),
                               "queue": str(rng.choice(["calendar", "calendar", "heap"])), "vectors": bool(rng.integers(3))}
    if rng.integers(3) == 0:
        least = CELL_LEAST * float(radii.max())
        most = [CELLS_MAX if least * CELLS_MAX < length else max(int(length / least), 1) for length in lengths.tolist()]
        options["cells"] = tuple(int(rng.integers(1, side + 1)) for side in most)
    return options
