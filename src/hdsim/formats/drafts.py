"""Drafts: a file is written completely beside its target and then renamed, so that the target is never incomplete. Knows no
format.

A process that is killed while it writes leaves its draft; the next draft for the same target removes it. A draft counts as
abandoned if no process holds its lock, because the operating system releases the locks of a process that ends in any way. Process
numbers would not do: they are reused, and containers that share a folder have their own. Machines that share a folder may not see
each other's locks, and some systems have no locks, so a draft of another machine, or one without locks, counts as abandoned only
after a day without a write.
"""
from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

try:
    import fcntl
except ImportError:     # exists on POSIX systems only
    fcntl = None        # type: ignore[assignment]

ABANDONED_SECONDS = 86_400.0    # since the last write
SUFFIX = ".tmp"


@contextmanager
def complete_file(path: Any) -> Iterator[IO[bytes]]:
    """A context manager that yields a binary file, which replaces `path` if the block ends without an exception and is removed
    otherwise; a device or a pipe is written to directly. OSError with the path if it cannot be written."""
    target, name = os.path.realpath(path), os.fspath(path)
    with os_errors_named(name if name.isprintable() else ascii(name)):
        if is_device(target):
            with open(target, "wb") as file:     # a device or a pipe cannot be replaced
                yield file
        else:
            with replacing(target) as file:
                yield file


def is_device(path: Any) -> bool:
    """Whether a path is that of a device or a pipe, which has no format of its own."""
    return os.path.exists(path) and not os.path.isfile(path)


@contextmanager
def os_errors_named(name: str) -> Iterator[None]:
    """A context manager that replaces an OSError by one of the same type and number whose message begins with `name`."""
    try:
        yield
    except OSError as error:
        named = type(error)(f"{name}: {error.strerror or error}")
        named.errno = error.errno
        raise named from error


@contextmanager
def replacing(target: str) -> Iterator[IO[bytes]]:
    """A context manager that yields a binary file. It replaces `target` if the block ends without an exception, and is removed
    otherwise. target: a path without symbolic links. OSError if the folder cannot be written."""
    _remove_abandoned(target)
    file = _new_draft(target)
    try:
        with file:
            yield file
            file.flush()
            if fcntl is not None:   # while the lock is held: without it another process could remove the draft as abandoned
                _put_in_place(file.name, target)
        if fcntl is None:           # systems without fcntl cannot rename an open file
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
    """The prefixes of the names of drafts for this target: of drafts of all machines, and of drafts of this machine."""
    import hashlib
    import platform

    name, machine = (hashlib.sha256(os.fsencode(text)).hexdigest()[:16] for text in (os.path.basename(target), platform.node()))
    return f".hdsim-{name}-", f".hdsim-{name}-{machine}-"


def _new_draft(target: str) -> IO[bytes]:
    """A new file with a unique name beside the target, locked if the system has locks."""
    start = os.path.join(os.path.dirname(target), _starts(target)[1])
    while True:
        file = open(f"{start}{os.urandom(8).hex()}{SUFFIX}", "xb")
        if fcntl is not None:
            with suppress(OSError):     # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if os.path.exists(file.name):
            return file
        file.close()        # another process has removed it as abandoned before it was locked


def _remove_abandoned(target: str) -> None:
    """Remove the drafts for this target that killed processes have left. Errors are ignored, because such a draft is harmless."""
    folder = os.path.dirname(target)
    any_machine, this_machine = _starts(target)
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(any_machine) and name.endswith(SUFFIX):
                with suppress(OSError):     # locked, or removed by another process at the same time
                    _remove_if_abandoned(os.path.join(folder, name), name.startswith(this_machine))


def _remove_if_abandoned(draft: str, of_this_machine: bool) -> None:
    old = time.time() - os.stat(draft).st_mtime > ABANDONED_SECONDS
    if fcntl is None:
        if old:
            os.unlink(draft)
        return
    with open(draft, "r+b") as file:        # opened for writing: some network file systems lock only such files
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if old or of_this_machine:
            os.unlink(draft)
