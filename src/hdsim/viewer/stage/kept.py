"""What a saved state keeps of its window, as notes in the file: the pace and the look. They come back when it is opened."""
from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from ...formats.notes import notes_of
from ..draw.look import Look
from ..playback.pace import checked_speed
from .first_look import first_look
from .stage import Stage


def notes(stage: Stage) -> dict[str, Any]:
    """The notes to save with the system that is shown."""
    return {"window": {"speed": stage.playback.speed, "look": asdict(stage.look)}}


def kept_in(path: Any, system: Any, **given: Any) -> tuple[Look, float | None]:
    """The look and the pace (None: the usual one) with which to open the system of a file: those that it keeps; and of what it
    does not keep, or keeps in a way that does not fit, the usual ones. given: values of a `Look`, which win."""
    look, speed, found = first_look(system, **given), None, notes_of(path).get("window")
    if not isinstance(found, dict):
        return look, speed
    wanted = {name for name, value in given.items() if value is not None}
    for name, value in dict(found.get("look") or {}).items():
        try:
            changed = look if name in wanted else replace(look, **{name: value})
            changed.check(len(system))
            look = changed
        except (TypeError, ValueError):
            pass            # of another version
    try:
        speed = checked_speed(found["speed"])
    except (KeyError, TypeError, ValueError):
        pass
    return look, speed
