"""Exercise 3: free paths and free times, and how the mean depends on density, temperature and pressure."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..observers import FreePath, FreeTime, Pressure, Speed
from ..starts import sources
from ..system import Box, CollisionSystem
from .replicas import BLOCKED, jackknife
from .result import Check, Result, check_name
from .setting import Progress, has_walls, melt, opened, require_equal, seed_of, silent, theory_of

DILUTE = 0.002              # packing fraction at which distributions have the shape of the dilute limit ...
SHAPE = 1 / 400             # ... with this relative standard error, 1/N, by which a fixed energy lowers <v^4>
DISCS = 400
DISCS_LEAST = 16            # fewest discs of a `source`
PIECES = 40                 # pieces of a run, whose scatter gives the error; with fewer, deviations of 4 errors are less rare
FLIGHTS, FLIGHTS_QUICK = 2_000_000, 1_200_000     # flights in the dilute run; a quarter of them in others
CONTACT_VALUE = 0.01        # relative standard error if radii differ: that of `theory.mixture_contact_values`
LEAST = 40                  # least mean number of flights of a disc
DENSITIES, DENSITIES_QUICK = (.01, .02, .05, .1, .2, .3, .4, .5, .6), (.02, .2, .5)
TEMPERATURES, TEMPERATURES_QUICK = (.25, .5, 1., 2., 4.), (.5, 2.)
STANDARD = 0.3              # packing fraction at temperature 1
WALLED = "p1000-.5K"
BINS, LONGEST = 48, 12.0    # of histograms, and their range in mean free paths
WALL_TIMES = "t/<t to a disc>"      # unit of the free times that are drawn with and without walls


def free_path(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Distributions and means of free paths and times, compared with molecular chaos and the equation of state.

    The distributions are not exponential, and the mean free path grows with temperature only at constant pressure. Lengths are
    in diameters, times in units in which mass, diameter and kT are 1. source: measure this system only, in its own units; a
    number of discs at packing fraction 0.3, a data set, a file or a system, of equal discs if there are walls.
    """
    flights = FLIGHTS_QUICK if quick else FLIGHTS
    if source is not None:
        system = opened(source, seed, lambda n, seed: _gas(STANDARD, 1.0, seed, n))
        if len(system) < DISCS_LEAST:
            raise ValueError(f"expected {DISCS_LEAST} discs or more, of which theory speaks, found {len(system)}")
        columns, checks = _alone(system, flights, progress)
        return Result("free-path", checks, tr("Enskog, with the pressure of the fluid"), columns,
                      (_draw_shape, _draw_walls) if has_walls(system) else (_draw_shape,))
    seed = seed_of(seed)
    system = sources.load(WALLED)
    columns, checks = _alone(system, flights // 4, lambda share: progress(0.1 * share))
    columns = {key: column for key, column in columns.items() if WALL_TIMES in key}
    shape, found = _shape(flights, seed, lambda share: progress(0.1 + 0.3 * share))
    columns, checks = shape | columns, checks + found
    for part, begin, end in ((_densities, .4, .7), (_temperatures, .7, 1.)):
        more, found = part(flights // 4, quick, seed, lambda share: progress(begin + share * (end - begin)))
        columns |= more
        checks += found
    return Result("free-path", checks, tr("Enskog, with the pressure of the fluid; data set {name}", name=WALLED), columns,
                  (_draw_shape, _draw_walls, _draw_densities, _draw_temperatures))


def _gas(eta: float, kT: float, seed: int, n: int = DISCS) -> CollisionSystem:
    """n discs of diameter 1 and mass 1 in equilibrium in a periodic box, with total momentum 0."""
    length = math.sqrt(n * math.pi / 4 / eta)
    system = sources.random(n, radius=.5, temperature=kT, mass=1.0, seed=seed, box=Box(length, length, (True, True)))
    with system.edit() as draft:
        draft.velocities -= draft.velocities.mean(axis=0)
        draft.velocities *= math.sqrt(kT / system.temperature)
    melt(system)
    return system


def _path(eta: float) -> float:
    """The theoretical mean free path, in diameters."""
    return theory.periodic_mean_free_path(eta, .5, DISCS)


def _histogram(observer: FreePath | FreeTime, mean: float, unit: str) -> dict[str, np.ndarray]:
    """The histogram in units of the mean, and the density of the dilute limit at the same points."""
    pdf = theory.free_path_pdf if isinstance(observer, FreePath) else theory.free_time_pdf
    x = 0.5 * (observer.edges[1:] + observer.edges[:-1]) / mean
    return {unit: x, f"density of {unit}": observer.histogram[0] * mean, f"density of {unit}, dilute limit": pdf(x)}


def _shape(flights: int, seed: int, progress: Progress) -> tuple[dict[str, Any], tuple[Check, ...]]:
    """Second moments and histograms in a dilute gas."""
    system = _gas(DILUTE, 1.0, seed)
    length = _path(DILUTE)
    time = float(theory.mean_free_time(DILUTE, .5, 1.0, 1.0))
    path = system.observe(FreePath(bins=BINS, range=(0, LONGEST * length), species=np.zeros(DISCS, dtype=int)))
    times = system.observe(FreeTime(bins=BINS, range=(0, LONGEST * time), species=np.zeros(DISCS, dtype=int)))
    seen = [np.zeros((2, 4))]
    for piece in range(PIECES):
        system.simulate(max_events=flights // (2 * PIECES))
        seen.append(np.array([o.flights * np.array([1.0, *o.moments]) for o in (path, times)]))
        progress((piece + 1) / PIECES)
    sums = np.diff(seen, axis=0)
    laws = 2 * theory.free_path_moment(2), 2 * theory.free_time_moment(2)
    checks = tuple(Check(f"<{x}^2> / <{x}>^2", *jackknife(sums[:, k], lambda s: s[2] * s[0] / s[1]**2), law, SHAPE * law,
                         freedom=PIECES - 1) for k, (x, law) in enumerate(zip("lt", laws)))
    return _histogram(path, path.value, "l/<l>") | _histogram(times, times.value, "t/<t>"), checks


def _flown(system: CollisionSystem, flights: int, progress: Progress = silent) -> np.ndarray:
    """(PIECES, 4): total path of all discs, total time, contacts of discs with discs, contacts with walls; of each piece.

    The mean path is total path over contacts. A mean over complete flights would be too short, because the end of a run cuts
    off long flights more often.
    """
    n = len(system)
    speed = system.observe(Speed(species=np.zeros(n, dtype=int)))
    pairs, walls = system.pair_counts.sum(), system.wall_counts.sum()
    seen = [np.zeros(4)]
    for piece in range(PIECES):
        system.simulate(max_events=max(flights, LEAST * n) // (2 * PIECES))
        time = n * speed.elapsed
        seen.append(np.array([speed.value * time, time, system.pair_counts.sum() - pairs, system.wall_counts.sum() - walls]))
        progress((piece + 1) / PIECES)
    return np.diff(seen, axis=0)


def _mean_path(system: CollisionSystem, flights: int) -> tuple[float, float]:
    return jackknife(_flown(system, flights), lambda sums: sums[0] / sums[2])


def _densities(flights: int, quick: bool, seed: int, progress: Progress) -> tuple[dict[str, Any], tuple[Check, ...]]:
    """Columns and checks: the mean free path against packing fraction."""
    etas = DENSITIES_QUICK if quick else DENSITIES
    found = []
    for eta in etas:
        found.append(_mean_path(_gas(eta, 1.0, seed), flights))
        progress(len(found) / len(etas))
    laws = np.array([_path(eta) for eta in etas])
    paths, errors = np.array(found).T
    checks = tuple(Check(check_name("path at packing fraction {eta:g}", eta=eta), *each, law, theory.rate_error(eta, DISCS) * law,
                         freedom=PIECES - 1) for eta, each, law in zip(etas, found, laws))
    return {"packing fraction": etas, "path (diameters)": paths, "error of path": errors, "path by theory": laws}, checks


def _packing(kT: float) -> float:
    """The packing fraction at which the pressure is that of STANDARD at kT = 1."""
    low, high = 0.0, theory.DENSE_FLUID
    for _ in range(60):
        middle = (low + high) / 2
        full = middle * theory.compressibility_factor(middle) * kT > STANDARD * theory.compressibility_factor(STANDARD)
        low, high = (low, middle) if full else (middle, high)
    return low


def _temperatures(flights: int, quick: bool, seed: int, progress: Progress) -> tuple[dict[str, Any], tuple[Check, ...]]:
    """Columns and checks: the mean free path against temperature, at constant pressure and at constant volume."""
    temperatures = TEMPERATURES_QUICK if quick else TEMPERATURES
    columns: dict[str, Any] = {"kT": temperatures}
    checks: list[Check] = []
    for number, how in enumerate(("pressure", "volume")):
        found, laws = [], []
        for kT in temperatures:
            eta = _packing(kT) if how == "pressure" else STANDARD
            system = _gas(eta, kT, seed + int(100 * kT))        # another start for each temperature
            pressure = system.observe(Pressure())
            found.append(_mean_path(system, flights))
            laws.append(_path(eta))
            progress((number + len(found) / len(temperatures)) / 2)
            checks.append(Check(check_name("path at kT = {kT:g}, constant {how}", kT=kT, how=how), *found[-1], laws[-1],
                                theory.rate_error(eta, DISCS) * laws[-1], freedom=PIECES - 1))
            if how == "pressure":       # equal to that of STANDARD at kT = 1, except for a term in 1/N that depends on density
                law, z = pressure.theory, theory.compressibility_factor(eta)
                assert law is not None
                checks.append(Check(check_name("pressure at kT = {kT:g}", kT=kT), pressure.value, pressure.error, law,
                                    law * theory.compressibility_error(eta, DISCS) / z, freedom=BLOCKED))
        columns[f"path at constant {how} (diameters)"], columns[f"error at constant {how}"] = np.array(found).T
        columns[f"path at constant {how} by theory"] = laws
    return columns, tuple(checks)


def _alone(system: CollisionSystem, flights: int, progress: Progress) -> tuple[dict[str, Any], tuple[Check, ...]]:
    """Columns and checks for one system: mean path between contacts with discs, mean time between all contacts.

    ValueError if there is no theory for the system.
    """
    melt(system)
    n, walled = len(system), has_walls(system)
    one = np.zeros(n, dtype=int)
    if walled:
        require_equal(system, "radii", "masses")
    path_law, time_law = theory_of(system, FreePath()), theory_of(system, FreeTime(walled))
    error = (theory.walled_pair_error(n) if walled else CONTACT_VALUE if np.ptp(system.radii)
             else theory.rate_error(system.packing_fraction, n))
    path = system.observe(FreePath(bins=BINS, range=(0, LONGEST * path_law), species=one))
    time = system.observe(FreeTime(walled, bins=BINS, range=(0, LONGEST * time_law), species=one))
    to_disc = system.observe(FreeTime(False, bins=BINS, range=(0, LONGEST * theory_of(system, FreeTime(False))),
                                      species=one)) if walled else None
    sums = _flown(system, flights, progress)
    mean_path = jackknife(sums, lambda total: total[0] / total[2])
    mean_time = jackknife(sums, lambda total: total[1] / (total[2] + total[3]))
    checks = (Check("mean free path", *mean_path, path_law, error * path_law, freedom=PIECES - 1),
              Check("mean free time to disc or wall" if walled else "mean free time to disc", *mean_time, time_law,
                    error * time_law, freedom=PIECES - 1))
    columns = _histogram(path, path.value, "l/<l>") | _histogram(time, time.value, "t/<t>")
    return columns | _with_and_without_walls(time, to_disc) if to_disc else columns, checks


def _with_and_without_walls(either: FreeTime, to_disc: FreeTime) -> dict[str, np.ndarray]:
    """Histograms of the free times to the next disc, and to the next disc or wall, both in units of the mean time to a disc;
    and the density of the dilute limit for each of the two means."""
    mean = to_disc.value
    columns = _histogram(to_disc, mean, WALL_TIMES)
    x = 0.5 * (either.edges[1:] + either.edges[:-1])
    return columns | {f"{WALL_TIMES}, walls count": x / mean, f"density of {WALL_TIMES}, walls count": either.histogram[0] * mean,
                      f"density of {WALL_TIMES}, walls count, dilute limit":
                      theory.free_time_pdf(x / either.value) * mean / either.value}


def _draw_walls(result: Result, ax: Any) -> None:
    for end, label, marker, colour in (("", "disc", "s", "C1"), (", walls count", "disc or wall", "o", "C2")):
        x, density = result[f"{WALL_TIMES}{end}"], result[f"density of {WALL_TIMES}{end}"]
        ax.plot(x[density > 0], density[density > 0], marker, color=colour, markersize=4, label=f"to the next {label}")
        ax.plot(x, result[f"density of {WALL_TIMES}{end}, dilute limit"], color=colour, linewidth=1,
                label="molecular chaos, same mean")
    ax.set(xlabel="free time / mean free time to a disc", ylabel="density", yscale="log", xlim=(0, LONGEST),
           title="Free times in a box with walls")
    ax.legend(fontsize="small")


def _draw_shape(result: Result, ax: Any) -> None:
    x = result["l/<l>"]
    for name, marker, colour in (("l/<l>", "o", "C0"), ("t/<t>", "s", "C1")):
        seen = result[f"density of {name}"] > 0
        ax.plot(result[name][seen], result[f"density of {name}"][seen], marker, color=colour, markersize=4,
                label=f"measured {name}")
        ax.plot(result[name], result[f"density of {name}, dilute limit"], color=colour, linewidth=1,
                label="molecular chaos, dilute limit")
    ax.plot(x, np.exp(-x), color="C3", linewidth=1, linestyle="--", label="exponential: wrong")
    ax.set(xlabel="free path or time / its mean", ylabel="density", yscale="log", xlim=(0, LONGEST),
           title="Free paths are not exponential")
    ax.legend(fontsize="small")


def _draw_densities(result: Result, ax: Any) -> None:
    etas = np.geomspace(result["packing fraction"][0], result["packing fraction"][-1], 100)
    ax.plot(etas, theory.mean_free_path(etas, .5), color="black", linewidth=0.8, label="theory")
    ax.errorbar(result["packing fraction"], result["path (diameters)"], result["error of path"], fmt="o", markersize=5,
                label="measured")
    ax.set(xlabel="packing fraction", ylabel="mean free path (diameters)", xscale="log", yscale="log",
           title="Denser means shorter")
    _ticks(ax.xaxis, (.01, .03, .1, .3, .6))
    _ticks(ax.yaxis, (.1, .3, 1, 3, 10, 30))
    ax.legend(fontsize="small")


def _draw_temperatures(result: Result, ax: Any) -> None:
    kT = np.geomspace(result["kT"][0], result["kT"][-1], 60)
    for k, (how, eta) in enumerate((("pressure", [_packing(each) for each in kT]), ("volume", np.full(60, STANDARD)))):
        ax.plot(kT, theory.mean_free_path(np.array(eta), .5), color="black", linewidth=0.8, label=None if k else "theory")
        ax.errorbar(result["kT"], result[f"path at constant {how} (diameters)"], result[f"error at constant {how}"],
                    fmt="os"[k], markersize=5, label=f"constant {how}")
    ax.set(xlabel="kT", ylabel="mean free path (diameters)", xscale="log", ylim=(0, None),
           title="Longer when hotter, at constant pressure only")
    _ticks(ax.xaxis, result["kT"])
    ax.legend(fontsize="small")


def _ticks(axis: Any, values: Any) -> None:
    """Replace the ticks of a logarithmic axis by plain numbers at these values."""
    axis.set_ticks(values, [f"{value:g}" for value in values])
    axis.set_ticks([], minor=True)
