"""copy, deepcopy, pickle, save and load: a system goes on bit for bit; and where systems come from."""
from __future__ import annotations

import copy
import io
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from scenes import SCENES, TORUS, at_most, environment, gas, mixture, python, state, trajectory, unchanged

import hdsim
from hdsim import Box, CollisionSystem, JammedError, Particle


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(20):
        yield


def through_a_file(system, folder):
    system.save(folder / "state.npz")
    return hdsim.load(folder / "state.npz")


WAYS = {
    "copy": lambda system, folder: system.copy(),
    "copy.copy": lambda system, folder: copy.copy(system),
    "deepcopy": lambda system, folder: copy.deepcopy([system, system])[0],
    "pickle": lambda system, folder: pickle.loads(pickle.dumps(system)),
    "pickle 2": lambda system, folder: pickle.loads(pickle.dumps(system, protocol=2)),
    "checkpoint": lambda system, folder: CollisionSystem.from_checkpoint(*system.checkpoint()),
    "file": through_a_file,
}


def goes_on(system, twin, until=1.):
    """Both are the same now, and after every one of many events, and at the end of a run."""
    assert trajectory(twin) == trajectory(system)
    for _ in range(40):
        assert twin.next_event() == system.next_event()
        assert twin.hash() == system.hash()
    assert twin.step(until) == system.step(until)
    assert trajectory(twin) == trajectory(system)
    assert twin.simulate(max_events=2500) == system.simulate(max_events=2500)
    assert trajectory(twin) == trajectory(system)


@pytest.mark.sample(30)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("mode", ["simultaneous", "sequential"])
def test_a_copy_goes_on_bit_for_bit(way, scene, mode, tmp_path):
    """Whichever way it was made, wherever the run stood: same state, same events, same hash; the original is unmoved."""
    system = SCENES[scene](collisions=mode, k_B=2.)
    system.simulate(.7)
    with unchanged(system):
        twin = WAYS[way](system, tmp_path)
    assert type(twin) is CollisionSystem and twin is not system
    goes_on(system, twin)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scene", SCENES)
def test_a_copy_is_the_same_in_all_that_can_be_seen(way, scene, tmp_path):
    """Ids, colours, settings, the next event, and the statistics: they too go on where they were."""
    system = SCENES[scene](k_B=3.)
    system.simulate(2.)
    twin = WAYS[way](system, tmp_path)
    assert state(twin) == state(system)
    system.simulate(5.), twin.simulate(5.)
    assert without_effort(state(twin)) == without_effort(state(system))


def without_effort(state):
    """How much was predicted on the way may differ: a checkpoint holds no plans."""
    statistics = {name: count for name, count in state["statistics"].items()
                  if name not in ("predictions", "exact_evaluations", "crossings", "repredictions", "queue_operations")}
    return {**state, "statistics": statistics}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("time", [-3., 1e6, 1e15])
def test_copies_far_from_the_origin_of_time(way, time, tmp_path):
    """The clock is copied beyond what `time` can show: small steps fall alike."""
    system = gas(box=TORUS, time=time)
    for _ in range(30):
        system.step(.01)
    twin = WAYS[way](system, tmp_path)
    for _ in range(100):
        assert system.step(.003) == twin.step(.003)
    assert trajectory(system) == trajectory(twin)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("before", [2**30 - 1, 2**30 - 40, 2**31 - 40, 2**32 - 40, 2**60 - 1000])
def test_counts_go_on_beyond_four_bytes(way, before, tmp_path):
    """Contacts and images are counted in four bytes each, and what no longer fits in four more."""
    fresh = gas(box=Box(1, 1, (True, False)))
    fresh.simulate(3.)
    arrays, data = fresh.checkpoint()
    assert (arrays["tallies"][:, :2] > 0).any(axis=0).all()
    signs = np.where(np.arange(len(fresh)) % 2, -1, 1)
    add = before * np.column_stack([np.ones_like(signs), np.ones_like(signs), signs, np.zeros_like(signs)])
    arrays["tallies"] = arrays["tallies"] + add
    late = CollisionSystem.from_checkpoint(arrays, data)
    for system in (fresh, late):
        system.simulate(9.)
    late = WAYS[way](late, tmp_path)
    for system in (fresh, late):
        system.simulate(15.)
    seen = [system.checkpoint()[0]["tallies"] for system in (fresh, late)]
    assert (seen[1] - seen[0] == add).all()
    assert (seen[0][:, 2] > 0).any() and (seen[0][:, 2] < 0).any()
    assert (late.pair_counts - fresh.pair_counts == before).all() and (late.wall_counts - fresh.wall_counts == before).all()
    gone = (late.unwrapped_positions - fresh.unwrapped_positions) / fresh.box.width
    assert np.allclose(gone, add[:, 2:], rtol=1e-15, atol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_copies_between_simultaneous_events(way, tmp_path):
    """A run that max_events stopped between events of one instant: the rest of them follow in the same order."""
    system = CollisionSystem([Particle(.5, .05 + .1 * k, 1., 0, .03125, 1) for k in range(8)])
    system.simulate(max_events=3)
    for _ in range(20):
        assert system.peek() is not None
        twin = WAYS[way](system, tmp_path)
        for _ in range(11):
            assert system.next_event() == twin.next_event()
        assert trajectory(system) == trajectory(twin)
    assert len({system.next_event().time for _ in range(8)}) <= 2


@pytest.mark.sample(14)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("after", [0, 10, 999, 1000, 1001, 1500, None])
def test_copies_in_the_middle_of_a_jam(way, after, tmp_path):
    """The copy is as far from the error as the original, and names the same discs."""
    system = CollisionSystem([Particle(.125 + .25 * k, .5, float(k == 0), 0, .125, 1) for k in range(4)], collisions="sequential")
    if after is None:
        with pytest.raises(JammedError):
            system.simulate(1)
    else:
        assert system.simulate(1, max_events=after) == after
    twin = WAYS[way](system, tmp_path)
    errors = []
    for one in (system, twin):
        with pytest.raises(JammedError) as caught:
            one.simulate(1)
        errors.append((str(caught.value), caught.value.particles))
    assert errors[0] == errors[1] and trajectory(system) == trajectory(twin)


def test_a_jam_error_can_be_pickled():
    """For runs in other processes: message and discs arrive."""
    error = pickle.loads(pickle.dumps(JammedError("jammed", (1, 2))))
    assert str(error) == "jammed" and error.particles == (1, 2)


@pytest.mark.parametrize("way", WAYS)
def test_copies_after_changes(way, tmp_path):
    """add, remove, edit and reverse, with ids and colours, and images of periodic axes."""
    system = gas(box=TORUS)
    system.simulate(3.)
    system.remove(3)
    system.remove(-1)
    with system.edit() as draft:
        draft.velocities[0] *= -2
        draft.colors[1] = 9, 8, 7
        draft.masses[2] = math.inf
    system.reverse()
    system.step(.1)
    places = np.random.default_rng(0).random((100, 2)).tolist()
    system.add(Particle(*next(p for p in places if is_free(system, p)), 0, 0, 0, 1))
    twin = WAYS[way](system, tmp_path)
    assert twin.ids.tolist() == system.ids.tolist()
    goes_on(system, twin)
    for one in (system, twin):
        one.remove(0)
    goes_on(system, twin)


def is_free(system, place):
    return np.hypot(*(system.positions - place).T).min() > .04


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", [CollisionSystem, lambda: CollisionSystem([Particle(.5, .5, 0, 0, .5, math.inf)], time=7.),
                                  lambda: CollisionSystem([Particle(.5, .5, 1, 0, .1, 1)], box=Box(3, 2, True), k_B=1.38),
                                  lambda: gas(cells=(3, 2))])
def test_copies_of_small_and_resting_systems(way, make, tmp_path):
    """No discs, nothing that moves, one disc alone, a grid of one's own; also long after."""
    system = make()
    system.step(17.)
    twin = WAYS[way](system, tmp_path)
    assert trajectory(twin) == trajectory(system)
    assert (twin.box, twin.k_B, twin.collisions, len(twin)) == (system.box, system.k_B, system.collisions, len(system))
    system.step(5.), twin.step(5.)
    assert trajectory(system) == trajectory(twin)


@pytest.mark.parametrize("way", WAYS)
def test_copies_are_independent(way, tmp_path):
    """Running and changing one leaves the other as it is."""
    system = gas()
    twin = WAYS[way](system, tmp_path)
    with unchanged(twin):
        system.simulate(1.), system.remove(0), system.reverse()
    with unchanged(system):
        twin.simulate(2.)
        with twin.edit() as draft:
            draft.velocities[:] = 0


def test_a_chain_of_copies_is_one_run():
    """Copy after every few events, each by another way: the hash is that of the run without copies."""
    system, whole = mixture(), mixture()
    for k in range(60):
        system.simulate(max_events=5)
        system = [system.copy, lambda: pickle.loads(pickle.dumps(system)), lambda: copy.deepcopy(system)][k % 3]()
    whole.simulate(max_events=300)
    assert trajectory(system) == trajectory(whole)


def test_a_subclass_stays_a_subclass():
    """Also through pickle."""
    system = Counted([Particle(.5, .5, 1, 0, .1, 1)])
    for twin in (system.copy(), pickle.loads(pickle.dumps(system)), copy.deepcopy(system)):
        assert type(twin) is Counted


class Counted(CollisionSystem):
    """For the test above; at module level, so that pickle finds it."""


@pytest.mark.parametrize("scene", ["periodic", "break"])
def test_a_checkpoint_goes_on_in_a_new_process(scene, tmp_path):
    """Another interpreter reads the file, runs on, and finds the same bits; a pickle too."""
    system = SCENES[scene]()
    system.simulate(max_events=77)
    system.save(tmp_path / "a.npz")
    (tmp_path / "a.pickle").write_bytes(pickle.dumps(system))
    out = python(f"""
import hdsim, pickle
from pathlib import Path
folder = Path({str(tmp_path)!r})
for system in (hdsim.load(folder / "a.npz"), pickle.loads((folder / "a.pickle").read_bytes())):
    system.step(2.)
    print(system.hash(), system.time.hex(), system.positions.tobytes().hex())
""")
    system.step(2.)
    assert out.splitlines() == [f"{system.hash()} {system.time.hex()} {system.positions.tobytes().hex()}"] * 2


def test_equal_systems_write_equal_files(tmp_path):
    """Byte for byte: a checkpoint holds the state and nothing of the moment."""
    for name in ("a", "b"):
        system = gas()
        system.simulate(1.)
        system.save(tmp_path / f"{name}.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_callbacks_are_not_in_a_checkpoint():
    """Not even such as cannot be pickled."""
    system = gas()
    system.on_collision(lambda event: None), system.on_timer(lambda event: None, every=.1)
    system.simulate(.25)
    twin = pickle.loads(pickle.dumps(system))
    with pytest.raises(ValueError, match="nothing can stop the run"):
        twin.simulate()
    system.simulate(1.), twin.simulate(1.)
    assert trajectory(system) == trajectory(twin)


# load and random

def test_a_checkpoint_holds_its_own_settings(tmp_path):
    """box and options beside it are refused, by name."""
    path = tmp_path / "state.npz"
    gas(k_B=3.).save(path)
    assert hdsim.load(str(path)).k_B == 3.
    for options, found in ((dict(box=Box()), "box"), (dict(order="radius-mass"), "order"), (dict(seed=1), "seed"),
                           (dict(strict=True, k_B=1.), "k_B, strict")):
        with pytest.raises(ValueError, match=f"^{found} cannot be given for .*state.npz: that is a checkpoint$"):
            hdsim.load(path, **options)


def test_options_are_for_the_sources_they_concern():
    """A seed is for a number, an order of columns for text; a number that cannot be counted is said to be too large."""
    with pytest.raises(ValueError, match="^seed cannot be given for billiards5: no surface of it has a temperature$"):
        hdsim.load("billiards5", seed=3)
    with pytest.raises(ValueError, match="^order cannot be given for 10: that is a number$"):
        hdsim.load("10", order="mass-radius")
    with pytest.raises(ValueError, match="a number of discs of at most 2147483647, found 2147483648"):
        hdsim.load("2147483648")
    for wrong in (100, b"p10", None):
        with pytest.raises(TypeError, match=f"^expected a path, a name or an open file, found {wrong!r}; hdsim.random"):
            hdsim.load(wrong)


def test_ids_of_a_checkpoint_must_ascend():
    """The error names the rule, and the number below which ids must be."""
    arrays, data = gas(5).checkpoint()
    for ids in ([1, 0, 2, 3, 4], [0, 1, 2, 3, 5], [-1, 1, 2, 3, 4]):
        with pytest.raises(ValueError, match="^the ids are not ascending numbers from 0 to below next_id, 5$"):
            hdsim.CollisionSystem.from_checkpoint({**arrays, "ids": np.array(ids)}, data)


DAMAGES = [
    lambda arrays, data: arrays.pop("states"), lambda arrays, data: data.pop("box"),
    lambda arrays, data: data["engine"].pop("hash"),
    lambda arrays, data: arrays.update(states=arrays["states"][:, :3]),
    lambda arrays, data: arrays.update(tallies=arrays["tallies"][:1]),
    lambda arrays, data: arrays.update(states=arrays["states"][:2]),
    lambda arrays, data: arrays.update(colors=arrays["colors"][:2]),
    lambda arrays, data: arrays.update(ids=arrays["ids"][:2]), lambda arrays, data: data.update(collisions="both"),
    lambda arrays, data: data.update(k_B="x"), lambda arrays, data: data.update(box=["0x1p0"]),
    lambda arrays, data: data.update(speed=[[99, 99], "calendar", True]),
    lambda arrays, data: data.update(speed=[None, "stack", True]),
    lambda arrays, data: data["engine"].update(clocks=["0x0p0"]),
    lambda arrays, data: data["engine"].update(streak_tally=[0] * 9999),
    lambda arrays, data: arrays["states"].__setitem__((0, 0), np.nan),
    lambda arrays, data: arrays["states"].__setitem__((1, 2), np.inf),
    lambda arrays, data: arrays["states"].__setitem__((1, 5), -1.), lambda arrays, data: arrays["states"].__setitem__((1, 6), 0.),
    lambda arrays, data: arrays["states"].__setitem__((0, 0), 55.),
    lambda arrays, data: arrays["states"].__setitem__((0, 4), 1e9),
    lambda arrays, data: arrays["tallies"].__setitem__((2, 1), 2**60 + 1),
    lambda arrays, data: arrays["tallies"].__setitem__((2, 3), -2**63),
    lambda arrays, data: data["engine"]["clocks"].__setitem__(2, "nan"), lambda arrays, data: data.update(engine=None),
]


def test_a_checkpoint_of_something_else_is_a_format_error(tmp_path):
    """Well-formed files whose content is no state of a system: FileFormatError in one line, never a crash, and no
    illegal value reaches the engine. All are read in one other process."""
    from hdsim.formats import io as files

    system = gas(5)
    system.simulate(.3)
    for number, damage in enumerate(DAMAGES):
        arrays, data = system.checkpoint()
        damage(arrays, data)
        files.save_checkpoint(tmp_path / f"odd{number}.npz", arrays, data)
    out = python(f"""
import hdsim
for number in range({len(DAMAGES)}):
    print(number, end=" ", flush=True)
    try:
        system = hdsim.load({str(tmp_path)!r} + f"/odd{{number}}.npz")
        system.simulate(max_events=10)
    except hdsim.FileFormatError as error:
        assert f"odd{{number}}.npz" in str(error) and "\\n" not in str(error), error
        print("refused")
""")
    assert out == "".join(f"{number} refused\n" for number in range(len(DAMAGES)))


def test_sources_in_their_order(tmp_path, monkeypatch):
    """"-" is stdin; else an existing file; else digits are N; else a data set, with or without .txt; else an error."""
    monkeypatch.chdir(tmp_path)
    text = "1\n.5 .5 .1 0 .1 2 1 2 3\n"

    class Stdin:
        buffer = io.BytesIO(text.encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    for source in ("-", io.BytesIO(text.encode())):
        system = hdsim.load(source)
        assert len(system) == 1 and system.masses.tolist() == [2.] and system.k_B == 1.38
    assert len(hdsim.load("12")) == 12 and len(hdsim.load("billiards5")) == len(hdsim.load("billiards5.txt")) == 16
    for name in ("12", "billiards5"):
        (tmp_path / name).write_text(text)
        assert len(hdsim.load(name)) == len(hdsim.load(tmp_path / name)) == 1


@pytest.mark.parametrize("name, n", [("7", 7), ("billiards5", 16)])
def test_a_directory_is_no_file(name, n, tmp_path, monkeypatch):
    """A folder that happens to have the name of a data set, or of a number, hides nothing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    assert len(hdsim.load(name)) == n


def test_an_unknown_source_lists_the_nearest_names():
    """FileNotFoundError in one line."""
    with pytest.raises(FileNotFoundError, match="biliards5.txt: no such file, and no system of this name; nearest: billiards5"):
        hdsim.load("biliards5.txt")
    with pytest.raises(FileNotFoundError, match="qqqqqq: no such file, and no system of this name; `python -m hdsim list` "
                                                "shows them all"):
        hdsim.load("qqqqqq")
    for name in ("", "-5", "1.5", "٣"):
        with pytest.raises(FileNotFoundError):
            hdsim.load(name)


def test_k_b_is_the_books_for_the_books_files_unless_given(tmp_path):
    """1.38 for text and named data, 1 for a number and for random; temperature follows."""
    assert hdsim.load("billiards10").k_B == 1.38 and hdsim.load("billiards10", k_B=1.).k_B == 1.
    assert hdsim.load("10").k_B == hdsim.random(10).k_B == CollisionSystem().k_B == 1.
    assert hdsim.load("10", k_B=1.38).k_B == 1.38
    one, book = hdsim.load("billiards10", k_B=1.), hdsim.load("billiards10")
    assert book.temperature == pytest.approx(one.temperature / 1.38, rel=1e-15)
    book.save(tmp_path / "b.npz")
    assert hdsim.load(tmp_path / "b.npz").k_B == 1.38


def test_n_random_discs():
    """Radius min(.02, sqrt(.25 / (pi N))), mass .5, velocities uniform in +-.005, seed 0; no overlap; in any box."""
    for n in (1, 100, 1000):
        system = hdsim.load(str(n), strict=True)
        assert len(system) == n and np.unique(system.radii).tolist() == pytest.approx([min(.02, math.sqrt(.25 / (math.pi * n)))])
        assert set(system.masses) == {.5} and np.abs(system.velocities).max() <= .005
        assert trajectory(system) == trajectory(hdsim.random(n, seed=0)) == trajectory(hdsim.load(str(n), seed=0))
    assert trajectory(hdsim.load("100", seed=1)) != trajectory(hdsim.load("100"))
    wide = hdsim.load("50", box=Box(4, .5, (True, False)))
    assert wide.box == Box(4, .5, (True, False)) and wide.positions[:, 0].max() > 1
    assert hdsim.load("5", collisions="sequential").collisions == "sequential"


def test_a_text_file_takes_box_and_options(tmp_path):
    """The format holds no box: it is given; so are the order of the columns and the options of the system."""
    path = tmp_path / "wide.txt"
    path.write_text("2\n1.5 .5 1 0 .1 2 0 0 0\n.5 .5 0 0 .1 2 0 0 0\n")
    system = hdsim.load(path, box=Box(2, 1, (True, False)), time=3., collisions="sequential", k_B=2., strict=True)
    assert (system.box, system.time, system.collisions, system.k_B) == (Box(2, 1, (True, False)), 3., "sequential", 2.)
    with pytest.raises(ValueError):
        hdsim.load(path)


def test_a_named_set_read_by_a_new_process_runs_to_the_same_hash():
    """Same input, same bits, across runs."""
    system = hdsim.load("billiards10")
    system.simulate(20)
    code = "import hdsim; system = hdsim.load('billiards10'); system.simulate(20); print(system.hash())"
    done = subprocess.run([sys.executable, "-c", code], env=environment() | {"PYTHONHASHSEED": "7"}, capture_output=True,
                          text=True, timeout=20)
    assert done.stdout.strip() == system.hash()
