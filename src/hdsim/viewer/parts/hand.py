"""Hand: selects a disc, changes its position or velocity, adds and removes discs. Every change is an edit of `playback`; the
system refuses an edit that is not valid and then stays unchanged."""
from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter

import numpy as np

from ...language import tr
from ...model.box import lengths_of
from ...model.offering import unchangeable
from ...model.roles import Editable
from ...system import Particle, Sphere
from ..draw.frame import Frame
from ..draw.pen import Pen
from ..draw.view import AnyView
from ..draw.visible import least_radius
from ..stage import keys
from ..stage.aim import FASTER, TURN, Aim, Moving, turned
from ..stage.commands import Command
from ..stage.part import Part
from ..draw.space_view import SpaceView
from ..stage.picking import copies, disc_at, felt_by, has_room, index_of, number_of, place_of, wrapped
from ..stage.stage import Stage
from .eye import Eye
from ..stage.hold import Hold

SLACK = 5.0             # window units: a click this close to a disc hits it
STILL = 4.0             # window units: a mouse button released within this distance is a click
TWICE = 0.4             # largest number of seconds between the clicks of a double click
NUDGE = 4.0             # window units of a move by key
SPIRAL = 400            # places that are tried for a disc beside another one
NEW_RADIUS = 0.02       # radius of a disc in an empty box, over the shorter side of the box
ADDED, REMOVED = "disc added", "disc removed"


class Hand(Part):
    """Selection and editing of discs. A disc can be dragged: while the run is paused it is moved, and while the run goes on it is
    held by the mouse, see `hold`. In a picture that is magnified only the selected disc can be dragged, because a drag from
    another point moves the picture, and a dense system has little free area. While the run is paused, the tip of the arrow of
    the selected disc can be dragged, too. Of spheres, too, only the selected one can be dragged, in the plane of the screen,
    because a drag from another point turns the box.
    """

    COMMANDS = (
        Command("Tab Z", "select the next disc (or click)", "select_by", "disc", values=(+1,)),
        Command("Shift+Tab Shift+Z", "the one before", "select_by", "disc", values=(-1,)),
        Command("X", "select none", "unselect", "disc"),
        Command("Ins A", "add one, like it, at the mouse", "add", "disc", "changes"),
        Command("Del Backspace", "remove it", "remove", "disc", "changes"),
        Command("Ctrl+Left", "and other arrows: move it (or the picture)", "move", "disc", values=(-1, 0)),
        Command("Ctrl+Right", "", "move", "disc", values=(+1, 0)),
        Command("Ctrl+Up", "", "move", "disc", values=(0, +1)),
        Command("Ctrl+Down", "", "move", "disc", values=(0, -1)),
        Command("Shift+Up", "faster; Shift+Down: slower", "scale_velocity", "disc", "changes", (FASTER,)),
        Command("Shift+Down", "", "scale_velocity", "disc", "changes", (1 / FASTER,)),
        Command("Shift+Left", "turn left; Shift+Right: turn right", "turn", "disc", "changes", (TURN,)),
        Command("Shift+Right", "", "turn", "disc", "changes", (-TURN,)),
    )

    def __init__(self, stage: Stage, eye: Eye) -> None:
        super().__init__(stage)
        self._eye = eye
        self._hold, self._aim = Hold(stage), Aim(stage)
        self._grabbed: int | None = None                            # the number of the disc at which a button was pressed
        self._mouse: tuple[float, float] | None = None              # pixels; None before its first motion over the picture
        self._pressed: tuple[float, float] | None = None            # pixel at which a button was pressed
        self._moved = False                                         # whether the mouse has moved more than a click allows
        self._dragged = ""                                          # "disc", "tip", "hold" or ""
        self._clicked: tuple[float, float, float] = -math.inf, 0.0, 0.0      # time and pixel of the latest click

    # what the keys do

    def select_by(self, step: int) -> None:
        """Select the disc that is so many after the selected one; without one, the first or the last."""
        n, selected = len(self.stage.playback.system), self.stage.selected
        if n:
            self.stage.selected = (0 if step > 0 else n - 1) if selected is None else (selected + step) % n
        self.stage.refresh()

    def unselect(self) -> None:
        self.stage.selected = None
        self.stage.refresh()

    def move(self, right: int, up: int) -> None:
        """Move the selected disc by so many steps of NUDGE; without one, the picture."""
        if self._number is None or unchangeable(self.stage.playback.system):
            self._eye.pan(right, up)
        else:
            step = NUDGE * self.stage.unit
            self._move_by(step * right, step * up)

    def scale_velocity(self, factor: float) -> None:
        """Make the selected disc so many times as fast; one at rest begins to move."""
        start = self._in_picture(*self._aim.scaled(np.zeros(2), factor)) if factor > 1 else None
        self._change_velocity(lambda velocity: velocity * factor if velocity.any() or start is None else start)

    def turn(self, angle: float) -> None:
        """Turn the velocity of the selected disc in the picture, counterclockwise."""
        self._change_velocity(lambda velocity: self._in_picture(*turned(np.array(self._seen(velocity)), angle))
                              + self._to_eye(velocity))

    def add(self, at: tuple[float, float] | None = None) -> None:
        """Add a disc at rest at a pixel, or at the mouse, or in the centre: a copy of the selected disc, or of the one of median
        radius."""
        stage = self.stage
        if at is None:
            at = self._mouse if self._mouse is not None and stage.picture_area().holds(*self._mouse) else self._eye.middle()
        place, like = stage.box_view.point(*at), self._number

        def put(system) -> None:
            stage.selected = system.add(_at_rest(place, *_pattern(system, index_of(system, like))))
        stage.playback.change(put, ADDED)

    def add_beside(self) -> None:
        """Add a disc like the selected one, at rest, in the nearest free place of those on a spiral around it."""
        stage, number = self.stage, self._needed()
        if number is None:
            return

        def put(system) -> None:
            def beside(index: int) -> None:
                place = _free_place(system, stage.playback.frame, self._in_picture, index)
                stage.selected = system.add(_at_rest(place, *_pattern(system, index)))
            _of(system, number, beside)
        stage.playback.change(put, ADDED)

    def stop(self) -> None:
        """Set the velocity of the selected disc to 0."""
        self._change_velocity(lambda velocity: 0.0 * velocity)

    def toggle_weight(self) -> None:
        """Make the selected disc infinitely heavy and stop it; or, if it is, give it the mass of other discs of its size."""
        if (number := self._needed()) is None:
            return

        def put(draft, index: int) -> None:
            if math.isinf(draft.masses[index]):
                draft.masses[index] = _usual_mass(draft.radii, draft.masses, index, draft.positions.shape[1])
            else:
                draft.masses[index], draft.velocities[index] = math.inf, 0.0
        self._edit(number, put)

    def remove(self) -> None:
        """Remove the selected disc."""
        if (number := self._needed()) is not None:
            self.stage.playback.change(lambda system: _of(system, number, system.remove), REMOVED)

    # selecting

    @property
    def _number(self) -> int | None:
        """The number of the selected disc, or None. A delayed edit needs it, because the index of the disc may change
        meanwhile."""
        system, index = self.stage.playback.system, self.stage.selected
        return None if index is None else number_of(system, index)

    def _needed(self) -> int | None:
        """The number of the selected disc; without one None, and a note in the status line."""
        number = self._number
        if number is None:
            self.stage.refuse(tr("no disc is selected: click one, or press Tab", of=self.stage.dimension))
        return number

    def _click(self, x: float, y: float) -> None:
        """Select the disc at a pixel; a double click shows the whole box."""
        now, (then, x0, y0) = perf_counter(), self._clicked
        if now - then < TWICE and math.hypot(x - x0, y - y0) < STILL * self.stage.unit:
            self._clicked = -math.inf, 0.0, 0.0
            self._eye.fit()
            return
        self._clicked = now, x, y
        self.stage.selected = self.disc_at(x, y)

    def disc_at(self, x: float, y: float) -> int | None:
        """The index of the disc at a pixel, or of the nearest one within SLACK; None if there is none."""
        view, frame, unit = self.stage.box_view, self.stage.playback.frame, self.stage.unit
        if isinstance(view, SpaceView):
            found = view.hit(view.bodies(frame.positions, frame.radii, least_radius(frame, view, unit)), x, y, SLACK * unit)
        else:
            found = disc_at(frame, *view.to_box(x, y), SLACK * unit / view.scale)
        return found if found is not None and found < len(self.stage.playback.system) else None

    # changing

    def _move_by(self, dx: float, dy: float) -> None:
        """Move the selected disc by so many pixels."""
        moved = self.stage.box_view.along(dx, dy, self._centre())

        def put(draft, index: int) -> None:
            draft.positions[index] += moved
        self._edit(self._number, put)

    def _centre(self) -> np.ndarray:
        """(d,) the centre of the selected disc."""
        centre: np.ndarray = self.stage.playback.frame.positions[self.stage.selected].astype(float)
        return centre

    def _change_velocity(self, new) -> None:
        """Change the velocity of the selected disc. new: a function from the present velocity, (d,), to the new one."""
        def put(draft, index: int) -> None:
            draft.velocities[index] = new(draft.velocities[index])
        if (number := self._needed()) is not None:
            self._edit(number, put)

    def _edit(self, number, put) -> None:
        """Change the disc of this number by put(draft, index)."""
        def change(system) -> None:
            def edit(index: int) -> None:
                with system.edit() as draft:
                    put(draft, index)
            _of(system, number, edit)
        self.stage.playback.change(change)

    def _in_picture(self, right: float, up: float) -> np.ndarray:
        """(d,) a vector with these components in the picture."""
        view = self.stage.box_view
        found = np.array((right, up))
        return found @ np.array(view.pose[:2]) if isinstance(view, SpaceView) else found

    def _to_eye(self, velocity: np.ndarray) -> np.ndarray:
        """The part of a velocity that the picture does not show."""
        return velocity - self._in_picture(*self._seen(velocity))

    def _seen(self, velocity: np.ndarray) -> tuple[float, float]:
        """The components of a velocity in the picture."""
        view = self.stage.box_view
        x, y = (np.array(view.pose[:2]) @ velocity if isinstance(view, SpaceView) else velocity).tolist()
        return x, y

    # the mouse

    def mouse_moved(self, x: float, y: float) -> bool:
        self._mouse = x, y
        return False

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._pressed = (x, y) if button == keys.LEFT_BUTTON and self.stage.picture_area().holds(x, y) else None
        self._mouse, self._moved, self._dragged, self._grabbed = (x, y), False, "", None
        if self._pressed is None:
            return False
        if self._can_drag():
            if self._aim.is_on(self._tip(self.stage.box_view), x, y):
                self._dragged = "tip"
                return True
        playback, disc = self.stage.playback, self.disc_at(x, y)
        whole = not playback.frame.depth and self.stage.camera.zoom <= 1.0
        if disc is None or playback.seeking or not (disc == self.stage.selected or whole):
            return False
        if unchangeable(playback.system):
            return False
        self._grabbed = number_of(playback.system, disc)
        self._dragged = "disc" if playback.paused else "hold"
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        self._mouse = x, y
        if self._pressed is None:
            return False
        if not self._moved and math.dist(self._mouse, self._pressed) >= STILL * self.stage.unit:
            self._moved = True
            if self._grabbed is not None:
                self.stage.selected = index_of(self.stage.playback.system, self._grabbed)
            if self._dragged == "hold" and self._grabbed is not None:
                if not self._hold.begin(self._grabbed, self.stage.box_view.point(*self._pressed, self._centre())):
                    self.stage.refuse(tr("too many discs to hold one while the run goes on: pause first",
                                         of=self.stage.dimension))
        if self._hold.active:
            self._hold.move(self.stage.box_view.point(x, y, self._hold.mouse))
        return bool(self._dragged)

    def ticking(self) -> None:
        self._hold.tick()

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        pressed, dragged = self._pressed, self._dragged
        self._mouse, self._pressed, self._dragged = (x, y), None, ""
        if pressed is None:
            return False
        if self._hold.active:
            self._hold.end()
        elif not self._moved:
            self._click(x, y)
        elif dragged in ("disc", "tip") and self._can_drag():
            if dragged == "disc":
                self._move_by(x - pressed[0], y - pressed[1])
            else:
                aimed = self._aim.velocity(self._place(self.stage.box_view), x, y)
                self._change_velocity(lambda old: self._in_picture(*aimed) + self._to_eye(old))
        self.stage.refresh()
        return bool(dragged)

    def _can_drag(self) -> bool:
        playback, selected = self.stage.playback, self.stage.selected
        return (playback.paused and not playback.seeking and selected is not None and selected < len(playback.frame)
                and not unchangeable(playback.system))

    # the arrow of the velocity

    def _place(self, view: AnyView) -> Moving:
        """Centre and radius of the selected disc, in pixels."""
        centre = self._centre()[None]
        [(x, y)] = view.pixels(centre).tolist()
        return Moving(x, y, float(view.reach(centre, self.stage.playback.frame.radii[self.stage.selected])[0]))

    def _tip(self, view: AnyView) -> tuple[float, float]:
        velocity = np.array(place_of(self.stage.playback.system[self.stage.selected])[1])
        return self._aim.tip(self._place(view), *self._seen(velocity))

    # drawing

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        selected, frame = self.stage.selected, self.stage.playback.frame
        if selected is None or selected >= len(frame):
            return
        dragged = self._dragged if self._moved and self._can_drag() else ""
        self._draw_ring(pen, view, self._centre(), float(frame.radii[selected]), 0.4 if dragged == "disc" else 1.0)
        if dragged == "disc":
            self._draw_ghost(pen, view, selected)
        elif dragged == "tip" and self._mouse is not None:
            what = self._place(view)
            self._aim.draw(pen, what, self._mouse, True)
            self._aim.write_speed(pen, self._aim.velocity(what, *self._mouse), self._mouse)
        else:
            self._aim.draw(pen, self._place(view), self._tip(view), self._can_drag())

    def _draw_ring(self, pen: Pen, view: AnyView, place: np.ndarray, radius: float, alpha: float) -> None:
        theme, unit = self.stage.theme, pen.unit
        places = copies(self.stage.playback.frame, place, radius)
        centres, radii = view.pixels(places), view.reach(places, radius) + 3 * unit
        pen.rings(centres, radii, theme.paper, 5 * unit, 0.7 * alpha)
        pen.rings(centres, radii, theme.accent, 2.5 * unit, alpha)

    def _draw_ghost(self, pen: Pen, view: AnyView, selected: int) -> None:
        """Draw the disc at the position to which it is dragged, in a warning colour if there is no room."""
        frame, theme = self.stage.playback.frame, self.stage.theme
        assert self._pressed is not None and self._mouse is not None
        radius = float(frame.radii[selected])
        moved = view.along(self._mouse[0] - self._pressed[0], self._mouse[1] - self._pressed[1], self._centre())
        place = wrapped(frame, self._centre() + moved)
        free = has_room(frame, place, radius, selected, felt_by(self.stage.playback.system, frame, selected))
        seen = copies(frame, place, radius)
        places, radii = view.pixels(seen), view.reach(seen, radius)
        pen.dots(places, radii, tuple(frame.colors[selected].tolist()) if free else theme.warning, 0.5)
        pen.rings(places, radii, theme.accent if free else theme.warning, 2 * pen.unit)
        if not free:
            pen.lines(np.array([(px - 5 * pen.unit, py + s * 5 * pen.unit, px + 5 * pen.unit, py - s * 5 * pen.unit)
                                for px, py in places.tolist() for s in (1, -1)]), theme.warning, 2.5 * pen.unit)


def _of(system: Editable, number: int | None, action) -> None:
    """Call action(index) with the index of the disc with that number, if the disc is still in the system."""
    index = index_of(system, number)
    if index is not None:
        action(index)


def _usual_mass(radii: np.ndarray, masses: np.ndarray, index: int, dimension: int) -> float:
    """The mass of discs of the size of that disc: of an equal one, or in proportion to its area, or the volume of a sphere; 1 if
    all masses are infinite."""
    finite = np.isfinite(masses)
    if not finite.any():
        return 1.0
    nearest = int(np.flatnonzero(finite)[np.argmin(np.abs(radii[finite] - radii[index]))])
    ratio = (radii[index] / radii[nearest]) ** dimension if radii[nearest] > 0 else 1.0
    return float(masses[nearest] * (ratio or 1.0))


def _free_place(system, frame: Frame, in_picture: Callable[[float, float], np.ndarray], index: int) -> np.ndarray:
    """The nearest free place for a disc like that one on a spiral around it in the picture; its own place if there is none, which
    is refused."""
    centre, radius = np.asarray(system.positions, float)[index], float(system.radii[index])
    felt = felt_by(system, frame, index)
    for k in range(1, SPIRAL):
        angle, away = 2.4 * k, 2.02 * radius * math.sqrt(1 + 0.12 * k)      # 2.4: the golden angle, which spreads places evenly
        place = wrapped(frame, centre + in_picture(away * math.cos(angle), away * math.sin(angle)))
        if has_room(frame, place, radius, len(frame), felt):
            return place
    return centre


def _at_rest(place: np.ndarray, radius: float, mass: float, color: tuple[int, int, int]) -> Particle | Sphere:
    """A disc or a sphere that does not move."""
    if len(place) == 3:
        return Sphere(place.tolist(), (0.0, 0.0, 0.0), radius, mass, color)
    x, y = place.tolist()
    return Particle(x, y, 0.0, 0.0, radius, mass, color)


def _pattern(system, index: int | None) -> tuple[float, float, tuple[int, int, int]]:
    """Radius, mass and colour of that disc, or of the disc of median radius; defaults in an empty box."""
    radii = np.asarray(system.radii, float)
    if len(radii) == 0:
        return NEW_RADIUS * min(lengths_of(system.box)), 1.0, (0, 114, 178)
    if index is None:
        index = int(np.argsort(radii, kind="stable")[len(radii) // 2])
    red, green, blue = np.asarray(system.colors)[index].tolist()
    return float(radii[index]), float(system.masses[index]), (red, green, blue)
