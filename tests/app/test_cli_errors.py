"""Each wrong command line, wrong input or impossible target is one line and an exit status."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import TWO, rows
from scenes import environment

import hdsim
from hdsim.app import cli, run_options
from hdsim.formats import files


@pytest.mark.parametrize("arguments, line", [
    ("nosuch", "nosuch: no such file, and no system of this name"),
    ("briliards5", "nearest: billiards5"),
    ("info missing.txt", "missing.txt: no such file"),
    (".", r"\.: expected a file, found a directory"),
    ("bad.txt", r"bad\.txt:3: expected 9 columns .* found 8"),
    ("bad.npz", r"bad\.npz: expected a checkpoint"),
    ("two.txt --box 0.5x0.5", r"two\.txt:2: expected discs inside the box"),
    ("two.txt --order mass-radius", r"two\.txt:2: .*columns read as mass-radius"),
    ("two.txt --seed 1", "--seed does not apply to a text without thermal surfaces: two.txt"),
    ("100 --order auto", "--order does not apply to a number of random discs: 100"),
    *((f"two.npz --{option}", f"--{option.split()[0]} does not apply to a checkpoint") for option in
      ("order auto", "seed 1", "box 1x1", "periodic x", "collisions sequential")),
    ("two.npz --until 4", "--until 4 lies in the past: the system is at time 5"),
    ("two.npz --reverse-at 5", "--reverse-at 5 must lie in the future: the system is at time 5"),
    ("p10 --reverse-at 0", "--reverse-at 0 must lie in the future"),
    ("p10 --reverse-at 9 --until 8", "--reverse-at 9 lies beyond --until 8"),
    ("p10 --no-view --reverse-at 10001", "--reverse-at 10001 lies beyond --until 10000"),
    ("99999999999", "found 99999999999"),
    ("9000 --box 1e-200x1e-200", "box width"),
    ("p10 --until nan", "argument --until: expected a finite number, found 'nan'"),
    ("p10 --until soon", "found 'soon'"),
    ("p10 --speed 0", "argument --speed: expected a finite number above 0, found '0'"),
    ("p10 --speed 1e-308", "argument --speed: expected a speed from 1e-30 to 1e.30 time units per second, found '1e-308'"),
    ("p10 --seed 1.5", "argument --seed: expected a whole number, found '1.5'"),
    ("p10 --box 2", "argument --box: expected WxH or WxHxD, as in 2x1, found '2'"),
    ("p10 --box 2x-1", "found '2x-1'"),
    ("p10 --periodic z", "expected axes x and y, as rows of 9 numbers have, found z among the periodic ones"),
    ("p10 --order radius", "argument --order: invalid choice"),
    ("p10 --engine steps", "argument --engine: invalid choice"),
    ("p10 --until 1 --until 2", "--until is given twice"),
    ("p10 --unt 1", r"unrecognized arguments: --unt 1 \(python"),
    ("p10 --untl=1", "unrecognized arguments: --untl=1; nearest: --until "),
    ("p10 -sede 1", "unrecognized arguments: -sede 1; nearest: --seed "),
    ("p10 --rnug walls", r"unrecognized arguments: --rnug walls \(python"),
    ("info p10 --ordre auto", "unrecognized arguments: --ordre auto; nearest: --order "),
    ("generate p10 --sede 3", r"unrecognized arguments: --sede 3; nearest: --(seed|speed) "),
    ("generate 5 --n 3", "unrecognized arguments: --n 3; 5 has --seed, --box, --periodic"),
    ("generate 99999999999", "expected a number of discs of at most 2147483647, found 99999999999"),
    ("lst", "lst: no verb, no file and no system of this name; nearest: list$"),
    ("Genrate p10 -o x.txt", "Genrate: no verb, no file and no system of this name; nearest: generate$"),
    ("bo", "bo: no such file, and no system of this name; `python -m hdsim list` shows them all$"),
    ("p10 p100", "unrecognized arguments: p100"),
    ("p10 --no-view --speed 2", "--speed belongs to the window"),
    ("p10 --no-view --hz 2", "--hz belongs to the window"),
    ("p10 --no-view --paused", "--paused belongs to the window"),
    ("p10 --out x.gif --fullscreen", "--fullscreen belongs to the window, and a film opens none"),
    ("p10 --engine textbook --collisions simultaneous",
     "resolves contacts one after another: it has no --collisions simultaneous"),
    ("p10 --engine textbook --periodic x", "the textbook engine knows walls only"),
    ("p10 --engine textbook --out x.npz", "the textbook engine has no checkpoints"),
    ("p10 --out x.avi", r"--out x\.avi: expected a file that ends in \.gif, \.apng, .* \.lammpstrj or \.dump, found '\.avi'"),
    ("p10 --out x.gif --fps 51", "a GIF shows 50 frames per second at most"),
    ("p10 --out x.gif --hz 2", "--hz belongs to the window, and a film opens none"),
    ("p10 --out x.gif --reverse-at 1e9", "--reverse-at 1e.09 lies beyond --until 1000"),
    ("p10 --out x.npz --size 9x9", r"--size does not apply to --out x\.npz: it is for pictures and films"),
    ("p10 --size 9x9", "--size is the size of --out, a picture or a film, and there is no --out"),
    ("p10 --out x.gif --size 9", "argument --size: expected pixels as WxH, as in 1920x1080, found '9'"),
    ("p10 --out x.gif --size 9x0", "found '9x0'"),
    ("p10 --out x.png --fps 9", r"--fps belongs to a film, and --out names none \(\.mp4"),
    ("p10 --fps 9", "--fps belongs to a film"),
    ("convert p10 --out x.gif", r"expected a file that ends in \.png, .* \.lammpstrj or \.dump, found '\.gif'"),
    ("p10 --engine textbook --out x.xyz", "the textbook engine has no trajectories"),
    ("p10 --engine textbook --no-view --record x.xyz --every 1", "the textbook engine has no trajectories"),
    ("p10 --no-view --record x.xyz", "--record x.xyz: expected --every DT, the time between two frames, found none"),
    ("p10 --no-view --record x.mp4 --every 1", "--record x.mp4: this would be a film, which --out x.mp4 writes"),
    ("p10 --record x.gif", "--record x.gif: this would be a film, which --out x.gif writes"),
    ("1e5 --no-view", "1e5: no such file, and no system of this name; a number of discs is written in digits: 100000"),
    ("bench 1_000", "a number of discs is written in digits: 1000$"),
    ("info 1.5", "a number of discs is written in digits$"),
    ("info 1e99", "a number of discs is written in digits$"),
    ("lab maxwell -5", "a number of discs is written in digits$"),
    ("info inf", "no system of this name; nearest: linf$"),
    ("p10 --no-view --record x.png --every 1", "x.png: expected a file that ends in .xyz"),
    ("p10 --no-view --record no/x.xyz --every 1", "--record no/x.xyz: there is no folder"),
    ("p10 --record x.xyz --every 1 --view", "--view asks for a window, and --record x.xyz opens none"),
    ("p10 --view --no-view", "--view asks for a window, and --no-view opens none"),
    ("p10 --view --out x.gif", "--view asks for a window, and a film opens none"),
    ("p10 --out x.png --paused", "--paused belongs to the window, and --out x.png opens none without --view"),
    ("p10 --out x.txt --colors speed", "--colors belongs to the window, pictures and films, and --out x.txt opens none"),
    ("p10 --record x.csv --speed 2", "--speed belongs to the window, and --record x.csv opens none"),
    ("p10 --no-view --out x.gif --record x.xyz --every 1", "--record is for a run without a window or a film"),
    ("p10 --no-view --every 1", "--every belongs to --record"),
    ("p10 --frame 1", "--frame does not apply to a text: p10"),
    ("short.xyz --frame 1", "short.xyz: expected a frame from 0 to 0, found 1"),
    ("short.xyz --box 1x1", "--box does not apply to a trajectory"),
    ("p10 --out x", "found no ending"),
    ("p10 --out no/x.txt", "--out no/x.txt: there is no folder"),
    ("p10 --out folder.txt", r"--out folder\.txt: this is a folder"),
    ("convert p10", "the following arguments are required: --out"),
    ("convert p10 --out x.abc", "--out x.abc: expected"),
    ("generate", "the following arguments are required: NAME"),
    ("generate brownain --n 3", "no data set is called 'brownain': nearest are brownian"),
    ("generate compresed --n 3", "there is no data set or state 'compresed': nearest is compressed"),
    ("generate p10 --phi 3", "unrecognized arguments: --phi 3; p10 has --n, --radius"),
    ("generate p10 --n 3.5", "argument --n: expected a whole number, found '3.5'"),
    ("generate p10 --n 100000", "packing fraction"),
    ("generate triangular --n 7", "7 discs make no triangular lattice"),
    ("generate triangular --ratio 2", "unrecognized arguments: --ratio 2; triangular has --n, --packing-fraction"),
    ("generate compressed --n 0", "radii has shape"),
    ("generate compressed --n 100 --packing-fraction .9 --rate .3", "jammed at packing fraction 0.8"),
    ("generate p10 -o x.csv", "--out x.csv: expected"),
    ("list all", "unrecognized arguments: all"),
    ("p10 --film x.gif", "unrecognized arguments: --film x.gif; nearest: --out FILE.mp4"),
    ("p10 --html", "unrecognized arguments: --html; nearest: --out FILE.html"),
    ("p10 -o x.gif", "unrecognized arguments: -o x.gif; nearest: --out FILE "),
    ("lab queues --save x.png", "unrecognized arguments: --save x.png; nearest: --out FILE "),
    ("info p10 --save x.png", r"unrecognized arguments: --save x.png \(python"),
    ("run p10", "run: no verb of this name; python -m hdsim p10 runs that, and python -m hdsim -h shows all verbs"),
    ("help", "help: no verb of this name; type: python -m hdsim -h$"),
    ("check short.csv", "short.csv: expected a program in Python; `python -m hdsim check --log EVENTS SOURCE` compares"),
    ("check --log short.csv", "the following arguments are required: SOURCE "),
    ("bench p10 --phi .3", "--phi is for a number of discs"),
    ("bench 100 --phi .9", "packing fraction 0.900, more than"),
    ("bench 0", "nothing to measure"),
    ("bench still.txt", "nothing to measure"),
    ("bench --seconds 0", "argument --seconds"),
])
def test_every_error_is_one_line_and_status_2(run, arguments, line):
    os.mkdir("folder.txt")
    for name, text in (("two.txt", TWO), ("bad.txt", "2\n.3 .5 .1 0 .1 1 0 0 0\n.7 .5 -.1 0 .1 1 0 0\n"),
                       ("bad.npz", "not one"), ("still.txt", "1\n.5 .5 0 0 .1 1 0 0 0\n")):
        Path(name).write_text(text)
    system = hdsim.load("two.txt")
    system.simulate(until=5)
    system.save("two.npz")
    files.write("short.xyz", system.frame())
    status, out, err = run(*arguments.split())
    *notes, last = err.splitlines()
    assert (status, out) == (2, "")
    assert re.match(rf"hdsim: error: .*{line}", last), last
    assert notes in ([], ["hdsim: no --until: running to t = 10000"])


@pytest.mark.parametrize("arguments, stdin, line", [
    ("", "", "<stdin>:1: expected the number of discs, found an empty file; give a SOURCE"),
    ("info -", " \n", r"<stdin>:\d: expected the number of discs"),
    ("", "two\n", "<stdin>:1: expected the number of discs"),
    ("", "1\n.5 .5 0 0 .1 x 0 0 0\n", "<stdin>:2: expected a finite number in column 6 .*found 'x'"),
    ("info", "1\n.5 .5 0 0 .1 1 0 0 256\n", "<stdin>:2: expected a whole number from 0 to 255 for b, found '256'"),
])
def test_every_wrong_pipe_is_one_line_and_status_2(run, arguments, stdin, line):
    status, out, err = run(*arguments.split(), stdin=stdin)
    assert (status, out) == (2, "")
    assert re.fullmatch(rf"hdsim: error: {line}.*\n", err)


@pytest.mark.parametrize("arguments, stdin, command", [
    ("CollisionSystem 100", None, "python -m hdsim 100"), ("CollisionSystem 100", "", "python -m hdsim 100"),
    ("CollisionSystem", "10\n", "python -m hdsim < FILE"), ("CollisionSystem", None, "python -m hdsim 100"),
    ("CollisionSystem p10.txt", None, "python -m hdsim p10.txt"), ("BouncingBalls 20", None, "python -m hdsim balls 20"),
    ("BouncingBalls", "", "python -m hdsim balls 100")])
def test_programs_of_the_book_get_the_command_to_type(run, arguments, stdin, command):
    """One line and status 2, in both languages; the command is one that works."""
    said = "hdsim: {} is a program of the book; type: {}\n"
    assert run(*arguments.split(), stdin=stdin) == (2, "", said.format(arguments.split()[0], command))
    status, out, err = run(*arguments.split(), "--lang", "zh", stdin=stdin)
    assert (status, out) == (2, "") and "教科书" in err and err.endswith(f"：{command}\n")
    words = command.removeprefix("python -m hdsim ").removesuffix("< FILE").split()
    given = "1\n.5 .5 .1 0 .1 1 0 0 0\n" if "FILE" in command else None
    assert run(*words, "--no-view", "--until", "1", stdin=given)[0] == 0


def test_nothing_at_all_on_a_terminal_lists_the_gallery_where_no_window_can_be(run):
    """Every data set, table and experiment, each with its sentence; the reason on standard error."""
    status, out, err = run()
    assert status == 0 and err.endswith("; the list of the gallery instead\n")
    assert [line for line in out.splitlines() if line.endswith(":") and line.count(" ") < 3] == [
        "to begin with:", "data sets:", "tables:", "other spaces:", "experiments:"]
    assert "billiards5 " in out and "stadium " in out and "lab kinetic " in out


@pytest.mark.more
def test_the_null_device_is_no_pipe(elsewhere):
    """As a launcher or an editor starts the program: the list, as on a terminal without a window. An empty pipe is an error."""
    listed = elsewhere("-m", "hdsim", stdin=subprocess.DEVNULL, DISPLAY="")
    assert "data sets:" in listed and "billiards5 " in listed
    done = subprocess.run([sys.executable, "-m", "hdsim"], input=b"", capture_output=True, env=environment())
    assert done.returncode == 2 and b"found an empty file; give a SOURCE" in done.stderr


def test_no_source_on_a_terminal_shows_the_usage(run):
    status, out, err = run("--paused")
    assert (status, out) == (2, "") and err.startswith("usage: python -m hdsim [-h]")
    assert err.splitlines()[-1].startswith("hdsim: error: expected a SOURCE")
    assert run("info")[0] == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_target_without_permission_is_refused_before_the_run(run, tmp_path):
    os.mkdir("closed", mode=0o500)
    status, out, err = run("p10", "--no-view", "--out", "closed/x.txt")
    assert (status, out, err) == (2, "", "hdsim: error: --out closed/x.txt: not writable\n")


def test_a_jam_is_status_1_after_the_summary(run, monkeypatch):
    def jam(self, **limits):
        raise hdsim.JammedError("jammed: discs 1, 2", (1, 2))
    monkeypatch.setattr(hdsim.CollisionSystem, "simulate", jam)
    status, out, err = run("p10", "--no-view", "--until", 5)
    assert (status, err) == (1, "hdsim: error: jammed: discs 1, 2\n") and rows(out)["time"] == "0 to 0"


def test_the_table_of_options_names_options_of_a_run():
    """Each once, with needs that are in the table of needs and exclusions that are options; each refusal has a test above."""
    options = vars(run_options.run_parser().parse_args([]))
    names = [option.name for option in run_options.RUN_OPTIONS]
    assert len(set(names)) == len(names) and {*names, *run_options.COMPARE} <= set(options)
    assert {option.needs for option in run_options.RUN_OPTIONS} - {None} == set(run_options.NEEDS)


@pytest.mark.parametrize("words, found", [
    ("--compare time:.5 --reverse-at 0", "--reverse-at does not apply to two engines side by side, and --compare is given"),
    ("--compare time:.5 --engine textbook", "--engine does not apply to two engines side by side, and --compare is given"),
    ("--scheme walls", "--scheme belongs to --engine time, and the engine is indexed"),
    ("--every 1", "--every belongs to --record, which is not given"),
    ("--fps 3", "--fps belongs to a film, and --out names none"),
    ("--no-view --view", "--view asks for a window, and --no-view opens none"),
    ("--no-view --speed 2", "--speed belongs to the window, and --no-view opens none"),
    ("--out a.gif --hz 2", "--hz belongs to the window, and a film opens none"),
    ("--no-view --theme dark", "--theme belongs to the window, pictures and films, and --no-view opens none"),
])
def test_an_option_needs_what_the_table_says(words, found, capsys):
    """Each need, and what --compare excludes, 0 and the default engine included."""
    assert cli.main(["p10", *words.split()]) == 2
    assert found in capsys.readouterr().err
