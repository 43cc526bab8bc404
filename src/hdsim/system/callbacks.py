"""Callbacks of a system: functions that are called after contacts, and at multiples of a time."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from .. import _core
from ..model.box import real
from ..model.events import Event
from .native import native_callback

STOP = "stop"       # what a callback returns to end the run; the textbook engine knows the same word
KINDS = _core.KINDS         # of contact events, as bits: what a run is asked to stop at
TIMES_MAX = 2.0**52         # so many periods can be counted exactly


def is_stop(answer: Any) -> bool:
    """Does a callback ask for the end of the run?"""
    return isinstance(answer, str) and answer == STOP


def checked_callable(callback: Any) -> Callable[[Event], Any]:
    """The callback, unchanged. TypeError if it cannot be called."""
    if not callable(callback):
        raise TypeError(f"the callback must be callable, got {type(callback).__name__}")
    return callback


class Timer:
    """A registered callback; `cancel()` ends it. `every` is its period, in time units."""

    def __init__(self, callback: Callable[[Event], Any], kind: str, every: float, number: int,
                 cancel: Callable[[Timer], None]) -> None:
        self._cancel = cancel
        self.callback = callback
        self.kind = kind
        self.every = every
        self.number = number        # of its events

    def cancel(self) -> None:
        """Never call back again. Calling it twice does no harm."""
        self._cancel(self)


class Subscription:
    """A registered `on_collision` callback; `cancel()` ends it."""

    def __init__(self, callbacks: Callbacks, callback: Any, kind: str | None) -> None:
        self._callbacks = callbacks
        self.callback = callback
        self.kind = kind
        self.native = native_callback(callback, KINDS[kind])    # if it is a function in machine code
        if self.native is None:
            checked_callable(callback)

    def cancel(self) -> None:
        """Never call back again. Calling it twice does no harm."""
        if self.native is not None:
            self.native.cancel()
        self._callbacks.remove(self)

    def concerns(self, event: Event) -> bool:
        """Does the event hold a contact of the kind that was asked for?"""
        if self.kind is None or self.kind == event.kind:
            return True
        return event.kind == "multi" and any((c.wall is None) == (self.kind == "pair") for c in event.contacts)


class Callbacks:
    """All callbacks of one system, in the order in which they came. A copy of a system has none.

    subscriptions: for contacts; natives: those of them in machine code, for the core; wanted: the kinds of events, as bits, for
    which a run comes back to Python; locked: is one of them being called, so that the system may only be read?
    """

    def __init__(self) -> None:
        self.locked = False
        self._timers: dict[int, Timer] = {}     # by the number that the engine knows them by
        self._numbers = itertools.count()       # of timers
        self._set([])

    def _set(self, subscriptions: list[Subscription]) -> None:
        """Exchange all subscriptions; the list that a run is going through stays as it is."""
        self.subscriptions = subscriptions
        self.natives = tuple(s.native for s in subscriptions if s.native is not None)
        self.wanted = 0
        for subscription in subscriptions:
            if subscription.native is None:
                self.wanted |= KINDS[subscription.kind]

    def add(self, callback: Any, kind: str | None) -> Subscription:
        """Call back for contacts of this kind; see `CollisionSystem.on_collision`. ValueError for another kind, TypeError for
        what cannot be called."""
        if kind not in KINDS:
            raise ValueError(f'kind is {kind!r}; it must be "pair", "wall", "multi" or None')
        subscription = Subscription(self, callback, kind)
        self._set([*self.subscriptions, subscription])
        return subscription

    def remove(self, subscription: Subscription) -> None:
        """Call it no more. Nothing happens if it is gone already."""
        self._set([s for s in self.subscriptions if s is not subscription])

    def add_timer(self, engine: _core.Engine, callback: Callable[[Event], Any], kind: str, every: float,
                  cancel: Callable[[Timer], None]) -> Timer:
        """Let this engine stop at the multiples of `every`; see `CollisionSystem.on_redraw`. cancel: what ends it."""
        if not 0 < real("every", every) < math.inf:
            raise ValueError(f"every is {every!r}; it must be positive and finite")
        if not abs(engine.time) / every < TIMES_MAX:
            raise ValueError(f"every is {every!r}: too short to be counted at time {engine.time!r}")
        timer = Timer(checked_callable(callback), kind, float(every), next(self._numbers), cancel)
        self._timers[timer.number] = timer      # before a run in another thread can report its number
        try:
            engine.add_timer(timer.number, timer.every, kind == "redraw")
        except BaseException:
            del self._timers[timer.number]
            raise
        return timer

    def cancel_timer(self, engine: _core.Engine, timer: Timer) -> None:
        """Let the engine stop for it no more. Nothing happens if it is gone already."""
        engine.cancel_timer(timer.number)
        self._timers.pop(timer.number, None)

    def call(self, engine: _core.Engine, event: Event) -> bool:
        """Call all that the event concerns; True if one of them wants the run to stop."""
        if event.number is not None:
            timer = self._timers.get(event.number)      # None: another thread has cancelled it in this very moment
            return timer is not None and is_stop(timer.callback(event))
        stop = False
        self.locked = True
        try:
            for subscription in self.subscriptions:
                if subscription.native is not None:
                    stop |= engine.call(subscription.native)
                elif subscription.kind is None or subscription.concerns(event):
                    answer = subscription.callback(event)
                    if answer is not None and is_stop(answer):
                        stop = True
        finally:
            self.locked = False
        return stop
