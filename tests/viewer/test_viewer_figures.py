"""Figures of experiments: what an observer draws, seen through the pen of pages, and beside the picture in a show."""
import json

import numpy as np
import pytest

from hdsim.browser.show import Show
from hdsim.lab.showcase import exhibits, of_title
from hdsim.observers import Pressure
from hdsim.viewer.draw.area import Area
from hdsim.viewer.draw.axes import Axes
from hdsim.viewer.draw.record import RecordPen
from hdsim.viewer.draw.theme import LIGHT
from hdsim.viewer.parts.plots import in_brackets

FIGURES = [each.title for each in exhibits() if each.observer is not None and each.group == "experiments"]
AREA = Area(60, 40, 360, 240)


def drawn(axes):
    """Texts, and places of shapes in pixels, rows of four, by kind: lines, rings, boxes."""
    pen = RecordPen(iter(range(1000)))
    pen.begin((400, 300), 1.0)
    axes.draw(pen, LIGHT, AREA)
    pen.flush()
    texts, shapes = [], {0: [], 1: [], 2: []}
    for _, data in pen.end():
        piece = json.loads(data)
        texts += [text[0] for text in piece.get("t", ())]
        for kind, _, _, _, _, places in piece.get("s", ()):
            shapes[kind] += np.reshape(places, (-1, 4)).tolist()
    return texts, {kind: np.array(rows) / 8 for kind, rows in shapes.items()}


def test_curves_points_and_bars_stand_where_their_values_are():
    """Points of x from 0 to 10 and y from 1 to 3, with a tenth of room; on a logarithmic axis, decades are equally far apart."""
    axes = Axes()
    axes.plot([0, 5, 10], [1, 2, 3], ".", label="blocks")
    axes.axhline(2, label="mean")
    axes.axhline(1.5, color="C3", ls="--", label="theory")
    axes.set(xlabel="lag", ylabel="pressure")
    texts, shapes = drawn(axes)
    assert axes.title == "pressure" and "lag" in texts
    assert shapes[1][:, 0] == pytest.approx([60, 210, 360], abs=0.2)
    assert shapes[1][:, 1] == pytest.approx([40 + 200 * (y - .8) / 2.4 for y in (1, 2, 3)], abs=0.2)
    logs = Axes()
    logs.errorbar([1, 10, 100], [1e-4, 1e-3, 1e-2], [0, 0, 0], fmt=".", label="all")
    logs.set(xlabel="lag", ylabel="mean squared displacement", xscale="log", yscale="log")
    texts, shapes = drawn(logs)
    assert np.ptp(np.diff(shapes[1][:, :2], axis=0), axis=0) == pytest.approx([0, 0], abs=0.3) and {"10", "0.001"} <= {*texts}


def test_bars_begin_at_zero_and_end_with_what_was_seen():
    axes = Axes()
    axes.stairs([2., 1., 0., 0.], [0, 1, 2, 3, 4], color="C0", label="all")
    axes.plot([.5, 1.5, 2.5], [2., 1., .5], color="C0", ls="--", label="theory")
    axes.set(xlabel="speed", ylabel="density")
    texts, shapes = drawn(axes)
    assert axes.title == "speed" and "all" not in texts
    assert (shapes[2][:, 0] - shapes[2][:, 2]).min() == pytest.approx(60, abs=1) and len(shapes[2]) == 2
    assert (shapes[2][:, 0] + shapes[2][:, 2]).max() == pytest.approx(360, abs=1)


def test_names_stand_there_where_there_are_several_curves():
    axes = Axes()
    for name, values in (("light", [1, .5]), ("heavy", [0, .5])):
        axes.plot([0, 1], values, label=name)
    axes.set(xlabel="time since the beginning", ylabel="fraction")
    assert {"light", "heavy"} <= {*drawn(axes)[0]}


def test_nothing_is_drawn_before_anything_is_known():
    axes = Axes()
    axes.plot([], [], ".", label="blocks")
    axes.axhline(np.nan, label="mean")
    axes.set(xlabel="time", ylabel="pressure")
    texts, shapes = drawn(axes)
    assert not texts and not any(map(len, shapes.values()))


def read(show):
    """Read all that is measured, however slow the machine."""
    measured = show.parts.plots.measured
    for _ in range(9):
        measured.read_at, measured.due = None, 0.0
        measured.read(show.playback.system, show.playback.frame)


@pytest.mark.sample(4)
@pytest.mark.parametrize("title", FIGURES)
def test_the_figure_of_an_experiment_grows_beside_it(title):
    """Opened from the gallery, it measures from the start; another system has no figure."""
    show = Show(of_title("crowded").make(), "crowded")
    gallery, measured = show.parts.gallery, show.parts.plots.measured
    gallery.open([each.title for each in gallery.exhibits].index(title))
    show.snapshot()
    assert show.parts.plots.shown
    show.playback.system.simulate(max_events=5000)
    read(show)
    axes, course = measured.figure
    assert axes.title == course.title and len(drawn(axes)[0]) > 2
    show.parts.library.open("p100-2K")
    show.snapshot()
    assert measured.figure is None and measured.experiment is None
    show.close()


def test_what_is_the_figure_has_no_second_plot():
    show = Show(of_title("lab pressure").make(), "lab pressure")
    show.parts.plots.toggle()
    show.snapshot()
    show.playback.system.simulate(max_events=2000)
    read(show)
    show.stage.refresh()
    measured = show.parts.plots.measured
    assert isinstance(measured.observing.observers[-1], Pressure) and measured.figure[1].measured() != "–"
    titles = [json.loads(data) for _, data in show.snapshot().pieces]
    assert [text[0] for piece in titles for text in piece.get("t", ())].count("pressure") == 1
    show.close()


@pytest.mark.parametrize("value, short", [("mean 0.0088520 \N{PLUS-MINUS SIGN} 0.0000076", "mean 0.0088520(76)"),
                                          ("(5.41 \N{PLUS-MINUS SIGN} 0.04) \N{MIDDLE DOT} 10", "(5.41(4)) \N{MIDDLE DOT} 10"),
                                          ("2886.1 \N{PLUS-MINUS SIGN} 1.1", "2886.1 \N{PLUS-MINUS SIGN} 1.1"), ("0.5", "0.5")])
def test_long_values_have_their_errors_in_brackets(value, short):
    assert in_brackets(value) == short
