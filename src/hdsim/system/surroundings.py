"""The obstacles of a system, and the species of its discs: checked, and given to an engine."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from .. import _core
from ..model.box import Box, require_plane
from ..model.clearance import image_problem, overlapping
from ..model.errors import NoRoomError
from ..model.features import feature_table
from ..model.gates import SHAPES, is_obstacle
from ..model.motion import motion_table
from ..model.numbers import shortened, shown
from ..model.obstacles import Obstacle
from ..model.piston import PISTONS_MOST, Piston, pistons_among, problem_in, rows_of, with_pistons
from ..model.species import SPECIES_MAX
from .arrays import frozen, plain


def as_obstacles(obstacles: Any, box: Box) -> tuple[Obstacle, ...]:
    """The obstacles as a tuple. TypeError for another object than a shape; ValueError for a half-plane of which no image in a
    periodic box leaves room, and for an obstacle that is far from a periodic box or very long."""
    if is_obstacle(obstacles) or isinstance(obstacles, (str, bytes)) or not isinstance(obstacles, Iterable):
        raise TypeError(f"obstacles is {shown(obstacles)}; it must be a sequence of shapes, such as "
                        f"[hdsim.Segment((.5, 0), (.5, .4))]")
    found = tuple(obstacles)
    if found:
        require_plane(box, "obstacles have", "use spheres of infinite mass")
    for k, obstacle in enumerate(found):
        if not is_obstacle(obstacle):
            raise TypeError(f"obstacles[{k}] is {shown(obstacle)}; it must be a shape: "
                            f"{', '.join(shape.__name__ for shape in SHAPES)}")
        if problem := image_problem(obstacle, box) or isinstance(obstacle, Piston) and problem_in(box, obstacle):
            raise ValueError(f"obstacles[{k}], {described(obstacle)}: {problem}")
    if len(pistons := pistons_among(found)) > PISTONS_MOST:
        raise ValueError(f"obstacles has {len(pistons)} pistons; it must have at most {PISTONS_MOST}")
    return found


def as_species(species: Any, n: int) -> np.ndarray:
    """The species of n discs, (n,) int64, read-only. ValueError for another shape, and for what is not a whole number of at most
    SPECIES_MAX in size."""
    found = np.asarray(species)
    if found.shape != (n,):
        raise ValueError(f"species has shape {found.shape}; expected ({n},), a whole number for each disc")
    if found.dtype.kind not in "iu" and n > 0 or not (np.abs(found.astype(np.float64)) <= SPECIES_MAX).all():
        raise ValueError(f"species is {shown(species)}; it must have whole numbers of at most {SPECIES_MAX} in size")
    return frozen(found.astype(np.int64))


def surround(engine: _core.Engine, obstacles: tuple[Obstacle, ...], species: np.ndarray | None, felt: np.ndarray) -> None:
    """Give an engine, into which no discs are loaded yet, its obstacles and the species of its discs: `felt`, (n,), and
    `species`, None if these are those of the sizes."""
    engine.obstacles, engine.species = obstacles, species
    if obstacles:
        engine.set_obstacles(feature_table(obstacles), motion_table(obstacles), np.ascontiguousarray(felt, dtype=np.intc))
    if rows := rows_of(obstacles):
        engine.set_pistons(rows)


def standing(engine: _core.Engine) -> tuple[Obstacle, ...]:
    """The obstacles of an engine, with its pistons where they are now."""
    obstacles: tuple[Obstacle, ...] = engine.obstacles
    return with_pistons(obstacles, engine.pistons()) if pistons_among(obstacles) else obstacles


def check_room(box: Box, obstacles: Sequence[Obstacle], time: float, positions: np.ndarray, radii: np.ndarray,
               species: np.ndarray, which: np.ndarray | bool = True, only: Collection[int] | None = None,
               is_new: bool = False) -> None:
    """NoRoomError, with its number, for a disc that overlaps an obstacle in whose place it cannot have come, by more than
    rounding: by more than 1e-9 of its radius, and `rounding` of the sides of the box.

    Arguments as for `overlapping`, which tells where discs may be; obstacles in their order. is_new: whether it is the obstacle
    that has come."""
    for k, found in overlapping(box, dict(enumerate(obstacles)), time, positions, radii, species, which, only):
        i = int(found[0])
        raise NoRoomError(f"disc {i} at {plain(positions[i])} with radius {plain(radii[i])} overlaps obstacles[{k}], "
                          f"{described(obstacles[k])}" + (f", and {len(found) - 1} more discs do" if len(found) > 1 else ""),
                          None if is_new else i, (i,) if is_new else (), obstacle=k)


def described(obstacle: Obstacle) -> str:
    """An obstacle in a message: as Python code, shortened if it has many points."""
    text = shortened(repr(obstacle))
    return text if len(text) <= 120 else f"{type(obstacle).__name__} {obstacle.name!r}" if obstacle.name else f"{text[:100]} ...)"
