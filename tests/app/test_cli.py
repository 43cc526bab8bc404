"""The command line: what each verb and option does.

Most tests call `main` in this process.
"""
import math
import re
from pathlib import Path

import numpy as np
import pytest
from command_line import TWO, contacts, finished, process, rows

import hdsim
from hdsim import datasets
from hdsim.app import headless, report
from hdsim.formats import io
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.starts import named

ONE_AFTER_ANOTHER = "contacts of one instant one after another"
VERBS = ("info", "list", "generate", "convert", "bench", "lab", "play", "balls", "check", "completion")
OVERLAPPING = "2\n.45 .5 .1 0 .1 1 0 0 0\n.55 .5 -.1 0 .1 1 0 0 0\n"


# what docs/commands.md shows

@pytest.mark.more
def test_the_commands_of_the_page(tmp_path):
    """generate brownian > brownian.txt, then hdsim < brownian.txt; without a display, one line says so."""
    with open(tmp_path / "brownian.txt", "wb") as file:
        assert process("generate", "brownian", stdout=file).wait(60) == 0
    text = (tmp_path / "brownian.txt").read_bytes()
    assert text.replace(b"\r\n", b"\n") == datasets.read_bytes("brownian")
    status, out, err = finished("--until", "100", input=text)
    assert (status, err) == (0, "hdsim: no display: $DISPLAY is not set; running without a window (--browser shows a page, --out "
                                  "FILE.gif films the run, --record FILE writes it)\n")
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


@pytest.mark.parametrize("drift, masses, warned", [(2e-9, 1., True), (-2e-9, 1., True), (5e-10, 1., False),
                                                    (1., [math.inf, 1.], True)])
def test_a_summary_warns_of_energy_drift(drift, masses, warned):
    """In a line of its own, if rounding does not explain it. The work of discs of infinite mass that move is in the balance, of
    which this is the drift; the textbook's engine has no balance for them, and does not warn."""
    system = hdsim.CollisionSystem.from_arrays([[.2, .5], [.8, .5]], [[1, 0], [0, 0]], .1, masses)
    book = TextbookSystem(system)
    alone = dict(report.summary_rows(book, headless.Run(0., 1., book.statistics, drift, False, "")))
    assert ("warning" in alone) == (warned and math.inf not in np.atleast_1d(masses))
    told = dict(report.summary_rows(system, headless.Run(0., 1., system.statistics, drift, False, "")))
    assert ("warning" in told) == warned
    assert not warned or "energy should be conserved" in told["warning"]


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


@pytest.mark.sample(2)
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
    """The picture has the size requested; the red disc is in it."""
    image = pytest.importorskip("PIL.Image", reason="pillow reads the picture")
    status, _, err = finished("one", "--box", "2x1", "--until", "0", "--no-view", "--out", tmp_path / "one.png",
                              "--size", "700x350")
    if "apt-get install" in err or "no OpenGL" in err:
        missing(err)
    assert status == 0, err
    with image.open(tmp_path / "one.png") as picture:
        assert picture.size == (700, 350)
        assert (200, 0, 0) in {color for _, color in picture.getcolors(2**24)}


def test_a_text_of_another_box_has_it_in_its_tail(run):
    """It is read without --box and --periodic; with equal ones too, either or both; others contradict it."""
    err = run("p10", "--box", "2x1.5", "--periodic", "x", "--no-view", "--until", 1, "--out", "box.txt")[2]
    assert err == "hdsim: wrote box.txt\n" and Path("box.txt").read_text().endswith("\nbox 2 1.5\nperiodic x\n")
    for options in ((), ("--box", "2x1.5"), ("--periodic", "x"), ("--box", "2x1.5", "--periodic", "x")):
        status, said, _ = run("info", "box.txt", *options)
        assert status == 0 and "2 x 1.5, periodic in x" in said
    contradicted = "box.txt:12: expected the box that was given, 2.0 x 1.0 periodic in x, found 2.0 x 1.5 periodic in x"
    assert contradicted in run("info", "box.txt", "--box", "2x1")[2]
    assert "2.0 x 1.5 periodic in xy, found 2.0 x 1.5 periodic in x;" in run("info", "box.txt", "--periodic", "xy")[2]


def test_a_file_named_like_a_verb(run):
    Path("list").write_text(TWO)
    assert rows(run("./list", "--no-view", "--until", 1)[1])["discs"] == "2"


def test_overlaps_are_one_warning(run):
    status, _, err = run("--no-view", "--until", 1, stdin=OVERLAPPING)
    assert status == 0 and re.fullmatch(r"hdsim: warning: 1 pair of discs overlaps .*\n", err)


def test_a_film_that_is_over_at_once_says_how_it_lasts(run):
    """The speed that is usual for a system may be too high for a short run."""
    _, _, err = run("1000", "--until", 5, "--out", "a.html")
    assert "hdsim: that is less than a second; with --speed 0.5 it is a film of 10 s\n" in err
    for speed in ("--speed", .5), ("--speed", 100):
        assert "less than a second" not in run("1000", "--until", 5, "--out", "a.html", *speed)[2]


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


def test_list_has_every_name_below_its_group_and_each_can_be_typed(run):
    status, out, _ = run("list")
    lines = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert status == 0 and [line.removesuffix(":") for line in lines if line.endswith(":")] == list(named.GROUPS)
    assert [line.split()[0] for line in lines if not line.endswith(":")] == named.names()
    for name in (*named.TABLES, *named.SPACES):
        assert rows(run(name, "--no-view", "--until", 1)[1])["time"] == "0 to 1"
    assert rows(run("info", "stadium")[1])["discs"] == "12"
    assert "a gas in Sphere(radius=1.0)" in run("info", "sphere")[2]
    assert "--seed does not apply to a named system, which is always the same: wedge" in run("wedge", "--seed", 1)[2]


def test_generate_takes_the_parameters_of_its_data_set(run):
    assert run("generate", "p10")[1].encode() == datasets.read_bytes("p10")
    other = run("generate", "p10.txt", "--n", 3, "--seed", 5, "--speed", .5)[1]
    assert other == io.format_text(datasets.generate("p10", n=3, seed=5, speed=.5))
    assert run("generate", "diffusion", "--no-crossed")[1].encode() == datasets.read_bytes("diffusion")
    assert "--big-radius FLOAT" in run("generate", "brownian", "-h")[1]
    assert run("generate", "--out", "x.npz", "billiards2")[0] == 0
    assert hdsim.load("x.npz").configuration().radii[0] == .029


@pytest.mark.sample(1)
@pytest.mark.parametrize("name, options, phi", [
    ("triangular", (), .72), ("sequential-addition", ("--packing-fraction", .53, "--seed", 3), .53),
    ("compressed", ("--packing-fraction", .8, "--ratio", 1.4, "--rate", .02, "--temperature", 2), .8)])
def test_generate_makes_states_of_any_packing_fraction(run, name, options, phi):
    """As text, with its box, and as a checkpoint, the same; --n, --temperature and the others are heeded."""
    status, text, said = finished("generate", name, "--n", 200, *options)
    assert status == 0 and said == "" and text.endswith("\nperiodic xy\n")
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


@pytest.mark.parametrize("source, text", [("0", ""), ("-", "0\n"), ("-", "0\nbox 2 1\nsegment .5 0 .5 .5\n")])
def test_a_system_without_discs_says_what_to_do(run, source, text):
    """In one line; the run goes on."""
    status, out, err = run(source, "--until", "1", "--no-view", stdin=text)
    assert status == 0 and rows(out)["discs"] == "0"
    assert err == ("hdsim: no discs, so nothing will happen: `python -m hdsim 100` has 100, `python -m hdsim list` names data "
                   "sets, and in a window Ins adds a disc\n")
    assert "no discs" not in run("3", "--until", "1", "--no-view")[2]


def test_spheres_run_without_a_window(run, summary):
    """A checkpoint in three dimensions: told, run and written; else one line, before anything is done."""
    x = (np.stack(np.meshgrid(*[np.arange(2)] * 3), -1).reshape(-1, 3) + .5) / 2
    for periodic, said in ((False, "walls"), (True, "periodic in x, y, z"), ((True, False, True), "periodic in x, z")):
        system = hdsim.CollisionSystem.from_arrays(x, x[::-1] - .4, .1, box=hdsim.Box(1, 1, periodic, 1))
        system.save("spheres.npz")
        found = rows(run("info", "spheres.npz")[1])
        assert found["box"] == f"1 x 1 x 1, {said}" and found["momentum"].count(",") == 2 and found["balls"] == "8"
    assert summary("spheres.npz", "--until", 1, "--out", "later.npz")["time"] == "0 to 1"
    assert hdsim.load("later.npz").dimension == 3
    for options in (("--no-view", "--engine", "time"), ("--no-view", "--engine", "textbook")):
        status, out, err = run("spheres.npz", *options)
        assert (status, out) == (2, "") and "two dimensions; this system has three" in err.splitlines()[-1]
    assert not list(Path().glob("a.*"))
    for name in ("a.txt", "a.xyz", "a.lammpstrj"):
        assert run("convert", "spheres.npz", "--out", name)[0] == 0 and hdsim.load(name).dimension == 3
