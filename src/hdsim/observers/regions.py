"""`RegionFractions`: the fraction of the discs in each of some rectangles, over time."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .observer import Settings, _error
from .sampled import Sampled


class RegionFractions(Sampled):
    """The fraction of the discs of each species whose centres are in each of r rectangles, sampled over time.

    regions: (r, 4), or one row, of left, bottom, right, top, in length units; in three dimensions (r, 6), the lower and then the
    upper ends of cuboids along x, y, z. every: time between samples. species: as for
    `CollisionRates`. value, error: (s, r), means over time. theory: (s, r), the fraction of the area of the box, for periodic
    boxes without obstacles. ValueError for regions of another shape, or without left < right and bottom < top.
    """

    kind = "regions"
    mobile_only = False

    def __init__(self, regions: Any, every: float, species: Any = None) -> None:
        super().__init__(every, species)
        table = np.array(regions, dtype=np.float64)
        table = table.reshape(1, -1) if table.ndim == 1 else table
        if table.ndim != 2 or table.shape[1] not in (4, 6) or not len(table):
            raise ValueError(f"regions has shape {np.shape(regions)}; expected (r, 4): left, bottom, right, top of each, "
                             f"or (r, 6) in three dimensions")
        self._given = d = table.shape[1] // 2
        if not (np.isfinite(table).all() and (table[:, :d] < table[:, d:]).all()):
            raise ValueError(f"regions is {table.tolist()}; left < right and bottom < top must hold, and all be finite")
        self._regions = table.reshape(-1)

    def _settings(self, groups: int) -> Settings:
        if self._given != self._scene.dimension:
            raise ValueError(f"regions has {2 * self._given} numbers for each; in {self._scene.dimension} dimensions it needs "
                             f"{2 * self._scene.dimension}: the lower ends along all axes, then the upper ones")
        return Settings(self.kind, groups, every=self._options["every"])

    @property
    def regions(self) -> np.ndarray:
        """(r, 4) left, bottom, right, top of each region, length units; (r, 6) in three dimensions."""
        d = self._scene.dimension if "_scene" in self.__dict__ else self._given
        return self._regions.reshape(-1, 2 * d)

    def _fractions(self, total: np.ndarray) -> np.ndarray:
        """(..., s, r) fractions from the sums (..., 1 + s r): the number of samples, then the number of discs inside."""
        inside = total[..., 1:].reshape(*total.shape[:-1], len(self.species), len(self.regions))
        return inside / total[..., :1, None] / np.where(self._counts > 0, self._counts, math.nan)[:, None]

    @property
    def value(self) -> np.ndarray:
        """(s, r) mean fractions since the beginning."""
        return self._fractions(self._read().total)

    def over_time(self) -> tuple[np.ndarray, np.ndarray]:
        """(b,) times since the beginning and (b, s, r) fractions. Each fraction is one sample or, in a long run, the mean over an
        equal number of consecutive samples; the sample at the beginning belongs to the first mean."""
        reading = self._read()
        count = round(reading.span / self._set.every)
        first = np.arange(1, len(reading.blocks) + 1) * count - 0.5 * (count - 1)
        return first * self._set.every, self._fractions(reading.blocks)

    @property
    def error(self) -> np.ndarray:
        """(s, r) standard errors, by blocking; nan until there are enough data."""
        _, series = self.over_time()
        return np.array([[_error(series[:, s, r]) for r in range(len(self.regions))]
                         for s in range(len(self.species))])

    @property
    def theory(self) -> np.ndarray | None:
        """(s, r) fraction of the area of the box in each region; None between walls and among obstacles."""
        s = self._scene
        if not all(s.periodic) or s.obstacles:
            return None
        sides = np.clip(self.regions, 0, s.lengths * 2)
        shares = (sides[:, s.dimension:] - sides[:, :s.dimension]).prod(axis=1) / s.volume
        return np.tile(shares, (len(self.species), 1))

    head = ("species", "region", "value", "error", "theory")

    def rows(self) -> Iterable[Sequence[Any]]:
        value, error, law = self.value, self.error, self.theory
        for s, name in enumerate(self.species):
            for r, sides in enumerate(self.regions.tolist()):
                region = " x ".join(f"[{low:g}, {high:g}]" for low, high in zip(sides, sides[len(sides) // 2:]))
                yield name, region, value[s, r], error[s, r], None if law is None else law[s, r]

    def _draw(self, ax: Any) -> None:
        times, series = self.over_time()
        for s, name in enumerate(self.species):
            for r in range(len(self.regions)):
                ax.plot(times, series[:, s, r], label=f"{name}, region {r}" if len(self.regions) > 1 else name)
        ax.set(xlabel="time since the beginning", ylabel="fraction")
        ax.legend()
