"""Events for a program that has an asyncio loop of its own, such as a server or a window."""
from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Iterator
from time import monotonic

from ..model.events import Event
from .collision_system import CollisionSystem

BUDGET = 0.005      # seconds: a tenth of what a hand notices


def aevents(system: CollisionSystem, until: float = math.inf, *, budget: float = BUDGET) -> AsyncGenerator[Event, None]:
    """The events of `system.events(until)`, with its callbacks and errors, for `async for` in a coroutine.

    budget: seconds after which the loop has its turn, whether there were events or not; one event, with its callbacks, is
    never interrupted. Other tasks of the loop may meanwhile read, change and run the system: the next event is
    what then comes next. A task that is cancelled, or leaves by `break`, leaves the system whole, at its last event; so does
    Ctrl-C. It ends where `next_event` would say None.
    ValueError for a budget that is not positive and finite, and if `until` lies before `system.time`.
    """
    if not 0 < budget < math.inf:
        raise ValueError(f"budget is {budget!r}; it must be a positive number of seconds")
    return _in_turns(system._events_or_none(until, budget), budget)


async def _in_turns(events: Iterator[Event | None], budget: float) -> AsyncGenerator[Event, None]:
    due = monotonic() + budget
    for event in events:
        if event is not None:
            yield event
        if monotonic() >= due:
            await asyncio.sleep(0)
            due = monotonic() + budget
