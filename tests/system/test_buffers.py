"""Positions and velocities as arrays: of the present and a later instant, into any buffer, shared without a copy."""
import math

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, WALLS, gas, unchanged

import hdsim
from hdsim import Box, CollisionSystem

BOXES = {"walls": WALLS, "torus": TORUS, "channel": CHANNEL}


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_positions_at_any_instant(box, dtype):
    """Now, and up to the next contact: what a copy that runs there has; the system does not move."""
    system = gas(30, box=box)
    other = system.copy()
    out = np.full((30, 2), np.nan, dtype=dtype)
    for _ in range(40):
        system.next_event()
        start, end = system.time, system.peek().time
        with unchanged(system):
            system.advance_into(out)
            assert np.array_equal(out, expected(system, dtype))
            system.advance_into(out, at=start)
            assert np.array_equal(out, expected(system, dtype))
            for part in (.25, .5, 1.):
                at = start + part * (end - start)
                system.advance_into(out, at=at)
                other.simulate(until=min(at, math.nextafter(end, 0)))
                assert np.allclose(out, other.positions, rtol=0, atol=1e-7 if dtype == np.float32 else 1e-14) or box is not WALLS
                away = abs(out - other.positions)
                lengths = [length if periodic else math.inf for length, periodic in zip((box.width, box.height), box.periodic)]
                assert np.minimum(away, lengths - away).max() < (2e-7 if dtype == np.float32 else 1e-13)
                assert not any(box.periodic) or ((out >= 0) & (out < (box.width, box.height)))[:, list(box.periodic)].all()


def expected(system, dtype):
    """positions, rounded; what rounds to the edge of the box is at 0."""
    rounded = system.positions.astype(dtype)
    for axis, length in enumerate((system.box.width, system.box.height)):
        if system.box.periodic[axis]:
            rounded[rounded[:, axis] >= length, axis] = 0
    return rounded


def test_rounding_stays_inside_the_box():
    """What rounds to the length of a periodic axis in single precision is 0, also where the length itself rounds up."""
    for length in (1., .1):
        edge = math.nextafter(length, 0.)
        system = CollisionSystem.from_arrays([[edge, edge]], [[0, 0]], .001, box=Box(length, length, (True, True)))
        out = np.ones((1, 2), dtype=np.float32)
        system.advance_into(out)
        assert out.tolist() == [[0, 0]]


def test_any_strides_and_any_buffer():
    """A part of a vertex array, the other order of axes, and a buffer that is no numpy array."""
    system = gas(10)
    vertices = np.full((10, 5), 7, dtype=np.float32)
    system.advance_into(vertices[:, 1:3])
    assert np.array_equal(vertices[:, 1:3], system.positions.astype(np.float32)) and (vertices[:, [0, 3, 4]] == 7).all()
    turned = np.empty((2, 10))
    system.advance_into(turned.T)
    assert np.array_equal(turned.T, system.positions)
    memory = bytearray(160)
    system.advance_into(memoryview(memory).cast("d", (10, 2)))
    assert np.array_equal(np.frombuffer(memory).reshape(10, 2), system.positions)
    CollisionSystem().advance_into(np.empty((0, 2)))


@pytest.mark.parametrize("make, error, message", [
    (lambda: np.empty((40, 3)), ValueError, r"out has shape \(40, 3\); expected \(40, 2\)"),
    (lambda: np.empty((39, 2)), ValueError, r"out has shape \(39, 2\)"),
    (lambda: np.empty(80), ValueError, r"out has shape \(80,\)"),
    (lambda: np.empty((40, 2), dtype=np.int64), TypeError, "out has type int64; expected float32 or float64"),
    (lambda: np.empty((40, 2), dtype=np.float16), TypeError, "out has type float16"),
    (lambda: np.empty((40, 2), dtype=">f8"), TypeError, "out has type >f8"),
    (lambda: [[0., 0.]] * 40, TypeError, "out must be an array of float32 or float64, got list"),
    (lambda: None, TypeError, "got NoneType"),
    (lambda: gas().positions, ValueError, "out is read-only"),
    (lambda: np.frombuffer(bytearray(641), offset=1).reshape(40, 2), ValueError, "out is not aligned"),
])
def test_a_wrong_buffer_is_refused(make, error, message):
    """And nothing is written."""
    with pytest.raises(error, match=message):
        gas().advance_into(make())


def test_a_wrong_instant_is_refused():
    """The past, beyond the next contact, and what is no time; nothing is written."""
    system = gas()
    system.simulate(until=1)
    end = system.peek().time
    out = np.full((40, 2), 7.)
    system.on_timer(lambda event: None, every=(end - 1) / 2 + 1)      # is no contact: the way is free
    for at in (.5, math.nextafter(1., 0), math.nextafter(end, 2), math.inf, -math.inf, math.nan):
        with pytest.raises(ValueError, match=r"it must be a time from now, 1\.0, to the next contact"):
            system.advance_into(out, at=at)
    assert (out == 7).all()
    system.advance_into(out, at=end)
    system.reverse()
    with pytest.raises(ValueError, match="to the next contact"):
        system.advance_into(out, at=max(end, system.peek().time + 1))
    for at in ("soon", [1.]):
        with pytest.raises((TypeError, ValueError)):
            system.advance_into(out, at=at)
    still = CollisionSystem.from_arrays([[.5, .5]], [[0, 0]], .1)
    still.advance_into(np.empty((1, 2)), at=1e9)


def test_arrays_are_snapshots_that_may_be_shared():
    """positions and velocities are arrays of their own, read-only: what was read stays when the system goes on. Buffer
    protocol and DLPack (numpy 2.1 and newer export read-only arrays) share them without a copy."""
    system = gas()
    before, velocities = system.positions, system.velocities
    copies = before.copy(), velocities.copy()
    system.simulate(until=1)
    assert np.array_equal(before, copies[0]) and np.array_equal(velocities, copies[1])
    for array in (before, velocities):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
        assert memoryview(array).readonly and memoryview(array).shape == (40, 2)
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
            shared = np.from_dlpack(array)
            assert np.shares_memory(shared, array) and not shared.flags.writeable
    loaded = hdsim.CollisionSystem.from_arrays(before, velocities, .03, box=system.box)
    assert np.array_equal(loaded.positions, before)


def test_images_of_from_arrays():
    """unwrapped_positions begin with them; they are whole, bounded, and 0 between walls."""
    def make(images):
        return CollisionSystem.from_arrays([[.5, .5], [.25, .25]], [[0, 0]] * 2, .01, box=Box(1, 1, (True, False)), images=images)

    assert make([[3, 0], [-2, 0]]).unwrapped_positions.tolist() == [[3.5, .5], [-1.75, .25]]
    assert make([[3, 0], [-2, 0]]).positions.tolist() == [[.5, .5], [.25, .25]]
    for images, message in (([[.5, 0], [0, 0]], "whole numbers"), ([[1e16, 0], [0, 0]], "whole numbers"),
                            ([[math.nan, 0], [0, 0]], "whole numbers"), ([[0, 1], [0, 0]], "not periodic"),
                            ([[0, 0]], r"images has shape \(1, 2\)")):
        with pytest.raises(ValueError, match=message):
            make(images)
