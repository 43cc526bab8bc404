"""The floors compiled for three axes: against fractions and decimals, in the symmetries of the cube, and in planes."""
import itertools
import math
from fractions import Fraction

import pytest
from exact_pairs import after_bounce, along, contact_time

EPSILON = 2.**-52
LEFT, RIGHT, BOTTOM, TOP, BACK, FRONT = range(-6, 0)
ORDERS = [*itertools.permutations(range(3))]
SYMMETRIES = [(order, signs) for order in ORDERS for signs in itertools.product((1., -1.), repeat=3)]     # of the cube
PLANES = [(0, 1), (0, 2), (1, 2)]


def turned(symmetry, vector):
    """The vector after a symmetry of the cube."""
    return [sign * vector[axis] for axis, sign in zip(*symmetry)]


def in_plane(plane, x, y):
    """The vector of the plane of two axes that has these components."""
    vector = [0., 0., 0.]
    vector[plane[0]], vector[plane[1]] = x, y
    return vector


def scaled(factor, vector):
    return [factor * x for x in vector]


def plus(a, b, factor=1.):
    """a + factor b"""
    return [x + factor * y for x, y in zip(a, b)]


def wide(draw, count, decades):
    """Doubles of any sign with all their digits, over so many decades."""
    return [draw.choice((-1, 1)) * 10**draw.uniform(-decades / 2, decades / 2) for _ in range(count)]


def direction(draw):
    """A random unit vector, to rounding."""
    vector = [draw.gauss(0, 1) for _ in range(3)]
    return scaled(1 / math.hypot(*vector), vector)


def triples(draw):
    """Numbers to sum: over twelve decades, round decimals, and ties of magnitude."""
    for _ in range(8000):
        yield wide(draw, 3, 12)
    for _ in range(2000):
        yield [draw.randint(-30, 30) / 10 for _ in range(3)]
    for signs, sizes in itertools.product(itertools.product((1, -1), repeat=3),
                                          ((.1, .1, .1), (.1, .1, .3), (.3, .1, .3), (1, .7, .3))):
        yield [sign * size for sign, size in zip(signs, sizes)]


# sums

def test_sums_of_three_do_not_depend_on_the_order(probe3, draw):
    """Nor does what they leave out; they are odd, keep powers of two, and lie within two roundings of the exact sum."""
    for a in triples(draw):
        total, (exact, error) = probe3.total(a), probe3.exact_total(*a)
        assert exact == total and {probe3.total([a[k] for k in order]) for order in ORDERS} == {total}
        assert {probe3.exact_total(*(a[k] for k in order)) for order in ORDERS} == {(exact, error)}
        assert probe3.total(scaled(-1, a)) == -total and probe3.exact_total(*scaled(-1, a)) == (-exact, -error)
        assert all(probe3.total(scaled(2.**power, a)) == 2.**power * total for power in (-300, 7, 300))
        left = sum(map(Fraction, a)) - Fraction(total)
        assert abs(left - Fraction(error)) <= EPSILON / 2 * abs(Fraction(error))


def test_plain_sums_would_depend_on_the_order(draw):
    """So the test above can fail."""
    assert sum(len({(a[i] + a[j]) + a[k] for i, j, k in ORDERS}) > 1 for a in triples(draw)) > 800


def test_sums_with_a_zero_are_those_of_two_axes(probe, probe3, draw):
    """Wherever the zero stands, and of either sign."""
    for a, b, _ in triples(draw):
        for zero in (0., -0.):
            for three in ([zero, a, b], [b, zero, a], [a, b, zero]):
                assert probe3.total(three) == a + b and probe3.exact_total(*three) == probe.exact_sum(a, b)


def test_products_of_vectors_are_sums_of_three(probe3, draw):
    """Scalar products, squares and magnitudes keep their bits in all symmetries of the cube."""
    for _ in range(300):
        a, b = wide(draw, 3, 12), wide(draw, 3, 12)
        found = [probe3.dot(a, b), probe3.square(a), probe3.span_of(a), probe3.largest_of(a)]
        assert found == [probe3.total([x * y for x, y in zip(a, b)]), probe3.total([x * x for x in a]),
                         probe3.total([*map(abs, a)]), max(map(abs, a))]
        for symmetry in SYMMETRIES:
            one, other = turned(symmetry, a), turned(symmetry, b)
            assert [probe3.dot(one, other), probe3.square(one), probe3.span_of(one), probe3.largest_of(one)] == found


# when two spheres touch

def meetings(draw, count):
    """(d, dv, contact): spheres far away, near, or nearly touching, that aim at each other, beside, or at the edge."""
    for _ in range(count):
        normal, contact = direction(draw), 10**draw.uniform(-2, 2)
        d = scaled(contact * (1 + 10**draw.uniform(-3, 7)), normal)
        tangent = direction(draw)
        tangent = plus(tangent, normal, -along(tangent, normal))
        aside = draw.choice([draw.uniform(-1.2, 1.2), draw.uniform(.999, 1.001)]) * contact / math.hypot(*tangent)
        aim = plus(scaled(-1, d), tangent, aside)
        yield d, scaled(10**draw.uniform(-2, 2) / math.hypot(*d), aim), contact


@pytest.mark.sample(2)
@pytest.mark.parametrize("length, speed", [(1., 1.), (1e-150, 1.), (1e150, 1.), (1e-150, 1e150), (1e140, 1e-150), (1., 1e-150)])
def test_times_to_meet_are_those_of_sixty_digits(probe3, draw, length, speed):
    """Also of small spheres far away, of nearly touching and of grazing ones, in units that no fourth power of a double has."""
    hits = grazes = 0
    for d, dv, contact in meetings(draw, 2000):
        d, dv, contact = scaled(length, d), scaled(speed, dv), length * contact
        exact, condition = contact_time(d, dv, contact)
        found = probe3.time_to_meet(d, dv, contact)
        grazes += condition > 1e3
        if exact is None or found == math.inf:
            assert exact is None and found == math.inf or condition > 1e12
            continue
        hits += 1
        assert abs(found / float(exact) - 1) < 16 * EPSILON * condition
    assert hits > 1000 and grazes > 100


def test_times_to_meet_keep_their_bits(probe3, draw):
    """In all symmetries of the cube, with the spheres swapped, and in units that are powers of two."""
    hits = 0
    for d, dv, contact in meetings(draw, 400):
        time = probe3.time_to_meet(d, dv, contact)
        assert {probe3.time_to_meet(turned(s, d), turned(s, dv), contact) for s in SYMMETRIES} == {time}
        assert probe3.time_to_meet(scaled(-1, d), scaled(-1, dv), contact) == time
        for power in (-450, -20, 30, 450):
            scale = 2.**power
            assert probe3.time_to_meet(scaled(scale, d), scaled(scale, dv), scale * contact) == time
            assert probe3.time_to_meet(scaled(scale, d), dv, scale * contact) == scale * time
        if 0. < time < math.inf:
            hits += 1
            assert probe3.time_to_meet_rescaled(d, dv, contact) == time
        growing = probe3.time_to_meet_growing(d, dv, contact, .1)
        assert {probe3.time_to_meet_growing(turned(s, d), turned(s, dv), contact, .1) for s in SYMMETRIES} == {growing}
    assert hits > 200


def test_times_to_meet_in_a_plane_are_those_of_discs(probe, probe3, draw):
    """To the last bit, in each of three planes; of growing ones too, and of `time_to_disc` with three axes."""
    hits = 0
    for d, dv, contact in meetings(draw, 2000):
        (dx, dy, _), (dvx, dvy, _) = d, dv
        contact *= draw.choice([1., .3, .5 * math.hypot(dx, dy) / contact])
        time, growing = (probe.time_to_disc(dx, dy, dvx, dvy, contact), probe.time_to_growing_disc(dx, dy, dvx, dvy, contact, .2))
        hits += 0 < time < math.inf
        assert probe3.time_to_disc(dx, dy, dvx, dvy, contact) == time
        for plane in PLANES:
            r, v = in_plane(plane, dx, dy), in_plane(plane, dvx, dvy)
            assert probe3.time_to_meet(r, v, contact) == time
            assert probe3.time_to_meet_growing(r, v, contact, .2) == growing
    assert hits > 500


@pytest.mark.parametrize("d, dv, contact, time", [
    ((1, 1, 1), (1, 1, 1), .5, math.inf), ((1, 1, 1), (0, 0, 0), .5, math.inf), ((1, 2, 2), (-1, -2, -2), 0, math.inf),
    ((1, 2, 2), (-1, -2, -2), 3, 0), ((.5, .5, .5), (-1, 0, 0), 1, 0), ((2, 1, 0), (-1, 0, 0), 1, math.inf),
    ((2, .6, .8), (-1, 0, 0), 1, math.inf), ((2, 4, 4), (-1, -2, -2), 3, 1), ((3, .2, .2), (-1, 0, 0), .3, 2.9)],
    ids=["apart", "at rest", "points", "touching", "overlapping", "graze", "graze off the axes", "head-on", "round decimals"])
def test_times_to_meet_of_special_cases(probe3, d, dv, contact, time):
    assert probe3.time_to_meet(d, dv, contact) == pytest.approx(time, rel=4 * EPSILON)


def test_times_to_meet_of_growing_spheres(probe3, draw):
    """Those of sixty digits, too."""
    hits = 0
    for _ in range(3000):
        d, dv = wide(draw, 3, 1), wide(draw, 3, 1)
        contact, rate = draw.uniform(.1, .9) * math.hypot(*d), draw.uniform(0, .5)
        exact, condition = contact_time(d, dv, contact, rate)
        if exact is not None:
            hits += 1
            assert probe3.time_to_meet_growing(d, dv, contact, rate) == pytest.approx(
                float(exact), rel=1e-14 * condition * (1 + math.hypot(*d) * math.hypot(*dv) / contact))
    assert hits > 300


# how they part

def bounces(draw, count, grazing=False):
    """(d, v_1, v_2) of approaching spheres; grazing ones approach by a few of the last digits."""
    found = 0
    while found < count:
        d, v_1, v_2 = (wide(draw, 3, 2) for _ in range(3))
        if grazing:
            d = draw.choice([d, [d[0], -d[0], d[2]], [d[0]] * 3])       # also with several largest components
            v_2 = plus(v_1, d, -along(d, plus(v_1, v_2, -1)) / along(d, d) + draw.uniform(-1e-15, 1e-15))
            v_2 = plus(v_2, [draw.choice((0., 1e-16)) * x for x in d])
            v_2 = plus(v_1, plus(v_2, v_1, -1), draw.choice((1., 1e-15)))
        if along(d, plus(v_2, v_1, -1)) < (0 if grazing else -1e-3 * math.hypot(*d)):
            found += 1
            yield d, v_1, v_2


MASSES = {"equal": (1.3, 1.3), "different": (.7, 2.9), "extreme": (1.3, 1.3e12), "second fixed": (1.3, math.inf),
          "first fixed": (math.inf, .4)}


@pytest.mark.parametrize("mass_1, mass_2", MASSES.values(), ids=MASSES)
def test_velocities_after_a_bounce_are_rounded_once(probe3, draw, mass_1, mass_2):
    """Within one unit in the last place of the exact ones, so energy and momentum are kept to the last digits; what is fixed
    keeps its velocity."""
    for d, v_1, v_2 in bounces(draw, 500):
        impulse, one, other = probe3.bounce(d, v_1, mass_1, v_2, mass_2)
        push, exact_1, exact_2 = after_bounce(d, v_1, mass_1, v_2, mass_2)
        assert impulse == pytest.approx(float(push), rel=8 * EPSILON)
        for found, exact in zip(one + other, exact_1 + exact_2):
            assert abs(Fraction(found) - exact) <= Fraction(math.ulp(float(exact))) + Fraction(1, 2**90)
        assert probe3.dot(d, plus(other, one, -1)) >= 0
        if math.inf in (mass_1, mass_2):
            assert (one == v_1) if mass_1 == math.inf else (other == v_2)


def test_bounces_conserve_energy_and_momentum(probe3, draw):
    """Without a drift: over many bounces the errors are of both signs."""
    more = 0
    for d, v_1, v_2 in bounces(draw, 1000):
        before, (_, *after) = (v_1, v_2), probe3.bounce(d, v_1, .7, v_2, 2.9)
        energies = [sum(Fraction(m) * along(v, v) for m, v in zip((.7, 2.9), ([*map(Fraction, v)] for v in pair)))
                    for pair in (before, after)]
        assert abs(energies[1] / energies[0] - 1) < 4 * EPSILON
        more += energies[1] > energies[0]
        for one, other, new, newer in zip(*before, *after):
            change = Fraction(.7) * (Fraction(new) - Fraction(one)) + Fraction(2.9) * (Fraction(newer) - Fraction(other))
            assert abs(change) <= 4 * EPSILON * 2.9 * max(map(abs, (one, other, new, newer)))
    assert 350 < more < 650


@pytest.mark.parametrize("grazing", [False, True], ids=["head-on", "grazing"])
@pytest.mark.parametrize("mass_1, mass_2", MASSES.values(), ids=MASSES)
def test_bounces_keep_their_bits(probe3, draw, mass_1, mass_2, grazing):
    """In all symmetries of the cube, with the spheres swapped, in units of powers of two; after it none approach."""
    parted = 0
    for d, v_1, v_2 in bounces(draw, 60, grazing):
        parted += probe3.dot(d, plus(v_2, v_1, -1)) < 0
        impulse, one, other = probe3.bounce(d, v_1, mass_1, v_2, mass_2)
        assert probe3.dot(d, plus(other, one, -1)) >= 0
        assert probe3.bounce(scaled(-1, d), v_2, mass_2, v_1, mass_1) == (impulse, other, one)
        for s in SYMMETRIES:
            assert probe3.bounce(turned(s, d), turned(s, v_1), mass_1, turned(s, v_2), mass_2) == (
                impulse, turned(s, one), turned(s, other))
            assert (probe3.bounce_growing(turned(s, d), .1, turned(s, v_1), mass_1, .2, turned(s, v_2), mass_2)
                    == tuple(x if k == 0 else turned(s, x)
                             for k, x in enumerate(probe3.bounce_growing(d, .1, v_1, mass_1, .2, v_2, mass_2))))
        assert probe3.bounce(d, scaled(2.**80, v_1), mass_1, scaled(2.**80, v_2), mass_2) == (
            2.**80 * impulse, scaled(2.**80, one), scaled(2.**80, other))
        assert probe3.bounce(scaled(2.**-80, d), v_1, mass_1, v_2, mass_2) == (2.**80 * impulse, one, other)
    assert parted > 20


@pytest.mark.parametrize("grazing", [False, True], ids=["head-on", "grazing"])
def test_bounces_in_a_plane_are_those_of_discs(probe, probe3, draw, grazing):
    """To the last bit, and nothing leaves the plane."""
    compared = 0
    for d, v_1, v_2 in bounces(draw, 500, grazing):
        mass_1, mass_2 = draw.choice([*MASSES.values()])
        (x, y, _), (vx, vy, _), (wx, wy, _) = d, v_1, v_2
        if x * (wx - vx) + y * (wy - vy) >= 0:
            x, y = -x, -y
        if x * (wx - vx) + y * (wy - vy) == 0:
            continue
        compared += 1
        found = probe.bounce_discs(x, y, vx, vy, mass_1, wx, wy, mass_2)
        assert probe3.bounce_discs(x, y, vx, vy, mass_1, wx, wy, mass_2) == found
        impulse, *after = found
        for plane in PLANES:
            assert probe3.bounce(in_plane(plane, x, y), in_plane(plane, vx, vy), mass_1, in_plane(plane, wx, wy), mass_2) == (
                impulse, in_plane(plane, *after[:2]), in_plane(plane, *after[2:]))
    assert compared > 300


# spheres: flight, law, walls

def sphere(r, v, t=0., radius=.1, mass=1.):
    return {"r": [*r], "v": [*v], "t": t, "radius": radius, "mass": mass, "wrap": {"at": [0, 0, 0]}}


def flat(d, plane):
    """The disc d of two axes, in a plane of three."""
    return sphere(in_plane(plane, d["x"], d["y"]), in_plane(plane, d["vx"], d["vy"]), d["t"], d["radius"], d["mass"])


def any_sphere(draw, mass=1.):
    r, v = ([draw.uniform(-1, 1) for _ in range(3)] for _ in range(2))
    return sphere(r, v, draw.uniform(-2, 2), draw.uniform(.01, .3), mass)


def test_spheres_fly_along_all_axes(probe3, draw):
    """Exactly where the arithmetic is exact; at their own clock they are where they are stored."""
    for _ in range(100):
        r, v = ([draw.randint(-2**14, 2**14) / 2**10 for _ in range(3)] for _ in range(2))
        d, dt = sphere(r, v, 1.5), draw.randint(-2**10, 2**10) / 2**5
        assert probe3.position_at(d, 1.5) == r and probe3.position_at(d, 1.5 + dt) == plus(r, v, dt)
        assert probe3.stream(d, dt, 9.) == {**d, "r": plus(r, v, dt), "t": 9.}
        assert probe3.speed_of(d) == pytest.approx(math.hypot(*v), rel=2 * EPSILON)


@pytest.mark.parametrize("growth", [0., .02], ids=["constant", "growing"])
def test_contact_times_are_symmetric(probe, probe3, draw, growth):
    """In the two spheres and in the axes to the last bit, also of an image; in a plane they are those of discs."""
    size = 1. - 4 * growth
    law, flat_law = ((module.growing_size(size, growth) if growth else module.constant_size()) for module in (probe3, probe))
    touch = 0
    for _ in range(500):
        a, b, offset = any_sphere(draw), any_sphere(draw), draw.choice([[0., 0., 0.], [1., 0., 0.], [-1., .75, 1.]])
        b["t"] = a["t"] + draw.uniform(-.1, .1)
        b["v"] = plus(plus(plus(a["v"], a["r"]), plus(b["r"], offset), -1), direction(draw), .3)    # towards the other one
        time = probe3.contact_time(law, a, b, offset)
        assert probe3.contact_time(law, b, a, scaled(-1, offset)) == time
        if time < math.inf:
            touch += 1
            apart = [float(Fraction(q) + Fraction(w) * (Fraction(time) - Fraction(b["t"])) - Fraction(p)
                           - Fraction(v) * (Fraction(time) - Fraction(a["t"])) + Fraction(o))
                     for p, v, q, w, o in zip(a["r"], a["v"], b["r"], b["v"], offset)]
            contact = (a["radius"] + b["radius"]) * (size + growth * time)
            assert math.hypot(*apart) == pytest.approx(contact, rel=1e-8) or time == max(a["t"], b["t"])
            for s in SYMMETRIES:
                one, other = ({**d, "r": turned(s, d["r"]), "v": turned(s, d["v"])} for d in (a, b))
                assert probe3.contact_time(law, one, other, turned(s, offset)) == time
        discs = [{**dict(zip(("x", "y", "vx", "vy"), d["r"][:2] + d["v"][:2])), "t": d["t"], "radius": d["radius"], "mass": 1.,
                  "wrap": {"x": 0, "y": 0}} for d in (a, b)]
        time = probe.contact_time(flat_law, *discs, .5, -.25)
        for plane in PLANES:
            assert probe3.contact_time(law, *(flat(d, plane) for d in discs), in_plane(plane, .5, -.25)) == time
    assert touch > 150


def test_a_box_has_six_walls(probe3):
    """Left, right, bottom, top, back and front have the numbers -6 ... -1, whichever axes are periodic."""
    lengths = (2., 1.5, .75)
    for periodic in itertools.product([False, True], repeat=3):
        walls = probe3.walls(lengths, periodic)
        assert [wall["number"] for wall in walls] == [
            number for axis, numbers in enumerate(((LEFT, RIGHT), (BOTTOM, TOP), (BACK, FRONT))) if not periodic[axis]
            for number in numbers]
        for wall in walls:
            axis, far = divmod(wall["number"] + 6, 2)
            assert wall["offset"] == (lengths[axis] if far else 0.)
            assert wall["normal"] == [(1. if far else -1.) if k == axis else 0. for k in range(3)]
        box = probe3.make_box(lengths, periodic)
        assert box["length"] == [*lengths] and box["periodic"] == [*periodic]
        assert box["per_length"] == [1 / length if round_ else 0. for length, round_ in zip(lengths, periodic)]
    assert len({probe3.make_box(turn, [False] * 3)["slack"] for turn in itertools.permutations((.1, .7, 1.3))}) == 1


def test_spheres_touch_walls_across_each_axis(probe3, draw):
    """At the time of fractions; what touches is reflected across that axis alone."""
    lengths, law = (2., 1.5, .75), probe3.constant_size()
    touched = set()
    for _ in range(200):
        d = any_sphere(draw)
        d["r"] = [length * draw.uniform(.2, .8) for length in lengths]
        for wall in probe3.walls(lengths, [False] * 3):
            axis, far = divmod(wall["number"] + 6, 2)
            gap = (lengths[axis] - d["r"][axis] if far else d["r"][axis]) - d["radius"]
            speed = d["v"][axis] if far else -d["v"][axis]
            assert probe3.wall_gap(wall, d["r"], d["radius"]) == pytest.approx(gap, abs=4 * EPSILON)
            time = probe3.wall_time(wall, law, d)
            assert time == (pytest.approx(d["t"] + max(gap, 0.) / speed, rel=1e-13, abs=1e-13 / speed) if speed > 0 else math.inf)
            near = probe3.is_near_wall(lengths, [False] * 3, d["r"], gap + d["radius"] + .001, 0)
            assert near and (time == math.inf or probe3.bounce_wall(law, wall["normal"], d) == (
                2 * speed, {**d, "v": [-v if k == axis else v for k, v in enumerate(d["v"])]}))
            touched |= {wall["number"]} if time < math.inf else set()
    assert touched == {LEFT, RIGHT, BOTTOM, TOP, BACK, FRONT}


@pytest.mark.parametrize("axis", range(3))
def test_a_wall_is_near_that_is_within_reach(probe3, axis):
    """At exactly the reach it is; the wall that is excepted does not count, nor does a periodic axis."""
    lengths, centre = (2., 2., 2.), [1., 1., 1.]
    for place, wall in ((.25, 2 * axis - 6), (1.75, 2 * axis - 5)):
        centre[axis] = place
        for periodic in (False, True):
            near = [probe3.is_near_wall(lengths, [periodic and k == axis for k in range(3)], centre, reach, but)
                    for reach, but in ((.25, 0), (.2, 0), (.25, wall), (.25, wall ^ 1))]
            assert near == ([False] * 4 if periodic else [True, False, False, True])


def test_a_prediction_does_not_depend_on_the_order_of_images(probe3, draw):
    """Among contacts of the same two spheres at the same time, the image decides, axis by axis."""
    images = [*itertools.product((-1, 0, 1), repeat=3)]
    for _ in range(200):
        contacts = [(draw.choice((1., 2.)), draw.choice((4, 6)), draw.choice(images)) for _ in range(5)]
        first, *others = sorted(set(contacts), key=lambda contact: (contact[0], sorted((5, contact[1])), contact[2]))
        for order in itertools.permutations(contacts):
            t, second, partner, image = probe3.considered(5, order)
            assert (t, partner, tuple(image)) == first and second == min((other[0] for other in others), default=math.inf)


# contacts at one instant

def energy_and_momentum(masses, velocities):
    masses = [Fraction(mass) for mass in masses]
    velocities = [[*map(Fraction, v)] for v in velocities]
    return [sum(m * along(v, v) for m, v in zip(masses, velocities)),
            *(sum(m * v[k] for m, v in zip(masses, velocities)) for k in range(3))]


def test_a_sphere_in_a_corner_is_reflected_by_three_walls(probe3):
    """Exactly, in one impulse each; fixed spheres in the place of the walls do the same."""
    after, executed, together, unsolved = probe3.resolve([([-1., -2.5, -.3], 2.)], [(0, wall, normal) for wall, normal in (
        (BOTTOM, [0., -1., 0.]), (BACK, [0., 0., -1.]), (LEFT, [-1., 0., 0.]))])
    assert after == [[1., 2.5, .3]] and executed == [(0, LEFT, 4.), (0, BOTTOM, 10.), (0, BACK, 1.2)]
    assert not together and not unsolved
    fixed = [([0., 0., 0.], math.inf)] * 3
    after, executed, *_ = probe3.resolve([([-1., -2.5, -.3], 2.), *fixed], [
        (0, 1 + axis, [-.3 if k == axis else 0. for k in range(3)]) for axis in range(3)])
    assert after[0] == [1., 2.5, .3] and after[1:] == [[0.] * 3] * 3 and len(executed) == 3


def test_a_sphere_that_hits_three_at_right_angles_gives_each_its_component(probe3):
    """Of equal masses, as in the plane."""
    after, executed, together, _ = probe3.resolve([([1., 2.5, .3], 2.)] + [([0.] * 3, 2.)] * 3, [
        (0, 1 + axis, [.7 if k == axis else 0. for k in range(3)]) for axis in range(3)])
    assert after == [[0.] * 3, [1., 0., 0.], [0., 2.5, 0.], [0., 0., .3]] and len(executed) == 3 and not together


def clusters():
    """{name: (vectors from sphere 0 to the others, pairs of the others that touch)}: a tetrahedron, and a sphere with the twelve
    that kiss it."""
    tetrahedron = [(1., 1., 0.), (1., 0., 1.), (0., 1., 1.)]
    kissing = sorted({order for x, y in itertools.product((1., -1.), repeat=2) for order in itertools.permutations((x, y, 0.))})
    for name, places in (("four", tetrahedron), ("thirteen", kissing)):
        pairs = [(i, j) for i, j in itertools.combinations(range(len(places)), 2) if math.dist(places[i], places[j])**2 < 2.1]
        yield name, places, pairs


def contacts_of(places, pairs):
    return [(0, i + 1, [*place]) for i, place in enumerate(places)] + [
        (i + 1, j + 1, plus(places[j], places[i], -1)) for i, j in pairs]


@pytest.mark.parametrize("name, places, pairs", [*clusters()], ids=[name for name, *_ in clusters()])
def test_spheres_that_meet_conserve_energy_and_momentum(probe3, draw, name, places, pairs):
    """Whatever their masses and velocities; those that approached part, and all 48 images of the meeting have its velocities."""
    contacts, solved = contacts_of(places, pairs), 0
    for _ in range(12):
        masses = [draw.choice([1., 1., draw.uniform(.3, 3)]) for _ in range(len(places) + 1)]
        velocities = [[draw.uniform(-1, 1) for _ in range(3)] for _ in masses]
        after, executed, together, unsolved = probe3.resolve([*zip(velocities, masses)], contacts)
        assert not unsolved and all(impulse > 0 for *_, impulse in executed)
        solved += together
        before, now = (energy_and_momentum(masses, v) for v in (velocities, after))
        assert all(abs(x - y) < 1e-14 * len(masses) for x, y in zip(before, now))
        for i, j, d in contacts:
            opening, opened = (along(d, plus(v[j], v[i], -1)) for v in (velocities, after))
            assert opened > -1e-14 - 2 * together * max(opening, 0)     # others may close one that opens: it is a new contact
        for s in SYMMETRIES:
            image, *_ = probe3.resolve([(turned(s, v), mass) for v, mass in zip(velocities, masses)],
                                       [(i, j, turned(s, d)) for i, j, d in contacts])
            assert image == [turned(s, v) for v in after]
    assert solved > 3


def test_a_sphere_that_hits_three_touching_ones_bounces_back(probe3):
    """Along the axis of the tetrahedron with a third of its speed; all velocities are those of the one symmetric solution."""
    (_, places, pairs), _ = clusters()
    after, executed, together, _ = probe3.resolve([([1.] * 3, 1.)] + [([0.] * 3, 1.)] * 3, contacts_of(places, pairs))
    for found, exact in zip(after, ([-1 / 3] * 3, *(scaled(2 / 3, place) for place in places))):
        assert found == pytest.approx(exact, abs=1e-15)
    assert together and {(i, j) for i, j, _ in executed} == {(0, 1), (0, 2), (0, 3)}


def test_twelve_spheres_that_close_in_on_one_fly_back(probe3):
    """All contacts approach at the same speed, and part at that speed; the one in the middle stays at rest."""
    *_, (_, places, pairs) = clusters()
    after, *_ = probe3.resolve([([0.] * 3, 1.), *((scaled(-1, place), 1.) for place in places)], contacts_of(places, pairs))
    for found, exact in zip(after, ([0.] * 3, *places)):
        assert found == pytest.approx(exact, abs=1e-14)
