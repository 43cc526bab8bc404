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
name, axes, flags, directives, include = json.loads(sys.argv[1])
probe = Extension(name, [name + ".pyx"], include_dirs=[include], extra_compile_args=flags,
                  define_macros=[("HDSIM_AXES", str(axes))])
setup(name=name, ext_modules=cythonize([probe], include_path=[include], compiler_directives=directives),
      script_args=["-q", "build_ext", "--inplace", "--build-temp", name + "-build"])
"""
PROBES = {"probe": 2, "probe3": 3}      # how many axes the floors have in each


def settings(root):
    """(compiler flags, directives of Cython) with which setup.py builds the engine."""
    heard = {}
    with (mock.patch("Cython.Build.cythonize", lambda extensions, **options: [*extensions, options]),
          mock.patch("setuptools.setup", heard.update)):
        runpy.run_path(str(root / "setup.py"))
    *extensions, options = heard["ext_modules"]
    return extensions[0].extra_compile_args, options["compiler_directives"]


def build(root, folder):
    """What the compilers say if they fail, or an empty text. Both modules are built at the same time."""
    for source in Path(__file__).parent.glob("probe*.p[yx][xi]"):
        shutil.copy(source, folder)
    flags, directives = settings(root)
    # Half the time of -O3 and the same bits: no level of optimisation rounds otherwise, given the other flags.
    flags = ["-O1" if flag == "-O3" else flag for flag in flags]
    asked = [json.dumps([name, axes, flags, directives, hdsim.get_include()]) for name, axes in PROBES.items()]
    running = [subprocess.Popen([sys.executable, "-c", SETUP, text], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True) for text in asked]
    said = [process.communicate(timeout=300)[0] for process in running]
    return "".join(text for text, process in zip(said, running) if process.returncode != 0)


@pytest.hookimpl(tryfirst=True)     # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """One process runs all tests of the probes; otherwise a second one would wait for half a minute while they are built."""
    for item in items:
        if not {*PROBES}.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.xdist_group("probe"))


@pytest.fixture(scope="session")
def built(root, missing, tmp_path_factory):
    """The folder of the modules probe.pyx and probe3.pyx, built with the flags of setup.py."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if importlib.util.find_spec("Cython") is None or os.name == "posix" and shutil.which(compiler) is None:
        missing("Cython or a C compiler is not installed")
    folder = tmp_path_factory.mktemp("probe")
    assert build(root, folder) == ""
    return folder


def loaded(name, folder):
    """The module of this name."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def probe(built):
    """The floors of two axes."""
    return loaded("probe", built)


@pytest.fixture(scope="session")
def probe3(built):
    """The floors of three axes."""
    return loaded("probe3", built)


@pytest.fixture
def draw():
    """Random numbers, the same in every run."""
    return random.Random(1)
