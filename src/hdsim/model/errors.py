"""The exceptions of hdsim, as a tree. Each is also the built-in kind that a caller would catch."""
from typing import Any


class HdsimError(Exception):
    """Base of every error that hdsim defines itself."""


class FileFormatError(HdsimError, ValueError):
    """A file cannot be read. The message says where, what was found and what is expected, in one line."""


class JammedError(HdsimError, RuntimeError):
    """Discs collide without end while time stands still.

    `particles` is the sorted tuple of the discs that are caught.
    """

    def __init__(self, message: str, particles: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.particles = particles

    def __reduce__(self):
        return type(self), (self.args[0], self.particles)


class PackingError(HdsimError, RuntimeError):
    """Discs could not be packed as densely as was asked.

    `reached` is the packing fraction that was reached, `state` the state (`hdsim.states.State`) that has it.
    """

    def __init__(self, message: str, reached: float = 0.0, state: Any = None) -> None:
        super().__init__(message)
        self.reached = reached
        self.state = state

    def __reduce__(self):
        return type(self), (self.args[0], self.reached, self.state)


class ReplicaError(HdsimError, RuntimeError):
    """A replica of an ensemble failed. `seed` says which one; the message, and the cause, why."""

    def __init__(self, message: str, seed: int) -> None:
        super().__init__(message)
        self.seed = seed

    def __reduce__(self):
        return type(self), (self.args[0], self.seed)


class OverlapWarning(UserWarning):
    """Discs overlap at the start by more than rounding: accepted, and counted in the message."""


class DamagedFileWarning(UserWarning):
    """A trajectory ends in the middle of a frame, or is damaged: it is read up to the last whole frame before."""
