"""`Histogrammed`: base class of observers with histograms."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..model.numbers import shown
from .observer import BINS_MAX, RANGE, Observer, Settings, _count


class Histogrammed(Observer):
    """An observer with a histogram for each species: `bins` equal bins from low to high, `range` = (low, high). ValueError for
    another number of bins than 1 to 10^6, or a range without low < high."""

    quantity = ""

    def __init__(self, bins: int = 200, range: tuple[float, float] | None = None, species: Any = None) -> None:
        limits = None if range is None else [float(range[0]), float(range[1])]
        super().__init__(species, bins=_count("bins", bins, 1, BINS_MAX), range=limits)
        if limits and not (max(map(abs, limits)) < RANGE and 1 / RANGE < limits[1] - limits[0]):
            raise ValueError(f"range is {shown(range)}; it must be (low, high) with low < high, both of a size below {RANGE:g}")

    def _settings(self, groups: int) -> Settings:
        low, high = self._options["range"] or self._guess()
        bins = self._options["bins"]
        return Settings(self.kind, groups, bins, low, bins / (high - low), integral=self.integral)

    def _guess(self) -> tuple[float, float]:
        """The range (low, high) of the histogram if the caller gives none."""
        raise NotImplementedError

    @property
    def edges(self) -> np.ndarray:
        """(bins + 1,) the edges of the histogram."""
        return self._set.low + np.arange(self._set.bins + 1) / self._set.inverse

    def _histograms(self) -> np.ndarray:
        """(k, bins + 2) weights of k histograms; the first and last columns are the weights below and above the range."""
        return self._read().histogram.reshape(-1, self._set.bins + 2)

    @property
    def histogram(self) -> np.ndarray:
        """(s, bins) probability density for each species, in 1 / unit of the quantity; nan before there is a value. Values
        outside the range count in the normalisation, so the integral is at most 1."""
        return self._density(self._histograms())

    def _density(self, weights: np.ndarray) -> np.ndarray:
        if self.integral:
            # A weight is a sum of differences of times: in a bin without a flight rounding may leave a number below 0, and before
            # any time has passed there is nothing else.
            weights = np.maximum(weights, 0.0) if self.elapsed > 0 else np.zeros_like(weights)
        total = weights.sum(axis=1, keepdims=True)
        return weights[:, 1:-1] / np.where(total > 0, total, math.nan) * self._set.inverse

    def _law(self, x: np.ndarray, s: int) -> np.ndarray | None:
        """The density at x that theory predicts for species s, or None."""
        return None

    def _draw(self, ax: Any) -> None:
        x = 0.5 * (self.edges[1:] + self.edges[:-1])
        for s, (name, density) in enumerate(zip(self.species, self.histogram)):
            ax.stairs(density, self.edges, color=f"C{s}", label=name)
            law = self._law(x, s)
            if law is not None:
                ax.plot(x, law, color=f"C{s}", ls="--", label="theory")
        ax.set(xlabel=self.quantity, ylabel="density")
        ax.legend()
