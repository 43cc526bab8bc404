"""The figure of an experiment in a window, where there is a desktop."""
from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..lab import Result


def on_desktop() -> bool:
    """Whether a person can be expected to see a window and close it: a display, input and output on a terminal, no CI run."""
    display = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(display) and not os.environ.get("CI") and all(
        stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def show(result: Result) -> bool:
    """Show the figure in a window until it is closed; False, and nothing is shown, without a desktop or a window system that
    matplotlib can use."""
    if not on_desktop():
        return False
    try:
        from matplotlib import pyplot

        probe = pyplot.figure()
    except Exception:       # matplotlib is missing, or its backend fails in an error class of the window system
        return False
    interactive = getattr(type(probe.canvas), "required_interactive_framework", None)
    pyplot.close(probe)
    if interactive is None:         # a backend that only writes files
        return False
    result.plot()
    pyplot.show(block=True)
    return True
