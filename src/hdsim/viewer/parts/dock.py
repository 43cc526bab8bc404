"""The dock: the panels that are shown, arranged beside or below the picture or as tabs, with their titles; and the captions above
the picture."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...model.offering import lacking
from ..draw.area import Area
from ..draw.pen import Pen
from ..stage.layout import CAPTION, EDGE, MARGIN, TITLE, Layout, arrange
from ..stage.part import Panel, Part, Words
from ..stage.stage import Stage

TITLE_SIZE, CAPTION_SIZE, TAB_SIZE = 10.0, 10.0, 9.0      # of letters
CROSS = 4.5             # half of the side of the cross that hides a panel, window units


class Dock(Part):
    """Arranges the panels and draws their frames. captions: returns the lines above the picture."""

    def __init__(self, stage: Stage, panels: Sequence[Panel], captions: Callable[[], list[Words]]) -> None:
        super().__init__(stage)
        self._panels, self._captions = list(panels), captions
        self._active: Panel | None = None       # the panel that is seen if there is room for one only
        self._were: list[Panel] = []            # the panels that were shown at the last look
        self._key: tuple[Any, ...] = ()
        self._layout: Layout | None = None      # for that key

    # geometry

    def shown(self) -> list[Panel]:
        """The panels that are shown, in their order."""
        system = self.stage.playback.system
        shown = [panel for panel in self._panels if panel.shown and not lacking(system, panel.NEEDS)]
        if shown != self._were:
            opened = [panel for panel in shown if panel not in self._were and not panel.wish().minor]
            self._active = opened[-1] if opened else self._active if self._active in shown else None
            self._were = shown
        return shown

    def layout(self) -> Layout:
        """The present layout of the window."""
        stage, shown, frame = self.stage, self.shown(), self.stage.playback.frame
        wishes = tuple(panel.wish() for panel in shown)
        active = shown.index(self._active) if self._active in shown else 0
        key = stage.size, stage.unit, frame.width / frame.height, wishes, active, len(self._captions())
        if key != self._key or self._layout is None:
            self._key, self._layout = key, arrange(*key)
        return self._layout

    def visible(self) -> list[tuple[Panel, Area]]:
        """The panels that are visible, each with its area, title included."""
        shown = self.shown()
        return [(shown[place.panel], place.area) for place in self.layout().panels]

    def show(self, panel: Panel) -> None:
        """Let this panel be the one that is seen if there is room for one only."""
        self.shown()
        self._active = panel
        self.stage.refresh()

    # drawing

    def draw_panels(self, pen: Pen) -> None:
        """Draw captions, tabs, and the panels with their frames and titles."""
        theme, unit = self.stage.theme, pen.unit
        layout, shown = self.layout(), self.shown()
        self._draw_captions(pen, layout.captions)
        for tab in layout.tabs:
            panel = shown[tab.panel]
            here = any(place.panel == tab.panel for place in layout.panels)
            pen.box(*tab.area, theme.panel if here else theme.surround)
            pen.line(tab.area.left, tab.area.bottom, tab.area.left, tab.area.top, theme.faint, unit, 0.4)
            middle = (tab.area.left + tab.area.right) / 2
            pen.write(pen.fitting(panel.name or panel.title, tab.area.width - 8 * unit, TAB_SIZE), middle,
                      tab.area.bottom + 8 * unit, theme.text if here else theme.faint, TAB_SIZE, anchor="center", bold=here)
        pen.flush()
        for panel in shown:
            panel.area = Area(0, 0, 0, 0)
        for panel, area in self.visible():
            self._draw_panel(pen, panel, area, bool(layout.tabs))

    def _draw_panel(self, pen: Pen, panel: Panel, area: Area, is_tab: bool) -> None:
        theme, unit = self.stage.theme, self.stage.unit
        padding = MARGIN * unit
        pen.box(*area, theme.panel)
        pen.line(area.left, area.bottom, area.left, area.top, theme.faint, unit, alpha=0.4)
        pen.line(area.left, area.top, area.right, area.top, theme.faint, unit, alpha=0.4)
        edge = EDGE * unit
        top = area.top - (TITLE * unit if panel.title else edge)
        if panel.title:
            room = area.width - 2 * padding - (3 * CROSS * unit if panel.CLOSES else 0.0)
            pen.write(pen.fitting(panel.title, room, TITLE_SIZE, bold=True), area.left + padding, area.top - 0.7 * TITLE * unit,
                      theme.text, TITLE_SIZE, bold=True)
            if panel.CLOSES:
                self._draw_cross(pen, area)
        panel.area = Area(area.left + padding, area.bottom + edge, area.right - padding, max(top, area.bottom + edge))
        panel.draw(pen, panel.area)
        pen.flush(clip=area)

    def _draw_cross(self, pen: Pen, area: Area) -> None:
        x, y = self._cross(area)
        half = CROSS * pen.unit
        pen.lines(np.array([(x - half, y - half, x + half, y + half), (x - half, y + half, x + half, y - half)]),
                  self.stage.theme.faint, 1.5 * pen.unit)

    def _cross(self, area: Area) -> tuple[float, float]:
        """The centre of the cross of a panel."""
        return area.right - MARGIN * self.stage.unit - CROSS * self.stage.unit, area.top - 0.5 * TITLE * self.stage.unit

    def _draw_captions(self, pen: Pen, area: Area) -> None:
        unit = pen.unit
        for k, words in enumerate(self._captions()):
            x, base = area.left + MARGIN * unit, area.top - (k * CAPTION + 15) * unit
            for word, color in words:
                seen = pen.fitting(word, area.right - x, CAPTION_SIZE, bold=True)
                x += pen.write(seen, x, base, color, CAPTION_SIZE, bold=True) + 8 * unit

    # the mouse

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        shown = self.shown()
        for tab in self.layout().tabs:
            if tab.area.holds(x, y):
                self.show(shown[tab.panel])
                return True
        for panel, area in self.visible():
            cross = self._cross(area)
            if panel.CLOSES and panel.title and max(abs(x - cross[0]), abs(y - cross[1])) <= 2 * CROSS * self.stage.unit:
                panel.toggle()
                return True
        return False
