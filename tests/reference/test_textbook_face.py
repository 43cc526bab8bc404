"""The textbook's system with the methods that a viewer uses."""
import numpy as np
import pytest
from lawful import gas, given

import hdsim
from hdsim.reference import textbook_laws
from hdsim.reference.textbook_face import TextbookSystem


def test_a_textbook_system_begins_where_the_other_is():
    system = hdsim.load("p10")
    system.simulate(until=20)
    book = TextbookSystem(system)
    assert (len(book), book.time) == (10, 20) and book.box == system.box
    taken, given = book.configuration(), system.configuration()
    for field in "positions", "velocities", "radii", "masses", "colors":
        assert np.array_equal(getattr(taken, field), getattr(given, field))


def test_textbook_timers_fire_at_multiples_and_can_be_cancelled():
    book = TextbookSystem(hdsim.load("p10"))
    times = []
    timer = book.on_redraw(lambda event: times.append((event.kind, event.time)), every=.25)
    assert book.simulate(until=1) == 0
    assert times == [("redraw", .25), ("redraw", .5), ("redraw", .75), ("redraw", 1.0)]
    timer.cancel()
    timer.cancel()
    book.simulate(until=2)
    assert len(times) == 4
    with pytest.raises(ValueError, match="every is 0"):
        book.on_timer(print, every=0)


def test_a_textbook_timer_can_stop_the_run():
    book = TextbookSystem(hdsim.load("p10"))
    timer = book.on_timer(lambda event: hdsim.STOP, every=3)
    book.simulate(until=100)
    assert book.time == 3
    timer.cancel()
    book.simulate(until=100)
    assert book.time == 100


def test_textbook_steps_are_contacts_and_timers():
    book, system = TextbookSystem(hdsim.load("p10")), hdsim.load("p10")
    first = system.next_event()
    assert book.next_event()[:4] == (pytest.approx(first.time), first.kind, first.particles, first.wall)
    book.on_timer(lambda event: None, every=book.time * 1.000001)
    assert book.next_event().kind == "timer"
    still = hdsim.CollisionSystem.from_arrays([(.5, .5)], [(0, 0)], .1)
    assert TextbookSystem(still).next_event() is None


def test_looking_at_a_textbook_system_does_not_move_it():
    """In pieces, with timers and read on the way, it has the same bits as in one run; a limit of events ends at an event."""
    watched, alone = (TextbookSystem(hdsim.load("p10")) for _ in range(2))
    watched.on_redraw(lambda event: watched.positions, every=.7)
    for k in range(1, 200):
        watched.simulate(until=k * .51)
    alone.simulate(until=199 * .51)
    assert watched.positions == alone.positions and watched.velocities == alone.velocities
    assert watched.time == alone.time and alone.statistics["events"] > 10
    before = alone.statistics["events"]
    assert alone.simulate(until=1e6, max_events=3) == 3 == alone.statistics["events"] - before
    assert alone.time == alone._book.time > 199 * .51
    with pytest.raises(ValueError, match="until is 1; it must not be before"):
        alone.simulate(until=1)


def test_indexing_a_textbook_system_gives_a_detached_disc():
    """As it is between two contacts, too; changing it does not reach the system."""
    book = TextbookSystem(hdsim.load("p10"))
    book.simulate(until=33.3)
    for i in range(len(book)):
        disc = book[i]
        assert ((disc.rx, disc.ry), (disc.vx, disc.vy)) == (book.positions[i], book.velocities[i])
        assert (disc.radius, disc.mass, disc.color) == (book.radii[i], book.masses[i], tuple(book.colors[i]))
        assert (disc.count, disc.width, disc.height) == (book.collision_counts[i], book.box.width, book.box.height)
        disc.vx = 99.
        assert book.velocities[i] != (99., disc.vy)


def test_textbook_copies_go_on_alone():
    book = TextbookSystem(hdsim.load("p10"))
    book.simulate(until=20)
    copy = book.copy()
    copy.simulate(until=40)
    assert book.time == 20
    book.simulate(until=40)
    assert book.positions == copy.positions and book.statistics == copy.statistics


def test_textbook_jams_are_jams(monkeypatch):
    book = TextbookSystem(hdsim.load("p10"))

    def jam(*_, **__):
        raise RuntimeError("jammed at time 0")
    monkeypatch.setattr(book._book, "next_event", jam)
    with pytest.raises(hdsim.JammedError, match="jammed at time 0"):
        book.simulate(until=100)


def test_the_laws_of_a_system_are_those_of_its_textbook():
    """Restitution, moving obstacles: the run, step by step, is that of `textbook_laws`; what turns is a "device"."""
    class Lawful(hdsim.CollisionSystem):
        restitution, contact_time = {"pair": .9, "wall": .8}, 1e-6

    def discs():
        return gas(6, 5, radius=.08, fits=lambda x, y, r: y > .2 + r)
    paddle = given(hdsim.Segment((.25, .125), (.75, .1)), motion=[(0, (0, .25)), (.25, (0, -.25))], period=.5)
    of = [[getattr(disc, name) for name in ("rx", "ry", "vx", "vy", "radius", "mass")] for disc in discs()]
    system = Lawful([hdsim.Particle(*row) for row in of], obstacles=[paddle])
    book = TextbookSystem(system)
    laws = textbook_laws.CollisionSystem(discs(), obstacles=[paddle], restitution=Lawful.restitution, contact_time=1e-6)
    kinds = set()
    for _ in range(60):
        happening, event = book.next_event(), laws.next_event()
        kinds.add(happening.kind)
        assert (happening.time, happening.particles, happening.wall) == (event.time, event.disc_indices, event.wall)
        assert happening.obstacle == (event.number if happening.kind == "device" else event.obstacle)
    assert kinds == {"pair", "wall", "device"} and book.kinetic_energy == laws.kinetic_energy < system.kinetic_energy
    entries = book.queue(500).entries
    assert {entry.kind for entry in entries} == {"pair", "wall", "device"}
    assert book.copy().kinetic_energy == book.kinetic_energy and book.temperature == pytest.approx(book.kinetic_energy / 5)


def test_a_collapse_of_the_textbook_is_a_jam():
    """With the remedy in the message."""
    class Lawful(hdsim.CollisionSystem):
        restitution = .01
    row = Lawful([hdsim.Particle(1, .5, 1, 0, .1, 1), hdsim.Particle(2.05, .5, 0, 0, .1, 1), hdsim.Particle(3, .5, -1, 0, .1, 1)],
                 box=hdsim.Box(9, 1))
    with pytest.raises(hdsim.JammedError, match="give contact_time"):
        TextbookSystem(row).simulate(until=2)
