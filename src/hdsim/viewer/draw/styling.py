"""Styling: applies a look to a system: colours of its discs, arrows, and the legend, for windows, pictures and films. For a
window, slow colours are computed in another thread."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ...language import tr
from ...language.numerals import number
from ...model.colors import UNKNOWN, fall_speed, rms_speed
from ...model.motion import velocities_of
from ...model.numbers import vectors
from ...model.roles import HasObstacles, offers
from .area import Area
from .coloring import GROWTH, Coloring, colors_by_order, faded
from .coloring import Legend as Colors
from .frame import Frame
from .legend import Legend
from .look import Look, checked_look
from .motion import arrow_length, chosen, draw_arrows, draw_velocities, obstacle_arrows
from .space_view import SpaceView
from .theme import THEMES
from .view import AnyView

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .pen import Pen

ORDER_EVERY = 0.3       # least seconds between two computations of psi_6, and ...
ORDER_SHARE = 3.0       # ... least interval over the time that a computation takes


class Styling:
    """The appearance of one system. Its initial state fixes the scales of colours and arrows, which begin anew when its rms speed
    has grown much.

    wake    called from another thread when slow colours have been computed; None: drawing waits for them
    bare    whether a picture is of the box alone, without a legend, with all discs of their true sizes
    """

    def __init__(self, system: Any, look: Look, wake: Callable[[], None] | None = None, bare: bool = False) -> None:
        self.look, self.bare = look, bare
        self._system = system
        self._coloring = Coloring(system, look.colors)
        self._order = OrderInBackground(wake) if look.colors == "order" and wake is not None else None
        self._speed, self._meaning = scale_of_arrows(system) if look.arrows else (0.0, "")
        self._radius = float(np.median(system.radii)) if look.arrows and len(system) else 0.0
        self._read_at: Frame | None = None      # the frame whose velocities and colours were read last
        self._painted: Frame | None = None
        self._velocities = np.empty((0, 2))
        self._arrow: tuple[float, str] | None = None        # the sample arrow of the picture that was drawn last, and its meaning

    def painted(self, frame: Frame, hurry: bool = True) -> Frame:
        """`frame`, the latest of the system, with the colours of the look. hurry: compute slow colours for this frame at once,
        instead of at intervals."""
        if frame is not self._read_at:
            self._read_at, self._painted = frame, None
            if self.look.arrows:
                self._velocities = vectors(self._system.velocities)
                if rms_speed(self._system) > GROWTH * self._speed:
                    self._speed, self._meaning = scale_of_arrows(self._system)
        paper = THEMES[self.look.theme].paper
        if self._order is not None:
            return replace(frame, colors=faded(self._order.colors(frame, self._system, hurry), frame, paper))
        if self._painted is None:
            self._painted = replace(frame, colors=faded(self._coloring.of(self._system), frame, paper))
        return self._painted

    def draw(self, pen: Pen, view: AnyView, frame: Frame, area: Area, selected: int | None = None) -> None:
        """Draw arrows over the discs of the frame that `painted` returned last."""
        self._arrow = None
        if self.look.arrows and self._speed > 0 and len(self._velocities) == len(frame):
            length = arrow_length(self._radius, view, pen.unit)
            which, every = chosen(frame, view, area, length, selected)
            theme, scale = THEMES[self.look.theme], length / self._speed
            draw_velocities(pen, theme, view, frame, self._velocities, which, scale)
            if isinstance(view, SpaceView):
                some = tr(", of spheres in front")
            else:
                starts, velocities = obstacle_arrows(frame)
                draw_arrows(pen, view.pixels(starts), scale * velocities, theme)
                some = "" if every == 1 else tr(", one disc in {every}", every=every)
            self._arrow = length, self._meaning + some

    @property
    def legend(self) -> Colors | None:
        """The legend of the colours that `painted` gave last; None where they need none."""
        legend = self._coloring.legend
        if legend is not None and self._order is not None:
            return replace(legend, note=legend.note + tr("; every {seconds:.1f} s", seconds=self._order.interval))
        return legend

    def strip(self, enlarged: bool) -> float:
        """The height of the legend of a picture, window units; 0 if there is nothing to explain."""
        if self.bare:
            return 0.0
        arrow = (0.0, "") if self.look.arrows and self._speed > 0 else None
        return Legend(self.legend, arrow, ("",) if enlarged else ()).height

    def explained(self, enlarged: bool = False) -> Legend:
        """What must be explained of the picture that was drawn last. enlarged: whether small discs were drawn larger."""
        drawing = None if self._read_at is None else self._read_at.drawing
        circles = drawing is None or drawing.has_circles
        note = tr("small discs enlarged", of=self._axes) if circles else tr("small bodies enlarged")
        return Legend(self.legend, self._arrow, (note,) if enlarged else ())

    @property
    def _axes(self) -> int:
        """Those of the frame that `painted` got last."""
        return 2 if self._read_at is None else len(self._read_at.lengths)

    def close(self) -> None:
        """End the thread that computes slow colours."""
        if self._order is not None:
            self._order.close()


def scale_of_arrows(system: Any) -> tuple[float, str]:
    """The speed that a sample arrow has, and its meaning: the rms speed of the discs or, if it is larger, that of a fall; or, if
    nothing moves or falls, that of the fastest obstacle; 0 where that is at rest, too."""
    rms, speed = rms_speed(system), fall_speed(system)
    if rms > 0 and rms >= speed:
        return rms, tr("rms speed {speed}", speed=number(rms))
    if speed == 0 and offers(system, HasObstacles):
        speed = max((math.hypot(*velocity) for obstacle in system.obstacles for velocity in velocities_of(obstacle)), default=0.0)
    return speed, tr("speed {speed}", speed=number(speed))


class OrderInBackground:
    """Colours by psi_6 or q_6, computed in another thread, because they take a tenth of a second for some ten thousand discs."""

    def __init__(self, wake: Callable[[], None]) -> None:
        # Imported here because the import is slow and rarely needed.
        from concurrent.futures import ThreadPoolExecutor

        self._wake = wake
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hdsim psi_6")
        self._pending: Future | None = None
        self._of: Frame | None = None       # the frame whose colours were requested last
        self._began = 0.0
        self.interval = ORDER_EVERY         # seconds
        self._colors = np.empty((0, 3), np.uint8)

    def colors(self, frame: Frame, system: Any, hurry: bool) -> np.ndarray:
        """The latest colours, grey at first, (n, 3) uint8. Requests new ones if the interval has passed, or if `hurry`."""
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


def picture_styling(system: Any, look: Look | None) -> Styling:
    """The styling of a picture or a film of `system`; None: the colours of `Look()`, and no legend. ValueError for trails,
    TypeError for a wrong look."""
    chosen = checked_look(look, system)
    if chosen.trails:
        raise ValueError(f"trails is {chosen.trails!r}; trails are drawn in windows only, not in pictures and films")
    return Styling(system, chosen, bare=look is None)


def _timed_order_colors(positions: np.ndarray, box: Any) -> tuple[np.ndarray, float]:
    began = perf_counter()
    colors = colors_by_order(positions, box)
    return colors, perf_counter() - began
