"""What is squeezed between things that close on it and give no way ends in a JammedError that names both; nothing else does."""
import math
import re

import numpy as np
import pytest
from scenes import at_most

import hdsim
from hdsim import Box, CollisionSystem, Line, Piston, Segment, Thermal

HEAVY = math.inf
PRESS = Line((1.0625, 0), (-1, 0), velocity=(-1, 0))       # is where discs in their places touch it after 1/16, or before


def system_of(discs, obstacles=(), box=(4, 4), **rest):
    """discs: (x, y, vx, vy, radius, mass) of each."""
    table = np.array(discs, float).reshape(-1, 6)
    return CollisionSystem.from_arrays(table[:, :2], table[:, 2:4], table[:, 4], masses=table[:, 5], box=Box(*box),
                                       obstacles=list(obstacles), **rest)


def row(*masses):
    """Discs in a row that just fits between the left wall and PRESS when that has come by 1/16."""
    radius = .5 / len(masses)
    return [((2 * k + 1) * radius, 2, .5 if k == 0 else 0, 0, radius, mass) for k, mass in enumerate(masses)]


SPHERES = dict(positions=np.array([[.25, 2, 2], [.8125, 2, 2]]), velocities=np.array([[1., 0, 0], [-1, 0, 0]]),
               radii=np.array([.25, .25]), masses=np.array([1, HEAVY]), box=Box(4, 4, depth=4))
WALL, LEFT = "obstacle 0", "the left wall"
SQUEEZES = {    # how it begins, what is squeezed, by what
    "a disc": (lambda: system_of(row(1), [PRESS]), "disc 0 is", {WALL, LEFT}),
    "a disc, obliquely": (lambda: system_of([(.5, 2, .5, .1, .5, 1)], [PRESS]), "disc 0 is", {WALL, LEFT}),
    "a point": (lambda: system_of([(.5, 2, 1, 0, 0, 1)], [PRESS]), "disc 0 is", {WALL, LEFT}),
    "a row of two": (lambda: system_of(row(1, 1), [PRESS]), "discs 0, 1 are", {WALL, LEFT}),
    "a row of unequal ones": (lambda: system_of(row(1, 3, 2), [PRESS]), "discs 0, 1, 2 are", {WALL, LEFT}),
    "by a driven disc": (lambda: system_of([(.25, 2, 1, 0, .25, 1), (.8125, 2, -1, 0, .25, HEAVY)]), "disc 0 is",
                         {"disc 1", LEFT}),
    "by two driven discs": (lambda: system_of([(1, 2, 1, 0, .25, HEAVY), (1.53125, 2, 2, 0, .25, 1),
                                               (2.0625, 2, -1, 0, .25, HEAVY)]), "disc 1 is", {"disc 0", "disc 2"}),
    "at a disc that is fixed": (lambda: system_of([(.25, 2, 0, 0, .25, HEAVY), (.75, 2, .5, 0, .25, 1)], [PRESS]), "disc 1 is",
                                {WALL, "disc 0"}),
    "a piston": (lambda: system_of([(.3125, 2, -1, 0, .25, HEAVY)], [Piston(x=.03125, mass=1, velocity=1)]), "obstacle 0 is",
                 {"disc 0", LEFT}),
    "a piston and a disc": (lambda: system_of([(.3125, 2, 1, 0, .25, 1), (.875, 2, -1, 0, .25, HEAVY)],
                                              [Piston(x=.03125, mass=2)]), "disc 0, obstacle 0 are", {"disc 1", LEFT}),
    "two pistons": (lambda: system_of([(.3125, 2, -1, 0, .25, HEAVY)],
                                      [Piston(x=.03125, mass=1), Piston(x=.015625, mass=2, velocity=.5)]),
                    "obstacle 0, obstacle 1 are", {"disc 0", LEFT}),
    "with a contact time": (lambda: system_of(row(1), [PRESS], restitution=.9, contact_time=1), "disc 0 is", {WALL, LEFT}),
    "spheres": (lambda: CollisionSystem.from_arrays(**SPHERES), "disc 0 is", {"disc 1", LEFT}),
}


@pytest.mark.parametrize("name", SQUEEZES)
def test_a_squeeze_is_told(name):
    begin, said, by = SQUEEZES[name]
    system = begin()
    with at_most(60), pytest.raises(hdsim.JammedError) as jam:
        system.simulate(until=10)
    text = str(jam.value)
    assert text.startswith(f"jammed: {said} squeezed between ") and "ever faster, and time all but stands still at" in text
    assert set(text.partition(" between ")[2].partition(", which close;")[0].split(" and ")) == by
    assert jam.value.particles == tuple(int(word) for word in re.findall(r"\d+", said.partition("obstacle")[0]))
    assert abs(system.energy_balance().drift) < 1e-12


def test_one_among_many_is_found():
    """A gas in a room of its own goes on meanwhile, and is not blamed; its discs do not delay the news."""
    rng = np.random.default_rng(0)
    gas = [(.25 + .5 * i, .25 + .5 * k, *rng.normal(size=2), .1, 1) for i in range(8) for k in range(3)]
    system = system_of([*gas, (.25, 3, 1, 0, .25, 1), (.8125, 3, -1, 0, .25, HEAVY)], [Segment((0, 2), (4, 2))])
    told = "disc 24 is squeezed between (disc 25|the left wall) and"
    with at_most(60), pytest.raises(hdsim.JammedError, match=told):
        system.simulate(until=10)


def test_a_gas_without_room_is_squeezed():
    """More discs than are named; all but still, they still fill what a wall has left them."""
    system = system_of([(.1001 + .2001 * i, .1001 + .2001 * k, (-1)**(i + k) * .1, .05 * k, .1, 1)
                        for i in range(3) for k in range(3)], [Line((.601, 0), (-1, 0), velocity=(-.5, 0))], box=(1, .601))
    told = r"discs (\d+, ){7}\d+, others are squeezed between .*obstacle 0"
    with at_most(60), pytest.raises(hdsim.JammedError, match=told) as jam:
        system.simulate(until=10)
    assert len(jam.value.particles) == 8 and list(jam.value.particles) == sorted(jam.value.particles)


def test_it_does_not_depend_on_pauses_or_on_copies():
    """Cut into pieces, and gone on with by a copy, a run ends with the same event."""
    def ended(system):
        with at_most(60), pytest.raises(hdsim.JammedError) as jam:
            system.simulate(until=10)
        return system.statistics["events"], system.time, str(jam.value)

    system = system_of(row(1, 2), [PRESS])
    whole = ended(system.copy())
    for events in (1, 300, 5000, 20000):
        system.simulate(max_events=events)
        assert ended(system.copy()) == whole
    assert ended(system) == whole


def test_what_goes_on_is_not_told():
    """A narrow slot beside a slow press; a press that turns in time; discs that grow beside a driven one; a hot side."""
    r = .25
    slot = [Segment((2, 0), (2, 4)), Segment((2 + 2 * r + 1e-7, 0), (2 + 2 * r + 1e-7, 4))]
    narrow = system_of([(2 + r + 5e-8, 1, 1, 0, r, 1)], [*slot, Line((3, 0), (-1, 0), velocity=(-1e-6, 0))])
    turning = system_of(row(1), [Line((1.0625, 0), (-1, 0), motion=[(0, (-1, 0)), (.0624, (1, 0))], period=.1248)])
    slow = system_of([(1, 1, 1, .5, .25, 1), (3, 3, -1e-12, 0, .25, HEAVY)], restitution=.5, contact_time=1,
                     walls={"left": Thermal(1)})
    for system in (narrow, turning, slow):
        with at_most(60):
            system.simulate(max_events=40_000)
        assert system.statistics["events"] == 40_000


def test_a_change_by_hand_ends_it():
    """Once told, a squeeze that is ended by hand is not told again; one that is left is."""
    system = system_of(row(1), [PRESS])
    for _ in range(2):
        with at_most(60), pytest.raises(hdsim.JammedError):
            system.simulate(until=10)
    system.reverse()
    system.simulate(max_events=200)
    assert system.time > 0
