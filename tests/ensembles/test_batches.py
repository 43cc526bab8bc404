"""Sweeps in batches and in parts: many short replicas, few files and few calls at one time, the same bits; discs, spheres, and
balls of other spaces. Independent of them: sweeps whose replicas run one by one, and systems run by hand."""
from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scenes import Serial, at_most

import hdsim
from hdsim import ReplicaError, spaces

FEW = {"radius": [.05, .08]}
SHORT = {"warm_up": .2, "until": 2.}
CUBE = hdsim.Box(1, 1, depth=1, periodic=True)


def few(seed, radius):
    return hdsim.random(5, radius=radius, temperature=1., mass=1., seed=seed)


def spheres(seed, n=30):
    return hdsim.random(n, radius=.05, temperature=1., mass=1., seed=seed, box=CUBE)


def squares(seed, n=9):
    """A gas of squares in a periodic box, of speeds that differ."""
    rng = np.random.default_rng(seed)
    places = np.stack(np.meshgrid(*[(np.arange(3) + .5) / 3] * 2), -1).reshape(-1, 2)[:n]
    return spaces.Gas(spaces.Norm(np.inf), places, rng.normal(size=places.shape), .07, periodic=(1, 1))


class Watched:
    """Threads, which count the calls that have been submitted and not yet finished."""

    def __init__(self, pool):
        self.pool, self.submitted, self.now, self.most, self.lock = pool, 0, 0, 0, threading.Lock()

    def submit(self, work, *arguments):
        with self.lock:
            self.submitted += 1
            self.now += 1
            self.most = max(self.most, self.now)
        future = self.pool.submit(work, *arguments)
        future.add_done_callback(self.finished)
        return future

    def finished(self, future):
        with self.lock:
            self.now -= 1


@pytest.fixture(scope="module")
def one_by_one():
    return hdsim.sweep(few, FEW, 150, "pressure", **SHORT, executor=Serial())


@pytest.mark.sample(1)
@pytest.mark.parametrize("batch, calls", [(1, 300), (7, 43), (300, 1), (1000, 1)])
def test_a_batch_changes_no_bit_and_needs_few_calls_and_files(batch, calls, one_by_one, tmp_path):
    """300 replicas: the table of single ones, one file a batch, no more calls at one time than the window has."""
    reported = []
    with ThreadPoolExecutor(3) as pool:
        executor = Watched(pool)
        found = hdsim.sweep(few, FEW, 150, "pressure", **SHORT, executor=executor, batch=batch, window=6, checkpoint_dir=tmp_path,
                            progress=lambda *now: reported.append(now))
    assert found.rows.tobytes() == one_by_one.rows.tobytes() and found.rows.dtype == one_by_one.rows.dtype
    assert executor.submitted == len(list(tmp_path.iterdir())) == calls and executor.most == min(6, calls)
    assert reported[-1] == (300, 300) and len(reported) == calls
    assert found.averages().rows.tobytes() == one_by_one.averages().rows.tobytes()


@pytest.mark.more
def test_another_batch_or_grid_reads_what_is_there(one_by_one, tmp_path):
    """Batches of 40, then of 9 with more seeds and values: only what is new is run, and nothing is run twice."""
    def run(parameters, seeds, batch):
        executor = Serial()
        return hdsim.sweep(few, parameters, seeds, "pressure", **SHORT, executor=executor, batch=batch,
                           checkpoint_dir=tmp_path), executor.submitted

    found, calls = run(FEW, 100, 40)
    assert calls == 5 and len(found) == 200
    found, calls = run(FEW, 150, 9)
    assert calls == 12 and found.rows.tobytes() == one_by_one.rows.tobytes()        # the last of 100 new ones is alone
    assert run({"radius": [.08, .05]}, range(3, 150), 1)[1] == 0
    assert run({"radius": [.08, .06]}, 150, 150)[1] == 1
    assert run({"radius": [.05], }, [2**40], 1)[1] == 1


@pytest.mark.more
def test_parts_together_are_the_whole(one_by_one, tmp_path):
    """As array tasks run them: each has every third replica, in its own table; the whole then reads all rows."""
    parts = [hdsim.sweep(few, FEW, 150, "pressure", **SHORT, part=(k, 3), batch=20, checkpoint_dir=tmp_path) for k in range(3)]
    for k, part in enumerate(parts):
        assert part.rows.tobytes() == one_by_one.rows[k::3].tobytes()
    executor = Serial()
    whole = hdsim.sweep(few, FEW, 150, "pressure", **SHORT, executor=executor, checkpoint_dir=tmp_path)
    assert executor.submitted == 0 and whole.rows.tobytes() == one_by_one.rows.tobytes()
    means = hdsim.sweep(few, FEW, 4, "pressure", **SHORT, part=(1, 3)).averages()
    assert means["radius"].tolist() == [.05, .08] and means["replicas"].tolist() == [1, 2]
    rows = one_by_one.rows[[150, 153]]      # at the second point, seeds 0 and 3
    assert means["pressure"][1] == pytest.approx(np.average(rows["pressure"], weights=rows["elapsed"]), rel=1e-12)
    assert means["contacts"].tolist() == [one_by_one["contacts"][1], rows["contacts"].sum()]


def marked(seed, radius, marks):
    """As few, with a run that takes longer; leaves a mark with the process in which it was made."""
    Path(marks, f"{seed}-{os.getpid()}-{time.monotonic_ns()}").touch()
    return hdsim.random(40, radius=radius, temperature=1., mass=1., seed=seed)


@pytest.mark.more
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_batch_goes_on_where_it_was(tmp_path):
    """kill -9 in the middle of a batch: its finished replicas are not made again, nor the one that was running."""
    for name in ("marks", "others"):
        (tmp_path / name).mkdir()
    grid, limits = {"radius": [.02], "marks": [str(tmp_path / "marks")]}, {"until": 300., "batch": 6}

    def kill():
        while len(list((tmp_path / "marks").iterdir())) < 3 or not list((tmp_path / "files").glob("*.npz")):
            time.sleep(.005)
        time.sleep(.1)
        os.kill(int(next((tmp_path / "marks").iterdir()).name.split("-")[1]), signal.SIGKILL)

    spawn = partial(ProcessPoolExecutor, 1, multiprocessing.get_context("spawn"))
    with at_most(60), spawn() as pool:
        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(ReplicaError, match=r"radius 0.02, .*, seed 0 to radius 0.02, .*, seed 5: BrokenProcessPool"):
            hdsim.sweep(marked, grid, 12, "pressure", executor=pool, checkpoint_dir=tmp_path / "files", interval=.02, **limits)
        killer.join()
    made = len(list((tmp_path / "marks").iterdir()))
    with spawn() as pool:
        found = hdsim.sweep(marked, grid, 12, "pressure", executor=pool, checkpoint_dir=tmp_path / "files", **limits)
    assert 3 <= made < 12 and len(list((tmp_path / "marks").iterdir())) <= 13      # at most one was too young for a state
    whole = hdsim.sweep(marked, grid | {"marks": [str(tmp_path / "others")]}, 12, "pressure", **limits)
    assert [row[2:] for row in found.rows.tolist()] == [row[2:] for row in whole.rows.tolist()]


def test_a_failure_keeps_the_rows_of_its_batch(tmp_path):
    """The error names the replica; when the reason is gone, the others are not run again."""
    made = []

    def make(seed, radius):
        made.append(seed)
        if seed == 7 and not (tmp_path / "mended").exists():
            raise LookupError("seven")
        return few(seed, radius)

    run = partial(hdsim.sweep, make, {"radius": [.05]}, 10, "pressure", **SHORT, executor=Serial(), batch=10,
                  checkpoint_dir=tmp_path / "files")
    with pytest.raises(ReplicaError, match="radius 0.05, seed 7: LookupError: seven") as caught:
        run()
    assert caught.value.seed == 7 and made == list(range(8))
    (tmp_path / "mended").touch()
    assert len(run()) == 10 and made == [*range(8), 7, 8, 9]


def test_different_columns_in_one_batch_are_refused():
    """As those of different batches are."""
    with pytest.raises(ReplicaError, match="read gave the replicas different columns"):
        hdsim.sweep(few, FEW, 2, "pressure", **SHORT, batch=4, read=lambda system, pressure: {f"x{system.hash()}": 1.})


class Breaks(Serial):
    """An executor that takes two calls, and then no more."""

    def submit(self, work, *arguments):
        if self.submitted == 2:
            raise OSError("closed")
        return super().submit(work, *arguments)


def test_an_executor_that_takes_no_more_ends_the_sweep(tmp_path):
    """Its error comes out, after the rows of the calls before are in their files."""
    with at_most(20), pytest.raises(OSError, match="closed"):
        hdsim.sweep(few, FEW, 5, "pressure", **SHORT, executor=Breaks(), window=1, batch=2, checkpoint_dir=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("options, error, message", [
    ({"batch": 0}, ValueError, "batch is 0; it must be at least 1"),
    ({"batch": 1.5}, TypeError, "batch is 1.5; it must be an integer"),
    ({"window": -1}, ValueError, "window is -1; it must be at least 1"),
    ({"part": 3}, TypeError, r"part is 3; it must be \(i, n\), two integers"),
    ({"part": (0, 1, 2)}, TypeError, r"part is \(0, 1, 2\); it must be \(i, n\)"),
    ({"part": ("0", "3")}, TypeError, r"part is \('0', '3'\); it must be \(i, n\), two integers"),
    ({"part": (3, 3)}, ValueError, r"part is \(3, 3\); of n parts, i is from 0 to n - 1"),
    ({"part": (-1, 3)}, ValueError, "i is from 0 to n - 1"),
    ({"part": (4, 9)}, ValueError, r"part is \(4, 9\), and has none of the 4 replicas; make fewer parts"),
])
def test_wrong_batches_and_parts_are_explained(options, error, message):
    with pytest.raises(error, match=message):
        hdsim.sweep(few, FEW, 2, "pressure", **SHORT, **options)


# Three dimensions, other spaces

@pytest.mark.parametrize("make", [spheres, squares])
def test_ensembles_of_spheres_and_of_other_spaces(make):
    """Each replica is the run made by hand; the mean, theory among it, is that of its observers."""
    runs = hdsim.ensemble(make, 4, [hdsim.Pressure(), hdsim.CollisionRates(), hdsim.Speed()], warm_up=1., until=6.)
    for seed, observers in enumerate(runs):
        system = make(seed)
        system.simulate(1.)
        pressure = system.observe("pressure")
        system.simulate(6.)
        assert system.hash() == runs.hashes[seed] and pressure.value == observers[0].value
    pressure = runs.averages[0]
    assert pressure.value == pytest.approx(np.mean(pressure.values), rel=1e-12)
    assert pressure.theory == pytest.approx(np.mean([one[0].theory for one in runs]), rel=1e-12)
    assert abs(pressure.value - pressure.theory) < 5 * pressure.error
    again, = hdsim.ensemble(make, 4, runs[0][0], warm_up=1., until=6.).averages
    assert again.value == pressure.value


@pytest.mark.parametrize("make", [spheres, squares])
def test_sweeps_of_spheres_and_of_other_spaces(make, tmp_path):
    """In threads, in batches with files, taken up again and again in the middle: the same bits."""
    grid, limits = {"n": [5, 9]}, {"warm_up": 3., "until": 30.}
    plain = hdsim.sweep(make, grid, 3, ["pressure", "free path"], **limits)
    assert len(plain) == 6 and (plain["pressure"] > 0).all()

    from hdsim.ensembles import batches

    class StopsAfter:
        def __init__(self, looks):
            self.looks = looks

        @property
        def asked(self):
            self.looks -= 1
            return self.looks < 0

        @asked.setter
        def asked(self, value):
            raise AssertionError("no replica may fail")

    orders = batches.Orders(make, [hdsim.Pressure(), hdsim.FreePath()], None, batches.Plan(3., 30., None), 1e-3)
    tasks = tuple(batches.Task({"n": 9}, seed, seed) for seed in range(3))
    rows, sessions = None, 0
    while rows is None and sessions < 1000:
        rows, sessions = batches.run_batch(batches.Batch(tasks, tmp_path / "b.npz", {}), orders, StopsAfter(4)), sessions + 1
    assert sessions > 3 and repr(rows.values) == repr([list(row)[2:] for row in plain.rows.tolist()[3:]])
    kept = hdsim.sweep(make, grid, 3, ["pressure", "free path"], **limits, batch=4, checkpoint_dir=tmp_path)
    assert kept.rows.tobytes() == plain.rows.tobytes()


def test_what_a_space_does_not_have_says_so():
    """An observer of discs for a gas; a space of one's own, which observers do not know."""
    with pytest.raises(ReplicaError, match="seed 0: ValueError: RegionFractions observes discs in a box; a gas has Pressure, "):
        hdsim.ensemble(squares, 1, hdsim.RegionFractions([(0, 0, 1, 1)], every=.1), until=1., executor=Serial())
    with pytest.raises(ReplicaError, match="seed 0: ValueError: the pressure of a gas is measured where all axes are periodic"):
        hdsim.ensemble(lambda seed: spaces.Gas(spaces.Sphere(), np.eye(3)[:2], [[0, 1.4, 0], [0, 0, 1]], .2), 1, "pressure",
                       until=1., executor=Serial())


def test_observers_have_the_same_bits_whichever_disc_holds_a_contact():
    """A system that is restored just when it is observed predicts all contacts anew, some of them from the other disc; the sums
    of flights must not depend on that."""
    def error(again):
        system = hdsim.random(40, radius=.03, temperature=1., mass=1., seed=0, box=hdsim.Box(1, 1, True))
        system.simulate(1.)
        if again:
            system = hdsim.CollisionSystem.from_checkpoint(*system.checkpoint())
        observers = [system.observe(name) for name in ("temperature", "speed", "free path")]
        system.simulate(max_events=4000)
        return [(one.value, one.error, one.table()) for one in observers]

    assert error(True) == error(False)
