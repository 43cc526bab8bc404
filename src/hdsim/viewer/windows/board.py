"""The window of a program that has a loop of its own and shows one picture after another. Importing it needs a display; see
`context`."""
from __future__ import annotations

import pyglet
from pyglet.window import key

from ..draw.context import open_window
from ..draw.frame import Frame
from ..draw.gpu import release
from ..draw.layers import Scene
from ..draw.theme import LIGHT
from ..draw.view import View
from ..stage.layout import MARGIN
from ..stage.stage import LINE
from .window import window_size


class Board(pyglet.window.Window):
    """A window that shows frames. It has no event loop: each `show` handles the events since the last one."""

    def __init__(self, **options) -> None:
        super().__init__(caption="hdsim", resizable=True, **options)
        self._scene = Scene(LIGHT)
        self._frame: Frame | None = None
        self._asked = False         # the user has asked to close it

    def show(self, frame: Frame) -> bool:
        """Draw the frame. If the user has asked to close the window, close it, and return False."""
        self._frame = frame
        self.switch_to()
        self.dispatch_events()
        if self._asked:
            self.close()        # not in a handler: pyglet reads the events of a window that must not be closed meanwhile
            return False
        self.draw(0.0)
        return True

    def close(self) -> None:
        release(self, self._scene)
        pyglet.app.windows.add(self)        # pyglet takes it out again; see `open_board`
        super().close()

    # what pyglet calls

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        if symbol == key.ESCAPE:
            self._asked = True

    def on_close(self) -> None:
        self._asked = True

    def on_draw(self) -> None:
        if self._frame is not None:
            unit = self.get_pixel_ratio()
            view = View.fit((self._frame.width, self._frame.height), self.get_framebuffer_size(), (MARGIN * unit,) * 4)
            self._scene.draw(self._frame, view, line=LINE * unit)


def open_board(aspect: float) -> Board:
    """`hdsim.viewer.open_board`, after a display was found."""
    board = open_window(Board, **window_size(aspect))
    pyglet.app.windows.discard(board)       # otherwise the loop of another window would draw it, and wait until it is closed
    return board
