"""`GrowingFile`: a new file that grows by complete pieces, such as a frame. A piece that fails is removed from the file."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class GrowingFile:
    """A new binary file, without a buffer: when the block of a piece ends, the operating system has all its bytes, so an error
    such as a full disk is raised in that block and not later. head: the first bytes."""

    def __init__(self, path: Any, head: bytes = b"") -> None:
        self._file = open(os.fspath(path), "wb", buffering=0)
        self._end = 0       # bytes of whole pieces
        try:
            with self.piece():
                self.write(head)
        except BaseException:
            self._file.close()
            raise

    @contextmanager
    def piece(self, start: int | None = None) -> Iterator[GrowingFile]:
        """A context manager for a block that appends a piece. If the block raises, the file is truncated to its former end, so
        that the piece may be written again.

        start: the byte at which the piece begins; by default the end of the last one."""
        end = self._end if start is None else start
        if end != self._end:
            self._file.seek(end)
            self._end = end
        try:
            yield self
        except BaseException:       # Ctrl-C too, which may come between two writes
            self._end = end
            with suppress(OSError):     # a pipe cannot be truncated
                self._file.truncate(end)
                self._file.seek(end)
            raise

    def write(self, data: bytes) -> None:
        """Append, in a block of `piece`."""
        self._write(data)
        self._end += len(data)

    def write_head(self, data: bytes) -> None:
        """Overwrite the first bytes of the file."""
        self._file.seek(0)
        self._write(data)
        self._file.seek(self._end)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:             # an unbuffered write may write only a part
            rest = rest[self._file.write(rest):]

    def close(self) -> None:
        self._file.close()
