"""The results of the laboratory's experiments, which its test files share."""
import pytest

from hdsim.lab import experiment


# Their quick runs take more than a second each: what asks for their results is not among the fast tests.
LONG = {"brownian", "cells", "cooling", "demon", "diffusion", "engine", "free-path", "heat", "kinetic", "maxwell", "piston",
        "pollen3", "queues", "shear", "silo", "spaces", "spheres", "tables", "time-step", "transport", "vessels"}
LONG_FIXTURES = {"brownian", "compared", "free_path", "heaps", "spreading"}

# In a thinner gas the same numbers are measured with smaller errors in a third of the time; test_lab_spheres.py has the data set.
SOURCES = {"pollen3": ("200",)}


@pytest.hookimpl(tryfirst=True)     # before pytest looks at -m
def pytest_collection_modifyitems(items):
    """Tests of every experiment are `more` for those that take long; so are tests that use a fixture with the result of one."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        if hasattr(item, "callspec") and names & {"quick", "request"}:      # a parameter may name an experiment or a fixture
            names.add(item.callspec.params.get("name"))
        if names & (LONG | LONG_FIXTURES):
            item.add_marker("more")


@pytest.fixture(scope="session")
def quick():
    """quick(name): the result of an experiment, done once."""
    results = {}

    def quick(name):
        if name not in results:
            shares = []
            results[name] = experiment(name)(*SOURCES.get(name, ()), quick=True, progress=shares.append)
            assert shares == sorted(shares) and 0 <= shares[0] and shares[-1] == pytest.approx(1)
        return results[name]
    return quick
