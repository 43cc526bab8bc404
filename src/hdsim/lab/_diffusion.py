"""Exercise 9: discs spread through a slit, two species mix through it; and self-diffusion in a gas without a slit."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..model.configuration import Configuration
from ..observers import Flow, MeanSquaredDisplacement
from ..starts import datasets
from ..system import CollisionSystem
from ._mixing import mixing
from .replicas import BLOCKED, mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, count, fluid, seed_of, silent, system_of

DATA_SET = "diffusion"
REPLICAS, REPLICAS_QUICK = 100, 16
SPAN, SPAN_QUICK = 2000.0, 1000.0       # time units
UNTIL = 1000.0                          # rates are means from time 0 to this time
SAMPLES = 50
LEAST = 20                              # fewest discs; with fewer, fluctuations of the fractions are too large
OUTSIDER = -1                           # species of the posts
N = 1024                                # discs of the gas without a slit
ETAS = (0.1, 0.5)
CONTACTS, CONTACTS_QUICK = 2_000_000, 400_000
STEPS = 2                               # samples in a mean free time
LEVELS = 4
EARLY, LATE = 1, 10                     # mean free times
# D / D of Enskog at LATE for 1024 discs, with its standard error: results of an independent program, 5 10^7 contacts each.
LATE_KNOWN = {0.1: (0.9449, 0.0002), 0.5: (0.9742, 0.0004)}
# D / D of Enskog at EARLY by the equation of Boltzmann for one disc among others, .36855(5) at any density; the exponential law,
# whose slope at time 0 alone is exact, has .36788. The standard errors are those of the equation: six runs of hdsim with 600 000
# contacts each had .36854(9) at packing fraction .1 and, because collisions are correlated, .36780(4) at .5.
EARLY_KNOWN = {0.1: (0.36855, 0.0001), 0.5: (0.36855, 0.0008)}
# Relative standard errors of the laws of the slit: root mean squares of their differences from runs of hdsim with 44, 89, 178,
# 356 and 712 discs; see docs/theory.md.
SPREADING_ERROR, MIXING_ERROR, CROSSINGS_ERROR = 0.065, 0.075, 0.003
GRID = 1000                             # grid points along the height for the area in which centres can be


class Vessels(NamedTuple):
    """Two vessels joined by a slit, as the area in which disc centres can be, and the discs in both."""

    width: float        # width of the slit
    length: float       # length of each vessel, perpendicular to the wall with the slit
    height: float
    radius: float
    mass: float
    kT: float
    eta: float          # packing fraction when the discs are spread over both vessels, by the area where centres can be
    area: float         # area of each vessel in which a centre can be: half of the total, the slit included


class Passages(NamedTuple):
    """Results of r replicas: the fraction on the left, (r, samples, species); crossings per time, total and net, (r,) each."""

    left: np.ndarray
    gross: np.ndarray
    net: np.ndarray


def diffusion(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The rate at which discs spread through the slit of the data set `diffusion`, the rate at which two species mix, both from
    many replicas; and D(t) in gases without a slit, compared with Enskog's theory.

    source: a number of discs, 178 by default; or a system of two colours on the two sides of an open box, as in the data set
    `mixing`: then the average diffusion rate is measured (see `mixing`). Replicas of different seeds have no run in common.
    Theory: the crossing rate of points, exact except for interactions between discs; the flow that follows from it, without
    the cooling of an expanding gas and without collisions in the slit, within 6.5 %; for mixing also the diffusion of discs to
    the slit, within 7.5 %. D diverges as log t in two dimensions; it is compared with Enskog's at one mean free time, with
    another program at ten.
    """
    n = count(source, datasets.parameters(DATA_SET)["n"])
    if n is None:
        return mixing(system_of(source), seed_of(seed), quick, progress)
    if n < LEAST:
        raise ValueError(f"expected a number of discs of at least {LEAST}, found {source!r}")
    times = np.linspace(0, SPAN_QUICK if quick else SPAN, SAMPLES + 1)
    seed, replicas = seed_of(seed), REPLICAS_QUICK if quick else REPLICAS
    seeds = range(seed * replicas, (seed + 1) * replicas)
    vessels = _vessels(datasets.generate(DATA_SET, n=n, seed=seed))
    one_sided = _passages(_one_sided, n, seeds, times, lambda share: progress(0.4 * share))
    mixed = _passages(_mixed, n, seeds, times, lambda share: progress(0.4 + 0.4 * share))
    w, area, (mass, kT) = vessels.width, vessels.area, vessels[4:6]
    spread = theory.slit_relaxation_rate(w, area, area, mass, kT, vessels.eta)
    mix = theory.slit_mixing_rate(w, area / vessels.height, vessels.height, mass, kT,
                                  theory.enskog_diffusion(vessels.eta, vessels.radius, mass, kT))
    gross = n // 2 * 2 * theory.effusion_rate(w, area, mass, kT)
    # The fractions at UNTIL are functions of these rates, and are no checks of their own.
    checks = [Check("rate of spreading", *_rate(one_sided, 0, times), spread, SPREADING_ERROR * spread, "per time unit",
                    freedom=replicas - 1)]
    checks += [Check(check_name("rate of mixing of those from the {side}", side=side), *_rate(mixed, k, times), mix,
                     MIXING_ERROR * mix, freedom=replicas - 1)
               for k, side in enumerate(("left", "right"))]
    checks += [Check("crossings per time", *mean_and_error(mixed.gross), gross, CROSSINGS_ERROR * gross, freedom=replicas - 1),
               Check("net crossings per time", *mean_and_error(mixed.net), 0.0, freedom=replicas - 1)]
    columns = _fraction_columns(one_sided, mixed, times, spread, mix)
    for done, eta in enumerate(ETAS):
        progress(0.8 + 0.1 * done)
        checks += _self_diffusion(eta, seed, CONTACTS_QUICK if quick else CONTACTS, columns)
    progress(1.0)
    return Result("diffusion", tuple(checks), tr("flow of {n} discs through the slit", n=n), columns,
                  (_draw_fractions, _draw_self_diffusion))


def _fraction_columns(one_sided: Passages, mixed: Passages, times: np.ndarray, spread: float, mix: float) -> dict[str, Any]:
    """The fractions on the left with their errors, measured and by theory, as columns of the result."""
    columns: dict[str, Any] = {"time": times}
    for name, left in (("spreading discs", one_sided.left[..., 0]), ("discs from the left", mixed.left[..., 0]),
                       ("discs from the right", mixed.left[..., 1])):
        columns[f"fraction of {name} on the left"], columns[f"error of fraction of {name}"] = mean_and_error(left)
    for name, law, error in (("spreading", spread, SPREADING_ERROR), ("mixing", mix, MIXING_ERROR)):
        rates = law * np.array([1, 1 + error, 1 - error])
        columns[f"{name} by theory"], low, high = (0.5 + 0.5 * np.exp(-k * times) for k in rates)
        columns[f"error of {name} by theory"] = (high - low) / 2
    return columns


def _vessels(configuration: Configuration) -> Vessels:
    light = configuration.masses == configuration.masses.min()
    posts, radius = configuration.positions[~light], float(configuration.radii[light][0])
    face = float(configuration.radii[~light][0])
    opening = float(np.diff(np.sort(posts[:, 1])).max()) - 2 * face
    length = float(posts[0, 0]) - face
    mass = float(configuration.masses[light][0])
    kT = 0.5 * mass * float(np.square(configuration.velocities[light]).sum(axis=1).mean())
    area = _area(posts, face + radius, radius) / 2
    return Vessels(opening - 2 * radius, length - 2 * radius, 1 - 2 * radius, radius, mass, kT,
                   theory.packing_fraction(light.sum() / (2 * area), radius), area)


def _area(posts: np.ndarray, contact: float, radius: float) -> float:
    """The area in which the centre of a disc can be in the unit box: at least a radius from each wall, and outside of circles of
    radius `contact` around the posts, (n, 2). The error of a grid of GRID points is 1e-5."""
    y = radius + (np.arange(GRID) + 0.5) / GRID * (1 - 2 * radius)
    reach = np.sqrt(np.maximum(contact**2 - np.square(y[:, None] - posts[:, 1]), 0)).max(axis=1)    # half width of the circles
    return float((1 - 2 * radius) * (1 - 2 * radius - 2 * reach.mean()))


def _one_sided(n: int, seed: int) -> tuple[CollisionSystem, np.ndarray]:
    """A system with all discs on the left, and the species of each disc, (n,)."""
    configuration = datasets.generate(DATA_SET, n=n, seed=seed)
    species = np.where(configuration.masses == configuration.masses.min(), 0, OUTSIDER)
    return CollisionSystem.from_configuration(configuration), species


def _mixed(n: int, seed: int) -> tuple[CollisionSystem, np.ndarray]:
    """A system with half of the discs on the left, of species 0, and as many on the right, of species 1, and the species of each
    disc, (n,). The discs on the right are the mirror image of a second data set."""
    here, there = (datasets.generate(DATA_SET, n=n // 2, seed=2 * seed + k) for k in range(2))
    light = there.masses == there.masses.min()
    positions = there.positions[light] * (-1, 1) + (1, 0)
    parts = ((here.positions, positions), (here.velocities, there.velocities[light]), (here.radii, there.radii[light]),
             (here.masses, there.masses[light]))
    system = CollisionSystem.from_arrays(*map(np.concatenate, parts))
    species = np.where(here.masses == here.masses.min(), 0, OUTSIDER)
    return system, np.concatenate((species, np.ones(light.sum(), dtype=species.dtype)))


def _passages(make: Callable[[int, int], tuple[CollisionSystem, np.ndarray]], n: int, seeds: range, times: np.ndarray,
              progress: Progress) -> Passages:
    """Run the replicas and count the discs that cross the middle, from which the fractions on the left at `times` follow."""
    fractions, gross, net = [], [], []
    for done, seed in enumerate(seeds):
        system, species = make(n, seed)
        flow = system.observe(Flow(x=0.5, species=species))
        kinds = range(species.max() + 1)
        sizes = np.array([(species == kind).sum() for kind in kinds])
        start = np.array([(system.positions[species == kind, 0] < 0.5).sum() for kind in kinds])
        rows = []
        for time in times:
            system.simulate(until=time)
            forwards, backwards = flow.crossings
            rows.append((start - (forwards - backwards)) / sizes)
        fractions.append(rows)
        gross.append(flow.gross / times[-1])
        net.append(flow.net / times[-1])
        progress((done + 1) / len(seeds))
    return Passages(np.array(fractions), np.array(gross), np.array(net))


def _rate(passages: Passages, kind: int, times: np.ndarray) -> tuple[float, float]:
    """The rate k in 2 f - 1 = +-exp(-k t), as a mean from time 0 to UNTIL, and its standard error from the replicas."""
    fractions = passages.left[:, np.argmin(np.abs(times - UNTIL)), kind]
    difference, error = mean_and_error((2 * fractions - 1) * (1, -1)[kind])
    return -math.log(difference) / UNTIL, error / difference / UNTIL


def _self_diffusion(eta: float, seed: int, contacts: int, columns: dict[str, Any]) -> list[Check]:
    """Checks of D(t) = <r^2> / 4t in units of Enskog's D, at EARLY and LATE; the curves are added to `columns`."""
    system = fluid(N, eta, seed)
    radius = float(system.radii[0])
    tau, law = theory.mean_free_time(eta, radius, 1.0, 1.0), theory.enskog_diffusion(eta, radius, 1.0, 1.0)
    observer = system.observe(MeanSquaredDisplacement(tau / STEPS, levels=LEVELS))
    system.simulate(max_events=contacts)
    times, d = observer.lags[1:], observer.diffusion / law
    error = observer.error[1:] / (4 * times * law)
    columns |= {f"time / mean free time at {eta:g}": times / tau, f"D / D of Enskog at {eta:g}": d,
                f"error of D / D of Enskog at {eta:g}": error}
    early, late = (int(np.argmin(np.abs(times / tau - multiple))) for multiple in (EARLY, LATE))
    return [Check(check_name("D / D_E at {eta:g} after {time} mean free time", eta=eta, time=EARLY), float(d[early]),
                  float(error[early]), *EARLY_KNOWN[eta], freedom=BLOCKED),
            Check(check_name("D / D_E at {eta:g} after {time} mean free times", eta=eta, time=LATE), float(d[late]),
                  float(error[late]), *LATE_KNOWN[eta], freedom=BLOCKED)]


def _draw_fractions(result: Result, ax: Any) -> None:
    for k, (name, label) in enumerate((("spreading discs", "all from the left"),
                                       ("discs from the left", "half from the left"),
                                       ("discs from the right", "half from the right"))):
        ax.errorbar(result["time"], result[f"fraction of {name} on the left"], result[f"error of fraction of {name}"],
                    fmt=".", color=f"C{k}", markersize=4, linewidth=0.8, label=label)
    judged = result["time"] <= UNTIL
    times, mix, mix_error = (result[name][judged] for name in ("time", "mixing by theory", "error of mixing by theory"))
    spread, spread_error = (result[name][judged] for name in ("spreading by theory", "error of spreading by theory"))
    for k, (law, error) in enumerate(((spread, spread_error), (mix, mix_error), (1 - mix, mix_error))):
        ax.plot(times, law, color=f"C{k}", linewidth=1)
        ax.fill_between(times, law - error, law + error, color=f"C{k}", alpha=0.2, linewidth=0)
    ax.axhline(0.5, color="gray", linestyle=":")
    ax.set(xlabel="time (time units)", ylabel="fraction on the left", xlim=(0, None), ylim=(0, 1),
           title=f"Through the slit: dots, measured; lines up to t = {UNTIL:g},\ntheory with its standard error")
    ax.legend(fontsize="small", loc="lower right")


def _draw_self_diffusion(result: Result, ax: Any) -> None:
    for k, eta in enumerate(ETAS):
        ax.errorbar(result[f"time / mean free time at {eta:g}"], result[f"D / D of Enskog at {eta:g}"],
                    result[f"error of D / D of Enskog at {eta:g}"], fmt=".", color=f"C{k}",
                    label=f"packing fraction {eta:g}")
    times = np.geomspace(0.5, 60, 100)
    ax.plot(times, theory.mean_squared_displacement(times, 1.0, 1.0) / (4 * times), "k", linewidth=1,
            label="Enskog: C(t) exponential")
    for k, eta in enumerate(ETAS):
        known, spread = LATE_KNOWN[eta]
        ax.errorbar(LATE, known, spread, fmt="x", color=f"C{k}", markersize=9, label=f"another program, {eta:g}")
    ax.axhline(1, color="gray", linestyle=":")
    ax.set(xlabel="time / mean free time", ylabel="D(t) / D of Enskog", xscale="log", ylim=(0, None),
           title=f"<r²> / 4t of {N} discs, no slit")
    ax.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    ax.minorticks_off()
    ax.legend(fontsize="small", loc="lower right")
