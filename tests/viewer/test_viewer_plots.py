"""Observers, plots and trails in a window, through edits, restarts and time travel."""
import copy
import math
import time
from types import SimpleNamespace

import numpy as np
import pytest
from fluids import fluid
from test_viewer import child, press, screenshot, watch  # noqa: F401

import hdsim
from hdsim import theory
from hdsim.viewer.reading.measured import Measured
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.viewer.draw import coloring
from hdsim.viewer.draw.look import COLORS, Look
from hdsim.viewer.parts.plots import highest


def measure_in_a_window():
    """Plots show what the observers say, which is what theory says; all on, the trajectory is that of a system left alone."""
    def look(window):
        window.set_size(640, 520)
        yield 3
        for key in "VCPL":
            press(window, key)
        fastest = np.argmax(np.hypot(*window.playback.system.velocities.T))
        assert window.look.trails == (fastest,)
        press(window, "L")
        assert window.look.trails == ()
        window.stage.selected = 7
        press(window, "L")
        assert window.look == Look(colors="speed", arrows=True, trails=(7,))
        while window.playback.system.time < 1.2:
            yield 2
        press(window, "SPACE")
        plots = window.parts.plots.measured
        read_all(window)
        system = window.playback.system
        speed, *means = (o for o in system.observers if o.label == "hdsim viewer: plots")
        assert [type(o).__name__ for o in (speed, *means)] == ["Speed", "Pressure", "FreePath", "CollisionRates"]
        for course, observer in zip(plots.courses[1:], means):
            path = speed.value * speed.elapsed * 150 / (2 * means[2].pair_counts.sum())
            value = path if observer is means[1] else observer.value
            assert (course.times[-1], course.value, course.error) == (observer.elapsed, pytest.approx(value), observer.error)
            assert course.law == pytest.approx(observer.theory)
            assert abs(course.value - course.law) < 6 * course.error, course
        assert plots.courses[0].value == system.temperature
        assert np.array_equal(plots.speeds.density, speed.histogram[0])
        chi_square(plots.speeds, system)
        image = screenshot(window)
        assert (image == window.stage.theme.palette[4]).all(axis=2).sum() > 50        # the lines of theory
        press(window, "P")
        press(window, "L")
        yield 3
        assert system.observers == () and not window.parts.plots.shown
        with window.stage.changing(), system.edit() as draft:
            draft.velocities[0] *= 1
    system = fluid(150, 0.3)
    assert watch(system, look, speed=2, look=Look(colors="file")) is system
    alone = fluid(150, 0.3)
    alone.simulate(until=system.time)
    assert system.hash() == alone.hash()


def read_all(window):
    """Each value that is plotted is read now: a reading may stop after the first when its budget is spent."""
    for _ in range(8):
        window.parts.plots.measured.due, window.parts.plots.measured.read_at = 0.0, None
        screenshot(window)


def chi_square(speeds, system):
    """The curve that is drawn is Rayleigh's, and 20 times as many independent speeds as there are discs would not tell the bars
    from it: each disc has changed its speed some 100 times."""
    x, law = speeds.curve.T
    assert law == pytest.approx(theory.speed_pdf(x, 1.0, 1.0), abs=0.01)       # 150 discs are not infinitely many
    expected = np.diff(theory.speed_cdf(speeds.edges, 1.0, 1.0)) / np.diff(speeds.edges)
    bins = expected * np.diff(speeds.edges) > 1e-3
    independent = 20 * len(system)
    squares = independent * np.diff(speeds.edges)[bins] * (speeds.density - expected)[bins]**2 / expected[bins]
    assert squares.sum() < 1.5 * bins.sum()


@pytest.mark.more
def test_a_window_measures_and_changes_nothing(screen):
    child(measure_in_a_window, DISPLAY=screen)


def look_at_kinds():
    """In `diffusion` the posts do not stand in the distribution of the discs, nor in its law."""
    from hdsim.viewer.reading import measured

    system = hdsim.load("diffusion")
    kinds = measured.kinds_of(system)
    assert (kinds == 0).sum() == 178 and (kinds == 1).sum() == 22
    speed = system.observe(hdsim.Speed(measured.BINS, (0.0, measured.speed_range(system)), np.where(kinds == 0, 0, -1)))
    others = system.observe(hdsim.Speed(measured.BINS, (0.0, measured.speed_range(system)), kinds - 1))
    system.simulate(until=500)
    speeds = measured.Speeds(system)
    speeds.read(system, system.temperature, copy.copy(speed), copy.copy(others))
    assert speeds.mean == pytest.approx(theory.mean_speed(.001, 5e-8), rel=.02)
    x, law = speeds.curve.T
    assert x[law.argmax()] == pytest.approx(math.sqrt(5e-8 / .001), rel=.03)        # not that of the 200 discs' temperature
    (density, curve), = speeds.others
    assert density[0] * np.diff(speeds.edges)[0] > .99 and curve is None and "by mass and radius" in speeds.said
    system = hdsim.CollisionSystem.from_arrays([(.1 + .1 * k, .5) for k in range(8)], [(1., 0.)] * 8, .01,
                                               [1., 2., 3., 4., 5., 6., 1., math.inf])
    assert measured.kinds_of(system).tolist() == [0] * 7 + [-1]


def test_speeds_are_those_of_each_kind_of_discs(screen):
    """By mass and radius, but all together if there are many kinds; discs of infinite mass have none."""
    child(look_at_kinds, DISPLAY=screen)


def use_every_key_and_edit():
    """Restart, edits, adding, removing, another system while everything is on; and with nothing on, no observer stays."""
    def look(window):
        press(window, "P")
        yield 5
        assert window.look.trails == tuple(window.parts.trails._tracker.paths) == (5,)
        window.stage.selected = 3
        press(window, "L")
        press(window, "V")
        yield 5
        kinds = []
        for _ in COLORS:
            kinds.append(window.look.colors)
            press(window, "C")
            yield 3
        assert tuple(kinds) == COLORS and window.look.colors == "auto"
        window.parts.looks.turn_colors(-1)
        assert window.look.colors == "order"
        yield 5
        press(window, "SPACE")
        for _ in range(100):
            yield 2
            if window.parts.looks._styling._order._pending is None:
                break
        playback = window.playback
        painted = window.parts.looks.painted(playback.frame)
        assert np.array_equal(painted.colors, coloring.Coloring(playback.system, "order").of(playback.system))
        before = playback.system
        with pytest.raises(RuntimeError, match="while they are observed"):
            before.remove(0)
        playback.change(lambda system: system.remove(0))
        assert playback.message == "edited" and len(before) == 59
        assert window.look.trails == (4, 2)     # the same discs, now one place lower
        playback.change(lambda system: system.add(hdsim.Particle(*free_place(system), 0.0, 0.0, 0.01, 1.0)))
        assert playback.message == "edited" and len(before) == 60
        press(window, "SPACE")
        while len(before.observers) < 5 or not window.parts.plots.measured.courses[0].times:
            yield 2
        assert window.parts.plots.measured.courses[0].times[0] < 0.5       # sums began again
        press(window, "HOME")
        yield 5
        assert playback.system is not before and before.observers == ()
        left = playback.system
        assert len(left.observers) == 5
        yield 12
        at = 0.5 * playback.system.time
        press(window, "SPACE")
        playback.seek(at)
        while playback.seeking or playback.system is left:
            yield 2
        yield 4
        assert playback.system.time == at and left.observers == () and len(playback.system.observers) == 5
        assert all(path._live[-1, 1, 2] == at for path in window.parts.trails._tracker.paths.values())
        press(window, "P")
        window.stage.selected = None
        press(window, "L")
        yield 3
        assert playback.system.observers == () and window.look.trails == ()
        playback.seek(0.9 * at)         # copies that were made meanwhile have twins of ours
        yield 4
        assert playback.system.observers == ()
    system = fluid(60, 0.1)
    shown = watch(system, look, speed=0.5, look=Look(theme="projector", trails=(5,)))
    assert shown.observers == system.observers == ()


def free_place(system):
    """A point of the box far from every disc."""
    grid = np.random.default_rng(5).random((500, 2))
    apart = grid[:, None] - system.positions
    apart -= np.rint(apart)
    return grid[np.hypot(*np.moveaxis(apart, -1, 0)).min(axis=1).argmax()].tolist()


@pytest.mark.more
def test_observers_of_a_window_live_with_edits_restarts_and_time_travel(screen):
    child(use_every_key_and_edit, DISPLAY=screen)


def edit_on_the_way():
    from hdsim.viewer.playback import history
    history.SPACING = history.COPIES = 0        # a checkpoint for each frame

    def look(window):
        playback, run = window.playback, history.Replay.run
        while not window.parts.trails._tracker.paths:     # the first picture may take long
            yield 1
        begin = playback.system.time
        while playback.history.end < 0.4 + 10 * begin:
            yield 1
        press(window, "SPACE")
        yield 2
        end = playback.history.end
        playback.seek(0.2 * end)
        yield 5
        left, history.Replay.run = playback.system, lambda replay, seconds: False       # it takes long
        playback.seek(0.9 * end)
        playback.reverse()
        assert playback.seeking and playback.system is left     # the reversal waits
        history.Replay.run = run
        while playback.seeking:
            playback.tick(0.0)
        assert playback.message == "velocities reversed" and playback.system is not left
        yield 2
        path = window.parts.trails._tracker.paths[5]
        pieces = np.concatenate([path._pieces, path._live])
        assert len(pieces) > 2 and (pieces[:, 1, 2] - pieces[:, 0, 2]).max() < 0.3 * end      # mean free times are much shorter
    watch(fluid(1000, 0.3, box=hdsim.Box(1.0, 1.0)), look, speed=1.0, look=Look(trails=(5,)))


@pytest.mark.more
def test_a_trail_has_no_piece_to_another_time_at_which_an_edit_waited(screen):
    """Such an edit comes before the next picture, when the trail still follows the system that was left."""
    child(edit_on_the_way, DISPLAY=screen)


def watch_what_has_no_theory():
    """Walls, mixtures, fixed discs, rest, one disc, and the textbook: no line of theory, but words; and every small window."""
    fixed = hdsim.CollisionSystem.from_arrays([[.2, .2], [.7, .7], [.5, .2]], [[1, .1], [0, 0], [0.3, 1]], .1, [1, math.inf, 1])
    rest = hdsim.CollisionSystem.from_arrays([[.2, .2], [.6, .6]], [[0, 0], [0, 0]], .1)
    one = hdsim.CollisionSystem.from_arrays([[.2, .2]], [[1, .5]], .1)
    slit = fluid(40, 0.1)
    slit = hdsim.CollisionSystem.from_arrays(np.clip(slit.positions, .05, .95), slit.velocities, 0.001,
                                             box=hdsim.Box(1, 1, (True, False)))
    drift = fluid(40, 0.1)
    drift = hdsim.CollisionSystem.from_arrays(drift.positions, drift.velocities + 1, drift.radii, box=drift.box)
    words = [(fixed, ["Rayleigh for 2 discs", "discs of infinite mass", "discs of infinite mass"]),
             (rest, ["nothing moves", "nothing moves", "nothing moves"]), (one, ["one disc"] * 3),
             (slit, ["Rayleigh", "one pair of walls", "one pair of walls"]),
             (hdsim.load("brownian"), ["Rayleigh", "mixtures between walls", "mixtures between walls"]),
             (drift, ["drifts", "theory", "theory"])]
    book = TextbookSystem(hdsim.load("billiards10"))

    def look(window):
        for system, expected in words:
            window.stage.show_system(system, "a system")
            window.set_size(640, 520)
            press(window, "P")
            yield 8
            read_all(window)
            heads = window.parts.plots.measured.heads(window.parts.plots.measured.courses, 2)
            for head, said in zip((heads[0], heads[2], heads[3]), expected):
                assert said in head[3]
                assert head[4] == (not head[3].startswith("no theory"))
            window.set_size(330, 260)
            yield 3
            screenshot(window)
            press(window, "P")
        window.stage.show_system(book, "the book's")
        press(window, "P")
        yield 8
        read_all(window)
        assert window.parts.plots.measured.observing.observers == []
        assert window.parts.plots.measured.courses[0].value == pytest.approx(book.temperature)
        density = window.parts.plots.measured.speeds.density
        assert np.sum(density * np.diff(window.parts.plots.measured.speeds.edges)) == pytest.approx(1, abs=0.2)
        press(window, "C")
        press(window, "C")
        yield 3
    watch(one.copy(), look)


@pytest.mark.more
def test_where_there_is_no_theory_it_says_so(screen):
    child(watch_what_has_no_theory, DISPLAY=screen)


@pytest.mark.more
def test_drawing_is_quick(screen):
    child(time_the_plots, DISPLAY=screen)


def time_the_plots():
    """A drawing of the panel takes at most 3 ms of Python, reading the observers included. The lowest quarter of the times is
    judged, of this thread alone: other programs, and OpenGL's threads, make the others longer."""
    def look(window):
        press(window, "P")
        yield 12
        spent = []
        for _ in range(60):
            window.parts.plots.measured.due, window.parts.plots.measured.read_at = 0.0, None
            pen = window._pen
            pen.begin(window.get_framebuffer_size(), window.stage.unit)
            began = time.thread_time()
            window.parts.plots.draw(pen, window.parts.plots.area)
            spent.append(time.thread_time() - began)
            pen._shapes.clear()
            pen._texts.clear()
        assert np.quantile(spent, 0.25) < 0.006     # 3 ms, doubled for machines slower than ours
    watch(fluid(2000, 0.3), look, speed=0.1)


def test_observing_copies_leave_the_label():
    """A label is kept by copies of a system, and of the observer alone."""
    system = fluid(20, 0.1)
    system.observe(hdsim.Pressure()).label = "mine"
    assert system.copy().observers[0].label == copy.copy(system.observers[0]).label == "mine"


def test_the_plot_of_speeds_is_as_high_as_the_curves_of_all_kinds():
    """Of those that are a few times heavier; those of much heavier discs are cut off, because the others would be flat."""
    edges, flat = np.linspace(0, 1, 16), np.ones(15)
    curves = [np.column_stack([edges, peak * np.sin(math.pi * edges)]) for peak in (1.2, 2.9, 4.6, 40.)]
    speeds = SimpleNamespace(edges=edges, density=flat, kinds=range(100), curve=curves[0], others=[])
    alone = highest(speeds)
    assert alone == pytest.approx(1.2, rel=.02)
    speeds.others = [(flat, curve) for curve in curves[1:]]
    assert highest(speeds) == curves[2][:, 1].max()
    speeds.others = [(flat, curves[3])]
    assert highest(speeds) == alone
    speeds.others = [(3 * flat, None)]
    assert highest(speeds) == 3


def test_among_obstacles_without_walls_there_is_no_pressure():
    """Which no virial gives there; the plots open all the same, and when an obstacle comes into a periodic box."""
    measured, system = Measured("plots"), hdsim.load("lorentz")
    measured.begin(system)
    titles = [course.title for course in measured.courses]
    assert titles == ["temperature", "mean free path", "collision rate"]
    free = hdsim.random(20, radius=.01, temperature=1., seed=1, box=hdsim.Box(1, 1, periodic=True))
    for obstacles in (), (hdsim.Circle((.5, .5), 1e-3),):
        measured.let_go(free)
        with free.edit() as draft:
            draft.obstacles = obstacles
        measured.begin(free)
        assert ("pressure" in [course.title for course in measured.courses]) == (not obstacles)
