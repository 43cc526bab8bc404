"""What tests of films share: how their frames are read."""
import json
import os
import subprocess

import numpy as np
import pytest

from hdsim import viewer

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and executables of POSIX")
PICTURES = (".apng", ".webp", ".gif")


def read(path, pillow):
    """The frames of a film as (h, w, 3) arrays, and how long each is shown, in milliseconds."""
    with pillow.open(path) as movie:
        frames, durations = [], []
        for k in range(movie.n_frames):
            movie.seek(k)
            frames.append(np.asarray(movie.convert("RGB")))
            durations.append(movie.info.get("duration"))
        assert movie.info["loop"] == 0
        return frames, durations


def decoded(path, ffmpeg, width, height):
    """The frames of a film as ffmpeg sees them, (k, h, w, 3)."""
    command = [ffmpeg, "-loglevel", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(data, np.uint8).reshape(-1, height, width, 3)


def pictures(system, times, width, height):
    """Pictures of an undisturbed copy at these times."""
    system = system.copy()
    found = []
    for at in times:
        system.simulate(until=at)
        found.append(viewer.snapshot(system, width, height))
    return found


def film_of(page):
    """The data of a page."""
    return json.loads(page.split("const film = ", 1)[1].split(";\n", 1)[0])
