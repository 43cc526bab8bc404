"""Moving obstacles: closed forms, frames of reference, the balance of energy, and the same bits everywhere."""
from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Particle, Path, Polygon, Polyline, Segment
from hdsim.model.motion import displacement, motion_of, velocity_at
from hdsim.model.obstacles import gap
from hdsim.model.placed import placed

SHAKEN = dict(motion=[(0, (0, .25)), (1, (0, -.25))], period=2)


def ball(x=.5, y=.5, vx=0., vy=0., radius=1 / 16, mass=1.):
    return Particle(x, y, vx, vy, radius, mass)


def contacts(system):
    counts = system.statistics
    return counts["pair_contacts"] + counts["wall_contacts"]


@pytest.mark.parametrize("e", [1., .5])
def test_a_wall_that_comes_and_one_that_goes(e):
    """v' = v - (1 + e) (v - u): a ball that meets a wall gains, one that catches up with it loses."""
    for u, vx in ((-.25, 1.), (.25, 1.), (-.5, 0.), (-.5, -.25)):
        wall = Line((5, 0), (-1, 0), velocity=(u, 0), restitution=e)
        system = CollisionSystem([ball(4.5, vx=vx)], box=(8, 1), obstacles=[wall])
        event = system.next_event()
        assert event.time == (.5 - 1 / 16) / (vx - u) and event.obstacle == 0
        assert system.velocities.tolist() == [[vx - (1 + e) * (vx - u), 0]]
        balance = system.energy_balance()
        assert balance.work == -(1 + e) * (vx - u) * u and balance.dissipated == (1 - e * e) * (vx - u)**2 / 2
        assert abs(balance.drift) < 1e-15


def test_a_wall_that_is_not_caught_is_not_touched():
    system = CollisionSystem([ball(.5, vx=.25)], box=(8, 1), obstacles=[Line((1, 0), (-1, 0), velocity=(.25, 0)),
                                                                        Segment((.25, 0), (.25, 1), velocity=(.125, 0))])
    system.simulate(until=8)
    assert contacts(system) == 0


@pytest.mark.parametrize("shape", [Segment((.75, .25), (.75, .75), velocity=(-.5, 0)), Circle((1, .5), .25, velocity=(-.5, 0)),
                                   Polyline([(.75, 0), (.75, .5), (1, .5)], velocity=(-.5, 0)),
                                   Polygon([(.75, .25), (1, .25), (1, .75), (.75, .75)], velocity=(-.5, 0)),
                                   Arc((1, .5), .25, 90, 270, velocity=(-.5, 0)),
                                   Path([Segment((.75, 0), (.75, 1))], velocity=(-.5, 0)),
                                   Line((.75, 9), (-2, 0), velocity=(-.5, 0)),
                                   Segment((.75, .5), (1, .5), velocity=(-.5, 0))])
def test_every_shape_hits_a_ball_at_rest(shape):
    """Faces, vertices, ends and arcs."""
    system = CollisionSystem([ball(.5, .5)], box=(4, 1), obstacles=[shape])
    assert system.next_event().time == pytest.approx((.25 - 1 / 16) / .5, rel=1e-14)
    assert system.velocities.tolist() == [[-1, 0]]


def test_bounces_between_closing_walls():
    """Each contact with the moving wall adds 2 u; v times the width, when they meet, is constant."""
    u, r = 1 / 8, 1 / 16
    system = CollisionSystem([ball(.5, vx=1., radius=r)], box=(1, 1), obstacles=[Line((1, 0), (-1, 0), velocity=(-u, 0))])
    at, v, x = 0., 1., .5
    for _ in range(30):
        event = system.next_event()     # at the moving wall, x(t) = 1 - r - u t
        at += (1 - r - u * at - x) / (v + u)
        assert event.obstacle == 0 and event.time == pytest.approx(at, rel=1e-13)
        x, v = 1 - r - u * at, v + 2 * u
        event = system.next_event()     # at the left wall
        at, x = at + (x - r) / v, r
        assert event.wall == "left" and event.time == pytest.approx(at, rel=1e-13)
    assert system.velocities[0, 0] == pytest.approx(1 + 60 * u, rel=1e-14) and abs(system.energy_balance().drift) < 1e-14


def test_a_motion_is_at_rest_before_it_begins_and_repeats():
    """The place is that at time 0."""
    shape = Circle((0, 0), 1, motion=[(1, (1, 0)), (2, (0, 2)), (3, (-1, -2))], period=3)
    assert [displacement(shape, t) for t in (0, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5)] == [
        (0, 0), (0, 0), (.5, 0), (1, 0), (1, 1), (1, 2), (.5, 1), (0, 0), (.5, 0)]
    assert [velocity_at(shape, t) for t in (0, 1, 2.5, 4)] == [(0, 0), (1, 0), (0, 2), (1, 0)]
    early = Circle((0, 0), 1, motion=[(-1, (1, 0)), (2, (0, 0))])
    assert [displacement(early, t) for t in (-2, -1, 0, 1, 5)] == [(-1, 0), (-1, 0), (0, 0), (1, 0), (2, 0)]


def table(kind):
    """Obstacles in motion, in a box of this kind of axes."""
    periodic = {"walls": (False, False), "x": (True, False), "torus": (True, True)}[kind]
    movers = [Circle((.3, .3), .08, velocity=(.05, .02)), Segment((.6, .2), (.8, .35), velocity=(0, .1)),
              Polygon([(.2, .7), (.3, .7), (.25, .8)], **SHAKEN),
              Arc((.7, .7), .1, 0, 200, motion=[(.5, (-.3, 0)), (1.5, (.3, 0))], period=2),
              Circle((.5, .5), .05)]
    return movers, Box(1, 1, periodic)


def gas(kind, n=25, seed=1, radius=.02, **options):
    obstacles, box = table(kind)
    rng, placed_at = np.random.default_rng(seed), []
    while len(placed_at) < n:
        x = rng.uniform(radius, 1 - radius, 2)
        if (all(np.hypot(*(x - y)) > 2.01 * radius for y in placed_at)
                and all(gap(obstacle, *x, radius) > .01 for obstacle in obstacles)):
            placed_at.append(x)
    return CollisionSystem.from_arrays(placed_at, rng.normal(size=(n, 2)), [radius] * n, rng.uniform(.5, 2, n), box=box,
                                       obstacles=obstacles, **options)


def require_no_overlap(system):
    """No disc is inside of an obstacle, in any image."""
    for obstacle in system.obstacles:
        now = placed(obstacle, system.time)
        for (x, y), radius in zip(system.positions.tolist(), system.radii.tolist()):
            for a in (-1, 0, 1) if system.box.periodic[0] else (0,):
                for b in (-1, 0, 1) if system.box.periodic[1] else (0,):
                    assert gap(now, x + a, y + b, radius) > -1e-12, (obstacle, x, y)


@pytest.mark.more
@pytest.mark.parametrize("kind", ["walls", "x", "torus"])
@pytest.mark.parametrize("law", [{}, {"restitution": .9}])
def test_no_disc_is_passed_through(kind, law):
    """Looked at again and again; the engine finds no contact that it has missed, and energy is accounted for."""
    system = gas(kind, **law)
    if kind == "walls":
        with system.edit() as draft:      # nothing leaves the box and squeezes
            draft.obstacles[0] = Circle((.3, .3), .08, motion=[(0, (.05, .02)), (1, (-.05, -.02))], period=2)
            draft.obstacles[1] = Segment((.6, .2), (.8, .35), motion=[(0, (0, .1)), (1, (0, -.1))], period=2)
    for k in range(1, 41):
        system.simulate(until=k * .1)
        require_no_overlap(system)
        system.check()
    assert contacts(system) > 200 and abs(system.energy_balance().drift) < 1e-13 and system.energy_balance().work != 0


def roaming(kind, seed, **options):
    """300 discs among obstacles that go on for ever: with constant velocities, slow and fast, and by stairs."""
    rng = np.random.default_rng(seed)
    places, box = (np.stack(np.meshgrid(np.arange(18), np.arange(18)), -1).reshape(-1, 2) + .5) / 18, table(kind)[1]
    movers = [Circle(places[k] + 1 / 36, .008, velocity=rng.normal(0, (.02, .5)[k % 3 == 0], 2)) for k in range(20, 300, 25)]
    movers += [Segment(places[130] + (.02, .02), places[130] + (.03, .03), motion=[(0, (.3, 0)), (.2, (0, .1))], period=.4)]
    return CollisionSystem.from_arrays(places, rng.normal(size=(324, 2)), .01, box=box, obstacles=movers, **options)


@pytest.mark.parametrize("kind", ["walls", *(pytest.param(kind, marks=pytest.mark.more) for kind in ("x", "torus"))])
def test_what_roams_is_met(kind):
    """It is noted where it can be soon, by a map that is made anew many times: no contact is missed, in no image, and cells and
    cuts change no bit."""
    system, other = roaming(kind, 1), roaming(kind, 1, cells=(3, 3), queue="heap")
    for k in range(1, 14):
        system.simulate(until=.08 * k)
        system.check()
        require_no_overlap(system)
    other.simulate(until=1.04)
    met = other.statistics["wall_contacts"]
    assert other.hash() == system.hash() and met > 50 and abs(system.energy_balance().drift) < 1e-13


@pytest.mark.parametrize("kind", ["walls", "x", "torus"])
def test_the_same_bits_for_any_cells_queue_vectors_and_chunks(kind, tmp_path):
    found = set()
    for options in ({}, {"cells": (1, 1)}, {"queue": "heap"}, {"vectors": False}, {"cells": (9, 4)}):
        system = gas(kind, **options)
        system.simulate(until=1.5)
        found.add((system.hash(), system.velocities.tobytes()))
    system = gas(kind)
    for k in range(30):
        system.simulate(until=.05 * (k + 1))
        system = system.copy()
        if k == 14:
            system.save(tmp_path / "a.npz")
            system = hdsim.load(tmp_path / "a.npz")
    found.add((system.hash(), system.velocities.tobytes()))
    assert len(found) == 1


def test_at_rest_given_explicitly_changes_no_bit():
    obstacles = [Circle((.3, .3), .08), Segment((.6, .2), (.8, .35)), Polygon([(.2, .7), (.3, .7), (.25, .8)])]
    found = set()
    for given in ({}, {"velocity": (0, 0)}, {"motion": [(0, (0, 0)), (1, (0, 0))]}):
        system = CollisionSystem([ball(.1 + .2 * k, .55, .7 - .3 * k, .2 * k, .03) for k in range(4)],
                                 obstacles=[replace(obstacle, **given) for obstacle in obstacles])
        system.simulate(until=40)
        found.add(system.hash())
    assert len(found) == 1


@pytest.mark.parametrize("u", [(.25, 0), (0, -.5), (.375, .25), (7, -3), (1e-3, 2e-3)])
def test_a_moving_frame_sees_the_same(u):
    """On a torus, obstacles and discs that all move faster by u meet at the same times: any number of images passes."""
    obstacles = [Circle((.3, .3), .08), Segment((.6, .2), (.8, .35)), Polygon([(.2, .7), (.3, .7), (.25, .8)])]
    rng = np.random.default_rng(5)
    positions, velocities = [[.5, .5], [.1, .1], [.9, .8], [.5, .9]], rng.normal(size=(4, 2))
    times = []
    for w in ((0, 0), u):
        system = CollisionSystem.from_arrays(positions, velocities + np.array(w), [.03] * 4, box=Box(1, 1, True),
                                             obstacles=[replace(obstacle, velocity=w) for obstacle in obstacles])
        events = [system.next_event() for _ in range(25)]
        times.append([(event.time, event.particles, event.obstacle) for event in events])
    for (one, *what), (other, *same) in zip(*times):
        assert other == pytest.approx(one, rel=1e-6) and what == same


def test_a_period_is_the_same_as_all_of_its_legs():
    """Far from the beginning, too."""
    legs = [(k, (0, .25 if k % 2 == 0 else -.25)) for k in range(400)]
    for begin in (0., 300.):
        systems = [CollisionSystem([ball(.5, .75, .3, -.2)], time=begin, obstacles=[Segment((.1, .25), (.9, .25), **motion)])
                   for motion in (SHAKEN, {"motion": legs})]
        for _ in range(30):
            one, other = (system.next_event() for system in systems)
            assert one.time == pytest.approx(other.time, rel=1e-9) and one.obstacle == other.obstacle


def test_a_period_in_round_decimals_leads_back():
    """.2 - (.6 - .2) + (.8 - .6) is not 0 in doubles; it is meant to be."""
    shape = Circle((0, 0), 1, motion=[(0, (.05, 0)), (.2, (-.05, 0)), (.6, (.05, 0))], period=.8)
    assert displacement(shape, .8 * 2**40) == (0, 0) and motion_of(shape).drift == (0, 0)


def test_a_period_may_lead_away():
    """Legs of a stair, against one motion with all of them; on a torus, too."""
    stair = [(0, (.25, 0)), (1, (0, .125))]
    legs = [(2 * k + t, u) for k in range(200) for t, u in stair]
    for box in (Box(64, 32), Box(1, 1, True)):
        for begin in (0., 50.):
            systems = [CollisionSystem([ball(.9, .75, .3, -.2)], time=begin, box=box, obstacles=[
                Segment((.1, .25), (.3, .35), **motion)]) for motion in (dict(motion=stair, period=2), {"motion": legs})]
            assert displacement(systems[0].obstacles[0], 7) == displacement(systems[1].obstacles[0], 7) == (1, .375)
            for _ in range(12):
                one, other = (system.next_event() for system in systems)
                assert one.time == pytest.approx(other.time, rel=1e-9) and one.obstacle == other.obstacle


def test_a_ball_at_rest_waits_for_the_motion():
    """It is hit when a motion that begins later reaches it; a motion that never does ends the run."""
    late = Segment((.5, .25), (.5, .75), motion=[(100, (.25, 0))])
    system = CollisionSystem([ball(.75)], obstacles=[late])
    assert system.next_event().time == pytest.approx(100 + (.25 - 1 / 16) / .25, rel=1e-15)
    never = CollisionSystem([ball(.75, .875)], obstacles=[late])
    assert never.next_event() is None
    beside = CollisionSystem([ball(.75, .875)], obstacles=[Segment((.5, .25), (.5, .5), **SHAKEN)])
    beside.simulate(until=50)
    assert contacts(beside) == 0


def test_points_do_not_pass_through():
    """Discs of radius 0, whose centres rounding may put across a face."""
    rng = np.random.default_rng(2)
    paddle = Segment((.3, .5), (.7, .5), motion=[(0, (.0, .3)), (1, (0, -.3))], period=2)
    room = [Segment((0, .05), (1, .05)), paddle]
    n = 30
    positions = np.column_stack([rng.uniform(.1, .9, n), rng.uniform(.1, .45, n)])
    system = CollisionSystem.from_arrays(positions, rng.normal(size=(n, 2)), [0.] * n, obstacles=room)
    for k in range(60):
        system.simulate(until=.1 * (k + 1))
        assert (system.positions[:, 1] >= .05 - 1e-15).all()
    assert contacts(system) > 200 and abs(system.energy_balance().drift) < 1e-13


def test_contacts_of_one_instant_with_a_moving_wall():
    """A disc between a moving wall and one that hits it from the other side: the impulses are those of the frame of the wall."""
    r = 1 / 8
    for w in (0., .25):
        system = CollisionSystem([ball(.5, .5, 0 + w, 0, r), ball(.5 - 2 * r, .5, 1 + w, 0, r)], box=Box(4, 1),
                                 obstacles=[Line((.5 + r, 0), (-1, 0), velocity=(w, 0))])
        system.simulate(until=1e-9)
        assert (system.velocities[:, 0] - w).tolist() == [0, -1]
    inclined = [CollisionSystem([ball(.5, .5, 0 + w, 0, r), ball(.5 - 2 * r * .8, .5 - 2 * r * .6, .8 + w, .6, r)], box=Box(4, 1),
                                obstacles=[Line((.5 + r, 0), (-1, 0), velocity=(w, 0)),
                                           Line((0, .5 + r), (0, -1), velocity=(w, 0))])
                for w in (0., .25)]
    for system in inclined:
        system.simulate(until=1e-9)
    assert np.allclose(inclined[0].velocities, inclined[1].velocities - [.25, 0], atol=1e-15)


@pytest.mark.more
def test_a_squeezed_disc_is_jammed():
    """Two walls close on a disc: it is not passed through, and the message names what squeezes."""
    system = CollisionSystem([ball(.5, .5, .25, 0, .25)], box=Box(2, 1),
                             obstacles=[Line((1, 0), (-1, 0), velocity=(-.25, 0), name="press")])
    pair = "(the left wall and obstacle 0|obstacle 0 and the left wall)"
    with pytest.raises(hdsim.JammedError, match=f"disc 0 is squeezed between {pair}, which close"):
        system.simulate(until=10)
    assert system.positions[0, 0] == pytest.approx(.25, abs=1e-5) and system.time == pytest.approx(2, abs=1e-4)


def test_what_is_refused():
    for given, message in ((dict(velocity=(1, 0), motion=[(0, (1, 0))]), "it has a velocity and a motion; give one of them"),
                           (dict(period=2), "it has a period and no motion"),
                           (dict(motion=[(1, (0, 1)), (1, (0, 0))]), "the times of motion must ascend; 1 follows 1"),
                           (dict(motion=[(0, (0, 1)), (3, (0, -1))], period=2),
                            "period is 2; it must be longer than motion, which takes 3"),
                           (dict(period=-1, motion=[(0, (0, 1))]), "period is -1; it must be positive"),
                           (dict(velocity=(math.inf, 0)), "x of velocity is inf; it must be finite")):
        with pytest.raises(ValueError, match=message):
            Circle((0, 0), 1, **given)
    for given, message in ((dict(velocity=3), "velocity is 3; it must be a point"),
                           (dict(motion=[(0, 1, 2)]), "a sequence of pairs"),
                           (dict(motion=[("x", (0, 1))]), "time 0 of motion is 'x'; it must be a number"),
                           (dict(period="x", motion=[(0, (0, 0))]), "period is 'x'; it must be a number")):
        with pytest.raises(TypeError, match=message):
            Circle((0, 0), 1, **given)
    for gate in (lambda: hdsim.Gate((0, 0), (1, 0), opens=hdsim.gates.always, velocity=(1, 0)),
                 lambda: hdsim.Door((0, 0), (1, 0), open=[(0, 1)], velocity=(1, 0))):
        with pytest.raises(ValueError, match="it must be at rest; gates and doors do not move"):
            gate()


@pytest.mark.parametrize("until", [.35, 1., 1.6])
def test_reversed_motions_lead_back(until):
    """Elastic discs among moving obstacles come back to where they began; so do the obstacles."""
    system = gas("x", n=8)
    start, before = system.positions.copy(), system.obstacles
    system.simulate(until=until)
    system.reverse()
    system.simulate(until=2 * until)
    assert np.allclose(system.positions, start, atol=1e-5) and abs(system.energy_balance().drift) < 1e-13
    for one, other in zip(before, system.obstacles):
        assert np.allclose(displacement(one, 0), 0) and gap(placed(other, 2 * until), .5, .5, 0) == pytest.approx(
            gap(one, .5, .5, 0), abs=1e-14)


def test_a_motion_of_very_many_periods_does_not_go_back():
    system = CollisionSystem([ball()], time=1e6, obstacles=[Segment((.1, .1), (.2, .1), **SHAKEN)])
    with pytest.raises(ValueError, match="an obstacle has made 500,000 periods of its motion; it can go back over 50,000 of"):
        system.reverse()
