"""A new file that grows by whole pieces: a frame, some rows. What fails in the middle of one is taken back."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class GrowingFile:
    """Each piece is with the operating system when its block ends: nothing is held back that a full disk could refuse later."""

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
        """A block that writes all of something, or nothing: if it fails, it may be tried again.

        start: the byte at which it begins; behind the last one by default."""
        end = self._end if start is None else start
        if end != self._end:
            self._file.seek(end)
            self._end = end
        try:
            yield self
        except BaseException:       # Ctrl-C too, which may come between two writes
            self._end = end
            with suppress(OSError):     # of a pipe, from which nothing can be taken back
                self._file.truncate(end)
                self._file.seek(end)
            raise

    def write(self, data: bytes) -> None:
        """Append, in a block of `piece`."""
        self._write(data)
        self._end += len(data)

    def write_head(self, data: bytes) -> None:
        """Write over the first bytes."""
        self._file.seek(0)
        self._write(data)
        self._file.seek(self._end)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:             # a full disk takes a part
            rest = rest[self._file.write(rest):]

    def close(self) -> None:
        self._file.close()
