"""The probe: a module through which tests call the floors of hdsim/core, which no user sees."""
import random
from pathlib import Path

import probes
import pytest

TEXTS = {Path(__file__).with_name("probe.pyx"): [2], Path(__file__).with_name("probe3.pyx"): [3]}     # axes of the floors in each


@pytest.hookimpl(tryfirst=True)     # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """One process runs all tests of the probes; otherwise a second one would wait for half a minute while they are built."""
    for item in items:
        if not {"probe", "probe3"}.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.xdist_group("probe"))


@pytest.fixture(scope="session")
def built(root, missing):
    """The folder of the modules probe.pyx and probe3.pyx, built with the flags of setup.py."""
    return probes.build(root, missing, TEXTS)


@pytest.fixture(scope="session")
def probe(built):
    """The floors of two axes."""
    return probes.loaded(built, "probe", 2)


@pytest.fixture(scope="session")
def probe3(built):
    """The floors of three axes."""
    return probes.loaded(built, "probe3", 3)


@pytest.fixture
def draw():
    """Random numbers, the same in every run."""
    return random.Random(1)
