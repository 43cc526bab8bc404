"""What tests of pictures, films and playback need."""
import importlib.util

import numpy as np
import pytest
from scenes import CHANNEL, gas

import hdsim
from hdsim import viewer
from hdsim.viewer.film import encoders
from hdsim.viewer.playback import playback as playback_module


@pytest.fixture(scope="module")
def opengl(missing):
    """Skips where OpenGL is missing; in CI that is a failure."""
    try:
        viewer.snapshot(hdsim.CollisionSystem(), 8, 8)
    except viewer.NoDisplayError as error:
        missing(str(error))


@pytest.fixture(scope="module")
def pillow(missing):
    """PIL.Image, which reads PNG, GIF and WebP."""
    if importlib.util.find_spec("PIL") is None:
        missing("pillow is not installed")
    from PIL import Image
    return Image


@pytest.fixture(scope="module")
def ffmpeg(missing):
    """The path of ffmpeg."""
    try:
        return encoders.ffmpeg()
    except ImportError as error:
        missing(str(error))


@pytest.fixture
def colorful():
    """Sixty discs of sixty colours, in a box that is periodic along x."""
    system = gas(60, box=CHANNEL)
    with system.edit() as draft:
        draft.colors[:] = np.random.default_rng(1).integers(0, 256, (60, 3))
    return system


@pytest.fixture
def unhurried(monkeypatch):
    """No tick is cut short, however busy the machine."""
    monkeypatch.setattr(playback_module, "BUDGET", 60.0)
