"""What a window or a sweep needs of a system, held against all engines: the roles that each plays, and that it plays them."""
import inspect

import numpy as np
import pytest
from test_viewer import Gas, mover

import hdsim
from hdsim import spaces, viewer
from hdsim.model import roles
from hdsim.model.box import lengths_of
from hdsim.model.roles import (Drawable, Editable, FillsArrays, HasObstacles, HasThermalSides, KeepsBalance, Measurable, Numbered,
                               Observable, OfSpace, Playable, Predicts, Resumable, ShowsCells, ShowsQueue, TwoEngines, lacking,
                               members, offers, on_paper, require)
from hdsim.observers import Pressure
from hdsim.reference.side_by_side import SideBySide
from hdsim.reference.textbook_face import TextbookSystem
from hdsim.reference.timestep import TimeDrivenSystem

OPTIONAL = {Editable, Numbered, FillsArrays, Observable, ShowsQueue, ShowsCells, HasObstacles, Predicts,
            KeepsBalance, HasThermalSides}
PAPER = {Editable, KeepsBalance, OfSpace}
PLACES = np.array([(.2, .2, .2), (.7, .3, .6), (.4, .8, .4)])
ENGINES = {
    "exact": (lambda: hdsim.load("p10"), OPTIONAL),
    "exact, in space": (lambda: hdsim.random(20, radius=.08, box=hdsim.Box(1, 1, depth=1), seed=1, temperature=1.), OPTIONAL),
    "heap": (lambda: hdsim.load("p10", queue="heap"), OPTIONAL),
    "textbook": (lambda: TextbookSystem(hdsim.load("p10")), {Editable, ShowsQueue, ShowsCells, HasObstacles, HasThermalSides,
                                                             Predicts}),
    "time-stepping": (lambda: TimeDrivenSystem(hdsim.load("p10"), 1.0), {Editable, Numbered, ShowsCells}),
    "side by side": (lambda: SideBySide(hdsim.load("p10"), 1.0), set()),
    "stand-in": (mover, set()),
    "squares": (lambda: on_paper(spaces.Gas(spaces.Norm(np.inf), PLACES[:, :2], PLACES[::-1, :2], .1, periodic=(1, 1))), PAPER),
    "spheres": (lambda: on_paper(spaces.Gas(spaces.Norm(2, 3), PLACES, PLACES[::-1], .1, periodic=(1, 1, 1))), PAPER),
    "globe": (lambda: on_paper(spaces.Gas(spaces.Sphere(), np.eye(3)[:2], [[0, 1.4, 0], [0, 0, 1]], .2)), PAPER),
}
each_engine = pytest.mark.parametrize("make, optional", ENGINES.values(), ids=ENGINES)


def accepts(method, wanted):
    """Can the method be called as its protocol says: with these parameters, the ones before a slash by place?"""
    parameters = list(inspect.signature(wanted).parameters.values())[1:]
    by_place = [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_ONLY]
    by_name = {parameter.name: None for parameter in parameters if parameter.kind is not parameter.POSITIONAL_ONLY}
    inspect.signature(method).bind(*by_place, **by_name)


@each_engine
def test_every_engine_plays_the_roles_that_it_is_known_for(make, optional):
    """The window needs one; the others are found by class, and each member is there with the parameters of the protocol."""
    system = make()
    require(system, Playable)
    require(system, Drawable)
    assert {role for role in OPTIONAL | PAPER if offers(system, role)} == optional
    for role in (Playable, *optional):
        for name in members(role):
            wanted = getattr(role, name)
            if not isinstance(wanted, property):
                accepts(getattr(system, name), wanted)


@each_engine
def test_every_engine_gives_what_the_roles_promise(make, optional):
    """Shapes and counts, a run that a timer sees, and a copy that goes its own way."""
    system, n = make(), len(make())
    d = len(lengths_of(system.box))
    assert np.shape(system.positions) == np.shape(system.velocities) == (n, d)
    assert np.shape(system.radii) == (n,) and np.shape(system.colors) == (n, 3)
    assert system.box.width > 0 and len(system.box.periodic) == d and system.kinetic_energy > 0
    counts = system.statistics if isinstance(system.statistics, dict) else vars(system.statistics)
    assert {"events", "pair_contacts", "wall_contacts"} <= set(counts)
    twin, times = system.copy(), []
    timer = system.on_redraw(lambda event: times.append(event.time), every=.5)
    before = system.time
    system.simulate(until=before + 2, max_events=1000, max_seconds=10.0)
    assert system.time == before + 2 and times == [before + .5 * k for k in range(1, 5)] and twin.time == before
    timer.cancel()
    assert system.next_event().time > before + 2
    if Editable in optional:
        assert np.shape(system.masses) == (n,) and system[0].radius == system.radii[0]
    if Numbered in optional:
        assert np.array_equal(system.ids, np.sort(system.ids)) and len(system.ids) == n
    if FillsArrays in optional:
        out = np.empty((n, d), np.float32)
        system.advance_into(out)
        assert np.array_equal(out, system.positions.astype(np.float32))
    if Observable in optional:
        observer = system.observe(Pressure())
        assert system.observers == (observer,) and system.unwrapped_positions.shape == (n, d)
    if HasObstacles in optional:
        assert system.obstacles is system.obstacles == () and np.shape(system.species) == (n,)
    if Predicts in optional:
        firsts = [system.next_contact(i) for i in range(n)]
        assert min(first.time for first in firsts if first) == pytest.approx(system.schedule(1)[0].time, rel=1e-12)
        assert all(i in first.particles for i, first in enumerate(firsts) if first)
    if OfSpace in optional:
        assert system.speeds.shape == (n,) and system.unwrapped_positions.shape == (n, d)
        assert system.dimension >= 1 and system.freedom >= 1 and isinstance(system.relaxes, bool)
        assert all(isinstance(part, str) for row in system.described(0) for part in row)
        for change in (system.edit, lambda: system.add(system[0]), lambda: system.remove(0)):
            with pytest.raises(RuntimeError, match="cannot be changed"):
                change()
    if ShowsQueue in optional:
        assert system.queue(5).entries and len(system.schedule(3)) <= 3 and system.pair_checks.made >= 0
    if ShowsCells in optional:
        cells, others = system.near(0)
        assert cells.shape[1] == 2 * d and 0 not in others


def test_two_engines_have_what_their_window_shows():
    both = SideBySide(hdsim.load("diagonal"), 8)
    require(both, TwoEngines)
    for name in members(TwoEngines):
        wanted = getattr(TwoEngines, name)
        if not isinstance(wanted, property):
            accepts(getattr(both, name), wanted)
    assert len(both.astray) == len(both) and len(both.energy_errors) == 2 and both.missed == 0 and both.first_missed is None


def test_what_cannot_be_shown_is_refused():
    """Before anything is opened, in one line that names what is missing."""
    class NoCopy(Gas):
        copy = property()

    class Half:
        time = 0.0

        def __len__(self):
            return 0

    with pytest.raises(TypeError) as refused:
        viewer.show(Half())
    assert str(refused.value) == ("expected a system with all members of hdsim.model.roles.Playable, got Half without box, "
                                  "colors, copy, "
                                  "kinetic_energy, next_event, on_redraw, positions, radii, simulate, statistics, velocities")
    with pytest.raises(TypeError, match="got int without __len__, box, "):
        viewer.show(42)
    require(NoCopy([]), Playable)       # a class that has the name is believed


def test_roles_are_checked_without_reading_properties():
    """A property may be expensive, so only its presence is checked, not its value; and each class is checked once."""
    class Slow:
        @property
        def ids(self):
            raise AssertionError("computed")

    assert offers(Slow(), Numbered) and not offers(Slow(), Observable)
    del Slow.ids
    assert offers(Slow(), Numbered)     # remembered


@pytest.mark.parametrize("make", [lambda: hdsim.load("p10"), lambda: hdsim.load("fcc"),
                                  lambda: spaces.Gas(spaces.Norm(4), PLACES[:, :2], PLACES[::-1, :2], .1, periodic=(1, 1))])
def test_discs_spheres_and_gases_can_be_replicas(make):
    """All members of the roles of ensembles and sweeps, with the parameters of the protocol; an engine without observers lacks
    some, which are named."""
    system = make()
    for name in members(Resumable):
        wanted = getattr(Resumable, name)
        if not isinstance(wanted, property):
            accepts(getattr(system, name), wanted)
    assert members(Measurable) < members(Resumable) and lacking(system, Resumable) == ""
    assert lacking(TextbookSystem(hdsim.load("p10")), Measurable) == "has_callbacks, hash, observe, observers, timed_out"


def test_no_engine_inherits_from_a_role():
    """A role is a face, not an ancestor: an engine does not import this page."""
    faces = {role for _, role in inspect.getmembers(roles, inspect.isclass) if role.__module__ == "hdsim.model.roles"}
    assert len(faces) == 24
    for make, _ in ENGINES.values():
        assert faces.isdisjoint(type(make()).__mro__)
