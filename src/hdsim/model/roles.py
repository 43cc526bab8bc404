"""Roles: what a picture or a window needs of a system, as protocols.

No engine inherits from a role: it has the members, or it has not. `require` checks those without which a system cannot be shown,
once, before it is shown; `offers` says whether it has those of an optional role. A test holds four engines
against this page: the exact one, the textbook's, the time-stepping one, and two side by side.
"""
from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from .box import Box
from .events import Event
from .queues import PairChecks, Queue

Self = TypeVar("Self")

_offered: dict[tuple[type, type], bool] = {}      # by class and role


class Drawable(Protocol):
    """What a picture needs. n is the number of discs; lengths and times are in the units of the system."""

    @property
    def time(self) -> float: ...

    @property
    def box(self) -> Box: ...

    @property
    def positions(self) -> Any:
        """(n, 2) floats, as an array or as a list of pairs."""

    @property
    def radii(self) -> Any:
        """(n,) floats. The same object again as long as no radius has changed, so that a picture need not convert them again."""

    @property
    def colors(self) -> Any:
        """(n, 3) integers of 0 to 255: red, green, blue. The same object again as long as no colour has changed."""

    def __len__(self) -> int: ...


class Playable(Drawable, Protocol):
    """What a window needs: a system that runs, calls back for pictures, and can be copied to return to an earlier time."""

    @property
    def velocities(self) -> Any:
        """(n, 2) floats, length / time."""

    @property
    def kinetic_energy(self) -> float:
        """mass * length^2 / time^2, of the discs of finite mass."""

    @property
    def statistics(self) -> Any:
        """A mapping, or an object with attributes, that counts since the system began: "events", "pair_contacts" and
        "wall_contacts" at least. They must not decrease while the system runs."""

    def copy(self: Self) -> Self:
        """An independent system that goes on bit for bit, without the callbacks of this one."""

    def on_redraw(self, callback: Callable[[Event], Any], /, every: float) -> Any:
        """Call `callback(event)` at every multiple of `every` later than now. Returns a handle with `cancel()`."""

    def simulate(self, until: float, max_events: Any, max_seconds: float) -> int:
        """Execute every event with time <= until, within limits of their number and of wall clock. The limits can be left out."""

    def next_event(self) -> Any:
        """Execute exactly one event and return it; None if nothing will ever happen."""


class Editable(Protocol):
    """What selecting and changing a disc by mouse or key needs. A system whose discs cannot be changed has these methods too, and
    raises RuntimeError with the reason."""

    @property
    def masses(self) -> Any:
        """(n,) floats; inf for a disc that no contact deflects."""

    def __getitem__(self, i: int, /) -> Any:
        """A copy of disc i, with position, velocity, radius, mass and the number of its contacts."""

    def edit(self) -> AbstractContextManager[Any]:
        """A block in which the arrays of the discs can be changed."""

    def add(self, particle: Any, /) -> int:
        """Add a disc, and return its index."""

    def remove(self, i: int, /) -> None:
        """Take disc i out."""

    def reverse(self) -> None:
        """Turn all velocities round."""


class Numbered(Protocol):
    """Discs have numbers that they keep, whatever is added and removed."""

    @property
    def ids(self) -> Any:
        """(n,) integers, ascending."""


class FillsArrays(Protocol):
    """Positions can be written into an array of the caller's, which saves the time of making one for each picture."""

    def advance_into(self, out: Any, /) -> None:
        """Write the positions of now into `out`, (n, 2) float32 or float64."""


class Observable(Protocol):
    """The engine takes observers, which sum up flights and contacts while it runs."""

    @property
    def observers(self) -> tuple[Any, ...]: ...

    @property
    def unwrapped_positions(self) -> Any:
        """(n, 2) floats, as if periodic axes went on for ever."""

    def observe(self, observer: Any, /) -> Any:
        """Attach an observer, and return it."""


class ShowsQueue(Protocol):
    """The queue of events can be read without changing it."""

    @property
    def pair_checks(self) -> PairChecks: ...

    def queue(self, k: int, /) -> Queue:
        """The first k entries."""

    def schedule(self, k: int, /) -> list[Any]:
        """The next k contacts as they are predicted now, in order."""


class ShowsCells(Protocol):
    """What is searched to predict the next contact of a disc can be read."""

    def near(self, i: int, /) -> tuple[Any, Any]:
        """(k, 4) left, bottom, right and top of the cells searched for disc i, and (m,) the other discs in them."""


class TwoEngines(Playable, Protocol):
    """Two engines that began with the same discs and are at the same time; the discs and counts of the role `Playable` are those
    of the exact one."""

    @property
    def exact(self) -> Any: ...

    @property
    def time_driven(self) -> Any:
        """The time-stepping one."""

    @property
    def first_missed(self) -> Any:
        """The first contact that time steps have missed, with `time`, `i`, `j` and `place`; None before it."""

    @property
    def missed(self) -> int:
        """How many contacts of two discs have been missed so far."""

    @property
    def astray(self) -> Any:
        """(n,) bool: discs that time steps have taken to another place than the exact engine."""

    @property
    def energy_errors(self) -> tuple[float, float]:
        """Relative, of the exact engine and of the time-stepping one."""

    def on_first_missed(self, callback: Callable[[Any], Any], /) -> None:
        """Call `callback(missed)` when the first contact is missed."""


def members(role: type) -> frozenset[str]:
    """The names that a class needs to play this role."""
    names = [name for base in role.__mro__ if base.__module__ == __name__ for name in vars(base)]
    return frozenset(name for name in names if not name.startswith("_") or name in ("__len__", "__getitem__"))


def offers(system: object, role: type) -> bool:
    """Does `system` have all members of this role, in its class or as attributes of its own? Looked up once for each class, with
    the first system of that class; no property is computed."""
    asked = type(system), role
    if asked not in _offered:
        own = getattr(system, "__dict__", {})
        _offered[asked] = all(hasattr(type(system), name) or name in own for name in members(role))
    return _offered[asked]


def require(system: Any, role: type) -> None:
    """TypeError, naming what is missing, if `system` does not play this role: neither its class nor the system itself has the
    members."""
    missing = sorted(name for name in members(role) if not hasattr(type(system), name) and not hasattr(system, name))
    if missing:
        found, missed = type(system).__name__, ", ".join(missing)
        raise TypeError(f"expected a system with all members of hdsim.model.roles.{role.__name__}, got {found} without {missed}")
