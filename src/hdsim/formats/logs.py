"""Event logs: a row for each contact, as CSV or as an array (.npy).

Columns: time; i; j, -1 at a wall; wall ("left", "right", "bottom", "top", or empty); nx, ny, the unit normal from i towards j
or the wall; impulse; event, the number of the event since the beginning of the system, counted from 1. Contacts at one instant
that share a disc have the same event number.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .growing import GrowingFile

ROW = np.dtype([("time", "<f8"), ("i", "<i4"), ("j", "<i4"), ("wall", "<U6"), ("nx", "<f8"), ("ny", "<f8"), ("impulse", "<f8"),
                ("event", "<i8")])
HEAD_BYTES = 512        # length of the header of an array file: constant, so that it can be rewritten with another number of rows
Row = tuple[float, int, int, str, float, float, float, int]


class CsvLog:
    """An event log as CSV, with a line of column names. Numbers have the fewest digits that give the same double."""

    def __init__(self, path: Any) -> None:
        self._file = GrowingFile(path, (",".join(ROW.names or ()) + "\n").encode())

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows. If an error is raised, none of them is in the file, and the call may be repeated."""
        with self._file.piece() as file:
            file.write("".join(["%r,%d,%d,%s,%r,%r,%r,%d\n" % row for row in rows]).encode())

    def close(self) -> None:
        self._file.close()


class NpyLog:
    """An event log as an array file. The header, which has the number of rows, is rewritten after each block of rows, so that
    `numpy.load` can read the file at any time."""

    def __init__(self, path: Any) -> None:
        self._file = GrowingFile(path, _head(0))
        self._count = 0

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows, and then increase the number of rows in the header. If an error is raised, the call may be repeated."""
        with self._file.piece(HEAD_BYTES + self._count * ROW.itemsize) as file:
            file.write(np.array(rows, dtype=ROW).tobytes())
        self._file.write_head(_head(self._count + len(rows)))
        self._count += len(rows)

    def close(self) -> None:
        self._file.close()


def _head(count: int) -> bytes:
    """The header of an array file with this number of rows, HEAD_BYTES long."""
    text = repr({"descr": np.lib.format.dtype_to_descr(ROW), "fortran_order": False, "shape": (count,)}).encode()
    start = np.lib.format.magic(1, 0) + (HEAD_BYTES - 10).to_bytes(2, "little")
    return (start + text).ljust(HEAD_BYTES - 1) + b"\n"
