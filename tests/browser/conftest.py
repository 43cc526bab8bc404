"""What tests of pages share: a server in a process of its own, and a browser."""
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import nullcontext, suppress
from urllib.parse import urlsplit

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
    """served(*arguments): the address of a page of `python -m hdsim *arguments --browser`, which ends with the test by Ctrl-C."""
    running = []

    def serve(*arguments):
        command = [sys.executable, "-m", "hdsim", *map(str, arguments), "--browser"]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True)
        running.append(process)
        return process.stdout.readline().strip()

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
    doors = []

    def opened(address):
        parts = urlsplit(address)
        door = socket.create_server(("127.0.0.1", 0))
        doors.append(door)
        threading.Thread(target=_let_in, args=(door, parts.port), daemon=True).start()
        return parts._replace(netloc=f"127.0.0.1:{door.getsockname()[1]}").geturl()

    yield opened
    for door in doors:
        door.close()


def _let_in(door, port):
    turn = threading.Lock()
    while True:
        try:
            inside, _ = door.accept()
        except OSError:
            return
        outside = socket.socket()
        outside.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        outside.connect(("127.0.0.1", port))
        threading.Thread(target=_pass_on, args=(inside, outside, None), daemon=True).start()
        threading.Thread(target=_pass_on, args=(outside, inside, turn), daemon=True).start()


def _pass_on(source, target, turn):
    """Pass bytes on; with a lock, which all connections share, at the rate of the line."""
    with source, target, suppress(OSError):
        while data := source.recv(int(RATE * BURST)):
            with turn or nullcontext():
                target.sendall(data)
                if turn:
                    time.sleep(len(data) / RATE)
        target.shutdown(socket.SHUT_RDWR)
