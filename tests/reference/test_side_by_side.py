"""Two engines side by side: what is missed, against the logs of both, and the window that shows it."""
from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
from scenes import gas
from test_viewer import child, screenshot, watch

import hdsim
from hdsim import CollisionSystem, side_by_side
from hdsim.app import cli
from hdsim.reference.side_by_side import SideBySide
from hdsim.reference.timestep import PAIR_SCHEMES, TimeDrivenSystem, compare, exact_twin
from hdsim.viewer.playback import playback as module


def state(both):
    return (both.time, both.missed, both.first_missed, both.exact.hash(), both.time_driven.hash(),
            both.time_driven.positions.tobytes(), both.exact.positions.tobytes())


# what is missed

@pytest.mark.parametrize("scheme", PAIR_SCHEMES)
def test_the_two_discs_of_diagonal_jump_over_their_contact(scheme):
    """.9 apart, .02 thick together, .02 a time unit: they touch at t = 44, in (.5, .49). A step of 8 sees them .1 apart at 40,
    and .06 beyond each other at 48. A step of .5 sees them touch."""
    both = SideBySide(hdsim.load("diagonal"), 8, scheme)
    both.simulate(until=43.9)
    assert both.missed == 0 and both.first_missed is None
    both.simulate(until=44.1)
    first = both.first_missed
    assert both.missed == 1 and (first.i, first.j) == (0, 1)
    assert first.time == pytest.approx(44, rel=1e-14) and first.place == pytest.approx((.5, .49), rel=1e-14)
    both.simulate(until=60)
    assert both.missed == 1 and both.first_missed == first and both.astray.all()
    # here they go home after 44, there straight on, both at .01 along x: for 16 time units
    assert both.distances == pytest.approx(2 * .16, rel=1e-12)
    near = SideBySide(hdsim.load("diagonal"), .5, scheme)
    near.simulate(until=60)
    assert near.missed == 0 and near.first_missed is None and not near.astray.any()


def log(system, until):
    """(time, pair) of all contacts of two discs."""
    found = []
    system.on_collision(lambda event: found.extend((event.time, (c.i, c.j)) for c in event.contacts if c.j is not None))
    system.simulate(until=until)
    return found


def unseen(exact, stepped, time, dt):
    """How often pairs have met until a time, and have not been seen to two steps later: from the logs."""
    met, seen = ([pair for when, pair in contacts if when <= end] for contacts, end in ((exact, time), (stepped, time + 2 * dt)))
    return sum(max(met.count(pair) - seen.count(pair), 0) for pair in set(met))


@pytest.mark.parametrize("scheme", PAIR_SCHEMES)
@pytest.mark.parametrize("dt, end", [(.002, .5), (.02, .3), (.1, .3)])
def test_what_is_missed_against_the_logs_of_both_engines(scheme, dt, end):
    """The number at many times, and the first contact at which it is not 0; `compare` counts the same."""
    system = gas(60, radius=.015)
    exact, stepped = log(exact_twin(system), end), log(TimeDrivenSystem(system, dt, scheme), end + 2 * dt)
    both = SideBySide(system, dt, scheme)
    for time in np.linspace(0, end, 40):
        both.simulate(until=time)
        assert both.missed == unseen(exact, stepped, time, dt)
    first = next(((time, *pair) for time, pair in exact if unseen(exact, stepped, time, dt)), None)
    assert (both.first_missed and both.first_missed[:3]) == first
    assert both.missed == compare(system, dt, scheme, end).missed
    assert len(exact) > 20 and (dt < .1 or both.missed > 5)


def test_side_by_side_in_pieces_is_the_same():
    """In steps, with timers, with little time, copied, event by event, and each engine alone: the same bits."""
    system, end = gas(60, radius=.015), .25
    both = SideBySide(system, .02, "rollback")
    both.simulate(until=end)
    assert both.first_missed is not None
    for each in both.exact, both.time_driven:
        alone = exact_twin(system) if isinstance(each, CollisionSystem) else TimeDrivenSystem(system, .02, "rollback")
        alone.simulate(until=end)
        assert alone.hash() == each.hash() and np.array_equal(alone.positions, each.positions)
    pieces, hurried, stepped = (SideBySide(system, .02, "rollback") for _ in range(3))
    drawn = []
    pieces.on_redraw(lambda event: drawn.append((event.time, pieces.time, pieces.time_driven.time)), every=.03)
    for k in range(100):
        pieces.simulate(until=end * k / 100)
        pieces.astray, pieces.energy_errors
    pieces.simulate(until=end)
    assert drawn == [(k * .03,) * 3 for k in range(1, 9)]
    while hurried.time < end:
        hurried.simulate(until=end, max_seconds=1e-4)
        assert hurried.time_driven.time == hurried.time
    hurried.simulate(until=end)
    events = both.statistics["events"]
    assert stepped.simulate(max_events=events // 2) == stepped._contacts
    stepped = stepped.copy()
    while stepped.statistics["events"] < events:
        assert stepped.next_event().time == stepped.time == stepped.time_driven.time
    stepped.simulate(until=end)
    assert state(both) == state(pieces) == state(hurried) == state(stepped)


def test_the_first_missed_contact_is_reported_once_and_may_stop_the_run():
    """At its own time, in both engines; the run that goes on is the one that was not stopped."""
    free, stopped = (SideBySide(gas(60, radius=.015), .05, "ordered") for _ in range(2))
    free.simulate(until=.2)
    reported = []
    stopped.on_first_missed(lambda missed: reported.append((missed, stopped.time)) or hdsim.STOP)
    stopped.simulate(until=.2)
    assert reported == [(free.first_missed, free.first_missed.time)]
    assert stopped.time == stopped.time_driven.time == free.first_missed.time and stopped.missed == 1
    stopped.simulate(until=.2)
    assert len(reported) == 1 and state(stopped) == state(free)


def test_points_go_astray_too():
    """They have no radius: a hundredth of the box counts. The two meet at t = .4 in mid-step."""
    discs = [hdsim.Particle(.1, .5, 1, 0, .01, 1), hdsim.Particle(.91, .5, -1, 0, 0, 1)]
    both = SideBySide(CollisionSystem(discs), .4 / 1.5)
    both.simulate(until=.404)
    assert both.missed == 1 and both.distances == pytest.approx(.008) and not both.astray.any()
    both.simulate(until=.406)
    assert both.distances == pytest.approx(.012) and both.astray.all()


def test_side_by_side_refuses_what_cannot_be():
    both = SideBySide(CollisionSystem(), 1)
    with pytest.raises(ValueError, match="until is infinite and nothing can stop the run"):
        both.simulate()
    assert both.simulate(max_events=3) == 0 and both.next_event() is None and both.energy_errors == (0, 0)
    both.simulate(until=3)
    for until in 2, math.nan:
        with pytest.raises(ValueError, match="must not be before the time of the system, 3"):
            both.simulate(until=until)
    for limits in {"max_events": -1}, {"max_seconds": -1}, {"max_seconds": math.nan}:
        for system in both, both.time_driven:
            with pytest.raises(ValueError, match="max_.* is .*; it must be >= 0"):
                system.simulate(until=4, **limits)
    with pytest.raises(ValueError, match="this box is periodic"):
        SideBySide(gas(box=hdsim.Box(periodic=(True, False))), 1)


def test_the_example_of_side_by_side():
    assert doctest.testmod(side_by_side) == (0, 4)


# the command line

@pytest.fixture
def run(capsys):
    """run(words): status, lines of standard output, and standard error of the command line."""
    def run(words):
        status = cli.main(words.split())
        out, err = capsys.readouterr()
        return status, out.splitlines(), err
    return run


def test_the_table_of_the_command_line(run):
    status, lines, err = run("diagonal --compare time:8 --scheme rollback --no-view --until 100")
    rows = {line[:18].strip(): (line[18:44].strip(), line[44:].strip()) for line in lines}
    assert (status, err) == (0, "") and rows[""] == ("events", "time steps: dt 8, scheme rollback")
    assert rows["contacts"] == ("1 disc-disc, 4 disc-wall", "0 disc-disc, 4 disc-wall")
    assert rows["missed"] == ("", "1 of 1") and rows["first missed"] == ("", "discs 0 and 1 at t = 44")
    assert rows["discs off course"] == ("", "2 of 2") and rows["deepest overlap"] == ("", "0 % of the contact distance")
    assert rows["checks of a pair"][1] == "12 in 12 steps" and rows["checks of a pair"][0].endswith(" in 5 events")
    assert rows["energy error"] == ("0", "0") and all(float(cell.removesuffix(" s")) > 0 for cell in rows["wall clock"])
    assert "none" in "\n".join(run("diagonal --compare time:.5 --no-view --until 60")[1])
    assert "running to t = 10000" in run("diagonal --compare time:50 --scheme move --no-view")[2]


@pytest.mark.parametrize("words, message", [
    *((f"p10 --compare {found}", f"expected time:DT, as in time:0.5, with a step above 0; found '{found}'")
      for found in ("time", "time:0", "time:-1", "time:nan", "time:x", "textbook", "textbook:1", ":1")),
    ("p10 --compare time:1 --engine textbook", "--engine does not apply to two engines side by side"),
    ("p10 --compare time:1 --dt 2", "--dt does not apply to two engines"),
    ("p10 --compare time:1 --reverse-at 2", "--reverse-at does not apply to two engines"),
    ("p10 --compare time:1 --out x.mp4", "--out does not apply to two engines"),
    ("p10 --compare time:1 --colors speed", "--colors does not apply to two engines"),
    ("p10 --compare time:1 --no-view --theme dark", "--theme belongs to the window"),
    ("p10 --compare time:1 --periodic xy", "this box is periodic"),
    ("p10 --scheme walls", "--scheme belongs to --engine time"),
    ("balls 3 --compare time:1", "unrecognized arguments"),
])
def test_two_engines_are_refused_what_only_one_can(run, words, message):
    status, lines, err = run(words)
    assert (status, lines) == (2, []) and err.startswith("hdsim: error: ") and message in err and err.count("\n") == 1


def test_two_engines_cannot_be_edited():
    """They would no longer have one start; the error says what can be changed."""
    for change in (lambda both: both.edit(), lambda both: both.add(None), lambda both: both.remove(0)):
        with pytest.raises(RuntimeError, match="two engines side by side cannot change .* CollisionSystem that they begin with"):
            change(SideBySide(hdsim.load("diagonal"), 8))


# the window

def crop(window, half):
    """The pixels of a picture, the top row first."""
    image, area = screenshot(window), half.picture
    return image[len(image) - round(area.top):len(image) - round(area.bottom), round(area.left):round(area.right)]


def alike(first, second):
    """But for how edges are rounded."""
    return first.shape == second.shape and np.abs(first.astype(int) - second).max() <= 3


def middles(picture, half, view, color):
    """Places of the box at which the middle of all pixels of a colour lies."""
    rows, columns = np.nonzero((picture == color).all(axis=2))
    return view.to_box(half.picture.left + columns.mean() + .5, half.picture.top - rows.mean() - .5) if len(rows) else None


def use_the_window(window):
    """diagonal, dt = 8: pauses at 44 with the mark in both pictures, which are the same; Space goes on, and they differ."""
    playback, warning, purple = window.playback, window.stage.theme.warning, window.stage.theme.palette[5]
    window.set_size(700, 460)
    while not playback.paused:
        yield 1
    yield 2
    assert playback.system.time == pytest.approx(44) and "discs 0 and 1 meet" in " ".join(playback.status())
    first, second = window._front._painter.halves()
    assert first.picture.left < second.picture.left and first.picture.bottom == second.picture.bottom
    left, right = crop(window, first), crop(window, second)
    ink = (left == warning).all(axis=2)
    x, y = window.stage.box_view.to_pixel(.5, .49)
    row, column = round(first.picture.top - y), round(x - first.picture.left)
    assert ink[row - 1:row + 1, column - 1:column + 1].any() and 80 < ink.sum() < 3000
    around = slice(row - 20, row + 20), slice(column - 40, column + 40)
    assert alike(left[around], right[around]) and ink[around].sum() > 80
    window.dispatch_event("on_key_press", key("SPACE"), 0)
    while playback.system.time < 80:
        yield 1
    playback.pause()
    exact, stepped = playback.system.exact, playback.system.time_driven
    left, right = crop(window, first), crop(window, second)
    across, up = window._front._painter.shift()
    view = window.stage.box_view
    assert middles(left, first, view, (200, 0, 0)) == pytest.approx(tuple(exact.positions[0]), abs=.01)
    assert middles(left, first, view, purple) is None and middles(right, second, view, (200, 0, 0)) is None
    x, y = middles(right, second, view, purple)
    assert (x - across / view.scale, y - up / view.scale) == pytest.approx(tuple(stepped.positions.mean(axis=0)), abs=.01)
    # back in time, and there again, also where the time for each tick is spent at once
    module.BUDGET = 0.0
    playback.seek(40)
    assert playback.system.time == 40 and playback.system.first_missed is None
    yield 2
    assert not (screenshot(window)[:-150] == warning).all(axis=2).any()
    playback.go_on()
    while not playback.paused:
        yield 1
    assert playback.system.time == pytest.approx(44)
    module.BUDGET = 0.012
    # one wheel for both: the place under the mouse stays there, also in the second picture
    x, y = window.stage.box_view.to_pixel(.5, .49)
    window.on_mouse_scroll(x + across + 30, y + 20, 0, 5)
    assert window.stage.box_view.scale > 2 * view.scale
    assert window.stage.box_view.to_box(x + 30, y + 20) == pytest.approx(view.to_box(x + 30, y + 20))
    window.on_mouse_press(x, y, 1, 0)
    window.on_mouse_press(x, y, 1, 0)
    assert window.stage.box_view == view
    window.on_file_drop(0, 0, ["p10.txt"])
    window.set_size(500, 900)
    yield 3
    first, second = window._front._painter.halves()
    assert first.picture.bottom > second.picture.top and first.picture.left == second.picture.left
    assert all((crop(window, half) == warning).all(axis=2).sum() > 80 for half in (first, second))
    window.dispatch_event("on_key_press", key("RIGHT"), 0)
    assert playback.system.time > 44.1 and playback.event.kind == "wall"


def key(name):
    from pyglet.window import key
    return getattr(key, name)


def show_two_engines():
    watch(SideBySide(hdsim.load("diagonal"), 8), use_the_window, speed=100)


@pytest.mark.more
def test_the_window_on_two_engines(screen):
    child(show_two_engines, DISPLAY=screen)
