"""The bar of buttons at the lower edge, for what keys do as well: icons with labels that name the key, and a slider of the
pace."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from ...language import tr
from ...language.numerals import number
from ...model.offering import lacking
from ..draw.area import Area
from ..draw.icons import draw_icon
from ..draw.pen import Kept, Pen
from ..playback.pace import default_speed
from ..stage.part import Part
from ..stage.stage import Stage
from .hud import keys_of
from .menu import Entry, Menu

BUTTON, ICON = 30, 19           # width of a button and of its icon, window units
GAP = 10                        # between groups of buttons, window units
SLIDER, KNOB = 130, 7           # width of the slider, and radius of its knob, window units
DECADES = 2.5                   # by which the pace can be faster or slower than the default one
TIP_AFTER = 0.4                 # seconds after which the label of a button appears
TIP_SIZE = 9.5


@dataclass(frozen=True)
class Button:
    """A button. icon: its name, or a function that returns it. owner, method: what it calls. is_on: whether it is lit. group:
    buttons of one group stand together. rank: the larger, the earlier a button moves to the menu if there is no room."""

    icon: str | Callable[[], str]
    owner: Any
    method: str
    group: int
    rank: int
    is_on: Callable[[], bool] = lambda: False
    text: str = ""              # for a method that no key calls
    opens: bool = False         # whether the method takes the pixel at which a menu opens

    @property
    def label(self) -> str:
        """What it does, in the language in use."""
        return self.text or next(tr(command.text, of=self.owner.stage.dimension) for command in self.owner.COMMANDS
                                 if command.method == self.method)

    @property
    def icon_name(self) -> str:
        """The name of its icon now."""
        return self.icon if isinstance(self.icon, str) else self.icon()

    @property
    def needs(self) -> str:
        """What the system must offer, see `Command`."""
        return next((command.needs for command in self.owner.COMMANDS if command.method == self.method), "")

    @property
    def keys(self) -> str:
        """The keys that do the same, or ""."""
        return next((keys_of(command) for command in self.owner.COMMANDS if command.method == self.method), "")


class Bar(Part):
    """The buttons, from left to right; those without room are in a menu behind the last button."""

    def __init__(self, stage: Stage, menu: Menu) -> None:
        super().__init__(stage)
        self.all_buttons: list[Button] = []     # set when the parts are made whose methods they call
        self._menu = menu
        self._mouse: tuple[float, float] | None = None      # pixels
        self._since = math.inf                              # when the mouse came to the button where it is
        self._over: object = None                           # the button under the mouse, "slider", "more" or None
        self._sliding = False
        self._scrolled = 0.0        # parts of a step of the wheel over the slider
        self._pressed: object = None
        self._usual: tuple[object, float] = None, 1.0       # a playback, and its default speed
        self._kept: tuple[Any, Kept] | None = None          # what was drawn last, and what it is of

    @property
    def buttons(self) -> list[Button]:
        """Those for what can be done with the system that is shown."""
        system = self.stage.playback.system
        return [button for button in self.all_buttons if not lacking(system, button.needs)]

    # geometry

    def places(self) -> list[tuple[object, Area]]:
        """The buttons that have room, "slider" and "more", each with its area."""
        area, unit = self.stage.layout.bar, self.stage.unit
        all_ = self.buttons
        kept = sorted(range(len(all_)), key=lambda k: all_[k].rank)     # of equal rank, the leftmost first
        while kept and self._width([all_[k] for k in kept], len(kept) < len(all_)) * unit > area.width:
            kept.pop()
        buttons = [all_[k] for k in sorted(kept)]
        found: list[tuple[object, Area]] = []
        x, group = area.left + 0.5 * GAP * unit, buttons[0].group if buttons else 0
        for button in buttons:
            if button.group != group:
                x += GAP * unit
                if group == 0:      # the slider stands behind the buttons of time
                    found.append(("slider", Area(x, area.bottom, x + SLIDER * unit, area.top)))
                    x += (SLIDER + GAP) * unit
                group = button.group
            found.append((button, Area(x, area.bottom, x + BUTTON * unit, area.top)))
            x += BUTTON * unit
        if len(buttons) < len(all_):
            right = area.right - 0.5 * GAP * unit
            found.append(("more", Area(right - BUTTON * unit, area.bottom, right, area.top)))
        return found

    @staticmethod
    def _width(buttons: list[Button], more: bool) -> float:
        """The width of so many buttons, window units."""
        groups = len({button.group for button in buttons})
        return BUTTON * (len(buttons) + more) + GAP * (groups + 1) + (SLIDER + GAP if groups > 1 else 0)

    def _at(self, x: float, y: float) -> tuple[object, Area] | None:
        return next(((what, area) for what, area in self.places() if area.holds(x, y)), None)

    # the slider

    def _ends(self) -> tuple[float, float]:
        """The logarithms of the pace at both ends of the slider: around the default one, which is fixed for a playback."""
        playback = self.stage.playback
        if self._usual[0] is not playback:
            self._usual = playback, default_speed(playback.system)
        middle = math.log10(self._usual[1])
        return middle - DECADES, middle + DECADES

    def _pixel_of(self, speed: float, area: Area) -> float:
        low, high = self._ends()
        share = (math.log10(speed) - low) / (high - low) if speed > 0 else 0.0
        inset = KNOB * self.stage.unit
        return area.left + inset + min(max(share, 0.0), 1.0) * (area.width - 2 * inset)

    def _slide(self, x: float) -> None:
        """Set the pace by a pixel, to two digits."""
        area = next(area for what, area in self.places() if what == "slider")
        low, high = self._ends()
        inset = KNOB * self.stage.unit
        share = min(max((x - area.left - inset) / (area.width - 2 * inset), 0.0), 1.0)
        self.stage.playback.set_speed(float(f"{10.0 ** (low + share * (high - low)):.1e}"))
        self.stage.refresh()

    # the mouse

    def mouse_moved(self, x: float, y: float) -> bool:
        found = self._at(x, y)
        over = None if found is None else found[0]
        self._mouse = (x, y)
        if over is not self._over:
            self._over, self._since = over, perf_counter()
            self.stage.refresh()
        return over is not None

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        found = self._at(x, y)
        self._pressed = None if found is None else found[0]
        self._since = math.inf
        if self._pressed == "slider":
            self._sliding = True
            self._slide(x)
        return self.stage.layout.bar.holds(x, y)

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._sliding:
            self._slide(x)
        return self._sliding or self._pressed is not None

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        pressed, sliding, self._pressed, self._sliding = self._pressed, self._sliding, None, False
        found = self._at(x, y)
        if sliding or pressed is None:
            return sliding
        if found is not None and found[0] is pressed:
            self._act(pressed, found[1])
        return True

    def mouse_scrolled(self, x: float, y: float, clicks: float) -> bool:
        found = self._at(x, y)
        if found is None or found[0] != "slider":
            return False
        self._scrolled += clicks        # trackpads tell it in parts of a step, and 0 of what goes sideways
        while abs(self._scrolled) >= 1:
            (self.stage.playback.faster if self._scrolled > 0 else self.stage.playback.slower)()
            self._scrolled -= math.copysign(1.0, self._scrolled)
        return True

    def _act(self, what: object, area: Area) -> None:
        if what == "more":
            seen = [button for button, _ in self.places()]
            rest = [button for button in self.buttons if button not in seen]
            self._menu.open([Entry(button.label, partial(self._call, button, area), button.keys, button.is_on())
                             for button in rest], area.left, area.top, above=True)
        elif isinstance(what, Button):
            self._call(what, area)

    @staticmethod
    def _call(button: Button, area: Area) -> None:
        method = getattr(button.owner, button.method)
        if button.opens:
            method(area.left, area.top)
        else:
            method()

    def ticked(self, dt: float) -> None:
        if self._over is not None and 0 < perf_counter() - self._since - TIP_AFTER < 0.1:
            self.stage.refresh()

    # drawing

    def draw_over(self, pen: Pen) -> None:
        places, speed, reached = self.places(), self.stage.playback.speed, self.stage.playback.reached
        state = (self.stage.theme, self._over, self._sliding, speed, None if reached is None else round(reached, 2),
                 [(area, what.icon_name, what.is_on()) if isinstance(what, Button) else (area, what) for what, area in places])
        if self._kept is None or self._kept[0] != state:
            with pen.keeping() as kept:
                self._draw(pen, places)
            self._kept = state, kept
        pen.again(self._kept[1])
        pen.flush()
        if self._over is not None and perf_counter() - self._since > TIP_AFTER and not self._menu.shown:
            self._draw_tip(pen)

    def _draw(self, pen: Pen, places: list[tuple[object, Area]]) -> None:
        theme, unit, bar = self.stage.theme, pen.unit, self.stage.layout.bar
        pen.box(*bar, theme.surround)
        for what, area in places:
            if what == "slider":
                self._draw_slider(pen, area)
                continue
            x, y = (area.left + area.right) / 2, (area.bottom + area.top) / 2
            lit = isinstance(what, Button) and what.is_on()
            if lit or what is self._over:
                pen.box(area.left + unit, y - 14 * unit, area.right - unit, y + 14 * unit,
                        theme.accent if lit else theme.faint, 0.2, corner=5 * unit)
            name = what.icon_name if isinstance(what, Button) else "more"
            draw_icon(pen, name, x, y, ICON * unit, theme.accent if lit else theme.text)

    def _draw_slider(self, pen: Pen, area: Area) -> None:
        """Draw the track, the pace that is reached, and the knob at the one that is requested."""
        theme, unit, playback = self.stage.theme, pen.unit, self.stage.playback
        y, x = (area.bottom + area.top) / 2, self._pixel_of(playback.speed, area)
        inset = KNOB * unit
        pen.line(area.left + inset, y, area.right - inset, y, theme.faint, 3 * unit, 0.5)
        middle = (area.left + area.right) / 2
        pen.line(middle, y - 5 * unit, middle, y + 5 * unit, theme.faint, unit)
        reached = playback.reached
        end = x if reached is None else self._pixel_of(min(reached, 1.0) * playback.speed, area)
        pen.line(area.left + inset, y, max(end, area.left + inset), y, theme.accent, 3 * unit)
        pen.dots(np.array([(x, y)]), KNOB * unit, theme.accent if self._sliding or self._over == "slider" else theme.text)

    def _tip(self) -> str:
        if self._over == "slider":
            playback = self.stage.playback
            said = tr("pace: {speed} time units per second", speed=number(playback.speed))
            if playback.reached is not None and playback.reached < 0.97:
                said += tr(", {reached} reached", reached=number(playback.reached * playback.speed))
            return said
        if isinstance(self._over, Button):
            keys = self._over.keys
            return f"{self._over.label}  ({keys})" if keys else self._over.label
        return tr("more")

    def _draw_tip(self, pen: Pen) -> None:
        """Draw the label above the button under the mouse."""
        theme, unit, text = self.stage.theme, pen.unit, self._tip()
        found = next((area for what, area in self.places() if what is self._over or what == self._over), None)
        if found is None:
            return
        half = 0.5 * pen.text_width(text, TIP_SIZE) + 8 * unit
        middle = min(max((found.left + found.right) / 2, half), max(pen.size[0] - half, half))
        bottom = found.top + 3 * unit
        pen.box(middle - half, bottom, middle + half, bottom + 22 * unit, theme.text, 0.92, corner=5 * unit)
        pen.write(text, middle, bottom + 7 * unit, theme.panel, TIP_SIZE, anchor="center")
