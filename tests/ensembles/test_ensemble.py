"""Ensembles: the executor and the other replicas change nothing; failures name their seed; error bars are right. Independent of
them: the same replicas run one by one, means by hand, and many ensembles."""
from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from scenes import Serial, at_most, interrupted

import hdsim
from hdsim import Box, CollisionSystem, ReplicaError
from hdsim.ensembles import replicas
from hdsim.observers import OBSERVERS

PERIODIC = Box(1, 1, (True, True))


def fluid(seed: int, n: int = 40, radius: float = .04) -> CollisionSystem:
    """At temperature 1 with the centre of mass at rest, so that runs differ in nothing that they keep."""
    system = hdsim.random(n, radius=radius, temperature=1., mass=1., seed=seed, box=PERIODIC)
    with system.edit() as draft:
        draft.velocities -= draft.velocities.mean(axis=0)
        draft.velocities *= math.sqrt((2 * n - 2) / (draft.velocities**2).sum())
    return system


def heated(seed: int) -> CollisionSystem:
    """Another temperature for each seed, which no single run can see."""
    return hdsim.random(30, radius=.02, temperature=1. + seed, mass=1., seed=seed)


def odd(seed: int) -> CollisionSystem:
    """Fails for seed 3."""
    if seed == 3:
        raise LookupError("three is odd")
    return fluid(seed)


def all_observers() -> list[hdsim.Observer]:
    """One of each kind but the recorder, which has no mean."""
    return [hdsim.Pressure(), hdsim.Temperature(), hdsim.CollisionRates(), hdsim.FreePath(range=(0, 2)),
            hdsim.FreeTime(range=(0, 2)), hdsim.Speed(range=(0, 8)),
            hdsim.Velocity(range=(-8, 8)), hdsim.Flow(x=.5), hdsim.MeanSquaredDisplacement(.05, levels=3),
            hdsim.VelocityAutocorrelation(.05, levels=3), hdsim.RegionFractions([(0, 0, .5, 1), (.5, 0, 1, 1)], every=.1),
            hdsim.Surfaces()]


class Backwards:
    """An executor that keeps all calls until the result of the last one is awaited, and then begins with that one."""

    def __init__(self, expected):
        self.waiting, self.expected = [], expected

    def submit(self, work, *arguments):
        future = Future()
        self.waiting.append((future, work, arguments))
        if len(self.waiting) == self.expected:
            for future_of, task, what in reversed(self.waiting):
                future_of.set_result(task(*what))
        return future


def processes(workers: int = 2) -> ProcessPoolExecutor:
    """New ones, not forked from a process with threads."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


def bits(runs: hdsim.Ensemble) -> list:
    """Everything an ensemble says."""
    numbers = [(a.value, a.error, a.propagated, a.theory, a.values, a.errors) for a in runs.averages]
    histograms = [runs.averages[k].of("histogram").value for k in (3, 4, 5, 6)]
    return [runs.seeds, runs.hashes, runs.contacts, runs.table(),
            [[None if x is None else np.asarray(x).tobytes() for x in row] for row in numbers],
            [h.tobytes() for h in histograms]]


@pytest.mark.parametrize("names", ["free path", ["free path", "Pressure"], lambda: ["free_path"]])
def test_observers_are_given_by_name(names):
    """As `observe` takes them: the same numbers as with the observers themselves."""
    found = hdsim.ensemble(fluid, 2, names, until=2., executor=Serial())
    expected = hdsim.ensemble(fluid, 2, [hdsim.FreePath(), hdsim.Pressure()], until=2., executor=Serial())
    assert [a.value for a in found.averages] == [a.value for a in expected.averages[:len(found.averages)]]


class Twice(Serial):
    """An executor that executes every call again, and gives the result of the second time."""

    def submit(self, work, *arguments):
        first, second = super().submit(work, *arguments), super().submit(work, *arguments)
        first.result()
        return second


class AtOnce(Twice):
    """Executes every call twice at the same time, in threads, and gives the result of the first."""

    def submit(self, work, *arguments):
        results = [Future(), Future()]

        def execute(future):
            try:
                future.set_result(work(*arguments))
            except Exception as error:
                future.set_exception(error)

        threads = [threading.Thread(target=execute, args=(future,)) for future in results]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        results[1].result()
        return results[0]


@pytest.mark.parametrize("executor", [Twice, AtOnce])
def test_an_executor_may_execute_a_replica_again(executor):
    """The same bits, one after another and at the same time: no two executions share an observer."""
    observers = [hdsim.FreePath(), hdsim.Pressure()]
    found = hdsim.ensemble(fluid, 3, observers, until=3., executor=executor())
    assert bits_of_two(found) == bits_of_two(hdsim.ensemble(fluid, 3, observers, until=3., executor=Serial()))


def bits_of_two(runs):
    return [runs.hashes, runs.contacts, runs.table(), [a.values.tobytes() for a in runs.averages]]


@pytest.mark.more
def test_the_executor_changes_no_bit():
    """One after another, in threads (more than cores too), last first, in processes: the same hashes and the same numbers."""
    def run(executor):
        return bits(hdsim.ensemble(fluid, 6, all_observers(), warm_up=.5, until=3., executor=executor))

    serial = run(Serial())
    assert len(set(serial[1])) == 6 and serial[2] > 1000
    assert run(None) == serial
    assert run(Backwards(6)) == serial
    with ThreadPoolExecutor(6) as pool:
        assert run(pool) == serial
    with processes() as pool:
        assert run(pool) == serial


def test_a_replica_is_the_run_made_by_hand(monkeypatch):
    """Warm up, observe, run on: equal hash and sums, in the order of the seeds, also when threads cut runs in pieces. The
    limits are those of `simulate`."""
    monkeypatch.setattr(replicas, "CHUNK", 1e-4)
    for limits in ({"until": 6.}, {"max_events": 3000}, {"until": 6., "max_events": 1000}, {"until": 1., "max_events": 10**6}):
        runs = hdsim.ensemble(fluid, [7, 2], all_observers(), warm_up=.5, **limits)
        assert runs.seeds == (7, 2) and len(runs) == 2
        contacts = 0
        for k, seed in enumerate(runs.seeds):
            system, observers = fluid(seed), all_observers()
            system.simulate(until=.5)
            for observer in observers:
                system.observe(observer)
            contacts += system.simulate(**limits)
            assert runs.hashes[k] == system.hash()
            for mine, theirs in zip(observers, runs[k]):
                assert not theirs.attached and theirs.elapsed == mine.elapsed and theirs.table() == mine.table()
                assert np.array_equal(theirs.value, mine.value, equal_nan=True)
        assert runs.contacts == contacts


def test_callbacks_of_a_replica_work_and_may_end_it(monkeypatch):
    """A callback or timer that `make` has registered is called as in one run; STOP ends the replica, not a piece of it."""
    monkeypatch.setattr(replicas, "CHUNK", 1e-4)

    def make(seed):
        system = fluid(seed)
        system.on_redraw(lambda event: hdsim.STOP if event.time >= 2 else None, every=.5)
        return system

    runs = hdsim.ensemble(make, 2, hdsim.Pressure(), until=100.)
    assert [observer.elapsed for observer, in runs] == [2., 2.]


def test_means_and_errors_are_those_by_hand():
    """value: mean; error: sample standard deviation over sqrt(r); propagated: root of the sum of squares over r."""
    runs = hdsim.ensemble(fluid, 5, all_observers(), until=4.)
    for number, average in enumerate(runs.averages):
        values = np.array([runs[k][number].value for k in range(5)])
        errors = np.array([runs[k][number].error for k in range(5)])
        np.testing.assert_array_equal(average.values, values)
        np.testing.assert_array_equal(average.errors, errors)
        np.testing.assert_allclose(average.value, values.mean(axis=0), rtol=1e-13, atol=1e-14)
        np.testing.assert_allclose(average.error, values.std(axis=0, ddof=1) / math.sqrt(5), rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(average.propagated, np.sqrt((errors**2).sum(axis=0)) / 5, rtol=1e-12)
        laws = [runs[k][number].theory for k in range(5)]
        if laws[0] is None:
            assert average.theory is None
        else:
            np.testing.assert_allclose(average.theory, np.mean(laws, axis=0), rtol=1e-12)
        assert np.shape(average.value) == np.shape(values[0])
        assert type(average.value) is type(average.error) is (float if values.ndim == 1 else np.ndarray)


def test_other_attributes_are_averaged_too():
    """of(): a number, a histogram, counts; with the scatter as error and no law."""
    runs = hdsim.ensemble(fluid, 4, [hdsim.Pressure(), hdsim.Speed(20, (0, 8)), hdsim.CollisionRates()], until=2.)
    for average, name in zip(runs.averages, ("compressibility_factor", "histogram", "pair_counts")):
        values = np.array([getattr(o, name) for o in average.observers])
        merged = average.of(name)
        np.testing.assert_allclose(merged.value, values.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(merged.error, values.std(axis=0, ddof=1) / 2, rtol=1e-9, atol=1e-14)
        assert merged.theory is None and np.isnan(merged.propagated).all() and name in merged.table()
    assert runs.averages[1].of("histogram").value.shape == (1, 20)
    np.testing.assert_allclose(runs.averages[1].of("histogram").value.sum() * np.diff(runs[0][1].edges)[0], 1, rtol=1e-3)


def test_replicas_count_by_the_time_they_were_observed():
    """Runs that end after so many events: the merged rate is all contacts over all time, and lags are those all have."""
    def make(seed):
        system = fluid(seed)
        system.simulate(max_events=200 * (1 + seed))
        return system

    runs = hdsim.ensemble(make, 3, [hdsim.CollisionRates(), hdsim.MeanSquaredDisplacement(.01)], warm_up=10., until=13.)
    early = hdsim.ensemble(heated, 3, [hdsim.CollisionRates(), hdsim.MeanSquaredDisplacement(.004)], max_events=1500)
    rate, displacement = early.averages
    times = [o.elapsed for o in rate.observers]
    assert max(times) > 1.2 * min(times)
    assert rate.value == pytest.approx(sum(int(o.pair_counts.sum()) for o in rate.observers) / sum(times), rel=1e-12)
    lengths = [len(o.value) for o in displacement.observers]
    assert min(lengths) < max(lengths) and displacement.value.shape == displacement.error.shape == (min(lengths),)
    assert displacement.of("diffusion").value.shape == (min(lengths) - 1,)
    assert [o.elapsed for o in runs.averages[0].observers] == [3.] * 3


@pytest.mark.more
def test_error_bars_cover_the_mean_as_often_as_they_should():
    """Of many ensembles, the mean of about two thirds is within one error of the truth: here the mean of all, found without
    any error bar. Student's t with 7 degrees of freedom says .65."""
    ensembles, r = 80, 8
    observers = [hdsim.CollisionRates(), hdsim.FreePath(range=(0, 2))]
    found = [hdsim.ensemble(fluid, range(r * k, r * k + r), observers, warm_up=.5, until=2.5).averages for k in range(ensembles)]
    for number in range(2):
        value, error = np.array([(a[number].value, a[number].error) for a in found]).T
        # Binomial: four standard deviations of 80 are .21. Chi square: the mean square is the variance, to 4 sqrt(2/79).
        assert .65 - .21 < (np.abs(value - value.mean()) < error).mean() < .65 + .21
        assert abs((error**2).mean() / value.var(ddof=1) - 1) < .64


def test_both_errors_agree_where_runs_are_long():
    """Scatter, known to 9 % from 64 replicas, and what blocking says inside each of them, of a quantity that forgets."""
    path, = hdsim.ensemble(fluid, 64, hdsim.FreePath(range=(0, 2)), warm_up=.5, until=20.).averages
    assert .7 < path.propagated / path.error < 1.3


def test_scatter_sees_what_no_single_run_can():
    """Replicas at temperatures 1 ... 6: each run is sure of its own, the ensemble is not, by exactly the scatter of 1 ... 6."""
    average, = hdsim.ensemble(heated, 6, hdsim.Temperature(), until=20.).averages
    assert average.value == pytest.approx(3.5, rel=1e-9)
    assert average.error == pytest.approx(np.arange(6).std(ddof=1) / math.sqrt(6), rel=1e-9)
    assert average.propagated < 1e-9


def test_one_replica_has_its_own_error():
    """And what is too short for that has none."""
    one, = hdsim.ensemble(fluid, [5], hdsim.Pressure(), until=5.).averages
    assert one.error == one.propagated == one.observers[0].error > 0 and one.value == one.observers[0].value
    short, = hdsim.ensemble(fluid, 3, hdsim.Pressure(), until=.2).averages
    assert short.error > 0 and math.isnan(short.propagated) and math.isfinite(short.value)


def test_theory_agrees_within_errors():
    """Dilute, where the law of infinitely many discs is that of these to a thousandth: two numbers within four errors."""
    runs = hdsim.ensemble(lambda seed: fluid(seed, 200, .006), 8, [hdsim.CollisionRates(), hdsim.Speed()], warm_up=.5, until=8.)
    for average in runs.averages:
        assert abs(average.value - average.theory) < 4 * average.error + 2e-3 * average.theory


def test_nan_in_one_replica_is_nan_in_the_mean():
    """Element by element: one species without discs, and one with all discs."""
    species = np.zeros(40, dtype=int)
    regions = hdsim.RegionFractions([(0, 0, .5, 1)], every=.1, species=species)
    full, = hdsim.ensemble(fluid, 3, regions, until=2.).averages
    assert full.value.shape == (1, 1) and np.isfinite(full.value).all()
    empty, = hdsim.ensemble(fluid, 3, hdsim.FreePath(species=species - 1), until=2.).averages
    assert math.isnan(empty.value) and math.isnan(empty.error)


def test_prototypes_stay_as_they_are():
    """They are copied, whatever they have seen; a class and a function that makes a list do as well. Seeds in any form."""
    prototype = hdsim.Pressure()
    a = hdsim.ensemble(fluid, 2, prototype, until=1.)
    assert not prototype.attached
    with pytest.raises(RuntimeError, match="seen nothing yet"):
        _ = prototype.value
    b = hdsim.ensemble(fluid, range(2), hdsim.Pressure, until=1.)
    c = hdsim.ensemble(fluid, np.arange(2), lambda: [hdsim.Pressure()], until=1.)
    assert a.hashes == b.hashes == c.hashes and a.table() == b.table() == c.table()
    again, = hdsim.ensemble(fluid, 2, a[0], until=1.).averages
    assert again.value == a.averages[0].value


@pytest.mark.sample(1)
@pytest.mark.parametrize("executor", [Serial, processes, lambda: None], ids=["serial", "processes", "threads"])
def test_a_failure_names_its_seed(executor):
    """ReplicaError, from whatever failed in `make`; the rest is cancelled."""
    executor = executor()
    with pytest.raises(ReplicaError, match="seed 3: LookupError: three is odd") as caught:
        hdsim.ensemble(odd, 50, hdsim.Pressure(), until=1., executor=executor)
    assert caught.value.seed == 3 and caught.value.__cause__ is not None
    if isinstance(executor, ProcessPoolExecutor):
        executor.shutdown()


def test_a_failure_ends_the_others():
    """The runs that are under way end within a tenth of a second or so, and no other one begins."""
    begun = []

    def make(seed):
        begun.append(seed)
        if seed == 1:
            time.sleep(.2)
            raise LookupError
        return fluid(seed)

    start = time.monotonic()
    with at_most(20), ThreadPoolExecutor(2) as pool, pytest.raises(ReplicaError, match="seed 1"):
        hdsim.ensemble(make, 20, hdsim.Pressure(), until=1e6, executor=pool)
    assert time.monotonic() - start < 2 and sorted(begun) == [0, 1]


def test_replica_errors_survive_a_pickle():
    """With the seed; they are RuntimeErrors, and hdsim's."""
    error = pickle.loads(pickle.dumps(ReplicaError("seed 4: boom", 4)))
    assert (str(error), error.seed) == ("seed 4: boom", 4) and isinstance(error, (RuntimeError, hdsim.HdsimError))


def test_what_cannot_be_pickled_is_named():
    """A lambda for processes; and what fails on the way in another manner names the seed."""
    with processes(1) as pool:
        with pytest.raises(TypeError, match="make cannot be pickled.*top of a module"):
            hdsim.ensemble(lambda seed: fluid(seed), 3, hdsim.Pressure(), until=1., executor=pool)

        class Local(hdsim.Pressure):
            pass

        with pytest.raises(TypeError, match="Local cannot be pickled"):
            hdsim.ensemble(fluid, 3, Local(), until=1., executor=pool)
        with pytest.raises(ReplicaError, match="seed 0: BrokenProcessPool"):
            hdsim.ensemble(die, 1, hdsim.Pressure(), until=1., executor=pool)


def die(seed):
    os._exit(1)


def constant(seed):
    return fluid(1)


@pytest.mark.parametrize("arguments, error, message", [
    ((None, 2, hdsim.Pressure()), TypeError, "make must be a function of a seed, got NoneType"),
    ((fluid, 0, hdsim.Pressure()), ValueError, "seeds is 0; there must be at least one"),
    ((fluid, 1.5, hdsim.Pressure()), TypeError, "seeds is 1.5; it must be integers, or how many"),
    ((fluid, ["a"], hdsim.Pressure()), TypeError, "must be integers"),
    ((fluid, [1, 2, 1], hdsim.Pressure()), ValueError, "seed 1 is given twice"),
    ((fluid, 2, []), ValueError, "at least one observer"),
    ((fluid, 2, ["presure"]), ValueError, "no observer is called 'presure'; nearest is Pressure"),
    ((fluid, 2, "flow"), ValueError, "give either x or y, or z in three dimensions: where the line is"),
    ((fluid, 2, "velocity autocorrelation"), TypeError, r"VelocityAutocorrelation\(\) missing 1 required .* 'every'"),
    ((fluid, 2, 3), TypeError, r"expected an observer such as hdsim.Pressure\(\), or its name, got int"),
    ((fluid, 2, hdsim.EventRecorder()), TypeError, "an EventRecorder has no mean"),
    ((constant, [4, 9], hdsim.Pressure()), ValueError, "seeds (4 and 9|9 and 4) gave the same run"),
    ((str, [4], hdsim.Pressure()), ReplicaError, "seed 4: TypeError: make returned str; it must return a CollisionSystem or a "
     "spaces.Gas, and this has no has_callbacks, hash"),
    ((fluid, [4], hdsim.CollisionRates(species=np.arange(3))), ReplicaError, "seed 4: ValueError: species is int64 of shape"),
])
def test_wrong_arguments_are_explained(arguments, error, message):
    """One line that says what was found and what would be right."""
    with pytest.raises(error, match=message):
        hdsim.ensemble(*arguments, until=1., executor=Serial())


@pytest.mark.parametrize("limits, error, message", [
    ({}, ValueError, "until is None and max_events is None"),
    ({"until": math.inf}, ValueError, "until is inf and max_events is None"),
    ({"until": math.nan}, ValueError, "until is nan"),
    ({"until": 1., "warm_up": 1.}, ValueError, "warm_up is 1.0; it must be a time before until, which is 1.0"),
    ({"max_events": 5, "warm_up": math.inf}, ValueError, "warm_up is inf"),
    ({"until": -1.}, ReplicaError, "seed 0: ValueError: until is -1.0, before the present time 0.0"),
    ({"max_events": -1}, ReplicaError, "seed 0: ValueError: max_events is -1"),
    ({"max_events": 0}, ReplicaError, "seed 0: ValueError: no time went by while it was observed"),
])
def test_wrong_limits_are_explained(limits, error, message):
    """What `simulate` refuses, and what would never end."""
    with at_most(20), pytest.raises(error, match=message):
        hdsim.ensemble(fluid, 2, hdsim.Pressure(), executor=Serial(), **limits)


def test_attached_observers_are_refused():
    """Their sums are of another system."""
    system = fluid(1)
    pressure = system.observe(hdsim.Pressure())
    with pytest.raises(RuntimeError, match="this Pressure is attached to a system"):
        hdsim.ensemble(fluid, 2, pressure, until=1.)
    pressure.detach()
    assert len(hdsim.ensemble(fluid, 2, pressure, until=1.)) == 2


def test_what_has_no_mean_says_so():
    """Words; and histograms, or arrays, that differ from replica to replica."""
    rates, speed = hdsim.ensemble(heated, 3, [hdsim.CollisionRates(), hdsim.Speed()], until=.5).averages
    with pytest.raises(TypeError, match="species of CollisionRates is list; only numbers"):
        _ = rates.of("species").value
    with pytest.raises(ValueError, match=r"different bins; give Speed a range=\(low, high\)"):
        _ = speed.of("histogram").value
    with pytest.raises(AttributeError, match="nonsense"):
        _ = rates.of("nonsense").value

    def sizes(seed):
        return CollisionSystem.from_arrays(np.random.default_rng(seed).random((3, 2)) * .5 + .2, np.eye(3)[:, :2] + seed,
                                           0., 1 + np.minimum(np.arange(3), seed))

    energies, = hdsim.ensemble(sizes, 2, hdsim.Temperature(), until=3.).averages
    with pytest.raises(ValueError, match=r"energies of Temperature has different shapes in the replicas: \(1,\), \(2,\)"):
        _ = energies.of("energies").value
    assert "energy, radius 0, mass 2" not in energies.table()      # which one of them only has
    with pytest.raises(ValueError, match=r"ax has shape \(\); there must be one for each of 2 observers"):
        hdsim.ensemble(fluid, 2, [hdsim.Pressure(), hdsim.Speed()], until=.1).plot(ax=3)


def test_progress_is_reported_after_each_replica():
    """In the calling thread; what it raises ends all."""
    reported = []
    hdsim.ensemble(fluid, 5, hdsim.Pressure(), until=.5, progress=lambda *now: reported.append((*now, threading.get_ident())))
    assert reported == [(k, 5, threading.get_ident()) for k in range(1, 6)]
    with at_most(20), pytest.raises(ZeroDivisionError):
        hdsim.ensemble(lambda seed: fluid(seed), [1, 2], hdsim.Pressure(), until=.5, progress=lambda *now: 1 / 0)


def test_tables_have_the_lines_of_the_observers():
    """With merged numbers: those of `value` in the first line, others by hand."""
    observers = all_observers()
    runs = hdsim.ensemble(fluid, 3, observers, until=2.)
    text = runs.table()
    assert text.splitlines()[0] == f"3 replicas, {runs.contacts} contacts"
    assert all(type(o).__name__ in text for o in observers) and repr(runs).startswith("<Ensemble of 3 replicas: Pressure, ")
    lines = runs.averages[0].table().splitlines()
    assert lines[0].split() == ["value", "error", "propagated", "theory"] and len(lines) == 5
    factor = np.mean([o.compressibility_factor for o in runs.averages[0].observers])
    assert float(lines[2].split()[2]) == pytest.approx(factor, rel=1e-6)
    assert float(lines[1].split()[1]) == pytest.approx(runs.averages[0].value, rel=1e-6)
    assert len(runs.averages[8].table().splitlines()) == 1 + len(runs.averages[8].value)
    assert runs.averages[7].table().splitlines()[1].split()[0] == "Flow"
    carried = {hdsim.PressureTensor, hdsim.Viscosity, hdsim.BulkViscosity, hdsim.HeatConductivity, hdsim.Profile}
    assert {type(o) for o in observers} == set(OBSERVERS) - {hdsim.EventRecorder} - carried


@pytest.mark.more
def test_every_average_draws_itself():
    """Into new axes or given ones, labelled; all of them together, each into its own."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    runs = hdsim.ensemble(fluid, 3, all_observers(), until=2.)
    axes = runs.plot()
    assert axes.shape == (len(runs.averages),) and all(ax.get_xlabel() for ax in axes)
    assert all(ax.get_legend() for ax in axes[:-1]) and axes[-1].get_legend() is None       # of no surface
    assert (runs.plot(axes) == axes).all()
    pyplot.close(axes[0].figure)
    for average in [runs.averages[0], runs.averages[5].of("histogram"), runs.averages[8].of("diffusion")]:
        ax = average.plot()
        assert average.plot(ax) is ax and average.name in ax.get_ylabel()
        pyplot.close(ax.figure)


CONTROL_C = r"""
import sys, time
import hdsim
def make(seed):
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    return hdsim.random(300, radius=.01, temperature=1, seed=seed)
try:
    hdsim.ensemble(make, 20, hdsim.Pressure(), until=1e9)
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
def test_control_c_stops_all_threads_soon():
    """KeyboardInterrupt comes out within two pieces, and no thread is left that keeps the process alive."""
    sent, out = interrupted(CONTROL_C, .3)
    assert float(out.split()[-1]) - sent < .5
    assert out.count("ready") < 20
