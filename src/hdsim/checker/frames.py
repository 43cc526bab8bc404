"""The box of a program, and the discs that it can have: cases and answers in its coordinates and in those of the checker."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

from .wording import Case

WALLS = ("time_to_hit_vertical_wall", "time_to_hit_horizontal_wall")


class Frame(NamedTuple):
    """`near`: the left and the bottom wall, `size`: width and height, in the coordinates of the program. In those of the
    checker the walls are at 0, and the shorter side is 1. `equal`: whether all discs have the same radius and mass, because those
    of the program have no masses. `sure`: whether the program shows this box, or is told it; if not, it may have another one."""

    near: tuple[float, float] = (0.0, 0.0)
    size: tuple[float, float] = (1.0, 1.0)
    equal: bool = False
    sure: bool = True

    @property
    def unit(self) -> bool:
        return self.near == (0.0, 0.0) and self.size == (1.0, 1.0)

    @property
    def scale(self) -> float:
        return min(self.size)

    @property
    def box(self) -> list[float]:
        """Width and height in the coordinates of the checker."""
        return [side / self.scale for side in self.size]

    def disc(self, disc: list[float]) -> list[float]:
        """A disc in the coordinates of the program."""
        if self.unit:
            return disc
        (left, bottom), scale = self.near, self.scale
        return [left + scale * disc[0], bottom + scale * disc[1], *(scale * x for x in disc[2:5]), disc[5]]

    def case(self, case: Case) -> Case:
        """A case of single discs in the coordinates of the program; `unit`: the same discs in those of the unit box."""
        if "discs" not in case or case["op"] == "box":
            return case
        discs = _equal(case) if self.equal else case["discs"]
        if self.unit:
            return {**case, "discs": discs}
        made = {**case, "discs": [self.disc(disc) for disc in discs]}
        if case["op"] in WALLS:
            side = self.size[WALLS.index(case["op"])] / self.scale      # along the other axis the disc is not looked at
            made["discs"] = [self.disc([*(side * x for x in disc[:5]), disc[5]]) for disc in discs]
        return {**made, "unit": discs} if case["op"].startswith("time") else made

    def state(self, state: list[Any]) -> list[Any]:
        """A state (rx, ry, vx, vy, ...) of the program in the coordinates of the checker."""
        if self.unit or None in state[:4]:
            return state
        (left, bottom), scale = self.near, self.scale
        return [(state[0] - left) / scale, (state[1] - bottom) / scale, state[2] / scale, state[3] / scale, *state[4:]]

    def answer(self, answer: Any) -> Any:
        """The answer of a simulation in the coordinates of the checker."""
        if self.unit or "error" in answer or "unknown" in answer:
            return answer
        return {**answer, "end": [self.state(one) for one in answer["end"]],
                "log": [[*row[:3], *([self.state(one) for one in states] for states in row[3:])] for row in answer["log"]],
                "final": [[[time, self.state(one)] for time, one in guess] for guess in answer["final"]]}


def frame_of(offers: dict[str, Any], walls: Any) -> Frame:
    """The frame of a program. walls: for each axis the places of its walls, or None."""
    equal = "mass" in offers["unset"]
    if not isinstance(walls, list) or None in walls:
        return Frame(equal=equal, sure=any(offers.get("Particle", {}).get(name) for name in WALLS))
    near, far = zip(*walls)
    if all(abs(n) < 1e-9 and abs(f - 1) < 1e-9 for n, f in walls):
        return Frame(equal=equal)
    return Frame((float(near[0]), float(near[1])), (far[0] - near[0], far[1] - near[1]), equal)


def _equal(case: Case) -> list[list[float]]:
    """The discs of a case with the radius and the mass of the first; discs in contact stay so."""
    first, *others = case["discs"]
    made = [first]
    for disc in others:
        place = disc[:2]
        if case["op"] == "bounce_off":
            apart = 2 * first[4] / math.hypot(disc[0] - first[0], disc[1] - first[1])
            place = [a + apart * (b - a) for a, b in zip(first, disc[:2])]
        made.append([*place, *disc[2:4], *first[4:6]])
    return made
