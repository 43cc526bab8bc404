"""Restitution and motion in files: text, checkpoints and trajectories, in two and three dimensions; and what is refused."""
import io as streams
import re

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Circle, Line, Segment
from hdsim.formats import io
from hdsim.formats.tail import format_tail, parse_tail
from hdsim.model.errors import FileFormatError
from hdsim.model.law import Law, law_of
from hdsim.model.placed import placed

DISC = "1\n.5 .5 .1 .2 .01 1 0 0 0\n"
BACK_AND_FORTH = {"motion": [(0, (.1, 0)), (.5, (-.1, 0))], "period": 1}


def gas(**options):
    shapes = [Circle((.5, .5), .1, name="drift", velocity=(.01, -.02)),
              Segment((.1, .8), (.3, .8), restitution=.5, **BACK_AND_FORTH)]
    return hdsim.random(20, radius=.02, temperature=1, seed=1, obstacles=shapes, contact_time=1e-3,
                        **{"restitution": {"pair": .9, "wall": .8}, **options})


def read(text):
    return hdsim.load(streams.BytesIO(text.encode()))


@pytest.mark.parametrize("lines, law", [
    ("restitution 0.9", law_of(.9)), ("restitution 0", law_of(0)), ("restitution pair=0.9 wall=1", law_of({"pair": .9})),
    ("restitution pair=1 wall=0.5", law_of({"wall": .5})),
    ("restitution pair=0.9,0.8,0.8,0.7 wall=1", law_of({"pair": [[.9, .8], [.8, .7]]})),
    ("restitution 0.9\ncontact-time 0.001", law_of(.9, .001)), ("contact-time 0.001", law_of(1, .001)),
])
@pytest.mark.parametrize("dimension", [2, 3])
def test_lines_of_a_law(lines, law, dimension):
    """Each is written as this, and read back equal, whichever line comes first."""
    assert format_tail(law=law) == lines + "\n"
    for given in (lines, "\n".join(reversed(lines.split("\n")))):
        assert parse_tail(given.encode(), "gas.txt", 3, 2, dimension).law == law
    assert format_tail(law=Law()) == ""


@pytest.mark.parametrize("line, shape", [
    ("circle 0.5 0.5 0.1 restitution=0.5", Circle((.5, .5), .1, restitution=.5)),
    ("circle 0.5 0.5 0.1 velocity=0.25,-1", Circle((.5, .5), .1, velocity=(.25, -1))),
    ("segment 0 0 1 1 motion=-1:0.5,0;2:0,0", Segment((0, 0), (1, 1), motion=[(-1, (.5, 0)), (2, (0, 0))])),
    ("line 0 0 0 1 motion=0:0,0.1;0.5:0,-0.1 period=1", Line((0, 0), (0, 1), motion=[(0, (0, .1)), (.5, (0, -.1))], period=1)),
    ("arc 0 0 1 1 0 -1 0 velocity=1,0 side=inside", Arc((0, 0), 1, (1, 0), (-1, 0), side="inside", velocity=(1, 0))),
])
def test_lines_of_obstacles_that_move(line, shape):
    assert format_tail([shape]) == line + "\n" and parse_tail(line.encode(), "gas.txt", 3, 1).obstacles == (shape,)


@pytest.mark.parametrize("lines, message", [
    ("restitution", "restitution: expected one number, or pair= and wall=, found 0 values"),
    ("restitution .9 .8", "restitution: expected one number, or pair= and wall=, found 2 values"),
    ("restitution .9 wall=.8", "restitution: expected one number, or pair= and wall=, found 1 value and wall"),
    ("restitution 1.5", "restitution: restitution is 1.5; it must be from 0, at which nothing of the speed is kept, to 1"),
    ("restitution x", "restitution: expected a number, found 'x'"),
    ("restitution pair=.9,.8 wall=1", "restitution: expected 1, 4, 9, ... numbers for pair, the rows of a square, found 2"),
    ("restitution pair=.9,.8,.7,.6", "restitution: restitution['pair'][1][0] is 0.7, and [0][1] is 0.8; they must be equal"),
    ("restitution floor=1", "restitution: expected one of the keys pair, wall, found 'floor'"),
    ("restitution 1\nrestitution .5", "restitution: expected one line of this word, found a second one after line 3"),
    ("contact-time", "contact-time: expected 1 number, a time, found 0"),
    ("contact-time -1", "contact-time: expected a time >= 0, found '-1'"),
    ("contact-time inf", "contact-time: expected a number, found 'inf'"),
    ("contact-time 1\ncontact-time 2", "contact-time: expected one line of this word, found a second one after line 3"),
    ("circle 0 0 1 restitution=2", "Circle: restitution is 2"),
    ("circle 0 0 1 velocity=1", "circle: expected velocity=UX,UY of numbers, found '1'"),
    ("circle 0 0 1 velocity=1,x", "circle: expected velocity=UX,UY of numbers, found '1,x'"),
    ("circle 0 0 1 motion=1,2", "circle: expected motion=T:UX,UY;T:UX,UY;... of numbers, found '1,2'"),
    ("circle 0 0 1 motion=x:1,2", "circle: expected motion=T:UX,UY;T:UX,UY;... of numbers, found 'x'"),
    ("circle 0 0 1 motion=0:1", "circle: expected motion=T:UX,UY;T:UX,UY;... of numbers, found '1'"),
    ("circle 0 0 1 motion=1:1,0;1:0,0", "Circle: the times of motion must ascend; 1 follows 1"),
    ("circle 0 0 1 period=1", "Circle: it has a period and no motion"),
    ("circle 0 0 1 motion=0:1,0;2:0,0 period=1", "Circle: period is 1; it must be longer than motion, which takes 2"),
    ("circle 0 0 1 velocity=1,0 motion=0:1,0", "Circle: it has a velocity and a motion; give one of them"),
    ("circle 0 0 1 velocity=1,0 velocity=1,0", "circle: expected each key once, found velocity twice"),
])
def test_bad_lines_are_refused(lines, message):
    """In one line: the place, the word, what was found, and what would be right."""
    with pytest.raises(FileFormatError, match=f"^gas.txt:{3 + lines.count(chr(10))}: {re.escape(message)}"):
        parse_tail(lines.encode(), "gas.txt", 3, 1)


def test_spheres_have_no_obstacles():
    with pytest.raises(FileFormatError, match="expected box, periodic, restitution, contact-time, gravity, thermal or seed, the"):
        parse_tail(b"box 1 1 1\nrestitution .5\ncircle 0 0 1 velocity=1,0", "gas.txt", 3, 1, 3)


def test_a_text_of_a_later_time_has_everything_where_it_is_then():
    """A text is read as the state at time 0, so places are those of then, and times count from then; also what comes and goes."""
    system = gas()
    system.simulate(until=3.25)
    again = read(io.format_text(system.configuration()))
    assert again.time == 0 and (again.restitution, again.contact_time) == ({"pair": .9, "wall": .8}, 1e-3)
    for later in (0, .1, .4, 1.3, 7):
        for one, other in zip(system.obstacles, again.obstacles):
            fields = [(getattr(there, name), getattr(here, name)) for there, here in
                      [(placed(one, 3.25 + later), placed(other, later))] for name in one.POINTS]
            assert all(there == pytest.approx(here, abs=1e-12) for there, here in fields)
    assert again.obstacles[0].name == "drift" and again.obstacles[1].motion[0][0] == -3.25
    system.step(.5)
    again.step(.5)
    assert system.positions == pytest.approx(again.positions, abs=1e-6)


@pytest.mark.parametrize("options", [{}, {"restitution": {"pair": [[.9, .8], [.8, .7]]}, "species": [0, 1] * 10}])
def test_a_checkpoint_goes_on(options, tmp_path):
    """With law, motions, balance and the last contacts: equal bits afterwards."""
    system = gas(**options)
    system.simulate(until=1.7)
    system.save(tmp_path / "gas.npz")
    again = hdsim.load(tmp_path / "gas.npz")
    assert (again.restitution, again.contact_time, again.obstacles) == (system.restitution, 1e-3, system.obstacles)
    assert again.energy_balance() == system.energy_balance()
    for each in (system, again, system.copy()):
        each.simulate(until=3)
    assert again.hash() == system.hash() and again.energy_balance() == system.energy_balance()


def test_spheres_keep_their_law(tmp_path):
    """In a text and a checkpoint."""
    system = hdsim.random(20, radius=.05, temperature=1, seed=1, box=(1, 1, 1), restitution=.9, contact_time=1e-3)
    again = read(io.format_text(system.configuration()))
    for each in (system, again):
        each.simulate(until=1)
    assert again.hash() == system.hash() and system.dissipated > 0
    system.save(tmp_path / "balls.npz")
    assert hdsim.load(tmp_path / "balls.npz").energy_balance() == system.energy_balance()


def test_a_trajectory_keeps_what_moves(tmp_path):
    """A frame has its time, so obstacles stand as they were given; the law is given again."""
    system = gas()
    with system.record(tmp_path / "gas.xyz", every=.5):
        system.simulate(until=1.25)
    frame = hdsim.load(tmp_path / "gas.xyz", restitution=.9)
    assert (frame.time, frame.obstacles, frame.restitution) == (1.0, system.obstacles, .9)
    assert hdsim.load(tmp_path / "gas.xyz").conserves_energy is False         # the obstacles move


def test_a_law_that_is_given_wins():
    """`load` takes that of the file, unless one is given, also for a named set."""
    text = DISC + "restitution .9\ncontact-time .01\n"
    assert (read(text).restitution, read(text).contact_time) == (.9, .01)
    given = hdsim.load(streams.BytesIO(text.encode()), restitution=.5)
    assert (given.restitution, given.contact_time) == (.5, .01)
    named = hdsim.load("p100-.5K", restitution=.9, contact_time=1e-3)
    assert (named.restitution, named.contact_time) == (.9, 1e-3)
    assert np.array_equal(named.positions, hdsim.load("p100-.5K").positions)
