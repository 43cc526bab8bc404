"""Contacts of one instant: which belong together, whatever cells and queue know, and chains of contacts in zero time."""
import itertools
import math

import numpy as np
import pytest
from scenes import at_most

from hdsim import Arc, Box, Circle, CollisionSystem, JammedError, Particle, Segment

SETTINGS = [{}, {"cells": (1, 1)}, {"cells": (2, 2)}, {"cells": (3, 5)}, {"queue": "heap"}, {"vectors": False},
            {"cells": (1, 1), "queue": "heap", "vectors": False}]


def touching_discs(kind: str, seed: int) -> dict:
    """Discs on lattice points, in plain decimals, that touch in rows; one to three of them fly."""
    rng = np.random.default_rng(seed)
    diameter = float(rng.choice([.05, .1, .02, .04, .0625, .03, .07]))
    columns, rows = (20, 20) if seed % 40 == 0 else (12, 1) if kind == "row" else rng.integers(2, 7, 2)
    gap = float(rng.choice([0, .01, .001])) if kind == "rows" else 0.0
    positions = np.array([(i * diameter + (j % 2) * diameter / 2 * (kind == "triangular"),
                           j * (diameter * (math.sqrt(3) / 2 if kind == "triangular" else 1) + gap))
                          for i, j in itertools.product(range(columns), range(rows))])
    margin = float(rng.choice([0, .05, .1, .2]))
    positions += diameter / 2 + float(rng.choice([0, margin]))
    extent = positions.max(axis=0) + diameter / 2
    sides = np.maximum(np.maximum(extent + float(rng.choice([0, margin, .25])), 2.3 * diameter).round(4), extent)
    velocities = np.zeros_like(positions)
    for i in rng.choice(len(positions), rng.integers(1, 4)):
        velocities[i] = rng.choice([-1, -.5, 0, .3, .5, 1, 2], 2)
    obstacles = [Segment((float(extent[0]), 0), (float(extent[0]), float(sides[1])))] if rng.random() < .3 else []
    return dict(positions=positions, velocities=velocities, radii=diameter / 2,
                box=Box(*map(float, sides), (bool(seed & 1), bool(seed & 2)) if rng.random() < .4 else (False, False)),
                obstacles=obstacles)


def outcome(arguments: dict, always: bool = False, **settings):
    """Hash and last time of a run; None if these cells are refused. always: neighbours are searched at each contact."""
    try:
        system = CollisionSystem.from_arrays(**arguments, **settings)
    except ValueError:
        return None
    system._engine.search_always(always)
    energy = system.kinetic_energy
    system.simulate(until=20, max_events=400)
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-12)
    return system.hash(), system.time


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore::hdsim.OverlapWarning")
@pytest.mark.parametrize("kind", ["square", "triangular", "rows", "row"])
def test_discs_that_touch_in_rows_have_one_history(kind):
    """Whatever cells, queue and vectors are, and whether the cheap test or the full search decides."""
    for seed in range(40):
        arguments = touching_discs(kind, seed)
        found = {outcome(arguments, **settings) for settings in SETTINGS} | {outcome(arguments, always=True)}
        assert len(found - {None}) == 1, seed


def test_nine_discs_of_a_square_lattice():
    """At event 28 one contact is due, and another one closes at rounding speed: it does not belong to that."""
    points = np.array([(i * .05, j * .05) for i in range(3) for j in range(3)]) + .05
    velocities = np.zeros_like(points)
    velocities[0] = 1, 1
    arguments = dict(positions=points, velocities=velocities, radii=.025, box=Box(.25, .25))
    assert len({outcome(arguments, **settings) for settings in SETTINGS} - {None} | {outcome(arguments, always=True)}) == 1


def wedge(less: float, y: float, mode: str) -> CollisionSystem:
    """A disc that flies into a gap between two fixed discs that is narrower than it by this fraction."""
    return CollisionSystem([Particle(.2, y, 1, 0, .0625, 1), Particle(.6, .5 - .1875 * (1 - less), 0, 0, .125, math.inf),
                            Particle(.6, .5 + .1875 * (1 - less), 0, 0, .125, math.inf)], collisions=mode)


@pytest.mark.parametrize("mode", ["simultaneous", "sequential"])
@pytest.mark.parametrize("less", [1e-3, 1e-6, 1e-7, 1e-9, 1e-10, 1e-12, 1e-14, 1e-15])
def test_a_wedge_is_left_again(less, mode):
    """One after another, it takes pi / angle contacts; a very narrow one is solved together after the first thousand. At this
    time the disc is on its way back."""
    system = wedge(less, .5, mode)
    with at_most(20):
        system.simulate(.8)
    assert system.time == .8 and system.kinetic_energy == pytest.approx(.5, rel=1e-11)
    assert system.velocities[0, 0] < -.99


@pytest.mark.parametrize("mode", ["simultaneous", "sequential"])
def test_a_wedge_off_its_axis_has_all_its_contacts(mode):
    system = wedge(1e-11, .500000001, mode)
    assert system.simulate(2) > 300000 and system.kinetic_energy == pytest.approx(.5, rel=1e-11)


@pytest.mark.parametrize("mode", ["simultaneous", "sequential"])
def test_a_disc_on_the_floor_under_one_that_leaves_exactly_its_diameter(mode):
    """It passes, or comes back, as rounding has it."""
    for r, large in itertools.product((.05, .1, .025, .02, .01, .03), (.1, .05, .2, .15, .07, .03)):
        system = CollisionSystem([Particle(.2, r, 1, 0, r, 1), Particle(.6, 2 * r + large, 0, 0, large, math.inf)],
                                 collisions=mode)
        with at_most(5):
            system.simulate(1)
        assert system.time == 1 and system.kinetic_energy == pytest.approx(.5, rel=1e-13)
        assert abs(system.velocities[0, 0]) == pytest.approx(1, rel=1e-9)


def test_a_chain_may_be_cut():
    """Copies and checkpoints in the midst of a chain go on to the same bits."""
    whole, cut = wedge(1e-12, .5, "sequential"), wedge(1e-12, .5, "sequential")
    whole.simulate(.8)
    for events in 900, 300, 500, 300, 700:
        cut.simulate(.8, max_events=events)
        cut = cut.copy()
    cut.simulate(.8)
    assert (whole.hash(), whole.velocities.tolist()) == (cut.hash(), cut.velocities.tolist())


@pytest.mark.parametrize("mode", ["simultaneous", "sequential"])
@pytest.mark.parametrize("discs, options, said", [
    ([Particle(.5, .25, .3, 1, .25, 1)], {"box": Box(1, .5)}, "slot exactly as wide as itself, between the bottom wall and the"),
    ([Particle(.5, .5, 0, 1, .1, 1), Particle(.5, .8, 0, 0, .2, math.inf), Particle(.5, .2, 0, 0, .2, math.inf)], {},
     "disc 0 moves across a slot exactly as wide as itself, between disc 1 and disc 2"),
    ([Particle(.5, .1, .3, 1, .1, 1)], {"obstacles": [Segment((0, .2), (1, .2))]}, "between the bottom wall and obstacle 0"),
    ([Particle(.5, .3, 1, 0, .05, 1)], {"obstacles": [Circle((.5, .5), .25, side="inside")]},
     "disc 0 touches obstacle 0 from inside and moves along it"),
    ([Particle(.5, .5, 1, .25, .25, 1)], {"obstacles": [Arc((.5, .5), .25, 0, 0, side="inside")]}, "or fills it"),
    ([Particle(.125 + .25 * k, .5, float(k == 0), 0, .125, 1) for k in range(4)], {}, "discs 0, 1, 2, 3 collide"),
    ([Particle(.25, .5, 1, 0, .125, math.inf), Particle(.875, .5, 0, 0, .125, 1)], {}, "discs 0, 1 collide")])
def test_a_jam_says_what_it_is(discs, options, said, mode):
    system = CollisionSystem(discs, collisions=mode, **options)
    with at_most(10), pytest.raises(JammedError, match=said):
        system.simulate(10)
    assert np.isfinite(system.velocities).all()
