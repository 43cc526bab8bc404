"""Trajectories of other programs are read, and other programs read those of hdsim."""
import math
import re
import sys

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, gas
from trajectory_files import assert_frame

import hdsim
from hdsim import Box, CollisionSystem, FileFormatError
from hdsim.formats.files import write

XYZ = ('2\nLattice="2 0 0 0 1 0 0 0 1" Properties=species:S:1:pos:R:3:radius:R:1 pbc="T F F" Time=3\n'
       'X .5 .5 0 .1\nX 2.25 .5 0 .1\n')
DUMP = ("ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp ff pp\n-1 1\n0 1\n-.5 .5\n"
        "ITEM: ATOMS id x y z radius\n2 -.5 .5 0 .1\n1 1.25 .5 0 .2\n")


def test_plain_xyz_readers_find_the_positions(tmp_path):
    """Behind the species, where XYZ has them that is not extended."""
    system = gas(7)
    write(tmp_path / "a.xyz", system.frame())
    count, _, *rows = (tmp_path / "a.xyz").read_text().splitlines()
    assert int(count) == len(rows) == 7
    assert [[float(word) for word in row.split()[1:4]] for row in rows] == [[x, y, 0] for x, y in system.positions.tolist()]


def test_a_foreign_xyz_file(tmp_path):
    """No velocities, no masses: at rest, and 1. An origin is taken off; a position outside is taken into the box."""
    path = tmp_path / "foreign.xyz"
    path.write_text(XYZ.replace("Time=3", 'Origin="0 0 0" Time=3'))
    frame = hdsim.trajectory(path)[0]
    assert frame.time == 3 and frame.box == Box(2, 1, (True, False))
    assert frame.positions.tolist() == [[.5, .5], [.25, .5]] and frame.images.tolist() == [[0, 0], [1, 0]]
    assert frame.unwrapped_positions.tolist() == [[.5, .5], [2.25, .5]]
    assert frame.velocities.tolist() == [[0, 0]] * 2 and frame.masses.tolist() == [1, 1] and frame.ids.tolist() == [0, 1]
    path.write_text(XYZ.replace("Time=3", 'Origin="-1 0 0"').replace(' pbc="T F F"', ""))
    frame = hdsim.trajectory(path)[0]
    assert frame.time == 0 and frame.box == Box(2, 1, (True, True)) and frame.positions.tolist() == [[1.5, .5], [1.25, .5]]


@pytest.mark.parametrize("columns, rows", [
    ("id x y z radius", "2 -.5 .5 0 .1\n1 1.25 .5 0 .2\n"),
    ("id x y ix iy radius", "2 -.5 .5 0 0 .1\n1 -.75 .5 1 0 .2\n"),
    ("id xu yu diameter", "2 -.5 .5 .2\n1 1.25 .5 .4\n"),
    ("diameter id xs ys ix iy", ".2 2 .25 .5 0 0\n.4 1 .125 .5 1 0\n"),
    ("id type xsu ysu radius", "2 1 .25 .5 .1\n1 1 1.125 .5 .2\n"),
])
def test_foreign_dumps(columns, rows, tmp_path):
    """Positions plain, unwrapped and scaled; a corner that is not the origin; discs in any order, with diameters."""
    path = tmp_path / "foreign.lammpstrj"
    path.write_text(DUMP[:DUMP.index("ITEM: ATOMS")] + f"ITEM: ATOMS {columns}\n{rows}")
    frame = hdsim.trajectory(path)[0]
    assert frame.time == 7 and frame.box == Box(2, 1, (True, False)) and frame.ids.tolist() == [0, 1]
    assert frame.positions.tolist() == [[.25, .5], [.5, .5]] and frame.images.tolist() == [[1, 0], [0, 0]]
    assert frame.radii.tolist() == [.2, .1]
    path.write_text("ITEM: UNITS\nlj\nITEM: TIME\n2.5\n" + path.read_text())
    assert hdsim.trajectory(path)[0].time == 2.5


def test_a_foreign_gsd_file(gsd, tmp_path):
    """Single precision, centred, periodic, and what is not there is as the schema says: diameter and mass 1."""
    path = tmp_path / "foreign.gsd"
    with gsd.hoomd.open(path, "w") as file:
        frame = gsd.hoomd.Frame()
        frame.configuration.step, frame.configuration.box = 5, [8, 4, 0, 0, 0, 0]
        frame.particles.N, frame.particles.position = 2, [[-2, 1, 0], [3.5, 0, 0]]
        frame.particles.image = [[0, 0, 0], [1, 0, 0]]
        file.append(frame)
    system = hdsim.load(path)
    assert system.time == 5 and system.box == Box(8, 4, (True, True))
    assert system.positions.tolist() == [[2, 3], [7.5, 2]] and system.unwrapped_positions.tolist() == [[2, 3], [15.5, 2]]
    assert system.radii.tolist() == [.5, .5] and system.masses.tolist() == [1, 1] and not system.velocities.any()


@pytest.mark.parametrize("change, message", [
    (lambda frame: setattr(frame.configuration, "box", [8, 4, 0, .5, 0, 0]), "expected a rectangular box in frame 0"),
    (lambda frame: setattr(frame.particles, "position", None), "expected positions in frame 0, found none"),
])
def test_a_gsd_file_that_holds_no_discs(gsd, change, message, tmp_path):
    """A triclinic box, positions in space, or none."""
    path = tmp_path / "wrong.gsd"
    with gsd.hoomd.open(path, "w") as file:
        frame = gsd.hoomd.Frame()
        frame.configuration.box, frame.particles.N, frame.particles.position = [8, 4, 1, 0, 0, 0], 2, [[0, 0, 0], [1, 1, 0]]
        change(frame)
        file.append(frame)
    with pytest.raises(FileFormatError, match=r"wrong\.gsd: " + message):
        hdsim.load(path)


def test_a_file_that_is_no_gsd_file(gsd, tmp_path):
    """Text, a truncated file, another schema, no frame."""
    path = tmp_path / "wrong.gsd"
    path.write_text("hello " * 100)
    with pytest.raises(FileFormatError, match=r"wrong\.gsd: expected a GSD file"):
        hdsim.trajectory(path)
    write(path, gas().frame())
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(FileFormatError, match=r"wrong\.gsd: expected a GSD file"):
        hdsim.trajectory(path)
    gsd.fl.open(path, "w", "test", "other", [1, 0]).close()
    with pytest.raises(FileFormatError, match="expected the schema 'hoomd', found 'other'"):
        hdsim.trajectory(path)
    gsd.fl.open(path, "w", "test", "hoomd", [1, 4]).close()
    with pytest.raises(FileFormatError, match="expected a frame, found none"):
        hdsim.trajectory(path)


@pytest.mark.parametrize("lost, instead, found", [
    ("log/hdsim/time", np.array([np.inf]), "a finite time in frame 0, found [inf]"),
    ("log/hdsim/time", np.array([1], np.int64), "log/hdsim/time as float64 in frame 0, found int64"),
    ("log/hdsim/box", None, "log/hdsim/box of shape (2,) in frame 0, found none"),
    ("log/hdsim/time", np.zeros((2, 2)), "log/hdsim/time of shape (1,) in frame 0, found (2, 2)"),
    ("log/particles/hdsim/radius", np.ones(3), "log/particles/hdsim/radius of shape (4,) in frame 0, found (3,)"),
    ("log/particles/hdsim/position", np.ones(4), "log/particles/hdsim/position of shape (n, 2) in frame 0, found (4,)"),
    ("particles/image", None, "particles/image of shape (4, 3) in frame 0, found none"),
])
def test_a_gsd_file_that_lacks_what_we_log(lost, instead, found, gsd, tmp_path):
    """Each chunk, or its shape, is asked for by name."""
    whole, path = tmp_path / "whole.gsd", tmp_path / "part.gsd"
    write(whole, gas(4).frame())
    with gsd.fl.open(whole, "r") as old, gsd.fl.open(path, "w", "hdsim", "hoomd", [1, 4]) as new:
        for name in old.find_matching_chunk_names(""):
            if name != lost or instead is not None:
                new.write_chunk(name, old.read_chunk(0, name) if name != lost else instead)
        new.end_frame()
    with pytest.raises(FileFormatError, match=re.escape(f"part.gsd: expected {found}")):
        hdsim.load(path)


def test_gsd_as_others_read_it(gsd, tmp_path):
    """A flat, centred box; diameters also where they are 1, the schema's default; images; the exact numbers as logs."""
    system = CollisionSystem.from_arrays([[1, 1], [3, 3]], [[3, 0], [0, 1.5]], .5, [2., math.inf], box=Box(5, 4.5, True))
    with system.record(tmp_path / "a.gsd", every=1.):
        system.simulate(until=4)
    with gsd.fl.open(tmp_path / "a.gsd", "r") as file:
        assert file.chunk_exists(0, "particles/diameter") and not file.chunk_exists(1, "particles/diameter")
    with gsd.hoomd.open(tmp_path / "a.gsd") as frames:
        assert len(frames) == 5
        last = frames[4]
    assert last.configuration.dimensions == 2 and last.configuration.box.tolist() == [5, 4.5, 0, 0, 0, 0]
    assert last.configuration.step == 4 and last.log["hdsim/time"].tolist() == [4]
    assert last.particles.diameter.tolist() == [1, 1] and last.particles.mass.tolist() == [2, math.inf]
    moved = last.particles.position[:, :2] + last.particles.image[:, :2] * [5, 4.5] + [2.5, 2.25]
    assert np.allclose(moved, system.unwrapped_positions, atol=1e-6) and last.particles.image[0, 0] == 1
    assert np.array_equal(last.log["particles/hdsim/position"], system.positions)


def test_single_precision_stays_in_the_box(gsd, tmp_path):
    """A disc that rounds to the upper edge is at the lower one, one box length further, and comes back exactly."""
    edge = math.nextafter(1., 0.)
    system = CollisionSystem.from_arrays([[edge, .25], [.5, edge]], [[0, 0]] * 2, .01, box=TORUS)
    write(tmp_path / "a.gsd", system.frame())
    with gsd.hoomd.open(tmp_path / "a.gsd") as frames:
        place, image = frames[0].particles.position, frames[0].particles.image
    assert (place[:, :2] >= -.5).all() and (place[:, :2] < .5).all() and image[:, :2].tolist() == [[1, 0], [0, 1]]
    assert_frame(hdsim.trajectory(tmp_path / "a.gsd")[0], system)


def dense():
    """A dense fluid in a periodic box that is no square."""
    return hdsim.random(400, radius=.025, temperature=1, mass=1, seed=2, box=Box(1.2, 1, True))


def test_freud_sees_what_we_see(tmp_path):
    """g(r) and psi_6 of freud, from the system and from the file, are those of hdsim.observables."""
    freud = pytest.importorskip("freud")
    from hdsim import observables

    system = dense()
    with system.record(tmp_path / "a.gsd", every=.1):
        system.simulate(until=1)
    edges = np.linspace(0, .25, 51)
    ours = observables.radial_distribution([frame.positions for frame in hdsim.trajectory(tmp_path / "a.gsd")], system.box, edges)
    theirs = freud.density.RDF(bins=50, r_max=.25)
    for frame in hdsim.trajectory(tmp_path / "a.gsd"):
        theirs.compute(frame.to_freud(), reset=False)
    # freud normalises by n^2 / 2 pairs; a pair may be in the next bin in single precision.
    assert np.allclose(theirs.rdf, ours.g * (1 - 1 / 400), atol=.02)
    psi = freud.order.Hexatic(k=6).compute(system.to_freud(), neighbors={"num_neighbors": 6}).particle_order
    assert np.allclose(psi, observables.hexatic_order(observables.nearest_bonds(system.positions, system.box, 6)).local,
                       atol=1e-3)


def test_freud_and_walls():
    """A box with walls is not periodic for freud either."""
    pytest.importorskip("freud")
    box, points = gas(box=CHANNEL).to_freud()
    assert (box.Lx, box.Ly, box.is2D, *box.periodic) == (2, 1, True, True, False, False)
    assert points.shape == (40, 3) and points.dtype == np.float32 and not points[:, 2].any()


def test_mdanalysis_sees_what_we_see():
    """Distances in the periodic box of the Universe are those of hdsim.observables."""
    pytest.importorskip("MDAnalysis")
    from MDAnalysis.lib.distances import self_distance_array

    from hdsim import observables

    system = dense()
    universe = system.to_mdanalysis()
    edges = np.linspace(0, .25, 51)
    counts = np.histogram(self_distance_array(universe.atoms.positions, box=universe.dimensions), edges)[0]
    assert abs(counts - observables.radial_distribution([system.positions], system.box, edges).counts).sum() <= 4
    assert np.allclose(universe.atoms.velocities[:, :2], system.velocities) and (universe.atoms.radii == .025).all()
    assert gas().to_mdanalysis().dimensions is None


def test_ovito_reads_all(tmp_path):
    """Radii, periodic axes, images and times as they are."""
    pytest.importorskip("ovito")
    from ovito.io import import_file

    system = CollisionSystem.from_arrays([[1, 1], [3, 3]], [[3, 0], [0, 0]], .5, box=Box(5, 4.5, (True, False)))
    with system.record(tmp_path / "a.gsd", every=1.), system.record(tmp_path / "a.xyz", every=1.), \
            system.record(tmp_path / "a.lammpstrj", every=1.):
        system.simulate(until=4)
    for suffix in (".gsd", ".xyz", ".lammpstrj"):
        pipeline = import_file(str(tmp_path / f"a{suffix}"))
        data = pipeline.compute(4)
        assert pipeline.source.num_frames == 5
        assert data.particles["Radius"][...].tolist() == [.5, .5]
        assert data.cell[0, 0] == 5 and data.cell[1, 1] == 4.5
        place = data.particles.positions[...][:, :2] - data.cell[:2, 3]
        assert np.allclose(place, system.positions, atol=1e-6)
        if suffix == ".gsd":
            assert data.cell.is2D
        else:
            assert data.cell.pbc[:2] == (True, False)


@pytest.mark.parametrize("method, package", [("to_freud", "freud"), ("to_mdanalysis", "MDAnalysis"), ("to_ase", "ase")])
def test_what_is_missing_is_named(method, package, monkeypatch):
    """ImportError says what to install."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"this needs {package}: pip install"):
        getattr(gas(), method)()


def test_gsd_is_an_extra(monkeypatch, tmp_path):
    """Without gsd, recording and reading are refused at once with the command that installs it."""
    for name in ("gsd", "gsd.fl"):
        monkeypatch.setitem(sys.modules, name, None)
    system = gas()
    with pytest.raises(ImportError, match=r"pip install 'hdsim\[gsd\]'"):
        system.record(tmp_path / "a.gsd", every=1.)
    (tmp_path / "a.gsd").touch()
    with pytest.raises(ImportError, match=r"pip install 'hdsim\[gsd\]'"):
        hdsim.trajectory(tmp_path / "a.gsd")
