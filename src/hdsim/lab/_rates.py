"""Exercise 4: collisions per second, by kind and species; how they grow with temperature and with density."""
from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..observables import blocking_error
from ..observers import CollisionRates
from ..starts import datasets, sources
from ..system import CollisionSystem
from ._brownian import Grain
from .replicas import BLOCKED
from .result import Check, Result, check_name
from .setting import Progress, has_walls, melt, opened, require_no_obstacles, seed_of, silent, theory_of

FIRST = "p1000-.5K"
NAMED = tuple(sorted((name for name in datasets.names() if re.match(r"p\d+(-[\d.]+K)?$", name) and name != "p10"),
                     key=lambda name: name != FIRST))
MIXED = "brownian"
NUMBERS, NUMBERS_QUICK = (250, 500, 1000, 2000, 4000), (500, 1000)     # numbers of discs with radius and box of FIRST
CONTACTS, CONTACTS_QUICK = 200_000, 20_000      # contacts in each run ...
LEAST = 10                  # ... but at least so many of each disc
PIECES = 64                 # pieces of a run, whose scatter gives the error
CONTACT_VALUE = 0.01        # relative standard error of rates between species: that of `theory.mixture_contact_values`
KINDS = {1: [0, 1], 2: [0, 1, 3]}       # number of species -> indices of the counts: pairs of species first, walls last
# Files that differ in temperature only, and the square root of the ratio of their temperatures.
RATIOS = (("p1000-2K", "p1000-.5K", 2.0), ("p100-2K", "p100-.5K", 2.0), ("p100-.5K", "p100-.125K", 2.0))


class Rate(NamedTuple):
    """Contacts of one kind per time: measured, and by theory, with its relative standard error."""

    kind: str
    value: float
    error: float
    theory: float
    theory_error: float

    def check(self, name: str, unit: str = "/ time unit") -> Check:
        return Check(check_name("{kind} contacts of {name}", kind=self.kind, name=name), self.value, self.error, self.theory,
                     self.theory_error * self.theory, unit, freedom=BLOCKED)


def rates(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """Contacts per time, compared with scaled particle theory and Enskog's: they grow as sqrt(T), and per disc as the density.

    Systems: every data set of equal discs with a temperature, the data set brownian by species, and 250 to 4000 discs. source:
    measure only this, anything that `hdsim.load` takes, or a system. seed: of a number of discs.
    """
    contacts = CONTACTS_QUICK if quick else CONTACTS
    law = tr("walls, scaled particle theory; discs, Enskog")
    if source is not None:
        alone = _measured(opened(source, seed, lambda n, seed: sources.load(str(n), seed=seed)), contacts, progress)
        return Result("rates", tuple(rate.check("the system") for rate in alone), law, _columns(alone), (_draw_kinds,))
    numbers = NUMBERS_QUICK if quick else NUMBERS
    systems = {name: sources.load(name) for name in (*NAMED, MIXED)}
    radius, mass = float(systems[FIRST].radii[0]), float(systems[FIRST].masses[0])
    systems |= {f"{n} discs": sources.random(n, radius=radius, temperature=.5, mass=mass, k_B=theory.K_B, seed=seed_of(seed))
                for n in numbers}
    found = {name: _measured(system, contacts, lambda share: progress((done + share) / len(systems)))
             for done, (name, system) in enumerate(systems.items())}
    columns: dict[str, Any] = {"temperature": [systems[name].temperature for name in NAMED],
                               "discs of file": [len(systems[name]) for name in NAMED]} | _columns(found[MIXED])
    columns |= _compared("file", [found[name] for name in NAMED])
    columns |= {"discs": numbers} | _compared("number", [found[f"{n} discs"] for n in numbers])
    checks = (*(rate.check(name) for name, several in found.items() for rate in several),
              *(_ratio(found, hot, cold, k, law) for hot, cold, law in RATIOS for k in range(2)))
    return Result("rates", checks, law, columns, (_draw_temperatures, _draw_numbers, _draw_kinds))


def _ratio(found: dict[str, list[Rate]], hot: str, cold: str, k: int, law: float) -> Check:
    """A check of the ratio of contact rates of two files that differ in temperature only, against `law`."""
    one, other = found[hot][k], found[cold][k]
    value = one.value / other.value
    return Check(check_name("{kind} contacts of {hot} / {cold}", kind=one.kind, hot=hot, cold=cold), value,
                 value * math.hypot(one.error / one.value, other.error / other.value), law, freedom=BLOCKED)


def _measured(system: CollisionSystem, contacts: int, progress: Progress) -> list[Rate]:
    """The rates of each kind of contact in equilibrium, measured and by theory."""
    melt(system)
    laws = _laws(system)
    species = (system.masses > system.masses.min()).astype(int)
    observer = system.observe(CollisionRates(species))
    begin, count = system.time, max(contacts, LEAST * len(system))
    system.simulate(max_events=count // PIECES)
    piece = system.time - begin             # pieces of equal time, because a piece that ends with a contact biases the rate
    observer.reset()
    seen = [np.zeros(len(laws))]
    for done in range(PIECES):
        system.step(piece)
        pairs = observer.pair_counts[np.triu_indices(len(observer.species))]
        seen.append(np.array([*pairs, observer.wall_counts[0].sum()])[KINDS[len(observer.species)][:len(laws)]])
        progress((done + 1) / PIECES)
    series = np.diff(seen, axis=0) / piece
    # Not `flux_error`: contacts with walls are the change of something bounded, but only in part. Of 30 series of 64 pieces it
    # took 5 for wholly bounded ones, with a third of the true error; blocks state .9 to 1.5 times it.
    means, errors = blocking_error(series)[:2]
    return [Rate(kind, float(mean), float(error), *law) for (kind, *law), mean, error in zip(laws, means, errors)]


def _laws(system: CollisionSystem) -> list[tuple[str, float, float]]:
    """(kind of contact, contacts per time by theory, relative standard error) of each kind. ValueError if there is no theory."""
    require_no_obstacles(system)
    if np.ptp(system.masses) or np.ptp(system.radii):
        return _grain_laws(Grain.of(system))
    n, box = len(system), system.box
    if not has_walls(system):
        return [("disc-disc", theory_of(system, CollisionRates()), theory.rate_error(system.packing_fraction, n))]
    pairs, walls = theory.walled_collision_rates(n, float(system.radii[0]), float(system.masses[0]),
                                                 system.k_B * system.temperature, box.width, box.height)
    return [("disc-disc", pairs, theory.walled_pair_error(n)), ("wall", walls, theory.WALL_ERROR)]


def _grain_laws(grain: Grain) -> list[tuple[str, float, float]]:
    """The contact rates of molecules with each other, with the heavy disc, and with walls, as discs of infinite radius.

    Densities refer to the area in which the centres of molecules can be. At its edge, a wall or the heavy disc, half of the
    partners are missing, which reduces the pairs in contact by the fraction edge * 2a / (pi area). This is exact at low density,
    and the second term of `theory.two_disc_collision_rate`.
    """
    m, a = grain.small_mass, grain.small_radius
    density = grain.density(grain.n, a)
    eta = theory.packing_fraction(density, a)
    x, y = grain.walls
    length = 2 * (x * (grain.height - 2 * a * y) + y * (grain.width - 2 * a * x))
    missing = (length + 2 * math.pi * (grain.radius + a)) * 2 * a * density / (math.pi * grain.n)
    among = theory.pair_collision_rate(density * (1 - 1 / grain.n), 2 * a, theory.contact_value(eta), m / 2, grain.kT)
    mu = grain.mass * m / (grain.mass + m)
    laws = [("molecule-molecule", grain.n * among / 2 * (1 - missing), CONTACT_VALUE),
            ("molecule-heavy disc", grain.mass / (2 * mu * grain.enskog), CONTACT_VALUE)]
    if length:
        g = theory.mixture_contact_values(eta, [1, 0], [a, 1e12 * a])[0, 1]
        hits = theory.wall_collision_rate(density * g * grain.kT, m, grain.kT)
        laws.append(("molecule-wall", length * hits, CONTACT_VALUE))
    return laws


def _columns(found: list[Rate]) -> dict[str, Any]:
    """The columns of one system, by kind of contact."""
    return {"kind": [rate.kind for rate in found], "rate (1/time)": [rate.value for rate in found],
            "error of rate": [rate.error for rate in found], "rate by theory": [rate.theory for rate in found]}


def _compared(name: str, found: list[list[Rate]]) -> dict[str, Any]:
    """The columns of several systems of equal discs between walls."""
    columns: dict[str, Any] = {}
    for k, kind in enumerate(("disc-disc", "wall")):
        columns |= {f"{kind} of {name} (1/time)": [each[k].value for each in found],
                    f"error of {kind} of {name}": [each[k].error for each in found],
                    f"{kind} of {name} by theory": [each[k].theory for each in found]}
    return columns


def _draw_temperatures(result: Result, ax: Any) -> None:
    kelvin, discs = result["temperature"], result["discs of file"]
    line = np.geomspace(kelvin.min() / 1.3, kelvin.max() * 1.3, 2)
    for k, kind in enumerate(("disc-disc", "wall")):
        for n in np.unique(discs):
            some = discs == n
            law = (result[f"{kind} of file by theory"][some] / np.sqrt(kelvin[some]))[0]
            ax.plot(line, law * np.sqrt(line), color="black", linewidth=0.8)
            ax.plot(kelvin[some], result[f"{kind} of file (1/time)"][some], "os"[k],
                    color=f"C{np.searchsorted(np.unique(discs), n)}", label=f"{kind}, {n} discs")
    ax.set(xlabel="temperature (K)", ylabel="contacts per time unit", xscale="log", yscale="log", ylim=(0.1, None),
           title="As the root of temperature: lines, theory")
    ax.set_xticks(np.unique(kelvin.round(6)), [f"{value:g}" for value in np.unique(kelvin.round(6))])
    ax.minorticks_off()
    ax.legend(fontsize="small", ncols=2, loc="lower center")


def _draw_numbers(result: Result, ax: Any) -> None:
    n = result["discs"]
    for kind, ends, colour in (("disc-disc", 2, "C0"), ("wall", 1, "C1")):
        rate, law = ends * result[f"{kind} of number (1/time)"] / n, ends * result[f"{kind} of number by theory"] / n
        ax.plot(n, law, color="black", linewidth=0.8)
        ax.errorbar(n, rate, ends * result[f"error of {kind} of number"] / n, fmt="o", color=colour,
                    label=f"with {kind[-4:]}s")
    ax.set(xlabel="discs in the box", ylabel="contacts of each disc per time unit", xlim=(0, None), ylim=(0, None),
           title="With discs as their density; with walls, hardly")
    ax.legend(fontsize="small")


def _draw_kinds(result: Result, ax: Any) -> None:
    places = np.arange(len(result["kind"]))
    ax.bar(places, result["rate (1/time)"], yerr=result["error of rate"], width=0.5, label="measured")
    ax.hlines(result["rate by theory"], places - 0.4, places + 0.4, color="black", label="theory")
    for place, rate in zip(places, result["rate (1/time)"]):
        ax.annotate(f"{rate:.3g}", (place, rate), xytext=(0, 4), textcoords="offset points", ha="center")
    ax.set(ylabel="contacts per time unit", yscale="log", title="By kind of contact", xlim=(-0.7, len(places) - 0.3),
           ylim=(0.3 * result["rate (1/time)"].min(), 3 * result["rate (1/time)"].max()))
    ax.set_xticks(places, result["kind"])
    ax.legend(fontsize="small")
