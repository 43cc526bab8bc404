"""What tests of trajectories share."""
import numpy as np


def assert_frame(frame, system, colors=True):
    """A frame is the system, bit for bit."""
    assert frame.time == system.time and frame.box == system.box
    for name in ("positions", "velocities", "radii", "masses", "ids", *(("colors",) if colors else ())):
        assert np.array_equal(getattr(frame, name), getattr(system, name)), name
        assert getattr(frame, name).dtype == getattr(system, name).dtype, name
    lengths = np.array([system.box.width, system.box.height])
    assert np.array_equal(frame.images, np.rint((system.unwrapped_positions - system.positions) / lengths))
    assert np.allclose(frame.unwrapped_positions, system.unwrapped_positions, rtol=1e-14, atol=1e-14)


def read_log(path, more=""):
    """The rows of a log, as numpy reads them. more: the types of further columns."""
    if path.suffix == ".npy":
        return np.load(path)
    return np.atleast_1d(np.genfromtxt(path, delimiter=",", names=True, encoding=None,
                                       dtype=f"f8,i4,i4,U6,f8,f8,f8,i8{more}"))


def available(package):
    import importlib.util

    return importlib.util.find_spec(package) is not None
