"""Trajectories and event logs of spheres: what is written is read, bit for bit, and what tells three dimensions from two."""
import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, FileFormatError

BOXES = [Box(1, 2, depth=1.5, periodic=(True, False, True)), Box(2, 2, True, 2), Box(1, 1, depth=1)]
SUFFIXES = (".xyz", ".lammpstrj", ".gsd")


def recorded(box, path, n=40):
    """A gas at time 1, recorded at eleven times."""
    system = hdsim.random(n, radius=.06, temperature=1., seed=1, box=box)
    recordings = [system.record(f"{path}{suffix}", every=.125) for suffix in SUFFIXES]
    system.simulate(until=1.)
    for recording in recordings:
        recording.close()
    return system


@pytest.mark.parametrize("box", BOXES)
def test_frames_are_read_back_bit_for_bit(box, tmp_path):
    """Positions, velocities, images, sizes, colours where the format has them, box and time; `load` goes on from there."""
    pytest.importorskip("gsd")
    system = recorded(box, tmp_path / "a")
    for suffix in SUFFIXES:
        frames = hdsim.trajectory(f"{tmp_path / 'a'}{suffix}")
        one = frames[-1]
        assert len(frames) == 9 and one.box == box and one.time == 1.
        for name in ("positions", "velocities", "images", "radii", "masses", "ids"):
            assert (getattr(one, name) == getattr(system.frame(), name)).all(), (suffix, name)
        assert np.abs(one.unwrapped_positions - system.unwrapped_positions).max() < 1e-14
        again = hdsim.load(f"{tmp_path / 'a'}{suffix}")
        assert again.dimension == 3 and again.time == 1. and (again.positions == system.positions).all()
    assert (hdsim.trajectory(tmp_path / "a.xyz")[-1].colors == system.colors).all()


def test_spheres_in_one_plane_stay_spheres_where_the_file_says_so(tmp_path):
    """All z equal, no velocity along it: .xyz and .gsd say that there are three dimensions; a dump cannot, and has discs."""
    pytest.importorskip("gsd")
    flat = CollisionSystem.from_arrays([[.2, .2, .5], [.8, .8, .5]], [[1, 0, 0], [0, 1, 0]], .1, box=(1, 1, 1))
    for suffix, dimension in zip(SUFFIXES, (3, 2, 3)):
        with flat.record(f"{tmp_path / 'b'}{suffix}", every=1.):
            pass
        assert hdsim.trajectory(f"{tmp_path / 'b'}{suffix}")[0].box.dimension == dimension
    moving = CollisionSystem.from_arrays([[.2, .2, .5]], [[1, 0, .5]], .1, box=(1, 1, 1))
    with moving.record(tmp_path / "c.lammpstrj", every=1.):
        pass
    assert hdsim.trajectory(tmp_path / "c.lammpstrj")[0].velocities.tolist() == [[1, 0, .5]]


def test_files_of_other_programs_in_space(tmp_path):
    """Plain extended XYZ with a cubic lattice; a dump with scaled, unordered positions; a GSD file in single precision."""
    (tmp_path / "a.xyz").write_text('2\nLattice="2 0 0 0 2 0 0 0 3" Properties=species:S:1:pos:R:3\nH .5 .5 .5\nH 1 1 2.5\n')
    frame = hdsim.trajectory(tmp_path / "a.xyz")[0]
    assert frame.box == Box(2, 2, True, 3) and frame.positions[1].tolist() == [1, 1, 2.5]
    (tmp_path / "a.dump").write_text("ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n-1 1\n-1 1\n0 4\n"
                                     "ITEM: ATOMS id xs ys zs\n2 .5 .5 .25\n1 .25 .5 .75\n")
    frame = hdsim.trajectory(tmp_path / "a.dump")[0]
    assert frame.box == Box(2, 2, (True, True, False), 4) and frame.positions.tolist() == [[.5, 1, 3], [1, 1, 1]]
    fl = pytest.importorskip("gsd.fl")
    for depth in (4., 0.):
        with fl.open(str(tmp_path / "a.gsd"), "w", "other", "hoomd", [1, 4]) as file:
            file.write_chunk("configuration/box", np.array([2, 2, depth, 0, 0, 0], dtype=np.float32))
            file.write_chunk("particles/position", np.array([[0, 0, 1], [.5, .5, -1]], dtype=np.float32))
            file.end_frame()
        if depth:
            frame = hdsim.trajectory(tmp_path / "a.gsd")[0]
            assert frame.box == Box(2, 2, True, 4) and frame.positions.tolist() == [[1, 1, 3], [1.5, 1.5, 1]]
    with pytest.raises(FileFormatError, match="expected a box with a depth in frame 0"):
        hdsim.trajectory(tmp_path / "a.gsd")[0]
    (tmp_path / "a.xyz").write_text('2\nLattice="2 0 0 0 2 0 0 0 0" Properties=species:S:1:pos:R:3\nH .5 .5 .5\nH 1 1 2.5\n')
    with pytest.raises(FileFormatError, match="expected a rectangular Lattice"):
        hdsim.trajectory(tmp_path / "a.xyz")[0]


def test_logs_have_the_third_component(tmp_path):
    """Each contact once, with the normal of the event, six walls by name; as text and as an array."""
    system = hdsim.random(30, radius=.08, temperature=1., seed=2, box=(1, 1, 1))
    other = system.copy()
    with system.record(tmp_path / "a.csv"), system.record(tmp_path / "a.npy"):
        system.simulate(until=1.)
    expected = [(event.time, contact) for event in other.events(until=1.) for contact in event.contacts]
    rows = np.load(tmp_path / "a.npy")
    text = np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True, dtype=None, encoding="ascii")
    assert rows.dtype.names == text.dtype.names == ("time", "i", "j", "wall", "nx", "ny", "nz", "impulse", "event")
    assert len(rows) == len(text) == len(expected) > 50
    for row, line, (time, contact) in zip(rows, text, expected):
        assert (row["time"], row["wall"], *row[["nx", "ny", "nz"]]) == (time, contact.wall or "", *contact.normal)
        assert (line["nz"], line["impulse"]) == (row["nz"], row["impulse"])
    assert {"back", "front"} < set(rows["wall"].tolist())


def test_snapshots_of_edmd(tmp_path):
    """What EDMD reads and writes: letters by size, unwrapped positions, sides; back with the same bits, at rest."""
    box = Box(2, 1, True, 1.5)
    state = hdsim.states.compressed([1.] * 10 + [.5] * 10, .2, seed=1, box=box)
    system = state.system(1., seed=1)
    with system.record(tmp_path / "a.sph", every=.5):
        system.simulate(until=1.)
    lines = (tmp_path / "a.sph").read_text().splitlines()
    assert len(lines) == 3 * 22 and lines[44:46] == ["20", "2.0 1.0 1.5"]
    assert [line[0] for line in lines[46:]] == ["b"] * 10 + ["a"] * 10
    assert [float(x) for x in lines[46].split()[1:]] == [*system.unwrapped_positions[0].tolist(), system.radii[0]]
    frame = hdsim.trajectory(tmp_path / "a.sph")[-1]
    assert frame.box == box and (frame.radii == system.radii).all() and not frame.velocities.any()
    assert frame.masses.tolist() == [1.] * 20
    assert np.abs(frame.unwrapped_positions - system.unwrapped_positions).max() < 1e-14
    again = hdsim.load(tmp_path / "a.sph")
    assert again.dimension == 3 and again.kinetic_energy == 0.
    (tmp_path / "b.sph").write_text("1\n2 1\na 0 0 0 .1\n")
    for call, message in ((lambda: hdsim.load(tmp_path / "b.sph"), "b.sph:2: expected the three sides of the box, found '2 1'"),
                          (lambda: hdsim.random(3, radius=.01).record(tmp_path / "c.sph", every=1.), "periodic boxes of three")):
        with pytest.raises(ValueError, match=message):
            call()
