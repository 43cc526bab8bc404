"""Processes for tests of windows, in which hdsim is loaded already: each is a copy of one process that has drawn nothing.

`run` starts that process, this file as a program, with the first call. What it imports costs more time than most tests.
"""
import importlib
import json
import os
import select
import subprocess
import sys
import tempfile
import traceback

# No pyglet: what it loads depends on the display.
FIRST = ["numpy", "pytest", "hdsim.viewer.windows.single", "hdsim.lab.showcase", "hdsim.spaces", "test_viewer"]
_servers = []


def run(function, environment, seconds):
    """Call a function of a test file in such a process, warnings being errors: (exit status, what it has printed). The status is
    None if the process had to be ended after so many seconds."""
    if not _servers:
        _servers.append(subprocess.Popen([sys.executable, "-W", "error", __file__, json.dumps(sys.path)], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True))
    server = _servers[0]
    with tempfile.NamedTemporaryFile("r", errors="replace") as printed:
        job = [function.__module__, function.__name__, environment, sys.path, printed.name]
        server.stdin.write(json.dumps(job) + "\n")
        server.stdin.flush()
        number = int(server.stdout.readline())
        ended = select.select([server.stdout], [], [], seconds)[0]
        if not ended:
            os.kill(number, 9)
        status = int(server.stdout.readline())
        return status if ended else None, printed.read()


def end():
    """End the process from which the others are copied."""
    while _servers:
        with _servers.pop() as server:
            server.stdin.close()


def _serve():
    """Do the jobs that come on standard input, one after another; a copy of this process returns its job."""
    for name in FIRST:
        importlib.import_module(name)
    for line in sys.stdin:
        number = os.fork()
        if not number:
            return json.loads(line)
        print(number, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]), flush=True)
    return None


def _begin(module, function, environment, path, printed):
    """In the copy: the process of one test."""
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = path
    with open(os.devnull) as nothing, open(printed, "w") as file:
        os.dup2(nothing.fileno(), 0)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    try:
        getattr(importlib.import_module(module), function)()
    except BaseException:
        traceback.print_exc()
        sys.exit(1)


if __name__ == "__main__":
    sys.path[:] = json.loads(sys.argv[1])
    if asked := _serve():
        _begin(*asked)
