"""Runs with other laws than the book's to 30 digits, for every engine that has these laws: granular gases, moving walls, pistons.

`golden(name)` reads tests/golden/<name>.txt, which tests/reference/golden_decimals.py has written: a line for each contact, with
its time, a disc, and what it touches: a disc, a wall of the box, or "obstacle k". The last two lines have the state and the
energies at the time of the last contact. All numbers of the setups are exact in binary.
"""
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "golden"
GAS = [(.1875, .25, .5, .3125, .125, 1), (.625, .1875, -.4375, .1875, .15625, 2), (.3125, .6875, .125, -.625, .140625, .5),
       (.75, .75, -.25, -.5, .125, 1), (1.125, .5, -.75, .25, .15625, 1.5), (1.25, .875, .375, .125, .109375, 1)]
COURSE = [(0, (.25, .125)), (.5, (-.25, .25)), (1.25, (.125, -.5)), (1.75, (0, 0)), (2, (-.0625, .0625))]

# discs: x, y, vx, vy, radius, mass; obstacles: the name of a class, its arguments, its keywords; contacts: how many there are.
SETUPS = {
    "granular": dict(discs=GAS, box=(1.5, 1.125), restitution={"pair": .90625, "wall": .8125}, contacts=60),
    "granular-species": dict(discs=[*GAS, (.9375, .25, .5, -.625, .0625, .25)], box=(1.5, 1.125), species=[0, 1, 0, 1, 0, 1, 0],
                             restitution={"pair": [[.9375, .8125], [.8125, .75]], "wall": .875},
                             obstacles=[("Circle", ((.875, 1.125), .125), {"restitution": .5})], contacts=56),
    "contact-time": dict(discs=GAS, box=(1.5, 1.125), restitution={"pair": .75, "wall": .625}, contact_time=.25, contacts=60),
    "moving-wall": dict(discs=GAS[:4], box=(1.5, 1.125), contacts=48,
                        obstacles=[("Line", ((1, 0), (-1, 0)), {"velocity": (-1 / 64, 0)})]),
    "shaken": dict(discs=GAS[:5], box=(1.5, 1.125), restitution={"pair": .9375, "wall": .875}, contacts=64,
                   obstacles=[("Line", ((0, .015625), (0, 1)), {"motion": [(0, (0, .25)), (.25, (0, -.25))], "period": .5}),
                              ("Line", ((1.5, 1.125), (-1, .125)), {"restitution": .75})]),
    "paddle": dict(discs=[GAS[0], GAS[2], (1.125, .25, -.75, .25, .109375, 1), (1.125, .8125, .25, .5, .125, 2)],
                   box=(1.5, 1.125), contacts=54,
                   obstacles=[("Segment", ((.625, .375), (.75, .625)), {"motion": COURSE, "period": 2.25}),
                              ("Circle", ((.625, 1.125), .125), {"velocity": (1 / 64, -1 / 64)})]),
    "piston": dict(discs=GAS[:5], box=(1.5, 1.125), contacts=60, obstacles=[("Piston", (), {"x": .90625, "mass": 1.25})]),
    "loaded-piston": dict(discs=[*GAS[:2], GAS[4]], box=(1.5, 1.125), restitution={"pair": .96875, "wall": .9375}, contacts=50,
                          obstacles=[("Piston", (), {"y": .875, "mass": 3, "velocity": -.125, "force": -.75}),
                                     ("Line", ((1.5, 0), (-1, 0)), {"velocity": (-1 / 128, 0)})]),
}


class Contact(NamedTuple):
    """At `time`, disc i touches a disc j, a wall, or the obstacle of this number; the others are None."""

    time: Decimal
    i: int
    j: int | None
    wall: str | None
    obstacle: int | None


class Run(NamedTuple):
    """setup: a value of SETUPS. state: at the last contact x, y, vx, vy of each disc, then place and velocity of each piston.
    energies: kinetic, dissipated, work then."""

    setup: dict
    contacts: list[Contact]
    state: list[Decimal]
    energies: list[Decimal]


def golden(name):
    """The run of this name."""
    contacts = []
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        first, *words = line.split()
        if first == "state":
            state = [*map(Decimal, words)]
        elif first == "energies":
            return Run(SETUPS[name], contacts, state, [*map(Decimal, words)])
        else:
            i, what, *number = words
            wall = what if what in ("left", "right", "bottom", "top") else None
            contacts.append(Contact(Decimal(first), int(i), int(what) if what.isdigit() else None, wall,
                                    int(number[0]) if number else None))
    raise ValueError(f"{name}.txt has no line of energies")
