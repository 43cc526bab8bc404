"""Validation: states and settings are checked here once, before an engine is made for them. The engine does not check again."""
from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from ..model.box import SIDES, TOLERANCE, TURNS_MAX, WALLS, Box, across_walls, as_box
from ..model.numbers import RANGE, shown
from ..model.errors import NoRoomError, OverlapWarning
from ..model.law import Law
from ..model.obstacles import Obstacle
from ..model.piston import pistons_among
from ..model.species import numbered_species
from ..model.thermal import Heat, heat_table, is_heated
from .arrays import check_range, first, frozen, numbers, plain
from .engines import core_of
from .keywords import Collisions, Queue
from .surroundings import surround
from .weight import give_weight

IMAGES_MAX = 1e15   # largest initial displacement in box lengths; whole numbers up to here are exact as doubles


def validate(box: Box, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray,
             moved: np.ndarray | bool = True) -> None:
    """Check the arrays of a state, of shapes (n, d), (n, d), (n,) and (n,), in the d dimensions of the box. ValueError names the
    first disc that is not legal.

    moved: (n,) bool, the discs to compare with the walls; the others are where the engine itself has brought them.
    An overlap with a wall of up to 1e-9 of the radius plus `rounding` of the box length counts as none. Overlaps of discs are not
    checked here but by `overlapping_pairs`.
    """
    check_range("position", positions, f"it must be finite (and at most {RANGE:.1e})")
    check_range("velocity", velocities, f"it must be finite (and at most {RANGE:.1e})")
    check_range("radius", radii, "it must be finite and >= 0")
    if (radii < 0).any():
        i = first(radii < 0)
        raise ValueError(f"disc {i}: radius is {plain(radii[i])}; it must be >= 0")
    check_range("mass", masses, "it must be > 0 and finite, or infinite for a fixed disc", allow_infinite=True)
    bad = ~(masses >= 1 / RANGE)
    if bad.any():
        i = first(bad)
        raise ValueError(f"disc {i}: mass is {plain(masses[i])}; it must be > 0, or infinite for a fixed disc")
    for axis, (name, length) in enumerate(zip(SIDES, box.lengths)):
        if box.periodic[axis]:
            bad = ~(np.abs(positions[:, axis]) <= TURNS_MAX * length)
            if bad.any():
                i = first(bad)
                raise ValueError(f"disc {i}: position is {plain(positions[i])}; it must be within {TURNS_MAX:g} box "
                                 f"lengths of the box")
            if len(radii) and not 4 * radii.max() < length:
                i = int(np.argmax(radii))
                raise ValueError(f"disc {i}: radius {plain(radii[i])} is too large for a periodic box of {name} "
                                 f"{shown(length)}; it must be less than a quarter of it")
            continue
        low, high = across_walls(positions[:, axis], radii, length)
        bad = (low | high) & moved
        if bad.any():
            i = first(bad)
            wall = WALLS[2 * axis + (0 if low[i] else 1)]
            raise NoRoomError(f"disc {i} at {plain(positions[i])} with radius {plain(radii[i])} reaches through the "
                              f"{wall} wall of the box {box.sized()}", i, wall=wall)


def overlapping_pairs(box: Box, positions: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(m, 2): the indices of the pairs of discs that overlap by more than rounding."""
    arguments = (positions, radii, box.lengths, box.periodic, TOLERANCE)
    core = core_of(box.dimension)
    pairs = np.empty((core.count_overlaps(*arguments), 2), dtype=np.intc)
    if len(pairs):
        core.count_overlaps(*arguments, pairs)
    return pairs


class Speed(NamedTuple):
    """The arguments of `CollisionSystem` that change speed only, never the trajectory."""

    cells: tuple[int, ...] | None = None
    queue: Queue = "calendar"
    vectors: bool = True

    def checked(self, dimension: int) -> Speed:
        """These arguments, normalised, for a system of this dimension. ValueError or TypeError for a value that is not legal;
        whether the cells are large enough for the discs is checked later, in `Setting.engine`."""
        cells = self.cells
        if cells is not None and (not isinstance(cells, (tuple, list)) or len(cells) != dimension):
            raise TypeError(f"cells is {shown(cells)}; it must be (columns, rows{', layers' if dimension > 2 else ''})")
        if self.queue not in ("calendar", "heap"):
            raise ValueError(f'queue is {shown(self.queue)}; it must be "calendar" or "heap"')
        return Speed(None if cells is None else tuple(cells), self.queue, bool(self.vectors))


class Setting(NamedTuple):
    """A system without its discs: the box, how simultaneous contacts are resolved, the arguments that change speed only, the law
    of contacts and gravity, the thermal sides of the box, and Boltzmann's constant, with which temperatures of surfaces become
    energies."""

    box: Box
    collisions: Collisions
    speed: Speed
    law: Law = Law()
    heat: Heat = Heat()
    k_B: float = 1.0

    def checked(self) -> Setting:
        """This setting, normalised, with `box` as a `Box`. ValueError or TypeError for a value that is not legal; whether the
        cells are large enough for the discs is checked later, in `engine`."""
        if self.collisions not in ("simultaneous", "sequential"):
            raise ValueError(f'collisions is {shown(self.collisions)}; it must be "simultaneous" or "sequential"')
        box = as_box(self.box)
        return self._replace(box=box, speed=self.speed.checked(box.dimension))

    @property
    def core(self) -> Any:
        """The compiled module for the dimension of the box."""
        return core_of(self.box.dimension)

    def admit(self, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray,
              strict: bool) -> bool:
        """Validate a whole state; return whether discs overlap by more than rounding. If they do: ValueError if `strict`, else
        OverlapWarning. Other errors as for `validate`."""
        validate(self.box, positions, velocities, radii, masses)
        one = np.empty((1, 2), dtype=np.intc)
        overlaps = self.core.count_overlaps(positions, radii, self.box.lengths, self.box.periodic, TOLERANCE, one)
        if overlaps:
            message = (f"{overlaps} pair{'s' if overlaps > 1 else ''} of discs overlap{'s' if overlaps == 1 else ''} by more "
                       f"than rounding ({one[0, 0]} and {one[0, 1]}{' among them' if overlaps > 1 else ''})")
            if strict:
                raise ValueError(message)
            warnings.warn(message + "; they collide at once if they approach", OverlapWarning, stacklevel=4)
        return overlaps > 0

    def overlaps(self, positions: np.ndarray, radii: np.ndarray, ids: np.ndarray) -> set[tuple[int, int]]:
        """The pairs of discs, as pairs of ids, that overlap by more than rounding. ids: (n,)."""
        return {(i, j) for i, j in ids[overlapping_pairs(self.box, positions, radii)].tolist()}

    def counters(self, images: Any, n: int) -> np.ndarray | None:
        """The initial counters of an engine, (n, 2 + d) int64: no contacts with discs and walls, and `images` along the d axes.
        None if `images` is None.

        images: (n, d) whole numbers of box lengths, 0 on an axis with walls, or None for zeros. ValueError for other values."""
        if images is None:
            return None
        turns = numbers("images", images, (n, self.box.dimension))
        if not ((turns == np.rint(turns)) & (np.abs(turns) <= IMAGES_MAX)).all():
            raise ValueError(f"images must be whole numbers of at most {IMAGES_MAX:g} box lengths")
        if turns[:, [not periodic for periodic in self.box.periodic]].any():
            raise ValueError("images must be 0 on an axis that is not periodic")
        counters = np.zeros((n, 2 + self.box.dimension), dtype=np.int64)
        counters[:, 2:] = turns
        return counters

    def engine(self, radii: np.ndarray, masses: np.ndarray, time: float, overlapping: bool, colors: np.ndarray,
               ids: np.ndarray | None, next_id: int, obstacles: tuple[Obstacle, ...], species: np.ndarray | None) -> Any:
        """A new engine for discs of these radii and masses, into which the discs are not loaded yet, with the colours, ids and
        obstacles that belong to it. ids: (n,), or None for 0 ... n - 1. next_id: the id that the next added disc gets. species:
        (n,), or None for those of the sizes. ValueError as for `_grid` and `give_weight`, and for a species without coefficients
        of restitution."""
        box, speed = self.box, self.speed
        engine = self.core.Engine(len(radii), box.lengths, box.periodic, self.collisions == "simultaneous", overlapping,
                              speed.queue == "calendar", speed.vectors, speed.cells is None, *self._grid(radii), time)
        engine.colors, engine.ids, engine.next_id = frozen(colors), ids, next_id
        felt = numbered_species(radii, masses) if species is None else species
        surround(engine, obstacles, species, felt)
        own = [self.law.wall if obstacle.restitution is None else obstacle.restitution for obstacle in obstacles]
        self._give_law(engine, felt, own)
        self._give_heat(engine, ids, len(radii))
        give_weight(engine, self.law, own, box, masses)
        return engine

    def _give_law(self, engine: Any, species: np.ndarray, own: list[float]) -> None:
        """Give an engine the coefficients of restitution, unless they are all 1. species: (n,). own: of each obstacle."""
        law = self.law
        law.check_species(species)
        for k, piston in pistons_among(engine.obstacles):
            if piston.force and own[k] == 0:
                raise ValueError(f"obstacles[{k}], {piston!r}: it has a load and restitution 0, so what it lands on would never "
                                 f"leave it; give it a restitution above 0")
        if not law.is_elastic or any(e != 1.0 for e in own):
            kinds = np.ascontiguousarray(species if len(law.pair) > 1 else np.zeros(len(species)), dtype=np.intc)
            engine.set_restitution(np.array(law.pair), kinds, law.wall, np.array(own, dtype=np.float64), law.contact_time)

    def _give_heat(self, engine: Any, ids: np.ndarray | None, n: int) -> None:
        """Give an engine of n discs its thermal surfaces, if there are any. ids: (n,), or None for 0 ... n - 1."""
        if is_heated(self.heat.walls, engine.obstacles):
            table = heat_table(self.heat, engine.obstacles, self.k_B, self.box.dimension)
            engine.set_heat(table, self.heat.seed % 2**64, np.arange(n, dtype=np.int64) if ids is None else ids)

    def _grid(self, radii: np.ndarray) -> tuple[tuple[int, ...], int]:
        """The cells along each axis, and the levels. ValueError if the cells that the caller gave are too small for the discs."""
        box, cells = self.box, self.speed.cells
        if cells is None:
            return self.core.choose_cells(radii, box.lengths, self.speed.queue == "calendar")
        least = self.core.least_cell_side(float(radii.max())) if len(radii) else 0.0
        most = tuple(self.core.cells_per_side(length, least) for length in box.lengths)
        if not all(1 <= number <= limit for number, limit in zip(cells, most)):
            raise ValueError(f"cells is {shown(cells)}; discs of this size allow {shown((1,) * box.dimension)} to {shown(most)}")
        return cells, 1
