"""Pressure tensor and transport coefficients: their sums are those of an event log, and their values those of theory."""
import itertools
import math
import pickle

import numpy as np
import pytest

import hdsim
from hdsim import states, theory


def mixture(dimension, seed, drift=.3, walls=()):
    """Balls of two radii and masses, whose centre of mass moves by `drift` along each axis."""
    rng = np.random.default_rng(seed)
    box = hdsim.Box.of([1., 1.2, 1.1][:dimension], [axis not in walls for axis in range(dimension)])
    places = np.stack(np.meshgrid(*[(np.arange(3) + .5) / 3] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
    v = rng.normal(size=places.shape)
    masses = np.where(np.arange(len(places)) % 2, 1., 3.)
    v += drift - (masses[:, None] * v).sum(axis=0) / masses.sum()
    radii = np.where(np.arange(len(places)) % 3, .1, .14)
    return hdsim.CollisionSystem.from_arrays(places * box.lengths, v, radii, masses, box=box)


def carried(system, times):
    """(times, d, d) the momentum and (times, d) the energy that have been carried since now, up to each of these times, in the
    frame of the centre of mass: from the events alone, each with normal and impulse."""
    d, m, radii = system.dimension, system.masses, system.radii
    drift = np.where(system.box.periodic, system.momentum / m.sum(), 0.)
    u, t = system.velocities - drift, system.time
    momentum, energy, rows = np.zeros((d, d)), np.zeros(d), []

    def fly(until):
        nonlocal momentum, energy, t
        momentum = momentum + np.einsum("i,ia,ib->ab", m, u, u) * (until - t)
        energy = energy + (m * (u**2).sum(axis=1) / 2) @ u * (until - t)
        t = until

    events = list(system.events(until=times[-1]))
    for time, event in itertools.chain([(e.time, e) for e in events], [(math.inf, None)]):
        while len(rows) < len(times) and times[len(rows)] < time:
            fly(times[len(rows)])
            rows.append((momentum, energy))
        if event is None:
            break
        fly(time)
        assert len(event.contacts) == 1
        c, = event.contacts
        normal = np.array(c.normal)
        way = radii[c.i] + (0 if c.j is None else radii[c.j])
        before = (m * (u**2).sum(axis=1) / 2)
        u = u.copy()
        u[c.i] -= c.impulse / m[c.i] * normal
        if c.j is not None:
            u[c.j] += c.impulse / m[c.j] * normal
            gain = (m * (u**2).sum(axis=1) / 2 - before)[c.j]
            energy = energy + way * normal * gain
        momentum = momentum + way * c.impulse * np.outer(normal, normal)
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows])


@pytest.mark.parametrize("dimension, walls", [(2, ()), (3, ()), (2, (0,)), (3, (2,)), (3, (0, 1, 2))])
def test_the_pressure_tensor_is_that_of_an_event_log(dimension, walls):
    """Flights and contacts, also with walls; the sums are those of numpy to rounding, and the trace is the virial."""
    system = mixture(dimension, 1, walls=walls)
    system.simulate(max_events=300)
    other = system.copy()
    tensor, pressure = system.observe(hdsim.PressureTensor()), system.observe("pressure")
    system.step(5.)
    found = carried(other, np.array([system.time]))[0][0] / 5 / system.box.volume
    found += np.diag(np.array(system.box.periodic)) * system.temperature / system.box.volume      # of the centre of mass
    assert tensor.value == pytest.approx(found, rel=1e-12, abs=1e-12 * found[0, 0])
    if not walls:
        assert np.trace(tensor.value) / dimension == pytest.approx(pressure.virial, rel=1e-12)
        assert np.diag(tensor.value) == pytest.approx(pressure.axes, rel=.5)


@pytest.mark.parametrize("dimension", [2, 3])
def test_moments_of_transport_are_those_of_an_event_log(dimension):
    """At all lags of three levels, in a mixture whose centre of mass moves: squares of what numpy sums up from the events."""
    system = mixture(dimension, 2)
    system.simulate(max_events=200)
    other, begin, every = system.copy(), system.time, .07
    viscosity = system.observe(hdsim.Viscosity(every, levels=3))
    bulk = system.observe(hdsim.BulkViscosity(every, levels=3))
    table = viscosity._table
    system.simulate(until=begin + 80.3 * every)
    momentum, energy = carried(other, begin + every * np.arange(81))
    momentum, energy = (np.concatenate([w[:1] * 0, w[1:]]) for w in (momentum, energy))
    assert viscosity.lags == pytest.approx(every * np.r_[0:16, 16:32:2, 32:64:4])
    sums = table(viscosity._read().total)
    assert (sums == table(bulk._read().total)).all()
    for k, step in enumerate(np.r_[0:16, 16:32:2, 32:64:4]):
        origins = np.arange(0, 81 - step, 1 if k < 16 else 2 if k < 24 else 4)
        w, e = momentum[origins + step] - momentum[origins], energy[origins + step] - energy[origins]
        trace = np.einsum("kaa->k", w)
        deviator = w - trace[:, None, None] / dimension * np.eye(dimension)
        found = [len(origins), (deviator**2).sum(), trace.sum(), (trace**2).sum(), (e**2).sum()]
        assert sums[:, k] == pytest.approx(np.array(found), rel=1e-11, abs=1e-11), step


def test_moments_do_not_depend_on_the_frame():
    """A gas whose centre of mass moves has the moments of the same gas at rest: Galilei's principle. After a reversal, too."""
    tables = []
    for drift in (0., .5):
        system = mixture(3, 3, drift)
        observer = system.observe(hdsim.Viscosity(.01, levels=2))
        system.step(.2)
        system.reverse()
        system.step(.2)
        tables.append(observer._table(observer._read().total))
    assert tables[0][0, -1] > 0 and tables[1] == pytest.approx(tables[0], rel=1e-6)


def fluid(dimension, n, eta, seed=1):
    """Equal balls of diameter 1 / kT = m = 1 in a periodic box, after some contacts."""
    box = hdsim.Box.of([1.] * dimension, True)
    system = states.sequential_addition(n, eta, seed=seed, box=box).system(temperature=1., seed=seed)
    system.simulate(max_events=50 * n)
    return system


@pytest.mark.parametrize("dimension, n, eta", [(2, 100, .3), (3, 108, .3)])
def test_pressure_tensors_are_those_of_a_fluid(dimension, n, eta):
    """In a fluid the tensor is the pressure times the unit matrix, within its errors; another pressure would be noticed."""
    system = fluid(dimension, n, eta)
    tensor, pressure = system.observe("pressure tensor"), system.observe("pressure")
    system.simulate(max_events=60_000)
    away = np.abs(tensor.value - tensor.theory) / tensor.error
    assert away.max() < 5 and tensor.theory[0, 0] == pytest.approx(pressure.theory, rel=1e-12)
    assert (np.abs(np.diag(tensor.value) - 1.1 * np.diag(tensor.theory)) > 8 * np.diag(tensor.error)).all()
    assert np.trace(tensor.value) / dimension == pytest.approx(pressure.value, rel=1e-12)
    rows = tensor.table().splitlines()
    assert len(rows) == 1 + dimension * (dimension + 1) // 2 and rows[2].startswith("xy")
    assert repr(tensor) == f"PressureTensor(values of shape ({dimension}, {dimension}))"


def test_the_tensor_between_plates_is_the_pressure_on_them():
    """Across the plates, in a long run: contacts with the plates carry momentum along the radius."""
    system = mixture(3, 7, walls=(2,))
    system.simulate(max_events=500)
    tensor, pressure = system.observe(hdsim.PressureTensor()), system.observe(hdsim.Pressure())
    system.simulate(max_events=60_000)
    assert tensor.value[2, 2] == pytest.approx(pressure.axes[2], rel=2e-3)
    assert tensor.theory is None and np.abs(tensor.value[0, 1]) < 5 * tensor.error[0, 1]


@pytest.mark.sample(1)
@pytest.mark.parametrize("dimension, n, eta", [(2, 64, .05), (2, 64, .3), (3, 64, .02), (3, 64, .25)])
def test_transport_is_enskogs(dimension, n, eta):
    """Within its errors and 6 %, of which 1/N are a part; a fifth more or less would be noticed."""
    system = fluid(dimension, n, eta)
    observers = [system.observe(name) for name in ("viscosity", "heat conductivity", "bulk viscosity")]
    system.simulate(max_events=400_000)
    for observer in observers:
        law, error = observer.theory, math.hypot(observer.error, .06 * observer.theory)
        assert abs(observer.value - law) < 3.5 * error
        if not isinstance(observer, hdsim.BulkViscosity):
            assert abs(observer.value - 2 * law) > 4 * error and abs(observer.value - .5 * law) > 4 * error
        ratio = observer.coefficients / law
        assert observer.lags[1:].shape == ratio.shape == observer.coefficients_error.shape
        assert ratio[0] == pytest.approx(contacts_share(system, type(observer).__name__) / law, rel=.1)


def contacts_share(system, name):
    """G(t) / t at one mean free time: contacts at once, and flights by an exponential decay of what they carry."""
    d, eta, a = system.dimension, system.packing_fraction, system.radii[0]
    laws = theory if d == 2 else theory.spheres
    bulk = laws.enskog_bulk_viscosity(eta, a, 1., 1.)
    share, relaxation = {"BulkViscosity": (1, 1), "Viscosity": (d / (d + 2), {2: 1., 3: 1.25}[d]),
                         "HeatConductivity": (d / 2, {2: 2., 3: 1.875}[d])}[name]
    law = getattr(laws, {"BulkViscosity": "enskog_bulk_viscosity", "Viscosity": "enskog_viscosity",
                         "HeatConductivity": "enskog_conductivity"}[name])(eta, a, 1., 1.)
    return share * bulk + (law - share * bulk) * (1 - relaxation * (1 - math.exp(-1 / relaxation)))


def test_errors_of_transport_are_honest():
    """Of twelve runs: they scatter as their errors say, within a factor of 1.7."""
    found = []
    for seed in range(12):
        observer = (system := fluid(2, 32, .2, seed)).observe(hdsim.Viscosity())
        system.simulate(max_events=40_000)
        found.append((observer.value, observer.error))
    values, errors = np.array(found).T
    assert 1 / 1.7 < values.std(ddof=1) / errors.mean() < 1.7


def test_moments_of_transport_go_on_through_copies_files_and_resets(tmp_path):
    """Copies, pickles and checkpoints go on to the same bits, the hash is that of a run without observers."""
    system = mixture(3, 5)
    bare = system.copy()
    observers = [system.observe(o) for o in (hdsim.PressureTensor(), hdsim.Viscosity(.05), hdsim.BulkViscosity(.05))]
    system.step(1.)
    system.save(tmp_path / "a.npz")
    others = [system.copy(), pickle.loads(pickle.dumps(system)), hdsim.load(tmp_path / "a.npz")]
    for one in (system, *others):
        one.step(1.)
    for other in others:
        assert other.hash() == system.hash()
        for ours, theirs in zip(observers, other.observers):
            assert ours.identity == theirs.identity
            assert (theirs._read().total == ours._read().total).all() and (theirs._read().blocks == ours._read().blocks).all()
    bare.step(1.)
    bare.step(1.)
    assert bare.hash() == system.hash()
    observers[1].reset()
    assert observers[1].lags.tolist() == [0.] and math.isnan(observers[1].value) and math.isnan(observers[1].error)
    system.step(3.)
    assert observers[1].value > 0


def test_a_checkpoint_without_the_velocity_of_the_centre_is_refused():
    system = mixture(3, 5)
    system.observe(hdsim.PressureTensor())
    arrays, data = system.checkpoint()
    name, = (key for key in arrays if key.endswith("region"))
    with pytest.raises(ValueError, match="the velocity of the centre of mass has 3 components, got 2"):
        hdsim.CollisionSystem.from_checkpoint({**arrays, name: arrays[name][:2]}, data)


def test_a_system_of_another_kind_is_refused():
    walled, mixed, crystal = mixture(2, 1, walls=(0,)), mixture(2, 1), states.triangular(30, .8).system(temperature=1., seed=1)
    for observer in (hdsim.Viscosity(.1), hdsim.BulkViscosity(.1)):
        with pytest.raises(ValueError, match="is that of a fluid in a periodic box: two discs or more of finite mass, no walls"):
            walled.observe(observer)
    with pytest.raises(ValueError, match="HeatConductivity is that of equal discs; in a mixture"):
        mixed.observe(hdsim.HeatConductivity(.1))
    with pytest.raises(ValueError, match="give every, a time of about one mean free time"):
        crystal.observe(hdsim.Viscosity())
    assert crystal.observe(hdsim.Viscosity(.1)).theory is None and mixed.observe(hdsim.Viscosity()).theory is None
    with pytest.raises(ValueError, match=r"between is \(10, 17\); it must be two lags, the lower first, of 0, 1, 2 ... 52, 56"):
        hdsim.Viscosity(between=(10, 17))
    with pytest.raises(ValueError, match="every is 0.0; it must be positive"):
        hdsim.Viscosity(0.)
    with pytest.raises(ValueError, match="levels is 0; it must be 1 ... 40"):
        hdsim.Viscosity(levels=0)
    among = hdsim.CollisionSystem([hdsim.Particle(.2, .2, .8, .6, .1, 1)], obstacles=[hdsim.Segment((.5, 0), (.5, .5))])
    with pytest.raises(ValueError, match="the pressure tensor is that of discs without obstacles; this system has 1"):
        among.observe(hdsim.PressureTensor())


def test_transport_is_drawn_and_told():
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="the extra `plot` is not installed")
    system = fluid(3, 32, .2)
    viscosity, tensor = system.observe("viscosity"), system.observe("pressure tensor")
    system.simulate(max_events=20_000)
    with pyplot.rc_context({"backend": "Agg"}):
        assert len(viscosity.plot().lines) >= 2 and len(tensor.plot().lines) == 6
        pyplot.close("all")
    lines = viscosity.table().splitlines()
    assert lines[0] == repr(viscosity) and lines[0].startswith("Viscosity(") and "theory" in lines[0]
    assert lines[1].split() == ["lag", "G", "/", "lag", "error"] and len(lines) == 2 + len(viscosity.lags) - 1
    assert viscosity.growth[0] == 0 and viscosity.coefficients == pytest.approx(viscosity.growth[1:] / viscosity.lags[1:])


def test_a_slope_of_displacements_has_no_flight():
    """Of free flights it is v^2 (a + b) / 2d, exactly; of a fluid, Einstein's D with an error. Other lags are refused."""
    free = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(3., 4.)], .1, box=hdsim.Box(1, 1, True))
    squares = free.observe(hdsim.MeanSquaredDisplacement(.1, levels=2))
    assert all(math.isnan(x) for x in squares.slope(2, 4))
    free.simulate(until=4.)
    assert squares.slope(2, 4)[0] == pytest.approx(25 * (.2 + .4) / 4, rel=1e-12)
    system = fluid(3, 64, .1)
    with system.edit() as draft:
        draft.velocities -= draft.velocities.mean(axis=0)
    every = theory.spheres.mean_free_time(.1, system.radii[0], 1., 1.)
    squares = system.observe(hdsim.MeanSquaredDisplacement(every, levels=3))
    system.simulate(max_events=100_000)
    value, error = squares.slope(10, 20)
    law = theory.spheres.enskog_diffusion(.1, system.radii[0], 1., 1.)
    assert 0 < error < .1 * law and abs(value - law) < 4 * error + .08 * law
    with pytest.raises(ValueError, match="slope between the lags 17 and 20; they must be two of 0 to 60 that this observer has"):
        squares.slope(17, 20)
