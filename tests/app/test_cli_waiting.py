"""What the command line shows while it works, and what Ctrl-C leaves at each stage."""
import contextlib
import io
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from command_line import POSIX, TWO, finished, process

import hdsim
from hdsim import checker
from hdsim.app import cli, endpoints, generating, headless, report, verbs
from hdsim.formats import io as texts
from hdsim.lab import result
from hdsim.system import waiting

pytestmark = POSIX


class Terminal(io.StringIO):
    """Standard error of a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """terminal(seconds): standard error is a terminal, on which `elapsed` shows its line after that time. A test calls
    it, because pytest replaces standard error between fixtures and test."""
    def terminal(seconds):
        monkeypatch.setattr(waiting, "ELAPSED_EVERY", seconds)
        monkeypatch.setattr(sys, "stderr", Terminal())
        return sys.stderr
    return terminal


def interrupt(*_, **__):
    """Ctrl-C, in the middle of something long."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(.3)


# the line on a terminal

def test_the_seconds_are_shown_and_erased(terminal):
    stderr = terminal(.01)
    with waiting.elapsed("reading x"):
        time.sleep(.05)
    shown = stderr.getvalue().split("\r")
    assert shown[1] == "reading x: 0 s\x1b[K" and len(shown) > 3 and shown[-1] == "\x1b[K"
    time.sleep(.03)
    assert stderr.getvalue().split("\r") == shown


def test_short_work_and_a_pipe_show_nothing(terminal, monkeypatch, capsys):
    monkeypatch.setattr(waiting, "ELAPSED_EVERY", .01)
    with waiting.elapsed("reading x"):
        time.sleep(.03)
    stderr = terminal(1.0)
    with waiting.elapsed("reading x"):
        pass
    assert stderr.getvalue() == capsys.readouterr().err == ""


def test_a_message_begins_on_a_line_of_its_own(terminal):
    stderr = terminal(.01)
    with waiting.elapsed("reading x"):
        time.sleep(.03)
        report.say("a note")
    assert "\x1b[K\r\x1b[Khdsim: a note\n" in stderr.getvalue()


def test_a_long_text_is_cut_to_the_width(terminal, monkeypatch):
    stderr = terminal(.01)
    monkeypatch.setenv("COLUMNS", "40")
    with waiting.elapsed("reading " + " ".join(["word"] * 20)):
        time.sleep(.03)
    lines = [line.removesuffix("\x1b[K") for line in stderr.getvalue().split("\r")]
    assert lines[1] == "reading word word word word word word" and max(map(len, lines)) <= 39


@pytest.mark.parametrize("words, line", [
    ("info two.txt", "reading two.txt"), ("info 5", "placing 5 discs"), ("5 --no-view --until 0", "placing 5 discs"),
    ("generate p10 -o x.txt", "generating p10"), ("generate 5 -o x.txt", "writing x.txt"),
    ("convert two.txt --out x.npz", "writing x.npz"), ("bench 50 --seconds .01", "measuring the speed"),
    ("check two.py", "checking two.py"), ("p10 --engine textbook --no-view --until 0", "setting up the engine"),
    ("p10 --no-view --until 0", "computing the table")])
def test_each_stage_has_its_line(run, monkeypatch, words, line):
    """Stages that may take long: their texts, in their order."""
    stages = []

    @contextlib.contextmanager
    def elapsed(text):
        stages.append(text)
        yield

    for module in sys.modules["hdsim.app.arguments"], generating, verbs, sys.modules["hdsim.app.running"]:
        monkeypatch.setattr(module, "elapsed", elapsed)
    Path("two.txt").write_text(TWO)
    run(*words.split())
    assert line in stages


# Ctrl-C

def test_work_in_another_thread_gives_its_result_or_its_error():
    assert waiting.in_background(threading.current_thread) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        waiting.in_background(lambda: 1 / 0)


def test_ctrl_c_while_its_handler_is_installed(monkeypatch):
    """Python does not return at once from installing it."""
    install, calls, before = signal.signal, [], signal.getsignal(signal.SIGINT)

    def slowly(number, handler):
        install(number, handler)
        calls.append(handler)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
        return before
    monkeypatch.setattr(signal, "signal", slowly)
    with waiting.deferred_interrupt() as interrupted:
        assert interrupted()
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_does_not_wait_for_work_in_another_thread():
    ended, began = threading.Event(), time.perf_counter()
    threading.Timer(.05, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        waiting.in_background(lambda: ended.wait(9))
    assert time.perf_counter() - began < 5
    ended.set()


@pytest.mark.parametrize("words, module, name", [
    ("p10 --no-view", endpoints, "open_source"), ("info p10", endpoints, "open_source"),
    ("convert p10 --out x.npz", endpoints, "open_source"), ("bench p10", endpoints, "open_source"),
    ("check --log two.txt p10", endpoints, "open_source"), ("info p10", report, "info_rows"),
    ("generate p10 -o x.txt", generating, "_made"), ("bench 50", headless, "measure"),
    ("check two.py", checker, "check_program"), ("check --log two.txt p10", checker, "check_log"),
    ("p10 --no-view --until 1", report, "summary_rows"), ("generate p10 -o x.txt", endpoints, "write")])
def test_ctrl_c_in_each_stage_is_one_line_and_status_130(run, monkeypatch, words, module, name):
    """No file but those that were there."""
    Path("two.txt").write_text(TWO)
    monkeypatch.setattr(module, name, interrupt)
    assert run(*words.split()) == (130, "", "hdsim: interrupted\n")
    assert os.listdir() == ["two.txt"]


@pytest.mark.parametrize("words", ["generate p10 -o x.txt", "convert two.txt --out x.txt", "p10 --no-view --until 1 --out x.txt"])
def test_ctrl_c_during_writing_leaves_no_part_of_a_file(run, monkeypatch, words):
    def pieces(configuration):
        yield "10\n"
        interrupt()

    Path("two.txt").write_text(TWO)
    monkeypatch.setattr(texts, "_text_pieces", pieces)
    status, _, err = run(*words.split())
    assert (status, err) == (130, "hdsim: interrupted\n") and os.listdir() == ["two.txt"]


def test_ctrl_c_waits_for_the_curves_of_an_exercise(tmp_path, monkeypatch):
    """They are quickly written: the file is complete."""
    measured = hdsim.lab.temperature(quick=True)
    measured.save(tmp_path / "whole.csv")
    rows = result.zip_longest
    monkeypatch.setattr(result, "zip_longest", lambda *columns, **more: (interrupt(), rows(*columns, **more))[1])
    with pytest.raises(KeyboardInterrupt):
        measured.save(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_ctrl_c_during_imports_is_one_line_and_status_130(tmp_path):
    """A module that hdsim imports early sends the signal."""
    folder = tmp_path / "numpy"
    folder.mkdir()
    (folder / "__init__.py").write_text("import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)\n")
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    assert finished("list", environment={"PYTHONPATH": paths}) == (130, "", "hdsim: interrupted\n")
    status, _, err = finished("list", program=("-c", "import hdsim"), environment={"PYTHONPATH": paths})
    assert "KeyboardInterrupt" in err       # in other programs, the handler is theirs


def test_ctrl_c_after_the_end_is_one_line_and_status_130():
    program = ("import os, signal, sys, time; from hdsim.app.cli import main; main()\n"
               "os.kill(os.getpid(), signal.SIGINT); time.sleep(9)")
    status, out, err = finished("info", "p10", program=("-c", program))
    assert (status, err) == (130, "hdsim: interrupted\n") and out.startswith("source")


def test_ctrl_c_does_not_wait_for_the_thread_at_the_end_of_the_process():
    """`main` as the program of a process, while compiled code works in another thread."""
    program = ("import signal, sys, threading, os, time; from hdsim.app import cli, endpoints\n"
               "def forever(*_, **__):\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(60)\n"
               "endpoints.open_source = forever\nsys.exit(cli.main())")
    began = time.perf_counter()
    assert finished("info", "p10", program=("-c", program)) == (130, "", "hdsim: interrupted\n")
    assert time.perf_counter() - began < 30


def test_a_process_in_the_background_goes_on_ignoring_the_signal():
    """As `nohup` and shells start it; the handler is not replaced."""
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); import runpy; sys.argv[1:] = ['list']\n" \
              "from hdsim import _interrupt; _interrupt.leave_on_interrupt(); _interrupt.raise_on_interrupt()\n" \
              "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN"
    child = process(program=("-c", program))
    assert child.wait(60) == 0


# help, numbers of discs

def test_the_help_of_a_run_is_in_groups(run):
    """The six options that most people need stand first; every option stands once."""
    from hdsim.app import run_options

    parser = run_options.run_parser()
    names = [option.name for option in run_options.RUN_OPTIONS]
    assert {action.dest for action in parser.arguments if action.option_strings} == {*names, "help", "lang", "version"}
    assert {option.group for option in run_options.RUN_OPTIONS} == set(run_options.GROUPS)
    status, out, _ = run("-h")
    sections = out.split("\n\n")
    assert out.startswith("usage: python -m hdsim [-h] [SOURCE] [OPTION ...]\n")
    assert [line.split()[0] for line in sections[3].splitlines() if line.startswith("  --")] \
        == ["--until", "--speed", "--out", "--no-view", "--seed", "--box"]
    assert sections[3].startswith("most used options:\n")
    assert [section.partition(":")[0] for section in sections[3:10]] == [*run_options.GROUPS, "other options"]
    written = [line.split()[0] for line in out.splitlines() if line.startswith("  --")]
    assert len(written) == len(set(written)) == len(names) + 2 and "  -h, --help " in out


@pytest.mark.parametrize("name", ["en", "zh"])
def test_the_help_names_the_course_of_its_language(run, name):
    page = f"docs/course/{name}/index.md"
    assert run("--lang", name, "-h")[1].endswith(f"{page}\n") and (Path(__file__).parents[2] / page).is_file()
    assert cli.main(["--lang", "en", "list"]) == 0


@pytest.mark.parametrize("options", ["", "--seed 3", "--seed 3 --box 2x1 --periodic x"])
def test_generate_takes_a_number_of_discs(run, capsys, options):
    """The discs of a run of that number, as text and as checkpoint."""
    words = ["5", *options.split()]
    assert run(*words, "--no-view", "--until", 0, "--out", "a.npz")[0] == 0
    assert cli.main(["generate", *words]) == 0
    text, err = capsys.readouterr()
    assert text == texts.format_text(hdsim.load("a.npz").configuration())
    assert err == "" and text.endswith("\nbox 2 1\nperiodic x\n") == ("box" in options)
    assert run("generate", *words, "-o", "b.npz")[0] == 0 and hdsim.load("b.npz").hash() == hdsim.load("a.npz").hash()
    assert "--box WxH" in run("generate", "5", "-h")[1]
