"""The results of the laboratory's experiments, which its test files share."""
import pytest

from hdsim.lab import experiment


# In a thinner gas the same numbers are measured with smaller errors in a third of the time; test_lab_spheres.py has the data set.
SOURCES = {"pollen3": ("200",)}


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
