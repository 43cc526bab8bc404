"""The look with which a window opens if nothing else was asked for, so that something is seen and happens at once."""
from __future__ import annotations

from typing import Any

import numpy as np

from ...model.numbers import vectors
from ...model.roles import Editable, Playable, offers
from ..draw.desktop import theme_of_desktop
from ..draw.look import Look

LARGE = 4.0         # a disc whose radius is so many times the median is followed by a trail


def first_look(system: Playable, **given: Any) -> Look:
    """The look of a new window: the theme of the desktop, and a trail of the disc that moves alone, or that is much larger than
    all others.

    given: values of a `Look`, which win. ValueError as for `Look`."""
    chosen: dict[str, Any] = {"theme": theme_of_desktop()}
    if offers(system, Editable) and (disc := special_disc(system)) is not None:
        chosen["trails"] = (disc,)
    return Look(**{**chosen, **{name: value for name, value in given.items() if value is not None}})


def special_disc(system: Playable) -> int | None:
    """The index of the only disc that moves, such as a cue ball, or of the only one that is much larger than the others; else
    None."""
    velocities = vectors(system.velocities)
    moving = np.flatnonzero(velocities.any(axis=1))
    if len(moving) == 1:
        return int(moving[0])
    radii = np.asarray(system.radii, float)
    large = np.flatnonzero(radii > LARGE * np.median(radii)) if len(radii) else np.empty(0, int)
    return int(large[0]) if len(large) == 1 else None
