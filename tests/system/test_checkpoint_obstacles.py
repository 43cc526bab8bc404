"""Systems among obstacles, copied, pickled and saved: they go on bit for bit, and an older hdsim refuses their files."""
from __future__ import annotations

import copy
import json
import pickle
import zipfile

import numpy as np
import pytest
from scenes import trajectory

import hdsim
from hdsim import Arc, Box, Circle, Line, Path, Polygon, Polyline, Segment
from hdsim.formats import io
from hdsim.model.errors import FileFormatError


def through_a_file(system, folder):
    system.save(folder / "state.npz")
    return hdsim.load(folder / "state.npz")


WAYS = {"copy": lambda system, folder: system.copy(), "deepcopy": lambda system, folder: copy.deepcopy(system),
        "pickle": lambda system, folder: pickle.loads(pickle.dumps(system)), "file": through_a_file}
SHAPES = (
    Polyline([(.1, .9), (.3, .97), (.5, .9)]), Polygon([(.6, .6), (.75, .6), (.7, .75)]), Circle((.25, .3), .07, name="a peg"),
    Arc((.75, .25), .125, 180, 90), Segment((.5, 0), (.5, .5), until=.75), Segment((.05, .5), (.45, .5), from_time=.3, until=.6),
    Circle((.9, .9), .03, species=(1, 4)), Line((0, .02), (0, 1)),
)
ROOM = Path([Segment((.3, .05), (.7, .05)), Arc((.7, .5), .45, (.7, .05), (.7, .95)), Segment((.7, .95), (.3, .95)),
             Arc((.3, .5), .45, (.3, .95), (.3, .05))], side="inside")


def gas(box=Box(), obstacles=SHAPES, species=True, **options):
    """Some discs in places that are free."""
    places = [(x, y) for x in (.15, .38, .55, .85) for y in (.1, .42, .56, .82)]
    chance = np.random.default_rng(3)
    return hdsim.CollisionSystem.from_arrays(
        places, chance.normal(size=(16, 2)), [.01, .02] * 8, [1., 2.] * 8, box=box, obstacles=obstacles,
        species=[1, 4, 2, 2] * 4 if species else None, **options)


MADE = {
    "walls": gas, "periodic": lambda: gas(Box(1, 1, (True, False))), "room": lambda: gas(obstacles=[ROOM], species=False),
    "heap": lambda: gas(queue="heap", species=False), "one by one": lambda: gas(collisions="sequential", species=False),
    "late": lambda: gas(time=.5), "species only": lambda: gas(obstacles=(), species=True),
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("made", MADE)
def test_a_copy_goes_on_bit_for_bit(way, made, tmp_path):
    """Before, between and after the times at which obstacles come and go: the same events to the last bit."""
    for time in (0, .2, .3, .45, .6, .7, .75, 1.3):
        system = MADE[made]()
        system.simulate(max(time, system.time))
        twin = WAYS[way](system, tmp_path)
        assert twin.obstacles == system.obstacles and (twin.species == system.species).all() and twin.time == system.time
        assert trajectory(twin) == trajectory(system) and twin.check() is None
        for _ in range(60):
            event = system.next_event()
            assert repr(twin.next_event()) == repr(event) and twin.hash() == system.hash()
        assert twin.step(1.) == system.step(1.) > 10
        assert trajectory(twin) == trajectory(system) and twin.statistics["events"] == system.statistics["events"]


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_between_the_events_of_one_instant(way, tmp_path):
    """Three obstacles come and go at one time, which is that of a contact too: copied after each of these events."""
    walls = [Segment((.5, .4), (.5, .6), until=1), Segment((.2, .2), (.2, .3), from_time=1, until=1.5),
             Segment((.8, .2), (.8, .3), until=1)]
    system = hdsim.CollisionSystem.from_arrays([(.25, .5), (.3, .8)], [(.125, 0), (-.7, .1)], .125, obstacles=walls)
    seen = []
    while system.time < 2:
        twin = WAYS[way](system, tmp_path)
        event = system.next_event()
        assert twin.next_event() == event and trajectory(twin) == trajectory(system)
        seen.append((event.time, event.kind, event.obstacle))
    assert [row[1:] for row in seen if row[0] == 1] == [("device", 1), ("wall", 0), ("device", 0), ("device", 2)]
    assert (1.5, "device", 1) in seen


def test_a_copy_can_be_edited_alone(tmp_path):
    """Obstacles of a copy, or of a system from a file, are its own."""
    system = gas()
    before = trajectory(system)
    for way in WAYS.values():
        twin = way(system, tmp_path)
        with twin.edit() as draft:
            draft.obstacles.pop()
        assert len(twin.obstacles) == len(system.obstacles) - 1 and twin.species.tolist() == system.species.tolist()
    assert trajectory(system) == before and system.obstacles == SHAPES


def version(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("hdsim.json"))["version"]


def test_files_with_obstacles_or_species_are_of_version_2(tmp_path, monkeypatch):
    """So that a program that knows version 1 only refuses them in one line; files without them are of version 1 still."""
    path = tmp_path / "state.npz"
    for system, number in ((gas(), 2), (gas(species=False), 2), (gas(obstacles=()), 2), (gas(obstacles=(), species=False), 1),
                           (hdsim.load("p10"), 1)):
        system.save(path)
        assert version(path) == number
    system = gas(species=False)
    with system.edit() as draft:
        draft.obstacles.clear()
    system.save(path)
    assert version(path) == 1
    gas().save(path)
    monkeypatch.setattr(io, "CHECKPOINT_VERSIONS", (1,))
    with pytest.raises(FileFormatError, match="state.npz: expected hdsim checkpoint of version 1, found 'hdsim checkpoint of "
                                              "version 2'$"):
        hdsim.load(path)


DAMAGES = [
    lambda arrays, data: data.update(obstacles=5), lambda arrays, data: data.update(obstacles="segment 0 0 1"),
    lambda arrays, data: data.update(obstacles="wall 0 0 1 1"), lambda arrays, data: data.update(obstacles="circle 0 0 -1"),
    lambda arrays, data: arrays.update(species=arrays["species"][:3]),
    lambda arrays, data: arrays.update(species=arrays["species"] + .5),
    lambda arrays, data: arrays.update(species=arrays["species"] + 2**40),
    lambda arrays, data: data.update(box=["0x1p0", "0x1p0", True, True]),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_of_something_else_is_refused(damage, tmp_path):
    """In one line."""
    arrays, data = gas(obstacles=(*SHAPES, Line((.02, 0), (1, 0)))).checkpoint()
    damage(arrays, data)
    io.save_checkpoint(tmp_path / "odd.npz", arrays, data, 2)
    with pytest.raises(FileFormatError, match="odd.npz: expected a checkpoint of a system, found another") as caught:
        hdsim.load(tmp_path / "odd.npz")
    assert "\n" not in str(caught.value)


def test_equal_systems_write_equal_files(tmp_path):
    """A saved file is the same again after it is loaded and saved."""
    gas().save(tmp_path / "a.npz")
    hdsim.load(tmp_path / "a.npz").save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
