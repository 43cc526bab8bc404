"""Public words of version 0.1 that have other names now. Each old name works through hdsim 0.3,
with a DeprecationWarning."""
from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

# Keys of `CollisionSystem.statistics`. Checkpoints have the old ones: their format is that of 0.1.
STATISTICS = {"survivors": "exact_evaluations", "replans": "repredictions", "joint_events": "simultaneous_impacts"}
NEWER = "unsolved_impacts"      # a count that checkpoints have only if it is not 0, so that those of older versions are whole
KINDS = {"replan": "re-prediction"}     # of the entries of a queue


def warn(old: str, new: str, frames: int = 1) -> None:
    """The DeprecationWarning for an old name. frames: how many functions of hdsim lie between this one and the caller's line."""
    warnings.warn(f"{old} is now {new}; the old name works through hdsim 0.3", DeprecationWarning, stacklevel=2 + frames)


class Counts(dict[str, int]):
    """A dict of counts in which the keys of version 0.1 are found too. Iteration, equality, copies and pickles have the new keys
    only; a copy or pickle is a plain dict."""

    def __missing__(self, key: str) -> int:
        if key not in STATISTICS:
            raise KeyError(key)
        warn(f"statistics[{key!r}]", f"statistics[{STATISTICS[key]!r}]")
        return self[STATISTICS[key]]

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, str) or key not in STATISTICS:
            return super().__contains__(key)
        new = STATISTICS[key]
        warn(f"statistics[{key!r}]", f"statistics[{new!r}]")
        return super().__contains__(new)

    def get(self, key: str, default: Any = None) -> Any:
        if key in STATISTICS:
            warn(f"statistics[{key!r}]", f"statistics[{STATISTICS[key]!r}]")
        return super().get(STATISTICS.get(key, key), default)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class Kind(str):
    """A kind of queue entries: also equal to its name of version 0.1. A pickle has a plain str."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) and KINDS.get(other) == str(self):
            warn(f"kind {other!r}", f"kind {str(self)!r}")
            return True
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = str.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str(self),)


def keyword(old: str, new: str) -> Callable[[Function], Function]:
    """Decorate a function whose keyword argument `old` is called `new` now. TypeError if both are given."""
    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            if old in options:
                if new in options:
                    raise TypeError(f"{function.__qualname__}() got {new!r} and its old name {old!r}; give {new!r} only")
                warn(f"{old}=", f"{new}=")
                options[new] = options.pop(old)
            return function(*arguments, **options)

        return cast(Function, call)
    return decorate


def attribute(old: str, new: str) -> Any:
    """A read-only property: the attribute `new` under the name `old`."""
    def read(self: Any) -> Any:
        warn(f"{type(self).__name__}.{old}", f"{type(self).__name__}.{new}")
        return getattr(self, new)

    return property(read, doc=f"The old name of `{new}`.")


def of_module(names: dict[str, Any], renamed: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a module. names: its globals(); renamed: new names by old ones."""
    def find(name: str) -> Any:
        module = names["__name__"]
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn(f"{module}.{name}", f"{module}.{renamed[name]}")
        return names[renamed[name]]

    return find
