"""Gravity as a user gives it: keyword, edits, files, the balance, copies; and what is refused, in one line."""
import io
import math
import pickle

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, FileFormatError, Particle, Piston, Polygon, Segment, Thermal
from hdsim.app import cli
from hdsim.formats.io import format_text, read_text
from hdsim.formats.tail import format_tail, parse_tail
from hdsim.model.law import Law, law_of
from hdsim.model.resting import Rest, resting
from hdsim.reference.timestep import TimeDrivenSystem

DOWN = (0, -1)


def ball(**options):
    return CollisionSystem([Particle(.5, .5, .25, .125, .125, 2)], **{"gravity": DOWN, **options})


def test_a_ball_flies_on_a_parabola():
    """Positions, velocities, energies at any time; reading changes nothing."""
    system = ball(box=(4, 4))
    assert system.gravity == (0, -1) and not system.conserves_energy
    for t in (.25, .5, .75):
        system.simulate(until=t)
        assert system.positions[0] == pytest.approx((.5 + .25 * t, .5 + .125 * t - t * t / 2), abs=1e-15)
        assert system.velocities[0] == pytest.approx((.25, .125 - t), abs=1e-15)
        assert system.potential_energy == pytest.approx(2 * system.positions[0, 1], abs=1e-15)
        balance = system.energy_balance()
        assert balance.kinetic + balance.potential == pytest.approx(2 * (.25**2 + .125**2) / 2 + 2 * .5, abs=1e-15)
        assert balance.potential == system.potential_energy and abs(balance.drift) < 1e-15


def test_three_dimensions():
    system = CollisionSystem([hdsim.Sphere((.5, .5, .5), (0, 0, 0), .125, 1)], gravity=(.5, 0, -2))
    assert system.gravity == (.5, 0, -2)
    assert system.next_event().wall == "back" and system.time == pytest.approx(math.sqrt(.375), abs=1e-15)
    assert system.potential_energy == pytest.approx(-.5 * system.positions[0, 0] + 2 * system.positions[0, 2], abs=1e-14)


def test_no_gravity_is_no_gravity():
    """None, zeros and nothing: the same bits, in files, too."""
    runs = [hdsim.random(30, seed=2, **options) for options in ({}, {"gravity": None}, {"gravity": (0, -0.)})]
    for system in runs:
        system.simulate(until=50)
        assert system.gravity == (0, 0) and system.potential_energy == 0 and system.conserves_energy
    assert len({(system.hash(), pickle.dumps(system), format_text(system.configuration())) for system in runs}) == 1
    with runs[0].edit() as draft:
        assert draft.gravity == (0, 0)
        draft.gravity = 0, 0
    runs[0].simulate(until=90)
    runs[1].simulate(until=90)
    assert runs[0].hash() == runs[1].hash()


def test_all_ways_in():
    """Arrays, configurations, random systems, tables, files, frames, edits."""
    made = [CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1, gravity=DOWN),
            hdsim.random(3, seed=1, gravity=DOWN), hdsim.tables.stadium(2, 1).random(2, radius=.1, gravity=DOWN)]
    made.append(CollisionSystem.from_configuration(made[0].configuration()))
    made.append(CollisionSystem.from_configuration(hdsim.random(3).configuration(), gravity=DOWN))
    system = hdsim.random(3, seed=1)
    with system.edit() as draft:
        draft.gravity = np.array([0, -1])
    for each in (*made, system):
        assert each.gravity == (0, -1)
    assert system.hash() == made[1].hash() and np.array_equal(system.positions, made[1].positions)
    with system.edit() as draft:
        draft.gravity = None
    assert system.gravity == (0, 0)


def test_a_run_goes_on_from_everything():
    """Copies, checkpoints and pickles, in the middle of flights; from a text and a frame within rounding."""
    system = hdsim.random(40, radius=.02, seed=3, temperature=.5, gravity=(1e-5, -1e-4), restitution=.9, contact_time=1e-3)
    system.simulate(until=30)
    file = io.BytesIO()
    twins = [system.copy(), pickle.loads(pickle.dumps(system)), CollisionSystem.from_checkpoint(*system.checkpoint())]
    del file
    system.simulate(until=80)
    for twin in twins:
        assert twin.gravity == (1e-5, -1e-4)
        twin.simulate(until=80)
        assert twin.hash() == system.hash() and np.array_equal(twin.positions, system.positions)
        assert twin.energy_balance() == system.energy_balance()
        twin.check()
    assert abs(system.energy_balance().drift) < 1e-13


def test_files(tmp_path):
    """The line of a text, in two and three dimensions; trajectories."""
    system = ball()
    text = format_text(system.configuration())
    assert text.splitlines()[-1] == "gravity 0 -1"
    (tmp_path / "a.txt").write_text(text)
    assert hdsim.load(tmp_path / "a.txt").gravity == (0, -1)
    law = law_of(.5, .1, (0, 2**-70, -.1))
    assert format_tail(law=law).splitlines()[-1] == "gravity 0 8.470329472543003e-22 -0.1"
    assert parse_tail(f"box 1 1 1\n{format_tail(law=law)}".encode(), "f", 1, 0, 3).law == law
    for suffix in ("xyz", "gsd"):
        if suffix == "gsd":
            pytest.importorskip("gsd")
        path = tmp_path / f"a.{suffix}"
        for other in (system, CollisionSystem([hdsim.Sphere((.5, .5, .5), (0, 0, 0), .125, 1)], gravity=(.5, 0, -2)),
                      CollisionSystem([Particle(.5, .5, 0, 0, .1, 1)], obstacles=[Circle((.2, .2), .1)], gravity=(0, -.5))):
            with other.record(path, every=.125) as recording:
                other.simulate(until=.25)
            del recording
            found = hdsim.load(path)
            assert found.gravity == other.gravity and len(found.obstacles) == len(other.obstacles)
            assert np.array_equal(found.positions, other.positions)


@pytest.mark.parametrize("lines, message", [
    ("gravity 0", "f:1: gravity: expected 2 numbers, the acceleration along each axis, found 1"),
    ("gravity 0 x", "f:1: gravity: expected a number, found 'x'"),
    ("gravity 0 -1\ngravity 0 -1", "f:2: gravity: expected one line of this word, found a second one after line 1"),
    ("gravity 0 -1 name=g", "f:1: gravity: expected no keys, found 'name'"),
])
def test_lines_that_are_wrong(lines, message):
    with pytest.raises(FileFormatError, match=message):
        parse_tail(lines.encode(), "f", 1, 1)


def test_lines_cannot_add_gravity():
    with pytest.raises(ValueError, match="lines:1: gravity is for a whole system, and cannot be added to one"):
        CollisionSystem().add_obstacles("gravity 0 -1")


@pytest.mark.parametrize("given, error, message", [
    (3, TypeError, r"gravity is 3; it must be \(gx, gy\)"), ((1,), TypeError, r"gravity is \(1,\); it must be"),
    ("01", TypeError, "it must be"), ((0, "x"), TypeError, "gravity is 'x'; it must be a number"),
    ((0, math.nan), ValueError, r"gravity is \(0, nan\); it must be finite"), ((0, 1e99), ValueError, "at most"),
    ((0, 0, -1), ValueError, "gravity has 3 components, and the box has 2 dimensions"),
])
def test_what_is_no_gravity(given, error, message):
    with pytest.raises(error, match=message):
        ball(gravity=given)


@pytest.mark.parametrize("options, message", [
    ({"box": Box(1, 1, (False, True))}, "gravity is .0.0, -1.0., and the box is periodic along y; its component there must be 0"),
    ({"restitution": 0}, "restitution is 0 for some contacts, and what falls would never leave what it lands on"),
    ({"restitution": {"pair": 0}}, "restitution is 0 for some contacts"),
    ({"restitution": {"pair": [[1, 0], [0, 1]]}}, "restitution is 0 for some contacts"),
    ({"obstacles": [Circle((.1, .1), .05, restitution=0)]}, "restitution is 0 for some contacts"),
    ({"obstacles": [Piston(y=0, mass=1)]}, "obstacles.0. rests on the bottom wall; give it a gap or a speed"),
])
def test_what_it_is_not_combined_with(options, message):
    with pytest.raises(ValueError, match=message):
        ball(**options)
    if "box" not in options:
        system = ball(gravity=None)
        with pytest.raises(ValueError, match=message), system.edit() as draft:
            draft.gravity = DOWN
            for name, value in options.items():
                setattr(draft, name, value)
        assert system.gravity == (0, 0)


def test_a_periodic_axis_across_it():
    system = ball(box=Box(1, 1, (True, False)))
    system.simulate(until=20)
    assert abs(system.energy_balance().drift) < 1e-14


def test_a_disc_of_infinite_mass_does_not_fall():
    discs = [Particle(.5, .5, 0, 0, .1, 1), Particle(.2, .5, 0, 0, .1, math.inf)]
    with pytest.raises(ValueError, match=r"disc 1: mass is inf, .* use an obstacle instead, such as hdsim.Circle\("):
        CollisionSystem(discs, gravity=DOWN)
    spheres = [hdsim.Sphere((.5, .5, .5), (0, 0, 0), .125, math.inf)]
    with pytest.raises(ValueError, match="disc 0: mass is inf, .*; leave it out"):
        CollisionSystem(spheres, gravity=(0, 0, -1))
    system = ball()
    with pytest.raises(ValueError, match="disc 1: mass is inf"):
        system.add(Particle(.2, .2, 0, 0, .1, math.inf))


V = Polygon([(0, 0), (1, 0), (1, 1), (.5, .5), (0, 1)])
RESTS = [       # a disc (x, y, vx, vy, radius), obstacles, what it rests on
    ((.5, .125, 0, 0, .125), [], "the bottom wall"), ((.5, .125, 3, 0, .125), [], "the bottom wall"),
    ((.5, .375, 0, 0, .125), [Segment((0, .25), (1, .25))], r"obstacles\[0\], Segment"),
    ((.5, .25, 0, 0, 0), [Segment((0, .25), (1, .25))], r"obstacles\[0\]"),
    ((.5, .625, 0, 0, .125), [Circle((.9, .1), .05), Circle((.5, .25), .25)], r"obstacles\[1\], Circle"),
    ((.5, .25, 0, 0, .125), [Circle((.5, .5), .375, side="inside")], r"obstacles\[0\]"),
    ((.5, .25, 0, 0, .125), [Arc((.5, .5), .375, 180, 360)], r"obstacles\[0\]"),
    ((.5, .625, 0, 0, .125), [Segment((.5, .5), (.5, .25))], r"obstacles\[0\]"),
    ((.5, .375, .25, .5, .125), [Segment((0, .25), (1, .25), velocity=(0, .5))], r"obstacles\[0\]"),
    ((.5, .5 + .125 * math.sqrt(2), 0, 0, .125), [V], r"obstacles\[0\]"),
    ((.25, .5, 0, 0, 0), [Segment((.25, .5), (.75, .5))], r"obstacles\[0\]"),       # points at ends
    ((.75, .5, -1, 0, 0), [Segment((.25, .5), (.75, .5))], r"obstacles\[0\]"),
    ((.25, .5, 0, 0, 0), [Segment((.25, .5), (.75, .25))], r"obstacles\[0\]"),
]
MOVES = [       # that do not rest
    ((.5, .125, 0, 2**-40, .125), []), ((.5, .125, 0, -1, .125), []), ((.5, .125 + 1e-9, 0, 0, .125), []),
    ((.5, .875, 0, 0, .125), []), ((.125, .5, 0, 1, .125), []),             # under the lid, along a side
    ((.5, .125, 0, 0, .125), [Segment((0, .25), (1, .25))]),                # hangs below it, and rests on the bottom
    ((.5, .875, 0, 0, .125), [Circle((.5, .5), .5, side="inside")]),        # at the top of a room
    ((.5, .625, 1, 0, .125), [Circle((.5, .25), .25)]),                     # so fast that it flies off the top
    ((.5, .375, 0, 0, .125), [Segment((0, .25), (1, .25), until=-1.)]), ((.5, .375, 0, 0, .125), [Segment((0, .25), (.2, .25))]),
    ((.5, .375, 0, 0, .125), [Segment((0, .25), (1, .25), species=3)]),
    ((.25, .5, 0, 0, 0), [Segment((.25, .5), (.75, .75))]),                 # a point slides off the end
    ((.25, .5, -1, 0, 0), [Segment((.25, .5), (.75, .5))]),
]


@pytest.mark.parametrize("disc, obstacles, name", RESTS)
def test_what_rests_is_refused(disc, obstacles, name):
    with pytest.raises(ValueError, match=f"^disc 0 at .* rests on {name}.*; give it a gap or a speed"):
        CollisionSystem([Particle(*disc, 1)], gravity=DOWN, obstacles=obstacles)


@pytest.mark.parametrize("disc, obstacles", MOVES)
def test_what_does_not_rest_is_not(disc, obstacles):
    rows = [*resting((0.0, -1.0), Box(), obstacles, 0.0, *(np.array([part]) for part in (disc[:2], disc[2:4], disc[4])),
                     np.zeros(1, int))]
    assert rows == ([Rest(0, "bottom")] if obstacles and disc[1] == .125 else [])


def test_a_disc_may_rest_on_an_image_of_an_obstacle():
    """Of a periodic axis."""
    with pytest.raises(ValueError, match="disc 0 at .* rests on obstacles.0., Circle"):
        CollisionSystem([Particle(.9, .625, 0, 0, .125, 1)], box=Box(1, 1, (True, False)), gravity=DOWN,
                        obstacles=[Circle((-.1, .25), .25)])


def test_a_disc_on_a_piston():
    """Falls with it, unless a load holds the piston."""
    disc = Particle(.5, .625, 0, 0, .125, 1)
    system = CollisionSystem([disc], gravity=DOWN, obstacles=[Piston(y=.5, mass=1)])
    assert system.next_event() is not None
    with pytest.raises(ValueError, match="disc 0 at .* rests on obstacles.0., Piston"):
        CollisionSystem([disc], gravity=DOWN, obstacles=[Piston(y=.5, mass=1, force=1)])


def test_the_time_driven_engine_has_none():
    with pytest.raises(ValueError, match="the time-driven engine has no gravity, and that of this system is .0.0, -1.0.;"):
        TimeDrivenSystem(ball(), .01)


def test_spaces_have_none():
    with pytest.raises(TypeError, match="gravity"):
        hdsim.spaces.Gas(hdsim.spaces.Norm(2), [(0, 0)], [(0, 0)], .1, gravity=DOWN)


def test_observers():
    """Those that assume straight flights are refused; of the others there is no theory."""
    system = hdsim.random(50, radius=.02, seed=1, gravity=(0, -1e-2), walls={"bottom": Thermal(.01)})
    for observer in (hdsim.Speed(), hdsim.FreePath(), hdsim.PressureTensor(), hdsim.Viscosity(), hdsim.HeatConductivity()):
        with pytest.raises(ValueError, match="is for discs that fly straight, and gravity is .*; with gravity there are others"):
            system.observe(observer)
    seen = [system.observe(observer) for observer in (hdsim.Pressure(), hdsim.CollisionRates(), hdsim.EventRecorder(10),
                                                       hdsim.Surfaces(), hdsim.Profile("y", 4))]
    system.simulate(until=20)
    pressure, surfaces = seen[0], seen[3]
    assert all(observer.theory is None for observer in seen)
    assert pressure.walls["bottom"] == pytest.approx(surfaces.impulses[2, 1] / 20, rel=1e-12)
    assert pressure.walls["bottom"] > pressure.walls["top"] and "virial" not in pressure.table()
    with pytest.raises(ValueError, match="^the virial is that of discs without gravity; Pressure.walls has the pressure"):
        pressure.virial
    assert system.copy().observers[0].value == pressure.value


def test_commands(capsys):
    """Options, the summary, `info`, and what is refused."""
    def run(*words):
        return cli.main([*words]), *capsys.readouterr()

    status, out, _ = run("20", "--gravity=0,-1e-4", "--restitution", ".9", "--contact-time", ".1", "--until", "50", "--no-view")
    assert status == 0 and "potential + " in out and "energy balance" in out
    out = run("info", "20", "--gravity", "0,-1")[1]
    assert "gravity" in out and "(0, -1)" in out
    for words, message in ((("20", "--gravity", "1"), "expected two numbers, or three in space, as in 0,-1, found '1'"),
                           (("20", "--gravity", "0,-1", "--engine", "time"), "the time-driven engine has no gravity"),
                           (("20", "--gravity", "0,-1", "--compare", "time:.1"), "does not apply to two engines side by side"),
                           (("20", "--gravity", "0,-1", "--space", "l4"), "--gravity is for discs in a box"),
                           (("20", "--gravity", "0,-1", "--periodic", "y"), "periodic along y")):
        status, _, err = run(*words, "--until", "1", "--no-view")
        assert status == 2 and message in err and err.count("\n") == 1


def test_laws_have_it():
    assert law_of(gravity=(0, -1)) == Law(gravity=(0.0, -1.0)) and law_of(gravity=None) == law_of(gravity=(0, 0)) == Law()
    assert read_text(b"1\n.5 .5 0 0 .1 1 0 0 0\ngravity 0 -2\n").configuration.law.gravity == (0, -2)
