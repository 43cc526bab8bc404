"""The viewer: a window that shows a system, and the same picture without a window. The only code that imports pyglet.

Sees the public face of a system and nothing below it. Importing this package is free: pyglet loads with the first
window or picture, so that a machine without OpenGL can import everything and is told what is missing when it draws.

    frame     what a picture needs to know: plain arrays at one instant       playback  simulated time against wall clock
    history   checkpoints, and the way back to any time                       pace      wanted and reached speed
    view      where the box lies in the picture                               camera    which part of it is looked at
    context   which OpenGL this process gets                                  theme     colours
    layers    box and discs                                                   pen       lines, rings, boxes, text
    image     pictures without a window                                       commands  keys and what they are for
    window    picture, parts, keys, mouse, event loop                         part      what a part of a window is
    hud       the parts: status line, list of keys                            gpu       steps that all OpenGL shares
    timeline  the bar of what has been, and keys back and forth               eye       zoom, pan, full screen
    hand      selects and changes a disc, by mouse or key                     picking   which disc is meant
    inspector the numbers of the selected disc                                library   other systems in the window
    capture   pictures and films of the window
    arena     the window of a game: mouse, score, words
    film      which instants, at what size, into which file                   encoders  films as files
    page      films as pages of positions, drawn by a browser                 palette   the colours of a GIF
    look      how a picture looks                                             styling   a look put on a system
    coloring  discs coloured by what they do                                  legend    what colours and arrows mean
    motion    velocities as arrows                                            looks     keys for all that
    paths     the ways of chosen discs                                        trails    these in a window
    watching  the window's own observers                                      plots     measured values, and theory
    charts    axes, curves, bars, bands                                       numerals  numbers as people read them
    comparison two engines in one window                                      fonts     which one has the letters of a text

The algorithm made visible:
    algorithm     what there is to see: queue, contacts to come, counters     queue_panel   the panel that shows it (Q)
    queue_layout  where the slots of a heap stand on paper                    grid_overlay  cells looked at for a disc (W)
    wording       entries and times in a few characters                       sketch        a drawing that is kept
"""
from __future__ import annotations

from ..formats import FILMS as FILM_SUFFIXES
from ..side_by_side import SideBySide
from .context import NoDisplayError, available, require_display
from .film import Film, Recorder, Reel, Shots, open_reel, player, record, shoot
from .image import Painter, picture_size, png, save_png, snapshot
from .look import Look, checked_look
from .pace import default_speed
from .page import Player
from .styling import picture_styling

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
    Raises NoDisplayError where no window can be opened.
    """
    look = checked_look(look, system)
    require_display()
    from .comparison import run_comparison
    from .window import run
    return (run_comparison if isinstance(system, SideBySide) else run)(
        system, speed, hz, fullscreen, until=until, paused=paused, title=title, prepare=prepare, look=look)


def show_rounds(rounds, fullscreen=False):
    """Open a window in which `rounds` (see `hdsim.play_rounds`) are played, until it is closed. Raises NoDisplayError."""
    require_display()
    from .arena import run
    run(rounds, fullscreen)


def __getattr__(name: str):
    """`Window` is there like any other name, but loads pyglet when it is first asked for."""
    if name != "Window":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require_display()
    from .window import Window
    return Window
