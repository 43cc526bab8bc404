"""Limits of a run, and the execution of a single event."""
from __future__ import annotations

import math

from .. import _core
from ..model.events import Event
from ..model.numbers import apart, real, shown, whole
from .callbacks import KINDS

EVENTS_MAX = 2**62          # largest max_events of a run
ANY_EVENT = KINDS[None] | KINDS["device"] | KINDS["pass"]


def check_limits(max_events: int | None, max_seconds: float | None) -> None:
    """ValueError for limits of a run that are negative, nan or too large; None means no limit."""
    if max_events is not None and not 0 <= whole("max_events", max_events) <= EVENTS_MAX:
        raise ValueError(f"max_events is {shown(max_events)}; it must be >= 0 and at most {EVENTS_MAX}")
    if max_seconds is not None and not real("max_seconds", max_seconds) >= 0:
        raise ValueError(f"max_seconds is {shown(max_seconds)}; it must be >= 0")


def next_event(engine: _core.Engine, max_seconds: float | None) -> Event | None:
    """Execute the next event of this engine and return it; None if there will never be one. RuntimeError if none is found within
    `max_seconds` of wall-clock time (None: no limit)."""
    engine.set_until(math.inf)
    event = engine.run(ANY_EVENT, _core.FOREVER, math.inf if max_seconds is None else max_seconds)
    if event is None and engine.cut:
        raise RuntimeError(f"no event was found within max_seconds = {shown(max_seconds)}")
    return event


def checked_until(until: float | None, now: float) -> float:
    """The end of a run as a float, infinity for None. ValueError if it is nan or before `now`."""
    end = math.inf if until is None else real("until", until)
    if math.isnan(end):
        raise ValueError("until is nan; it must be a time")
    if end < now:
        raise ValueError("until is {}, before the present time {}".format(*apart(end, now)))
    return end
