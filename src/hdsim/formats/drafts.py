"""Drafts: a file is written beside its target, and takes its place as a whole. Knows no format.

A process that is killed while it writes leaves its draft; the next draft for the same target removes it. A draft is abandoned if
nothing holds its lock: the operating system takes a lock from a process that ends, however it ends. Process numbers would not do:
they are used again, and containers that share a folder count their own. Machines that share a folder may not see each other's
locks, and some systems have no locks, so that a draft of another machine, or without locks, is abandoned only when nothing was
written to it for a day.
"""
from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

try:
    import fcntl
except ImportError:     # of POSIX only
    fcntl = None        # type: ignore[assignment]

ABANDONED_SECONDS = 86_400.0    # since the last write
SUFFIX = ".tmp"


@contextmanager
def replacing(target: str) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of `target`, a path without links, when the block ends well, and leaves nothing behind
    when it does not. OSError where the folder cannot be written."""
    _remove_abandoned(target)
    file = _new_draft(target)
    try:
        with file:
            yield file
            file.flush()
            if fcntl is not None:   # while the lock is held: without it the draft would look abandoned
                _put_in_place(file.name, target)
        if fcntl is None:           # an open file cannot be renamed there
            _put_in_place(file.name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(file.name)
        raise


def _put_in_place(draft: str, target: str) -> None:
    if os.path.exists(target):
        import shutil

        shutil.copymode(target, draft)
    os.replace(draft, target)


def _starts(target: str) -> tuple[str, str]:
    """The beginnings of the names of drafts for this target: for drafts of any machine, and for those of this one."""
    import hashlib
    import platform

    name, machine = (hashlib.sha256(os.fsencode(text)).hexdigest()[:16] for text in (os.path.basename(target), platform.node()))
    return f".hdsim-{name}-", f".hdsim-{name}-{machine}-"


def _new_draft(target: str) -> IO[bytes]:
    """A new file beside the target, locked where there are locks, under a name that no other file has."""
    start = os.path.join(os.path.dirname(target), _starts(target)[1])
    while True:
        file = open(f"{start}{os.urandom(8).hex()}{SUFFIX}", "xb")
        if fcntl is not None:
            with suppress(OSError):     # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if os.path.exists(file.name):
            return file
        file.close()        # another process took it for abandoned before it was locked


def _remove_abandoned(target: str) -> None:
    """Remove the drafts for this target that killed processes have left. One that cannot be removed does no harm."""
    folder = os.path.dirname(target)
    any_machine, this_machine = _starts(target)
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(any_machine) and name.endswith(SUFFIX):
                with suppress(OSError):     # in use, locked, or removed by another process at the same time
                    _remove_if_abandoned(os.path.join(folder, name), name.startswith(this_machine))


def _remove_if_abandoned(draft: str, of_this_machine: bool) -> None:
    old = time.time() - os.stat(draft).st_mtime > ABANDONED_SECONDS
    if fcntl is None:
        if old:
            os.unlink(draft)
        return
    with open(draft, "r+b") as file:        # to write: some network file systems lock no other files
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if old or of_this_machine:
            os.unlink(draft)
