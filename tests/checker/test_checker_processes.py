"""What a program that the checker runs leaves behind ends with it."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs import RIGHT

from hdsim import checker
from hdsim.app import cli

QUICK = checker.Limits(seconds=2.0, megabytes=512)

LEAVING = """
import os, subprocess, sys, time

def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with open({path!r}, "a") as file:
                file.write(f"{{os.getpid()}}\\n")
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"])
        os._exit(0)

leave()
leave()
while not os.path.exists({path!r}) or len(open({path!r}).read().split()) < 2:
    pass
"""


def alive(process):
    """A zombie is not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def left_by(path):
    return [int(word) for word in path.read_text().split()]


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to a process that asks for them")


@pytest.mark.sample(1)
@linux
@pytest.mark.parametrize("end", ["", "while True: pass", "os._exit(3)", "os.kill(os.getpid(), 11)", "raise SystemExit(2)"])
def test_what_has_left_the_process_group_ends_with_the_program(tmp_path, end):
    """Daemons of another session, whether the program ends, crashes or has to be ended."""
    pids, program = tmp_path / "pids", tmp_path / "student.py"
    program.write_text(LEAVING.format(path=str(pids)) + end + "\n" + RIGHT)
    checker.check_program(program, QUICK)
    assert len(left_by(pids)) >= 2 and not any(map(alive, left_by(pids)))


@pytest.mark.sample(1)
@linux
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_has_left_the_process_group_ends_with_the_checker(tmp_path, how):
    """Even where the checker cannot clean up."""
    pids, program = tmp_path / "pids", tmp_path / "student.py"
    program.write_text(LEAVING.format(path=str(pids)) + "while True: pass\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen([sys.executable, "-m", "hdsim", "check", program, "--seconds", "60"], env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not pids.exists() or len(left_by(pids)) < 2:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(.02)
    assert all(map(alive, left_by(pids)))
    process.send_signal(how)
    process.wait(30)
    while any(map(alive, left_by(pids))):
        assert time.monotonic() < deadline
        time.sleep(.02)


def test_the_help_says_that_the_program_is_run(capsys):
    assert cli.main(["check", "-h"]) == 0
    assert "The program runs with your rights" in capsys.readouterr().out
