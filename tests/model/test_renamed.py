"""Words of version 0.1 that have other names now: each old one works, and warns with both names; nothing else knows it."""
import copy
import json
import pickle
import warnings

import pytest

import hdsim
from hdsim import system as systems
from hdsim import timestep
from hdsim.app import cli
from hdsim.model import renamed
from hdsim.side_by_side import SideBySide


def warned(old, new):
    """The one line that an old name gives."""
    return pytest.warns(DeprecationWarning, match=rf"^{old} is now {new}; the old name works through hdsim 0\.3$")


@pytest.fixture
def gas():
    system = hdsim.random(60, radius=.04, temperature=1, mass=1, seed=3)
    system.simulate(max_events=3000)
    return system


@pytest.mark.parametrize("old, new", renamed.STATISTICS.items())
def test_old_keys_of_the_statistics(gas, old, new):
    counts = gas.statistics
    with warned(rf"statistics\['{old}'\]", rf"statistics\['{new}'\]"):
        assert counts[old] == dict(counts)[new]
    with warned(rf"statistics\['{old}'\]", rf"statistics\['{new}'\]"):
        assert counts.get(old, -1) == dict(counts)[new]
    with warned(rf"statistics\['{old}'\]", rf"statistics\['{new}'\]"):
        assert old in counts
    assert counts["exact_evaluations"] > 0 and counts["repredictions"] > 0


def test_statistics_are_the_dict_of_their_new_keys(gas):
    """Iteration, equality, copies, pickles and texts have no old key and warn of nothing; unknown keys are unknown."""
    counts = gas.statistics
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not set(renamed.STATISTICS) & set(counts) and set(renamed.STATISTICS.values()) < set(counts)
        for same in (dict(counts), counts.copy(), copy.deepcopy(counts), pickle.loads(pickle.dumps(counts))):
            assert type(same) is dict and same == counts and list(same) == list(counts)
        assert json.loads(json.dumps(counts)) == counts and str(counts) == str(dict(counts))
        assert "survivor" not in counts and counts.get("survivor") is None and counts.get("survivor", 7) == 7
        assert "events" in counts and counts.get("events") == counts["events"]
    with pytest.raises(KeyError, match="^'survivor'$"):
        counts["survivor"]


def test_the_old_kind_of_a_queue_entry(gas):
    kinds = []
    for _ in range(200):
        kinds += [entry.kind for entry in gas.queue(10_000).entries]
        gas.next_event()
    [kind, *_] = [kind for kind in kinds if kind == "re-prediction"]
    with warned("kind 'replan'", "kind 're-prediction'"):
        assert kind == "replan"
    with warned("kind 'replan'", "kind 're-prediction'"):
        assert not "replan" != kind     # noqa: SIM202
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kind != "pair" and kind != 3 and {"re-prediction": 1}[kind] == 1 and repr(kind) == "'re-prediction'"
        assert type(pickle.loads(pickle.dumps(kind))) is str
        assert set(kinds) >= {"pair", "crossing", "re-prediction"} and hash(kind) == hash("re-prediction")


@pytest.mark.parametrize("old, new", [("RUNGS", "SCHEMES"), ("PAIR_RUNGS", "PAIR_SCHEMES")])
def test_old_names_of_the_schemes(old, new):
    with warned(f"hdsim.reference.timestep.{old}", f"hdsim.reference.timestep.{new}"):
        assert getattr(timestep, old) is getattr(timestep, new)


@pytest.mark.parametrize("make", [timestep.TimeDrivenSystem, SideBySide, timestep.compare])
def test_the_old_keyword_of_a_scheme(make):
    start = hdsim.load("diagonal")
    with warned("rung=", "scheme="):
        made = make(start, .5, rung="overlap")
    chosen = getattr(made, "time_driven", made)
    assert chosen.scheme == "overlap"
    with pytest.raises(TypeError, match=r"got 'scheme' and its old name 'rung'; give 'scheme' only$"):
        make(start, .5, scheme="overlap", rung="overlap")
    if chosen is made:
        with warned(rf"{type(made).__name__}\.rung", rf"{type(made).__name__}\.scheme"):
            assert made.rung == "overlap"


@pytest.mark.parametrize("old, new", [("ladder", "time_driven"), ("ladder_seconds", "time_driven_seconds")])
def test_old_names_of_the_second_engine(old, new):
    both = SideBySide(hdsim.load("diagonal"), .5)
    with warned(rf"SideBySide\.{old}", rf"SideBySide\.{new}"):
        assert getattr(both, old) is getattr(both, new)


def test_the_old_name_of_an_edit():
    with warned(r"hdsim\.system\.Draft", r"hdsim\.system\.Edit"):
        old = systems.Draft
    with hdsim.random(3, seed=1).edit() as edit:
        assert type(edit) is old is systems.Edit


@pytest.mark.parametrize("module", [systems, timestep])
def test_other_names_are_unknown(module):
    with pytest.raises(AttributeError, match=f"^module '{module.__name__}' has no attribute 'nothing'$"):
        module.nothing


def test_the_warning_points_at_the_line_of_the_caller(gas):
    for act in (lambda: gas.statistics["survivors"], lambda: gas.statistics.get("replans"), lambda: timestep.RUNGS,
                lambda: timestep.TimeDrivenSystem(hdsim.load("diagonal"), .5, rung="walls").rung):
        with pytest.warns(DeprecationWarning) as seen:
            act()
        assert {warning.filename for warning in seen} == {__file__}


def test_the_old_option_of_a_scheme(capsys):
    """One line says the new one, where errors are written; what programs read is the same."""
    results = []
    for option in "--rung", "--scheme":
        assert cli.main(["diagonal", "--engine", "time", "--dt", ".5", option, "overlap", "--no-view", "--until", "50"]) == 0
        results.append(capsys.readouterr())
    rows = [[line.partition(", in ")[0] for line in result.out.splitlines() if "wall clock" not in line] for result in results]
    assert rows[0] == rows[1] and "scheme overlap" in results[0].out
    assert results[0].err == "hdsim: --rung is now --scheme; the old name works through hdsim 0.3\n" and results[1].err == ""
    assert cli.main(["diagonal", "--engine", "time", "--rung", "walls", "--scheme", "walls"]) == 2
    assert "--scheme is given twice" in capsys.readouterr().err
    assert cli.main(["-h"]) == 0
    assert "--scheme" in (shown := capsys.readouterr().out) and "--rung" not in shown


def test_checkpoints_have_the_keys_of_0_1(gas):
    """Files of 0.1 are read, and can be read there."""
    _, data = gas.checkpoint()
    assert set(renamed.STATISTICS) < set(data["engine"]["statistics"])
    assert not set(renamed.STATISTICS.values()) & set(data["engine"]["statistics"])
    assert pickle.loads(pickle.dumps(gas)).statistics["exact_evaluations"] == gas.statistics["exact_evaluations"]
