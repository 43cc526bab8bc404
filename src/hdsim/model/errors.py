"""The exceptions and warnings of hdsim. Each exception also inherits from the built-in exception for its kind of failure."""
from typing import Any


class HdsimError(Exception):
    """Base class of all exceptions that hdsim defines."""


class FileFormatError(HdsimError, ValueError):
    """A file cannot be read. The message is one line: the place in the file, what was found and what was expected."""


class JammedError(HdsimError, RuntimeError):
    """Discs collide again and again at one instant, or ever faster between things that close on them, so that the simulated
    time cannot advance.

    particles: the indices of these discs, ascending.
    """

    def __init__(self, message: str, particles: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.particles = particles

    def __reduce__(self):
        return type(self), (self.args[0], self.particles)


class CollapseError(JammedError):
    """Discs that lose energy in contacts would collide infinitely often in a finite time (inelastic collapse). The argument
    `contact_time` of `CollisionSystem` is the remedy.

    particles: the indices of these discs, ascending.
    """


def named_discs(discs: tuple[int, ...] | list[int]) -> str:
    """Discs by their indices, of many the first eight: "disc 3", "discs 0, 1", "discs 0, 1, 2, 3, 4, 5, 6, 7 ..."."""
    return f"{'disc' if len(discs) == 1 else 'discs'} {', '.join(map(str, discs[:8]))}{' ...' if len(discs) > 8 else ''}"


def squeezed(discs: list[int], others: list[str], jaws: list[str], time: float) -> JammedError:
    """The error of discs with these indices, and of others with these names, that things with the names `jaws` squeeze."""
    bodies = ([named_discs(discs)] if discs else []) + others
    verb, they = ("is", "it bounces") if len(discs) + len(others) == 1 else ("are", "they bounce")
    return JammedError(f"jammed: {', '.join(bodies)} {verb} squeezed between {' and '.join(jaws)}, which close; {they} ever "
                       f"faster, and time all but stands still at {time:.9g}", tuple(discs))


class NoRoomError(HdsimError, ValueError):
    """A disc, or an obstacle, would overlap what is there; nothing has changed.

    disc: the index of the disc for which there is no room; None for an obstacle, and for discs that have all changed. others: the
    indices of the discs that are in the way. wall: the name of the wall that is, or "". obstacle: the index of the obstacle that
    is in the way or has no room, or None. Indices are those after the change.
    """

    def __init__(self, message: str, disc: int | None = None, others: tuple[int, ...] = (), wall: str = "",
                 obstacle: int | None = None) -> None:
        super().__init__(message)
        self.disc, self.others, self.wall, self.obstacle = disc, others, wall, obstacle

    def __reduce__(self):
        return type(self), (self.args[0], self.disc, self.others, self.wall, self.obstacle)


class PackingError(HdsimError, RuntimeError):
    """Discs could not be packed to the requested packing fraction.

    reached: the packing fraction that was reached. state: the `hdsim.states.State` with that packing fraction.
    """

    def __init__(self, message: str, reached: float = 0.0, state: Any = None) -> None:
        super().__init__(message)
        self.reached = reached
        self.state = state

    def __reduce__(self):
        return type(self), (self.args[0], self.reached, self.state)


class ReplicaError(HdsimError, RuntimeError):
    """A replica of an ensemble failed. seed: the seed of that replica. The message and `__cause__` give the reason."""

    def __init__(self, message: str, seed: int) -> None:
        super().__init__(message)
        self.seed = seed

    def __reduce__(self):
        return type(self), (self.args[0], self.seed)


class PlatformError(HdsimError, RuntimeError):
    """The machine lacks what is needed: Python in a browser has neither threads nor other programs."""


class OverlapWarning(UserWarning):
    """Discs overlap in the initial state by more than rounding. The state is accepted; the message counts the pairs."""


class DamagedFileWarning(UserWarning):
    """A trajectory ends in the middle of a frame or is damaged. It is read up to the last complete frame before that place."""
