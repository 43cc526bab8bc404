"""`Temperature`: time averages of temperature and kinetic energy, integrated over flights."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .observer import Observer, Reading, _error


class Temperature(Observer):
    """Time averages of temperature and kinetic energy, also by species; integrated over all flights, not sampled.

    value: the time average of the temperature that `system.temperature` defines. theory: the present temperature, which is
    conserved; None if driven discs change the energy. In `table`, the mean energy of each species is compared with
    equipartition, K_i = kT (1 - p m_i / (2 M)) per disc, where M is the total mass and p the number of periodic axes, along which
    the centre of mass must be at rest; among obstacles other than half-planes p is 0. species: as for `CollisionRates`;
    ValueError if it leaves out a disc of finite mass.
    """

    kind = "energy"
    integral = True

    def _grouped(self) -> tuple[np.ndarray, list[str]]:
        group, names = super()._grouped()
        if (group[np.isfinite(self._scene.masses)] < 0).any():
            raise ValueError("species leaves a disc out; the temperature is that of all discs of finite mass")
        return group, names

    def _temperature(self, energy: Any, reading: Reading) -> Any:
        return (2 * (energy - reading.centre) / (self._scene.k_B * reading.freedom)) if reading.freedom else 0 * energy

    @property
    def value(self) -> float:
        """Mean temperature since the beginning; nan before any time has passed."""
        reading = self._read()
        return float(self._temperature(self.energy, reading)) if reading.elapsed > 0 else math.nan

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; only rounding, unless contacts change the energy. nan until there are enough
        data."""
        return _error(self.over_time()[1])

    @property
    def theory(self) -> float | None:
        """The present temperature, which is conserved; None if contacts change the energy."""
        reading = self._read()
        return float(self._temperature(reading.energy, reading)) if self._scene.conserving else None

    @property
    def energy(self) -> float:
        """Mean kinetic energy of the discs of finite mass since the beginning; nan before any time has passed."""
        return float(self.energies.sum())

    @property
    def energies(self) -> np.ndarray:
        """(s,) mean kinetic energy of each species since the beginning; nan before any time has passed."""
        reading = self._read()
        return reading.total / reading.elapsed if reading.elapsed > 0 else np.full(len(reading.total), math.nan)

    def over_time(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(b,) times since the beginning, (b,) temperatures and (b, s) kinetic energies of each species: means over b equal spans
        of time with these times in the middle."""
        reading = self._read()
        energies = reading.blocks / (reading.span or math.nan)
        times, temperatures = self._running(reading, self._temperature(energies.sum(axis=1), reading))
        return times, temperatures, energies

    def _shares(self, reading: Reading) -> np.ndarray | None:
        """(s,) kinetic energies of the species by equipartition; None if it does not apply, because energy is not conserved or
        the centre of mass moves along a periodic axis."""
        s = self._scene
        mobile = np.isfinite(s.masses)
        at_rest = sum(s.conserved) if mobile.all() else 0
        if not mobile.any() or not s.conserving or (at_rest and reading.centre > 1e-12 * reading.energy):
            return None
        lost = 0.5 * at_rest * s.masses[mobile] / s.masses[mobile].sum()
        return np.bincount(self._group[mobile], reading.kT * (1 - lost), minlength=len(self.species))

    def rows(self) -> Iterable[Sequence[Any]]:
        yield "temperature", self.value, self.error, self.theory
        _, _, series = self.over_time()
        laws = self._shares(self._read())
        for s, name in enumerate(self.species):
            yield f"energy, {name}", self.energies[s], _error(series[:, s]), None if laws is None else laws[s]

    def _draw(self, ax: Any) -> None:
        self._draw_series(ax, self.over_time()[1], "temperature")
