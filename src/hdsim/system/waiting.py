"""Progress reports of a long run, and Ctrl-C deferred to the end of a chunk of work so that the state stays consistent."""
from __future__ import annotations

import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

from ..language import tr
from ..language.columns import folded
from ..model.machine import has_threads

Result = TypeVar("Result")

CHUNK = 0.1             # seconds of a chunk of a run: the longest delay of Ctrl-C
PROGRESS_EVERY = 0.5    # seconds between two reports
ELAPSED_EVERY = 1.0     # seconds of work before `elapsed` shows its line, and between two of its updates
COLUMNS = 100           # largest width of a report, in characters

_line_shown = False     # whether the cursor may stand at the end of a line of `elapsed` or `progress` on standard error


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """A context manager in whose block Ctrl-C raises nothing; instead, the function that it yields returns True from then on. The
    caller ends its run at the next event.

    A second Ctrl-C has the effect that it had before the block. The handler is not changed outside the main thread, where Ctrl-C
    never arrives, and if it was installed by a C program that embeds Python, because it could not be restored."""
    requested, previous = False, signal.getsignal(signal.SIGINT)       # asked before: `note` may be called while it is installed
    if threading.current_thread() is not threading.main_thread() or previous is None:
        yield lambda: False
        return

    def note(number: int, frame: Any) -> None:
        nonlocal requested
        requested = True
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: requested
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """A context manager that defers the KeyboardInterrupt of Ctrl-C to the end of its block, for work that must be finished. A
    second Ctrl-C interrupts the block immediately."""
    with deferred_interrupt() as interrupted:
        yield
    if interrupted():
        raise KeyboardInterrupt


@contextmanager
def progress(start: float, until: float, text: str) -> Iterator[Callable[[float], None]]:
    """A context manager that yields a function `show(time)`, which reports the progress of a run on stderr: a bar if tqdm is
    installed, else a percentage; nothing if stderr is not a terminal.

    start, until: times of the beginning and the end. text: a format string for the text beside it, with the arguments `time` and
    `until`."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda time: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        try:
            yield _percentage(start, until, text)
        finally:
            erase_line()
        return
    size = _terminal()      # tqdm shows nothing in a terminal that reports no size
    with tqdm(total=until - start, leave=False, mininterval=CHUNK, file=sys.stderr, ncols=min(size.columns, COLUMNS) - 1,
              nrows=size.lines, bar_format="{percentage:3.0f} % |{bar:30}| {desc}, " + tr("{remaining} left")) as bar:
        def show(time: float) -> None:
            bar.set_description_str(text.format(time, until), refresh=False)
            bar.update(time - start - bar.n)

        yield show


def _percentage(start: float, until: float, text: str) -> Callable[[float], None]:
    due = -math.inf

    def show(time: float) -> None:
        nonlocal due
        if perf_counter() >= due:
            due = perf_counter() + PROGRESS_EVERY
            part = 100 * (time - start) / (until - start)
            _show_line(f"{part:3.0f} %  {text.format(time, until)}")

    return show


@contextmanager
def elapsed(text: str) -> Iterator[None]:
    """A context manager for work of unknown length. After ELAPSED_EVERY seconds in its block, a line on stderr shows `text` and
    the seconds so far, until the block ends; there is none if stderr is not a terminal."""
    if not (sys.stderr and sys.stderr.isatty() and has_threads()):
        yield
        return
    began, ended = perf_counter(), threading.Event()

    def show() -> None:
        while not ended.wait(ELAPSED_EVERY):
            _show_line(tr("{text}: {seconds:.0f} s", text=text, seconds=perf_counter() - began))

    shower = threading.Thread(target=show, daemon=True)
    shower.start()
    try:
        yield
    finally:
        ended.set()
        shower.join()
        erase_line()


def in_background(work: Callable[[], Result]) -> Result:
    """Call `work` in another thread and return its result, or raise its exception.

    Ctrl-C raises KeyboardInterrupt here at once, even while `work` is in compiled code. `work` then continues until it or the
    process ends, and its result is discarded; it must therefore write no file. Where there are no threads, it is just called."""
    if not has_threads():
        return work()
    results: list[Result] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=call, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(CHUNK)      # with a time limit: without one, Ctrl-C would have to wait on Windows
    for error in errors:
        raise error
    return results[0]


def erase_line() -> None:
    """Erase the line that `elapsed` or `progress` shows, if there is one. Other text on stderr must begin at the start of a
    line."""
    global _line_shown
    if _line_shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        _line_shown = False


def _terminal() -> os.terminal_size:
    """Columns and lines of the terminal, or what they usually are."""
    import shutil       # imported late: it loads all that compresses

    return shutil.get_terminal_size()


def _show_line(text: str) -> None:
    """Write the line of `text` over the one before, cut to the width of the terminal."""
    global _line_shown
    _line_shown = True
    width = max(min(_terminal().columns, COLUMNS) - 1, COLUMNS // 4)
    print(f"\r{folded(text, width)[0]}\033[K", end="", file=sys.stderr, flush=True)
