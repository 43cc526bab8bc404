"""Snapshots of EDMD, the event-driven program of F. Smallenburg (Eur. Phys. J. E 45, 22, 2022): `.sph`.

A frame is the number of spheres, the three sides of the box, and for each sphere a letter for its kind, x y z and its radius. All
axes are periodic; positions may lie beyond the box, whose lower corner is the origin. The format has no velocities, masses, times
or colours: a frame that is read is at rest at time 0, with masses of 1. Numbers are written with the fewest digits that give the
same double.
"""
from __future__ import annotations

import numpy as np

from ..language import plural
from ..model.errors import FileFormatError
from .frame import Frame, completed
from .growing import GrowingFile
from .text import Block, Lines, Table, TextTrajectory, box_of, finite, shown

COLUMNS = {"kind": 0, "x": 1, "y": 2, "z": 3, "radius": 4}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def write_frame(file: GrowingFile, frame: Frame, step: int) -> None:
    """Append a frame to an open file; spheres of equal radius have a letter, from the smallest on. `step` is not written.
    ValueError unless the box is of three dimensions, and periodic on all axes."""
    if frame.box.dimension != len("xyz") or not all(frame.box.periodic):
        raise ValueError(f"EDMD's format has periodic boxes of three dimensions only, and this is {frame.box}; write .xyz")
    kinds = np.unique(frame.radii, return_inverse=True)[1]
    letters = [LETTERS[min(kind, len(LETTERS) - 1)] for kind in kinds.tolist()]
    rows = zip(letters, *(column.tolist() for column in (*frame.unwrapped_positions.T, frame.radii)))
    file.write(f"{len(frame)}\n{' '.join(map(repr, frame.box.lengths))}\n".encode())
    file.write("".join(["%s %r %r %r %r\n" % row for row in rows]).encode())


class SphTrajectory(TextTrajectory):
    """The frames of a file of EDMD, as `hdsim.trajectory` returns them."""

    def _take(self, lines: Lines) -> tuple[list[str], list[bytes]]:
        n = lines.number("the number of spheres of a frame")
        return [lines.head("the three sides of the box")], lines.take(n, plural(f"{n} row(s)"))

    def _frame(self, block: Block) -> Frame:
        where = f"{self.path}:{block.line + 1}"
        sides = [side for side in map(finite, block.head[0].split()) if side is not None]
        if len(sides) != len("xyz"):
            raise FileFormatError(f"{where}: expected the three sides of the box, found {shown(block.head[0])}")
        table = Table(self.path, block.line + 2, block.rows, COLUMNS, ("x", "y", "z", "radius"))
        return completed(table.where, 0.0, box_of(where, sides, (True,) * 3), table.numbers(("x", "y", "z")),
                         radii=table.optional_one("radius"))
