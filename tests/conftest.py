"""What tests share: where things are, and what a machine may lack."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def missing():
    """missing(reason): what a bare machine may lack is not here. Skips the test; in CI it fails."""
    return pytest.fail if os.environ.get("CI") else pytest.skip


@pytest.fixture(scope="session")
def root():
    """The folder of pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def algs4():
    """The folder of the data files of the Algorithms 4e page, which are no part of this project."""
    folder = ROOT.parent / "shared" / "data" / "algs4"
    if not folder.exists():
        pytest.skip("the book's own data files are not here")
    return folder


@pytest.fixture(scope="session")
def display(missing):
    """A window can be opened."""
    from hdsim import viewer

    problem = viewer.available()
    if problem:
        missing(problem)


@pytest.fixture
def python(tmp_path):
    """python(*arguments, stdin=..., **environment): run this Python in an empty folder, with the hdsim that is tested.

    Returns its standard output. Its exit status must be 0.
    """
    def run(*arguments, stdin=subprocess.DEVNULL, **environment):
        paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        result = subprocess.run([sys.executable, *map(str, arguments)], cwd=tmp_path, text=True, capture_output=True, stdin=stdin,
                                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}, timeout=300)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout
    return run
