"""The command line: what each verb and option does, and that every wrong word gets one line and status 2.

Most tests call `main` in this process. Pipes, signals, terminals and windows get processes of their own.
"""
import io as bytes_io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import hdsim
from hdsim import datasets, language
from hdsim.app import cli, headless, run_options
from hdsim.formats import files, io
from hdsim.reference.side_by_side import SideBySide
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem, exact_twin
from hdsim.viewer.playback import Playback

ONE_AFTER_ANOTHER = "contacts of one instant one after another"
VERBS = ("info", "list", "generate", "convert", "bench", "lab", "play", "balls", "check")
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and terminals of POSIX")
TWO = "2\n.3 .5 .1 0 .1 1 0 0 0\n.7 .5 -.1 0 .1 1 0 0 0\n"
OVERLAPPING = "2\n.45 .5 .1 0 .1 1 0 0 0\n.55 .5 -.1 0 .1 1 0 0 0\n"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """run(*arguments, stdin=text or None): status, standard output and standard error of the command line.

    It works in an empty folder. Without stdin, standard input is a terminal."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=None):
        stream = bytes_io.TextIOWrapper(bytes_io.BytesIO((stdin or "").encode()))
        stream.isatty = lambda: stdin is None
        monkeypatch.setattr(sys, "stdin", stream)
        status = cli.main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        assert "Traceback" not in output.err
        assert all(len(line) <= 100 for line in output.out.splitlines())
        return status, output.out, output.err
    return run


@pytest.fixture
def summary(run):
    """summary(*arguments, stdin): the rows of the summary of a run without a window, as a dict."""
    def summary(*arguments, stdin=None):
        status, out, err = run(*arguments, "--no-view", stdin=stdin)
        assert status == 0, err
        return rows(out)
    return summary


def rows(text):
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines())


def contacts(summary):
    return tuple(int(number.replace(",", "")) for number in re.findall(r"[\d,]+\d|\d", summary["contacts"]))


def process(*arguments, program=("-m", "hdsim"), **options):
    """A process of the command line, without a display unless one is given, importing what this process imports."""
    paths = os.pathsep.join([os.path.abspath(path) for path in sys.path if path])
    environment = {**os.environ, "PYTHONPATH": paths, "DISPLAY": "", "TERM": "xterm", **options.pop("environment", {})}
    return subprocess.Popen([sys.executable, *program, *map(str, arguments)], env=environment, **options)


def finished(*arguments, input=b"", **options):
    """Status, standard output and standard error, as text, of such a process."""
    child = process(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    out, err = child.communicate(input, timeout=60)
    return child.returncode, out.decode(), err.decode()


# what the README shows

def test_the_readme_commands(tmp_path):
    """generate brownian > brownian.txt, then hdsim < brownian.txt; without a display, one line says so."""
    with open(tmp_path / "brownian.txt", "wb") as file:
        assert process("generate", "brownian", stdout=file).wait(60) == 0
    text = (tmp_path / "brownian.txt").read_bytes()
    assert text.replace(b"\r\n", b"\n") == datasets.read_bytes("brownian")
    status, out, err = finished("--until", "100", input=text)
    assert (status, err) == (0, "hdsim: no display: $DISPLAY is not set; running without a window\n")
    assert rows(out)["discs"] == "1,000" and rows(out)["time"] == "0 to 100"


def test_a_pipe_a_file_and_a_name_are_the_same_system(run, summary):
    text = run("generate", "billiards5")[1]
    Path("mine.txt").write_text(text)
    hashes = [summary(*source, "--until", 50, stdin=stdin)["hash"] for source, stdin in
              [((), text), (("-",), text), (("mine.txt",), None), (("billiards5",), None), (("billiards5.txt",), None)]]
    system = hdsim.load("billiards5")
    system.simulate(until=50)
    assert set(hashes) == {system.hash()}


def test_a_number_of_discs(summary):
    system = hdsim.load("100")
    system.simulate(until=20)
    result = summary("100", "--until", 20)
    assert (result["discs"], result["hash"]) == ("100", system.hash())


def test_the_summary_tells_what_the_system_does(summary):
    system = hdsim.load("billiards5")
    count = system.simulate(until=100)
    result = summary("billiards5", "--until", 100)
    assert list(result) == ["discs", "time", "events", "contacts", "energy drift", "hash", "wall clock"]
    statistics = system.statistics
    assert result["time"] == "0 to 100" and result["hash"] == system.hash()
    assert contacts(result) == (statistics["pair_contacts"], statistics["wall_contacts"]) and sum(contacts(result)) == count
    assert result["events"] == f"{statistics['events']}, {statistics['multi_events']} of them with several contacts"
    assert abs(float(result["energy drift"])) < 1e-12
    assert re.fullmatch(r"\S+ s: \S+ time units and [\d,]+ events per second", result["wall clock"])


@pytest.mark.parametrize("name", datasets.names())
def test_every_data_set_runs(summary, name):
    result = summary(name, "--until", 1)
    assert result["time"] == "0 to 1" and abs(float(result["energy drift"])) < 1e-12


def test_a_long_run_in_chunks_is_one_run(summary, monkeypatch):
    """Looking at the clock in between, for progress and Ctrl-C, moves nothing."""
    monkeypatch.setattr(headless, "CHUNK", 1e-9)
    system = hdsim.load("p10")
    system.simulate(until=1000)
    assert summary("p10", "--until", 1000)["hash"] == system.hash()


def test_headless_without_until_says_where_it_ends(run):
    status, out, err = run("one", "--no-view")
    assert status == 0 and err == "hdsim: no --until: running to t = 10000\n" and rows(out)["time"] == "0 to 10000"


# options

@pytest.mark.parametrize("source, option", [
    ("100", ("--seed", 1)), ("100", ("--box", "2x1")), ("100", ("--periodic", "x")), ("p10", ("--periodic", "y")),
    ("p10", ("--periodic", "xy")), ("p10", ("--box", "1x1.5")), ("billiards5", ("--collisions", "sequential")),
    ("brownian2", ("--order", "mass-radius")), ("p10", ("--reverse-at", 50)), ("p10", ("--until", 200)),
])
def test_every_option_changes_the_run(summary, source, option):
    assert summary(source, *(option if "--until" in option else (*option, "--until", 100)))["hash"] \
        != summary(source, "--until", 100)["hash"]


@pytest.mark.parametrize("source, option", [
    ("100", ("--seed", 0)), ("p10", ("--box", "1x1")), ("billiards5", ("--collisions", "simultaneous")),
    ("brownian2", ("--order", "radius-mass")), ("p10", ("--engine", "indexed")),
])
def test_an_option_at_its_default_changes_nothing(summary, source, option):
    assert summary(source, *option, "--until", 100)["hash"] == summary(source, "--until", 100)["hash"]


def test_both_orders_of_columns(run, summary):
    """A file with the mass first reads the same, by itself and by --order; when both fit, a line says what was taken."""
    swapped = [row.split() for row in run("generate", "p10")[1].splitlines()[1:]]
    text = "10\n" + "".join(" ".join([*row[:4], row[5], row[4], *row[6:]]) + "\n" for row in swapped)
    expected = summary("p10", "--until", 100)["hash"]
    assert summary("--until", 100, stdin=text)["hash"] == expected
    assert summary("--until", 100, "--order", "mass-radius", stdin=text)["hash"] == expected
    assert run("brownian2", "--no-view", "--until", 1)[2] == \
        "hdsim: brownian2: both orders fit; radius-mass is the usual one (--order chooses)\n"
    assert run("brownian2", "--order", "radius-mass", "--no-view", "--until", 1)[2] == ""


@pytest.mark.parametrize("engine", ["indexed", "textbook"])
def test_reversed_velocities_return_home(run, engine):
    """--reverse-at T: at 2T every disc is where it began, with minus its velocity."""
    assert run("p10", "--no-view", "--engine", engine, "--until", 100, "--reverse-at", 50, "--out", "back.txt")[0] == 0
    back, start = io.read_text("back.txt").configuration, hdsim.load("p10")
    np.testing.assert_allclose(back.positions, start.positions, atol=1e-9)
    np.testing.assert_allclose(back.velocities, -start.velocities, atol=1e-9)


def test_reversing_is_exact(run):
    """The same bits as running to T, reversing, and running on; also from a checkpoint in mid-run."""
    system = hdsim.load("p10")
    system.simulate(until=30)
    system.save("mid.npz")
    system.simulate(until=50)
    system.reverse()
    system.simulate(until=80)
    for source in "p10", "mid.npz":
        assert run(source, "--no-view", "--until", 80, "--reverse-at", 50, "--out", "end.npz")[0] == 0
        end = hdsim.load("end.npz")
        assert end.hash() == system.hash() and np.array_equal(end.positions, system.positions)


@pytest.mark.parametrize("source, until", [("p10", 200), ("billiards5", 5), ("squeeze2", 500), ("mixing", 1)])
def test_the_textbook_engine_agrees(run, source, until):
    """As many contacts of each kind, and the same places to rounding, as the indexed engine contact by contact."""
    results = []
    for option in ("--engine", "textbook"), ("--collisions", "sequential"):
        status, out, err = run(source, "--no-view", "--until", until, *option, "--out", "end.txt")
        assert status == 0, err
        results.append((contacts(rows(out)), io.read_text("end.txt").configuration.positions, rows(out)))
    assert results[0][0] == results[1][0]
    np.testing.assert_allclose(results[0][1], results[1][1], atol=1e-7)
    assert results[0][2]["engine"] == "textbook" and "hash" not in results[0][2]
    assert {result[2]["rule"] for result in results[:2]} == {ONE_AFTER_ANOTHER}


def test_out_writes_what_the_suffix_names(run):
    for name in "end.npz", "end.txt":
        status, _, err = run("p10", "--no-view", "--until", 20, "--out", name)
        assert status == 0 and err == f"hdsim: wrote {name}\n"
    system = hdsim.load("end.npz")
    assert system.time == 20 and run("end.npz", "--no-view", "--until", 20)[1].startswith("discs         10\n")
    assert np.array_equal(io.read_text("end.txt").configuration.positions, system.positions)


def test_out_writes_a_picture_without_a_display(missing, tmp_path):
    """Of the size that is asked for; the red disc is in it."""
    image = pytest.importorskip("PIL.Image", reason="pillow reads the picture")
    status, _, err = finished("one", "--box", "2x1", "--until", "0", "--no-view", "--out", tmp_path / "one.png",
                              "--size", "700x350")
    if "apt-get install" in err or "no OpenGL" in err:
        missing(err)
    assert status == 0, err
    with image.open(tmp_path / "one.png") as picture:
        assert picture.size == (700, 350)
        assert (200, 0, 0) in {color for _, color in picture.getcolors(2**24)}


def test_a_text_of_another_box_says_how_to_read_it(run):
    err = run("p10", "--box", "2x1.5", "--periodic", "x", "--no-view", "--until", 1, "--out", "box.txt")[2]
    assert err == "hdsim: wrote box.txt (read it again with --box 2x1.5 --periodic x)\n"
    assert run("info", "box.txt", "--box", "2x1.5", "--periodic", "x")[0] == 0


def test_a_file_named_like_a_verb(run):
    Path("list").write_text(TWO)
    assert rows(run("./list", "--no-view", "--until", 1)[1])["discs"] == "2"


def test_overlaps_are_one_warning(run):
    status, _, err = run("--no-view", "--until", 1, stdin=OVERLAPPING)
    assert status == 0 and re.fullmatch(r"hdsim: warning: 1 pair of discs overlaps .*\n", err)


# the other verbs

def test_info_says_what_a_file_holds(run):
    status, out, err = run("info", "billiards5")
    assert (status, err) == (0, "")
    found = rows(out)
    assert (found["discs"], found["radii"], found["masses"]) == ("16", "0.029", "1")
    assert found["box"] == "1 x 1, walls" and found["overlapping pairs"] == "0" and found["column order"] == "radius-mass"
    assert found[""] == "the only order in which no disc leaves the box and no pair overlaps"
    assert found["first event"] == "t = 4.34153903092: pair 14, 15"
    assert found["temperature"].endswith("(k_B = 1.38)") and found["kinetic energy"] == "0.005"
    assert found["momentum"] == "(0, 0.1)" and float(found["packing fraction"]) == pytest.approx(16 * np.pi * .029**2, rel=1e-4)


def test_info_reads_every_kind_of_source(run):
    assert rows(run("info", stdin=OVERLAPPING)[1])["overlapping pairs"] == "1"
    assert rows(run("info", "brownian")[1])["radii"] == "0.0025 (999), 0.1 (1)"
    assert rows(run("info", "50", "--seed", 3)[1])["temperature"].endswith("(k_B = 1)")
    assert rows(run("info", "diagonal1")[1])["first event"].endswith("wall, disc 0")
    run("p10", "--no-view", "--until", 40, "--out", "mid.npz")
    found = rows(run("info", "mid.npz")[1])
    assert found["time"] == "40" and found["hash"] == hdsim.load("mid.npz").hash() and "column order" not in found
    assert rows(run("info", stdin="0\n")[1])["first event"] == "none: no disc will ever touch anything"


def test_list_has_every_data_set(run):
    status, out, _ = run("list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == datasets.names()


def test_generate_takes_the_parameters_of_its_data_set(run):
    assert run("generate", "p10")[1].encode() == datasets.read_bytes("p10")
    other = run("generate", "p10.txt", "--n", 3, "--seed", 5, "--speed", .5)[1]
    assert other == io.format_text(datasets.generate("p10", n=3, seed=5, speed=.5))
    assert run("generate", "diffusion", "--no-crossed")[1].encode() == datasets.read_bytes("diffusion")
    assert "--big-radius FLOAT" in run("generate", "brownian", "-h")[1]
    assert run("generate", "--out", "x.npz", "billiards2")[0] == 0
    assert hdsim.load("x.npz").configuration().radii[0] == .029


@pytest.mark.parametrize("name, options, phi", [
    ("triangular", (), .72), ("sequential-addition", ("--packing-fraction", .53, "--seed", 3), .53),
    ("compressed", ("--packing-fraction", .8, "--ratio", 1.4, "--rate", .02, "--temperature", 2), .8)])
def test_generate_makes_states_of_any_packing_fraction(run, name, options, phi):
    """As text, with what reading it needs, and as a checkpoint, the same; --n, --temperature and the others are heeded."""
    status, text, said = finished("generate", name, "--n", 200, *options)
    assert status == 0 and "(read it again with" in said and "--periodic xy)" in said
    run("generate", name, "--n", 200, *options, "-o", "x.npz")
    system = hdsim.load("x.npz")
    assert text == io.format_text(system.configuration()) and len(system) == 200
    assert system.packing_fraction == pytest.approx(phi, rel=1e-9)
    assert system.temperature == pytest.approx(2 if "--temperature" in options else 1, rel=1e-9)
    assert system.radii.max() / system.radii.min() == pytest.approx(1.4 if "--ratio" in options else 1, rel=1e-9)
    assert system.box.periodic == (True, True)
    assert "--ratio FLOAT" in run("generate", "compressed", "-h")[1]


@pytest.mark.parametrize("name", ["billiards5", "brownian2", "squeeze"])
def test_converting_there_and_back_loses_no_bit(run, name):
    run("generate", name, "-o", "a.txt")
    for source, target in ("a.txt", "b.npz"), ("b.npz", "c.txt"), ("c.txt", "d.npz"):
        assert run("convert", source, "--out", target)[0] == 0
    a, b, c, d = (Path(file).read_bytes() for file in ("a.txt", "b.npz", "c.txt", "d.npz"))
    assert a == c == datasets.read_bytes(name) and b == d


@pytest.mark.parametrize("suffix", [".xyz", ".lammpstrj", ".gsd"])
def test_a_trajectory_is_recorded_shown_and_converted(run, summary, suffix):
    """--record and --every write frames; `info` and `convert` take one, the last or any, and it has every bit."""
    if suffix == ".gsd":
        pytest.importorskip("gsd")
    status, out, err = run("p10", "--periodic", "x", "--no-view", "--until", 100, "--record", f"a{suffix}", "--every", 25,
                           "--out", "end.npz")
    assert status == 0 and f"wrote a{suffix}: 5 frames" in err
    end = hdsim.load("end.npz")
    assert rows(run("info", f"a{suffix}")[1])["time"] == "100"
    assert run("convert", f"a{suffix}", "--out", f"b{suffix}")[0] == 0
    assert (hdsim.load(f"b{suffix}").positions == end.positions).all() and len(hdsim.trajectory(f"b{suffix}")) == 1
    assert run("convert", f"a{suffix}", "--frame", "-2", "--out", "c.npz")[0] == 0
    assert hdsim.load("c.npz").time == 75 and hdsim.load("c.npz").box.periodic == (True, False)
    summary(f"a{suffix}", "--frame", 1, "--until", 50)


@pytest.mark.parametrize("name", ["a.csv", "a.npy"])
def test_events_are_recorded(run, name):
    """A row for each contact of the summary."""
    status, out, err = run("p10", "--no-view", "--until", 300, "--record", name)
    log = np.load(name) if name == "a.npy" else Path(name).read_text().splitlines()[1:]
    assert status == 0 and f"wrote {name}: {len(log)} contacts" in err and len(log) > 10


def test_bench_counts_collisions(run):
    for source in ("50", "--phi", ".2"), ("p10",):
        status, out, _ = run("bench", *source, "--seconds", .05)
        found = rows(out)
        assert status == 0 and int(found["collisions"].split()[0].replace(",", "")) > 0
        assert re.fullmatch(r"\S+ predictions, \S+ crossings", found["per collision"])
    status, out, _ = run("bench", "60", "--phi", ".25", "--seconds", .05)
    assert rows(out)["system"] == "60 discs, packing fraction 0.25, box 1 x 1, periodic"


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_shows_two_examples(run, monkeypatch, verb):
    monkeypatch.setenv("COLUMNS", "200")
    status, out, err = run(*verb.split(), "-h")
    assert (status, err) == (0, "")
    assert len(re.findall(f"^  python -m hdsim {verb}.*", out, re.M)) == 2


def test_version(run):
    assert run("--version") == (0, f"hdsim {hdsim.__version__}\n", "")


# what is wrong, in one line

@pytest.mark.parametrize("arguments, line", [
    ("nosuch", "nosuch: no such file, and no data set of this name"),
    ("briliards5", "nearest: billiards5"),
    ("info missing.txt", "missing.txt: no such file"),
    (".", r"\.: expected a file, found a directory"),
    ("bad.txt", r"bad\.txt:3: expected 9 columns .* found 8"),
    ("bad.npz", r"bad\.npz: expected a checkpoint"),
    ("two.txt --box 0.5x0.5", r"two\.txt:2: expected discs inside the box"),
    ("two.txt --order mass-radius", r"two\.txt:2: .*columns read as mass-radius"),
    ("two.txt --seed 1", "--seed does not apply to a text: two.txt"),
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
    ("p10 --seed 1.5", "argument --seed: expected a whole number, found '1.5'"),
    ("p10 --box 2", "argument --box: expected WxH, as in 2x1, found '2'"),
    ("p10 --box 2x-1", "found '2x-1'"),
    ("p10 --periodic z", "argument --periodic: invalid choice: 'z'"),
    ("p10 --order radius", "argument --order: invalid choice"),
    ("p10 --engine steps", "argument --engine: invalid choice"),
    ("p10 --until 1 --until 2", "--until is given twice"),
    ("p10 --unt 1", "unrecognized arguments: --unt 1"),
    ("p10 p100", "unrecognized arguments: p100"),
    ("p10 --no-view --speed 2", "--speed belongs to the window"),
    ("p10 --no-view --hz 2", "--hz belongs to the window"),
    ("p10 --no-view --paused", "--paused belongs to the window"),
    ("p10 --out x.gif --fullscreen", "--fullscreen belongs to the window, and a film opens none"),
    ("p10 --engine textbook --collisions simultaneous", "resolves contacts one after another: it has no --collisions simultaneous"),
    ("p10 --engine textbook --periodic x", "the textbook engine knows walls only"),
    ("p10 --engine textbook --out x.npz", "the textbook engine has no checkpoints"),
    ("p10 --out x.avi", r"--out x\.avi: expected a file that ends in \.gif, \.apng, .* \.lammpstrj or \.dump, found '\.avi'"),
    ("p10 --out x.gif --fps 51", "a GIF shows 50 frames per second at most"),
    ("p10 --out x.gif --hz 2", "--hz belongs to the window, and a film opens none"),
    ("p10 --out x.gif --reverse-at 1e9", "--reverse-at 1e.09 lies beyond --until 1000"),
    ("p10 --out x.html --size 9x9", r"--size does not apply to --out x\.html: a page fills its window"),
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
    ("1e5 --no-view", "1e5: no such file, and no data set of this name; a number of discs is written in digits: 100000"),
    ("bench 1_000", "a number of discs is written in digits: 1000$"),
    ("info 1.5", "a number of discs is written in digits$"),
    ("info 1e99", "a number of discs is written in digits$"),
    ("lab maxwell -5", "a number of discs is written in digits$"),
    ("info inf", "`python -m hdsim list` shows them all$"),
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


def test_no_source_on_a_terminal_shows_the_usage(run):
    status, out, err = run()
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


@POSIX
@pytest.mark.parametrize("engine", ["indexed", "textbook"])
def test_ctrl_c_ends_a_run_with_its_summary(tmp_path, engine):
    """Status 130, and --out holds the state that was reached."""
    end = tmp_path / "end.txt"
    child = process("p10", "--until", "1e9", "--engine", engine, "--view", "--out", end,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stderr.readline() == b"hdsim: no display: $DISPLAY is not set; running without a window\n"
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
    run = ("p1000-2K", "--no-view", "--until", "9000")
    hidden = "import sys; sys.modules['tqdm'] = None; from hdsim.app.cli import main; sys.exit(main(sys.argv[1:]))"
    plain = on_a_terminal(*run, program=("-c", hidden))
    assert re.search(r"\r +\d+ %  t = \S+ of 9000", plain)
    assert plain.split("\x1b[K")[1].startswith("discs ")
    assert finished(*run)[2] == ""
    pytest.importorskip("tqdm", reason="the extra `progress` is not installed")
    assert re.search(r"\r +\d+ % \|.+\| t = \S+ of 9000", on_a_terminal(*run))


def test_without_a_display_the_windows_options_are_said_to_be_idle():
    status, _, err = finished("p10", "--until", "1", "--hz", "2", "--speed", "3")
    assert status == 0 and err == ("hdsim: no display: $DISPLAY is not set; running without a window, "
                                   "and --speed has no effect, and --hz has no effect\n")


@pytest.mark.parametrize("options, said", [
    ("", False), ("--collisions simultaneous", False), ("--collisions sequential", True), ("--engine textbook", True),
    ("--engine time --dt .5", True), ("--engine time --dt .5 --scheme walls", False), ("--compare time:.5", True)])
def test_a_summary_says_when_contacts_go_one_after_another(run, monkeypatch, options, said):
    """For then one name has another history; in both languages."""
    monkeypatch.setattr(language, "_texts", None)       # put back at the end
    monkeypatch.setattr(language, "_name", "en")
    words = ["billiards5", "--no-view", "--until", 8, *options.split()]
    assert (ONE_AFTER_ANOTHER in run(*words)[1]) == said
    assert ("逐个处理同一时刻的碰撞" in (chinese := run("--lang", "zh", *words)[1]) or "同一时刻的碰撞逐个处理" in chinese) == said


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


def test_a_window_can_wait_and_fill_the_screen(screen, missing):
    """--paused shows the start, --fullscreen as large as the screen."""
    look = WATCHED.replace("playback.message", "playback.system.time, window.get_size()")
    status, out, err = finished("p10", "--paused", "--fullscreen", program=("-c", look), environment={"DISPLAY": screen})
    if "OpenGL" in err or "apt-get install" in err:
        missing(err)
    assert (status, err) == (0, "")
    assert out == "hdsim: p10 | 100.0 | None | 0.0 | (1280, 640)\n"


# the textbook's system with a viewer's face

def test_a_textbook_system_begins_where_the_other_is():
    system = hdsim.load("p10")
    system.simulate(until=20)
    book = TextbookSystem(system)
    assert (len(book), book.time) == (10, 20) and book.box == system.box
    taken, given = book.configuration(), system.configuration()
    for field in "positions", "velocities", "radii", "masses", "colors":
        assert np.array_equal(getattr(taken, field), getattr(given, field))


def test_textbook_timers_fire_at_multiples_and_can_be_cancelled():
    book = TextbookSystem(hdsim.load("p10"))
    times = []
    timer = book.on_redraw(lambda event: times.append((event.kind, event.time)), every=.25)
    assert book.simulate(until=1) == 0
    assert times == [("redraw", .25), ("redraw", .5), ("redraw", .75), ("redraw", 1.0)]
    timer.cancel()
    timer.cancel()
    book.simulate(until=2)
    assert len(times) == 4
    with pytest.raises(ValueError, match="every is 0"):
        book.on_timer(print, every=0)


def test_a_textbook_timer_can_stop_the_run():
    book = TextbookSystem(hdsim.load("p10"))
    timer = book.on_timer(lambda event: hdsim.STOP, every=3)
    book.simulate(until=100)
    assert book.time == 3
    timer.cancel()
    book.simulate(until=100)
    assert book.time == 100


def test_textbook_steps_are_contacts_and_timers():
    book, system = TextbookSystem(hdsim.load("p10")), hdsim.load("p10")
    first = system.next_event()
    assert book.next_event() == (pytest.approx(first.time), first.kind, first.particles)
    book.on_timer(lambda event: None, every=book.time * 1.000001)
    assert book.next_event().kind == "timer"
    still = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1)
    assert TextbookSystem(still).next_event() is None


def test_looking_at_a_textbook_system_does_not_move_it():
    """In pieces, with timers and read on the way, it has the same bits as in one run; a limit of events ends at an event."""
    watched, alone = (TextbookSystem(hdsim.load("p10")) for _ in range(2))
    watched.on_redraw(lambda event: watched.positions, every=.7)
    for k in range(1, 200):
        watched.simulate(until=k * .51)
    alone.simulate(until=199 * .51)
    assert watched.positions == alone.positions and watched.velocities == alone.velocities
    assert watched.time == alone.time and alone.statistics["events"] > 10
    before = alone.statistics["events"]
    assert alone.simulate(until=1e6, max_events=3) == 3 == alone.statistics["events"] - before
    assert alone.time == alone._book.time > 199 * .51
    with pytest.raises(ValueError, match="until is 1; it must not be before"):
        alone.simulate(until=1)


def test_indexing_a_textbook_system_gives_a_detached_disc():
    """As it is between two contacts, too; changing it does not reach the system."""
    book = TextbookSystem(hdsim.load("p10"))
    book.simulate(until=33.3)
    for i in range(len(book)):
        disc = book[i]
        assert ((disc.rx, disc.ry), (disc.vx, disc.vy)) == (book.positions[i], book.velocities[i])
        assert (disc.radius, disc.mass, disc.color) == (book.radii[i], book.masses[i], tuple(book.colors[i]))
        assert (disc.count, disc.width, disc.height) == (book.collision_counts[i], book.box.width, book.box.height)
        disc.vx = 99.
        assert book.velocities[i] != (99., disc.vy)


def test_textbook_copies_go_on_alone():
    book = TextbookSystem(hdsim.load("p10"))
    book.simulate(until=20)
    copy = book.copy()
    copy.simulate(until=40)
    assert book.time == 20
    book.simulate(until=40)
    assert book.positions == copy.positions and book.statistics == copy.statistics


def test_textbook_jams_are_jams(monkeypatch):
    book = TextbookSystem(hdsim.load("p10"))

    def jam(*_, **__):
        raise RuntimeError("jammed at time 0")
    monkeypatch.setattr(book._book, "next_event", jam)
    with pytest.raises(hdsim.JammedError, match="jammed at time 0"):
        book.simulate(until=100)


def test_the_table_of_options_names_options_of_a_run():
    """Each once, with needs that are in the table of needs and exclusions that are options; each refusal has a test above."""
    options = vars(run_options._run_parser().parse_args([]))
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
