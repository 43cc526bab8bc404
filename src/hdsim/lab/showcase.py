"""The showcase: every named data set, table and experiment as a small system to look at, each with one sentence."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ..language import tr
from ..spaces.paper import Paper
from ..starts import datasets, sources, tables
from ..starts.gases import random_gas
from ..starts.table import Table
from ..system import CollisionSystem
from .exercises import EXPERIMENTS
from .setting import fluid

GROUPS = ("data sets", "tables", "experiments")
SPEED = 0.3             # of the discs on tables, over the shorter side of the box, per time unit
LINES = 15              # of the kinetic heap


class Exhibit(NamedTuple):
    """A system to look at. group: one of GROUPS. make: returns the system, the same at each call."""

    group: str
    name: str
    make: Callable[[], CollisionSystem | Paper]

    @property
    def title(self) -> str:
        """The name that a window on it has. An experiment may have that of a data set."""
        return f"lab {self.name}" if self.group == "experiments" else self.name

    @property
    def sentence(self) -> str:
        """What there is to see, in the language in use."""
        if self.group == "tables":
            return tr(TABLES[self.name][0])
        return tr(EXPERIMENTS[self.name]) if self.group == "experiments" else datasets.describe(self.name)


# Name of each table: what it is, the table, and the number and the radius of the discs on it.
TABLES: dict[str, tuple[str, Callable[[], Table], int, float]] = {
    "two-vessels": ("two vessels that are connected by a pipe, with all discs in the left one",
                    partial(tables.two_vessels, 0.08, 0.1), 80, 0.012),
    "slit": ("two halves of a box, with an opening between them", partial(tables.rectangle_with_slit, 0.15), 80, 0.012),
    "sinai": ("Sinai's billiard: a square with a round obstacle, on which paths that begin close together soon part",
              partial(tables.sinai, 0.25), 12, 0.02),
    "lorentz": ("the Lorentz gas: light discs between round obstacles on a triangular lattice",
                partial(tables.lorentz, 2.5, 1.0), 12, 0.08),
    "stadium": ("Bunimovich's stadium: chaos between two half circles and two straight walls",
                partial(tables.stadium, 2.0, 1.0), 12, 0.06),
    "circle": ("a circle, on which each disc that meets no other keeps its angular momentum",
               partial(tables.stadium, 0.0, 1.0), 1, 0.06),
    "mushroom": ("a mushroom: order in part of its cap, chaos elsewhere", partial(tables.mushroom, 1.0, 0.6, 1.0), 12, 0.05),
    "wedge": ("a wedge of 60 degrees between two walls", partial(tables.wedge, 60.0), 12, 0.02),
    "polygon": ("a regular pentagon", partial(tables.polygon, 5), 20, 0.05),
}


def exhibits() -> list[Exhibit]:
    """All exhibits, by group, in the order of their lists. No system is made yet."""
    named = [Exhibit(GROUPS[0], name, partial(sources.load, name)) for name in datasets.names(2) if datasets.is_original(name)]
    return [*named, *(Exhibit(GROUPS[1], name, partial(_on_table, name)) for name in TABLES),
            *(Exhibit(GROUPS[2], name, SMALL[name]) for name in EXPERIMENTS)]


def _on_table(name: str) -> CollisionSystem:
    _, make, n, radius = TABLES[name]
    table = make()
    speed = SPEED * min(table.box.width, table.box.height)
    room = table.rooms[0].name if table.rooms and name == "two-vessels" else None
    return table.random(n, radius=radius, speed=speed, room=room)


def _lines() -> CollisionSystem:
    """Discs that move along lines x = a + b t, each in a row of its own."""
    rows = (np.arange(LINES) + 0.5) / LINES
    positions = np.stack((0.1 + 0.8 * rows[::-1] ** 2, rows), axis=1)
    velocities = np.stack((0.4 * (rows - 0.4), 0.0 * rows), axis=1)
    return CollisionSystem.from_arrays(positions, velocities, 0.4 / LINES)


# The system of each experiment, or one of those that it measures, with fewer discs.
SMALL: dict[str, Callable[[], CollisionSystem | Paper]] = {
    "brownian": partial(sources.load, "brownian"),
    "free-path": partial(fluid, 100, 0.1),
    "rates": partial(sources.load, "p100-2K"),
    "rms": partial(fluid, 100, 0.3),
    "maxwell": lambda: CollisionSystem.from_configuration(datasets.equal_speeds(200, 0.012, 1.0, 0.3)),
    "pressure": partial(fluid, 150, 0.25, periodic=False),
    "eos": partial(fluid, 150, 0.6),
    "temperature": partial(sources.load, "p100-.5K"),
    "vessels": partial(sources.load, "vessels"),
    "diffusion": partial(sources.load, "diffusion"),
    "tables": partial(_on_table, "stadium"),
    "reverse": partial(sources.load, "billiards5"),
    "demon": partial(sources.load, "demon"),
    "spaces": lambda: random_gas("hyperbolic", 80).on_paper(),
    "cells": partial(fluid, 800, 0.3),
    "time-step": partial(fluid, 40, 0.4),
    "break": partial(sources.load, "billiards5"),
    "kinetic": _lines,
    "queues": partial(fluid, 400, 0.2),
}
