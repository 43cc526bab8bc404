"""What tests share: where things are, and what a machine may lack."""
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scenes import environment

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


@pytest.fixture
def elsewhere(tmp_path):
    """elsewhere(*arguments, stdin, **variables): what a new Python process prints that imports the same hdsim and works in
    an empty folder. Its exit status must be 0."""
    def run(*arguments, stdin=subprocess.DEVNULL, **variables):
        done = subprocess.run([sys.executable, *map(str, arguments)], cwd=tmp_path, env=environment() | variables,
                              stdin=stdin, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
    return run
