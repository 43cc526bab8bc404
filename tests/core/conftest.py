"""The probe: a module through which tests call the floors of hdsim/core, which no user sees."""
import importlib.util
import json
import os
import random
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from unittest import mock

import pytest

import hdsim

SETUP = """
import json, sys
from Cython.Build import cythonize
from setuptools import Extension, setup
flags, directives, include = json.loads(sys.argv[1])
probe = Extension("probe", ["probe.pyx"], include_dirs=[include], extra_compile_args=flags)
setup(name="probe", ext_modules=cythonize([probe], include_path=[include], compiler_directives=directives),
      script_args=["-q", "build_ext", "--inplace"])
"""


def settings(root):
    """(compiler flags, directives of Cython) with which setup.py builds the engine."""
    heard = {}
    with (mock.patch("Cython.Build.cythonize", lambda extensions, **options: [*extensions, options]),
          mock.patch("setuptools.setup", heard.update)):
        runpy.run_path(str(root / "setup.py"))
    *extensions, options = heard["ext_modules"]
    return extensions[0].extra_compile_args, options["compiler_directives"]


def build(root, folder):
    """What the compilers say if they fail, or an empty text."""
    for source in Path(__file__).parent.glob("probe*.p[yx][xi]"):
        shutil.copy(source, folder)
    asked = json.dumps([*settings(root), hdsim.get_include()])
    done = subprocess.run([sys.executable, "-c", SETUP, asked], cwd=folder, capture_output=True, text=True, timeout=300)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.hookimpl(tryfirst=True)     # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """One process runs all tests of the probe; otherwise a second one would wait for half a minute while it is built."""
    for item in items:
        if "probe" in item.fixturenames:
            item.add_marker(pytest.mark.xdist_group("probe"))


@pytest.fixture(scope="session")
def probe(root, missing, tmp_path_factory):
    """The module probe.pyx, built with the flags of setup.py."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if importlib.util.find_spec("Cython") is None or os.name == "posix" and shutil.which(compiler) is None:
        missing("Cython or a C compiler is not installed")
    folder = tmp_path_factory.mktemp("probe")
    assert build(root, folder) == ""
    file = folder / f"probe{sysconfig.get_config_var('EXT_SUFFIX')}"
    spec = importlib.util.spec_from_file_location("probe", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def draw():
    """Random numbers, the same in every run."""
    return random.Random(1)
