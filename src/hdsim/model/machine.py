"""Machine: what Python in a browser (Pyodide) lacks, so that what needs it says so in one line instead of failing somewhere."""
from __future__ import annotations

import sys

from .errors import PlatformError

BROWSER = "emscripten"      # sys.platform of Python in a browser


def has_threads() -> bool:
    """Whether Python can start threads."""
    return sys.platform != BROWSER


def require_threads(what: str, instead: str = "") -> None:
    """PlatformError, which says that `what` needs threads, where there are none. instead: how the same can be done there."""
    if not has_threads():
        raise PlatformError(f"{what} needs threads, and Python in a browser has none" + (f": {instead}" if instead else ""))


def require_processes(what: str) -> None:
    """PlatformError, which says that `what` starts another program, where that is impossible."""
    if sys.platform == BROWSER:
        raise PlatformError(f"{what} starts another program, and Python in a browser cannot")
