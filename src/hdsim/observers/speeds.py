"""`Speed` and `Velocity`: means and histograms over time."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import theory
from .histogrammed import Histogrammed
from .observer import _error


class _Maxwellian(Histogrammed):
    """Means and histograms of functions of the velocity, integrated over all flights, not sampled."""

    integral = True

    def _fastest(self) -> float:
        """A speed that hardly any disc exceeds in equilibrium: 6 sqrt(kT / m) with the least mass; 1 if T is 0."""
        masses = self._scene.masses[self._group >= 0]
        return 6 * math.sqrt(self._start.kT / masses.min()) if len(masses) and self._start.kT > 0 else 1.0

    def _means(self, total: np.ndarray, time: float) -> np.ndarray:
        """(..., k) means over all discs and the time, from sums (..., k s) whose last index is the species."""
        s = len(self.species)
        return total.reshape(*total.shape[:-1], total.shape[-1] // s, s).sum(axis=-1) / (time * self._counts.sum() or math.nan)

    def _now(self) -> np.ndarray:
        reading = self._read()
        return self._means(reading.total, reading.elapsed)

    def _blocks(self) -> np.ndarray:
        reading = self._read()
        return self._means(reading.blocks, reading.span)

    @property
    def _thermal(self) -> float | None:
        """kT if it determines the distribution of velocities, else None: conserved energy, T > 0, and no motion of the centre of
        mass."""
        reading = self._read()
        return reading.kT if self._scene.conserving and reading.kT > 0 and reading.centre <= 1e-12 * reading.energy else None

    def _squares(self) -> np.ndarray | None:
        """(m, d) mean squares of each component of the velocity of each disc that is not left out: kT / m (1 - m / M) along an
        axis along which momentum is conserved, else kT / m."""
        kT, masses, s = self._thermal, self._scene.masses[self._group >= 0], self._scene
        if kT is None or len(masses) == 0:
            return None
        share = masses / s.masses.sum()      # 0 if there are discs of infinite mass
        return np.column_stack([kT / masses * (1 - share * free) for free in s.conserved])


class Speed(_Maxwellian):
    """Speeds: mean, root mean square and histogram, integrated over all flights, not sampled.

    value: the mean speed. theory: the mean over all discs of sqrt(pi <v^2> / 4), for spheres sqrt(8 <v^2> / 3 pi), with <v^2>
    from equipartition and the factor for finite N (`theory.speed_factor`); for histograms Rayleigh's or Maxwell's distribution,
    accurate to order 1/N. Both need a centre of mass at rest along periodic axes. bins: of the histogram. range: (low, high) of
    the histogram, length / time; None for 0 to six thermal speeds. species: as for `CollisionRates`.
    """

    kind = "speed"
    quantity = "speed"

    def _guess(self) -> tuple[float, float]:
        return 0.0, self._fastest()

    @property
    def value(self) -> float:
        """Mean speed since the beginning; nan before any time has passed."""
        return float(self._now()[0])

    @property
    def rms(self) -> float:
        """Root mean square of the speed since the beginning; nan before any time has passed."""
        return math.sqrt(self._now()[1])

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; nan until there are enough data."""
        return _error(self._blocks()[:, 0])

    @property
    def theory(self) -> float | None:
        """The mean speed in equilibrium; None at T = 0 and if the centre of mass moves along a periodic axis."""
        squares = self._squares()
        if squares is None:
            return None
        d = self._scene.dimension
        return float(np.mean(theory.mean_speed(1.0, squares.sum(axis=1) / d, d, self._read().freedom)))

    def _law(self, x: np.ndarray, s: int) -> np.ndarray | None:
        kT, mass = self._thermal, self._of_species(self._scene.masses)[s]
        return None if kT is None or math.isnan(mass) else theory.speed_pdf(x, mass, kT, d=self._scene.dimension)

    def rows(self) -> Iterable[Sequence[Any]]:
        squares = self._squares()
        yield "mean speed", self.value, self.error, self.theory
        yield ("rms speed", self.rms, _error(self._blocks()[:, 1]) / (2 * self.rms or math.nan),
               None if squares is None else math.sqrt(squares.sum(axis=1).mean()))


class Velocity(_Maxwellian):
    """Components of the velocity: root mean squares and histograms, integrated over all flights, not sampled.

    value: (d,) root mean squares of the d components over all discs that are not left out. theory: (d,), from equipartition,
    with the energy along a periodic axis reduced by the factor 1 - m / M because the centre of mass is at rest; for histograms
    the Gaussian distribution, accurate to order 1/N. histogram: (d, s, bins), each component of each species. bins, range,
    species: as for `Speed`; the default range is symmetric.
    """

    kind = "velocity"
    quantity = "component of the velocity"

    def _guess(self) -> tuple[float, float]:
        return -self._fastest(), self._fastest()

    @property
    def value(self) -> np.ndarray:
        """(d,) root mean square of each component since the beginning; nan before any time has passed."""
        return np.sqrt(self._now()[self._scene.dimension:])

    @property
    def mean(self) -> np.ndarray:
        """(d,) mean velocity since the beginning; nan before any time has passed."""
        return self._now()[:self._scene.dimension]

    @property
    def error(self) -> np.ndarray:
        """(d,) standard errors of the value, by blocking; nan until there are enough data."""
        return np.array([_error(squares) for squares in self._blocks()[:, self._scene.dimension:].T]) / (2 * self.value)

    @property
    def theory(self) -> np.ndarray | None:
        """(d,) root mean squares of the components in equilibrium; None at T = 0 and if the centre of mass moves along a periodic
        axis."""
        squares = self._squares()
        return None if squares is None else np.sqrt(squares.mean(axis=0))

    @property
    def histogram(self) -> np.ndarray:
        """(d, s, bins) probability density of each component for each species, time / length; nan before any time has passed."""
        return self._density(self._histograms()).reshape(self._scene.dimension, -1, self._set.bins)

    def rows(self) -> Iterable[Sequence[Any]]:
        value, error, law = self.value, self.error, self.theory
        for k in range(self._scene.dimension):
            yield f"rms v{'xyz'[k]}", float(value[k]), float(error[k]), None if law is None else law[k]

    def _draw(self, ax: Any) -> None:
        x = 0.5 * (self.edges[1:] + self.edges[:-1])
        for s, name in enumerate(self.species):
            for axis in range(self._scene.dimension):
                ax.stairs(self.histogram[axis, s], self.edges, color=f"C{self._scene.dimension * s + axis}",
                          label=f"v{'xyz'[axis]}, {name}")
            kT, mass = self._thermal, self._of_species(self._scene.masses)[s]
            if kT is not None and not math.isnan(mass):
                ax.plot(x, theory.component_pdf(x, mass, kT), "k--", label="theory")
        ax.set(xlabel=self.quantity, ylabel="density")
        ax.legend()
