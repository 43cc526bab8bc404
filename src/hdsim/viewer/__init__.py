"""The viewer: a window that shows a system, and the same picture without a window. The only code that imports pyglet.

It uses public members of a system only. pyglet is imported with the first window or picture, so that this package can be
imported on a machine without OpenGL; there only drawing fails, with an error that names what is missing.

Folders, each of which imports only those before it:

    draw        a picture: the plain arrays that it needs, shapes and text, colours, arrows, charts; which OpenGL there is
    playback    simulated time against wall clock; checkpoints, and the way back to any time
    film        pictures without a window, and films as files
    reading     what panels show of a system, in numbers and words: the algorithm, measured values, paths
    stage       what a window shows and how: playback, look, camera, selected disc, notes; and what a part of a window is
    parts       the parts of a window, each in one file: keys, mouse, what is drawn over the discs, panels
    windows     lists of parts with a painter: one system, two engines side by side, a game, a drawing board

The members that a system must have to be shown, and optional ones, are in `hdsim.model.roles`.
"""
from __future__ import annotations

from ..formats import FILMS as FILM_SUFFIXES
from ..language import tr
from ..model.roles import Playable, on_paper, require
from ..reference.side_by_side import SideBySide
from ..system import CollisionSystem
from .draw.context import NoDisplayError, available, require_display
from .draw.look import Look, checked_look
from .draw.orbit import Orbit
from .draw.styling import picture_styling
from .film.film import Film, Recorder, Reel, Shots, open_reel, player, record, shoot
from .film.image import Painter, picture_size, png, save_png, snapshot
from .film.page import Player
from .film.vector import save_vector
from .playback.pace import default_speed
from .stage.first_look import first_look
from .stage.kept import kept_in

__all__ = ["FILM_SUFFIXES", "Film", "Look", "NoDisplayError", "Orbit", "Painter", "Player", "Recorder", "Reel", "Shots", "Window",
           "available", "default_speed", "first_look", "kept_in", "open_board", "open_reel", "picture_size", "picture_styling",
           "player", "png", "record", "save_png", "save_vector", "shoot", "show", "show_gallery", "show_rounds", "snapshot"]


def show(system, speed=None, hz=None, fullscreen=False, *, until=None, paused=False, title=None, prepare=None,
         look=None):
    """Open a window on `system`, run the system there until the window is closed, and return the system shown last.

    speed    simulated time units per second of wall clock; None: `default_speed(system)`, or more if nothing would happen soon
    hz       redraw events per simulated time unit, the book's HZ; None: 60 per second of wall clock
    until    pause when this time is reached; the user may continue from there
    paused   open the window paused, before the first event
    prepare  called with each system before it is shown or run: the first one, and the copies with which a restart or a step back
             in time begins. It registers callbacks and timers, which copies do not have
    look     initial appearance, a `Look`: theme, colours, arrows, trails; None: `first_look(system)`

    Going back in time is exact: an earlier copy is run again, and the callbacks of `prepare` are called again for its events, so
    that a callback that changes the system (a timer that reverses) has the same effect. What a callback does must therefore
    depend only on the system on which it is registered; a callback that counts or records should start anew for each system.
    STOP does not end such a replay. Callbacks on `system` that `prepare` does not register are not called in copies; if they
    change the system, going back is not exact. Each copy has copies of the observers: see `observers` of the returned system.

    The returned system is `system` itself if time has only gone forward. After a step back or a restart it is a copy, and
    `system` stays as it was when it was last shown. If the window is closed during a replay, the system shown before it is
    returned or, if that system itself runs to the new time, its present state.

    The user may open another system in the window, by dropping a file on it or stepping through the data sets. It is played at
    its default speed, with this hz, from its start: `speed`, `until` and `prepare` apply to `system` only. That system is then
    the one returned.

    A `hdsim.side_by_side.SideBySide` gets a window with two pictures, which pauses when the first contact is missed.
    NoDisplayError if no window can be opened; TypeError, which names the missing members, unless the system has all members of
    `hdsim.model.roles.Playable`.
    """
    system = on_paper(system)
    require(system, Playable)
    look = first_look(system) if look is None else checked_look(look, system)
    require_display()
    from .windows import comparison, single
    return (comparison if isinstance(system, SideBySide) else single).run(
        system, speed, hz, fullscreen, until=until, paused=paused, title=title, prepare=prepare, look=look)


def show_gallery(fullscreen=False, look=None):
    """Open a window with the gallery: all named data sets, tables and experiments as small pictures in motion. The user opens one
    by a click, and comes back by Esc. Returns the system that was shown last, at first an empty one. look: of the window; None:
    with the theme of the desktop. NoDisplayError if no window can be opened."""
    nothing = CollisionSystem()
    look = first_look(nothing) if look is None else checked_look(look, nothing)
    require_display()
    from .windows import single
    return single.run(nothing, None, None, fullscreen, title=tr("hdsim: gallery"), paused=True, look=look, gallery=True)


def show_rounds(rounds, fullscreen=False):
    """Open a window in which `rounds` (see `hdsim.app.play_rounds`) are played, until it is closed. NoDisplayError."""
    require_display()
    from .windows.arena import run
    run(rounds, fullscreen)


def open_board(aspect=1.0):
    """A window for a program that has a loop of its own: its `show(frame)` draws a `hdsim.viewer.draw.frame.Frame`, and returns
    False once the window has been closed. aspect: width over height of the box. NoDisplayError."""
    require_display()
    from .windows.board import open_board as opened
    return opened(aspect)


def __getattr__(name: str):
    """Import `Window`, and with it pyglet, when the name is first used."""
    if name != "Window":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require_display()
    from .windows.window import Window
    return Window


def __dir__() -> list[str]:
    return sorted(__all__)
