"""The runs that `fingerprints.py` compares: each has a name, and does the same every time, by the public interface alone.

    import fingerprint_runs
    for run in fingerprint_runs.all_runs():
        seen = run.do()

`do` returns what is to be compared, by names: systems, arrays, numbers, texts. A `Cost` is what depends on settings for speed
and on the processor. Add runs at will; a run that changes gets another name.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scenes
from middle_runs import MIDDLES
from random_starts import random_start
from scenes import Scene

import hdsim
from hdsim import Box, CollisionSystem, datasets, states, textbook, timestep

Seen = dict[str, Any]

SIZES = {1_000: 200_000, 10_000: 500_000, 100_000: 1_000_000}     # discs of a scene, and events of its run
FRACTIONS = (0.1, 0.4, 0.7)
RANDOM, RANDOM_EVENTS = 200, 20_000
DATA_SET_TIME, DATA_SET_EVENTS = 1e4, 30_000        # time units
MIDDLE_EVENTS = 4_000       # before the middle of a run, and after it
SETTING_EVENTS = 40_000
SETTINGS: dict[str, dict[str, Any]] = {
    "heap": {"queue": "heap"}, "no vectors": {"vectors": False}, "heap, no vectors": {"queue": "heap", "vectors": False},
    "sequential": {"collisions": "sequential"}, "1 x 1 cells": {"cells": (1, 1)}, "2 x 3 cells": {"cells": (2, 3)},
    "3 x 2 cells, heap, no vectors, sequential": {"cells": (3, 2), "queue": "heap", "vectors": False, "collisions": "sequential"},
}


class Run(NamedTuple):
    """A run by its name. quick: whether it is among the few that take seconds."""

    name: str
    do: Callable[[], Seen]
    quick: bool


def all_runs() -> list[Run]:
    """All of them, always in one order; no two have one name."""
    families = (data_sets, scene_runs, random_runs, setting_runs, middle_runs, growth_runs, special_runs, timestep_runs,
                textbook_runs)
    return [run for family in families for run in family()]


def ran(system: Any, **limits: Any) -> Seen:
    """The system after `simulate` with these limits; or when discs have jammed, and which."""
    return until_jammed(system, lambda: system.simulate(**limits))


def until_jammed(system: Any, run: Callable[[], Any]) -> Seen:
    """The system after a run of it; or when discs have jammed, and which."""
    try:
        run()
    except hdsim.JammedError as error:
        return {"end": system, "jammed": error.particles}
    return {"end": system}


# Starts

def data_sets() -> Iterator[Run]:
    """Every data set, made anew."""
    def run(name: str) -> Seen:
        system = CollisionSystem.from_configuration(datasets.generate(name))
        return ran(system, until=DATA_SET_TIME, max_events=DATA_SET_EVENTS)

    for number, name in enumerate(datasets.names()):
        yield Run(f"data set {name}", partial(run, name), number % 4 == 0)


def scene_runs() -> Iterator[Run]:
    """Every scene of the benchmarks, small, middling and large; gases between walls too."""
    def run(scene: Scene, events: int) -> Seen:
        return ran(scenes.build(scenes.arrays(scene)), max_events=events)

    families = [family for family in scenes.FAMILIES if family not in ("gas", "galperin")]
    for n, events in SIZES.items():
        chosen = (scenes.choose(families, [n], []) + scenes.choose(["gas"], [n], FRACTIONS)
                  + scenes.choose(["gas"], [n], FRACTIONS, walls=True))
        for number, scene in enumerate(chosen):
            yield Run(f"scene {scene}", partial(run, scene, events), n == 1_000 and number % 3 == 0)
    yield Run("scene galperin", partial(run, Scene("galperin"), 1_000_000), False)


def random_runs() -> Iterator[Run]:
    """Random systems of every sort, with random settings."""
    def run(number: int) -> Seen:
        start = random_start(number)
        system = start.system()
        return until_jammed(system, lambda: system.step(start.span, max_events=RANDOM_EVENTS))

    for number in range(RANDOM):
        yield Run(f"random {number}", partial(run, number), number < 40)


def setting_runs() -> Iterator[Run]:
    """Systems of every sort under each of the settings; settings for speed must change nothing but the statistics."""
    def run(scene: Scene, options: dict[str, Any]) -> Seen:
        return ran(scenes.build(scenes.arrays(scene), **options), max_events=SETTING_EVENTS)

    number = 0
    for scene in (Scene("gas", 900, 0.4), Scene("gas", 600, 0.7, True), Scene("crowd", 300), Scene("powerlaw", 500),
                  Scene("binary100", 1000), Scene("brownian"), Scene("billiards5"), Scene("diffusion")):
        for word, options in {"default": {}, **SETTINGS}.items():
            number += 1
            yield Run(f"settings {scene}: {word}", partial(run, scene, options), number % 5 == 0)
    for cells in ((1, 40), (20, 15), (40, 30)):
        scene = Scene("gas", 5_000, 0.3)
        yield Run(f"settings {scene}: {cells[0]} x {cells[1]} cells", partial(run, scene, {"cells": cells}), False)


# In the middle of a run

def mixture(n: int = 120) -> CollisionSystem:
    """A channel with a heavy grain, fixed discs, points, and light discs of several sizes, on a lattice."""
    rng = np.random.default_rng(n)
    sites = np.column_stack((np.arange(n) % 15, np.arange(n) // 15)) + 0.5
    radii = np.where(np.arange(n) % 7 == 0, 0.0, rng.choice([0.1, 0.2, 0.45], n))
    masses = np.where(np.arange(n) % 11 == 3, np.inf, rng.choice([0.25, 1.0, 8.0], n))
    velocities = np.where(np.isinf(masses)[:, None], 0.0, rng.standard_normal((n, 2)))
    return CollisionSystem.from_arrays(np.append(sites, [[7.5, 9.5]], axis=0), np.append(velocities, [[0.1, -0.2]], axis=0),
                                       np.append(radii, 1.4), np.append(masses, 1000.0), box=Box(15, 11, (True, False)))


def rows() -> CollisionSystem:
    """Equal discs in rows, in a periodic box, that move along them by whole numbers: contacts of three come at one instant."""
    rng = np.random.default_rng(64)
    sites = np.column_stack((np.arange(64) % 8, np.arange(64) // 8)) + 0.5
    velocities = np.column_stack((rng.integers(-1, 2, 64), np.zeros(64)))
    return CollisionSystem.from_arrays(sites, velocities, 0.25, box=Box(8, 8, (True, True)))


def middle_runs() -> Iterator[Run]:
    """Runs that are cut, watched, copied, stored, edited or turned round when half of them is done."""
    bases: dict[str, Callable[[], CollisionSystem]] = {
        "gas": lambda: scenes.build(scenes.gas(400, 0.4)), "dense": lambda: scenes.build(scenes.gas(200, 0.7, True)),
        "crowd": lambda: scenes.build(scenes.crowd(100, 0.5)), "mixture": mixture,
        "rows": rows, "break": lambda: scenes.build(scenes.data_set("billiards5")),
    }

    def run(base: str, middle: Callable[[CollisionSystem, int], Seen]) -> Seen:
        system = bases[base]()
        system.simulate(max_events=MIDDLE_EVENTS)
        return middle(system, MIDDLE_EVENTS)

    for number, (word, middle) in enumerate(MIDDLES.items()):
        for place, base in enumerate(bases):
            yield Run(f"middle {base}: {word}", partial(run, base, middle), (number + place) % len(bases) == 0)


# Growing discs

def growth_runs() -> Iterator[Run]:
    """Initial states: discs that grow while they move, random sequential addition, lattices; and where there is no room."""
    channel, wide = Box(2, 1, (True, False)), Box(3.0 * 2.0**80, 2.0**80)
    ratios = 1.0 / (1.0 + np.arange(150) % 9)

    def made(make: Callable[[], states.State]) -> Seen:
        try:
            state = make()
        except hdsim.PackingError as error:
            return {"reached": error.reached, "positions": error.state.positions, "radii": error.state.radii}
        system = state.system(seed=5)
        return {"positions": state.positions, "radii": state.radii, "start": system.velocities, **ran(system, max_events=5_000)}

    grown: dict[str, Callable[[], states.State]] = {
        "50 to .6": lambda: states.compressed(50, 0.6, 1), "200 to .7": lambda: states.compressed(200, 0.7, 2),
        "200 to .8": lambda: states.compressed(200, 0.8, 3, rate=0.1),
        "200 to .6 between walls": lambda: states.compressed(200, 0.6, 4, box=Box()),
        "300 in a channel": lambda: states.compressed(300, 0.65, 5, box=channel, rate=0.1),
        "mixture": lambda: states.compressed(ratios, 0.7, 6, rate=0.1),
        "mixture in a wide box": lambda: states.compressed(ratios, 0.6, 7, box=wide, rate=0.1),
        "2000 to .6": lambda: states.compressed(2000, 0.6, 8, rate=0.1),
        "jammed": lambda: states.compressed(60, 0.895, 9, rate=1.0),
        "added": lambda: states.sequential_addition(1000, 0.5, 10),
        "added mixture": lambda: states.sequential_addition(ratios, 0.45, 11),
        "added between walls": lambda: states.sequential_addition(200, 0.45, 12, box=channel),
        "added until saturated": lambda: states.sequential_addition(150, 0.6, 13),
        "triangular": lambda: states.triangular(480, 0.75),
    }
    for number, (word, make) in enumerate(grown.items()):
        yield Run(f"growth {word}", partial(made, make), number % 3 == 0)


# What has no family

def special_runs() -> Iterator[Run]:
    """Few discs, none, late clocks, jams, images, discs at random places at a temperature."""
    inf = math.inf

    def discs(*rows: tuple[float, ...], **options: Any) -> CollisionSystem:
        x, y, vx, vy, radii, masses = np.array(rows).T if rows else np.empty((6, 0))
        return CollisionSystem.from_arrays(np.column_stack((x, y)), np.column_stack((vx, vy)), radii, masses, **options)

    def next_events(system: CollisionSystem) -> Seen:
        return until_jammed(system, lambda: [system.next_event() for _ in range(20)])

    def late() -> Seen:
        start = scenes.gas(200, 0.4)
        system = CollisionSystem.from_arrays(**start, time=1e15)
        for _ in range(100):
            system.step(0.01)
        return {"end": system}

    def with_images() -> Seen:
        turns = np.arange(400).reshape(200, 2) - 150.0
        return ran(CollisionSystem.from_arrays(**scenes.gas(200, 0.2), images=turns, time=-2.5), until=20.0)

    torus = Box(1, 1, (True, True))
    squeezed = [(.1, .5, 1., 0., .1, inf), (.5, .5, 0., 0., .1, 1.), (.9, .5, -1., 0., .1, inf)]
    runs: dict[str, Callable[[], Seen]] = {
        "no disc": lambda: next_events(discs()), "one disc": lambda: ran(discs((.2, .3, .7, -.4, .05, 1.)), until=1e4),
        "one point on a torus": lambda: ran(discs((.2, .3, .7, -.4, 0., 1.), box=torus), until=1e4),
        "nothing left to happen": lambda: next_events(discs((.2, .5, -1., 0., .1, 1.), (.7, .5, -1., 0., .1, 1.), box=torus)),
        "a disc between two driven ones": lambda: ran(discs(*squeezed), until=10.0, max_events=10_000),
        "a driven disc against a wall": lambda: ran(discs((.3, .5, -1., 0., .1, inf), (.1, .5, 0., 0., .1, 1.)), until=5.0,
                                                    max_events=10_000),
        "a late clock": late, "images": with_images,
        "random 300": lambda: ran(hdsim.random(300, seed=3, temperature=1.0), max_events=20_000),
        "random dense": lambda: ran(hdsim.random(200, radius=0.0325, seed=4, temperature=2.0), max_events=10_000),
        "random on a torus": lambda: ran(hdsim.random(500, seed=5, box=torus, k_B=1.38), max_events=20_000),
        "a file": lambda: ran(hdsim.load("p100-2K"), until=2e3),
    }
    for number, (word, run) in enumerate(runs.items()):
        yield Run(f"special {word}", run, number % 2 == 0)


# Other engines

def timestep_runs() -> Iterator[Run]:
    """The time-stepping engine, by every scheme; cut, copied and reversed in the middle; and held against the exact one."""
    bases = {"break": scenes.data_set("billiards5"), "gas": scenes.gas(60, 0.4, True), "brownian": scenes.data_set("brownian2")}
    steps = {"break": (0.02, 200.0), "gas": (0.01, 3.0), "brownian": (0.05, 10.0)}      # dt and end, time units

    def written(event: Any) -> str:
        """An event as text, without the fields that version 0.1 did not have."""
        return repr(event).replace(", obstacle=None, feature=None", "")

    def run(base: str, scheme: str) -> Seen:
        dt, end = steps[base]
        system = timestep.TimeDrivenSystem(scenes.build(bases[base]), dt, scheme)
        times: list[str] = []
        system.on_timer(lambda event: times.append(event.time.hex()), every=end / 7)
        system.on_collision(lambda event: times.append(written(event)), kind="pair")
        system.simulate(until=0.37 * end)
        copy = system.copy()
        system.simulate(until=end, max_events=2_000)
        copy.reverse()
        copy.simulate(until=0.6 * end)
        return {"end": system, "copy": copy, "overlap": system.deepest_overlap, "copy overlap": copy.deepest_overlap,
                "called": times, "next": written(copy.peek())}

    def compared(base: str) -> Seen:
        dt, end = steps[base]
        found = timestep.compare(scenes.build(bases[base]), dt, "rollback", end / 10)._asdict()
        return {key: value for key, value in found.items() if "seconds" not in key and key != "exact_checks"}

    for base in bases:
        for scheme in timestep.SCHEMES:
            yield Run(f"time steps {base}: {scheme}", partial(run, base, scheme), base == "break")
        yield Run(f"time steps {base}: compared", partial(compared, base), base == "break")


def textbook_runs() -> Iterator[Run]:
    """The book's own loop in plain Python."""
    def run(name: str, end: float) -> Seen:
        start = scenes.data_set(name)
        box = start.pop("box")
        system = textbook.CollisionSystem.from_arrays(*start.values(), width=box.width, height=box.height)
        times: list[float] = []
        system.on_redraw(lambda event: times.append(event.time), every=end / 9)
        system.simulate(until=end / 2)
        system.reverse()
        system.simulate(until=end)
        return {"time": system.time, "positions": np.array(system.positions), "velocities": np.array(system.velocities),
                "redraws": np.array(times), "statistics": f"{system.statistics}"}

    for name, end in (("billiards5", 100.0), ("p10", 1000.0), ("squeeze", 2000.0), ("p100-2K", 200.0)):
        yield Run(f"textbook {name}", partial(run, name, end), name == "billiards5")
