"""Particle alone, as in the book: when it hits, how it bounces."""
from __future__ import annotations

import copy
import inspect
import math
import pickle
import pydoc
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hdsim
from hdsim import Box, CollisionSystem, Particle

quick = settings(max_examples=150, deadline=None)
unit = st.floats(-1, 1)
inside = st.floats(.1, .9)
mass = st.floats(1e-3, 1e3)


def test_attributes_are_the_arguments_in_the_books_order():
    """rx, ry, vx, vy, radius, mass, color; count starts at 0; the box is the unit box with four walls."""
    disc = Particle(.1, .2, .3, .4, .05, 2, (1, 2, 3))
    assert (disc.rx, disc.ry, disc.vx, disc.vy, disc.radius, disc.mass, disc.color) == (.1, .2, .3, .4, .05, 2, (1, 2, 3))
    assert (disc.count, disc.width, disc.height, disc.periodic) == (0, 1., 1., (False, False))
    assert Particle(0, 0, 0, 0, 0, 1).color == (0, 0, 0)
    assert repr(disc) == "Particle(rx=0.1, ry=0.2, vx=0.3, vy=0.4, radius=0.05, mass=2.0, color=(1, 2, 3))"


GOOD = dict(rx=.5, ry=.5, vx=0, vy=0, radius=.1, mass=1)


@pytest.mark.parametrize("wrong, message", [
    *[({name: bad}, f"{name} is {bad}; it must be finite")
      for name in ("rx", "ry", "vx", "vy", "radius") for bad in (math.nan, math.inf, -math.inf)],
    ({"radius": -1e-300}, "radius is -1e-300; it must be >= 0"),
    ({"mass": 0.}, "mass is 0.0; it must be > 0, or infinite for a fixed disc"),
    ({"mass": -1.}, "mass is -1.0; it must be > 0"),
    ({"mass": math.nan}, "mass is nan; it must be > 0"),
    ({"mass": -math.inf}, "mass is -inf; it must be > 0"),
    ({"width": 0.}, "the box is 0.0 x 1.0; both sides must be positive and finite"),
    ({"height": math.inf}, "the box is 1.0 x inf; both sides"),
    ({"width": math.nan}, "the box is nan x 1.0; both sides"),
    *(({name: 10**digits}, f"{name} is an integer of {digits + 1} digits; it must be at most")
      for name in ("rx", "vy", "radius", "mass", "height") for digits in (400, 5000)),
    ({"color": (0, 0)}, r"color is \(0, 0\); it must be three integers 0 ... 255"),
    ({"color": (0, 0, 256)}, r"color is \(0, 0, 256\); it must be three"),
    ({"color": (-1, 0, 0)}, r"color is \(-1, 0, 0\); it must be three"),
])
def test_illegal_values_are_refused(wrong, message):
    """The message names the quantity, what was found and what would be right."""
    with pytest.raises(ValueError, match=message):
        Particle(**GOOD | wrong)


@pytest.mark.parametrize("right", [{"radius": 0.}, {"mass": math.inf}, {"mass": 5e-324}, {"color": (0, 255, 7)}, {"rx": -5.}])
def test_boundary_values_are_accepted(right):
    """Points, fixed discs and extreme colours are legal; a lone disc may be anywhere."""
    Particle(**GOOD | right)


def test_what_would_break_a_disc_cannot_be_set():
    """radius, mass, colour and box are read-only; places, velocities and the count are not."""
    disc = Particle(**GOOD)
    for name in ("radius", "mass", "color", "width", "height", "periodic"):
        with pytest.raises(AttributeError):
            setattr(disc, name, getattr(disc, name))
    disc.rx, disc.vy, disc.count = .25, 3., 7
    assert (disc.rx, disc.vy, disc.count) == (.25, 3., 7)


def test_move_goes_straight_on():
    """Walls are not looked at."""
    disc = Particle(.5, .5, 1, -.25, .1, 1)
    disc.move(2)
    assert (disc.rx, disc.ry, disc.vx, disc.vy) == (2.5, 0., 1, -.25)


def test_head_on():
    """Two discs a gap of 3/8 apart that close at speed 2 touch after 3/16 (exact case X1), and bounce as 1-d rods."""
    light, heavy = Particle(.25, .5, 1, 0, 1 / 16, 1), Particle(.75, .5, -1, 0, 1 / 16, 3)
    assert light.time_to_hit(heavy) == heavy.time_to_hit(light) == 3 / 16
    light.move(3 / 16), heavy.move(3 / 16)
    light.bounce_off(heavy)
    assert (light.vx, light.vy, heavy.vx, heavy.vy) == (-2, 0, 0, 0)
    assert light.count == heavy.count == 1


@pytest.mark.parametrize("heavy, after", [(1., [(.36, -.48), (.64, .48)]), (3., [(.04, -.72), (.32, .24)])])
def test_oblique(heavy, after):
    """The 3-4-5 collision (exact case X2)."""
    one, other = Particle(1 / 8, .5, 1, 0, 1 / 16, 1), Particle(.5, .5 + .6 / 8, 0, 0, 1 / 16, heavy)
    dt = one.time_to_hit(other)
    assert dt == pytest.approx(3 / 8 - .8 / 8, abs=1e-15)
    one.move(dt), other.move(dt)
    one.bounce_off(other)
    assert (one.vx, one.vy) == pytest.approx(after[0], abs=1e-14)
    assert (other.vx, other.vy) == pytest.approx(after[1], abs=1e-14)


@quick
@given(inside, inside, inside, inside, unit, unit, unit, unit, mass, mass)
def test_discs_touch_after_time_to_hit_and_part_after_bounce_off(ax, ay, bx, by, avx, avy, bvx, bvy, ma, mb):
    """At the predicted time the centres are one contact distance apart; after the bounce they recede, with the same
    momentum and energy; the order of the two discs does not matter."""
    a, b = Particle(ax, ay, avx, avy, .04, ma), Particle(bx, by, bvx, bvy, .03, mb)
    dt = a.time_to_hit(b)
    assert dt == b.time_to_hit(a) and dt >= 0
    dx, dy = bx - ax, by - ay
    if not dt < 1e3:
        return
    if dt > 0:
        a.move(dt), b.move(dt)
        dx, dy = b.rx - a.rx, b.ry - a.ry
        assert math.hypot(dx, dy) == pytest.approx(.07, abs=1e-13 * (1 + dt))
    momentum = ma * a.vx + mb * b.vx, ma * a.vy + mb * b.vy
    energy = a.kinetic_energy() + b.kinetic_energy()
    a.bounce_off(b)
    assert dx * (b.vx - a.vx) + dy * (b.vy - a.vy) >= 0
    assert (ma * a.vx + mb * b.vx, ma * a.vy + mb * b.vy) == pytest.approx(momentum, abs=1e-14 * (ma + mb))
    assert a.kinetic_energy() + b.kinetic_energy() == pytest.approx(energy, rel=1e-13, abs=1e-300)


def test_overlap_and_touch_are_decided_by_the_sign():
    """Approaching: now. Receding, or moving together: never."""
    for gap in (0., -.05):
        left, right = Particle(.25, .5, 1, 0, .125, 1), Particle(.5 + gap, .5, 0, 0, .125, 1)
        assert left.time_to_hit(right) == 0
        left.vx = -1.
        assert left.time_to_hit(right) == math.inf
        left.vx = 0.
        assert left.time_to_hit(right) == math.inf


def test_never():
    """Itself; a point and a point; two infinite masses; discs that miss."""
    disc = Particle(.25, .5, 1, 0, .1, 1)
    assert disc.time_to_hit(disc) == math.inf
    assert Particle(.25, .5, 1, 0, 0, 1).time_to_hit(Particle(.75, .5, -1, 0, 0, 1)) == math.inf
    assert Particle(.25, .5, 1, 0, .1, math.inf).time_to_hit(Particle(.75, .5, 0, 0, .1, math.inf)) == math.inf
    assert disc.time_to_hit(Particle(.75, .71, -1, 0, .1, 1)) == math.inf
    assert disc.time_to_hit(Particle(.75, .69, -1, 0, .1, 1)) < .5


def test_walls_touch_the_surface_of_a_disc():
    """Not its centre; at rest: never; on the wall and moving towards it: now; away: the other wall."""
    disc = Particle(.5, .25, 1, -.5, .125, 1)
    assert disc.time_to_hit_vertical_wall() == .375 and disc.time_to_hit_horizontal_wall() == .25
    rest = Particle(.5, .5, 0., -0., .125, 1)
    assert rest.time_to_hit_vertical_wall() == rest.time_to_hit_horizontal_wall() == math.inf
    assert Particle(.125, .5, -1, 0, .125, 1).time_to_hit_vertical_wall() == 0
    assert Particle(.1, .5, -1, 0, .125, 1).time_to_hit_vertical_wall() == 0
    assert Particle(.125, .5, 1, 0, .125, 1).time_to_hit_vertical_wall() == .75


def test_bouncing_off_a_wall_reflects_and_counts():
    """The vertical wall turns vx, the horizontal one vy."""
    disc = Particle(.5, .5, 1, 2, .1, 1)
    disc.bounce_off_vertical_wall()
    assert (disc.vx, disc.vy, disc.count) == (-1, 2, 1)
    disc.bounce_off_horizontal_wall()
    assert (disc.vx, disc.vy, disc.count) == (-1, -2, 2)


def test_a_fixed_disc_is_a_wall_and_a_driven_one_a_racket():
    """Infinite mass keeps its velocity; energy leaves it out."""
    ball, post = Particle(.25, .5, 1, 0, .1, 1), Particle(.45, .5, 0, 0, .1, math.inf)
    ball.bounce_off(post)
    assert (ball.vx, post.vx) == (-1, 0)
    racket = Particle(.45, .5, -1, 0, .1, math.inf)
    ball.vx = 1.
    racket.bounce_off(ball)
    assert (ball.vx, racket.vx) == (-3, -1)
    assert racket.kinetic_energy() == 0 and ball.kinetic_energy() == 4.5


def test_collisions_that_cannot_be_are_refused():
    """With itself; between two infinite masses; with nothing."""
    disc, post = Particle(**GOOD), Particle(**GOOD | {"mass": math.inf})
    with pytest.raises(ValueError, match="a disc cannot collide with itself"):
        disc.bounce_off(disc)
    with pytest.raises(ValueError, match="two discs of infinite mass cannot collide"):
        post.bounce_off(Particle(**GOOD | {"mass": math.inf}))
    for method in (disc.time_to_hit, disc.bounce_off):
        with pytest.raises(TypeError):
            method(None)
    assert disc.count == post.count == 0


def test_in_a_periodic_box_the_nearest_image_is_hit():
    """A disc of a periodic system meets the other one through the edge, and no walls."""
    system = CollisionSystem([Particle(.125, .5, -1, 0, .0625, 1), Particle(.875, .5, 0, 0, .0625, 1)],
                             box=Box(1, 1, (True, False)))
    one, other = system
    assert one.time_to_hit(other) == other.time_to_hit(one) == .125 == system.peek().time
    assert one.time_to_hit_vertical_wall() == math.inf
    assert one.periodic == (True, False)
    one.move(.125)
    one.bounce_off(other)
    assert (one.vx, other.vx) == (0, -1)


def test_pickle_and_copy_keep_everything():
    """Box and count included."""
    disc = Particle(.1, .2, .3, .4, .05, math.inf, (9, 8, 7), width=2., height=3., periodic=(True, False), count=12)
    names = ("rx", "ry", "vx", "vy", "radius", "mass", "color", "width", "height", "periodic", "count")
    for twin in (pickle.loads(pickle.dumps(disc)), copy.copy(disc), copy.deepcopy(disc)):
        assert twin is not disc
        assert [getattr(twin, name) for name in names] == [getattr(disc, name) for name in names]


@pytest.mark.parametrize("slow", [1e-3, 1e-8, 1e-300])
def test_a_shot_along_an_axis_of_a_torus_ends(slow):
    """However slow the motion along the other axis is, the first image is found, or missed, at once."""
    system = CollisionSystem([Particle(.2, .2, slow, 1, .01, 1), Particle(.7, .7, 0, 0, .01, 1)],
                             box=Box(1, 1, (True, True)))
    time = system[0].time_to_hit(system[1])
    assert time > 0 and (slow < 1e-3 or math.isfinite(time))


@pytest.mark.parametrize("vy", [0., .3, -.3])
def test_discs_that_pass_beside_each_other_in_a_strip_say_so_at_once(vy):
    """There are images along x without end and none along y, so images that arrive after the last time at which the discs overlap
    in y are not checked. All of 100000 would take a third of a millisecond."""
    def disc(x, y, vx, vy):
        return Particle(x, y, vx, vy, .01, 1, periodic=(True, False))

    start = time.process_time()
    assert all(disc(.1, .2, 1, 0).time_to_hit(disc(.5, .2 + (.021 if vy >= 0 else -.021), 0, vy)) == math.inf
               for _ in range(3000))
    assert time.process_time() - start < .3
    near = disc(.1, .2, 1, 0).time_to_hit(disc(.5, .21, 0, 1e-3))       # side by side till dy is .02, ten boxes later
    assert near == pytest.approx(.4 - math.sqrt(.02**2 - (.01 + 1e-3 * near)**2))
    assert disc(.1, .2, 1, 0).time_to_hit(disc(.5, .2201, 0, -1e-5)) == pytest.approx(10.4, abs=.03)


def test_signatures_are_told():
    """By inspect and help; keyword arguments are those of the constructor. The docstring is without it."""
    signature = inspect.signature(hdsim.Particle)
    assert str(signature) == ("(rx, ry, vx, vy, radius, mass, color=(0, 0, 0), *, width=1.0, height=1.0, periodic=(False, "
                              "False), count=0)")
    bound = signature.bind(.5, .5, vx=1, vy=0, radius=.1, mass=1, count=3)
    assert hdsim.Particle(*bound.args, **bound.kwargs).count == 3
    assert str(inspect.signature(hdsim.IndexMinPQ)) == "(capacity)"
    assert hdsim.Particle.__doc__.startswith("One disc, with") and hdsim.IndexMinPQ.__doc__.startswith("Indexed priority queue")
    assert "Particle(rx, ry, vx, vy, radius, mass, color=(0, 0, 0)" in pydoc.render_doc(hdsim.Particle, renderer=pydoc.plaintext)
    for name in ("move", "time_to_hit", "bounce_off"):
        assert len(inspect.signature(getattr(hdsim.Particle, name)).parameters) == 2
    for name in hdsim.__all__:
        made = getattr(hdsim, name)
        if inspect.isclass(made) and not issubclass(made, BaseException):
            inspect.signature(made)
