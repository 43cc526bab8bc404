"""`Profile`: number, temperature, flow and pressure in slabs across an axis."""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .observer import Observer, Settings, _count, _error

BINS_MOST = 1000        # sums of all of them are stored for each block
PASSING = 1e-9          # of the time that has passed: where discs were for less, sums are hardly more than what rounding leaves


class Profile(Observer):
    """Number density, temperature, mean velocity and pressure tensor in equal slabs across an axis.

    axis: "x", "y" or "z". bins: the number of slabs, at most 1000. With b slabs in d dimensions value and error are
    (b, 2 + d + d^2), with the columns of `names`: discs per area (spheres per volume); the temperature, without the kinetic
    energy of the mean velocity; the d components of that; and row by row the pressure tensor, the momentum along b that passes
    planes across a, per time and length or area, as seen from the mean velocity. `density`, `temperature`, `velocity` and
    `pressure` are these parts of the value, `places` (b,) the middles of the slabs.
    All are exact averages over time: a straight flight adds to each slab the time that it spends there, and the momentum of a
    contact is divided among the slabs between the centres, or between the centre and the place where a disc touches a surface
    (Irving and Kirkwood). Discs of infinite mass are left out, but not their contacts. A mean velocity or temperature is nan
    where no disc has been. theory: None. ValueError for an axis that the box does not have, and for another number of slabs.
    """

    kind = "profile"

    def __init__(self, axis: str, bins: int = 20) -> None:
        if axis not in ("x", "y", "z"):
            raise ValueError(f"axis is {axis!r}; it must be 'x', 'y' or 'z'")
        super().__init__(axis=axis, bins=_count("bins", bins, 1, BINS_MOST))

    def _settings(self, groups: int) -> Settings:
        axis, bins, scene = "xyz".index(self._options["axis"]), self._options["bins"], self._scene
        if axis >= scene.dimension:
            raise ValueError("axis is 'z'; a box of two dimensions has x and y")
        return Settings(self.kind, groups, bins=bins, low=float(scene.periodic[axis]), inverse=bins / scene.lengths[axis],
                        integral=True, axis=axis)

    @property
    def names(self) -> list[str]:
        """Of the columns of value and error."""
        axes = "xyz"[:self._scene.dimension]
        return ["density", "temperature", *(f"v{a}" for a in axes), *(f"p{a}{b}" for a in axes for b in axes)]

    @property
    def places(self) -> np.ndarray:
        """(b,) the middles of the slabs, length units."""
        return (np.arange(self._set.bins) + 0.5) / self._set.inverse

    def _sums(self, total: np.ndarray) -> tuple[np.ndarray, ...]:
        """From sums (..., b * c): time (..., b), mass (..., b), momentum (..., b, d), and tensors (..., b, d, d) of flights and
        contacts."""
        d = self._scene.dimension
        rows = total.reshape(*total.shape[:-1], self._set.bins, total.shape[-1] // self._set.bins)
        flights, k = np.empty((*rows.shape[:-1], d, d)), 2 + d
        for a, b in itertools.combinations_with_replacement(range(d), 2):
            flights[..., a, b] = flights[..., b, a] = rows[..., k]
            k += 1
        return rows[..., 0], rows[..., 1], rows[..., 2:2 + d], flights, rows[..., k:].reshape(*rows.shape[:-1], d, d)

    def _columns(self, total: np.ndarray, span: float, u: np.ndarray, seen: np.ndarray) -> np.ndarray:
        """(..., b, c) the columns from sums over a time, as seen from the velocities u, (b, d). seen: (b,) the time that discs
        have spent in each slab, and (b,) times their mass, in such a time on the average."""
        scene, d = self._scene, self._scene.dimension
        time, mass, momentum, flights, contacts = self._sums(total)
        flow = np.nan_to_num(u)     # contacts carry momentum through slabs where no centre has been, too
        moved = momentum[..., :, None] * flow[:, None, :]
        flights = flights - moved - moved.swapaxes(-1, -2) + mass[..., None, None] * flow[:, :, None] * flow[:, None, :]
        relative = (momentum - mass[..., None] * u) / seen[1][:, None]
        thermal = np.trace(flights, axis1=-2, axis2=-1) / d / scene.k_B
        slab = scene.volume / self._set.bins
        # Of ratios of sums, those of one block differ from the mean by their first order.
        mean = thermal / seen[0] if time.ndim == 1 else (thermal - self._temperature * (time - seen[0])) / seen[0]
        pressure = (flights + contacts) / (slab * span)
        return np.concatenate((time[..., None] / (slab * span), mean[..., None], relative + u,
                               pressure.reshape(*pressure.shape[:-2], d * d)), axis=-1)

    def _mean(self, total: np.ndarray, elapsed: float) -> np.ndarray:
        """(b, c) the columns from sums since the beginning. Keeps what blocks are compared with."""
        time, mass, momentum, *_ = self._sums(total)
        self._seen = np.where((elapsed > 0) & (time > PASSING * elapsed), (time, mass), math.nan)
        self._velocity = momentum / self._seen[1][:, None]
        found = self._columns(total, elapsed or math.nan, self._velocity, self._seen)
        self._temperature = found[:, 1]
        return found

    @property
    def value(self) -> np.ndarray:
        """(b, c) the means since the beginning; nan before any time has passed."""
        reading = self._read()
        return self._mean(reading.total, reading.elapsed)

    @property
    def error(self) -> np.ndarray:
        """(b, c) standard errors of the value, by blocking; nan until there are enough data."""
        reading = self._read()
        self._mean(reading.total, reading.elapsed)
        part = reading.span / (reading.elapsed or math.nan)
        series = self._columns(reading.blocks, reading.span or math.nan, self._velocity, part * self._seen)
        return np.array([[_error(series[:, k, column]) for column in range(series.shape[2])] for k in range(series.shape[1])])

    @property
    def density(self) -> np.ndarray:
        """(b,) discs per area, spheres per volume."""
        return self.value[:, 0]

    @property
    def temperature(self) -> np.ndarray:
        """(b,) the kinetic temperature as seen from the mean velocity."""
        return self.value[:, 1]

    @property
    def velocity(self) -> np.ndarray:
        """(b, d) the mean velocity, that of the mass."""
        return self.value[:, 2:2 + self._scene.dimension]

    @property
    def pressure(self) -> np.ndarray:
        """(b, d, d) the pressure tensor."""
        d = self._scene.dimension
        return self.value[:, 2 + d:].reshape(-1, d, d)

    def rows(self) -> Iterable[Sequence[Any]]:
        for place, values, errors in zip(self.places.tolist(), self.value.tolist(), self.error.tolist()):
            for name, value, error in zip(self.names, values, errors):
                yield f"{self._options['axis']} = {place:.4g}, {name}", value, error, None

    def _draw(self, ax: Any) -> None:
        value, error = self.value, self.error
        for k, name in enumerate(self.names[:2 + self._scene.dimension]):
            ax.errorbar(self.places, value[:, k], error[:, k], fmt=".-", lw=.8, label=name)
        ax.set(xlabel=self._options["axis"])
        ax.legend()
