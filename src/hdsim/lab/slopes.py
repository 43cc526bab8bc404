"""Powers of size: slopes in log-log plots, their errors, and what a finite box does to them."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory

# Looks at all pairs that follow no contact, over those that do: own runs of 100, 128, 316, 1024 and 3162 discs at packing
# fraction .3 had .088, .088, .074, .029 and .019; the standard deviation of these.
OTHER_LOOKS = 0.03
# sqrt(N) times the relative standard error of a number of pairs that goes as N^(3/2) for many discs: over that law, own runs of
# 32, 100, 316 and 1000 discs had .609(9), .644(13), .630(14) and .67.
NEAR_PAIRS = 0.35


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
    """The relative standard error of the mean of (k,) pieces of a run that are of equal length."""
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


def _pair_share(n: np.ndarray, eta: float) -> np.ndarray:
    """The share of contacts of two discs among all contacts, in a square box with walls."""
    pairs, walls = theory.walled_collision_rates(n, np.sqrt(eta / (math.pi * n)), 1.0, 1.0, 1.0, 1.0)
    return np.asarray(pairs) / (np.asarray(pairs) + walls)


def all_pairs_slope(sizes: np.ndarray, eta: float, least: float) -> tuple[float, float]:
    """Slope in N, and its standard error, of the pairs looked at per contact if each disc of a contact looks at all N - 1
    others, in a square box with walls. 1 for many discs: of a few, more contacts are with walls, and have one disc.

    The shares of both kinds of contacts are those of `theory.walled_collision_rates`. The error: that of these, and
    OTHER_LOOKS.
    """
    n = np.asarray(sizes)[np.asarray(sizes) >= least]
    share = _pair_share(n, eta)
    relative = np.hypot(share * (1 - share) * np.asarray(theory.walled_pair_error(n)) / (1 + share), OTHER_LOOKS)
    return float(log_slope(n, (n - 1) * (1 + share))), slope_error(n, relative)


def lazy_slope(sizes: np.ndarray, eta: float, least: float) -> tuple[float, float]:
    """Slope in N, and its standard error, of the pairs that would meet among those that the book's loop looks at in the first 2 N
    contacts, in a square box with walls. 3/2 for many discs.

    It looks at N (N - 1) / 2 pairs at first and, for each disc of a contact, at N - 1; the chance goes as the radius over the
    distance, N^-1/2. The error: of near pairs, a share that goes as N^-1/2, the chance is another one; see NEAR_PAIRS.
    """
    n = np.asarray(sizes)[np.asarray(sizes) >= least].astype(float)
    pairs = (n - 1) * np.sqrt(n) * (0.5 + 2 * (1 + _pair_share(n, eta)))
    return float(log_slope(n, pairs)), slope_error(n, NEAR_PAIRS / np.sqrt(n))
