"""Miniature: a system that plays by itself beside many others, within a share of each tick."""
from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Any

from ...model.errors import JammedError
from ..draw.coloring import Coloring, faded
from ..draw.frame import Frame
from ..draw.theme import LIGHT, Color
from .pace import lively_speed

LONGEST = 0.1           # seconds of a tick that are played; of a longer gap no more


class Miniature:
    """A system at its own pace. frame: the discs to draw. colors: what their colours show, see `Look`.

    If its discs jam, it begins again."""

    def __init__(self, system: Any, colors: str = "auto") -> None:
        self._start = system.copy()
        self._speed = lively_speed(system)
        self._colors, self._paper = colors, LIGHT.paper
        self._begin(system)

    def _begin(self, system: Any) -> None:
        self._system = system
        self._coloring = Coloring(system, self._colors)
        self._plain = Frame.of(system)
        self.frame = self._painted()

    def _painted(self) -> Frame:
        return replace(self._plain, colors=faded(self._coloring.of(self._system), self._plain, self._paper))

    def on(self, paper: Color) -> Frame:
        """The frame, with colours that fade towards that of this paper where a space has a depth."""
        if paper != self._paper:
            self._paper = paper
            self.frame = self._painted()
        return self.frame

    def tick(self, dt: float, budget: float) -> float:
        """Play `dt` seconds of wall clock, but no longer than `budget` seconds; returns the seconds that it took."""
        began = perf_counter()
        try:
            self._system.simulate(until=self._system.time + min(dt, LONGEST) * self._speed, max_seconds=budget)
        except JammedError:
            self._begin(self._start.copy())
        self._plain = Frame.of(self._system, self._plain)
        self.frame = self._painted()
        return perf_counter() - began
