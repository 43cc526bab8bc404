"""The textbook engine: exact cases, conservation, order, callers of a run, and what is refused. It needs nothing compiled."""
import ast
import doctest
import inspect
import math
import random
import sys
from pathlib import Path

import pytest

import hdsim.reference.textbook as textbook
import hdsim.reference.textbook_obstacles as textbook_obstacles
from hdsim.reference.textbook import STOP, CollisionSystem, Particle

BOOK_DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "algs4"  # the book's own files, if present


def log(system, until):
    return [(event.time, event.disc_indices, event.wall) for event in system.events(until)]


def gas(n_side=5, seed=1):
    """n_side^2 discs on a lattice, masses 1 to 3, random velocities."""
    rnd, pitch = random.Random(seed), 1 / n_side
    return [Particle((i + .5) * pitch, (j + .5) * pitch, rnd.uniform(-1, 1), rnd.uniform(-1, 1), .3 * pitch, 1 + (i + j) % 3)
            for i in range(n_side) for j in range(n_side)]


def row(speeds, radius=1 / 16, start=1.0):
    """Touching discs of mass 1 side by side, with dyadic positions."""
    return [Particle(start + 2 * radius * k, .5, v, 0, radius, 1) for k, v in enumerate(speeds)]


# The module as a whole

def test_the_docstring_example_runs():
    """The example at the top of the module does what it prints."""
    assert doctest.testmod(textbook).failed == 0


def test_it_stands_alone():
    """It imports the standard library only, and so do its obstacles: a second opinion that shares no code with the engine."""
    nodes = [node for module in (textbook, textbook_obstacles) for node in ast.walk(ast.parse(inspect.getsource(module)))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} - {"textbook_obstacles"} <= set(sys.stdlib_module_names)


# Exact cases

def test_head_on_with_masses_one_and_three():
    """Contact at 3/16, velocities -2 and 0 after it, positions .4125 and .5625 at t = .2."""
    light, heavy = Particle(.25, .5, 1, 0, 1 / 16, 1), Particle(.75, .5, -1, 0, 1 / 16, 3)
    system = CollisionSystem([light, heavy])
    assert system.simulate(.2) == 1
    assert (light.vx, heavy.vx) == (-2, 0)
    assert system.positions == [(pytest.approx(.4125, abs=1e-15), .5), (.5625, .5)]
    assert system.time == .2


def test_a_disc_in_the_corner_comes_back_bitwise():
    """Two walls at once, four wall hits in each period of 3/2; after 1000 periods at the very same place."""
    system = CollisionSystem([Particle(.5, .5, 1, 1, 1 / 8, 1)])
    first, second = system.next_event(), system.next_event()
    assert (first.time, first.wall, second.time, second.wall) == (3 / 8, "right", 3 / 8, "top")
    assert system.velocities == [(-1, -1)]
    assert system.simulate(1500) == 4000 - 2
    assert system.positions == [(.5, .5)] and system.velocities == [(1, 1)]


def test_the_orbit_of_period_six():
    """v = (1, 3/4): fourteen wall hits, and back where it began."""
    system = CollisionSystem([Particle(.5, .25, 1, .75, 1 / 8, 1)])
    assert system.simulate(60) == 140
    assert system.positions == [(pytest.approx(.5, abs=1e-13), pytest.approx(.25, abs=1e-13))]


def test_a_row_that_moves_together_stays_together():
    """Eight discs abreast hit the walls at the same instants, in order, and never get out of line."""
    system = CollisionSystem([Particle(1 / 16 + i / 8, .5, 0, 1, 1 / 32, 1) for i in range(8)])
    hits = log(system, 100)
    assert len(hits) == 8 * 107
    assert [discs for _, discs, _ in hits] == [(i,) for i in range(8)] * 107
    assert len({y for _, y in system.positions}) == 1


def test_four_discs_that_meet_in_the_middle_go_back():
    """Four contacts at t = 1/4 - sqrt(2)/16; in any order every velocity is reversed."""
    velocities = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    centres = [(.25, .5), (.75, .5), (.5, .25), (.5, .75)]
    system = CollisionSystem([Particle(*r, *v, 1 / 16, 1) for r, v in zip(centres, velocities)])
    times = [event.time for event in system.events(.2)]
    assert times == pytest.approx([.25 - math.sqrt(2) / 16] * 4, abs=1e-15)
    assert system.velocities == [pytest.approx((-vx, -vy), abs=1e-14) for vx, vy in velocities]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_newtons_cradle_hands_on_as_many_as_come_in(k):
    """k discs in, k discs out, at exactly speed 1; all others at exactly 0."""
    speeds = [1] * k + [0] * (6 - k)
    system = CollisionSystem(row(speeds), width=8)
    contacts = log(system, 1)
    assert {time for time, _, _ in contacts} == {0}
    assert len(contacts) == k * (6 - k)
    assert [v for v, _ in system.velocities] == speeds[::-1]


def test_a_symmetric_break_is_resolved_in_sequence():
    """A cue disc meets two touching discs at once: the book takes the lower one first, and the answer is not symmetric."""
    r = 1 / 16
    cue = Particle(.5, .5, 1, 0, r, 1)
    targets = [Particle(.5 + r * math.sqrt(3), .5 + side * r, 0, 0, r, 1) for side in (1, -1)]
    system = CollisionSystem([cue, *targets])
    system.simulate(.1)
    s = math.sqrt(3) / 8
    assert system.velocities == [pytest.approx(v, abs=1e-14) for v in [(-.125, -s), (.75, 2 * s), (.375, -s)]]


@pytest.mark.parametrize("ratio, pairs, walls, big, small", [
    (1, 2, 1, 0, 1),
    (100, 16, 15, .99885759556311843, .47786020820588592),
    (10000, 157, 157, .99999855956297771, .16973131619503998)])
def test_galperin_counts_the_digits_of_pi(ratio, pairs, walls, big, small):
    """3, 31, 314 collisions of a small disc between a wall and a big one, with the known last speeds."""
    discs = [Particle(1, .5, 0, 0, 1 / 16, 1), Particle(2, .5, -1, 0, 1 / 16, ratio)]
    system = CollisionSystem(discs, width=4096)
    assert system.simulate(200) == pairs + walls
    statistics = system.statistics
    assert (statistics["pair_contacts"], statistics["wall_contacts"]) == (pairs, walls)
    speeds = (big, small) if ratio > 1 else (0, 1)  # equal masses exchange
    assert (abs(discs[1].vx), abs(discs[0].vx)) == (pytest.approx(speeds, abs=1e-12) if ratio > 1 else (1, 0))
    assert discs[0].vy == discs[1].vy == 0


def test_the_diagonal_pair_meets_at_44():
    """The book's diagonal.txt: two discs that rise together meet at t = 44."""
    system = CollisionSystem([Particle(.05, .05, .01, .01, .01, 1), Particle(.95, .05, -.01, .01, .01, 1)])
    event = system.next_event()
    assert (event.kind, event.time) == ("pair", pytest.approx(44, abs=1e-12))


def test_the_pendulum():
    """The book's pendulum.txt: contacts at 25.0, 25.01, 25.02, and the wall at 55.0."""
    xs = (.1, .01), (.45, 0), (.5501, 0), (.6502, 0)
    system = CollisionSystem([Particle(x, .3, v, 0, .05, 1) for x, v in xs])
    assert log(system, 56) == [(pytest.approx(25.00, abs=1e-10), (0, 1), None), (pytest.approx(25.01, abs=1e-10), (1, 2), None),
                               (pytest.approx(25.02, abs=1e-10), (2, 3), None), (pytest.approx(55.00, abs=1e-10), (3,), "right")]


def test_the_cue_disc_reaches_the_rack():
    """The first contact of the book's billiards5.txt is at t = 4.341539030917349."""
    r = 0.028999999999999998
    system = CollisionSystem([Particle(.5, 0.5921539030917348, 0, 0, r, 1), Particle(.5, .1, 0, .1, r, 1)])
    assert system.next_event().time == pytest.approx(4.341539030917349, rel=1e-15)
    assert system.velocities == [(0, .1), (0, 0)]


def test_a_wide_box_has_its_own_walls():
    """width and height move the right and the top wall, for every disc."""
    system = CollisionSystem([Particle(1, 1, 1, 0, .25, 1), Particle(1, 2, 0, 1, .25, 1)], width=4, height=3)
    assert log(system, 3) == [(.75, (1,), "top"), (2.75, (0,), "right")]


# Long runs

def test_a_gas_conserves_energy_and_stays_in_order():
    """1000 contacts: energy to 1e-12, no disc in another or in a wall, and every event accounted for."""
    system = CollisionSystem(gas())
    energy = system.kinetic_energy
    assert system.simulate(1e9, max_events=1000) == 1000
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-12)
    for i, a in enumerate(system.particles):
        assert a.radius - 1e-12 <= min(a.rx, a.ry) and max(a.rx, a.ry) <= 1 - a.radius + 1e-12
        for b in system.particles[:i]:
            assert math.hypot(a.rx - b.rx, a.ry - b.ry) > a.radius + b.radius - 1e-12
    s = system.statistics
    assert s["pair_contacts"] + s["wall_contacts"] == 1000
    assert s["inserted"] == 1000 + s["stale"] + s["queue_size"]
    assert s["queue_size"] <= s["queue_size_max"] <= s["inserted"] <= s["predictions"]
    assert s["predictions"] == (25 + s["wall_contacts"]) * (24 + 2) + 2 * s["pair_contacts"] * (23 + 2)
    assert sum(p.count for p in system.particles) == 2 * s["pair_contacts"] + s["wall_contacts"]


def test_the_queue_agrees_with_searching_all_pairs_at_every_event():
    """The lazy heap finds the same 200 events as a search, without memory, for the earliest of all."""
    system, discs = CollisionSystem(gas(seed=2)), gas(seed=2)
    time = 0.0
    for _ in range(200):
        candidates = [(a.time_to_hit(b), (i, j), lambda a=a, b=b: a.bounce_off(b))
                      for j, b in enumerate(discs) for i, a in enumerate(discs[:j])]
        candidates += [(p.time_to_hit_vertical_wall(), (i,), p.bounce_off_vertical_wall) for i, p in enumerate(discs)]
        candidates += [(p.time_to_hit_horizontal_wall(), (i,), p.bounce_off_horizontal_wall) for i, p in enumerate(discs)]
        dt, indices, bounce = min(candidates, key=lambda candidate: candidate[0])
        for p in discs:
            p.move(dt)
        bounce()
        time += dt
        event = system.next_event()
        assert event.disc_indices == indices
        assert event.time == pytest.approx(time, abs=1e-9)


def test_reversed_velocities_return_home():
    """After time t forward and t with velocities reversed, every disc is where it began."""
    system = CollisionSystem(gas(n_side=3))
    start = system.positions
    contacts = system.simulate(1)
    assert contacts > 10
    system.reverse()
    assert system.step(1) == contacts
    assert [x for r in system.positions for x in r] == pytest.approx([x for r in start for x in r], abs=1e-9)


def test_pieces_make_the_same_run():
    """Ten short runs meet the same contacts as one long run, at the same times to rounding."""
    whole, pieces = CollisionSystem(gas(n_side=3)), CollisionSystem(gas(n_side=3))
    expected = log(whole, 1)
    found = [entry for k in range(1, 11) for entry in log(pieces, k / 10)]
    assert [entry[1:] for entry in found] == [entry[1:] for entry in expected]
    assert [entry[0] for entry in found] == pytest.approx([entry[0] for entry in expected], abs=1e-9)


@pytest.mark.skipif(not BOOK_DATA.is_dir(), reason="the book's data files are not part of the project")
@pytest.mark.parametrize("name", ["billiards5", "p10", "p100-2K", "diffusion"])
def test_the_files_of_the_book_conserve_energy(name):
    """500 contacts of the book's own data conserve energy to 1e-10."""
    n, *values = (BOOK_DATA / f"{name}.txt").read_text().split()
    rows = [list(map(float, values[9 * i:9 * i + 9])) for i in range(int(n))]
    system = CollisionSystem([Particle(*row[:6], map(int, row[6:])) for row in rows])
    energy = system.kinetic_energy
    assert system.simulate(1e9, max_events=500) == 500
    assert system.kinetic_energy == pytest.approx(energy, rel=1e-10)


# The loop and its callers

def test_simulate_ends_at_until_and_does_nothing_twice():
    """time is until, events at until included; the same call again returns 0."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)])
    assert (system.simulate(.375), system.time, system.velocities) == (1, .375, [(-1, 0)])
    assert system.simulate(.375) == 0
    assert (system.step(.125), system.time, system.positions) == (0, .5, [(.75, .5)])


def test_next_event_and_peek():
    """peek tells what next_event does, past stale events too, and changes nothing."""
    system = CollisionSystem(gas(n_side=3))
    for _ in range(50):
        before = system.time, system.positions, system.velocities, system.statistics
        seen = system.peek()
        assert (system.time, system.positions, system.velocities, system.statistics) == before
        assert system.next_event() is seen
        assert system.time == seen.time


def test_time_of_next_is_that_of_the_next_event():
    """Past stale events, which it deletes; infinity where nothing will ever happen."""
    system = CollisionSystem(gas(n_side=3))
    for _ in range(50):
        time = system.time_of_next()
        assert system.next_event().time == time
    assert CollisionSystem([]).time_of_next() == math.inf


def test_nothing_will_ever_happen():
    """Discs at rest, or no discs: no event, and simulate only moves the clock."""
    for particles in [], [Particle(.5, .5, 0, 0, .125, 1)]:
        system = CollisionSystem(particles, time=-3)
        assert len(system) == len(particles)
        assert system.next_event() is None and system.peek() is None
        assert (system.simulate(5), system.time, system.kinetic_energy) == (0, 5, 0)
        assert (system.simulate(math.inf, max_events=1), system.time) == (0, 5)


def test_max_events_stops_at_the_last_contact():
    """max_events counts contacts, not redraws, and the clock stays at the last one."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)])
    system.on_redraw(lambda event: None, every=.25)
    assert (system.simulate(math.inf, max_events=0), system.time) == (0, 0)
    assert (system.simulate(math.inf, max_events=2), system.time) == (2, 1.125)


def test_max_seconds_stops_the_run():
    """With no real time left the run ends after one event, at that event."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)])
    assert (system.simulate(math.inf, max_seconds=0), system.time) == (1, .375)


def test_a_callback_stops_the_run():
    """STOP, returned by on_collision or on_redraw, ends simulate and events there; any other answer does not."""
    assert STOP == "stop"
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)])
    system.on_collision(lambda event: STOP)
    system.on_collision(lambda event: None)
    assert (system.simulate(math.inf), system.time) == (1, .375)
    assert ([event.time for event in system.events(10)], system.time) == ([1.125], 1.125)
    system.on_redraw(lambda event: STOP, every=.5)
    assert (system.simulate(10), system.time) == (0, 1.5)


def test_no_other_answer_stops_the_run():
    """Callbacks may return what they like: only STOP means stop."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)])
    for answer in None, True, "go", [STOP]:
        system.on_collision(lambda event, answer=answer: answer)
    assert (system.simulate(2), system.time) == (3, 2)


def test_on_collision_calls_after_the_event_and_by_kind():
    """f sees the velocities after the contact, once for each; kind chooses pairs or walls; redraws are not contacts."""
    system = CollisionSystem(gas(n_side=3))
    seen = {None: [], "pair": [], "wall": []}
    for kind in seen:
        system.on_collision(lambda event, kind=kind: seen[kind].append(event), kind=kind)
    system.on_redraw(lambda event: None, every=.1)
    assert len(seen[None]) == 0
    contacts = system.simulate(1)
    assert len(seen[None]) == contacts and sorted(seen["pair"] + seen["wall"]) == seen[None]
    assert {event.kind for event in seen["pair"]} == {"pair"} and {event.kind for event in seen["wall"]} == {"wall"}


def test_redraws_come_at_exact_multiples():
    """k * every, each time the product and never a sum, for every k later than the registration."""
    system = CollisionSystem(gas(n_side=3))
    times, late = [], []
    system.on_redraw(lambda event: times.append(event.time), every=.1)
    system.simulate(.25)
    system.on_redraw(lambda event: late.append(event.time), every=.125)
    system.simulate(3.25)
    assert times == [k * .1 for k in range(1, 33)]
    assert late == [k * .125 for k in range(3, 27)]


def test_redraws_begin_before_time_zero_too():
    """The multiples are counted from time 0, wherever the clock starts."""
    system = CollisionSystem([], time=-1)
    times = []
    system.on_redraw(lambda event: times.append(event.time), every=.5)
    system.simulate(1)
    assert times == [-.5, 0, .5, 1]


def test_a_redraw_follows_the_contacts_of_its_instant():
    """At t = .375 the disc has already bounced when the redraw comes; redraws at one instant go by registration."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)])
    seen = []
    system.on_redraw(lambda event: seen.append(("first", system.time, system.velocities[0][0])), every=.375)
    system.on_redraw(lambda event: seen.append(("second", system.time, system.velocities[0][0])), every=.375)
    assert [event.kind for event in system.events(.375)] == ["wall", "redraw", "redraw"]
    assert seen == [("first", .375, -1), ("second", .375, -1)]


def test_reverse_keeps_the_redraws():
    """Predicting everything again neither drops nor doubles a redraw."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)])
    times = []
    system.on_redraw(lambda event: times.append(event.time), every=.25)
    system.simulate(.5)
    system.reverse()
    system.simulate(1)
    assert times == [.25, .5, .75, 1]


def test_a_callback_may_fail_and_the_system_goes_on():
    """An exception in a callback comes after the event: the run can be resumed as if nothing had been."""
    system, twin = CollisionSystem(gas(n_side=3)), CollisionSystem(gas(n_side=3))
    failures = [RuntimeError("oh")]

    def fail(event):
        if failures:
            raise failures.pop()

    system.on_collision(fail)
    with pytest.raises(RuntimeError, match="oh"):
        system.simulate(1)
    assert 1 + system.simulate(1) == twin.simulate(1)
    assert system.positions == twin.positions


def test_from_arrays_takes_any_sequences():
    """Columns make the same system as particles; colors are black if none are given."""
    ps = gas(n_side=3)
    columns = [(p.rx, p.ry) for p in ps], [[p.vx, p.vy] for p in ps], tuple(p.radius for p in ps), [p.mass for p in ps]
    system = CollisionSystem.from_arrays(*columns, width=1, height=2)
    assert (system.radii, system.masses, system.colors) == (list(columns[2]), columns[3], [(0, 0, 0)] * 9)
    assert log(system, 1) == log(CollisionSystem(ps, 1, 2), 1)
    assert system.box == (1, 2)
    colored = CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], [.1], [1], [[1, 2, 3]])
    assert colored.particles[0].color == (1, 2, 3)


def test_from_arrays_takes_numpy_arrays_and_keeps_plain_floats():
    """Arrays go in; inside are Python numbers, whose arithmetic is faster and does not warn."""
    np = pytest.importorskip("numpy")
    system = CollisionSystem.from_arrays(np.array([[.3, .5], [.7, .5]]), np.array([[1, 0], [0, 0]]), np.full(2, .1), np.ones(2),
                                         np.zeros((2, 3), np.uint8))
    system.simulate(2)
    assert {type(x) for r in system.positions + system.velocities for x in r} == {float}
    assert {type(x) for color in system.colors for x in color} == {int}


# What is refused

def test_unequal_columns_are_refused():
    """A missing row is an error, not a shorter system."""
    with pytest.raises(ValueError, match="equal lengths, not 1, 1, 2, 1, 1"):
        CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], [.1, .1], [1])


@pytest.mark.parametrize("width, height", [(0, 1), (1, -1), (math.inf, 1), (1, math.nan)])
def test_an_impossible_box_is_refused(width, height):
    """Both sides are positive and finite."""
    with pytest.raises(ValueError, match="the box is"):
        CollisionSystem([], width, height)


def test_an_impossible_time_is_refused():
    """The clock starts at a finite time."""
    with pytest.raises(ValueError, match="time is nan"):
        CollisionSystem([], time=math.nan)


def test_one_particle_twice_is_refused():
    """One object cannot be two discs."""
    disc = Particle(.5, .5, 0, 0, .1, 1)
    with pytest.raises(ValueError, match="twice"):
        CollisionSystem([disc, disc])


@pytest.mark.parametrize("rx, ry", [(.25, .5), (.75, .5), (.5, .25), (.5, .75)])
def test_a_disc_may_touch_the_wall_but_not_stick_out(rx, ry):
    """On the wall, and beyond it by rounding (1e-9 of the radius), is inside; further out is refused, and changes no disc."""
    out = 2 * (rx - .5), 2 * (ry - .5)
    for excess in 0, .4e-9:
        disc = Particle(rx + out[0] * excess, ry + out[1] * excess, *out, .25, 1)
        assert CollisionSystem([disc]).next_event().time == 0
        assert (disc.vx, disc.vy) == (-out[0], -out[1])
    fine, bad = Particle(.5, .5, 0, 0, .1, 1), Particle(rx + out[0] * 1e-9, ry + out[1] * 1e-9, 0, 0, .25, 1)
    with pytest.raises(ValueError, match="disc 1 at .* is not inside the box"):
        CollisionSystem([fine, bad])
    assert fine.index == -1


def test_simulate_refuses_the_past_and_the_endless():
    """until is a number, not before time, and finite unless something can end the run; limits are not negative."""
    system = CollisionSystem([Particle(.5, .5, 1, 0, .125, 1)], time=1)
    for until in .5, math.nan, -math.inf:
        with pytest.raises(ValueError, match="until is"):
            system.simulate(until)
        with pytest.raises(ValueError, match="until is"):
            system.events(until)
    with pytest.raises(ValueError, match="until is"):
        system.step(-.1)
    with pytest.raises(ValueError, match="until is infinite"):
        system.simulate(math.inf)
    with pytest.raises(ValueError, match="max_events is -1"):
        system.simulate(2, max_events=-1)
    with pytest.raises(ValueError, match="max_seconds is nan"):
        system.simulate(2, max_seconds=math.nan)
    assert system.time == 1 and system.statistics["wall_contacts"] == 0


@pytest.mark.parametrize("every", [0, -1, math.inf, math.nan, 1e-20])
def test_impossible_redraws_are_refused(every):
    """The period is positive, finite, and large enough to move the clock."""
    system = CollisionSystem([], time=1)
    with pytest.raises(ValueError, match="every is"):
        system.on_redraw(lambda event: None, every)
    assert system.next_event() is None


def test_an_unknown_kind_is_refused():
    """on_collision knows pairs and walls."""
    with pytest.raises(ValueError, match="kind is 'redraw'"):
        CollisionSystem([]).on_collision(print, kind="redraw")


def test_a_jam_is_an_error_that_names_the_discs():
    """Four discs fill the row from wall to wall and one moves: events without end at t = 0, a fifth stays out."""
    jammed = [Particle(1 / 8 + k / 4, .5, k == 0, 0, 1 / 8, 1) for k in range(4)]
    system = CollisionSystem([*jammed, Particle(.5, .8, 0, 0, .05, 1)])
    energy = system.kinetic_energy
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"jammed at time 0: .* discs \[0, 1, 2, 3\]"):
            system.simulate(1)
        assert (system.time, system.kinetic_energy) == (0, energy)
    contacts = system.statistics["pair_contacts"] + system.statistics["wall_contacts"]
    assert contacts == 1000 * (5 + 1)


def test_a_jam_names_only_the_discs_of_its_instant():
    """A row from wall to wall is struck at t > 0 from above; a bystander that met a wall before has no part in it."""
    row_of_four = [Particle(1 / 8 + k / 4, .5, 0, 0, 1 / 8, 1) for k in range(4)]
    striker, bystander = Particle(1 / 16, .9, 0, -1, 1 / 16, 1), Particle(.9, .9, 1, 0, .05, 1)
    system = CollisionSystem([*row_of_four, striker, bystander])
    with pytest.raises(RuntimeError, match=r"discs \[0, 1, 2, 3, 4\]"):
        system.simulate(1)
    assert bystander.count == 1 and 0.05 < system.time < .3


def test_an_impulse_lost_in_rounding_is_no_jam():
    """Touching discs whose speeds differ in the last digit: the impulse changes nothing, and they go on together."""
    left = Particle(.5, .5, .1, 0, .05, 1)
    right = Particle(.5 + .06, .5 + .08, math.nextafter(.1, 0), 0, .05, 1)
    left.bounce_off(right)
    assert (left.vx, left.vy, right.vx) == (.1, pytest.approx(0, abs=1e-16), math.nextafter(.1, 0))
    left.vy = right.vy = .07
    system = CollisionSystem([left, right])
    assert system.simulate(1) <= 2
    assert system.time == 1


def test_many_contacts_in_one_instant_are_no_jam():
    """A cradle of forty discs, twenty against twenty, needs 400 contacts at once, and gets them."""
    system = CollisionSystem(row([1] * 20 + [-1] * 20, start=2), width=16)
    assert system.simulate(.5) == 400
    assert [v for v, _ in system.velocities] == [-1] * 20 + [1] * 20
