"""CollisionSystem: N hard discs in a box, and the events of their exact motion.

The façade over the compiled engine: it validates, explains, and calls back. What happens at a contact is
decided in the core; nothing here touches a trajectory except the verbs that say so (edit, add, remove, reverse).
"""
from __future__ import annotations

import contextlib
import difflib
import itertools
import math
import operator
import time as clock
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from .. import _core
from .._core import Particle
from ..formats import io
from ..model.box import RANGE, TURNS_MAX, Box, BoxLike, as_box, real
from ..model.configuration import Configuration
from ..model.errors import OverlapWarning
from ..model.events import Contact, Event
from ..model.queues import Day, Entry, PairChecks, Queue, pair_checks
from .keywords import SystemOptions, check_options
from .native import native_callback

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..formats.frame import Frame
    from ..formats.recording import Recording
    from ..observers import Observer

STOP = "stop"       # what a callback returns to end the run; the textbook engine knows the same word

IMAGES_MAX = 1e15   # box lengths that a disc may have gone before; doubles count so far
TALLIES_MAX = 2**60     # what the core can count
BYTES, BYTES_PER_DISC = 13_000, 270      # of memory, measured
WALLS = _core.WALLS
PAIRS_MAX, PAIRS_PER_DISC = 100_000_000, 10_000     # that `schedule` looks at without a contact: some seconds
EVENTS_MAX = 2**62          # so many a run can be told to stop after
KINDS = _core.KINDS         # of contact events, as bits: what a run is asked to stop at
ANY_KIND = KINDS[None]
Watcher = TypeVar("Watcher", bound="Observer")


class Prediction(NamedTuple):
    """A contact that will happen if nothing comes before it: time, discs, wall (or None)."""

    time: float
    particles: tuple[int, ...]
    wall: str | None


class Near(NamedTuple):
    """What the engine looks at when it plans disc `i`."""

    cells: np.ndarray           # (k, 4): left, bottom, right, top of each cell, length units
    candidates: np.ndarray      # (m,): the discs in them


class Timer:
    """A registered callback; `cancel()` ends it. `every` is its period, in time units."""

    def __init__(self, system: CollisionSystem, callback: Callable[[Event], Any], kind: str, every: float, number: int) -> None:
        self._system = system
        self.callback = callback
        self.kind = kind
        self.every = every
        self.number = number        # that its events have

    def cancel(self) -> None:
        """Never call back again. Calling it twice does no harm."""
        self._system._cancel_timer(self)


class Subscription:
    """A registered `on_collision` callback; `cancel()` ends it."""

    def __init__(self, system: CollisionSystem, callback: Any, kind: str | None) -> None:
        self._system = system
        self.callback = callback
        self.kind = kind
        self.native = native_callback(callback, KINDS[kind])    # if it is a function in machine code
        if self.native is None:
            _callable(callback)

    def cancel(self) -> None:
        """Never call back again. Calling it twice does no harm."""
        if self.native is not None:
            self.native.cancel()
        self._system._subscribe([s for s in self._system._subscriptions if s is not self])

    def concerns(self, event: Event) -> bool:
        if self.kind is None or self.kind == event.kind:
            return True
        return event.kind == "multi" and any((c.wall is None) == (self.kind == "pair") for c in event.contacts)


class Draft:
    """The discs of a system while it is being edited: plain writable arrays, see `CollisionSystem.edit`."""

    FIELDS = ("positions", "velocities", "radii", "masses", "colors")
    positions: np.ndarray       # (n, 2), length units
    velocities: np.ndarray      # (n, 2), length per time
    radii: np.ndarray           # (n,), length units
    masses: np.ndarray          # (n,), mass units
    colors: np.ndarray          # (n, 3) uint8

    def __init__(self, *arrays: np.ndarray) -> None:
        for name, array in zip(self.FIELDS, arrays):
            setattr(self, name, array)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.FIELDS:
            raise _no_field(name)
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:       # only for names that are not there
        raise _no_field(name)


# What is asked for by other names that follow from a field.
FOLLOWING = {"temperature": "velocities", "kinetic_energy": "velocities", "momentum": "velocities", "speeds": "velocities",
             "packing_fraction": "radii", "unwrapped_positions": "positions"}


def _no_field(name: str) -> AttributeError:
    near = [FOLLOWING[name]] if name in FOLLOWING else difflib.get_close_matches(name, Draft.FIELDS, n=1, cutoff=0.5)
    return AttributeError(f"an edit has {', '.join(Draft.FIELDS)}, and no {name!r}" + "".join(f"; nearest is {n}" for n in near))


Kind = TypeVar("Kind", bound=type)


def _explained(cls: Kind) -> Kind:
    """Give each public property of a class a setter that says how discs are changed."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, property) and not name.startswith("_"):
            setattr(cls, name, member.setter(_refusal(name)))
    return cls


def _refusal(name: str) -> Callable[[Any, Any], None]:
    way = (f"`with system.edit() as draft: draft.{name} = ...` changes the discs" if name in Draft.FIELDS else
           f"`with system.edit() as draft` changes {', '.join(Draft.FIELDS)}, and nothing else")

    def refuse(system: Any, value: Any) -> None:
        raise AttributeError(f"system.{name} cannot be assigned: {way}")

    return refuse


def _numbers(name: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A float64 array of this shape, perhaps the very one; scalars spread; complex and text are refused."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":
            raise TypeError
        array = np.require(array, np.float64, ["C", "ALIGNED"])     # as C wants it
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, got {type(values).__name__}") from None
    except OverflowError:
        raise ValueError(f"{name} holds an integer that is too large; numbers must be at most {RANGE:.1e}") from None
    if array.ndim == 0 and len(shape) == 1:
        array = np.full(shape, float(array))
    if array.shape != shape and not (array.size == 0 and math.prod(shape) == 0):
        raise ValueError(f"{name} has shape {array.shape}; expected {shape}")
    return array.reshape(shape)


def _color_array(colors: Any, n: int) -> np.ndarray:
    """(n, 3) uint8, a fresh array, from one colour for all, or one for each; black if None."""
    values = np.zeros(3, dtype=np.uint8) if colors is None else np.asarray(colors)
    if values.shape not in ((3,), (n, 3)) and not (values.size == 0 and n == 0):
        raise ValueError(f"colors has shape {values.shape}; expected (3,) or ({n}, 3)")
    if values.dtype != np.uint8 and (values.dtype.kind not in "uif"
                                     or not np.array_equal(values, np.clip(np.rint(values), 0, 255))):
        raise ValueError("colors must be integers 0 ... 255")
    result = np.empty((n, 3), dtype=np.uint8)
    result[...] = values.reshape(-1, 3)
    return result


def _callable(callback: Any) -> Callable[[Event], Any]:
    if not callable(callback):
        raise TypeError(f"the callback must be callable, got {type(callback).__name__}")
    return callback


def check_limits(max_events: int | None, max_seconds: float | None) -> None:
    if max_events is not None and not 0 <= operator.index(max_events) <= EVENTS_MAX:
        raise ValueError(f"max_events is {max_events!r}; it must be >= 0 and at most {EVENTS_MAX}")
    if max_seconds is not None and not real("max_seconds", max_seconds) >= 0:
        raise ValueError(f"max_seconds is {max_seconds!r}; it must be >= 0")


def _next_event(engine: _core.Engine, max_seconds: float | None) -> Event | None:
    """Run this engine up to and with its next event; None if there will never be one. RuntimeError if none comes in time."""
    engine.set_until(math.inf)
    event = engine.run(ANY_KIND, _core.FOREVER, math.inf if max_seconds is None else max_seconds)
    if event is None and engine.cut:
        raise RuntimeError(f"no event was found within max_seconds = {max_seconds!r}")
    return event


def is_stop(answer: Any) -> bool:
    """Does a callback ask for the end of the run?"""
    return isinstance(answer, str) and answer == STOP


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _changed(ids: np.ndarray, next_id: int) -> np.ndarray | None:
    """The ids, or None where they are as at the start, because no disc was ever removed. They ascend."""
    return _frozen(ids) if next_id > len(ids) else None


def _index(i: int, n: int) -> int:
    """A place among n, counted from the end if it is negative. IndexError if there is none."""
    i = operator.index(i)
    if not -n <= i < n:
        raise IndexError(f"disc {i} of {n}")
    return i + n if i < 0 else i


def _first(mask: np.ndarray) -> int:
    return int(np.argmax(mask.reshape(len(mask), -1).any(axis=1)))


def _check_range(name: str, array: np.ndarray, rule: str, allow_infinite: bool = False) -> None:
    size = np.abs(array)
    bad = ~((size <= RANGE) | ((array == np.inf) & allow_infinite))
    if bad.any():
        i = _first(bad)
        raise ValueError(f"disc {i}: {name} is {_plain(array[i])}; {rule}")


def _plain(value: Any) -> str:
    """A number or a row of numbers, as Python shows it."""
    return repr(np.asarray(value).tolist())


def validate(box: Box, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray,
             moved: np.ndarray | bool = True) -> None:
    """Stop everything that the engine must never see; the message names the first disc that is wrong.

    moved: (n,) which discs to hold against the walls; others stay where the engine itself has brought them.
    Wall overlap up to 1e-9 of the radius, or some last bits of the box, counts as rounding. Overlap of discs is the
    affair of `overlapping_pairs`.
    """
    _check_range("position", positions, f"it must be finite (and at most {RANGE:.1e})")
    _check_range("velocity", velocities, f"it must be finite (and at most {RANGE:.1e})")
    _check_range("radius", radii, "it must be finite and >= 0")
    if (radii < 0).any():
        i = _first(radii < 0)
        raise ValueError(f"disc {i}: radius is {_plain(radii[i])}; it must be >= 0")
    _check_range("mass", masses, "it must be > 0 and finite, or infinite for a fixed disc", allow_infinite=True)
    bad = ~(masses >= 1 / RANGE)
    if bad.any():
        i = _first(bad)
        raise ValueError(f"disc {i}: mass is {_plain(masses[i])}; it must be > 0, or infinite for a fixed disc")
    for axis, (name, length) in enumerate((("width", box.width), ("height", box.height))):
        if box.periodic[axis]:
            bad = ~(np.abs(positions[:, axis]) <= TURNS_MAX * length)
            if bad.any():
                i = _first(bad)
                raise ValueError(f"disc {i}: position is {_plain(positions[i])}; it must be within {TURNS_MAX:g} box "
                                 f"lengths of the box")
            if len(radii) and not 4 * radii.max() < length:
                i = int(np.argmax(radii))
                raise ValueError(f"disc {i}: radius {_plain(radii[i])} is too large for a periodic box of {name} "
                                 f"{length!r}; it must be less than a quarter of it")
            continue
        x = positions[:, axis]
        slack = io.TOLERANCE * radii + 2.0**-44 * length     # the latter: a contact may leave a disc so
        bad = ((x < radii - slack) | (x > length - radii + slack)) & moved
        if bad.any():
            i = _first(bad)
            low, high = (("left", "right"), ("bottom", "top"))[axis]
            wall = low if x[i] < radii[i] - slack[i] else high
            raise ValueError(f"disc {i} at {_plain(positions[i])} with radius {_plain(radii[i])} reaches through the "
                             f"{wall} wall of the box {box.width!r} x {box.height!r}")


def overlapping_pairs(box: Box, positions: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(m, 2) the pairs of discs that overlap by more than rounding."""
    arguments = (positions, radii, box.width, box.height, box.periodic)
    pairs = np.empty((io.count_overlaps(*arguments), 2), dtype=np.intc)
    if len(pairs):
        io.count_overlaps(*arguments, pairs)
    return pairs


def _sound(arrays: dict[str, np.ndarray], data: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """The states, tallies and clocks of a checkpoint, if they belong together: the core reads them unchecked."""
    states, ids = arrays["states"], arrays["ids"]
    n = len(ids)
    for name, shape, kind in (("states", (n, 7), np.float64), ("tallies", (n, 4), np.int64),
                              ("colors", (n, 3), np.uint8), ("ids", (n,), np.int64)):
        if arrays[name].shape != shape or arrays[name].dtype != kind:
            raise ValueError(f"{name} is {arrays[name].dtype} of shape {arrays[name].shape}")
    if not ((-TALLIES_MAX <= arrays["tallies"]) & (arrays["tallies"] <= TALLIES_MAX)).all():
        raise ValueError(f"a count is beyond {TALLIES_MAX:g}")
    rest = dict(data["engine"], clocks=[float.fromhex(clock) for clock in data["engine"]["clocks"]])
    *clocks, streak = rest["clocks"]
    if len(clocks) != 5 or not np.isfinite(clocks).all() or math.isnan(streak) or not (states[:, 4] <= clocks[2]).all():
        raise ValueError("a clock is not a number, or ahead of the others")
    if not (np.diff(ids) > 0).all() or not (ids < data["next_id"]).all() or not (ids >= 0).all():       # they ascend
        raise ValueError("the ids are not what they should be")
    if len(rest["streak_tally"]) not in (0, n):
        raise ValueError(f"{len(rest['streak_tally'])} tallies for {n} discs")
    return np.ascontiguousarray(states), np.ascontiguousarray(arrays["tallies"]), rest


class Speed(NamedTuple):
    """What changes speed only; see `CollisionSystem`."""

    cells: tuple[int, int] | None = None
    queue: str = "calendar"
    vectors: bool = True

    def checked(self) -> Speed:
        """The same, if it is legal but for the size of the cells."""
        cells = self.cells
        if cells is not None and (not isinstance(cells, (tuple, list)) or len(cells) != 2):
            raise TypeError(f"cells is {cells!r}; it must be (columns, rows)")
        if self.queue not in ("calendar", "heap"):
            raise ValueError(f'queue is {self.queue!r}; it must be "calendar" or "heap"')
        return Speed(None if cells is None else (cells[0], cells[1]), self.queue, bool(self.vectors))


@_explained
class CollisionSystem:
    """N hard discs that move in straight lines and collide elastically with each other and the walls.

    particles: an iterable of `Particle`. box: a `Box`, or (width, height) of one with walls; the unit box by default. time:
    where the clock starts.
    collisions: "simultaneous" solves contacts of one instant that share a disc together (see docs/physics.md),
    "sequential" resolves them one after another, as the book does. k_B: for `temperature`. strict: refuse
    overlapping discs instead of warning.

    Three more change speed only, never a bit of the result: cells is (columns, rows) of the grid, (1, 1) compares all
    pairs; queue is "calendar" or "heap"; vectors=False does without the processor's wider vectors, and without
    the exact formula in vectors.

    Raises ValueError, naming the disc, for anything that is not a legal state.
    """

    _repr_png_: Callable[[CollisionSystem], bytes | None]      # what a notebook shows; set by `hdsim`, which can draw

    def __init__(self, particles: Iterable[Particle] = (), *, box: BoxLike | None = None, time: float = 0.0,
                 collisions: str = "simultaneous", k_B: float = 1.0, strict: bool = False,
                 cells: tuple[int, int] | None = None, queue: str = "calendar", vectors: bool = True) -> None:
        discs = list(particles)
        n = len(discs)
        self._start(
            _numbers("positions", [(p.rx, p.ry) for p in discs], (n, 2)),
            _numbers("velocities", [(p.vx, p.vy) for p in discs], (n, 2)),
            _numbers("radii", [p.radius for p in discs], (n,)),
            _numbers("masses", [p.mass for p in discs], (n,)),
            np.array([p.color for p in discs], dtype=np.uint8).reshape(n, 3), box, time, collisions, k_B, strict,
            Speed(cells, queue, vectors))

    @classmethod
    def from_arrays(cls, positions: Any, velocities: Any, radii: Any, masses: Any = 1.0, colors: Any = None, *,
                    box: BoxLike | None = None, time: float = 0.0, collisions: str = "simultaneous", k_B: float = 1.0,
                    strict: bool = False, cells: tuple[int, int] | None = None, queue: str = "calendar",
                    vectors: bool = True, images: Any = None) -> CollisionSystem:
        """A system from arrays: positions and velocities (n, 2), radii and masses (n,) or one number for all,
        colors (n, 3) or one (red, green, blue) for all; images (n, 2), whole box lengths that `unwrapped_positions` begin
        with on periodic axes. The arrays are copied."""
        shape = np.shape(positions)
        if len(shape) != 2 or shape[1] != 2:
            if shape != (0,):
                raise ValueError(f"positions has shape {shape}; expected (n, 2)")
        n = shape[0]
        self = cls.__new__(cls)
        self._start(_numbers("positions", positions, (n, 2)), _numbers("velocities", velocities, (n, 2)),
                    _numbers("radii", radii, (n,)), _numbers("masses", masses, (n,)),
                    _color_array(colors, n), box, time, collisions, k_B, strict, Speed(cells, queue, vectors), images)
        return self

    @classmethod
    def from_configuration(cls, configuration: Configuration, *, box: BoxLike | None = None,
                           **options: Unpack[SystemOptions]) -> CollisionSystem:
        """A system from a `Configuration`, in its box unless another one is given. Options as for `from_arrays`."""
        check_options("CollisionSystem.from_configuration", options, "box")
        c = configuration
        return cls.from_arrays(c.positions, c.velocities, c.radii, c.masses, c.colors,
                               box=Box(c.width, c.height) if box is None else box, **options)

    def _start(self, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray,
               colors: np.ndarray, box: BoxLike | None, time: float, collisions: str, k_B: float, strict: bool,
               speed: Speed, images: Any = None) -> None:
        if collisions not in ("simultaneous", "sequential"):
            raise ValueError(f'collisions is {collisions!r}; it must be "simultaneous" or "sequential"')
        if not abs(real("time", time)) <= RANGE:
            raise ValueError(f"time is {time!r}; it must be finite")
        if not 0 < real("k_B", k_B) < math.inf:
            raise ValueError(f"k_B is {k_B!r}; it must be positive and finite")
        self._box = as_box(box)
        self.k_B = float(k_B)
        self._collisions = collisions
        self._speed = speed.checked()
        self._begin_alone()
        self._observers: dict[int, Observer] = {}       # by the number that the engine knows them by
        overlapping = self._admit(positions, velocities, radii, masses, strict)
        tallies = None
        if images is not None:
            tallies = np.zeros((len(radii), 4), dtype=np.int64)
            tallies[:, 2:] = self._images(images, len(radii))
        self._engine = self._new_engine(radii, float(time), overlapping, colors, None, len(radii))
        self._engine.load(positions, velocities, radii, masses, tallies)

    def _begin_alone(self) -> None:
        """What a copy does not share with its original: whose turn it is to run, callbacks and timers."""
        self._turn = _core.Turn()
        self._locked = False        # inside on_collision: reading only
        self._flight: tuple[Any, ...] = ()      # up to where discs fly straight on; see `_check_flight`
        self._timers: dict[int, Timer] = {}     # by the number that the engine knows them by
        self._numbers = itertools.count()       # of timers
        self._subscribe([])

    def _images(self, images: Any, n: int) -> np.ndarray:
        """(n, 2) whole numbers of box lengths, 0 between walls; ValueError if they are none."""
        turns = _numbers("images", images, (n, 2))
        if not ((turns == np.rint(turns)) & (np.abs(turns) <= IMAGES_MAX)).all():
            raise ValueError(f"images must be whole numbers of at most {IMAGES_MAX:g} box lengths")
        if turns[:, [not periodic for periodic in self.box.periodic]].any():
            raise ValueError("images must be 0 on an axis that is not periodic")
        return turns

    def _admit(self, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray,
               strict: bool) -> bool:
        """Validate a whole state. Do discs overlap by more than rounding?"""
        validate(self.box, positions, velocities, radii, masses)
        overlaps = io.count_overlaps(positions, radii, self.box.width, self.box.height, self.box.periodic)
        if overlaps:
            message = (f"{overlaps} pair{'s' if overlaps > 1 else ''} of discs overlap"
                       f"{'s' if overlaps == 1 else ''} by more than rounding")
            if strict:
                raise ValueError(message)
            warnings.warn(message + "; they collide at once if they approach", OverlapWarning, stacklevel=4)
        return overlaps > 0

    def _overlaps(self, positions: np.ndarray, radii: np.ndarray, ids: np.ndarray) -> set[tuple[int, int]]:
        """The pairs, by their ids, that overlap by more than rounding."""
        pairs = overlapping_pairs(self.box, positions, radii)
        return {(i, j) for i, j in ids[pairs].tolist()}

    def _new_engine(self, radii: np.ndarray, time: float, overlapping: bool, colors: np.ndarray,
                    ids: np.ndarray | None, next_id: int) -> _core.Engine:
        """An engine without discs yet, and with it all that is exchanged when discs are. ids: None for 0 ... n - 1."""
        engine = _core.Engine(len(radii), self.box.width, self.box.height, *self.box.periodic,
                              self._collisions == "simultaneous", overlapping, self._speed.queue == "calendar",
                              self._speed.vectors, self._speed.cells is None, *self._grid(radii), time)
        engine.colors, engine.ids, engine.next_id = _frozen(colors), ids, next_id
        return engine

    def _grid(self, radii: np.ndarray) -> tuple[int, int, int]:
        """Columns, rows and levels of the cells."""
        if self._speed.cells is None:
            return _core.choose_cells(radii, self.box.width, self.box.height, self._speed.queue == "calendar")
        columns, rows = self._speed.cells
        least = _core.least_cell_side(float(radii.max())) if len(radii) else 0.0
        most = tuple(_core.cells_per_side(length, least) for length in (self.box.width, self.box.height))
        if not (1 <= columns <= most[0] and 1 <= rows <= most[1]):
            raise ValueError(f"cells is {self._speed.cells!r}; discs of this size allow (1, 1) to {most!r}")
        return columns, rows, 1

    # -- running

    def simulate(self, until: float | None = None, max_events: int | None = None,
                 max_seconds: float | None = None) -> int:
        """Execute every event with time <= `until`, then let `time` be `until`; returns the number of contact
        impulses executed.

        max_events: stop after so many events (redraws and timers are events, cell crossings are not);
        max_seconds: stop after so much wall-clock time. A run that is stopped early, also by a callback that
        returns `hdsim.STOP` or by Ctrl-C, has `time` = its last event. ValueError if `until` lies before
        `time`, or if nothing can stop the run. RuntimeError, with `time` = its last event, if `until` is infinite, there
        is no max_seconds, and discs fly past each other for 10^7 + 1000 n crossings of cells without an event.
        """
        until = math.inf if until is None else real("until", until)
        if math.isnan(until):
            raise ValueError("until is nan; it must be a time")
        if until == math.inf:
            if max_events is None and max_seconds is None and not self.has_callbacks:
                raise ValueError("until is infinite and nothing can stop the run; "
                                 "give until, max_events or max_seconds")
        elif until < self._engine.time:
            raise ValueError(f"until is {until!r}, before the present time {self.time!r}")
        return self._run("set_until", until, max_events, max_seconds)

    def step(self, dt: float, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """Go on by `dt` >= 0 time units, also when `time` is too large for dt to show in it. Returns the number
        of contact impulses executed; limits as for `simulate`."""
        if not 0 <= real("dt", dt) < math.inf:
            raise ValueError(f"dt is {dt!r}; it must be >= 0 and finite")
        return self._run("set_step", dt, max_events, max_seconds)

    def _run(self, set_end: str, end: float, max_events: int | None, max_seconds: float | None) -> int:
        """Run to an end that `set_end` tells the engine; returns the number of contact impulses executed."""
        check_limits(max_events, max_seconds)
        with self._turn:
            engine = self._engine
            getattr(engine, set_end)(end)
            return self._advance(engine, max_events, max_seconds)

    def next_event(self, max_seconds: float | None = None) -> Event | None:
        """Execute exactly one event, callbacks included, and return it; None when nothing will ever happen.

        That is seen where it is plain: nobody moves towards a wall, and no two discs can meet, because both are points or
        both infinitely heavy, have one velocity, or move along one periodic axis on lanes that do not touch (more than 3000
        discs: all points, or all of one velocity). On other orbits that never meet, such as a diagonal closed on itself,
        RuntimeError after 10^7 + 1000 n crossings of cells without an event, or after `max_seconds` of wall-clock time;
        `simulate(until)` ends there as ever."""
        check_limits(None, max_seconds)
        with self._turn:
            engine = self._engine
            event = _next_event(engine, max_seconds)
            if event is not None and (self._subscriptions or event.number is not None):
                self._call_back(event)
            return event

    def peek(self, max_seconds: float | None = None) -> Event | None:
        """What `next_event` would return, impulses included, or raise; nothing changes. O(n): it runs a copy."""
        check_limits(None, max_seconds)
        return _next_event(self._engine.copy(), max_seconds)

    def events(self, until: float = math.inf) -> Iterator[Event]:
        """Execute and yield events one by one while their time is <= `until`; then `time` is `until`. A callback
        that returns `hdsim.STOP` makes its event the last."""
        return cast("Iterator[Event]", self._events_or_none(until, math.inf))

    def _events_or_none(self, until: float, seconds: float) -> Iterator[Event | None]:
        """The same, and None whenever no event has come for so many seconds of wall-clock time."""
        until = real("until", until)
        if math.isnan(until) or until < self.time:
            raise ValueError(f"until is {until!r}, before the present time {self.time!r}")
        return self._yield_events(until, seconds)

    def _yield_events(self, until: float, seconds: float) -> Iterator[Event | None]:
        stop = False
        while not stop:
            with self._turn:
                engine = self._engine
                engine.set_until(until)
                event = engine.run(ANY_KIND, _core.FOREVER, seconds, (), seconds < math.inf)
                if event is None:
                    if not engine.cut:
                        return
                elif self._subscriptions or event.number is not None:
                    stop = self._call_back(event)
            yield event

    def _advance(self, engine: _core.Engine, max_events: int | None, max_seconds: float | None) -> int:
        """Run to the end that this engine was set; it stops only for events that have callbacks in Python."""
        before = engine.contacts
        last = _core.FOREVER if max_events is None else engine.events + max_events
        seconds = math.inf if max_seconds is None else max_seconds
        deadline = math.inf if max_seconds is None else clock.monotonic() + max_seconds
        while True:
            event = engine.run(self._wanted, last, seconds, self._natives, max_seconds is not None)
            if event is None:
                break
            if event.number is not None:
                last -= 1
            stop = self._call_back(event)
            engine = self._engine       # a timer's callback may have replaced it
            if stop:
                break
            if max_seconds is not None:
                seconds = deadline - clock.monotonic()
                if seconds <= 0:
                    break
        return engine.contacts - before

    def _call_back(self, event: Event) -> bool:
        """Call whom it concerns; True if somebody wants the run to stop."""
        if event.number is not None:
            timer = self._timers.get(event.number)      # None: another thread has cancelled it in this very moment
            return timer is not None and is_stop(timer.callback(event))
        stop = False
        self._locked = True
        try:
            for subscription in self._subscriptions:
                if subscription.native is not None:
                    stop |= self._engine.call(subscription.native)
                elif subscription.kind is None or subscription.concerns(event):
                    answer = subscription.callback(event)
                    if answer is not None and is_stop(answer):
                        stop = True
        finally:
            self._locked = False
        return stop

    # -- callbacks

    def on_collision(self, callback: Any, kind: str | None = None) -> Subscription:
        """Call `callback(event)` once after every event that holds a contact of this kind ("pair", "wall",
        "multi"; None: any). It may read the system, and return `hdsim.STOP`; an exception stops the run and
        leaves the system whole. Returns a handle with `cancel()`.

        callback: a Python callable; or a function in machine code, `int f(const hdsim_event *event, void *data)`
        (hdsim.h, docs/embedding.md), which costs nanoseconds instead of a microsecond: a PyCapsule with that signature
        as its name, a `scipy.LowLevelCallable`, a function pointer of ctypes or cffi, or a numba `cfunc`. It is called
        without the GIL, stops the run by another number than 0, and must not use the system. TypeError for others."""
        if kind not in (None, "pair", "wall", "multi"):
            raise ValueError(f'kind is {kind!r}; it must be "pair", "wall", "multi" or None')
        subscription = Subscription(self, callback, kind)
        self._subscribe([*self._subscriptions, subscription])
        return subscription

    def _subscribe(self, subscriptions: list[Subscription]) -> None:
        """Exchange all subscriptions; the list that a run is going through stays as it is."""
        self._subscriptions = subscriptions
        self._natives = tuple(s.native for s in subscriptions if s.native is not None)
        self._wanted = 0        # by Python
        for subscription in subscriptions:
            if subscription.native is None:
                self._wanted |= KINDS[subscription.kind]

    def on_redraw(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """Call `callback(event)` at every multiple k * every (from time 0) later than now, after the contacts of
        that instant: the book's redraw event. It may read, edit, add and remove, and return `hdsim.STOP`."""
        return self._add_timer(callback, "redraw", every)

    def on_timer(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """As `on_redraw`, for anything else that is to happen in step with simulated time."""
        return self._add_timer(callback, "timer", every)

    def _add_timer(self, callback: Callable[[Event], Any], kind: str, every: float) -> Timer:
        if not 0 < real("every", every) < math.inf:
            raise ValueError(f"every is {every!r}; it must be positive and finite")
        if not abs(self.time) / every < 2.0**52:
            raise ValueError(f"every is {every!r}: too short to be counted at time {self.time!r}")
        self._forbid_change("register a timer")
        timer = Timer(self, _callable(callback), kind, float(every), next(self._numbers))
        self._timers[timer.number] = timer      # before a run in another thread can tell its number
        try:
            self._engine.add_timer(timer.number, timer.every, kind == "redraw")
        except BaseException:
            del self._timers[timer.number]
            raise
        return timer

    def _cancel_timer(self, timer: Timer) -> None:
        self._engine.cancel_timer(timer.number)
        self._timers.pop(timer.number, None)

    def record(self, path: Any, every: float | None = None) -> Recording:
        """Write a file while the system runs, in the format that the suffix names; see docs/files.md.

        .xyz or .extxyz, .gsd (extra `gsd`), .lammpstrj or .dump: the discs at every multiple k * every (from time 0), the
        present instant included if it is one. .csv or .npy: every contact from now on; with `every`, what is in the file is
        complete at its multiples. Returns a handle with `close()`, which is also a context manager. Recording never changes a
        run; copies are not recorded. ValueError for another suffix, OSError for a file that cannot be written; a write that
        fails later stops the run, and leaves the system whole.
        """
        from ..formats.recording import record       # not before it is needed

        return record(self, path, every, lambda: self._engine.events)

    @property
    def has_callbacks(self) -> bool:
        """True if callbacks or timers are registered."""
        return bool(self._subscriptions) or self._engine.live_timers > 0

    @property
    def timed_out(self) -> bool:
        """True if the last run ended because its `max_seconds` were over."""
        return self._engine.cut

    # -- observers

    @property
    def observers(self) -> tuple[Observer, ...]:
        """The observers that are attached, in the order of `observe`."""
        return tuple(self._observers.values())

    def observe(self, observer: Watcher) -> Watcher:
        """Let an observer (see `hdsim.observers`) sum up what happens from now on, in the compiled core; returns it. It
        never changes a run. Until it is detached, discs cannot be edited, added or removed: the sums are of these."""
        from ..observers import Observer     # not before it is needed: that takes a while

        if not isinstance(observer, Observer):
            raise TypeError(f"expected an observer such as hdsim.Pressure(), got {type(observer).__name__}")
        with self._engine as engine:
            number = max(self._observers, default=-1) + 1
            observer.attach(self, engine, number)
            self._observers[number] = observer
        return observer

    def unobserve(self, observer: Observer) -> None:
        """The same as `observer.detach()`. ValueError if it does not observe this system."""
        with self._engine:
            if all(o is not observer for o in self.observers):
                raise ValueError(f"this {type(observer).__name__} does not observe this system")
            del self._observers[observer.leave()]

    # -- looking

    def __len__(self) -> int:
        return len(self._engine)

    def __sizeof__(self) -> int:
        """Bytes of memory, about, those of the engine and its observers included: sys.getsizeof tells what a copy takes."""
        with self._engine as engine:
            observed = sum(array.nbytes for observer in self.observers for array in observer.stored()[0].values())
        return BYTES + BYTES_PER_DISC * len(engine) + observed

    def __getitem__(self, i: int) -> Particle:
        """Disc i as it is now: a `Particle` of its own, with the box of the system."""
        engine = self._engine
        i = _index(i, len(engine))
        x, y, vx, vy, radius, mass, count = engine.disc(i)
        return self._particle(x, y, vx, vy, radius, mass, engine.colors[i].tolist(), count)

    def __iter__(self) -> Iterator[Particle]:
        """All discs, as they are when the iteration begins."""
        with self._engine:
            columns = self.positions, self.velocities, self.radii, self.masses, self.colors, self.collision_counts
        return (self._particle(x, y, vx, vy, radius, mass, color, count)
                for (x, y), (vx, vy), radius, mass, color, count in zip(*(column.tolist() for column in columns)))

    def _particle(self, x: float, y: float, vx: float, vy: float, radius: float, mass: float, color: list[int],
                  count: int) -> Particle:
        return Particle(x, y, vx, vy, radius, mass, tuple(color), width=self.box.width, height=self.box.height,
                        periodic=self.box.periodic, count=count)

    def __repr__(self) -> str:
        axes = {(False, False): "walls", (True, True): "periodic", (True, False): "periodic in x",
                (False, True): "periodic in y"}[self.box.periodic]
        return f"<CollisionSystem of {len(self)} discs in {self.box.width:g} x {self.box.height:g} ({axes}), time {self.time:g}>"

    @property
    def time(self) -> float:
        """The time now, in time units."""
        return self._engine.time

    @property
    def box(self) -> Box:
        """The rectangle that the discs live in, in length units; each axis has walls or is periodic."""
        return self._box

    @property
    def collisions(self) -> str:
        """How simultaneous contacts are resolved: "simultaneous" or "sequential"."""
        return self._collisions

    @property
    def positions(self) -> np.ndarray:
        """(n, 2) centres now, length units; in [0, L) on a periodic axis. A new read-only array."""
        return self._filled("positions_at")

    @property
    def unwrapped_positions(self) -> np.ndarray:
        """(n, 2) centres now as if periodic axes went on for ever: for displacements. A new read-only array."""
        return self._filled("unwrapped_positions")

    @property
    def velocities(self) -> np.ndarray:
        """(n, 2) velocities now, length per time. A new read-only array."""
        return self._filled("velocities")

    def advance_into(self, out: Any, at: float | None = None) -> None:
        """Write the positions, wrapped as in `positions`, into an array of yours; nothing is allocated, and the system stays
        where it is.

        out: (n, 2) float32 or float64, of any strides: a numpy array or another writable buffer. at: any time from now to
        the next contact, within which all discs fly straight on; now if None. To know that there is none before, the first
        look ahead after an event runs a copy up to `at`, and keeps it for later looks. TypeError or ValueError for another `out` or `at`; nothing is written then.
        """
        try:
            array = np.asarray(memoryview(out))
        except (TypeError, ValueError):
            raise TypeError(f"out must be an array of float32 or float64, got {type(out).__name__}") from None
        if array.dtype not in (np.float32, np.float64):
            raise TypeError(f"out has type {array.dtype}; expected float32 or float64")
        engine = self._engine
        if array.shape != (len(engine), 2):
            raise ValueError(f"out has shape {array.shape}; expected {(len(engine), 2)}")
        if not (array.flags.writeable and array.flags.aligned):
            found = "not aligned" if array.flags.writeable else "read-only"
            raise ValueError(f"out is {found}; it must be an array to write into")
        with engine:
            if at is None or at == engine.time:
                at = math.nan       # by the clock, which is finer than `time`
            else:
                self._check_flight(engine, real("at", at))
            (engine.positions_at if array.dtype == np.float64 else engine.positions_at_float32)(array, at)

    def _check_flight(self, engine: _core.Engine, at: float) -> None:
        """ValueError if this time is past, or if there is a contact before it. Looks no further than that time, and goes on
        from there when it is asked for a later one."""
        if not engine.time < at < math.inf:
            raise ValueError(f"at is {at!r}; it must be a time from now, {engine.time!r}, to the next contact")
        present = (engine, engine.events, engine.changes)
        ahead, seen, contact = self._flight[1:] if self._flight[:1] == (present,) else (None, engine.time, False)
        if seen < at and not contact:
            if ahead is None:
                ahead = engine.copy(timers=False)
            ahead.set_until(at)
            event = ahead.run(ANY_KIND)
            seen, contact = (at, False) if event is None else (event.time, True)
            self._flight = (present, None if contact else ahead, seen, contact)
        if seen < at:
            raise ValueError(f"at is {at!r}; it must be a time from now, {engine.time!r}, to the next contact, {seen!r}")

    def frame(self) -> Frame:
        """The discs as they are now, with box, images and ids: what a trajectory has, and what `to_freud` and
        `to_mdanalysis` make other things of."""
        from ..formats.frame import Frame

        with self._engine:
            return Frame(self.time, self.box, self.positions, self.velocities, self.radii, self.masses,
                         self._present_tallies()[:, 2:], self.ids, self.colors)

    def to_freud(self) -> tuple[Any, np.ndarray]:
        """(box, points) for freud, see `hdsim.Frame.to_freud`."""
        return self.frame().to_freud()

    def to_mdanalysis(self) -> Any:
        """An MDAnalysis Universe of one frame, see `hdsim.Frame.to_mdanalysis`."""
        return self.frame().to_mdanalysis()

    def _filled(self, door: str, *arguments: Any) -> np.ndarray:
        engine = self._engine       # another thread may exchange it
        array = np.empty((len(engine), 2))
        getattr(engine, door)(array, *arguments)
        return _frozen(array)

    @property
    def radii(self) -> np.ndarray:
        """(n,) length units, read-only."""
        return self._sizes()[0]

    @property
    def masses(self) -> np.ndarray:
        """(n,) mass units, inf for fixed and driven discs, read-only."""
        return self._sizes()[1]

    def _sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """Radii and masses, kept from when somebody first asks for them: many a long run of many discs never does."""
        engine = self._engine       # another thread may exchange it
        sizes = engine.sizes
        if sizes is None:
            radii, masses = np.empty(len(engine)), np.empty(len(engine))
            engine.fill_sizes(radii, masses)
            sizes = engine.sizes = _frozen(radii), _frozen(masses)
        return sizes

    @property
    def colors(self) -> np.ndarray:
        """(n, 3) uint8, red, green, blue, read-only."""
        return self._engine.colors

    @property
    def ids(self) -> np.ndarray:
        """(n,) int64: a number for each disc that never changes and never comes back, read-only."""
        engine = self._engine
        ids = engine.ids
        return _frozen(np.arange(len(engine), dtype=np.int64)) if ids is None else ids

    @property
    def pair_counts(self) -> np.ndarray:
        """(n,) int64: contacts of each disc with discs."""
        return self._counted(True, False)

    @property
    def wall_counts(self) -> np.ndarray:
        """(n,) int64: contacts of each disc with walls."""
        return self._counted(False, True)

    @property
    def collision_counts(self) -> np.ndarray:
        """(n,) int64: contacts of each disc, walls included (the book's `count`)."""
        return self._counted(True, True)

    def _counted(self, pairs: bool, walls: bool) -> np.ndarray:
        engine = self._engine
        array = np.empty(len(engine), dtype=np.int64)
        engine.counts(array, pairs, walls)
        return _frozen(array)

    def _present_tallies(self) -> np.ndarray:
        """Contacts of each disc, and the box lengths between its wrapped and unwrapped position now."""
        with self._engine as engine:
            tallies = np.empty((len(engine), 4), dtype=np.int64)
            engine.tallies(tallies)
            lengths = (self.box.width, self.box.height)
            tallies[:, 2:] = np.rint((self.unwrapped_positions - self.positions) / lengths)
            return tallies

    def _mobile_discs(self) -> tuple[np.ndarray, np.ndarray]:
        """Masses and velocities of those whose mass is finite."""
        with self._engine:
            masses, velocities = self.masses, self.velocities
        mobile = np.isfinite(masses)
        return (masses, velocities) if mobile.all() else (masses[mobile], velocities[mobile])

    @property
    def kinetic_energy(self) -> float:
        """Sum of m v^2 / 2, without discs of infinite mass."""
        masses, velocities = self._mobile_discs()
        vx, vy = velocities.T
        return float(0.5 * np.sum(masses * (vx * vx + vy * vy)))

    @property
    def momentum(self) -> np.ndarray:
        """(2,) sum of m v, without discs of infinite mass."""
        masses, velocities = self._mobile_discs()
        return (masses[:, None] * velocities).sum(axis=0)

    @property
    def temperature(self) -> float:
        """2 K' / (k_B f): K' is the kinetic energy without that of the centre of mass along each periodic axis,
        f = 2 N minus the number of periodic axes. Nothing is subtracted where there are fixed discs, which
        take momentum up. 0 where f is 0."""
        with self._engine:
            centre, freedom = self.thermal_freedom()
            return 2 * (self.kinetic_energy - centre) / (self.k_B * freedom) if freedom else 0.0

    def thermal_freedom(self) -> tuple[float, int]:
        """The energy of the centre of mass that is no heat, and the degrees of freedom of the rest; see `temperature`."""
        with self._engine:
            masses, momentum = self.masses, self.momentum
        mobile = np.isfinite(masses)
        centre = 0.0
        freedom = 2 * int(mobile.sum())
        if freedom and mobile.all():
            mass = float(masses.sum())
            for axis in range(2):
                if self.box.periodic[axis]:
                    centre += 0.5 * float(momentum[axis]) ** 2 / mass
                    freedom -= 1
        return centre, freedom

    @property
    def packing_fraction(self) -> float:
        """Sum of the disc areas over the area of the box."""
        return float(math.pi * np.square(self.radii).sum() / self.box.area)

    @property
    def statistics(self) -> dict[str, int]:
        """Counts since the start: pair_contacts, wall_contacts, events, multi_events (with several contacts),
        joint_events (of these, solved together), predictions (pairs looked at), survivors (of a cheap test, or the earliest
        where there was none), crossings (into other cells, or out of windows, as events of their own), replans (of discs whose
        partner had gone another way, not counting plans put off), queue_operations, rebases (of the time origin). A neighbour
        list counts with all its places, also empty ones. From predictions to queue_operations they depend on the settings for
        speed, and on the processor."""
        return self._engine.statistics()

    def hash(self) -> str:
        """16 hex digits over (discs or wall, bits of the time) of all contacts so far, in order. Two runs with
        equal hashes did the same, bit for bit."""
        return f"{self._engine.hash:016x}"

    @property
    def pair_checks(self) -> PairChecks:
        """How many pairs were looked at so far, and how many it would have been without cells, and without a queue, if
        there had always been as many discs as now. The start counts, and every planning of all anew."""
        engine = self._engine
        counts = engine.statistics()
        return pair_checks(counts["predictions"], len(engine), counts["events"], counts["pair_contacts"],
                           counts["wall_contacts"])

    def schedule(self, k: int = 10, max_seconds: float | None = None) -> list[Prediction]:
        """The next k contacts as they would come if all discs went straight on, in order: the earliest one of each
        disc, on any grid. On periodic axes, only those with a partner within eight box lengths. Fast for a few contacts
        (3 ms for 10 among 10^5 discs); for nearly all it may compare all pairs. RuntimeError after `max_seconds` of wall-clock
        time, and when 10^8 + 10^4 n images of pairs show no contact: such discs may fly past each other for ever."""
        check_limits(None, max_seconds)
        deadline = math.inf if max_seconds is None else clock.monotonic() + max_seconds
        with self._engine as engine:
            n, k = len(engine), max(k, 0)
            times, partners = np.empty(n), np.empty(n, dtype=np.intc)
            keys = np.empty(n)
            engine.keys(keys)
            ahead = keys[keys < np.inf]
            last = float(ahead.max(initial=0.0))
            size = 6 * k + 16
            most = PAIRS_MAX + PAIRS_PER_DISC * n
            span, found = 0.0, np.empty(0, dtype=np.intp)
            # Whoever has a contact within the span, or its partner, has a key within it. A contact is found twice at most.
            while len(found) < min(2 * k, n) and span < np.inf:
                if 2 * size < len(ahead):
                    span = float(np.partition(ahead, size)[size])
                elif span < last:
                    span = 3 * span if span > 0 else float(np.median(ahead)) or last
                else:
                    span = np.inf
                size *= 2
                times.fill(np.inf)
                movers = np.flatnonzero((keys <= span) & (keys < np.inf))
                most -= engine.foresee(movers.astype(np.intc), span, times, partners, most, deadline - clock.monotonic())
                found = np.flatnonzero(times < np.inf)
                if len(found):
                    most = _core.FOREVER
        schedule = []
        seen = set()
        for i in found[np.lexsort((found, times[found]))][:2 * k].tolist():
            j = int(partners[i])
            discs = (i,) if j < 0 else (min(i, j), max(i, j))
            if (discs, min(j, 0)) not in seen:
                seen.add((discs, min(j, 0)))
                schedule.append(Prediction(float(times[i]), discs, WALLS[j] if j < 0 else None))
        return schedule[:k]

    def queue(self, k: int = 63) -> Queue:
        """The first k entries of the queue in use, in the order in which they stand there: a calendar, or a heap where
        there are fewer than 64 items or the system was made with queue="heap"."""
        with self._engine as engine:
            days, length = engine.queue(max(k, 0))
            size = len(engine) + engine.live_timers
        told = tuple(Day(None if number < 0 else number, begin, size, tuple(Entry(*row) for row in rows), as_heap)
                     for number, begin, size, as_heap, rows in days)
        entries = tuple(entry for day in told for entry in day.entries)
        return Queue("heap", size, entries) if math.isnan(length) else Queue("calendar", size, entries, told, length)

    def near(self, i: int) -> Near:
        """The cells around disc i where it is listed now, whatever the grid, and the discs that are looked at for it: all that
        are listed there, or those on its neighbour list where there are such. A disc, also disc i, may be up to half a cell
        outside the one that it is listed in: docs/architecture.md."""
        engine = self._engine
        cells, discs = engine.near(_index(i, len(engine)))
        return Near(np.array(cells).reshape(-1, 4), np.array(discs, dtype=np.int64))

    def check(self) -> None:
        """Hold everything that the engine keeps of the discs against everything else: positions against cells, cells against
        neighbour lists, predictions against the queue, and the earliest event against all contacts near it. RuntimeError
        with what is wrong: then memory is damaged, or hdsim is. Nothing changes. O(n)."""
        with self._engine as engine:
            n = len(engine)
            try:
                engine.check()
            except AssertionError as error:
                raise RuntimeError(str(error)) from None
            for name, array, shape in (("colors", self.colors, (n, 3)), ("ids", self.ids, (n,))):
                if array.shape != shape:
                    raise RuntimeError(f"{name} has shape {array.shape}, for {n} discs")
            if engine.observers != len(self._observers):
                raise RuntimeError(f"{engine.observers} observers in the engine, {len(self._observers)} outside")

    # -- changing

    def _forbid_change(self, what: str) -> None:
        if self._turn.elsewhere:
            raise RuntimeError(f"cannot {what} while the system is running in another thread")
        if self._locked:
            raise RuntimeError(f"cannot {what} inside an on_collision callback; it may only read. Use a timer")

    @contextlib.contextmanager
    def edit(self) -> Iterator[Draft]:
        """Change discs now: inside the block `positions`, `velocities`, `radii`, `masses` and `colors` are writable
        arrays. On exit all is checked and predicted anew; if it is not legal, ValueError, and nothing has changed. Another
        field than these is an AttributeError.

        >>> import hdsim
        >>> system = hdsim.load("billiards2")
        >>> with system.edit() as draft:
        ...     draft.velocities[0] = 0.1, 0
        """
        self._forbid_change("edit")
        with self._engine as engine:
            before = [self.positions, self.velocities, self.radii, self.masses, self.colors]
            state = (engine, engine.changes)
        draft = Draft(*(array.copy() for array in before))
        yield draft
        with self._changing("edit") as engine:
            if (engine, engine.changes) != state:
                raise RuntimeError("the system ran, or was changed in another way, while it was being edited")
            n = len(engine)
            after = [_numbers("positions", draft.positions, (n, 2)), _numbers("velocities", draft.velocities, (n, 2)),
                     _numbers("radii", draft.radii, (n,)), _numbers("masses", draft.masses, (n,)),
                     _color_array(draft.colors, n)]
            if all(np.array_equal(a, b) for a, b in zip(before[:4], after[:4])):
                engine.colors = _frozen(after[4])
            else:
                self._replace(engine, [*after, self._present_tallies(), self.ids], engine.next_id)

    def add(self, particle: Particle) -> int:
        """Add a disc now; returns its index, the last. ValueError if it is not legal, or overlaps another."""
        if not isinstance(particle, Particle):
            raise TypeError(f"expected a Particle, got {type(particle).__name__}")
        p = particle
        with self._changing("add a disc") as engine:
            self._replace(engine, [
                np.vstack([self.positions, [(p.rx, p.ry)]]), np.vstack([self.velocities, [(p.vx, p.vy)]]),
                np.append(self.radii, p.radius), np.append(self.masses, p.mass),
                np.vstack([self.colors, np.array([p.color], dtype=np.uint8)]),
                np.vstack([self._present_tallies(), np.zeros((1, 4), dtype=np.int64)]),
                np.append(self.ids, engine.next_id)], engine.next_id + 1)
            return len(engine)

    def remove(self, i: int) -> None:
        """Take disc i out now; later ones move up by one, as in a list."""
        with self._changing("remove a disc") as engine:
            i = _index(i, len(engine))
            arrays = (self.positions, self.velocities, self.radii, self.masses, self.colors,
                      self._present_tallies(), self.ids)
            self._replace(engine, [np.delete(a, i, axis=0) for a in arrays], engine.next_id)

    def _changing(self, what: str) -> _core.Engine:
        """The engine, for a `with` block in which only this thread can change it."""
        self._forbid_change(what)
        return self._engine

    def _replace(self, old: _core.Engine, arrays: Sequence[np.ndarray], next_id: int) -> None:
        """Go on from now with other discs than those of this engine, which the caller holds by a `with` block; whatever fails,
        fails before anything has changed.

        arrays: positions, velocities, radii, masses, colors, tallies, ids."""
        if old.observers:
            raise RuntimeError("discs cannot be changed while they are observed: the sums are of these discs. Detach the "
                               "observers first (observer.detach())")
        positions, velocities, radii, masses, colors, tallies, ids = arrays
        present = self.ids
        known = np.isin(ids, present)
        place = np.searchsorted(present, ids[known])        # ids ascend
        moved = ~known
        moved[known] = (positions[known] != self.positions[place]).any(axis=1) | (radii[known] != self.radii[place])
        validate(self.box, positions, velocities, radii, masses, moved)
        # Discs that stay where the engine has brought them overlap only if some did before.
        overlaps = self._overlaps(positions, radii, ids) if old.overlapping or moved.any() else set()
        fresh = overlaps and overlaps - self._overlaps(self.positions, self.radii, present)
        if fresh:
            i, j = min(fresh)
            raise ValueError(f"discs {int(np.flatnonzero(ids == i)[0])} and {int(np.flatnonzero(ids == j)[0])} would overlap"
                             + (f", and {len(fresh) - 1} more pairs" if len(fresh) > 1 else ""))
        engine = self._new_engine(radii, 0.0, bool(overlaps), colors, _changed(ids, next_id), next_id)
        engine.succeed(old)
        engine.load(*(np.ascontiguousarray(a) for a in (positions, velocities, radii, masses, tallies)))
        old.retire(self, engine)

    def reverse(self) -> None:
        """Turn all velocities round, now: the system runs back, until rounding has grown (docs/physics.md)."""
        self._changing("reverse").reverse()

    # -- copies and files

    def copy(self) -> CollisionSystem:
        """An independent system that goes on bit for bit, with observers of its own that go on too; callbacks and timers
        are not copied."""
        other = object.__new__(type(self))
        with self._engine as engine:
            other.__dict__.update(self.__dict__, _engine=engine.copy(timers=False, observers=True))
            observers = dict(self._observers)
        other._begin_alone()
        other._observers = {number: observer.twin(other, other._engine) for number, observer in observers.items()}
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> CollisionSystem:
        return self.copy()

    def checkpoint(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The whole state as (arrays, plain data): what `save` and pickle write."""
        with self._engine as engine:
            n = len(engine)
            states = np.empty((n, 7))
            tallies = np.empty((n, 4), dtype=np.int64)
            rest = engine.raw_state(states, tallies)
            colors, ids = np.array(self.colors), np.array(self.ids)
            seen = [observer.stored() for observer in self.observers]
        rest["clocks"] = [clock.hex() for clock in rest["clocks"]]
        sums = {f"observer{k}_{name}": array for k, (kept, _) in enumerate(seen) for name, array in kept.items()}
        return ({"states": states, "tallies": tallies, "colors": colors, "ids": ids, **sums},
                {"observers": [data for _, data in seen],
                 "box": [self.box.width.hex(), self.box.height.hex(), *self.box.periodic], "k_B": self.k_B.hex(),
                 "collisions": self._collisions, "speed": list(self._speed), "next_id": engine.next_id,
                 "overlapping": engine.overlapping, "engine": rest})

    @classmethod
    def from_checkpoint(cls, arrays: dict[str, np.ndarray], data: dict[str, Any]) -> CollisionSystem:
        """The reverse of `checkpoint`; the system goes on bit for bit."""
        states, tallies, rest = _sound(arrays, data)
        width, height, *periodic = data["box"]
        self = cls.__new__(cls)
        self._start(np.empty((0, 2)), np.empty((0, 2)), np.empty(0), np.empty(0), np.empty((0, 3), np.uint8),
                    Box(float.fromhex(width), float.fromhex(height), tuple(periodic)), 0.0, data["collisions"],
                    float.fromhex(data["k_B"]), False, Speed())
        now = rest["clocks"][2] + rest["clocks"][3]
        positions = states[:, :2] + states[:, 2:4] * (now - states[:, 4:5])
        inside = (np.abs(positions - 0.5 * np.array([self.box.width, self.box.height]))
                  <= 0.5001 * np.array([self.box.width, self.box.height])).all(axis=1)
        validate(self.box, positions, states[:, 2:4], states[:, 5], states[:, 6], moved=~inside)
        self._speed = Speed(*data["speed"]).checked()
        next_id = data["next_id"]
        self._engine = self._new_engine(states[:, 5].copy(), 0.0, bool(data["overlapping"]), arrays["colors"].copy(),
                                        _changed(arrays["ids"].copy(), next_id), next_id)
        self._engine.set_raw_state(states, tallies, rest)
        for k, seen in enumerate(data.get("observers", [])):    # files of version 0.1 have none
            start = f"observer{k}_"
            kept = {name[len(start):]: array for name, array in arrays.items() if name.startswith(start)}
            from ..observers import restored

            self._observers[k] = restored(self, self._engine, k, kept, seen)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_checkpoint, self.checkpoint()

    def save(self, path: Any) -> None:
        """Write a checkpoint (.npz) from which `hdsim.load` goes on bit for bit."""
        io.save_checkpoint(path, *self.checkpoint())

    def configuration(self) -> Configuration:
        """The discs as they are now, as plain arrays."""
        with self._engine:
            return Configuration(self.positions, self.velocities, self.radii, self.masses, self.colors,
                                 self.box.width, self.box.height)
