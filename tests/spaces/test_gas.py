"""`Gas`: its verbs, callbacks, copies and files, and what it refuses."""
import math
import pickle
import signal
import threading
import time as clock

import numpy as np
import pytest
from gases import box, in_plane, lattice, on_sphere, tangent

import hdsim
from hdsim import spaces

INF = math.inf


def gas_of(rng, space=None, n=64, **room):
    space = spaces.Norm(4) if space is None else space
    d = space.coordinates
    return spaces.Gas(space, lattice(n, d, .1, rng), rng.normal(size=(n, d)), .25 / np.ceil(n ** (1 / d)), rng.uniform(.5, 2, n),
                      **(room or {"periodic": (1,) * d}))


def on_the_sphere(rng, n=60):
    x = on_sphere(n)
    return spaces.Gas(spaces.Sphere(), x, tangent(x, rng.normal(size=x.shape)), .15)


KINDS = {"periodic": lambda rng: gas_of(rng), "walls": lambda rng: gas_of(rng, walls=box()), "sphere": on_the_sphere,
         "cubes": lambda rng: gas_of(rng, spaces.Norm(INF, 3))}


@pytest.mark.parametrize("kind", KINDS)
def test_looking_and_pieces_change_nothing(kind, rng):
    """A run in one piece, in many pieces with reading in between, event by event, and peeked at: the same bits."""
    one = KINDS[kind](rng)
    pieces, steps, single = one.copy(), one.copy(), one.copy()
    contacts = one.simulate(until=1.)
    for k in range(1, 65):
        pieces.simulate(until=k / 64)
        assert len(pieces.positions) == len(pieces.velocities) == len(one) and pieces.kinetic_energy > 0
    for _ in range(64):
        steps.step(1 / 64)
    found = [(single.peek(), event) for event in single.events(until=1.)]
    assert contacts > 100 and len(found) > 100
    assert one.hash() == pieces.hash() == steps.hash() == single.hash()
    assert one.positions.tolist() == pieces.positions.tolist() == single.positions.tolist()
    assert [a.time for a, _ in found[:-1]] == [b.time for _, b in found[1:]]
    assert one.time == 1. and one.simulate(until=1.) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_copies_pickles_and_checkpoints_go_on(kind, rng, tmp_path):
    """To the same bits, from the middle of a run."""
    gas = KINDS[kind](rng)
    gas.simulate(max_events=333)
    gas.save(tmp_path / "gas.npz")
    others = [gas.copy(), pickle.loads(pickle.dumps(gas)), hdsim.load(tmp_path / "gas.npz")]
    gas.simulate(max_events=1000)
    for other in others:
        assert isinstance(other, spaces.Gas) and other.space.described() == gas.space.described()
        other.simulate(max_events=1000)
        assert other.hash() == gas.hash() and other.time == gas.time
        assert other.positions.tolist() == gas.positions.tolist()
        assert other.unwrapped_positions.tolist() == gas.unwrapped_positions.tolist()
        assert other.collision_counts.tolist() == gas.collision_counts.tolist()
        assert {k: n for k, n in other.statistics.items() if "contacts" in k or "events" in k} == {
            k: n for k, n in gas.statistics.items() if "contacts" in k or "events" in k}


@pytest.mark.parametrize("kind", KINDS)
def test_reversed_velocities_return_home(kind, rng):
    gas = KINDS[kind](rng)
    x, v = gas.unwrapped_positions, gas.velocities
    contacts = gas.simulate(until=.1)
    gas.reverse()
    assert gas.simulate(until=.2) == contacts > 5
    assert gas.unwrapped_positions == pytest.approx(x, abs=1e-9) and gas.velocities == pytest.approx(-v, abs=1e-9)


def test_events_and_callbacks(rng):
    """Pairs, walls, timers and redraws in order of time, each once; STOP ends a run; a callback may only read."""
    gas = gas_of(rng, walls=box())
    seen = []
    gas.on_collision(lambda event: seen.append(event), kind="pair")
    gas.on_collision(lambda event: seen.append(event), kind="wall")
    redraw = gas.on_redraw(lambda event: seen.append(event), every=.125)
    gas.on_timer(lambda event: seen.append(event), every=.5)
    gas.simulate(until=1.)
    assert [e.time for e in seen] == sorted(e.time for e in seen)
    assert [e.time for e in seen if e.kind == "redraw"] == [k / 8 for k in range(1, 9)]
    assert [e.time for e in seen if e.kind == "timer"] == [.5, 1.]
    walls, pairs = [e for e in seen if e.kind == "wall"], [e for e in seen if e.kind == "pair"]
    assert len(walls) == gas.statistics["wall_contacts"] > 0 and len(pairs) == gas.statistics["pair_contacts"] > 0
    assert {e.contacts[0].wall for e in walls} == {0, 1, 2, 3} and all(e.contacts[0].j is None for e in walls)
    redraw.cancel()
    gas.on_collision(lambda event: hdsim.STOP)
    last = len(seen)
    gas.simulate(until=2.)
    assert gas.time < 2 and len(seen) == last + 1 and gas.time == seen[-1].time

    def bad(event):
        gas.reverse()
    gas = gas_of(rng)
    gas.on_collision(bad)
    with pytest.raises(RuntimeError, match="inside an on_collision callback"):
        gas.simulate(until=1.)
    assert gas.statistics["events"] == 1


def test_a_timer_where_nothing_happens():
    """Timers fire without any contact, and in the end nothing is left."""
    gas = spaces.Gas(spaces.Norm(2, 3), [(0, 0, 0)], [(1, 0, 0)], 1.)
    times = []
    timer = gas.on_timer(lambda event: times.append((event.time, gas.positions[0, 0])), every=.25)
    gas.simulate(until=1.)
    assert times == [(.25, .25), (.5, .5), (.75, .75), (1., 1.)]
    assert gas.next_event().time == 1.25
    timer.cancel()
    assert gas.next_event() is None and gas.peek() is None


def test_timers_are_those_of_a_system(rng):
    """Timers at equal times in the order of registration, after contacts of that instant, also after others were cancelled: the
    same events in the plane as for the discs of a `CollisionSystem`, and as many timers alive."""
    x, v = lattice(16, 2, 0., rng), rng.integers(-2, 3, (16, 2)) / 4
    logs = []
    for system in (spaces.Gas(spaces.Norm(2), x, v, .0625, walls=box()),
                   hdsim.CollisionSystem.from_arrays(x, v, np.full(16, .0625), np.ones(16))):
        log = []
        timers = [system.on_timer(lambda event, k=k: log.append((event.time, k, system._engine.contacts)), every=period)
                  for k, period in enumerate((.5, .25, .125, .5, .1875, .25))]
        system.simulate(until=1.)
        for k in (1, 4, 2, 5):
            timers[k].cancel()
            system.simulate(until=system.time + .5)
        assert system._engine.live_timers == 2
        system.reverse()
        system.simulate(until=4.)
        logs.append((log, system.hash()))
    assert logs[0] == logs[1] and len(logs[0][0]) > 30 and logs[0][0][-1][:2] == (4., 3)


def test_nothing_will_ever_happen():
    """next_event is None, if that is certain."""
    plane, sphere = spaces.Norm(2), spaces.Sphere()
    assert spaces.Gas(plane, np.empty((0, 2)), np.empty((0, 2)), .1).next_event() is None
    assert spaces.Gas(plane, [(0, 0), (1, 0)], [(0, 0), (0, 0)], .1).next_event() is None
    lanes = spaces.Gas(spaces.Norm(4, 3), [(0, 0, 0), (0, .5, .1)], [(1, 0, 0), (-.5, 0, 0)], .1, periodic=(1, 1, None))
    assert lanes.next_event() is None
    apart = spaces.Gas(spaces.Norm(1), [(0, 0), (.5, .5)], [(0, 0), (.1, .3)], .1, periodic=(1, None))
    assert apart.next_event() is None
    assert spaces.Gas(sphere, [(1, 0, 0)], [(0, 1, 0)], .1).next_event() is None
    same = spaces.Gas(sphere, [(1, 0, 0), (-1, 0, 0)], [(0, 1, 0), (0, -1, 0)], .1)
    assert same.next_event() is None
    crossing = spaces.Gas(sphere, [(1, 0, 0), (0, 0, 1)], [(0, 1, 0), (0, 1, 0)], .1)
    assert crossing.next_event().time == pytest.approx(math.pi / 2 - .1, abs=.1)


def test_a_run_without_an_end_is_refused(rng):
    gas = gas_of(rng)
    with pytest.raises(ValueError, match="nothing can stop the run"):
        gas.simulate()
    with pytest.raises(ValueError, match="before the present time"):
        gas.simulate(until=-1.)
    with pytest.raises(ValueError, match="dt is -1"):
        gas.step(-1)


def test_jammed_bodies_are_named():
    """Three rods pressed between two fixed ones that leave no room."""
    x = np.array([0, .25, .5, .75, 1.])
    with pytest.warns(hdsim.OverlapWarning):
        gas = spaces.Gas(spaces.Norm(2, 1), x, [0, .1, -.1, .2, 0], .13, [INF, 1, 1, 1, INF])
    with pytest.raises(hdsim.JammedError, match="collide without end") as caught:
        gas.simulate(until=1.)
    assert set(caught.value.particles) <= {0, 1, 2, 3, 4}


def test_ctrl_c_leaves_a_whole_gas(rng):
    """A signal stops a run within a tenth of a second; the gas goes on afterwards."""
    gas = gas_of(rng)
    begin = clock.monotonic()
    threading.Timer(.15, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        gas.simulate(max_events=10**12)
    assert clock.monotonic() - begin < 2
    gas.check()
    assert gas.simulate(max_events=10) == 10


def test_threads_run_side_by_side_and_one_at_a_time(rng):
    """Two gases run in two threads; a second run of the same gas is refused."""
    one, other = gas_of(rng), gas_of(rng)
    running = threading.Thread(target=one.simulate, kwargs={"max_seconds": .3})
    running.start()
    clock.sleep(.05)
    assert other.simulate(max_events=1000) == 1000        # the GIL is free meanwhile
    assert running.is_alive()
    with pytest.raises(RuntimeError, match="running"):
        one.simulate(until=1e9)
    running.join()
    assert one.timed_out


def test_what_is_conserved_has_a_name(rng):
    """momentum in flat spaces, angular momentum in curved ones; temperature is twice the energy per degree of freedom."""
    gas = gas_of(rng, spaces.Norm(2, 3))
    m, v = gas.masses, gas.velocities
    assert gas.momentum == pytest.approx(m @ v)
    centre = .5 * np.sum((m @ v) ** 2) / m.sum()
    assert gas.temperature == pytest.approx(2 * (gas.kinetic_energy - centre) / (3 * 64 - 3))
    with pytest.raises(AttributeError, match="conserves no angular momentum; see momentum"):
        print(gas.angular_momentum)
    gas = on_the_sphere(rng)
    assert gas.angular_momentum == pytest.approx(np.cross(gas.positions, gas.velocities).sum(axis=0))
    with pytest.raises(AttributeError, match="no momentum; see angular_momentum"):
        print(gas.momentum)
    x = gas.positions
    rigid = spaces.Gas(spaces.Sphere(), x, np.cross((.3, -.2, 1), x), .15)
    assert rigid.temperature == pytest.approx(0, abs=1e-14)
    turned = spaces.Gas(spaces.Sphere(), x, gas.velocities + np.cross((.3, -.2, 1), x), .15)
    assert turned.temperature == pytest.approx(gas.temperature)


def test_arrays_are_read_only(rng):
    gas = gas_of(rng)
    for array in (gas.positions, gas.velocities, gas.radii, gas.masses, gas.colors, gas.collision_counts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


OK = dict(space=spaces.Norm(2), positions=[(0, 0), (1, 0)], velocities=[(0, 0), (0, 0)], radii=.1)
SPHERE = dict(space=spaces.Sphere(), positions=[(1, 0, 0), (0, 1, 0)], velocities=[(0, 0, 0), (0, 0, 0)], radii=.1)
PLANE = dict(space=spaces.Hyperbolic(), positions=[(1, 0, 0)], velocities=[(0, 0, 0)], radii=.1)


@pytest.mark.parametrize("wrong, error, message", [
    (dict(OK, space="plane"), TypeError, "it must be a space"),
    (dict(OK, walls=[(1, 0)]), TypeError, r"walls\[0\] is \(1, 0\); it must be a Hyperplane"),
    (dict(OK, positions=[(0, 0, 0), (1, 0, 0)]), ValueError, r"positions has shape \(2, 3\); expected \(n, 2\)"),
    (dict(OK, velocities=[(0, 0)]), ValueError, "velocities has 1 row; expected 2"),
    (dict(OK, positions=[(0, 0), (math.nan, 0)]), ValueError, "body 1: position is .* it must be finite"),
    (dict(OK, radii=[.1, -1]), ValueError, "body 1: radius is -1.0; it must be >= 0"),
    (dict(OK, masses=[1, 0]), ValueError, "body 1: mass is 0.0; it must be > 0, or infinite for a fixed body"),
    (dict(OK, masses=[1, INF], velocities=[(0, 0), (1, 0)]), ValueError, "body 1: velocity is .* 0 for a body of infinite mass"),
    (dict(OK, walls=[spaces.Hyperplane((1, 0), .05)]), ValueError, "body 0 .* reaches through the wall"),
    (dict(OK, walls=[spaces.Hyperplane((1, 0, 0))]), ValueError, r"walls\[0\]: normal has 3 numbers; expected 2"),
    (dict(OK, periodic=(1,)), ValueError, "periodic is .* it must be None, or 2 lengths"),
    (dict(OK, periodic=(1, -1)), ValueError, r"periodic\[1\] is -1; it must be a positive length"),
    (dict(OK, periodic=(.4, None)), ValueError, "along axis 0 the two largest bodies reach 0.2; it must be less than half"),
    (dict(OK, positions=[(0, 0), (1e12, 0)], periodic=(1, 1)), ValueError, "body 1: position .* within 1e"),
    (dict(OK, time=math.nan), ValueError, "time is nan"),
    (dict(SPHERE, periodic=(1, 1, 1)), ValueError, "only a flat space can have periodic axes"),
    (dict(SPHERE, positions=[(1, 0, 0), (0, 1.1, 0)]), ValueError, "body 1: position is .* a point of the sphere of radius 1"),
    (dict(SPHERE, velocities=[(0, 0, 0), (0, 1, 0)]), ValueError, "body 1: velocity is .* tangent to the sphere"),
    (dict(SPHERE, radii=1.6), ValueError, "less than half the circumference"),
    (dict(SPHERE, walls=[spaces.Hyperplane((0, 0, 1), .5)]), ValueError, "offset is 0.5; it must be 0 in a curved space"),
    (dict(PLANE, positions=[(1, 1, 0)]), ValueError, "body 0: position is .* a point of the hyperboloid"),
    (dict(PLANE, velocities=[(1, 0, 0)]), ValueError, "body 0: velocity is .* tangent to the hyperboloid"),
    (dict(PLANE, positions=[(math.cosh(21), math.sinh(21), 0)]), ValueError, r"at most 20 from \(1, 0, 0\)"),
    (dict(PLANE, radii=[21.]), ValueError, "sum of the two largest radii is 42"),
    (dict(PLANE, walls=[spaces.Hyperplane((2, 1, 0))]), ValueError, "must be positive, it is -3"),
])
def test_what_is_not_legal_is_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        spaces.Gas(**wrong)


@pytest.mark.parametrize("make, message", [
    (lambda: spaces.Norm(.5), "below 1 there is no norm"),
    (lambda: spaces.Norm("two"), "p is 'two'; it must be a number from 1 to 1000, or infinity"),
    (lambda: spaces.Norm(2, 9), "dimension is 9; it must be 1 ... 8"),
    (lambda: spaces.Norm(2, weights=(1, 0)), "weights is .* it must be 2 positive numbers"),
    (lambda: spaces.Norm(2, kinetic="other"), 'it must be "euclidean" or "norm"'),
    (lambda: spaces.Norm(1, kinetic="norm"), "the velocity would not follow from the momentum"),
    (lambda: spaces.Norm(3, kinetic="norm"), "momentum would not be a linear function of velocity"),
    (lambda: spaces.Sphere(0), "radius is 0; it must be positive"),
    (lambda: spaces.Hyperplane((0, 0)), "normal is .* not all 0"),
    (lambda: spaces.Hyperplane((1, 0), math.inf), "offset is inf; it must be finite"),
    (lambda: spaces.Polytope([(1, 0)]), "do not enclose a bounded set"),
    (lambda: spaces.Polytope((1, 0)), r"normals has shape \(2,\)"),
    (lambda: spaces.Polytope(np.random.default_rng(1).normal(size=(60, 6))), "too many to find the corners"),
    (lambda: spaces.Hyperbolic.point(1, 0), "is not inside Poincare's disc"),
])
def test_spaces_refuse_what_is_no_space(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_input_that_is_off_by_rounding_is_projected():
    x = np.array([(1 + 1e-10, 0, 0), (0, 1, 0)])
    gas = spaces.Gas(spaces.Sphere(), x, [(1e-10, 1, 0), (0, 0, 1)], .1)
    assert gas.positions[0].tolist() == [1, 0, 0] and gas.velocities[0, 0] == 0
    gas = spaces.Gas(spaces.Hyperbolic(), [(math.cosh(1) * (1 + 1e-10), math.sinh(1), 0)], [(0, 0, 1)], .1)
    assert gas.positions[0, 0] == pytest.approx(math.cosh(1), abs=1e-15)


def test_overlaps_are_counted():
    with pytest.warns(hdsim.OverlapWarning, match="1 pair of bodies overlaps"):
        gas = spaces.Gas(spaces.Norm(INF), [(0, 0), (.15, .1)], [(0, 0), (-1, 0)], .1)
    assert gas.next_event().time == 0 and gas.velocities.tolist() == [[-1, 0], [0, 0]]


def test_machine_code_is_for_discs(rng):
    import ctypes

    with pytest.raises(TypeError, match="can be called for discs only"):
        gas_of(rng).on_collision(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda event, data: 0))


def test_damaged_checkpoints_are_refused(rng, tmp_path):
    gas = gas_of(rng)
    arrays, data = gas.checkpoint()
    for name, array in (("sides", arrays["sides"][:3]), ("counters", -arrays["counters"] + 2**61),
                        ("clocks", arrays["clocks"] + 1), ("positions", arrays["positions"] * math.nan)):
        with pytest.raises(ValueError, match=r"shape|not legal|ahead|finite"):
            spaces.Gas.from_checkpoint(dict(arrays, **{name: array}), data)
    with pytest.raises(ValueError, match="no space 'Torus'"):
        spaces.Gas.from_checkpoint(arrays, dict(data, space={"class": "Torus"}))
    with pytest.raises(ValueError, match="not a number"):
        spaces.Gas.from_checkpoint(arrays, dict(data, engine=dict(data["engine"], clocks=["nan"] * 7)))


def test_the_dual_norm():
    """The largest value of a linear function on the unit ball, found by trying many points of it."""
    rng = np.random.default_rng(3)
    for space in (spaces.Norm(1, 3), spaces.Norm(INF, 3), spaces.Norm(2, 3, weights=(1, 2, 3)), spaces.Norm(4, 3),
                  spaces.Norm(1.5, 3, weights=(2, 1, 1)), spaces.Polytope(rng.normal(size=(5, 3)))):
        points = rng.normal(size=(400_000, 3))
        points /= space.norm(points)[:, None]
        n = rng.normal(size=3)
        most = float((points @ n).max())
        assert most <= space.dual_norm(n.tolist()) * (1 + 1e-12) and most == pytest.approx(space.dual_norm(n.tolist()), rel=1e-2)


def test_repr_says_what_it_is(rng):
    assert repr(spaces.Norm(INF, 3, weights=(1, 2, 1))) == "Norm(inf, dimension=3, weights=(1.0, 2.0, 1.0))"
    assert repr(spaces.Norm(2, weights=(1, 4), kinetic="norm")) == "Norm(2, dimension=2, weights=(1.0, 4.0), kinetic='norm')"
    assert repr(spaces.Hyperplane((1, 0), .5)) == "Hyperplane((1.0, 0.0), 0.5)"
    assert repr(spaces.Sphere(2)) == "Sphere(radius=2.0)" and repr(spaces.Hyperbolic()) == "Hyperbolic()"
    assert repr(gas_of(rng)) == "<Gas of 64 bodies in Norm(4, dimension=2), periodic (1.0, 1.0), time 0>"
    assert spaces.Hyperplane((1, 0)) == spaces.Hyperplane([1, 0]) != spaces.Hyperplane((1, 0), 1)
    assert len({spaces.Hyperplane((1, 0)), spaces.Hyperplane((1, 0))}) == 1


def test_curved_distances():
    """Small and large ones, against closed forms."""
    sphere, plane = spaces.Sphere(2.), spaces.Hyperbolic()
    for a in (1e-9, .3, 1.5, 3.14159):
        assert sphere.distance((2, 0, 0), (2 * math.cos(a), 2 * math.sin(a), 0)) == pytest.approx(2 * a, rel=1e-12)
    for a in (1e-9, .3, 5., 15.):
        assert plane.distance((1, 0, 0), (math.cosh(a), 0, math.sinh(a))) == pytest.approx(a, rel=1e-12)
    x = np.array([plane.point(.3, .4), plane.point(-.2, .7)])
    moved, velocity = plane.advance(x[0], in_plane(x[:1], np.array([(1., 0)]))[0], 2.)
    assert plane.distance(x[0], moved) == pytest.approx(2) and plane.kinetic(moved, velocity) == pytest.approx(.5)
    assert plane.in_disc(x) == pytest.approx(np.array([(.3, .4), (-.2, .7)]))
