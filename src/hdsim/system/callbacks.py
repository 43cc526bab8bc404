"""Callbacks of a system: functions that are called after contacts, and timers, which are called at multiples of a period."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from .. import _core
from ..model.numbers import real, shown
from ..model.events import Event
from .native import native_callback

STOP = "stop"       # a callback returns it to end the run; the textbook engine uses the same value
KINDS = _core.KINDS         # bit masks of kinds of contact events, at which a run returns to Python
TIMES_MAX = 2.0**52         # the largest number of periods that doubles count exactly


def is_stop(answer: Any) -> bool:
    """Whether this return value of a callback asks to end the run."""
    return isinstance(answer, str) and answer == STOP


def checked_callable(callback: Any) -> Callable[[Event], Any]:
    """The callback, unchanged. TypeError if it cannot be called."""
    if not callable(callback):
        raise TypeError(f"the callback must be callable, got {type(callback).__name__}")
    return callback


class Timer:
    """A callback that is registered by `on_redraw` or `on_timer`, with `cancel()`.

    kind: "redraw" or "timer". every: its period, in time units. number: identifies the timer; its events have it too.
    """

    def __init__(self, callback: Callable[[Event], Any], kind: str, every: float, number: int,
                 cancel: Callable[[Timer], None]) -> None:
        self._cancel = cancel
        self.callback = callback
        self.kind = kind
        self.every = every
        self.number = number

    def cancel(self) -> None:
        """Stop calling the callback. Calling `cancel` again has no effect."""
        self._cancel(self)


class Subscription:
    """A callback that is registered by `on_collision`, with `cancel()`. kind: "pair", "wall", "multi", "pass", "device",
    or None for all that have contacts."""

    def __init__(self, callbacks: Callbacks, callback: Any, kind: str | None, dimension: int) -> None:
        self._callbacks = callbacks
        self.callback = callback
        self.kind = kind
        self.native = native_callback(callback, KINDS[kind], dimension)     # None for a Python callable
        if self.native is None:
            checked_callable(callback)

    def cancel(self) -> None:
        """Stop calling the callback. Calling `cancel` again has no effect."""
        if self.native is not None:
            self.native.cancel()
        self._callbacks.remove(self)

    def concerns(self, event: Event) -> bool:
        """Whether the event is of the kind of this subscription, or has a contact of that kind."""
        if self.kind == event.kind or self.kind is None and event.kind not in ("device", "pass"):
            return True
        return (event.kind == "multi" and self.kind in ("pair", "wall")
                and any((c.j is None) == (self.kind == "wall") for c in event.contacts))


class Callbacks:
    """All callbacks of one system, in the order of registration. A copy of a system has none.

    subscriptions: the callbacks for contacts. natives: those of them that are functions in machine code, for the core. wanted:
    the kinds of events, as bits, for which a run returns to Python. locked: True while a callback for contacts is being called,
    so that the system may only be read.
    """

    def __init__(self) -> None:
        self.locked = False
        self._timers: dict[int, Timer] = {}     # keys: their numbers in the engine
        self._numbers = itertools.count()       # of timers
        self._set([])

    def _set(self, subscriptions: list[Subscription]) -> None:
        """Set all subscriptions to a new list. A running `call` iterates over the old list, which must not be changed in
        place."""
        self.subscriptions = subscriptions
        self.natives = tuple(s.native for s in subscriptions if s.native is not None)
        self.wanted = 0
        for subscription in subscriptions:
            if subscription.native is None:
                self.wanted |= KINDS[subscription.kind]

    def add(self, callback: Any, kind: str | None, dimension: int = 2) -> Subscription:
        """Register a callback for contacts of this kind; see `CollisionSystem.on_collision`. dimension: of the system, 2 or 3.
        ValueError for another kind, and for a function in machine code of another dimension, TypeError for an object that cannot
        be called."""
        if kind not in KINDS:
            raise ValueError(f'kind is {kind!r}; it must be "pair", "wall", "multi", "pass", "device" or None')
        subscription = Subscription(self, callback, kind, dimension)
        self._set([*self.subscriptions, subscription])
        return subscription

    def remove(self, subscription: Subscription) -> None:
        """Remove a subscription, if it is still registered."""
        self._set([s for s in self.subscriptions if s is not subscription])

    def add_timer(self, engine: _core.Engine, callback: Callable[[Event], Any], kind: str, every: float,
                  cancel: Callable[[Timer], None]) -> Timer:
        """Register a timer, so that the engine returns at the multiples of `every`; see `CollisionSystem.on_redraw`. kind:
        "redraw" or "timer". cancel: the function that `Timer.cancel` calls. ValueError for a period that is not positive and
        finite, or too short to count its multiples at the present time."""
        if not 0 < real("every", every) < math.inf:
            raise ValueError(f"every is {shown(every)}; it must be positive and finite")
        if not abs(engine.time) / every < TIMES_MAX:
            raise ValueError(f"every is {shown(every)}: too short to be counted at time {shown(engine.time)}")
        timer = Timer(checked_callable(callback), kind, float(every), next(self._numbers), cancel)
        self._timers[timer.number] = timer      # first: a run in another thread may report an event of it as soon as it is added
        try:
            engine.add_timer(timer.number, timer.every, kind == "redraw")
        except BaseException:
            del self._timers[timer.number]
            raise
        return timer

    def cancel_timer(self, engine: _core.Engine, timer: Timer) -> None:
        """Remove a timer from the engine and from this object, if it is still registered."""
        engine.cancel_timer(timer.number)
        self._timers.pop(timer.number, None)

    def call(self, engine: _core.Engine, event: Event) -> bool:
        """Call the callbacks that this event concerns. Returns True if one of them asks to end the run."""
        if event.is_timer and event.number is not None:
            timer = self._timers.get(event.number)      # None if another thread has just cancelled it
            return timer is not None and is_stop(timer.callback(event))
        stop = False
        self.locked = True
        try:
            for subscription in self.subscriptions:
                if subscription.native is not None:
                    stop |= engine.call(subscription.native, event)
                elif subscription.concerns(event):
                    answer = subscription.callback(event)
                    if answer is not None and is_stop(answer):
                        stop = True
        finally:
            self.locked = False
        return stop
