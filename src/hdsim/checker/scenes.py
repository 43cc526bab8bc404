"""A student's CollisionSystem compared with the engine, contact by contact."""
from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

from .._core import Particle
from ..language import tr
from ..model.box import Box
from ..starts.sources import load
from ..system import CollisionSystem
from .endings import _broken, _endless, _raised
from .faults import Disc
from .frames import Frame
from .final import End, ending
from .log import Evidence, strange, suspicion, words
from .loops import Seen
from .process import Execution
from .turned import rows_of
from .reference import Difference, Due, discs_of, first_difference, reference
from .verdict import UNKNOWN, Verdict, number
from .wording import Case, _is_error, _made, _unordered

# Data sets and numbers of contacts to compare. Larger ones would take too long in a Python loop.
SCENES = (("two discs", 8), ("six discs", 40), ("two-head-on", 8), ("two-oblique", 12), ("p10", 30), ("squeeze", 30),
          ("p100-2K", 40))
OWN = {"two discs": [[.3, .4, .5, .1, .05, 1.], [.7, .45, -.3, .2, .1, 2.]], "six discs": [
    [.2, .2, .5, .3, .05, 1.], [.5, .3, -.4, .6, .08, 3.], [.8, .2, .3, -.7, .03, .5], [.3, .7, -.6, -.2, .1, 5.],
           [.7, .7, .2, .5, .06, 2.], [.5, .55, -.1, -.9, .04, .8]]}
UNSURE = "single discs do not turn round where they touch the walls of one box, whatever their radius: see how walls are " \
         "predicted, and whether stale events are skipped"
MANY = 100          # discs of a simulation that a right program may be too slow for
EXTRA = 10          # a simulation is stopped after so many contacts more than are due
SCENE_SHARE = 0.5   # a simulation is stopped after this share of the time limit, so that its events can still be judged


@functools.cache
def _scenes(frame: Frame = Frame()) -> list[tuple[Case, list[Due]]]:
    """The cases for a CollisionSystem, each with the contacts that must happen."""
    scenes = []
    for name, count in SCENES:
        discs = OWN[name] if name in OWN else [list(disc) for disc in discs_of(load(name))]
        if frame.equal and any(disc[4:6] != discs[0][4:6] for disc in discs):
            continue
        system = _system(discs, frame.box)
        due = reference(system, count + 1).due
        while due[-1].time - due[-2].time < 1e-6 * due[-1].time:
            due.pop()
        limit = (due[-1].time + due[-2].time) / 2
        scenes.append(({"op": "system", "name": name, "discs": discs, "shown": [frame.disc(disc) for disc in discs],
                        "box": frame.box, "size": frame.size, "sure": frame.sure, "limit": limit,
                        "events_max": count + EXTRA}, due[:-1]))
    return scenes


def _system(discs: list[list[float]], box: list[float]) -> CollisionSystem:
    return CollisionSystem([Particle(*Disc(*disc)) for disc in discs], box=Box(box[0], box[1]))


def _judge_scene(scenes: Sequence[tuple[Case, list[Due]]], done: Execution, offers: dict[str, Any]) -> Verdict | None:
    """The verdict on the first simulation; the others serve to identify the error."""
    case, due = scenes[0]
    system = offers["CollisionSystem"]
    stage = tr("{method} on {name}", method=f"{system['name']}.{system['simulate']}",
               name=tr(case["name"]) if case["name"] in OWN else case["name"])
    line = _call(case, offers)
    if not done.answers:
        return _broken(done, stage, line)
    answer = done.answers[0]
    if "unknown" in answer:
        got = tr("other parameters than the checker knows: {names}", names=answer["unknown"])
        return Verdict(2, stage, expected=f"{system['name']}(particles), {system['simulate']}(limit)",
                       got=got if answer["unknown"] else tr("no parameter for the discs, and no add(particle)"))
    if _is_error(answer) and offers["lent"] and answer["error"] == "AttributeError" and "'Particle' object" in answer["message"]:
        return Verdict(2, stage, line, tr("a class Particle in the file, or a system for the book's"),
                       f"{answer['error']}: {answer['message']}",
                       tr("the file has no class Particle that the checker knows, and its system cannot work with the book's"))
    if _is_error(answer):
        cause = _unordered(answer["message"], [*offers["classes"], "Particle"]) if answer["error"] == "TypeError" else ""
        return _raised(answer, stage, line, tr("a simulation"), cause)
    if not answer["endless"] and _wrong_end(case, due, answer) is None:
        return None         # however the program has done it
    if not answer["log"] or (not answer["moves"] and any(row[0] == "turned" for row in answer["log"])):
        ends = [End([Disc(*disc) for disc in c["discs"]], c["limit"], c["box"], a["final"]) for (c, _), a in zip(
            scenes, done.answers) if not _is_error(a) and "unknown" not in a]
        return _judge_end(stage, line, case, due, answer, ends)
    more = [_evidence(c, a) for (c, _), a in zip(scenes[1:], done.answers[1:]) if not _is_error(a) and "unknown" not in a]
    return _judge_events(stage, line, case, due, answer, more)


def is_slow(case: Case, answer: Case) -> bool:
    """Whether a simulation of many discs, the last one of all, was stopped before its limit when its seconds were over, and had
    advanced."""
    return bool(len(case["discs"]) >= MANY and not _is_error(answer) and answer.get("endless") and not answer["unlimited"]
                and 0 < (answer["time"] or 0.0) <= case["limit"])


def _call(case: Case, offers: dict[str, Any]) -> str:
    """The simulation as a line of Python, with the discs if they are few; "particles" where they are not."""
    name, method = (offers["CollisionSystem"][key] for key in ("name", "simulate"))
    width, height = (number(x) for x in case["size"])
    call = offers.get("call") or f"{name}(particles).{method}(LIMIT)"
    line = call.replace("WIDTH", width).replace("HEIGHT", height).replace("LIMIT", number(case["limit"]))
    if case["name"] in OWN or len(case["discs"]) == 2:
        line = line.replace("particles", f"[{', '.join(_made(case, offers))}]")
    return line


def _judge_events(stage: str, line: str, case: Case, due: list[Due], answer: Case, more: list[Evidence]) -> Verdict | None:
    """The verdict by the contacts, one by one. A velocity that changes without a call is a contact, too."""
    evidence, rows = _evidence(case, answer), rows_of(answer["log"], case)
    # The methods have been checked; what the program does in its loop has not.
    table = "" if any(row[0] == "turned" for row in answer["log"]) else "loop"
    # A system may continue after the last contact that is due, because it may have no time limit.
    difference, met = first_difference(due, evidence.seen)
    state = _state_difference(rows, met)
    if state is not None and (difference is None or state < difference.number):
        return _state_verdict(stage, line, evidence, rows[state - 1], met[state - 1], state, table, case["sure"])
    if is_slow(case, answer) and (difference is None or difference.got is None):
        return None         # a program that is right so far, and compares all pairs at each event
    if difference is None or difference.expected is None:
        return _endless(stage, line, case, answer) if answer["endless"] and not answer["unlimited"] else None
    if answer["endless"] and difference.got is None:
        return _endless(tr("{stage}, after event {k}", stage=stage, k=len(evidence.seen)), line, case, answer)
    cause = suspicion(evidence, difference, table, more=more) if case["sure"] else ""
    if not cause and (difference.got is not None or (answer["time"] or 0.0) < difference.expected.time):
        cause = strange(evidence.seen, difference)
    got = words(difference.got) if difference.got else tr("no more events")
    return Verdict(1, tr("{stage}: event {k}", stage=stage, k=difference.number), line, words(difference.expected), got,
                   cause or tr(UNKNOWN if case["sure"] else UNSURE), event=difference.number)


def _evidence(case: Case, answer: Case) -> Evidence:
    return Evidence([Disc(*disc) for disc in case["discs"]], [_seen(row) for row in rows_of(answer["log"], case)], case["limit"],
                    box=case["box"])


def _seen(row: list[Any]) -> Seen:
    op, numbers, time, _, _ = row
    wall = {"bounce_off_vertical_wall": "v", "bounce_off_horizontal_wall": "h"}.get(op, "")
    return Seen(time, min(numbers), -1 if wall or op == "turned" else max(numbers), wall)


def _state_difference(log: list[Any], met: list[Due]) -> int | None:
    """The number of the first event after which one of its discs has a wrong position or velocity; None if there is none."""
    for k, (row, due) in enumerate(zip(log, met), 1):
        by_number = sorted(zip(row[1], row[4]))
        for (_, state), truth in zip(by_number, due.after):
            speed = max(math.hypot(*truth[2:]), 1e-3)
            if any(abs(s - t) > 1e-5 * (1.0 if j < 2 else speed) for j, (s, t) in enumerate(zip(state[:4], truth))):
                return k
    return None


def _state_verdict(stage: str, line: str, evidence: Evidence, row: list[Any], due: Due, k: int, table: str,
                   sure: bool) -> Verdict:
    got = tr(" and ").join(f"({', '.join(f'{x:.6g}' for x in state[:4])})" for _, state in sorted(zip(row[1], row[4])))
    expected = tr(" and ").join(f"({', '.join(f'{x:.6g}' for x in truth)})" for truth in due.after)
    states = [tuple(state[:4]) for _, state in sorted(zip(row[1], row[4]))]
    cause = suspicion(evidence, Difference(k, due, evidence.seen[k - 1]), table, states) if sure else tr(UNSURE)
    right = tr(UNKNOWN)
    if table:
        right = tr("all discs must be moved to the time of the event before it is executed, and only by move")
    return Verdict(1, tr("{stage}: event {k}, {contact}", stage=stage, k=k, contact=words(due)), line,
                   tr("(rx, ry, vx, vy) = {states} after it", states=expected), got, cause or right, event=k)


def _wrong_end(case: Case, due: list[Due], answer: Case) -> int | None:
    """The first disc that is not where it must be at the time limit; None if all are.

    A program may stop at its last event, or at the limit, or go on: its discs are followed to the limit from each time at which
    they may be.
    """
    system = _system(case["discs"], case["box"])
    system.simulate(case["limit"])
    truth = [(disc.rx, disc.ry, disc.vx, disc.vy) for disc in system]
    guesses = [*answer["final"], *([] if answer["moves"] else [[[due[-1].time, end] for end in answer["end"]]])]
    wrong = [next((k for k, ((time, end), right) in enumerate(zip(guess, truth)) if not _is_there(
        end, right, case["limit"] - time)), None) for guess in guesses]
    return None if None in wrong else wrong[0]


def _is_there(end: list[Any], right: tuple[float, ...], dt: float) -> bool:
    """Whether a disc with the state `end` has the state `right` after dt."""
    if None in end[:4]:
        return False
    rx, ry, vx, vy = end[:4]
    speed = math.hypot(*right[2:])
    return (math.hypot(vx - right[2], vy - right[3]) <= 1e-5 * max(speed, 1e-3)
            and math.hypot(rx + vx * dt - right[0], ry + vy * dt - right[1]) <= 1e-5)


def _judge_end(stage: str, line: str, case: Case, due: list[Due], answer: Case, ends: Sequence[End]) -> Verdict | None:
    """The verdict by the final states of the discs, for a system whose contacts were not recorded one by one."""
    unchanged = [state[:4] for state in answer["end"]] == [disc[:4] for disc in case["discs"]]
    if is_slow(case, answer):
        return None
    if answer["endless"] and not answer["unlimited"]:
        return _endless(stage, line, case, answer)
    if answer["endless"]:
        return Verdict(2, stage, line, tr("simulate(limit), or a system that shows its time"),
                       tr("a simulation without end, whose time is not shown"),
                       tr("what is not bounced by the discs' methods is judged by their final states, so that there must be an "
                          "end: give simulate a time limit, or keep the time in self.t"))
    if unchanged and (answer["time"] or 0.0) > 0:
        return Verdict(2, stage, line, tr("a system that moves the discs that it is given"),
                       tr("one whose time is {time}, and whose discs are as they were", time=number(answer["time"])),
                       tr("where a system keeps arrays of its own, it must give the discs their positions and velocities when "
                          "simulate ends"))
    k = _wrong_end(case, due, answer)
    if k is None:
        return None
    system = _system(case["discs"], case["box"])
    system.simulate(case["limit"])
    disc, state = system[k], answer["end"][k]
    right, got = (f"({', '.join('hidden' if x is None else f'{x:.6g}' for x in numbers)})" for numbers in (
        (disc.rx, disc.ry, disc.vx, disc.vy), state[:4]))
    return Verdict(1, stage, line, tr("disc {k} ends with (rx, ry, vx, vy) = {state}", k=k, state=right), got,
                   _end_cause(case, answer, unchanged, ends))


def _end_cause(case: Case, answer: Case, unchanged: bool, ends: Sequence[End]) -> str:
    """The cause of wrong final states."""
    if unchanged:
        return tr("nothing happens at all: is anything in the queue when simulate begins, does its loop begin, does an except "
                  "hide what is wrong?")
    if not case["sure"]:
        return tr(UNSURE)
    if [state[2:4] for state in answer["end"]] == [disc[2:4] for disc in case["discs"]]:
        return tr("the discs move, and none bounces: all discs must be predicted before the loop begins")
    return ending(ends) or tr("its contacts are not executed by the discs' methods, so that they cannot be compared one by one")
