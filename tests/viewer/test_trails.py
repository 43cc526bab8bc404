"""Trails: paths are exact from contact to contact, whatever the time between two frames, also where discs fall or are heated."""
import numpy as np
import pytest

import hdsim
from hdsim import CollisionSystem, Thermal
from hdsim.viewer.draw.frame import Frame
from hdsim.viewer.draw.orbit import Orbit
from hdsim.viewer.parts.trails import _in_sight
from hdsim.viewer.reading.paths import Tracker


def followed(system, times, disc=0):
    """The pieces of the path of a disc, (k, 2, d), that is followed at these times."""
    tracker = Tracker()
    tracker.begin(system, (disc,))
    for time in times:
        system.simulate(until=time)
        tracker.follow(system)
    path = tracker.paths[disc]
    return np.concatenate([path._pieces, path._live])


def places(system, times, disc=0):
    found = []
    for time in times:
        system.simulate(until=time)
        found.append(system.positions[disc].tolist())
    return np.array(found)


def furthest(pieces, system, times):
    """How far a place of the disc is from its path at most, on a run that is looked at often."""
    here, worst = places(system, times), 0.0
    for time, place in zip(times, here):
        k = np.flatnonzero((pieces[:, 0, -1] <= time) & (time <= pieces[:, 1, -1]))[0]
        (start, begin), (end, ended) = ((point[:-1], point[-1]) for point in pieces[k])
        worst = max(worst, np.linalg.norm(start + (time - begin) / (ended - begin) * (end - start) - place))
    return worst


def fallen(**options):
    return hdsim.random(30, radius=.03, temperature=1., mass=1., seed=2, **{"box": (1, 1), **options})


SYSTEMS = {
    "elastic": lambda: fallen(),
    "falling": lambda: fallen(gravity=(.5, -3.)),
    "falling, periodic": lambda: fallen(box=hdsim.Box(1, 1, (True, False)), gravity=(0, -3.)),
    "spheres": lambda: hdsim.random(30, radius=.05, temperature=1., seed=2, box=(1, 1, 1), gravity=(0, 0, -2.)),
    "heated": lambda: fallen(walls={"left": Thermal(3.), "top": Thermal(.5)}),
    "heated and falling": lambda: fallen(walls={"bottom": Thermal(2., 1.)}, gravity=(0, -1.)),
}


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("frames", [7, 60])
def test_a_path_is_where_the_disc_was(name, frames):
    """Within the fineness of chords, from few frames with many contacts each, and from many."""
    system = SYSTEMS[name]()
    pieces = followed(system.copy(), np.linspace(0, 1, frames + 1)[1:])
    thermal = "heated" in name and frames < 20      # more than one thermal contact between two frames is not resolved
    assert furthest(pieces, system, np.linspace(.01, .99, 197)) < (.3 if thermal else 1.1 / 1500)


def test_a_ball_that_hops_in_one_place_has_a_path():
    """It returns to the same place, which is no short flight."""
    ball = CollisionSystem.from_arrays([(.5, .05)], [(0, 2.)], .05, gravity=(0, -4.))
    pieces = followed(ball, [.25, .7, 1.3])
    assert pieces[:, :, 1].max() == pytest.approx(.05 + .5, abs=1e-3) and len(pieces) > 20
    assert np.allclose(pieces[:, :, 0], .5)


def test_an_edit_of_gravity_bends_the_path_from_then_on():
    system, tracker = CollisionSystem.from_arrays([(.1, .5)], [(1., 0.)], .01, box=(9, 1)), Tracker()
    tracker.begin(system, (0,))
    system.simulate(until=.25)
    tracker.follow(system)
    tracker.end(system)
    with system.edit() as draft:
        draft.gravity = (0, -2.)
    tracker.begin(system, (0,))
    system.simulate(until=.5)
    tracker.follow(system)
    path = tracker.paths[0]
    pieces = np.concatenate([path._pieces, path._live])
    assert (pieces[pieces[:, 1, 2] <= .25, :, 1] == .5).all() and pieces[-1, 1, 1] == pytest.approx(.5 - .0625)


def test_spheres_hide_trails():
    """What is left of a piece behind a sphere are its two ends, each in one line; before the sphere, all of it."""
    frame = Frame.of(CollisionSystem.from_arrays([(.5, .5, .5)], [(0, 0, 0)], .1, box=(1, 1, 1)))
    view = Orbit.of_angles(0, 0, perspective=False).view(frame, (400, 400), (0, 0, 0, 0))
    bodies = view.bodies(frame.positions, frame.radii)
    ends = np.array([[(.1, .5, .2), (.9, .5, .2)], [(.1, .5, .8), (.9, .5, .8)]])
    parts, strength = _in_sight(view, bodies, ends, np.array([.5, 1.]), 2.)
    assert strength.tolist() == [.5, .5, 1.] and np.allclose(parts[2], ends[1])
    assert np.allclose(parts[:2, :, 0], [(.1, .4), (.6, .9)], atol=.01)
