"""Ctrl-C while `python -m hdsim` starts and ends: one line and status 130, without a traceback.

It is imported before everything else and imports little itself, because until then Ctrl-C would show a traceback."""
from __future__ import annotations

import os
import signal
import sys

STATUS = 130        # a shell's status for SIGINT


def leave(*_: object) -> None:
    """End the process at once with a line on standard error and the status 130. It is also a signal handler."""
    try:
        os.write(2, b"hdsim: interrupted\n")
    finally:
        os._exit(STATUS)


def is_program() -> bool:
    """Whether this process is `python -m hdsim`, asked while the package is imported: sys.argv[0] is "-m" only until then."""
    words = sys.orig_argv[:1 - len(sys.argv)] if len(sys.argv) > 1 else sys.orig_argv
    return sys.argv[:1] == ["-m"] and words[-1] in ("hdsim", "-mhdsim")


def leave_on_interrupt() -> None:
    """Let Ctrl-C call `leave`, for a time in which nothing can be lost: during imports, and when all output is written.

    Nothing changes unless the handler is Python's own: a process in the background may ignore the signal.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


def raise_on_interrupt() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if `leave_on_interrupt` has changed it."""
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if is_program():
    leave_on_interrupt()
