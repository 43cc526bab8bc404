"""What is measured on discs, as pure functions of arrays: error bars, structure, order, motion in time, histograms.

Knows no engine: positions are arrays, and a box is a `Box`, (width, height), or anything with `width`, `height` and `periodic`.
Where "snapshots" are taken, that is one array (n, 2), or (frames, n, 2), or any iterable of arrays (n, 2), such as a
generator that runs the system on in between (to a time: at events there is always a pair that touches). Lengths are in
the unit of the positions. An error is one standard deviation.
"""
from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .model.box import BoxLike, as_box

BLOCKS_MIN = 8          # fewer say nothing about their scatter
FRAMES_MIN = 16         # snapshots, below which their scatter is not judged by blocking
COUNT_MIN = 16          # of what falls into a bin in all snapshots, below which its error is Poisson's
CHUNK = 2**20           # pairs, or numbers, that are worked on at once
SLACK = 1e-9            # relative: rounding at walls and at contact
CORNER = 1e-7           # sizes of a Voronoi cell: a shorter edge is the rounding of a corner
STRIP = 3.0             # sizes of a cell: how far beyond the box images are looked at first


# Error bars: blocking of a correlated series, and replicas.


class Estimate(NamedTuple):
    """The mean of a correlated series; floats, or arrays for a series of arrays.

    error_of_error is infinite if the series is too short to judge how long it remembers: then `error` is the largest
    that was seen, and the truth may be larger. samples: how many independent values would give this error.
    """

    mean: Any
    error: Any
    error_of_error: Any
    samples: Any


class Merged(NamedTuple):
    """The mean of independent replicas. error: from the replicas' own errors; scatter: from how their means differ, nan
    for one replica. If these two disagree, the errors of the replicas are not honest."""

    mean: Any
    error: Any
    scatter: Any


def block_means(series: Any, blocks: int, weights: Any = None) -> np.ndarray:
    """(blocks, ...) the means of consecutive blocks of a series (n, ...), which are as equal in length as they can be.

    weights: (n,), such as the times for which the values held.
    """
    values, weights = _weighted_series(series, weights)
    if not 1 <= operator.index(blocks) <= len(values):
        raise ValueError(f"blocks is {blocks}; it must be 1 to {len(values)}, the length of the series")
    sums, totals = _block_sums(values, weights, blocks)
    return sums / totals.reshape(-1, *[1] * (values.ndim - 1))


def blocking_error(series: Any, weights: Any = None) -> Estimate:
    """The mean of a stationary, correlated series (n, ...) along its first axis, and its error.

    Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989): as blocks grow, the error from their scatter grows until they
    forget each other. The level is the first whose blocks of B values satisfy B^3 > 2 n (error_B / error_1)^4, where
    what is left of the correlation is as small as the noise of the error (Lee et al., Phys. Rev. E 83, 066706 (2011)).
    weights: (n,), such as the times for which the values held. Every value is used: lengths of blocks differ by one.
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


def merge(means: Any, errors: Any, weights: Any = None) -> Merged:
    """The mean over independent replicas, (r, ...) of means and of their errors.

    weights: (r,), such as the lengths of the runs; equal if None. (1 / errors**2 is best only for errors that are
    known well: noisy ones bias the mean.)
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
    """The mean (k,) of a series (frames, k), with the error by blocking, or this one if the series is too short."""
    if len(series) < FRAMES_MIN:
        return series.mean(axis=0), fallback
    estimate = blocking_error(series)
    return estimate.mean, estimate.error


def _counts_and_errors(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean (k,) of counts (frames, k) per frame, and its error; Poisson's where little was counted, at least that
    of one count."""
    total = counts.sum(axis=0)
    poisson = np.sqrt(np.maximum(total, 1.0)) / len(counts)
    mean, error = _mean_and_error(counts, poisson)
    return mean, np.where(total < COUNT_MIN, poisson, error)


# Discs in a box: checked, wrapped into it, with their images, and which of them are near each other.


class _Frame(NamedTuple):
    """A box, less a strip along its walls that centres cannot enter."""

    lengths: np.ndarray     # (2,)
    periodic: np.ndarray    # (2,) bool
    origin: np.ndarray      # (2,) its lower left corner

    @property
    def area(self) -> float:
        return float(self.lengths[0] * self.lengths[1])


def _frame(box: BoxLike, margin: float = 0.0) -> _Frame:
    box = as_box(box)
    lengths, periodic = np.array([box.width, box.height], dtype=float), np.array(box.periodic, dtype=bool)
    strip = np.where(periodic, 0.0, margin)
    if not (margin >= 0 and (2 * strip < lengths).all()):
        raise ValueError(f"margin is {margin!r}; it must be >= 0 and less than half of a box with walls")
    return _Frame(lengths - 2 * strip, periodic, strip)


def _snapshots(snapshots: Any, frame: _Frame | None) -> Iterator[np.ndarray]:
    """Each of the snapshots, (n, 2) float64, wrapped into the frame, its origin at 0 (as it is if there is no frame, as
    for velocities); n is the same for all."""
    shape = None
    for number, positions in enumerate(_frames(snapshots)):
        if positions.ndim != 2 or positions.shape[1] != 2 or positions.shape != (shape or positions.shape):
            raise ValueError(f"snapshot {number} has shape {positions.shape}; expected {shape or '(n, 2)'}")
        shape = positions.shape
        if frame is None and not np.isfinite(positions).all():
            raise ValueError(f"snapshot {number} must be finite")
        yield positions if frame is None else _placed(positions, frame, f"snapshot {number}, ")
    if shape is None:
        raise ValueError("there is no snapshot")


def _frames(snapshots: Any) -> Iterable[np.ndarray]:
    if isinstance(snapshots, np.ndarray) and snapshots.ndim != 3:
        snapshots = [snapshots]
    return (np.asarray(one, dtype=float) for one in snapshots)


def _placed(positions: Any, frame: _Frame, where: str = "") -> np.ndarray:
    x = np.asarray(positions, dtype=float)
    if x.ndim != 2 or x.shape[1] != 2:
        raise ValueError(f"positions has shape {x.shape}; expected (n, 2)")
    x = x - frame.origin
    slack = SLACK * frame.lengths
    bad = ~(np.isfinite(x) & (frame.periodic | ((x >= -slack) & (x <= frame.lengths + slack)))).all(axis=1)
    if bad.any():
        i = int(bad.argmax())
        raise ValueError(f"{where}disc {i}: position is {(x[i] + frame.origin).tolist()!r}; it must be finite, and "
                         f"between walls where there are walls")
    return np.where(frame.periodic, x - frame.lengths * np.floor(x / frame.lengths), x)


def _candidates(points: np.ndarray, lengths: np.ndarray, periodic: np.ndarray, reach: float
                ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Chunks of pairs (i, j) of points in [0, lengths]: every pair within reach, each pair at most once."""
    n = len(points)
    side = np.maximum(reach * (1 + SLACK), math.sqrt(lengths[0] * lengths[1] / max(n, 1)))
    shape = np.clip(lengths / side, 1, max(n, 1)).astype(np.intp)
    shape[periodic & (shape < 3)] = 1       # both neighbours would be the same cell
    cells = np.clip((points / lengths * shape).astype(np.intp), 0, shape - 1)
    order = np.argsort(cells[:, 0] * shape[1] + cells[:, 1], kind="stable")
    cells = cells[order]
    start = np.searchsorted(cells[:, 0] * shape[1] + cells[:, 1], np.arange(shape[0] * shape[1] + 1))
    for step in ((0, 0), (0, 1), (1, -1), (1, 0), (1, 1)):      # half of the nine cells: each pair of cells once
        if ((np.array(step) != 0) & (shape == 1)).any():
            continue
        near = cells + step
        near = np.where(periodic, np.where(near < 0, near + shape, np.where(near >= shape, near - shape, near)), near)
        inside = ((near >= 0) & (near < shape)).all(axis=1)
        target = np.where(inside, near[:, 0] * shape[1] + near[:, 1], 0)
        first = np.arange(1, n + 1) if step == (0, 0) else start[target]
        counts = np.where(inside, start[target + 1] - first, 0)
        yield from _expanded(order, first, counts)


def _expanded(order: np.ndarray, first: np.ndarray, counts: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Chunks of (order[k], order[l]) for each k and the counts[k] values of l from first[k] on."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    cuts = np.unique(np.concatenate(([0], np.searchsorted(ends, np.arange(CHUNK, total, CHUNK)), [len(counts)])))
    for low, high in itertools.pairwise(cuts.tolist()):
        some = counts[low:high]
        before = np.cumsum(some) - some
        partners = np.arange(int(some.sum())) + np.repeat(first[low:high] - before, some)
        yield np.repeat(order[low:high], some), order[partners]


class _Images(NamedTuple):
    points: np.ndarray      # (m, 2), the first n being the discs themselves
    owner: np.ndarray       # (m,) of which disc
    mirrored: np.ndarray    # (m,) whether in a wall


def _with_images(x: np.ndarray, frame: _Frame, reach: np.ndarray, mirrors: bool) -> _Images:
    """Discs and those of their images, periodic and mirrored in walls, that are in the frame or within reach of it."""
    points, owner, mirrored = x, np.arange(len(x)), np.zeros(len(x), dtype=bool)
    for axis, (length, periodic) in enumerate(zip(frame.lengths, frame.periodic)):
        turns = math.ceil(reach[axis] / length) if periodic else 0
        maps = [(1, turn * length) for turn in range(-turns, turns + 1) if turn]
        if mirrors and not periodic:
            maps = [(-1, 0.0), (-1, 2 * length)]
        parts = [(points, owner, mirrored)]
        for sign, shift in maps:
            along = sign * points[:, axis] + shift
            kept = (along >= -reach[axis]) & (along <= length + reach[axis])
            image = points[kept]
            image[:, axis] = along[kept]
            parts.append((image, owner[kept], mirrored[kept] | (sign < 0)))
        points, owner, mirrored = (np.concatenate(columns) for columns in zip(*parts))
    return _Images(points, owner, mirrored)


# Radial distribution.


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


# Who is whose neighbour, and the order of the neighbours.


class Bonds(NamedTuple):
    """From each of n discs to its neighbours; every pair stands twice, once from each side.

    i, j: (m,) discs, ordered by i; the same two may be neighbours through several images. vectors: (m, 2) from i to
    that image of j. weights: (m,) length of the edge between Voronoi cells, 1 for other neighbours.
    """

    n: int
    i: np.ndarray
    j: np.ndarray
    vectors: np.ndarray
    weights: np.ndarray


class Cells(NamedTuple):
    """Voronoi cells of n discs. bonds: between cells that share an edge. areas: (n,), together the area of the box."""

    bonds: Bonds
    areas: np.ndarray


class HexaticOrder(NamedTuple):
    """local: (n,) complex, psi_6 of each disc, 0 without neighbours. overall: complex, their mean."""

    local: np.ndarray
    overall: complex


def near_bonds(positions: Any, box: BoxLike, cutoff: float) -> Bonds:
    """Neighbours are those whose centres are at most `cutoff` away, all periodic images included."""
    frame = _frame(box)
    x = _placed(positions, frame)
    if not 0 < cutoff < math.inf:
        raise ValueError(f"cutoff is {cutoff!r}; it must be positive and finite")
    images = _with_images(x, frame, np.full(2, cutoff * (1 + SLACK)), mirrors=False)
    points, n = images.points, len(x)
    low = points.min(axis=0, initial=0.0)
    extent = points.max(axis=0, initial=0.0) - low
    extent = np.where(extent > 0, extent, 1.0)
    found = [np.zeros((2, 0), dtype=np.intp)]
    for i, j in _candidates(points - low, extent, np.zeros(2, dtype=bool), cutoff):
        near = ((i < n) | (j < n)) & (np.square(points[j] - points[i]).sum(axis=1) <= cutoff * cutoff)
        found.append(np.stack([i[near], j[near]]))
    i, j = np.concatenate(found, axis=1)
    return _both_ways(images, n, i, j, np.ones(len(i)))


def nearest_bonds(positions: Any, box: BoxLike, k: int) -> Bonds:
    """Neighbours are the k nearest, periodic images included; of those at the same distance, lower numbers first. Not
    symmetric: a disc may be among the nearest of one that is not among its own."""
    frame = _frame(box)
    n = len(_placed(positions, frame))
    if operator.index(k) < 1 or (k >= n and not (n and frame.periodic.any())):
        raise ValueError(f"k is {k}; it must be at least 1, and between walls less than the number of discs, {n}")
    cutoff = math.sqrt(2 * (k + 1) / math.pi * frame.area / n)
    while True:
        bonds = near_bonds(positions, box, cutoff)
        counts = coordination_numbers(bonds)
        if counts.min() >= k:
            break
        cutoff *= 1.5
    order = np.lexsort((bonds.j, np.square(bonds.vectors).sum(axis=1), bonds.i))
    rank = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = order[rank < k]
    return Bonds(n, *(part[kept] for part in bonds[1:]))


def voronoi(positions: Any, box: BoxLike) -> Cells:
    """The Voronoi cells of the discs, cut off at walls, closed around periodic axes. Needs scipy (extra `analysis`).

    Cells that meet in a corner only are not neighbours.
    """
    try:
        from scipy.spatial import QhullError, Voronoi  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError("Voronoi cells need the package scipy: pip install 'hdsim[analysis]'") from None
    frame = _frame(box)
    x = _placed(positions, frame)
    n = len(x)
    if n == 0:
        raise ValueError("Voronoi cells need at least one disc")
    size = math.sqrt(frame.area / n)
    strip = STRIP * size
    while True:
        reach = np.minimum(strip, frame.lengths)    # an image farther away cannot touch any cell
        images = _with_images(x, frame, reach, mirrors=True)
        strip *= 2
        try:
            diagram = Voronoi(images.points)
        except QhullError:      # all on one line; not so with all images
            if (reach == frame.lengths).all():
                raise ValueError(f"the box {frame.lengths[0]:g} x {frame.lengths[1]:g} is too narrow for Voronoi cells") from None
            continue
        ridges, ends = diagram.ridge_points, np.array(diagram.ridge_vertices)
        own = (ridges < n).any(axis=1)
        (i, j), ends = ridges[own].T, ends[own]
        if (reach == frame.lengths).all() or _closed(images.points, i, j, n, diagram.vertices, ends, frame, reach):
            break
    lengths = np.linalg.norm(diagram.vertices[ends[:, 0]] - diagram.vertices[ends[:, 1]], axis=1)
    parts = lengths * np.linalg.norm(images.points[j] - images.points[i], axis=1) / 4       # triangles on either side
    areas = np.bincount(np.concatenate((i, j)), np.tile(parts, 2), minlength=n)[:n]
    if not (areas > 0).all():
        raise ValueError(f"disc {int(areas.argmin())} is on a wall, or where another disc is, or the box is too "
                         f"narrow: it has no Voronoi cell")
    edge = (lengths > CORNER * size) & ~images.mirrored[i] & ~images.mirrored[j]
    return Cells(_both_ways(images, n, i[edge], j[edge], lengths[edge]), areas)


def _closed(points: np.ndarray, i: np.ndarray, j: np.ndarray, n: int, vertices: np.ndarray, ends: np.ndarray,
            frame: _Frame, reach: np.ndarray) -> bool:
    """Can no image beyond reach change a cell? Not if circles around vertices, through the disc, are within reach."""
    if (ends < 0).any():
        return False
    disc = np.where(i < n, i, j)
    at = vertices[ends]
    radius = np.linalg.norm(at - points[disc][:, None], axis=2)[..., None]
    within = (at - radius >= -reach) & (at + radius <= frame.lengths + reach)
    return bool((within | (reach == frame.lengths)).all())


def _both_ways(images: _Images, n: int, i: np.ndarray, j: np.ndarray, weights: np.ndarray) -> Bonds:
    """Bonds from the pairs (i, j) of points, seen from those that are discs and no images."""
    i, j, weights = np.concatenate((i, j)), np.concatenate((j, i)), np.tile(weights, 2)
    own = i < n
    i, j, weights = i[own], j[own], weights[own]
    order = np.lexsort((j, i))
    i, j, weights = i[order], j[order], weights[order]
    return Bonds(n, i, images.owner[j], images.points[j] - images.points[i], weights)


def coordination_numbers(bonds: Bonds) -> np.ndarray:
    """(n,) how many neighbours each disc has."""
    return np.bincount(bonds.i, minlength=bonds.n)


def hexatic_order(bonds: Bonds, weighted: bool = False, fold: int = 6) -> HexaticOrder:
    """psi_6 = mean of exp(6 i theta) over the bonds of a disc, theta being their angles to the x axis.

    |psi_6| is 1 in a triangular lattice. weighted: bonds count by their weights, the lengths of Voronoi edges, which
    makes psi_6 continuous in the positions (Mickel et al., J. Chem. Phys. 138, 044501 (2013)). fold: 4 for squares.
    """
    weights = bonds.weights if weighted else np.ones(len(bonds.i))
    angle = fold * np.arctan2(bonds.vectors[:, 1], bonds.vectors[:, 0])
    total = np.bincount(bonds.i, weights, minlength=bonds.n)
    parts = [np.bincount(bonds.i, weights * wave(angle), minlength=bonds.n) for wave in (np.cos, np.sin)]
    local = (parts[0] + 1j * parts[1]) / np.where(total > 0, total, 1.0)
    return HexaticOrder(local, complex(local.mean()) if bonds.n else 0j)


# Structure factor.


class StructureFactor(NamedTuple):
    """S(k) in shells of wave vectors. k: (shells,) mean length; S, error: (shells,); modes: (shells,) how many wave
    vectors, k and -k being one. Shells without any are left out."""

    k: np.ndarray
    S: np.ndarray
    error: np.ndarray
    modes: np.ndarray


def density_modes(positions: Any, box: BoxLike, k_max: float) -> tuple[np.ndarray, np.ndarray]:
    """(m, 2) the wave vectors 2 pi (a / width, b / height) that the box allows, 0 < |k| <= k_max, of k and -k one; and
    (m,) complex sum over the discs of exp(-i k.r). The box must be periodic in x and y. |sum|^2 / n is S(k)."""
    frame = _frame(box)
    if not frame.periodic.all():
        raise ValueError("a structure factor needs a box that is periodic in x and y: between walls no wave fits, and "
                         "S(k) would be that of the box")
    x = _placed(positions, frame)
    unit = 2 * math.pi / frame.lengths
    if not unit.min() <= k_max < math.inf:
        raise ValueError(f"k_max is {k_max!r}; it must be finite and at least {unit.min():g}, the smallest wave number "
                         f"of the box")
    last = np.floor(k_max / unit).astype(int)
    a, b = np.arange(last[0] + 1), np.arange(-last[1], last[1] + 1)
    total = np.zeros((len(a), len(b)), dtype=complex)
    rows = max(CHUNK // (len(a) + len(b)), 1)
    for low in range(0, len(x), rows):
        phase = x[low:low + rows] * -unit
        total += np.exp(1j * np.outer(a, phase[:, 0])) @ np.exp(1j * np.outer(phase[:, 1], b))
    vectors = np.stack(np.meshgrid(a * unit[0], b * unit[1], indexing="ij"), axis=-1)
    half = ((a[:, None] > 0) | (b > 0)) & (np.hypot(vectors[..., 0], vectors[..., 1]) <= k_max)
    return vectors[half], total[half]


def structure_factor(snapshots: Any, box: BoxLike, edges: Any) -> StructureFactor:
    """S(k) = <|sum exp(-i k.r)|^2> / n, averaged over the wave vectors that a periodic box allows in shells between
    edges (shells + 1,) of |k|; wave numbers are radians per length.

    Its limit for small k is kT times the number density times the compressibility, less finite-size corrections.
    Errors: by blocking of the snapshots; for fewer than 16, that of independent Gaussian modes.
    """
    edges = _edges(edges)
    series: list[np.ndarray] = []
    k: np.ndarray = np.zeros(0)
    modes: np.ndarray = np.zeros(0, dtype=int)
    for x in _frames(snapshots):
        vectors, total = density_modes(x, box, edges[-1])
        length = np.hypot(vectors[:, 0], vectors[:, 1])
        shell = np.searchsorted(edges, length, side="right") - 1
        inside = (shell >= 0) & (shell < len(edges) - 1)
        shell = shell[inside]
        modes = np.bincount(shell, minlength=len(edges) - 1)
        if len(x) == 0 or not modes.any():
            raise ValueError(f"there is nothing to average: {len(x)} discs, {len(shell)} wave vectors between edges")
        k = np.bincount(shell, length[inside], minlength=len(modes))
        power = np.bincount(shell, np.abs(total[inside]) ** 2 / len(x), minlength=len(modes))
        series.append(power[modes > 0] / modes[modes > 0])
    if not series:
        raise ValueError("there is no snapshot")
    held = modes > 0
    values = np.array(series)
    S, error = _mean_and_error(values, values.mean(axis=0) / np.sqrt(modes[held] * len(values)))
    return StructureFactor(k[held] / modes[held], S, error, modes[held])


# Motion in time.


class Lagged(NamedTuple):
    """A mean over discs and starting times. time: (lags,); value, error: (lags,)."""

    time: np.ndarray
    value: np.ndarray
    error: np.ndarray


def mean_squared_displacement(unwrapped: Any, spacing: float = 1.0, lags: int | None = None) -> Lagged:
    """<|r(s + t) - r(s)|^2> of trajectories (frames, n, 2) at equal spacings in time, over all s.

    The positions must be unwrapped (`system.unwrapped_positions`): those that jump back into a periodic box are no
    trajectories. lags: how many, all frames by default; the last ones have few starting times. Errors: from the scatter
    of the discs, as if these were independent; nan for one. By FFT (Calandrini et al., Collection SFN 12, 201 (2011)).
    """
    r = _trajectories(unwrapped, "unwrapped")
    r -= r[:1].copy()           # squares of distances from the start lose fewer digits than those of positions

    def displacement(part: np.ndarray) -> np.ndarray:
        square = np.square(part).sum(axis=2)
        ahead = np.cumsum(square[::-1], axis=0)[::-1]        # sum over s of |r(s + t)|^2
        behind = np.cumsum(square, axis=0)[::-1]             # sum over s of |r(s)|^2
        result = np.maximum(ahead + behind - 2 * _lagged_products(part), 0.0)
        result[0] = 0.0
        return result

    return _over_discs(r, displacement, spacing, lags)


def root_mean_square_distance(positions: Any, others: Any, box: BoxLike) -> float:
    """sqrt(<|r_i - s_i|^2>) over the discs i of two states r and s, (n, 2) each, in length units; on a periodic axis the
    distance is that to the nearest image. nan without discs."""
    frame = _frame(box)
    d = _placed(positions, frame) - _placed(others, frame)
    d -= np.where(frame.periodic, frame.lengths * np.rint(d / frame.lengths), 0.0)
    return math.sqrt(np.square(d).sum(axis=1).mean()) if len(d) else math.nan


def velocity_autocorrelation(velocities: Any, spacing: float = 1.0, lags: int | None = None) -> Lagged:
    """<v(s) . v(s + t)> of velocities (frames, n, 2) at equal spacings in time, over all s; <v^2> at t = 0.

    lags and errors as in `mean_squared_displacement`.
    """
    return _over_discs(_trajectories(velocities, "velocities"), _lagged_products, spacing, lags)


def _trajectories(values: Any, name: str) -> np.ndarray:
    array = np.array(values, dtype=float)
    if array.ndim != 3 or array.shape[2] != 2 or 0 in array.shape:
        raise ValueError(f"{name} has shape {array.shape}; expected (frames, n, 2)")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def _lagged_products(part: np.ndarray) -> np.ndarray:
    """(frames, n) sums over s of part(s) . part(s + t), for all lags t."""
    frames = len(part)
    size = 1 << (2 * frames - 1).bit_length()       # padded: nothing wraps around
    power = np.square(np.abs(np.fft.rfft(part, size, axis=0))).sum(axis=2)
    return np.fft.irfft(power, size, axis=0)[:frames]


def _over_discs(trajectories: np.ndarray, sums: Any, spacing: float, lags: int | None) -> Lagged:
    """Means over starting times, then over discs with the scatter of these, some discs at a time."""
    if not 0 < spacing < math.inf:
        raise ValueError(f"spacing is {spacing!r}; it must be positive and finite")
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


# Histograms, and where the discs are.


class Histogram(NamedTuple):
    """A probability density. edges: (bins + 1,); density, error: (bins,); counts: (bins,) in all snapshots."""

    edges: np.ndarray
    density: np.ndarray
    error: np.ndarray
    counts: np.ndarray


class DensityMap(NamedTuple):
    """Number density in equal rectangles. density, error: (columns, rows), [0, 0] being at the lower left."""

    density: np.ndarray
    error: np.ndarray


def speed_histogram(velocities: Any, edges: Any) -> Histogram:
    """The distribution of the speeds in snapshots of velocities, in bins between edges (bins + 1,).

    Its integral is 1 less what lies outside the edges. Errors as in `radial_distribution`.
    """
    return _histogram([np.hypot(v[:, 0], v[:, 1]) for v in _snapshots(velocities, None)], edges)


def velocity_histogram(velocities: Any, edges: Any, axis: int) -> Histogram:
    """The same of one component of the velocities: axis 0 for x, 1 for y."""
    if axis not in (0, 1):
        raise ValueError(f"axis is {axis!r}; it must be 0 (x) or 1 (y)")
    return _histogram([v[:, axis] for v in _snapshots(velocities, None)], edges)


def _histogram(samples: list[np.ndarray], edges: Any) -> Histogram:
    edges = _edges(edges)
    if len(samples[0]) == 0:
        raise ValueError("a histogram needs at least one disc")
    counts = np.array([np.histogram(one, edges)[0] for one in samples])
    mean, error = _counts_and_errors(counts)
    scale = len(samples[0]) * np.diff(edges)
    return Histogram(edges, mean / scale, error / scale, counts.sum(axis=0))


def local_density(snapshots: Any, box: BoxLike, columns: int, rows: int) -> DensityMap:
    """Discs (their centres) per area in each of columns x rows equal rectangles. Errors as in `radial_distribution`."""
    shape = np.array([operator.index(columns), operator.index(rows)])
    if shape.min() < 1:
        raise ValueError(f"columns and rows are {columns} and {rows}; they must be at least 1")
    frame = _frame(box)
    counts = []
    for x in _snapshots(snapshots, frame):
        cell = np.clip((x / frame.lengths * shape).astype(np.intp), 0, shape - 1)
        counts.append(np.bincount(cell[:, 0] * shape[1] + cell[:, 1], minlength=int(shape.prod())))
    area = frame.area / shape.prod()
    density, error = (part.reshape(shape) / area for part in _counts_and_errors(np.array(counts)))
    return DensityMap(density, error)


def fraction_inside(snapshots: Any, box: BoxLike, left: float, bottom: float, right: float, top: float) -> np.ndarray:
    """(frames,) the part of the discs with centres in left <= x < right, bottom <= y < top; for `blocking_error`."""
    low, high = np.array([left, bottom], dtype=float), np.array([right, top], dtype=float)
    if not (low < high).all():
        raise ValueError(f"the region from {low.tolist()} to {high.tolist()} is empty; it needs left < right and "
                         f"bottom < top")
    inside = np.array([((x >= low) & (x < high)).all(axis=1) for x in _snapshots(snapshots, _frame(box))])
    if inside.size == 0:
        raise ValueError("a fraction needs at least one disc")
    return inside.mean(axis=1)
