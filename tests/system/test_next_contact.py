"""`next_contact`: the first contact of one disc, with a disc, a wall or an obstacle, by two engines that share no code."""
import numpy as np
import pytest

import hdsim
from hdsim.reference.textbook_face import TextbookSystem

OBSTACLES = [hdsim.Segment((.5, 0), (.5, .4), name="low"), hdsim.Polygon([(.6, .6), (.8, .6), (.7, .8)]),
             hdsim.Arc((.25, .7), .15, 180, 90), hdsim.Segment((.5, .6), (.5, 1), species=1),
             hdsim.Segment((0, .1), (.3, .1), until=.1)]


def gas(obstacles=OBSTACLES, n=40):
    """Discs of two species among obstacles."""
    rng, places = np.random.default_rng(3), []
    from hdsim.model.obstacles import gap
    while len(places) < n:
        x, y = rng.uniform(.02, .98, 2)
        if all(float(gap(obstacle, x, y, .015)) > 0 for obstacle in obstacles) and all(
                np.hypot(x - a, y - b) > .03 for a, b in places):
            places.append((x, y))
    return hdsim.CollisionSystem.from_arrays(places, rng.normal(size=(n, 2)), .015, obstacles=obstacles, species=np.arange(n) % 2)


def test_two_engines_agree():
    """For every disc, at the start and later: the same partner at the same time."""
    exact = gas()
    for until in (0.0, .3):
        exact.simulate(until=until)
        book = TextbookSystem(exact)
        for i in range(len(exact)):
            mine, theirs = exact.next_contact(i), book.next_contact(i)
            assert mine.time == pytest.approx(theirs.time, rel=1e-9)
            assert mine[1:] == theirs[1:]
    kinds = [exact.next_contact(i) for i in range(len(exact))]
    assert {contact.obstacle for contact in kinds} >= {None, 0, 1} and any(contact.wall for contact in kinds)


def test_the_first_of_all_is_the_next_event():
    system = gas()
    for _ in range(50):
        firsts = [system.next_contact(i) for i in range(len(system))]
        time, kind = min(firsts).time, system.peek().kind
        event = system.next_event()
        assert kind == "device" or event.time == time


def test_nothing_ahead_is_none_and_no_disc_is_an_error():
    system = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1)
    assert system.next_contact(0) is None and system.next_contact(-1) is None
    assert TextbookSystem(system).next_contact(0) is None
    for engine in system, TextbookSystem(system):
        with pytest.raises(IndexError):
            engine.next_contact(1)


def test_it_changes_nothing():
    system = gas()
    other = system.copy()
    for i in range(len(system)):
        system.next_contact(i)
    system.simulate(until=1)
    other.simulate(until=1)
    assert system.hash() == other.hash()
