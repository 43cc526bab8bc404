"""Notebook: a running system in a cell of a notebook. The widget itself is in widget.py, which needs the extra `notebook`."""
from __future__ import annotations

import weakref
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ..viewer.draw.look import Look
from .messages import Have, Message, have_of
from .show import CommandError, Show

SHORTEST = 1 / 90           # seconds between two advances, however often views ask
PICTURES_MOST = 32          # for one question
MANY = 20_000               # discs from which on positions of half the size are sent while they move
HEIGHTS = (200, 4000)       # of a view, CSS pixels

_shown: weakref.WeakValueDictionary[int, Live] = weakref.WeakValueDictionary()      # by id of the system, which each keeps


@dataclass
class Order:
    """What a view waits for: so many pictures, `every` so many seconds. number: of its latest question. have: what it has when
    all that was sent is there. due: whether the next picture has its time in the loop of the kernel."""

    pictures: int
    every: float
    number: int
    have: Have
    due: bool = False

    @classmethod
    def of(cls, content: dict[str, Any]) -> Order:
        """That of a question; one picture, if it says no such thing."""
        try:
            pictures, every, number = int(content["pictures"]), float(content["every"]), int(content["number"])
            if not (1 <= pictures <= PICTURES_MOST and SHORTEST <= every <= 1):
                raise ValueError
        except (KeyError, TypeError, ValueError, OverflowError):
            pictures, every, number = 1, SHORTEST, 0
        return cls(pictures, every, number, have_of(content.get("have")))


class Live:
    """A system that runs in the views of a notebook; the result of `hdsim.live`, which shows itself as a view.

    It has no loop of its own: it advances when a view asks for the next few pictures, in the thread of the cells and between
    them; a question for each picture would have the notebook show each time that its kernel works and rests again. So it stands
    still without a view, and while a cell is running. `system` is what is shown: the system itself or, after a step back in
    time, a copy. `widget` is the `anywidget.AnyWidget`, for notebooks that ask for one."""

    def __init__(self, system: Any, show: Show, height: int) -> None:
        from .widget import Widget

        self._system, self._show = system, show
        self._last = perf_counter()
        self._orders: dict[str, Order] = {}     # of the frontends that have a view
        self.widget = Widget(self._handle, self._command, height)
        self._tell_widget()

    @property
    def system(self) -> Any:
        return self._show.playback.system

    @property
    def playing(self) -> bool:
        """Whether the run goes on while there is a view; assign to it to play or pause."""
        return not self._show.playback.paused

    @playing.setter
    def playing(self, on: bool) -> None:
        self.do("play" if on else "pause")

    @property
    def speed(self) -> float:
        """Simulated time units per second; assign another one. ValueError unless it is from 1e-30 to 1e30."""
        return self._show.playback.speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._show.playback.set_speed(speed)
        self._tell_widget()

    def step(self) -> None:
        """Pause, and execute one event."""
        self.do("step")

    def do(self, name: str, **values: Any) -> None:
        """Execute a command of the page, such as `do("trail", disc=3)` or `do("gas", temperature=2.)`. ValueError for one that
        does not exist or has wrong values."""
        self._command({"do": name, **values})

    def close(self) -> None:
        """Remove all views, and observers and timers from the system."""
        _shown.pop(id(self._system), None)
        self._show.close()
        self.widget.close()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)     # the protocol of notebooks

    def __repr__(self) -> str:
        return f"Live({self.system!r}, {'playing' if self.playing else 'paused'}, speed={self.speed:g})"

    def _command(self, command: dict[str, Any]) -> None:
        self._show.do(command)
        self._tell_widget()

    def _tell_widget(self) -> None:
        """Set the traits of the widget to the state of the show."""
        self.widget.tell(playing=self.playing, speed=self.speed, colors=self._show.look.colors, theme=self._show.look.theme)

    # messages of views

    def _handle(self, content: dict[str, Any]) -> Message | None:
        """Execute what a view has sent; returns the answer, which goes to all views. Content that is no message has none."""
        view, kind = str(content.get("view", "")), content.get("kind")
        if kind == "gone":
            self._orders.pop(view, None)
            if not self._orders:
                self._show.playback.pause()
                self._tell_widget()
        elif kind == "do" and isinstance(content.get("command"), dict):
            try:
                self._command(content["command"])
            except CommandError as error:
                self._show.pause(str(error))
        elif kind == "ask":
            due = view in self._orders and self._orders[view].due
            self._orders[view] = Order.of(content)
            self._orders[view].due = due
            return self._answer(view)
        elif kind == "next" and view in self._orders:
            self._orders[view].due = False
            return self._answer(view) if self._orders[view].pictures else None
        return None

    def _answer(self, view: str) -> Message:
        """The next picture for a view: only its serial number, if it has it already."""
        order, now = self._orders[view], perf_counter()
        if now - self._last >= SHORTEST:
            paused = self._show.playback.paused
            self._show.tick(now - self._last)
            self._show.notice()
            self._last = now
            if paused != self._show.playback.paused:
                self._tell_widget()
        snapshot = self._show.snapshot()
        if snapshot.serial == order.have.serial:
            message = Message({"serial": snapshot.serial, "same": True}, [])
        else:
            message = snapshot.message(order.have._replace(thin=self.playing and len(self.system) >= MANY))
            order.have = have_of({"serial": snapshot.serial, **message.header["versions"]})
        order.pictures = order.pictures - 1 if self._show.busy else 0
        if order.pictures and not order.due:
            order.due = self.widget.later({"kind": "next", "view": view}, max(order.every - (perf_counter() - now), 0.0))
        message.header.update(view=view, number=order.number, more=order.pictures if order.due else 0)
        return message


def live(system: Any, speed: float | None = None, *, paused: bool = False, height: int = 520, theme: str = "light",
         colors: str = "auto", trails: tuple[int, ...] = ()) -> Live:
    """Show a running system in a cell of a notebook, with the bar and the panels of the page of `--browser`.

    speed    simulated time units per second of wall clock; None: such that the discs are seen to move
    paused   wait for the user before the first event
    height   of a view, CSS pixels
    theme, colors, trails  as for `hdsim.show`

    A second call with the same system returns the same `Live`, and all its views show the same instant. Nothing of the pictures
    is saved in the notebook. ImportError without the extra `notebook`; ValueError for other values; TypeError for a system that
    cannot be shown.
    """
    try:
        import anywidget  # noqa: F401
    except ImportError:
        raise ImportError("hdsim.live needs the library anywidget: pip install 'hdsim[notebook]'") from None
    if isinstance(height, bool) or not isinstance(height, int) or not HEIGHTS[0] <= height <= HEIGHTS[1]:
        raise ValueError(f"height is {height!r}; it must be a number of pixels from {HEIGHTS[0]} to {HEIGHTS[1]}")
    found = _shown.get(id(system))
    if found is not None:
        return found
    show = Show(system, speed=speed, look=Look(theme, colors, trails=tuple(trails)))
    found = Live(system, show, height)
    _shown[id(system)] = found
    if not paused:
        found.playing = True
    return found
