"""No writer makes a file whose suffix names another format: it could not be read again."""
from functools import partial

import numpy as np
import pytest

import hdsim
from hdsim import lab, viewer
from hdsim.app.play import Game, Track
from hdsim.compat import StdDraw
from hdsim.formats import EDMD, LAMMPS, LOGS, TRAJECTORIES, XYZ, files, hoomd, io, lammps, listed, logs, sph, xyz
from hdsim.formats.recording import record as recorded
from hdsim.viewer.film import page, pdf, svg, vector

SYSTEM = hdsim.random(3, seed=1)
SPHERES = hdsim.random(3, radius=.01, seed=1, box=hdsim.Box(1, 1, True, 1))
GAS = hdsim.spaces.Gas(hdsim.spaces.Norm(2), [(.5, .5)], [(1., 0.)], radii=.1)
TABLE = hdsim.Table({"n": np.arange(3), "x": np.array([.5, 1., -0.])})


def closed(make):
    """A function of a path that makes a writer, and closes it."""
    return lambda path: make(path).close()


CHECKED = {
    "a checkpoint": (".npz", SYSTEM.save), "a checkpoint of a gas": (".npz", GAS.save),
    "a checkpoint of arrays": (".npz", lambda path: io.save_checkpoint(path, {}, {})),
    "text": (".txt", lambda path: io.write_text(path, SYSTEM.configuration())),
    "a table": (".csv", TABLE.to_csv), "a table for Parquet": (".parquet", TABLE.to_parquet),
    "a picture": (".png", lambda path: viewer.save_png(path, np.zeros((2, 2, 3), np.uint8))),
    "a page": (".html", page.Player("<p>").save), "a page of frames": (".html", partial(page.Tape, 30, (8, 8))),
    "SVG": (".svg", lambda path: svg.SvgCanvas(8, 8, (255, 255, 255)).save(path)),
    "PDF": (".pdf", lambda path: pdf.PdfCanvas(8, 8, (255, 255, 255)).save(path)),
    "a log": (".csv", closed(logs.CsvLog)), "a log as an array": (".npy", closed(logs.NpyLog)),
    "GSD": (".gsd", closed(hoomd.GsdWriter)),
    "extended XYZ": (XYZ, lambda path: files.TextWriter(path, xyz.write_frame).close()),
    "a dump": (LAMMPS, lambda path: files.TextWriter(path, lammps.write_frame).close()),
    "spheres of EDMD": (EDMD, lambda path: files.TextWriter(path, sph.write_frame).close()),
    "frames": (TRAJECTORIES, closed(files.writer)), "a frame": (TRAJECTORIES, lambda path: files.write(path, SPHERES.frame())),
    "events": (LOGS, closed(files.event_log)),
}
# Writers of several formats: what their own tests say of the message is not repeated.
OTHERS = {
    "a recording": lambda path: SYSTEM.record(path, every=1), "a recording of formats": lambda path: recorded(SYSTEM, path, 1,
                                                                                                              int),
    "a film": lambda path: hdsim.record(SYSTEM, path, until=1), "a film of a system": lambda path: SYSTEM.film(path, until=1),
    "a film of pictures": viewer.Recorder, "a reel": lambda path: viewer.open_reel(path, SYSTEM.box),
    "a vector picture": lambda path: vector.save_vector(path, SYSTEM),
    "a film of circles": lambda path: StdDraw.record(path).__enter__(),
    "a round": Track.of(Game()).write, "a result": lambda path: lab.reverse(20, quick=True).save(path), "circles": StdDraw.save,
}


@pytest.mark.sample(40)
@pytest.mark.parametrize("what", CHECKED)
@pytest.mark.parametrize("name", ["x.txt", "x", "x.zip", "x.npz.txt", "x.dat", "x.npz", "x.html.bak", "x.PNG", "x.csv"])
def test_a_suffix_of_another_format_is_refused(what, name, tmp_path):
    """By every writer, before there is a file; the message says the right suffix and the one found."""
    right, write = CHECKED[what]
    right = (right,) if isinstance(right, str) else right
    found = "." + name.rpartition(".")[2] if "." in name else "no ending"
    if found in right:
        return
    with pytest.raises(ValueError) as caught:
        write(tmp_path / name)
    assert str(caught.value) == f"{tmp_path / name}: expected a file that ends in {listed(right)}, found {found}"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name, right", [("x.xyz", r"system.record\(path, every=...\) writes trajectories"),
                                         ("x.gif", r"hdsim.record\(system, path, until=...\) makes films")])
def test_what_is_no_checkpoint_is_written_elsewhere(name, right, tmp_path):
    with pytest.raises(ValueError, match=rf"expected a file that ends in .npz, found {name[1:]}; {right}$"):
        SYSTEM.save(tmp_path / name)


@pytest.mark.sample(10)
@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("name", ["x.txt", "x", "x.dat", "x.npz.txt"])
def test_writers_of_several_formats_refuse_others(what, name, tmp_path):
    with pytest.raises(ValueError, match=name):
        OTHERS[what](tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("what", ["a checkpoint", "a checkpoint of a gas", "a checkpoint of arrays", "text", "a table",
                                  "a picture",
                                  "a page", "SVG", "a log", "a log as an array", "extended XYZ", "a dump", "a frame",
                                  "events"])
def test_its_own_suffixes_are_written(what, tmp_path):
    right, write = CHECKED[what]
    for suffix in (right,) if isinstance(right, str) else right:
        write(str(tmp_path / f"x{suffix}"))
        assert (tmp_path / f"x{suffix}").exists()


def test_a_device_has_no_suffix():
    for write in CHECKED["text"][1], CHECKED["a checkpoint of arrays"][1]:
        write("/dev/null")
