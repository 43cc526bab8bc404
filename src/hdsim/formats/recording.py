"""Recordings: a file that grows while a system runs, frame by frame or contact by contact.

They are timers and callbacks of the system, and look only: a run is the same with them and without. Knows the formats, and of
a system its verbs.
"""
from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from ..language import tr
from ..model.events import Event
from . import check_record
from .files import event_log, writer
from .io import os_errors_named
from .logs import Row

ROWS_AT_ONCE = 4096     # contacts that are written together ...
SECONDS = 1.0           # ... or sooner, once so much time has passed since the last were


class Recording:
    """What `CollisionSystem.record` returns: a file that is being written. `close()`, or the end of a `with` block, ends it;
    `path` is the file, `closed` says whether it has ended."""

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        self.closed = False
        self._handles: list[Any] = []       # of the system: timers, subscriptions
        self._file: Any = None              # that is being written, once there is one

    @contextmanager
    def _unless_it_fails(self) -> Iterator[None]:
        """If the beginning fails, callbacks are removed and the file is closed."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _finish(self) -> None:
        """Write what is not in the file yet."""

    def close(self) -> None:
        """Record no more, and close the file. Calling it twice does no harm."""
        if not self.closed:
            self.closed = True
            for handle in self._handles:
                handle.cancel()
            if self._file is not None:
                try:
                    self._finish()
                finally:
                    self._file.close()

    cancel = close

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()


class FrameRecording(Recording):
    """Frames at every multiple of `every`, the present instant included if it is one. `frames`: how many are written."""

    def __init__(self, system: Any, path: Any, every: float) -> None:
        super().__init__(path)
        self.frames = 0
        self._system, self._every = system, every
        self._handles.append(system.on_timer(self._take, every=every))      # refuses what is no period
        with self._unless_it_fails():
            self._file = writer(path)
            if round(system.time / every) * every == system.time:
                self._take()

    def _take(self, event: Event | None = None) -> None:
        frame = self._system.frame()
        with os_errors_named(self.path):
            self._file.write(frame, max(round(frame.time / self._every), 0))
        self.frames += 1

    def __str__(self) -> str:
        return tr("{n:,} frames", n=self.frames)


class EventRecording(Recording):
    """A row for each contact. What is not in the file yet is written by `flush`, every second at the latest if there are
    contacts, with `every` also at all its multiples of simulated time, at the end of the recording and of Python.
    `contacts`: how many there have been."""

    def __init__(self, system: Any, path: Any, every: float | None, events_so_far: Callable[[], int]) -> None:
        super().__init__(path)
        self.contacts = 0
        self._events_so_far = events_so_far
        self._rows: list[Row] = []
        self._written = monotonic()
        if every is not None:
            self._handles.append(system.on_timer(self._flush_in_time, every=every))
        self._handles.append(system.on_collision(self._take))
        with self._unless_it_fails():
            self._file = event_log(path)
            self._end = weakref.finalize(self, _flush, self._file, self._rows)  # at the end of Python, if it is still open

    def _take(self, event: Event) -> None:
        number = self._events_so_far()
        for i, j, wall, (nx, ny), impulse in event.contacts:
            self._rows.append((event.time, i, -1 if j is None else j, wall or "", nx, ny, impulse, number))
        self.contacts += len(event.contacts)
        if len(self._rows) >= ROWS_AT_ONCE or monotonic() > self._written + SECONDS:
            self.flush()

    def __str__(self) -> str:
        return tr("{n:,} contacts", n=self.contacts)

    def _flush_in_time(self, event: Event) -> None:
        self.flush()

    def flush(self) -> None:
        """Write all rows that are not in the file yet."""
        with os_errors_named(self.path):
            _flush(self._file, self._rows)
        self._written = monotonic()

    def _finish(self) -> None:
        self._end.detach()
        self.flush()


def _flush(log: Any, rows: list[Row]) -> None:
    if rows:
        log.write(rows)
        rows.clear()


def record(system: Any, path: Any, every: float | None, events_so_far: Callable[[], int]) -> Recording:
    """See `CollisionSystem.record`. events_so_far: how many events the system has had."""
    if not check_record(path, every):
        return EventRecording(system, path, every, events_so_far)
    assert every is not None
    return FrameRecording(system, path, every)
