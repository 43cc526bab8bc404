"""The verb `generate`: writes a data set with chosen parameters, or a state of any packing fraction."""
from __future__ import annotations

import argparse
import difflib
import sys
from typing import Any

import numpy as np

from ..formats import io
from ..language import tr
from ..starts import datasets, states
from ..system import CollisionSystem
from . import endpoints, report
from .arguments import PROGRAM, Parser, _integer, _number, _write

# States that `generate` makes besides the data sets, all in periodic boxes: name -> default parameters.
STATES: dict[str, dict[str, Any]] = {
    "triangular": {"n": 1000, "packing_fraction": 0.72, "temperature": 1.0, "seed": 0},
    "sequential-addition": {"n": 1000, "packing_fraction": 0.5, "ratio": 1.0, "temperature": 1.0, "seed": 0},
    "compressed": {"n": 1000, "packing_fraction": 0.7, "ratio": 1.0, "rate": 0.01, "temperature": 1.0, "seed": 0},
}


def generate(arguments: list[str]) -> int:
    """Run `python -m hdsim generate`: make a data set or one of STATES, and write it as text, checkpoint or picture."""
    named = next((argument for argument in arguments if argument in STATES or datasets.is_name(argument)), None)
    parser = Parser("generate", tr("Generate a data set, with its own parameters or others. `generate NAME -h` lists them."),
                    (f"{PROGRAM} generate brownian > brownian.txt", f"{PROGRAM} generate p10 --n 20 --seed 7 -o p20.txt"),
                    tr("\nbesides the data sets, states of any packing fraction: {states}", states=", ".join(STATES)))
    parser.add_argument("name", metavar="NAME",
                        help=tr("the name of a data set ({program} list), or a state", program=PROGRAM))
    parser.add_argument("-o", "--out", metavar="FILE",
                        help=tr("a text (.txt), a checkpoint (.npz) or a picture (.png); without it, "
                                                               "a text on standard output"))
    values = {} if named is None else STATES.get(named) or datasets.parameters(named)
    keys = [key for key, value in values.items() if _add_parameter(parser, key, value)]
    options, unknown = parser.parse_known_args(arguments)
    if options.name not in STATES and not datasets.is_name(options.name):
        for near in difflib.get_close_matches(options.name, STATES, n=1, cutoff=0.7):
            raise ValueError(f"there is no data set or state {options.name!r}: nearest is {near}")
        datasets.parameters(options.name)       # raises an error that names the nearest data sets
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}; {options.name} has "
                     f"{', '.join('--' + key.replace('_', '-') for key in keys)}")
    if options.out is not None:
        endpoints.require_writable(options.out)
    overrides = {key: getattr(options, key) for key in keys if getattr(options, key) is not None}
    if options.name in STATES:
        _write_state(options.out, _state(options.name, **{**STATES[options.name], **overrides}))
        return 0
    configuration = datasets.generate(options.name, **overrides)
    if options.out is None:
        io.write_text(sys.stdout, configuration)
    else:
        endpoints.write(options.out, CollisionSystem.from_configuration(configuration, k_B=datasets.K_B))
    return 0


def _state(name: str, n: int, packing_fraction: float, temperature: float, seed: int, ratio: float = 1.0,
           **more: Any) -> CollisionSystem:
    """One of STATES, of n discs in a periodic box. ratio: radius of every second disc over that of the others."""
    if name == "triangular":
        state = states.triangular(n, packing_fraction)
    else:
        make = states.compressed if name == "compressed" else states.sequential_addition
        state = make(np.where(np.arange(n) % 2, ratio, 1.0), packing_fraction, seed, **more)
    return state.system(temperature, seed=seed, k_B=datasets.K_B)


def _write_state(path: str | None, system: CollisionSystem) -> None:
    if path is None:
        io.write_text(sys.stdout, system.configuration())
        report.say(tr("a text does not hold the box{hint}", hint=endpoints.reading_hint(system.box)))
    else:
        _write(path, system)


def _add_parameter(parser: Parser, key: str, value: Any) -> bool:
    """Add a parameter of a data set as an option, if its value can be given as one word; returns whether it was added."""
    option, types = "--" + key.replace("_", "-"), {int: _integer, float: _number}
    if isinstance(value, bool):
        parser.add_argument(option, action=argparse.BooleanOptionalAction, help=f"({value})")
    elif type(value) in types:
        parser.add_argument(option, type=types[type(value)], metavar=type(value).__name__.upper(), help=f"({value})")
    else:
        return False
    return True
