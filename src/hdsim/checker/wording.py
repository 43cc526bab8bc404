"""Texts of the checker: names of methods, calls as lines of Python, numbers and answers."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..language import tr
from .faults import Disc
from .verdict import number

Case = dict[str, Any]
ELEMENTWISE = "a product of arrays is taken component by component; dv.dr, dv.dv and dr.dr are sums of the products (numpy.dot)"


def _stage(op: str, offers: dict[str, Any]) -> str:
    role, name = {"queue": ("MinPQ", "del_min"), "order": ("Event", "compare"), "valid": ("Event", "is_valid"),
                  "apart": ("Particle", "bounce_off_vertical_wall")}.get(op, ("Particle", op))
    if op == "make":
        return tr("a new {name}", name=offers[role]["name"])
    return f"{offers[role]['name']}.{offers[role][name]}"


def _line(case: Case, offers: dict[str, Any]) -> str:
    """The case as a line of Python with the names of the program."""
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
        bounce = f"; a.{offers['Particle']['bounce_off_vertical_wall']}()" if op == "apart" else ""
        return f"a = {discs[0]}; b = {discs[1]}{bounce}"
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
    """The constructor calls that make the discs of a case."""
    name = offers["Particle"]["name"] if "Particle" in offers else "Particle"
    made, pair = [], "{}([{}, {}])" if offers.get("pair") in ("list", "numpy.array") else "{}({}, {})"
    for disc in (case["shown"] if "shown" in case else case["discs"]):
        shown: dict[Any, str] = {
            "color": "(0, 0, 0)", "other": "0", **{k: number(x) for k, x in enumerate(disc)},
                 "position": pair.format(offers.get("pair", ""), number(disc[0]), number(disc[1])),
                 "velocity": pair.format(offers.get("pair", ""), number(disc[2]), number(disc[3])),
                 "width": "1", "height": "1", "box": "(1, 1)"}
        given = (f"{keyword}={shown[kind]}" if keyword else shown[kind] for kind, keyword in offers["plan"])
        made.append(f"{name}({', '.join(given)})")
    return made


def _is_error(answer: Any) -> bool:
    return isinstance(answer, dict) and "error" in answer


def _numbers(disc: Sequence[float | None]) -> str:
    names = ("rx", "ry", "vx", "vy", "radius", "mass")
    return ", ".join(f"{name} = {number(x)}" for name, x in zip(names, disc) if x is not None)


def _crash(op: str, pairs: Sequence[tuple[Case, Any]], discs: list[Disc], answer: Case) -> str:
    """The cause of an exception in a formula for these discs; "" if it is not a usual one. pairs: all cases of this formula, with
    their answers: what is named must be so in all that crash, and in no other."""
    def where(error: str, condition: Callable[[list[Disc]], bool], only: bool = True) -> bool:
        """Whether this error comes where the discs fulfil a condition; only: and in all of these cases."""
        cases = [(condition([Disc(*disc) for disc in case["discs"]]), _is_error(a) and a["error"] == error) for case, a in pairs]
        return all(met == crashed if only else met or not crashed for met, crashed in cases)

    if "truth value of an array" in answer["message"]:
        return tr(ELEMENTWISE)
    divided, rooted = (answer["error"] == name for name in ("ZeroDivisionError", "ValueError"))
    if op == "bounce_off" and divided and where("ZeroDivisionError", lambda those: those[0].radius == those[1].radius):
        return tr("division by 0 for equal radii: sigma is r_i + r_j, the sum of the radii, and not their difference")
    if op == "time_to_hit" and divided and where("ZeroDivisionError", lambda those: those[0][2:4] == those[1][2:4]):
        return tr("division by dv.dv, which is 0 for equal velocities: such discs never meet; test dv.dr >= 0 first")
    if op == "time_to_hit" and rooted and where("ValueError", lambda those: _discriminant(those) < 0, False):
        return tr("the square root of a negative number: d < 0 means that the discs miss each other; test it before the root")
    if op == "time_to_hit" and rooted and _discriminant(discs) >= 0:
        return tr("the square root of a negative number, though d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2) is not negative here: is "
                  "the discriminant right?")
    axis = int(op == "time_to_hit_horizontal_wall")
    if op.startswith("time_to_hit_") and divided and where("ZeroDivisionError", lambda those: those[0][2 + axis] == 0):
        return tr("division by a velocity of 0: a disc that does not move towards a wall never meets it")
    return ""


def _discriminant(discs: Sequence[Disc]) -> float:
    """d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2)."""
    a, b = discs
    dvx, dvy, dx, dy = b.vx - a.vx, b.vy - a.vy, b.rx - a.rx, b.ry - a.ry
    return (dvx * dx + dvy * dy)**2 - (dvx**2 + dvy**2) * (dx**2 + dy**2 - (a.radius + b.radius)**2)


def _unordered(message: str, classes: Sequence[str]) -> str:
    """The cause of a TypeError at a comparison of two objects of the program's classes; "" for another error."""
    found = re.search(r"'<' not supported between instances of '(\w+)' and '(\w+)'", message)
    names = [] if found is None else [name for name in found.groups() if name != "NoneType"]
    if not names or any(name not in classes for name in names):
        return ""
    return tr("objects of {name} are compared by <, which it does not have: events are ordered by their times (give Event "
              "__lt__; in a queue of tuples, what stands behind equal times is compared)", name=names[0])


def _shown(answer: Any) -> str:
    if isinstance(answer, dict):
        return str(answer["odd"])
    return tr("nothing (None)") if answer is None else number(answer)
