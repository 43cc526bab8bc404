"""The server of a page: what it answers, what it refuses, and how its pages share one run. No browser is needed."""
import http.client
import json
import socket
import struct
import threading
import time
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

import numpy as np
import pytest
from scenes import gas

from hdsim.browser import Show, server
from hdsim.browser.server import BODY_MOST, Hub, Server


class Reader:
    """A page, as far as its server sees it."""

    def __init__(self, address, name="reader"):
        self.parts, self.name = urlsplit(address), name
        self.line = http.client.HTTPConnection(self.parts.netloc, timeout=30)
        self.have = {"serial": -1, "scene": -1, "discs": -1, "colors": -1}
        self.header, self.arrays, self.pictures = None, {}, 0

    def ask(self, method, way="", body=None, **headers):
        """(status, body, headers)"""
        headers = ({"Content-Type": "application/json"} if body else {}) | headers
        self.line.request(method, urljoin(self.parts.path, way), body, headers)
        answer = self.line.getresponse()
        return answer.status, answer.read(), dict(answer.getheaders())

    def picture(self, **more):
        """The next picture; False if there was none."""
        values = {"reader": self.name, "alone": 1, **self.have, **more}
        status, data, _ = self.ask("GET", "frame?" + "&".join(f"{key}={value}" for key, value in values.items()))
        if status == 204:
            return False
        assert status == 200, data
        size = struct.unpack_from("<I", data)[0]
        self.header, at = json.loads(data[4:4 + size]), 4 + size
        for name, kind, count in self.header["blocks"]:
            at += -at % 8
            self.arrays[name] = np.frombuffer(data, "<" + kind, count, at)
            at += self.arrays[name].nbytes
        self.have = {"serial": self.header["serial"], **self.header["versions"]}
        self.pictures += 1
        return True

    def do(self, name, **values):
        status, body, _ = self.ask("POST", "do", json.dumps({"do": name, **values}))
        assert status == 200, body
        return json.loads(body)

    def until(self, condition, seconds=10):
        deadline = time.monotonic() + seconds
        while not condition(self.header or {}):
            assert time.monotonic() < deadline
            self.picture()


@pytest.fixture
def reader():
    """reader(address, name): a page, whose connection ends with the test."""
    found = []

    def open_one(*arguments):
        found.append(Reader(*arguments))
        return found[-1]

    yield open_one
    for one in found:
        one.line.close()


@pytest.fixture
def here(monkeypatch):
    """here(system): the address of a page that this process serves, until the test ends; and the show."""
    ends = []

    def serve(system, **options):
        said, show, started = [], Show(system, "a name", **options), threading.Event()
        stop = threading.Event()
        run = server._run

        def say(line):
            said.append(line)
            started.set()

        class Work(threading.Event):
            def wait(self, timeout=None):
                if stop.is_set():
                    raise KeyboardInterrupt     # as Ctrl-C does in the thread of the runner
                return super().wait(timeout)

        def interruptible(show, hub, paused):
            hub.work = Work()
            run(show, hub, paused)
        monkeypatch.setattr(server, "_run", interruptible)
        result = []
        thread = threading.Thread(target=lambda: result.append(server.serve(show, say=say)))
        thread.start()
        assert started.wait(10)
        ends.append((stop, thread))
        return said[0], show

    yield serve
    for stop, thread in ends:
        stop.set()
        thread.join(10)
        assert not thread.is_alive()


def test_the_address_is_of_this_machine_alone(served):
    """Loopback, a free port, a long token; and what to type on another machine."""
    parts = urlsplit(served("billiards5", new=True))
    assert parts.scheme == "http" and parts.hostname == "127.0.0.1" and len(parts.path.strip("/")) >= 32
    with pytest.raises(OSError):        # no other address of this machine answers
        socket.create_connection(("127.0.0.2", parts.port), timeout=2).close()


def test_a_page_gets_pictures_and_sends_commands(here, reader):
    """What it gets is the state of the system; paused it stands still; a step is one event; Ctrl-C ends, and cleans up."""
    system, alone = gas(), gas()
    address, show = here(system)
    one = reader(address)
    status, page, headers = one.ask("GET")
    assert status == 200 and b"hdsim: a name" in page and headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"] and headers["Referrer-Policy"] == "no-referrer"
    one.until(lambda header: header.get("time", 0) > 0)
    one.do("pause")
    one.until(lambda header: header["paused"])
    held = one.header["time"]
    assert not one.header["seeking"] and show.playback.system.time == held
    one.do("restart")
    for _ in range(3):
        one.do("step")
    event = [alone.next_event() for _ in range(3)][-1]
    one.until(lambda header: header["time"] == event.time)
    assert np.array_equal(one.arrays["positions"].reshape(2, -1).T, alone.positions.astype(np.float32))
    assert np.array_equal(one.arrays["radii"], alone.radii.astype(np.float32))


def test_two_pages_see_one_run(here, reader):
    """Each of both is at the same instant as the other when it has the same picture, and together they are as fast as one."""
    system = gas()
    address, show = here(system, speed=1.)
    readers = [reader(address, name) for name in "ab"]
    seen = [{}, {}]

    def watch(k):
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            readers[k].picture()
            seen[k][readers[k].header["serial"]] = readers[k].header["time"], readers[k].arrays["positions"].tobytes()
    threads = [threading.Thread(target=watch, args=(k,)) for k in range(2)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = time.monotonic() - began
    both = seen[0].keys() & seen[1].keys()
    assert len(both) > 20 and all(seen[0][serial] == seen[1][serial] for serial in both)
    assert system.time < 1.2 * spent


def test_the_run_pauses_when_the_last_page_is_closed(here, monkeypatch, reader):
    """One that says so, or is not heard of any more; a page that stays keeps it running."""
    monkeypatch.setattr(server, "GONE", .4)
    monkeypatch.setattr(server, "RELOAD", .05)
    system = gas()
    address, show = here(system)
    one, other = reader(address, "one"), reader(address, "other")
    one.until(lambda header: header.get("time", 0) > 0)
    other.picture()
    assert one.ask("POST", "leave?reader=one", "{}")[0] == 204
    other.until(lambda header: header["time"] > .02)
    assert not show.playback.paused
    other.line.close()
    deadline = time.monotonic() + 5
    while not show.playback.paused and time.monotonic() < deadline:
        time.sleep(.02)
    held = system.time
    time.sleep(.2)
    assert show.playback.paused and system.time == held
    back = reader(address, "back")
    back.picture()
    assert back.header["paused"] and "no page is open" in back.header["status"]


@pytest.mark.parametrize("way, headers, status", [
    ("", {}, 200), ("", {"Host": "localhost:9999"}, 200), ("", {"Host": "[::1]:80"}, 200),
    ("", {"Host": "evil.example:80"}, 403), ("", {"Host": ""}, 403), ("", {"Host": "127.0.0.1.evil.example"}, 403),
    ("", {"Host": "127.0.0.1@evil.example"}, 403),
    ("", {"Origin": "http://evil.example"}, 403), ("", {"Origin": "null"}, 403), ("", {"Origin": "https://127.0.0.1:80"}, 403),
    ("", {"Sec-Fetch-Site": "cross-site"}, 403), ("", {"Sec-Fetch-Site": "same-site"}, 403),
    ("../", {}, 403), ("../wrong/", {}, 403), ("nothing", {}, 404), ("frame?reader=a&serial=x", {}, 400),
    ("frame?reader=a&record=x", {}, 400)])
def test_foreign_pages_and_wrong_addresses_are_refused(here, way, headers, status, reader):
    """403 for a wrong token, a foreign Host or Origin, whatever else is right."""
    one = reader(here(gas())[0])
    assert one.ask("GET", way, **headers)[0] == status
    if status == 403:
        headers.setdefault("Content-Type", "application/json")
        assert one.ask("POST", way + "do", '{"do": "pause"}', **headers)[0] == 403


def test_the_origin_of_the_page_itself_is_right(here, reader):
    one = reader(here(gas())[0])
    assert one.ask("POST", "do", '{"do": "pause"}', Origin=f"http://{one.parts.netloc}")[0] == 200
    assert one.ask("POST", "do", '{"do": "pause"}', Origin="http://127.0.0.1:1")[0] == 403


@pytest.mark.parametrize("body, headers, status", [
    ('{"do": "pause"}', {}, 200), ("", {"Content-Length": "0"}, 415), ("{", {}, 400), ("[]", {}, 400), ('{"do": "fly"}', {}, 400),
    ("[" * 9000, {}, 400), ('{"do": "speed", "value": NaN}', {}, 400), ('{"do": "pause"}', {"Content-Type": "text/plain"}, 415),
    ("x" * (BODY_MOST + 1), {}, 413), ("", {"Content-Length": str(10**12)}, 413), ("", {"Content-Length": "-1"}, 411),
    ("", {"Content-Length": "1 "}, 400), (b"\xff\xfe{}", {}, 400)])
def test_bodies_are_limited_and_checked(here, body, headers, status, reader):
    """A body that is too long is not read; what is no command is refused in one line, and the server goes on."""
    one = reader(here(gas())[0])
    try:
        found, said, _ = one.ask("POST", "do", body, **headers)
    except (ConnectionError, http.client.HTTPException):        # it did not wait for the rest
        found, said = 413, b"\n"
    assert found in {status, 411} if headers.get("Content-Length") == "1 " else found == status
    assert status == 200 or said.count(b"\n") == 1
    assert reader(one.parts.geturl()).ask("GET")[0] == 200


def test_a_body_without_a_length_is_refused(here):
    address = urlsplit(here(gas())[0])
    with socket.create_connection((address.hostname, address.port), timeout=10) as line:
        line.sendall(f"POST {address.path}do HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                     "Transfer-Encoding: chunked\r\n\r\n5\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 411")


def test_connections_are_limited(here, reader):
    """Those that have shown the token stay. More than CONNECTIONS_MOST of them are closed without an answer; when some have gone,
    others are let in."""
    address = here(gas())[0]
    pages = [reader(address, f"page {k}") for k in range(server.CONNECTIONS_MOST)]
    assert {page.ask("GET")[0] for page in pages} == {200}
    with socket.create_connection((pages[0].parts.hostname, pages[0].parts.port), timeout=10) as late:
        assert late.recv(10) == b""
    assert {page.ask("GET")[0] for page in pages} == {200}
    for page in pages[:3]:
        page.line.close()
    time.sleep(.3)
    assert reader(address).ask("GET")[0] == 200


def test_connections_without_the_token_shut_no_page_out(here, reader, monkeypatch):
    """CONNECTIONS_MOST of them that send a byte now and then give way to a page, and are closed after STRANGE seconds, whatever
    they send. A page that is open stays."""
    address = here(gas())[0]
    parts = urlsplit(address)
    first = reader(address)
    assert first.ask("GET")[0] == 200
    lines = [socket.create_connection((parts.hostname, parts.port), timeout=10) for _ in range(server.CONNECTIONS_MOST + 5)]
    for line in lines:
        with suppress(OSError):
            line.sendall(b"G")
    time.sleep(.2)
    assert [reader(address, f"page {k}").ask("GET")[0] for k in range(5)] == [200] * 5
    monkeypatch.setattr(server, "STRANGE", .5)
    time.sleep(1)
    for line in lines:
        with suppress(ConnectionError):
            assert line.recv(10) == b""
        line.close()
    assert first.ask("GET")[0] == 200


@pytest.mark.parametrize("body", [r'{"do": "fly\ud800"}', r'{"do": "play", "\udc00": 1}', r'{"do": "open", "source": "\ud800"}',
                                  '{"do": "speed", "value": 1e-308}', '{"do": "speed", "value": 1' + 400 * "0" + "}"])
def test_commands_that_cannot_be_written_or_computed_are_answered(here, reader, body):
    """And the run goes on."""
    one = reader(here(gas())[0])
    status, said, _ = one.ask("POST", "do", body)
    assert (status, said.count(b"\n")) == (400, 1) or (status == 200 and b"must be from 1e-30" in said)
    assert one.do("step") and one.picture()


def test_a_slow_line_skips_pictures():
    """A page that comes back after many pictures gets the latest at once; of several requests each gets another one."""
    show, hub = Show(gas(), speed=1.), Hub()
    show.do({"do": "play"})
    for _ in range(5):
        show.tick(1 / 60)
        hub.publish(show.snapshot())
    from hdsim.browser.messages import Have
    first = hub.wait("a", Have(), True, lambda: False)
    assert first.serial == show.snapshot().serial
    assert hub.wait("a", Have(serial=first.serial), False, lambda: True) is None
    assert hub.wait("b", Have(serial=1), True, lambda: False) is first
    assert hub.wait("a", Have(serial=1), False, lambda: True) is None
    assert hub.wait("a", Have(serial=1), True, lambda: True) is first
    hub.end()
    assert hub.wait("c", Have(), True, lambda: False) is None


def test_a_page_that_is_loaded_again_does_not_pause_the_run(here, reader):
    """Its successor comes within RELOAD seconds."""
    address, show = here(gas(), speed=.1)
    one = reader(address, "one")
    one.until(lambda header: header.get("time", 0) > 0)
    one.ask("POST", "leave?reader=one", "{}")
    time.sleep(.2)
    assert reader(address, "two").picture() and not show.playback.paused


def test_a_port_that_is_taken_is_an_error():
    with Server(Hub(), b"") as taken, pytest.raises(OSError):
        Server(Hub(), b"", taken.port)


def test_a_gas_in_another_space_is_a_page_too(served, reader):
    """`python -m hdsim sphere --browser`; and a drag turns the globe, as in a window."""
    page = reader(served("sphere", "--paused"))
    page.do("size", width=800, height=700, page="reader")
    page.until(lambda header: "positions" in page.arrays)
    before = page.arrays["positions"].copy()
    page.do("press", x=400, y=400, button=1, held=0)
    page.do("drag", x=460, y=400, dx=60, dy=0, button=1, held=0)
    page.until(lambda header: not np.array_equal(page.arrays["positions"], before))
    assert page.header["time"] == 0 and page.arrays["positions"].shape == before.shape


def test_the_command_line_refuses_what_a_page_has_not(capsys):
    """In one line, before anything runs."""
    from hdsim.app.cli import main

    for words, error in (("p10 --browser --fullscreen", "--fullscreen belongs to the window, and --browser shows a page"),
                         ("p10 --browser --arrows", "--arrows belongs to the window"), ("p10 --browser --hz 3", "--hz belongs"),
                         ("p10 --browser --no-view", "--browser asks for a window, and --no-view opens none"),
                         ("p10 --browser --out a.txt", "--browser asks for a window, and --out a.txt opens none"),
                         ("p10 --port 80", "--port belongs to --browser, which is not given"),
                         ("p10 --browser --port 0", "expected a number from 1 to 65535, found '0'"),
                         ("p10 --browser --compare time:1", "--browser does not apply to two engines side by side")):
        assert main(words.split()) == 2
        said = capsys.readouterr().err
        assert error in said and said.count("\n") == 1, said


def test_a_page_needs_no_more_than_numpy(elsewhere):
    """Neither pyglet nor a display, nor what a browser or a notebook would bring."""
    code = """
import sys, numpy
sys.modules.update(dict.fromkeys(("pyglet", "anywidget", "ipywidgets", "matplotlib", "scipy"), None))
from hdsim.browser import Show
from hdsim.browser.server import Hub, Server, page
import hdsim
show = Show(hdsim.load("billiards5"))
print(sum(map(len, show.snapshot().message(__import__("hdsim.browser.messages", fromlist=["Have"]).Have()).packed())))
print(len(page.text("a")))
"""
    assert all(int(number) > 1000 for number in elsewhere("-c", code, DISPLAY="").split())


def test_importing_hdsim_imports_no_page(elsewhere):
    code = "import sys, hdsim; print([name for name in sys.modules if 'browser' in name or name in ('http.server', 'secrets')])"
    assert elsewhere("-c", code).strip() == "[]"
