"""The structure factor S(k) of a periodic box."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..model.box import BoxLike
from ..model.numbers import shown
from .errors import _mean_and_error
from .near import CHUNK, _frame, _frames, _placed
from .pairs import _edges


class StructureFactor(NamedTuple):
    """S(k) in shells of wave vectors. k: (shells,) mean length of the wave vectors, radians / length. S, error: (shells,). modes:
    (shells,) number of wave vectors, where k and -k count once. Shells without wave vectors are left out."""

    k: np.ndarray
    S: np.ndarray
    error: np.ndarray
    modes: np.ndarray


def density_modes(positions: Any, box: BoxLike, k_max: float) -> tuple[np.ndarray, np.ndarray]:
    """The wave vectors k of a periodic box, and the Fourier sums of the discs at these.

    Returns (m, d) the vectors 2 pi (a / width, b / height) with whole a, b (in three dimensions also c / depth) and
    0 < |k| <= k_max, one of each pair k and -k; and (m,) complex, the sums of exp(-i k.r) over the discs. |sum|^2 / n is S(k).
    positions: (n, d). ValueError if the box is not periodic on all axes, or k_max is less than the smallest wave number."""
    frame = _frame(box)
    if not frame.periodic.all():
        raise ValueError("a structure factor needs a box that is periodic on all axes: between walls no wave fits, and "
                         "S(k) would be that of the box")
    x = _placed(positions, frame)
    unit = 2 * math.pi / frame.lengths
    if not unit.min() <= k_max < math.inf:
        raise ValueError(f"k_max is {shown(k_max)}; it must be finite and at least {unit.min():g}, the smallest wave number "
                         f"of the box")
    last = np.floor(k_max / unit).astype(int)
    whole = [np.arange(last[0] + 1), *(np.arange(-end, end + 1) for end in last[1:])]
    shape = tuple(map(len, whole))
    total = np.zeros((shape[0], math.prod(shape[1:])), dtype=complex)
    rows = max(CHUNK // sum(total.shape), 1)
    for low in range(0, len(x), rows):
        phase = x[low:low + rows] * -unit
        others = np.exp(1j * np.outer(phase[:, 1], whole[1]))
        for axis in range(2, frame.dimension):
            others = (others[:, :, None] * np.exp(1j * np.outer(phase[:, axis], whole[axis]))[:, None]).reshape(len(phase), -1)
        total += np.exp(1j * np.outer(whole[0], phase[:, 0])) @ others
    numbers = np.stack(np.meshgrid(*whole, indexing="ij"), axis=-1)
    vectors = numbers * unit
    first = np.zeros(shape, dtype=bool)         # of each pair k and -k, the one whose first number that is not 0 is positive
    for axis in reversed(range(frame.dimension)):
        first = (numbers[..., axis] > 0) | (numbers[..., axis] == 0) & first
    half = first & (np.sqrt(np.square(vectors).sum(axis=-1)) <= k_max)
    return vectors[half], total.reshape(shape)[half]


def structure_factor(snapshots: Any, box: BoxLike, edges: Any) -> StructureFactor:
    """S(k) = <|sum exp(-i k.r)|^2> / n, averaged over the wave vectors of a periodic box in shells of |k|.

    edges: (shells + 1,) ascending limits of the shells, radians / length. The limit of S for small k is kT times the number
    density times the compressibility, apart from finite-size corrections. Errors: by blocking over the snapshots; for fewer than
    16 snapshots, those of independent Gaussian modes. ValueError for a box that is not periodic, and without snapshots, discs or
    wave vectors.
    """
    edges = _edges(edges)
    series: list[np.ndarray] = []
    k: np.ndarray = np.zeros(0)
    modes: np.ndarray = np.zeros(0, dtype=int)
    for x in _frames(snapshots):
        vectors, total = density_modes(x, box, edges[-1])
        length = np.sqrt(np.square(vectors).sum(axis=1))
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
