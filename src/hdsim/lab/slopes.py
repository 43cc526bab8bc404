"""Powers of size: slopes in log-log plots, their errors, and what a finite box does to them."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory

# Looks at all pairs that follow no contact, over those that do: own runs of 100, 128, 316, 1024 and 3162 discs at packing
# fraction .3 had .088, .088, .074, .029 and .019; the standard deviation of these.
OTHER_LOOKS = 0.03


def log_slope(sizes: np.ndarray, values: Any, least: float = 0.0) -> np.ndarray:
    """The power of the size with which values grow: the slope of log(values) in log(sizes), by least squares.

    sizes: (n,). values: (m,), or (m, k) for k slopes, of the first m <= n sizes. least: smaller sizes do not count.
    """
    values = np.asarray(values, dtype=float)
    sizes = np.asarray(sizes)[:len(values)]
    fit = sizes >= least
    return np.polyfit(np.log(sizes[fit]), np.log(values[fit]), 1)[0]


def slope_error(sizes: np.ndarray, relative: Any, least: float = 0.0) -> float:
    """Standard error of `log_slope`, of values with these relative standard errors, (m,), which are independent."""
    relative = np.asarray(relative, dtype=float)
    sizes = np.asarray(sizes)[:len(relative)]
    fit = sizes >= least
    x = np.log(sizes[fit]) - np.log(sizes[fit]).mean()
    return float(np.sqrt(np.square(x * relative[fit]).sum()) / np.square(x).sum())


def relative_error(pieces: Any) -> float:
    """Of the mean of (k,) pieces of a run that are of equal length."""
    pieces = np.asarray(pieces, dtype=float)
    return float(pieces.std(ddof=1) / math.sqrt(len(pieces)) / pieces.mean())


def neighbours_slope(sizes: np.ndarray, eta: float, least: float) -> tuple[float, float]:
    """Slope in N, and its standard error, of the discs in the 3 x 3 cells around a disc, in a square box with walls at packing
    fraction `eta`, whose k x k cells are as wide as a disc. 0 for many discs.

    Along each axis a cell has 3 - 2/k cells around it, on average, for those at a wall have one less. The error: k is a whole
    number, so that cells are wider by up to 1/k, evenly; the discs in them are more by a share whose standard deviation is
    2 / (k sqrt(12)).
    """
    across = np.sqrt(math.pi * np.asarray(sizes) / (4 * eta))
    return (float(log_slope(sizes, (1 - 2 / (3 * across)) ** 2, least)),
            slope_error(sizes, 2 / (across * math.sqrt(12)), least))


def all_pairs_slope(sizes: np.ndarray, eta: float, least: float) -> tuple[float, float]:
    """Slope in N, and its standard error, of the pairs looked at per contact if each disc of a contact looks at all N - 1
    others, in a square box with walls. 1 for many discs: of a few, more contacts are with walls, and have one disc.

    The shares of both kinds of contacts are those of `theory.walled_collision_rates`. The error: that of these, and
    OTHER_LOOKS.
    """
    n = np.asarray(sizes)[np.asarray(sizes) >= least]
    pairs, walls = theory.walled_collision_rates(n, np.sqrt(eta / (math.pi * n)), 1.0, 1.0, 1.0, 1.0)
    share = np.asarray(pairs) / (np.asarray(pairs) + walls)     # of contacts that have two discs
    relative = np.hypot(share * (1 - share) * np.asarray(theory.walled_pair_error(n)) / (1 + share), OTHER_LOOKS)
    return float(log_slope(n, (n - 1) * (1 + share))), slope_error(n, relative)
