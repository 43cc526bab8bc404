"""Contacts that lose energy: closed forms, the balance of energy, the TC model, collapse, and the same bits everywhere."""
from __future__ import annotations

import copy
import itertools
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Particle, Sphere

E_PAIR, E_WALL = 0.75, 0.5      # doubles whose products with those below are exact


def line(xs, vs, masses=None, radius=1 / 64, **options):
    """Discs on a horizontal line."""
    n = len(xs)
    return CollisionSystem.from_arrays(np.column_stack([xs, [.5] * n]), np.column_stack([vs, [0.] * n]), [radius] * n,
                                       masses or [1.] * n, **options)


def contacts(system):
    counts = system.statistics
    return counts["pair_contacts"] + counts["wall_contacts"]


def gas(d=2, n=60, seed=3, periodic=False, **options):
    """A gas of unequal discs or spheres."""
    rng = np.random.default_rng(seed)
    cells = math.ceil(n ** (1 / d))
    grid = (np.array(list(itertools.islice(itertools.product(range(cells), repeat=d), n))) + .5) / cells
    radii = rng.uniform(.2, .45, n) / cells
    return CollisionSystem.from_arrays(grid, rng.normal(size=(n, d)), radii, rng.uniform(.5, 2, n),
                                       box=Box.of((1.,) * d, (periodic,) * d), **options)


def test_two_discs_keep_the_part_e_of_their_relative_speed():
    system = line([.25, .5], [1, 0], [1, 3], restitution={"pair": E_PAIR})
    system.simulate(until=.4)
    (v, _), (w, _) = system.velocities.tolist()
    assert w - v == pytest.approx(E_PAIR, rel=1e-15) and v + 3 * w == pytest.approx(1, rel=1e-15)
    assert system.dissipated == pytest.approx(.5 * .75 * (1 - E_PAIR**2), rel=1e-15)        # reduced mass 3/4
    assert abs(system.energy_balance().drift) < 1e-15


def test_a_wall_takes_the_normal_component_only():
    system = CollisionSystem([Particle(.5, .5, 1, .25, .125, 2)], restitution={"wall": E_WALL})
    system.simulate(until=.5)
    assert system.velocities.tolist() == [[-.5, .25]] and system.dissipated == .75
    assert system.positions.tolist() == [[.875 - .125 * .5, .625]]


@pytest.mark.parametrize("shape", [hdsim.Segment((.75, 0), (.75, 1)), hdsim.Circle((1, .5), .25), hdsim.Line((.75, .5), (-1, 0)),
                                   hdsim.Polygon([(.75, .25), (1, .25), (1, .75), (.75, .75)])])
def test_an_obstacle_has_its_own_coefficient(shape):
    """Its own, or that of walls."""
    for own, expected in ((.25, -.25), (None, -.5), (1., -1)):
        table = replace(shape, restitution=own)
        system = CollisionSystem([Particle(.25, .5, 1, 0, .125, 2)], restitution={"wall": E_WALL}, obstacles=[table], box=(2, 1))
        system.simulate(until=.6)
        assert system.velocities.tolist() == [[expected, 0]] and contacts(system) == 1
        assert system.dissipated == 1 - expected**2 and system.energy_balance().drift == 0


def test_only_an_obstacle_loses_energy():
    """With elastic walls and pairs, a coefficient of one obstacle is enough."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .125, 1)], obstacles=[hdsim.Circle((.75, .5), .125, restitution=.5)])
    assert system.restitution == 1 and not system.conserves_energy
    system.simulate(until=.5)
    assert system.velocities[0, 0] == -.5


def test_coefficients_by_species():
    system = line([.125, .25, .5, .625], [1, 0, 1, 0], restitution={"pair": [[.5, .25], [.25, 1]]}, species=[0, 1, 1, 1])
    system.simulate(until=.2)
    assert np.diff(system.velocities[:, 0])[::2] == pytest.approx([.25, 1], rel=1e-15)
    with pytest.raises(ValueError, match=r"disc 2: species is 2; restitution\['pair'\] has rows for species 0 to 1"):
        line([.2, .4, .6], [0, 0, 0], restitution={"pair": [[.5, .25], [.25, 1]]}, species=[0, 1, 2])
    with system.edit() as draft:
        draft.species[0] = 1
    with pytest.raises(ValueError, match="disc 3: species is 7"), system.edit() as draft:
        draft.species[3] = 7


@pytest.mark.parametrize("d, periodic", [(2, False), (2, True), (3, False), (3, True)])
@pytest.mark.parametrize("law", [dict(restitution=.9), dict(restitution={"pair": .8, "wall": .95}),
                                 dict(restitution=.7, contact_time=1e-3)])
def test_the_balance_closes(d, periodic, law):
    """Kinetic energy and what contacts have taken are constant to rounding; momentum is conserved where no wall is."""
    system = gas(d, periodic=periodic, **law)
    start, momentum = system.kinetic_energy, system.momentum
    system.simulate(max_events=3000)
    balance = system.energy_balance()
    assert abs(balance.drift) < 1e-15 * math.sqrt(contacts(system)) and balance.work == 0
    assert balance.kinetic == pytest.approx(system.kinetic_energy, rel=1e-14)
    assert balance.kinetic + balance.dissipated == pytest.approx(start, rel=1e-14) and .01 < balance.dissipated / start < 1
    if periodic:
        assert np.allclose(system.momentum, momentum, atol=1e-13)


def test_driven_discs_do_work():
    """A disc of infinite mass that moves gives energy to others; with restitution, too."""
    for law in ({}, {"restitution": .5}):
        system = CollisionSystem([Particle(.25, .5, .5, 0, .125, math.inf), Particle(.6, .5, -.25, 0, .0625, 2)], **law)
        system.simulate(until=.4)
        e = law.get("restitution", 1)
        assert system.velocities[1, 0] == pytest.approx(.5 + e * .75, rel=1e-15)
        balance = system.energy_balance()
        assert balance.work == pytest.approx(2 * (1 + e) * .75 * .5, rel=1e-15) and abs(balance.drift) < 1e-15
        assert balance.dissipated == pytest.approx((1 - e**2) * .75**2, rel=1e-15, abs=1e-300)


def test_elastic_values_given_explicitly_change_no_bit():
    plain, given = gas(), gas(restitution={"pair": np.ones((2, 2)), "wall": 1}, species=[0, 1] * 30)
    for system in (plain, given):
        system.simulate(max_events=500)
    assert plain.hash() == given.hash() and given.conserves_energy and given.restitution == {"pair": ((1, 1), (1, 1)), "wall": 1}
    table = [hdsim.Circle((.5, .5), .05, restitution=1.)], [hdsim.Circle((.5, .5), .05)]
    one, other = (hdsim.random(30, seed=1, obstacles=obstacles) for obstacles in table)
    for system in (one, other):
        system.simulate(max_events=300)
    assert one.hash() == other.hash() and one.conserves_energy


@pytest.mark.parametrize("d", [2, 3])
def test_the_same_bits_for_any_cells_queue_vectors_and_chunks(d):
    law = dict(restitution={"pair": .9, "wall": .8}, contact_time=1e-2)
    found = set()
    for options in ({}, {"cells": (1,) * d}, {"queue": "heap"}, {"vectors": False}):
        system = gas(d, **law, **options)
        system.simulate(max_events=1500)
        found.add((system.hash(), system.dissipated, system.velocities.tobytes()))
    system = gas(d, **law)
    for k in range(15):
        system.simulate(max_events=50)
        system = copy.copy(system) if k % 2 else system.copy()
        system.simulate(max_events=50)
        system.positions, system.velocities
    found.add((system.hash(), system.dissipated, system.velocities.tobytes()))
    assert len(found) == 1


def test_a_checkpoint_goes_on_with_the_same_bits(tmp_path):
    """With its law, what has been dissipated, and when discs had their last contacts."""
    system = gas(restitution={"pair": [[.9, .8], [.8, .7]], "wall": .95}, contact_time=.05, species=[0, 1] * 30)
    system.simulate(max_events=333)
    system.save(tmp_path / "a.npz")
    again = hdsim.load(tmp_path / "a.npz")
    assert again.restitution == system.restitution and again.contact_time == .05 and again.dissipated == system.dissipated
    for one in (system, again):
        one.simulate(max_events=700)
    assert again.hash() == system.hash() and again.energy_balance() == system.energy_balance()


def test_a_long_run_moves_its_origin(tmp_path):
    """Clocks of last contacts move with the origin of time."""
    system = gas(n=20, restitution=.999, contact_time=1e-3, time=1e6)
    system.simulate(max_events=50_000)
    assert system.statistics["rebases"] > 0 and abs(system.energy_balance().drift) < 1e-12


def test_contacts_of_one_instant_leave_with_e_times_their_approach():
    """A disc that hits two touching ones at rest, at 30 degrees on either side: solved together, whatever the order."""
    r, e = 1 / 16, .5
    ball = Particle(.25, .5, 1, 0, r, 1)
    rack = [Particle(.5 + r * math.sqrt(3), .5 + side * r, 0, 0, r, 1) for side in (-1, 1)]
    for order in itertools.permutations((ball, *rack)):
        system = CollisionSystem(order, restitution=e)
        event = system.next_event()
        v = {tuple(p.tolist()): w for p, w in zip(system.positions, system.velocities)}
        assert event.kind == "multi" and len(event.contacts) == 2
        normals = [contact.normal for contact in event.contacts]
        after = [float(np.dot(np.subtract(system.velocities[c.j], system.velocities[c.i]), n))
                 for c, n in zip(event.contacts, normals)]
        assert after == pytest.approx([e * math.sqrt(3) / 2] * 2, rel=1e-7) and len(v) == 3
        assert abs(system.energy_balance().drift) < 1e-15 and system.momentum == pytest.approx([1, 0], abs=1e-15)


def test_contacts_in_a_row_at_one_instant_with_different_coefficients():
    """A disc that stands at a wall is hit at an angle, pushed into the wall, and from there back: each contact with its own e."""
    r = 1 / 8
    system = CollisionSystem([Particle(.5, r, 0, 0, r, 1), Particle(.5 - 2 * r * .6, r + 2 * r * .8, .6, -.8, r, 1)],
                             restitution={"pair": .5, "wall": .25})
    system.simulate(until=1e-9)
    n, v = np.array([.6, -.8]), system.velocities
    assert contacts(system) >= 3 and v[0, 1] >= 0 and np.dot(v[0] - v[1], n) >= -1e-16
    assert abs(system.energy_balance().drift) < 1e-15 and system.momentum[0] == pytest.approx(.6, rel=1e-15)


def test_perfectly_inelastic_discs_go_on_together():
    system = line([.25, .5], [1, 0], restitution=0)
    system.simulate(until=.4)
    assert system.velocities[:, 0] == pytest.approx([.5, .5], rel=1e-15) and system.dissipated == .25
    system.simulate(until=.6)
    assert system.check() is None


def test_the_tc_model_keeps_the_energy_of_a_second_contact():
    """A disc that comes from a wall to another wall in less than the contact time."""
    for contact_time, kept in ((.2, .5), (.4, 1.)):
        system = CollisionSystem([Particle(.5, .5, 1, 0, .25, 1)], box=Box(1, 1), restitution={"wall": .5},
                                 contact_time=contact_time * 5)
        system.simulate(until=.26)
        assert system.velocities[0, 0] == -.5
        system.simulate(until=1.3)      # from wall to wall in one unit of time
        assert system.velocities[0, 0] == (.25 if kept == .5 else .5)


@pytest.mark.parametrize("e, collapses", [(.02, True), (.06, True), (.08, False), (.3, False), (.9, False)])
@pytest.mark.parametrize("v", [(1, 0, 0), (1, 0, -.875), (3, 2, 1), (1, -.5, -.5), (.75, .25, -1)])
def test_three_discs_on_a_line_collapse_below_the_threshold(e, collapses, v):
    """They do for e < 7 - 4 sqrt 3 (McNamara and Young, Phys. Fluids A 4, 496, 1992)."""
    system = line([.25, .5, .625], v, box=Box(100, 1), restitution={"pair": e})
    if collapses:
        with pytest.raises(hdsim.CollapseError, match="discs 0, 1, 2 would collide infinitely often .*contact_time=") as error:
            system.simulate(until=2.)
        assert error.value.particles == (0, 1, 2) and isinstance(error.value, hdsim.JammedError)
        calm = line([.25, .5, .625], v, box=Box(100, 1), restitution={"pair": e}, contact_time=1e-6)
        calm.simulate(until=2.)
        assert abs(calm.energy_balance().drift) < 1e-14
    else:
        system.simulate(until=2.)
        assert abs(system.energy_balance().drift) < 1e-14 and contacts(system) >= 2


WALL_THRESHOLD = math.tan(math.pi / 8) ** 2     # of two discs at a wall (Bernu and Mazighi, J. Phys. A 23, 5745, 1990)


def at_the_wall(e, gaps, v=(-1, -1), **options):
    """Two discs that run against the wall on the left."""
    r = 1 / 64
    x = r + gaps[0], 3 * r + sum(gaps)
    return line(x, v, restitution=e, box=Box(100, 1), **options)


@pytest.mark.parametrize("part", [.3, .6, .9, .97, .999])
@pytest.mark.parametrize("gaps, v", [((.0625, .1875), (-1, -1)), ((.05, .13), (-.3, -1.7)), ((.11, .02), (0, -2)),
                                     ((.17, .19), (-1, -1.1))])
def test_two_discs_at_a_wall_collapse_below_the_threshold(part, gaps, v):
    """All comes to rest, so that rounding leaves gaps that take visible time, the longer the slower the discs are."""
    system = at_the_wall(part * WALL_THRESHOLD, gaps, v)
    with pytest.raises(hdsim.CollapseError, match="discs 0, 1 would collide infinitely often") as error:
        system.simulate(until=1e6)
    assert error.value.particles == (0, 1) and system.time < 1
    assert np.abs(system.velocities).max() < 1e-9 and system.positions[1, 0] < 3 / 64 + 1e-12
    assert abs(system.energy_balance().drift) < 1e-14


@pytest.mark.parametrize("gaps", [(.0625, .1875), (.05, .13), (.11, .02)])
def test_two_discs_at_a_wall_part_above_the_threshold(gaps):
    system = at_the_wall(1.03 * WALL_THRESHOLD, gaps)
    assert 20 <= system.simulate(until=50) <= 24


@pytest.mark.parametrize("part", [.5, .8, .9, .97])
@pytest.mark.parametrize("w", [0, .25, -.2, .1])
def test_three_discs_without_momentum_collapse(part, w):
    """The group stays where it is: its speeds die out, and are not small parts of others."""
    row = dict(xs=[1, 1.1875, 1.3125], vs=[1 - w / 2, w, -1 - w / 2], box=Box(100, 1))
    with pytest.raises(hdsim.CollapseError) as error:
        line(restitution=part * (7 - 4 * math.sqrt(3)), **row).simulate(until=1e6)
    assert error.value.particles == (0, 1, 2)
    line(restitution=1.03 * (7 - 4 * math.sqrt(3)), **row).simulate(until=1e6)


def test_a_collapse_is_recognised_beside_other_discs():
    """Contacts elsewhere come in between."""
    rng = np.random.default_rng(1)
    x, y = np.meshgrid(np.linspace(.55, .95, 6), np.linspace(.1, .9, 6))
    places = np.vstack([[(.078125, .5), (.296875, .5)], np.column_stack([x.ravel(), y.ravel()])])
    system = CollisionSystem.from_arrays(
        places, np.vstack([[(-1, 0), (-1, 0)], rng.normal(size=(36, 2))]), 1 / 64, species=[0, 0, *[1] * 36],
        restitution={"pair": [[.15, 1], [1, 1]], "wall": .15},
        obstacles=[hdsim.Polygon([(.5, .01), (.99, .01), (.99, .99), (.5, .99)], side="inside", restitution=1, species=1)])
    with pytest.raises(hdsim.CollapseError, match="discs 0, 1 would"):
        system.simulate(until=3)
    assert system.time < .5 and system.statistics["pair_contacts"] > 50


def test_a_checkpoint_has_the_row_of_a_collapse(tmp_path):
    """It is recognised after the same number of contacts."""
    def contacts_to_collapse(system):
        with pytest.raises(hdsim.CollapseError):
            system.simulate(until=1e6)
        return contacts(system)

    expected = contacts_to_collapse(at_the_wall(.15, (.0625, .1875)))
    for done in (10, expected - 12, expected - 3):
        system = at_the_wall(.15, (.0625, .1875))
        system.simulate(max_events=done)
        system.save(tmp_path / "a.npz")
        assert {contacts_to_collapse(other) for other in (
            hdsim.load(tmp_path / "a.npz"), pickle.loads(pickle.dumps(system)), system.copy())} == {expected}


def test_a_checkpoint_with_a_row_of_no_disc_is_refused():
    system = at_the_wall(.15, (.0625, .1875))
    with pytest.raises(hdsim.CollapseError):
        system.simulate(until=1)
    arrays, data = system.checkpoint()
    assert [row[0] for row in data["engine"]["rows"]] == [0, 1]
    for number in (2, -1):
        data["engine"]["rows"][0][0] = number
        with pytest.raises(IndexError, match=f"a row of contacts of disc {number}, of 2"):
            CollisionSystem.from_checkpoint(arrays, data)


def test_spheres_at_a_wall_collapse():
    row = dict(positions=[(.125, .5, .5), (.375, .5, .5)], velocities=[(-1, 0, 0), (-1.25, 0, 0)], radii=.0625)
    with pytest.raises(hdsim.CollapseError, match="0, 1 would collide infinitely often"):
        CollisionSystem.from_arrays(**row, box=(9, 1, 1), restitution=.9 * WALL_THRESHOLD).simulate(until=1e3)
    assert CollisionSystem.from_arrays(**row, box=(9, 1, 1), restitution=1.05 * WALL_THRESHOLD).simulate(until=5) < 25


@pytest.mark.parametrize("line", ["restitution .9", "restitution pair=.9 wall=.8", "contact-time 1e-3"])
def test_lines_of_obstacles_cannot_change_the_law(line):
    """Nothing of them is read without effect."""
    system = CollisionSystem([Particle(.2, .5, 1, 0, .1, 1)])
    with pytest.raises(ValueError, match=f"lines:2: {line.split()[0]} is for a whole system, and cannot be added to one"):
        system.add_obstacles(f"segment .8 .2 .8 .8\n{line}")
    assert not system.obstacles and system.restitution == 1


def test_edits_keep_the_balance(tmp_path):
    """What has been dissipated goes on; the sum that is constant begins anew. Last contacts are remembered."""
    system = gas(restitution=.8, contact_time=10.)
    system.simulate(max_events=20)
    taken = system.dissipated
    system.add(Particle(.5, .5, 0, 0, 1e-3, 1))
    assert system.dissipated == taken > 0 and abs(system.energy_balance().drift) < 1e-15
    before = contacts(system)
    with system.edit() as draft:
        draft.velocities *= 2
    system.simulate(max_events=5)
    assert contacts(system) >= before + 5 and abs(system.energy_balance().drift) < 1e-14


@pytest.mark.parametrize("law", [{"restitution": .8, "contact_time": 1e-4}, {"obstacles": [hdsim.Piston(x=.5, mass=3, force=-2)]},
                                 {"walls": {"left": hdsim.Thermal(2)}}])
def test_a_checkpoint_has_what_an_earlier_law_has_changed(law, tmp_path):
    """Contacts are elastic again, and nothing does work any more: what has been dissipated, work and heat are as before."""
    system = hdsim.random(20, radius=.02, temperature=1, seed=1, **law)
    system.simulate(until=1)
    with system.edit() as draft:
        draft.restitution = 1
        draft.obstacles.clear(), draft.walls.clear()
    system.simulate(until=2)
    system.save(tmp_path / "a.npz")
    balance = system.energy_balance()
    for other in (hdsim.load(tmp_path / "a.npz"), pickle.loads(pickle.dumps(system)), system.copy()):
        assert other.energy_balance() == balance and any(balance[2:5])


def test_time_that_an_edit_keeps():
    """A disc that had a contact before an edit has an elastic one after it."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .25, 1)], restitution={"wall": .5}, contact_time=2.)
    system.simulate(until=.3)
    system.add(Particle(.5, .9, 0, 0, .01, 1))
    system.simulate(until=1.3)
    assert system.velocities[0, 0] == .5


def test_spheres():
    balls = [Sphere((x, .5, .5), (v, 0, 0), .0625, 1) for x, v in ((.25, 1), (.5, 0))]
    system = CollisionSystem(balls, restitution=.5)
    system.simulate(until=.2)
    assert system.velocities[:, 0] == pytest.approx([.25, .75], rel=1e-15) and system.dissipated == pytest.approx(.1875)


def test_what_is_refused():
    for value, error, message in ((1.5, ValueError, "restitution is 1.5; it must be from 0"),
                                  (-.1, ValueError, "it must be from 0"), (math.nan, ValueError, "it must be from 0"),
                                  ("x", TypeError, "restitution is 'x'; it must be a number"),
                                  ({"walls": 1}, ValueError, "has the key 'walls'; it must be 'pair' or 'wall'"),
                                  ({"wall": 2}, ValueError, r"restitution\['wall'\] is 2"),
                                  ({"pair": [[1, .5], [.4, 1]]}, ValueError,
                                   r"\['pair'\]\[1\]\[0\] is 0.4, and \[0\]\[1\] is 0.5; they must be equal"),
                                  ({"pair": [[1, .5]]}, ValueError, "a square array with a row for each species"),
                                  ({"pair": "x"}, ValueError, "it must be a number, or a square array"),
                                  ({"pair": [[7]]}, ValueError, r"\['pair'\]\[0\]\[0\] is 7")):
        with pytest.raises(error, match=message):
            CollisionSystem([], restitution=value)
    for value, error in ((-1, ValueError), (math.inf, ValueError), ("x", TypeError)):
        with pytest.raises(error, match="contact_time is"):
            CollisionSystem([], contact_time=value)
    for value, error in ((1.5, ValueError), ("x", TypeError)):
        with pytest.raises(error, match="Circle 'peg': restitution is"):
            hdsim.Circle((0, 0), 1, name="peg", restitution=value)
    with pytest.raises(ValueError, match="time-driven engine has elastic contacts, and the restitution of this system is 0.5"):
        hdsim.timestep.TimeDrivenSystem(line([.25], [0], restitution=.5), .1)
