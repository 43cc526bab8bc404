"""The Cython package of docs/embedding.md, made by following the page: its files, its commands, in a new virtual environment."""
import os
import re
import shutil
import subprocess
import sys

import pytest
from scenes import environment

pytestmark = [pytest.mark.tooling, pytest.mark.more, pytest.mark.xdist_group("embedding page")]

LEFT = shutil.ignore_patterns(".git", "build", "*.so", "*.egg-info", "__pycache__", ".*_cache", "docs", "tests")
SECONDS = 900


@pytest.fixture(scope="module")
def section(root):
    """The text about Cython."""
    page = (root / "docs" / "embedding.md").read_text(encoding="utf-8")
    return page[page.index("\n## Cython"):page.index("\n## C and C++")]


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


@pytest.fixture(scope="module")
def workplace(section, root, missing, tmp_path_factory):
    """A folder with `hdsim` and `stranger` in it, as the page has them, and what its commands run in."""
    if os.name != "posix" or shutil.which("cc") is None:
        missing("there is no C compiler")
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(root, folder / "hdsim", ignore=LEFT)
    (folder / "stranger").mkdir()
    files = {"pyproject.toml": blocks(section, "toml"), "setup.py": blocks(section, "python"),
             "stranger.pyx": blocks(section, "cython")}
    for name, parts in files.items():
        assert f"`{name}`" in section
        (folder / "stranger" / name).write_text("\n\n".join(parts))
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True, timeout=SECONDS)
    variables = environment() | {"PATH": f"{folder / 'venv' / 'bin'}:{os.environ['PATH']}", "HDSIM_CFLAGS": "-O1"}
    variables.pop("PYTHONPATH", None)
    found = subprocess.run(["pip", "download", "-q", "--no-deps", "-d", "index", "Cython>=3.1"], cwd=folder, env=variables,
                           capture_output=True, text=True, timeout=SECONDS)
    if found.returncode:
        missing("pip reaches no package index")
    return folder, variables


def test_the_package_of_the_page_builds_as_the_page_says(section, workplace):
    """By pip's isolated build, from a wheel of hdsim; what the page prints is what it gives."""
    folder, variables = workplace
    (commands,) = blocks(section, "sh")
    for command in commands.splitlines():
        done = subprocess.run(command, shell=True, cwd=folder, env=variables, capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert f"prints `{done.stdout.strip()}`" in section
    without_index = re.search(r"`(pip install --no-build-isolation [^`]+)`", section)[1]
    subprocess.run(["pip", "install", "-q", "setuptools>=77", "Cython>=3.1"], cwd=folder, env=variables, check=True,
                   timeout=SECONDS)
    again = subprocess.run(f"{without_index} --force-reinstall --no-index", shell=True, cwd=folder, env=variables,
                           capture_output=True, text=True, timeout=SECONDS)
    assert again.returncode == 0, again.stderr
