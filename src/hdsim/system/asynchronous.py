"""`aevents`: the events of a system for a program with an asyncio event loop, such as a server."""
from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Iterator
from time import monotonic

from ..model.events import Event
from ..model.numbers import shown
from .collision_system import CollisionSystem

BUDGET = 0.005      # seconds: a tenth of the delay that a user notices


def aevents(system: CollisionSystem, until: float = math.inf, *, budget: float = BUDGET) -> AsyncGenerator[Event, None]:
    """The events of `system.events(until)`, with the same callbacks and errors, for `async for` in a coroutine.

    budget: seconds of wall-clock time after which control returns to the asyncio loop, whether there were events or not; one
    event with its callbacks is never interrupted. Other tasks of the loop may then read, change and run the system; the next
    event is the next one of the system as they leave it. If the task is cancelled, ends the loop by `break`, or is interrupted
    by Ctrl-C, the system is at its last executed event. The iteration ends where `next_event` would return None.
    ValueError for a budget that is not positive and finite, and if `until` is before `system.time`.
    """
    if not 0 < budget < math.inf:
        raise ValueError(f"budget is {shown(budget)}; it must be a positive number of seconds")
    return _in_turns(system._events_or_none(until, budget), budget)


async def _in_turns(events: Iterator[Event | None], budget: float) -> AsyncGenerator[Event, None]:
    due = monotonic() + budget
    for event in events:
        if event is not None:
            yield event
        if monotonic() >= due:
            await asyncio.sleep(0)
            due = monotonic() + budget
