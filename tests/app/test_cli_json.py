"""--json: the summary of a run for programs."""
import json

import pytest
from command_line import TWO, contacts, rows

import hdsim


@pytest.mark.parametrize("engine, options", [("indexed", ()), ("textbook", ("--engine", "textbook")),
                                             ("time", ("--engine", "time", "--dt", ".25"))])
def test_the_summary_as_json_says_what_the_table_says(run, engine, options):
    """One line, without a window, with the numbers of the table and of the system itself."""
    status, out, _ = run("p10", "--until", 20, *options, "--json")
    said = json.loads(out)
    table = rows(run("p10", "--until", 20, *options, "--no-view")[1])
    assert status == 0 and out.count("\n") == 1
    assert (said["hdsim"], said["engine"], said["bodies"]) == (hdsim.__version__, engine, 10)
    assert (said["start"], said["time"], said["interrupted"], said["jam"]) == (0, 20, False, None)
    counted = said["statistics"]
    assert contacts(table)[:2] == (counted["pair_contacts"], counted["wall_contacts"]) and counted["pair_contacts"] > 0
    assert said["hash"] == table.get("hash") and (said["hash"] is None) == (engine == "textbook")
    assert said["seconds"] > 0 and abs(said["energy_drift"]) < 1e-12


def test_numbers_are_the_same_in_chinese(run):
    """The language changes texts only, of which there are none."""
    english, chinese = (json.loads(run("-", "--until", 3, "--json", *lang, stdin=TWO)[1]) for lang in ((), ("--lang", "zh")))
    assert english | {"seconds": 0} == chinese | {"seconds": 0}


@pytest.mark.parametrize("arguments, message", [
    (("--compare", "time:.5"), "--json does not apply to two engines side by side, and --compare is given"),
    (("--fullscreen",), "--fullscreen belongs to the window, and --json opens none"),
    (("--browser",), "--browser asks for a window, and --json opens none")])
def test_what_json_excludes_is_refused(run, arguments, message):
    assert run("p10", "--json", *arguments) == (2, "", f"hdsim: error: {message}\n")
