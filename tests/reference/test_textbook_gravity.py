"""Gravity of the textbook engine: closed forms, first contacts by small steps, what it refuses."""
import math
import random

import numpy as np
import pytest
from lawful import Piston, gas, given

from hdsim.model.obstacles import Arc, Circle, Line, Path, Polygon, Polyline, Segment, gap
from hdsim.reference import textbook
from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_gravity import FallingObstacles
from hdsim.reference.textbook_laws import CollapseError, CollisionSystem

DOWN = (0.0, -1.0)


def system(*discs, box=(1, 1), gravity=DOWN, **options):
    return CollisionSystem([Particle(*disc) for disc in discs], *box, gravity=gravity, **options)


def test_a_ball_bounces_lower_and_lower():
    """From the gap 1 with g = 2 and e = 1/2 it touches at 1, 2, 2.5, ..., and would rest at 3, where the run ends."""
    ball = system((.5, 1.125, 0, 0, .125, 1), box=(1, 3), gravity=(0, -2), restitution=.5)
    times = [ball.next_event().time for _ in range(12)]
    assert times == [3 - 2. ** (1 - k) for k in range(12)]
    with pytest.raises(CollapseError, match="contact_time"):
        ball.simulate(until=3)
    assert 2.999999 < ball.time < 3


def test_an_elastic_ball_comes_back_for_ever():
    """Every 2 sqrt(2h/g), at the same height between; the energies balance."""
    ball = system((.5, .75, .25, 0, .25, 2), box=(4, 2))
    for k in range(7):
        assert ball.next_event().time == pytest.approx(1 + 2 * k, abs=1e-14)
    balance = ball.energy_balance()
    assert balance.potential == pytest.approx(2 * .25, abs=1e-14) and abs(balance.drift) < 1e-15


def test_it_rises_beside_a_ledge_and_comes_down_on_it():
    ball = system((1, .25, -.5, 1, 1 / 16, 1), box=(2, 2), obstacles=[Segment((0, .5), (.25, .5))])
    event = ball.next_event()
    assert event.time == pytest.approx(1 + math.sqrt(3 / 8), abs=1e-15) and event.feature == "face"
    assert ball.positions[0][0] == pytest.approx(.1938137822, abs=1e-10) and event.normal == (0, -1)


def test_two_discs_that_fall_touch_when_they_would_without_gravity():
    discs = (.25, .75, .5, .25, .125, 1), (.75, .8125, -.5, .125, .0625, 3)
    falling, flying = (CollisionSystem([Particle(*disc) for disc in discs], 1, 1, gravity=g) for g in (DOWN, (0, 0)))
    events = falling.next_event(), flying.next_event()
    assert events[0].time == events[1].time and events[0].disc_indices == (0, 1)
    (vx, vy), (wx, wy) = falling.velocities[0], flying.velocities[0]
    assert (vx, vy + events[0].time) == pytest.approx((wx, wy), abs=1e-15)


def test_no_gravity_has_the_bits_of_the_book():
    runs = [cls(gas(1, 6), 1, 1, **options) for cls, options in (
        (textbook.CollisionSystem, {}), (CollisionSystem, {}), (CollisionSystem, {"gravity": (0, -0.)}))]
    assert len({(run.simulate(until=5), tuple(run.positions), tuple(run.velocities)) for run in runs}) == 1


def test_a_ball_in_a_bowl_swings_and_hits():
    """A point that slides off the rim of a bowl: it falls along a chord of the circle, and is where the parabola says."""
    bowl = system((.25, .625, 0, 0, 0, 1), box=(1, 1), obstacles=[Arc((.5, .5), .375, 180, 360)])
    event = bowl.next_event()
    low = .5 - math.sqrt(.375**2 - .25**2)
    assert event.time == pytest.approx(math.sqrt(2 * (.625 - low)), abs=1e-15) and event.feature == "inside"


def test_a_piston_falls_as_the_discs_do():
    """It lands at sqrt(2h/g); a disc above it at rest keeps its gap until then."""
    box = system((.5, .75, 0, 0, .125, 1), obstacles=[Piston(y=.5, mass=4)])
    assert box.time_of_next() == pytest.approx(1, abs=1e-15)
    box.simulate(until=1.01)
    assert box.pistons[0].velocity > 0 and abs(box.energy_balance().drift) < 1e-15
    held = system((.5, .75, 0, 0, .125, 1), obstacles=[Piston(y=.5, mass=4, force=4)])
    assert held.next_event().time == pytest.approx(.5, abs=1e-15)       # the load carries the piston, and the disc falls on it
    assert held.energy_balance().work == 0


SHAPES = [Arc((.5, .4), .3, 200, 340), Arc((.5, .4), .3, 200, 340, side="inside"), Arc((.5, .6), .3, 20, 160, side="outside"),
          Circle((.5, .45), .2), Circle((.5, .5), .42, side="inside"), Polygon([(.2, .2), (.8, .3), (.5, .7)]),
          Polygon([(.05, .05), (.95, .05), (.95, .95), (.5, .6), (.05, .95)], side="inside"),
          Polyline([(.1, .5), (.5, .2), (.9, .6)]),
          Line((.5, .2), (-.5, 1)), Segment((.3, .4), (.7, .45)),
          Path([Segment((.2, .3), (.4, .3)), Arc((.4, .5), .2, (.4, .3), (.6, .5)), Segment((.6, .5), (.6, .8))])]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{type(shape).__name__}-{getattr(shape, 'side', '')}")
def test_first_contacts_by_small_steps(shape):
    """A disc on its parabola touches first where its gap, by formulas of another module, falls to 0; moving shapes, too."""
    rnd, touched = random.Random(5), 0
    while touched < 10:
        moving = given(shape, velocity=(rnd.uniform(-.2, .2), rnd.uniform(-.2, .2))) if rnd.random() < .5 else shape
        g = rnd.uniform(-2, 2), rnd.uniform(-2, 2)
        r = rnd.choice([0.0, rnd.uniform(.01, .08)])
        disc = Particle(rnd.uniform(r, 1 - r), rnd.uniform(r, 1 - r), rnd.gauss(0, 1), rnd.gauss(0, 1), r, 1)
        if gap(shape, disc.rx, disc.ry, r) < .01:
            continue
        begin = (disc.rx, disc.vx), (disc.ry, disc.vy)
        try:
            event = CollisionSystem([disc], 1, 1, gravity=g, obstacles=[moving]).next_event()
        except ValueError:
            continue            # behind a half-plane
        t = np.linspace(0, event.time, 4000)
        u = getattr(moving, "velocity", (0, 0))
        x, y = (p + (v - w) * t + .5 * a * t * t for (p, v), w, a in zip(begin, u, g))
        steps = gap(shape, x, y, r)
        if getattr(shape, "side", "both") == "both" or type(shape).__name__ not in ("Arc", "Path"):     # else also from behind
            assert r == 0 or steps.min() > -2e-3
            assert event.obstacle is None or abs(steps[-1]) < 1e-12
        touched += event.obstacle is not None


def test_discs_among_many_shapes_overlap_nothing():
    """At any time, and the balance closes."""
    shapes = [SHAPES[0], Circle((.15, .8), .1), Segment((.6, .8), (.9, .7)), given(Circle((.3, .15), .05), velocity=(.05, 0))]
    box = CollisionSystem(gas(3, 5, radius=.05, masses=(1, 3), fits=lambda x, y, r: all(gap(s, x, y, r) > .01 for s in shapes)),
                          1, 1, gravity=(.3, -1), obstacles=shapes, restitution={"pair": .95, "wall": .9}, contact_time=.01)
    for k in range(1, 60):
        box.simulate(until=k / 20)
        for disc in box.particles:
            assert min(disc.rx, disc.ry, 1 - disc.rx, 1 - disc.ry) > disc.radius - 1e-12
            for shape in shapes:
                ux, uy = shape.velocity
                assert gap(shape, disc.rx - ux * box.time, disc.ry - uy * box.time, disc.radius) > -1e-12
    assert abs(box.energy_balance().drift) < 1e-13 and box.statistics["wall_contacts"] > 30


def test_time_runs_back():
    """Elastic discs return on their parabolas."""
    box = CollisionSystem(gas(4, 3), 1, 1, gravity=DOWN,)
    start = box.positions
    box.simulate(until=2)
    box.reverse()
    box.simulate(until=4)
    assert np.abs(np.array(box.positions) - start).max() < 1e-8


def test_an_obstacle_that_appears_lets_a_falling_disc_out():
    """The disc in its place falls out of it, and touches it when it comes back."""
    box = system((.5, .5, 0, .25, .05, 1), obstacles=[Circle((.5, .5), .1, from_time=0.0)])
    event = box.next_event()
    while not event.particles:
        event = box.next_event()
    assert event.wall == "bottom"
    event = box.next_event()
    assert event.obstacle == 0 and box.positions[0][1] == pytest.approx(.35, abs=1e-12)


@pytest.mark.parametrize("gravity", [(0, -1), (-1, 0)])
def test_a_disc_that_falls_along_a_half_plane_stays_in_it(gravity):
    """The half-plane has appeared there: its depth, step by step, is that of an edge that falls as fast, or is never left."""
    edge = Line((.25, 0), (1, 0), from_time=0.0) if gravity[1] else Line((0, .25), (0, 1), from_time=0.0)
    box = system((.125, .125, 0, 0, .0625, 1), gravity=gravity, obstacles=[edge])
    while not (event := box.next_event()).particles:
        pass
    assert event.wall == ("bottom" if gravity[1] else "left") and event.time == pytest.approx(math.sqrt(.125))


def test_a_disc_rises_out_of_a_half_plane():
    """At the speed 1 from the depth 1/4 and a radius: it is clear at the height of its radius, and touches when it falls back."""
    box = system((.5, .5, 0, 1, .0625, 1), box=(1, 2), obstacles=[Line((0, .75), (0, 1), from_time=0.0)])
    while not (event := box.next_event()).particles:
        pass
    assert event.obstacle == 0 and event.time == pytest.approx(1 + math.sqrt(1 - 2 * .3125), abs=1e-8)


def test_a_one_sided_arc_is_passed_from_behind():
    """A disc that falls through the arc from outside is caught only where it comes back from inside."""
    box = system((.5, .3, 0, 1.1, .05, 1), box=(1, 2), obstacles=[Arc((.5, .8), .3, 200, 340, side="inside")])
    event = box.next_event()
    assert event.obstacle == 0 and event.feature == "inside" and box.positions[0][1] == pytest.approx(.55, abs=1e-12)
    assert box.velocities[0][1] > 0


@pytest.mark.parametrize("options, message", [
    ({"gravity": (0, math.inf)}, "gravity is .0.0, inf.; it must be finite"),
    ({"restitution": 0}, "with gravity and restitution 0 what falls would never leave"),
    ({"restitution": {"pair": [[0.5, 0], [0, 1]]}}, "with gravity and restitution 0"),
    ({"obstacles": [given(Circle((.5, .2), .1), restitution=0)]}, "with gravity and restitution 0"),
    ({"obstacles": [Piston(y=0, mass=1)]}, "piston 0 rests on a side of the box"),
])
def test_what_gravity_is_not_combined_with(options, message):
    with pytest.raises(ValueError, match=message):
        discs = [Particle(.5, .6, 0, 0, .1, 1)]
        discs[0].species = 0
        CollisionSystem(discs, 1, 1, **{"gravity": DOWN, **options})


def test_a_disc_of_infinite_mass_would_not_fall():
    with pytest.raises(ValueError, match="disc 1 has an infinite mass"):
        system((.5, .6, 0, 0, .1, 1), (.2, .6, 0, 0, .1, math.inf))


def test_obstacles_far_away_are_not_looked_at():
    """Nor after the disc has met a side of the box."""
    disc = Particle(.5, .5, 0, 0, .1, 1)
    table = FallingObstacles([Circle((.5, .05), .01), Circle((40, 40), .01)], [disc], 0.0, (1, 1), DOWN)
    disc.index = 0
    assert [hit.feature.obstacle for hit in table.hits(disc)] == [0]
