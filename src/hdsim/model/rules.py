"""Rules of gates: which discs a gate lets pass, as values that `&`, `|` and `~` combine. Public as `hdsim.gates`."""
from __future__ import annotations

import math
import numbers
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .numbers import RANGE, real, shown

__all__ = ["Rule", "always", "coming", "faster", "slower", "species"]

ALWAYS, FASTER, FROM_LEFT, FROM_RIGHT, OF_SPECIES, BOTH, EITHER, NOT = range(8)     # codes of the core
DEPTH_MAX = 32              # results that are waiting to be combined, at most
STEPS_MAX = 1000            # conditions and operations of one rule, at most
SPECIES_MAX = 2**31 - 1
BINDING = {"|": 0, "&": 1, "~": 2}
LENGTH_MAX = 100_000        # characters of the text of a rule, at most
_SIGN = re.compile("([()~&|,])")        # of a text; blanks may be around it
_WHOLE = re.compile(r"[+-]?[0-9]+")
_DIGITS_MAX = 18            # longer numbers of species are too large in any case, and Python refuses to read very long ones
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?inf|nan", re.IGNORECASE)


class Step(NamedTuple):
    """A condition, or an operation on the results before it: its code, the square of a speed, a species."""

    code: int
    square: float = 0.0
    kind: int = 0


@dataclass(frozen=True, repr=False)
class Rule:
    """Which discs may pass a gate: made by the functions of `hdsim.gates`, and combined with `&`, `|` and `~`.

    Rules of equal texts are equal; `repr` gives Python code: gates.coming('left') & gates.faster(1.2).
    steps: the rule in postfix order, for the core. text: without blanks, as files have it. binding: how tightly its outermost
    operation binds, one of BINDING, or 2 for a condition. ValueError for a rule of more than 1000 conditions and operations, or
    one of more than 32 results that wait for each other."""

    steps: tuple[Step, ...]
    text: str
    binding: int = 2

    def __post_init__(self) -> None:
        depth = deepest = 0
        for step in self.steps:
            depth += -1 if step.code in (BOTH, EITHER) else 0 if step.code == NOT else 1
            deepest = max(deepest, depth)
        if len(self.steps) > STEPS_MAX or deepest > DEPTH_MAX:
            raise ValueError(f"a rule has {len(self.steps)} conditions and operations, {deepest} deep; it must have at most "
                             f"{STEPS_MAX}, {DEPTH_MAX} deep")

    def __repr__(self) -> str:
        code = re.sub(r"coming\((\w+)\)", r"coming('\1')", self.text).replace("&", " & ").replace("|", " | ").replace(",", ", ")
        return re.sub(r"(always|coming|faster|slower|species)", r"gates.\1", code)

    def __and__(self, other: Rule) -> Rule:
        return self._with(other, BOTH, "&")

    def __or__(self, other: Rule) -> Rule:
        return self._with(other, EITHER, "|")

    def __invert__(self) -> Rule:
        return Rule((*self.steps, Step(NOT)), "~" + self._within(BINDING["~"]))

    def __bool__(self) -> bool:
        raise TypeError("a rule is neither true nor false; combine rules with &, | and ~ instead of `and`, `or` and `not`")

    def _with(self, other: Rule, code: int, sign: str) -> Rule:
        if not isinstance(other, Rule):
            return NotImplemented
        binding = BINDING[sign]
        return Rule((*self.steps, *other.steps, Step(code)), self._within(binding) + sign + other._within(binding + 1), binding)

    def may_let_in(self, kind: int) -> bool:
        """Whether there is a speed and a side at which a disc of this species may pass."""
        # One speed above each limit of the rule, and one below them all.
        squares = np.array([-1.0, *{step.square for step in self.steps if step.code == FASTER}])[:, None]
        speeds, from_left = np.nextafter(squares, math.inf), np.array([True, False])
        results: list[np.ndarray] = []
        for code, square, species in self.steps:
            if code in (BOTH, EITHER):
                last, other = results.pop(), results.pop()
                results.append(last & other if code == BOTH else last | other)
            elif code == NOT:
                results.append(~results.pop())
            else:
                found = {ALWAYS: True, FASTER: speeds > square, FROM_LEFT: from_left, FROM_RIGHT: ~from_left,
                         OF_SPECIES: species == kind}[code]
                results.append(np.broadcast_to(found, (len(speeds), 2)))
        return bool(results[0].any())

    def _within(self, binding: int) -> str:
        """The text, in parentheses where it binds less tightly."""
        return self.text if self.binding >= binding else f"({self.text})"


def faster(v: float) -> Rule:
    """Discs whose speed exceeds v, in length / time: vx^2 + vy^2 > v^2, computed in doubles. TypeError for a v that is no number,
    ValueError for one that is negative or not finite."""
    return Rule((Step(FASTER, _speed("faster", v) ** 2),), f"faster({_plain(v)})")


def slower(v: float) -> Rule:
    """Discs whose speed does not exceed v, in length / time: the opposite of `faster(v)`. Errors as there."""
    return Rule((Step(FASTER, _speed("slower", v) ** 2), Step(NOT)), f"slower({_plain(v)})")


def coming(side: str) -> Rule:
    """Discs that come from the "left" or from the "right", as seen from the first point of the gate to the second. ValueError for
    another word."""
    if not isinstance(side, str) or side not in ("left", "right"):
        raise ValueError(f"coming: side is {side!r}; it must be 'left' or 'right', as seen from the start of the gate to its end")
    return Rule((Step(FROM_LEFT if side == "left" else FROM_RIGHT),), f"coming({side})")


def species(*kinds: int) -> Rule:
    """Discs of one of these species, whole numbers: see `CollisionSystem.species`. ValueError for none, and for other values."""
    if not kinds or not all(isinstance(kind, numbers.Integral) and not isinstance(kind, bool) and abs(kind) <= SPECIES_MAX
                            for kind in kinds):
        raise ValueError(f"species: expected one or more whole numbers of at most {SPECIES_MAX} in size, found {kinds!r}")
    steps = [Step(OF_SPECIES, 0.0, int(kinds[0]))]
    for kind in kinds[1:]:
        steps += [Step(OF_SPECIES, 0.0, int(kind)), Step(EITHER)]
    return Rule(tuple(steps), f"species({','.join(str(int(kind)) for kind in kinds)})")


always = Rule((Step(ALWAYS),), "always")        # all discs: the gate is open


def _speed(word: str, v: float) -> float:
    if not isinstance(v, numbers.Real):
        raise TypeError(f"{word}: v is {shown(v)}; it must be a number")
    speed = real(f"{word}: v", v)
    if not 0 <= speed <= RANGE:
        raise ValueError(f"{word}: v is {shown(v)}; it must be 0 or more, and at most {RANGE:.1e}")
    return speed


def _plain(v: float) -> str:
    return repr(float(v)).removesuffix(".0")


def parsed(text: str) -> Rule:
    """The rule of a text, as `Rule.text` has it; blanks and tabs may be around signs and parentheses. ValueError with the place
    where it is wrong, and for a text that is too long. The time is proportional to the length."""
    if len(text) > LENGTH_MAX:
        raise ValueError(f"expected a rule of at most {LENGTH_MAX:,} characters, found {len(text):,}")
    text = "".join(piece.strip(" \t") for piece in _SIGN.split(text))
    rules: list[Rule] = []      # a stack of operands and one of operations: parentheses may be nested more deeply than calls
    signs: list[str] = []
    at = 0
    while True:
        while text[at:at + 1] in ("~", "("):
            signs.append(text[at])
            at += 1
        rule, at = _condition_at(text, at)
        rules.append(rule)
        _combine(rules, signs, BINDING["~"])
        while text[at:at + 1] == ")" and "(" in signs:
            _combine(rules, signs, BINDING["|"])
            signs.pop()
            _combine(rules, signs, BINDING["~"])
            at += 1
        if text[at:at + 1] not in ("&", "|"):
            break
        _combine(rules, signs, BINDING[text[at]])
        signs.append(text[at])
        at += 1
    if "(" in signs:
        raise ValueError(f"expected ), found {text[at:] or 'the end'!r}")
    if at < len(text):
        raise ValueError(f"expected the end of the rule, & or |, found {text[at:]!r}")
    _combine(rules, signs, BINDING["|"])
    return rules[0]


def _combine(rules: list[Rule], signs: list[str], binding: int) -> None:
    """Carry out the operations on top of the stack that bind at least so tightly, down to a parenthesis."""
    while signs and signs[-1] != "(" and BINDING[signs[-1]] >= binding:
        sign, rule = signs.pop(), rules.pop()
        rules.append(~rule if sign == "~" else rules.pop() & rule if sign == "&" else rules.pop() | rule)


def _condition_at(text: str, at: int) -> tuple[Rule, int]:
    """The condition that begins at a place of a text, and the place where it ends."""
    if text.startswith("always", at) and not text[at + 6:at + 7].isalnum():
        return always, at + 6
    word, end = text[at:max(at, text.find("(", at, at + 9))], text.find(")", at)
    if word not in ("faster", "slower", "coming", "species") or end < 0:
        raise ValueError(f"expected always, coming(left), coming(right), faster(V), slower(V) or species(K), found "
                         f"{text[at:] or 'the end'!r}")
    return _condition(word, text[at + len(word) + 1:end]), end + 1


def _condition(word: str, argument: str) -> Rule:
    if word == "coming":
        if argument.strip("'\"") != argument:
            raise ValueError(f"expected coming(left) or coming(right), without quotation marks, found coming({argument})")
        return coming(argument)
    if word == "species":
        kinds = argument.split(",")
        if not all(map(_WHOLE.fullmatch, kinds)):
            raise ValueError(f"expected whole numbers in species(...), found {argument!r}")
        if any(len(kind) > _DIGITS_MAX or abs(int(kind)) > SPECIES_MAX for kind in kinds):
            raise ValueError(f"expected whole numbers of at most {SPECIES_MAX} in size in species(...), found {argument!r}")
        return species(*map(int, kinds))
    if not _DECIMAL.fullmatch(argument):
        raise ValueError(f"expected a speed in {word}(...), found {argument!r}")
    return faster(float(argument)) if word == "faster" else slower(float(argument))
