"""Spheres in boxes, for the tests of three dimensions."""
import itertools

import numpy as np

import hdsim
from hdsim import Box, CollisionSystem

MIXED = list(itertools.product((False, True), repeat=3))        # walls and periodic axes in any mixture


def lattice(per_side, lengths, jitter, rng):
    """(n, 3) positions near the cells of a lattice with so many along each axis. jitter: in lattice constants."""
    places = np.stack(np.meshgrid(*map(np.arange, per_side), indexing="ij"), -1).reshape(-1, 3)
    return (places + .5 + rng.uniform(-jitter, jitter, places.shape)) * np.array(lengths) / per_side


def spheres(seed, per_side=(4, 4, 4), lengths=(1., 1., 1.), periodic=(True, True, True), spread=1., fill=.9, **options):
    """A system of spheres near a lattice. spread: ratio of the largest to the smallest radius. fill: of the room for a radius."""
    rng = np.random.default_rng(seed)
    constant = min(np.array(lengths) / per_side)
    x = lattice(per_side, lengths, .1, rng)
    most = .5 * constant * .8 * fill
    radii = most * spread ** -rng.random(len(x))
    masses = np.exp2(rng.integers(-2, 3, len(x))) if spread > 1 else 1.
    return CollisionSystem.from_arrays(x, rng.normal(size=x.shape), radii, masses, box=Box.of(lengths, periodic), **options)


def pressed(seed, n_side=6, phi=.45, periodic=True, **options):
    """Equal spheres on a simple cubic lattice at this packing fraction, at most .52, with random velocities."""
    rng = np.random.default_rng(seed)
    x = lattice((n_side,) * 3, (1., 1., 1.), 0., rng)
    radius = (phi * 3 / (4 * np.pi * len(x))) ** (1 / 3)
    return CollisionSystem.from_arrays(x, rng.normal(size=x.shape), radius, box=Box(1, 1, depth=1, periodic=periodic), **options)


def trajectory(system):
    """What two runs that did the same have in common."""
    return (system.hash(), system.time, system.positions.tobytes(), system.unwrapped_positions.tobytes(),
            system.velocities.tobytes(), system.collision_counts.tobytes())


def in_plane(system, axes, depth):
    """The discs of a plane periodic system as spheres: its x and y along these axes of space, which is periodic with this third
    length."""
    third = 3 - sum(axes)
    lengths, periodic = np.empty(3), [True] * 3
    lengths[list(axes)], lengths[third] = system.box.lengths, depth
    for k, axis in enumerate(axes):
        periodic[axis] = system.box.periodic[k]
    x, v = np.full((2, len(system), 3), 0.)
    x[:, third] = depth / 2
    x[:, list(axes)], v[:, list(axes)] = system.positions, system.velocities
    return CollisionSystem.from_arrays(x, v, system.radii, system.masses, box=Box.of(lengths, periodic), time=system.time,
                                       collisions=system.collisions)


def as_gas(system):
    """The same spheres as a gas of `hdsim.spaces`, another engine."""
    walls = [hdsim.spaces.Hyperplane(np.eye(3)[axis], offset) for axis in range(3) if not system.box.periodic[axis]
             for offset in (0., system.box.lengths[axis])]
    periodic = [length if wraps else None for length, wraps in zip(system.box.lengths, system.box.periodic)]
    return hdsim.spaces.Gas(hdsim.spaces.Norm(2, dimension=3), system.positions, system.velocities, system.radii, system.masses,
                            walls=walls, periodic=periodic if any(periodic) else None)


def various(seed):
    """Arrays and box of any system: sizes over two decades or none, points, fixed spheres, round numbers, walls and periods."""
    rng = np.random.default_rng(seed)
    is_round = seed % 3 == 0
    per_side = rng.integers(1, 7, 3)
    lengths = per_side * (.25 if is_round else rng.choice([.1, .25, 1.]) * rng.uniform(.7, 1.4, 3))
    periodic = tuple(rng.random(3) < .5)
    x = lattice(per_side, lengths, 0. if is_round else .1, rng)
    n, spread = len(x), rng.choice([1., 3., 20., 300.])
    most = min([.39 * min(lengths / per_side), *(.249 * length for length, wraps in zip(lengths, periodic) if wraps)])
    radii = most * spread ** -rng.random(n)
    radii[rng.random(n) < .3 * (seed % 7 == 0)] = 0
    masses = rng.choice([1, 1, 2.5, .1, np.inf], n) if seed % 2 else np.ones(n)
    v = rng.integers(-2, 3, x.shape).astype(float) if is_round else rng.normal(size=x.shape)
    v[np.isinf(masses)] = 0
    return dict(positions=x, velocities=v, radii=radii, masses=masses, box=Box.of(lengths, periodic))
