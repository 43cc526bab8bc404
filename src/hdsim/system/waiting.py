"""Progress reports of a long run, and an end by Ctrl-C that leaves the system whole."""
from __future__ import annotations

import math
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from ..language import tr

CHUNK = 0.1             # seconds between looks at the clock: how long Ctrl-C may take
PROGRESS_EVERY = 0.5    # seconds
COLUMNS = 100           # of a terminal, at most


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Inside the block Ctrl-C only makes the yielded function say True, so that a system is left at an event.

    A second Ctrl-C does what it did before. Nothing is done outside the main thread, where Ctrl-C never arrives, and where it
    belongs to a program in C that Python runs in, whose handler could not be put back."""
    requested = False
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield lambda: False
        return

    def note(number: int, frame: Any) -> None:
        nonlocal requested
        requested = True
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: requested
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C inside the block comes out at its end. For what must not be done by halves; a second one comes out at once."""
    with deferred_interrupt() as interrupted:
        yield
    if interrupted():
        raise KeyboardInterrupt


@contextmanager
def progress(start: float, until: float, text: str) -> Iterator[Callable[[float], None]]:
    """A function that shows how far a run has come: a bar where tqdm is installed, else a figure; nothing in a pipe.

    text: what is written beside it, a format of the present value and `until`."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda time: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        try:
            yield _percentage(start, until, text)
        finally:        # what is said of an error begins a line
            print("\r\033[K", end="", file=sys.stderr)
        return
    size = shutil.get_terminal_size()       # for terminals that do not know theirs, in which tqdm shows nothing
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
            print(f"\r{part:3.0f} %  {text.format(time, until)}  ", end="", file=sys.stderr, flush=True)

    return show
