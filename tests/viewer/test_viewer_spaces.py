"""Gases in other spaces in pictures, films and the window: pixel by pixel, and every key."""
import string

import numpy as np
import pytest
from test_viewer import child, picture as picture_of, press, screenshot, watch

import hdsim
from hdsim import spaces, viewer
from hdsim.starts.gases import random_gas

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
pytestmark = pytest.mark.usefixtures("opengl")


def picture(gas, width, height):
    """A function from places on the paper of a gas to colours."""
    return picture_of(gas.on_paper(), width, height)[2]


def one(p, **options):
    """One ball of radius .3 in the middle of a periodic plane."""
    return spaces.Gas(spaces.Norm(p, **options), [(.5, .5)], [(0, 0)], .3, periodic=(1.3, 1.3))


@pytest.mark.parametrize("p", [1, 1.5, 2, 4, np.inf])
def test_bodies_are_drawn_as_balls_of_the_norm(p):
    """In every direction, the edge is where the norm of the offset is the radius."""
    at = picture(one(p), 520, 520)
    for angle in np.linspace(.05, 2 * np.pi, 23):
        ray = np.array([np.cos(angle), np.sin(angle)])
        edge = .3 / spaces.Norm(p).norm(ray)
        assert at(*(.5 + (edge - .01) * ray)) == BLACK and at(*(.5 + (edge + .01) * ray)) == WHITE


def test_weights_and_polygons():
    at = picture(one(2, weights=(1, 4)), 520, 520)
    assert at(.79, .5) == BLACK and at(.81, .5) == WHITE and at(.5, .64) == BLACK and at(.5, .66) == WHITE
    hexagon = spaces.Polytope([(1, 0), (.5, .75**.5), (-.5, .75**.5)])
    at = picture(spaces.Gas(hexagon, [(.5, .5)], [(0, 0)], .3, periodic=(1.5, 1.5)), 600, 600)
    for angle in np.linspace(.05, 2 * np.pi, 23):
        ray = np.array([np.cos(angle), np.sin(angle)])
        edge = .3 / hexagon.norm(ray)
        assert at(*(.5 + (edge - .01) * ray)) == BLACK and at(*(.5 + (edge + .01) * ray)) == WHITE


def test_the_globe_has_a_front_and_a_back():
    """A cap at the pole is round, one at the rim narrow; what is behind is pale."""
    gas = spaces.Gas(spaces.Sphere(), [(0, 0, 1), (.6, 0, -.8), (0, .8, .6)], np.zeros((3, 3)), .25)
    at = picture(gas, 525, 525)
    middle = 1.05
    assert at(middle, middle) == at(middle + .2, middle) == at(middle, middle + .2) == BLACK
    pale = at(middle + .6 * np.cos(.25), middle)
    assert BLACK < pale < WHITE and len(set(pale)) == 1
    place = .8 * np.cos(.25)        # the cap is an ellipse with half axes sin .25 across and .6 sin .25 outwards
    assert at(middle, middle + place) == at(middle + .23, middle + place) == at(middle, middle + place + .13) == BLACK
    assert at(middle, middle + place + .165) == at(middle + .265, middle + place) == WHITE


def test_discs_are_circles_in_poincares_disc():
    """The circle of radius r about a point at distance d from the middle: from tanh((d - r)/2) to tanh((d + r)/2)."""
    d, r = 1.2, .3
    gas = spaces.Gas(spaces.Hyperbolic(), [(np.cosh(d), np.sinh(d), 0)], [(0, 0, 0)], r)
    at, middle = picture(gas, 1050, 1050), 1.05
    near, far = np.tanh((d - r) / 2), np.tanh((d + r) / 2)
    assert at(middle + near + .01, middle) == at(middle + far - .01, middle) == BLACK
    assert at(middle + near - .01, middle) == at(middle + far + .01, middle) == WHITE
    half = (far - near) / 2
    assert at(middle + (near + far) / 2, middle + half - .01) == BLACK
    assert at(middle + (near + far) / 2, middle + half + .01) == WHITE


def test_in_space_what_is_nearer_covers_what_is_farther():
    gas = spaces.Gas(spaces.Norm(2, 3), [(.5, .5, .8), (.5, .5, .2)], np.zeros((2, 3)), .1, walls=_cube(),
                     colors=[(0, 0, 200), (0, 200, 0)])
    front = picture(gas, 500, 500)(.5, .5)
    assert front[1] > 190 and front[0] == front[2] < 60


def _cube():
    return [spaces.Hyperplane(axis, offset) for axis in np.eye(3) for offset in (0., 1.)]


@pytest.mark.parametrize("name", ["l1", "sphere", "hyperbolic", "rods", "l2-3d"])
def test_films(name, tmp_path, pillow):
    film = hdsim.record(random_gas(name, 12), tmp_path / "gas.gif", seconds=.2, width=120, progress=False)
    with pillow.open(tmp_path / "gas.gif") as frames:
        assert frames.n_frames == film.frames > 4


def every_key():
    for name in ("sphere",):
        gas = random_gas(name, 12)
        energy = gas.kinetic_energy

        def script(window):
            yield 5
            for key in [*set(string.ascii_uppercase) - set("NSMFB"), "TAB", "RIGHT", "LEFT", "UP", "DELETE", "SPACE", "HOME"]:
                press(window, key)
                yield 1
            screenshot(window)
        shown = watch(gas, script, look=viewer.Look(arrows=True, colors="speed", trails=(0,)))
        assert repr(shown.gas.space) == repr(gas.space)
        assert abs(shown.kinetic_energy / energy - 1) < 1e-13


def test_no_key_of_the_window_fails(screen):
    child(every_key, DISPLAY=screen)
