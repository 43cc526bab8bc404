"""Widget: the view of a `Live` as an anywidget: its state is traits, its pictures are messages. The only module that imports
anywidget."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from . import page
from .messages import Message, finite
from .show import CommandError
from .turns import Turns

WIDGET = "widget.js"


def script() -> str:
    """The module of the widget, which imports nothing. Comments and indentation are left out, because notebooks may save it."""
    lines = (line.strip() for line in (page.scripts() + page.read(WIDGET)).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


class Widget(anywidget.AnyWidget):
    """The state of a run as traits, which a program may set: `playing`, `speed`, `colors`, `theme`. `height`: of a view, CSS
    pixels. `choices`: texts and lists of the page.

    handle: called with each message of a view; returns the answer or None. command: called with a command for each trait that is
    changed."""

    _esm = script()
    playing = traitlets.Bool(False).tag(sync=True)
    speed = traitlets.Float(1.0).tag(sync=True)
    colors = traitlets.Unicode("auto").tag(sync=True)
    theme = traitlets.Unicode("light").tag(sync=True)
    height = traitlets.Int(520).tag(sync=True)
    choices = traitlets.Dict().tag(sync=True)

    def __init__(self, handle: Callable[[dict[str, Any]], Message | None], command: Callable[[dict[str, Any]], None],
                 height: int) -> None:
        super().__init__(height=height, choices=page.choices())
        self._told = False          # whether traits are being set to the state of the run
        self._run = handle, command
        self._turns = Turns(self._handle_msg)
        self.comm.handle_msg = self._turns.take     # the method of the class calls the user's callbacks around each message
        self.on_msg(_arrived)
        self.observe(self._asked, ["playing", "speed", "colors", "theme"])

    def close(self) -> None:
        self._turns.close()
        super().close()

    def tell(self, **state: Any) -> None:
        """Set traits to the state of the run."""
        self._told = True
        try:
            with self.hold_trait_notifications():
                for name, value in state.items():
                    setattr(self, name, value)
        finally:
            self._told = False

    def _asked(self, change: Any) -> None:
        """A program or a view has set a trait: do it. The trait goes back where that is refused."""
        if self._told:
            return
        handle, command = self._run
        playing = {"do": "play" if change.new else "pause"}
        try:
            command(playing if change.name == "playing" else {"do": change.name, "value": change.new})
        except CommandError:
            self.tell(**{change.name: change.old})
            raise

    def later(self, content: dict[str, Any], seconds: float) -> bool:
        """Handle content after so many seconds as if a view had sent it then; whether that can be, because a loop is running."""
        return self._turns.later({"content": {"data": {"method": "custom", "content": content}}, "buffers": []}, seconds)

    def answer(self, content: Any) -> None:
        """Answer a message of a view."""
        message = self._run[0](content) if isinstance(content, dict) else None
        if message is not None:
            self.send(finite(message.header), message.buffers)


def _arrived(widget: Any, content: Any, buffers: Any) -> None:
    widget.answer(content)
