"""The radial distribution: how many discs are at which distance."""
from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike, as_box
from .errors import _counts_and_errors, _mean_and_error
from .near import SLACK, _Frame, _candidates, _frame, _frames, _snapshots


class RadialDistribution(NamedTuple):
    """g(r), 1 for an ideal gas of as many points in the same box; nan where there are no pairs at all.

    r, g, error: (bins,), r being the middles of the bins. counts: (bins,) pairs in all snapshots. expected: (bins,)
    pairs of an ideal gas in one snapshot.
    """

    r: np.ndarray
    g: np.ndarray
    error: np.ndarray
    counts: np.ndarray
    expected: np.ndarray


def distance_distribution(r: Any, box: BoxLike, margin: float = 0.0) -> np.ndarray:
    """The probability that two uniform points of the box are at most r apart (nearest images on periodic axes); exact.

    This is the set covariance of the rectangle, averaged over directions and integrated over 2 pi r dr / area^2.
    margin: see `radial_distribution`.
    """
    frame = _frame(box, margin)
    # A separation (x, y) has the density (1 - a x) (1 - b y) * 4 / area for 0 <= x <= X, 0 <= y <= Y, signs apart.
    a, b = np.where(frame.periodic, 0.0, 1 / frame.lengths)
    far_x, far_y = np.where(frame.periodic, frame.lengths / 2, frame.lengths)
    r = np.minimum(np.asarray(r, dtype=float), math.hypot(far_x, far_y))
    x2 = np.minimum(r, far_x)
    x1 = np.minimum(np.sqrt(np.maximum(r * r - far_y * far_y, 0.0)), x2)     # up to here all y are within r
    strip = (x1 - a * x1**2 / 2) * (far_y - b * far_y**2 / 2)

    def cap(x: np.ndarray) -> np.ndarray:
        """The integral of (1 - a x) (y - b y^2 / 2) with y = sqrt(r^2 - x^2), from 0 to x, without its constant."""
        y2 = np.maximum(r * r - x * x, 0.0)
        y = np.sqrt(y2)
        circle = (x * y + r * r * np.arctan2(x, y)) / 2
        return circle + a * y2 * y / 3 - b / 2 * (r * r * x - x**3 / 3) + a * b / 2 * (r * r * x**2 / 2 - x**4 / 4)

    return 4 / frame.area * (strip + cap(x2) - cap(x1))


def radial_distribution(snapshots: Any, box: BoxLike, edges: Any, margin: float = 0.0) -> RadialDistribution:
    """g(r) of the discs, in bins between edges (bins + 1,); periodic, walled and mixed boxes.

    Normalised by the exact number of pairs n (n - 1) / 2 times the distribution of distances in this very box: an ideal
    gas has 1 at every r, corners and walls included. (Where n^2 is the convention, multiply by 1 - 1/n.) On periodic
    axes nearest images count. margin: width of the strip along walls that centres cannot enter, the radius of discs.
    Errors: by blocking of the snapshots, Poisson's for fewer than 16 of them and for bins with fewer than 16 counts.
    """
    return _radial_distributions(snapshots, box, edges, margin, None)[0, 0]


def partial_radial_distributions(snapshots: Any, box: BoxLike, edges: Any, species: Any, margin: float = 0.0
                                 ) -> dict[tuple[Any, Any], RadialDistribution]:
    """{(a, b): g_ab(r)} for all pairs a <= b of the labels in species (n,). As `radial_distribution` otherwise."""
    return _radial_distributions(snapshots, box, edges, margin, np.asarray(species))


def _radial_distributions(snapshots: Any, box: BoxLike, edges: Any, margin: float, species: np.ndarray | None
                          ) -> dict[tuple[Any, Any], RadialDistribution]:
    edges = _edges(edges)
    kinds, sizes, series = _pair_series(snapshots, box, edges, margin, species)
    shells, result = np.diff(distance_distribution(edges, box, margin)), {}
    for a, b in itertools.combinations_with_replacement(range(len(kinds)), 2):
        pairs = sizes[a] * (sizes[a] - 1) / 2 if a == b else float(sizes[a] * sizes[b])
        counts = series[:, a, b]
        mean, error = _counts_and_errors(counts)
        expected = pairs * shells
        ideal = np.where(expected > 0, expected, np.nan)
        result[kinds[a].item(), kinds[b].item()] = RadialDistribution(
            (edges[1:] + edges[:-1]) / 2, mean / ideal, error / ideal, counts.sum(axis=0).astype(np.int64), expected)
    return result


def _pair_series(snapshots: Any, box: BoxLike, edges: np.ndarray, margin: float, species: np.ndarray | None
                 ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The labels of the species (s,), how many discs have them (s,), and (frames, s, s, bins) counts of pairs."""
    frame = _frame(box, margin)
    far = math.hypot(*np.where(frame.periodic, frame.lengths / 2, frame.lengths))
    if edges[0] < 0 or edges[-2] >= far:
        raise ValueError(f"edges go from {edges[0]:g} to {edges[-1]:g}; distances in this box from 0 to {far:g}")
    series: list[np.ndarray] = []
    labels = kind = np.zeros(0, dtype=int)
    for x in _snapshots(snapshots, frame):
        if not series:
            labels, kind = np.unique(np.zeros(len(x), dtype=int) if species is None else species, return_inverse=True)
            if kind.shape != (len(x),) or len(x) == 0:
                raise ValueError(f"species has shape {kind.shape}; expected ({len(x)},), for at least one disc")
        series.append(_pair_counts(x, frame, edges, kind, len(labels)))
    return labels, np.bincount(kind), np.array(series)


def _pair_counts(x: np.ndarray, frame: _Frame, edges: np.ndarray, kind: np.ndarray, kinds: int) -> np.ndarray:
    """(kinds, kinds, bins) how many pairs of these kinds, the lower first, are that far apart."""
    bins = len(edges) - 1
    squares = np.square(edges)
    counts = np.zeros(kinds * kinds * bins)
    along = np.ascontiguousarray(x.T)
    for i, j in _candidates(x, frame.lengths, frame.periodic, edges[-1]):
        square = np.zeros(len(i))
        for axis, length in enumerate(frame.lengths):
            d = along[axis][j] - along[axis][i]
            if frame.periodic[axis]:
                d -= length * np.rint(d / length)
            square += d * d
        near = (square >= squares[0]) & (square < squares[-1])
        bin_ = np.searchsorted(squares, square[near], side="right") - 1
        a, b = kind[i[near]], kind[j[near]]
        key = (np.minimum(a, b) * kinds + np.maximum(a, b)) * bins + bin_
        counts += np.bincount(key, minlength=len(counts))
    return counts.reshape(kinds, kinds, bins)


def _edges(edges: Any) -> np.ndarray:
    edges = np.asarray(edges, dtype=float)
    if edges.ndim != 1 or len(edges) < 2 or not np.isfinite(edges).all() or not (np.diff(edges) > 0).all():
        raise ValueError("edges of bins must be at least 2 finite numbers, each larger than the one before")
    return edges


def contact_value(snapshots: Any, box: BoxLike, diameter: float, window: float | None = None) -> tuple[float, float]:
    """g(sigma+) of equal discs, and its error: a parabola through g between contact and a `window` beyond, at contact.

    window: by default a third of the gaps in a lattice of this density, at most diameter / 5; the parabola is then good
    to 0.2 %. Take snapshots at given times, not after given numbers of events: each of these has a pair that touches,
    one too many. In a periodic box the virial theorem says Z = 1 + 2 eta (1 - 1/n) g(sigma+); with walls this is a mean
    over layers of different densities. Errors as in `radial_distribution`.
    """
    if not diameter > 0:
        raise ValueError(f"diameter is {diameter!r}; it must be > 0")
    frames = list(_frames(snapshots))
    if not frames or frames[0].ndim != 2 or len(frames[0]) < 2:
        raise ValueError("a contact value needs snapshots of at least 2 discs")
    if window is None:
        lattice = math.sqrt(2 / math.sqrt(3) * as_box(box).area / len(frames[0]))     # its spacing
        window = min(max(lattice - diameter, 0.0) / 3 or math.inf, diameter / 5)
    if not window > 0:
        raise ValueError(f"window is {window!r}; it must be > 0")
    edges = np.linspace(diameter, diameter + window, 11)
    edges[0] *= 1 - SLACK       # discs that touch are there, whatever the rounding
    _, sizes, series = _pair_series(frames, box, edges, diameter / 2, None)
    counts = series[:, 0, 0]
    expected = sizes[0] * (sizes[0] - 1) / 2 * np.diff(distance_distribution(edges, box, diameter / 2))
    beyond = ((edges[1:] + edges[:-1]) / 2 - diameter) / window
    powers = np.stack([np.ones_like(beyond), beyond, beyond**2], axis=1)
    normal = powers.T * expected
    take = np.linalg.solve(normal @ powers, normal)[0] / expected
    poisson = math.sqrt(np.square(take) @ np.maximum(counts.sum(axis=0), 1)) / len(counts)
    value, error = _mean_and_error((counts @ take)[:, None], np.array([poisson]))
    return float(value[0]), float(error[0])
