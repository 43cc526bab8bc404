"""Chooses the OpenGL of this process: that of a display, or one without a display (EGL). pyglet decides it once for each process,
when its module of OpenGL is first imported, so all code that draws must call this module first."""
from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import Any

from ...model.errors import HdsimError
from ...model.machine import BROWSER

PACKAGES = "libgl1 libegl1 libfontconfig1"

_offscreen = None     # the 1 x 1 window whose context draws pictures; made once, kept for the life of the process


WAYS = ("hdsim.live(system) shows it in a notebook, `python -m hdsim --browser` on a page, and hdsim.record(system, 'film.gif') "
        "writes a film")        # without a window


class NoDisplayError(HdsimError, RuntimeError):
    """Raised when OpenGL cannot draw on this machine. The message gives the reason in one line, and other ways to see a system
    where there are some; `reason` is the reason alone."""

    def __init__(self, reason: str = "", ways: str = "") -> None:
        super().__init__(f"{reason}; {ways}" if ways else reason)
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.reason, str(self))


def _again(kind: type[NoDisplayError], reason: str, message: str) -> NoDisplayError:
    """A NoDisplayError from its pickled fields."""
    return kind(reason, message[len(reason) + 2:])


def available() -> str | None:
    """None if a window can be opened, otherwise the reason why not, in one line."""
    try:
        require_display()
    except NoDisplayError as error:
        return error.reason
    return None


def require_display() -> None:
    """Import pyglet for windows. NoDisplayError if no window can be opened."""
    pyglet = _pyglet()
    reason = "pyglet is set to draw without a display in this process" if pyglet.options.headless else _display_problem()
    if reason is not None:
        raise NoDisplayError(reason, WAYS)
    _load()


@contextmanager
def offscreen():
    """Within the block, an OpenGL context for pictures is current: that of the display if there is one, otherwise from EGL.

    NoDisplayError if there is neither."""
    global _offscreen
    pyglet = _pyglet()
    if not {"pyglet.gl", "pyglet.graphics.api"} & set(sys.modules) and _display_problem() is not None:
        pyglet.options.headless = True
    _load()
    from .opengl import current_context

    previous = current_context()
    if _offscreen is None:
        _offscreen = _open(pyglet.window.Window, width=1, height=1, visible=False)
        pyglet.app.windows.discard(_offscreen)      # otherwise pyglet would redraw it, and wait until it is closed
    _offscreen.switch_to()
    try:
        yield
    finally:
        if previous is not None:
            previous.set_current()


def open_window(kind: type, **options):
    """A new pyglet window of class `kind` with 8 bits per colour and OpenGL 3.3. NoDisplayError if there is none."""
    require_display()
    return _open(kind, **options)


def _open(kind: type, **options):
    from pyglet import window

    from .opengl import ContextException, config
    # EGL's default may have 5 or 6 bits per colour. Depth saves time with spheres, but is not needed; nor is multisampling.
    wanted = [config(
        double_buffer=True, red_size=8, green_size=8, blue_size=8, alpha_size=8, depth_size=depth,
        major_version=3, minor_version=3, forward_compatible=True) for depth in (24, 0)]
    try:
        for each in wanted:
            with suppress(window.NoSuchConfigException):
                return kind(config=each, **options)
        return kind(**options)
    except (window.WindowException, ContextException) as error:
        raise NoDisplayError(f"no OpenGL 3.3: {_one_line(error)}") from error


def _pyglet():
    """The module pyglet, whose import needs neither OpenGL nor a display. NoDisplayError if it is not installed."""
    try:
        import pyglet
    except ImportError as error:
        if sys.platform == BROWSER:
            raise NoDisplayError("windows and pictures need OpenGL, which Python in a browser has not: hdsim.player, and films "
                                 "in .html, need none") from None
        raise NoDisplayError(f"{_one_line(error)}: pip install 'pyglet>=2.1,<3'") from error
    return pyglet


def _load() -> None:
    """Import the modules of pyglet that need OpenGL and fonts. NoDisplayError if either is missing."""
    try:
        import pyglet.window
        import pyglet.text    # noqa: F401  without fonts it fails here instead of in the first frame
    except ImportError as error:
        raise NoDisplayError(f"{_one_line(error)} On Debian and Ubuntu: apt-get install {PACKAGES}") from error
    except Exception as error:     # pyglet passes on the exceptions of each platform; with any of them nothing can be drawn
        raise NoDisplayError(f"no OpenGL on this display: {_one_line(error)}") from error


def _display_problem() -> str | None:
    """The reason why there is no display, or None. Checked before pyglet connects to it, because a failed import of OpenGL
    cannot be repeated."""
    if sys.platform in ("win32", "cygwin", "darwin"):
        return None
    name = os.environ.get("DISPLAY")
    if not name:
        return "no display: $DISPLAY is not set"
    try:
        xlib = _xlib()
    except ImportError as error:
        return f"{_one_line(error)} On Debian and Ubuntu: apt-get install {PACKAGES}"
    connection = xlib.XOpenDisplay(None)
    if not connection:
        return f"no display: cannot connect to $DISPLAY, {name}"
    xlib.XCloseDisplay(connection)
    return None


def _xlib() -> Any:
    """The functions of X11, where this pyglet has them. ImportError if the machine has none."""
    try:
        from pyglet.libs.x11 import xlib
    except ModuleNotFoundError:         # pyglet 3
        from pyglet.libs.linux.x11 import xlib      # type: ignore
    return xlib


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
