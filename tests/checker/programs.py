"""Programs to be checked: a right one (student.py), and wrong ones made of it, each with the words that its verdict
must contain."""
import re
from contextlib import suppress
from pathlib import Path

import numpy as np

import hdsim

RIGHT = (Path(__file__).parents[1] / "student.py").read_text()


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


VX, VY = ("dvx = that.vx - self.vx", "dvx = self.vx - that.vx"), ("dvy = that.vy - self.vy", "dvy = self.vy - that.vy")
ROOT = "return -(dvdr + math.sqrt(d)) / dvdv"
MOVING = "            for p in self.particles:\n                p.move(e.time - self.t)\n            self.t = e.time\n"
WRONG = {
    "sign of dv": (changed(VX, VY, within="time_to_hit"), "time_to_hit", "dr and dv have opposite signs"),
    "sign of the impulse": (changed(VX, VY, within="bounce_off"), "bounce_off", "gain energy by a factor 5.*wrong sign"),
    "no test": (changed(("if dvdr >= 0:", "if dvdr == 0:")), "time_to_hit", "the sign test v.r is missing"),
    "equal velocities": (changed(("if dvdr >= 0:", "if dvdr > 0:")), "time_to_hit", "equal velocities"),
    "root of d < 0": (changed(("if d < 0:", "if False:")), "time_to_hit", "square root of a negative number"),
    "own radius": (changed(("sigma = self.radius + that.radius", "sigma = self.radius")), "time_to_hit",
                   "this disc alone.*r_i \\+ r_j"),
    "4ac": (changed(("dvdr * dvdr - dvdv", "dvdr * dvdr - 4 * dvdv")), "time_to_hit", "discriminant mixes two formulas"),
    "later root": (changed((ROOT, "return (-dvdr + math.sqrt(d)) / dvdv")), "time_to_hit", "larger root"),
    "touching": (changed((ROOT, "t = -(dvdr + math.sqrt(d)) / dvdv\n        return t if t > 0 else math.inf")), "time_to_hit",
                 "due now is missed"),
    "no return": (changed((ROOT, ROOT.replace("return ", ""))), "time_to_hit", "return is missing"),
    "walls without radius": (changed((" - self.rx - self.radius", " - self.rx"), ("(self.radius - self.rx)", "-self.rx")),
                             "time_to_hit_vertical_wall", "radius is forgotten at the walls"),
    "other component": (changed(("self.vx = -self.vx", "self.vy = -self.vy")), "bounce_off_vertical_wall",
                        "wrong component is flipped"),
    "wall not counted": (changed(("        self.count += 1\n", ""), within="bounce_off_vertical_wall"),
                         "bounce_off_vertical_wall",
                         "not counted"),
    "one counts": (changed(("        that.count += 1\n", "")), "bounce_off", "only one of the two discs counts"),
    "one bounced": (changed(("that.vx -= fx / that.mass", "pass"), ("that.vy -= fy / that.mass", "pass")), "bounce_off",
                    "only this disc is bounced"),
    "masses swapped": (changed(("fx / self", "fx / SELF"), ("fy / self", "fy / SELF"), ("/ that.mass", "/ self.mass"),
                               ("SELF", "that"),
                               within="bounce_off"), "bounce_off", "masses are swapped"),
    "factor 2": (changed(("magnitude = 2 * ", "magnitude = ")), "bounce_off", "lose energy by a factor 2.*factor 2 is missing"),
    "moves double": (changed(("vx * dt", "vx * 2 * dt"), ("vy * dt", "vy * 2 * dt")), "move", "moves twice as far"),
    "no swim": (changed(("        while k > 1 and", "        while False and")), "del_min", "no swim"),
    "left child": (changed(("if j < n and", "if False and")), "del_min", "left child only"),
    "largest": (changed(("self.pq[k] < self", "self.pq[k] > self"), ("] < self.pq[j]", "] > self.pq[j]"),
                        ("self.pq[j] < self.pq[k]", "self.pq[j] > self.pq[k]")), "del_min", "MaxPQ"),
    "ties lost": (changed(("        self.pq.append(key)", "        if key in self.pq: return\n        self.pq.append(key)")),
                  "del_min",
                  "equal items are lost"),
    "empty": (changed(('raise IndexError("empty")', "return None")), "del_min", "empty queue must raise"),
    "truncated": (changed(("self.time < that.time", "int(self.time - that.time) < 0")), "__lt__", "whole number"),
    "second ignored": (changed(("if self.b is not None and self.b.count", "if False and self.b.count")), "is_valid",
                       "both its discs"),
    "stale": (changed(("if not e.is_valid():", "if False:")), "simulate", "stale events are not skipped"),
    "dt in events": (changed(("Event(self.t + dt", "Event(dt")), "simulate", "must hold t \\+ dt"),
    "later discs": (changed(("        for b in self.particles:\n",
                             "        for b in self.particles[self.particles.index(a) + 1:]:\n")),
                    "simulate", "only against later discs"),
    "one predicted": (changed(("            self.predict(b, limit)\n", "")), "simulate", "only one of its discs"),
    "time stands": (changed(("            self.t = e.time\n", "")), "simulate", "time of the system does not advance"),
    "moved twice": (changed(("p.move(e.time - self.t)", "p.move(e.time - self.t); p.move(e.time - self.t)")), "simulate",
                    "moved twice"),
    "not moved": (changed(("p.move(e.time - self.t)", "pass")), "simulate", "not moved to the time of the event"),
    "moved by all": (changed(("p.move(e.time - self.t)", "p.move(e.time)")), "simulate", "moved by the time of the event"),
    "walls mixed up": (changed(("a.bounce_off_vertical_wall()", "a.bounce_off_HORIZONTAL_wall()"),
                               ("b.bounce_off_horizontal_wall()", "b.bounce_off_vertical_wall()"), ("HORIZONTAL", "horizontal")),
                       "simulate", "mixed up"),
    "mass for radius": (changed(("self.radius = radius", "self.radius = mass"), ("self.mass = mass", "self.mass = radius")),
                        "new",
                        "radius and mass are mixed up"),
    "one count for all": (changed(("        self.count = 0\n", ""), ("self.count += 1", "Particle.count += 1"),
                                  ("that.count += 1", "Particle.count += 1"),
                                  ("class Particle:\n", "class Particle:\n    count = 0\n")),
                          "bounce_off_vertical_wall", "share one count"),
    "asking changes": (changed((ROOT, f"that.radius += .01\n        {ROOT}")), "time_to_hit", "it must only compute"),
    "rounded": (changed((ROOT, ROOT.replace("return ", "return round(") + ", 3)")), "time_to_hit", "rounded to 3 decimals"),
    "nan": (changed((ROOT, "return math.inf - math.inf")), "time_to_hit", "nan is no number"),
    "miss as 0": (changed(("        if d < 0:\n            return math.inf\n", "        d = max(d, 0)\n")), "time_to_hit",
                  "do not take 0 for d"),
    "damped": (changed(("self.vx = -self.vx", "self.vx = -.9 * self.vx")), "bounce_off_vertical_wall", "multiplied by 0.9"),
    "one list for all queues": (changed(("        self.pq = [None]\n", "        pass\n"),
                                        ("class MinPQ:\n", "class MinPQ:\n    pq = [None]\n")),
                                "del_min", "two queues share their items"),
    "deleted again": (changed(("k, n = 1, len(self.pq) - 1",
                               "k, n = 1, len(self.pq) - 1; self.pq[n:] = self.pq[n:] and [least]")),
                      "del_min", "item comes out that has been deleted"),
    "walls never valid": (changed(("if b is not None else -1", "if a is not None and b is not None else -1")), "is_valid",
                          "an event at a wall has no other disc"),
    "no walls": (changed(("        dt = a.time_to_hit_vertical_wall()\n", "        return\n")), "simulate",
                 "^walls are never predicted$"),
    "first at start": (changed(("in self.particles:\n            self.predict",
                                "in self.particles[:1]:\n            self.predict")),
                       "simulate", "only the first disc is predicted"),
    "stops at stale": (changed(("                continue\n", "                break\n")), "simulate",
                       "ends at the first stale event"),
    "no else": (changed(("            elif a is not None:", "            if a is not None:")), "simulate", "an else is missing"),
    "bounced first": (changed((MOVING, ""), ("            self.predict(a, limit)\n",
                                             f"{MOVING}            self.predict(a, limit)\n")),
                      "simulate", "bounce before they are moved"),
    "redraw stands": (changed(("self.particles:\n                p.move",
                               "self.particles if a or b else []:\n                p.move")),
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
