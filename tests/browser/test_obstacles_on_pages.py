"""Obstacles on pages, pixel by pixel in a real browser, and in the data of a film."""
import base64
import io

import numpy as np
import pytest
from films import film_of
from obstacle_pictures import SHAPES, expected, system_of

import hdsim
from hdsim.viewer.draw.shapes import shapes_of
from hdsim.viewer.draw.theme import LIGHT

FORM = 44           # CSS pixels of the controls of a film


def picture(browser, page, path, size=(316, 316)):
    """The canvas of what is at rest, (height, width, 3), and the view: left, bottom and pixels per length."""
    image = pytest.importorskip("PIL.Image")
    path.write_text(page, encoding="utf-8")
    tab = browser.open(path.as_uri(), (size[0], size[1] + FORM))
    tab.wait("picture.drawn !== ''")
    view = tab.eval("(({left, bottom, scale}) => [left, bottom, scale])(picture.view())")
    data = tab.eval("picture.still.toDataURL()").partition(",")[2]
    errors = tab.errors()
    tab.close()
    assert errors == []
    return np.asarray(image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")).astype(int), view


def places(image, view):
    """The positions in the box of the middles of all pixels, (height, width) each, and pixels per length."""
    left, bottom, scale = view
    across, down = np.arange(image.shape[1]) + .5, np.arange(image.shape[0]) + .5
    return (*np.meshgrid((across - left) / scale, (bottom - down) / scale), scale)


@pytest.mark.sample(4)
@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_every_pixel_shows_what_is_there(browser, tmp_path, shapes):
    """On the line its colour, beside it that of the paper or of solids, whatever the shape."""
    system = system_of(shapes)
    image, view = picture(browser, hdsim.player(system, until=1, fps=1, speed=1).page, tmp_path / "a.html")
    distance, solid, inside = expected(system, places=places(image, view))
    near, far = inside & (distance < .3), inside & (distance > 2.1)
    assert near.sum() > 30 and far.sum() > 1000
    assert (np.abs(image[near] - LIGHT.outline).max(axis=1) <= 30).mean() > .98
    assert (np.abs(image[far & solid] - LIGHT.solid).max(axis=1) <= 1).all() and (image[far & ~solid] == LIGHT.paper).all()


@pytest.mark.parametrize("periodic", [(True, False), (True, True)])
def test_all_images_are_drawn(browser, tmp_path, periodic):
    """What sticks out on one side of a periodic box comes in on the other."""
    shapes = [hdsim.Segment((1.8, .8), (2.4, 1.1)), hdsim.Circle((0, .4), .15), hdsim.Circle((.5, .95), .2, side="both"),
              hdsim.Polygon([(.9, -.1), (1.2, .1), (.8, .2)]), hdsim.Arc((1, 0), .3, 0, 180)]
    system = system_of(shapes, periodic, 2.0)
    image, view = picture(browser, hdsim.player(system, until=1, fps=1, speed=1).page, tmp_path / "a.html", (616, 316))
    distance, solid, inside = expected(system, places=places(image, view))
    near, far = inside & (distance < .3), inside & (distance > 2.1)
    assert (np.abs(image[near] - LIGHT.outline).max(axis=1) <= 30).mean() > .98
    assert (np.abs(image[far & solid] - LIGHT.solid).max(axis=1) <= 1).all() and (image[far & ~solid] == LIGHT.paper).all()


def test_a_film_has_a_scene_for_each_change():
    """Where an obstacle goes, where the box and the obstacles are edited: positions are in units of the box of their time."""
    door = hdsim.Segment((.5, 0), (.5, 1), until=.5, color=(200, 0, 0))
    system = hdsim.CollisionSystem.from_arrays([(.2, .5)], [(.25, 0)], .05, obstacles=[door])

    def change(event):
        if event.time == 1:
            with system.edit() as draft:
                draft.box = 2, 1
    system.on_timer(change, every=.25)
    data = film_of(hdsim.player(system, until=1.5, fps=4, speed=1).page)
    assert [(segment["frames"], segment["scene"]) for segment in data["segments"]] == [(2, 0), (2, 1), (3, 2)]
    lines = [scene["shapes"][-1] for scene in data["scenes"]]
    assert [line["dashed"] for line in lines] == [False, True, True] and all(line["color"] == [200, 0, 0] for line in lines)
    assert [scene["box"] for scene in data["scenes"]] == [[1, 1], [1, 1], [2, 1]]


def test_what_is_absent_is_dashed(browser, tmp_path):
    """Half of its line is drawn, half as dark; it has no area."""
    def square(**when):
        system = system_of([hdsim.Polygon([(.2, .2), (.8, .2), (.8, .8), (.2, .8)], **when)])
        return picture(browser, hdsim.player(system, until=1, fps=1, speed=1).page, tmp_path / "a.html")[0]
    whole, absent = square(), square(until=0.0)
    ink = [(255 - image[30:-30, 30:-30]).sum() for image in (whole, absent)]
    assert (whole[158, 158] == LIGHT.solid).all() and (absent[158, 158] == LIGHT.paper).all()
    area = 184**2 * sum(255 - part for part in LIGHT.solid) * .97
    assert ink[1] / (ink[0] - area) == pytest.approx(.25, abs=.08)


def test_many_pegs_are_few_shapes():
    """10^4 pegs of one colour are one shape, because a page fills a path at once."""
    grid = np.linspace(.005, .995, 100)
    pegs = [hdsim.Circle((x, y), .003) for x in grid for y in grid]
    shapes = shapes_of(hdsim.Box(), pegs)
    assert len(shapes) == 5 and len(shapes[-1]["paths"]) == 10_000 and shapes[-1]["area"] == list(LIGHT.solid)
