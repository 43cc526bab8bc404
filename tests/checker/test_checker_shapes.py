"""Programs of other shapes than the book's: verdicts on right and on wrong ones."""
import math
import re

import numpy as np
import pytest
from programs import RIGHT, WRONG, changed, part
from shapes import AGREES, DIFFERS, replaced

from hdsim import checker
from hdsim.checker.log import step_of

QUICK = checker.Limits(seconds=6.0, megabytes=512)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", AGREES)
def test_a_right_program_of_another_shape_agrees(judge, name):
    """Whoever changes the velocities: the methods of the discs, one method for all walls, the events, or the main loop."""
    verdict = judge(AGREES[name])
    assert verdict.status == 0, verdict


NUMPY = RIGHT.replace("import math\n", "import math\nimport numpy as np\n", 1)
BOUNCE = part("bounce_off")
TIME = part("time_to_hit")
ARRAYS = ("        dr = np.array([that.rx - self.rx, that.ry - self.ry])\n"
          "        dv = np.array([that.vx - self.vx, that.vy - self.vy])\n        s = self.radius + that.radius\n")
CAUSES = {
    "one dimension": (RIGHT.replace(BOUNCE, """    def bounce_off(self, that):
        m, n = self.mass, that.mass
        u, w = (self.vx, self.vy), (that.vx, that.vy)
        self.vx, self.vy = (((m - n) * p + 2 * n * q) / (m + n) for p, q in zip(u, w))
        that.vx, that.vy = (((n - m) * q + 2 * m * p) / (m + n) for p, q in zip(u, w))
        self.count += 1
        that.count += 1

"""), "formula for one dimension, for each component"),
    "aliased": (changed(("that.vx -= fx", "that.vx = self.vx - fx"), ("that.vy -= fy", "that.vy = self.vy - fy")),
                "other disc's new velocity is computed from this disc's"),
    "sign of the position": (changed(("if self.vx > 0", "if self.rx > 0"), ("elif self.vx < 0", "elif self.rx < 0"),
                                     within="time_to_hit_vertical_wall").replace(
        "        if self.rx > 0", "        if self.vx == 0:\n            return math.inf\n        if self.rx > 0"),
        "chosen by the sign of the position"),
    "sigma as a difference": (changed(("sigma = self.radius + that.radius", "sigma = self.radius - that.radius")),
                              "^sigma is the difference of the radii"),
    "sigma as a difference in bounce_off": (changed(("dist = self.radius + that.radius", "dist = that.radius - self.radius")),
                                            "not their difference|difference of the radii"),
    "dv.dr for dv.dv": (changed(("dvdr * dvdr - dvdv *", "dvdr * dvdr - dvdr *")), "^dv.dr stands for dv.dv in the discriminant"),
    "divided by dv.dr": (changed(("math.sqrt(d)) / dvdv", "math.sqrt(d)) / dvdr")), "^divided by dv.dr"),
    "two errors": (changed(("dvdr * dvdr - dvdv *", "dvdr * dvdr - dvdr *"),
                           ("sigma = self.radius + that.radius", "sigma = self.radius - that.radius")),
                   "two errors: sigma is the difference .*; and dv.dr stands for dv.dv in the discriminant"),
    "arrays": (NUMPY.replace(BOUNCE, "    def bounce_off(self, that):\n" + ARRAYS + """\
        J = 2 * self.mass * that.mass * (dv * dr) / (s * (self.mass + that.mass)) * dr / s
        self.vx += J[0] / self.mass; self.vy += J[1] / self.mass
        that.vx -= J[0] / that.mass; that.vy -= J[1] / that.mass
        self.count += 1; that.count += 1

"""), "component by component"),
    "a time of arrays": (NUMPY.replace(TIME, "    def time_to_hit(self, that):\n" + ARRAYS + """\
        if dv * dr >= 0:
            return math.inf
        return 1.0

"""), "component by component"),
}


@pytest.mark.parametrize("name", [*DIFFERS, *CAUSES])
def test_the_cause_of_a_difference_is_named(judge, name):
    """In programs of other shapes, and usual errors in the book's."""
    text, words = (DIFFERS | CAUSES)[name]
    verdict = judge(text)
    assert verdict.status == 1, verdict
    assert re.search(words, verdict.cause), verdict


def test_rubbish_in_the_file_of_results_is_a_sentence(judge):
    """Whatever a program writes into file descriptors that it has not opened."""
    for rubbish in (b"rubbish\n", b"[1, 2, 3]\n", b"\xff\xfe\n", b'["import", 5]\n', b"5\n"):
        verdict = judge(f"import os\nfor k in range(3, 9):\n    try: os.write(k, {rubbish!r})\n    except OSError: pass\n{RIGHT}")
        assert verdict.status == 1
        assert "has written into the file of this checker's results" in verdict.got, verdict


def steps(dt, count, discs=6):
    """The log of a gas with fixed steps dt: the right contacts, each at the end of its step."""
    rng = np.random.default_rng(3)
    return [(float(np.ceil(t / dt)) * dt, k % discs, -1) for k, t in enumerate(np.cumsum(rng.exponential(1, count)))]


@pytest.mark.parametrize("dt", [.01, .0123456789, 1 / 3, math.pi / 50, 1e-3, 1e-6])
@pytest.mark.parametrize("form", ["{!r},{},{}", "{:.9f},{},{}"])
def test_fixed_steps_are_recognised_in_logs_of_any_form(dt, form):
    """Also where times are printed in full, and are sums of many rounded steps."""
    rows = steps(dt, 30)
    if form.startswith("{!r}"):
        rows = [(sum([dt] * min(round(t / dt), 10**5)) if t / dt < 10**5 else t, i, j) for t, i, j in rows]
    times = [float(form.format(*row).partition(",")[0]) for row in rows]
    resolution = 0.0 if form.startswith("{!r}") else 5.1e-10
    assert step_of(times, 1.23456, resolution) == pytest.approx(dt, rel=1e-6) or dt < 1e-5
    if dt < 1e-5:
        assert step_of(times, 1.23456, resolution) in (0, pytest.approx(dt, rel=1e-6))


def test_contacts_at_any_time_are_no_fixed_steps():
    """Nor are times printed with few decimals, or those of a lattice, which the right contacts share."""
    times = np.cumsum(np.random.default_rng(4).exponential(1, 30))
    assert step_of(times.tolist(), 1.5) == 0
    assert step_of([round(t, 3) for t in times.tolist()], 1.5, .00051) == 0
    assert step_of([.25 * k for k in range(1, 20)], 1.5) == 0
    assert step_of([1.0, 1.0, 2.0], 1.5) == 0


# programs that people have

ORDER = "self, rx, ry, vx, vy, radius, mass, color=None"
VECTOR = replaced(RIGHT, (ORDER, "self, mass, radius, position, velocity, color"), (
    "self.rx, self.ry, self.vx, self.vy = rx, ry, vx, vy",
                  "(self.rx, self.ry), (self.vx, self.vy) = position, velocity"))
BOXES = [(0, 800, 0, 600), (-1, 1, -1, 1), (-300, 300, -200, 200), (0, 500, 0, 500)]


def boxed(left, right, bottom, top, text=RIGHT):
    return replaced(text, ("1.0 - self.rx", f"{right} - self.rx"), ("1.0 - self.ry", f"{top} - self.ry"), (
        "(self.radius - self.rx)", f"({left} + self.radius - self.rx)"), (
        "(self.radius - self.ry)", f"({bottom} + self.radius - self.ry)"))


PEOPLE = {
    "size first": replaced(RIGHT, (ORDER, "self, size, x, y, vx, vy, color, id, mass=1"), (
        "= rx, ry, vx, vy", "= x, y, vx, vy"), ("= radius\n", "= size\n"), (".radius", ".size"), (".rx", ".x"), (".ry", ".y")),
    "pairs": VECTOR,
    "keywords": replaced(RIGHT, (ORDER, "self, *, mass, radius, vx, vy, x, y"), ("= rx, ry, vx, vy", "= x, y, vx, vy"), (
        "self.color = color", "self.color = None")),
    "Ball": replaced(RIGHT, ("class Particle", "class Ball")),
    "Disc": replaced(RIGHT, ("class Particle", "class Disc")),
    "made by the class itself": replaced(RIGHT, (ORDER, "self"), ("= rx, ry, vx, vy", "= .1, .2, .3, .4"), (
        "= radius\n", "= .01\n"), (
        "= mass\n", "= .5\n"), ("= color", "= None")),
    "no masses": replaced(RIGHT, (ORDER, "self, rx, ry, vx, vy, radius, color=None"), ("        self.mass = mass\n", ""), (
        "2 * self.mass * that.mass * dvdr / ((self.mass + that.mass) * dist)", "dvdr / dist"), (
        " / self.mass", ""), (" / that.mass", "")),
    "turtle": "import turtle\nfrom tkinter import *\nfrom tkinter import ttk\nscreen = turtle.Screen()\nscreen.tracer(0)\n"
              "root = Tk()\ncanvas = Canvas(root, width=400, height=400)\ncanvas.pack()\n" + replaced(
                  RIGHT, ("class Particle:", "class Particle(turtle.Turtle):"), (
                      "        self.count = 0\n", "        super().__init__()\n        self.penup()\n        self.count = 0\n")),
    **{f"box {box}": boxed(*box) for box in BOXES},
}


@pytest.mark.parametrize("name", PEOPLE)
def test_programs_that_people_have_agree(judge, name):
    verdict = judge(PEOPLE[name])
    assert verdict.status == 0, verdict
    assert "CollisionSystem" in verdict.stage
    if name.startswith("box"):
        left, right, bottom, top = BOXES[[f"box {box}" for box in BOXES].index(name)]
        assert f"a box [{left}, {right}] x [{bottom}, {top}]" in verdict.notes[0]


@pytest.mark.parametrize("name, text, words", [
    ("time in pixels", boxed(0, 800, 0, 600, WRONG["own radius"][0]), "this disc alone"),
    ("walls in pixels", boxed(0, 800, 0, 600).replace("self.vx = -self.vx", "self.vy = -self.vy"), "wrong component"),
    ("loop in a square", boxed(-1, 1, -1, 1, WRONG["stale"][0]), "stale events"),
    ("loop in pixels", boxed(0, 800, 0, 600, WRONG["stale"][0]), "stale events"),
    ("by pairs", VECTOR.replace("that.count += 1", "pass"), "only one of the two"),
    ("radius forgotten", WRONG["walls without radius"][0], "radius is forgotten"),
])
def test_wrong_programs_that_people_have_differ(judge, name, text, words):
    verdict = judge(text)
    assert verdict.status == 1, verdict
    assert re.search(words, verdict.cause), verdict


def test_discs_that_cannot_be_made_are_not_called_wrong(judge):
    verdict = judge("class Particle:\n    def __init__(self): pass\n    def move(self, dt): pass\n")
    assert (verdict.status, verdict.got) == (
        2, "a constructor without rx, ry, vx, vy, radius, which cannot be set afterwards either")
