"""The book's exercises as experiments: each measures quantities, compares them with theory, and draws them.

>>> import hdsim
>>> result = hdsim.lab.temperature(quick=True)
>>> result.agrees
True

`python -m hdsim lab list` shows their names; each has a page in docs/lab. The functions have the same names with underscores
(`hdsim.lab.free_path`; `break` is `break_`), take `quick`, `seed` and `progress`, most also a `source`, and return a `Result`.
"""
from __future__ import annotations

import difflib
import importlib
from typing import Any

from .exercises import ELSEWHERE, EXPERIMENTS, NUMBERS, function_name, module_name
from .result import SUFFIXES, Check, Result, require_matplotlib

__all__ = ["Check", "EXPERIMENTS", "Result", "SUFFIXES", "experiment", "name_of", "require_matplotlib"]


def name_of(word: str) -> str:
    """The name of an experiment, from its name or from the number of the book's exercise: "free-path" for "3".

    ValueError for an unknown name, with similar names, and for an exercise that is not an experiment here.
    """
    name = NUMBERS.get(word, word)
    if name in ELSEWHERE:
        raise ValueError(ELSEWHERE[name])
    if name not in EXPERIMENTS:
        near = difflib.get_close_matches(name, EXPERIMENTS, n=3)
        hint = f"nearest: {', '.join(near)}" if near else "`python -m hdsim lab list` shows them all"
        raise ValueError(f"{name}: no experiment of this name; {hint}")
    return name


def experiment(name: str) -> Any:
    """The function of an experiment, by its name on the command line or the number of its exercise; errors as of `name_of`."""
    name = name_of(name)
    module = importlib.import_module(f".{module_name(name)}", __name__)
    return getattr(module, function_name(name))


def __getattr__(name: str) -> Any:
    """The experiments as functions; each is loaded when it is first used."""
    for known in EXPERIMENTS:
        if name == function_name(known):
            return experiment(known)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *map(function_name, EXPERIMENTS)])
