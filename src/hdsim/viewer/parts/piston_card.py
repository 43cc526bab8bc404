"""The card of the chosen piston: sliders of its mass and its load, also while the run goes on."""
from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ...grips import load_of_gas
from ...language import tr
from ...language.numerals import number
from ...model.piston import Piston
from ..draw.area import Area
from ..draw.pen import Pen
from ..playback.playback import SIDES
from ..playback.wording import obstacle_name
from ..stage.layout import Wish
from ..stage.part import Panel
from ..stage.slider import ROW, Row, Slides, draw_slider, row_area, share_at
from ..stage.stage import Stage
from .building import Building

REACH = 100.0           # factor by which the mass can be smaller and larger than at first
LOADS = 4.0             # largest load, in units of that which the gas carries
MASS, LOADS_ALONG = "mass of the piston", ("load, to the right", "load, upwards")      # of a piston that moves along x, along y
LINE = 17               # height of the line below, window units


class PistonCard(Slides, Panel):
    """Shown while a piston is chosen; its button unselects the piston."""

    NEEDS = "obstacles"

    def __init__(self, stage: Stage, building: Building) -> None:
        super().__init__(stage)
        self._building = building
        self._ends: tuple[Any, float, float] = None, 1.0, 1.0   # what was chosen; its first mass, and the largest load
        self._dragged: int | None = None

    @property
    def shown(self) -> bool:
        return self.piston is not None

    @shown.setter
    def shown(self, shown: bool) -> None:
        """Decided by what is chosen."""

    @property
    def piston(self) -> Piston | None:
        """The chosen obstacle, if it is a piston."""
        chosen = None if self.stage.in_space else self._building.chosen_obstacle
        return chosen if isinstance(chosen, Piston) else None

    @property
    def title(self) -> str:     # type: ignore[override]
        return obstacle_name(self.stage.playback.frame.obstacles, self._building.chosen)

    def toggle(self) -> None:
        self._building.choose(None)

    def wish(self) -> Wish:
        return Wish(250, 2 * ROW + LINE, 190, 2 * ROW, stretch=0.0)

    def set(self, which: int, value: float) -> None:
        """Set the mass (0) or the load (1) of the chosen piston."""
        index = self._building.chosen
        if index is None:
            return

        def change(system: Any) -> None:
            with system.edit() as draft:
                old = draft.obstacles[index]
                draft.obstacles[index] = replace(old, mass=value) if which == 0 else replace(old, force=value)
        self.stage.playback.change(change, SIDES)
        self.stage.refresh()

    def _scale(self) -> tuple[float, float]:
        """The mass in the middle of its slider, and the load at the end of its."""
        system, piston = self.stage.playback.system, self.piston
        chosen = self.stage.playback, self._building.chosen
        if self._ends[0] != chosen and piston is not None:
            most = max(LOADS * load_of_gas(system, piston), abs(piston.force)) or 1.0
            self._ends = chosen, piston.mass, float(f"{most:.2g}")
        return self._ends[1:]

    # the mouse

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.shown or not self.area.holds(x, y):
            return False
        self._dragged = next((k for k in (0, 1) if row_area(self.area, k, 2, self.stage.unit).holds(x, y)), None)
        if self._dragged is not None:
            self._slide(x)
        return True

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        dragged, self._dragged = self._dragged, None
        return dragged is not None

    def _slide(self, x: float) -> None:
        place = row_area(self.area, 0 if self._dragged is None else self._dragged, 2, self.stage.unit)
        (mass, most), share = self._scale(), share_at(place, x, self.stage.unit)
        if self._dragged == 0:
            self.set(0, float(f"{mass * REACH ** (2 * share - 1):.3g}"))
        else:
            load = (2 * share - 1) * most
            self.set(1, 0.0 if abs(load) < 0.02 * most else float(f"{load:.3g}"))     # it is easily let go at 0

    # drawing

    def draw(self, pen: Pen, area: Area) -> None:
        piston = self.piston
        if piston is None:
            return
        mass, most = self._scale()
        shares = 0.5 + 0.5 * math.log(piston.mass / mass) / math.log(REACH), 0.5 + 0.5 * piston.force / most
        names = tr(MASS), tr(LOADS_ALONG[piston.axis])
        for k, (name, value) in enumerate(zip(names, (piston.mass, piston.force))):
            draw_slider(pen, self.stage.theme, row_area(area, k, 2, pen.unit),
                        Row(name, number(value), shares[k], held=k == self._dragged))
        if area.height >= (2 * ROW + LINE) * pen.unit - 1:
            text = tr("the gas carries about {load}", load=number(load_of_gas(self.stage.playback.system, piston)))
            pen.write(pen.fitting(text, area.width, 9.0), area.left, area.top - (2 * ROW + 0.8 * LINE) * pen.unit,
                      self.stage.theme.faint, 9.0)
