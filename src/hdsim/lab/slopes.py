"""Growth with size: slopes in log-log plots, their errors, and their theoretical values in a finite box."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory

# Predictions of a disc with all others without a contact before, over those after a contact: runs of hdsim with 100, 128, 316,
# 1024 and 3162 discs at packing fraction .3 had .088, .088, .074, .029 and .019; this is their standard deviation.
OTHER_LOOKS = 0.03
# sqrt(N) times the relative standard error of a number of pairs that grows as N^(3/2) for many discs. Over that law, runs of
# hdsim with 32, 100, 316 and 1000 discs had .609(9), .644(13), .630(14) and .67.
NEAR_PAIRS = 0.35


def log_slope(sizes: np.ndarray, values: Any, least: float = 0.0) -> np.ndarray:
    """The exponent with which values grow with size: the slope of log(values) against log(sizes), by least squares.

    sizes: (n,). values: (m,), or (m, k) for k slopes, at the first m <= n sizes. least: smaller sizes are ignored.
    """
    values = np.asarray(values, dtype=float)
    sizes = np.asarray(sizes)[:len(values)]
    fit = sizes >= least
    return np.polyfit(np.log(sizes[fit]), np.log(values[fit]), 1)[0]


def slope_error(sizes: np.ndarray, relative: Any, least: float = 0.0) -> float:
    """Standard error of `log_slope` for values with independent relative standard errors `relative`, (m,)."""
    relative = np.asarray(relative, dtype=float)
    sizes = np.asarray(sizes)[:len(relative)]
    fit = sizes >= least
    x = np.log(sizes[fit]) - np.log(sizes[fit]).mean()
    return float(np.sqrt(np.square(x * relative[fit]).sum()) / np.square(x).sum())


def relative_error(pieces: Any) -> float:
    """The relative standard error of a mean, from its values in k pieces of a run of equal length, (k,)."""
    pieces = np.asarray(pieces, dtype=float)
    return float(pieces.std(ddof=1) / math.sqrt(len(pieces)) / pieces.mean())


def neighbours_slope(sizes: np.ndarray, eta: float, least: float) -> tuple[float, float]:
    """The log-log slope against N of the number of discs in the 3 x 3 cells around a disc, and its standard error. It tends to 0.

    The square box with walls has k x k cells as wide as a disc, and packing fraction `eta`. Along each axis a cell and its
    neighbours are 3 - 2/k cells on average, because cells at a wall have one neighbour fewer. The error: k is a whole number, so
    cells are wider by a fraction that is uniform up to 1/k, and the number of discs in them is larger by a fraction whose
    standard deviation is 2 / (k sqrt(12)).
    """
    across = np.sqrt(math.pi * np.asarray(sizes) / (4 * eta))
    return (float(log_slope(sizes, (1 - 2 / (3 * across)) ** 2, least)),
            slope_error(sizes, 2 / (across * math.sqrt(12)), least))


def _pair_share(n: np.ndarray, eta: float) -> np.ndarray:
    """The fraction of disc-disc contacts among all contacts, in a square box with walls; same shape as n."""
    pairs, walls = theory.walled_collision_rates(n, np.sqrt(eta / (math.pi * n)), 1.0, 1.0, 1.0, 1.0)
    return np.asarray(pairs) / (np.asarray(pairs) + walls)


def all_pairs_slope(sizes: np.ndarray, eta: float, least: float) -> tuple[float, float]:
    """The log-log slope against N of the pairs checked per contact without cells, and its standard error. It tends to 1.

    Each disc of a contact is checked against the N - 1 others, in a square box with walls. The fewer the discs, the more contacts
    are with walls, which involve one disc. The fractions of both kinds are those of `theory.walled_collision_rates`; the error
    is theirs and OTHER_LOOKS.
    """
    n = np.asarray(sizes)[np.asarray(sizes) >= least]
    share = _pair_share(n, eta)
    relative = np.hypot(share * (1 - share) * np.asarray(theory.walled_pair_error(n)) / (1 + share), OTHER_LOOKS)
    return float(log_slope(n, (n - 1) * (1 + share))), slope_error(n, relative)


def lazy_slope(sizes: np.ndarray, eta: float, least: float) -> tuple[float, float]:
    """The log-log slope against N of the pairs with a predicted contact that the book's loop inserts in the first 2 N contacts,
    and its standard error, in a square box with walls. It tends to 3/2.

    The loop checks N (N - 1) / 2 pairs at the start and N - 1 for each disc of a contact. The probability of a predicted contact
    is proportional to radius over distance, N^-1/2. The error: the probability is another one for near pairs, a fraction
    proportional to N^-1/2; see NEAR_PAIRS.
    """
    n = np.asarray(sizes)[np.asarray(sizes) >= least].astype(float)
    pairs = (n - 1) * np.sqrt(n) * (0.5 + 2 * (1 + _pair_share(n, eta)))
    return float(log_slope(n, pairs)), slope_error(n, NEAR_PAIRS / np.sqrt(n))
