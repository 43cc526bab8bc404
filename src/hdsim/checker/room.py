"""The box of a program whose discs tell no times to the walls: it is learnt from where single discs turn round."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .forms import wall_of
from .process import Limits, execute
from .wording import Case, _is_error

# Three discs for each direction, of other radii and speeds: only walls that all of them show are those of the program.
DISCS = [[.5, .5, sign * vx, sign * vy, radius, 1.] for sign in (1, -1)
         for vx, vy, radius in ((8., 6., .0625), (5., 11., .125), (7., 9., .03125))]
EVENTS, LIMIT, FIRST, FACTOR, AT_ONCE = 8, 2000.0, 0.01, 1.3, 12
SECONDS = 1.0       # of each simulation, if the limits allow as much
SAME = 1e-7


def walls_of(path: str, limits: Limits) -> list[list[float]] | None:
    """[left, right] and [bottom, top] as simulations of single discs show them, None if they show no box."""
    seconds = min(SECONDS, limits.seconds / 8)
    cases = [_case(disc, LIMIT, seconds) for disc in DISCS]
    done = execute(path, cases, limits)
    walls = _consistent(cases, done.answers, _turned)
    if walls or any(not _is_error(answer) and answer.get("moves") for answer in done.answers):
        return walls or None
    # Discs that the main loop moves and turns by itself: where they are at more and more times.
    answers: list[Any] = []
    cases, time = [], FIRST
    while time < LIMIT and walls is None and not done.stopped:
        more = [_case(disc, time * FACTOR**k, seconds) for k in range(AT_ONCE) for disc in DISCS]
        done = execute(path, more, limits)
        cases, answers, time = [*cases, *more[:len(done.answers)]], [*answers, *done.answers], time * FACTOR**AT_ONCE
        guesses = [_consistent(cases, answers, functools.partial(_mirrored, guess)) for guess in range(3)]
        walls = next(filter(None, guesses), [] if [] in guesses else None)
    return walls or None


def _case(disc: list[float], limit: float, seconds: float) -> Case:
    return {"op": "system", "name": "one disc", "discs": [disc], "size": [1.0, 1.0], "limit": limit, "events_max": EVENTS,
            "seconds": seconds}


def _consistent(cases: Sequence[Case], answers: Sequence[Any],
                shown: Callable[[Case, Case, int], list[tuple[bool, float]]]) -> list[list[float]] | None:
    """The walls that all discs show, by the first of its simulations in which a disc shows a wall at all; None if not all have
    shown their walls, [] if they show others."""
    box: list[list[float]] = []
    for axis in (0, 1):
        found: dict[tuple[bool, int], tuple[float, float]] = {}
        for case, answer in zip(cases, answers):
            if not _is_error(answer) and "unknown" not in answer:
                disc = case["discs"][0]
                for forwards, centre in shown(case, answer, axis):
                    found.setdefault((forwards, DISCS.index(disc)), (centre, disc[4]))
        sides = [[place for (towards, _), place in found.items() if towards == far] for far in (False, True)]
        if any(len(places) < len(DISCS) // 2 for places in sides):
            return None
        walls = [wall_of(places, far, SAME) for far, places in zip((False, True), sides)]
        if walls[0] is None or walls[1] is None or walls[1] <= walls[0]:
            return []
        box.append([_rounded(wall) for wall in walls if wall is not None])
    return box


def _rounded(wall: float) -> float:
    """The number with the fewest digits that is the same within the accuracy of this search."""
    return next((r for places in range(7) if abs((r := round(wall, places)) - wall) <= SAME * max(1.0, abs(wall))), wall) + 0.0


def _turned(case: Case, answer: Case, axis: int) -> list[tuple[bool, float]]:
    """Where the centre of the disc was when it was seen to turn along an axis, each with whether it moved to the right or up."""
    found = []
    for _, _, _, before, after in answer["log"] if answer["moves"] else []:
        old, place, new = before[0][2 + axis], after[0][axis], after[0][2 + axis]
        if None not in (old, place, new) and new == -old:
            found.append((old > 0, place))
    return found


def _mirrored(guess: int, case: Case, answer: Case, axis: int) -> list[tuple[bool, float]]:
    """Where the disc has turned along an axis, by where it ends: as far before that place as it would be beyond."""
    disc, ends = case["discs"][0], answer["final"]
    if guess >= len(ends):
        return []
    (time, end), v = ends[guess][0], disc[2 + axis]
    if None in end[:4] or end[2 + axis] != -v:
        return []
    return [(v > 0, (end[axis] + disc[axis] + v * time) / 2)]
