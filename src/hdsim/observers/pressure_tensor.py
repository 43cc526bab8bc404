"""`PressureTensor`: the momentum that flights and contacts carry along each axis."""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .observer import Observer, Reading, _error
from .pressure import ALONE, fluid_pressure


def drift_of(system: Any) -> np.ndarray:
    """(d,) the velocity of the centre of mass along periodic axes, where it is constant; 0 along others, among discs of infinite
    mass, which take up momentum, and beside thermal surfaces, which give it."""
    masses = system.masses
    if not len(masses) or not np.isfinite(masses).all() or system.is_heated:
        return np.zeros(system.dimension)
    return np.where(system.box.periodic, np.asarray(system.momentum) / masses.sum(), 0.0)


class PressureTensor(Observer):
    """Pressure tensor, mass / time^2 (in three dimensions mass / (length time^2)): momentum along b that passes planes across a,
    per time and length or area, as a mean over the box.

    value: (d, d), symmetric; from flights, the sum of m v_a v_b, and from contacts, the sum of J n_a n_b times the distance of
    the centres, over time and volume; kT is that of the degrees of freedom, as in `Pressure`, and in a periodic box the trace
    over d is `Pressure.virial`. Contacts with a wall count with the radius: across a wall the value tends to the pressure on it.
    The centre of mass may move. theory: in a periodic fluid the pressure times the unit matrix, as for `Pressure`. ValueError
    among obstacles.
    """

    kind = "stress"
    integral = True

    def __init__(self) -> None:
        super().__init__()

    def _scene_of(self, system: Any, engine: Any) -> Any:
        self._regions = drift_of(system)
        return super()._scene_of(system, engine)

    def _settings(self, groups: int) -> Any:
        if self._scene.obstacles:
            raise ValueError(f"the pressure tensor {ALONE}; this system has {len(self._scene.obstacles)}")
        return super()._settings(groups)

    def _tensors(self, sums: np.ndarray, time: float, reading: Reading) -> np.ndarray:
        """(..., d, d) the tensor of sums (..., d (d + 1) / 2) over a time."""
        s, d = self._scene, self._scene.dimension
        tensor = np.empty((*sums.shape[:-1], d, d))
        for k, (a, b) in enumerate(itertools.combinations_with_replacement(range(d), 2)):
            tensor[..., a, b] = tensor[..., b, a] = sums[..., k] / time
        if np.isfinite(s.masses).all() and not s.heated:     # N kT along each axis; of a periodic one the flights have (N - 1) kT
            tensor += reading.kT * np.diag(np.array(s.periodic, dtype=float))
        return tensor / s.volume

    @property
    def value(self) -> np.ndarray:
        """(d, d) the mean tensor since the beginning; nan before any time has passed."""
        reading = self._read()
        return self._tensors(reading.total, reading.elapsed if reading.elapsed > 0 else math.nan, reading)

    @property
    def _series(self) -> np.ndarray:
        """(b, d, d) the tensor of each block."""
        reading = self._read()
        return self._tensors(reading.blocks, reading.span or math.nan, reading)

    @property
    def error(self) -> np.ndarray:
        """(d, d) standard errors of the value, by blocking; nan until there are enough data."""
        series, d = self._series, self._scene.dimension
        return np.array([[_error(series[:, a, b]) for b in range(d)] for a in range(d)])

    @property
    def theory(self) -> np.ndarray | None:
        law = fluid_pressure(self, self._read())
        return None if law is None else law * np.eye(self._scene.dimension)

    def rows(self) -> Iterable[Sequence[Any]]:
        value, error, law = self.value, self.error, self.theory
        for a, b in itertools.combinations_with_replacement(range(self._scene.dimension), 2):
            yield "xyz"[a] + "xyz"[b], float(value[a, b]), float(error[a, b]), None if law is None else float(law[a, b])

    def _draw(self, ax: Any) -> None:
        reading, series = self._read(), self._series
        for a, b in itertools.combinations_with_replacement(range(self._scene.dimension), 2):
            ax.plot(*self._running(reading, series[:, a, b]), ".", ms=3, label="xyz"[a] + "xyz"[b])
        ax.set(xlabel="time since the beginning", ylabel="pressure tensor")
        ax.legend()
