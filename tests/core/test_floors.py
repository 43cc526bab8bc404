"""The floors of hdsim/core one by one, through the probe: against fractions, decimals, heapq, float() and brute force."""
import heapq
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from exact_pairs import after_bounce, contact_time

EPSILON = 2.**-52
FIRST, NO_PARTNER = -2147483647, -2147483646     # of queue.pxd
MOST = 2**30                # of counters.pxd: what four bytes hold


def numbers(draw, count, exponent):
    """Doubles of any sign with all their digits, whose exponents spread over +- `exponent`."""
    return [math.ldexp(draw.uniform(-1, 1), draw.randint(-exponent, exponent)) for _ in range(count)]


# exact

def test_sums_and_their_errors_are_exact(probe, draw):
    """a + b is the rounded sum and the error that is left, one by one and two side by side."""
    for _ in range(2000):
        a, b, c, d = numbers(draw, 4, 60)
        total, error = probe.exact_sum(a, b)
        assert total == a + b and Fraction(total) + Fraction(error) == Fraction(a) + Fraction(b)
        assert probe.exact_sums(a, c, b, d) == ((total, error), probe.exact_sum(c, d))


def test_products_and_their_errors_are_exact(probe, draw):
    """a * b is the rounded product and the error that is left; the way without fma gives the same bits."""
    for _ in range(2000):
        a, b, c, d = numbers(draw, 4, 300)
        result, error = probe.exact_product(a, b)
        assert result == a * b and Fraction(result) + Fraction(error) == Fraction(a) * Fraction(b)
        assert error == probe.product_error(a, b)
        assert probe.exact_products(a, c, b, d) == ((result, error), probe.exact_product(c, d))


def test_errors_too_small_for_a_double_are_rounded_in_one_way(probe, draw):
    """Below 1e-290 fma is not used, so that all machines get the same bits; beside a large product as well."""
    for _ in range(500):
        a, b = numbers(draw, 2, 5)
        a, b = math.ldexp(a, -510), math.ldexp(b, -510)
        small = probe.exact_product(a, b)
        assert small == (a * b, probe.product_error(a, b))
        assert probe.exact_products(a, 1.1, b, 1.3) == (small, probe.exact_product(1.1, 1.3))


def test_quotients_and_products_have_twice_the_digits(probe, draw):
    """To 96 bits at least, of numbers with a low part."""
    for _ in range(2000):
        a, b = numbers(draw, 2, 40)
        a_low, b_low = (math.ulp(x) * draw.uniform(-.5, .5) for x in (a, b))
        exact_a, exact_b = Fraction(a) + Fraction(a_low), Fraction(b) + Fraction(b_low)
        for found, exact in ((probe.quotient(a, a_low, b, b_low), exact_a / exact_b),
                             (probe.product(a, a_low, b, b_low), exact_a * exact_b)):
            assert abs(sum(map(Fraction, found)) / exact - 1) < Fraction(1, 2**96)


# pair

def test_contact_times_are_those_of_sixty_digits(probe, draw):
    """Also of small discs far away, where the usual discriminant cancels, and of nearly touching ones."""
    hits = 0
    for _ in range(6000):
        angle, aside, distance = draw.uniform(0, 7), draw.uniform(-1.2, 1.2), 10**draw.uniform(-3, 7)
        contact = 10**draw.uniform(-2, 2)
        dx, dy = (contact * (1 + distance) * f(angle) for f in (math.cos, math.sin))
        to_x, to_y = -dx + aside * contact * dy / math.hypot(dx, dy), -dy - aside * contact * dx / math.hypot(dx, dy)
        speed = 10**draw.uniform(-2, 2) / math.hypot(dx, dy)
        exact, condition = contact_time((dx, dy), (speed * to_x, speed * to_y), contact)
        found = probe.time_to_disc(dx, dy, speed * to_x, speed * to_y, contact)
        if exact is None or found == math.inf:
            assert exact is None and found == math.inf or condition > 1e12      # a graze
            continue
        hits += 1
        assert abs(found / float(exact) - 1) < 8 * EPSILON * condition
    assert hits > 3000


def test_contact_times_of_growing_discs(probe, draw):
    """The same while the contact distance grows."""
    hits = 0
    for _ in range(3000):
        dx, dy, dvx, dvy = numbers(draw, 4, 2)
        contact, rate = draw.uniform(.1, .9) * math.hypot(dx, dy), draw.uniform(0, .5)
        exact, condition = contact_time((dx, dy), (dvx, dvy), contact, rate)
        if exact is None:
            continue
        hits += 1
        assert probe.time_to_growing_disc(dx, dy, dvx, dvy, contact, rate) == pytest.approx(
            float(exact), rel=1e-14 * condition * (1 + math.hypot(dx, dy) * math.hypot(dvx, dvy) / contact))
    assert hits > 500


def test_contact_times_keep_their_bits_under_scaling_and_swapping(probe, draw):
    """Axes swapped; lengths or speeds times a power of two, up to where the fourth powers leave the doubles."""
    for _ in range(500):
        dx, dy, dvx, dvy = numbers(draw, 4, 1)
        contact = .7 * math.hypot(dx, dy)
        time = probe.time_to_disc(dx, dy, dvx, dvy, contact)
        assert probe.time_to_disc(dy, dx, dvy, dvx, contact) == time
        for power in (-400, -20, 30, 400):
            scale = 2.**power
            assert probe.time_to_disc(scale * dx, scale * dy, scale * dvx, scale * dvy, scale * contact) == time
            assert probe.time_to_disc(scale * dx, scale * dy, dvx, dvy, scale * contact) == scale * time


@pytest.mark.parametrize("arguments, time", [
    ((1, 0, 1, 0, .5), math.inf), ((1, 0, 0, 0, .5), math.inf), ((1, 0, -1, 0, 0), math.inf), ((1, 0, -1, 0, 1), 0),
    ((.5, 0, -1, 0, 1), 0), ((.5, 0, 1, 0, 1), math.inf), ((2, 1, -1, 0, 1), math.inf), ((2, 0, -1, 0, 1), 1)],
    ids=["apart", "at rest", "points", "touching", "overlapping", "parting", "graze", "head-on"])
def test_contact_times_of_special_cases(probe, arguments, time):
    assert probe.time_to_disc(*arguments) == time


def test_times_to_walls(probe):
    """From the left, from the right, at rest, and at or behind a wall."""
    assert [probe.time_to_wall(.5, v, .25, 1.) for v in (-.5, .25, 0.)] == [.5, 2., math.inf]
    assert probe.time_to_wall(.2, -1, .25, 1.) == probe.time_to_wall(1.1, 1, .25, 1.) == 0


@pytest.mark.parametrize("masses", ["equal", "different", "extreme", "fixed"])
def test_velocities_after_a_bounce_are_rounded_once(probe, draw, masses):
    """Within one unit in the last place of the exact ones."""
    bounces = 0
    for _ in range(1000):
        dx, dy, *v = numbers(draw, 6, 3)
        mass = draw.uniform(.1, 3)
        other = {"equal": mass, "different": draw.uniform(.1, 3), "extreme": mass * 1e12, "fixed": math.inf}[masses]
        if dx * (v[2] - v[0]) + dy * (v[3] - v[1]) > -1e-3 * math.hypot(dx, dy):
            continue
        bounces += 1
        impulse, *found = probe.bounce_discs(dx, dy, v[0], v[1], mass, v[2], v[3], other)
        push, one_exact, other_exact = after_bounce((dx, dy), v[:2], mass, v[2:], other)
        assert impulse == pytest.approx(float(push), rel=8 * EPSILON)
        for one, right in zip(found, one_exact + other_exact):
            assert abs(Fraction(one) - right) <= Fraction(math.ulp(float(right))) + Fraction(1, 2**90)
        assert dx * (found[2] - found[0]) + dy * (found[3] - found[1]) >= 0
    assert bounces > 300


# counters

def test_counters_count_beyond_four_bytes(probe, draw):
    """As Python's whole numbers do, up and down, and the high part is used only where it must be."""
    counters, model = probe.Counters(50), [0] * 50
    for _ in range(20_000):
        k, more = draw.randrange(50), draw.choice([1, -1, MOST - 1, -MOST, draw.randint(-2**45, 2**45)])
        if draw.random() < .1:
            counters[k] = model[k] = more
        else:
            counters.add(k, more)
            model[k] += more
        low, high = counters.parts(k)
        assert counters[k] == model[k] == low + high * MOST and abs(low) < MOST
        assert high == 0 or abs(model[k]) >= MOST or low != 0


def test_a_counter_at_the_edge_of_four_bytes(probe):
    counters = probe.Counters(1)
    counters.add(0, MOST - 1)
    assert counters.parts(0) == (MOST - 1, 0)
    counters.add(0, 1)
    assert counters.parts(0) == (0, 1) and counters[0] == MOST
    counters[0] = -MOST
    counters.add(0, -1)
    assert counters.parts(0) == (-1, -1) and counters[0] == -MOST - 1


@pytest.mark.parametrize("count", [10, 100_000], ids=["few", "pages of their own"])
def test_counters_are_copied(probe, draw, count):
    """A few counters are written, the others never; the copy is independent."""
    counters = probe.Counters(count)
    written = {draw.randrange(count): draw.randint(-2**50, 2**50) for _ in range(5)}
    for k, value in written.items():
        counters[k] = value
    copy = counters.copy()
    counters.add(0, 7)
    assert [copy[k] for k in range(count)] == [written.get(k, 0) for k in range(count)]


# queue and calendar

def order(entry):
    """What (key, item, partner)s are ordered by: key, FIRST, the lower of item and partner, the other one, the item."""
    key, item, partner = entry
    low = min(item, partner) if partner >= 0 else item
    return (key, (-1, 0) if partner == FIRST else (low, item + partner - low if partner >= 0 else partner), item)


def entry_of(draw, item, capacity, since=0.):
    """Equal keys often; partners of all kinds."""
    key = since + draw.choice([0., 0., .25, 1., draw.expovariate(1), draw.expovariate(.01)])
    return key, item, draw.choice([FIRST, NO_PARTNER, -1, draw.randrange(capacity), draw.randrange(capacity)])


def test_a_heap_agrees_with_heapq(probe, draw):
    """Whatever is put in, changed and taken out; its own check finds nothing."""
    capacity = 60
    heap, model = probe.Heap(capacity), {}
    for _ in range(4000):
        item = draw.randrange(capacity)
        entry = entry_of(draw, item, capacity)
        if item not in model:
            heap.insert(item, entry[0], entry[2])
            model[item] = entry
        elif draw.random() < .6:
            heap.change(item, entry[0], entry[2])
            model[item] = entry
        else:
            heap.delete(item)
            del model[item]
        heap.check()
        assert heap.top() == (heapq.nsmallest(1, model.values(), order) or [None])[0]
        due = sorted(i for i, (key, *_) in model.items() if key <= .5)
        assert sorted(heap.due(.5, capacity)) == due and (not due or heap.due(.5, len(due) - 1) is None)


def test_a_heap_is_made_of_anything(probe, draw):
    """Bottom up, of any number of entries."""
    for count in range(1, 40):
        heap, entries = probe.Heap(40), [entry_of(draw, item, 40) for item in draw.sample(range(40), count)]
        heap.fill(entries)
        heap.check()
        for entry in sorted(entries, key=order):
            assert heap.top() == entry
            heap.delete(entry[1])
        assert heap.top() is None


@pytest.mark.sample(2)
@pytest.mark.parametrize("capacity, with_days", [(20, True), (100, False), (100, True), (3000, True), (25_000, True)],
                         ids=["few", "heap", "days", "many", "with a row of those that wait"])
def test_a_calendar_agrees_with_heapq(probe, draw, capacity, with_days):
    """The earliest item again and again, while it and others get later times, for many years of the calendar."""
    days = probe.Days(capacity, with_days)
    assert (days.days > 0) == (with_days and capacity >= 64)
    model = {item: entry_of(draw, item, capacity) for item in range(capacity)}
    days.fill(model.values())
    lazy = [(order(entry), entry) for entry in model.values()]
    heapq.heapify(lazy)
    searched = 0
    for step in range(8000):
        while model[lazy[0][1][1]] != lazy[0][1]:
            heapq.heappop(lazy)
        key, item, _ = top = lazy[0][1]
        assert days.top() == top
        if step % 400 == 0:
            due = days.due(key + .01, capacity)
            searched += due is not None
            assert due is None or sorted(due) == sorted(i for i, entry in model.items() if entry[0] <= key + .01)
            days.check()
            days = days.copy()
        for changed in {item, draw.randrange(capacity)}:
            model[changed] = entry_of(draw, changed, capacity, key)
            days.change(changed, *model[changed][::2])
            heapq.heappush(lazy, (order(model[changed]), model[changed]))
            assert days.get(changed) == model[changed]
    assert searched > 5


def test_a_calendar_of_infinite_times_has_nothing_to_come(probe):
    """And goes on as soon as one is finite."""
    days = probe.Days(100, True)
    days.fill((math.inf, item, NO_PARTNER) for item in range(100))
    assert days.top() is None
    days.change(7, 3., NO_PARTNER)
    assert days.top() == (3., 7, NO_PARTNER)
    days.check()


# text

def spellings(draw, count):
    """Numbers as people and programs write them."""
    for _ in range(count):
        value = math.ldexp(draw.uniform(-1, 1), draw.randint(-1100, 1000))
        yield draw.choice([repr(value), f"{value:.30e}", f"{value:+.3g}", str(draw.randint(-10**25, 10**25)),
                           f"{draw.randint(0, 10**17)}E{draw.randint(-30, 30)}", f".{draw.randint(0, 10**20)}",
                           f"{draw.uniform(0, 100):.17f}", f"{draw.randrange(1000)}."])


def test_numbers_in_text_are_those_of_float(probe, draw):
    """To the last bit, whatever blanks stand between."""
    words = [*spellings(draw, 3000), "-0", "inf", "-Infinity", "+INF", "1e-400", "9007199254740993", "1e22", "1e23"]
    text = "".join(word + draw.choice([" ", "\n", "\t \r\n"]) for word in words).encode()
    found, offset = probe.read(text, 0, len(words))
    assert offset == len(text) and list(map(repr, found)) == [repr(float(word)) for word in words]


@pytest.mark.parametrize("wrong", ["nan", "0x10", "1_000", "\N{FULLWIDTH DIGIT ONE}", "1e999", ".", "e5", "1e", "1e+", "--1", "+",
                                   "infinit", "inf1", "1.2.3", "1,5", "1\N{NO-BREAK SPACE}"])
def test_what_is_no_number_is_not_taken(probe, wrong):
    """Reading stops there, with all before."""
    assert probe.read(f"1.5 -2 {wrong} 4".encode()) == ([1.5, -2.], 7)


def test_reading_stops_where_there_is_no_room(probe):
    assert probe.read(b"  1 2 3", 0, 2) == ([1., 2.], 6)
    assert probe.read(b"  1 2 3", 6, 2) == ([3.], 7)


# cells

GRIDS = [(5, 7, 1), (8, 6, 2), (3, 3, 3), (2, 1, 1), (1, 2, 3), (4, 5, 3, 1), (3, 2, 4, 2), (1, 3, 2, 3)]     # the levels last
BOX = (2., 1.5, 1.2)
ROUND = [*itertools.product([False, True], repeat=2)]       # is the first axis periodic, are the others?


@pytest.fixture
def floors(request, grid):
    """The module of as many axes as the grid has."""
    return request.getfixturevalue("probe" if len(grid) == 3 else "probe3")


def discs_in(draw, count, grid):
    """(positions, radii) anywhere in the box; radii for all levels of a grid, a few at the edges."""
    *cells, levels = grid
    lengths = BOX[:len(cells)]
    largest = .499 * min(length / number for length, number in zip(lengths, cells))
    positions = [(draw.choice([0., draw.uniform(0, BOX[0]), draw.uniform(0, BOX[0])]),
                  *(draw.uniform(0, length) for length in lengths[1:])) for _ in range(count)]
    return positions, [largest * draw.uniform(.5, 1) / 2**draw.randrange(levels) for _ in range(count)]


def images_beside(index, other, cells, periodic):
    """Box lengths to add to the coordinate of a disc in cell `other`, for each time that this is beside cell `index`."""
    for step in (-1, 0, 1):
        wrap, inside = divmod(index + step, cells)
        if inside == other and (periodic or wrap == 0):
            yield wrap


@pytest.mark.parametrize("first, others", ROUND, ids=["walls", "in y", "in x", "in all"])
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_neighbours_are_the_discs_of_adjacent_cells(floors, draw, grid, first, others):
    """Each image once, on the coarser of two levels; and whatever touches is among them. In the plane and in space."""
    (*numbers, levels), count = grid, 60
    axes = len(numbers)
    lengths, periodic = BOX[:axes], (first, *[others] * (axes - 1))
    positions, radii = discs_in(draw, count, grid)
    cells = floors.Places(positions, radii, lengths, periodic, numbers, levels)
    for i in range(count):      # elsewhere, and not all in order
        positions[i] = (draw.uniform(0, BOX[0]), *positions[i][1:])
        cells.move(i, positions[i], radii[i])
    cells.check()
    for i, j in itertools.product(range(0, count, 7), range(count)):
        (rank, own), (other_rank, other) = cells.place(i), cells.place(j)
        common = min(rank, other_rank)
        wanted = sorted(itertools.product(*(images_beside(a >> (rank - common), b >> (other_rank - common), n << common, round_)
                                            for a, b, n, round_ in zip(own, other, numbers, periodic))))
        found = sorted(image for k, image in cells.neighbours(i) if k == j)
        assert found == wanted and cells.beside(i, j) == bool(wanted)
        for image in itertools.product(*((-1, 0, 1) if round_ else (0,) for round_ in periodic)):
            image_there = [x + n * length for x, n, length in zip(positions[j], image, lengths)]
            assert math.dist(image_there, positions[i]) > radii[i] + radii[j] or image in found


@pytest.mark.parametrize("grid, per_bucket", [((24, 18, 1), (4, 3)), ((10, 8, 6, 1), (5, 2, 3))], ids=["discs", "spheres"])
def test_hashed_cells_find_the_same_neighbours(floors, draw, grid, per_bucket):
    """Where cells share lists, all that are near are found, and none twice."""
    (*numbers, levels), periodic = grid, [True] * len(per_bucket)
    positions, radii = discs_in(draw, 80, grid)
    plain = floors.Places(positions, radii, BOX[:len(numbers)], periodic, numbers, levels)
    hashed = floors.Places(positions, radii, BOX[:len(numbers)], periodic, numbers, levels, per_bucket)
    hashed.check()
    for i in range(80):
        found = hashed.neighbours(i)
        assert len(found) == len(set(found)) and set(plain.neighbours(i)) <= set(found)


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("grid", [(5, 7, 1), (4, 3, 3), (3, 4, 3, 2)], ids=str)
def test_overlaps_are_those_of_all_pairs(floors, draw, grid, periodic):
    """For discs of different sizes."""
    *numbers, levels = grid
    lengths = np.array(BOX[:len(numbers)])
    positions, radii = map(np.array, discs_in(draw, 150, grid))
    found = floors.overlaps(positions, radii, lengths, [periodic] * len(lengths), numbers, levels)
    apart = np.abs(positions[:, None] - positions)
    apart = np.minimum(apart, lengths - apart) if periodic else apart
    touching = np.sqrt(np.square(apart).sum(2)) < radii[:, None] + radii
    assert len(found) > 50 and sorted(found) == [*zip(*map(np.ndarray.tolist, np.nonzero(np.triu(touching, 1))))]


# impact

def test_simultaneous_impulses_solve_their_problem(probe, draw):
    """None pulls, no contact closes more slowly than it should open, and where one opens faster nothing pushes; energy stays."""
    idle = 0
    for m in [*range(1, 12)] * 20:
        normals = np.array([[draw.gauss(0, 1) for _ in range(m + 1)] for _ in range(m)])
        velocity, mass = np.array([draw.gauss(0, 1) for _ in range(m + 1)]), draw.choice([.5, 1., 3e5])
        after, p = map(np.array, probe.impulses(normals, velocity, mass))
        middle = (velocity + after) / 2         # of an elastic impact: here the gaps of contacts with an impulse stand still
        opening = normals @ middle
        scale = np.abs(normals).max() * np.abs(velocity).max()
        idle += (p == 0).sum()
        assert (p >= 0).all() and (opening > -1e-13 * scale).all() and np.abs(opening[p > 0]).max(initial=0) < 1e-13 * scale
        assert np.allclose(mass * (after - velocity), normals.T @ p, rtol=0, atol=1e-12 * mass * scale)
        assert after @ after == pytest.approx(velocity @ velocity, rel=1e-14)
    assert idle > 50
