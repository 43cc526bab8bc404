"""`StdDraw`: the drawing board of the book's programs, in a window, a film, or pictures."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from time import sleep
from typing import Any

import numpy as np

from .. import viewer
from ..model.box import Box, BoxLike, as_rectangle
from ..viewer.draw.frame import Frame

FPS = 30.0          # of a film whose pictures are shown without a pause
BLACK = (0, 0, 0)


class WindowClosed(SystemExit):
    """Raised by `Canvas.show` after the window has been closed. Uncaught, it ends the program, as in the book."""


class Canvas:
    """A board for filled circles. `box`, by default the unit box, is the rectangle that is seen.

    Circles stay until `clear`. `show` shows the picture in a window, or writes it to a film inside `with StdDraw.record(path)`;
    `save` writes it to a file. A film and a saved picture need no display. hdsim has one canvas, `StdDraw`.

    >>> from hdsim.compat import Ball, StdDraw
    >>> Ball(rx=.5, ry=.5, vx=.01, vy=0, radius=.1).draw()
    >>> len(StdDraw)
    1
    >>> StdDraw.clear()
    """

    time = 0.0          # what a picture needs, besides arrays of the circles: see hdsim.model.roles.Drawable

    def __init__(self) -> None:
        self._box = Box()
        self._circles: list[tuple[float, float, float, tuple[int, ...]]] = []
        self._window: Any = None
        self._film: Any = None              # makes the reel of `record` for a number of frames per second
        self._reel: Any = None

    @property
    def box(self) -> Box:
        """The rectangle that is seen, with (0, 0) at its lower left corner, in length units; (width, height) can be assigned."""
        return self._box

    @box.setter
    def box(self, box: BoxLike) -> None:
        self._box = as_rectangle(box)

    def __len__(self) -> int:
        return len(self._circles)

    def clear(self) -> None:
        """Remove all circles."""
        self._circles.clear()

    def filledCircle(self, x: float, y: float, radius: float, color: Iterable[int] = BLACK) -> None:
        """Draw a circle with centre (x, y), in length units. color: red, green, blue, 0 to 255."""
        self._circles.append((x, y, radius, tuple(color)))

    @property
    def positions(self) -> np.ndarray:
        """The centres of the circles, (n, 2) float64."""
        return np.array([circle[:2] for circle in self._circles]).reshape(-1, 2)

    @property
    def radii(self) -> np.ndarray:
        """The radii of the circles, (n,) float64."""
        return np.array([circle[2] for circle in self._circles])

    @property
    def colors(self) -> np.ndarray:
        """The colours of the circles, (n, 3) uint8."""
        return np.array([circle[3] for circle in self._circles], np.uint8).reshape(-1, 3)

    def save(self, path: str) -> None:
        """Write the picture as a PNG file. OSError; NoDisplayError if OpenGL is missing."""
        viewer.save_png(path, viewer.snapshot(self))

    @property
    def recording(self) -> bool:
        """Whether `show` writes to a film."""
        return self._film is not None

    def ready(self) -> bool:
        """Whether `show` has a window or a film to show the picture in."""
        return self.recording or self._window is not None or viewer.available() is None

    def show(self, milliseconds: float = 0.0) -> None:
        """Show the picture for so many milliseconds: in a window, which the first call opens, or as a frame of a film.

        WindowClosed once the window has been closed; the next call opens another one. NoDisplayError if no window can be opened
        and no film is recorded."""
        frame = Frame.of(self)
        if self._film is not None:
            if self._reel is None:
                self._reel = self._film(1000 / milliseconds if milliseconds > 0 else FPS)
            self._reel.take(frame)
            return
        if self._window is None:
            self._window = viewer.open_board(frame.width / frame.height)
        if not self._window.show(frame):
            self._window = None
            raise WindowClosed
        sleep(milliseconds / 1000)

    @contextmanager
    def record(self, path: str) -> Iterator[None]:
        """Within the block, `show` writes a film instead of a window: .gif, .apng, .webp, .mp4 or .html, by the suffix of `path`,
        with the pauses of `show` (of the first one) as durations. ValueError for another suffix; other errors as for
        `hdsim.viewer.Recorder`. RuntimeError if a film is being recorded already."""
        if self.recording:
            raise RuntimeError(f"{path}: another film is being recorded; end its `with` block first")
        viewer.open_reel(path, self.box)        # a wrong suffix, or a missing package, is reported before the first picture
        with ExitStack() as stack:
            stack.callback(self._end)
            self._film = lambda fps: stack.enter_context(viewer.open_reel(path, self.box, fps))
            yield

    def _end(self) -> None:
        self._film = self._reel = None


StdDraw = Canvas()
