"""Exercise 12: balls of other spaces. What is conserved and what is not, virial coefficients of squares and cubes, a gas that
never becomes Maxwell's, and rods on the equator of a sphere."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import spaces as other, theory
from ..language import tr
from ..theory.norms import CUBES, SQUARES
from .balls import gas
from .replicas import BLOCKED
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

SOLID = {"squares": (2, SQUARES, (0.04, 0.08, 0.12, 0.16, 0.19)), "cubes": (3, CUBES, (0.02, 0.04, 0.06, 0.08, 0.1))}
N = 512                                 # of squares and cubes: 8^3
CONTACTS, CONTACTS_QUICK = 400, 40      # of each, at each density
WARM = 20                               # and before
BODIES = 100                            # of which conservation is checked
KEPT, KEPT_QUICK = 1000, 50             # contacts of each of them
ROUNDING = 1e-14                        # of what is conserved, at most, over what it is the sum of
# Angular momentum of two balls of L4 with diameter 1 and mass 1, one at (0, 0) at rest, one at (2, .3) with velocity (-1, 0),
# after their contact at time 2 - (1 - .3^4)^(1/4): computed with 40 digits. Before it is .3.
TURNED = 0.027311248904688707
MIXES = 16.0                            # contacts of each ball in which components all but become Maxwell's
STAMPS = np.linspace(0, 16, 33)         # contacts of each ball at which they are looked at
LATTICE, LOOKS, LOOKS_QUICK = 30, 40, 10    # balls on a side of the lattice, samples after MIXES
RODS, LENGTH, LAPS, LAPS_QUICK = 30, 0.1, 60.0, 10.0    # rods on the equator, their length, time


def spaces(*, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """What `hdsim.spaces` does, against what is known exactly: virial coefficients of parallel squares and cubes (Hoover and De
    Rocco 1962), conserved sums, angular momentum in the norm L4, which is not conserved, components of equal squares, which are
    only exchanged, while L4 makes them Maxwell's, and the contacts of rods on the equator, which are those of free points.
    """
    rng = np.random.default_rng(seed_of(seed) % 2**64)
    checks, columns = _virial(CONTACTS_QUICK if quick else CONTACTS, rng, lambda share: progress(0.7 * share))
    checks += _conserved(KEPT_QUICK if quick else KEPT, rng)
    progress(0.8)
    more, found = _components(LOOKS_QUICK if quick else LOOKS, rng)
    progress(0.95)
    checks, columns = checks + more, columns | found
    more, found = _rods(LAPS_QUICK if quick else LAPS, rng)
    progress(1.0)
    return Result("spaces", tuple(checks + more), tr("2^(d-1) volumes of a ball, in every norm"), columns | found,
                  (_draw_virial, _draw_components, _draw_rods))


def _virial(contacts: int, rng: np.random.Generator, progress: Progress) -> tuple[list[Check], dict[str, Any]]:
    """B_2 and B_3 of squares and cubes, from (Z - 1) / density; the later coefficients are taken from theory."""
    checks: list[Check] = []
    columns: dict[str, Any] = {}
    for k, (name, (d, series, densities)) in enumerate(SOLID.items()):
        values, errors = np.empty((2, len(densities)))
        for i, density in enumerate(densities):
            masses = rng.uniform(0.5, 2, N)     # equal ones would only exchange components
            balls = gas(math.inf, d, N, density, rng, masses)
            balls.simulate(max_events=WARM * N // 2)
            seen = balls.observe("pressure")
            balls.simulate(max_events=contacts * N // 2)
            ideal = seen.value / seen.compressibility_factor
            # What N balls lack, of the first order in 1 / N, is put back.
            lacking = theory.norm_compressibility_factor(density, math.inf, d) - seen.theory / ideal
            values[i] = (seen.compressibility_factor + lacking - 1) / density
            errors[i] = seen.error / ideal / density
            progress((k + (i + 1) / len(densities)) / len(SOLID))
        x = np.array(densities)
        # Errors of single points are uncertain; a point would count for more if its error is too small by chance.
        errors = np.sqrt(np.maximum(np.polyval(np.polyfit(x, errors**2, 1), x), (errors**2).min()))
        rest = sum(series[n] * x**(n - 1) for n in range(3, len(series)))
        (first, second), spread = _line(x, values - rest, errors)
        checks += [Check(check_name("B_{n} of {name}", n=2, name=name), first, spread[0], series[1], freedom=BLOCKED),
                   Check(check_name("B_{n} of {name}", n=3, name=name), second, spread[1], series[2], freedom=BLOCKED)]
        columns |= {f"density of {name}": x, f"(Z - 1) / density of {name}": values, f"error of {name}": errors}
    return checks, columns


def _line(x: np.ndarray, y: np.ndarray, errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients a, b of the line a + b x through points with errors, and their standard errors."""
    design = np.column_stack([np.ones(len(x)), x]) / errors[:, None]
    covariance = np.linalg.inv(design.T @ design)
    return covariance @ design.T @ (y / errors), np.sqrt(np.diag(covariance))


def _conserved(contacts: int, rng: np.random.Generator) -> list[Check]:
    """The growth of energy and momentum in L4, and of energy and angular momentum on the sphere, over what they are sums of; and
    what becomes of angular momentum in L4 and L2."""
    flat = gas(4, 2, BODIES, 0.3, rng, rng.uniform(0.5, 2, BODIES))
    round_ = _globe(rng)
    checks = []
    for name, balls, vector in (("L4", flat, lambda: flat.momentum), ("sphere", round_, lambda: round_.angular_momentum)):
        energy, before = balls.kinetic_energy, vector()
        whole = float(np.sum(balls.masses * np.sqrt(np.square(balls.velocities).sum(axis=1))))
        balls.simulate(max_events=contacts * BODIES // 2)
        what = check_name("momentum, {name}" if balls is flat else "angular momentum, {name}", name=name)
        checks += [Check(check_name("energy, {name}", name=name), abs(balls.kinetic_energy / energy - 1), 0.0, 0.0, ROUNDING),
                   Check(what, float(np.abs(vector() - before).max()) / whole, 0.0,
                         0.0, ROUNDING)]
    for p, law in ((2, 0.3), (4, TURNED)):
        pair = other.Gas(other.Norm(p), [(0, 0), (2, 0.3)], [(0, 0), (-1, 0)], 0.5)
        pair.next_event()
        x, v = pair.positions, pair.velocities
        checks.append(Check(check_name("angular momentum after a contact in L{p}", p=p),
                            float(np.sum(x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])), 0.0, law, ROUNDING))
    return checks


def _globe(rng: np.random.Generator) -> other.Gas:
    """BODIES discs of several masses spread over the unit sphere, in random motion."""
    k = np.arange(BODIES) + 0.5
    z, turn = 1 - 2 * k / BODIES, math.pi * (1 + math.sqrt(5)) * k
    s = np.sqrt(1 - z * z)
    x = np.column_stack([s * np.cos(turn), s * np.sin(turn), z])
    v = rng.normal(size=(BODIES, 3))
    return other.Gas(other.Sphere(), x, v - np.sum(v * x, axis=1)[:, None] * x, 0.08, rng.uniform(0.5, 2, BODIES))


def _components(looks: int, rng: np.random.Generator) -> tuple[list[Check], dict[str, Any]]:
    """<v_x^4> / <v_x^2>^2 of equal balls in L-infinity and in L4, against contacts of each ball. All |v_x| are equal at first,
    and all |v_y|."""
    n, columns, checks = LATTICE * LATTICE, {"contacts of each ball": STAMPS}, []
    for p, name in ((math.inf, "squares"), (4, "L4")):
        start = gas(p, 2, n, 0.4, rng)
        signs = np.column_stack([rng.permutation(np.tile((1.0, -1.0), n // 2)) for _ in range(2)])
        balls = other.Gas(start.space, start.positions, signs * (1, math.sqrt(2)), start.radii, periodic=start.periodic)
        courses, done, first = [], 0, np.sort(balls.velocities, axis=0)
        for stamp in STAMPS:
            done += balls.simulate(max_events=max(0, round(stamp * n / 2) - done))
            courses.append(_kurtosis(balls.velocities))
        columns[f"kurtosis of v_x, {name}"] = np.array(courses)
        if p == math.inf:
            changed = int(np.count_nonzero(np.sort(balls.velocities, axis=0) != first))
            checks.append(Check("components of squares that are new", changed, 0.0, 0.0))
            continue
        late = []
        balls.simulate(max_events=round(MIXES * n))
        for _ in range(looks):
            balls.simulate(max_events=round(MIXES / 2 * n / 2))
            late.append(_kurtosis(balls.velocities))
        freedom = 2 * n - 2
        checks.append(Check("<v_x^4> / <v_x^2>^2 in L4", float(np.mean(late)), float(np.std(late, ddof=1) / math.sqrt(looks)),
                            3 * freedom / (freedom + 2), freedom=looks - 1))
    return checks, columns


def _kurtosis(velocities: np.ndarray) -> float:
    """<v_x^4> / <v_x^2>^2 of velocities (n, 2)."""
    squares = velocities[:, 0] ** 2
    return float((squares**2).mean() / squares.mean() ** 2)


def _rods(laps: float, rng: np.random.Generator) -> tuple[list[Check], dict[str, Any]]:
    """The contacts of discs on the equator, which are rods on a ring: as many as there are meetings of free points on a ring that
    is shorter by all rods; and the angles of the rods as functions of time."""
    ring = 2 * math.pi - RODS * LENGTH
    free, w = np.sort(rng.uniform(0, ring, RODS)), rng.normal(size=RODS)
    angle = free + LENGTH * np.arange(RODS)
    cos, sin, zero = np.cos(angle), np.sin(angle), np.zeros(RODS)
    balls = other.Gas(other.Sphere(), np.column_stack([cos, sin, zero]), np.column_stack([-w * sin, w * cos, zero]), LENGTH / 2)
    times = np.linspace(0, 1.5, 61)
    angles = np.empty((len(times), RODS))
    for k, time in enumerate(times):
        balls.simulate(until=float(time))
        x = balls.positions
        angles[k] = np.arctan2(x[:, 1], x[:, 0])
    balls.simulate(until=laps)
    end = free + laps * w
    meetings = np.abs(np.floor((end[:, None] - end) / ring) - np.floor((free[:, None] - free) / ring))
    expected = float(meetings[np.triu_indices(RODS, 1)].sum())
    columns = {"time": np.repeat(times, RODS), "angle of a rod": angles.ravel()}
    return [Check("contacts of rods on the equator", balls.statistics["pair_contacts"], 0.0, expected),
            Check("latitude of rods on the equator", float(np.abs(balls.positions[:, 2]).max()), 0.0, 0.0)], columns


def _draw_virial(result: Result, ax: Any) -> None:
    for k, (name, (_, series, densities)) in enumerate(SOLID.items()):
        ax.errorbar(result[f"density of {name}"], result[f"(Z - 1) / density of {name}"], yerr=result[f"error of {name}"],
                    fmt="o", markersize=4, color=f"C{k}", label=f"measured, {name}")
        x = np.linspace(0, densities[-1], 100)
        ax.plot(x, np.polynomial.polynomial.polyval(x, series[1:]), color="black", linewidth=0.9,
                label=None if k else "six exact virial coefficients")
    ax.set(xlabel="density, balls per diameter$^d$", ylabel="(Z - 1) / density", title="Equations of state")
    ax.legend(fontsize="small")


def _draw_components(result: Result, ax: Any) -> None:
    for name, marker in (("squares", "s"), ("L4", "o")):
        ax.plot(result["contacts of each ball"], result[f"kurtosis of v_x, {name}"], marker, markersize=4, label=name)
    ax.axhline(3, color="black", linewidth=0.9, label="Maxwell")
    ax.axhline(1, color="tab:red", linewidth=0.9, linestyle="--", label="nothing new")
    ax.set(xlabel="contacts of each ball", ylabel=r"$\langle v_x^4 \rangle / \langle v_x^2 \rangle^2$",
           title="Equal squares never mix")
    ax.legend(fontsize="small")


def _draw_rods(result: Result, ax: Any) -> None:
    ax.plot(result["time"], result["angle of a rod"], ".", markersize=2, color="C0", label="rods")
    ax.set(xlabel="time", ylabel="angle on the equator", ylim=(-math.pi, math.pi), title="Rods on the equator of the sphere")
    ax.legend(fontsize="small")
