"""Thermal surfaces in text files: lines of sides and of the seed, keys of obstacles, and what is refused."""
from __future__ import annotations

import numpy as np
import pytest

import hdsim
from hdsim import Box, FileFormatError, Thermal
from hdsim.formats import io
from hdsim.formats.tail import format_tail, parse_tail
from hdsim.model.thermal import Heat, heat_of


def test_what_is_written_is_read(tmp_path):
    """Sides with and without keys, obstacles, the seed; in the plane and in space."""
    shapes = (hdsim.Circle((.5, .5), .1, temperature=2., accommodation=.25), hdsim.Segment((.1, .1), (.2, .1), temperature=1e-3))
    heat = heat_of({"top": Thermal(.1, -.5), "left": Thermal(2., (0, .25), .9), "right": Thermal(3.)}, 2**80, Box())
    text = format_tail(shapes, Box(), heat=heat)
    assert text.splitlines() == ["thermal left 2 velocity=0,0.25 accommodation=0.9", "thermal right 3",
                                 "thermal top 0.1 velocity=-0.5,0", f"seed {2**80}",
                                 "circle 0.5 0.5 0.1 temperature=2 accommodation=0.25",
                                 "segment 0.1 0.1 0.2 0.1 temperature=0.001"]
    assert parse_tail(text.encode(), "gas.txt", 1, 0)[::6] == (shapes, heat)
    space = hdsim.random(5, radius=.05, seed=3, box=(1, 1, 2), walls={"front": Thermal(1., (.5, 0, 0)), "top": Thermal(2.)})
    (tmp_path / "gas.txt").write_text(io.format_text(space.configuration()))
    again = hdsim.load(tmp_path / "gas.txt", k_B=1.)
    assert (again.walls, again.seed, again.box) == (space.walls, 3, space.box)
    for system in (space, again):
        system.simulate(max_events=200)
    assert space.hash() == again.hash() and (space.velocities == again.velocities).all()


def test_a_number_is_the_velocity_along_a_side():
    tail = parse_tail(b"box 2 1\nperiodic x\nthermal top 1 velocity=.5\nthermal bottom 1 velocity=-.5,0", "gas.txt", 1, 0)
    assert tail.heat == Heat((("bottom", Thermal(1., (-.5, 0.))), ("top", Thermal(1., (.5, 0.)))))


def test_texts_without_heat_are_as_they_were():
    """The seed of elastic systems is not written."""
    system = hdsim.random(5, seed=9)
    assert system.seed == 9 and "seed" not in io.format_text(system.configuration())
    assert "heat" not in system.checkpoint()[1] and "heat" not in system.checkpoint()[1]["engine"]
    assert np.array_equal(hdsim.CollisionSystem.from_configuration(system.configuration()).positions, system.positions)


@pytest.mark.parametrize("lines, message", [
    ("thermal left", "gas.txt:1: thermal: expected a side and a temperature, such as left 2, found 1 value"),
    ("thermal left hot", "gas.txt:1: thermal: expected a number, found 'hot'"),
    ("thermal left 0", "gas.txt:1: thermal: Thermal: temperature is 0.0; it must be positive and finite"),
    ("thermal lft 1", "gas.txt:1: thermal: walls has the key 'lft'; it must be left, right, bottom or top (did you mean 'left'"),
    ("thermal back 1", "gas.txt:1: thermal: walls has the key 'back'; it must be left, right, bottom or top"),
    ("thermal left 1 velocity=1,0", "gas.txt:1: thermal: walls['left']: velocity is (1.0, 0.0); it must have 2 components"),
    ("thermal left 1 velocity=a", "gas.txt:1: thermal: expected a number, found 'a'"),
    ("thermal left 1 speed=1", "gas.txt:1: thermal: expected one of the keys velocity, accommodation, found 'speed'"),
    ("thermal left 1 accommodation=2", "gas.txt:1: thermal: Thermal: accommodation is 2.0; it must be from 0"),
    ("thermal left 1\nthermal left 2", "gas.txt:2: thermal: expected one line for each side, found a second one for left"),
    ("periodic x\nthermal left 1", "gas.txt:2: thermal: walls['left']: the box is periodic along x and has no such side"),
    ("seed 1\nseed 2", "gas.txt:2: seed: expected one line of this word, found a second one after line 1"),
    ("seed 1.5", "gas.txt:1: seed: expected one whole number, found '1.5'"),
    ("seed", "gas.txt:1: seed: expected one whole number, found ''"),
    ("circle 0 0 1 temperature=0", "gas.txt:1: Circle: temperature is 0.0; it must be positive and finite"),
    ("circle 0 0 1 accommodation=.5", "gas.txt:1: Circle: accommodation is 0.5, and there is no temperature; give temperature"),
])
def test_bad_lines_are_refused(lines, message):
    with pytest.raises(FileFormatError) as caught:
        parse_tail(lines.encode(), "gas.txt", 1, 0)
    assert str(caught.value).startswith(message)
