"""Observers: what is summed up in the compiled core while a system runs, with errors and theory beside it.

    pressure = system.observe(Pressure())
    system.simulate(until=2000)
    print(pressure.table())

The sums are made in `core/observers.pxd`; here they get names, units, error bars (by blocking) and laws. Observing cannot
change a run: hashes are equal with and without. Knows the arrays of a system, and its engine's doors; nothing else.
"""
from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core, theory
from .observables import blocking_error

SPECIES_MAX = 64        # of one observer: pairs of them are counted, at many times
KINDS_MAX = 16          # more different discs than that are one species unless somebody says which
BINS_MAX = 1_000_000
RANGE = 1e200           # of a histogram: larger or smaller numbers are none that a system can have
LEVELS_MAX = 40
NOBODY = "nobody"       # the name of a species without discs
WALLED_MOST = 0.5       # packing fraction of a fluid with a law between walls, which are so many ...
WIDTHS_LEAST = 10       # ... diameters apart at least
BLOCKS_LEAST = 16       # fewer say nothing about an error
_RECORDS = np.dtype([("time", "f8"), ("i", "i4"), ("j", "i4"), ("nx", "f8"), ("ny", "f8"), ("impulse", "f8")])
_ARRAYS = ("total", "block", "histogram", "value", "record")
_FLOATS = ("begin", "begin_low", "width", "next")


class Settings(NamedTuple):
    """What the core is told, see `_core.Engine.observe`."""

    kind: str
    groups: int
    bins: int = 0
    low: float = 0.0
    inverse: float = 0.0
    with_walls: bool = True
    integral: bool = False
    axis: int = 0
    levels: int = 0
    most: int = 0
    every: float = 0.0


class Scene(NamedTuple):
    """What is observed, as far as it does not change."""

    radii: np.ndarray           # (n,)
    masses: np.ndarray          # (n,)
    width: float
    height: float
    periodic: tuple[bool, bool]
    k_B: float
    undriven: bool              # no disc of infinite mass moves, so that kinetic energy is conserved

    @classmethod
    def of(cls, system: Any) -> Scene:
        box, masses = system.box, system.masses
        undriven = not system.velocities[np.isinf(masses)].any()
        return cls(system.radii, masses, box.width, box.height, box.periodic, system.k_B, undriven)

    @property
    def packing_fraction(self) -> float:
        return math.pi * float(np.square(self.radii).sum()) / (self.width * self.height)


class Reading(NamedTuple):
    """What has been seen up to a moment."""

    total: np.ndarray           # (k,)
    blocks: np.ndarray          # (b, k): the growth of `total` in each of b equal spans of time
    histogram: np.ndarray
    record: np.ndarray          # (m, 6)
    span: float                 # time
    elapsed: float              # time
    missed: int
    centre: float               # energy of the motion of the centre of mass that is no heat ...
    freedom: int                # ... and the degrees of freedom of the rest
    energy: float               # kinetic, now

    @property
    def kT(self) -> float:
        """Temperature now, in units of energy; 0 where nothing is free to move."""
        return 2 * (self.energy - self.centre) / self.freedom if self.freedom else 0.0


def _error(series: np.ndarray) -> float:
    """Standard error of the mean of a correlated series; nan for fewer than BLOCKS_LEAST numbers, or if there is no mean."""
    if len(series) < BLOCKS_LEAST or not np.isfinite(series).all():
        return math.nan
    return float(blocking_error(series).error)


def _pair_rates(radii: np.ndarray, masses: np.ndarray, counts: np.ndarray, area: float, kT: float, freedom: int
                ) -> np.ndarray:
    """(s, s) contacts per time among `counts` discs of each species, each pair of species once (above the diagonal)."""
    n = counts.sum()
    own = np.eye(len(counts))
    eta = theory.packing_fraction(counts / area, radii).sum()
    # A disc is no partner of its own; the contact values, which come from the pressure, are those of n^2 pairs.
    partners = (1 - own / counts) * n / (n - 1)
    rates = theory.mixture_collision_rates(eta, counts, radii, masses, kT, freedom)
    return np.triu((1 - own / 2) * counts[:, None] * rates * partners)


def _count(name: str, value: Any, least: int, most: int) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name} is {value!r}; it must be {least} ... {most}")
    return number


def _positive(name: str, value: Any) -> float:
    number = float(value)
    if not 0 < number < math.inf:
        raise ValueError(f"{name} is {value!r}; it must be positive and finite")
    return number


def _text(cell: Any) -> str:
    return "-" if cell is None else cell if isinstance(cell, str) else f"{cell:.7g}"


def text_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Text in columns, of texts, numbers and None."""
    lines = [head, *([_text(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]).rstrip()
                     for line in lines)


def new_figure() -> Any:
    """An empty figure of matplotlib; ImportError names the extra."""
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError("plots need matplotlib, an extra: pip install 'hdsim[plot]'") from None
    return matplotlib.pyplot.figure()


class Observer:
    """What all observers have. Give one to `system.observe`; it begins there and then.

    value, error, theory: the result, its standard error (nan until there are enough data) and the law (None where
    there is none that holds). table(): the same and more as text. plot(ax): a picture, needs matplotlib. reset(): begin
    anew. detach(): end; what was seen stays. `copy`, `save` and pickle of the system take its observers along, each copy
    with sums of its own: `system.observers` lists them. Discs cannot be edited, added or removed meanwhile.
    """

    kind = ""
    mobile_only = True          # discs of infinite mass are not looked at
    integral = False            # functions of the velocity are integrated over flights
    label: str | None = None    # whoever attached it may write here, and find it again in copies by that

    def __init__(self, species: Any = None, **options: Any) -> None:
        self._species = None if species is None else np.array(species)
        self._options = options         # what else it was made with, for a checkpoint
        self._system: Any = None
        self._last: Reading | None = None
        self._regions = np.empty(0)

    # -- being attached

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, integral=self.integral)

    def _begin(self, system: Any) -> None:
        """Attach to a system."""
        if self._system is not None:
            raise RuntimeError("this observer is attached to a system already; detach it first, or make another one")
        self._scene = Scene.of(system)
        self._group, self.species = self._grouped()
        centre, freedom = system._freedom()
        self._start = Reading(np.empty(0), np.empty((0, 0)), np.empty(0), np.empty((0, 6)), 0.0, 0.0, 0, centre, freedom,
                              system.kinetic_energy)
        self._set = self._settings(len(self.species))
        self._enter(system)

    def _enter(self, system: Any) -> None:
        kind, *rest = self._set
        system._engine.observe(_core.OBSERVERS[kind], self._group, *rest, self._regions)
        self._system, self._last = system, None

    def _grouped(self) -> tuple[np.ndarray, list[str]]:
        """(n,) the species of each disc, -1 if it is not looked at, and the names of the species."""
        radii, masses = self._scene.radii, self._scene.masses
        n = len(radii)
        looked_at = np.isfinite(masses) | (not self.mobile_only)
        if self._species is None:
            kinds = np.column_stack([radii, masses])
            found, numbers = np.unique(kinds[looked_at], axis=0, return_inverse=True)
            names = [f"radius {r:.4g}, mass {m:.4g}" for r, m in found.tolist()]
            if len(found) > KINDS_MAX or len(found) == 0:
                numbers, names = np.zeros(int(looked_at.sum()), dtype=int), ["all"]
        else:
            given = self._species
            if given.shape != (n,) or given.dtype.kind not in "iu":
                raise ValueError(f"species is {given.dtype} of shape {given.shape}; it must be {n} integers, one for each disc")
            looked_at &= given >= 0
            found, numbers = np.unique(given[looked_at], return_inverse=True)
            names = [str(label) for label in found.tolist()] or [NOBODY]
            if len(names) > SPECIES_MAX:
                raise ValueError(f"{len(names)} species; at most {SPECIES_MAX} can be observed")
        group = np.full(n, -1, dtype=np.intc)
        group[looked_at] = numbers.reshape(-1)
        return group, names

    @property
    def _counts(self) -> np.ndarray:
        """(s,) how many discs each species has."""
        return np.bincount(self._group[self._group >= 0], minlength=len(self.species))

    def _of_species(self, values: np.ndarray) -> np.ndarray:
        """(s,) radius or mass of each species; nan where its discs differ."""
        each = [values[self._group == s] for s in range(len(self.species))]
        return np.array([v[0] if len(v) and (v == v[0]).all() else math.nan for v in each])

    @property
    def attached(self) -> bool:
        """Is it still observing?"""
        return self._system is not None

    @property
    def _number(self) -> int:
        return [o is self for o in self._system.observers].index(True)

    def detach(self) -> None:
        """Observe no more; what was seen stays. Calling it twice does no harm."""
        if self._system is not None:
            self._system.unobserve(self)

    def _leave(self) -> None:
        self._last = self._read()
        self._system._engine.unobserve(self._number)
        self._system = None

    def reset(self) -> None:
        """Forget everything and begin now. RuntimeError if it is not attached."""
        if self._system is None:
            raise RuntimeError("this observer is not attached to a system; there is nothing to begin")
        self._system._engine.observe_anew(self._number)

    # -- copies and files

    def _twin(self, system: Any) -> Observer:
        """The observer of a copy of the system."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _system=system)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Alone, without its system, what has been seen is copied and pickled."""
        return dict(self.__dict__, _last=self._read() if self._system is not None else self._last, _system=None)

    def _stored(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What a checkpoint takes: arrays, and plain data."""
        arrays, course = self._fetch(True)
        kept = dict(zip(_ARRAYS, arrays), group=self._group, region=self._regions)
        return kept, {"class": type(self).__name__, "options": self._options, "named": self._species is not None,
                      "species": self.species,
                      "settings": [v.hex() if isinstance(v, float) else v for v in self._set],
                      "course": {k: course[k].hex() if k in _FLOATS else course[k] for k in course if k != "elapsed"}}

    @staticmethod
    def _restored(system: Any, arrays: dict[str, np.ndarray], data: dict[str, Any]) -> Observer:
        """The reverse of `_stored`. ValueError where things do not belong together: the core reads them unchecked."""
        classes = {c.__name__: c for c in OBSERVERS}
        if data["class"] not in classes:
            raise ValueError(f"no observer is called {data['class']!r}")
        self = object.__new__(classes[data["class"]])
        Observer.__init__(self, **data["options"])
        self._scene = Scene.of(system)
        kind, *numbers = data["settings"]
        self._set = Settings._make([str(kind), *(float.fromhex(v) if isinstance(v, str) else v for v in numbers)])
        self.species = [str(name) for name in data["species"]]
        self._group = np.ascontiguousarray(arrays["group"], dtype=np.intc)
        if data["named"]:
            self._species = np.array([*(int(name) for name in self.species if name != NOBODY), -1])[self._group]
        self._regions = np.ascontiguousarray(arrays["region"], dtype=np.float64)
        s, course = self._set, {k: float.fromhex(v) if k in _FLOATS else int(v) for k, v in data["course"].items()}
        if (s.kind != self.kind or s.groups != len(self.species) or not 0 < s.groups <= SPECIES_MAX
                or len(self._group) != len(system) or not ((self._group >= -1) & (self._group < s.groups)).all()
                or not 0 <= s.bins <= BINS_MAX or s.axis not in (0, 1) or not 0 <= s.levels <= LEVELS_MAX
                or not (math.isfinite(s.low) and 0 <= s.inverse < BINS_MAX * RANGE)):
            raise ValueError("the settings of an observer are not what they should be")
        self._enter(system)
        sizes = system._engine.observed_sizes(len(system.observers))
        expected = (sizes[0], sizes[0] * course["blocks"], *sizes[2:4], 6 * course["records"])
        kept = [np.ascontiguousarray(arrays[name], dtype=np.float64) for name in _ARRAYS]
        if (tuple(a.size for a in kept) != expected or not 0 <= course["blocks"] < _core.BLOCKS_MAX or course["stride"] < 1
                or course["edges"] < 0 or course["records"] > s.most or course["next"] <= course["begin"]
                or not 0 <= course["width"] < math.inf):
            raise ValueError("the sums of an observer are not what they should be")
        system._engine.set_observed(len(system.observers), *kept, course)
        return self

    # -- what was seen

    def _fetch(self, stored: bool) -> tuple[list[np.ndarray], dict[str, Any]]:
        engine, number = self._system._engine, self._number
        arrays = [np.empty(size) for size in engine.observed_sizes(number)]
        return arrays, engine.observed(number, stored, *arrays)

    def _read(self) -> Reading:
        if self._system is None:
            if self._last is None:
                raise RuntimeError("this observer has seen nothing yet; give it to system.observe()")
            return self._last
        (total, block, histogram, _, record), course = self._fetch(False)
        blocks = np.diff(block.reshape(course["blocks"], len(total)), axis=0, prepend=0.0)
        centre, freedom = self._system._freedom()
        return Reading(total, blocks, histogram, record.reshape(-1, 6), course["width"] * course["stride"],
                       course["elapsed"], course["missed"], centre, freedom, self._system.kinetic_energy)

    @property
    def elapsed(self) -> float:
        """Time since it began, in time units."""
        return self._read().elapsed

    def _fluid(self, reading: Reading) -> float | None:
        """kT, if this is a fluid that the closed formulas describe: periodic, of mobile discs, not too dense."""
        s = self._scene
        if (not all(s.periodic) or not np.isfinite(s.masses).all() or not (s.radii > 0).all()
                or not s.packing_fraction <= theory.KOLAFA_ROTTNER_LIMIT):
            return None
        return reading.kT if reading.kT > 0 else None

    def _walled(self, reading: Reading) -> tuple[int, float, float, float, float] | None:
        """n, radius, kT, width and height, if this is a fluid of equal discs between four walls that are far apart."""
        s, n = self._scene, len(self._scene.radii)
        if any(s.periodic) or n == 0 or not np.isfinite(s.masses).all() or not reading.kT > 0:
            return None
        radius = float(s.radii[0])
        if (not radius > 0 or (s.radii != radius).any() or s.packing_fraction > WALLED_MOST
                or min(s.width, s.height) < WIDTHS_LEAST * 2 * radius):
            return None
        return n, radius, reading.kT, s.width, s.height

    def _disc_rates(self, reading: Reading) -> tuple[float, np.ndarray] | None:
        """kT, and (n,) how often each disc meets others in the fluid; None where there is no law."""
        kT = self._fluid(reading)
        s = self._scene
        kinds, which, counts = np.unique(np.column_stack([s.radii, s.masses]), axis=0, return_inverse=True, return_counts=True)
        if kT is None or len(s.radii) < 2 or len(kinds) > SPECIES_MAX:
            return None
        rates = _pair_rates(kinds[:, 0], kinds[:, 1], counts, s.width * s.height, kT, reading.freedom)
        return kT, ((rates.sum(axis=0) + rates.sum(axis=1)) / counts)[which.reshape(-1)]

    @property
    def value(self) -> Any:
        raise NotImplementedError

    @property
    def error(self) -> Any:
        """Standard error of the value, by blocking; nan until there are enough data."""
        raise NotImplementedError

    @property
    def theory(self) -> Any:
        """The law for the value, or None."""
        return None

    def _rows(self) -> Iterable[Sequence[Any]]:
        """The lines of the table."""
        yield type(self).__name__, self.value, self.error, self.theory

    _head: tuple[str, ...] = ("", "value", "error", "theory")

    def table(self) -> str:
        """What was seen, as text in columns."""
        return text_table(self._head, self._rows())

    def plot(self, ax: Any = None) -> Any:
        """Draw it into `ax`, or a new figure; returns the axes. Needs matplotlib."""
        ax = new_figure().add_subplot() if ax is None else ax
        self._draw(ax)
        return ax

    def _draw(self, ax: Any) -> None:
        raise NotImplementedError

    def _running(self, reading: Reading, series: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Times since the beginning, at the middles of the blocks, and the series."""
        return (np.arange(len(series)) + 0.5) * reading.span, series

    def _draw_series(self, ax: Any, series: np.ndarray, label: str) -> None:
        reading = self._read()
        ax.plot(*self._running(reading, series), ".", ms=3, label="blocks")
        ax.axhline(self.value, color="C0", label="mean")
        if self.theory is not None:
            ax.axhline(self.theory, color="C3", ls="--", label="theory")
        ax.set(xlabel="time since the beginning", ylabel=label)
        ax.legend()


class Pressure(Observer):
    """Pressure: force on the walls per length; along periodic axes by the collision virial.

    value: walls all round: the impulses on the walls over time and length of the walls. Periodic in both axes: (N kT + sum
    of |J| |dr| / 2t) / area, with kT from the degrees of freedom, so that it is the canonical pressure at any N (see
    docs/observers.md). One axis periodic: the mean over the axes. Units: mass / time^2.
    theory: Kolafa and Rottner's equation of state, good to 1e-5; of mixtures Santos, Yuste and Lopez de Haro's, good to
    0.2 %. For periodic boxes, up to a packing fraction of 0.70; of equal discs up to 0.68 for this very N. Between four walls that of scaled particle theory, good to
    0.5 %, for equal radii, up to 0.5.
    """

    kind = "pressure"

    def __init__(self) -> None:
        super().__init__()

    def _settings(self, groups: int) -> Settings:
        return super()._settings(groups)._replace(integral=not self._scene.undriven)

    def _parts(self, total: np.ndarray, time: float, reading: Reading) -> dict[str, Any]:
        """All that follows from such sums over such a time, one row or many."""
        s = self._scene
        mobile = int(np.isfinite(s.masses).sum())
        area = s.width * s.height
        sums = np.moveaxis(total / time, -1, 0)
        kinetic = (reading.energy if s.undriven else sums[6]) - reading.centre
        gas = mobile * 2 * kinetic / reading.freedom if reading.freedom else 0 * kinetic
        walls = dict(zip(_core.WALLS, sums[2:6] / np.array([s.height, s.height, s.width, s.width]).reshape(
            (4,) + (1,) * (sums.ndim - 1))))
        virial = (gas + 0.5 * (sums[0] + sums[1])) / area
        axes = [(gas + sums[axis]) / area if s.periodic[axis] else 0.5 * (walls[low] + walls[high])
                for axis, (low, high) in enumerate((("left", "right"), ("bottom", "top")))]
        value = (sums[2:6].sum(axis=0) / (2 * (s.width + s.height)) if not any(s.periodic)
                 else virial if all(s.periodic) else 0.5 * (axes[0] + axes[1]))
        return {"value": value, "axes": axes, "walls": walls, "virial": virial, "gas": gas / area}

    def _now(self) -> dict[str, Any]:
        reading = self._read()
        if not reading.elapsed > 0:
            return self._parts(np.full(7, math.nan), 1.0, reading)
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
        """Standard error of the value, by blocking; nan until there are enough data."""
        return _error(self._blocks()["value"])

    @property
    def axes(self) -> tuple[float, float]:
        """Pressure along x and along y: the mean of the two walls, or the virial of a periodic axis."""
        x, y = self._now()["axes"]
        return float(x), float(y)

    @property
    def walls(self) -> dict[str, float]:
        """Pressure on each wall; an axis without walls is left out."""
        walls = {name: float(p) for name, p in self._now()["walls"].items()}
        return {name: p for name, p in walls.items() if not self._scene.periodic[name in ("bottom", "top")]}

    @property
    def virial(self) -> float:
        """The pressure by the collision virial alone: in a box with walls, that of disc-disc contacts."""
        return float(self._now()["virial"])

    @property
    def compressibility_factor(self) -> float:
        """Z = P A / (N kT)."""
        now = self._now()
        return float(now["value"] / now["gas"]) if now["gas"] else math.nan

    @property
    def theory(self) -> float | None:
        reading, s = self._read(), self._scene
        if (walled := self._walled(reading)) is not None:
            return theory.mean_wall_pressure(*walled)
        kT = self._fluid(reading)
        n, eta = len(s.radii), s.packing_fraction
        if kT is None or n == 0:
            return None
        z = theory.mixture_compressibility_factor(eta, np.ones(n), s.radii)
        if n > 1 and (s.radii == s.radii[0]).all() and eta <= theory.CORRECTION_LIMIT:
            z += theory.ensemble_correction(eta, n)
        return n * kT / (s.width * s.height) * z

    def _rows(self) -> Iterable[Sequence[Any]]:
        now, blocks, law = self._now(), self._blocks(), self.theory
        gas = float(now["gas"])
        yield "pressure", self.value, self.error, law
        yield ("compressibility factor", self.compressibility_factor, self.error / gas if gas else math.nan,
               law / gas if law is not None else None)
        for axis in range(2):
            yield f"along {'xy'[axis]}", float(now["axes"][axis]), _error(blocks["axes"][axis]), None
        for name in self.walls:
            yield f"{name} wall", float(now["walls"][name]), _error(blocks["walls"][name]), None

    def _draw(self, ax: Any) -> None:
        self._draw_series(ax, self._blocks()["value"], "pressure")


class Temperature(Observer):
    """Temperature and kinetic energy, over time and by species; integrated over all flights, not sampled.

    value: the time average of the temperature as `system.temperature` defines it. theory: the present temperature, which
    is conserved unless discs are driven. Species: equipartition, less the share of the centre of mass where that is at
    rest along periodic axes: K_i = kT (1 - p m_i / 2M) per disc, p the number of such axes.
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
        """Standard error of the value, by blocking: rounding alone, unless discs are driven."""
        return _error(self.over_time()[1])

    @property
    def theory(self) -> float | None:
        reading = self._read()
        return float(self._temperature(reading.energy, reading)) if self._scene.undriven else None

    @property
    def energy(self) -> float:
        """Mean kinetic energy since the beginning, of the discs that are looked at."""
        return float(self.energies.sum())

    @property
    def energies(self) -> np.ndarray:
        """(s,) mean kinetic energy of each species."""
        reading = self._read()
        return reading.total / reading.elapsed if reading.elapsed > 0 else np.full(len(reading.total), math.nan)

    def over_time(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(b,) times since the beginning, (b,) temperature and (b, s) kinetic energy of each species: means over b equal
        spans of time around these times."""
        reading = self._read()
        energies = reading.blocks / (reading.span or math.nan)
        times, temperatures = self._running(reading, self._temperature(energies.sum(axis=1), reading))
        return times, temperatures, energies

    def _shares(self, reading: Reading) -> np.ndarray | None:
        """(s,) energies by equipartition."""
        s = self._scene
        mobile = np.isfinite(s.masses)
        at_rest = sum(s.periodic) if mobile.all() else 0
        if not mobile.any() or not s.undriven or (at_rest and reading.centre > 1e-12 * reading.energy):
            return None
        lost = 0.5 * at_rest * s.masses[mobile] / s.masses[mobile].sum()
        return np.bincount(self._group[mobile], reading.kT * (1 - lost), minlength=len(self.species))

    def _rows(self) -> Iterable[Sequence[Any]]:
        yield "temperature", self.value, self.error, self.theory
        _, _, series = self.over_time()
        laws = self._shares(self._read())
        for s, name in enumerate(self.species):
            yield f"energy, {name}", self.energies[s], _error(series[:, s]), None if laws is None else laws[s]

    def _draw(self, ax: Any) -> None:
        self._draw_series(ax, self.over_time()[1], "temperature")


class CollisionRates(Observer):
    """Contacts counted by kind and by pair of species.

    species: (n,) integers, one for each disc, negative to leave it out; None: by radius and mass. value: disc-disc
    contacts per time. theory: Enskog's rate with the contact value of Kolafa and Rottner's equation of state, and its
    finite-N factor; for mixtures the contact values of Santos, Yuste and Lopez de Haro. For periodic boxes, and for equal
    discs between four walls, as `Pressure`.
    """

    kind = "counts"
    mobile_only = False

    def _split(self, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        s = len(self.species)
        return total[..., :s * s].reshape(*total.shape[:-1], s, s), total[..., s * s:].reshape(*total.shape[:-1], s, 4)

    @property
    def pair_counts(self) -> np.ndarray:
        """(s, s) int64: contacts between species; each pair of species once, above the diagonal."""
        return self._split(self._read().total)[0].astype(np.int64)

    @property
    def wall_counts(self) -> np.ndarray:
        """(s, 4) int64: contacts of species with the left, right, bottom and top wall."""
        return self._split(self._read().total)[1].astype(np.int64)

    @property
    def value(self) -> float:
        """Disc-disc contacts per time since the beginning; nan before any time has passed."""
        reading = self._read()
        return float(self.pair_counts.sum() / reading.elapsed) if reading.elapsed > 0 else math.nan

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; nan until there are enough data."""
        reading = self._read()
        return _error(self._split(reading.blocks)[0].sum(axis=(1, 2)) / (reading.span or math.nan))

    def _laws(self) -> np.ndarray | None:
        """(s, s) by theory."""
        reading, s = self._read(), self._scene
        walled, kT = self._walled(reading), self._fluid(reading)
        if walled is not None and len(self.species) == 1 and not (self._group < 0).any() and (s.masses == s.masses[0]).all():
            n, radius, *rest = walled
            return np.array([[theory.walled_collision_rates(n, radius, s.masses[0], *rest)[0]]])
        radii, masses = self._of_species(s.radii), self._of_species(s.masses)
        if kT is None or len(s.radii) < 2 or not np.isfinite(radii + masses).all() or (self._group < 0).any():
            return None
        return _pair_rates(radii, masses, self._counts, s.width * s.height, kT, self._read().freedom)

    @property
    def theory(self) -> float | None:
        laws = self._laws()
        return None if laws is None else float(laws.sum())

    def _rows(self) -> Iterable[Sequence[Any]]:
        reading, laws = self._read(), self._laws()
        time = reading.elapsed or math.nan
        pairs, walls = self._split(reading.blocks / (reading.span or math.nan))
        yield "disc-disc", self.value, self.error, self.theory
        for a, one in enumerate(self.species):
            for b, other in enumerate(self.species[a:], a):
                yield (f"{one} - {other}", self.pair_counts[a, b] / time, _error(pairs[:, a, b]),
                       None if laws is None else laws[a, b])
        for k, wall in enumerate(_core.WALLS):
            if not self._scene.periodic[k // 2]:
                yield f"{wall} wall", self.wall_counts[:, k].sum() / time, _error(walls[:, :, k].sum(axis=1)), None

    def _draw(self, ax: Any) -> None:
        reading = self._read()
        self._draw_series(ax, self._split(reading.blocks)[0].sum(axis=(1, 2)) / (reading.span or math.nan),
                          "disc-disc contacts per time")


class Histogrammed(Observer):
    """Observers with a histogram of each species: `bins` equal bins between the two numbers of `range`."""

    quantity = ""

    def __init__(self, bins: int = 200, range: tuple[float, float] | None = None, species: Any = None) -> None:
        limits = None if range is None else [float(range[0]), float(range[1])]
        super().__init__(species, bins=_count("bins", bins, 1, BINS_MAX), range=limits)
        if limits and not (max(map(abs, limits)) < RANGE and 1 / RANGE < limits[1] - limits[0]):
            raise ValueError(f"range is {range!r}; it must be (low, high) with low < high, both of a size below {RANGE:g}")

    def _settings(self, groups: int) -> Settings:
        low, high = self._options["range"] or self._guess()
        bins = self._options["bins"]
        return Settings(self.kind, groups, bins, low, bins / (high - low), integral=self.integral)

    def _guess(self) -> tuple[float, float]:
        """A range for the histogram, where the user gives none."""
        raise NotImplementedError

    @property
    def edges(self) -> np.ndarray:
        """(bins + 1,) the edges of the histogram."""
        return self._set.low + np.arange(self._set.bins + 1) / self._set.inverse

    def _histograms(self) -> np.ndarray:
        """(k, bins + 2): with what lies below and above."""
        return self._read().histogram.reshape(-1, self._set.bins + 2)

    @property
    def histogram(self) -> np.ndarray:
        """(s, bins) density of each species, in 1 / units of the quantity; what lies outside the range counts in the
        normalisation."""
        return self._density(self._histograms())

    def _density(self, weights: np.ndarray) -> np.ndarray:
        total = weights.sum(axis=1, keepdims=True)
        return weights[:, 1:-1] / np.where(total > 0, total, math.nan) * self._set.inverse

    def _law(self, x: np.ndarray, s: int) -> np.ndarray | None:
        """The density that species s should have."""
        return None

    def _draw(self, ax: Any) -> None:
        x = 0.5 * (self.edges[1:] + self.edges[:-1])
        for s, (name, density) in enumerate(zip(self.species, self.histogram)):
            ax.stairs(density, self.edges, color=f"C{s}", label=name)
            law = self._law(x, s)
            if law is not None:
                ax.plot(x, law, color=f"C{s}", ls="--", label="theory")
        ax.set(xlabel=self.quantity, ylabel="density")
        ax.legend()


class _FreeFlight(Histogrammed):
    """Free paths or times between contacts of a disc, of complete flights that began since the observer did."""

    def __init__(self, walls: bool = False, bins: int = 200, range: tuple[float, float] | None = None,
                 species: Any = None) -> None:
        super().__init__(bins, range, species)
        self._options["walls"] = bool(walls)

    def _settings(self, groups: int) -> Settings:
        return super()._settings(groups)._replace(with_walls=self._options["walls"])

    def _guess(self) -> tuple[float, float]:
        """Ten times the mean that theory expects of this density, or a box."""
        s = self._scene
        kT = self._start.kT
        speed = math.sqrt(2 * kT / s.masses[np.isfinite(s.masses)].mean()) if kT > 0 else 1.0
        law = self._law_of(self._start)
        size = math.hypot(s.width, s.height)
        return 0.0, 10 * law if law else size if self.kind == "free path" else size / speed

    def _law_of(self, reading: Reading) -> float | None:
        found = None if self._options["walls"] else self._disc_rates(reading)
        looked_at = self._group >= 0
        if found is None or not found[1][looked_at].sum() > 0:
            return None
        kT, rates = found
        length = (theory.mean_speed(self._scene.masses[looked_at], kT).sum() if self.kind == "free path"
                  else looked_at.sum())
        return float(length / rates[looked_at].sum())

    @property
    def _sums(self) -> np.ndarray:
        """(s, 4): flights, and sums of the first three powers."""
        return self._read().total.reshape(-1, 4)

    def _blocks(self) -> np.ndarray:
        """(b, s, 4): of each span of time."""
        blocks = self._read().blocks
        return blocks.reshape(len(blocks), len(self.species), 4)

    @property
    def flights(self) -> int:
        """How many complete flights there were."""
        return int(self._sums[:, 0].sum())

    @property
    def moments(self) -> np.ndarray:
        """(3,) means of the quantity, its square and its cube."""
        sums = self._sums.sum(axis=0)
        return sums[1:] / (sums[0] or math.nan)

    @property
    def value(self) -> float:
        """The mean; nan before the first complete flight."""
        return float(self.moments[0])

    def _error_of(self, blocks: np.ndarray) -> float:
        """Of a mean over flights whose number varies: flights and sums of each block, (b, 4)."""
        flights = blocks[:, 0].mean() if len(blocks) else 0.0
        mean = blocks[:, 1].sum() / blocks[:, 0].sum() if flights else math.nan
        return _error((blocks[:, 1] - mean * blocks[:, 0]) / (flights or math.nan))

    @property
    def error(self) -> float:
        """Standard error of the mean, by blocking; nan until there are enough data."""
        return self._error_of(self._blocks().sum(axis=1))

    @property
    def theory(self) -> float | None:
        return self._law_of(self._read())

    def _rows(self) -> Iterable[Sequence[Any]]:
        blocks = self._blocks()
        one, two, three = self.moments
        yield f"mean {self.kind}", self.value, self.error, self.theory
        yield "<x^2> / <x>^2", two / one**2, None, None
        yield "<x^3> / <x>^3", three / one**3, None, None
        for s, name in enumerate(self.species):
            flights, total = self._sums[s, :2]
            yield name, total / flights if flights else math.nan, self._error_of(blocks[:, s]), None

    def _draw(self, ax: Any) -> None:
        super()._draw(ax)
        ax.set_yscale("log")


class FreePath(_FreeFlight):
    """Free paths: lengths flown between two disc-disc contacts of a disc; with `walls`, between any two contacts.

    value: their mean; low by about one part in the number of flights of each disc, for a run ends in long ones more
    often. theory: mean speed over Enskog's rate, for periodic boxes without `walls`. moments, flights,
    edges, histogram: their distribution. <l^2>/<l>^2 is 2.160 in a dilute gas, not 2: it is no exponential.
    bins, range: of the histogram; None: ten times the mean that is expected. species: as for CollisionRates.
    """

    kind = "free path"
    quantity = "free path"


class FreeTime(_FreeFlight):
    """Free times between two disc-disc contacts of a disc; with `walls`, between any two contacts. As `FreePath`;
    <t^2>/<t>^2 is 2.108 in a dilute gas."""

    kind = "free time"
    quantity = "free time"


class _Maxwellian(Histogrammed):
    """Functions of the velocity, integrated over all flights, not sampled."""

    integral = True

    def _fastest(self) -> float:
        """Nearly nobody is faster in equilibrium."""
        masses = self._scene.masses[self._group >= 0]
        return 6 * math.sqrt(self._start.kT / masses.min()) if len(masses) and self._start.kT > 0 else 1.0

    def _means(self, total: np.ndarray, time: float) -> np.ndarray:
        """(..., k): means over all discs that are looked at; of each species first."""
        s = len(self.species)
        return total.reshape(*total.shape[:-1], total.shape[-1] // s, s).sum(axis=-1) / (time * self._counts.sum() or math.nan)

    def _now(self) -> np.ndarray:
        reading = self._read()
        return self._means(reading.total, reading.elapsed)

    def _blocks(self) -> np.ndarray:
        reading = self._read()
        return self._means(reading.blocks, reading.span)

    @property
    def _thermal(self) -> float | None:
        """kT, where it says how velocities are distributed."""
        reading = self._read()
        return reading.kT if reading.kT > 0 and reading.centre <= 1e-12 * reading.energy else None

    def _squares(self) -> np.ndarray | None:
        """(m, 2) mean vx^2 and vy^2 of each disc that is looked at: equipartition, less what the centre of mass takes."""
        kT, masses, s = self._thermal, self._scene.masses[self._group >= 0], self._scene
        if kT is None or len(masses) == 0:
            return None
        share = masses / s.masses.sum()      # 0 where there are fixed discs
        return np.column_stack([kT / masses * (1 - share * periodic) for periodic in s.periodic])


class Speed(_Maxwellian):
    """Speeds: mean, root mean square and histogram, integrated over all flights, not sampled.

    value: the mean speed. theory: the mean over all discs of sqrt(pi <v^2> / 4), <v^2> from equipartition, with the factor
    for finite N; histograms: Rayleigh's distribution, good to order 1/N. Where the centre of mass is at rest along
    periodic axes. bins, range: of the histogram; None: six thermal speeds. species: as for CollisionRates.
    """

    kind = "speed"
    quantity = "speed"

    def _guess(self) -> tuple[float, float]:
        return 0.0, self._fastest()

    @property
    def value(self) -> float:
        """Mean speed since the beginning; nan before any time has passed."""
        return float(self._now()[0])

    @property
    def rms(self) -> float:
        """Root of the mean square of the speed."""
        return math.sqrt(self._now()[1])

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; nan until there are enough data."""
        return _error(self._blocks()[:, 0])

    @property
    def theory(self) -> float | None:
        squares = self._squares()
        if squares is None:
            return None
        return float(np.sqrt(math.pi / 4 * squares.sum(axis=1)).mean() * theory.speed_factor(self._read().freedom))

    def _law(self, x: np.ndarray, s: int) -> np.ndarray | None:
        kT, mass = self._thermal, self._of_species(self._scene.masses)[s]
        return None if kT is None or math.isnan(mass) else theory.speed_pdf(x, mass, kT)

    def _rows(self) -> Iterable[Sequence[Any]]:
        squares = self._squares()
        yield "mean speed", self.value, self.error, self.theory
        yield ("rms speed", self.rms, _error(self._blocks()[:, 1]) / (2 * self.rms or math.nan),
               None if squares is None else math.sqrt(squares.sum(axis=1).mean()))


class Velocity(_Maxwellian):
    """Components of the velocity: root mean squares and histograms, integrated over all flights, not sampled.

    value: (2,) root mean square of vx and vy over all discs that are looked at. theory: equipartition, less what the centre of
    mass takes; histograms: Gauss's distribution, good to order 1/N. histogram: (2, s, bins), vx and vy of each species.
    """

    kind = "velocity"
    quantity = "component of the velocity"

    def _guess(self) -> tuple[float, float]:
        return -self._fastest(), self._fastest()

    @property
    def value(self) -> np.ndarray:
        """(2,) root mean square of vx and of vy since the beginning; nan before any time has passed."""
        return np.sqrt(self._now()[2:])

    @property
    def mean(self) -> np.ndarray:
        """(2,) mean velocity."""
        return self._now()[:2]

    @property
    def error(self) -> np.ndarray:
        """(2,) standard errors of the value, by blocking; nan until there are enough data."""
        return np.array([_error(squares) for squares in self._blocks()[:, 2:].T]) / (2 * self.value)

    @property
    def theory(self) -> np.ndarray | None:
        squares = self._squares()
        return None if squares is None else np.sqrt(squares.mean(axis=0))

    @property
    def histogram(self) -> np.ndarray:
        """(2, s, bins) density of vx and vy of each species."""
        return self._density(self._histograms()).reshape(2, -1, self._set.bins)

    def _rows(self) -> Iterable[Sequence[Any]]:
        value, error, law = self.value, self.error, self.theory
        for k, name in enumerate(("vx", "vy")):
            yield f"rms {name}", float(value[k]), float(error[k]), None if law is None else law[k]

    def _draw(self, ax: Any) -> None:
        x = 0.5 * (self.edges[1:] + self.edges[:-1])
        for s, name in enumerate(self.species):
            for axis in range(2):
                ax.stairs(self.histogram[axis, s], self.edges, color=f"C{2 * s + axis}", label=f"v{'xy'[axis]}, {name}")
            kT, mass = self._thermal, self._of_species(self._scene.masses)[s]
            if kT is not None and not math.isnan(mass):
                ax.plot(x, theory.component_pdf(x, mass, kT), "k--", label="theory")
        ax.set(xlabel=self.quantity, ylabel="density")
        ax.legend()


class Flow(Observer):
    """Crossings of a line x = c or y = c by the centres of discs, every one counted, from flight to flight.

    On a periodic axis each image of the line counts. value: net crossings per time, towards larger x or y. theory: 0
    between walls. species: as for CollisionRates.
    """

    kind = "flow"
    mobile_only = False

    def __init__(self, x: float | None = None, y: float | None = None, species: Any = None) -> None:
        place = [float(c) for c in (x, y) if c is not None]
        if len(place) != 1:
            raise ValueError("give either x or y: where the line is")
        super().__init__(species, axis=0 if y is None else 1, place=place[0])

    def _settings(self, groups: int) -> Settings:
        axis, place = self._options["axis"], self._options["place"]
        length = (self._scene.width, self._scene.height)[axis]
        if not 0 <= place < length:
            raise ValueError(f"the line {'xy'[axis]} = {place!r} is not in the box; it must be in [0, {length!r})")
        return Settings(self.kind, groups, low=place, axis=axis)

    @property
    def crossings(self) -> np.ndarray:
        """(2, s) int64: of each species, forwards and backwards."""
        return self._read().total.reshape(2, -1).astype(np.int64)

    @property
    def net(self) -> int:
        """Crossings forwards minus backwards, of all species."""
        forwards, backwards = self.crossings.sum(axis=1)
        return int(forwards - backwards)

    @property
    def gross(self) -> int:
        """Crossings in either direction, of all species."""
        return int(self.crossings.sum())

    def _series(self, reading: Reading) -> np.ndarray:
        forwards, backwards = np.moveaxis(reading.blocks.reshape(len(reading.blocks), 2, len(self.species)).sum(axis=2), 1, 0)
        return (forwards - backwards) / (reading.span or math.nan)

    @property
    def value(self) -> float:
        """Net crossings per time since the beginning; nan before any time has passed."""
        elapsed = self._read().elapsed
        return self.net / elapsed if elapsed > 0 else math.nan

    @property
    def error(self) -> float:
        """Standard error of the value, by blocking; nan until there are enough data."""
        return _error(self._series(self._read()))

    @property
    def theory(self) -> float | None:
        return None if self._scene.periodic[self._set.axis] else 0.0

    _head = ("", "forwards", "backwards", "net", "net per time", "error")

    def _rows(self) -> Iterable[Sequence[Any]]:
        for name, f, b in zip(self.species, *self.crossings):
            yield name, f, b, f - b, None, None
        f, b = self.crossings.sum(axis=1)
        yield "all", f, b, f - b, self.value, self.error

    def _draw(self, ax: Any) -> None:
        self._draw_series(ax, self._series(self._read()), "net crossings per time")


class _Sampled(Observer):
    """What is sampled: at its beginning and every `every` time units from there on."""

    def __init__(self, every: float, species: Any = None, **options: Any) -> None:
        super().__init__(species, every=_positive("every", every), **options)


class _Correlation(_Sampled):
    """Means over pairs of samples as a function of the time between them: 16 lags of `every`, then 8 more with twice the
    spacing on each further level. All origins count on the first level, every second one on the next, and so on."""

    quantity = ""
    scales = {"xscale": "log"}      # of a plot

    def __init__(self, every: float, levels: int = 8, species: Any = None) -> None:
        super().__init__(every, species, levels=_count("levels", levels, 1, LEVELS_MAX))

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, levels=self._options["levels"], every=self._options["every"])

    @property
    def lags(self) -> np.ndarray:
        """(k,) the times between samples of which there have been pairs."""
        steps = np.concatenate([np.arange(16), *(np.arange(8, 16) << level for level in range(1, self._set.levels))])
        return steps[:self._seen(self._read().total)] * self._set.every

    def _seen(self, total: np.ndarray) -> int:
        """How many lags there are."""
        return int(np.count_nonzero(self._split(total)[0]))

    def _split(self, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(..., l) origins, (..., s, l) sums."""
        s = len(self.species)
        table = total.reshape(*total.shape[:-1], s + 1, total.shape[-1] // (s + 1))
        return table[..., 0, :], table[..., 1:, :]

    @property
    def by_species(self) -> np.ndarray:
        """(s, k) the mean of each species."""
        total = self._read().total
        origins, sums = self._split(total)
        k = self._seen(total)
        return sums[:, :k] / origins[:k] / np.where(self._counts > 0, self._counts, math.nan)[:, None]

    @property
    def value(self) -> np.ndarray:
        """(k,) the mean over all discs that are looked at, for each lag."""
        total = self._read().total
        origins, sums = self._split(total)
        k = self._seen(total)
        return sums.sum(axis=0)[:k] / origins[:k] / (self._counts.sum() or math.nan)

    @property
    def error(self) -> np.ndarray:
        """(k,) standard errors of the value, by blocking; nan where there are not enough origins."""
        reading = self._read()
        origins, sums = self._split(reading.blocks)
        k = self._seen(reading.total)
        each = sums.sum(axis=1)[:, :k] / (self._counts.sum() or math.nan) - self.value * origins[:, :k]
        return np.array([self._lag_error(deviation, number) for deviation, number in zip(each.T, origins[:, :k].T)])

    def _lag_error(self, deviations: np.ndarray, origins: np.ndarray) -> float:
        """Blocks too short to hold an origin of a coarse level are joined first."""
        while len(origins) >= BLOCKS_LEAST and (origins == 0).sum() > 1:
            half = len(origins) // 2 * 2
            deviations = deviations[:half:2] + deviations[1:half:2]
            origins = origins[:half:2] + origins[1:half:2]
        return _error(deviations / (origins.mean() if len(origins) and origins.any() else math.nan))

    @property
    def theory(self) -> np.ndarray | None:
        found = self._disc_rates(self._read())
        masses = self._scene.masses[self._group >= 0]
        if found is None or len(masses) == 0:
            return None
        kT, rates = found
        kinds, counts = np.unique(np.column_stack([masses, rates[self._group >= 0]]), axis=0, return_counts=True)
        if (kinds[:, 1] == 0).any():
            return None
        return np.average([self._formula(m, kT, rate) for m, rate in kinds], axis=0, weights=counts)

    def _formula(self, mass: float, kT: float, rate: float) -> np.ndarray:
        raise NotImplementedError

    _head = ("lag", "value", "error", "theory")

    def _rows(self) -> Iterable[Sequence[Any]]:
        law = self.theory
        columns = (self.lags, self.value, self.error, [None] * len(self.lags) if law is None else law)
        return ((_text(lag), *row) for lag, *row in zip(*columns))

    def _draw(self, ax: Any) -> None:
        ax.errorbar(self.lags[1:], self.value[1:], self.error[1:], fmt=".", label="all")
        if self.theory is not None:
            ax.plot(self.lags[1:], self.theory[1:], color="C3", ls="--", label="Enskog")
        ax.set(xlabel="lag", ylabel=self.quantity, **self.scales)
        ax.legend()


class MeanSquaredDisplacement(_Correlation):
    """<|r(t) - r(0)|^2> of unwrapped positions, over all discs and origins, at the times `lags`.

    every: time between samples; levels: how far the lags reach, up to 15 * 2^(levels - 1) * every; memory: 256 bytes for
    each disc and level. value, error, theory: (k,) arrays, length^2. theory: Enskog's exponential, with the centre of
    mass at rest; in two dimensions the diffusion coefficient itself goes on growing with time.
    """

    kind = "displacement"
    quantity = "mean squared displacement"
    scales = {"xscale": "log", "yscale": "log"}

    @property
    def diffusion(self) -> np.ndarray:
        """(k - 1,) MSD / 4t at the lags but the first: the diffusion coefficient once it is constant."""
        return self.value[1:] / (4 * self.lags[1:])

    def _formula(self, mass: float, kT: float, rate: float) -> np.ndarray:
        return theory.mean_squared_displacement(self.lags, kT / (mass * rate), 1 / rate)


class VelocityAutocorrelation(_Correlation):
    """<v(0) . v(t)>, over all discs and origins, at the times `lags`; as `MeanSquaredDisplacement`. theory: Enskog's
    exponential, exact at first; it has no long-time tail."""

    kind = "correlation"
    quantity = "velocity autocorrelation"

    def _formula(self, mass: float, kT: float, rate: float) -> np.ndarray:
        return 2 * kT / mass * theory.vacf_enskog(self.lags, 1 / rate)


class RegionFractions(_Sampled):
    """Which fraction of each species has its centre in each of some rectangles, over time.

    regions: (r, 4) or one row of left, bottom, right, top, length units. every: time between samples. value, error: (s, r)
    means over time. theory: the share of the area, for periodic boxes.
    """

    kind = "regions"
    mobile_only = False

    def __init__(self, regions: Any, every: float, species: Any = None) -> None:
        super().__init__(every, species)
        table = np.array(regions, dtype=np.float64)
        table = table.reshape(1, -1) if table.ndim == 1 else table
        if table.ndim != 2 or table.shape[1] != 4 or not len(table):
            raise ValueError(f"regions has shape {np.shape(regions)}; expected (r, 4): left, bottom, right, top of each")
        if not (np.isfinite(table).all() and (table[:, :2] < table[:, 2:]).all()):
            raise ValueError(f"regions is {table.tolist()}; left < right and bottom < top must hold, and all be finite")
        self._regions = table.reshape(-1)

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, every=self._options["every"])

    @property
    def regions(self) -> np.ndarray:
        """(r, 4) left, bottom, right, top."""
        return self._regions.reshape(-1, 4)

    def _fractions(self, total: np.ndarray) -> np.ndarray:
        """(..., s, r)"""
        inside = total[..., 1:].reshape(*total.shape[:-1], len(self.species), len(self.regions))
        return inside / total[..., :1, None] / np.where(self._counts > 0, self._counts, math.nan)[:, None]

    @property
    def value(self) -> np.ndarray:
        """(s, r) mean fractions since the beginning."""
        return self._fractions(self._read().total)

    def over_time(self) -> tuple[np.ndarray, np.ndarray]:
        """(b,) times since the beginning, (b, s, r) fractions: each is one sample, or, once there are many, the mean over
        equally many; the sample of the very beginning belongs to the first."""
        reading = self._read()
        count = round(reading.span / self._set.every)
        first = np.arange(1, len(reading.blocks) + 1) * count - 0.5 * (count - 1)
        return first * self._set.every, self._fractions(reading.blocks)

    @property
    def error(self) -> np.ndarray:
        """(s, r) standard errors, by blocking; nan until there are enough data."""
        _, series = self.over_time()
        return np.array([[_error(series[:, s, r]) for r in range(len(self.regions))]
                         for s in range(len(self.species))])

    @property
    def theory(self) -> np.ndarray | None:
        s = self._scene
        if not all(s.periodic):
            return None
        sides = np.clip(self.regions, 0, (s.width, s.height) * 2)
        shares = (sides[:, 2:] - sides[:, :2]).prod(axis=1) / (s.width * s.height)
        return np.tile(shares, (len(self.species), 1))

    _head = ("species", "region", "value", "error", "theory")

    def _rows(self) -> Iterable[Sequence[Any]]:
        value, error, law = self.value, self.error, self.theory
        for s, name in enumerate(self.species):
            for r, sides in enumerate(self.regions.tolist()):
                region = "[{0:g}, {2:g}] x [{1:g}, {3:g}]".format(*sides)
                yield name, region, value[s, r], error[s, r], None if law is None else law[s, r]

    def _draw(self, ax: Any) -> None:
        times, series = self.over_time()
        for s, name in enumerate(self.species):
            for r in range(len(self.regions)):
                ax.plot(times, series[:, s, r], label=f"{name}, region {r}")
        ax.set(xlabel="time since the beginning", ylabel="fraction")
        ax.legend()


class EventRecorder(Observer):
    """Every executed contact, written down in the core.

    maximum: contacts to keep, the first ones; `missed` counts the rest. walls: contacts with walls too. species: (n,)
    integers, negative for discs of which no contact is wanted (one of two is enough to want it).
    value: structured array of time, i, j (or -4 ... -1 for left, right, bottom, top), normal nx, ny from i, impulse.
    """

    kind = "records"
    mobile_only = False

    def __init__(self, maximum: int = 1_000_000, walls: bool = True, species: Any = None) -> None:
        super().__init__(species, maximum=_count("maximum", maximum, 0, 2**53), walls=bool(walls))

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, with_walls=self._options["walls"], most=self._options["maximum"])

    @property
    def value(self) -> np.ndarray:
        """(m,) the contacts, in the order of execution."""
        rows = self._read().record
        table = np.empty(len(rows), dtype=_RECORDS)
        for name, column in zip(_RECORDS.names or (), rows.T):
            table[name] = column
        return table

    @property
    def missed(self) -> int:
        """Contacts that came when the maximum was reached."""
        return self._read().missed

    @property
    def error(self) -> None:
        """None: these are no means."""
        return None

    _head = _RECORDS.names or ()

    def _rows(self) -> Iterable[Sequence[Any]]:
        walls = dict(zip(range(-4, 0), _core.WALLS))
        return ((_text(t), str(i), walls.get(j, str(j)), nx, ny, p) for t, i, j, nx, ny, p in self.value.tolist())

    def _draw(self, ax: Any) -> None:
        table = self.value
        for name, kind in (("disc-disc", table["j"] >= 0), ("wall", table["j"] < 0)):
            ax.plot(table["time"][kind], table["impulse"][kind], ".", ms=2, label=name)
        ax.set(xlabel="time", ylabel="impulse")
        ax.legend()


OBSERVERS: tuple[type[Observer], ...] = (
    Pressure, Temperature, CollisionRates, FreePath, FreeTime, Speed, Velocity, Flow, MeanSquaredDisplacement,
    VelocityAutocorrelation, RegionFractions, EventRecorder)
