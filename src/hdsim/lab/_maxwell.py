"""Exercise 6: from equal speeds to Maxwell's law, which is Rayleigh's in the plane, and its exact form for a few discs."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theory
from ..language import tr
from ..system import CollisionSystem
from .balls import scaled_speeds
from .result import Check, Result, check_name
from .setting import Progress, count, fluid, opened, require_equal, run_contacts, seed_of, silent

N, N_MIN, ETA, THIN = 1000, 50, 0.4, 0.02       # discs; packing fractions
REPLICAS = 12                           # fewer would now and then agree by chance, and have far too small an error
RELAXATION = np.concatenate((np.arange(0.0, 4.0, 0.5), np.arange(4.0, 17.0)))  # mean numbers of contacts of a disc
JUDGED = 6.0                            # contacts of each disc at which the empirical law is most accurate
# Its standard error there: 120 runs of 1000 discs had 1.883(4) at packing fraction .4 and 1.876(4) at .02; the law has 1.890.
EMPIRICAL = 0.010
APART = 20                              # contacts of each disc between two samples, which makes them independent
LOOKS, LOOKS_QUICK = 200, 80
HOT = 4.0                               # kT of the thin gas when its speeds are measured
FEW, FEW_LOOKS, FEW_LOOKS_QUICK = 4, 6000, 1500
BALLS, BALLS_APART = 200, 20            # rods and spheres, and their contacts between two samples
BALL = {1: "rods", 3: "spheres"}
BINS, FEW_BINS = 40, 20                 # bins of equal probability


def maxwell(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The relaxation of equal speeds: <v^4> / <v^2>^2 against contacts, and the distribution of speeds in equilibrium.

    Theory: the ratio rises from 1 to nearly 2; speeds of discs, and of rods and spheres, follow v^(d-1) exp(-m v^2 / (2 kT)) in
    d dimensions; the energy of each of 4 discs that share a fixed energy follows Beta(1, 3) exactly. source: what `hdsim.load`
    takes, or a system, of equal masses, whose speeds are made equal; or a number of discs (1000) in a box with walls. As a
    function of contacts per disc the relaxation does not depend on density, which a second density shows.
    """
    own = count(source, N) is not None
    dense = opened(source, seed if own else None, lambda n, seed: fluid(n, ETA, seed, periodic=False), N)
    require_equal(dense, "masses")
    if len(dense) < N_MIN:
        raise ValueError(f"expected {N_MIN} discs or more, whose speeds are nearly independent, found {len(dense)}")
    seed, replicas = seed_of(seed), REPLICAS
    thin = fluid(len(dense), THIN, seed, periodic=False)
    rng = np.random.default_rng(seed)
    curves = [_relaxation(system, replicas, rng, lambda share: progress((k + share) * 0.3))
              for k, system in enumerate((dense, thin))]
    freedom = theory.degrees_of_freedom(len(dense), dense.box.periodic)
    kT, mass = theory.kinetic_temperature(dense.kinetic_energy, freedom), dense.masses[0]
    at_rest = sum(dense.box.periodic) / (2 * len(dense))        # on periodic axes the centre of mass is at rest
    looks = LOOKS_QUICK if quick else LOOKS
    velocities = _looks(dense, looks, lambda share: progress(0.6 + 0.1 * share))
    hot, hot_kT = _hot_looks(thin, looks, lambda share: progress(0.7 + 0.1 * share))
    speeds, hot_speeds = (np.hypot(each[..., 0], each[..., 1]) for each in (velocities, hot))
    few = fluid(FEW, ETA / 2, seed, periodic=False)
    few_velocities = _looks(few, FEW_LOOKS_QUICK if quick else FEW_LOOKS, lambda share: progress(0.8 + 0.1 * share))
    balls, laws = _other_dimensions(looks, rng, lambda share: progress(0.9 + 0.1 * share))
    energies = few.masses[0] * np.square(few_velocities[:, 0]).sum(axis=1) / 2     # of one: all four are dependent
    kurtosis = (speeds**4).mean(axis=1) / (speeds**2).mean(axis=1) ** 2
    checks = [
        Check("<v^4> / <v^2>^2", kurtosis.mean(), kurtosis.std(ddof=1) / math.sqrt(len(kurtosis)),
              theory.velocity_kurtosis(freedom), freedom=len(kurtosis) - 1),
        # One degree of freedom fewer because the total number is fixed, one fewer because the total energy is.
        _chi2("Rayleigh's law", theory.speed_cdf(speeds, mass, kT, freedom, at_rest), BINS, BINS - 2),
        _chi2(check_name("Rayleigh's law at {factor:g} times the temperature", factor=HOT), theory.speed_cdf(
            hot_speeds, 1.0, HOT * hot_kT, theory.degrees_of_freedom(len(thin), thin.box.periodic)), BINS, BINS - 2),
        _chi2("Maxwell's law of a component", theory.component_cdf(velocities[..., 0], mass, kT), BINS, BINS - 1),
        _chi2(check_name("law of {n} discs", n=FEW), theory.energy_cdf(energies, 1.0, 2 * FEW), FEW_BINS, FEW_BINS - 1), *laws]
    k = int(np.argmin(np.abs(RELAXATION - JUDGED)))
    checks += [Check(check_name("relaxation, {name}", name=name), curve[1][k], curve[2][k], _limited(curve[0][k], freedom),
                     EMPIRICAL, freedom=replicas - 1) for name, curve in zip(("dense", "thin"), curves)]
    columns = _columns(velocities / math.sqrt(kT / mass), hot / math.sqrt(hot_kT), energies, curves) | balls
    return Result("maxwell", tuple(checks), tr("2 D / (D + 2) for the D velocity components that share the energy: exact"),
                  columns, (_draw_relaxation, _draw_speeds, _draw_components, _draw_energies, _draw_dimensions))


def _other_dimensions(looks: int, rng: np.random.Generator, progress: Progress) -> tuple[dict[str, np.ndarray], list[Check]]:
    """The speeds of rods and of spheres in thermal speeds, as columns, and the checks of their laws."""
    columns, checks = {}, []
    for k, (d, name) in enumerate(BALL.items()):
        speeds, freedom = scaled_speeds(d, BALLS, looks, BALLS_APART, rng, lambda share: progress((k + share) / len(BALL)))
        columns[f"speed of {name} / sqrt(kT / m)"] = speeds.ravel()
        checks.append(_chi2(f"speeds of {name}", theory.speed_cdf(speeds, 1.0, 1.0, freedom, d=d), BINS, BINS - 2))
    return columns, checks


def _columns(velocities: np.ndarray, hot: np.ndarray, energies: np.ndarray, curves: list[Any]) -> dict[str, Any]:
    """Speeds and components (looks, n, 2) in thermal speeds, at two temperatures, energies and relaxation, as columns."""
    columns: dict[str, Any] = {"speed of a disc / sqrt(kT / m)": np.hypot(velocities[..., 0], velocities[..., 1]).ravel(),
                               f"speed at {HOT:g} times the temperature": np.hypot(hot[..., 0], hot[..., 1]).ravel(),
                               "v_x / sqrt(kT / m)": velocities[..., 0].ravel(),
                               f"v_x at {HOT:g} times the temperature": hot[..., 0].ravel(),
                               "energy of one disc of four / kT": energies}
    for name, curve in zip(("dense", "thin"), curves):
        columns |= {f"{what}, {name}": values for what, values in zip(("contacts of each disc", "kurtosis", "error"), curve)}
    return columns


def _hot_looks(thin: CollisionSystem, looks: int, progress: Progress) -> tuple[np.ndarray, float]:
    """The velocities (looks, n, 2) of the thin gas after its temperature was multiplied by HOT, and its kT before."""
    kT = theory.kinetic_temperature(thin.kinetic_energy, theory.degrees_of_freedom(len(thin), thin.box.periodic))
    with thin.edit() as draft:
        draft.velocities *= math.sqrt(HOT)
    return _looks(thin, looks, progress), kT


def _limited(contacts: float, freedom: float) -> float:
    """The empirical law of relaxation, scaled so that it tends to the limit for this number of degrees of freedom."""
    return 1 + (theory.kurtosis_relaxation(contacts) - 1) * (theory.velocity_kurtosis(freedom) - 1)


def _set_equal_speeds(system: CollisionSystem, rng: np.random.Generator) -> None:
    """Give all discs the same speed, with random directions in opposite pairs; total momentum is then 0, the energy unchanged."""
    n = len(system)
    angles = rng.uniform(0, 2 * math.pi, (n + 1) // 2)
    half = np.column_stack((np.cos(angles), np.sin(angles)))
    way = rng.permutation(np.concatenate((half, -half))[:n])
    speed = math.sqrt(2 * system.kinetic_energy / system.masses.sum())
    with system.edit() as draft:
        draft.velocities[:] = speed * way


def _relaxation(system: CollisionSystem, replicas: int, rng: np.random.Generator, progress: Progress
                ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Contacts per disc, <v^4> / <v^2>^2 and its standard error over replicas, at RELAXATION.

    The system runs through all replicas one after another and is left in equilibrium.
    """
    contacts, kurtosis = np.empty((2, replicas, len(RELAXATION)))
    for replica in range(replicas):
        _set_equal_speeds(system, rng)
        before = system.statistics["pair_contacts"]
        for k, c in enumerate(RELAXATION):
            run_contacts(system, before + math.ceil(c * len(system) / 2))
            squares = np.square(system.velocities).sum(axis=1)
            contacts[replica, k] = 2 * (system.statistics["pair_contacts"] - before) / len(system)
            kurtosis[replica, k] = (squares**2).mean() / squares.mean() ** 2
            progress((replica + (k + 1) / len(RELAXATION)) / replicas)
    return contacts.mean(axis=0), kurtosis.mean(axis=0), kurtosis.std(axis=0, ddof=1) / math.sqrt(replicas)


def _looks(system: CollisionSystem, looks: int, progress: Progress) -> np.ndarray:
    """Velocities of all discs at `looks` equally spaced times in equilibrium, (looks, n, 2)."""
    begin = system.time
    system.simulate(max_events=APART * len(system))      # 2 * APART contacts of each disc
    step = (system.time - begin) / 2
    velocities = np.empty((looks, len(system), 2))
    for look in range(looks):
        system.step(step)
        velocities[look] = system.velocities
        progress((look + 1) / looks)
    return velocities


def _chi2(what: str, probabilities: np.ndarray, bins: int, freedom: int) -> Check:
    """A check of chi^2 per degree of freedom for numbers that are uniform in (0, 1) by theory: 1 +- sqrt(2 / freedom), judged by
    the law of chi^2."""
    counts = np.histogram(probabilities, bins, (0.0, 1.0))[0]
    expected = probabilities.size / bins
    return Check(what, float(np.square(counts - expected).sum() / (expected * freedom)), math.sqrt(2 / freedom), 1.0,
                 chi2=freedom)


def _draw_relaxation(result: Result, ax: Any) -> None:
    for name, marker in (("dense", "o"), ("thin", "s")):
        ax.errorbar(result[f"contacts of each disc, {name}"], result[f"kurtosis, {name}"],
                    yerr=result[f"error, {name}"], fmt=marker, markersize=4, label=name)
    c = np.linspace(0, RELAXATION[-1], 200)
    ax.plot(c, theory.kurtosis_relaxation(c), color="black", linewidth=0.9, label="2 - exp(-0.37 c), empirical")
    ax.plot(c[:20], 1 + 64 / 225 * c[:20], color="tab:red", linestyle="--", label="1 + 64/225 c, molecular chaos")
    ax.set(xlabel="contacts of each disc, c", ylabel=r"$\langle v^4 \rangle / \langle v^2 \rangle^2$",
           title="From equal speeds to Maxwell's")
    ax.legend(fontsize="small")


def _draw_speeds(result: Result, ax: Any) -> None:
    v = np.linspace(0, 8, 300)
    for k, (name, kT) in enumerate((("speed of a disc / sqrt(kT / m)", 1.0), (f"speed at {HOT:g} times the temperature", HOT))):
        ax.hist(result[name], 80, range=(0, 8), density=True, alpha=0.5, color=f"C{k}", label=f"measured, {kT:g} kT")
        ax.plot(v, theory.speed_pdf(v, 1.0, kT), color="black", linewidth=0.9, label=None if k else "Rayleigh")
    ax.set(xlabel="speed / sqrt(kT / m)", ylabel="probability density", title="Speeds in equilibrium")
    ax.legend(fontsize="small")


def _draw_components(result: Result, ax: Any) -> None:
    v = np.linspace(-8, 8, 300)
    for k, (name, kT) in enumerate((("v_x / sqrt(kT / m)", 1.0), (f"v_x at {HOT:g} times the temperature", HOT))):
        ax.hist(result[name], 80, range=(-8, 8), density=True, alpha=0.5, color=f"C{k}", label=f"measured, {kT:g} kT")
        ax.plot(v, theory.component_pdf(v, 1.0, kT), color="black", linewidth=0.9, label=None if k else "Maxwell")
    ax.set(xlabel="v_x / sqrt(kT / m)", ylabel="probability density", title="One component of the velocity")
    ax.legend(fontsize="small")


def _draw_dimensions(result: Result, ax: Any) -> None:
    v = np.linspace(0, 5, 300)
    for d, name in ((1, f"speed of {BALL[1]} / sqrt(kT / m)"), (2, "speed of a disc / sqrt(kT / m)"),
                    (3, f"speed of {BALL[3]} / sqrt(kT / m)")):
        ax.hist(result[name], 60, range=(0, 5), density=True, alpha=0.5, color=f"C{d + 1}", label=f"measured, d = {d}")
        ax.plot(v, theory.speed_pdf(v, 1.0, 1.0, d=d), color="black", linewidth=0.9, label=None if d > 1 else "Maxwell")
    ax.set(xlabel="speed / sqrt(kT / m)", ylabel="probability density", title="Rods, discs, spheres")
    ax.legend(fontsize="small")


def _draw_energies(result: Result, ax: Any) -> None:
    e = np.linspace(0, FEW, 200)
    counts, edges = np.histogram(result["energy of one disc of four / kT"], 40, (0, FEW))
    width, total = edges[1], counts.sum()
    ax.errorbar(edges[:-1] + width / 2, counts / (total * width), yerr=np.sqrt(np.maximum(counts, 1)) / (total * width),
                fmt="o", markersize=4, label="measured")
    ax.plot(e, theory.energy_pdf(e, 1.0, 2 * FEW), color="black", linewidth=0.9, label="Beta(1, 3), exact")
    ax.plot(e, theory.energy_pdf(e, 1.0), color="tab:red", linewidth=0.9, linestyle="--",
            label="exp(-e / kT), of many discs")
    ax.set(yscale="log", ylim=(1e-4, 2), xlabel="energy of one disc / kT", ylabel="probability density",
           title="Four discs share a fixed energy")
    ax.legend(fontsize="small")
