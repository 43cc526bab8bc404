"""The exceptions of hdsim, as a tree. Each is also the built-in kind that a caller would catch."""


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


class OverlapWarning(UserWarning):
    """Discs overlap at the start by more than rounding: accepted, and counted in the message."""
