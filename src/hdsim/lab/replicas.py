"""Values and errors that follow from sums over independent runs, or over long pieces of one run."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..observables import BLOCKS_MIN

# Degrees of freedom of an error by blocking or from a spectrum (`flux_error`), of an observer or a series of 64 values or more:
# 8 blocks or more are left. Deviations of simulated series over their errors, of values independent, correlated with a memory of
# some values, or anticorrelated, follow Student's law with 6 to 16 degrees of freedom.
BLOCKED = BLOCKS_MIN - 1


def jackknife(sums: Any, law: Callable[[np.ndarray], Any]) -> tuple[Any, Any]:
    """Value and standard error of law(total), from sums (r, k) of r independent runs; law may return an array.

    The error is that of the jackknife, from the values of law without each run in turn, which is valid for ratios and roots of
    sums. ValueError for fewer than 2 runs.
    """
    rows = np.asarray(sums, dtype=float)
    r = len(rows)
    if r < 2:
        raise ValueError(f"an error needs at least 2 runs, found {r}")
    total = rows.sum(axis=0)
    left = np.array([law(total - row) for row in rows], dtype=float)
    error = np.sqrt((r - 1) * np.square(left - left.mean(axis=0)).mean(axis=0))
    return law(total), error if error.ndim else float(error)


def mean_and_error(values: np.ndarray) -> tuple[Any, Any]:
    """The mean over r >= 2 independent runs, and its standard error from their scatter. values: (r, ...); floats for (r,)."""
    mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / math.sqrt(len(values))
    return (mean, error) if mean.ndim else (float(mean), float(error))


def binomial_error(share: float, n: int) -> float:
    """The standard error of a fraction of n independent things, of which each is counted with the probability `share`."""
    return math.sqrt(share * (1 - share) / n)
