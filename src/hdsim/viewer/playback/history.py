"""History: what has been shown, so that one can go back in it exactly. Checkpoints are copies of a system; what lies
between them is run again. Knows neither pace nor pictures."""
from __future__ import annotations

import math
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from time import perf_counter
from typing import Any, NamedTuple

SPACING = 0.15          # seconds of engine time between checkpoints ...
COPIES = 4              # ... and at least so many times what a copy takes: copying must not be most of the work
BYTES = 2**29           # of checkpoints, at most; and how many, for small systems: more would take long to choose from
MOST = 2000


class Mark(NamedTuple):
    """A place in a history. Marks compare in the order in which they are visited."""

    branch: int         # how many edits came before
    events: int         # contact events since the system began
    time: float
    settled: bool       # everything that happens at this time has happened; not so between events of one instant

    @classmethod
    def of(cls, system: Any, branch: int, settled: bool) -> Mark:
        """Where this system is."""
        return cls(branch, count(system, "events"), system.time, settled)


class Goal(NamedTuple):
    """Where a replay ends: just after an event (time is None), at a time (events is None), or where both are so."""

    branch: int
    events: int | None
    time: float | None
    settled: bool = True


class Checkpoint(NamedTuple):
    """A copy of the system at a mark. It is never run, but copied again."""

    mark: Mark
    system: Any
    cost: float         # seconds of engine time from the begin of the history
    bytes: int
    what: str           # was done to the system here, "" for nothing


class History:
    """The one line of what has been shown, from `begin` to `end`: a run, cut in branches by edits.

    Each branch begins with a checkpoint of the edited state, so that edits are not repeated. When the budget of bytes is
    spent, checkpoints go, more of them the farther they are from the present (their distances grow as that does), and at
    last the oldest branches: `begin` moves.
    """

    def __init__(self, system: Any, budget: int = BYTES) -> None:
        """system: a copy of the start, which is never run."""
        self.budget = budget
        mark = Mark.of(system, 0, settled=True)
        self._checkpoints = [Checkpoint(mark, system, 0.0, sys.getsizeof(system), "")]
        self._furthest = mark
        self._copy_seconds = 0.0

    @property
    def begin(self) -> float:
        """The earliest time that one can go back to."""
        return self._checkpoints[0].mark.time

    @property
    def end(self) -> float:
        """The furthest time visited."""
        return self._furthest.time

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All that there are, in order."""
        return tuple(self._checkpoints)

    @property
    def spacing(self) -> float:
        """Seconds of engine time after which the next checkpoint is due."""
        return max(SPACING, COPIES * self._copy_seconds)

    @property
    def bytes(self) -> int:
        """What the checkpoints take."""
        return sum(checkpoint.bytes for checkpoint in self._checkpoints)

    # looking for a place

    def at_or_before(self, mark: Mark) -> Checkpoint:
        """The last checkpoint that is not beyond `mark`, or the first."""
        return self._checkpoints[max(bisect_right(self._checkpoints, mark, key=_mark_of) - 1, 0)]

    def at_time(self, time: float) -> Checkpoint:
        """The last checkpoint that is not later than `time`, or the first."""
        return self._checkpoints[max(bisect_right(self._checkpoints, time, key=_time_of) - 1, 0)]

    def base_for(self, goal: Goal) -> Checkpoint:
        """Where to begin a replay."""
        if goal.time is None:
            assert goal.events is not None
            return self.at_or_before(Mark(goal.branch, goal.events - 1, math.inf, True))     # the event is still to come
        if goal.events is None:
            return self.at_time(goal.time)
        return self.at_or_before(Mark(goal.branch, goal.events, goal.time, True))

    def start_of(self, branch: int) -> Checkpoint:
        """The first checkpoint of a branch."""
        return self._checkpoints[bisect_left(self._checkpoints, branch, key=_branch_of)]

    def branch_after(self, branch: int) -> Checkpoint | None:
        """The edited state with which a branch ended; None for the last one."""
        k = bisect_right(self._checkpoints, branch, key=_branch_of)
        return self._checkpoints[k] if k < len(self._checkpoints) else None

    def edits_before(self, mark: Mark) -> list[str]:
        """What was done to the system until then, in order, as far as it is remembered."""
        return [kept.what for kept in self._checkpoints if kept.what and kept.mark.branch <= mark.branch]

    # remembering

    def visit(self, mark: Mark) -> None:
        """The present is here."""
        self._furthest = max(self._furthest, mark)

    def add(self, mark: Mark, system: Any, cost: float) -> None:
        """Take a copy of the system, which is at `mark`; cost: seconds of engine time since the checkpoint before."""
        self._insert(mark, system, self.at_or_before(mark).cost + cost, "")

    def branch(self, mark: Mark, system: Any, what: str) -> Mark:
        """The system, which was at `mark`, has been changed: what lay beyond is dropped. Returns where it is now."""
        before = self.at_or_before(mark)
        beyond = bisect_right(self._checkpoints, mark, key=_mark_of)
        del self._checkpoints[beyond:]
        self._furthest = mark._replace(branch=mark.branch + 1)
        self._insert(self._furthest, system, before.cost, what)
        return self._furthest

    def amend(self, mark: Mark, system: Any) -> None:
        """The system has been changed once more at `mark`, where a branch begins: one edit with the one before."""
        start = self.start_of(mark.branch)
        del self._checkpoints[bisect_left(self._checkpoints, mark.branch, key=_branch_of):]
        self._furthest = mark
        self._insert(mark, system, start.cost, start.what)

    def _insert(self, mark: Mark, system: Any, cost: float, what: str) -> None:
        began = perf_counter()
        copy = system.copy()
        self._copy_seconds = perf_counter() - began
        place = bisect_left(self._checkpoints, mark, key=_mark_of)
        self._checkpoints.insert(place, Checkpoint(mark, copy, cost, sys.getsizeof(copy), what))
        self._thin(cost)

    def _thin(self, here: float) -> None:
        """Keep to the budget. here: the cost of the present."""
        total = self.bytes
        while (total > self.budget or len(self._checkpoints) > MOST) and len(self._checkpoints) > 1:
            total -= self._checkpoints.pop(self._most_dispensable(here)).bytes

    def _most_dispensable(self, here: float) -> int:
        """The checkpoint whose neighbours are closest for their distance from the present; no edit, and not the last."""
        least, result = math.inf, 0
        kept = self._checkpoints
        for k in range(1, len(kept) - 1):
            if kept[k].mark.branch == kept[k - 1].mark.branch:
                gap = (kept[k + 1].cost - kept[k - 1].cost) / (abs(here - kept[k].cost) + SPACING)
                if gap < least:
                    least, result = gap, k
        return result


def _mark_of(checkpoint: Checkpoint) -> Mark:
    return checkpoint.mark


def _time_of(checkpoint: Checkpoint) -> float:
    return checkpoint.mark.time


def _branch_of(checkpoint: Checkpoint) -> int:
    return checkpoint.mark.branch


class Trail:
    """A run through a history. It leaves a checkpoint behind when the run since the last one has become long."""

    def __init__(self, history: History, mark: Mark) -> None:
        self._history = history
        self._last = mark       # of a checkpoint, or where the run began
        self._seconds = 0.0     # of engine time since then

    def went(self, seconds: float) -> None:
        """The engine has worked so long."""
        self._seconds += seconds

    def leave(self, mark: Mark, system: Any, share: float = 1.0) -> None:
        """A checkpoint of the system, which is at `mark`, if it is due: after a share of the usual spacing."""
        if self._seconds < share * self._history.spacing:
            return
        if self._history.at_or_before(mark).mark <= self._last:     # else there is one here from an earlier replay
            self._history.add(mark, system, self._seconds)
        self.rest(mark)

    def rest(self, mark: Mark) -> None:
        """There is a checkpoint at `mark`, or close before it."""
        self._last, self._seconds = mark, 0.0


class Replay:
    """A system on its way to a goal, in slices. `event` is the event that it ended with, if it was sent to one."""

    def __init__(self, system: Any, goal: Goal, trail: Trail) -> None:
        self.system = system
        self.goal = goal
        self.trail = trail
        self.event: Any = None
        self._settled = True

    @property
    def mark(self) -> Mark:
        return Mark.of(self.system, self.goal.branch, self._settled)

    def run(self, seconds: float) -> bool:
        """Go on for about so many seconds; True at the goal. Callbacks cannot stop it. Raises JammedError."""
        began = perf_counter()
        try:
            return self._run(began + seconds)
        finally:
            self.trail.went(perf_counter() - began)

    def _run(self, deadline: float) -> bool:
        events, time = self.goal.events, self.goal.time
        if time is None:
            assert events is not None
            return self._run_events(events - 1, deadline) and self._end_with(events, deadline)
        if events is not None and not self._run_events(events, deadline):
            return False
        if self.system.time == time and not self.goal.settled:
            return True
        return self._run_until(time, deadline)

    def _run_events(self, events: int, deadline: float) -> bool:
        """Until so many events have happened."""
        system = self.system
        while (missing := events - count(system, "events")) > 0:
            before = system.time, missing
            self._settled = False
            system.simulate(until=math.inf, max_events=missing, max_seconds=max(deadline - perf_counter(), 0.0))
            missing = events - count(system, "events")
            if before == (system.time, missing):
                break       # a callback acts otherwise than it did: there are no more events
            if missing > 0:     # what else happens at this very instant
                system.simulate(until=system.time, max_events=missing)
                self._settled = count(system, "events") < events
            if perf_counter() >= deadline:
                return count(system, "events") == events
        return True

    def _end_with(self, events: int, deadline: float) -> bool:
        """Until so many events have happened, the last of them alone; timers may come before it."""
        while count(self.system, "events") < events:
            self._settled = False
            self.event = self.system.next_event()
            if self.event is None:
                break
            if perf_counter() >= deadline:
                return count(self.system, "events") == events
        return True

    def _run_until(self, time: float, deadline: float) -> bool:
        system = self.system
        while True:
            system.simulate(until=time, max_seconds=max(deadline - perf_counter(), 0.0))
            late = perf_counter() >= deadline
            if late or system.time == time:
                system.simulate(until=system.time)      # what else happens at this very instant
                self._settled = True
                return system.time == time
            # stopped by a callback: on


def count(system: Any, *names: str) -> int:
    """A sum of counts since the system began. An engine's statistics are a mapping or an object."""
    statistics = system.statistics
    counts = statistics if isinstance(statistics, Mapping) else vars(statistics)
    return sum(counts[name] for name in names)
