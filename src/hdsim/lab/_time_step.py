"""Time-driven against event-driven simulation: contacts that time steps miss, their error, and the cost of accuracy."""
from __future__ import annotations

import math
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from .. import theory
from ..language import tr
from ..reference.timestep import PAIR_SCHEMES, SEEN_WITHIN, Pair, TimeDrivenSystem, exact_twin, pairs_of
from ..system import CollisionSystem
from .result import Check, Result, check_name
from .setting import Progress, fluid, seed_of, silent
from .slopes import log_slope

N = 100
ETA, THIN = 0.2, 0.005                  # packing fractions of the gas for errors and of the gas for missed contacts
TIME, THIN_TIME = 1.0, 0.2              # lengths of a run in these gases, in mean free times
RUNS, RUNS_QUICK = 16, 6                # runs for errors ...
THIN_RUNS, THIN_RUNS_QUICK = 500, 80    # ... and for missed contacts
STEPS, STEPS_QUICK = 13, 11             # the largest number of steps in a run is 2 to this power
STEPS_LEAST = 1
FIT = 5                                 # the order is fitted to so many of the finest steps
TRAVEL = (0.125, 0.25, 0.5, 1.0, 2.0)   # relative motion of a pair in a step at thermal speed, in diameters
ACCURACY = 0.01                         # diameters
EXACT = 1e-9                            # diameters: rounding errors after one contact per disc are far smaller, and the error of
                                        # a missed contact is far larger
ROUNDING = 2.0**-53                     # largest relative change of an energy by the rounding of one contact


def time_step(*, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The error of 100 discs after one mean free time, and its cost, against dt for each time-stepping scheme; and the share of
    contacts that is missed in a dilute gas, compared with the law of random chords.

    Times depend on the machine; they are shown without a verdict.
    """
    errors = _errors(fluid(N, ETA, seed_of(seed), periodic=False), quick, lambda share: progress(0.7 * share))
    travel, missed, laws, spread = _missed(fluid(N, THIN, seed_of(seed), periodic=False), quick,
                                           lambda share: progress(0.7 + 0.3 * share))
    orders = errors.orders("overlap")
    middle = len(TRAVEL) // 2
    checks = [
        Check("order of the error in dt, scheme overlap", orders.mean(), orders.std(ddof=1) / math.sqrt(len(orders)), 1.0,
              freedom=len(orders) - 1),
        *(Check(check_name("share of contacts missed, scheme {scheme}", scheme=scheme), missed[scheme][middle],
                spread[scheme][middle], laws[scheme][middle])
          for scheme in ("overlap", "rollback")),
        Check("median run off the exact one, scheme ordered",
              float(np.median(errors.distances["ordered"][:, -1]) > EXACT), 0.0, 0.0),
        Check("pairs looked at in a step", errors.step_checks, 0.0, N * (N - 1) / 2),
        Check("energy drift", errors.drift, 0.0, 0.0, ROUNDING * math.sqrt(errors.contacts))]
    columns: dict[str, Any] = {"dt (mean free times)": errors.steps}
    for scheme in PAIR_SCHEMES:
        columns |= {f"error, {scheme} (diameters)": errors.error(scheme), f"checks per contact, {scheme}": errors.checks[scheme],
                    f"time per contact, {scheme} (us)": errors.seconds[scheme]}
    for quantity, (value, unit) in {"checks": (errors.exact_checks, ""), "time": (errors.exact_seconds, " (us)")}.items():
        columns[f"{quantity} per contact, events{unit}"] = value
    columns["way of a pair in a step (diameters)"] = travel
    for scheme in ("overlap", "rollback"):
        columns |= {f"missed, {scheme}": missed[scheme], f"error of missed, {scheme}": spread[scheme],
                    f"missed, {scheme}, by theory": laws[scheme]}
    return Result("time-step", tuple(checks), tr("a contact is found half a step late on average"), columns,
                  (_draw_errors, _draw_costs, _draw_missed), _costs(errors))


# errors and costs

class Errors(NamedTuple):
    """Errors and costs of the time-stepping schemes and of the exact engine in one gas."""

    steps: np.ndarray                       # lengths of the time steps, in mean free times
    distances: dict[str, np.ndarray]        # scheme -> distance from the exact engine, (runs, steps), in diameters
    checks: dict[str, np.ndarray]           # scheme -> pairs checked per disc-disc contact, for each dt
    seconds: dict[str, np.ndarray]          # scheme -> microseconds per contact, for each dt
    exact_checks: float                     # pairs checked and microseconds per contact of the exact engine
    exact_seconds: float
    step_checks: float                      # pairs checked in a step of the scheme `overlap`
    drift: float                            # largest relative change of the energy
    contacts: float                         # disc-disc contacts in each run

    def error(self, scheme: str) -> np.ndarray:
        """The root mean square of the distances over the runs, for each dt."""
        return np.sqrt(np.square(self.distances[scheme]).mean(axis=0))

    def orders(self, scheme: str) -> np.ndarray:
        """The slope of log(error) in log(dt), at the finest steps, of each run."""
        return log_slope(self.steps[-FIT:], self.distances[scheme][:, -FIT:].T)


def _errors(system: CollisionSystem, quick: bool, progress: Progress) -> Errors:
    runs = RUNS_QUICK if quick else RUNS
    powers = np.arange(STEPS_LEAST, (STEPS_QUICK if quick else STEPS) + 1)
    free_time = float(theory.mean_free_time(ETA, system.radii[0], system.masses[0], system.k_B * system.temperature))
    time, diameter = TIME * free_time, 2 * system.radii[0]
    shape = runs, len(powers)
    distances, checks, seconds = ({scheme: np.zeros(shape) for scheme in PAIR_SCHEMES} for _ in range(3))
    contacts, exact_checks, exact_seconds, drift = 0, 0, 0.0, 0.0
    for run in range(runs):
        exact = exact_twin(system)
        until = system.time + time
        exact_seconds += _seconds(exact, until)
        contacts += exact.statistics["pair_contacts"]
        exact_checks += exact.statistics["predictions"]     # including the initial predictions
        for scheme in PAIR_SCHEMES:
            for k, power in enumerate(powers.tolist()):
                stepped = TimeDrivenSystem(system, time / 2**power, scheme)
                seconds[scheme][run, k] = _seconds(stepped, until)
                checks[scheme][run, k] = stepped.statistics["checks"]
                apart = np.square(stepped.positions - exact.positions).sum(axis=1).mean()
                distances[scheme][run, k] = max(math.sqrt(apart) / diameter, 1e-16)
                drift = max(drift, abs(stepped.kinetic_energy / system.kinetic_energy - 1))
        system.simulate(until=until)
        progress((run + 1) / runs)
    each = {scheme: total.sum(axis=0) / contacts for scheme, total in checks.items()}
    spent = {scheme: 1e6 * total.sum(axis=0) / contacts for scheme, total in seconds.items()}
    return Errors(TIME / 2.0**powers, distances, each, spent, exact_checks / contacts, 1e6 * exact_seconds / contacts,
                  checks["overlap"][0, 0] / 2**STEPS_LEAST, drift, contacts / runs)


def _seconds(system: CollisionSystem | TimeDrivenSystem, until: float) -> float:
    """The CPU time, in seconds, of a run to `until`."""
    began = process_time()
    system.simulate(until=until)
    return process_time() - began


def _costs(errors: Errors) -> tuple[tuple[str, str], ...]:
    """Rows of a table: for each scheme, the longest step with an error of ACCURACY, and its cost per contact."""
    rows = [(tr("accuracy"), tr("{part:g} of a diameter, after {time:g} mean free time; costs per contact of two discs:",
                                part=ACCURACY, time=TIME))]
    for scheme in PAIR_SCHEMES:
        dt = _step_for(errors.steps, errors.error(scheme))
        if math.isnan(dt):
            rows.append((scheme, tr("not reached at dt = {dt:.2g} mean free times", dt=errors.steps[-1])))
            continue
        checks, spent = (_at(errors.steps, cost, dt) for cost in (errors.checks[scheme], errors.seconds[scheme]))
        rows.append((scheme, tr("dt = {dt:.2g} mean free times: {checks:,.0f} checks, {us:.3g} us",
                              dt=dt, checks=checks, us=spent)))
    return (*rows, (tr("events"), tr("no dt: {checks:,.0f} checks, {us:.2g} us, to rounding", checks=errors.exact_checks,
                                     us=errors.exact_seconds)))


def _step_for(steps: np.ndarray, error: np.ndarray) -> float:
    """The longest step such that the errors at it and at all shorter steps are within ACCURACY, by interpolation; nan if none."""
    bad = np.flatnonzero(error > ACCURACY)
    k = int(bad[-1]) + 1 if len(bad) else 0
    if k == len(steps):
        return math.nan
    return float(steps[k]) if k == 0 else _at(error[k - 1:k + 1], steps[k - 1:k + 1], ACCURACY)


def _at(x: np.ndarray, y: np.ndarray, where: float) -> float:
    """y at x = `where`, by linear interpolation between logarithms; x decreases."""
    return float(np.exp(np.interp(math.log(where), np.log(x[::-1]), np.log(y[::-1]))))


# misses

class FirstContact(NamedTuple):
    pair: tuple[int, int]
    way: float              # relative speed, in contact distances per time unit


def _missed(system: CollisionSystem, quick: bool, progress: Progress) -> tuple[np.ndarray, dict[str, np.ndarray],
                                                                              dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Relative motions in a step; and for each scheme the shares of contacts that are missed, by theory, and standard errors.

    Only contacts of discs without an earlier contact count, because whether they are missed depends on nothing else. Theory is
    evaluated at the relative speeds of these pairs."""
    runs = THIN_RUNS_QUICK if quick else THIN_RUNS
    kT, mass, diameter = system.k_B * system.temperature, system.masses[0], 2 * system.radii[0]
    speed = math.sqrt(2 * kT / mass)
    steps = np.array(TRAVEL) * diameter / speed
    time = THIN_TIME * float(theory.mean_free_time(THIN, system.radii[0], mass, kT))
    lost = {"overlap": np.zeros(len(steps)), "rollback": np.zeros(len(steps))}
    law = {scheme: np.zeros(len(steps)) for scheme in lost}
    variance = {scheme: np.zeros(len(steps)) for scheme in lost}
    total = 0
    for run in range(runs):
        first_contacts = _first_contacts(system, system.time + time)
        total += len(first_contacts)
        ways = np.array([contact.way for contact in first_contacts])
        for scheme, seen_until in (("overlap", 1.0), ("rollback", 2.0)):     # an overlap counts to its middle, or to its end
            for k, dt in enumerate(steps.tolist()):
                shares = theory.missed_share(ways * dt / seen_until)
                law[scheme][k] += shares.sum()
                variance[scheme][k] += (shares * (1 - shares)).sum()
                seen = _pairs_seen(TimeDrivenSystem(system, dt, scheme), system.time + time + SEEN_WITHIN * dt)
                lost[scheme][k] += sum(contact.pair not in seen for contact in first_contacts)
        system.simulate(until=system.time + time)
        progress((run + 1) / runs)
    return (np.array(TRAVEL), *({scheme: shape(found) / total for scheme, found in each.items()}     # type: ignore[return-value]
                                for each, shape in ((lost, np.asarray), (law, np.asarray), (variance, np.sqrt))))


def _first_contacts(system: CollisionSystem, until: float) -> list[FirstContact]:
    """The contacts, from now to `until`, of two discs of which neither has had a contact before."""
    exact = exact_twin(system)
    touched: set[int] = set()
    first_contacts = []
    for event in exact.events(until):
        if event.kind == "pair" and touched.isdisjoint(event.particles):
            i, j = event.particles
            way = np.hypot(*(exact.velocities[i] - exact.velocities[j])) / (exact.radii[i] + exact.radii[j])
            first_contacts.append(FirstContact((i, j), float(way)))
        touched.update(event.particles)
    return first_contacts


def _pairs_seen(stepped: TimeDrivenSystem, until: float) -> set[Pair]:
    seen: set[Pair] = set()
    stepped.on_collision(lambda event: seen.update(pairs_of(event)), kind="pair")
    stepped.simulate(until=until)
    return seen


# figure

MARKERS: dict[str, tuple[str, str]] = {"overlap": ("o", "C0"), "rollback": ("s", "C1"), "ordered": ("^", "C2")}


def _draw_errors(result: Result, ax: Any) -> None:
    dt = result["dt (mean free times)"]
    for scheme, (marker, colour) in MARKERS.items():
        ax.plot(dt, result[f"error, {scheme} (diameters)"], marker + "-", color=colour, linewidth=0.7, markersize=5, label=scheme)
    error = result["error, overlap (diameters)"]
    ax.plot(dt, error[-1] * dt / dt[-1], color="black", linewidth=0.8, label="first order")
    ax.axhline(ACCURACY, color="grey", linewidth=0.8, linestyle="--")
    ax.text(dt[-1], ACCURACY * 1.4, f"{100 * ACCURACY:g} % of a diameter", color="grey", fontsize="small")
    ax.set(xscale="log", yscale="log", xlabel="dt (mean free times)", ylabel="rms error of positions (diameters)",
           title="Contacts found late: first order; with rollback: exact or not")
    ax.legend(fontsize="small", loc="center", bbox_to_anchor=(0.58, 0.5))


def _draw_costs(result: Result, ax: Any) -> None:
    for scheme, (marker, colour) in MARKERS.items():
        hollow = {"fillstyle": "none", "markersize": 9} if scheme == "overlap" else {"markersize": 5}     # rollback lies on it
        ax.plot(result["dt (mean free times)"], result[f"checks per contact, {scheme}"], marker + "-", color=colour,
                linewidth=0.7, label=scheme, **hollow)
    ax.axhline(result["checks per contact, events"][0], color="black", label="events")
    ax.set(xscale="log", yscale="log", xlabel="dt (mean free times)", ylabel="checks of a pair per contact",
           title=f"... and what it costs, with N = {N}")
    ax.legend(fontsize="small")


def _draw_missed(result: Result, ax: Any) -> None:
    way = result["way of a pair in a step (diameters)"]
    ax.set(xscale="log", yscale="log", xlabel="way of a pair in a step (diameters)", ylabel="share of contacts that is missed",
           title="Contacts that are missed")
    for scheme in ("overlap", "rollback"):
        marker, colour = MARKERS[scheme]
        ax.errorbar(way, result[f"missed, {scheme}"], result[f"error of missed, {scheme}"], fmt=marker, color=colour,
                    markersize=5, label=scheme)
        ax.plot(way, result[f"missed, {scheme}, by theory"], color=colour, linewidth=0.8, label=f"random chords, {scheme}")
    ax.xaxis.set_ticks(way, [f"{each:g}" for each in way])
    ax.xaxis.set_ticks([], minor=True)
    ax.legend(fontsize="small")
