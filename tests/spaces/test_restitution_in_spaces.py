"""Restitution in Euclidean spaces: against the engines of discs and spheres and the textbook, the balance, and refusals."""
from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from gases import box, lattice

import hdsim
from hdsim import Box, CollapseError, CollisionSystem, spaces
from hdsim.reference import textbook_laws
from hdsim.reference.textbook import Particle

LAW = {"restitution": {"pair": .9, "wall": .7}, "contact_time": 1e-3}


def start(d, n, seed=1):
    """Positions in the unit cube, velocities, radii and masses of n bodies of two sizes."""
    rng = np.random.default_rng(seed)
    radii = np.where(np.arange(n) % 3 == 0, .3, .2) / math.ceil(n ** (1 / d))
    return lattice(n, d, .1, rng), rng.normal(size=(n, d)), radii, rng.choice([1., 2., .5], n)


def contacts(system, count):
    return [(event.time, tuple(sorted(contact[:2] if contact.j is not None else contact[:1])))
            for event in (system.next_event() for _ in range(count)) for contact in event.contacts]


@pytest.mark.parametrize("law", [LAW, {"restitution": .8}, {"restitution": 0., "contact_time": 1e-3}])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("d", [2, 3])
def test_as_discs_and_spheres(d, periodic, law):
    """The same contacts as those of `CollisionSystem`, which the textbook confirms, until rounding errors have grown."""
    arrays = start(d, 27)
    gas = spaces.Gas(spaces.Norm(2, d), *arrays, () if periodic else box(d), [1.] * d if periodic else None, **law)
    system = CollisionSystem.from_arrays(*arrays, box=Box.of([1.] * d, periodic), **law)
    for (one, who), (other, same) in zip(contacts(gas, 60), contacts(system, 60)):
        assert one == pytest.approx(other, rel=1e-6) and who == same
    assert gas.dissipated == pytest.approx(system.dissipated, rel=1e-6) and gas.dissipated > 0
    assert gas.restitution == system.restitution and gas.contact_time == system.contact_time


def test_as_the_textbook():
    """Plain Python, with formulas of its own."""
    x, v, r, m = start(2, 9)
    gas = spaces.Gas(spaces.Norm(2), x, v, r, m, box(), restitution=.8)
    book = textbook_laws.CollisionSystem([Particle(*a, *b, radius, mass) for a, b, radius, mass in zip(
        x.tolist(), v.tolist(), r.tolist(), m.tolist())], restitution=.8)
    for _ in range(25):
        assert gas.next_event().time == pytest.approx(book.next_event().time, rel=1e-9)
    assert gas.dissipated == pytest.approx(book.dissipated, rel=1e-9)


@pytest.mark.parametrize("d", [1, 2, 4, 8])
def test_a_ball_loses_the_part_of_its_normal_energy(d):
    """At a wall and at another ball; the speed along the surface stays."""
    up = np.eye(d)[0] * .25 + (np.eye(d)[-1] * .5 if d > 1 else 0)
    along = -np.eye(d)[0] + (np.eye(d)[-1] if d > 1 else 0)
    gas = spaces.Gas(spaces.Norm(2, d), [up, up + np.eye(d)[0] * 3], [along, np.zeros(d)], .125, [2., math.inf],
                     [spaces.Hyperplane(np.eye(d)[0])], restitution={"pair": .5, "wall": .25})
    gas.next_event()
    assert gas.velocities[0, 0] == .25 and gas.dissipated == 2 * .5 * (1 - .25**2)
    if d == 1:
        gas.next_event()
        assert gas.velocities[0, 0] == -.125 and gas.dissipated == 1 - .125**2


def test_the_balance_closes_over_many_contacts():
    x, v, r, m = start(3, 64)
    gas = spaces.Gas(spaces.Norm(2, 3), x, v, r, m, box(3), restitution=.95, contact_time=1e-4)
    energy = gas.kinetic_energy
    gas.simulate(max_events=20_000)
    balance = gas.energy_balance()
    assert abs(balance.drift) < 1e-14 and balance.dissipated == pytest.approx(energy - gas.kinetic_energy, rel=1e-12)
    assert balance.kinetic < .1 * energy and not gas.conserves_energy and balance.work == 0


def test_copies_pickles_and_checkpoints_go_on(tmp_path):
    """Coefficients, the clocks of the last contacts and the balance."""
    gas = spaces.Gas(spaces.Norm(2, 3), *start(3, 27), box(3), **LAW)
    gas.simulate(max_events=200)
    gas.save(tmp_path / "a.npz")
    others = [gas.copy(), pickle.loads(pickle.dumps(gas)), hdsim.load(tmp_path / "a.npz")]
    for one in (gas, *others):
        one.simulate(max_events=300)
        assert one.hash() == gas.hash() and one.energy_balance() == gas.energy_balance()
        assert one.restitution == gas.restitution and one.contact_time == 1e-3
    assert gas.energy_balance().dissipated > 0


def test_elastic_gases_are_as_before(tmp_path):
    """e = 1, given or not: the same bits, and files without a law."""
    hashes = set()
    for given in ({}, {"restitution": 1.}, {"restitution": {"pair": 1, "wall": 1}}):
        gas = spaces.Gas(spaces.Norm(2), *start(2, 16), box(), **given)
        gas.simulate(max_events=300)
        arrays, data = gas.checkpoint()
        hashes.add((gas.hash(), tuple(sorted(data)), tuple(sorted(data["engine"]))))
        assert gas.conserves_energy and gas.dissipated == 0 and abs(gas.energy_balance().drift) < 1e-14
    assert len(hashes) == 1 and "law" not in data
    gas.save(tmp_path / "a.npz")
    assert abs(hdsim.load(tmp_path / "a.npz").energy_balance().drift) < 1e-14


def test_a_collapse_is_named():
    row = dict(positions=[.1, .5, .8], velocities=[1, 0, -.7], radii=.05)
    with pytest.raises(CollapseError, match="bodies 0, 1, 2 would collide infinitely often by time 0.2968.*contact_time"):
        spaces.Gas(spaces.Norm(2, 1), **row, restitution=.05).simulate(until=1)
    assert spaces.Gas(spaces.Norm(2, 1), **row, restitution=.05, contact_time=1e-3).simulate(until=1) > 3


@pytest.mark.parametrize("part", [.5, .9, .97])
def test_a_collapse_in_which_all_comes_to_rest_is_named(part, tmp_path):
    """Two bodies at a wall, below the threshold tan^2(pi / 8); above it they part. A checkpoint goes on alike."""
    def system(e):
        return spaces.Gas(spaces.Norm(2, 1), [[.1], [.3]], [[-1], [-1.25]], .05, walls=[spaces.Hyperplane([1.])],
                          restitution=e)
    gas = system(part * math.tan(math.pi / 8) ** 2)
    gas.simulate(max_events=40)
    gas.save(tmp_path / "a.npz")
    left = set()
    for other in (gas, hdsim.load(tmp_path / "a.npz")):
        with pytest.raises(CollapseError, match="bodies 0, 1 would collide infinitely often"):
            other.simulate(until=1e6)
        left.add(other.hash())
    assert len(left) == 1 and gas.time < 1
    assert system(1.03 * math.tan(math.pi / 8) ** 2).simulate(until=1e6) < 25


def test_what_is_refused():
    for space in (spaces.Norm(4), spaces.Norm(2, weights=(1, 2)), spaces.Sphere(), spaces.Hyperbolic(),
                  spaces.Polytope(np.eye(2))):
        none = np.zeros((0, space.coordinates))
        with pytest.raises(ValueError, match=r"restitution is 0.5, and the space is .*that lose energy are for Norm\(2\)"):
            spaces.Gas(space, none, none, 1., restitution=.5)
    with pytest.raises(ValueError, match=r"restitution\['pair'\] is an array; it must be a number"):
        spaces.Gas(spaces.Norm(2), [(0, 0)], [(0, 0)], 1., restitution={"pair": [[.5, .5], [.5, .5]]})
    with pytest.raises(ValueError, match="contact_time is -1; it must be >= 0"):
        spaces.Gas(spaces.Norm(2), [(0, 0)], [(0, 0)], 1., restitution=.5, contact_time=-1)
    with pytest.raises(ValueError, match=r"an energy balance is for Norm\(2\) without weights; in .*Sphere.* take no energy"):
        spaces.Gas(spaces.Sphere(), [(1, 0, 0)], [(0, 0, 0)], .1).energy_balance()


def test_a_damaged_checkpoint_is_refused(tmp_path):
    gas = spaces.Gas(spaces.Norm(2), *start(2, 4), box(), **LAW)
    arrays, data = gas.checkpoint()
    data["engine"]["last"].pop()
    with pytest.raises(IndexError, match="3 last contacts for 4 bodies"):
        spaces.Gas.from_checkpoint(arrays, data)


def test_observers_have_no_theory_of_equilibrium():
    gas = spaces.Gas(spaces.Norm(2, 3), *start(3, 27)[:2], .05, periodic=[1.] * 3, restitution=.9, contact_time=1e-3)
    pressure = gas.observe("pressure")
    gas.simulate(max_events=500)
    assert pressure.theory is None and pressure.value > 0
