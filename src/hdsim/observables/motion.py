"""Motion in time: displacements, distances between states, and velocity autocorrelation."""
from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike
from ..model.numbers import shown
from .near import CHUNK, _frame, _placed


class Lagged(NamedTuple):
    """A mean over discs and starting times as a function of the lag. time: (lags,) the lags; value, error: (lags,)."""

    time: np.ndarray
    value: np.ndarray
    error: np.ndarray


def mean_squared_displacement(unwrapped: Any, spacing: float = 1.0, lags: int | None = None) -> Lagged:
    """Mean squared displacement <|r(s + t) - r(s)|^2> over all discs and starting times s, length^2.

    unwrapped: (frames, n, d) positions at equally spaced times, which must not be wrapped into a periodic box
    (`system.unwrapped_positions`). spacing: time between frames. lags: the number of lags, from 0 on; by default as many as
    frames, of which the last ones have few starting times. Errors: from the scatter of the discs, as if these were independent;
    nan for one disc. Computed by FFT (Calandrini et al., Collection SFN 12, 201 (2011)). ValueError for another shape.
    """
    r = _trajectories(unwrapped, "unwrapped")
    r -= r[:1].copy()           # the differences below cancel: distances from the start lose fewer digits than positions

    def displacement(part: np.ndarray) -> np.ndarray:
        square = np.square(part).sum(axis=2)
        ahead = np.cumsum(square[::-1], axis=0)[::-1]        # sum over s of |r(s + t)|^2
        behind = np.cumsum(square, axis=0)[::-1]             # sum over s of |r(s)|^2
        result = np.maximum(ahead + behind - 2 * _lagged_products(part), 0.0)
        result[0] = 0.0
        return result

    return _over_discs(r, displacement, spacing, lags)


def root_mean_square_distance(positions: Any, others: Any, box: BoxLike) -> float:
    """sqrt(<|r_i - s_i|^2>) over the discs i of two states r and s, (n, d) each, in length units. On a periodic axis the distance
    to the nearest image counts. nan without discs."""
    frame = _frame(box)
    d = _placed(positions, frame) - _placed(others, frame)
    d -= np.where(frame.periodic, frame.lengths * np.rint(d / frame.lengths), 0.0)
    return math.sqrt(np.square(d).sum(axis=1).mean()) if len(d) else math.nan


def velocity_autocorrelation(velocities: Any, spacing: float = 1.0, lags: int | None = None) -> Lagged:
    """Velocity autocorrelation <v(s) . v(s + t)> over all discs and starting times s, length^2 / time^2; it is <v^2> at t = 0.

    velocities: (frames, n, d) at equally spaced times. spacing, lags and errors as in `mean_squared_displacement`.
    """
    return _over_discs(_trajectories(velocities, "velocities"), _lagged_products, spacing, lags)


def _trajectories(values: Any, name: str) -> np.ndarray:
    array = np.array(values, dtype=float)
    if array.ndim != 3 or array.shape[2] not in (2, 3) or 0 in array.shape:
        raise ValueError(f"{name} has shape {array.shape}; expected (frames, n, 2) or (frames, n, 3)")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def _lagged_products(part: np.ndarray) -> np.ndarray:
    """(frames, n) the sums over s of part(s) . part(s + t), for all lags t. part: (frames, n, d)."""
    frames = len(part)
    size = 1 << (2 * frames - 1).bit_length()       # padded with zeros, because the FFT is periodic
    power = np.square(np.abs(np.fft.rfft(part, size, axis=0))).sum(axis=2)
    return np.fft.irfft(power, size, axis=0)[:frames]


def _over_discs(trajectories: np.ndarray, sums: Any, spacing: float, lags: int | None) -> Lagged:
    """The mean over starting times for each disc, then the mean and the standard error over discs.

    sums: function from trajectories (frames, k, d) to sums over starting times (frames, k). Discs are processed in chunks, to
    bound the memory."""
    if not 0 < spacing < math.inf:
        raise ValueError(f"spacing is {shown(spacing)}; it must be positive and finite")
    frames, n, _ = trajectories.shape
    lags = frames if lags is None else operator.index(lags)
    if not 1 <= lags <= frames:
        raise ValueError(f"lags is {lags}; it must be 1 to {frames}, the number of frames")
    starts = (frames - np.arange(lags))[:, None]
    mean, scatter = np.zeros(lags), np.zeros(lags)
    columns = max(CHUNK // frames, 1)
    for low in range(0, n, columns):
        each = sums(trajectories[:, low:low + columns])[:lags] / starts
        more = each.shape[1]
        ahead = each.mean(axis=1) - mean
        scatter += np.square(each - each.mean(axis=1, keepdims=True)).sum(axis=1) + ahead**2 * low * more / (low + more)
        mean += ahead * more / (low + more)
    error = np.sqrt(scatter / (n - 1) / n) if n > 1 else np.full(lags, np.nan)
    return Lagged(np.arange(lags) * spacing, mean, error)
