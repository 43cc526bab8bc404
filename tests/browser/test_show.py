"""What pages are shown of a system, and what their commands do: without a page, a clock or a thread."""
import json
import math
import struct
from contextlib import suppress

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, WALLS, gas, mixture, trajectory

import hdsim
from hdsim import quantities
from hdsim.browser import CommandError, Show
from hdsim.browser.messages import Have, Message, finite
from hdsim.browser.page import HERE, text
from hdsim.browser.show import COMMANDS
from hdsim.model.obstacles import pieces_of
from hdsim.model.roles import on_paper
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem
from hdsim.starts import sources
from hdsim.viewer import Look, Shots
from hdsim.viewer.draw.theme import LIGHT
from hdsim.viewer.playback.pace import SPEEDS

TICK = 1 / 60


def arrays(message):
    """The arrays of a message, by name."""
    types = {"f4": "<f4", "u2": "<u2", "u1": "u1"}
    return {name: np.frombuffer(data, types[kind]) for (name, kind, _), data in zip(message.header["blocks"], message.buffers)}


def shown(show, **have):
    message = show.snapshot().message(Have(**have))
    return message.header, arrays(message)


def texts(show):
    """What is written in the picture besides numbers of axes."""
    return [text[0] for _, data in show.snapshot().pieces for text in json.loads(data).get("t", ())]


def said(show):
    return "\n".join(texts(show))


def keys(show, pressed):
    for key in pressed.split():
        show.do({"do": "key", "key": key})


def gas_of(system):
    of = quantities
    return [len(system), of.radius(system), of.temperature(system), of.mass_ratio(system), of.width(system),
            of.restitution(system)]


def played(show, seconds):
    show.do({"do": "play"})
    for _ in range(round(seconds * 60)):
        show.tick(TICK)
    show.do({"do": "pause"})


@pytest.mark.parametrize("system", [gas(), gas(box=CHANNEL), mixture(), TextbookSystem(gas(10)), hdsim.CollisionSystem()],
                         ids=["walls", "channel", "mixture", "textbook", "empty"])
def test_a_picture_has_the_state_of_the_system(system):
    """Positions and radii to float32, colours as they are, all x before all y; what a page has is not sent again."""
    show = Show(system, speed=.5, look=Look(colors="file"))
    played(show, .3)
    show.snapshot()     # a panel may then want another size
    header, parts = shown(show)
    assert header["time"] == system.time and header["n"] == len(system) and header["paused"]
    assert np.array_equal(parts["positions"].reshape(2, -1).T, np.asarray(system.positions, np.float32).reshape(-1, 2))
    assert np.array_equal(parts["radii"], np.asarray(system.radii, np.float32))
    assert np.array_equal(parts["colors"].reshape(-1, 3), np.asarray(system.colors, np.uint8).reshape(-1, 3))
    assert header["scene"]["box"] == [system.box.width, system.box.height]
    again, nothing = shown(show, serial=header["serial"], **header["versions"])
    assert nothing == {} and "scene" not in again and again["serial"] == header["serial"]


def test_looking_does_not_move():
    """A run with pictures, plots, queue and trails has the contacts of one without, bit for bit."""
    watched, alone = gas(200, radius=.01), gas(200, radius=.01)
    show = Show(watched, speed=1.)
    show.do({"do": "trail", "disc": 3})
    show.do({"do": "play"})
    keys(show, "p q g w o v e")
    for _ in range(30):
        show.tick(TICK)
        show.snapshot()
    show.close()
    alone.simulate(until=watched.time)
    assert watched.observers == () and trajectory(watched) == trajectory(alone)


def test_a_thin_line_gets_half_the_bytes():
    """Positions to the next of 65536 places along each axis."""
    system = mixture()
    _, parts = shown(Show(system), thin=True)
    places = parts["places"].reshape(2, -1).T / 65536 * (system.box.width, system.box.height)
    assert "positions" not in parts and parts["places"].dtype == np.uint16
    assert np.abs(places - system.positions).max() <= 1.01 * max(system.box.width, system.box.height) / 65536


def test_a_packed_message_is_found_where_it_says():
    """Each array begins at a multiple of eight bytes behind the header."""
    header, parts = {"blocks": [["a", "u1", 3], ["b", "f4", 2]], "text": "Bogen ψ"}, [b"abc", struct.pack("<2f", 1.5, -2)]
    packed = b"".join(Message(header, parts).packed())
    size = struct.unpack_from("<I", packed)[0]
    assert json.loads(packed[4:4 + size]) == header
    first = 4 + size + -(4 + size) % 8
    assert packed[first:first + 3] == b"abc" and struct.unpack_from("<2f", packed, first + 8) == (1.5, -2)


def test_numbers_that_json_lacks_become_null():
    found = finite({"a": (math.nan, np.float64(2), [np.array([1., math.inf])]), "b": True, "c": np.int64(3)})
    assert found == {"a": [None, 2.0, [[1.0, None]]], "b": True, "c": 3}


def test_a_step_is_one_event_and_the_way_back_is_exact():
    system, alone = gas(), gas()
    show = Show(system)
    for _ in range(3):
        show.do({"do": "step"})
    events = [alone.next_event() for _ in range(3)]
    assert system.statistics["events"] == 3 and system.time == events[-1].time
    show.do({"do": "step_back"})
    assert show.playback.system.time == events[1].time and show.playback.system.statistics["events"] == 2
    show.do({"do": "to_end"})
    while show.playback.seeking:
        show.tick(TICK)
    assert trajectory(show.playback.system) == trajectory(alone)


def test_the_speed_is_the_one_asked_for():
    show = Show(gas(), speed=.5)
    played(show, 1)
    half = show.playback.system.time
    show.do({"do": "speed", "value": 1.5})
    played(show, 1)
    assert half == pytest.approx(.5, rel=.05) and show.playback.system.time - half == pytest.approx(1.5, rel=.05)


@pytest.mark.parametrize("colors", ["speed", "collisions", "energy", "order"])
def test_colours_have_a_legend(colors):
    """They are those of pictures, and change with the state."""
    from hdsim.viewer.draw.coloring import Coloring

    system = gas()
    show = Show(system)
    show.do({"do": "colors", "value": colors})
    show.snapshot()
    if colors == "order":       # computed in another thread
        show.parts.looks._styling._order._pending.result()
    header, parts = shown(show)
    assert np.array_equal(parts["colors"].reshape(-1, 3), Coloring(system, colors).of(system)) and show.parts.legend.shown
    show.do({"do": "colors", "value": "file"})
    header, parts = shown(show)
    assert not show.parts.legend.shown and np.array_equal(parts["colors"].reshape(-1, 3), system.colors)
    show.close()


def test_a_trail_is_the_path_of_its_disc():
    """From where it was to where it is, through its contacts; a second click ends it."""
    system = gas(60)
    show = Show(system, speed=.5)
    show.do({"do": "trail", "disc": 7})
    begin = system.positions[7]
    show.snapshot()
    played(show, .5)
    header, parts = shown(show)
    ((kind, _, _, _, alphas, places),) = json.loads(show.snapshot().pieces[0][1])["s"]
    x, y, scale, *_ = header["view"]
    pieces = (np.array(places).reshape(-1, 4) / 8 - (x, y, x, y)) / scale
    assert header["trails"] == [7] and kind == 0 and len(pieces) == len(alphas) > 3
    assert pieces[0, :2] == pytest.approx(begin, abs=1e-3) and pieces[-1, 2:] == pytest.approx(system.positions[7], abs=1e-3)
    assert np.abs(pieces[1:, :2] - pieces[:-1, 2:]).max() < 1e-3
    show.do({"do": "trail", "disc": 7})
    show.snapshot()
    assert shown(show)[0]["trails"] == [] and show.playback.system.observers == ()


@pytest.mark.parametrize("box", [None, hdsim.Box(1, 1, depth=1)], ids=["discs", "spheres"])
def test_a_trail_does_not_lag_behind_its_disc(box):
    """Also in pictures for which there was no time to draw the panels again: these are not sent again."""
    show = Show(hdsim.random(30, radius=.03, temperature=1., seed=3, box=box), speed=.2)
    show.do({"do": "trail", "disc": 7})
    show.snapshot()
    played(show, 1)
    show.do({"do": "play"})
    show.tick(TICK)
    show.snapshot()
    ink = LIGHT.palette[0][0] << 16 | LIGHT.palette[0][1] << 8 | LIGHT.palette[0][2]
    for _ in range(5):
        before = show.snapshot()
        show.tick(TICK)
        show.stage.stale, show._paint_due = False, math.inf
        later = show.snapshot()
        scene, panels = later.pieces[:1], later.pieces[1:]
        assert later.shown["time"] > before.shown["time"] and panels == before.pieces[1:] and scene != before.pieces[:1]
        [places] = [run[5] for run in json.loads(scene[0][1])["s"] if run[0] == 0 and run[3] == ink]
        frame, view = show.playback.frame, show.stage.box_view
        away = np.hypot(*(np.reshape(places, (-1, 4))[:, 2:] / 8 - view.pixels(frame.positions[[7]])[0]).T).min()
        assert away < (1.2 * frame.radii[7] * view.scale if box else .3)        # a sphere hides what is in it
        assert later.record == scene[0][0]
    show.close()


def test_large_letters_cut_neither_values_nor_the_partition():
    """On a projector, in a small picture: a value without room beside its title stands below it; rows of sliders are lower."""
    show = Show(hdsim.random(60, radius=.02, seed=1), speed=20_000., look=Look(theme="projector"))
    show.do({"do": "size", "width": 600, "height": 480, "page": "a"})
    keys(show, "p g p p")
    show.do({"do": "play"})
    for _ in range(150):
        show.snapshot()
        show.parts.plots.measured.due = 0.0
        show.tick(TICK)
    [value] = [text for text in texts(show) if text.startswith("mean")]
    assert "(" in value and "…" not in value         # the error in brackets
    keys(show, "g g")
    show.pause()
    pieces = [json.loads(data) for _, data in show.snapshot().pieces]
    [(y, bottom)] = [(text[2], piece["c"][1] / 8) for piece in pieces for text in piece.get("t", ()) if "partition" in text[0]]
    assert y > bottom + 4
    show.close()


@pytest.mark.parametrize("theme, size, visible", [("projector", (640, 360), False), ("light", (640, 360), True),
                                                  ("projector", (360, 640), True), ("projector", (1024, 768), True)])
def test_a_ledger_that_opens_by_itself_leaves_the_picture_and_has_whole_lines(theme, size, visible):
    """In a small picture it waits until it is asked for; a sentence without room for all its lines is left out."""
    show = Show(hdsim.load("demon"), "demon", look=Look(theme=theme))
    show.do({"do": "size", "width": size[0], "height": size[1], "page": "a"})
    played(show, .2)
    ledger = show.parts.ledger
    assert show.parts.dock.layout().picture.width > 100
    assert any("bits spent" in text for text in texts(show)) == visible == (ledger.area.height > 0)
    if not visible:
        keys(show, "U")
        assert "bits spent" in said(show) and ledger.shown and show.parts.dock.layout().picture.width == 0
    else:
        bases = [text[2] for _, data in show.snapshot().pieces for text in json.loads(data).get("t", ())
                 if ledger.area.left <= text[1] < ledger.area.right and text[2] < ledger.area.top]
        assert bases and not [base for base in bases if ledger.area.bottom - 12 < base < ledger.area.bottom]
    keys(show, "U")
    assert not ledger.shown and "bits spent" not in said(show)
    keys(show, "U")
    assert ledger.shown and "bits spent" in said(show)
    show.close()


def test_panels_show_what_the_window_shows():
    """Plots with errors and theory, the queue with its first entry, the gas; and nothing is observed when they are closed."""
    system = gas(100, radius=.01)
    show = Show(system, speed=2.)
    show.do({"do": "size", "width": 1600, "height": 1000, "page": "a"})
    keys(show, "p")
    show.do({"do": "play"})
    for _ in range(40):
        show.snapshot()
        show.parts.plots.measured.due = 0.0
        show.tick(TICK)
    found = texts(show)
    for word in ("speed", "temperature", "pressure", "mean free path", "collision rate"):
        assert word in found, word
    assert any(word.startswith("theory ") for word in found)
    keys(show, "p q g")
    assert {"The gas", "radius", "0.01", "Queue: calendar"} <= set(texts(show))
    show.tick(TICK)
    show.snapshot()
    assert system.observers == ()


def test_a_piece_that_has_not_changed_is_not_sent_again():
    """And what a page has of a picture is enough for the next one."""
    show = Show(gas())
    header, parts = shown(show)
    known = set(map(int, json.loads(bytes(parts["record"]))))
    assert known == set(header["pieces"])
    have = {"serial": header["serial"], **header["versions"]}
    keys(show, "g")
    header, parts = shown(show, **have)
    new = set(map(int, json.loads(bytes(parts["record"]))))
    assert new and not new & known and set(header["pieces"]) <= new | known and set(header["pieces"]) & known


def test_the_queue_marks_what_a_step_has_changed():
    show = Show(gas(6))
    keys(show, "q")
    show.snapshot()
    keys(show, "Right")
    look = show.parts.queue.algorithm.look()
    assert look.new and len(look.last) == 1 and look.placed


@pytest.mark.parametrize("values", [{"temperature": 3.}, {"radius": .02}, {"mass_ratio": 7.}, {"discs": 30}, {"width": 2.5},
                                    {"restitution": .5}, {"discs": 20, "temperature": .25, "mass_ratio": 2.}])
@pytest.mark.parametrize("box", [hdsim.Box(), CHANNEL], ids=["walls", "channel"])
def test_the_sliders_change_the_gas(values, box):
    """To what is asked; what is not asked stays, and one undo takes it all back."""
    system = gas(40, box=box)
    show = Show(system)
    before, state = gas_of(system), trajectory(system)
    show.do({"do": "gas", **values})
    assert shown(show)[0]["note"] == ""
    after = gas_of(show.playback.system)
    for k, name in enumerate(("discs", "radius", "temperature", "mass_ratio", "width", "restitution")):
        if name != "temperature" or name in values or not values.keys() & {"discs", "mass_ratio"}:      # which carry energy
            assert after[k] == pytest.approx(values.get(name, before[k]), rel=1e-9), name
    show.playback.system.check()
    keys(show, "Ctrl+Z")
    while show.playback.seeking:
        show.tick(TICK)
    assert trajectory(show.playback.system) == state


@pytest.mark.parametrize("name", ["vessels", "rink"])
def test_obstacles_are_drawn_and_stay(name):
    """As lines and arcs in the units of the box; a contact with one is named in the queue; a new gas lies among them."""
    system = hdsim.load(name)
    show = Show(system)
    header, _ = shown(show)
    pieces = [piece for shape in header["scene"]["shapes"] if "out" not in shape for path in shape["paths"] for piece in path]
    points = {tuple(piece) for piece in pieces if len(piece) == 2}
    own = [piece for obstacle in system.obstacles for piece in pieces_of(obstacle).chain]
    assert points and points <= {end for piece in own for end in piece[:2]}
    assert len(pieces) - sum(len(piece) == 2 for piece in pieces) == sum(piece.radius > 0 for piece in own)
    show.do({"do": "size", "width": 1600, "height": 1000, "page": "a"})
    keys(show, "q")
    for _ in range(30):
        show.do({"do": "step"})
        if any(contact.obstacle is not None for contact in show.playback.system.schedule(10)):
            break
    assert any(obstacle.name in text for text in texts(show) for obstacle in system.obstacles)
    show.do({"do": "gas", "discs": 20})
    assert len(show.playback.system) == 20 and show.playback.system.obstacles == system.obstacles


def test_obstacles_come_and_go_in_a_new_scene():
    """Dashed where they are not there."""
    wall = hdsim.Segment((.5, .2), (.5, .8), until=.25)
    system = hdsim.CollisionSystem.from_arrays([(.2, .5)], [(.1, .2)], .05, obstacles=[wall])
    show = Show(system, speed=1.)
    first, _ = shown(show)
    played(show, .5)
    then, _ = shown(show, **{**first["versions"], "serial": first["serial"]})
    assert [scene["scene"]["shapes"][-1]["dashed"] for scene in (first, then)] == [False, True]


def test_discs_at_rest_can_be_heated():
    system = hdsim.CollisionSystem.from_arrays([(.3, .5), (.7, .5)], np.zeros((2, 2)), .1)
    show = Show(system)
    show.do({"do": "gas", "temperature": 2.})
    assert show.playback.system.temperature == pytest.approx(2)


@pytest.mark.parametrize("box, values, reason", [
    (TORUS, {"radius": .045}, "would overlap"), (WALLS, {"radius": .6}, "wall"), (WALLS, {"width": .01}, ""),
    (WALLS, {"discs": 90_000}, "no room"), (WALLS, {"radius": .6, "temperature": 2.}, "wall")])
def test_an_illegal_gas_changes_nothing(box, values, reason):
    """It is refused as a whole, with the reason of the public interface."""
    system = gas(box=box)
    show = Show(system)
    before = trajectory(system)
    show.do({"do": "gas", **values})
    assert show.playback.system is system and trajectory(system) == before
    note = shown(show)[0]["note"]
    assert note and "\n" not in note and reason in note


@pytest.mark.parametrize("name", ["p100-2K", "vessels"])
def test_a_refused_change_leaves_the_panels_as_they_are(name):
    """While the run is paused: only the status line has something new to say."""
    show = Show(hdsim.load(name), name)
    show.do({"do": "size", "width": 1900, "height": 1000, "page": "a"})
    keys(show, "q g")
    played(show, .3)
    while show.changed:         # panels find their sizes
        show.snapshot()
    before = show.snapshot().pieces
    show.do({"do": "gas", "radius": .5})
    header = shown(show)[0]
    changed = set(show.snapshot().pieces) - set(before)
    assert header["note"] and len(changed) == 1 and header["note"][:20] in changed.pop()[1].decode()
    show.do({"do": "gas", "temperature": 3})
    assert len(set(show.snapshot().pieces) - set(before)) > 1


@pytest.mark.parametrize("name", ["vessels", "demon"])
def test_plots_can_be_opened_before_time_passes(name):
    """Of two kinds of discs and of one, paused in the middle of flights: there is no mean yet, and a law of the whole gas."""
    for seconds in (.1, .2, .3, .4, .5):
        show = Show(hdsim.load(name), name)
        played(show, seconds)
        keys(show, "p")
        assert "Rayleigh" in said(show)
        speeds = show.parts.plots.measured.speeds
        assert not speeds.density.any() and speeds.others == []
        show.close()


@pytest.mark.parametrize("system", [TextbookSystem(gas(12)), TimeDrivenSystem(gas(12), 1e-3)], ids=["textbook", "time steps"])
def test_other_engines_have_the_panels_that_they_can(system):
    """Both say what they lack: observers, a queue."""
    show = Show(system, speed=.2)
    show.do({"do": "size", "width": 1900, "height": 1000, "page": "a"})
    show.do({"do": "trail", "disc": 0})
    keys(show, "p q g")
    show.do({"do": "play"})
    for _ in range(12):
        show.snapshot()
        show.tick(TICK)
    assert "no observers" in said(show) and "12" in texts(show) and show.parts.trails._tracker.paths


def test_what_is_no_system_is_refused():
    with pytest.raises(TypeError, match="expected a system with all members of hdsim.model.roles.Playable"):
        Show(3)


def test_a_system_that_cannot_be_edited_says_so():
    system = TextbookSystem(gas(5))
    show = Show(system)
    show.do({"do": "gas", "temperature": 2.})
    assert "edit" in shown(show)[0]["note"] or "change" in shown(show)[0]["note"]


def test_data_sets_open_from_their_start():
    """At their own speed, with trails and panels of the new discs."""
    show = Show(gas())
    show.do({"do": "trail", "disc": 30})
    keys(show, "p")
    show.snapshot()
    show.do({"do": "open", "source": "billiards5"})
    header, parts = shown(show)
    assert (header["name"], header["n"], header["time"]) == ("billiards5", 16, 0) and 30 not in header["trails"]
    assert len(parts["radii"]) == 16
    assert hdsim.datasets.describe("billiards5") in header["note"]
    for source, n in ((12, 12), ("stadium", 12), ("sphere", 100), ("lab maxwell", 200), ("billiards", 16)):
        show.do({"do": "open", "source": source})
        assert shown(show)[0]["n"] == n


@pytest.mark.parametrize("command, error", [
    ({}, "no command None"), ({"do": "fly"}, "no command 'fly'; there are play, pause"), ({"do": ["play"]}, "no command"),
    ({"do": "play", "value": 1}, "play: expected no values, found value"), ({"do": "speed"}, "speed: expected value, found none"),
    ({"do": "speed", "value": "1"}, "speed: expected a finite number, found '1'"),
    ({"do": "seek", "time": math.nan}, "time: expected a finite number"), ({"do": "seek", "time": True}, "found True"),
    ({"do": "colors", "value": "red"}, "colors: expected auto, file, speed"),
    ({"do": "theme", "value": ["light"]}, "theme: expected light, dark"),
    ({"do": "trail", "disc": 40}, "disc: expected a number from 0 to 39, found 40"), ({"do": "trail", "disc": -1}, "found -1"),
    ({"do": "open", "source": "/etc/passwd"}, "source: expected a name of the gallery"),
    ({"do": "open", "source": 10**9}, "a number of discs up to"),
    ({"do": "gas"}, "gas: expected discs, radius"), ({"do": "gas", "energy": 1}, "a gas has discs, radius"),
    ({"do": "gas", "width": "2"}, "gas: width is '2'; it must be a finite number"),
    ({"do": "gas", "discs": 2.5}, "gas: discs is 2.5; it must be a whole number from 1"),
    ({"do": "gas", "radius": 0}, "gas: radius is 0; it must be above 0"),
    ({"do": "gas", "temperature": -1}, "gas: temperature is -1; it must be at least 0"),
    ({"do": "press", "x": 1, "y": 2, "button": 3, "held": 0}, "button: expected 1, 2 or 4, found 3"),
    ({"do": "scroll", "x": 1, "y": None, "clicks": 1}, "y: expected a finite number, found None"),
    ({"do": "key", "key": "Shift+Fly"}, "key: expected one such as Shift+R, found 'Shift+Fly'"),
    ({"do": "key", "key": ""}, "key: expected one"),
    ({"do": "file", "name": "a.txt", "data": "?"}, "data: expected the bytes of a file in base64"),
    ({"do": "events", "events": 3}, "events: expected a list of commands, found 3"),
    ({"do": "events", "events": [{"do": "events", "events": []}]}, "events: one of them is events again")])
def test_wrong_commands_are_refused_in_one_line(command, error):
    system = gas()
    show = Show(system)
    before = trajectory(system)
    with pytest.raises(CommandError) as refused:
        show.do(command)
    assert error in str(refused.value) and "\n" not in str(refused.value)
    assert show.playback.system is system and trajectory(system) == before


def test_a_speed_that_is_not_positive_is_noted():
    show = Show(gas(), speed=2.)
    show.do({"do": "speed", "value": 0})
    assert show.playback.speed == 2 and "speed must be positive" in shown(show)[0]["note"]


def test_the_scripts_say_what_the_page_has():
    """Every text and every command of the scripts is known; the page fetches nothing from elsewhere."""
    import re

    whole = text("a <b> name")
    scripts = "".join((HERE / name).read_text() for name in ("screen.js", "served.js"))
    choices = json.loads(whole.split("const choices = ", 1)[1].split(";\n", 1)[0])
    said = set(re.findall(r'say\("(.*?)"\)', scripts))
    assert said == choices["texts"].keys()
    done = set(re.findall(r'do: "(\w+)"', scripts))
    assert len(done) > 7 and done <= COMMANDS.keys()
    assert "<title>hdsim: a &lt;b&gt; name" in whole and "http" not in whole and "src=" not in whole and "import " not in whole


@pytest.mark.parametrize("speed", [5e-324, 1e-308, 1e-31, 1e31, 1.7e308, 10**400])
def test_speeds_beyond_the_bounds_are_refused(speed):
    """By pages, programs and films alike, with the bounds; what was set before stays."""
    show = Show(gas(), speed=2.)
    with suppress(CommandError):
        show.do({"do": "speed", "value": speed})
    assert show.playback.speed == 2
    for door in (lambda: show.playback.set_speed(speed), lambda: Show(gas(), speed=speed),
                 lambda: Shots.of(gas(), speed=speed)):
        with pytest.raises(ValueError, match="speed is .*; it must be (from 1e-30 to 1e.30 time units|at most)"):
            door()


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("time", [0., 1., 1e6, 1e12])
def test_the_slowest_and_the_fastest_speed_end_nothing(speed, time):
    """A run goes on, stands still, or pauses with a reason, where its frames cannot be counted, and all commands work."""
    system = hdsim.CollisionSystem(list(gas()), time=time)
    show = Show(system)
    for name in ("play", "faster", "slower", "step", "step_back", "pause", "play", "restart"):
        show.do({"do": "speed", "value": speed})
        show.do({"do": name})
        for _ in range(3):
            show.tick(TICK)
            assert show.snapshot().shown["time"] >= time
    show.do({"do": "pause"})
    show.do({"do": "speed", "value": speed})
    show.do({"do": "play"})
    show.tick(TICK)
    assert not show.playback.paused or "too short to be counted" in show.playback.message
    show.do({"do": "pause"})
    show.do({"do": "speed", "value": 1.})
    played(show, .3)
    assert show.playback.system.time > time


def test_a_frame_that_fails_becomes_a_note_and_a_pause():
    show = Show(gas(), speed=1.)
    show.do({"do": "play"})
    show.playback.system.on_timer(lambda event: 1 / 0, every=.1)
    for _ in range(20):
        show.tick(TICK)
    assert show.playback.paused and "division by zero" in show.snapshot().shown["status"]


def test_bodies_of_other_spaces_come_as_polygons():
    """Squares with corners, discs on a globe as ellipses that are narrow at its edge; discs of the plane as circles, without."""
    found = {}
    for name in ("linf", "sphere", "p10"):
        show = Show(on_paper(sources.load(name)))
        header, found[name] = shown(show)
        if name == "p10":
            assert "bodies" not in found[name] and found[name]["radii"].min() > 0
            continue
        frame = show.playback.frame
        order = np.arange(len(frame)) if frame.drawing.order is None else frame.drawing.order
        corners = found[name]["bodies"].reshape(len(frame), -1, 2) - frame.positions[order][:, None]
        assert (found[name]["radii"] == 0).all()
        reach = np.hypot(*np.moveaxis(corners, 2, 0)) / frame.radii[order][:, None]
        if name == "linf":
            assert reach.max(axis=1) == pytest.approx(np.full(len(frame), 2**.5), rel=1e-3)
            assert np.abs(corners).max(axis=(1, 2)) == pytest.approx(frame.radii, rel=1e-3)
            assert corners.shape[1] == 4
        else:
            lean = np.hypot(*frame.drawing.lean[order].T)
            assert reach.max(axis=1) == pytest.approx(np.ones(len(frame)), rel=1e-2)
            assert reach.min(axis=1) == pytest.approx(1 - lean, abs=0.1) and (1 - lean).min() < 0.1
        show.close()
