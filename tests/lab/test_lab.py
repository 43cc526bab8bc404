"""The laboratory: what a result is, and that each experiment finds what theory says, and notices a wrong theory."""
import csv
import dataclasses
import io
import math
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import hdsim
from hdsim import language
from hdsim.app import cli, figure
from hdsim.lab import EXPERIMENTS, Check, Result, experiment
from hdsim.lab.exercises import NUMBERS, function_name
from hdsim.lab.result import check_name, with_error
from hdsim.lab.setting import fluid, opened, require_equal, run_contacts

pytestmark = pytest.mark.xdist_group("lab")


def a_line(result, ax):
    ax.plot(result["x"], 2 * result["x"])


def a_result(value=1.02, error=0.01, theory=1.0, more=()):
    """Of no experiment that was done."""
    checks = (Check("a ratio", value, error, theory, unit="m"), *more)
    return Result("temperature", checks, "exact", {"x": [1.0, 2.0, 3.0], "y": [4.0, 5.5]}, (a_line,))


def with_theory(result, k, theory):
    """The same result, if theory said otherwise of check k."""
    checks = list(result.checks)
    checks[k] = dataclasses.replace(checks[k], theory=theory)
    return Result(result.name, tuple(checks), result.law, result.table(), result.panels)


# results

@pytest.mark.parametrize("value, error, theory, theory_error, verdict", [
    (1.02, .01, 1.0, 0.0, "agrees (2.0 standard errors)"),
    (1.05, .01, 1.0, 0.0, "differs by 5.0 standard errors (5 %)"),
    (1.05, .03, 1.0, .04, "agrees (1.0 standard errors)"),
    (1.21, .03, 1.0, .04, "differs by 4.2 standard errors (21 %)"),
    (1e-13, 0.0, 0.0, 1e-13, "agrees (1.0 standard errors)"),
    (1e-11, 0.0, 0.0, 1e-12, "differs by 10.0 standard errors (1e-11)"),
    (.5, 0.0, .5, 0.0, "agrees (exactly)"),
    (.6, 0.0, .5, 0.0, "differs by 20 %"),
    (math.nan, .01, 1.0, 0.0, "differs by nan standard errors (nan %)"),
])
def test_a_verdict_counts_standard_errors(value, error, theory, theory_error, verdict):
    """Up to four of them, of value and theory together, are agreement; nan never is."""
    check = Check("a ratio", value, error, theory, theory_error)
    assert (check.verdict, check.agrees) == (verdict, verdict.startswith("agrees"))


def test_a_check_needs_an_honest_error():
    with pytest.raises(ValueError, match="a ratio: error is -1.0 and theory_error 0.0; they must be >= 0"):
        Check("a ratio", 1.0, -1.0, 1.0)
    with pytest.raises(ValueError, match="error is nan"):
        Check("a ratio", 1.0, math.nan, 1.0)
    with pytest.raises(ValueError, match="theory_error nan"):
        Check("a ratio", 1.0, 0.1, 1.0, math.nan)
    with pytest.raises(ValueError, match="a ratio: an error has 1 degree of freedom or more, found 0"):
        Check("a ratio", 1.0, 0.1, 1.0, freedom=0)


@pytest.mark.parametrize("freedom, t", [(3, 32.62), (7, 8.467), (15, 5.48), (99, 4.178)])
def test_an_error_from_few_runs_counts_less(freedom, t):
    """Four standard errors are the t that chance exceeds in one of 16 000 cases: 33 of the scatter of four runs."""
    assert Check("a ratio", t, 1.0, 0.0, freedom=freedom).standard_errors == pytest.approx(4, abs=.01)
    assert Check("a ratio", 1.01 * t, 1.0, 0.0, freedom=freedom).agrees == (freedom < 3)
    assert Check("a ratio", .99 * t, 1.0, 0.0, freedom=freedom).agrees
    mixed = Check("a ratio", t, 1.0, 0.0, 20.0, freedom=freedom)        # the error of theory is known, and the larger one
    assert mixed.standard_errors == pytest.approx(t / math.hypot(1, 20), rel=1e-3)


@pytest.mark.parametrize("runs", [4, 8])
def test_chance_has_its_share_of_disagreement(runs):
    """Of means of few normal numbers, 4.6 % are beyond 2 standard errors; without Student's law it would be 14 % for four."""
    values = np.random.default_rng(5).normal(size=(20_000, runs))
    means, errors = values.mean(axis=1), values.std(axis=1, ddof=1) / math.sqrt(runs)
    away = [Check("a mean", mean, error, 0.0, freedom=runs - 1).standard_errors for mean, error in zip(means, errors)]
    assert np.mean(np.array(away) > 2) == pytest.approx(.0455, abs=.006)


def test_chi2_is_judged_by_its_own_law():
    """3 times the mean is rare, a sixth of it too, with ten degrees of freedom; as often as it should be beyond 2.

    A normal law with the same standard deviation would have it otherwise: 4.5 and 1.8 standard errors."""
    def check(value):
        return Check("chi^2", value, math.sqrt(2 / 10), 1.0, chi2=10)

    assert check(3.0).standard_errors == pytest.approx(3.12, abs=.02)
    assert check(.18).standard_errors == pytest.approx(2.77, abs=.02)
    assert not check(4.5).agrees and not check(.05).agrees and check(3.5).agrees
    values = np.random.default_rng(6).chisquare(10, 20_000) / 10
    assert np.mean([check(value).standard_errors > 2 for value in values]) == pytest.approx(.0455, abs=.006)


@pytest.mark.parametrize("value, verdict", [
    (7.0, "agrees (above it)"), (-.3, "agrees (3.0 standard errors)"), (-.5, "differs by 5.0 standard errors (0.5)")])
def test_a_bound_can_be_violated(value, verdict):
    check = Check("both", value, .1, 0.0, bound=True)
    assert (check.verdict, check.expected) == (verdict, "at least 0")


def test_both_errors_are_printed():
    """That of the value beside the value, that of theory beside the law."""
    result = Result("temperature", (Check("a ratio", 1.02, .01, 1.0, .02, "m"),), "crude", {"x": [1.0]}, (a_line,))
    assert str(result).splitlines()[1:] == ["measured  a ratio = 1.020 +- 0.010 m", "theory    1.000 +- 0.020 m (crude)",
                                            "verdict   agrees (0.9 standard errors)"]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_theory_error_is_no_tolerance(quick, name):
    """A value is never further from theory than four times both errors together, and the verdict counts in these; fewer where the
    error is that of few runs, and otherwise for chi^2."""
    for check in quick(name).checks:
        away, error = abs(check.value - check.theory), math.hypot(check.error, check.theory_error)
        assert check.agrees == (check.standard_errors <= 4)
        if math.isinf(check.freedom) and not check.chi2 and not check.bound:
            assert check.agrees == (away <= 4 * error) and (away == 0 or f"{away / error:.1f} standard errors" in check.verdict)
        elif not check.chi2:
            assert error > 0 and check.standard_errors <= away / error * (1 + 1e-9)


def test_one_bad_check_spoils_the_verdict():
    """And is named in it; the good ones are, as long as that is short."""
    good, bad = Check("b", 2.0, .1, 2.0), Check("c", 3.0, .1, 2.0)
    assert a_result(more=(good,)).verdict == "agrees (2.0 standard errors); b agrees"
    result = a_result(more=(good, bad))
    assert not result.agrees
    assert result.verdict == "agrees (2.0 standard errors); c differs by 10.0 standard errors (50 %); b agrees"
    assert a_result(more=40 * (good,)).verdict.endswith("; 40 more agree")


def test_a_result_says_four_things():
    result = a_result()
    assert str(result).splitlines() == [
        "asked     " + EXPERIMENTS["temperature"], "measured  a ratio = 1.020 +- 0.010 m",
        "theory    1 m (exact)", "verdict   agrees (2.0 standard errors)"]
    assert (result.value, result.error, result.theory, result.unit) == (1.02, .01, 1.0, "m")
    assert repr(result) == "<Result of temperature: agrees (2.0 standard errors)>"


@pytest.mark.parametrize("value, error, text", [
    (1234.56, 7.0, "1234.6 +- 7.0"), (2.35171, .00123, "2.3517 +- 0.0012"), (1.5e-9, 2e-11, "1.500e-09 +- 2.0e-11"),
    (123456.0, 2000.0, "1.235e+05 +- 2.0e+03"), (-.1886159, 2e-16, "-0.188616 +- 2.0e-16"),
    (.1, 0.0, "0.1"), (1.0, math.inf, "1"), (math.nan, .1, "nan")])
def test_a_value_is_written_to_two_digits_of_its_error(value, error, text):
    assert with_error(value, error) == text


def test_the_table_is_a_copy():
    result = a_result()
    result.table()["x"][:] = 0
    assert result["x"].tolist() == [1.0, 2.0, 3.0]


def test_a_result_goes_to_csv_and_npz(tmp_path):
    """The same numbers come back."""
    result = a_result()
    result.save(tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[:4] == [f"# {line}" for line in str(result).splitlines()]
    assert lines[4:] == ["x,y", "1.0,4.0", "2.0,5.5", "3.0,"]
    result.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        assert {key: arrays[key].tolist() for key in arrays} == {
            "x": [1.0, 2.0, 3.0], "y": [4.0, 5.5], "value": 1.02, "error": .01, "theory": 1.0}


def test_a_result_is_drawn(tmp_path):
    """Into a file, a new figure, or the axes that are given."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="the extra `plot` is not installed")
    result = a_result()
    result.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pyplot.rc_context({"backend": "Agg"}):
        figure = result.plot()
        assert len(figure.axes) == 1 and len(figure.axes[0].lines) == 1
        assert result.plot(figure.axes[0]) is figure and len(figure.axes[0].lines) == 2
        with pytest.raises(ValueError, match="temperature has 1 panels, got 2 axes"):
            result.plot([figure.axes[0]] * 2)
        pyplot.close(figure)


@pytest.mark.parametrize("name, found", [("a.pdf", "'.pdf'"), ("a", "no ending")])
def test_other_files_are_refused(tmp_path, name, found):
    with pytest.raises(ValueError, match=f"{name}: expected a file that ends in .png, .csv or .npz, found {found}"):
        a_result().save(tmp_path / name)


def test_without_matplotlib_the_extra_is_named(monkeypatch, tmp_path, capsys):
    """In Python and, before anything is measured, on the command line; numbers are there all the same."""
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    for draw in (a_result().plot, lambda: a_result().save(tmp_path / "a.png")):
        with pytest.raises(ImportError, match=r"plots need the package matplotlib: pip install 'hdsim\[plot\]'"):
            draw()
    assert cli.main(["lab", "temperature", "--quick", "--out", str(tmp_path / "a.png")]) == 2
    assert capsys.readouterr() == ("", "hdsim: error: plots need the package matplotlib: pip install 'hdsim[plot]'\n")
    assert cli.main(["lab", "temperature", "--quick", "--out", str(tmp_path / "a.csv")]) == 0


# settings

def test_the_fluid_is_what_it_says():
    """kT, momentum and packing fraction are exact."""
    for periodic in (True, False):
        system = fluid(50, 0.3, seed=2, periodic=periodic)
        assert system.temperature == pytest.approx(1.0, rel=1e-13) and system.packing_fraction == pytest.approx(0.3)
        assert system.box.periodic == (periodic, periodic) and system.pair_counts.min() > 0
    assert np.abs(fluid(50, 0.3).momentum).max() < 1e-13


def test_a_source_is_a_number_a_system_or_what_load_takes():
    def make(n, seed):
        return fluid(n, 0.1, seed)

    assert opened(None, 3, make, 20).hash() == fluid(20, 0.1, 3).hash() == opened("20", 3, make, 5).hash() \
        == opened(20, 3, make, 5).hash() != opened(20, 4, make, 5).hash()
    system = hdsim.load("p10")
    copy = opened(system, None, make, 5)
    copy.simulate(until=10)
    assert system.time == 0 and opened("p10", None, make, 5).positions.tolist() == system.positions.tolist()
    with pytest.raises(ValueError, match="expected 2 discs or more, found 1"):
        opened("1", 0, make, 5)


def test_unequal_discs_are_named():
    with pytest.raises(ValueError, match="expected discs of equal masses, found 0.01 to 1"):
        require_equal(hdsim.load("brownian"), "masses")


@pytest.mark.parametrize("name, source", [("rates", "rink"), ("rates", "vessels"), ("brownian", "vessels")])
def test_obstacles_are_refused_where_theory_has_none(name, source):
    with pytest.raises(ValueError, match="expected a box without obstacles, of which theory speaks, found [12] in <Coll"):
        experiment(name)(source, quick=True)


@pytest.mark.parametrize("x, v", [([(.2, .5), (.7, .5)], [(0, 1), (0, 1)]), ([(.2, .5), (.7, .5)], [(0, 0), (0, 0)])])
def test_a_run_without_pair_contacts_is_refused(x, v):
    """Discs that touch walls only, or nothing at all."""
    with pytest.raises(ValueError, match="nothing to measure: no disc touches another"):
        run_contacts(hdsim.CollisionSystem.from_arrays(x, v, .1), 5)


# all experiments

@pytest.mark.parametrize("number, name", [("2", "brownian"), ("3", "free-path"), ("9", "vessels"), ("12", "spaces"),
                                          ("14", "break")])
def test_experiments_are_found_by_the_number_of_the_exercise(number, name):
    assert experiment(number) is experiment(name)


def test_every_question_has_its_number():
    """The number in the question is that by which the experiment is found."""
    for number, name in NUMBERS.items():
        assert EXPERIMENTS[name].startswith(f"exercise {number}:")


@pytest.mark.parametrize("number, message", [
    ("1", "exercise 1 is a game: python -m hdsim play"),
    ("16", "16: no experiment of this name; `python -m hdsim lab list` shows them all")])
def test_exercises_that_are_no_experiment_get_one_line(capsys, number, message):
    assert said(capsys, number) == (2, "", f"hdsim: error: {message}\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def desktop(monkeypatch):
    """A desktop in which matplotlib has a window system: pyplot.show only takes note."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="the extra `plot` is not installed")
    pyplot.switch_backend("agg")
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    pyplot.close(pyplot.figure())       # the backend is chosen here, before it pretends
    monkeypatch.setattr(FigureCanvasAgg, "required_interactive_framework", "pretended")
    shown = []
    monkeypatch.setattr(pyplot, "show", lambda block: shown.append(len(pyplot.gcf().axes)))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("CI", raising=False)
    # Of this module only: pytest replaces those of Python between the set-up of a test and its call.
    monkeypatch.setattr(figure, "sys", SimpleNamespace(platform="linux", stdin=Terminal(), stdout=Terminal()))
    yield shown
    pyplot.close("all")


def test_on_a_desktop_the_figure_is_shown(desktop):
    assert figure.show(a_result()) and desktop == [1]


@pytest.mark.parametrize("missing", ["display", "terminal", "no CI", "window system", "matplotlib"])
def test_elsewhere_nothing_is_shown(desktop, monkeypatch, missing):
    """Nothing waits for a window to be closed in a pipe, in CI, without a display, or with a backend that writes files."""
    if missing == "display":
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            monkeypatch.delenv(name, raising=False)
    elif missing == "terminal":
        figure.sys.stdin = io.StringIO()
    elif missing == "no CI":
        monkeypatch.setenv("CI", "1")
    elif missing == "window system":
        monkeypatch.setattr("matplotlib.backends.backend_agg.FigureCanvasAgg.required_interactive_framework", None)
    else:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not figure.show(a_result()) and desktop == []


def test_without_a_window_the_output_names_out(capsys):
    status, _, err = said(capsys, "8", "20", "--quick")
    assert (status, err) == (0, "hdsim: --out temperature.png writes the figure, temperature.csv and temperature.npz its "
                                "curves\n")


def test_checks_have_names_in_both_languages():
    """Their values are translated too."""
    check = Check(check_name("path at kT = {kT:g}, constant {how}", kT=2.0, how="pressure"), 1.0, .1, 1.0)
    assert check.what == check.label == "path at kT = 2, constant pressure"
    language.use("zh")
    try:
        assert check.label == "kT = 2 时的自由程（压强不变）"
    finally:
        language.use("en")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_function_and_a_page(name, root):
    """Its page has a heading, the command, and the figure that the command drew."""
    function = getattr(hdsim.lab, function_name(name))
    assert function is experiment(name) and function.__doc__
    page = (root / "docs" / "lab" / f"{name}.md").read_text()
    assert page.startswith(f"# {name}") and f"python -m hdsim lab {name}" in page and f"]({name}.png)" in page
    assert (root / "docs" / "lab" / f"{name}.png").stat().st_size < 80_000
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page):
        assert (root / "docs" / "lab" / target).is_file()


def test_unknown_experiments_are_refused_with_the_nearest():
    with pytest.raises(ValueError, match="temperatur: no experiment of this name; nearest: temperature"):
        experiment("temperatur")
    with pytest.raises(ValueError, match="xyz: no experiment of this name; `python -m hdsim lab list` shows them all"):
        experiment("xyz")
    with pytest.raises(AttributeError, match="module 'hdsim.lab' has no attribute 'xyz'"):
        hdsim.lab.xyz


def test_the_laboratory_is_loaded_when_it_is_used(elsewhere):
    """import hdsim does without, and an experiment does not need matplotlib."""
    assert elsewhere("-c", "import sys, hdsim; print('hdsim.lab' in sys.modules); hdsim.lab.temperature(quick=True); "
                     "print('matplotlib' in sys.modules)").split() == ["False", "False"]


# the command line

def said(capsys, *arguments):
    status = cli.main(["lab", *map(str, arguments)])
    return status, *capsys.readouterr()


def test_the_exit_status_tells_a_difference(capsys, monkeypatch):
    """0 if all values agree, 1 if one does not."""
    assert cli.main(["lab", "break", "--quick"]) == 0
    monkeypatch.setattr(Result, "agrees", False)
    assert cli.main(["lab", "break", "--quick"]) == 1
    capsys.readouterr()


def test_lab_list_shows_them(capsys):
    status, out, err = said(capsys, "list")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == list(EXPERIMENTS)


def test_lab_prints_four_lines_and_writes_a_table(capsys, tmp_path):
    status, out, err = said(capsys, "temperature", "20", "--quick", "--seed", 5, "--out", tmp_path / "t.csv")
    assert status == 0 and err == f"hdsim: wrote {tmp_path / 't.csv'}\n"
    assert [line.split()[0] for line in out.splitlines()] == ["asked", "measured", "theory", "verdict"]
    assert (tmp_path / "t.csv").read_text().startswith("# asked")


@pytest.mark.parametrize("arguments, message", [
    (["xyz"], "xyz: no experiment of this name"),
    ([], "the following arguments are required: NAME"),
    (["list", "--quick"], "list takes no SOURCE and no options"),
    (["list", "p10"], "list takes no SOURCE and no options"),
    (["list", "--seed", "1"], "list takes no SOURCE and no options"),
    (["temperature", "nowhere.txt"], "nowhere.txt: no such file"),
    (["temperature", "--out", "a.pdf"], "--out a.pdf: expected a file that ends in .png, .csv or .npz, found '.pdf'"),
    (["temperature", "--seed", "x"], "argument --seed: expected a whole number, found 'x'"),
])
def test_wrong_words_get_one_line(capsys, arguments, message):
    status, out, err = said(capsys, *arguments)
    assert (status, out) == (2, "") and err.startswith("hdsim: error: ") and message in err and err.count("\n") == 1


# exercise 8

def test_temperatures_are_those_in_the_names():
    """All eight data sets, exactly, with k_B = 1.38."""
    result = hdsim.lab.temperature(quick=True)
    assert result.agrees and [check.theory for check in result.checks] == [.5, .125, .5, 2, 2, .125, .5, 2]
    assert not with_theory(result, 0, .5 * 1.380649 / 1.38).agrees


def test_the_temperature_of_a_part_fluctuates_around_it():
    """With the relative width sqrt(1/n) of n discs' energies, up to the finite total."""
    result = hdsim.lab.temperature("p1000-.5K")
    tenth = result["T of a tenth of the system"] / .5
    assert result.agrees and tenth.mean() == pytest.approx(1, abs=.05) and tenth.std() == pytest.approx(.1, rel=.3)


# every experiment

@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_agree_with_theory(quick, name):
    """And say it in four lines that fit a terminal, and one line for each further check."""
    lines = str(quick(name)).splitlines()
    assert quick(name).agrees, lines
    assert max(map(len, lines[:4])) <= 100 and max(map(len, lines)) <= 150
    assert len(lines) == 3 + len(quick(name).checks)
    for check, line in zip(quick(name).checks[1:], lines[4:]):
        assert line.startswith("check ") and check.what in line and check.measured in line and check.verdict in line


# theories that are wrong, one for each kind of check
WRONG = {
    "rms": [(0, 1.0), (0, math.sqrt(3 * math.pi / 8)), (1, 2 / math.sqrt(math.pi)), (2, 1.1)],
    "maxwell": [(0, 5 / 3), (1, 5.0), (2, 5.0), (3, 5.0), (4, 10.0), (5, 5.0), (6, 5.0), (7, 1 + .75 * .8), (8, 1 + .75 * .8)],
    "temperature": [(k, 1.0) for k in range(8)],
    "reverse": [(0, 0.69), (0, 2.6), (1, 1e-16), (2, 0.69), (3, 40.0)],
    "piston": [(0, .6), (3, 3.), (5, .3), (6, .04)],
    "cooling": [(0, .95), (2, 1.05), (3, 1.05), (4, .9), (5, 1e6)],
    "heat": [(0, 1.2), (1, .7), (2, 3.0), (3, .3)],
    "engine": [(0, 18.3), (1, 30.0), (2, 25.0), (3, .5), (4, 6.0), (7, 69.3), (10, 31.0), (11, 20.0), (14, 277.3)],
    "shear": [(0, .3), (1, 3.0), (2, 3.0), (3, .3), (6, 1.5)],
    "barometer": [(0, 1.1), (1, .9), (2, .8), (3, .4), (6, 2.0)],
    "bounce": [(0, 1e-9), (5, .99), (6, 1.1), (7, 1.9)],
    "galton": [(0, 2.0), (2, 9.0), (3, 2.0)],
    "silo": [(1, 1.2)],
    "cells": [(0, 1.0), (1, 0.0), (1, 2.0), (2, 1.0)],
    "spheres": [(0, 7.3), (7, 11.9), (11, .1), (12, 11.5), (13, .6)],
    "transport": [(0, 2.0), (4, 2.0), (8, 1.4)],
    "pollen3": [(0, 6e-4), (2, 400.0), (4, 1.2)],
    "break": [(0, -0.2), (1, .01), (2, -.1886), (3, 0.0), (4, 1.0), (5, 1.0)],
}


@pytest.mark.parametrize("name, k, theory", [(name, *wrong) for name in EXPERIMENTS for wrong in WRONG.get(name, [])])
def test_a_wrong_theory_is_noticed(quick, name, k, theory):
    """The value is close enough to the right one to tell it from others that one might think of."""
    result = with_theory(quick(name), k, theory)
    assert not result.agrees and "differs by" in result.verdict


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_are_drawn_and_written(quick, name, tmp_path):
    """Titles, labels and every panel, in a small file; all columns."""
    pytest.importorskip("matplotlib", reason="the extra `plot` is not installed")
    from matplotlib.figure import Figure

    result = quick(name)
    axes = np.atleast_1d(Figure().subplots(1, len(result.panels)))
    result.plot(axes)
    assert all(ax.get_ylabel() and ax.get_title() for ax in axes)
    assert axes[0].get_xlabel() and any(ax.get_legend() for ax in axes)
    for suffix in ("png", "csv", "npz"):
        result.save(tmp_path / f"a.{suffix}")
    picture = (tmp_path / "a.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and 10_000 < len(picture) < 80_000
    with np.load(tmp_path / "a.npz") as arrays:
        assert set(arrays) == {*result.table(), "value", "error", "theory"}
    assert next(csv.reader((tmp_path / "a.csv").read_text().splitlines()[3 + len(result.checks):])) == list(result.table())


@pytest.mark.parametrize("name", ["barometer", "bounce", "break", "cells", "cooling", "engine", "galton", "heat", "kinetic",
                                  "piston", "queues", "shear", "silo", "tables", "time-step"])
def test_some_take_no_source(capsys, name):
    status, out, err = said(capsys, name, "p10")
    assert (status, out, err) == (2, "", f"hdsim: error: {name} takes no SOURCE, found p10\n")


@pytest.mark.parametrize("arguments, message", [
    (["break"], "break takes no --seed, found 3"), (["temperature"], "a seed does not apply to the data sets"),
    (["temperature", "p10"], "a seed does not apply to p10: it is for a number of discs"),
    (["rms", "p100-2K"], "a seed does not apply to p100-2K"),
    (["reverse", "p100-2K"], "a seed does not apply to p100-2K")])
def test_a_seed_is_refused_where_nothing_is_random(capsys, arguments, message):
    status, out, err = said(capsys, *arguments, "--quick", "--seed", 3)
    assert (status, out) == (2, "") and message in err and err.count("\n") == 1


@pytest.mark.parametrize("name, source, message", [
    ("rms", "brownian", "expected discs of equal masses, found 0.01 to 1"),
    ("rms", "one", "nothing to measure: no disc touches another"),
    ("maxwell", "brownian", "expected discs of equal masses"),
    ("maxwell", "p10", "expected 50 discs or more, whose speeds are nearly independent, found 10"),
    ("brownian", "20", "expected 50 discs or more, among which one is heavy, found 21"),
    ("free-path", "5", "expected 16 discs or more, of which theory speaks, found 5"),
    ("reverse", "pendulum", "errors do not grow from 1e-10 to 0.01 diameters"),
    ("reverse", "one", "nothing to measure: no disc touches another"),
])
def test_sources_that_make_no_sense_are_refused(capsys, name, source, message):
    status, out, err = said(capsys, name, source, "--quick")
    assert (status, out) == (2, "") and err.startswith("hdsim: error: ") and message in err and err.count("\n") == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("name, source", [("rms", "p100-2K"), ("rms", "300"), ("maxwell", "p100-2K"), ("reverse", "50"),
                                          ("reverse", "p100-.5K")])
def test_other_sources_agree_too(name, source):
    """A data set, or another number of discs."""
    assert experiment(name)(source, quick=True).agrees


# exercises 5 and 6

def test_the_exercise_is_12_8_percent_high(quick):
    """And oxygen at 25 degrees Celsius has 482.07 m/s in space, 393.61 in the plane."""
    result = quick("rms")
    assert (result["v_rms / (path rate)"] > 1.1).all() and result.theory == pytest.approx(1.1284, abs=1e-3)
    assert result["v_rms of oxygen at 25 C (m/s)"] == pytest.approx([393.61, 482.07], abs=.005)
    assert "12.8 %" in result.law and "482.07" in result.law and "393.61" in result.law


def test_walls_bend_a_flight_and_do_not_end_it():
    """Two discs between which nothing happens but one collision: the path is measured round the corners."""
    from hdsim.lab._rms import Flights

    system = hdsim.CollisionSystem.from_arrays([(.2, .5), (.8, .5)], [(.1, 0), (-.1, 0)], .1)
    flights = Flights(system)
    system.simulate(until=9)            # they meet at 2, touch the walls at 4, meet again at 6, and the walls at 8
    length, ended = flights.take()
    assert length == pytest.approx(2 * .9, rel=1e-14) and ended == 4


@pytest.mark.more
def test_four_discs_do_not_follow_the_law_of_many(quick):
    """The exact law differs from exp(-e / kT) at its end: no disc has more than the total energy."""
    energies = quick("maxwell")["energy of one disc of four / kT"]
    assert energies.max() < 4 and np.mean(energies > 3) < .7 * math.exp(-3)
    assert np.mean(energies > 3) == pytest.approx(.25**3, abs=5 * math.sqrt(.25**3 / len(energies)))


# exercises 10, 13 and 14

def test_a_turn_after_few_contacts_is_exact_and_after_many_is_not(quick):
    """Errors grow from rounding to the size of a disc."""
    error = quick("reverse")["the return: geometric mean (diameters)"]
    assert error[0] < 1e-12 and error[-1] > 1 and len(error) == 72


@pytest.mark.more
def test_cells_look_at_neighbours_only(quick):
    """A dozen pairs per contact; without cells each disc of a contact looks at all others."""
    result = quick("cells")
    assert result["pairs looked at per contact, cells"].max() < 20
    assert (result["pairs looked at per contact, all pairs"] > 1.5 * (result["N"] - 1)).all()
    for name in ("cells", "all pairs", "the book's loop"):
        assert (result[f"time per contact (us), {name}"] > 0).all()


def test_only_the_simultaneous_break_is_symmetric(quick):
    """By the sequential rule the discs are a diameter from where symmetry would have them, and often do not return."""
    result = quick("break")
    assert result["asymmetry, simultaneous"].max() < 1e-9 < 1 < result["asymmetry, sequential"].max()
    lost = result["error of the return, sequential"] > 1
    assert .1 < lost[result["time"] > 5].mean() < .9 and not (result["error of the return, simultaneous"] > 1e-9).any()
