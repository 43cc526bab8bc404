"""Every public operation of a system, to be called from several threads at once; as a program, for as long as one likes.

    python tests/hammer.py SECONDS      hammers all pairs of operations, so long in all

With a build of HDSIM_CFLAGS="-fsanitize=address", and LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0
before the command, every byte beyond an array is seen.
"""
from __future__ import annotations

import copy
import itertools
import pickle
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import hdsim
from hdsim import CollisionSystem, Particle

FOLDER = Path(tempfile.mkdtemp())


def move(system: CollisionSystem) -> None:
    """Edit: all discs change their speeds."""
    with system.edit() as draft:
        draft.velocities *= -1.01


def recolor(system: CollisionSystem) -> None:
    """An edit that lets the engine be."""
    with system.edit() as draft:
        draft.colors[:] = 7


def add(system: CollisionSystem) -> None:
    """Add a point, which may fall into a disc."""
    system.add(Particle(.5, .5, .1, .2, 0., 1.))


def remove(system: CollisionSystem) -> None:
    """Remove the last of many discs."""
    if len(system) > 20:
        system.remove(-1)


def in_order(system: CollisionSystem) -> None:
    """Timers come, go, and are gone again."""
    timer, redraw = system.on_timer(lambda event: None, every=.01), system.on_redraw(lambda event: None, every=.02)
    timer.cancel()
    redraw.cancel()
    redraw.cancel()


def subscribe(system: CollisionSystem) -> None:
    """A callback comes and goes."""
    system.on_collision(lambda event: None).cancel()


def watch(system: CollisionSystem) -> None:
    """An observer comes, is read, and goes."""
    observer = system.observe(hdsim.Pressure())
    try:
        assert observer.elapsed >= 0
        observer.reset()
    finally:
        while observer.attached:
            try:
                observer.detach()
            except RuntimeError:
                time.sleep(1e-4)


def unpickled(system: CollisionSystem) -> None:
    """What comes back from a pickle is whole."""
    pickle.loads(pickle.dumps(system)).check()


def twin(system: CollisionSystem) -> None:
    """A copy is whole, and runs."""
    other = copy.copy(system)
    other.step(.001)
    other.check()


def saved(system: CollisionSystem) -> None:
    """What comes back from a checkpoint is whole."""
    path = FOLDER / f"{threading.get_ident()}.npz"
    system.save(path)
    assert len(hdsim.load(path)) > 0


def rows(system: CollisionSystem) -> None:
    """Arrays of one call belong together."""
    frame = system.frame()
    assert len(frame.positions) == len(frame.velocities) == len(frame.ids) == len(frame.colors)


def events(system: CollisionSystem) -> None:
    """A few events, one by one."""
    for _ in itertools.islice(system.events(), 5):
        pass


def into(system: CollisionSystem) -> None:
    """Positions into an array of the right size, a moment ago."""
    out = np.empty((len(system), 2))
    try:
        system.advance_into(out)
        system.advance_into(out, at=system.time + 1e-9)
    except ValueError as error:
        assert "shape" in str(error) or "next contact" in str(error)


OPERATIONS = {
    "simulate": lambda s: s.simulate(max_events=20), "step": lambda s: s.step(.001), "next_event": lambda s: s.next_event(),
    "events": events, "peek": lambda s: s.peek(), "edit": move, "recolor": recolor, "add": add, "remove": remove,
    "reverse": lambda s: s.reverse(), "timers": in_order, "on_collision": subscribe, "observe": watch,
    "observers": lambda s: [o.elapsed for o in s.observers], "copy": twin, "pickle": unpickled, "save": saved,
    "checkpoint": lambda s: s.checkpoint(), "frame": rows, "configuration": lambda s: s.configuration(),
    "positions": lambda s: s.positions, "unwrapped": lambda s: s.unwrapped_positions, "velocities": lambda s: s.velocities,
    "advance_into": into, "radii": lambda s: s.radii, "masses": lambda s: s.masses, "colors": lambda s: s.colors,
    "ids": lambda s: s.ids, "counts": lambda s: s.collision_counts, "pair_counts": lambda s: s.pair_counts,
    "wall_counts": lambda s: s.wall_counts, "indexing": lambda s: s[-1], "iteration": lambda s: list(s),
    "energy": lambda s: s.kinetic_energy, "momentum": lambda s: s.momentum, "temperature": lambda s: s.temperature,
    "packing": lambda s: s.packing_fraction, "statistics": lambda s: s.statistics, "pair_checks": lambda s: s.pair_checks,
    "schedule": lambda s: s.schedule(3), "queue": lambda s: s.queue(5), "near": lambda s: s.near(0), "hash": lambda s: s.hash(),
    "sizeof": lambda s: sys.getsizeof(s), "repr": repr, "check": lambda s: s.check(),
}
OF_ARGUMENTS = ("would overlap", "before the present time", "disc -1 of", "does not observe")    # of IndexError and ValueError


def hammer(names: tuple[str, ...], seconds: float, seed: int = 1) -> list[str]:
    """Call these operations on one system, each again and again in a thread of its own; returns what went wrong. Each call may
    succeed, be refused by RuntimeError, or by the IndexError or ValueError of its own arguments."""
    system = hdsim.random(30, radius=.02, temperature=1, seed=seed)
    wrong = []
    end = time.monotonic() + seconds

    def work(name: str) -> None:
        while time.monotonic() < end and not wrong:
            try:
                OPERATIONS[name](system)
            except RuntimeError as error:
                if type(error) is not RuntimeError:
                    wrong.append(f"{name}: {error!r}")
            except (IndexError, ValueError) as error:
                if not any(text in str(error) for text in OF_ARGUMENTS):
                    wrong.append(f"{name}: {error!r}")
            except BaseException as error:
                wrong.append(f"{name}: {error!r}")

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    try:
        system.check()
        system.simulate(max_events=50)
        system.check()
    except Exception as error:
        wrong.append(f"afterwards: {error!r}")
    return wrong


def main(seconds: float) -> int:
    """Hammer all pairs of operations, with a third thread that edits, adds or removes; returns how many of them failed."""
    pairs = list(itertools.combinations_with_replacement(OPERATIONS, 2))
    failed = 0
    for k, pair in enumerate(pairs):
        for third in ("edit", "add", "remove"):
            for line in hammer((*pair, third), seconds / len(pairs) / 3, seed=k):
                failed += 1
                print(*pair, third, line, sep=" | ", flush=True)
    print(f"{len(pairs)} pairs, {failed} failures")
    return failed


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])) > 0)
