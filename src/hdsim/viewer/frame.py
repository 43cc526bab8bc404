"""Frame: what a picture needs to know of a system. Reading one never changes the system. Knows no OpenGL."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Frame:
    """The discs and their box at one instant, in the number formats that go to the graphics card."""

    time: float
    width: float
    height: float
    periodic: tuple[bool, bool]
    positions: np.ndarray    # (n, 2) float32; on a periodic axis in [0, L)
    radii: np.ndarray        # (n,)   float32
    colors: np.ndarray       # (n, 3) uint8
    sources: tuple[object, object]     # the system's own radii and colours: other objects when they have changed

    @classmethod
    def of(cls, system, before: Frame | None = None) -> Frame:
        """The frame of `system` at system.time. `before`, an earlier frame that is not needed any more, saves time: what
        has not changed is the same array again, and the array of positions is used again."""
        box, radii, colors = system.box, system.radii, system.colors
        same = (False, False) if before is None else (radii is before.sources[0], colors is before.sources[1])
        return cls(
            time=system.time,
            width=box.width,
            height=box.height,
            periodic=(bool(box.periodic[0]), bool(box.periodic[1])),
            positions=np.array(system.positions, np.float32, order="C").reshape(-1, 2),
            radii=before.radii if before and same[0] else np.array(radii, np.float32, order="C"),
            colors=before.colors if before and same[1] else np.array(colors, np.uint8, order="C").reshape(-1, 3),
            sources=(radii, colors),
        )

    def __len__(self) -> int:
        return len(self.radii)
