"""Common parts of trajectories in text: a frame is a head of some lines, and a row of columns for each disc.

A file that ends in the middle of a frame, as after a crash, or that is damaged after its first frame, is read up to the last
complete frame, with a warning. FileFormatError for a file whose first frame cannot be read.
"""
from __future__ import annotations

import itertools
import os
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial
from typing import IO, Any, NamedTuple

import numpy as np

from .. import _core
from ..model.box import Box
from ..model.errors import DamagedFileWarning, FileFormatError
from .frame import Frame

WHOLE_MAX = 2.0**53     # doubles are exact for whole numbers up to here
SHOWN = 60      # longest quotation of a line in a message, in characters
LINE_MAX = 1 << 20      # longest line in bytes: the longest ones are the comments of extended XYZ
ROWS_AT_ONCE = 1 << 14  # rows that are parsed together
BOM = b"\xef\xbb\xbf"   # UTF-8 byte order mark, with which some editors begin a file


class Cut(Exception):
    """The file ends in the middle of a frame. The message has the place and what was expected."""


class Block(NamedTuple):
    """The lines of one frame, and its place in the file."""

    offset: int         # in bytes from the beginning of the file
    line: int           # number of its first line, from 1
    head: list[str]
    rows: list[bytes]


class Table:
    """The rows of a frame, with access to columns by name.

    path: of the file. line: number of the first row. columns: name and index of every column. wanted: the columns to read, if
    they exist. FileFormatError names the first bad row. Numbers are written as in the book's text format, with ASCII digits, no
    underscores, and within the range of a double; nan is allowed too."""

    def __init__(self, path: str, line: int, rows: Sequence[bytes], columns: dict[str, int], wanted: Sequence[str]) -> None:
        self.path, self.line = path, line
        self.columns = {name: place for name, place in columns.items() if name in wanted}
        places = sorted(self.columns.values())
        self._place = {name: places.index(place) for name, place in self.columns.items()}
        self._values = np.empty((len(rows), len(places)))
        for start in range(0, len(rows), ROWS_AT_ONCE):
            self._fill(start, rows[start:start + ROWS_AT_ONCE], len(columns), places)

    def _fill(self, start: int, rows: Sequence[bytes], columns: int, places: Sequence[int]) -> None:
        """Parse these rows, the first of which is row `start` of the frame, into the table."""
        cells: list[bytes] = []
        for i, row in enumerate(rows, start):
            words = row.split()
            if len(words) != columns:
                raise FileFormatError(f"{self.where(i)}: expected {columns} columns, found {len(words)}")
            if b"\r" in row and b"\r" in row.rstrip(b"\r\n"):
                raise FileFormatError(f"{self.where(i)}: expected a row that ends in a line feed, found a carriage return in it: "
                                      f"{shown(row.decode('latin-1'))}")
            cells += [words[place] for place in places]
        values = self._values[start:start + len(rows)]
        read, _ = _core.parse_table(b" ".join(cells), 0, values)
        if read < len(cells):       # the parser stops at nan: parse again with 0 in its place
            nans = np.array([cell.lower() == b"nan" for cell in cells])
            read, _ = _core.parse_table(b" ".join([b"0" if cell.lower() == b"nan" else cell for cell in cells]), 0, values)
            values[nans.reshape(values.shape)] = np.nan
        if read < len(cells):
            i, k = divmod(read, len(places))
            raise FileFormatError(f"{self.where(start + i)}: expected a number in column {places[k] + 1}, found "
                                  f"{shown(cells[read].decode('latin-1'))}")

    def where(self, row: int) -> str:
        """The file and the line of a row, for messages."""
        return f"{self.path}:{self.line + row}"

    def numbers(self, names: Sequence[str]) -> np.ndarray:
        """(n, len(names)) float64: the columns of these names, which must exist."""
        return self._values[:, [self._place[name] for name in names]]

    def optional(self, *names: str) -> np.ndarray | None:
        """(n, len(names)) float64: the columns of these names; None if the file lacks one of them."""
        return self.numbers(names) if all(name in self.columns for name in names) else None

    def optional_one(self, name: str) -> np.ndarray | None:
        """(n,) float64: the column of this name; None if the file lacks it."""
        column = self.optional(name)
        return None if column is None else column[:, 0]

    def whole(self, *names: str) -> np.ndarray | None:
        """(n, len(names)) int64: the columns of these names; None if the file lacks one. FileFormatError for values that are not
        whole numbers."""
        numbers = self.optional(*names)
        if numbers is None:
            return None
        wrong = ~((numbers == np.rint(numbers)) & (np.abs(numbers) < WHOLE_MAX)).all(axis=1)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise FileFormatError(f"{self.path}:{self.line + row}: expected whole numbers for {' '.join(names)}, found "
                                  f"{' '.join(map(repr, numbers[row].tolist()))}")
        return numbers.astype(np.int64)

    def is_flat(self, height: str, speed: str) -> bool:
        """Whether these are discs in a plane: the third coordinate, the column `height`, is missing or equal for all of them, and
        the third velocity, the column `speed`, is missing or 0."""
        heights, speeds = self.optional_one(height), self.optional_one(speed)
        if heights is None or len(heights) == 0:
            return True
        return bool((heights == heights[0]).all()) and (speeds is None or not speeds.any())


def shown(text: str) -> str:
    """A piece of a file for a message: quoted, and cut off after SHOWN characters."""
    text = text.rstrip("\r\n")
    return repr(text if len(text) <= SHOWN else text[:SHOWN - 3] + "...")


def box_of(where: str, lengths: Sequence[float], periodic: Sequence[bool]) -> Box:
    """The `Box` with the values that a file gives. FileFormatError, at the place `where`, if they are not legal."""
    try:
        return Box.of(lengths, tuple(periodic))
    except ValueError as error:
        raise FileFormatError(f"{where}: {error}") from None


def finite(text: str) -> float | None:
    """The finite number that the whole text is, with blanks around it allowed; else None."""
    data, value = text.encode(), np.empty((1, 1))
    read, end = _core.parse_table(data, 0, value)
    return float(value[0, 0]) if read == 1 and end == len(data) and np.isfinite(value[0, 0]) else None


class Lines:
    """Reads an open file line by line, and counts lines and bytes. A line of LINE_MAX bytes or more is an error, because a file
    of another format may have no line ends and be larger than memory. offset, line: where to begin, in bytes and as a line
    number."""

    def __init__(self, file: IO[bytes], path: str, offset: int, line: int) -> None:
        file.seek(offset)
        if offset == 0 and file.read(len(BOM)) == BOM:
            offset = len(BOM)
        file.seek(offset)
        self.file, self.path, self.offset, self.line = file, path, offset, line

    def take(self, count: int, what: str) -> list[bytes]:
        """The next `count` complete lines. Cut if there are fewer; FileFormatError for a line that is too long. what: the name of
        these lines in messages."""
        lines: list[bytes] = []
        for line in itertools.islice(iter(partial(self.file.readline, LINE_MAX), b""), count):
            if len(line) == LINE_MAX and not line.endswith(b"\n"):
                found = "a NUL byte, as binary files have them" if b"\0" in line else "a longer one"
                raise FileFormatError(f"{self.path}:{self.line + len(lines)}: expected {what}, in lines of less than {LINE_MAX} "
                                      f"bytes, found {found}")
            lines.append(line)
        if len(lines) < count or (lines and not lines[-1].endswith(b"\n")):
            raise Cut(f"{self.path}:{self.line + len(lines)}: expected {what}, found the end of the file")
        self.offset += sum(map(len, lines))
        self.line += count
        return lines

    def head(self, what: str) -> str:
        """The next line as text, without its line end. FileFormatError if it has a NUL byte."""
        [line] = self.take(1, what)
        if b"\0" in line:
            raise FileFormatError(f"{self.path}:{self.line - 1}: expected {what}, found a NUL byte, as binary files have them")
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def at_end(self) -> bool:
        """Whether there is nothing left to read."""
        if self.file.read(1):
            self.file.seek(self.offset)
            return False
        return True

    def number(self, what: str) -> int:
        """The next line as one whole number of at most 18 digits; else FileFormatError."""
        line = self.head(what)
        if not re.fullmatch(r"[ \t]*[0-9]{1,18}[ \t]*", line):
            raise FileFormatError(f"{self.path}:{self.line - 1}: expected {what}, found {shown(line)}")
        return int(line)


class TextTrajectory(ABC):
    """A trajectory in text, as `hdsim.trajectory` returns it. A frame is read when it is accessed."""

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        self._places: list[tuple[int, int]] | None = None     # offset and line of each frame, once they are counted

    @abstractmethod
    def _take(self, lines: Lines) -> tuple[list[str], list[bytes]]:
        """The head and the rows of the next frame."""

    @abstractmethod
    def _frame(self, block: Block) -> Frame:
        """The frame that is written in the lines of a block."""

    def _blocks(self, offset: int = 0, line: int = 1) -> Iterator[Block]:
        with open(self.path, "rb") as file:
            lines = Lines(file, self.path, offset, line)
            for number in itertools.count():
                if lines.at_end():
                    if number == 0:
                        raise FileFormatError(f"{self.path}:1: expected a frame, found an empty file")
                    return
                start = lines.offset, lines.line
                try:
                    yield Block(*start, *self._take(lines))
                except (Cut, FileFormatError) as error:
                    if number == 0:
                        raise FileFormatError(str(error)) from None
                    warn(error, number)
                    return

    def __iter__(self) -> Iterator[Frame]:
        for number, block in enumerate(self._blocks()):
            try:
                frame = self._frame(block)
            except FileFormatError as error:
                if number == 0:
                    raise
                warn(error, number)
                return
            yield frame

    def __len__(self) -> int:
        """The number of frames. The first call reads the whole file."""
        if self._places is None:
            self._places = [(block.offset, block.line) for block in self._blocks()]
        return len(self._places)

    def __getitem__(self, k: int) -> Frame:
        k = index_of(k, len(self), self.path)
        assert self._places is not None
        return self._frame(next(self._blocks(*self._places[k])))


def index_of(k: int, frames: int, path: str) -> int:
    """The index 0 <= k < frames of a frame for an index that counts from the end if it is negative. IndexError if there is
    none."""
    if not -frames <= k < frames:
        raise IndexError(f"{path}: expected a frame from 0 to {frames - 1}, found {k}")
    return k + frames if k < 0 else k


def warn(error: Exception, frames: int) -> None:
    """Warn (DamagedFileWarning) that the file is damaged after this number of frames."""
    warnings.warn(f"{error}; read up to frame {frames - 1}, the last whole one", DamagedFileWarning, stacklevel=3)
