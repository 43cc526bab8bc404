"""The showcase: every named system and every experiment as a small system to look at, each with one sentence.

The gallery of the window, the list of a page and the command line without a display show the same exhibits."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..language import tr
from ..model.colors import rms_speed
from ..observers import (CollisionRates, FreePath, MeanSquaredDisplacement, Observer, Pressure, RegionFractions, Speed,
                         Temperature)
from ..starts import datasets, named, sources
from ..starts.gases import random_gas
from ..system import CollisionSystem
from ._brownian import LEVELS, Grain
from ._engine import loaded
from .exercises import EXPERIMENTS
from .heavy_path import SAMPLES
from .setting import fluid

FIRST, LAB = "to begin with", "experiments"
GROUPS = (FIRST, *named.GROUPS, LAB)
# The exhibits with which the gallery begins, by title.
BEGIN = ("crowded", "vessels", "demon", "stadium", "brownian", "billiards10", "sphere", "hyperbolic", "mixture3", "lab queues")
LINES = 15              # of the kinetic heap
BINS = 60               # of a figure
HEAVY = 1e6             # a disc with so many times the mass of others is a post


class Exhibit(NamedTuple):
    """A system to look at. group: one of GROUPS. title: the name that a window on it has, which `of_title` takes. english: what
    there is to see, in English. make: returns the system, or a gas in another space, the same at each call. figure: what grows
    beside it, "plots", "queue" or "ledger"; or "". observer: makes the observer whose figure stands first among the plots; or
    None."""

    group: str
    title: str
    english: str
    make: Callable[[], Any]
    figure: str = ""
    observer: Callable[[CollisionSystem], Observer] | None = None

    @property
    def sentence(self) -> str:
        """What there is to see, in the language in use."""
        return tr(self.english) if self.group == LAB or self.title.startswith("lab ") else named.describe(self.title)


def exhibits() -> list[Exhibit]:
    """All exhibits, by group, in the order of their lists; those of the first group stand in their own groups, too. No system is
    made yet."""
    others = [*(Exhibit(named.group_of(name), name, "", partial(sources.load, name)) for name in named.names()
                if name in named.TABLES or name in named.SPACES or datasets.is_original(name)),
              *(Exhibit(LAB, f"lab {name}", question, *SMALL[name], OBSERVERS.get(name))
                for name, question in EXPERIMENTS.items())]
    titles = {each.title: each for each in others}
    return [*(titles[title]._replace(group=FIRST) for title in BEGIN), *others]


def of_title(title: str) -> Exhibit | None:
    """The exhibit of this title; None if there is none."""
    return next((each for each in exhibits() if each.title == title), None)


def _lines() -> CollisionSystem:
    """Discs that move along lines x = a + b t, each in a row of its own."""
    rows = (np.arange(LINES) + 0.5) / LINES
    positions = np.stack((0.1 + 0.8 * rows[::-1] ** 2, rows), axis=1)
    velocities = np.stack((0.4 * (rows - 0.4), 0.0 * rows), axis=1)
    return CollisionSystem.from_arrays(positions, velocities, 0.4 / LINES)


def _equal_speeds() -> CollisionSystem:
    """Discs of one speed, which becomes many."""
    return CollisionSystem.from_configuration(datasets.equal_speeds(200, 0.012, 1.0, 0.3))


def _grains() -> CollisionSystem:
    """The data set granular, with fewer and larger grains."""
    return CollisionSystem.from_configuration(datasets.generate("granular", n=800, radius=0.01))


def _grain(system: CollisionSystem) -> Observer:
    """The displacements of the heavy disc, sampled as in the laboratory."""
    grain = Grain.of(system)
    chosen = np.full(len(system), -1)
    chosen[grain.heavy] = 0
    return MeanSquaredDisplacement(grain.enskog / SAMPLES, LEVELS, chosen)


def _left(system: CollisionSystem) -> Observer:
    """The fractions of the lightest discs, or of two species of them, that are in the left half; not those of posts."""
    half = 0, 0, system.box.width / 2, system.box.height
    species = np.where(system.masses > HEAVY * system.masses.min(), -1, system.species)
    return RegionFractions(half, 0.05 * system.box.width / rms_speed(system), species)


# What each experiment measures and draws over time, where one system shows it.
OBSERVERS: dict[str, Callable[[CollisionSystem], Observer]] = {
    "brownian": _grain,
    "free-path": lambda system: FreePath(bins=BINS),
    "rates": lambda system: CollisionRates(),
    "rms": lambda system: Speed(bins=BINS),
    "maxwell": lambda system: Speed(bins=BINS),
    "pressure": lambda system: Pressure(),
    "eos": lambda system: Pressure(),
    "vessels": _left,
    "diffusion": _left,
    "engine": lambda system: Temperature(),
    "tables": lambda system: FreePath(True, bins=BINS),
    "cooling": lambda system: Temperature(),
    "piston": lambda system: Temperature(),
    "heat": lambda system: Temperature(),
    "shear": lambda system: Temperature(),
}
# The system of each experiment, or one of those that it measures, with fewer discs; and the figure that grows beside it.
SMALL: dict[str, tuple[Callable[[], Any], str]] = {
    "brownian": (partial(sources.load, "brownian"), "plots"),
    "free-path": (partial(fluid, 100, 0.1), "plots"),
    "rates": (partial(sources.load, "p100-2K"), "plots"),
    "rms": (partial(fluid, 100, 0.3), "plots"),
    "maxwell": (_equal_speeds, "plots"),
    "pressure": (partial(fluid, 150, 0.25, periodic=False), "plots"),
    "eos": (partial(fluid, 150, 0.6), "plots"),
    "temperature": (partial(sources.load, "p100-.5K"), "plots"),
    "vessels": (partial(sources.load, "vessels"), "plots"),
    "diffusion": (partial(sources.load, "diffusion"), "plots"),
    "tables": (partial(sources.load, "stadium"), "plots"),
    "reverse": (partial(sources.load, "billiards5"), "plots"),
    "demon": (partial(sources.load, "demon"), "ledger"),
    "engine": (loaded, "plots"),
    "spaces": (partial(random_gas, "hyperbolic", 80), "plots"),
    "cells": (partial(fluid, 800, 0.3), "queue"),
    "cooling": (_grains, "plots"),
    "piston": (partial(sources.load, "piston"), "plots"),
    "heat": (partial(sources.load, "two-temperatures"), "plots"),
    "shear": (partial(sources.load, "couette"), "plots"),
    "barometer": (partial(sources.load, "barometer"), "plots"),
    "bounce": (partial(sources.load, "bouncing-ball"), "plots"),
    "galton": (partial(sources.load, "galton"), "plots"),
    "silo": (partial(sources.load, "silo"), "plots"),
    "time-step": (partial(fluid, 40, 0.4), "plots"),
    "break": (partial(sources.load, "billiards5"), "queue"),
    "kinetic": (_lines, "queue"),
    "spheres": (partial(random_gas, "l2-3d", 100), "plots"),
    "transport": (partial(random_gas, "l2-3d", 60), "plots"),
    "pollen3": (partial(random_gas, "l2-3d", 80), "plots"),
    "queues": (partial(fluid, 400, 0.2), "queue"),
}
