"""The time of a LAMMPS dump, in each form that it may have."""
import numpy as np
import pytest

import hdsim
from hdsim import CollisionSystem, FileFormatError


@pytest.mark.parametrize("times, found", [(".25 .5", "0.5"), (".25 nan", "nan"), ("nan nan", "nan")])
def test_a_frame_of_a_dump_has_one_time(times, found, tmp_path):
    """Several values in the column of the time are an error that names the row."""
    path = tmp_path / "a.lammpstrj"
    one, other = times.split()
    path.write_text("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n"
                    f"ITEM: ATOMS x y radius v_time\n.1 .1 .01 {one}\n.5 .5 .01 {other}\n")
    with pytest.raises(FileFormatError, match=rf"a\.lammpstrj:1[01]: expected one finite time in all rows .* found {found} for"):
        hdsim.trajectory(path)[0]


@pytest.mark.parametrize("form", ["at time", "item", "column", "none"])
def test_all_forms_of_the_time_of_a_dump_are_read(form, tmp_path):
    """The one of version 0.1, LAMMPS's own, the column, and only a step."""
    path = tmp_path / "a.lammpstrj"
    path.write_text(("ITEM: TIME\n.75\n" if form == "item" else "") + "ITEM: TIMESTEP\n3\nITEM: NUMBER OF ATOMS"
                    + (" at time .75" if form == "at time" else "") + "\n1\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n"
                    + ("ITEM: ATOMS x y radius v_time\n.1 .1 .01 .75\n" if form == "column" else
                       "ITEM: ATOMS x y radius\n.1 .1 .01\n"))
    assert hdsim.trajectory(path)[0].time == (3 if form == "none" else .75)


def test_a_dump_without_discs_keeps_its_time(tmp_path):
    """There is no row to hold it."""
    system = CollisionSystem.from_arrays(np.empty((0, 2)), np.empty((0, 2)), .1)
    with system.record(tmp_path / "a.lammpstrj", every=.25):
        system.simulate(until=.5)
    assert [frame.time for frame in hdsim.trajectory(tmp_path / "a.lammpstrj")] == [0, .25, .5]


@pytest.mark.parametrize("d", [2, 3])
def test_edges_of_the_box_as_vectors(d, tmp_path):
    """As OVITO writes them, with the origin in the last column; an oblique box is refused."""
    z = ("0", "0") if d == 2 else (".25", "1")
    text = ("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS abc origin pp ff pp\n2 0 0 -1\n0 1.5 0 .5\n0 {} 3 -2\n"
            f"ITEM: ATOMS id x y z\n1 0 1 {z[0]}\n2 .5 1.5 {z[1]}\n")
    (tmp_path / "a.dump").write_text(text.format(0))
    frame, = hdsim.trajectory(tmp_path / "a.dump")
    assert frame.box == (hdsim.Box(2, 1.5, (True, False)) if d == 2 else hdsim.Box(2, 1.5, (True, False, True), 3))
    assert frame.positions[:, :2].tolist() == [[1, .5], [1.5, 1]] and (d == 2 or frame.positions[:, 2].tolist() == [2.25, 0])
    (tmp_path / "b.dump").write_text(text.format(0).replace("0 1.5 0 .5", ".1 1.5 0 .5"))
    with pytest.raises(hdsim.FileFormatError, match="b.dump:1: expected the bounds of a rectangular box, found 'ITEM: BOX"):
        hdsim.trajectory(tmp_path / "b.dump")[0]
