"""The discs of a text file among the obstacles of its tail: their species, and whether there is room for them."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model.box import Box
from ..model.clearance import image_problem, overlapping
from ..model.errors import FileFormatError
from ..model.obstacles import gap
from ..model.species import numbered_species
from .tail import Tail


def species_in(tail: Tail | None, radii: np.ndarray, masses: np.ndarray) -> np.ndarray | None:
    """The species of discs of these radii and masses, (n,) int64: those of the species lines, and for other discs those of their
    sizes; None without such lines."""
    if tail is None or not tail.species:
        return None
    found = numbered_species(radii, masses)
    for first, last, kind in tail.species:
        found[first:last + 1] = kind
    return found


def species_ranges(species: np.ndarray | None) -> Iterator[tuple[int, int, int]]:
    """Yield (first, last, k) for each run of discs of one species, as `format_tail` takes them; nothing for None."""
    if species is None or len(species) == 0:
        return
    begins = [0, *(np.flatnonzero(np.diff(species)) + 1).tolist(), len(species)]
    for first, after in zip(begins, begins[1:]):
        yield first, after - 1, int(species[first])


def overlapping_in(tail: Tail, box: Box, time: float, positions: np.ndarray, radii: np.ndarray, masses: np.ndarray
                   ) -> tuple[int, int, int] | None:
    """How many discs overlap an obstacle of the tail that is there at a time, by more than rounding, the first of them, and an
    obstacle that it overlaps; None if there are none. A disc counts once for each obstacle."""
    species = species_in(tail, radii, masses)
    found = list(overlapping(box, dict(enumerate(tail.obstacles)), time, positions, radii,
                             numbered_species(radii, masses) if species is None else species))
    if not found:
        return None
    disc, obstacle = min((int(discs[0]), k) for k, discs in found)
    return sum(len(discs) for _, discs in found), disc, obstacle


def overlap_described(tail: Tail, k: int, x: float, y: float) -> str:
    """What is wrong with a disc that overlaps obstacle k of the tail, with the line of the obstacle, as a relative clause."""
    obstacle = tail.obstacles[k]
    how = "is on the wrong side of" if gap(obstacle, x, y, 0.0) < 0 else "overlaps"
    name = f" {obstacle.name!r}" if obstacle.name else ""
    return f"which {how} the {type(obstacle).__name__.lower()}{name} of line {tail.places[k]}"


def refuse_without_room(tail: Tail, box: Box, name: str) -> None:
    """FileFormatError for an obstacle of the tail that cannot be in a periodic box. name: of the file."""
    for obstacle, line in zip(tail.obstacles, tail.places):
        if problem := image_problem(obstacle, box):
            raise FileFormatError(f"{name}:{line}: {type(obstacle).__name__.lower()}: {problem}")
