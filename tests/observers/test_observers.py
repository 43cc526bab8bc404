"""Observers never change a run, go on in copies, pieces and files, and refuse wrong use."""
from __future__ import annotations

import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from observed import BOXES, CASES, PERIODIC, Ledger, all_observers, gas
from scenes import environment
from systems import random_arrays

import hdsim
from hdsim import Box, CollisionSystem
from hdsim.observers import OBSERVERS


def test_the_page_is_true(root):
    """docs/observers.md: every observer is on it."""
    text = (root / "docs" / "observers.md").read_text()
    assert all(f"`{observer.__name__}(" in text for observer in OBSERVERS)


def test_time_series_of_blocks_keep_the_whole():
    """However often blocks were joined, their sum is what was seen up to the last edge, and there are 256 to 512 of them."""
    system = gas(10, .2, seed=1)
    counts, temperature = system.observe(hdsim.CollisionRates()), system.observe(hdsim.Temperature())
    for _ in range(4):
        system.simulate(max_events=60_000)
        reading = counts._read()
        assert 256 <= len(reading.blocks) < 512
        assert 0 <= reading.elapsed - len(reading.blocks) * reading.span < reading.span
        assert 0 <= reading.total.sum() - reading.blocks.sum() < 6 * reading.blocks.sum() / len(reading.blocks)
        times, temperatures, energies = temperature.over_time()
        assert len(times) == len(temperatures) and temperatures == pytest.approx(temperature.value, rel=1e-10)
        assert energies.sum(axis=1) == pytest.approx(system.kinetic_energy, rel=1e-10)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed, periodic, collisions", CASES[:6])
def test_observing_never_changes_a_run(seed, periodic, collisions):
    """Equal hashes and equal states, bit for bit, with and without observers, whenever these are read."""
    arrays = random_arrays(seed + 40, n_max=40, periodic=periodic, fixed=.1)
    bare = CollisionSystem.from_arrays(**arrays, collisions=collisions)
    bare.simulate(max_events=3000)
    watched = CollisionSystem.from_arrays(**arrays, collisions=collisions)
    observers = [watched.observe(o) for o in all_observers()]
    for _ in range(10):
        watched.simulate(max_events=300)
        for observer in observers[:-4]:
            observer.table()
    assert watched.hash() == bare.hash() and watched.time == bare.time
    assert (watched.positions == bare.positions).all() and (watched.velocities == bare.velocities).all()
    assert watched.statistics == bare.statistics
    assert watched.peek() == bare.peek()


def seen(system: CollisionSystem) -> list:
    """Everything that the observers of a system hold, bit for bit."""
    arrays, data = system.checkpoint()
    return [[(name, array.tobytes()) for name, array in sorted(arrays.items()) if name.startswith("observer")], data["observers"]]


@pytest.mark.parametrize("periodic", BOXES)
def test_a_run_in_pieces_is_one_run(periodic):
    """One call or many, read in between or not: the sums are equal bit for bit."""
    arrays = random_arrays(21, n_max=20, periodic=periodic)
    one, many = (CollisionSystem.from_arrays(**arrays) for _ in range(2))
    for system in (one, many):
        for observer in all_observers():
            system.observe(observer)
    one.simulate(until=20)
    for k in range(1, 401):
        many.simulate(until=k / 20)
        if k % 50 == 0:
            [observer.value for observer in many.observers]
    assert one.hash() == many.hash() and one.statistics["rebases"] > 1
    assert seen(one) == seen(many)


def by_file(system: CollisionSystem, folder) -> CollisionSystem:
    system.save(folder / "state.npz")
    return hdsim.load(folder / "state.npz")


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", [lambda s, _: s.copy(), lambda s, _: pickle.loads(pickle.dumps(s)), by_file],
                         ids=["copy", "pickle", "file"])
@pytest.mark.parametrize("periodic", BOXES)
def test_copies_go_on_with_sums_of_their_own(way, periodic, tmp_path):
    """Copy, pickle and checkpoint take the observers along, bit for bit; afterwards each goes its own way."""
    system = CollisionSystem.from_arrays(**random_arrays(5, n_max=20, periodic=periodic, fixed=.1))
    for observer in all_observers():
        system.observe(observer)
    system.simulate(max_events=1500)
    before = seen(system)
    other = way(system, tmp_path)
    assert [type(o) for o in other.observers] == [type(o) for o in system.observers]
    assert not set(map(id, other.observers)) & set(map(id, system.observers))
    assert seen(other) == before
    other.simulate(max_events=1500)
    assert seen(system) == before
    system.simulate(max_events=1500)
    assert seen(system) == seen(other) and system.hash() == other.hash()
    assert [o.table() for o in system.observers] == [o.table() for o in other.observers]


def test_an_observer_alone_is_copied_as_it_stands():
    """Pickled without its system, an observer is what it has seen."""
    system = gas(20, .2, seed=2)
    pressure = system.observe(hdsim.Pressure())
    system.simulate(max_events=2000)
    alone = pickle.loads(pickle.dumps(pressure))
    assert alone.value == pressure.value and not alone.attached and pressure.attached
    system.simulate(max_events=2000)
    assert alone.value != pressure.value


@pytest.mark.parametrize("change", [
    lambda a, d: d["observers"][0].update({"class": "Nobody"}),
    lambda a, d: d["observers"][0]["settings"].__setitem__(1, 10**6),
    lambda a, d: d["observers"][0]["settings"].__setitem__(0, "pressure"),
    lambda a, d: d["observers"][0]["course"].update(blocks=600),
    lambda a, d: d["observers"][0]["course"].update(stride=0),
    lambda a, d: d["observers"][0]["course"].update(next=(-1e9).hex()),
    lambda a, d: d["observers"][0]["course"].update(width=math.nan.hex()),
    lambda a, d: d["observers"][0]["settings"].__setitem__(4, math.inf.hex()),
    lambda a, d: a.update(observer0_group=np.full(12, 7)),
    lambda a, d: a.update(observer0_total=np.zeros(3)),
    lambda a, d: a.update(observer0_value=np.zeros(3)),
])
def test_foreign_sums_are_refused(change):
    """A checkpoint whose observers do not fit is an error, not a crash."""
    system = gas(12, .2, seed=2)
    system.observe(hdsim.FreePath())
    system.simulate(max_events=2000)
    arrays, data = system.checkpoint()
    change(arrays, data)
    with pytest.raises(ValueError, match="^(no observer is called 'Nobody'|the (settings|sums) of the FreePath observer .*fit )"):
        CollisionSystem.from_checkpoint(arrays, data)


def test_reset_begins_anew():
    """After reset an observer holds what one holds that was attached then."""
    system = CollisionSystem.from_arrays(**random_arrays(8, n_max=20, periodic=(True, False)))
    first = [system.observe(o) for o in all_observers()]
    system.simulate(max_events=700)
    system.step(.01)
    for other in all_observers():
        system.observe(other)
    for observer in first:
        observer.reset()
        assert observer.elapsed == 0
    system.simulate(max_events=3000)
    half, everything = len(first), dict(seen(system)[0])
    assert len(everything) == 14 * half     # 7 arrays of each
    assert all(everything[f"observer{k}_{name}"] == everything[f"observer{k + half}_{name}"]
               for k in range(half) for name in ("total", "block", "histogram", "value", "record"))


def test_two_of_a_kind_and_detaching():
    """The same kind twice: both count. A detached one keeps what it saw, while others go on."""
    system = gas(20, .2, seed=3)
    one, other = system.observe(hdsim.CollisionRates()), system.observe(hdsim.CollisionRates())
    before = system.statistics["pair_contacts"]
    system.simulate(max_events=500)
    assert one.pair_counts.sum() == other.pair_counts.sum() == system.statistics["pair_contacts"] - before
    one.detach()
    one.detach()
    assert system.observers == (other,) and not one.attached
    frozen = one.table()
    system.simulate(max_events=500)
    assert one.pair_counts.sum() == 500 and other.pair_counts.sum() == 1000 and one.table() == frozen
    system.observe(one)
    assert one.pair_counts.sum() == 0
    system.unobserve(other)
    system.simulate(max_events=10)
    assert one.pair_counts.sum() == 10


def test_discs_cannot_be_changed_while_observed():
    """edit, add and remove raise and change nothing; colours may change, and after detaching all may."""
    system = gas(20, .2, seed=3)
    pressure = system.observe(hdsim.Pressure())
    with pytest.raises(RuntimeError, match="observed"):
        with system.edit() as draft:
            draft.velocities[0] = 1, 1
    with pytest.raises(RuntimeError, match="observed"):
        system.remove(0)
    with pytest.raises(RuntimeError, match="observed"):
        system.add(hdsim.Particle(.5, .5, 0, 0, 1e-6, 1))
    with system.edit() as draft:
        draft.colors[:] = 7
    assert len(system) == 20 and pressure.attached
    pressure.detach()
    system.remove(0)
    assert len(system) == 19


def test_reversing_is_a_part_of_the_run():
    """Sums go on through `reverse`: there and back, the net flow is nothing and every contact counts twice."""
    system = gas(20, .1, seed=3, box=Box(1, 1))
    start = system.time
    flow, counts = system.observe(hdsim.Flow(x=.5)), system.observe(hdsim.CollisionRates())
    system.simulate(until=start + .3)
    there, gross = counts.pair_counts.sum(), flow.gross
    system.reverse()
    system.step(.3)
    assert there > 5 and counts.pair_counts.sum() == 2 * there
    assert flow.net == 0 and flow.gross == 2 * gross > 0


def test_recorder_has_a_maximum():
    """The first contacts are kept, the others counted; walls and species can be left out."""
    system = CollisionSystem.from_arrays(**random_arrays(3, n_max=20))
    kinds = [hdsim.EventRecorder(), hdsim.EventRecorder(maximum=100), hdsim.EventRecorder(walls=False),
             hdsim.EventRecorder(species=np.where(np.arange(len(system)) == 1, 0, -1))]
    full, few, pairs, one = (system.observe(kind) for kind in kinds)
    system.simulate(max_events=5000)
    rows = full.value
    assert len(rows) >= 5000 and full.missed == 0
    assert few.value.tobytes() == rows[:100].tobytes() and few.missed == len(rows) - 100
    assert pairs.value.tobytes() == rows[rows["j"] >= 0].tobytes()
    assert one.value.tobytes() == rows[(rows["i"] == 1) | (rows["j"] == 1)].tobytes()


def test_empty_and_motionless_systems():
    """No disc, one disc at rest, no time passed: values are nan, 0 or empty, never an error."""
    for positions in (np.empty((0, 2)), [(.5, .5)]):
        for box in (Box(), PERIODIC):
            system = CollisionSystem.from_arrays(positions, np.zeros_like(positions), .1, box=box)
            observers = [system.observe(o) for o in all_observers()]
            with np.errstate(all="raise"):
                for _ in range(2):
                    for observer in observers:
                        observer.table()
                    system.simulate(until=system.time + 1)
            assert observers[0].value in (0, pytest.approx(0)) and observers[3].flights == 0


def test_many_samples_between_two_contacts_can_be_interrupted():
    """max_seconds (and so Ctrl-C) ends a run that takes millions of samples of one flight, and it goes on from there."""
    system = CollisionSystem.from_arrays([(.5, .5)], [(1e-3, 0)], .125, box=Box(1, 1, (False, True)))
    msd = system.observe(hdsim.MeanSquaredDisplacement(every=1e-4, levels=1))
    system.simulate(until=1e6, max_seconds=.05)
    taken = msd._read().total[0]
    assert 1000 < taken < 3e6 and system.time == 0
    system.simulate(until=100)
    assert msd._read().total[0] == max(taken, 1_000_001)


def test_driven_discs_heat():
    """Where a driven disc stirs, energy is not conserved; the temperature is its mean over time, and has no law."""
    arrays = random_arrays(2, n_max=20)
    arrays["masses"][0], arrays["velocities"][0] = np.inf, (1, .5)
    system = CollisionSystem.from_arrays(**arrays)
    temperature, pressure = system.observe(hdsim.Temperature()), system.observe(hdsim.Pressure())
    ledger = Ledger(system, np.zeros(len(system), int))
    system.simulate(max_events=2000)
    ledger.close()
    assert temperature.energy == pytest.approx(ledger.energy.sum() / system.time, rel=1e-10)
    assert temperature.theory is None and temperature.energy != pytest.approx(system.kinetic_energy, rel=.01)
    assert pressure.virial == pytest.approx((ledger.energy.sum() + ledger.virial.sum() / 2) / system.time / system.box.area)


@pytest.mark.parametrize("wrong, message", [
    (lambda s: s.observe(3), "expected an observer"),
    (lambda s: s.observe(s.observe(hdsim.Pressure())), "attached to a system already"),
    (lambda s: s.unobserve(hdsim.Pressure()), "does not observe this system"),
    (lambda s: hdsim.Pressure().value, "has seen nothing yet"),
    (lambda s: hdsim.Pressure().reset(), "not attached"),
    (lambda s: hdsim.FreePath(bins=0), "bins is 0"),
    (lambda s: hdsim.Speed(range=(1, 1)), "range is"),
    (lambda s: hdsim.MeanSquaredDisplacement(every=0), "every is 0"),
    (lambda s: hdsim.MeanSquaredDisplacement(every=1, levels=99), "levels is 99"),
    (lambda s: hdsim.EventRecorder(maximum=-1), "maximum is -1"),
    (lambda s: hdsim.Flow(), "either x or y"),
    (lambda s: hdsim.Flow(x=.1, y=.1), "either x or y"),
    (lambda s: s.observe(hdsim.Flow(x=7.)), "not in the box"),
    (lambda s: s.observe(hdsim.Flow(z=.5)), "the line z is in no box of two dimensions"),
    (lambda s: hdsim.RegionFractions([(0, 0, 1)], every=1), "regions has shape"),
    (lambda s: hdsim.RegionFractions([(1, 0, 0, 1)], every=1), "left < right"),
    (lambda s: s.observe(hdsim.CollisionRates(species=[0, 1])), "species is"),
    (lambda s: s.observe(hdsim.CollisionRates(species=np.arange(70))), "70 species"),
    (lambda s: s.observe(hdsim.Temperature(species=np.where(np.arange(70), 0, -1))), "leaves a disc out"),
])
def test_wrong_use_is_explained(wrong, message):
    """One line that says what was found and what would be right; the system is left as it was."""
    system = gas(70, .1, seed=1, contacts=0)
    with pytest.raises((ValueError, TypeError, RuntimeError), match=message):
        wrong(system)
    system.simulate(max_events=10)


@pytest.mark.more
def test_every_observer_draws_itself():
    """plot() draws into a new figure or into the given axes, labelled."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    system = gas(50, .2, seed=1)
    carried = [hdsim.PressureTensor(), hdsim.Viscosity(), hdsim.BulkViscosity(), hdsim.HeatConductivity(), hdsim.Profile("x")]
    observers = [system.observe(o) for o in [*all_observers(), *carried]]
    system.simulate(max_events=20_000)
    assert {type(o) for o in observers} == set(OBSERVERS)
    for observer in observers:
        ax = observer.plot()
        assert observer.plot(ax) is ax and ax.get_xlabel() and ax.get_legend() is not None
        pyplot.close(ax.figure)


def test_plots_without_matplotlib_name_the_extra():
    """The error says what to install."""
    code = ("import sys; sys.modules['matplotlib'] = None\nimport hdsim\np = hdsim.random(5).observe(hdsim.Pressure())\n"
            "try: p.plot()\nexcept ImportError as error: print(error)")
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert "hdsim[plot]" in done.stdout, done.stderr
