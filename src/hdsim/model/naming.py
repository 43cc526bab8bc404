"""Messages about arguments name the class that a program has called, not the one below it that the function was written in."""
from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TypeVar

Class = TypeVar("Class", bound=type)


def renamed(function: FunctionType, name: str) -> FunctionType:
    """A copy of the function that Python calls `name` when arguments do not fit."""
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    copy.__dict__.update(function.__dict__)
    for attribute in ("__annotations__", "__doc__", "__kwdefaults__", "__module__"):
        setattr(copy, attribute, getattr(function, attribute))
    copy.__qualname__ = name
    return copy


def by_own_name(*bases: type) -> Callable[[Class], Class]:
    """Class decorator: the public methods of these bases, which no program names, become methods of the class itself, so that
    Python says "CollisionSystem.simulate() got an unexpected keyword argument" of them."""
    def decorate(cls: Class) -> Class:
        for base in bases:
            for name, member in vars(base).items():
                if isinstance(member, FunctionType) and not name.startswith("_") and getattr(cls, name) is member:
                    setattr(cls, name, renamed(member, f"{cls.__name__}.{name}"))
        return cls
    return decorate
