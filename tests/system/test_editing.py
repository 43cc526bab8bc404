"""edit, add, remove, reverse: the system changes as a whole, or not at all."""
from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import CHANNEL, SCENES, TORUS, at_most, gas, mixture, state, trajectory, unchanged

import hdsim
from hdsim import Box, CollisionSystem, OverlapWarning, Particle

inf, nan = math.inf, math.nan


@pytest.fixture(autouse=True)
def an_end():
    """No test here waits for ever."""
    with at_most(10):
        yield


# edit

def test_an_edit_changes_what_it_says_and_nothing_else():
    """The new values are there, all others to rounding; time, counts, ids and hash stay; what follows is predicted anew."""
    system = gas()
    system.simulate(.7)
    before = system.copy()
    with system.edit() as draft:
        draft.velocities[0] = .1, 0
        draft.radii[1] /= 2
        draft.masses[2] = inf
        draft.colors[3] = 1, 2, 3
        draft.positions[1] += 1e-3
    assert system.velocities[0].tolist() == [.1, 0] and system.radii[1] == before.radii[1] / 2
    assert system.masses[2] == inf and system.colors[3].tolist() == [1, 2, 3]
    assert np.allclose(system.positions[1], before.positions[1] + 1e-3)
    assert np.array_equal(system.positions[2:], before.positions[2:])
    assert np.array_equal(system.velocities[1:], before.velocities[1:])
    assert (system.time, system.hash()) == (before.time, before.hash())
    for name in ("ids", "collision_counts", "pair_counts", "wall_counts"):
        assert np.array_equal(getattr(system, name), getattr(before, name))
    fresh = CollisionSystem.from_configuration(system.configuration(), time=system.time)
    assert system.peek() == fresh.peek()
    system.simulate(1.), fresh.simulate(1.)
    assert np.array_equal(system.positions, fresh.positions)


def test_inside_the_block_nothing_has_happened_yet():
    """The draft is a draft until the block ends; afterwards writing into it does nothing."""
    system = gas()
    with unchanged(system):
        context = system.edit()
        draft = context.__enter__()
        draft.velocities[:] = 0
        with unchanged(system):
            assert system.velocities.any()
        draft.velocities[:] = system.velocities
        context.__exit__(None, None, None)
    with system.edit() as draft:
        draft.velocities[:] *= 2
    with unchanged(system):
        draft.velocities[:] = 0
        draft.radii[:] = 9


def test_a_draft_is_the_state_as_writable_arrays():
    """Whole arrays can be replaced; one number spreads where it does in from_arrays."""
    system = mixture()
    system.simulate(.3)
    with unchanged(system):
        with system.edit() as draft:
            for name in ("positions", "velocities", "radii", "masses", "colors"):
                assert np.array_equal(getattr(draft, name), getattr(system, name))
                assert getattr(draft, name).flags.writeable
    with system.edit() as draft:
        draft.velocities = [[0, 0]] * len(system)
        draft.masses = 2
    assert not system.velocities.any() and system.masses.tolist() == [2.] * len(system)


@pytest.mark.parametrize("scene", SCENES)
def test_an_edit_that_changes_nothing_changes_nothing(scene):
    """Not one bit: an edit without assignments is a read."""
    system, twin = SCENES[scene](), SCENES[scene]()
    system.simulate(.4), twin.simulate(.4)
    with unchanged(system):
        with system.edit():
            pass
        with system.edit() as draft:
            draft.velocities[:] = draft.velocities.copy()
    system.simulate(2.), twin.simulate(2.)
    assert trajectory(system) == trajectory(twin)


def test_colours_do_not_move_discs():
    """Painting is looking: the trajectory stays the same, bit for bit."""
    system, twin = gas(), gas()
    system.simulate(.4), twin.simulate(.4)
    with system.edit() as draft:
        draft.colors[:] = 255, 0, 0
    assert system.colors.tolist() == [[255, 0, 0]] * len(system)
    system.simulate(3.), twin.simulate(3.)
    assert trajectory(system) == trajectory(twin)


def put(name, index, value):
    def change(draft):
        getattr(draft, name)[index] = value
    return change


def replace(name, value):
    def change(draft):
        setattr(draft, name, value)
    return change


@pytest.mark.parametrize("change, message", [
    (put("positions", 3, nan), r"disc 3: position is \[nan, nan\]; it must be finite"),
    (put("velocities", (4, 1), inf), r"disc 4: velocity is \[.*, inf\]; it must be finite"),
    (put("radii", 2, -.01), "disc 2: radius is -0.01; it must be >= 0"),
    (put("radii", 2, inf), "disc 2: radius is inf; it must be finite"),
    (put("masses", 7, 0), "disc 7: mass is 0.0; it must be > 0, or infinite"),
    (put("masses", 7, nan), "disc 7: mass is nan"),
    (put("positions", (5, 0), .01), "disc 5 at .* reaches through the left wall of the box 1.0 x 1.0"),
    (put("positions", (5, 1), 1.), "disc 5 at .* reaches through the top wall"),
    (put("radii", 0, .9), "disc 0 at .* reaches through the"),
    (replace("positions", np.zeros((3, 2))), r"positions has shape \(3, 2\); expected \(40, 2\)"),
    (replace("velocities", np.zeros(40)), r"velocities has shape \(40,\); expected \(40, 2\)"),
    (replace("radii", "big"), "radii must be numbers, got str"),
    (replace("colors", (1, 2, 256)), "colors must be integers"),
    (replace("colors", np.zeros((3, 3))), r"colors has shape \(3, 3\)"),
    (lambda draft: put("positions", 1, draft.positions[0])(draft), r"discs \d+ and \d+ would overlap"),
    (lambda draft: draft.radii.__imul__(3), r"disc \d+ at .* reaches through|more pairs of discs would overlap"),
])
def test_an_illegal_edit_is_refused_as_a_whole(change, message):
    """ValueError that names the disc; legal parts of the same edit are not applied either; the run goes on as before."""
    system, twin = gas(), gas()
    system.simulate(.5), twin.simulate(.5)
    with unchanged(system):
        with pytest.raises(ValueError, match=message):
            with system.edit() as draft:
                draft.velocities[0] = 7, 7
                change(draft)
    system.simulate(1.), twin.simulate(1.)
    assert trajectory(system) == trajectory(twin)


def test_an_exception_in_the_block_discards_the_draft():
    """It comes out as it is."""
    system = gas()
    with unchanged(system), pytest.raises(ZeroDivisionError):
        with system.edit() as draft:
            draft.velocities[:] = 0
            1 / 0


@pytest.mark.parametrize("meanwhile", [lambda s: s.simulate(1.), lambda s: s.remove(0),
                                       lambda s: s.add(Particle(.5, .5, 0, 0, 0, 1)),
                                       lambda s: s.next_event()])
def test_a_system_cannot_run_or_grow_while_it_is_edited(meanwhile):
    """RuntimeError at the end of the block; what happened meanwhile stays."""
    system, twin = gas(), gas()
    with pytest.raises(RuntimeError, match="the system ran, or was changed in another way, while it was being edited"):
        with system.edit() as draft:
            draft.velocities[:] = 0
            meanwhile(system)
    meanwhile(twin)
    assert trajectory(system) == trajectory(twin)


def test_an_overlap_that_was_there_may_stay():
    """Overlaps from the start do not forbid an edit elsewhere; new ones are refused, also in exchange for an old one."""
    with pytest.warns(OverlapWarning):
        system = CollisionSystem([Particle(.2, .2, 0, 0, .1, 1), Particle(.25, .2, 0, 0, .1, 1),
                                  Particle(.6, .6, 0, 0, .1, 1), Particle(.85, .6, 0, 0, .1, 1)])
    with system.edit() as draft:
        draft.velocities[2] = .1, 0
    assert system.velocities[2].tolist() == [.1, 0]
    with unchanged(system), pytest.raises(ValueError, match=r"discs \d+ and \d+ would overlap"):
        with system.edit() as draft:
            draft.positions[1] = .5, .2
            draft.positions[3] = .65, .6


def test_an_edit_may_fill_the_box_to_the_grid():
    """Radii may grow as far as the box allows, whatever grid the system had; a given grid that no longer fits is refused."""
    system = CollisionSystem([Particle(.5, .5, .1, 0, .01, 1)])
    with system.edit() as draft:
        draft.radii[0] = .5
        draft.velocities[0] = 0, 0
    assert system.next_event() is None
    system = CollisionSystem([Particle(.5, .5, .1, 0, .01, 1)], cells=(20, 20))
    with unchanged(system), pytest.raises(ValueError, match=r"cells is \(20, 20\); discs of this size allow"):
        with system.edit() as draft:
            draft.radii[0] = .5


@pytest.mark.sample(5)
@pytest.mark.parametrize("radius", [0., 1e-9, 1e-7, 1e-5])
@pytest.mark.parametrize("how", ["edit", "add", "remove", "copy", "restart"])
def test_rounding_at_a_wall_forbids_nothing(radius, how):
    """Discs that touch a wall after a contact may lie beyond it by the last bit, however small they are; the system can be
    changed, copied and started anew from its arrays all the same."""
    rng = np.random.default_rng(7)
    system = CollisionSystem.from_arrays(.1 + .8 * rng.random((100, 2)), rng.normal(size=(100, 2)), radius)
    for _ in range(400):
        if len(system) < 50:
            break
        system.simulate(max_events=1)
        beyond = np.minimum(system.positions - radius, 1 - radius - system.positions).min()
        assert beyond > -1e-15
        if beyond >= 0:
            continue
        if how == "edit":
            with system.edit() as draft:
                draft.velocities[0] *= 1.001
        elif how == "add":
            system.add(Particle(.5, .5, 0, 0, 0, 1))
        elif how == "remove":
            system.remove(len(system) - 1)
        elif how == "copy":
            assert trajectory(system.copy()) == trajectory(system)
        else:
            system = CollisionSystem.from_configuration(system.configuration(), box=system.box, time=system.time)


# add

def test_add_appends():
    """It returns the new index; the others stay where they are; the new disc takes part at once."""
    system = CollisionSystem([Particle(.25, .5, 0, 0, .125, 1)], time=3.)
    assert system.add(Particle(.75, .5, -1, 0, .125, 2, (1, 2, 3), count=9)) == 1
    assert len(system) == 2 and system.masses.tolist() == [1., 2.] and system.colors[1].tolist() == [1, 2, 3]
    assert system.collision_counts.tolist() == [0, 0] and system.ids.tolist() == [0, 1] and system.time == 3.
    event = system.next_event()
    assert (event.time, event.particles) == (3.25, (0, 1))


def test_add_to_nothing():
    """An empty system is a place to put discs, in any box."""
    for box in (Box(), TORUS, CHANNEL):
        system = CollisionSystem(box=box)
        for k in range(5):
            assert system.add(Particle(.1 + .15 * k, .5, .1 * k, .2, .05, 1)) == k
        assert system.simulate(5.) > 0


@pytest.mark.parametrize("box", [Box(), TORUS])
@pytest.mark.parametrize("particle, message", [
    (Particle(.5, .5, 0, 0, .2, 1), r"discs \d+ and \d+ would overlap"),
    (Particle(.5, .5, 0, 0, .01, 1), r"discs \d+ and \d+ would overlap"),
    (Particle(.5, .5, 0, 0, .24, 1e200), "disc 2: mass is 1e[+]200; it must be > 0 and finite")])
def test_add_refuses_overlap_and_illegal_values(box, particle, message):
    """Even where overlap at the start is only warned of; nothing changes."""
    system = CollisionSystem([Particle(.5, .6, .1, 0, .125, 1), Particle(.1, .125, 0, .1, .01, 1)], box=box)
    with unchanged(system), pytest.raises(ValueError, match=message):
        system.add(particle)


def test_add_refuses_overlap_through_the_edge_and_discs_beyond_the_walls():
    """As everywhere: periodic axes count, walls hold."""
    system = CollisionSystem([Particle(.05, .5, 0, 0, .125, 1)], box=TORUS)
    with unchanged(system), pytest.raises(ValueError, match=r"discs \d+ and \d+ would overlap"):
        system.add(Particle(.95, .5, 0, 0, .125, 1))
    system = gas(3)
    with unchanged(system):
        with pytest.raises(ValueError, match="disc 3 at .* reaches through the right wall"):
            system.add(Particle(1., .5, 0, 0, .01, 1))
        with pytest.raises((TypeError, AttributeError)):
            system.add((.5, .5))


def test_touching_is_not_overlapping():
    """A disc may be added in touch with others; if it approaches, it collides at once."""
    system = CollisionSystem([Particle(.25, .5, 0, 0, .125, 1)])
    system.add(Particle(.5, .5, -1, 0, .125, 1))
    event = system.next_event()
    assert (event.time, event.particles) == (0., (0, 1)) and system.velocities.tolist() == [[-1, 0], [0, 0]]


# remove and ids

@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(st.just("add"), st.just("run"), st.integers(-12, 12)), max_size=25))
def test_ids_and_indices_are_those_of_a_list(operations):
    """remove(i) works like del, add appends; ids never change and never come back; all arrays follow."""
    system = gas(4)
    ids, fresh = list(range(4)), 4
    radii = system.radii.tolist()
    for operation in operations:
        if operation == "add":
            r = 1e-4 * (fresh + 1)
            try:
                index = system.add(Particle(.01 + .9 * ((fresh * 37) % 101) / 101, .5, 0, .1, r, 1))
            except ValueError:
                continue
            assert index == len(ids)
            ids.append(fresh)
            radii.append(r)
            fresh += 1
        elif operation == "run":
            system.step(.05)
        elif -len(ids) <= operation < len(ids):
            assert system.remove(operation) is None
            del ids[operation], radii[operation]
        else:
            with unchanged(system), pytest.raises(IndexError, match=f"disc {operation} of {len(ids)}"):
                system.remove(operation)
        assert system.ids.tolist() == ids and system.radii.tolist() == radii and len(system) == len(ids)


def test_ids_never_come_back():
    """Not after removing the last disc, not in a copy, not after a checkpoint."""
    system = gas(3)
    system.remove(2)
    assert system.add(Particle(.5, .5, 0, 0, 0, 1)) == 2 and system.ids.tolist() == [0, 1, 3]
    system.remove(-1)
    for twin in (system.copy(), CollisionSystem.from_checkpoint(*system.checkpoint()), system):
        twin.add(Particle(.5, .5, 0, 0, 0, 1))
        assert twin.ids.tolist() == [0, 1, 4]


def test_a_removed_disc_is_gone():
    """The others keep state, counts and colours; what was to meet it goes on."""
    system = CollisionSystem([Particle(.2, .5, 1, 0, .05, 1), Particle(.5, .5, 0, 0, .05, 1), Particle(.8, .5, 0, 0, .05, 1)])
    assert system.peek().particles == (0, 1)
    system.remove(1)
    event = system.next_event()
    assert event.particles == (0, 1) and event.time == pytest.approx(.5)
    system.remove(0), system.remove(0)
    assert len(system) == 0 and system.next_event() is None and system.time == event.time
    assert system.positions.shape == (0, 2) and system.temperature == 0


@pytest.mark.parametrize("scene", ["walls", "periodic", "channel", "mixture"])
def test_what_stays_is_counted_on(scene):
    """Statistics, counts, unwrapped positions and hash go on through add and remove."""
    system = SCENES[scene]()
    system.simulate(1.5)
    before = system.copy()
    system.remove(3)
    keep = np.delete(np.arange(len(before)), 3)
    assert np.array_equal(system.positions, before.positions[keep]) and np.array_equal(system.velocities, before.velocities[keep])
    assert np.allclose(system.unwrapped_positions, before.unwrapped_positions[keep], atol=1e-14)
    assert np.array_equal(system.collision_counts, before.collision_counts[keep])
    assert system.hash() == before.hash() and system.time == before.time
    for name in ("pair_contacts", "wall_contacts", "events", "multi_events", "simultaneous_impacts", "crossings", "rebases"):
        assert system.statistics[name] == before.statistics[name]


def test_changes_far_from_the_origin_of_time():
    """At time 1e15 the system goes on as from time 0 through edits, additions and removals."""
    late, early = gas(time=1e15), gas()
    for k in range(30):
        for system in (late, early):
            system.step(.01)
            with system.edit() as draft:
                draft.velocities[k] *= -1
            if k % 3 == 0:
                system.remove(0)
    assert np.array_equal(late.positions, early.positions) and np.array_equal(late.velocities, early.velocities)


# reverse

def test_reversed_velocities_return_home():
    """After a time forward and the same time with velocities reversed every disc is where it began."""
    system = gas()
    home, velocities = system.positions, system.velocities
    system.simulate(.25)
    assert system.collision_counts.sum() > 50
    time, seen = system.time, system.hash()
    system.reverse()
    assert (system.time, system.hash()) == (time, seen)
    system.simulate(.5)
    assert np.allclose(system.positions, home, atol=1e-9) and np.allclose(system.velocities, -velocities, atol=1e-7)


def test_reverse_at_the_instant_of_a_contact():
    """The discs that have just bounced go back through their contact: they touch and approach, and collide at once."""
    system = CollisionSystem([Particle(.25, .5, 1, 0, .125, 1), Particle(.75, .5, 0, 0, .125, 1)])
    first = system.next_event()
    system.reverse()
    assert system.velocities.tolist() == [[0, 0], [-1, 0]]
    again = system.next_event()
    assert (again.time, again.particles) == (first.time, first.particles)
    assert system.velocities.tolist() == [[-1, 0], [0, 0]]


def test_named_data_can_be_changed():
    """The example of the documentation."""
    system = hdsim.load("billiards2")
    with system.edit() as draft:
        draft.velocities[0] = .1, 0
    assert system.velocities[0].tolist() == [.1, 0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("radius", [0., 1e-6, 1e-5])
def test_what_the_engine_left_at_a_wall_is_no_obstacle(radius, tmp_path):
    """A fast point may end a contact some last bits beyond a wall: others still come and go, and the state can be saved."""
    rng = np.random.default_rng(1)
    velocities = rng.normal(size=(100, 2)) * 1e-3
    velocities[0] = 1, .7
    system = CollisionSystem.from_arrays(rng.random((100, 2)) * .9 + .05, velocities, radius, time=3.)
    for _ in range(200):
        system.next_event()
        with system.edit() as draft:
            draft.velocities[1] *= 1.0001
        system.save(tmp_path / "state.npz")
        assert hdsim.load(tmp_path / "state.npz").hash() == system.hash()


@pytest.mark.parametrize("change", [
    lambda system: system.reverse(), lambda system: (system.remove(0), system.add(Particle(.9, .9, 0, 0, .01, 1))),
    lambda system: system.step(1.)])
def test_an_edit_of_a_state_that_has_gone_is_refused(change):
    """Also where neither the number of discs nor the time tell that it has."""
    system = gas(time=1e17)
    with pytest.raises(RuntimeError, match="changed in another way"), system.edit() as draft:
        change(system)
        draft.velocities[0] = 0


# names that are not there

FIELDS = ("positions", "velocities", "radii", "masses", "colors", "species", "obstacles", "box", "restitution", "contact_time",
          "gravity", "walls")


@pytest.mark.parametrize("name, nearest", [("velocity", "velocities"), ("position", "positions"),
                                           ("radius", "radii"), ("mass", "masses"), ("color", "colors"), ("qqq", None)])
def test_an_edit_refuses_a_field_that_discs_do_not_have(name, nearest):
    """It would have been forgotten in silence. Read or written, the sentence has all fields and the nearest."""
    system = gas()
    before = trajectory(system)
    for use in lambda draft: setattr(draft, name, 4.), lambda draft: getattr(draft, name):
        with pytest.raises(AttributeError) as caught, system.edit() as draft:
            draft.velocities[0] = 0
            use(draft)
        message = str(caught.value)
        assert all(field in message for field in FIELDS) and repr(name) in message and "\n" not in message
        assert message.endswith(f"nearest is {nearest}" if nearest else repr(name))
    assert trajectory(system) == before


def test_an_edit_adds_no_disc():
    with pytest.raises(AttributeError, match="and no 'add'; system.add, outside of the edit, does that$"), gas().edit() as draft:
        draft.add(None)


def test_every_field_of_an_edit_can_be_assigned():
    system = gas()
    with system.edit() as draft:
        for name in FIELDS:
            setattr(draft, name, copy.copy(getattr(system, name)))
        draft.velocities *= 2
    assert system.temperature == pytest.approx(4)


def public_properties():
    return [name for name in dir(CollisionSystem) if isinstance(getattr(CollisionSystem, name), property) and name[0] != "_"]


@pytest.mark.parametrize("name", public_properties())
def test_what_a_system_tells_cannot_be_assigned(name):
    """The sentence names `edit`, and for a field of discs how it is changed there."""
    system = gas()
    before = trajectory(system)
    with pytest.raises(AttributeError, match=rf"system\.{name} cannot be assigned: .*system\.edit\(\)") as caught:
        setattr(system, name, getattr(system, name))
    assert (f"draft.{name} = ..." in str(caught.value)) == (name in (*FIELDS, "temperature"))
    changed = f"the {name.replace('_', ' ')}" if name in FIELDS[6:] else "the discs"
    assert name not in FIELDS or str(caught.value).endswith(f"draft.{name} = ...` changes {changed}")
    assert trajectory(system) == before


def test_all_that_was_promised_is_among_them():
    assert {*FIELDS, "time", "box", "temperature", "ids"} <= {*public_properties()}


# obstacles by their lines

def test_obstacles_are_added_by_the_lines_of_a_file():
    """As an edit: at the present time, behind those that there are, all or none; species of discs too, and the same box."""
    system = CollisionSystem.from_arrays([(.2, .2), (.8, .8)], [(1, 0), (0, 1)], .05, obstacles=[hdsim.Circle((.5, .5), .1)])
    system.simulate(until=.1)
    lines = "\nsegment .9 0 .9 .4  name=low\nbox 1 1\nspecies 1 1 3\ncircle .1 .9 .05 species=3 until=2\n"
    assert system.add_obstacles(lines) == 3
    assert system.obstacles == (hdsim.Circle((.5, .5), .1), hdsim.Segment((.9, 0), (.9, .4), name="low"),
                                hdsim.Circle((.1, .9), .05, species=3, until=2.0))
    assert system.species.tolist() == [0, 3] and system.time == .1 and system.add_obstacles("") == system.add_obstacles(b"") == 3
    before, obstacles = state(system), system.obstacles
    for lines, error, message in (
            ("segment 0 0 1 1\nsegment 0 0", hdsim.FileFormatError, "^lines:2: segment: expected 4 numbers, both ends, found 2$"),
            ("circle .01 .01 .001\nsegment 0 .2 1 .2", ValueError, r"^disc 0 .* overlaps obstacles\[4\], Segment"),
            ("\nperiodic x\nsegment 0 0 0 0", ValueError,
             r"^lines:2: the box is Box\(width=1.0, height=1.0, periodic=\(True, False\)\); that of the system is Box"),
            ("species 0 2 1", hdsim.FileFormatError, "^lines:1: species: expected 0 <= first <= last < 2, the number of discs"),
            (5, TypeError, "^lines is 5; it must be a string, such as 'segment .5 0 .5 .4'$")):
        with pytest.raises(error, match=message):
            system.add_obstacles(lines)
        assert state(system) == before and system.obstacles == obstacles
    system.observe("temperature")
    with pytest.raises(RuntimeError, match="discs cannot be changed while they are observed"):
        system.add_obstacles("segment 0 0 .01 0")


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_law_of_contacts_is_changed_like_all_else(dimension):
    """It is that of a system which was made with it in the same state; the balance goes on, and what is not legal is refused."""
    system = hdsim.random(40, radius=.03, temperature=1., seed=1, box=Box.of([1.] * dimension, True))
    system.simulate(until=.2)
    before = system.copy()
    with system.edit() as draft:
        assert (draft.restitution, draft.contact_time) == (1., 0.)
        draft.restitution, draft.contact_time = {"pair": .9, "wall": .5}, 1e-4
    assert system.restitution == {"pair": .9, "wall": .5} and system.contact_time == 1e-4 and system.time == before.time
    assert np.array_equal(system.velocities, before.velocities) and not system.conserves_energy
    made = CollisionSystem.from_arrays(before.positions, before.velocities, before.radii, before.masses, box=before.box,
                                       time=before.time, restitution={"pair": .9, "wall": .5}, contact_time=1e-4)
    for _ in range(40):
        one, other = system.next_event(), made.next_event()
        assert one.time == pytest.approx(other.time, rel=1e-9) and one.particles == other.particles
    taken = system.dissipated
    assert taken > 0 and abs(system.energy_balance().drift) < 1e-14
    with system.edit() as draft:
        draft.restitution = 1.
    assert system.conserves_energy and system.dissipated == taken and system.contact_time == 1e-4
    for wrong, message in (({"restitution": 2}, "restitution is 2; it must be from 0"),
                           ({"contact_time": -1}, "contact_time is -1; it must be >= 0"),
                           ({"restitution": {"pair": [[.5]], "wall": 1}, "contact_time": nan}, "contact_time is nan")):
        with unchanged(system), pytest.raises(ValueError, match=message):
            with system.edit() as draft:
                for name, value in wrong.items():
                    setattr(draft, name, value)
    with pytest.raises(AttributeError, match="draft.contact_time = ...` changes the contact time"):
        system.contact_time = 1


@pytest.mark.parametrize("dimension", [2, 3])
def test_sides_become_hot_and_cold_in_an_edit(dimension):
    """The system is that which was made with these sides in the same state, to the bit; without them again it is elastic, and the
    heat so far stays in the balance."""
    system = hdsim.random(40, radius=.03, temperature=1., mass=1., seed=1, box=[1.] * dimension)
    system.simulate(until=.2)
    before = system.copy()
    slide = hdsim.Thermal(2., (0, 1.5) if dimension == 2 else (0, 1.5, 0))
    with system.edit() as draft:
        assert draft.walls == {} and draft.temperature == pytest.approx(1)
        draft.walls["top"] = hdsim.Thermal(.5)
        draft.walls = {"left": slide, **draft.walls}
        assert draft.temperature == pytest.approx(1)
    assert list(system.walls) == ["left", "top"] and system.walls["left"] == slide and not system.conserves_energy
    made = CollisionSystem.from_arrays(before.positions, before.velocities, before.radii, before.masses, box=before.box,
                                       time=before.time, walls={"top": hdsim.Thermal(.5), "left": slide}, seed=before.seed)
    for _ in range(200):
        one, other = system.next_event(), made.next_event()
        assert one.time == pytest.approx(other.time, rel=1e-9) and one.particles == other.particles
    assert system.thermal_contacts.sum() > 20 and (system.thermal_contacts == made.thermal_contacts).all()
    with system.edit() as draft:
        draft.walls["left"] = hdsim.Thermal(4.)         # another temperature: the numbers of each disc go on
    assert (system.thermal_contacts == made.thermal_contacts).all()
    taken = system.energy_balance().heat
    with system.edit() as draft:
        draft.walls.clear()
    assert system.walls == {} and not system.is_heated
    system.simulate(until=system.time + .2)
    assert system.energy_balance().heat == taken != 0 and abs(system.energy_balance().drift) < 1e-13
    for wrong, error, message in (({"lid": slide}, ValueError, r"walls has the key 'lid'; it must be left, right, bottom"),
                                  ({"left": 2.}, TypeError, r"walls\['left'\] is 2.0; it must be thermal"),
                                  (5, TypeError, "walls is 5; it must be a dict")):
        with unchanged(system), pytest.raises(error, match=message), system.edit() as draft:
            draft.walls = wrong


def test_a_periodic_side_takes_no_temperature_in_an_edit():
    system = hdsim.random(10, radius=.02, temperature=1., box=hdsim.Box(1, 1, (True, False)))
    with unchanged(system), pytest.raises(ValueError, match=r"walls\['left'\]: the box is periodic along x"):
        with system.edit() as draft:
            draft.walls["left"] = hdsim.Thermal(1.)
