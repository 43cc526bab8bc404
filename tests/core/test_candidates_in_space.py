"""Contact times and bounds in vectors, in the plane and in space, against the exact formula; and neighbour lists."""
import itertools
import math
from pathlib import Path

import probes
import pytest

AXES = [2, 3]
pytestmark = [pytest.mark.xdist_group("candidates"), pytest.mark.more]     # ten seconds to compile what they call


@pytest.fixture(scope="module")
def modules(root, missing):
    """The module candidates_probe.pyx for each number of axes."""
    built = probes.build(root, missing, {Path(__file__).with_name("candidates_probe.pyx"): AXES})
    return {axes: probes.loaded(built, "candidates_probe", axes) for axes in AXES}


@pytest.fixture(params=AXES)
def axes(request):
    return request.param


@pytest.fixture
def probe(modules, axes):
    return modules[axes]


def any_scene(probe, axes, draw, digits=53):
    """(a scene, its discs, its lengths, its periodic axes): as many discs as fill vectors, and some more, in or around a box. The
    fewer digits, the more ties and touching discs there are."""
    def vector(reach):
        return [round(draw.uniform(-reach, reach) * 2.**digits) / 2.**digits for _ in range(axes)]
    lengths = [draw.choice([1., 1.5, 3.]) for _ in range(axes)]
    periodic = [draw.random() < .5 for _ in range(axes)]
    speed = 2.**draw.randint(-8, 8)
    discs = [[[x + draw.choice([0., 0., length]) for x, length in zip(vector(1.), lengths, strict=True)],
              [speed * v for v in vector(1.)], -draw.randint(0, 64) / 64 / speed, draw.randint(1, 48) / 128]
             for _ in range(draw.randint(2, 40))]
    discs[0][2] = 0.
    return probe.Scene(discs, lengths, periodic), discs, lengths, periodic


@pytest.mark.parametrize("digits", [53, 4])
def test_vectors_have_the_bits_of_the_exact_formula(probe, axes, draw, digits):
    """For each candidate in its nearest image; and the two lowest times are found."""
    meetings = 0
    for _ in range(300):
        scene, discs, lengths, periodic = any_scene(probe, axes, draw, digits)
        for lanes in probe.lanes()[1:]:
            found = scene.contact_times(lanes == 8)
            if found is None:       # some pair has almost no relative velocity
                continue
            times, (first, second, best), images = found
            assert times[0] == math.inf and images[0] == [0] * axes
            assert times == [math.inf, *(scene.contact_time(k, images[k]) for k in range(1, len(discs)))]
            for k, image in enumerate(images):
                for a in range(axes):
                    far = discs[k][0][a] - discs[k][1][a] * discs[k][2] - discs[0][0][a] + image[a] * lengths[a]
                    assert abs(far) <= .5000001 * lengths[a] if periodic[a] else image[a] == 0
            assert [first, second] == sorted([*times, math.inf])[:2] and times[best] == first
            meetings += sum(t < math.inf for t in times)
    assert meetings > 200 or len(probe.lanes()) == 1


def test_bounds_are_below_the_times(probe, axes, draw):
    """In the nearest images and in any others, and not far below for discs whose gap is not small."""
    close = met = 0
    for _ in range(200):
        scene, discs, _lengths, periodic = any_scene(probe, axes, draw)
        wide = [[draw.randint(-1, 1) if p else 0 for p in periodic] for _ in discs]
        nearest = (scene.contact_times(False) or [None] * 3)[2] if len(probe.lanes()) > 1 else None
        for lanes in probe.lanes():
            for images, shown in [(None, nearest), (wide, wide)]:
                bounds, (first, second, best) = scene.bounds(lanes, images)
                assert [first, second] == sorted([*bounds, math.inf])[:2] and bounds[best] == first
                for k in range(1, len(discs) if shown else 1):
                    t = scene.contact_time(k, shown[k])
                    assert bounds[k] <= t
                    met += 0. < t < math.inf
                    close += .25 * t <= bounds[k] < math.inf and 0. < t < math.inf
    assert met > 300 and close > .5 * met


def test_what_moves_in_a_plane_of_space_has_the_times_of_the_plane(modules, draw):
    """In each of the three planes, bit for bit."""
    for _ in range(100):
        flat, discs, lengths, periodic = any_scene(modules[2], 2, draw)
        for lanes in modules[2].lanes()[1:]:
            times = (flat.contact_times(lanes == 8) or [None])[0]
            for one, other in itertools.permutations(range(3), 2):
                def lifted(values, empty, one=one, other=other):
                    return [values[0] if a == one else values[1] if a == other else empty for a in range(3)]
                scene = modules[3].Scene([[lifted(r, .25), lifted(v, 0.), t, radius] for r, v, t, radius in discs],
                                         lifted(lengths, 1.), lifted(periodic, True))
                assert (scene.contact_times(lanes == 8) or [None])[0] == times


def test_neighbours_are_those_whose_windows_are_close(probe, axes, draw):
    """Discs that can touch before one leaves its window, and not many others."""
    kept = 0
    for _ in range(200):
        scene, discs, lengths, periodic = any_scene(probe, axes, draw)
        half = draw.uniform(0., .05)
        apart = []
        for r, _, _, radius in discs[1:]:
            gaps = [abs(a - b - round((a - b) / length) * length if p else a - b) for a, b, length, p
                    in zip(r, discs[0][0], lengths, periodic, strict=True)]
            if axes == 2:       # windows are squares, and balls in space
                apart.append(math.hypot(*(max(gap - 2. * half, 0.) for gap in gaps)) / (radius + discs[0][3]))
            else:
                apart.append(math.hypot(*gaps) / (radius + discs[0][3] + 2. * half))
        for lanes in probe.lanes():
            found = scene.neighbours(lanes, half)
            assert {k for k, far in enumerate(apart, 1) if far < 1.} <= {*found}
            assert all(apart[k - 1] < 1.00001 for k in found) and found == sorted({*found})
            kept += len(found)
    assert kept > 100


def test_all_close_centres_are_found(modules, draw):
    """And hardly any others, while spheres come and go; also where a cell has more of them than places."""
    probe = modules[3]
    lengths, cells, reach = [6., 7., 9.], [6, 6, 8], 1.
    for periodic in itertools.product([False, True], repeat=3):
        centres = probe.CentreCells(lengths, periodic, cells, reach)
        spheres, found, far = {}, 0, 0
        for turn in range(700):
            if turn % 3 == 2:
                disc = draw.choice(sorted(spheres))
                centres.drop(disc, spheres.pop(disc))
            else:               # every fourth one in a few cells
                spheres[turn] = [draw.uniform(0., length) / (1 + 2 * (turn % 4 == 1)) for length in lengths]
                centres.add(turn, spheres[turn])
            if turn % 10:
                continue
            at = [draw.uniform(0., length) / (1 + 2 * (turn % 40 == 0)) for length in lengths]
            apart = {disc: math.hypot(*(abs(a - b - round((a - b) / length) * length if p else a - b) for a, b, length, p
                                        in zip(r, at, lengths, periodic, strict=True))) for disc, r in spheres.items()}
            for wide in [False, True][:len(probe.lanes())]:
                near = centres.around(at, wide)
                assert len({*near}) == len(near) and {disc for disc, d in apart.items() if d <= reach} <= {*near}
                assert max((apart[disc] for disc in near), default=0.) < 1.03 * reach
            found += len(near)
            far += sum(apart[disc] > reach for disc in near)
        assert centres.in_use() and found > 100 and far < .1 * found


def test_centres_are_not_used_without_places_for_them(modules, draw):
    """Fifteen in a cell have places; and there are not as many for each cell."""
    probe = modules[3]
    for most, others in [(15, 0), (8, 100)]:
        centres = probe.CentreCells([6., 6., 6.], [True] * 3, [6, 6, 6], 1.)
        at = [[x + .5 for x in cell] for cell in itertools.product(range(6), repeat=3)][:others + 1]
        for disc, r in enumerate(r for r in at for _ in range(most)):
            centres.add(disc, r)
        assert centres.in_use()
        added = len(at) * most
        for disc in range(added, added + len(at)):
            if centres.in_use():
                centres.add(disc, at[disc - added])
        assert not centres.in_use()
