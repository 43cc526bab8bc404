"""The next contact of one disc is searched in a growing span of time; it is the one that a search of all images finds."""
import numpy as np
import pytest

import hdsim
from hdsim.system.looking import _prediction


def of_all_images(system, i):
    """By comparing all images in IMAGES_FAR box lengths at once."""
    engine = system._engine
    with engine:
        times, partners = np.full(len(engine), np.inf), np.empty(len(engine), dtype=np.intc)
        engine.predict_free_flight(np.array([i], dtype=np.intc), np.inf, times, partners)
    return _prediction(float(times[i]), i, int(partners[i]), engine.dimension) if times[i] < np.inf else None


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_it_is_that_of_all_images(d, seed):
    """Few discs, which meet far away, and many; walls and periodic axes; after some contacts; a disc at rest."""
    random = np.random.default_rng(seed)
    n, periodic = int(random.integers(2, 50)), tuple(bool(wraps) for wraps in random.integers(0, 2, d))
    box = hdsim.Box.of((1.0, 1.5, .8)[:d], periodic)
    system = hdsim.random(n, radius=float(random.uniform(.002, .05)), box=box, temperature=1.0, seed=seed)
    system.simulate(max_events=int(random.integers(0, 40)))
    with system.edit() as draft:
        draft.velocities[0] = 0
    assert [system.next_contact(i) for i in range(n)] == [of_all_images(system, i) for i in range(n)]


def test_what_meets_nothing_has_none():
    """Two spheres that fly side by side for ever in a periodic cube."""
    cube = hdsim.Box(1, 1, depth=1, periodic=True)
    system = hdsim.CollisionSystem.from_arrays([[.2, .2, .2], [.7, .7, .7]], [[1, 0, 0], [1, 0, 0]], .05, box=cube)
    assert system.next_contact(0) is None and of_all_images(system, 0) is None
