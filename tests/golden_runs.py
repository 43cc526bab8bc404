"""Runs with other laws than the book's to 30 digits, for every engine that has these laws: granular gases, moving walls, pistons.

`golden(name)` reads tests/golden/<name>.txt, which tests/golden_decimals.py has written: a line for each contact, with
its time, a disc, and what it touches: a disc, a wall of the box, or "obstacle k". The last two lines have the state and the
energies at the time of the last contact. All numbers of the setups are exact in binary.
"""
import math
import random
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
    "ramp": dict(discs=GAS[:4], box=(1.5, 1.125), gravity=(0, -1), contacts=48,
                 obstacles=[("Segment", ((.0625, .5), (.4375, .4375)), {}), ("Circle", ((1.0625, 0), .25), {})]),
    "grains": dict(discs=GAS, box=(1.5, 1.125), gravity=(.25, -1.5), restitution={"pair": .90625, "wall": .8125}, contacts=60,
                   contact_time=1 / 64, obstacles=[("Circle", ((.875, 1.125), .125), {"restitution": .5}),
                                                   ("Line", ((1.5, .5), (-1, .25)), {})]),
    "weighty-piston": dict(discs=[*GAS[:2], GAS[4]], box=(1.5, 1.125), gravity=(-.125, -.75), contacts=50,
                           restitution={"pair": .96875, "wall": .9375},
                           obstacles=[("Piston", (), {"y": .875, "mass": 3, "velocity": -.125, "force": .5}),
                                      ("Segment", ((.625, .375), (.75, .5)), {"motion": COURSE, "period": 2.25})]),
}


def random_setup(seed, falls=False):
    """A setup as those of SETUPS: some discs, and obstacles that may move, of three shapes, and pistons, one for an axis; with
    gravity if it `falls`."""
    rnd = random.Random(seed)

    def binary(low, high):
        return round(rnd.uniform(low, high) * 1024) / 1024

    def motion():
        u, w = ((binary(-.25, .25), binary(-.25, .25)) for _ in range(2))
        return rnd.choice([{}, {"velocity": (u[0] / 4, u[1] / 4)}, {"motion": [(0, u), (.5, (-u[0], -u[1]))], "period": 1},
                           {"motion": [(0, u), (.25, w), (.75, (0, 0))]}])

    pistons = [("Piston", (), {axis: binary(.5, .7), "mass": binary(.1, 4), "velocity": binary(-.5, .5),
                               "force": rnd.choice([0, binary(-2, 2)])}) for axis in "xy" if rnd.random() < .4]
    shapes = [("Circle", ((binary(0, 1.5), binary(0, 1.125)), binary(.03, .1)), motion()),
              ("Segment", ((binary(0, 1.5), binary(0, 1.125)), (binary(0, 1.5), binary(0, 1.125))), motion()),
              ("Line", ((1.5, binary(.5, 1)), (-1, binary(-.25, .25))), motion())]
    obstacles = rnd.sample(shapes, rnd.choice([0, 1, 2, 3])) + pistons
    for *_, keywords in obstacles:
        keywords.update({"restitution": binary(.7, 1)} if rnd.random() < .4 else {})
    discs = []
    while len(discs) < rnd.choice([3, 4, 5]):
        r = binary(.03, .12)
        x, y = binary(r, 1.5 - r), binary(r, 1.125 - r)
        if (r <= min(x, y, 1.5 - x, 1.125 - y) and all(math.dist((x, y), row[:2]) > r + row[4] for row in discs)
                and all(clear(x, y, r, *obstacle) for obstacle in obstacles)):
            discs.append((x, y, binary(-1, 1), binary(-1, 1), r, rnd.choice([.25, 1, 3])))
    return dict(discs=discs, box=(1.5, 1.125), restitution={"pair": binary(.7, 1), "wall": binary(.7, 1)}, obstacles=obstacles,
                contact_time=rnd.choice([0, 0, 1 / 16]), **({"gravity": (binary(-.5, .5), binary(-2, 2))} if falls else {}))


def clear(x, y, r, kind, arguments, keywords):
    """Whether a disc has some room to an obstacle of a setup."""
    r += .01
    if kind == "Piston":
        return abs((x if "x" in keywords else y) - keywords.get("x", keywords.get("y"))) > r
    if kind == "Circle":
        return math.dist((x, y), arguments[0]) > r + arguments[1]
    (ax, ay), (bx, by) = arguments
    if kind == "Line":
        return ((x - ax) * bx + (y - ay) * by) / math.hypot(bx, by) > r
    along = max(0, min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax)**2 + (by - ay)**2)))
    return math.dist((x, y), (ax + along * (bx - ax), ay + along * (by - ay))) > r


class Contact(NamedTuple):
    """At `time`, disc i touches a disc j, a wall, or the obstacle of this number; the others are None."""

    time: Decimal
    i: int
    j: int | None
    wall: str | None
    obstacle: int | None


class Run(NamedTuple):
    """setup: a value of SETUPS. state: at the last contact x, y, vx, vy of each disc, then place and velocity of each piston.
    energies: kinetic, dissipated, work then, and, with gravity, potential."""

    setup: dict
    contacts: list[Contact]
    state: list[Decimal]
    energies: list[Decimal]


def golden(name):
    """The run of this name."""
    return run_of(SETUPS[name], (FOLDER / f"{name}.txt").read_text().splitlines())


def run_of(setup, lines):
    """The run of a setup from the lines of a file. ValueError if the end is missing."""
    contacts = []
    for line in lines:
        first, *words = line.split()
        if first == "state":
            state = [*map(Decimal, words)]
        elif first == "energies":
            return Run(setup, contacts, state, [*map(Decimal, words)])
        else:
            i, what, *number = words
            wall = what if what in ("left", "right", "bottom", "top") else None
            contacts.append(Contact(Decimal(first), int(i), int(what) if what.isdigit() else None, wall,
                                    int(number[0]) if number else None))
    raise ValueError("there is no line of energies")
