"""Event logs: a row for each contact, as CSV or as an array (.npy).

Columns: time; i; j, -1 at a wall or obstacle; wall ("left", "right", "bottom", "top", "back", "front", or empty); nx, ny, in
three dimensions nz, the unit normal from i towards j, the wall or the obstacle; impulse; event, the number of the event since the
beginning of the system, counted from 1.
Contacts at one instant that share a disc have the same event number. Logs of systems with obstacles have two more columns:
obstacle, the index of the obstacle or -1; feature, which part of it was touched, or empty. A disc that a gate lets in has a row
too, which is no contact: with the feature "pass" and the impulse 0.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import require_suffix
from .growing import GrowingFile

ROW = np.dtype([("time", "<f8"), ("i", "<i4"), ("j", "<i4"), ("wall", "<U6"), ("nx", "<f8"), ("ny", "<f8"), ("impulse", "<f8"),
                ("event", "<i8")])
ROW_AMONG_OBSTACLES = np.dtype([*ROW.descr, ("obstacle", "<i4"), ("feature", "<U16")])
ROW_IN_SPACE = np.dtype([*ROW.descr[:6], ("nz", "<f8"), *ROW.descr[6:]])
_FORMS = {ROW: "%r,%d,%d,%s,%r,%r,%r,%d\n", ROW_IN_SPACE: "%r,%d,%d,%s,%r,%r,%r,%r,%d\n",
          ROW_AMONG_OBSTACLES: "%r,%d,%d,%s,%r,%r,%r,%d,%d,%s\n"}
PASS = "pass"           # the feature in a row of a disc that a gate lets in: an impulse of 0 may also be that of an infinite mass
HEAD_BYTES = 512        # length of the header of an array file: constant, so that it can be rewritten with another number of rows
Row = tuple[Any, ...]       # the values of a row, in the order of the columns


class CsvLog:
    """An event log as CSV, with a line of column names. Numbers have the fewest digits that give the same double. kind: ROW,
    ROW_AMONG_OBSTACLES or ROW_IN_SPACE. ValueError for a path that does not end in .csv."""

    def __init__(self, path: Any, kind: np.dtype[Any] = ROW) -> None:
        require_suffix(path, ".csv")
        self._form = _FORMS[kind]
        self._file = GrowingFile(path, (",".join(kind.names or ()) + "\n").encode())

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows. If an error is raised, none of them is in the file, and the call may be repeated."""
        with self._file.piece() as file:
            file.write("".join([self._form % row for row in rows]).encode())

    def close(self) -> None:
        self._file.close()


class NpyLog:
    """An event log as an array file. The header, which has the number of rows, is rewritten after each block of rows, so that
    `numpy.load` can read the file at any time. kind: as for `CsvLog`. ValueError for a path that does not end in .npy."""

    def __init__(self, path: Any, kind: np.dtype[Any] = ROW) -> None:
        require_suffix(path, ".npy")
        self._kind = kind
        self._file = GrowingFile(path, _head(0, kind))
        self._count = 0

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows, and then increase the number of rows in the header. If an error is raised, the call may be repeated."""
        with self._file.piece(HEAD_BYTES + self._count * self._kind.itemsize) as file:
            file.write(np.array(rows, dtype=self._kind).tobytes())
        self._file.write_head(_head(self._count + len(rows), self._kind))
        self._count += len(rows)

    def close(self) -> None:
        self._file.close()


def _head(count: int, kind: np.dtype[Any]) -> bytes:
    """The header of an array file with this number of rows of this kind, HEAD_BYTES long."""
    text = repr({"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": (count,)}).encode()
    start = np.lib.format.magic(1, 0) + (HEAD_BYTES - 10).to_bytes(2, "little")
    return (start + text).ljust(HEAD_BYTES - 1) + b"\n"
