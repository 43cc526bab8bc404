"""A student's program held against the engine, from the simple to the whole: `check_program`."""
from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from .._core import Particle
from ..starts.sources import load
from ..system import CollisionSystem
from . import cases as asked
from . import faults, queues
from .faults import Disc
from .log import Evidence, strange, suspicion, words
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
NEVER = 2.0**31 - 1     # and above: the largest numbers of other languages, too
NAN = "nan is no number: 0 / 0, or infinity - infinity, or something that has not been set"
SINGLE = "right but for the last digits: numbers of single precision (float32), or something is rounded on the way"
MAIN = "what runs when the file is loaded (a simulation, a main loop, reading data) belongs under if __name__ == '__main__':"


def check_program(path: str, limits: Limits = Limits()) -> Verdict:
    """The first thing in which a student's Particle, MinPQ, Event or CollisionSystem differs from the engine.

    OSError if the file cannot be read. ValueError if the limits are not positive.
    """
    if not (0 < limits.seconds < math.inf and limits.megabytes > 0):
        raise ValueError(f"the limits are {limits.seconds} s and {limits.megabytes} MB; both must be positive and finite")
    units = [*asked.particle_cases(), *asked.queue_cases(), *asked.event_cases()]
    first = execute(path, units, limits)
    offers = first.offers
    if not offers:
        return _printed(_broken(first, "the file, when it is loaded", ""), first)
    if not any(role in offers for role in ("Particle", "MinPQ", "CollisionSystem")):
        found = f"none of them, but {', '.join(first.offers['classes'][:6])}" if first.offers["classes"] else "none of them"
        return _printed(Verdict(2, path, expected="a class Particle, MinPQ or CollisionSystem", got=found), first)
    kept = [k for k, case in enumerate(units) if _is_offered(case, offers)]
    units = [units[k] for k in kept]
    done = first._replace(answers=[first.answers[k] for k in kept if k < len(first.answers)])
    verdict = _judge(units, done, offers)
    if verdict is None and "CollisionSystem" in offers:
        scenes = [({**case, "seconds": PATIENCE * limits.seconds}, due) for case, due in _scenes()]
        done = execute(path, [case for case, _ in scenes], limits)
        for k, scene in enumerate(scenes):
            verdict = _judge_scene([scene, *scenes[k + 1:]], done._replace(answers=done.answers[k:]), offers)
            if verdict is not None:
                verdict = _judge_alone(verdict, path, scene, offers, limits) if k and ": event " in verdict.stage else verdict
                break
    if verdict is None and not units and "CollisionSystem" not in offers:
        return _printed(Verdict(2, path, expected="methods as in the book, such as insert(item) and "
                                 "time_to_hit(that)", got="none that can be asked", notes=_absent(offers)), first)
    if verdict is None:
        roles = [role for role in ("Particle", "MinPQ", "Event", "CollisionSystem") if role in offers]
        verdict = Verdict(0, f"{', '.join(roles)}: {len(units)} cases"
                          + (f", {len(SCENES)} simulations" if "CollisionSystem" in offers else ""), notes=_absent(offers))
    return _printed(verdict, first if first.printed else done)


def _judge_alone(verdict: Verdict, path: str, scene: tuple[Case, list[Due]], offers: dict[str, Any], limits: Limits) -> Verdict:
    """The verdict on one of several simulations, after that simulation has been run in a process of its own."""
    alone = _judge_scene([scene], execute(path, [scene[0]], limits), offers)
    if alone is not None and alone.got == verdict.got:
        return verdict
    return verdict._replace(cause="run alone, this simulation gives something else: something of an earlier one is left over, in a global "
                                  "variable, in the class (not self), or in a default argument")


def _is_offered(case: Case, offers: dict[str, Any]) -> bool:
    op = case["op"]
    if op in ("make", "apart"):
        return "Particle" in offers and bool(op == "make" or offers["Particle"]["bounce_off_vertical_wall"])
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

def _endless(stage: str, line: str, case: Case, answer: Case) -> Verdict:
    time, beyond = answer["time"], answer["time"] is not None and answer["time"] > case["limit"]
    cause = ("what goes on beyond the limit? The next redraw is for t < limit only" if beyond else
             "a loop that never ends: does the time advance (an event holds t + dt), is a stale event put back into the queue, is each "
             "redraw at a later time than the last one? Or a slow program: --seconds gives it longer")
    return Verdict(1, stage, line, "an end", "a simulation without end" + (
        f": at t = {time:.6g} it goes on" if beyond else f": stopped after {case['seconds']:g} s" + (
            f" at t = {time:.6g}" if time is not None else "")), cause)


def _broken(done: Execution, stage: str, case: str) -> Verdict:
    """The verdict on a program that raised an error in loading, or did not come to its end."""
    if done.failure:
        return _raised(done.failure, stage, case, "a file that can be loaded")
    cause = "a loop whose condition stays true?" if "did not end" in done.stopped else "a print in a loop?"
    if "SIG" in done.stopped:
        cause = "memory, or recursion without end?"
    elif "status" in done.stopped:
        cause = "the program ends itself (os._exit, or the like)"
    elif stage.startswith("the file"):
        cause = MAIN
    return Verdict(1, stage, case, "an answer", f"the program {done.stopped}", cause)


def _raised(failure: Case, stage: str, case: str, expected: str, cause: str = "") -> Verdict:
    where = f" (line {failure['line']} of the file)" if failure["line"] else ""
    loading = expected == "a file that can be loaded"
    usual = {"MemoryError": "more memory than the limit: a list or a queue that grows without end?",
             "RecursionError": "a function that calls itself without end",
             "EOFError": "the program waits for input, and there is none" + (f"; {MAIN}" if loading else ""),
             "SystemExit": "the program ends itself (sys.exit)" + (f"; {MAIN}" if loading else ": simulate must return"),
             "ModuleNotFoundError": "that module is neither installed for this Python nor beside the file; what only draws can be left out "
                                    "of the file, or imported where it draws",
             "SyntaxError": "Python cannot read that line, or the one above it is not complete; programs in other languages are held "
                            "against the engine by their event logs (--log)",
             "TypeError": "the method takes other arguments than in the book, or self is missing" if not failure["line"] else ""}
    if "'NoneType' object" in failure["message"]:
        usual[failure["error"]] = "something is None here: at a wall an event has one disc only, and at a redraw none"
    plain = f"the program crashes while it is loaded, see that line; {MAIN}" if loading else "the program crashes here; see that line"
    message = f": {failure['message']}" if failure["message"] else ""
    return Verdict(1, stage, case, expected, f"{failure['error']}{message}{where}",
                   cause or usual.get(failure["error"]) or plain)


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
    role, name = {"queue": ("MinPQ", "del_min"), "order": ("Event", "compare"), "valid": ("Event", "is_valid"),
                  "apart": ("Particle", "bounce_off_vertical_wall")}.get(op, ("Particle", op))
    if op == "make":
        return f"a new {offers[role]['name']}"
    return f"{offers[role]['name']}.{offers[role][name]}"


def _line(case: Case, offers: dict[str, Any]) -> str:
    """The case as a line of the program."""
    op = case["op"]
    if op == "queue" and case.get("two"):
        new, insert, delete = (offers["MinPQ"][name] for name in ("name", "insert", "del_min"))
        return f"p = {new}(); q = {new}(); q.{insert}(3); p.{insert}(2); q.{insert}(5); p.{insert}(4); q.{delete}(); q.{delete}()"
    if op == "queue":
        names = offers["MinPQ"]
        steps = [f"q.{names['del_min']}()" if x is None else f"q.{names['insert']}({number(x)})" for x in case["steps"][:90]]
        return f"q = {names['name']}(); " + "; ".join(steps)
    if op == "order":
        first, second = (f"Event({number(time)}, None, None)" for time in case["times"])
        name = offers["Event"]["compare"]
        return f"{first} < {second}" if name in ("__lt__", "__gt__") else f"{first}.{name}({second})"
    discs = _made(case, offers)
    if op in ("make", "apart"):
        return f"a = {discs[0]}; b = {discs[1]}" + (f"; a.{offers['Particle']['bounce_off_vertical_wall']}()" if op == "apart" else "")
    if op == "valid" and "alone" in case:
        name, places = "ab"[case["alone"]], ("a, None", "None, b")[case["alone"]]
        return (f"{name} = {discs[case['alone']]}; e = Event(1.0, {places}); "
                f"{name}.{offers['Particle']['bounce_off_vertical_wall']}(); e.{offers['Event']['is_valid']}()")
    if op == "valid":
        return (f"a, b = {discs[0]}, {discs[1]}; e = Event(1.0, a, b); "
                f"{'ab'[case['bounced']]}.{offers['Particle']['bounce_off_vertical_wall']}(); e.{offers['Event']['is_valid']}()")
    arguments = number(case["argument"]) if "argument" in case else ", ".join(discs[1:])
    name = offers["Particle"][op]
    if op.startswith("time"):
        return f"{discs[0]}.{name}({arguments})"
    return f"a = {discs[0]}; " + (f"b = {discs[1]}; a.{name}(b)" if len(discs) > 1 else f"a.{name}({arguments})")


def _made(case: Case, offers: dict[str, Any]) -> list[str]:
    """The discs of a case, as the program makes them."""
    order, more = offers["order"] or (range(6), 0)
    colors = ["(0, 0, 0)"] if more == 1 else ["0"] * more
    return [f"Particle({', '.join([*(number(disc[k]) for k in order), *colors])})" for disc in case["discs"]]


def _is_error(answer: Any) -> bool:
    return isinstance(answer, dict) and "error" in answer


def _judge_particle(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    for case, answer in pairs:
        discs = [Disc(*row) for row in case["discs"]]
        if _is_error(answer):
            cause = _crash(op, discs, answer)
            return _raised(answer, stage, _line(case, offers), "an answer", cause)
    if op in ("make", "apart"):
        return (_judge_made if op == "make" else _judge_apart)(*pairs[0], offers) if pairs else None
    if op.startswith("time"):
        return _judge_times(op, pairs, offers)
    return _judge_states(op, pairs, offers)


def _judge_made(case: Case, answer: Any, offers: dict[str, Any]) -> Verdict | None:
    """Do new discs show what they were given, as far as they show it, and does each have its own?"""
    for given, numbers in zip(case["discs"], answer):
        wrong = [k for k, x in enumerate(numbers) if x is not None and not _near(given[k], x)]
        if wrong:
            cause = "radius and mass are mixed up: the constructor takes rx, ry, vx, vy, radius, mass" if set(wrong) <= {4, 5} and all(
                _near(given[9 - k], numbers[k]) for k in wrong) else "the constructor must keep each number as it is, in rx, ry, vx, vy, " \
                "radius, mass, and for each disc its own (in self)"
            return Verdict(1, _stage("make", offers), _line(case, offers), _numbers(given), _numbers(numbers), cause)
    return None


def _judge_apart(case: Case, answer: Any, offers: dict[str, Any]) -> Verdict | None:
    return Verdict(1, _stage("apart", offers), _line(case, offers), "b's count stays as it is", f"b's count grows by {number(answer)}",
                   "all discs share one count: it must belong to the disc (self.count = 0 in __init__, and self.count += 1)"
                   ) if answer else None


def _numbers(disc: Sequence[float | None]) -> str:
    names = ("rx", "ry", "vx", "vy", "radius", "mass")
    return ", ".join(f"{name} = {number(x)}" for name, x in zip(names, disc) if x is not None)


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
            return Verdict(1, _stage(op, offers), _line(case, offers), "the same number each time",
                           f"{_shown(answer)}, and when asked again {_shown(again)}", "asking for a time changes something; it must only compute")
    pairs = [(case, answer) for case, (answer, _) in pairs]
    # In the book never is infinity. Who returns one and the same negative number means never; who returns several has
    # forgotten a test, unless the assignment asks for them, with its other names.
    assignment = str(offers["Particle"][op]).startswith("collides")
    truths = [_truth(op, case) for case, _ in pairs]
    negative = {answer for (_, answer), truth in zip(pairs, truths) if truth == math.inf and isinstance(answer, float) and answer < -1e-9}
    accepted = assignment or len(negative) <= 1
    right = [_is_never(answer) and (accepted or answer is None or not -NEVER < answer < 0) if truth == math.inf else _near(truth, answer)
             for (_, answer), truth in zip(pairs, truths)]
    if all(right):
        return None
    first = right.index(False)
    (case, answer), truth = pairs[first], truths[first]
    table = faults.PAIR_TIME if op == "time_to_hit" else faults.WALL_TIME
    cause = _time_cause(pairs, truths, first) or _cause(table, pairs, right, lambda discs, a, fault: _alike(formula(discs, fault), a))
    return Verdict(1, _stage(op, offers), _line(case, offers), number(truth), _shown(answer), cause or UNKNOWN)


def _shown(answer: Any) -> str:
    if isinstance(answer, dict):
        return str(answer["odd"])
    return "nothing (None)" if answer is None else number(answer)


def _time_cause(pairs: list[tuple[Case, Any]], truths: list[float], first: int) -> str:
    """What is wrong with the answers as such, or with how they are rounded; "" if nothing."""
    answer, nevers = pairs[first][1], {str(a) for (_, a), t in zip(pairs, truths) if t == math.inf}
    if isinstance(answer, dict):
        return ("the square root of a negative number: d < 0 means that the discs miss each other; test it before the root"
                if "complex" in answer["odd"] else "a time is a number: not a text, not a list, not a truth value")
    if answer is None:
        return "" if nevers == {"None"} else "nothing is returned: a return is missing"
    if math.isnan(answer):
        return "" if nevers == {"nan"} else NAN
    if truths[first] == math.inf:
        return "never must be infinity (or, with the names of the assignment, negative): no number that could be a time" \
            if len(nevers) == 1 and len(truths) > 1 and answer >= 0 else ""
    if _is_never(answer):
        return ""
    numbers = [(a, t) for (_, a), t in zip(pairs, truths) if isinstance(a, float) and math.isfinite(t) and math.isfinite(a)]
    for places in range(1, 7):
        if all(abs(round(t, places) - a) < 1e-12 for a, t in numbers):
            return f"the time is rounded to {places} decimals: keep it as it is"
    if all(abs(a - t) <= 1e-4 * max(1.0, t) for a, t in numbers):
        return SINGLE
    return ""


def _alike(made: float, answer: Any) -> bool:
    return _is_never(answer) if made == math.inf else _near(made, answer)


def _truth(op: str, case: Case) -> float:
    """What the compiled engine's Particle says."""
    discs = [Particle(*disc) for disc in case["discs"]]
    return float(getattr(discs[0], op)(*discs[1:]))


def _cause(table: dict[str, str], pairs: list[tuple[Case, Any]], right: Sequence[bool],
           explains: Callable[[list[Disc], Any, str], bool]) -> str:
    """The words for the error that gives all these answers, or at least the first wrong one and all but a few: those that
    another, smaller error changes. A wrong number must be among what it gives; else ""."""
    best, answer_words = len(pairs) - max(len(pairs) // 12, 1), ""
    first = list(right).index(False)
    for fault, text in table.items():
        alike = [explains([Disc(*disc) for disc in case["discs"]], answer, fault) for case, answer in pairs]
        told = all(alike) or any(a and not r and not _is_never(answer) for a, r, (_, answer) in zip(alike, right, pairs))
        if alike[first] and told and sum(alike) >= best + bool(answer_words):
            best, answer_words = sum(alike), text
    return answer_words


def _judge_states(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    truths = [_moved(op, case) for case, _ in pairs]
    wrong = []
    for (case, answer), truth in zip(pairs, truths):
        if any(value is None for state in answer for value in state[:4]):
            return Verdict(2, stage, _line(case, offers), "a Particle that shows rx, ry, vx and vy", "one that does not")
        size = max(1.0, *(abs(x) for state in truth for x in state))
        wrong.append([k for k in range(4) if any(not abs(t[k] - a[k]) <= CLOSE * size for t, a in zip(truth, answer))])
    for k, (case, answer) in enumerate(pairs):
        line = _line(case, offers)
        if wrong[k]:
            cause = _state_cause(op, pairs, k, wrong)
            if all(abs(t[i] - a[i]) <= 1e-4 for truth, (_, states) in zip(truths, pairs) for t, a in zip(truth, states) for i in range(4)):
                cause = SINGLE
            return Verdict(1, stage, line, _states(op, truths[k]), _states(op, answer), cause)
        cause = _count_cause(op, answer)
        if cause:
            return Verdict(1, stage, line, f"each disc's count grows by {0 if op == 'move' else 1}",
                           f"by {' and '.join(number(state[4]) for state in answer)}", cause)
    return None


def _moved(op: str, case: Case) -> list[list[float]]:
    """What the compiled engine's discs are after it."""
    discs = [Particle(*disc) for disc in case["discs"]]
    getattr(discs[0], op)(*([case["argument"]] if "argument" in case else discs[1:]))
    return [[disc.rx, disc.ry, disc.vx, disc.vy] for disc in discs]


def _states(op: str, states: Sequence[Sequence[float]]) -> str:
    if op == "move":
        return f"(rx, ry) = ({states[0][0]:.10g}, {states[0][1]:.10g}), (vx, vy) = ({states[0][2]:.10g}, {states[0][3]:.10g})"
    return " and ".join(f"(vx, vy) = ({state[2]:.10g}, {state[3]:.10g})" for state in states)


def _state_cause(op: str, pairs: list[tuple[Case, Any]], first: int, wrong: list[list[int]]) -> str:
    case, answer = pairs[first]
    right = [not k for k in wrong]
    if any(math.isnan(x) for state in answer for x in state[:4]):
        return NAN
    if op == "move":
        if max(wrong[first]) > 1:
            return "move changes the velocity; it must change the position alone"
        return _cause(faults.MOVE, pairs, right, lambda discs, a, fault: _match(
            faults.move(discs[0], next(c["argument"] for c, b in pairs if b is a), fault), a[0][:2])) or UNKNOWN
    if min(wrong[first]) < 2:
        return "the disc's position changes; a collision changes velocities alone, the discs have been moved before"
    if op != "bounce_off":
        axis = int(op == "bounce_off_horizontal_wall")
        factors = {round(-a[0][2 + axis] / c["discs"][0][2 + axis], 9) for c, a in pairs if c["discs"][0][2 + axis]}
        if len(factors) == 1 and min(factors) > 0:
            return f"the speed is multiplied by {number(min(factors))}: the bounce is elastic, the velocity is reversed and keeps its size"
        return _cause(faults.WALL_BOUNCE, pairs, right, lambda discs, a, fault: _match(
            faults.wall_bounce(discs[0], axis, fault), a[0][2:4])) or UNKNOWN
    cause = _cause(faults.BOUNCE, pairs, right, lambda discs, a, fault: _match(
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
                at_wall = "an event at a wall has no other disc, and is valid as long as its one disc has not bounced"
                cause = (at_wall if "alone" in case else
                         "an event that has just been made is not valid: compare with the counts at that time" if not answer[0] else
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

def _judge_queue(op: str, pairs: list[tuple[Case, Any]], offers: dict[str, Any]) -> Verdict | None:
    stage = _stage(op, offers)
    for case, answer in pairs:
        line = _line(case, offers)
        if case.get("empty"):
            return _judge_empty(stage, line, answer)
        if case.get("two"):
            if _is_error(answer) or [deleted for deleted, _, _ in answer][2:] != [3.0, 5.0]:
                got = f"{answer['error']}: {answer['message']}" if _is_error(answer) else " and ".join(_shown(row[0]) for row in answer[2:])
                return Verdict(1, stage, line, "3 and 5 from q", got, "two queues share their items: a list in the class, or as a default "
                               "argument, belongs to all of them; make it in __init__")
            continue
        if _is_error(answer):
            cause = _queue_crash(pairs, case)
            return _raised(answer, stage, line, "the items in ascending order", cause)
        truth = queues.deletes(case["steps"], queues.right)
        deleted = [row[0] for row in answer]
        if deleted != truth:
            return _queue_differs(stage, line, pairs, case, truth, deleted)
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
        return Verdict(1, stage, line, "an error: there is nothing to delete", _shown(deleted),
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
        cause = next((text for queue, text in queues.QUEUES if _same_queue(queue, pairs)), "")
        here = [x for x in case["steps"][:k + 1] if x is not None]
        if got[k] is None:
            cause = "nothing is returned: a return is missing"
        elif not cause and got[k] not in here:
            cause = "that item was never inserted: items must stay as they are"
        elif not cause and [g for g in got[:k + 1] if g is not None].count(got[k]) > here.count(got[k]):
            cause = "an item comes out that has been deleted: n must shrink before sink, and sink must not look beyond n"
        cause = cause or "this is no heap: what is deleted must be the least item; see swim and sink, or the comparison"
    deletes = sum(step is None for step in case["steps"][:k + 1])
    return Verdict(1, stage, line, f"{number(truth[k] or 0)} from deletion {deletes}", _shown(got[k]), cause)


def _same_queue(queue: queues.Queue, pairs: list[tuple[Case, Any]]) -> bool:
    return all(queues.deletes(case["steps"], queue) == [row[0] for row in answer]
               for case, answer in pairs if not _is_error(answer) and not case.get("empty") and not case.get("two"))


# CollisionSystem

@functools.cache
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


def _judge_scene(scenes: Sequence[tuple[Case, list[Due]]], done: Execution, offers: dict[str, Any]) -> Verdict | None:
    """The verdict on the first of the simulations; the others may tell which error it is."""
    case, due = scenes[0]
    system = offers["CollisionSystem"]
    stage = f"{system['name']}.{system['simulate']} on {case['name']}"
    line = f"{system['name']}(particles).{system['simulate']}({number(case['limit'])})"
    if case["name"] in OWN or len(case["discs"]) == 2:
        line = line.replace("particles", f"[{', '.join(_made(case, offers))}]")
    if not done.answers:
        return _broken(done, stage, line)
    answer = done.answers[0]
    if _is_error(answer):
        cause = "events are compared by <, which yours do not have: give Event __lt__ (a queue of tuples needs it where times are equal)" \
            if answer["error"] == "TypeError" and "'<'" in answer["message"] else ""
        return _raised(answer, stage, line, "a simulation", cause)
    if not answer["log"]:
        return _endless(stage, line, case, answer) if answer["endless"] else _judge_end(stage, line, case, due, answer)
    evidence = _evidence(case, answer)
    # After the last contact that is due, a system may go on: it may know no limit.
    difference, met = first_difference(due, evidence.seen)
    state = _state_difference(answer["log"], met)
    if state is not None and (difference is None or state < difference.number):
        return _state_verdict(stage, line, evidence, answer["log"][state - 1], met[state - 1], state)
    if difference is None or difference.expected is None:
        return _endless(stage, line, case, answer) if answer["endless"] else None
    if answer["endless"] and difference.got is None:
        return _endless(f"{stage}, after event {len(evidence.seen)}", line, case, answer)
    more = [_evidence(c, a) for (c, _), a in zip(scenes[1:], done.answers[1:]) if not _is_error(a)]
    cause = suspicion(evidence, difference, "loop", more=more) or strange(evidence.seen, difference) or UNKNOWN
    got = words(difference.got) if difference.got else "no more events"
    return Verdict(1, f"{stage}: event {difference.number}", line, words(difference.expected), got, cause)


def _evidence(case: Case, answer: Case) -> Evidence:
    return Evidence([Disc(*disc) for disc in case["discs"]], [_seen(row) for row in answer["log"]], case["limit"])


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


def _state_verdict(stage: str, line: str, evidence: Evidence, row: list[Any], due: Due, k: int) -> Verdict:
    got = " and ".join(f"({', '.join(f'{x:.6g}' for x in state[:4])})" for _, state in sorted(zip(row[1], row[4])))
    expected = " and ".join(f"({', '.join(f'{x:.6g}' for x in truth)})" for truth in due.after)
    states = [tuple(state[:4]) for _, state in sorted(zip(row[1], row[4]))]
    cause = suspicion(evidence, Difference(k, due, evidence.seen[k - 1]), "loop", states)
    right = "all discs must be moved to the time of the event before it is executed, and only by move"
    return Verdict(1, f"{stage}: event {k}, {words(due)}", line, f"(rx, ry, vx, vy) = {expected} after it", got, cause or right)


def _judge_end(stage: str, line: str, case: Case, due: list[Due], answer: Case) -> Verdict | None:
    """A system that does not bounce discs by their own methods can be judged by how it leaves them."""
    if [state[:4] for state in answer["end"]] == [disc[:4] for disc in case["discs"]] and (answer["time"] or 0.0) > 0:
        return Verdict(2, stage, line, "a system that moves the discs that it is given",
                       f"one whose time is {number(answer['time'])}, and whose discs are as they were",
                       "where a system keeps arrays of its own, it must give the discs their positions and velocities when simulate ends")
    system = CollisionSystem([Particle(*disc) for disc in case["discs"]])
    system.simulate(case["limit"])
    for k, (state, disc) in enumerate(zip(answer["end"], system)):
        slack = 1e-5 + abs(case["limit"] - due[-1].time)      # it may stop at its last event, or at the limit
        speed = math.hypot(disc.vx, disc.vy)
        if None in state[:4] or math.hypot(state[2] - disc.vx, state[3] - disc.vy) > 1e-5 * max(speed, 1e-3) or (
                math.hypot(state[0] - disc.rx, state[1] - disc.ry) > 1e-5 + slack * speed):
            if state[:4] == case["discs"][k][:4]:
                cause = "nothing happens at all: is anything in the queue when simulate begins, does its loop begin, does an except hide " \
                    "what is wrong?"
            elif state[2:4] == case["discs"][k][2:4]:
                cause = "the discs move, and none bounces: all discs must be predicted before the loop begins"
            else:
                cause = "no disc was asked to bounce, so that events cannot be compared one by one"
            return Verdict(1, stage, line, f"disc {k} ends with (rx, ry, vx, vy) = ({disc.rx:.6g}, {disc.ry:.6g}, {disc.vx:.6g}, "
                           f"{disc.vy:.6g})", f"({', '.join(f'{x:.6g}' for x in state[:4])})" if None not in state[:4] else "hidden", cause)
    return None
