"""Priority queues with the usual errors of students, one at a time, to find the error that gives a wrong order.

A queue is a function of a list, its items, and a step: a number is inserted, None deletes the least.
"""
from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

Queue = Callable[[list[float], float | None], float | None]


def deletes(steps: Sequence[float | None], heap: Queue) -> list[float | None]:
    held: list[float] = []
    return [heap(held, step) for step in steps]


def right(held: list[float], step: float | None) -> float | None:
    if step is None:
        return heapq.heappop(held)
    heapq.heappush(held, step)
    return None


def _listed(take: Callable[[list[float]], int]) -> Queue:
    """A queue that is an unordered list. take(items): the position of the item to delete."""
    def step(held: list[float], number: float | None) -> float | None:
        if number is None:
            return held.pop(take(held)) if held else None
        held.append(number)
        return None
    return step


def _heap(swim: bool | str = True, sink: str = "right") -> Queue:
    """A binary heap with an error. swim: True, False (missing) or "above". sink: "right" or the name of an error."""
    def step(q: list[float], number: float | None) -> float | None:
        if number is not None:
            q.append(number)
            k = len(q)
            while k > (2 if swim == "above" else 1) and q[k - 1] < q[k // 2 - 1] and swim:
                q[k - 1], q[k // 2 - 1] = q[k // 2 - 1], q[k - 1]
                k = k // 2 if sink != "swim once" else 1
            return None
        q[0], q[-1] = q[-1], q[0]
        shown = q[0]
        least, k, n = q.pop(), 1, len(q)
        while (2 * k < n if sink == "short" else 2 * k <= n) and sink != "none":
            j = 2 * k
            if j < n and sink != "left" and (q[j] > q[j - 1] if sink == "larger" else q[j] < q[j - 1]):
                j += 1
            if q[k - 1] <= q[j - 1]:
                break
            q[k - 1], q[j - 1] = q[j - 1], q[k - 1]
            k = j if sink != "once" else n
        return shown if sink == "last" else least
    return step


def _set(held: list[float], step: float | None) -> float | None:
    """A queue that holds equal items once."""
    if step is None:
        return heapq.heappop(held) if held else None
    if step not in held:
        heapq.heappush(held, step)
    return None


QUEUES: tuple[tuple[Queue, str], ...] = (
    (_listed(lambda held: held.index(max(held))), "the largest item is deleted: the order is the wrong way round (a MaxPQ)"),
    (_listed(lambda held: 0), "items come out in the order in which they went in: this is a queue without priorities"),
    (_listed(lambda held: -1), "the last item in comes out first: this is a stack"),
    (_set, "equal items are lost: ties must stay in the queue, all of them"),
    (_heap(swim=False), "the heap has no swim: a new item must rise while it is less than its parent"),
    (_heap(sink="swim once"), "swim stops after one step: it must go on while the item is less than its parent"),
    (_heap(sink="none"), "the heap has no sink: the item that comes to the top must go down while a child is less"),
    (_heap(sink="once"), "sink stops after one step: it must go on while a child is less"),
    (_heap(sink="left"), "sink looks at the left child only: it must take the lesser of the two"),
    (_heap(sink="larger"), "sink takes the larger child: it must take the lesser of the two"),
    (_heap(swim="above"), "swim stops below the root: it must go on while k > 1 and the item is less than its parent"),
    (_heap(sink="last"), "what is returned is the item that comes to the top: keep the least one before the exchange"),
    (_heap(sink="short"), "sink stops too early: the last child, 2 k == n, must be looked at, too"),
)
