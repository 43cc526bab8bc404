"""Recordings: files that grow while a system runs, frame by frame or contact by contact.

A recording is a timer and callbacks that only read the system, so a run is the same with and without it. Uses the formats, and
the public methods of a system.
"""
from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from ..language import tr
from ..model.events import Event
from . import check_record
from .files import event_log, writer
from .drafts import os_errors_named
from .logs import PASS, Row

ROWS_AT_ONCE = 4096     # contacts that are written together, at most ...
SECONDS = 1.0           # ... or fewer, if this wall-clock time has passed since the last write


class Recording:
    """A file that is being written, as `CollisionSystem.record` returns it. `close()`, or the end of a `with` block, ends the
    recording. path: of the file. closed: whether the recording has ended."""

    def __init__(self, path: Any) -> None:
        self.path = os.fspath(path)
        self.closed = False
        self._handles: list[Any] = []       # timers and subscriptions of the system
        self._file: Any = None              # the writer, once the file is open
        self._turn = threading.RLock()      # held while the file is opened, written or closed, in any thread

    @contextmanager
    def _unless_it_fails(self) -> Iterator[None]:
        """A context manager for what registers callbacks and opens the file: a callback waits for its end, and on an exception
        the callbacks are removed and the file is closed."""
        with self._turn:
            try:
                yield
            except BaseException:
                self.close()
                raise

    def _finish(self) -> None:
        """Write all data that are not in the file yet."""

    def close(self) -> None:
        """End the recording and close the file. Calling `close` again has no effect."""
        with self._turn:
            if self.closed:
                return
            self.closed = True
            try:
                for handle in self._handles:
                    handle.cancel()
            finally:
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
    """A recording of a frame at every time k * every, k an integer, the present time included if it is such a time. frames: the
    number of frames written."""

    def __init__(self, system: Any, path: Any, every: float) -> None:
        super().__init__(path)
        self.frames = 0
        self._system, self._every = system, every
        with self._unless_it_fails():
            self._handles.append(system.on_timer(self._take, every=every))      # before the file is made: raises for a bad period
            self._file = writer(path)
            if round(system.time / every) * every == system.time:
                self._take()

    def _take(self, event: Event | None = None) -> None:
        with self._turn, os_errors_named(self.path):
            if self.closed:
                return
            frame = self._system.frame()
            self._file.write(frame, max(round(frame.time / self._every), 0))
            self.frames += 1

    def __str__(self) -> str:
        return tr("{n:,} frame(s)", n=self.frames)


class EventRecording(Recording):
    """A recording of a row for each contact, and for each disc that a gate lets in. Rows are collected
    and written by `flush`: after one second of wall-clock time at the latest if contacts go on, with `every` also at each
    multiple of it in simulated time, at the end of the recording, and when Python exits. contacts: the number of contacts so far,
    without discs that gates let in."""

    def __init__(self, system: Any, path: Any, every: float | None, events_so_far: Callable[[], int]) -> None:
        super().__init__(path)
        self.contacts = 0
        self._events_so_far = events_so_far
        self._obstacles = bool(system.obstacles)        # whether the file has columns for them
        self._rows: list[Row] = []
        self._end: Any = None       # writes the rest when Python exits
        self._written = monotonic()
        with self._unless_it_fails():
            if every is not None:
                self._handles.append(system.on_timer(self._flush_in_time, every=every))
            self._handles.append(system.on_collision(self._take))
            self._handles.append(system.on_collision(self._take, kind="pass"))
            self._file = event_log(path, self._obstacles, system.box.depth is not None)
            self._end = weakref.finalize(self, _flush, self._file, self._rows)  # when Python exits, if it is still open

    def _take(self, event: Event) -> None:
        with self._turn:
            if not self.closed:
                self._write(event)

    def _write(self, event: Event) -> None:
        number = self._events_so_far()
        for i, j, wall, normal, impulse, obstacle, feature in event.contacts:
            row: Row = (event.time, i, -1 if j is None else j, wall or "", *normal, impulse, number)
            if self._obstacles:
                row = (*row, -1 if obstacle is None else obstacle, PASS if event.kind == "pass" else feature or "")
            elif obstacle is not None:
                raise ValueError(f"{self.path}: this log was begun without obstacles, so it has no column for obstacle "
                                 f"{obstacle}; begin another recording after the obstacles have been added")
            self._rows.append(row)
        self.contacts += 0 if event.kind == "pass" else len(event.contacts)
        if len(self._rows) >= ROWS_AT_ONCE or monotonic() > self._written + SECONDS:
            self.flush()

    def __str__(self) -> str:
        return tr("{n:,} contact(s)", n=self.contacts)

    def _flush_in_time(self, event: Event) -> None:
        with self._turn:
            if not self.closed:
                self.flush()

    def flush(self) -> None:
        """Write all rows that are not in the file yet. OSError, naming the file, if that fails."""
        with self._turn, os_errors_named(self.path):
            _flush(self._file, self._rows)
            self._written = monotonic()

    def _finish(self) -> None:
        if self._end is not None:
            self._end.detach()
            self.flush()


def _flush(log: Any, rows: list[Row]) -> None:
    if rows:
        log.write(rows)
        rows.clear()


def record(system: Any, path: Any, every: float | None, events_so_far: Callable[[], int]) -> Recording:
    """Start the recording that `CollisionSystem.record` documents. events_so_far: gives the number of events of the system."""
    if not check_record(path, every):
        return EventRecording(system, path, every, events_so_far)
    assert every is not None
    return FrameRecording(system, path, every)
