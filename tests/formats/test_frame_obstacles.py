"""Frames carry obstacles and species: as metadata of extended XYZ and GSD, which other programs do not look at."""
from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, Line, Path, Polygon, Polyline, Segment
from hdsim.formats import hoomd, xyz
from hdsim.formats.files import write
from hdsim.formats.table import from_lines, from_one_line, one_line
from hdsim.model.errors import FileFormatError

SHAPES = (
    Segment((.5, 0), (.5, .4), name="low", color=(255, 0, 0)),
    Polyline([(.1, .9), (.2, .95), (.3, .9)], name='a "bar"; 50% \\ é'),
    Polygon([(.7, .7), (.8, .7), (.75, .8)]), Circle((.25, .25), .05, species=(1, 7)), Arc((.7, .25), .125, 180, 90),
    Path([Segment((0, 0), (1, 0)), Arc((1, .5), .5, (1, 0), (1, 1)), Segment((1, 1), (0, 1))], from_time=-3.5),
    Line((0, .01), (0, 1)), Segment((.9, 0), (.9, 1), from_time=3, until=5.5),
)


@pytest.fixture(params=[".xyz", ".gsd"])
def suffix(request):
    if request.param == ".gsd":
        pytest.importorskip("gsd")
    return request.param


def gas(obstacles=SHAPES, species=(0, 1, 1), box=Box()):
    return hdsim.CollisionSystem.from_arrays([(.6, .6), (.2, .6), (.45, .8)], [(.3, .1), (-.2, .5), (.7, -.4)], .02, box=box,
                                             obstacles=obstacles, species=species)


def test_frames_come_back(suffix, tmp_path):
    """With all shapes and keywords; a loaded frame is a system with them, at its time, and runs as the other does."""
    path, system = tmp_path / f"gas{suffix}", gas(box=Box(1, 1, (True, False)))
    with system.record(path, every=.5):
        system.simulate(until=2)
    for frame in hdsim.trajectory(path):
        assert frame.obstacles == SHAPES and frame.species.tolist() == [0, 1, 1] and frame.species.dtype == np.int64
    again = hdsim.load(path)
    assert again.obstacles == SHAPES and again.species.tolist() == [0, 1, 1] and again.time == 2
    same = hdsim.CollisionSystem.from_arrays(system.positions, system.velocities, system.radii, system.masses, box=system.box,
                                             time=2, obstacles=SHAPES, species=[0, 1, 1])
    again.simulate(until=8), same.simulate(until=8)
    assert again.hash() == same.hash() and (again.positions == same.positions).all()
    assert hdsim.load(path, obstacles=(), species=None).obstacles == ()


def test_the_frame_of_a_system_has_them():
    assert gas().frame().obstacles == SHAPES and gas().frame().species.tolist() == [0, 1, 1]
    plain = hdsim.load("p10").frame()
    assert plain.obstacles == () and plain.species is None


def test_species_alone_and_obstacles_alone(suffix, tmp_path):
    for obstacles, species in (((), (5, -2, 5)), (SHAPES, None)):
        write(tmp_path / f"gas{suffix}", gas(obstacles, species).frame())
        [frame] = hdsim.trajectory(tmp_path / f"gas{suffix}")
        assert frame.obstacles == obstacles
        assert frame.species is None if species is None else frame.species.tolist() == list(species)


def test_obstacles_may_differ_from_frame_to_frame(suffix, tmp_path):
    """They come, change, and go, and species with them, whatever the first frame has."""
    path, system = tmp_path / f"gas{suffix}", gas((), None)
    steps = [(), SHAPES[:2], SHAPES[:1], SHAPES[:1], (), SHAPES[3:5], ()]
    for order in (steps, steps[1:]):
        frames = [dataclasses.replace(system.frame(), obstacles=shapes, time=float(k),
                                      species=None if k % 3 == 2 else np.array([k, 1, 0])) for k, shapes in enumerate(order)]
        file = hdsim.formats.files.writer(path)
        for k, frame in enumerate(frames):
            file.write(frame, k)
        file.close()
        found = list(hdsim.trajectory(path))
        assert [frame.obstacles for frame in found] == list(order)
        for k, frame in enumerate(found):
            assert (frame.species is None or not frame.species.any()) if k % 3 == 2 else frame.species.tolist() == [k, 1, 0]
        assert [hdsim.trajectory(path)[k].obstacles for k in range(len(order))] == list(order)


def test_files_without_are_as_they_were(suffix, tmp_path):
    """Neither a key nor a column nor a chunk of them."""
    path = tmp_path / f"gas{suffix}"
    write(path, gas((), None).frame())
    assert b"hdsim_table" not in path.read_bytes() and b"hdsim/table" not in path.read_bytes()
    assert b"hdsim_species" not in path.read_bytes() and b"hdsim/species" not in path.read_bytes()


def test_the_comment_of_extended_xyz(tmp_path):
    """The table is one quoted value at its end, readable where names are plain; the species are the last column."""
    write(tmp_path / "gas.xyz", gas(SHAPES[:1] + SHAPES[3:4]).frame())
    count, comment, row, *_ = (tmp_path / "gas.xyz").read_text().splitlines()
    assert comment.endswith(' hdsim_table="segment 0.5 0 0.5 0.4 name=low color=255,0,0; circle 0.25 0.25 0.05 species=1,7"')
    assert ":color:R:3:hdsim_species:I:1 " in comment and row.endswith(" 0")


def test_one_line_has_no_quotation_marks():
    """Nor anything else that ends a quoted value in other programs."""
    line = one_line(SHAPES)
    assert line.isascii() and line.isprintable() and not set('"\\\n') & set(line) and line.count(";") == len(SHAPES) - 1
    assert from_one_line(line, "here") == from_lines(line.replace("; ", "\n").replace("%22", '"').replace("%5C", "\\").replace(
        "%3B", ";").replace("%25", "%"), "here") == (SHAPES, ())
    assert one_line(()) == "" and from_one_line("", "here") == ((), ())


def test_the_gsd_chunk_is_the_tail(gsd, tmp_path):
    """As bytes, in the log, where gsd and freud find it."""
    write(tmp_path / "gas.gsd", gas(SHAPES[:1]).frame())
    with gsd.hoomd.open(tmp_path / "gas.gsd") as file:
        assert file[0].log["hdsim/table"].tobytes().decode().strip() == "segment 0.5 0 0.5 0.4 name=low color=255,0,0"
        assert file[0].log["particles/hdsim/species"].tolist() == [0, 1, 1]


@pytest.mark.parametrize("table, message", [
    ("segment 0 0 1", "gas.xyz:2: hdsim_table:1: segment: expected 4 numbers, both ends, found 3"),
    ("segment 0 0 1 1; wall 0 0 1 1", "gas.xyz:2: hdsim_table:2: expected segment, polyline, .*, found 'wall'"),
    ("box 1 1", "gas.xyz:2: hdsim_table: expected lines of obstacles only, found a box$"),
    ("species 0 0 1", "gas.xyz:2: hdsim_table:1: species: expected 0 <= first <= last < 0"),
    ('segment 0 0 1 1" hdsim_table="', "gas.xyz:2: expected each key once, found hdsim_table twice"),
])
def test_a_damaged_table_in_xyz_is_refused(table, message, tmp_path):
    path = tmp_path / "gas.xyz"
    write(path, gas(SHAPES[:1]).frame())
    path.write_text(re.sub('hdsim_table=".*"', f'hdsim_table="{table}"', path.read_text()))
    with pytest.raises(FileFormatError, match=message) as caught:
        hdsim.trajectory(path)[0]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("table, message", [
    (b"segment 0 0 1", "log/hdsim/table in frame 0:1: segment: expected 4 numbers, both ends, found 3$"),
    (b"box 2 1", "log/hdsim/table in frame 0: expected lines of obstacles only, found a box$"),
    (b"\xff", r"log/hdsim/table in frame 0:1: expected UTF-8 text, found '\xff'$"),
    (np.zeros(3), "expected log/hdsim/table as uint8 in frame 0, found float64$"),
])
def test_a_damaged_table_in_gsd_is_refused(gsd, table, message, tmp_path, monkeypatch):
    chunk = table if isinstance(table, np.ndarray) else np.frombuffer(table, dtype=np.uint8)
    monkeypatch.setattr(hoomd.GsdWriter, "_around", lambda self, frame: {hoomd.TABLE: chunk})
    write(tmp_path / "gas.gsd", gas().frame())
    with pytest.raises(FileFormatError, match=message):
        hdsim.trajectory(tmp_path / "gas.gsd")[0]


def test_a_frame_in_which_a_disc_overlaps_is_refused(suffix, tmp_path):
    path = tmp_path / f"gas{suffix}"
    write(path, dataclasses.replace(gas((), None).frame(), obstacles=(Circle((.6, .6), .1),)))
    with pytest.raises(FileFormatError, match=r"gas\.\w+: disc 0 at \[0.6, 0.6\] with radius 0.02 overlaps obstacles\[0\], C"):
        hdsim.load(path)


def test_obstacles_that_are_too_long_for_a_line(tmp_path, monkeypatch):
    """Extended XYZ refuses them when they are written, because its reader would; nothing is left of the frame."""
    monkeypatch.setattr(xyz, "LINE_MAX", 1000)
    system = gas(SHAPES * 3)
    with pytest.raises(ValueError, match="the obstacles take 1,[0-9]+ bytes in extended XYZ, and a line has less than 1,000"):
        system.record(tmp_path / "gas.xyz", every=1)
    assert (tmp_path / "gas.xyz").read_bytes() == b"" and not system.has_callbacks
