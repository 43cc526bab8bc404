"""What the window says of events and obstacles: sentences, cards, labels beside the mouse, and the panel of the queue."""
import re
from types import SimpleNamespace

import numpy as np
import pytest
from test_viewer import child, press, watch

import hdsim
from hdsim.browser.show import Show
from hdsim.model.events import Contact, Event
from hdsim.model.obstacles import gap
from hdsim.model.queues import Entry
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.spaces.paper import paper_of
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.reading.algorithm import take
from hdsim.viewer.parts.inspector import describe as card
from hdsim.viewer.reading.wording import brief, sort_of
from hdsim.viewer.playback.playback import Playback
from hdsim.viewer.playback.wording import describe, surface_name
from hdsim.viewer.stage.picking import felt_by, has_room

PIPE = hdsim.Polyline([(.4, .1), (.6, .1), (.6, .5)], name="pipe")
DOOR = hdsim.Segment((.3, .6), (.3, 1), name="door", until=2.0)
BLOCK = hdsim.Polygon([(.7, .7), (.9, .7), (.8, .9)])
OBSTACLES = [PIPE, DOOR, BLOCK]


def system_of(places, velocities, radius=.02, **how):
    return hdsim.CollisionSystem.from_arrays(places, velocities, radius, obstacles=OBSTACLES, **how)


def test_events_are_sentences():
    """A wall, a pair, an obstacle with and without a name, one that goes, several contacts at once, and nothing."""
    def wall(where=None, obstacle=None, feature=None):
        return Event(1.5, "wall", (Contact(2, None, where, (1, 0), 1., obstacle, feature),))
    said = {describe(wall("top")): "disc 2 hits the top wall at t = 1.5",
            describe(wall(None, 0, "face 1"), OBSTACLES): "disc 2 hits 'pipe', face 1 at t = 1.5",
            describe(wall(None, 2, "vertex 2"), OBSTACLES): "disc 2 hits polygon 2, vertex 2 at t = 1.5",
            describe(Event(2.0, "device", (), 1), OBSTACLES): "'door' goes at t = 2",
            describe(Event(1.0, "device", (), 1), OBSTACLES): "'door' comes at t = 1",
            describe(Event(1.0, "pass", (Contact(4, None, None, (1, 0), 0., 2, "face"),)), OBSTACLES):
                "disc 4 passes polygon 2 at t = 1",
            describe(Event(1.0, "pair", (Contact(2, 5, None, (1, 0), 1.),))): "discs 2 and 5 collide at t = 1",
            describe(SimpleNamespace(time=.25, kind="multi", particles=tuple(range(20)))):
                "several contacts at once, of discs 0, 1, 2, 3, 4, 5, 6, 7, ... at t = 0.25",
            describe(None): "nothing will ever happen"}
    assert list(said) == list(said.values())
    assert surface_name(None, 7, "face", OBSTACLES) == "an obstacle, face"


@pytest.mark.parametrize("engine", [lambda system: system, TextbookSystem])
def test_steps_name_what_is_hit(engine):
    """Of both engines: the message of each step, and the card of the disc before it, name the same obstacle and feature."""
    system = engine(system_of([(.5, .3), (.2, .8), (.8, .5)], [(.5, .01), (.3, .01), (-.001, .5)]))
    playback, said = Playback(system, paused=True), []
    for _ in range(3):
        first = playback.system.schedule(1)[0]
        rows = dict(card(playback.system, first.particles[0], playback.system.next_contact(first.particles[0])))
        playback.step()
        assert playback.message.startswith(f"disc {first.particles[0]} hits {rows['next']} at t = ")
        said.append(rows["next"])
    assert sorted(said) == ["'door', face", "'pipe', face 1", "polygon 2, face 0"]


def test_steps_go_back_over_a_passage():
    """An event that is not counted is a step of its own, forwards and backwards."""
    frame = [hdsim.Segment((.5, 0), (.5, .3)), hdsim.Segment((.5, .7), (.5, 1))]
    gate = hdsim.Gate((.5, .3), (.5, .7), hdsim.gates.coming("left"), name="gate")
    system = hdsim.CollisionSystem.from_arrays([(.2, .5)], [(-.3, 0)], .05, obstacles=[*frame, gate])
    playback, said = Playback(system, paused=True), []
    for _ in range(4):
        playback.step()
        said.append((playback.system.time, playback.message.partition(" at ")[0]))
    assert [text for _, text in said] == ["disc 0 hits the left wall", "disc 0 passes 'gate'", "disc 0 hits the right wall",
                                          "disc 0 hits 'gate', face"]
    back = []
    for _ in range(4):
        playback.step_back()
        while playback.seeking:
            playback.tick(1 / 60)
        back.append(playback.system.time)
    assert back[0] == said[2][0] and back[-1] == 0 and sorted(back, reverse=True) == back


def test_the_door_goes_in_a_step():
    playback = Playback(system_of([(.5, .3)], [(0.0, .001)]), paused=True)
    playback.step()
    assert playback.message == "'door' goes at t = 2" and playback.system.time == 2


def test_next_contacts_with_obstacles_have_their_place():
    """The point of contact lies on the obstacle, a radius from the centre, in the image where the disc is."""
    box = hdsim.Box(1, 1, (True, True))
    circle = hdsim.Circle((.98, .5), .1, name="peg")
    system = hdsim.CollisionSystem.from_arrays([(.3, .5)], [(-.1, 0)], .02, box=box, obstacles=[circle])
    contact = take(system).placed[0]
    assert (contact.wall, contact.obstacle, contact.discs) == (None, 0, (0,))
    assert contact.point.tolist() == pytest.approx([.08, .5]) and contact.centres[0].tolist() == pytest.approx([.1, .5])
    assert float(gap(circle, 1.08, .5, 0)) == pytest.approx(0)


def test_entries_are_brief():
    pair, wall = Entry(1., "pair", (1, 2)), Entry(1., "wall", (1,), "top")
    peg, unnamed = Entry(1., "wall", (1,), obstacle=0), Entry(1., "wall", (1,), obstacle=2)
    device, later = Entry(2., "device", (), obstacle=1), Entry(2., "device", (), obstacle=2)
    said = [brief(entry, OBSTACLES) for entry in (pair, wall, peg, unnamed, device, later)]
    assert said == ["1–2", "1 ↑", "1 pipe", "1 #2", "door", "#2"]
    assert brief(peg) == "1 #0"
    assert [sort_of(entry) for entry in (pair, wall, peg, device)] == ["pair", "wall", "obstacle", "device"]


@pytest.mark.more
def test_room_is_where_the_system_lets_a_disc_be():
    """Among obstacles, walls and images, for discs that feel them, as an edit answers."""
    obstacles = [*OBSTACLES, hdsim.Segment((0, .3), (.3, .3), species=1),
                 hdsim.Circle((.5, .5), .69, side="inside"), hdsim.Circle((.02, .85), .1)]
    for periodic in ((False, False), (True, False)):
        box = hdsim.Box(1, 1, periodic)
        there = obstacles if not periodic[0] else [*obstacles[:4], obstacles[5]]
        system = hdsim.CollisionSystem.from_arrays([(.5, .3), (.5, .4)], [(0, 0)] * 2, .03, box=box, species=[0, 1],
                                                   obstacles=there)
        answers = set()
        for x, y in np.random.default_rng(2).uniform(-.05, 1.05, (250, 2)).tolist():
            if periodic[0]:
                x %= 1.0
            for disc in range(2):
                copy = system.copy()
                try:
                    with copy.edit() as draft:
                        draft.positions[disc] = x, y
                    legal = True
                except ValueError:
                    legal = False
                frame = Frame.of(system)
                assert has_room(frame, np.array((x, y)), .03, disc, felt_by(system, frame, disc)) == legal
                answers.add((disc, legal))
        assert len(answers) == 4


def point_at_obstacles():
    """The label names the obstacle whose line is at the mouse, until it is gone; discs come first."""
    def look(window):
        tips, view = window.parts.tips, window.stage.box_view

        def at(x, y):
            window.dispatch_event("on_mouse_motion", round(view.to_pixel(x, y)[0]), round(view.to_pixel(x, y)[1]), 0, 0)
            return tips.said
        yield 2
        view = window.stage.box_view
        assert at(.5, .1) == "'pipe', face 0" and at(.6, .5) == "'pipe', end" and at(.8, .7) == "polygon 2, face 0"
        assert at(.3, .8) == "'door', face: until t = 2"
        yield 2
        assert at(.5, .5) == "" and at(.5, .3) == ""
        press(window, "RIGHT")
        assert "'door' goes" in " ".join(window.playback.status()) and at(.3, .8) == "'door', face: has gone at t = 2"
        at(.5, .1)
        window.dispatch_event("on_mouse_press", 5, 5, 1, 0)
        assert tips.said == ""
    watch(system_of([(.5, .3)], [(0.0, .001)]), look, paused=True)


def test_obstacles_under_the_mouse_are_named(screen):
    child(point_at_obstacles, DISPLAY=screen)


def show_the_queue():
    """The panel's drawing has the colours of obstacles and devices, and their names; nothing of the run changes."""
    def look(window):
        yield 1
        press(window, "Q")
        yield 2
        drawing = window.parts.queue.algorithm.look()
        entries = [brief(entry, OBSTACLES) for entry in drawing.queue.entries]
        assert "door" in entries and any(entry.endswith("pipe") for entry in entries)
        written = []
        pen = window._pen
        write = pen.write
        pen.write = lambda text, *rest, **how: written.append(text) or write(text, *rest, **how)
        window.parts.queue._sketch = (None, None)
        window.switch_to()
        window.on_draw()
        pen.write = write
        assert "obstacle (# its number)" in written and "obstacle comes or goes" in written
        assert any("pipe" in text for text in written)
    system = system_of([(.5, .3), (.2, .8), (.8, .5)], [(.5, .01), (.3, .01), (-.001, .5)])
    before = system.copy()
    shown = watch(system, look, paused=True)
    assert shown.hash() == before.hash()


@pytest.mark.more
def test_the_queue_shows_obstacles(screen):
    child(show_the_queue, DISPLAY=screen)


DISCS = re.compile(r"\bdiscs?\b")


@pytest.mark.parametrize("make", [lambda: hdsim.random(30, radius=.05, temperature=1., seed=1, box=(1, 1, 1)),
                                  lambda: paper_of(hdsim.load("l2-3d"))])
def test_spheres_are_not_called_discs(make, monkeypatch):
    """By keys, labels of buttons, panels, captions, menus, notes and refusals; with discs all of that says disc."""
    said = set()
    for system in make(), hdsim.random(30, radius=.02, temperature=1., seed=1):
        show, texts = Show(system, speed=1.), set()
        write = show._pen.write
        monkeypatch.setattr(show._pen, "write", lambda text, *more, write=write, texts=texts, **how: (
            texts.add(text), write(text, *more, **how))[1])
        show.do({"do": "size", "width": 1300, "height": 1000, "page": "a"})
        for key in ["X", "Del", "Tab", "V", "W", "L", "P", "Q", "G", "Shift+B", "Shift+P", "C", "Right", "A", "Ctrl+Z",
                    "Shift+Up", "X", "Shift+Up", "O", "H", "H", "Ctrl+O"]:
            show.do({"do": "key", "key": key})
            for _ in range(2):
                show.tick(.02)
                show.stage.refresh()
                show.snapshot()
            texts |= {show.stage.noted, show.playback.message, *(button.label for button in show.parts.bar.all_buttons)}
        view = show.stage.box_view
        for x, y in ((view.pixels(system_points(show))[0]), (3., 300.)):
            show.do({"do": "press", "x": float(x), "y": float(y), "button": 4, "held": 0})
            show.stage.refresh()
            show.snapshot()
            show.do({"do": "key", "key": "Escape"})
        of_discs = {text for text in texts if DISCS.search(text)} - {"the curve is for discs in a box"}
        if show.stage.in_space:
            assert not of_discs
            assert any("sphere" in text for text in texts)
        said |= of_discs
    assert {"select the next disc (or click)", "disc"} <= said


def system_points(show):
    return show.playback.frame.positions
