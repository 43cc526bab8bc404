"""A student's program held against the engine, from the simple to the whole: `check_program`."""
from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from typing import Any

from .._core import Particle
from ..sources import load
from ..system import CollisionSystem
from . import cases as asked
from . import faults
from .faults import Disc
from .log import suspicion, words
from .loops import Seen
from .process import Execution, Limits, execute
from .reference import Difference, Due, discs_of, first_difference, reference
from .verdict import UNKNOWN, Verdict, number

Case = dict[str, Any]
# Data sets, and how many contacts of each. Larger ones would take a loop in Python too long.
SCENES = (("two discs", 8), ("six discs", 40), ("two-head-on", 8), ("two-oblique", 12), ("p10", 30), ("squeeze", 30), ("p100-2K", 40))
OWN = {"two discs": [[.3, .4, .5, .1, .05, 1.], [.7, .45, -.3, .2, .1, 2.]], "six discs": [
    [.2, .2, .5, .3, .05, 1.], [.5, .3, -.4, .6, .08, 3.], [.8, .2, .3, -.7, .03, .5], [.3, .7, -.6, -.2, .1, 5.],
           [.7, .7, .2, .5, .06, 2.], [.5, .55, -.1, -.9, .04, .8]]}
EXTRA = 10          # contacts beyond those that are due, before a simulation is stopped
PATIENCE = 0.5      # of the time limit, after which one simulation is stopped, so that its events can be judged
CLOSE = 1e-7        # relative


def check_program(path: str, limits: Limits = Limits()) -> Verdict:
    """The first thing in which a student's Particle, MinPQ, Event or CollisionSystem differs from the engine.

    OSError if the file cannot be read. ValueError if the limits are not positive.
    """
    if not (0 < limits.seconds < math.inf and limits.megabytes > 0):
        raise ValueError(f"the limits are {limits.seconds} s and {limits.megabytes} MB; both must be positive and finite")
    units = [*asked.particle_cases(), *asked.queue_cases(), *asked.event_cases()]
    first = execute(path, [], limits)
    offers = first.offers
    if not offers:
        return _printed(_broken(first, "the file, when it is loaded", ""), first)
    if not any(role in offers for role in ("Particle", "MinPQ", "CollisionSystem")):
        return _printed(Verdict(2, path, expected="a class Particle, MinPQ or CollisionSystem", got="none of them"), first)
    units = [case for case in units if _is_offered(case, offers)]
    done = execute(path, units, limits)
    verdict = _judge(units, done, offers)
    if verdict is None and "CollisionSystem" in offers:
        scenes = _scenes()
        done = execute(path, [{**case, "seconds": PATIENCE * limits.seconds} for case, _ in scenes], limits)
        verdict = next((v for k, (case, due) in enumerate(scenes) if (v := _judge_scene(case, due, done, k, offers))), None)
    if verdict is None:
        roles = [role for role in ("Particle", "MinPQ", "Event", "CollisionSystem") if role in offers]
        verdict = Verdict(0, f"{', '.join(roles)}: {len(units)} cases"
                          + (f", {len(SCENES)} simulations" if "CollisionSystem" in offers else ""), notes=_absent(offers))
    return _printed(verdict, first if first.printed else done)


def _is_offered(case: Case, offers: dict[str, Any]) -> bool:
    op = case["op"]
    if op == "queue":
        return "MinPQ" in offers and bool(offers["MinPQ"]["insert"] and offers["MinPQ"]["del_min"])
    if op in ("order", "valid"):
        usable = "Event" in offers and "Particle" in offers and offers["Particle"]["bounce_off_vertical_wall"]
        return bool(usable and offers["Event"]["compare" if op == "order" else "is_valid"])
    return "Particle" in offers and bool(offers["Particle"][op])


def _absent(offers: dict[str, Any]) -> tuple[str, ...]:
    """A note on what has not been found, and so not checked."""
    names = [f"{offers[role]['name']}.{ours}" for role in ("Particle", "MinPQ") if role in offers
             for ours, theirs in offers[role].items() if theirs is None and ours not in ("min", "size")]
    return (f"not found, and not checked: {', '.join(names)}",) if names else ()


def _printed(verdict: Verdict, done: Execution) -> Verdict:
    text = " ".join(done.printed.split())
    shown = text if len(text) <= 80 else text[:80] + "..."
    plain = shown if shown.isprintable() else ascii(shown)
    return verdict._replace(notes=(*verdict.notes, f"the program prints, which is ignored: {plain}")) if text else verdict


# What ends a program

def _endless(stage: str, line: str, cause: str) -> Verdict:
    return Verdict(1, stage, line, "an end", "a simulation without end",
                   cause or "a loop that never ends: does the time advance (an event holds t + dt), are events beyond the limit left "
                            "out of the queue, do redraws end there, too?")


def _broken(done: Execution, stage: str, case: str) -> Verdict:
    """The verdict on a program that raised an error in loading, or did not come to its end."""
    if done.failure:
        return _raised(done.failure, stage, case, "an answer")
    cause = "a loop whose condition stays true?" if "did not end" in done.stopped else ""
    if "SIG" in done.stopped:
        cause = "memory, or recursion without end?"
    elif "status" in done.stopped:
        cause = "the program ends itself (os._exit, or the like)"
    elif stage.startswith("the file"):
        cause = "what runs when the file is loaded (a simulation, a main loop) belongs under if __name__ == '__main__':"
    return Verdict(1, stage, case, "an answer", f"the program {done.stopped}", cause)


def _raised(failure: Case, stage: str, case: str, expected: str, cause: str = "") -> Verdict:
    where = f" (line {failure['line']} of the file)" if failure["line"] else ""
    usual = {"MemoryError": "more memory than the limit: a list or a queue that grows without end?",
             "RecursionError": "a function that calls itself without end",
             "EOFError": "the program waits for input; that belongs under if __name__ == '__main__':",
             "SystemExit": "the program ends itself (sys.exit); that belongs under if __name__ == '__main__':"}
    message = f": {failure['message']}" if failure["message"] else ""
    return Verdict(1, stage, case, expected, f"{failure['error']}{message}{where}",
                   cause or usual.get(failure["error"], "the program crashes here; see that line"))


# Particle, MinPQ, Event

def _judge(units: list[Case], done: Execution, offers: dict[str, Any]) -> Verdict | None:
    """The first difference in the answers, one operation after another, as the cases stand."""
    for op in dict.fromkeys(case["op"] for case in units):
        pairs = [(case, done.answers[k]) for k, case in enumerate(units) if case["op"] == op and k < len(done.answers)]
        judge = {"queue": _judge_queue, "order": _judge_order, "valid": _judge_order}.get(op, _judge_particle)
        verdict = judge(op, pairs, offers)
        if verdict is not None:
            return verdict
    if done.stopped:
        case = units[min(len(done.answers), len(units) - 1)]
        return _broken(done, _stage(case["op"], offers), _line(case, offers))
    return None


def _stage(op: str, offers: dict[str, Any]) -> str:
    role, name = {"queue": ("MinPQ", "del_min"), "order": ("Event", "compare"), "valid": ("Event", "is_valid")}.get(op, ("Particle", op))
    return f"{offers[role]['name']}.{offers[role][name]}"


def _line(case: Case, offers: dict[str, Any]) -> str:
    """The case as a line of the program."""
    op = case["op"]
    if op == "queue":
        names = offers["MinPQ"]
        steps = [f"q.{names['del_min']}()" if x is None else f"q.{names['insert']}({number(x)})" for x in case["steps"][:90]]
        return f"q = {names['name']}(); " + "; ".join(steps)
    if op == "order":
        first, second = (f"Event({number(time)}, None, None)" for time in case["times"])
        name = offers["Event"]["compare"]
        return f"{first} < {second}" if name in ("__lt__", "__gt__") else f"{first}.{name}({second})"
    order, more = offers["order"] or (range(6), 0)
    colors = ["(0, 0, 0)"] if more == 1 else ["0"] * more
    discs = [f"Particle({', '.join([*(number(disc[k]) for k in order), *colors])})" for disc in case["discs"]]
    if op == "valid":
        return (f"a, b = {discs[0]}, {discs[1]}; e = Event(1.0, a, b); "
                f"{'ab'[case['bounced']]}.{offers['Particle']['bounce_off_vertical_wall']}(); e.{offers['Event']['is_valid']}()")
    arguments = number(case["argument"]) if "argument" in case else ", ".join(discs[1:])
    name = offers["Particle"][op]
    if op.startswith("time"):
        return f"{discs[0]}.{name}({arguments})"
    return f"a = {discs[0]}; " + (f"b = {discs[1]}; a.{name}(b)" if len(discs) > 1 else f"a.{name}({arguments})")


def _is_error(answer: Any) -> bool:
    return isinstance(answer, dict) and "error" in answer


def _judge_particle(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    for case, answer in pairs:
        discs = [Disc(*row) for row in case["discs"]]
        if _is_error(answer):
            cause = _crash(op, discs, answer)
            return _raised(answer, stage, _line(case, offers), "an answer", cause)
    if op.startswith("time"):
        return _judge_times(op, pairs, offers)
    return _judge_states(op, pairs, offers)


def _crash(op: str, discs: list[Disc], answer: Case) -> str:
    """Why a formula fails for these discs; "" if it is none of the usual reasons."""
    if op == "time_to_hit":
        a, b = discs
        dvx, dvy, dx, dy = b.vx - a.vx, b.vy - a.vy, b.rx - a.rx, b.ry - a.ry
        dvdv, dvdr = dvx**2 + dvy**2, dvx * dx + dvy * dy
        if answer["error"] == "ZeroDivisionError" and dvdv == 0:
            return "division by dv.dv, which is 0 for equal velocities: such discs never meet; test dv.dr >= 0 first"
        if answer["error"] == "ValueError":
            d = dvdr**2 - dvdv * (dx**2 + dy**2 - (a.radius + b.radius)**2)
            if d < 0:
                return "the square root of a negative number: d < 0 means that the discs miss each other; test it before the root"
            return "the square root of a negative number, though d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2) is not negative here: " \
                   "is the discriminant right?"
    if op.startswith("time") and answer["error"] == "ZeroDivisionError":
        return "division by a velocity of 0: a disc that does not move towards a wall never meets it"
    return ""


def _is_never(answer: Any) -> bool:
    """Infinity, nothing, no number, the largest numbers, or a negative one."""
    return answer is None or (isinstance(answer, float) and (not answer < 1e300 or answer < -1e-9))


def _near(expected: float, got: Any) -> bool:
    return isinstance(got, (int, float)) and abs(got - expected) <= CLOSE * max(1.0, abs(expected))


def _judge_times(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    def formula(discs: list[Disc], fault: str) -> float:
        if op == "time_to_hit":
            return faults.pair_time(discs[0], discs[1], fault)
        return faults.wall_time(discs[0], op == "time_to_hit_horizontal_wall", fault)

    # In the book never is infinity. Who returns one and the same negative number means never; who returns several has
    # forgotten a test, unless the assignment asks for them, with its other names.
    assignment = str(offers["Particle"][op]).startswith("collides")
    truths = [_truth(op, case) for case, _ in pairs]
    negative = {answer for (_, answer), truth in zip(pairs, truths) if truth == math.inf and isinstance(answer, float) and answer < -1e-9}
    accepted = assignment or len(negative) <= 1
    for (case, answer), truth in zip(pairs, truths):
        if truth == math.inf:
            right = _is_never(answer) and (accepted or answer is None or not -1e300 < answer < 0)
        else:
            right = _near(truth, answer)
        if right:
            continue
        table = faults.PAIR_TIME if op == "time_to_hit" else faults.WALL_TIME
        lost = answer is None and not all(a is None for (_, a), t in zip(pairs, truths) if t == math.inf)
        cause = "nothing is returned: a return is missing" if lost else _cause(
            table, pairs, case, lambda discs, answer, fault: _alike(formula(discs, fault), answer))
        if isinstance(answer, dict) and "complex" in answer["odd"]:
            cause = "the square root of a negative number: d < 0 means that the discs miss each other; test it before the root"
        if isinstance(answer, dict):
            got = answer["odd"]
        else:
            got = "nothing (None)" if answer is None else number(answer)
        return Verdict(1, _stage(op, offers), _line(case, offers), number(truth), got, cause or UNKNOWN)
    return None


def _alike(made: float, answer: Any) -> bool:
    return _is_never(answer) if made == math.inf else _near(made, answer)


def _truth(op: str, case: Case) -> float:
    """What the compiled engine's Particle says."""
    discs = [Particle(*disc) for disc in case["discs"]]
    return float(getattr(discs[0], op)(*discs[1:]))


def _cause(table: dict[str, str], pairs: list[tuple[Case, Any]], first: Case,
           explains: Callable[[list[Disc], Any, str], bool]) -> str:
    """The words for the error that gives all these answers, or at least the first wrong one and four of five; else ""."""
    best, answer_words = 0.8 * len(pairs), ""
    for fault, text in table.items():
        right = [(case is first, explains([Disc(*disc) for disc in case["discs"]], answer, fault)) for case, answer in pairs]
        alike = sum(ok for _, ok in right)
        if alike > best and (True, True) in right:
            best, answer_words = alike, text
    return answer_words


def _judge_states(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    for case, answer in pairs:
        line, before = _line(case, offers), case["discs"]
        if any(value is None for state in answer for value in state[:4]):
            return Verdict(2, stage, line, "a Particle that shows rx, ry, vx and vy", "one that does not")
        discs = [Particle(*disc) for disc in before]
        getattr(discs[0], op)(*([case["argument"]] if "argument" in case else discs[1:]))
        truth = [[disc.rx, disc.ry, disc.vx, disc.vy] for disc in discs]
        size = max(1.0, *(abs(x) for state in truth for x in state))
        wrong = [k for k in range(4) if any(not abs(t[k] - a[k]) <= CLOSE * size for t, a in zip(truth, answer))]
        if wrong:
            return Verdict(1, stage, line, _states(op, truth), _states(op, answer), _state_cause(op, pairs, case, answer, wrong))
        cause = _count_cause(op, answer)
        if cause:
            return Verdict(1, stage, line, "each disc's count grows by 1", f"count {', '.join(number(state[4]) for state in answer)}",
                           cause)
    return None


def _states(op: str, states: Sequence[Sequence[float]]) -> str:
    if op == "move":
        return f"(rx, ry) = ({states[0][0]:.10g}, {states[0][1]:.10g}), (vx, vy) = ({states[0][2]:.10g}, {states[0][3]:.10g})"
    return " and ".join(f"(vx, vy) = ({state[2]:.10g}, {state[3]:.10g})" for state in states)


def _state_cause(op: str, pairs: list[tuple[Case, Any]], case: Case, answer: list[Any], wrong: list[int]) -> str:
    if op == "move":
        if max(wrong) > 1:
            return "move changes the velocity; it must change the position alone"
        return _cause(faults.MOVE, pairs, case, lambda discs, a, fault: _match(
            faults.move(discs[0], next(c["argument"] for c, b in pairs if b is a), fault), a[0][:2])) or UNKNOWN
    if min(wrong) < 2:
        return "the disc's position changes; a collision changes velocities alone, the discs have been moved before"
    if op != "bounce_off":
        return _cause(faults.WALL_BOUNCE, pairs, case, lambda discs, a, fault: _match(
            faults.wall_bounce(discs[0], op == "bounce_off_horizontal_wall", fault), a[0][2:4])) or UNKNOWN
    cause = _cause(faults.BOUNCE, pairs, case, lambda discs, a, fault: _match(
        faults.bounce(discs[0], discs[1], fault), [*a[0][2:4], *a[1][2:4]]))
    return f"{_gain(case, answer)}; {cause or UNKNOWN}"


def _match(made: Sequence[float], seen: Sequence[float]) -> bool:
    size = max(1.0, *map(abs, made))
    return all(abs(m - s) <= CLOSE * size for m, s in zip(made, seen))


def _gain(case: Case, answer: list[Any]) -> str:
    """What becomes of energy and momentum."""
    masses = [disc[5] for disc in case["discs"]]
    old, new = ([state[2:4] for state in states] for states in (case["discs"], answer))
    factor = _energy(masses, new) / _energy(masses, old)
    kept = all(abs(sum(m * (v[k] - w[k]) for m, v, w in zip(masses, old, new))) < 1e-6 for k in (0, 1))
    if abs(factor - 1) < 1e-6:
        energy = "energy is kept"
    elif factor < 1e-12:
        energy = "your velocities lose all their energy"
    else:
        energy = f"your velocities {'gain' if factor > 1 else 'lose'} energy by a factor {max(factor, 1 / factor):.4g}"
    return f"{energy}, momentum is {'kept' if kept else 'not kept'}"


def _energy(masses: list[float], velocities: Sequence[Sequence[float]]) -> float:
    return sum(m * (v[0]**2 + v[1]**2) for m, v in zip(masses, velocities)) / 2


def _count_cause(op: str, answer: list[Any]) -> str:
    """What is wrong with the collision counts, if the discs show them."""
    counts = [state[4] for state in answer if state[4] is not None]
    wanted = 0 if op == "move" else 1
    if all(count == wanted for count in counts):
        return ""
    if op == "move":
        return "move counts as a collision; it is none"
    if op == "bounce_off" and sorted(counts) == [0, 1]:
        return "only one of the two discs counts the collision; both must, since both change their course"
    if 0 in counts:
        return "the collision is not counted; stale events are known by the counts (walls count, too)"
    return "a collision is counted more than once"


def _judge_order(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    for case, answer in pairs:
        stage, line = _stage(op, offers), _line(case, offers)
        if answer is None:
            return None
        if _is_error(answer):
            return _raised(answer, stage, line, "an answer")
        if op == "valid":
            if answer != [True, False]:
                cause = ("an event that has just been made is not valid: compare with the counts at that time" if not answer[0] else
                         "stale events are not noticed: an event is valid only if the counts of both its discs are as they were")
                return Verdict(1, stage, line, "valid before the bounce, not valid after it",
                               " and ".join(("valid" if v else "not valid") for v in answer), cause)
            continue
        first, second = case["times"]
        if answer != (first < second):
            truncated = abs(first - second) < 1 and not any(a != (c["times"][0] < c["times"][1]) for c, a in pairs
                                                            if abs(c["times"][0] - c["times"][1]) >= 1)
            cause = ("the difference of times ends as a whole number: below 1 it becomes 0 (compareTo as on the slides); compare the "
                     "times themselves" if truncated else "events must be ordered by time, the earlier one first")
            return Verdict(1, stage, line, f"the first one is {'' if first < second else 'not '}before the second one",
                           "the opposite", cause)
    return None


# MinPQ

def _deletes(steps: Sequence[float | None], heap: Callable[[list[float], float | None], float | None]) -> list[float | None]:
    held: list[float] = []
    return [heap(held, step) for step in steps]


def _right(held: list[float], step: float | None) -> float | None:
    if step is None:
        return heapq.heappop(held)
    heapq.heappush(held, step)
    return None


def _listed(take: Callable[[list[float]], int]) -> Callable[[list[float], float | None], float | None]:
    """A queue that is a list, from which the item at the place that `take` names is deleted."""
    def step(held: list[float], number: float | None) -> float | None:
        if number is None:
            return held.pop(take(held)) if held else None
        held.append(number)
        return None
    return step


def _heap(swim: bool = True, sink: str = "right") -> Callable[[list[float], float | None], float | None]:
    """A binary heap in which something is missing."""
    def step(q: list[float], number: float | None) -> float | None:
        if number is not None:
            q.append(number)
            k = len(q)
            while k > 1 and q[k - 1] < q[k // 2 - 1] and swim:
                q[k - 1], q[k // 2 - 1] = q[k // 2 - 1], q[k - 1]
                k = k // 2 if swim != 1 or sink != "swim once" else 1
            return None
        q[0], q[-1] = q[-1], q[0]
        least, k, n = q.pop(), 1, len(q)
        while (2 * k < n if sink == "short" else 2 * k <= n) and sink != "none":
            j = 2 * k
            if j < n and sink != "left" and (q[j] > q[j - 1] if sink == "larger" else q[j] < q[j - 1]):
                j += 1
            if q[k - 1] <= q[j - 1]:
                break
            q[k - 1], q[j - 1] = q[j - 1], q[k - 1]
            k = j if sink != "once" else n
        return least
    return step


def _set(held: list[float], step: float | None) -> float | None:
    """A queue that holds equal items once."""
    if step is None:
        return heapq.heappop(held) if held else None
    if step not in held:
        heapq.heappush(held, step)
    return None


QUEUES: tuple[tuple[Callable[[list[float], float | None], float | None], str], ...] = (
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
    (_heap(sink="short"), "sink stops too early: the last child, 2 k == n, must be looked at, too"),
)


def _judge_queue(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    for case, answer in pairs:
        line = _line(case, offers)
        if case.get("empty"):
            return _judge_empty(stage, line, answer)
        if _is_error(answer):
            cause = _queue_crash(pairs, case)
            return _raised(answer, stage, line, "the items in ascending order", cause)
        truth = _deletes(case["steps"], _right)
        got = [deleted for deleted, _, _ in answer]
        if got != truth:
            return _queue_differs(stage, line, pairs, case, truth, got)
        held = 0
        for k, (step, (_, size, empty)) in enumerate(zip(case["steps"], answer), 1):
            held += 1 if step is not None else -1
            if size not in (None, held) or empty not in (None, held == 0):
                return Verdict(1, stage, line, f"after {k} steps {held} items, {'empty' if held == 0 else 'not empty'}",
                               f"size {size}, {'empty' if empty else 'not empty'}", "the number of items is not kept up")
    return None


def _queue_crash(pairs: list[tuple[Case, Any]], case: Case) -> str:
    """Fails where equal items are about, and nowhere else?"""
    numbers = [x for x in case["steps"] if x is not None]
    return "equal items are lost: ties must stay in the queue, all of them" if len(set(numbers)) < len(numbers) else ""


def _judge_empty(stage: str, line: str, answer: Any) -> Verdict | None:
    if _is_error(answer):
        return _raised(answer, stage, line, "an error for the empty queue, and a queue that still works",
                       "deleting from an empty queue must leave it as it is")
    deleted, size, _ = answer[0]
    if not (isinstance(deleted, dict) and "raised" in deleted):
        shown = "nothing (None)" if deleted is None else str(deleted.get("odd")) if isinstance(deleted, dict) else number(deleted)
        return Verdict(1, stage, line, "an error: there is nothing to delete", shown,
                       "del_min on an empty queue must raise an error, as IndexError")
    if size not in (0, None) or answer[2][0] != 3.0:
        return Verdict(1, stage, line, "an error, and then 3", f"size {size}, and then {answer[2][0]}",
                       "deleting from an empty queue must leave it as it is")
    return None


def _queue_differs(stage: str, line: str, pairs: list[tuple[Case, Any]], case: Case, truth: list[float | None],
                   got: list[Any]) -> Verdict:
    k = next(k for k, (t, g) in enumerate(zip(truth, got)) if t != g)
    if truth[k] is None:
        cause = "insert must not return anything"
    else:
        cause = next((text for queue, text in QUEUES if _same_queue(queue, pairs)), "")
        cause = cause or "this is no heap: what is deleted must be the least item; see swim and sink, or the comparison"
    deletes = sum(step is None for step in case["steps"][:k + 1])
    shown = "nothing (None)" if got[k] is None else got[k]["odd"] if isinstance(got[k], dict) else number(got[k])
    return Verdict(1, stage, line, f"{number(truth[k] or 0)} from deletion {deletes}", shown, cause)


def _same_queue(queue: Callable[[list[float], float | None], float | None], pairs: list[tuple[Case, Any]]) -> bool:
    return all(_deletes(case["steps"], queue) == [row[0] for row in answer]
               for case, answer in pairs if not _is_error(answer) and not case.get("empty"))


# CollisionSystem

def _scenes() -> list[tuple[Case, list[Due]]]:
    """What the system is asked, and what must come."""
    scenes = []
    for name, count in SCENES:
        system = CollisionSystem([Particle(*disc[:6]) for disc in map(Disc._make, OWN[name])]) if name in OWN else load(name)
        due = reference(system, count + 1).due
        while due[-1].time - due[-2].time < 1e-6 * due[-1].time:
            due.pop()
        limit = (due[-1].time + due[-2].time) / 2
        scenes.append(({"op": "system", "name": name, "discs": [list(disc) for disc in discs_of(system)], "limit": limit,
                        "events_max": count + EXTRA}, due[:-1]))
    return scenes


def _judge_scene(case: Case, due: list[Due], done: Execution, k: int, offers: dict[str, Any]) -> Verdict | None:
    system = offers["CollisionSystem"]
    stage = f"{system['name']}.{system['simulate']} on {case['name']}"
    line = f"{system['name']}(particles).{system['simulate']}({number(case['limit'])})"
    if case["name"] in OWN or len(case["discs"]) == 2:
        order, more = offers["order"] or (range(6), 0)
        colors = ["(0, 0, 0)"] if more == 1 else ["0"] * more
        discs = [f"Particle({', '.join([*(number(disc[k]) for k in order), *colors])})" for disc in case["discs"]]
        line = line.replace("particles", f"[{', '.join(discs)}]")
    if k >= len(done.answers):
        if k > len(done.answers):
            return None
        return _broken(done, stage, line)
    answer = done.answers[k]
    if _is_error(answer):
        cause = "events of equal time are compared by something that has no order: give the event __lt__" \
            if answer["error"] == "TypeError" and "'<'" in answer["message"] else ""
        return _raised(answer, stage, line, "a simulation", cause)
    if not answer["log"]:
        if answer["endless"]:
            return _endless(stage, line, "")
        return _judge_end(stage, line, case, due, answer)
    seen = [_seen(row) for row in answer["log"]]
    # After the last contact that is due, a system may go on: it may know no limit.
    difference, met = first_difference(due, seen)
    state = _state_difference(answer["log"], met)
    if state is not None and (difference is None or state < difference.number):
        return _state_verdict(stage, line, case, answer["log"][state - 1], met[state - 1], seen, state)
    if difference is None or difference.expected is None:
        return _endless(stage, line, "") if answer["endless"] else None
    cause = suspicion([Disc(*disc) for disc in case["discs"]], seen, difference, case["limit"], "loop", 0.0)
    if answer["endless"] and difference.got is None:
        return _endless(f"{stage}, after event {len(seen)}", line, cause)
    got = words(difference.got) if difference.got else "no more events"
    return Verdict(1, f"{stage}: event {difference.number}", line, words(difference.expected), got, cause or UNKNOWN)


def _seen(row: list[Any]) -> Seen:
    op, numbers, time, _, _ = row
    wall = {"bounce_off_vertical_wall": "v", "bounce_off_horizontal_wall": "h"}.get(op, "")
    return Seen(time, min(numbers), -1 if wall else max(numbers), wall)


def _state_difference(log: list[Any], met: list[Due]) -> int | None:
    """The number of the first event after which a disc of it is not where it must be, or not as fast."""
    for k, (row, due) in enumerate(zip(log, met), 1):
        by_number = sorted(zip(row[1], row[4]))
        for (_, state), truth in zip(by_number, due.after):
            speed = max(math.hypot(*truth[2:]), 1e-3)
            if any(abs(s - t) > 1e-5 * (1.0 if j < 2 else speed) for j, (s, t) in enumerate(zip(state[:4], truth))):
                return k
    return None


def _state_verdict(stage: str, line: str, case: Case, row: list[Any], due: Due, seen: list[Seen], k: int) -> Verdict:
    got = " and ".join(f"({', '.join(f'{x:.6g}' for x in state[:4])})" for _, state in sorted(zip(row[1], row[4])))
    expected = " and ".join(f"({', '.join(f'{x:.6g}' for x in truth)})" for truth in due.after)
    states = [tuple(state[:4]) for _, state in sorted(zip(row[1], row[4]))]
    cause = suspicion([Disc(*disc) for disc in case["discs"]], seen, Difference(k, due, seen[k - 1]), case["limit"], "loop", 0.0, states)
    right = "all discs must be moved to the time of the event before it is executed, and only by move"
    return Verdict(1, f"{stage}: event {k}, {words(due)}", line, f"(rx, ry, vx, vy) = {expected} after it", got, cause or right)


def _judge_end(stage: str, line: str, case: Case, due: list[Due], answer: Case) -> Verdict | None:
    """A system that does not bounce discs by their own methods can be judged by how it leaves them."""
    system = CollisionSystem([Particle(*disc) for disc in case["discs"]])
    system.simulate(case["limit"])
    for k, (state, disc) in enumerate(zip(answer["end"], system)):
        slack = 1e-5 + abs(case["limit"] - due[-1].time)      # it may stop at its last event, or at the limit
        speed = math.hypot(disc.vx, disc.vy)
        if None in state[:4] or math.hypot(state[2] - disc.vx, state[3] - disc.vy) > 1e-5 * max(speed, 1e-3) or (
                math.hypot(state[0] - disc.rx, state[1] - disc.ry) > 1e-5 + slack * speed):
            same = state[:4] == case["discs"][k][:4]
            return Verdict(1, stage, line, f"disc {k} ends with (rx, ry, vx, vy) = ({disc.rx:.6g}, {disc.ry:.6g}, {disc.vx:.6g}, "
                           f"{disc.vy:.6g})", str(tuple(state[:4])),
                           "nothing happens at all: is anything in the queue when simulate begins, does its loop begin?" if same else
                           "no disc was asked to bounce, so that events cannot be compared one by one")
    return None
