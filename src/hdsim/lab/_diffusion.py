"""Exercise 9: discs spread through a slit, two kinds mix through it, and discs of one kind among themselves."""
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
from .result import Check, Result
from .setting import Progress, count, fluid, silent

DATA_SET = "diffusion"
REPLICAS, REPLICAS_QUICK = 100, 16
SPAN, SPAN_QUICK = 2000.0, 1000.0       # time units
UNTIL = 1000.0                          # rates are means from the beginning until then
SAMPLES = 50
LEAST = 20                              # discs: of fewer, all may be anywhere
OUTSIDER = -1                           # species of the posts
N = 1024                                # of the gas without a slit
ETAS = (0.1, 0.5)
CONTACTS, CONTACTS_QUICK = 2_000_000, 150_000
STEPS = 2                               # samples in a mean free time
LEVELS = 4
EARLY, LATE = 1, 10                     # mean free times
# D / D of Enskog at LATE, of 1024 discs, and its standard error: an independent program, 5 10^7 contacts each.
LATE_KNOWN = {0.1: (0.9449, 0.0002), 0.5: (0.9742, 0.0004)}
# Standard error at EARLY of the exponential, of which only the slope at the beginning is exact: six own runs of 600 000 contacts
# each had .36854(9) at .1 and .36780(4) at .5, where it has .36788.
EARLY_ERROR = 0.0005
# Relative standard errors of the laws of the slit: root mean squares of their differences from own runs, of 44, 89, 178, 356 and
# 712 discs; see docs/theory.md.
SPREADING_ERROR, MIXING_ERROR, CROSSINGS_ERROR = 0.06, 0.065, 0.003
GRID = 1000                              # along the height, of the area where centres can be


class Vessels(NamedTuple):
    """Two of them side by side, as far as centres can reach, and the discs in both."""

    width: float        # of the slit
    length: float       # of each vessel, across the slit
    height: float
    radius: float
    mass: float
    kT: float
    eta: float          # with the discs spread over both
    area: float         # of each vessel: half of all places for a centre, those between the posts too


class Passages(NamedTuple):
    """Replicas (r, samples, species): the fraction on the left. And (r,): crossings per time, either way and net."""

    left: np.ndarray
    gross: np.ndarray
    net: np.ndarray


def diffusion(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The rate at which discs spread through the slit of `diffusion`, that at which two kinds of them mix, each
    from many replicas; and D(t) in gases without a slit, against Enskog.

    source: a number of discs, 178 by default. Another seed means other replicas, every one of them. Theory: the
    crossings of points, exact but for what discs do to each other; the flow that follows, without the cooling of a gas that
    expands and without collisions in the slit, to 6 %; for mixing the discs' way to the slit besides, to 6.5 %. D diverges as
    log t in two dimensions; it is compared at one mean free time with Enskog, at ten with another program.
    """
    n = count(source, datasets.parameters(DATA_SET)["n"])
    if n is None or n < LEAST:
        raise ValueError(f"expected a number of discs of at least {LEAST}, found {source!r}")
    times = np.linspace(0, SPAN_QUICK if quick else SPAN, SAMPLES + 1)
    seed, replicas = seed or 0, REPLICAS_QUICK if quick else REPLICAS
    seeds = range(seed * replicas, (seed + 1) * replicas)
    vessels = _vessels(datasets.generate(DATA_SET, n=n, seed=seed))
    one_sided = _passages(_one_sided, n, seeds, times, lambda share: progress(0.4 * share))
    mixed = _passages(_mixed, n, seeds, times, lambda share: progress(0.4 + 0.4 * share))
    w, area, (mass, kT) = vessels.width, vessels.area, vessels[4:6]
    spread = theory.slit_relaxation_rate(w, area, area, mass, kT, vessels.eta)
    mix = theory.slit_mixing_rate(w, area / vessels.height, vessels.height, mass, kT,
                                  theory.enskog_diffusion(vessels.eta, vessels.radius, mass, kT))
    gross = n // 2 * 2 * theory.effusion_rate(w, area, mass, kT)
    checks = [Check("rate of spreading", *_rate(one_sided, 0, times), spread, SPREADING_ERROR * spread,
                    "per time unit")]
    checks += [Check(f"rate of mixing of those from the {side}", *_rate(mixed, k, times), mix, MIXING_ERROR * mix)
               for k, side in enumerate(("left", "right"))]
    checks += [Check("crossings per time", *_mean(mixed.gross), gross, CROSSINGS_ERROR * gross),
               Check("net crossings per time", *_mean(mixed.net), 0.0)]
    columns: dict[str, Any] = {"time": times}
    for name, left in (("spreading discs", one_sided.left[..., 0]), ("discs from the left", mixed.left[..., 0]),
                       ("discs from the right", mixed.left[..., 1])):
        columns[f"fraction of {name} on the left"] = left.mean(axis=0)
        columns[f"error of fraction of {name}"] = left.std(axis=0, ddof=1) / math.sqrt(len(left))
    for name, law, error in (("spreading", spread, SPREADING_ERROR), ("mixing", mix, MIXING_ERROR)):
        rates = law * np.array([1, 1 + error, 1 - error])
        columns[f"{name} by theory"], low, high = (0.5 + 0.5 * np.exp(-k * times) for k in rates)
        columns[f"error of {name} by theory"] = (high - low) / 2
    for done, eta in enumerate(ETAS):
        progress(0.8 + 0.1 * done)
        checks += _self_diffusion(eta, seed, CONTACTS_QUICK if quick else CONTACTS, columns)
    progress(1.0)
    return Result("diffusion", tuple(checks), tr("flow of {n} discs through the slit", n=n), columns,
                  (_draw_fractions, _draw_self_diffusion))


def _vessels(configuration: Configuration) -> Vessels:
    light = configuration.masses == configuration.masses.min()
    posts, radius = configuration.positions[~light], float(configuration.radii[light][0])
    face = float(configuration.radii[~light][0])
    opening = float(np.diff(np.sort(posts[:, 1])).max()) - 2 * face
    length = float(posts[0, 0]) - face
    mass = float(configuration.masses[light][0])
    kT = 0.5 * mass * float(np.square(configuration.velocities[light]).sum(axis=1).mean())
    eta = theory.packing_fraction(light.sum() / (2 * length), radius)
    return Vessels(opening - 2 * radius, length - 2 * radius, 1 - 2 * radius, radius, mass, kT, eta,
                   _area(posts, face + radius, radius) / 2)


def _area(posts: np.ndarray, contact: float, radius: float) -> float:
    """Where the centre of a disc can be, in the unit box: less than a radius from no wall, and outside of the circles around the
    posts, of which `contact` is the radius. On a grid as fine as that the error is 1e-5."""
    y = radius + (np.arange(GRID) + 0.5) / GRID * (1 - 2 * radius)
    reach = np.sqrt(np.maximum(contact**2 - np.square(y[:, None] - posts[:, 1]), 0)).max(axis=1)    # of posts, to either side
    return float((1 - 2 * radius) * (1 - 2 * radius - 2 * reach.mean()))


def _one_sided(n: int, seed: int) -> tuple[CollisionSystem, np.ndarray]:
    """All discs on the left, and the species of each."""
    configuration = datasets.generate(DATA_SET, n=n, seed=seed)
    species = np.where(configuration.masses == configuration.masses.min(), 0, OUTSIDER)
    return CollisionSystem.from_configuration(configuration), species


def _mixed(n: int, seed: int) -> tuple[CollisionSystem, np.ndarray]:
    """Half of the discs on the left, of species 0, and as many on the right, of species 1: one data set and the mirror
    image of the discs of another."""
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
    """What crosses the middle changes the fractions; the fractions on the left at these times follow from that."""
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


def _mean(values: np.ndarray) -> tuple[float, float]:
    """The mean over replicas, and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


def _rate(passages: Passages, kind: int, times: np.ndarray) -> tuple[float, float]:
    """k in 2 f - 1 = +-exp(-k t), on average from the beginning to UNTIL, and its standard error from the replicas."""
    fractions = passages.left[:, np.argmin(np.abs(times - UNTIL)), kind]
    difference, error = _mean((2 * fractions - 1) * (1, -1)[kind])
    return -math.log(difference) / UNTIL, error / difference / UNTIL


def _self_diffusion(eta: float, seed: int, contacts: int, columns: dict[str, Any]) -> list[Check]:
    """D(t) = <r^2> / 4t in units of Enskog's. At first it is exact that C(t) falls as exp(-t / tau)."""
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
    first = float(theory.mean_squared_displacement(times[early], law, tau)) / (4 * times[early] * law)
    return [Check(f"D / D_E at {eta:g} after {EARLY} mean free time", float(d[early]), float(error[early]), first,
                  EARLY_ERROR),
            Check(f"D / D_E at {eta:g} after {LATE}", float(d[late]), float(error[late]), *LATE_KNOWN[eta])]


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
