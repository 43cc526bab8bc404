"""Colouring: what the colours of discs are, in every picture: those of their file, or by what tells the discs apart, by speed,
kinetic energy, number of collisions or local order, from tables of colours.

    auto               one of file (its dark colours lightened), species, number and speed, chosen by `model/colors.py`
    speed, energy      from 0 to a value that few discs of a gas of this energy exceed; the scale is fixed for a system, but
                       begins anew when what drives the discs has made them GROWTH times as fast
    collisions         contacts so far, walls included, from 0 to a round number that grows when it is reached
    order              psi_6 over the neighbours within REACH lattice spacings: its modulus is the strength of the colour,
                       0 grey and 1 full, and its phase, the direction of the bonds, is the hue; of spheres q_6 over the
                       NEIGHBOURS nearest, from 0 to Q6_TOP
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...language import tr
from ...model.colors import (FIXED, SPEED_TOP, UNKNOWN, fall_speed, from_oklab, rms_speed, scale_colors, speeds,
                             squared_speeds, usual, usual_mass)
from ...model.box import lengths_of
from ...observables import hexatic_order, near_bonds, nearest_bonds, steinhardt_order
from .frame import Frame
from .theme import Color

GROWTH = 2.0            # of the rms speed, at which scales begin anew
ENERGY_TOP = 5.0        # mean energies: in a gas, exp(-5) = 0.7 % have more
REACH = 0.5 * (1 + math.sqrt(3))    # lattice spacings: midway between the first and the second neighbours of a crystal
NEIGHBOURS, Q6_TOP = 12, 0.6        # a face-centred cubic crystal has 0.575
HUES, STRENGTHS = 96, 32            # hues and strengths in the table of psi_6
# Lightness and chroma of the wheel: disorder is light grey, order darker and saturated, so that lightness shows the modulus.
GREY, FULL, CHROMA = 0.86, 0.62, 0.125


@dataclass(frozen=True)
class Legend:
    """The meaning of the colours of a picture. `top`: the end of the scale; None for the colour wheel of psi_6."""

    title: str
    unit: str
    top: float | None
    note: str = ""
    more: bool = False      # whether values of some discs exceed `top`


class Coloring:
    """Colours of discs by one quantity, on a scale that the present state of `system` fixes."""

    def __init__(self, system: Any, colors: str) -> None:
        self.kind = usual(system) if colors == "auto" else colors
        self._flat = len(lengths_of(system.box)) == 2
        self.top = 1.0
        self._speed = 0.0       # that of the scale of speeds and energies
        if self.kind in ("speed", "energy"):
            self._fix_scale(system, fall_speed(system))
        self._more = False
        self._fixed: tuple[Any, Any] = (None, None)         # colours in their file, and those here

    def of(self, system: Any) -> np.ndarray:
        """The colours of the discs in the present state of the system, (n, 3) uint8: the same array as long as none changes."""
        if self.kind in FIXED:
            given = system.colors
            if self._fixed[0] is not given:
                self._fixed = given, FIXED[self.kind](system)
            return self._fixed[1]
        if self.kind == "order":
            return colors_by_order(system.positions, system.box)
        values = {"speed": speeds, "energy": energies, "collisions": counts}[self.kind](system)
        highest = float(values.max(initial=0.0, where=np.isfinite(values)))
        if self.kind == "collisions":
            while self.top < highest:
                self.top = next_round(self.top)
        elif highest > self.top and rms_speed(system) > GROWTH * self._speed:
            self._fix_scale(system)
        self._more = highest > self.top
        return scale_colors(values, self.top)

    def _fix_scale(self, system: Any, least: float = 0.0) -> None:
        """Fix the scale of speeds or energies by the rms speed, or by `least`, if that is larger."""
        self._speed = max(rms_speed(system), least)
        mean = 0.5 * usual_mass(system) * self._speed**2
        self.top = (SPEED_TOP * self._speed if self.kind == "speed" else ENERGY_TOP * mean) or 1.0

    @property
    def legend(self) -> Legend | None:
        """The legend of the colours that `of` returned last; None where they need none."""
        return None if self.kind in FIXED else {"speed": Legend(tr("speed"), tr("length / time"), self.top, more=self._more),
                "energy": Legend(tr("kinetic energy"), tr("mass · length² / time²"), self.top, more=self._more),
                "collisions": Legend(tr("collisions"), tr("so far, walls included"), self.top),
                "order": Legend(tr("local order ψ₆"), "", None, tr("neighbours within {reach:.2f} spacings", reach=REACH))
                if self._flat else Legend(tr("local order q₆"), tr("{n} nearest neighbours", n=NEIGHBOURS), Q6_TOP, more=True)
                }[self.kind]


def faded(colors: np.ndarray, frame: Frame, paper: Color) -> np.ndarray:
    """Colours in a space that has a depth: mixed with that of the paper, by the share that the frame's drawing says."""
    pale = None if frame.drawing is None else frame.drawing.pale
    if pale is None:
        return colors
    return np.rint(colors + (np.array(paper) - colors.astype(float)) * pale[:, None]).astype(np.uint8)


# The quantities, from public members of a system.

def energies(system: Any) -> np.ndarray:
    """The kinetic energies of the discs, (n,); nan for discs of infinite mass."""
    masses = np.asarray(system.masses, float)
    return 0.5 * np.where(np.isfinite(masses), masses, math.nan) * squared_speeds(system)


def counts(system: Any) -> np.ndarray:
    """The number of contacts of each disc so far, walls included, (n,)."""
    return np.asarray(system.collision_counts)


def local_order(positions: Any, box: Any) -> np.ndarray:
    """psi_6 of each disc, (n,) complex, over its neighbours within REACH times the spacing of the triangular lattice of this
    number density; 0 for a disc without neighbours."""
    positions = np.asarray(positions, float).reshape(-1, 2)
    if len(positions) < 2:
        return np.zeros(len(positions), complex)
    spacing = math.sqrt(2 / math.sqrt(3) * box.width * box.height / len(positions))
    return hexatic_order(near_bonds(positions, box, REACH * spacing)).local


# Numbers to colours.

def colors_by_order(positions: Any, box: Any) -> np.ndarray:
    """The colours of discs by psi_6 or of spheres by q_6, (n, 3) uint8; spheres without enough neighbours have UNKNOWN."""
    if len(lengths_of(box)) == 2:
        return order_colors(local_order(positions, box))
    n = len(positions)
    if n <= NEIGHBOURS and not (n and any(box.periodic)):
        return np.tile(np.array(UNKNOWN, np.uint8), (n, 1))
    return scale_colors(steinhardt_order(nearest_bonds(positions, box, NEIGHBOURS)).local, Q6_TOP)


def order_colors(psi: np.ndarray) -> np.ndarray:
    """The colours of psi_6, (n, 3) uint8: hue by the phase, strength by the modulus."""
    hue = np.floor(np.angle(psi) / (2 * math.pi) * HUES).astype(np.intp)
    strength = np.minimum(np.abs(psi) * STRENGTHS, STRENGTHS - 1).astype(np.intp)
    return np.take(wheel_table(), np.where(hue < 0, hue + HUES, hue) % HUES * STRENGTHS + strength, axis=0)


@lru_cache(maxsize=1)
def wheel_table() -> np.ndarray:
    """The colours of psi_6, (HUES * STRENGTHS, 3) uint8: all strengths of the first hue, then of the next."""
    hue = np.repeat(np.arange(HUES) + 0.5, STRENGTHS) / HUES * 2 * math.pi
    strength = np.tile((np.arange(STRENGTHS) + 0.5) / STRENGTHS, HUES)
    return from_oklab(GREY + (FULL - GREY) * strength, CHROMA * strength, hue)


def next_round(number: float) -> float:
    """The number after `number` in the sequence 1, 2, 5, 10, 20, ..."""
    return number * (2.5 if f"{number:e}"[0] == "2" else 2.0)
