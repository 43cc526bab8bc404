"""Sweeps: the table is what single runs give, with any executor and however often workers are killed. Independent of them:
systems made and run by hand."""
from __future__ import annotations

import csv
import doctest
import importlib.util
import math
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scenes import Serial, at_most, environment

import hdsim
from hdsim import FileFormatError, ReplicaError

GRID = {"radius": [.01, .03], "n": [20, 30]}
TWO = [hdsim.Pressure(), hdsim.FreePath()]
LIMITS = {"warm_up": .5, "until": 3.}


def fluid(seed, radius, n):
    return hdsim.random(n, radius=radius, temperature=1., mass=1., seed=seed, box=hdsim.Box(1, 1, periodic=(True, True)))


def last(system, pressure, path):
    """Columns of three kinds: a number, a numpy number, a number with its error."""
    return {"x": system.positions[0, 0], "hits": int(system.pair_counts.sum()), "free": (path.value, path.error)}


def marked(seed, radius, marks):
    """As fluid; leaves a mark each time it is called, with the process in which it was."""
    Path(marks, f"{radius}-{seed}-{os.getpid()}-{time.monotonic_ns()}").touch()
    return fluid(seed, radius, 40)


def processes(workers=2):
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


@pytest.mark.parametrize("limits", [LIMITS, {"max_events": 500}, {"until": 2., "max_events": 10**6}])
def test_a_row_is_the_run_made_by_hand(limits):
    """In the order of the grid, the last parameter fastest, then the seeds: hash, contacts, time, values and errors."""
    table = hdsim.sweep(fluid, GRID, [5, 2], TWO, **limits)
    assert table.columns == ("radius", "n", "replica", "seed", "hash", "contacts", "elapsed", "pressure", "pressure_error",
                             "free_path", "free_path_error")
    expected = []
    for radius in GRID["radius"]:
        for n in GRID["n"]:
            for replica, seed in enumerate([5, 2]):
                system = fluid(seed, radius, n)
                if "warm_up" in limits:
                    system.simulate(limits["warm_up"])
                pressure, path = system.observe(hdsim.Pressure()), system.observe(hdsim.FreePath())
                contacts = system.simulate(limits.get("until"), limits.get("max_events"))
                expected.append((radius, n, replica, seed, system.hash(), contacts, pressure.elapsed, pressure.value,
                                 pressure.error, path.value, path.error))
    assert repr(table.rows.tolist()) == repr(expected)      # which tells -0.0 from 0.0, and shows nan


def test_the_executor_changes_no_bit():
    """In this thread, in threads, in processes: equal tables."""
    serial = hdsim.sweep(fluid, GRID, 3, TWO, **LIMITS, read=last, executor=Serial())
    assert len(serial) == len(set(serial["hash"])) == 12 and serial.columns[-4:] == ("x", "hits", "free", "free_error")
    assert hdsim.sweep(fluid, GRID, 3, TWO, **LIMITS, read=last).rows.tobytes() == serial.rows.tobytes()
    with processes() as pool:
        assert hdsim.sweep(fluid, GRID, 3, TWO, **LIMITS, read=last, executor=pool).rows.tobytes() == serial.rows.tobytes()


class Twice(Serial):
    """An executor that executes every call again, and gives the result of the first or the second time."""

    def __init__(self, which):
        self.which = which

    def submit(self, work, *arguments):
        return [super(Twice, self).submit(work, *arguments) for _ in range(2)][self.which]


@pytest.mark.sample(1)
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("names", [TWO, ["pressure", "free path"]])
def test_a_replica_that_has_finished_may_be_executed_again(tmp_path, which, names):
    """As dask does: without checkpoints it runs again, with them its row is read; the same bits, and `make` not called again."""
    with at_most(60):       # a replica that fails unseen would be waited for
        expected = hdsim.sweep(fluid, GRID, 2, TWO, **LIMITS, executor=Serial())
        assert hdsim.sweep(fluid, GRID, 2, names, **LIMITS, executor=Twice(which)).rows.tobytes() == expected.rows.tobytes()
        found = hdsim.sweep(fluid, GRID, 2, names, **LIMITS, executor=Twice(which), checkpoint_dir=tmp_path / "files")
        assert found.rows.tobytes() == expected.rows.tobytes()
        (tmp_path / "marks").mkdir()
        hdsim.sweep(marked, {"radius": [.01], "marks": [str(tmp_path / "marks")]}, 2, names, **LIMITS, executor=Twice(which),
                    checkpoint_dir=tmp_path / "files")
        assert len(list((tmp_path / "marks").iterdir())) == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_dask_worker_is_killed_after_its_replicas(tmp_path):
    """dask loses the rows that stood in a worker's memory and executes their calls again: the sweep gives the bits of an
    undisturbed one. The worker is killed when it has finished all replicas but one, before the rows have been asked for."""
    distributed = pytest.importorskip("distributed")
    (tmp_path / "marks").mkdir()
    grid = {"radius": [.01, .02], "marks": [str(tmp_path / "marks")]}
    with at_most(240), distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            found = hdsim.sweep(marked, grid, 3, TWO, **LIMITS, checkpoint_dir=tmp_path / "files", executor=Losing(client, 6))
    expected = hdsim.sweep(fluid, {"radius": [.01, .02], "n": [40]}, 3, TWO, **LIMITS)
    assert repr([row[2:] for row in found.rows.tolist()]) == repr([row[2:] for row in expected.rows.tolist()])     # shows nan
    assert len(list((tmp_path / "marks").iterdir())) == 6       # no replica was made again


class Losing:
    """dask, which loses a worker when the last of some calls has been submitted and all have been executed."""

    def __init__(self, client, calls):
        self.client, self.calls, self.futures = client, calls, []

    def submit(self, work, *arguments):
        self.futures.append(self.client.submit(work, *arguments, pure=False))
        if len(self.futures) == self.calls:
            importlib.import_module("distributed").wait(self.futures)
            held = self.client.who_has(self.futures)
            worker = next(iter(held.values()))[0]
            os.kill(self.client.run(os.getpid, workers=[worker])[worker], signal.SIGKILL)
            while worker in self.client.scheduler_info()["workers"]:
                time.sleep(.05)
        return self.futures[-1]


class StopsAfter:
    """A stop flag that becomes true after `looks` reads."""

    def __init__(self, looks):
        self.looks = looks

    @property
    def asked(self):
        self.looks -= 1
        return self.looks < 0

    @asked.setter
    def asked(self, value):
        raise AssertionError("no replica may fail")


@pytest.mark.more
@pytest.mark.parametrize("limits", [{"warm_up": 20., "until": 120.}, {"warm_up": 1., "max_events": 40000}])
def test_a_run_in_pieces_is_the_whole_run(tmp_path, limits):
    """Stopped again and again, while it warms up and while it is observed, and taken up from its file each time: every
    number that each kind of observer has."""
    from hdsim.ensembles import batches

    observers = [hdsim.Pressure(), hdsim.Temperature(), hdsim.CollisionRates(), hdsim.FreePath(range=(0, 2)),
                 hdsim.Speed(), hdsim.Flow(x=.5), hdsim.MeanSquaredDisplacement(.05, levels=3),
                 hdsim.RegionFractions([(0, 0, .5, 1)], every=.1)]

    def read(system, *observers):
        tables = "".join(o.table() for o in observers)
        return {"tables": float(hash(tables)), "x": system.positions.sum(), "rate": observers[2].value}

    plan = batches.Plan(limits["warm_up"], limits.get("until"), limits.get("max_events"))
    orders = batches.Orders(fluid, observers, read, plan, 1e-3)
    tasks = tuple(batches.Task({"radius": .03, "n": 40}, seed, seed) for seed in range(2))
    whole = batches.run_batch(batches.Batch(tasks, None, {}), orders, StopsAfter(10**9))
    rows, pieces = None, 0
    while rows is None and pieces < 1000:
        rows, pieces = batches.run_batch(batches.Batch(tasks, tmp_path / "b.npz", {}), orders, StopsAfter(4)), pieces + 1
    assert pieces > 10 and rows == whole and len(list(tmp_path.iterdir())) == 1


def test_what_is_done_is_not_done_again(tmp_path):
    """The same sweep reads its rows; a grown one runs what is new; another reader or limit has files of its own."""
    def run(parameters, seeds, **options):
        executor = Serial()
        reported = []
        table = hdsim.sweep(fluid, parameters, seeds, TWO, executor=executor, checkpoint_dir=tmp_path / "a" / "b",
                            progress=lambda *now: reported.append(now), **(LIMITS | options))
        assert len(reported) == executor.submitted and (not reported or reported[-1] == (len(table), len(table)))
        return executor.submitted, table

    count, first = run(GRID, 2)
    assert count == 8
    count, again = run(GRID, 2)
    assert count == 0 and again.rows.tobytes() == first.rows.tobytes() and again.rows.dtype == first.rows.dtype
    count, grown = run({"n": [30, 25], "radius": [.03]}, [7, 1])       # in another order; replica 1 of seed 1 as before
    assert count == 3 and grown.columns[:2] == ("n", "radius")
    assert repr(grown.rows[1].tolist()[2:]) == repr(first.rows[7].tolist()[2:])
    assert run(GRID, 2, until=3.5)[0] == 8 and run(GRID, 2, read=last)[0] == 8
    assert run(GRID, 2, interval=5.)[0] == 0
    assert hdsim.sweep(partial(fluid, n=20), {"radius": [.01]}, 1, TWO, **LIMITS, checkpoint_dir=tmp_path)["seed"] == [0]


@pytest.mark.more
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_worker_goes_on_where_it_was(tmp_path):
    """kill -9 of a worker in the middle of its run: the sweep says so, and the next one makes nothing anew that had a
    checkpoint, and gives the bits of an undisturbed sweep."""
    for name in ("marks", "other marks"):
        (tmp_path / name).mkdir()
    limits = {"until": 4000., "checkpoint_dir": tmp_path / "files", "interval": .05}
    grid = {"radius": [.02], "marks": [str(tmp_path / "marks")]}

    def kill():
        while not list((tmp_path / "files").glob("*.npz")):
            time.sleep(.01)
        mark = min((tmp_path / "marks").iterdir())
        os.kill(int(mark.name.split("-")[2]), signal.SIGKILL)

    with at_most(60), processes() as pool:
        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(ReplicaError, match=r"radius 0.02, .*, seed [01]: BrokenProcessPool"):
            hdsim.sweep(marked, grid, 2, TWO, executor=pool, **limits)
        killer.join()
    under_way = len(list((tmp_path / "files").glob("*.npz")))
    made = len(list((tmp_path / "marks").iterdir()))
    assert 1 <= under_way <= made <= 2
    with processes() as pool:
        table = hdsim.sweep(marked, grid, 2, TWO, executor=pool, **limits)
    assert len(list((tmp_path / "marks").iterdir())) == made + (2 - under_way)      # `make` was called for those without a file
    limits.pop("checkpoint_dir")
    undisturbed = hdsim.sweep(partial(marked, marks=tmp_path / "other marks"), {"radius": [.02]}, 2, TWO, **limits)
    assert [row[2:] for row in table.rows.tolist()] == [row[1:] for row in undisturbed.rows.tolist()]


def test_a_failure_keeps_what_the_others_have(tmp_path):
    """Threads that have to end because another one failed leave their state as it is then."""
    def make(seed, n):
        if seed == 1:
            begun.wait(10)
            time.sleep(.2)
            raise LookupError("one")
        begun.set()
        return fluid(seed, .02, n)

    begun = threading.Event()
    with at_most(20), pytest.raises(ReplicaError, match="n 40, seed 1: LookupError: one") as caught:
        hdsim.sweep(make, {"n": [40]}, 2, TWO, until=1e6, checkpoint_dir=tmp_path)
    assert caught.value.seed == 1
    file, = tmp_path.iterdir()
    _, kept = hdsim.formats.io.load_checkpoint(file)
    assert hdsim.CollisionSystem.from_checkpoint(*hdsim.formats.io.load_checkpoint(file)[:1], kept["system"]).time > 0


def test_tables_go_through_files(tmp_path):
    """CSV: the very same numbers, read by the csv module; texts and truth values too. numpy takes the rows."""
    def make(seed, kind, cold, n):
        return fluid(seed, .01, n) if kind == "fluid, small" else hdsim.random(n, radius=.02, temperature=1., seed=seed)

    table = hdsim.sweep(make, {"kind": ["fluid, small", 'a "gas"'], "cold": [True], "n": np.array([20])}, 2, TWO[:1], until=2.)
    table.to_csv(tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="") as file:
        names, *lines = csv.reader(file)
    assert tuple(names) == table.columns and len(lines) == 4
    for line, row in zip(lines, table.rows.tolist()):
        kinds = [str, lambda text: text == "True", int, int, int, str, int, float, float, float]
        assert repr(tuple(kind(text) for kind, text in zip(kinds, line))) == repr(row)
    assert np.asarray(table).dtype.names == table.columns and np.asarray(table)["n"].dtype == np.int64
    assert np.array(table, copy=True) is not table.rows
    assert table["cold"].dtype == bool and repr(table).startswith("<Sweep of 4 rows: kind, cold, n, replica")
    assert table.table().splitlines()[0].split() == list(table.columns)
    with pytest.raises(KeyError, match="no column is called 'heat'; there are kind, cold"):
        _ = table["heat"]


def test_a_table_is_a_sequence_of_rows():
    """As pandas.DataFrame takes it: a sequence, whose elements are dicts of plain numbers and text; and pandas itself."""
    table = hdsim.sweep(fluid, GRID, 2, TWO, **LIMITS)
    rows = list(table)
    assert isinstance(table, Sequence) and len(rows) == 8 and all(type(row) is dict for row in rows)
    assert repr([tuple(row.values()) for row in rows]) == repr(table.rows.tolist()) and [*rows[0]] == list(table.columns)
    assert repr(table[-1]) == repr(rows[7]) == repr(table[np.int64(7)]) and type(table[0]["hash"]) is str
    with pytest.raises(IndexError):
        _ = table[8]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table)
    assert list(frame.columns) == list(table.columns) and frame["pressure"].tolist() == table["pressure"].tolist()
    assert frame["n"].dtype == np.int64


def test_tables_become_parquet(tmp_path):
    """Read back by pyarrow: names, numbers, texts."""
    parquet = pytest.importorskip("pyarrow.parquet")
    table = hdsim.sweep(fluid, GRID, 2, TWO, **LIMITS)
    table.to_parquet(tmp_path / "table.parquet")
    read = parquet.read_table(tmp_path / "table.parquet")
    assert tuple(read.column_names) == table.columns
    for name in table.columns:
        assert read[name].to_pylist() == table[name].tolist() or np.isnan(table[name]).any()
    assert str(read.schema.field("hash").type) == "string" and str(read.schema.field("n").type) == "int64"


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    """ImportError."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'hdsim\[parquet\]'"):
        hdsim.sweep(fluid, {"radius": [.01], "n": [20]}, 1, TWO, until=1.).to_parquet(tmp_path / "table.parquet")


def test_averages_are_those_of_an_ensemble():
    """Point by point the same as `hdsim.ensemble`; of one replica its own error; nan where none was given."""
    table = hdsim.sweep(fluid, GRID, 4, TWO, **LIMITS).averages()
    assert table.columns[:6] == ("radius", "n", "replicas", "contacts", "elapsed", "pressure") and len(table) == 4
    for row in table.rows:
        runs = hdsim.ensemble(partial(fluid, radius=float(row["radius"]), n=int(row["n"])), 4, TWO, **LIMITS)
        assert (row["replicas"], row["contacts"], row["elapsed"]) == (4, runs.contacts, 10.)
        for average, name in zip(runs.averages, ("pressure", "free_path")):
            assert (row[name], row[f"{name}_error"]) == (average.value, average.error)
    one = hdsim.sweep(fluid, {"radius": [.03], "n": [30]}, [3], TWO, until=60., read=last)
    mean = one.averages()
    assert mean["free"] == one["free"] and mean["free_error"] == one["free_error"] > 0 and math.isnan(mean["x_error"][0])


def constant(seed, n):
    return fluid(1, .02, n)


def ticking(seed, n):
    system = fluid(seed, .02, n)
    system.on_timer(lambda event: None, every=1.)
    return system


class Object:
    def __call__(self, seed, n):
        return fluid(seed, .02, n)


class OwnPressure(hdsim.Pressure):
    pass


@pytest.mark.parametrize("change, error, message", [
    ({"make": 3}, TypeError, "make must be a function of a seed and the parameters, got int"),
    ({"read": 3}, TypeError, "read must be a function of a system and its observers, got int"),
    ({"interval": 0}, ValueError, "interval is 0; it must be a number of seconds, at least 0.001"),
    ({"parameters": [1]}, TypeError, "parameters is list; it must be a dict"),
    ({"parameters": {"a b": [1]}}, ValueError, "'a b' is no name of a parameter"),
    ({"parameters": {"n": 20}}, TypeError, "n is 20; it must be a list of values"),
    ({"parameters": {"n": "20"}}, TypeError, "n is '20'; it must be a list of values"),
    ({"parameters": {"n": []}}, ValueError, "n has no values"),
    ({"parameters": {"n": [20, 20.]}}, ValueError, "n has a value twice"),
    ({"parameters": {"n": [20, "a"]}}, ValueError, "n holds int, str; a column"),
    ({"parameters": {"n": [None]}}, ValueError, "n holds NoneType; a column holds one of bool, integers, numbers, text"),
    ({"parameters": {"n": [2**70]}}, ValueError, "n has an integer that does not fit into 64 bits"),
    ({"parameters": {"seed": [1]}}, ValueError, "two columns are called seed"),
    ({"seeds": [2**64]}, ValueError, "seed has an integer that does not fit"),
    ({"observers": [hdsim.Pressure(), hdsim.Pressure()]}, ValueError, "two columns are called pressure"),
    ({"observers": hdsim.RegionFractions([(0, 0, 1, 1)], every=.1)}, ReplicaError,
     r"n 20, seed 0: TypeError: region_fractions is of shape \(1, 1\); a table holds single numbers"),
    ({"read": lambda *seen: 3}, ReplicaError, "read returned int; it must return a dict"),
    ({"read": lambda *seen: {"word": "a"}}, ReplicaError, "word is 'a'; a table holds single numbers"),
    ({"read": lambda *seen: {"n": 3}}, ReplicaError, "two columns are called n; give others by read"),
    ({"read": lambda system, pressure: {f"x{system.pair_counts.sum()}": 1.}}, ValueError,
     "read gave the replicas different columns"),
    ({"make": constant}, ValueError, "seeds 0 and 1 gave the same run"),
    ({"make": lambda seed, n: n}, ReplicaError, "n 20, seed 0: TypeError: make returned int; it must return a CollisionSystem or "
     "a spaces.Gas, and this has no has_callbacks, hash, observe"),
    ({"make": ticking, "checkpoint_dir": "x"}, ReplicaError, "callbacks or timers, which no checkpoint can hold"),
    ({"make": Object(), "checkpoint_dir": "x"}, TypeError, "make is a Object; with checkpoint_dir it must be a function"),
    ({"observers": OwnPressure(), "checkpoint_dir": "x"}, TypeError, "OwnPressure is none of hdsim's own observers"),
    ({"max_events": 0}, ReplicaError, "no time went by while it was observed"),
])
def test_wrong_arguments_are_explained(change, error, message, tmp_path, monkeypatch):
    """One line that says where, what was found and what would be right."""
    monkeypatch.chdir(tmp_path)
    given = {"make": partial(fluid, radius=.02), "parameters": {"n": [20]}, "seeds": 2, "observers": hdsim.Pressure(),
             "until": 1.,
             "executor": Serial()} | change
    with pytest.raises(error, match=message):
        hdsim.sweep(**given)


def test_timers_work_without_checkpoints_and_objects_too():
    """What no file can hold is still welcome."""
    assert len(hdsim.sweep(ticking, {"n": [20]}, 2, hdsim.Pressure(), until=2.)) == 2
    assert len(hdsim.sweep(Object(), {"n": [20]}, 2, hdsim.Pressure(), until=2.)) == 2


def test_other_files_are_refused(tmp_path):
    """A damaged replica, and a checkpoint that is none of a sweep."""
    def run():
        return hdsim.sweep(fluid, {"radius": [.02], "n": [20]}, 1, TWO, until=1., checkpoint_dir=tmp_path)

    run()
    file, = tmp_path.iterdir()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(FileFormatError, match="damaged checkpoint"):
        run()
    fluid(1, .02, 20).save(file)
    with pytest.raises(FileFormatError, match="expected replicas of a sweep, found another checkpoint"):
        run()


@pytest.fixture(scope="module")
def by_threads(tmp_path_factory, root):
    """What the example writes with threads, and a function that runs it elsewhere."""
    def run(name, *before):
        folder = tmp_path_factory.mktemp(name)
        command = [*before, root / "examples" / "equation_of_state.py", name, "1"]
        allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        done = subprocess.run(list(map(str, command)), cwd=folder, env=environment() | allowed, capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return (folder / "equation_of_state.csv").read_bytes()

    return run, run("threads", sys.executable)


def test_processes_write_the_same_file(by_threads):
    """The example, in processes that it starts itself."""
    run, expected = by_threads
    assert expected.count(b"\n") == 25 and run("processes", sys.executable) == expected


@pytest.mark.more
def test_dask_writes_the_same_file(by_threads):
    """The example, on a LocalCluster of dask.distributed with two workers."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("dask.distributed is not installed")
    run, expected = by_threads
    assert run("dask", sys.executable) == expected


def test_mpi_writes_the_same_file(by_threads):
    """The example, by mpi4py.futures with two ranks: one asks, one works."""
    mpiexec = shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if mpiexec is None or importlib.util.find_spec("mpi4py") is None:
        pytest.skip("mpi4py and an MPI are not installed")
    run, expected = by_threads
    assert run("mpi", mpiexec, "-n", "2", "--oversubscribe", sys.executable, "-m", "mpi4py.futures") == expected


def test_a_wrong_executor_of_the_example_is_named(by_threads):
    """One line, no traceback."""
    with pytest.raises(AssertionError, match="'pigeons': it must be threads, processes, dask or mpi"):
        by_threads[0]("pigeons", sys.executable)


def test_the_page_is_true(root):
    """docs/scaling.md: its example runs."""
    text = (root / "docs" / "scaling.md").read_text()
    example = doctest.DocTestParser().get_doctest(text.split("```")[1].removeprefix("python"), {}, "scaling.md", None, 0)
    assert len(example.examples) == 6 and doctest.DocTestRunner().run(example).failed == 0
