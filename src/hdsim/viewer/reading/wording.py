"""Short texts of queue entries, times and counts, for cards with little room."""
from __future__ import annotations

import math
import os.path
from collections.abc import Iterable, Sequence

from ...language import tr
from ...model.obstacles import Obstacle
from ...model.queues import Entry

NAME_MOST = 8           # letters of the name of an obstacle; others are shown by their number
ARROWS = {"left": "←", "right": "→", "bottom": "↓", "top": "↑", "back": "⊗", "front": "⊙"}


def brief(entry: Entry, obstacles: Sequence[Obstacle] = ()) -> str:
    """The discs of an entry and its kind, in a few letters. obstacles: those of the system, whose short names are used."""
    discs = "–".join(map(str, entry.particles)) or ("" if entry.kind == "device" else tr(entry.kind))
    what = ARROWS[entry.wall] if entry.wall else {"crossing": tr("cell"), "re-prediction": "?"}.get(entry.kind, "")
    if entry.obstacle is not None:
        name = obstacles[entry.obstacle].name if entry.obstacle < len(obstacles) else ""
        what = name if 0 < len(name) <= NAME_MOST else f"#{entry.obstacle}"
    return f"{discs} {what}".strip()


def sort_of(entry: Entry) -> str:
    """The kind of an entry, "obstacle" for a contact with one."""
    return "obstacle" if entry.kind == "wall" and entry.obstacle is not None else entry.kind


def short_times(times: Iterable[float], now: float, longest: int) -> tuple[list[str], str]:
    """The times with the digits that distinguish them, in `longest` characters, or a few more for large numbers; and the common
    beginning that was left out, or ""."""
    times = list(times)
    ahead = sorted(time - now for time in times if now < time < math.inf)
    near = ahead[len(ahead) // 4] if ahead else 1.0
    digits = min(max(math.ceil(2.0 - math.log10(near)), 0), 15)
    texts = [f"{time:.{digits}f}" for time in times]
    close = [text for text, time in zip(texts, times) if abs(time - now) < 100 * near]
    begin = os.path.commonprefix(close) if len(set(close)) > 1 else ""
    if len(begin) < 3 or max(map(len, close)) <= longest:
        begin = ""
    return [tr("never") if time == math.inf else "…" + text[len(begin):] if begin and text.startswith(begin)
            else fixed(time, digits, longest) for text, time in zip(texts, times)], begin


def rough_width(text: str) -> float:
    """An estimate of the width of a text, to compare texts: digits are wide, Chinese letters wider."""
    return sum(0.5 if letter in " .,l" else 1.6 if letter >= "\u2e80" else 0.85 if letter.isalpha() else 1.0 for letter in text)


def fixed(time: float, digits: int, longest: int) -> str:
    """A time with at most so many decimals and at most `longest` characters, but at least its integer part."""
    whole = len(f"{time:.0f}") if abs(time) >= 1 else 0
    if whole > 7:
        return f"{time:.2e}"
    text = f"{time:.{max(min(digits, longest - whole - 1), 0)}f}"
    return text.removeprefix("0") if text.startswith("0.") else text


def amount(value: float) -> str:
    """A count or a rate in at most ten characters."""
    if value >= 1e9:
        mantissa, exponent = f"{value:.2e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"
