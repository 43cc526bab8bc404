"""Pictures, vector files and films of spheres without a window."""
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import hdsim
from hdsim import viewer
from hdsim.viewer import Look, Orbit, save_vector
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.theme import LIGHT
from hdsim.viewer.film.image import Painter, picture_view

SVG = "{http://www.w3.org/2000/svg}"


def spheres(n=40, radius=.06):
    return hdsim.random(n, radius=radius, temperature=1., mass=1., seed=4, box=hdsim.Box(1, 1, depth=1))


def test_pictures_have_sizes_up_to_4k(opengl):
    """A square unless the size is given; at least one colour of a sphere; themes differ."""
    system = spheres()
    assert hdsim.snapshot(system).shape == (800, 800, 3) and hdsim.snapshot(system, 300).shape == (300, 300, 3)
    assert hdsim.snapshot(system, 3840, 2160).shape == (2160, 3840, 3)
    papers = {tuple(hdsim.snapshot(system, 64, 64, theme=theme)[0, 0].tolist()) for theme in ("light", "dark", "projector")}
    assert len(papers) == 3
    assert len(np.unique(hdsim.snapshot(system, 200).reshape(-1, 3), axis=0)) > 500       # soft light


@pytest.mark.parametrize("make", [spheres, lambda: hdsim.random(500, radius=.001, temperature=1., seed=1)])
def test_a_large_picture_is_the_same_one_but_finer(opengl, make):
    """Letters of the legend, lines and enlarged discs are twice as large where the picture is."""
    look = Look(colors="speed", arrows=True)
    small, large = (viewer.snapshot(make(), side, side, look).astype(float) for side in (1200, 2400))
    # means of squares of the same part of both pictures
    coarse = [each.reshape(60, len(each) // 60, 60, len(each) // 60, 3).mean(axis=(1, 3)) for each in (small, large)]
    off = np.abs(coarse[0] - coarse[1])
    assert off.mean() < 1 and off.max() < 20


def test_a_film_turns_once_around(opengl, pillow, tmp_path):
    """Every frame differs from the one before; the run is that of `simulate`; a still system turns, too, and ends before where it
    began, so that the film can be repeated."""
    system, reference = spheres(), spheres()
    film = hdsim.record(system, tmp_path / "a.gif", until=.1, fps=10, speed=.1, width=120, turn=360, progress=False)
    reference.simulate(until=.1)
    assert film.frames == 11 and film.size == (120, 120) and system.hash() == reference.hash()
    rest = hdsim.CollisionSystem.from_arrays([[.2, .2, .2], [.7, .5, .6]], np.zeros((2, 3)), .1, box=hdsim.Box(1, 1, depth=1))
    with Painter(100, 100, turn=90) as painter:
        pictures = [painter.draw(Frame.of(rest)) for _ in range(5)]
    assert all((a != b).any() for a, b in zip(pictures, pictures[1:]))
    assert np.abs(pictures[0].astype(int) - pictures[4]).max() <= 2


def test_what_cannot_turn_is_refused(tmp_path):
    with pytest.raises(ValueError, match="only spheres are seen from several sides"):
        hdsim.record(hdsim.load("p10"), tmp_path / "a.gif", turn=90)
    with pytest.raises(ValueError, match="turn is inf; it must be finite"):
        hdsim.record(spheres(), tmp_path / "a.gif", turn=float("inf"))
    assert not list(tmp_path.iterdir())


def test_a_vector_picture_has_spheres_from_back_to_front(tmp_path):
    """A large circle for each, in the order of depth, of the radius that is seen; of a slab those whose middle is in it."""
    system = spheres()
    for orbit in (Orbit(), Orbit(perspective=False), Orbit(slab=(.4, .7))):
        save_vector(tmp_path / "a.svg", system, 400, 400, Look(orbit=orbit, colors="file"))
        frame = Frame.of(system)
        view = picture_view(frame, 400, 400, orbit=orbit)
        bodies = view.bodies(frame.positions, frame.radii)
        near, far = view.planes
        which = [i for i, z in zip(bodies.which.tolist(), bodies.eye[:, 2]) if far < z < near]
        picture = ET.parse(tmp_path / "a.svg")
        circles = picture.iter(SVG + "circle")
        found = [[float(circle.get(name)) for name in ("cx", "cy", "r")] for circle in circles]
        assert len(found) == 3 * len(which)
        wanted = np.column_stack([view.pixels(frame.positions[which]), view.reach(frame.positions[which], frame.radii[which])])
        wanted[:, 1] = 400 - wanted[:, 1]
        assert np.array(found[::3]) == pytest.approx(wanted, abs=2e-3) and found[::3] == found[1::3]
        shades = [group.get("fill") for group in picture.iter(SVG + "g") if group.get("opacity")]
        assert shades == ["url(#lit)"] * len(which) and len(picture.findall(SVG + "radialGradient[@id='lit']")) == 1
    assert len(which) < 40


def test_fog_pales_what_is_behind(tmp_path):
    """By a share of the paper that grows with the depth in the box, from the front to the back."""
    system = hdsim.CollisionSystem.from_arrays([[.25, .25, .125], [.75, .75, .875]], np.zeros((2, 3)), .125,
                                               box=hdsim.Box(1, 1, depth=1), colors=[[200, 120, 60]] * 2)
    for fog in (0, .5, 1):
        orbit = Orbit.of_angles(0, 0, perspective=False, fog=fog)
        save_vector(tmp_path / "a.svg", system, 400, 400, Look(orbit=orbit, colors="file"))
        fills = [group.get("fill") for group in ET.parse(tmp_path / "a.svg").iter(SVG + "g")]
        inks = [tuple(bytes.fromhex(fill[1:])) for fill in fills if fill.startswith("#")]
        ink, paper = np.array((200, 120, 60)), np.array(LIGHT.paper)
        wanted = [ink + fog * depth * (paper - ink) for depth in (.875, .125)]
        assert np.array(inks) == pytest.approx(np.array(wanted), abs=.5 + 1e-9)
        view = picture_view(Frame.of(system), 400, 400, orbit=orbit)
        assert view.paleness(np.array([.5, 0, -.5])).ravel() == pytest.approx([0, fog / 2, fog])


def test_a_sphere_is_darker_towards_its_outline(opengl):
    """On a line through its middle, across that of the light, on which light and shade would be the same; in each theme."""
    system = hdsim.CollisionSystem.from_arrays([[.5, .5, .5]], np.zeros((1, 3)), .4, box=hdsim.Box(1, 1, depth=1),
                                               colors=[[200, 120, 60]])
    for theme in ("light", "dark", "projector"):
        look = Look(orbit=Orbit.of_angles(0, 0, perspective=False, fog=0), theme=theme, colors="file")
        frame = Frame.of(system)
        view = picture_view(frame, 400, 400, orbit=look.orbit)
        (reach,) = view.reach(frame.positions, frame.radii)
        picture = viewer.snapshot(system, 400, 400, look).astype(int).sum(axis=2)
        across = [picture[int(200 - .8 * step * reach), int(200 + .6 * step * reach)] for step in (0, .5, .8, .93)]
        ratios = np.array(across) / across[0]
        assert (np.diff(ratios) < 0).all() and ratios[-1] < .8, (theme, ratios)


def test_a_spheres_look_may_be_written_as_values(opengl):
    """A look takes an orbit as values; another orbit is another picture."""
    system = spheres()
    orbits = {"perspective": False}, Orbit(perspective=False), Orbit.of_angles(60, 10)
    pictures = [viewer.snapshot(system, 80, 80, Look(orbit=values)) for values in orbits]
    assert np.array_equal(*pictures[:2]) and (pictures[1] != pictures[2]).any()


@pytest.mark.parametrize("orbit", [Orbit(), Orbit(perspective=False, slab=(.2, .7)), Orbit(zoom=3.)])
def test_points_are_the_same_picture_as_rectangles(opengl, orbit, monkeypatch):
    """Small spheres in a box that is seen whole are points; a box that is not, and large spheres, are rectangles."""
    from hdsim.viewer.draw import gpu       # after `opengl`: only then there is a context
    from hdsim.viewer.draw import spheres as layer
    drawn = []
    draw = gpu.Rows.draw
    monkeypatch.setattr(gpu.Rows, "draw",
                        lambda rows, points=False, *first: (drawn.append(points), draw(rows, points, *first))[1])
    system = hdsim.random(400, radius=.03, temperature=1., seed=1, box=(1, 1, 1))
    found = viewer.snapshot(system, 400, 400, Look(orbit=orbit)).astype(int)
    assert any(drawn) == (orbit.zoom is None)
    monkeypatch.setattr(layer, "POINT_MOST", 0.)
    drawn.clear()
    right = viewer.snapshot(system, 400, 400, Look(orbit=orbit)).astype(int)
    assert not any(drawn) and np.abs(found - right).max() <= 3


@pytest.mark.parametrize("orbit", [Orbit(), Orbit(slab=(.3, .6)), Orbit(zoom=3.)])
def test_very_many_spheres_are_one_draw_call(opengl, orbit, monkeypatch):
    """And the same picture, bit for bit, as with the call before it that saves time with fewer."""
    from hdsim.viewer.draw import spheres as drawing
    system, drawn, pictures, calls = spheres(400, .03), drawing.Rows.draw, [], []
    monkeypatch.setattr(drawing.Rows, "draw", lambda rows, *how: calls[-1].append(rows.count) or drawn(rows, *how))
    for most in (400, 0):
        monkeypatch.setattr(drawing, "SCREENED", most)
        calls.append([])
        pictures.append(viewer.snapshot(system, 200, 200, Look(orbit=orbit)))
    assert [each.count(max(calls[0])) for each in calls] == [2, 1] and np.array_equal(*pictures)
