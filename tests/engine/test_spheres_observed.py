"""What the engine of spheres tells observers: the sums of the plane, and six walls; runs that cannot go on."""
import itertools
import math

import numpy as np
import pytest
from spheres import in_plane, spheres

import hdsim
from hdsim import Box, CollisionSystem, _core

ALL = dict(groups=2, bins=20, low=-2., inverse=5., with_walls=True, integral=True, axis=0, levels=3, most=10000, every=.01)


def observe(engine, number, kind, region, **changed):
    """Attach an observer of a kind, by its number in the core, to two groups of discs."""
    n = len(engine)
    group = np.arange(n, dtype=np.intc) % 2
    setting = {**ALL, "integral": kind in ("energy", "speed", "velocity", "pressure", "stress", "transport"), **changed}
    if kind != "transport" and setting["integral"] or kind in ("counts", "free time", "free path", "flow", "records"):
        setting["every"] = 0.
    engine.observe(number, _core.OBSERVERS[kind], group, *setting.values(), np.ravel(np.array(region, dtype=float)))


def sums(engine, number):
    """Totals, histogram and records of an observer."""
    total, block, histogram, value, record = map(np.empty, engine.observed_sizes(number))
    averaging = engine.observed(number, False, total, block, histogram, value, record)
    return total, histogram, record.reshape(averaging["records"], -1) if averaging["records"] else record


def same(one, other):
    return one == pytest.approx(other, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("axes", [(0, 1), (1, 2), (2, 0)])
def test_sums_over_a_plane_of_space_are_those_of_the_plane(axes):
    """Axis by axis, up to the order in which they were summed; the third axis has nothing."""
    plane = hdsim.random(60, radius=.03, temperature=1., seed=1, box=Box(1, 1, True))
    space = in_plane(plane, axes, .5)
    third, region = 3 - sum(axes), [.1, .2, .6, .7]
    wide = np.empty(6)
    wide[list(axes)], wide[third], wide[[3 + axis for axis in axes]], wide[3 + third] = region[:2], 0., region[2:], .5
    kinds = [kind for kind in _core.OBSERVERS if kind not in ("records", "surfaces", "profile")]     # which have other sums
    for system, regions, along in ((plane, region, 0), (space, wide, axes[0])):
        for number, kind in enumerate(kinds):
            still = np.zeros(system.dimension) if kind in ("stress", "transport") else []
            observe(system._engine, number, kind, regions if kind == "regions" else still, axis=along,
                    **({"low": .3} if kind == "flow" else {}))
        system.simulate(until=2.)
    found = {kind: (sums(plane._engine, k), sums(space._engine, k)) for k, kind in enumerate(kinds)}
    for kind, ((flat, histogram, _), (total, bars, _)) in found.items():
        if kind == "pressure":
            assert not total[3:9].any() and total[third] == 0. and len(total) == 10
            total = total[[*axes, 3, 4, 5, 6, 9]]
        elif kind == "velocity":
            parts, bars = total.reshape(2, 3, 2), bars.reshape(3, 2, -1)[list(axes)].ravel()
            assert not parts[:, third].any()
            total = parts[:, list(axes)].ravel()
        elif kind == "counts":
            assert len(total) == 4 + 2 * 6 and not total[4:].any()
            total = total[:12]
        elif kind == "stress":
            tensor = np.zeros((3, 3))
            tensor[np.triu_indices(3)] = total
            tensor = np.maximum(abs(tensor), abs(tensor.T)) * np.sign(tensor + tensor.T)
            assert not tensor[third].any()
            total = tensor[list(axes)][:, list(axes)][np.triu_indices(2)]
        elif kind == "transport":       # the deviator of a plane is another one
            total, flat = (np.delete(sums.reshape(5, -1), 1, axis=0) for sums in (total, flat))
        assert same(total, flat) and same(bars, histogram) and flat.any(), kind


def test_six_walls_and_what_is_recorded():
    """Impulses and counts at each wall, virials of each axis, and records are the sums over the events."""
    system = spheres(5, (3, 3, 3), (1., 1.2, .9), (False, False, False), 2.)
    for number, kind in enumerate(("pressure", "counts", "records")):
        observe(system._engine, number, kind, [], integral=False)
    system._engine.set_until(1.)
    contacts = []
    start = system._engine
    while (event := start.run(_core.KINDS[None])) is not None:
        contacts += [(event.time, contact) for contact in event.contacts]
    (pressure, _, _), (counts, _, _), (_, _, rows) = (sums(start, number) for number in range(3))
    walls = ("left", "right", "bottom", "top", "back", "front")
    impulses, hits, pairs = np.zeros(6), np.zeros((2, 6)), 0
    for k, (time, contact) in enumerate(contacts):
        seen = -1
        if contact.wall is not None:
            seen = walls.index(contact.wall)
            impulses[seen] += contact.impulse
            hits[contact.i % 2, seen] += 1
            side = np.zeros(3)
            side[seen // 2] = 2. * (seen % 2) - 1.
            assert contact.normal == tuple(side)
        pairs += contact.wall is None
        partner = contact.j if contact.wall is None else seen - 6
        assert rows[k].tolist() == [time, contact.i, partner, *contact.normal, contact.impulse]
    assert len(rows) == len(contacts) and pairs > 20 and hits.sum(0).all()
    assert pressure[3:9] == pytest.approx(impulses, rel=1e-12) and (pressure[:3] > 0).all()
    assert counts[:4].sum() == pairs and counts[4:].reshape(2, 6).tolist() == hits.tolist()


@pytest.mark.parametrize("axis, across", [*itertools.product(range(3), ((.15, .15), (.9, .15), (.2, 0.), (.9, .9)))])
def test_a_run_ends_when_lanes_are_clear(axis, across):
    """Spheres that move along one periodic axis, farther apart across it than they are wide, on the straight line or round the
    edges; and spheres that are not, which touch."""
    x = np.full((2, 3), .05)
    others = [k for k in range(3) if k != axis]
    x[1, others] = (x[1, others] + across) % 1.
    v = np.zeros((2, 3))
    v[0, axis] = 1.
    apart = math.hypot(*[min(a, 1. - a) for a in across])
    for touch, comes in ((.99 * apart, False), (1.01 * apart, True)):
        start = x.copy()
        start[1, axis] = .5
        system = CollisionSystem.from_arrays(start, v, touch / 2, box=Box(1, 1, depth=1, periodic=True))
        event = system.next_event()
        assert (event is not None) == comes


def test_the_core_takes_a_callback_of_its_own_only():
    """An engine reads the memory of a callback: anything else is refused."""
    system = spheres(1, (2, 2, 2))
    with pytest.raises(TypeError, match="'place' for 'hdsim._core.NativeCallback' objects doesn't apply to a 'str' object"):
        system._engine.run(_core.KINDS[None], natives=("f",))
