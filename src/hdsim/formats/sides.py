"""The lines `thermal` and `seed` of the tail of a text file: sides of the box with a temperature."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn, Protocol

from ..model.box import Box
from ..model.obstacles import Obstacle
from ..model.thermal import Heat, Thermal, heat_of, is_heated
from .text import shown

WORDS = ("thermal", "seed")
KEYS = ("velocity", "accommodation")        # of a thermal line
_WHOLE = re.compile(r"[+-]?[0-9]{1,4000}")  # a seed: any whole number that Python reads


class Line(Protocol):
    """One line of a tail, as `tail` reads it."""

    word: str
    values: list[str]
    keys: dict[str, str]

    def number(self, text: str) -> float: ...

    def fail(self, message: str) -> NoReturn: ...


class Sides:
    """The thermal sides of a file so far, and its seed."""

    def __init__(self) -> None:
        self.seed = 0
        self._lines: list[tuple[Line, str, Thermal]] = []

    def take(self, line: Line) -> None:
        """A line of one of the words."""
        if line.word == "seed":
            self._take_seed(line)
        else:
            self._take_side(line)

    def _take_seed(self, line: Line) -> None:
        if len(line.values) != 1 or not _WHOLE.fullmatch(line.values[0]):
            line.fail(f"expected one whole number, found {shown(' '.join(line.values))}")
        self.seed = int(line.values[0])

    def _take_side(self, line: Line) -> None:
        if len(line.values) != 2:
            line.fail(f"expected a side and a temperature, such as left 2, found {len(line.values)} value(s)")
        given: dict[str, Any] = {}
        if "velocity" in line.keys:
            parts = [line.number(part) for part in line.keys["velocity"].split(",")]
            given["velocity"] = parts if len(parts) > 1 else parts[0]
        if "accommodation" in line.keys:
            given["accommodation"] = line.number(line.keys["accommodation"])
        name, temperature = line.values[0], line.number(line.values[1])
        if any(name == known for _, known, _ in self._lines):
            line.fail(f"expected one line for each side, found a second one for {name}")
        try:
            self._lines.append((line, name, Thermal(temperature, **given)))
        except ValueError as error:
            line.fail(str(error))

    def heat(self, box: Box) -> Heat:
        """All of them, as sides of a box. Fails with the line of one that is none."""
        given = {}
        for line, name, side in self._lines:
            given[name] = side
            try:
                heat_of(given, self.seed, box)
            except ValueError as error:
                line.fail(str(error))
        return heat_of(given, self.seed, box)


def lines_of(heat: Heat, obstacles: Sequence[Obstacle], numbers: Callable[[Iterable[float]], str]) -> Iterator[str]:
    """The lines of thermal sides, and of the seed if it is not 0 and there is a thermal surface. numbers: how numbers are
    written."""
    for name, side in heat.walls:
        pairs = []
        if any(side.velocity):
            pairs.append(f"velocity={','.join(numbers((part,)) for part in side.velocity)}")
        if side.accommodation != 1:
            pairs.append(f"accommodation={numbers((side.accommodation,))}")
        yield " ".join((f"thermal {name} {numbers((side.temperature,))}", *pairs))
    if heat.seed and is_heated(heat.walls, obstacles):
        yield f"seed {heat.seed}"
