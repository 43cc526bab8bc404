"""What tests of pages share: a server in a process of its own, and a browser."""
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import nullcontext, suppress
from urllib.parse import urlsplit

import nursery
import pytest
from chromium import PROGRAM, Chromium
from scenes import environment

RATE = 1_000_000        # bytes per second of a slow line
BURST = 0.02            # seconds of it that pass at once


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Chromium, without a display. It is no part of CI: to install it takes longer than the tests."""
    if PROGRAM is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    with Chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def served(tmp_path):
    """served(*arguments): the address of a page of `python -m hdsim *arguments --browser`, which ends with the test by Ctrl-C.
    new: in an interpreter of its own."""
    running = []

    def serve(*arguments, new=False):
        words = [*map(str, arguments), "--browser"]
        running.append(subprocess.Popen([sys.executable, "-m", "hdsim", *words], cwd=tmp_path, env=environment(),
                                        stdout=subprocess.PIPE, text=True) if new else
                       nursery.Command(words, tmp_path, environment()))
        return running[-1].stdout.readline().strip()

    yield serve
    for process in running:
        process.send_signal(signal.SIGINT)
    ends = []
    for process in running:     # none is left behind, whatever one of them does
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
        ends.append(process.poll())
        process.kill()
        process.wait()
        process.stdout.close()
    assert ends == [0] * len(ends)


@pytest.fixture
def slow_line():
    """slow_line(address): the address of the same page behind a line of RATE bytes a second, with small buffers."""
    ends, threads = [], []

    def opened(address):
        parts = urlsplit(address)
        door = socket.create_server(("127.0.0.1", 0))
        ends.append(door)
        _begin(threads, _let_in, door, parts.port, ends, threads)
        return parts._replace(netloc=f"127.0.0.1:{door.getsockname()[1]}").geturl()

    yield opened
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)      # which ends what waits for it
    for thread in threads:
        thread.join(timeout=20)
    for end in ends:
        end.close()


def _begin(threads, action, *arguments):
    threads.append(threading.Thread(target=action, args=arguments, daemon=True))
    threads[-1].start()


def _let_in(door, port, ends, threads):
    turn = threading.Lock()
    while True:
        try:
            inside, _ = door.accept()
        except OSError:
            return
        outside = socket.socket()
        ends += inside, outside
        outside.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        outside.connect(("127.0.0.1", port))
        _begin(threads, _pass_on, inside, outside, None)
        _begin(threads, _pass_on, outside, inside, turn)


def _pass_on(source, target, turn):
    """Pass bytes on; with a lock, which all connections share, at the rate of the line."""
    with suppress(OSError):
        while data := source.recv(int(RATE * BURST)):
            with turn or nullcontext():
                target.sendall(data)
                if turn:
                    time.sleep(len(data) / RATE)
        target.shutdown(socket.SHUT_RDWR)
