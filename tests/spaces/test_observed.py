"""Observers of gases: measured against exact virial series and equations of state, and what they refuse."""
import math
import pickle

import numpy as np
import pytest
from gases import box, lattice, octagon, on_sphere, tangent

import hdsim
from hdsim import spaces
from hdsim.observers import balls

INF = math.inf


def fluid(space, n, density, rng, masses=1.0):
    """A gas of unit balls in a periodic box, centre of mass at rest. density: in diameters, which are 1."""
    d = space.coordinates
    length = (n / density) ** (1 / d)
    m, v = np.broadcast_to(masses, (n,)), rng.normal(size=(n, d))
    gas = spaces.Gas(space, lattice(n, d, 0, rng) * length, v - m @ v / m.sum(), .5, m, periodic=(length,) * d)
    gas.simulate(max_events=10 * n)
    return gas


def mixed(rng, n):
    return rng.uniform(.5, 2, n)


FLUIDS = {"spheres": (spaces.Norm(2, 3), 256, .3, False), "dense spheres": (spaces.Norm(2, 3), 512, .7, False),
          "squares": (spaces.Norm(INF), 225, .1, True), "cubes": (spaces.Norm(INF, 3), 343, .05, True),
          "diamonds": (spaces.Norm(1), 225, .2, True), "discs": (spaces.Norm(2), 225, .4, False),
          "rods": (spaces.Norm(3, 1), 100, .4, True)}


@pytest.mark.sample(3)
@pytest.mark.parametrize("contacts", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FLUIDS)
def test_equations_of_state(name, contacts, rng):
    """Within four standard errors, and two parts in ten thousand for the finite number of balls in the second order."""
    space, n, density, mixture = FLUIDS[name]
    gas = fluid(space, n, density, rng, mixed(rng, n) if mixture else 1.)
    pressure, speed = gas.observe(hdsim.Pressure()), gas.observe("speed")
    rates, path = gas.observe(hdsim.CollisionRates()), gas.observe("free path")
    gas.simulate(max_events=contacts)
    found = [(pressure, 2e-4)] + ([] if mixture else [(rates, 2e-4), (path, 2e-4 + 2 * n / contacts)]) + [(speed, 1e-4)]
    for observer, slack in found:
        assert observer.theory is not None
        assert abs(observer.value - observer.theory) < 4 * observer.error + slack * observer.theory
    assert pressure.compressibility_factor == pytest.approx(pressure.value * (gas.periodic[0] ** space.coordinates)
                                                            / (n * gas.temperature), rel=1e-9)
    assert rates.pair_counts.sum() == contacts and "ball-ball" in rates.table() and "mean free path" in path.table()


def test_speeds_follow_maxwell_in_three_dimensions(rng):
    gas = fluid(spaces.Norm(2, 3), 216, .3, rng)
    speed = gas.observe(hdsim.Speed(bins=20, range=(0, 4)))
    gas.simulate(max_events=30_000)
    law = hdsim.theory.speed_pdf(.5 * (speed.edges[1:] + speed.edges[:-1]), 1., gas.temperature, d=3)
    assert speed.histogram[0] == pytest.approx(law, abs=.03) and speed.rms == pytest.approx(math.sqrt(3 * gas.temperature),
                                                                                            rel=.01)
    assert type(speed) is balls.Speed and speed in gas.observers


def test_looking_does_not_move_and_sums_go_on(rng, tmp_path):
    """Observed or not: the same bits. Copies, pickles and files go on from the same sums."""
    gas = fluid(spaces.Norm(4, 3), 125, .2, rng, mixed(rng, 125))
    alone = gas.copy()
    pressure, path, rates = (gas.observe(name) for name in ("pressure", "free path", "collision rates"))
    gas.simulate(max_events=3000)
    gas.save(tmp_path / "gas.npz")
    others = [gas.copy(), pickle.loads(pickle.dumps(gas)), hdsim.load(tmp_path / "gas.npz")]
    for g in (gas, *others):
        g.simulate(max_events=3000)
    alone.simulate(max_events=6000)
    assert alone.hash() == gas.hash()
    for other in others:
        assert [o.value for o in other.observers] == [pressure.value, path.value, rates.value]
    energy = gas.kinetic_energy
    pressure.detach()
    assert len(gas.observers) == 2 and pressure.value > 0 and gas.kinetic_energy == energy
    with pytest.raises(ValueError, match="does not observe this gas"):
        gas.unobserve(pressure)


def test_curved_and_walled_gases(rng):
    """Rates, paths and speeds everywhere; walls count as one."""
    x = on_sphere(50)
    sphere = spaces.Gas(spaces.Sphere(2.), 2 * x, tangent(x, rng.normal(size=x.shape)), .2)
    walled = spaces.Gas(spaces.Norm(4), lattice(64, 2, .1, rng), rng.normal(size=(64, 2)), .03, walls=box())
    for gas in (sphere, walled):
        rates, path, speed = gas.observe("collision rates"), gas.observe("free path", walls=True), gas.observe("speed")
        energy = gas.kinetic_energy
        gas.simulate(max_events=4000)
        assert rates.value * rates.elapsed == pytest.approx(gas.statistics["pair_contacts"])
        assert rates.wall_counts.sum() == gas.statistics["wall_contacts"]
        assert speed.rms**2 * len(gas) / 2 == pytest.approx(energy, rel=1e-9)
        assert rates.theory is None and path.theory is None and path.value * path.flights < speed.value * len(gas) * path.elapsed
    assert "walls" in walled.observers[0].table() and walled.observers[0].wall_counts.sum() > 100


@pytest.mark.parametrize("observer, message", [
    ("pressure", "measured where all axes are periodic"), (hdsim.Flow(x=.5),
                                                           "Flow observes discs in a box; a gas has Pressure, Coll"),
    ("presure", "no observer is called 'presure'")])
def test_what_makes_no_sense_is_refused(observer, message, rng):
    gas = spaces.Gas(spaces.Hyperbolic(), [(1, 0, 0)], [(0, 1, 0)], .1, walls=octagon())
    with pytest.raises(ValueError, match=message):
        gas.observe(observer)
    assert gas.observers == ()


def test_own_spaces_are_not_observed():
    class Line(spaces.Space):
        coordinates = 1

        def advance(self, position, velocity, dt):
            return position + velocity * dt, velocity

        def distance(self, a, b):
            return abs(b - a)[0]

        def gradient(self, a, b):
            return -np.sign(b - a), np.sign(b - a)

        def certificate(self, a, velocity_a, b, velocity_b):
            return "convex"

    gas = spaces.Gas(Line(), [0, 1], [0, -1], .1)
    with pytest.raises(ValueError, match="Line is a space of your own, which observers do not know"):
        gas.observe("speed")
    assert gas.next_event().time == pytest.approx(.8)
