"""Histograms of speeds and velocities, maps of the number density, and fractions of discs in a region."""
from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike
from ..model.numbers import shown
from .errors import _counts_and_errors
from .near import _plane, _snapshots
from .pairs import _edges


class Histogram(NamedTuple):
    """A probability density. edges: (bins + 1,); density, error: (bins,), 1 / unit of the edges; counts: (bins,) in all
    snapshots."""

    edges: np.ndarray
    density: np.ndarray
    error: np.ndarray
    counts: np.ndarray


class DensityMap(NamedTuple):
    """Number density in equal rectangles. density, error: (columns, rows), discs / area; [0, 0] is at the lower left."""

    density: np.ndarray
    error: np.ndarray


def speed_histogram(velocities: Any, edges: Any) -> Histogram:
    """The distribution of the speeds in snapshots of velocities (n, d), in bins between edges (bins + 1,).

    Speeds outside the edges count in the normalisation, so the integral is at most 1. Errors as in `radial_distribution`.
    """
    return _histogram([np.sqrt(np.square(v).sum(axis=1)) for v in _snapshots(velocities, None)], edges)


def velocity_histogram(velocities: Any, edges: Any, axis: int) -> Histogram:
    """The distribution of one component of the velocities in snapshots (n, d), in bins between edges (bins + 1,). axis: 0 for x,
    1 for y, 2 for z, else ValueError. Normalisation and errors as in `speed_histogram`."""
    found = list(_snapshots(velocities, None))
    if axis not in range(found[0].shape[1]):
        raise ValueError(f"axis is {shown(axis)}; it must be 0 (x) or 1 (y)" + (" or 2 (z)" if found[0].shape[1] == 3 else ""))
    return _histogram([v[:, axis] for v in found], edges)


def _histogram(samples: list[np.ndarray], edges: Any) -> Histogram:
    edges = _edges(edges)
    if len(samples[0]) == 0:
        raise ValueError("a histogram needs at least one disc")
    counts = np.array([np.histogram(one, edges)[0] for one in samples])
    mean, error = _counts_and_errors(counts)
    scale = len(samples[0]) * np.diff(edges)
    return Histogram(edges, mean / scale, error / scale, counts.sum(axis=0))


def local_density(snapshots: Any, box: BoxLike, columns: int, rows: int) -> DensityMap:
    """The number of centres of discs per area in each of columns x rows equal rectangles. Errors as in `radial_distribution`."""
    shape = np.array([operator.index(columns), operator.index(rows)])
    if shape.min() < 1:
        raise ValueError(f"columns and rows are {columns} and {rows}; they must be at least 1")
    frame = _plane(box)
    counts = []
    for x in _snapshots(snapshots, frame):
        cell = np.clip((x / frame.lengths * shape).astype(np.intp), 0, shape - 1)
        counts.append(np.bincount(cell[:, 0] * shape[1] + cell[:, 1], minlength=int(shape.prod())))
    area = frame.volume / shape.prod()
    density, error = (part.reshape(shape) / area for part in _counts_and_errors(np.array(counts)))
    return DensityMap(density, error)


def fraction_inside(snapshots: Any, box: BoxLike, left: float, bottom: float, right: float, top: float) -> np.ndarray:
    """(frames,) the fraction of the discs with centres in left <= x < right, bottom <= y < top, for each snapshot. Its mean and
    error are those of `blocking_error`. ValueError for an empty region."""
    low, high = np.array([left, bottom], dtype=float), np.array([right, top], dtype=float)
    if not (low < high).all():
        raise ValueError(f"the region from {low.tolist()} to {high.tolist()} is empty; it needs left < right and "
                         f"bottom < top")
    inside = np.array([((x >= low) & (x < high)).all(axis=1) for x in _snapshots(snapshots, _plane(box))])
    if inside.size == 0:
        raise ValueError("a fraction needs at least one disc")
    return inside.mean(axis=1)
