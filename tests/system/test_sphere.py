"""`Sphere`: contacts of two spheres by hand, as those of a system."""
import math
import pickle

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Sphere


def two():
    return Sphere((.2, .3, .4), (1., .9, .2), .1, 1.), Sphere((.5, .6, .5), (-.5, 0, 0), .05, 3.)


def test_times_and_bounces_are_those_of_a_system():
    one, other = two()
    system = CollisionSystem([one, other])
    event = system.next_event()
    assert event.kind == "pair" and one.time_to_hit(other) == other.time_to_hit(one) == event.time
    for sphere in (one, other):
        sphere.move(event.time)
    one.bounce_off(other)
    assert np.array([one.velocity, other.velocity]) == pytest.approx(system.velocities, rel=1e-14)
    assert one.count == other.count == 1
    assert one.kinetic_energy() + other.kinetic_energy() == pytest.approx(system.kinetic_energy, rel=1e-15)
    before = one.velocity
    one.bounce_off(other)       # they part now
    assert one.velocity == before and one.count == 2


def test_walls():
    one, _ = two()
    assert [one.time_to_hit_wall(axis) for axis in range(3)] == pytest.approx([.7, 2 / 3, 2.5])
    one.bounce_off_wall(2)
    assert one.velocity == (1., .9, -.2) and one.time_to_hit_wall(2) == pytest.approx(1.5) and one.count == 1
    assert Sphere((.5, .5, .5), (0, 0, 0), .1, 1).time_to_hit_wall(0) == math.inf
    torus = Sphere((.9, .5, .5), (1, 0, 0), .1, 1, box=Box(1, 1, depth=1, periodic=(True, False, False)))
    assert torus.time_to_hit_wall(0) == math.inf
    assert torus.time_to_hit(Sphere((.3, .5, .5), (0, 0, 0), .1, 1)) == pytest.approx(.2)
    with pytest.raises(IndexError):
        one.time_to_hit_wall(3)


def test_bodies_of_infinite_mass():
    one, other = Sphere((.2, .5, .5), (1, 0, 0), .1, math.inf), Sphere((.6, .5, .5), (0, 0, 0), .1, 1)
    assert one.kinetic_energy() == 0 and one.time_to_hit(other) == pytest.approx(.2)
    other.position = (.4, .5, .5)
    one.bounce_off(other)
    assert one.velocity == (1, 0, 0) and other.velocity == (2, 0, 0)
    other.mass = math.inf
    assert one.time_to_hit(other) == math.inf
    with pytest.raises(ValueError, match="infinite mass"):
        one.bounce_off(other)
    with pytest.raises(ValueError, match="itself"):
        one.bounce_off(one)


def test_what_is_no_sphere():
    good = dict(position=(.5, .5, .5), velocity=(0, 0, 0), radius=.1, mass=1.)
    assert repr(Sphere(**good)) == ("Sphere(position=(0.5, 0.5, 0.5), velocity=(0.0, 0.0, 0.0), radius=0.1, mass=1.0, "
                                    "color=(0, 0, 0))")
    for name, value, words in (("position", (1, 2), "three numbers"), ("position", "abc", "three numbers"),
                               ("velocity", (1, 2, math.nan), "finite"), ("velocity", (1, 2, "a"), "velocity"),
                               ("radius", -1, "radius is -1"), ("radius", math.inf, "radius"), ("mass", 0, "mass is 0"),
                               ("mass", math.nan, "mass"), ("color", (1, 2), "color"), ("color", (1, 2, 256), "color"),
                               ("box", (1, 1), "depth"), ("count", 1.5, "count")):
        with pytest.raises((ValueError, TypeError), match=words):
            Sphere(**{**good, name: value})
    with pytest.raises(ValueError, match="dt is inf"):
        Sphere(**good).move(math.inf)
    again = pickle.loads(pickle.dumps(Sphere(**good, box=Box(1, 1, depth=2), count=3)))
    assert again.box == Box(1, 1, depth=2) and again.count == 3 and isinstance(again, hdsim.Sphere)
