"""Simultaneous contacts solved by trying all sets: closed forms, balance of energy, and the compiled engine at e = 1."""
import math

import numpy as np
import pytest

from lawful import joined, touching

import hdsim
from hdsim.reference.textbook_joint import Contact, solved, together

SIXTY = math.sqrt(.75)


@pytest.mark.parametrize("e", [0, .5, .9, 1])
def test_a_break_of_three_discs(e):
    """A disc hits two at rest that touch each other: with masses 1 it keeps 1 - .6 (1 + e) of its velocity; -1/5 at e = 1."""
    contacts = [Contact(0, 1, (SIXTY, .5), e), Contact(0, 2, (SIXTY, -.5), e)]
    velocities, impulses = together([1, 1, 1], [(1, 0), (0, 0), (0, 0)], contacts)
    assert velocities[0] == pytest.approx([1 - .6 * (1 + e), 0], abs=1e-15)
    assert impulses == pytest.approx([(1 + e) * SIXTY / 2.5] * 2, rel=1e-15)
    assert velocities[1] == pytest.approx([impulses[0] * SIXTY, impulses[0] / 2], rel=1e-15)


@pytest.mark.parametrize("masses", [(1, 1), (2, 5), (1, math.inf), (math.inf, 3)])
def test_one_contact_is_a_pair(masses):
    """v_n' = -e v_n by momentum, whatever the length of the normal; and one with a moving surface."""
    mu = 1 / sum(1 / m for m in masses)
    (v, w), (impulse,) = together(masses, [(3, 1), (-1, 0)], [Contact(0, 1, (.75, 1.), .5)])
    n = (.6, .8)
    approach = 4 * .6 + .8
    assert impulse == pytest.approx(1.5 * mu * approach, rel=1e-15)
    assert v == pytest.approx([3 - impulse * n[0] / masses[0], 1 - impulse * n[1] / masses[0]], abs=1e-14)
    assert w == pytest.approx([-1 + impulse * n[0] / masses[1], impulse * n[1] / masses[1]], abs=1e-14)
    (v,), _ = together([2], [(1, 1)], [Contact(0, None, (8, 0), .25, (-2, 7))])
    assert v == [-2 - .75, 1]


def test_a_corner_is_left_component_by_component():
    """Two walls at a right angle do not know of each other."""
    (v,), impulses = together([2], [(1, -3)], [Contact(0, None, (1, 0), .5), Contact(0, None, (0, -1), .25)])
    assert v == [-.5, .75] and impulses == [3, 7.5]


def test_the_energy_that_is_lost_is_the_sum_over_contacts():
    """Of p (s - e s) / 2, with the impulse p and the approach speed s of each; and each contact with an impulse leaves at e s."""
    rng = np.random.default_rng(1)
    with_and_without = set()
    for _ in range(60):
        masses = rng.choice([.5, 1, 4, math.inf], 4)
        velocities = np.where(np.isinf(masses)[:, None], 0, rng.normal(size=(4, 2)))
        contacts = []
        for i in range(4):
            for j in range(i + 1, 4):
                n = rng.normal(size=2)
                if n @ (velocities[j] - velocities[i]) < 0:
                    contacts.append(Contact(i, j, n / np.hypot(*n), rng.choice([.5, .75])))
        contacts = [c for c in contacts if np.isfinite(masses[[c.i, c.j]]).any()][:5]
        if not contacts:
            continue
        after, impulses = map(np.array, together(masses, velocities, contacts))
        lost = 0
        for contact, p in zip(contacts, impulses):
            s, later = (np.dot(contact.normal, v[contact.i] - v[contact.j]) for v in (velocities, after))
            with_and_without.add(bool(p > 0))
            assert p >= 0 and -later >= contact.restitution * s - 1e-13
            assert p == 0 or -later == pytest.approx(contact.restitution * s, abs=1e-13)
            lost += p * (s + later) / 2
        mobile = np.isfinite(masses)
        energies = [(masses[mobile] * (v[mobile]**2).sum(1)).sum() / 2 for v in (velocities, after)]
        assert energies[0] - energies[1] == pytest.approx(lost, abs=1e-12)
    assert with_and_without == {True, False}


@pytest.mark.filterwarnings("ignore::hdsim.OverlapWarning")
def test_elastic_contacts_are_those_of_the_compiled_engine():
    """Clusters of overlapping discs with all masses, some of them in a corner."""
    seen = walls = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        n = 5
        x, radii = rng.uniform(.3, .7, (n, 2)), rng.uniform(.1, .15, n)
        if seed % 2:
            x = x - .3 + radii[:, None]
            x[0, 0], x[1, 1] = radii[:2]
        masses, v = rng.choice([.25, 1, 3], n), rng.normal(size=(n, 2))
        system = hdsim.CollisionSystem.from_arrays(x, v, radii, masses)
        event = system.next_event()
        contacts = [contact for contact in touching(x, v, radii, (1, 1)) if contact.i in event.particles]
        if system.statistics["simultaneous_impacts"] and len(contacts) < 8:
            assert joined(contacts) == contacts
            seen += 1
            walls += any(contact.j is None for contact in contacts)
            velocities, _ = together(masses, v, contacts)
            assert np.abs(np.array(velocities) - system.velocities).max() < 1e-11
    assert seen > 25 and walls > 5


def test_what_cannot_be_solved():
    """A contact that parts; two surfaces that press on a disc without mass to give way; equations without a solution."""
    with pytest.raises(ValueError, match="contact 1 does not approach"):
        together([1, 1], [(1, 0), (0, 0)], [Contact(0, 1, (1, 0)), Contact(0, None, (-1, 0))])
    with pytest.raises(ValueError, match="no impulses part these bodies"):
        together([math.inf], [(0, 0)], [Contact(0, None, (1, 0), 1, (-1, 0)), Contact(0, None, (-1, 0), 1, (1, 0))])
    assert solved([[1, 2], [2, 4]], [1, 2]) is None and solved([[0, 2], [4, 0]], [1, 2]) == [.5, .5]
