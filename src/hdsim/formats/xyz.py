"""Extended XYZ: each frame has the number of discs, a line of key=value, and a row for each disc.

Numbers are written with the fewest digits that give the same double, and positions come first, as in plain XYZ. Obstacles are the
value of the key hdsim_table, and species that were given are the column hdsim_species. Files of other programs can be read: the
columns `pos` and, if they exist, `velo`, `radius`, `mass`, `image`, `id` and `color`. Discs have all the same z, and no velocity
along it; other files are of three dimensions, and so are those with the key hdsim_dimension=3.
"""
from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from ..language import plural
from ..model.box import Box
from ..model.errors import FileFormatError
from .frame import Frame, completed
from .growing import GrowingFile
from .table import from_one_line, one_line
from .text import LINE_MAX, Block, Lines, Table, TextTrajectory, box_of, finite, shown

PROPERTIES = "species:S:1:pos:R:3:id:I:1:velo:R:3:radius:R:1:mass:R:1:image:I:3:color:R:3"
KINDS = "hdsim_species"     # the column of the species of discs; `species` is the one of chemical elements
SPECIES = "X"       # the symbol of an unknown chemical element
ROWS_AT_ONCE = 1 << 14
SHADES = [f"{k / 255:.6g}" for k in range(256)]
TRUE, FALSE = ("T", "true", "True", "1"), ("F", "false", "False", "0")
TABLE = "hdsim_table"
SPACE = "hdsim_dimension"       # 3 in three dimensions, also if all spheres have the same z
KEYS = ("Lattice", "Properties", "pbc", "Time", "Origin", TABLE, SPACE)     # the keys that are read
COLUMNS_MAX = 10_000
READ = ("pos0", "pos1", "pos2", "velo0", "velo1", "velo2", "radius0", "mass0", "image0", "image1", "image2", "id0", "color0",
        "color1", "color2", f"{KINDS}0")
NAMES = {"vel": "velo", "velocities": "velo", "masses": "mass", "radii": "radius"}     # names in files of other programs


def write_frame(file: GrowingFile, frame: Frame, step: int) -> None:
    """Append a frame to an open file. The time is written; `step` is not. ValueError for obstacles whose text is too long for a
    line that can be read."""
    d = frame.box.dimension
    width, height, depth = (*map(repr, frame.box.lengths), "1")[:3]
    pbc = " ".join("T" if periodic else "F" for periodic in (*frame.box.periodic, False)[:3])
    space = f" {SPACE}=3" if d == 3 else ""
    kinds = () if frame.species is None else (frame.species,)
    around = one_line(frame.obstacles, frame.gravity)
    table = f' {TABLE}="{around}"' if around else ""
    comment = (f'Lattice="{width} 0 0 0 {height} 0 0 0 {depth}" Properties={PROPERTIES}{f":{KINDS}:I:1" if kinds else ""} '
               f'pbc="{pbc}" Time={frame.time!r}{space}{table}\n')
    if len(comment) >= LINE_MAX:
        raise ValueError(f"the obstacles take {len(comment):,} bytes in extended XYZ, and a line has less than {LINE_MAX:,}; "
                         "write .gsd, .npz or .txt")
    file.write(f"{len(frame)}\n{comment}".encode())
    columns = (*frame.positions.T, frame.ids + 1, *frame.velocities.T, frame.radii, frame.masses, *frame.images.T)
    vector, whole = (" %r %r 0", " %d %d 0") if d == 2 else (" %r %r %r", " %d %d %d")
    form = SPECIES + vector + " %d" + vector + " %r %r" + whole + " %s %s %s" + (" %d" if kinds else "") + "\n"
    for start in range(0, len(frame), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        shades = [[SHADES[value] for value in column] for column in frame.colors[part].T.tolist()]
        rows = zip(*(column[part].tolist() for column in columns), *shades, *(kind[part].tolist() for kind in kinds))
        file.write("".join([form % row for row in rows]).encode())


class XyzTrajectory(TextTrajectory):
    """The frames of an extended XYZ file, as `hdsim.trajectory` returns them."""

    def _take(self, lines: Lines) -> tuple[list[str], list[bytes]]:
        n = lines.number("the number of discs of a frame")
        return [lines.head("a line of key=value")], lines.take(n, plural(f"{n} row(s)"))

    def _frame(self, block: Block) -> Frame:
        where = f"{self.path}:{block.line + 1}"
        keys = _keys(where, block.head[0])
        origin = _numbers(where, keys, "Origin", 3, "0 0 0")
        table = Table(self.path, block.line + 2, block.rows, _columns(where, keys.get("Properties")), READ)
        d = 2 if keys.get(SPACE) != "3" and table.is_flat("pos2", "velo2") else 3
        ids, color = table.whole("id0"), table.optional("color0", "color1", "color2")
        if color is not None and not (right := np.isfinite(color).all(axis=1)).all():
            raise FileFormatError(f"{table.where(int(np.argmin(right)))}: expected finite numbers for color, found "
                                  f"{color[np.argmin(right)].tolist()}")
        with np.errstate(over="ignore"):    # `completed` raises FileFormatError for infinite positions
            positions = table.numbers([f"pos{axis}" for axis in range(d)]) - origin[:d]
        kinds = table.whole(f"{KINDS}0")
        found = completed(
            table.where, _numbers(where, keys, "Time", 1, "0")[0], _box(where, keys, d), positions,
            table.optional(*(f"velo{axis}" for axis in range(d))), table.optional_one("radius0"), table.optional_one("mass0"),
            table.whole(*(f"image{axis}" for axis in range(d))), None if ids is None else ids[:, 0] - 1,
            None if color is None else np.clip(np.rint(255 * color), 0, 255).astype(np.uint8))
        obstacles, gravity = from_one_line(keys.get(TABLE, ""), f"{where}: {TABLE}", d)
        return replace(found, obstacles=obstacles, gravity=gravity, species=None if kinds is None else kinds[:, 0])


def _keys(where: str, line: str) -> dict[str, str]:
    """The keys and values of the comment line of a frame, key=value or key="value with blanks". FileFormatError if one of KEYS
    occurs twice."""
    found = re.findall(r'\b(\w+)=(?:"([^"]*)"|([^\s"]+))', line)
    keys = {key: quoted or plain for key, quoted, plain in found}
    twice = [key for key in KEYS if sum(key == other for other, _, _ in found) > 1]
    if twice:
        raise FileFormatError(f"{where}: expected each key once, found {twice[0]} twice")
    return keys


def _columns(where: str, properties: str | None) -> dict[str, int]:
    """The indices of the columns that Properties=name:kind:count:... describes, by the names name0, name1, ... FileFormatError if
    it cannot be parsed or has no `pos`."""
    words = (properties or "").split(":")
    if (len(words) % 3 or not all(re.fullmatch("[0-9]{1,3}", count) for count in words[2::3])
            or sum(map(int, words[2::3])) > COLUMNS_MAX):
        raise FileFormatError(f"{where}: expected Properties=species:S:1:pos:R:3..., found {shown(properties or 'none')}")
    names = [f"{NAMES.get(name, name)}{k}" for name, count in zip(words[::3], words[2::3]) for k in range(int(count))]
    columns = {name: place for place, name in enumerate(names)}
    if not {"pos0", "pos1"} <= columns.keys() or len(columns) < len(names):
        raise FileFormatError(f"{where}: expected Properties with pos:R:3, and each name once, found {shown(properties or '')}")
    return columns


def _numbers(where: str, keys: dict[str, str], key: str, count: int, default: str) -> list[float]:
    """The value of `key`, or `default` without it, as `count` finite numbers; FileFormatError for another value."""
    words = keys.get(key, default).split()
    values = [value for value in map(finite, words) if value is not None]
    if not len(values) == len(words) == count:
        raise FileFormatError(f"{where}: expected {count} finite numbers for {key}, found {shown(keys[key])}")
    return values


def _box(where: str, keys: dict[str, str], d: int) -> Box:
    if "Lattice" not in keys:
        raise FileFormatError(f'{where}: expected Lattice="width 0 0 0 height 0 0 0 1", found none; a box is needed')
    lattice = _numbers(where, keys, "Lattice", 9, "")
    if any(lattice[k] for k in (1, 2, 3, 5, 6, 7)) or not all(lattice[4 * k] > 0 for k in range(d)):
        raise FileFormatError(f"{where}: expected a rectangular Lattice, found {shown(keys['Lattice'])}")
    axes = keys.get("pbc", "T T T").split()       # other programs too take a file with a lattice but without pbc as periodic
    if len(axes) != 3 or not all(axis in TRUE + FALSE for axis in axes):
        raise FileFormatError(f'{where}: expected pbc="T T F" or the like, found {shown(keys["pbc"])}')
    return box_of(where, [lattice[4 * k] for k in range(d)], [axis in TRUE for axis in axes[:d]])
