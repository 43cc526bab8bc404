"""The nearest known words to a misspelt one."""
import itertools
import random

import pytest

from hdsim.model.spelling import distance, nearest


@pytest.mark.parametrize("a, b, changes", [
    ("", "", 0), ("", "abc", 3), ("list", "list", 0), ("lst", "list", 1), ("liist", "list", 1), ("lost", "list", 1),
    ("lsit", "list", 1), ("brownain", "brownian", 1), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abc", "cba", 2)])
def test_distances(a, b, changes):
    """Each kind of change counts one, in both directions."""
    assert distance(a, b) == distance(b, a) == changes


def test_the_nearest_words_come_first_and_none_is_far():
    """Against all words of two letters of some length: what is left out needs more changes than half of the letters."""
    words = ["".join(letters) for n in range(5) for letters in itertools.product("ab", repeat=n)]
    draw = random.Random(1)
    for word in draw.sample(words, 15):
        near = nearest(word, words, len(words))
        assert set(near) == {other for other in words if distance(word, other) <= len(word) / 2}
        assert sorted(near, key=lambda other: distance(word, other)) == near and nearest(word, words, 3) == near[:3]
    assert nearest("", words) == [""] and nearest("xy", ["ab", "abc"]) == []


def test_capital_letters_do_not_count():
    assert nearest("LIST", ["info", "list"]) == ["list"] and nearest("p100-.5k", ["p100-2K", "p100-.5K"]) == ["p100-.5K"]


def test_a_very_long_word_is_near_nothing():
    """Without the distance to each known word being computed, which is of the order of the length of both."""
    assert nearest(10**6 * "x", ["segment", 100 * "x"]) == []
    assert nearest("segmnt", ["segment", "a segment of a line"]) == ["segment"]
