"""The obstacles of a system, and the species of its discs: checked, and given to an engine."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import numpy as np

from .. import _core
from ..model.box import TURNS_MAX, Box
from ..model.clearance import Discs, bounds_of
from ..model.features import feature_table, species_of
from ..model.obstacles import Line, Obstacle
from .arrays import frozen, plain

SPECIES_MAX = 2**31 - 1     # the largest number of a species
LENGTHS_MAX = 10_000        # box lengths over which an obstacle may extend on a periodic axis: it has as many images


def as_obstacles(obstacles: Any, box: Box) -> tuple[Obstacle, ...]:
    """The obstacles as a tuple. TypeError for another object than a shape; ValueError for a half-plane of which no image in a
    periodic box leaves room, and for an obstacle that is far from a periodic box or very long."""
    if isinstance(obstacles, get_args(Obstacle)) or not isinstance(obstacles, Iterable):
        raise TypeError(f"obstacles is {obstacles!r}; it must be a sequence of shapes, such as "
                        f"[hdsim.Segment((.5, 0), (.5, .4))]")
    found = tuple(obstacles)
    for k, obstacle in enumerate(found):
        if not isinstance(obstacle, get_args(Obstacle)):
            raise TypeError(f"obstacles[{k}] is {obstacle!r}; it must be a shape: "
                            f"{', '.join(shape.__name__ for shape in get_args(Obstacle))}")
        if any(box.periodic):
            _check_images(k, obstacle, box)
    return found


def _check_images(k: int, obstacle: Obstacle, box: Box) -> None:
    """ValueError for a half-plane of which no image leaves room, and for an obstacle that is far away or very long."""
    left, bottom, right, top = bounds_of(obstacle)
    for axis, periodic, length, low, high in zip("xy", box.periodic, (box.width, box.height), (left, bottom), (right, top)):
        if periodic and isinstance(obstacle, Line):
            if obstacle.normal["xy".index(axis)] != 0:
                raise ValueError(f"obstacles[{k}], {obstacle!r}: its images fill the box, which is periodic along {axis}; that "
                                 f"component of its normal must be 0")
        elif periodic and not (high - low <= LENGTHS_MAX * length and max(-low, high) <= TURNS_MAX * length):
            raise ValueError(f"obstacles[{k}], {described(obstacle)}: it reaches from {low:.9g} to {high:.9g} along {axis}, on "
                             f"which the box is periodic; it must be at most {LENGTHS_MAX:,} box lengths long and "
                             f"{TURNS_MAX:g} away")


def as_species(species: Any, n: int) -> np.ndarray:
    """The species of n discs, (n,) int64, read-only. ValueError for another shape, and for what is not a whole number of at most
    SPECIES_MAX in size."""
    found = np.asarray(species)
    if found.shape != (n,):
        raise ValueError(f"species has shape {found.shape}; expected ({n},), a whole number for each disc")
    if found.dtype.kind not in "iu" and n > 0 or not (np.abs(found.astype(np.float64)) <= SPECIES_MAX).all():
        raise ValueError(f"species is {species!r}; it must have whole numbers of at most {SPECIES_MAX} in size")
    return frozen(found.astype(np.int64))


def numbered_species(radii: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """The species of discs for which none were given, (n,) int64: pairs of equal radius and mass are numbered 0, 1, ... in order
    of appearance."""
    if len(radii) == 0 or (radii == radii[0]).all() and (masses == masses[0]).all():
        return np.zeros(len(radii), dtype=np.int64)
    _, first, inverse = np.unique(np.stack((radii, masses)), axis=1, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.ravel()]


def surround(engine: _core.Engine, obstacles: tuple[Obstacle, ...], species: np.ndarray | None, radii: np.ndarray,
             masses: np.ndarray) -> None:
    """Give an engine, into which no discs are loaded yet, its obstacles and the species of its discs."""
    engine.obstacles, engine.species = obstacles, species
    if obstacles:
        felt = numbered_species(radii, masses) if species is None else species
        engine.set_obstacles(feature_table(obstacles), np.ascontiguousarray(felt, dtype=np.intc))


def check_room(box: Box, obstacles: Mapping[int, Obstacle], time: float, positions: np.ndarray, radii: np.ndarray,
               species: np.ndarray, which: np.ndarray | bool = True) -> None:
    """ValueError, with its number, for a disc that overlaps an obstacle that is there, and that it feels, by more than rounding:
    by more than 1e-9 of its radius, and of 2^-44 of the sides of the box.

    obstacles: by their numbers. species: (n,). which: (n,) bool, the discs to be compared."""
    there = {k: obstacle for k, obstacle in obstacles.items() if obstacle.from_time <= time < obstacle.until}
    compared = np.flatnonzero(np.broadcast_to(which, len(radii)))
    if not there or not len(compared):
        return
    wrapped = positions[compared]
    for axis, length in enumerate((box.width, box.height)):
        if box.periodic[axis]:
            wrapped[:, axis] -= np.floor(wrapped[:, axis] / length) * length
    discs = Discs(wrapped, radii[compared], box)
    for k, obstacle in there.items():
        found = compared[discs.overlapping(obstacle)]
        kinds = species_of(obstacle)
        if kinds is not None:
            found = found[np.isin(species[found], kinds)]
        if len(found):
            i = int(found[0])
            raise ValueError(f"disc {i} at {plain(positions[i])} with radius {plain(radii[i])} overlaps obstacles[{k}], "
                             f"{described(obstacle)}" + (f", and {len(found) - 1} more discs do" if len(found) > 1 else ""))


def described(obstacle: Obstacle) -> str:
    """An obstacle in a message: as Python code, shortened if it has many points."""
    text = repr(obstacle)
    return text if len(text) <= 120 else f"{type(obstacle).__name__} {obstacle.name!r}" if obstacle.name else f"{text[:100]} ...)"
