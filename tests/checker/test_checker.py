"""The checker tells right programs from wrong ones, and what is wrong: mutations of one right program (student.py), each with
the words that its verdict must contain; programs that hang, crash or print; event logs."""
import os
import re
import runpy
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import hdsim
from hdsim import checker
from hdsim.app import cli
from hdsim.checker import faults, loops, reference
from hdsim.checker.log import read_log
from hdsim.checker.verdict import UNKNOWN

RIGHT = (Path(__file__).parents[1] / "student.py").read_text()
BOOK = {"time_to_hit_vertical_wall": "timeToHitVerticalWall", "time_to_hit_horizontal_wall": "timeToHitHorizontalWall",
        "time_to_hit": "timeToHit", "bounce_off_vertical_wall": "bounceOffVerticalWall",
        "bounce_off_horizontal_wall": "bounceOffHorizontalWall", "bounce_off": "bounceOff", "del_min": "delMin",
        "is_empty": "isEmpty", "is_valid": "isValid"}
ASSIGNMENT = {**BOOK, "time_to_hit_vertical_wall": "collidesX", "time_to_hit_horizontal_wall": "collidesY", "time_to_hit": "collides",
              "bounce_off_vertical_wall": "bounceX", "bounce_off_horizontal_wall": "bounceY", "bounce_off": "bounce"}
STYLES = {"snake": {}, "camel": BOOK}
QUICK = checker.Limits(seconds=2.0, megabytes=512)


def renamed(text, names):
    for ours, theirs in names.items():
        text = re.sub(rf"\b{ours}\b", theirs, text)
    return text


def part(name):
    """The text of one method of the right program."""
    return re.search(rf"^    def {name}\(.*?(?=^    def |^class |\Z)", RIGHT, re.M | re.S)[0]


def changed(*pairs, within=None):
    """The right program with something else in places that must exist, everywhere or in one method."""
    text = RIGHT if within is None else part(within)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text if within is None else RIGHT.replace(part(within), text)


@pytest.fixture
def judge(tmp_path):
    """judge(text, limits): the verdict on a program."""
    def judge(text, limits=QUICK):
        (tmp_path / "program.py").write_text(text)
        return checker.check_program(str(tmp_path / "program.py"), limits)
    return judge


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


def test_a_part_of_a_program_is_checked_and_the_rest_is_listed(judge):
    """A CollisionSystem alone is lent a Particle; of a Particle with one method, the others are named as not found."""
    alone = "import math\n" + RIGHT[RIGHT.index("class MinPQ"):]
    assert judge(alone).status == 0
    assert judge(changed(("if not e.is_valid():", "if False:")).replace("class Particle", "class Other")).status == 1
    verdict = judge("class Particle:\n    def __init__(self, rx, ry, vx, vy, radius, mass):\n        self.r, self.v = [rx, ry], [vx, vy]\n"
                    "    def move(self, dt):\n        self.r = [r + v * dt for r, v in zip(self.r, self.v)]\n")
    assert verdict.status == 0
    assert "Particle.time_to_hit" in verdict.notes[0]


def test_copies_pauses_and_properties_are_right(judge):
    """A system may copy its discs, pause at each redraw; a queue may have properties, and be given a capacity."""
    text = changed(("self.particles = list(particles)", "import copy; self.particles = copy.deepcopy(particles)"),
                   ("    def redraw(self, limit):\n", "    def redraw(self, limit):\n        import time; time.sleep(1)\n"),
                   ("class MinPQ:\n    def __init__(self):", "class MinPQ:\n    def __init__(self, capacity):"), ("MinPQ()", "MinPQ(9)"),
                   ("    def is_empty", "    @property\n    def is_empty"), ("is_empty()", "is_empty"),
                   ("    def size", "    @property\n    def size"))
    verdict = judge(text)
    assert verdict.status == 0, verdict


def test_the_disc_that_is_lent_has_a_count_in_both_ways(judge):
    """A field, and the method of the book's Java program."""
    verdict = judge("import math\n" + renamed(changed((".count ", ".count() ")), BOOK).split("class MinPQ")[1].join(["class MinPQ", ""]))
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

VX, VY = ("dvx = that.vx - self.vx", "dvx = self.vx - that.vx"), ("dvy = that.vy - self.vy", "dvy = self.vy - that.vy")
ROOT = "return -(dvdr + math.sqrt(d)) / dvdv"
MOVING = "            for p in self.particles:\n                p.move(e.time - self.t)\n            self.t = e.time\n"
WRONG = {
    "sign of dv": (changed(VX, VY, within="time_to_hit"), "time_to_hit", "dr and dv have opposite signs"),
    "sign of the impulse": (changed(VX, VY, within="bounce_off"), "bounce_off", "gain energy by a factor 5.*wrong sign"),
    "no test": (changed(("if dvdr >= 0:", "if dvdr == 0:")), "time_to_hit", "the sign test v.r is missing"),
    "equal velocities": (changed(("if dvdr >= 0:", "if dvdr > 0:")), "time_to_hit", "equal velocities"),
    "root of d < 0": (changed(("if d < 0:", "if False:")), "time_to_hit", "square root of a negative number"),
    "own radius": (changed(("sigma = self.radius + that.radius", "sigma = self.radius")), "time_to_hit", "this disc alone.*r_i \\+ r_j"),
    "4ac": (changed(("dvdr * dvdr - dvdv", "dvdr * dvdr - 4 * dvdv")), "time_to_hit", "discriminant mixes two formulas"),
    "later root": (changed((ROOT, "return (-dvdr + math.sqrt(d)) / dvdv")), "time_to_hit", "larger root"),
    "touching": (changed((ROOT, "t = -(dvdr + math.sqrt(d)) / dvdv\n        return t if t > 0 else math.inf")), "time_to_hit",
                 "due now is missed"),
    "no return": (changed((ROOT, ROOT.replace("return ", ""))), "time_to_hit", "return is missing"),
    "walls without radius": (changed((" - self.rx - self.radius", " - self.rx"), ("(self.radius - self.rx)", "-self.rx")),
                             "time_to_hit_vertical_wall", "radius is forgotten at the walls"),
    "other component": (changed(("self.vx = -self.vx", "self.vy = -self.vy")), "bounce_off_vertical_wall", "wrong component is flipped"),
    "wall not counted": (changed(("        self.count += 1\n", ""), within="bounce_off_vertical_wall"), "bounce_off_vertical_wall",
                         "not counted"),
    "one counts": (changed(("        that.count += 1\n", "")), "bounce_off", "only one of the two discs counts"),
    "one bounced": (changed(("that.vx -= fx / that.mass", "pass"), ("that.vy -= fy / that.mass", "pass")), "bounce_off",
                    "only this disc is bounced"),
    "masses swapped": (changed(("fx / self", "fx / SELF"), ("fy / self", "fy / SELF"), ("/ that.mass", "/ self.mass"), ("SELF", "that"),
                               within="bounce_off"), "bounce_off", "masses are swapped"),
    "factor 2": (changed(("magnitude = 2 * ", "magnitude = ")), "bounce_off", "lose energy by a factor 2.*factor 2 is missing"),
    "moves double": (changed(("vx * dt", "vx * 2 * dt"), ("vy * dt", "vy * 2 * dt")), "move", "moves twice as far"),
    "no swim": (changed(("        while k > 1 and", "        while False and")), "del_min", "no swim"),
    "left child": (changed(("if j < n and", "if False and")), "del_min", "left child only"),
    "largest": (changed(("self.pq[k] < self", "self.pq[k] > self"), ("] < self.pq[j]", "] > self.pq[j]"),
                        ("self.pq[j] < self.pq[k]", "self.pq[j] > self.pq[k]")), "del_min", "MaxPQ"),
    "ties lost": (changed(("        self.pq.append(key)", "        if key in self.pq: return\n        self.pq.append(key)")), "del_min",
                  "equal items are lost"),
    "empty": (changed(('raise IndexError("empty")', "return None")), "del_min", "empty queue must raise"),
    "truncated": (changed(("self.time < that.time", "int(self.time - that.time) < 0")), "__lt__", "whole number"),
    "second ignored": (changed(("if self.b is not None and self.b.count", "if False and self.b.count")), "is_valid", "both its discs"),
    "stale": (changed(("if not e.is_valid():", "if False:")), "simulate", "stale events are not skipped"),
    "dt in events": (changed(("Event(self.t + dt", "Event(dt")), "simulate", "must hold t \\+ dt"),
    "later discs": (changed(("        for b in self.particles:\n", "        for b in self.particles[self.particles.index(a) + 1:]:\n")),
                    "simulate", "only against later discs"),
    "one predicted": (changed(("            self.predict(b, limit)\n", "")), "simulate", "only one of its discs"),
    "time stands": (changed(("            self.t = e.time\n", "")), "simulate", "time of the system does not advance"),
    "moved twice": (changed(("p.move(e.time - self.t)", "p.move(e.time - self.t); p.move(e.time - self.t)")), "simulate", "moved twice"),
    "not moved": (changed(("p.move(e.time - self.t)", "pass")), "simulate", "not moved to the time of the event"),
    "moved by all": (changed(("p.move(e.time - self.t)", "p.move(e.time)")), "simulate", "moved by the time of the event"),
    "walls mixed up": (changed(("a.bounce_off_vertical_wall()", "a.bounce_off_HORIZONTAL_wall()"),
                               ("b.bounce_off_horizontal_wall()", "b.bounce_off_vertical_wall()"), ("HORIZONTAL", "horizontal")),
                       "simulate", "mixed up"),
    "mass for radius": (changed(("self.radius = radius", "self.radius = mass"), ("self.mass = mass", "self.mass = radius")), "new",
                        "radius and mass are mixed up"),
    "one count for all": (changed(("        self.count = 0\n", ""), ("self.count += 1", "Particle.count += 1"),
                                  ("that.count += 1", "Particle.count += 1"), ("class Particle:\n", "class Particle:\n    count = 0\n")),
                          "bounce_off_vertical_wall", "share one count"),
    "asking changes": (changed((ROOT, f"that.radius += .01\n        {ROOT}")), "time_to_hit", "it must only compute"),
    "rounded": (changed((ROOT, ROOT.replace("return ", "return round(") + ", 3)")), "time_to_hit", "rounded to 3 decimals"),
    "nan": (changed((ROOT, "return math.inf - math.inf")), "time_to_hit", "nan is no number"),
    "miss as 0": (changed(("        if d < 0:\n            return math.inf\n", "        d = max(d, 0)\n")), "time_to_hit",
                  "do not take 0 for d"),
    "damped": (changed(("self.vx = -self.vx", "self.vx = -.9 * self.vx")), "bounce_off_vertical_wall", "multiplied by 0.9"),
    "one list for all queues": (changed(("        self.pq = [None]\n", "        pass\n"), ("class MinPQ:\n", "class MinPQ:\n    pq = [None]\n")),
                                "del_min", "two queues share their items"),
    "deleted again": (changed(("k, n = 1, len(self.pq) - 1", "k, n = 1, len(self.pq) - 1; self.pq[n:] = self.pq[n:] and [least]")),
                      "del_min", "item comes out that has been deleted"),
    "walls never valid": (changed(("if b is not None else -1", "if a is not None and b is not None else -1")), "is_valid",
                          "an event at a wall has no other disc"),
    "no walls": (changed(("        dt = a.time_to_hit_vertical_wall()\n", "        return\n")), "simulate",
                 "^walls are never predicted$"),
    "first at start": (changed(("in self.particles:\n            self.predict", "in self.particles[:1]:\n            self.predict")),
                       "simulate", "only the first disc is predicted"),
    "stops at stale": (changed(("                continue\n", "                break\n")), "simulate", "ends at the first stale event"),
    "no else": (changed(("            elif a is not None:", "            if a is not None:")), "simulate", "an else is missing"),
    "bounced first": (changed((MOVING, ""), ("            self.predict(a, limit)\n", f"{MOVING}            self.predict(a, limit)\n")),
                      "simulate", "bounce before they are moved"),
    "redraw stands": (changed(("self.particles:\n                p.move", "self.particles if a or b else []:\n                p.move")),
                      "simulate", "at a redraw the time advances"),
    "left over": (changed(("        self.particles = list(particles)\n", "        self.particles.extend(particles)\n"),
                          ("class CollisionSystem:\n", "class CollisionSystem:\n    particles = []\n")), "simulate",
                  "something of an earlier one is left over"),
    "steps of time": (re.sub(r"(    def simulate.*)", """    def simulate(self, limit):
        while self.t < limit:
            self.t += .01
            for k, p in enumerate(self.particles):
                p.move(.01)
                if not p.radius < p.rx < 1 - p.radius:
                    p.bounce_off_vertical_wall()
                if not p.radius < p.ry < 1 - p.radius:
                    p.bounce_off_horizontal_wall()
                for q in self.particles[:k]:
                    if math.hypot(p.rx - q.rx, p.ry - q.ry) < p.radius + q.radius:
                        p.bounce_off(q)
""", RIGHT, flags=re.DOTALL), "simulate", "multiples of 0.01: .* fixed time steps"),
    "no end": (changed(("        if self.t < limit:\n            self.pq", "        if True:\n            self.pq")), "simulate",
               "The next redraw is for t < limit"),
}


@pytest.mark.parametrize("style, name", [(list(STYLES)[k % 2], name) for k, name in enumerate(WRONG)])
def test_a_wrong_program_is_told_what_is_wrong(judge, style, name):
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

@pytest.mark.parametrize("text, found, cause", [
    (changed(("            e = self.pq.del_min()\n", "            continue\n")), "without end", "a loop that never ends"),
    (changed(("        d = dvdr", "        while dvdv < 1: pass\n        d = dvdr")), "did not end within 1 s", "condition stays true"),
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
    ("PAIR_TIME", lambda a, b, fault: faults.pair_time(a, b, fault)), ("WALL_TIME", lambda a, b, fault: faults.wall_time(a, 0, fault)),
    ("BOUNCE", lambda a, b, fault: faults.bounce(a, b, fault)), ("WALL_BOUNCE", lambda a, b, fault: faults.wall_bounce(a, 0, fault)),
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


# event logs

class Enough(Exception):
    """The log is long enough."""


def program_log(name, until, text=RIGHT, most=10_000):
    """The rows (time, i, j) of the student's program, so many at most."""
    program = {}
    exec(text, program)
    source, rows, clock = hdsim.load(name), [], []

    def note(*discs_or_walls):
        if len(rows) == most:
            raise Enough
        rows.append((clock[0].t, *(discs.index(disc) if disc is not None else -1 for disc in discs_or_walls)))

    class Noted(program["Particle"]):
        def bounce_off(self, that):
            note(self, that)
            super().bounce_off(that)

        def bounce_off_vertical_wall(self):
            note(self, None)
            super().bounce_off_vertical_wall()

        def bounce_off_horizontal_wall(self):
            note(None, self)
            super().bounce_off_horizontal_wall()

    table = np.column_stack([source.positions, source.velocities, source.radii, source.masses]).tolist()
    discs = [Noted(*row) for row in table]
    clock.append(program["CollisionSystem"](discs))
    with suppress(Enough):
        clock[0].simulate(until)
    return rows


def text_of(rows, head="time,i,j", form="{!r},{},{}"):
    return "\n".join([head, *(form.format(*row) for row in rows)]) + "\n"


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
def test_a_wrong_log_is_told_what_is_wrong(tmp_path, name, changes, cause):
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
    ("time,i,j\n0e-" + "9" * 5000 + ",1,99\n", ":2: expected discs 0 to"), ("time,i,j\n1,1_0,2\n", ":2: expected the number of a disc"),
    ("time,i,j\n1,inf,2\n", ":2: expected the number of a disc"), ("time,i,j,time\n1,1,2,3\n", ":1: expected a header with each name once"),
    ("time,i,j\n1,1,2\n\0\n", ":3: expected text, found a NUL byte, as binary files have them"),
    ("time,i,j\nnan,1,2\n", ":2: expected a time"), ("time,i,j\n1,one,2\n", ":2: expected the number of a disc, -1 or the name"),
    ("time,i,j\n1,1,10\n", ":2: expected discs 0 to 9, found 10; does the log count from 1"), (b"time\xff", "other bytes"),
    (b"\xff\xfet\x00i", "other bytes"), ("time,i,j\n2,5,0,1\n", ":2: expected 3 values, as in line 1, found 4: .*comma for the decimal"),
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
    for arguments, message in ((["missing.py"], "missing.py: No such file"), (["p10", "--log", "log.csv", "--seconds", "1"], "--log runs none"),
                               (["student.py", "--order", "auto"], "--order is for the SOURCE of --log")):
        assert cli.main(["check", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_the_program_of_the_tests_runs_alone():
    """student.py defines what it says, without a main program."""
    assert {"Particle", "MinPQ", "Event", "CollisionSystem"} <= runpy.run_path(str(Path(__file__).parents[1] / "student.py")).keys()


# What a program leaves behind

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


@linux
@pytest.mark.parametrize("end", ["", "while True: pass", "os._exit(3)", "os.kill(os.getpid(), 11)", "raise SystemExit(2)"])
def test_what_has_left_the_process_group_ends_with_the_program(tmp_path, end):
    """Daemons of another session, whether the program ends, crashes or has to be ended."""
    pids, program = tmp_path / "pids", tmp_path / "student.py"
    program.write_text(LEAVING.format(path=str(pids)) + end + "\n" + RIGHT)
    checker.check_program(program, QUICK)
    assert len(left_by(pids)) >= 2 and not any(map(alive, left_by(pids)))


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
