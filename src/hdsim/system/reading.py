"""The readable part of a system: its discs as arrays, quantities computed from them, and the predictions of its engine."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._core import Particle
from ..language import plural
from ..model.box import Box, require_plane
from ..model.numbers import real
from ..model.configuration import Configuration
from ..model.free_area import free_area
from ..model.gates import is_there
from ..model.obstacles import Obstacle, conserved_axes
from ..model.piston import Piston, pistons_among
from ..model.queues import PairChecks, Queue, pair_checks
from ..model.renamed import Counts
from ..model.species import numbered_species
from ..model.thermal import Thermal, is_heated
from .admission import Setting
from .arrays import frozen, index
from .balance import EnergyBalance, balance_of
from .editing import explained
from .halves import Gas
from .ledger import Ledger, ledger, number_of
from .looking import Flight, Near, Prediction, counters, counts, filled, next_contact, queue, schedule, sizes, thermal_share
from .sphere import Sphere
from .surroundings import standing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..formats.frame import Frame
    from ..observers import Observer

BYTES, BYTES_PER_DISC = 13_000, 270      # measured memory of a system


@explained
class Readable:
    """The readable members of a system. Reading changes no bit of the trajectory.

    Each array or number belongs to one instant, also while another thread reads or changes the system. RuntimeError while another
    thread runs it; only `time`, `hash`, `statistics`, sizes, colours and ids can be read then.
    """

    _engine: _core.Engine
    _setting: Setting
    _flight: Flight
    _observers: dict[int, Observer]
    k_B: float

    def __len__(self) -> int:
        return len(self._engine)

    def __sizeof__(self) -> int:
        """Approximate bytes of memory, engine and observers included, so that sys.getsizeof estimates the memory of a copy."""
        with self._engine as engine:
            observed = sum(array.nbytes for observer in self._observers.values() for array in observer.stored()[0].values())
        return BYTES + BYTES_PER_DISC * len(engine) + observed

    def __getitem__(self, i: int) -> Particle | Any:
        """Disc i as it is now: an independent `Particle` with the box of the system; in three dimensions a `Sphere`. IndexError
        if there is no disc i."""
        engine, d = self._engine, self.dimension
        i = index(i, len(engine))
        *state, radius, mass, count = engine.disc(i)
        return self._particle(state[:d], state[d:], radius, mass, engine.colors[i].tolist(), count)

    def __iter__(self) -> Iterator[Particle | Any]:
        """Iterate over all discs, as `Particle` or `Sphere` objects in the state at the beginning of the iteration."""
        with self._engine:
            columns = self.positions, self.velocities, self.radii, self.masses, self.colors, self.collision_counts
        return (self._particle(*row) for row in zip(*(column.tolist() for column in columns)))

    def _particle(self, position: list[float], velocity: list[float], radius: float, mass: float, color: list[int],
                  count: int) -> Particle | Any:
        if len(position) == 3:
            return Sphere(position, velocity, radius, mass, color, box=self.box, count=count)
        (rx, ry), (vx, vy) = position, velocity
        return Particle(rx, ry, vx, vy, radius, mass, tuple(color), width=self.box.width, height=self.box.height,
                        periodic=self.box.periodic, count=count)

    def __repr__(self) -> str:
        periodic = "".join(axis for axis, wraps in zip("xyz", self.box.periodic) if wraps)
        axes = "walls" if not periodic else "periodic" if all(self.box.periodic) else f"periodic in {' and '.join(periodic)}"
        size = " x ".join(f"{length:g}" for length in self.box.lengths)
        return plural(f"<CollisionSystem of {len(self)} {self._bodies}(s)") + f" in {size} ({axes}), time {self.time:g}>"

    @property
    def _bodies(self) -> str:
        return "sphere" if self.dimension == 3 else "disc"

    @property
    def dimension(self) -> int:
        """The number of axes: 2 for discs in a rectangle, 3 for spheres in a cuboid."""
        return self.box.dimension

    @property
    def time(self) -> float:
        """The present time, in time units."""
        return self._engine.time

    @property
    def box(self) -> Box:
        """The box: a rectangle or cuboid, in length units; each axis has walls or is periodic."""
        return self._setting.box

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """The obstacles in the box, in their order: the shapes that were given, and pistons where they are now.
        `Contact.obstacle` is an index of it."""
        return standing(self._engine)

    @property
    def pistons(self) -> tuple[Piston, ...]:
        """The pistons among the obstacles, where they are now: each has place, velocity, mass, force and axis.

        >>> import hdsim
        >>> system = hdsim.CollisionSystem(obstacles=[hdsim.Piston(x=.25, mass=2, velocity=.5)])
        >>> system.simulate(until=1)
        >>> system.pistons
        (Piston(x=0.75, mass=2.0, velocity=0.5),)
        """
        return tuple(piston for _, piston in pistons_among(self.obstacles))

    @property
    def species(self) -> NDArray[np.int64]:
        """(n,) the species of each disc, a whole number: those that were given; or else pairs of equal radius and mass are
        numbered 0, 1, ... in order of appearance. Read-only."""
        with self._engine as engine:
            if engine.species is not None:
                return engine.species
            return frozen(numbered_species(*sizes(engine)))

    def ledger(self, name: str | None = None, temperature: float | None = None) -> Ledger:
        """The ledger of a gate: its decisions up to now, the information in them, and the entropy of the gas on both sides.

        name: of the gate; not needed if there is only one. temperature: at which the record of its decisions is erased, by
        default that of the gas when the gate was put into the box; `erasure_work` is k_B temperature ln 2 times the bits
        (Landauer). Areas, numbers, temperatures and the entropy of the two sides are None unless gate and frame divide the box:
        the segments on the line of the gate reach from side to side. ValueError if there is no gate of this name, or more than
        one, and for a temperature that is negative or not finite; TypeError for one that is no number."""
        require_plane(self.box, "gates and ledgers have")
        with self._engine as engine:
            return ledger(engine, self.box, self._gas(engine), number_of(name, engine.obstacles), self.time, temperature)

    def _gas(self, engine: _core.Engine) -> Gas:
        radii, masses = sizes(engine)
        species = numbered_species(radii, masses) if engine.species is None else engine.species
        return Gas(filled(engine, "positions_at"), filled(engine, "velocities"), radii, masses, species, self.k_B)

    @property
    def collisions(self) -> str:
        """How simultaneous contacts are resolved: "simultaneous" or "sequential"."""
        return self._setting.collisions

    @property
    def positions(self) -> NDArray[np.float64]:
        """(n, d) in d dimensions: present centres, length units; in [0, L) on a periodic axis. A new read-only array."""
        return filled(self._engine, "positions_at")

    @property
    def unwrapped_positions(self) -> NDArray[np.float64]:
        """(n, d) in d dimensions: present centres, length units, not wrapped into the box on periodic axes; for displacements.
        A new read-only array."""
        return filled(self._engine, "unwrapped_positions")

    @property
    def velocities(self) -> NDArray[np.float64]:
        """(n, d) in d dimensions: present velocities, length / time. A new read-only array."""
        return filled(self._engine, "velocities")

    def advance_into(self, out: Any, at: float | None = None) -> None:
        """Write the positions at a time, wrapped as in `positions`, into an existing array. The time of the system does not
        change.

        out: (n, d) float32 or float64 with any strides: a numpy array or another writable buffer. at: a time from now to the
        next contact, up to which all discs fly straight; None for now. To find whether a contact is earlier, the first call with
        `at` after an event runs a copy of the system to `at`; the copy is kept for later calls.
        TypeError or ValueError for another `out` or `at`; then nothing is written.
        """
        try:
            array = np.asarray(memoryview(out))
        except (TypeError, ValueError):
            raise TypeError(f"out must be an array of float32 or float64, got {type(out).__name__}") from None
        if array.dtype not in (np.float32, np.float64):
            raise TypeError(f"out has type {array.dtype}; expected float32 or float64")
        engine = self._engine
        if array.shape != (len(engine), self.dimension):
            raise ValueError(f"out has shape {array.shape}; expected {(len(engine), self.dimension)}")
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
        """The present state with box, obstacles, gravity, images and ids as a `Frame`, as trajectories have them; it can be
        converted for freud and MDAnalysis."""
        from ..formats.frame import Frame

        with self._engine:
            return Frame(self.time, self.box, self.positions, self.velocities, self.radii, self.masses,
                         counters(self._engine, self.box.lengths)[:, 2:], self.ids, self.colors,
                         self.obstacles, self._engine.species, self._setting.law.gravity)

    def to_freud(self) -> tuple[Any, np.ndarray]:
        """(box, points) for freud; see `hdsim.Frame.to_freud`."""
        return self.frame().to_freud()

    def to_mdanalysis(self) -> Any:
        """An MDAnalysis Universe of one frame; see `hdsim.Frame.to_mdanalysis`."""
        return self.frame().to_mdanalysis()

    def to_ase(self) -> Any:
        """An `ase.Atoms` with an atom for each disc; see `hdsim.Frame.to_ase`."""
        return self.frame().to_ase()

    @property
    def radii(self) -> NDArray[np.float64]:
        """(n,) radii, length units, read-only."""
        return sizes(self._engine)[0]

    @property
    def masses(self) -> NDArray[np.float64]:
        """(n,) masses, mass units, read-only; inf for fixed and driven discs."""
        return sizes(self._engine)[1]

    @property
    def colors(self) -> NDArray[np.uint8]:
        """(n, 3) uint8: red, green, blue, read-only."""
        return self._engine.colors

    @property
    def ids(self) -> NDArray[np.int64]:
        """(n,) int64, ascending: an identifier of each disc that does not change and is not used again, read-only."""
        engine = self._engine
        ids = engine.ids
        return frozen(np.arange(len(engine), dtype=np.int64)) if ids is None else ids

    @property
    def pair_counts(self) -> NDArray[np.int64]:
        """(n,) int64: the number of contacts of each disc with discs, read-only."""
        return counts(self._engine, True, False)

    @property
    def wall_counts(self) -> NDArray[np.int64]:
        """(n,) int64: the number of contacts of each disc with walls, read-only."""
        return counts(self._engine, False, True)

    @property
    def collision_counts(self) -> NDArray[np.int64]:
        """(n,) int64: the number of contacts of each disc with discs and walls (`count` in the book), read-only."""
        return counts(self._engine, True, True)

    def _mobile_discs(self) -> tuple[np.ndarray, np.ndarray]:
        """Masses (m,) and velocities (m, d) of the m discs of finite mass."""
        with self._engine:
            masses, velocities = self.masses, self.velocities
        mobile = np.isfinite(masses)
        return (masses, velocities) if mobile.all() else (masses[mobile], velocities[mobile])

    @property
    def kinetic_energy(self) -> float:
        """Sum of m v^2 / 2 over the discs of finite mass and the pistons, mass * length^2 / time^2."""
        with self._engine:
            return self._energy_of_discs() + sum(0.5 * p.mass * p.velocity * p.velocity for p in self.pistons)

    def _energy_of_discs(self) -> float:
        masses, velocities = self._mobile_discs()
        squares = velocities * velocities
        return float(0.5 * np.sum(masses * sum(squares.T[1:], squares.T[0])))

    @property
    def restitution(self) -> float | dict[str, Any]:
        """The coefficient of restitution of all contacts, or {"pair": ..., "wall": ...}; see `CollisionSystem`."""
        return self._setting.law.restitution

    @property
    def contact_time(self) -> float:
        """Time units within which a second contact of a disc keeps its energy; 0 if there is no such time."""
        return self._setting.law.contact_time

    @property
    def gravity(self) -> tuple[float, ...]:
        """The acceleration of discs and pistons along each axis, length / time^2; zeros without gravity."""
        return self._setting.law.gravity or (0.0,) * self.dimension

    @property
    def potential_energy(self) -> float:
        """The sum of -m g . x over the discs and pistons, mass * length^2 / time^2: 0 at the origin of coordinates, and without
        gravity."""
        gravity = self._setting.law.gravity
        if not gravity:
            return 0.0
        with self._engine:
            discs = -(self.masses * sum(g * x for g, x in zip(gravity, self.positions.T))).sum()
            return float(discs) - sum(p.mass * gravity[p.axis] * p.place for p in self.pistons)

    @property
    def walls(self) -> dict[str, Thermal]:
        """The thermal sides of the box by their names, such as {"left": Thermal(...)}, with velocities as vectors; see
        `CollisionSystem`."""
        return dict(self._setting.heat.walls)

    @property
    def seed(self) -> int:
        """The seed of the random numbers of thermal surfaces."""
        return self._setting.heat.seed

    @property
    def thermal_contacts(self) -> NDArray[np.int64]:
        """(n,) how many contacts with thermal surfaces each disc has had; 0 if there are none."""
        with self._engine as engine:
            return np.array(engine.thermal_contacts() or [0] * len(engine), dtype=np.int64)

    @property
    def is_heated(self) -> bool:
        """Does a side of the box or an obstacle have a temperature?"""
        return is_heated(self._setting.heat.walls, self.obstacles)

    @property
    def dissipated(self) -> float:
        """The energy that contacts have taken so far, mass * length^2 / time^2; 0 where they are elastic."""
        with self._engine as engine:
            return engine.energies()[1]

    @property
    def conserves_energy(self) -> bool:
        """Is the kinetic energy of the discs constant? It is not with restitution or gravity, nor where an obstacle, or a disc of
        infinite mass, moves, nor with a piston, nor at a surface with a temperature."""
        with self._engine as engine:
            return engine.conserving and not self._setting.law.gravity

    def energy_balance(self) -> EnergyBalance:
        """The energy of the discs and pistons now, with that of their weights, and what contacts have taken, and moving
        obstacles, discs of infinite mass, loads of pistons and thermal surfaces have given so far.

        >>> import hdsim
        >>> system = hdsim.random(50, seed=1, restitution=.9, contact_time=1e-3)
        >>> system.simulate(until=20)
        >>> balance = system.energy_balance()
        >>> balance.dissipated > 0, abs(balance.drift) < 1e-13
        (True, True)
        """
        with self._engine as engine:
            return balance_of(*engine.energies(), self.potential_energy)

    @property
    def momentum(self) -> NDArray[np.float64]:
        """(d,) sum of m v over the discs of finite mass, mass * length / time."""
        masses, velocities = self._mobile_discs()
        return (masses[:, None] * velocities).sum(axis=0)

    @property
    def temperature(self) -> float:
        """2 K' / (k_B f) of the discs. K' is their kinetic energy without that of the centre of mass along periodic axes; the
        number of degrees of freedom f is 2 N, or 3 N for spheres, minus the number of periodic axes, for N discs of finite
        mass. If there are discs of infinite mass, obstacles other than half-planes, or thermal surfaces, momentum is not
        conserved and nothing is subtracted from K' and f. 0 if f is 0."""
        with self._engine:
            centre, freedom = self.thermal_freedom()
            return 2 * (self._energy_of_discs() - centre) / (self.k_B * freedom) if freedom else 0.0

    def thermal_freedom(self) -> tuple[float, int]:
        """The kinetic energy of the centre of mass that does not count for the temperature, and the degrees of freedom f that do;
        see `temperature`."""
        with self._engine:
            masses = self.masses
            momentum = self.momentum if any(self.box.periodic) else np.zeros(self.dimension)
        return thermal_share(masses, momentum, conserved_axes(self.box.periodic, self.obstacles, self.is_heated))

    @property
    def packing_fraction(self) -> float:
        """Sum of the areas of the discs divided by the area of the box, of the volumes of spheres by its volume; among
        obstacles, by the area that they leave free: outside of blocks, inside of rooms, and before half-planes, those that are
        there now for discs of all species."""
        if self.dimension == 3:
            return float(4 / 3 * math.pi * np.sum(self.radii**3) / self.box.volume)
        with self._engine:
            time, discs = self.time, math.pi * np.square(self.radii).sum()
            there = tuple(obstacle for obstacle in self.obstacles
                          if obstacle.species is None and is_there(obstacle, time))
        area = free_area(there, self.box)
        return float(discs / (area or math.nan))

    @property
    def statistics(self) -> dict[str, int]:
        """Counts since the start, by name. pair_contacts, wall_contacts, events; multi_events: events with several contacts;
        simultaneous_impacts: those of them whose contacts were solved together; unsolved_impacts: those that should have been,
        but were resolved one after another, because they are too many, or no solution that keeps energy was found; predictions:
        pairs compared, where a neighbour list counts with all its places, also empty ones; exact_evaluations: how many of these
        by the exact formula, or the earliest candidates where all are evaluated exactly; crossings: events in which a disc
        enters another cell or leaves its window; repredictions: predictions made again because the partner had collided, without
        postponed ones; queue_operations; rebases: moves of the time origin. From predictions to queue_operations they depend on
        the settings for speed and on the processor. The keys of version 0.1, joint_events, survivors and replans, still work and
        warn."""
        return Counts(self._engine.statistics())

    def hash(self) -> str:
        """A hash, 16 hex digits, of all contacts so far in order of execution: of their discs or wall and the bits of their
        times. Two runs with equal hashes have executed the same contacts at the same times, bit for bit."""
        return f"{self._engine.hash:016x}"

    @property
    def pair_checks(self) -> PairChecks:
        """How many pairs the engine has compared so far, and how many it would have compared without cells, and without cells and
        queue, for the present number of discs. The predictions at the start and after each edit count."""
        engine = self._engine
        counts = engine.statistics()
        return pair_checks(counts["predictions"], len(engine), counts["events"], counts["pair_contacts"],
                           counts["wall_contacts"])

    def schedule(self, k: int = 10, max_seconds: float | None = None) -> list[Prediction]:
        """The next k contacts that would happen if no contact changed a velocity, in order of time: for each disc its earliest
        one. The result does not depend on the cells. On periodic axes, partners are searched within eight box lengths. Fast for a
        few contacts (3 ms for 10 among 10^5 discs); if k is near n, all pairs may be compared. RuntimeError after `max_seconds`
        of wall-clock time, and if 10^8 + 10^4 n images of pairs show no contact, because such discs may never touch."""
        return schedule(self._engine, k, max_seconds)

    def next_contact(self, i: int) -> Prediction | None:
        """The first contact of disc i, with a disc, a wall or an obstacle, if no contact changed a velocity; None if there is
        none. On periodic axes, partners are searched within eight box lengths. O(n). IndexError if there is no disc i."""
        engine = self._engine
        return next_contact(engine, index(i, len(engine)))

    def queue(self, k: int = 63) -> Queue:
        """The first k entries of the event queue, in the order in which the queue stores them. The queue is a calendar; with
        fewer than 64 items, or queue="heap", it is a binary heap."""
        return queue(self._engine, k)

    def near(self, i: int) -> Near:
        """The cells around the cell in which disc i is listed, and the discs that it is compared with: all discs listed in these
        cells, or those on its neighbour list if neighbour lists are in use. A disc may be up to half a cell outside the cell in
        which it is listed; see docs/engine.md. IndexError if there is no disc i."""
        engine = self._engine
        cells, discs = engine.near(index(i, len(engine)))
        return Near(np.array(cells).reshape(-1, 2 * self.dimension), np.array(discs, dtype=np.int64))

    def check(self) -> None:
        """Check that the data of the engine are consistent: positions with cells, cells with neighbour lists, predictions with
        the queue, and the earliest event with all contacts near it. RuntimeError that names the inconsistency: then memory is
        damaged or hdsim has a bug. The system does not change. O(n)."""
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
        """The present state as a `Configuration` of plain arrays."""
        with self._engine:
            return Configuration(self.positions, self.velocities, self.radii, self.masses, self.colors,
                                 self.box.width, self.box.height, self.box.periodic, self.obstacles, self._engine.species,
                                 self.time, self.box.depth, self._setting.law, self._setting.heat)
