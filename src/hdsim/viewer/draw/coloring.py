"""Colouring: what the colours of discs are, in every picture: those of their file, or by what tells the discs apart, by speed,
kinetic energy, number of collisions or local order, from tables of colours.

    auto               one of file (its dark colours lightened), species, number and speed, chosen by `usual`
    speed, energy      from 0 to a value that few discs of a gas of this energy exceed; the scale is fixed for a system
    collisions         contacts so far, walls included, from 0 to a round number that grows when it is reached
    order              psi_6 over the neighbours within REACH lattice spacings: its modulus is the strength of the colour,
                       0 grey and 1 full, and its phase, the direction of the bonds, is the hue
"""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...language import tr
from ...model.roles import Editable, HasObstacles, OfSpace, offers
from ...observables import hexatic_order, near_bonds
from .frame import Frame
from .theme import ON_WHITE, Color

SPEED_TOP = 2.5         # rms speeds: in a gas, exp(-6.25) = 0.2 % of the discs are faster
ENERGY_TOP = 5.0        # mean energies: in a gas, exp(-5) = 0.7 % have more
REACH = 0.5 * (1 + math.sqrt(3))    # lattice spacings: midway between the first and the second neighbours of a crystal
SHADES = 256            # colours of a scale
HUES, STRENGTHS = 96, 32            # hues and strengths in the table of psi_6
UNKNOWN = (150, 150, 150)           # a disc of infinite mass has no energy
FEW = 20                # discs that are all alike and no more than these are told apart by their numbers
LEAST = 0.5             # lightness in OKLab that shows on dark paper as well as on white
# By number or species: colours that the colour-blind can distinguish, on white and on dark paper, the most different ones first.
PALETTE = np.array([ON_WHITE[k] for k in (1, 4, 2, 0, 5, 6, 3)], np.uint8)

# Blue over green to yellow: lightness rises evenly, so that the scale also works in grey, and the colour-blind can tell blue from
# yellow; and it begins and ends such that discs show on white as on dark paper. In OKLab (B. Ottosson, "A perceptual color space
# for image processing", 2020): lightness, chroma, hue in degrees.
ANCHORS = np.array([(0.44, 0.17, 283.0), (0.53, 0.14, 260.0), (0.62, 0.10, 225.0), (0.71, 0.11, 170.0), (0.80, 0.155, 130.0),
                    (0.89, 0.175, 104.0)])
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
        self.top = 1.0
        if self.kind == "speed":
            self.top = SPEED_TOP * rms_speed(system) or 1.0
        elif self.kind == "energy":
            self.top = ENERGY_TOP * mean_energy(system) or 1.0
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
            return order_colors(local_order(system.positions, system.box))
        values = {"speed": speeds, "energy": energies, "collisions": counts}[self.kind](system)
        highest = float(values.max(initial=0.0, where=np.isfinite(values)))
        if self.kind == "collisions":
            while self.top < highest:
                self.top = next_round(self.top)
        self._more = highest > self.top
        return scale_colors(values, self.top)

    @property
    def legend(self) -> Legend | None:
        """The legend of the colours that `of` returned last; None where they need none."""
        return None if self.kind in FIXED else {"speed": Legend(tr("speed"), tr("length / time"), self.top, more=self._more),
                "energy": Legend(tr("kinetic energy"), tr("mass · length² / time²"), self.top, more=self._more),
                "collisions": Legend(tr("collisions"), tr("so far, walls included"), self.top),
                "order": Legend(tr("local order ψ₆"), "", None, tr("neighbours within {reach:.2f} spacings", reach=REACH))
                }[self.kind]


def usual(system: Any) -> str:
    """What colours show unless another look is wanted: the colours of the file, if they tell the discs apart; else the species,
    or the numbers of a few discs, or speeds."""
    colors = np.asarray(system.colors).reshape(-1, 3)
    if (colors != colors[:1]).any() or len(colors) == 1 and np.ptp(colors) > 0:
        return "lit"
    if 1 < kinds(system).max(initial=0) + 1 <= len(PALETTE):
        return "species"
    return "number" if len(colors) <= FEW or not offers(system, Editable) else "speed"      # which needs masses


def kinds(system: Any) -> np.ndarray:
    """(n,): the kind of each disc, counted from 0: its species or, if there is but one, its radius and mass."""
    found = np.asarray(system.species if offers(system, HasObstacles) else np.zeros(len(system)))
    if len(found) == 0 or (found == found[0]).all():
        found = np.column_stack([system.radii, system.masses if offers(system, Editable) else system.radii])
    return np.unique(found, axis=0, return_inverse=True)[1].reshape(-1)


def lit(system: Any) -> np.ndarray:
    """The colours of the file, (n, 3) uint8: those that are too dark for dark paper with the least lightness that shows."""
    colors = np.array(system.colors, np.uint8).reshape(-1, 3)
    lightness, chroma, hue = to_oklab(colors)
    dark = lightness < LEAST
    colors[dark] = from_oklab(np.full(int(dark.sum()), LEAST), chroma[dark], hue[dark])
    return colors


FIXED: dict[str, Callable[[Any], np.ndarray]] = {       # colours that do not depend on the state
    "file": lambda system: np.array(system.colors, np.uint8, order="C").reshape(-1, 3), "lit": lit,
    "species": lambda system: PALETTE[kinds(system) % len(PALETTE)],
    "number": lambda system: PALETTE[np.arange(len(system)) % len(PALETTE)]}


def faded(colors: np.ndarray, frame: Frame, paper: Color) -> np.ndarray:
    """Colours in a space that has a depth: mixed with that of the paper, by the share that the frame's drawing says."""
    pale = None if frame.drawing is None else frame.drawing.pale
    if pale is None:
        return colors
    return np.rint(colors + (np.array(paper) - colors.astype(float)) * pale[:, None]).astype(np.uint8)


# The quantities, from public members of a system.

def speeds(system: Any) -> np.ndarray:
    """The speeds of the discs, (n,), length / time."""
    return np.sqrt(_squares(system))


def energies(system: Any) -> np.ndarray:
    """The kinetic energies of the discs, (n,); nan for discs of infinite mass."""
    masses = np.asarray(system.masses, float)
    return 0.5 * np.where(np.isfinite(masses), masses, math.nan) * _squares(system)


def counts(system: Any) -> np.ndarray:
    """The number of contacts of each disc so far, walls included, (n,)."""
    return np.asarray(system.collision_counts)


def _squares(system: Any) -> np.ndarray:
    if offers(system, OfSpace):
        return np.square(system.speeds)
    vx, vy = np.asarray(system.velocities, float).reshape(-1, 2).T
    return vx * vx + vy * vy


def mean_energy(system: Any) -> float:
    """Kinetic energy per disc of finite mass: conserved, unless discs are driven."""
    mobile = int(np.isfinite(np.asarray(system.masses, float)).sum())
    return system.kinetic_energy / mobile if mobile else 0.0


def rms_speed(system: Any) -> float:
    """The rms speed of discs of finite mass if energy is shared equally: conserved, unless discs are driven."""
    masses = np.asarray(system.masses, float)
    masses = masses[np.isfinite(masses)]
    return math.sqrt(2 * mean_energy(system) * float(np.mean(1 / masses))) if len(masses) else 0.0


def local_order(positions: Any, box: Any) -> np.ndarray:
    """psi_6 of each disc, (n,) complex, over its neighbours within REACH times the spacing of the triangular lattice of this
    number density; 0 for a disc without neighbours."""
    positions = np.asarray(positions, float).reshape(-1, 2)
    if len(positions) < 2:
        return np.zeros(len(positions), complex)
    spacing = math.sqrt(2 / math.sqrt(3) * box.width * box.height / len(positions))
    return hexatic_order(near_bonds(positions, box, REACH * spacing)).local


# Numbers to colours.

def scale_colors(values: np.ndarray, top: float) -> np.ndarray:
    """The colours of values on the scale from 0 to top, (n, 3) uint8; above it the last colour, for nan UNKNOWN."""
    known = np.isfinite(values)
    all_known = bool(known.all())
    share = (values if all_known else np.where(known, values, 0.0)) * (SHADES / top)
    shades = np.take(scale_table(), np.minimum(share, SHADES - 1).astype(np.intp), axis=0)
    if not all_known:
        shades[~known] = UNKNOWN
    return shades


def order_colors(psi: np.ndarray) -> np.ndarray:
    """The colours of psi_6, (n, 3) uint8: hue by the phase, strength by the modulus."""
    hue = np.floor(np.angle(psi) / (2 * math.pi) * HUES).astype(np.intp)
    strength = np.minimum(np.abs(psi) * STRENGTHS, STRENGTHS - 1).astype(np.intp)
    return np.take(wheel_table(), np.where(hue < 0, hue + HUES, hue) % HUES * STRENGTHS + strength, axis=0)


@lru_cache(maxsize=1)
def scale_table() -> np.ndarray:
    """The colours of a scale, (SHADES, 3) uint8, from low to high."""
    at, places = np.linspace(0, 1, SHADES), np.linspace(0, 1, len(ANCHORS))
    lightness, chroma, hue = (np.interp(at, places, column) for column in ANCHORS.T)
    return from_oklab(lightness, chroma, np.radians(hue))


@lru_cache(maxsize=1)
def wheel_table() -> np.ndarray:
    """The colours of psi_6, (HUES * STRENGTHS, 3) uint8: all strengths of the first hue, then of the next."""
    hue = np.repeat(np.arange(HUES) + 0.5, STRENGTHS) / HUES * 2 * math.pi
    strength = np.tile((np.arange(STRENGTHS) + 0.5) / STRENGTHS, HUES)
    return from_oklab(GREY + (FULL - GREY) * strength, CHROMA * strength, hue)


def from_oklab(lightness: np.ndarray, chroma: np.ndarray, hue: np.ndarray) -> np.ndarray:
    """OKLab colours as sRGB, (k, 3) uint8, clipped to the sRGB gamut; hue in radians. Constants: Ottosson 2020."""
    a, b = chroma * np.cos(hue), chroma * np.sin(hue)
    cones = np.stack([lightness + 0.3963377774 * a + 0.2158037573 * b,
                      lightness - 0.1055613458 * a - 0.0638541728 * b,
                      lightness - 0.0894841775 * a - 1.2914855480 * b])**3
    linear = np.array([[4.0767416621, -3.3077115913, 0.2309699292],
                       [-1.2684380046, 2.6097574011, -0.3413193965],
                       [-0.0041960863, -0.7034186147, 1.7076147010]]) @ cones
    linear = np.clip(linear, 0, 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear**(1 / 2.4) - 0.055)
    return np.rint(255 * encoded).astype(np.uint8).T.copy()


def to_oklab(colors: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lightness, chroma and hue (radians) of sRGB colours, (k, 3) uint8. Constants: Ottosson 2020."""
    encoded = colors.T / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055)**2.4)
    cones = np.cbrt(np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                              [0.0883024619, 0.2817188376, 0.6299787005]]) @ linear)
    lightness, a, b = np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                                [0.0259040371, 0.7827717662, -0.8086757660]]) @ cones
    return lightness, np.hypot(a, b), np.arctan2(b, a)


def next_round(number: float) -> float:
    """The number after `number` in the sequence 1, 2, 5, 10, 20, ..."""
    return number * (2.5 if f"{number:e}"[0] == "2" else 2.0)
