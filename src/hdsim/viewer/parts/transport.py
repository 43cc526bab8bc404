"""Transport: the keys that start and stop the run, step it, and set its speed. What they do is in `playback`."""
from __future__ import annotations

from collections.abc import Callable

from ..stage.commands import Command
from ..stage.part import Part
from ..stage.stage import Stage


class Transport(Part):
    """before_step: called before a step is executed, to see what that changes; None: nothing compares."""

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
        """Pause, and execute one event; of two engines, one of the exact one."""
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
        """Begin again."""
        self.stage.playback.restart()
