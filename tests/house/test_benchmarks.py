"""The benchmarks run, and what they measure is what they say. No test measures speed."""
import contextlib
import csv
import importlib
import io
import json
import math
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scenes import environment

import hdsim
from hdsim import _core, viewer

pytestmark = pytest.mark.tooling

SOURCE = Path(hdsim.__file__).parents[1]
QUICK = ("--rounds", 1, "--seconds", .001)


@pytest.fixture(scope="module")
def benchmarks(root):
    return root / "benchmarks"


@pytest.fixture(scope="module")
def systems(benchmarks):
    """The names in benchmarks/scenes.py; there is another module scenes here."""
    return runpy.run_path(str(benchmarks / "scenes.py"))


def refusal(script, *arguments):
    """The last line of standard error of a script that ends with an error; it runs in this process."""
    said, names = io.StringIO(), {file.stem for file in script.parent.glob("*.py")}      # there is another module scenes here
    others = {name: sys.modules.pop(name) for name in names & set(sys.modules)}
    with (pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(said), pytest.raises(SystemExit) as ended):
        patch.setattr(sys, "argv", [str(script), *map(str, arguments)])
        patch.syspath_prepend(str(script.parent))
        runpy.run_path(str(script), run_name="__main__")
    for name in names & set(sys.modules):
        del sys.modules[name]
    sys.modules.update(others)
    code = ended.value.code
    assert code in (1, 2) or isinstance(code, str)
    return (code if isinstance(code, str) else said.getvalue()).strip().splitlines()[-1]


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("family", ["gas", "crowd", "bystander", "grain", "molecules", "pollen", "medium", "binary", "binary1",
                                    "binary10", "binary100", "powerlaw", "galperin", "brownian"])
def test_scenes_are_legal(systems, family):
    """No scene begins with an overlap; mixtures fill .4 and gases the fraction given, with the number of discs given."""
    for scene in systems["choose"]([family], [7, 100, 2000], [.1, .7]):
        if family == "gas" and (scene.n, scene.phi) == (7, .7):
            continue        # of 3 x 3 places 7 are taken: the discs would be too large
        system = systems["build"](systems["arrays"](scene), strict=True)
        if scene.n:
            assert np.isfinite(system.masses).sum() == scene.n + (family in ("grain", "pollen", "bystander"))
        if family in ("gas", "powerlaw") or family.startswith("binary"):
            assert system.packing_fraction == pytest.approx(scene.phi or .4)
            assert (system.masses >= 1).all()


@pytest.mark.parametrize("family", ["crowd", "bystander"])
@pytest.mark.parametrize("n", [100, 2000])
def test_the_dense_gas_stays_behind_its_fence(systems, n, family):
    """In a hundredth of the box are the discs of the gas that the scene is compared with; none leaves and none enters."""
    system = systems["build"](systems["arrays"](systems["Scene"](family, n)))
    gas = systems["build"](systems["arrays"](systems["yardstick"](systems["Scene"]("crowd", n))))
    assert system.box.area == 100 * gas.box.area and system.radii[0] == gas.radii[0]
    system.simulate(max_events=20 * n)
    inside = (system.positions <= [gas.box.width, gas.box.height]).all(axis=1)
    assert (inside == (np.isfinite(system.masses) & (system.radii == gas.radii[0]))).all() and inside.sum() == n


def test_molecules_are_those_of_brownian(systems):
    """The small discs of `grain` fill what those of the book's data set fill, whatever their number."""
    small = hdsim.load("brownian").radii[1:]
    for n in (100, 999):
        radii = systems["build"](systems["arrays"](systems["Scene"]("molecules", n))).radii
        assert math.pi * (radii**2).sum() == pytest.approx(math.pi * (small**2).sum())


def test_proportions_of_binary_mixtures(systems):
    """So many small discs for each large one, a hundred times smaller."""
    for family, small in (("binary1", 1), ("binary10", 10), ("binary100", 100), ("binary", 999)):
        radii = systems["arrays"](systems["Scene"](family, 4000))["radii"]
        large = radii > 50 * radii.min()
        assert large.sum() == 4000 // (small + 1)
        assert radii[large] == pytest.approx(100 * radii.min())


def test_a_lattice_without_holes_where_there_is_one(systems):
    """Powers of ten, and most numbers that people choose, fill whole rows and columns; a prime leaves places free."""
    for n, sides in ((100, (10, 10)), (1000, (40, 25)), (100_000, (400, 250)), (2, (2, 1)), (31, (6, 6))):
        assert systems["lattice_sides"](n) == sides


def test_throughput(benchmarks, elsewhere, tmp_path):
    """Every measurement becomes a row, with the machine, the work per collision and the cost of the start."""
    out = elsewhere(benchmarks / "throughput.py", "gas", "grain", "galperin", "billiards5", "--sizes", 36, "--phi", ".1,.4",
                    "--walls", *QUICK, "--equilibration", 1, "--csv", "rates.csv")
    rows = rows_of(tmp_path / "rates.csv")
    assert [row["scene"] for row in rows] == ["gas 36 0.1 walls", "gas 36 0.4 walls", "grain 36", "galperin", "billiards5"]
    assert [row["discs"] for row in rows] == ["36", "36", "37", "2", "16"]
    for row in rows:
        assert row["scene"] in out and row["machine"] and row["processor"] and row["python"] and row["date"]
        assert float(row["rate"]) == pytest.approx(int(row["pair_contacts"]) / float(row["cpu_seconds"]))
        assert float(row["predictions"]) >= float(row["exact_evaluations"]) > 0 and float(row["repredictions"]) >= 0
        assert 0 <= float(row["undisturbed"]) <= 1 and (row["undisturbed_rate"] == "") == (float(row["undisturbed"]) < .1)
        assert float(row["queue_operations"]) > 0 and float(row["setup_seconds"]) > 0
        assert abs(float(row["energy_drift"])) < 1e-12
    assert float(rows[3]["wall_contacts"]) == pytest.approx(1, abs=.01)     # Galperin's light disc: pair, wall, pair, wall


def test_what_disturbs_the_core_is_left_out(benchmarks, monkeypatch):
    """A rate of its own for those pieces of a run between two fast probes, and none if that is hardly any of it."""
    took = iter([3.] * 100 + [3.3, 4.9, 3.1, 3.] + [3.] * 100 + [3.] + [3.] * 100 + [9.] + [3.] * 100 + [3., 9.])
    probe_of = runpy.run_path(str(benchmarks / "measure.py"))["Probe"]
    monkeypatch.setattr(probe_of, "take", lambda self: next(took))
    probe = probe_of(math.inf)
    for spent, pairs in [(2., 100), (3., 100), (3., 100), (2., 120)]:
        probe.note(spent, pairs)
    assert probe.verdict() == {"undisturbed_rate": 55., "undisturbed": .4, "shortest": 3.}
    slow = probe_of(2.)     # others know what this core can do
    slow.note(1., 100)
    assert slow.verdict() == {"undisturbed_rate": None, "undisturbed": 0., "shortest": 2.}
    other = probe_of(4.)
    other.note(1., 100)
    assert other.verdict() == {"undisturbed_rate": None, "undisturbed": 0., "shortest": 3.}
    hardly = probe_of(3.)
    for spent in (1., 15.):
        hardly.note(spent, 100)
    assert hardly.verdict() == {"undisturbed_rate": None, "undisturbed": 1 / 16, "shortest": 3.}


def test_a_comparison_is_in_turn_and_of_the_same_work(benchmarks, elsewhere, tmp_path):
    """A B A B, each the same number of events; a build does the same as itself, also with another grid or queue."""
    out = elsewhere(benchmarks / "throughput.py", "gas", "--sizes", 36, "--phi", .4, "--rounds", 2, "--seconds", .001,
                    "--against", SOURCE, "--against-options", "cells=1x1,queue=heap,vectors=off", "--csv", "rates.csv")
    rows = rows_of(tmp_path / "rates.csv")
    assert [(row["round"], row["side"]) for row in rows] == [("1", "A"), ("1", "B"), ("2", "A"), ("2", "B")]
    assert [row["options"] for row in rows[:2]] == ["", "cells=1x1,queue=heap,vectors=off"]
    assert len({row["events"] for row in rows}) == 1 and len({row["hash"] for row in rows}) == 1
    assert out.split()[-1] == "same" and "B/A" in out
    calm = [[float(row["undisturbed_rate"]) for row in rows if row["side"] == side and row["undisturbed_rate"]]
            for side in "AB"]
    assert out.split()[-3] == (f"{np.median(calm[1]) / np.median(calm[0]):.3f}" if all(calm) else "-")


def test_what_cannot_be_measured_is_named(benchmarks, tmp_path):
    """Wrong names and places are refused before anything runs; a scene that fails says why."""
    script = benchmarks / "throughput.py"
    assert "no scene is called 'gass'" in refusal(script, "gass")
    for wrong in ("queue=stack", "vectors=yes", "cells=3", "colour=red", "queue"):
        assert f"vectors=on|off, found '{wrong}'" in refusal(script, "gas", "--options", wrong)
    assert "the folder that holds the package hdsim" in refusal(script, "gas", "--against", tmp_path)
    shutil.copytree(SOURCE / "hdsim", tmp_path / "unbuilt" / "hdsim", ignore=shutil.ignore_patterns("_core.*.so", "_core.*.pyd"))
    said = refusal(script, "gas", "--sizes", 9, "--phi", .1, "--against", tmp_path / "unbuilt", *QUICK)
    assert re.search("build it in place|_core", said), said
    assert "do not fill 0.9 of the box" in refusal(script, "gas", "--sizes", 4, "--phi", .9, *QUICK)
    assert "no two discs met" in refusal(script, "one", *QUICK)


def test_a_plot_names_what_it_needs(benchmarks):
    """Without matplotlib --plot is refused at once; without --plot it is not needed."""
    code = (f"import runpy, sys; sys.modules['matplotlib'] = None; sys.path.insert(0, {str(benchmarks)!r}); "
            f"sys.argv = ['throughput.py', '--plot', 'x.png']; runpy.run_module('throughput', run_name='__main__')")
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--plot needs the package matplotlib: pip install matplotlib" in done.stderr


def test_no_result_names_a_host(elsewhere, benchmarks, tmp_path):
    """The machine is described by its system and its processor."""
    elsewhere(benchmarks / "throughput.py", "gas", "--sizes", 36, "--phi", .4, *QUICK, "--csv", "rates.csv")
    [row] = rows_of(tmp_path / "rates.csv")
    assert row["machine"] == f"{platform.system()} {platform.machine()}" and row["processor"]


def test_the_plain_variant_can_be_made(root, monkeypatch):
    """The formulas still hold, once, what compensation.py puts in the place of; and it says when they do not."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    monkeypatch.delitem(sys.modules, "scenes")
    script = runpy.run_path(str(root / "benchmarks" / "compensation.py"))
    text = (root / "src" / "hdsim" / "core/pair.pxd").read_text()
    variant = script["plain"](text)
    for old, new in script["PLAIN"]:
        assert text.count(old) == 1 and variant.count(new) == 1
    with pytest.raises(SystemExit, match="core/pair.pxd has changed"):
        script["plain"](variant.replace("miss", "hit"))


@pytest.mark.slow
def test_compensation(benchmarks, elsewhere, tmp_path):
    """Both builds do the same scene, and only the variant computes otherwise."""
    out = elsewhere(benchmarks / "compensation.py", "gas", "--sizes", 100, "--phi", .4, *QUICK, "--csv", "costs.csv",
                    HDSIM_CFLAGS="-O0")
    compensated, plain = rows_of(tmp_path / "costs.csv")
    assert compensated["events"] == plain["events"] and compensated["hash"] != plain["hash"]
    assert "for this measurement only" in out


def test_page(benchmarks, root, elsewhere, tmp_path):
    """The numbers of docs/performance.md come from the CSV file; what stands around them stays."""
    page = tmp_path / "performance.md"
    shutil.copy(root / "docs" / "performance.md", page)
    command = (benchmarks / "page.py", "--folder", tmp_path, "--no-plot")
    elsewhere(*command, "--sizes", 36, "--equilibration", .1, *QUICK)
    rows = rows_of(tmp_path / "performance.csv")
    text = page.read_text()
    for row in rows:
        assert f"| {float(row['undisturbed_rate'] or row['rate']) / 1e3:,.0f} |" in text
    sets = [row["scene"] for row in rows if row["family"] != "gas"]
    assert f"| data set | {' | '.join(sets)} |" in text and "| 36 discs |" in text and "| gas 0.4 periodic |" in text
    assert "Not measured." in text and rows[0]["processor"] in text
    elsewhere(*command, "--redraw")
    assert page.read_text() == text
    table = tmp_path / "performance.csv"        # with the columns of 0.1
    table.write_text(table.read_text().replace("exact_evaluations", "survivors", 1).replace("repredictions", "replans", 1))
    elsewhere(*command, "--redraw")
    assert {"survivors", "replans"} < set(rows_of(table)[0]) and page.read_text() == text
    for row, calm in zip(rows, ("1234567", "")):        # whatever the rate was, and the rate
        row["undisturbed_rate"] = calm
    with open(tmp_path / "performance.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    elsewhere(*command, "--redraw")
    assert f"| 36 | periodic | 1,235 | {float(rows[1]['rate']) / 1e3:,.0f} |" in page.read_text()


def test_page_of_spheres(benchmarks, root, elsewhere, tmp_path):
    """The numbers of docs/spheres.md come from its CSV file; what stands around them stays."""
    page = tmp_path / "spheres.md"
    shutil.copy(root / "docs" / "spheres.md", page)
    before, command = page.read_text(), (benchmarks / "page_spheres.py", "--folder", tmp_path)
    elsewhere(*command, "--sizes", 30, "--equilibration", .1, *QUICK)
    rows, text = rows_of(tmp_path / "spheres.csv"), page.read_text()
    gases = [f"spheres 30 {phi} periodic" for phi in (.1, .3, .45)]
    assert [row["scene"] for row in rows] == [*gases, "spheres 32 0.49 periodic"]
    rates = [f"{float(row['undisturbed_rate'] or row['rate']) / 1e3:,.0f}" for row in rows]
    assert f"| 30 | {' | '.join(rates)} |" in text and "| wanted, at most | 260 | 260 | 330 | 330 |" in text
    assert text[:text.index("<!-- numbers")] == before[:before.index("<!-- numbers")]
    assert (tmp_path / "spheres-cost.png").stat().st_size > 5000
    for row in rows[:3]:        # as if the memory had been seen, and mixtures measured
        row |= {"bytes_per_disc": "250.4"}
    rows += [{**rows[0], "scene": scene, "family": scene.split()[0], "rate": rate, "undisturbed_rate": ""} for scene, rate in (
        ("lognormal 10000", 3e5), ("spheres 10000 0.2 periodic", 6e5), ("spheres 100000 0.3 periodic", 1e6))]
    with open(tmp_path / "spheres.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    elsewhere(*command, "--redraw", "--no-plot")
    assert "| lognormal | spheres 0.2 periodic | 300 | 0.50 |  |  |" in page.read_text()
    assert "| 100,000 spheres |  | 250 |  |  |" in page.read_text()


def test_observers(benchmarks, elsewhere, tmp_path):
    """A line for each set of observers, and one without observers."""
    out = elsewhere(benchmarks / "observers.py", "--n", 16, "--events", 50, "--rounds", 1, "--csv", "costs.csv")
    names = [row["observers"] for row in rows_of(tmp_path / "costs.csv")]
    assert names[:2] == ["none", "the four"] and len(names) == 13 and all(name in out for name in names)
    assert float(rows_of(tmp_path / "costs.csv")[0]["ratio"]) == 1


def test_laws(benchmarks, elsewhere, systems):
    """A line for each law and kind of obstacle, beside the same gas without; obstacles stand as they should."""
    out = elsewhere(benchmarks / "laws.py", "--n", 100, "--events", 50, "--rounds", 1)
    rows = [line.split() for line in out.splitlines()[2:]]
    assert [row[0] for row in rows] == ["gas", "gas", *systems["LAWFUL"]] and all(float(row[-2]) > 0 for row in rows)
    for family in systems["LAWFUL"]:
        scene = systems["Scene"](family, 400)
        system = systems["build"](systems["arrays"](scene), strict=True)
        assert str(systems["yardstick"](scene)) == f"gas 400 0.4 {'walls' if family == 'falling' else 'periodic'}"
        assert len(system.obstacles) == (0 if family in ("grains", "falling") else 12) and 340 < len(system) <= 400
        assert system.conserves_energy == (family == "pegs") and any(system.gravity) == (family == "falling")


def test_drift(benchmarks, elsewhere):
    """The balance closes in each combination, and each law has its term in it."""
    rows = [line.rsplit(None, 7) for line in elsewhere(benchmarks / "drift.py", "--n", 100, "--contacts", 2000).splitlines()[2:]]
    assert len(rows) == 12 and all(abs(float(row[-1])) < 1e-14 for row in rows)
    for place, law in ((-5, "gravity"), (-4, "restitution"), (-2, "thermal")):
        assert [float(row[place]) != 0 for row in rows] == [law in row[0] for row in rows]
    out = elsewhere(benchmarks / "drift.py", "--n", 100, "--contacts", 200, "--only", "load")
    assert len(out.splitlines()) == 3 and float(out.split()[-3]) != 0


def test_overheads(benchmarks, elsewhere, tmp_path):
    """Ways to run and calls are measured beside a plain run."""
    out = elsewhere(benchmarks / "overheads.py", "--n", 16, "--events", 50, *QUICK, "--csv", "costs.csv")
    costs = {row["what"]: float(row["plain_events"]) for row in rows_of(tmp_path / "costs.csv")}
    assert costs["simulate(max_events=K)"] == 1
    for name, cost in costs.items():
        assert name in out and cost > 0


def test_other_spaces(benchmarks, elsewhere):
    """A line for each scene and size, with its rate and hash; an unknown scene is refused."""
    out = elsewhere(benchmarks / "other_spaces.py", "--sizes", 64, "--share", .1, *QUICK)
    rows = [line.split() for line in out.splitlines()[1:]]
    assert [row[0] for row in rows] == ["l1.5", "l2", "l4", "linf", "sphere"] and all(float(row[2]) > 0 for row in rows)
    assert refusal(benchmarks / "other_spaces.py", "l7").endswith("no scene 'l7'; there are l1.5, l2, l4, linf, sphere")


def test_viewer(benchmarks, elsewhere, missing):
    """A row for each number of discs: three steps, their median and their lowest time."""
    try:
        viewer.snapshot(hdsim.load("one"), 8, 8)
    except viewer.NoDisplayError as error:
        missing(str(error))
    rows = [line.split() for line in elsewhere(benchmarks / "viewer.py", "--sizes", "10,200", "--frames", 3,
                                               "--size", 64).splitlines()[-2:]]
    assert [row[0] for row in rows] == ["10", "200"]
    for row in rows:
        times = [float(cell) for cell in row[1:]]
        assert len(times) == 6 and all(0 < lowest <= middle for middle, lowest in zip(times[::2], times[1::2]))


def test_viewer_with_obstacles(benchmarks, elsewhere, missing):
    """A row for pegs and one for a polygon: arrays, and the median and the lowest time of two steps."""
    try:
        viewer.snapshot(hdsim.load("one"), 8, 8)
    except viewer.NoDisplayError as error:
        missing(str(error))
    rows = elsewhere(benchmarks / "viewer.py", "--obstacles", 100, "--frames", 2, "--size", 64).splitlines()[-2:]
    assert rows[0].startswith("100 pegs ") and rows[1].startswith("polygon of 100 edges ")
    for row in rows:
        times = [float(cell) for cell in row.split()[-5:]]
        assert all(time > 0 for time in times) and times[2] <= times[1] and times[4] <= times[3]


def test_copies(benchmarks, elsewhere, tmp_path):
    """Whole systems are made, copied, pickled and read, for each size; the scale is among them."""
    out = elsewhere(benchmarks / "copies.py", "--sizes", "16,64", *QUICK, "--csv", "costs.csv")
    costs = rows_of(tmp_path / "costs.csv")
    assert [row["discs"] for row in costs] == ["16"] * 7 + ["64"] * 7
    assert all(float(row["seconds"]) > 0 and row["what"] in out for row in costs) and "memory" in out
    assert "expected a whole number" in refusal(benchmarks / "copies.py", "--sizes", "10,x")


def test_peer(benchmarks, elsewhere, tmp_path):
    """The last number that the pattern finds is the peer's rate."""
    program = tmp_path / "peer.py"
    program.write_text("print('rate 1\\nrate 2,000')")
    out = elsewhere(benchmarks / "peer.py", "--command", f"'{sys.executable}' '{program}'", "--pattern", "rate ([0-9,]+)",
              "--scale", .5, "--n", 36, *QUICK, "--csv", "ratios.csv")
    [row] = rows_of(tmp_path / "ratios.csv")
    assert float(row["peer"]) == 1000
    assert out.split()[-1] == ("(1)" if float(row["undisturbed"]) >= .8 else "-")
    assert float(row["ratio"]) == pytest.approx(float(row["hdsim"]) / 1000)


def test_a_peer_without_a_rate_is_named(benchmarks):
    """No such program, a failure, and an output without a number."""
    def said(command, pattern):
        return refusal(benchmarks / "peer.py", "--command", command, "--pattern", pattern, "--n", 36, *QUICK)

    python = f"'{sys.executable}' -c"
    assert "no-such-program" in said("no-such-program", "x")
    assert "exit status 3" in said(f"{python} 'raise SystemExit(3)'", "x")
    assert "nothing in its output matches 'rate': slow" in said(f"{python} 'print(\"slow\")'", "rate")
    assert "expected a number, found 'slow'" in said(f"{python} 'print(\"slow\")'", "slow")
    assert "2 groups" in said("x", "(a)(b)")


@pytest.mark.parametrize("family", ["binary1", "binary10", "powerlaw"])
def test_a_mixture_is_compared_with_equal_discs_that_fly_as_far(systems, family):
    """Measured, in units of the distance of discs: so both come near as many others between two contacts."""
    paths = []
    mixture = systems["Scene"](family, 400)
    for scene in (mixture, systems["yardstick"](mixture)):
        system = systems["build"](systems["arrays"](scene))
        system.simulate(max_events=2000)
        path = system.observe(hdsim.FreePath())
        system.simulate(max_events=20_000)
        paths.append(path.value * math.sqrt(len(system) / (system.box.width * system.box.height)))
    assert paths[0] == pytest.approx(paths[1], rel=.1)


@pytest.fixture(scope="module")
def fingerprints(benchmarks, tmp_path_factory):
    """The script, and a file that it has written of its quick runs."""
    script, file = benchmarks / "fingerprints.py", tmp_path_factory.mktemp("fingerprints") / "quick.json"
    subprocess.run([sys.executable, script, "--quick", "--out", file], env=environment(), capture_output=True, check=True,
                   timeout=300)
    return script, file


def test_fingerprints_are_the_same_twice(fingerprints, elsewhere):
    """Statistics included, in whatever processes the runs are done."""
    script, file = fingerprints
    runs = json.loads(file.read_text())["runs"]
    assert elsewhere(script, "--quick", "--jobs", 2, "--against", file) == f"all {len(runs)} runs are equal\n"
    families = {name.split()[0] for name in runs}
    assert families == {"data", "scene", "random", "settings", "middle", "growth", "special", "time", "textbook"}
    assert {name.split(": ")[1] for name in runs if name.startswith("middle")} >= {"saved", "edited", "timers", "observed"}


@pytest.mark.parametrize("field, why", [(("end", "velocities"), "end: velocities {0}0 -> {0}"),
                                        (("end", "hash"), "end: hash {0}0 -> {0}"),
                                        (("statistics", "end", "predictions"), "statistics: end: predictions {0}0 -> {0}")])
def test_a_changed_fingerprint_is_reported(fingerprints, tmp_path, field, why):
    """Its run by name, with what stood there and what stands there; statistics only if they are asked for."""
    script, file = fingerprints
    stored = json.loads(file.read_text())
    *path, last = "random 7", *field
    place = stored["runs"]
    for name in path:
        place = place[name]
    before, place[last] = place[last], f"{place[last]}0"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(stored))
    for options, status in (((), 1), (("--no-statistics",), int(field[0] != "statistics"))):
        done = subprocess.run([sys.executable, script, "--only", "random 7", "--quick", "--against", changed, *options],
                              env=environment(), capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stderr
        said = f"random 7: {why.format(before)}\n1 of 1 runs differ\n" if status else "all 1 runs are equal\n"
        assert done.stdout == said


def test_fingerprints_of_some_runs_only(fingerprints, elsewhere):
    """By a part of their names, and without those that have another one."""
    script, file = fingerprints
    runs = [name for name in json.loads(file.read_text())["runs"] if "middle" in name and "observed" not in name]
    assert elsewhere(script, "--quick", "--only", "middle", "--without", "observed", "--against", file) == (
        f"all {len(runs)} runs are equal\n")
    assert refusal(script, "--only", "middle", "--without", "mid", "--out", os.devnull).endswith(
        "no run has a name that contains 'middle' and not 'mid'")


@pytest.mark.parametrize("least, status", [("1e-9", 0), ("1e9", 1)])
def test_another_compiler_is_compared_with_the_installed_build(benchmarks, tmp_path, least, status):
    """Here it is the same build under the name of the other; the exit status tells whether it is fast enough."""
    shutil.copytree(SOURCE / "hdsim", tmp_path / "ccache-clang" / "hdsim", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run([sys.executable, benchmarks / "compilers.py", "ccache clang", "--rounds", "1", "--least", least,
                           "--folder", tmp_path], env=environment(), capture_output=True, text=True)
    assert done.returncode == status and "building" not in done.stderr
    assert len(re.findall(r"^\| [^|]* \| [\d.]+ \| same \|$", done.stdout, re.M)) == 5


@pytest.fixture
def mechanisms(benchmarks, monkeypatch):
    """The module benchmarks/mechanisms.py; there is another module scenes here."""
    monkeypatch.syspath_prepend(str(benchmarks))
    monkeypatch.delitem(sys.modules, "scenes")
    before = set(sys.modules)
    yield importlib.import_module("mechanisms")
    for name in set(sys.modules) - before:      # importing put them there; monkeypatch brings the other scenes back
        del sys.modules[name]


def test_gains_of_mechanisms_are_medians_of_rounds(mechanisms):
    """How many times faster the whole build is in each round; a mechanism that was not measured has none."""
    scene, results = mechanisms.Scene("gas", 100, .4), []
    for number, (whole, without) in enumerate([(6., 3.), (8., 2.), (9., 3.)]):
        for name, rate in (("A", whole), ("prefetch", without)):
            results.append(mechanisms.Result(mechanisms.Side(name, None, {}), scene, number, {"rate": rate, "hash": "h"}))
    assert mechanisms.table(results, ["prefetch", "all"]).splitlines() == [
        "| scene | prefetch | all | trajectories |", "|---|---|---|---|",
        "| gas 100 0.4 periodic | 3.000 (2.000-4.000) | - | same |"]
    results.append(results[0]._replace(found={"rate": 1., "hash": "g"}))
    assert mechanisms.table(results, ["prefetch"]).endswith("differ |")


def test_every_mechanism_of_a_build_has_its_scenes(mechanisms, benchmarks):
    """And a name that is none is refused, before anything is built."""
    assert {"simple", *mechanisms.BEST} == set(_core.build_info)
    assert "expected some of refinement,prefetch,delayed_insertion,listing_ahead,all, found 'cells'" in refusal(
        benchmarks / "mechanisms.py", "--only", "cells")


def test_one_bit_makes_another_fingerprint(benchmarks, elsewhere):
    """The last bit of a position, a velocity or any array counts, and so do its type and shape; nan has one digest."""
    code = f"""import sys; sys.path.insert(0, {str(benchmarks)!r})
import numpy, scenes
from fingerprints import differences, digest, fingerprint
start = scenes.gas(30, .3)
ends = [fingerprint({{"end": scenes.build(start)}})]
for name in ("positions", "velocities"):
    changed = start[name].copy()
    changed[17, 1] = numpy.nextafter(changed[17, 1], 9)
    ends.append(fingerprint({{"end": scenes.build(start | {{name: changed}})}}))
    print(*(each.split()[1] for each in differences(ends[-1], ends[0])))
one = numpy.array([1., numpy.nan])
print(len({{digest(each) for each in (one, -one, one[:1], one.reshape(2, 1), 1., 1, "1", b"1", [1.], [[1.]], None, True)}}),
      digest(numpy.array([1., -numpy.nan])) == digest(one))
"""
    assert elsewhere("-c", code) == "positions unwrapped_positions\nvelocities\n12 True\n"


def test_fingerprints_have_the_words_of_0_1(benchmarks, fingerprints, elsewhere):
    """So those that 0.1 has written can be compared: keys of the statistics, kinds of queue entries, fields of comparisons."""
    runs = json.loads(fingerprints[1].read_text())["runs"]
    one = runs["data set p10"]
    assert {"survivors", "replans"} < set(one["statistics"]["end"]) and "joint_events" in one["end"]
    assert "rung" in runs["time steps break: compared"]
    code = f"""import sys; sys.path.insert(0, {str(benchmarks)!r})
from fingerprints import digest
from hdsim.model.renamed import Kind
print(digest(Kind("re-prediction")) == digest("re-prediction") == digest("replan") != digest("pair"))
"""
    assert elsewhere("-c", code) == "True\n"


def test_what_cannot_be_compared_is_refused(benchmarks, tmp_path):
    """No file, another file, no such run, nothing to do: before anything runs. A run that the file does not have differs."""
    script, other = benchmarks / "fingerprints.py", tmp_path / "other.json"
    other.write_text('{"runs": 3}')
    assert "give --out FILE, --against FILE, or both" in refusal(script)
    assert "No such file or directory" in refusal(script, "--against", tmp_path / "none.json")
    assert "expected a file that --out has written" in refusal(script, "--against", other)
    assert "expected a file in a folder that exists" in refusal(script, "--out", tmp_path / "none" / "new.json")
    assert "no run has a name that contains 'nowhere'" in refusal(script, "--out", other, "--only", "nowhere")
    assert "expected a whole number from 1 up, found '0'" in refusal(script, "--out", other, "--jobs", "0")
    other.write_text('{"runs": {}}')
    done = subprocess.run([sys.executable, script, "--only", "data set one", "--against", other], env=environment(),
                          capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "data set one: not in the file\n1 of 1 runs differ\n")
