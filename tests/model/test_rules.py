"""Rules of gates: their texts, what they print, what they refuse, and that the core decides as Python's own logic does."""
from __future__ import annotations

import copy
import dataclasses
import pickle
import random
import re

import numpy as np
import pytest

import hdsim
from hdsim import gates
from hdsim.gates import always, coming, faster, slower, species
from hdsim.model.rules import DEPTH_MAX, STEPS_MAX, Rule, parsed

CONDITIONS = [always, coming("left"), coming("right"), faster(.5), slower(1.25), faster(0), species(0), species(1, 2),
              species(-3)]


def random_rule(seed: int, size: int) -> Rule:
    """`size` conditions, combined at random."""
    rng = random.Random(seed)
    rules = [rng.choice(CONDITIONS) for _ in range(size)]
    while len(rules) > 1:
        a, b = rules.pop(rng.randrange(len(rules))), rules.pop(rng.randrange(len(rules)))
        rule = a & b if rng.random() < .5 else a | b
        rules.append(~rule if rng.random() < .3 else rule)
    return rules[0]


@pytest.mark.parametrize("rule, text, code", [
    (always, "always", "gates.always"),
    (coming("left"), "coming(left)", "gates.coming('left')"),
    (faster(1.2), "faster(1.2)", "gates.faster(1.2)"),
    (slower(2), "slower(2)", "gates.slower(2)"),
    (faster(1e-20), "faster(1e-20)", "gates.faster(1e-20)"),
    (species(1, np.int64(-2)), "species(1,-2)", "gates.species(1, -2)"),
    (~always, "~always", "~gates.always"),
    (~~always, "~~always", "~~gates.always"),
    (coming("left") & faster(1) | coming("right") & slower(1), "coming(left)&faster(1)|coming(right)&slower(1)",
     "gates.coming('left') & gates.faster(1) | gates.coming('right') & gates.slower(1)"),
    ((coming("left") | always) & always, "(coming(left)|always)&always", "(gates.coming('left') | gates.always) & gates.always"),
    (always & (always & always), "always&(always&always)", "gates.always & (gates.always & gates.always)"),
    (always & always & always, "always&always&always", "gates.always & gates.always & gates.always"),
    (always | ~(always & faster(3)), "always|~(always&faster(3))", "gates.always | ~(gates.always & gates.faster(3))"),
])
def test_texts(rule, text, code):
    """Without blanks for files; as Python code when printed. Parentheses stand only where they are needed."""
    assert (rule.text, repr(rule)) == (text, code) and parsed(text) == rule == eval(code, {"gates": gates})


@pytest.mark.parametrize("seed", range(40))
def test_every_rule_comes_back_from_its_text(seed):
    """And from what it prints: with the same steps, so that the core decides the same."""
    rule = random_rule(seed, 1 + seed)
    assert parsed(rule.text) == rule == eval(repr(rule), {"gates": gates})
    assert parsed(rule.text).steps == rule.steps and hash(parsed(rule.text)) == hash(rule)
    assert pickle.loads(pickle.dumps(rule)) == rule == copy.deepcopy(rule)


def test_blanks_around_signs():
    """A rule may be written as Python prints it, as far as blanks go; numbers may have all forms of decimals."""
    spaced = " coming( left ) & ( faster(1)|\t~ slower ( .5 ) )  | species(1 ,  -2) & ~ always "
    assert parsed(spaced) == coming("left") & (faster(1) | ~slower(.5)) | species(1, -2) & ~always
    for text, v in (("1.", 1), ("+.25", .25), ("1E-2", .01), ("2e+3", 2000), ("007", 7)):
        assert parsed(f"faster({text})") == faster(v)


@pytest.mark.parametrize("text", [
    "always" + 90_000 * " ", 90_000 * "\t" + "always", "~" + 40_000 * " " + "~" + 40_000 * " " + "always",
    "(" + 45_000 * " \t" + "always)", 40_000 * "(" + "always" + 40_000 * ")"])
def test_long_texts_take_no_longer_than_their_letters(text):
    """Blanks, signs and parentheses, as far as a text may reach."""
    assert parsed(text).text.endswith("always")


def test_rules_are_values():
    assert faster(1) == faster(1.0) != faster(2) and slower(1) != faster(1) != coming("left")
    assert len({faster(1), faster(np.float32(1)), slower(1), always, ~~always, parsed("always")}) == 4
    with pytest.raises(dataclasses.FrozenInstanceError):
        always.text = "never"


def test_parentheses_may_be_many():
    """A rule that grows on its left has as many parentheses as operations; superfluous ones do not matter."""
    rule = always
    for k in range(STEPS_MAX // 4 - 1):
        rule = (rule | faster(k)) & coming("left")
    assert parsed(rule.text) == rule and rule.text.startswith(200 * "(")
    assert parsed(3000 * "(" + "always" + 3000 * ")") == always


@pytest.mark.parametrize("seed", range(4))
def test_the_core_decides_as_python_does(seed):
    """Twelve discs of all kinds come to a gate from both sides, each in a row of its own: those pass for which the rule, with
    `and`, `or` and `not` of Python, is true; the others are sent back."""
    rng = random.Random(100 + seed)
    kinds = [(side, speed, kind) for side in ("left", "right") for speed in (.25, .75, 2.) for kind in (0, 2)]
    x = [1 if side == "left" else 3 for side, _, _ in kinds]
    v = [(speed if side == "left" else -speed, 0.) for side, speed, _ in kinds]
    for _ in range(15):
        rule = random_rule(rng.randrange(10**6), rng.randrange(1, 12))
        system = hdsim.CollisionSystem.from_arrays(
            np.column_stack((x, .5 + np.arange(12))), v, .125, 1., box=hdsim.Box(4, 12),
            species=[kind for _, _, kind in kinds], obstacles=[hdsim.Gate((2, 0), (2, 12), rule)])
        decided = {}
        for event in system.events(until=4):
            if event.obstacle == 0:
                decided.setdefault(event.particles[0], event.kind == "pass")
        assert decided == {disc: holds(rule.text, *kind) for disc, kind in enumerate(kinds)}


def holds(text: str, side: str, speed: float, kind: int) -> bool:
    """The value of a rule for a disc, by Python's own logic."""
    for sign, word in ("&", " and "), ("|", " or "), ("~", " not "):
        text = text.replace(sign, word)
    text = re.sub(r"coming\((\w+)\)", r"(side == '\1')", text)
    text = re.sub(r"species\(([^)]+)\)", r"(kind in (\1,))", text)
    text = re.sub(r"faster\(([^)]+)\)", r"(speed > \1)", text)
    text = re.sub(r"slower\(([^)]+)\)", r"(not speed > \1)", text).replace("always", "True")
    return bool(eval(text, {"side": side, "speed": speed, "kind": kind}))


def test_a_disc_of_just_this_speed_is_not_faster():
    """The squares are compared: a disc of speed 5 = |(3, 4)| is not faster than 5, but faster than the double before it."""
    for v, rule, kind in ((5., faster(5), "wall"), (5., slower(5), "pass"), (np.nextafter(5, 0), faster(5), "wall"),
                          (5., faster(np.nextafter(5, 0)), "pass"), (np.nextafter(5, 6), faster(5), "pass")):
        velocity = (3., 4.) if v == 5 else (v, 0.)
        system = hdsim.CollisionSystem.from_arrays([(1, 5)], [velocity], .5, 1., box=hdsim.Box(4, 20),
                                                   obstacles=[hdsim.Gate((2, 0), (2, 20), rule)])
        assert system.next_event().kind == kind


# what is refused

WHAT = "expected always, coming(left), coming(right), faster(V), slower(V) or species(K), found "


@pytest.mark.parametrize("text, message", [
    ("", WHAT + "'the end'"),
    ("~", WHAT + "'the end'"),
    ("never", WHAT + "'never'"),
    ("always|", WHAT + "'the end'"),
    ("always||always", WHAT + "'|always'"),
    ("always&)", WHAT + "')'"),
    ("faster", WHAT + "'faster'"),
    ("faster(1", WHAT + "'faster(1'"),
    ("alwaysx", WHAT + "'alwaysx'"),
    ("always(left)", "expected the end of the rule, & or |, found '(left)'"),
    ("always)", "expected the end of the rule, & or |, found ')'"),
    ("always always", "expected the end of the rule, & or |, found ' always'"),
    ("(always))", "expected the end of the rule, & or |, found ')'"),
    ("((always)", "expected ), found 'the end'"),
    ("(always+always)", "expected ), found '+always)'"),
    ("faster(x)", "expected a speed in faster(...), found 'x'"),
    ("slower()", "expected a speed in slower(...), found ''"),
    ("slower(-1)", "slower: v is -1.0; it must be 0 or more, and at most 2.0e+90"),
    ("faster(inf)", "faster: v is inf; it must be 0 or more, and at most 2.0e+90"),
    ("species(1,)", "expected whole numbers in species(...), found '1,'"),
    ("species(1.5)", "expected whole numbers in species(...), found '1.5'"),
    ("species(1_0)", "expected whole numbers in species(...), found '1_0'"),
    ("species(99999999999)",
     "expected whole numbers of at most 2147483647 in size in species(...), found '99999999999'"),
    ("species(1,-2147483648)",
     "expected whole numbers of at most 2147483647 in size in species(...), found '1,-2147483648'"),
    (f"species({5000 * '9'})", f"expected whole numbers of at most 2147483647 in size in species(...), found '{5000 * '9'}'"),
    ("faster(1_0)", "expected a speed in faster(...), found '1_0'"),
    ("slower(1 0)", "expected a speed in slower(...), found '1 0'"),
    ("slower(\u0661)", "expected a speed in slower(...), found '\u0661'"),
    ("fas ter(1)", WHAT + "'fas ter(1)'"),
    ("coming('left')", "expected coming(left) or coming(right), without quotation marks, found coming('left')"),
    ('always&coming("left")', 'expected coming(left) or coming(right), without quotation marks, found coming("left")'),
    ("coming(up)", "coming: side is 'up'; it must be 'left' or 'right', as seen from the start of the gate to its end"),
    (1200 * "~" + "always", "a rule has 1001 conditions and operations, 1 deep; it must have at most 1000, 32 deep"),
    ("always" + 60_000 * " " + "x", "expected the end of the rule, & or |, found '" + 60_000 * " " + "x'"),
    (60_000 * " ", WHAT + "'the end'"),
    ("faster(" + 60_000 * "1" + "x)", f"expected a speed in faster(...), found '{60_000 * '1'}x'"),
    (60_000 * "x", WHAT + f"'{60_000 * 'x'}'"),
    (10**6 * " " + "always", "expected a rule of at most 100,000 characters, found 1,000,006"),
    ("|".join(600 * ["always"]), "a rule has 1001 conditions and operations, 2 deep; it must have at most 1000, 32 deep"),
])
def test_texts_that_are_no_rule(text, message):
    """One line that says what is expected and what is there."""
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parsed(text)


@pytest.mark.parametrize("make, error, message", [
    (lambda: faster(-1), ValueError, "faster: v is -1; it must be 0 or more, and at most 2.0e+90"),
    (lambda: slower(float("nan")), ValueError, "slower: v is nan; it must be 0 or more, and at most 2.0e+90"),
    (lambda: faster(10**400), ValueError, "faster: v is an integer of 401 digits; it must be at most 2.0e+90"),
    (lambda: faster("1"), TypeError, "faster: v is '1'; it must be a number"),
    (lambda: coming("lefty"), ValueError, "coming: side is 'lefty'; it must be 'left' or 'right', as seen from the start of the "
                                          "gate to its end"),
    (lambda: coming(["left"]), ValueError, "coming: side is ['left']; it must be 'left' or 'right', as seen from the start of "
                                           "the gate to its end"),
    (lambda: species(), ValueError, "species: expected one or more whole numbers of at most 2147483647 in size, found ()"),
    (lambda: coming(np.array(["left"])), ValueError,
     "coming: side is array(['left'], dtype='<U4'); it must be 'left' or 'right', as seen from the start of the gate to its end"),
    (lambda: species(True), ValueError,
     "species: expected one or more whole numbers of at most 2147483647 in size, found (True,)"),
    (lambda: species(.5), ValueError, "species: expected one or more whole numbers of at most 2147483647 in size, found (0.5,)"),
    (lambda: species(2**31), ValueError,
     "species: expected one or more whole numbers of at most 2147483647 in size, found (2147483648,)"),
    (lambda: always and always, TypeError, "a rule is neither true nor false; combine rules with &, | and ~ instead of `and`, "
                                           "`or` and `not`"),
    (lambda: not always, TypeError, "a rule is neither true nor false; combine rules with &, | and ~ instead of `and`, `or` and "
                                    "`not`"),
])
def test_values_that_are_no_rule(make, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        make()


@pytest.mark.parametrize("other", [1, True, "always", None])
def test_rules_are_combined_with_rules_only(other):
    for combine in (lambda: always & other, lambda: always | other, lambda: other & always):
        with pytest.raises(TypeError, match="unsupported operand"):
            combine()


def test_a_rule_may_not_be_nested_too_deeply():
    """The core has room for 32 results that wait; up to that, it decides right."""
    rule = coming("left")
    for _ in range(DEPTH_MAX - 1):
        rule = always & rule
    system = hdsim.CollisionSystem.from_arrays([(1, .5), (3, 1.5)], [(1, 0), (-1, 0)], .1, 1., box=hdsim.Box(4, 2),
                                               obstacles=[hdsim.Gate((2, 0), (2, 2), rule)])
    kinds = {event.particles[0]: event.kind for event in (system.next_event(), system.next_event())}
    assert kinds == {0: "pass", 1: "wall"}
    with pytest.raises(ValueError, match="a rule has 65 conditions and operations, 33 deep; it must have at most 1000, 32 deep"):
        always & rule


def test_the_module_shows_what_it_defines():
    assert {"always", "coming", "faster", "slower", "species", "Rule"} <= set(dir(gates))
