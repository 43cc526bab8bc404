"""`MeanSquaredDisplacement` and `VelocityAutocorrelation`, as functions of the time between two samples."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import theory
from .observer import LEVELS_MAX, Settings, _count, block_error
from .sampled import Sampled
from .text_tables import _text

SPACE = 3       # dimensions


def lag_steps(levels: int) -> np.ndarray:
    """The lags of a correlation of so many levels, in samples: 0 to 15, then 8 more with twice the spacing on each level."""
    return np.concatenate([np.arange(16), *(np.arange(8, 16) << level for level in range(1, levels))])


class _Correlation(Sampled):
    """Means over pairs of samples as a function of the lag, the time between them: the lags 0 to 15 times `every`, then 8 more
    with twice the spacing on each further level. Every sample is an origin on the first level, every second one on the next
    level, and so on."""

    quantity = ""
    scales = {"xscale": "log"}      # axes of the plot

    def __init__(self, every: float, levels: int = 8, species: Any = None) -> None:
        super().__init__(every, species, levels=_count("levels", levels, 1, LEVELS_MAX))

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, levels=self._options["levels"], every=self._options["every"])

    @property
    def lags(self) -> np.ndarray:
        """(k,) the lags for which there has been a pair of samples, time units."""
        return lag_steps(self._set.levels)[:self._seen(self._read().total)] * self._set.every

    def _seen(self, total: np.ndarray) -> int:
        """The number of lags that have at least one origin."""
        return int(np.count_nonzero(self._split(total)[0]))

    def _split(self, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(..., l) numbers of origins, (..., s, l) sums for each species, at all l lags."""
        s = len(self.species)
        table = total.reshape(*total.shape[:-1], s + 1, total.shape[-1] // (s + 1))
        return table[..., 0, :], table[..., 1:, :]

    @property
    def by_species(self) -> np.ndarray:
        """(s, k) the mean over the discs of each species, for each lag."""
        total = self._read().total
        origins, sums = self._split(total)
        k = self._seen(total)
        return sums[:, :k] / origins[:k] / np.where(self._counts > 0, self._counts, math.nan)[:, None]

    @property
    def value(self) -> np.ndarray:
        """(k,) the mean over all discs that are not left out, for each lag."""
        total = self._read().total
        origins, sums = self._split(total)
        k = self._seen(total)
        return sums.sum(axis=0)[:k] / origins[:k] / (self._counts.sum() or math.nan)

    @property
    def error(self) -> np.ndarray:
        """(k,) standard errors of the value, by blocking; nan where there are not enough origins."""
        reading = self._read()
        origins, sums = self._split(reading.blocks)
        k = self._seen(reading.total)
        each = sums.sum(axis=1)[:, :k] / (self._counts.sum() or math.nan) - self.value * origins[:, :k]
        return np.array([block_error(each[:, [lag]], origins[:, [lag]], np.ones(1)) for lag in range(k)])

    @property
    def theory(self) -> np.ndarray | None:
        found = self._disc_rates(self._read())
        masses = self._scene.masses[self._group >= 0]
        if found is None or len(masses) == 0:
            return None
        kT, rates = found
        kinds, counts = np.unique(np.column_stack([masses, rates[self._group >= 0]]), axis=0, return_counts=True)
        if (kinds[:, 1] == 0).any():
            return None
        return np.average([self._formula(m, kT, rate) for m, rate in kinds], axis=0, weights=counts)

    def _formula(self, mass: float, kT: float, rate: float) -> np.ndarray:
        raise NotImplementedError

    head = ("lag", "value", "error", "theory")

    def rows(self) -> Iterable[Sequence[Any]]:
        law = self.theory
        columns = (self.lags, self.value, self.error, [None] * len(self.lags) if law is None else law)
        return ((_text(lag), *row) for lag, *row in zip(*columns))

    def _draw(self, ax: Any) -> None:
        ax.errorbar(self.lags[1:], self.value[1:], self.error[1:], fmt=".", label="all")
        if self.theory is not None:
            ax.plot(self.lags[1:], self.theory[1:], color="C3", ls="--", label="Enskog")
        ax.set(xlabel="lag", ylabel=self.quantity, **self.scales)
        ax.legend()


class MeanSquaredDisplacement(_Correlation):
    """Mean squared displacement <|r(t) - r(0)|^2> of unwrapped positions over all discs and origins, at the times `lags`.

    every: time between samples. levels: of lags, which reach up to 15 * 2^(levels - 1) * every. species: as for
    `CollisionRates`. Memory: 256 bytes for each disc and level. value, error, theory: (k,), length^2. theory: from Enskog's
    exponential velocity autocorrelation (`theory.mean_squared_displacement`), for a centre of mass at rest in a periodic box; in
    two dimensions the true diffusion coefficient grows with time. ValueError for levels outside 1 to 40.
    """

    kind = "displacement"
    quantity = "mean squared displacement"
    scales = {"xscale": "log", "yscale": "log"}

    @property
    def diffusion(self) -> np.ndarray:
        """(k - 1,) MSD / (2 d t) in d dimensions, at all lags but 0, length^2 / time: the diffusion coefficient at lags where
        it is constant."""
        return self.value[1:] / (2 * self._scene.dimension * self.lags[1:])

    def slope(self, low: int, high: int) -> tuple[float, float]:
        """(D, its standard error), length^2 / time: the slope of MSD / 2d between two lags, multiples of `every`, so that the
        flight at the beginning does not count. nan until there are pairs so far apart. ValueError for other lags than those of
        the levels, or unless low < high."""
        steps, reading = lag_steps(self._set.levels).tolist(), self._read()
        if not (low < high and low in steps and high in steps):
            raise ValueError(f"slope between the lags {low} and {high}; they must be two of {steps[0]} to {steps[-1]} that this "
                             "observer has, the lower first")
        if steps.index(high) >= self._seen(reading.total):
            return math.nan, math.nan
        ends, span = [steps.index(low), steps.index(high)], 2 * self._scene.dimension * (high - low) * self._set.every
        origins, sums = self._split(reading.blocks)
        each = sums.sum(axis=1)[:, ends] / self._counts.sum() - self.value[ends] * origins[:, ends]
        return float(np.diff(self.value[ends])[0]) / span, block_error(each, origins[:, ends], np.array([-1.0, 1.0])) / span

    def corrected_diffusion(self, viscosity: float | None = None) -> np.ndarray:
        """(k - 1,) `diffusion` in a box of infinite size: in a periodic cube of side L it is too small by 2.837297 kT / (6 pi
        viscosity L) (`theory.spheres.finite_size_diffusion`), which is added.

        viscosity: mass / (length time); by default Enskog's, for equal spheres. ValueError unless the box is a periodic cube, and
        without a viscosity for spheres that differ or are too dense for the formula."""
        s, reading = self._scene, self._read()
        if s.dimension != SPACE or not all(s.periodic) or len(set(s.lengths)) > 1:
            raise ValueError("the correction for the size of the box is known for a periodic cube; this box is another")
        if viscosity is None:
            if self._fluid(reading) is None or np.ptp(s.radii) or np.ptp(s.masses):
                raise ValueError("give the viscosity: Enskog's is known for a fluid of equal spheres")
            viscosity = float(theory.spheres.enskog_viscosity(s.packing_fraction, s.radii[0], s.masses[0], reading.kT))
        return self.diffusion + theory.spheres.finite_size_diffusion(reading.kT, viscosity, s.lengths[0])

    def _formula(self, mass: float, kT: float, rate: float) -> np.ndarray:
        d = self._scene.dimension
        return theory.mean_squared_displacement(self.lags, d * kT / (2 * mass * rate), d / (2 * rate), d)


class VelocityAutocorrelation(_Correlation):
    """Velocity autocorrelation <v(0) . v(t)> over all discs and origins, at the times `lags`.

    every, levels, species, memory and errors as for `MeanSquaredDisplacement`. value, error, theory: (k,), length^2 / time^2.
    theory: Enskog's exponential (`theory.vacf_enskog`), whose initial slope is exact and which has no long-time tail.
    """

    kind = "correlation"
    quantity = "velocity autocorrelation"

    def _formula(self, mass: float, kT: float, rate: float) -> np.ndarray:
        d = self._scene.dimension
        return d * kT / mass * theory.vacf_enskog(self.lags, d / (2 * rate))
