"""Threads and Ctrl-C: the GIL is released, runs can be interrupted, and no state is corrupted."""
from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hammer import OPERATIONS, hammer
from scenes import SCENES, at_most, gas, interrupted, state, trajectory

from hdsim import CollisionSystem

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(30):
        yield


class Runner:
    """Runs `work` in a thread of its own, from entry to exit of the block; its result or error afterwards."""

    def __init__(self, work):
        self.work, self.result, self.error = work, None, None

    def __enter__(self):
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        time.sleep(.05)
        assert self.thread.is_alive(), self.error
        return self

    def _run(self):
        try:
            self.result = self.work()
        except BaseException as error:
            self.error = error

    def __exit__(self, *_):
        self.thread.join()


CALLS = {
    "simulate": lambda s: s.simulate(1e9), "step": lambda s: s.step(1.), "next_event": lambda s: s.next_event(),
    "events": lambda s: list(s.events(1e9)), "peek": lambda s: s.peek(), "positions": lambda s: s.positions,
    "velocities": lambda s: s.velocities, "unwrapped_positions": lambda s: s.unwrapped_positions,
    "collision_counts": lambda s: s.collision_counts, "temperature": lambda s: s.temperature, "indexing": lambda s: s[0],
    "schedule": lambda s: s.schedule(), "near": lambda s: s.near(0), "queue": lambda s: s.queue(), "copy": lambda s: s.copy(),
    "checkpoint": lambda s: s.checkpoint(), "edit": lambda s: s.edit().__enter__(), "add": lambda s: s.add(s[0]),
    "remove": lambda s: s.remove(0), "reverse": lambda s: s.reverse(), "on_timer": lambda s: s.on_timer(print, every=1.),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("with_callback", [False, True])
def test_a_second_thread_gets_an_error_never_corruption(with_callback):
    """Every call on a system that runs in another thread either returns or raises RuntimeError with a message; the run ends as
    without these calls."""
    system, twin = gas(200, radius=.01), gas(200, radius=.01)
    if with_callback:
        system.on_collision(lambda event: None)
    refused = set()
    wanted = {"simulate", "step", "next_event", "events"} if with_callback else set(CALLS)
    with Runner(lambda: system.simulate(max_events=200_000 if with_callback else 1_500_000)) as runner:
        deadline = time.monotonic() + .4
        while runner.thread.is_alive() and (time.monotonic() < deadline or not refused >= wanted):
            for name, call in CALLS.items():
                if with_callback and name in ("add", "remove", "reverse", "on_timer", "edit"):
                    continue        # between two callbacks they may succeed
                try:
                    call(system)
                except RuntimeError as error:
                    assert "running" in str(error), (name, error)
                    refused.add(name)
    assert runner.error is None and runner.result > 0
    assert refused >= wanted
    twin.simulate(max_events=200_000 if with_callback else 1_500_000)
    assert trajectory(system) == trajectory(twin)
    system._engine.check()


PAIRS = list(itertools.combinations_with_replacement(OPERATIONS, 2))


@pytest.mark.sample(1)
@pytest.mark.parametrize("first, third", list(enumerate(["edit", "add", "remove"])))
def test_three_threads_on_one_system(first, third):
    """Every pair of public operations, each beside one of three threads that exchange the discs: each call succeeds on one
    state of the system, or is refused with RuntimeError; the engine stays whole."""
    wrong = [(*pair, third, *lines) for k, pair in enumerate(PAIRS)
             if k % 3 == first and (lines := hammer((*pair, third), .002, seed=k))]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("third", ["edit", "add", "remove", "timers", "observe", "simulate"])
def test_three_threads_on_one_system_for_a_minute(third):
    """The same for longer, each pair beside each of more threads."""
    with at_most(300):
        wrong = [(*pair, third, *lines) for k, pair in enumerate(PAIRS) if (lines := hammer((*pair, third), .06, seed=k))]
    assert wrong == []


def test_a_system_is_not_changed_while_another_thread_runs_it():
    """Between two callbacks of a run another thread could slip in: it is refused, and the run goes on undisturbed."""
    system, twin = gas(), gas()
    inside, asked = threading.Event(), threading.Event()

    def wait(event):
        inside.set()
        assert asked.wait(10)

    system.on_collision(wait)
    with ThreadPoolExecutor() as pool:
        run = pool.submit(system.simulate, max_events=1)
        assert inside.wait(10)
        for change in (lambda: system.remove(0), lambda: system.add(system[0]), system.reverse,
                       lambda: system.edit().__enter__()):
            with pytest.raises(RuntimeError, match="running in another thread"):
                change()
        asked.set()
        run.result()
    twin.simulate(max_events=1)
    assert trajectory(system) == trajectory(twin)


def test_arrays_of_the_wrong_length_never_reach_the_memory_of_the_engine():
    """The bindings of the engine compare each array with the number of discs, and each disc with it."""
    engine = gas(10)._engine
    short, long = np.zeros((9, 2)), np.zeros((11, 2))
    for array in (short, long):
        n = len(array)
        for call in (engine.positions_at, engine.velocities, engine.unwrapped_positions, lambda a: engine.keys(a[:, 0].copy()),
                     lambda a: engine.counts(np.zeros(n, np.int64), True, True),
                     lambda a: engine.counters(np.zeros((n, 4), np.int64)),
                     lambda a: engine.raw_state(np.zeros((n, 7)), np.zeros((10, 4), np.int64)),
                     lambda a: engine.load(a, a, np.zeros(10), np.ones(10)),
                     lambda a: engine.predict_free_flight(np.zeros(1, np.intc), 1., np.zeros(n), np.zeros(10, np.intc)),
                     lambda a: engine.observe(0, 0, np.zeros(n, np.intc), 1, 0, 0., 0., True, False, 0, 0, 0, 0., np.zeros(0))):
            with pytest.raises(IndexError, match=f"has {n} rows; expected 10"):
                call(array)
    for call in (engine.disc, engine.near,
                 lambda i: engine.predict_free_flight(np.array([i], np.intc), 1., np.zeros(10), np.zeros(10, np.intc))):
        for i in (-1, 10):
            with pytest.raises(IndexError, match=f"disc {i} of 10"):
                call(i)
    engine.check()


def test_what_has_been_exchanged_can_be_read_but_not_run():
    """An engine whose discs were exchanged: a thread that still holds it is refused, not led astray."""
    system = gas(10)
    engine = system._engine
    system.remove(0)
    assert engine.retired and len(engine) == 10 and not system._engine.retired
    for call in (lambda: engine.run(3), engine.reverse, lambda: engine.add_timer(0, 1., True), engine.__enter__):
        with pytest.raises(RuntimeError, match="exchanged the discs"):
            call()
    system.simulate(max_events=5)
    system.check()


def test_the_check_says_what_is_wrong():
    """A system whose parts do not fit together is a RuntimeError with the reason."""
    system = gas(10)
    system.check()
    system._engine.colors = np.zeros((9, 3), np.uint8)
    with pytest.raises(RuntimeError, match=r"colors has shape \(9, 3\), for 10 discs"):
        system.check()
    system = gas(10)
    system._observers[0] = None
    with pytest.raises(RuntimeError, match="0 observers in the engine, 1 outside"):
        system.check()


def test_a_refused_call_changes_nothing():
    """After the errors of a second thread the system can be run, changed and timed as ever."""
    system = gas(200, radius=.01)
    with Runner(lambda: system.simulate(max_events=1_500_000)):
        for call in CALLS.values():
            with pytest.raises(RuntimeError, match="running"):
                call(system)
    assert len(system) == 200 and system.ids.tolist() == list(range(200))
    with pytest.raises(ValueError, match="nothing can stop the run"):
        system.simulate()
    system.remove(0)
    assert system.simulate(max_events=10) >= 10


def test_what_needs_no_lock_can_be_read_at_any_time():
    """time, hash, statistics, radii, masses, ids, length and repr: a progress bar may look."""
    system = gas(200, radius=.01)
    with Runner(lambda: system.simulate(max_events=500_000)) as runner:
        while runner.thread.is_alive():
            assert len(system) == 200 and len(system.hash()) == 16 and system.time >= 0 and "200 discs" in repr(system)
            assert system.statistics["events"] <= 500_000 and system.radii.shape == system.ids.shape == (200,)
            time.sleep(.005)
    assert runner.error is None


@pytest.mark.parametrize("verb", [lambda s: s.simulate(max_seconds=.4), lambda s: s.step(1e9, max_seconds=.4),
                                  lambda s: s.simulate(1e9, max_seconds=.4)])
def test_the_gil_is_released_while_a_run_goes_on(verb):
    """Another thread gets on with Python meanwhile."""
    system = gas(300, radius=.01)
    ticks = 0
    with Runner(lambda: verb(system)) as runner:
        while runner.thread.is_alive():
            time.sleep(.001)
            ticks += 1
    assert runner.error is None and ticks > 30


def test_many_systems_run_in_parallel_threads_as_they_would_alone():
    """Equal hashes, whatever runs beside them; more threads than cores."""
    makers = [(scene, n) for scene in SCENES for n in range(4)]

    def run(item):
        scene, n = item
        system = SCENES[scene]()
        system.simulate(max_events=100 * n)
        copy = system.copy()
        system.simulate(max_events=4000), copy.simulate(max_events=4000)
        assert trajectory(system) == trajectory(copy)
        return trajectory(system)

    serial = [run(item) for item in makers]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, makers)) == serial


def test_a_system_may_wander_from_thread_to_thread():
    """One after another is fine."""
    system, twin = gas(), gas()
    for k in range(1, 11):
        thread = threading.Thread(target=system.simulate, args=(k / 10,))
        thread.start(), thread.join()
        twin.simulate(k / 10)
    assert trajectory(system) == trajectory(twin)


VERBS = {
    "simulate": "system.simulate(1e9)",
    "step": "system.step(1e9)",
    "callbacks": "system.on_collision(lambda event: None); system.simulate(1e9)",
    "callbacks never called": "system.on_collision(print, kind='multi'); system.simulate(1e9)",
    "timers": "system.on_timer(lambda event: None, every=1e-4); system.simulate(1e9)",
    "events": "[None for event in system.events(1e9)]",
    "next_event": "any(system.next_event() is None for _ in iter(int, 1))",
    "all pairs": "system.simulate(1e9)",
    "nothing happens": "system.simulate(1e300)",
}
SCRIPT = """
import math, signal, sys, time
import hdsim
from hdsim import Box, CollisionSystem, Particle

def dense():
    return hdsim.random(3000, radius=.002, temperature=1, cells=(1, 1))

def lonely():
    # A disc and a fixed one, on orbits that never meet: crossings without end.
    return CollisionSystem([Particle(.5, .5, 1, 1, .05, 1), Particle(.5, .1, 0, 0, .05, math.inf)], box=Box(1, 1, True))

def usual():
    return hdsim.random(300, radius=.01, temperature=1, seed=1)

system = {"all pairs": dense, "nothing happens": lonely}.get("NAME", usual)()
print("ready", flush=True)
try:
    VERB
except KeyboardInterrupt:
    late = time.monotonic()
else:
    sys.exit("ended by itself")
assert system.time < 1e9
system._engine.check()
print(late, system.time.hex(), system.statistics["events"], system.hash(), flush=True)
"""


@pytest.mark.sample(3)
@posix
@pytest.mark.parametrize("verb", VERBS)
def test_control_c_stops_a_run_within_a_tenth_of_a_second(verb):
    """KeyboardInterrupt out of whatever runs; the system is whole, and stands at its last event: a run of as many events
    leads to the same bits. The best of three: a busy machine may make anything wait."""
    script = SCRIPT.replace("VERB", VERBS[verb]).replace("NAME", verb)
    allowed = .1 + .15 * (os.cpu_count() < 4)
    for _ in range(3):
        sent, out = interrupted(script, .2)
        late, now, events, seen = out.split()
        if float(late) - sent < allowed:
            break
    else:
        pytest.fail(f"stopped {float(late) - sent:.3f} s after Ctrl-C, three times late")
    if verb in ("simulate", "step", "callbacks", "events", "next_event"):
        import hdsim

        twin = hdsim.random(300, radius=.01, temperature=1, seed=1)
        twin.simulate(max_events=int(events))
        assert (twin.hash(), twin.time.hex()) == (seen, now)


@posix
def test_an_interrupted_run_goes_on_as_if_it_had_not_been():
    """Interrupt again and again in the same process, and get to the same end."""
    system, whole = gas(100), gas(100)
    until = 60.
    interrupts = 0

    def ring(*_):
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, ring)
    try:
        while system.time < until:
            signal.setitimer(signal.ITIMER_REAL, .03)
            try:
                system.simulate(until)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                interrupts += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    whole.simulate(until)
    assert trajectory(system) == trajectory(whole) and state(system) == state(whole) and interrupts >= 1


def test_max_seconds_stops_a_run_in_time():
    """Within a tenth of a second, at an event."""
    points = np.random.default_rng(0).random((2000, 2))
    for system in (gas(300, radius=.01), CollisionSystem.from_arrays(points, np.ones((2000, 2)), 0., cells=(1, 1))):
        begin = time.monotonic()
        system.simulate(1e9, max_seconds=.2)
        assert .15 < time.monotonic() - begin < .5
        assert 0 < system.time < 1e9
