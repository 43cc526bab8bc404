"""The box of a system: its size, its periodic axes, and a pair of lengths in its place."""
from __future__ import annotations

import math
import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scenes import gas

import hdsim
from hdsim import Box, CollisionSystem, Configuration, Frame, datasets
from hdsim.model.box import Rectangle, as_box
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem

inf, nan = math.inf, math.nan


def test_the_unit_box_with_walls_is_the_default():
    """Box(width=1., height=1., periodic=(False, False)), also of a system."""
    assert Box() == Box(1., 1., (False, False)) == CollisionSystem().box
    assert Box(2, .5).area == 1.
    assert Box(periodic=True).periodic == (True, True)
    assert Box(3, 4, np.array([True, False])).periodic == (True, False)
    with pytest.raises(FrozenInstanceError):
        Box().width = 2.


@pytest.mark.parametrize("wrong", [0., -1., nan, inf, 1e100, 1e-100])
def test_a_box_must_have_a_size(wrong):
    """Positive, finite, and such that areas stay finite; the message names the side."""
    message = re.escape(f" is {wrong!r}; it must be positive and finite")
    with pytest.raises(ValueError, match="box width" + message):
        Box(wrong, 1)
    with pytest.raises(ValueError, match="box height" + message):
        Box(1, wrong)


@pytest.mark.parametrize("wrong", [(), (True,), (True, False, True)])
def test_periodic_is_a_pair(wrong):
    """One boolean for each axis."""
    with pytest.raises(ValueError, match="it must be a pair"):
        Box(periodic=wrong)


@pytest.mark.parametrize("periodic", ["no", "xy", None, (1, 0), [True, "a"], (True,), 3])
def test_periodic_is_a_pair_of_booleans(periodic):
    with pytest.raises(ValueError, match="must be a pair"):
        Box(1, 1, periodic)


def box_of(made) -> Box:
    """Of whatever has one."""
    return as_box(made if isinstance(made, Rectangle) else made.box) if not isinstance(made, Configuration) else Box(
        made.width, made.height)


PLACES = np.array([[.5, .5], [1.5, .5], [1.2, .2], [.3, .8]])


@pytest.mark.parametrize("make", [
    lambda box: CollisionSystem(box=box),
    lambda box: CollisionSystem.from_arrays(PLACES, PLACES, .1, box=box),
    lambda box: CollisionSystem.from_configuration(gas().configuration(), box=box),
    lambda box: hdsim.random(5, box=box),
    lambda box: hdsim.load("5", box=box),
    lambda box: hdsim.load("p10", box=box),
    lambda box: hdsim.states.sequential_addition(5, .1, box=box),
    lambda box: hdsim.states.compressed(5, .1, box=box),
    lambda box: hdsim.states.State(PLACES, np.full(4, .1), box).system(),
    lambda box: datasets.random_discs(5, box=box),
    lambda box: Frame(0., box, PLACES, PLACES, np.ones(4), np.ones(4), PLACES, np.arange(4), PLACES),
    lambda box: TimeDrivenSystem(hdsim.random(5, box=box), .1),
    lambda box: TextbookSystem(hdsim.random(5, box=box)),
])
@pytest.mark.parametrize("box", [(2, 1), [2., 1.], np.array([2, 1]), Box(2, 1)])
def test_a_box_is_also_its_width_and_height(make, box):
    """Wherever a box can be given."""
    assert box_of(make(box)) == Box(2, 1)


def test_a_pair_is_a_box_with_walls_for_functions_of_arrays_too():
    """They have the same values as for the `Box`."""
    masses, edges, walls = np.ones(4), np.linspace(0, .5, 3), Box(2, 1)
    for measure in (
            lambda box: hdsim.states.thermal_velocities(masses, 1., box=box),
            lambda box: hdsim.states.State(PLACES, masses, box).packing_fraction,
            lambda box: hdsim.observables.radial_distribution(PLACES, box, edges).g,
            lambda box: hdsim.observables.contact_value(PLACES, box, .1),
            lambda box: hdsim.observables.local_density(PLACES, box, 2, 1).density,
            lambda box: hdsim.observables.near_bonds(PLACES, box, .4).i,
            lambda box: hdsim.observables.root_mean_square_distance(PLACES, PLACES[::-1], box)):
        np.testing.assert_array_equal(measure((2, 1)), measure(walls))


@pytest.mark.parametrize("box", [3, "21", (1,), (1, 2, 3, 4), (1, "2"), {"width": 1}, np.ones((2, 2))])
def test_what_is_no_box_is_refused(box):
    """With a sentence that says what would be one."""
    for make in hdsim.random, hdsim.states.sequential_addition:
        with pytest.raises(TypeError, match=r"it must be a Box, \(width, height\) or"):
            make(4, **({"packing_fraction": .1} if make is not hdsim.random else {}), box=box)
    with pytest.raises(ValueError, match="box height is 0.0"):
        hdsim.random(4, box=(1, 0))
