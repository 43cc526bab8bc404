"""`Observer`, the base class of all observers, and the values that observers share: scene, settings and readings."""
from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from .. import _core, theory
from ..model.numbers import shown
from ..model.obstacles import Obstacle, conserved_axes
from ..model.naming import by_own_name, renamed
from ..observables import flux_error, store_error
from .text_tables import as_predicted, new_figure, notebook_html, text_table, with_error

if TYPE_CHECKING:
    from typing_extensions import Self

SPECIES_MAX = 64        # species of one observer: counts of all pairs of species are stored for each block
KINDS_MAX = 16          # with more pairs of radius and mass than this, all discs are one species unless `species` is given
BINS_MAX = 1_000_000
RANGE = 1e200           # largest magnitude of the range of a histogram, and 1 / RANGE its least width
LEVELS_MAX = 40         # levels of lags of a correlation
EMPTY = "empty"         # the name of a species without discs, in tables and checkpoints
EMPTY_0_1 = "nobody"    # its name in checkpoints of version 0.1
WALLED_MOST = 0.5       # largest packing fraction for which the theory of a fluid between walls is used ...
WIDTHS_LEAST = 10       # ... and least width and height of its box, in diameters
FASTEST_DRIFT = 12.0     # largest speed of the centre of mass, in thermal speeds of a disc: the limit of `theory.drift_factor`
STRAIGHT = ("Speed", "FreePath", "PressureTensor", "Viscosity", "BulkViscosity", "HeatConductivity")    # not on parabolas
PLANE = 2               # dimensions: the formulas for walls are those of discs
BLOCKS_LEAST = 16       # with fewer blocks there is no estimate of the error
NO_VALUE = "(no value yet)"             # instead of a value, in the text of an observer
_ARRAYS = ("total", "block", "histogram", "value", "record")
_FLOATS = ("begin", "begin_low", "width", "next")


class Settings(NamedTuple):
    """The arguments of `_core.Engine.observe` that determine which sums an observer makes."""

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
    """The properties of the observed system that do not change while an observer is attached. Lengths, masses and k_B are in the
    units of the system."""

    radii: np.ndarray           # (n,)
    masses: np.ndarray          # (n,)
    lengths: tuple[float, ...]  # of the box, for each axis
    periodic: tuple[bool, ...]
    k_B: float
    conserving: bool            # the kinetic energy is constant: equilibrium theory may apply
    obstacles: tuple[Obstacle, ...] = ()
    species: np.ndarray | None = None       # (n,), if they were given to the system
    heated: bool = False        # a surface has a temperature
    gravity: tuple[float, ...] = ()         # zeros for none

    @classmethod
    def of(cls, system: Any, engine: Any) -> Scene:
        """The scene of a system with this engine."""
        box, masses = system.box, system.masses
        return cls(system.radii, masses, box.lengths, box.periodic, system.k_B, system.conserves_energy, system.obstacles,
                   engine.species, system.is_heated, system.gravity)

    @property
    def conserved(self) -> tuple[bool, ...]:
        """For each axis, whether no surface changes the momentum along it."""
        return conserved_axes(self.periodic, self.obstacles, self.heated)

    @property
    def is_uniform(self) -> bool:
        """Whether nothing but the walls makes one place differ from another: there are no obstacles and no gravity."""
        return not self.obstacles and not any(self.gravity)

    @property
    def dimension(self) -> int:
        return len(self.lengths)

    @property
    def volume(self) -> float:
        """Of the box: its area in two dimensions."""
        return math.prod(self.lengths)

    @property
    def faces(self) -> tuple[float, ...]:
        """For each axis, the length or area of a wall across it."""
        return tuple(math.prod(self.lengths[:axis] + self.lengths[axis + 1:]) for axis in range(self.dimension))

    @property
    def diagonal(self) -> float:
        """Of the box, a length unit."""
        return math.hypot(*self.lengths)

    @property
    def packing_fraction(self) -> float:
        """Sum of the areas of the discs, or volumes of the spheres, divided by that of the box."""
        ball = math.pi if self.dimension == PLANE else 4 / 3 * math.pi
        return ball * float((self.radii**self.dimension).sum()) / self.volume

    @property
    def laws(self) -> Any:
        """The module with the formulas of a fluid of this dimension; both have the same names."""
        return theory if self.dimension == PLANE else theory.spheres

    @property
    def fluid_limit(self) -> float:
        """The largest packing fraction for which there is an equation of state of the fluid."""
        return theory.KOLAFA_ROTTNER_LIMIT if self.dimension == PLANE else theory.spheres.FLUID_LIMIT


class Reading(NamedTuple):
    """The sums of an observer, and the energy of the system, at the time of reading."""

    total: np.ndarray           # (k,) sums since the beginning
    blocks: np.ndarray          # (b, k) the growth of `total` in each of b equal spans of time
    histogram: np.ndarray       # weights of all bins of all histograms, in one row
    record: np.ndarray          # (m, 4 + d) recorded contacts: time, i, j, the d components of the normal, impulse
    span: float                 # time of one block
    elapsed: float              # time since the beginning
    missed: int                 # contacts that were not recorded, because the record was full
    centre: float               # energy of the centre of mass that does not count for the temperature: `thermal_freedom` ...
    freedom: int                # ... and the degrees of freedom that do
    energy: float               # kinetic energy now

    @property
    def kT(self) -> float:
        """Present temperature in units of energy; 0 if there are no degrees of freedom."""
        return 2 * (self.energy - self.centre) / self.freedom if self.freedom else 0.0


def _error(series: np.ndarray, stored: bool = False) -> float:
    """Standard error of the mean of a correlated series (b,); nan for fewer than BLOCKS_LEAST values or if one is not finite.
    stored: its sum is the content of a bounded store."""
    if len(series) < BLOCKS_LEAST or not np.isfinite(series).all():
        return math.nan
    return store_error(series) if stored else flux_error(series)


def block_error(deviations: np.ndarray, origins: np.ndarray, factors: np.ndarray) -> float:
    """Standard error of a sum of means over samples at several lags, with these factors, (l,). deviations, origins: (b, l) for
    each block, the sum less the mean times the number of origins, and that number. Blocks are joined in pairs until at most one
    of them has no origin of a coarse level."""
    while len(origins) >= BLOCKS_LEAST and ((origins == 0).sum(axis=0) > 1).any():
        half = len(origins) // 2 * 2
        deviations = deviations[:half:2] + deviations[1:half:2]
        origins = origins[:half:2] + origins[1:half:2]
    each = origins.mean(axis=0) if len(origins) else np.zeros(len(factors))
    return _error((deviations / np.where(each > 0, each, math.nan)) @ factors)


def _pair_rates(radii: np.ndarray, masses: np.ndarray, counts: np.ndarray, scene: Scene, kT: float, freedom: int
                ) -> np.ndarray:
    """Contacts per time among `counts` (s,) discs of each species in the periodic box of a scene, (s, s); each pair of species
    once, above the diagonal. For equal radii with the correction for the number of discs; it does not depend on masses, because
    these have no influence on the distribution of positions."""
    n = counts.sum()
    own = np.eye(len(counts))
    laws = scene.laws
    eta = laws.packing_fraction(counts / scene.volume, radii).sum()
    # A disc does not collide with itself: n_i (n_j - delta_ij) pairs, while the contact values, which follow from the pressure of
    # n discs, are normalised to n^2 pairs.
    partners = (1 - own / counts) * n / (n - 1)
    if (radii == radii[0]).all() and eta <= laws.CORRECTION_LIMIT:
        partners = partners * laws.rate_correction(eta, n)
    rates: np.ndarray = laws.mixture_collision_rates(eta, counts, radii, masses, kT, freedom)
    return np.triu((1 - own / 2) * counts[:, None] * rates * partners)


def _require_straight_flights(observer: Observer, scene: Any) -> None:
    """ValueError with gravity, for an observer of which no closed form along parabolas is known here."""
    if any(getattr(scene, "gravity", ())) and type(observer).__name__ in STRAIGHT:
        raise ValueError(f"{type(observer).__name__} is for discs that fly straight, and gravity is {shown(scene.gravity)}; with "
                         f"gravity there are others, such as Velocity, Temperature and Profile")


def _count(name: str, value: Any, least: int, most: int) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name} is {shown(value)}; it must be {least} ... {most}")
    return number


def _positive(name: str, value: Any) -> float:
    number = float(value)
    if not 0 < number < math.inf:
        raise ValueError(f"{name} is {shown(value)}; it must be positive and finite")
    return number


def _signature(cls: type[Observer]) -> inspect.Signature:
    """The parameters of a class's constructor, without `self` and `**options`, which are only passed on."""
    _, *own = inspect.signature(cls.__init__).parameters.values()
    return inspect.Signature([parameter for parameter in own if parameter.kind is not inspect.Parameter.VAR_KEYWORD])


class Observer:
    """Base class of all observers. `system.observe(observer)` attaches one, which begins at the present time.

    value, error, theory: the result, its standard error (nan until there are enough data) and the value that theory predicts
    (None if no theory applies). table(): these and more as text. plot(ax): a figure; needs matplotlib. reset(): begin again.
    detach(): end; the results remain. `copy`, `save` and pickle of the system copy its observers with their sums;
    `system.observers` lists them. While an observer is attached, discs cannot be edited, added or removed.

    species: (n,) integers that group the discs, one for each; a disc with a negative one is left out. None: the species that were
    given to the system, if any; else discs of equal radius and mass are a species. Shapes below have s species, in ascending
    order. Among obstacles and with gravity there is no theory of the fluid. ValueError with gravity for an observer that assumes
    straight flights.
    """

    kind = ""                   # its name in `_core.OBSERVERS`
    mobile_only = True          # leave out discs of infinite mass
    integral = False            # functions of the velocity are integrated over flights
    label: str | None = None    # free text for the caller; copies keep it, so that an observer can be identified in them

    __signature__: ClassVar[inspect.Signature]

    def __init_subclass__(cls) -> None:
        cls.__signature__ = _signature(cls)     # for `help`, because `__new__` accepts any arguments
        by_own_name(*(base for base in cls.__bases__ if base.__name__.startswith("_")))(cls)
        cls.__init__ = renamed(cls.__init__, cls.__name__)      # type: ignore[method-assign, arg-type]

    def __new__(cls, *_: Any, **options: Any) -> Self:
        """TypeError for an unknown keyword argument, with the name of this class; Python's own message would name a base
        class."""
        for name in options:
            if name not in _signature(cls).parameters:
                raise TypeError(f"{cls.__name__}() got an unexpected keyword argument {name!r}")
        return super().__new__(cls)

    def __init__(self, species: Any = None, **options: Any) -> None:
        self._species = None if species is None else np.array(species)
        self._options = options         # the other arguments, for a checkpoint
        # System and engine while attached: one attribute, because another thread may detach the observer between two reads.
        self._held: tuple[Any, Any] | None = None
        self._last: Reading | None = None
        self._regions = np.empty(0)

    # -- being attached

    def _scene_of(self, system: Any, engine: Any) -> Any:
        """The scene of a system: a `Scene`, or for other systems something with the same names."""
        return Scene.of(system, engine)

    def _settings(self, groups: int) -> Settings:
        return Settings(self.kind, groups, integral=self.integral)

    def attach(self, system: Any, engine: Any, number: int) -> None:
        """Begin to observe; programs call `system.observe`, which calls this in a `with` block of the engine. number: identifies
        the observer in the engine. RuntimeError if it is attached already, ValueError if its options do not fit the system."""
        if self._held is not None:
            raise RuntimeError("this observer is attached to a system already; detach it first, or make another one")
        self._scene = self._scene_of(system, engine)
        _require_straight_flights(self, self._scene)
        self._group, self.species = self._grouped()
        centre, freedom = system.thermal_freedom()
        self._start = Reading(np.empty(0), np.empty((0, 0)), np.empty(0), np.empty((0, 0)), 0.0, 0.0, 0, centre, freedom,
                              system.kinetic_energy)
        self._set = self._settings(len(self.species))
        self._enter(system, engine, number)

    def _enter(self, system: Any, engine: Any, number: int) -> None:
        kind, *rest = self._set
        engine.observe(number, _core.OBSERVERS[kind], self._group, *rest, self._regions)
        self._held, self._number, self._last = (system, engine), number, None

    def _grouped(self) -> tuple[np.ndarray, list[str]]:
        """(n,) the species 0 to s - 1 of each disc, -1 for a disc that is left out, and the s names of the species. ValueError
        for a `species` of another shape or type, or with too many different values."""
        radii, masses = self._scene.radii, self._scene.masses
        n = len(radii)
        looked_at = np.isfinite(masses) | (not self.mobile_only)
        if self._species is None:
            kinds = np.column_stack([radii, masses]) if self._scene.species is None else self._scene.species[:, None]
            found, numbers = np.unique(kinds[looked_at], axis=0, return_inverse=True)
            names = [f"radius {kind[0]:.4g}, mass {kind[1]:.4g}" if len(kind) == 2 else str(kind[0]) for kind in found.tolist()]
            if len(found) > (KINDS_MAX if self._scene.species is None else SPECIES_MAX) or len(found) == 0:
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
        """(s,) the number of discs of each species."""
        return np.bincount(self._group[self._group >= 0], minlength=len(self.species))

    def _of_species(self, values: np.ndarray) -> np.ndarray:
        """(s,) the common value of the discs of each species, nan if they differ. values: (n,), such as radii."""
        each = [values[self._group == s] for s in range(len(self.species))]
        return np.array([v[0] if len(v) and (v == v[0]).all() else math.nan for v in each])

    @property
    def identity(self) -> tuple[str, dict[str, Any], list[int] | None]:
        """Name of the class, options and species as plain data; equal for two observers that measure the same quantity."""
        return type(self).__name__, self._options, None if self._species is None else self._species.tolist()

    @property
    def attached(self) -> bool:
        """Whether the observer is attached to a system."""
        return self._held is not None

    def detach(self) -> None:
        """Stop observing; the results remain. Calling `detach` again has no effect."""
        held = self._held       # read once: another thread may detach it meanwhile
        if held is not None:
            held[0].unobserve(self)

    def leave(self) -> int:
        """Stop observing; programs call `detach` or `system.unobserve`, which calls this in a `with` block of the engine, so that
        no other thread detaches the observer meanwhile. Returns the number that identified it in the engine."""
        assert self._held is not None
        self._last = self._read()
        self._held[1].unobserve(self._number)
        self._held = None
        return self._number

    def reset(self) -> None:
        """Set all sums to zero and begin again at the present time. RuntimeError if the observer is not attached."""
        held = self._held
        if held is None:
            raise RuntimeError("this observer is not attached to a system; there is nothing to begin")
        held[1].observe_anew(self._number)

    # -- copies and files

    def twin(self, system: Any, engine: Any) -> Observer:
        """The corresponding observer for a copy of the system. engine: the copied engine, which has the sums already."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _held=(system, engine))
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The state for a copy or pickle of the observer alone: its results, without the system."""
        return dict(self.__dict__, _last=self._read() if self._held is not None else self._last, _held=None)

    def stored(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The state for a checkpoint of the system, as (arrays, plain data). RuntimeError if another thread has detached the
        observer."""
        held = self._held
        if held is None:
            raise RuntimeError("another thread has detached this observer in this very moment; call again")
        arrays, averaging = self._fetch(held[1], True)
        kept = dict(zip(_ARRAYS, arrays), group=self._group, region=self._regions)
        return kept, {"class": type(self).__name__, "options": self._options, "named": self._species is not None,
                      "species": self.species,
                      "settings": [v.hex() if isinstance(v, float) else v for v in self._set],
                      "course": {k: averaging[k].hex() if k in _FLOATS else averaging[k] for k in averaging if k != "elapsed"}}

    # -- results

    def _fetch(self, engine: Any, stored: bool) -> tuple[list[np.ndarray], dict[str, Any]]:
        """The sums in the engine: five arrays, in the order of `_ARRAYS`, and the data of the block averages. stored: as a
        checkpoint needs them, without the flights in progress. RuntimeError if another thread has detached the observer."""
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
        return Reading(total, blocks, histogram, record.reshape(-1, 4 + self._scene.dimension),
                       averaging["width"] * averaging["stride"], averaging["elapsed"], averaging["missed"],
                       centre, freedom, energy)

    @property
    def elapsed(self) -> float:
        """Time since the beginning of the observation, in time units."""
        return self._read().elapsed

    def _fluid(self, reading: Reading) -> float | None:
        """kT if the closed formulas for a periodic fluid apply, else None: conserved energy, periodic axes, no obstacles, finite
        masses, positive radii, and a packing fraction within the range of the equation of state."""
        s = self._scene
        if (not s.conserving or not all(s.periodic) or s.obstacles or not np.isfinite(s.masses).all()
                or not (s.radii > 0).all() or not s.packing_fraction <= s.fluid_limit):
            return None
        return reading.kT if reading.kT > 0 else None

    def _walled(self, reading: Reading) -> tuple[int, float, float, float, float] | None:
        """(n, radius, kT, width, height) if the formulas for a fluid between four walls apply, else None: conserved energy, no
        obstacles, finite masses, equal radii, packing fraction at most WALLED_MOST, sides of at least WIDTHS_LEAST diameters."""
        s, n = self._scene, len(self._scene.radii)
        if (not s.conserving or s.dimension != PLANE or any(s.periodic) or s.obstacles or n == 0
                or not np.isfinite(s.masses).all() or not reading.kT > 0):
            return None
        radius = float(s.radii[0])
        if (not radius > 0 or (s.radii != radius).any() or s.packing_fraction > WALLED_MOST
                or min(s.lengths) < WIDTHS_LEAST * 2 * radius):
            return None
        return n, radius, reading.kT, *s.lengths

    def _disc_rates(self, reading: Reading) -> tuple[float, np.ndarray] | None:
        """kT, and (n,) disc-disc contacts per time of each disc, in a periodic fluid; None if no theory applies."""
        kT = self._fluid(reading)
        s = self._scene
        kinds, which, counts = np.unique(np.column_stack([s.radii, s.masses]), axis=0, return_inverse=True, return_counts=True)
        if kT is None or len(s.radii) < 2 or len(kinds) > SPECIES_MAX:
            return None
        rates = _pair_rates(kinds[:, 0], kinds[:, 1], counts, s, kT, reading.freedom)
        return kT, ((rates.sum(axis=0) + rates.sum(axis=1)) / counts)[which.reshape(-1)]

    @property
    def value(self) -> Any:
        """The result; its shape and unit are those that the class documents."""
        raise NotImplementedError

    @property
    def error(self) -> Any:
        """Standard error of the value, by blocking (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461, 1989), or from the spectrum
        where a part of the sums is bounded (`observables.flux_error`); nan until there are enough data."""
        raise NotImplementedError

    @property
    def theory(self) -> Any:
        """The value that theory predicts, or None if no theory applies."""
        return None

    def __repr__(self) -> str:
        """The class with value, error and theory, such as "Pressure(280.8 +- 2.5, theory 281.6)"; arrays as their shape."""
        try:
            value, error, theory = self.value, self.error, self.theory
        except (RuntimeError, ValueError):      # not attached yet, or no data yet
            return type(self).__name__ + NO_VALUE
        if np.ndim(value):
            return f"{type(self).__name__}(values of shape {np.shape(value)})"
        predicted = "" if theory is None else f", theory {as_predicted(theory, error)}"
        return f"{type(self).__name__}({with_error(value, error)}{predicted})"

    def _repr_html_(self) -> str:
        """In a notebook: the table, with errors as in the text of the observer, and the figure."""
        title = repr(self)
        if title.endswith(NO_VALUE):
            return notebook_html(title, (), ())
        return notebook_html(title, self.head, self.rows(), lambda figure: self.plot(figure.add_subplot()))

    def rows(self) -> Iterable[Sequence[Any]]:
        """The rows of the table, with the columns of `head`."""
        yield type(self).__name__, self.value, self.error, self.theory

    head: tuple[str, ...] = ("", "value", "error", "theory")

    def table(self) -> str:
        """The results as text in columns."""
        return text_table(self.head, self.rows())

    def plot(self, ax: Any = None) -> Any:
        """Draw the results into the matplotlib axes `ax`, or a new figure; returns the axes. ImportError without matplotlib."""
        ax = new_figure().add_subplot() if ax is None else ax
        self._draw(ax)
        return ax

    def _draw(self, ax: Any) -> None:
        raise NotImplementedError

    def _running(self, reading: Reading, series: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(b,) times of the middles of the blocks since the beginning, and the series (b,) unchanged."""
        return (np.arange(len(series)) + 0.5) * reading.span, series

    def _draw_series(self, ax: Any, series: np.ndarray, label: str) -> None:
        reading = self._read()
        ax.plot(*self._running(reading, series), ".", ms=3, label="blocks")
        ax.axhline(self.value, color="C0", label="mean")
        if self.theory is not None:
            ax.axhline(self.theory, color="C3", ls="--", label="theory")
        ax.set(xlabel="time since the beginning", ylabel=label)
        ax.legend()
