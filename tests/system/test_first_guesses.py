"""What users try first works, or the error says what does."""
import copy
import io
import pickle
import sys

import numpy as np
import pytest
from scenes import CHANNEL, TORUS, WALLS

import hdsim


@pytest.mark.parametrize("box", [WALLS, CHANNEL, TORUS])
def test_a_packing_fraction_makes_a_radius(box):
    system = hdsim.random(200, packing=.4, box=box, temperature=1.0)
    assert system.packing_fraction == pytest.approx(.4, rel=1e-12) and len(system) == 200
    assert len(hdsim.random(0, packing=.4)) == 0
    for options in ({"packing": 1.0}, {"packing": -.1}, {"packing": .4, "radius": .1}, {"packing": float("nan")}):
        with pytest.raises(ValueError, match="packing is .*it must be"):
            hdsim.random(10, **options)


@pytest.mark.parametrize("box", [WALLS, CHANNEL, TORUS])
def test_a_temperature_can_be_set(box):
    """Exactly, with all velocities multiplied by one factor; fixed discs stay."""
    system = hdsim.random(50, radius=.01, temperature=1.0, box=box, k_B=1.38)
    before = system.velocities.copy()
    with system.edit() as draft:
        assert draft.temperature == pytest.approx(system.temperature, rel=1e-12)
        draft.temperature = 2
    assert system.temperature == pytest.approx(2, rel=1e-12)
    assert np.ptp(system.velocities / before) < 1e-12
    with system.edit() as draft:
        draft.masses[0], draft.velocities[0] = np.inf, 0
        draft.temperature = 3
    assert system.temperature == pytest.approx(3, rel=1e-12) and not system.velocities[0].any()
    with system.edit() as draft:
        draft.temperature = 0
    for wrong, error in ((1.0, "at rest"), (-1, "must be >= 0"), (float("inf"), "must be >= 0")):
        with pytest.raises(ValueError, match=error), system.edit() as draft:
            draft.temperature = wrong
    with pytest.raises(AttributeError, match=r"draft.temperature = \.\.\."):
        system.temperature = 1


@pytest.mark.parametrize("name, right", [
    ("run", r"system.simulate\(until=...\)"), ("energy", "system.kinetic_energy"), ("n", r"len\(system\)"), ("vel", "velocities"),
    ("rdf", "radial_distribution"), ("kinetik_energy", "nearest is kinetic_energy"), ("tick", r"system.step\(dt\)"),
    ("on_hit", r"system.on_collision\(f\)"), ("export", r"system.save\(path\) for checkpoints")])
def test_a_missing_attribute_names_the_right_one(name, right):
    for system in (hdsim.load("p10"), hdsim.load("sphere")):
        with pytest.raises(AttributeError, match=f"object has no attribute '{name}'; .*{right}"):
            getattr(system, name)
        assert not hasattr(system, "_nothing") and not hasattr(system, "zzzzz")
        assert pickle.loads(pickle.dumps(system)).hash() == copy.deepcopy(system).hash() == system.hash()


def test_only_what_there_is_is_named():
    with pytest.raises(AttributeError, match=r"it is system.remove\(i\)$"):
        hdsim.load("p10").delete(0)
    with pytest.raises(AttributeError, match="has no attribute 'delete'$"):
        hdsim.load("sphere").delete(0)


def test_the_radial_distribution_is_found():
    with pytest.raises(ValueError, match="no observer is called 'g_r'; positions give it: hdsim.observables.radial_distr"):
        hdsim.load("p10").observe("g_r")
    for name in ("rdf", "RadialDistribution", "g_of_r"):
        with pytest.raises(AttributeError, match="it is hdsim.observables.radial_distribution"):
            getattr(hdsim, name)


@pytest.mark.parametrize("name, right", [("Disk", "it is hdsim.Particle"), ("Rectangle", "it is hdsim.Polygon"),
                                         ("save", r"it is system.save\(path\)"), ("CollisonSystem", "nearest is Collision")])
def test_a_missing_name_of_the_package_names_the_right_one(name, right):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'; {right}"):
        getattr(hdsim, name)
    assert not hasattr(hdsim, "zzzzz")


@pytest.mark.parametrize("name, right", [("msd", "MeanSquaredDisplacement"), ("VACF", "VelocityAutocorrelation")])
def test_a_short_name_of_an_observer_names_it(name, right):
    with pytest.raises(ValueError, match=f"no observer is called '{name}'; nearest is {right}$"):
        hdsim.load("p10").observe(name)
    with pytest.raises(ValueError, match="positions give it"):
        hdsim.load("p10").observe("g(r)")


@pytest.mark.parametrize("call, message", [
    (lambda: hdsim.random(10, packing_fraction=.7), "'packing_fraction'; nearest is 'packing'"),
    (lambda: hdsim.random(10, periodic=True), "'periodic'; nearest is 'box'"),
    (lambda: hdsim.states.triangular(24, .3).system(T=1), "'T'; nearest is 'temperature'"),
    (lambda: hdsim.load("p10", phi=1), r"unexpected keyword argument 'phi'$"),
    (lambda: hdsim.random(10.0), "n is 10.0; it must be a whole number"),
    (lambda: hdsim.CollisionSystem(5), r"particles is 5; it must be a sequence of Particle; hdsim.random\(n\) makes n discs"),
    (lambda: hdsim.load("p10").remove("a"), "i is 'a'; it must be a whole number"),
    (lambda: hdsim.snapshot(hdsim.load("p10"), "x.png"), "width is 'x.png'; it must be a whole number"),
    (lambda: hdsim.snapshot(hdsim.load("p10"), 9, 9.5), "height is 9.5; it must be a whole number"),
    (lambda: hdsim.Circle(.5, .5, .1), r"Circle: center is 0.5; it must be a point \(x, y\)")])
def test_a_wrong_argument_says_what_would_be_right(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_progress_is_shown_and_changes_no_bit(monkeypatch):
    """On a terminal; elsewhere nothing is written."""
    class Terminal(io.StringIO):
        def isatty(self):
            return True
    runs = [hdsim.random(300, radius=.01, temperature=1.0) for _ in range(3)]
    for system, stream, progress in zip(runs, (Terminal(), io.StringIO(), Terminal()), (True, True, False)):
        monkeypatch.setattr(sys, "stderr", stream)
        system.simulate(until=system.time + 1, progress=progress)
        assert bool(stream.getvalue()) == (progress and stream.isatty())
    assert len({system.hash() for system in runs}) == 1 and {system.time for system in runs} == {1.0}
    with pytest.raises(ValueError, match="needs a finite until"):
        runs[0].simulate(max_seconds=1, progress=True)
    with pytest.raises(ValueError, match="needs a finite until"):
        runs[0].simulate(until=9, max_events=1, progress=True)
    assert runs[0].simulate(until=1e9, max_seconds=.2, progress=True) > 0 and runs[0].time < 1e9
    runs[0].on_collision(lambda event: hdsim.STOP)
    assert runs[0].simulate(until=2e9, progress=True) >= 1 and runs[0].time < 1e9
