"""Restitution in the textbook engine: closed forms, collapse, the TC model, and a balance of energies that closes."""
import math

import pytest

from lawful import gas, forced, given

from hdsim.model.obstacles import Circle, Line, Segment
from hdsim.reference import textbook
from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_laws import CollapseError, CollisionSystem

COLLAPSE = 7 - 4 * math.sqrt(3)     # of three equal discs in a row


def facts(system, until):
    return [(event.time, event.disc_indices, event.wall, event.obstacle) for event in system.events(until)]


# Elastic contacts

@pytest.mark.parametrize("keywords", [{}, {"restitution": 1}, {"restitution": {"pair": [[1, 1], [1, 1]]}}, {"contact_time": 9.},
                                      {"restitution": .5, "contact_time": 1e9}])
def test_elastic_contacts_have_the_bits_of_the_book(keywords):
    """Also if every contact but the first ones is elastic because of the one before."""
    shapes = [Segment((.5, 0), (.5, .4)), Circle((.5, .8), .1)]

    def discs():
        return gas(4, 8, fits=lambda x, y, r: abs(x - .5) > .1 + r, species=2)

    book, lawful = textbook.CollisionSystem(discs(), obstacles=shapes), CollisionSystem(discs(), obstacles=shapes, **keywords)
    if keywords.get("restitution") == .5:
        lawful._last = [0.0] * 8
    assert facts(book, 4) == facts(lawful, 4)
    assert (book.positions, book.velocities) == (lawful.positions, lawful.velocities)
    assert lawful.dissipated == lawful.work == 0 and abs(lawful.energy_balance().drift) < 1e-14


# Closed forms

def test_a_disc_between_two_walls_slows_down_by_e():
    """It crosses the gap in g / v, g / (e v), g / (e^2 v) ...: a geometric series."""
    e, gap = .8, 1 - 2 * .125
    system = CollisionSystem([Particle(.125, .5, 1, 0, .125, 3)], restitution=e)
    times = [event.time for event in system.events(30)]
    assert times == pytest.approx([gap * (e**-(k + 1) - 1) / (1 / e - 1) for k in range(len(times))], rel=1e-14)
    assert len(times) == 10 and system.velocities[0][0] == pytest.approx(e**10, rel=1e-14)
    assert system.dissipated == pytest.approx(1.5 * (1 - e**20), rel=1e-14)


@pytest.mark.parametrize("masses", [(1, 1), (1, 3), (5, .25), (2, math.inf)])
@pytest.mark.parametrize("e", [0, .3, .9, 1])
def test_an_oblique_pair(e, masses):
    """Along the normal the relative velocity becomes -e times what it was; momentum and tangential velocities stay; the energy
    that is lost is (1 - e^2) mu s^2 / 2."""
    first, second = Particle(.25, .5, 1, .25, .0625, masses[0]), Particle(.5, .5625, -.5, 0, .125, masses[1])
    if masses[1] == math.inf:
        second.vx = 0
    system = CollisionSystem([first, second], restitution={"pair": e, "wall": .1})
    before = system.velocities
    momentum = [sum(m * v[k] for m, v in zip(masses, before)) for k in (0, 1)]
    assert system.next_event().kind == "pair"
    n = (second.rx - first.rx) / .1875, (second.ry - first.ry) / .1875
    t = -n[1], n[0]

    def along(direction, velocities):
        return [v[0] * direction[0] + v[1] * direction[1] for v in velocities]

    (a, b), (c, d) = along(n, before), along(n, system.velocities)
    assert d - c == pytest.approx(e * (a - b), rel=1e-13, abs=1e-15)
    assert along(t, system.velocities) == pytest.approx(along(t, before), abs=1e-15)
    if masses[1] < math.inf:
        assert [sum(m * v[k] for m, v in zip(masses, system.velocities)) for k in (0, 1)] == pytest.approx(momentum, rel=1e-14)
    mu = 1 / sum(1 / m for m in masses)
    assert system.dissipated == pytest.approx((1 - e * e) / 2 * mu * (a - b) ** 2, rel=1e-12, abs=1e-300)
    assert abs(system.energy_balance().drift) < 1e-15


def test_each_contact_has_the_coefficient_of_what_touches():
    """Pairs by species, walls, and obstacles with one of their own."""
    pillars = [given(Circle((3, 1), .25), restitution=.25), Circle((1, 3), .25), given(Line((0, 5), (0, -1)), restitution=0)]

    def speed_after(x, y, vx, vy, other=None):
        discs = [Particle(x, y, vx, vy, .25, 1)] + ([Particle(*other[:2], 0, 0, .25, 1)] if other else [])
        discs[0].species = 0
        if other:
            discs[1].species = other[2]
        system = CollisionSystem(discs, 4, 6, obstacles=pillars, restitution={"pair": [[.5, .75], [.75, .125]], "wall": .875})
        system.next_event()
        (ux, uy), wx = system.velocities[0], (system.velocities[1][0] if other else 0)
        return wx - ux if other else max(abs(ux), abs(uy))

    assert speed_after(1, 1, 1, 0, (2, 1, 0)) == .5 and speed_after(1, 1, 1, 0, (2, 1, 1)) == .75
    assert speed_after(1, 1, 1, 0) == .25 and speed_after(1, 1, 0, 1) == .875
    assert speed_after(2.5, 3, 0, 1) == 0 and speed_after(2.5, 3, 1, 0) == .875


@pytest.mark.parametrize("degrees", [0, 20, 45, 90])
def test_inelastic_reflection_at_an_oblique_line(degrees):
    """The component along the normal is multiplied by -e, that along the line stays; a disc that e = 0 leaves on the line slides
    on it for ever."""
    n = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    for e in (0, .5):
        system = CollisionSystem([Particle(8, 8, -1, -.25, .25, 1)], 16, 16, obstacles=[given(Line((6, 6), n), restitution=e)])
        along = -1 * -n[1] - .25 * n[0]
        closing = n[0] + .25 * n[1]
        event = system.next_event()
        assert event.obstacle == 0
        vx, vy = system.velocities[0]
        assert vx * n[0] + vy * n[1] == pytest.approx(e * closing, abs=1e-15)
        assert vy * n[0] - vx * n[1] == pytest.approx(along, abs=1e-15)
        if e == 0:
            later = system.next_event()
            assert later.time - event.time > .5 and later.wall and abs(system.energy_balance().drift) < 1e-15


# Collapse and the TC model

def row(e, drift=0.0, **keywords):
    """Two discs that run into a third one between them, from almost the same distance."""
    return CollisionSystem([Particle(1, .5, 1 + drift, 0, .1, 1), Particle(2.05, .5, drift, 0, .1, 1),
                            Particle(3, .5, -1 + drift, 0, .1, 1)], 100, 1, restitution=e, **keywords)


@pytest.mark.parametrize("drift", [0, .3, -.017])
@pytest.mark.parametrize("e", [.001, .01, .05, .07, COLLAPSE - 1e-4])
def test_three_discs_collapse_below_the_threshold(e, drift):
    """e < 7 - 4 sqrt 3; in the frame of the centre of mass, and in others, where speeds do not die out."""
    system = row(e, drift)
    with pytest.raises(CollapseError, match="collapse at time 0.8.*discs .*give contact_time"):
        system.simulate(2)
    assert abs(system.energy_balance().drift) < 1e-14


@pytest.mark.parametrize("drift", [0, .3, -.017])
@pytest.mark.parametrize("e", [COLLAPSE + .008, .1, .3])
def test_three_discs_part_above_the_threshold(e, drift):
    """After some contacts."""
    system = row(e, drift)
    assert 3 <= system.simulate(2) < 15
    assert abs(system.energy_balance().drift) < 1e-15


def test_a_disc_and_a_wall_crush_a_disc_below_their_threshold():
    """Two discs that run against a wall: e < tan^2(pi / 8) = 3 - 2 sqrt 2."""
    threshold = math.tan(math.pi / 8) ** 2
    for e, collapses in ((threshold - .02, True), (threshold - .001, True), (threshold + .015, False), (.25, False)):
        system = CollisionSystem([Particle(1.5, .5, -1, 0, .1, 1), Particle(.2, .5, 0, 0, .1, 1)], 100, 1, restitution=e)
        if collapses:
            with pytest.raises(CollapseError):
                system.simulate(9)
        else:
            assert system.simulate(9) < 25


def test_contact_time_ends_a_collapse():
    """With it the discs part, and only contacts of discs that had none for that long have lost energy."""
    tc = 1e-4
    system = row(.01, contact_time=tc)
    lost, last, n = 0.0, [-math.inf] * 3, 0
    for event in system.events(2):
        elastic = any(event.time - last[k] < tc for k in event.disc_indices)
        assert (system.dissipated == lost) == elastic
        lost, n = system.dissipated, n + elastic
        for k in event.disc_indices:
            last[k] = event.time
    assert n >= 2 and system.time == 2 and abs(system.energy_balance().drift) < 1e-15


def test_contact_time_counts_walls():
    """A disc that has just hit one wall is elastic at the next one: exactly from less than the contact time on."""
    for tc, speed in ((.25, .5), (.26, 1)):
        system = CollisionSystem([Particle(.5, .5, 1, 1, .25, 1)], 1, 1.25, restitution=.5, contact_time=tc)
        system.simulate(.25)
        system.simulate(.5)
        assert system.velocities[0] == (-.5, -speed)


# Balance

@pytest.mark.parametrize("seed", range(6))
def test_the_balance_of_a_granular_gas_closes(seed):
    """Also with fixed and heavy discs, obstacles, and all kinds of coefficients."""
    discs = gas(seed, 9, 1.5, 1, .06, [1, .125, 7, 1000], fits=lambda x, y, r: abs(x - .75) > .1 + r, species=2)
    discs[0].mass, discs[0].vx, discs[0].vy = math.inf, 0, 0
    shapes = [given(Segment((.7, .2), (.8, .8)), restitution=.7), Circle((.75, .1), .05)]
    system = CollisionSystem(discs, 1.5, 1, obstacles=shapes, restitution={"pair": [[.9, .7], [.7, .95]], "wall": .8},
                             contact_time=1e-6)
    start = system.kinetic_energy
    system.simulate(8)
    assert sum(system.statistics[name] for name in ("pair_contacts", "wall_contacts")) > 60
    assert system.dissipated > .3 * start and abs(system.energy_balance().drift) < 1e-14
    assert system.kinetic_energy + system.dissipated == pytest.approx(start, rel=1e-14)


def test_a_driven_disc_does_work():
    """A disc of infinite mass moves on; what it hits gains (1 + e) m s u along the normal, less what the contact takes."""
    system = CollisionSystem([Particle(.125, .5, .5, 0, .125, math.inf), Particle(.5, .5, -1, 0, .125, 2)], restitution=.5)
    system.next_event()
    assert system.velocities == [(.5, 0), (.5 + .5 * 1.5, 0)]
    assert (system.work, system.dissipated) == (1.5 * 2 * 1.5 * .5, .75 * 2 * 1.5**2 / 2)
    assert system.energy_balance() == (1.25**2, 0, 1.6875, 2.25, 0, 0)


# Refusals

@pytest.mark.parametrize("keywords, message", [
    ({"restitution": 1.5}, "restitution is 1.5; it must be from 0 to 1"),
    ({"restitution": {"wall": -.5}}, "the restitution of walls is -0.5"),
    ({"restitution": {"pair": math.nan}}, "the restitution of pairs is nan"),
    ({"restitution": {"pairs": 1}}, r"keys \['pairs'\]; they must be 'pair' and 'wall'"),
    ({"restitution": {"pair": [[1, .5], [.6, 1]]}}, "symmetric"),
    ({"restitution": {"pair": [[1, .5]]}}, "square"),
    ({"restitution": {"pair": [[.5]]}}, "disc 0 has the species None; the restitution of pairs knows 1"),
    ({"contact_time": -1}, "contact_time is -1; it must be finite and not negative"),
    ({"obstacles": [forced(Circle((.1, .1), .05), restitution=2)]}, "the restitution of obstacle 0 is 2"),
])
def test_what_is_refused(keywords, message):
    """Coefficients outside [0, 1], unknown keys, tables that are not square, symmetric, or too small."""
    with pytest.raises(ValueError, match=message):
        CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)], **keywords)


def test_discs_at_one_place_have_no_direction():
    """As in the elastic textbook."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .125, 1), Particle(.5, .5, 0, 0, .125, 1)], restitution=.5)
    system.particles[1].rx = .25
    with pytest.raises(ValueError, match="two discs with the same centre cannot bounce"):
        system.next_event()


def test_a_jam_of_elastic_discs_is_no_collapse():
    """Discs without room pass their momentum on for ever: the plain error. With losses, it asks for a contact time."""
    def wedged(**keywords):
        system = CollisionSystem([Particle(.125, .5, 1, 0, .125, 1), Particle(.375, .5, 0, 0, .125, 1)], .5, 1, **keywords)
        system.particles[1].radius = .126
        system.particles[1].vx = 1e-3
        system._predict_everything()
        return system
    with pytest.raises(RuntimeError, match="jammed at time 0: .* discs \\[0, 1\\]$") as caught:
        wedged().simulate(1)
    assert not isinstance(caught.value, CollapseError)
    with pytest.raises(RuntimeError, match="jammed at time 0: .* discs \\[0, 1\\]$") as caught:
        wedged(restitution=.9, contact_time=.1).simulate(1)
    assert not isinstance(caught.value, CollapseError)
    with pytest.raises(CollapseError, match="give contact_time"):
        wedged(restitution=.999999).simulate(1)
