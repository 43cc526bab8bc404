"""LAMMPS dumps in text: each frame has ITEM lines and a row for each disc.

Numbers are written with the fewest digits that give the same double. The time stands in each row, in the column v_time, as LAMMPS
writes a variable: every program reads such a column or skips it. MDAnalysis and mdtraj cannot read LAMMPS's own ITEM: TIME, which
is written for a frame without discs only, and chemfiles takes no more words on the line ITEM: NUMBER OF ATOMS, where versions up
to 0.1 wrote the time. All three forms are read. Positions may be x y z, unwrapped xu yu zu, or scaled by the box, xs ys zs and
xsu ysu zsu. Discs have all the same z, or none, and no velocity along it; other dumps are of three dimensions.
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..language import plural
from ..model.box import Box
from ..model.errors import FileFormatError
from .frame import Frame, completed
from .growing import GrowingFile
from .text import Block, Lines, Table, TextTrajectory, box_of, finite, shown

MOMENT = "v_time"       # the column of the time
COLUMNS = f"id type x y z ix iy iz vx vy vz radius mass {MOMENT}"
ROWS_AT_ONCE = 1 << 14
AT_TIME = " at time "
# Columns of positions, and whether these are in box lengths; the first that a file has is used.
PLACES = ((("x", "y", "z"), False), (("xu", "yu", "zu"), False), (("xs", "ys", "zs"), True), (("xsu", "ysu", "zsu"), True))

READ = (*(name for names, _ in PLACES for name in names), "ix", "iy", "iz", "vx", "vy", "vz", "radius", "diameter", "mass", "id",
        MOMENT)


def write_frame(file: GrowingFile, frame: Frame, step: int) -> None:
    """Append a frame to an open file. step: for ITEM: TIMESTEP."""
    bounds = " ".join("pp" if periodic else "ff" for periodic in (*frame.box.periodic, True)[:3])
    sides = "\n".join((*(f"0 {length!r}" for length in frame.box.lengths), "-0.5 0.5")[:3])
    moment = "" if len(frame) else f"ITEM: TIME\n{frame.time!r}\n"
    file.write(f"{moment}ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{len(frame)}\n"
               f"ITEM: BOX BOUNDS {bounds}\n{sides}\n"
               f"ITEM: ATOMS {COLUMNS}\n".encode())
    columns = (frame.ids + 1, *frame.positions.T, *frame.images.T, *frame.velocities.T, frame.radii, frame.masses)
    vector, whole = ("%r %r 0", "%d %d 0") if frame.box.dimension == 2 else ("%r %r %r", "%d %d %d")
    form = f"%d 1 {vector} {whole} {vector} %r %r {frame.time!r}\n"
    for start in range(0, len(frame), ROWS_AT_ONCE):
        rows = zip(*(column[start:start + ROWS_AT_ONCE].tolist() for column in columns))
        file.write("".join([form % row for row in rows]).encode())


class LammpsTrajectory(TextTrajectory):
    """The frames of a LAMMPS dump, as `hdsim.trajectory` returns them."""

    def _take(self, lines: Lines) -> tuple[list[str], list[bytes]]:
        head: list[str] = []
        n = None
        while not head or not head[-1].startswith("ITEM: ATOMS"):
            line = lines.head("ITEM: ATOMS")
            item = line.split()[:2]
            if item[:1] == ["ITEM:"] and any(item == other.split()[:2] for other in head):
                raise FileFormatError(f"{self.path}:{lines.line - 1}: expected each ITEM of a frame once, found {shown(line)} "
                                      f"again")
            head.append(line)
            if head[-1].startswith("ITEM: NUMBER OF ATOMS"):
                n = lines.number("the number of discs of a frame")
                head.append(str(n))
            elif head[-1].startswith("ITEM: BOX BOUNDS"):
                head += [lines.head("the bounds of the box") for _ in range(3)]
            elif head[-1].startswith(("ITEM: TIMESTEP", "ITEM: TIME", "ITEM: UNITS")):
                head.append(lines.head("what the line before announces"))
            elif not head[-1].startswith("ITEM: ATOMS"):
                raise FileFormatError(f"{self.path}:{lines.line - 1}: expected a line ITEM: ... of a LAMMPS dump, found "
                                      f"{shown(head[-1])}")
        if n is None:
            raise FileFormatError(f"{self.path}:{lines.line - 1}: expected ITEM: NUMBER OF ATOMS before ITEM: ATOMS, found none")
        return head, lines.take(n, plural(f"{n} row(s)"))

    def _frame(self, block: Block) -> Frame:
        head, where = block.head, f"{self.path}:{block.line}"
        rows_from = block.line + len(head)
        names = head[-1].split()[2:]
        found = next(((columns, scaled) for columns, scaled in PLACES if set(columns[:2]) <= set(names)), None)
        if found is None or len(set(names)) < len(names):
            raise FileFormatError(f"{self.path}:{rows_from - 1}: expected columns with x and y, each name once, found "
                                  f"{shown(head[-1])}")
        columns: tuple[str, ...] = found[0]
        scaled = found[1]
        table = Table(self.path, rows_from, block.rows, {name: place for place, name in enumerate(names)}, READ)
        d = 2 if table.is_flat(columns[2], "vz") else 3
        columns = columns[:d]
        box, corner = _box(where, head, d)
        with np.errstate(over="ignore"):    # `completed` raises FileFormatError for infinite positions
            places = table.numbers(columns) * box.lengths if scaled else table.numbers(columns) - corner
        radii, diameters, ids = table.optional_one("radius"), table.optional_one("diameter"), table.whole("id")
        frame = completed(
            table.where, _time(where, head, table), box, places, table.optional(*("vx", "vy", "vz")[:d]),
            diameters / 2 if radii is None and diameters is not None else radii, table.optional_one("mass"),
            table.whole(*("ix", "iy", "iz")[:d]) if columns[0] in ("x", "xs") else None, None if ids is None else ids[:, 0] - 1)
        return frame if (np.diff(frame.ids) > 0).all() else _in_order(frame)


def _in_order(frame: Frame) -> Frame:
    """The frame with its discs sorted by id, because LAMMPS writes them in no fixed order."""
    order = np.argsort(frame.ids, kind="stable")
    return replace(frame, **{name: getattr(frame, name)[order] for name in (
        "positions", "velocities", "radii", "masses", "images", "ids", "colors")})


def _value(head: list[str], item: str) -> str | None:
    """The line after the line of this item; None if the frame does not have the item."""
    return next((head[k + 1] for k, line in enumerate(head) if line.split()[:len(item.split())] == item.split()), None)


def _time(where: str, head: list[str], table: Table) -> float:
    """The time of a frame, or its step if the dump has no times. FileFormatError for a column of the time with several values."""
    moments = table.optional_one(MOMENT)
    if moments is not None and len(moments):
        if (other := moments != moments[0]).any() or not np.isfinite(moments[0]):
            i = int(np.argmax(other))
            raise FileFormatError(f"{table.where(i)}: expected one finite time in all rows of a frame, found {moments[i]:g} for "
                                  f"{MOMENT}")
        return float(moments[0])
    behind = next((line.partition(AT_TIME)[2] for line in head if AT_TIME in line), None)
    text = behind or _value(head, "ITEM: TIME") or _value(head, "ITEM: TIMESTEP") or "0"
    return _finite(where, text, "the time of a frame")


def _finite(where: str, text: str, what: str) -> float:
    value = finite(text)
    if value is None:
        raise FileFormatError(f"{where}: expected {what}, a finite number, found {shown(text)}")
    return value


def _edge(where: str, words: list[str], k: int) -> list[str]:
    """The bounds along axis k, from the vector of that edge and the coordinate of the origin, as a box of any shape has them, in
    the dumps that OVITO writes. All words if the edge is not along the axis."""
    numbers = [_finite(where, word, "a bound of the box") for word in words]
    if len(numbers) != 4 or any(number for place, number in enumerate(numbers[:3]) if place != k):
        return words
    return [repr(numbers[3]), repr(numbers[3] + numbers[k])]


def _box(where: str, head: list[str], d: int) -> tuple[Box, list[float]]:
    """The box in d dimensions, and the coordinates of its lower left corner in the file."""
    start = next((k for k, line in enumerate(head) if line.startswith("ITEM: BOX BOUNDS")), None)
    if start is None:
        raise FileFormatError(f"{where}: expected ITEM: BOX BOUNDS before ITEM: ATOMS, found none")
    axes = head[start].split()[3:] or ["pp"] * 3
    bounds = [line.split() for line in head[start + 1:start + 1 + d]]
    if axes[:2] == ["abc", "origin"]:
        axes, bounds = axes[2:], [_edge(where, line, k) for k, line in enumerate(bounds)]
    if len(axes) not in (d, 3) or any(len(pair) != 2 for pair in bounds):
        found = shown(" ".join(head[start:start + 1 + d]))
        raise FileFormatError(f"{where}: expected the bounds of a rectangular box, found {found}")
    ends = [[_finite(where, text, "a bound of the box") for text in pair] for pair in bounds]
    if not all(low < high for low, high in ends):
        found = " x ".join(f"{low!r} {high!r}" for low, high in ends)
        raise FileFormatError(f"{where}: expected a box of some size, found {found}")
    return box_of(where, [high - low for low, high in ends], [axis == "pp" for axis in axes[:d]]), [low for low, _ in ends]
