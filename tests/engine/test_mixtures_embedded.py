"""Random mixtures of all laws in programs of other languages: the events of C are those of Python, bit for bit."""
from __future__ import annotations

import pytest
from mixtures import Mixture

import hdsim

pytestmark = pytest.mark.xdist_group("embedding")

EVENTS = 60
KINDS = {"pair": 1, "wall": 2, "multi": 4, "pass": 32, "device": 64}
WALLS = {"left": -4, "right": -3, "bottom": -2, "top": -1}


def events_of(system):
    """The events of a system up to a jam, as hdsim.h has them, with the states of the discs of all contacts after each."""
    for _ in range(EVENTS):
        try:
            event = system.next_event()
        except hdsim.JammedError:
            return
        if event is None:
            return
        obstacle = event.number if event.kind == "device" else event.contacts[0].obstacle
        yield event.time, KINDS[event.kind], -1 if obstacle is None else obstacle, [*rows_of(event, system)]


def rows_of(event, system):
    """Of each contact its discs, impulse and normal, and the states of both; zeros for a wall or obstacle."""
    x, v = system.positions.tolist(), system.velocities.tolist()
    for c in event.contacts:
        states = [(*x[k], *v[k], system.radii[k], system.masses[k]) for k in (c.i, c.j) if k is not None]
        partner = -5 - c.obstacle if c.obstacle is not None else WALLS[c.wall] if c.j is None else c.j
        yield c.i, partner, c.impulse, *c.normal, *states[0], *(states[1] if len(states) > 1 else (0,) * 6)


def in_the_plane(event):
    """What `events_of` has, of an hdsim_event."""
    contacts = [event.contacts[k] for k in range(event.contact_count)]
    return event.time, event.kind, event.obstacle, [
        (c.i, c.j, c.impulse, c.normal_x, c.normal_y, *(x for s in (c.a, c.b) for x in (s.x, s.y, s.vx, s.vy, s.radius, s.mass)))
        for c in contacts]


def in_any_axes(event):
    """The same of an hdsim_event_in."""
    contacts = [event.contacts[k] for k in range(event.contact_count)]
    return event.time, event.kind, event.obstacle, [
        (c.i, c.j, c.impulse, *c.normal[0:2], *(x for s in (c.a, c.b) for x in (*s.position[0:2], *s.velocity[0:2], s.radius,
                                                                                s.mass))) for c in contacts]


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_the_events_of_the_table(first, table):
    """By next_event for the plane, by next_event_in, and in one run that calls a function, on copies of each system."""
    ffi, api = table
    event, event_in, called = ffi.new("const hdsim_event **"), ffi.new("const hdsim_event_in **"), []
    note = ffi.callback("int(const hdsim_event *, void *)", lambda e, data: called.append(in_the_plane(e)) or 0)
    for seed in range(first, first + 10):
        system = Mixture(seed).system()
        twins = [system.copy() for _ in range(3)]
        plane, any_axes, run = (api.from_python(ffi.cast("void *", id(twin))) for twin in twins)
        expected = []
        for happened in events_of(system):
            assert api.next_event(plane, event) == api.next_event_in(any_axes, event_in) == 1
            assert in_the_plane(event[0]) == in_any_axes(event_in[0]) == happened, seed
            expected.append(happened)
        for kind in (0, KINDS["pass"], KINDS["device"]):
            assert api.on_collision(run, note, ffi.NULL, kind) == 0
        called.clear()
        api.simulate(run, expected[-1][0] if expected else 0, -1, -1)       # which may jam after these
        assert called[:len(expected)] == expected, seed
        assert {twins[0].hash(), twins[1].hash()} == {system.hash()}
        for each in (plane, any_axes, run):
            api.free(each)
