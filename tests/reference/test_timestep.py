"""Time-driven schemes: each against plain Python with the book's formulas and against the exact engine."""
import copy
import math
import os
import sys
import threading
import time

import numpy as np
import pytest
from ladders import scene
from scenes import at_most, gas, interrupted, trajectory

import hdsim
from hdsim import Box, CollisionSystem, JammedError, Particle, textbook, theory, timestep
from hdsim.reference.timestep import PAIR_SCHEMES, SCHEMES, Ball, BouncingBalls, TimeDrivenSystem, compare, exact_twin


# the same once more, by the book's formulas

class Reference:
    """The schemes in plain Python, with the disc of `hdsim.textbook`, which shares no code with the core."""

    def __init__(self, system, dt, scheme):
        self.dt, self.scheme, self.width, self.height = dt, scheme, system.box.width, system.box.height
        self.discs = [textbook.Particle(p.rx, p.ry, p.vx, p.vy, p.radius, p.mass) for p in system]
        self.contacts, self.checks = [], 0
        for disc in self.discs:
            disc.box = textbook.Box(self.width, self.height)

    def walls(self, disc, dt):
        """Through which walls it would be after dt, moving outwards."""
        x, y = disc.rx + disc.vx * dt, disc.ry + disc.vy * dt
        return [wall for wall, through in (("left", disc.vx < 0 and x < disc.radius),
                                           ("right", disc.vx > 0 and x > self.width - disc.radius),
                                           ("bottom", disc.vy < 0 and y < disc.radius),
                                           ("top", disc.vy > 0 and y > self.height - disc.radius)) if through]

    def turn(self, i, wall):
        disc = self.discs[i]
        if wall in ("left", "right"):
            disc.bounce_off_vertical_wall()
        else:
            disc.bounce_off_horizontal_wall()
        self.contacts.append((i, wall))

    def bounce(self, i, j):
        self.discs[i].bounce_off(self.discs[j])
        self.contacts.append((i, j))

    def move(self, dt):
        for disc in self.discs:
            disc.move(dt)

    def overlapping(self, a, b):
        self.checks += 1
        return math.hypot(a.rx - b.rx, a.ry - b.ry) < a.radius + b.radius and min(a.mass, b.mass) < math.inf

    def step(self):
        if self.scheme == "ordered":
            return self.step_ordered()
        if self.scheme in ("walls", "overlap"):
            for i, disc in enumerate(self.discs):
                for wall in self.walls(disc, self.dt):
                    self.turn(i, wall)
        self.move(self.dt)
        if self.scheme == "rollback":
            for i, disc in enumerate(self.discs):
                while walls := self.walls(disc, 0):
                    self.turn(i, walls[0])
                    if walls[0] in ("left", "right"):
                        disc.rx += 2 * ((disc.radius if walls[0] == "left" else self.width - disc.radius) - disc.rx)
                    else:
                        disc.ry += 2 * ((disc.radius if walls[0] == "bottom" else self.height - disc.radius) - disc.ry)
        if self.scheme in ("overlap", "rollback"):
            for i, a in enumerate(self.discs):
                for j in range(i + 1, len(self.discs)):
                    if self.overlapping(a, self.discs[j]):
                        self.resolve(i, j)

    def resolve(self, i, j):
        a, b = self.discs[i], self.discs[j]
        if self.scheme == "overlap":
            if (b.rx - a.rx) * (b.vx - a.vx) + (b.ry - a.ry) * (b.vy - a.vy) < 0:
                self.bounce(i, j)
            return
        began = [copy.copy(disc) for disc in (a, b)]
        for disc in began:
            disc.move(-self.dt)
        t = began[0].time_to_hit(began[1])
        if t < math.inf:
            for disc in (a, b):
                disc.move(t - self.dt)
            self.bounce(i, j)
            for disc in (a, b):
                disc.move(self.dt - t)

    def step_ordered(self):
        rest = self.dt
        while True:
            found = []
            ends = [copy.copy(disc) for disc in self.discs]
            for i, disc in enumerate(self.discs):
                ends[i].move(rest)
                for wall in self.walls(disc, rest):
                    t = disc.time_to_hit_vertical_wall() if wall in ("left", "right") else disc.time_to_hit_horizontal_wall()
                    found.append((t, i, wall))
            for i in range(len(ends)):
                for j in range(i + 1, len(ends)):
                    if self.overlapping(ends[i], ends[j]):
                        found.append((self.discs[i].time_to_hit(self.discs[j]), i, j))
            found = [first for first in found if first[0] < math.inf]
            if not found:
                return self.move(rest)
            t, i, partner = min(found, key=lambda first: first[0])
            self.move(t)
            rest -= t
            if isinstance(partner, str):
                self.turn(i, partner)
            else:
                self.bounce(i, partner)


def noted(stepped):
    """A list that the contacts of a run go to: a disc, and a disc or a wall."""
    seen = []
    stepped.on_collision(lambda event: seen.extend((c.i, c.wall if c.j is None else c.j) for c in event.contacts))
    return seen


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_does_what_plain_python_does(scheme):
    """The same contacts in the same order, the same places to rounding, for any radii and masses in an oblong box; as many
    pairs looked at."""
    contacts = 0
    for seed in range(20):
        system = scene(seed)
        stepped, reference = TimeDrivenSystem(system, .05, scheme), Reference(system, .05, scheme)
        seen = noted(stepped)
        for k in range(1, 25):
            stepped.simulate(until=k * .05)
            reference.step()
            assert seen == reference.contacts, (seed, k)
            np.testing.assert_allclose(stepped.positions, [(d.rx, d.ry) for d in reference.discs], rtol=0, atol=1e-7)
        np.testing.assert_allclose(stepped.velocities, [(d.vx, d.vy) for d in reference.discs], rtol=0, atol=1e-6)
        if scheme in PAIR_SCHEMES and scheme != "ordered":
            assert stepped.statistics["checks"] == 24 * 36
        elif scheme == "ordered":
            assert stepped.statistics["checks"] == 36 * (24 + len(seen)) == reference.checks
        assert stepped.collision_counts.tolist() == [d.count for d in reference.discs]
        counts = stepped.statistics
        assert (counts["pair_contacts"], counts["wall_contacts"]) == (sum(isinstance(j, int) for _, j in seen),
                                                                      sum(isinstance(j, str) for _, j in seen))
        contacts += len(seen)
    assert contacts > 300 or scheme == "move" and contacts == 0


def test_bouncing_balls_are_those_of_the_book():
    """`BouncingBalls` moves as N objects of class `Ball` do, bit for bit; no disc is kept outside, and no pair is checked."""
    system = BouncingBalls(50, seed=3)
    balls = [Ball(p.rx, p.ry, p.vx, p.vy, p.radius) for p in system]
    for _ in range(2000):
        for ball in balls:
            ball.move(.5)
    system.simulate(until=1000)
    assert system.positions.tolist() == [[ball.rx, ball.ry] for ball in balls]
    assert (system.positions >= .02).all() and (system.positions <= .98).all()
    assert system.statistics["checks"] == 0 and system.statistics["wall_contacts"] > 100
    assert len(BouncingBalls()) == 100 and BouncingBalls().dt == .5


def test_equal_masses_exchange_their_velocities_along_the_line_of_centres():
    """T7: V_1 = U_2 and V_2 = U_1 head on; the velocity across stays."""
    for scheme in PAIR_SCHEMES:
        stepped = TimeDrivenSystem(CollisionSystem([Particle(.3, .5, .125, .25, .0625, 2), Particle(.7, .5, -.5, .25, .0625, 2)]),
                                  .01, scheme)
        stepped.simulate(until=.7)
        np.testing.assert_allclose(stepped.velocities, [(-.5, .25), (.125, .25)], rtol=0, atol=1e-14)


# what C12 lists: the defects of the source's code

def test_no_disc_collides_with_itself():
    for scheme in SCHEMES:
        stepped = TimeDrivenSystem(CollisionSystem([Particle(.5, .5, .25, .125, .1, 1)]), .125, scheme)
        stepped.simulate(until=1)
        assert stepped.positions.tolist() == [[.75, .625]] and stepped.statistics["checks"] == 0


@pytest.mark.parametrize("scheme", SCHEMES[1:])
def test_a_disc_outside_that_moves_inwards_is_not_reflected(scheme):
    """Steps longer than the box lead out of it, and in again: no wall turns a disc that moves inwards."""
    stepped = TimeDrivenSystem(CollisionSystem([Particle(.5, .5, 2.5, 1e-3, .1, 1)]), 1.0, scheme)
    for k in range(1, 200):
        stepped.simulate(until=k)
        x, vx = stepped.positions[0, 0], stepped.velocities[0, 0]
        assert -2.5 < x < 3.5 and abs(vx) == 2.5
        assert scheme == "walls" or scheme == "overlap" or .1 - 1e-9 <= x <= .9 + 1e-9


@pytest.mark.parametrize("scheme", PAIR_SCHEMES)
def test_discs_that_overlap_and_recede_do_not_collide_again(scheme):
    """Their velocities are not exchanged again at each step."""
    with pytest.warns(hdsim.OverlapWarning):
        system = CollisionSystem([Particle(.4, .5, -.01, 0, .1, 1), Particle(.5, .5, .01, 0, .1, 1)])
    stepped = TimeDrivenSystem(system, .5, scheme)
    assert stepped.simulate(until=5) == 0 and stepped.deepest_overlap == pytest.approx(.45)


@pytest.mark.parametrize("scheme", PAIR_SCHEMES)
@pytest.mark.parametrize("dt", [.01, .1, 1.0])
def test_energy_is_conserved_however_late_contacts_are_seen(scheme, dt):
    """An exchange along the line of centres conserves energy and momentum wherever it happens: energy tells nothing of what
    has been missed."""
    system = scene(5)
    stepped = TimeDrivenSystem(system, dt, scheme)
    stepped.simulate(until=20)
    assert stepped.kinetic_energy == pytest.approx(system.kinetic_energy, rel=1e-13)
    assert stepped.statistics["pair_contacts"] > 5 or dt == 1.0


def test_rollback_goes_back_to_the_root_of_the_quadratic():
    """An oblique contact in mid-step: the places after it are those of the exact engine."""
    system = CollisionSystem([Particle(.3, .45, .3, .02, .06, 1), Particle(.6, .5, -.1, .01, .05, 3)])
    exact = exact_twin(system)
    exact.simulate(until=1)
    assert exact.statistics["pair_contacts"] == 1
    for scheme, error in ("rollback", 1e-14), ("ordered", 1e-14), ("overlap", .03):
        stepped = TimeDrivenSystem(system, .25, scheme)
        stepped.simulate(until=1)
        away = np.abs(stepped.positions - exact.positions).max()
        assert away < error and (error < .01 or away > 1e-4)


# against the exact engine

@pytest.mark.sample(1)
@pytest.mark.parametrize("name, until, steps", [("diagonal", 64, (64, 256, 1024)), ("wallbouncing", 8, (8, 64, 512)),
                                                ("billiards5", 5, (8, 32, 512)), ("p1000-.5K", 4, (64, 128))])
def test_the_ordered_scheme_is_exact_once_it_misses_nothing(name, until, steps):
    """To rounding, for every dt; and so is the rollback that is not ordered, once dt separates all contacts that share a disc."""
    system = hdsim.load(name)
    for n in steps:
        found = compare(system, until / n, "ordered", until)
        assert found.missed == 0 and found.position_error < 1e-12 and abs(found.energy_error) < 1e-15
        assert found.checks == (n + _contacts(system, until)) * math.comb(len(system), 2)
    other = compare(system, until / n, "rollback", until)
    assert other.missed == 0 and other.position_error < 1e-12


def _contacts(system, until):
    return exact_twin(system).simulate(until=until)


def test_the_overlap_scheme_is_of_first_order():
    """A contact is seen half a step late on average: the error falls as dt, averaged over where in a step contacts fall."""
    errors = np.array([[compare(system, .25 / n, "overlap", .25).position_error for n in (256, 1024, 4096)]
                       for system in (gas(10, seed=seed, radius=.02) for seed in range(40))])
    slopes = np.log(errors[:, 0] / errors[:, -1]) / math.log(16)
    assert slopes.mean() == pytest.approx(1, abs=4 * slopes.std() / len(slopes)**.5) and slopes.std() < 1


def test_fast_discs_pass_through_each_other():
    """T4: with a step of more than a diameter, and unlucky places; with a tenth of one, none does."""
    system = CollisionSystem([Particle(.2, .5, .4, 0, .01, 1), Particle(.8, .5, -.4, 0, .01, 1)])
    for scheme in PAIR_SCHEMES:
        missed, seen = (compare(system, dt, scheme, 1.0) for dt in (.5, .0025))
        assert (missed.contacts, missed.missed, seen.missed) == (1, 1, 0)
        assert missed.deepest_overlap == 0 == missed.energy_error


def test_the_share_that_is_missed():
    """The law of random chords: against the chords themselves, and its limits."""
    rng = np.random.default_rng(7)
    chord, phase = np.sqrt(1 - rng.uniform(0, 1, 200_000)**2), rng.uniform(0, 1, 200_000)
    for u in (.2, .7, 1.0, 3.0):
        lost = phase * u > chord
        assert theory.missed_share(u) == pytest.approx(lost.mean(), abs=4 * lost.std() / len(lost)**.5)
    assert theory.missed_share([0, 1e-5, 1e-3]) == pytest.approx([0, 1e-10 / 6, 1e-6 / 6], rel=1e-5)
    assert theory.missed_share(1e9) == pytest.approx(1)
    with pytest.raises(ValueError, match="step is -1"):
        theory.missed_share(-1)


# time

def test_steps_end_where_they_are_computed():
    """At k dt from the start, not at a sum; also of a start that is not 0."""
    system = hdsim.load("p10")
    system.simulate(until=20)
    stepped = TimeDrivenSystem(system, .1)
    event = stepped.next_event()
    k = round((event.time - 20) / .1)
    assert event.time == 20 + k * .1 and stepped.statistics["steps"] == k
    stepped.simulate(until=20 + 1000 * .1)
    assert stepped.statistics["steps"] == 1000


def test_a_run_ends_at_its_end_time():
    """Also an ulp before a step: .18 + .02 is less than 10 * .02, so no step ends there."""
    stepped = TimeDrivenSystem(hdsim.load("diagonal"), .02)
    for k in range(1, 400):
        for end in math.nextafter(k * .02, 0), (k - 1) * .02 + .02, math.nextafter(k * .02, 9):
            if end >= stepped.time:
                stepped.simulate(until=end)
                assert stepped.time == end and stepped.statistics["steps"] == (k if end >= k * .02 else k - 1)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_looking_does_not_move(scheme):
    """In pieces, with timers, read and peeked at on the way: the same bits as in one run."""
    watched, alone = (TimeDrivenSystem(gas(), 1e-3, scheme) for _ in range(2))
    watched.on_redraw(lambda event: watched.positions, every=.00037)
    for k in range(1, 200):
        watched.simulate(until=k * .00271)
        if k < 20:
            watched.peek()
    alone.simulate(until=199 * .00271)
    assert trajectory(watched) == trajectory(alone)
    assert alone.time == 199 * .00271 and alone.statistics["steps"] == 539


def test_between_steps_discs_are_seen_straight_on():
    """Also through a wall, from where the next step brings them back."""
    stepped = TimeDrivenSystem(CollisionSystem([Particle(.8, .5, 1, 0, .125, 1)]), .5, "rollback")
    stepped.simulate(until=.25)
    assert stepped.positions.tolist() == [[1.05, .5]] and stepped.statistics["steps"] == 0
    stepped.simulate(until=.5)
    assert stepped.positions.tolist() == [[pytest.approx(.45), .5]]


def test_events_are_steps_with_contacts():
    """next_event, peek and events tell the same; a timer is one, after the contacts of its instant; limits count them."""
    stepped = TimeDrivenSystem(hdsim.load("billiards5"), .25)
    ahead = stepped.peek()
    assert stepped.time == 0 and stepped.statistics["steps"] == 0
    event = stepped.next_event()
    assert event == ahead and event.time == 4.5 and event.kind == "multi" and set(event.particles) > {0}
    assert event.contacts[0].normal == pytest.approx((0, -1), abs=.1) and event.impulse > 0
    first = TimeDrivenSystem(hdsim.load("billiards5"), .25)
    assert [first.simulate(until=9, max_events=1), first.time] == [len(event.contacts), 4.5]
    timer = stepped.on_timer(lambda event: None, every=5)
    seen_events = list(stepped.events(until=5))
    assert [seen_events[-1].kind, seen_events[-1].time, stepped.time] == ["timer", 5, 5] and stepped.peek() is not None
    timer.cancel()
    assert [event.kind for event in stepped.copy().events(until=7)][-1] != "timer"
    still = TimeDrivenSystem(CollisionSystem([Particle(.5, .5, 0, 0, .1, 1)]), 1)
    assert still.next_event() is still.peek() is None and still.simulate(max_events=5) == 0
    assert TimeDrivenSystem(hdsim.load("p10"), 1, "move").next_event() is None
    one = TimeDrivenSystem(CollisionSystem([Particle(.5, .5, 1, 0, .25, 1)]), .5, "walls")
    one.on_timer(lambda event: None, every=.375)
    assert (one.peek().kind, one.next_event().time, one.peek().wall) == ("timer", .375, "right")


def test_callbacks_can_stop_the_run_and_cannot_run_it():
    stepped = TimeDrivenSystem(gas(), 1e-3)
    kinds = []
    subscription = stepped.on_collision(lambda event: kinds.append(event.kind) or hdsim.STOP, kind="pair")
    stepped.simulate(until=1)
    assert len(kinds) == 1 and stepped.time == stepped.statistics["steps"] * 1e-3 < 1
    subscription.cancel()
    stepped.on_timer(lambda event: hdsim.STOP, every=.25)
    stepped.simulate(until=1)
    assert stepped.time == .25
    assert [event.kind for event in stepped.events()][-1] == "timer" and stepped.time == .5
    stepped.on_timer(lambda event: stepped.simulate(until=9), every=.6)
    with pytest.raises(RuntimeError, match="this system is running already"):
        stepped.simulate(until=1)
    assert stepped.time == .6


def test_limits_of_seconds_leave_a_step():
    stepped = TimeDrivenSystem(gas(2000, radius=.001), 1e-4, "rollback")
    stepped.simulate(until=1e9, max_seconds=.02)
    assert 0 < stepped.time == stepped.statistics["steps"] * 1e-4
    stepped.simulate(until=stepped.time, max_seconds=0)
    before = stepped.time
    stepped.simulate(until=1e9, max_seconds=0)
    assert stepped.time > before
    assert stepped.step(.00025) >= 0 and stepped.time == pytest.approx(before + .00035, abs=2e-4)


# copies, reversal, face

def test_a_copy_goes_on_alone_with_the_same_bits():
    stepped = TimeDrivenSystem(gas(), .003)
    stepped.simulate(until=.1)
    twins = [stepped.copy(), copy.copy(stepped), copy.deepcopy(stepped)]
    stepped.simulate(until=.3)
    for twin in twins:
        assert twin.time == .1
        twin.simulate(until=.3)
        assert trajectory(twin) == trajectory(stepped) and twin.statistics == stepped.statistics
    assert 0 < sys.getsizeof(stepped) < 1e5


@pytest.mark.parametrize("turn", [50, 50.3])
def test_reversed_velocities_return_home(turn):
    """In a step's end or between: the discs turn where they are seen, and are at home at twice the time."""
    system = hdsim.load("p10")
    stepped = TimeDrivenSystem(system, .25)
    stepped.simulate(until=turn)
    seen = stepped.positions
    stepped.reverse()
    assert np.array_equal(seen, stepped.positions)
    stepped.simulate(until=2 * turn)
    np.testing.assert_allclose(stepped.positions, system.positions, atol=.002 if turn > 50 else 1e-11)
    assert stepped.statistics["pair_contacts"] > 0


def test_the_face_is_that_of_a_collision_system():
    system = hdsim.load("brownian2")
    stepped = TimeDrivenSystem(system, 1e-2)
    for name in ("positions", "velocities", "radii", "masses", "colors", "ids", "collision_counts", "pair_counts",
                 "wall_counts", "momentum", "unwrapped_positions"):
        mine, theirs = getattr(stepped, name), getattr(system, name)
        assert np.array_equal(mine, theirs) and mine.dtype == theirs.dtype
        assert name == "momentum" or not mine.flags.writeable
    assert stepped.kinetic_energy == pytest.approx(system.kinetic_energy, rel=1e-14)
    assert stepped.temperature == pytest.approx(system.temperature, rel=1e-14)
    assert stepped.packing_fraction == system.packing_fraction and len(stepped) == len(system) and stepped.box == system.box
    assert stepped[3].rx == system[3].rx and stepped[-1].mass == system[-1].mass
    assert repr(stepped) == "<TimeDrivenSystem of 201 discs in 1 x 1, scheme ordered, dt 0.01, time 0>"
    assert stepped.near(4).candidates.tolist() == [i for i in range(201) if i != 4]
    stepped.simulate(until=.1)
    checks = stepped.pair_checks
    assert checks.made == stepped.statistics["checks"] >= 10 * math.comb(201, 2)
    assert np.array_equal(stepped.configuration().positions, stepped.positions)
    with pytest.raises(IndexError):
        stepped[201]


def test_what_a_time_driven_engine_cannot_do_is_refused():
    stepped = TimeDrivenSystem(hdsim.load("p10"), 1)
    for act in (lambda: stepped.edit(), lambda: stepped.add(stepped[0]), lambda: stepped.remove(0)):
        with pytest.raises(RuntimeError, match="the time-driven engine cannot change its discs"):
            act()
    for name, reason in (("observe", "observers sum up exact flights"), ("queue", "it has no queue"),
                         ("schedule", "it predicts nothing"), ("record", "only the exact engine writes"),
                         ("save", "it has no checkpoints")):
        with pytest.raises(AttributeError, match=f"the time-driven engine has no {name}: {reason}"):
            getattr(stepped, name)
    with pytest.raises(AttributeError, match="'TimeDrivenSystem' object has no attribute 'colour'"):
        getattr(stepped, "colour")  # noqa: B009
    for act, message in ((lambda: stepped.simulate(until=-1), "until is -1; it must not be before"),
                         (lambda: stepped.simulate(until=math.nan), "until is nan"),
                         (lambda: stepped.simulate(), "nothing can stop the run"),
                         (lambda: stepped.step(-1), "dt is -1; it must be >= 0"),
                         (lambda: stepped.on_timer(print, every=0), "every is 0"),
                         (lambda: stepped.on_collision(print, kind="both"), 'kind is \'both\'; it must be "pair"'),
                         (lambda: TimeDrivenSystem(hdsim.load("p10"), 0), "dt is 0; it must be positive"),
                         (lambda: TimeDrivenSystem(hdsim.load("p10"), math.nan), "dt is nan; it must be positive"),
                         (lambda: TimeDrivenSystem(hdsim.load("p10"), 1, "top"), "scheme is 'top'; it must be one of move"),
                         (lambda: TimeDrivenSystem(gas(box=Box(periodic=(True, False))), 1), "knows walls only"),
                         (lambda: TimeDrivenSystem(CollisionSystem(obstacles=[hdsim.Segment((0, 0), (1, 1))]), 1),
                          "the time-driven engine knows no obstacles, and this system has 1; the exact engine does")):
        with pytest.raises(ValueError, match=message):
            act()


@pytest.mark.parametrize("scheme", ["rollback", "ordered"])
def test_a_disc_without_room_is_a_jam_and_leaves_the_last_step(scheme):
    stepped = TimeDrivenSystem(CollisionSystem([Particle(.5, .5, .25, 0, .5, 1)]), 1, scheme)
    with pytest.raises(JammedError, match="jammed: disc 0 collides without end in the step that begins at 0;") as caught:
        stepped.simulate(until=5)
    assert caught.value.particles == (0,)
    assert stepped.time == 0 and stepped.positions.tolist() == [[.5, .5]] and stepped.statistics["steps"] == 0


# threads and Ctrl-C

@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
def test_ctrl_c_leaves_a_whole_step():
    """Within a step that takes long, too: what it has done is undone."""
    script = """
import time, numpy as np
import hdsim
from hdsim.timestep import TimeDrivenSystem
system = hdsim.random(20_000, radius=1e-3, temperature=1)
stepped = TimeDrivenSystem(system, 1e-2)         # hundreds of contacts, and all pairs again after each
print("ready", flush=True)
try:
    stepped.simulate(until=1)
except KeyboardInterrupt:
    print(time.monotonic(), stepped.time, stepped.statistics["steps"], stepped.statistics["checks"], stepped.hash(),
          np.array_equal(stepped.positions, system.positions))
"""
    with at_most(60):
        sent, out = interrupted(script, .3)
    stopped, *rest = out.split()
    assert float(stopped) - sent < 2        # of a busy machine; this step takes minutes
    assert rest == ["0.0", "0", "0", "0" * 16, "True"]


def test_a_second_thread_gets_an_error_and_the_gil_is_free():
    stepped = TimeDrivenSystem(gas(3000, radius=1e-3), 1e-5, "rollback")
    thread = threading.Thread(target=lambda: stepped.simulate(until=1, max_seconds=.5))
    thread.start()
    time.sleep(.1)
    for call in (lambda: stepped.simulate(until=9), lambda: stepped.positions, lambda: stepped.copy(), lambda: stepped.reverse(),
                 lambda: stepped.collision_counts):
        with pytest.raises(RuntimeError, match="running"):
            call()
    assert len(stepped.hash()) == 16 and stepped.statistics["steps"] >= 0
    thread.join()
    assert stepped.positions.shape == (3000, 2)


def test_the_example_of_the_module(root):
    """What stands in its docstring is so."""
    import doctest

    assert doctest.testmod(timestep, extraglobs={"hdsim": hdsim}) == (0, 6)
