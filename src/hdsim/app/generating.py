"""The verb `generate`: writes a data set with chosen parameters, a state of any packing fraction, or random discs."""
from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy as np

from ..formats import io
from ..language import tr
from ..model.configuration import Configuration
from ..model.spelling import nearest
from ..starts import datasets, sources, states
from ..system import CollisionSystem
from ..system.waiting import elapsed, in_background
from . import endpoints
from .arguments import PROGRAM, Parser, _add_axes, _integer, _number, _size, _write

# States that `generate` makes besides the data sets, all in periodic boxes: name -> default parameters.
STATES: dict[str, dict[str, Any]] = {
    "triangular": {"n": 1000, "packing_fraction": 0.72, "temperature": 1.0, "seed": 0},
    "sequential-addition": {"n": 1000, "packing_fraction": 0.5, "ratio": 1.0, "temperature": 1.0, "seed": 0},
    "compressed": {"n": 1000, "packing_fraction": 0.7, "ratio": 1.0, "rate": 0.01, "temperature": 1.0, "seed": 0},
}


def generate_parser() -> Parser:
    """Without the parameters of a data set."""
    parser = Parser("generate", tr("Generate a data set, with its own parameters or others. `generate NAME -h` lists them."),
                    (f"{PROGRAM} generate brownian > brownian.txt", f"{PROGRAM} generate p10 --n 20 --seed 7 -o p20.txt"),
                    tr("\nbesides the data sets, states of any packing fraction: {states}", states=", ".join(STATES)))
    parser.add_argument("name", metavar="NAME",
                        help=tr("the name of a data set ({program} list), or a state, or a number of random discs",
                                program=PROGRAM))
    parser.add_argument("-o", "--out", metavar="FILE",
                        help=tr("a text (.txt), a checkpoint (.npz) or a picture (.png, .svg, .pdf); without it, "
                                                               "a text on standard output"))
    return parser


def generate(arguments: list[str]) -> int:
    """Run `python -m hdsim generate`: make a data set, one of STATES or random discs, and write it as text, checkpoint or
    picture."""
    named = next((argument for argument in arguments if argument in STATES or datasets.is_name(argument)), None)
    parser = generate_parser()
    values = {} if named is None else STATES.get(named) or datasets.parameters(named)
    keys = [key for key, value in values.items() if _add_parameter(parser, key, value)]
    if named is None and any(map(_is_number, arguments)):
        keys = _add_random(parser)
    options, unknown = parser.parse_known_args(arguments)
    _require_name(options.name)
    if unknown:
        parser.refuse(unknown, f"{options.name} has {', '.join('--' + key.replace('_', '-') for key in keys)}")
    if options.out is not None:
        endpoints.require_writable(options.out)
    overrides = {key: getattr(options, key) for key in keys if getattr(options, key) is not None}
    with elapsed(tr("generating {name}", name=options.name)):
        made = in_background(partial(_made, options.name, overrides))
    _write_made(options.out, made)
    return 0


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit()


def _require_name(name: str) -> None:
    """ValueError, with the nearest names, unless `name` is that of a data set or a state, or a number of discs."""
    if _is_number(name):
        if int(name) > sources.DISCS_MAX:
            raise ValueError(f"expected a number of discs of at most {sources.DISCS_MAX}, found {name}")
    elif name not in STATES and not datasets.is_name(name):
        near = nearest(name, [*STATES, *datasets.names()], 3)
        if near and near[0] in STATES:
            raise ValueError(f"there is no data set or state {name!r}: nearest is {near[0]}")
        datasets.parameters(name)       # raises an error that names the nearest data sets


def _made(name: str, overrides: dict[str, Any]) -> Configuration | CollisionSystem:
    """What `generate NAME` writes: the configuration of a data set, the system of a state, or that of random discs."""
    if name in STATES:
        return _state(name, **{**STATES[name], **overrides})
    if _is_number(name):
        box = endpoints.box_of(*(overrides.pop(name, None) for name in ("box", "periodic", "dimension")))
        return sources.random(int(name), box=box, **overrides)
    return datasets.generate(name, **overrides)


def _write_made(path: str | None, made: Configuration | CollisionSystem) -> None:
    if path is not None:
        system = made if isinstance(made, CollisionSystem) else CollisionSystem.from_configuration(made, k_B=datasets.K_B)
        _write(path, system)
        return
    configuration = made if isinstance(made, Configuration) else made.configuration()
    with nullcontext() if sys.stdout.isatty() else elapsed(tr("writing {file}", file=tr("standard output"))):
        io.write_text(sys.stdout, configuration)


def _state(name: str, n: int, packing_fraction: float, temperature: float, seed: int, ratio: float = 1.0,
           **more: Any) -> CollisionSystem:
    """One of STATES, of n discs in a periodic box. ratio: radius of every second disc over that of the others."""
    if name == "triangular":
        state = states.triangular(n, packing_fraction)
    else:
        make = states.compressed if name == "compressed" else states.sequential_addition
        state = make(np.where(np.arange(n) % 2, ratio, 1.0), packing_fraction, seed, **more)
    return state.system(temperature, seed=seed, k_B=datasets.K_B)


def _add_random(parser: Parser) -> list[str]:
    """Add the options of random discs; returns the attributes in which their values will be."""
    parser.add_argument("--seed", type=_integer, metavar="S", help=tr("random seed (0)"))
    parser.add_argument("--box", type=_size, metavar="WxH", help=tr("size of the box (1x1, of spheres 1x1x1)"))
    _add_axes(parser)
    return ["seed", "box", "periodic", "dimension"]


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
