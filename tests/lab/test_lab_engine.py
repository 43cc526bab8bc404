"""`lab engine`: a memory that fills, the work of engines after it, and what would be noticed if the second law failed."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import theory
from hdsim.lab import _engine
from hdsim.lab._engine import CHOSEN, LOADS, MEMORIES, Memory, Work

pytestmark = pytest.mark.xdist_group("lab")


def memory(runs=12, **changed):
    """The same gas in all runs, with small differences in cost and loss."""
    given = {"left": 18., "right": 82., "energy_left": 18., "energy_right": 82., "nats": 63., "lost": 23.} | changed
    wobble = np.linspace(-.1, .1, runs)
    return Memory(*(np.full(runs, value) + (wobble if name in ("nats", "lost") else 0) for name, value in given.items()))


@pytest.mark.more
def test_no_engine_pays_for_the_memory(quick):
    """Of all memories, erasing costs most, the gas has lost less, and the engine gives least; in more pieces it gives more."""
    result = quick("engine")
    assert result.agrees and len(result.checks) == 15
    assert (result["raw bits ln 2"] >= result["bits ln 2"]).all()
    assert (result["bits ln 2"] > result["entropy lost / k"]).all() and (np.diff(result["work / kT by theory"]) > 0).all()
    assert (result["work at loads by theory"] < result["entropy lost / k"][MEMORIES.index(CHOSEN)]).all()
    assert (np.diff(result["work at loads by theory"]) > 0).all() and (np.diff(result["work on the wall"][2:]) < 0).all()
    assert len(result.notes) == len(MEMORIES) + 1
    assert result.notes[0][0] == "one-way door, 25 bits" and result.notes[-1][1].startswith("erasing costs ")


def test_a_memory_is_full_after_so_many_decisions():
    """One bit for each, not one more; the gas does not change when the wall takes the place of the gate."""
    assert [system.ledger().bits_recorded for system in _engine._parted(3)] == list(MEMORIES)
    gas = _engine._sorted(1)
    assert gas.ledger().bits_recorded == _engine.MEMORY and gas.ledger().left.temperature < gas.ledger().right.temperature
    energy = gas.kinetic_energy
    _engine._shut(gas)
    assert gas.kinetic_energy == pytest.approx(energy, rel=1e-12) and len(gas.obstacles) == 3
    assert (abs(gas.positions[:, 0] - .5) >= _engine.RADIUS).all()


def test_a_disc_in_the_gate_gets_out_of_the_wall():
    """A slow one is half through after the time of rest; then the wall stands, and it comes back to it."""
    gate = hdsim.Gate((.5, .4), (.5, .6), hdsim.gates.always)
    frame = [hdsim.Segment((.5, 0), (.5, .4)), hdsim.Segment((.5, .6), (.5, 1))]
    gas = hdsim.CollisionSystem([hdsim.Particle(.25, .5, .004, 0, _engine.RADIUS, 1)], obstacles=[*frame, gate])
    _engine._fill(gas, 1)
    assert gas.time == pytest.approx(60.5) and gas.ledger().inside == 1
    gas.simulate(until=61.5)
    _engine._shut(gas)
    assert gas.positions[0, 0] >= .5 + _engine.RADIUS and gas.time == pytest.approx(64.5, abs=.03)
    gas.simulate(until=400)
    assert gas.positions[0, 0] > .5


def test_the_door_is_expected_to_leave_so_many():
    """By the chain of its decisions, each about a point chosen at random."""
    rng, left = np.random.default_rng(1), np.full(20_000, 50)
    for _ in range(CHOSEN):
        left -= rng.random(len(left)) < left / 100
    assert _engine._left_of(CHOSEN) == pytest.approx(left.mean(), abs=.15)
    assert _engine._left_of(0) == 50


@pytest.mark.parametrize("left, right", [(18, 82), (1, 99), (0, 100), (50, 50)])
def test_the_law_of_the_piston(left, right):
    """Without a load its mean place is that of the beta law; work grows with the number of pieces to what the gas has lost."""
    assert _engine._lift_law(left, right, [1e-9]) / 1e-9 == pytest.approx(.5 - theory.piston_mean(left, right), abs=1e-5)
    works = [_engine._lift_law(left, right, _engine._loads(max(left, .5), count)) for count in (1, 4, 16, 256)]
    lost = float(_engine._at_temperature(memory(left=left, right=right)).lost[0])
    assert works == sorted(works) and max(works) < lost + 1e-9
    if left == 18:
        assert works[-1] == pytest.approx(lost, abs=.7) and works[0] == pytest.approx(lost / 2, rel=.1)


def test_loads_balance_the_gas():
    """At equal steps from the middle to where no load is needed."""
    one, = _engine._loads(20, 1)
    assert one == pytest.approx(80 / .65 - 20 / .35) and _engine._loads(50, 3) == [0, 0, 0]
    assert _engine._loads(20, 4) == sorted(_engine._loads(20, 4), reverse=True)


def test_the_first_law():
    """Heat from the sides becomes work on the load and energy of gas and piston; without a load, no work."""
    gas = _engine._parted(2)[MEMORIES.index(CHOSEN)]
    copy, before = gas.copy(), gas.kinetic_energy
    work, heat = _engine._lift(copy, _engine._loads(18, 2))
    assert heat - work == pytest.approx(copy.energy_balance().kinetic - before, abs=1e-9) and work != 0 != heat
    assert _engine._lift(gas, [0.])[0] == 0


def test_a_slow_wall_by_theory(monkeypatch):
    """Of points T A is constant: the work to equal pressures is (sqrt E_right - sqrt E_left)^2 / 2; of discs it is another."""
    found = memory(left=90, right=110, energy_left=60., energy_right=140.)
    end = _engine._even(found)
    assert end == pytest.approx(math.sqrt(60) / (math.sqrt(60) + math.sqrt(140)))
    law = (math.sqrt(140) - math.sqrt(60)) ** 2 / 2
    discs = _engine._slow_law(found, end).sum(axis=1)
    monkeypatch.setattr(_engine, "RADIUS", 1e-9)
    sides = _engine._slow_law(found, end)
    assert sides.sum(axis=1) == pytest.approx(law, rel=1e-6) and (sides[:, 0] < 0).all() and (sides[:, 1] > 0).all()
    assert discs == pytest.approx(law, rel=.1) and not discs == pytest.approx(law, rel=.005)


def test_a_gain_would_be_noticed():
    """If erasing were cheaper than the work, if work exceeded what the gas has lost, or if a fast wall gave more."""
    work = Work(np.linspace(20.9, 21.1, 12), np.linspace(21, 21.1, 12), np.linspace(20, 22, 12))
    lifts = {(CHOSEN, count): work for count in LOADS} | {(bits, _engine.ALL): work for bits in MEMORIES}
    strokes = {speed: work.done - 1 for speed in _engine.FAST}

    def bounds(held, speeds=strokes):
        checks = _engine._lift_checks(dict.fromkeys(MEMORIES, held), lifts) + _engine._stroke_checks(held, work, speeds, .2)
        return [check.agrees for check in checks if check.bound]

    assert bounds(memory()) == [True] * 10
    assert bounds(memory(nats=19.)) == [True, *[False] * 5, True, True, True, False]
    assert bounds(memory(lost=19.)) == [False, *[True] * 9]
    more = {**strokes, _engine.FAST[0]: work.done + np.linspace(1, 1.2, 12)}
    assert bounds(memory(), more) == [*[True] * 6, False, *[True] * 3]


def test_the_gas_of_the_gallery():
    """A piston with a load, and most of the discs on its right."""
    gas = _engine.loaded()
    assert gas.pistons[0].force > 0 and (gas.positions[:, 0] < .5).mean() < .35
    gas.simulate(until=gas.time + 4)
    assert gas.pistons[0].place < .5 and gas.energy_balance().work < 0
