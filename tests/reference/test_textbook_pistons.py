"""Pistons in the textbook engine: parabolas, one-dimensional collisions, adiabatic work, the beta law, and balances."""
import itertools
import math

import pytest

from lawful import Piston, gas, given

import hdsim
from hdsim.model.obstacles import Circle, Line, Segment
from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_laws import CollapseError, CollisionSystem
from hdsim.reference.textbook_pistons import time_to_close


def momentum(system, axis=0):
    """That of discs and pistons along an axis."""
    return (math.fsum(m * v[axis] for m, v in zip(system.masses, system.velocities))
            + math.fsum(p.mass * p.velocity for p in system.pistons if p.axis == axis))


def state(system):
    """Positions, velocities, places and velocities of pistons, in one list."""
    return [x for row in (*system.positions, *system.velocities, *((p.place, p.velocity) for p in system.pistons)) for x in row]


# When

def test_when_a_gap_closes():
    """h + w t + a t^2 / 2: by hand, and never before it is open; rounding below 0 does not delay."""
    assert time_to_close(2, -1, 0) == 2 and time_to_close(2, 1, 0) == math.inf and time_to_close(-1, 1, 0) == math.inf
    assert time_to_close(6, 1, -2) == 3 and time_to_close(3, -4, 2) == 1 and time_to_close(5, -4, 2) == math.inf
    assert time_to_close(0, 4, -2) == 4 and time_to_close(0, -1, 5) == 0 and time_to_close(-1e-18, -1, 5) == 0
    assert time_to_close(4, -4, 2) == math.inf      # it only grazes
    assert time_to_close(-1, 1, -2) == .5           # overlapping until it turns: the turning point
    assert time_to_close(1e-30, -1e-15, 1e-3) == pytest.approx(1e-15, rel=1e-12)


def test_a_piston_under_a_load_flies_on_a_parabola():
    """From side to side, without discs: as a ball in weight. It keeps its energy, that of the load included."""
    system = CollisionSystem([], 1, 1, obstacles=[Piston(y=.75, mass=2, velocity=0, force=-1)])
    events = list(itertools.islice(system.events(1e9), 6))
    fall = math.sqrt(2 * .75 / .5)
    assert [event.time for event in events] == pytest.approx([fall * (2 * k + 1) for k in range(6)], rel=1e-12)
    assert {event.kind for event in events} == {"piston"} and abs(system.energy_balance().drift) < 1e-14
    system.simulate(12 * fall)
    assert system.pistons[0].place == pytest.approx(.75, abs=1e-12) and system.pistons[0].velocity == pytest.approx(0, abs=1e-12)


def test_a_free_piston_between_the_sides():
    """Along x, at constant speed: hits at (L - x) / v, then each L / v."""
    system = CollisionSystem([], 2, 1, obstacles=[Piston(x=.5, mass=3, velocity=.25)])
    assert [event.time for event in system.events(25)] == [6, 14, 22]
    assert system.pistons[0].velocity == -.25 and system.kinetic_energy == 3 / 32


# Contacts

@pytest.mark.parametrize("e", [1, .5, 0])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_disc_hits_a_piston(axis, e):
    """By momentum along the normal; the tangential component stays. From both sides."""
    for side in (-1, 1):
        at, v = [.5 + .25 * side, .5][::1 if axis == 0 else -1], [-side, .25][::1 if axis == 0 else -1]
        system = CollisionSystem([Particle(*at, *v, .125, 1)], obstacles=[Piston(**{"xy"[axis]: .5}, mass=3)], restitution=e)
        event = system.next_event()
        assert (event.time, event.kind, event.obstacle, event.disc_indices) == (.125, "wall", 0, (0,))
        assert system.velocities[0][axis] == -side * (1 - 3 * e) / 4 and system.velocities[0][1 - axis] == .25
        assert system.pistons[0].velocity == -side * (1 + e) / 4
        assert system.dissipated == pytest.approx((1 - e * e) * .75 / 2) and abs(system.energy_balance().drift) < 1e-15


def test_elastic_bounces_keep_energy_and_momentum():
    """Between two discs, in a run without the sides of the box; and with them, energy."""
    system = CollisionSystem([Particle(40, 50, 1, .5, 1, 1), Particle(60, 50, -.75, -.25, 2, 1.5)], 100, 100,
                             obstacles=[Piston(x=51, mass=.125, velocity=.125)])
    before, energy = momentum(system), system.kinetic_energy
    assert system.simulate(40) > 4
    assert momentum(system) == pytest.approx(before, abs=1e-14) and system.kinetic_energy == pytest.approx(energy, rel=1e-14)
    assert system.simulate(4000) > 60 and abs(system.energy_balance().drift) < 1e-13


@pytest.mark.more
def test_discs_never_change_sides():
    """Of light and heavy pistons, in gases on both sides; the balance closes, with losses and loads too."""
    for seed, (mass, force, e) in enumerate(itertools.product([.03, 1, 300], [0, 2], [1, .9])):
        discs = gas(seed, 8, 2, 1, .08, fits=lambda x, y, r: abs(x - 1) > r and (y < .45 - r or y > .45 + r))
        pistons = [Piston(x=1, mass=mass, force=force), Piston(y=.45, mass=2 * mass)]
        system = CollisionSystem(discs, 2, 1, obstacles=pistons, restitution=e, contact_time=1e-9 if e < 1 else 0)
        before = [(disc.rx > 1, disc.ry > .45) for disc in discs]
        for _ in range(150):
            system.next_event()
            x, y = (piston.place for piston in system.pistons)
            assert [(disc.rx > x, disc.ry > y) for disc in discs] == before
            assert min(min(abs(disc.rx - x), abs(disc.ry - y)) - disc.radius for disc in discs) > -1e-13
            assert -1e-13 < x < 2 + 1e-13 and -1e-13 < y < 1 + 1e-13
        assert abs(system.energy_balance().drift) < 2e-14


def test_two_pistons_bounce_off_each_other():
    """As bodies in one dimension; across each other they pass."""
    system = CollisionSystem([], 4, 4, obstacles=[Piston(x=1, mass=1, velocity=1), Piston(y=1, mass=1, velocity=.5),
                                                  Piston(x=3, mass=3, velocity=-1)])
    assert (system.next_event().time, [piston.velocity for piston in system.pistons]) == (1, [-2, .5, 0])
    system.simulate(9)
    assert system.kinetic_energy == 2.125
    a, b = system.pistons[0].place, system.pistons[2].place
    assert a <= b


def test_an_empty_list_of_discs_next_to_obstacles():
    """Pistons pass obstacles at rest, and keep the numbers of all others."""
    table = [Circle((1, 1), .5), Piston(x=.25, mass=1, velocity=1), given(Line((0, 0), (0, 1)), velocity=(0, .125))]
    system = CollisionSystem([Particle(3, 3, 0, -1, .25, 1)], 4, 4, obstacles=table)
    event = system.next_event()
    assert (event.obstacle, event.feature, system.pistons[0].index) == (2, "face", 1)
    assert system.next_event().obstacle == 1


def test_two_discs_at_a_piston_at_one_instant():
    """From both sides. The second contact drives the piston back to the first disc, which it touches again at once."""
    system = CollisionSystem([Particle(.25, .25, 0, 1, .125, 1), Particle(.75, .75, 0, -1, .125, 1)],
                             obstacles=[Piston(y=.5, mass=1)])
    assert [(event.time, event.disc_indices) for event in itertools.islice(system.events(1), 3)] == [
        (.125, (0,)), (.125, (1,)), (.125, (0,))]
    assert [v for _, v in system.velocities] == [-1, 1] and system.pistons[0].velocity == 0


def test_a_piston_is_a_membrane_for_other_species():
    """They pass it, and may be in its place; discs without species feel it."""
    discs = [Particle(.25, .25, 1, 0, .125, 1), Particle(.375, .75, .25, 0, .125, 1), Particle(.25, .5, 1, 0, .0625, 1)]
    discs[0].species, discs[1].species = 0, 1
    system = CollisionSystem(discs, obstacles=[given(hdsim.Piston(x=.5, mass=3), species=0)])
    assert [event.disc_indices for event in itertools.islice(system.events(1), 2)] == [(0,), (2,)]
    system = CollisionSystem([discs[1]], obstacles=[given(hdsim.Piston(x=.375, mass=3), species=(0, 2))])
    assert [event.wall for event in system.events(3)] == ["right"]
    with pytest.raises(ValueError, match="disc 0 .* overlaps piston 0"):
        CollisionSystem([discs[0]], obstacles=[given(hdsim.Piston(x=discs[0].rx, mass=3), species=0)])


# Work and equilibrium

def test_slow_compression_by_a_heavy_piston():
    """One disc before it: v L = const in one dimension; the work is what the piston loses."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)], 2, 1, obstacles=[Piston(x=1.75, mass=1e6, velocity=-.005)])
    room, speed = 1.75 - .25, 1.0
    for event in system.events(200):
        if event.obstacle is not None and event.kind == "wall":
            product = abs(system.velocities[0][0]) * (system.pistons[0].place - .25)
            assert product == pytest.approx(room * speed, rel=.01)
    assert abs(system.velocities[0][0]) > 2.5 and abs(system.energy_balance().drift) < 1e-14


def test_a_loaded_piston_that_loses_energy_comes_to_rest():
    """On a disc that cannot give way it bounces as a ball on the floor: from the gap h it rests at
    sqrt(2 h M / F) (1 + e) / (1 - e); then its bounces collapse."""
    for e, h in ((.5, 1), (.7, .25)):
        system = CollisionSystem([Particle(2, .25, 0, 0, .25, math.inf)], 4, 4, restitution={"wall": e},
                                 obstacles=[Piston(y=.5 + h, mass=2, force=-4)])
        with pytest.raises(CollapseError, match="give contact_time"):
            system.simulate(99)
        assert system.time == pytest.approx(math.sqrt(h) * (1 + e) / (1 - e), rel=1e-5)
        assert system.dissipated == pytest.approx(4 * h, rel=1e-9)


@pytest.mark.sample(1)
@pytest.mark.parametrize("left, right", [(1, 1), (2, 1)])
def test_the_beta_law_of_a_free_piston(left, right):
    """Points on both sides, the box 1 wide: its place has the mean (N_l + 1) / (N_l + N_r + 2) and the variance of the beta law.
    Masses differ, so that velocities mix."""
    masses = iter([1.0, 2.2, .6])
    discs = [Particle(.2 / (k + 1), .3, .7, .4, 0, next(masses)) for k in range(left)]
    discs += [Particle(1 - .2 / (k + 1), .6, -.9, .2, 0, next(masses)) for k in range(right)]
    system = CollisionSystem(discs, obstacles=[Piston(x=.45, mass=1.7)])
    means = []
    for _ in range(12):
        sums, start = [0.0, 0.0], system.time
        while system.time < start + 80:
            piston, before = system.pistons[0], system.time
            x, v = piston.place, piston.velocity
            system.next_event()
            t = system.time - before
            sums[0] += x * t + v * t * t / 2
            sums[1] += x * x * t + x * v * t * t + v * v * t**3 / 3
        means.append([s / (system.time - start) for s in sums])
    a, b = left + 1, right + 1
    for k, expected in enumerate((a / (a + b), a * (a + 1) / (a + b) / (a + b + 1))):
        values = [mean[k] for mean in means]
        mean = sum(values) / 12
        error = math.sqrt(sum((value - mean) ** 2 for value in values) / 12 / 11)
        assert error < .04 and abs(mean - expected) < 4 * error


@pytest.mark.parametrize("force", [0, -1.5])
def test_reversal_leads_back_with_pistons(force):
    """Discs and piston, with a load, and with a moving wall: after as much time, all is where it was."""
    floor = given(Segment((0, .05), (1, .05)), velocity=(0, .02))
    system = CollisionSystem(gas(3, 5, 1, 1, .08, fits=lambda x, y, r: abs(x - .5) > r and .1 < y - r),
                             obstacles=[Piston(x=.5, mass=2, force=force), floor])
    start = [x for row in system.positions for x in row] + [system.pistons[0].place]
    assert system.simulate(1) > 12
    system.reverse()
    system.simulate(2)
    assert [x for row in system.positions for x in row] + [system.pistons[0].place] == pytest.approx(start, abs=1e-7)
    assert system.pistons[0].velocity == pytest.approx(0, abs=1e-7) and abs(system.energy_balance().drift) < 1e-13


def test_a_copy_and_a_run_in_pieces_agree_to_rounding():
    """Moving in pieces rounds; nothing else changes."""
    def make():
        return CollisionSystem(gas(5, 4, 1, 1, .08, fits=lambda x, y, r: abs(x - .5) > r),
                               obstacles=[Piston(x=.5, mass=.5, force=.25)])
    whole, pieces = make(), make()
    whole.simulate(2)
    for k in range(1, 41):
        pieces.simulate(k / 20)
    assert state(whole) == pytest.approx(state(pieces), abs=1e-8)


# Refusals

@pytest.mark.parametrize("keywords, message", [
    ({}, "piston 0 must have x or y, one of the two"), ({"x": .5, "y": .5}, "piston 0 must have x or y"),
    ({"x": .5, "mass": 0}, "the mass of piston 0 is 0; it must be positive"), ({"x": .5, "mass": math.inf}, "the mass .* is inf"),
    ({"x": 1.5}, "piston 0 is at x = 1.5, outside the box"), ({"y": .5, "velocity": math.nan}, "the velocity of piston 0 is nan"),
    ({"x": .5, "force": math.inf}, "the force of piston 0 is inf"),
    ({"y": 0, "force": -1}, "piston 0 rests on a side of the box"),
    ({"x": .2}, r"disc 0 at \(0.25, 0.5\) with radius 0.125 overlaps piston 0 at x = 0.2"),
    ({"x": .5, "force": 1, "restitution": 0}, "piston 0 has a load, and restitution 0"),
])
def test_what_is_refused(keywords, message):
    """What is no piston, is outside, cannot bounce, or is where a disc is."""
    with pytest.raises(ValueError, match=message):
        CollisionSystem([Particle(.25, .5, 1, 0, .125, 1)], obstacles=[Piston(**keywords)])
