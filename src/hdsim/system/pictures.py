"""Pictures of a system: a window, a film, a picture as an array. Some are also methods of `CollisionSystem`.

>>> import hdsim
>>> hdsim.load("billiards5").show(theme="dark", trails=(15,))      # doctest: +SKIP
>>> hdsim.load("billiards5").film("break.gif", until=150)          # doctest: +SKIP

This package knows no viewer. It says that it needs one, `open_viewer`, and `hdsim/__init__.py`, which stands above both,
brings them together. So a system can show itself, a run without pictures loads no viewer, and tests set another one;
nothing here depends on a module above.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

Theme = Literal["light", "dark", "projector"]
Colors = Literal["auto", "file", "speed", "collisions", "energy", "order"]
Shown = TypeVar("Shown")

open_viewer: Callable[[], Any]      # returns the package `hdsim.viewer`; set in hdsim/__init__.py


def _look(look: Any, **chosen: Any) -> Any:
    """A `hdsim.viewer.Look` with the values of `chosen` that are not None; `look` if there are none. ValueError for values that
    are not legal, and for a look beside other values."""
    given = {name: value for name, value in chosen.items() if value is not None}
    if not given:
        return look
    if look is not None:
        raise ValueError(f"look and {next(iter(given))} are both given; a look has {', '.join(chosen)} already")
    return open_viewer().Look(**given)


def show(system: Shown, speed: float | None = None, hz: float | None = None, fullscreen: bool = False, *,
         until: float | None = None, paused: bool = False, title: str | None = None,
         prepare: Callable[[Shown], object] | None = None, theme: Theme | None = None, colors: Colors | None = None,
         arrows: bool | None = None, trails: Iterable[int] | None = None, look: Any = None) -> Shown:
    """Open a window on the system, run it there until the window is closed, and return the system shown last.

    speed    simulated time units per second of wall clock; None: such that the discs are seen to move
    hz       redraw events per simulated time unit, the book's HZ; None: 60 per second of wall clock
    fullscreen  fill the screen
    until    pause when this time is reached; the user may continue from there
    paused   open the window paused, before the first event
    title    of the window
    prepare  called with each system before it is shown or run: it registers callbacks and timers, which copies do not have
    theme    "light", "dark" or "projector"; None: that of the desktop
    colors   what colours show: "auto" (the default), what tells the discs apart: the colours of their file if they differ, else
             species, numbers of a few discs, or speed; "file", as in the file; "speed"; "collisions"; "energy"; "order", psi_6
    arrows   whether velocities are drawn as arrows
    trails   indices of discs whose paths are drawn; None: of the disc that moves alone, or that is much larger than all others
    look     these four at once, a `hdsim.viewer.Look`

    `hdsim.viewer.show` says what the user of the window can do, and which system is returned after a step back in time.
    NoDisplayError if no window can be opened; ValueError for other values; TypeError for a system that cannot be shown.
    """
    chosen = dict(theme=theme, colors=colors, arrows=arrows, trails=trails)
    if _look(look, **chosen) is not look:       # ValueError for values that are not legal
        look = open_viewer().first_look(system, **chosen)
    shown: Shown = open_viewer().show(system, speed, hz, fullscreen, until=until, paused=paused, title=title, prepare=prepare,
                                      look=look)
    return shown


def snapshot(system: Any, width: int | None = None, height: int | None = None, *, theme: Theme | None = None,
             colors: Colors | None = None, arrows: bool | None = None, look: Any = None) -> NDArray[np.uint8]:
    """Draw the system as it is now, without a display: (height, width, 3) uint8 of red, green and blue, the top row first.

    width, height: in pixels; None: by the shape of the box, with 800 for the longer side. theme, colors, arrows, look: as for
    `show`, without trails. NoDisplayError if OpenGL is missing; ValueError for other values."""
    picture: NDArray[np.uint8] = open_viewer().snapshot(system, width, height,
                                                        _look(look, theme=theme, colors=colors, arrows=arrows))
    return picture


def record(system: Any, path: str | os.PathLike[str], until: float | None = None, *, seconds: float | None = None,
           fps: float = 30.0, speed: float | None = None, width: int | None = None, height: int | None = None,
           progress: bool = True, turn: float = 0.0, theme: Theme | None = None, colors: Colors | None = None,
           arrows: bool | None = None, look: Any = None) -> Any:
    """Run the system to time `until` and write a film of it, without a display; returns its path, number of frames, seconds and
    size, which a notebook shows as the film.

    path     .mp4, .webp, .apng, .gif or .html
    until    simulated time of the end; or
    seconds  length of the film (10)
    fps      frames per second
    speed    simulated time units per second of the film; None: such that the discs are seen to move
    width, height  in pixels; None: by the shape of the box, with 800 for the longer side
    progress show the progress on standard error, if that is a terminal
    turn     degrees by which spheres turn in the film; 360: once around
    theme, colors, arrows, look  as for `show`, without trails; .html has no arrows

    The system runs as in `simulate`, bit for bit. NoDisplayError without OpenGL (.html needs none); ImportError without Pillow
    (GIF, WebP) or ffmpeg (MP4); ValueError for other values; OSError if the file cannot be written.
    """
    return open_viewer().record(system, path, until, seconds=seconds, fps=fps, speed=speed, width=width, height=height,
                                progress=progress, turn=turn, look=_look(look, theme=theme, colors=colors, arrows=arrows))


def player(system: Any, until: float | None = None, *, seconds: float | None = None, fps: float = 30.0,
           speed: float | None = None, width: int | None = None, height: int | None = None, progress: bool = True,
           theme: Theme | None = None, colors: Colors | None = None, look: Any = None) -> Any:
    """Run the system as `record` does, and return a player for a notebook; it needs neither a file nor OpenGL.

    The arguments are those of `record`. ValueError for impossible values, or too many frames."""
    return open_viewer().player(system, until, seconds=seconds, fps=fps, speed=speed, width=width, height=height,
                                progress=progress, look=_look(look, theme=theme, colors=colors))


def png(system: Any) -> bytes | None:
    """A small picture of the system as a PNG file, for notebooks; None if nothing can be drawn."""
    picture: bytes | None = open_viewer().png(system)
    return picture


def plot(system: Any, ax: Axes | None = None) -> Axes:
    """Draw the discs as they are now with matplotlib, to scale; returns the axes.

    ax: axes to draw in; None: axes of a new figure. Discs have the colours that windows show unless another look is wanted: those
    of their file, or of their species, numbers or speeds. Walls are drawn as solid lines, the edges of periodic axes as dotted
    ones; a disc or obstacle that crosses such an edge is drawn on both sides. The area of solid obstacles, and that around rooms,
    is filled; obstacles that are not there at this time are dashed. Units are those of the system. ImportError without
    matplotlib."""
    from .plotting import draw      # imported late: most runs draw nothing

    return draw(system, ax)
