"""The billiards of physics: the mean free path on every table, and order and chaos in a circle and in a stadium."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..language import tr
from ..starts import tables as known
from ..starts.table import Table
from ..system import CollisionSystem
from .replicas import mean_and_error
from .result import Check, Result, check_name
from .setting import Progress, seed_of, silent

STADIUM, CIRCLE = known.stadium(2.0, 1.0), known.stadium(0.0, 1.0)
# Each table, and the radius of the disc on it; the first one is that of the headline.
TABLES: dict[str, tuple[Table, float]] = {
    "stadium": (STADIUM, 0.1),
    "circle": (CIRCLE, 0.1),
    "Sinai's billiard": (known.sinai(0.25), 0.1),
    "Sinai's on the torus": (known.sinai(0.25, periodic=True), 0.1),
    "Lorentz gas": (known.lorentz(2.5, 1.0), 0.1),
    "mushroom": (known.mushroom(1.0, 0.6, 1.0), 0.1),
    "wedge of 60 degrees": (known.wedge(60), 0.1),
    "pentagon": (known.polygon(5), 0.1),
    "two vessels": (known.two_vessels(0.3, 0.2), 0.05),
    "box with a slit": (known.rectangle_with_slit(0.3), 0.05),
}
POINTS, POINTS_QUICK = 4000, 300        # points on each table, all at once: they do not meet
LONE, LONE_QUICK = 400, 30              # discs on each table, one at a time
FLIGHTS, FLIGHTS_QUICK = 100, 40        # of each, by theory
PAIRS, PAIRS_QUICK = 4000, 300          # of points that begin close to each other
NEAR = 1e-10                            # their distance at first, and after each sample, when it is reduced to this
TIMES = np.linspace(0, 60, 61)          # samples in the stadium, of points of speed 1
ALIGNED = 20.0                          # time after which the differences have the direction that grows
LATE = np.geomspace(1, 400, 41)         # samples in the circle
LINEAR = 100.0                          # time after which growth in the circle is nearly linear
HITS = 60                               # of a trajectory that is drawn
SLOPE = 20.0                            # degrees, of its first flight, which begins in the middle of the lower half
# Largest Lyapunov exponent of points of speed 1 in the stadium: 0.43, with the error of its last digit (Benettin and Strelcyn,
# Phys. Rev. A 17, 773, 1978); another program has 0.4296(8).
LYAPUNOV, LYAPUNOV_ERROR = 0.43, 0.003
# Standard error of the exponent 1 of growth in the circle: sqrt(a^2 + (b t)^2) with b near 0 for some pairs is not yet linear.
LINEAR_ERROR = 0.005
# Of the angular momentum in each hit, at most; the hits of a run together are less, for the roundings have both signs.
ROUNDING = 2.0**-52


def tables(*, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The mean free path of points and of lone discs on every table of `hdsim.tables`, compared with pi A / P; and order and
    chaos: how a small difference of two starts grows in a circle and in a stadium, and the trajectories.

    The starts are uniform in the domain of centres and in all directions, so pi A / P is exact on every table, chaotic or not.
    In the circle they are as hits are distributed, see `_mean_chord`.
    """
    points, lone, flights = (POINTS_QUICK, LONE_QUICK, FLIGHTS_QUICK) if quick else (POINTS, LONE, FLIGHTS)
    seed = seed_of(seed)
    checks, columns = [], {"table": list(TABLES)}
    for radius_of, what in ((lambda radius: 0.0, "points"), (float, "discs")):
        found = []
        for k, (name, (table, radius)) in enumerate(TABLES.items()):
            r = radius_of(radius)
            starts = lone if r and name != "circle" else points
            path = (_mean_chord if name == "circle" else _mean_path)(table, r, seed * len(TABLES) + k, starts, flights)
            found.append((*path, table.domain(r).mean_free_path))
            checks.append(Check(check_name("mean free path, {table}, radius {radius:g}", table=name, radius=r), *found[-1],
                                freedom=starts - 1))
            progress(0.4 * ((what == "discs") + (k + 1) / len(TABLES)))
        values, errors, laws = np.array(found).T
        columns |= {f"path of {what}": values, f"error of path of {what}": errors, f"path of {what} by theory": laws}
    checks += _order_and_chaos(PAIRS_QUICK if quick else PAIRS, seed, columns)
    for name, table in (("circle", CIRCLE), ("stadium", STADIUM)):
        columns[f"x in the {name}"], columns[f"y in the {name}"] = _trajectory(table).T
    progress(1.0)
    return Result("tables", tuple(checks), tr("pi A / P, of the area in which centres can be"), columns,
                  (_draw_paths, _draw_growth, _draw_trajectories))


def _mean_path(table: Table, radius: float, seed: int, n: int, flights: int) -> tuple[float, float]:
    """The mean free path of n lone discs or points on a table, with its standard error from their scatter: path over contacts."""
    length = flights * table.domain(radius).mean_free_path
    alone = [(n, seed)] if radius == 0 else [(1, seed * n + k) for k in range(n)]      # points do not meet
    contacts = []
    for together, own in alone:
        system = table.random(together, radius=radius, speed=1.0, seed=own)
        system.simulate(until=length)
        contacts.append(system.wall_counts)
    mean, error = mean_and_error(np.concatenate(contacts))
    return length / mean, length / mean * error / mean


def _mean_chord(table: Table, radius: float, seed: int, n: int, flights: int) -> tuple[float, float]:
    """The mean free path of n lone discs or points in a circle, with its standard error from their scatter.

    All flights of a start are chords of one length. Along the wall there are arbitrarily many in a given time: their number has
    an infinite variance over starts that are uniform in the circle, so that no number of these gives its mean an error. The same
    mean over all flights is that over hits, at which the sine of the angle of incidence is uniform. A start is the middle of a
    chord, half a flight before its first hit.
    """
    rng = np.random.default_rng((seed, int(radius > 0)))      # other chords for discs than for points
    left, bottom, right, top = table.region
    reach, paths = (right - left) / 2 - radius, []
    for sine, turn in zip(rng.uniform(-1, 1, n), rng.uniform(0, 2 * math.pi, n)):
        along = np.array([math.cos(turn), math.sin(turn)])
        system = CollisionSystem.from_arrays([((left + right) / 2, (bottom + top) / 2) + reach * sine * along],
                                             [(-along[1], along[0])], radius, box=table.box, obstacles=table.obstacles)
        system.simulate(max_events=flights)
        paths.append(system.time / (flights - 0.5))
    return mean_and_error(np.array(paths))


def _order_and_chaos(pairs: int, seed: int, columns: dict[str, Any]) -> list[Check]:
    """Checks of how differences grow in the stadium and in the circle, and of what stays in the circle; adds the curves."""
    checks = []
    for name, table, times in (("stadium", STADIUM, TIMES), ("circle", CIRCLE, LATE)):
        growth, momenta = _growth(table, pairs, times, seed)
        columns |= {f"time in the {name}": times, f"logarithm of the growth in the {name}": growth.mean(axis=1),
                    f"spread of it in the {name}": growth.std(axis=1)}
        scale = times if name == "stadium" else np.log(times)
        begin = int(np.argmin(np.abs(times - (ALIGNED if name == "stadium" else LINEAR))))
        slope, error = mean_and_error((growth[-1] - growth[begin]) / (scale[-1] - scale[begin]))
        if name == "stadium":
            checks.append(Check("Lyapunov exponent in the stadium", slope, error, LYAPUNOV, LYAPUNOV_ERROR,
                                freedom=pairs - 1))
        else:
            hits = times[-1] / CIRCLE.domain().mean_free_path
            checks += [Check("growth in the circle, as which power of time", slope, error, 1.0, LINEAR_ERROR,
                             freedom=pairs - 1),
                       Check("change of sin(angle of incidence) in the circle", float(np.ptp(momenta, axis=0).max()), 0.0, 0.0,
                             ROUNDING * hits)]
    return checks


def _growth(table: Table, pairs: int, times: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The logarithm of the growth of the difference in position and velocity of pairs of points, (samples, pairs), and the
    angular momentum of the first ones about the centre of the table, (samples, pairs).

    The first points are uniform on the table. After each sample the second one is brought back to the distance NEAR, in the same
    direction, so that the difference stays small.
    """
    one = table.random(pairs, radius=0.0, speed=1.0, seed=seed)
    angles = np.random.default_rng(seed).uniform(0, 2 * math.pi, pairs)
    difference = np.column_stack((np.cos(angles), np.sin(angles), np.zeros((pairs, 2))))
    total, growth, momenta = np.zeros(pairs), [], []
    middle = np.array([table.box.width, table.box.height]) / 2
    other = one.copy()
    for time in times:
        _displace(one, other, NEAR * difference)
        for system in (one, other):
            system.simulate(until=time)
        difference = np.hstack((other.positions - one.positions, other.velocities - one.velocities))
        size = np.sqrt(np.square(difference).sum(axis=1))
        difference /= size[:, None]
        total = total + np.log(size / NEAR)
        growth.append(total)
        (x, y), (vx, vy) = (one.positions - middle).T, one.velocities.T
        momenta.append(x * vy - y * vx)
    return np.array(growth), np.array(momenta)


def _displace(one: CollisionSystem, other: CollisionSystem, difference: np.ndarray) -> None:
    """Put the points of the other system beside those of the first one. difference: (n, 4), of positions and of velocities."""
    with other.edit() as draft:
        draft.positions = one.positions + difference[:, :2]
        draft.velocities = one.velocities + difference[:, 2:]


def _trajectory(table: Table) -> np.ndarray:
    """(HITS + 1, 2): the start of a point in the middle of the lower half of a table, and where it hits the wall."""
    left, bottom, right, top = table.region
    angle = math.radians(SLOPE)
    system = CollisionSystem.from_arrays([((left + right) / 2, (3 * bottom + top) / 4)], [(math.cos(angle), math.sin(angle))],
                                         0.0, box=table.box, obstacles=table.obstacles)
    places = [system.positions[0]]
    for _ in range(HITS):
        system.next_event()
        places.append(system.positions[0])
    return np.array(places)


def _draw_paths(result: Result, ax: Any) -> None:
    names = result["table"].tolist()
    rows = np.arange(len(names))[::-1]
    for what, shift, style in (("points", 0.12, "o"), ("discs", -0.12, "s")):
        law = result[f"path of {what} by theory"]
        ax.errorbar(result[f"path of {what}"] / law, rows + shift, xerr=result[f"error of path of {what}"] / law, fmt=style,
                    markersize=4, label=what)
    ax.axvline(1, color="black", linewidth=1)
    ax.set_yticks(rows, names)
    ax.set(xlabel="mean free path / (π A / P)", ylabel="table", title="On every table, as area over perimeter")
    ax.legend(fontsize="small")


def _draw_growth(result: Result, ax: Any) -> None:
    for k, name in enumerate(("circle", "stadium")):
        times = result[f"time in the {name}"]
        shown = times <= TIMES[-1]
        ax.plot(times[shown], np.exp(result[f"logarithm of the growth in the {name}"][shown]), ".", color=f"C{k}", label=name)
    late = TIMES[TIMES >= ALIGNED]
    begin = math.exp(result["logarithm of the growth in the stadium"][TIMES == ALIGNED][0])
    ax.plot(late, begin * np.exp(LYAPUNOV * (late - ALIGNED)), "k", linewidth=1, label=f"theory: exp({LYAPUNOV:g} t)")
    ax.set(xlabel="time (radius / speed)", ylabel="growth of a small difference", yscale="log", xlim=(0, None),
           title="A difference grows linearly in the circle,\nexponentially in the stadium")
    ax.legend(fontsize="small")


def _draw_trajectories(result: Result, ax: Any) -> None:
    """The trajectories within the outlines of the tables, the circle above the stadium, in units of the radius."""
    for k, (name, table, height) in enumerate((("circle", CIRCLE, 2.6), ("stadium", STADIUM, 0.0))):
        left, bottom, right, top = table.region
        half, x, y = (right - left) / 2, (left + right) / 2, (bottom + top) / 2
        turn = np.linspace(-math.pi / 2, math.pi / 2, 60)
        around = half - 1 + np.cos(turn)
        ax.plot([*around, *-around, around[0]], height + np.array([*np.sin(turn), *-np.sin(turn), -1]), "k", linewidth=1.5)
        ax.plot(result[f"x in the {name}"] - x, result[f"y in the {name}"] - y + height, linewidth=0.6, color=f"C{k}")
        ax.annotate(name, (-2, height + 1.1))
    ax.set(xlabel="x / radius", ylabel="y / radius", yticks=[], aspect="equal", ylim=(-1.2, 4.1),
           title=f"{HITS} hits: order in the circle, chaos in the stadium")
