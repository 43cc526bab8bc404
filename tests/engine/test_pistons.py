"""Pistons in the compiled engine: against the textbook, conservation, symmetry, reversal, copies, and inputs that just touch."""
from __future__ import annotations

import math
import random

import numpy as np
import pytest

import hdsim
from hdsim import Box, Circle, CollisionSystem, JammedError, Line, Particle, Piston
from hdsim.formats.tail import format_tail, parse_tail
from hdsim.reference.textbook import Particle as Plain
from hdsim.reference.textbook_laws import CollisionSystem as Textbook


def gas(seed, n, box, radius, pistons, masses=(1.0,)):
    """n discs between pistons, none of which they overlap."""
    rnd, discs = random.Random(seed), []
    while len(discs) < n:
        r = radius * rnd.uniform(.5, 1) if radius else 0.0
        at = rnd.uniform(r, box[0] - r), rnd.uniform(r, box[1] - r)
        if all(math.dist(at, (d.rx, d.ry)) > r + d.radius for d in discs) and all(abs(at[p.axis] - p.place) > r for p in pistons):
            discs.append(Particle(*at, rnd.gauss(0, 1), rnd.gauss(0, 1), r, rnd.choice(masses)))
    return discs


def crowd(n=300, seed=1, pistons=(Piston(x=.5, mass=20),), radius=.012, **options):
    return CollisionSystem(gas(seed, n, (1, 1), radius, pistons, (.5, 1, 2)), obstacles=pistons, **options)


@pytest.mark.parametrize("seed", range(12))
def test_the_same_events_as_the_textbook(seed):
    """With several pistons, loads, losses and discs of several masses, event by event as long as chaos allows."""
    rnd = random.Random(seed)
    pistons = [Piston(x=.4, mass=rnd.choice([.3, 3, 30]), velocity=rnd.uniform(-1, 1), force=rnd.choice([0, -2., 3.])),
               Piston(x=.9, mass=2, velocity=rnd.uniform(-1, 1)),
               Piston(y=.6, mass=rnd.choice([.5, 8]), force=rnd.uniform(-1, 1))]
    pistons = pistons[:1 + seed % 3]
    discs, e = gas(seed, 8, (1.25, 1), .06, pistons, (.25, 1, 4)), rnd.choice([1.0, .9])
    ours = CollisionSystem(discs, box=Box(1.25, 1), obstacles=pistons, restitution=e, collisions="sequential")
    theirs = Textbook([Plain(d.rx, d.ry, d.vx, d.vy, d.radius, d.mass) for d in discs], 1.25, 1, obstacles=pistons, restitution=e)
    ours.simulate(until=.75)
    theirs.simulate(until=.75)
    assert np.allclose(ours.positions, [(d.rx, d.ry) for d in theirs.particles], atol=1e-5)
    assert [p.place for p in ours.pistons] == pytest.approx([p.place for p in theirs.pistons], abs=1e-5)
    balance, known = ours.energy_balance(), theirs.energy_balance()
    assert (balance.kinetic, balance.dissipated, balance.work) == pytest.approx(
        (known.kinetic, known.dissipated, known.work), abs=1e-5)
    assert abs(balance.drift) < 1e-14
    ours.check()


@pytest.mark.parametrize("pistons", [(Piston(x=.5, mass=20),), (Piston(y=.5, mass=.01, velocity=3),),
                                     (Piston(x=.3, mass=5, force=4), Piston(x=.6, mass=5), Piston(y=.5, mass=50, velocity=-1))])
def test_no_option_changes_a_bit(pistons):
    """Cells, queues, vectors, cuts of the run, copies and the search for simultaneous contacts."""
    whole = crowd(pistons=pistons)
    whole.simulate(max_events=6000)
    whole.check()
    for options in ({"cells": (1, 1)}, {"cells": (3, 5)}, {"queue": "heap"}, {"vectors": False}):
        other = crowd(pistons=pistons, **options)
        other.simulate(max_events=6000)
        assert other.hash() == whole.hash() and other.pistons == whole.pistons, options
    pieces = crowd(pistons=pistons)
    pieces._engine.search_always(True)
    for k in range(30):
        pieces.simulate(max_events=200)
        pieces = pieces.copy() if k % 7 == 3 else pieces
        if k % 5 == 0:
            pieces.check()
    assert pieces.hash() == whole.hash() and pieces.pistons == whole.pistons
    assert pieces.energy_balance() == whole.energy_balance()


def test_dense_discs_with_neighbour_lists():
    """Neighbour lists and a piston between two crystals; the same bits without lists."""
    def system(**options):
        side, n = .05, 18
        left = [(side * (k % 9 + .5), side * (k // 9 + .5)) for k in range(9 * n)]
        positions = np.array(left + [(.46 + x, y) for x, y in left])
        velocities = np.random.default_rng(3).normal(size=positions.shape)
        return CollisionSystem.from_arrays(positions, velocities, .0245, box=(.91, .9),
                                           obstacles=[Piston(x=.455, mass=30)], **options)
    one, other = system(), system(cells=(1, 1))
    assert one._engine.lists_in_use and not other._engine.lists_in_use
    one.simulate(max_events=20000)
    one.check()
    other.simulate(max_events=20000)
    assert one.hash() == other.hash() and one.pistons == other.pistons
    assert abs(one.energy_balance().drift) < 1e-13


def test_energy_is_kept_to_rounding_and_work_is_that_of_loads():
    system = crowd(pistons=(Piston(x=.5, mass=20, force=30), Piston(y=.5, mass=3, velocity=1)))
    start = system.energy_balance()
    assert start.kinetic == pytest.approx(system.temperature * 300 + 1.5) == pytest.approx(system.kinetic_energy)
    system.simulate(max_events=50_000)
    balance = system.energy_balance()
    assert balance.work == pytest.approx(30 * (system.pistons[0].place - .5), rel=1e-9)
    assert balance.kinetic == pytest.approx(start.kinetic + balance.work, rel=1e-12) and balance.dissipated == 0
    assert abs(balance.drift) < 1e-12


def test_momentum_along_the_axis_goes_to_the_piston():
    """Before anything meets a side of the box."""
    discs = [Particle(.3, .5, 1, .25, .05, 2), Particle(.7, .5, -.5, 0, .05, 1)]
    system = CollisionSystem(discs, obstacles=[Piston(x=.5, mass=4, velocity=.125)])
    before = system.momentum[0] + 4 * .125
    system.simulate(max_events=2)
    assert system.momentum[0] + 4 * system.pistons[0].velocity == pytest.approx(before, rel=1e-15)
    assert system.velocities[:, 1].tolist() == [.25, 0]


@pytest.mark.parametrize("others", [(), (Circle((3, 3), .05, velocity=(.01, 0)),)])
def test_reversal_leads_back(others):
    """Also beside obstacles that move: those and pistons are turned in different ways."""
    piston = Piston(x=.5, mass=5, force=-3)
    system = CollisionSystem(gas(1, 12, (1, 1), .03, (piston,), (.5, 1, 2)), obstacles=[piston, *others])
    before, place = system.positions, system.pistons[0].place
    system.simulate(until=1)
    assert abs(system.pistons[0].place - place) > .01
    system.reverse()
    system.simulate(until=2)
    assert np.abs(system.positions - before).max() < 1e-6 and system.pistons[0].place == pytest.approx(place, abs=1e-6)


@pytest.mark.parametrize("movers", [[], [Circle((.5, .9), .0625, velocity=(0, -.03125))], [
    Circle((.5, .9), .0625, motion=[(0, (.125, 0)), (.25, (-.125, 0))], period=.5)]])
def test_reversal_leads_back_where_something_moves_beside_pistons(movers):
    """Pistons go back, too; also those that meet at this instant, and have a point at them at this instant."""
    def there_and_back(discs, pistons, time):
        system = CollisionSystem([Particle(*row) for row in discs], obstacles=[*movers, *pistons])
        start = [*system.positions.ravel(), *(p.place for p in system.pistons)]
        system.simulate(until=time)
        system.reverse()
        system.simulate(until=2 * time)
        assert [*system.positions.ravel(), *(p.place for p in system.pistons)] == pytest.approx(start, abs=1e-12)
        assert [p.velocity for p in system.pistons] == pytest.approx([-p.velocity for p in pistons], abs=1e-12)
        return system

    there_and_back([], [Piston(x=.25, mass=3, velocity=.5), Piston(x=.5, mass=1, velocity=-.5)], .25)
    there_and_back([], [Piston(x=.25, mass=3, velocity=.5, force=-1), Piston(x=.5, mass=1, velocity=-.5)], .625)
    there_and_back([(.25, .5, 1, 0, 0, 1)], [Piston(x=.5, mass=1)], .25)
    assert there_and_back([(.25, .5, 1, .5, .05, 1)], [Piston(x=.5, mass=3, velocity=-.25)], .75).statistics["wall_contacts"] > 3


@pytest.mark.parametrize("mirrored", [False, True])
def test_axes_and_mirrors_keep_every_bit(mirrored):
    """The same box with its axes exchanged, or seen in a mirror."""
    system = crowd(n=60, radius=.02, pistons=(Piston(x=.375, mass=4, force=.5),))
    discs = [Particle(1 - d.rx if mirrored else d.ry, d.ry if mirrored else d.rx, -d.vx if mirrored else d.vy,
                      d.vy if mirrored else d.vx, d.radius, d.mass) for d in gas(1, 60, (1, 1), .02, system.pistons, (.5, 1, 2))]
    piston = Piston(x=.625, mass=4, force=-.5) if mirrored else Piston(y=.375, mass=4, force=.5)
    other = CollisionSystem(discs, obstacles=[piston])
    system.simulate(max_events=100)
    other.simulate(max_events=100)
    if mirrored:
        assert system.time == pytest.approx(other.time, rel=1e-9) and 1 - other.pistons[0].place == pytest.approx(
            system.pistons[0].place, rel=1e-6)
    else:
        assert (system.time, system.pistons[0].place) == (other.time, other.pistons[0].place)
        assert np.array_equal(system.positions, other.positions[:, ::-1])


def test_points_keep_their_sides(tmp_path):
    """Points of radius 0 are at the very place of the piston when they touch it; none comes across, through files and copies."""
    rng = np.random.default_rng(5)
    positions = rng.random((60, 2))
    system = CollisionSystem.from_arrays(positions, rng.normal(size=(60, 2)), 0.0, rng.choice([.5, 2], 60),
                                         obstacles=[Piston(x=.5, mass=3)])
    left = positions[:, 0] < .5
    for k in range(40):
        system.simulate(max_events=101)         # ends just at a contact
        if k % 4 == 1:
            system.save(tmp_path / "points.npz")
            system = hdsim.load(tmp_path / "points.npz")
        elif k % 4 == 2:
            with system.edit() as draft:
                draft.velocities[0] *= -1
        assert np.array_equal(system.positions[:, 0] < system.pistons[0].place + np.where(left, 1e-12, -1e-12), left)


def test_a_checkpoint_goes_on_to_the_same_bits(tmp_path):
    system = crowd(pistons=(Piston(x=.5, mass=20, force=3, name="weight"), Piston(y=.3, mass=2, restitution=.9)))
    system.simulate(max_events=1500)
    system.save(tmp_path / "a.npz")
    other = hdsim.load(tmp_path / "a.npz")
    assert other.pistons == system.pistons and other.obstacles == system.obstacles
    for each in (system, other):
        each.simulate(max_events=3000)
    assert system.hash() == other.hash() and system.pistons == other.pistons
    assert system.energy_balance() == other.energy_balance()


def test_text_files_have_pistons_where_they_are():
    system = crowd(n=20, radius=.03, pistons=(Piston(x=.5, mass=20, force=3, velocity=-.25, name="weight"),))
    system.simulate(until=.5)
    text = format_tail(system.obstacles)
    assert parse_tail(text.encode(), "a", 1, 20).obstacles == system.obstacles
    assert text.startswith("piston name=weight x=") and "mass=20" in text and "force=3" in text


def test_events_name_the_piston():
    system = CollisionSystem([Particle(.25, .5, 1, 0, .05, 1)], obstacles=[Circle((.9, .9), .05), Piston(x=.5, mass=1)])
    event = system.next_event()
    assert (event.kind, event.particles, event.wall, event.obstacle) == ("wall", (0,), None, 1)
    assert (event.time, event.contacts[0].impulse) == pytest.approx((.2, 1)) and event.contacts[0].feature == "face"
    assert system.velocities.tolist() == [[0, 0]] and system.pistons[0].velocity == 1
    system.simulate(until=1.3)      # the piston bounces from the side, which is no event, and comes back
    assert system.statistics["events"] == 2


def test_a_piston_alone_bounces_between_the_sides():
    system = CollisionSystem(obstacles=[Piston(x=.25, mass=1, velocity=.5), Piston(x=.75, mass=3)])
    system.simulate(until=1)       # meets the other one after a time of 1
    assert [p.velocity for p in system.pistons] == pytest.approx([-.25, .25]) or system.pistons[0].velocity == .5
    system.simulate(until=40)
    assert system.kinetic_energy == pytest.approx(.125) and system.statistics["events"] == 0
    falling = CollisionSystem(obstacles=[Piston(y=.5, mass=2, force=-2)])
    falling.simulate(until=5)      # on a parabola, from the floor again and again
    assert falling.energy_balance().kinetic == pytest.approx(2 * (.5 - falling.pistons[0].place), abs=1e-12)


@pytest.mark.parametrize("mass", [.25, 1, 3])
def test_two_discs_meet_a_piston_at_once(mass):
    """From both sides, in a mirror: the piston stays, and the discs come back; one event."""
    discs = [Particle(.25, .25, 1, 0, .125, 1), Particle(.75, .75, -1, 0, .125, 1)]
    system = CollisionSystem(discs, obstacles=[Piston(x=.5, mass=mass)])
    event = system.next_event()
    assert event.kind == "multi" and event.time == .125 and len(event.contacts) >= 2
    assert system.velocities.tolist() == [[-1, 0], [1, 0]] and system.pistons[0].velocity == 0


def test_a_disc_between_a_wall_and_a_piston():
    """It touches both at the same instant: the piston hits it while it is at the wall."""
    system = CollisionSystem([Particle(.125, .5, -.5, 0, .125, 1)], obstacles=[Piston(x=.25, mass=1, velocity=-1)])
    before = system.kinetic_energy
    system.simulate(max_events=1)
    assert system.kinetic_energy == pytest.approx(before)
    system.simulate(until=.01)
    assert system.velocities[0, 0] >= 0 and system.pistons[0].velocity > system.velocities[0, 0]
    system.check()


def test_a_row_that_fills_the_gap_exactly():
    """Four discs and a piston in contact from wall to wall, in round decimals, hit by a fifth disc: energy is kept."""
    discs = [Particle(.05 + .1 * k, .5, 0, 0, .05, 1) for k in range(4)] + [Particle(.8, .5, -1, 0, .05, 1)]
    system = CollisionSystem(discs, obstacles=[Piston(x=.4, mass=2)])
    system.simulate(until=3)
    assert system.kinetic_energy == pytest.approx(.5, rel=1e-12)
    system.check()


def test_a_load_presses_a_gas_and_rests_never():
    system = crowd(n=50, radius=.02, pistons=(Piston(y=.8, mass=1, force=-200),))
    system.simulate(max_events=20_000)
    assert .02 < system.pistons[0].place < .8
    assert abs(system.energy_balance().drift) < 1e-12
    lossy = crowd(n=5, radius=.05, pistons=(Piston(y=.8, mass=1, force=-5),), restitution=.5)
    with pytest.raises(hdsim.CollapseError, match="contact_time"):
        lossy.simulate(until=50)


def test_some_species_pass_a_piston():
    """A membrane: discs of species 1 do not feel it."""
    discs = [Particle(.25, .25, 1, 0, .05, 1), Particle(.25, .75, 1, 0, .05, 1)]
    system = CollisionSystem(discs, obstacles=[Piston(x=.5, mass=1e6, species=0)], species=[0, 1])
    system.simulate(until=.5)
    assert system.velocities[0, 0] < 0 and system.positions[1, 0] == pytest.approx(.75)


@pytest.mark.parametrize("speed", [1e-6, 1e6])
def test_a_very_fast_or_slow_piston(speed):
    system = crowd(n=50, radius=.02, pistons=(Piston(x=.5, mass=1e4, velocity=speed),))
    left = system.positions[:, 0] < .5
    system.simulate(max_events=3000)
    assert np.array_equal(system.positions[:, 0] < system.pistons[0].place, left)
    system.check()


def test_surfaces_measure_the_work_of_a_piston():
    """Its work on the discs is what its kinetic energy and its load give."""
    system = crowd(n=80, radius=.02, pistons=(Piston(x=.5, mass=3, velocity=2, force=1.5),))
    surfaces = system.observe(hdsim.Surfaces())
    before = .5 * 3 * 4
    system.simulate(max_events=3000)
    piston = system.pistons[0]
    after = .5 * 3 * piston.velocity ** 2
    turned = 1.5 * (piston.place - .5) + before - after
    assert surfaces.work[-1] == pytest.approx(turned, rel=1e-9)


@pytest.mark.more
def test_jams_and_walls_that_move():
    """A wall that closes on a piston with a disc between them: the piston gives way, until it meets the side."""
    system = CollisionSystem([Particle(.5, .5, 0, 0, .05, 1)], obstacles=[Piston(x=.7, mass=.5),
                                                                          Line((.3, 0), (1, 0), velocity=(.2, 0))])
    with pytest.raises(JammedError, match="squeezed"):
        system.simulate(until=10)


@pytest.mark.parametrize("given, message", [
    (dict(mass=1), "x is None and y is None; one of the two must be given"),
    (dict(x=.5, y=.5, mass=1), "one of the two must be given"),
    (dict(x=.5, mass=0), "mass is 0; it must be positive"), (dict(x=.5, mass=math.inf), "mass is inf"),
    (dict(x=math.nan, mass=1), "x is nan"), (dict(x=.5, mass=1, force=math.inf), "force is inf"),
    (dict(x=.5, mass=1, motion=[(0, (1, 0))]), "motion is .* must be left out"), (dict(x=.5, mass=1, until=3), "until is 3"),
    (dict(x=.5, mass=1, velocity=math.nan), "velocity is nan")])
def test_illegal_pistons(given, message):
    with pytest.raises(ValueError, match=message):
        Piston(**given)


@pytest.mark.parametrize("piston, options, message", [
    (Piston(x=.5, mass=1), dict(box=Box(1, 1, (True, False))), "periodic; it must have walls"),
    (Piston(x=1.5, mass=1), {}, "outside the box; x must be from 0 to 1"),
    (Piston(y=0, mass=1, force=-1), {}, "rests on a side of the box under its load"),
    (Piston(y=.5, mass=1, force=-1), dict(restitution=0), "load and restitution 0"),
    ([Piston(x=.5, mass=1)] * 17, {}, "has 17 pistons; it must have at most 16")])
def test_pistons_that_a_system_cannot_have(piston, options, message):
    with pytest.raises(ValueError, match=message):
        CollisionSystem(obstacles=piston if isinstance(piston, list) else [piston], **options)


def test_a_velocity_that_is_no_number():
    with pytest.raises(TypeError, match="velocity is"):
        Piston(x=.5, mass=1, velocity=(1, 0))


def test_a_disc_across_a_piston_has_no_room():
    with pytest.raises(hdsim.NoRoomError, match=r"disc 0 .* overlaps obstacles\[0\], Piston"):
        CollisionSystem([Particle(.5, .5, 0, 0, .1, 1)], obstacles=[Piston(x=.45, mass=1)])


def test_a_loaded_piston_meets_two_discs_at_once():
    """Its load has changed its velocity since it was stored: so it does not also meet a side that it has not reached."""
    discs = [Particle(1, y, 0, 0, .125, 1) for y in (.25, .75)]
    system = CollisionSystem(discs, box=(2, 1), obstacles=[Piston(x=.25, mass=1, force=.5)])
    event = system.next_event()
    assert event.particles == (0, 1) and [c.obstacle for c in event.contacts] == [0, 0]
    speed = math.sqrt(2 * .5 * .625)
    assert system.pistons[0].velocity == pytest.approx(-speed / 3) and system.velocities[:, 0] == pytest.approx(2 * speed / 3)


@pytest.mark.parametrize("at", [1, 2])
def test_a_checkpoint_keeps_the_order_of_pistons(at, tmp_path):
    """Also of pistons that are stored at different clocks, or that touch each other."""
    pistons = [Piston(x=.6, velocity=-.5, mass=1, species=1), Piston(x=.9, velocity=-.4, mass=1), Piston(x=1.5, mass=2),
               Piston(x=1.25, velocity=.125, mass=1)]
    system = CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .05, box=(2, 1), obstacles=pistons, species=[0])
    system.simulate(until=at)
    system.save(tmp_path / "a.npz")
    others = [hdsim.load(tmp_path / "a.npz"), system.copy()]
    for each in (system, *others):
        each.simulate(until=20)
    assert all(other.hash() == system.hash() and other.pistons == system.pistons for other in others)


def test_an_edit_keeps_the_order_of_pistons_that_touch():
    """They have just collided, and part."""
    system = CollisionSystem(obstacles=[Piston(x=.75, mass=1, velocity=-.5), Piston(x=.25, mass=1)])
    system.simulate(until=1)
    assert [p.velocity for p in system.pistons] == [0, -.5]
    with system.edit() as draft:
        draft.obstacles.append(Circle((.5, .5), .125))
    system.simulate(until=1.25)
    assert [(p.place, p.velocity) for p in system.pistons] == [(.25, 0), (.125, -.5)]


def test_pistons_fall_in_a_box_without_discs():
    system = CollisionSystem(obstacles=[Piston(y=.5, mass=2), Piston(x=.25, mass=1)], gravity=(0, -1), box=(1, 4))
    for k in range(1, 20):
        system.simulate(until=k + .5)
        assert system.pistons[0].place == pytest.approx(.375) and system.pistons[1].place == .25
        assert abs(system.energy_balance().drift) < 1e-14


def test_pistons_alone_make_no_event():
    """They turn for ever, and nobody is told: a run that waits for an event ends all the same."""
    system = CollisionSystem(obstacles=[Piston(x=.5, mass=1, velocity=1)])
    assert system.peek() is None and system.next_event() is None
    system.simulate(until=system.time + 10.25)
    assert 0 <= system.pistons[0].place <= 1


@pytest.mark.parametrize("gravity", [None, (.25, -1)])
@pytest.mark.parametrize("time", [1e-6, 1e-3, .01, .3, 2, 11])
def test_the_work_of_a_load_closes_the_balance_from_rest(time, gravity):
    """Also in the first instants, when the piston has come less far than its place is rounded by."""
    system = CollisionSystem([Particle(.75, .5, 0, 0, .1, 1)], obstacles=[Piston(x=.5, mass=10, force=.1)], gravity=gravity)
    system.simulate(until=time)
    balance = system.energy_balance()
    assert balance.work > 0 and abs(balance.drift) < 1e-14
