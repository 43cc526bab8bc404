"""Files: the book's text format, and checkpoints. Knows arrays; no engine, no physics, no randomness.

The text format: the number N of discs, then N rows of nine numbers, rx ry vx vy radius mass r g b; or of six, where no disc has a
colour; in three dimensions of eleven or eight (see `columns`). Numbers are separated by blanks and line ends of any kind.
Positions and radii are in length units, velocities in length / time, masses in any unit and possibly `inf` (a fixed disc),
colours whole numbers from 0 to 255. Some authors write the mass before the radius; `read_text` determines the order of a file.
Behind the rows there may be a tail of keyword lines (see `tail`), for a box other than the unit box with walls, for obstacles and
for species.

A checkpoint: a zip archive of .npy arrays (numpy.load opens it) and one JSON text. It ends in the SHA-256 of all bytes before, so
that a damaged file is recognised."""
from __future__ import annotations

import io
import itertools
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from .. import _core
from ..language import plural, tr
from ..model.box import TURNS_MAX, WALLS, Box
from ..model.numbers import RANGE
from ..model.configuration import Configuration
from ..model.errors import FileFormatError
from ..model.law import Law
from ..model.thermal import Heat
from . import require_suffix
from .columns import LAYOUTS, ORDERS, Columns, Layout, choose, layout_of, radius_limit
from .drafts import complete_file, is_device, os_errors_named
from .room import overlap_described, overlapping_in, refuse_without_room, species_in, species_ranges
from .tail import WORDS, Tail, format_tail, parse_tail, since

if TYPE_CHECKING:       # imported late, because only checkpoints need it
    import zipfile

Path = str | os.PathLike[str]
Source = bytes | Path | IO[bytes] | IO[str]

CHECKPOINT_FORMAT = "hdsim checkpoint"
CHECKPOINT_VERSIONS = (1, 2)         # version 2: states of which hdsim 0.1 would lose a part

_NUMBER_BYTES_MIN = 2                # a digit and a blank before it
_ROWS_AT_ONCE = 1 << 14              # rows that are parsed or formatted together: between them Ctrl-C is handled
_HEAD = 1 << 16                      # bytes that are checked before the rest of a file is read
_BOM = b"\xef\xbb\xbf"               # UTF-8 byte order mark
_SIGNATURES = {
    b"\x1f\x8b": "a gzip-compressed file; unpack it first",
    b"BZh": "a bzip2-compressed file; unpack it first",
    b"\xfd7zXZ": "an xz-compressed file; unpack it first",
    b"PK\x03\x04": "a zip archive (a checkpoint is named .npz)",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
}
_META = "hdsim.json"                 # the member of a checkpoint with the JSON text
_SEAL = b"hdsim sha256 "             # beginning of the comment of the archive; 64 hexadecimal digits follow and end the file
_DIGEST_SIZE = 64


class Reading(NamedTuple):
    """The content of a text file, and how the order of its columns was determined."""

    configuration: Configuration
    order: str      # "radius-mass" or "mass-radius"
    reason: str     # why this order, in one line
    overlaps: int   # number of pairs that overlap by more than TOLERANCE of their contact distance
    ambiguous: bool = False     # both orders fit equally well, and give different discs


# Reading the book's text format

def read_text(source: Source, *, name: str | None = None, order: str = "auto", width: float | None = None,
              height: float | None = None, periodic: tuple[bool, ...] | None = None, time: float = 0.0,
              depth: float | None = None) -> Reading:
    """Read N discs, or spheres in three dimensions, in the book's text format.

    source: the bytes of a file, a path, or an open file. name: of the source in messages. order: of the columns of radius and
    mass, "radius-mass" or "mass-radius". "auto" takes the order in which no disc extends beyond the box [0, width] x [0, height]
    and no pair overlaps; if both orders fulfil this, radius-mass; if none does, of those without discs beyond the box the one
    with the fewest overlaps. An order in which a disc overlaps an obstacle does not count. On a periodic axis every position up
    to 10^9 box lengths is inside. width, height, depth, periodic: of the box, by default those of the tail, or of the unit box
    with walls if the tail has none. time: at which the system will begin, so that it is known which obstacles are there.
    FileFormatError with the line, what was expected and what was found, also for a box that contradicts the tail, and for a disc
    that overlaps an obstacle, with both lines; OSError if the source cannot be read."""
    if order not in ("auto", *ORDERS):
        raise ValueError(f"order must be 'auto', {' or '.join(map(repr, ORDERS))}, got {order!r}")
    text = _Text(read_bytes(source, name), _name_of(source, name))
    table = text.table()
    box = text.box(width, height, depth, periodic)
    layout = text.layout
    readings = [Columns(table, o, layout) for o in (ORDERS if order == "auto" else (order,))]
    inside = [reading for reading in readings if not reading.misfits(box).any()]
    if not inside:
        text.refuse(min(readings, key=lambda reading: np.count_nonzero(reading.misfits(box))), box)
    clear = text.clear_of_obstacles(inside, box, time)
    chosen, overlaps, reason, ambiguous = choose(clear, box)
    if len(clear) < len(inside) and overlaps == 0:
        reason = tr("the only order in which no disc overlaps an obstacle")
    if order != "auto":
        reason = tr("the order was given")
    d = layout.dimension
    configuration = Configuration(positions=table[:, :d].copy(), velocities=table[:, d:2 * d].copy(), radii=chosen.radii,
                                  masses=chosen.masses, colors=table[:, layout.colors:].astype(np.uint8), width=box.width,
                                  height=box.height, periodic=box.periodic,
                                  obstacles=() if text.tail is None else text.tail.obstacles,
                                  species=species_in(text.tail, chosen.radii, chosen.masses), depth=box.depth,
                                  law=Law() if text.tail is None else text.tail.law,
                                  heat=Heat() if text.tail is None else text.tail.heat)
    return Reading(configuration, chosen.order, reason, overlaps, ambiguous)


def read_bytes(source: Source, name: str | None = None) -> bytes:
    """All bytes of a path, an open file or bytes. FileFormatError if they cannot be text, OSError if they cannot be read."""
    return _slurp(source, _name_of(source, name), _refuse_binary)


class _Text:
    """Parser of a text in the book's format, with line numbers for error messages. All errors are FileFormatError."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        self.rows = 0   # N
        self.layout: Layout = LAYOUTS[9]        # of the rows, which may have no colours
        self.start = len(_BOM) if data.startswith(_BOM) else 0   # offset at which the rows begin, once N is read
        self.tail: Tail | None = None       # once the rows are read, if there is one

    def table(self) -> np.ndarray:
        """(N, 9) the numbers of the file, (N, 11) in three dimensions. Positions, velocities and colours are checked, radii and
        masses are not."""
        self.take_number_of_rows()
        self.take_columns()
        # At most the rows that a file of this size can hold, so that a wrong N does not allocate memory.
        rows = min(self.rows, (len(self.data) - self.start) // (_NUMBER_BYTES_MIN * len(self.columns)) + 1)
        table = np.empty((rows, len(self.columns)))
        values, offset = self.fill(table)
        if self.begins_tail(offset, values == table.size):
            tail, line = self.data[offset:], self.line(offset)
            self.data = self.data[:offset]          # what follows concerns the rows
            if values == self.rows * len(self.columns):
                self.tail = parse_tail(tail, self.name, line, self.rows, self.layout.dimension if self.rows else None)
        if values < table.size and offset < len(self.data):
            self.refuse_number(offset, values % len(self.columns))
        if values < self.rows * len(self.columns):
            self.refuse_end(values)
        if offset < len(self.data):
            self.refuse_ragged()
            self.fail(offset, f"expected the end of the file after {_rows(rows)}, as N says, found {self.token(offset)}")
        if self.rows == 0 and self.tail is not None and self.tail.box is not None and self.tail.box.dimension == 3:
            self.layout, table = LAYOUTS[11], np.empty((0, 11))
        table = np.pad(table, ((0, 0), (0, self.layout.colors + 3 - len(self.columns))))     # black, where there are no colours
        self.check(table)
        return table

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of the rows."""
        return self.layout.names

    def fill(self, table: np.ndarray) -> tuple[int, int]:
        """Read the numbers after N into `table`. Returns how many were read, and the offset of the first token that was not."""
        values, offset = 0, self.start
        for first in range(0, max(len(table), 1), _ROWS_AT_ONCE):
            part = table[first:first + _ROWS_AT_ONCE]
            read, offset = _core.parse_table(self.data, offset, part)
            values += read
            if read < part.size:
                break
        return values, offset

    def begins_tail(self, offset: int, complete: bool) -> bool:
        """Whether the token at `offset` is a word at the beginning of a line; a known one unless the rows are complete."""
        match = re.compile(rb"[A-Za-z][^\s=]*").match(self.data, offset)
        line = self.line_start(offset)
        if match is None or line == 0 or self.data[line:offset].strip():
            return False
        return complete or match[0].decode("latin-1") in WORDS

    def box(self, width: float | None, height: float | None, depth: float | None, periodic: tuple[bool, ...] | None) -> Box:
        """The box of the tail, else the given one; None means not given, for the unit box with walls. Error for a given box that
        contradicts the tail or the number of columns, and for a half-plane that leaves no room in a periodic box."""
        unit = Box() if self.layout.dimension == 2 else Box(depth=1.0)
        found = unit if self.tail is None or self.tail.box is None else self.tail.box
        if width is not None and (depth is None) != (self.layout.dimension == 2):
            two, three = ("two", "three") if self.layout.dimension == 2 else ("three", "two")
            self.fail(self.start, f"expected a box of {two} dimensions, as rows of {len(self.columns)} numbers have, "
                                  f"found one of {three}")
        if periodic is not None and len(periodic) != self.layout.dimension:
            if len(periodic) > self.layout.dimension:
                self.fail(self.start, f"expected axes x and y, as rows of {len(self.columns)} numbers have, found z among the "
                                      f"periodic ones")
            periodic = (*periodic, False)
        given = Box(found.width if width is None else width, found.height if height is None else height,
                    found.periodic if periodic is None else periodic, found.depth if depth is None else depth)
        if self.tail is not None:
            if self.tail.box is not None and given != found:
                line = min(self.tail.lines[word] for word in ("box", "periodic") if word in self.tail.lines)
                raise FileFormatError(f"{self.name}:{line}: expected the box that was given, {_described(given)}, found "
                                      f"{_described(found)}; leave out the given one, or change the file")
            refuse_without_room(self.tail, given, self.name)
        return given

    def clear_of_obstacles(self, readings: list[Columns], box: Box, time: float) -> list[Columns]:
        """Those of some readings in which no disc overlaps an obstacle that is there at this time; error if there are none."""
        if self.tail is None or not self.tail.obstacles:
            return readings
        found = [(reading, overlapping_in(self.tail, box, time, reading.positions, reading.radii, reading.masses))
                 for reading in readings]
        clear = [reading for reading, overlap in found if overlap is None]
        if not clear:
            _, disc, obstacle, columns = min(((*overlap, reading) for reading, overlap in found if overlap is not None),
                                             key=lambda row: row[0])
            (x, y), radius = columns.positions[disc].tolist(), float(columns.radii[disc])
            order = "" if columns.order == ORDERS[0] else f" (columns read as {columns.order})"
            self.fail(self.find(disc, 0), f"expected discs clear of the obstacles, found disc {disc} at ({x:.12g}, {y:.12g}) "
                                          f"with radius {radius:.12g}, {overlap_described(self.tail, obstacle, x, y)}{order}")
        return clear

    def take_number_of_rows(self) -> None:
        """Read N, the first token, and set `start` to the offset after it."""
        match = re.compile(rb"\s*(\S*)").match(self.data, self.start)
        assert match is not None
        token, offset = match[1], match.start(1)
        if not token:
            self.fail(offset, "expected the number of discs, found an empty file")
        if not re.fullmatch(rb"\+?[0-9]{1,18}", token):
            self.fail(offset, f"expected the number of discs, a whole number of at most 18 digits, found {_shown(token)}")
        self.rows, self.start = int(token), match.end()

    def take_columns(self) -> None:
        """Find how many numbers the rows have: whether they have colours, and how many dimensions."""
        two = re.compile(rb"\s*([^\r\n]*)\s*([^\r\n]*)").match(self.data, self.start)
        if two is not None and all(len(line.split()) == len(self.columns) for line in two.groups()):
            return      # at once for long files
        lines = (line.split() for line in self.data[self.start:].splitlines())
        numbers = itertools.takewhile(lambda line: not line or not line[0][:1].isalpha(), lines)      # up to the tail
        self.layout = layout_of(self.rows, [len(line) for line in numbers])

    def check(self, table: np.ndarray) -> None:
        """Error for the first position, velocity or colour that is not legal; these do not depend on the order of the columns."""
        moving, colors = table[:, :self.layout.radius], table[:, self.layout.colors:]
        shades = self.layout.colors
        for first, wrong, expected in (
            (0, ~np.isfinite(moving), "a finite number"),
            (0, np.abs(moving) > RANGE, f"a number of at most {RANGE:.1e} in size"),
            (shades, ~((colors >= 0) & (colors <= 255) & (colors == np.floor(colors))), "a whole number from 0 to 255"),
        ):
            if wrong.any():
                row, column = (int(k) for k in np.argwhere(wrong)[0])
                offset = self.find(row, first + column)
                self.refuse_ragged(self.line(offset))
                self.fail(offset, f"expected {expected} for {self.columns[first + column]}, found {self.token(offset)}")

    def refuse_number(self, offset: int, column: int) -> NoReturn:
        """Raise the error that the token at `offset`, in this column, is not a number."""
        self.refuse_ragged(self.line(offset) - 1)
        radius = self.layout.radius
        what = "radius or mass" if column in (radius, radius + 1) else self.columns[column]
        begun = self.data[self.line_start(offset):offset].strip()
        more = " of the next row, or the end of the line" if column == 0 and begun else ""
        blanks = "; blanks separate numbers, and decimals follow a point" if "," in self.token(offset) else ""
        self.fail(offset, f"expected a finite number in column {column + 1} ({what}){more}, found {self.token(offset)}{blanks}")

    def refuse_end(self, values: int) -> NoReturn:
        """Raise the error that the text ends after this number of values, before the N-th row is complete."""
        self.refuse_ragged()
        rows, rest = divmod(values, len(self.columns))
        found = _rows(rows) + (f" and {rest} numbers" if rest else "")
        self.fail(len(self.data.rstrip()), f"expected {_rows(self.rows)} of {len(self.columns)} columns, as N says, "
                                           f"found {found}")

    def refuse_ragged(self, last_line: float = math.inf) -> None:
        """Raise an error for the first line, up to `last_line`, whose number of columns is no multiple of theirs; but only if
        lines seem to be rows in this file: it has N lines, or fewer than half of the lines are wrong."""
        first_line = self.line(self.start)
        counts = [len(line.split()) for line in self.data[self.start:].splitlines()]
        ragged = [(first_line + k, count) for k, count in enumerate(counts) if count % len(self.columns)]
        written = sum(map(bool, counts))
        if ragged and ragged[0][0] <= last_line and (written == self.rows or 2 * len(ragged) < written):
            line, count = ragged[0]
            raise FileFormatError(f"{self.name}:{line}: expected {len(self.columns)} columns ({' '.join(self.columns)}), "
                                  f"found {count}")

    def refuse(self, columns: Columns, box: Box) -> NoReturn:
        """Raise the error of the first row that is not a legal disc inside the box."""
        row = int(np.argmax(columns.misfits(box)))
        radius, mass = columns.radii[row], columns.masses[row]
        offset = self.find(row, 0)
        self.refuse_ragged(self.line(offset))
        if not 0 <= radius < math.inf:
            offset = self.find(row, columns.radius_column)
            self.fail(offset, f"expected a finite radius of at least 0, found {self.token(offset)}")
        if not mass > 0:
            offset = self.find(row, columns.mass_column)
            self.fail(offset, f"expected a mass above 0, found {self.token(offset)}")
        if not columns.can_be_masses()[row]:
            offset = self.find(row, columns.mass_column)
            self.fail(offset, f"expected a mass from {1 / RANGE:.1e} to {RANGE:.1e}, or inf, found {self.token(offset)}")
        place = ", ".join(f"{x:.12g}" for x in columns.positions[row].tolist())
        disc = f"found disc {row} at ({place}) with radius {radius:.12g}"
        order = "" if columns.order == ORDERS[0] else f" (columns read as {columns.order})"
        for axis, (length, periodic) in enumerate(zip(box.lengths, box.periodic)):
            for wall, end, across in zip(WALLS[2 * axis:], (0.0, length), columns.across(axis, length)):
                if across[row] and not periodic:
                    self.fail(offset, f"expected discs inside the box, {disc} across the {wall} wall at "
                                      f"{'xyz'[axis]} = {end:g}{order}{self.larger(columns.positions[row], box)}")
            if periodic and abs(columns.positions[row, axis]) > TURNS_MAX * length:
                self.fail(offset, f"expected positions within {TURNS_MAX:g} box lengths of the box, {disc}{order}")
        sides = " x ".join(f"{length:g}" for length in box.lengths)
        self.fail(offset, f"expected radii below {radius_limit(box):g} in a box of {sides}, {disc}{order}")

    def larger(self, position: np.ndarray, box: Box) -> str:
        """How to have a larger box, if this position is beyond the one that a text has without a word about it."""
        if box != (Box() if box.dimension == 2 else Box(depth=1.0)) or (position <= 1).all():
            return ""
        return "; a line `box WIDTH HEIGHT`, after the rows, gives another box than 1 x 1"

    def find(self, row: int, column: int) -> int:
        """The offset of a number of the table in the text."""
        _, offset = _core.parse_table(self.data, self.start, np.empty((row, len(self.columns))))
        tokens = re.compile(rb"\S+").finditer(self.data, offset)
        return next(itertools.islice(tokens, column, None)).start()

    def token(self, offset: int) -> str:
        match = re.compile(rb"\S*").match(self.data, offset)
        assert match is not None
        return _shown(match[0])

    def line_start(self, offset: int) -> int:
        """The offset at which the line of an offset begins."""
        return max(self.data.rfind(end, 0, offset) for end in (b"\n", b"\r")) + 1

    def line(self, offset: int) -> int:
        """The line number, from 1, of an offset. A line ends in LF, CR LF or CR."""
        return 1 + sum(sign * self.data.count(end, 0, offset) for end, sign in ((b"\n", 1), (b"\r", 1), (b"\r\n", -1)))

    def fail(self, offset: int, message: str) -> NoReturn:
        raise FileFormatError(f"{self.name}:{self.line(offset)}: {message}")


def _described(box: Box) -> str:
    """The lines of a tail for a box, in one line."""
    axes = "".join(axis for axis, periodic in zip("xyz", box.periodic) if periodic)
    return " x ".join(map(repr, box.lengths)) + " " + (f"periodic in {axes}" if axes else "with walls")


def _rows(n: int) -> str:
    return plural(f"{n} row(s)")


def _shown(token: bytes) -> str:
    """A token for a message: quoted, in one line, and cut off after 40 characters."""
    text = token[:160].decode("utf-8", "replace")
    return repr(text if len(text) <= 40 else text[:37] + "...")


# Writing the book's text format

def format_text(configuration: Configuration) -> str:
    """The configuration as text in the book's format, radius before mass, with a tail for a box other than the unit box with
    walls, for obstacles, for species, for the law of contacts and for thermal surfaces. Numbers have the fewest digits that give
    the same double. A text has no time and is read as the state at time 0, so the times at which obstacles come and go are
    written from the time of the configuration on.
    ValueError for a box that is not legal."""
    return "".join(_text_pieces(configuration))


def _text_pieces(c: Configuration) -> Iterator[str]:
    """Yield the text in pieces, because the Python objects of all rows at once would need many times the memory of the text."""
    box = c.box         # before the first piece, because it may raise ValueError
    tail = format_tail([since(obstacle, c.time) for obstacle in c.obstacles], box, species_ranges(c.species), c.law, c.heat)
    yield f"{len(c)}\n"
    columns = (*c.positions.T, *c.velocities.T, c.radii, c.masses, *c.colors.T)
    form = "%r " * (2 * box.dimension + 2) + "%d %d %d\n"
    for start in range(0, len(c), _ROWS_AT_ONCE):
        rows = zip(*(column[start:start + _ROWS_AT_ONCE].tolist() for column in columns))
        yield "".join([form % row for row in rows])
    yield tail


def write_text(path_or_file: Path | IO[str] | IO[bytes], configuration: Configuration, begin: float | None = None) -> None:
    """Write the configuration as `format_text` does, to a path, where the file appears only when it is complete, or to an open
    text or binary file. begin: another time of the configuration than its own. OSError if it cannot be written, ValueError for a
    box that is not legal, and for a path that does not end in .txt."""
    configuration = configuration if begin is None else replace(configuration, time=begin)
    if isinstance(path_or_file, (str, os.PathLike)):
        if not is_device(path_or_file):
            require_suffix(path_or_file, ".txt")
        with complete_file(path_or_file) as file:
            write_text(file, configuration)
        return
    write: Any = path_or_file.write
    for piece in _text_pieces(configuration):
        try:
            write(piece)
        except TypeError:   # a binary file
            write(piece.encode())


# Checkpoints

def save_checkpoint(path: Path, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any], version: int = 1,
                    notes: Mapping[str, Any] | None = None) -> None:
    """Write a checkpoint to `path`. arrays: of numbers, with any shapes. meta: data that JSON can represent; integers of any size
    stay exact. version: of the content, one of CHECKPOINT_VERSIONS. notes: what is no part of the state, see `notes`.

    The file appears only when it is complete. The same content gives the same bytes on every machine. OSError if it cannot be
    written, ValueError for a path that does not end in .npz."""
    import zipfile

    if not is_device(path):
        require_suffix(path, ".npz")
    header = json.dumps({"format": CHECKPOINT_FORMAT, "version": version, "meta": meta, **({"notes": notes} if notes else {})})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = _SEAL + bytes(_DIGEST_SIZE)
        archive.writestr(_member(_META), header)
        for key, array in arrays.items():
            little = np.asarray(array, dtype=np.asarray(array).dtype.newbyteorder("<"), order="C")
            with archive.open(_member(f"{key}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, little, allow_pickle=False)
    content = buffer.getbuffer()
    content[-_DIGEST_SIZE:] = _digest(content[:-_DIGEST_SIZE])
    with complete_file(path) as file:
        file.write(content)


def load_checkpoint(source: Source, *, name: str | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays, in native byte order, and the meta of a checkpoint. name: of the source in messages.

    FileFormatError for any file that differs by a byte from what `save_checkpoint` has written; OSError if it cannot be read."""
    import zipfile

    name = _name_of(source, name)
    data = _slurp(source, name, _refuse_other_than_zip)
    if data[-_DIGEST_SIZE - len(_SEAL):-_DIGEST_SIZE] != _SEAL:
        raise FileFormatError(f"{name}: expected a checkpoint that ends in its checksum, found a foreign or truncated file")
    if _digest(memoryview(data)[:-_DIGEST_SIZE]) != data[-_DIGEST_SIZE:]:
        raise FileFormatError(f"{name}: expected the content that the checksum was made of, found a damaged checkpoint")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            header = json.loads(archive.read(_META))
            if header["format"] != CHECKPOINT_FORMAT or header["version"] not in CHECKPOINT_VERSIONS:
                raise ValueError(f"{header['format']} of version {header['version']}")
            arrays = {info.filename.removesuffix(".npy"): _load_array(archive, info)
                      for info in archive.infolist() if info.filename != _META}
            return arrays, header["meta"]
    except Exception as error:   # the checksum is right but the content is not: any error here is one of the file
        found = _shown(str(error).encode("utf-8", "replace"))
        known = " or ".join(map(str, CHECKPOINT_VERSIONS))
        raise FileFormatError(f"{name}: expected {CHECKPOINT_FORMAT} of version {known}, found {found}") from error


def _load_array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(info) as member:
        array = np.lib.format.read_array(member, allow_pickle=False)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _member(filename: str) -> zipfile.ZipInfo:
    """A member of the archive without date and operating system, so that the same state gives the same file."""
    import zipfile

    info = zipfile.ZipInfo(filename)
    info.create_system = 3
    return info


def _digest(content: bytes | memoryview) -> bytes:
    import hashlib

    return hashlib.sha256(content).hexdigest().encode()


# Bytes in and out

def _name_of(source: Source, name: str | None) -> str:
    """The name of the source in messages, in one line."""
    if name is None:
        name = str(source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", "<bytes>"))
    return name if name.isprintable() else ascii(name)


def _slurp(source: Source, name: str, check: Callable[[bytes, str], None]) -> bytes:
    """All bytes of the source. check(data, name) raises an error for wrong data; it is called with the first 64 KiB before the
    rest is read, and again with all bytes."""
    if isinstance(source, bytes):
        data = source
    else:
        with os_errors_named(name):
            if isinstance(source, (str, os.PathLike)):
                with open(source, "rb") as file:
                    data = _drain(file, name, check)
            else:
                data = _drain(source, name, check)
    check(data, name)
    return data


def _drain(file: IO[bytes] | IO[str], name: str, check: Callable[[bytes, str], None]) -> bytes:
    stream: Any = getattr(file, "buffer", file)   # the bytes of a text file, because its decoder might raise an error
    head = stream.read(_HEAD)
    data: bytes
    if isinstance(head, str):
        data = (head + stream.read()).encode("utf-8", "replace")
    else:
        check(head, name)
        data = head + stream.read()
    return data


def _refuse_binary(data: bytes, name: str) -> None:
    for signature, found in _SIGNATURES.items():
        if data.startswith(signature):
            raise FileFormatError(f"{name}: expected a text file, found {found}")
    if (nul := data.find(b"\0")) >= 0:
        line = _Text(data, name).line(nul)
        raise FileFormatError(f"{name}:{line}: expected a text file, found a NUL byte, as binary files have them")


def _refuse_other_than_zip(data: bytes, name: str) -> None:
    if not data.startswith(b"PK\x03\x04"):
        raise FileFormatError(f"{name}: expected a checkpoint (.npz), found {_shown(data[:8])}")
