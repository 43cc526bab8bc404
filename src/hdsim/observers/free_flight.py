"""`FreePath` and `FreeTime`: lengths and durations of the flights of discs between contacts."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import theory
from .histogrammed import Histogrammed
from .observer import FASTEST_DRIFT, Reading, Settings, _error


class _FreeFlight(Histogrammed):
    """Free paths or times between two contacts of a disc. A flight counts if both its contacts are after the beginning of the
    observation."""

    def __init__(self, walls: bool = False, bins: int = 200, range: tuple[float, float] | None = None,
                 species: Any = None) -> None:
        super().__init__(bins, range, species)
        self._options["walls"] = bool(walls)

    def _settings(self, groups: int) -> Settings:
        return super()._settings(groups)._replace(with_walls=self._options["walls"])

    def _guess(self) -> tuple[float, float]:
        """From 0 to ten times the mean that theory predicts, or, without theory, the diagonal of the box."""
        s = self._scene
        kT = self._start.kT
        speed = math.sqrt(2 * kT / s.masses[np.isfinite(s.masses)].mean()) if kT > 0 else 1.0
        law = self._law_of(self._start)
        size = s.diagonal
        return 0.0, 10 * law if law else size if self.kind == "free path" else size / speed

    def _law_of(self, reading: Reading) -> float | None:
        return self._walled_law(reading) if not any(self._scene.periodic) else self._periodic_law(reading)

    def _walled_law(self, reading: Reading) -> float | None:
        walled, s = self._walled(reading), self._scene
        if walled is None or (s.masses != s.masses[0]).any():
            return None
        n, radius, kT, width, height = walled
        path, time = theory.walled_free_flight(n, radius, s.masses[0], kT, width, height, self._options["walls"])
        return float(path if self.kind == "free path" else time)

    def _periodic_law(self, reading: Reading) -> float | None:
        """The mean in a periodic box: for paths the sum of the mean speeds of the observed discs, for times their number, divided
        by the sum of their collision rates."""
        found = self._disc_rates(reading)
        looked_at = self._group >= 0
        if found is None or not found[1][looked_at].sum() > 0:
            return None
        kT, rates = found
        if self.kind == "free time":
            return float(looked_at.sum() / rates[looked_at].sum())
        total = self._scene.masses.sum()
        masses, counts = np.unique(self._scene.masses[looked_at], return_counts=True)
        shares = masses / total     # a disc has the mean energy kT (1 - m/M) relative to the centre of mass
        drift = np.sqrt(2 * reading.centre / total) / np.sqrt(kT / masses * (1 - shares))
        if drift.max() > FASTEST_DRIFT:
            return None
        d = self._scene.dimension
        speeds = theory.mean_speed(masses, kT, d, reading.freedom, shares) * theory.drift_factor(drift, d)
        return float((counts * speeds).sum() / rates[looked_at].sum())

    @property
    def _sums(self) -> np.ndarray:
        """(s, 4): the number of flights, and the sums of the first three powers of the quantity."""
        return self._read().total.reshape(-1, 4)

    def _blocks(self) -> np.ndarray:
        """(b, s, 4): as `_sums`, for each block."""
        blocks = self._read().blocks
        return blocks.reshape(len(blocks), len(self.species), 4)

    @property
    def flights(self) -> int:
        """The number of complete flights."""
        return int(self._sums[:, 0].sum())

    @property
    def moments(self) -> np.ndarray:
        """(3,) means of the quantity, of its square and of its cube; nan before the first complete flight."""
        sums = self._sums.sum(axis=0)
        return sums[1:] / (sums[0] or math.nan)

    @property
    def value(self) -> float:
        """The mean of the quantity; nan before the first complete flight."""
        return float(self.moments[0])

    def _error_of(self, blocks: np.ndarray) -> float:
        """Standard error of the mean, a ratio of two fluctuating sums. blocks: (b, 4), number of flights and sums of each
        block."""
        flights = blocks[:, 0].mean() if len(blocks) else 0.0
        mean = blocks[:, 1].sum() / blocks[:, 0].sum() if flights else math.nan
        return _error((blocks[:, 1] - mean * blocks[:, 0]) / (flights or math.nan))

    @property
    def error(self) -> float:
        """Standard error of the mean, by blocking; nan until there are enough data."""
        return self._error_of(self._blocks().sum(axis=1))

    @property
    def theory(self) -> float | None:
        return self._law_of(self._read())

    def rows(self) -> Iterable[Sequence[Any]]:
        blocks = self._blocks()
        one, two, three = self.moments
        yield f"mean {self.kind}", self.value, self.error, self.theory
        yield "<x^2> / <x>^2", two / one**2, None, None
        yield "<x^3> / <x>^3", three / one**3, None, None
        for s, name in enumerate(self.species):
            flights, total = self._sums[s, :2]
            yield name, total / flights if flights else math.nan, self._error_of(blocks[:, s]), None

    def _draw(self, ax: Any) -> None:
        super()._draw(ax)
        ax.set_yscale("log")


class FreePath(_FreeFlight):
    """Free paths: the lengths of the flights of a disc between two disc-disc contacts; with `walls`, between any two contacts.

    value: the mean, in length units. It is too small by about a fraction 1 / (flights of each disc), because the end of the run
    cuts off long flights more often than short ones. theory: in a periodic box the mean speed divided by the rate of
    `CollisionRates`, with the factor sqrt(1 - m/M) for a centre of mass at rest (`theory.periodic_mean_free_path`), or the factor
    of its drift if it moves; for equal discs between four walls `theory.walled_free_flight`, with and without `walls`, as
    accurate as those rates. moments, flights, edges, histogram: the distribution. In a dilute gas <l^2>/<l>^2 is 2.160 (of
    spheres 2.101); an exponential distribution would have 2.
    bins, range: of the histogram; range None is 0 to ten times the predicted mean. species: as for `CollisionRates`.
    """

    kind = "free path"
    quantity = "free path"


class FreeTime(_FreeFlight):
    """Free times: the durations of the flights of a disc between two disc-disc contacts; with `walls`, between any two contacts.

    Arguments and results as for `FreePath`, in time units. theory: in a periodic box the inverse of the collision rate per disc
    from `CollisionRates`; between four walls `theory.walled_free_flight`. In a dilute gas <t^2>/<t>^2 is 2.108 (of
    spheres 2.076); an exponential distribution would have 2.
    """

    kind = "free time"
    quantity = "free time"
