"""The names of the experiments and the question of each, the numbers of the exercises, modules and functions."""
from __future__ import annotations

import keyword

EXPERIMENTS = {
    "brownian": "exercise 2: how does a heavy disc move, and what does its path tell about the molecules?",
    "free-path": "exercise 3: how long are free paths, and what do density, temperature and pressure change?",
    "rates": "exercise 4: how many collisions per second, by kind, temperature and density?",
    "rms": "exercise 5: is the collision rate the rms speed over the mean free path?",
    "maxwell": "exercise 6: do speeds become those of Maxwell, in the plane those of Rayleigh?",
    "pressure": "exercise 7: does the force on the walls agree with theory, and with the collisions?",
    "eos": "exercise 7, continued: pressure against density, from gas to solid, and of discs in a row",
    "temperature": "exercise 8: is the temperature constant, and that in the file's name?",
    "vessels": "exercise 9: where are two kinds of discs in two vessels with a pipe, as time goes on?",
    "diffusion": "exercise 9, continued: how fast do discs spread and mix, through a slit and freely?",
    "reverse": "exercise 10: how nearly does a run return to its start when all velocities are reversed?",
    "demon": "exercise 11: can a demon at a gate beat the second law, and what does its record cost?",
    "engine": "exercise 11, continued: can an engine on the demon's gas pay for erasing its memory?",
    "spaces": "exercise 12: balls of other spaces: what is conserved, what mixes, and at what pressure?",
    "cells": "exercise 13: how much work do cells save, compared with checking all pairs?",
    "break": "exercise 14: is a symmetric break symmetric, and reversible, by either rule?",
    "kinetic": "exercise 15: what does a kinetic heap of n lines cost?",
    "tables": "the billiards of physics: how long are free paths, and what are order and chaos?",
    "cooling": "grains that lose energy in contacts: do they cool by Haff's law, and where does it fail?",
    "piston": "a wall that comes: what heats a gas, what makes entropy? Where does a free piston settle?",
    "heat": "a gas between a cold side and a hot one: how warm is it, and how well does it carry heat?",
    "shear": "a gas between two plates that slide: how viscous is it, beside Enskog and a gas at rest?",
    "barometer": "a gas with weight: how does its density fall with height, and what does the floor feel?",
    "bounce": "balls that bounce lower and lower: when do they touch, and when do they rest?",
    "galton": "a board of pegs: where do the balls arrive, and why is that no binomial law?",
    "silo": "grains that run out of a silo: does the rate grow as the power 3/2 of the width, by Beverloo?",
    "time-step": "time steps: how does the error of each scheme fall with dt, and what does accuracy cost?",
    "spheres": "hard spheres in space: pressure against density, and on which side does a crystal melt?",
    "transport": "hard spheres in space: how fast do they carry themselves, momentum and heat?",
    "pollen3": "exercise 2 in three dimensions: does a large sphere move as Einstein and Stokes say?",
    "queues": "the algorithms compared: what do queues and cells cost, as the number of discs grows?",
}

NUMBERS = {"2": "brownian", "3": "free-path", "4": "rates", "5": "rms", "6": "maxwell", "7": "pressure", "8": "temperature",
           "9": "vessels", "10": "reverse", "11": "demon", "12": "spaces", "13": "cells", "14": "break", "15": "kinetic"}
ELSEWHERE = {
    "1": "exercise 1 is a game: python -m hdsim play",
}


def module_name(name: str) -> str:
    """The name of the module of an experiment within this package: "_free_path" for "free-path"."""
    return "_" + name.replace("-", "_")


def function_name(name: str) -> str:
    """The name of the function of an experiment: "free_path" for "free-path"; "break_" for "break", a keyword of Python."""
    plain = name.replace("-", "_")
    return plain + "_" if keyword.iskeyword(plain) else plain
