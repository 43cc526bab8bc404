"""The command line as a process of its own: pipes, signals, terminals and windows."""
import os
import re
import signal
import subprocess
import time

import numpy as np
import pytest
from command_line import POSIX, finished, process, rows

import hdsim
from hdsim import language
from hdsim.formats import io
from hdsim.reference.side_by_side import SideBySide
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem, exact_twin
from hdsim.viewer.playback import Playback

ONE_AFTER_ANOTHER = "contacts of one instant one after another"


# processes: pipes, signals, terminals

@POSIX
def test_a_reader_that_goes_away_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    child = process("list", stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert child.communicate(timeout=60)[1] == b"" and child.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is full")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "wb") as full:
        child = process("list", stdout=full, stderr=subprocess.PIPE)
    assert child.communicate(timeout=60)[1] == b"hdsim: error: No space left on device\n" and child.returncode == 2


@pytest.mark.sample(1)
@POSIX
@pytest.mark.parametrize("engine", ["indexed", "textbook"])
def test_ctrl_c_ends_a_run_with_its_summary(tmp_path, engine):
    """Status 130, and --out holds the state that was reached."""
    end = tmp_path / "end.txt"
    child = process("p10", "--until", "1e9", "--engine", engine, "--view", "--out", end,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stderr.readline() == (
        b"hdsim: no display: $DISPLAY is not set; running without a window (--browser shows a page, --out FILE.gif films the "
        b"run, --record FILE writes it)\n")
    time.sleep(.7)
    child.send_signal(signal.SIGINT)
    began = time.perf_counter()
    out, err = child.communicate(timeout=60)
    assert time.perf_counter() - began < 5
    assert child.returncode == 130
    assert err.decode() == f"hdsim: wrote {end}\nhdsim: interrupted\n"
    reached = float(rows(out.decode())["time"].removeprefix("0 to "))
    assert 0 < reached < 1e9 and len(io.read_text(end).configuration) == 10


def on_a_terminal(*arguments, program=("-m", "hdsim")):
    """What such a process writes on a terminal."""
    import pty

    terminal, end = pty.openpty()
    child = process(*arguments, program=program, stdin=end, stdout=end, stderr=end)
    os.close(end)
    written = b""
    try:
        while part := os.read(terminal, 4096):
            written += part
    except OSError:     # Linux says so when the other end is closed
        pass
    os.close(terminal)
    assert child.wait(60) == 0
    return written.decode()


@POSIX
def test_progress_is_shown_on_a_terminal():
    """A bar by tqdm; without tqdm a figure; both are gone at the end. In a pipe there is none."""
    run = ("p1000-2K", "--no-view", "--until", "1500")
    hidden = "import sys; sys.modules['tqdm'] = None; from hdsim.app.cli import main; sys.exit(main(sys.argv[1:]))"
    plain = on_a_terminal(*run, program=("-c", hidden))
    assert re.search(r"\r +\d+ %  t = \S+ of 1500", plain)
    assert plain.split("\x1b[K")[-1].startswith("discs ")
    assert finished(*run)[2] == ""
    pytest.importorskip("tqdm", reason="the extra `progress` is not installed")
    assert re.search(r"\r +\d+ % \|.+\| t = \S+ of 1500", on_a_terminal(*run))


def test_without_a_display_the_windows_options_are_said_to_be_idle():
    status, _, err = finished("p10", "--until", "1", "--hz", "2", "--speed", "3")
    assert status == 0 and err == ("hdsim: no display: $DISPLAY is not set; running without a window, "
                                   "and --speed has no effect, and --hz has no effect (--browser shows a page, --out FILE.gif "
                                   "films the run, --record FILE writes it)\n")


@pytest.mark.parametrize("options, said", [
    ("", False), ("--collisions simultaneous", False), ("--collisions sequential", True), ("--engine textbook", True),
    ("--engine time --dt .5", True), ("--engine time --dt .5 --scheme walls", False), ("--compare time:.5", True)])
def test_a_summary_says_when_contacts_go_one_after_another(run, monkeypatch, options, said):
    """For then one name has another history; in both languages."""
    monkeypatch.setattr(language, "_texts", None)       # put back at the end
    monkeypatch.setattr(language, "_name", "en")
    words = ["billiards5", "--no-view", "--until", 8, *options.split()]
    assert (ONE_AFTER_ANOTHER in run(*words)[1]) == said
    chinese = run("--lang", "zh", *words)[1]
    assert ("逐个处理同一时刻的碰撞" in chinese or "同一时刻的碰撞逐个处理" in chinese) == said


@pytest.mark.parametrize("make, said", [
    (lambda system: system, False), (TextbookSystem, True), (lambda system: TimeDrivenSystem(system, .5), True),
    (lambda system: TimeDrivenSystem(system, .5, "walls"), False), (lambda system: SideBySide(system, .5), True),
    (exact_twin, True)])
def test_the_line_under_a_window_says_it_too(make, said):
    assert (ONE_AFTER_ANOTHER in Playback(make(hdsim.load("billiards5"))).status()) == said


# windows

WATCHED = """
import sys, pyglet
from hdsim.app.cli import main

def look(dt):
    for window in list(pyglet.app.windows):
        playback = window.playback
        if playback.paused:
            print(window.caption, playback.speed, playback.hz, playback.message, sep=" | ")
            window.close()

pyglet.clock.schedule_interval(look, .05)
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", ["indexed", "textbook", "time --dt .25"])
def test_a_window_runs_reverses_and_pauses(screen, missing, tmp_path, engine):
    """--speed, --hz, --until, --reverse-at and --view --out in a window: it pauses at 100, where all are at home again."""
    end = tmp_path / "end.txt"
    status, out, err = finished("p10", "--engine", *engine.split(), "--speed", 500, "--hz", 3, "--until", 100, "--reverse-at", 50,
                                "--view", "--out", end, program=("-c", WATCHED), environment={"DISPLAY": screen})
    if "OpenGL" in err or "apt-get install" in err:
        missing(err)
    assert (status, err) == (0, f"hdsim: wrote {end}\n")
    assert out == "hdsim: p10 | 500.0 | 3.0 | paused at t = 100, as asked\n"
    back, start = io.read_text(end).configuration, hdsim.load("p10")
    np.testing.assert_allclose(back.positions, start.positions, atol=1e-9)
    np.testing.assert_allclose(back.velocities, -start.velocities, atol=1e-9)


@pytest.mark.more
def test_a_window_can_wait_and_fill_the_screen(screen, missing):
    """--paused shows the start, --fullscreen as large as the screen."""
    look = WATCHED.replace("playback.message", "playback.system.time, window.get_size()")
    status, out, err = finished("p10", "--paused", "--fullscreen", program=("-c", look), environment={"DISPLAY": screen})
    if "OpenGL" in err or "apt-get install" in err:
        missing(err)
    assert (status, err) == (0, "")
    assert out == "hdsim: p10 | 100.0 | None | 0.0 | (1280, 640)\n"
