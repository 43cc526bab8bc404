"""`Surfaces`: closed forms of one disc, and sums over surfaces that are the balance of energy and momentum."""
from __future__ import annotations

import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Particle, Sphere
from hdsim.observers import Settings, restored


def row(surfaces, name: str) -> tuple:
    """(contacts, impulse, work, dissipated) of a surface."""
    k = surfaces.names.index(name)
    return (int(surfaces.contacts[k]), surfaces.impulses[k].tolist(), float(surfaces.work[k]), float(surfaces.dissipated[k]))


def driven(n: int = 40, seed: int = 2, box=(2, 1), restitution=1., **options) -> CollisionSystem:
    """Unequal discs among obstacles that move to and fro."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(np.arange(7), np.arange(6)), axis=-1).reshape(-1, 2)[:n] / 8 + .1
    to_and_fro = [(0, (.5, 0)), (.25, (-.5, 0))]
    tables = [hdsim.Circle((1.5, .5), .125, motion=to_and_fro, period=.5), hdsim.Segment((1.25, .1), (1.25, .3)),
              hdsim.Polygon([(1.7, .2), (1.8, .2), (1.75, .4)], velocity=(.0625, .03125), restitution=.75)]
    return CollisionSystem.from_arrays(grid, rng.normal(size=(n, 2)), rng.uniform(.02, .05, n), rng.uniform(.5, 2, n),
                                       box=box, obstacles=tables, restitution=restitution, **options)


def test_one_disc_between_sides():
    """Mass 2 with the speed 1 and e = 1/2 at the right side: impulse 2 * 1.5, energy 1 - 1/4."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 2)], restitution={"wall": .5})
    surfaces = system.observe("surfaces")
    assert surfaces.names == ["left", "right", "bottom", "top"] and surfaces.theory is None
    system.simulate(until=.5)
    assert row(surfaces, "right") == (1, [-3, 0], 0, .75) and row(surfaces, "left") == (0, [0, 0], 0, 0)
    assert surfaces.value.tolist()[1] == [2, -6, 0, 0, 1.5, 0]
    assert surfaces.table().count("right, force along x") == 1


@pytest.mark.parametrize("shape", [hdsim.Segment((.75, 0), (.75, 1), velocity=(-.5, 0)),
                                   hdsim.Circle((1, .5), .25, velocity=(-.5, 0)),
                                   hdsim.Line((.75, .5), (-1, 0), velocity=(-.5, 0))])
def test_a_moving_obstacle_does_work(shape):
    """At the relative speed 3/2 the impulse is m (1 + e) 3/2, work that by the speed 1/2, and (1 - e^2) m / 2 (3/2)^2 is lost."""
    for e in (1., .5, 0.):
        system = CollisionSystem([Particle(.25, .5, 1, 0, .125, 2)], box=(2, 1), obstacles=[shape], restitution={"wall": e})
        surfaces = system.observe(hdsim.Surfaces())
        system.simulate(until=.3)
        impulse = -2 * (1 + e) * 1.5
        assert row(surfaces, "obstacle 0") == (1, [impulse, 0], -.5 * impulse, (1 - e * e) * 2.25)
        assert system.energy_balance()[2:4] == (surfaces.dissipated.sum(), surfaces.work.sum())


@pytest.mark.parametrize("e", [1., .5, 0.])
def test_a_corner_takes_its_share(e):
    """A disc that meets two moving faces at once, which are not at right angles, so that they are solved together."""
    faces = [hdsim.Line((1, 1), (-1, slope), velocity=(-.25, 0)) for slope in (.5, -.5)]
    system = CollisionSystem([Particle(.25, 1, 1, 0, .125, 2)], box=(2, 2), obstacles=faces, restitution={"wall": e})
    surfaces = system.observe(hdsim.Surfaces())
    system.simulate(until=.7)
    assert system.velocities[0, 0] == pytest.approx(-.25 - e * 1.25, rel=1e-14)
    assert surfaces.contacts.tolist()[4:] == [1, 1] and surfaces.work[4] == pytest.approx(surfaces.work[5], rel=1e-14)
    assert surfaces.impulses.sum(axis=0) == pytest.approx([-2 * (1 + e) * 1.25, 0], abs=1e-14)
    assert surfaces.work.sum() == pytest.approx(system.energy_balance().work, rel=1e-14)
    assert surfaces.dissipated.sum() == pytest.approx((1 - e * e) * 1.25**2, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("options", [{}, {"restitution": {"wall": .875}}, {"restitution": .9, "contact_time": 1e-3}],
                         ids=["elastic", "walls", "all"])
@pytest.mark.parametrize("periodic", [(False, False), (False, True)])
def test_the_sums_are_those_of_the_balance(options, periodic):
    """Work to rounding, momentum likewise, and the energy that is lost where pairs lose none."""
    system = driven(box=Box(2, 1, periodic), **options)
    surfaces, momentum = system.observe(hdsim.Surfaces()), np.array(system.momentum)
    system.simulate(until=3)
    balance = system.energy_balance()
    assert surfaces.contacts.sum() > 80 and abs(balance.work) > .01 and surfaces.contacts[-3:].all()
    assert surfaces.work.sum() == pytest.approx(balance.work, rel=1e-11)
    assert surfaces.impulses.sum(axis=0) == pytest.approx(np.array(system.momentum) - momentum, abs=1e-11)
    assert surfaces.contacts.sum() == system.statistics["wall_contacts"]
    if options.get("restitution") != .9:
        assert surfaces.dissipated.sum() == pytest.approx(balance.dissipated, rel=1e-11)
    assert not surfaces.work[:len(surfaces.names) - 3].any() and surfaces.work[-2] == 0


def test_spheres_have_sides():
    system = CollisionSystem([Sphere((.5, .5, .5), (1, 0, 2), .125, 2), Sphere((.25, .25, .25), (0, -1, 0), .125, math.inf)],
                             restitution={"wall": .5}, box=(1, 1, 1))
    surfaces = system.observe(hdsim.Surfaces())
    assert surfaces.names == ["left", "right", "bottom", "top", "back", "front"] and surfaces.value.shape == (6, 7)
    system.simulate(until=.4)
    assert row(surfaces, "right") == (1, [-3, 0, 0], 0, .75) and row(surfaces, "front") == (1, [0, 0, -6], 0, 3)
    assert surfaces.contacts.sum() == 2         # the sphere of infinite mass is left out
    assert system.dissipated == surfaces.dissipated.sum()


def test_a_periodic_box_has_no_surface():
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 2)], box=Box(1, 1, (True, True)))
    surfaces = system.observe(hdsim.Surfaces())
    system.simulate(until=2)
    assert surfaces.names == [] and surfaces.value.shape == surfaces.error.shape == (0, 6) and not list(surfaces.rows())


def test_pieces_copies_and_checkpoints_have_the_same_bits(tmp_path):
    system, whole = driven(restitution=.9), driven(restitution=.9)
    seen, expected = system.observe(hdsim.Surfaces()), whole.observe(hdsim.Surfaces())
    whole.simulate(max_events=4000)
    system.simulate(max_events=1500)
    system.save(tmp_path / "state.npz")
    for other in (system, system.copy(), hdsim.load(tmp_path / "state.npz")):
        other.simulate(max_events=2500)
        assert other.hash() == whole.hash()
        assert other.observers[0].value.tobytes() == expected.value.tobytes()
        assert other.observers[0].error.tobytes() == expected.error.tobytes()
    assert seen.value.tobytes() == expected.value.tobytes() and np.isfinite(seen.error).all() and seen.error[:, 0].all()


def test_a_checkpoint_with_another_number_of_obstacles_is_refused():
    """The engine would write behind its sums."""
    system = driven()
    arrays, data = system.observe(hdsim.Surfaces()).stored()
    there = driven(seed=3)
    for most in (-1, 2, 4, 10**15):
        changed = dict(data, settings=[most if name == "most" else value
                                       for name, value in zip(Settings._fields, data["settings"])])
        with pytest.raises(ValueError, match="Surfaces observer are out of range, or do not fit"):
            restored(there, there._engine, 9, arrays, changed)


def test_more_obstacles_than_are_stored():
    many = [hdsim.Circle((.01 * (k % 50) + .01, .01 * (k // 50) + .01), .001) for k in range(1001)]
    system = CollisionSystem([Particle(.8, .8, 1, 0, .125, 2)], obstacles=many)
    with pytest.raises(ValueError, match="there are 1,001 obstacles; Surfaces can observe at most 1,000"):
        system.observe("surfaces")


def test_errors_and_figure():
    """The force of a gas on two sides differs by about its errors; the figure has three bars for each surface."""
    pytest.importorskip("matplotlib")
    system = hdsim.random(60, radius=.02, temperature=1., seed=3)
    surfaces = system.observe(hdsim.Surfaces())
    system.simulate(max_events=40_000)
    (left, right), (a, b) = surfaces.value[:2, 1], surfaces.error[:2, 1]
    assert left > 0 > right and abs(left + right) < 5 * math.hypot(a, b) and 0 < a < .1 * left
    ax = surfaces.plot()
    assert [text.get_text() for text in ax.get_yticklabels()] == surfaces.names and len(ax.patches) == 12
