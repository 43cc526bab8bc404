"""Weight: gravity as an arrow in a corner of the picture, which is turned and pulled at its tip, paused or running; shown with
the sliders of the gas and with the things for the box. Every change is an edit."""
from __future__ import annotations

import math

import numpy as np

from ... import quantities
from ...language import tr
from ...language.numerals import number
from ..draw.pen import Pen
from ..draw.space_view import SpaceView
from ..draw.view import AnyView
from ..playback.playback import GAS
from ..stage import keys
from ..stage.commands import Command
from ..stage.part import Panel, Part
from ..stage.stage import Stage

ROUND, AWAY = 42.0, 10.0        # radius of the dial, and its distance from the edges of the picture, window units
LEAST, SHARE = 24.0, 0.14       # the same of a small picture: least, and over its shorter side
LABEL, WIDEST = 22.0, 76.0      # below the dial: its height, and the width that is left free for it at least, window units
CLEAR = 4.0             # between the label and the outline of the box, window units
STRONGEST = 10.0        # gravity at its edge, in units of the usual one
TIP, SLACK = 6.0, 14.0  # radius of the tip, and how close the mouse must be to it, window units
STILL = 4.0             # window units: a tip this close to the middle means no gravity
UPRIGHT = math.radians(6.0)     # an arrow this close to an axis of the picture is along it
LEAST_SEEN = 0.5        # of an axis of the box, foreshortened, along which an arrow can be
TURN = math.radians(15.0)       # a turn by key
SLOW = 5000             # with more discs, the arrow is heeded when it is let go
SIZE = 9.5              # of letters


class Weight(Part):
    """The arrow. panels: with which it is shown."""

    COMMANDS = (Command("Ctrl+G", "turn gravity by 15 degrees", "turn", "physics", "changes"),)

    def __init__(self, stage: Stage, panels: tuple[Panel, ...]) -> None:
        super().__init__(stage)
        self._panels = panels
        self._top: tuple[object, float] = None, 1.0         # a playback, and gravity at the edge of the dial
        self._tip: tuple[float, float] | None = None        # pixel to which the tip is dragged
        self._held = False
        self._widest: tuple[object, float] = None, 0.0      # a playback, and the width of its widest label so far, window units
        stage.corner = self._room

    @property
    def shown(self) -> bool:
        """Whether there is an arrow."""
        return any(panel.shown for panel in self._panels) and quantities.may_fall(self.stage.playback.system)

    def turn(self) -> None:
        """Turn gravity counterclockwise in the picture; without gravity, let it begin, downwards."""
        if not quantities.may_fall(self.stage.playback.system):
            self.stage.refuse(tr("nothing can fall in this system"))
            return
        x, y = self._seen()
        if x == y == 0:
            self._set(0.0, -self._most() / STRONGEST)
        else:
            cos, sin = math.cos(TURN), math.sin(TURN)
            self._set(cos * x - sin * y, sin * x + cos * y)

    # gravity as it is seen in the picture

    def _seen(self) -> tuple[float, float]:
        """To the right and upwards, length / time^2."""
        gravity, view = np.array(self.stage.playback.system.gravity, float), self.stage.box_view
        x, y = (np.array(view.pose[:2]) @ gravity if isinstance(view, SpaceView) else gravity).tolist()
        return x, y

    def _set(self, x: float, y: float) -> None:
        """Let gravity be seen so. In space it lies in the plane of the picture, or along an axis of the box seen there."""
        view, fall = self.stage.box_view, np.array((x, y))
        if isinstance(view, SpaceView):
            fall = _in_space(np.array(view.pose), fall)
        self.stage.playback.change(lambda system: quantities.set_fall(system, fall), GAS)
        self.stage.refresh()

    def _most(self) -> float:
        """Gravity at the edge of the dial, the same as long as a system is played."""
        playback = self.stage.playback
        if self._top[0] is not playback:
            usual = STRONGEST * quantities.usual_gravity(playback.system)
            self._top = playback, max(usual, 1.25 * math.hypot(*playback.system.gravity))
        return self._top[1]

    # geometry, in pixels

    def _room(self) -> tuple[float, float]:
        """Width and height of what the dial takes of the upper left corner of the picture, its label included."""
        if not self.shown:
            return 0.0, 0.0
        across, unit = 2 * self._round(), self.stage.unit
        label = self._widest[1] * unit if self._widest[0] is self.stage.playback else 0.0
        end = max(0.5 * (across + label), label - AWAY * unit)      # of the label, from where the box begins otherwise
        return max(across + AWAY * unit, WIDEST * unit, end + CLEAR * unit), across + (LABEL + CLEAR) * unit

    def _round(self) -> float:
        """The radius of the dial."""
        area, unit = self.stage.picture_area(), self.stage.unit
        return min(max(SHARE * min(area.width, area.height), LEAST * unit), ROUND * unit)

    def _middle(self) -> tuple[float, float]:
        area, inset = self.stage.picture_area(), self._round() + AWAY * self.stage.unit
        return area.left + inset, area.top - inset

    def _place(self) -> tuple[float, float]:
        """Where the tip is."""
        (x, y), per = self._middle(), self._round() / self._most()
        right, up = self._seen()
        return x + per * right, y + per * up

    def _pulled(self, x: float, y: float) -> tuple[float, float]:
        """Gravity for which the tip is at a pixel, to three digits of the largest one."""
        middle, most = self._middle(), self._most()
        dx, dy = x - middle[0], y - middle[1]
        away, angle = math.hypot(dx, dy), math.atan2(dy, dx)
        quarter = round(angle / (math.pi / 2))
        size = 0.0 if away < STILL * self.stage.unit else round(away / self._round(), 3) * most
        if abs(angle - quarter * math.pi / 2) < UPRIGHT:
            cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter % 4]
            return size * cos, size * sin
        return size * math.cos(angle), size * math.sin(angle)

    # the mouse

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        self._held, self._tip = False, None
        if button == keys.LEFT_BUTTON and self.shown and not self.stage.playback.seeking:
            self._held = math.dist(self._place(), (x, y)) <= SLACK * self.stage.unit
        return self._held

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._held:
            self._tip = x, y
            if len(self.stage.playback.system) <= SLOW:
                self._set(*self._pulled(x, y))
            self.stage.refresh()
        return self._held

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        held, tip, self._held, self._tip = self._held, self._tip, False, None
        if held and tip is not None and (tip != (x, y) or len(self.stage.playback.system) > SLOW):
            self._set(*self._pulled(x, y))
        self.stage.refresh()
        return held

    # drawing

    def draw_scene(self, pen: Pen, view: AnyView) -> None:
        if not self.shown:
            return
        theme, unit = self.stage.theme, pen.unit
        (x, y), tip, radius = self._middle(), self._tip or self._place(), self._round()
        pen.dots(np.array([(x, y)]), radius, theme.panel, 0.85)
        pen.ring(x, y, radius, theme.faint, unit, 0.8)
        pen.dots(np.array([(x, y)]), 2 * unit, theme.faint)
        if math.dist((x, y), tip) > TIP * unit:
            pen.line(x, y, *tip, theme.paper, 5 * unit, 0.7)
            pen.line(x, y, *tip, theme.accent, 2.5 * unit)
        pen.dots(np.array([tip]), TIP * unit, theme.paper)
        pen.ring(*tip, TIP * unit, theme.accent, 2 * unit)
        size = math.hypot(*(self._pulled(*self._tip) if self._tip else self.stage.playback.system.gravity))
        said, area, bottom = tr("gravity {g}", g=number(size)), self.stage.picture_area(), y - radius - LABEL * unit
        width = pen.text_width(said, SIZE, bold=self._held) + 10 * unit
        left = max(x - 0.5 * width, area.left)
        if self._widest[0] is not self.stage.playback or width > self._widest[1] * unit:
            self._widest = self.stage.playback, width / unit
            self.stage.refresh()        # the box makes room for it
        pen.box(left, bottom, left + width, bottom + 18 * unit, theme.panel, 0.85, corner=4 * unit)
        pen.write(said, left + 5 * unit, bottom + 5 * unit, theme.text, SIZE, bold=self._held)


def _in_space(pose: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(3,): the vector that is seen as (2,), along an axis of the box if it is seen close to that. pose: (3, 3), to the right,
    upwards and to the eye."""
    size = float(np.linalg.norm(seen))
    for axis in (1, 0, 2):
        shown = pose[:2, axis]
        length = float(np.linalg.norm(shown))
        if size > 0 and length > LEAST_SEEN and abs(seen @ shown) > math.cos(UPRIGHT) * size * length:
            along: np.ndarray = np.eye(3)[axis] * math.copysign(size / length, seen @ shown)
            return along
    flat: np.ndarray = seen @ pose[:2]
    return flat
