"""The checker tells right programs from wrong ones, and what is wrong: mutations of one right program, programs that
hang, crash or print."""
import os
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from programs import RIGHT, WRONG, changed, program_log, text_of

import hdsim
from hdsim import checker
from hdsim.app import cli
from hdsim.checker import faults, loops, reference

BOOK = {"time_to_hit_vertical_wall": "timeToHitVerticalWall", "time_to_hit_horizontal_wall": "timeToHitHorizontalWall",
        "time_to_hit": "timeToHit", "bounce_off_vertical_wall": "bounceOffVerticalWall",
        "bounce_off_horizontal_wall": "bounceOffHorizontalWall", "bounce_off": "bounceOff", "del_min": "delMin",
        "is_empty": "isEmpty", "is_valid": "isValid"}
ASSIGNMENT = {**BOOK, "time_to_hit_vertical_wall": "collidesX", "time_to_hit_horizontal_wall": "collidesY",
              "time_to_hit": "collides",
              "bounce_off_vertical_wall": "bounceX", "bounce_off_horizontal_wall": "bounceY", "bounce_off": "bounce"}
STYLES = {"snake": {}, "camel": BOOK}
QUICK = checker.Limits(seconds=2.0, megabytes=512)


def renamed(text, names):
    for ours, theirs in names.items():
        text = re.sub(rf"\b{ours}\b", theirs, text)
    return text


# right programs

@pytest.mark.parametrize("style", STYLES)
def test_a_right_program_agrees(judge, style):
    verdict = judge(renamed(RIGHT, STYLES[style]))
    assert verdict.status == 0, verdict
    assert verdict.notes == ()


def test_a_right_program_of_the_assignment_agrees(judge):
    """Never is -1, mass stands before radius, positions are private."""
    disc, rest = renamed(RIGHT, ASSIGNMENT).split("class MinPQ")
    for old, new in (("return math.inf", "return -1.0"), ("vx, vy, radius, mass", "vx, vy, mass, radius"), (".rx", ".__rx")):
        assert old in disc
        disc = disc.replace(old, new)
    verdict = judge(f"{disc}class MinPQ{rest.replace('if self.t + dt <=', 'if dt >= 0 and self.t + dt <=')}")
    assert verdict.status == 0, verdict


def test_our_own_second_opinion_agrees(judge, root):
    """textbook.py has other events, and unlimited time."""
    assert judge((root / "src" / "hdsim" / "reference" / "textbook.py").read_text()).status == 0


@pytest.mark.more
def test_a_part_of_a_program_is_checked_and_the_rest_is_listed(judge):
    """A CollisionSystem alone is lent a Particle; of a Particle with one method, the others are named as not found."""
    alone = "import math\n" + RIGHT[RIGHT.index("class MinPQ"):]
    assert judge(alone).status == 0
    assert judge(changed(("if not e.is_valid():", "if False:")).replace("class Particle", "class Other")).status == 1
    verdict = judge("class Particle:\n    def __init__(self, rx, ry, vx, vy, radius, mass):\n        self.r, self.v = [rx, ry], "
                    "[vx, vy]\n"
                    "    def move(self, dt):\n        self.r = [r + v * dt for r, v in zip(self.r, self.v)]\n")
    assert verdict.status == 0
    assert "Particle.time_to_hit" in verdict.notes[0]


def test_copies_pauses_and_properties_are_right(judge):
    """A system may copy its discs, pause at each redraw; a queue may have properties, and be given a capacity."""
    text = changed(("self.particles = list(particles)", "import copy; self.particles = copy.deepcopy(particles)"),
                   ("    def redraw(self, limit):\n", "    def redraw(self, limit):\n        import time; time.sleep(1)\n"),
                   ("class MinPQ:\n    def __init__(self):", "class MinPQ:\n    def __init__(self, capacity):"),
                   ("MinPQ()", "MinPQ(9)"),
                   ("    def is_empty", "    @property\n    def is_empty"), ("is_empty()", "is_empty"),
                   ("    def size", "    @property\n    def size"))
    verdict = judge(text)
    assert verdict.status == 0, verdict


def test_the_disc_that_is_lent_has_a_count_in_both_ways(judge):
    """A field, and the method of the book's Java program."""
    verdict = judge("import math\n" + renamed(changed((".count ", ".count() ")),
                                              BOOK).split("class MinPQ")[1].join(["class MinPQ", ""]))
    assert verdict.status == 0, verdict


def test_files_beside_the_program_may_have_any_name(tmp_path):
    """Of a module of Python, which the program then gets; and that of this checker's own modules, or of those that it needs."""
    disc, rest = RIGHT.split("class MinPQ")
    queue, rest = rest.split("class Event")
    (tmp_path / "queue.py").write_text(f"class MinPQ{queue}")
    (tmp_path / "student.py").write_text(disc)
    for name in ("resource", "runner", "textbook", "hdsim", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(__name__)")
    (tmp_path / "main.py").write_text(f"import math\nfrom queue import MinPQ\nfrom student import Particle\nclass Event{rest}")
    verdict = checker.check_program(str(tmp_path / "main.py"), QUICK)
    assert (verdict.status, verdict.notes) == (0, ()), verdict


ARRAYS = """
class CollisionSystem:
    def __init__(self, particles):
        self.t, self.x = 0.0, [p.rx for p in particles]
    def simulate(self, limit):
        self.t = limit
"""


def test_a_system_that_keeps_its_discs_to_itself_is_not_called_wrong(judge):
    verdict = judge(ARRAYS)
    assert verdict.status == 2
    assert "arrays of its own" in verdict.cause


def test_a_queue_of_keys_and_values_is_not_called_wrong(judge):
    verdict = judge("class MinPQ:\n    def insert(self, key, value): pass\n    def del_min(self): pass\n")
    assert (verdict.status, verdict.notes) == (2, ("not found, and not checked: MinPQ.insert, MinPQ.is_empty",))


# wrong programs

@pytest.mark.sample(6)
@pytest.mark.parametrize("style, name", [(list(STYLES)[k % 2], name) for k, name in enumerate(WRONG)])
def test_the_verdict_on_a_wrong_program_names_the_error(judge, style, name):
    """The verdict names the method as the program does, and the cause."""
    text, method, words = WRONG[name]
    verdict = judge(renamed(text, STYLES[style]))
    assert verdict.status == 1
    assert STYLES[style].get(method, method) in verdict.stage
    assert re.search(words, verdict.cause), verdict


def test_the_case_can_be_typed_in(judge):
    """The line of the verdict is Python, and gives what the verdict says."""
    program, verdict = {}, judge(WRONG["own radius"][0])
    exec(WRONG["own radius"][0], program)
    assert float(verdict.got) == eval(verdict.case, program)
    disc = {"Particle": hdsim.Particle}
    assert float(verdict.expected) == eval(verdict.case, disc)


# programs that do not come to their end

@pytest.mark.sample(2)
@pytest.mark.parametrize("text, found, cause", [
    (changed(("            e = self.pq.del_min()\n", "            continue\n")), "without end", "a loop that never ends"),
    (changed(("        d = dvdr", "        while dvdv < 1: pass\n        d = dvdr")), "did not end within 1 s",
     "condition stays true"),
    ("while True: pass", "did not end within 1 s", "__main__"),
    (changed(("fy = magnitude", "fy = magnetism")), r"NameError: name 'magnetism' is not defined \(line \d+", "see that line"),
    ("def f(:\n", "SyntaxError: .* \\(line 1", "cannot read that line"),
    ("raise SystemExit(0)", "SystemExit", "__main__"),
    ("n = input()", "EOFError", "waits for input"),
    ("import os; os._exit(3)", "status 3", "ends itself"),
    pytest.param("import os; os.abort()", "SIGABRT", "memory, or recursion",
                 marks=pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")),
    pytest.param("a = [0] * 1000\nwhile True: a = a + a", "MemoryError", "more memory than the limit",
                 marks=pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="limits of memory are Linux's")),
    ("while True: print('x' * 2**20)", "printed more than 8 megabytes", "__main__"),
])
def test_what_hangs_crashes_or_prints_without_end_gets_a_verdict(judge, text, found, cause):
    verdict = judge(text, checker.Limits(1.0 if "end" in found else 20.0, 512))
    assert verdict.status == 1
    assert re.search(found, verdict.got), verdict
    assert cause in verdict.cause


def test_what_a_program_prints_is_a_note(judge):
    """And does no harm, even if it looks like an answer."""
    verdict = judge(RIGHT + "\nprint('[0, 1]')\n")
    assert verdict.status == 0
    assert verdict.notes == ("the program prints, which is ignored: [0, 1]",)


def test_a_program_without_any_of_the_classes_cannot_be_checked(judge):
    assert judge("x = 1").got == "none of them"
    assert judge("class particle: pass").got == "none of them, but particle"
    hidden = judge("class Particle:\n    def __init__(self, *numbers): pass\n    def move(self, dt): pass\n")
    assert (hidden.status, hidden.expected) == (2, "a Particle that shows rx, ry, vx and vy")


@pytest.mark.parametrize("limits", [checker.Limits(seconds=0), checker.Limits(seconds=float("inf")), checker.Limits(megabytes=0)])
def test_limits_must_be_positive(judge, limits):
    with pytest.raises(ValueError, match="both must be positive and finite"):
        judge(RIGHT, limits)


# what the hints rest on

@pytest.mark.parametrize("table, formula", [
    ("PAIR_TIME", lambda a, b, fault: faults.pair_time(a, b, fault)),
    ("WALL_TIME", lambda a, b, fault: faults.wall_time(a, 0, fault)),
    ("BOUNCE", lambda a, b, fault: faults.bounce(a, b, fault)),
    ("WALL_BOUNCE", lambda a, b, fault: faults.wall_bounce(a, 0, fault)),
    ("MOVE", lambda a, b, fault: faults.move(a, .25, fault))])
def test_each_error_changes_something(table, formula):
    """None of them is a right formula in disguise."""
    rng = np.random.default_rng(0)
    pairs = [(faults.Disc(.125, .5, -1, .5, .125, 2.), faults.Disc(.375, .5, -2, .25, .125, 1.)),
             (faults.Disc(.25, .25, 1, 0, .0625, 1.), faults.Disc(.75, .75, -1, 0, .125, 1.)),
             (faults.Disc(.25, .5, -1, 0, .0625, 1.), faults.Disc(.75, .5, 1, 0, .125, 1.))]
    for x, y, u, v, r, m in rng.uniform(.1, .9, (20, 6)).tolist():
        pairs.append((faults.Disc(x, y, u, v, r / 20, m), faults.Disc(1 - x, y / 2, -u + .01, .3 + v / 2, r / 15, 2 * m + 1)))
    right = [formula(a, b, "right") for a, b in pairs]
    assert [fault for fault in getattr(faults, table) if [formula(a, b, fault) for a, b in pairs] == right] == []


def test_the_slow_loop_without_an_error_is_right():
    """It meets what the engine meets, so what its errors change is due to them."""
    system = hdsim.load("p10")
    due = reference.reference(system, 40).due
    seen = [contact for contact, _ in loops.Loop(reference.discs_of(system), due[-1].time + 1e-9).contacts(60)]
    difference, met = reference.first_difference(due, seen)
    assert difference is None and len(met) == 40


# the command line, and the page

def test_the_command_line_checks(tmp_path, capsys, monkeypatch):
    """Exit status 0, 1, 2; the page shows just what it prints."""
    page = (Path(__file__).parents[2] / "docs" / "checking.md").read_text()
    monkeypatch.chdir(tmp_path)
    for name in ("sign of the impulse", "stale"):
        Path("student.py").write_text(WRONG[name][0])
        assert cli.main(["check", "student.py"]) == 1
        assert f"```\n{capsys.readouterr().out}```" in page
    Path("student.py").write_text("")
    assert cli.main(["check", "student.py"]) == 2
    Path("log.csv").write_text(text_of(program_log("p10", 50)))
    assert cli.main(["check", "--log", "log.csv", "p10"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("agrees          log.csv on p10: ")
    for arguments, message in ((["missing.py"], "missing.py: No such file"),
                               (["p10", "--log", "log.csv", "--seconds", "1"], "--log runs none"),
                               (["student.py", "--order", "auto"], "--order is for the SOURCE of --log")):
        assert cli.main(["check", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_the_program_of_the_tests_runs_alone():
    """student.py defines what it says, without a main program."""
    names = runpy.run_path(str(Path(__file__).parents[1] / "student.py")).keys()
    assert {"Particle", "MinPQ", "Event", "CollisionSystem"} <= names
