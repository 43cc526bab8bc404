"""States of spheres: lattices, random sequential addition, compression; velocities; errors that say what goes further."""
import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, _core3, states
from hdsim.model.errors import PackingError
from hdsim.starts.draws import Stream, cube_root, normal

CUBE = Box(1, 1, depth=1, periodic=True)


def legal(state):
    """Whether no two spheres overlap, and the engine accepts the state."""
    box = state.box
    overlaps = _core3.count_overlaps(np.ascontiguousarray(state.positions), state.radii, box.lengths, box.periodic, 1e-9)
    return overlaps == 0 and state.system(seed=1).dimension == 3


@pytest.mark.parametrize("lattice, n, packing, nearest", [
    (states.fcc, 108, .74, 12), (states.bcc, 54, .68, 8), (states.simple_cubic, 64, .5235, 6)])
def test_lattices_are_those_of_their_names(lattice, n, packing, nearest):
    """Each sphere has the number of neighbours at the least distance, which is nearly a diameter close to the densest state."""
    state = lattice(n, packing, side=2.)
    assert state.packing_fraction == pytest.approx(packing, rel=1e-14) and state.box.lengths == (2., 2., 2.) and legal(state)
    gap = state.positions[:, None] - state.positions
    distance = np.linalg.norm(gap - 2 * np.rint(gap / 2), axis=2) + 9 * np.eye(n)
    assert ((distance < 1.05 * distance.min()).sum(axis=1) == nearest).all()
    assert distance.min() == pytest.approx(2 * state.radii[0], rel=1e-3)


@pytest.mark.parametrize("call, message", [
    (lambda: states.fcc(100, .5), "100 spheres make no fcc lattice in a cube; the nearest that do are 32 and 108; hdsim.states"),
    (lambda: states.fcc(0, .5), "0 spheres make no fcc lattice in a cube; the nearest that do are 4;"),
    (lambda: states.bcc(16, .7), "packing_fraction is 0.7; it must be above 0 and at most 0.680175, .* hdsim.states.fcc goes"),
    (lambda: states.fcc(32, .75), "packing_fraction is 0.75; it must be above 0 and at most 0.740480, that of touching spheres$"),
    (lambda: states.simple_cubic(8, .52, side=math.inf), "side is inf; it must be positive and finite"),
    (lambda: states.simple_cubic(1, .3), "the radius of 1 sphere is 0.415283; it must be less than a quarter of the side"),
    (lambda: states.compressed(8, .6, box=CUBE), "largest radius is 0.261.*; it must be less than a quarter of each s"),
    (lambda: states.compressed(8, .3, box=CUBE, obstacles=[hdsim.Circle((.5, .5), .1)]), "obstacles have two dimensions")])
def test_what_does_not_go_says_what_does(call, message):
    """One line."""
    with pytest.raises(ValueError, match=message):
        call()


def test_random_addition_of_spheres_saturates():
    """Up to .36 any number finds its place, at random; at .4 no hole is left near the saturation of .384."""
    state = states.sequential_addition(400, .36, seed=3, box=CUBE)
    assert state.packing_fraction == pytest.approx(.36) and legal(state)
    assert abs(state.positions.mean(axis=0) - .5).max() < .06
    with pytest.raises(PackingError, match="there is no room left for disc") as caught:
        states.sequential_addition(400, .45, seed=3, box=CUBE)
    assert .36 < caught.value.reached < .4 and legal(caught.value.state)


def test_equal_seeds_place_equal_spheres():
    """Bit for bit, and other seeds others; units do not matter."""
    one, two = (states.sequential_addition(50, .2, seed=seed, box=CUBE) for seed in (1, 1))
    assert (one.positions == two.positions).all() and (one.radii == two.radii).all()
    assert (states.sequential_addition(50, .2, seed=2, box=CUBE).positions != one.positions).any()
    large = states.sequential_addition(50, .2, seed=1, box=Box(8, 8, depth=8, periodic=True))
    assert (large.positions == 8 * one.positions).all()


@pytest.mark.parametrize("box", [CUBE, Box(1, 1, depth=1), Box(4, 3, depth=1, periodic=(True, True, False))])
def test_spheres_grow_in_any_box(box):
    """To .5, in a periodic cube, between six walls, in a slab."""
    state = states.compressed(400, .5, seed=1, box=box, rate=.05)
    assert state.packing_fraction == pytest.approx(.5, rel=1e-12) and legal(state)


def test_mixtures_of_spheres_grow():
    """One large sphere among six small ones, as in AB6, and radii of three decades of volume: beyond what equal ones reach."""
    radii = np.ones(140)
    radii[:20] = 2.
    state = states.compressed(radii, .63, box=CUBE, rate=.1)
    assert state.radii / state.radii[-1] == pytest.approx(radii) and legal(state)
    wide = np.geomspace(1., 10., 60)
    assert legal(states.compressed(wide, .5, box=CUBE, rate=.1))


def test_a_mixture_of_one_to_six_is_compressed_in_a_small_box():
    """Eight large spheres of AB6's proportions and 48 small ones, to a packing fraction that equal spheres never have at random;
    fewer are refused, and the message says what helps."""
    radii = np.repeat([1., .4], [8, 48])
    state = states.compressed(radii, .68, seed=1, box=CUBE)
    assert state.packing_fraction == pytest.approx(.68, rel=1e-12) and legal(state)
    system = state.system(1., masses=radii**3)
    system.simulate(max_events=5000)
    system.check()
    with pytest.raises(ValueError, match="the largest radius is 0.37.*quarter of each side of the box, 1 among them: take more"):
        states.compressed(radii[[0, 1, *range(8, 20)]], .6, box=CUBE)


def test_random_packings_reach_the_density_of_jammed_spheres():
    """.63 at a moderate rate: no crystal, for no sphere has twelve neighbours in the places of a lattice."""
    state = states.compressed(256, .63, seed=2, box=CUBE, rate=.05)
    assert state.packing_fraction == pytest.approx(.63) and legal(state)
    with pytest.raises(PackingError, match="jammed at packing fraction 0.[56]"):
        states.compressed(100, .72, seed=2, box=CUBE, rate=.5)


def test_velocities_of_spheres_have_the_temperature():
    """The mean energy of 3 n - 3 components, exactly; each component Gaussian; none along which the sum counts."""
    state = states.fcc(108, .3)
    system = state.system(2.5, masses=np.linspace(1, 3, 108), seed=4)
    assert system.temperature == pytest.approx(2.5, rel=1e-13)
    still = states.thermal_velocities(np.ones(500), 1., 5, zero_momentum=True, box=CUBE)
    assert still.shape == (500, 3) and abs(still.sum(axis=0)).max() < 1e-12
    many = normal(30_001, Stream(1), 3)
    assert abs(many.mean(axis=0)).max() < .02 and np.cov(many.T) == pytest.approx(np.eye(3), abs=.03)
    assert (many**4).mean(axis=0) == pytest.approx(3., abs=.15)


def test_the_cube_root_is_right_to_rounding():
    """For numbers of all sizes, within two units of the last place of the root."""
    for x in np.geomspace(1e-300, 1e300, 601).tolist():
        assert cube_root(x)**3 == pytest.approx(x, rel=1e-15)


@pytest.mark.parametrize("n, radius", [(300, None), (300, .05), (150, .0895), (50, 0.)])
def test_random_spheres_are_a_legal_gas(n, radius):
    """Thin, by addition; dense, as a fluid that has grown; points. The same bits for the same seed, between walls too."""
    for box in (CUBE, (1, 1, 1)):
        one, two = (hdsim.random(n, radius=radius, temperature=1.5, seed=2, box=box) for _ in range(2))
        assert one.hash() == two.hash() and (one.positions == two.positions).all() and one.dimension == 3
        assert (one.masses * (one.velocities**2).sum(axis=1)).sum() / (3 * n) == pytest.approx(1.5, rel=1e-12)
    assert hdsim.load("20", box=(1, 1, 1)).dimension == 3


def test_random_spheres_freeze_at_last():
    """Beyond the fluid the message has the largest radius, which works."""
    with pytest.raises(ValueError, match="more than the 0.494 of the densest fluid: .* at most; hdsim.states makes") as error:
        hdsim.random(100, radius=.12, box=CUBE)
    most = float(str(error.value).split("may be ")[1].split()[0])
    assert hdsim.random(100, radius=most, box=CUBE).packing_fraction == pytest.approx(.494, rel=1e-3)
    with pytest.raises(ValueError, match="does not fit in a box"):
        hdsim.random(2, radius=.3, box=CUBE)
    with pytest.raises(ValueError, match="no room for disc 2 of 2 with radius 0.32: take fewer"):
        hdsim.random(2, radius=.32, box=(1, 1, 1))
