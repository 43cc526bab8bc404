"""The viewer: a window that shows a system, and the same picture without a window. The only code that imports pyglet.

Sees the public face of a system and nothing below it. Importing this package is free: pyglet loads with the first
window or picture, so that a machine without OpenGL can import everything; only drawing fails there, with an error that
names what is missing.

Folders, each of which knows only those before it:

    draw        a picture: the plain arrays that it needs, shapes and text, colours, arrows, charts; which OpenGL there is
    playback    simulated time against wall clock; checkpoints, and the way back to any time
    film        pictures without a window, and films as files
    stage       what a window shows and how: playback, look, camera, selected disc, notes; and what a part of a window is
    parts       the parts of a window, each whole in its file: keys, mouse, what is drawn over the discs, panels
    windows     lists of parts with a painter: one system, two engines side by side, a game

What a system must have to be shown, and what it may have, stands in `hdsim.model.roles`.
"""
from __future__ import annotations

from ..formats import FILMS as FILM_SUFFIXES
from ..model.roles import Playable, require
from ..reference.side_by_side import SideBySide
from .draw.context import NoDisplayError, available, require_display
from .draw.look import Look, checked_look
from .draw.styling import picture_styling
from .film.film import Film, Recorder, Reel, Shots, open_reel, player, record, shoot
from .film.image import Painter, picture_size, png, save_png, snapshot
from .film.page import Player
from .playback.pace import default_speed

__all__ = ["FILM_SUFFIXES", "Film", "Look", "NoDisplayError", "Painter", "Player", "Recorder", "Reel", "Shots", "Window",
           "available", "default_speed", "open_reel", "picture_size", "picture_styling", "player", "png", "record", "save_png",
           "shoot", "show", "show_rounds", "snapshot"]


def show(system, speed=None, hz=None, fullscreen=False, *, until=None, paused=False, title=None, prepare=None,
         look=None):
    """Open a window on `system`, run it there until the window is closed, and return the system shown last.

    speed    simulated time units per second of wall clock; None: `default_speed(system)`
    hz       redraw events per simulated time unit, the book's HZ; None: 60 per second of wall clock
    until    pause when this time is reached; the user may go on from there
    paused   begin with the first picture, and wait
    prepare  called with each system before it is shown or run: the first one, and the copies that a restart or a way back in
             time begins with. For callbacks and timers, which are not copied
    look     how it looks at first, a `Look`: theme, colours, arrows, trails; None: as `Look()`

    Going back is exact: a copy from before is run again, and a callback of `prepare` is called again for what happens then,
    so that one which acts (a timer that reverses) acts as it did. Hence what a callback does must depend on nothing but the
    system that it is registered on; one that counts or records should begin anew for each system. A replay does not stop
    for STOP. Callbacks on `system` itself that no `prepare` registers are not called in copies, and if they act, the way
    back is not exact. What observes `system` has a twin in each copy: see `observers` of the returned system.

    The returned system is `system` itself as long as time has only gone forward. As soon as the user has gone back, or
    restarted, it is a copy, and `system` stays as it was when it was last shown; closing the window on the way to another
    time returns what was shown before, or, if that runs on to this time itself, how far it has come.

    The user may open another system in the window, by dropping a file on it or turning over the data sets. That one is
    played at its default speed, with this hz, from where it begins: `speed`, `until` and `prepare` belong to `system`. Then
    the system shown last is that other one.

    A `hdsim.side_by_side.SideBySide` gets a window with two pictures, which pauses where the first contact is missed.
    Raises NoDisplayError where no window can be opened, and TypeError, naming what is missing, for a system without all members
    of `hdsim.model.roles.Playable`.
    """
    require(system, Playable)
    look = checked_look(look, system)
    require_display()
    from .windows import comparison, single
    return (comparison if isinstance(system, SideBySide) else single).run(
        system, speed, hz, fullscreen, until=until, paused=paused, title=title, prepare=prepare, look=look)


def show_rounds(rounds, fullscreen=False):
    """Open a window in which `rounds` (see `hdsim.app.play_rounds`) are played, until it is closed. Raises NoDisplayError."""
    require_display()
    from .windows.arena import run
    run(rounds, fullscreen)


def __getattr__(name: str):
    """`Window` is there like any other name, but loads pyglet when it is first asked for."""
    if name != "Window":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require_display()
    from .windows.window import Window
    return Window
