"""The radial distribution function g(r), and its value at contact."""
from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike, as_box
from ..model.numbers import shown
from .errors import _counts_and_errors, _mean_and_error
from .near import SLACK, _Frame, _candidates, _frame, _frames, _snapshots

PLANE = 2       # dimensions


class RadialDistribution(NamedTuple):
    """The radial distribution function g(r), relative to an ideal gas of as many points in the same box.

    r: (bins,) the middles of the bins. g, error: (bins,); nan where an ideal gas has no pairs. counts: (bins,) pairs in all
    snapshots. expected: (bins,) mean number of pairs of an ideal gas in one snapshot.
    """

    r: np.ndarray
    g: np.ndarray
    error: np.ndarray
    counts: np.ndarray
    expected: np.ndarray


def distance_distribution(r: Any, box: BoxLike, margin: float = 0.0) -> np.ndarray:
    """The probability that two uniformly distributed points of the box are at most r apart (nearest images on periodic axes),
    also beyond half of the box; exact, in three dimensions to 1e-9.

    r: a number or an array, length units. The probability is the set covariance of the rectangle, averaged over directions and
    integrated over 2 pi r dr / area^2, and in three dimensions integrated over the separation along z. margin: width of a strip
    along walls that the points cannot enter.
    """
    frame = _frame(box, margin)
    r = np.asarray(r, dtype=float)
    return _in_plane(r, frame) if frame.dimension == PLANE else _in_space(r, frame)


def _in_space(r: np.ndarray, frame: _Frame) -> np.ndarray:
    """`distance_distribution` in a cuboid: the integral of that in the rectangle of x and y over the separation z, with the
    density (1 - c z) 2 / length. Between the places where the rectangle's has a kink, by Gauss's rule."""
    plane = _Frame(frame.lengths[:2], frame.periodic[:2], frame.origin[:2])
    length = float(frame.lengths[2])
    c = 0.0 if frame.periodic[2] else 1 / length
    far = np.where(frame.periodic, frame.lengths / 2, frame.lengths)
    corners = np.array([far[0]**2, far[1]**2, far[0]**2 + far[1]**2])
    kinks = np.sqrt(np.maximum(r[..., None] ** 2 - corners, 0.0))
    ends = np.minimum(np.sort(np.concatenate([np.zeros((*r.shape, 1)), kinks, r[..., None]], axis=-1), axis=-1), far[2])
    nodes, weights = np.polynomial.legendre.leggauss(40)
    t, dt = (nodes + 1) / 2, weights / 2
    smooth, slope = t * t * (3 - 2 * t), 6 * t * (1 - t)     # roots at the ends of a piece become polynomials
    low, size = ends[..., :-1, None], np.diff(ends)[..., None]
    z = low + size * smooth
    inner = _in_plane(np.sqrt(np.maximum(r[..., None, None] ** 2 - z * z, 0.0)), plane)
    total: np.ndarray = (size * slope * dt * 2 / length * (1 - c * z) * inner).sum(axis=(-2, -1))
    return total


def _in_plane(r: np.ndarray, frame: _Frame) -> np.ndarray:
    """`distance_distribution` in a rectangle."""
    # The magnitudes (x, y) of a separation have the density (1 - a x) (1 - b y) * 4 / area, 0 <= x <= far_x, 0 <= y <= far_y.
    a, b = np.where(frame.periodic, 0.0, 1 / frame.lengths)
    far_x, far_y = np.where(frame.periodic, frame.lengths / 2, frame.lengths)
    r = np.minimum(r, math.hypot(far_x, far_y))
    x2 = np.minimum(r, far_x)
    x1 = np.minimum(np.sqrt(np.maximum(r * r - far_y * far_y, 0.0)), x2)     # for x up to x1, all y are within r
    strip = (x1 - a * x1**2 / 2) * (far_y - b * far_y**2 / 2)

    def cap(x: np.ndarray) -> np.ndarray:
        """An antiderivative of (1 - a x) (y - b y^2 / 2) with y = sqrt(r^2 - x^2)."""
        y2 = np.maximum(r * r - x * x, 0.0)
        y = np.sqrt(y2)
        circle = (x * y + r * r * np.arctan2(x, y)) / 2
        return circle + a * y2 * y / 3 - b / 2 * (r * r * x - x**3 / 3) + a * b / 2 * (r * r * x**2 / 2 - x**4 / 4)

    return 4 / frame.volume * (strip + cap(x2) - cap(x1))


def radial_distribution(snapshots: Any, box: BoxLike, edges: Any, margin: float = 0.0) -> RadialDistribution:
    """g(r) of the discs, in bins between edges (bins + 1,), for boxes with walls, periodic axes or one of each.

    It is normalised by the number of pairs n (n - 1) / 2 times the exact distribution of distances in the box, so that an ideal
    gas has 1 at every r, corners and walls included. (For the convention with n^2 pairs, multiply by 1 - 1/n.) On periodic
    axes nearest images count. margin: width of the strip along walls that centres cannot enter: the radius of the discs.
    Errors: by blocking over the snapshots; Poisson errors for fewer than 16 snapshots and for bins with fewer than 16 counts.
    ValueError for edges beyond the largest distance in the box.
    """
    return _radial_distributions(snapshots, box, edges, margin, None)[0, 0]


def partial_radial_distributions(snapshots: Any, box: BoxLike, edges: Any, species: Any, margin: float = 0.0
                                 ) -> dict[tuple[Any, Any], RadialDistribution]:
    """The partial distributions {(a, b): g_ab(r)} for all pairs a <= b of the labels in species (n,). The other arguments, the
    normalisation and the errors are those of `radial_distribution`."""
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
    """(s,) the labels of the species, (s,) their numbers of discs, and (frames, s, s, bins) counts of pairs."""
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
    """(kinds, kinds, bins) the number of pairs by species, the lower one first, and distance."""
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
    """The contact value g(sigma+) of equal discs, and its error, from a parabola that is fitted to g(r) near contact.

    The fit extends from `diameter` to `diameter` + `window`. window: by default a third of the gap between discs in the
    closest lattice of the same density, at most diameter / 5; the parabola is then accurate to 0.2 %. Snapshots must be at given
    times, not after given numbers of events, because after an event there is always one more pair in contact. In a periodic box
    the virial theorem gives Z = 1 + 2 eta (1 - 1/n) g(sigma+), of spheres with 4 eta; with walls the result is a mean
    over layers of different densities.
    Errors as in `radial_distribution`. ValueError for fewer than 2 discs, or a diameter or window that is not positive.
    """
    if not diameter > 0:
        raise ValueError(f"diameter is {shown(diameter)}; it must be > 0")
    frames = list(_frames(snapshots))
    if not frames or frames[0].ndim != 2 or len(frames[0]) < 2:
        raise ValueError("a contact value needs snapshots of at least 2 discs")
    if window is None:
        sides, n = as_box(box), len(frames[0])      # the spacing of the triangular or face-centred cubic lattice
        lattice = (math.sqrt(2 / math.sqrt(3) * sides.volume / n) if sides.dimension == PLANE else
                   (math.sqrt(2) * sides.volume / n) ** (1 / 3))
        window = min(max(lattice - diameter, 0.0) / 3 or math.inf, diameter / 5)
    if not window > 0:
        raise ValueError(f"window is {shown(window)}; it must be > 0")
    edges = np.linspace(diameter, diameter + window, 11)
    edges[0] *= 1 - SLACK       # discs in contact count, even if their distance was rounded down
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
