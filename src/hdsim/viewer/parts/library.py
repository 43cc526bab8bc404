"""Library: opens another system in the same window, from a file that is dropped on it, or the next or previous named one."""
from __future__ import annotations

import os
import warnings
from typing import Any

from ...language import tr
from ...model.box import lengths_of
from ...model.errors import HdsimError
from ...model.roles import on_paper
from ...starts import named, sources
from ..playback.wording import counted
from ..stage.commands import Command
from ..stage.kept import kept_in
from ..stage.part import Part
from ..stage.stage import Stage


class Library(Part):
    """Opens files and named systems. If opening fails, the status line gives the reason, and the present system stays."""

    COMMANDS = (
        Command("] N", "the next of the named systems", "turn_over", "file", values=(+1,)),
        Command("[ Shift+N", "the one before (or drop a file)", "turn_over", "file", values=(-1,)),
    )

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._told: dict[str, str] = {}         # sentences on systems that are no data sets, by name

    def about(self, name: str) -> str:
        """A sentence on the system or the exhibit of this name; "" if it is none."""
        return named.describe(name) if named.is_name(name) else self._told.get(name, "")

    def dropped(self, paths: list[str]) -> None:
        """Open the first of the files that were dropped on the window."""
        if paths and os.path.exists(paths[0]) and not os.path.isfile(paths[0]):
            self.stage.refuse(tr("{path}: expected a file, found a folder or a device", path=paths[0]))
        elif paths:
            self.open(paths[0])

    def turn_over(self, step: int) -> None:
        """Show the named system that is so many after the present one."""
        names = named.names()
        at = names.index(self.stage.name) if self.stage.name in names else -1 if step > 0 else 0
        self.open(names[(at + step) % len(names)])

    def open(self, source: str) -> None:
        """Show the system that a file or a name stands for."""
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                system = on_paper(sources.load(source))
        except (HdsimError, OSError, ValueError, MemoryError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self.stage.refuse(reason if source in reason else f"{source}: {reason or type(error).__name__}")
            return
        about = named.describe(source) if named.is_name(source) else counted(len(system), len(lengths_of(system.box)))
        look, speed = kept_in(source, system)
        self.show(system, os.path.basename(source), about, *(str(warning.message) for warning in warned))
        if speed is not None:
            self.stage.look = look
            self.stage.playback.set_speed(speed)

    def show(self, system: Any, name: str, about: str, *more: str) -> None:
        """Show a system with a sentence on it. more: what else must be said."""
        self._told[name] = about
        self.stage.show_system(system, name)
        self.stage.note("; ".join([f"{name}: {about}", *more]))
