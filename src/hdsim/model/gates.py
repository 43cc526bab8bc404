"""Gates, which let some discs pass, and doors, which are open at times: segments that are walls otherwise."""
from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .numbers import real
from .motion import moves
from .obstacles import Arc, Circle, Line, Obstacle, Path, Polygon, Polyline, Segment
from .pieces import Pieces, Point
from .piston import Piston
from .rules import Rule, coming, faster, slower


@dataclass(frozen=True, repr=False)
class Gate(Segment):
    """A straight gate from `start` to `end` without thickness: a wall for discs that `opens` does not let pass.

    start, end: points (x, y), length units; left and right of the gate are as seen from start to end.
    opens: a rule of `hdsim.gates`. It is evaluated when a disc that is not in the doorway touches the gate. A disc that may pass
    does not touch the gate until it is clear of it, on either side: what it does then is told by `CollisionSystem.ledger`.
    The gate has no ends: it must stand in a frame, such as two segments that begin where it ends.
    Keywords and errors as for `Segment`; TypeError for another `opens`.
    """

    opens: Rule

    def _check(self) -> None:
        super()._check()
        _check_rest(self)
        if not isinstance(self.opens, Rule):
            self._refuse(TypeError, "opens", self.opens, "a rule of hdsim.gates, such as hdsim.gates.coming('left')")
        if self.start == self.end:
            self._refuse(ValueError, "end", self.end, "another point than start")

    def _lowered(self) -> Pieces:
        return super()._lowered()._replace(framed=True)


@dataclass(frozen=True, repr=False)
class Door(Segment):
    """A segment from `start` to `end` that is not there while it is open.

    open: pairs (from, until) of times, in time units, in any order, as a sequence or an array (n, 2); inf is a time. A disc in
    the doorway when the door closes is not touched by it until it is clear of it. Each opening and closing is an event of kind
    "device".
    Keywords and errors as for `Segment`; ValueError for a pair that does not ascend, and for pairs that overlap.
    """

    open: Sequence[tuple[float, float]]

    def _check(self) -> None:
        super()._check()
        _check_rest(self)
        given = _listed(self.open)
        if not isinstance(given, (tuple, list)):
            self._refuse(TypeError, "open", self.open, "a sequence of pairs (from, until) of times")
        pairs = []
        for k, pair in enumerate(map(_listed, given)):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(t, numbers.Real) for t in pair):
                self._refuse(TypeError, f"pair {k} of open", pair, "a pair (from, until) of times")
            begin, end = (real(f"{self._title()}: open", t) + 0.0 for t in pair)
            if not begin < end:
                self._refuse(ValueError, f"pair {k} of open", pair, "ascending")
            pairs.append((begin, end))
        pairs.sort()
        for (_, end), (begin, _) in zip(pairs, pairs[1:]):
            if begin < end:
                self._refuse(ValueError, "open", self.open, f"pairs that do not overlap, as those at time {begin!r} do")
        self._keep("open", tuple(pairs))


def _check_rest(shape: Any) -> None:
    """ValueError for a gate or door that moves."""
    if moves(shape):
        shape._wrong("it must be at rest; gates and doors do not move")


def _listed(value: Any) -> Any:
    """An array as a list, and any other value as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


SHAPES = (Segment, Polyline, Polygon, Circle, Arc, Path, Line, Piston, Gate, Door)     # what a user may give


def is_obstacle(value: Any) -> bool:
    """Whether a value is an obstacle."""
    return isinstance(value, SHAPES)


def demon(start: Point, end: Point, speed: float, **keywords: object) -> Gate:
    """Maxwell's demon: a gate that lets faster discs pass from left to right, and slower ones from right to left.

    start, end, keywords: as for `Gate`. speed: the limit, in length / time."""
    rule = coming("left") & faster(speed) | coming("right") & slower(speed)
    return Gate(start, end, rule, **keywords)       # type: ignore[arg-type]


def gates_among(obstacles: Sequence[Obstacle]) -> list[Gate]:
    """The gates of a system, in their order, which is that of their numbers in the engine."""
    return [obstacle for obstacle in obstacles if isinstance(obstacle, Gate)]


def rule_of(obstacle: Obstacle) -> Rule | None:
    """The rule of a gate; None for another obstacle."""
    return obstacle.opens if isinstance(obstacle, Gate) else None


def openings_of(obstacle: Obstacle) -> Sequence[tuple[float, float]] | None:
    """The times (from, until) between which a door is open; None for another obstacle."""
    return obstacle.open if isinstance(obstacle, Door) else None


def has_doorway(obstacle: Obstacle) -> bool:
    """Whether discs may be in the place of an obstacle: a gate or a door."""
    return isinstance(obstacle, (Gate, Door))


def spans_of(obstacle: Obstacle) -> tuple[tuple[float, float], ...]:
    """The spans of time (since, until) in which an obstacle is there, in their order."""
    spans, begin = [], obstacle.from_time
    for opens, closes in openings_of(obstacle) or ():
        spans.append((begin, min(opens, obstacle.until)))
        begin = max(begin, closes)
    spans.append((begin, obstacle.until))
    return tuple((since, until) for since, until in spans if since < until)


def is_there(obstacle: Obstacle, time: float) -> bool:
    """Whether an obstacle is there at a time."""
    return any(since <= time < until for since, until in spans_of(obstacle))
