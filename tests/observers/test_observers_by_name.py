"""Observers by name, and how they are shown on a prompt."""
import inspect
import math
import re

import numpy as np
import pytest

import hdsim
from hdsim.observers import OBSERVERS

ARGUMENTS = {"Flow": {"x": .5}, "Profile": {"axis": "x"}, "RegionFractions": {"regions": [(0, 0, .5, 1)], "every": .1},
             "MeanSquaredDisplacement": {"every": .1}, "VelocityAutocorrelation": {"every": .1}}


def fluid():
    return hdsim.random(50, radius=.02, temperature=1., mass=1., seed=3, box=hdsim.Box(1, 1, True))


@pytest.mark.parametrize("cls", OBSERVERS, ids=lambda cls: cls.__name__)
def test_every_observer_has_its_name_in_one_word_or_more(cls):
    """The observer is that of the class with these arguments, and its text is one line before, in and after a run."""
    words = re.sub("(?<!^)([A-Z])", r" \1", cls.__name__)
    system = fluid()
    for name in cls.__name__, words.lower(), words.replace(" ", "_").lower():
        made = system.observe(name, **ARGUMENTS.get(cls.__name__, {}))
        assert type(made) is cls and repr(made).startswith(f"{cls.__name__}(") and "\n" not in repr(made)
    system.simulate(until=1.)
    assert re.fullmatch(cls.__name__ + r"\(.+\)", repr(made))
    made.detach()
    assert re.fullmatch(cls.__name__ + r"\(.+\)", repr(made))
    assert repr(cls(**ARGUMENTS.get(cls.__name__, {}))) == f"{cls.__name__}(no value yet)"


def test_the_text_of_an_observer_has_value_error_and_theory():
    system = fluid()
    pressure, msd = system.observe("pressure"), system.observe("mean squared displacement", every=.1)
    system.simulate(until=20.)
    number = r"(\d+\.?\d*)"
    shown = re.fullmatch(rf"Pressure\({number} \+- {number}, theory {number}\)", repr(pressure))
    value, error, theory = map(float, shown.groups())
    assert value == pytest.approx(pressure.value, abs=error) and error == pytest.approx(pressure.error, rel=.06)
    assert theory == pytest.approx(pressure.theory, abs=error)
    assert repr(msd) == f"MeanSquaredDisplacement(values of shape {np.shape(msd.value)})"
    shorter = fluid()
    early = shorter.observe("pressure")
    shorter.simulate(max_events=3)
    assert math.isnan(early.error) and re.fullmatch(rf"Pressure\({number}, theory {number}\)", repr(early))


@pytest.mark.parametrize("name, options, error, words", [
    ("presure", {}, ValueError, "no observer is called 'presure'; nearest is Pressure$"),
    ("zzz", {}, ValueError, "no observer is called 'zzz'; there are Pressure, Temperature, "),
    ("pressure", {"bins": 3}, TypeError, r"Pressure\(\) got an unexpected keyword argument 'bins'"),
    (None, {}, TypeError, r"expected an observer such as hdsim.Pressure\(\), or its name, got NoneType"),
    (hdsim.Pressure(), {"species": None}, TypeError, r"observe\(\) got 'species' beside an observer; give it to Pressure\(\)"),
])
def test_a_wrong_name_is_refused(name, options, error, words):
    system = fluid()
    with pytest.raises(error, match=words):
        system.observe(name, **options)
    assert system.observers == ()


@pytest.mark.parametrize("call, said", [
    (lambda: hdsim.MeanSquaredDisplacement(), r"MeanSquaredDisplacement\(\) missing 1 required positional argument: 'every'"),
    (lambda: hdsim.VelocityAutocorrelation(1, 2, 3, 4), r"VelocityAutocorrelation\(\) takes from 2 to 4 positional arguments"),
    (lambda: hdsim.FreeTime(1, 2, 3, 4, 5), r"FreeTime\(\) takes from 1 to 5 positional arguments"),
    (lambda: hdsim.Speed(1, 2, 3, 4, 5, 6), r"Speed\(\) takes from 1 to "),
    (lambda: hdsim.RegionFractions(), r"RegionFractions\(\) missing 2 required"),
    (lambda: fluid().simulate(untill=3), r"CollisionSystem.simulate\(\) got an unexpected keyword argument 'untill'"),
    (lambda: fluid().next_contact(), r"CollisionSystem.next_contact\(\) missing"),
    (lambda: hdsim.spaces.Norm(2).distance(), r"Norm.distance\(\) missing 2 required"),
    (lambda: hdsim.timestep.TimeDrivenSystem.on_timer(), r"TimeDrivenSystem.on_timer\(\) missing"),
])
def test_messages_about_arguments_have_the_name_that_was_called(call, said):
    """Not that of a base class, which no page knows; first failed in `_Correlation.__init__()` and `Runs.simulate()`."""
    with pytest.raises(TypeError, match=f"^{said}"):
        call()


def test_no_method_has_the_name_of_an_inner_class():
    """Of every public class of the package, each public function and constructor: its own name, or that of a public base."""
    wrong = []
    for home in (hdsim, *(getattr(hdsim, name) for name, where in hdsim.LATER.items() if not where)):
        for cls in (getattr(home, name) for name in dir(home) if name != "Window"):        # that needs a display
            if not inspect.isclass(cls) or not cls.__module__.startswith("hdsim") or getattr(cls, "_is_protocol", False):
                continue
            known = {base.__name__ for base in cls.__mro__ if hasattr(hdsim, base.__name__) or hasattr(home, base.__name__)}
            for name, member in ((name, inspect.getattr_static(cls, name)) for name in dir(cls)):
                if not inspect.isfunction(member):
                    continue
                first, *inner = member.__qualname__.split(".")
                ours = member.__module__.startswith("hdsim") and (inner or first not in vars(cls))
                if ours and (name == "__init__" or not name.startswith("_")) and first not in known:
                    wrong.append((cls.__name__, member.__qualname__))
    assert not wrong
