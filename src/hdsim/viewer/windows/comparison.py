"""Two engines in one window: the exact engine, and time steps from the same start; with numbers of both, and a mark at the first
contact that the time steps miss. `hdsim.side_by_side` runs the engines."""
from __future__ import annotations

import math
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np
import pyglet

from ...language import tr
from ...language.numerals import number
from ...model.roles import TwoEngines
from ...reference.side_by_side import rule_of_contacts
from ...reference.timestep import PAIR_SCHEMES
from ...system import STOP
from ..draw.area import Area
from ..draw.coloring import Coloring
from ..draw.frame import Frame
from ..draw.gpu import clipped_to
from ..draw.look import Look
from ..draw.pen import Pen
from ..draw.theme import Color
from ..draw.view import View
from ..draw.visible import enlarges, least_radius
from ..parts.bar import Bar, Button
from ..parts.capture import Capture
from ..parts.eye import Eye
from ..parts.hand import TWICE
from ..parts.hud import Help, StatusLine
from ..parts.menu import Menu
from ..parts.timeline import Timeline
from ..parts.transport import Transport
from ..playback.playback import Playback, contacts
from ..stage.part import Part
from ..stage.layout import BAR, MARGIN, STATUS, TIMELINE, Layout, arrange
from ..stage.stage import LINE, Stage
from .front import SCREEN_SHARE, Contents, Discs
from .window import Window
from .window import run as run_window

WIDEST, HIGHEST, HIGH_SHARE = 1400, 1000, 0.85      # limits of a new window: window units, and share of the screen's height
HEADING, TILE, TILE_WIDTH, GUTTER = 30, 34, 90, 6   # window units at theme size 1; a tile is a number under its name
TILES = 7                                           # of time steps, which have more than the exact engine
COLUMNS = 4, 2                                      # columns of tiles; the second number if there is no room for the first
NAME, VALUE = 8.0, 10.5                             # sizes of letters of a tile
RING, RING_LEAST, DOT = 4.0, 9.0, 2.5               # window units: distance of a ring from its disc, its least radius; of the dot
ASTRAY = 5                                          # colour of the palette for discs that are off course


class Half(NamedTuple):
    """The areas in which one of the two engines is shown."""

    heading: Area
    picture: Area
    caption: Area


class Tile(NamedTuple):
    """A number under its name."""

    name: str
    value: str
    ink: Color | None = None        # colour of the value; None: the usual one
    dot: Color | None = None        # colour of a dot before the name; None: no dot


class Parts(NamedTuple):
    """The parts in the order of drawing; mouse events go to the last one first."""

    transport: Transport
    eye: ClickedEye
    timeline: OneWayTimeline
    status: StatusLine
    bar: Bar
    capture: Capture
    pause: PauseAtMiss
    files: RefuseFiles
    help: Help
    menu: Menu


def make_contents(window: Window, playback: Playback, look: Look, name: str) -> Contents:
    """Make stage, parts and painter of a window on two engines."""
    stage = Stage(window, playback, look, name)
    capture, menu = Capture(stage, window.draw_afresh), Menu(stage)
    status, bar = StatusLine(stage, capture.draw_mark), Bar(stage, menu)
    parts = Parts(Transport(stage), ClickedEye(stage), OneWayTimeline(stage), status, bar, capture, PauseAtMiss(stage, status),
                  RefuseFiles(stage), Help(stage, window.commands), menu)
    bar.all_buttons = [
        Button("restart", parts.transport, "restart", 0, 3), Button("back", parts.timeline, "step_back", 0, 1),
        Button(lambda: "play" if stage.playback.paused else "pause", parts.transport, "toggle_pause", 0, 0),
        Button("forward", parts.transport, "step", 0, 1),
        Button("colors", parts.eye, "next_theme", 1, 5), Button("whole", parts.eye, "fit", 1, 9),
        Button("picture", capture, "save_picture", 1, 7),
        Button("film", capture, "toggle_film", 1, 7, lambda: capture.filming),
        Button("help", parts.help, "toggle", 1, 2, lambda: parts.help.shown)]
    return Contents(stage, parts, TwoPictures(stage, parts))


class TwoPictures:
    """The pictures of both engines, each between its heading and its numbers. Zoom and pan apply to both; `stage.box_view` is the
    view of the first one."""

    def __init__(self, stage: Stage, parts: Parts) -> None:
        self._stage, self._parts = stage, parts
        self._coloring = Coloring(stage.playback.system.exact, stage.look.colors)

    # geometry, in pixels

    def layout(self) -> Layout:
        """The rows at the lower edge, and the rest for both engines."""
        frame = self._stage.playback.frame
        return arrange(self._stage.size, self._stage.unit, frame.width / frame.height, [])

    def picture_area(self) -> Area:
        """The area of the first picture."""
        return self.halves()[0].picture

    def make_room(self) -> None:
        """Nothing to do: this window has no panels."""

    def to_first_picture(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of the first picture at the same position of the box, for a pixel of either picture."""
        if self.halves()[1].picture.holds(x, y):
            across, up = self.shift()
            return x - across, y - up
        return x, y

    def halves(self) -> tuple[Half, Half]:
        """The areas of both engines: side by side, or one above the other if that gives larger pictures."""
        (width, height), unit = self._stage.size, self._stage.unit
        bottom, frame = round(self.layout().picture.bottom), self._stage.playback.frame
        wide, high = (width - round(GUTTER * unit)) // 2, (height - bottom) // 2
        beside = Area(0, bottom, wide, height), Area(width - wide, bottom, width, height)
        stacked = Area(0, height - high, width, height), Area(0, bottom, width, bottom + high)
        arrangements = [(self._half(first), self._half(second)) for first, second in (beside, stacked)]
        return max(arrangements, key=lambda halves: min(halves[0].picture.width / frame.width,
                                                        halves[0].picture.height / frame.height))

    def _half(self, area: Area) -> Half:
        heading = round(area.top - HEADING * self._stage.unit)
        caption = round(area.bottom + TILE * self._stage.unit * math.ceil(TILES / self._columns(area)))
        return Half(area._replace(bottom=heading), area._replace(bottom=caption, top=heading), area._replace(top=caption))

    def _columns(self, area: Area) -> int:
        return COLUMNS[0] if area.width >= COLUMNS[0] * TILE_WIDTH * self._stage.unit else COLUMNS[1]

    def shift(self) -> tuple[float, float]:
        """The offset in pixels from the first picture to the second one."""
        first, second = self.halves()
        return second.picture.left - first.picture.left, second.picture.bottom - first.picture.bottom

    # drawing

    @property
    def _both(self) -> TwoEngines:
        return self._stage.playback.system

    def paint_scene(self, pen: Pen, scene: Discs) -> None:
        stage, both, halves, (across, up) = self._stage, self._both, self.halves(), self.shift()
        pen.box(0, 0, *pen.size, stage.theme.surround)
        pen.flush()
        exact, astray = replace(Frame.of(both.exact), colors=self._coloring.of(both.exact)), both.astray
        colors = np.where(astray[:, None], np.array(stage.theme.palette[ASTRAY], np.uint8), exact.colors)
        stepped = replace(exact, positions=np.asfortranarray(both.time_driven.positions.astype(np.float32)), colors=colors)
        first = stage.box_view
        assert isinstance(first, View)      # both engines are of discs
        views = first, replace(first, origin=(first.origin[0] + across, first.origin[1] + up))
        for half, frame, view in zip(halves, (exact, stepped), views):
            with clipped_to(half.picture):
                scene.draw(frame, view, LINE * stage.unit, least_radius(frame, view, stage.unit))
            self._mark(pen, frame, view, half.picture)
            pen.flush(clip=half.picture)

    def paint_panels(self, pen: Pen) -> None:
        for half, tiles, words in zip(self.halves(), self._tiles(int(self._both.astray.sum())), self._headings()):
            self._head(pen, half, *words)
            self._write_tiles(pen, half.caption, tiles)
        pen.flush()
        for part in self._parts:
            part.draw_over(pen)
            pen.flush()

    def _mark(self, pen: Pen, frame: Frame, view: View, area: Area) -> None:
        """Mark the first missed contact: a ring around each of its discs, and a dot at the point of contact."""
        first, unit, theme = self._both.first_missed, self._stage.unit, self._stage.theme
        if first is None:
            return
        discs = [first.i, first.j]
        centres = np.array([view.to_pixel(*place) for place in frame.positions[discs].tolist()])
        radii = np.maximum(frame.radii[discs] * view.scale + RING * unit, RING_LEAST * unit)
        pen.rings(centres, radii, theme.warning, 2 * unit)
        x, y = view.to_pixel(*first.place)
        if area.holds(x, y):
            pen.dots(np.array([(x, y)]), DOT * unit, theme.warning)

    def _headings(self) -> tuple[tuple[str, str, Color], tuple[str, str, Color]]:
        """The headings of both pictures: the engine, and a note on it with its colour. At the second one the first missed contact
        takes the place of the note."""
        both, theme = self._both, self._stage.theme
        stepped, pairs, first = both.time_driven, math.comb(len(both), 2), both.first_missed
        enlarged = enlarges(self._stage.playback.frame, self._stage.box_view, self._stage.unit)
        said = [rule_of_contacts(both), tr("small discs enlarged") if enlarged else ""]
        note = (tr("N (N \N{MINUS SIGN} 1) / 2 = {pairs:,} check(s) a step", pairs=pairs) if stepped.scheme in PAIR_SCHEMES
                else tr("no checks of pairs"))
        if first is not None:
            note = tr("first missed: discs {i} and {j} at t = {time:.6g}", i=first.i, j=first.j, time=first.time)
        return ((tr("Events: the exact engine"), "; ".join(filter(None, said)), theme.faint),
                (tr("Time steps: dt = {dt:g}, {scheme}", dt=stepped.dt, scheme=stepped.scheme), note,
                 theme.faint if first is None else theme.warning))

    def _tiles(self, astray: int) -> tuple[list[Tile], list[Tile]]:
        """The tiles of both engines, and for time steps also overlap and missed contacts. astray: number of discs off course."""
        both, theme = self._both, self._stage.theme
        exact, steps, (exact_error, error) = both.exact.statistics, both.time_driven.statistics, both.energy_errors
        looks = both.time_driven.scheme in PAIR_SCHEMES
        return ([Tile(tr("collisions"), f"{contacts(both.exact):,}"),
                 Tile(tr("events"), f"{exact['events']:,}"), Tile(tr("checks of a pair"), f"{exact['predictions']:,}"),
                 Tile(tr("energy error"), number(exact_error, 2))],
                [Tile(tr("collisions"), f"{contacts(both.time_driven):,}"),
                 Tile(tr("steps"), f"{steps['steps']:,}"), Tile(tr("checks of a pair"), f"{steps['checks']:,}"),
                 Tile(tr("energy error"), number(error, 2)),
                 Tile(tr("deepest overlap"), f"{100 * both.time_driven.deepest_overlap:.3g} %" if looks else "\N{EN DASH}"),
                 Tile(tr("missed"), tr("{n:,} of {all:,}", n=both.missed, all=exact["pair_contacts"]),
                      theme.warning if both.missed else None),
                 Tile(tr("discs off course"), tr("{n:,} of {all:,}", n=astray, all=len(both)), dot=theme.palette[ASTRAY])])

    def _head(self, pen: Pen, half: Half, title: str, note: str, ink: Color) -> None:
        theme, unit, area = self._stage.theme, self._stage.unit, half.heading
        inset, y = MARGIN * unit, area.bottom + 0.2 * HEADING * unit
        end = area.left + inset + pen.write(title, area.left + inset, y, theme.text, VALUE, bold=True)
        if end + 2 * inset + pen.text_width(note, NAME) < area.right - inset:
            pen.write(note, area.right - inset, y, ink, NAME, anchor="right")

    def _write_tiles(self, pen: Pen, area: Area, tiles: list[Tile]) -> None:
        theme, unit, columns = self._stage.theme, self._stage.unit, self._columns(area)
        width = (area.width - 2 * MARGIN * unit) / columns
        for k, tile in enumerate(tiles):
            x, y = area.left + MARGIN * unit + k % columns * width, area.top - (k // columns + 1) * TILE * unit
            shift = 0.0
            if tile.dot is not None:
                pen.dots(np.array([(x + 4 * unit, y + 25 * unit)]), 4 * unit, tile.dot)
                shift = 12 * unit
            pen.write(tile.name, x + shift, y + 21 * unit, theme.faint, NAME)
            pen.write(tile.value, x, y + 5 * unit, tile.ink or theme.text, VALUE)


class PauseAtMiss(Part):
    """Pauses the run at the first missed contact."""

    def __init__(self, stage: Stage, status: StatusLine) -> None:
        super().__init__(stage)
        self._status = status
        self._before: tuple[TwoEngines, object] | None = None       # engines and first miss before the tick

    def ticking(self) -> None:
        both = self.stage.playback.system
        self._before = both, both.first_missed

    def ticked(self, dt: float) -> None:
        playback = self.stage.playback
        assert self._before is not None
        both, before = self._before
        first = both.first_missed
        if before is None and first is not None and playback.system is both and both.time == first.time:
            playback.pause(tr("discs {i} and {j} meet: the other engine misses that", i=first.i, j=first.j))
            self._status.update()


class RefuseFiles(Part):
    """Refuses files that are dropped on the window, because its two engines belong to one start."""

    def dropped(self, paths: list[str]) -> None:
        self.stage.refuse(tr("two engines have one start: another one needs a window of its own"))


class OneWayTimeline(Timeline):
    """The timeline without the key that reverses velocities, which two engines do not support."""

    COMMANDS = tuple(command for command in Timeline.COMMANDS if command.method != "reverse")


class ClickedEye(Eye):
    """Zoom and pan, with a double click for the whole box, which in other windows belongs to `Hand`."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._clicked = -math.inf       # time of the latest click

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not super().mouse_pressed(x, y, button, modifiers):
            return False
        then, self._clicked = self._clicked, perf_counter()
        if self._clicked - then < TWICE:
            self.fit()
        return True


def suitable_size(frame: Frame) -> dict[str, int]:
    """Width and height of a new window for two boxes of this shape on this screen, in window units."""
    screen = pyglet.display.get_display().get_default_screen()
    widest, highest = min(WIDEST, SCREEN_SHARE * screen.width), min(HIGHEST, HIGH_SHARE * screen.height)
    columns = 2 if frame.width < 1.5 * frame.height else 1
    rows, beside = 3 - columns, HEADING + 2 * TILE
    height = min(highest, rows * (widest / columns * frame.height / frame.width + beside) + STATUS + TIMELINE + BAR)
    scale = ((height - STATUS - TIMELINE - BAR) / rows - beside) / frame.height
    return {"width": round(min(widest, max(columns * (scale * frame.width + 2 * MARGIN), 640))), "height": round(height)}


def run(system, *arguments, prepare=None, **options):
    """`hdsim.viewer.show` of a SideBySide: the run stops at the first missed contact, and the window pauses there."""
    def arm(both) -> None:
        if prepare is not None:
            prepare(both)
        both.on_first_missed(lambda missed: STOP)
    return run_window(system, *arguments, prepare=arm, make_contents=make_contents, suitable_size=suitable_size, **options)
