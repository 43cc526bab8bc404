"""A student's CollisionSystem compared with the engine, contact by contact."""
from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

from .._core import Particle
from ..starts.sources import load
from ..system import CollisionSystem
from .endings import _broken, _endless, _raised
from .faults import Disc
from .log import Evidence, strange, suspicion, words
from .loops import Seen
from .process import Execution
from .reference import Difference, Due, discs_of, first_difference, reference
from .verdict import UNKNOWN, Verdict, number
from .wording import Case, _is_error, _made

# Data sets and numbers of contacts to compare. Larger ones would take too long in a Python loop.
SCENES = (("two discs", 8), ("six discs", 40), ("two-head-on", 8), ("two-oblique", 12), ("p10", 30), ("squeeze", 30),
          ("p100-2K", 40))
OWN = {"two discs": [[.3, .4, .5, .1, .05, 1.], [.7, .45, -.3, .2, .1, 2.]], "six discs": [
    [.2, .2, .5, .3, .05, 1.], [.5, .3, -.4, .6, .08, 3.], [.8, .2, .3, -.7, .03, .5], [.3, .7, -.6, -.2, .1, 5.],
           [.7, .7, .2, .5, .06, 2.], [.5, .55, -.1, -.9, .04, .8]]}
EXTRA = 10          # a simulation is stopped after so many contacts more than are due
SCENE_SHARE = 0.5   # a simulation is stopped after this share of the time limit, so that its events can still be judged


@functools.cache
def _scenes() -> list[tuple[Case, list[Due]]]:
    """The cases for a CollisionSystem, each with the contacts that must happen."""
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
    """The verdict on the first simulation; the others serve to identify the error."""
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
        cause = "events are compared by <, which yours do not have: give Event __lt__ (a queue of tuples needs it where times " \
            "are equal)" if answer["error"] == "TypeError" and "'<'" in answer["message"] else ""
        return _raised(answer, stage, line, "a simulation", cause)
    if not answer["log"]:
        return _endless(stage, line, case, answer) if answer["endless"] else _judge_end(stage, line, case, due, answer)
    evidence = _evidence(case, answer)
    # A system may continue after the last contact that is due, because it may have no time limit.
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
    """The number of the first event after which one of its discs has a wrong position or velocity; None if there is none."""
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
    """The verdict by the final states of the discs, for a system that does not call the bounce methods of the discs."""
    if [state[:4] for state in answer["end"]] == [disc[:4] for disc in case["discs"]] and (answer["time"] or 0.0) > 0:
        return Verdict(2, stage, line, "a system that moves the discs that it is given",
                       f"one whose time is {number(answer['time'])}, and whose discs are as they were",
                       "where a system keeps arrays of its own, it must give the discs their positions and velocities when "
                       "simulate ends")
    system = CollisionSystem([Particle(*disc) for disc in case["discs"]])
    system.simulate(case["limit"])
    for k, (state, disc) in enumerate(zip(answer["end"], system)):
        slack = 1e-5 + abs(case["limit"] - due[-1].time)      # it may stop at its last event, or at the limit
        speed = math.hypot(disc.vx, disc.vy)
        if None in state[:4] or math.hypot(state[2] - disc.vx, state[3] - disc.vy) > 1e-5 * max(speed, 1e-3) or (
                math.hypot(state[0] - disc.rx, state[1] - disc.ry) > 1e-5 + slack * speed):
            if state[:4] == case["discs"][k][:4]:
                cause = "nothing happens at all: is anything in the queue when simulate begins, does its loop begin, does an " \
                    "except hide what is wrong?"
            elif state[2:4] == case["discs"][k][2:4]:
                cause = "the discs move, and none bounces: all discs must be predicted before the loop begins"
            else:
                cause = "no disc was asked to bounce, so that events cannot be compared one by one"
            return Verdict(1, stage, line, f"disc {k} ends with (rx, ry, vx, vy) = ({disc.rx:.6g}, {disc.ry:.6g}, {disc.vx:.6g}, "
                           f"{disc.vy:.6g})",
                           f"({', '.join(f'{x:.6g}' for x in state[:4])})" if None not in state[:4] else "hidden", cause)
    return None
