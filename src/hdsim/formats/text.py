"""What trajectories in text have in common: frames of lines, each a head and a row of columns for each disc.

A file that ends in the middle of a frame, as a crash leaves it, is read up to the last whole one, with a warning; so is
one that is damaged after its first frame. A file whose first frame makes no sense is no trajectory: FileFormatError.
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

WHOLE_MAX = 2.0**53     # doubles count so far
SHOWN = 60      # characters of a line in a message
LINE_MAX = 1 << 20      # bytes of a line: the longest are the comments of extended XYZ
ROWS_AT_ONCE = 1 << 14  # that are taken apart together
BOM = b"\xef\xbb\xbf"   # UTF-8 byte order mark, which editors put first


class Cut(Exception):
    """The file ends in the middle of a frame. The message says what was expected, and where."""


class Block(NamedTuple):
    """The lines of one frame, and where it stands."""

    offset: int         # in the file, bytes
    line: int           # the number of its first line
    head: list[str]
    rows: list[bytes]


class Table:
    """The rows of a frame, by the names of their columns. path, line: of the file, and of the first row; columns: name ->
    place of all columns; wanted: those that are read, if they are there. FileFormatError names the first row that is wrong.

    Numbers are as in the book's text format: ASCII digits, no underscores, none too large for a double; and nan."""

    def __init__(self, path: str, line: int, rows: Sequence[bytes], columns: dict[str, int], wanted: Sequence[str]) -> None:
        self.path, self.line = path, line
        self.columns = {name: place for name, place in columns.items() if name in wanted}
        places = sorted(self.columns.values())
        self._place = {name: places.index(place) for name, place in self.columns.items()}
        self._values = np.empty((len(rows), len(places)))
        for start in range(0, len(rows), ROWS_AT_ONCE):
            self._fill(start, rows[start:start + ROWS_AT_ONCE], len(columns), places)

    def _fill(self, start: int, rows: Sequence[bytes], columns: int, places: Sequence[int]) -> None:
        """Read these rows, which begin at row `start`, into the table."""
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
        if read < len(cells):       # the rest of them may be good, but for nan
            nans = np.array([cell.lower() == b"nan" for cell in cells])
            read, _ = _core.parse_table(b" ".join([b"0" if cell.lower() == b"nan" else cell for cell in cells]), 0, values)
            values[nans.reshape(values.shape)] = np.nan
        if read < len(cells):
            i, k = divmod(read, len(places))
            raise FileFormatError(f"{self.where(start + i)}: expected a number in column {places[k] + 1}, found "
                                  f"{shown(cells[read].decode('latin-1'))}")

    def where(self, row: int) -> str:
        """The file and the line of a row."""
        return f"{self.path}:{self.line + row}"

    def numbers(self, names: Sequence[str]) -> np.ndarray:
        """(n, len(names)) float64: these columns."""
        return self._values[:, [self._place[name] for name in names]]

    def optional(self, *names: str) -> np.ndarray | None:
        """(n, len(names)) float64, or None if the file has not all of these columns."""
        return self.numbers(names) if all(name in self.columns for name in names) else None

    def optional_one(self, name: str) -> np.ndarray | None:
        """(n,) float64, or None."""
        column = self.optional(name)
        return None if column is None else column[:, 0]

    def whole(self, *names: str) -> np.ndarray | None:
        """(n, len(names)) int64, or None; FileFormatError if these are no whole numbers."""
        numbers = self.optional(*names)
        if numbers is None:
            return None
        wrong = ~((numbers == np.rint(numbers)) & (np.abs(numbers) < WHOLE_MAX)).all(axis=1)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise FileFormatError(f"{self.path}:{self.line + row}: expected whole numbers for {' '.join(names)}, found "
                                  f"{' '.join(map(repr, numbers[row].tolist()))}")
        return numbers.astype(np.int64)

    def require_flat(self, name: str) -> None:
        """FileFormatError if the discs do not all have the same third coordinate."""
        heights = self.optional_one(name)
        if heights is not None and len(heights) and not (heights == heights[0]).all():
            row = self.line + int(np.argmax(heights != heights[0]))
            raise FileFormatError(f"{self.path}:{row}: expected discs in a plane, found z from {heights.min():g} to "
                                  f"{heights.max():g}")


def shown(text: str) -> str:
    """A piece of a file for a message: quoted, and of bearable length."""
    text = text.rstrip("\r\n")
    return repr(text if len(text) <= SHOWN else text[:SHOWN - 3] + "...")


def box_of(where: str, width: float, height: float, periodic: tuple[bool, bool]) -> Box:
    """A box that a file describes; FileFormatError if there is no such box."""
    try:
        return Box(width, height, periodic)
    except ValueError as error:
        raise FileFormatError(f"{where}: {error}") from None


def finite(text: str) -> float | None:
    """The number that a text is, blanks around it allowed; None if it is none, or infinite."""
    data, value = text.encode(), np.empty((1, 1))
    read, end = _core.parse_table(data, 0, value)
    return float(value[0, 0]) if read == 1 and end == len(data) and np.isfinite(value[0, 0]) else None


class Lines:
    """The lines of an open file, counted. None is read that is longer than LINE_MAX bytes: a file of another kind may have no
    line end at all, and be larger than the memory."""

    def __init__(self, file: IO[bytes], path: str, offset: int, line: int) -> None:
        file.seek(offset)
        if offset == 0 and file.read(len(BOM)) == BOM:
            offset = len(BOM)
        file.seek(offset)
        self.file, self.path, self.offset, self.line = file, path, offset, line

    def take(self, count: int, what: str) -> list[bytes]:
        """The next `count` whole lines; Cut if there are fewer."""
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
        """One line of text, without its end."""
        [line] = self.take(1, what)
        if b"\0" in line:
            raise FileFormatError(f"{self.path}:{self.line - 1}: expected {what}, found a NUL byte, as binary files have them")
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def at_end(self) -> bool:
        if self.file.read(1):
            self.file.seek(self.offset)
            return False
        return True

    def number(self, what: str) -> int:
        """A line that is one whole number."""
        line = self.head(what)
        if not re.fullmatch(r"[ \t]*[0-9]{1,18}[ \t]*", line):
            raise FileFormatError(f"{self.path}:{self.line - 1}: expected {what}, found {shown(line)}")
        return int(line)


class TextTrajectory(ABC):
    """A trajectory in text, as `hdsim.trajectory` returns it. Frames are read when they are asked for."""

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        self._places: list[tuple[int, int]] | None = None     # offset and line of each frame

    @abstractmethod
    def _take(self, lines: Lines) -> tuple[list[str], list[bytes]]:
        """The head and the rows of the next frame."""

    @abstractmethod
    def _frame(self, block: Block) -> Frame:
        """What they mean."""

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
        """How many frames there are: counts the lines of the file, once."""
        if self._places is None:
            self._places = [(block.offset, block.line) for block in self._blocks()]
        return len(self._places)

    def __getitem__(self, k: int) -> Frame:
        k = index_of(k, len(self), self.path)
        assert self._places is not None
        return self._frame(next(self._blocks(*self._places[k])))


def index_of(k: int, frames: int, path: str) -> int:
    """The number of a frame, which may be counted from the end; IndexError if there is none."""
    if not -frames <= k < frames:
        raise IndexError(f"{path}: expected a frame from 0 to {frames - 1}, found {k}")
    return k + frames if k < 0 else k


def warn(error: Exception, frames: int) -> None:
    """The file is damaged behind so many frames."""
    warnings.warn(f"{error}; read up to frame {frames - 1}, the last whole one", DamagedFileWarning, stacklevel=3)
