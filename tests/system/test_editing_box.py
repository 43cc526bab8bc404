"""Another box in an edit: what follows is what a system made in that box does, and an edit that does not fit changes nothing."""
import pickle

import numpy as np
import pytest
from scenes import gas

import hdsim
from hdsim.observers import Pressure

PLACES = [(.2, .3), (.7, .6), (.5, .85)]
SPEEDS = [(.3, .1), (-.2, .4), (.1, -.5)]


def three(box=(1, 1), **how):
    return hdsim.CollisionSystem.from_arrays(PLACES, SPEEDS, .1, box=box, **how)


def contacts(system, until):
    return [(event.time, event.kind, event.particles) for event in system.events(until=until)]


@pytest.mark.parametrize("axes", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("box", [(1.5, 1.0), (1.0, 3.0), (.9, .97), (7.25, .96)])
def test_what_follows_is_what_a_system_in_that_box_does(box, axes):
    """From the same state, at the same time: the same contacts to rounding, before which nothing was counted anew."""
    system = three(hdsim.Box(1, 1, axes))
    system.simulate(until=.125)
    before = system.statistics["events"]
    with system.edit() as draft:
        assert draft.box == hdsim.Box(1, 1, axes)
        draft.box = box
    assert system.box == hdsim.Box(*box, axes) and system.time == .125 and system.statistics["events"] == before
    fresh = hdsim.CollisionSystem.from_arrays(system.positions, system.velocities, .1, box=hdsim.Box(*box, axes), time=.125)
    found, expected = contacts(system, 60.0)[:6], contacts(fresh, 60.0)[:6]      # later ones show how rounding grows
    assert len(found) > 1 and [what[1:] for what in found] == [what[1:] for what in expected]
    assert [what[0] for what in found] == pytest.approx([what[0] for what in expected], rel=1e-9)
    system.check()


@pytest.mark.parametrize("box, line", [
    ((.75, 1.0), r"disc 1 at \[0.7, 0.6\] with radius 0.1 reaches through the right wall of the box 0.75 x 1.0"),
    ((1.0, .5), "reaches through the top wall"), ((0.0, 1.0), "width"), ((np.nan, 1.0), "width"),
    (hdsim.Box(2, 1, (True, False)), r"its periodic axes must be those of the system"), ("large", "box is 'large'")])
def test_a_box_that_is_not_legal_changes_nothing(box, line):
    system = three()
    before = system.positions, system.velocities, system.hash(), system.box
    with pytest.raises((ValueError, TypeError), match=line):
        with system.edit() as draft:
            draft.box = box
            draft.velocities[0] = 9, 9
    assert np.array_equal(before[0], system.positions) and np.array_equal(before[1], system.velocities)
    assert (before[2], before[3]) == (system.hash(), system.box)
    assert contacts(system, 5.0) == contacts(three(), 5.0)


def test_discs_must_not_overlap_across_an_edge_that_has_moved():
    """In a periodic box two discs that were apart may be images of each other's neighbours in a narrower one."""
    system = hdsim.CollisionSystem.from_arrays([(.1, .5), (.85, .5)], [(0, 0), (0, 0)], .08, box=hdsim.Box(1, 1, (True, False)))
    with pytest.raises(ValueError, match="discs 0 and 1 would overlap"):
        with system.edit() as draft:
            draft.box = .8, 1
    with system.edit() as draft:
        draft.box, draft.positions[1] = (.8, 1), (.45, .5)
    assert system.box == hdsim.Box(.8, 1, (True, False))


def test_obstacles_stay_and_are_compared_again():
    """They keep their places, and their images in a periodic box come closer."""
    obstacles = [hdsim.Circle((1.1, .5), .1)]
    box = hdsim.Box(1.5, 1, (True, False))
    system = hdsim.CollisionSystem.from_arrays([(.15, .5)], [(.1, 0)], .05, box=box, obstacles=obstacles)
    with pytest.raises(ValueError, match=r"disc 0 at \[0.15, 0.5\] with radius 0.05 overlaps obstacles\[0\]"):
        with system.edit() as draft:
            draft.box = 1.05, 1
    with system.edit() as draft:
        draft.box = 2, 1
    assert system.next_contact(0).time == pytest.approx(8.0)


def test_copies_and_files_have_the_new_box(tmp_path):
    system = gas(40)
    with system.edit() as draft:
        draft.box = hdsim.Box(system.box.width * 1.25, system.box.height * 2, system.box.periodic)
    system.save(tmp_path / "a.npz")
    twins = system.copy(), pickle.loads(pickle.dumps(system)), hdsim.load(tmp_path / "a.npz")
    system.simulate(max_events=300)
    for twin in twins:
        twin.simulate(max_events=300)
        assert twin.box == system.box and twin.hash() == system.hash()


def test_an_observed_system_keeps_its_box():
    system = three()
    observer = system.observe(Pressure())
    with pytest.raises(RuntimeError, match="observed"):
        with system.edit() as draft:
            draft.box = 2, 2
    assert system.box == hdsim.Box()
    observer.detach()
    with system.edit() as draft:
        draft.box = 2, 2
    assert system.box == hdsim.Box(2, 2) and system.packing_fraction == pytest.approx(3 * np.pi * .01 / 4)
