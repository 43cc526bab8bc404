"""The command line on discs among obstacles: every verb carries them, and engines without them say so."""
import math
from pathlib import Path

import pytest
from command_line import contacts

import hdsim
from hdsim import Circle, Segment, language
from hdsim.formats import io
from hdsim.starts import datasets

TABLE = """2
.2 .5 .3 .1 .02 1 0 0 255
.8 .5 -.3 .1 .03 1 255 0 0
species 1 1 3
segment .5 0 .5 .4 name=low
circle .25 .75 .02 species=0,3
segment .9 0 .9 1 until=3
"""
OBSTACLES = (Segment((.5, 0), (.5, .4), name="low"), Circle((.25, .75), .02, species=(0, 3)),
             Segment((.9, 0), (.9, 1), until=3.0))


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.txt").write_text(TABLE)
    return hdsim.load("table.txt")


def test_a_run_is_that_of_the_system(table, summary, run):
    """From a file and a pipe, with the textbook's engine too; --box that is that of the file."""
    table.simulate(until=50)
    for source, stdin in ((("table.txt",), None), (("-",), TABLE), (("table.txt", "--box", "1x1"), None)):
        assert summary(*source, "--until", 50, stdin=stdin)["hash"] == table.hash()
    book = summary("table.txt", "--until", 10, "--engine", "textbook")
    exact = summary("table.txt", "--until", 10)
    assert contacts(book) == contacts(exact) and book["engine"] == "textbook"


@pytest.mark.parametrize("out", ["again.txt", "again.npz"])
def test_convert_and_out_carry_obstacles(table, run, out):
    """Directly and by way of another file; a run to time 2 leaves an obstacle one time unit."""
    assert run("convert", "table.txt", "--out", out)[0] == 0
    assert run("convert", out, "--out", "third.txt")[0] == 0
    for name in (out, "third.txt"):
        again = hdsim.load(name)
        assert again.obstacles == OBSTACLES and again.species.tolist() == [0, 3]
    assert run("table.txt", "--until", 2, "--out", out)[0] == 0
    again = hdsim.load(out)
    table.simulate(until=2)
    assert (again.positions == table.positions).all()
    assert again.obstacles[2].until - again.time == 1 and again.obstacles[:2] == OBSTACLES[:2]


@pytest.mark.parametrize("engine", ["indexed", "textbook"])
def test_the_text_of_each_engine_has_the_obstacles(table, run, engine):
    assert run("table.txt", "--engine", engine, "--until", 2, "--out", "end.txt")[0] == 0
    tail = Path("end.txt").read_text().splitlines()[3:]
    assert tail == ["species 0 0 0", "species 1 1 3", "segment 0.5 0 0.5 0.4 name=low", "circle 0.25 0.75 0.02 species=0,3",
                    "segment 0.9 0 0.9 1 until=1"]


def test_info_lists_them(table, run):
    """And the first event at one; species of which there are many are counted."""
    out = run("info", "table.txt")[1]
    assert "obstacles          Segment (2), Circle (1); 1 of them come or go\n" in out
    assert "species            0 (1), 3 (1)\n" in out and "pair 0, 1\n" in out
    out = run("info", "-", stdin=TABLE + "segment .15 .4 .15 .7\nsegment .25 .4 .25 .7\n")[1]
    assert "first event        t = 0.1: obstacle 4 (Segment), disc 0\n" in out
    rows = "".join(f"{(k + 1) / 11} .5 0 0 .01 1 0 0 0\n" for k in range(10))
    many = f"10\n{rows}" + "".join(f"species {k} {k} {k}\n" for k in range(10)) + "segment 0 .9 1 .9 from=2\n"
    out = run("info", "-", stdin=many)[1]
    assert "species            10\n" in out and "first event        t = 2: obstacle 0 (Segment) comes or goes\n" in out
    assert "obstacles" not in run("info", "p10")[1] and "species" not in run("info", "p10")[1]


def test_check_compares_with_the_obstacles(table, run):
    """A log of the run agrees; one of the same discs without obstacles differs, and no cause is guessed."""
    assert run("table.txt", "--until", 5, "--record", "log.csv")[0] == 0
    status, out, _ = run("check", "--log", "log.csv", "table.txt")
    assert status == 0 and "agrees" in out
    assert run("-", "--until", 5, "--record", "other.csv", stdin=TABLE.partition("segment")[0])[0] == 0
    status, out, _ = run("check", "--log", "other.csv", "table.txt")
    assert status == 1 and "usual errors are tried on systems without obstacles only" in out


@pytest.mark.parametrize("words", ["--engine time", "--engine time --dt .1", "--compare time:.1"])
def test_time_steps_refuse_obstacles(table, run, words):
    status, out, err = run("table.txt", "--no-view", "--until", 1, *words.split())
    assert (status, out) == (2, "")
    assert err == ("hdsim: error: the time-driven engine knows no obstacles, and this system has 3; the exact engine does, and "
                   "the textbook's\n")


def test_a_box_that_contradicts_the_file_is_refused(run, tmp_path):
    (tmp_path / "wide.txt").write_text(TABLE + "box 1 1\n")
    status, _, err = run("info", tmp_path / "wide.txt", "--box", "2x1")
    assert status == 2 and "wide.txt:8: expected the box that was given, 2.0 x 1.0 with walls, found 1.0 x 1.0 with walls" in err


def test_a_disc_in_an_obstacle_is_refused_in_one_line(run):
    status, _, err = run("info", "-", stdin="1\n.5 .5 0 0 .01 1 0 0 0\ncircle .5 .45 .1\n")
    assert status == 2
    assert err == ("hdsim: error: <stdin>:2: expected discs clear of the obstacles, found disc 0 at (0.5, 0.5) with radius 0.01, "
                   "which is on the wrong side of the circle of line 3\n")


def test_generate_writes_what_a_data_set_has(run, monkeypatch):
    """Obstacles and species of a configuration, on standard output and into a file."""
    made = io.read_text(TABLE.encode()).configuration
    monkeypatch.setattr(datasets, "generate", lambda name: made)
    assert io.read_text(run("generate", "p10")[1].encode()).configuration.obstacles == OBSTACLES
    assert run("generate", "p10", "--out", "made.npz")[0] == 0
    assert hdsim.load("made.npz").species.tolist() == [0, 3]


GATE = "segment .5 0 .5 .4 name=below\nsegment .5 .6 .5 1 name=above\n"


def test_the_summary_has_the_ledger_of_a_gate(run):
    """In four lines, with the numbers of `system.ledger()`; in Chinese too."""
    status, out, _ = run("demon", "--no-view", "--until", 2000)
    rows = out.splitlines()
    at = next(k for k, row in enumerate(rows) if row.startswith("gate demon"))
    system = hdsim.load("demon")
    system.simulate(until=2000)
    ledger = system.ledger()
    let_in = [came - refused for came, refused in zip(ledger.arrivals, ledger.refused)]
    paid = ledger.bits * math.log(2)
    assert status == 0 and [row[14:] for row in rows[at:at + 4]] == [
        f"from the left {ledger.arrivals[0]} discs, {let_in[0]} let in, {ledger.passes[0]} passed; from the right "
        f"{ledger.arrivals[1]}, {let_in[1]}, {ledger.passes[1]}",
        f"left {ledger.left.n} discs at temperature {ledger.left.temperature:.4g}, right {ledger.right.n} at "
        f"{ledger.right.temperature:.4g}",
        f"{ledger.bits:.0f} bits in {sum(ledger.arrivals)} decisions; k_B T ln 2 for each bit, "
        f"{1.38 * .5 * paid:.4g} in all, at T = 0.5",
        f"entropy / k_B: gas {ledger.gas_entropy_change:+.1f}, bits {paid:+.1f}, both {ledger.gas_entropy_change + paid:+.1f}"
        " (ideal gas; excess 17%)"]
    assert rows[at + 4].startswith("hash")
    try:
        _, chinese, _ = run("demon", "--no-view", "--until", 2000, "--lang", "zh")
    finally:
        language.use(None)
    assert f"左边 {ledger.left.n} 个圆盘，温度 {ledger.left.temperature:.4g}" in chinese and "（理想气体；超额 17%）" in chinese
    assert "\n门 demon  从左边" in chinese


@pytest.mark.parametrize("gates, labels", [
    ("gate .5 .4 .5 .6 opens=always", ["gate", "", "", ""]),
    ("gate .5 .4 .5 .5 opens=always name=a\ngate .1 .8 .2 .9 opens=coming(left) name=b", ["gate a", "", "gate b", ""]),
    (4 * "gate .1 .8 .2 .9 opens=always\n", ["gates"]),
    ("".join(f"gate .1 .8 .2 .9 opens=always name={k}\n" for k in range(5)), ["gate 0", "", "gate 1", "", "gate 2", "", "gates"]),
])
def test_a_summary_has_few_ledgers(run, tmp_path, gates, labels):
    """Two lines if a gate does not divide the box, none of gates that share a name, and three gates at most."""
    (tmp_path / "gates.txt").write_text("1\n.2 .5 .3 .1 .02 1 0 0 255\n" + GATE + gates)
    status, out, _ = run(tmp_path / "gates.txt", "--no-view", "--until", 5)
    rows = [row.partition("  ") for row in out.splitlines()]
    first = next(k for k, row in enumerate(rows) if row[0].startswith("gate"))
    assert status == 0 and [row[0] for row in rows[first:first + len(labels)]] == labels
    assert rows[first + len(labels)][0] == "hash"
    if labels[-1] == "gates":
        assert rows[first + len(labels) - 1][2].strip() == f"{gates.count('gate ')} in all"
