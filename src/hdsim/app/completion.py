"""The verb `completion`: prints what a shell needs to complete the words of the command `hdsim`."""
from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..language import tr
from ..starts import datasets, named
from .arguments import PROGRAM, Parser
from .generating import STATES, generate_parser
from .run_options import run_parser
from .verbs import balls_parser, bench_parser, check_parser, convert_parser, info_parser, lab_parser, list_parser, play_parser

SHELLS = ("bash", "zsh", "fish")
# For bash, and for zsh, which can read such functions. Where no word fits, files are completed.
BASH = """\
_hdsim() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} words
    [ "$COMP_CWORD" -gt 1 ] || verb=
    case $verb in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _hdsim hdsim
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


class Verb(NamedTuple):
    """What can follow a verb, "" for a run: the words of its first argument, and its options."""

    name: str
    words: list[str]
    options: list[argparse.Action]


def completion_parser() -> Parser:
    parser = Parser("completion", tr("Print what a shell needs to complete names and options of the command `hdsim`."),
                    (f"{PROGRAM} completion bash >> ~/.bashrc",
                     f"{PROGRAM} completion fish > ~/.config/fish/completions/hdsim.fish"))
    parser.add_argument("shell", choices=SHELLS, help=tr("the shell; zsh reads ~/.zshrc"))
    return parser


def completion(arguments: list[str]) -> int:
    """Run `python -m hdsim completion`: print the completions for a shell."""
    shell = completion_parser().parse_args(arguments).shell
    known = list(verbs())
    print((ZSH if shell == "zsh" else "") + for_bash(known) if shell != "fish" else for_fish(known), end="")
    return 0


def verbs() -> Iterable[Verb]:
    """The run, with all verbs as words, and then each verb."""
    from ..lab import EXPERIMENTS

    names = named.names()
    words: dict[str, tuple[Callable[[], Parser], list[str]]] = {
        "info": (info_parser, names), "list": (list_parser, []), "generate": (generate_parser, [*datasets.names(), *STATES]),
        "convert": (convert_parser, names), "bench": (bench_parser, names), "lab": (lab_parser, ["list", *EXPERIMENTS]),
        "play": (play_parser, []), "balls": (balls_parser, []), "check": (check_parser, []),
        "completion": (completion_parser, [*SHELLS])}
    words = {"": (run_parser, [*words, *names]), **words}
    for name, (parser, first) in words.items():
        yield Verb(name, first, [action for action in parser().arguments
                                 if action.option_strings and action.help != argparse.SUPPRESS])


def for_bash(known: Iterable[Verb]) -> str:
    """A function for bash that completes words of these verbs, and the line that gives it to the command."""
    known, cases = list(known), []
    for verb in [*known[1:], known[0]]:
        values = [f"{'|'.join(option.option_strings)}) words={shlex.quote(' '.join(map(str, option.choices or ())))};;"
                  for option in verb.options if option.nargs != 0]
        every = " ".join([*verb.words, *(name for option in verb.options for name in option.option_strings)])
        cases.append("\n        ".join([f"    {verb.name or '*'})", f"words={shlex.quote(every)}", "case $before in", *values,
                                        "esac;;"]))
    return BASH.format(cases="\n".join(cases))


def for_fish(known: Iterable[Verb]) -> str:
    """Lines for fish: the words of these verbs, and their options with what their help says."""
    known = list(known)
    names = " ".join(verb.name for verb in known if verb.name)
    lines = []
    for verb in known:
        where = f"__fish_seen_subcommand_from {verb.name}" if verb.name else f"not __fish_seen_subcommand_from {names}"
        begin = f"complete -c hdsim -n {shlex.quote(where)}"
        if verb.words:
            lines.append(f"{begin} -a {shlex.quote(' '.join(verb.words))}")
        for option in verb.options:
            spelt = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.option_strings)
            value = "" if option.nargs == 0 else f" -xa {shlex.quote(' '.join(map(str, option.choices)))}" if option.choices \
                else " -r" if option.metavar == "FILE" else " -x"
            lines.append(f"{begin} {spelt}{value} -d {shlex.quote(option.help or '')}")
    return "\n".join(lines) + "\n"
