"""The checker on event logs: of right and wrong programs, and of other forms."""
import os

import pytest
from programs import WRONG, changed, program_log, text_of

import hdsim
from hdsim import checker
from hdsim.checker.log import read_log
from hdsim.checker.verdict import UNKNOWN


@pytest.mark.sample(3)
@pytest.mark.parametrize("name, until, form", [
    ("p10", 300, "{!r},{},{}"), ("p10", 300, "{:.3f},{},{}"), ("p100-2K", 10, "{!r},{},{}"), ("two-head-on", 1000, "{!r},{},{}"),
    ("wallbouncing2", 200, "{!r},{},{}"), ("pendulum", 400, "{!r},{},{}"), ("billiards5", 20, "{!r},{},{}")])
def test_a_right_log_agrees(tmp_path, name, until, form):
    """Also with few decimals, with ties of many discs, and where more than two touch at once."""
    path = tmp_path / "log.csv"
    path.write_text(text_of(program_log(name, until), form=form))
    verdict = checker.check_log(str(path), hdsim.load(name), name)
    assert verdict.status == 0, verdict


def test_logs_of_other_shapes_and_our_own_agree(tmp_path):
    """Columns in another order, walls by name, redraws, semicolons; no header, blanks, commas for decimal points; what a shell
    of Windows redirects; what `--record` writes."""
    rows = program_log("p10", 100)
    path, system = tmp_path / "log.csv", hdsim.load("p10")
    for text in (text_of(rows, form="{!r} {} {}").partition("\n")[2], text_of(rows, "t;a;b", "{!r};{};{}").replace(".", ",")):
        path.write_text(text, encoding="utf-16" if ";" in text else "utf-8")
        assert checker.check_log(str(path), system, "p10").stage.startswith(f"{path} on p10: {len(rows)} of {len(rows)} ")
    path.write_text(text_of(rows)[:-3])     # a program that was stopped while it wrote the last line
    assert f": {len(rows) - 1} of {len(rows) - 1} " in checker.check_log(str(path), system, "p10").stage
    shaped = [(j if j >= 0 else "null", i if i >= 0 else "horizontal", time) for time, i, j in rows]
    path.write_text("B; A; T\n-1; -1; 0.5\n\n" + text_of(shaped, "", "{}; {}; {!r}")[1:])
    assert checker.check_log(str(path), system, "p10").status == 0
    own = hdsim.load("p10")
    with own.record(path):
        own.simulate(100)
    assert checker.check_log(str(path), system, "p10").status == 0
    assert system.time == 0


def test_our_own_log_of_a_gate_agrees(tmp_path):
    """A disc that is let in has a row in the log, and an event in the engine."""
    system = hdsim.tables.demon(.2, 1).random(6, radius=.02, temperature=1, seed=1)
    own = system.copy()
    with own.record(tmp_path / "log.csv"):
        own.simulate(until=3)
    assert sum(own.ledger().passes) > 0
    assert checker.check_log(str(tmp_path / "log.csv"), system, "demon").status == 0


@pytest.mark.sample(4)
@pytest.mark.parametrize("name, changes, cause", [
    ("p10", [("            self.predict(b, limit)\n", "")], "only one of its discs"),
    ("p10", [("sigma = self.radius + that.radius", "sigma = self.radius")], "radius of this disc alone"),
    ("p10", [("if not e.is_valid():", "if False:")], "stale events are not skipped"),
    ("p10", [("and self.b.count != self.count_b", "and False")], "here only the first disc is checked"),
    ("p10", [(" - self.rx - self.radius", " - self.rx")], "at vertical walls: the radius is forgotten at the right"),
    ("p10", [("Event(self.t + dt", "Event(dt")], "it must hold t + dt"),
    ("p10", [("        for b in self.particles:\n", "        for b in self.particles[self.particles.index(a) + 1:]:\n")],
     "only against later discs"),
    ("p10", [("            elif a is not None:", "            if a is not None:")], "an else is missing"),
    ("squeeze", [("fx / self.mass", "fx"), ("fy / self.mass", "fy"), ("fx / that.mass", "fx"), ("fy / that.mass", "fy")],
     "is the impulse right"),
    ("p100-2K", [("if not e.is_valid():", "if False:")], "stale events are not skipped"),
    ("billiards5", [("self.particles:\n                p.move", "[q for q in (a, b) if q]:\n                p.move")],
     "only the discs of the event are moved"),
])
def test_the_verdict_on_a_wrong_log_names_the_error(tmp_path, name, changes, cause):
    """Where the right events are the same in any order, and where more than two discs touch at once (billiards5)."""
    path = tmp_path / "log.csv"
    path.write_text(text_of(program_log(name, 30 if name == "p100-2K" else 200, changed(*changes), 150)))
    verdict = checker.check_log(str(path), hdsim.load(name), name)
    assert verdict.status == 1
    assert cause in verdict.cause, verdict


def test_discs_that_touch_at_the_start_must_meet(tmp_path):
    """As they do not in algs4's Particle.java."""
    system = hdsim.CollisionSystem([hdsim.Particle(.25, .5, 1, 0, .125, 1), hdsim.Particle(.5, .5, -.5, 0, .125, 1)])
    path = tmp_path / "log.csv"
    path.write_text("0.5,1,-1\n0.625,0,-1\n1.5,-1,1\n")
    verdict = checker.check_log(str(path), system, "touching")
    assert (verdict.status, verdict.expected) == (1, "t = 0: disc 0 and disc 1")


def test_an_event_left_out_of_a_log_is_found(tmp_path):
    rows = program_log("p10", 200)
    path = tmp_path / "log.csv"
    path.write_text(text_of(rows[:10] + rows[11:]))
    verdict = checker.check_log(str(path), hdsim.load("p10"), "p10")
    assert verdict.status == 1
    assert verdict.expected.startswith(f"t = {rows[10][0]:.10g}")


@pytest.mark.more
def test_one_event_that_an_error_would_give_is_no_cause(tmp_path):
    """The events after it are not those of the error."""
    rows, wrong = program_log("p10", 200), program_log("p10", 200, WRONG["own radius"][0])
    k = next(k for k, row in enumerate(rows) if row != wrong[k])
    path = tmp_path / "log.csv"
    path.write_text(text_of([*rows[:k], wrong[k], *rows[k:]]))
    assert checker.check_log(str(path), hdsim.load("p10"), "p10").cause == UNKNOWN


@pytest.mark.parametrize("text, message", [
    ("", r":1: expected a header with time, i and j"), ("x,y\n1,2\n", r":1: expected a header .* found 'x,y'"),
    ("time,i,j\n", "expected contacts, found none"), ("time,i,j\nsoon,1,2\n", ":2: expected a time, found 'soon'"),
    ("time,i,j\n1_000,1,2\n", ":2: expected a time, found '1_000'"), ("time,i,j\n\u0663,1,2\n", ":2: expected a time, found"),
    ("time,i,j\n0e-" + "9" * 5000 + ",1,99\n", ":2: expected discs 0 to"),
    ("time,i,j\n1,1_0,2\n", ":2: expected the number of a disc"),
    ("time,i,j\n1,inf,2\n", ":2: expected the number of a disc"),
    ("time,i,j,time\n1,1,2,3\n", ":1: expected a header with each name once"),
    ("time,i,j\n1,1,2\n\0\n", ":3: expected text, found a NUL byte, as binary files have them"),
    ("time,i,j\nnan,1,2\n", ":2: expected a time"), ("time,i,j\n1,one,2\n", ":2: expected the number of a disc, -1 or the name"),
    ("time,i,j\n1,1,10\n", ":2: expected discs 0 to 9, found 10; does the log count from 1"), (b"time\xff", "other bytes"),
    (b"\xff\xfet\x00i", "other bytes"), ("time,i,j\n2,5,0,1\n",
                                         ":2: expected 3 values, as in line 1, found 4: .*comma for the decimal"),
    ("time,i,j\n" + 200_000 * "x", "expected a table with time, i and j, found none: field larger"),
    ("0 2.5 1", ":1: expected the number of a disc, -1 or the name of a wall, found '2.5'"),
])
def test_a_log_that_is_none_is_refused(tmp_path, text, message):
    path = tmp_path / "log.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(hdsim.FileFormatError, match=message):
        checker.check_log(str(path), hdsim.load("p10"), "p10")


def test_times_of_any_exponent_are_times(tmp_path):
    """However many digits the exponent has, and whatever the resolution of the times would be."""
    for exponent in ("9" * 400, "-" + "9" * 400, "-" + "9" * 5000):
        (tmp_path / "log.csv").write_text(f"time,i,j\n0e{exponent},1,2\n1.5,1,2\n")
        assert [event.time for event in read_log(str(tmp_path / "log.csv"), 10).seen] == [0, 1.5]


@pytest.mark.skipif(os.name != "posix", reason="needs sparse files")
def test_a_huge_log_of_nothing_is_not_read_to_its_end(tmp_path):
    """Its first bytes tell."""
    with open(tmp_path / "sparse.csv", "wb") as file:
        file.truncate(1 << 42)
    with pytest.raises(hdsim.FileFormatError, match=r"sparse\.csv:1: expected text, found a NUL byte"):
        read_log(str(tmp_path / "sparse.csv"), 10)


def test_periodic_boxes_have_no_logs_here(tmp_path):
    (tmp_path / "log.csv").write_text("time,i,j\n1,0,1\n")
    with pytest.raises(ValueError, match="the box is periodic"):
        checker.check_log(str(tmp_path / "log.csv"), hdsim.random(10, box=hdsim.Box(periodic=(True, True))), "10")
