"""`Observer`: what all observers have; and the scene, the settings and the readings that they share."""
from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from .. import _core, theory
from ..observables import blocking_error
from .text_tables import new_figure, text_table

if TYPE_CHECKING:
    from typing_extensions import Self

SPECIES_MAX = 64        # of one observer: pairs of them are counted, at many times
KINDS_MAX = 16          # more different discs than that are one species unless `species` names them
BINS_MAX = 1_000_000
RANGE = 1e200           # of a histogram: larger or smaller numbers are none that a system can have
LEVELS_MAX = 40
EMPTY = "nobody"        # the name of a species without discs
WALLED_MOST = 0.5       # packing fraction of a fluid with a law between walls, which are so many ...
WIDTHS_LEAST = 10       # ... diameters apart at least
FASTEST_DRIFT = 12.0     # of the centre of mass, in thermal speeds of a disc: as far as `theory.drift_factor` goes
BLOCKS_LEAST = 16       # fewer say nothing about an error
_ARRAYS = ("total", "block", "histogram", "value", "record")
_FLOATS = ("begin", "begin_low", "width", "next")


class Settings(NamedTuple):
    """The arguments of `_core.Engine.observe` that say what is summed."""

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
    """(s, s) contacts per time among `counts` discs of each species, each pair of species once (above the diagonal). For this
    very number of discs where radii are equal, whatever the masses, which have no part in where discs are."""
    n = counts.sum()
    own = np.eye(len(counts))
    eta = theory.packing_fraction(counts / area, radii).sum()
    # A disc is no partner of its own; the contact values, which come from the pressure, are those of n^2 pairs.
    partners = (1 - own / counts) * n / (n - 1)
    if (radii == radii[0]).all() and eta <= theory.CORRECTION_LIMIT:
        partners = partners * theory.rate_correction(eta, n)
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


def _signature(cls: type[Observer]) -> inspect.Signature:
    """The arguments of an observer, without those that a class only passes on."""
    _, *own = inspect.signature(cls.__init__).parameters.values()
    return inspect.Signature([parameter for parameter in own if parameter.kind is not inspect.Parameter.VAR_KEYWORD])


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
    label: str | None = None    # free text of the caller, kept by copies, so that an observer is found again in them

    __signature__: ClassVar[inspect.Signature]

    def __init_subclass__(cls) -> None:
        cls.__signature__ = _signature(cls)     # what help shows: `__new__` takes anything

    def __new__(cls, *_: Any, **options: Any) -> Self:
        """TypeError for an argument that the class does not have, by the name of the class, not of one that it is made from."""
        for name in options:
            if name not in _signature(cls).parameters:
                raise TypeError(f"{cls.__name__}() got an unexpected keyword argument {name!r}")
        return super().__new__(cls)

    def __init__(self, species: Any = None, **options: Any) -> None:
        self._species = None if species is None else np.array(species)
        self._options = options         # what else it was made with, for a checkpoint
        self._held: tuple[Any, Any] | None = None   # its system and that system's engine, in one step: threads may detach it
        self._last: Reading | None = None
        self._regions = np.empty(0)

    # -- being attached

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, integral=self.integral)

    def attach(self, system: Any, engine: Any, number: int) -> None:
        """Begin to observe: called by `system.observe`, which is what programs call, while it holds its engine. The engine will
        know the observer by this number. RuntimeError if it is attached already, ValueError if its options do not fit."""
        if self._held is not None:
            raise RuntimeError("this observer is attached to a system already; detach it first, or make another one")
        self._scene = Scene.of(system)
        self._group, self.species = self._grouped()
        centre, freedom = system.thermal_freedom()
        self._start = Reading(np.empty(0), np.empty((0, 0)), np.empty(0), np.empty((0, 6)), 0.0, 0.0, 0, centre, freedom,
                              system.kinetic_energy)
        self._set = self._settings(len(self.species))
        self._enter(system, engine, number)

    def _enter(self, system: Any, engine: Any, number: int) -> None:
        kind, *rest = self._set
        engine.observe(number, _core.OBSERVERS[kind], self._group, *rest, self._regions)
        self._held, self._number, self._last = (system, engine), number, None

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
            names = [str(label) for label in found.tolist()] or [EMPTY]
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
    def identity(self) -> tuple[str, dict[str, Any], list[int] | None]:
        """The class, options and species of this observer, as plain data: equal for observers that measure the same."""
        return type(self).__name__, self._options, None if self._species is None else self._species.tolist()

    @property
    def attached(self) -> bool:
        """Is it still observing?"""
        return self._held is not None

    def detach(self) -> None:
        """Observe no more; what was seen stays. Calling it twice does no harm."""
        held = self._held       # another thread may let go of it
        if held is not None:
            held[0].unobserve(self)

    def leave(self) -> int:
        """End: called by `system.unobserve`, which is what programs call, while it holds its engine, so that no other thread
        detaches the observer meanwhile. Returns the number by which the engine knew it."""
        assert self._held is not None
        self._last = self._read()
        self._held[1].unobserve(self._number)
        self._held = None
        return self._number

    def reset(self) -> None:
        """Forget everything and begin now. RuntimeError if it is not attached."""
        held = self._held
        if held is None:
            raise RuntimeError("this observer is not attached to a system; there is nothing to begin")
        held[1].observe_anew(self._number)

    # -- copies and files

    def twin(self, system: Any, engine: Any) -> Observer:
        """The observer of a copy of the system, whose engine has the sums already."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _held=(system, engine))
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Alone, without its system, what has been seen is copied and pickled."""
        return dict(self.__dict__, _last=self._read() if self._held is not None else self._last, _held=None)

    def stored(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What a checkpoint takes: arrays, and plain data."""
        held = self._held
        if held is None:
            raise RuntimeError("another thread has detached this observer in this very moment; call again")
        arrays, averaging = self._fetch(held[1], True)
        kept = dict(zip(_ARRAYS, arrays), group=self._group, region=self._regions)
        return kept, {"class": type(self).__name__, "options": self._options, "named": self._species is not None,
                      "species": self.species,
                      "settings": [v.hex() if isinstance(v, float) else v for v in self._set],
                      "course": {k: averaging[k].hex() if k in _FLOATS else averaging[k] for k in averaging if k != "elapsed"}}

    # -- what was seen

    def _fetch(self, engine: Any, stored: bool) -> tuple[list[np.ndarray], dict[str, Any]]:
        """The sums in this engine, which another thread may let go meanwhile: RuntimeError then."""
        with engine:
            arrays = [np.empty(size) for size in engine.observed_sizes(self._number)]
            return arrays, engine.observed(self._number, stored, *arrays)

    def _read(self) -> Reading:
        held = self._held
        if held is None:
            if self._last is None:
                raise RuntimeError("this observer has seen nothing yet; give it to system.observe()")
            return self._last
        system, engine = held
        with engine:
            (total, block, histogram, _, record), averaging = self._fetch(engine, False)
            (centre, freedom), energy = system.thermal_freedom(), system.kinetic_energy
        blocks = np.diff(block.reshape(averaging["blocks"], len(total)), axis=0, prepend=0.0)
        return Reading(total, blocks, histogram, record.reshape(-1, 6), averaging["width"] * averaging["stride"],
                       averaging["elapsed"], averaging["missed"], centre, freedom, energy)

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

    def rows(self) -> Iterable[Sequence[Any]]:
        """The lines of the table."""
        yield type(self).__name__, self.value, self.error, self.theory

    head: tuple[str, ...] = ("", "value", "error", "theory")

    def table(self) -> str:
        """What was seen, as text in columns."""
        return text_table(self.head, self.rows())

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
