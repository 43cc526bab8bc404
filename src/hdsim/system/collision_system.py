"""`CollisionSystem`: N hard discs in a box, and the events of their exact motion.

The public interface of the compiled engine. The work is done in the modules of this package: validation of states in
admission.py, runs in runs.py, callbacks in callbacks.py, reading in reading.py and looking.py, changes of discs in
editing.py, saved states in checkpoint.py. Contacts are resolved in the core. Only `edit`, `add`, `remove` and `reverse` change
a trajectory.
"""
from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from .. import _core
from .._core import Particle
from ..formats import io, require_checkpoint
from ..formats.tail import parse_tail
from ..model.box import Box, BoxLike, as_box
from ..model.numbers import RANGE, real, shown
from ..model.configuration import Configuration
from ..model.naming import by_own_name
from ..model.law import Law, Restitution, law_of
from ..model.motion import moves
from ..model.obstacles import Obstacle
from ..model.placed import reversed_at
from ..model.species import numbered_species
from ..model.thermal import Walls, heat_of
from . import checkpoint, pictures
from .admission import Setting, Speed
from .arrays import color_array, frozen, index, numbers, shape_of
from .callbacks import Callbacks, Subscription
from .editing import Edit, explained, present, replace
from .keywords import Collisions, Queue, SeededOptions, check_options
from .ledger import starts_of
from .looking import Flight
from .reading import Readable
from .runs import Runs, attached
from .sphere import Sphere
from .surroundings import as_obstacles, as_species, check_room
from .weight import check_rest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from ..formats.recording import Recording
    from ..observers import Observer

UNIT = {2: Box(), 3: Box(depth=1.0)}        # the box for None, by dimension
AnyObserver = TypeVar("AnyObserver", bound="Observer")


def state(particle: Particle | Sphere) -> tuple[Sequence[float], Sequence[float]]:
    """Position and velocity of a disc or sphere."""
    if isinstance(particle, Sphere):
        return particle.position, particle.velocity
    return (particle.rx, particle.ry), (particle.vx, particle.vy)


def dimension_of(particles: Sequence[Particle | Sphere], box: BoxLike | None) -> int:
    """3 for spheres, 2 for discs; that of the box if there are none. TypeError for both together, ValueError for another box."""
    kinds = {isinstance(particle, Sphere) for particle in particles}
    if len(kinds) > 1:
        raise TypeError("particles has discs and spheres; a system is of one kind: Particle in the plane, Sphere in space")
    found = None if box is None else as_box(box).dimension
    if kinds and found not in (None, 3 if True in kinds else 2):
        held = "discs: use Particle" if found == 2 else "spheres: use Sphere"
        raise ValueError(f"the box has {found} dimensions; it holds {held}")
    return (3 if kinds.pop() else 2) if kinds else found or 2


@explained
@by_own_name(Runs, Readable)
class CollisionSystem(Runs, Readable):
    """N hard discs, or spheres, that move in straight lines, or fall, and collide with each other and the walls.

    particles: an iterable of `Particle`, or of `Sphere` for a system in three dimensions. box: a `Box`, or (width, height) or
    (width, height, depth) of a box with walls, in length units; the unit square or cube by default. time: the initial time.
    obstacles: shapes in the box that discs touch, such as `Segment`, `Circle` or `Polygon`, in any number; on a periodic axis
    they may reach out of the box. species: (n,) whole numbers, for obstacles that only some species touch; None numbers pairs of
    equal radius and mass in order of appearance.
    restitution: the part e of the normal speed of approach that a contact keeps, from 0 to 1; or {"pair": e, "wall": e}, of which
    the first may be a symmetric array by species, and the second is for sides of the box and for obstacles without a coefficient
    of their own. contact_time: with e < 1, a contact of a disc that had another one less than this before keeps its energy (TC
    model, docs/physics.md); without it a run in which infinitely many contacts follow in a finite time ends with CollapseError.
    gravity: the acceleration (gx, gy), or (gx, gy, gz), of all discs and pistons, length / time^2 (docs/laws.md); along a
    periodic axis it must be 0. Then no disc may have an infinite mass or rest on a surface, and no coefficient may be 0.
    walls: sides of the box with a temperature, as {"left": hdsim.Thermal(2.)}; obstacles take `temperature`. seed: of the random
    numbers with which thermal surfaces re-emit discs, a whole number; the same seed gives the same bits on every machine.
    collisions: "simultaneous" solves contacts at one instant that share a disc together (see docs/physics.md);
    "sequential" resolves them one after another, as the book does. k_B: Boltzmann's constant, for `temperature`. strict:
    raise ValueError for overlapping discs instead of warning.

    Three more arguments change speed only, never a bit of the result. cells: (columns, rows) of the grid, in three
    dimensions (columns, rows, layers); ones compare all pairs; None lets the engine choose. queue: "calendar" or "heap".
    vectors: False disables the wider vector instructions of the processor, and exact contact times in vectors.

    ValueError, naming the disc, for a state that is not legal: a number that is not finite, a radius below 0, a mass that is not
    positive, a disc that reaches through a wall or overlaps an obstacle. OverlapWarning if discs overlap by more than rounding.
    """

    def __init__(self, particles: Iterable[Particle | Sphere] = (), *, box: BoxLike | None = None, time: float = 0.0,
                 collisions: Collisions = "simultaneous", k_B: float = 1.0, strict: bool = False,
                 cells: tuple[int, ...] | None = None, queue: Queue = "calendar", vectors: bool = True,
                 obstacles: Iterable[Obstacle] = (), species: ArrayLike | None = None, restitution: Restitution = 1.0,
                 contact_time: float = 0.0, walls: Walls | None = None, seed: int = 0,
                 gravity: Sequence[float] | None = None) -> None:
        if not isinstance(particles, Iterable):
            raise TypeError(f"particles is {shown(particles)}; it must be a sequence of Particle; hdsim.random(n) makes n discs")
        discs = list(particles)
        n, d = len(discs), dimension_of(discs, box)
        self._start(
            numbers("positions", [state(p)[0] for p in discs], (n, d)),
            numbers("velocities", [state(p)[1] for p in discs], (n, d)),
            numbers("radii", [p.radius for p in discs], (n,)),
            numbers("masses", [p.mass for p in discs], (n,)),
            np.array([p.color for p in discs], dtype=np.uint8).reshape(n, 3), box, time, collisions, k_B, strict,
            Speed(cells, queue, vectors), obstacles, species, law_of(restitution, contact_time, gravity), (walls, seed))

    @classmethod
    def from_arrays(cls, positions: ArrayLike, velocities: ArrayLike, radii: ArrayLike, masses: ArrayLike = 1.0,
                    colors: ArrayLike | None = None, *,
                    box: BoxLike | None = None, time: float = 0.0, collisions: Collisions = "simultaneous", k_B: float = 1.0,
                    strict: bool = False, cells: tuple[int, ...] | None = None, queue: Queue = "calendar",
                    vectors: bool = True, images: ArrayLike | None = None, obstacles: Iterable[Obstacle] = (),
                    species: ArrayLike | None = None, restitution: Restitution = 1.0,
                    contact_time: float = 0.0, walls: Walls | None = None, seed: int = 0,
                    gravity: Sequence[float] | None = None) -> CollisionSystem:
        """A system from arrays, which are copied; masses are 1 by default, and not 0.5 as in `hdsim.random`.

        positions (n, d), length units, with d = 2 for discs and d = 3 for spheres; velocities (n, d), length / time; radii
        (n,), length units, and masses (n,), or one number for all discs; colors (n, 3) of 0 to 255, or one (red, green, blue)
        for all, black by default. images: (n, d) whole numbers of box lengths by which `unwrapped_positions` begin apart from
        `positions` on periodic axes. Other arguments, and errors, as for the class; ValueError also for another shape."""
        shape = shape_of("positions", positions)
        if shape != (0,) and (len(shape) != 2 or shape[1] not in (2, 3)):
            raise ValueError(f"positions has shape {shape}; expected (n, 2) or (n, 3)")
        n, d = shape if len(shape) == 2 and shape[1] in (2, 3) else (0, 2 if box is None else as_box(box).dimension)
        self = cls.__new__(cls)
        self._start(numbers("positions", positions, (n, d)), numbers("velocities", velocities, (n, d)),
                    numbers("radii", radii, (n,)), numbers("masses", masses, (n,)),
                    color_array(colors, n), box, time, collisions, k_B, strict, Speed(cells, queue, vectors), obstacles, species,
                    law_of(restitution, contact_time, gravity), (walls, seed), images)
        return self

    @classmethod
    def from_configuration(cls, configuration: Configuration, *, box: BoxLike | None = None,
                           **options: Unpack[SeededOptions]) -> CollisionSystem:
        """A system from a `Configuration`, with its box, obstacles, species, law and time unless others are given. Options and
        errors as for `from_arrays`; TypeError for an unknown option."""
        check_options("CollisionSystem.from_configuration", options, "box")
        c = configuration
        options = {"obstacles": c.obstacles, "species": c.species, "time": c.time, "restitution": c.law.restitution,
                   "contact_time": c.law.contact_time, "gravity": c.law.gravity or None, "walls": dict(c.heat.walls),
                   "seed": c.heat.seed, **options}
        return cls.from_arrays(c.positions, c.velocities, c.radii, c.masses, c.colors,
                               box=c.box if box is None else box, **options)

    def _start(self, positions: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray,
               colors: np.ndarray, box: BoxLike | None, time: float, collisions: Collisions, k_B: float, strict: bool,
               speed: Speed, obstacles: Any, species: Any, law: Law, heat: tuple[Any, Any], images: Any = None) -> None:
        if not abs(real("time", time)) <= RANGE:
            raise ValueError(f"time is {shown(time)}; it must be finite")
        n, d = positions.shape
        sides = as_box(box, UNIT[d])
        if sides.dimension != d:
            raise ValueError(f"positions has shape {positions.shape}, and the box has {sides.dimension} dimensions: {sides}")
        self._begin(Setting(sides, collisions, speed, law, heat_of(*heat, sides)).checked(), k_B)
        around = as_obstacles(obstacles, self._setting.box)
        kinds = None if species is None else as_species(species, n)
        overlapping = self._setting.admit(positions, velocities, radii, masses, strict)
        felt = numbered_species(radii, masses) if kinds is None else kinds
        check_room(self._setting.box, around, time, positions, radii, felt)
        counted = self._setting.counters(images, n)
        self._engine = self._setting.engine(radii, masses, float(time), overlapping, colors, None, n, around, kinds)
        check_rest(law.gravity, self._setting.box, around, time, positions, velocities, radii, felt)
        self._engine.load(positions, velocities, radii, masses, counted)
        self._engine.starts = starts_of(around, self._setting.box, self._gas(self._engine), self._engine.time)

    def _begin(self, setting: Setting, k_B: float) -> None:
        """Set all attributes but the engine. ValueError for a k_B that is not positive and finite."""
        if not 0 < real("k_B", k_B) < math.inf:
            raise ValueError(f"k_B is {shown(k_B)}; it must be positive and finite")
        self._setting, self.k_B = setting._replace(k_B=float(k_B)), float(k_B)
        self._observers = {}
        self._begin_alone()

    def _begin_alone(self) -> None:
        """Create the attributes that a copy must not share with its original."""
        self._turn = _core.Turn()
        self._flight = Flight()
        self._callbacks = Callbacks()

    # -- callbacks

    def on_collision(self, callback: Any, kind: str | None = None) -> Subscription:
        """Call `callback(event)` once after every event with a contact of this kind: "pair", "wall" (an obstacle is one),
        "multi", or None for any; or, for "pass", after each disc that a gate lets in; or, for "device", after each time at which
        an obstacle comes or goes. Returns a handle with `cancel()`.

        A callback may read the system but not change it, and may return `hdsim.STOP` to end the run. An exception ends the run
        and leaves the system at the last executed event.

        callback: a Python callable; or a function in machine code, `int f(const hdsim_event *event, void *data)`, in three
        dimensions with `hdsim_event_in` (hdsim.h, docs/embedding.md), whose call costs nanoseconds instead of a microsecond: a
        PyCapsule with that signature as its name, a `scipy.LowLevelCallable`, a function pointer of ctypes or cffi, or a numba
        `cfunc`. Such a function is called without the GIL, ends the run by returning a number other than 0, and must not use the
        system. TypeError for other objects, ValueError for another kind, and for a function that takes `hdsim_event` in three
        dimensions."""
        return self._callbacks.add(callback, kind, self.dimension)

    def record(self, path: Any, every: float | None = None) -> Recording:
        """Write a file while the system runs, in the format of the suffix of `path`; see docs/files.md.

        .xyz or .extxyz, .gsd (extra `gsd`), .sph, .lammpstrj or .dump: the discs at every time k * every, k an integer, the
        present time included if it is such a time. .csv or .npy: every contact from now on, and every disc that a gate lets in;
        with `every`, the file is complete up to each time k * every. Returns a handle with `close()`, which is also a context
        manager. Recording does not change the trajectory, and copies of the system are not recorded. ValueError for another
        suffix, OSError for a file that cannot be written. A write that fails during a run ends the run at the last executed
        event.
        """
        from ..formats.recording import record       # imported late: most runs record nothing

        return record(self, path, every, lambda: self._engine.events)

    # -- observers

    @overload
    def observe(self, observer: AnyObserver) -> AnyObserver: ...

    @overload
    def observe(self, observer: str, **options: Any) -> Observer: ...

    def observe(self, observer: Any, **options: Any) -> Any:
        """Attach an observer (see `hdsim.observers`), which accumulates its quantity from now on in the compiled core; returns
        it. An observer does not change the trajectory. While it is attached, discs cannot be edited, added or removed, because
        its sums are over these discs.

        observer: an `Observer`; or its name, such as "pressure" or "free path", with the arguments of its class as `options`.
        ValueError for a name that no observer has, TypeError for another object or other arguments."""
        from ..observers import observer_of     # imported late: it takes time, and most runs have no observers

        return attached(self, observer_of(observer, options))

    # -- changing

    @contextlib.contextmanager
    def edit(self) -> Iterator[Edit]:
        """Change discs at the present time, in a `with` block in which `positions`, `velocities`, `radii`, `masses` and `colors`
        are writable arrays, `species` too, `obstacles` is a list, and `box` may be set to another one with the same periodic
        axes, or to (width, height); `restitution`, `contact_time`, `gravity` and `walls` may be set as for the class, and
        `draft.temperature = T` scales the velocities. At the end of the block the new state is validated and all contacts are
        predicted again. ValueError if the state is not legal, for example if a disc would not fit in the box; then nothing is
        changed. AttributeError for another field. RuntimeError if the system runs or is changed otherwise during the block.

        >>> import hdsim
        >>> system = hdsim.load("billiards2")
        >>> with system.edit() as draft:
        ...     draft.velocities[0] = 0.1, 0
        """
        self._forbid_change("edit")
        with self._engine as engine:
            whole = present(engine, self._setting)
            state = (engine, engine.changes)
        draft = Edit(whole, self._setting, self.k_B)
        yield draft
        with self._changing("edit") as engine:
            if (engine, engine.changes) != state:
                raise RuntimeError("the system ran, or was changed in another way, while it was being edited")
            setting = draft.checked_setting(self._setting)
            after = draft.checked(whole, setting.box)
            same = setting == self._setting and after.obstacles == whole.obstacles and after.species is whole.species
            if same and all(np.array_equal(a, b) for a, b in zip(whole[:4], after[:4])):
                engine.colors = frozen(after.colors)
            else:
                replace(self, engine, self._setting, whole, after, engine.next_id, setting)

    def reverse(self) -> None:
        """Reverse all velocities at the present time, those of obstacles too. The system then retraces its trajectory until
        rounding errors have grown (docs/physics.md), if contacts are elastic and no obstacle comes or goes. Thermal surfaces do
        not lead back: they go on with the next of their random numbers. RuntimeError if obstacles move and observers are
        attached; ValueError for a motion that has made very many periods."""
        engine = self._changing("reverse")
        if any(map(moves, engine.obstacles)):
            with engine:
                whole = present(engine, self._setting)
                obstacles = tuple(reversed_at(obstacle, engine.time) for obstacle in whole.obstacles)
                replace(self, engine, self._setting, whole, whole._replace(obstacles=obstacles), engine.next_id)
        self._engine.reverse()      # discs and pistons, which so keep their sides

    def add(self, particle: Particle | Sphere, species: int | None = None) -> int:
        """Add a disc, a `Particle`, at the present time; in three dimensions a `Sphere`. Returns its index, the last one.
        species: None for that of the discs of its radius and mass, or, if there are none, a new one. ValueError if it is not
        legal or overlaps another disc or an obstacle; then nothing is changed."""
        wanted = (Particle, Sphere)[self.dimension - 2]
        if not isinstance(particle, wanted):
            raise TypeError(f"expected a {wanted.__name__}, got {type(particle).__name__}")
        p, (position, velocity) = particle, state(particle)
        with self._changing("add a disc") as engine:
            whole = present(engine, self._setting)
            kinds = whole.with_species(p, species)
            row: dict[str, Any] = {
                "positions": [position], "velocities": [velocity], "radii": [p.radius], "masses": [p.mass],
                "colors": np.array([p.color], dtype=np.uint8), "counters": np.zeros((1, 2 + self.dimension), dtype=np.int64),
                "ids": [engine.next_id]}
            after = whole._replace(species=None).mapped(lambda name, array: np.concatenate((array, row[name])))
            replace(self, engine, self._setting, whole, after._replace(species=kinds), engine.next_id + 1)
            return len(engine)

    def add_obstacles(self, lines: str | bytes) -> int:
        """Add the obstacles of lines as they stand behind the rows of a text file (docs/files.md), such as "segment .5 0 .5 .4",
        at the present time, after those that there are; lines of species set those of discs. Returns the number of obstacles that
        there are then. FileFormatError with the line that is wrong; ValueError for a box that is not this one, for what is of a
        whole system, such as a thermal side or restitution (`edit` changes it), and as for `edit`, for example if a disc overlaps
        a new obstacle; then nothing is changed."""
        if not isinstance(lines, (str, bytes)):
            raise TypeError(f"lines is {shown(lines)}; it must be a string, such as 'segment .5 0 .5 .4'")
        tail = parse_tail(lines.encode() if isinstance(lines, str) else lines, "lines", 1, len(self))
        if tail.box is not None and tail.box != self.box:
            raise ValueError(f"lines:{min(tail.lines[word] for word in ('box', 'periodic') if word in tail.lines)}: the box is "
                             f"{tail.box}; that of the system is {self.box}")
        for word in ("thermal", "seed", "gravity", "restitution", "contact-time"):
            if word in tail.lines:
                raise ValueError(f"lines:{tail.lines[word]}: {word} is for a whole system, and cannot be added to one")
        with self.edit() as draft:
            draft.obstacles += tail.obstacles
            for first, last, kind in tail.species:
                draft.species[first:last + 1] = kind
        return len(self.obstacles)

    def remove(self, i: int) -> None:
        """Remove disc i at the present time. The indices of later discs decrease by one, as in a list. IndexError if there is no
        disc i."""
        with self._changing("remove a disc") as engine:
            i = index(i, len(engine))
            whole = present(engine, self._setting)
            replace(self, engine, self._setting, whole, whole.mapped(lambda name, array: np.delete(array, i, axis=0)),
                    engine.next_id)

    # -- copies and files

    def copy(self) -> CollisionSystem:
        """An independent system in the same state, whose later trajectory is equal bit for bit. Its observers are copies that
        continue from the same sums. Callbacks and timers are not copied."""
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
        """The whole state as (arrays, plain data), which `save` and pickle write."""
        with self._engine as engine:
            seen = [observer.stored() for observer in self.observers]
            return checkpoint.written(engine, self._setting, self.k_B, self.ids, seen)

    @classmethod
    def from_checkpoint(cls, arrays: dict[str, np.ndarray], data: dict[str, Any]) -> CollisionSystem:
        """The system of a checkpoint, from the result of `checkpoint`. It continues bit for bit. ValueError if the data do not
        belong together."""
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

    def save(self, path: Any, notes: Mapping[str, Any] | None = None) -> None:
        """Write a checkpoint (.npz); the system that `hdsim.load` makes of it continues bit for bit. notes: data that JSON can
        represent and that `hdsim.formats.notes.notes_of` returns; they are no part of the state. ValueError for a path that does
        not end in .npz, which `hdsim.load` would read as text; OSError."""
        require_checkpoint(path)
        arrays, data = self.checkpoint()
        io.save_checkpoint(path, arrays, data, checkpoint.version_of(arrays, data), notes)

    # -- pictures

    show = pictures.show
    film = pictures.record
    plot = pictures.plot
    _repr_png_ = pictures.png
