"""History: copies of a system (checkpoints), from which any earlier state is reached exactly by running a copy again."""
from __future__ import annotations

import math
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from time import perf_counter
from typing import Any, NamedTuple

SPACING = 0.15          # seconds of engine time between checkpoints ...
COPIES = 4              # ... and at least so many times the time of a copy, so that copying is a small part of the work
BYTES = 2**29           # budget for checkpoints; MOST limits their number for small systems, because thinning compares all
MOST = 2000


class Mark(NamedTuple):
    """A position in a history. Marks compare in the order in which they are visited."""

    branch: int         # number of edits before
    events: int         # contact events since the system began
    time: float
    settled: bool       # all events of this time have been executed; False between two events of one instant

    @classmethod
    def of(cls, system: Any, branch: int, settled: bool) -> Mark:
        """The mark of the present state of a system."""
        return cls(branch, count(system, "events"), system.time, settled)


class Goal(NamedTuple):
    """The end of a replay: just after an event (time is None), at a time (events is None), or where both are reached."""

    branch: int
    events: int | None
    time: float | None
    settled: bool = True


class Checkpoint(NamedTuple):
    """A copy of the system at a mark. It is never run; replays run copies of it."""

    mark: Mark
    system: Any
    cost: float         # seconds of engine time since the beginning of the history
    bytes: int
    what: str           # the edit that was made here, or ""


class History:
    """The history of a playback from the time `begin` to `end`: one run, divided into branches by edits.

    Each branch begins with a checkpoint of the edited state, so that edits need not be repeated. When the budget of bytes is
    spent, checkpoints are dropped such that their spacing grows with their distance from the present, and in the end the oldest
    branches are dropped, which moves `begin`.
    """

    def __init__(self, system: Any, budget: int = BYTES) -> None:
        """system: a copy of the initial state, which is never run. budget: bytes for checkpoints."""
        self.budget = budget
        mark = Mark.of(system, 0, settled=True)
        self._checkpoints = [Checkpoint(mark, system, 0.0, sys.getsizeof(system), "")]
        self._furthest = mark
        self._copy_seconds = 0.0

    @property
    def begin(self) -> float:
        """The earliest time that can be reached."""
        return self._checkpoints[0].mark.time

    @property
    def end(self) -> float:
        """The latest time that was visited."""
        return self._furthest.time

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """All checkpoints, in order."""
        return tuple(self._checkpoints)

    @property
    def spacing(self) -> float:
        """Seconds of engine time after which the next checkpoint is due."""
        return max(SPACING, COPIES * self._copy_seconds)

    @property
    def bytes(self) -> int:
        """The memory of the checkpoints, in bytes."""
        return sum(checkpoint.bytes for checkpoint in self._checkpoints)

    # finding checkpoints

    def at_or_before(self, mark: Mark) -> Checkpoint:
        """The last checkpoint that is not after `mark`, or the first one."""
        return self._checkpoints[max(bisect_right(self._checkpoints, mark, key=_mark_of) - 1, 0)]

    def at_time(self, time: float) -> Checkpoint:
        """The last checkpoint that is not later than `time`, or the first one."""
        return self._checkpoints[max(bisect_right(self._checkpoints, time, key=_time_of) - 1, 0)]

    def base_for(self, goal: Goal) -> Checkpoint:
        """The checkpoint from which a replay to `goal` begins."""
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
        """The edits before `mark`, in order, as far as their checkpoints are kept."""
        return [kept.what for kept in self._checkpoints if kept.what and kept.mark.branch <= mark.branch]

    # adding checkpoints

    def visit(self, mark: Mark) -> None:
        """Record that the present state is at `mark`."""
        self._furthest = max(self._furthest, mark)

    def add(self, mark: Mark, system: Any, cost: float) -> None:
        """Add a checkpoint of the system, which is at `mark`. cost: seconds of engine time since the checkpoint before."""
        self._insert(mark, system, self.at_or_before(mark).cost + cost, "")

    def branch(self, mark: Mark, system: Any, what: str) -> Mark:
        """Begin a branch: the system, which was at `mark`, has been edited, so the history after it is dropped. Returns the new
        mark."""
        before = self.at_or_before(mark)
        beyond = bisect_right(self._checkpoints, mark, key=_mark_of)
        del self._checkpoints[beyond:]
        self._furthest = mark._replace(branch=mark.branch + 1)
        self._insert(self._furthest, system, before.cost, what)
        return self._furthest

    def cut(self, mark: Mark) -> None:
        """Drop all that came after `mark`, where the present state is: edits, and the run after them."""
        del self._checkpoints[bisect_right(self._checkpoints, mark, key=_mark_of):]
        self._furthest = mark

    def amend(self, mark: Mark, system: Any) -> None:
        """Replace the checkpoint at `mark`, where a branch begins, after another edit, which is merged with the edit before."""
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
        """Drop checkpoints until the budget is met. here: the cost of the present state."""
        total = self.bytes
        while (total > self.budget or len(self._checkpoints) > MOST) and len(self._checkpoints) > 1:
            total -= self._checkpoints.pop(self._most_dispensable(here)).bytes

    def _most_dispensable(self, here: float) -> int:
        """The index of the checkpoint whose neighbours are closest relative to their distance from the present, apart from those
        of edits and the last one."""
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
    """A run through a history, which adds a checkpoint whenever the run since the last one has become long."""

    def __init__(self, history: History, mark: Mark) -> None:
        self._history = history
        self._last = mark       # the mark of the last checkpoint, or of the beginning of the run
        self._seconds = 0.0     # seconds of engine time since then

    def went(self, seconds: float) -> None:
        """Add seconds of engine time."""
        self._seconds += seconds

    def leave(self, mark: Mark, system: Any, share: float = 1.0) -> None:
        """Add a checkpoint of the system, which is at `mark`, if `share` of the usual spacing has passed."""
        if self._seconds < share * self._history.spacing:
            return
        if self._history.at_or_before(mark).mark <= self._last:     # otherwise an earlier replay has left one here
            self._history.add(mark, system, self._seconds)
        self.rest(mark)

    def rest(self, mark: Mark) -> None:
        """Record that there is a checkpoint at `mark`, or shortly before it."""
        self._last, self._seconds = mark, 0.0


class Replay:
    """A system that is run to a goal in time slices. `event`: the event at which it ended, if the goal is an event."""

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
        """Run for about so many seconds; returns True at the goal. Callbacks cannot stop it. JammedError."""
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
        """Run until so many events have been executed or no more come; returns False if the deadline comes first."""
        system = self.system
        while (missing := events - count(system, "events")) > 0:
            before = system.time, missing
            self._settled = False
            system.simulate(until=math.inf, max_events=missing, max_seconds=max(deadline - perf_counter(), 0.0))
            missing = events - count(system, "events")
            if before == (system.time, missing):
                break       # there are no more events, because a callback acts differently from before
            if missing > 0:     # more events at this same instant
                system.simulate(until=system.time, max_events=missing)
                self._settled = count(system, "events") < events
            if perf_counter() >= deadline:
                return count(system, "events") == events
        return True

    def _end_with(self, events: int, deadline: float) -> bool:
        """Run until so many events have been executed, and execute the last one by itself; timers may come before it."""
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
                system.simulate(until=system.time)      # more events at this same instant
                self._settled = True
                return system.time == time
            # a callback has stopped the run: continue


def count(system: Any, *names: str) -> int:
    """The sum of the named statistics of a system. The statistics of an engine are a mapping or an object."""
    statistics = system.statistics
    counts = statistics if isinstance(statistics, Mapping) else vars(statistics)
    return sum(counts[name] for name in names)
