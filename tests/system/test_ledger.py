"""`system.ledger`: against a recount from the events, against its definitions, and the second law for every rule."""
import itertools
import math

import numpy as np
import pytest

import hdsim
from hdsim import Box, Circle, CollisionSystem, Gate, Line, Particle, Polygon, Segment, gates, tables, theory
from hdsim.gates import always, coming, faster, slower, species
from hdsim.system import checkpoint

LEFT, RIGHT = coming("left"), coming("right")
SPEEDS = (~always, slower(1), faster(1), always)
POLICIES = [LEFT & a | RIGHT & b for a, b in itertools.product(SPEEDS, SPEEDS)]
KINDS = [species(1), LEFT & species(1) | RIGHT & ~species(1), LEFT & (faster(1.2) | species(0)), ~(LEFT & slower(.7))]


def table(rule, opening=.2):
    return tables.demon(opening, rule=rule)


def gas(rule, n=100, seed=1, radius=.01, **options):
    """Discs in equilibrium on both sides of a gate, of one mass and two species."""
    return table(rule).random(n, radius=radius, temperature=.5, seed=seed, species=[k % 2 for k in range(n)], **options)


class Recount:
    """The ledger of the gate of `table`, from events, positions and velocities alone."""

    def __init__(self, system):
        self.system, self.velocities, self.inside = system, system.velocities.copy(), {}
        self.arrivals, self.refused, self.passes, self.returned, self.energy = ([0, 0] for _ in range(5))
        self.number = next(k for k, obstacle in enumerate(system.obstacles) if isinstance(obstacle, Gate))

    def leave(self, i):
        """Count disc i if it is in the doorway no more. Only a disc that flies away from the gate is clear of it."""
        away = self.system.positions[i, 0] - .5
        if i in self.inside and abs(away) >= self.system.radii[i] and away * self.velocities[i, 0] > 0:
            side = self.inside.pop(i)
            if (away > 0) == (side == 0):
                self.passes[side] += 1
                self.energy[side] += .5 * self.system.masses[i] * (self.velocities[i] ** 2).sum()
            else:
                self.returned[side] += 1

    def hear(self, event):
        for i in event.particles:
            self.leave(i)
        if event.obstacle == self.number:
            i, = event.particles
            side = 0 if self.velocities[i, 0] > 0 else 1        # left comes first
            self.arrivals[side] += 1
            if event.kind == "pass":
                assert i not in self.inside
                self.inside[i] = side
            else:
                self.refused[side] += 1
        self.velocities = self.system.velocities.copy()


@pytest.mark.parametrize("rule", [always, LEFT, POLICIES[9], *KINDS], ids=str)
def test_a_recount_from_the_events_has_the_same_counts(rule):
    """Arrivals, refusals, passes, returns and the energy that passed."""
    system = gas(rule, 60, radius=.02)
    recount = Recount(system)
    for event in itertools.islice(system.events(), 3000):
        recount.hear(event)
    for i in list(recount.inside):
        recount.leave(i)
    ledger = system.ledger()
    assert sum(ledger.passes) > 0 < sum(ledger.returned)
    for name in ("arrivals", "refused", "passes", "returned"):
        assert getattr(ledger, name) == tuple(getattr(recount, name)), name
    assert ledger.energy == pytest.approx(recount.energy, rel=1e-12) and ledger.inside == len(recount.inside)
    on_left = system.positions[:, 0] < .5
    assert ledger.left.n == on_left.sum() and ledger.right.n == (~on_left).sum() and ledger.time == system.time


@pytest.mark.parametrize("rule", [always, LEFT, POLICIES[9], KINDS[1]], ids=str)
def test_a_recount_from_the_event_log_has_the_same_counts(rule, tmp_path):
    """From positions and velocities at the start and the rows of the log alone: arrivals, refusals, passes, returns, energy."""
    system = gas(rule, 60, radius=.02)
    masses, radii = system.masses.tolist(), system.radii.tolist()
    place, velocity, since = system.positions[:, 0].tolist(), system.velocities.copy(), [0.] * len(masses)
    gate = next(k for k, obstacle in enumerate(system.obstacles) if isinstance(obstacle, Gate))
    with system.record(tmp_path / "log.npy") as log:
        contacts = system.simulate(until=12)
    rows = np.load(tmp_path / "log.npy")
    let_in = rows["feature"] == "pass"
    assert contacts == log.contacts == len(rows) - let_in.sum() and (rows["obstacle"][let_in] == gate).all()
    assert (rows["impulse"][let_in] == 0).all() and (rows["impulse"][~let_in] > 0).all()
    inside, arrivals, refused, passes, returned, energy = {}, *([0, 0] for _ in range(5))

    def move(i, time):
        place[i] += velocity[i, 0] * (time - since[i])
        since[i], away = time, place[i] - .5
        if i in inside and abs(away) >= radii[i] and away * velocity[i, 0] > 0:
            side = inside.pop(i)
            through = (away > 0) == (side == 0)
            (passes if through else returned)[side] += 1
            energy[side] += through * masses[i] * (velocity[i] ** 2).sum() / 2

    for _, group in itertools.groupby(rows.tolist(), lambda row: row[7]):
        for time, i, j, _, nx, ny, impulse, _, obstacle, feature in group:
            for disc in (i, j)[:1 + (j >= 0)]:
                move(disc, time)
            if obstacle == gate:
                side = 0 if nx > 0 else 1       # the normal points to the gate
                arrivals[side] += 1
                refused[side] += feature != "pass"
                if feature == "pass":
                    inside[i] = side
            velocity[i] -= impulse / masses[i] * np.array((nx, ny))
            if j >= 0:
                velocity[j] += impulse / masses[j] * np.array((nx, ny))
    for i in list(inside):
        move(i, system.time)
    ledger = system.ledger()
    assert sum(passes) > 0 < sum(returned) and len(inside) == ledger.inside
    for name, counted in dict(arrivals=arrivals, refused=refused, passes=passes, returned=returned).items():
        assert getattr(ledger, name) == tuple(counted), name
    assert ledger.energy == pytest.approx(energy, rel=1e-9)


@pytest.mark.parametrize("temperature, error, message", [
    (math.nan, ValueError, "ledger: temperature is nan; it must be 0 or more, and at most 2.0e+90"),
    (-1, ValueError, "ledger: temperature is -1; it must be 0 or more, and at most 2.0e+90"),
    (math.inf, ValueError, "ledger: temperature is inf; it must be 0 or more, and at most 2.0e+90"),
    (10**400, ValueError, "ledger: temperature is an integer of 401 digits; it must be at most 2.0e+90"),
    ("a", TypeError, "ledger: temperature is 'a'; it must be a number, or None for that of the gas at the start"),
    (True, TypeError, "ledger: temperature is True; it must be a number, or None for that of the gas at the start")])
def test_temperatures_at_which_nothing_is_erased(temperature, error, message):
    system = gas(LEFT, 10)
    with pytest.raises(error) as caught:
        system.ledger(temperature=temperature)
    assert str(caught.value) == message
    assert system.ledger(temperature=0).erasure_work == 0 and system.ledger(temperature=np.float32(2)).temperature == 2


def test_bits_work_and_entropy_are_as_defined():
    """n H(p); k_B T ln 2 for each bit, at the first temperature or another; sum N ln(A T/N), of species apart."""
    system = gas(POLICIES[9], k_B=2.)
    kinds = np.array(system.species)

    def entropy():
        total, energies = 0., (system.velocities ** 2).sum(axis=1) / 2
        for side in (system.positions[:, 0] < .5, system.positions[:, 0] >= .5):
            total += side.sum() * math.log(energies[side].mean())
            total -= sum(m * math.log(m) for m in np.bincount(kinds[side]).tolist())
        return total

    first = entropy()
    assert system.ledger().gas_entropy_change == 0 and system.ledger().bits == 0
    system.simulate(until=30)
    ledger, warm = system.ledger(), system.ledger("demon", temperature=3.)
    n, p = sum(ledger.arrivals), 1 - sum(ledger.refused) / sum(ledger.arrivals)
    assert ledger.bits == pytest.approx(-n * (p * math.log2(p) + (1 - p) * math.log2(1 - p)), rel=1e-12)
    assert ledger.bits_recorded == n and 0 < p < 1
    assert ledger.temperature == pytest.approx(system.kinetic_energy / 100 / 2, rel=1e-9)
    assert ledger.erasure_work == pytest.approx(2 * ledger.temperature * math.log(2) * ledger.bits, rel=1e-12)
    assert warm.erasure_work == pytest.approx(6 * math.log(2) * ledger.bits, rel=1e-12) and warm.temperature == 3
    assert ledger.gas_entropy_change == pytest.approx(entropy() - first, abs=1e-9) and ledger.gas_entropy_change < -3
    assert (ledger.left.area, ledger.right.area) == (.5, .5)
    for half, side in ((ledger.left, system.positions[:, 0] < .5), (ledger.right, system.positions[:, 0] >= .5)):
        assert half.energy == pytest.approx((system.velocities[side] ** 2).sum() / 2, rel=1e-12)
        assert half.temperature == pytest.approx(half.energy / half.n / 2, rel=1e-12)


@pytest.mark.sample(6)
@pytest.mark.parametrize("rule", [*POLICIES, *KINDS], ids=str)
def test_every_rule_obeys_the_second_law(rule):
    """bits ln 2 + the change of entropy is on average not below 0, from a start in equilibrium."""
    both, change = [], []
    for seed in range(8):
        system = gas(rule, seed=seed)
        system.simulate(until=20)
        ledger = system.ledger()
        change.append(ledger.gas_entropy_change)
        both.append(ledger.bits * math.log(2) + ledger.gas_entropy_change)
    assert np.mean(both) >= -4 * np.std(both, ddof=1) / 8**.5 - 1e-12
    if rule in (POLICIES[9], POLICIES[6], LEFT & always | RIGHT & ~always):
        assert max(change) < -3         # the gas alone would not obey it


def test_a_gate_without_a_frame_has_no_halves():
    """Arrivals and bits it has; numbers and entropies it has not."""
    system = CollisionSystem([Particle(1, 2, 1, 0, .125, 1)], box=Box(4, 4), obstacles=[Gate((2, 1.5), (2, 2.5), always)])
    system.simulate(until=2)
    ledger = system.ledger()
    assert (ledger.left, ledger.right, ledger.gas_entropy_change) == (None, None, None) and ledger.passes == (1, 0)


def test_a_sloping_gate_has_unequal_halves():
    """The areas of both parts of the box. A frame that is there for a time only does not divide it."""
    frame = [Segment((0, 1), (1, 2)), Segment((3, 4), (2, 3))]
    system = CollisionSystem([Particle(3, 1, 1, 0, .125, 1)], box=Box(4, 4), obstacles=[*frame, Gate((1, 2), (2, 3), always)])
    assert (system.ledger().left.area, system.ledger().right.area) == (4.5, 11.5)
    assert (system.ledger().left.n, system.ledger().right.n) == (0, 1) and math.isnan(system.ledger().left.temperature)
    frame[1] = Segment((3, 4), (2, 3), until=9)
    system = CollisionSystem([Particle(3, 1, 1, 0, .125, 1)], box=Box(4, 4), obstacles=[*frame, Gate((1, 2), (2, 3), always)])
    assert system.ledger().left is None


@pytest.mark.parametrize("names, asked, message", [
    ([], None, "ledger: expected the name of a gate; there is no gate"),
    ([], "demon", "ledger: expected the name of one gate, found 'demon'; there is no gate"),
    (["north", "south"], None, "ledger: expected the name of a gate; the gates are named 'north', 'south'"),
    (["north", "south"], "noth", "ledger: expected the name of one gate, found 'noth'; the gates are named 'north', 'south'; "
                                 "nearest is 'north'"),
    (["a", "a"], "a", "ledger: expected the name of one gate, found 'a', the name of 2 gates; the gates are named 'a', 'a'; give "
                      "each a name of its own"),
    (["north"], 3, "ledger: expected the name of one gate, found 3; the gates are named 'north'")])
def test_names_that_are_not_those_of_one_gate(names, asked, message):
    walls = [Gate((1 + k, 1), (1 + k, 2), always, name=name) for k, name in enumerate(names)]
    system = CollisionSystem([Particle(3, 3, 1, 0, .125, 1)], box=Box(4, 4), obstacles=walls)
    with pytest.raises(ValueError) as caught:
        system.ledger(asked)
    assert str(caught.value) == message


def one_behind_its_gate():
    """A disc that has passed a gate from left to right, and has met nothing since."""
    gate = Gate((.5, 0), (.5, 1), gates.coming("left"), name="d")
    system = CollisionSystem.from_arrays([(.3, .5)], [(1, 0)], .05, 1., obstacles=[gate])
    system.simulate(until=.4)
    assert system.ledger().passes == (1, 0) and system.ledger().inside == 0
    return system


def test_an_edit_ends_what_has_passed():
    """A disc that is clear of the gate has passed it for good: turned round, it comes from the right, and is refused."""
    system = one_behind_its_gate()
    with system.edit() as draft:
        draft.velocities[0] = (-1, 0)
    assert system.ledger().passes == (1, 0) and system.ledger().inside == 0
    event = system.next_event()
    assert (event.kind, event.obstacle, event.time) == ("wall", 0, pytest.approx(.55, rel=1e-12))
    assert system.ledger().refused == (0, 1) and system.ledger().passes == (1, 0)
    system = one_behind_its_gate()
    with system.edit() as draft:
        draft.positions[0] = (.2, .5)
    assert [event.kind for event in system.events(until=.8)] == ["pass"]      # it is asked again
    assert system.ledger().arrivals == (2, 0)


def test_a_disc_that_is_taken_out_of_the_doorway_is_not_in_it():
    system = one_behind_its_gate()
    system.remove(0)
    assert system.ledger().passes == (1, 0) and system.ledger().inside == 0
    gate = Gate((.5, 0), (.5, 1), gates.always, name="d")
    for moved in False, True:
        system = CollisionSystem.from_arrays([(.3, .5), (.1, .1)], [(1, 0), (0, 0)], .05, 1., obstacles=[gate])
        system.simulate(until=.2)
        assert system.ledger().inside == 1
        if moved:
            with system.edit() as draft:
                draft.positions[0] = (.3, .5)
        else:
            system.remove(0)
        ledger = system.ledger()
        assert (ledger.arrivals, ledger.passes, ledger.returned, ledger.inside) == ((1, 0), (0, 0), (0, 0), 0)
        assert moved == any(event.kind == "pass" for event in system.events(until=.6))


def test_areas_of_halves_are_those_that_obstacles_leave_free():
    """A gas that fills a narrow half and spreads: its entropy grows, though a block takes most of that half."""
    rng = np.random.default_rng(1)
    places = np.column_stack([np.r_[rng.uniform(.41, .49, 50), rng.uniform(.51, .99, 50)], rng.uniform(.01, .99, 100)])
    obstacles = [Segment((.5, 0), (.5, .4)), Segment((.5, .6), (.5, 1)), Gate((.5, .4), (.5, .6), gates.always),
                 Polygon([(0, 0), (.4, 0), (.4, 1), (0, 1)])]
    system = CollisionSystem.from_arrays(places, rng.normal(size=(100, 2)), 0., 1., obstacles=obstacles)
    system.simulate(until=30)
    ledger = system.ledger()
    assert (ledger.left.area, ledger.right.area) == pytest.approx((.1, .5), rel=1e-12)
    assert (ledger.left.kinds[0].area, ledger.right.kinds[0].area) == pytest.approx((.1, .5), rel=1e-12)
    assert ledger.excess == 0 and ledger.bits == 0 and ledger.gas_entropy_change > 10
    filled = CollisionSystem.from_arrays([(.7, .5)], [(1, 0)], .01, 1., obstacles=[*obstacles[:3], Line((.5, 0), (1, 0))])
    assert filled.ledger().left is None and filled.ledger().gas_entropy_change is None


# discs of finite size

FRAME = [Segment((.5, 0), (.5, .4)), Segment((.5, .6), (.5, 1))]
OPEN = Gate((.5, .4), (.5, .6), always, name="g")


def pegs(columns, rows, radius):
    """Pegs on a lattice in the right half."""
    return [Circle((.5 + .5 * (i + .5) / columns, (j + .5) / rows), radius) for i in range(columns) for j in range(rows)]


def centre_areas(system):
    ledger = system.ledger()
    return [half.kinds[0].area for half in (ledger.left, ledger.right)]


def test_one_disc_stays_on_each_side_as_long_as_its_domain_is_large():
    """An ergodic disc among pegs: its share of the time on the left is that of the area of the domain of its centre, doorway and
    round ends of the frame included."""
    system = hdsim.random(1, radius=.03, temperature=1, seed=3, obstacles=[*FRAME, OPEN, *pegs(2, 2, .06)])
    left, right = centre_areas(system)
    # Half a doorway, and a quarter of a disc at each end of the frame, in addition to the rectangle that the frame leaves.
    assert left == pytest.approx(.44 * .94 + .2 * .03 - math.pi * .03**2 / 2, rel=1e-12)
    assert right == pytest.approx(left - 4 * math.pi * .09**2, rel=1e-12)
    shares = np.array([np.mean([system.step(.5) is None or system.positions[0, 0] < .5 for _ in range(2000)]) for _ in range(40)])
    error = shares.std(ddof=1) / len(shares) ** .5
    assert error < .012 and shares.mean() == pytest.approx(left / (left + right), abs=4 * error)


@pytest.mark.sample(1)
@pytest.mark.parametrize("columns, rows, radius, size", [(4, 8, .04, .01), (3, 6, .055, .012)])
def test_an_open_gate_beside_pegs_obeys_the_second_law(columns, rows, radius, size):
    """0 bits: the entropy of the gas does not fall, from densities that are equal by the drawn areas. Points would have another
    equilibrium, so by their areas it falls by two units, six errors below 0."""
    blocks, n, changes = pegs(columns, rows, radius), 200, []
    free = .5 - len(blocks) * math.pi * radius**2
    left = round(n * .5 / (.5 + free))
    for seed in range(16):
        parts = [tables.demon(.2, rule=always).random(k, radius=size, seed=seed + 1000 * room, room=name, obstacles=around)
                 for room, (name, k, around) in enumerate((("left", left, []), ("right", n - left, blocks)))]
        system = CollisionSystem.from_arrays(*(np.vstack([getattr(part, what) for part in parts]) for what in
                                               ("positions", "velocities")), size, 1., obstacles=[*FRAME, OPEN, *blocks])
        system.simulate(until=12)
        ledger = system.ledger()
        assert ledger.bits == 0
        changes.append(ledger.gas_entropy_change)
    error = np.std(changes, ddof=1) / len(changes) ** .5
    assert error < .6 and np.mean(changes) > 2 * error


def test_the_entropy_is_that_of_the_domains_of_all_kinds():
    """Sum N ln(A'/N) over species and sides, for two radii, pegs that one species alone feels, and a gate that lets in one."""
    gate = Gate((.5, .4), (.5, .6), species(0), name="g")
    blocks = [Circle((.75, .25), .1, species=1), Circle((.75, .75), .1)]
    kinds = np.arange(60) % 2
    radii = np.where(kinds == 0, .01, .02)
    rng = np.random.default_rng(1)
    places = np.column_stack([np.repeat(np.linspace(.05, .45, 6), 10), np.tile(np.linspace(.05, .95, 10), 6)])
    system = CollisionSystem.from_arrays(places, rng.normal(size=(60, 2)), radii, 1., species=kinds,
                                         obstacles=[*FRAME, gate, *blocks])

    def room(r, let_in, felt):
        left = (.5 - 2 * r) * (1 - 2 * r) + (.2 * r - math.pi * r**2 / 2 if let_in else 0)
        return left, left - felt * math.pi * (.1 + r) ** 2

    areas = {0: room(.01, True, 1), 1: room(.02, False, 2)}

    def entropy():
        total = 0.
        for left in (True, False):
            side = (system.positions[:, 0] < .5) == left
            energies = (system.velocities[side] ** 2).sum(axis=1) / 2
            total += side.sum() * math.log(energies.mean()) if side.any() else 0
            for kind, (a, b) in areas.items():
                n = int((side & (kinds == kind)).sum())
                total += n * math.log((a if left else b) / n) if n else 0
        return total

    first = entropy()
    system.simulate(until=10)
    ledger = system.ledger()
    assert 0 < ledger.right.n < 30
    assert [kind.area for half in (ledger.left, ledger.right) for kind in half.kinds] == pytest.approx(
        [areas[0][0], areas[1][0], areas[0][1], areas[1][1]], rel=1e-12)
    assert [kind[:3] for kind in ledger.left.kinds] == [(0, .01, 30 - ledger.right.n), (1, .02, 30)]
    assert ledger.gas_entropy_change == pytest.approx(entropy() - first, abs=1e-9)
    eta = math.pi * (radii**2).sum() / (1 - math.pi * .02)
    assert ledger.excess == pytest.approx(theory.mixture_inverse_compressibility(
        math.pi * (radii**2).sum() / (ledger.left.area + ledger.right.area), [1, 1], [.01, .02]) - 1, rel=1e-12) and eta > 0


def test_pockets_that_discs_cannot_reach_do_not_count():
    """A side with a closed ring is as large as what is connected; discs in the ring stay there."""
    ring = Circle((.75, .5), .2, side="both")
    at = [(.1 + .05 * k, .1 + .08 * j) for k in range(5) for j in range(8)]
    entropies = []
    for inside in False, True:
        places = [*at, (.75, .5)] if inside else at
        velocities = np.random.default_rng(1).normal(size=(len(places), 2))
        system = CollisionSystem.from_arrays(places, velocities, .01, 1., obstacles=[*FRAME, OPEN, ring])
        kinds = system.species
        system.simulate(until=20)
        left = system.positions[:, 0] < .5
        in_ring = np.hypot(*(system.positions - (.75, .5)).T) < .19
        a = .48 * .98 + .2 * .01 - math.pi * .01**2 / 2
        rings = math.pi * .21**2, math.pi * .19**2
        energies = (system.velocities ** 2).sum(axis=1) / 2
        first = len(at) * math.log(a / len(at))
        now = sum(n * math.log(area / n) for n, area in ((int(left.sum()), a), (int((~left & ~in_ring).sum()), a - rings[0])))
        start = (velocities ** 2).sum(axis=1) / 2
        at_first = np.r_[np.ones(len(at), bool), np.zeros(len(places) - len(at), bool)]
        heat = sum(side.sum() * math.log(e[side].mean()) * sign for e, sides, sign in
                   ((energies, (left, ~left), 1), (start, (at_first, ~at_first), -1)) for side in sides if side.any())
        entropies.append(system.ledger().gas_entropy_change - (now - first + heat))
        assert in_ring.sum() == inside and len(kinds) == len(places)
    assert entropies == pytest.approx([0, 0], abs=1e-9)


def test_many_radii():
    """Areas of more than 64 radii are interpolated, to 1e-6 of those of each radius; fixed discs are obstacles."""
    places = np.array([(.04 + .05 * (k % 8) + .5 * (k % 16 > 7), .05 + .06 * (k // 16)) for k in range(240)])
    radii = np.linspace(.005, .02, 240)
    masses = np.where(np.arange(240) == 0, math.inf, 1.)
    velocities = np.random.default_rng(1).normal(size=(240, 2)) * (masses < math.inf)[:, None]
    system = CollisionSystem.from_arrays(places, velocities, radii, masses, obstacles=[*FRAME, OPEN])
    kinds = system.ledger().left.kinds
    assert len(kinds) == 239 and system.ledger().gas_entropy_change == 0
    for kind in kinds[:120:20]:
        r = kind.radius
        area = (.5 - 2 * r) * (1 - 2 * r) + .2 * r - math.pi * r**2 / 2 - math.pi * (r + .005) ** 2
        assert kind.area == pytest.approx(area, rel=1e-6)
    few = CollisionSystem.from_arrays(places[[0, 100]], velocities[[0, 100]], radii[[0, 100]], masses[[0, 100]],
                                      obstacles=[*FRAME, OPEN])
    assert few.ledger().left.kinds[0].area == pytest.approx(kinds[99].area, rel=1e-6)


def test_obstacles_that_come_and_go_take_the_area_that_they_take_now():
    """And a disc on a side on which there is no room for it has no entropy."""
    peg = Circle((.25, .5), .2, until=1)
    system = CollisionSystem.from_arrays([(.1, .1)], [(0, 0)], .05, 1., obstacles=[*FRAME, OPEN, peg])
    free = .4 * .9 + .2 * .05 - math.pi * .05**2 / 2
    now, other = centre_areas(system)
    assert other == pytest.approx(free, rel=1e-12) and now < free - .15
    system.simulate(until=2)
    assert centre_areas(system) == pytest.approx([free, free], rel=1e-12)
    shut = Gate((.5, .4), (.5, .6), ~always, name="g")
    walls = [Segment((.42, 0), (.42, 1)), Segment((.08, 0), (.08, 1))]
    wide = CollisionSystem.from_arrays([(.25, .5)], [(0, 0)], .17, 1., obstacles=[*FRAME, shut, *walls])
    assert wide.ledger().gas_entropy_change in (None, 0)


def test_a_ledger_of_other_entropies_is_not_continued(tmp_path, monkeypatch):
    """A checkpoint says of what its entropies are; of one that does not, the change is not known."""
    system = gas(always)
    system.save(tmp_path / "a.npz")
    assert hdsim.load(tmp_path / "a.npz").ledger().gas_entropy_change == 0
    monkeypatch.setattr(checkpoint, "ENTROPY", "points!")
    system.save(tmp_path / "b.npz")
    monkeypatch.undo()
    other = hdsim.load(tmp_path / "b.npz").ledger()
    assert other.gas_entropy_change is None and other.left is not None and other.temperature == pytest.approx(.5, rel=1e-9)


@pytest.mark.parametrize("rule, kinds", [
    (always, (True, True)), (~always, (False, False)), (species(1), (False, True)),
    (LEFT & species(1) | RIGHT & ~species(1), (True, True)),
    (LEFT & RIGHT, (False, False)), (faster(2) & slower(1), (False, False)), (faster(1) & slower(2), (True, True)),
    (faster(0) & slower(1e-80) & species(0, 3), (True, False)),
    (~(LEFT | RIGHT) | species(1) & faster(1e90), (False, True))], ids=str)
def test_whether_a_rule_may_let_in_a_disc_of_a_species(rule, kinds):
    assert tuple(rule.may_let_in(kind) for kind in (0, 1)) == kinds
