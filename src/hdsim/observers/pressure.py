"""`Pressure`: from the momentum that contacts transfer."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .. import theory
from ..model.box import WALLS
from .observer import Observer, Reading, Settings, _error


ALONE = "is that of discs without obstacles"


def fluid_pressure(observer: Observer, reading: Reading) -> float | None:
    """The pressure of a periodic fluid by its equation of state, for equal radii corrected for the number of discs; None if there
    is no theory of the observed system."""
    kT, s = observer._fluid(reading), observer._scene
    n, eta = len(s.radii), s.packing_fraction
    if kT is None or n == 0:
        return None
    z = float(s.laws.mixture_compressibility_factor(eta, np.ones(n), s.radii))
    if n > 1 and (s.radii == s.radii[0]).all() and eta <= s.laws.CORRECTION_LIMIT:
        z += float(s.laws.ensemble_correction(eta, n))
    return float(n * kT / s.volume * z)


class Pressure(Observer):
    """Pressure, in mass / time^2 (in three dimensions mass / (length time^2)): force per length or area of the walls, or from
    the collision virial along periodic axes.

    value: between four walls, the impulses on the walls divided by time and total length of the walls. With two periodic axes,
    (N kT + sum of |J| |dr| / 2t) / area, with kT from the degrees of freedom, so that it is the canonical pressure for any N
    (docs/observers.md). With one periodic axis, the mean over both axes.
    theory: in periodic boxes up to a packing fraction of 0.70, Kolafa and Rottner's equation of state, accurate to 1e-5, with the
    correction for the number of discs up to 0.68; for mixtures that of Santos, Yuste and Lopez de Haro, accurate to 0.2 %.
    Between four walls, for equal radii up to 0.5, scaled particle theory, accurate to 0.5 %. In three dimensions, in periodic
    boxes up to a packing fraction of 0.539, `theory.spheres`: accurate to 1e-4, for mixtures to 0.3 %.
    Among obstacles, and with gravity, value is that on the walls of the box alone, each with its whole length; there is no
    theory, virial and compressibility factor raise ValueError, and so does observing where no axis has walls: the virial is that
    of discs which touch each other and the walls only.
    """

    kind = "pressure"

    def __init__(self) -> None:
        super().__init__()

    def _settings(self, groups: int) -> Settings:
        if self._scene.obstacles and all(self._scene.periodic):
            raise ValueError(f"the pressure of a periodic box {ALONE}; this one has {len(self._scene.obstacles)} and no walls")
        return super()._settings(groups)._replace(integral=not self._scene.conserving)

    def _parts(self, total: np.ndarray, time: float, reading: Reading) -> dict[str, Any]:
        """The pressures from sums (..., 3 d + 1) over a time, in d dimensions: value, of each axis and wall, virial, and of the
        ideal gas (`gas`)."""
        s, d = self._scene, self._scene.dimension
        mobile = int(np.isfinite(s.masses).sum())
        sums = np.moveaxis(total / time, -1, 0)
        pairs, forces = sums[:d], sums[d:3 * d]
        kinetic = (reading.energy if s.conserving else sums[3 * d]) - reading.centre
        gas = mobile * 2 * kinetic / reading.freedom if reading.freedom else 0 * kinetic
        walls = {name: force / s.faces[k // 2] for k, (name, force) in enumerate(zip(WALLS, forces))}
        virial = (gas + sum(pairs[1:], pairs[0]) / d) / s.volume
        axes = [(gas + pairs[axis]) / s.volume if s.periodic[axis]
                else 0.5 * (walls[WALLS[2 * axis]] + walls[WALLS[2 * axis + 1]]) for axis in range(d)]
        walled = 2 * sum(face for face, periodic in zip(s.faces, s.periodic) if not periodic)       # size of all walls
        if not s.is_uniform:
            axes = [pressure * (math.nan if periodic else 1.0) for pressure, periodic in zip(axes, s.periodic)]
        value = (forces.sum(axis=0) / walled if not s.is_uniform or not any(s.periodic)
                 else virial if all(s.periodic) else sum(axes[1:], axes[0]) / d)
        return {"value": value, "axes": axes, "walls": walls, "virial": virial, "gas": gas / s.volume}

    def _now(self) -> dict[str, Any]:
        reading = self._read()
        if not reading.elapsed > 0:
            return self._parts(np.full(3 * self._scene.dimension + 1, math.nan), 1.0, reading)
        return self._parts(reading.total, reading.elapsed, reading)

    def _blocks(self) -> dict[str, Any]:
        reading = self._read()
        return self._parts(reading.blocks, reading.span or math.nan, reading)

    @property
    def value(self) -> float:
        """Mean pressure since the beginning; nan before any time has passed."""
        return float(self._now()["value"])

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; nan until there are enough data. Between four walls the force is the virial
        less the change of sum m r.v, which is bounded, and in a box that is not square the difference of the pressures along x
        and y: the errors of these parts are added in quadrature."""
        blocks = self._blocks()
        value, virial = blocks["value"], blocks["virial"]
        if not blocks["walls"] or any(self._scene.periodic) or not self._scene.is_uniform or not virial.sum() > 0:
            return _error(value)
        inner = value.sum() / virial.sum() * virial
        if (moment := self._moment(blocks)) is None:
            return math.hypot(_error(inner), _error(value - inner))
        moment *= value.sum() / virial.sum()
        return math.hypot(_error(inner), _error(moment, stored=True), _error(value - inner - moment))

    def _moment(self, blocks: dict[str, Any]) -> np.ndarray | None:
        """The growth of sum m r.v / (d volume) in each block between four walls, per time: pressure by the walls less the virial.
        None if the radii differ, so that the walls act at several distances, or if some discs do not move, or energy is not
        conserved."""
        s = self._scene
        if not s.conserving or np.ptp(s.radii) or not np.isfinite(s.masses).all():
            return None
        radius = float(s.radii[0])
        moments = [(length - 2 * radius) * face * p for length, face, p in zip(s.lengths, s.faces, blocks["axes"])]
        growth: np.ndarray = sum(moments[1:], moments[0]) / (s.dimension * s.volume) - blocks["virial"]
        return growth

    @property
    def axes(self) -> tuple[float, ...]:
        """Pressure along each axis: the mean of the two walls, or the virial of a periodic axis, which is nan among obstacles."""
        return tuple(map(float, self._now()["axes"]))

    @property
    def walls(self) -> dict[str, float]:
        """Pressure on each wall by name ("left", "right", "bottom", "top", in three dimensions "back", "front"); walls of a
        periodic axis are left out."""
        return {name: float(p) for k, (name, p) in enumerate(self._now()["walls"].items()) if not self._scene.periodic[k // 2]}

    @property
    def virial(self) -> float:
        """Pressure from the virial of disc-disc contacts, whatever the box: (N kT + sum of |J| |dr| / 2t) / area. ValueError
        among obstacles and with gravity."""
        self._require_uniform("virial")
        return float(self._now()["virial"])

    @property
    def compressibility_factor(self) -> float:
        """Compressibility factor Z = P A / (N kT), from `value`; nan at T = 0. ValueError among obstacles and with
        gravity."""
        self._require_uniform("compressibility factor")
        now = self._now()
        return float(now["value"] / now["gas"]) if now["gas"] else math.nan

    def _require_uniform(self, what: str) -> None:
        if not self._scene.is_uniform:
            alone = ALONE if self._scene.obstacles else "is that of discs without gravity"
            raise ValueError(f"the {what} {alone}; Pressure.walls has the pressure on each wall")

    @property
    def theory(self) -> float | None:
        reading = self._read()
        if (walled := self._walled(reading)) is not None:
            return theory.mean_wall_pressure(*walled)
        return fluid_pressure(self, reading)

    def rows(self) -> Iterable[Sequence[Any]]:
        now, blocks, law = self._now(), self._blocks(), self.theory
        gas = float(now["gas"])
        yield "pressure", self.value, self.error, law
        if self._scene.is_uniform:
            yield ("compressibility factor", self.compressibility_factor, self.error / gas if gas else math.nan,
                   law / gas if law is not None else None)
        for axis in range(self._scene.dimension):
            if not self._scene.is_uniform and self._scene.periodic[axis]:
                continue
            yield f"along {'xyz'[axis]}", float(now["axes"][axis]), _error(blocks["axes"][axis]), None
        for name in self.walls:
            yield f"{name} wall", float(now["walls"][name]), _error(blocks["walls"][name]), None

    def _draw(self, ax: Any) -> None:
        self._draw_series(ax, self._blocks()["value"], "pressure")
