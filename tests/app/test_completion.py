"""Completion of the words of the command in shells."""
import shlex
import shutil
import subprocess

import pytest
from command_line import POSIX

from hdsim.app import cli, completion
from hdsim.app.arguments import VERB_NAMES
from hdsim.lab import EXPERIMENTS
from hdsim.starts import named

TRY = 'COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _hdsim; echo "${{COMPREPLY[*]}}"\n'


def printed(capsys, shell):
    assert cli.main(["completion", shell]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_every_verb_has_its_words_and_options():
    """Of a run too, which is the first: verbs and names of systems; options that the help does not show are left out."""
    run, *others = completion.verbs()
    assert [verb.name for verb in others] == list(VERB_NAMES) and run.words == [*VERB_NAMES, *named.names()]
    spelt = {verb.name: {name for option in verb.options for name in option.option_strings} for verb in (run, *others)}
    assert {"--until", "--no-view", "--version"} < spelt[""] and "--rung" not in spelt[""] and "--log" in spelt["check"]
    assert set(EXPERIMENTS) < set(dict((verb.name, verb.words) for verb in others)["lab"])


@POSIX
def test_bash_completes_words(capsys, missing):
    """Where an option takes a value, only its own words, or files."""
    if shutil.which("bash") is None:
        missing("there is no bash")
    tried = {"bi": "billiards2 billiards4 billiards5 billiards10 billiards", "gen": "generate", "p10 --them": "--theme",
             "lab coo": "cooling", "info --order r": "radius-mass", "p10 --out b": "", "completion f": "fish", "info info": ""}
    script = printed(capsys, "bash") + "".join(TRY.format(words=f"hdsim {words}") for words in tried)
    done = subprocess.run(["bash", "--norc", "-u"], input=script, capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.stdout.split("\n")[:-1]) == ("", list(tried.values()))
    assert "complete -o default -F _hdsim hdsim\n" in script


def test_zsh_reads_the_function_of_bash(capsys):
    assert printed(capsys, "zsh") == "autoload -U +X bashcompinit && bashcompinit\n" + printed(capsys, "bash")


def test_fish_is_told_what_options_are_for(capsys):
    """One line for each option, in the words of the help, and whether words, files or other values follow it."""
    lines = [shlex.split(line) for line in printed(capsys, "fish").splitlines()]
    assert all(line[:4] == ["complete", "-c", "hdsim", "-n"] for line in lines)
    found = {(line[4], line[-5] if "-xa" in line else line[line.index("-d") - 1]): line[5:] for line in lines if "-d" in line}
    check, info = ("__fish_seen_subcommand_from " + verb for verb in ("check", "info"))
    assert found[check, "-r"][:3] == ["-l", "log", "-r"] and found[info, "order"][2:4] == ["-xa", "auto radius-mass mass-radius"]
    assert ["-a", "bash zsh fish"] in [line[5:] for line in lines] and sum(line[5:7] == ["-s", "h"] for line in lines) == 11


@pytest.mark.parametrize("words, message", [
    ([], "the following arguments are required: shell"), (["tcsh"], "argument shell: invalid choice: 'tcsh'")])
def test_other_shells_are_refused(capsys, words, message):
    assert cli.main(["completion", *words]) == 2
    assert message in capsys.readouterr().err
