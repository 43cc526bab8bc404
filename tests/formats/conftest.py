"""Each format of trajectories."""
import pytest

from hdsim.formats import EDMD, TRAJECTORIES


@pytest.fixture(params=[suffix for suffix in TRAJECTORIES if suffix not in EDMD])
def suffix(request):
    """Each of the suffixes of files of discs; GSD where gsd is installed."""
    if request.param == ".gsd":
        pytest.importorskip("gsd")
    return request.param


@pytest.fixture
def gsd():
    pytest.importorskip("gsd")
    import gsd.hoomd

    return gsd
