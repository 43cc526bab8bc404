"""Grips: a flame and ice, a piston, a lid and gauges to drag on to the box; and, while this panel is shown, badges at hot and
cold sides and at lids, which can be dragged and pressed. Every change is an edit of `playback`, also while the run goes on."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ... import grips
from ...language import tr
from ...language.numerals import number
from ...model.box import WALLS
from ...model.handles import opened
from ...model.tinted import tint
from ..draw.area import Area
from ..draw.icons import draw_icon
from ..draw.pen import Pen
from ..draw.theme import Color
from ..draw.view import AnyView
from ..playback.playback import SIDES
from ..stage import keys
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.stage import Stage
from .eye import Eye
from .gauges import Gauges
from .menu import Entry, Menu

ROW, ICON = 28, 18          # of a thing in the panel, window units
SIZE = 9.5                  # of letters
INSET, BADGE = 20, 11       # from a side to the middle of its badge, and the radius of that, window units
STILL = 4.0                 # window units: a shorter drag is a click
OFF = 46                    # window units from the side: a badge that is dragged so far is taken off
DECADES = 2.0               # of temperature along a whole side
THINGS = {"flame": "flame: a side gets hotter", "ice": "ice: a side gets colder", "piston": "piston: pushes from a side",
          "lid": "lid: opens by a click", "manometer": "gauge of pressure", "thermometer": "thermometer"}
IN_SPACE = "flame", "ice"   # what spheres have, too
FLAME, ICE = (225, 55, 35), (40, 100, 235)


@dataclass
class Drag:
    """What is dragged. what: a thing, a side or the number of a lid; kind: which of these. x, y: where the mouse is."""

    kind: str
    what: Any
    x0: float
    y0: float
    x: float
    y: float

    def is_click(self, unit: float) -> bool:
        return math.dist((self.x0, self.y0), (self.x, self.y)) < STILL * unit


class Grips(Panel):
    """The panel of the things, and the badges on the box."""

    NEEDS = "sides"
    COMMANDS = (Command("Shift+B", "things for the box: flame, piston ...", "toggle", "physics", "sides"),
                Command("Ctrl+B", "choose one of them, and a side", "open_things", "physics", "sides"))

    def __init__(self, stage: Stage, eye: Eye, menu: Menu, gauges: Gauges) -> None:
        super().__init__(stage)
        self._eye, self._menu, self._gauges = eye, menu, gauges
        self._drag: Drag | None = None

    @property
    def name(self) -> str:      # type: ignore[override]
        return tr("on the box")

    @property
    def title(self) -> str:     # type: ignore[override]
        return tr("Drag on to the box")

    def wish(self) -> Wish:
        height = ROW * len(self._things)
        return Wish(240, height, 180, min(height, 3 * ROW))

    @property
    def _things(self) -> list[str]:
        return [thing for thing in THINGS if not self.stage.in_space or thing in IN_SPACE]

    # what keys, menus and programs do

    def open_things(self) -> None:
        """Open the list of things, in the middle of the picture."""
        x, y = self._eye.middle()
        self._menu.open([Entry(tr("put on to the box")), *(Entry(tr(THINGS[thing]), partial(self.choose_side, thing, x, y))
                                                          for thing in self._things)], x, y)

    def choose_side(self, thing: str, x: float, y: float) -> None:
        """Open the list of sides for a thing at a pixel; gauges are put in the middle of the picture."""
        if thing in ("manometer", "thermometer"):
            self.put(thing, *self._eye.middle())
            return
        entries = [Entry(tr("the {wall} wall", wall=tr(side)), partial(self.put_at_side, thing, side))
                   for side in grips.sides_of(self.stage.playback.system.box)]
        self._menu.open([Entry(tr(THINGS[thing])), *entries], x, y)

    def put_at_side(self, thing: str, side: str, place: float | None = None) -> None:
        """Put a thing at a side of the box. place: of a lid on its axis, length units; None: a quarter of the box away."""
        if thing in ("flame", "ice"):
            self._change(lambda system: grips.heat_side(system, side, thing == "flame"))
        elif thing == "piston":
            self._change(lambda system: grips.push_side(system, side))
        else:
            k = WALLS.index(side)
            length = self.stage.playback.frame.lengths[k // 2]
            at = place if place is not None else length * (0.25 if k % 2 == 0 else 0.75)
            self._change(lambda system: grips.put_lid(system, side, at))

    def put(self, thing: str, x: float, y: float) -> None:
        """Put a thing where it was dropped, at a pixel."""
        if thing in ("manometer", "thermometer"):
            self._gauges.add("pressure" if thing == "manometer" else "temperature", x, y)
            return
        side = self._nearest(x, y)
        if side is None:
            self.stage.refuse(tr("this box has no walls"))
        else:
            place = self.stage.box_view.point(x, y)[WALLS.index(side) // 2]
            self.put_at_side(thing, side, float(place))

    def set_side(self, side: str, temperature: float | None) -> None:
        """Give a side a temperature; None: make it elastic."""
        self._change(lambda system: grips.set_side(system, side, temperature))

    def open_lid(self, lid: int) -> None:
        """Open a lid, or close it, by its number among the obstacles."""
        time = self.stage.playback.system.time

        def change(system: Any) -> None:
            with system.edit() as draft:
                draft.obstacles[lid] = opened(draft.obstacles[lid], time)
        self._change(change)

    def _change(self, change: Callable[[Any], object]) -> None:
        self.stage.playback.change(change, SIDES)
        self.stage.refresh()

    # geometry, in pixels

    def _middles(self) -> dict[str, tuple[float, float]]:
        """The middle of each side that is a wall."""
        playback = self.stage.playback
        lengths = np.array(playback.frame.lengths)
        found = {}
        for side in grips.sides_of(playback.system.box):
            place = lengths / 2
            place[WALLS.index(side) // 2] = (WALLS.index(side) % 2) * lengths[WALLS.index(side) // 2]
            [(x, y)] = self.stage.box_view.pixels(place[None]).tolist()
            found[side] = x, y
        return found

    def _inwards(self, side: str) -> tuple[float, float]:
        """The direction from a side into the box, in the picture."""
        if self.stage.in_space:
            x, y = self._middles()[side]
            (cx, cy) = self.stage.box_view.pixels(np.array([self.stage.playback.frame.lengths]) / 2).tolist()[0]
            away = math.hypot(cx - x, cy - y)
            return ((cx - x) / away, (cy - y) / away) if away > self.stage.unit else (0.0, 0.0)
        k = WALLS.index(side)
        sign = 1.0 - 2.0 * (k % 2)
        return (sign, 0.0) if k < 2 else (0.0, sign)

    def _badge(self, side: str) -> tuple[float, float]:
        """Where the badge of a side is: at its middle or, if a gauge is there, beside that."""
        (x, y), (right, up), unit = self._middles()[side], self._inwards(side), self.stage.unit
        x, y = x + INSET * unit * right, y + INSET * unit * up
        across, along = (0.0, BADGE * unit) if abs(right) > abs(up) else (2 * BADGE * unit, 0.0)
        places = [(x + step * across, y + step * along) for k in range(10) for step in (k, -k)]
        return next(filter(self._gauges.leaves_free, places), (x, y))

    def _latch(self, lid: Any) -> tuple[float, float]:
        """Where the badge of a lid is: near that end which is farther from the corner where the arrow of gravity is."""
        ends, area = self.stage.box_view.pixels(np.array([lid.start, lid.end])).tolist(), self.stage.picture_area()
        (to_x, to_y), (x, y) = sorted(ends, key=lambda end: math.dist(end, (area.left, area.top)))
        share = min(2 * INSET * self.stage.unit / max(math.dist((x, y), (to_x, to_y)), 1.0), 0.5)
        return x + share * (to_x - x), y + share * (to_y - y)

    def _nearest(self, x: float, y: float) -> str | None:
        """The side nearest to a pixel: in the plane by the distance from the line, in space from the middle."""
        middles = self._middles()
        if self.stage.in_space:
            return min(middles, key=lambda side: math.dist(middles[side], (x, y)), default=None)
        axes = {side: WALLS.index(side) // 2 for side in middles}
        return min(middles, key=lambda side: abs((x, y)[axes[side]] - middles[side][axes[side]]), default=None)

    def _grabbed(self, x: float, y: float) -> tuple[str, Any] | None:
        """The badge at a pixel."""
        frame, reach = self.stage.playback.frame, 1.4 * BADGE * self.stage.unit
        for lid, door in grips.lids_among(frame.obstacles):
            if math.dist(self._latch(door), (x, y)) <= reach:
                return "lid", lid
        return next((("side", side) for side in frame.walls or {} if math.dist(self._badge(side), (x, y)) <= reach), None)

    def _sought(self, drag: Drag) -> float | None:
        """The temperature of a side whose badge is dragged; None: it is taken off."""
        side = drag.what
        right, up = self._inwards(side)
        dx, dy = (drag.x - drag.x0) / self.stage.unit, (drag.y - drag.y0) / self.stage.unit
        if abs(dx * right + dy * up) > OFF or not self.stage.picture_area().holds(drag.x, drag.y):
            return None
        along = dx * abs(up) + dy * abs(right)
        k, frame = WALLS.index(side) // 2, self.stage.playback.frame
        length = frame.lengths[1 - k if k < 2 else 0] * self.stage.box_view.scale / self.stage.unit
        now = (frame.walls or {})[side].temperature
        return float(f"{now * 10 ** (DECADES * along / max(length, 1.0)):.3g}")

    # the mouse

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._drag = None
        if not self.shown or button != keys.LEFT_BUTTON or self.stage.playback.seeking:
            return self.shown and self.area.holds(x, y)
        if self.area.holds(x, y):
            k = int((self.area.top - y) / self._row)
            if k < len(self._things):
                self._drag = Drag("thing", self._things[k], x, y, x, y)
            return True
        if not self.stage.picture_area().holds(x, y) or (found := self._grabbed(x, y)) is None:
            return False
        self._drag = Drag(*found, x, y, x, y)
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._drag is not None:
            self._drag.x, self._drag.y = x, y
            self.stage.refresh()
        return self._drag is not None

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        drag, self._drag = self._drag, None
        if drag is None:
            return False
        drag.x, drag.y = x, y
        click, inside = drag.is_click(self.stage.unit), self.stage.picture_area().holds(x, y)
        if drag.kind == "thing":
            if click:
                self.choose_side(drag.what, x, y)
            elif inside:
                self.put(drag.what, x, y)
        elif drag.kind == "side":
            if click:
                self._open_side(drag.what, x, y)
            elif drag.what in self.stage.playback.system.walls:
                self.set_side(drag.what, self._sought(drag))
        elif click:
            self.open_lid(drag.what)
        else:
            self._move_lid(drag)
        self.stage.refresh()
        return True

    def _move_lid(self, drag: Drag) -> None:
        """Put a lid where it was dragged; out of the picture, take it away."""
        known = dict(grips.lids_among(self.stage.playback.system.obstacles))
        if drag.what in known:
            inside = self.stage.picture_area().holds(drag.x, drag.y)
            at = float(self.stage.box_view.point(drag.x, drag.y)[grips.axis_of(known[drag.what])]) if inside else None
            self._change(lambda system: grips.move_lid(system, drag.what, at))

    def _open_side(self, side: str, x: float, y: float) -> None:
        """Open the menu of a side with a temperature."""
        now = self.stage.playback.system.walls[side].temperature
        self._menu.open([Entry(tr("the {wall} wall", wall=tr(side)), None, "", False, tr("temperature {T}", T=number(now))),
                         Entry(tr("hotter"), partial(self.put_at_side, "flame", side)),
                         Entry(tr("colder"), partial(self.put_at_side, "ice", side)),
                         Entry(tr("elastic, without temperature"), partial(self.set_side, side, None))], x, y)

    # drawing

    @property
    def _row(self) -> float:
        """The height of a row of the panel."""
        return min(ROW * self.stage.unit, self.area.height / max(len(self._things), 1))

    def draw(self, pen: Pen, area: Area) -> None:
        theme, unit = self.stage.theme, pen.unit
        for k, thing in enumerate(self._things):
            y, held = area.top - (k + 0.5) * self._row, self._drag is not None and self._drag.what == thing
            if held:
                pen.box(area.left, y - self._row / 2, area.right, y + self._row / 2, theme.accent, 0.15, corner=5 * unit)
            draw_icon(pen, thing, area.left + 13 * unit, y, min(ICON * unit, self._row), self._ink(thing))
            pen.write(pen.fitting(tr(THINGS[thing]), area.width - 30 * unit, SIZE), area.left + 30 * unit, y - 0.35 * SIZE * unit,
                      theme.text, SIZE)

    def _ink(self, thing: str) -> Color:
        return {"flame": FLAME, "ice": ICE}.get(thing, self.stage.theme.text)

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if not self.shown:
            return
        frame, drag = self.stage.playback.frame, self._drag
        walls = frame.walls or {}
        temperatures = [side.temperature for side in walls.values()]
        for side, wall in walls.items():
            held = drag is not None and drag.what == side
            sought = self._sought(drag) if held and drag is not None else wall.temperature
            x, y = (drag.x, drag.y) if held and drag is not None and sought is None else self._badge(side)
            color = tint(wall.temperature, min(temperatures), max(temperatures))
            self._draw_badge(pen, x, y, "flame" if color == FLAME or wall.temperature > self._gas() else "ice", color, held)
            self._write(pen, tr("elastic") if sought is None else number(sought), x, y)
        for lid, door in grips.lids_among(frame.obstacles):
            held = drag is not None and drag.kind == "lid" and drag.what == lid
            x, y = (drag.x, drag.y) if held and drag is not None else self._latch(door)
            self._draw_badge(pen, x, y, "lid", self.stage.theme.text, held)

    def _gas(self) -> float:
        return float(self.stage.playback.system.temperature)

    def _draw_badge(self, pen: Pen, x: float, y: float, icon: str, color: Color, held: bool) -> None:
        theme, unit = self.stage.theme, pen.unit
        pen.dots(np.array([(x, y)]), BADGE * unit, theme.panel, 0.95)
        pen.ring(x, y, BADGE * unit, theme.accent if held else color, 2 * unit)
        draw_icon(pen, icon, x, y, 1.4 * BADGE * unit, color)

    def _write(self, pen: Pen, text: str, x: float, y: float) -> None:
        """Write beside a badge, where there is room."""
        theme, unit, area = self.stage.theme, pen.unit, self.stage.picture_area()
        wide = pen.text_width(text, SIZE, bold=True) + 8 * unit
        left = x + (BADGE + 3) * unit
        left = left if left + wide < area.right else x - (BADGE + 3) * unit - wide
        pen.box(left, y - 9 * unit, left + wide, y + 9 * unit, theme.panel, 0.85, corner=4 * unit)
        pen.write(text, left + 4 * unit, y - 0.36 * SIZE * unit, theme.text, SIZE, bold=True)

    def draw_over(self, pen: Pen) -> None:
        """The thing that is dragged, and the side on to which it would fall."""
        drag = self._drag
        if drag is None or drag.kind != "thing" or drag.is_click(pen.unit):
            return
        if self.stage.picture_area().holds(drag.x, drag.y) and drag.what in ("flame", "ice", "piston", "lid"):
            self._draw_target(pen, drag)
        self._draw_badge(pen, drag.x, drag.y, drag.what, self._ink(drag.what), True)

    def _draw_target(self, pen: Pen, drag: Drag) -> None:
        side, view = self._nearest(drag.x, drag.y), self.stage.box_view
        if side is None:
            return
        if self.stage.in_space:
            pen.ring(*self._middles()[side], BADGE * pen.unit, self.stage.theme.accent, 3 * pen.unit)
            return
        (width, height), k = self.stage.playback.frame.lengths, WALLS.index(side)
        at = (k % 2) * (width, height)[k // 2] if drag.what != "lid" else float(view.point(drag.x, drag.y)[k // 2])
        ends = [(at, 0.0), (at, height)] if k < 2 else [(0.0, at), (width, at)]
        pen.polyline(view.pixels(np.array(ends)), self.stage.theme.accent, 5 * pen.unit, 0.8)
