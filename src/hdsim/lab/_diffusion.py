"""Exercise 9: discs spread through a slit, two kinds mix through it, and discs of one kind among themselves."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import datasets, theory
from ..configuration import Configuration
from ..language import tr
from ..observers import Flow, MeanSquaredDisplacement
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
SLIT = 0.15                             # relative: what theory.slit_relaxation_rate promises
MIXING = 0.1                            # and slit_mixing_rate
GROSS = 0.02                            # and the flow, where the room between the posts is not counted
N = 1024                                # of the gas without a slit
ETAS = (0.1, 0.5)
CONTACTS, CONTACTS_QUICK = 2_000_000, 150_000
STEPS = 2                               # samples in a mean free time
LEVELS = 4
EARLY, LATE = 1, 10                     # mean free times
EARLY_TOLERANCE, LATE_TOLERANCE = 0.002, 0.1    # of D / D of Enskog


class Vessels(NamedTuple):
    """Two of them side by side, as far as centres can reach, and the discs in both."""

    width: float        # of the slit
    length: float       # of each vessel, across the slit
    height: float
    radius: float
    mass: float
    kT: float
    eta: float          # with the discs spread over both


class Passages(NamedTuple):
    """Replicas (r, samples, species): the fraction on the left. And (r,): crossings per time, either way and net."""

    left: np.ndarray
    gross: np.ndarray
    net: np.ndarray


def diffusion(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The rate at which discs spread through the slit of `diffusion`, that at which two kinds of them mix, each
    from many replicas; and D(t) in gases without a slit, against Enskog.

    source: a number of discs, 178 by default. seed: of the first replica; the others have the next ones. Theory: the
    flow through the slit, to 15 %; for mixing the discs' way to the slit besides, to 10 %. D diverges as log t in two
    dimensions; at ten mean free times it is within 10 % of Enskog's.
    """
    n = count(source, datasets.parameters(DATA_SET)["n"])
    if n is None or n < LEAST:
        raise ValueError(f"expected a number of discs of at least {LEAST}, found {source!r}")
    times = np.linspace(0, SPAN_QUICK if quick else SPAN, SAMPLES + 1)
    seed = seed or 0
    seeds = range(seed, seed + (REPLICAS_QUICK if quick else REPLICAS))
    vessels = _vessels(datasets.generate(DATA_SET, n=n, seed=seed))
    one_sided = _passages(_one_sided, n, seeds, times, lambda share: progress(0.4 * share))
    mixed = _passages(_mixed, n, seeds, times, lambda share: progress(0.4 + 0.4 * share))
    w, area, (mass, kT) = vessels.width, vessels.length * vessels.height, vessels[4:6]
    spread = theory.slit_relaxation_rate(w, area, area, mass, kT, vessels.eta)
    mix = theory.slit_mixing_rate(w, vessels.length, vessels.height, mass, kT,
                                  theory.enskog_diffusion(vessels.eta, vessels.radius, mass, kT))
    gross = n // 2 * 2 * theory.effusion_rate(w, area, mass, kT)
    checks = [Check("rate of spreading", *_rate(one_sided, 0, times), spread, SLIT * spread, "per time unit")]
    checks += [Check(f"rate of mixing of those from the {side}", *_rate(mixed, k, times), mix, MIXING * mix)
               for k, side in enumerate(("left", "right"))]
    checks += [Check("crossings per time", *_mean(mixed.gross), gross, GROSS * gross),
               Check("net crossings per time", *_mean(mixed.net), 0.0)]
    columns: dict[str, Any] = {"time": times}
    for name, left in (("spreading discs", one_sided.left[..., 0]), ("discs from the left", mixed.left[..., 0]),
                       ("discs from the right", mixed.left[..., 1])):
        columns[f"fraction of {name} on the left"] = left.mean(axis=0)
        columns[f"error of fraction of {name}"] = left.std(axis=0, ddof=1) / math.sqrt(len(left))
    columns["spreading by theory"] = 0.5 + 0.5 * np.exp(-spread * times)
    columns["mixing by theory"] = 0.5 + 0.5 * np.exp(-mix * times)
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
    return Vessels(opening - 2 * radius, length - 2 * radius, 1 - 2 * radius, radius, mass, kT, eta)


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
    """Of replicas, with its standard error."""
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
    first = theory.mean_squared_displacement(times[early], law, tau) / (4 * times[early] * law)
    return [Check(f"D / D_E at {eta:g} after {EARLY} mean free time", float(d[early]), float(error[early]), first,
                  EARLY_TOLERANCE),
            Check(f"D / D_E at {eta:g} after {LATE}", float(d[late]), float(error[late]), 1.0, LATE_TOLERANCE)]


def _draw_fractions(result: Result, ax: Any) -> None:
    for k, (name, label) in enumerate((("spreading discs", "all from the left"),
                                       ("discs from the left", "half from the left"),
                                       ("discs from the right", "half from the right"))):
        ax.errorbar(result["time"], result[f"fraction of {name} on the left"], result[f"error of fraction of {name}"],
                    fmt=".", color=f"C{k}", markersize=4, linewidth=0.8, label=label)
    mix = result["mixing by theory"]
    for k, law in enumerate((result["spreading by theory"], mix, 1 - mix)):
        ax.plot(result["time"], law, color=f"C{k}", linewidth=1)
    ax.axhline(0.5, color="gray", linestyle=":")
    ax.set(xlabel="time (time units)", ylabel="fraction on the left", xlim=(0, None), ylim=(0, 1),
           title="Through the slit: dots, measured; lines, theory")
    ax.legend(fontsize="small", loc="lower right")


def _draw_self_diffusion(result: Result, ax: Any) -> None:
    for k, eta in enumerate(ETAS):
        ax.errorbar(result[f"time / mean free time at {eta:g}"], result[f"D / D of Enskog at {eta:g}"],
                    result[f"error of D / D of Enskog at {eta:g}"], fmt=".", color=f"C{k}",
                    label=f"packing fraction {eta:g}")
    times = np.geomspace(0.5, 60, 100)
    ax.plot(times, theory.mean_squared_displacement(times, 1.0, 1.0) / (4 * times), "k", linewidth=1,
            label="Enskog: C(t) exponential")
    ax.axhline(1, color="gray", linestyle=":")
    ax.set(xlabel="time / mean free time", ylabel="D(t) / D of Enskog", xscale="log", ylim=(0, None),
           title=f"<r²> / 4t of {N} discs, no slit")
    ax.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
    ax.minorticks_off()
    ax.legend(fontsize="small", loc="lower right")
