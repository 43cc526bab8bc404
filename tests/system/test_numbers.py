"""Every number that a caller gives is converted once: what is none, or too large for a double, is refused by name in one line,
and nothing has changed. Numbers in messages are short."""
import decimal
import fractions
import math
import re

import numpy as np
import pytest

import hdsim
from hdsim import Box, CollisionSystem, Particle, observers, spaces, states, tables
from hdsim.model.numbers import apart, real, short, shown

Decimal, Fraction = decimal.Decimal, fractions.Fraction
NO_NUMBERS = {"text": "1", "bytes": b"1", "a complex number": 1j, "a list": [1.], "an array": np.array([1., 2.]),
              "an object": object(),
              "a signalling nan": Decimal("sNaN"), "a long text": "1" * 10**5, "a dict": {}, "a function": len}
TOO_LARGE = {"a huge integer": 10**400, "a huge negative one": -10**400, "more than 4300 digits": 10**5000,
             "a huge fraction": Fraction(10**400), "a huge decimal": Decimal("1e400"), "a long double": np.longdouble("1e4000")}
NOT_FINITE = {"nan": math.nan, "nan of numpy": np.float32("nan"), "nan as a decimal": Decimal("nan")}
BAD = {**NO_NUMBERS, **TOO_LARGE, **NOT_FINITE}


def system():
    return hdsim.load("billiards5")


def disc(**changes):
    return Particle(**{**dict(rx=.5, ry=.5, vx=.1, vy=.2, radius=.1, mass=1.), **changes})


def with_edit(field, at=(0, 0)):
    def change(value):
        s = system()
        before = s.hash(), s.positions.tolist(), s.velocities.tolist(), s.radii.tolist(), s.masses.tolist()
        try:
            with s.edit() as draft:
                array = getattr(draft, field)
                rows = array.tolist()
                if array.ndim == 2:
                    rows[at[0]][at[1]] = value
                else:
                    rows[at[0]] = value
                setattr(draft, field, rows)
        finally:
            assert before == (s.hash(), s.positions.tolist(), s.velocities.tolist(), s.radii.tolist(), s.masses.tolist())
    return change


def arrays(**changes):
    given = dict(positions=[[.3, .3], [.7, .7]], velocities=[[.1, 0.], [0., .1]], radii=[.1, .1], masses=[1., 1.])
    return CollisionSystem.from_arrays(**{**given, **changes})


GAS = spaces.Gas(spaces.Norm(2), [(.5, .5)], [(1., 0.)], radii=.1)
# What takes one number, and the name by which it is refused.
TAKERS = {
    **{f"Particle {name}": (name, lambda value, name=name: disc(**{name: value}))
       for name in ("rx", "ry", "vx", "vy", "radius", "mass")},
    "Particle width": ("width|box", lambda value: disc(width=value)), "Particle height": ("height|box",
        lambda value: disc(height=value)),
    **{f"particle.{name}": (name, lambda value, name=name: setattr(disc(), name, value)) for name in ("rx", "ry", "vx", "vy")},
    "move": ("dt", lambda value: disc().move(value)),
    "Box width": ("width", lambda value: Box(value, 1)), "Box height": ("height", lambda value: Box(1, value)),
    "time": ("time", lambda value: CollisionSystem(time=value)), "k_B": ("k_B", lambda value: CollisionSystem(k_B=value)),
    "positions": ("position", lambda value: arrays(positions=[[.3, value], [.7, .7]])),
    "velocities": ("velocit", lambda value: arrays(velocities=[[.3, value], [.7, .7]])),
    "radii": ("radi", lambda value: arrays(radii=[.1, value])), "one radius": ("radi", lambda value: arrays(radii=value)),
    "masses": ("mass", lambda value: arrays(masses=[1., value])), "one mass": ("mass", lambda value: arrays(masses=value)),
    **{f"edit {field}": (name, with_edit(field)) for field, name in
       (("positions", "position"), ("velocities", "velocit"), ("radii", "radi"), ("masses", "mass"))},
    "until": ("until", lambda value: system().simulate(until=value)), "events": ("until",
        lambda value: next(system().events(value))),
    "step": ("dt", lambda value: system().step(value)),
    "max_seconds": ("max_seconds", lambda value: system().simulate(until=1, max_seconds=value)),
    "next_event": ("max_seconds", lambda value: system().next_event(value)), "peek": ("max_seconds",
        lambda value: system().peek(value)),
    "on_redraw": ("every", lambda value: system().on_redraw(len, every=value)),
    "on_timer": ("every", lambda value: system().on_timer(len, every=value)),
    "random radius": ("radius", lambda value: hdsim.random(3, radius=value)),
    "random temperature": ("temperature", lambda value: hdsim.random(3, temperature=value)),
    "random mass": ("mass", lambda value: hdsim.random(3, mass=value)), "random k_B": ("k_B", lambda value: hdsim.random(3,
        k_B=value)),
    "load time": ("time", lambda value: hdsim.load("billiards5", time=value)),
    "triangular": ("packing_fraction", lambda value: states.triangular(12, value)),
    "triangular width": ("width", lambda value: states.triangular(12, .5, width=value)),
    "sequential_addition": ("packing_fraction", lambda value: states.sequential_addition(3, value)),
    "compressed": ("packing_fraction", lambda value: states.compressed(3, value)),
    "compressed rate": ("rate", lambda value: states.compressed(3, .1, rate=value)),
    "thermal_velocities": ("temperature", lambda value: states.thermal_velocities(np.ones(3), value)),
    "thermal_velocities k_B": ("k_B", lambda value: states.thermal_velocities(np.ones(3), 1., k_B=value)),
    "thermal_velocities masses": ("mass", lambda value: states.thermal_velocities([1., value], 1.)),
    "State.system": ("temperature", lambda value: states.triangular(12, .5).system(value)),
    "table": ("radius", lambda value: tables.sinai(value)), "table radius": ("radius", lambda value: tables.sinai(.2).random(3,
        radius=value)),
    "Segment": ("start", lambda value: hdsim.Segment((value, 0), (1, 1))), "Circle": ("radius", lambda value: hdsim.Circle((0,
        0), value)),
    "Arc": ("center", lambda value: hdsim.Arc((0, value), 1, 0, 90)), "from_time": ("from_time", lambda value: hdsim.Circle(
        (0, 0), 1, from_time=value)), "faster": ("faster", hdsim.gates.faster),
    "Norm": ("p", spaces.Norm), "Sphere": ("radius", spaces.Sphere), "Gas radii": ("radi", lambda value: spaces.Gas(
        spaces.Norm(2), [(.5, .5)], [(1., 0.)], radii=value)), "Gas.simulate": ("until",
        lambda value: GAS.copy().simulate(value)),
    "Gas.step": ("dt", lambda value: GAS.copy().step(value)),
    "film until": ("until", lambda value: hdsim.record(system(), "x.gif", until=value)),
    "film fps": ("fps", lambda value: hdsim.record(system(), "x.gif", until=1, fps=value)),
    "queue key": ("key", lambda value: hdsim.IndexMinPQ(3).insert(0, value)),
}
INFINITE_IS_LEGAL = {"Particle mass", "masses", "one mass", "edit masses", "Norm", "from_time", "thermal_velocities masses"}
WHOLE = {
    "count": ("count", lambda value: disc(count=value)), "particle.count": ("count", lambda value: setattr(disc(), "count",
        value)),
    "max_events": ("max_events", lambda value: system().simulate(until=1, max_events=value)),
    "capacity": ("capacity", hdsim.IndexMinPQ), "item": ("item", lambda value: hdsim.IndexMinPQ(3).insert(value, 1.)),
}


def refused(name, call, value):
    """The message of the refusal: of a kind that callers catch, one line, not long, with the name."""
    with pytest.raises((ValueError, TypeError, IndexError)) as caught:
        call(value)
    message = str(caught.value)
    assert re.search(name, message), message
    assert "\n" not in message and len(message) < 400
    return message


@pytest.mark.parametrize("taker", TAKERS)
def test_what_is_no_finite_number_is_refused_by_name(taker):
    one_for_each_disc = ("one radius", "an array"), ("one mass", "an array"), ("Gas radii", "a list")
    for bad, value in BAD.items():
        if (taker, bad) not in one_for_each_disc:
            refused(*TAKERS[taker], value)


@pytest.mark.parametrize("taker", WHOLE)
def test_what_is_no_whole_number_is_refused_by_name(taker):
    for value in (*BAD.values(), 1.5):
        refused(*WHOLE[taker], value)


@pytest.mark.parametrize("taker", [taker for taker in TAKERS if taker not in INFINITE_IS_LEGAL])
def test_infinity_is_refused_where_it_makes_no_sense(taker):
    if taker not in ("until", "events", "max_seconds", "next_event", "peek", "Gas.simulate", "faster", "queue key"):
        refused(*TAKERS[taker], math.inf if taker != "film until" else -math.inf)


@pytest.mark.parametrize("value", [Fraction(1, 8), Decimal("0.125"), np.float32(.125), np.float64(.125), np.array(.125)])
def test_numbers_of_every_type_are_taken(value):
    particle = disc(rx=value, vx=value, radius=value)
    particle.ry = particle.vy = value
    particle.move(value)
    assert particle.rx == .125 + .125**2 == particle.ry and particle.radius == .125
    assert arrays(positions=[[value, .5], [.7, .7]]).positions[0, 0] == .125
    run = system()
    run.simulate(until=value), run.step(value)
    assert run.time == .25 and states.triangular(12, value).packing_fraction == pytest.approx(.125)
    assert Box(value, 1).width == .125 and disc(count=np.int64(3)).count == 3 and disc(color=[1., 2, np.uint8(3)]).color == (1,
        2, 3)


@pytest.mark.parametrize("name", ["rx", "ry", "vx", "vy", "count"])
def test_a_refused_attribute_stays_as_it_was(name):
    particle = disc(count=2)
    before = repr(particle), particle.count
    for value in (10**400, math.nan, math.inf, None, "1", 1j, Fraction(10**400)):
        with pytest.raises((ValueError, TypeError), match=f"^{name} is "):
            setattr(particle, name, value)
    assert (repr(particle), particle.count) == before
    for other in ("radius", "mass", "width", "color", "periodic"):
        with pytest.raises(AttributeError):
            setattr(particle, other, 1)
    with pytest.raises(AttributeError):
        particle.speed = 1


@pytest.mark.parametrize("color", [None, 1, (1, 2), (1, 2, 256), (1, 2, None), "abc", (math.nan, 0, 0), (10**400, 0, 0)])
def test_a_colour_is_refused_by_name(color):
    refused("^color is", lambda value: disc(color=value), color)


@pytest.mark.parametrize("periodic", [None, 1, (True,), "xy", 10**400])
def test_periodic_is_refused_by_name(periodic):
    refused("^periodic is", lambda value: disc(periodic=value), periodic)


THIRD = 1 / 3 + 1e-16
MESSAGES = [
    lambda: system().simulate(until=-THIRD), lambda: system().step(-THIRD), lambda: disc(radius=-THIRD), lambda: disc(mass=-0.),
    lambda: disc(mass=-THIRD), lambda: Box(-THIRD, 1), lambda: Box(-0., 1), lambda: disc(width=-0.), lambda: hdsim.random(3,
        radius=THIRD),
    lambda: arrays(radii=[-THIRD, .1]), lambda: arrays(positions=[[THIRD, -THIRD], [.7, .7]]), lambda: arrays(masses=[-0., 1]),
    lambda: arrays(radii=[THIRD, .1]), lambda: hdsim.Circle((0, 0), -THIRD), lambda: hdsim.Circle((0, 0), -0.),
    lambda: hdsim.Arc((0, THIRD), 1, (1, THIRD + .1), (0, 1)), lambda: hdsim.Segment((THIRD, 0), (1, math.nan)),
    lambda: CollisionSystem([disc()], obstacles=[hdsim.Circle((THIRD, .5), .2)]), lambda: states.triangular(12, -THIRD),
    lambda: CollisionSystem([disc(rx=-THIRD)], box=(THIRD, 1)), lambda: states.compressed(3, 1 + THIRD),
    lambda: states.compressed(3, .1, rate=-THIRD), lambda: states.thermal_velocities(np.ones(3), -THIRD),
    lambda: system().on_timer(len, every=-THIRD), lambda: hdsim.IndexMinPQ(3).decrease_key(0, THIRD),
    lambda: tables.sinai(-THIRD),
    lambda: hdsim.gates.faster(-THIRD), lambda: spaces.Norm(THIRD), lambda: spaces.Sphere(-THIRD),
    lambda: observers.Pressure(-THIRD) if False else system().observe("speeds", bins=-3), lambda: CollisionSystem(time=math.nan),
    lambda: hdsim.Polygon([(0, 0), (THIRD, THIRD), (THIRD, THIRD), (1, 0)]), lambda: hdsim.Door((0, 0), (1, 1), [(THIRD,
        -THIRD)]),
    lambda: hdsim.textbook.CollisionSystem([hdsim.textbook.Particle(THIRD, 2, 0, 0, .1, 1)]),
    lambda: hdsim.textbook.Particle(0, 0, 0, 0, -THIRD, 1), lambda: hdsim.textbook.CollisionSystem([]).simulate(-THIRD),
]


@pytest.mark.parametrize("call", MESSAGES)
def test_numbers_in_messages_are_short(call):
    """Six digits where somebody has not written others, unless two would look equal; no sign of zero."""
    with pytest.raises((ValueError, TypeError, KeyError)) as caught:
        call()
    assert not re.search(r"\d\.\d{13,}|(?<![\w.])-0(?:\.0)?(?![\d.e])", str(caught.value)), caught.value


def test_two_times_that_are_compared_differ_in_the_message():
    run = system()
    run.simulate(until=THIRD)
    with pytest.raises(ValueError, match=r"until is 0\.333333333333332\d*, before the present time 0\.33333333333333\d+"):
        run.simulate(until=THIRD - 1e-15)
    with pytest.raises(ValueError, match=r"^until is 0\.25, before the present time 0\.333333$"):
        run.simulate(until=.25)


def test_short_numbers():
    for number, text in ((1., "1.0"), (.1, "0.1"), (-0., "0.0"), (.1 + .2, "0.3"), (1 / 3, "0.333333"), (-1 / 3, "-0.333333"),
                         (1e300, "1e+300"),
                         (2.**300, "2.03704e+90"), (123456789., "123456789.0"), (1.000000002, "1.000000002"),
                         (-1234567.8901234, "-1.23457e+06"), (math.inf, "inf"), (math.nan, "nan"), (5e-324,
        "5e-324")):
        assert short(number) == text == shown(np.float64(number)), number
    assert apart(1., 1.) == ("1.0", "1.0") and apart(.1 + .2, .3) == ("0.30000000000000004", "0.29999999999999999")
    assert apart(0., -0.) == ("0.0", "0.0") and apart(1., 2.) == ("1.0", "2.0")
    assert shown([.1 + .2, -0., 1, "0.30000000000000004"]) == "[0.3, 0.0, 1, '0.30000000000000004']".replace(
        "'0.30000000000000004'", "'0.3'")
    assert shown("0.30000000000000004") == "'0.30000000000000004'" and shown(np.arange(3)) == "array([0, 1, 2])"
    assert len(shown("x" * 10**6)) == 120 and shown(10**5000) == "an integer of 5001 digits"
    with pytest.raises(TypeError, match=r"^x is '1'; it must be a number$"):
        real("x", "1")
