"""`Profile`: exact times of one disc, sums that are those of other observers, momentum that passes all slabs alike."""
from __future__ import annotations

import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Particle, Sphere, Thermal
from hdsim.observers import restored


def test_times_of_one_disc():
    """From x = .25 to the wall at .875 and back: in the slabs for as long as it flies through each."""
    system = CollisionSystem([Particle(.25, .5, .5, .125, .125, 2)])
    profile = system.observe(hdsim.Profile("x", 4))
    assert np.isnan(profile.density).all()
    system.simulate(until=1.5)
    assert profile.density == pytest.approx(np.array([0, .5, .5, .5]) / (1.5 * .25), abs=1e-15)
    assert profile.places.tolist() == [.125, .375, .625, .875]
    assert profile.velocity[1] == pytest.approx([.5, .125], rel=1e-15) and np.isnan(profile.velocity[0]).all()
    assert profile.velocity[3] == pytest.approx([0, .125], abs=1e-15)
    assert profile.temperature[3] == pytest.approx(.25, rel=1e-14) and profile.temperature[1] == pytest.approx(0, abs=1e-15)


def test_nothing_is_known_before_time_has_passed_nor_where_no_disc_has_been():
    """Rounding leaves sums that are not 0 where an observation begins in the middle of flights: they are not divided by each
    other."""
    system = hdsim.load("two-temperatures")
    system.simulate(until=100.37)
    profile = system.observe(hdsim.Profile("x", 10))
    assert np.isnan(profile.value).all() and np.isnan(profile.error).all()
    system.simulate(until=101)
    assert (profile.temperature > .1).all()
    still = CollisionSystem([Particle(.3, .3 + .2 * k, 0, 0 if k else .31, .03, 1) for k in range(3)])
    still.simulate(until=7.7)
    profile = still.observe(hdsim.Profile("x", 7))
    still.simulate(until=23.1)
    assert np.isfinite(profile.temperature).tolist() == [k == 2 for k in range(7)]


def test_the_impulse_at_a_wall_is_carried_over_the_radius():
    """Mass 2 with the speed 1: 4 from the centre at .7 to the wall at 1, in slabs of .25: .05 and .25 of .3."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .3, 2)])
    profile = system.observe(hdsim.Profile("x", 4))
    system.simulate(until=.25)
    u = profile.velocity[2, 0]      # it has flown .2 to the right, and .05 back
    flights = 2 * .25 * (1 - u**2)
    assert u == pytest.approx(.6, rel=1e-14)
    assert profile.pressure[:, 0, 0] * .25 * .25 == pytest.approx([0, 0, flights + 4 * .05, 4 * .25], rel=1e-12)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("periodic", [False, True])
def test_sums_over_slabs_are_those_of_other_observers(dimension, periodic):
    """The number, and the tensor of a box as a whole, along each axis."""
    box = Box(1, 1.5, (periodic,) * dimension, *([2.] if dimension == 3 else []))
    system = hdsim.random(40, radius=.05 if dimension == 2 else .12, temperature=1, mass=2, seed=5, box=box)
    with system.edit() as draft:
        draft.velocities -= draft.velocities.mean(axis=0)
    tensor = system.observe(hdsim.PressureTensor())
    profiles = [system.observe(hdsim.Profile(axis, bins)) for axis, bins in zip("xyz"[:dimension], (7, 1, 30))]
    system.simulate(until=30.3)
    for profile in profiles:
        time, mass, momentum, flights, contacts = profile._sums(profile._read().total)
        assert time.sum() == pytest.approx(40 * 30.3, rel=1e-12) and mass.sum() == pytest.approx(2 * time.sum(), rel=1e-12)
        total = (flights + contacts).sum(axis=0)
        assert total == pytest.approx(total.T, abs=1e-8)
        assert total[np.triu_indices(dimension)] == pytest.approx(tensor._read().total, abs=1e-8)
        assert profile.density.mean() == pytest.approx(40 / system.box.volume, rel=1e-12)
        assert np.isfinite(profile.error[profile.density > 0]).all()
        assert profile.value.shape == (len(profile.places), 2 + dimension + dimension**2)
        assert profile.names[-1] == ("pyy" if dimension == 2 else "pzz") and profile.theory is None


def test_a_fast_disc_on_a_periodic_axis_is_everywhere():
    """Over many turns, also in a flight that no contact ends."""
    system = CollisionSystem([Particle(.5, .5, 8, 0, 0, 1)], box=Box(1, 1, (True, True)))
    profile = system.observe(hdsim.Profile("x", 5))
    system.simulate(until=100)
    assert profile.density == pytest.approx(np.ones(5), rel=1e-12)
    system.simulate(until=100.0625)
    assert profile.density[2] * 100.0625 == pytest.approx(100 + (.1 / 8) * 5, rel=1e-9)


def test_momentum_passes_all_slabs_alike():
    """A dense gas between thermal sides that slide: the shear stress is that on the sides in each slab, up to the walls, and the
    pressure across, too; the flow is between the velocities of the sides."""
    system = hdsim.random(60, packing=.3, temperature=1, mass=1, seed=3, box=Box(1, 1, (True, False)),
                          walls={"bottom": Thermal(1., -1.), "top": Thermal(1., 1.)})
    system.simulate(until=5)
    profile, surfaces = system.observe(hdsim.Profile("y", 8)), system.observe(hdsim.Surfaces())
    system.simulate(until=60)
    stress, error = profile.pressure[:, 1, 0], profile.error[:, profile.names.index("pyx")]
    force = surfaces.value[:, 1]
    assert force[0] < 0 < force[1] and np.abs(stress + force[1]).max() < 5 * math.hypot(error.max(), surfaces.error[1, 1])
    across, force = profile.pressure[:, 1, 1], -surfaces.value[1, 2]
    assert np.abs(across - force).max() < 5 * math.hypot(profile.error[:, -1].max(), surfaces.error[1, 2]) < .2 * force
    flow = profile.velocity[:, 0]
    assert (np.diff(flow) > 0).all() and -1 < flow[0] < 0 < flow[-1] < 1 and (profile.temperature > 1).all()


def test_points_between_two_temperatures():
    """sqrt(T1 T2) everywhere, and the density is uniform: no point meets another one."""
    system = hdsim.random(300, radius=0, temperature=2, mass=1, seed=3, walls={"left": Thermal(1.), "right": Thermal(4.)})
    system.simulate(until=3)
    profile = system.observe("profile", axis="x", bins=5)
    system.simulate(until=150)
    value, error = profile.value, profile.error
    assert (np.abs(value[:, 0] - 300) < 5 * error[:, 0]).all() and (np.abs(value[:, 1] - 2) < 5 * error[:, 1]).all()
    assert error[:, 0].max() < 3 and error[:, 1].max() < .1 and "x = 0.1, temperature" in profile.table()


def heated() -> CollisionSystem:
    return hdsim.random(50, radius=.03, temperature=1, seed=4, walls={"left": Thermal(1.), "top": Thermal(3., .5)},
                        obstacles=[hdsim.Circle((.5, .5), .1, temperature=2.)])


def test_pieces_copies_and_checkpoints_have_the_same_bits(tmp_path):
    whole, system = heated(), heated()
    expected, seen = whole.observe(hdsim.Profile("x", 9)), system.observe(hdsim.Profile("x", 9))
    whole.simulate(max_events=3000)
    system.simulate(max_events=1000)
    system.save(tmp_path / "state.npz")
    for other in (system, system.copy(), hdsim.load(tmp_path / "state.npz")):
        other.simulate(max_events=2000)
        assert other.hash() == whole.hash() and other.observers[0].value.tobytes() == expected.value.tobytes()
    assert np.isfinite(seen.error).all()


def test_what_does_not_fit_is_refused():
    flat = CollisionSystem([Particle(.5, .5, 1, 0, .1, 1)])
    for arguments, message in ((("r", 4), "axis is 'r'; it must be 'x', 'y' or 'z'"), (("x", 1001), "bins is 1001"),
                               (("x", 0), "bins is 0; it must be 1 ... 1000")):
        with pytest.raises(ValueError, match=message):
            hdsim.Profile(*arguments)
    with pytest.raises(ValueError, match="axis is 'z'; a box of two dimensions has x and y"):
        flat.observe(hdsim.Profile("z"))
    space = CollisionSystem([Sphere((.5, .5, .5), (1, 0, 0), .1, 1)])
    assert space.observe(hdsim.Profile("z")).places.shape == (20,)
    arrays, data = flat.observe(hdsim.Profile("x", 4)).stored()
    data["settings"][2] = 5
    with pytest.raises(ValueError, match="the settings of the Profile observer are out of range, or do not fit"):
        restored(flat, flat._engine, 9, arrays, data)


def test_figure():
    pytest.importorskip("matplotlib")
    system = heated()
    profile = system.observe(hdsim.Profile("y", 6))
    system.simulate(until=3)
    assert profile.plot().get_xlabel() == "y"
