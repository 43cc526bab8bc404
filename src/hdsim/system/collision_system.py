"""CollisionSystem: N hard discs in a box, and the events of their exact motion.

The face of the compiled engine, as a table of contents: how states are admitted stands in admission.py, how far runs go in
running.py, callbacks in callbacks.py, what can be read in reading.py and looking.py, how discs are exchanged in editing.py, and
what is saved in checkpoint.py. What happens at a contact is decided in the core; nothing here touches a trajectory
except the verbs that say so (edit, add, remove, reverse).
"""
from __future__ import annotations

import contextlib
import math
import time as clock
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from .. import _core
from .._core import Particle
from ..formats import io
from ..model.box import RANGE, Box, BoxLike, as_box, real
from ..model.configuration import Configuration
from ..model.events import Event
from . import checkpoint
from .admission import Setting, Speed
from .arrays import color_array, frozen, index, numbers
from .callbacks import Callbacks, Subscription, Timer
from .editing import Edit, explained, present, replace
from .keywords import SystemOptions, check_options
from .looking import Flight
from .reading import Readable
from .running import ANY_KIND, check_limits, checked_until, next_event

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..formats.recording import Recording
    from ..observers import Observer

AnyObserver = TypeVar("AnyObserver", bound="Observer")


@explained
class CollisionSystem(Readable):
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
            numbers("positions", [(p.rx, p.ry) for p in discs], (n, 2)),
            numbers("velocities", [(p.vx, p.vy) for p in discs], (n, 2)),
            numbers("radii", [p.radius for p in discs], (n,)),
            numbers("masses", [p.mass for p in discs], (n,)),
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
        self._start(numbers("positions", positions, (n, 2)), numbers("velocities", velocities, (n, 2)),
                    numbers("radii", radii, (n,)), numbers("masses", masses, (n,)),
                    color_array(colors, n), box, time, collisions, k_B, strict, Speed(cells, queue, vectors), images)
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
        if not abs(real("time", time)) <= RANGE:
            raise ValueError(f"time is {time!r}; it must be finite")
        self._begin(Setting(as_box(box), collisions, speed).checked(), k_B)
        n = len(radii)
        overlapping = self._setting.admit(positions, velocities, radii, masses, strict)
        counted = self._setting.counters(images, n)
        self._engine = self._setting.engine(radii, float(time), overlapping, colors, None, n)
        self._engine.load(positions, velocities, radii, masses, counted)

    def _begin(self, setting: Setting, k_B: float) -> None:
        """All but the engine."""
        if not 0 < real("k_B", k_B) < math.inf:
            raise ValueError(f"k_B is {k_B!r}; it must be positive and finite")
        self._setting, self.k_B = setting, float(k_B)
        self._observers: dict[int, Observer] = {}       # by the number that the engine knows them by
        self._begin_alone()

    def _begin_alone(self) -> None:
        """What a copy does not share with its original."""
        self._turn = _core.Turn()
        self._flight = Flight()
        self._callbacks = Callbacks()

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
        end = checked_until(until, self._engine.time)
        if end == math.inf and max_events is None and max_seconds is None and not self.has_callbacks:
            raise ValueError("until is infinite and nothing can stop the run; give until, max_events or max_seconds")
        return self._run("set_until", end, max_events, max_seconds)

    def step(self, dt: float, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """Go on by `dt` >= 0 time units, also when `time` is too large for dt to show in it. Returns the number
        of contact impulses executed; limits as for `simulate`."""
        if not 0 <= real("dt", dt) < math.inf:
            raise ValueError(f"dt is {dt!r}; it must be >= 0 and finite")
        return self._run("set_step", dt, max_events, max_seconds)

    def _run(self, set_end: str, end: float, max_events: int | None, max_seconds: float | None) -> int:
        """Run to `end`, which the engine's method of name `set_end` sets; returns the number of contact impulses executed."""
        check_limits(max_events, max_seconds)
        with self._turn:
            engine = self._engine
            getattr(engine, set_end)(end)
            return self._advance(engine, max_events, max_seconds)

    def next_event(self, max_seconds: float | None = None) -> Event | None:
        """Execute exactly one event, callbacks included, and return it; None when nothing will ever happen.

        None is returned in the plain cases: no disc moves towards a wall, and no two discs can meet, because both are points or
        both infinitely heavy, have one velocity, or move along one periodic axis on lanes that do not touch (more than 3000
        discs: all points, or all of one velocity). On other orbits that never meet, such as a diagonal closed on itself,
        RuntimeError after 10^7 + 1000 n crossings of cells without an event, or after `max_seconds` of wall-clock time;
        `simulate(until)` ends there as ever."""
        check_limits(None, max_seconds)
        with self._turn:
            engine = self._engine
            event = next_event(engine, max_seconds)
            if event is not None and (self._callbacks.subscriptions or event.number is not None):
                self._callbacks.call(engine, event)
            return event

    def peek(self, max_seconds: float | None = None) -> Event | None:
        """What `next_event` would return, impulses included, or raise; nothing changes. O(n): it runs a copy."""
        check_limits(None, max_seconds)
        return next_event(self._engine.copy(), max_seconds)

    def events(self, until: float = math.inf) -> Iterator[Event]:
        """Execute and yield events one by one while their time is <= `until`; then `time` is `until`. A callback
        that returns `hdsim.STOP` makes its event the last."""
        return cast("Iterator[Event]", self._events_or_none(until, math.inf))

    def _events_or_none(self, until: float, seconds: float) -> Iterator[Event | None]:
        """The events until `until`, and None whenever `seconds` of wall-clock time have passed without one."""
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
                elif self._callbacks.subscriptions or event.number is not None:
                    stop = self._callbacks.call(engine, event)
            yield event

    def _advance(self, engine: _core.Engine, max_events: int | None, max_seconds: float | None) -> int:
        """Run to the end that this engine was set; it stops only for events that have callbacks in Python."""
        before, callbacks = engine.contacts, self._callbacks
        last = _core.FOREVER if max_events is None else engine.events + max_events
        seconds = math.inf if max_seconds is None else max_seconds
        deadline = math.inf if max_seconds is None else clock.monotonic() + max_seconds
        while True:
            event = engine.run(callbacks.wanted, last, seconds, callbacks.natives, max_seconds is not None)
            if event is None:
                break
            if event.number is not None:
                last -= 1
            stop = callbacks.call(engine, event)
            engine = self._engine       # a timer's callback may have replaced it
            if stop:
                break
            if max_seconds is not None:
                seconds = deadline - clock.monotonic()
                if seconds <= 0:
                    break
        return engine.contacts - before

    # -- callbacks

    def on_collision(self, callback: Any, kind: str | None = None) -> Subscription:
        """Call `callback(event)` once after every event that holds a contact of this kind ("pair", "wall",
        "multi"; None: any). It may read the system, and return `hdsim.STOP`; an exception stops the run and
        leaves the system whole. Returns a handle with `cancel()`.

        callback: a Python callable; or a function in machine code, `int f(const hdsim_event *event, void *data)`
        (hdsim.h, docs/embedding.md), which costs nanoseconds instead of a microsecond: a PyCapsule with that signature
        as its name, a `scipy.LowLevelCallable`, a function pointer of ctypes or cffi, or a numba `cfunc`. It is called
        without the GIL, stops the run by another number than 0, and must not use the system. TypeError for others."""
        return self._callbacks.add(callback, kind)

    def on_redraw(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """Call `callback(event)` at every multiple k * every (from time 0) later than now, after the contacts of
        that instant: the book's redraw event. It may read, edit, add and remove, and return `hdsim.STOP`."""
        return self._add_timer(callback, "redraw", every)

    def on_timer(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """As `on_redraw`, for anything else that is to happen in step with simulated time."""
        return self._add_timer(callback, "timer", every)

    def _add_timer(self, callback: Callable[[Event], Any], kind: str, every: float) -> Timer:
        engine = self._changing("register a timer")
        return self._callbacks.add_timer(engine, callback, kind, every,
                                         lambda timer: self._callbacks.cancel_timer(self._engine, timer))

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
    def subscriptions(self) -> tuple[Subscription, ...]:
        """The handles of all `on_collision` callbacks, in the order in which they are called."""
        return tuple(self._callbacks.subscriptions)

    @property
    def has_callbacks(self) -> bool:
        """True if callbacks or timers are registered."""
        return bool(self._callbacks.subscriptions) or self._engine.live_timers > 0

    @property
    def timed_out(self) -> bool:
        """True if the last run ended because its `max_seconds` were over."""
        return self._engine.cut

    # -- observers

    def observe(self, observer: AnyObserver) -> AnyObserver:
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
        """Detach an observer, as `observer.detach()` does. ValueError if it does not observe this system."""
        with self._engine:
            if all(o is not observer for o in self.observers):
                raise ValueError(f"this {type(observer).__name__} does not observe this system")
            del self._observers[observer.leave()]

    # -- changing

    def _forbid_change(self, what: str) -> None:
        if self._turn.elsewhere:
            raise RuntimeError(f"cannot {what} while the system is running in another thread")
        if self._callbacks.locked:
            raise RuntimeError(f"cannot {what} inside an on_collision callback; it may only read. Use a timer")

    def _changing(self, what: str) -> _core.Engine:
        """The engine, for a `with` block in which only this thread can change it."""
        self._forbid_change(what)
        return self._engine

    @contextlib.contextmanager
    def edit(self) -> Iterator[Edit]:
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
        draft = Edit(*(array.copy() for array in before))
        yield draft
        with self._changing("edit") as engine:
            if (engine, engine.changes) != state:
                raise RuntimeError("the system ran, or was changed in another way, while it was being edited")
            after = draft.checked(len(engine))
            if all(np.array_equal(a, b) for a, b in zip(before[:4], after[:4])):
                engine.colors = frozen(after[4])
            else:
                whole = present(engine, self._setting)
                replace(self, engine, self._setting, whole, [*after, *whole[5:]], engine.next_id)

    def add(self, particle: Particle) -> int:
        """Add a disc now; returns its index, the last. ValueError if it is not legal, or overlaps another."""
        if not isinstance(particle, Particle):
            raise TypeError(f"expected a Particle, got {type(particle).__name__}")
        p = particle
        with self._changing("add a disc") as engine:
            row: list[Any] = [[(p.rx, p.ry)], [(p.vx, p.vy)], [p.radius], [p.mass], np.array([p.color], dtype=np.uint8),
                   np.zeros((1, 4), dtype=np.int64), [engine.next_id]]
            whole = present(engine, self._setting)
            arrays = [np.concatenate(pair) for pair in zip(whole, row)]
            replace(self, engine, self._setting, whole, arrays, engine.next_id + 1)
            return len(engine)

    def remove(self, i: int) -> None:
        """Take disc i out now; later ones move up by one, as in a list."""
        with self._changing("remove a disc") as engine:
            i = index(i, len(engine))
            whole = present(engine, self._setting)
            arrays = [np.delete(array, i, axis=0) for array in whole]
            replace(self, engine, self._setting, whole, arrays, engine.next_id)

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
            seen = [observer.stored() for observer in self.observers]
            return checkpoint.written(engine, self._setting, self.k_B, self.ids, seen)

    @classmethod
    def from_checkpoint(cls, arrays: dict[str, np.ndarray], data: dict[str, Any]) -> CollisionSystem:
        """The reverse of `checkpoint`; the system goes on bit for bit."""
        engine, setting = checkpoint.read(arrays, data)
        self = cls.__new__(cls)
        self._begin(setting, float.fromhex(data["k_B"]))
        self._engine = engine
        for k, seen in enumerate(checkpoint.seen_by_observers(arrays, data)):
            from ..observers import restored

            self._observers[k] = restored(self, engine, k, *seen)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_checkpoint, self.checkpoint()

    def save(self, path: Any) -> None:
        """Write a checkpoint (.npz) from which `hdsim.load` goes on bit for bit."""
        io.save_checkpoint(path, *self.checkpoint())
