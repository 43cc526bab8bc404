"""Exercise 10: reverse all velocities, and measure how nearly the system returns in spite of rounding."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..language import tr
from ..system import CollisionSystem
from .replicas import jackknife
from .result import Check, Result
from .setting import Progress, fluid, opened, run_contacts, silent

N, ETA = 100, 0.3
STRETCHES, STRETCHES_QUICK = 24, 12     # stretches of one run; in each, velocities are reversed at many times
STRETCHES_MIN, DISCS = 4, 4800          # least number of stretches; their number times that of discs is at most DISCS
CONTACTS_MAX, STEP = 36, 0.5            # mean contacts of a disc before the reversal: the largest number, and the spacing
PUSH = 1e-12                            # sideways velocity that is added to one disc of the perturbed copy, over its speed
WINDOW = (1e-10, 1e-2)                  # diameters: in this range errors grow as exp(growth * contacts)
LAW = "that of a small push, which is the largest Lyapunov exponent"
# N = 100, packing fraction .3, periodic. Largest Lyapunov exponent per contact of each disc, by the exact tangent map of
# hard discs, which tests/lab/test_lab_lyapunov.py has: 1.195(6) and 1.178(6) with two seeds of 100 000 contacts.
KNOWN_GROWTH, KNOWN_GROWTH_ERROR = 1.186, 0.006
# An independent program, 8 seeds, ended between 25 and 30, which is a standard deviation of 5 / 2.85 (Tippett, Biometrika 17,
# 364, 1925), and an error of .6 of the mean. Programs differ by the order of their operations, and so by their rounding: a factor
# of 4 in it is log(4) / 1.186 = 1.2 contacts.
KNOWN_END, KNOWN_END_ERROR = 27.5, 1.3


def reverse(source: Any = None, *, quick: bool = False, seed: int | None = None, progress: Progress = silent) -> Result:
    """The error of the return after a reversal of velocities, against the number of contacts per disc before the reversal.

    Rounding errors grow on the way back as any small perturbation does: the growth of both is compared. A checkpoint, unlike
    the reversal, restores the start bit for bit. source: what `hdsim.load` takes, a system, or a number of discs (100) in a
    periodic box at packing fraction .3. ValueError if errors do not grow exponentially.
    """
    system = opened(source, seed, lambda n, seed: fluid(n, ETA, seed), N)
    stretches = max(min(STRETCHES_QUICK if quick else STRETCHES, DISCS // max(len(system), 1)), STRETCHES_MIN)
    contacts = STEP * np.arange(1.0, CONTACTS_MAX / STEP + 1)
    returned, pushed = np.empty((2, stretches, len(contacts)))
    for k in range(stretches):
        start = system.copy()
        returned[k], pushed[k] = _stretch(system, contacts, lambda share: progress((k + share) / stretches))
    growth, push = (_growth(contacts, errors) for errors in (returned, pushed))
    few = min(len(growth), len(push)) - 1
    checks = [
        Check("growth of the error per contact of each disc", growth.mean(),
              math.hypot(_error(growth), _error(push)), push.mean(), freedom=few),
        Check("error of the rewind by checkpoint", _rewind_error(start), 0.0, 0.0)]
    if source is None:
        checks += [Check("growth of a small push, against the exact tangent map", push.mean(), _error(push), KNOWN_GROWTH,
                         KNOWN_GROWTH_ERROR, freedom=few),
                   Check("contacts until all is lost", *_end(contacts, returned), KNOWN_END, KNOWN_END_ERROR,
                         freedom=stretches - 1)]
    columns = {"contacts of each disc": contacts}
    for what, errors in (("the return", returned), ("the push", pushed)):
        logs = np.log(errors)
        columns |= {f"{what}: geometric mean (diameters)": np.exp(logs.mean(axis=0)),
                    f"{what}: scatter factor": np.exp(logs.std(axis=0, ddof=1))}
    return Result("reverse", tuple(checks), tr(LAW), columns, (_draw,))


def _stretch(system: CollisionSystem, contacts: np.ndarray, progress: Progress) -> tuple[list[float], list[float]]:
    """The errors of the return, and the distances of a perturbed copy, after each of these numbers of contacts per disc. The
    system itself runs through the whole stretch."""
    start, twin, begin = system.unwrapped_positions, _pushed(system), system.time
    first = system.statistics["pair_contacts"]
    returned, distances = [], []
    for c in contacts:
        run_contacts(system, first + math.ceil(c * len(system) / 2))
        back = system.copy()
        back.reverse()
        back.step(system.time - begin)
        twin.simulate(until=system.time)
        returned.append(_distance(system, back.unwrapped_positions - start))
        distances.append(_distance(system, twin.unwrapped_positions - system.unwrapped_positions))
        progress(c / CONTACTS_MAX)
    return returned, distances


def _pushed(system: CollisionSystem) -> CollisionSystem:
    """A copy in which the fastest disc has an additional sideways velocity, PUSH times its speed."""
    twin = system.copy()
    with twin.edit() as draft:
        vx, vy = draft.velocities.T
        i = int(np.argmax(np.where(np.isfinite(draft.masses), vx * vx + vy * vy, -1.0)))
        draft.velocities[i] += PUSH * np.array([-vy[i], vx[i]])
    return twin


def _distance(system: CollisionSystem, difference: np.ndarray) -> float:
    """The largest displacement among the discs, each in its own diameters; at least 1e-18, so that it has a logarithm.

    difference: (n, 2)."""
    return float(max((np.hypot(*difference.T) / (2 * np.maximum(system.radii, 1e-300))).max(), 1e-18))


def _growth(contacts: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """The slope of log(error) between the two ends of the window, for each stretch that has three points there."""
    slopes = []
    for row in errors:
        first = int(np.argmax(row > WINDOW[0])) if (row > WINDOW[0]).any() else len(row)
        last = int(np.argmax(row > WINDOW[1])) if (row > WINDOW[1]).any() else len(row)
        if last - first >= 3:
            slopes.append(np.polyfit(contacts[first:last], np.log(row[first:last]), 1)[0])
    if len(slopes) < 2:
        raise ValueError(f"errors do not grow from {WINDOW[0]:g} to {WINDOW[1]:g} diameters within {CONTACTS_MAX} "
                         "contacts of each disc, or too fast to be seen: not chaotic, too dense or too thin")
    return np.array(slopes)


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values)))


def _end(contacts: np.ndarray, errors: np.ndarray) -> tuple[float, float]:
    """The number of contacts at which the geometric mean of the error passes one diameter, infinity if it does not, and its
    standard error from the stretches."""
    def passed(logs: np.ndarray) -> float:
        k = int(np.argmax(logs > 0))
        return float(np.interp(0.0, logs[k - 1:k + 1], contacts[k - 1:k + 1])) if k else math.inf

    logs = np.log(errors)
    value, error = jackknife(logs, passed)
    return value, error if math.isfinite(error) else math.inf


def _rewind_error(system: CollisionSystem) -> float:
    """The largest difference between two runs from the same checkpoint; infinite if their contacts differ."""
    arrays, data = system.checkpoint()
    system.simulate(max_events=CONTACTS_MAX * len(system) // 2)
    again = CollisionSystem.from_checkpoint(arrays, data)
    again.simulate(max_events=CONTACTS_MAX * len(system) // 2)
    same = again.hash() == system.hash()
    return float(np.abs(again.positions - system.positions).max()) if same else math.inf


def _draw(result: Result, ax: Any) -> None:
    contacts, growth = result["contacts of each disc"], result.theory
    for what, marker in (("the return", "o"), ("the push", "s")):
        mean, scatter = result[f"{what}: geometric mean (diameters)"], result[f"{what}: scatter factor"]
        label = "error of the return" if what == "the return" else f"distance after a push of {PUSH:g}"
        ax.errorbar(contacts, mean, yerr=(mean - mean / scatter, mean * scatter - mean), fmt=marker, markersize=4,
                    linewidth=0.7, label=label)
    middle = len(contacts) // 3
    mean = result["the return: geometric mean (diameters)"]
    line = mean[middle] * np.exp(growth * (contacts - contacts[middle]))
    ax.plot(contacts, line, color="black", linewidth=0.9, label=f"exp({growth:.2f} c)")
    ax.axhline(1.0, color="grey", linewidth=0.7, linestyle="--")
    ax.set(yscale="log", ylim=(1e-17, 1e3), xlabel="contacts of each disc before the turn, c",
           ylabel="error of the farthest disc (diameters)", title="How far back? Rounding grows as any push does")
    ax.legend(fontsize="small")
