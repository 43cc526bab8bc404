"""The page to try hdsim: what Python does there, without a browser; and the page in a real browser, with Pyodide."""
import http.server
import json
import shutil
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pyodide_wheel
import pytest

import hdsim
from hdsim import language
from hdsim.browser.worker import LINK_MOST, Workplace, packed, unpacked

TRY = Path(__file__).parents[2] / "docs" / "try"
EMPTY = {"serial": -1, "scene": -1, "discs": -1, "colors": -1, "record": -1, "file": -1}
PROGRAM = "import hdsim\nsystem = hdsim.load('billiards5')\nprint(len(system))\n"


@pytest.fixture(autouse=True)
def english_again():
    yield
    language.use(None)


def test_a_program_is_run_and_its_system_is_played():
    """What it prints comes back; pictures have the positions of its system, which advances with the clock."""
    place = Workplace()
    assert place.picture(json.dumps(EMPTY)) is None
    assert place.run(PROGRAM) == "16\n"
    for _ in range(6):
        place.tick(1 / 60)
    header, *buffers = place.picture(json.dumps(EMPTY))
    header = json.loads(header)
    assert header["n"] == 16 and header["time"] > 0 and not header["paused"]
    system = place.show.playback.system
    assert np.array_equal(np.frombuffer(buffers[0], "<f4").reshape(2, -1).T, system.positions.astype(np.float32))
    have = {"serial": header["serial"], **header["versions"]}
    assert place.picture(json.dumps(have)) is None
    assert place.do('{"do": "pause"}') == "" and place.do('{"do": "fly"}').startswith("no command 'fly'")
    assert json.loads(place.picture(json.dumps(have))[0])["time"] == header["time"]


def test_the_system_of_a_second_program_is_sent_whole():
    """A page has the first one's picture, of any age: of the second it gets everything, with a larger serial number."""
    place = Workplace()
    place.run("import hdsim\nsystem = hdsim.load('p100-2K')")
    for _ in range(30):
        place.tick(1 / 60)
        header = json.loads(place.picture(json.dumps(EMPTY))[0])
    have = {"serial": header["serial"], **header["versions"]}
    place.run(PROGRAM)
    second = json.loads(place.picture(json.dumps(have))[0])
    assert second["serial"] > header["serial"] and second["n"] == 16
    assert [block[::2] for block in second["blocks"]] [:3] == [["positions", 2 * 16], ["radii", 16], ["colors", 3 * 16]]


def test_the_last_system_shown_is_played():
    place = Workplace()
    assert place.run("import hdsim\nshow(hdsim.load('p10'))\nsystem = hdsim.load('billiards5')") == ""
    assert len(place.show.playback.system) == 10
    assert "nothing to show" in place.run("x = 3") and len(place.show.playback.system) == 10


@pytest.mark.parametrize("program, end", [
    ("1 / 0", "ZeroDivisionError: division by zero\n"), ("x =", "SyntaxError: invalid syntax\n"), ("system = 3", ""),
    ("import hdsim\nhdsim.load('nosuch')", "hint"), ("raise SystemExit(3)", "SystemExit: 3\n")])
def test_errors_of_a_program_are_shown_from_its_own_line_on(program, end):
    place = Workplace()
    place.run(PROGRAM)
    before = place.show
    said = place.run("print('begun')\n" + program if program != "x =" else program)
    assert said.endswith(end) or end == "hint" and "nosuch: no such file" in said
    assert "worker.py" not in said.split("<program>")[0]
    assert place.show is before


def test_a_link_holds_the_program_and_the_state():
    """The state to the digits of the book's format, paused; the program is shown and not run."""
    place = Workplace()
    place.run(PROGRAM)
    for _ in range(60):
        place.tick(1 / 60)
    system = place.show.playback.system
    text = place.link("print('not run')")
    assert len(text) < LINK_MOST and text.isascii() and set("+/=%").isdisjoint(text)
    other = Workplace()
    assert other.open_link(text) == "print('not run')"
    copy = other.show.playback.system
    assert other.show.playback.paused and np.abs(copy.positions - system.positions).max() < 1e-11
    assert np.array_equal(copy.masses, system.masses) and np.array_equal(copy.colors, system.colors)


TIMED = """import hdsim
from hdsim import Circle, Door, Gate, Segment
system = hdsim.random(6, radius=.015, temperature=1, seed=3, time=1.5, collisions="sequential", obstacles=[
    Segment((.5, 0), (.5, 1), until=3.25), Segment((0, .5), (1, .5), from_time=4.75), Circle((.25, .25), .1, until=3.9),
    Segment((.2, .7), (.4, .7), from_time=2.1, until=5.3), Door((.6, .8), (.9, .8), open=[(k, k + .4) for k in range(1, 9)]),
    Gate((.5, .1), (.5, .2), hdsim.gates.coming("left"), from_time=3.25)])
system.simulate(until=2.6)
"""


def test_a_link_has_the_future_of_the_system():
    """Obstacles come and go, doors open, as long after it as they would have; the same contacts, counted from the present."""
    place, other = Workplace(), Workplace()
    assert place.run(TIMED) == ""
    place.show.do({"do": "pause"})
    other.open_link(place.link("a"))
    system, copy = (which.show.playback.system.copy() for which in (place, other))
    now = system.time
    assert now > 1.5 and copy.time == 0 and (copy.k_B, copy.collisions) == (1., "sequential") == (system.k_B, system.collisions)
    old, new = ([(event.kind, event.particles, event.wall, event.obstacle, event.time - begin) for event in one.events(until=end)]
                for one, begin, end in ((system, now, now + 2.5), (copy, 0., 2.5)))
    assert [row[:4] for row in old] == [row[:4] for row in new] and sum(row[0] == "device" for row in new) > 6 and len(new) > 20
    assert [row[4] for row in old] == pytest.approx([row[4] for row in new], abs=1e-5)
    assert np.abs(system.positions - copy.positions).max() < 1e-4


def test_a_large_system_is_left_out_of_a_link():
    place = Workplace()
    place.run("import hdsim\nsystem = hdsim.random(2000)")
    assert unpacked(place.link("a")) == {"program": "a"}
    import random
    with pytest.raises(ValueError, match="too long for an address"):
        place.link("".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=20_000)))


@pytest.mark.parametrize("text", ["", "A", "====", "eJwDAAAAAAE", packed({"system": "a"}), packed([]), "ä",
                                  packed({"program": "a" * (2 << 20)})])
def test_damaged_links_are_refused(text):
    with pytest.raises(ValueError, match="this address holds no program of hdsim"):
        Workplace().open_link(text)


def test_an_illegal_state_in_a_link_is_refused():
    place = Workplace()
    with pytest.raises(ValueError, match="the address:2: expected 9 columns"):
        place.open_link(packed({"program": "a", "system": "1\n0 0 0\n"}))
    assert place.show is None


def test_the_page_pins_what_is_tested():
    """The version of Pyodide, and the wheel of this version of hdsim; it fetches nothing else."""
    text = (TRY / "worker.js").read_text()
    assert f'const PYODIDE = "{pyodide_wheel.PYODIDE}";' in text
    assert f'const WHEEL = "hdsim-{hdsim.__version__}-{pyodide_wheel.TAG}.whl";' in text
    assert text.count("https://") == 1 and "http" not in (TRY / "index.html").read_text()


def test_its_texts_are_chinese_too():
    assert "连接中断" in Workplace("zh").choices() and "hdsimScreen" in Workplace("xx").scripts()
    place = Workplace("zh")
    place.run(PROGRAM)
    assert "暂停" in b"".join(place.picture(json.dumps(EMPTY))[1:]).decode(errors="ignore")


@pytest.mark.slow
def test_the_page_in_a_browser(browser, tmp_path):
    """It plays the first example, runs a program, changes a gas, stops an endless program, and opens its own link."""
    site = shutil.copytree(TRY, tmp_path / "try")
    pyodide_wheel.build(site)
    shutil.copytree(pyodide_wheel.pyodide(tmp_path / "npm"), tmp_path / "pyodide")
    handler = partial(QuietFiles, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/try/index.html?pyodide=/pyodide/&lang=en"
        one = browser.open(address, (1300, 760))
        one.wait("state.ready && face.state.drawn > 5", 90)
        assert "Pressure(" in one.wait("output.textContent")
        assert one.eval("face.state.header.n") == 400
        one.eval("editor.value = \"import hdsim\\nsystem = hdsim.load('p10')\\nprint(system.hash())\", start()")
        one.wait("face.state.header.n === 10 && output.textContent.length > 10")
        assert one.eval("output.textContent").strip() == hdsim.load("p10").hash()
        assert np.allclose(one.eval("Array.from(face.picture.radii)"), hdsim.load("p10").radii)
        one.eval("send('do', { command: { do: 'gas', discs: 50 } })")
        one.wait("face.state.header.n === 50")
        one.eval("send('do', { command: { do: 'pause' } })")
        one.wait("face.state.header.paused")
        one.eval("copy.onclick()")
        link = one.wait("location.hash.length > 1 && location.href")
        held = one.eval("Array.from(face.picture.positions)")
        other = browser.open(link, (1300, 760))
        other.wait("state.ready && face.state.drawn > 0 && face.state.header.n === 50", 90)
        assert np.allclose(other.eval("Array.from(face.picture.positions)"), held, atol=1e-6)
        assert "read it, then run it" in other.eval("output.textContent")
        other.eval("editor.value = 'while True: pass', start()")
        other.wait("!stop.disabled")
        other.eval("stop.onclick()")
        other.wait("state.ready && !run.disabled", 90)
        assert [error for error in one.errors() if "favicon" not in error] == []
        one.close()
        other.close()
        server.shutdown()


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, without a log."""

    def log_message(self, *arguments):
        pass


def test_the_page_opened_as_a_file_says_what_it_needs(browser):
    """A browser starts no worker from there."""
    page = browser.open((TRY / "index.html").as_uri() + "?lang=en")
    assert page.eval("document.querySelector('#loading').textContent").startswith("Opened as a file, this page cannot begin.")
    assert page.eval("document.querySelector('#run').disabled") and page.errors() == []
