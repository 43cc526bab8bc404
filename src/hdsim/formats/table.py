"""The obstacles and gravity of a frame as text: metadata of trajectories, which other programs do not look at.

The text is that of the tail of text files. In one line, lines are separated by "; ", and a character that would end a quoted
value, or be taken for a separator, is written as % and its two hexadecimal digits.
"""
from __future__ import annotations

import re
from collections.abc import Sequence

from ..model.errors import FileFormatError
from ..model.gravity import Gravity
from ..model.law import Law
from ..model.obstacles import Obstacle
from .tail import format_tail, parse_tail

_SPECIAL, _WRITTEN = re.compile('[%"\\\\;]'), re.compile("%([0-9A-Fa-f]{2})")


def lines_of(obstacles: Sequence[Obstacle], gravity: Gravity = ()) -> str:
    """The lines of a tail for obstacles and gravity; "" for none."""
    return format_tail(obstacles, law=Law(gravity=gravity))


def one_line(obstacles: Sequence[Obstacle], gravity: Gravity = ()) -> str:
    """The obstacles and gravity in one line of printable ASCII characters without quotation marks; "" for none."""
    lines = lines_of(obstacles, gravity).splitlines()
    return "; ".join(_SPECIAL.sub(lambda match: f"%{ord(match[0]):02X}", line) for line in lines)


def from_one_line(text: str, where: str, dimension: int = 2) -> tuple[tuple[Obstacle, ...], Gravity]:
    """The obstacles and gravity of a line from `one_line`, in a box of 2 or 3 dimensions. where: the place of the text, for
    FileFormatError if it has something else."""
    lines = [_WRITTEN.sub(lambda match: chr(int(match[1], 16)), line) for line in text.split(";")]
    return from_lines("\n".join(lines), where, dimension)


def from_lines(text: str, where: str, dimension: int = 2) -> tuple[tuple[Obstacle, ...], Gravity]:
    """The obstacles and gravity of lines of a tail. where, dimension: as for `from_one_line`."""
    tail = parse_tail(text.encode("utf-8", "surrogateescape"), where, 1, 0, dimension)
    if tail.box is not None:
        raise FileFormatError(f"{where}: expected lines of obstacles only, found a box")
    return tail.obstacles, tail.law.gravity
