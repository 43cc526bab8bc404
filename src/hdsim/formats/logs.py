"""Event logs: a row for each contact, as CSV or as an array (.npy).

Columns: time; i; j, -1 at a wall; wall ("left", "right", "bottom", "top", or empty); nx, ny, the unit normal from i towards j
or the wall; impulse; event, the number of the event since the beginning of the system, counted from 1, which contacts of
one instant that share a disc have in common.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .growing import GrowingFile

ROW = np.dtype([("time", "<f8"), ("i", "<i4"), ("j", "<i4"), ("wall", "<U6"), ("nx", "<f8"), ("ny", "<f8"), ("impulse", "<f8"),
                ("event", "<i8")])
HEAD_BYTES = 512        # of an array file, so that its length can grow in place
Row = tuple[float, int, int, str, float, float, float, int]


class CsvLog:
    """Numbers are the shortest that read back bit for bit."""

    def __init__(self, path: Any) -> None:
        self._file = GrowingFile(path, (",".join(ROW.names or ()) + "\n").encode())

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows, in one piece: a crash leaves whole ones. If it fails, it may be tried again."""
        with self._file.piece() as file:
            file.write("".join(["%r,%d,%d,%s,%r,%r,%r,%d\n" % row for row in rows]).encode())

    def close(self) -> None:
        self._file.close()


class NpyLog:
    """The number of rows stands in the head of the file, which is written again after each block: `numpy.load` always finds
    as many as it says."""

    def __init__(self, path: Any) -> None:
        self._file = GrowingFile(path, _head(0))
        self._count = 0

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows; they count once they are all there. If it fails, it may be tried again."""
        with self._file.piece(HEAD_BYTES + self._count * ROW.itemsize) as file:
            file.write(np.array(rows, dtype=ROW).tobytes())
        self._file.write_head(_head(self._count + len(rows)))
        self._count += len(rows)

    def close(self) -> None:
        self._file.close()


def _head(count: int) -> bytes:
    """The first bytes of an array file."""
    text = repr({"descr": np.lib.format.dtype_to_descr(ROW), "fortran_order": False, "shape": (count,)}).encode()
    start = np.lib.format.magic(1, 0) + (HEAD_BYTES - 10).to_bytes(2, "little")
    return (start + text).ljust(HEAD_BYTES - 1) + b"\n"
