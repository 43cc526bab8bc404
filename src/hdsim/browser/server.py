"""Server: one show for any number of pages, over HTTP on this machine, with the standard library alone.

The thread that calls `serve` is the runner: it advances the show, and executes what pages ask for. Each connection has a
thread, which waits for the runner's snapshots and never touches a system. A page asks for one picture at a time and gets the
latest, so that on a slow line pictures are skipped and none is late.

Who knows the address may do what the page can do. It has a token that cannot be guessed, and requests that a foreign page makes
a browser send are refused: by Host (a name that was made to point to this machine) and by Origin.
"""
from __future__ import annotations

import json
import math
import secrets
import select
import socket
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..language import tr
from ..model.machine import require_threads
from . import page
from .messages import HAVE, Have, Snapshot
from .show import CommandError, Show

ADDRESS = "127.0.0.1"
HOSTS = ("127.0.0.1", "localhost", "[::1]")     # with any port, because a tunnel may have another one at its other end
BODY_MOST = 1 << 26         # bytes of a command, which may hold a file
CONNECTIONS_MOST = 64       # at a time; of more, the one that has shown no token for longest is closed
STRANGE = 10.0              # seconds after which a connection is closed that has shown no token
HANG = 10.0                 # seconds for which a request waits for a new picture
IDLE = 30.0                 # seconds after which a connection without a request is closed
GONE = 5.0                  # seconds without a request after which a page counts as closed
RELOAD = 1.5                # seconds for which a page that is left counts as open, because it may be loaded again
FRAME = 1 / 60              # seconds from picture to picture
NAP = 0.1                   # seconds between two looks of a runner that has nothing to do
READERS_MOST = 1000         # pages that are remembered
# The page contains all that it needs, and talks to this server alone.
POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
          "worker-src blob:; img-src data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
HEADERS = (("Cache-Control", "no-store"), ("Content-Security-Policy", POLICY), ("Referrer-Policy", "no-referrer"),
           ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"))


class Hub:
    """What the runner and the threads of connections share: the latest snapshot, the commands that wait, the pages that are open.

    All attributes are guarded by `news`, which is notified of a new snapshot."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.work = threading.Event()           # there are commands, or pages that were not there before
        self.snapshot: Snapshot | None = None
        self.ended = False
        self._commands: deque[tuple[dict[str, Any], Future[Snapshot]]] = deque()
        self._given: dict[str, tuple[float, int]] = {}      # of each page: when it is gone, and its latest picture
        self._left: deque[str] = deque(maxlen=READERS_MOST)     # pages that are closed, whose last request may still wait

    # in the threads of connections

    def wait(self, reader: str, have: Have, alone: bool, is_gone: Callable[[], bool]) -> Snapshot | None:
        """The latest snapshot that this page does not have, as soon as there is one; None after HANG seconds without one, if the
        page is gone, and at the end. alone: no other request of this page is under way, so what it was given it has, or it was
        lost."""
        end = perf_counter() + HANG
        with self.news:
            while not self.ended and reader not in self._left:
                now = perf_counter()
                self._note(reader, now)
                newest, given = self.snapshot, have.serial if alone else max(have.serial, self._given[reader][1])
                if newest is not None and newest.serial > given:
                    self._given[reader] = now + GONE, newest.serial
                    return newest
                if now >= end or is_gone():
                    return None
                self.news.wait(min(NAP * 5, end - now))
        return None

    def _note(self, reader: str, now: float) -> None:
        """Record that a page is open."""
        known = self._given.pop(reader, None)
        if known is None or known[0] < now:
            self.work.set()
        while len(self._given) >= READERS_MOST:
            del self._given[next(iter(self._given))]
        self._given[reader] = now + GONE, -1 if known is None else known[1]

    def leave(self, reader: str) -> None:
        """Record that a page is closed."""
        with self.news:
            if self._given.pop(reader, None) is not None:
                self._given[reader] = perf_counter() + RELOAD, -1
            self._left.append(reader)
            self.news.notify_all()
        self.work.set()

    def ask(self, command: dict[str, Any]) -> Future[Snapshot]:
        """Let the runner execute a command. The result is the snapshot after it, or a CommandError."""
        done: Future[Snapshot] = Future()
        with self.news:
            self._commands.append((command, done))
        self.work.set()
        return done

    # in the runner

    def publish(self, snapshot: Snapshot) -> None:
        with self.news:
            self.snapshot = snapshot
            self.news.notify_all()

    def present(self) -> bool:
        """Whether a page is open."""
        now = perf_counter()
        with self.news:
            return any(until >= now for until, _ in self._given.values())

    def next_command(self) -> tuple[dict[str, Any], Future[Snapshot]] | None:
        with self.news:
            return self._commands.popleft() if self._commands else None

    def end(self) -> None:
        """Send all waiting threads away, and refuse commands."""
        with self.news:
            self.ended = True
            waiting, self._commands = list(self._commands), deque()
            self.news.notify_all()
        for _, done in waiting:
            done.cancel()


class Server(ThreadingHTTPServer):
    """A server on a free port of this machine. `token`: what must stand in each address."""

    daemon_threads = True
    allow_reuse_address = False
    request_queue_size = CONNECTIONS_MOST

    def __init__(self, hub: Hub, text: bytes, port: int = 0) -> None:
        """text: the page. port: 0 for any that is free. OSError if the port is not free."""
        super().__init__((ADDRESS, port), Handler)
        self.hub, self.text = hub, text
        self.token = secrets.token_urlsafe(24)
        self._room = threading.BoundedSemaphore(CONNECTIONS_MOST)
        self._strangers: dict[socket.socket, float] = {}        # connections that have shown no token, and since when
        self._door = threading.Lock()           # held while they are read or changed

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """What is to be opened in a browser."""
        return f"http://{ADDRESS}:{self.port}/{self.token}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._room.acquire(blocking=False) or (self._send_away(-math.inf) and self._room.acquire(timeout=1.0)):
            with self._door:
                self._strangers[request] = perf_counter()
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.admit(request)
            self._room.release()

    def service_actions(self) -> None:
        while self._send_away(STRANGE):
            pass

    def admit(self, connection: socket.socket) -> None:
        """Record that a connection has shown the token, and may stay."""
        with self._door:
            self._strangers.pop(connection, None)

    def _send_away(self, seconds: float) -> bool:
        """End the connection that has shown no token for longest, if that is longer than so many seconds. Returns whether there
        was one."""
        with self._door:
            oldest = next(iter(self._strangers), None)
            if oldest is None or perf_counter() - self._strangers[oldest] < seconds:
                return False
            del self._strangers[oldest]
            with suppress(OSError):     # its other end may have gone
                oldest.shutdown(socket.SHUT_RDWR)
        return True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that is closed in the middle of an answer is no error."""


class Handler(BaseHTTPRequestHandler):
    """One connection. Every request is checked before anything else is read."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "hdsim", ""
    timeout = IDLE
    disable_nagle_algorithm = True      # with it, the end of a small answer would wait 40 ms for the acknowledgement of its head
    wbufsize = -1                       # head and body leave together
    server: Server

    def do_GET(self) -> None:
        way, query = self._admitted()
        if way == "":
            self._answer(HTTPStatus.OK, self.server.text, kind="text/html; charset=utf-8")
        elif way == "frame":
            self._frame(query)
        elif way is not None:
            self._answer(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        way, query = self._admitted()
        if way is None:
            return
        body = self._body()
        if body is None:
            return
        if way == "do":
            self._do(body)
        elif way == "leave":
            self.server.hub.leave(_first(query, "reader"))
            self._answer(HTTPStatus.NO_CONTENT)
        else:
            self._answer(HTTPStatus.NOT_FOUND)

    def _admitted(self) -> tuple[str | None, dict[str, list[str]]]:
        """The path behind the token, and the query. None, with the answer 403, for a wrong token and for a foreign page."""
        parts = urlsplit(self.path)
        token, _, way = parts.path.lstrip("/").partition("/")
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        own = _name_of(host) in HOSTS and origin in (None, f"http://{host}")
        own = own and self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        known = secrets.compare_digest(token.encode(), self.server.token.encode())
        if own and known:
            self.server.admit(self.connection)
            return way, parse_qs(parts.query)
        self.close_connection = True
        self._answer(HTTPStatus.FORBIDDEN)
        return None, {}

    def _body(self) -> bytes | None:
        """The body of a command; None, with an answer, if it is too long, not announced, or no JSON."""
        length = self.headers.get("Content-Length", "")
        refused = (HTTPStatus.LENGTH_REQUIRED if not length.isascii() or not length.isdigit()
                   else HTTPStatus.REQUEST_ENTITY_TOO_LARGE if len(length) > 9 or int(length) > BODY_MOST
                   else HTTPStatus.UNSUPPORTED_MEDIA_TYPE
                   if self.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json" else None)
        if refused is not None:
            self.close_connection = True        # what follows would be read as the next request
            self._answer(refused)
            return None
        return self.rfile.read(int(length))

    def _frame(self, query: dict[str, list[str]]) -> None:
        try:
            reader, have = _first(query, "reader"), have_in(query)
        except ValueError as error:
            return self._answer(HTTPStatus.BAD_REQUEST, f"{error}\n".encode(errors="backslashreplace"))
        began = perf_counter()
        snapshot = self.server.hub.wait(reader, have, _first(query, "alone") == "1", self._is_closed)
        if snapshot is None:
            return self._answer(HTTPStatus.NO_CONTENT)
        message = snapshot.message(have)
        message.header["held"] = round(1000 * (perf_counter() - began), 3)      # milliseconds that are not the line's
        self._answer(HTTPStatus.OK, *message.packed(), kind="application/octet-stream")

    def _do(self, body: bytes) -> None:
        try:
            command = json.loads(body)
            if not isinstance(command, dict):
                raise CommandError("expected an object, as in {\"do\": \"play\"}")
            snapshot = self.server.hub.ask(command).result(timeout=IDLE)
        except (ValueError, RecursionError) as error:
            return self._answer(HTTPStatus.BAD_REQUEST, f"{error}\n".encode(errors="backslashreplace"))
        except Exception:       # the runner has ended, or is busy with something that takes long
            return self._answer(HTTPStatus.SERVICE_UNAVAILABLE)
        self._answer(HTTPStatus.OK, json.dumps({"serial": snapshot.serial, "note": snapshot.shown["note"]}).encode(),
                     kind="application/json")

    def _is_closed(self) -> bool:
        """Whether the other end has closed the connection."""
        try:
            ready, _, _ = select.select([self.connection], [], [], 0)
            return bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except (OSError, ValueError):
            return True

    def _answer(self, status: HTTPStatus, *body: bytes, kind: str = "text/plain; charset=utf-8") -> None:
        """Send an answer with a body in parts; without one, its text is that of the status."""
        if not body and status != HTTPStatus.NO_CONTENT:
            body = (f"{status.phrase}\n".encode(),)
        self.send_response_only(status)
        if body:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(sum(map(len, body))))
        for name, value in HEADERS:
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        for part in body:
            self.wfile.write(part)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Requests are not logged: there are sixty in a second, with the token in each."""


def _name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isascii() and port.isdigit() else host.lower()


def _first(query: dict[str, list[str]], name: str) -> str:
    return query.get(name, [""])[0][:64]


def have_in(query: dict[str, list[str]]) -> Have:
    """What a page says that it has, as "?serial=5&scene=1&discs=2&colors=3&thin=1". ValueError for what is no number."""
    return Have(**{name: int(_first(query, name) or -1) for name in HAVE}, thin=_first(query, "thin") == "1")


def serve(show: Show, *, paused: bool = False, port: int = 0, say: Callable[[str], object] = print) -> Any:
    """Serve a page for `show` until Ctrl-C (KeyboardInterrupt), and run it meanwhile in this thread; returns the system that was
    shown last.

    paused: wait for the user before the first event; else the run begins with the first page. The run pauses when the last page
    is closed. port: of this machine; 0 is any that is free. say: called with the lines that tell where the page is. OSError if
    the port is not free."""
    require_threads("--browser", "the page to try hdsim shows systems there, hdsim.live in a notebook")
    hub = Hub()
    server = Server(hub, page.text(show.name).encode(), port)
    answers = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": NAP}, daemon=True)
    answers.start()
    try:
        say(server.address)
        say(tr("from another machine first: ssh -L {port}:{address}:{port} THIS_MACHINE      Ctrl-C ends", port=server.port,
               address=ADDRESS))
        _run(show, hub, paused)
    except KeyboardInterrupt:
        pass
    finally:
        hub.end()
        server.shutdown()
        server.server_close()
        show.close()
    return show.playback.system


def _run(show: Show, hub: Hub, paused: bool) -> None:
    """Advance the show and execute commands, for ever."""
    begun = paused                  # whether the run has begun, or is left to the user
    last = perf_counter()
    while True:
        began = perf_counter()
        while (asked := hub.next_command()) is not None:
            begun = True
            _execute(show, hub, *asked)
        present = hub.present()
        if present and not begun:
            show.playback.go_on()
            begun = True
        elif not present and not show.playback.paused:
            show.pause(tr("paused: no page is open"))
            hub.publish(show.snapshot())
        show.tick(began - last)
        last = began
        if present and (show.changed or hub.snapshot is None):
            hub.publish(show.snapshot())
        hub.work.wait(max(began + FRAME - perf_counter(), 0.0) if present and show.busy else NAP)
        hub.work.clear()


def _execute(show: Show, hub: Hub, command: dict[str, Any], done: Future[Snapshot]) -> None:
    try:
        show.do(command)
        snapshot = show.snapshot()
        hub.publish(snapshot)
    except CommandError as error:
        done.set_exception(error)
    else:
        done.set_result(snapshot)
