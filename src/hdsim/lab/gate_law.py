"""Two gases with a gate between them, each in equilibrium with itself: numbers, temperatures, bits and entropies over time.

Ideal gases in two equal vessels exchange the discs that the rule of the gate lets pass, at the rates of `hdsim.theory`. That is
right as long as the discs of a vessel exchange energy faster than they pass, and seldom collide in the doorway."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .. import theory
from ..model import rules
from ..model.rules import Rule, coming, faster, slower

STEPS = 60          # of the integration; more of them change no result by more than 1e-4


class Speeds(NamedTuple):
    """Which discs from one side pass: those slower and those faster than the limit."""

    slow: bool
    fast: bool


class Policy(NamedTuple):
    """What a gate lets pass from the left and from the right."""

    left: Speeds
    right: Speeds

    def rule(self, speed: float) -> Rule:
        """The rule with this limit of the speed."""
        sides = [coming(side) & _of(speeds, speed) for side, speeds in zip(("left", "right"), self)]
        return sides[0] | sides[1]


def _of(speeds: Speeds, speed: float) -> Rule:
    if speeds.slow and speeds.fast:
        return rules.always
    return slower(speed) if speeds.slow else faster(speed) if speeds.fast else ~rules.always


class Passage(NamedTuple):
    """A gate and the gas on its two sides at the start: n equal discs in each vessel."""

    opening: float      # the width of the gate
    radius: float       # of the discs
    area: float         # of each vessel, for centres
    eta: float          # packing fraction
    n: int
    mass: float
    kT: float
    speed: float        # the limit of the rule

    @property
    def neck(self) -> float:
        """The width that is left for centres in the doorway: discs come through it."""
        return self.opening - 2 * self.radius

    @property
    def arrivals(self) -> float:
        """How many discs arrive for one that comes through an open gate. They arrive on its whole width, and at a wall the
        density is greater than far from it, by the factor Z of the pressure; collisions in the doorway make up for that."""
        return self.opening / self.neck * float(theory.compressibility_factor(self.eta))

    @property
    def time(self) -> float:
        """The mean time that a disc stays in a vessel with an open gate."""
        return 1 / float(theory.effusion_rate(self.neck, self.area, self.mass, self.kT))


class Course(NamedTuple):
    """What happens over time, (samples,) each: discs on the left, kT on the left and on the right, ln 2 times the bits of the
    decisions, and the change of the entropy of the gas in units of k_B."""

    left: np.ndarray
    kT_left: np.ndarray
    kT_right: np.ndarray
    bits: np.ndarray
    entropy: np.ndarray


def course(passage: Passage, policy: Policy, times: np.ndarray) -> Course:
    """The solution for a policy at `times`, (samples,), ascending."""
    span = np.linspace(0, float(times[-1]), STEPS + 1)
    h = float(span[1])
    state = np.array([passage.n, passage.n * passage.kT, 0.0, 0.0])     # discs and energy left, arrivals, decisions to let in
    states = [state]
    for _ in range(STEPS):      # Runge and Kutta
        a = _change(passage, policy, state)
        b = _change(passage, policy, state + h / 2 * a)
        c = _change(passage, policy, state + h / 2 * b)
        state = state + h / 6 * (a + 2 * b + 2 * c + _change(passage, policy, state + h * c))
        states.append(state)
    left, energy, arrivals, let_in = (np.interp(times, span, column) for column in np.array(states).T)
    n, right, kT_left = passage.n, 2 * passage.n - left, energy / left
    kT_right = (2 * n * passage.kT - energy) / right
    entropy = sum(number * np.log(n / number * kT / passage.kT) for number, kT in ((left, kT_left), (right, kT_right)))
    return Course(left, kT_left, kT_right, _nats(arrivals, let_in), np.asarray(entropy))


def _change(passage: Passage, policy: Policy, state: np.ndarray) -> np.ndarray:
    """The rates at which discs and energy on the left, arrivals and decisions to let in grow."""
    numbers = np.array([state[0], 2 * passage.n - state[0]])
    energies = np.array([state[1], 2 * passage.n * passage.kT - state[1]])
    given = np.array([[0.0], [passage.speed]]), passage.neck, passage.area, passage.mass, energies / numbers
    let = np.array(policy, dtype=float)         # slow and fast ones, from the left and from the right
    flows = []
    for law in (theory.fast_effusion_rate, theory.fast_effusion_power):
        every, fast = numbers * law(*given)
        flows.append(let[:, 0] * (every - fast) + let[:, 1] * fast)
        if law is theory.fast_effusion_rate:
            come = every.sum()
    come_through, power = flows
    return np.array([come_through[1] - come_through[0], power[1] - power[0], passage.arrivals * come,
                     passage.arrivals * come_through.sum()])


def _nats(arrivals: np.ndarray, let_in: np.ndarray) -> np.ndarray:
    """ln 2 times the bits of `let_in` of `arrivals`, (samples,): of a decision that is always the same, none."""
    found = np.zeros(len(arrivals))
    for share in (let_in, arrivals - let_in):
        some = share > 1e-9 * arrivals
        found[some] -= share[some] * np.log(share[some] / arrivals[some])
    return found


def entropy_of_even_start(eta: float) -> tuple[float, float]:
    """The change of entropy, in units of k_B, of a gas that begins with equal numbers and temperatures in two equal halves of a
    box, when it comes to equilibrium: its mean and its standard deviation. eta: the packing fraction.

    Numbers and energies fluctuate then, two degrees of freedom: the entropy is -(a x^2 + y^2) / 2 with normal x and y, where a is
    the variance of the number over that of an ideal gas."""
    a = 1 / float(theory.inverse_compressibility(eta))
    return -(a + 1) / 2, math.sqrt((a * a + 1) / 2)
