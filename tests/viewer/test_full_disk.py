"""A disk that is full: every file of a result is named in the error, and what was there before stays."""
import os

import pytest

from hdsim.app.cli import main


def full(*_):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("name", ["a.png", "a.svg", "a.pdf", "a.html", "a.apng", "a.gif", "a.npz", "a.txt", "a.xyz",
                                  "a.lammpstrj", "a.gsd"])
def test_the_file_is_named_and_the_old_one_kept(opengl, pillow, tmp_path, monkeypatch, capsys, name):
    if name.endswith((".pdf", ".gsd")):
        pytest.importorskip("matplotlib" if name.endswith("pdf") else "gsd")
    (tmp_path / name).write_text("old")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "replace", full)
    assert main(["p10", "--until", "1", "--out", name]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"hdsim: error: {name}: No space left on device"
    assert os.listdir() == [name] and (tmp_path / name).read_text() == "old"


@pytest.mark.parametrize("name", ["a.csv", "a.npz", "a.png"])
def test_so_it_is_with_the_curves_of_an_experiment(tmp_path, monkeypatch, capsys, name):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "replace", full)
    assert main(["lab", "bounce", "--quick", "--out", name]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"hdsim: error: {name}: No space left on device"
    assert os.listdir() == []
