"""A student's Particle and Event compared with the engine: times, states, order."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._core import Particle
from ..language import tr
from . import faults
from .endings import _raised
from .faults import Disc
from .verdict import UNKNOWN, Verdict, number
from .wording import ELEMENTWISE, Case, _crash, _is_error, _line, _numbers, _shown, _stage

CLOSE = 1e-7        # relative difference up to which numbers agree
NEVER = 2.0**31 - 1     # times from here on count as "never", such as the largest integers of other languages
NAN = "nan is no number: 0 / 0, or infinity - infinity, or something that has not been set"
SINGLE = "right except for the last digits: numbers of single precision (float32), or something is rounded on the way"


def _judge_particle(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    for case, answer in pairs:
        discs = [Disc(*row) for row in case["discs"]]
        if _is_error(answer):
            cause = _crash(op, pairs, discs, answer)
            return _raised(answer, stage, _line(case, offers), tr("an answer"), cause)
    if op in ("make", "apart"):
        return (_judge_made if op == "make" else _judge_apart)(*pairs[0], offers) if pairs else None
    if op.startswith("time"):
        return _judge_times(op, pairs, offers)
    return _judge_states(op, pairs, offers)


def _judge_made(case: Case, answer: Any, offers: dict[str, Any]) -> Verdict | None:
    """The verdict on new discs: each must keep the numbers that it was given, as far as its attributes show them."""
    for given, numbers in zip(case["discs"], answer):
        wrong = [k for k, x in enumerate(numbers) if x is not None and not _near(given[k], x)]
        if wrong:
            swapped = set(wrong) <= {4, 5} and all(_near(given[9 - k], numbers[k]) for k in wrong)
            cause = tr("radius and mass are mixed up: the constructor takes rx, ry, vx, vy, radius, mass" if swapped else
                       "the constructor must keep each number as it is, in rx, ry, vx, vy, radius, mass, and for each disc its "
                       "own (in self)")
            return Verdict(1, _stage("make", offers), _line(case, offers), _numbers(given), _numbers(numbers), cause)
    return None


def _judge_apart(case: Case, answer: Any, offers: dict[str, Any]) -> Verdict | None:
    return Verdict(1, _stage("apart", offers), _line(case, offers), tr("b's count stays as it is"),
                   tr("b's count grows by {n}", n=number(answer)),
                   tr("all discs share one count: it must belong to the disc (self.count = 0 in __init__, and self.count += 1)")
                   ) if answer else None


def _is_never(answer: Any) -> bool:
    """Whether an answer means "never": infinity, None, nan, NEVER or more, or a negative number."""
    return answer is None or (isinstance(answer, float) and (not answer < NEVER or answer < -1e-9))


def _near(expected: float, got: Any) -> bool:
    return isinstance(got, (int, float)) and math.isfinite(expected) and abs(got - expected) <= CLOSE * max(1.0, abs(expected))


def _judge_times(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    def formula(discs: list[Disc], fault: str) -> float:
        if op == "time_to_hit":
            return faults.pair_time(discs[0], discs[1], fault)
        return faults.wall_time(discs[0], op == "time_to_hit_horizontal_wall", fault)

    for case, (answer, again) in pairs:
        if answer != again and not (isinstance(answer, float) and math.isnan(answer)):
            return Verdict(1, _stage(op, offers), _line(case, offers), tr("the same number each time"),
                           tr("{first}, and when asked again {second}", first=_shown(answer), second=_shown(again)),
                           tr("asking for a time changes something; it must only compute"))
    pairs = [(case, answer) for case, (answer, _) in pairs]
    # In the book "never" is infinity. A program that always returns the same negative number means "never" by it. One that
    # returns different negative numbers lacks a test, unless it has the names of the assignment, which asks for negative numbers.
    assignment = str(offers["Particle"][op]).startswith("collides")
    truths = [_truth(op, case) for case, _ in pairs]
    negative = {answer for (_, answer), truth in zip(pairs, truths)
                if truth == math.inf and isinstance(answer, float) and answer < -1e-9}
    accepted = assignment or len(negative) <= 1
    right = [_is_never(answer) and (accepted or answer is None or not -NEVER < answer < 0) if truth == math.inf else
             _near(truth, answer) for (_, answer), truth in zip(pairs, truths)]
    if all(right):
        return None
    first = right.index(False)
    (case, answer), truth = pairs[first], truths[first]
    table = faults.PAIR_TIME if op == "time_to_hit" else faults.WALL_TIME
    cause = _time_cause(pairs, truths, first)
    kinds = len({answer for _, answer in pairs if isinstance(answer, float) and -NEVER < answer < -1e-9})
    twice = faults.PAIR_TIME_TWICE if op == "time_to_hit" else {}
    tables: tuple[tuple[Mapping[str, str | tuple[str, str]], int], ...] = ((table, 1), (twice, 2))
    for faulty, exact in tables:
        cause = cause or _cause(faulty, pairs, right, lambda discs, a, fault: _alike(
            formula(discs, fault), a, kinds), exact)
    return Verdict(1, _stage(op, offers), _line(case, offers), number(truth), _shown(answer), cause or tr(UNKNOWN))


def _time_cause(pairs: list[tuple[Case, Any]], truths: list[float], first: int) -> str:
    """The cause if the answers are no times, or are rounded; otherwise ""."""
    answer, nevers = pairs[first][1], {str(a) for (_, a), t in zip(pairs, truths) if t == math.inf}
    if all(_is_never(a) for _, a in pairs) and len({str(a) for _, a in pairs}) == 1 and answer == answer:
        return tr("the answer is never for all discs, also for those that meet: look at the tests before its return, or is a "
                  "return missing?")
    if isinstance(answer, dict):
        if "array" in answer["odd"] and "complex" not in answer["odd"]:
            return tr(ELEMENTWISE)
        return tr("the square root of a negative number: d < 0 means that the discs miss each other; test it before the root"
                  if "complex" in answer["odd"] else "a time is a number: not a text, not a list, not a truth value")
    if answer is None:
        return "" if nevers == {"None"} else tr("nothing is returned: a return is missing")
    if math.isnan(answer):
        return "" if nevers == {"nan"} else tr(NAN)
    if truths[first] == math.inf:
        return tr("never must be infinity (or, with the names of the assignment, negative): no number that could be a time") \
            if len(nevers) == 1 and len(truths) > 1 and answer >= 0 else ""
    if _is_never(answer):
        return ""
    numbers = [(a, t) for (_, a), t in zip(pairs, truths) if isinstance(a, float) and math.isfinite(t) and math.isfinite(a)]
    for places in range(1, 7):
        if all(abs(round(t, places) - a) < 1e-12 for a, t in numbers):
            return tr("the time is rounded to {places} decimals: keep it as it is", places=places)
    if all(abs(a - t) <= 1e-4 * max(1.0, t) for a, t in numbers):
        return tr(SINGLE)
    return ""


def _alike(made: float, answer: Any, negative: int = 1) -> int:
    """How well an answer agrees with the time that an error gives: 0 not at all, 2 exactly, 1 if both mean "never". negative: how
    many negative numbers the program answers; if they are several, they do not mean "never"."""
    if made == math.inf:
        if negative > 1 and isinstance(answer, float) and -NEVER < answer < 0:
            return 0
        return _is_never(answer) * (1 if isinstance(answer, float) and -NEVER < answer < 0 else 2)
    return 2 * _near(made, answer)


def _truth(op: str, case: Case) -> float:
    """The answer of the compiled engine's Particle."""
    discs = [Particle(*disc) for disc in (case["unit"] if "unit" in case else case["discs"])]
    return float(getattr(discs[0], op)(*discs[1:]))


def told(text: str | tuple[str, str]) -> str:
    """The description of an error, or of two."""
    return tr(text) if isinstance(text, str) else tr("two errors: {one}; and {other}", one=tr(text[0]), other=tr(text[1]))


def _cause(table: Mapping[str, str | tuple[str, str]], pairs: list[tuple[Case, Any]], right: Sequence[bool],
           explains: Callable[[list[Disc], Any, str], int], exact: int = 1) -> str:
    """The description of the error that gives all these answers, or the first wrong one and all but a few others, which a second
    error may change; "" if there is none. The error must reproduce at least one wrong number, and the first one as exactly as
    `exact` says."""
    best, answer_words = (len(pairs) - max(len(pairs) // 12, 1), 0), ""
    first = list(right).index(False)
    for fault, text in table.items():
        alike = [int(explains([Disc(*disc) for disc in (case["unit"] if "unit" in case else case["discs"])], answer, fault))
                 for case, answer in pairs]
        explained = all(alike) or any(a and not r and not _is_never(answer) for a, r, (_, answer) in zip(alike, right, pairs))
        found = sum(map(bool, alike)), sum(alike)
        if alike[first] >= exact and explained and (found > best if answer_words else found[0] >= best[0]):
            best, answer_words = found, told(text)
    return answer_words


def _judge_states(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    truths = [_moved(op, case) for case, _ in pairs]
    wrong = []
    for (case, answer), truth in zip(pairs, truths):
        if any(value is None for state in answer for value in state[:4]):
            return Verdict(2, stage, _line(case, offers), tr("a Particle that shows rx, ry, vx and vy"),
                           tr("one that does not"))
        size = max(1.0, *(abs(x) for state in truth for x in state))
        wrong.append([k for k in range(4) if any(not abs(t[k] - a[k]) <= CLOSE * size for t, a in zip(truth, answer))])
    for k, (case, answer) in enumerate(pairs):
        line = _line(case, offers)
        if wrong[k]:
            cause = _state_cause(op, pairs, k, wrong)
            if all(abs(t[i] - a[i]) <= 1e-4 for truth, (_, states) in zip(truths, pairs)
                   for t, a in zip(truth, states) for i in range(4)):
                cause = tr(SINGLE)
            return Verdict(1, stage, line, _states(op, truths[k]), _states(op, answer), cause)
        cause = "" if offers.get("uncounted") else _count_cause(op, answer)
        if cause:
            return Verdict(1, stage, line, tr("each disc's count grows by {n}", n=0 if op == "move" else 1),
                           tr("by {numbers}", numbers=tr(" and ").join(number(state[4]) for state in answer)), cause)
    return None


def _moved(op: str, case: Case) -> list[list[float]]:
    """The states of the compiled engine's discs after the operation."""
    discs = [Particle(*disc) for disc in case["discs"]]
    getattr(discs[0], op)(*([case["argument"]] if "argument" in case else discs[1:]))
    return [[disc.rx, disc.ry, disc.vx, disc.vy] for disc in discs]


def _states(op: str, states: Sequence[Sequence[float]]) -> str:
    if op == "move":
        return f"(rx, ry) = ({states[0][0]:.10g}, {states[0][1]:.10g}), (vx, vy) = ({states[0][2]:.10g}, {states[0][3]:.10g})"
    return tr(" and ").join(f"(vx, vy) = ({state[2]:.10g}, {state[3]:.10g})" for state in states)


def _state_cause(op: str, pairs: list[tuple[Case, Any]], first: int, wrong: list[list[int]]) -> str:
    case, answer = pairs[first]
    right = [not k for k in wrong]
    if any(math.isnan(x) for state in answer for x in state[:4]):
        return tr(NAN)
    if op == "move":
        if max(wrong[first]) > 1:
            return tr("move changes the velocity; it must change the position alone")
        return _cause(faults.MOVE, pairs, right, lambda discs, a, fault: _match(
            faults.move(discs[0], next(c["argument"] for c, b in pairs if b is a), fault), a[0][:2])) or tr(UNKNOWN)
    if min(wrong[first]) < 2:
        return tr("the disc's position changes; a collision changes velocities alone, the discs have been moved before")
    if op != "bounce_off":
        axis = int(op == "bounce_off_horizontal_wall")
        factors = {round(-a[0][2 + axis] / c["discs"][0][2 + axis], 9) for c, a in pairs if c["discs"][0][2 + axis]}
        if len(factors) == 1 and min(factors) > 0:
            return tr("the speed is multiplied by {factor}: the bounce is elastic, the velocity is reversed and keeps its size",
                      factor=number(min(factors)))
        return _cause(faults.WALL_BOUNCE, pairs, right, lambda discs, a, fault: _match(
            faults.wall_bounce(discs[0], axis, fault), a[0][2:4])) or tr(UNKNOWN)
    cause = _cause(faults.BOUNCE, pairs, right, lambda discs, a, fault: _match(
        faults.bounce(discs[0], discs[1], fault), [*a[0][2:4], *a[1][2:4]]))
    return tr("; ").join((_gain(case, answer), cause or tr(UNKNOWN)))


def _match(made: Sequence[float], seen: Sequence[float]) -> bool:
    size = max(1.0, *map(abs, made))
    return all(abs(m - s) <= CLOSE * size for m, s in zip(made, seen))


def _gain(case: Case, answer: list[Any]) -> str:
    """A text on whether energy and momentum are conserved."""
    masses = [disc[5] for disc in case["discs"]]
    old, new = ([state[2:4] for state in states] for states in (case["discs"], answer))
    factor = _energy(masses, new) / _energy(masses, old)
    kept = all(abs(sum(m * (v[k] - w[k]) for m, v, w in zip(masses, old, new))) < 1e-6 for k in (0, 1))
    if abs(factor - 1) < 1e-6:
        energy = tr("energy is kept")
    elif factor < 1e-12:
        energy = tr("your velocities lose all their energy")
    else:
        energy = tr("your velocities gain energy by a factor {factor:.4g}" if factor > 1 else
                    "your velocities lose energy by a factor {factor:.4g}", factor=max(factor, 1 / factor))
    return tr("{energy}, momentum is kept" if kept else "{energy}, momentum is not kept", energy=energy)


def _energy(masses: list[float], velocities: Sequence[Sequence[float]]) -> float:
    return sum(m * (v[0]**2 + v[1]**2) for m, v in zip(masses, velocities)) / 2


def _count_cause(op: str, answer: list[Any]) -> str:
    """The error in the collision counts, if the discs show them; otherwise ""."""
    counts = [state[4] for state in answer if state[4] is not None]
    wanted = 0 if op == "move" else 1
    if all(count == wanted for count in counts):
        return ""
    if op == "move":
        return tr("move counts as a collision; it is none")
    if op == "bounce_off" and sorted(counts) == [0, 1]:
        return tr("only one of the two discs counts the collision; both must, since both change their course")
    if 0 in counts:
        return tr("the collision is not counted; stale events are known by the counts (walls count, too)")
    return tr("a collision is counted more than once")


def _judge_order(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    for case, answer in pairs:
        stage, line = _stage(op, offers), _line(case, offers)
        if answer is None:
            return None
        if _is_error(answer):
            return _raised(answer, stage, line, tr("an answer"))
        if op == "valid":
            if not offers.get("uncounted") and answer != [True, False]:
                return Verdict(1, stage, line, tr("valid before the bounce, not valid after it"),
                               tr(" and ").join(tr("valid" if v else "not valid") for v in answer), _valid_cause(case, answer))
            continue
        first, second = case["times"]
        if answer != (first < second):
            truncated = abs(first - second) < 1 and not any(a != (c["times"][0] < c["times"][1]) for c, a in pairs
                                                            if abs(c["times"][0] - c["times"][1]) >= 1)
            cause = tr("the difference of times ends as a whole number: below 1 it becomes 0 (compareTo as on the slides); "
                       "compare the times themselves" if truncated else "events must be ordered by time, the earlier one first")
            return Verdict(1, stage, line, tr("the first one is before the second one" if first < second else
                                              "the first one is not before the second one"), tr("the opposite"), cause)
    return None


def _valid_cause(case: Case, answer: list[bool]) -> str:
    if "alone" in case:
        return tr("an event at a wall has no other disc, and is valid as long as its one disc has not bounced")
    return tr("stale events are not noticed: an event is valid only if the counts of both its discs are as they were" if answer[0]
              else "an event that has just been made is not valid: compare with the counts at that time")
