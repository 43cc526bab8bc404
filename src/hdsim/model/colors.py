"""What the colours of discs are unless another look is wanted, in windows and in figures: those of their file, or by what tells
the discs apart; and the tables of colours that a scale has."""
from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .box import lengths_of
from .numbers import vectors
from .roles import Editable, HasGravity, HasObstacles, OfSpace, offers

SPEED_TOP = 2.5         # rms speeds: in a gas, exp(-6.25) = 0.2 % of the discs are faster
SHADES = 256            # colours of a scale
UNKNOWN = (150, 150, 150)           # a disc of infinite mass has no energy
FEW = 20                # discs that are all alike and no more than these are told apart by their numbers
LEAST = 0.5             # lightness in OKLab that shows on dark paper as well as on white
# Colours that the colour-blind can distinguish: the palette of Okabe and Ito, "Color universal design" (2008), darkened for white
# paper. Orange, sky blue, green, blue, vermilion, purple, yellow.
ON_WHITE = ((196, 130, 0), (46, 143, 201), (0, 138, 100), (0, 95, 158), (200, 80, 0), (180, 92, 142), (160, 148, 0))
# By number or species: these, the most different ones first.
PALETTE = np.array([ON_WHITE[k] for k in (1, 4, 2, 0, 5, 6, 3)], np.uint8)

# Blue over green to yellow: lightness rises evenly, so that the scale also works in grey, and the colour-blind can tell blue from
# yellow; and it begins and ends such that discs show on white as on dark paper. In OKLab (B. Ottosson, "A perceptual color space
# for image processing", 2020): lightness, chroma, hue in degrees.
ANCHORS = np.array([(0.44, 0.17, 283.0), (0.53, 0.14, 260.0), (0.62, 0.10, 225.0), (0.71, 0.11, 170.0), (0.80, 0.155, 130.0),
                    (0.89, 0.175, 104.0)])


def usual_colors(system: Any) -> np.ndarray:
    """The colours that show unless another look is wanted, in the present state of the system, (n, 3) uint8."""
    kind = usual(system)
    return FIXED[kind](system) if kind in FIXED else scale_colors(speeds(system), SPEED_TOP * scale_speed(system) or 1.0)


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


def speeds(system: Any) -> np.ndarray:
    """The speeds of the discs, (n,), length / time."""
    return np.sqrt(squared_speeds(system))


def squared_speeds(system: Any) -> np.ndarray:
    if offers(system, OfSpace):
        return np.square(system.speeds)
    velocities = vectors(system.velocities)
    return sum((column * column for column in velocities.T), np.zeros(len(system)))


def mean_energy(system: Any) -> float:
    """Kinetic energy per disc of finite mass: conserved, unless discs are driven."""
    mobile = int(np.isfinite(np.asarray(system.masses, float)).sum())
    return system.kinetic_energy / mobile if mobile else 0.0


def rms_speed(system: Any) -> float:
    """The rms speed of discs of finite mass if energy is shared equally: conserved, unless discs are driven."""
    mass = usual_mass(system)
    return math.sqrt(2 * mean_energy(system) / mass) if mass else 0.0


def usual_mass(system: Any) -> float:
    """The harmonic mean of the finite masses, which turns mean energies into mean squares of speeds; 0 if there are none."""
    masses = np.asarray(system.masses, float)
    masses = masses[np.isfinite(masses)]
    return 1 / float(np.mean(1 / masses)) if len(masses) else 0.0


def fall_speed(system: Any) -> float:
    """The speed after a fall through a quarter of the box; 0 without gravity. Where bodies fall, they reach speeds around it,
    however slowly they begin."""
    if not offers(system, HasGravity):
        return 0.0
    return math.sqrt(0.5 * sum(abs(g) * length for g, length in zip(system.gravity, lengths_of(system.box))))


def scale_speed(system: Any) -> float:
    """The speed that fixes the scale of a picture: the rms speed or, if it is larger, that of a fall."""
    return max(rms_speed(system), fall_speed(system))


def scale_colors(values: np.ndarray, top: float) -> np.ndarray:
    """The colours of values on the scale from 0 to top, (n, 3) uint8; above it the last colour, for nan UNKNOWN."""
    known = np.isfinite(values)
    all_known = bool(known.all())
    share = (values if all_known else np.where(known, values, 0.0)) * (SHADES / top)
    shades = np.take(scale_table(), np.minimum(share, SHADES - 1).astype(np.intp), axis=0)
    if not all_known:
        shades[~known] = UNKNOWN
    return shades


@lru_cache(maxsize=1)
def scale_table() -> np.ndarray:
    """The colours of a scale, (SHADES, 3) uint8, from low to high."""
    at, places = np.linspace(0, 1, SHADES), np.linspace(0, 1, len(ANCHORS))
    lightness, chroma, hue = (np.interp(at, places, column) for column in ANCHORS.T)
    return from_oklab(lightness, chroma, np.radians(hue))


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
