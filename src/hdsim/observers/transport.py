"""`Viscosity`, `BulkViscosity` and `HeatConductivity`, from what flights and contacts carry (Einstein and Helfand)."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .correlations import lag_steps
from .observer import LEVELS_MAX, Observer, Reading, Settings, _count, _positive, block_error
from .pressure_tensor import drift_of
from .text_tables import _text

BETWEEN = (10, 20)      # lags, in samples, between which the slope is taken


class _Transport(Observer):
    """A transport coefficient: the slope of the mean square of a collective moment.

    W(t), the momentum or energy that flights carry along and contacts carry across within a time t, has a mean square whose
    slope tends to twice the coefficient, times volume and temperature (Helfand 1960; of hard spheres Alder, Gass and Wainwright,
    J. Chem. Phys. 53, 3813, 1970)."""

    kind = "transport"
    integral = True
    row = 0                     # of the sums of the core
    law = ""                    # of the modules of theory
    quantity = ""

    def __init__(self, every: float | None = None, levels: int = 3, between: tuple[int, int] = BETWEEN) -> None:
        every = None if every is None else _positive("every", every)
        levels = _count("levels", levels, 1, LEVELS_MAX)
        low, high = (int(lag) for lag in between)
        steps = lag_steps(levels).tolist()
        if not (0 <= low < high and low in steps and high in steps):
            raise ValueError(f"between is {(low, high)}; it must be two lags, the lower first, of {_listed(steps)}")
        super().__init__(every=every, levels=levels, between=[low, high])

    def _scene_of(self, system: Any, engine: Any) -> Any:
        self._regions = drift_of(system)
        return super()._scene_of(system, engine)

    def _settings(self, groups: int) -> Settings:
        s = self._scene
        if not all(s.periodic) or s.obstacles or not np.isfinite(s.masses).all() or len(s.masses) < 2:
            raise ValueError(f"{type(self).__name__} is that of a fluid in a periodic box: two discs or more of finite mass, no "
                             "walls and no obstacles")
        every = self._options["every"]
        if every is None:
            found = self._disc_rates(self._start)
            if found is None or not found[1].sum() > 0:
                raise ValueError("give every, a time of about one mean free time: that of this system is not known, because it "
                                 "is no fluid that there is a theory of")
            every = len(s.masses) / float(found[1].sum())
        return Settings(self.kind, groups, integral=True, levels=self._options["levels"], every=every)

    # -- sums

    @property
    def lags(self) -> np.ndarray:
        """(k,) the lags for which there has been a pair of samples, time units."""
        return self._steps(self._read()) * self._set.every

    def _steps(self, reading: Reading) -> np.ndarray:
        return lag_steps(self._set.levels)[:int(np.count_nonzero(self._table(reading.total)[0]))]

    def _table(self, sums: np.ndarray) -> np.ndarray:
        """(..., 5, l): numbers of origins, and the sums of squares and traces, for all l lags."""
        return sums.reshape(*sums.shape[:-1], 5, -1)

    def _squares(self, table: np.ndarray, total: np.ndarray) -> np.ndarray:
        """(..., l) the sums of squares of `table`, (..., 5, l), about the mean of `total`, (5, l)."""
        return table[..., self.row, :]

    def _scale(self, reading: Reading) -> float:
        """G(t) is the mean square divided by this."""
        raise NotImplementedError

    def _growth(self, reading: Reading) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """G (k,) at all k lags; the deviations (b, k) of its sum in each block from G times the number of origins; and these
        numbers, (b, k)."""
        k = len(self._steps(reading))
        total, blocks = self._table(reading.total)[:, :k], self._table(reading.blocks)[..., :k]
        ends = 1 - self._steps(reading) * self._set.every / reading.elapsed if reading.elapsed > 0 else np.ones(k)
        scale = self._scale(reading) * (ends if self.row == BulkViscosity.row else 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            growth = self._squares(total, total) / total[0] / scale
            deviations = self._squares(blocks, total) / scale - growth * blocks[:, 0]
        return growth, deviations, blocks[:, 0]

    # -- results

    @property
    def growth(self) -> np.ndarray:
        """(k,) G(t) at the `lags`: the mean square of W over twice volume and temperature. Its slope tends to the coefficient."""
        return self._growth(self._read())[0]

    @property
    def coefficients(self) -> np.ndarray:
        """(k - 1,) G(t) / t at all lags but 0, which tends to the coefficient as 1/t. At short lags it is the share of contacts
        alone."""
        return self.growth[1:] / self.lags[1:]

    @property
    def coefficients_error(self) -> np.ndarray:
        """(k - 1,) standard errors of `coefficients`."""
        _, deviations, origins = self._growth(self._read())
        return np.array([block_error(deviations[:, [k]], origins[:, [k]], np.ones(1)) for k in range(1, origins.shape[1])]
                        ) / self.lags[1:]

    def _ends(self, reading: Reading) -> tuple[int, int] | None:
        """The indices of the two lags between which the slope is taken; None before there are pairs of samples."""
        steps = self._steps(reading).tolist()
        low, high = self._options["between"]
        return (steps.index(low), steps.index(high)) if high in steps else None

    @property
    def value(self) -> float:
        """The slope of G between the two lags; nan until there has been a pair of samples so far apart."""
        reading = self._read()
        if (ends := self._ends(reading)) is None:
            return math.nan
        growth, times = self._growth(reading)[0][list(ends)], self._steps(reading)[list(ends)] * self._set.every
        return float(np.diff(growth)[0] / np.diff(times)[0])

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; nan until there are enough data."""
        reading = self._read()
        if (ends := self._ends(reading)) is None:
            return math.nan
        _, deviations, origins = self._growth(reading)
        low, high = self._options["between"]
        return block_error(deviations[:, ends], origins[:, ends], np.array([-1.0, 1.0])) / ((high - low) * self._set.every)

    @property
    def theory(self) -> float | None:
        """Enskog's value for a fluid of equal discs; None for others."""
        s, kT = self._scene, self._fluid(self._read())
        if kT is None or np.ptp(s.radii) or np.ptp(s.masses):
            return None
        return float(getattr(s.laws, self.law)(s.packing_fraction, s.radii[0], s.masses[0], kT))

    head = ("lag", "G / lag", "error")

    def rows(self) -> Iterable[Sequence[Any]]:
        return ((_text(lag), *row) for lag, *row in zip(self.lags[1:], self.coefficients, self.coefficients_error))

    def table(self) -> str:
        """The result, and G(t) / t at all lags, as text."""
        return f"{self!r}\n{super().table()}"

    def _draw(self, ax: Any) -> None:
        ax.errorbar(self.lags[1:], self.coefficients, self.coefficients_error, fmt=".", label="G / lag")
        ax.axhline(self.value, color="C0", label="slope")
        if self.theory is not None:
            ax.axhline(self.theory, color="C3", ls="--", label="Enskog")
        ax.set(xlabel="lag", ylabel=self.quantity, xscale="log")
        ax.legend()


def _listed(steps: list[int]) -> str:
    return f"{', '.join(map(str, steps[:3]))} ... {', '.join(map(str, steps[-3:]))}"


class Viscosity(_Transport):
    """Shear viscosity of a fluid in a periodic box, mass / (length time), of discs mass / time.

    every: time between samples; None: one mean free time by theory. levels: of lags, as for `MeanSquaredDisplacement`. between:
    two lags, as multiples of `every`; `value` is the slope of `growth` from the one to the other, by default from 10 to 20, where
    the motion of single discs is forgotten. All components of the deviator of the stress are used, as an average over
    directions. The centre of mass may move. error: of this run; finite N makes a difference of some 2/N besides. theory:
    Enskog's, for equal discs: some per cent up to a packing fraction of 0.3, and half of the true value near freezing; in two
    dimensions the coefficient grows, slowly, with the logarithm of time. ValueError for another system, for a `between` that is
    no pair of lags, and without `every` where the mean free time is not known.
    """

    row = 1
    law = "enskog_viscosity"
    quantity = "shear viscosity"

    def _scale(self, reading: Reading) -> float:
        d = self._scene.dimension
        return (d - 1) * (d + 2) * 2 * self._scene.volume * reading.kT


class BulkViscosity(_Transport):
    """Bulk viscosity of a fluid in a periodic box, mass / (length time), of discs mass / time, from deviations of the pressure.

    Arguments, results and errors as for `Viscosity`. theory: Enskog's, of contacts that know nothing of each other; the true one
    is larger in dense fluids.
    """

    row = 3
    law = "enskog_bulk_viscosity"
    quantity = "bulk viscosity"

    def _scale(self, reading: Reading) -> float:
        return self._scene.dimension**2 * 2 * self._scene.volume * reading.kT

    def _squares(self, table: np.ndarray, total: np.ndarray) -> np.ndarray:
        mean = total[2] / total[0]
        return table[..., 3, :] - 2 * mean * table[..., 2, :] + mean**2 * table[..., 0, :]


class HeatConductivity(_Transport):
    """Heat conductivity over k_B of a fluid of equal discs in a periodic box, 1 / (length time), of discs 1 / time.

    Arguments, results and errors as for `Viscosity`. theory: Enskog's, to 5 % up to freezing for spheres. In a mixture heat flows
    with the species, too: ValueError unless all radii and masses are equal.
    """

    row = 4
    law = "enskog_conductivity"
    quantity = "heat conductivity / k_B"

    def _settings(self, groups: int) -> Settings:
        if np.ptp(self._scene.radii) or np.ptp(self._scene.masses):
            raise ValueError("HeatConductivity is that of equal discs; in a mixture heat flows with the species, too")
        return super()._settings(groups)

    def _scale(self, reading: Reading) -> float:
        return self._scene.dimension * 2 * self._scene.volume * reading.kT**2
