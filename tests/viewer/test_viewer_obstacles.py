"""Obstacles in pictures, pixel by pixel: compared with `gap` at the place of each pixel, in all themes and images."""
import math
from fractions import Fraction

import numpy as np
import pytest
from obstacle_pictures import SHAPES, SIDE, expected, places_of, system_of

import hdsim
from hdsim import viewer
from hdsim.model.drawn import HUGE, behind, clipped
from hdsim.viewer.draw.context import offscreen
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.obstacle_shapes import shapes_of
from hdsim.viewer.draw.theme import LIGHT, THEMES
from hdsim.viewer.draw.view import View
from hdsim.viewer.film.image import picture_view


@pytest.mark.sample(12)
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("obstacles", SHAPES.values(), ids=SHAPES)
def test_every_pixel_shows_what_is_there(opengl, obstacles, theme):
    """On the line its colour, beside it that of the paper or of solids, whatever the shape."""
    system = system_of(obstacles)
    image = viewer.snapshot(system, SIDE, SIDE, viewer.Look(theme=theme.name))
    distance, solid, inside = expected(system)
    near, far = inside & (distance < .4), inside & (distance > 2.1)
    assert near.sum() > 30 and far.sum() > 1000
    assert (np.abs(image[near].astype(int) - theme.outline).max(axis=1) <= 2).mean() > .99      # a corner may be a pixel off
    assert (image[far & solid] == theme.solid).all() and (image[far & ~solid] == theme.paper).all()


@pytest.mark.parametrize("side", ["inside", "outside"])
@pytest.mark.parametrize("off", [0, -.1, .1])
def test_no_line_is_seen_where_a_round_part_of_an_area_begins(opengl, side, off):
    """Half a circle, more and less, beside a square, turned by right angles: also where the middles of pixels are on the chord,
    or beside it by less than the card tells apart."""
    for turned in range(4):
        places = [(.2, .3), (.5, .3), (.5, .7), (.2, .7), (.5 + off, .5)]
        for _ in range(turned):
            places = [(1 - y, x) for x, y in places]
        a, b, c, d, center = places
        room = [hdsim.Segment(a, b), hdsim.Arc(center, math.hypot(off, .2), b, c), hdsim.Segment(c, d), hdsim.Segment(d, a)]
        system = system_of([hdsim.Path(room, side=side)])
        for size in (131, 131.001, 131.002, 131.003, 130.998):
            place = (np.arange(151) + .5 - 10) / size
            image = drawn_at(Frame.of(system), View((151, 151), (10, 10), size))
            distance, solid, inside = expected(system, places=(*np.meshgrid(place, place[::-1]), size))
            far = inside & (distance > 2.1)
            assert (image[far & solid] == LIGHT.solid).all() and (image[far & ~solid] == LIGHT.paper).all()


def drawn_at(frame, view):
    """A picture of a frame in a view of its own."""
    with offscreen():
        from hdsim.viewer.draw.layers import Canvas, Scene
        canvas, scene = Canvas(*view.size), Scene(LIGHT)
        try:
            scene.draw(frame, view, 2.0)
            return canvas.read()
        finally:
            scene.delete()
            canvas.delete()


@pytest.mark.parametrize("periodic", [(True, False), (True, True)])
def test_obstacles_are_drawn_in_all_images(opengl, periodic):
    """What sticks out on one side of a periodic box comes in on the other."""
    shapes = [hdsim.Segment((1.8, .8), (2.4, 1.1)), hdsim.Circle((0, .4), .15), hdsim.Circle((.5, .95), .2, side="both"),
              hdsim.Polygon([(.9, -.1), (1.2, .1), (.8, .2)]), hdsim.Arc((1, 0), .3, 0, 180)]
    system = system_of(shapes, periodic, 2.0)
    image = viewer.snapshot(system, 2 * SIDE, SIDE)
    distance, solid, inside = expected(system, 2 * SIDE, SIDE)
    near, far = inside & (distance < .4), inside & (distance > 2.1)
    assert (np.abs(image[near].astype(int) - LIGHT.outline).max(axis=1) <= 2).mean() > .99
    assert (image[far & solid] == LIGHT.solid).all() and (image[far & ~solid] == LIGHT.paper).all()


@pytest.mark.parametrize("angle", [0, 17, 45, 90])
def test_lines_have_one_width(opengl, angle):
    """Two pixels in any direction and at any place: the ink of a segment is its length in pixels times 2, and its ends."""
    turned = math.radians(angle)
    ends = [(.5 + s * .3 * math.cos(turned), .5 + s * .3 * math.sin(turned)) for s in (-1, 1)]
    system = system_of([hdsim.Segment(*ends)])
    image = viewer.snapshot(system, 500, 500)[:, :, 0].astype(float)
    scale = picture_view(Frame.of(system), 500, 500).scale
    inner = image[20:-20, 20:-20]
    ink = (255 - inner).sum() / (255 - LIGHT.outline[0])
    assert ink == pytest.approx(2 * .6 * scale + math.pi, rel=.03)      # at 45 degrees, all pixels of a row are at one distance


def test_colours_of_obstacles(opengl):
    """The line has the colour; the area a paler one."""
    system = system_of([hdsim.Circle((.5, .5), .3, color=(200, 0, 0)),
                        hdsim.Polygon([(0, 0), (.2, 0), (0, .2)], color=(0, 0, 200))])
    image, (x, y, scale) = viewer.snapshot(system, SIDE, SIDE), places_of(Frame.of(system))
    for place, channel in (((.5, .5), 0), ((.05, .05), 2)):
        row, column = np.unravel_index(np.argmin((x - place[0])**2 + (y - place[1])**2), x.shape)
        color = image[row, column].astype(int)
        assert color[channel] > color[1] > 100 and color[channel] < 255
    ring = np.abs(np.hypot(x - .5, y - .5) - .3) * scale < .4
    assert (np.abs(image[ring].astype(int) - (200, 0, 0)).max(axis=1) <= 2).all()


def test_obstacles_that_are_not_there_are_dashed(opengl):
    """Before from_time and from `until` on: half of the line, pale, and no area."""
    def picture(time, **when):
        square = hdsim.Polygon([(.2, .2), (.8, .2), (.8, .8), (.2, .8)], **when)
        return viewer.snapshot(system_of([square], time=time), SIDE, SIDE)
    whole = picture(1.0)
    assert np.array_equal(picture(1.0, from_time=1.0), whole) and np.array_equal(picture(1.0, until=1.5), whole)
    later, gone = picture(1.0, from_time=1.5), picture(1.0, until=1.0)
    assert np.array_equal(later, gone)
    middle = SIDE // 2
    assert tuple(whole[middle, middle]) == LIGHT.solid and tuple(later[middle, middle]) == LIGHT.paper
    row = int(np.argmax((later != 255).any(axis=2)[20:middle, middle - 60:middle + 60].sum(axis=1))) + 20
    drawn = (later[row, middle - 60:middle + 60] != 255).any(axis=1).mean()
    assert .5 < drawn < .75 and later[row].min(initial=255, where=(later[row] != whole[row])) > LIGHT.outline[0]


def test_a_film_shows_an_obstacle_come_and_go(opengl, tmp_path, pillow):
    """The partition of a film is solid while it is there."""
    system = system_of([hdsim.Segment((.5, 0), (.5, 1), until=1.0)])
    viewer.record(system, tmp_path / "a.apng", until=2.0, fps=1, speed=1, width=SIDE, height=SIDE)
    with pillow.open(tmp_path / "a.apng") as film:
        lines = []
        for k in range(film.n_frames):
            film.seek(k)
            lines.append((np.asarray(film.convert("RGB"))[20:-20, SIDE // 2 - 2:SIDE // 2 + 2] != 255).any(axis=(1, 2)).mean())
    assert lines[0] == 1.0 and max(lines[1:]) < .75


def test_an_edit_redraws(opengl):
    """Obstacles that an edit has changed are drawn anew by the same painter; and equal ones look equal."""
    system = system_of([hdsim.Circle((.5, .5), .2)])
    with viewer.Painter(SIDE, SIDE) as painter:
        first = painter.draw(Frame.of(system))
        with system.edit() as draft:
            draft.obstacles[0] = hdsim.Circle((.5, .5), .3)
        second = painter.draw(Frame.of(system))
        with system.edit() as draft:
            draft.obstacles[0] = hdsim.Circle((.5, .5), .2)
        third = painter.draw(Frame.of(system))
        with system.edit() as draft:
            draft.obstacles.clear()
        assert (painter.draw(Frame.of(system))[20:-20, 20:-20] == 255).all()
    assert not np.array_equal(first, second) and np.array_equal(first, third)


def test_an_unchanged_view_draws_nothing_anew(opengl, monkeypatch):
    """Many pegs and a polygon of many edges become arrays once, and are drawn once into the sheet; a frame copies it."""
    from hdsim.viewer.draw import obstacle_layer

    grid = np.linspace(.02, .98, 20)
    turns = np.linspace(0, 2 * math.pi, 1000, endpoint=False)
    room = hdsim.Polygon(np.column_stack([.5 + .499 * np.cos(turns), .5 + .499 * np.sin(turns)]), side="inside")
    pegs = [hdsim.Circle((x, y), .01) for x in grid.tolist() for y in grid.tolist() if math.hypot(x - .5, y - .5) < .49]
    system = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(.01, .007)], .002, obstacles=[room, *pegs])
    asked = []
    real = obstacle_layer.shapes_of
    monkeypatch.setattr(obstacle_layer, "shapes_of", lambda *given: asked.append("shapes") or real(*given))
    drawing = obstacle_layer._Drawn._draw_sheet
    monkeypatch.setattr(obstacle_layer._Drawn, "_draw_sheet", lambda *given: asked.append("sheet") or drawing(*given))
    with viewer.Painter(SIDE, SIDE) as painter:
        for k in range(5):
            system.simulate(until=.2 * k)
            painter.draw(Frame.of(system))
    assert asked == ["shapes", "sheet"]


# arrays


def part_within(segment, low, high):
    """The part of a segment in a rectangle, in exact arithmetic, or None."""
    (ax, ay, bx, by), first, last = map(Fraction, segment.tolist()), Fraction(0), Fraction(1)
    for start, step, least, most in ((ax, bx - ax, low[0], high[0]), (ay, by - ay, low[1], high[1])):
        if step == 0:
            if not least <= start <= most:
                return None
            continue
        enter, leave = sorted(((least - start) / step, (most - start) / step))
        first, last = max(first, enter), min(last, leave)
    return None if first > last else [float(at + t * step) for t in (first, last) for at, step in ((ax, bx - ax), (ay, by - ay))]


def test_clipped_segments_are_those_within_the_rectangle():
    """As exact arithmetic finds them; segments of no length, along an edge, or far away included."""
    rng = np.random.default_rng(1)
    segments = np.vstack([rng.uniform(-2, 3, (300, 4)),
                          [(.5, .5, .5, .5), (5, 5, 5, 5), (0, -9, 0, 9), (-1, 2, 7, 2), (1, 1, 1e9, 1)]])
    low, high = np.array((0.0, 0.0)), np.array((1.0, 2.0))
    wanted = [part for segment in segments if (part := part_within(segment, low, high)) is not None]
    assert 50 < len(wanted) < 200 and clipped(segments, low, high) == pytest.approx(np.array(wanted), abs=1e-12)


def test_what_is_behind_a_line():
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    half = behind(square, np.array((.25, 0)), np.array((1.0, 0.0)))
    assert sorted(map(tuple, half.tolist())) == [(0, 0), (0, 1), (.25, 0), (.25, 1)]
    assert len(behind(square, np.array((2.0, 0)), np.array((1.0, 0.0)))) == 4
    assert len(behind(square, np.array((-1.0, 0)), np.array((1.0, 0.0)))) == 0


def test_arrays_hold_only_what_single_precision_can_draw():
    shapes = shapes_of(SHAPES["far larger than the box"], hdsim.Box(), 0.0, LIGHT)
    assert np.abs(shapes.strokes[:, 2:6]).max() < HUGE
    assert all(np.abs(triangles[:, :2]).max() < HUGE for fill in shapes.fills for triangles in fill.triangles)
