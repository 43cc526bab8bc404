"""The curve on which the centre of a disc turns, pixel by pixel: compared with `gap`, with the nearest feature, and with the
places at which the engine reflects a disc."""
import numpy as np
import pytest
from test_viewer import child, press, screenshot, watch
from test_viewer_obstacles import SHAPES, SIDE, expected, places_of, system_of

import hdsim
from hdsim.model.obstacles import gap
from hdsim.model.outlines import nearest
from hdsim.viewer.draw.context import offscreen
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.film.image import picture_view

INKS = {"face": (250, 0, 0), "arc": (0, 250, 0), "cap": (0, 0, 250), "wall": (125, 125, 0)}
# All have the sum 250, and so has a pixel of the curve where two of them meet.


def curve(system, radius, side=SIDE):
    """A picture of the curve alone, on black."""
    frame = Frame.of(system)
    with offscreen():
        from hdsim.viewer.draw.opengl import gl

        from hdsim.viewer.draw.gpu_pen import GpuPen
        from hdsim.viewer.draw.layers import Canvas
        from hdsim.viewer.draw.offset_features import Inks, OffsetLines
        canvas, pen = Canvas(side, side), GpuPen()
        try:
            gl.glViewport(0, 0, side, side)
            gl.glClearColor(0, 0, 0, 1)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
            pen.begin((side, side), 1.0)
            OffsetLines().draw(pen, frame, frame.obstacles, radius, picture_view(frame, side, side), Inks(*INKS.values()),
                               2.0)
            pen.flush()
            return canvas.read().astype(int)
        finally:
            pen.delete()
            canvas.delete()


def kind(feature):
    return "face" if feature.startswith("face") else "arc" if feature.startswith(("outside", "inside")) else "cap"


@pytest.mark.sample(3)
@pytest.mark.parametrize("radius", [.05, .15])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "short arc"])      # which has one side only
def test_the_curve_is_where_the_gap_is_zero(opengl, name, radius):
    """On it, walls included, and nowhere else; and its colour is that of the feature that is nearest."""
    system = system_of(SHAPES[name])
    image = curve(system, radius)
    x, y, scale = places_of(Frame.of(system))
    distance, solid, _ = expected(system)
    walls = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y)) * scale
    over = np.minimum(distance, walls) - radius * scale
    off = np.abs(over)
    drawn = image.sum(axis=2)
    free = ~solid & (walls > 0)
    assert (drawn[~free] == 0).all() and (drawn[free & (off > 1.6)] == 0).all()
    on = free & (off < .4) & (over >= 0)
    assert (drawn[on] > 240).all()
    # Just beyond the curve; farther on in a sharp corner of it, there is none.
    beside = np.any([np.roll(free & (over >= 0), (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0)
    assert (drawn[beside & free & (off < .4)] > 0).all()
    assert radius > .1 or on.sum() > 30        # for the larger radius, a room may be too small
    rows, columns = np.nonzero(on & (distance < walls - 2))
    for row, column in list(zip(rows, columns))[::17]:
        near = sorted((nearest(obstacle, x[row, column], y[row, column]) for obstacle in system.obstacles))
        others = [other for other in near[1:] if other.distance - near[0].distance < 3 / scale]
        if not others and "far larger" not in name:
            found = min(INKS, key=lambda ink: np.abs(image[row, column] - INKS[ink]).sum())
            assert found == kind(near[0].feature) or _is_near_a_joint(system, x[row, column], y[row, column], scale)


def _is_near_a_joint(system, x, y, scale):
    """Whether another kind of feature is nearest within two pixels of a place."""
    around = [(x + a / scale, y + b / scale) for a in (-2, 2) for b in (-2, 2)]
    return len({kind(nearest(obstacle, *place).feature) for obstacle in system.obstacles for place in around}) > 1


def test_one_sided_arcs_turn_discs_on_one_side(opengl):
    """From the other side they pass, so there is no curve there."""
    for side, inner, outer in (("inside", True, False), ("outside", False, True), ("both", True, True)):
        system = system_of([hdsim.Arc((.5, .5), .3, 10, 170, side=side)])
        image, (x, y, scale) = curve(system, .05), places_of(Frame.of(system))
        away, above = np.hypot(x - .5, y - .5), y > .62
        for radius, there in ((.25, inner), (.35, outer)):
            on = above & (np.abs(away - radius) * scale < .4)
            assert on.sum() > 50 and (image[on].max(axis=1) > 240).all() == there


@pytest.mark.parametrize("periodic", [(False, False), (True, True)])
def test_discs_turn_on_the_curve(opengl, periodic):
    """At each contact with an obstacle or a wall the engine has the centre on the curve, and never beyond it."""
    obstacles = [hdsim.Polygon([(.2, .2), (.5, .3), (.3, .35), (.25, .6)]), hdsim.Segment((.6, .9), (1.1, .7)),
                 hdsim.Arc((.7, .4), .15, 200, 60), hdsim.Circle((.05, .95), .1)]
    system = hdsim.CollisionSystem.from_arrays([(.45, .8)], [(.7, .4)], .04, box=hdsim.Box(1, 1, periodic), obstacles=obstacles)
    side = 500
    image = curve(system, .04, side)
    view, hits, flights = picture_view(Frame.of(system), side, side), 0, []

    def brightest(place):
        px, py = view.to_pixel(*place)
        row, column = side - 1 - int(py), int(px)
        return image[max(row - 1, 0):row + 2, max(column - 1, 0):column + 2].sum(axis=2).max()
    for event in system.events(until=60.0):
        if event.kind == "wall":
            hits += event.contacts[0].obstacle is not None
            assert brightest(system.positions[0]) > 128
            flights.append(tuple(system.positions[0]))
    assert hits > 60


def test_features_of_all_images_that_a_disc_can_reach():
    """Of a segment from the lower edge: a face and two ends; and of its image above the box the face and the lower end."""
    from hdsim.model.turning import feature_rows
    assert len(feature_rows([hdsim.Segment((.5, 0), (.5, .4))], .1, hdsim.Box())) == 3
    assert len(feature_rows([hdsim.Segment((.5, 0), (.5, .4))], .1, hdsim.Box(1, 1, (False, True)))) == 5
    assert len(feature_rows([], .1, hdsim.Box())) == 0


def show_the_curve():
    """Key O: with a disc selected the curve for that disc; the obstacles that do not act on it are left out."""
    def look(window):
        from hdsim.viewer.draw.theme import LIGHT
        parts = window.parts
        yield 2
        press(window, "O")
        assert parts.curve.shown and "selected disc" in window.playback.refusal.text
        window.stage.selected = 0
        yield 2
        felt = screenshot(window)
        assert (felt == LIGHT.palette[1]).all(axis=2).sum() > 200       # two faces
        window.stage.selected = 1
        yield 2
        image = screenshot(window)
        blue = (image == LIGHT.palette[1]).all(axis=2).sum()
        assert blue < 100       # only the word in the text
        press(window, "O")
        assert not parts.curve.shown
        yield 2
        assert (screenshot(window) == LIGHT.palette[1]).all(axis=2).sum() == 0
    system = hdsim.CollisionSystem.from_arrays([(.2, .5), (.8, .5)], [(.1, 0), (.1, 0)], [.05, .05], species=[1, 2],
                                               obstacles=[hdsim.Segment((.5, .2), (.5, .8), species=1)])
    before = system.copy()
    shown = watch(system, look, paused=True, look=hdsim.viewer.Look(colors="file"))
    assert shown.hash() == before.hash() and shown.time == 0


def test_the_key_shows_the_curve(screen):
    child(show_the_curve, DISPLAY=screen)


def test_the_gap_at_the_curve_is_the_oracle_of_these_tests():
    """A place on the offset of a face has gap 0."""
    assert float(gap(hdsim.Segment((0, 0), (1, 0)), .5, .1, .1)) == pytest.approx(0)
