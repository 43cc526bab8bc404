"""Sliders for the gas: number of discs, radius, temperature, mass ratio, width of the box, restitution, and a partition that can
be pulled out.

Every change is an edit of `playback` through the public members of the system: exact, undone by one Ctrl+Z, and refused as a
whole where a disc would not fit. While the run goes on, a change is made at the beginning of a tick."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from ... import quantities
from ...language import tr
from ...language.numerals import number
from ...system import Particle, Sphere
from ..draw.area import Area
from ..draw.frame import Frame
from ..draw.pen import Pen
from ..playback.playback import GAS
from ..stage.commands import Command
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.picking import felt_by, has_room, obstacles_of, place_of
from ..stage.slider import NONE, ROW, SIZE, Row, Slides, draw_slider, row_area, share_at
from ..stage.stage import Stage

BUDGET = 0.008              # seconds of a tick for adding and removing discs
LEAST = 14                  # height of a slider in a very small window, window units
SLOW = 5000                 # with more discs a slider is heeded when it is let go, because an edit takes longer than a frame
PATIENCE = 3.0              # seconds for which a wall follows the discs after its slider was let go
STEP = 1.1                  # factor of a change by key
EQUAL = 1e-9                # relative difference of widths that are equal but for rounding
TRIES = 400                 # random places that are tried for a new disc

PART = 0.05                 # a change by key of what is a part, from 0 to 1

# In the order in which several are set: the masses change energies.
ORDER = "discs", "radius", "mass_ratio", "temperature", "width", "restitution", "gravity"
LABELS = {"discs": "discs", "radius": "radius", "temperature": "temperature", "mass_ratio": "mass ratio",
          "width": "width of the box", "restitution": "restitution", "gravity": "gravity"}
STRONGEST = 10.0            # the end of the slider of gravity, in units of the usual one


@dataclass(frozen=True)
class Quantity:
    """What a slider sets. read: its value, or None if it does not apply. set: changes a system; returns whether the wanted value
    is reached, or can never be. reach: the factor by which the value can be smaller and larger than at first; 0: it goes from 0
    to the end that `top` gives, or, as a part, to 1."""

    name: str
    read: Callable[[Any], float | None]
    set: Callable[[Any, float], bool]
    reach: float
    whole: bool = False
    top: Callable[[Any], float] | None = None


class Gas(Slides, Panel):
    """The panel of the sliders."""

    NEEDS = "changes"
    COMMANDS = (
        Command("G", "sliders: discs, temperature, box ...", "toggle", "physics", "changes"),
        Command("Shift+G", "the next slider; K: more, J: less", "next_slider", "physics", "changes"),
        Command("K", "", "change", "physics", "changes", (STEP,)),
        Command("J", "", "change", "physics", "changes", (1 / STEP,)),
    )

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._random = np.random.default_rng(0)         # only for the places of new discs, which are part of the edit
        self._all = (
            Quantity("discs", lambda system: float(len(system)), self._set_number, 30.0, whole=True),
            Quantity("radius", quantities.radius, quantities.set_radius, 8.0),
            Quantity("temperature", quantities.temperature, quantities.set_temperature, 100.0),
            Quantity("mass_ratio", quantities.mass_ratio, quantities.set_mass_ratio, 1000.0),
            Quantity("width", quantities.width, quantities.set_width, 4.0),
            Quantity("restitution", quantities.restitution, quantities.set_restitution, 0.0),
            Quantity("gravity", quantities.gravity, quantities.set_gravity, 0.0,
                     top=lambda system: STRONGEST * quantities.usual_gravity(system)))
        self._wanted: dict[int, float] = {}             # by number of the quantity: a value that is not reached yet
        self._middles: tuple[object, dict[int, float]] = None, {}      # a playback, and the first values in it
        self._dragged: int | None = None
        self._let_go = -math.inf                        # when a slider was let go last
        self._slider = 0                                # that which keys move

    @property
    def name(self) -> str:      # type: ignore[override]
        return tr("gas")

    @property
    def title(self) -> str:     # type: ignore[override]
        return tr("The gas")

    def wish(self) -> Wish:
        rows = self._rows
        return Wish(250, ROW * rows, 200, ROW * rows, stretch=0.0)

    @property
    def _chosen(self) -> int:
        """The slider that keys move."""
        return min(self._slider, len(self._quantities) - 1)

    @property
    def _quantities(self) -> tuple[Quantity, ...]:
        """Those that this system has: the last one, gravity, only where bodies can fall."""
        return self._all if quantities.may_fall(self.stage.playback.system) else self._all[:-1]

    @property
    def _rows(self) -> int:
        """The sliders and, in two dimensions, the button of the partition."""
        return len(self._quantities) + (not self.stage.in_space)

    # what the keys do

    def next_slider(self) -> None:
        """Choose the next slider, and show the panel if it is hidden."""
        if self.shown:
            self._slider = (self._chosen + 1) % len(self._quantities)
        else:
            self.toggle()
        self.stage.refresh()

    def change(self, factor: float) -> None:
        """Change the quantity of the chosen slider by a factor, or by a step where that is more suitable."""
        value, quantity = self._value(self._chosen), self._all[self._chosen]
        if value is not None:
            step = (max(1.0, round(value * (STEP - 1))) if quantity.whole else 0.0 if quantity.reach else
                    PART * self._ends(self._chosen)[1])
            self._want(self._chosen, value + math.copysign(step, factor - 1) if step else value * factor)

    def toggle_partition(self) -> None:
        """Put a partition in the middle of the box, or pull it out."""
        self.stage.playback.change(quantities.toggle_partition, GAS)

    def set(self, values: dict[str, float]) -> None:
        """Set quantities by their names, as one edit that is refused as a whole. ValueError for a name that none has."""
        chosen = {quantity.name: quantity for quantity in self._all}
        if unknown := values.keys() - chosen.keys():
            raise ValueError(f"a gas has {', '.join(chosen)}, and no {unknown.pop()!r}")

        def change(system: Any) -> None:
            for target in (system.copy(), system):      # the copy raises the error of any of them
                for name in sorted(values, key=ORDER.index):
                    while not chosen[name].set(target, values[name]) and chosen[name].whole:
                        pass        # as many discs as are wanted, however long it takes
        self.stage.playback.change(change, GAS)
        reached = self.stage.playback.system.box.width
        if not self.stage.playback.message == tr(GAS) or values.get("width", reached) >= reached * (1 - EQUAL):
            return
        self.stage.note(tr("the wall stops at a disc, at {width}", of=self.stage.dimension, width=number(reached)))

    # the values

    def _value(self, k: int) -> float | None:
        """The wanted value of a quantity, or the present one; None if it does not apply."""
        system = self.stage.playback.system
        if k in self._wanted:
            return self._wanted[k]
        return self._all[k].read(system)

    def _ends(self, k: int) -> tuple[float, float]:
        """The places of both ends of a slider; see `_place`."""
        playback, quantity = self.stage.playback, self._all[k]
        if self._middles[0] is not playback:
            self._middles = playback, {}
        if not quantity.reach:
            if quantity.top is None:
                return 0.0, 1.0
            if k not in self._middles[1]:
                self._middles[1][k] = float(f"{max(quantity.top(playback.system), self._value(k) or 0.0):.2g}")
            return 0.0, self._middles[1][k]
        middle = self._middles[1].setdefault(k, self._value(k) or 0.0)
        if middle == 0:     # points, and discs at rest
            middle = min(playback.frame.lengths) / 100 if k == 1 else 1.0
        if k == 3:          # a ratio is symmetric about 1
            middle = 1.0
        low = max(middle / quantity.reach, 1.0) if quantity.whole else middle / quantity.reach
        return math.log(low), math.log(max(middle * quantity.reach, low * 2))

    def _place(self, k: int, value: float) -> float:
        """The place of a value on its slider: its logarithm, or, of one from 0, itself."""
        return value if not self._all[k].reach else math.log(value) if value > 0 else -math.inf

    def _at(self, k: int, place: float) -> float:
        """The value at a place of a slider, to three digits of the largest one if it is from 0."""
        if self._all[k].reach:
            return math.exp(place)
        top = self._ends(k)[1]
        return round(place / top, 3) * top if 0 < place < top else place

    def _want(self, k: int, value: float) -> None:
        """Set a quantity now, or as far as possible now and more with each tick."""
        low, high = (self._at(k, end) for end in self._ends(k))
        value, self._let_go = min(max(value, low), high), perf_counter()
        self._wanted[k] = float(round(value)) if self._all[k].whole else value
        if self.stage.playback.paused:
            self._apply()
        self.stage.refresh()

    def ticking(self) -> None:
        if self._wanted and not self.stage.playback.seeking:
            self._apply()

    def _apply(self) -> None:
        """Change the system towards the wanted values."""
        playback = self.stage.playback
        for k, value in list(self._wanted.items()):
            if self._dragged == k and len(playback.system) > SLOW:
                continue
            reached = False

            def change(system: Any, k: int = k, value: float = value) -> None:
                nonlocal reached
                reached = True          # also if it is refused
                reached = self._all[k].set(system, value)
            playback.change(change, GAS)
            late = self._dragged != k and perf_counter() - self._let_go > PATIENCE
            if (reached or late or playback.paused and not self._all[k].whole) and self._dragged != k:
                del self._wanted[k]

    def system_changed(self) -> None:
        if self.stage.playback is not self._middles[0]:
            self._wanted.clear()

    def _set_number(self, system: Any, value: float) -> bool:
        """Add or remove discs until there are so many, or a share of a frame has passed."""
        began = perf_counter()
        while len(system) != round(value) and perf_counter() - began < BUDGET:
            if len(system) > value:
                system.remove(len(system) - 1)
            elif not self._add(system):
                raise ValueError(tr("no room was found for another disc", of=self.stage.dimension))
        return len(system) == round(value)

    def _add(self, system: Any) -> bool:
        """Add a disc like one that is there, at a random free place with a random direction; False if none was found."""
        frame, n = Frame.of(system), len(system)
        d = len(frame.lengths)
        like = system[int(self._random.integers(n))] if n else (
            Particle(0.0, 0.0, 0.1, 0.0, 0.02, 1.0) if d == 2 else Sphere((0.0,) * 3, (0.1, 0.0, 0.0), 0.02, 1.0))
        obstacles = felt_by(system, frame, n - 1) if n else obstacles_of(frame)
        speed = math.hypot(*place_of(like)[1])
        for _ in range(TRIES):
            place = self._random.uniform(0, 1, d) * frame.lengths
            if has_room(frame, place, like.radius, n, obstacles):
                system.add(_placed(like, place, speed, self._random.uniform(0, 2 * math.pi), self._random))
                return True
        return False

    # the mouse

    @property
    def _fit(self) -> int:
        """How many rows have room."""
        return max(int(self.area.height / (LEAST * self.stage.unit)), 1)

    def _track(self, k: int) -> Area:
        """The area of a slider, its name included: lower where the panel has less room, empty if there is none for it."""
        fit = self._fit
        if fit >= self._rows:
            return row_area(self.area, k, self._rows, self.stage.unit)
        first = min(max(self._chosen - fit // 2, 0), self._rows - fit)     # only those around the one that keys move
        if first <= k < first + fit:
            return row_area(self.area, k - first, fit, self.stage.unit)
        return Area(self.area.left, self.area.bottom, self.area.left, self.area.bottom)

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.shown or not self.area.holds(x, y):
            return False
        for k in range(len(self._quantities)):
            if self._track(k).holds(x, y) and self._value(k) is not None:
                self._dragged = self._slider = k
                self._slide(x)
                return True
        if self._rows > len(self._quantities) and self._track(len(self._quantities)).holds(x, y):
            self.toggle_partition()
        return True

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        dragged, self._dragged = self._dragged, None
        self._let_go = perf_counter()
        if dragged is not None and self.stage.playback.paused:
            self._apply()
        return dragged is not None

    def mouse_scrolled(self, x: float, y: float, clicks: float) -> bool:
        """Where not all sliders have room, the wheel goes from one to the next."""
        if not self.shown or not self.area.holds(x, y) or self._fit >= self._rows or not clicks:
            return False
        self._slider = min(max(self._chosen - int(math.copysign(1, clicks)), 0), len(self._quantities) - 1)
        self.stage.refresh()
        return True

    def _slide(self, x: float) -> None:
        assert self._dragged is not None
        low, high = self._ends(self._dragged)
        share = share_at(self._track(self._dragged), x, self.stage.unit)
        self._want(self._dragged, self._at(self._dragged, low + share * (high - low)))

    # drawing

    def _label(self, quantity: Quantity) -> str:
        return tr(LABELS[quantity.name], of=self.stage.dimension)

    def draw(self, pen: Pen, area: Area) -> None:
        for k, quantity in enumerate(self._quantities):
            value, share, place = self._value(k), None, self._track(k)
            if not place.width:
                continue
            if value is not None and (value > 0 or not quantity.reach):
                low, high = self._ends(k)
                share = (self._place(k, value) - low) / (high - low)
            draw_slider(pen, self.stage.theme, place, Row(
                self._label(quantity), NONE if value is None else number(value), share, k == self._chosen,
                k == self._dragged))
        place = self._track(len(self._quantities))
        if self._rows > len(self._quantities) and place.width:
            self._draw_partition(pen, place)

    def _draw_partition(self, pen: Pen, place: Area) -> None:
        """Draw the button of the partition."""
        theme, unit = self.stage.theme, pen.unit
        there = quantities.has_partition(self.stage.playback.frame.obstacles)
        gap, middle = place.height / 8, (place.left + place.right) / 2
        pen.box(*place._replace(bottom=place.bottom + gap, top=place.top - gap), theme.accent if there else theme.faint, 0.2,
                corner=5 * unit)
        text = tr("pull the partition out") if there else tr("put a partition in")
        pen.write(pen.fitting(text, place.width, SIZE), middle, (place.bottom + place.top - 0.9 * SIZE * unit) / 2, theme.text,
                  SIZE, anchor="center")


def _placed(like: Particle | Sphere, place: np.ndarray, speed: float, angle: float, random: np.random.Generator
            ) -> Particle | Sphere:
    """A disc or a sphere like that one at a place, with a speed and a direction."""
    x, y = math.cos(angle), math.sin(angle)
    if isinstance(like, Particle):
        rx, ry = place.tolist()
        return Particle(rx, ry, speed * x, speed * y, like.radius, like.mass, like.color)
    z = random.uniform(-1, 1)       # areas of a globe between parallels are in proportion to their heights
    across = speed * math.sqrt(1 - z * z)
    return Sphere(place.tolist(), (across * x, across * y, speed * z), like.radius, like.mass, like.color)
