"""The largest Lyapunov exponent of hard discs by the exact tangent map, the reference of `lab reverse`."""
import math

import numpy as np
import pytest

from hdsim.lab import _reverse
from hdsim.lab.setting import fluid

pytestmark = pytest.mark.xdist_group("lab")
PIECE = 250         # contacts after which the tangent vector is scaled to length 1


def at_a_contact(q, p, a, b):
    """Change the tangent vectors a and b, (dx, dy, dvx, dvy) each, of two discs of equal mass at their contact.

    q, p: position and velocity of b from a, before the contact. The neighbouring pair touches later by -dq.n / p.n, with a line
    of centres that is turned (Dellago, Posch and Hoover, Phys. Rev. E 53, 1485, 1996).
    """
    diameter = math.hypot(*q)
    n = q / diameter
    dq, dp = (b - a)[:2], (b - a)[2:]
    turn = (dq - p * (dq @ n) / (p @ n)) / diameter
    kick = np.concatenate(((dq @ n) * n, (dp @ n + p @ turn) * n + (p @ n) * turn))
    a += kick
    b -= kick


def lyapunov_exponents(system, contacts, seed=0):
    """Growth of a tangent vector per contact of each disc, in pieces; a periodic box of side 1, equal masses."""
    n = len(system)
    vectors = np.random.default_rng(seed).normal(size=(n, 4))
    vectors -= vectors.mean(axis=0)
    at, done, found = np.full(n, system.time), 0, []

    def fly(some):
        vectors[some, :2] += vectors[some, 2:] * (system.time - at[some])[:, None]
        at[some] = system.time

    while done < contacts:
        for contact in system.next_event().contacts:
            i, j = contact.i, contact.j
            fly([i, j])
            q, after = system.positions[j] - system.positions[i], system.velocities[j] - system.velocities[i]
            q -= np.round(q)
            at_a_contact(q, after - 2 * (after @ q) / (q @ q) * q, vectors[i], vectors[j])
            done += 1
            if done % PIECE == 0:
                fly(np.arange(n))
                length = np.linalg.norm(vectors)
                vectors /= length
                found.append(math.log(length) * n / (2 * PIECE))
    return np.array(found[len(found) // 10:])       # the first vector has no direction of growth


@pytest.mark.sample(1)
@pytest.mark.parametrize("eta, known, known_error, contacts", [
    (_reverse.ETA, _reverse.KNOWN_GROWTH, _reverse.KNOWN_GROWTH_ERROR, 20_000), (.1, 2.77, .01, 10_000)])
def test_the_tangent_map_has_the_growth_that_reverse_compares_with(eta, known, known_error, contacts):
    """1.186(6) at packing fraction .3 and 2.77(1) at .1, not 1.11 and 2.6."""
    exponents = lyapunov_exponents(fluid(_reverse.N, eta, seed=4), contacts)
    blocks = exponents[:len(exponents) // 12 * 12].reshape(12, -1).mean(axis=1)
    error = blocks.std(ddof=1) / math.sqrt(len(blocks))
    assert error < .02 * known and abs(blocks.mean() - known) < 4 * math.hypot(error, known_error)


def test_the_tangent_map_is_the_derivative_of_a_contact():
    """Of two discs: the difference of two runs that begin 1e-6 apart, after the contact, to second order."""
    import hdsim

    def ends(x):
        system = hdsim.CollisionSystem.from_arrays(x[:, :2], x[:, 2:], .05, 1.0)
        system.simulate(until=.5)
        assert system.pair_counts.tolist() == [1, 1]
        return np.hstack((system.positions, system.velocities))

    x = np.array([[.3, .5, .4, .03], [.6, .53, -.3, -.05]])
    d = np.random.default_rng(2).normal(size=(2, 4))
    change = (ends(x + 1e-6 * d) - ends(x - 1e-6 * d)) / 2e-6
    system = hdsim.CollisionSystem.from_arrays(x[:, :2], x[:, 2:], .05, 1.0)
    time = system.next_event().time
    q, p = np.diff(x[:, :2] + time * x[:, 2:], axis=0)[0], np.diff(x[:, 2:], axis=0)[0]
    d[:, :2] += time * d[:, 2:]
    at_a_contact(q, p, d[0], d[1])
    d[:, :2] += (.5 - time) * d[:, 2:]
    assert change == pytest.approx(d, rel=1e-6, abs=1e-6)
