"""The checker on programs in the styles that people use: what they take, where their walls are, how they hold positions."""
import re
from pathlib import Path

import pytest
from programs import RIGHT
from shapes import replaced

from hdsim import checker, language
from hdsim.checker.forms import wall_of
from hdsim.language.columns import columns

QUICK = checker.Limits(seconds=8.0, megabytes=1024)

PEOPLE = {file.stem: file.read_text() for file in sorted((Path(__file__).parent / "people").glob("*.py"))}
LOOP, BALL = PEOPLE["all_in_the_loop"], PEOPLE["pixels"]
LIMIT = "def simulate(self, limit)"
SYSTEM = "    def __init__(self, particles):\n        self.particles = list(particles)"
TOLD = replaced(LOOP, ("def __init__(self, balls)", "def __init__(self, balls, width, height)"),
                ("        self.time = 0\n", "        self.time, self.w, self.h = 0, width, height\n"),
                ("a.x, W,", "a.x, self.w,"), ("a.y, H,", "a.y, self.h,"))
ADDED = replaced(LOOP, ("def __init__(self, balls)", "def __init__(self)"), ("self.balls = balls", "self.balls = []"), (
    "    def next(self)", "    def add(self, ball):\n        self.balls.append(ball)\n\n    def next(self)"))
QUEUE = "class MinPQ:\n    def __init__(self)"
SHAPES = {
    **PEOPLE,
    "simulate(limit, hz)": replaced(RIGHT, (LIMIT, "def simulate(self, limit, hz)")),
    "simulate(Hz, limit)": replaced(RIGHT, (LIMIT, "def simulate(self, Hz, limit)")),
    "a system of *balls": replaced(LOOP, ("def __init__(self, balls)", "def __init__(self, *balls)")),
    "a system to which discs are added": ADDED,
    "a system that is told its box": TOLD,
    "a box by default": replaced(TOLD, ("balls, width, height", "balls, seed=0, width=640, height=480")),
    "a flat box": replaced(LOOP, ("W, H = 640, 480", "W, H = 1, 3")),
    "a queue that is told how to compare": replaced(RIGHT, (QUEUE, "class MinPQ:\n    def __init__(self, less)"),
                                                    ("MinPQ()", "MinPQ(lambda a, b: a < b)")),
    "a queue of keys": replaced(RIGHT, (QUEUE, "class MinPQ:\n    def __init__(self, *, key)"),
                                ("MinPQ()", "MinPQ(key=lambda e: e.time)")),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SHAPES)
def test_right_programs_in_the_styles_of_people_agree(judge, name):
    verdict = judge(SHAPES[name])
    assert verdict.status == 0, verdict
    assert "CollisionSystem" in verdict.stage
    if name in ("all_in_the_loop", "a system to which discs are added"):
        assert any("a box [0, 640] x [0, 480]" in note for note in verdict.notes)
    if name == "pixels":
        assert any("a box [0, 800] x [0, 600]" in note for note in verdict.notes)


EXCHANGED = ("                a.vx, a.vy = an2 * nx + at * tx, an2 * ny + at * ty\n"
             "                b.vx, b.vy = bn2 * nx + bt * tx, bn2 * ny + bt * ty\n",
             "                a.vx, a.vy, b.vx, b.vy = b.vx, b.vy, a.vx, a.vy\n")
WRONG = {
    "stale, with hz": (replaced(RIGHT, (LIMIT, "def simulate(self, limit, hz)"), ("if not e.is_valid()", "if False")),
                       "stale events", "six discs|two discs"),
    "one planned, arrays": (replaced(PEOPLE["arrays"], ("                self.schedule(j)\n", "")), "only one of its discs",
                            "two discs"),
    "half, vectors": (replaced(PEOPLE["vectors"], ("j = 2 * self.mass", "j = self.mass")), "factor 2 is missing",
                      r"Particle\.bounce_off"),
    "exchanged, complex": (replaced(PEOPLE["complex_numbers"], (
        "        self.v += p / self.m * n\n        other.v -= p / other.m * n", "        self.v, other.v = other.v, self.v")),
        "exchange their whole velocities", r"Disc\.bounce_off"),
    "conjugated, complex": (replaced(PEOPLE["complex_numbers"], ("self.v = -self.v.conjugate()", "self.v = self.v.conjugate()")),
                            "wrong component", "vertical_wall"),
    "a difference, pixels": (replaced(BALL, ("self.size + other.size) ** 2",
                                                                                    "self.size - other.size) ** 2")),
                             "difference of the radii", r"Ball\.time_to_hit"),
    "no radius on the right, pixels": (replaced(BALL, ("WIDTH - self.size - self.x", "WIDTH - self.x")),
                                       "radius is forgotten at the right", "six discs"),
    "exchanged, in the loop": (replaced(LOOP, EXCHANGED), "^the discs exchange their whole velocities", "two discs"),
    "no bottom and top, in the loop": (replaced(LOOP, (", (a.vy, a.y, H, 'y')):", ",):")), "do not turn round|never predicted",
                                       "two discs"),
    "no top, told": (replaced(TOLD, (", (a.vy, a.y, self.h, 'y')):", ",):")), "horizontal walls are never predicted",
                     "two discs"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_in_the_styles_of_people_get_a_true_cause(judge, name):
    """Also where the box is flat, or is to be learnt from discs that turn at the wrong places."""
    text, words, stage = WRONG[name]
    verdict = judge(text)
    assert verdict.status == 1, verdict
    assert re.search(words, verdict.cause) and re.search(stage, verdict.stage), verdict


@pytest.mark.more
def test_the_line_of_the_case_calls_the_system_as_it_is(judge):
    """With the number of redraws, with the box, with add()."""
    broken = ("self.t = e.time", "self.t = e.time + .001")
    hz = judge(replaced(RIGHT, (LIMIT, "def simulate(self, limit, hz)"), broken))
    assert re.search(r"\]\)\.simulate\([\d.]+, 0\.5\)$", hz.case), hz
    told = judge(replaced(TOLD, EXCHANGED))
    assert re.search(r"\], 1, 1\)\.simulate\([\d.]+\)$", told.case), told
    put = judge(replaced(SHAPES["a system to which discs are added"], EXCHANGED))
    assert re.match(r"s = CollisionSystem\(\); \[s\.add\(p\) for p in \[Ball\(.*\)\]\]; s\.simulate\([\d.]+\)$", put.case), put


@pytest.mark.parametrize("text, got", [
    (replaced(RIGHT, (LIMIT, "def simulate(self, limit, canvas, colours)")), "canvas, colours"),
    (replaced(RIGHT, (SYSTEM, "    def __init__(self, particles, integrator):\n        self.particles = list(particles)")),
     "integrator"),
    ("class CollisionSystem:\n    def __init__(self, particles): self.p = particles\n    def simulate(self, limit):\n"
     "        for p in self.p: p.advance_to(limit)\n", "no attribute 'advance_to'")])
def test_what_cannot_be_called_is_not_called_wrong(judge, text, got):
    """A system or a simulation with parameters that only its author knows; one for discs of a class that is not in the file."""
    verdict = judge(text)
    assert verdict.status == 2 and got in verdict.got, verdict


@pytest.mark.sample(1)
@pytest.mark.parametrize("name, text, words", [
    ("all pairs at each event", replaced(PEOPLE["complex_numbers"], ("        while True:\n", "        while True:\n"
     "            for _ in range(4_000_000 * (len(self.discs) > 90)): pass\n")),
     "was stopped when its time was over, and agrees so far"),
    ("nothing for all", replaced(BALL, ("if d < 0: return None", "return None")), "never for all discs"),
    ("never for all", replaced(RIGHT, ("if dvdr >= 0", "if dvdr >= 0 or True")), "never for all discs"),
    ("a sum for a difference", replaced(RIGHT, ("(self.radius - self.rx)", "(self.radius + self.rx)")), "none of the usual"),
    ("divided by a component", replaced(RIGHT, ("dvdr = dx * dvx + dy * dvy", "dvdr = dx * dvx + dy / dvy")), "crashes here"),
    ("objects compared", replaced(PEOPLE["arrays"], ("self.time + dt, next(self.serial), i, j, ball", "0, ball, i, j, ball")),
     "objects of Ball are compared by <"),
    ("texts compared", replaced(LOOP, ("what == 'y'", "what < 'y'")), "crashes here")])
def test_no_cause_is_named_that_is_not_one(judge, name, text, words):
    """Of a program that is only slow, of answers that are never for another reason, and of errors that look like usual ones."""
    verdict = judge(text, checker.Limits(seconds=5.0) if name.startswith("all") else None)
    assert verdict.status == (0 if name.startswith("all") else 1), verdict
    assert words in " ".join([verdict.cause, *verdict.notes]), verdict


def test_the_places_of_walls_by_single_discs():
    """Right ones, and those of discs that turn with another multiple of their radius; where they turn anywhere, there is none."""
    for factor, found in ((1, 8), (0, 8), (2, 8), (-1, 8), (3, None)):
        places = [(8 - factor * radius, radius) for radius in (.0625, .125, .03125)]
        assert wall_of(places, True) == found
    assert wall_of([(-3 + radius, radius) for radius in (.0625, .125)], False) == -3


@pytest.mark.sample(2)
@pytest.mark.parametrize("text, words", [
    (WRONG["stale, with hz"][0], "没有跳过失效的事件"), (WRONG["half, vectors"][0], "冲量缺少因子 2"),
    (WRONG["exchanged, in the loop"][0], "两个圆盘交换了整个速度"), (PEOPLE["pixels"], ""), ("while True: pass", "__main__"),
    (replaced(RIGHT, (LIMIT, "def simulate(self, limit, canvas)")), ""), ("x = 1 / 0", "加载时崩溃"), ("x = 1", ""),
    ("class MinPQ:\n    def insert(self, x): pass\n    def del_min(self): pass\n", "缺少 return")])
def test_verdicts_are_chinese(judge, text, words):
    """All but the program's names and lines of Python; columns begin where they do in English."""
    language.use("zh")
    try:
        verdict = judge(text, checker.Limits(seconds=3.0))
        lines = str(verdict).splitlines()
    finally:
        language.use(None)
    assert words in verdict.cause, verdict
    said = " ".join([verdict.stage, verdict.expected, verdict.cause, *verdict.notes])
    assert not re.search(r"\b(the|is|not|of|and|a)\b", re.sub(r"__\w+__|\S+\.py", "", said)), said
    assert {columns(re.match(r"\S*\s*", line)[0]) for line in lines} == {12}
