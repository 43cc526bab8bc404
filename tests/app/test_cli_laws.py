"""Restitution and motion on the command line, in ensembles, sweeps and observers."""
import numpy as np
import pytest

import hdsim
from hdsim import Pressure, Segment, Speed
from hdsim.app import headless, report
from hdsim.reference.textbook_face import TextbookSystem

LAW = ("--restitution", ".9", "--contact-time", "1e-3")


def test_a_run_is_that_of_the_system(summary):
    system = hdsim.load("100", restitution=.9, contact_time=1e-3)
    system.simulate(until=200)
    result = summary("100", *LAW, "--until", 200)
    balance = system.energy_balance()
    assert result["hash"] == system.hash() and abs(float(result["energy drift"])) < 1e-13
    assert result["energy balance"] == f"{balance.kinetic:.6g} kinetic + {balance.dissipated:.6g} dissipated - 0 work"
    assert "warning" not in result and balance.dissipated > 0


def test_elastic_contacts_given_explicitly_change_nothing(summary):
    told = [summary("p10", *options, "--until", 100) for options in ((), ("--restitution", 1, "--contact-time", 0))]
    assert told[0]["hash"] == told[1]["hash"] and "energy balance" not in told[1]


def test_the_textbook_engine_shows_its_balance(summary):
    """The same numbers as the compiled engine, and no warning."""
    told = [summary("40", "--restitution", ".8", "--until", 300, "--engine", engine) for engine in ("textbook", "indexed")]
    assert told[0]["energy balance"] == told[1]["energy balance"] and "warning" not in told[0]
    assert abs(float(told[0]["energy drift"])) < 1e-13
    assert TextbookSystem(hdsim.load("p10")).energy_balance() is None


def test_a_collapse_of_the_textbook_engine_has_its_name():
    """As that of the compiled one, so that a run ends with its summary."""
    system = hdsim.CollisionSystem.from_arrays([[.25, .5], [.5, .5], [.625, .5]], [[1, 0], [0, 0], [-.875, 0]], .0625,
                                               box=(100, 1), restitution=.02)
    with pytest.raises(hdsim.CollapseError, match="give contact_time="):
        TextbookSystem(system).simulate(until=2)
    run = headless.run(TextbookSystem(system), 2)
    assert "collapse" in run.jam and abs(run.energy_drift) < 1e-13


@pytest.mark.parametrize("arguments, message", [
    (("100", *LAW[:2], "--engine", "time", "--dt", ".1"), "the time-driven engine has elastic contacts"),
    (("gas.npz", *LAW[:2]), "--restitution does not apply to a checkpoint, which contains its own settings"),
    (("gas.npz", *LAW[2:]), "--contact-time does not apply to a checkpoint"),
    (("stadium", *LAW[:2]), "--restitution does not apply to a named system, which is always the same"),
    (("20", "--space", "l1", *LAW[:2]), "contacts that lose energy are for Norm(2) without weights"),
    (("100", "--restitution", "1.5"), "expected a number from 0 to 1, found '1.5'"),
    (("100", "--restitution", "x"), "expected a number from 0 to 1, found 'x'"),
    (("100", "--contact-time", "-1"), "expected a finite time from 0 on, found '-1'"),
    (("100", "--contact-time", "inf"), "expected a finite time from 0 on, found 'inf'"),
])
def test_what_is_refused(run, arguments, message):
    hdsim.random(5, restitution=.9).save("gas.npz")
    status, out, err = run(*arguments, "--no-view", "--until", 1)
    assert status != 0 and message in err and err.count("\n") <= 2


def test_balls_in_space_lose_energy(run):
    status, out, err = run("20", "--space", "l2-3d", *LAW, "--no-view", "--until", 300)
    assert status == 0 and " dissipated - 0 work" in out and "energy drift" in out


def test_info_has_the_law_and_what_moves(run, tmp_path):
    told = run("info", "100", *LAW)[1]
    assert "restitution       0.9; contact time 0.001\n" in told
    shapes = [Segment((.4, .5), (.6, .5), velocity=(0, .1)), Segment((.1, .1), (.2, .1))]
    hdsim.random(10, obstacles=shapes, restitution={"pair": [[.9, .8], [.8, .7]], "wall": .5},
                 species=[0, 1] * 5).save(tmp_path / "both.npz")
    told = run("info", "both.npz")[1]
    assert "0.7, 0.8, 0.9 of discs, 0.5 of walls\n" in told and "Segment (2); 1 of them move" in told
    assert "restitution" not in run("info", "p10")[1]


def test_a_summary_of_what_moves_has_the_balance():
    system = hdsim.random(30, temperature=1, seed=1, obstacles=[Segment((.4, .5), (.6, .5), velocity=(0, .1))])
    told = dict(report.summary_rows(system, headless.run(system, 2)))
    assert "work" in told["energy balance"] and "warning" not in told and abs(float(told["energy drift"])) < 1e-12


def grains(seed, e):
    return hdsim.random(30, radius=.03, temperature=1., seed=seed, box=hdsim.Box(1, 1, periodic=(True, True)), restitution=e,
                        contact_time=1e-4)


def test_a_sweep_over_restitution():
    """The smaller it is, the colder the gas."""
    table = hdsim.sweep(grains, {"e": [1., .9, .6]}, [1, 2], [Pressure()], until=1,
                        read=lambda system, *_: {"E": system.kinetic_energy})
    cold = [float(np.mean(table["E"][table["e"] == e])) for e in (1., .9, .6)]
    assert cold[0] == pytest.approx(30) and cold[0] > cold[1] > cold[2] > 0


@pytest.mark.parametrize("system", [grains(1, .9), hdsim.random(30, temperature=1, seed=1, obstacles=[
    Segment((.4, .5), (.6, .5), velocity=(0, .1))])], ids=["restitution", "motion"])
def test_there_is_no_theory_where_energy_is_not_conserved(system):
    observers = [system.observe(observer) for observer in (Pressure(), Speed(), hdsim.FreePath(), hdsim.FreeTime(),
                                                           hdsim.Temperature(), hdsim.CollisionRates())]
    system.simulate(until=1)
    assert [observer.theory for observer in observers] == [None] * len(observers)
    elastic = grains(1, 1.)
    kept = elastic.observe(Pressure())
    elastic.simulate(until=1)
    assert kept.theory is not None
