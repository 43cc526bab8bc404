"""Each format of trajectories."""
import pytest

from hdsim.formats import TRAJECTORIES


@pytest.fixture(params=TRAJECTORIES)
def suffix(request):
    """Each of the suffixes; GSD where gsd is installed."""
    if request.param == ".gsd":
        pytest.importorskip("gsd")
    return request.param


@pytest.fixture
def gsd():
    pytest.importorskip("gsd")
    import gsd.hoomd

    return gsd
