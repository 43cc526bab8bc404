"""The public face of systems in three dimensions, and what says that it has two."""
import copy
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Particle, Sphere, _core
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.system.engines import core_of

CUBE = Box(1, 1, depth=1)


def some(n=27, seed=1, box=CUBE, **options):
    rng = np.random.default_rng(seed)
    side = math.ceil(n ** (1 / 3))
    x = (np.stack(np.meshgrid(*[np.arange(side)] * 3), -1).reshape(-1, 3)[:n] + .5) / side * box.lengths
    return CollisionSystem.from_arrays(x, rng.normal(size=x.shape), .3 / side * min(box.lengths), box=box, **options)


def test_boxes():
    slab = Box(20, 10, depth=1.5, periodic=(True, True, False))
    assert (slab.dimension, slab.lengths, slab.volume) == (3, (20., 10., 1.5), 300.)
    assert Box.of((20, 10, 1.5), (True, True, False)) == slab and hash(Box.of(slab.lengths, slab.periodic)) == hash(slab)
    assert eval(repr(slab)) == slab and eval(repr(Box(2, 1))) == Box(2, 1) == Box.of((2, 1)) != Box(2, 1, depth=1)
    assert Box(1, 1, True, 2.).periodic == (True,) * 3 and Box(1, 1).area == 1 == Box(1, 1).volume
    assert repr(Box()) == "Box(width=1.0, height=1.0, periodic=(False, False))"
    with pytest.raises(AttributeError, match="volume"):
        slab.area
    for wrong, words in ((dict(depth=0), "box depth is 0"), (dict(depth=math.inf), "box depth"), (dict(depth="a"), "box depth"),
                         (dict(depth=1, periodic=(True, False)), r"three, \(x, y, z\)"),
                         (dict(periodic=(True, False, True)), r"a pair \(x, y\)")):
        with pytest.raises((ValueError, TypeError), match=words):
            Box(1, 1, **wrong)
    for lengths in ((1,), (1, 2, 3, 4)):
        with pytest.raises(ValueError, match="two or three"):
            Box.of(lengths)


def test_three_columns_make_spheres():
    system = some(box=Box(1, 2, depth=.5, periodic=(True, False, False)))
    assert system.dimension == 3 and system.positions.shape == system.velocities.shape == (27, 3)
    assert repr(system) == "<CollisionSystem of 27 spheres in 1 x 2 x 0.5 (periodic in x), time 0>"
    assert system.packing_fraction == pytest.approx(27 * 4 / 3 * math.pi * system.radii[0]**3 / 1.)
    assert system.momentum.shape == (3,)
    still, freedom = system.thermal_freedom()
    assert freedom == 80 and system.temperature == pytest.approx(2 * (system.kinetic_energy - still) / 80)
    system.simulate(until=1.)
    assert system.statistics["events"] > 50
    with pytest.raises(ValueError, match=r"shape \(1, 2\), and the box has 3 dimensions"):
        CollisionSystem.from_arrays([(0, 0)], [(0, 0)], .1, box=CUBE)
    with pytest.raises(ValueError, match=r"shape \(1, 3\), and the box has 2 dimensions"):
        CollisionSystem.from_arrays([(0, 0, 0)], [(0, 0, 0)], .1, box=Box())
    with pytest.raises(ValueError, match=r"expected \(n, 2\) or \(n, 3\)"):
        CollisionSystem.from_arrays([(0, 0, 0, 0)], [(0, 0, 0, 0)], .1)
    with pytest.raises(ValueError, match="velocities has shape"):
        CollisionSystem.from_arrays([(.5, .5, .5)], [(0, 0)], .1)
    assert CollisionSystem.from_arrays(np.empty((0, 3)), np.empty((0, 3)), .1).dimension == 3
    assert CollisionSystem.from_arrays([], [], .1, box=CUBE).dimension == CollisionSystem((), box=(1, 1, 1)).dimension == 3
    assert CollisionSystem.from_arrays([], [], .1).dimension == CollisionSystem().dimension == 2


@pytest.mark.parametrize("axis, wall", [(0, "left"), (1, "bottom"), (2, "back")])
def test_what_reaches_through_a_wall(axis, wall):
    for side, name in ((0., wall), (1., {"left": "right", "bottom": "top", "back": "front"}[wall])):
        x = np.full((1, 3), .5)
        x[0, axis] = side
        with pytest.raises(ValueError, match=f"reaches through the {name} wall of the box 1.0 x 1.0 x 1.0"):
            CollisionSystem.from_arrays(x, np.zeros((1, 3)), .1)


def test_walls_and_normals():
    """Each wall by its name, with a normal of three numbers."""
    for k, name in enumerate(("left", "right", "bottom", "top", "back", "front")):
        v = [0.] * 3
        v[k // 2] = 2 * (k % 2) - 1.
        system = CollisionSystem([Sphere((.5, .5, .5), v, .1, 2.)])
        predicted, seen = system.next_contact(0), system.peek()
        event = system.next_event()
        assert event == seen and event.kind == "wall" and event.wall == name == predicted.wall
        assert event.contacts[0].normal == tuple(v) and event.impulse == 4 and event.time == pytest.approx(.4)
        assert system[0].velocity == tuple(-np.array(v) + 0.) and system[0].count == 1
    pair = CollisionSystem([Sphere((.2, .2, .2), (1, 1, 1), .1, 1), Sphere((.8, .8, .8), (0, 0, 0), .1, 1)])
    event = pair.next_event()
    assert event.kind == "pair" and event.contacts[0].normal == pytest.approx((1 / math.sqrt(3),) * 3)


def test_spheres_in_and_out():
    system = some(8)
    assert isinstance(system[3], Sphere) and [s.position for s in system] == [tuple(row) for row in system.positions.tolist()]
    assert system.add(Sphere((.5, .5, .5), (1, 0, 0), .02, 3., (1, 2, 3))) == 8 and system[8].mass == 3
    assert system[8].color == (1, 2, 3) and system[-1].box == system.box
    system.remove(0)
    assert len(system) == 8 and system.ids.tolist() == list(range(1, 9))
    with pytest.raises(TypeError, match="expected a Sphere, got Particle"):
        system.add(Particle(.5, .5, 0, 0, .1, 1))
    with pytest.raises(TypeError, match="expected a Particle, got Sphere"):
        CollisionSystem().add(Sphere((.5, .5, .5), (1, 0, 0), .02, 3.))
    with pytest.raises(TypeError, match="discs and spheres"):
        CollisionSystem([Sphere((.5, .5, .5), (1, 0, 0), .02, 3.), Particle(.5, .5, 0, 0, .1, 1)])
    for body, box, words in ((Particle(.5, .5, 0, 0, .1, 1), CUBE, "3 dimensions; it holds spheres: use Sphere"),
                             (Sphere((.5, .5, .5), (1, 0, 0), .02, 3.), Box(), "2 dimensions; it holds discs: use Particle")):
        with pytest.raises(ValueError, match=words):
            CollisionSystem([body], box=box)
    with pytest.raises(ValueError, match="overlap"):
        system.add(Sphere(system[0].position, (1, 0, 0), .02, 3.))
    with system.edit() as draft:
        draft.velocities *= 2
        draft.positions[7] = .52, .5, .5
        draft.box = 2, 2, 2
    assert system.box == Box(2, 2, depth=2) and system[7].position == (.52, .5, .5)
    with pytest.raises(ValueError, match="must have 3 lengths"):
        with system.edit() as draft:
            draft.box = 2, 2
    system.check()


@pytest.mark.parametrize("collisions", ["simultaneous", "sequential"])
def test_copies_pieces_and_files(tmp_path, collisions):
    system = some(64, 2, Box(1, 1, depth=1, periodic=(True, False, True)), collisions=collisions)
    whole = system.copy()
    whole.simulate(until=2.)
    system.simulate(until=.7)
    system.save(tmp_path / "spheres.npz")
    runs = [system, system.copy(), copy.deepcopy(system), pickle.loads(pickle.dumps(system)),
            hdsim.load(tmp_path / "spheres.npz")]
    for one in runs:
        assert one.dimension == 3 and one.box == whole.box and one.hash() == system.hash()
    for k, one in enumerate(runs):
        for _ in range(k):
            one.next_event()
            one.step(.01)
        one.simulate(until=2.)
        assert one.hash() == whole.hash() and one.positions.tobytes() == whole.positions.tobytes()
        assert one.unwrapped_positions.tobytes() == whole.unwrapped_positions.tobytes()


def test_callbacks_and_timers():
    system, alone, seen, times = some(), some(), [], []
    system.on_collision(seen.append)
    system.on_collision(lambda event: seen.append("pair"), "pair")
    system.on_redraw(lambda event: times.append(event.time), every=.25)
    events = list(system.events(until=.5))
    alone.simulate(until=.5)
    contacts = [event for event in events if event.contacts]
    assert times == [.25, .5] and system.hash() == alone.hash() and [e for e in seen if e != "pair"] == contacts
    assert seen.count("pair") == alone.statistics["pair_contacts"]
    assert {c.wall for e in contacts for c in e.contacts} > {"left", "front"}


def test_reading():
    system = some(64, box=Box(1, 1, depth=1, periodic=True))
    contact, queue, near = system.schedule(1)[0], system.queue(5), system.near(0)
    assert near.cells.shape[1] == 6 and contact.time == system.peek().time == queue.entries[0].time or queue.days
    out = np.empty((64, 3), np.float32)
    system.advance_into(out)
    assert np.abs(out - system.positions).max() < 1e-6
    with pytest.raises(ValueError, match=r"expected \(64, 3\)"):
        system.advance_into(np.empty((64, 2)))
    with pytest.raises(TypeError, match="columns, rows, layers"):
        some(8, cells=(1, 1))
    with pytest.raises(ValueError, match=r"allow \(1, 1, 1\) to"):
        some(8, cells=(1, 1, 999))
    with pytest.raises(ValueError, match=r"expected \(8, 3\)"):
        some(8, images=np.zeros((8, 2)))
    images = some(8, images=np.ones((8, 3)), box=Box(1, 1, depth=1, periodic=True))
    assert (images.unwrapped_positions - images.positions == 1).all()


def test_what_does_not_fit_three_dimensions_is_refused():
    """Observers, checkpoints and the doors of the core, by the number of axes."""
    flat, system = hdsim.random(8, radius=.01), some(8)
    for one, observer, words in (
            (system, hdsim.RegionFractions([0, 0, .5, .5], every=.1), "regions has 4 numbers for each; in 3 dim"),
            (flat, hdsim.RegionFractions([0, 0, 0, .5, .5, .5], every=.1), "6 numbers for each; in 2 dimensions it needs 4"),
            (flat, hdsim.Flow(z=.5), "the line z is in no box of two dimensions; give x or y"),
            (system, hdsim.Flow(z=1.), "the line z = 1.0 is not in the box")):
        with pytest.raises(ValueError, match=words):
            one.observe(observer)
    with pytest.raises(ValueError, match=r"or \(r, 6\) in three dimensions"):
        hdsim.RegionFractions([0, 0, 0, 1, 1], every=.1)
    arrays, data = system.checkpoint()
    for dimension, words in ((1, "a system in 1 dimensions"), ("3", "a system in '3' dimensions"), (2, "states is float64 of")):
        with pytest.raises(ValueError, match=words):
            CollisionSystem.from_checkpoint(arrays, {**data, "dimension": dimension})
    for core, n in ((_core, 2), (core_of(3), 3)):
        with pytest.raises(ValueError, match=f"cells along 4 axes; expected {n}"):
            core.Engine(1, (1.,) * n, (False,) * n, True, True, True, True, False, (1,) * 4, 1)
        with pytest.raises(ValueError, match=f"a box with 1 lengths; expected {n}"):
            core.choose_cells(np.ones(1), (1.,))


PLANE = {
    "obstacles": lambda s: CollisionSystem.from_arrays(s.positions, s.velocities, s.radii, box=s.box,
                                                       obstacles=[hdsim.Segment((.5, .2), (.5, .4))]),
    "edited obstacles": lambda s: edited(s), "ledger": lambda s: s.ledger(),
    "plot": lambda s: s.plot(),
    "load": lambda s: hdsim.load("billiards5", box=s.box),
    "textbook": lambda s: TextbookSystem(s), "time steps": lambda s: hdsim.timestep.TimeDrivenSystem(s, .1),
    "compared": lambda s: hdsim.timestep.compare(s, .1),
    "side by side": lambda s: hdsim.side_by_side.SideBySide(s, .1),
}


def edited(system):
    with system.edit() as draft:
        draft.obstacles.append(hdsim.Segment((.5, .2), (.5, .4)))


@pytest.mark.parametrize("what", PLANE)
def test_what_is_of_the_plane_says_so(what, tmp_path, monkeypatch):
    """One line, before anything is done."""
    monkeypatch.chdir(tmp_path)
    system = some(8)
    with pytest.raises((ValueError, TypeError), match="two dimensions|2 dimensions|has three|in the plane") as error:
        PLANE[what](system)
    assert "\n" not in str(error.value) and not list(tmp_path.iterdir())


def test_a_notebook_has_its_picture():
    """Or none, where nothing can be drawn."""
    picture = some(8)._repr_png_()
    assert picture is None or picture.startswith(b"\x89PNG")


def test_the_third_engine_is_loaded_with_the_first_system():
    code = ("import sys, hdsim; hdsim.load('billiards5').next_event(); assert 'hdsim._core3' not in sys.modules; "
            "hdsim.CollisionSystem((), box=(1, 1, 1)); assert 'hdsim._core3' in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
