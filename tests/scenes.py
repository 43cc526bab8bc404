"""What several test files share: systems to try things on, and ways to see that nothing has changed."""
from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import hdsim
from hdsim import Box, CollisionSystem, Particle

WALLS = Box()
TORUS = Box(1, 1, True)
CHANNEL = Box(2, 1, (True, False))


def gas(n: int = 40, seed: int = 1, box: Box = WALLS, radius: float = .03, **options) -> CollisionSystem:
    """n discs at temperature 1: about 10 n contacts in a unit of time."""
    return hdsim.random(n, radius=radius, temperature=1, seed=seed, box=box, **options)


def mixture(**options) -> CollisionSystem:
    """One heavy grain, points, light and fixed discs, in a channel."""
    discs = [Particle(1., .5, .3, -.1, .2, 50.), Particle(.25, .25, 0, 0, .1, math.inf),
             Particle(1.75, .75, .05, 0, .05, math.inf)]
    discs += [Particle(.1 + .09 * k, .05 + .02 * (k % 2), .3 * (-1) ** k, .7 - .02 * k, 0. if k % 3 else .02, .5 + k)
              for k in range(20)]
    return CollisionSystem(discs, box=CHANNEL, **options)


SCENES = {
    "walls": gas,
    "periodic": lambda **options: gas(box=TORUS, **options),
    "channel": lambda **options: gas(box=CHANNEL, **options),
    "mixture": mixture,
    "break": lambda **options: hdsim.load("billiards5", **options),
}


def state(system: CollisionSystem) -> dict:
    """Everything that can be seen of a system, bit for bit."""
    seen = {name: (getattr(system, name).tobytes(), getattr(system, name).shape)
            for name in ("positions", "unwrapped_positions", "velocities", "radii", "masses", "colors", "ids",
                         "collision_counts", "pair_counts", "wall_counts")}
    return seen | {"time": system.time, "hash": system.hash(), "box": system.box, "k_B": system.k_B,
                   "collisions": system.collisions, "statistics": system.statistics, "peek": system.peek(),
                   "schedule": system.schedule(5)}


def trajectory(system: CollisionSystem) -> tuple:
    """What two runs that did the same have in common, however they were cut in pieces."""
    return (system.hash(), system.time, system.positions.tobytes(), system.unwrapped_positions.tobytes(),
            system.velocities.tobytes(), system.collision_counts.tobytes())


@contextlib.contextmanager
def unchanged(system: CollisionSystem):
    """Nothing that can be seen of the system is different after the block."""
    before = state(system)
    yield
    assert state(system) == before


SET_HANDLER = signal.signal      # the real one, when a test has put its own in its place


@contextlib.contextmanager
def at_most(seconds: float):
    """TimeoutError in the block after so much time, where the platform has alarms: a run without end fails."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_):
        raise TimeoutError(f"no end within {seconds} s")

    before, began = SET_HANDLER(signal.SIGALRM, ring), time.monotonic()
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, .5)     # again and again: an error in a gc callback is lost
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        SET_HANDLER(signal.SIGALRM, before)
        if left > 0:        # the alarm of a block around this one
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - began), .01), again)


def interrupted(script: str, seconds: float) -> tuple[float, str]:
    """Run a script until it says that it is ready, send it SIGINT some seconds later: when (of `time.monotonic`, which is
    one clock for all processes), and all that it printed after that word. It must end well."""
    with subprocess.Popen([sys.executable, "-c", script], env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(seconds)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
        finally:
            process.kill()
    assert process.returncode == 0, err
    return sent, out


def environment() -> dict:
    """For another Python that imports the same hdsim."""
    source = str(Path(hdsim.__file__).parents[1])
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))}


def python(code: str, timeout: float = 20) -> str:
    """What a new process prints that runs this code; also where it might never come back."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment(), timeout=timeout,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Serial:
    """An executor that works at once, in order, in the calling thread."""

    submitted = 0

    def submit(self, work, *arguments):
        self.submitted += 1
        future = Future()
        try:
            future.set_result(work(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future
