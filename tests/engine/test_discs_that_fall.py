"""Gravity in the compiled engine: closed forms, the textbook, symmetry, the same bits with all options, what comes to rest."""
from __future__ import annotations

import functools
import math
import random

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Particle, Path, Piston, Polygon, Polyline, Segment
from hdsim.reference.textbook import Particle as Plain
from hdsim.reference.textbook_laws import CollisionSystem as Textbook

TABLES = {
    "none": [],
    "ramp": [Segment((.1, .4), (.6, .3)), Segment((.9, .5), (.5, .7))],
    "pegs": [Circle((.2 + .2 * k, .3 + .2 * (k % 2)), .04) for k in range(4)],
    "bowl": [Arc((.5, .6), .45, 180, 360, side="both"), Circle((.5, .12), .02)],
    "hopper": [Polyline([(0, .7), (.42, .4), (.42, .3)]), Polyline([(1, .7), (.58, .4), (.58, .3)])],
    "blocks": [Polygon([(.3, .2), (.5, .2), (.45, .45)]), Line((0, 0), (1, 3)), Circle((.8, .8), .1)],
    "moving": [Segment((.2, .3), (.8, .3), motion=[(0, (0, .5)), (.25, (0, -.5))], period=.5),
               Circle((.5, .7), .06, velocity=(.03125, -.0625))],
    "pistons": [Piston(y=.8, mass=40, force=3), Piston(x=.5, mass=9)],
}


@functools.lru_cache
def placed(n, seed, table, radius):
    """Discs between the obstacles of a table."""
    rnd, discs = random.Random(seed), []
    while len(discs) < n:
        r = radius * rnd.uniform(.5, 1)
        disc = Particle(rnd.uniform(r, 1 - r), rnd.uniform(r, 1 - r), rnd.gauss(0, 1), rnd.gauss(0, 1), r, rnd.choice([.5, 1, 2]))
        if any(math.dist((disc.rx, disc.ry), (d.rx, d.ry)) <= r + d.radius for d in discs):
            continue
        try:
            CollisionSystem([disc], obstacles=TABLES[table])
        except hdsim.NoRoomError:
            continue
        discs.append(disc)
    return discs


def crowd(n=60, seed=1, table="none", radius=.02, **options):
    """Discs between the obstacles of a table, in a box with gravity."""
    return CollisionSystem(placed(n, seed, table, radius), **{"gravity": (.125, -1), "obstacles": TABLES[table], **options})


@pytest.mark.parametrize("name", TABLES)
def test_no_option_changes_a_bit(name):
    """Cells, queues, vectors, cuts of the run, copies, and the search for simultaneous contacts."""
    whole = crowd(table=name)
    whole.simulate(max_events=3000)
    whole.check()
    balance = whole.energy_balance()
    assert abs(balance.drift) < 1e-13 and balance.potential == pytest.approx(whole.potential_energy)
    for options in ({"cells": (1, 1)}, {"cells": (5, 3)}, {"queue": "heap"}, {"vectors": False}):
        other = crowd(table=name, **options)
        other.simulate(max_events=3000)
        assert other.hash() == whole.hash() and (other.positions == whole.positions).all(), options
    pieces = crowd(table=name)
    pieces._engine.search_always(True)
    until, left = 0.0, 3000
    while left:
        until += .01
        left -= pieces.simulate(until=until, max_events=left)
        pieces.positions, pieces.peek()
        if round(100 * until) % 40 == 0:
            pieces.check()
            pieces = pieces.copy()
    assert pieces.hash() == whole.hash() and (pieces.positions == whole.positions).all()


@pytest.mark.parametrize("e", [1.0, .9])
@pytest.mark.parametrize("name", [name for name in TABLES if name != "pistons"])
def test_the_same_events_as_the_textbook(name, e):
    """Event by event, as long as chaos allows."""
    ours = crowd(5, 7, name, .06, restitution=e, collisions="sequential")
    theirs = Textbook([Plain(*row) for row in zip(*ours.positions.T, *ours.velocities.T, ours.radii, ours.masses)], 1, 1,
                      obstacles=TABLES[name], restitution=e, gravity=(.125, -1))
    ours.simulate(until=1)
    theirs.simulate(until=1)
    assert np.allclose(ours.positions, [(d.rx, d.ry) for d in theirs.particles], atol=1e-5)
    balance, known = ours.energy_balance(), theirs.energy_balance()
    assert (balance.kinetic, balance.dissipated, balance.work) == pytest.approx(
        (known.kinetic, known.dissipated, known.work), abs=1e-5)
    assert abs(balance.drift) < 1e-14


@pytest.mark.parametrize("cells", [None, (1, 1), (16, 16)])
@pytest.mark.parametrize("radius", [0, .0625])
def test_a_crowd_at_rest_falls(cells, radius):
    """Discs at rest have no event before the frame begins again: they do not leave a cell, and touch nothing up to then."""
    places = np.array([(.25 + .5 * i, 12 + .25 * j) for i in range(16) for j in range(8)])
    system, flown = (CollisionSystem.from_arrays(places, np.zeros((128, 2)), radius, box=Box(8, 16), gravity=(0, -2), cells=cells,
                                                 obstacles=[Segment((0, 4), (8, 4))]) for _ in range(2))
    event = system.next_event()
    assert event.kind == "wall" and event.time == pytest.approx(math.sqrt(8 - radius), rel=1e-14)
    assert flown.simulate(until=2.5) == 0 and flown.positions[0, 1] == pytest.approx(12 - 2.5**2, rel=1e-14)
    assert flown.simulate(until=3.25) > 0 and flown.positions[:, 1].min() >= 4 + radius - 1e-14


def test_what_falls_alone_has_a_closed_form():
    """Positions, velocities and energies at any time, before and after the frame is that of the laboratory again."""
    system = CollisionSystem([Particle(.5, .9, .125, .5, .01, 2)], box=Box(1000, 1000), gravity=(.5, .25))
    for t in (.25, 1, 7.5, 20):
        system.simulate(until=t)
        assert system.positions[0] == pytest.approx([.5 + .125 * t + .25 * t * t, .9 + .5 * t + .125 * t * t], rel=1e-13)
        assert system.velocities[0] == pytest.approx([.125 + .5 * t, .5 + .25 * t], rel=1e-13)
        balance = system.energy_balance()
        assert balance.potential == pytest.approx(-2 * (.5 * system.positions[0, 0] + .25 * system.positions[0, 1]))
        assert abs(balance.drift) < 1e-15
    assert system.wall_counts.sum() == 0


def test_relative_motion_knows_nothing_of_gravity():
    """Far from all walls, contacts are those without gravity, at the same times."""
    discs = [Particle(50 + k % 5, 50 + k // 5, .25 * (k * k % 7) - .5, .125 * (k * 3 % 8) - .25, .25, 1 + k % 2)
             for k in range(25)]
    one, other = (CollisionSystem(discs, box=Box(1000, 1000), gravity=g) for g in (None, (.5, -.75)))
    for _ in range(12):
        a, b = one.next_event(), other.next_event()
        assert (a.particles, a.wall) == (b.particles, b.wall) and b.time == pytest.approx(a.time, rel=1e-12)


def test_zero_gravity_has_the_bits_of_none():
    one, other = (crowd(table="hopper", gravity=g) for g in (None, (0, 0)))
    for system in (one, other):
        system.simulate(max_events=3000)
    assert one.hash() == other.hash() and one.gravity == other.gravity == (0.0, 0.0)


@pytest.mark.parametrize("name", ["none", "hopper", "moving", "pistons"])
def test_a_checkpoint_goes_on_to_the_same_bits(name, tmp_path):
    whole = crowd(table=name, restitution=.95, contact_time=1e-4)
    whole.simulate(max_events=1234)
    whole.save(tmp_path / "run.npz")
    again = hdsim.load(tmp_path / "run.npz")
    assert again.gravity == whole.gravity and (again.positions == whole.positions).all()
    for system in (whole, again):
        system.simulate(max_events=2000)
    assert again.hash() == whole.hash() and again.energy_balance() == whole.energy_balance()


def test_an_edit_goes_on_from_where_discs_are():
    system = crowd(table="ramp")
    system.simulate(until=.77)
    before = system.positions.copy(), system.velocities.copy()
    with system.edit() as draft:
        draft.gravity = (0, 2)
    assert system.gravity == (0.0, 2.0)
    assert np.allclose(system.positions, before[0], rtol=0, atol=1e-15) and np.allclose(system.velocities, before[1], atol=1e-14)
    system.simulate(max_events=2000)
    system.check()
    assert system.positions[:, 1].mean() > .5


def test_reversal_leads_back():
    system = crowd(20, table="pegs")
    start = system.positions.copy()
    system.simulate(until=1)
    system.reverse()
    system.simulate(until=2)
    assert np.abs(system.positions - start).max() < 1e-5


@pytest.mark.parametrize("name", ["none", "bowl", "hopper", "blocks"])
def test_no_disc_is_ever_in_anything(name):
    """At many times, by the distances that the file of a system is checked with."""
    system = crowd(40, 3, name, restitution=.9, contact_time=1e-4)
    for k in range(200):
        system.simulate(until=.05 * k)
        with system.edit():         # which refuses what overlaps by more than rounding
            pass
    assert system.positions[:, 1].mean() < .6


def test_dense_discs_with_neighbour_lists():
    """Neighbour lists fall with the discs; the same bits without lists."""
    def system(**options):
        side, n = .05, 20
        positions = np.array([(side * (k % n + .5), side * (k // n + .5)) for k in range(n * n)])
        velocities = np.random.default_rng(3).normal(size=positions.shape)
        return CollisionSystem.from_arrays(positions, velocities, .0245, gravity=(0, -3), **options)
    one, other = system(), system(cells=(1, 1))
    assert one._engine.lists_in_use and not other._engine.lists_in_use
    for each in (one, other):
        each.simulate(max_events=20_000)
    one.check()
    assert one.hash() == other.hash() and abs(one.energy_balance().drift) < 1e-13


def test_sizes_of_many_levels():
    """Large and small discs on several levels of cells."""
    small = np.array([(.0125 + .025 * i, .0125 + .025 * j) for i in range(40) for j in range(20, 40)])
    positions = np.vstack([[(.25, .25), (.75, .25)], small])
    def system(**options):
        return CollisionSystem.from_arrays(positions, np.sin(positions * 57), [.2] * 2
                                           + [.008] * len(small), gravity=(0, -2), **options)
    one, other = system(), system(cells=(2, 2))
    for each in (one, other):
        each.simulate(max_events=10_000)
    one.check()
    assert one.hash() == other.hash()


@pytest.mark.parametrize("plane", [(0, 1), (1, 2), (0, 2)])
def test_spheres_in_a_plane_have_the_bits_of_discs(plane):
    flat = crowd(30, 2, radius=.03)
    axis = 3 - sum(plane)
    r, v, g = np.full((30, 3), .5), np.zeros((30, 3)), [0.0] * 3
    r[:, plane], v[:, plane] = flat.positions, flat.velocities
    g[plane[0]], g[plane[1]] = flat.gravity
    deep = CollisionSystem.from_arrays(r, v, flat.radii, flat.masses, box=Box(1, 1, depth=1), gravity=g)
    for system in (flat, deep):
        system.simulate(until=2)
    assert (deep.positions[:, plane] == flat.positions).all() and (deep.positions[:, axis] == .5).all()
    assert deep.energy_balance().potential == pytest.approx(flat.energy_balance().potential)


def test_spheres_fall_in_a_crowd():
    grid = np.array([(i, j, k) for i in range(6) for j in range(6) for k in range(6)]) / 6 + 1 / 12
    def system(**options):
        return CollisionSystem.from_arrays(grid, np.sin(31 * grid), .05, box=Box(1, 1, depth=1), gravity=(.25, 0, -1), **options)
    one, other = system(), system(cells=(1, 1, 1))
    for each in (one, other):
        each.simulate(max_events=20_000)
    one.check()
    assert one.hash() == other.hash() and abs(one.energy_balance().drift) < 1e-13


def test_a_ball_comes_to_rest_and_says_so():
    """Without a contact time, a ball that bounces lower and lower collapses at sqrt(2 h / g) (1 + e) / (1 - e)."""
    system = CollisionSystem([Particle(.5, 1.125, 0, 0, .125, 1)], box=Box(1, 2), gravity=(0, -2), restitution=.5)
    with pytest.raises(hdsim.CollapseError, match="contact_time"):
        system.simulate(max_events=100_000)
    assert system.time == pytest.approx(3, abs=1e-6)


@pytest.mark.parametrize("name", ["none", "bowl", "hopper", "blocks"])
def test_a_settled_bed_goes_on(name):
    """With a contact time, discs that have come to rest go on hopping, never below a surface, and the balance closes."""
    system = crowd(40, 3, name, restitution=.5, contact_time=1e-3, radius=.03)
    system.simulate(until=6 if name == "bowl" else 8)
    assert system.energy_balance().dissipated > 20 and system.kinetic_energy < (.1 if name == "bowl" else 1e-3)     # it is smooth
    assert system.simulate(max_events=5000) >= 5000 and abs(system.energy_balance().drift) < 1e-12
    with system.edit():
        pass


@pytest.mark.parametrize("gravity", [(0, -1), (0, 1), (.5, 0)])
@pytest.mark.parametrize("shape, place, velocity", [
    (Polygon([(.25, .25), (.5, .25), (.5, .5)]), (.375, .25), (0, 1)),
    (Polygon([(.25, .25), (.5, .25), (.5, .5)]), (.25, .25), (.5, .25)),
    (Circle((.5, .5), .25), (.25, .5), (1, 0)),
    (Path([Segment((.25, .25), (.5, .25)), Arc((.5, .5), .25, (.5, .25), (.5, .75)), Segment((.5, .75), (.25, .75)),
           Arc((.25, .5), .25, (.25, .75), (.25, .25))], "outside"), (.25, .25), (-.5, 1))])
def test_a_point_on_a_block_does_not_enter_it(shape, place, velocity, gravity):
    """It touches it at once, and approaches."""
    system = CollisionSystem([Particle(*place, *velocity, 0, 1)], obstacles=[shape], gravity=gravity)
    event = system.next_event()
    assert event.time == 0 and event.contacts[0].obstacle == 0
    assert abs(system.energy_balance().drift) < 1e-14


def test_a_contact_with_an_end_is_not_late():
    """However soon after another contact it comes: only what leaves, turns and comes back hops."""
    discs = [Particle(.5, .5 + 2.0**-30, 0, -1, .25, 1)]
    system = CollisionSystem(discs, box=(1, 4), obstacles=[Circle((.5, 0), .25)], gravity=(0, -64), restitution=.5,
                             contact_time=1e-9)
    assert system.next_event().time == pytest.approx(2.0**-30, rel=1e-6)


def test_a_point_is_put_back_on_its_path_by_faces_where_they_are():
    """Not where they are for the falling frame."""
    discs = [Particle(.5, .75, .5, 0, 0, 1), Particle(1.25, .75, -.5, 0, .25, 1)]
    system = CollisionSystem(discs, box=(2, 1), obstacles=[Segment((.75, .7), (.75, .8))], gravity=(0, -2))
    assert system.next_event().time == .5 and system.positions.tolist() == [[.75, .5], [1, .5]]


@pytest.mark.parametrize("obstacle, height", [(Circle((.5, .5), .3), .8), (Circle((.5, .5), .3, "both"), .8),
                                              (Segment((0, .3), (1, .3)), .3), (Polygon([(.1, .2), (.9, .2), (.5, .7)]), .7)])
def test_a_ball_comes_to_rest_on_what_is_not_dyadic(obstacle, height):
    """Where rounding makes it hop, that is no end of its own."""
    system = CollisionSystem([Particle(.5, height + 1.1, 0, 0, .1, 1)], box=Box(1, 2), gravity=(0, -2), restitution=.5,
                             obstacles=[obstacle])
    features = []
    system.on_collision(lambda event: features.append(event.contacts[0].feature))
    with pytest.raises(hdsim.CollapseError, match="contact_time"):
        system.simulate(max_events=100_000)
    assert system.time == pytest.approx(3, abs=1e-5) and system.statistics["wall_contacts"] < 1000
    assert len(set(features)) == 1


def test_a_contact_at_next_to_no_speed_is_with_what_is_there():
    """A far side, which at this speed would be reached after long, is not touched at that instant."""
    bowl = Arc((.5, .5), .375, 180, 360)
    system = CollisionSystem([Particle(.5, .25, 0, -4e-16, .125, 1)], box=Box(1, 2), gravity=(0, -2), restitution=.5,
                             contact_time=1, obstacles=[bowl])
    event = system.next_event()
    assert (event.time, event.obstacle, event.wall) == (0, 0, None)


@pytest.mark.parametrize("g", [-.9, -9.81])
@pytest.mark.parametrize("axes", [2, 3])
def test_rounding_is_no_acceleration(axes, g):
    """Each move of the origin rounded states by the same amount: with .9 the energy of a ball changed by 3e-12 in 10^5 bounces,
    always in one direction."""
    down = (0,) * (axes - 1) + (g,)
    system = CollisionSystem.from_arrays([[.5] * axes], [[0.] * axes], [.125], box=(1.,) * axes, gravity=down)
    system.simulate(max_events=100_000)
    assert abs(system.energy_balance().drift) < 1e-12


def test_rounding_does_not_drive_a_gas():
    """It did, by 7e-14 in 10^6 contacts."""
    places = (np.mgrid[0:8, 0:8].reshape(2, -1).T[:60] + .5) / 8
    system = CollisionSystem.from_arrays(places, np.random.default_rng(1).normal(size=(60, 2)), .3 / 8, gravity=(0, -1.1))
    system.simulate(max_events=1_000_000)
    assert abs(system.energy_balance().drift) < 4e-14


def test_a_checkpoint_has_what_is_still_to_come_of_a_fall(tmp_path):
    """Parts of velocities and places that are too small for states come with the next move of the origin."""
    system = CollisionSystem([Particle(.5, .5, .3, .1, .125, 1)], gravity=(.1, -.9))
    system.simulate(max_events=101)
    system.save(tmp_path / "a.npz")
    others = [hdsim.load(tmp_path / "a.npz"), system.copy()]
    for each in (system, *others):
        each.simulate(max_events=1000)
    assert {each.hash() for each in others} == {system.hash()}
    assert all((each.positions == system.positions).all() for each in others)
    arrays, data = system.checkpoint()
    assert any(float.fromhex(share[1]) for axis in data["engine"]["fall"] for share in axis)
    data["engine"]["fall"].pop()
    with pytest.raises(IndexError, match="parts of a fall along 1 axes of 2"):
        CollisionSystem.from_checkpoint(arrays, data)
