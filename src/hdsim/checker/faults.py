"""The formulas of a disc with the usual errors of students, one at a time, to find the error that gives a wrong result.

The fault `right` is the correct formula. Two errors that give the same numbers, as a wrong sign of dr and of dv, are one fault.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

NEVER = math.inf


class Disc(NamedTuple):
    """Centre, velocity, radius, mass."""

    rx: float
    ry: float
    vx: float
    vy: float
    radius: float
    mass: float


Velocities = tuple[float, float, float, float]      # vx, vy of the first disc, then of the second

PAIR_TIME = {
    "sign": "dr and dv have opposite signs: one is r_j - r_i, the other v_i - v_j. Take both as that - this",
    "own radius": "sigma is the radius of this disc alone; the centres are r_i + r_j apart at contact, the sum of the radii",
    "other radius": "sigma is the radius of the other disc alone; it must be r_i + r_j, the sum of the radii",
    "twice own radius": "sigma is twice the radius of this disc; it must be r_i + r_j, the sum of the radii",
    "no radius": "the radii are forgotten: sigma must be r_i + r_j, not 0",
    "radii squared apart": "sigma^2 is r_i^2 + r_j^2; it must be (r_i + r_j)^2",
    "sigma not squared": "sigma is not squared: c is dr.dr - sigma^2",
    "no test": "the sign test v.r is missing: where dv.dr >= 0 the discs move apart and never meet, and the root of the "
               "formula lies in the past",
    "test reversed": "the sign test of v.r is the wrong way round: never if dv.dr >= 0, because then they move apart",
    "later root": "this is the larger root, when the discs would part again; take -(dv.dr + sqrt(d)) / dv.dv",
    "4ac": "the discriminant mixes two formulas: with b = dv.dr it is d = b^2 - a c; the 4 of b^2 - 4ac belongs to b = 2 dv.dr",
    "4ac, 2a": "the discriminant mixes two formulas: b^2 - 4ac and 2a belong to b = 2 dv.dr; with b = dv.dr it is "
               "d = b^2 - a c, divided by a = dv.dv",
    "full b": "the discriminant lacks the 4: with b = 2 dv.dr it is b^2 - 4ac",
    "2a": "divided by 2 dv.dv; with d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2) it is dv.dv alone",
    "half a": "divided by a = dv.dv; with b = 2 dv.dr and b^2 - 4ac it must be 2a",
    "plus ac": "the discriminant has a wrong sign: d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2)",
    "no dvdv": "dv.dv is missing in the discriminant: d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2)",
    "not divided": "the division by dv.dv is missing",
    "root of dvdv": "divided by |dv|; it must be dv.dv, the square",
    "negative": "the sign of the result is wrong: t = -(dv.dr + sqrt(d)) / dv.dv",
    "no root": "the square root of d is missing",
    "half sigma": "sigma is half of what it must be: it is r_i + r_j, the sum of the radii, not their mean",
    "double sigma": "sigma is twice what it must be: it is r_i + r_j, the sum of the radii",
    "masses": "the masses are taken for the radii: look at the constructor and at the order of radius and mass",
    "whole": "the result is a whole number: // or int() drops what comes after the point",
    "no misses": "d < 0 means that the discs miss each other: return never, and do not take 0 for d",
    "wrong dvdr": "dv.dr has a minus: it is dvx * dx + dvy * dy",
    "absolute d": "d < 0 means that the discs miss each other: return never, and do not take the root of -d",
    "zero": "d < 0 means that the discs miss each other: return never, and not 0",
    "touching": "a contact that is due now is missed: discs that touch and approach meet at 0. A test such as t <= 0 drops it "
                "(algs4's Particle.java has one: discs that touch pass through each other there)",
    "sum of velocities": "dv is the sum of the velocities; it must be their difference, v_j - v_i",
    "own velocity": "dv is the velocity of one disc; it must be the difference, v_j - v_i",
    "crossed": "dv.dr mixes x and y: it is dvx * dx + dvy * dy",
    "x only": "only x is looked at: the products are sums over x and y",
    "difference": "sigma is the difference of the radii; it must be r_i + r_j, their sum",
    "dvdr for dvdv": "dv.dr stands for dv.dv in the discriminant: d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2)",
    "divided by dvdr": "divided by dv.dr; it must be dv.dv",
    "dvdr everywhere": "dv.dr stands for dv.dv, in the discriminant and as the divisor",
    "no dvdr": "dv.dv stands for dv.dr in the discriminant: d = (dv.dr)^2 - dv.dv (dr.dr - sigma^2)",
}
SIGMA = ("difference", "own radius", "other radius", "twice own radius", "no radius", "half sigma", "double sigma",
         "radii squared apart", "sigma not squared")
AND = " & "     # joins the names of two errors
# One error in sigma and one elsewhere.
PAIR_TIME_TWICE = {f"{one}{AND}{other}": (PAIR_TIME[one], PAIR_TIME[other]) for one in SIGMA for other in (
    "no test", "test reversed", "later root", "4ac", "4ac, 2a", "2a", "half a", "plus ac", "no dvdv", "not divided",
    "root of dvdv", "negative", "no root", "no misses", "dvdr for dvdv", "divided by dvdr", "dvdr everywhere")}


def pair_time(a: Disc, b: Disc, fault: str = "right") -> float:
    """The time until a and b touch, by the formula with one of the errors PAIR_TIME, or two of PAIR_TIME_TWICE; NEVER, or what
    the error gives instead."""
    dx, dy, dvx, dvy = b.rx - a.rx, b.ry - a.ry, b.vx - a.vx, b.vy - a.vy
    if fault == "right" and dx * dvx + dy * dvy >= 0:       # a short cut, which about half of all pairs take
        return NEVER
    if fault == "sum of velocities":
        dvx, dvy = a.vx + b.vx, a.vy + b.vy
    if fault == "own velocity":
        dvx, dvy = -a.vx, -a.vy
    if fault == "sign":
        dx, dy = -dx, -dy
    if fault == "x only":
        dy = dvy = 0.0
    inexact, fault = fault.split(AND) if AND in fault else (fault, fault)
    dvdr = dx * dvy + dy * dvx if fault == "crossed" else dx * dvx + dy * dvy * (-1 if fault == "wrong dvdr" else 1)
    dvdv, drdr = dvx * dvx + dvy * dvy, dx * dx + dy * dy
    away = dvdr <= 0 if fault == "test reversed" else dvdr >= 0
    if (away and fault != "no test") or dvdv == 0:
        return NEVER
    sigma = {"own radius": a.radius, "other radius": b.radius, "twice own radius": 2 * a.radius,
             "no radius": 0.0, "half sigma": (a.radius + b.radius) / 2, "double sigma": 2 * (a.radius + b.radius),
             "masses": a.mass + b.mass, "difference": b.radius - a.radius}.get(inexact, a.radius + b.radius)
    square = {"radii squared apart": a.radius**2 + b.radius**2, "sigma not squared": sigma}.get(inexact, sigma * sigma)
    ac = (drdr - square) * {"no dvdv": 1.0, "dvdr for dvdv": dvdr, "dvdr everywhere": dvdr}.get(fault, dvdv)
    factor = {"4ac": 4.0, "4ac, 2a": 4.0, "full b": 0.25, "plus ac": -1.0}.get(fault, 1.0)
    d = (dvdv * dvdv if fault == "no dvdr" else dvdr * dvdr) - factor * ac
    if d < 0:
        if fault == "zero":
            return 0.0
        if fault == "no misses":
            d = 0.0
        elif fault != "absolute d":
            return NEVER
    root = abs(d) if fault == "no root" else math.sqrt(abs(d))
    above = -dvdr + root if fault == "later root" else -(dvdr + root)
    below = {"2a": 2 * dvdv, "4ac, 2a": 2 * dvdv, "half a": dvdv / 2, "not divided": 1.0, "root of dvdv": math.sqrt(dvdv),
             "negative": -dvdv, "divided by dvdr": dvdr, "dvdr everywhere": dvdr}.get(fault, dvdv)
    time = float(above // below) if fault == "whole" else above / below if below else NEVER
    return NEVER if fault == "touching" and time <= 1e-12 else time


WALL_TIME = {
    "no radius": "the radius is forgotten at the walls: at contact the surface touches, so the centre is one radius from "
                 "the wall",
    "no radius near": "the radius is forgotten at the left or bottom wall: there the centre is one radius from it",
    "no radius far": "the radius is forgotten at the right or top wall: there the centre is one radius from it",
    "radius outside": "the radius has the wrong sign: at contact the centre is one radius inside the wall",
    "diameter": "the diameter is taken for the radius: at contact the centre is one radius from the wall",
    "other wall": "the wall behind the disc is taken: v > 0 goes to the right or top, v < 0 to the left or bottom",
    "negative": "the sign of the time is wrong",
    "negative near": "towards the left or bottom wall the sign of the time is wrong: v < 0 there, t = (wall + radius - r) / v",
    "position": "the wall is chosen by the sign of the position, or is always the right or top one; it must be chosen by the "
                "sign of the velocity: v > 0 goes to the right or top, v < 0 to the left or bottom",
    "far only": "the left or bottom wall is forgotten: where v < 0, t = (wall + radius - r) / v",
    "other axis": "the wrong component: a vertical wall is met in x, with rx and vx, a horizontal one in y",
    "not divided": "the distance is not divided by the velocity",
    "whole far": "towards the right or top wall the result is a whole number: // or int() drops what comes after the point",
    "mass": "the mass is taken for the radius: look at the constructor and at the order of radius and mass",
    "whole": "the result is a whole number: // or int() drops what comes after the point",
    "touching": "a contact that is due now is missed: a disc that touches the wall and goes towards it meets it at 0",
}


def wall_time(disc: Disc, axis: int, fault: str = "right", box: Sequence[float] = (1.0, 1.0)) -> float:
    """The time until the disc touches a vertical (axis 0) or horizontal (axis 1) wall of a box, with one of WALL_TIME."""
    if fault == "other axis":
        axis = 1 - axis
    r, v, radius = disc[axis], disc[2 + axis], disc.mass if fault == "mass" else disc.radius
    if v == 0:
        return NEVER
    near = {"no radius": 0.0, "no radius near": 0.0, "radius outside": -radius, "diameter": 2 * radius}.get(fault, radius)
    far = box[axis] - {"no radius": 0.0, "no radius far": 0.0, "radius outside": -radius, "diameter": 2 * radius}.get(
        fault, radius)
    if fault == "far only" and v < 0:
        return NEVER
    forwards = r > 0 if fault == "position" else (v > 0) != (fault == "other wall")
    time = ((far if forwards else near) - r) / (1.0 if fault == "not divided" else v)
    if fault == "whole" or (fault == "whole far" and v > 0):
        time = float(math.floor(time))
    if fault == "negative" or (fault == "negative near" and v < 0):
        return -time
    return NEVER if fault == "touching" and time <= 1e-12 else time


BOUNCE = {
    "sign": "the impulse has the wrong sign: with v_i += J / m_i and v_j -= J / m_j take dv = v_j - v_i and dr = r_j - r_i "
            "(that - this; the slides take v_i - v_j and r_i - r_j, which is wrong with these signs)",
    "half": "the factor 2 is missing in the impulse: J = 2 m_i m_j (dv.dr) / (sigma (m_i + m_j))",
    "masses swapped": "the masses are swapped: v_i changes by J / m_i, v_j by J / m_j, each by its own mass",
    "first only": "only this disc is bounced: the velocity of the other one must change by -J / m_j",
    "second only": "only the other disc is bounced: the velocity of this one must change by J / m_i",
    "same sign": "both velocities change with the same sign: v_i += J / m_i, but v_j -= J / m_j",
    "one mass of i": "the impulse lacks the factor m_j: J = 2 m_i m_j (dv.dr) / (sigma (m_i + m_j))",
    "one mass of j": "the impulse lacks the factor m_i: J = 2 m_i m_j (dv.dr) / (sigma (m_i + m_j))",
    "no masses": "the masses are left out: this is the formula for equal masses",
    "not divided by masses": "the changes of velocity are J, not divided by the mass: v_i += J / m_i, v_j -= J / m_j",
    "no sum": "the division by m_i + m_j is missing in the impulse",
    "sigma once": "J is divided by sigma once too few: J = 2 m_i m_j (dv.dr) / (sigma (m_i + m_j)), Jx = J dx / sigma",
    "sigma never": "sigma is missing: J = 2 m_i m_j (dv.dr) / (sigma (m_i + m_j)), Jx = J dx / sigma",
    "own radius": "sigma is the radius of this disc alone; it must be r_i + r_j, the sum of the radii",
    "other radius": "sigma is the radius of the other disc alone; it must be r_i + r_j, the sum of the radii",
    "x only": "only vx changes: vy must change by Jy / m, Jy = J dy / sigma",
    "y only": "only vy changes: vx must change by Jx / m, Jx = J dx / sigma",
    "axes swapped": "Jx and Jy are swapped: Jx = J dx / sigma changes vx, Jy = J dy / sigma changes vy",
    "exchanged": "the discs exchange their whole velocities; only the part along the line of the centres changes",
    "reversed": "both velocities are reversed; only the part along the line of the centres changes",
    "mirrored": "each disc is reflected as by a wall; the impulse depends on both velocities, dv.dr",
    "nothing": "no velocity changes",
    "sum of velocities": "dv is the sum of the velocities; it must be their difference, v_j - v_i",
    "no mass at all": "the masses are left out, of the impulse and of what it changes: "
                      "J = 2 m_i m_j (dv.dr) / (sigma (m_i + m_j)), v_i += J / m_i, v_j -= J / m_j",
    "masses for radii": "the masses are taken for the radii, or the other way round: look at the constructor and at the order "
                        "of both",
    "whole": "the impulse is a whole number: // or int() drops what comes after the point",
    "Jx twice": "vy changes by Jx: it must change by Jy / m, Jy = J dy / sigma",
    "Jy twice": "vx changes by Jy: it must change by Jx / m, Jx = J dx / sigma",
    "lost": "one velocity is lost when the discs exchange theirs; and only the part along the line of the centres changes",
    "other too late": "the impulse is computed anew from the first disc's new velocity: compute J once, and then change both",
    "one dimension": "this is the formula for one dimension, for each component; only the part along the line of the centres "
                     "changes: J = 2 m_i m_j (dv.dr) / (sigma (m_i + m_j))",
    "aliased": "the other disc's new velocity is computed from this disc's: each changes by its own J / m, v_j -= J / m_j",
    "elementwise": "dv * dr of arrays is multiplied component by component; dv.dr is the sum of the products (numpy.dot)",
    "difference": "sigma is the difference of the radii; it must be r_i + r_j, their sum",
    "used too early": "the velocities that go into the impulse have changed already: compute J first, then change all four",
}


def _without_impulse(a: Disc, b: Disc, fault: str) -> Velocities | None:
    """The velocities by an error that computes no impulse; None for the other errors."""
    if fault == "exchanged":
        return b.vx, b.vy, a.vx, a.vy
    if fault == "lost":
        return b.vx, b.vy, b.vx, b.vy
    if fault == "reversed":
        return -a.vx, -a.vy, -b.vx, -b.vy
    if fault == "nothing":
        return a.vx, a.vy, b.vx, b.vy
    if fault == "one dimension":
        m, n = (a.mass - b.mass) / (a.mass + b.mass), 2 / (a.mass + b.mass)
        return (m * a.vx + n * b.mass * b.vx, m * a.vy + n * b.mass * b.vy,
                n * a.mass * a.vx - m * b.vx, n * a.mass * a.vy - m * b.vy)
    return None


def bounce(a: Disc, b: Disc, fault: str = "right") -> Velocities:
    """The velocities of a and b after their collision, by the formula with one of the errors BOUNCE."""
    dx, dy, dvx, dvy = b.rx - a.rx, b.ry - a.ry, b.vx - a.vx, b.vy - a.vy
    if without := _without_impulse(a, b, fault):
        return without
    if fault == "masses for radii":
        a, b = a._replace(radius=a.mass, mass=a.radius), b._replace(radius=b.mass, mass=b.radius)
    sigma = {"own radius": a.radius, "other radius": b.radius, "difference": b.radius - a.radius}.get(fault, a.radius + b.radius)
    if sigma == 0:
        return math.nan, math.nan, math.nan, math.nan
    if fault == "mirrored":
        along_a, along_b = ((d.vx * dx + d.vy * dy) * 2 / sigma**2 for d in (a, b))
        return a.vx - along_a * dx, a.vy - along_a * dy, b.vx - along_b * dx, b.vy - along_b * dy
    if fault == "sum of velocities":
        dvx, dvy = a.vx + b.vx, a.vy + b.vy
    other_masses = {"one mass of i": a.mass, "one mass of j": b.mass, "no masses": 0.5, "no mass at all": 1.0}
    masses = other_masses.get(fault, a.mass * b.mass)
    total = 1.0 if fault in ("no sum", "no masses", "no mass at all") else a.mass + b.mass
    power = {"sigma once": 1, "sigma never": 0}.get(fault, 2)
    scale = {"half": 1.0, "sign": -2.0}.get(fault, 2.0) * masses / (total * sigma**power)
    jx, jy = scale * (dvx * dx + dvy * dy) * dx, scale * (dvx * dx + dvy * dy) * dy
    if fault == "elementwise":
        jx, jy = scale * dvx * dx * dx, scale * dvy * dy * dy
    if fault == "used too early":       # both vx are changed first, and the changed ones are used for vy
        dvx = dvx - jx / b.mass - jx / a.mass
        jy = scale * (dvx * dx + dvy * dy) * dy
    if fault == "whole":
        jx, jy = (math.floor(scale * (dvx * dx + dvy * dy) * sigma) * d / sigma for d in (dx, dy))
    jx, jy = {"axes swapped": (jy, jx), "Jx twice": (jx, jx), "Jy twice": (jy, jy)}.get(fault, (jx, jy))
    if fault == "x only":
        jy = 0.0
    if fault == "y only":
        jx = 0.0
    mass_a, mass_b = (b.mass, a.mass) if fault == "masses swapped" else (a.mass, b.mass)
    if fault in ("not divided by masses", "no masses", "no mass at all"):
        mass_a = mass_b = 1.0
    if fault == "other too late":
        # J is linear in dv.dr, which the change of the first velocity has multiplied by this factor.
        left = 1 - 2 * b.mass / (a.mass + b.mass)
        return a.vx + jx / a.mass, a.vy + jy / a.mass, b.vx - left * jx / b.mass, b.vy - left * jy / b.mass
    if fault == "aliased":      # v_j begins from the new v_i
        b = b._replace(vx=a.vx + jx / a.mass, vy=a.vy + jy / a.mass)
    on_a = 0.0 if fault == "second only" else 1 / mass_a
    on_b = 0.0 if fault == "first only" else (-1 if fault == "same sign" else 1) / mass_b
    return a.vx + jx * on_a, a.vy + jy * on_a, b.vx - jx * on_b, b.vy - jy * on_b


WALL_BOUNCE = {
    "other axis": "the wrong component is flipped: a vertical wall reverses vx, a horizontal one vy",
    "both": "both components are flipped: a vertical wall reverses vx alone, a horizontal one vy alone",
    "nothing": "the velocity does not change: a vertical wall reverses vx, a horizontal one vy",
    "positive": "the velocity is made positive whatever it was: it must be reversed",
    "stopped": "the disc is stopped: its velocity must be reversed, not set to 0",
}


def wall_bounce(disc: Disc, axis: int, fault: str = "right") -> tuple[float, float]:
    """The velocity after a bounce off a vertical (axis 0) or horizontal (axis 1) wall, with one of the errors WALL_BOUNCE."""
    change: dict[str, Callable[[float], float]] = {"nothing": float, "positive": abs, "stopped": lambda v: 0.0}
    if fault == "other axis":
        axis = 1 - axis
    vx, vy = (change.get(fault, lambda v: -v)(v) if k == axis or fault == "both" else v for k, v in enumerate(disc[2:4]))
    return vx, vy


MOVE = {
    "without dt": "dt is not used: r += v * dt",
    "nothing": "the disc does not move: r += v * dt",
    "backwards": "the disc moves backwards: r += v * dt",
    "twice": "the disc moves twice as far: r += v * dt, once",
    "x only": "only rx changes: ry += vy * dt, too",
    "y only": "only ry changes: rx += vx * dt, too",
    "axes swapped": "the components are swapped: rx += vx * dt, ry += vy * dt",
    "vx for both": "both coordinates change by vx: ry += vy * dt",
    "vy for both": "both coordinates change by vy: rx += vx * dt",
    "velocity forgotten": "both coordinates change by dt, without the velocity: r += v * dt",
    "from zero": "the old position is lost: r += v * dt, not r = v * dt",
}


def move(disc: Disc, dt: float, fault: str = "right") -> tuple[float, float]:
    """The position of the disc after dt, with one of the errors MOVE."""
    time = {"without dt": 1.0, "nothing": 0.0, "backwards": -dt, "twice": 2 * dt}.get(fault, dt)
    vx, vy = {"axes swapped": (disc.vy, disc.vx), "vx for both": (disc.vx, disc.vx), "vy for both": (disc.vy, disc.vy),
              "velocity forgotten": (1.0, 1.0)}.get(fault, (disc.vx, disc.vy))
    rx, ry = (0.0, 0.0) if fault == "from zero" else (disc.rx, disc.ry)
    return rx + vx * time * (fault != "y only"), ry + vy * time * (fault != "x only")


ALL = [*((table, name) for table, names in (("pair_time", PAIR_TIME), ("wall_time", WALL_TIME), ("bounce", BOUNCE),
                                             ("wall_bounce", WALL_BOUNCE)) for name in names)]
