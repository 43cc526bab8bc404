"""Observers of a gas of `hdsim.spaces`: those of discs that make sense in every space, with the theory of balls.

The sums are made by the same compiled code as for discs: it sees each body as a disc that moves with the same speed.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from . import collision_rates, free_flight, pressure, speeds
from .observer import Observer, Reading, _error
from .restored import observer_of, restored

SPHERES_TOO_FEW = 2     # bodies: fewer have no equation of state


class Scene(NamedTuple):
    """The properties of a gas that do not change while an observer is attached."""

    radii: np.ndarray           # (n,)
    masses: np.ndarray          # (n,)
    space: Any
    kind: str                   # of the space, as `Setting.kind` of hdsim.spaces
    lengths: tuple[float, ...]  # of periodic axes, 0 for the others
    walls: int
    diagonal: float             # a length of the size of the space
    periodic: tuple[bool, ...] = ()
    k_B: float = 1.0
    conserving: bool = True     # no contact takes energy; fixed bodies do not move
    obstacles: tuple[()] = ()   # walls and fixed bodies are no shapes
    species: None = None        # a gas has none of its own
    gravity: tuple[float, ...] = ()     # nothing falls in a space
    is_uniform: bool = True     # nothing but walls makes one place differ from another

    @classmethod
    def of(cls, gas: Any) -> Scene:
        """The scene of a gas. ValueError for an own space, whose kinetic energy the compiled sums do not know."""
        setting = gas.setting
        if setting.kind == "own":
            raise ValueError(f"{type(gas.space).__name__} is a space of your own, which observers do not know; use on_collision")
        size = max([*setting.lengths, float(np.ptp(gas.positions)) if len(gas) else 0.0]) or 1.0
        return cls(gas.radii, gas.masses, gas.space, setting.kind, setting.lengths, len(setting.walls), math.hypot(size, size),
                   conserving=gas.conserves_energy)

    @property
    def dimension(self) -> int:
        return self.space.dimension

    @property
    def volume(self) -> float | None:
        """Of a periodic box; None for other gases."""
        return math.prod(self.lengths) if self.kind == "flat" and all(self.lengths) else None

    @property
    def norm(self) -> float | None:
        """The exponent p of a norm without weights; None for other spaces."""
        p = getattr(self.space, "p", None)
        return p if p is not None and set(self.space.weights) == {1.0} else None

    @property
    def exchanges(self) -> bool:
        """Whether contacts only exchange components: balls of equal masses with orthogonal facets, all of them parallel."""
        facets = self.dimension == 1 or self.norm == math.inf or (self.norm == 1 and self.dimension == 2)
        return self.kind == "flat" and facets and bool((self.masses == self.masses[0]).all())

    @property
    def density(self) -> float | None:
        """N / V times the d-th power of the diameter, for equal mobile balls in a periodic box; None for others, and where
        contacts take energy: then no theory of equilibrium applies."""
        if not self.conserving or self.volume is None or len(self.radii) < SPHERES_TOO_FEW:
            return None
        if not np.isfinite(self.masses).all() or (self.radii != self.radii[0]).any():
            return None
        return len(self.radii) * float(2 * self.radii[0]) ** self.dimension / self.volume


def _factor(density: float | None, p: float | None, d: int) -> float | None:
    """`theory.norm_compressibility_factor`, None where there is none."""
    if density is None or p is None:
        return None
    try:
        return float(theory.norm_compressibility_factor(density, p, d))
    except ValueError:
        return None


def _factor_of_few(scene: Scene) -> float | None:
    """Z of N balls in a periodic box, with the correction of the first order in 1/N (as `theory.ensemble_correction`), by
    differences; None where no equation is known."""
    rho, p, d = scene.density, scene.norm, scene.dimension
    step = 1e-4 * (rho or 0.0)
    z, low, high = (_factor(None if rho is None else rho + k * step, p, d) for k in (0, -1, 1))
    if rho is None or z is None or low is None or high is None:
        return None
    first, second = (high - low) / (2 * step), (high - 2 * z + low) / step**2
    return z - rho * (2 * first + rho * second) / (2 * len(scene.radii) * (z + rho * first))


class _OfBalls(Observer):
    """What observers of a gas have in common."""

    _scene: Any

    def _scene_of(self, system: Any, engine: Any) -> Scene:
        return Scene.of(system)

    def _rate(self, reading: Reading) -> float | None:
        """Contacts of one ball with others per time by theory, for discs or spheres of equal masses; None for others."""
        s = self._scene
        z = _factor_of_few(s)
        if z is None or s.norm != 2 or s.dimension < 2 or (s.masses != s.masses[0]).any() or not reading.kT > 0:
            return None
        speed = math.sqrt(reading.kT / (math.pi * float(s.masses[0])))
        return s.dimension / float(s.radii[0]) * (z - 1) * speed * theory.speed_factor(reading.freedom)


class Pressure(_OfBalls, pressure.Pressure):
    """Pressure of a gas in a flat space all of whose axes are periodic, from the collision virial: (N kT + sum of J n.d / (d
    t)) / V, with the momentum J n that a contact transfers between centres d apart, in d dimensions.

    theory: for equal balls of a norm with a known equation of state (`theory.norm_compressibility_factor`), with the correction
    for N balls. compressibility_factor: P V / (N kT). ValueError for other spaces.
    """

    def _scene_of(self, system: Any, engine: Any) -> Scene:
        scene = super()._scene_of(system, engine)
        if scene.volume is None:
            raise ValueError("the pressure of a gas is measured where all axes are periodic; this gas has others")
        return scene

    def _parts(self, total: np.ndarray, time: float, reading: Reading) -> dict[str, Any]:
        s = self._scene
        sums = np.moveaxis(total / time, -1, 0)
        kinetic = (reading.energy if s.conserving else sums[-1]) - reading.centre
        gas = int(np.isfinite(s.masses).sum()) * (2 * kinetic / reading.freedom if reading.freedom else 0 * kinetic)
        virial = (gas + sums[0] / s.dimension) / s.volume
        return {"value": virial, "virial": virial, "gas": gas / s.volume, "axes": (virial,) * 2, "walls": {}}

    @property
    def theory(self) -> float | None:
        z = _factor_of_few(self._scene)
        return None if z is None else float(z * self._now()["gas"])

    def rows(self) -> Iterable[Sequence[Any]]:
        gas, law = float(self._now()["gas"]), self.theory
        yield "pressure", self.value, self.error, law
        yield ("compressibility factor", self.compressibility_factor, self.error / gas if gas else math.nan,
               law / gas if law is not None else None)


class CollisionRates(_OfBalls, collision_rates.CollisionRates):
    """Counts and rates of contacts, by pair of species, and with walls; as `hdsim.CollisionRates`. theory: for equal discs
    or spheres in a periodic box, `theory.norm_collision_rate`, with the correction for N balls."""

    @property
    def theory(self) -> float | None:
        rate = self._rate(self._read())
        return None if rate is None or (self._group < 0).any() else 0.5 * len(self._scene.radii) * rate

    @property
    def wall_counts(self) -> np.ndarray:
        """(s,) int64: the number of contacts of each species with walls."""
        return super().wall_counts.sum(axis=1)

    def rows(self) -> Iterable[Sequence[Any]]:
        reading = self._read()
        time = reading.elapsed or math.nan
        pairs, walls = self._split(reading.blocks / (reading.span or math.nan))
        yield "ball-ball", self.value, self.error, self.theory
        for a, one in enumerate(self.species):
            for b, other in enumerate(self.species[a:], a):
                yield f"{one} - {other}", self.pair_counts[a, b] / time, _error(pairs[:, a, b]), None
        if self._scene.walls:
            yield "walls", self.wall_counts.sum() / time, _error(walls.sum(axis=(1, 2))), None


class _FreeFlightOfBalls(_OfBalls):
    def _law_of(self, reading: Reading) -> float | None:
        """The mean speed divided by the rate, or the inverse of the rate."""
        rate, s = self._rate(reading), self._scene
        if rate is None or not rate > 0 or reading.centre > 1e-12 * reading.energy or self._options["walls"]:
            return None
        if self.kind == "free time":
            return 1 / rate
        share = 1 / len(s.radii)
        return float(theory.mean_speed(s.masses[0], reading.kT, s.dimension, reading.freedom, share)) / rate


class FreePath(_FreeFlightOfBalls, free_flight.FreePath):
    """Free paths, as `hdsim.FreePath`: lengths of flights between two contacts of a ball. theory: for equal balls in a periodic
    box with a known equation of state, if the centre of mass is at rest."""


class FreeTime(_FreeFlightOfBalls, free_flight.FreeTime):
    """Free times, as `hdsim.FreeTime`. theory: as for `FreePath`."""


class Speed(_OfBalls, speeds.Speed):
    """Speeds, as `hdsim.Speed`: mean, root mean square and histogram. A speed is the square root of twice the kinetic energy
    per mass. theory: Maxwell's law in `dimension` dimensions, with the factor for finite N. Balls of equal masses whose facets
    are parallel to each other, such as squares, do not reach it: they only exchange components."""

    def _fastest(self) -> float:
        return super()._fastest() * math.sqrt(self._scene.dimension / 2)

    def _shares(self) -> np.ndarray | None:
        """(m,) mean square speeds of the balls that are not left out, by equipartition; None if that does not hold."""
        s, kT, masses = self._scene, self._thermal, self._scene.masses[self._group >= 0]
        if kT is None or len(masses) == 0 or s.exchanges:
            return None
        bound = sum(1 for length in s.lengths if length) if np.isfinite(s.masses).all() and not s.walls else 0
        return kT / masses * (s.dimension - bound * masses / s.masses.sum())

    @property
    def theory(self) -> float | None:
        squares, d = self._shares(), self._scene.dimension
        if squares is None:
            return None
        return float(np.mean(theory.mean_speed(1.0, squares / d, d, self._read().freedom)))

    def _law(self, x: np.ndarray, s: int) -> np.ndarray | None:
        kT, mass = self._thermal, self._of_species(self._scene.masses)[s]
        if kT is None or math.isnan(mass) or self._scene.exchanges:
            return None
        return theory.speed_pdf(x, mass, kT, d=self._scene.dimension)

    def rows(self) -> Iterable[Sequence[Any]]:
        squares = self._shares()
        yield "mean speed", self.value, self.error, self.theory
        yield ("rms speed", self.rms, _error(self._blocks()[:, 1]) / (2 * self.rms or math.nan),
               None if squares is None else math.sqrt(squares.mean()))


BALLS: tuple[type[Observer], ...] = (Pressure, CollisionRates, FreePath, FreeTime, Speed)


def of_balls(observer: Any, options: dict[str, Any]) -> Observer:
    """The observer of a gas for an observer of discs, such as `hdsim.Pressure()`, or its name, as for
    `CollisionSystem.observe`: the same object, which from now on is one of this module. ValueError for one that makes no sense
    in other spaces."""
    found = observer_of(observer, options) if type(observer) not in BALLS else observer
    if type(found) in BALLS:
        return found
    for ours in BALLS:
        if ours.__name__ == type(found).__name__:
            found.__class__ = ours
            return found
    raise ValueError(f"{type(found).__name__} observes discs in a box; a gas has {', '.join(cls.__name__ for cls in BALLS)}")


def restored_of_balls(gas: Any, engine: Any, number: int, arrays: dict[str, np.ndarray], data: dict[str, Any]) -> Observer:
    """`restored` for an observer of a gas."""
    return restored(gas, engine, number, arrays, data, BALLS)
