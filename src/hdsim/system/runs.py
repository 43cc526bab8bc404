"""`Runs`: the verbs of a system that runs, with callbacks and timers. `CollisionSystem` and `hdsim.spaces.Gas` share them."""
from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from .. import _core
from ..language import tr
from ..model.numbers import apart, real, shown
from ..model.events import Event
from .callbacks import Callbacks, Subscription, Timer
from .editing import explained
from .hints import hint_of_system
from .running import ANY_EVENT, check_limits, checked_until, next_event
from .waiting import CHUNK, progress as progress_of

if TYPE_CHECKING:
    from ..observers import Observer


@explained
class Runs:
    """A system whose engine executes events: `simulate`, `step`, `next_event`, `peek`, `events`, and functions to be called."""

    _engine: Any                # of the package that defines the system; see `_core.Engine`
    _turn: _core.Turn
    _callbacks: Callbacks
    _observers: dict[int, Observer]     # keys: their numbers in the engine
    _kind = "system"            # what messages call it

    if not TYPE_CHECKING:       # a type checker that sees it accepts any name
        def __getattr__(self, name: str) -> Any:        # Python calls it only for missing attributes
            if hasattr(type(self), name):       # a property, whose own error says more
                return object.__getattribute__(self, name)
            known = (known for known in dir(type(self)) if not known.startswith("_"))
            end = "" if name.startswith("_") else hint_of_system(name, known)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{end}")

    def simulate(self, until: float | None = None, max_events: int | None = None,
                 max_seconds: float | None = None, progress: bool = False) -> int:
        """Execute every event with time <= `until`, then set `time` to `until`. Returns the number of contact impulses executed.

        until: a time, None for infinity. max_events: stop after this number of events; redraws and timers are events, cell
        crossings are not. max_seconds: stop after this wall-clock time. progress: whether standard error shows how far the run
        is, if it is a terminal; that needs a finite `until`, and no max_events.
        If the run stops early (by a limit, by a callback that returns `hdsim.STOP`, by an exception in a callback, or by Ctrl-C),
        `time` is that of the last executed event. ValueError if `until` is before `time`, or if nothing can stop the run.
        JammedError if discs collide without end at one instant. RuntimeError if `until` is infinite, there is no max_seconds, and
        10^7 + 1000 n cell crossings follow each other without an event.
        """
        end = checked_until(until, self._engine.time)
        if end == math.inf and max_events is None and max_seconds is None and not self.has_callbacks:
            raise ValueError("until is infinite and nothing can stop the run; give until, max_events or max_seconds")
        if progress:
            return self._run_with_progress(end, max_events, max_seconds)
        return self._run("set_until", end, max_events, max_seconds)

    def _run_with_progress(self, end: float, max_events: int | None, max_seconds: float | None) -> int:
        """Run to `end` in pieces, which changes no bit. ValueError for limits that a share of the way does not go with."""
        if end == math.inf or max_events is not None:
            raise ValueError("progress=True needs a finite until, and goes with no max_events")
        check_limits(None, max_seconds)
        done, deadline = 0, clock.monotonic() + (math.inf if max_seconds is None else max_seconds)
        with progress_of(self._engine.time, end, tr("t = {:.6g} of {:.6g}")) as show:
            while True:
                done += self._run("set_until", end, None, max(min(CHUNK, deadline - clock.monotonic()), 0.0))
                show(self._engine.time)
                if not self.timed_out or clock.monotonic() >= deadline:
                    return done

    def step(self, dt: float, max_events: int | None = None, max_seconds: float | None = None) -> int:
        """Run for `dt` >= 0 time units; this is exact even where `time` + dt rounds to `time`. Returns the number of contact
        impulses executed. Limits and errors as for `simulate`; ValueError for a dt that is negative or not finite."""
        span = real("dt", dt)
        if not 0 <= span < math.inf:
            raise ValueError(f"dt is {shown(dt)}; it must be >= 0 and finite")
        return self._run("set_step", span, max_events, max_seconds)

    def _run(self, set_end: str, end: float, max_events: int | None, max_seconds: float | None) -> int:
        """Run to `end`; returns the number of contact impulses executed. set_end: name of the method of the engine that takes
        `end`: "set_until" for a time, "set_step" for a duration."""
        check_limits(max_events, max_seconds)
        with self._turn:
            engine = self._engine
            getattr(engine, set_end)(end)
            return self._advance(engine, max_events, max_seconds)

    def next_event(self, max_seconds: float | None = None) -> Event | None:
        """Execute exactly one event and its callbacks, and return the event; None if there will never be one.

        None is returned only where this is easily proved: no disc moves towards a wall, and no two discs can touch, because both
        are points, both have infinite mass, both have the same velocity, or both move along one periodic axis in lanes that do
        not touch (with more than 3000 discs: all are points, or all have the same velocity). On other orbits without a contact,
        such as a closed diagonal in a periodic box, RuntimeError after 10^7 + 1000 n cell crossings without an event, or after
        `max_seconds` of wall-clock time. `simulate(until)` with a finite `until` ends for all orbits."""
        check_limits(None, max_seconds)
        with self._turn:
            engine = self._engine
            event = next_event(engine, max_seconds)
            if event is not None and (self._callbacks.subscriptions or event.is_timer):
                self._callbacks.call(engine, event)
            return event

    def peek(self, max_seconds: float | None = None) -> Event | None:
        """Return or raise what `next_event` would, impulses included, without changing the system. O(n), because it runs a
        copy."""
        check_limits(None, max_seconds)
        return next_event(self._engine.copy(), max_seconds)

    def events(self, until: float = math.inf) -> Iterator[Event]:
        """Execute and yield events one by one while their time is <= `until`; at the end `time` is `until`. If a callback returns
        `hdsim.STOP`, its event is the last. ValueError if `until` is before `time`; other errors as for `next_event`."""
        return cast("Iterator[Event]", self._events_or_none(until, math.inf))

    def _events_or_none(self, until: float, seconds: float) -> Iterator[Event | None]:
        """Yield the events up to `until`, and None each time that `seconds` of wall-clock time have passed without an event."""
        until = real("until", until)
        if math.isnan(until) or until < self._engine.time:
            raise ValueError("until is {}, before the present time {}".format(*apart(until, self._engine.time)))
        return self._yield_events(until, seconds)

    def _yield_events(self, until: float, seconds: float) -> Iterator[Event | None]:
        stop = False
        while not stop:
            with self._turn:
                engine = self._engine
                engine.set_until(until)
                event = engine.run(ANY_EVENT, _core.FOREVER, seconds, (), seconds < math.inf)
                if event is None:
                    if not engine.cut:
                        return
                elif self._callbacks.subscriptions or event.is_timer:
                    stop = self._callbacks.call(engine, event)
            yield event

    def _advance(self, engine: Any, max_events: int | None, max_seconds: float | None) -> int:
        """Run to the end that was set in this engine, and call the Python callbacks of its events. Returns the number of contact
        impulses. The engine returns to Python only for events that have such callbacks."""
        before, callbacks = engine.contacts, self._callbacks
        last = _core.FOREVER if max_events is None else engine.events + max_events
        seconds = math.inf if max_seconds is None else max_seconds
        deadline = math.inf if max_seconds is None else clock.monotonic() + max_seconds
        while True:
            event = engine.run(callbacks.wanted, last, seconds, callbacks.natives, max_seconds is not None)
            if event is None:
                break
            if event.is_timer:
                last -= 1
            stop = callbacks.call(engine, event)
            engine = self._engine       # a timer's callback may have replaced it
            if stop:
                break
            if max_seconds is not None:
                seconds = deadline - clock.monotonic()
                if seconds <= 0:
                    break
        return engine.contacts - before

    def on_redraw(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """Call `callback(event)` at every time k * every, k an integer, that is later than now, after the contacts of that
        instant: the redraw event of the book. The callback may read, edit, add and remove discs, and may return `hdsim.STOP` to
        end the run. every: in time units; ValueError if it is not positive and finite. Returns a handle with `cancel()`."""
        return self._add_timer(callback, "redraw", every)

    def on_timer(self, callback: Callable[[Event], Any], every: float) -> Timer:
        """Call `callback(event)` at every time k * every, exactly as `on_redraw` does, with events of kind "timer" instead of
        "redraw"."""
        return self._add_timer(callback, "timer", every)

    def _add_timer(self, callback: Callable[[Event], Any], kind: str, every: float) -> Timer:
        engine = self._changing("register a timer")
        return self._callbacks.add_timer(engine, callback, kind, every,
                                         lambda timer: self._callbacks.cancel_timer(self._engine, timer))

    @property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """The handles of all `on_collision` callbacks, in the order in which they are called."""
        return tuple(self._callbacks.subscriptions)

    @property
    def has_callbacks(self) -> bool:
        """True if callbacks or timers are registered."""
        return bool(self._callbacks.subscriptions) or self._engine.live_timers > 0

    @property
    def timed_out(self) -> bool:
        """True if the last run ended because its `max_seconds` had passed."""
        return self._engine.cut

    def reverse(self) -> None:
        """Reverse all velocities at the present time. The system then retraces its trajectory until rounding errors have grown
        (docs/physics.md)."""
        self._changing("reverse").reverse()

    @property
    def observers(self) -> tuple[Observer, ...]:
        """The attached observers, in the order of the calls of `observe`."""
        return tuple(self._observers.values())

    def unobserve(self, observer: Observer) -> None:
        """Detach an observer, as `observer.detach()` does. ValueError if it does not observe this system."""
        with self._engine:
            if all(o is not observer for o in self.observers):
                raise ValueError(f"this {type(observer).__name__} does not observe this {self._kind}")
            del self._observers[observer.leave()]

    def _forbid_change(self, what: str) -> None:
        if self._turn.elsewhere:
            raise RuntimeError(f"cannot {what} while the system is running in another thread")
        if self._callbacks.locked:
            raise RuntimeError(f"cannot {what} inside an on_collision callback; it may only read. Use a timer")

    def _changing(self, what: str) -> Any:
        """The engine, for a `with` block in which only this thread can change it."""
        self._forbid_change(what)
        return self._engine


def attached(system: Any, observer: Any) -> Any:
    """The observer, which observes the system, a `Runs`, from now on."""
    with system._engine as engine:
        number = max(system._observers, default=-1) + 1
        observer.attach(system, engine, number)
        system._observers[number] = observer
    return observer
