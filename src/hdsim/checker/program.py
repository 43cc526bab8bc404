"""Compares a student's program with the engine, first single methods, then whole simulations: `check_program`."""
from __future__ import annotations

import math
from collections import Counter
from typing import Any

from ..language import tr
from . import cases as asked
from .endings import _broken
from .frames import Frame, frame_of
from .min_queue import _judge_queue
from .particles import _judge_order, _judge_particle
from .process import Execution, Limits, execute
from .reference import Due
from .room import walls_of
from .scenes import SCENE_SHARE, _judge_scene, _scenes, is_slow
from .turned import rows_of
from .verdict import Verdict
from .wording import Case, _line, _stage


def check_program(path: str, limits: Limits = Limits()) -> Verdict:
    """The first difference between a student's Particle, MinPQ, Event or CollisionSystem and the engine.

    path: a Python file, which is run with the rights of the caller, in a separate process. OSError if the file cannot be read.
    ValueError if the limits are not positive and finite.
    """
    if not (0 < limits.seconds < math.inf and limits.megabytes > 0):
        raise ValueError(f"the limits are {limits.seconds} s and {limits.megabytes} MB; both must be positive and finite")
    units = [*asked.box_cases(), *asked.particle_cases(), *asked.queue_cases(), *asked.event_cases()]
    first = execute(path, units, limits)
    offers = first.offers
    if not offers:
        return _printed(_broken(first, tr("the file, when it is loaded"), "", loading=True), first)
    nothing = _nothing(path, offers)
    if nothing is not None:
        return _printed(nothing, first)
    frame = _frame(path, first, limits)
    if frame != Frame():
        units = [frame.case(case) for case in units]
        first = execute(path, units, limits)._replace(offers=offers)
    kept = [k for k, case in enumerate(units) if _is_offered(case, offers)]
    units = [units[k] for k in kept]
    done = first._replace(answers=[first.answers[k] for k in kept if k < len(first.answers)])
    verdict = _judge(units, done, offers)
    # A program may count its collisions elsewhere, in its loop: its simulations show whether they are counted.
    counted = verdict if verdict is not None and _judge(units, done, {**offers, "uncounted": True}) is None else None
    if "CollisionSystem" in offers and (verdict is None or counted is not None):
        verdict, done = _judge_scenes(path, offers, limits, frame)
        verdict = verdict if counted is None else counted if verdict is not None or not _counted(done, frame) else None
    if verdict is None and not units and "CollisionSystem" not in offers:
        return _printed(Verdict(2, path, expected=tr("methods as in the book, such as insert(item) and time_to_hit(that)"),
                                got=tr("none that can be asked"), notes=_absent(offers)), first)
    if verdict is None:
        roles = ", ".join(role for role in ("Particle", "MinPQ", "Event", "CollisionSystem") if role in offers)
        stage = (tr("{roles}: {n} case(s), {simulations} simulation(s)", roles=roles, n=len(units),
                    simulations=len(_scenes(frame)))
                 if "CollisionSystem" in offers else tr("{roles}: {n} case(s)", roles=roles, n=len(units)))
        verdict = Verdict(0, stage, notes=(*_absent(offers), *_slow(done, frame)))
    verdict = verdict._replace(notes=(*verdict.notes, *_framed(frame)))
    return _printed(verdict, first if first.printed else done)


def _nothing(path: str, offers: dict[str, Any]) -> Verdict | None:
    """The verdict on a program that has nothing to check, or discs that cannot be made; None for another one."""
    if not any(role in offers for role in ("Particle", "MinPQ", "CollisionSystem")):
        found = tr("none of them")
        if offers["classes"]:
            found = tr("none of them, but {classes}", classes=", ".join(offers["classes"][:6]))
        return Verdict(2, path, expected=tr("a class Particle, MinPQ or CollisionSystem"), got=found)
    unset = [name for name in offers["unset"] if name != "mass"]
    if unset:
        return Verdict(2, path, expected=tr("discs with given positions, velocities and radii"), got=tr(
            "a constructor without {names}, which cannot be set afterwards either", names=", ".join(unset)))
    return None


def _frame(path: str, first: Execution, limits: Limits) -> Frame:
    """The box of the program: by the times that its discs tell, or else by where single discs turn round."""
    frame = frame_of(first.offers, first.answers[0] if first.answers else None)
    if not frame.sure and "CollisionSystem" in first.offers:
        frame = frame_of(first.offers, walls_of(path, limits))
        frame = frame._replace(sure=frame.sure or "WIDTH" in first.offers.get("call", ""))
    return frame


def _judge_scenes(path: str, offers: dict[str, Any], limits: Limits,
                  frame: Frame) -> tuple[Verdict | None, Execution]:
    """The verdict on the first simulation that differs, or None; and the run of all of them."""
    scenes = [({**case, "seconds": SCENE_SHARE * limits.seconds}, due) for case, due in _scenes(frame)]
    done = _simulated(path, [case for case, _ in scenes], limits, frame)
    for k, scene in enumerate(scenes):
        verdict = _judge_scene([scene, *scenes[k + 1:]], done._replace(answers=done.answers[k:]), offers)
        if verdict is not None:
            again = k and verdict.event
            return _judge_alone(verdict, path, scene, offers, limits, frame) if again else verdict, done
    return None, done


def _simulated(path: str, cases: list[Case], limits: Limits, frame: Frame) -> Execution:
    """Run simulations in the coordinates of the program; the answers are in those of the checker."""
    done = execute(path, [{**case, "discs": case["shown"]} for case in cases], limits)
    return done._replace(answers=[frame.answer(answer) for answer in done.answers])


def _counted(done: Execution, frame: Frame) -> bool:
    """Whether all discs of the simulations have counted each of their contacts, as far as they show their counts."""
    for (case, _), answer in zip(_scenes(frame), done.answers):
        rows = rows_of(answer["log"], case)
        met = Counter(number for row in rows for number in row[1])
        if any(state[4] is not None and state[4] < met[k] for k, state in enumerate(answer["end"])):
            return False
    return True


def _judge_alone(verdict: Verdict, path: str, scene: tuple[Case, list[Due]], offers: dict[str, Any], limits: Limits,
                 frame: Frame) -> Verdict:
    """The verdict on one of several simulations, after that simulation has been run in a process of its own."""
    alone = _judge_scene([scene], _simulated(path, [scene[0]], limits, frame), offers)
    if alone is not None and alone.got == verdict.got:
        return verdict
    return verdict._replace(cause=tr("run alone, this simulation gives something else: something of an earlier one is left over, "
                                     "in a global variable, in the class (not self), or in a default argument"))


def _is_offered(case: Case, offers: dict[str, Any]) -> bool:
    op = case["op"]
    if op == "box":
        return False
    if op in ("make", "apart"):
        return "Particle" in offers and bool(op == "make" or offers["Particle"]["bounce_off_vertical_wall"])
    if op == "queue":
        return "MinPQ" in offers and bool(offers["MinPQ"]["insert"] and offers["MinPQ"]["del_min"])
    if op in ("order", "valid"):
        usable = "Event" in offers and "Particle" in offers and offers["Particle"]["bounce_off_vertical_wall"]
        return bool(usable and offers["Event"]["compare" if op == "order" else "is_valid"])
    return "Particle" in offers and bool(offers["Particle"][op])


def _absent(offers: dict[str, Any]) -> tuple[str, ...]:
    """Notes on the methods that were not found and not checked, and on what a constructor does not take."""
    names = [f"{offers[role]['name']}.{ours}" for role in ("Particle", "MinPQ") if role in offers
             for ours, theirs in offers[role].items() if theirs is None and ours not in ("min", "size")]
    put = tr("set after a disc has been made, because its constructor does not take it: {names}", names=", ".join(offers["put"]))
    absent = tr("not found, and not checked: {names}", names=", ".join(names))
    return (*((absent,) if names else ()), *((put,) if offers["put"] else ()))


def _slow(done: Execution, frame: Frame) -> tuple[str, ...]:
    """A note on the simulation that was stopped because it was too slow."""
    return tuple(tr("the simulation {name} was stopped when its time was over, and agrees so far: --seconds gives it longer",
                    name=case["name"]) for (case, _), answer in zip(_scenes(frame), done.answers)
                 if isinstance(answer, dict) and is_slow(case, answer))


def _framed(frame: Frame) -> tuple[str, ...]:
    """A note on the box that the program has, and on discs without masses."""
    (left, bottom), (width, height) = frame.near, frame.size
    box = tr("its walls are those of a box {box}; states of simulations are given from its corner, in units of {unit:.6g}",
             box=f"[{left:.6g}, {left + width:.6g}] x [{bottom:.6g}, {bottom + height:.6g}]", unit=frame.scale)
    masses = tr("the discs have no masses that can be set: all cases have equal discs")
    return (*((box,) if not frame.unit else ()), *((masses,) if frame.equal else ()))


def _printed(verdict: Verdict, done: Execution) -> Verdict:
    text = " ".join(done.printed.split())
    shown = text if len(text) <= 80 else text[:80] + "..."
    plain = shown if shown.isprintable() else ascii(shown)
    return verdict._replace(notes=(*verdict.notes, tr("the program prints, which is ignored: {text}", text=plain))) if text else \
        verdict


def _judge(units: list[Case], done: Execution, offers: dict[str, Any]) -> Verdict | None:
    """The first difference in the answers, operation by operation in the order of the cases."""
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
