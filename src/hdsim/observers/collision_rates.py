"""`CollisionRates`: how often discs of each species touch each other and the walls."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import theory
from ..model.box import WALLS
from .observer import Observer, _error, _pair_rates


class CollisionRates(Observer):
    """Counts and rates of contacts, by pair of species and by wall.

    species: (n,) integers, one for each disc, negative to leave a disc out. None: the species that were given to the system; or
    discs of equal radius and mass are a species, all discs one species if there would be more than 16. value: disc-disc contacts
    per time unit. Contacts with obstacles are not counted. theory: in periodic boxes without obstacles, Enskog's rate with the
    contact value of Kolafa and Rottner's equation of state, with the factor for fixed energy and, for equal radii up to a packing
    fraction of 0.68, the factor for N discs (`theory.rate_correction`); for unequal radii with the contact values of Santos,
    Yuste and Lopez de Haro, accurate to 1 %, without a term in 1/N. For equal discs between four walls,
    `theory.walled_collision_rates`, in the range of `Pressure`. In three dimensions the same with `theory.spheres`, in periodic
    boxes.
    """

    kind = "counts"
    mobile_only = False

    def _split(self, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        s = len(self.species)
        walls = total.shape[-1] // s - s
        return total[..., :s * s].reshape(*total.shape[:-1], s, s), total[..., s * s:].reshape(*total.shape[:-1], s, walls)

    @property
    def pair_counts(self) -> np.ndarray:
        """(s, s) int64: the number of contacts between two species; each pair of species once, on or above the diagonal."""
        return self._split(self._read().total)[0].astype(np.int64)

    @property
    def wall_counts(self) -> np.ndarray:
        """(s, 4) int64: the number of contacts of each species with the left, right, bottom and top wall; (s, 6) in three
        dimensions, with the back and front wall."""
        return self._split(self._read().total)[1].astype(np.int64)

    @property
    def value(self) -> float:
        """Disc-disc contacts per time unit since the beginning; nan before any time has passed."""
        reading = self._read()
        return float(self.pair_counts.sum() / reading.elapsed) if reading.elapsed > 0 else math.nan

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; nan until there are enough data."""
        reading = self._read()
        return _error(self._split(reading.blocks)[0].sum(axis=(1, 2)) / (reading.span or math.nan))

    def _laws(self) -> np.ndarray | None:
        """(s, s) disc-disc contacts per time by theory, in the layout of `pair_counts`; None if no theory applies."""
        reading, s = self._read(), self._scene
        walled, kT = self._walled(reading), self._fluid(reading)
        if walled is not None and len(self.species) == 1 and not (self._group < 0).any() and (s.masses == s.masses[0]).all():
            n, radius, *rest = walled
            return np.array([[theory.walled_collision_rates(n, radius, s.masses[0], *rest)[0]]])
        radii, masses = self._of_species(s.radii), self._of_species(s.masses)
        if kT is None or len(s.radii) < 2 or not np.isfinite(radii + masses).all() or (self._group < 0).any():
            return None
        return _pair_rates(radii, masses, self._counts, s, kT, self._read().freedom)

    @property
    def theory(self) -> float | None:
        laws = self._laws()
        return None if laws is None else float(laws.sum())

    def rows(self) -> Iterable[Sequence[Any]]:
        reading, laws = self._read(), self._laws()
        time = reading.elapsed or math.nan
        pairs, walls = self._split(reading.blocks / (reading.span or math.nan))
        yield "disc-disc", self.value, self.error, self.theory
        for a, one in enumerate(self.species):
            for b, other in enumerate(self.species[a:], a):
                yield (f"{one} - {other}", self.pair_counts[a, b] / time, _error(pairs[:, a, b]),
                       None if laws is None else laws[a, b])
        for k in range(2 * self._scene.dimension):
            if not self._scene.periodic[k // 2]:
                yield f"{WALLS[k]} wall", self.wall_counts[:, k].sum() / time, _error(walls[:, :, k].sum(axis=1)), None

    def _draw(self, ax: Any) -> None:
        reading = self._read()
        self._draw_series(ax, self._split(reading.blocks)[0].sum(axis=(1, 2)) / (reading.span or math.nan),
                          "disc-disc contacts per time")
