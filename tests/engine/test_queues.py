"""What can be seen of the algorithm: the queue in use, the next predictions, and how few pairs are looked at."""
import itertools
import math

import numpy as np
import pytest
from systems import random_arrays

import hdsim
from hdsim import Box, CollisionSystem, Particle
from hdsim.model.queues import PairChecks, pair_checks
from hdsim.reference.textbook_face import TextbookSystem

HAPPENINGS = ("pair", "wall", "redraw", "timer")


def gas(seed=3, **options):
    """Some 100 discs of three sizes in a box with walls, in full motion."""
    arrays = random_arrays(seed, n_max=200, at_rest=0.0)
    system = CollisionSystem.from_arrays(**arrays, **options)
    system.simulate(max_events=300)
    return system


def identity(entry):
    return entry.time, entry.kind, entry.particles, entry.wall, entry.item


def assert_comes_next(entry, event):
    """The first entry of a queue is the next event, or something before it that is none."""
    if entry.kind in HAPPENINGS:
        assert entry.time == event.time and set(entry.particles) <= set(event.particles)
        assert event.kind in (entry.kind, "multi") and (event.kind == "multi" or entry.wall == getattr(event, "wall", None))
    else:
        assert entry.time <= event.time


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("queue", ["heap", "calendar"])
def test_the_first_entry_comes_next(seed, queue):
    """Pair, wall and timer are the next event; a crossing or a re-prediction comes before it. When they have come they are
    counted, or, if the prediction was postponed, stand at a later time."""
    system = CollisionSystem.from_arrays(**random_arrays(seed, n_max=200, periodic=(seed % 2 == 1, False)), queue=queue)
    system.on_timer(lambda event: None, every=0.003)
    seen = set()
    for _ in range(300):
        first = min(system.queue(100_000).entries, key=lambda entry: entry.time)
        before = system.statistics
        assert_comes_next(first, system.peek())
        system.next_event()
        counted = {"crossing": "crossings", "re-prediction": "repredictions", "wall": "wall_contacts",
                   "pair": "pair_contacts"}.get(first.kind)
        if first.kind == "re-prediction" and system.statistics["repredictions"] == before["repredictions"]:
            assert all(entry.time > first.time for entry in system.queue(100_000).entries if entry.item == first.item)
        else:
            assert counted is None or system.statistics[counted] > before[counted]
        seen.add(first.kind)
    assert {"pair", "crossing", "timer"} <= seen


@pytest.mark.parametrize("queue", ["heap", "calendar"])
def test_each_disc_and_each_timer_has_one_item(queue):
    """Numbers 0 ... n - 1 are discs, which their entries name; timers follow, with the times at which they are due."""
    system = gas(queue=queue)
    timers = [system.on_timer(print, every=10.), system.on_redraw(print, every=3.)]
    system.on_timer(print, every=1.).cancel()
    n, everything = len(system), system.queue(1000)
    assert everything.size == n + 2 == len(everything.entries)
    assert sorted(entry.item for entry in everything.entries) == [*range(n), n, n + 1]
    for entry in everything.entries:
        if entry.item < n:
            assert entry.item in entry.particles and entry.kind in ("pair", "wall", "crossing", "re-prediction")
            assert len(entry.particles) == (2 if entry.kind == "pair" else 1) and (entry.wall is None) == (entry.kind != "wall")
        else:
            assert (entry.kind, entry.particles) == (timers[entry.item - n].kind, ())
            assert entry.time == math.ceil(system.time / timers[entry.item - n].every) * timers[entry.item - n].every
        assert entry.time >= system.time and not entry.stale
    assert everything.stale == 0


def test_a_heap_is_listed_slot_by_slot():
    """No slot is earlier than its parent, at any k; k cuts the end off."""
    system = gas(queue="heap")
    for _ in range(50):
        system.next_event()
        whole = system.queue(1000)
        assert whole.kind == "heap" and whole.days == () and whole.day_length is None
        times = [entry.time for entry in whole.entries]
        assert all(times[(s - 1) // 2] <= times[s] for s in range(1, len(times)))
        for k in (-1, 0, 1, 63):
            part = system.queue(k)
            assert part.entries == whole.entries[:max(k, 0)] and part.size == whole.size


def test_a_calendar_is_listed_day_by_day():
    """Days ascend, entries of a day lie in it and are sorted, and no entry left out is earlier than those listed."""
    late = CollisionSystem([*gas(), *(Particle(.2 + .1 * k, .01, 0, 0, 0, 1) for k in range(2))], box=gas().box)
    for system, never in ((gas(), 0), (late, 2)):
        for _ in range(100):
            system.next_event()
            whole, part = system.queue(1000), system.queue(20)
            assert whole.kind == "calendar" and 0 < whole.day_length < math.inf
            assert sum(day.size for day in whole.days) == whole.size == len(whole.entries)
            assert sum(entry.kind == "never" for entry in whole.entries) <= never
            assert whole.entries == tuple(itertools.chain.from_iterable(day.entries for day in whole.days))
            if not whole.days[0].as_heap:
                assert [entry.time for entry in part.entries] == sorted(entry.time for entry in whole.entries)[:20]
            numbers = [day.number for day in whole.days if day.number is not None]
            assert numbers == sorted(numbers) and None not in [day.number for day in whole.days[:-1]]
            for day in whole.days:
                times = [entry.time for entry in day.entries]
                assert day.as_heap or times == sorted(times)
                if day.number is None:
                    assert math.isnan(day.begin)
                else:
                    assert day.begin - 1e-9 <= times[0] and times[-1] <= day.begin + whole.day_length + 1e-9


def test_a_day_of_many_entries_is_a_heap():
    """A lattice on which much happens at once: today's entries stand slot by slot, no slot earlier than its parent."""
    positions = [((x + .5) / 16, (y + .5) / 16) for x in range(16) for y in range(16)]
    system = CollisionSystem.from_arrays(positions, [(1, 0) if round(16 * y) % 2 else (-1, 0) for _, y in positions], .01)
    system.next_event()
    today = system.queue(1000).days[0]
    assert today.as_heap and len(today.entries) == today.size > 12
    assert all(today.entries[(s - 1) // 2].time <= entry.time for s, entry in enumerate(today.entries) if s > 0)
    assert len(system.queue(5).entries) == 5


def test_heap_and_calendar_hold_the_same():
    """The same system with either queue, and with one that was looked at all the time."""
    heap, calendar, quiet = gas(queue="heap"), gas(), gas()
    for _ in range(200):
        heap.next_event(), calendar.next_event(), quiet.next_event()
        assert sorted(map(identity, heap.queue(1000).entries)) == sorted(map(identity, calendar.queue(1000).entries))
    assert calendar.hash() == quiet.hash() and calendar.statistics == quiet.statistics


@pytest.mark.more
@pytest.mark.mechanism("delayed_insertion")
@pytest.mark.parametrize("phi", [.02, .4])
def test_delayed_insertions_change_no_event(phi):
    """From 20,000 discs on, insertions into the calendar are delayed: entries and events are those of the heap, also with timers
    that are cancelled while their insertion is due."""
    def fluid(**options):
        return hdsim.random(20_100, radius=math.sqrt(phi / math.pi / 20_100), temperature=1, seed=1, box=Box(1, 1, (True, False)),
                            **options)
    heap, calendar, quiet = fluid(queue="heap"), fluid(), fluid()
    for events in (1, 3003):
        for system in (heap, calendar):
            timers = [system.on_timer(print, every=10. + k) for k in range(30)]
            system.simulate(max_events=events)
            for timer in timers:
                timer.cancel()
            system._engine.check()
        assert sorted(map(identity, heap.queue(10**5).entries)) == sorted(map(identity, calendar.queue(10**5).entries))
        assert sorted(map(identity, calendar.copy().queue(10**5).entries)) == sorted(map(identity, heap.queue(10**5).entries))
    quiet.simulate(max_events=3004)
    assert heap.hash() == calendar.hash() == quiet.hash()


def test_delayed_entries_are_inserted_before_their_day_begins():
    """Points between two walls, each in its own column: the point that hits the first wall last hits the second one first, and
    no event in between would insert the delayed entries."""
    n = 20_100
    first = np.concatenate((np.linspace(1, 2, n // 4), np.linspace(2, 2.01, n - n // 4)))      # so that days are long
    second = 6.06 - first
    x, v = (np.arange(n) + .5) / n, -1 / (second - first)
    systems = [CollisionSystem.from_arrays(np.column_stack((x, -v * first)), np.column_stack((np.zeros(n), v)), 0., queue=queue,
                                           cells=(10_000, 1)) for queue in ("heap", "calendar")]
    for system in systems:
        system.simulate(max_events=n + 20)
        assert system.time == pytest.approx(4.05, abs=1e-3)
    assert systems[0].hash() == systems[1].hash()


def test_discs_without_an_event_have_time_infinity():
    """Discs at rest, and no disc at all."""
    system = CollisionSystem([Particle(.5, .5, 0, 0, .1, 1), Particle(.2, .2, 0, 0, .1, 1)])
    assert [identity(entry) for entry in system.queue().entries] == [(math.inf, "never", (i,), None, i) for i in range(2)]
    assert CollisionSystem().queue().entries == () and CollisionSystem().queue().size == 0


def first_contacts(system):
    """The earliest contact of each disc if all go straight on, as {disc: time}; all pairs, far images."""
    x, v, r, box = system.positions, system.velocities, system.radii, system.box
    best = np.full(len(system), np.inf)
    for axis, length in enumerate((box.width, box.height)):
        if not box.periodic[axis]:
            with np.errstate(divide="ignore", invalid="ignore"):
                room = np.where(v[:, axis] > 0, length - r - x[:, axis], r - x[:, axis])
                best = np.fmin(best, np.where(v[:, axis] != 0, room / v[:, axis], np.inf))
    turns = [range(-9, 10) if periodic else (0,) for periodic in box.periodic]
    dv = v[None] - v[:, None]
    for turn in itertools.product(*turns):
        dr = x[None] - x[:, None] + np.multiply(turn, (box.width, box.height))
        b = (dr * dv).sum(axis=2)
        c = (dr * dr).sum(axis=2) - (r[:, None] + r) ** 2
        a = (dv * dv).sum(axis=2)
        d = b * b - a * c
        meets = (b < 0) & (d >= 0) & ~np.eye(len(x), dtype=bool)
        best = np.fmin(best, np.where(meets, c / np.where(meets, -b + np.sqrt(np.abs(d)), 1), np.inf).min(axis=1))
    return best + system.time


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(8))
def test_the_schedule_is_the_same_on_every_grid(seed):
    """It knows all that lies ahead, also beyond the cells that the engine has looked at: compared with all pairs, for any
    radii, walls and periodic axes; and each shorter schedule is the beginning of a longer one."""
    arrays = random_arrays(seed, n_max=90, phi_max=.3, periodic=((False, False), (True, False), (True, True))[seed % 3])
    grids = [CollisionSystem.from_arrays(**arrays), CollisionSystem.from_arrays(**arrays, cells=(1, 1), queue="heap")]
    for system in grids:
        system.simulate(max_events=100)
    whole = grids[0].schedule(1000)
    assert whole == grids[1].schedule(1000) and [p.time for p in whole] == sorted(p.time for p in whole)
    for k in (1, 2, 5, 20, len(whole)):
        assert all(system.schedule(k) == whole[:k] for system in grids)
    best = first_contacts(grids[0])
    earliest = np.full(len(best), np.inf)
    for p in reversed(whole):
        earliest[list(p.particles)] = p.time
    assert earliest == pytest.approx(best, rel=1e-9, abs=1e-11)


def test_the_schedule_begins_with_the_next_event():
    """Also where the discs of the next contact do not stand in adjacent cells: the cue ball, far from the rack."""
    for name in ("billiards5", "brownian", "diffusion", "squeeze"):
        system = hdsim.load(name)
        for _ in range(40):
            event, (first, *_) = system.peek(), system.schedule(1)
            assert first.time == event.time and set(first.particles) <= set(event.particles)
            system.next_event()


def test_the_schedule_knows_that_discs_become_faster():
    """Two heavy discs at speed 1 set two light ones in motion at speed 2, towards each other from far away."""
    system = CollisionSystem([Particle(10, 5, 1, 0, 1, 1e9), Particle(20, 5, 0, 0, 1, 1), Particle(980, 5, 0, 0, 1, 1),
                              Particle(990, 5, -1, 0, 1, 1e9)], box=Box(1000, 10))
    system.simulate(max_events=2)
    until_contact = (980 - 20 - 2) / 4
    times, partners = np.full(4, np.inf), np.full(4, -5, dtype=np.int32)
    system._engine.predict_free_flight(np.arange(4, dtype=np.int32), until_contact * 1.01, times, partners)
    assert times[1:3] == pytest.approx(system.time + until_contact) and list(partners[1:3]) == [2, 1]


def test_one_moving_disc_among_many_at_rest():
    """All that it would hit, each a first contact of one disc; none of the others is compared with any other."""
    resting = [Particle(.1 + .1 * k, .5, 0, 0, .01, 1) for k in range(1, 9)]
    system = CollisionSystem([Particle(.05, .5, 1, 0, .01, 1), *resting])
    assert system.schedule(100) == [
        (pytest.approx(.03 + .1 * k, abs=1e-15), (0, k), None, None) for k in range(1, 9)]


def test_pair_checks_count_what_cells_and_queue_save():
    """Three discs in one cell: the start looks at three pairs; each pair contact would be 2 (N - 2) looks in the book."""
    assert pair_checks(7, 3, 2, 1, 1) == PairChecks(7, 3 * 2 + 2 * 1 + 2, 3 * 3)
    system = hdsim.random(2000, radius=.004, seed=1)
    system.simulate(max_events=2000)
    checks, counts = system.pair_checks, system.statistics
    assert checks.made == counts["predictions"] and checks.avoided == checks.all_pairs - checks.made
    assert checks.all_pairs == 2001 * (2000 * 1999 // 2)
    assert checks.made < checks.book / 30 < checks.all_pairs / 1000


# -- the textbook's queue

def book(events=40):
    system = TextbookSystem(hdsim.load("billiards5"))
    for _ in range(events):
        system.next_event()
    return system


def test_the_lazy_heap_is_listed_slot_by_slot_with_stale_entries():
    """As the collision counts say; the event that comes next is the first that is not stale, and those before it are skipped."""
    system = book()
    for _ in range(30):
        whole, counts = system.queue(100_000), system.statistics
        times = [entry.time for entry in whole.entries]
        assert whole.kind == "lazy heap" and whole.size == len(times) == counts["queue_size"]
        assert all(times[(s - 1) // 2] <= times[s] for s in range(1, len(times)))
        assert whole.stale == sum(entry.stale for entry in whole.entries) > 0
        assert system.queue(7).entries == whole.entries[:7] and system.queue(7).stale == whole.stale
        assert system.queue(-1).entries == ()
        first = min((entry for entry in whole.entries if not entry.stale), key=lambda entry: entry.time)
        event = system.next_event()
        assert (first.time, first.kind, set(first.particles)) == (event.time, event.kind, set(event.particles))
        skipped = sum(entry.stale and entry.time < first.time for entry in whole.entries)
        assert skipped <= system.statistics["stale"] - counts["stale"]


def test_looking_at_the_textbook_moves_nothing():
    """Not a bit, however often."""
    looked, quiet = book(0), book(0)
    for _ in range(60):
        looked.queue(), looked.schedule(5), looked.near(3), looked.pair_checks
        assert looked.next_event() == quiet.next_event()
    assert looked.positions == quiet.positions and looked.statistics == quiet.statistics


def test_the_textbook_s_schedule_is_that_of_the_engine():
    """At the start, where nothing is stale: the engine names first contacts, the textbook's queue has all."""
    system = hdsim.load("billiards5")
    theirs = TextbookSystem(system).schedule(1000)
    assert len(theirs) == len(set(theirs)) and [p.time for p in theirs] == sorted(p.time for p in theirs)
    for ours in system.schedule(1000):
        match = [p for p in theirs if (p.particles, p.wall) == (ours.particles, ours.wall)]
        assert len(match) == 1 and match[0].time == pytest.approx(ours.time, rel=1e-12)
    later = book()
    first = later.schedule(1)[0]
    assert later.schedule(0) == later.schedule(-1) == [] and first == later.schedule(9)[0]
    event = later.next_event()
    assert (event.time, set(event.particles)) == (first.time, set(first.particles))


def test_the_textbook_checks_all_discs():
    """One cell and all other discs as candidates; as many pair checks as the book's rule says, all again at a reversal."""
    system = book()
    near = system.near(3)
    assert near.cells.tolist() == [[0, 0, 1, 1]] and near.candidates.tolist() == [i for i in range(16) if i != 3]
    with pytest.raises(IndexError, match="16"):
        system.near(16)
    checks = system.pair_checks
    assert checks.made == checks.book
    system.reverse()
    assert system.pair_checks.made == checks.made + 16 * 15


def test_where_all_is_due_at_once_a_day_has_no_end():
    """Equal discs that meet the same wall together."""
    discs = [Particle((k + .5) / 80, .5, 0, 1, .001, 1) for k in range(80)]
    queue = CollisionSystem(discs, box=Box(1, 1), cells=(1, 1)).queue()
    assert queue.kind == "calendar" and queue.day_length == math.inf and queue.days[0].begin == queue.entries[0].time
    assert {entry.wall for entry in queue.entries} == {"top"} and len(queue.entries) == 63
