"""The usual error of a program of which only the final states of the discs are known: `ending`."""
from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from ..language import tr
from . import loops
from .faults import Disc
from .log import CAUSES, HINT_SECONDS

CONTACTS_MAX = 60       # of a simulation: each error needs a run of a slow loop
EXACT = 1e-6            # relative agreement of positions and velocities
SEEN = 2                # simulations whose ends an error must give, and that end wrongly without it


class End(NamedTuple):
    """A simulation: its discs at the beginning, its time limit, the sides of its box, and guesses of the time and the state of
    each disc at the end."""

    discs: list[Disc]
    limit: float
    box: Sequence[float]
    final: list[Any]


def ending(ends: Sequence[End]) -> str:
    """The usual errors that give the final states of all these simulations; "" if none does, or if too few of them differ from
    the right one."""
    deadline = perf_counter() + HINT_SECONDS
    ends = [end for end in ends if len(end.discs) < 30]
    wrong = [end for end in ends if not _gives(end, "loop", "right")]
    if len(wrong) < SEEN:
        return ""
    causes: dict[str, None] = {}
    for table, fault, text in loops.suspects():
        if perf_counter() < deadline and all(_gives(end, table, fault) for end in [*wrong, *ends]):
            causes[text] = None
    return tr("; or: ").join(list(causes)[:CAUSES])


def _gives(end: End, table: str, fault: str) -> bool:
    """Whether a loop with this error gives these final states, by one of the guesses."""
    loop = loops.Loop(end.discs, end.limit, table, fault, box=end.box)
    for k, _ in enumerate(loop.contacts(CONTACTS_MAX)):
        if k + 1 == CONTACTS_MAX:
            return False
    return any(all(_is_at(disc, moved, time, state) for disc, moved, (time, state) in zip(loop.discs, loop.moved, guess))
               for guess in end.final)


def _is_at(disc: Disc, moved: float, time: float, state: Sequence[float | None]) -> bool:
    """Whether a disc that has been moved for a time is in this state at another one."""
    rx, ry, vx, vy = state[:4]
    if rx is None or ry is None or vx is None or vy is None:
        return False
    dt, speed = time - moved, max(math.hypot(disc.vx, disc.vy), 1e-3)
    return (math.hypot(vx - disc.vx, vy - disc.vy) <= EXACT * speed
            and math.hypot(disc.rx + disc.vx * dt - rx, disc.ry + disc.vy * dt - ry) <= EXACT * max(1.0, speed * time))
