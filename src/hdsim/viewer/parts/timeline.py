"""Timeline: a bar of the history, and the keys that go back and forth in it by means of `playback`."""
from __future__ import annotations

import numpy as np

from ..draw.area import Area
from ..draw.pen import Pen
from ..playback.playback import CONTINUED, REVERSED
from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage

INSET = 12          # distance of the ends of the bar from the edges of the window, window units
LEAP = 1.0          # seconds of play for each press of a key
FIRST = 20.0        # seconds of play for which the bar has room at first
FULL, HALF = 0.95, 0.6      # share of the bar that may be filled, and that is filled after it was scaled anew


class Timeline(Part):
    """A bar from the earliest time that can be reached to some time ahead: filled up to the present, which moves along it, with a
    mark at the latest time visited. It is scaled anew when it is almost full. A press or drag on the bar goes to that time, or to
    the latest one. The run is paused during a drag, and then continues if it was running."""

    COMMANDS: tuple[Command, ...] = (
        Command("Left", "back by one event or edit", "step_back", "time"),
        Command(".", "forward by one frame", "frame_forward", "time"),
        Command(",", "back by one frame", "frame_back", "time"),
        Command("PgUp", "back by a second of play", "leap", "time", values=(-LEAP,)),
        Command("PgDn", "forward again by a second", "leap", "time", values=(LEAP,)),
        Command("End", "to the last time visited", "go_to_end", "time"),
        Command("R", "reverse all velocities", "reverse", "time", "reversal"),
    )

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._wanted: float | None = None       # pixel to which the bar is dragged; None without a drag
        self._sought: float | None = None
        self._went_on = False                   # whether the run was going on before the drag
        self._pointer: float | None = None      # pixel of the mouse over the bar; None elsewhere
        self._span = 0.0                        # simulated time from one end of the bar to the other ...
        self._of: object = None                 # ... for this playback

    # what the keys do

    def step_back(self) -> None:
        """Pause, and go back to just after the previous event, or to just before an edit."""
        self.stage.playback.step_back()

    def frame_forward(self) -> None:
        """Pause, and go to the next frame."""
        self.stage.playback.frame_forward()

    def frame_back(self) -> None:
        """Pause, and go to the previous frame."""
        self.stage.playback.frame_back()

    def leap(self, seconds: float) -> None:
        """Go on, or back, by so many seconds of play."""
        playback = self.stage.playback
        playback.seek(playback.system.time + seconds * playback.speed)

    def go_to_end(self) -> None:
        self.stage.playback.seek(self.stage.playback.history.end)

    def reverse(self) -> None:
        """Reverse all velocities; the status line then shows the distance of the discs from the start."""
        self.stage.playback.reverse()

    # the mouse

    @property
    def area(self) -> Area:
        return self.stage.layout.timeline

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if not self.area.holds(x, y):
            return False
        playback = self.stage.playback
        if self._wanted is None:
            self._went_on = not playback.paused
            playback.pause()
        self._wanted, self._sought, self._pointer = self._time_at(x), None, x
        return True

    def mouse_dragged(self, x: float, y: float, dx: float, dy: float, button: int, modifiers: int) -> bool:
        if self._wanted is None:
            return False
        self._wanted, self._pointer = self._time_at(x), x
        return True

    def mouse_released(self, x: float, y: float, button: int, modifiers: int) -> bool:
        if self._wanted is None:
            return False
        wanted = self._time_at(x)
        self._wanted = None
        if wanted != self._sought:
            self.stage.playback.seek(wanted)
        if self._went_on:
            self.stage.playback.go_on()
        return True

    def mouse_moved(self, x: float, y: float) -> bool:
        pointer = x if self.area.holds(x, y) else None
        if pointer != self._pointer:
            self._pointer = pointer
            self.stage.refresh()
        return False

    def close(self) -> None:
        self._wanted = None

    def ticking(self) -> None:
        """Go to the time at the mouse. A replay under way ends first, because otherwise a fast drag would show no picture."""
        playback = self.stage.playback
        if self._wanted is not None and self._wanted != self._sought and not playback.seeking:
            self._sought = self._wanted
            playback.seek(self._wanted)

    # times and pixels

    def _ends(self) -> tuple[float, float]:
        inset = INSET * self.stage.unit
        return inset, max(self.area.right - inset, inset + 1)

    def span(self) -> float:
        """The simulated time from one end of the bar to the other: at least FIRST seconds of play, and more than was visited."""
        playback = self.stage.playback
        visited = playback.history.end - playback.history.begin
        if playback is not self._of or visited > FULL * self._span:
            self._of, self._span = playback, max(visited / HALF, FIRST * playback.speed)
        return self._span

    def _time_at(self, x: float) -> float:
        left, right = self._ends()
        history = self.stage.playback.history
        part = min(max((x - left) / (right - left), 0.0), 1.0)
        return min(history.begin + part * self.span(), history.end)

    def _pixels(self, times: np.ndarray) -> np.ndarray:
        left, right = self._ends()
        return left + (right - left) * np.clip((times - self.stage.playback.history.begin) / self.span(), 0, 1)

    # drawing

    def draw_over(self, pen: Pen) -> None:
        theme, area, unit, playback = self.stage.theme, self.area, pen.unit, self.stage.playback
        left, right = self._ends()
        y, half = (area.bottom + area.top) / 2, 2 * unit
        now, latest = self._pixels(np.array([playback.system.time, playback.history.end])).tolist()
        pen.box(*area, theme.surround)
        pen.box(left, y - half, right, y + half, theme.faint, 0.25, corner=half)
        pen.box(left, y - half, max(latest, left + 2 * half), y + half, theme.faint, 0.6, corner=half)
        pen.box(left, y - half, max(now, left + 2 * half), y + half, theme.accent, corner=half)
        if latest > now + 6 * unit:
            pen.line(latest, y - 5 * unit, latest, y + 5 * unit, theme.faint, 2 * unit)
        self._draw_edits(pen, y)
        pen.dots(np.array([(now, y)]), 6 * unit, theme.accent)
        if self._pointer is not None:
            self._draw_pointer(pen, self._pointer, y)

    def _draw_edits(self, pen: Pen, y: float) -> None:
        """Draw a tick for each edit, and an arrow head < for each reversal."""
        theme, unit = self.stage.theme, pen.unit
        edits = [kept for kept in self.stage.playback.history.checkpoints if kept.what not in ("", *CONTINUED)]
        if not edits:
            return
        x = self._pixels(np.array([kept.mark.time for kept in edits]))
        turned = np.array([kept.what == REVERSED for kept in edits])
        high = np.full(len(x), 7 * unit)
        pen.lines(np.column_stack([x, y - high, x, y + high])[~turned], theme.text, 2 * unit)
        tip = x[turned] - 5 * unit
        for side in (1, -1):        # <, as the discs go back
            pen.lines(np.column_stack([tip, np.full(len(tip), y), tip + 7 * unit, y + side * high[turned]]), theme.text, 2 * unit)

    def _draw_pointer(self, pen: Pen, x: float, y: float) -> None:
        """Draw a hollow circle at the mouse, with the time there."""
        theme, unit, playback = self.stage.theme, pen.unit, self.stage.playback
        left, right = self._ends()
        x = min(max(x, left), right)
        pen.dots(np.array([(x, y)]), 6 * unit, theme.surround)
        pen.ring(x, y, 5 * unit, theme.accent, 2 * unit)
        text = f"t = {self._time_at(x):.6g}" + (" ..." if playback.seeking else "")
        half = 0.5 * pen.text_width(text) + 6 * unit
        middle = min(max(x, half + 4 * unit), max(self.area.right - half - 4 * unit, half))
        bottom = self.area.top + 4 * unit
        pen.box(middle - half, bottom, middle + half, bottom + 20 * unit, theme.panel, 0.95, corner=4 * unit)
        pen.write(text, middle, bottom + 5 * unit, theme.text, anchor="center")
