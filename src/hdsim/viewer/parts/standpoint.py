"""Standpoint: the keys and the menu of where spheres are seen from: along an axis or from a corner, in perspective or not,
through a slab, in fog, turning by themselves. A drag that turns them is the matter of `eye`."""
from __future__ import annotations

from dataclasses import replace
from functools import partial

from ...language import tr
from ..draw.orbit import ALONG, CORNER, Orbit
from ..draw.space_view import SpaceView
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage
from .menu import Entry, Menu

STEP = 10.0             # degrees of a turn by key
ROUND = 20.0            # degrees per second of a box that turns by itself
THINNER = 0.5           # thickness of a slab over that of the one before ...
THINNEST = 0.06         # ... down to this share of the box; after it comes the whole box
FOGS = (0.5, 0.85, 0.0)         # one after another


class Standpoint(Part):
    """Changes `stage.orbit`."""

    COMMANDS = (
        Command("1", "along x; 2: y, 3: z; again: from behind", "look_along", "view", "space", ("x",)),
        Command("2", "", "look_along", "view", "space", ("y",)),
        Command("3", "", "look_along", "view", "space", ("z",)),
        Command("4", "from a corner", "look_from_corner", "view", "space"),
        Command("5", "in perspective, or not", "toggle_perspective", "view", "space"),
        Command("6", "look inside: a slab, thinner each time", "next_slab", "view", "space"),
        Command("7", "the slab nearer; 8: farther", "move_slab", "view", "space", (-0.5,)),
        Command("8", "", "move_slab", "view", "space", (0.5,)),
        Command("9", "fog: more, none, some", "next_fog", "view", "space"),
        Command("0", "turn by itself", "toggle_round", "view", "space"),
        Command("Ctrl+Shift+Left", "and other arrows: turn (or drag)", "spin", "view", "space", (-STEP,)),
        Command("Ctrl+Shift+Right", "", "spin", "view", "space", (STEP,)),
        Command("Ctrl+Shift+Up", "", "tilt", "view", "space", (-STEP,)),
        Command("Ctrl+Shift+Down", "", "tilt", "view", "space", (STEP,)),
        Command("Y", "all that, as a menu", "open_menu", "view", "space"),
    )

    def __init__(self, stage: Stage, menu: Menu) -> None:
        super().__init__(stage)
        self._menu = menu
        self.going_round = False

    # what the keys do

    def look_along(self, axis: str) -> None:
        """The eye on an axis; the second time, on its other end."""
        front, back = ALONG[axis]
        self._set(pose=back if self.stage.orbit.pose == front else front, zoom=None, centre=None)

    def look_from_corner(self) -> None:
        """Three faces are seen."""
        self._set(pose=CORNER, zoom=None, centre=None)

    def toggle_perspective(self) -> None:
        """What is farther off is smaller, or is not."""
        self._set(perspective=not self.stage.orbit.perspective)

    def next_slab(self) -> None:
        """A slab of half the thickness, in the middle of the one before; after the thinnest, the whole box."""
        near, far = self.stage.orbit.slab
        half, middle = 0.5 * THINNER * (far - near), 0.5 * (near + far)
        self._set(slab=(middle - half, middle + half) if 2 * half >= THINNEST else (0.0, 1.0))

    def move_slab(self, steps: float) -> None:
        """Move the slab away from the eye by so many times its thickness."""
        near, far = self.stage.orbit.slab
        shift = min(max(steps * (far - near), -near), 1.0 - far)
        if shift:
            self._set(slab=(max(near + shift, 0.0), min(far + shift, 1.0)))

    def next_fog(self) -> None:
        """The next of FOGS."""
        fog = self.stage.orbit.fog
        self._set(fog=FOGS[(FOGS.index(fog) + 1) % len(FOGS)] if fog in FOGS else FOGS[0])

    def toggle_round(self) -> None:
        """Let the box turn by itself, or stop it."""
        self.going_round = not self.going_round
        self.stage.refresh()

    def spin(self, degrees: float) -> None:
        """Turn the box about the axis that is upright."""
        if isinstance(view := self.stage.box_view, SpaceView):
            self._show(self.stage.orbit.spun(degrees, view))

    def tilt(self, degrees: float) -> None:
        """Turn it about the axis to the right."""
        if isinstance(view := self.stage.box_view, SpaceView):
            self._show(self.stage.orbit.tilted(degrees, view))

    def open_menu(self, x: float | None = None, y: float | None = None) -> None:
        """Open the menu of all that, above a pixel, or in the middle."""
        orbit, (width, height) = self.stage.orbit, self.stage.size
        sliced = orbit.slab != (0.0, 1.0)
        entries = [Entry(tr("seen from")),
                   *(Entry(tr("along {axis}", axis=axis), partial(self.look_along, axis), key, orbit.pose in ALONG[axis])
                     for key, axis in zip("123", "xyz")),
                   Entry(tr("from a corner"), self.look_from_corner, "4", orbit.pose == CORNER),
                   Entry(tr("in perspective"), self.toggle_perspective, "5", orbit.perspective),
                   Entry(tr("turn by itself"), self.toggle_round, "0", self.going_round),
                   Entry(tr("look inside")),
                   Entry(tr("a slab, or a thinner one"), self.next_slab, "6", sliced),
                   *([Entry(tr("the slab nearer"), partial(self.move_slab, -0.5), "7"),
                      Entry(tr("the slab farther"), partial(self.move_slab, 0.5), "8"),
                      Entry(tr("all of the box"), partial(self._set, slab=(0.0, 1.0)))] if sliced else []),
                   Entry(tr("fog at the back"), self.next_fog, "9", orbit.fog > 0)]
        self._menu.open(entries, 0.4 * width if x is None else x, 0.7 * height if y is None else y, above=y is not None)

    # how

    def _set(self, **changes: object) -> None:
        self._show(replace(self.stage.orbit, **changes))       # type: ignore[arg-type]

    def _show(self, orbit: Orbit) -> None:
        """Show it at once, because the next command may come before the next picture."""
        self.stage.orbit = orbit
        self.stage.update_view()

    def ticked(self, dt: float) -> None:
        if self.going_round and self.stage.in_space:
            self.spin(ROUND * dt)

    def system_changed(self) -> None:
        self.going_round = self.going_round and self.stage.in_space
