"""Points, whose sides of faces only their places tell: after very long flights, and between surfaces that close."""
from __future__ import annotations

import contextlib
import itertools
import math
import random

import numpy as np
import pytest

import hdsim
from hdsim import Arc, Box, Circle, CollisionSystem, Line, Polygon, Polyline, Segment, Thermal
from hdsim.model.clearance import overlapping


@pytest.mark.parametrize("shape", ["upright", "oblique", "ring"])
def test_points_touch_what_they_meet_after_hundreds_of_turns_of_the_box(shape):
    """The clock of such a contact is rounded by more than places are. A point that was put behind a face by that came back at
    once, from behind, and had passed through."""
    for seed in range(4):
        chance = random.Random(f"{shape} {seed}")
        x, y = chance.uniform(.4, .6), .5
        target = {"upright": Segment((x, y), (x, y + .002)), "oblique": Segment((x, y), (x + .001, y + .002)),
                  "ring": Circle((x, y), .001, side="both")}[shape]
        system = CollisionSystem.from_arrays([(chance.random(), chance.uniform(0, .4))], [(1, chance.uniform(5e-4, 2e-3))], 0.,
                                             box=Box(1, 1, True), obstacles=[target])
        before = -1.
        for _ in range(6):
            if not system.simulate(until=system.time + 20_000, max_events=1):
                break
            assert system.time > before + 1e-6
            before = system.time


def squeeze(seed):
    """Points between a surface that comes down and a wall, segment, block or surface that does not give way: the system, the
    height of the lower one at time 0, and its velocity."""
    chance = random.Random(seed)
    lower, upper = chance.choice(("wall", "segment", "block", "mover")), chance.choice(("segment", "polyline", "block", "line"))
    low, speed, tilt = 0. if lower == "wall" else .25, chance.choice((.25, .5, 1., 2.)), chance.choice((0, 0, .05))
    rises = .125 if lower == "mover" else 0.
    obstacles = []
    if lower in ("segment", "mover"):
        obstacles = [Segment((0, low), (1, low), velocity=(0, rises), temperature=chance.choice((None, .5)))]
    elif lower == "block":
        obstacles = [Polygon([(0, low - .1), (1, low - .1), (1, low), (0, low)])]
    y = low + .25
    come = {"velocity": (0, -speed)} | chance.choice(({}, {"temperature": .25, "accommodation": .5}))
    obstacles.append({"segment": lambda: Segment((-.5, y), (1.5, y + tilt), **come),
                      "line": lambda: Line((.5, y), (0, -1), **come),
                      "polyline": lambda: Polyline([(-.5, y), (.3, y), (1.5, y + tilt)], **come),
                      "block": lambda: Polygon([(-.5, y), (1.5, y + tilt), (1.5, y + .3), (-.5, y + .3)], **come)}[upper]())
    n = chance.choice((1, 2, 5))
    walls = {"bottom": Thermal(1.)} if chance.random() < .5 else None
    system = CollisionSystem.from_arrays(
        [(.4 + .04 * k, low + .1) for k in range(n)],
        [(chance.choice((0, .25)), chance.choice((1, -.5, 0))) for _ in range(n)], 0.,
        box=Box(1, 2), obstacles=obstacles, restitution={"wall": chance.choice((.5, .75)), "pair": 1}, seed=seed, walls=walls,
        gravity=chance.choice((None, None, (0, -1))))
    return system, low, rises


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(40, 400, 40))])
def test_points_that_are_squeezed_are_not_passed_through(first):
    """Contacts lose energy, so the surfaces come together within a few of them: the points are jammed. Nothing gets through."""
    jams = 0
    for seed in range(first, first + 40):
        system, low, rises = squeeze(seed)
        try:
            system.simulate(until=2, max_events=5000)
        except hdsim.JammedError as jam:
            jams += "is squeezed between" in str(jam)
        assert (system.positions[:, 1] >= low + rises * system.time - 1e-9).all(), seed
        assert not list(overlapping(system.box, dict(enumerate(system.obstacles)), system.time, system.positions,
                                    system.radii - 1e-9, np.zeros(len(system), int))), seed
        press = system.obstacles[-1]
        if isinstance(press, Polyline | Segment) and not isinstance(press, Polygon):
            xs, ys = np.transpose(press.points if isinstance(press, Polyline) else (press.start, press.end))
            above = system.positions[:, 1] - press.velocity[1] * system.time - np.interp(system.positions[:, 0], xs, ys)
            assert (above <= 1e-9).all(), seed
    assert jams > 20


def grazing(chance, shape, e):
    """A point that meets a surface at a small angle, or at e = 0 glides along it from its first contact on."""
    turn, sine = chance.uniform(0, 6.3), 10.**chance.uniform(-12, -.5)
    u, n = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))

    def place(along, height=0.):
        return .5 + along * u[0] + height * n[0], .5 + along * u[1] + height * n[1]

    if shape in ("circle", "arc"):
        near = turn + chance.uniform(.2, 1)
        at = .3 * (1 - sine * chance.random())
        x, v = (.5 + at * math.cos(near), .5 + at * math.sin(near)), (-math.sin(near) * .1, math.cos(near) * .1)
        ends = place(.3), place(-.3)
        side = chance.choice(("inside", "both"))
        return x, v, Circle((.5, .5), .3, side=side) if shape == "circle" else Arc((.5, .5), .3, *ends, side=side)
    x = place(chance.uniform(-.3, .2), sine * chance.uniform(.01, .3)) if e else place(.1, .002)
    v = [.1 * (a - (sine if e else 1) * b) for a, b in zip(u, n)]
    corners = {"segment": [(-.45,), (.45,)], "bend": [(-.45,), (0,), (.45, .02)], "wedge": [(-.45, .1), (.4,), (-.45,)],
               "block": [(-.3, -.2), (.3, -.2), (.4,), (-.4,)]}[shape]
    return x, v, (Polygon if shape == "block" else Polyline)([place(*corner) for corner in corners])


@pytest.mark.parametrize("e", [0, .5, 1])
@pytest.mark.parametrize("shape", ["segment", "bend", "wedge", "block", "circle", "arc"])
def test_points_that_graze_a_surface_lose_nothing_of_their_way(shape, e):
    """Rounding puts them across it by 10^-16. They were put back on their way, which is as long as this by the sine of the angle:
    those that glide lost up to all of it."""
    chance = random.Random(f"{shape} {e}")
    events = 0
    for _ in range(60):
        x, v, surface = grazing(chance, shape, e)
        try:
            system = CollisionSystem.from_arrays([x], [v], 0., obstacles=[surface], restitution={"wall": e, "pair": 1})
        except hdsim.OverlapError:      # it has just no room under the wedge
            continue
        began, (x,), (v,) = 0., system.positions, system.velocities
        with contextlib.suppress(hdsim.JammedError):
            for event in itertools.islice(system.events(until=20), 60):
                events += 1
                assert np.abs(system.positions[0] - x - v * (event.time - began)).max() < 1e-13
                began, (x,), (v,) = event.time, system.positions, system.velocities
    assert events > 60


def in_wedge(angle, turn, tilt, beside, velocity, **more):
    """A point that flies at the tip of a wedge, or this far beside it, at speed 1 as seen from there. angle: of the wedge, in
    degrees; turn: the direction in which it points; tilt: of the flight, from that direction."""
    half, back, flight = math.radians(angle) / 2, turn + math.pi, turn + tilt
    ends = [(.5 + .4 * math.cos(back + k), .5 + .4 * math.sin(back + k)) for k in (-half, half)]
    x = (.5 - .3 * math.cos(flight) - beside * math.sin(flight), .5 - .3 * math.sin(flight) + beside * math.cos(flight))
    wedge = Polyline([ends[0], (.5, .5), ends[1]], velocity=velocity)
    return CollisionSystem.from_arrays([x], [(math.cos(flight) + velocity[0], math.sin(flight) + velocity[1])], 0.,
                                       box=Box(1, 1, True), obstacles=[wedge, *more.pop("others", [])], **more)


SPECK = Segment((.05, .95), (.06, .96), velocity=(.01, 0))       # something else that moves


@pytest.mark.parametrize("angle", [90, 60, 30, 10, 1])
@pytest.mark.parametrize("speed", [0, .1, 1, 10, 1000])
def test_points_come_out_of_the_tip_of_a_wedge(angle, speed):
    """After 180 / angle contacts, backwards, wherever they have met the tip, at rest and moving. Some were told to be jammed
    there, beside a wedge at rest, too, if anything moved, and some left through the tip: rounding had put them off one face,
    and across the other one."""
    met = 0
    for turn, beside, heading in itertools.product((0, .7), (0, 1e-5, 1e-7, 1e-9, 1e-12, 1e-14, 1e-15), (0, 1, 2)):
        tilt = math.radians(angle) / 4 * (beside != 0)
        velocity = tuple(speed * u for u in ((1, 0), (0, 1), (-.6, .8))[heading])
        others = [SPECK] if speed == 0 and heading else []
        system = in_wedge(angle, turn, tilt, beside, velocity, others=others)
        back = -(system.velocities[0] - velocity)
        if angle == 60:             # an odd number of reflections
            back = -math.cos(turn - tilt), -math.sin(turn - tilt)
        contacts = sum(len(event.contacts) for event in system.events(until=.45))
        assert np.abs(system.velocities[0] - velocity - back).max() < 1e-11, (turn, beside, velocity)
        assert abs(contacts - 180 / angle) < .5 or beside == 0, (turn, beside, velocity)
        met += contacts
    assert met > 36 * 180 / angle


@pytest.mark.parametrize("velocity", [(0, 0), (.1, 0), (-600, 800)])
def test_points_stay_in_the_tip_of_a_wedge_when_the_origin_of_clocks_moves(velocity):
    """After 72 contacts, the first time, it moves, and points are put off what they are beside: off both faces."""
    for beside in (0, 1e-12, 1e-14, 1e-15):
        system = in_wedge(1, .7, math.radians(.25), beside, velocity)
        before = system.velocities[0] - velocity
        system.simulate(until=.45)
        assert np.abs(system.velocities[0] - velocity + before).max() < 1e-11, beside


def test_a_point_that_glides_into_the_corner_of_a_wedge_collapses_there():
    """Also if the wedge moves: as seen from it, nothing is different."""
    for velocity in ((0, 0), (.01, .005)):
        wedge = Polyline([(.1, .6), (.9, .5), (.1, .5)], velocity=velocity)
        system = CollisionSystem.from_arrays([(.6, .502)], [(.1 + velocity[0], -.1 + velocity[1])], 0., box=Box(1, 1, True),
                                             obstacles=[wedge], restitution={"wall": 0, "pair": 1})
        with pytest.raises(hdsim.CollapseError, match="^collapse: disc 0 would collide infinitely often by time 3, losing"):
            system.simulate(until=20)


def test_a_point_in_the_corner_of_a_needle_that_moves_is_told():
    """Its faces are so nearly parallel that no place between them near the tip is known."""
    system = in_wedge(1e-8, .7, 0, 0, (.1, .05))
    with pytest.raises(hdsim.JammedError, match="^jammed: disc 0 is in a corner of obstacle 0, which moves; no room is left"):
        system.simulate(until=1)
