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

    @classmethod
    def of(cls, system) -> Frame:
        """The frame of `system` at system.time."""
        box = system.box
        return cls(
            time=system.time,
            width=box.width,
            height=box.height,
            periodic=(bool(box.periodic[0]), bool(box.periodic[1])),
            positions=np.array(system.positions, np.float32, order="C").reshape(-1, 2),
            radii=np.array(system.radii, np.float32, order="C"),
            colors=np.array(system.colors, np.uint8, order="C").reshape(-1, 3),
        )

    def __len__(self) -> int:
        return len(self.radii)
