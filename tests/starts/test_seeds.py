"""A seed is a whole number, for every function that takes one."""
import inspect

import numpy as np
import pytest

import hdsim
from hdsim import lab
from hdsim.app.play import Game
from hdsim.compat import BouncingBalls
from hdsim.lab.exercises import EXPERIMENTS
from hdsim.reference.timestep import BouncingBalls as SteppedBalls
from hdsim.starts import datasets, states, tables

OTHER_SEEDS = {"None": None, "a Generator": np.random.default_rng(1), "a RandomState": np.random.RandomState(1), "a float": 1.5,
               "a whole float": 2., "text": "1", "bytes": b"1", "an array": np.arange(2), "a list": [1, 2]}
TAKE_SEEDS = {
    "random": lambda seed: hdsim.random(3, seed=seed), "random, dense": lambda seed: hdsim.random(20, radius=.09, seed=seed),
    "random, points": lambda seed: hdsim.random(3, radius=0, temperature=1, seed=seed),
    "random among obstacles": lambda seed: hdsim.random(3, radius=.01, seed=seed, obstacles=[hdsim.Circle((.5, .5), .1)]),
    "sequential_addition": lambda seed: states.sequential_addition(3, .1, seed),
    "compressed": lambda seed: states.compressed(3, .1, seed),
    "compressed among obstacles": lambda seed: states.compressed(3, .1, seed, obstacles=[hdsim.Circle((.5, .5), .1)]),
    "thermal_velocities": lambda seed: states.thermal_velocities(np.ones(3), 1., seed),
    "State.system": lambda seed: states.triangular(12, .3).system(1., seed=seed),
    "Table.random": lambda seed: tables.sinai(.2).random(3, radius=.01, seed=seed),
    "compat": lambda seed: BouncingBalls(3, seed), "time steps": lambda seed: SteppedBalls(3, .5, seed),
    **{f"data {name}": (lambda make: lambda seed: make(seed))(make) for name, make in {
        "gas": lambda seed: datasets.gas(3, .01, 1., 1., seed), "lattice": lambda seed: datasets.lattice(2, .1, 1., 1.,
                                                                                                         seed)}.items()},
}


@pytest.mark.parametrize("other", OTHER_SEEDS)
@pytest.mark.parametrize("name", TAKE_SEEDS)
def test_a_seed_that_is_no_whole_number_is_refused_by_name(name, other):
    """The message says what a numpy Generator can give."""
    with pytest.raises(TypeError, match=r"^seed is .*; it must be a whole number, and for a numpy Generator rng it may be int\("):
        TAKE_SEEDS[name](OTHER_SEEDS[other])


@pytest.mark.parametrize("name", TAKE_SEEDS)
def test_whole_numbers_of_every_type_and_size_are_seeds(name):
    for seed in (0, 1, -1, np.int64(3), np.uint8(255), 2**70, int(np.random.default_rng(1).integers(2**63))):
        assert TAKE_SEEDS[name](seed) is not None


@pytest.mark.parametrize("other", [name for name in OTHER_SEEDS if name != "None"])
def test_where_a_seed_may_be_left_out_others_are_refused_all_the_same(other):
    """None is a default there: the seed is 0."""
    seed = OTHER_SEEDS[other]
    with pytest.raises(TypeError, match="^seed is .*; it must be a whole number"):
        hdsim.load("5", seed=seed)
    assert np.array_equal(hdsim.load("5", seed=None).positions, hdsim.load("5", seed=0).positions)
    for name in EXPERIMENTS:
        if name not in ("break", "temperature"):        # which take no seed, or only with a number of discs
            with pytest.raises(TypeError, match="^seed is .*; it must be a whole number"):
                lab.experiment(name)(quick=True, seed=seed)
    with pytest.raises(TypeError, match="^seed is .*; it must be a whole number"):
        lab.experiment("temperature")(10, quick=True, seed=seed)


@pytest.mark.parametrize("other", OTHER_SEEDS)
def test_the_seed_of_a_round_is_a_whole_number(other):
    with pytest.raises(TypeError, match="^seed is .* and discs is 5; they must be whole numbers"):
        Game(OTHER_SEEDS[other])


@pytest.mark.parametrize("seeds", [None, np.random.default_rng(1), 1.5, [1, 2.5], [None], "12", [np.random.default_rng(1)]])
def test_seeds_of_replicas_are_whole_numbers(seeds):
    for run in (lambda: hdsim.ensemble(hdsim.load, seeds, "pressure", until=1),
                lambda: hdsim.sweep(lambda seed, n: hdsim.random(n, seed=seed), {"n": [3]}, seeds, "pressure", until=1)):
        with pytest.raises(TypeError, match="^seeds is .*; it must be integers, or how many"):
            run()


def test_every_public_function_with_a_seed_is_in_the_list():
    """Those that this file does not call."""
    found = set()
    for module in (hdsim, states, tables, lab, datasets):
        for name in dir(module):
            made = getattr(module, name)
            if inspect.isfunction(made) and "seed" in inspect.signature(made).parameters:
                found.add(name)
    called = {"random", "sequential_addition", "compressed", "thermal_velocities", "load", "gas", "lattice",
              *(name.replace("-", "_") for name in EXPERIMENTS)}
    rest = {"crowded", "demon", "equal_speeds", "hockey", "mixing", "parted", "pollen", "red_among_blue", "rink", "slit", "spot",
            "vessels", "random_discs"}     # data sets, made as `gas` is
    assert found - rest <= called and len(found) > 25
