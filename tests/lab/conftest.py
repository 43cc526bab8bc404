"""The results of the laboratory's experiments, which its test files share."""
import pytest

from hdsim.lab import experiment


# Their quick runs take two to five seconds each: what asks for their results is not among the fast tests.
LONG = {"brownian", "cooling", "demon", "engine", "free-path", "kinetic", "maxwell", "pollen3", "queues", "shear", "spheres",
        "tables", "transport", "vessels"}
LONG_FIXTURES = {"brownian", "compared", "free_path", "heaps"}

# In a thinner gas the same numbers are measured with smaller errors in a third of the time; test_lab_spheres.py has the data set.
SOURCES = {"pollen3": ("200",)}


@pytest.hookimpl(tryfirst=True)     # before pytest looks at -m
def pytest_collection_modifyitems(items):
    """Tests of every experiment are `more` for those that take long; so are tests that use a fixture with the result of one."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        name = item.callspec.params.get("name") if hasattr(item, "callspec") else None
        if "quick" in names and (name in LONG or names & LONG_FIXTURES):
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
