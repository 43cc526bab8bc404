"""Main loops as in the book and as in the assignment have the contacts of hdsim.textbook and of the compiled engine."""
import pytest

import hdsim
from hdsim import checker, textbook
from hdsim.compat import BouncingBalls, CollisionSystem, Event, Particle, RedrawEvent
from hdsim.compat.drawing import StdDraw


def discs_of(source):
    """The discs as a list, width and height of their box."""
    if source == "wide":
        system = hdsim.random(24, radius=.06, temperature=1., mass=1., box=(2, 1), seed=3)
        return Particle.read(system), 2.0, 1.0
    return Particle.read(source), 1.0, 1.0


def of_the_book(system, until):
    """The book's main loop: null discs, and moving each disc to the time of the event."""
    contacts = []
    while not system.pq.isEmpty() and system.pq.min().time <= until:
        event = system.pq.delMin()
        if not event.isValid():
            continue
        a, b = event.a, event.b
        for p in system.particles:
            p.move(event.time - system.t)
        system.t = event.time
        if a is not None and b is not None:
            a.bounceOff(b)
        elif a is not None:
            a.bounceOffVerticalWall()
        elif b is not None:
            b.bounceOffHorizontalWall()
        else:
            system.redraw()
            continue
        contacts.append((event.time, event.disc_indices))
        system.predict(a)
        system.predict(b)
    return contacts


def of_the_assignment(system, until):
    """The assignment's: an event processes itself, and knows its discs."""
    contacts = []
    while not system.pq.isEmpty() and system.pq.min().time() <= until:
        event = system.pq.delMin()
        if event.isValid():
            for p in system.particles:
                p.move(event.time() - system.t)
            system.t = event.time()
            event.process()
            if isinstance(event, RedrawEvent):
                continue
            contacts.append((event.time(), tuple(sorted(p.index for p in event.particles()))))
            system.predict(*event.particles())
    return contacts


def of_simulate(system, until):
    contacts = []
    system.on_collision(lambda event: contacts.append((event.time, event.disc_indices)))
    assert system.simulate(until) == len(contacts)
    return contacts


def textbook_system(particles, width, height):
    discs = [textbook.Particle(p.rx, p.ry, p.vx, p.vy, p.radius, p.mass) for p in particles]
    return textbook.CollisionSystem(discs, width, height)


SCENES = [("billiards5", 200), ("p10", 300), ("wallbouncing", 200), ("squeeze2", 500), ("12", 300), ("wide", .4)]


@pytest.mark.parametrize("loop", [of_the_book, of_the_assignment, of_simulate])
@pytest.mark.parametrize("source, until", SCENES)
def test_the_contacts_are_those_of_the_textbook(loop, source, until):
    """Bit for bit, in each of the three loops: billiards, walls at equal times, random discs, a box that is not a square."""
    particles, width, height = discs_of(source)
    book = textbook_system(particles, width, height)
    expected = [(event.time, event.disc_indices) for event in book.events(until)]
    system = CollisionSystem(particles, width, height, hz=0)
    assert loop(system, until) == expected and len(expected) > 10
    assert [p.getCollisionCount() for p in system.particles] == [p.count for p in book.particles]


@pytest.mark.parametrize("source, until", [("billiards5", 30), ("p10", 100), ("12", 100)])
def test_the_first_contacts_are_those_of_the_compiled_engine(source, until):
    """To rounding errors, as long as these have not grown."""
    compiled = hdsim.load(source, collisions="sequential")
    expected = [(event.time, tuple(sorted(event.particles))) for event in compiled.events(until)]
    found = of_the_book(CollisionSystem(Particle.read(source), hz=0), until)
    assert [contact[1] for contact in found] == [contact[1] for contact in expected] and len(found) > 3
    assert [contact[0] for contact in found] == pytest.approx([contact[0] for contact in expected], abs=1e-7)


def test_drawing_does_not_change_a_run(monkeypatch):
    """Redraw events show the discs at their own times, and leave the run as it is, to the last bit."""
    shown = []
    monkeypatch.setattr(StdDraw, "ready", lambda: True)
    monkeypatch.setattr(StdDraw, "show", lambda pause: shown.append((pause, StdDraw.positions.tolist())))
    plain, drawn = (CollisionSystem(Particle.read("p10"), hz=hz) for hz in (0, .5))
    assert plain.simulate(100) == drawn.simulate(100) > 10
    assert (plain.t, plain.positions, plain.velocities) == (drawn.t, drawn.positions, drawn.velocities)
    assert [pause for pause, _ in shown] == [20] * 51       # t = 0, 2, ..., 100
    compiled = hdsim.load("p10")
    for k, (_, places) in enumerate(shown):
        compiled.simulate(until=2 * k)
        assert sum(places, []) == pytest.approx(compiled.positions.ravel().tolist(), abs=1e-6)
    drawn.simulate(102)
    assert len(shown) == 52         # one redraw event is due, not two
    StdDraw.clear()


@pytest.mark.parametrize("loop", [of_the_book, of_the_assignment])
def test_a_loop_of_the_caller_draws(loop, monkeypatch):
    """It begins with one redraw event; each makes the next one, 1/hz later."""
    times = []
    particles = Particle.read("p10")
    system = CollisionSystem(particles, hz=.25)
    monkeypatch.setattr(StdDraw, "ready", lambda: True)
    monkeypatch.setattr(StdDraw, "show", lambda pause: times.append((system.t, len(StdDraw))))
    system.pq.insert(Event(0, None, None) if loop is of_the_book else RedrawEvent(0, system))
    assert len(loop(system, 40)) > 3
    assert times == [(4 * k, 10) for k in range(11)]
    StdDraw.clear()


def test_on_redraw_of_the_textbook_is_there():
    """Its events are events of compat, and they call back at multiples of `every`."""
    system, seen = CollisionSystem(Particle.read("p10"), hz=0), []
    system.on_redraw(seen.append, every=2.5)
    system.simulate(10)
    assert [event.time for event in seen] == [2.5, 5, 7.5, 10] and all(type(event) is RedrawEvent for event in seen)


def test_simulate_runs_events_of_the_caller():
    """An event of another class is processed at its time, and its discs are predicted again."""
    class Kick(Event):
        def __init__(self, time, disc):
            super().__init__(time)
            self.myParticles.append(disc)

        def process(self):
            disc = self.myParticles[0]
            assert disc.rx == .625
            disc.bounceX()

    disc = Particle(.5, .5, 1, 0, .125, 1)
    system = CollisionSystem([disc], hz=0)
    system.pq.insert(Kick(.125, disc))
    walls = []
    system.on_collision(lambda event: walls.append((event.time, event.wall)))
    system.simulate(1)
    assert walls == [(.625, "left")]


def test_bouncing_balls_move_as_the_time_driven_engine_does():
    """Ball by ball, 400 steps of .5, also at walls."""
    balls, compiled = BouncingBalls(20, seed=5).balls, hdsim.timestep.BouncingBalls(20, seed=5)
    for _ in range(400):
        for ball in balls:
            ball.move(.5)
    compiled.simulate(until=200)
    assert [x for ball in balls for x in (ball.rx, ball.ry)] == pytest.approx(compiled.positions.ravel().tolist(), abs=1e-9)
    assert sum(compiled.wall_counts) > 10


def test_the_checker_finds_no_difference(tmp_path):
    """A student's program whose classes are those of hdsim.compat agrees with the engine."""
    (tmp_path / "student.py").write_text("from hdsim.compat import CollisionSystem, Event, MinPQ, Particle\n")
    verdict = checker.check_program(str(tmp_path / "student.py"))
    assert verdict.status == 0, str(verdict)
