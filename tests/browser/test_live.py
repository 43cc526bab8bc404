"""The kernel's side of the widget: what it answers to views, and what a program can set. No notebook is needed."""
import gc
import re
import weakref

import numpy as np
import pytest
from scenes import gas, trajectory

import hdsim
from hdsim.browser import notebook as module
from hdsim.viewer.playback import playback

EMPTY = {"serial": -1, "scene": -1, "discs": -1, "colors": -1, "record": -1, "file": -1}


@pytest.fixture
def clock(monkeypatch):
    """clock(seconds): let so much time pass for the kernel, which is never late, however busy the machine is."""
    monkeypatch.setattr(playback, "BUDGET", 10.0)
    now = [0.0]
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])

    def wait(seconds):
        now[0] += seconds
    return wait


class View:
    """A frontend with a view."""

    def __init__(self, live, name="view"):
        self.live, self.name, self.have, self.answers = live, name, dict(EMPTY), []
        send = getattr(live.widget, "_sent", None)
        if send is None:
            live.widget._sent = send = []
            live.widget.send = lambda content, buffers=None: send.append((content, buffers))
        self.sent = send

    def say(self, **content):
        before = len(self.sent)
        self.live.widget._handle_custom_msg({"view": self.name, **content}, [])
        return self.sent[before:]

    def ask(self):
        """The header and arrays of the answer."""
        [(header, buffers)] = self.say(kind="ask", have=self.have)
        types = {"f4": "<f4", "u2": "<u2", "u1": "u1"}
        arrays = {name: np.frombuffer(data, types[kind]) for (name, kind, _), data in zip(header.get("blocks", []), buffers)}
        if "versions" in header:
            self.have = {"serial": header["serial"], **header["versions"]}
        return header, arrays


@pytest.fixture
def shown(missing):
    """shown(system, ...): `hdsim.live`, closed at the end."""
    pytest.importorskip("anywidget")
    found = []

    def show(*arguments, **options):
        found.append(hdsim.live(*arguments, **options))
        return found[-1]

    yield show
    for live in found:
        live.close()


def test_it_advances_when_a_view_asks(shown, clock):
    """By the time that has passed; its trajectory is that of a run alone, and a view is sent what it has not."""
    system, alone = gas(), gas()
    live = shown(system, speed=1.)
    view = View(live)
    header, arrays = view.ask()
    assert set(arrays) == {"positions", "radii", "colors", "record"} and header["scene"]["box"] == [1, 1] and live.playing
    for _ in range(6):
        clock(.05)
        header, arrays = view.ask()
    alone.simulate(until=system.time)
    assert system.time == pytest.approx(.3, abs=.02) and set(arrays) - {"record"} == {"positions"}
    assert np.array_equal(arrays["positions"].reshape(2, -1).T, system.positions.astype(np.float32))
    live.close()
    assert trajectory(system) == trajectory(alone)


def test_many_discs_are_sent_in_half_the_size_while_they_move(shown, clock):
    """To a multiple of 1 / 65536 of the box; once they rest exactly."""
    system = hdsim.random(module.MANY, seed=1)
    live = shown(system, speed=1e-3)
    view = View(live)
    for _ in range(2):
        clock(.05)
        header, arrays = view.ask()
        places = arrays["places"].reshape(2, -1).T / 65536
        assert header["time"] == system.time and np.abs(places - system.positions).max() < 1 / 65536
    live.playing = False
    clock(.05)
    assert np.array_equal(view.ask()[1]["positions"].reshape(2, -1).T, system.positions.astype(np.float32))


def test_its_scene_has_obstacles_where_they_are(shown, clock):
    """A new scene for each picture in which an obstacle has moved, and none for those in which it rests."""
    circle = hdsim.Circle((.25, .5), .125, motion=[(0, (.5, 0)), (.25, (0, 0))])
    system = hdsim.CollisionSystem.from_arrays([(.9, .1)], [(0, .01)], .03, obstacles=[circle])
    view, found = View(shown(system, speed=1.)), []
    for _ in range(12):
        header, _ = view.ask()
        found.append((system.time, header.get("scene")))
        clock(.05)
    centres = [(time, scene["shapes"][-1]["paths"][0][0][0]) for time, scene in found if scene]
    assert 4 < len(centres) < 9 and found[-1][1] is None
    assert [x for _, x in centres] == pytest.approx([.25 + .5 * min(time, .25) for time, _ in centres], abs=1e-6)


def test_two_views_do_not_advance_it_twice(shown, clock):
    system = gas()
    live = shown(system, speed=1.)
    views = [View(live, name) for name in "ab"]
    for view in views:
        view.ask()
    for _ in range(10):
        clock(.05)
        headers = [view.ask()[0] for view in views]
        assert headers[0]["serial"] == headers[1]["serial"]
    assert system.time == pytest.approx(.5, abs=.02)


def test_one_question_has_several_pictures(shown, clock, monkeypatch):
    """One after another while the run goes on, each without what the one before has brought; a new question replaces the rest."""
    live = shown(gas(), speed=1.)
    later = []
    monkeypatch.setattr(live.widget, "later", lambda content, seconds: not later.append((content, seconds)))
    view = View(live)
    question = {"kind": "ask", "have": EMPTY, "pictures": 4, "every": .05, "number": 7}

    def come():
        clock(.05)
        content, seconds = later.pop(0)
        assert 0 <= seconds <= .05
        return view.say(**content)

    (first, _), = view.say(**question)
    heads = [first] + [head for _ in range(3) for head, _ in come()]
    assert [head["more"] for head in heads] == [3, 2, 1, 0] and not later and {head["number"] for head in heads} == {7}
    assert "scene" in first and not any("scene" in head for head in heads[1:])
    assert all({name for name, *_ in head["blocks"]} - {"record"} == {"positions"} for head in heads[1:])
    assert [head["time"] for head in heads[1:]] == pytest.approx([.05, .1, .15], abs=.02)
    view.say(**question | {"pictures": 3})
    view.say(**question | {"pictures": 2, "number": 8})
    assert len(later) == 1 and come()[0][0]["more"] == 0 and not later
    view.say(**question)
    live.playing = False
    assert come()[0][0]["more"] == 0 and not later
    live.playing = True
    view.say(**question)
    view.say(kind="gone")
    assert come() == []


@pytest.mark.parametrize("wrong", [{"pictures": 0}, {"pictures": 1000}, {"every": 0}, {"every": "x"}, {"number": None}])
def test_a_wrong_question_has_one_picture(shown, clock, wrong):
    view = View(shown(gas()))
    (head, _), = view.say(**{"kind": "ask", "have": EMPTY, "pictures": 4, "every": .05, "number": 1} | wrong)
    assert head["n"] == 40 and head["more"] == 0


def test_a_second_call_shows_the_same(shown):
    """As long as the first is not closed."""
    system = gas()
    live = shown(system, paused=True)
    assert shown(system) is live and not live.playing
    live.close()
    again = shown(system, paused=True)
    assert again is not live


def test_without_a_view_it_pauses(shown, clock):
    live = shown(gas())
    one, other = View(live, "a"), View(live, "b")
    one.ask(), other.ask()
    one.say(kind="gone")
    assert live.playing
    other.say(kind="gone")
    assert not live.playing and live.widget.playing is False


def test_traits_are_the_state_of_the_run(shown, clock):
    """Set in Python or by a view, they are commands; and a command sets them."""
    live = shown(gas(), speed=2., paused=True)
    widget = live.widget
    assert (widget.playing, widget.speed, widget.colors, widget.theme) == (False, 2., "auto", "light")
    widget.playing, widget.speed, widget.colors = True, 3., "speed"
    assert live.playing and live.speed == 3 and View(live).ask()[0]["colors"] == "speed"
    View(live).say(kind="do", command={"do": "theme", "value": "dark"})
    live.speed = 5.
    live.do("pause")
    assert (widget.playing, widget.speed, widget.theme) == (False, 5., "dark")
    with pytest.raises(ValueError, match="colors: expected auto, file"):
        widget.colors = "red"
    assert widget.colors == "speed"
    with pytest.raises(ValueError, match="speed must be positive"):
        live.speed = -1


def test_nothing_of_the_pictures_is_a_trait(shown, clock):
    """What a notebook saves of the widget does not grow with the system, and is less than 100 KB."""
    sizes = []
    for n in (10, 10_000):
        live = shown(hdsim.random(n, seed=1))
        View(live).ask()
        sizes.append(sum(len(str(value)) for value in live.widget.get_state().values()))
    assert sizes[0] == pytest.approx(sizes[1], abs=100) and sizes[1] < 80_000


def test_the_picture_follows_what_cells_do(shown, clock):
    """A system that was run or edited while it was paused is shown as it is."""
    system = gas()
    view = View(shown(system, paused=True))
    view.ask()
    view.ask()      # the card of the system has another height now
    clock(1)
    assert view.ask()[0]["same"]
    system.simulate(until=.5)
    clock(1)
    header, arrays = view.ask()
    assert header["time"] == .5 and np.array_equal(arrays["positions"].reshape(2, -1).T, system.positions.astype(np.float32))
    with system.edit() as draft:
        draft.colors[:] = 199
    clock(1)
    assert set(view.ask()[1]["colors"]) == {199}


@pytest.mark.parametrize("content", [{}, {"kind": "ask", "have": 3}, {"kind": "do", "command": "play"}, {"kind": "x"},
                                     {"kind": "do", "command": {"do": "fly"}}, {"kind": "ask", "have": {"serial": "a"}}])
def test_wrong_messages_do_no_harm(shown, content):
    live = shown(gas(), paused=True)
    view = View(live)
    answers = view.say(**content)
    assert len(answers) == (content.get("kind") == "ask") and live.system.time == 0 and view.ask()[0]["n"] == 40


@pytest.mark.parametrize("options, error", [({"height": 10}, "height is 10; it must be a number of pixels from 200"),
                                            ({"height": "tall"}, "height is 'tall'"), ({"speed": 0}, "speed must be positive"),
                                            ({"theme": "red"}, "theme is 'red'"), ({"colors": "red"}, "colors is 'red'"),
                                            ({"trails": (99,)}, "trails names disc 99")])
def test_wrong_options_are_refused(shown, options, error):
    with pytest.raises(ValueError, match=error):
        shown(gas(), **options)


def test_a_closed_one_is_let_go(shown):
    system = gas()
    live = hdsim.live(system)
    gone = weakref.ref(live)
    live.close()
    del live
    gc.collect()
    assert gone() is None and system.observers == ()


def test_without_the_extra_one_line_says_what_to_install(elsewhere):
    code = """
import sys
sys.modules["anywidget"] = None
import hdsim
try:
    hdsim.live(hdsim.load("p10"))
except ImportError as error:
    print(error)
"""
    assert elsewhere("-c", code) == "hdsim.live needs the library anywidget: pip install 'hdsim[notebook]'\n"


def test_the_script_is_one_module_without_imports():
    """Notebooks without a network, and pages with another origin, take it as it is."""
    pytest.importorskip("anywidget")
    from hdsim.browser.widget import script

    text = script()
    assert re.search(r"\bimport\b|http", text) is None and text.count("export default { render };") == 1 and len(text) < 60_000
