"""Undoing: takes edits back, and repeats them, by means of `playback`."""
from __future__ import annotations

from ..stage.commands import Command
from ..stage.part import Part


class Undoing(Part):
    """The keys of undo and redo."""

    COMMANDS = (
        Command("Ctrl+Z", "undo the latest edit", "undo", "disc", "changes"),
        Command("Ctrl+Y Ctrl+Shift+Z", "redo it", "redo", "disc", "changes"),
    )

    def undo(self) -> None:
        """Go back to just before the latest edit, and drop it."""
        self.stage.playback.undo()

    def redo(self) -> None:
        """Repeat the edit that was undone last."""
        self.stage.playback.redo()
