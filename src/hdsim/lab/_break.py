"""Exercise 14: the break of billiards5, in whose second event one disc hits two others at the same instant."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..language import tr
from ..starts import sources
from ..system import CollisionSystem
from ..system.keywords import Collisions
from .result import Check, Result, check_name
from .setting import Progress, silent

NAME = "billiards5"
RULES: tuple[Collisions, ...] = ("simultaneous", "sequential")
APEX, CUE = 14, 15                  # the disc at the apex of the pyramid; the cue ball
SPLIT = 4.38                        # a time between the apex's contacts and the next ones
UNTIL, UNTIL_QUICK, EVERY = 60.0, 30.0, 0.25
HELD = 50.0                         # turns before this time: rounding does not separate simultaneous contacts on the way back
# Standard error of the apex's velocity over the cue's, and of its theory: both take about a dozen operations on numbers up to 1,
# and the error of each is uniform within 2^-53, which has the standard deviation 2^-53 / sqrt(3).
ROUNDING = 2.0**-52
SEEN = 1e-6                         # diameters: effects of rounding until HELD are far smaller, a lost symmetry is far larger
FLOOR = 1e-17                       # a logarithmic plot shows 0 as this value


def break_(*, quick: bool = False, progress: Progress = silent) -> Result:
    """The break with simultaneous contacts solved together, and one after another: is it symmetric, and reversible?

    The apex of the pyramid moves with the cue's speed u and hits two discs at once. Each line of centres is at the angle a to
    its velocity, with sin a = half their spacing / diameter. Solved together, the contacts leave it the velocity
    u (1 - 2 cos^2 a) / (1 + 2 cos^2 a) in the same direction, by conservation of momentum and energy. One after another, they
    deflect it sideways. Nothing is random here.
    """
    times = np.arange(0.0, (UNTIL_QUICK if quick else UNTIL) + EVERY / 2, EVERY)
    columns: dict[str, Any] = {"time": times}
    checks = []
    for k, rule in enumerate(RULES):
        system = sources.load(NAME, collisions=rule)
        kick = _kick(system, rule)
        partners = _partners(system)
        rows = []
        for done, time in enumerate(times, 1):
            system.simulate(until=float(time))
            rows.append((_asymmetry(system, partners), _return_error(system)))
            progress((k + done / len(times)) / len(RULES))
        columns[f"asymmetry, {rule}"], columns[f"error of the return, {rule}"] = np.array(rows).T
        checks += [Check(check_name("v{axis} of the apex, {rule}", axis=axis, rule=rule), value, 0.0, theory, ROUNDING)
                   for axis, value, theory in zip("yx", *(v[::-1].tolist() for v in kick))]
    lost = {key: float((column[times <= HELD] > SEEN).sum()) for key, column in columns.items() if key.endswith(RULES[0])}
    checks += [Check(check_name("times with {key}", key=key), number, 0.0, 0.0) for key, number in lost.items()]
    return Result("break", tuple(checks), tr("momentum; discs part as fast as they meet; unit: the cue's"),
                  columns, (_draw_asymmetry, _draw_return))


def _kick(system: CollisionSystem, rule: str) -> tuple[np.ndarray, np.ndarray]:
    """The velocity of the apex after its contacts with two discs, over the cue's speed: measured, and by the rule; both (2,)."""
    copy = system.copy()
    speed = float(copy.velocities[CUE, 1])
    copy.simulate(until=SPLIT)
    x, contact = system.positions, float(2 * system.radii[APEX])
    struck = np.argsort(np.hypot(*(x - x[APEX]).T))[1:3]
    # Lines of centres at the contact, in the order in which the rule resolves contacts: by the index of the disc.
    sine = np.abs(x[np.sort(struck), 0] - x[APEX, 0]) / contact * np.sign(x[np.sort(struck), 0] - x[APEX, 0])
    lines = np.column_stack((sine, np.sqrt(1 - sine**2)))
    way = np.array([0.0, 1.0])
    if rule == "simultaneous":
        square = float(lines[0, 1]) ** 2
        way *= (1 - 2 * square) / (1 + 2 * square)
    else:
        for line in lines:
            way = way - (way @ line) * line
    return copy.velocities[APEX] / speed, way


def _asymmetry(system: CollisionSystem, partners: np.ndarray) -> float:
    """The largest distance of a disc from the mirror image of its partner, in diameters."""
    gaps = np.hypot(*(system.positions[partners] - _mirrored(system)).T)
    return float(gaps.max() / (2 * system.radii[0]))


def _partners(system: CollisionSystem) -> np.ndarray:
    """The index of the mirror image of each disc, (n,). The mirror image of a disc on the axis is that disc."""
    return np.hypot(*(system.positions - _mirrored(system)[:, None]).T).argmin(axis=0)


def _mirrored(system: CollisionSystem) -> np.ndarray:
    x, y = system.positions.T
    return np.column_stack((system.box.width - x, y))


def _return_error(system: CollisionSystem) -> float:
    """The largest distance of a disc from its initial position, in diameters, if all velocities are reversed now and the system
    runs back to time 0."""
    copy, first = system.copy(), sources.load(NAME)
    copy.reverse()
    copy.step(system.time)
    return float(np.hypot(*(copy.positions - first.positions).T).max() / (2 * system.radii[0]))


def _draw_asymmetry(result: Result, ax: Any) -> None:
    _draw(result, ax, "asymmetry", "time", "Is the break symmetric?")


def _draw_return(result: Result, ax: Any) -> None:
    _draw(result, ax, "error of the return", "time of the turn", "All velocities turned round: does it return?")


def _draw(result: Result, ax: Any, what: str, when: str, title: str) -> None:
    for rule, style in zip(RULES, "os"):
        ax.plot(result["time"], np.maximum(result[f"{what}, {rule}"], FLOOR), style, markersize=3, label=rule)
    ax.axhline(2.0**-53, color="black", linewidth=0.8, label="one rounding")
    ax.set(yscale="log", ylim=(FLOOR, 30), xlabel=f"{when} (time units)", ylabel=f"{what} (diameters)", title=title)
    ax.legend(fontsize="small")
