"""Roles: the members that a picture, a window, an ensemble or a sweep needs of a system, as protocols.

No engine inherits from a role; a system plays a role if it has all its members. `require` checks once, before a system is shown,
the role without which it cannot be shown. `offers` tells whether a system plays an optional role, `lacking` which members are
missing. A test checks four engines against this module: the exact one, the textbook's, the time-stepping one, and two side by
side.
"""
from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from .box import Box
from .drawing import Drawing
from .events import Event
from .queues import PairChecks, Queue

Self = TypeVar("Self")

_offered: dict[tuple[type, type], bool] = {}      # cache of `offers`, by class of the system and role


class Drawable(Protocol):
    """The members that a picture needs. n is the number of discs; lengths and times are in the units of the system."""

    @property
    def time(self) -> float: ...

    @property
    def box(self) -> Box: ...

    @property
    def positions(self) -> Any:
        """(n, 2) floats, in three dimensions (n, 3), as an array or as a list of rows."""

    @property
    def radii(self) -> Any:
        """(n,) floats. The same object is returned as long as no radius has changed, so that a picture converts it only once."""

    @property
    def colors(self) -> Any:
        """(n, 3) integers 0 to 255: red, green, blue. The same object is returned as long as no colour has changed."""

    def __len__(self) -> int: ...


class Playable(Drawable, Protocol):
    """The members that a window needs: a system that runs, calls a function at redraw times, and can be copied, so that the
    window can return to an earlier time."""

    @property
    def velocities(self) -> Any:
        """(n, 2) floats, in three dimensions (n, 3), length / time."""

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy of the discs of finite mass, mass * length^2 / time^2."""

    @property
    def statistics(self) -> Any:
        """Counts since the system began, as a mapping or an object with attributes: at least "events", "pair_contacts" and
        "wall_contacts". They must not decrease while the system runs."""

    def copy(self: Self) -> Self:
        """An independent system in the same state, whose later trajectory is equal bit for bit. Callbacks are not copied."""

    def on_redraw(self, callback: Callable[[Event], Any], /, every: float) -> Any:
        """Call `callback(event)` at every multiple of `every` (time units) later than now. Returns a handle with `cancel()`."""

    def simulate(self, until: float, max_events: Any, max_seconds: float) -> int:
        """Execute every event with time <= until. The optional limits end the run after max_events events or max_seconds of
        wall-clock time. Returns the number of contacts."""

    def next_event(self) -> Any:
        """Execute exactly one event and return it; None if there is no future event."""


class Editable(Protocol):
    """The members needed to select and change a disc by mouse or key. A system whose discs cannot be changed has these methods
    too; they raise RuntimeError with the reason, see `Fixed`."""

    @property
    def masses(self) -> Any:
        """(n,) floats; inf for a disc whose velocity no contact with a disc changes."""

    def __getitem__(self, i: int, /) -> Any:
        """A copy of disc i, with position, velocity, radius, mass and number of contacts."""

    def edit(self) -> AbstractContextManager[Any]:
        """A context manager for a `with` block; it yields an object whose arrays of the discs can be changed in the block."""

    def add(self, particle: Any, /) -> int:
        """Add a disc, and return its index."""

    def remove(self, i: int, /) -> None:
        """Remove disc i; later discs move down by one index."""

    def reverse(self) -> None:
        """Reverse all velocities."""


class Fixed(Protocol):
    """The discs of the system cannot be changed."""

    @property
    def UNCHANGED(self) -> str:
        """Why, in a sentence: the message of the errors of `edit`, `add` and `remove`."""


class Numbered(Protocol):
    """Discs have identifiers that do not change when other discs are added or removed."""

    @property
    def ids(self) -> Any:
        """(n,) integers, ascending."""


class FillsArrays(Protocol):
    """Positions can be written into an array that the caller provides, which saves allocating one for each picture."""

    def advance_into(self, out: Any, /) -> None:
        """Write the present positions into `out`, (n, 2) float32 or float64; in three dimensions (n, 3)."""


class Shaped(Protocol):
    """Bodies are drawn with other outlines than circles, or in another order, or among lines."""

    @property
    def drawing(self) -> Drawing: ...


class OfSpace(Protocol):
    """The bodies move in another space than the picture: velocities on the paper are not all there is."""

    @property
    def dimension(self) -> int:
        """Degrees of freedom of a body."""

    @property
    def freedom(self) -> int:
        """Degrees of freedom among which contacts share the energy."""

    @property
    def relaxes(self) -> bool:
        """Whether contacts can make the distribution of speeds that of equilibrium."""

    @property
    def unwrapped_positions(self) -> Any:
        """(n, 2) floats, in three dimensions (n, 3): positions on the paper that are not wrapped on periodic axes."""

    @property
    def speeds(self) -> Any:
        """(n,) floats: the speeds in the space."""

    def overview(self) -> list[tuple[str, str]]:
        """The space and what is in it, as pairs of a label and a value in the language in use."""

    def described(self, i: int, /) -> list[tuple[str, str]]:
        """The properties of body i, as pairs of a label and a value in the language in use."""


class Turnable(Protocol):
    """The picture shows a space that looks the same from everywhere, and can be turned."""

    def turn(self, start: tuple[float, float], end: tuple[float, float], /) -> None:
        """Turn the space so that what is at one place on the paper comes to another one."""


class OnPaper(Protocol):
    """The system is no plane picture itself, and offers one that is `Playable`."""

    def on_paper(self) -> Any:
        """A view of the system, which runs it."""


class Observable(Protocol):
    """Observers can be attached to the system; they accumulate quantities over flights and contacts while it runs."""

    @property
    def observers(self) -> tuple[Any, ...]: ...

    @property
    def unwrapped_positions(self) -> Any:
        """(n, 2) floats, in three dimensions (n, 3): positions that are not wrapped into the box on periodic axes."""

    def observe(self, observer: Any, /) -> Any:
        """Attach an observer, and return it."""


class Measurable(Protocol):
    """The members that a replica of an ensemble needs: a system, in any space, that runs, is observed, and is told from others
    by the hash of its contacts."""

    @property
    def observers(self) -> tuple[Any, ...]: ...

    @property
    def statistics(self) -> Any:
        """Counts since the system began, by name: at least "events", "pair_contacts" and "wall_contacts"."""

    @property
    def has_callbacks(self) -> bool:
        """Whether functions of the user are called while it runs; these may end a run."""

    @property
    def timed_out(self) -> bool:
        """Whether the last run ended because its `max_seconds` had passed."""

    def observe(self, observer: Any, /) -> Any:
        """Attach an observer, and return it. ValueError for one that makes no sense for this system."""

    def simulate(self, until: Any = None, max_events: Any = None, max_seconds: Any = None) -> int:
        """As for `Playable`; None is no limit."""

    def hash(self) -> str:
        """A hash of all contacts so far."""


class Resumable(Measurable, Protocol):
    """The whole state can be written, and `hdsim.starts.sources.restored` continues from it."""

    def checkpoint(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The whole state as (arrays, plain data). ValueError for a state that cannot be written."""


class ShowsQueue(Protocol):
    """The queue of events can be read without changing it."""

    @property
    def pair_checks(self) -> PairChecks: ...

    def queue(self, k: int, /) -> Queue:
        """The first k entries of the queue."""

    def schedule(self, k: int, /) -> list[Any]:
        """The next k contacts that would happen if no velocity changed, in order of time."""


class ShowsCells(Protocol):
    """The cells that are searched to predict the next contact of a disc can be read."""

    def near(self, i: int, /) -> tuple[Any, Any]:
        """(k, 4) left, bottom, right and top of the cells that are searched for disc i, and (m,) the other discs listed there; in
        three dimensions (k, 6): the lowest x, y and z, and the highest."""


class Saves(Protocol):
    """A checkpoint of the system can be written."""

    def save(self, path: Any, notes: Any = None, /) -> None:
        """Write a file from which the system continues bit for bit. notes: data for JSON that are kept in it. OSError."""


class KeepsLedgers(Protocol):
    """The gates of the system keep ledgers."""

    def ledger(self, name: str | None = None, temperature: float | None = None) -> Any:
        """What a gate has decided. ValueError if there is no such gate."""


class HasObstacles(Protocol):
    """The system has obstacles besides the walls of its box."""

    @property
    def obstacles(self) -> tuple[Any, ...]:
        """Shapes of `hdsim.model.obstacles`. The same object is returned as long as no obstacle has changed."""

    @property
    def species(self) -> Any:
        """(n,) whole numbers: the species of the discs, by which obstacles act on some discs only."""


class HasThermalSides(Protocol):
    """Sides of the box, and obstacles, may have a temperature."""

    @property
    def walls(self) -> Any:
        """A mapping of names of sides, such as "left", to their `Thermal`."""


class KeepsBalance(Protocol):
    """The system keeps account of where its energy goes."""

    @property
    def conserves_energy(self) -> bool: ...

    def energy_balance(self) -> Any:
        """A named tuple with `kinetic`, `potential`, `dissipated`, `work` and `heat`, energies of which the sum, less `work` and
        `heat`, is constant."""


class HasLaw(Protocol):
    """The system has a law of contacts, which an edit may change."""

    @property
    def restitution(self) -> Any:
        """The coefficient of restitution, or {"pair": ..., "wall": ...}."""

    @property
    def contact_time(self) -> float: ...


class HasGravity(Protocol):
    """The bodies of the system may fall, which an edit may change."""

    @property
    def gravity(self) -> tuple[float, ...]:
        """Their acceleration along each axis, length / time^2; zeros for none."""


class Predicts(Protocol):
    """The next contact of one disc can be predicted."""

    def next_contact(self, i: int, /) -> Any:
        """The first contact of disc i if no contact changes a velocity, with `time`, `particles`, `wall` and `obstacle`; None if
        there is none."""


class TwoEngines(Playable, Protocol):
    """Two engines that started from the same state and are at the same time. The members of `Playable` are those of the exact
    engine."""

    @property
    def exact(self) -> Any: ...

    @property
    def time_driven(self) -> Any:
        """The time-stepping engine."""

    @property
    def first_missed(self) -> Any:
        """The first contact that the time-stepping engine has missed, with `time`, `i`, `j` and `place`; None if it has missed
        none so far."""

    @property
    def missed(self) -> int:
        """How many disc-disc contacts the time-stepping engine has missed so far."""

    @property
    def astray(self) -> Any:
        """(n,) bool: the discs that the time-stepping engine has moved to another place than the exact engine has; the threshold
        is the radius of the disc."""

    @property
    def energy_errors(self) -> tuple[float, float]:
        """Relative errors of the kinetic energy: of the exact engine, of the time-stepping engine."""

    def on_first_missed(self, callback: Callable[[Any], Any], /) -> None:
        """Call `callback(missed)` when the first contact is missed."""


def members(role: type) -> frozenset[str]:
    """The names of the members that a class needs to play this role."""
    names = [name for base in role.__mro__ if base.__module__ == __name__ for name in vars(base)]
    return frozenset(name for name in names if not name.startswith("_") or name in ("__len__", "__getitem__"))


def offers(system: object, role: type) -> bool:
    """Whether `system` has all members of this role, in its class or as instance attributes. The answer is found once for each
    class, with the first system of that class; no property is computed."""
    asked = type(system), role
    if asked not in _offered:
        own = getattr(system, "__dict__", {})
        _offered[asked] = all(hasattr(type(system), name) or name in own for name in members(role))
    return _offered[asked]


def lacking(system: object, role: type) -> str:
    """The members of this role that neither the class of the system nor the system itself has, separated by commas; "" if it
    plays the role."""
    return ", ".join(sorted(name for name in members(role) if not hasattr(type(system), name) and not hasattr(system, name)))


def on_paper(system: Any) -> Any:
    """The system itself, or its view that can be drawn, if it plays the role `OnPaper`."""
    return system.on_paper() if offers(system, OnPaper) else system


def require(system: Any, role: type) -> None:
    """Check that `system` plays this role. TypeError, naming the missing members, if neither its class nor the system itself has
    them."""
    if missed := lacking(system, role):
        found = type(system).__name__
        raise TypeError(f"expected a system with all members of hdsim.model.roles.{role.__name__}, got {found} without {missed}")
