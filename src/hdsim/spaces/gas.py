"""`Gas`: balls in any space, and the events of their exact motion."""
from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..formats import io, require_suffix
from ..language import plural
from ..model.numbers import RANGE, real, shown
from ..model.errors import OverlapWarning
from ..model.events import Event
from ..model.law import Restitution
from ..model.naming import by_own_name
from ..system import pictures
from ..system.arrays import color_array, frozen
from ..system.balance import EnergyBalance, balance_of
from ..system.callbacks import KINDS, Callbacks, Subscription
from ..system.checkpoint import seen_by_observers
from ..system.native import native_callback
from ..system.runs import Runs, attached
from . import checkpoint
from .admission import Setting, is_euclidean, sizes
from .hyperplane import Hyperplane
from .paper import Paper, paper_of
from .space import Space

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@by_own_name(Runs)
class Gas(Runs):
    """N balls in a space, which move freely and collide with each other and with walls.

    space: a `Norm`, `Polytope`, `Sphere`, `Hyperbolic`, or an own `Space`. positions, velocities: (n, coordinates) of the
    space, copied; in one dimension also (n,). radii, masses: (n,) or one number for all; a body of infinite mass is fixed, an
    obstacle. walls: `Hyperplane`s; their indices name them in events. periodic: None, or one length for each axis, None for an
    open axis; only in flat spaces. Without walls and periodic axes a flat space is unbounded. time: the initial time. colors:
    (n, 3) of 0 to 255, or one (red, green, blue) for all, for pictures; black by default. restitution, contact_time: as for
    `hdsim.CollisionSystem`, with numbers, in Euclidean spaces; contacts elsewhere are elastic.

    The verbs, callbacks and errors are those of `hdsim.CollisionSystem`: `simulate`, `step`, `next_event`, `peek`, `events`,
    `on_collision`, `on_timer`, `on_redraw`, `copy`, `save`, `hash`. A gas in `Norm(2)`, in a box of four walls in the order
    left, right, bottom, top or in a periodic box, has the same contacts as the `CollisionSystem` of the same discs, bit for
    bit.

    In an event, `Contact.wall` is the index of the wall, and `Contact.normal` the differential of the gap with respect to body
    i, of Euclidean length 1: normal times impulse is the momentum that body i receives. One pair has several contacts at an
    instant where two balls meet with their corners or edges. ValueError, naming the body, for a state that is not legal;
    OverlapWarning if bodies overlap by more than rounding.

    >>> from hdsim import spaces
    >>> gas = spaces.Gas(spaces.Norm(4), [(0, 0), (2, .3)], [(0, 0), (-1, 0)], radii=.5)
    >>> gas.next_event().time
    1.002031180163515
    """

    _kind = "gas"

    def __init__(self, space: Space, positions: ArrayLike, velocities: ArrayLike, radii: ArrayLike, masses: ArrayLike = 1.0,
                 walls: Iterable[Hyperplane] = (), periodic: Sequence[float | None] | None = None, *, time: float = 0.0,
                 colors: Any = None, restitution: Restitution = 1.0, contact_time: float = 0.0) -> None:
        if not abs(real("time", time)) <= RANGE:
            raise ValueError(f"time is {shown(time)}; it must be finite")
        setting = Setting.of(space, walls, periodic, restitution, contact_time)
        x, v, r, m, sides = setting.admit(positions, velocities, radii, masses)
        engine = setting.engine(x, r, float(time))
        engine.colors = frozen(color_array(colors, len(r)))
        engine.load(x, v, r, m, sides)
        overlaps = engine.overlaps()
        if overlaps:
            warnings.warn(f"{overlaps} pair{'s' if overlaps > 1 else ''} of bodies overlap{'s' if overlaps == 1 else ''} by more "
                          "than rounding; they collide at once if they approach", OverlapWarning, stacklevel=2)
        self._begin(setting, engine)

    def _begin(self, setting: Setting, engine: Any) -> None:
        """Set all attributes."""
        self.setting, self._engine = setting, engine
        self._turn = _core.Turn()
        self._observers = {}
        self._callbacks = Callbacks()

    # -- reading

    def __len__(self) -> int:
        return len(self._engine)

    def __repr__(self) -> str:
        walls = plural(f", {len(self.walls)} wall(s)") if self.walls else ""
        periodic = f", periodic {self.periodic}" if self.periodic else ""
        bodies = "body" if len(self) == 1 else "bodies"
        return f"<Gas of {len(self)} {bodies} in {self.space!r}{walls}{periodic}, time {self.time:g}>"

    @property
    def space(self) -> Space:
        """The space."""
        return self.setting.space

    @property
    def walls(self) -> tuple[Hyperplane, ...]:
        """The walls, in the order of their indices."""
        return self.setting.walls

    @property
    def periodic(self) -> tuple[float | None, ...] | None:
        """The length of each periodic axis, None for an open one; None if there are none."""
        lengths = self.setting.lengths
        return tuple(length or None for length in lengths) if any(lengths) else None

    @property
    def time(self) -> float:
        """The present time."""
        return self._engine.time

    def _states(self, unwrapped: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """(n, coordinates) positions, wrapped on periodic axes or not, and velocities."""
        x, v, straight = (np.empty((len(self._engine), self.space.coordinates)) for _ in range(3))
        self._engine.states(x, v, straight)
        return straight if unwrapped else x, v

    @property
    def positions(self) -> NDArray[np.float64]:
        """(n, coordinates) present positions, in [0, length) on a periodic axis. A new read-only array."""
        return frozen(self._states()[0])

    @property
    def unwrapped_positions(self) -> NDArray[np.float64]:
        """(n, coordinates) present positions, not wrapped on periodic axes. A new read-only array."""
        return frozen(self._states(True)[0])

    @property
    def velocities(self) -> NDArray[np.float64]:
        """(n, coordinates) present velocities. A new read-only array."""
        return frozen(self._states()[1])

    @property
    def radii(self) -> NDArray[np.float64]:
        """(n,) radii, read-only."""
        return sizes(self._engine)[0]

    @property
    def masses(self) -> NDArray[np.float64]:
        """(n,) masses, read-only; inf for fixed bodies."""
        return sizes(self._engine)[1]

    @property
    def colors(self) -> NDArray[np.uint8]:
        """(n, 3) uint8: red, green, blue, read-only."""
        return self._engine.colors

    @property
    def collision_counts(self) -> NDArray[np.int64]:
        """(n,) int64: the number of contacts of each body, with bodies and walls, read-only."""
        counts = np.empty(len(self), dtype=np.int64)
        self._engine.counts(counts, True, True)
        return frozen(counts)

    def _mobile(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Masses, positions and velocities of the bodies of finite mass."""
        x, v = self._states()
        mobile = np.isfinite(self.masses)
        return self.masses[mobile], x[mobile], v[mobile]

    @property
    def kinetic_energy(self) -> float:
        """Sum of the kinetic energies of the bodies of finite mass."""
        m, x, v = self._mobile()
        if self.setting.kind == "own":
            return float(sum(mass * float(self.space.kinetic(a, b)) for mass, a, b in zip(m, x, v)))
        return float(np.sum(m * self.space.kinetic(x, v)))

    @property
    def restitution(self) -> float | dict[str, Any]:
        """The coefficient of restitution of all contacts, or {"pair": ..., "wall": ...}."""
        return self.setting.law.restitution

    @property
    def contact_time(self) -> float:
        """Time units within which a second contact of a body keeps its energy; 0 if there is no such time."""
        return self.setting.law.contact_time

    @property
    def conserves_energy(self) -> bool:
        """Do all contacts keep the kinetic energy?"""
        return self.setting.law.is_elastic

    @property
    def dissipated(self) -> float:
        """The energy that contacts have taken so far; 0 where they are elastic."""
        return 0.0 if self.conserves_energy else self.energy_balance().dissipated

    def energy_balance(self) -> EnergyBalance:
        """The energy of the bodies now, and what contacts have taken so far, in a Euclidean space; see
        `CollisionSystem.energy_balance`. ValueError in others, where contacts take none.

        >>> from hdsim import spaces
        >>> gas = spaces.Gas(spaces.Norm(2, 3), [(0, 0, 0), (2, 0, 0)], [(1, 0, 0), (0, 0, 0)], .5, restitution=.5)
        >>> gas.simulate(until=2), gas.energy_balance().dissipated
        (1, 0.1875)
        """
        if not is_euclidean(self.space):
            raise ValueError(f"an energy balance is for Norm(2) without weights; in {shown(self.space)} contacts take no energy")
        with self._engine as engine:
            kinetic, dissipated, work, change = engine.energies()
            return balance_of(kinetic, dissipated, work, 0.0, change)

    @property
    def momentum(self) -> NDArray[np.float64]:
        """(coordinates,) sum of the momenta of the bodies of finite mass, in a flat space: m v, or with `kinetic="norm"` m w v.
        AttributeError in other spaces, which have no such sum."""
        if self.setting.kind != "flat":
            hint = "" if self.setting.kind == "own" else "; see angular_momentum"
            raise AttributeError(f"{shown(self.space)} has no momentum{hint}")
        m, _, v = self._mobile()
        return (m[:, None] * self.space.momentum(v)).sum(axis=0)                # type: ignore[attr-defined]

    @property
    def angular_momentum(self) -> NDArray[np.float64]:
        """(3,) sum of m x times v, the vector product, over the bodies of finite mass, on the sphere and in the hyperbolic
        plane: three numbers that contacts of bodies conserve. AttributeError in other spaces: in a normed plane it is not
        conserved, unless the norm is Euclid's."""
        if self.setting.kind not in ("sphere", "hyperbolic"):
            hint = "; see momentum" if self.setting.kind == "flat" else ""
            raise AttributeError(f"{shown(self.space)} conserves no angular momentum{hint}")
        m, x, v = self._mobile()
        return (m[:, None] * self.space.angular_momentum(x, v)).sum(axis=0)     # type: ignore[attr-defined]

    @property
    def temperature(self) -> float:
        """2 K / f, an energy, with f degrees of freedom: `dimension` for each body of finite mass. What is conserved does not
        count for K and f, unless there are walls or fixed bodies: in a flat space the motion of the centre of mass along each
        periodic axis; on the sphere the rotation as a whole, with f smaller by 3. 0 if f is 0."""
        centre, freedom = self.thermal_freedom()
        return 2 * (self.kinetic_energy - centre) / freedom if freedom > 0 else 0.0

    def thermal_freedom(self) -> tuple[float, int]:
        """The kinetic energy that does not count for the temperature, and the degrees of freedom f that do; see `temperature`."""
        m, x, v = self._mobile()
        freedom, rest = self.space.dimension * len(m), 0.0
        if freedom and not self.walls and len(m) == len(self):
            if self.setting.kind == "flat":
                for k, length in enumerate(self.setting.lengths):
                    if length:
                        rest += 0.5 * float(self.momentum[k] * (m @ v[:, k])) / float(m.sum())
                        freedom -= 1
            elif self.setting.kind == "sphere":
                inertia = (m @ np.sum(x * x, axis=1)) * np.eye(3) - (m[:, None] * x).T @ x
                turning = np.linalg.lstsq(inertia, self.angular_momentum, rcond=1e-12)[0]
                rest = 0.5 * float(turning @ self.angular_momentum)
                freedom -= 3
        return rest, freedom

    @property
    def statistics(self) -> dict[str, int]:
        """Counts since the start, by name: pair_contacts, wall_contacts, events, multi_events, simultaneous_impacts (of them,
        those solved together), unsolved_impacts (those that should have been, but were resolved one after another), predictions
        (pairs compared), listings (bodies listed in cells again), repredictions, rebases (moves of the origin of time),
        queue_operations."""
        return self._engine.statistics()

    def hash(self) -> str:
        """A hash, 16 hex digits, of all contacts so far: see `CollisionSystem.hash`."""
        return f"{self._engine.hash:016x}"

    def check(self) -> None:
        """Check that the data of the engine are consistent. RuntimeError that names the inconsistency. The gas does not
        change."""
        try:
            self._engine.check()
        except AssertionError as error:
            raise RuntimeError(str(error)) from None

    # -- pictures

    def on_paper(self) -> Paper:
        """The gas as a picture: what `hdsim.show`, `snapshot`, `record` and `player` draw. TypeError for an own space."""
        return paper_of(self)

    def _repr_png_(self) -> bytes | None:
        return pictures.png(self)

    # -- callbacks, changes, copies and files

    def on_collision(self, callback: Callable[[Event], Any], kind: str | None = None) -> Subscription:
        """Call `callback(event)` once after every event with a contact of this kind, as `CollisionSystem.on_collision` does.
        TypeError for a function in machine code: those see discs and spheres of a CollisionSystem."""
        if native_callback(callback, KINDS[None], 2) is not None:
            raise TypeError("a function in machine code can be called for discs only; expected a Python callable")
        return self._callbacks.add(callback, kind)

    def observe(self, observer: Any, **options: Any) -> Any:
        """Attach an observer, which accumulates its quantity from now on, as `CollisionSystem.observe` does; returns it.

        observer: `hdsim.Pressure()`, `CollisionRates()`, `FreePath()`, `FreeTime()` or `Speed()`, or such a name, with the
        arguments of its class as `options`. From then on it is a class of `hdsim.observers.balls`, which has the theory of
        balls. ValueError for others, for a pressure where not all axes are periodic, and in own spaces."""
        from ..observers.balls import of_balls      # imported late: most runs have no observers

        return attached(self, of_balls(observer, options))

    def copy(self) -> Gas:
        """An independent gas in the same state, whose later trajectory is equal bit for bit. Its observers are copies that
        continue from the same sums. Callbacks and timers are not copied."""
        other = object.__new__(type(self))
        with self._engine as engine:
            other._begin(self.setting, engine.copy(False, True))
            other._observers = {number: one.twin(other, other._engine) for number, one in self._observers.items()}
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Gas:
        return self.copy()

    def checkpoint(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The whole state as (arrays, plain data), which `save` writes. ValueError for an own space."""
        return self._written(self.space.described())

    def _written(self, space: dict[str, Any]) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        with self._engine as engine:
            return checkpoint.written(engine, self.setting, space, [observer.stored() for observer in self.observers])

    @classmethod
    def from_checkpoint(cls, arrays: dict[str, np.ndarray], data: dict[str, Any], space: Space | None = None) -> Gas:
        """The gas of a checkpoint; it continues bit for bit. space: None, or the space itself. ValueError if the data do not
        belong together."""
        self = cls.__new__(cls)
        self._begin(*checkpoint.read(arrays, data, space))
        for k, seen in enumerate(seen_by_observers(arrays, data)):
            from ..observers.balls import restored_of_balls

            self._observers[k] = restored_of_balls(self, self._engine, k, *seen)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        own = self.setting.kind == "own"
        state = self._written({} if own else self.space.described())
        return type(self).from_checkpoint, (*state, self.space if own else None)

    def save(self, path: Any, notes: Mapping[str, Any] | None = None) -> None:
        """Write a checkpoint (.npz); the gas that `hdsim.load` makes of it continues bit for bit. notes: as for
        `CollisionSystem.save`. ValueError for an own space, and for a path that does not end in .npz."""
        require_suffix(path, ".npz")
        io.save_checkpoint(path, *self.checkpoint(), version=1 if self.conserves_energy else 2, notes=notes)
