"""What systems keep in memory: few bytes for a disc, and none for arrays that were never read."""
import os

import numpy as np
import pytest
from scenes import TORUS, gas, python

import hdsim
from hdsim import CollisionSystem
from hdsim.system.arrays import numbers


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the memory of a process is read from /proc")
@pytest.mark.parametrize("phi, queue, periodic, limit",
                         [(.1, "heap", True, 200), (.4, "heap", True, 200), (.7, "heap", True, 200),
                                                         (.4, "heap", False, 200), (.4, "calendar", True, 220),
                                                         (.7, "calendar", True, 290)])
def test_bytes_of_a_disc(phi, queue, periodic, limit):
    """From before the set-up until each disc has had some contacts, and still when they have had more."""
    out = python(f"""
import os, numpy as np
import hdsim

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

n = 1000
places = np.stack(np.meshgrid(*[np.arange(n) + .5] * 2), axis=-1).reshape(-1, 2)
velocities = np.random.default_rng(1).standard_normal((n * n, 2))
radii, masses = np.full(n * n, ({phi} / np.pi) ** .5), np.ones(n * n)
hdsim.random(2)
before = resident()
system = hdsim.CollisionSystem.from_arrays(places, velocities, radii, masses, box=hdsim.Box(n, n, {periodic}), queue={queue!r})
for _ in range(2):
    system.simulate(max_events=2 * n * n)
    print((resident() - before) / n**2)
""", timeout=120)
    soon, later = map(float, out.split())
    assert 100 < soon <= limit and soon <= later <= min(soon + 8, limit)       # a periodic edge gives a disc its images


def test_sizes_and_ids_are_made_at_the_first_read():
    """Radii and masses are kept from the first time that they are read: the same arrays, read-only, also in a run, and new ones
    after an edit. A copy shares them."""
    system = gas(6, box=TORUS)
    radii = system.radii
    assert system.radii is radii and system.masses is system.masses and (system.ids == np.arange(6)).all()
    for array in (system.radii, system.masses, system.ids):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    twin = system.copy()
    assert twin.radii is radii
    with system.edit() as draft:
        draft.radii[2] *= .5
        draft.masses[1] = 7.
    assert system.radii[2] == radii[2] / 2 and system.masses[1] == 7. and twin.radii[2] == radii[2]
    system.remove(0)
    assert system.ids.tolist() == [1, 2, 3, 4, 5] and twin.ids.tolist() == [0, 1, 2, 3, 4, 5]
    seen = []
    fresh = gas(6, box=TORUS)
    fresh.on_collision(lambda event: seen.append((fresh.radii, fresh.masses, fresh.ids)) or hdsim.STOP)
    fresh.simulate(9.)
    assert [array.tolist() for array in seen[0]] == [twin.radii.tolist(), twin.masses.tolist(), twin.ids.tolist()]


def test_the_callers_arrays_are_not_kept():
    """A later change of the caller's arrays does not change the system."""
    arrays = [np.array([[.2, .2], [.7, .7]]), np.array([[1., 2.], [3., 4.]]), np.array([.1, .1]), np.array([1., 2.])]
    system = CollisionSystem.from_arrays(*arrays)
    kept = [array.copy() for array in arrays]
    for array in arrays:
        array[:] = 9.
    for mine, now in zip(kept, (system.positions, system.velocities, system.radii, system.masses)):
        assert (mine == now).all()


def test_sizes_read_while_another_thread_edits(monkeypatch):
    """A read that began before the edit does not leave the old sizes in place."""
    system = gas(6, box=TORUS)
    half, empty = system[0].radius / 2, np.empty
    system.add(hdsim.Particle(*system.positions.mean(axis=0), 0., 0., 1e-9, 1.))

    def after_an_edit(*arguments, **options):
        monkeypatch.undo()
        with system.edit() as draft:
            draft.radii[0] = half
        system.remove(6)
        return empty(*arguments, **options)

    monkeypatch.setattr(np, "empty", after_an_edit)
    assert len(system.radii) == 7       # as they were when the read began
    assert system.radii[0] == half and len(system.radii) == len(system.masses) == len(system) == 6
    with system.edit() as draft:
        draft.velocities *= 2
    assert system.radii[0] == system[0].radius == half


def test_there_must_be_room_for_sizes():
    with pytest.raises(IndexError, match="^room for 2 sizes, for 3 discs$"):
        gas(3)._engine.fill_sizes(np.empty(3), np.empty(2))


def test_numbers_that_are_not_aligned():
    """As in the fields of a packed record: the core gets them as it wants them."""
    arrays = [np.array([[.2, .2], [.7, .7]]), np.array([[1., 2.], [3., 4.]]), np.array([.1, .1]), np.array([1., 2.])]
    odd = [np.frombuffer(b"x" + array.tobytes(), offset=1).reshape(array.shape) for array in arrays]
    assert not any(array.flags.aligned for array in odd)
    assert all(numbers("numbers", array, array.shape).flags.aligned for array in odd)      # most processors would forgive it
    systems = [CollisionSystem.from_arrays(*given) for given in (arrays, odd)]
    for system in systems:
        system.simulate(9.)
    assert systems[0].hash() == systems[1].hash() and (systems[1].masses == arrays[3]).all()
