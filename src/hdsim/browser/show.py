"""Show: one system that is played for pages: the parts of a window, without a window, drawn by a pen that records for pages; and
the commands of the pages.

A show has no thread and no clock: its caller calls `tick` with the seconds that have passed, and executes commands between two
ticks. All pages of a show see the same picture, laid out for the page that was used last. The page of `--browser`, the widget and
Pyodide have one show each."""
from __future__ import annotations

import base64
import binascii
import itertools
import math
import tempfile
import time as clock
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from ..lab import showcase
from ..language import tr
from ..model.errors import HdsimError
from ..model.numbers import real
from ..model.offering import without_own
from ..model.roles import HasObstacles, Playable, offers, on_paper, require
from ..starts import named
from ..starts.sources import random
from ..viewer.draw.frame import Frame
from ..viewer.draw.look import COLORS, Look, checked_look
from ..viewer.draw.record import Piece, RecordPen
from ..viewer.draw.shapes import still_key, still_of
from ..viewer.draw.space_view import SpaceView
from ..viewer.draw.theme import THEMES
from ..viewer.parts.bar import Button
from ..viewer.playback.pace import lively_speed
from ..viewer.playback.playback import GAS, Playback
from ..viewer.stage.keys import combination
from ..viewer.windows.front import Front, Staged
from ..viewer.windows.single import Parts, make_contents
from .messages import Snapshot
from .surface import SIZES, PageCapture, Seen, Surface

STATUS_EVERY = 0.2      # seconds between two readings of the status line during play
FOR_PAGES = -0.004      # seconds of a tick that are not for the engine but for sending what a page is to draw
# While only discs move, panels are drawn again after this time over that of drawing all, seconds at most. Trails, and all else
# that is drawn over discs, are drawn with them.
PAINT_REST, PAINT_LATEST = 2.0, 0.1
DISCS_MOST = 100_000    # of a new gas; a page draws more, but placing them takes long
BUTTONS = 1, 2, 4       # of the mouse
# Quantities of a gas, and the least value of each: a number that is allowed, or one that is not.
QUANTITIES: dict[str, tuple[float, bool]] = {"discs": (1, True), "radius": (0, False), "temperature": (0, True),
                                             "mass_ratio": (0, False), "width": (0, False), "restitution": (0, True),
                                             "gravity": (0, True)}

# Serial numbers of pictures and versions of their parts. They never begin again: a page that goes on with another show would keep
# what has the same version, and drop pictures with smaller serial numbers as overtaken.
_numbers = itertools.count(1)


class CommandError(ValueError):
    """A command of a page that does not exist, or whose values are wrong, in one line. Half characters of UTF-16, which JSON can
    hold and UTF-8 cannot, are written as \\udc00."""

    def __init__(self, message: str) -> None:
        super().__init__(message.encode(errors="backslashreplace").decode())


class Show(Staged):
    """A system that is played for pages. `changed`: whether there is a picture that no snapshot has. `parts`: those of a window.

    system, speed, until, prepare, look: as for `hdsim.viewer.show`. name: of the system. It begins paused. TypeError for a system
    without the members of `hdsim.model.roles.Playable`; ValueError for a speed beyond `pace.SPEEDS`."""

    def __init__(self, system: Any, name: str = "", *, speed: float | None = None, until: float | None = None,
                 prepare: Callable[[Any], object] | None = None, look: Look | None = None) -> None:
        require(system, Playable)
        look = checked_look(look, system)
        playback = Playback(without_own(system), lively_speed(system) if speed is None else speed, until=until, paused=True,
                            prepare=prepare)
        self.surface = Surface(lambda: self._front)
        contents = make_contents(self.surface, playback, look, name, capturing=partial(PageCapture, surface=self.surface))
        self._front = Front(contents, self.surface)
        self._front.connect()
        assert isinstance(contents.parts, Parts)
        self.stage, self.parts = contents.stage, contents.parts
        self._pen = RecordPen(_numbers)
        self._seen = Seen(playback.frame, self._pen)
        self._snapshot: Snapshot | None = None
        self._panels: list[Piece] = []              # the pieces of the latest snapshot over the discs and what moves with them
        self._state_seen: tuple[Any, ...] = ()      # what the latest snapshot shows, besides the frame
        self._status, self._status_due, self._paint_due = "", 0.0, 0.0
        self._kept: dict[str, tuple[Any, tuple[int, Any]]] = {}     # what rarely changes: what it is of, version, value

    @property
    def name(self) -> str:
        """The name of the system that is shown."""
        return self.stage.name

    # the clock

    def tick(self, dt: float) -> None:
        """Advance by `dt` seconds of wall clock, if the run is not paused. An error becomes a note, and the run pauses."""
        self.playback.extra = FOR_PAGES
        try:
            self._front.tick(dt)
        except Exception as error:
            self.pause(str(error) or type(error).__name__)

    def notice(self) -> None:
        """Notice that the system was run or changed other than by this show, while it was paused."""
        system, frame = self.playback.system, self.playback.frame
        if self.playback.paused and not self.playback.seeking and (
                system.time != frame.time or system.radii is not frame.sources[0] or system.colors is not frame.sources[1]):
            self.playback.pause(self.playback.message)

    @property
    def busy(self) -> bool:
        """Whether the next picture is due soon."""
        playback = self.playback
        return not playback.paused or playback.seeking or self.parts.gallery.shown or self.changed

    @property
    def changed(self) -> bool:
        """Whether there is something new to be seen since the latest snapshot."""
        return self._front.is_stale or self._state_seen != self._state()

    def _state(self) -> tuple[Any, ...]:
        playback = self.playback
        return playback.paused, playback.speed, playback.message, playback.seeking, self.look, self.name, self.stage.noted

    def snapshot(self) -> Snapshot:
        """The present picture. The same object as long as nothing has changed."""
        if self._snapshot is None or self.changed:
            began, same = perf_counter(), not self.stage.stale and self._state_seen == self._state()
            self._front.begin_picture()
            self._front.paint_scene(self._pen, self._seen)
            if self._snapshot is not None and same and began < self._paint_due:
                pieces = self._pen.end(self._panels)
            else:
                self._state_seen, of_scene = self._state(), self._pen.count
                self._front.paint_panels(self._pen)
                self._pen.add({"b": self._buttons()})
                pieces = self._pen.end()
                self._panels, ended = pieces[of_scene:], perf_counter()
                self._paint_due = ended + min(PAINT_REST * (ended - began), PAINT_LATEST)
            self._snapshot = self._taken(pieces)
        return self._snapshot

    def _buttons(self) -> list[list[Any]]:
        """The buttons of the bar for readers of a screen and for keys: label, whether it is lit, left, bottom, right, top."""
        return [[f"{what.label} ({what.keys})" if what.keys else what.label, what.is_on(), *map(round, area)]
                for what, area in self.parts.bar.places() if isinstance(what, Button) and not self.parts.gallery.shown]

    def _taken(self, pieces: list[tuple[int, bytes]]) -> Snapshot:
        playback, seen, stage = self.playback, self._seen, self.stage
        frame, now = seen.frame, perf_counter()
        drawing = frame.drawing
        bodies = None if drawing is None or drawing.has_circles else drawing.outlines(frame.positions, frame.radii)
        if frame.drawing is not None and (order := frame.drawing.order) is not None:     # of a space: from back to front
            frame = replace(frame, positions=frame.positions[order], radii=frame.radii[order], colors=frame.colors[order])
            bodies = None if bodies is None else bodies[order]
        view = [seen.view.scale, seen.line, seen.least]
        if playback.paused or now >= self._status_due:
            self._status, self._status_due = "  ·  ".join(playback.status()), now + STATUS_EVERY
        shown = {"time": frame.time, "clock": clock.time(), "n": len(frame), "paused": playback.paused, "speed": playback.speed,
                 "seeking": playback.seeking, "status": self._status, "note": stage.noted, "name": self.name,
                 "begin": playback.history.begin, "end": playback.history.end, "colors": self.look.colors,
                 "theme": self.look.theme, "trails": list(self.look.trails), "selected": stage.selected,
                 "size": [*self.surface.get_size()], "page": self.surface.page, "fullscreen": self.surface.fullscreen}
        rest = self._scene_of(frame), pieces, self._pen.latest, self.surface.file
        if isinstance(seen.view, SpaceView):
            shown |= {"space": seen.space(), "view": [*seen.view.middle, *view]}
            none = 0, b""
            return Snapshot(next(_numbers), shown, (frame.width, frame.height), b"", none, none, *rest, b"", *seen.spheres())
        shown["view"] = [*seen.view.origin, *view]
        return Snapshot(next(_numbers), shown, (frame.width, frame.height), frame.positions.T.astype("<f4", copy=False).tobytes(),
                        self._version("discs", frame.radii, lambda: (frame.radii if bodies is None else 0 * frame.radii)
                                      .astype("<f4").tobytes()),
                        self._version("colors", frame.colors, frame.colors.tobytes), *rest,
                        b"" if bodies is None else bodies.astype("<f4").tobytes())

    def _version(self, name: str, of: Any, value: Callable[[], Any]) -> tuple[int, Any]:
        """A part of the picture with its version, which is new if what it is `of` is another object."""
        if name not in self._kept or self._kept[name][0] is not of:
            self._kept[name] = of, (next(_numbers), value())
        return self._kept[name][1]

    def _scene_of(self, frame: Frame) -> tuple[int, dict[str, Any]]:
        key = self.look.theme, still_key(frame)
        if "scene" in self._kept and self._kept["scene"][0] == key:
            return self._kept["scene"][1]
        theme = THEMES[self.look.theme]
        names = ("surround", "paper", "outline", "text", "faint", "panel", "accent", "warning", "palette")
        return self._version("scene", key, lambda: {
            **still_of(frame, theme), "theme": {name: getattr(theme, name) for name in names}})

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
        if name not in UNNOTED:
            self.stage.note("")
        try:
            action(self, **({name: values[name] for name in needs} if needs else values))
        except CommandError:
            raise
        except (HdsimError, ValueError, RuntimeError, OSError, MemoryError, OverflowError) as error:
            self.stage.note(str(error) or type(error).__name__)
        self._status_due = 0.0
        self.stage.refresh()

    def _events(self, events: Any) -> None:
        if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
            raise CommandError(f"events: expected a list of commands, found {events!r:.60}")
        for event in events:
            if event.get("do") == "events":
                raise CommandError("events: one of them is events again")
            self.do(event)

    def _size(self, width: Any, height: Any, page: Any) -> None:
        """The page that is used now, and its size."""
        across, down = (min(max(round(_number(name, value)), SIZES[0]), SIZES[1])
                        for name, value in (("width", width), ("height", height)))
        self.surface.width, self.surface.height, self.surface.page = across, down, str(page)[:64]
        self.stage.update_view()

    def _mouse(self, method: str, **values: Any) -> None:
        numbers = {name: _number(name, value) for name, value in values.items()}
        if numbers.get("button", 1) not in BUTTONS:
            raise CommandError(f"button: expected 1, 2 or 4, found {numbers['button']:g}")
        arguments = [int(value) if name in ("button", "held") else value for name, value in numbers.items()]
        self._front.mouse(method, *arguments)

    def _key(self, key: Any) -> None:
        try:
            pressed = combination(str(key))
        except (ValueError, IndexError):
            raise CommandError(f"key: expected one such as Shift+R, found {key!r:.40}") from None
        self._front.key_pressed(*pressed)

    def _file(self, name: Any, data: Any) -> None:
        """Show the system of a file of the page."""
        try:
            content = base64.b64decode(data, validate=True)
        except (TypeError, ValueError, binascii.Error):
            raise CommandError("data: expected the bytes of a file in base64") from None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / (Path(str(name)).name[:100] or "file")
            path.write_bytes(content)
            self._front.dropped([str(path)])

    def _set_speed(self, value: Any) -> None:
        self.playback.set_speed(_number("speed", value))

    def _seek(self, time: Any) -> None:
        self.playback.seek(_number("time", time))

    def _choose(self, name: str, allowed: Iterable[str], value: Any) -> None:
        """Set a value of the look."""
        if not isinstance(value, str) or value not in allowed:
            raise CommandError(f"{name}: expected {', '.join(allowed)}, found {value!r}")
        changed: dict[str, Any] = {name: value}
        self.look = replace(self.look, **changed)

    def _trail(self, disc: Any) -> None:
        """Add or remove the trail of a disc; all of them for None."""
        trails = self.look.trails
        if disc is None:
            trails = ()
        elif isinstance(disc, bool) or not isinstance(disc, int) or not 0 <= disc < len(self.playback.system):
            raise CommandError(f"disc: expected a number from 0 to {len(self.playback.system) - 1}, found {disc!r}")
        else:
            trails = tuple(i for i in trails if i != disc) if disc in trails else (*trails, disc)
        self.look = replace(self.look, trails=trails)

    def _open(self, source: Any) -> None:
        """Play an exhibit of the gallery, another named system, or so many random discs, from its start."""
        if isinstance(source, int) and not isinstance(source, bool) and 0 < source <= DISCS_MOST:
            self.parts.library.show(random(source), str(source), tr("{n:,} disc(s)", n=source))
            return
        exhibit = showcase.of_title(source)
        if exhibit is not None:
            self.parts.library.show(on_paper(exhibit.make()), exhibit.title, exhibit.sentence)
        elif isinstance(source, str) and named.is_name(source):
            self.parts.library.open(source)
        else:
            raise CommandError(f"source: expected a name of the gallery or a number of discs up to {DISCS_MOST}, "
                               f"found {source!r}")

    def _gas(self, **values: Any) -> None:
        """Change the gas as its sliders do."""
        wanted = {}
        for name, value in values.items():
            if name not in QUANTITIES:
                raise CommandError(f"gas: a gas has {', '.join(QUANTITIES)}, and no {name!r}")
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise CommandError(f"gas: {name} is {value!r}; it must be a finite number")
            least, is_allowed = QUANTITIES[name]
            if name == "discs" and not (value == int(value) and least <= value <= DISCS_MOST):
                raise CommandError(f"gas: discs is {value!r}; it must be a whole number from 1 to {DISCS_MOST}")
            if value < least or value == least and not is_allowed:
                raise CommandError(f"gas: {name} is {value!r}; it must be {'at least' if is_allowed else 'above'} 0")
            wanted[name] = float(value)
        self.parts.gas.set(wanted)
        self._say_refusal()

    def _partition(self) -> None:
        """Put a partition in the middle of the box, or pull it out."""
        self.parts.gas.toggle_partition()
        if offers(self.playback.system, HasObstacles):
            self._say_refusal()

    def _say_refusal(self) -> None:
        """Note the reason why the latest change of the gas was refused."""
        if self.playback.message not in ("", tr(GAS)):
            self.stage.note(self.playback.message)

    def pause(self, note: str = "") -> None:
        """Pause the run and show a note in the status line."""
        self.playback.pause(note)
        self._status_due = 0.0
        self.stage.refresh()

    def close(self) -> None:
        """Remove observers and timers from the system."""
        self._front.close()
        self.playback.close()


def _number(name: str, value: Any) -> float:
    try:
        if not isinstance(value, bool) and isinstance(value, (int, float)) and math.isfinite(number := real(name, value)):
            return number
    except ValueError as error:
        raise CommandError(str(error)) from None
    raise CommandError(f"{name or 'value'}: expected a finite number, found {value!r}")


# What a page can ask for, and the values that it must give; None: some of those of a gas.
COMMANDS: dict[str, tuple[Callable[..., None], tuple[str, ...] | None]] = {
    "play": (lambda show: show.playback.go_on(), ()),
    "pause": (lambda show: show.playback.pause(), ()),
    "toggle": (lambda show: show.playback.toggle(), ()),
    "step": (lambda show: show.parts.transport.step(), ()),
    "step_back": (lambda show: show.playback.step_back(), ()),
    "faster": (lambda show: show.playback.faster(), ()),
    "slower": (lambda show: show.playback.slower(), ()),
    "restart": (lambda show: show.playback.restart(), ()),
    "reverse": (lambda show: show.playback.reverse(), ()),
    "to_end": (lambda show: show.playback.seek(show.playback.history.end), ()),
    "speed": (Show._set_speed, ("value",)),
    "seek": (Show._seek, ("time",)),
    "colors": (lambda show, value: show._choose("colors", COLORS, value), ("value",)),
    "theme": (lambda show, value: show._choose("theme", tuple(THEMES), value), ("value",)),
    "trail": (Show._trail, ("disc",)),
    "open": (Show._open, ("source",)),
    "gas": (Show._gas, None),
    "partition": (Show._partition, ()),
    "size": (Show._size, ("width", "height", "page")),
    "key": (Show._key, ("key",)),
    "file": (Show._file, ("name", "data")),
    "events": (Show._events, ("events",)),
}
# The mouse: the method of parts, and its values; x and y in CSS pixels of the size of the page, y upwards.
MOUSE = {"press": ("mouse_pressed", ("x", "y", "button", "held")), "release": ("mouse_released", ("x", "y", "button", "held")),
         "drag": ("mouse_dragged", ("x", "y", "dx", "dy", "button", "held")), "move": ("mouse_moved", ("x", "y")),
         "scroll": ("mouse_scrolled", ("x", "y", "clicks")), "twist": ("mouse_twisted", ("x", "y", "angle"))}
COMMANDS |= {name: (partial(Show._mouse, method=method), needs) for name, (method, needs) in MOUSE.items()}
UNNOTED = {"size", "key", "file", "events", *MOUSE}     # after which a note stays
