"""Show: one system that is played for pages: its playback, its look, what its panels read, and the commands of the pages.

A show has no thread and no clock: its caller calls `tick` with the seconds that have passed, and executes commands between two
ticks. All pages of a show see the same snapshots. The page of `--browser`, the widget and Pyodide have one show each."""
from __future__ import annotations

import itertools
import math
import time as clock
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from .. import quantities
from ..lab import showcase
from ..language import tr
from ..model.numbers import real
from ..model.errors import HdsimError
from ..model.gates import is_there
from ..model.machine import has_threads
from ..model.roles import HasObstacles, Playable, ShowsQueue, offers, on_paper, require
from ..starts import named
from ..starts.sources import load, random
from ..viewer.draw.frame import Frame
from ..viewer.draw.look import COLORS, Look, checked_look
from ..viewer.draw.numerals import number
from ..viewer.draw.shapes import shapes_of
from ..viewer.draw.styling import Styling
from ..viewer.draw.theme import THEMES
from ..viewer.parts.algorithm import Algorithm
from ..viewer.parts.measured import Measured
from ..viewer.parts.paths import Tracker
from ..viewer.playback.playback import Playback
from . import panels
from .gas import DISCS_MOST, EQUAL, QUANTITIES, change_to, wanted
from .messages import Snapshot, finite

PANELS = ("plots", "queue", "gas")
FORGET = 3.0            # seconds after which a panel that no page has asked for is not read any more
STATUS_EVERY = 0.2      # seconds between two readings of the status line during play
MEASURE_AGAIN = 0.2     # seconds without measuring after an edit
PIECES_MOST = 20_000    # pieces of all trails in one picture; of each trail the latest are kept
FOR_PAGES = -0.004      # seconds of a tick that are not for the engine but for sending what a page is to draw
GAS_CHANGED = "gas changed"

# Serial numbers of pictures and versions of their parts. They never begin again: a page that goes on with another show would keep
# what has the same version, and drop pictures with smaller serial numbers as overtaken.
_numbers = itertools.count(1)


class CommandError(ValueError):
    """A command of a page that does not exist, or whose values are wrong, in one line. Half characters of UTF-16, which JSON can
    hold and UTF-8 cannot, are written as \\udc00."""

    def __init__(self, message: str) -> None:
        super().__init__(message.encode(errors="backslashreplace").decode())


class Show:
    """A system that is played for pages. `changed`: whether there is a picture that no snapshot has.

    system, speed, until, prepare, look: as for `hdsim.viewer.show`. name: of the system. It begins paused. TypeError for a system
    without the members of `hdsim.model.roles.Playable`; ValueError for a speed beyond `pace.SPEEDS`."""

    def __init__(self, system: Any, name: str = "", *, speed: float | None = None, until: float | None = None,
                 prepare: Callable[[Any], object] | None = None, look: Look | None = None) -> None:
        require(system, Playable)
        self.name = name
        self.look = checked_look(look, system)
        self._tracker, self._measured = Tracker(), Measured("pages")
        self._asked = dict.fromkeys(PANELS, -math.inf)      # when a page asked for each panel last, by `perf_counter`
        self._read: dict[str, tuple[int, dict[str, Any]]] = {}      # what each panel shows, with its version
        self._looked: object = None             # what the queue panel shows
        self._styling: Styling | None = None
        self._snapshot: Snapshot | None = None
        self._serial = 0
        self._seen: tuple[Any, ...] = ()        # what the latest snapshot shows, besides ...
        self._seen_frame: Frame | None = None   # ... this frame
        self._note = ""
        self._play(Playback(system, speed, until=until, paused=True, prepare=prepare))

    def _play(self, playback: Playback) -> None:
        """Show what this playback plays."""
        self.playback = playback
        playback.extra = FOR_PAGES
        playback.changing = self._changing
        self._algorithm = Algorithm(playback)
        self._known: Any = None                 # the system that trails and panels follow
        self._followed: Frame | None = None
        self._resume = self._status_due = 0.0
        self._status = ""
        self._scene: tuple[Any, tuple[int, dict[str, Any]]] | None = None
        self._radii: tuple[Any, tuple[int, bytes]] | None = None
        self._colors: tuple[Any, tuple[int, bytes]] | None = None

    # the clock

    def tick(self, dt: float) -> None:
        """Advance by `dt` seconds of wall clock, if the run is not paused. An error becomes a note, and the run pauses."""
        try:
            self.playback.tick(dt)
        except Exception as error:
            self.pause(str(error) or type(error).__name__)

    def notice(self) -> None:
        """Notice that the system was run or changed other than by this show, while it was paused."""
        system, frame = self.playback.system, self.playback.frame
        if self.playback.paused and not self.playback.seeking and (
                system.time != frame.time or system.radii is not frame.sources[0] or system.colors is not frame.sources[1]):
            self.playback.pause(self.playback.message)

    def ask(self, names: tuple[str, ...]) -> None:
        """Read these panels for some seconds, because a page shows them. It may be called in any thread."""
        now = perf_counter()
        self._asked.update((name, now) for name in names if name in PANELS)

    @property
    def changed(self) -> bool:
        """Whether there is something new to be seen since the latest snapshot."""
        measured, system = self._measured.system, self.playback.system
        begin = self._wants("plots") and measured is not system and perf_counter() >= self._resume
        return (self.playback.frame is not self._seen_frame or self._seen != self._state() or begin
                or any(self._wants(name) and name not in self._read for name in PANELS))

    def _state(self) -> tuple[Any, ...]:
        playback = self.playback
        return playback.paused, playback.speed, playback.message, playback.seeking, self.look, self.name, self._note

    def _wants(self, name: str) -> bool:
        return perf_counter() - self._asked[name] < FORGET

    def snapshot(self) -> Snapshot:
        """The present picture, with the panels that were asked for. The same object as long as nothing has changed."""
        self._follow()
        if self._snapshot is None or self.changed:
            self._read_panels()
            self._seen, self._seen_frame = self._state(), self.playback.frame
            self._serial = next(_numbers)
            self._snapshot = self._taken()
        return self._snapshot

    def _taken(self) -> Snapshot:
        playback = self.playback
        frame = self._painted(playback.frame)
        now = perf_counter()
        if playback.paused or now >= self._status_due:
            self._status, self._status_due = "  ·  ".join(playback.status()), now + STATUS_EVERY
        shown = {"time": frame.time, "clock": clock.time(), "n": len(frame), "paused": playback.paused, "speed": playback.speed,
                 "seeking": playback.seeking, "status": self._status, "note": self._note, "name": self.name,
                 "begin": playback.history.begin, "end": playback.history.end, "colors": self.look.colors,
                 "theme": self.look.theme, "trails": list(self.look.trails),
                 "legend": panels.legend(self._styling.legend if self._styling is not None else None)}
        return Snapshot(self._serial, shown, (frame.width, frame.height), frame.positions.T.astype("<f4", copy=False).tobytes(),
                        self._radii_of(frame), self._colors_of(frame), self._scene_of(frame), self._trails(), dict(self._read))

    # parts that rarely change, each with a version

    def _new_version(self) -> int:
        return next(_numbers)

    def _radii_of(self, frame: Frame) -> tuple[int, bytes]:
        if self._radii is None or self._radii[0] is not frame.radii:
            self._radii = frame.radii, (self._new_version(), frame.radii.astype("<f4").tobytes())
        return self._radii[1]

    def _colors_of(self, frame: Frame) -> tuple[int, bytes]:
        if self._colors is None or self._colors[0] is not frame.colors:
            self._colors = frame.colors, (self._new_version(), frame.colors.tobytes())
        return self._colors[1]

    def _scene_of(self, frame: Frame) -> tuple[int, dict[str, Any]]:
        key = (frame.width, frame.height, frame.periodic, self.look.theme, frame.obstacles,
               [is_there(obstacle, frame.time) for obstacle in frame.obstacles])
        if self._scene is None or self._scene[0] != key:
            theme = THEMES[self.look.theme]
            names = ("surround", "paper", "outline", "text", "faint", "panel", "accent", "warning", "palette")
            scene = {"box": [frame.width, frame.height], "periodic": list(frame.periodic),
                     "theme": {name: getattr(theme, name) for name in names},
                     "shapes": shapes_of(frame, frame.obstacles, frame.time, theme)}
            self._scene = key, (self._new_version(), scene)
        return self._scene[1]

    def _painted(self, frame: Frame) -> Frame:
        """The frame in the colours of the look."""
        if self._styling is None:
            wake = self._repaint if has_threads() else None     # without threads, slow colours are computed at once
            self._styling = Styling(self.playback.system, self.look, wake)
        return self._styling.painted(frame, hurry=self.playback.paused)

    def _repaint(self) -> None:
        """Draw again, because slow colours have been computed. It is called in another thread."""
        self._seen = ()

    def _end_styling(self) -> None:
        if self._styling is not None:
            self._styling.close()
            self._styling = None

    # trails and panels follow the system

    def _follow(self) -> None:
        """Notice that another system is played, as after a step back, and extend the trails."""
        system, frame = self.playback.system, self.playback.frame
        if system is not self._known:
            self._known, self._followed = system, None
            self._end_styling()
            self._algorithm.forget()
            self._measured.system = None
            self._tracker.begin(system, self.look.trails)
        if self._tracker.paths and frame is not self._followed:
            self._tracker.follow(system)
            self._followed = frame

    def _trails(self) -> list[tuple[int, bytes]]:
        paths = self._tracker.paths
        found = []
        for disc, path in paths.items():
            ends, strength = path.drawn()
            pieces = np.column_stack([ends, strength])[-(PIECES_MOST // len(paths)):]
            found.append((disc, pieces.astype("<f4").tobytes()))
        return found

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """A context for code that edits the system, which fails while observers are attached."""
        system = self.playback.system
        if system is self._known:
            self._tracker.follow(system)
        self._tracker.end(system)
        self._measured.let_go(system)
        try:
            yield
        finally:
            self._known = None
            self._resume = perf_counter() + MEASURE_AGAIN

    def _read_panels(self) -> None:
        """Read the panels that pages have asked for, each at its own pace."""
        system, frame, measured = self.playback.system, self.playback.frame, self._measured
        if not self._wants("plots"):
            if measured.system is not None:
                measured.let_go(system)
            self._read.pop("plots", None)
        elif measured.system is not system and perf_counter() >= self._resume:
            measured.begin(system)
        if self._wants("plots") and measured.system is system and measured.read(system, frame):
            self._show("plots", panels.plots(measured, system))
        if self._wants("queue"):
            look = self._algorithm.look()
            if "queue" not in self._read or self._looked is not look or not offers(system, ShowsQueue):
                self._looked = look
                self._show("queue", panels.queue(look, frame.obstacles))
        if self._wants("gas"):
            self._show("gas", panels.gas(system))

    def _show(self, name: str, content: dict[str, Any]) -> None:
        content = finite(content)       # arrays and nan have no plain equality
        if name not in self._read or self._read[name][1] != content:
            self._read[name] = self._new_version(), content

    # commands

    def do(self, command: dict[str, Any]) -> None:
        """Execute a command: {"do": name, ...} with the values that it needs. A change that the system refuses is noted in the
        picture and changes nothing. CommandError for an unknown command, and for missing or wrong values."""
        name = command.get("do")
        values = {key: value for key, value in command.items() if key != "do"}
        if not isinstance(name, str) or name not in COMMANDS:
            raise CommandError(f"no command {name!r}; there are {', '.join(COMMANDS)}")
        action, needs = COMMANDS[name]
        if values.keys() != {*needs} if needs is not None else not values:
            raise CommandError(f"{name}: expected {', '.join(QUANTITIES if needs is None else needs) or 'no values'}, found "
                               f"{', '.join(values) or 'none'}")
        self._note = ""
        try:
            action(self, **values)
        except CommandError:
            raise
        except (HdsimError, ValueError, RuntimeError, OSError, MemoryError, OverflowError) as error:
            self._note = str(error) or type(error).__name__
        self._status_due = 0.0

    def _set_speed(self, value: Any) -> None:
        self.playback.set_speed(_number("speed", value))

    def _seek(self, time: Any) -> None:
        self.playback.seek(_number("time", time))

    def _set_colors(self, value: Any) -> None:
        if not isinstance(value, str) or value not in COLORS:
            raise CommandError(f"colors: expected {', '.join(COLORS)}, found {value!r}")
        self.look = replace(self.look, colors=value)
        self._end_styling()

    def _set_theme(self, value: Any) -> None:
        if not isinstance(value, str) or value not in THEMES:
            raise CommandError(f"theme: expected {', '.join(THEMES)}, found {value!r}")
        self.look = replace(self.look, theme=value)

    def _trail(self, disc: Any) -> None:
        """Add or remove the trail of a disc; all of them for None."""
        self._follow()
        trails = self.look.trails
        if disc is None:
            trails = ()
        elif isinstance(disc, bool) or not isinstance(disc, int) or not 0 <= disc < len(self.playback.system):
            raise CommandError(f"disc: expected a number from 0 to {len(self.playback.system) - 1}, found {disc!r}")
        else:
            trails = tuple(i for i in trails if i != disc) if disc in trails else (*trails, disc)
        self.look = replace(self.look, trails=trails)
        self._tracker.begin(self.playback.system, trails)
        self._followed = None

    def _open(self, source: Any) -> None:
        """Play an exhibit of the gallery, another named system, or so many random discs, from its start."""
        if isinstance(source, int) and not isinstance(source, bool) and 0 < source <= DISCS_MOST:
            self._begin(random(source), str(source), tr("{n:,} discs", n=source))
            return
        exhibit = showcase.of_title(source)
        if exhibit is None and not (isinstance(source, str) and named.is_name(source)):
            raise CommandError(f"source: expected a name of the gallery or a number of discs up to {DISCS_MOST}, "
                               f"found {source!r}")
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            system = on_paper(load(source) if exhibit is None else exhibit.make())
        about = named.describe(source) if exhibit is None else exhibit.sentence
        self._begin(system, source, "; ".join([about, *(str(warning.message) for warning in warned)]))

    def _begin(self, system: Any, name: str, note: str) -> None:
        """Play another system from its start, at its default speed."""
        paused, old = self.playback.paused, self.playback
        self._tracker.end(old.system)
        self._measured.let_go(old.system)
        self._end_styling()
        old.close()
        self._read.clear()
        self.look, self.name, self._note = replace(self.look, trails=()), name, note
        self._play(Playback(system, paused=paused))

    def _gas(self, **values: Any) -> None:
        """Change the gas; see `gas`."""
        try:
            asked = wanted(self.playback.system, values)
        except ValueError as error:
            raise CommandError(f"gas: {error}") from None
        way = change_to(self.playback.system, asked)
        if callable(way):
            self._change(way)
            if not self._note and asked.width < self.playback.system.box.width * (1 - EQUAL):
                self._note = tr("the wall stops at a disc, at {width}", width=number(self.playback.system.box.width))
        else:
            self._begin(way, tr("a gas"), tr("a new gas of {n:,} discs", n=len(way)))

    def _partition(self) -> None:
        """Put a partition in the middle of the box, or pull it out."""
        if not offers(self.playback.system, HasObstacles):
            self._note = tr("this engine has no obstacles")
        else:
            self._change(quantities.toggle_partition)

    def _change(self, way: Callable[[Any], None]) -> None:
        """Change the system, and note the reason if that is refused."""
        self.playback.change(way, GAS_CHANGED)
        self._note = self.playback.message if self.playback.message != tr(GAS_CHANGED) else ""

    def pause(self, note: str = "") -> None:
        """Pause the run and show a note in the status line."""
        self.playback.pause(note)
        self._status_due = 0.0

    def close(self) -> None:
        """Remove observers and timers from the system."""
        self._tracker.end(self.playback.system)
        self._measured.let_go(self.playback.system)
        self._end_styling()
        self.playback.close()


def _number(name: str, value: Any) -> float:
    try:
        if not isinstance(value, bool) and isinstance(value, (int, float)) and math.isfinite(number := real(name, value)):
            return number
    except ValueError as error:
        raise CommandError(str(error)) from None
    raise CommandError(f"{name}: expected a finite number, found {value!r}")


# What a page can ask for, and the values that it must give; None: some of those of a gas.
COMMANDS: dict[str, tuple[Callable[..., None], tuple[str, ...] | None]] = {
    "play": (lambda show: show.playback.go_on(), ()),
    "pause": (lambda show: show.playback.pause(), ()),
    "toggle": (lambda show: show.playback.toggle(), ()),
    "step": (lambda show: show.playback.step(), ()),
    "step_back": (lambda show: show.playback.step_back(), ()),
    "faster": (lambda show: show.playback.faster(), ()),
    "slower": (lambda show: show.playback.slower(), ()),
    "restart": (lambda show: show.playback.restart(), ()),
    "reverse": (lambda show: show.playback.reverse(), ()),
    "to_end": (lambda show: show.playback.seek(show.playback.history.end), ()),
    "speed": (Show._set_speed, ("value",)),
    "seek": (Show._seek, ("time",)),
    "colors": (Show._set_colors, ("value",)),
    "theme": (Show._set_theme, ("value",)),
    "trail": (Show._trail, ("disc",)),
    "open": (Show._open, ("source",)),
    "gas": (Show._gas, None),
    "partition": (Show._partition, ()),
}
