"""The keyword arguments of a new `CollisionSystem`, as functions that make one pass them on."""
from __future__ import annotations

import difflib
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


def check_options(function: str, options: Iterable[str], *own: str) -> None:
    """TypeError, as Python raises it for `function`, for a keyword argument that is not among SystemOptions.

    own: the keyword arguments that the function itself has, for the nearest name."""
    for name in options:
        if name not in SystemOptions.__annotations__:
            near = difflib.get_close_matches(name, sorted({*SystemOptions.__annotations__, *own}), n=1, cutoff=0.7)
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}"
                            + "".join(f"; nearest is {n!r}" for n in near))
