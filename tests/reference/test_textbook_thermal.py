"""Thermal surfaces of the book's loop: the random numbers against numpy's, and laws of one disc."""
from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import hdsim
from hdsim.reference.textbook import Particle
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.textbook_laws import CollisionSystem
from hdsim.reference.textbook_thermal import Numbers, philox


@pytest.mark.parametrize("counter", [(0, 0, 0, 0), (5, 1, 2, 3), (2**64 - 1, 2**64 - 1, 7, 2**63)])
@pytest.mark.parametrize("key", [(0, 0), (1, 2), (2**64 - 1, 12345678901234567)])
def test_the_generator_is_that_of_numpy(key, counter):
    """numpy counts on before it makes a block."""
    number = sum(word << 64 * k for k, word in enumerate(counter))
    before = [(number - 1) % 2**256 >> 64 * k & 2**64 - 1 for k in range(4)]
    numpys = np.random.Philox(key=np.array(key, dtype=np.uint64), counter=np.array(before, dtype=np.uint64))
    assert philox(key, counter) == tuple(numpys.random_raw(4).tolist())


@pytest.mark.more
def test_variates_have_their_moments():
    """Of 20,000 of each kind; and a seed is a number modulo 2^64."""
    numbers = Numbers(3, 1, 4, 1)
    n = 20_000
    uniform, exponential, normal, rayleigh = (np.array([draw() for _ in range(n)]) for draw in (
        numbers.uniform, numbers.exponential, numbers.normal, numbers.rayleigh))
    for found, mean, variance in ((uniform, .5, 1 / 12), (exponential, 1, 1), (normal, 0, 1), (normal**2, 1, 2),
                                  (normal**4, 3, 96), (exponential**2, 2, 20),
                                  (rayleigh, math.sqrt(math.pi / 2), 2 - math.pi / 2)):
        assert abs(found.mean() - mean) < 4 * math.sqrt(variance / n)
    assert 0 < uniform.min() and uniform.max() < 1 and exponential.min() > 0
    assert Numbers(-1, 0, 0, 0).uniform() == Numbers(2**64 - 1, 0, 0, 0).uniform()


def thermal(temperature, velocity=0.0, accommodation=1.0):
    return SimpleNamespace(temperature=temperature, velocity=velocity, accommodation=accommodation)


def test_heat_and_work_of_a_side_that_slides():
    """The balance closes, and a side that slides by u does the work u times the momentum along it."""
    system = CollisionSystem([Particle(.5, .5, -1, .25, .125, 2)], walls={"left": thermal(3., .5)}, seed=1)
    system.simulate(until=.4)
    (vx, vy), = system.velocities
    balance = system.energy_balance()
    assert vx > 0 and balance.work == pytest.approx(.5 * 2 * (vy - .25), rel=1e-14)
    assert balance.heat == pytest.approx(vx**2 + vy**2 - (1 + .0625) - balance.work, rel=1e-12) and abs(balance.drift) < 1e-15


def test_bad_surfaces_are_refused():
    for walls, message in (({"north": thermal(1.)}, "walls has the key 'north'"), ({"left": thermal(0.)}, "kT = 0.0"),
                           ({"top": thermal(1., 0, 2.)}, "accommodation 2")):
        with pytest.raises(ValueError, match=message):
            CollisionSystem([], walls=walls)


def heated(**options):
    """Discs among surfaces of every kind: faces, ends, round ones, some that move, sides that slide."""
    shapes = [hdsim.Circle((.5, .5), .1, temperature=2.), hdsim.Segment((.1, .2), (.3, .3), temperature=.5, accommodation=.5),
              hdsim.Arc((.7, .2), .1, 0, 200, temperature=3.), hdsim.Line((.02, 0), (1, .125), temperature=1.5),
              hdsim.Segment((.2, .9), (.4, .9), temperature=1., motion=[(0, (.1, 0)), (1, (-.1, 0))], period=2.)]
    return hdsim.random(12, radius=.02, temperature=1, mass=1., obstacles=shapes, seed=7, walls={
        "bottom": hdsim.Thermal(1., .5, .7), "right": hdsim.Thermal(2.)}, **options)


@pytest.mark.parametrize("options", [{}, {"restitution": .9, "contact_time": 1e-3, "k_B": 1.5}], ids=["elastic", "granular"])
def test_both_engines_agree(options):
    """Until chaos has made rounding visible."""
    system = heated(**options)
    book = TextbookSystem(system)
    for _ in range(90):
        event, other = system.next_event(), book.next_event()
        while other.kind in ("device", "motion"):
            other = book.next_event()
        assert other.particles == event.particles and other.time == pytest.approx(event.time, abs=1e-5)
    assert system.thermal_contacts.sum() > 30
    assert (book.energy_balance().heat, book.energy_balance().work) == pytest.approx(
        (system.energy_balance().heat, system.energy_balance().work), rel=1e-3)


def test_the_book_goes_on_from_a_system_that_has_run():
    """Its discs keep their ids, and their numbers of contacts."""
    system = heated()
    system.remove(3)
    system.simulate(until=2)
    book = TextbookSystem(system)
    for _ in range(60):
        event, other = system.next_event(), book.next_event()
        while other.kind in ("device", "motion"):
            other = book.next_event()
        assert other.particles == event.particles and other.time == pytest.approx(event.time, abs=1e-6)
    assert (system.ids != np.arange(11)).any()


@pytest.mark.parametrize("seed", range(12))
def test_a_point_that_falls_round_an_end_is_re_emitted_to_the_side_that_it_came_to(seed):
    """It has begun below the surface, and lands on it; rounding of its place does not put it back below."""
    shelf = hdsim.Segment((.4, .55), (1, .3 + .02 * seed), temperature=.01)
    system = CollisionSystem([Particle(.3, .3, .25, 1, 0, 1)], obstacles=[shelf], gravity=(0, -1), seed=seed)
    hits = 0
    while system.next_event().obstacle == 0:
        hits += 1
        (vx, vy), slope = system.velocities[0], (shelf.end[1] - .55) / .6
        assert vy > slope * vx
    assert hits > 0
