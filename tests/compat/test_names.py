"""The names of the book and of the assignment: discs, events, queue; what each does is what hdsim.textbook does."""
import doctest
import inspect
import math

import pytest

import hdsim
from hdsim import compat, textbook
from hdsim.compat import (Ball, BinaryCollision, BouncingBalls, CollisionSystem, Event, HorizontalCollision, MinPQ, Particle,
                          RedrawEvent, VerticalCollision, WallCollision, drawing)

BOOK = {"timeToHit": "time_to_hit", "timeToHitVerticalWall": "time_to_hit_vertical_wall",
        "timeToHitHorizontalWall": "time_to_hit_horizontal_wall", "bounceOff": "bounce_off",
        "bounceOffVerticalWall": "bounce_off_vertical_wall", "bounceOffHorizontalWall": "bounce_off_horizontal_wall"}
ASSIGNMENT = {"collides": "time_to_hit", "collidesX": "time_to_hit_vertical_wall", "collidesY": "time_to_hit_horizontal_wall",
              "bounce": "bounce_off", "bounceX": "bounce_off_vertical_wall", "bounceY": "bounce_off_horizontal_wall"}
STATES = [((.2, .5, 1, .125), (.7, .5, -1, 0)), ((.2, .5, -1, 0), (.7, .5, 1, 0)), ((.2, .2, 0, 0), (.7, .7, 0, 0)),
          ((.2, .5, .1, 1), (.7, .5, 0, 0)), ((.5, .5, 1, 0), (.625, .5, 0, 0))]


@pytest.mark.parametrize("module", [compat, drawing])
def test_the_examples_of_docstrings_run(module):
    examples = doctest.testmod(module)
    assert examples.attempted > 2 and examples.failed == 0


def test_importing_hdsim_finds_it():
    """As hdsim.compat, and all its public names are there."""
    assert hdsim.compat is compat and "compat" in dir(hdsim)
    assert all(hasattr(compat, name) for name in compat.__all__)


@pytest.mark.parametrize("theirs, ours, never", [*((*pair, math.inf) for pair in BOOK.items()),
                                                 *((*pair, -1.0) for pair in ASSIGNMENT.items())])
def test_methods_of_discs_do_what_the_textbook_does(theirs, ours, never):
    """Times, velocities and counts, bit for bit; but for the assignment's -1.0, which is never."""
    seen = set()
    for states in STATES:
        made, expected = ([cls(*state, 1 / 16, 1 + k) for k, state in enumerate(states)] for cls in (Particle, textbook.Particle))
        both = ours in ("time_to_hit", "bounce_off")
        answer, truth = (getattr(discs[0], name)(*discs[1:1 + both]) for discs, name in ((made, theirs), (expected, ours)))
        assert answer == (never if truth == math.inf else truth)
        assert [(p.rx, p.ry, p.vx, p.vy, p.getCollisionCount()) for p in made] == [
            (p.rx, p.ry, p.vx, p.vy, p.count) for p in expected]
        seen.add(answer)
    if ours.startswith("time"):
        assert never in seen and len(seen) > 1


def test_a_subclass_may_change_the_physics():
    """By the names that the engine calls; both sets of names follow."""
    class Sticky(Particle):
        def time_to_hit(self, that):
            return 7.0

    assert (Sticky(0, 0, 0, 0, 1, 1).collides(None), Sticky(0, 0, 0, 0, 1, 1).timeToHit(None)) == (7, 7)


def test_discs_are_read_from_sources(tmp_path, monkeypatch):
    """A file, a data set, a number: what hdsim.load has, and in this order."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.txt").write_text("2\n.3 .5 .1 0 .1 1 0 0 0\n.7 .5 -.1 0 .05 2 255 0 1\n")
    for source in "two.txt", "p10", "12":
        discs, system = Particle.read(source), hdsim.load(source)
        assert [[p.rx, p.ry, p.vx, p.vy, p.radius, p.mass, *p.color] for p in discs] == [
            [*r, *v, a, m, *c] for r, v, a, m, c in zip(system.positions.tolist(), system.velocities.tolist(),
                                                        system.radii.tolist(), system.masses.tolist(), system.colors.tolist())]
    assert [p.rx for p in Particle.read(system)] == [p.rx for p in discs]
    with pytest.raises(FileNotFoundError, match="nosuch: no such file"):
        Particle.read("nosuch")


# events

A, B = Particle(.2, .5, 1, -1, .1, 1), Particle(.7, .5, -1, 1, .1, 1)


@pytest.mark.parametrize("event, kind, discs, wall", [
    (Event(1, A, B), BinaryCollision, [A, B], None), (BinaryCollision(1, A, B), BinaryCollision, [A, B], None),
    (Event(1, A, None), VerticalCollision, [A], "right"), (VerticalCollision(1, B), VerticalCollision, [B], "left"),
    (Event(1, None, A), HorizontalCollision, [A], "bottom"), (HorizontalCollision(1, B), HorizontalCollision, [B], "top"),
    (Event(1, None, None), RedrawEvent, [], None), (Event(1), RedrawEvent, [], None), (RedrawEvent(1), RedrawEvent, [], None)])
def test_an_event_has_the_names_of_both(event, kind, discs, wall):
    """Null discs and classes say the same; time and particles are fields, and can be called."""
    assert type(event) is kind and isinstance(event, Event) and isinstance(event, WallCollision) == (len(discs) == 1)
    assert event.time == event.time() == event.myTime == 1 and type(event.time()) is float
    assert event.particles == event.particles() == event.myParticles == discs and event.wall == wall
    assert (event.a is None, event.countA) == ((False, 0) if event.a else (True, -1))
    assert (event.b is None, event.countB) == ((False, 0) if event.b else (True, -1))
    assert event.isValid() and event.is_valid()


def test_processing_an_event_bounces_its_discs():
    """The velocities of hdsim.textbook; every other event of these discs is stale after it."""
    for make, expected in ((lambda a, b: BinaryCollision(1, a, b), [(-1, -1), (1, 1)]),
                           (lambda a, b: Event(1, a, None), [(-1, -1), (-1, 1)]),
                           (lambda a, b: HorizontalCollision(1, b), [(1, -1), (-1, -1)])):
        a, b = Particle(.2, .5, 1, -1, .1, 1), Particle(.4, .5, -1, 1, .1, 1)
        event, others = make(a, b), [Event(2, a, None), Event(2, None, b), Event(2, a, b)]
        event.process()
        assert [(p.vx, p.vy) for p in (a, b)] == expected
        assert [other.isValid() for other in others] == [not a.count, not b.count, False]
        assert not event.isValid()
    RedrawEvent(1).process()


def test_events_are_ordered_by_time():
    """compareTo is negative, zero or positive, and never truncates a difference below 1, as the slides do."""
    early, late = Event(1, A, B), Event(1.25, A, None)
    assert (early.compareTo(late), late.compareTo(early), early.compareTo(early)) == (-1, 1, 0)
    assert early < late and not late < early
    assert Event(1, A, None).compareTo(Event(1, None, None)) < 0        # redraws last


def test_fields_of_an_event_can_be_assigned():
    """As those of the book's and the assignment's class: what is assigned is compared, ordered, processed and predicted."""
    a, b, c = (Particle(x, .5, v, -v, .1, 1) for x, v in ((.2, 1), (.4, -1), (.8, .5)))
    event = Event(1, a, b)
    event.myTime = 3
    assert event.time == event.time() == event.myTime == 3 and Event(2, c, None) < event
    event.time = .5
    assert event.time() == event.myTime == .5 and event < Event(2, c, None)
    event.countA, event.countB = 1, 0
    assert (event.countA, event.countB, event.isValid()) == (1, 0, False)
    a.count = 1
    assert event.isValid()
    event.countB = 7
    assert not event.is_valid()
    event.myParticles = [c, b]
    assert (event.a, event.b, event.particles()) == (c, b, [c, b]) and event.isValid() and (event.countA, event.countB) == (0, 0)
    event.process()
    assert (a.count, b.count, c.count) == (1, 1, 1) and not event.isValid()
    for make, wall in ((VerticalCollision, "right"), (HorizontalCollision, "bottom")):
        event = make(1, b)
        event.myParticles = (a,)
        assert event.particles == [a] and event.wall == wall and event.isValid()
        event.process()
        assert not event.isValid()


def test_an_event_class_may_set_its_own_fields():
    """Without a call of Event.__init__, and with a constructor of its own."""
    class Kick(Event):
        def __init__(self, discs, factor, when, why, *, sure):
            self.myTime, self.myParticles, self.factor = when, discs, factor

        def process(self):
            for disc in self.particles():
                disc.vx *= self.factor

    disc = Particle(.5, .5, .1, 0, .1, 1)
    system = CollisionSystem([disc], hz=0)
    kick = Kick([disc], 2, 1, "because", sure=True)
    assert (kick.a, kick.countB, kick.isValid(), kick.time()) == (None, -1, True, 1)
    system.pq.insert(kick)
    system.simulate(2)
    assert disc.rx == pytest.approx(.8)


@pytest.mark.parametrize("event, discs, message", [
    (Event(1, A, B), [A], r"BinaryCollision.myParticles: expected 2 discs, found 1"),
    (Event(1, A, None), [A, B], r"VerticalCollision.myParticles: expected 1 disc, found 2"),
    (Event(1, None, A), [], r"HorizontalCollision.myParticles: expected 1 disc, found 0"),
    (Event(1), [3], r"myParticles\[0\] is a int; expected a Particle")])
def test_discs_that_an_event_cannot_have_are_refused(event, discs, message):
    before = event.particles()
    with pytest.raises(TypeError, match=message):
        event.myParticles = discs
    assert event.particles() == before


@pytest.mark.parametrize("make, message", [
    (Ball, r"^Ball\(\): expected rx, ry, vx, vy, radius; .* is one of BouncingBalls\(n\).balls$"),
    (Particle, r'^Particle\(\): expected rx, ry, vx, vy, radius, mass; .* are those of Particle.read\("100"\)$'),
    (lambda: Ball(.5, .5), "missing 3 required positional arguments"), (Event, "missing 1 required positional argument: 'time'")])
def test_without_arguments_the_book_makes_them_at_random(make, message):
    """Here the message says what does it; signatures are those of the base class, and a class of the caller may take nothing."""
    with pytest.raises(TypeError, match=message):
        make()
    assert list(inspect.signature(Ball).parameters) == ["rx", "ry", "vx", "vy", "radius"]

    class Central(Ball):
        def __init__(self):
            super().__init__(.5, .5, 0, 0, .1)

    assert Central().radius == .1 and len(BouncingBalls(2).balls) == 2


def test_an_event_class_of_the_caller():
    """Its compareTo orders the queue, its isValid decides, and without process it says what is missing."""
    class Meeting(Event):
        def compareTo(self, that):
            return -1 if self.time() > that.time() else int(self.time() < that.time())

        def isValid(self):
            return False

    queue = MinPQ()
    for time in 1, 3, 2:
        queue.insert(Meeting(time))
    assert [queue.delMin().time() for _ in range(3)] == [3, 2, 1] and queue.isEmpty()
    assert not Meeting(1).is_valid()
    with pytest.raises(NotImplementedError, match=r"Meeting has no process\(\)"):
        Meeting(1).process()


def test_a_horizontal_wall_needs_a_disc():
    with pytest.raises(TypeError, match=r"HorizontalCollision\(time, b\): expected a disc b, found None"):
        HorizontalCollision(1, None)


def test_the_queue():
    """insert, delMin, isEmpty, min, size."""
    queue = MinPQ()
    assert queue.isEmpty() and queue.size() == 0
    for number in 3, 1, 2:
        queue.insert(number)
    assert (queue.min(), queue.size(), queue.isEmpty()) == (1, 3, False)
    assert [queue.delMin() for _ in range(3)] == [1, 2, 3] and queue.isEmpty()
    with pytest.raises(IndexError):
        queue.delMin()


# systems

@pytest.mark.parametrize("particles, options, error, message", [
    ([A, textbook.Particle(.5, .5, 0, 0, .1, 1)], {}, TypeError,
     r"particles\[1\] is a hdsim.reference.textbook.Particle; expected a hdsim.compat.Particle"),
    ([A], {"hz": -1}, ValueError, "hz is -1; it must be finite and not negative"),
    ([A], {"hz": math.nan}, ValueError, "hz is nan"),
    ([A, A], {}, ValueError, "twice")])
def test_a_system_refuses_what_it_cannot_run(particles, options, error, message):
    with pytest.raises(error, match=message):
        CollisionSystem(particles, **options)


def test_an_endless_run_needs_an_end(monkeypatch):
    """Without a window to close, simulate() says what it needs."""
    monkeypatch.setenv("DISPLAY", "")
    monkeypatch.setattr(drawing.viewer, "available", lambda: "no display")
    with pytest.raises(ValueError, match="until is infinite"):
        CollisionSystem(Particle.read("p10")).simulate()


def test_from_arrays_makes_its_discs():
    """The constructor of the textbook's system that takes columns."""
    system = CollisionSystem.from_arrays([(.5, .5)], [(1, 0)], [.1], [2], width=2)
    assert type(system.particles[0]) is Particle and system.particles[0].collidesX() == pytest.approx(1.4)
