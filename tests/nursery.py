"""Processes in which hdsim is loaded already: each is a copy of one process that has drawn nothing.

`run` and `Command` start that process, this file as a program, with the first call. What it imports costs more time than most
tests, and so does the end of an interpreter, which copies leave out.
"""
import gc
import importlib
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback

# No pyglet: what it loads depends on the display.
FIRST = ["numpy", "pytest", "hdsim.viewer.windows.single", "hdsim.lab.showcase", "hdsim.spaces", "test_viewer"]
_servers = []


def run(function, environment, seconds):
    """Call a function of a test file in such a process, warnings being errors: (exit status, what it has printed). The status is
    None if the process had to be ended after so many seconds."""
    with tempfile.NamedTemporaryFile("r", errors="replace") as printed:
        server = _ask("_call", function.__module__, function.__name__, environment, sys.path, printed.name)
        number = int(server.stdout.readline())
        ended = select.select([server.stdout], [], [], seconds)[0]
        if not ended:
            os.kill(number, 9)
        status = int(server.stdout.readline())
        return status if ended else None, printed.read()


class Command:
    """`python -m hdsim *arguments` in such a process, in this folder: as much of subprocess.Popen as tests of servers need. Its
    standard output is the file `stdout`."""

    def __init__(self, arguments, folder, environment):
        os.mkfifo(pipe := tempfile.mktemp(dir=folder))
        server = _ask("_command", arguments, str(folder), environment, sys.path, pipe)
        self.pid, self._status = int(server.stdout.readline()), None
        self.stdout = open(pipe)
        os.remove(pipe)

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def poll(self):
        """The exit status, or None as long as it runs."""
        if self._status is None:
            self._status = json.loads(_ask("", self.pid).stdout.readline())
        return self._status

    def wait(self, timeout=60.):
        deadline = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("hdsim", timeout)
            time.sleep(.01)
        return self._status


def _ask(*job):
    """Send a job to the process from which the others are copied, and return that: its answer is on its standard output."""
    if not _servers:
        _servers.append(subprocess.Popen([sys.executable, "-W", "error", __file__, json.dumps(sys.path)], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True))
    _servers[0].stdin.write(json.dumps(job) + "\n")
    _servers[0].stdin.flush()
    return _servers[0]


def end():
    """End the process from which the others are copied."""
    while _servers:
        with _servers.pop() as server:
            server.stdin.close()


def _serve():
    """Do the jobs that come on standard input, one after another; a copy of this process returns its job. A job without a name
    asks for the exit status of a command, null if it runs."""
    for name in FIRST:
        importlib.import_module(name)
    gc.freeze()         # or each copy would look through all of it, and so copy its memory
    for line in sys.stdin:
        job = json.loads(line)
        if not job[0]:
            number, status = os.waitpid(job[1], os.WNOHANG)
            print(os.waitstatus_to_exitcode(status) if number else "null", flush=True)
            continue
        number = os.fork()
        if not number:
            return job
        print(number, flush=True)
        if job[0] == "_call":
            print(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]), flush=True)
    return None


def _begin(environment, path, printed, errors=True):
    """In the copy: the environment of one process, whose output goes to a file, with or without errors."""
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = path
    with open(os.devnull) as nothing, open(printed, "w") as file:
        os.dup2(nothing.fileno(), 0)
        os.dup2(file.fileno(), 1)
        if errors:
            os.dup2(file.fileno(), 2)


def _call(module, function, environment, path, printed):
    """The process of one test."""
    _begin(environment, path, printed)
    try:
        getattr(importlib.import_module(module), function)()
    except BaseException:
        traceback.print_exc()
        _end(1)
    _end(0)


def _command(arguments, folder, environment, path, printed):
    """The process of one command."""
    _begin(environment, path, printed, errors=False)
    os.chdir(folder)
    sys.argv[1:] = arguments
    try:
        runpy.run_module("hdsim", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        _end(end.code)


def _end(status):
    """End this process, all modules as they are."""
    sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    sys.path[:] = json.loads(sys.argv[1])
    if asked := _serve():
        globals()[asked[0]](*asked[1:])
