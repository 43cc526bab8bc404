"""Styling: a look put on a system: colours for its discs, arrows, and the legend of both. For windows, pictures and films alike;
a window has the slow colours made in another thread."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ...language import tr
from .area import Area
from .coloring import UNKNOWN, Coloring, local_order, order_colors, rms_speed
from .frame import Frame
from .legend import draw_legend
from .look import Look, checked_look
from .motion import arrow_length, chosen, draw_velocities
from .numerals import number
from .theme import THEMES
from .view import View

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .pen import Pen

ORDER_EVERY = 0.3       # seconds between two looks at the order, and ...
ORDER_SHARE = 3.0       # ... at least so many times as long as it takes


class Styling:
    """Scales are fixed by the system as it is when the styling begins; another system needs another one.

    wake    called, from another thread, when colours that take long are there; None: they are waited for
    """

    def __init__(self, system: Any, look: Look, wake: Callable[[], None] | None = None) -> None:
        self.look = look
        self._system = system
        self._coloring = None if look.colors == "file" else Coloring(system, look.colors)
        self._order = OrderInBackground(wake) if look.colors == "order" and wake is not None else None
        self._rms = rms_speed(system) if look.arrows else 0.0
        self._radius = float(np.median(system.radii)) if look.arrows and len(system) else 0.0
        self._read_at: Frame | None = None      # the frame whose velocities and colours are known
        self._painted: Frame | None = None
        self._velocities = np.empty((0, 2))

    @property
    def writes(self) -> bool:
        """Is there anything but discs?"""
        return self.look.arrows or self._coloring is not None

    def painted(self, frame: Frame, hurry: bool = True) -> Frame:
        """`frame`, the latest of the system, with the colours of the look. hurry: slow colours are wanted of this very frame, not
        only now and then."""
        if frame is not self._read_at:
            self._read_at, self._painted = frame, None
            if self.look.arrows:
                self._velocities = np.asarray(self._system.velocities, float).reshape(-1, 2)
        if self._coloring is None:
            return frame
        if self._order is not None:
            return replace(frame, colors=self._order.colors(frame, self._system, hurry))
        if self._painted is None:
            self._painted = replace(frame, colors=self._coloring.of(self._system))
        return self._painted

    def draw(self, pen: Pen, view: View, frame: Frame, area: Area, selected: int | None = None) -> None:
        """Arrows and legend, over the discs of the frame that was painted last."""
        theme, arrow = THEMES[self.look.theme], None
        if self.look.arrows and self._rms > 0 and len(self._velocities) == len(frame):
            length = arrow_length(self._radius, view, pen.unit)
            which, every = chosen(frame, view, area, length, selected)
            draw_velocities(pen, theme, view, frame, self._velocities, which, length / self._rms)
            some = "" if every == 1 else tr(", one disc in {every}", every=every)
            arrow = length, tr("rms speed {speed}", speed=number(self._rms)) + some
        legend = None if self._coloring is None else self._coloring.legend
        if legend is not None and self._order is not None:
            legend = replace(legend, note=legend.note + tr("; every {seconds:.1f} s", seconds=self._order.interval))
        draw_legend(pen, theme, area, legend, arrow)

    def close(self) -> None:
        """End what runs in the background."""
        if self._order is not None:
            self._order.close()


class OrderInBackground:
    """psi_6 of a window's system: it takes a tenth of a second for some ten thousand discs, and frames do not wait for it."""

    def __init__(self, wake: Callable[[], None]) -> None:
        # Not before it is needed: that takes a while.
        from concurrent.futures import ThreadPoolExecutor

        self._wake = wake
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hdsim psi_6")
        self._pending: Future | None = None
        self._of: Frame | None = None       # the frame that was asked about last
        self._began = 0.0
        self.interval = ORDER_EVERY         # seconds
        self._colors = np.empty((0, 3), np.uint8)

    def colors(self, frame: Frame, system: Any, hurry: bool) -> np.ndarray:
        """The latest there are; grey at first. Asks for new ones where it is time, or at once if there is a hurry."""
        if self._pending is not None and self._pending.done():
            self._colors, seconds = self._pending.result()
            self.interval = max(ORDER_EVERY, ORDER_SHARE * seconds)
            self._pending = None
        due = hurry or perf_counter() - self._began >= self.interval
        if self._pending is None and frame is not self._of and due:
            self._of, self._began = frame, perf_counter()
            self._pending = self._pool.submit(_timed_order_colors, np.array(system.positions), system.box)
            self._pending.add_done_callback(lambda done: self._wake())
        if len(self._colors) != len(frame):
            self._colors = np.tile(np.array(UNKNOWN, np.uint8), (len(frame), 1))
        return self._colors

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def picture_styling(system: Any, look: Look | None) -> Styling | None:
    """What a picture or a film of `system` needs for a look; None if it is given none."""
    if look is None:
        return None
    if checked_look(look, system).trails:
        raise ValueError(f"trails is {look.trails!r}; trails are drawn in windows only, not in pictures and films")
    return Styling(system, look)


def _timed_order_colors(positions: np.ndarray, box: Any) -> tuple[np.ndarray, float]:
    began = perf_counter()
    colors = order_colors(local_order(positions, box))
    return colors, perf_counter() - began
