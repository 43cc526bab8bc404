"""The algorithm made visible: what is read of it, how it is laid out and worded, and the panel and the grid in a real window."""
import itertools
import math
from collections import Counter

import numpy as np
import pytest
from systems import random_arrays
from test_viewer import child, mover, press, screenshot, watch

import hdsim
from hdsim.viewer import Look
from hdsim import CollisionSystem, Particle
from hdsim.model.queues import Entry
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.viewer.draw.frame import Frame, around
from hdsim.viewer.reading import algorithm
from hdsim.viewer.reading.algorithm import Algorithm, difference, take
from hdsim.viewer.reading.queue_layout import heap_place, heap_rows
from hdsim.viewer.reading.wording import amount, brief, rough_width, short_times
from hdsim.viewer.playback.playback import Playback


def gas(n=100, periodic=(False, False)):
    return CollisionSystem.from_arrays(**random_arrays(5, n_max=n, phi_max=.3, periodic=periodic, at_rest=0.0))


# what is read

@pytest.mark.parametrize("periodic", [(False, False), (True, False), (True, True)])
def test_the_next_contact_is_drawn_where_it_happens(periodic):
    """The outlines touch, or touch the wall, and when the time has come the discs are there, but for box lengths."""
    system = gas(12, periodic)
    lengths = np.array([system.box.width, system.box.height])
    wrapped = 0
    for _ in range(200):
        look = take(system)
        contact = look.placed[0]
        assert contact.time == look.contacts[0].time and contact.discs == look.contacts[0].particles
        discs = list(contact.discs)
        assert np.array_equal(contact.starts, system.positions[discs]) and np.array_equal(contact.radii, system.radii[discs])
        if contact.wall is None:
            gap = contact.centres[1] - contact.centres[0]
            assert np.hypot(*gap) == pytest.approx(contact.radii.sum(), rel=1e-9)
            assert np.hypot(*(contact.point - contact.centres[1])) == pytest.approx(contact.radii[1], rel=1e-9, abs=1e-12)
        else:
            axis, edge = {"left": (0, 0), "right": (0, 1), "bottom": (1, 0), "top": (1, 1)}[contact.wall]
            assert contact.point[axis] == pytest.approx(edge * lengths[axis], abs=1e-12)
        assert ((-1e-9 <= contact.centres[0]) & (contact.centres[0] <= lengths)).all()
        system.next_event()
        away = system.positions[discs] - contact.centres
        assert np.abs(away - np.rint(away / lengths) * np.where(periodic, lengths, 0)).max() < 1e-9
        wrapped += len(contact.paths) > len(discs)
    assert wrapped > 10 if all(periodic) else any(periodic) or wrapped == 0


def test_a_step_shows_what_it_changes():
    """New entries are those that were not there before; counters tell what the step added; the last contact is the event's."""
    system = gas()
    playback = Playback(system, paused=True)
    seeing = Algorithm(playback)
    for _ in range(60):
        before = seeing.look()
        predicted = system.peek()
        playback.step()
        after = seeing.look()
        assert after is not before and seeing.look() is after
        known, now = (Counter(entry[:4] for entry in look.queue.entries) for look in (before, after))
        assert Counter(after.queue.entries[k][:4] for k in after.new) == now - known     # a contact may be held by both discs
        assert after.gone == len(after.new) > 0
        assert {contact.discs for contact in after.last} == {predicted.particles}
        steps = {counter.name: counter.step for counter in after.counters}
        assert steps["events"] == 1 and steps["pairs looked at"] > 0
        assert steps["all N(N-1)/2"] == len(system) * (len(system) - 1) // 2
    quiet = gas()
    quiet.simulate(max_events=60)
    assert quiet.hash() == system.hash() and quiet.statistics == system.statistics


def test_rounding_and_doubles_are_nothing_new():
    """The same contact held by two discs counts twice; the last bits of a time do not count."""
    a, b, c = Entry(1.0, "pair", (1, 2)), Entry(2.0, "wall", (3,), "left"), Entry(1.0, "crossing", (4,))
    assert difference((a, a, b), (a, b, a)) == (frozenset(), 0)
    assert difference((a, b), (a, a, b)) == ({1}, 0)
    assert difference((a, b, c), (b, c)) == (frozenset(), 1)
    moved = b._replace(time=2.0 * (1 + 1e-15)), b._replace(time=2.0 + 1e-9), b._replace(wall="right")
    assert [difference((b,), (other,))[0] for other in moved] == [frozenset(), {0}, {0}]
    never = Entry(math.inf, "never", (1,))
    assert difference((never,), (never,)) == (frozenset(), 0)
    assert difference((a,), (a._replace(stale=True),)) == ({0}, 1)


def test_while_it_plays_it_looks_now_and_then(monkeypatch):
    """Not at every frame, and marks nothing as new; the first look after a pause is of that very state."""
    now = [0.0]
    monkeypatch.setattr(algorithm, "perf_counter", lambda: now[0])
    playback = Playback(gas(), speed=1)
    seeing = Algorithm(playback)
    looks = []
    for _ in range(60):
        playback.tick(1 / 60)
        now[0] += 1 / 60
        looks.append(seeing.look())
        assert looks[-1].playing and not looks[-1].new and not looks[-1].last
    assert 5 <= len({id(look) for look in looks}) <= 7
    playback.pause()
    assert seeing.look().time == playback.system.time and not seeing.look().playing and not seeing.look().new
    playback.step()
    assert seeing.look().new


def test_contacts_that_come_too_soon_are_not_announced():
    """While it plays, a ring that is gone at once says nothing; paused, every next contact is announced."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .1, 1)])
    slow, fast = Playback(system.copy(), speed=1), Playback(system.copy(), speed=10)
    assert [m.discs for m in Algorithm(slow).announced()] == [(0,)]
    assert Algorithm(fast).announced() == ()
    fast.pause()
    assert [m.wall for m in Algorithm(fast).announced()] == ["right"]
    still = Playback(CollisionSystem([Particle(.5, .5, 0, 0, .1, 1)]), speed=1, paused=True)
    assert Algorithm(still).announced() == () and Algorithm(still).look().contacts == ()


def test_another_system_is_seen_afresh():
    """After a restart nothing counts as changed; a system that shows no queue is left alone."""
    playback = Playback(gas(), paused=True)
    seeing = Algorithm(playback)
    seeing.look()
    playback.step()
    playback.restart()
    seeing.forget()
    assert not seeing.look().new and all(counter.step is None for counter in seeing.look().counters)
    bare = Algorithm(Playback(mover(), paused=True))
    assert bare.look() is None and bare.announced() == ()


def test_counters_are_those_of_the_engine():
    """Each with its rate, and the pairs that a book's program, and one without a queue, would have looked at."""
    system = gas()
    system.simulate(max_events=100)
    counters = {counter.name: counter for counter in take(system).counters}
    statistics, checks = system.statistics, system.pair_checks
    for name, key in (("queue operations", "queue_operations"), ("cell crossings", "crossings"),
                      ("re-predictions", "repredictions")):
        assert counters[name].total == statistics[key] and counters[name].per_event == statistics[key] / 100
    assert [counters[name].total for name in ("pairs looked at", "by the book", "all N(N-1)/2", "checks avoided")] == [
        checks.made, checks.book, checks.all_pairs, checks.avoided]
    book = TextbookSystem(hdsim.load("billiards5"))
    for _ in range(10):
        book.next_event()
    counters = {counter.name: counter for counter in take(book).counters}
    assert counters["inserted"].total == book.statistics["inserted"]
    assert counters["ignored as stale"].total == book.statistics["stale"]
    assert "cell crossings" not in counters


def test_images_of_what_lies_on_an_edge():
    """Discs that touch on a periodic edge are drawn on both sides; in a corner, four times; inside, once."""
    frame = Frame.of(CollisionSystem.from_arrays(np.empty((0, 2)), np.empty((0, 2)), .1, box=hdsim.Box(1, 2, True)))
    radii = np.array([.1, .1])
    assert [tuple(shift) for shift in around(np.array([[.5, .5], [.7, .5]]), radii, frame)] == [(0, 0)]
    assert {tuple(shift) for shift in around(np.array([[.95, .5], [1.15, .5]]), radii, frame)} == {(0, 0), (-1, 0)}
    assert {tuple(shift) for shift in around(np.array([[.05, .05], [-.1, .05]]), radii, frame)} == {
        (0, 0), (1, 0), (0, 2), (1, 2)}


# how it is laid out, and worded

@pytest.mark.parametrize("crown", [3, 4])
@pytest.mark.parametrize("entries", [1, 2, 3, 5, 16, 31, 62, 63])
def test_a_heap_is_laid_out_as_a_tree(entries, crown):
    """Each slot has a place of its own, below that of its parent; in the crown in the middle of its children, below it in the
    column of its ancestor, with all of the first child's descendants before the second child."""
    levels, crown, rows = heap_rows(entries, crown)
    places = [heap_place(slot, crown, levels) for slot in range(entries)]
    assert len({(place.column, place.level, place.row) for place in places}) == entries
    assert rows == max(place.row for place in places) and levels == entries.bit_length()
    assert places[0].level == places[0].generation == 0
    for slot in range(1, entries):
        child, parent = places[slot], places[(slot - 1) // 2]
        if child.generation == 0:
            assert child.level == parent.level + 1 and child.row == 0
        else:
            assert child.row > parent.row and child.column == parent.column
            assert child.generation == parent.generation + 1 and child.level == crown - 1
    for slot in range((entries - 1) // 2):
        left, right = places[2 * slot + 1], places[2 * slot + 2]
        if left.generation == 0:
            assert (left.column + right.column) / 2 == places[slot].column and left.column < right.column
        else:
            below, front = [2 * slot + 1], set()
            while below:
                front |= set(below)
                below = [s for k in below for s in (2 * k + 1, 2 * k + 2) if s < entries]
            assert max(places[s].row for s in front) < right.row


@pytest.mark.parametrize("times, now", [
    ([4.3415, 4.9447, 5.38, 14.3, 2279.389], 0.0), ([.84964522, .84964891, .84965012, .84966], .8496403), ([math.inf, 1.0], 0.5),
    ([1e9 + .25, 1e9 + .5], 1e9), ([-3.25, -3.125, 2.0], -4.0), ([0.0, 0.0], 0.0), ([], 1.0), ([5e-310], 0.0)])
def test_short_times_are_distinct_and_can_be_read_back(times, now):
    """With what they all begin with put back, each is within the resolution of its digits, and those soon to come differ."""
    texts, begin = short_times(times, now, 7)
    near = sorted({time - now for time in times if now < time < math.inf})
    for text, time in zip(texts, times):
        if time == math.inf:
            assert text == "never"
            continue
        read = float(text.replace("…", begin))
        whole = text if begin == "" or not text.startswith("…") else begin + text[1:]
        digits = len(whole.partition(".")[2])
        assert abs(read - time) <= (0.51 * 10.0**-digits if "e" not in text else 0.01 * abs(time))
        assert rough_width(text) <= 9
    soon = [text for text, time in zip(texts, times) if near and time - now <= 3 * near[0] and abs(time) < 1e6]
    assert len(set(soon)) == len({time for time in times if near and time - now <= 3 * near[0] and abs(time) < 1e6})


def test_entries_in_a_few_letters():
    """The discs of an entry, and what it is."""
    assert [brief(entry) for entry in (
        Entry(1, "pair", (3, 14)), Entry(1, "wall", (3,), "left"), Entry(1, "wall", (3,), "top"), Entry(1, "crossing", (3,)),
        Entry(1, "re-prediction", (3,)), Entry(1, "timer", ()), Entry(1, "redraw", ()), Entry(math.inf, "never", (7,)),
    )] == ["3–14", "3 ←", "3 ↑", "3 cell", "3 ?", "timer", "redraw", "7"]


def test_amounts_are_short():
    """At most ten characters, whole numbers whole."""
    assert [amount(value) for value in (0, 12, 1234567, 0.1234, 12.345, 1234.5, 2.5e9, 1.24e15)] == [
        "0", "12", "1,234,567", "0.123", "12.3", "1,234", "2.50e9", "1.24e15"]


# in a window of the virtual screen

def colored(image, color, near=12):
    """How many pixels have about this colour."""
    return int((np.abs(image.astype(int) - color).max(axis=2) <= near).sum())


def see_the_algorithm(window):
    """Q shows and hides the panel, which marks what is new, what is selected, and the next contact in the picture."""
    playback, panel = window.playback, window.parts.queue
    window.set_size(800, 500)
    yield 3
    plain = screenshot(window)
    press(window, "Q")
    assert panel.shown and panel.title == "Queue: heap"
    with_panel = screenshot(window)
    contact = window.stage.theme.palette[1]
    assert colored(plain, contact) == 0 and colored(with_panel, contact) > 100       # rings and path in the picture
    press(window, "RIGHT")
    yield 2
    look = panel.algorithm.look()
    assert look.new and [m.discs for m in look.last] == [(14, 15)]
    assert colored(screenshot(window), window.stage.theme.warning, 40) > colored(with_panel, window.stage.theme.warning, 40) + 20
    chosen = screenshot(window)
    window.stage.selected = look.queue.entries[0].particles[0]
    window.stage.refresh()
    yield 2
    assert colored(screenshot(window), window.stage.theme.accent) > colored(chosen, window.stage.theme.accent) + 100
    press(window, "Q")
    window.stage.selected = None
    assert colored(screenshot(window), contact) == 0
    # the grid: nine cells, or fewer at a wall, and the discs in them
    press(window, "W")
    assert window.parts.grid.disc() == playback.system.schedule(1)[0].particles[0]
    window.stage.selected = 15
    grid = screenshot(window)
    assert colored(grid, window.stage.theme.accent) > 500
    window.stage.selected = 99
    assert window.parts.grid.disc() != 99
    # every theme, small windows, and a run
    press(window, "Q")
    for width, height in ((800, 600), (330, 250), (640, 480)):
        window.set_size(width, height)
        press(window, "T")
        press(window, "RIGHT")
        yield 3
        assert screenshot(window)[:, width // 2:].std() > 5
    press(window, "SPACE")
    yield 8
    assert not playback.paused and panel.algorithm.look().playing
    press(window, "HOME")
    yield 3
    press(window, "RIGHT")      # from full speed: what this event changes is known all the same
    yield 2
    assert playback.paused and panel.algorithm.look().new


def a_break():
    watch(hdsim.load("billiards5"), see_the_algorithm, paused=True, look=Look(colors="file"))


def test_a_window_shows_the_algorithm(screen):
    child(a_break, DISPLAY=screen)


def panels_of_all_kinds():
    """Calendar, many entries of one day, periodic boxes, points, no discs, a lazy heap, and a system without a queue."""
    lattice = [((x + .5) / 12, (y + .5) / 12) for x in range(12) for y in range(12)]
    rows = [(1, 0) if y % 2 else (-1, 0) for _, y in itertools.product(range(12), range(12))]
    systems = {
        "calendar": hdsim.random(300, radius=.01, seed=1), "heap": hdsim.random(300, radius=.01, seed=1),
        "one day": CollisionSystem.from_arrays(lattice, rows, .02), "periodic": gas(periodic=(True, True)),
        "mixture": hdsim.load("brownian"), "points": CollisionSystem.from_arrays(lattice, rows, 0.0),
        "rest": CollisionSystem.from_arrays(lattice, np.zeros((144, 2)), .02), "none": CollisionSystem(),
        "book": TextbookSystem(hdsim.load("billiards5")), "gas": mover()}
    systems["heap"] = CollisionSystem.from_configuration(systems["heap"].configuration(), queue="heap")
    def look(window):
        window.set_size(700, 420)
        press(window, "Q")
        press(window, "W")
        for name, system in systems.items():
            window.playback._begin(system)
            for _ in range(3):
                press(window, "RIGHT")
                yield 1
            assert screenshot(window)[:, 400:].std() > (1 if name in ("none", "gas") else 5)
            if name in ("calendar", "heap"):
                assert window.parts.queue.title == f"Queue: {name}"
            if name == "one day":
                assert window.parts.queue.algorithm.look().queue.days[0].as_heap
            if name == "book":
                assert window.parts.queue.title == "Queue: lazy heap" and window.parts.queue.algorithm.look().queue.stale > 0
    watch(systems["calendar"], look, paused=True, speed=1)


@pytest.mark.more
def test_panels_of_all_kinds(screen):
    child(panels_of_all_kinds, DISPLAY=screen)


def panel_texts(window):
    """The texts of the panel, of which none lies upon another one."""
    window.on_draw()
    pen, boxes = window._pen, []
    for (text, x, y, _, size), how in window.parts.queue._sketch[1]._text:
        wide = pen.text_width(text, size, bold=how.get("bold", False))
        x -= wide if how.get("anchor") == "right" else 0
        boxes.append((x, x + wide, y, y + 0.7 * size * pen.unit, text))
    for one, two in itertools.combinations(boxes, 2):
        assert one[1] <= two[0] or two[1] <= one[0] or one[3] <= two[2] or two[3] <= one[2], (window.get_size(), one, two)
    return [box[-1] for box in boxes]


def texts_of_low_panels():
    """Tables, then the legend, give way to the queue; and contacts to counters, where large numbers meet large letters."""
    def look(window):
        press(window, "Q")
        for both in (False, True):
            if both:
                press(window, "P")
            for width, height in ((1300, 1000), (1300, 420), (1300, 330), (1300, 276)):
                window.set_size(width, height)
                window.parts.dock.show(window.parts.queue)      # if there is room for one panel only
                yield 3
                tables = "next contacts" in panel_texts(window)
                assert tables if height == 1000 else not tables if height == 276 else True, height
        press(window, "P")
        many = hdsim.random(3000, radius=.005, seed=1)
        many.simulate(max_events=3000)
        window.playback._begin(many)
        while window.stage.theme.name != "projector":
            press(window, "T")
        press(window, "RIGHT")
        window.set_size(1200, 1000)
        yield 3
        texts = panel_texts(window)
        assert "counters" in texts and "next contacts" not in texts
    watch(hdsim.load("billiards5"), look, paused=True)


@pytest.mark.more
def test_texts_of_low_panels(screen):
    child(texts_of_low_panels, DISPLAY=screen)


def watch_or_not():
    seen, alone = gas(), gas()

    def look(window):
        press(window, "Q")
        press(window, "W")
        yield 20
    watch(seen, look, speed=.2)
    alone.simulate(until=seen.time)
    assert seen.hash() == alone.hash()
    assert all(seen.statistics[key] == alone.statistics[key] for key in ("events", "predictions", "crossings", "repredictions"))


@pytest.mark.more
def test_seeing_the_algorithm_does_not_move_it(screen):
    """With panel and grid open, a run is bit for bit the one without a window, and so are the counts."""
    child(watch_or_not, DISPLAY=screen)
