"""Pictures as functions and as methods: their arguments are the viewer's, and plots show each disc where it is."""
import inspect
import sys
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import hdsim
from hdsim import viewer
from hdsim.system import pictures
from hdsim.viewer.draw.coloring import Coloring
from hdsim.viewer.draw.look import COLORS
from hdsim.viewer.draw.theme import THEMES

LOOK = {"theme", "colors", "arrows", "trails"}


@pytest.mark.parametrize("name", ["show", "snapshot", "record", "player"])
def test_parameters_are_those_of_the_viewer(name):
    """The same names and defaults in the same order, besides those of a look; and each is explained."""
    ours, theirs = (inspect.signature(getattr(home, name)).parameters for home in (hdsim, viewer))
    assert [(p.name, p.default) for p in ours.values() if p.name not in LOOK] == [(p.name, p.default) for p in theirs.values()]
    text = inspect.getdoc(getattr(hdsim, name))
    assert [p for p in ours if p not in text and name != "player"] == []


def test_methods_are_the_functions():
    assert [hdsim.CollisionSystem.show, hdsim.CollisionSystem.film] == [hdsim.show, hdsim.record]
    assert get_args(pictures.Theme) == tuple(THEMES) and get_args(pictures.Colors) == COLORS


@pytest.fixture
def asked(monkeypatch):
    """What the viewer is asked for: (function, look)."""
    calls = []

    class Viewer:
        Look = viewer.Look

        @staticmethod
        def first_look(system, **given):
            return viewer.Look(**{name: value for name, value in given.items() if value is not None})

        def __getattr__(self, name):
            return lambda *_, look=None, **__: calls.append((name, look))

    class Positional(Viewer):
        def snapshot(self, system, width, height, look):
            calls.append(("snapshot", look))

    monkeypatch.setattr(pictures, "open_viewer", Positional)
    return calls


def test_a_look_is_given_by_its_parts_or_whole(asked):
    system = hdsim.load("p10")
    system.show(theme="dark", colors="speed", trails=[3, 0], arrows=True)
    system.film("a.gif", until=1, colors="energy")
    hdsim.snapshot(system, theme="projector")
    hdsim.show(system, look=viewer.Look(trails=(1,)))
    system.show()
    assert asked == [("show", viewer.Look("dark", "speed", True, (3, 0))), ("record", viewer.Look(colors="energy")),
                     ("snapshot", viewer.Look("projector")), ("show", viewer.Look(trails=(1,))), ("show", None)]
    for wrong, words in (({"theme": "pink"}, "theme is 'pink'; it must be one of light"),
                         ({"colors": "red", "look": None}, "colors is 'red'; it must be one of auto, file"),
                         ({"theme": "dark", "look": viewer.Look()}, "look and theme are both given; a look has theme, colors")):
        with pytest.raises(ValueError, match=words):
            system.show(**wrong)
    assert len(asked) == 5


@pytest.fixture
def pyplot():
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="the extra `plot` is not installed")
    pyplot.switch_backend("agg")
    yield pyplot
    pyplot.close("all")


def drawn(ax):
    """(m, 3): centre and radius of each disc on the axes, in ascending order."""
    discs, = ax.collections
    return sorted((x, y, w / 2) for (x, y), w in zip(discs.get_offsets().tolist(), 2 * discs._widths))


def test_a_plot_shows_each_disc_where_it_is(pyplot):
    """To scale, with its colour, in the axes that are given or in new ones; looking moves nothing."""
    system = hdsim.load("billiards5")
    system.simulate(until=10)
    _, ax = pyplot.subplots()
    assert system.plot(ax) is ax and system.time == 10
    expected = sorted((x, y, r) for (x, y), r in zip(system.positions.tolist(), system.radii.tolist()))
    np.testing.assert_allclose(drawn(ax), expected, rtol=1e-12)
    assert ax.get_xlim() == (0, 1) and ax.get_aspect() == 1 and ax.collections[0].get_facecolor().shape == (16, 4)
    assert system.plot().figure is not ax.figure
    assert hdsim.CollisionSystem(box=(2, 1)).plot().get_xlim() == (0, 2)


@pytest.mark.parametrize("name", ["billiards10", "vessels", "p10", "p100-2K"])
def test_a_plot_has_the_colours_of_windows(pyplot, name):
    """Those of the file, species, numbers or speeds, never flat black; also of the second images of discs."""
    system = hdsim.load(name)
    expected = Coloring(system, "auto").of(system)
    colors = system.plot().collections[-1].get_facecolor()
    assert np.array_equal(np.rint(255 * colors[:, :3]), expected) and len(np.unique(expected, axis=0)) > 1


def test_a_disc_across_periodic_edges_is_plotted_on_all_sides(pyplot):
    box = hdsim.Box(1, 2, (True, True))
    system = hdsim.CollisionSystem.from_arrays([(.05, 1.95), (.5, 1)], np.zeros((2, 2)), [.1, .2], box=box)
    corner = [(x, y, .1) for x in (.05, 1.05) for y in (-.05, 1.95)]
    np.testing.assert_allclose(drawn(system.plot()), sorted([*corner, (.5, 1, .2)]), atol=1e-12)
    slit = hdsim.CollisionSystem.from_arrays([(.05, 1.9), (.5, 1)], np.zeros((2, 2)), [.1, .2],
                                             box=hdsim.Box(1, 2, (True, False)))
    assert len(drawn(slit.plot())) == 3


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install 'hdsim\[plot\]'"):
        hdsim.load("p10").plot()


def test_help_of_random_begins_with_its_units():
    first = " ".join(inspect.getdoc(hdsim.random).splitlines()[:3])
    assert "mass 0.5" in first and "k_B = 1" in first and Path(inspect.getfile(hdsim.random)).stem == "sources"
    gas = hdsim.random(400, temperature=3., seed=1)
    assert np.square(gas.velocities).sum(axis=1).mean() == pytest.approx(4 * 3.)
