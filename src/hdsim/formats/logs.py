"""Event logs: a row for each contact, as CSV or as an array (.npy).

Columns: time; i; j, -1 at a wall; wall ("left", "right", "bottom", "top", or empty); nx, ny, the unit normal from i towards j
or the wall; impulse; event, the number of the event since the beginning of the system, counted from 1, which contacts of
one instant that share a disc have in common.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

ROW = np.dtype([("time", "<f8"), ("i", "<i4"), ("j", "<i4"), ("wall", "<U6"), ("nx", "<f8"), ("ny", "<f8"), ("impulse", "<f8"),
                ("event", "<i8")])
HEAD_BYTES = 512        # of an array file, so that its length can grow in place
Row = tuple[float, int, int, str, float, float, float, int]


class CsvLog:
    """Numbers are the shortest that read back bit for bit."""

    def __init__(self, path: Any) -> None:
        self._file = open(os.fspath(path), "wb")
        self._file.write((",".join(ROW.names or ()) + "\n").encode())
        self._file.flush()

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows, in one piece: a crash leaves whole ones."""
        self._file.write("".join(["%r,%d,%d,%s,%r,%r,%r,%d\n" % row for row in rows]).encode())
        self._file.flush()

    def close(self) -> None:
        self._file.close()


class NpyLog:
    """The number of rows stands in the head of the file, which is written again after each block: `numpy.load` always finds
    as many as it says."""

    def __init__(self, path: Any) -> None:
        self._file = open(os.fspath(path), "wb")
        self._count = 0
        self._write_head()

    def _write_head(self) -> None:
        text = repr({"descr": np.lib.format.dtype_to_descr(ROW), "fortran_order": False, "shape": (self._count,)}).encode()
        start = np.lib.format.magic(1, 0) + (HEAD_BYTES - 10).to_bytes(2, "little")
        self._file.seek(0)
        self._file.write((start + text).ljust(HEAD_BYTES - 1) + b"\n")
        self._file.flush()
        self._file.seek(0, os.SEEK_END)

    def write(self, rows: Sequence[Row]) -> None:
        """Append rows; they count once they are all there."""
        self._file.write(np.array(rows, dtype=ROW).tobytes())
        self._file.flush()
        self._count += len(rows)
        self._write_head()

    def close(self) -> None:
        self._file.close()
