"""The compiled engine for each number of axes. That for three is loaded with the first system in three dimensions."""
from __future__ import annotations

from typing import Any

from .. import _core


def core_of(dimension: int) -> Any:
    """The compiled module for this number of axes, 2 or 3. Both have the same engine, from the same text."""
    if dimension == 2:
        return _core
    from .. import _core3

    return _core3
