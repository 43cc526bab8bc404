"""What pages are shown of a system, and what their commands do: without a page, a clock or a thread."""
import json
import math
import struct
from contextlib import suppress

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, WALLS, gas, mixture, trajectory

import hdsim
from hdsim.browser import CommandError, Show
from hdsim.browser.gas import Gas, gas_of
from hdsim.browser.messages import Have, Message, finite
from hdsim.browser.page import HERE, text
from hdsim.browser import wording
from hdsim.browser.show import COMMANDS
from hdsim.lab.showcase import GROUPS, exhibits
from hdsim.model.obstacles import arcs_of, segments_of
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem
from hdsim.viewer import Shots
from hdsim.viewer.playback.pace import SPEEDS

TICK = 1 / 60


def arrays(message):
    """The arrays of a message, by name."""
    types = {"f4": "<f4", "u2": "<u2", "u1": "u1"}
    return {name: np.frombuffer(data, types[kind]) for (name, kind, _), data in zip(message.header["blocks"], message.buffers)}


def shown(show, **have):
    message = show.snapshot().message(Have(**have))
    return message.header, arrays(message)


def played(show, seconds):
    show.do({"do": "play"})
    for _ in range(round(seconds * 60)):
        show.tick(TICK)
    show.do({"do": "pause"})


@pytest.mark.parametrize("system", [gas(), gas(box=CHANNEL), mixture(), TextbookSystem(gas(10)), hdsim.CollisionSystem()],
                         ids=["walls", "channel", "mixture", "textbook", "empty"])
def test_a_picture_has_the_state_of_the_system(system):
    """Positions and radii to float32, colours as they are, all x before all y; what a page has is not sent again."""
    show = Show(system, speed=.5)
    played(show, .3)
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
    for _ in range(30):
        show.ask(("plots", "queue", "gas"))
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
        show._styling._order._pending.result()
    header, parts = shown(show)
    assert np.array_equal(parts["colors"].reshape(-1, 3), Coloring(system, colors).of(system)) and header["legend"]["title"]
    show.do({"do": "colors", "value": "file"})
    header, parts = shown(show)
    assert header["legend"] is None and np.array_equal(parts["colors"].reshape(-1, 3), system.colors)
    show.close()


def test_a_trail_is_the_path_of_its_disc():
    """From where it was to where it is, through its contacts; a second click ends it."""
    system = gas(60)
    show = Show(system, speed=.5)
    show.do({"do": "trail", "disc": 7})
    begin = system.positions[7]
    played(show, .5)
    header, parts = shown(show)
    pieces = parts["trail 7"].reshape(-1, 5)
    assert header["trails"] == [7] and len(pieces) > 3
    assert pieces[0, :2] == pytest.approx(begin, abs=1e-6) and pieces[-1, 2:4] == pytest.approx(system.positions[7], abs=1e-6)
    assert np.abs(pieces[1:, :2] - pieces[:-1, 2:4]).max() < 1e-6
    show.do({"do": "trail", "disc": 7})
    assert "trail 7" not in shown(show)[1] and show.playback.system.observers == ()


def test_panels_show_what_the_window_shows():
    """Plots with errors and theory, the queue with its first entry, the gas; and nothing is observed when no page asks."""
    system = gas(100, radius=.01)
    show = Show(system, speed=2.)
    show.do({"do": "play"})
    panels = (("plots", -1), ("queue", -1), ("gas", -1))
    for _ in range(40):
        show.ask(("plots", "queue", "gas"))
        show.snapshot()
        show._measured.due = 0.0
        show.tick(TICK)
    header, _ = shown(show, panels=panels)
    plots, queue, sliders = (header["panels"][name] for name, _ in panels)
    assert [head[0] for head in plots["heads"]] == ["speed", "temperature", "pressure", "mean free path", "collision rate"]
    widths = plots["speeds"]["top"] / len(plots["speeds"]["density"])
    assert sum(plots["speeds"]["density"]) * widths == pytest.approx(1, rel=.01)
    assert plots["courses"][0]["values"][-1] == pytest.approx(system.temperature, rel=1e-7)
    assert len(queue["entries"]) == 63 and queue["about"].startswith("101 items")      # with the timer of redraws
    assert sliders["values"]["discs"] == 100 and sliders["values"]["radius"] == .01
    json.dumps(finite(header), allow_nan=False)
    known = tuple((name, header["panels"][name]["version"]) for name, _ in panels)
    assert shown(show, panels=known)[0]["panels"] == {}
    show._asked = dict.fromkeys(show._asked, -math.inf)
    show.tick(TICK)
    show.snapshot()
    assert system.observers == ()


def test_the_queue_marks_what_a_step_has_changed():
    show = Show(gas(6))
    show.ask(("queue",))
    show.snapshot()
    show.do({"do": "step"})
    queue = shown(show, panels=(("queue", -1),))[0]["panels"]["queue"]
    assert any(new for *_, new, _ in queue["entries"]) and len(queue["last"]) == 1 and queue["next"]


@pytest.mark.parametrize("values", [{"temperature": 3.}, {"radius": .02}, {"mass_ratio": 7.}, {"discs": 30}, {"width": 2.5},
                                    {"discs": 20, "temperature": .25, "mass_ratio": 2.}])
@pytest.mark.parametrize("box", [hdsim.Box(), CHANNEL], ids=["walls", "channel"])
def test_the_sliders_change_the_gas(values, box):
    """To what is asked; what is not asked stays."""
    system = gas(40, box=box)
    show = Show(system)
    before = gas_of(show.playback.system)
    show.do({"do": "gas", **values})
    new = "" if "discs" not in values else f"a new gas of {len(show.playback.system)} discs"
    assert shown(show)[0]["note"] == new
    after = gas_of(show.playback.system)
    for name in Gas.__dataclass_fields__:
        assert getattr(after, name) == pytest.approx(values.get(name, getattr(before, name)), rel=1e-9), name
    show.playback.system.check()


@pytest.mark.parametrize("name", ["vessels", "rink"])
def test_obstacles_are_drawn_and_stay(name):
    """As lines and arcs in the units of the box; a contact with one is named in the queue; a new gas lies among them."""
    system = hdsim.load(name)
    show = Show(system)
    header, _ = shown(show)
    pieces = [piece for shape in header["scene"]["shapes"] if "out" not in shape for path in shape["paths"] for piece in path]
    points = {tuple(piece) for piece in pieces if len(piece) == 2}
    assert points and points <= {end for obstacle in system.obstacles for ends in segments_of(obstacle) for end in ends}
    assert len(pieces) - sum(len(piece) == 2 for piece in pieces) == sum(len(arcs_of(obstacle)) for obstacle in system.obstacles)
    show.ask(("queue",))
    for _ in range(30):
        show.do({"do": "step"})
        queue = shown(show, panels=(("queue", -1),))[0]["panels"]["queue"]
        if any(contact.obstacle is not None for contact in show.playback.system.schedule(10)):
            break
    assert any(obstacle.name in text for _, text in queue["contacts"] for obstacle in system.obstacles)
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
    (WALLS, {"discs": 90_000}, "packing fraction"), (WALLS, {"radius": .6, "temperature": 2.}, "wall")])
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
    """While the run is paused: all is read again, and what is equal keeps its version."""
    show = Show(hdsim.load(name), name)
    panels = (("plots", -1), ("queue", -1), ("gas", -1))
    played(show, .3)
    show.ask(("plots", "queue", "gas"))
    before = shown(show, panels=panels)[0]["panels"]
    assert before["queue"]["next"][0]["centres"] and isinstance(before["queue"]["next"][0]["centres"], list)
    show.do({"do": "gas", "radius": .5})
    header = shown(show, panels=panels)[0]
    assert header["note"] and header["panels"] == before
    show.do({"do": "gas", "temperature": 3})
    after = shown(show, panels=panels)[0]["panels"]
    assert after["queue"]["version"] > before["queue"]["version"] and after["gas"]["version"] > before["gas"]["version"]


@pytest.mark.parametrize("name", ["vessels", "demon"])
def test_plots_can_be_opened_before_time_passes(name):
    """Of two kinds of discs and of one, paused in the middle of flights: there is no mean yet, and a law of the whole gas."""
    for seconds in (.1, .2, .3, .4, .5):
        show = Show(hdsim.load(name), name)
        played(show, seconds)
        show.ask(("plots",))
        plots = shown(show, panels=(("plots", -1),))[0]["panels"]["plots"]
        assert not any(plots["speeds"]["density"]) and plots["speeds"]["others"] == []
        assert plots["heads"][0][3].startswith("Rayleigh") and len(plots["speeds"]["curve"]) == 2
        show.close()


@pytest.mark.parametrize("system", [TextbookSystem(gas(12)), TimeDrivenSystem(gas(12), 1e-3)], ids=["textbook", "time steps"])
def test_other_engines_have_the_panels_that_they_can(system):
    """Both say what they lack: observers, a queue."""
    show = Show(system, speed=.2)
    show.do({"do": "trail", "disc": 0})
    show.do({"do": "play"})
    for _ in range(12):
        show.ask(("plots", "queue", "gas"))
        show.snapshot()
        show.tick(TICK)
    panels = shown(show, panels=(("plots", -1), ("queue", -1), ("gas", -1)))[0]["panels"]
    assert "no observers" in panels["plots"]["note"] and panels["gas"]["values"]["discs"] == 12
    assert panels["queue"]["about"] and shown(show)[1]["trail 0"].size > 0


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
    show.ask(("plots",))
    show.snapshot()
    show.do({"do": "open", "source": "billiards5"})
    header, parts = shown(show)
    assert (header["name"], header["n"], header["time"], header["trails"]) == ("billiards5", 16, 0, [])
    assert len(parts["radii"]) == 16
    assert hdsim.datasets.describe("billiards5") in header["note"]
    for source, n in ((12, 12), ("stadium", 12), ("sphere", 100), ("lab maxwell", 200), ("billiards", 16)):
        show.do({"do": "open", "source": source})
        assert shown(show)[0]["n"] == n


def test_the_list_of_a_page_is_the_gallery_of_the_window():
    groups = wording.choices()["gallery"]
    assert [group for group, _ in groups] == list(GROUPS) and len(groups[0][1]) == 10
    assert [title for _, listed in groups for title, _ in listed] == [exhibit.title for exhibit in exhibits()]


@pytest.mark.parametrize("command, error", [
    ({}, "no command None"), ({"do": "fly"}, "no command 'fly'; there are play, pause"), ({"do": ["play"]}, "no command"),
    ({"do": "play", "value": 1}, "play: expected no values, found value"), ({"do": "speed"}, "speed: expected value, found none"),
    ({"do": "speed", "value": "1"}, "speed: expected a finite number, found '1'"),
    ({"do": "seek", "time": math.nan}, "time: expected a finite number"), ({"do": "seek", "time": True}, "found True"),
    ({"do": "colors", "value": "red"}, "colors: expected file, speed"),
    ({"do": "theme", "value": ["light"]}, "theme: expected light, dark"),
    ({"do": "trail", "disc": 40}, "disc: expected a number from 0 to 39, found 40"), ({"do": "trail", "disc": -1}, "found -1"),
    ({"do": "open", "source": "/etc/passwd"}, "source: expected a name of the gallery"),
    ({"do": "open", "source": 10**9}, "a number of discs up to"),
    ({"do": "gas"}, "gas: expected discs, radius"), ({"do": "gas", "energy": 1}, "a gas has discs, radius"),
    ({"do": "gas", "width": "2"}, "gas: width is '2'; it must be a finite number"),
    ({"do": "gas", "discs": 2.5}, "gas: discs is 2.5; it must be a whole number from 1"),
    ({"do": "gas", "radius": 0}, "gas: radius is 0; it must be above 0"),
    ({"do": "gas", "temperature": -1}, "gas: temperature is -1; it must be at least 0")])
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
    scripts = "".join((HERE / name).read_text() for name in ("controls.js", "panels.js", "served.js"))
    choices = json.loads(whole.split("const choices = ", 1)[1].split(";\n", 1)[0])
    said = set(re.findall(r'say\("(.*?)"\)', scripts)) | {label for _, label in re.findall(r'\["(\w+)", "([a-z ]+)"\]', scripts)}
    said |= set(re.findall(r': "([a-z ]+)"', re.search(r"const COLORS = \{(.*?)\}", scripts)[1]))
    assert len(said) > 25 and said <= choices["texts"].keys()
    assert set(re.findall(r'send\("(\w+)"', scripts)) <= COMMANDS.keys()
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
