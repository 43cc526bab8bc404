"""Obstacles that move, in windows and pictures: drawn, found and changed where they are at the present time, with arrows; and the
balance of energy."""
from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from obstacle_pictures import SIDE, system_of
from test_viewer import child, screenshot, watch
from test_viewer_bar import settle, shortcut
from test_viewer_building import drag

import hdsim
from hdsim import Circle, Segment, viewer
from hdsim.model.offering import lacking
from hdsim.model.placed import placed
from hdsim.quantities import balance
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.look import Look
from hdsim.viewer.draw.motion import obstacle_arrows
from hdsim.viewer.draw.offset_features import curve
from hdsim.viewer.draw.theme import LIGHT
from hdsim.viewer.film.vector import save_vector
from hdsim.viewer.playback.wording import jam_of
from hdsim.viewer.stage.obstacle_picking import ObstacleFinder
from hdsim.viewer.stage.picking import felt_by, has_room

TO_AND_FRO = {"motion": [(0, (.25, 0)), (1, (-.25, 0))], "period": 2}


def driven(**options):
    """One disc, far from a circle that goes from x = .25 to .5 and back in two time units."""
    return hdsim.CollisionSystem.from_arrays([(.9, .1)], [(0, .01)], .03, obstacles=[Circle((.25, .5), .125, **TO_AND_FRO)],
                                             **options)


def middle_of(image):
    """Where the solid area of a picture is, in box units."""
    rows, columns = np.nonzero((image == LIGHT.solid).all(axis=2))
    return columns.mean() / image.shape[1], 1 - rows.mean() / image.shape[0]


def test_pictures_show_where_an_obstacle_is(opengl):
    """Forwards, at the turn, and back; by one painter, which draws it anew."""
    system, found = system_of([Circle((.25, .5), .125, **TO_AND_FRO)]), []
    with viewer.Painter(SIDE, SIDE) as painter:
        for time in (0, .5, 1, 1.5):
            system.simulate(until=time)
            found.append(middle_of(painter.draw(Frame.of(system)))[0])
    scale = (found[2] - found[0]) / .25         # of the box in the picture, which has a margin
    assert .85 < scale <= 1 and np.allclose(found, .5 + scale * (np.array([.25, .375, .5, .375]) - .5), atol=.01)


def test_vector_pictures_show_where_an_obstacle_is(tmp_path):
    places = []
    system = driven()
    for time in (0, 1):
        system.simulate(until=time)
        save_vector(tmp_path / "a.svg", system, 500, 500, Look(arrows=True))
        areas = [path.get("d") for path in ET.parse(tmp_path / "a.svg").getroot().iter("{http://www.w3.org/2000/svg}path")]
        places.append(next(float(d.split()[0].lstrip("M").split(",")[0]) for d in areas if "A" in d))
    assert 100 < places[1] - places[0] <= 125


def test_an_html_film_has_a_scene_for_each_place(tmp_path):
    system = driven()
    viewer.record(system, tmp_path / "a.html", until=1., fps=4, speed=1)
    text = (tmp_path / "a.html").read_text()
    system = hdsim.CollisionSystem.from_arrays([(.9, .1)], [(0, .01)], .03)
    viewer.record(system, tmp_path / "b.html", until=1., fps=4, speed=1)
    assert text.count('"shapes"') - (tmp_path / "b.html").read_text().count('"shapes"') >= 3


def test_thumbnails_of_pages_follow():
    """Their lines are kept only as long as the obstacle is where it was."""
    from types import SimpleNamespace

    from hdsim.viewer.draw.record import Pictures
    from hdsim.viewer.draw.theme import LIGHT
    system, pictures = driven(), Pictures(None)
    lines = [pictures._still_of(SimpleNamespace(frame=Frame.of(system), place=0), LIGHT, .01).lines for _ in range(2)]
    assert lines[0] is lines[1]
    system.simulate(until=1)
    later = pictures._still_of(SimpleNamespace(frame=Frame.of(system), place=0), LIGHT, .01).lines
    assert np.allclose(later, lines[0] + (.25, 0, .25, *[0] * 5))


def test_figures_and_offset_curves_follow():
    """`system.plot`, and the curve at which the centre of a disc turns."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.collections import PathCollection
    system, seen = driven(), []
    for time in (0, 1):
        system.simulate(until=time)
        frame, axes = Frame.of(system), system.plot()
        outlines = [path.vertices for each in axes.collections if isinstance(each, PathCollection) for path in each.get_paths()]
        arcs = [stretch for stretch in curve(felt_by(system, frame, 0), .03, system.box) if stretch.size]
        seen.append([np.vstack(outlines), np.vstack([stretch.at(np.linspace(0, 1, 50)) for stretch in arcs])])
        pyplot.close(axes.figure)
    for before, after in zip(*seen):
        assert np.allclose(after[:, 0].mean() - before[:, 0].mean(), .25, atol=1e-9)


def test_picking_is_at_the_present_time():
    system, finder = driven(), ObstacleFinder()
    for time, place in ((0, .25), (1, .5), (1.5, .375)):
        system.simulate(until=time)
        frame = Frame.of(system)
        assert finder.at(frame, place + .125, .5, .01).number == 0 and finder.at(frame, place + .2, .5, .01) is None
        (there,) = felt_by(system, frame, 0)
        assert there.center == (place, .5)
        assert not has_room(frame, np.array((place, .5)), .03, 0, [there])
        assert has_room(frame, np.array((place + .17, .5)), .03, 0, [there])


def test_arrows_of_obstacles():
    """At the middle of each that moves now and is seen, one for all its images; none for what rests."""
    system = hdsim.CollisionSystem.from_arrays([(.9, .1)], [(0, .01)], .03, box=hdsim.Box(1, 1, (True, False)), obstacles=[
        Circle((0, .5), .125, velocity=(.25, .125)), Segment((.5, .25), (.5, .75)), Segment((.25, .8), (.75, .9), until=.5,
                                                                                            velocity=(0, -.1))])
    starts, velocities = obstacle_arrows(Frame.of(system))
    assert np.allclose(starts, [(0, .5), (.5, .85)], atol=.01) and velocities.tolist() == [[.25, .125], [0, -.1]]
    system.simulate(until=1)
    starts, velocities = obstacle_arrows(Frame.of(system))
    assert np.allclose(starts, [(.25, .625)], atol=.01) and velocities.tolist() == [[.25, .125]]
    still = system_of([Circle((.5, .5), .1)])
    assert obstacle_arrows(Frame.of(still))[0].shape == (0, 2)


def test_arrows_where_only_obstacles_move(opengl):
    """Their scale is then the fastest obstacle."""
    system = hdsim.CollisionSystem.from_arrays([(.9, .1)], [(0, 0)], .03, obstacles=[Circle((.25, .5), .125, **TO_AND_FRO)])
    with viewer.Painter(SIDE, SIDE, viewer.picture_styling(system, Look(arrows=True))) as painter:
        moving = painter.draw(Frame.of(system))
    with viewer.Painter(SIDE, SIDE, viewer.picture_styling(system, Look())) as painter:
        plain = painter.draw(Frame.of(system))
    assert (moving != plain).any()
    styling = viewer.picture_styling(system, Look(arrows=True))
    assert (styling._speed, styling._meaning) == (.25, "speed 0.25")


def test_the_balance_is_told_where_energy_is_not_conserved():
    assert balance(hdsim.load("p10")) == {} and balance(object()) == {}
    system = hdsim.CollisionSystem([hdsim.Particle(.25, .5, 1, 0, .125, 2)], box=(2, 1), restitution=.5,
                                   obstacles=[Segment((.75, 0), (.75, 1), velocity=(-.5, 0))])
    system.simulate(until=.3)
    assert balance(system) == {"kinetic": 1.5625, "dissipated": 1.6875, "work": 2.25}


@pytest.mark.more
def test_jams_in_the_words_of_a_user():
    plane = Frame.of(hdsim.load("p10"))
    assert jam_of(hdsim.CollapseError("collapse: ...; give contact_time=...", (3, 4)), plane) == (
        "collapse: discs 3, 4 lose energy in infinitely many contacts; a contact time ends that")
    assert jam_of(hdsim.CollapseError("", tuple(range(9))), plane).startswith("collapse: discs 0, 1, 2, 3, 4, 5, 6, 7, ... lose")
    system = hdsim.CollisionSystem([hdsim.Particle(.5, .5, .1, 0, .125, 2)], obstacles=[
        Segment((.2, 0), (.2, 1), velocity=(.1, 0), name="left"), Segment((.8, 0), (.8, 1), velocity=(-.1, 0))])
    with pytest.raises(hdsim.JammedError) as jam:
        system.simulate(until=10)
    assert jam_of(jam.value, plane) == str(jam.value).split("; ")[0] and "is squeezed between" in jam_of(jam.value, plane)
    assert "time all but" not in jam_of(jam.value, plane)


def test_a_reversal_is_offered_unless_it_is_refused():
    """A program that measures among moving obstacles would have its sums changed."""
    still = system_of([Circle((.5, .5), .1)])
    still.observe("surfaces")
    assert lacking(still, "reversal") == "" and not still.reverse()
    system = driven()
    assert lacking(system, "reversal") == "" and not system.copy().reverse()
    system.observe("surfaces")
    assert lacking(system, "reversal") == "a program measures these discs: they stay as they are"
    with pytest.raises(RuntimeError, match="while they are observed"):
        system.reverse()


def change_what_moves():
    """A moving circle is named, dragged by its line and by a handle where it is now; its motion stays, and edits are undone.
    After a reversal it is where it was. The panel has the balance."""
    def look(window):
        playback, view = window.playback, window.stage.box_view
        shortcut(window, "P")
        while playback.system.time < .5:
            yield 2
        shortcut(window, "SPACE")
        yield 3
        assert window.parts.plots.measured.balance.keys() == {"kinetic", "dissipated", "work"}
        assert abs(playback.energy_drift) < 1e-12
        here = placed(playback.system.obstacles[0], playback.system.time)
        window.dispatch_event("on_mouse_motion", *map(int, view.to_pixel(here.center[0], here.center[1] + .125)), 0, 0)
        assert window.parts.tips.said == "circle 0, outside, velocity 0.25, 0, restitution 0.9"
        assert abs(middle_of(screenshot(window)[:, :int(view.to_pixel(1, 0)[0])])[1] - .5) < .2
        top = here.center[0], here.center[1] + .125
        drag(window, top, (top[0], top[1] + .1))
        moved = placed(playback.system.obstacles[0], playback.system.time)
        assert np.allclose(moved.center, (here.center[0], .6), atol=2 / view.scale) and moved.radius == .125
        assert moved.motion == here.motion and moved.period == 2
        edge = moved.center[0] + .125, moved.center[1]
        drag(window, edge, (edge[0] + .05, edge[1]))
        wider = placed(playback.system.obstacles[0], playback.system.time)
        assert wider.radius == pytest.approx(.175, abs=3 / view.scale) and np.allclose(wider.center, moved.center, atol=1e-12)
        shortcut(window, "Z", "CTRL")
        shortcut(window, "Z", "CTRL")
        yield from settle(window)
        assert playback.system.obstacles[0] == Circle((.25, .5), .125, restitution=.9, **TO_AND_FRO)
        shortcut(window, "R")
        yield from settle(window)
        assert placed(playback.system.obstacles[0], playback.system.time).center == pytest.approx(here.center, abs=1e-12)
    system = hdsim.CollisionSystem.from_arrays(
        [(.1, .1), (.5, .1), (.9, .1)], [(.1, .2), (0, .3), (-.1, .2)], .03,
        obstacles=[Circle((.25, .5), .125, restitution=.9, **TO_AND_FRO)])
    watch(system, look, speed=1)


@pytest.mark.more
def test_what_moves_can_be_changed_by_hand(screen):
    child(change_what_moves, DISPLAY=screen)


def drive_by_hand():
    """The chosen obstacle gets a velocity by the tip of its arrow and by keys, goes to and fro, and gets a coefficient of
    restitution; one Ctrl+Z takes each edit back."""
    def look(window):
        playback, view, parts = window.playback, window.stage.box_view, window.parts
        while playback.system.time < .5:
            yield 2
        shortcut(window, "SPACE")
        yield 3
        now = lambda: playback.system.obstacles[0]                # noqa: E731
        where = lambda: placed(now(), playback.system.time).center    # noqa: E731
        before, time, here = now(), playback.system.time, where()

        def pull(dx, dy):
            """Drag the tip of the arrow by so many pixels."""
            x, y = parts.driving._tip()
            window.dispatch_event("on_mouse_press", x, y, 1, 0)
            for k in (1, 2, 3):
                window.dispatch_event("on_mouse_drag", x + dx * k / 3, y + dy * k / 3, 1, 1, 1, 0)
            window.dispatch_event("on_mouse_release", x + dx, y + dy, 1, 0)
        shortcut(window, "I")
        yield 2

        def choose(said):
            """Open the menu of the circle, and take a line that has no mark yet."""
            window.dispatch_event("on_mouse_press", *view.to_pixel(here[0], here[1] + .125), 4, 0)
            entry = next(entry for entry in parts.menu.entries if entry.text == said)
            assert not entry.checked
            entry.action()
            parts.menu.escape()
            assert where() == pytest.approx(here, abs=1e-12)
        pull(0, 50)
        fast = now().motion[0][1]
        assert now().period == 2 and fast[1] > 0 and where() == pytest.approx(here, abs=1e-12)      # it goes on to and fro
        assert playback.system.time == time and playback.message == "obstacles changed"
        choose("moves: drag the tip of its arrow")
        assert now().velocity == fast and now().motion == ()
        shortcut(window, "UP", "SHIFT")
        assert np.allclose(now().velocity, np.multiply(fast, 1.1))
        shortcut(window, "LEFT", "SHIFT")
        assert np.hypot(*now().velocity) == pytest.approx(1.1 * np.hypot(*fast)) and now().velocity[0] < 1.1 * fast[0]
        yield 2
        assert (screenshot(window) == window.stage.theme.accent).all(axis=2).sum() > 50
        for said, right in (("moves to and fro", lambda: now().period > 0 and len(now().motion) == 2),
                            ("contacts keep 50 % of the normal speed", lambda: now().restitution == .5),
                            ("contacts are as with walls", lambda: now().restitution is None),
                            ("stands still", lambda: now().velocity == (0, 0) and now().motion == ())):
            choose(said)
            assert right(), said
        for _ in range(8):
            shortcut(window, "Z", "CTRL")
            yield from settle(window)
        assert now() == before
        # a disc that is selected has the keys
        window.stage.selected = 0
        shortcut(window, "UP", "SHIFT")
        assert now() == before and playback.system.velocities[0, 1] > 0
    watch(driven(restitution=.9), look, speed=1)


def test_an_obstacle_is_driven_by_hand(screen):
    child(drive_by_hand, DISPLAY=screen)
