"""Error bars: of correlated series, by blocking; of fluxes of bounded stores; of independent replicas."""
from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

import numpy as np

BLOCKS_MIN = 8          # least number of blocks from which a scatter is estimated
LOWEST = 4              # frequencies of the lowest band
FALL = 0.2              # a spectrum that falls by this factor towards frequency 0 is that of anticorrelated values ...
EVIDENCE = 4.0          # ... if it is more likely than a constant one by this in the logarithm, ...
CERTAIN = 0.05          # ... or if it falls by this factor; of independent values one series in 100 does either
FREQUENCIES_MIN = 8     # least number of frequencies from which the spectrum at frequency 0 is found
FREQUENCIES_SHARE = 8   # at most n over this number of frequencies for n values
RELAXATIONS = np.concatenate([[0.0], 4.0 ** np.arange(-1, 5)])      # of a store, squares of the number of values
FRAMES_MIN = 16         # least number of snapshots for an error by blocking
COUNT_MIN = 16          # least count of a bin in all snapshots for an error by blocking; below, the error is that of Poisson


class Estimate(NamedTuple):
    """The mean of a correlated series, its standard error, and the standard error of that; floats, or arrays for a series of
    arrays.

    error_of_error is infinite if the series is too short to estimate its correlation time: then `error` is the largest one of
    all block lengths, and the true error may be larger. samples: the number of independent values that would give this error.
    """

    mean: Any
    error: Any
    error_of_error: Any
    samples: Any


class Merged(NamedTuple):
    """The mean over independent replicas. error: its standard error from the errors of the replicas. scatter: its standard error
    from the differences of their means; nan for one replica. If the two disagree, the errors of the replicas are wrong."""

    mean: Any
    error: Any
    scatter: Any


def block_means(series: Any, blocks: int, weights: Any = None) -> np.ndarray:
    """(blocks, ...) the means of consecutive blocks of a series (n, ...). The lengths of the blocks differ by at most one value.

    weights: (n,), positive, such as the durations of the values; equal if None. ValueError for a number of blocks outside 1 to n,
    and for a series with values that are not finite.
    """
    values, weights = _weighted_series(series, weights)
    if not 1 <= operator.index(blocks) <= len(values):
        raise ValueError(f"blocks is {blocks}; it must be 1 to {len(values)}, the length of the series")
    sums, totals = _block_sums(values, weights, blocks)
    return sums / totals.reshape(-1, *[1] * (values.ndim - 1))


def blocking_error(series: Any, weights: Any = None) -> Estimate:
    """The mean of a stationary, correlated series (n, ...) along its first axis, and its error by blocking.

    Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989): with longer blocks, the error from the scatter of their means grows
    until the blocks are uncorrelated. The length B of the blocks is the least power of 2 that satisfies
    B^3 > 2 n (error_B / error_1)^4, where the remaining correlation is as small as the noise of the error (Lee et al., Phys. Rev.
    E 83, 066706 (2011)). weights: (n,), positive, such as the durations of the values; equal if None. All values are used; the
    lengths of blocks differ by at most one. ValueError for fewer than 2 values or values that are not finite.
    """
    values, weights = _weighted_series(series, weights)
    n = len(values)
    if n < 2:
        raise ValueError(f"an error needs at least 2 values, got {n}")
    columns = values.reshape(n, -1)
    mean = weights @ columns / weights.sum()
    lengths = [2**level for level in range(n.bit_length()) if level == 0 or n >> level >= BLOCKS_MIN]
    squares = np.array([_squared_error(columns - mean, weights, n // length) for length in lengths])
    naive = np.where(squares[0] > 0, squares[0], 1.0)
    settled = np.array(lengths)[:, None] ** 3.0 > 2.0 * n * (squares / naive) ** 2
    level = np.where(settled.any(axis=0), settled.argmax(axis=0), squares.argmax(axis=0))
    error = np.sqrt(np.take_along_axis(squares, level[None], axis=0)[0])
    blocks = n // np.array(lengths)[level]
    noise = np.where(settled.any(axis=0), error / np.sqrt(2.0 * np.maximum(blocks - 1, 1)), np.inf)
    constant = squares.max(axis=0) == 0
    variance = weights @ np.square(columns - mean) / weights.sum() * n / (n - 1)
    samples = np.where(error > 0, variance / np.where(error > 0, error, 1.0) ** 2, n)
    return Estimate(*(_shaped(part, values.shape[1:])
                      for part in (mean, error, np.where(constant, 0.0, noise), samples)))


def flux_error(series: Any) -> float:
    """The standard error of the mean of a stationary series (n,) of equally long spans, such as the contacts with a wall in each.

    It is that of `blocking_error`, unless a part of the sum cannot grow: what went into a store of bounded content and out of
    it, so that the values are anticorrelated. The variance of a sum over m values is D m + c for large m, where c is twice the
    variance of the content. The squared error of the mean is (D + c / n) / n; blocks of B values give (D + c / B) / n. D and c
    are found from the spectrum where it falls towards frequency 0 (after Heidelberger and Welch, Commun. ACM 24, 233 (1981)).
    ValueError for fewer than 2 values or values that are not finite.
    """
    values = np.asarray(series, dtype=float)
    error, n = float(blocking_error(values).error), len(values)
    if n < 2 * FREQUENCIES_MIN:
        return error
    growth, store = _growth_and_store(values)
    return min(error, math.sqrt(growth * n + store) / n)


def _growth_and_store(values: np.ndarray) -> tuple[float, float]:
    """(D, c) for a series (n,), n >= 16, the variance of whose sums over m values is D m + c for large m; (inf, 0) if its
    spectrum does not fall towards frequency 0.

    At low frequencies w the spectrum is D + s u / (1 + a u), u = 4 sin^2(w / 2): increments of a random walk, and of the content
    of a store that relaxes within sqrt(a) values. Each ordinate is exponentially distributed; D is its mean over Whittle's
    likelihood of the lowest ordinates, for D, s, a >= 0. c is the sum of the other part of the spectrum, divided by u. A taper,
    half a wave of a sine, keeps out the difference of the contents at both ends, and adds (pi / n)^2 to u.
    """
    n = len(values)
    taper = np.sin(np.pi * (np.arange(n) + 0.5) / n)
    deviations = taper * (values - taper @ values / taper.sum())
    ordinates = np.square(np.abs(np.fft.rfft(deviations)[1:])) / (taper @ taper)
    u = 4 * np.square(np.sin(np.pi * np.arange(1, len(ordinates) + 1) / n))
    count = max(FREQUENCIES_MIN, n // FREQUENCIES_SHARE)
    edges = [LOWEST << k for k in range(((len(ordinates) - 1) // LOWEST).bit_length())]
    bands = [band.mean() for band in np.split(ordinates, edges)]
    fall = bands[0] / (max(bands) or 1.0)
    if fall >= FALL or not any(bands):
        return math.inf, 0.0
    shape = u[:count] + (np.pi / n) ** 2
    shapes = shape / (1 + RELAXATIONS[:, None, None] * shape)
    shares = np.linspace(0, 1, 65)[:, None] ** 4      # of D in the spectrum at the last of these frequencies
    models = (shares + (1 - shares) * shapes / shapes[..., -1:]).reshape(-1, count)
    scales = (ordinates[:count] / models).mean(axis=1)
    losses = count * np.log(np.maximum(scales, 1e-300)) + np.log(models).sum(axis=1)
    if fall >= CERTAIN and losses[len(shares) - 1] - losses.min() < EVIDENCE:      # that for a share of 1
        return math.inf, 0.0
    odds = np.exp(losses.min() - losses)
    growth = float(odds @ (scales * np.tile(shares[:, 0], len(RELAXATIONS))) / odds.sum())
    pairs = np.ones(len(ordinates))
    pairs[-1] = 1.0 if n % 2 else 0.5       # the highest frequency of an even n has no partner
    return growth, max(0.0, 4 / n * float(pairs @ ((ordinates - growth) / (u + (np.pi / n) ** 2))))


def store_error(series: Any) -> float:
    """The standard error of the mean of a stationary series (n,) of equally long spans, whose sum is the change of a bounded
    content, such as net crossings: sqrt(2) times the standard deviation of the content, divided by n."""
    contents = np.concatenate([[0.0], np.cumsum(np.asarray(series, dtype=float))])
    return float(math.sqrt(2) * contents.std(ddof=1) / (len(contents) - 1))


def merge(means: Any, errors: Any, weights: Any = None) -> Merged:
    """The mean over r independent replicas, from their means (r, ...) and errors (r, ...).

    weights: (r,), positive, such as the lengths of the runs; equal if None. 1 / errors**2 is the best choice only for accurately
    known errors; noisy ones bias the mean. ValueError for other shapes, negative errors, or means that are not finite.
    """
    values, weights = _weighted_series(means, weights, "means")
    errors = np.asarray(errors, dtype=float)
    if errors.shape != values.shape or not (errors >= 0).all():
        raise ValueError(f"errors must be >= 0, one for each of the means of shape {values.shape}")
    parts = (weights / weights.sum()).reshape(-1, *[1] * (values.ndim - 1))
    mean = (parts * values).sum(axis=0)
    r = len(values)
    scatter = np.sqrt((np.square(parts * (values - mean))).sum(axis=0) * r / (r - 1)) if r > 1 else mean * np.nan
    return Merged(*(_shaped(part, values.shape[1:])
                    for part in (mean, np.sqrt(np.square(parts * errors).sum(axis=0)), scatter)))


def _weighted_series(series: Any, weights: Any, name: str = "series") -> tuple[np.ndarray, np.ndarray]:
    values = np.asarray(series, dtype=float)
    if values.ndim == 0 or len(values) == 0 or not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite numbers along the first axis, at least one; got shape {values.shape}")
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=float)
    if weights.shape != (len(values),) or not (np.isfinite(weights) & (weights > 0)).all():
        raise ValueError(f"weights must be {len(values)} positive numbers, one for each value")
    return values, weights


def _block_sums(values: np.ndarray, weights: np.ndarray, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    first = np.arange(blocks) * len(values) // blocks
    spread = weights.reshape(-1, *[1] * (values.ndim - 1))
    return np.add.reduceat(values * spread, first, axis=0), np.add.reduceat(weights, first)


def _squared_error(deviations: np.ndarray, weights: np.ndarray, blocks: int) -> np.ndarray:
    sums, totals = _block_sums(deviations, weights, blocks)
    return np.square(sums).sum(axis=0) * blocks / ((blocks - 1) * totals.sum() ** 2)


def _shaped(values: np.ndarray, shape: tuple[int, ...]) -> Any:
    return np.reshape(values, shape) if shape else float(np.reshape(values, ()))


def _mean_and_error(series: np.ndarray, fallback: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean (k,) of a series (frames, k), and its error by blocking; the error is `fallback` (k,) for fewer than FRAMES_MIN
    frames."""
    if len(series) < FRAMES_MIN:
        return series.mean(axis=0), fallback
    estimate = blocking_error(series)
    return estimate.mean, estimate.error


def _counts_and_errors(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean (k,) of counts (frames, k) per frame, and its error by blocking; for fewer than FRAMES_MIN frames and for totals
    below COUNT_MIN, the Poisson error of the total, at least that of one count."""
    total = counts.sum(axis=0)
    poisson = np.sqrt(np.maximum(total, 1.0)) / len(counts)
    mean, error = _mean_and_error(counts, poisson)
    return mean, np.where(total < COUNT_MIN, poisson, error)
