"""The systems that have a name: the data sets, discs on the tables of `hdsim.tables`, and gases in other spaces.

`load`, the command line, windows and pages all take these names, and no others."""
from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ..language import tr
from ..model import spelling
from ..system import CollisionSystem
from . import datasets, tables
from .table import Table

GROUPS = ("data sets", "tables", "other spaces")
SPEED = 0.3             # of the discs on tables, over the shorter side of the box, per time unit


class OnTable(NamedTuple):
    """What a table is, the table, the number and the radius of the discs on it, and the room that they are in, if not in all."""

    sentence: str
    make: Callable[[], Table]
    n: int
    radius: float
    room: str | None = None


TABLES: dict[str, OnTable] = {
    "two-vessels": OnTable("two vessels that are connected by a pipe, with all discs in the left one",
                           partial(tables.two_vessels, 0.08, 0.1), 80, 0.012, "left"),
    "slit": OnTable("two halves of a box, with an opening between them", partial(tables.rectangle_with_slit, 0.15), 80, 0.012),
    "sinai": OnTable("Sinai's billiard: a square with a round obstacle, on which paths that begin close together soon part",
                     partial(tables.sinai, 0.25), 12, 0.02),
    "lorentz": OnTable("the Lorentz gas: light discs between round obstacles on a triangular lattice",
                       partial(tables.lorentz, 2.5, 1.0), 12, 0.08),
    "stadium": OnTable("Bunimovich's stadium: chaos between two half circles and two straight walls",
                       partial(tables.stadium, 2.0, 1.0), 12, 0.06),
    "circle": OnTable("a circle, on which each disc that meets no other keeps its angular momentum",
                      partial(tables.stadium, 0.0, 1.0), 1, 0.06),
    "mushroom": OnTable("a mushroom: order in part of its cap, chaos elsewhere", partial(tables.mushroom, 1.0, 0.6, 1.0), 12,
                        0.05),
    "wedge": OnTable("a wedge of 60 degrees between two walls", partial(tables.wedge, 60.0), 12, 0.02),
    "polygon": OnTable("a regular pentagon", partial(tables.polygon, 5), 20, 0.05),
}

# Names of `gases.space_of`: what the gas is, and of how many balls.
SPACES: dict[str, tuple[str, int]] = {
    "sphere": ("discs on a sphere, where straight on leads back to the start", 100),
    "hyperbolic": ("discs in the hyperbolic plane, in an octagon on Poincare's disc, where there is more room outside", 80),
    "linf": ("squares that never turn, and only exchange components of their velocities", 80),
    "l1": ("squares on their corners: balls of the taxicab distance", 80),
    "l4": ("balls between circles and squares, to which angular momentum is nothing", 80),
    "l2-3d": ("hard spheres in a cube", 100),
    "rods": ("rods on a line, which meet their neighbours only", 20),
}


def names() -> list[str]:
    """All names, by group."""
    return [*datasets.names(), *TABLES, *SPACES]


def group_of(name: str) -> str:
    """One of GROUPS. UnknownDataSetError for another name."""
    if datasets.is_name(name):
        return GROUPS[0]
    if name not in TABLES and name not in SPACES:
        raise datasets.UnknownDataSetError(f"no system is called {name!r}: {hint(name)}")
    return GROUPS[1] if name in TABLES else GROUPS[2]


def is_name(name: str) -> bool:
    """Whether a system has this name; that of a data set may end in ".txt"."""
    return datasets.is_name(name) or name in TABLES or name in SPACES


def describe(name: str) -> str:
    """What the system is, in a sentence in the language in use. UnknownDataSetError for another name."""
    group = group_of(name)
    if group == GROUPS[0]:
        return datasets.describe(name)
    return tr(TABLES[name].sentence) if group == GROUPS[1] else tr(SPACES[name][0])


def hint(name: str) -> str:
    """The names nearest to one that does not exist, in words."""
    near = spelling.nearest(os.path.basename(name).removesuffix(".txt"), names(), 3)
    return f"nearest: {', '.join(near)}" if near else "`python -m hdsim list` shows them all"


def example(name: str) -> Any:
    """The `CollisionSystem` on the table, or the `spaces.Gas`, of this name: equal at each call, on every machine."""
    if name in TABLES:
        return _on_table(TABLES[name])
    from .gases import random_gas       # imported late: most programs need no other spaces

    return random_gas(name, SPACES[name][1])


def _on_table(which: OnTable) -> CollisionSystem:
    table = which.make()
    return table.random(which.n, radius=which.radius, speed=SPEED * min(table.box.width, table.box.height), room=which.room)
