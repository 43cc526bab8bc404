"""The results of the laboratory's experiments, which its test files share."""
import pytest

from hdsim.lab import experiment


@pytest.fixture(scope="session")
def quick():
    """quick(name): the result of an experiment, done once."""
    results = {}

    def quick(name):
        if name not in results:
            shares = []
            results[name] = experiment(name)(quick=True, progress=shares.append)
            assert shares == sorted(shares) and 0 <= shares[0] and shares[-1] == pytest.approx(1)
        return results[name]
    return quick
