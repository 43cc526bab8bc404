"""Transport: the keys that start, pause and step the run, and set its speed, by means of `playback`."""
from __future__ import annotations

from collections.abc import Callable

from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage


class Transport(Part):
    """The keys of the run. before_step: called before a step, so that its changes can be found by comparison; or None."""

    COMMANDS = (
        Command("Space", "pause, go on", "toggle_pause", "time"),
        Command("Right", "pause, then one event at a time", "step", "time"),
        Command("Up", "faster", "faster", "time"),
        Command("Down", "slower", "slower", "time"),
        Command("Home", "begin again", "restart", "time"),
    )

    def __init__(self, stage: Stage, before_step: Callable[[], None] | None = None) -> None:
        super().__init__(stage)
        self._before_step = before_step

    def toggle_pause(self) -> None:
        """Pause, or go on."""
        self.stage.playback.toggle()

    def step(self) -> None:
        """Pause, and execute one event; with two engines, one event of the exact engine."""
        if self._before_step is not None:
            self.stage.playback.pause()
            self._before_step()
        self.stage.playback.step()

    def faster(self) -> None:
        """The next higher speed."""
        self.stage.playback.faster()

    def slower(self) -> None:
        """The next lower speed."""
        self.stage.playback.slower()

    def restart(self) -> None:
        """Begin again from the initial state."""
        self.stage.playback.restart()
