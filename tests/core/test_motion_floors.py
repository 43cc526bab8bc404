"""The floors that say how discs move and what they touch (disc, box, law, boundary), against fractions and symmetries."""
import itertools
import math
from fractions import Fraction

import pytest

EPSILON = 2.**-52
LEFT, RIGHT, BOTTOM, TOP = -4, -3, -2, -1
SWAPPED = {LEFT: BOTTOM, RIGHT: TOP, BOTTOM: LEFT, TOP: RIGHT}      # the wall that a wall becomes when x and y are swapped
MIRRORED = {LEFT: RIGHT, RIGHT: LEFT}                               # when x becomes width - x


def disc(x, y, vx, vy, t=0., radius=0., mass=1.):
    return {"x": x, "y": y, "vx": vx, "vy": vy, "t": t, "radius": radius, "mass": mass, "wrap": {"x": 0, "y": 0}}


def any_disc(draw, mass=1.):
    """With all the digits of a double, near a box of size 1."""
    x, y, vx, vy = (draw.uniform(-1, 1) for _ in range(4))
    return disc(x, y, vx, vy, draw.uniform(-2, 2), draw.uniform(.01, .1), mass)


def swapped(d):
    """The disc with x and y swapped."""
    return {**d, "x": d["y"], "y": d["x"], "vx": d["vy"], "vy": d["vx"]}


def short(draw):
    """A number with so few digits that products and sums of such numbers are exact."""
    return draw.randint(-2**14, 2**14) / 2**10


# disc

def test_a_disc_at_its_own_clock_is_where_it_is_stored(probe, draw):
    """To the last bit, at any clock and speed; streaming by no time changes the clock alone."""
    for _ in range(200):
        d = any_disc(draw)
        d["vx"], d["t"] = d["vx"] * 2.**draw.randint(-60, 60), d["t"] * 2.**draw.randint(-60, 60)
        assert (probe.x_at(d, d["t"]), probe.y_at(d, d["t"])) == (d["x"], d["y"])
        assert probe.stream(d, 0., 7.) == {**d, "t": 7.}


def test_flight_is_linear(probe, draw):
    """Exactly where the arithmetic is exact, in one flight or in two; else within the roundings of three operations."""
    for _ in range(300):
        x, y, vx, vy, t, dt, more = (short(draw) for _ in range(7))
        d = disc(x, y, vx, vy, t)
        assert (probe.x_at(d, t + dt), probe.y_at(d, t + dt)) == (x + vx * dt, y + vy * dt)
        there = probe.stream(d, dt, t + dt)
        assert there == {**d, "x": x + vx * dt, "y": y + vy * dt, "t": t + dt}
        assert probe.x_at(there, t + dt + more) == probe.x_at(d, t + dt + more)
        d, clock = any_disc(draw), draw.uniform(-9, 9)
        way = Fraction(d["vy"]) * (Fraction(clock) - Fraction(d["t"]))
        assert abs(Fraction(probe.y_at(d, clock)) - Fraction(d["y"]) - way) <= EPSILON * (abs(d["y"]) + 2 * abs(way))


def test_flight_keeps_its_bits_in_the_mirror(probe, draw):
    """Negated coordinates and velocities fly negated; with x and y swapped, x is where y was."""
    for _ in range(200):
        d, clock = any_disc(draw), draw.uniform(-9, 9)
        mirrored = {**d, "x": -d["x"], "vx": -d["vx"]}
        assert probe.x_at(mirrored, clock) == -probe.x_at(d, clock) and probe.y_at(mirrored, clock) == probe.y_at(d, clock)
        assert probe.x_at(swapped(d), clock) == probe.y_at(d, clock)


def test_the_speed_is_the_length_of_the_velocity(probe, draw):
    for _ in range(200):
        d = any_disc(draw)
        assert probe.speed_of(d) == pytest.approx(math.hypot(d["vx"], d["vy"]), rel=2 * EPSILON)


# box

@pytest.mark.parametrize("periodic", [*itertools.product([False, True], repeat=2)], ids=["walls", "in y", "in x", "in both"])
def test_a_box_holds_its_sides(probe, periodic):
    """Lengths, periodic axes and their inverse lengths; swapped axes give the swapped box."""
    box = probe.make_box(4., .5, *periodic)
    assert [probe.along(box, axis) for axis in (0, 1)] == [(4., periodic[0]), (.5, periodic[1])]
    assert (box["per_width"], box["per_height"]) == (periodic[0] * .25, periodic[1] * 2.)
    assert 1e6 * math.ulp(4.) < box["slack"] < 1e-6 * 4.
    other = probe.make_box(.5, 4., *periodic[::-1])
    assert other == {"width": .5, "height": 4., "per_width": box["per_height"], "per_height": box["per_width"],
                     "slack": box["slack"], "periodic_x": periodic[1], "periodic_y": periodic[0]}


def coordinates(draw, length):
    """Numbers to wrap: at and beside multiples of the length, next to 0, and random ones up to 2^50 lengths away."""
    multiples = [k * length for k in (-2.**50, -1e6, -7., -3., -1., 0., 1., 2., 3., 10., 1e6, 2.**50)]
    yield from multiples
    yield from (math.nextafter(x, towards) for x in multiples for towards in (-math.inf, math.inf))
    yield from (sign * length * 2.**-power for sign in (-1, 1) for power in (1, 52, 53, 54, 300, 1000))
    yield from (length * draw.uniform(-1, 1) * 2.**draw.randint(-60, 50) for _ in range(60))


def test_wrapped_coordinates_lie_in_the_box(probe, draw):
    """In [0, length), and x minus the turns within one rounding of the larger of x and length; what is in the box stays."""
    for _ in range(100):
        length = draw.uniform(.5, 1) * 2.**draw.randint(-20, 20)
        for x in coordinates(draw, length):
            inside, turns = probe.wrapped(x, length)
            assert 0. <= inside < length
            assert abs(Fraction(x) - turns * Fraction(length) - Fraction(inside)) <= math.ulp(max(abs(x), length))
            assert not 0. <= x < length or (inside, turns) == (x, 0)


def test_coordinates_too_large_for_their_length_are_wrapped_into_the_box(probe, draw):
    """Where neighbouring doubles are several lengths apart, as for a disc that has flown far in one flight."""
    for _ in range(300):
        length = draw.uniform(.5, 1)
        inside, _ = probe.wrapped(draw.uniform(-1, 1) * 2.**draw.randint(53, 62), length)
        assert 0. <= inside < length


def test_wrapping_keeps_its_bits_under_scaling(probe, draw):
    """Lengths times a power of two."""
    for x in coordinates(draw, .7):
        inside, turns = probe.wrapped(x, .7)
        for power in (-40, 3, 40):
            assert probe.wrapped(x * 2.**power, .7 * 2.**power) == (inside * 2.**power, turns)


# law

def test_sizes_of_discs(probe, draw):
    """Constant, or linear in the clock; a moved origin changes the clock of a size, not the size."""
    constant = probe.constant_size()
    assert not probe.is_growing(constant) and probe.may_use_vectors(constant)
    assert probe.law_rebase(constant, 5.) == constant
    for _ in range(100):
        size, growth, clock, more = draw.uniform(0, .5), draw.uniform(1e-3, 1), draw.uniform(-1, 1), draw.uniform(-1, 1)
        growing = probe.growing_size(size, growth)
        assert probe.is_growing(growing) and not probe.may_use_vectors(growing)
        assert probe.size_at(constant, clock) == 1. and probe.size_at(growing, 0.) == size
        exact = Fraction(size) + Fraction(growth) * Fraction(clock)
        assert abs(Fraction(probe.size_at(growing, clock)) - exact) <= 2 * EPSILON
        moved = probe.law_rebase(growing, clock)
        assert probe.size_at(moved, more) == pytest.approx(probe.size_at(growing, clock + more), abs=4 * EPSILON)


def approaching(draw, a, mass=1.):
    """(b, speed): a disc with a clock of its own that will hit disc a, at most 0.7 contact distances off centre, and their
    relative speed. At the later of their clocks they are at least 2 contact distances apart."""
    b = {**any_disc(draw, mass), "radius": draw.uniform(.01, .1)}
    contact, angle, aside = a["radius"] + b["radius"], draw.uniform(0, 7), draw.uniform(-.7, .7)
    normal, tangent = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    distance, speed = contact * draw.uniform(2, 30), draw.uniform(.1, 2)
    late = max(a["t"], b["t"])
    for x, n, m in zip("xy", normal, tangent):
        b["v" + x] = a["v" + x] - speed * n
        there = a[x] + a["v" + x] * (late - a["t"]) + distance * n + aside * contact * m
        b[x] = there - b["v" + x] * (late - b["t"])
    return b, speed


LAWS = {"constant": (1., 0.), "growing": (.8, .02)}     # size at clock 0, growth


@pytest.fixture(params=LAWS)
def law(request, probe):
    size, growth = LAWS[request.param]
    return probe.growing_size(size, growth) if growth else probe.constant_size()


def distance_at(a, b, t):
    """Of the centres at clock t: each coordinate in fractions, and only then rounded."""
    def at(d, x):
        return Fraction(d[x]) + Fraction(d["v" + x]) * (Fraction(t) - Fraction(d["t"]))
    return math.hypot(*(float(at(b, x) - at(a, x)) for x in "xy"))


def test_at_their_contact_time_two_discs_touch(probe, draw, law):
    """The distance of their centres is the sum of the radii that they have then, and was larger before."""
    for _ in range(500):
        a = any_disc(draw)
        b, speed = approaching(draw, a)
        t = probe.contact_time(law, a, b, 0., 0.)
        contact = a["radius"] + b["radius"]
        assert max(a["t"], b["t"]) < t < math.inf
        assert distance_at(a, b, t) == pytest.approx(contact * probe.size_at(law, t), rel=1e-12)
        before = t - 1e-4 * contact / speed
        assert distance_at(a, b, before) > contact * probe.size_at(law, before)


def test_contact_times_are_symmetric_to_the_last_bit(probe, draw, law):
    """In the two discs, also of an image; in the axes; and in the mirror."""
    for _ in range(500):
        a = any_disc(draw)
        b, _ = approaching(draw, a)
        offset_x, offset_y = draw.choice([(0., 0.), (1., 0.), (0., -.75), (-1., .75)])
        b["x"], b["y"] = b["x"] - offset_x, b["y"] - offset_y
        t = probe.contact_time(law, a, b, offset_x, offset_y)
        assert max(a["t"], b["t"]) < t < math.inf
        assert t == probe.contact_time(law, b, a, -offset_x, -offset_y)
        assert t == probe.contact_time(law, swapped(a), swapped(b), offset_y, offset_x)
        mirrored = ({**d, "x": -d["x"], "vx": -d["vx"]} for d in (a, b))
        assert t == probe.contact_time(law, *mirrored, -offset_x, offset_y)


def test_contact_times_of_constant_discs_are_those_of_pair(probe, draw):
    """At equal clocks; at different ones the disc that is behind flies to the clock of the other first."""
    constant = probe.constant_size()
    for _ in range(300):
        a, b = any_disc(draw), any_disc(draw)
        late = max(a["t"], b["t"])
        at_once = [{**d, "x": probe.x_at(d, late), "y": probe.y_at(d, late), "t": 0.} for d in (a, b)]
        x, y, vx, vy = (at_once[1][name] - at_once[0][name] for name in ("x", "y", "vx", "vy"))
        time = probe.time_to_disc(x + 2., y, vx, vy, a["radius"] + b["radius"])
        assert probe.contact_time(constant, *at_once, 2., 0.) == time
        assert probe.contact_time(constant, a, b, 2., 0.) == late + time


def test_slowly_growing_discs_touch_a_little_earlier(probe, draw):
    """Earlier by a time proportional to the growth, which goes to zero with it."""
    constant = probe.constant_size()
    for _ in range(200):
        a = {**any_disc(draw), "t": 0.}
        b, speed = approaching(draw, a)
        b = probe.stream(b, -b["t"], 0.)
        time = probe.contact_time(constant, a, b, 0., 0.)
        # The surfaces are nearer by growth * time * contact; the centres approach at 0.7 of the speed or more.
        most = time * (a["radius"] + b["radius"]) / (.7 * speed)
        for growth in (1e-3, 1e-6, 1e-9):
            earlier = time - probe.contact_time(probe.growing_size(1., growth), a, b, 0., 0.)
            assert .3 * growth * most < earlier < 1.1 * growth * most + 1e-13 * (1 + time)


def test_discs_that_never_touch(probe, draw, law):
    """Two of infinite mass, points, and a disc and its own image; with one finite mass or radius they would."""
    a = any_disc(draw)
    b, _ = approaching(draw, a)
    fixed = [{**d, "mass": math.inf} for d in (a, b)]
    points = [{**d, "radius": 0.} for d in (a, b)]
    assert probe.contact_time(law, *fixed, 0., 0.) == math.inf == probe.contact_time(law, *points, 0., 0.)
    assert probe.contact_time(law, fixed[0], b, 0., 0.) == probe.contact_time(law, a, b, 0., 0.) < math.inf
    assert probe.contact_time_with_itself(law, a, 1., 0.) == math.inf


def touching(draw, probe, law, mass_1, mass_2):
    """(dx, dy, a, b, clock): two discs that approach, at the distance of their contact."""
    a = any_disc(draw, mass_1)
    b, _ = approaching(draw, a, mass_2)
    clock = draw.uniform(0, 5)
    angle, distance = draw.uniform(0, 7), (a["radius"] + b["radius"]) * probe.size_at(law, clock)
    dx, dy = distance * math.cos(angle), distance * math.sin(angle)
    sign = math.copysign(1, dx * (b["vx"] - a["vx"]) + dy * (b["vy"] - a["vy"]))
    return -sign * dx, -sign * dy, a, b, clock


def momentum(*discs):
    """Of discs of finite mass, as a pair of fractions."""
    return [sum(Fraction(d["mass"]) * Fraction(d[v]) for d in discs) for v in ("vx", "vy")]


MASSES = {"equal": (2., 2.), "different": (.7, 3.), "first fixed": (math.inf, 3.), "second fixed": (2., math.inf)}


@pytest.mark.parametrize("mass_1, mass_2", MASSES.values(), ids=MASSES)
def test_a_bounce_turns_the_closing_speed_round(probe, draw, law, mass_1, mass_2):
    """It changes sign and keeps its size; momentum is conserved, each disc gets the impulse along the line of the centres, and
    a disc of infinite mass keeps its velocity."""
    for _ in range(300):
        dx, dy, a, b, t = touching(draw, probe, law, mass_1, mass_2)
        speed = probe.closing_speed(law, a, b, dx, dy, t)
        impulse, a_after, b_after = probe.bounce_pair(law, dx, dy, a, b)
        assert speed > 0 < impulse
        assert probe.closing_speed(law, a_after, b_after, dx, dy, t) == pytest.approx(-speed, abs=1e-14)
        for before, after, sign in ((a, a_after, -1), (b, b_after, 1)):
            kick = [0., 0.] if before["mass"] == math.inf else [sign * impulse / before["mass"] * d for d in (dx, dy)]
            assert [after["vx"], after["vy"]] == pytest.approx([before["vx"] + kick[0], before["vy"] + kick[1]], abs=1e-14)
            assert {**after, "vx": 0, "vy": 0} == {**before, "vx": 0, "vy": 0}
        if math.inf not in (mass_1, mass_2):
            for before, after in zip(momentum(a, b), momentum(a_after, b_after)):
                assert abs(after - before) <= 8 * EPSILON * (mass_1 + mass_2)


@pytest.mark.parametrize("mass_1, mass_2", MASSES.values(), ids=MASSES)
def test_a_bounce_does_not_depend_on_which_disc_comes_first(probe, draw, law, mass_1, mass_2):
    """Nor on which axis is x: the same velocities to the last bit."""
    for _ in range(200):
        dx, dy, a, b, t = touching(draw, probe, law, mass_1, mass_2)
        impulse, a_after, b_after = probe.bounce_pair(law, dx, dy, a, b)
        assert probe.bounce_pair(law, -dx, -dy, b, a) == (impulse, b_after, a_after)
        assert probe.bounce_pair(law, dy, dx, swapped(a), swapped(b)) == (impulse, swapped(a_after), swapped(b_after))
        assert probe.closing_speed(law, a, b, dx, dy, t) == probe.closing_speed(law, b, a, -dx, -dy, t)


def test_a_bounce_of_constant_discs_conserves_energy(probe, draw):
    """And one of growing discs gains some."""
    def energy(*discs):
        return sum(Fraction(d["mass"]) * (Fraction(d["vx"])**2 + Fraction(d["vy"])**2) / 2 for d in discs)
    constant, growing = probe.constant_size(), probe.growing_size(.5, .02)
    for _ in range(200):
        dx, dy, a, b, _ = touching(draw, probe, constant, .7, 3.)
        before = energy(a, b)
        assert abs(energy(*probe.bounce_pair(constant, dx, dy, a, b)[1:]) / before - 1) <= 8 * EPSILON
        dx, dy, a, b, _ = touching(draw, probe, growing, .7, 3.)
        assert energy(*probe.bounce_pair(growing, dx, dy, a, b)[1:]) > energy(a, b) * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize("mass", [1.5, math.inf], ids=["finite mass", "infinite mass"])
def test_a_wall_turns_the_closing_speed_round(probe, draw, law, mass):
    """Of the surface of a disc; the velocity along the wall keeps its bits. A disc of infinite mass exchanges no impulse."""
    for normal in ((-1., 0.), (1., 0.), (0., -1.), (0., 1.)):
        across, along = ("vx", "vy") if normal[0] else ("vy", "vx")
        for _ in range(50):
            d = any_disc(draw, mass)
            d[across] = math.copysign(d[across], sum(normal))
            speed = probe.closing_speed_with_wall(law, d, *normal)
            impulse, after = probe.bounce_wall(law, *normal, d)
            assert speed > 0 and {**after, across: 0} == {**d, across: 0}
            assert probe.closing_speed_with_wall(law, after, *normal) == pytest.approx(-speed, abs=4 * EPSILON)
            assert impulse == (pytest.approx(mass * abs(after[across] - d[across]), rel=1e-14) if mass < math.inf else 0.)


# boundary

def all_walls(probe, width, height, periodic=(False, False)):
    """{number: wall}"""
    return {wall["number"]: wall for wall in probe.walls(probe.make_box(width, height, *periodic))}


@pytest.mark.parametrize("periodic, numbers", [((False, False), [LEFT, RIGHT, BOTTOM, TOP]), ((True, False), [BOTTOM, TOP]),
                                               ((False, True), [LEFT, RIGHT]), ((True, True), [])],
                         ids=["walls", "in x", "in y", "in both"])
def test_axes_that_are_not_periodic_have_two_walls(probe, periodic, numbers):
    """In the order of their numbers, by which each is found."""
    box = probe.make_box(2., 1.5, *periodic)
    walls = probe.walls(box)
    assert [wall["number"] for wall in walls] == numbers
    assert [probe.wall_numbered(box, number) for number in numbers] == walls


def test_a_disc_comes_nearer_to_a_wall_along_its_normal(probe, draw):
    """Its gap is what it flies until it touches, the speed towards the wall is that along the normal, and larger discs are
    nearer. Exact, as all numbers are short."""
    ends = {LEFT: (0., 0.), RIGHT: (2., 0.), BOTTOM: (0., 0.), TOP: (0., 1.5)}
    for number, wall in all_walls(probe, 2., 1.5).items():
        nx, ny = wall["normal"]
        centre = (1., .75)
        assert nx * nx + ny * ny == 1 and probe.wall_gap(wall, *centre, 0.) > 0      # it points out of the box
        assert wall["offset"] == nx * ends[number][0] + ny * ends[number][1]
        for _ in range(100):
            x, y, vx, vy, radius, way = (short(draw) for _ in range(6))
            gap = probe.wall_gap(wall, x, y, radius)
            assert gap == nx * (ends[number][0] - x) + ny * (ends[number][1] - y) - radius
            assert probe.wall_gap(wall, x + way * nx, y + way * ny, radius) == gap - way
            assert probe.wall_gap(wall, x + way * ny, y + way * nx, radius) == gap       # along the wall
            assert probe.wall_gap(wall, x, y, radius + way) == gap - way
            assert probe.wall_approach(wall, vx, vy) == nx * vx + ny * vy


def exact_wall_time(wall, d, size, growth):
    """(clock, speed): when the surface of a disc comes to a wall, and how fast, in fractions; None if never."""
    axis = "x" if wall["normal"][0] else "y"
    sign = Fraction(sum(wall["normal"]))
    x, v, t, radius = (Fraction(d[name]) for name in (axis, "v" + axis, "t", "radius"))
    speed = sign * v + radius * Fraction(growth)
    gap = Fraction(wall["offset"]) - sign * x - radius * (Fraction(size) + Fraction(growth) * t)
    return (t + max(gap, 0) / speed, speed) if speed > 0 else (None, speed)


@pytest.mark.parametrize("kind", LAWS)
def test_wall_times_are_those_of_fractions(probe, draw, kind):
    """Within the roundings of the gap, divided by the speed; also of discs that overlap the wall, and of those that grow into
    one that they leave slowly."""
    size, growth = LAWS[kind]
    law = probe.growing_size(size, growth) if growth else probe.constant_size()
    never = overtaken = at_once = 0
    for wall in all_walls(probe, .9, .7).values():
        across = "vx" if wall["normal"][0] else "vy"
        for _ in range(300):
            d = any_disc(draw)
            d[across] *= draw.choice([1., 1e-3])
            exact, speed = exact_wall_time(wall, d, size, growth)
            found = probe.wall_time(wall, law, d)
            never += exact is None
            overtaken += exact is not None and probe.wall_approach(wall, d["vx"], d["vy"]) < 0
            at_once += found == d["t"]
            assert found == math.inf if exact is None else abs(Fraction(found) - exact) <= 8 * EPSILON * (1 / speed + abs(exact))
    assert never > 100 and at_once > 50 and (overtaken > 50) == (growth > 0)


def test_walls_keep_their_times_in_the_mirror(probe, draw, law):
    """x -> width - x gives the time of the opposite wall within the roundings of x; swapped axes give the same bits."""
    finite = 0
    walls, other = all_walls(probe, .9, .7), all_walls(probe, .7, .9)
    for number, wall in walls.items():
        for _ in range(200):
            d = any_disc(draw)
            time = probe.wall_time(wall, law, d)
            assert time == probe.wall_time(other[SWAPPED[number]], law, swapped(d))
            mirrored = {**d, "x": .9 - d["x"], "vx": -d["vx"]}
            speed = abs(d["vx"] if number in MIRRORED else d["vy"])
            assert probe.wall_time(walls[MIRRORED.get(number, number)], law, mirrored) == pytest.approx(
                time, rel=8 * EPSILON, abs=16 * EPSILON / speed)
            finite += time < math.inf
    assert finite > 300


@pytest.mark.parametrize("periodic", [*itertools.product([False, True], repeat=2)], ids=["walls", "in y", "in x", "in both"])
def test_a_wall_is_near_that_is_within_reach(probe, draw, periodic):
    """By the distances from all sides; at exactly the reach it is. The wall that is excepted does not count."""
    box, near = probe.make_box(2., 1.5, *periodic), set()
    for _ in range(500):
        x, y, reach = draw.randint(0, 16) / 8, draw.randint(0, 12) / 8, draw.randint(0, 8) / 8
        distances = {} if periodic[0] else {LEFT: x, RIGHT: 2. - x}
        distances |= {} if periodic[1] else {BOTTOM: y, TOP: 1.5 - y}
        for but in (0, LEFT, RIGHT, BOTTOM, TOP):
            found = probe.is_near_wall(box, x, y, reach, but)
            assert found == any(distance <= reach for number, distance in distances.items() if number != but)
            near.add(found)
    assert near == ({False} if all(periodic) else {False, True})
