"""Spaces of one's own, in Python: the same contacts as the compiled ones, and errors that name the method."""
import pickle

import numpy as np
import pytest
from gases import lattice, on_sphere, tangent

from hdsim import spaces


class Borrowed(spaces.Space):
    """A compiled space, by its Python functions."""

    def __init__(self, space, certificate="convex"):
        self.space, self.coordinates, self.bound = space, space.coordinates, certificate

    def advance(self, position, velocity, dt):
        return self.space.advance(position, velocity, dt)

    def distance(self, a, b):
        return self.space.distance(a, b)

    def gradient(self, a, b):
        return self.space.gradient(a, b)

    def certificate(self, a, velocity_a, b, velocity_b):
        return self.bound

    def kinetic(self, position, velocity):
        return self.space.kinetic(position, velocity)


class Chord(Borrowed):
    """The sphere with chords as distances: half their square has a bounded second derivative."""

    def distance(self, a, b):
        return .5 * np.sum((b - a) ** 2)

    def gradient(self, a, b):
        square = .5 * np.sum((b - a) ** 2)
        return a - b - square * a, b - a - square * b

    def certificate(self, a, velocity_a, b, velocity_b):
        return (np.linalg.norm(velocity_a) + np.linalg.norm(velocity_b)) ** 2 + 1e-12


@pytest.mark.parametrize("space", [spaces.Norm(4), spaces.Norm(1.5, 3), spaces.Norm(2, weights=(1, 3), kinetic="norm")])
def test_a_borrowed_norm(space, rng):
    """The same contacts as in the compiled space, to rounding."""
    d = space.coordinates
    state = lattice(8, d, .05, rng), -lattice(8, d, .2, rng) + .5, .12, [1, 2, 3, 1, 1, .5, 1, 1]
    gas, own = spaces.Gas(space, *state), spaces.Gas(Borrowed(space), *state)
    for _ in range(6):
        right, found = gas.next_event(), own.next_event()
        if right is None:
            assert found is None
            break
        assert found.particles == right.particles and found.time == pytest.approx(right.time, abs=1e-10)
    assert own.velocities == pytest.approx(gas.velocities, abs=1e-9) and own.kinetic_energy == pytest.approx(gas.kinetic_energy)
    assert gas.statistics["events"] > 2


def test_a_borrowed_sphere(rng):
    """Distances that are not convex, with a bound: the same contacts as on the compiled sphere."""
    x = on_sphere(6)
    v = tangent(x, rng.normal(size=(6, 3)))
    size = .3
    gas = spaces.Gas(spaces.Sphere(), x, v, size)
    own = spaces.Gas(Chord(spaces.Sphere()), x, v, np.sin(size) ** 2)       # 2 sin^2 of half the contact distance, two radii
    for _ in range(5):
        right, found = gas.next_event(), own.next_event()
        assert found.particles == right.particles and found.time == pytest.approx(right.time, abs=1e-8)
    assert own.kinetic_energy == pytest.approx(gas.kinetic_energy)


class Failing(Borrowed):
    left = 10**9

    def distance(self, a, b):
        self.left -= 1
        if self.left < 0:
            raise ArithmeticError("no distance today")
        return super().distance(a, b)


def test_an_exception_in_a_space_leaves_the_last_event(rng):
    """It comes out of the run, and the gas goes on from the last completed event."""
    space = Failing(spaces.Norm(2))
    state = lattice(9, 2, .1, rng), .5 - lattice(9, 2, .1, rng), .1
    gas, right = spaces.Gas(space, *state), spaces.Gas(Borrowed(spaces.Norm(2)), *state)
    space.left = 250
    with pytest.raises(ArithmeticError, match="no distance today"):
        gas.simulate(until=5.)
    space.left = 10**9
    assert gas.statistics["events"] < right.simulate(until=5.)
    gas.simulate(until=5.)
    assert gas.hash() == right.hash() and gas.positions == pytest.approx(right.positions, abs=1e-12)


def test_an_event_that_fails_is_not_counted():
    """Wherever the first contacts fail, no body keeps the count of one that was taken back."""
    x, v = np.array([(0., 0.), (1., 0.), (3., 0.)]), np.array([(1., 0.), (0., 0.), (0., 0.)])
    failures = 0
    for left in range(60):
        space = Failing(spaces.Norm(2))
        gas = spaces.Gas(space, x, v, .2)
        space.left = left
        try:
            gas.simulate(until=9.)
        except ArithmeticError:
            failures += 1
        counts = np.empty(3, np.int64)
        gas._engine.counts(counts, True, True)
        assert counts.sum() == 2 * gas.statistics["pair_contacts"] == 2 * gas.statistics["events"]
    assert failures > 5


def test_copies_and_pickles(rng, tmp_path):
    gas = spaces.Gas(Borrowed(spaces.Norm(2)), lattice(9, 2, .1, rng), .5 - lattice(9, 2, .1, rng), .1)
    others = [gas.copy(), pickle.loads(pickle.dumps(gas))]
    gas.simulate(until=5.)
    for other in others:
        other.simulate(until=5.)
        assert other.hash() == gas.hash()
    with pytest.raises(ValueError, match="space of your own: a file cannot hold it"):
        gas.save(tmp_path / "gas.npz")
    for name in ("momentum", "angular_momentum"):
        with pytest.raises(AttributeError, match="no"):
            getattr(gas, name)
    with pytest.raises(ValueError, match="has no hyperplanes"):
        spaces.Gas(gas.space, gas.positions, gas.velocities, .1, walls=[spaces.Hyperplane((1, 0))])


class Quartic(Borrowed):
    def kinetic(self, position, velocity):
        return float(np.sum(np.asarray(velocity) ** 4))


@pytest.mark.parametrize("space, error, message", [
    (spaces.Space(), ValueError, "Space.coordinates is 0; it must be 1 ... 8"),
    (type("Empty", (spaces.Space,), {"coordinates": 2})(), NotImplementedError, r"Empty must define advance"),
    (Borrowed(spaces.Norm(2), "sure"), ValueError, "certificate returned 'sure'; expected \"convex\" or a positive number"),
    (type("Short", (Borrowed,), {"advance": lambda self, x, v, dt: (x[:1], v)})(spaces.Norm(2)), ValueError,
     r"Short.advance returned .* expected 2 finite numbers"),
    (Quartic(spaces.Norm(2)), ValueError, "Quartic.kinetic is not a quadratic function"),
])
def test_errors_name_the_method(space, error, message):
    with pytest.raises(error, match=message):
        spaces.Gas(space, [(0, 0), (1, 0)], [(1, 0), (0, 0)], .1).next_event()


@pytest.mark.parametrize("name", ["distance", "gradient", "certificate"])
def test_a_method_that_is_missing_is_named(name):
    members = {"coordinates": 2, "advance": lambda self, x, v, dt: (x + v * dt, v), "distance": lambda self, a,
               b: abs(b - a).max(),
               "gradient": lambda self, a, b: (a - b, b - a), "certificate": lambda self, a, v, b, w: "convex"}
    del members[name]
    with pytest.raises(NotImplementedError, match=f"Half must define {name}"):
        spaces.Gas(type("Half", (spaces.Space,), members)(), [(0, 0), (1, 0)], [(1, 0), (0, 0)], .1).next_event()
