"""The experiments by name, and what each asks. The module of an experiment is its name after an underscore."""
from __future__ import annotations

import keyword

EXPERIMENTS = {
    "brownian": "exercise 2: how does a heavy disc move, and what does its path tell of the molecules?",
    "free-path": "exercise 3: how long are free paths, and what do density, temperature and pressure change?",
    "rates": "exercise 4: how many collisions per second, by kind, temperature and density?",
    "rms": "exercise 5: is the collision rate the rms speed over the mean free path?",
    "maxwell": "exercise 6: do speeds become those of Maxwell, in the plane those of Rayleigh?",
    "pressure": "exercise 7: is the force on the walls that of theory, and that of the collisions?",
    "eos": "exercise 7, continued: pressure against density, from gas to solid, and of discs in a row",
    "temperature": "exercise 8: is the temperature constant, and that in the file's name?",
    "diffusion": "exercise 9: how fast do discs spread and mix through a slit, and among themselves?",
    "reverse": "exercise 10: how far back does a run go when all velocities are turned round?",
    "cells": "exercise 13: what do cells save, against comparing all pairs?",
    "time-step": "steps of time: how does the error of each scheme fall with dt, and what does accuracy cost?",
    "break": "exercise 14: is a symmetric break symmetric, and reversible, by either rule?",
    "kinetic": "exercise 15: what does a kinetic heap of n lines cost?",
    "queues": "the algorithms compared: what do queues and cells cost, as the number of discs grows?",
}


def module_name(name: str) -> str:
    """The module of an experiment within this package: `_free_path` of "free-path"."""
    return "_" + name.replace("-", "_")


def function_name(name: str) -> str:
    """The function of an experiment: `free_path` of "free-path", `break_` of "break", which is a word of Python."""
    plain = name.replace("-", "_")
    return plain + "_" if keyword.iskeyword(plain) else plain
