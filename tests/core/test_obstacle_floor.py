"""The floor of obstacles: features, against closed forms, exact fractions and symmetries, with one disc that flies among them."""
import itertools
import math
from fractions import Fraction

import pytest

FACE, CAP, OUTSIDE, INSIDE = range(4)


def features(probe, *shapes):
    """Features from ("face", ...), ("line", ...), ("arc", ...), ("cap", ...)."""
    made = probe.Features()
    for name, *numbers in shapes:
        getattr(made, name)(*numbers)
    return made


def room(*points):
    """The faces of a closed polygon, and a cap at each vertex."""
    n = len(points)
    faces = [("face", *points[k], *points[(k + 1) % n]) for k in range(n)]
    return faces + [("cap", *points[k], ((k - 1) % n, k)) for k in range(n)]


def stadium(length, radius):
    """Two straight sides and two half circles, with caps at the four seams."""
    a = length / 2
    return [("face", -a, -radius, a, -radius), ("arc", INSIDE, a, 0., radius, a, -radius, a, radius),
            ("face", a, radius, -a, radius), ("arc", INSIDE, -a, 0., radius, -a, radius, -a, -radius),
            ("cap", a, -radius, (0, 1)), ("cap", a, radius, (1, 2)), ("cap", -a, radius, (2, 3)), ("cap", -a, -radius, (3, 0))]


def test_a_face_parallel_to_an_axis_has_the_bits_of_a_wall(probe, draw):
    for _ in range(500):
        side, radius, y = draw.uniform(.3, .9), draw.uniform(0, .1), draw.uniform(.2, .8)
        x, vx = draw.uniform(.1, side - .1), draw.uniform(-1, 1)
        made = features(probe, ("face", side, -9., side, 9.), ("face", 0., 9., 0., -9.), ("face", -9., side, 9., side))
        expected = ((side - radius) - x) / vx if vx > 0 else (x - radius) / -vx
        assert made.time(0 if vx > 0 else 1, x, y, vx, 0., radius) == expected
        assert made.time(2, y, x, 0., abs(vx), radius) == ((side - radius) - x) / abs(vx)


@pytest.mark.parametrize("radius", (0., 2.**-5, .3))
def test_oblique_faces_and_their_ends_against_fractions(probe, draw, radius):
    """The contact time at a face is that of exact arithmetic, to one rounding; a face is met between its ends only."""
    met = 0
    for _ in range(2000):
        ax, ay, bx, by, x, y, vx, vy = (draw.uniform(-2, 2) for _ in range(8))
        t = features(probe, ("face", ax, ay, bx, by)).time(0, x, y, vx, vy, radius)
        ex, ey, dx, dy = (Fraction(p) - Fraction(q) for p, q in ((bx, ax), (by, ay), (x, ax), (y, ay)))
        distance, speed = ex * dy - ey * dx, ex * Fraction(vy) - ey * Fraction(vx)
        sign = 1 if distance > 0 else -1
        length = math.sqrt(ex * ex + ey * ey)
        if sign * float(distance) / length < radius + 1e-3 or sign * speed >= 0:
            continue
        expected = (sign * float(distance) / length - radius) / (-sign * float(speed) / length)
        along = float((dx + Fraction(vx) * Fraction(expected)) * ex + (dy + Fraction(vy) * Fraction(expected)) * ey) / length**2
        if abs(along) < 1e-9 or abs(along - 1) < 1e-9:
            continue
        assert t == (pytest.approx(expected, rel=1e-12) if 0 < along < 1 else math.inf)
        met += t < math.inf
    assert met > 100


def test_every_flight_to_a_vertex_is_stopped(probe, draw):
    """A disc, or a point, that aims at a vertex of a room within the last bits never leaves it, and never gains energy."""
    corners = ((0.1, 0.07), (1.3, 0.2), (0.9, 0.55), (1.4, 1.1), (0.2, 0.9))
    made = features(probe, *room(*corners))
    for radius in (0., 1e-18, 1e-9, .05):
        for px, py in corners:
            for _ in range(60):
                x, y = draw.uniform(.55, .75), draw.uniform(.4, .65)
                vx, vy = px - x, py - y
                for _ in range(draw.randint(0, 3)):
                    vx, vy = math.nextafter(vx, draw.choice((-9, 9))), math.nextafter(vy, draw.choice((-9, 9)))
                end_x, end_y, wx, wy, hits = made.fly(x, y, vx, vy, radius, 30)
                assert len(hits) == 30 and .1 <= end_x <= 1.4 and .07 <= end_y <= 1.1
                assert math.hypot(wx, wy) == pytest.approx(math.hypot(vx, vy), rel=1e-14)


@pytest.mark.parametrize("radius", (0., 1e-17, .1))
def test_a_point_does_not_leak_through_a_thin_face(probe, draw, radius):
    """Thousands of hits of the same oblique face from one side: the disc stays on that side."""
    made = features(probe, ("face", -3., -1., 3.5, 1.2), ("face", -3., -1., -3.2, 4.), ("face", 3.5, 1.2, 3.1, 4.),
                    ("face", -3.2, 4., 3.1, 4.))
    x, y, vx, vy, hits = made.fly(.3, 2., .313, -.77, radius, 20000)
    assert len(hits) == 20000
    assert (6.5 * (y + 1.) - 2.2 * (x + 3.)) > -1e-12 and y <= 4. + 1e-12


def test_a_cap_is_a_fixed_point(probe, draw):
    """The end of a segment acts as a disc of radius 0: the time of pair.time_to_disc, bit for bit."""
    for _ in range(300):
        x, y, vx, vy = draw.uniform(1, 2), draw.uniform(-1, 1), draw.uniform(-1, -.1), draw.uniform(-1, 1)
        r = draw.uniform(.1, .5)
        made = features(probe, ("face", -1., 0., 0., 0.), ("cap", 0., 0., (0,)))
        expected = probe.time_to_disc(-x, -y, -vx, -vy, r)
        if made.time(0, x, y, vx, vy, r) == math.inf:
            assert made.time(1, x, y, vx, vy, r) == expected


def test_a_face_split_into_collinear_pieces_gives_the_same_bits(probe, draw):
    """Also where the disc touches exactly a seam, or within the last bits of it."""
    ends = [(k * 3 / 8, k * 5 / 8 - 2) for k in range(9)]
    whole = features(probe, ("face", *ends[0], *ends[-1]))
    pieces = features(probe, *(("face", *p, *q) for p, q in itertools.pairwise(ends)),
                      *(("cap", *ends[k], (k - 1, k)) for k in range(1, 8)))
    for trial in range(600):
        radius, k = draw.choice((0., .125, .31)), draw.randint(1, 7)
        x, y = draw.uniform(-3, -1), draw.uniform(-1, 3)
        length = math.hypot(3, 5)
        foot = draw.uniform(.5, 7.5) if trial % 2 else k + draw.choice((0., 1e-15, -1e-15, 3e-10, -2e-9))
        vx = foot * 3 / 8 - radius * 5 / length - x
        vy = foot * 5 / 8 - 2 + radius * 3 / length - y
        *one, hits = whole.fly(x, y, vx, vy, radius, 1)
        *other, parts = pieces.fly(x, y, vx, vy, radius, 1)
        assert len(hits) == len(parts) == 1 and one == other


def test_scaling_by_powers_of_two_and_swapping_the_axes_keep_the_bits(probe, draw):
    def scaled(shape, by):
        name, *numbers = shape
        return (name, *(number * by if isinstance(number, float) else number for number in numbers))

    shapes = stadium(2., 1.)
    made = features(probe, *shapes)
    for _ in range(20):
        x, y, vx, vy = draw.uniform(-.5, .5), draw.uniform(-.5, .5), draw.uniform(-1, 1), draw.uniform(-1, 1)
        r = draw.choice((0., .1))
        end = made.fly(x, y, vx, vy, r, 40)
        for power in (-30, 7, 40):
            by = 2.**power
            made_larger = features(probe, *(scaled(shape, by) for shape in shapes))
            larger = made_larger.fly(x * by, y * by, vx, vy, r * by, 40, True, 4 * by)
            assert [v / by for v in larger[:2]] == list(end[:2]) and larger[2:4] == end[2:4]
            assert [t / by for _, t in larger[4]] == [t for _, t in end[4]]
    corners = ((0.1, 0.07), (1.3, 0.2), (0.9, 0.55), (1.4, 1.1), (0.2, 0.9))
    one, other = features(probe, *room(*corners)), features(probe, *room(*((y, x) for x, y in corners)))
    for _ in range(20):
        x, y, vx, vy = draw.uniform(.55, .75), draw.uniform(.4, .65), draw.uniform(-1, 1), draw.uniform(-1, 1)
        a, b = one.fly(x, y, vx, vy, .03, 40), other.fly(y, x, vy, vx, .03, 40)
        assert (a[0], a[1], a[2], a[3], a[4]) == (b[1], b[0], b[3], b[2], b[4])


def test_an_arc_is_hit_from_both_sides_and_only_where_it_is(probe):
    """A quarter of a circle of radius 1, in the first quadrant."""
    both = [("arc", form, 0., 0., 1., 1., 0., 0., 1.) for form in (OUTSIDE, INSIDE)]
    made = features(probe, *both, ("cap", 1., 0., (0, 1)), ("cap", 0., 1., (0, 1)))
    s = math.sqrt(.5)
    assert made.fly(2 * s, 2 * s, -s, -s, .25, 1)[4] == [(0, pytest.approx(.75, rel=1e-14))]
    assert made.fly(.1 * s, .1 * s, s, s, .25, 1)[4] == [(1, pytest.approx(.65, rel=1e-14))]
    assert made.fly(-2 * s, -2 * s, s, s, .25, 1)[4] == [(1, pytest.approx(2.75, rel=1e-14))]     # through the open side
    assert made.fly(-2., 0.5, 1., 0., .25, 1)[4][0][0] == 1
    assert made.fly(-2., 1.1, 1., 0., .25, 1)[4][0][0] == 3                                  # its end, from outside
    assert made.fly(-.5, -.5, -s, -s, .25, 1)[4] == [] and made.fly(2., -.5, -1., 0., .25, 1)[4] == []
    assert made.fly(2., 0., -1., 0., .25, 1)[4][0] == (0, .75)


def test_three_quarters_of_a_circle(probe):
    """An arc of more than half a circle, open towards the lower right."""
    made = features(probe, *(("arc", form, 0., 0., 1., 1., 0., 0., -1.) for form in (OUTSIDE, INSIDE)),
                    ("cap", 1., 0., (0, 1)), ("cap", 0., -1., (0, 1)))
    s = math.sqrt(.5)
    for angle in (10, 90, 170, 260):
        c, d = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        assert made.fly(0., 0., c, d, .25, 1)[4] == [(1, pytest.approx(.75, rel=1e-14))]
        assert made.fly(3 * c, 3 * d, -c, -d, .25, 1)[4] == [(0, pytest.approx(1.75, rel=1e-14))]
    assert made.fly(0., 0., s, -s, .25, 1)[4] == []


@pytest.mark.parametrize("radius", (0., .1))
def test_a_circle_keeps_its_angle_of_incidence(probe, radius):
    """All chords have the length 2 (R - r) cos(angle), also for a flight along the wall."""
    made = features(probe, ("arc", INSIDE, 0., 0., 1., 1., 0., 1., 0.))
    for sine in (0., .3, .99, 1 - 1e-6):
        reach = 1 - radius
        contacts = made.fly(reach * sine, 0., 0., 1., radius, 2001)[4]
        chord = 2 * reach * math.sqrt((1 - sine) * (1 + sine))
        assert [t for _, t in contacts[1:]] == pytest.approx([chord] * 2000, rel=1e-6 if sine > .999 else 1e-10)


def test_corners_of_60_and_90_and_120_degrees(probe):
    """The number of contacts in a wedge is that of the unfolded flight: the multiples of its angle between the directions."""
    for degrees in (60, 90, 120):
        alpha = math.radians(degrees)
        far = 100 * math.cos(alpha), 100 * math.sin(alpha)
        made = features(probe, ("face", 0., 0., 100., 0.), ("face", 0., 0., *far), ("cap", 0., 0., (0, 1)))
        for radius in (0., .2):
            for part in (.2, .45, .7):
                for turn in (3, 20, 57, 88, 130, 170):
                    at = alpha * part
                    apex = radius / math.sin(alpha / 2)
                    shift = (apex * math.cos(alpha / 2), apex * math.sin(alpha / 2))
                    heading = at + math.radians(turn)
                    x, y = math.cos(at), math.sin(at)
                    hits = made.fly(x + shift[0], y + shift[1], math.cos(heading), math.sin(heading), radius, 10)[4]
                    assert len(hits) == math.floor(heading / alpha)


@pytest.mark.more
def test_a_stadium_conserves_energy(probe):
    """200,000 contacts change the energy by the last bits alone; no disc leaves."""
    made = features(probe, *stadium(2., 1.))
    for radius in (0., .1):
        x, y, vx, vy, _ = made.fly(.123, -.2, .6, .8, radius, 200_000, False)
        assert abs(math.hypot(vx, vy) - 1) < 1e-13
        assert abs(y) <= 1 - radius + 1e-12 and math.hypot(max(abs(x) - 1, 0), y) <= 1 - radius + 1e-12


@pytest.mark.slow
def test_energy_does_not_drift_in_a_stadium_with_oblique_sides(probe):
    """10^8 contacts at oblique faces and arcs: the error is a random walk of the last bit, without a drift."""
    c, s, a = .8, .6, 1.
    def turned(x, y):
        return c * x - s * y, s * x + c * y
    corners = [turned(*p) for p in ((-a, -1.), (a, -1.), (a, 1.), (-a, 1.))]
    right, left = turned(a, 0.), turned(-a, 0.)
    made = features(probe, ("face", *corners[0], *corners[1]), ("arc", INSIDE, *right, 1., *corners[1], *corners[2]),
                    ("face", *corners[2], *corners[3]), ("arc", INSIDE, *left, 1., *corners[3], *corners[0]),
                    *(("cap", *corners[k], ((2 * ((k + 1) // 2) - 1) % 4 if k % 2 else (k - 1) % 4, k)) for k in range(4)))
    *_, vx, vy, _ = made.fly(.1, -.2, .6, .8, .05, 10**8, False)
    assert abs(vx * vx + vy * vy - 1) < 1e-11


def test_a_line_acts_from_one_side(probe):
    """Discs are kept on the side to which the normal points, also a disc that has been placed across by rounding."""
    made = features(probe, ("line", 0., 0., 3., 4.))
    assert made.time(0, 3., 4., -.6, -.8, 1.) == pytest.approx(4., rel=1e-15)
    assert made.time(0, 3., 4., .6, .8, 1.) == math.inf
    assert made.time(0, -1e-18, 0., -.6, -.8, 0.) == 0. and made.time(0, -1e-18, 0., .6, .8, 0.) == math.inf
