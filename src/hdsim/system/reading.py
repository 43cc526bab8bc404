"""What can be read of a system: its discs as arrays, what follows from them, and what its engine is about to do."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._core import Particle
from ..model.box import Box, real
from ..model.configuration import Configuration
from ..model.queues import PairChecks, Queue, pair_checks
from ..model.renamed import Counts
from .admission import Setting
from .arrays import frozen, index
from .editing import explained
from .looking import Flight, Near, Prediction, counters, counts, filled, queue, schedule, sizes

if TYPE_CHECKING:
    from ..formats.frame import Frame
    from ..observers import Observer

BYTES, BYTES_PER_DISC = 13_000, 270      # of memory, measured


@explained
class Readable:
    """A system as far as it can be read. Looking does not move: nothing here changes a bit of what comes.

    Each array or number belongs to one instant, also while another thread works with the system; RuntimeError while that runs
    it. Only `time`, `hash`, `statistics`, sizes, colours and ids can be read then.
    """

    _engine: _core.Engine
    _setting: Setting
    _flight: Flight
    _observers: dict[int, Observer]
    k_B: float

    @property
    def observers(self) -> tuple[Observer, ...]:
        """The observers that are attached, in the order of `observe`."""
        return tuple(self._observers.values())

    def __len__(self) -> int:
        return len(self._engine)

    def __sizeof__(self) -> int:
        """Approximate bytes of memory, engine and observers included: with it, sys.getsizeof estimates what a copy takes."""
        with self._engine as engine:
            observed = sum(array.nbytes for observer in self.observers for array in observer.stored()[0].values())
        return BYTES + BYTES_PER_DISC * len(engine) + observed

    def __getitem__(self, i: int) -> Particle:
        """Disc i as it is now: a `Particle` of its own, with the box of the system."""
        engine = self._engine
        i = index(i, len(engine))
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
        return self._setting.box

    @property
    def collisions(self) -> str:
        """How simultaneous contacts are resolved: "simultaneous" or "sequential"."""
        return self._setting.collisions

    @property
    def positions(self) -> np.ndarray:
        """(n, 2) centres now, length units; in [0, L) on a periodic axis. A new read-only array."""
        return filled(self._engine, "positions_at")

    @property
    def unwrapped_positions(self) -> np.ndarray:
        """(n, 2) centres now as if periodic axes went on for ever: for displacements. A new read-only array."""
        return filled(self._engine, "unwrapped_positions")

    @property
    def velocities(self) -> np.ndarray:
        """(n, 2) velocities now, length per time. A new read-only array."""
        return filled(self._engine, "velocities")

    def advance_into(self, out: Any, at: float | None = None) -> None:
        """Write the positions, wrapped as in `positions`, into an array of yours; nothing is allocated, and the system stays
        where it is.

        out: (n, 2) float32 or float64, of any strides: a numpy array or another writable buffer. at: any time from now to
        the next contact, within which all discs fly straight on; now if None. To know that there is none before, the first
        look ahead after an event runs a copy up to `at`, and keeps it for later looks.
        TypeError or ValueError for another `out` or `at`; nothing is written then.
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
                self._flight.check(engine, real("at", at))
            (engine.positions_at if array.dtype == np.float64 else engine.positions_at_float32)(array, at)

    def frame(self) -> Frame:
        """The discs as they are now, with box, images and ids: what a trajectory has, and what `to_freud` and
        `to_mdanalysis` make other things of."""
        from ..formats.frame import Frame

        with self._engine:
            return Frame(self.time, self.box, self.positions, self.velocities, self.radii, self.masses,
                         counters(self._engine, self.box.width, self.box.height)[:, 2:], self.ids, self.colors)

    def to_freud(self) -> tuple[Any, np.ndarray]:
        """(box, points) for freud, see `hdsim.Frame.to_freud`."""
        return self.frame().to_freud()

    def to_mdanalysis(self) -> Any:
        """An MDAnalysis Universe of one frame, see `hdsim.Frame.to_mdanalysis`."""
        return self.frame().to_mdanalysis()

    @property
    def radii(self) -> np.ndarray:
        """(n,) length units, read-only."""
        return sizes(self._engine)[0]

    @property
    def masses(self) -> np.ndarray:
        """(n,) mass units, inf for fixed and driven discs, read-only."""
        return sizes(self._engine)[1]

    @property
    def colors(self) -> np.ndarray:
        """(n, 3) uint8, red, green, blue, read-only."""
        return self._engine.colors

    @property
    def ids(self) -> np.ndarray:
        """(n,) int64: a number for each disc that never changes and never comes back, read-only."""
        engine = self._engine
        ids = engine.ids
        return frozen(np.arange(len(engine), dtype=np.int64)) if ids is None else ids

    @property
    def pair_counts(self) -> np.ndarray:
        """(n,) int64: contacts of each disc with discs."""
        return counts(self._engine, True, False)

    @property
    def wall_counts(self) -> np.ndarray:
        """(n,) int64: contacts of each disc with walls."""
        return counts(self._engine, False, True)

    @property
    def collision_counts(self) -> np.ndarray:
        """(n,) int64: contacts of each disc, walls included (the book's `count`)."""
        return counts(self._engine, True, True)

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
            masses = self.masses
            momentum = self.momentum if any(self.box.periodic) else (0.0, 0.0)
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
        simultaneous_impacts (of these, solved together), predictions (pairs looked at), exact_evaluations (pairs that a cheap
        test let through, or the earliest where there was none), crossings (into other cells, or out of windows, as events of
        their own), repredictions (of discs whose partner was deflected, not counting predictions that were postponed),
        queue_operations, rebases (of the time origin). The keys of version 0.1 warn: survivors (exact_evaluations), replans
        (repredictions), joint_events (simultaneous_impacts). A neighbour list counts with
        all its places, also empty ones. From predictions to queue_operations they depend on the settings for speed, and on the
        processor."""
        return Counts(self._engine.statistics())

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
        return schedule(self._engine, k, max_seconds)

    def queue(self, k: int = 63) -> Queue:
        """The first k entries of the queue in use, in the order in which they stand there: a calendar, or a heap where
        there are fewer than 64 items or the system was made with queue="heap"."""
        return queue(self._engine, k)

    def near(self, i: int) -> Near:
        """The cells around disc i where it is listed now, whatever the grid, and the discs that are looked at for it: all that
        are listed there, or those on its neighbour list where there are such. A disc, also disc i, may be up to half a cell
        outside the one that it is listed in: docs/engine.md."""
        engine = self._engine
        cells, discs = engine.near(index(i, len(engine)))
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

    def configuration(self) -> Configuration:
        """The discs as they are now, as plain arrays."""
        with self._engine:
            return Configuration(self.positions, self.velocities, self.radii, self.masses, self.colors,
                                 self.box.width, self.box.height)
