"""The keyword arguments of a new `CollisionSystem`, as functions that make one pass them on."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict


class Settings(TypedDict, total=False):
    """What every function that makes a `CollisionSystem` takes beside its own parameters; see `CollisionSystem`."""

    time: float
    collisions: str
    strict: bool
    cells: tuple[int, int] | None
    queue: str
    vectors: bool
    images: Any


class SystemOptions(Settings, total=False):
    """The keywords of `Settings` and k_B, for functions that have no parameter k_B of their own."""

    k_B: float


def nearest(name: str, known: Iterable[str], cutoff: float) -> list[str]:
    """The one of these names that is most like `name`, or none. cutoff: how alike they are at least, 0 to 1."""
    import difflib          # for errors only; it costs as much as a tenth of `import hdsim`

    return difflib.get_close_matches(name, sorted(known), n=1, cutoff=cutoff)


def check_options(function: str, options: Iterable[str], *own: str) -> None:
    """TypeError, as Python raises it for `function`, for a keyword argument that is not among SystemOptions.

    own: the keyword arguments that the function itself has, for the nearest name."""
    for name in options:
        if name not in SystemOptions.__annotations__:
            near = nearest(name, {*SystemOptions.__annotations__, *own}, 0.7)
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}"
                            + "".join(f"; nearest is {n!r}" for n in near))
