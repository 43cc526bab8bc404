"""Gases in other spaces in pictures, films and the window: pixel by pixel, and every key."""
import string

import numpy as np
import pytest
from test_viewer import child, picture as picture_of, press, screenshot, watch

import hdsim
from hdsim import spaces, viewer
from hdsim.spaces.paper import PALE, RIM
from hdsim.starts.gases import random_gas
from hdsim.model.roles import on_paper
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.styling import Styling
from hdsim.viewer.draw.theme import THEMES
from hdsim.viewer.draw.visible import least_radius
from hdsim.viewer.film.image import picture_view

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
    """A cap at the pole is round, one at the rim narrow and paler; what is behind is paler still."""
    gas = spaces.Gas(spaces.Sphere(), [(0, 0, 1), (.6, 0, -.8), (0, .8, .6)], np.zeros((3, 3)), .25)
    at = picture(gas, 525, 525)
    middle = 1.05
    assert at(middle, middle) == at(middle + .2, middle) == at(middle, middle + .2) == BLACK
    behind, aside = at(middle + .6 * np.cos(.25), middle), (round(255 * .4 * RIM),) * 3
    assert BLACK < aside < behind < WHITE and len(set(behind)) == 1
    place = .8 * np.cos(.25)        # the cap is an ellipse with half axes sin .25 across and .6 sin .25 outwards
    assert at(middle, middle + place) == at(middle + .23, middle + place) == at(middle, middle + place + .13) == aside
    assert at(middle, middle + place + .165) == at(middle + .265, middle + place) == WHITE


def test_discs_are_circles_in_poincares_disc():
    """The circle of radius r about a point at distance d from the middle: from tanh((d - r)/2) to tanh((d + r)/2)."""
    d, r = 1.2, .3
    gas = spaces.Gas(spaces.Hyperbolic(), [(np.cosh(d), np.sinh(d), 0)], [(0, 0, 0)], r)
    at, middle = picture(gas, 1050, 1050), 1.05
    near, far = np.tanh((d - r) / 2), np.tanh((d + r) / 2)
    shade = (round(255 * PALE * np.tanh(d / 2)**2),) * 3
    assert at(middle + near + .01, middle) == at(middle + far - .01, middle) == shade
    assert at(middle + near - .01, middle) == at(middle + far + .01, middle) == WHITE
    half = (far - near) / 2
    assert at(middle + (near + far) / 2, middle + half - .01) == shade
    assert at(middle + (near + far) / 2, middle + half + .01) == WHITE


def test_in_space_what_is_nearer_covers_what_is_farther():
    gas = spaces.Gas(spaces.Norm(4, 3), [(.5, .5, .8), (.5, .5, .2)], np.zeros((2, 3)), .1, walls=_cube(),
                     colors=[(0, 0, 200), (0, 200, 0)])
    front = picture(gas, 500, 500)(.5, .5)
    assert front[1] > 190 and front[0] == front[2] < 60


def test_what_is_far_away_is_like_the_paper_of_every_theme():
    """A body on the far side of the globe is nearer to the paper's colour than one on this side, on white and on dark paper."""
    gas = spaces.Gas(spaces.Sphere(), [(0, 0, 1), (.6, 0, -.8)], np.zeros((2, 3)), .25, colors=[(200, 0, 0)] * 2)
    for theme in ("light", "dark"):
        system, paper = gas.on_paper(), np.array(THEMES[theme].paper, float)
        colors = viewer.picture_styling(system, viewer.Look(theme, "file")).painted(Frame.of(system)).colors
        near, far = np.abs(colors - paper).sum(axis=1)
        assert tuple(colors[0]) == (200, 0, 0) and far == pytest.approx((1 - PALE) * near, abs=3)


def test_short_rods_are_not_enlarged():
    """In a picture as wide as a phone they cover a fifth of the line, as they do, and half of its height: they can be seen."""
    rods = hdsim.load("rods").on_paper()
    image = viewer.snapshot(rods, 340, 60, viewer.Look(colors="file")).astype(int)
    inked = np.ptp(image[20:-20], axis=2) > 40      # between the walls: all but paper and outline
    assert inked[inked.shape[0] // 2].mean() == pytest.approx(.2, abs=.06)
    frame = Frame.of(rods)
    assert 0 < least_radius(frame, picture_view(frame, 340, 60), 1.0) < .01 * 340 / 2


@pytest.mark.parametrize("source, said", [("p10", "small discs enlarged"), ("gas3", "small spheres enlarged"),
                                          ("linf", "small bodies enlarged"), ("l2-3d", "small spheres enlarged")])
def test_what_is_enlarged_has_its_name(source, said):
    system = on_paper(hdsim.load(source))
    styling = Styling(system, viewer.Look())
    styling.painted(Frame.of(system))
    assert styling.explained(True).notes == (said,) and styling.explained(False).notes == ()


@pytest.mark.parametrize("name", ["sphere", "hyperbolic"])
def test_a_space_turns_under_a_hand(name):
    """What is taken hold of stays under the hand, however often; the gas does not change; copies are seen from the same place."""
    gas = random_gas(name, 30)
    system, before = gas.on_paper(), gas.positions.copy()
    copy, middle = system.copy(), system.box.width / 2
    seen = system.positions.copy()
    lines = system.drawing.lines
    small = spaces.Gas(gas.space, gas.positions, gas.velocities, 1e-7, walls=gas.walls).on_paper()
    for k in range(200):
        start = middle + np.array((.3 * np.cos(k), .2 * np.sin(2 * k)))
        end = middle + np.array((.25 * np.sin(3 * k), -.3 * np.cos(k)))
        small.turn(start, end)
        system.turn(start, end)
    assert np.array_equal(gas.positions, before) and np.array_equal(copy.positions, system.positions)
    assert np.abs(system.positions - seen).max() > .1
    assert len(lines) == len(system.drawing.lines) and (len(lines) == 1 or not np.array_equal(lines[1], system.drawing.lines[1]))
    front = int(small.drawing.order[-1]) if small.drawing.order is not None else int(np.argmin(small.drawing.pale))
    start = small.positions[front]
    small.turn(tuple(start), (middle + .2, middle - .1))
    assert small.positions[front] == pytest.approx((middle + .2, middle - .1), abs=1e-6)
    back = system.positions.copy()
    system.turn((middle, middle), (middle, middle))
    assert system.positions == pytest.approx(back, abs=1e-12)


def test_the_card_of_a_gas_says_its_space():
    """The sphere, its radius and how much of it is covered: of a cap of angle a, (1 - cos a) / 2."""
    gas = spaces.Gas(spaces.Sphere(2.0), [(0, 0, 2), (0, 0, -2)], np.zeros((2, 3)), .5)
    rows = dict(gas.on_paper().described(0))
    assert rows["space"] == "sphere of radius 2" and rows["covered"] == f"{100 * (1 - np.cos(.25)):.3g} %"
    assert dict(gas.on_paper().overview())["bodies"] == "2"
    plane = dict(random_gas("l4", 50).on_paper().overview())
    assert plane["space"] == "norm of exponent 4, dimension 2" and plane["wall count"] == "4"
    for name in ("l1", "l4", "linf", "rods", "l2-3d"):     # which fill a fifth, but for the digits of the radius
        about = dict(random_gas(name, 50).on_paper().overview())
        covered = about["filled" if name == "l2-3d" else "covered"]
        assert covered.endswith(" %") and float(covered[:-2]) == pytest.approx(20, abs=1), name
    hyperbolic = dict(random_gas("hyperbolic", 10).on_paper().described(3))
    assert hyperbolic["space"] == "hyperbolic plane" and "covered" not in hyperbolic


def turned():
    """A drag with the left button turns the globe, also on a body, and does not move the picture; one with the right does not."""
    gas = random_gas("sphere", 40)

    def script(window):
        yield 3
        seen = window.playback.frame.positions.copy()
        area = window.stage.picture_area()
        x, y = int((area.left + area.right) / 2), int((area.bottom + area.top) / 2)
        for button, change in ((1, True), (4, False)):
            origin = window.stage.box_view.origin
            window.dispatch_event("on_mouse_press", x, y, button, 0)
            window.dispatch_event("on_mouse_drag", x + 40, y + 10, 40, 10, button, 0)
            window.dispatch_event("on_mouse_release", x + 40, y + 10, button, 0)
            yield 2
            moved = np.abs(window.playback.frame.positions - seen).max() > .05
            assert moved == change, button
            assert window.stage.box_view.origin == origin or not change
            seen = window.playback.frame.positions.copy()
    watch(gas, script, paused=True)


def test_a_globe_turns_under_the_mouse(screen):
    child(turned, DISPLAY=screen)


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


@pytest.mark.more
def test_no_key_of_the_window_fails(screen):
    child(every_key, DISPLAY=screen)
