"""Building: obstacles, gates and doors are drawn, dragged, changed and removed while the run is paused.

Every change is an edit of `playback`; the system refuses one that is not valid, such as a wall through a disc, and then stays
unchanged."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...language import tr
from ...model.box import Box
from ...model.colors import rms_speed
from ...model.gates import openings_of, rule_of
from ...model.handles import KINDS, drawn, grid_step, handles_of, opened, polylines_of, shifted, snapped, with_handle
from ...model.obstacles import Obstacle, pieces_of
from ...model.offering import lacking
from ...model.motion import displacement
from ...model.pieces import Point
from ...model.placed import placed
from ...model.rules import Rule, always, coming, faster, slower
from ..draw.pen import Pen
from ..draw.space_view import SpaceView
from ..draw.view import AnyView
from ..playback.wording import obstacle_name
from ..stage import keys
from ..stage.commands import MODIFIERS, Command
from ..stage.obstacle_picking import ObstacleFinder
from ..stage.part import Part
from ..stage.picking import disc_at
from ..stage.stage import Stage
from .eye import Eye
from .menu import Entry, Menu

CHANGED = "obstacles changed"
SLACK, STILL = 6.0, 4.0         # window units: the mouse this close to a line or a handle is on it; a shorter drag is a click
NUDGE = 4.0                     # window units of a move by key
HANDLE = 4.5                    # half of the side of a handle, window units
SIZE = 0.25                     # of an obstacle that is added by a key, over the shorter side of the box
SHIFT = MODIFIERS["Shift"]
KIND_NAMES = {"wall": "a wall", "circle": "a circle", "block": "a block", "arc": "half a circle", "gate": "a wall with a gate",
              "door": "a wall with a door", "piston": "a piston"}


class Building(Part):
    """The obstacle that is chosen, and the tool with which another one is drawn. Positions are those of the obstacle at the
    present time, without the displacement `_shift` of the image at which it was chosen."""

    COMMANDS = (
        Command("D", "draw a wall, a circle, a gate, a door ...", "open_tools", "disc", "obstacles"),
        Command("I", "choose the next obstacle (or click its line)", "select_next", "disc", "obstacles"),
        Command("Shift+I", "choose its next handle; Ctrl+arrows move it", "next_handle", "disc", "obstacles"),
    )

    def __init__(self, stage: Stage, eye: Eye, menu: Menu) -> None:
        super().__init__(stage)
        self._eye, self._menu = eye, menu
        self._finder = ObstacleFinder()
        self._chosen: int | None = None             # the index of the chosen obstacle
        self._handle: int | None = None             # of the handle that keys move; None: the whole obstacle
        self._shift = 0.0, 0.0
        self._tool = ""                             # one of KINDS while something is drawn
        self._pressed: Point | None = None          # pixel at which a drag began
        self._grabbed: int | None = None            # the handle that is dragged; None: the whole obstacle
        self._ghost: list[Obstacle] = []            # what the present drag would give

    # what keys, menus and programs do

    @property
    def chosen(self) -> int | None:
        """The index of the chosen obstacle, or None."""
        return self._chosen if self._chosen is not None and self._chosen < len(self._obstacles) else None

    @property
    def chosen_obstacle(self) -> Obstacle | None:
        """The chosen obstacle, as the system has it."""
        return None if self.chosen is None else self._obstacles[self.chosen]

    def chosen_middle(self) -> Point:
        """The pixel in the middle of the chosen obstacle; of a half-plane, of its point."""
        assert self.chosen is not None
        obstacle = self._here(self.chosen)
        points = (np.array(handles_of(obstacle)[:1]) if pieces_of(obstacle).endless else
                  np.vstack(polylines_of(obstacle, self._box)))
        x, y = ((points.min(axis=0) + points.max(axis=0)) / 2).tolist()
        return self._pixel((x, y))

    def change(self, change: Callable[[Any], Obstacle]) -> None:
        """Replace the chosen obstacle by what `change` makes of it, as an edit."""
        if self.chosen is not None:
            self._put(self.chosen, change)

    @property
    def _obstacles(self) -> tuple[Obstacle, ...]:
        return self.stage.playback.frame.obstacles

    def _here(self, index: int) -> Obstacle:
        """An obstacle where it is now."""
        return placed(self._obstacles[index], self.stage.playback.frame.time)

    def open_tools(self) -> None:
        """Open the list of what can be drawn, in the middle of the picture."""
        self._menu.open(self.entries(), *self._eye.middle())

    def entries(self) -> list[Entry]:
        """The list of what can be drawn, as entries of a menu."""
        return [Entry(tr("draw, from point to point")),
                *(Entry(tr(KIND_NAMES[kind]), partial(self.take, kind), "", kind == self._tool) for kind in KINDS)]

    def take(self, kind: str) -> None:
        """Pause, and draw an obstacle of one of `handles.KINDS` with the next drag of the mouse, or by Enter."""
        if not self._can_build():
            return
        self.stage.playback.pause()
        self._tool, self._chosen = kind, None
        self.stage.note(tr("drag from point to point, or Enter; Shift snaps; Esc: no"))

    def add(self, kind: str, start: Point, end: Point) -> None:
        """Add an obstacle of one of `handles.KINDS` from `start` to `end`, length units."""
        try:
            new = [self._named(obstacle) for obstacle in drawn(kind, start, end)]
        except ValueError as error:
            self.stage.refuse(str(error))
            return
        count = len(self._obstacles)
        self._edit(lambda obstacles: [*obstacles, *new])
        if len(self._obstacles) > count:
            self._choose(count + (1 if len(new) > 1 else 0))

    def select_next(self) -> None:
        """Choose the next obstacle."""
        if self._obstacles:
            self._choose(0 if self.chosen is None else (self.chosen + 1) % len(self._obstacles))
        else:
            self.stage.refuse(tr("there are no obstacles: D draws one"))

    def next_handle(self) -> None:
        """Choose the next handle of the chosen obstacle for the keys that move it, and after the last one the whole of it."""
        if self.chosen is not None:
            count = len(handles_of(self._obstacles[self.chosen]))
            self._handle = 0 if self._handle is None else self._handle + 1 if self._handle + 1 < count else None
            self.stage.refresh()

    def move(self, dx: float, dy: float, snap: bool = False) -> None:
        """Move the chosen handle, or the whole obstacle, by (dx, dy), length units. snap: on to the grid."""
        if self.chosen is None:
            return
        x, y = handles_of(self._here(self.chosen))[self._handle or 0]
        at = snapped(x + dx, y + dy, self._box, (), 0.0) if snap else (x + dx, y + dy)
        self._reshape(self.chosen, lambda old: with_handle(old, self._handle, *at) if self._handle is not None
                      else shifted(old, at[0] - x, at[1] - y))

    def remove(self) -> None:
        """Remove the chosen obstacle."""
        if (index := self.chosen) is not None:
            self._edit(lambda obstacles: [*obstacles[:index], *obstacles[index + 1:]])
            self._choose(None)

    def choose(self, index: int | None) -> None:
        """Choose the obstacle of this index, or none."""
        self._choose(index)

    def set_rule(self, rule: Rule) -> None:
        """Let the chosen gate have another rule."""
        self.change(lambda old: replace(old, opens=rule))

    def toggle_door(self) -> None:
        """Open the chosen door now, or close it, for good."""
        time = self.stage.playback.system.time
        self.change(lambda old: opened(old, time))

    # editing

    @property
    def _box(self) -> Box:
        frame = self.stage.playback.frame
        return Box(frame.width, frame.height, frame.periodic)

    def _can_build(self) -> bool:
        if reason := lacking(self.stage.playback.system, "obstacles"):
            self.stage.refuse(reason)
        return not reason

    def _named(self, obstacle: Obstacle) -> Obstacle:
        """A gate with a name of its own, by which its ledger is called."""
        taken = {other.name for other in self._obstacles}
        free = (name for k in range(1, len(taken) + 2) if (name := f"gate {k}") not in taken)
        return replace(obstacle, name=next(free)) if rule_of(obstacle) is not None else obstacle

    def _put(self, index: int, change: Callable[[Any], Obstacle]) -> None:
        """Replace an obstacle by what `change` makes of it."""
        try:
            new = change(self._obstacles[index])
        except ValueError as error:
            self.stage.refuse(str(error))
            return
        self._edit(lambda obstacles: [*obstacles[:index], new, *obstacles[index + 1:]])

    def _reshape(self, index: int, change: Callable[[Any], Obstacle]) -> None:
        """Replace an obstacle by what `change` makes of it where it is now; its motion stays."""
        dx, dy = displacement(self._obstacles[index], self.stage.playback.frame.time)
        self._put(index, lambda old: shifted(change(shifted(old, dx, dy)), -dx, -dy) if dx or dy else change(old))

    def _edit(self, change: Callable[[Sequence[Obstacle]], list[Obstacle]]) -> None:
        """Change the list of obstacles, as an edit of the run."""
        if not self._can_build():
            return

        def action(system: Any) -> None:
            with system.edit() as draft:
                draft.obstacles = change(draft.obstacles)
        self.stage.playback.change(action, CHANGED)
        self.stage.refresh()

    def _choose(self, index: int | None, shift: Point = (0.0, 0.0)) -> None:
        self._chosen, self._handle, self._shift = index, None, shift
        if index is not None:
            self.stage.selected = None      # so that Del and Ctrl with arrows mean the obstacle
        self.stage.refresh()

    # keys

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        """Enter draws at the middle; Esc puts the tool down; Del and Ctrl with an arrow act on the chosen obstacle, if no disc is
        selected."""
        if self._tool and symbol in (keys.RETURN, keys.ESCAPE):
            kind, self._tool = self._tool, ""
            self.stage.note("")
            if symbol != keys.ESCAPE:
                x, y = self.stage.box_view.point(*self._eye.middle()).tolist()
                half = 0.5 * SIZE * min(self._box.width, self._box.height)
                self.add(kind, snapped(x, y - half, self._box, (), 0.0), snapped(x, y + half, self._box, (), 0.0))
            return True
        if self.chosen is None or self.stage.selected is not None:
            return False
        if symbol in (keys.DELETE, keys.BACKSPACE):
            self.remove()
        elif symbol == ord("x") and not modifiers:
            self._choose(None)
        elif symbol in ARROWS and modifiers in (MODIFIERS["Ctrl"], MODIFIERS["Ctrl"] | SHIFT):
            step = grid_step(self._box) if modifiers & SHIFT else NUDGE * self.stage.unit / self.stage.box_view.scale
            right, up = ARROWS[symbol]
            self.move(step * right, step * up, bool(modifiers & SHIFT))
        else:
            return False
        return True

    # the mouse

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        stage, self._pressed, self._ghost = self.stage, None, []
        if not stage.picture_area().holds(x, y) or stage.playback.seeking or not stage.playback.paused:
            return False
        if button != keys.LEFT_BUTTON:
            return False
        if self._tool:
            self._pressed = x, y
            return True
        self._grabbed = self._handle_at(x, y)
        if self._grabbed is None and not self._find(x, y):
            self._choose(None)
            return False
        self._handle, self._pressed = self._grabbed, (x, y)
        stage.refresh()
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._pressed is None:
            return False
        if self._ghost or math.dist(self._pressed, (x, y)) >= STILL * self.stage.unit:
            self._ghost = self._dragged_to(x, y, bool(modifiers & SHIFT))
            self.stage.refresh()
        return True

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if self._pressed is None:
            return False
        ends = self._line(x, y, bool(modifiers & SHIFT))
        tool, ghost = self._tool, self._ghost
        self._pressed, self._ghost = None, []
        if tool and ghost:
            self._tool = ""
            self.add(tool, *ends)
        elif ghost and self.chosen is not None:
            self._reshape(self.chosen, lambda old: ghost[0])
        self.stage.refresh()
        return True

    def _find(self, x: float, y: float) -> bool:
        """Choose the obstacle at a pixel; returns whether there is one, and no disc."""
        frame, view = self.stage.playback.frame, self.stage.box_view
        if isinstance(view, SpaceView):     # in three dimensions there are no obstacles
            return False
        place = view.to_box(x, y)
        found = None if disc_at(frame, *place, 0.0) is not None or not frame.obstacles else self._finder.at(
            frame, *place, SLACK * self.stage.unit / view.scale)
        if found is None:
            return False
        self._choose(found.number, found.shift)
        return True

    def _handle_at(self, x: float, y: float) -> int | None:
        """The handle of the chosen obstacle at a pixel."""
        if self.chosen is None:
            return None
        away = [math.dist(self._pixel(point), (x, y)) for point in handles_of(self._here(self.chosen))]
        return int(np.argmin(away)) if min(away) <= 1.5 * SLACK * self.stage.unit else None

    def _pixel(self, point: Point) -> Point:
        [pixel] = self.stage.box_view.pixels(np.add(point, self._shift)).tolist()
        return pixel[0], pixel[1]

    def _place(self, x: float, y: float) -> Point:
        px, py = self.stage.box_view.point(x, y).tolist()
        return px - self._shift[0], py - self._shift[1]

    def _snapped(self, x: float, y: float, but: int | None) -> Point:
        """A place on the grid, or at a handle of another obstacle or a corner of the box. but: the obstacle that is moved."""
        width, height = self._box.width, self._box.height
        points = [point for k in range(len(self._obstacles)) if k != but for point in handles_of(self._here(k))]
        points += [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
        return snapped(x, y, self._box, points, 2 * SLACK * self.stage.unit / self.stage.box_view.scale)

    def _line(self, x: float, y: float, snap: bool) -> tuple[Point, Point]:
        """From where the drag began to a pixel, as places in the box."""
        (x0, y0), (x1, y1) = (self.stage.box_view.point(*pixel).tolist() for pixel in (self._pressed or (x, y), (x, y)))
        return (self._snapped(x0, y0, None), self._snapped(x1, y1, None)) if snap else ((x0, y0), (x1, y1))

    def _dragged_to(self, x: float, y: float, snap: bool) -> list[Obstacle]:
        """What the drag to a pixel would give; nothing if that is no shape."""
        try:
            if self._tool:
                return drawn(self._tool, *self._line(x, y, snap))
            if self.chosen is None or self._pressed is None:
                return []
            old = self._here(self.chosen)
            begin, here = self._place(*self._pressed), self._place(x, y)
            first = handles_of(old)[self._grabbed or 0]
            at = first[0] + here[0] - begin[0], first[1] + here[1] - begin[1]
            at = self._snapped(*at, self.chosen) if snap else at
            if self._grabbed is None:
                return [shifted(old, at[0] - first[0], at[1] - first[1])]
            return [with_handle(old, self._grabbed, *at)]
        except ValueError:
            return []

    def open_menu(self, x: float, y: float, more: Callable[[Obstacle], list[Entry]]) -> bool:
        """Choose the obstacle at a pixel and open its menu, with more lines for it; returns whether there is one, and no disc."""
        if not self._find(x, y) or self.chosen is None:
            return False
        obstacle = self._obstacles[self.chosen]
        entries = [Entry(obstacle_name(self._obstacles, self.chosen))]
        if (own := rule_of(obstacle)) is not None:
            entries += [Entry(said, partial(self.set_rule, rule), "", own == rule) for said, rule in self._rules()]
        if openings_of(obstacle) is not None:
            entries.append(Entry(tr("open or close it now"), self.toggle_door))
        self._menu.open([*entries, *more(obstacle), Entry(tr("remove it"), self.remove, "Del")], x, y)
        return True

    def _rules(self) -> list[tuple[str, Rule]]:
        """Rules that a gate can be given, in words."""
        speed = float(f"{rms_speed(self.stage.playback.system):.2g}")
        return [(tr("lets all pass"), always), (tr("lets pass from the left"), coming("left")),
                (tr("lets pass from the right"), coming("right")),
                (tr("a demon: fast ones from the left, slow ones from the right"),
                 coming("left") & faster(speed) | coming("right") & slower(speed))]

    def system_changed(self) -> None:
        if self._chosen is not None and self._chosen >= len(self._obstacles):
            self._chosen = None
        if self.stage.in_space:
            self._tool = ""

    # drawing

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if not self.stage.playback.paused:
            return
        theme, unit = self.stage.theme, pen.unit
        if self.chosen is not None:
            obstacle = self._here(self.chosen)
            self._draw_outline(pen, obstacle, 3 * unit, 0.5)
            for k, point in enumerate(handles_of(obstacle)):
                x, y = self._pixel(point)
                half = HANDLE * unit
                pen.box(x - half, y - half, x + half, y + half, theme.accent if k == self._handle else theme.paper, 1.0)
                pen.box(x - half, y - half, x + half, y + half, theme.accent, 1.0, width=1.5 * unit)
        for obstacle in self._ghost:
            self._draw_outline(pen, obstacle, 2 * unit, 1.0)

    def _draw_outline(self, pen: Pen, obstacle: Obstacle, width: float, alpha: float) -> None:
        shift = (0.0, 0.0) if self._tool else self._shift
        for points in polylines_of(obstacle, self._box):
            pen.polyline(self.stage.box_view.pixels(points + np.array(shift)), self.stage.theme.accent, width, alpha)


ARROWS = {keys.LEFT: (-1, 0), keys.RIGHT: (1, 0), keys.UP: (0, 1), keys.DOWN: (0, -1)}
