"""Gates and doors in the engine: permissions in the doorway, what is bit for bit the same, and who hears of it."""
import ctypes
import itertools
import math
import pickle
import random

import numpy as np
import pytest

from hdsim import Box, CollisionSystem, Door, Gate, Particle, Segment
from hdsim.gates import always, coming, faster, slower, species

SQUARE = Box(4, 4)
FRAME = [Segment((2, 0), (2, 1.5)), Segment((2, 2.5), (2, 4))]
LEFT = coming("left")           # of a gate that goes up


def gate(rule, **keywords):
    return Gate((2, 1.5), (2, 2.5), rule, **keywords)


def one(x, y, vx, vy, rule, radius=.125, box=SQUARE, frame=FRAME, **options):
    return CollisionSystem([Particle(x, y, vx, vy, radius, 1)], box=box, obstacles=[*frame, gate(rule)], **options)


def gas(obstacles, n=30, seed=1, radius=.06, which=None, **options):
    """Discs on both sides of the frame; which: those of one side only."""
    rnd = random.Random(seed)
    discs = []
    while len(discs) < n:
        x, y, vx, vy = rnd.uniform(.1, 3.9), rnd.uniform(.1, 3.9), rnd.gauss(0, 1), rnd.gauss(0, 1)
        if abs(x - 2) > .1 and all(math.dist((x, y), (d.rx, d.ry)) > 2 * radius for d in discs):
            discs.append(Particle(x, y, vx, vy, radius, 1 + len(discs) % 2))
    chosen = [d for d in discs if which is None or (d.rx < 2) == which]
    return CollisionSystem(chosen, box=SQUARE, obstacles=obstacles, **options)


def bits(system):
    return system.hash(), system.time, system.positions.tobytes(), system.velocities.tobytes()


DEMON = LEFT & faster(1.2) | coming("right") & slower(1.2)


def test_a_gate_for_all_is_no_gate():
    """Discs move as without it, bit for bit: a pass rewrites no stored state."""
    open_gate, nothing = gas([*FRAME, gate(always)]), gas(FRAME)
    open_gate.simulate(until=40), nothing.simulate(until=40)
    assert bits(open_gate) == bits(nothing)
    ledger = open_gate.ledger()
    assert ledger.refused == (0, 0) and sum(ledger.arrivals) > 50
    assert sum(ledger.arrivals) == sum(ledger.passes) + sum(ledger.returned) + ledger.inside


def test_a_shut_gate_keeps_two_vessels_apart():
    """The contacts of either vessel are those of the same table holding only its discs, until the origin of time moves."""
    both = gas([*FRAME, gate(~always)])
    index = {side: [i for i, x in enumerate(both.positions[:, 0]) if (x < 2) == side] for side in (True, False)}
    log = [(event.time, event.particles) for event in itertools.islice(both.events(), 250)]
    for side in (True, False):
        alone = gas([*FRAME, gate(~always)], which=side)
        found = [(event.time, tuple(index[side][k] for k in event.particles))
                 for event in itertools.islice(alone.events(), 60)]
        assert found == [row for row in log if row[1][0] in index[side]][:60]
    both.simulate(until=200)
    assert {side: [i for i, x in enumerate(both.positions[:, 0]) if (x < 2) == side] for side in index} == index


@pytest.mark.parametrize("rule", [LEFT, DEMON, species(1), ~faster(.8)])
def test_settings_for_speed_change_no_bit(rule):
    """Any cells and queue; cut in pieces, copied and pickled, in the doorway too."""
    table = [*FRAME, gate(rule)]
    whole = gas(table)
    whole.simulate(until=25)
    for settings in ({"cells": (1, 1)}, {"cells": (9, 5)}, {"queue": "heap"}):
        other = gas(table, **settings)
        other.simulate(until=25)
        other.check()
        assert bits(other) == bits(whole) and other.ledger() == whole.ledger()
    cut, rnd, inside = gas(table), random.Random(2), 0
    while cut.time < 25:
        cut.simulate(until=min(cut.time + rnd.expovariate(1), 25))
        inside += cut.ledger().inside
        cut = rnd.choice((lambda s: s, CollisionSystem.copy, lambda s: pickle.loads(pickle.dumps(s))))(cut)
    assert bits(cut) == bits(whole) and cut.ledger() == whole.ledger()
    assert inside > 0 or rule == species(1)         # it was cut with discs in the doorway


def test_a_disc_is_asked_once_and_passes():
    """An arrival, then the other side; a contact of kind "wall" where it is refused. Both events have the gate."""
    system = one(1, 2, 1, 0, LEFT)
    event = system.next_event()
    assert (event.time, event.kind, event.particles, event.obstacle) == (.875, "pass", (0,), 2)
    assert event.contacts[0][:6] == (0, None, None, (1., 0.), 0., 2) and event.impulse == 0
    assert system.ledger().inside == 1 and system.ledger().passes == (0, 0)
    system.simulate(until=1.2)
    assert system.ledger().inside == 0 and system.ledger().passes == (1, 0) and system.ledger().energy == (.5, 0)
    assert [(e.time, e.kind, e.wall, e.obstacle) for e in itertools.islice(system.events(), 2)] == [
        (2.875, "wall", "right", None), (4.625, "wall", None, 2)]
    assert system.ledger().arrivals == (1, 1) and system.ledger().refused == (0, 1)


def test_a_disc_that_is_sent_back_has_returned():
    """Its first visitor is let in, hits another disc in the doorway, and is out on the side from which it came."""
    discs = [Particle(1, 2, 1, 0, .125, 1), Particle(3.25, 2, -1, 0, .125, 1)]
    system = CollisionSystem(discs, box=SQUARE, obstacles=[*FRAME, gate(LEFT)])
    kinds = [(event.time, event.kind, event.particles) for event in itertools.islice(system.events(), 2)]
    assert kinds == [(.875, "pass", (0,)), (1., "pair", (0, 1))]
    system.simulate(until=2)
    assert system.ledger().returned == (1, 0) and system.ledger().passes == (0, 0)
    assert system.velocities.tolist() == [[-1, 0], [1, 0]]


def test_the_frame_is_hit_in_the_doorway():
    """A disc that is let in near the end of the gate touches the frame there."""
    system = one(1, 1.6, 1, 0, always)
    contacts = [(event.kind, *event.contacts[0][5:]) for event in itertools.islice(system.events(), 2)]
    assert contacts == [("pass", 2, "face"), ("wall", 0, "end")]
    system.simulate(until=4)
    assert sum(system.ledger().passes) + sum(system.ledger().returned) == 1


def test_each_image_of_a_gate_is_an_arrival():
    """Round a periodic box without a contact, a disc meets the gate again and again."""
    system = one(1, 2, 1, 0, LEFT & slower(2), box=Box(4, 4, (True, False)))
    passes = [event.time for event in itertools.islice(system.events(), 5)]
    assert passes == pytest.approx([.875 + 4 * k for k in range(5)], abs=1e-12)
    assert system.ledger().arrivals == (5, 0) and system.ledger().passes == (4, 0) and system.ledger().inside == 1
    assert system.ledger().left is None         # the halves are one, around the box


def test_discs_of_any_size_pass_once():
    """Points, and discs of the width of the doorway."""
    for radius in (0., 1e-18, .499):
        system = one(1, 2, .7, 0, LEFT, radius)
        system.simulate(until=(1.1 + 2.2 * radius) / .7)
        assert system.ledger().passes == (1, 0) and system.ledger().inside == 0
    system = one(1, 2, .7, .1, LEFT, .499)
    system.simulate(until=50)
    assert sum(system.ledger().arrivals) >= 1 and system.kinetic_energy == pytest.approx(.25)


def test_rules():
    """Speeds in plain doubles, sides, species; combined."""
    for rule, v, kind, passes in ((faster(1), 1., 0, False), (faster(1), math.nextafter(1, 2), 0, True), (slower(1), 1., 0, True),
                                  (species(0, 3), 1., 3, True), (species(2), 1., 3, False), (~species(2), 1., 3, True),
                                  (LEFT & ~(faster(1) | species(3)), 1., 2, True),
                                  (LEFT & ~(faster(1) | species(3)), 1., 3, False)):
        system = one(1, 2, v, 0, rule, species=[kind])
        assert (system.next_event().kind == "pass") == passes, rule
        system = one(3, 2, -v, 0, rule & LEFT, species=[kind])
        assert system.next_event().kind == "wall"


def test_callbacks_hear_passes():
    """In Python those of kind "pass" only, and functions in machine code; they end runs."""
    system = one(1, 2, 1, 0, always)
    heard = []
    system.on_collision(lambda event: heard.append(event.kind))
    system.on_collision(lambda event: heard.append((event.kind, event.time)), kind="pass")
    system.simulate(until=3)
    assert heard == [("pass", .875), "wall"]
    system = one(1, 2, 1, 0, always)
    assert system.simulate(max_events=1) == 0 and system.time == .875
    different = ctypes.CDLL(None).pthread_equal         # 0 for its two arguments: called, and the run goes on
    different.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    system.on_collision(different, kind="pass")
    assert system.simulate(until=9) == 2


@pytest.mark.parametrize("kind, count", [("pair", 1), ("wall", 1), ("multi", 1), ("pass", 0), ("device", 0), (None, 1)])
def test_contacts_at_one_instant_are_no_pass(kind, count):
    """A disc touches a wall and another disc at once: callbacks for passes and for devices are not called, also if others are."""
    system = CollisionSystem([Particle(3.5, 1, .5, 0, .25, 1), Particle(2.75, 1, 1, 0, .25, 1)], box=SQUARE,
                             obstacles=[gate(always, name="g")])
    heard, all_heard = [], []
    system.on_collision(all_heard.append)
    system.on_collision(heard.append, kind=kind)
    system.simulate(max_events=1)
    assert [event.kind for event in all_heard] == ["multi"] and len(heard) == count


def test_doors_open_and_close():
    """Not there while open; a disc in the doorway when it closes flies on; events of kind "device"."""
    door = Door((2, 1.5), (2, 2.5), [(3, 5), (.5, 1.)])
    system = CollisionSystem([Particle(1, 2, 1, 0, .125, 1)], box=SQUARE, obstacles=[*FRAME, door])
    assert [(e.time, e.kind) for e in itertools.islice(system.events(), 6)] == [
        (.5, "device"), (1., "device"), (2.875, "wall"), (3, "device"), (5, "device"), (6.625, "wall")]
    later = Door((2, 1.5), (2, 2.5), [(.7, 9)])
    early = CollisionSystem([Particle(1.2, 2, 1, 0, .125, 1)], box=SQUARE, obstacles=[*FRAME, later])
    assert early.next_event()[:2] == (.675, "wall")
    assert system.obstacles[2].open == ((.5, 1.), (3., 5.))


def test_edits_keep_the_doorway():
    """A gate that stays keeps its counts and the discs in it; one that is moved begins anew."""
    system = one(1, 2, 1, 0, LEFT)
    system.simulate(until=.9)
    system.add(Particle(.5, .5, 0, 0, .1, 1))
    system.remove(1)
    with system.edit() as draft:
        draft.obstacles.insert(0, Segment((.2, .2), (.4, .4)))
    assert system.ledger().inside == 1
    system.simulate(until=1.5)
    assert system.ledger().passes == (1, 0)
    with system.edit() as draft:
        draft.obstacles[3] = gate(LEFT, name="another")
    assert system.ledger("another").arrivals == (0, 0)


def test_many_gates_and_discs_keep_all_permissions():
    """A membrane of gates with many discs in their doorways at once: all that came in have passed or returned, or are inside."""
    membrane = [Gate((2, k / 4), (2, (k + 1) / 4), slower(1.5), name=f"g{k}") for k in range(16)]
    frame = [Segment((2, k / 4), (2, k / 4)) for k in range(17)]
    system = gas([*membrane, *frame], 60, radius=.05)
    system.simulate(until=30)
    ledgers = [system.ledger(f"g{k}") for k in range(16)]
    assert all(sum(ledger.arrivals) - sum(ledger.refused) == sum(ledger.passes) + sum(ledger.returned) + ledger.inside >= 0
               for ledger in ledgers)
    assert sum(sum(ledger.passes) for ledger in ledgers) > 50
    crossed = np.array([sum(ledger.passes[0] - ledger.passes[1] for ledger in ledgers)])
    before = gas([*membrane, *frame], 60, radius=.05).positions[:, 0]
    assert (before < 2).sum() - (system.positions[:, 0] < 2).sum() == pytest.approx(crossed, abs=sum(x.inside for x in ledgers))


def test_a_disc_that_leaves_a_gate_meets_only_what_is_there():
    """Two contacts at once, when it is clear of the gate, are not joined by the past one with that."""
    discs = [Particle(.25, .5, .5, 0, .0625, 1)] + [Particle(1, y, 0, 0, .0625, 1) for y in (.4375, .5625)]
    system = CollisionSystem(discs, box=(2, 1), obstacles=[Gate((.5, 0), (.5, 1), coming("left"))])
    assert system.next_event().kind == "pass"
    assert [c.obstacle for c in system.next_event().contacts] == [None, None] and system.ledger().refused == (0, 0)
